//! Runs a long computation on its own thread, while Python receives its progress and may stop it.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread::Builder;
use std::time::Duration;

use dedup_text::parallel::{Advance, ProgressSnapshot, Stopped};
use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;

/// The interval at which Python receives the progress and may stop the run.
const PAUSE: Duration = Duration::from_millis(100);

/// The size of an input in bytes from which [`interruptible`] starts a thread. Smaller inputs take
/// milliseconds.
pub(crate) const WORTH_A_THREAD: u64 = 1 << 20;

/// Runs the handlers of signals, if this is Python's main thread.
///
/// # Errors
///
/// Returns the exception that a handler raises.
fn check_signals() -> PyResult<()> {
    Python::attach(|py| {
        py.check_signals()?;
        Ok(())
    })
}

/// Runs `work`, whose input has `bytes` bytes, without the interpreter lock. If the input is large,
/// the work is done by another thread, and the calling one handles signals.
///
/// # Errors
///
/// Returns the exception that a signal handler raises, for example `KeyboardInterrupt`, or an
/// `OSError` if there is no thread. After an exception the work continues in the background and
/// keeps its memory until it ends or sees that `is_over` is set, and its result is discarded.
pub(crate) fn interruptible<T: Send + 'static>(
    py: Python,
    bytes: u64,
    work: impl FnOnce(&AtomicBool) -> T + Send + 'static,
) -> PyResult<T> {
    py.check_signals()?;
    if bytes < WORTH_A_THREAD {
        return Ok(py.detach(|| work(&AtomicBool::new(false))));
    }
    py.detach(|| {
        let (sender, receiver) = channel();
        let is_over = Arc::new(AtomicBool::new(false));
        let seen = Arc::clone(&is_over);
        let thread = Builder::new().spawn(move || sender.send(work(&seen)).is_ok());
        let thread = thread.map_err(|error| PyOSError::new_err(error.to_string()))?;
        loop {
            check_signals().inspect_err(|_| is_over.store(true, Ordering::Relaxed))?;
            match receiver.recv_timeout(PAUSE) {
                Ok(done) => return Ok(done),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => {
                    resume_unwind(thread.join().expect_err("it ended without a result"))
                }
            }
        }
    })
}

/// Runs `work` on another thread, without the interpreter lock. Meanwhile, the calling thread
/// handles signals, and calls `progress` with the name of the stage, the amount of work that is
/// done, and the total amount (0 if unknown), whenever these have changed, also at the end.
///
/// # Errors
///
/// Returns the error of the work, or the exception that `progress` or a signal handler raises, for
/// example `KeyboardInterrupt`. Such an exception stops the work.
pub(crate) fn watched<T: Send>(
    py: Python,
    stages: &[&str],
    progress: Option<&Bound<PyAny>>,
    work: impl FnOnce(&Advance) -> PyResult<T> + Send,
) -> PyResult<T> {
    let advance = Advance::default();
    let progress = progress.map(|it| it.clone().unbind());
    py.detach(|| {
        std::thread::scope(|threads| {
            let (sender, receiver) = channel();
            let shared = &advance;
            let thread = threads.spawn(move || {
                let done = catch_unwind(AssertUnwindSafe(|| work(shared)));
                let _ = sender.send(());
                done
            });
            let mut known = ProgressSnapshot::default();
            let mut tell = |py: Python| -> PyResult<()> {
                let seen = advance.snapshot();
                if let Some(progress) = progress.as_ref().filter(|_| seen != known) {
                    let last = stages.len().saturating_sub(1);
                    let stage = usize::try_from(seen.works).unwrap_or(last);
                    let stage = stages[stage.saturating_sub(1).min(last)];
                    progress.call1(py, (stage, seen.done, seen.all))?;
                }
                known = seen;
                Ok(())
            };
            let mut raised = Ok(());
            while receiver.recv_timeout(PAUSE) == Err(RecvTimeoutError::Timeout) {
                if raised.is_err() {
                    continue;
                }
                raised = Python::attach(|py| py.check_signals().and_then(|()| tell(py)));
                if raised.is_err() {
                    advance.stop();
                }
            }
            let done = thread.join().unwrap_or_else(|panic| resume_unwind(panic));
            match done {
                // The exception that stopped the work is raised.
                Err(panic) if panic.is::<Stopped>() => raised.and_then(|()| resume_unwind(panic)),
                Err(panic) => resume_unwind(panic),
                Ok(done) => raised.and_then(|()| {
                    let done = done?;
                    Python::attach(tell)?;
                    Ok(done)
                }),
            }
        })
    })
}
