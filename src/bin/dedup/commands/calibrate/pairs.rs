//! Lines → the texts that they name and the pairs to compare, each once.

use std::collections::{BTreeMap, HashMap};
use std::path::{Component, Path, PathBuf};

use dedup_text::calibration::Label;
use dedup_text::text::display_path;

use crate::commands::calibrate::lines::{Line, Lines};
use crate::io::identity::FileId;

/// The pairs of a list.
#[derive(Debug, Default)]
pub(crate) struct Pairs {
    /// What the texts go by, in the order of their names by bytes.
    pub(crate) names: Vec<String>,
    /// Where they are.
    pub(crate) paths: Vec<PathBuf>,
    /// Left and right, by their places among the texts, and the label; in the order of the
    /// texts.
    pub(crate) labelled: Vec<([u32; 2], Label)>,
    /// Lines with a pair that a line before has, with the same label.
    pub(crate) repeated: usize,
    /// Lines with one text twice.
    pub(crate) with_itself: usize,
    /// Pairs that have both labels: the first line of either.
    pub(crate) contradictory: Vec<[usize; 2]>,
}

/// What the lines say of a pair.
struct Said {
    texts: [u32; 2],
    label: Label,
    line: usize,
    /// The first line that says otherwise.
    otherwise: Option<usize>,
}

impl Pairs {
    /// The pairs of lines, whose texts are looked up from a folder. Two names of one file are
    /// one text.
    pub(crate) fn of(lines: &Lines, base: &Path) -> Self {
        let mut pairs = Self::default();
        let numbers = pairs.number(&lines.pairs, base);
        let mut said: BTreeMap<[u32; 2], Said> = BTreeMap::new();
        for (line, texts) in lines.pairs.iter().zip(numbers) {
            let [left, right] = texts;
            if left == right {
                pairs.with_itself += 1;
                continue;
            }
            match said.get_mut(&[left.min(right), left.max(right)]) {
                None => {
                    let new = Said { texts, label: line.label, line: line.number, otherwise: None };
                    said.insert([left.min(right), left.max(right)], new);
                }
                Some(known) if known.label == line.label => pairs.repeated += 1,
                Some(known) => {
                    known.otherwise.get_or_insert(line.number);
                }
            }
        }
        for said in said.into_values() {
            match said.otherwise {
                None => pairs.labelled.push((said.texts, said.label)),
                Some(line) => pairs.contradictory.push([said.line, line]),
            }
        }
        pairs.contradictory.sort_unstable();
        pairs
    }

    /// Numbers the texts; the numbers of each line.
    fn number(&mut self, lines: &[Line], base: &Path) -> Vec<[u32; 2]> {
        let mut by_name: BTreeMap<PathBuf, u32> = BTreeMap::new();
        for name in lines.iter().flat_map(|line| &line.names) {
            by_name.entry(plain(name)).or_insert(0);
        }
        let mut by_file: HashMap<FileId, u32> = HashMap::new();
        for (name, number) in &mut by_name {
            let path = base.join(name);
            *number = *by_file.entry(FileId::of(&path)).or_insert_with(|| {
                self.names.push(display_path(name).into_owned());
                self.paths.push(path);
                u32::try_from(self.names.len() - 1).expect("a list names fewer than 2^32 texts")
            });
        }
        let number = |name: &PathBuf| by_name.get(&plain(name)).copied().unwrap_or_default();
        lines.iter().map(|line| line.names.each_ref().map(number)).collect()
    }
}

/// A name without what says nothing: `./a//b` is `a/b`.
fn plain(name: &Path) -> PathBuf {
    let parts = name.components().filter(|part| *part != Component::CurDir);
    parts.collect()
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::commands::calibrate::lines::Labels;

    /// The names of the pairs, and what is told of the other lines.
    fn read(list: &str) -> (Vec<String>, [usize; 2], Vec<[usize; 2]>) {
        let labels = Labels::new([vec!["yes"], vec!["no"]], false);
        let lines = Lines::read(list.as_bytes(), &labels, |_| true);
        let pairs = Pairs::of(&lines, Path::new("nowhere"));
        let name = |text: u32| &pairs.names[text as usize];
        let told = pairs
            .labelled
            .iter()
            .map(|([left, right], label)| format!("{} {} {label:?}", name(*left), name(*right)));
        (told.collect(), [pairs.repeated, pairs.with_itself], pairs.contradictory)
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
            let (told, found, both) = read(list);
            assert_eq!(
                (told.iter().map(String::as_str).collect::<Vec<_>>(), found),
                (pairs.to_vec(), *others),
                "{why}"
            );
            assert_eq!(both, *contradictory, "{why}");
        }
    }
}
