//! The stems of two texts → what their sets of shingles share, and how they vote.
//!
//! A window that lies within a run that both texts have is composed once. The set of a text is
//! what both have and what it has of its own. Windows are composed by halves of the texts, and
//! compared in parts by the highest bits of their residues.

use std::ops::Range;

use crate::interner::common_runs;
use crate::interner::{Pair, StemTable};
use crate::jaccard::Overlap;
use crate::parallel;
use crate::shingles::{self, Grouping, Members, Ngrams, Part, ResidueBuffer, Windows};
use crate::simhash::{Votes, vote};

/// The stems of two texts.
pub(super) struct Stemmed<'s> {
    pub(super) pair: &'s Pair,
    /// What the stems of both are places in.
    pub(super) distinct: &'s StemTable,
}

/// What two sets, or parts of them, come to.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) struct Sets {
    /// What they share: of all sizes, and of the greatest.
    pub(super) overlaps: [Overlap; 2],
    /// The votes of each.
    pub(super) votes: [Votes; 2],
    /// How many shingles of either have the residue of another one.
    pub(super) collisions: usize,
}

impl Sets {
    /// Two empty ones.
    pub(super) fn empty() -> Self {
        Self { overlaps: [Overlap::default(); 2], votes: [vote(&[]); 2], collisions: 0 }
    }

    /// Adds other parts, which have no shingle of these.
    pub(super) fn add(&mut self, others: &Self) {
        for (own, others) in self.overlaps.iter_mut().zip(others.overlaps) {
            *own = own.and(others);
        }
        self.votes.iter_mut().zip(&others.votes).for_each(|(own, others)| own.add(others));
        self.collisions += others.collisions;
    }

    /// A part of the sets of two texts of so many bytes together.
    pub(super) fn part(stemmed: &Stemmed, bytes: usize, ngrams: Ngrams, part: Part) -> Self {
        let starts = stemmed.starts(shingles::reach(stemmed.distinct, ngrams));
        let compose = |half: usize| stemmed.compose(&starts, half, ngrams, part);
        let (windows, others) = parallel::join(bytes, || compose(0), || compose(1));
        let both: Vec<[ResidueBuffer; 2]> =
            windows.into_iter().zip(others).map(|(one, other)| [one, other]).collect();
        let (low, high) = both.split_at(both.len() / 2);
        let (mut sets, others) = parallel::join(bytes, || Self::of(low), || Self::of(high));
        sets.add(&others);
        sets
    }

    /// Of the windows of both texts, in parts.
    fn of(parts: &[[ResidueBuffer; 2]]) -> Self {
        let mut sets = Self::empty();
        let mut counts = [0; Members::COUNT];
        // The residues of a part that vote for left, for right, for both.
        let mut voting = [const { Vec::new() }; 3];
        let mut grouping = Grouping::default();
        for [one, other] in parts {
            let collisions = grouping.each_distinct(&[one, other], |residue, _, members| {
                counts[members.number()] += 1;
                let voters = usize::from(members.is_in(0)) + 2 * usize::from(members.is_in(1));
                voting[voters.saturating_sub(1)].push(residue);
            });
            sets.collisions += collisions;
            for (residues, voters) in voting.iter_mut().zip(1..) {
                sets.count_votes(voters, residues);
            }
        }
        let [all, longest] = &mut sets.overlaps;
        for (members, count) in Members::all().zip(counts) {
            all.add([0, 1].map(|side| members.is_in(side)), count);
            longest.add([0, 1].map(|side| members.is_longest_in(side)), count);
        }
        sets
    }

    /// Counts the votes of residues that are in left (1), right (2) or both (3).
    fn count_votes(&mut self, voters: usize, residues: &mut Vec<u64>) {
        if residues.is_empty() {
            return;
        }
        let sums = vote(residues);
        for (side, own) in self.votes.iter_mut().enumerate() {
            if voters >> side & 1 == 1 {
                own.add(&sums);
            }
        }
        residues.clear();
    }
}

impl Stemmed<'_> {
    /// The stems at which windows begin that lie within a run, as left has them, and all others
    /// of left and of right. No window has more stems behind its first than `reach`.
    fn starts(&self, reach: usize) -> [Vec<Range<usize>>; 3] {
        let mut starts: [Vec<Range<usize>>; 3] = Default::default();
        let lengths = self.pair.lengths();
        let mut own = [0, 0];
        for (_, run) in common_runs::turns(self.pair.runs(), lengths) {
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

    /// The windows that begin in one half of the texts, 0 or 1, in as many parts as those of the
    /// other half.
    fn compose(
        &self,
        starts: &[Vec<Range<usize>>; 3],
        half: usize,
        ngrams: Ngrams,
        part: Part,
    ) -> Vec<ResidueBuffer> {
        let reach = shingles::reach(self.distinct, ngrams);
        let of_half = |whose: usize| {
            let length = self.pair.lengths()[whose / 2];
            let of_half = [0..length / 2, length / 2..length][half].clone();
            let starts = starts[whose].iter();
            starts.map(move |starts| starts.start.max(of_half.start)..starts.end.min(of_half.end))
        };
        let counts = [0, 1, 2].map(|whose| of_half(whose).map(|starts| starts.len()).sum());
        let all: usize = starts.iter().flatten().map(ExactSizeIterator::len).sum();
        let mut windows = Windows::new(self.distinct, ngrams, part, all / 2);
        let members = [Members::BOTH, Members::LEFT, Members::RIGHT];
        for (whose, (members, count)) in members.into_iter().zip(counts).enumerate() {
            let side = whose / 2;
            let (breaks, length) = (self.pair.breaks()[side], self.pair.lengths()[side]);
            windows.begin(members, count);
            for Range { start, end } in of_half(whose).filter(|starts| !starts.is_empty()) {
                // Whole where breaks are told by their places; there are no runs then.
                let around =
                    if breaks.is_empty() { start..length.min(end + reach) } else { 0..length };
                let stems = self.pair.stems(side, around.clone());
                windows.compose(&stems, breaks, start - around.start..end - around.start);
            }
        }
        windows.into_parts()
    }
}
