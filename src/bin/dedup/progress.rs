//! How far a long run has come, on standard error where that is a terminal.
//!
//! Goes in: what is being done, and an [`Advance`] that those who do it add to. Comes out: a
//! line that a thread of its own draws ten times a second, from half a second on. It is gone
//! before anything of the answer is written, and does not come back. Where there are no threads, each
//! stage is a line of its own when it begins.

#[cfg(not(target_os = "wasi"))]
mod drawn;

use std::sync::{Arc, Mutex, PoisonError};

use dedup_text::parallel::Advance;

use drawn::Drawer;
pub(crate) use drawn::{beside, clear};

/// What is being done.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub(crate) enum Stage {
    /// Folders are walked.
    #[default]
    Listing,
    /// Texts are read, in bytes.
    Reading,
    /// What counts of texts that wait, and in which language, in texts.
    Settling,
    /// Pairs are looked for.
    Joining,
    /// Pairs are judged, in pairs.
    Judging,
    /// A clean corpus is written, in records.
    Writing,
    /// Runs of words are put in order.
    Sorting,
}

/// Shows how far a run has come, as long as it is there.
#[derive(Debug)]
pub(crate) struct Progress {
    rendered: Arc<RunState>,
    drawer: Option<Drawer>,
}

/// What is reported of a run.
#[derive(Debug, Default)]
struct RunState {
    stage: Mutex<Stage>,
    advance: Advance,
}

impl Progress {
    /// Shows a run from here on, where it is wanted and somebody may see it: standard error is
    /// a terminal, and `TERM` is not `dumb`.
    pub(crate) fn of_run(is_wanted: bool) -> Self {
        let rendered = Arc::<RunState>::default();
        rendered.advance.begin(0);
        let drawer = is_wanted.then(|| Drawer::of_run(&rendered)).flatten();
        Self { rendered, drawer }
    }

    /// Begins a stage. Of what is to be done, `all` says how much; 0 where no one knows.
    pub(crate) fn begin(&self, stage: Stage, all: u64) -> &Advance {
        *self.rendered.stage.lock().unwrap_or_else(PoisonError::into_inner) = stage;
        self.rendered.advance.begin(all);
        if let Some(drawer) = &self.drawer {
            drawer.begin(stage);
        }
        &self.rendered.advance
    }
}

/// The stages of a run, each on a line of its own: WASI has no threads, so that nothing draws beside
/// the work, and no terminal but what its host makes one.
#[cfg(target_os = "wasi")]
mod drawn {
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
}
