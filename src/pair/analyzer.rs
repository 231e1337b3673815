//! Two texts → their sketches compared, and the passages that they share.
//!
//! What can be done side by side is, unless that would hold too much at once.

use super::matches::Matches;
use super::pair_sketch::PairSketch;
use super::vocabulary::SurfaceForms;
use super::vocabulary::{self, WordSequence};
use super::{Analyzed, Analyzer};
use crate::interner::common_runs::Run;
use crate::interner::{Pair, StemTable, read_pair};
use crate::language::Settled;
use crate::pair::{Recipe, Search};
use crate::parallel;
use crate::text::Text;
use crate::tokens::exclusions::Remaining;

/// Two texts, and what is left of them.
pub(crate) struct PairAnalyzer<'t> {
    pub(crate) texts: [&'t Text; 2],
    pub(crate) remaining: [&'t Remaining<'t>; 2],
}

impl PairAnalyzer<'_> {
    fn bytes(&self) -> usize {
        self.remaining.iter().map(|text| text.text().len()).sum()
    }

    /// What is held in addition to the texts to say where they stand in their files.
    fn beside(&self) -> usize {
        self.texts.iter().map(|text| text.beside()).sum()
    }

    /// Sketches both texts: those in one language [together](read_pair) where they are short
    /// or copies of one another, others side by side. The passages that they share come with
    /// them where those are always looked for and that does not take [too much memory](is_too_much).
    ///
    /// Reading for both ends at once is measured: without it, by one reading for the sketches and
    /// another for the passages, the default answer takes 217 ms in place of 186 on two halves of
    /// 11 MB, 184 in place of 163 on copies of 9 MB, 7.8 in place of 6.4 on 200 kB. Sketches alone
    /// have their own way as they need no places of words: by the other one, copies of 9 MB with
    /// `--quiet` would take 163 ms in place of 55.
    pub(super) fn sketch(
        &self,
        languages: &Settled,
        recipe: &Recipe,
    ) -> (PairSketch, Option<Matches>) {
        let in_one_language = languages.left.language == languages.right.language;
        let line = Analyzer::new(languages.left.language, recipe);
        let own_line = (!in_one_language).then(|| Analyzer::new(languages.right.language, recipe));
        let lines = [&line, own_line.as_ref().unwrap_or(&line)];
        if recipe.search == Search::Always
            && let Some(found) = self.sketch_and_find(lines, recipe)
        {
            return found;
        }
        let bytes = self.bytes();
        let sketched = |pair: Pair, distinct: StemTable| {
            (PairSketch::new(&pair, &distinct, (bytes, self.beside()), recipe.ngrams), None)
        };
        let texts @ [left, right] = self.remaining;
        if in_one_language && let Some(read) = read_pair(texts, || line.stages(), false) {
            return sketched(read.pair, read.distinct);
        }
        if in_one_language && !parallel::worth_parallel(bytes) {
            let (readings, distinct) = line.read(texts);
            return sketched(readings.into(), distinct);
        }
        let (left, right) =
            parallel::join(bytes, || lines[0].read([left]), || lines[1].read([right]));
        let (readings, distinct) = joined(left, right);
        sketched(readings.into(), distinct)
    }

    /// Does both at once, unless that takes too much memory.
    fn sketch_and_find(
        &self,
        lines @ [line, right_line]: [&Analyzer; 2],
        recipe: &Recipe,
    ) -> Option<(PairSketch, Option<Matches>)> {
        let (bytes, beside, ngrams) = (self.bytes(), self.beside(), recipe.ngrams);
        let in_one_language = std::ptr::eq(line, right_line);
        let is_together = in_one_language && !parallel::worth_parallel(bytes);
        if !is_together && begins_as_too_much(self.remaining, bytes) {
            return None;
        }
        let (words, texts) = self.read_written(in_one_language, is_together);
        if !is_together && is_too_much(texts.each_ref(), beside, bytes) {
            return None;
        }
        // What is done with is freed where it was needed, not all at the end.
        let of_sketch = &texts;
        let sketch = move || {
            let (pair, distinct) = words.stems(lines, of_sketch.each_ref(), bytes);
            PairSketch::new(&pair, &distinct, (bytes, beside), ngrams)
        };
        let find = || Some(self.matches(texts.clone(), recipe));
        Some(parallel::join(bytes, sketch, find))
    }

    /// Reads both texts with one memory, if they are short or copies of one another, or with one
    /// each.
    fn read_written(
        &self,
        in_one_language: bool,
        is_together: bool,
    ) -> (Vocabularies, [WordSequence; 2]) {
        if in_one_language && let Some((words, texts, runs)) = vocabulary::read_both(self.remaining)
        {
            return (Vocabularies::Together(words, runs), texts);
        }
        if is_together {
            let (words, texts) = vocabulary::read(self.remaining);
            return (Vocabularies::Together(words, Vec::new()), texts);
        }
        let [left, right] = self.remaining;
        let ((left_words, [left]), (right_words, [right])) =
            parallel::join(self.bytes(), || vocabulary::read([left]), || vocabulary::read([right]));
        (Vocabularies::Apart([left_words, right_words]), [left, right])
    }

    /// Finds the passages that both texts share, with nothing else available.
    pub(crate) fn find(&self, recipe: &Recipe) -> Matches {
        let [left, right] = self.remaining;
        let (left, right) = parallel::join(
            self.bytes(),
            || WordSequence::alone(left),
            || WordSequence::alone(right),
        );
        self.matches([left, right], recipe)
    }

    fn matches(&self, [left, right]: [WordSequence; 2], recipe: &Recipe) -> Matches {
        let [left_text, right_text] = self.texts;
        Matches::new((left_text, left), (right_text, right), recipe)
    }
}

/// The written words of two texts.
enum Vocabularies {
    /// Of both, and the runs of words that both are known to have.
    Together(SurfaceForms, Vec<Run>),
    /// Of each.
    Apart([SurfaceForms; 2]),
}

impl Vocabularies {
    /// The stems of two texts of `bytes` bytes together.
    fn stems(
        self,
        [line, right_line]: [&Analyzer; 2],
        texts @ [left, right]: [&WordSequence; 2],
        bytes: usize,
    ) -> (Pair, StemTable) {
        let (readings, distinct) = match self {
            Self::Together(words, runs) if runs.is_empty() => line.reduce_all(&words, texts),
            Self::Together(words, runs) => return line.reduce_alike(&words, texts, &runs),
            Self::Apart([of_left, of_right]) if std::ptr::eq(line, right_line) => {
                line.reduce_both((of_left, left), (of_right, right))
            }
            Self::Apart([of_left, of_right]) => {
                let left = move || line.reduce_all(&of_left, [left]);
                let right = move || right_line.reduce_all(&of_right, [right]);
                let (left, right) = parallel::join(bytes, left, right);
                joined(left, right)
            }
        };
        (readings.into(), distinct)
    }
}

/// The stems of two texts that have a lexicon each as those of one.
fn joined(([left], mut distinct): Analyzed<1>, ([mut right], others): Analyzed<1>) -> Analyzed<2> {
    let places = distinct.append(&others);
    right.stems.iter_mut().for_each(|stem| *stem += places.start);
    ([left, right], distinct)
}

/// Bytes for each word of both texts that it takes to sketch them and to find their passages at
/// once, and for each distinct one.
const A_WORD: usize = 12;
const A_DISTINCT_WORD: usize = 80;

/// Bytes that texts of any size may take.
const ANY: usize = 1 << 25;

/// The beginning of a text that is looked at first is one part in this many of it.
const PARTS: usize = 64;

/// The bytes that it takes to sketch texts and to find their passages at once.
fn takes(texts: [&WordSequence; 2]) -> usize {
    let of = |text: &WordSequence| {
        A_WORD * text.sequence.words.len() + A_DISTINCT_WORD * text.sequence.distinct.stems.len()
    };
    texts.into_iter().map(of).sum()
}

/// Whether it takes too much memory to sketch two texts of `bytes` bytes together, beside `beside` bytes of
/// other data, and to find their passages at the same time: where they have very many words a
/// kilobyte, or ever new ones.
fn is_too_much(texts: [&WordSequence; 2], beside: usize, bytes: usize) -> bool {
    takes(texts) + beside > 4 * bytes + ANY
}

/// Whether that can be reported by how the texts begin. The beginning of any text has more distinct
/// words to the kilobyte than all of it.
fn begins_as_too_much(texts: [&Remaining; 2], bytes: usize) -> bool {
    let beginning = |text: &Remaining| {
        let text = text.text();
        WordSequence::alone(&Remaining::all(&text[..text.floor_char_boundary(text.len() / PARTS)]))
    };
    let [left, right] = texts.map(beginning);
    takes([&left, &right]) > (8 * bytes + ANY) / PARTS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_takes_too_much_is_told_by_words_and_by_distinct_ones() {
        let million =
            |words: &dyn Fn(usize) -> String| (0..1_000_000).map(words).collect::<String>();
        let letters = |at: usize| "ab ".to_owned() + ["c ", "d "][at % 2];
        #[rustfmt::skip]
        let table: &[(&str, String, bool, bool)] = &[
            ("nothing",             String::new(),                              false, false),
            ("few words in little", "a b c ".repeat(1000),                      false, false),
            ("words that recur",    million(&|at| format!("word{} ", at % 9)),  false, false),
            ("many words",          million(&letters),                          false, false),
            ("ever new words",      million(&|at| format!("w{at} ")),           true,  true),
            ("new words at the end", "word ".repeat(1_000_000) + &million(&|at| format!("w{at} ")), true, false),
        ];
        for (why, text, whole, beginning) in table {
            let remaining = Remaining::all(text);
            let written = WordSequence::alone(&remaining);
            let bytes = 2 * text.len();
            assert_eq!(is_too_much([&written, &written], 0, bytes), *whole, "{why}");
            let beside = (4 * bytes + ANY).saturating_sub(takes([&written, &written]));
            assert!(!is_too_much([&written; 2], beside, bytes) || *whole, "{why}");
            assert!(is_too_much([&written; 2], beside + 1, bytes), "{why}");
            assert_eq!(begins_as_too_much([&remaining, &remaining], bytes), *beginning, "{why}");
        }
    }
}
