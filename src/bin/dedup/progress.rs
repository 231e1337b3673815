//! A progress line for long runs, on standard error if that is a terminal.
//!
//! Input: the current stage, and an [`Advance`] that the code which does the work adds to. Output:
//! a line that a separate thread draws ten times a second, from half a second after the start. The
//! line is removed for good before any part of the answer is written to standard output; only lines
//! that are written to a file, one block after the other, leave it in place. On WASI, which has no
//! threads, the name of each stage is printed on its own line when the stage begins.

use std::sync::{Arc, Mutex, PoisonError};

use dedup_text::parallel::Advance;

use drawn::Drawer;
pub(crate) use drawn::{clear, suspend};

/// A stage of a run.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub(crate) enum Stage {
    /// Folders are walked. The amount of work is not known.
    #[default]
    Listing,
    /// Texts are read. Progress is counted in bytes.
    Reading,
    /// Texts that had to wait for the others are completed: their language is chosen, and what they
    /// have in common is left out. Progress is counted in passes over each text.
    Settling,
    /// Candidate pairs are looked up.
    Joining,
    /// Pairs are judged. Progress is counted in their left texts, or in pairs.
    Judging,
    /// A clean corpus is written. Progress is counted in records.
    Writing,
    /// Runs of words are sorted. Progress is counted in passes over the words.
    Sorting,
}

impl Stage {
    fn name(self) -> String {
        format!("{self:?}").to_lowercase()
    }
}

/// The progress display of a run. The display ends when this value is dropped.
#[derive(Debug)]
pub(crate) struct Progress {
    run: Arc<RunState>,
    drawer: Option<Drawer>,
}

/// The state of a run that the progress display reads.
#[derive(Debug, Default)]
struct RunState {
    stage: Mutex<Stage>,
    advance: Advance,
}

impl Progress {
    /// Starts the display if `is_wanted`, and if it can be drawn: standard error is a terminal, and
    /// `TERM` is not `dumb`.
    pub(crate) fn of_run(is_wanted: bool) -> Self {
        let run = Arc::<RunState>::default();
        run.advance.begin(0);
        let drawer = is_wanted.then(|| Drawer::of_run(&run)).flatten();
        Self { run, drawer }
    }

    /// Begins a stage with `all` units of work; 0 if the amount is not known.
    pub(crate) fn begin(&self, stage: Stage, all: u64) -> &Advance {
        *self.run.stage.lock().unwrap_or_else(PoisonError::into_inner) = stage;
        self.run.advance.begin(all);
        if let Some(drawer) = &self.drawer {
            drawer.begin(stage);
        }
        &self.run.advance
    }
}

/// The stages of a run, each printed on its own line. WASI has no threads, so nothing can draw
/// while the work goes on; and it has a terminal only if its host provides one.
#[cfg(target_os = "wasi")]
mod drawn {
    use std::io::{self, IsTerminal, Write};
    use std::sync::Arc;

    use super::{RunState, Stage};

    /// Prints the names of stages to standard error.
    #[derive(Debug)]
    pub(super) struct Drawer;

    impl Drawer {
        /// Returns a drawer if standard error is a terminal.
        pub(super) fn of_run(_: &Arc<RunState>) -> Option<Self> {
            io::stderr().is_terminal().then_some(Self)
        }

        /// Prints the name of a stage.
        #[expect(clippy::unused_self, reason = "as where there are threads")]
        pub(super) fn begin(&self, stage: Stage) {
            let _ = writeln!(io::stderr(), "{}", stage.name());
        }
    }

    /// Does nothing: a line that was printed stays.
    pub(crate) fn clear() {}

    /// Calls `write` directly: there is no progress line to hide.
    pub(crate) fn suspend<R>(write: impl FnOnce() -> R) -> R {
        write()
    }
}

/// The progress line on a terminal, drawn by a separate thread.
#[cfg(not(target_os = "wasi"))]
mod drawn {
    use std::fmt;
    use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
    use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
    use std::thread::{self, JoinHandle};
    use std::time::{Duration, Instant};

    use dedup_text::parallel::ProgressSnapshot;
    use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};

    use super::{RunState, Stage};

    /// The time from the start of a run until the progress line is first shown.
    const DELAY: Duration = Duration::from_millis(500);

    /// The interval between two updates of the progress line.
    const TICK: Duration = Duration::from_millis(100);

    /// The progress line; `None` if none is shown. Only the holder of this lock may write to the
    /// terminal.
    static LINE: Mutex<Option<ProgressBar>> = Mutex::new(None);

    /// The thread that draws the progress line, and the channel that stops it when it is closed.
    #[derive(Debug)]
    pub(super) struct Drawer(Option<(Sender<()>, JoinHandle<()>)>);

    impl Drawer {
        /// Starts to draw the progress of a run, or returns `None` if standard error is not a
        /// terminal or no thread can be started.
        pub(super) fn of_run(run: &Arc<RunState>) -> Option<Self> {
            if ProgressDrawTarget::stderr().is_hidden() {
                return None;
            }
            let (stop, stopped) = mpsc::channel();
            let run = Arc::clone(run);
            *line() = Some(ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden()));
            let thread = thread::Builder::new().spawn(move || draw_until(&stopped, &run));
            Some(Self(Some((stop, thread.ok()?)))) // without a thread, nothing is shown
        }

        /// Does nothing: the drawing thread sees by itself that a stage has begun.
        #[expect(clippy::unused_self, reason = "as where there are no threads")]
        pub(super) fn begin(&self, _: Stage) {}
    }

    impl Drop for Drawer {
        fn drop(&mut self) {
            clear();
            if let Some((stop, drawer)) = self.0.take() {
                drop(stop);
                let _ = drawer.join();
            }
        }
    }

    /// Removes the progress line for good.
    pub(crate) fn clear() {
        if let Some(line) = line().take() {
            line.finish_and_clear();
        }
    }

    /// Calls `write` while the progress line is hidden, so that `write` can print to the terminal.
    pub(crate) fn suspend<R>(write: impl FnOnce() -> R) -> R {
        // A thread that panics may hold the lock already, because it panicked while it drew.
        let held = if thread::panicking() { LINE.try_lock().ok() } else { Some(line()) };
        match held.as_deref() {
            Some(Some(line)) => line.suspend(write),
            _ => write(),
        }
    }

    fn line() -> MutexGuard<'static, Option<ProgressBar>> {
        LINE.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Redraws the line at each tick until the thread is stopped or the line is removed.
    fn draw_until(stopped: &Receiver<()>, run: &RunState) {
        let start = Instant::now();
        let (mut last, mut is_shown) = (ProgressSnapshot::default(), false);
        while stopped.recv_timeout(TICK) == Err(RecvTimeoutError::Timeout) {
            let line = line();
            let Some(line) = &*line else { return };
            let seen = run.advance.snapshot();
            if seen.works != last.works {
                line.reset();
                let stage = *run.stage.lock().unwrap_or_else(PoisonError::into_inner);
                line.set_style(stage.style(seen.all > 0));
                if seen.all > 0 { line.set_length(seen.all) } else { line.unset_length() }
            }
            if !is_shown && start.elapsed() >= DELAY {
                is_shown = true;
                line.set_draw_target(ProgressDrawTarget::stderr_with_hz(20));
            }
            line.update(|state| state.set_pos(seen.done));
            last = seen;
        }
    }

    impl Stage {
        /// Returns the template of the line of a stage, without colours.
        fn style(self, is_all_known: bool) -> ProgressStyle {
            let bar = format!("{:<8} [{{wide_bar}}] {{percent}} %{{left}}", self.name());
            let template = match (self, is_all_known) {
                (Self::Listing, _) => "listing  {spinner} {elapsed}",
                (Self::Reading, true) => {
                    "reading  [{wide_bar}] {decimal_bytes} of {decimal_total_bytes}, {decimal_bytes_per_sec}{left}"
                }
                (Self::Reading, false) => {
                    "reading  {spinner} {decimal_bytes}, {decimal_bytes_per_sec}"
                }
                (Self::Joining, false) => "joining  {spinner} {elapsed}",
                _ => &bar,
            };
            let style = ProgressStyle::with_template(template);
            style
                .expect("the templates are valid: the tests make each")
                .progress_chars("=> ")
                .tick_chars("|/-\\ ")
                .with_key("left", |state: &ProgressState, line: &mut dyn fmt::Write| {
                    let _ = line.write_str(&left(state.per_sec(), state.eta()));
                })
        }
    }

    /// Formats the time that is left; empty if the rate is zero, so that the time is unknown.
    fn left(per_second: f64, left: Duration) -> String {
        if per_second <= 0.0 {
            return String::new();
        }
        let seconds = left.as_secs() + 1;
        let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
        match (hours, minutes) {
            (0, 0) => format!(", {seconds} s left"),
            (0, _) => format!(", {minutes}:{seconds:02} left"),
            _ => format!(", {hours}:{minutes:02}:{seconds:02} left"),
        }
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        #[test]
        fn every_stage_has_a_line() {
            for stage in [
                Stage::Listing,
                Stage::Reading,
                Stage::Settling,
                Stage::Joining,
                Stage::Judging,
                Stage::Writing,
                Stage::Sorting,
            ] {
                for is_all_known in [false, true] {
                    let _ = stage.style(is_all_known);
                }
            }
        }

        #[test]
        fn the_time_left_is_reported_where_it_is_known() {
            #[rustfmt::skip]
            let table = [
                ("nothing is done yet", 0.0,  Duration::ZERO,               ""),
                ("nearly done",         1.0,  Duration::from_millis(20),    ", 1 s left"),
                ("under a minute",      1.0,  Duration::from_millis(58_500), ", 59 s left"),
                ("a minute",            0.1,  Duration::from_secs(59),      ", 1:00 left"),
                ("under an hour",       5.0,  Duration::from_secs(3598),    ", 59:59 left"),
                ("an hour",             5.0,  Duration::from_secs(3599),    ", 1:00:00 left"),
            ];
            for (why, per_second, time, want) in table {
                assert_eq!(left(per_second, time), want, "{why}");
            }
        }

        #[test]
        fn what_is_written_beside_no_line_is_written() {
            assert_eq!(suspend(|| 7), 7);
            clear();
            assert_eq!(suspend(|| 8), 8);
        }
    }
}
