//! The stages of a run, each on a line of its own: where there are no threads, nothing draws
//! beside the work.

use std::io::{self, IsTerminal, Write};
use std::sync::Arc;

use super::{RunState, Stage};

/// Writes stages to standard error.
#[derive(Debug)]
pub(super) struct Drawer;

impl Drawer {
    /// Writes of a run, where somebody may see it.
    pub(super) fn of_run(_: &Arc<RunState>) -> Option<Self> {
        io::stderr().is_terminal().then_some(Self)
    }

    /// Writes the name of a stage.
    #[expect(clippy::unused_self, reason = "as where there are threads")]
    pub(super) fn begin(&self, stage: Stage) {
        let _ = writeln!(io::stderr(), "{}", format!("{stage:?}").to_lowercase());
    }
}

/// A line that was written stays.
pub(crate) fn clear() {}

/// Writes as it stands: no line is in its way.
pub(crate) fn beside<R>(write: impl FnOnce() -> R) -> R {
    write()
}
