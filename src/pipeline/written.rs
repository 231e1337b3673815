//! A text → its words as they are written, and where each stands.

use std::ops::Range;

use super::vocabulary::{Keeper, Words};
use crate::exclusions::Remaining;
use crate::lexicon::{Distinct, Marks, Reading, Stem};
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

/// The words of texts that are read with one memory, of which only what was written is kept.
pub(super) fn read<const TEXTS: usize>(texts: [&Remaining; TEXTS]) -> (Keeper, [Written; TEXTS]) {
    let bytes = texts.iter().map(|text| text.text().len()).sum();
    let mut memory = Words::new(bytes, Keeper::default());
    let readings = texts.map(|text| memory.read_with_marks(text.text(), text.spans()));
    let (keeper, Distinct { stems, more }) = memory.into_parts();
    let word = |stem: Stem| Word { residue: stem.residue(), suffix: stem.suffix };
    let mut known = (stems.into_iter().map(word).collect::<Vec<_>>(), more);
    let mut others = TEXTS;
    let written = readings.map(|(Reading { words, stems: places, breaks }, marks)| {
        others -= 1;
        let (distinct, more) = if others > 0 { known.clone() } else { std::mem::take(&mut known) };
        Written { sequence: Sequence { words: places, distinct, more, breaks }, words, marks }
    });
    (keeper, written)
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
