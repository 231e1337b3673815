//! The stems of two texts → what their sets of shingles share, and how they vote.
//!
//! A window that lies within a run that both texts have is composed once. The set of a text is
//! what both have and what it has of its own. Windows are composed by halves of the texts, and
//! compared in parts by the highest bits of their residues.

use std::ops::Range;

use crate::interner::{Pair, StemTable, common_runs};
use crate::jaccard::Overlap;
use crate::parallel;
use crate::shingles::{self, Grouping, Members, Ngrams, Part, ResidueBuffer, Windows};
use crate::simhash::{Votes, vote};
use crate::sketch::Summary;
use crate::verdict::comparison::Comparison;

/// The stems of two texts.
pub(super) struct Stemmed<'s> {
    pub(super) pair: &'s Pair,
    /// What the stems of both are places in.
    pub(super) distinct: &'s StemTable,
}

/// The overlaps, votes and collisions of two sets, or of parts of them.
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

    /// A part of the sets of two texts of `bytes` bytes together.
    pub(super) fn part(stemmed: &Stemmed, bytes: usize, ngrams: Ngrams, part: Part) -> Self {
        let starts = stemmed.starts(shingles::reach(stemmed.distinct, ngrams));
        let compose = |half: usize| stemmed.compose(&starts, half, ngrams, part);
        let (windows, others) = parallel::join(bytes, || compose(0), || compose(1));
        let both: Vec<[ResidueBuffer; 2]> =
            windows.into_iter().zip(others).map(|(one, other)| [one, other]).collect();
        let (low, high) = both.split_at(both.len() / 2);
        let (mut sets, others) =
            parallel::join(bytes, || Self::from_parts(low), || Self::from_parts(high));
        sets.add(&others);
        sets
    }

    /// Of the windows of both texts, in parts.
    fn from_parts(parts: &[[ResidueBuffer; 2]]) -> Self {
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
                // Whole where breaks are reported by their places; there are no runs then.
                let around =
                    if breaks.is_empty() { start..length.min(end + reach) } else { 0..length };
                let stems = self.pair.stems(side, around.clone());
                windows.compose(&stems, breaks, start - around.start..end - around.start);
            }
        }
        windows.into_parts()
    }
}

// The stems of two texts → their sketches compared.

/// Left and right.
pub(super) struct PairSketch {
    pub(super) sketches: [Summary; 2],
    /// What their sets share: those of all sizes, and the longest.
    overlaps: [Overlap; 2],
    /// How many shingles of either have the residue of another one.
    pub(super) collisions: usize,
}

impl PairSketch {
    /// The sketch of two texts of `bytes` bytes together, beside `beside` bytes of other data; their stems
    /// are indices into `distinct`.
    pub(super) fn new(
        pair: &Pair,
        distinct: &StemTable,
        (bytes, beside): (usize, usize),
        ngrams: Ngrams,
    ) -> Self {
        let of_text = |stems: usize| residues(stems, distinct, ngrams);
        let residues = pair.lengths().map(of_text).iter().sum();
        Self::by_parts(pair, distinct, (bytes, power(residues, bytes, beside)), ngrams)
    }

    /// Compares the sets in as many parts as two to so high a power.
    fn by_parts(
        pair: &Pair,
        distinct: &StemTable,
        (bytes, power): (usize, u32),
        ngrams: Ngrams,
    ) -> Self {
        let stemmed = Stemmed { pair, distinct };
        let mut sets = Sets::empty();
        Part::all(power).for_each(|part| sets.add(&Sets::part(&stemmed, bytes, ngrams, part)));
        let [all, _] = sets.overlaps;
        let summary = |side: usize, shingles: usize| Summary {
            words: pair.words()[side],
            stems: pair.lengths()[side],
            shingles,
            fingerprint: (shingles > 0).then(|| sets.votes[side].fingerprint()),
        };
        let sketches = [summary(0, all.left), summary(1, all.right)];
        let Sets { overlaps, collisions, .. } = sets;
        Self { sketches, overlaps, collisions }
    }

    /// Whether both texts have the same shingles.
    pub(super) fn have_same_shingles(&self) -> bool {
        self.overlaps.iter().all(|overlap| overlap.are_equal())
    }

    pub(super) fn compared(&self, same_words: bool) -> Comparison {
        Comparison::of_overlaps(same_words, self.sketches, self.overlaps)
    }
}

/// The most residues that the set of a text of `stems` stems has, but for what its end cuts
/// short.
fn residues(length: usize, distinct: &StemTable, ngrams: Ngrams) -> usize {
    let more = u32::from(distinct.greatest_more());
    let most = |n: usize| {
        let stems = u32::try_from(n).unwrap_or(u32::MAX).saturating_add(more);
        distinct.stems.len().saturating_pow(stems).min(length)
    };
    (ngrams.min()..=ngrams.max()).map(most).sum()
}

/// Residues that are held at a time, whatever the texts, with nothing beside them.
const LEAST_HELD: usize = 1 << 22;

/// Residues that are held at a time, whatever is beside the texts.
const LEAST_HELD_BESIDE: usize = 1 << 20;

/// Sets are compared in as many parts at most as two to this power: each costs a look at all
/// stems.
const GREATEST_POWER: u32 = 3;

/// The binary logarithm of the number of parts in which sets of `residues` residues, of texts of `bytes`
/// bytes, are compared: so that what is held of them takes no more than about three times as much memory
/// as the texts, less half of what is beside them. Plain English is compared at once.
fn power(residues: usize, bytes: usize, beside: usize) -> u32 {
    let half_of_beside = beside / 2 / size_of::<u64>();
    let held = (bytes / 5 * 2).max(LEAST_HELD).saturating_sub(half_of_beside);
    let held = held.max(LEAST_HELD_BESIDE);
    residues.div_ceil(held).max(1).next_power_of_two().ilog2().min(GREATEST_POWER)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::shingles;
    use crate::sketch::Sketch;
    use crate::stems::Stems;

    #[test]
    fn sets_are_parted_where_they_are_large_for_their_texts() {
        #[rustfmt::skip]
        let table = [
            ("no residues",         0,          0,          0,          0),
            ("as English has them", 5_700_000,  20_000_000, 0,          0),
            ("just held",           8_000_000,  20_000_000, 0,          0),
            ("one more",            8_000_001,  20_000_000, 0,          1),
            ("beside as much",      6_750_000,  20_000_000, 20_000_000, 0),
            ("one more beside it",  6_750_001,  20_000_000, 20_000_000, 1),
            ("a letter is a word",  20_000_000, 20_000_000, 0,          2),
            ("small texts",         4_194_304,  3_000_000,  0,          0),
            ("less small ones",     4_194_305,  3_000_000,  0,          1),
            ("beside very much",    1_048_576,  3_000_000,  99_000_000, 0),
            ("and one more",        1_048_577,  3_000_000,  99_000_000, 1),
            ("of very many sizes",  99_000_000, 20_000_000, 0,          3),
            ("beyond all numbers",  usize::MAX, 0,          usize::MAX, 3),
        ];
        for (why, residues, bytes, beside, want) in table {
            assert_eq!(power(residues, bytes, beside), want, "{why}");
        }
    }

    #[test]
    fn sets_have_no_more_residues_than_stems_and_than_there_can_be() {
        let of = |stems: &[&str], count: usize, (min, max)| {
            let mut distinct = StemTable::default();
            for stem in stems {
                distinct.push(stem);
            }
            residues(count, &distinct, Ngrams::new(min, max).unwrap())
        };
        assert_eq!(of(&[], 0, (1, 3)), 0);
        assert_eq!(of(&["a", "b", "c"], 1000, (1, 3)), 3 + 9 + 27);
        assert_eq!(of(&["a", "b", "c"], 20, (2, 3)), 9 + 20);
        assert_eq!(of(&["a", "水"], 1000, (1, 2)), 4 + 8, "a letter more for each");
        assert_eq!(of(&["a", "b"], 9, (1, 64)), 2 + 4 + 8 + 61 * 9);
    }

    proptest! {
        /// Against sets that are cut from strings and compared whole: of texts that have some runs
        /// in common, more or fewer of which are known.
        #[test]
        fn sets_share_what_their_parts_share(
            turns in proptest::collection::vec(("[a-d水]{0,5}", "[a-d水]{0,5}", "[a-d水]{0,20}", any::<bool>()), 0..6),
            min in 1_usize..3, more in 0_usize..3, power in 0_u32..4,
        ) {
            let ngrams = Ngrams::new(min, min + more).unwrap();
            let mut distinct = StemTable::default();
            for stem in ["a", "b", "c", "d", "水"] {
                distinct.push(stem);
            }
            let place = |stem| (0..).zip("abcd水".chars()).find(|(_, it)| *it == stem).unwrap().0;
            let (mut texts, mut pair) = ([String::new(), String::new()], Pair::default());
            for (left, right, common, is_known) in turns {
                let own = [left, right + if is_known { "" } else { &common }];
                for (side, own) in own.iter().enumerate() {
                    pair.sides()[side].stems.extend(own.chars().map(place));
                }
                let [before, _] = pair.lengths();
                pair.sides()[0].stems.extend(common.chars().map(place));
                if is_known {
                    pair.share(before);
                }
                let [left, right] = own;
                texts = [format!("{}{left}{common}", texts[0]), format!("{}{right}{}", texts[1], if is_known { &common } else { "" })];
            }
            let counts = texts.each_ref().map(|text| text.chars().count());
            for (side, count) in counts.into_iter().enumerate() {
                pair.sides()[side].words = count;
            }
            prop_assert_eq!(pair.lengths(), counts);
            let [whole_left, whole_right] = texts.each_ref().map(|text| {
                let stems: Stems = text.chars().map(String::from).collect::<Vec<_>>().iter().collect();
                let count = text.chars().count();
                Sketch::new(count, count, shingles::cut(&stems, ngrams))
            });
            let sketched = PairSketch::by_parts(&pair, &distinct, (0, power), ngrams);
            prop_assert_eq!(sketched.sketches, [whole_left.summary(), whole_right.summary()]);
            prop_assert_eq!(sketched.compared(false), Comparison::new(false, &whole_left, &whole_right));
            prop_assert_eq!(sketched.have_same_shingles(), whole_left.shingles == whole_right.shingles);
        }
    }
}
