//! Two texts in one language → their stems, by one interner: what both have in common is read once.

use crate::interner::common_runs;
use crate::interner::{Interner, Pair, Stages, StemTable, WordOffsets};
use crate::parallel;
use crate::tokens::exclusions::Remaining;

/// The stems of two texts, the offsets of their words, and the stages that they were read with.
pub(super) struct ReadPair<S> {
    pub(super) pair: Pair,
    /// Empty unless they were asked for.
    pub(super) marks: [WordOffsets; 2],
    pub(super) stages: S,
    pub(super) distinct: StemTable,
}

/// Reads two texts with one memory, or long ones half by half side by side, with what `stages`
/// gives for each. Where words stand is reported, if `is_marked`. None where something was left out
/// of a text, and where long ones do not agree in their middle: those are read text by text.
pub(super) fn read<S: Stages + Send>(
    texts: [&Remaining; 2],
    stages: impl Fn() -> S + Sync,
    is_marked: bool,
) -> Option<ReadPair<S>> {
    if !texts.iter().all(|text| text.is_whole()) {
        return None;
    }
    let texts = texts.map(Remaining::text);
    let bytes = texts.iter().map(|text| text.len()).sum();
    if !parallel::worth_parallel(bytes) {
        return Some(ReadPair::read(texts, stages(), is_marked));
    }
    let middle = common_runs::middle(texts)?;
    let [(left, left_end), (right, right_end)] =
        [0, 1].map(|side| texts[side].split_at(middle[side]));
    let (first, second) = parallel::join(
        bytes,
        || ReadPair::read([left, right], stages(), is_marked),
        || ReadPair::read([left_end, right_end], stages(), is_marked),
    );
    Some(first.followed_by(second, middle))
}

impl<S: Stages> ReadPair<S> {
    fn read(texts: [&str; 2], stages: S, is_marked: bool) -> Self {
        let longest = texts.map(str::len).into_iter().max().unwrap_or_default();
        let mut lexicon = Interner::new(longest, stages);
        let (pair, marks) = lexicon.read_both(texts, is_marked);
        let (stages, distinct) = lexicon.into_parts();
        Self { pair, marks, stages, distinct }
    }

    /// With what comes behind, which begins at such bytes.
    fn followed_by(mut self, next: Self, starts: [usize; 2]) -> Self {
        let counts = [&self.distinct, &next.distinct].map(|known| known.stems.len());
        let places = self.stages.join(&next.stages, counts);
        self.distinct.join(&next.distinct, &places);
        let words = self.pair.words();
        for (side, marks) in next.marks.into_iter().enumerate() {
            self.marks[side].append(marks, (words[side], starts[side]));
        }
        self.pair.append(next.pair, |stem| places[stem as usize]);
        self
    }
}
