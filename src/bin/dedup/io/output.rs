//! The only way to write to standard output and to the output files that the user names.

mod earlier;
mod files;
mod folder;
mod pages;
mod temporary;
mod together;

use std::borrow::Cow;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, ErrorKind, IsTerminal, Write};
use std::path::{Path, PathBuf};
#[cfg(unix)]
use std::sync::{Arc, atomic::AtomicBool};

use anstream::{AutoStream, ColorChoice};
use anyhow::Context;
use dedup_text::display::inert;
use dedup_text::display::{hides, visible};
use dedup_text::text::display_path;
use tempfile::{NamedTempFile, PersistError};

use super::disk::{canonical, folder_of};
use crate::diagnostics::{Diagnostic, hint_for_unwritten};
use crate::model::Color;
use crate::model::rendered::Syntax;
use crate::progress;

pub(crate) use earlier::page_version;
pub(crate) use files::{OutputFiles, check_file, check_file_name, text};
pub(crate) use folder::{check_new, write_in, write_tree};
pub(crate) use pages::{check_folder, check_key, check_page, write_folder};
pub(crate) use temporary::warn_of_leftovers;
use temporary::{flush, flush_folder, half_written, temp_file_next_to};
pub(crate) use together::{Sink, check_writable, write_together};

/// Whether the reader of standard output still reads.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum PipeReader {
    Reads,
    /// The reader has closed its end of the pipe.
    HasEnough,
}

/// Writes a complete answer, without its colours if they are not wanted. A closed pipe is not an
/// error: its reader has read enough.
pub(crate) fn write(answer: &str, color: Color) -> anyhow::Result<()> {
    reported(try_write(answer, color))
}

/// Returns a text answer in the form for a file: without colours.
pub(crate) fn plain(answer: &str) -> String {
    inert::text(&anstream::adapter::strip_str(answer).to_string()).into_owned()
}

/// Writes a complete answer that programs read, which `write` produces piece by piece. If standard
/// output is a terminal, characters that would move the cursor or change the writing direction are
/// escaped by their code points.
pub(crate) fn write_for_programs(
    syntax: Syntax,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> anyhow::Result<()> {
    if !io::stdout().is_terminal() {
        return write_by(write);
    }
    let mut bytes = Vec::new();
    write(&mut bytes)?;
    write_text(&on_terminal(syntax, &String::from_utf8_lossy(&bytes)))
}

/// Escapes an answer that programs read for display on a terminal.
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

/// Writes lines that programs read, escaped on a terminal as by [`write_for_programs`]. If standard output
/// is a file, the progress line stays on the terminal.
pub(crate) fn write_lines(syntax: Syntax, lines: &str) -> anyhow::Result<PipeReader> {
    let lines = if io::stdout().is_terminal() {
        Cow::Owned(on_terminal(syntax, lines))
    } else {
        Cow::Borrowed(lines)
    };
    let output = duplicate().inspect(|output| {
        if !is_file(output) {
            progress::clear();
        }
    });
    let written = output.and_then(|mut output| {
        output.write_all(lines.as_bytes())?;
        output.flush()
    });
    match written {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(PipeReader::HasEnough),
        written => reported(written).map(|()| PipeReader::Reads),
    }
}

/// Writes a text byte for byte, without escaping anything.
pub(crate) fn write_text(text: &str) -> anyhow::Result<()> {
    write_by(|output| output.write_all(text.as_bytes()))
}

/// Same as [`write_text`], but `write` produces the answer piece by piece.
pub(crate) fn write_by(write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> anyhow::Result<()> {
    reported(standard_output().and_then(|output| {
        let mut output = BufWriter::new(output);
        write(&mut output)?;
        output.flush()
    }))
}

fn reported(written: io::Result<()>) -> anyhow::Result<()> {
    unless_closed(written).context("standard output: cannot be written")
}

fn try_write(answer: &str, color: Color) -> io::Result<()> {
    let output = standard_output()?;
    let choice = match color {
        Color::Auto => AutoStream::choice(&output),
        Color::Always => ColorChoice::Always,
        Color::Never => ColorChoice::Never,
    };
    // With the colours removed, another character may come first on a line.
    let answer = match choice {
        ColorChoice::Never => Cow::Owned(plain(answer)),
        _ => inert::text(answer),
    };
    let mut stream = AutoStream::new(output, choice);
    stream.write_all(answer.as_bytes())?;
    stream.flush()
}

/// Removes the progress line from the terminal and returns standard output.
fn standard_output() -> io::Result<Output> {
    progress::clear();
    duplicate()
}

// Standard output, depending on the platform. WASI can neither duplicate descriptors nor report the
// size of a terminal.

/// Standard output as a file. The handle of `std` ignores all output, without an error, if standard
/// output is not open for writing; but an answer must not be lost silently.
#[cfg(not(target_os = "wasi"))]
type Output = File;

/// Standard output as the handle of `std`.
#[cfg(target_os = "wasi")]
type Output = io::Stdout;

#[cfg(unix)]
fn duplicate() -> io::Result<Output> {
    use std::os::fd::AsFd;
    Ok(File::from(io::stdout().as_fd().try_clone_to_owned()?))
}

/// Duplicates the handle of standard output.
#[cfg(windows)]
fn duplicate() -> io::Result<Output> {
    use std::os::windows::io::AsHandle;
    Ok(File::from(io::stdout().as_handle().try_clone_to_owned()?))
}

#[cfg(target_os = "wasi")]
#[expect(clippy::unnecessary_wraps, reason = "as where there are duplicates")]
fn duplicate() -> io::Result<Output> {
    Ok(io::stdout())
}

/// Reports whether standard output is a regular file. Windows has no metadata of pipes and
/// terminals, which are not.
#[cfg(not(target_os = "wasi"))]
fn is_file(output: &Output) -> bool {
    output.metadata().is_ok_and(|known| known.is_file())
}

/// Returns `true`: there is no progress line that must be removed first.
#[cfg(target_os = "wasi")]
fn is_file(_: &Output) -> bool {
    true
}

// An output file: it is written completely or not at all.
//
// It is written to a temporary file in the same folder, which is flushed to the disk and then
// renamed.

/// The destination that an output path names.
enum Target {
    /// Standard output.
    Output,
    /// Something other than a regular file: a pipe or a device.
    Stream,
    /// A regular file, or a path where nothing exists yet.
    File(PathBuf),
}

/// Returns the error for a file that cannot be written.
fn unwritable(path: &Path, source: io::Error) -> Diagnostic {
    let hint = hint_for_unwritten(&source);
    Diagnostic::new(format!("{}: cannot be written", display_path(path))).hint(hint).source(source)
}

/// Checks that the folder of an output file exists.
fn check_parent(path: &Path) -> Result<(), Diagnostic> {
    if folder_of(path).is_dir() {
        return Ok(());
    }
    Err(unwritable(path, no_such_folder(ErrorKind::NotFound.into())))
}

/// The paths that mean standard output.
const OUTPUT: [&str; 4] = ["-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"];

/// Writes a file. If the file is a pipe, it is not an error that the reader closes the pipe.
pub(crate) fn write_file(path: &Path, content: &str) -> Result<(), Diagnostic> {
    write_file_by(path, |file| file.write_all(content.as_bytes()))
}

/// Same as [`write_file`], but `write` produces the content piece by piece.
pub(crate) fn write_file_by(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), Diagnostic> {
    write_for(Audience::Umask, path, write)
}

/// Same as [`write_file`], but an error of `check`, which is called last, leaves the file as it was.
pub(crate) fn write_file_if(
    path: &Path,
    content: &str,
    check: impl FnOnce() -> Result<(), Diagnostic>,
) -> anyhow::Result<()> {
    let Target::File(target) = target(path) else { return Ok(write_file(path, content)?) };
    let unwritten = |source| unwritable(path, source);
    let mut file = temp_file_next_to(&target, Audience::Umask).map_err(unwritten)?;
    // Errors of the file itself must not contain its temporary path.
    file.as_file_mut().write_all(content.as_bytes()).map_err(unwritten)?;
    flush(file.as_file()).map_err(unwritten)?;
    check()?;
    Ok(named(file, &target, |file, path| file.persist(path)).map_err(unwritten)?)
}

/// Writes the key of an anonymous report. It contains names of persons, so only its owner may read
/// it.
///
/// # Errors
///
/// Returns a [`Diagnostic`] if the path exists and is not an earlier key, or if the key cannot be
/// written.
pub(crate) fn write_key(path: &Path, content: &str) -> Result<(), Diagnostic> {
    check_key(path)?;
    write_for(Audience::Owner, path, |file| file.write_all(content.as_bytes()))
}

/// The users who may read a new file.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Audience {
    /// Everyone that the umask permits.
    Umask,
    Owner,
}

fn write_for(
    audience: Audience,
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), Diagnostic> {
    let written = match target(path) {
        Target::Output => standard_output().and_then(|mut it| unless_closed(write(&mut it))),
        Target::Stream => {
            let stream = OpenOptions::new().append(true).open(path);
            stream.and_then(|mut it| unless_closed(write(&mut it)))
        }
        Target::File(path) => replace(&path, audience, write),
    };
    written.map_err(|source| unwritable(path, source))
}

/// Turns the error of a closed pipe into success: its reader has read enough.
fn unless_closed(written: io::Result<()>) -> io::Result<()> {
    match written {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        written => written,
    }
}

/// Appends a paragraph to a file that other programs also write to.
pub(crate) fn append_to_file(path: &Path, content: &str) -> Result<(), Diagnostic> {
    let file = OpenOptions::new().append(true).create(true).open(path);
    let written = file.and_then(|mut file| file.write_all(format!("\n{content}").as_bytes()));
    written.map_err(|source| unwritable(path, source))
}

/// Reports whether a path means standard output.
pub(crate) fn is_output(path: &Path) -> bool {
    OUTPUT.iter().any(|name| path == Path::new(name))
}

fn target(path: &Path) -> Target {
    if is_output(path) {
        return Target::Output;
    }
    if cfg!(windows) && is_device(path) {
        return Target::Stream;
    }
    match fs::metadata(path) {
        Ok(known) if known.is_file() && !is_of_the_system(path) => {
            // The link is kept; the file that it points to is replaced.
            Target::File(canonical(path))
        }
        Ok(_) => Target::Stream,
        // Links that lead in a circle cannot be opened, which is reported then.
        Err(_) => behind_links(path).map_or(Target::Stream, Target::File),
    }
}

/// The largest number of links that are followed, as on Linux.
const MAX_LINKS: usize = 40;

/// Returns the path to which a symbolic link leads, even if there is no file yet; a path that is
/// not a link is returned unchanged. `None` if there are too many links.
fn behind_links(path: &Path) -> Option<PathBuf> {
    let mut path = path.to_owned();
    for _ in 0..MAX_LINKS {
        let Ok(to) = fs::read_link(&path) else { return Some(path) };
        path = folder_of(&path).join(to);
    }
    None
}

/// Reports whether Windows reserves a file name for a device in every folder. No file can be
/// renamed to such a name.
fn is_device(path: &Path) -> bool {
    let Some(name) = path.file_name().and_then(|name| name.to_str()) else { return false };
    let name = name.to_ascii_uppercase();
    let port = name.strip_prefix("COM").or_else(|| name.strip_prefix("LPT"));
    let is_port = port.is_some_and(|port| matches!(port.as_bytes(), [b'1'..=b'9']));
    is_port || ["CON", "PRN", "AUX", "NUL"].contains(&&*name)
}

/// Reports whether a path is in `/dev` or `/proc`. Files there can be names of descriptors, and
/// nothing can be renamed there.
fn is_of_the_system(path: &Path) -> bool {
    let folder = path.parent().and_then(|folder| fs::canonicalize(folder).ok());
    folder.is_some_and(|folder| ["/dev", "/proc"].iter().any(|system| folder.starts_with(system)))
}

/// Sets the permissions of a new file: those of the file that it replaces, otherwise those of its
/// audience.
#[cfg(unix)]
fn give_mode(options: &mut OpenOptions, path: &Path, audience: Audience) {
    use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
    let new = match audience {
        Audience::Umask => 0o666,
        Audience::Owner => 0o600,
    };
    let mode = fs::metadata(path).map_or(new, |known| known.permissions().mode() & 0o777);
    options.mode(mode);
}

/// Does nothing: without Unix modes, a file gets its permissions from its folder.
#[cfg(not(unix))]
fn give_mode(_: &mut OpenOptions, _: &Path, _: Audience) {}

/// Writes a temporary file next to the path, then renames it to the path.
fn replace(
    path: &Path,
    audience: Audience,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    let mut file = temp_file_next_to(path, audience)?;
    write(file.as_file_mut())?;
    named(file, path, |file, path| file.persist(path))
}

/// Returns an error that says that the folder is missing, if nothing could be created in it for
/// that reason. Any other error is returned unchanged.
fn no_such_folder(error: io::Error) -> io::Error {
    match error.kind() {
        kind @ ErrorKind::NotFound => io::Error::new(kind, "no such folder"),
        _ => error,
    }
}

/// Flushes a complete temporary file to the disk, and renames it to `path` with `persist`.
fn named(
    file: NamedTempFile,
    path: &Path,
    persist: impl FnOnce(NamedTempFile, &Path) -> Result<File, PersistError>,
) -> io::Result<()> {
    flush(file.as_file())?;
    let temporary = file.path().to_owned();
    let mut half = half_written();
    let renamed = persist(file, path).map_err(|lost| lost.error);
    half.retain(|path| *path != temporary);
    renamed.and_then(|_| flush_folder(folder_of(path)))
}

/// The file that may exist at a path before another is written there.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Before {
    /// Nothing.
    Nothing,
    /// An earlier file, which is replaced.
    Earlier,
}

/// Passes `write` a temporary file in which it may seek, and renames the file once `write` is done.
///
/// # Errors
///
/// Returns the errors of `write`, or a [`Diagnostic`] if the file cannot be created or renamed.
pub(crate) fn write_at_places(
    path: &Path,
    before: Before,
    write: impl FnOnce(File) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let unwritten = |source| unwritable(path, source);
    let file = temp_file_next_to(path, Audience::Umask).map_err(unwritten)?;
    write(file.as_file().try_clone().map_err(unwritten)?)?;
    let named = named(file, path, |file, path| match before {
        Before::Nothing => file.persist_noclobber(path),
        Before::Earlier => file.persist(path),
    });
    Ok(named.map_err(unwritten)?)
}

/// Makes a write beyond the limit of `ulimit -f` fail with an error. By default, SIGXFSZ would end
/// the program and leave its temporary files.
#[cfg(unix)]
pub(crate) fn catch_file_size_signal() -> io::Result<()> {
    use signal_hook::consts::SIGXFSZ;
    signal_hook::flag::register(SIGXFSZ, Arc::new(AtomicBool::new(false))).map(drop)
}

/// Does nothing: only Unix has signals.
#[cfg(not(unix))]
#[expect(clippy::unnecessary_wraps, reason = "as on Unix")]
pub(crate) fn catch_file_size_signal() -> io::Result<()> {
    Ok(())
}

// The width of the answer, and the number of lines on the screen.

/// The number of columns and lines if there is no terminal and the environment does not set them.
const DEFAULT_SIZE: [usize; 2] = [80, 24];

/// Returns the columns and lines of the screen: `COLUMNS` and `LINES` if they are set, otherwise
/// those of the terminal on standard output.
pub(crate) fn size() -> [usize; 2] {
    let of_terminal = terminal_size();
    let given = ["COLUMNS", "LINES"].map(|name| typed(std::env::var(name).ok().as_deref()));
    [0, 1].map(|at| {
        given[at].or(Some(of_terminal[at]).filter(|it| *it > 0)).unwrap_or(DEFAULT_SIZE[at])
    })
}

/// Returns the columns and lines of the terminal on standard output; zeros if it is not a terminal.
#[cfg(not(target_os = "wasi"))]
fn terminal_size() -> [usize; 2] {
    let terminal = terminal_size::terminal_size_of(io::stdout());
    terminal.map_or([0, 0], |(width, height)| [width.0, height.0].map(usize::from))
}

#[cfg(target_os = "wasi")]
fn terminal_size() -> [usize; 2] {
    [0, 0]
}

/// Parses the value of `COLUMNS` or `LINES`. Returns `None` if it is not set or not a positive
/// number.
fn typed(columns: Option<&str>) -> Option<usize> {
    columns?.trim().parse().ok().filter(|columns| *columns > 0)
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

#[cfg(test)]
mod file_tests {
    use super::*;

    #[test]
    fn some_names_are_devices_on_windows() {
        #[rustfmt::skip]
        let table = [
            ("what swallows all",  "NUL",            true),
            ("in small letters",   "some/where/nul", true),
            ("a port",             "COM1",           true),
            ("no such port",       "COM0",           false),
            ("a longer name",      "lpt10",          false),
            ("a name around it",   "console",        false),
            ("with an ending",     "nul.json",       false),
            ("a folder",           "..",             false),
        ];
        for (why, path, want) in table {
            assert_eq!(is_device(Path::new(path)), want, "{why}");
        }
    }
}

#[cfg(test)]
mod screen_tests {
    use super::*;

    #[test]
    fn columns_are_a_number_above_zero() {
        #[rustfmt::skip]
        let table = [
            ("not set",   None,          None),
            ("a number",  Some("132"),   Some(132)),
            ("spaces",    Some(" 60 "),  Some(60)),
            ("nothing",   Some(""),      None),
            ("zero",      Some("0"),     None),
            ("no number", Some("wide"),  None),
            ("negative",  Some("-80"),   None),
            ("too many",  Some("99999999999999999999"), None),
        ];
        for (why, columns, want) in table {
            assert_eq!(typed(columns), want, "{why}");
        }
    }
}
