//! The status that `dedup` ends with: 0, 1 or 2, and nothing else.

use std::panic::{self, UnwindSafe};
use std::process::ExitCode;

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

/// Runs; a panic, which is a defect of ours, is told in one line and is trouble.
pub(crate) fn guarded(run: impl FnOnce() -> Exit + UnwindSafe) -> Exit {
    panic::set_hook(Box::new(|defect| {
        let place = defect.location().map(|place| format!(" at {}:{}", place.file(), place.line()));
        let words = defect.payload_as_str().unwrap_or("no message");
        trouble::tell_defect(&format!("{words}{}", place.unwrap_or_default()));
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
}
