//! Which file a path names, however it is spelled.
//!
//! Another spelling, a symbolic link, on Unix a hard link, and other case where the file system
//! ignores it: they all name one file. Inputs and outputs are told apart by this alone.

use std::fs::{self, Metadata};
use std::path::{Path, PathBuf};

/// The identity of a file: equal for two paths that name one file.
#[derive(Clone, Debug, Eq, Hash, PartialEq)]
pub(crate) enum FileId {
    /// The device and the number of a file that exists.
    #[cfg(unix)]
    Inode(u64, u64),
    /// The canonical path; where there is no file, that of its folder with its name.
    Path(PathBuf),
}

impl FileId {
    /// The file that a path names, links followed; `-` is standard input.
    pub(crate) fn of(path: &Path) -> Self {
        Self::with(path, metadata(path).as_ref())
    }

    /// The same where the metadata are known.
    #[cfg(unix)]
    pub(crate) fn with(path: &Path, known: Option<&Metadata>) -> Self {
        use std::os::unix::fs::MetadataExt;
        known.map_or_else(|| Self::Path(canonical(path)), |it| Self::Inode(it.dev(), it.ino()))
    }

    /// The same where the metadata are known.
    #[cfg(not(unix))]
    pub(crate) fn with(path: &Path, _: Option<&Metadata>) -> Self {
        Self::Path(canonical(path))
    }
}

/// What is known of the file that a path names; `-` is standard input.
pub(crate) fn metadata(path: &Path) -> Option<Metadata> {
    let is_input = cfg!(unix) && path == Path::new("-");
    fs::metadata(if is_input { Path::new("/dev/stdin") } else { path }).ok()
}

/// The canonical path, as far as there is one.
pub(crate) fn canonical(path: &Path) -> PathBuf {
    let in_its_folder = || {
        let folder = fs::canonicalize(folder_of(path)).ok()?;
        Some(folder.join(path.file_name()?))
    };
    fs::canonicalize(path).ok().or_else(in_its_folder).unwrap_or_else(|| path.to_owned())
}

/// The folder that a path is in.
pub(crate) fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| *folder != Path::new("")).unwrap_or(Path::new("."))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_file_has_one_identity_however_it_is_spelled() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::create_dir(at("sub")).unwrap();
        fs::write(at("a"), "kettle").unwrap();
        fs::write(at("copy"), "kettle").unwrap();
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink("a", at("link")).unwrap();
            std::os::unix::fs::symlink("sub", at("way")).unwrap();
            fs::hard_link(at("a"), at("hard")).unwrap();
        }
        #[rustfmt::skip]
        let table = [
            ("the same path",            "a",        "a",         true),
            ("another spelling",         "a",        "sub/../a",  true),
            ("the same bytes",           "a",        "copy",      false),
            ("a symbolic link",          "a",        "link",      cfg!(unix)),
            ("a link to its folder",     "a",        "way/../a",  true),
            ("a hard link",              "a",        "hard",      cfg!(unix)),
            ("a file and its folder",    "a",        "",          false),
            ("neither exists",           "new",      "sub/../new", true),
            ("two that do not exist",    "new",      "other",     false),
            ("one that does not",        "a",        "new",       false),
            ("in a folder that is not",  "no/new",   "no/new",    true),
        ];
        for (why, one, other, want) in table {
            assert_eq!(FileId::of(&at(one)) == FileId::of(&at(other)), want, "{why}");
            assert_eq!(
                FileId::of(&at(other)) == FileId::of(&at(one)),
                want,
                "{why}, the other way"
            );
        }
    }
}
