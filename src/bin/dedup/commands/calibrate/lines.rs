//! Parses a list of pairs: each line has two names and a label. Errors are collected with their
//! lines.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};
use std::path::{Component, Path, PathBuf};

use dedup_text::calibration::Label;
use dedup_text::display::visible;
use encoding_rs::Encoding;

use crate::diagnostics::MAX_SHOWN;
use crate::io::disk::FileId;
use crate::io::path_of_bytes;

/// A line with a pair.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) struct Line {
    /// The line number, from 1.
    pub(crate) number: usize,
    pub(crate) names: [PathBuf; 2],
    pub(crate) label: Label,
}

/// A line that cannot be parsed.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) struct UnreadableLine {
    pub(crate) number: usize,
    /// The error message: what was found, and what was expected.
    pub(crate) what: String,
}

/// The parsed lines of a list.
#[derive(Debug, Default, Eq, PartialEq)]
pub(crate) struct Lines {
    pub(crate) pairs: Vec<Line>,
    /// The first wrong lines, at most [`MAX_SHOWN`].
    pub(crate) wrong: Vec<UnreadableLine>,
    /// The number of all wrong lines.
    pub(crate) wrong_count: usize,
}

/// The largest number of characters of a label that messages show.
const SHOWN: usize = 40;

impl Lines {
    /// Parses a list. `is_there` reports whether a name is that of a file. The first line that is
    /// not empty or a comment is a heading, and is skipped, if it has an unknown label and names no
    /// file.
    pub(crate) fn read(list: &[u8], is_there: impl Fn(&Path) -> bool) -> Self {
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
                Ok((names, cell)) => match label(&cell) {
                    Some(label) => lines.pairs.push(Line { number, names, label }),
                    None if may_be_heading && !names.iter().any(|name| is_there(name)) => {}
                    None => lines.add_wrong(number, format!("label {:?}, {WANTED}", shown(&cell))),
                },
                Err(what) => lines.add_wrong(number, what),
            }
        }
        lines
    }

    fn add_wrong(&mut self, number: usize, what: String) {
        self.wrong_count += 1;
        if self.wrong.len() < MAX_SHOWN {
            self.wrong.push(UnreadableLine { number, what });
        }
    }
}

const WANTED: &str = "expected yes, y, true, 1 (yes) or no, n, false, 0 (no)";

/// Parses a label, without regard to case and surrounding white space.
fn label(cell: &str) -> Option<Label> {
    match cell.trim().to_lowercase().as_str() {
        "yes" | "y" | "true" | "1" => Some(Label::Yes),
        "no" | "n" | "false" | "0" => Some(Label::No),
        _ => None,
    }
}

/// Formats a label for a message: cut at [`SHOWN`] characters, with control characters escaped.
fn shown(label: &str) -> String {
    let label = label.trim();
    let start: String = label.chars().take(SHOWN).collect();
    visible(&if start.len() < label.len() { start + "…" } else { start })
}

/// Returns a list without its byte order mark. A list in UTF-16, as spreadsheets save it, is
/// converted to UTF-8.
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

/// Parses the names and the label of a line. Further cells are ignored.
///
/// # Errors
///
/// Returns a message if there are fewer than three cells, or if a name is empty, contains NUL, or
/// cannot be a path on this system.
fn read(line: &[u8]) -> Result<([PathBuf; 2], String), String> {
    let cells: Vec<Vec<u8>> = line.split(|byte| *byte == b'\t').map(cell).collect();
    let [left, right, label, ..] = &cells[..] else {
        let found = match cells.len() {
            1 => "no tab".to_owned(),
            count => format!("{count} cells"),
        };
        return Err(format!("{found}, expected two names and a label, separated by tabs"));
    };
    for (name, which) in [(left, "first"), (right, "second")] {
        if name.is_empty() {
            return Err(format!("the {which} cell is empty, expected the name of a text"));
        }
        if name.contains(&0) {
            return Err(format!(
                "the {which} cell contains a NUL byte, expected the name of a text"
            ));
        }
    }
    let label = String::from_utf8_lossy(label).into_owned();
    Ok(([path(left)?, path(right)?], label))
}

/// Trims white space from a cell and removes the quotes that a spreadsheet puts around it.
fn cell(cell: &[u8]) -> Vec<u8> {
    let trimmed = cell.trim_ascii();
    let quoted = trimmed.strip_prefix(b"\"").and_then(|rest| rest.strip_suffix(b"\""));
    let Some(quoted) = quoted else { return trimmed.to_vec() };
    let mut is_first = false; // a quote within quotes is doubled
    let is_kept = |byte: &u8| {
        is_first = *byte == b'"' && !is_first;
        *byte != b'"' || is_first
    };
    quoted.iter().copied().filter(is_kept).collect()
}

fn path(bytes: &[u8]) -> Result<PathBuf, String> {
    path_of_bytes(bytes).map_err(|_| "a name that is not UTF-8, expected UTF-8".to_owned())
}

// Lines → the texts that they name, and the pairs to compare, each once.

/// The left and the right text of a pair, by their numbers, and the label.
pub(crate) type LabelledTexts = ([u32; 2], Label);

/// The texts and pairs of a list.
#[derive(Debug, Default)]
pub(crate) struct Pairs {
    /// The paths of the texts, in the order of their names.
    pub(crate) paths: Vec<PathBuf>,
    /// The pairs, ordered by the texts, which are positions in `paths`.
    pub(crate) labelled: Vec<LabelledTexts>,
    /// The pairs that have both labels: for each, the first line with either label.
    pub(crate) contradictory: Vec<[usize; 2]>,
}

/// The lines of a pair.
struct PairLines {
    texts: [u32; 2],
    label: Label,
    line: usize,
    /// The first line with the other label. `None` if all labels agree.
    otherwise: Option<usize>,
}

impl Pairs {
    /// Collects the pairs of lines whose names are relative to a folder. Two names of one file are
    /// one text, and a line that pairs a text with itself is skipped.
    pub(crate) fn new(lines: &Lines, base: &Path) -> Self {
        let mut pairs = Self::default();
        let numbers = pairs.number(&lines.pairs, base);
        let mut known_pairs: BTreeMap<[u32; 2], PairLines> = BTreeMap::new();
        for (line, texts) in lines.pairs.iter().zip(numbers) {
            let [left, right] = texts;
            if left == right {
                continue;
            }
            match known_pairs.get_mut(&[left.min(right), left.max(right)]) {
                None => {
                    let new =
                        PairLines { texts, label: line.label, line: line.number, otherwise: None };
                    known_pairs.insert([left.min(right), left.max(right)], new);
                }
                Some(known) if known.label == line.label => {}
                Some(known) => {
                    known.otherwise.get_or_insert(line.number);
                }
            }
        }
        for pair in known_pairs.into_values() {
            match pair.otherwise {
                None => pairs.labelled.push((pair.texts, pair.label)),
                Some(line) => pairs.contradictory.push([pair.line, line]),
            }
        }
        pairs.contradictory.sort_unstable();
        pairs
    }

    /// Numbers the texts, and returns the numbers of each line.
    fn number(&mut self, lines: &[Line], base: &Path) -> Vec<[u32; 2]> {
        let mut by_name: BTreeMap<PathBuf, u32> = BTreeMap::new();
        for name in lines.iter().flat_map(|line| &line.names) {
            by_name.entry(plain(name)).or_insert(0);
        }
        let mut by_file: HashMap<FileId, u32> = HashMap::new();
        for (name, number) in &mut by_name {
            let path = base.join(name);
            *number = *by_file.entry(FileId::new(&path)).or_insert_with(|| {
                self.paths.push(path);
                u32::try_from(self.paths.len() - 1).expect("a list names fewer than 2^32 texts")
            });
        }
        let number = |name: &PathBuf| by_name.get(&plain(name)).copied().unwrap_or_default();
        lines.iter().map(|line| line.names.each_ref().map(number)).collect()
    }
}

/// Removes redundant components from a name: `./a//b` becomes `a/b`.
fn plain(name: &Path) -> PathBuf {
    let parts = name.components().filter(|part| *part != Component::CurDir);
    parts.collect()
}

#[cfg(test)]
mod pairs_tests {
    use std::path::Path;

    use super::*;

    /// Reads a list and returns its pairs with their names, and the contradictory lines.
    fn read(list: &str) -> (Vec<String>, Vec<[usize; 2]>) {
        let lines = Lines::read(list.as_bytes(), |_| true);
        let pairs = Pairs::new(&lines, Path::new("nowhere"));
        let name = |text: u32| pairs.paths[text as usize].file_name().unwrap().to_str().unwrap();
        let labelled = pairs
            .labelled
            .iter()
            .map(|([left, right], label)| format!("{} {} {label:?}", name(*left), name(*right)));
        (labelled.collect(), pairs.contradictory)
    }

    #[test]
    fn each_pair_counts_once() {
        #[rustfmt::skip]
        let table: &[(&str, &str, &[&str], &[[usize; 2]])] = &[
            ("nothing",             "",                                   &[],                    &[]),
            ("in order of names",   "c\tb\tyes\nb\ta\tno",                &["b a No", "c b Yes"], &[]),
            ("twice",               "a\tb\tyes\na\tb\tyes",               &["a b Yes"],           &[]),
            ("both ways round",     "b\ta\tyes\na\tb\tyes\na\tb\tyes",    &["b a Yes"],           &[]),
            ("with itself",         "a\ta\tyes\na\t./a\tno",              &[],                    &[]),
            ("two names of a file", "./a\tb\tyes\na\t.//b\tyes",          &["a b Yes"],           &[]),
            ("both labels",         "a\tb\tyes\na\tc\tno\nb\ta\tno\na\tb\tno\na\tb\tyes", &["a c No"], &[[1, 3]]),
        ];
        for (why, list, pairs, contradictory) in table {
            let (labelled, both) = read(list);
            assert_eq!(labelled, *pairs, "{why}");
            assert_eq!(both, *contradictory, "{why}");
        }
    }
}

#[cfg(test)]
mod tests;
