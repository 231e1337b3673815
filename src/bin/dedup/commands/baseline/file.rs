//! The file of a baseline: its version, then an entry a line, in order.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use dedup_text::text::{ReadTextError, display_path};

use super::Entry;
use crate::io::disk;

/// What all versions begin with.
const NAME: &str = "# dedup baseline ";

/// The version that is written.
const VERSION: &str = "1";

/// What a conflict of two branches leaves in a file that both changed.
const CONFLICT: [&str; 4] = ["<<<<<<<", "=======", ">>>>>>>", "|||||||"];

/// A baseline that cannot be read.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Unread {
    #[error("{}: no such file, wanted a baseline", display_path(path))]
    Missing { path: PathBuf },
    #[error(
        "{}: no baseline, wanted a file that begins with \"{NAME}{VERSION}\"",
        display_path(path)
    )]
    Foreign { path: PathBuf },
    #[error("{}: a baseline of version {found}, wanted {VERSION}", display_path(path))]
    Version { path: PathBuf, found: String },
    #[error("{}: line {line}: a merge conflict, wanted an entry", display_path(path))]
    Conflict { path: PathBuf, line: usize },
    #[error(
        "{}: line {line}: no entry, wanted passage or texts with 16 hexadecimal digits",
        display_path(path)
    )]
    Damaged { path: PathBuf, line: usize },
    #[error(transparent)]
    Unreadable(ReadTextError),
}

impl Unread {
    /// What to do.
    pub(crate) fn hint(&self) -> &'static str {
        match self {
            Self::Missing { .. } => "--update-baseline writes it",
            Self::Foreign { .. } => {
                "name the file that --update-baseline wrote, or one that is not there"
            }
            Self::Version { .. } => "write it anew with --update-baseline, by this dedup",
            Self::Conflict { .. } => {
                "keep the lines of both sides; or --update-baseline writes the file anew"
            }
            Self::Damaged { .. } => "take the line out; or --update-baseline writes the file anew",
            Self::Unreadable(ReadTextError::TooLarge { .. }) => "--max-bytes off lifts the limit",
            Self::Unreadable(_) => "check that it is there and may be read",
        }
    }
}

/// The entries of a file, each with its name.
pub(super) fn read(path: &Path, max_bytes: Option<u64>) -> Result<BTreeMap<Entry, String>, Unread> {
    parse(path, &content(path, max_bytes)?)
}

/// The entries of a file that is to be replaced; none where it is not there or is damaged. A
/// file that is no baseline is not replaced.
pub(super) fn read_to_replace(
    path: &Path,
    max_bytes: Option<u64>,
) -> Result<BTreeMap<Entry, String>, Unread> {
    let content = match content(path, max_bytes) {
        Err(Unread::Missing { .. }) => return Ok(BTreeMap::new()),
        content => content?,
    };
    match parse(path, &content) {
        Err(Unread::Foreign { path }) if !content.is_empty() => Err(Unread::Foreign { path }),
        parsed => Ok(parsed.unwrap_or_default()),
    }
}

fn content(path: &Path, max_bytes: Option<u64>) -> Result<Vec<u8>, Unread> {
    disk::read(path, max_bytes).map_err(|error| match error {
        ReadTextError::Missing { path } => Unread::Missing { path },
        error => Unread::Unreadable(error),
    })
}

fn parse(path: &Path, content: &[u8]) -> Result<BTreeMap<Entry, String>, Unread> {
    let path = || path.to_owned();
    let content = str::from_utf8(content).map_err(|_| Unread::Foreign { path: path() })?;
    let mut lines = content.trim_start_matches('\u{feff}').lines().zip(1..);
    let first = lines.next().map(|(line, _)| line).unwrap_or_default();
    if CONFLICT.iter().any(|mark| first.starts_with(mark)) {
        return Err(Unread::Conflict { path: path(), line: 1 });
    }
    match first.strip_prefix(NAME) {
        None => return Err(Unread::Foreign { path: path() }),
        Some(VERSION) => {}
        Some(found) => return Err(Unread::Version { path: path(), found: found.to_owned() }),
    }
    let mut entries = BTreeMap::new();
    for (line, number) in lines.filter(|(line, _)| !line.is_empty()) {
        let entry = Entry::parse(line).ok_or_else(|| {
            let is_conflict = CONFLICT.iter().any(|mark| line.starts_with(mark));
            let (path, line) = (path(), number);
            if is_conflict {
                Unread::Conflict { path, line }
            } else {
                Unread::Damaged { path, line }
            }
        })?;
        entries.entry(entry.0).or_insert(entry.1);
    }
    Ok(entries)
}

/// The file that has some entries.
pub(super) fn render(entries: &BTreeMap<Entry, String>) -> String {
    let lines = entries.iter().map(|(entry, name)| format!("{entry} {name}\n"));
    format!("{NAME}{VERSION}\n{}", lines.collect::<String>())
}
