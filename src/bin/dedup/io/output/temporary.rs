//! The temporary files and folders from which outputs are renamed.
//!
//! A signal that stops the program removes them. A run that is killed leaves them behind; as it
//! locks them, later runs recognize them by the missing lock, and name them.

use std::collections::HashSet;
use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};

use dedup_text::text::display_path;
use tempfile::{Builder, NamedTempFile, TempDir};

use super::{Audience, give_mode, no_such_folder};
use crate::diagnostics::{self, MAX_SHOWN, note_more};
use crate::io::disk::{FileId, folder_of};

/// The beginning of the name of a temporary file.
const BEGINNING: &str = ".dedup-";

/// The end of the name of a temporary file or folder.
const TEMPORARY: &str = ".tmp";

/// The end of the name of an earlier output that is set aside until the new one is complete.
pub(super) const EARLIER: &str = ".old";

/// The temporary files and folders that are being written.
static HALF_WRITTEN: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// Locks the list of the temporary files. While it is locked, no signal stops the program.
pub(super) fn half_written() -> MutexGuard<'static, Vec<PathBuf>> {
    lock(&HALF_WRITTEN)
}

fn lock<T>(value: &Mutex<T>) -> MutexGuard<'_, T> {
    value.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Creates a temporary file next to a path. It is removed if the program is stopped by a signal.
pub(super) fn temp_file_next_to(path: &Path, audience: Audience) -> io::Result<NamedTempFile> {
    prepare(folder_of(path))?;
    let mut options = OpenOptions::new();
    options.read(true).write(true).create_new(true);
    give_mode(&mut options, path, audience);
    let mut half = half_written();
    let file = Builder::new()
        .prefix(BEGINNING)
        .suffix(TEMPORARY)
        .make_in(folder_of(path), |name| options.open(name))
        .map_err(no_such_folder)?;
    hold(file.as_file());
    half.push(file.path().to_owned());
    Ok(file)
}

/// A temporary folder, which is removed when it is dropped.
pub(super) struct TempFolder {
    pub(super) folder: TempDir,
    /// The folder itself, which is open for its lock.
    _held: Option<File>,
}

impl TempFolder {
    /// Renames the folder to a path by `rename`, which gets its present path and the list of the
    /// temporary files.
    pub(super) fn put_at(
        self,
        path: &Path,
        rename: impl FnOnce(&Path, &mut Vec<PathBuf>) -> io::Result<()>,
    ) -> io::Result<()> {
        // The lock is held, so no signal removes the folder before it is renamed.
        let mut half = half_written();
        let renamed = rename(self.folder.path(), &mut half);
        if renamed.is_ok() {
            let _ = self.folder.keep(); // renamed: nothing is left to remove
        }
        half.clear();
        renamed.and_then(|()| flush_folder(folder_of(path)))
    }
}

/// Writes a new file in a temporary folder, and creates the folders that it is in. The lock is held,
/// so that a signal is handled only afterwards: no file is created in a folder that is being removed.
pub(super) fn write_new(path: &Path, content: &[u8]) -> io::Result<()> {
    let _half = half_written();
    fs::create_dir_all(folder_of(path))?;
    OpenOptions::new().write(true).create_new(true).open(path)?.write_all(content)
}

/// Creates a temporary folder next to a path. It is removed if the program is stopped by a signal.
pub(super) fn temp_folder_next_to(path: &Path) -> io::Result<TempFolder> {
    prepare(folder_of(path))?;
    let mut builder = Builder::new();
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o777));
    let mut half = half_written();
    // The error contains the name of the temporary folder, which the user did not choose.
    let folder = builder
        .prefix(BEGINNING)
        .suffix(TEMPORARY)
        .tempdir_in(folder_of(path))
        .map_err(|error| no_such_folder(error.kind().into()))?;
    half.push(folder.path().to_owned());
    let held = opened(folder.path()).inspect(hold);
    Ok(TempFolder { folder, _held: held })
}

/// Gives a file a second name next to it, or renames it where the file system has no hard links.
/// The new name is removed when it is dropped.
pub(super) fn set_aside(path: &Path) -> io::Result<NamedTempFile<Option<File>>> {
    let mut builder = Builder::new();
    builder.prefix(BEGINNING).suffix(EARLIER);
    let aside = |by: fn(&Path, &Path) -> io::Result<()>| {
        builder.make_in(folder_of(path), |name| by(path, name).map(|()| opened(name).inspect(hold)))
    };
    aside(|path, name| fs::hard_link(path, name))
        .or_else(|_| aside(|path, name| fs::rename(path, name)))
}

/// Prepares for temporary files in a folder.
fn prepare(folder: &Path) -> io::Result<()> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    warn_of_leftovers(entries.map(|entry| entry.path()));
    remove_when_stopped()
}

fn opened(path: &Path) -> Option<File> {
    OpenOptions::new().read(true).open(path).ok()
}

// What killed runs left behind.

/// Locks a temporary file or folder as long as it is open. On a file system without locks, nothing
/// is recognized as left behind.
fn hold(file: &File) {
    if cfg!(unix) {
        let _ = file.try_lock();
    }
}

/// Reports whether a path is that of a temporary file or folder whose run does not exist any more.
fn is_left_behind(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let is_ours =
        name.starts_with(BEGINNING) && [TEMPORARY, EARLIER].iter().any(|end| name.ends_with(end));
    is_ours
        && cfg!(unix)
        // Nothing else is opened: a pipe would be waited for.
        && fs::symlink_metadata(path).is_ok_and(|known| known.is_file() || known.is_dir())
        && opened(path).is_some_and(|file| file.try_lock().is_ok())
}

/// Prints a warning for what killed runs left behind among the given paths, once for each.
pub(crate) fn warn_of_leftovers(paths: impl Iterator<Item = impl AsRef<Path>>) {
    static NAMED: LazyLock<Mutex<HashSet<FileId>>> = LazyLock::new(Mutex::default);
    let mut named = lock(&NAMED);
    let left = paths.filter(|path| is_left_behind(path.as_ref()));
    let left = left.filter(|path| named.insert(FileId::new(path.as_ref())));
    let mut left: Vec<PathBuf> = left.map(|path| path.as_ref().to_owned()).collect();
    left.sort();
    for path in left.iter().take(MAX_SHOWN) {
        diagnostics::warn(&display_path(path), "left behind by a run that was stopped: remove it");
    }
    note_more(left.len(), |more| format!("{more} more like them"));
}

// Signals.

/// Makes the signals that stop the program remove the temporary files; the signal then ends the
/// program as usual. One thread waits for the signals, regardless of the number of files.
#[cfg(unix)]
fn remove_when_stopped() -> io::Result<()> {
    use signal_hook::iterator::Signals;
    use signal_hook::low_level::emulate_default_handler;
    static IS_WAITED: Mutex<bool> = Mutex::new(false);
    let mut is_waited = lock(&IS_WAITED);
    if *is_waited {
        return Ok(());
    }
    let mut signals = Signals::new(stopping_signals())?;
    std::thread::Builder::new().spawn(move || {
        for signal in signals.forever() {
            let half = half_written();
            for path in &*half {
                let _ = fs::remove_file(path).or_else(|_| fs::remove_dir_all(path));
            }
            let _ = emulate_default_handler(signal); // the lock is held: no file is renamed
        }
    })?;
    *is_waited = true;
    Ok(())
}

/// Does nothing: only Unix has signals.
#[cfg(not(unix))]
#[expect(clippy::unnecessary_wraps, reason = "as on Unix")]
fn remove_when_stopped() -> io::Result<()> {
    Ok(())
}

/// Returns the signals that stop the program, except those that it was started to ignore: `nohup`
/// ignores SIGHUP. Only Linux tells which these are; elsewhere, SIGHUP is left alone.
#[cfg(unix)]
fn stopping_signals() -> Vec<i32> {
    use signal_hook::consts::{
        SIGALRM, SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2, SIGXCPU,
    };
    let status = crate::io::disk::head(Path::new("/proc/self/status"), 1 << 16).unwrap_or_default();
    let status = String::from_utf8_lossy(&status);
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let ignored = ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    let ignored = ignored.unwrap_or(1 << (SIGHUP - 1));
    [SIGALRM, SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2, SIGXCPU]
        .into_iter()
        .filter(|signal| ignored >> (signal - 1) & 1 == 0)
        .collect()
}

// Flushing to the disk, so that no output is empty or incomplete after a power failure.

/// Flushes a file to the disk, if its file system can.
pub(super) fn flush(file: &File) -> io::Result<()> {
    match file.sync_all() {
        Err(error) if matches!(error.kind(), ErrorKind::InvalidInput | ErrorKind::Unsupported) => {
            Ok(())
        }
        flushed => flushed,
    }
}

/// Flushes the names in a folder to the disk. Only Unix opens folders, and only those that may be
/// read.
pub(super) fn flush_folder(folder: &Path) -> io::Result<()> {
    opened(folder).filter(|_| cfg!(unix)).map_or(Ok(()), |folder| flush(&folder))
}

/// Flushes all files below a folder to the disk.
pub(super) fn flush_all(folder: &Path) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            flush_all(&entry.path())?;
        } else if let Some(file) = opened(&entry.path()) {
            flush(&file)?;
        }
    }
    flush_folder(folder)
}
