//! The only way to standard output, and to files that are asked for.

mod file;
mod folder;
mod earlier;
mod planned;
mod spool;

use std::fs::File;
use std::io::{self, ErrorKind, Write};

use anstream::{AutoStream, ColorChoice};
use anyhow::Context;

use crate::flags::{Color, Format};
use crate::progress;
pub(crate) use file::{Unwritable, append_to_file, is_output, write_file, write_file_by};
pub(crate) use folder::{Occupied, check_folder, write_folder};
pub(crate) use planned::{OutputFiles, text};
pub(crate) use spool::{Spool, Whole};

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

/// Writes a whole answer in a format: only the text has colours, and in the others what looks
/// like one is part of a name.
pub(crate) fn write_as(format: Format, answer: &str, color: Color) -> anyhow::Result<()> {
    if format == Format::Text { write(answer, color) } else { write_text(answer) }
}

/// An answer without its colours.
pub(crate) fn uncolored(answer: &str) -> String {
    anstream::adapter::strip_str(answer).to_string()
}

/// Writes lines byte for byte, whatever they hold.
pub(crate) fn write_lines(lines: &str) -> anyhow::Result<Reader> {
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
