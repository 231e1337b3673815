//! The result of the stages for one text, and the comparison of two: every figure that a verdict can
//! be based on.

use crate::hamming;
use crate::jaccard::{Overlap, Share};
use crate::passages::Covered;
use crate::shingles::{Shingles, Variety};
use crate::simhash::{self, Fingerprint};

/// The set of a text's shingles, its fingerprint, and the counts of its words and stems.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Sketch {
    /// The number of words.
    pub words: usize,
    /// The number of stems left after the removal of stop words.
    pub stems: usize,
    /// The distinct shingles; empty if there are too few stems.
    pub shingles: Shingles,
    /// The fingerprint; `None` if there are no shingles.
    pub fingerprint: Option<Fingerprint>,
}

impl Sketch {
    /// Creates the sketch of a text with the given numbers of words and stems.
    pub fn new(words: usize, stems: usize, shingles: Shingles) -> Self {
        let fingerprint = simhash::fingerprint(&shingles);
        Self { words, stems, shingles, fingerprint }
    }

    /// Returns the same sketch without the set.
    pub fn summary(&self) -> Summary {
        let Self { words, stems, ref shingles, fingerprint } = *self;
        let variety = shingles.variety();
        Summary { words, stems, shingles: shingles.all().len(), variety, fingerprint }
    }
}

/// The part of a sketch that is reported.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Summary {
    /// The number of words.
    pub words: usize,
    /// The number of stems left after the removal of stop words.
    pub stems: usize,
    /// The number of distinct shingles.
    pub shingles: usize,
    /// The variety of the words.
    pub variety: Variety,
    /// The fingerprint; `None` if there are no shingles.
    pub fingerprint: Option<Fingerprint>,
}

/// The shares of two texts that the passages common to both cover.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct Coverage {
    /// The number of passages.
    pub passages: usize,
    /// The share of the counted words of left that the passages cover: words that are the same, and
    /// words that are changed. `None` if left has no words.
    pub left: Option<Share>,
    /// The same for right.
    pub right: Option<Share>,
    /// The number of these words that are the same in both texts: aligned and equal. The others are
    /// changed: they stand in sentences that have a counterpart.
    pub same: [usize; 2],
    /// The largest number of aligned words in one passage.
    pub longest: usize,
}

impl Coverage {
    /// Returns the coverage of two texts, given the words of each that are covered and the number of all of
    /// its words.
    pub fn new(passages: usize, covered: [Covered; 2], words: [usize; 2], longest: usize) -> Self {
        let share = |side: usize| Share::new(covered[side].all(), words[side]);
        Self { passages, left: share(0), right: share(1), same: covered.map(|it| it.same), longest }
    }

    /// Returns the same with the two texts swapped.
    #[must_use]
    pub fn turned(self) -> Self {
        let [of_left, of_right] = self.same;
        Self { left: self.right, right: self.left, same: [of_right, of_left], ..self }
    }

    /// Returns the share of the words of left (0) or right (1) that the passages cover; `None` if the text
    /// has no words.
    pub fn share(&self, side: usize) -> Option<Share> {
        [self.left, self.right][side]
    }

    /// Reports whether the passages cover a word of either text.
    pub fn covers_a_word(&self) -> bool {
        (0..2).any(|side| self.share(side).is_some_and(|share| share.shared() > 0))
    }

    /// Reports whether a covered word of either text is changed.
    pub fn has_changes(&self) -> bool {
        (0..2).any(|side| self.changed(side).is_some_and(|share| share.shared() > 0))
    }

    /// Returns the share of the words of left (0) or right (1) that are the same; `None` if the text has
    /// no words.
    pub fn same(&self, side: usize) -> Option<Share> {
        let share = self.share(side)?;
        Share::new(self.same[side], share.total())
    }

    /// Returns the share of the words of left (0) or right (1) that are changed; `None` if the text has
    /// no words.
    pub fn changed(&self, side: usize) -> Option<Share> {
        let share = self.share(side)?;
        Share::new(share.shared() - self.same[side], share.total())
    }
}

/// The figures of a pair. If the texts are swapped, left and right are swapped and nothing else
/// changes. By default, those of texts without words.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct Comparison {
    /// Whether both texts have the same words in the same order.
    pub same_words: bool,
    /// The number of bits in which the fingerprints differ, 0 to 64; `None` if a text has no
    /// shingles.
    pub hamming: Option<u32>,
    /// The overlap of the distinct shingles of all sizes.
    pub all: Overlap,
    /// The overlap of the distinct shingles of the greatest size.
    pub longest: Overlap,
    /// The coverage of the passages that both texts share; `None` if they were not searched for.
    pub passages: Option<Coverage>,
    /// The number of words of the shorter text.
    pub least_words: usize,
    /// Whether the sets are evidence. [`Repetitive`](Variety::Repetitive) becomes
    /// [`Varied`](Variety::Varied) once passages are known to cover at least half of each text.
    pub variety: Variety,
}

impl Comparison {
    /// Compares two sketches, which must be made with the same sizes of n-grams. Whether the words
    /// are the same must be set by the caller: `same_words` is false.
    pub fn new(left: &Sketch, right: &Sketch) -> Self {
        let (left_sets, right_sets) = (&left.shingles, &right.shingles);
        let longest = left_sets.longest().overlap(right_sets.longest());
        let one_size = left_sets.are_of_one_size() && right_sets.are_of_one_size();
        let all = if one_size { longest } else { left_sets.all().overlap(right_sets.all()) };
        Self::from_overlaps([left.summary(), right.summary()], [all, longest])
    }

    /// Same as [`new`](Self::new), given the overlaps of the sets: that of all sizes, and that of
    /// the greatest size.
    pub fn from_overlaps([left, right]: [Summary; 2], [all, longest]: [Overlap; 2]) -> Self {
        let fingerprints = left.fingerprint.zip(right.fingerprint);
        let hamming = fingerprints.map(|(left, right)| hamming::distance(left, right));
        let least_words = left.words.min(right.words);
        let variety = left.variety.and(right.variety);
        let (same_words, passages) = (false, None);
        Self { same_words, hamming, all, longest, passages, least_words, variety }
    }

    /// Returns the Jaccard index of the shingles of all sizes; `None` if a set is empty.
    pub fn jaccard(&self) -> Option<Share> {
        self.all.jaccard()
    }

    /// Returns the share of left's shingles of the greatest size that right has; `None` if a set is
    /// empty.
    pub fn containment_left(&self) -> Option<Share> {
        self.longest.containment_of_left()
    }

    /// Returns the share of right's shingles of the greatest size that left has; `None` if a set is
    /// empty.
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
            let comparison = Comparison::new(&left, &right);
            assert_eq!((comparison.all, comparison.longest), (all, longest), "{why}");
            let nothing = Sketch::new(0, 0, Shingles::default());
            let alone = Comparison::new(&nothing, &right);
            let want = Overlap { shared: 0, left: 0, ..comparison.all };
            assert_eq!(alone.all, want, "{why}, with nothing");
            assert_eq!(alone.hamming, None, "{why}, with nothing");
        }
    }
}
