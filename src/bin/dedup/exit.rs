//! The status that `dedup` ends with: 0, 1 or 2, and nothing else.

use std::panic::{self, UnwindSafe};
use std::process::ExitCode;

use dedup_text::text::defect::{self, Defect};

use crate::diagnostics;

/// The answer of a run.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Exit {
    /// 0: the level is reached, or under `--fail-on` it is not.
    Success,
    /// 1: the level is not reached, or under `--fail-on` it is.
    Failure,
    /// 2: there is no answer.
    Error,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(match exit {
            Exit::Success => 0,
            Exit::Failure => 1,
            Exit::Error => 2,
        })
    }
}

/// Runs; a panic, which is a defect of ours, is reported in one line and is an error. One that
/// [`defect::catch`] catches is left to its caller.
pub(crate) fn guarded(run: impl FnOnce() -> Exit + UnwindSafe) -> Exit {
    panic::set_hook(Box::new(|panic| {
        if !defect::is_caught(panic) {
            diagnostics::tell_defect(&Defect::of_panic(panic));
        }
    }));
    panic::catch_unwind(run).unwrap_or(Exit::Error)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_trouble() {
        assert_eq!(guarded(|| panic!("made up by a test")), Exit::Error);
        assert_eq!(guarded(|| Exit::Failure), Exit::Failure);
    }

    #[test]
    fn a_panic_that_is_caught_tells_its_place() {
        let mut caught = None;
        let run = || {
            caught = defect::catch(|| panic!("made up by a test")).err();
            Exit::Success
        };
        assert_eq!(guarded(panic::AssertUnwindSafe(run)), Exit::Success);
        let caught = caught.unwrap().to_string();
        let place = caught.strip_prefix("made up by a test at src/bin/dedup/exit.rs:");
        assert!(place.is_some_and(|line| line.parse::<u32>().is_ok()), "{caught}");
    }
}
