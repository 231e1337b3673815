//! A PDF → its text, through poppler's `pdftotext`.
//!
//! Goes in: the bytes of a PDF. Comes out: its lines as they stand on its pages, headers and
//! footers of pages included: nothing in a PDF parts them from its text. Letters in a PDF lie
//! where they are to be seen; what makes words and lines of them is a program of its own, that
//! is found on the search path, is fed through a pipe and is ended when it takes too long.

use std::io::{self, Read, Write};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread::{self, Builder};
use std::time::{Duration, Instant};

use super::{Bounds, Extracted, Refusal};

const KIND: &str = "PDF";
const PROGRAM: &str = "pdftotext";

/// The most characters of the program's complaint that are passed on.
const LONGEST_COMPLAINT: usize = 200;

/// Complaints that are distinguished and counted, at most.
const MOST_TOLD_APART: usize = 100;

/// Reads the text of a PDF.
///
/// # Errors
///
/// A [`Refusal`] where it cannot be had; [`Refusal::OnlyPictures`] where there is not one
/// letter or digit, as in a PDF of scanned pages.
pub(crate) fn text(bytes: &[u8], bounds: &Bounds) -> Result<Extracted, Refusal> {
    let mut command = Command::new(PROGRAM);
    // Both dashes are pipes: the PDF goes in, the text comes out. No locale has a say.
    command.args(["-enc", "UTF-8", "-", "-"]).env("LC_ALL", "C");
    read(&mut command, bytes, bounds)
}

/// Reads the text of a PDF through a program.
fn read(command: &mut Command, bytes: &[u8], bounds: &Bounds) -> Result<Extracted, Refusal> {
    let outcome = run(command, bytes, bounds.unpacked, bounds.time);
    match outcome {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            Err(Refusal::NoProgram { kind: KIND, program: PROGRAM })
        }
        Err(source) => Err(Refusal::ProgramFailed { kind: KIND, program: PROGRAM, source }),
        Ok(Outcome::TooLarge { most }) => Err(Refusal::TooLarge { most }),
        Ok(Outcome::TooSlow { time }) => {
            Err(Refusal::TooSlow { program: PROGRAM, seconds: time.as_secs() })
        }
        Ok(Outcome::Ended { status, output, complaints }) if status.success() => {
            page_text(output, &complaints)
        }
        Ok(Outcome::Ended { status, complaints, .. }) => Err(refused(status, &complaints)),
    }
}

/// The text that the program wrote, where it holds any, and what it complains of. A page without
/// a letter or digit is missing where it complains of damage: it skips what it cannot read, and
/// ends as if nothing was wrong.
fn page_text(output: Vec<u8>, complaints: &str) -> Result<Extracted, Refusal> {
    let text = String::from_utf8(output)
        .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned());
    let complaints = Complaints::new(complaints);
    if let Some(damage) = &complaints.damage {
        let missing = complaints.missing_page.clone().or_else(|| empty_page(&text));
        if let Some(page) = missing {
            let found = format!("{page} has no text; {PROGRAM} says: {damage}");
            return Err(Refusal::Damaged { kind: KIND, found });
        }
    }
    if !text.contains(char::is_alphanumeric) {
        return Err(Refusal::OnlyPictures { kind: KIND });
    }
    let content = text.replace(END_OF_PAGE, "\n");
    Ok(Extracted { content, damage: complaints.summary(), ..Extracted::default() })
}

/// What the program writes behind each page.
const END_OF_PAGE: char = '\u{c}';

/// The first page without a letter or digit.
fn empty_page(text: &str) -> Option<String> {
    let pages = text.strip_suffix(END_OF_PAGE).unwrap_or(text).split(END_OF_PAGE);
    let empty = |page: &str| !page.contains(char::is_alphanumeric);
    pages.zip(1..).find(|(page, _)| empty(page)).map(|(_, number)| format!("page {number}"))
}

/// What the program complains of, though it gave a text.
#[derive(Debug, Default)]
struct Complaints {
    /// The first.
    first: Option<String>,
    /// How many different ones there are.
    count: usize,
    /// The first that some of the text may be missing for.
    damage: Option<String>,
    /// The page that it says is missing.
    missing_page: Option<String>,
}

/// What a complaint is about that leaves no text out: how letters look, layers and links. Many
/// sound PDFs give reason for such.
const HARMLESS: [&str; 5] = ["font", "optional content", "color", "annotation", "destination"];

/// What is about letters and leaves them out all the same.
const HARMFUL: &str = "no font in";

impl Complaints {
    /// Of what the program wrote on standard error, without what it calls warnings itself.
    fn new(written: &str) -> Self {
        let mut all: Vec<String> = Vec::new();
        let mut complaints = Self::default();
        for line in written.lines().map(cleaned) {
            if line.is_empty() || line.starts_with("Syntax Warning") || all.contains(&line) {
                continue;
            }
            let small = line.to_ascii_lowercase();
            let is_harmless = HARMLESS.into_iter().any(|what| small.contains(what));
            if !is_harmless || small.contains(HARMFUL) {
                complaints.damage.get_or_insert_with(|| line.clone());
            }
            // "Kid object (page 2) is wrong type (null)": such a page is not even written empty.
            if let Some(page) =
                line.split_once("Kid object (page ").and_then(|(_, it)| it.split_once(')'))
            {
                complaints.missing_page.get_or_insert_with(|| format!("page {}", page.0));
            }
            if all.len() < MOST_TOLD_APART {
                all.push(line);
            }
        }
        complaints.count = all.len();
        complaints.first = all.into_iter().next();
        complaints
    }

    /// All of them in a line; none where there are none.
    fn summary(&self) -> Option<String> {
        let first = self.damage.as_ref().or(self.first.as_ref())?;
        let more = match self.count {
            0 | 1 => String::new(),
            count if count >= MOST_TOLD_APART => format!(", and {} or more others", count - 1),
            count => format!(", and {} more", count - 1),
        };
        Some(format!("some of its text may be missing; {PROGRAM} says: {first}{more}"))
    }
}

/// What the program's end and its complaints mean (poppler's manual, "Exit codes").
fn refused(status: ExitStatus, complaints: &str) -> Refusal {
    const NOT_PERMITTED: i32 = 3;
    if complaints.contains("Incorrect password") || status.code() == Some(NOT_PERMITTED) {
        return Refusal::Locked { kind: KIND };
    }
    let first = complaints.lines().map(cleaned).find(|line| !line.is_empty());
    let found = first.unwrap_or_else(|| format!("{PROGRAM} gave up on it"));
    Refusal::Damaged { kind: KIND, found }
}

/// A complaint as it is passed on.
fn cleaned(line: &str) -> String {
    line.trim().chars().filter(|it| !it.is_control()).take(LONGEST_COMPLAINT).collect()
}

// A program that reads bytes and writes others, within bounds.
//
// Goes in: a command, what it reads, and how much and how long it may write. Comes out: what
// it wrote and how it ended. No pipe blocks another, and however this ends, so does the
// program.

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
    let (tell, rendered) = mpsc::channel();
    Builder::new().spawn(move || {
        let mut bytes = Vec::new();
        let mut pipe = pipe.take(most.saturating_add(1));
        let read = pipe.read_to_end(&mut bytes).map(|_| bytes);
        // No one listens any more where there was no time.
        let _ = tell.send(read);
        // What is too much is read all the same, so that the program does not wait.
        let _ = io::copy(&mut pipe.into_inner(), &mut io::sink());
    })?;
    Ok(rendered)
}

/// What a thread says, if it does so before the end.
fn receive<T>(rendered: &Receiver<T>, end: Option<Instant>) -> Result<T, RecvTimeoutError> {
    match end {
        Some(end) => rendered.recv_timeout(end.saturating_duration_since(Instant::now())),
        None => rendered.recv().map_err(|_| RecvTimeoutError::Disconnected),
    }
}

#[cfg(test)]
mod tests;
