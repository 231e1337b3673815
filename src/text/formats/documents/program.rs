//! Runs an external program that reads a document, within limits.
//!
//! Input: a command, a document, and limits on the size of the output and on the time. Output: what
//! the program wrote, and how it ended. The document is passed through a pipe, so that no file name
//! becomes an argument, and the text is read from another pipe. The pipes cannot block each other,
//! and the program never outlives the call. The module knows no kind of document.

use std::io::{self, Read, Write};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread::{self, Builder};
use std::time::{Duration, Instant};

use super::{Bounds, ExtractError};

/// The largest number of characters of a program's message that are passed on.
const MAX_MESSAGE_LENGTH: usize = 200;

/// An external program, and the kind of document that it reads.
#[derive(Clone, Copy, Debug)]
pub(super) struct Program {
    /// Its name, as it is looked up on the search path.
    pub(super) name: &'static str,
    /// The kind of document that it reads, with its article.
    pub(super) reads: &'static str,
}

/// The exit status and the output of a program.
#[derive(Debug)]
pub(super) struct ProgramOutput {
    pub(super) status: ExitStatus,
    pub(super) stdout: Vec<u8>,
    pub(super) stderr: String,
}

impl Program {
    /// Returns a command that runs the program in the C locale, whatever the locale of the user.
    pub(super) fn command(self, arguments: &[&str]) -> Command {
        let mut command = Command::new(self.name);
        command.args(arguments).env("LC_ALL", "C");
        command
    }

    /// Runs the program, with this command, on a document.
    ///
    /// # Errors
    ///
    /// Returns an [`ExtractError`] if the program is not installed, cannot be run, or exceeds the
    /// limits.
    pub(super) fn read(
        self,
        command: &mut Command,
        document: &[u8],
        bounds: &Bounds,
    ) -> Result<ProgramOutput, ExtractError> {
        let (kind, program) = (self.reads, self.name);
        match run(command, document, bounds.unpacked, bounds.time) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                Err(ExtractError::NoProgram { kind, program })
            }
            // The standard library returns this on platforms that run no other programs, such as
            // WASI.
            Err(error) if error.kind() == io::ErrorKind::Unsupported => {
                Err(ExtractError::NoPrograms { kind, program })
            }
            Err(source) => Err(ExtractError::ProgramFailed { kind, program, source }),
            Ok(Outcome::TooLarge { max_bytes }) => Err(ExtractError::TooLarge { max_bytes }),
            Ok(Outcome::TooSlow { time }) => {
                Err(ExtractError::TooSlow { program, seconds: time.as_secs() })
            }
            Ok(Outcome::Ended(output)) => Ok(output),
        }
    }
}

impl ProgramOutput {
    /// Returns the standard output as text, with bytes that are not UTF-8 replaced.
    pub(super) fn text(self) -> String {
        String::from_utf8(self.stdout)
            .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
    }

    /// Returns the first line of standard error that is not empty, [cleaned]; `None` if there is
    /// none.
    pub(super) fn first_message(&self) -> Option<String> {
        self.stderr.lines().map(cleaned).find(|line| !line.is_empty())
    }
}

/// Returns a message without control characters and outer white space, of at most
/// [`MAX_MESSAGE_LENGTH`] characters.
pub(super) fn cleaned(line: &str) -> String {
    line.trim().chars().filter(|it| !it.is_control()).take(MAX_MESSAGE_LENGTH).collect()
}

/// The largest number of bytes of standard error that are kept.
const MAX_STDERR: u64 = 64 * 1024;

/// The interval between checks whether a program that has closed its output has ended.
const POLL_INTERVAL: Duration = Duration::from_millis(5);

/// The longest wait for standard error after the program has ended: a process that it started may
/// keep the pipe open.
const LAST_WORDS: Duration = Duration::from_millis(500);

/// The outcome of running a program.
enum Outcome {
    /// It ended by itself.
    Ended(ProgramOutput),
    /// It wrote more than `max_bytes` bytes and was killed.
    TooLarge { max_bytes: u64 },
    /// It did not end in time and was killed.
    TooSlow { time: Duration },
}

/// A running program, which is killed when this is dropped.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        // Both fail only if the program has ended already, which is the goal.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Runs a program on an input.
///
/// # Errors
///
/// Returns the error of the operating system if the program cannot be started, no thread can be
/// started for its pipes, or its output cannot be read.
fn run(
    command: &mut Command,
    input: &[u8],
    max_bytes: Option<u64>,
    time: Option<Duration>,
) -> io::Result<Outcome> {
    let end = time.and_then(|time| Instant::now().checked_add(time));
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut running = Running(command.spawn()?);
    let child = &mut running.0;
    // The threads are not joined: each ends with its pipe, and a process that the program started
    // may keep the pipe open past the time limit.
    if let Some(mut stdin) = child.stdin.take() {
        let input = input.to_vec();
        // A program may end without reading all of its input; its exit status shows whether it
        // failed.
        Builder::new().spawn(move || drop(stdin.write_all(&input)))?;
    }
    let output = child.stdout.take().map(|pipe| collect(pipe, max_bytes.unwrap_or(u64::MAX)));
    let output = output.transpose()?;
    let stderr = child.stderr.take().map(|pipe| collect(pipe, MAX_STDERR)).transpose()?;
    let late = || Ok(Outcome::TooSlow { time: time.unwrap_or_default() });

    let output = match output.map(|output| receive(&output, end)) {
        Some(Ok(output)) => output?,
        Some(Err(RecvTimeoutError::Timeout)) => return late(),
        Some(Err(RecvTimeoutError::Disconnected)) | None => Vec::new(),
    };
    match max_bytes {
        Some(max_bytes) if output.len() as u64 > max_bytes => {
            return Ok(Outcome::TooLarge { max_bytes });
        }
        _ => {}
    }
    let status = loop {
        match (running.0.try_wait()?, end) {
            (Some(status), _) => break status,
            (None, Some(end)) if Instant::now() >= end => return late(),
            (None, _) => thread::sleep(POLL_INTERVAL),
        }
    };
    let last = Some(Instant::now() + LAST_WORDS);
    let stderr = stderr.and_then(|stderr| receive(&stderr, last).ok()?.ok());
    let stderr = String::from_utf8_lossy(&stderr.unwrap_or_default()).into_owned();
    Ok(Outcome::Ended(ProgramOutput { status, stdout: output, stderr }))
}

/// Reads a pipe to its end on a new thread, and sends its first `max_bytes` + 1 bytes at most.
fn collect(
    pipe: impl Read + Send + 'static,
    max_bytes: u64,
) -> io::Result<Receiver<io::Result<Vec<u8>>>> {
    let (sender, receiver) = mpsc::channel();
    Builder::new().spawn(move || {
        let mut bytes = Vec::new();
        let mut pipe = pipe.take(max_bytes.saturating_add(1));
        let read = pipe.read_to_end(&mut bytes).map(|_| bytes);
        // After a timeout there is no receiver any more.
        let _ = sender.send(read);
        // The rest is read and discarded, so that the program does not block.
        let _ = io::copy(&mut pipe.into_inner(), &mut io::sink());
    })?;
    Ok(receiver)
}

/// Returns the message of a thread; an error if it does not arrive before `end`.
fn receive<T>(receiver: &Receiver<T>, end: Option<Instant>) -> Result<T, RecvTimeoutError> {
    match end {
        Some(end) => receiver.recv_timeout(end.saturating_duration_since(Instant::now())),
        None => receiver.recv().map_err(|_| RecvTimeoutError::Disconnected),
    }
}
