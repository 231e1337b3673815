//! The flags that say what was accepted earlier.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};

/// What was accepted earlier.
#[derive(Args, Debug)]
pub(crate) struct BaselineFlags {
    /// Pairs that a FILE has accepted count no more
    ///
    /// It lists passages by their words, wherever they stand. A pair is accepted when all its
    /// passages are listed; one without passages, when both its texts are. It is in no exit
    /// status and no finding.
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    baseline: Option<PathBuf>,

    /// Write the baseline anew: all that is found is accepted
    ///
    /// What is listed and not found is dropped. Exit 0 unless there is trouble.
    #[arg(long, requires = "baseline", hide_short_help = true)]
    update_baseline: bool,

    /// Entries that are not found: warn, error, ignore [default warn]
    ///
    /// warn names them; error makes them trouble, too, when all else is done.
    #[arg(
        long,
        value_name = "HOW",
        default_value = "warn",
        hide_default_value = true,
        hide_possible_values = true,
        hide_short_help = true,
        requires = "baseline"
    )]
    baseline_unused: Unused,
}

/// What is done about entries that are not found.
#[derive(Clone, Copy, Debug, Eq, PartialEq, ValueEnum)]
pub(crate) enum Unused {
    Warn,
    Error,
    Ignore,
}

impl BaselineFlags {
    /// The file; none where nothing was accepted.
    pub(crate) fn file(&self) -> Option<&Path> {
        self.baseline.as_deref()
    }

    /// Whether the file is to be written.
    pub(crate) fn is_update(&self) -> bool {
        self.update_baseline
    }

    /// What is done about entries that are not found.
    pub(crate) fn unused(&self) -> Unused {
        self.baseline_unused
    }
}
