//! The stems of two texts → what their sets of shingles share, and how they vote.
//!
//! A window that lies within a run that both texts have is composed once. The set of a text is
//! what both have and what it has of its own. Windows are composed by halves of the texts, and
//! compared by halves of the residues: those with the highest bit 0, and those with it 1.

use std::ops::Range;

use crate::alike;
use crate::jaccard::Overlap;
use crate::lexicon::{Distinct, Pair};
use crate::shingles::{self, Ngrams, Part, Residues, Shingles, Windows};
use crate::simhash::{Votes, vote};
use crate::threads;

/// The stems of two texts.
pub(super) struct Stemmed<'s> {
    pub(super) pair: &'s Pair,
    /// What the stems of both are places in.
    pub(super) distinct: &'s Distinct,
}

/// What two sets, or parts of them, come to.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) struct Sets {
    /// What they share: of all sizes, and of the greatest.
    pub(super) overlaps: [Overlap; 2],
    /// The votes of each.
    pub(super) votes: [Votes; 2],
}

impl Sets {
    /// Two empty ones.
    pub(super) fn empty() -> Self {
        Self { overlaps: [Overlap::default(); 2], votes: [vote(&[]); 2] }
    }

    /// Adds other parts, which have no shingle of these.
    pub(super) fn add(&mut self, others: &Self) {
        for (own, others) in self.overlaps.iter_mut().zip(others.overlaps) {
            *own = own.and(others);
        }
        self.votes.iter_mut().zip(&others.votes).for_each(|(own, others)| own.add(others));
    }

    /// A part of the sets of two texts of so many bytes together.
    pub(super) fn part(stemmed: &Stemmed, bytes: usize, ngrams: Ngrams, part: Part) -> Self {
        let starts = stemmed.starts(shingles::reach(stemmed.distinct, ngrams));
        let compose = |half: usize| stemmed.compose(&starts, half, ngrams, part);
        let ([low, high], [other_low, other_high]) =
            threads::side_by_side(bytes, || compose(0), || compose(1));
        let (mut sets, others) = threads::side_by_side(
            bytes,
            || Self::of(low, other_low, ngrams),
            || Self::of(high, other_high, ngrams),
        );
        sets.add(&others);
        sets
    }

    /// Of windows of the first halves of two texts and of the second: those of both, of left and
    /// of right.
    fn of(mut windows: [Residues; 3], others: [Residues; 3], ngrams: Ngrams) -> Self {
        windows.iter_mut().zip(others).for_each(|(own, others)| own.add(others));
        let [both, mut left, mut right] = windows.map(|residues| residues.shingles(ngrams));
        left.remove(&both);
        right.remove(&both);
        let overlap = |members: fn(&Shingles) -> &[u64]| {
            let all = members(&both).len();
            Overlap { shared: all, left: all, right: all }
                .and(Overlap::of(members(&left), members(&right)))
        };
        let longest = overlap(Shingles::longest);
        let all = if both.are_of_one_size() { longest } else { overlap(Shingles::all) };
        let mut votes = [vote(both.all()); 2];
        votes[0].add(&vote(left.all()));
        votes[1].add(&vote(right.all()));
        Self { overlaps: [all, longest], votes }
    }
}

impl Stemmed<'_> {
    /// The stems at which windows begin that lie within a run, as left has them, and all others
    /// of left and of right. No window has more stems behind its first than `reach`.
    fn starts(&self, reach: usize) -> [Vec<Range<usize>>; 3] {
        let mut starts: [Vec<Range<usize>>; 3] = Default::default();
        let lengths = self.pair.lengths();
        let mut own = [0, 0];
        for (_, run) in alike::turns(self.pair.runs(), lengths) {
            let within = run.length.saturating_sub(reach);
            if within == 0 && run.at != lengths {
                continue;
            }
            starts[0].push(run.at[0]..run.at[0] + within);
            for side in [0, 1] {
                starts[1 + side].push(own[side]..run.at[side]);
                own[side] = run.at[side] + within;
            }
        }
        starts
    }

    /// The residues of the windows that begin in one half of the texts, 0 or 1: of those with the
    /// highest bit 0 and of those with it 1.
    fn compose(
        &self,
        starts: &[Vec<Range<usize>>; 3],
        half: usize,
        ngrams: Ngrams,
        part: Part,
    ) -> [[Residues; 3]; 2] {
        let reach = shingles::reach(self.distinct, ngrams);
        let [both, left, right] = [0, 1, 2].map(|whose| {
            let side = whose / 2;
            let (breaks, length) = (self.pair.breaks()[side], self.pair.lengths()[side]);
            let of_half = [0..length / 2, length / 2..length][half].clone();
            let starts = starts[whose]
                .iter()
                .map(|starts| starts.start.max(of_half.start)..starts.end.min(of_half.end));
            let count = starts.clone().map(|starts| starts.len()).sum();
            let mut windows = Windows::new(self.distinct, ngrams, part, count);
            for Range { start, end } in starts.filter(|starts| !starts.is_empty()) {
                // Whole where breaks are told by their places; there are no runs then.
                let around =
                    if breaks.is_empty() { start..length.min(end + reach) } else { 0..length };
                let stems = self.pair.stems(side, around.clone());
                windows.compose(&stems, breaks, start - around.start..end - around.start);
            }
            windows.into_halves()
        });
        let ([both, high_both], [left, high_left], [right, high_right]) = (both, left, right);
        [[both, left, right], [high_both, high_left, high_right]]
    }
}
