//! The readings of two texts that may be mostly the same: what both say alike is kept once.

use std::borrow::Cow;
use std::ops::Range;

use super::StemSequence;
use crate::interner::common_runs::Run;
use crate::parallel;

/// What two texts come to.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Pair {
    left: StemSequence,
    /// Right without the stems of the runs.
    right: StemSequence,
    /// What both have, as far as it is known: in the order of both. Where there is a run, no text
    /// has a break.
    runs: Vec<Shared>,
}

/// A run of stems that both texts have.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
struct Shared {
    run: Run,
    /// The stems of right before it that are in no run.
    own: usize,
}

impl From<[StemSequence; 2]> for Pair {
    /// Two texts of which no run is known.
    fn from([left, right]: [StemSequence; 2]) -> Self {
        Self { left, right, runs: Vec::new() }
    }
}

impl Pair {
    /// The words of each.
    pub fn words(&self) -> [usize; 2] {
        [self.left.words, self.right.words]
    }

    /// How many stems each has.
    pub fn lengths(&self) -> [usize; 2] {
        let own = self.right.stems.len();
        let behind = |last: &Shared| last.run.range(1).end + own - last.own;
        [self.left.stems.len(), self.runs.last().map_or(own, behind)]
    }

    /// The runs that both have, in the order of both; none is empty.
    pub fn runs(&self) -> impl ExactSizeIterator<Item = Run> + Clone {
        self.runs.iter().map(|shared| shared.run)
    }

    /// Where stems that others do not stand right before are in each; nowhere where there is a run.
    pub fn breaks(&self) -> [&[usize]; 2] {
        [&self.left.breaks, &self.right.breaks]
    }

    /// The stems of left, 0, or of right, 1, in a range. The cost is that of the range, but for a
    /// look for its beginning.
    pub fn stems(&self, side: usize, range: Range<usize>) -> Cow<'_, [u32]> {
        if side == 0 {
            return Cow::Borrowed(&self.left.stems[range]);
        }
        let mut parts = self.right_parts(range);
        let first = parts.next().unwrap_or_default();
        let mut stems = Cow::Borrowed(first);
        parts.for_each(|part| stems.to_mut().extend_from_slice(part));
        stems
    }

    /// Both texts as they are, with what both have in each.
    pub fn into_readings(mut self) -> [StemSequence; 2] {
        if !self.runs.is_empty() {
            let [_, length] = self.lengths();
            self.right.stems = self.stems(1, 0..length).into_owned();
        }
        [self.left, self.right]
    }

    /// Adds to right the stems of left from one on; its words are to be added to it.
    pub fn share(&mut self, first: usize) {
        let [end, right] = self.lengths();
        let run = Run { at: [first, right], length: end - first };
        let own = self.right.stems.len();
        self.runs.extend((run.length > 0).then_some(Shared { run, own }));
    }

    /// What left and right come to of their own, to be added to.
    pub fn sides(&mut self) -> [&mut StemSequence; 2] {
        [&mut self.left, &mut self.right]
    }

    /// Adds what comes behind, which was read with another memory. `place` tells where each of
    /// its stems stands among those of this one.
    pub fn append(&mut self, next: Self, place: impl Fn(u32) -> u32 + Sync) {
        let (before, own) = (self.lengths(), self.right.stems.len());
        self.runs.extend(next.runs.into_iter().map(|shared| Shared {
            run: Run { at: [0, 1].map(|side| before[side] + shared.run.at[side]), ..shared.run },
            own: own + shared.own,
        }));
        let bytes = size_of::<u32>() * (next.left.stems.len() + next.right.stems.len());
        parallel::join(
            bytes,
            || self.left.append(next.left, &place),
            || self.right.append(next.right, &place),
        );
    }

    /// What right consists of in a range: stems of its own and of runs, in turn.
    fn right_parts(&self, range: Range<usize>) -> impl Iterator<Item = &[u32]> {
        let mut next = self.runs.partition_point(|shared| shared.run.range(1).end <= range.start);
        let mut at = range.start;
        std::iter::from_fn(move || {
            if at >= range.end {
                return None;
            }
            let start = at;
            let shared = self.runs.get(next).filter(|shared| shared.run.at[1] <= start);
            Some(if let Some(Shared { run, .. }) = shared {
                at = run.range(1).end.min(range.end);
                next += 1;
                &self.left.stems[run.at[0]..][start - run.at[1]..at - run.at[1]]
            } else {
                let (end, own) = match self.runs.get(next) {
                    Some(shared) => (shared.run.at[1], shared.own),
                    None => (self.lengths()[1], self.right.stems.len()),
                };
                at = end.min(range.end);
                &self.right.stems[own + start - end..own + at - end]
            })
        })
    }
}

impl StemSequence {
    fn append(&mut self, next: Self, place: impl Fn(u32) -> u32) {
        let before = self.stems.len();
        self.words += next.words;
        self.breaks.extend(next.breaks.into_iter().map(|at| before + at));
        if before == 0 {
            self.stems = next.stems;
            self.stems.iter_mut().for_each(|stem| *stem = place(*stem));
        } else {
            self.stems.extend(next.stems.into_iter().map(place));
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn reading(stems: &[u32], breaks: &[usize]) -> StemSequence {
        StemSequence { words: stems.len() + 1, stems: stems.to_vec(), breaks: breaks.to_vec() }
    }

    #[test]
    fn what_comes_behind_is_numbered_anew() {
        let next = || Pair::from([reading(&[0, 1], &[1]), reading(&[2], &[])]);
        let mut pair = Pair::from([reading(&[0, 1], &[1]), StemSequence::default()]);
        pair.append(next(), |stem| stem + 5);
        let left = StemSequence { words: 6, stems: vec![0, 1, 5, 6], breaks: vec![1, 3] };
        assert_eq!(pair, Pair::from([left, reading(&[7], &[])]));
        assert_eq!(pair.breaks(), [&[1, 3][..], &[]]);
    }

    proptest! {
        /// Two parts of texts, each made of turns: what left has, what right has, and what both
        /// have, which may be nothing. Against whole texts.
        #[test]
        fn what_both_have_is_in_each(
            parts in proptest::collection::vec(proptest::collection::vec(
                (proptest::collection::vec(0_u32..9, 0..3), proptest::collection::vec(0_u32..9, 0..3), proptest::collection::vec(0_u32..9, 0..5)), 0..5), 2),
            (start, length) in (0_usize..30, 0_usize..30),
        ) {
            let mut whole: [Vec<u32>; 2] = Default::default();
            let mut runs = Vec::new();
            let pairs: Vec<Pair> = parts.iter().zip([0, 9]).map(|(turns, behind)| {
                let mut pair = Pair::default();
                for (left, right, both) in turns {
                    for (side, own) in [left, right].into_iter().enumerate() {
                        pair.sides()[side].stems.extend_from_slice(own);
                        whole[side].extend(own.iter().chain(both).map(|stem| stem + behind));
                    }
                    let [before, _] = pair.lengths();
                    pair.sides()[0].stems.extend_from_slice(both);
                    pair.share(before);
                    let at = whole.each_ref().map(|text| text.len() - both.len());
                    runs.extend((!both.is_empty()).then_some(Run { at, length: both.len() }));
                }
                pair
            }).collect();
            let [mut pair, next] = <[Pair; 2]>::try_from(pairs).unwrap();
            pair.append(next, |stem| stem + 9);
            prop_assert_eq!(pair.lengths(), whole.each_ref().map(Vec::len));
            prop_assert_eq!(pair.runs().collect::<Vec<_>>(), runs);
            for (side, whole) in whole.iter().enumerate() {
                let start = start.min(whole.len());
                let range = start..(start + length).min(whole.len());
                prop_assert_eq!(&*pair.stems(side, range.clone()), &whole[range]);
            }
            prop_assert_eq!(pair.into_readings().map(|reading| reading.stems), whole);
        }
    }
}
