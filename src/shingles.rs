//! Stems → `Shingles`: the distinct n-grams of a text, by their Rabin residues.

mod compose;
mod counted;
mod gathered;

use crate::rabin;
use crate::stems::Stems;
pub use compose::{Part, Windows, compose, reach};
pub use counted::{Counted, Tally};
pub use gathered::Residues;

/// The sizes of the n-grams, in stems: every n from `min` to `max`.
///
/// Invariant: `1 <= min <= max <= 64`.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Ngrams {
    min: usize,
    max: usize,
}

impl Ngrams {
    /// The greatest size there is.
    pub const GREATEST: usize = 64;

    /// Sizes from `min` to `max`; none unless `1 <= min <= max <= 64`.
    pub fn new(min: usize, max: usize) -> Option<Self> {
        (1 <= min && min <= max && max <= Self::GREATEST).then_some(Self { min, max })
    }

    /// The smallest size.
    pub fn min(self) -> usize {
        self.min
    }

    /// The greatest size.
    pub fn max(self) -> usize {
        self.max
    }
}

impl Default for Ngrams {
    /// From 1 to 3.
    fn default() -> Self {
        Self { min: 1, max: 3 }
    }
}

/// The distinct shingles of a text, as residues, increasing.
///
/// Shingles are told apart by their residues. Two different shingles of at most b
/// bytes, chosen without knowledge of the modulus, have one residue with a probability
/// of at most b / 2⁶¹: their difference has at most b / 8 irreducible factors of degree
/// 64, out of 2⁵⁸ that the modulus may be (Broder 1993). Among ten million distinct
/// shingles of 30 bytes any two fall together in fewer than one text in 1,500.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Shingles {
    /// Those of all sizes; none where there is one size only.
    all: Option<Vec<u64>>,
    longest: Vec<u64>,
}

impl Shingles {
    /// The distinct shingles of all sizes, increasing.
    pub fn all(&self) -> &[u64] {
        self.all.as_ref().unwrap_or(&self.longest)
    }

    /// The distinct shingles of the greatest size, increasing; a part of [`all`](Self::all).
    pub fn longest(&self) -> &[u64] {
        &self.longest
    }

    /// Whether there is one size only, so that all are the longest.
    pub fn are_of_one_size(&self) -> bool {
        self.all.is_none()
    }

    /// Takes away those of others of the same sizes.
    pub fn remove(&mut self, others: &Self) {
        if let (Some(all), Some(others)) = (&mut self.all, &others.all) {
            remove(all, others);
        }
        remove(&mut self.longest, &others.longest);
    }

    /// With others of the same sizes, all of which are greater.
    fn followed_by(mut self, others: Self) -> Self {
        let append = |run: &mut Vec<u64>, others: Vec<u64>| {
            run.reserve_exact(others.len());
            run.extend(others);
        };
        if let (Some(all), Some(others)) = (&mut self.all, others.all) {
            append(all, others);
        }
        append(&mut self.longest, others.longest);
        self
    }

    /// The distinct ones of the residues of one size, where there is no other.
    fn of_one_size(residues: Vec<u64>) -> Self {
        Self { all: None, longest: distinct(residues) }
    }

    /// The distinct ones of residues of several sizes, those of the greatest apart.
    fn of_sizes(shorter: Vec<u64>, longest: Vec<u64>) -> Self {
        let longest = distinct(longest);
        let mut all = distinct(shorter);
        merge(&mut all, &longest);
        Self { all: Some(all), longest }
    }
}

/// Cuts stems into every [window](Stems::windows) of n, for each n of `ngrams`, joined by
/// one space. None where there are fewer stems than `ngrams.min()`. This is the
/// definition; [`compose`](fn@compose) gives the same from a lexicon.
pub fn cut(stems: &Stems, ngrams: Ngrams) -> Shingles {
    let windows = |n| stems.windows(n).map(|shingle| rabin::residue(shingle.as_bytes()));
    let longest = windows(ngrams.max).collect();
    if ngrams.min == ngrams.max {
        return Shingles::of_one_size(longest);
    }
    Shingles::of_sizes((ngrams.min..ngrams.max).flat_map(windows).collect(), longest)
}

/// The distinct residues, increasing.
fn distinct(mut residues: Vec<u64>) -> Vec<u64> {
    residues.sort_unstable();
    residues.dedup();
    residues
}

/// Adds to an increasing, distinct run those of another that it lacks. From the end on, in
/// the room that it grows by: at first more than it needs.
fn merge(run: &mut Vec<u64>, other: &[u64]) {
    let (mut r, mut o) = (run.len(), other.len());
    let mut end = r + o;
    run.reserve_exact(o);
    run.resize(end, 0);
    let whole = end;
    while r > 0 && o > 0 {
        let (a, b) = (run[r - 1], other[o - 1]);
        end -= 1;
        run[end] = a.max(b);
        r -= usize::from(a >= b);
        o -= usize::from(b >= a);
    }
    run[end - o..end].copy_from_slice(&other[..o]);
    run.copy_within(end - o..whole, r);
    run.truncate(r + whole - (end - o));
}

/// Takes away of an increasing, distinct run those of another. Fast where the run is short beside
/// the other.
fn remove(run: &mut Vec<u64>, other: &[u64]) {
    let mut rest = other;
    run.retain(|residue| {
        rest = &rest[less(rest, *residue)..];
        rest.first() != Some(residue)
    });
}

/// How many of an increasing run are less than a residue, which is probably among the first
/// (Bentley and Yao 1976).
fn less(run: &[u64], residue: u64) -> usize {
    let mut end = 1;
    while run.get(end).is_some_and(|it| *it < residue) {
        end *= 2;
    }
    let start = end / 2;
    let among = &run[start.min(run.len())..end.min(run.len())];
    start.min(run.len()) + among.partition_point(|it| *it < residue)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;
    use crate::lexicon::Distinct;

    fn residues(shingles: &[&str]) -> Vec<u64> {
        distinct(shingles.iter().map(|shingle| rabin::residue(shingle.as_bytes())).collect())
    }

    #[test]
    fn windows_of_every_size_count_once() {
        #[rustfmt::skip]
        let table: &[(&str, &str, (usize, usize), &[&str], &[&str])] = &[
            ("nothing",             "",        (1, 3), &[], &[]),
            ("one stem",            "a",       (1, 3), &["a"], &[]),
            ("too few for min",     "a b",     (3, 3), &[], &[]),
            ("just enough",         "a b c",   (3, 3), &["a b c"], &["a b c"]),
            ("all sizes",           "a b c",   (1, 3), &["a", "b", "c", "a b", "b c", "a b c"], &["a b c"]),
            ("what recurs is once", "a a a",   (1, 2), &["a", "a a"], &["a a"]),
            ("order tells apart",   "a b a",   (2, 2), &["a b", "b a"], &["a b", "b a"]),
            ("letters with more",   "水 火 a",  (1, 2), &["水 火", "火 a", "a", "水 火 a"], &["水 火 a", "火 a"]),
        ];
        for (why, stems, (min, max), all, longest) in table {
            let shingles =
                cut(&stems.split_whitespace().collect(), Ngrams::new(*min, *max).unwrap());
            assert_eq!(shingles.all(), residues(all), "{why}");
            assert_eq!(shingles.longest(), residues(longest), "{why}, longest");
        }
    }

    #[test]
    fn sizes_are_from_1_to_64_and_in_order() {
        for (min, max, there) in
            [(0, 3, false), (1, 1, true), (64, 64, true), (1, 65, false), (4, 3, false)]
        {
            let want = there.then_some((min, max));
            let sizes = Ngrams::new(min, max).map(|sizes| (sizes.min(), sizes.max()));
            assert_eq!(sizes, want, "{min} to {max}");
        }
    }

    /// More windows than are gathered before equal ones go: one that only the first stem has,
    /// and what recurs.
    #[test]
    fn what_recurs_a_million_times_is_there_once() {
        let mut distinct = Distinct::default();
        for stem in ["a", "b", "c", "d"] {
            distinct.push(stem);
        }
        let shingles = |stems: u32| {
            let places: Vec<u32> = std::iter::once(3).chain((0..stems).map(|at| at % 3)).collect();
            compose(&places, &[], &distinct, Ngrams::default())
        };
        let many = shingles(1_500_000);
        assert_eq!((many.all().len(), many.longest().len()), (12, 4));
        assert_eq!(many, shingles(9));
    }

    proptest! {
        #[test]
        fn merging_agrees_with_a_set(
            left in proptest::collection::btree_set(0_u64..60, 0..40),
            right in proptest::collection::btree_set(0_u64..60, 0..40),
        ) {
            let list = |set: &BTreeSet<u64>| set.iter().copied().collect::<Vec<_>>();
            let union: BTreeSet<u64> = left.union(&right).copied().collect();
            let mut run = list(&left);
            merge(&mut run, &list(&right));
            prop_assert_eq!(run, list(&union));
        }

        #[test]
        fn removing_agrees_with_a_set(
            left in proptest::collection::btree_set(0_u64..90, 0..40),
            right in proptest::collection::btree_set(0_u64..90, 0..40),
        ) {
            let mut run: Vec<u64> = left.iter().copied().collect();
            remove(&mut run, &right.iter().copied().collect::<Vec<_>>());
            prop_assert_eq!(run, left.difference(&right).copied().collect::<Vec<_>>());
        }

        /// A lexicon's stems against the strings that they stand for.
        #[test]
        fn composing_agrees_with_cutting(
            stems in proptest::collection::vec("[ab]{1,20}|[水の]|[กก่က]", 0..20), min in 1_usize..4, more in 0_usize..4,
            breaks in proptest::collection::btree_set(0..20_usize, 0..4),
        ) {
            let breaks: Vec<usize> = breaks.into_iter().filter(|it| *it < stems.len()).collect();
            let ngrams = Ngrams::new(min, min + more).unwrap();
            let mut known: Vec<&String> = stems.iter().collect();
            known.sort();
            known.dedup();
            let place = |stem| u32::try_from(known.binary_search(&stem).unwrap()).unwrap();
            let places: Vec<u32> = stems.iter().map(place).collect();
            let mut distinct = Distinct::default();
            for stem in &known {
                distinct.push(stem);
            }
            let plain = cut(&stems.iter().collect::<Stems>().broken_before(breaks.clone()), ngrams);
            prop_assert_eq!(compose(&places, &breaks, &distinct, ngrams), plain);
            prop_assert_eq!(Counted::compose(&places, &distinct.stems), Counted::count(&stems.iter().collect()));
        }

        /// The definition, on strings: a set of joined windows.
        #[test]
        fn cut_agrees_with_a_set_of_joined_windows(
            stems in proptest::collection::vec("[ab]{1,2}", 0..20), min in 1_usize..4, more in 0_usize..4,
        ) {
            let windows = |n| stems.windows(n).map(|window| rabin::residue(window.join(" ").as_bytes()));
            let all: BTreeSet<u64> = (min..=min + more).flat_map(windows).collect();
            let longest: BTreeSet<u64> = windows(min + more).collect();
            let shingles = cut(&stems.iter().collect(), Ngrams::new(min, min + more).unwrap());
            prop_assert_eq!(shingles.all(), all.into_iter().collect::<Vec<_>>());
            prop_assert_eq!(shingles.longest(), longest.into_iter().collect::<Vec<_>>());
        }
    }
}
