//! A text → its words as they are written, and where each stands.

use std::ops::Range;

use super::vocabulary::{Keeper, Words};
use crate::exclusions::Remaining;
use crate::lexicon::{Distinct, Marks, Reading};
use crate::passages::{Sequence, Word};
use crate::text::Text;

/// The words of a text as they are written.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub(super) struct Written {
    pub(super) sequence: Sequence,
    /// How many there are.
    pub(super) words: usize,
    pub(super) marks: Marks,
}

/// The words of texts that are read with one memory.
pub(super) fn read<const TEXTS: usize>(texts: [&Remaining; TEXTS]) -> (Words, [Written; TEXTS]) {
    let bytes = texts.iter().map(|text| text.text().len()).sum();
    let mut memory = Words::new(bytes, Keeper::default());
    let readings = texts.map(|text| memory.read_with_marks(text.text(), text.spans()));
    let distinct = distinct_words(memory.stems());
    let written = readings.map(|(Reading { words, stems: places, breaks }, marks)| Written {
        sequence: Sequence { words: places, breaks, distinct: distinct.clone() },
        words,
        marks,
    });
    (memory, written)
}

impl Written {
    /// All words of a text.
    pub(super) fn of(text: &Text) -> Self {
        let [written] = read([&Remaining::all(text.content())]).1;
        written
    }

    /// Where ranges of words stand in the text's content, in the same order; none is empty
    /// and none overlaps another.
    pub(super) fn spans(&self, text: &Text, ranges: &[Range<usize>]) -> Vec<Range<usize>> {
        let mut ends: Vec<usize> =
            ranges.iter().flat_map(|range| [range.start, range.end - 1]).collect();
        ends.sort_unstable();
        ends.dedup();
        let spans = self.marks.spans(text.content(), ends.iter().copied());
        let span = |word: usize| &spans[ends.partition_point(|end| *end < word)];
        ranges.iter().map(|range| span(range.start).start..span(range.end - 1).end).collect()
    }
}

/// The distinct words of a lexicon that keeps words as they are.
fn distinct_words(distinct: &Distinct) -> Vec<Word> {
    let more = |k: usize| distinct.more.get(k).copied().unwrap_or_default();
    let words = distinct.stems.iter().enumerate();
    words
        .map(|(k, word)| Word { residue: word.residue, suffix: word.suffix, more: more(k) })
        .collect()
}
