//! A text → its words as they are written, and where each stands.

use std::ops::Range;

use super::vocabulary::{Keeper, Words};
use crate::lexicon::{Distinct, Marks};
use crate::passages::{Sequence, Word};
use crate::text::Text;

/// The words of a text as they are written.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub(super) struct Written {
    pub(super) sequence: Sequence,
    pub(super) marks: Marks,
}

impl Written {
    /// All words of a text.
    pub(super) fn of(text: &Text) -> Self {
        let content = text.content();
        let mut lexicon = Words::new(content.len(), Keeper::default());
        let (reading, marks) = lexicon.read_with_marks(content, std::iter::once(0..content.len()));
        let distinct = distinct_words(lexicon.stems());
        Self {
            sequence: Sequence { words: reading.stems, breaks: reading.breaks, distinct },
            marks,
        }
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
pub(super) fn distinct_words(distinct: &Distinct) -> Vec<Word> {
    let more = |k: usize| distinct.more.get(k).copied().unwrap_or_default();
    let words = distinct.stems.iter().enumerate();
    words
        .map(|(k, word)| Word { residue: word.residue, suffix: word.suffix, more: more(k) })
        .collect()
}
