//! Makes passages of exact and edited passages and of reworded sentences that are close together, and
//! tells which of their words are changed.

use std::ops::Range;

use super::MinMatch;
use super::align;
use super::choose::FoundPassage;
use super::clusters::{self, Cluster, Place};
use super::common::merge_ranges;
use super::pair::Pair;
use super::reworded;
use super::runs::{contain, extent, outside};
use crate::interner::common_runs::Run;

/// A passage by the words of a pair.
#[derive(Clone, Debug, Default)]
pub(super) struct Joined {
    /// The words from its first part to its last on each side.
    pub(super) place: Place,
    /// The indices of its exact and edited passages, in increasing order.
    pub(super) passages: Vec<usize>,
    /// The aligned runs; at least one.
    pub(super) runs: Vec<Run>,
    /// The words of its reworded sentences on each side, in order and disjoint.
    pub(super) reworded: [Vec<Range<usize>>; 2],
    /// The words on each side that are not aligned, in sentences that are, in order and disjoint.
    pub(super) changed: [Vec<Range<usize>>; 2],
    /// The words that repeat it on each side, in order.
    pub(super) repeats: [Vec<Range<usize>>; 2],
    /// The aligned words of these, in order.
    pub(super) repeated: [Vec<Range<usize>>; 2],
}

/// Whether reworded sentences are searched for. They take as long as all else.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Reworded {
    /// They are.
    Found,
    /// They are not.
    Skipped,
}

/// Joins the exact and edited passages of a pair, with the reworded sentences around them, and finds
/// the reworded passages. No two results overlap on either side.
///
/// `starts` returns the words that begin a sentence within disjoint ranges of a side; `None` if these are
/// not known. Then there are no reworded sentences.
pub(super) fn join(
    pair: &Pair,
    found: &[FoundPassage],
    min_match: MinMatch,
    starts: impl Fn(usize, &[Range<usize>]) -> Option<Vec<usize>> + Sync,
    reworded: Reworded,
) -> Vec<Joined> {
    let place = |it: &FoundPassage| [0, 1].map(|side| extent(&it.runs, side));
    let places: Vec<Place> = found.iter().map(place).collect();
    let known = clusters::join(pair, &places);
    let clusters = match reworded {
        Reworded::Found => reworded::join(pair, &places, known, min_match, &starts),
        Reworded::Skipped => known,
    };
    let of_cluster = |Cluster { place, passages, sentences, runs: of_sentences }: Cluster| {
        let runs: Vec<Run> = passages
            .iter()
            .flat_map(|at| found[*at].runs.iter().copied())
            .chain(of_sentences)
            .collect();
        let reworded = [0, 1]
            .map(|side: usize| merge_ranges(sentences.iter().map(|it| it[side].clone()).collect()));
        let all = |of: fn(&FoundPassage) -> &[Vec<Range<usize>>; 2], side: usize| {
            let mut all: Vec<_> =
                passages.iter().flat_map(|at| of(&found[*at])[side].clone()).collect();
            all.sort_unstable_by_key(|range| range.start);
            all
        };
        let repeats = [0, 1].map(|side| all(|it| &it.repeats, side));
        let repeated = [0, 1].map(|side| all(|it| &it.repeated, side));
        Joined { place, passages, runs, reworded, changed: Default::default(), repeats, repeated }
    };
    let mut joined: Vec<Joined> = clusters.into_iter().map(of_cluster).collect();
    for side in 0..2 {
        // The words that are not aligned, and those of them that are whole sentences: these are no copy.
        let gaps = |it: &Joined| {
            let of_passages = it.passages.iter().map(|at| extent(&found[*at].runs, side));
            let parts: Vec<_> = of_passages.chain(it.reworded[side].iter().cloned()).collect();
            gaps(parts, &it.runs, side)
        };
        let of_each: Vec<Vec<Range<usize>>> = joined.iter().map(gaps).collect();
        let beside = of_each.iter().flatten().map(|gap| gap.start.saturating_sub(1)..gap.end + 1);
        let beside = merge_ranges(beside.collect());
        let starts = if beside.is_empty() { None } else { starts(side, &beside) };
        for (it, gaps) in joined.iter_mut().zip(of_each) {
            let sentences = &it.reworded[side];
            let changed = |gap: Range<usize>| {
                let is_reworded = contain(sentences, gap.start);
                without_sentences(
                    gap,
                    starts.as_deref().filter(|_| !is_reworded).unwrap_or_default(),
                )
            };
            it.changed[side] = gaps.into_iter().flat_map(changed).collect();
        }
    }
    joined
}

/// Returns the words of disjoint parts of a side that are not aligned, in order.
fn gaps(mut parts: Vec<Range<usize>>, runs: &[Run], side: usize) -> Vec<Range<usize>> {
    parts.sort_unstable_by_key(|part| part.start);
    let mut aligned: Vec<_> = runs.iter().map(|run| run.range(side)).collect();
    aligned.sort_unstable_by_key(|range| range.start);
    let whole = |part: Range<usize>| Run { at: [part.start; 2], length: part.len() };
    let gaps = parts.into_iter().flat_map(|part| outside(whole(part), 0, &aligned));
    gaps.map(|gap| gap.range(0)).collect()
}

/// Returns the parts of a range of words that are not whole sentences. `starts` are the words that begin a
/// sentence, in order.
fn without_sentences(words: Range<usize>, starts: &[usize]) -> Vec<Range<usize>> {
    let first = starts.partition_point(|start| *start < words.start);
    let last = starts.partition_point(|start| *start <= words.end);
    let parts = match &starts[first..last] {
        [first, .., last] => vec![words.start..*first, *last..words.end],
        _ => vec![words],
    };
    parts.into_iter().filter(|part| !part.is_empty()).collect()
}

impl Joined {
    /// Cuts the passage to a place; `None` if no aligned word is left.
    pub(super) fn within(mut self, place: Place) -> Option<Self> {
        self.runs = self.runs.into_iter().filter_map(|run| align::within(run, &place)).collect();
        for (side, range) in place.iter().enumerate() {
            for words in [&mut self.reworded[side], &mut self.changed[side]] {
                let cut = words.iter().map(|it| it.start.max(range.start)..it.end.min(range.end));
                *words = cut.filter(|it| !it.is_empty()).collect();
            }
        }
        self.place = place;
        (!self.runs.is_empty()).then_some(self)
    }
}

/// The number of words of a side that passages have in common with the other side.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct Covered {
    /// The words that are the same: aligned, in a passage or where a text repeats it.
    pub same: usize,
    /// The words that are changed: not aligned, in sentences that are, or where a text repeats these.
    pub changed: usize,
}

impl Covered {
    /// Returns the number of all words that are covered.
    pub fn all(self) -> usize {
        self.same + self.changed
    }
}

/// The words of a text that passages have in common with other texts.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct CoveredWords {
    /// The words that are the same, as disjoint ranges in increasing order.
    same: Vec<Range<usize>>,
    /// The words that are the same or changed, as such ranges.
    all: Vec<Range<usize>>,
}

impl CoveredWords {
    /// Makes the words of ranges that may overlap: those that are aligned, and those that are aligned or
    /// changed.
    pub(super) fn new(aligned: Vec<Range<usize>>, all: Vec<Range<usize>>) -> Self {
        Self { same: merge_ranges(aligned), all: merge_ranges(all) }
    }

    /// Adds the words that the same text has in common with another one: a word counts once, and is the
    /// same if it is the same in either.
    pub fn add(&mut self, other: Self) {
        let Self { same, all } = std::mem::take(self);
        *self = Self::new([same, other.same].concat(), [all, other.all].concat());
    }

    /// Counts the words.
    pub fn count(&self) -> Covered {
        let words = |ranges: &[Range<usize>]| ranges.iter().map(Range::len).sum::<usize>();
        let same = words(&self.same);
        Covered { same, changed: words(&self.all) - same }
    }
}

#[cfg(test)]
mod covered_tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// The words are those of the union, and a word is the same if it is so in either.
        #[test]
        fn words_of_several_texts_are_counted_once(
            all in prop::collection::vec(
                prop::collection::vec((0..60_usize, 0..9_usize, any::<bool>()), 0..5),
                0..5,
            ),
        ) {
            let (mut same, mut covered) = (BTreeSet::new(), BTreeSet::new());
            let mut words = CoveredWords::default();
            for ranges in &all {
                let range = |(start, length, _): &(usize, usize, bool)| *start..start + length;
                let aligned: Vec<_> = ranges.iter().filter(|it| it.2).map(range).collect();
                let both: Vec<_> = ranges.iter().map(range).collect();
                same.extend(aligned.iter().cloned().flatten());
                covered.extend(both.iter().cloned().flatten());
                words.add(CoveredWords::new(aligned, both));
            }
            let changed = covered.len() - same.len();
            prop_assert_eq!(words.count(), Covered { same: same.len(), changed });
        }
    }
}
