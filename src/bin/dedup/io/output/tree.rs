//! A new folder of files: it is there whole, or not at all.

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::Path;

use dedup_text::text::display_path;
use tempfile::Builder;

use super::{cause_of, half_written, remove_when_stopped, unwritable};
use crate::diagnostics::Diagnostic;
use crate::io::disk::folder_of;

/// Checks that no file and no folder is at a name, so that nothing is overwritten.
///
/// # Errors
///
/// [`Diagnostic`] where something is.
pub(crate) fn check_new(flag: &str, path: &Path) -> Result<(), Diagnostic> {
    if !path.is_file() && !path.is_dir() {
        return Ok(());
    }
    let path = display_path(path);
    Err(Diagnostic::new(format!("{flag} {path}: is there already, expected a new name"))
        .hint("nothing is overwritten; name another one, or move it away"))
}

/// Writes a new folder beside its name, and renames it. `write` is given where it stands meanwhile.
///
/// # Errors
///
/// Those of `write`, and where the folder cannot be made or named.
pub(crate) fn write_tree(
    path: &Path,
    write: impl FnOnce(&Path) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let unwritten = |source| unwritable(path, source);
    remove_when_stopped().map_err(unwritten)?;
    let mut half = half_written();
    let mut builder = Builder::new();
    builder.prefix(".dedup-").suffix(".tmp");
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o777));
    let beside = builder.tempdir_in(folder_of(path)).map_err(cause_of).map_err(unwritten)?;
    half.push(beside.path().to_owned());
    drop(half);
    let written = write(beside.path());
    // With the lock held no signal comes before the name.
    let mut half = half_written();
    let renamed = written.and_then(|()| {
        check_new("--output", path)?;
        Ok(fs::rename(beside.path(), path).map_err(unwritten)?)
    });
    if renamed.is_ok() {
        let _ = beside.keep(); // it goes by its own name now
    }
    half.clear();
    renamed
}

/// Writes a file in such a folder, and the folders that it is in.
///
/// # Errors
///
/// [`Diagnostic`] where it cannot be written, or is there, by the name that it is to have.
pub(crate) fn write_in(
    folder: &Path,
    inner: &Path,
    bytes: &[u8],
    name: &Path,
) -> Result<(), Diagnostic> {
    let file = folder.join(inner);
    // With the lock held no signal has the folder removed while something is put into it.
    let _half = half_written();
    let written = fs::create_dir_all(folder_of(&file))
        .and_then(|()| OpenOptions::new().write(true).create_new(true).open(&file))
        .and_then(|mut file| file.write_all(bytes));
    written.map_err(|source| unwritable(&name.join(inner), source))
}
