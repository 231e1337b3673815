//! A folder of pages: it is written completely or not at all.
//!
//! It is written to a temporary folder next to its path, which is then renamed. Nothing is deleted
//! except an earlier report, and that only if everything in it was written by `dedup`.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use dedup_text::text::display_path;

use super::earlier::is_earlier_output;
use super::temporary::{EARLIER, flush_all, temp_folder_next_to, write_new};
use super::unwritable;
use crate::diagnostics::Diagnostic;
use crate::io::disk;
use crate::model::KEY_HEADER;

/// The name of the file that marks a folder as a report of `dedup`.
const MARKER: &str = ".dedup-report";

/// The name of the page that the user opens first.
const INDEX: &str = "index.html";

/// The name of the folder of the pages that [`INDEX`] links to.
const PAGES: &str = "pairs";

const WANTED: &str = "a new folder, an empty one or an earlier report";

/// A folder of pages that is being written.
pub(crate) struct Folder {
    path: PathBuf,
}

impl Folder {
    /// Writes the page that the user opens first.
    pub(crate) fn write_index(&self, content: &str) -> io::Result<()> {
        write_new(&self.path.join(INDEX), content.as_bytes())
    }

    /// Writes one of the pages that [`INDEX`] links to.
    pub(crate) fn write_page(&self, name: &str, content: &str) -> io::Result<()> {
        write_new(&self.path.join(PAGES).join(name), content.as_bytes())
    }
}

/// Checks that a folder may be written to this path.
///
/// # Errors
///
/// Returns a [`Diagnostic`] if the path exists and is neither an empty folder nor an earlier
/// report.
pub(crate) fn check_folder(path: &Path) -> Result<(), Diagnostic> {
    let occupied = |found| {
        let message = format!("{}: {found}, expected {WANTED}", display_path(path));
        let hint = "name another folder, or one page, such as report.html";
        Err(Diagnostic::new(message).hint(hint))
    };
    match fs::metadata(path) {
        Ok(known) if !known.is_dir() => occupied("is a file"),
        Ok(_) if !is_ours(path) => occupied("is a folder with other files"),
        _ => Ok(()),
    }
}

/// Checks that the key of an anonymous report may be written: the file that maps the names in the
/// report to texts. Nothing except an earlier key is replaced, not even an empty file or another
/// output of `dedup`.
///
/// # Errors
///
/// Returns a [`Diagnostic`] if the path exists and is not an earlier key.
pub(crate) fn check_key(path: &Path) -> Result<(), Diagnostic> {
    let is_key = || {
        let head = disk::head(path, KEY_HEADER.len() as u64);
        path.is_file() && head.is_ok_and(|head| head == KEY_HEADER.as_bytes())
    };
    if fs::symlink_metadata(path).is_err() || is_key() {
        return Ok(());
    }
    let path = display_path(path);
    Err(Diagnostic::new(format!(
        "{path}: exists and is not a key, expected a new file or an earlier key"
    ))
    .hint("--anonymous writes the key there; move the file away, or name another report")
    .flags(["anonymous"]))
}

/// Checks that the page that compares texts in a browser may be written to this path.
///
/// # Errors
///
/// Returns a [`Diagnostic`] if the path is a folder, or a file that is neither empty nor an earlier
/// output of `dedup`.
pub(crate) fn check_page(path: &Path) -> Result<(), Diagnostic> {
    let name = display_path(path);
    let (found, hint) = match fs::metadata(path) {
        Ok(known) if known.is_dir() => (
            "is a folder",
            format!("name a file in it: {}", display_path(&path.join("dedup.html"))),
        ),
        Ok(known) if known.is_file() && !is_earlier_output(path) => (
            "exists and is not an output of dedup",
            "name another file, or move this one away".to_owned(),
        ),
        _ => return Ok(()),
    };
    let wanted = "expected a new file, an empty one or an earlier page";
    Err(Diagnostic::new(format!("{name}: {found}, {wanted}")).hint(hint))
}

/// Writes a folder of pages.
///
/// # Errors
///
/// Returns a [`Diagnostic`] if the path exists and is neither an empty folder nor an earlier
/// report, or if the folder cannot be written.
pub(crate) fn write_folder(
    path: &Path,
    write: impl FnOnce(&Folder) -> io::Result<()>,
) -> Result<(), Diagnostic> {
    check_folder(path)?;
    replace(path, write).map_err(|source| unwritable(path, source))
}

/// Returns the paths of all entries that are replaced together with a folder.
pub(super) fn files_in(folder: &Path) -> Vec<PathBuf> {
    let paths = |folder: &Path| {
        let entries = fs::read_dir(folder).into_iter().flatten().flatten();
        entries.map(|entry| entry.path()).collect::<Vec<_>>()
    };
    [folder, &folder.join(PAGES)].into_iter().flat_map(paths).collect()
}

/// Reports whether a folder is empty, or contains only the files of an earlier report.
fn is_ours(folder: &Path) -> bool {
    let Some(names) = listed(folder) else { return false };
    let is_page = |(name, is_folder): &(String, bool)| {
        let number = name.strip_suffix(".html").unwrap_or_default();
        let is_numbered = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
        !is_folder && is_numbered && is_earlier_output(&folder.join(PAGES).join(name))
    };
    let is_own = |(name, is_folder): &(String, bool)| match name.as_str() {
        MARKER => !is_folder,
        INDEX => !is_folder && is_earlier_output(&folder.join(INDEX)),
        PAGES => {
            *is_folder && listed(&folder.join(PAGES)).is_some_and(|pages| pages.iter().all(is_page))
        }
        _ => false,
    };
    let is_marked = names.iter().any(|(name, _)| name == MARKER);
    names.is_empty() || (is_marked && names.iter().all(is_own))
}

/// Returns the names of the entries of a folder, each with whether it is a folder; `None` if one of
/// them cannot be read.
fn listed(folder: &Path) -> Option<Vec<(String, bool)>> {
    let entry = |entry: io::Result<fs::DirEntry>| {
        let entry = entry.ok()?;
        Some((entry.file_name().into_string().ok()?, entry.file_type().ok()?.is_dir()))
    };
    fs::read_dir(folder).ok()?.map(entry).collect()
}

/// Writes a temporary folder next to the path, then renames it. If the path is a link, the link is
/// kept.
fn replace(path: &Path, write: impl FnOnce(&Folder) -> io::Result<()>) -> io::Result<()> {
    let known = fs::canonicalize(path).ok();
    let path = known.as_deref().unwrap_or(path);
    let temporary = temp_folder_next_to(path)?;
    let folder = Folder { path: temporary.folder.path().to_owned() };
    fs::create_dir(folder.path.join(PAGES))?;
    write(&folder)?;
    let marker = b"An earlier report of dedup; the next one takes its place.\n";
    write_new(&folder.path.join(MARKER), marker)?;
    flush_all(&folder.path)?;
    temporary.put_at(path, |new, half| take_place(new, path, half))
}

/// Renames a folder to a path, and deletes the earlier report there.
fn take_place(new: &Path, path: &Path, half: &mut Vec<PathBuf>) -> io::Result<()> {
    match fs::rename(new, path) {
        Err(_) if path.is_dir() && is_ours(path) => {} // it is not empty
        renamed => return renamed,
    }
    let mut old = new.to_owned();
    if exchange(new, path).is_err() {
        old.set_extension(&EARLIER[1..]);
        fs::rename(path, &old)?;
        if let Err(error) = fs::rename(new, path) {
            return fs::rename(&old, path).and(Err(error));
        }
        // A signal from here on removes the old folder: the new one is already at its path.
        half.push(old.clone());
    }
    fs::remove_dir_all(&old).map_err(|error| undeleted(&old, &error))
}

/// Exchanges two folders at once, so that there is one at both paths at any time.
#[cfg(any(target_os = "linux", target_os = "macos"))]
fn exchange(one: &Path, other: &Path) -> io::Result<()> {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    Ok(renameat_with(CWD, one, CWD, other, RenameFlags::EXCHANGE)?)
}

/// Fails: there is no such call.
#[cfg(not(any(target_os = "linux", target_os = "macos")))]
fn exchange(_: &Path, _: &Path) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

/// Returns an error that names the earlier folder, which stays; the new report is at its path
/// already.
fn undeleted(old: &Path, error: &io::Error) -> io::Error {
    let old = display_path(old);
    io::Error::other(format!(
        "the new one is complete, but the earlier one cannot be deleted from {old}: {error}"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(entries: &[&str]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for entry in entries {
            let path = folder.path().join(entry);
            if entry.ends_with('/') {
                fs::create_dir_all(path).unwrap();
            } else {
                fs::create_dir_all(path.parent().unwrap()).unwrap();
                fs::write(path, "").unwrap();
            }
        }
        folder
    }

    #[test]
    fn nothing_is_ours_that_has_anything_else() {
        #[rustfmt::skip]
        let table: &[(&str, &[&str], bool)] = &[
            ("an empty folder",     &[],                                                     true),
            ("an earlier report",   &[".dedup-report", "index.html", "pairs/0001.html"],     true),
            ("without a pair",      &[".dedup-report", "index.html", "pairs/"],              true),
            ("without a mark",      &["index.html", "pairs/0001.html"],                      false),
            ("a file more",         &[".dedup-report", "index.html", "pairs/", "notes.txt"], false),
            ("a hidden file more",  &[".dedup-report", "index.html", "pairs/", ".git/x"],    false),
            ("a page more",         &[".dedup-report", "index.html", "pairs/mine.html"],     false),
            ("without a number",    &[".dedup-report", "index.html", "pairs/.html"],         false),
            ("a folder for a page", &[".dedup-report", "index.html", "pairs/0001.html/"],    false),
            ("a file for a folder", &[".dedup-report", "index.html", "pairs"],               false),
            ("a folder of texts",   &["a.txt"],                                              false),
        ];
        for (why, entries, want) in table {
            let folder = with(entries);
            assert_eq!(is_ours(folder.path()), *want, "{why}");
            assert_eq!(check_folder(folder.path()).is_ok(), *want, "{why}");
        }
    }

    #[test]
    fn a_folder_is_there_whole_or_not_at_all() {
        let outer = tempfile::tempdir().unwrap();
        let path = outer.path().join("report");
        let list = |folder: &Path| {
            let mut names: Vec<String> =
                listed(folder).unwrap().into_iter().map(|(name, _)| name).collect();
            names.sort();
            names
        };
        let one = |folder: &Folder| {
            folder.write_index("")?;
            folder.write_page("0001.html", "")
        };
        write_folder(&path, one).unwrap();
        assert_eq!(list(&path), [".dedup-report", "index.html", "pairs"]);
        assert_eq!(list(&path.join("pairs")), ["0001.html"]);
        // An error halfway leaves the earlier folder as it was.
        let half = |folder: &Folder| folder.write_index("").and(Err(io::Error::other("made up")));
        assert!(write_folder(&path, half).is_err());
        assert_eq!(
            (list(outer.path()), list(&path.join("pairs"))),
            (vec!["report".to_owned()], vec!["0001.html".to_owned()])
        );
        write_folder(&path, |folder| folder.write_index("")).unwrap();
        assert_eq!(
            (list(outer.path()), list(&path.join("pairs"))),
            (vec!["report".to_owned()], vec![])
        );
        fs::write(path.join("notes.txt"), "").unwrap();
        let error = write_folder(&path, one).unwrap_err().to_string();
        let want = "is a folder with other files, expected a new folder, an empty one or an \
                    earlier report";
        assert_eq!(error, format!("{}: {want}", path.display()));
        assert_eq!(list(&path), [".dedup-report", "index.html", "notes.txt", "pairs"]);
    }
}
