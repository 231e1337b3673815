//! A PDF → its text, through poppler's `pdftotext`.
//!
//! Goes in: the bytes of a PDF. Comes out: its lines as they stand on its pages, headers and
//! footers of pages included: nothing in a PDF tells them from its text. Letters in a PDF lie
//! where they are to be seen; what makes words and lines of them is a program of its own, that
//! is found on the search path, is fed through a pipe and is ended when it takes too long.

mod program;

use std::io;
use std::process::{Command, ExitStatus};

use super::{Bounds, Extracted, Refusal};
use program::Outcome;

const KIND: &str = "PDF";
const PROGRAM: &str = "pdftotext";

/// The most characters of the program's complaint that are passed on.
const LONGEST_COMPLAINT: usize = 200;

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
    let outcome = program::run(command, bytes, bounds.unpacked, bounds.time);
    match outcome {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            Err(Refusal::NoProgram { kind: KIND, program: PROGRAM })
        }
        Err(source) => Err(Refusal::ProgramFailed { kind: KIND, program: PROGRAM, source }),
        Ok(Outcome::TooLarge { most }) => Err(Refusal::TooLarge { most }),
        Ok(Outcome::TooSlow { time }) => {
            Err(Refusal::TooSlow { program: PROGRAM, seconds: time.as_secs() })
        }
        // Whatever it complains of then, fonts and the like: most PDFs give it some reason.
        Ok(Outcome::Ended { status, output, .. }) if status.success() => page_text(output),
        Ok(Outcome::Ended { status, complaints, .. }) => Err(refused(status, &complaints)),
    }
}

/// The text that the program wrote, where it holds any.
fn page_text(output: Vec<u8>) -> Result<Extracted, Refusal> {
    let text = String::from_utf8(output)
        .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned());
    if !text.contains(char::is_alphanumeric) {
        return Err(Refusal::OnlyPictures { kind: KIND });
    }
    let content = text.replace('\u{c}', "\n"); // between pages
    Ok(Extracted { content, ..Extracted::default() })
}

/// What the program's end and its complaints mean (poppler's manual, "Exit codes").
fn refused(status: ExitStatus, complaints: &str) -> Refusal {
    const NOT_PERMITTED: i32 = 3;
    if complaints.contains("Incorrect password") || status.code() == Some(NOT_PERMITTED) {
        return Refusal::Locked { kind: KIND };
    }
    let first = complaints.lines().map(str::trim).find(|line| !line.is_empty());
    let found = match first {
        Some(line) => line.chars().filter(|it| !it.is_control()).take(LONGEST_COMPLAINT).collect(),
        None => format!("{PROGRAM} gave up on it"),
    };
    Refusal::Damaged { kind: KIND, found }
}

#[cfg(test)]
mod tests;
