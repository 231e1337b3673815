//! A file that was asked for: whole, or as if nothing had been.
//!
//! It is written beside its place under another name and then renamed. Whoever stops the
//! program while it writes finds neither of them.

use std::fs::{self, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use dedup_text::text::display_path;
use tempfile::Builder;

use super::standard_output;
use crate::diagnostics::Diagnostic;
use crate::io::identity::folder_of;

/// A file as it is to be written.
enum Target {
    /// Standard output.
    Output,
    /// What is no regular file: a pipe, a device.
    Stream,
    /// A regular file, or a name that is free.
    File(PathBuf),
}

/// The error for a file that cannot be written.
pub(super) fn unwritable(path: &Path, source: io::Error) -> Diagnostic {
    Diagnostic::new(format!("{}: cannot be written", display_path(path)))
        .hint("check that its folder is there and may be written to")
        .source(source)
}

/// The names of standard output.
const OUTPUT: [&str; 4] = ["-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"];

/// The file or folder that is half written; none at other times.
static HALF_WRITTEN: Mutex<Option<PathBuf>> = Mutex::new(None);

/// Writes a file for its owner alone. A pipe that is closed at its other end is no trouble.
pub(crate) fn write_file(path: &Path, content: &str) -> Result<(), Diagnostic> {
    write_file_by(path, |file| file.write_all(content.as_bytes()))
}

/// Writes a file part by part, as [`write_file`] does.
pub(crate) fn write_file_by(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), Diagnostic> {
    let written = target(path).and_then(|target| match target {
        Target::Output => unless_closed(write(&mut standard_output()?)),
        Target::Stream => unless_closed(write(&mut OpenOptions::new().append(true).open(path)?)),
        Target::File(path) => replace(&path, write),
    });
    written.map_err(|source| unwritable(path, source))
}

/// What was written to a pipe: whoever closed it has read enough.
fn unless_closed(written: io::Result<()>) -> io::Result<()> {
    match written {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        written => written,
    }
}

/// Adds a paragraph to a file that others write to, too.
pub(crate) fn append_to_file(path: &Path, content: &str) -> Result<(), Diagnostic> {
    let file = OpenOptions::new().append(true).create(true).open(path);
    let written = file.and_then(|mut file| file.write_all(format!("\n{content}").as_bytes()));
    written.map_err(|source| unwritable(path, source))
}

/// Whether a name is one of standard output.
pub(crate) fn is_output(path: &Path) -> bool {
    OUTPUT.iter().any(|name| path == Path::new(name))
}

fn target(path: &Path) -> io::Result<Target> {
    if is_output(path) {
        return Ok(Target::Output);
    }
    if cfg!(windows) && is_device(path) {
        return Ok(Target::Stream);
    }
    match fs::metadata(path) {
        Ok(known) if known.is_file() && !is_of_the_system(path) => {
            // A link stays a link.
            fs::canonicalize(path).map(Target::File)
        }
        Ok(_) => Ok(Target::Stream),
        Err(_) => Ok(Target::File(path.to_owned())),
    }
}

/// Whether a name is one that Windows keeps for a device in every folder: no file can be renamed
/// to it.
fn is_device(path: &Path) -> bool {
    let Some(name) = path.file_name().and_then(|name| name.to_str()) else { return false };
    let name = name.to_ascii_uppercase();
    let port = name.strip_prefix("COM").or_else(|| name.strip_prefix("LPT"));
    let is_port = port.is_some_and(|port| matches!(port.as_bytes(), [b'1'..=b'9']));
    is_port || ["CON", "PRN", "AUX", "NUL"].contains(&&*name)
}

/// Whether a name is in a folder of the system, where there are descriptors under the
/// names of files and nothing can be renamed.
fn is_of_the_system(path: &Path) -> bool {
    let folder = path.parent().and_then(|folder| fs::canonicalize(folder).ok());
    folder.is_some_and(|folder| ["/dev", "/proc"].iter().any(|system| folder.starts_with(system)))
}

/// Writes beside a name, with mode 0600 where there are modes, and renames.
fn replace(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    remove_when_stopped()?;
    let mut half = half_written();
    let mut file = Builder::new()
        .prefix(".dedup-")
        .suffix(".tmp")
        .tempfile_in(folder_of(path))
        .map_err(|error| without_its_name(&error))?;
    *half = Some(file.path().to_owned());
    drop(half);
    let written = write(&mut file);
    let mut half = half_written();
    let renamed = written.and_then(|()| file.persist(path).map(drop).map_err(|lost| lost.error));
    *half = None;
    renamed
}

/// An error without the name of the file beside, which nobody asked for.
pub(super) fn without_its_name(error: &io::Error) -> io::Error {
    let told = error.to_string();
    let told = told.split(" at path ").next().unwrap_or_default();
    match error.kind() {
        ErrorKind::NotFound => io::Error::new(ErrorKind::NotFound, "no such folder"),
        kind => io::Error::new(kind, told),
    }
}

pub(super) fn half_written() -> MutexGuard<'static, Option<PathBuf>> {
    HALF_WRITTEN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Has what is half written removed when SIGINT or SIGTERM comes, which then ends the
/// program as ever. One thread waits for them, however many files are written.
#[cfg(unix)]
pub(super) fn remove_when_stopped() -> io::Result<()> {
    use signal_hook::consts::{SIGINT, SIGTERM};
    use signal_hook::low_level::emulate_default_handler;
    static IS_WAITED: Mutex<bool> = Mutex::new(false);
    let mut is_waited = IS_WAITED.lock().unwrap_or_else(PoisonError::into_inner);
    if *is_waited {
        return Ok(());
    }
    let mut signals = signal_hook::iterator::Signals::new([SIGINT, SIGTERM])?;
    std::thread::Builder::new().spawn(move || {
        for signal in signals.forever() {
            let half = half_written();
            if let Some(path) = &*half {
                let _ = fs::remove_file(path).or_else(|_| fs::remove_dir_all(path));
            }
            let _ = emulate_default_handler(signal); // with the lock held: nothing is renamed now
        }
    })?;
    *is_waited = true;
    Ok(())
}

/// Signals are of Unix.
#[cfg(not(unix))]
#[expect(clippy::unnecessary_wraps, reason = "as on Unix")]
pub(super) fn remove_when_stopped() -> io::Result<()> {
    Ok(())
}

#[cfg(test)]
mod tests {
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
