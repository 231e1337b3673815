//! A list of pairs → its lines: two names and a label each, or what is wrong with them.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use dedup_text::calibration::Label;
use encoding_rs::Encoding;

use crate::diagnostics::TOLD;
use crate::words::visible;

/// A line that is a pair.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) struct Line {
    /// From 1 on.
    pub(crate) number: usize,
    pub(crate) names: [PathBuf; 2],
    pub(crate) label: Label,
}

/// A line that is none.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) struct Wrong {
    pub(crate) number: usize,
    /// What was found, and what was wanted.
    pub(crate) what: String,
    /// What to do about it; none where the message says it.
    pub(crate) hint: Option<&'static str>,
}

/// The lines of a list.
#[derive(Debug, Default, Eq, PartialEq)]
pub(crate) struct Lines {
    pub(crate) pairs: Vec<Line>,
    /// The first that are no pair.
    pub(crate) wrong: Vec<Wrong>,
    /// How many are none.
    pub(crate) wrong_count: usize,
    /// Labels that are neither a yes nor a no, counted.
    pub(crate) skipped: BTreeMap<String, usize>,
}

/// Which labels are a yes and which a no, in small letters.
#[derive(Debug)]
pub(crate) struct Labels {
    yes: Vec<String>,
    no: Vec<String>,
    /// Whether other labels are skipped, rather than wrong.
    has_others: bool,
}

/// The most letters of a label that is told.
const SHOWN: usize = 40;

impl Labels {
    pub(crate) fn new([yes, no]: [Vec<&str>; 2], has_others: bool) -> Self {
        let [yes, no] =
            [yes, no].map(|labels| labels.iter().map(|label| folded(label)).collect::<Vec<_>>());
        Self { yes, no, has_others }
    }

    fn label(&self, cell: &str) -> Option<Label> {
        let cell = folded(cell);
        if self.yes.contains(&cell) {
            return Some(Label::Yes);
        }
        self.no.contains(&cell).then_some(Label::No)
    }

    /// What is wanted of a label.
    pub(crate) fn wanted(&self) -> String {
        format!("{} (yes) or {} (no)", self.yes.join(", "), self.no.join(", "))
    }
}

impl Lines {
    /// Reads a list. `is_there` says whether a name is that of a file: a first line whose label
    /// is none and that names no file is a heading.
    pub(crate) fn read(list: &[u8], labels: &Labels, is_there: impl Fn(&Path) -> bool) -> Self {
        let list = decoded(list);
        let mut lines = Self::default();
        let mut is_first = true;
        for (number, line) in (1..).zip(list.split(|byte| *byte == b'\n')) {
            let line = line.strip_suffix(b"\r").unwrap_or(line);
            if line.trim_ascii().is_empty() || line.starts_with(b"#") {
                continue;
            }
            let may_be_heading = std::mem::replace(&mut is_first, false);
            match read(line) {
                Ok((names, cell)) => match labels.label(&cell) {
                    Some(label) => lines.pairs.push(Line { number, names, label }),
                    None if may_be_heading && !names.iter().any(|name| is_there(name)) => {}
                    None if labels.has_others => {
                        *lines.skipped.entry(shown(&cell)).or_insert(0) += 1;
                    }
                    None => {
                        let what = format!("label {:?}, wanted {}", shown(&cell), labels.wanted());
                        lines.add_wrong(
                            number,
                            what,
                            Some("--yes LABEL and --no LABEL name other labels"),
                        );
                    }
                },
                Err(what) => lines.add_wrong(number, what, None),
            }
        }
        lines
    }

    fn add_wrong(&mut self, number: usize, what: String, hint: Option<&'static str>) {
        self.wrong_count += 1;
        if self.wrong.len() < TOLD {
            self.wrong.push(Wrong { number, what, hint });
        }
    }
}

/// Labels agree in small and in capital letters.
fn folded(label: &str) -> String {
    label.trim().to_lowercase()
}

/// A label that may be long, or move the cursor.
fn shown(label: &str) -> String {
    let label = label.trim();
    let start: String = label.chars().take(SHOWN).collect();
    visible(&if start.len() < label.len() { start + "…" } else { start })
}

/// A list without a mark; one in UTF-16, as spreadsheets save it, in UTF-8.
fn decoded(list: &[u8]) -> Cow<'_, [u8]> {
    match Encoding::for_bom(list) {
        Some((encoding, mark)) if encoding != encoding_rs::UTF_8 => {
            let decoded = encoding.decode_without_bom_handling(&list[mark..]).0;
            Cow::Owned(decoded.into_owned().into_bytes())
        }
        Some((_, mark)) => Cow::Borrowed(&list[mark..]),
        None => Cow::Borrowed(list),
    }
}

/// The names and the label of a line.
fn read(line: &[u8]) -> Result<([PathBuf; 2], String), String> {
    let cells: Vec<Vec<u8>> = line.split(|byte| *byte == b'\t').map(cell).collect();
    let [left, right, label, ..] = &cells[..] else {
        let found = match cells.len() {
            1 => "no tab".to_owned(),
            count => format!("{count} cells"),
        };
        return Err(format!("{found}, wanted two names and a label, parted by tabs"));
    };
    for (name, which) in [(left, "first"), (right, "second")] {
        if name.is_empty() {
            return Err(format!("the {which} cell is empty, wanted the name of a text"));
        }
        if name.contains(&0) {
            return Err(format!("the {which} cell holds a NUL, wanted the name of a text"));
        }
    }
    let label = String::from_utf8_lossy(label).into_owned();
    Ok(([path(left)?, path(right)?], label))
}

/// A cell without the quotes that a spreadsheet puts around it, and the spaces around those.
fn cell(cell: &[u8]) -> Vec<u8> {
    let trimmed = cell.trim_ascii();
    let quoted = trimmed.strip_prefix(b"\"").and_then(|rest| rest.strip_suffix(b"\""));
    let Some(quoted) = quoted else { return trimmed.to_vec() };
    let mut plain = Vec::with_capacity(quoted.len());
    let mut rest = quoted;
    while let [first, more @ ..] = rest {
        plain.push(*first);
        // A quote is doubled within quotes.
        rest = if *first == b'"' { more.strip_prefix(b"\"").unwrap_or(more) } else { more };
    }
    plain
}

/// A path of its bytes.
#[cfg(unix)]
#[expect(clippy::unnecessary_wraps, reason = "elsewhere not all bytes are a path")]
fn path(bytes: &[u8]) -> Result<PathBuf, String> {
    use std::os::unix::ffi::OsStrExt;
    Ok(std::ffi::OsStr::from_bytes(bytes).into())
}

/// A path of its bytes, which are UTF-8.
#[cfg(not(unix))]
fn path(bytes: &[u8]) -> Result<PathBuf, String> {
    str::from_utf8(bytes)
        .map(PathBuf::from)
        .map_err(|_| "a name that is not UTF-8, wanted one that is".to_owned())
}

#[cfg(test)]
mod tests;
