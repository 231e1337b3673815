//! The stems of two texts → their sketches compared, and the stems with their repeats.

use super::Drawn;
use crate::comparison::Comparison;
use crate::jaccard::Overlap;
use crate::lexicon::{Distinct, Reading};
use crate::shingles::{Ngrams, Part, Shingles, Tally, compose_part};
use crate::sketch::{Summary, Summing};
use crate::threads;

/// Left and right.
pub(super) struct Sketched {
    pub(super) sketches: [Summary; 2],
    /// What their sets share: those of all sizes, and the longest.
    overlaps: [Overlap; 2],
    readings: [Reading; 2],
    /// Of both texts, or of each.
    distinct: Vec<Distinct>,
}

impl Sketched {
    /// Of texts whose stems are places in one lexicon.
    pub(super) fn together((readings, distinct): Drawn<2>, bytes: usize, ngrams: Ngrams) -> Self {
        let residues = readings.each_ref().map(|text| residues(text, &distinct, ngrams));
        let power = power(residues.into_iter().sum(), bytes);
        Self::of(readings, vec![distinct], (bytes, power), ngrams)
    }

    /// Of texts that have a lexicon each.
    pub(super) fn apart(
        ([left], left_distinct): Drawn<1>,
        ([right], right_distinct): Drawn<1>,
        bytes: usize,
        ngrams: Ngrams,
    ) -> Self {
        let of_left = residues(&left, &left_distinct, ngrams);
        let power = power(of_left + residues(&right, &right_distinct, ngrams), bytes);
        Self::of([left, right], vec![left_distinct, right_distinct], (bytes, power), ngrams)
    }

    /// Compares the sets of texts of so many bytes together, in as many parts as two to so high
    /// a power.
    fn of(
        readings: [Reading; 2],
        distinct: Vec<Distinct>,
        (bytes, power): (usize, u32),
        ngrams: Ngrams,
    ) -> Self {
        let [left, right] = &readings;
        let right_distinct = distinct.get(1).unwrap_or(&distinct[0]);
        let mut sums = [left, right].map(|text| Summing::new(text.words, text.stems.len()));
        let mut overlaps = [Overlap::default(); 2];
        let [of_left, of_right] = &mut sums;
        for part in Part::all(power) {
            let (left, right) = threads::side_by_side(
                bytes,
                || compose(left, &distinct[0], ngrams, part, of_left),
                || compose(right, right_distinct, ngrams, part, of_right),
            );
            let longest = Overlap::of(left.longest(), right.longest());
            let one_size = left.are_of_one_size() && right.are_of_one_size();
            let all = if one_size { longest } else { Overlap::of(left.all(), right.all()) };
            overlaps = [overlaps[0].and(all), overlaps[1].and(longest)];
        }
        Self { sketches: sums.map(|sum| sum.summary()), overlaps, readings, distinct }
    }

    /// Whether both texts have the same shingles.
    pub(super) fn have_same_shingles(&self) -> bool {
        self.overlaps.iter().all(|overlap| overlap.are_equal())
    }

    pub(super) fn compared(&self, same_words: bool) -> Comparison {
        Comparison::of_overlaps(same_words, self.sketches, self.overlaps)
    }

    /// What the stems share, with their repeats.
    pub(super) fn counted(&self) -> Overlap {
        let [left, right] = &self.readings;
        let of_right = self.distinct.get(1).unwrap_or(&self.distinct[0]);
        let tally = |text: &Reading, of: &Distinct| Tally::of(&text.stems, &of.stems);
        let shared = tally(left, &self.distinct[0]).shared(&tally(right, of_right));
        Overlap { shared, left: left.stems.len(), right: right.stems.len() }
    }
}

/// How many residues the set of a text has at most, but for what its end cuts short.
fn residues(text: &Reading, distinct: &Distinct, ngrams: Ngrams) -> usize {
    let more = u32::from(distinct.more.iter().copied().max().unwrap_or_default());
    let most = |n: usize| {
        let stems = u32::try_from(n).unwrap_or(u32::MAX).saturating_add(more);
        distinct.stems.len().saturating_pow(stems).min(text.stems.len())
    };
    (ngrams.min()..=ngrams.max()).map(most).sum()
}

/// Residues that are held at a time, whatever the texts.
const LEAST_HELD: usize = 1 << 22;

/// Sets are compared in as many parts at most as two to this power: each costs a look at all
/// stems.
const GREATEST_POWER: u32 = 3;

/// In how many parts, two to which power, the sets of so many residues of texts of so many bytes
/// are compared: so that what is held of them takes no more than about three times as much memory
/// as the texts. Plain English is compared at once.
fn power(residues: usize, bytes: usize) -> u32 {
    let held = (bytes / 5 * 2).max(LEAST_HELD);
    residues.div_ceil(held).max(1).next_power_of_two().ilog2().min(GREATEST_POWER)
}

/// A part of the set of a text, which is added to the sum of its parts.
fn compose(
    Reading { stems, breaks, .. }: &Reading,
    Distinct { stems: distinct, more }: &Distinct,
    ngrams: Ngrams,
    part: Part,
    sum: &mut Summing,
) -> Shingles {
    let shingles = compose_part(stems, breaks, distinct, more, ngrams, part);
    sum.add(&shingles);
    shingles
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
            ("no residues",         0,          0,          0),
            ("as English has them", 5_700_000,  20_000_000, 0),
            ("just held",           8_000_000,  20_000_000, 0),
            ("one more",            8_000_001,  20_000_000, 1),
            ("a letter is a word",  20_000_000, 20_000_000, 2),
            ("small texts",         4_194_304,  3_000_000,  0),
            ("less small ones",     4_194_305,  3_000_000,  1),
            ("of very many sizes",  99_000_000, 20_000_000, 3),
            ("beyond all numbers",  usize::MAX, 0,          3),
        ];
        for (why, residues, bytes, want) in table {
            assert_eq!(power(residues, bytes), want, "{why}");
        }
    }

    #[test]
    fn sets_have_no_more_residues_than_stems_and_than_there_can_be() {
        let of = |stems: &[&str], count: usize, (min, max)| {
            let mut distinct = Distinct::default();
            for stem in stems {
                distinct.push(stem);
            }
            let text = Reading { stems: vec![0; count], ..Reading::default() };
            residues(&text, &distinct, Ngrams::new(min, max).unwrap())
        };
        assert_eq!(of(&[], 0, (1, 3)), 0);
        assert_eq!(of(&["a", "b", "c"], 1000, (1, 3)), 3 + 9 + 27);
        assert_eq!(of(&["a", "b", "c"], 20, (2, 3)), 9 + 20);
        assert_eq!(of(&["a", "水"], 1000, (1, 2)), 4 + 8, "a letter more for each");
        assert_eq!(of(&["a", "b"], 9, (1, 64)), 2 + 4 + 8 + 61 * 9);
    }

    proptest! {
        /// Against sets that are cut from strings and compared whole.
        #[test]
        fn sets_share_what_their_parts_share(
            left in proptest::collection::vec("[a-d]|水", 0..30), right in proptest::collection::vec("[a-d]|水", 0..30),
            min in 1_usize..3, more in 0_usize..3, power in 0_u32..4,
        ) {
            let ngrams = Ngrams::new(min, min + more).unwrap();
            let read = |stems: &[String]| {
                let mut distinct = Distinct::default();
                for stem in stems {
                distinct.push(stem);
            }
                let places = (0..).take(stems.len()).collect();
                (Reading { words: stems.len(), stems: places, breaks: Vec::new() }, distinct)
            };
            let sketch = |stems: &[String]| {
                let stems: Stems = stems.iter().collect();
                Sketch::new(stems.len(), stems.len(), shingles::cut(&stems, ngrams))
            };
            let [whole_left, whole_right] = [&left, &right].map(|stems| sketch(stems));
            let ((left, left_distinct), (right, right_distinct)) = (read(&left), read(&right));
            let sketched = Sketched::of([left, right], vec![left_distinct, right_distinct], (0, power), ngrams);
            prop_assert_eq!(sketched.sketches, [whole_left.summary(), whole_right.summary()]);
            prop_assert_eq!(sketched.compared(false), Comparison::of(false, &whole_left, &whole_right));
            prop_assert_eq!(sketched.have_same_shingles(), whole_left.shingles == whole_right.shingles);
        }
    }
}
