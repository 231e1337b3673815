//! Sketch × Sketch → `Comparison`: every figure that a verdict may rest on.

use crate::hamming;
use crate::jaccard::{Overlap, Share};
use crate::sketch::{Sketch, Summary};

/// How much of two texts stands in the passages that they share.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct Coverage {
    /// How many passages there are.
    pub passages: usize,
    /// The words of left that stand in passages, changed or not, and of reworded ones those that
    /// are aligned, of all its words that count; none where it has no word.
    pub left: Option<Share>,
    /// The same of right.
    pub right: Option<Share>,
    /// The most words that are aligned in one passage.
    pub longest: usize,
}

/// The figures of a pair. Turned round, left and right change places and nothing else.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Comparison {
    /// Whether both texts have the same words in the same order.
    pub same_words: bool,
    /// Bits in which the fingerprints differ, 0 to 64; none where a set is empty.
    pub hamming: Option<u32>,
    /// The distinct shingles of all sizes.
    pub all: Overlap,
    /// The distinct shingles of the greatest size.
    pub longest: Overlap,
    /// The passages that both texts share; none where they were not looked for.
    pub passages: Option<Coverage>,
    /// The words of the shorter text.
    pub least_words: usize,
}

impl Comparison {
    /// Compares two sketches made with the same sizes of n-grams.
    pub fn new(same_words: bool, left: &Sketch, right: &Sketch) -> Self {
        let (left_sets, right_sets) = (&left.shingles, &right.shingles);
        let longest = left_sets.longest().overlap(right_sets.longest());
        let one_size = left_sets.are_of_one_size() && right_sets.are_of_one_size();
        let all = if one_size { longest } else { left_sets.all().overlap(right_sets.all()) };
        Self::of_overlaps(same_words, [left.summary(), right.summary()], [all, longest])
    }

    /// Compares two sketches by what their sets share: those of all sizes, and the longest.
    pub fn of_overlaps(
        same_words: bool,
        [left, right]: [Summary; 2],
        [all, longest]: [Overlap; 2],
    ) -> Self {
        let fingerprints = left.fingerprint.zip(right.fingerprint);
        let hamming = fingerprints.map(|(left, right)| hamming::distance(left, right));
        let least_words = left.words.min(right.words);
        Self { same_words, hamming, all, longest, passages: None, least_words }
    }

    /// The Jaccard index of the shingles of all sizes; none where a set is empty.
    pub fn jaccard(&self) -> Option<Share> {
        self.all.jaccard()
    }

    /// The share of left's longest shingles that right has; none where a set is empty.
    pub fn containment_left(&self) -> Option<Share> {
        self.longest.containment_of_left()
    }

    /// The share of right's longest shingles that left has; none where a set is empty.
    pub fn containment_right(&self) -> Option<Share> {
        self.longest.containment_of_right()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shingles::{self, Ngrams, Shingles};
    use crate::stems::Stems;

    #[test]
    fn figures_are_of_all_sizes_and_of_the_greatest() {
        let overlap = |shared, left, right| Overlap { shared, left, right };
        #[rustfmt::skip]
        let table = [
            ("several sizes",  (1, 2), "a b c", "a b",   overlap(3, 5, 3), overlap(1, 2, 1)),
            ("one size",       (2, 2), "a b c", "b c d", overlap(1, 2, 2), overlap(1, 2, 2)),
            ("too few stems",  (2, 3), "a",     "a b c", overlap(0, 0, 3), overlap(0, 0, 1)),
        ];
        for (why, (min, max), left, right, all, longest) in table {
            let sketch = |stems: &str| {
                let stems: Stems = stems.split_whitespace().collect();
                let ngrams = Ngrams::new(min, max).unwrap();
                Sketch::new(stems.len(), stems.len(), shingles::cut(&stems, ngrams))
            };
            let (left, right) = (sketch(left), sketch(right));
            let comparison = Comparison::new(false, &left, &right);
            assert_eq!((comparison.all, comparison.longest), (all, longest), "{why}");
            let nothing = Sketch::new(0, 0, Shingles::default());
            let alone = Comparison::new(false, &nothing, &right);
            let want = Overlap { shared: 0, left: 0, ..comparison.all };
            assert_eq!(alone.all, want, "{why}, with nothing");
            assert_eq!(alone.hamming, None, "{why}, with nothing");
        }
    }
}
