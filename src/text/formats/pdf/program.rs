//! A program that reads bytes and writes others, within bounds.
//!
//! Goes in: a command, what it reads, and how much and how long it may write. Comes out: what
//! it wrote and how it ended. No pipe blocks another, and however this ends, so does the
//! program.

use std::io::{self, Read, Write};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread::{self, Builder};
use std::time::{Duration, Instant};

/// The most bytes of complaints that are kept.
const MOST_COMPLAINTS: u64 = 64 * 1024;

/// How long it is looked for the end of a program that has written all.
const GLANCE: Duration = Duration::from_millis(5);

/// The longest that complaints are waited for after the program's end: what it started itself
/// may hold on to the pipe.
const LAST_WORDS: Duration = Duration::from_millis(500);

/// How a program ended.
pub(super) enum Outcome {
    /// By itself.
    Ended { status: ExitStatus, output: Vec<u8>, complaints: String },
    /// It wrote more than so many bytes, and was ended.
    TooLarge { most: u64 },
    /// It did not end in time, and was ended.
    TooSlow { time: Duration },
}

/// A program that is running; it ends with this.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        // Neither fails unless the program has ended, which is what is wanted.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Runs a program on an input.
///
/// # Errors
///
/// What the system says where it cannot be started, has no thread for its pipes, or its output
/// cannot be read.
pub(super) fn run(
    command: &mut Command,
    input: &[u8],
    most: Option<u64>,
    time: Option<Duration>,
) -> io::Result<Outcome> {
    let end = time.and_then(|time| Instant::now().checked_add(time));
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut running = Running(command.spawn()?);
    let child = &mut running.0;
    // The threads are not waited for: each ends with its pipe, and something that the program
    // started may hold that open longer than there is time.
    if let Some(mut stdin) = child.stdin.take() {
        let input = input.to_vec();
        // A program may end without having read all; its status says whether that is well.
        Builder::new().spawn(move || drop(stdin.write_all(&input)))?;
    }
    let output = child.stdout.take().map(|pipe| collect(pipe, most.unwrap_or(u64::MAX)));
    let output = output.transpose()?;
    let complaints = child.stderr.take().map(|pipe| collect(pipe, MOST_COMPLAINTS)).transpose()?;
    let late = || Ok(Outcome::TooSlow { time: time.unwrap_or_default() });

    let output = match output.map(|output| receive(&output, end)) {
        Some(Ok(output)) => output?,
        Some(Err(RecvTimeoutError::Timeout)) => return late(),
        Some(Err(RecvTimeoutError::Disconnected)) | None => Vec::new(),
    };
    match most {
        Some(most) if output.len() as u64 > most => return Ok(Outcome::TooLarge { most }),
        _ => {}
    }
    let status = loop {
        match (running.0.try_wait()?, end) {
            (Some(status), _) => break status,
            (None, Some(end)) if Instant::now() >= end => return late(),
            (None, _) => thread::sleep(GLANCE),
        }
    };
    let last = Some(Instant::now() + LAST_WORDS);
    let complaints = complaints.and_then(|complaints| receive(&complaints, last).ok()?.ok());
    let complaints = String::from_utf8_lossy(&complaints.unwrap_or_default()).into_owned();
    Ok(Outcome::Ended { status, output, complaints })
}

/// Reads a pipe to its end on a thread of its own, up to one byte more than `most`.
fn collect(
    pipe: impl Read + Send + 'static,
    most: u64,
) -> io::Result<Receiver<io::Result<Vec<u8>>>> {
    let (tell, told) = mpsc::channel();
    Builder::new().spawn(move || {
        let mut bytes = Vec::new();
        let mut pipe = pipe.take(most.saturating_add(1));
        let read = pipe.read_to_end(&mut bytes).map(|_| bytes);
        // Nobody listens any more where there was no time.
        let _ = tell.send(read);
        // What is too much is read all the same, so that the program does not wait.
        let _ = io::copy(&mut pipe.into_inner(), &mut io::sink());
    })?;
    Ok(told)
}

/// What a thread tells, if it does so before the end.
fn receive<T>(told: &Receiver<T>, end: Option<Instant>) -> Result<T, RecvTimeoutError> {
    match end {
        Some(end) => told.recv_timeout(end.saturating_duration_since(Instant::now())),
        None => told.recv().map_err(|_| RecvTimeoutError::Disconnected),
    }
}
