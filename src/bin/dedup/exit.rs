//! The status that `dedup` ends with: 0, 1 or 2, and nothing else.

use std::panic::{self, UnwindSafe};
use std::process::ExitCode;

use dedup_text::text::defect::{self, Defect};

use crate::trouble;

/// The answer of a run.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Exit {
    /// 0: the level is reached, or under `--fail-on` it is not.
    Yes,
    /// 1: the level is not reached, or under `--fail-on` it is.
    No,
    /// 2: there is no answer.
    Trouble,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(match exit {
            Exit::Yes => 0,
            Exit::No => 1,
            Exit::Trouble => 2,
        })
    }
}

/// Runs; a panic, which is a defect of ours, is told in one line and is trouble. One that
/// [`defect::catch`] catches is left to its caller.
pub(crate) fn guarded(run: impl FnOnce() -> Exit + UnwindSafe) -> Exit {
    panic::set_hook(Box::new(|panic| {
        if !defect::is_caught(panic) {
            trouble::tell_defect(&Defect::of_panic(panic));
        }
    }));
    panic::catch_unwind(run).unwrap_or(Exit::Trouble)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_trouble() {
        assert_eq!(guarded(|| panic!("made up by a test")), Exit::Trouble);
        assert_eq!(guarded(|| Exit::No), Exit::No);
    }

    #[test]
    fn a_panic_that_is_caught_tells_its_place() {
        let mut caught = None;
        let run = || {
            caught = defect::catch(|| panic!("made up by a test")).err();
            Exit::Yes
        };
        assert_eq!(guarded(panic::AssertUnwindSafe(run)), Exit::Yes);
        let caught = caught.unwrap().to_string();
        let place = caught.strip_prefix("made up by a test at src/bin/dedup/exit.rs:");
        assert!(place.is_some_and(|line| line.parse::<u32>().is_ok()), "{caught}");
    }
}
