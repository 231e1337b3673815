//! A text → its words as they are written, and where each stands.

use std::ops::Range;
use std::sync::Arc;

use super::common_runs::{self, Alike};
use super::surface_forms::{SurfaceForms, Words};
use crate::interner::common_runs::Run;
use crate::interner::{Interner, Spot, StemSequence, StemTable, WordOffsets};
use crate::passages::Sequence;
use crate::stems::Stems;
use crate::text::Text;
use crate::tokens::Tokens;
use crate::tokens::exclusions::Remaining;

/// The words of a text as they are written.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub(crate) struct WordSequence {
    pub(crate) sequence: Sequence,
    /// How many there are.
    pub(crate) words: usize,
    pub(crate) marks: WordOffsets,
}

/// Takes words as they are written for their stems.
#[expect(clippy::needless_pass_by_value, reason = "the stages of a lexicon")]
pub(crate) fn stems(words: Tokens, _: &str) -> Stems {
    words.0.iter().map(|token| &*token.word).collect()
}

/// The words of texts that are read with one memory, of which only what was written is kept.
pub(crate) fn read<const TEXTS: usize>(
    texts: [&Remaining; TEXTS],
) -> (SurfaceForms, [WordSequence; TEXTS]) {
    let bytes = texts.iter().map(|text| text.text().len()).sum();
    let mut memory = Words::new(bytes, SurfaceForms::default());
    let readings = texts.map(|text| memory.read_with_marks(text.text(), text.spans()));
    let (keeper, distinct) = memory.into_parts();
    let distinct = Arc::new(distinct);
    (keeper, readings.map(|(reading, marks)| written(reading, marks, Arc::clone(&distinct))))
}

/// The words of two texts that are read together, and the runs of words that both have; none
/// where [they are not](common_runs::read).
pub(crate) fn read_both(
    texts: [&Remaining; 2],
) -> Option<(SurfaceForms, [WordSequence; 2], Vec<Run>)> {
    let read = common_runs::read(texts, SurfaceForms::default, true)?;
    let Alike { pair, marks: [left_marks, right_marks], stages: keeper, distinct } = read;
    let (runs, distinct) = (pair.runs().collect(), Arc::new(distinct));
    let [left, right] = pair.into_readings();
    let left = written(left, left_marks, Arc::clone(&distinct));
    Some((keeper, [left, written(right, right_marks, distinct)], runs))
}

fn written(
    StemSequence { words, stems: places, breaks }: StemSequence,
    marks: WordOffsets,
    distinct: Arc<StemTable>,
) -> WordSequence {
    WordSequence { sequence: Sequence { words: places, distinct, breaks }, words, marks }
}

impl WordSequence {
    /// All words of a text.
    pub(crate) fn of(text: &Text) -> Self {
        Self::alone(&Remaining::all(text.content()))
    }

    /// The words that are left of a text, read for nothing but where they stand and which are
    /// the same.
    pub(crate) fn alone(text: &Remaining) -> Self {
        let mut memory = Interner::new(text.text().len(), stems);
        let (reading, marks) = memory.read_with_marks(text.text(), text.spans());
        written(reading, marks, Arc::new(memory.into_stems()))
    }

    /// The longest parts of ranges of words that share no character with other words, and where
    /// they stand in the text's content, in the same order. No two spans overlap where no two
    /// ranges do; a part may be empty, and so is its span then.
    pub(crate) fn whole(&self, text: &Text, ranges: &[Range<usize>]) -> Vec<Spot> {
        let filled = || ranges.iter().filter(|range| !range.is_empty());
        let mut ends: Vec<usize> =
            filled().flat_map(|range| [range.start, range.end - 1]).collect();
        ends.sort_unstable();
        ends.dedup();
        let spots = self.marks.spots(text.content(), ends.iter().copied());
        let spot = |word: usize| &spots[ends.partition_point(|end| *end < word)];
        let whole = |range: &Range<usize>| {
            if range.is_empty() {
                return Spot { span: 0..0, words: range.clone() };
            }
            let (first, last) = (spot(range.start), spot(range.end - 1));
            let is_cut = [first.words.start < range.start, last.words.end > range.end];
            let start = if is_cut[0] { first.words.end } else { range.start };
            let end = if is_cut[1] { last.words.start } else { range.end };
            Spot { span: first.span.start..last.span.end, words: start..end.max(start) }
        };
        let found: Vec<Spot> = ranges.iter().map(whole).collect();
        if found.iter().zip(ranges).all(|(spot, range)| spot.words == *range) {
            return found;
        }
        // The words that are first or last now stand elsewhere.
        self.whole(text, &found.into_iter().map(|spot| spot.words).collect::<Vec<_>>())
    }

    /// Of ranges of words, in their order and apart, those behind the first one of a range that
    /// begin a sentence; no range has words from both sides of a break.
    pub(crate) fn sentences(&self, text: &Text, ranges: &[Range<usize>]) -> Vec<usize> {
        self.marks.sentences(text.content(), ranges)
    }

    /// Where the longest parts of ranges of words stand that share no character with others;
    /// none is empty.
    pub(crate) fn spans(&self, text: &Text, ranges: &[Range<usize>]) -> Vec<Range<usize>> {
        let filled = self.whole(text, ranges).into_iter().filter(|spot| !spot.words.is_empty());
        filled.map(|spot| spot.span).collect()
    }
}
