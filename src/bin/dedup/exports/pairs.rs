//! Rendered pairs, in their order or with the closest first.

use std::cmp::Ordering;

use crate::model::Pair;
use crate::model::findings::Closeness;

/// A pair that is rendered in a format.
#[derive(Debug)]
pub(crate) struct RenderedPair {
    pub(super) closeness: Closeness,
    is_finding: bool,
    /// The pair in the format, with its line end; empty if the format has no pairs.
    pub(crate) record: String,
}

impl RenderedPair {
    pub(crate) fn new(pair: &Pair, record: String) -> Self {
        Self { closeness: Closeness::new(pair), is_finding: pair.is_finding(), record }
    }

    /// Compares two pairs: a finding is less than any other pair, then the closer pair is less than
    /// the other.
    fn cmp(&self, other: &Self) -> Ordering {
        (other.is_finding.cmp(&self.is_finding)).then_with(|| self.closeness.cmp(&other.closeness))
    }
}

/// A limited number of pairs: findings first, then the closest. The others are dropped.
#[derive(Debug)]
pub(super) struct Closest {
    limit: usize,
    pairs: Vec<RenderedPair>,
}

impl Closest {
    pub(super) fn new(limit: usize) -> Self {
        Self { limit, pairs: Vec::new() }
    }

    pub(super) fn add(&mut self, pair: RenderedPair) {
        self.pairs.push(pair);
        if self.pairs.len() >= 2 * self.limit {
            self.drop_others();
        }
    }

    fn drop_others(&mut self) {
        self.pairs.sort_by(RenderedPair::cmp);
        self.pairs.truncate(self.limit);
    }

    /// Returns the records of the pairs, the closest first.
    pub(super) fn into_records(mut self) -> impl Iterator<Item = String> {
        self.drop_others();
        self.pairs.into_iter().map(|pair| pair.record)
    }
}

#[cfg(test)]
mod tests {
    use dedup_text::verdict::Verdict;

    use super::*;

    fn pair((verdict, jaccard, hamming, name): (Verdict, f64, u32, &str)) -> RenderedPair {
        let is_finding = verdict >= Verdict::NearDuplicate;
        let closeness = Closeness { verdict, jaccard, hamming };
        RenderedPair { closeness, is_finding, record: name.to_owned() }
    }

    /// Pairs in the order in which they are added. The names are in the order of closeness.
    const PAIRS: [(Verdict, f64, u32, &str); 6] = [
        (Verdict::NearDuplicate, 0.5, 3, "d"),
        (Verdict::NearDuplicate, 0.5, 2, "c"),
        (Verdict::Partial, 0.9, 0, "f"),
        (Verdict::NearDuplicate, 0.6, 9, "b"),
        (Verdict::Identical, 0.0, 64, "a"),
        (Verdict::NearDuplicate, 0.5, 3, "e"),
    ];

    #[test]
    fn the_closest_pairs_come_first_and_equal_ones_in_their_order() {
        for (limit, want) in [(9, "abcdef"), (6, "abcdef"), (2, "ab"), (1, "a")] {
            let mut closest = Closest::new(limit);
            PAIRS.map(pair).into_iter().for_each(|pair| closest.add(pair));
            assert_eq!(closest.into_records().collect::<String>(), want, "{limit}");
        }
    }
}
