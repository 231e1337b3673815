//! Stems → `Counted`: with their repeats.

use crate::lexicon::Stem;
use crate::stems::Stems;

/// What the residue of a stem that stands there once more is moved by: 2⁶⁴ by the golden
/// ratio, odd.
const ONCE_MORE: u64 = 0x9e37_79b9_7f4a_7c15;

/// The stems of a text with their repeats, as a set: the second time that a stem stands there
/// is a member of its own, and so on. The Jaccard index of two such sets is the weighted one of
/// the texts: over all stems, the sum of the lesser counts by that of the greater ones
/// (Ružička 1958).
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Counted(Vec<u64>);

impl Counted {
    /// Counts stems that are places in `distinct`.
    pub fn compose(stems: &[u32], distinct: &[Stem]) -> Self {
        Self::of(stems.iter().map(|place| distinct[*place as usize].key()).collect())
    }

    /// Counts stems by themselves.
    pub fn count(stems: &Stems) -> Self {
        Self::of(stems.iter().map(|stem| Stem::of(stem).key()).collect())
    }

    /// From residues in any order.
    fn of(mut residues: Vec<u64>) -> Self {
        residues.sort_unstable();
        for alike in residues.chunk_by_mut(|one, next| one == next) {
            for (times, residue) in (0_u64..).zip(alike) {
                *residue = residue.wrapping_add(times.wrapping_mul(ONCE_MORE));
            }
        }
        residues.sort_unstable();
        Self(residues)
    }

    /// The members: as many as the text has stems, increasing and, but for a collision as of
    /// [`Shingles`](super::Shingles), distinct.
    pub fn members(&self) -> &[u64] {
        &self.0
    }
}

/// The stems of a text and how often each stands there, in the order of their residues: what
/// takes less room than their [repeats](Counted) where stems recur.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Tally(Vec<(u64, u32)>);

impl Tally {
    /// Counts stems that are places in `distinct`.
    pub fn of(stems: &[u32], distinct: &[Stem]) -> Self {
        let mut counts = vec![0_u32; distinct.len()];
        for place in stems {
            let count = &mut counts[*place as usize];
            *count = count.saturating_add(1);
        }
        let there = distinct.iter().zip(counts).filter(|(_, count)| *count > 0);
        let mut tally: Vec<(u64, u32)> = there.map(|(stem, count)| (stem.key(), count)).collect();
        tally.sort_unstable();
        tally.dedup_by(|next, one| {
            let is_same = next.0 == one.0;
            one.1 = one.1.saturating_add(if is_same { next.1 } else { 0 });
            is_same
        });
        Self(tally)
    }

    /// The sum of the lesser counts: but for a collision, how many members two [`Counted`] share.
    pub fn shared(&self, other: &Self) -> usize {
        let mut others = other.0.iter().peekable();
        let mut shared = 0;
        for (residue, count) in &self.0 {
            while others.next_if(|(there, _)| there < residue).is_some() {}
            if let Some((_, there)) = others.next_if(|(there, _)| there == residue) {
                shared += *count.min(there) as usize;
            }
        }
        shared
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;

    fn shared(left: &Counted, right: &Counted) -> usize {
        left.members().iter().filter(|it| right.members().binary_search(it).is_ok()).count()
    }

    #[test]
    fn the_lesser_counts_are_shared() {
        #[rustfmt::skip]
        let table = [
            ("nothing",              "",          "a",         0),
            ("once each",            "a b",       "b c",       1),
            ("twice and thrice",     "a a b",     "a a a",     2),
            ("all of the smaller",   "a b a",     "a a b b a", 3),
            ("order is nothing",     "a b c",     "c b a",     3),
            ("letters",              "水 火 水 火", "火 水 火",  3),
        ];
        for (why, left, right, want) in table {
            let count = |stems: &str| Counted::count(&stems.split_whitespace().collect());
            assert_eq!(shared(&count(left), &count(right)), want, "{why}");
        }
    }

    proptest! {
        #[test]
        fn sharing_members_is_summing_the_lesser_counts(
            left in proptest::collection::vec("[a-e]", 0..40), right in proptest::collection::vec("[a-e]", 0..40),
        ) {
            let counts = |stems: &[String]| {
                let mut counts = BTreeMap::new();
                for stem in stems {
                    *counts.entry(stem.clone()).or_insert(0_usize) += 1;
                }
                counts
            };
            let (of_left, of_right) = (counts(&left), counts(&right));
            let lesser = |(stem, times): (&String, &usize)| (*times).min(of_right.get(stem).copied().unwrap_or(0));
            let want: usize = of_left.iter().map(lesser).sum();
            // Each stem that stands there a second time is known twice.
            let tally = |stems: &[String]| {
                let distinct: Vec<Stem> = stems.iter().map(|stem| Stem::of(stem)).collect();
                Tally::of(&(0..).take(stems.len()).collect::<Vec<_>>(), &distinct)
            };
            prop_assert_eq!(tally(&left).shared(&tally(&right)), want);
            let counted = [left, right].map(|stems| Counted::count(&stems.iter().collect()));
            prop_assert_eq!(shared(&counted[0], &counted[1]), want);
            prop_assert!(counted[0].members().is_sorted_by(|one, next| one < next));
        }
    }
}
