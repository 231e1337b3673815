//! A new folder of files: it is created completely or not at all.

use std::fs;
use std::path::Path;

use dedup_text::text::display_path;

use super::temporary::{flush_all, temp_folder_next_to, write_new};
use super::{check_parent, unwritable};
use crate::diagnostics::Diagnostic;

/// Checks that there is no file or folder at the path of `--output`, so that nothing is overwritten,
/// and that the folder that it is in exists.
///
/// # Errors
///
/// Returns a [`Diagnostic`] if there is a file or folder, or no folder to write to.
pub(crate) fn check_new(path: &Path) -> Result<(), Diagnostic> {
    if !path.is_file() && !path.is_dir() {
        return check_parent(path);
    }
    let path = display_path(path);
    Err(Diagnostic::new(format!("--output {path}: already exists, expected a new name"))
        .hint("nothing is overwritten; choose another name, or move it away")
        .flags(["output"]))
}

/// Writes a new folder: `write` fills a temporary folder, whose path it gets; the folder is then
/// renamed to `path`.
///
/// # Errors
///
/// Returns the errors of `write`, or a [`Diagnostic`] if the folder cannot be created or renamed.
pub(crate) fn write_tree(
    path: &Path,
    write: impl FnOnce(&Path) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let unwritten = |source| unwritable(path, source);
    let temporary = temp_folder_next_to(path).map_err(unwritten)?;
    write(temporary.folder.path())?;
    flush_all(temporary.folder.path()).map_err(unwritten)?;
    check_new(path)?;
    Ok(temporary.put_at(path, |new, _| fs::rename(new, path)).map_err(unwritten)?)
}

/// Writes a new file in the folder of [`write_tree`], and creates the folders that it is in.
///
/// # Errors
///
/// Returns a [`Diagnostic`] if the file cannot be written or exists already. The diagnostic names
/// the final path of the file, which is below `name`.
pub(crate) fn write_in(
    folder: &Path,
    inner: &Path,
    bytes: &[u8],
    name: &Path,
) -> Result<(), Diagnostic> {
    let written = write_new(&folder.join(inner), bytes);
    written.map_err(|source| unwritable(&name.join(inner), source))
}
