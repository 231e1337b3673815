//! Parses a list of pairs: each line has two names and a label. Errors are collected with their
//! lines.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};
use std::path::{Component, Path, PathBuf};

use dedup_text::calibration::Label;
use dedup_text::display::visible;
use dedup_text::text::display_path;
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
    /// The hint. `None` if the message is sufficient.
    pub(crate) hint: Option<&'static str>,
}

/// The parsed lines of a list.
#[derive(Debug, Default, Eq, PartialEq)]
pub(crate) struct Lines {
    pub(crate) pairs: Vec<Line>,
    /// The first wrong lines, at most [`MAX_SHOWN`].
    pub(crate) wrong: Vec<UnreadableLine>,
    /// The number of all wrong lines.
    pub(crate) wrong_count: usize,
    /// The number of lines for each label that means neither yes nor no.
    pub(crate) skipped: BTreeMap<String, usize>,
}

/// The labels that mean yes and those that mean no, in lower case.
#[derive(Debug)]
pub(crate) struct Labels {
    yes: Vec<String>,
    no: Vec<String>,
    /// Whether lines with other labels are skipped instead of being errors.
    has_others: bool,
}

/// The largest number of characters of a label that messages show.
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

    /// Describes the expected labels, for messages.
    pub(crate) fn wanted(&self) -> String {
        format!("{} (yes) or {} (no)", self.yes.join(", "), self.no.join(", "))
    }
}

impl Lines {
    /// Parses a list. `is_there` reports whether a name is that of a file. The first line that is
    /// not empty or a comment is a heading, and is skipped, if it has an unknown label and names no
    /// file.
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
                        let what =
                            format!("label {:?}, expected {}", shown(&cell), labels.wanted());
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
        if self.wrong.len() < MAX_SHOWN {
            self.wrong.push(UnreadableLine { number, what, hint });
        }
    }
}

/// Folds a label: labels are compared without case and surrounding white space.
fn folded(label: &str) -> String {
    label.trim().to_lowercase()
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
    let mut plain = Vec::with_capacity(quoted.len());
    let mut rest = quoted;
    while let [first, more @ ..] = rest {
        plain.push(*first);
        // A quote within quotes is doubled.
        rest = if *first == b'"' { more.strip_prefix(b"\"").unwrap_or(more) } else { more };
    }
    plain
}

fn path(bytes: &[u8]) -> Result<PathBuf, String> {
    path_of_bytes(bytes).map_err(|_| "a name that is not UTF-8, expected UTF-8".to_owned())
}

// Lines → the texts that they name, and the pairs to compare, each once.

/// The texts and pairs of a list.
#[derive(Debug, Default)]
pub(crate) struct Pairs {
    /// The names of the texts, in byte order.
    pub(crate) names: Vec<String>,
    /// The paths of the texts, in the same order.
    pub(crate) paths: Vec<PathBuf>,
    /// The pairs: the left and the right text, by their positions in `names`, and the label. They
    /// are ordered by the texts.
    pub(crate) labelled: Vec<([u32; 2], Label)>,
    /// The number of lines that repeat the pair of an earlier line with the same label.
    pub(crate) repeated: usize,
    /// The number of lines that pair a text with itself.
    pub(crate) with_itself: usize,
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
    /// one text.
    pub(crate) fn new(lines: &Lines, base: &Path) -> Self {
        let mut pairs = Self::default();
        let numbers = pairs.number(&lines.pairs, base);
        let mut known_pairs: BTreeMap<[u32; 2], PairLines> = BTreeMap::new();
        for (line, texts) in lines.pairs.iter().zip(numbers) {
            let [left, right] = texts;
            if left == right {
                pairs.with_itself += 1;
                continue;
            }
            match known_pairs.get_mut(&[left.min(right), left.max(right)]) {
                None => {
                    let new =
                        PairLines { texts, label: line.label, line: line.number, otherwise: None };
                    known_pairs.insert([left.min(right), left.max(right)], new);
                }
                Some(known) if known.label == line.label => pairs.repeated += 1,
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
                self.names.push(display_path(name).into_owned());
                self.paths.push(path);
                u32::try_from(self.names.len() - 1).expect("a list names fewer than 2^32 texts")
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

    /// Reads a list and returns its pairs with their names, the counts of repeated pairs and of
    /// pairs of a text with itself, and the contradictory lines.
    fn read(list: &str) -> (Vec<String>, [usize; 2], Vec<[usize; 2]>) {
        let labels = Labels::new([vec!["yes"], vec!["no"]], false);
        let lines = Lines::read(list.as_bytes(), &labels, |_| true);
        let pairs = Pairs::new(&lines, Path::new("nowhere"));
        let name = |text: u32| &pairs.names[text as usize];
        let labelled = pairs
            .labelled
            .iter()
            .map(|([left, right], label)| format!("{} {} {label:?}", name(*left), name(*right)));
        (labelled.collect(), [pairs.repeated, pairs.with_itself], pairs.contradictory)
    }

    #[test]
    fn each_pair_counts_once() {
        #[rustfmt::skip]
        let table: &[(&str, &str, &[&str], [usize; 2], &[[usize; 2]])] = &[
            ("nothing",             "",                                   &[],                          [0, 0], &[]),
            ("in order of names",   "c\tb\tyes\nb\ta\tno",                &["b a No", "c b Yes"],       [0, 0], &[]),
            ("twice",               "a\tb\tyes\na\tb\tyes",               &["a b Yes"],                 [1, 0], &[]),
            ("both ways round",     "b\ta\tyes\na\tb\tyes\na\tb\tyes",    &["b a Yes"],                 [2, 0], &[]),
            ("with itself",         "a\ta\tyes\na\t./a\tno",              &[],                          [0, 2], &[]),
            ("two names of a file", "./a\tb\tyes\na\t.//b\tyes",          &["a b Yes"],                 [1, 0], &[]),
            ("both labels",         "a\tb\tyes\na\tc\tno\nb\ta\tno\na\tb\tno\na\tb\tyes", &["a c No"], [1, 0], &[[1, 3]]),
        ];
        for (why, list, pairs, others, contradictory) in table {
            let (labelled, found, both) = read(list);
            assert_eq!(
                (labelled.iter().map(String::as_str).collect::<Vec<_>>(), found),
                (pairs.to_vec(), *others),
                "{why}"
            );
            assert_eq!(both, *contradictory, "{why}");
        }
    }
}

#[cfg(test)]
mod tests;
