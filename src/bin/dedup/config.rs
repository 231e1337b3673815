//! The settings file `dedup.toml`, which sets flags for all runs.
//!
//! Input: the tree of commands with their flags, as clap knows them, and the command line. Output:
//! the flags of the command line, with the settings of the file as their default values. This
//! module lists no settings: every long flag is a setting, except those that apply to a single run.

mod merge;
mod page;
#[cfg(test)]
pub(crate) mod schema_tests;

use std::borrow::Cow;
use std::fs::{self, OpenOptions};
use std::io::{self, ErrorKind, Read};
use std::ops::Range;
use std::path::{Path, PathBuf};

use dedup_text::text::{ReadTextError, display_path};
use toml::de::{DeTable, DeValue};

use crate::diagnostics::{self, Diagnostic};

pub(crate) use merge::{Merged, merge};
pub(crate) use page::{SCHEMA, SetLine, page, set_lines};

/// The settings file of a run, and the settings in it that take effect.
#[derive(Clone, Debug)]
pub(crate) struct Settings {
    file: PathBuf,
    /// The keys of the settings that take effect, each with its line number, from 1.
    lines: Vec<(String, usize)>,
}

impl Settings {
    /// Returns the path of the file.
    pub(crate) fn file(&self) -> &Path {
        &self.file
    }

    /// Returns the name of the file, relative to the working folder.
    pub(crate) fn name(&self) -> Cow<'_, str> {
        display_path(&self.file)
    }

    /// Reports whether the file sets a flag and the command line does not override it.
    pub(crate) fn sets(&self, flag: &str) -> bool {
        self.place(flag).is_some()
    }

    /// Returns the place where the file sets a flag, as `dedup.toml:3`.
    ///
    /// `None` if the file does not set it, or if the command line overrides it.
    fn place(&self, flag: &str) -> Option<String> {
        let (_, line) = self.lines.iter().find(|(name, _)| name == flag)?;
        Some(format!("{}:{line}", self.name()))
    }

    /// Adds to the hint of an error the places where the file sets the [flags](diagnostics::flags)
    /// that the error is about. The error is returned unchanged if the file sets none of them.
    pub(crate) fn with_setting_origin(&self, error: anyhow::Error) -> anyhow::Error {
        let flags = diagnostics::flags(&error);
        let places: Vec<String> = (self.lines.iter())
            .filter(|(flag, _)| flags.contains(&flag.as_str()))
            .filter_map(|(flag, _)| Some(format!("--{flag} is set in {}", self.place(flag)?)))
            .collect();
        if places.is_empty() {
            return error;
        }
        let places = places.join(", ");
        let hint = match error.downcast_ref() {
            Some(ReadTextError::Missing { .. }) => Some(RELATIVE.to_owned()),
            _ => diagnostics::hint(&error),
        };
        let hint = match hint {
            Some(hint) => format!("{hint}; {places}"),
            None => places,
        };
        Diagnostic::new(format!("{error:#}")).hint(hint).into()
    }

    /// Makes the hint of the error of one of many texts say where the file names the text that is
    /// missing, or sets a limit that the text exceeds. `named` lists keys of the file, each with
    /// its paths.
    ///
    /// Any other error is returned unchanged, and so is an error that no setting of the file
    /// causes.
    pub(crate) fn with_text_origin(
        &self,
        error: anyhow::Error,
        named: &[(&str, &[PathBuf])],
    ) -> anyhow::Error {
        let path = match error.downcast_ref() {
            Some(ReadTextError::Missing { path, .. }) => path,
            Some(ReadTextError::TooLarge { .. } | ReadTextError::Refused { .. }) => {
                return self.with_setting_origin(error);
            }
            _ => return error,
        };
        let mut keys = named.iter().filter(|(_, paths)| paths.contains(path));
        let Some((key, place)) = keys.find_map(|(key, _)| Some((key, self.place(key)?))) else {
            return error;
        };
        let hint = format!("{RELATIVE}; {key} is set in {place}");
        Diagnostic::new(format!("{error:#}")).hint(hint).into()
    }
}

/// The hint for a missing file that a settings file names.
const RELATIVE: &str = "a path in a settings file is relative to the folder of that file";

/// Reports whether a flag is a setting, that is, whether the settings file may set it.
pub(crate) fn is_setting(arg: &clap::Arg) -> bool {
    merge::key(arg).is_some()
}

// Settings files → entries with their spans.

/// The largest size of a settings file, in bytes: 1 MiB.
const MAX_BYTES: u64 = 1 << 20;

/// The hint of errors in a settings file that was found, not named by `--config`.
const NO_CONFIG: &str = "--no-config ignores it, --config FILE reads another";

/// The way in which the path of a settings file was obtained.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum FileOrigin {
    /// With `--config`: the file may be a pipe.
    Flag,
    /// By searching the working folder and the folders above it.
    Found,
}

/// A settings file and its content.
#[derive(Debug)]
struct Source {
    file: PathBuf,
    content: String,
}

/// An entry of a settings file: a key and its value, each with its byte range in the file.
struct Entry<'s> {
    key: &'s str,
    key_span: Range<usize>,
    value: &'s DeValue<'s>,
    span: Range<usize>,
}

impl Source {
    /// Reads a settings file.
    ///
    /// # Errors
    ///
    /// Returns a diagnostic if the file cannot be read, is a folder, was found but is not a regular
    /// file, is larger than [`MAX_BYTES`] bytes, or is not UTF-8.
    fn read(file: PathBuf, by: FileOrigin) -> Result<Self, Diagnostic> {
        let name = display_path(&file).into_owned();
        let hint = match by {
            FileOrigin::Flag => {
                "paths are relative to the working folder; --no-config reads no settings file"
            }
            FileOrigin::Found => NO_CONFIG,
        };
        let wanted = |found: &str| {
            Diagnostic::new(format!("{name}: {found}, expected a settings file")).hint(hint)
        };
        let known = fs::metadata(&file).map_err(|error| unreadable(&name, &error, hint))?;
        if known.is_dir() {
            return Err(wanted("is a folder"));
        }
        if by == FileOrigin::Found && !known.is_file() {
            return Err(wanted("is not a regular file"));
        }
        let bytes = bytes(&file).map_err(|error| unreadable(&name, &error, hint))?;
        if bytes.len() as u64 > MAX_BYTES {
            return Err(wanted(&format!("larger than {MAX_BYTES} bytes")));
        }
        let content = String::from_utf8(bytes).map_err(|error| {
            let valid = error.utf8_error().valid_up_to();
            let byte = error.as_bytes()[valid];
            let before = String::from_utf8_lossy(&error.as_bytes()[..valid]).into_owned();
            let (line, column) = place(&before, valid);
            let found = format!("{name}:{line}:{column}: byte 0x{byte:02x} is not UTF-8");
            Diagnostic::new(format!("{found}, expected a settings file in UTF-8"))
                .hint("save it as UTF-8")
        })?;
        Ok(Self { file, content })
    }

    /// Parses the content of the file as a TOML table.
    ///
    /// # Errors
    ///
    /// Returns a diagnostic if the content is not valid TOML, for example because a key is set
    /// twice.
    fn table(&self) -> Result<DeTable<'_>, Diagnostic> {
        let table = DeTable::parse(&self.content).map_err(|error| {
            let span = error.span().unwrap_or(0..0);
            match error.message() {
                "duplicate key" => {
                    let twice = format!("{} is set twice, expected it once", self.shown(&span));
                    self.error_at(&span, &twice, "leave one out")
                }
                message => {
                    let hint = "each line is a setting, such as jaccard = 0.8 or stem = \"off\"";
                    self.error_at(&span, &message.replace('\n', "; "), hint)
                }
            }
        })?;
        Ok(table.into_inner())
    }

    /// Makes an error that points at a byte range of the file: `dedup.toml:3:11: …`.
    fn error_at(&self, span: &Range<usize>, what: &str, hint: &str) -> Diagnostic {
        let (line, column) = place(&self.content, span.start);
        let name = display_path(&self.file);
        Diagnostic::new(format!("{name}:{line}:{column}: {what}")).hint(hint)
    }

    /// Returns the line number of the start of a byte range, from 1.
    fn line(&self, span: &Range<usize>) -> usize {
        place(&self.content, span.start).0
    }

    /// Returns the text of a byte range for a message: its first line, up to 40 characters, with
    /// `…` if anything is cut.
    fn shown(&self, span: &Range<usize>) -> String {
        /// The largest number of characters shown.
        const MAX_CHARACTERS: usize = 40;
        let part = self.content.get(span.clone()).unwrap_or_default();
        let line = part.lines().next().unwrap_or_default();
        let shown: String = line.chars().take(MAX_CHARACTERS).collect();
        if shown.len() < part.len() { shown + "…" } else { shown }
    }

    /// Resolves a path in the file: relative to the folder of the file, not to the working folder.
    fn resolved(&self, path: &str) -> PathBuf {
        self.file.parent().unwrap_or(Path::new("")).join(path)
    }
}

/// Returns the entries of a table, in the order of the file.
fn entries<'t>(table: &'t DeTable<'t>) -> Vec<Entry<'t>> {
    let entry = |(key, value): (&'t toml::Spanned<_>, &'t toml::Spanned<_>)| {
        let name: &'t Cow<'t, str> = key.get_ref();
        Entry { key: name, key_span: key.span(), value: value.get_ref(), span: value.span() }
    };
    let mut entries: Vec<Entry> = table.iter().map(entry).collect();
    entries.sort_by_key(|entry| entry.key_span.start);
    entries
}

/// Makes the error of a file that cannot be read.
fn unreadable(name: &str, error: &io::Error, hint: &str) -> Diagnostic {
    let what = match error.kind() {
        ErrorKind::NotFound => "no such file, expected a settings file".to_owned(),
        kind => format!("cannot be read: {kind}"),
    };
    Diagnostic::new(format!("{name}: {what}")).hint(hint)
}

/// Reads at most [`MAX_BYTES`] + 1 bytes of a file: one more than allowed shows that it is too large.
fn bytes(file: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    OpenOptions::new().read(true).open(file)?.take(MAX_BYTES + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Returns the line of a byte offset and the column in characters, both from 1.
///
/// An offset past the end counts as the end.
fn place(content: &str, byte: usize) -> (usize, usize) {
    let before = content.get(..byte).unwrap_or(content);
    let line = before.rsplit('\n').next().unwrap_or_default();
    (before.matches('\n').count() + 1, line.chars().count() + 1)
}

// The working folder → its settings file.

/// The file name of a settings file that is found without `--config`.
const NAME: &str = "dedup.toml";

/// Returns the nearest settings file in the working folder or above it, up to the root of the
/// repository; outside a repository it looks in the working folder only. The path is relative to
/// the working folder.
///
/// Returns `None` if there is no settings file, or if the working folder no longer exists.
///
/// # Errors
///
/// Returns a diagnostic if a folder cannot be searched, for example for lack of permission.
fn find() -> Result<Option<PathBuf>, Diagnostic> {
    match std::env::current_dir() {
        Ok(folder) => find_from(&folder),
        Err(_) => Ok(None), // a working folder that has been removed has no settings file
    }
}

fn find_from(folder: &Path) -> Result<Option<PathBuf>, Diagnostic> {
    let is_root = |folder: &Path| folder.join(".git").symlink_metadata().is_ok();
    let above = folder.ancestors().position(is_root).unwrap_or(0);
    let mut up = PathBuf::new();
    for ancestor in folder.ancestors().take(above + 1) {
        match ancestor.join(NAME).symlink_metadata() {
            Ok(_) => return Ok(Some(up.join(NAME))),
            Err(error) if error.kind() == ErrorKind::NotFound => up.push(".."),
            Err(error) => {
                let file = up.join(NAME);
                return Err(unreadable(&display_path(&file), &error, NO_CONFIG));
            }
        }
    }
    Ok(None)
}

#[cfg(test)]
mod source_tests {
    use super::*;

    #[test]
    fn places_count_lines_and_letters_from_1() {
        #[rustfmt::skip]
        let table = [
            ("the beginning",        "a = 1",       0, (1, 1)),
            ("within a line",        "a = 1",       4, (1, 5)),
            ("a line later",         "a = 1\nb = 2", 6, (2, 1)),
            ("CRLF is one end",      "a\r\nb",      3, (2, 1)),
            ("letters, not bytes",   "\"çà\" = 1",  9, (1, 8)),
            ("the end",              "a\n",         2, (2, 1)),
            ("past the end",         "a\nb",        9, (2, 2)),
        ];
        for (why, content, byte, want) in table {
            assert_eq!(place(content, byte), want, "{why}");
        }
    }

    #[test]
    fn what_is_shown_is_short() {
        let source = Source { file: PathBuf::new(), content: format!("ab\ncd{}", "x".repeat(99)) };
        assert_eq!(source.shown(&(0..2)), "ab");
        assert_eq!(source.shown(&(0..5)), "ab…");
        assert_eq!(source.shown(&(5..99)), "x".repeat(40) + "…");
    }
}

#[cfg(test)]
mod find_tests {
    use std::fs;

    use super::*;

    #[test]
    fn the_nearest_file_counts_up_to_the_root_of_the_repository() {
        let outside = tempfile::tempdir().unwrap();
        let root = outside.path().join("root");
        let deep = root.join("a/b");
        fs::create_dir_all(&deep).unwrap();
        let found = |folder: &Path| find_from(folder).unwrap();
        fs::write(outside.path().join(NAME), "").unwrap();
        assert_eq!(found(outside.path()), Some(NAME.into()), "the working folder, no repository");
        assert_eq!(found(&deep), None, "above it, no repository");
        fs::write(root.join(".git"), "gitdir: elsewhere").unwrap();
        assert_eq!(found(&deep), None, "above the root");
        assert_eq!(found(&root), None, "above the root, in it");
        fs::write(root.join(NAME), "").unwrap();
        assert_eq!(found(&deep), Some(Path::new("../../dedup.toml").into()), "in the root");
        fs::write(root.join("a").join(NAME), "").unwrap();
        assert_eq!(found(&deep), Some(Path::new("../dedup.toml").into()), "the nearest");
        fs::create_dir(deep.join(".git")).unwrap();
        assert_eq!(found(&deep), None, "above a repository in a repository");
        fs::create_dir(deep.join(NAME)).unwrap();
        assert_eq!(found(&deep), Some(NAME.into()), "a folder, which is an error later");
    }
}
