//! The only way to standard output, and to files that are asked for.

mod file;
mod folder;
mod earlier;
mod planned;
mod spool;

use std::borrow::Cow;
use std::fs::File;
use std::io::{self, ErrorKind, IsTerminal, Write};

use anstream::{AutoStream, ColorChoice};
use anyhow::Context;
use clap::ValueEnum;

use crate::inert;
use crate::progress;
use crate::words::{hides, visible};
pub(crate) use file::{append_to_file, is_output, write_file, write_file_by};
pub(crate) use folder::{check_folder, write_folder};
pub(crate) use planned::{OutputFiles, text};
pub(crate) use spool::{Spool, Whole};

/// Whether the answer has colours.
#[derive(Clone, Copy, Debug, Eq, PartialEq, ValueEnum)]
pub(crate) enum Color {
    Auto,
    Always,
    Never,
}

/// What an answer for programs is written in.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Syntax {
    Json,
    Other,
}

/// Whether whoever reads the answer goes on reading.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Reader {
    Reads,
    /// The pipe is closed at its other end.
    HasEnough,
}

/// Writes a whole answer, its colours left out where they are not wanted. A pipe that
/// is closed at its other end is no trouble: whoever closed it has read enough.
pub(crate) fn write(answer: &str, color: Color) -> anyhow::Result<()> {
    told(try_write(answer, color))
}

/// A text answer as it stands in a file: without its colours.
pub(crate) fn plain(answer: &str) -> String {
    inert::text(&anstream::adapter::strip_str(answer).to_string()).into_owned()
}

/// Writes a whole answer for programs. On a terminal, where no program reads it, what would move
/// the cursor or turn the direction of writing is written by its number.
pub(crate) fn write_whole(syntax: Syntax, whole: Whole) -> anyhow::Result<()> {
    if !io::stdout().is_terminal() {
        return write_by(|output| whole.write_to(output));
    }
    let mut bytes = Vec::new();
    whole.write_to(&mut bytes)?;
    write_text(&on_terminal(syntax, &String::from_utf8_lossy(&bytes)))
}

/// What a format for programs says, for a person at a terminal.
fn on_terminal(syntax: Syntax, answer: &str) -> String {
    let shown = |letter: char| match letter {
        '\n' | '\t' => letter.to_string(),
        letter if hides(letter) && syntax == Syntax::Json => {
            format!("\\u{:04x}", u32::from(letter))
        }
        letter => visible(letter.encode_utf8(&mut [0; 4])),
    };
    answer.chars().map(shown).collect()
}

/// Writes lines for programs, as [`write_whole`] does.
pub(crate) fn write_lines(syntax: Syntax, lines: &str) -> anyhow::Result<Reader> {
    let lines = if io::stdout().is_terminal() {
        Cow::Owned(on_terminal(syntax, lines))
    } else {
        Cow::Borrowed(lines)
    };
    match standard_output().and_then(|mut output| output.write_all(lines.as_bytes())) {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(Reader::HasEnough),
        written => told(written).map(|()| Reader::Reads),
    }
}

/// Writes a text byte for byte, whatever it holds.
pub(crate) fn write_text(text: &str) -> anyhow::Result<()> {
    write_by(|output| output.write_all(text.as_bytes()))
}

/// Writes an answer part by part, as [`write_text`] does.
pub(crate) fn write_by(write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> anyhow::Result<()> {
    told(standard_output().and_then(|mut output| write(&mut output)))
}

fn told(written: io::Result<()>) -> anyhow::Result<()> {
    match written {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(error).context("standard output: cannot be written")
        }
        _ => Ok(()),
    }
}

fn try_write(answer: &str, color: Color) -> io::Result<()> {
    let output = standard_output()?;
    let choice = match color {
        Color::Auto => AutoStream::choice(&output),
        Color::Always => ColorChoice::Always,
        Color::Never => ColorChoice::Never,
    };
    // Colours that are left out may have stood before what a line begins with.
    let answer = match choice {
        ColorChoice::Never => Cow::Owned(plain(answer)),
        _ => inert::text(answer),
    };
    let mut stream = AutoStream::new(output, choice);
    stream.write_all(answer.as_bytes())?;
    stream.flush()
}

/// Standard output as a file, behind what a terminal shows of a run.
fn standard_output() -> io::Result<File> {
    progress::clear();
    duplicate_of_output()
}

/// Standard output as a file: std's own handle takes one that may not be written for
/// one that swallows everything, and an answer must not be lost in silence.
#[cfg(unix)]
fn duplicate_of_output() -> io::Result<File> {
    use std::os::fd::AsFd;
    Ok(File::from(io::stdout().as_fd().try_clone_to_owned()?))
}

/// The same by its Windows name.
#[cfg(windows)]
fn duplicate_of_output() -> io::Result<File> {
    use std::os::windows::io::AsHandle;
    Ok(File::from(io::stdout().as_handle().try_clone_to_owned()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn on_a_terminal_nothing_hides_in_an_answer_for_programs() {
        #[rustfmt::skip]
        let table = [
            ("plain",    Syntax::Other,  "a\tb é\n",             "a\tb é\n"),
            ("a name",   Syntax::Other,  "a\u{1b}[2J\u{202e}\r\n", "a\\u{1b}[2J\\u{202e}\\u{d}\n"),
            ("NUL",      Syntax::Other, "a\0b\0",               "a\\u{0}b\\u{0}"),
            ("a cell",   Syntax::Other,            "\"a\nb\u{9b}\",c\n",    "\"a\nb\\u{9b}\",c\n"),
            ("a string", Syntax::Json,   "\"\u{202e}\u{feff}\"\n", "\"\\u202e\\ufeff\"\n"),
        ];
        for (why, syntax, answer, want) in table {
            assert_eq!(on_terminal(syntax, answer), want, "{why}");
        }
    }

    #[test]
    fn colours_hide_no_command() {
        assert_eq!(plain("\u{1b}[36m::error::x\u{1b}[0m\n"), "\\u{3a}:error::x\n");
        assert_eq!(plain("#\u{1b}[1m#[x]"), "\\u{23}#[x]");
    }
}
