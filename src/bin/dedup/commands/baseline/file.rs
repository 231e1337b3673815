//! The file of a baseline: its version, then an entry a line, in order.

use std::collections::BTreeMap;
use std::path::Path;

use dedup_text::text::{ReadTextError, display_path};

use super::Entry;
use crate::diagnostics::Diagnostic;
use crate::io::disk;

/// What all versions begin with.
const NAME: &str = "# dedup baseline ";

/// The version that is written.
const VERSION: &str = "1";

/// What a conflict of two branches leaves in a file that both changed.
const CONFLICT: [&str; 4] = ["<<<<<<<", "=======", ">>>>>>>", "|||||||"];

/// Why a file holds no entries of a baseline.
enum NoEntries {
    /// It is not there.
    Missing,
    /// It is something else.
    Foreign,
    /// It cannot be read, or is damaged.
    Damaged(Diagnostic),
}

impl NoEntries {
    /// The error for it.
    fn diagnostic(self, path: &Path) -> Diagnostic {
        let path = display_path(path);
        match self {
            Self::Missing => Diagnostic::new(format!("{path}: no such file, wanted a baseline"))
                .hint("--update-baseline writes it"),
            Self::Foreign => Diagnostic::new(format!(
                "{path}: no baseline, wanted a file that begins with \"{NAME}{VERSION}\""
            ))
            .hint("name the file that --update-baseline wrote, or one that is not there"),
            Self::Damaged(diagnostic) => diagnostic,
        }
    }
}

/// The entries of a file, each with its name.
pub(crate) fn read(
    path: &Path,
    max_bytes: Option<u64>,
) -> Result<BTreeMap<Entry, String>, Diagnostic> {
    let entries = content(path, max_bytes).and_then(|content| parse(path, &content));
    entries.map_err(|error| error.diagnostic(path))
}

/// The entries of a file that is to be replaced; none where it is not there or is damaged. A
/// file that is no baseline is not replaced.
pub(crate) fn read_to_replace(
    path: &Path,
    max_bytes: Option<u64>,
) -> Result<BTreeMap<Entry, String>, Diagnostic> {
    let content = match content(path, max_bytes) {
        Err(NoEntries::Missing) => return Ok(BTreeMap::new()),
        content => content.map_err(|error| error.diagnostic(path))?,
    };
    match parse(path, &content) {
        Err(error @ NoEntries::Foreign) if !content.is_empty() => Err(error.diagnostic(path)),
        parsed => Ok(parsed.unwrap_or_default()),
    }
}

fn content(path: &Path, max_bytes: Option<u64>) -> Result<Vec<u8>, NoEntries> {
    disk::read(path, max_bytes).map_err(|error| match &error {
        ReadTextError::Missing { .. } => NoEntries::Missing,
        ReadTextError::TooLarge { .. } => NoEntries::Damaged(
            Diagnostic::new(error.to_string()).hint("--max-bytes off lifts the limit"),
        ),
        _ => NoEntries::Damaged(
            Diagnostic::new(format!("{:#}", anyhow::Error::from(error)))
                .hint("check that it is there and may be read"),
        ),
    })
}

fn parse(path: &Path, content: &[u8]) -> Result<BTreeMap<Entry, String>, NoEntries> {
    let damaged = |message: String, hint: &str| {
        let message = format!("{}: {message}", display_path(path));
        NoEntries::Damaged(Diagnostic::new(message).hint(hint))
    };
    let conflict = |line: usize| {
        damaged(
            format!("line {line}: a merge conflict, wanted an entry"),
            "keep the lines of both sides; or --update-baseline writes the file anew",
        )
    };
    let is_conflict = |line: &str| CONFLICT.iter().any(|mark| line.starts_with(mark));
    let content = str::from_utf8(content).map_err(|_| NoEntries::Foreign)?;
    let mut lines = content.trim_start_matches('\u{feff}').lines().zip(1..);
    let first = lines.next().map(|(line, _)| line).unwrap_or_default();
    if is_conflict(first) {
        return Err(conflict(1));
    }
    match first.strip_prefix(NAME) {
        None => return Err(NoEntries::Foreign),
        Some(VERSION) => {}
        Some(found) => {
            let message = format!("a baseline of version {found}, wanted {VERSION}");
            return Err(damaged(message, "write it anew with --update-baseline, by this dedup"));
        }
    }
    let mut entries = BTreeMap::new();
    for (line, number) in lines.filter(|(line, _)| !line.is_empty()) {
        let (entry, name) = match Entry::parse(line) {
            Some(entry) => entry,
            None if is_conflict(line) => return Err(conflict(number)),
            None => {
                return Err(damaged(
                    format!(
                        "line {number}: no entry, wanted passage or texts with 16 hexadecimal digits"
                    ),
                    "take the line out; or --update-baseline writes the file anew",
                ));
            }
        };
        entries.entry(entry).or_insert(name);
    }
    Ok(entries)
}

/// The file that has some entries.
pub(crate) fn render(entries: &BTreeMap<Entry, String>) -> String {
    let lines = entries.iter().map(|(entry, name)| format!("{entry} {name}\n"));
    format!("{NAME}{VERSION}\n{}", lines.collect::<String>())
}
