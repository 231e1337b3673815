//! A folder → the files in it that may be texts.

use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::fs::FileType;
use std::io;
use std::path::{MAIN_SEPARATOR, Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use dedup_text::text::display_path;
use ignore::{DirEntry, Walk, WalkBuilder};

use crate::diagnostics::Diagnostic;
use crate::io::inputs::source::Skip;

/// What is found in a folder.
#[derive(Debug)]
pub(crate) enum Entry {
    File(PathBuf),
    Skipped(Skip, PathBuf),
    /// A folder whose files cannot be listed, or not all of them.
    Lost(PathBuf, Diagnostic),
}

/// What is in the way of a walk.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Gitignore {
    /// What a `.gitignore` says is passed over, in a repository or not.
    Heeded,
    /// No file says what is passed over.
    Unheeded,
}

impl Entry {
    /// Where it is.
    pub(crate) fn path(&self) -> &Path {
        match self {
            Self::File(path) | Self::Skipped(_, path) | Self::Lost(path, _) => path,
        }
    }
}

/// Walks a folder, by the bytes of the paths.
pub(crate) fn walk(folder: &Path, gitignore: Gitignore) -> Vec<Entry> {
    let hidden = Arc::new(Mutex::new(BTreeSet::new()));
    let mut entries: Vec<Entry> = walker(folder, gitignore, Arc::clone(&hidden))
        .filter_map(|found| match found {
            Ok(entry) => classify(entry),
            Err(error) => Some(unreadable(folder, error)),
        })
        .collect();
    let hidden = std::mem::take(&mut *hidden.lock().unwrap_or_else(PoisonError::into_inner));
    entries.extend(hidden.into_iter().map(|path| Entry::Skipped(Skip::Hidden, path)));
    entries.sort_by(|one, other| {
        in_order(bytes_of(one.path()), bytes_of(other.path()), MAIN_SEPARATOR)
    });
    entries
}

/// The bytes of a path, its parts joined by `/` where that is how they are joined.
fn bytes_of(path: &Path) -> &[u8] {
    path.as_os_str().as_encoded_bytes()
}

/// The order of two paths by their bytes, as if slashes parted them: the same on every system.
fn in_order(one: &[u8], other: &[u8], separator: char) -> Ordering {
    let slashed = |byte: &u8| if char::from(*byte) == separator { b'/' } else { *byte };
    one.iter().map(slashed).cmp(other.iter().map(slashed))
}

/// A walk that notes what is hidden, and goes into none of it.
fn walker(folder: &Path, gitignore: Gitignore, hidden: Arc<Mutex<BTreeSet<PathBuf>>>) -> Walk {
    let mut builder = WalkBuilder::new(folder);
    builder
        .standard_filters(false)
        .follow_links(false)
        .git_ignore(gitignore == Gitignore::Heeded)
        .parents(gitignore == Gitignore::Heeded)
        .require_git(false)
        .filter_entry(move |entry| {
            let is_hidden =
                entry.depth() > 0 && bytes_of(Path::new(entry.file_name())).starts_with(b".");
            if is_hidden {
                let mut hidden = hidden.lock().unwrap_or_else(PoisonError::into_inner);
                hidden.insert(entry.path().to_owned());
            }
            !is_hidden
        })
        .build()
}

/// What an entry of a folder is; none for a folder, or for a link to the one that is walked.
fn classify(entry: DirEntry) -> Option<Entry> {
    if entry.depth() == 0 {
        return None;
    }
    let kind = entry.file_type();
    let path = entry.into_path();
    let is = |test: fn(&FileType) -> bool| kind.as_ref().is_some_and(test);
    if is(FileType::is_dir) {
        None
    } else if is(FileType::is_symlink) {
        Some(Entry::Skipped(Skip::Link, path))
    } else if is(FileType::is_file) {
        Some(Entry::File(path))
    } else {
        Some(Entry::Skipped(Skip::Special, path))
    }
}

/// What could not be listed: the folder that the walk was in, as far as it says.
fn unreadable(folder: &Path, error: ignore::Error) -> Entry {
    let path = path_of(&error).unwrap_or(folder).to_owned();
    let message = error.to_string();
    let source = error.into_io_error().unwrap_or_else(|| io::Error::other(message));
    let name = display_path(&path);
    let diagnostic =
        Diagnostic::new(format!("{name}: cannot be listed, wanted a folder that may be read"))
            .kind("folder")
            .hint("check that it is there and may be read")
            .source(source);
    Entry::Lost(path, diagnostic)
}

fn path_of(error: &ignore::Error) -> Option<&Path> {
    match error {
        ignore::Error::WithPath { path, .. } => Some(path),
        ignore::Error::WithDepth { err, .. } | ignore::Error::WithLineNumber { err, .. } => {
            path_of(err)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_stand_in_one_order_on_every_system() {
        #[rustfmt::skip]
        let table = [
            ("the same",               r"a\b", r"a\b",   Ordering::Equal),
            ("a full stop goes first", r"a.b", r"a\b",   Ordering::Less),
            ("a letter behind",        r"aB",  r"a\b",   Ordering::Greater),
            ("what begins another",    r"a",   r"a\b",   Ordering::Less),
        ];
        for (why, one, other, want) in table {
            assert_eq!(in_order(one.as_bytes(), other.as_bytes(), '\\'), want, "{why}");
            let [one, other] = [one, other].map(|path| path.replace('\\', "/"));
            assert_eq!(in_order(one.as_bytes(), other.as_bytes(), '/'), want, "{why}, slashes");
        }
    }
}
