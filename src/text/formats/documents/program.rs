//! A document → what a program of its own makes of it, within bounds.
//!
//! Goes in: a command, a document, and how much and how long it may write. Comes out: what it wrote
//! and how it ended. The document goes in by a pipe, so that no name of a file is an argument, and
//! the text comes out by another; no pipe blocks another, and however this ends, so does the program.
//! The module knows no kind of document.

use std::io::{self, Read, Write};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread::{self, Builder};
use std::time::{Duration, Instant};

use super::{Bounds, Refusal};

/// The most characters of a program's message that are passed on.
const LONGEST_MESSAGE: usize = 200;

/// What a program is called, and what it reads.
#[derive(Clone, Copy, Debug)]
pub(super) struct Program {
    /// Its name, as it is found on the search path.
    pub(super) name: &'static str,
    /// The kind of document, with its article.
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
    /// The command that runs it, whatever the locale is.
    pub(super) fn command(self, arguments: &[&str]) -> Command {
        let mut command = Command::new(self.name);
        command.args(arguments).env("LC_ALL", "C");
        command
    }

    /// Reads a document by a command that runs this.
    ///
    /// # Errors
    ///
    /// A [`Refusal`] where the program is not there, cannot be run, or is not done within bounds.
    pub(super) fn read(
        self,
        command: &mut Command,
        document: &[u8],
        bounds: &Bounds,
    ) -> Result<ProgramOutput, Refusal> {
        let (kind, program) = (self.reads, self.name);
        match run(command, document, bounds.unpacked, bounds.time) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                Err(Refusal::NoProgram { kind, program })
            }
            // So std says where a system runs no other programs, such as WASI.
            Err(error) if error.kind() == io::ErrorKind::Unsupported => {
                Err(Refusal::NoPrograms { kind, program })
            }
            Err(source) => Err(Refusal::ProgramFailed { kind, program, source }),
            Ok(Outcome::TooLarge { most }) => Err(Refusal::TooLarge { most }),
            Ok(Outcome::TooSlow { time }) => {
                Err(Refusal::TooSlow { program, seconds: time.as_secs() })
            }
            Ok(Outcome::Ended(output)) => Ok(output),
        }
    }
}

impl ProgramOutput {
    /// What it wrote, as text; bytes that are not UTF-8 are replaced.
    pub(super) fn text(self) -> String {
        String::from_utf8(self.stdout)
            .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
    }

    /// The first line of standard error, [cleaned].
    pub(super) fn first_message(&self) -> Option<String> {
        self.stderr.lines().map(cleaned).find(|line| !line.is_empty())
    }
}

/// A message without control characters, of bounded length.
pub(super) fn cleaned(line: &str) -> String {
    line.trim().chars().filter(|it| !it.is_control()).take(LONGEST_MESSAGE).collect()
}

/// The most bytes of standard error that are kept.
const MOST_STDERR: u64 = 64 * 1024;

/// How often the end of a program is looked for that has closed its output.
const GLANCE: Duration = Duration::from_millis(5);

/// The longest that standard error is waited for after the program's end: what it started itself
/// may hold on to the pipe.
const LAST_WORDS: Duration = Duration::from_millis(500);

/// How a program ended.
enum Outcome {
    /// By itself.
    Ended(ProgramOutput),
    /// It wrote more than `most` bytes, and was ended.
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
fn run(
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
    let stderr = child.stderr.take().map(|pipe| collect(pipe, MOST_STDERR)).transpose()?;
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
    let stderr = stderr.and_then(|stderr| receive(&stderr, last).ok()?.ok());
    let stderr = String::from_utf8_lossy(&stderr.unwrap_or_default()).into_owned();
    Ok(Outcome::Ended(ProgramOutput { status, stdout: output, stderr }))
}

/// Reads a pipe to its end on a thread of its own, up to one byte more than `most`.
fn collect(
    pipe: impl Read + Send + 'static,
    most: u64,
) -> io::Result<Receiver<io::Result<Vec<u8>>>> {
    let (sender, receiver) = mpsc::channel();
    Builder::new().spawn(move || {
        let mut bytes = Vec::new();
        let mut pipe = pipe.take(most.saturating_add(1));
        let read = pipe.read_to_end(&mut bytes).map(|_| bytes);
        // No one listens any more where there was no time.
        let _ = sender.send(read);
        // What is too much is read all the same, so that the program does not wait.
        let _ = io::copy(&mut pipe.into_inner(), &mut io::sink());
    })?;
    Ok(receiver)
}

/// What a thread says, if it does so before the end.
fn receive<T>(receiver: &Receiver<T>, end: Option<Instant>) -> Result<T, RecvTimeoutError> {
    match end {
        Some(end) => receiver.recv_timeout(end.saturating_duration_since(Instant::now())),
        None => receiver.recv().map_err(|_| RecvTimeoutError::Disconnected),
    }
}
