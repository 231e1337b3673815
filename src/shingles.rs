//! Cuts stems into shingles: the distinct n-grams of a text, by their Rabin residues.

mod compose;
mod variety;

use std::collections::BTreeSet;

use crate::interner::{Check, Stem, numbers};
use crate::jaccard::Overlap;
use crate::rabin;
use crate::stems::Stems;

pub use compose::{Grouping, Members, Part, ResidueBuffer, Windows, compose, reach};
pub use variety::Variety;

/// The sizes of the n-grams, in stems: every n from `min` to `max`.
///
/// Invariant: `1 <= min <= max <= 64`.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Ngrams {
    min: usize,
    max: usize,
}

impl Ngrams {
    /// The greatest allowed size.
    pub const MAX_SIZE: usize = 64;

    /// Creates the sizes from `min` to `max`; `None` unless `1 <= min <= max <= 64`.
    pub fn new(min: usize, max: usize) -> Option<Self> {
        (1 <= min && min <= max && max <= Self::MAX_SIZE).then_some(Self { min, max })
    }

    /// Returns the smallest size.
    pub fn min(self) -> usize {
        self.min
    }

    /// Returns the greatest size.
    pub fn max(self) -> usize {
        self.max
    }

    /// Reports whether all n-grams have the same number of stems.
    pub fn is_one_size(self) -> bool {
        self.min == self.max
    }
}

impl Default for Ngrams {
    fn default() -> Self {
        Self { min: 1, max: 3 }
    }
}

/// Distinct shingles: their residues, increasing, and checks that distinguish shingles with the
/// same residue.
///
/// Two different shingles of at most b bytes, chosen without knowledge of the modulus, have the
/// same residue with a probability of at most b / 2⁶¹: their difference has at most b / 8
/// irreducible factors of degree 64, out of 2⁵⁸ that the modulus may be (Broder 1993). Among ten
/// million distinct shingles of 30 bytes, any two have the same residue in fewer than one text in
/// 1,500.
///
/// Anyone who knows the modulus can compute two shingles with the same residue. These are
/// distinguished by 28 bits of a [`Check`], which is salted in each process: two shingles that were
/// made to collide are taken for one in one process out of 2²⁸.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct ShingleSet {
    /// The residues, increasing; two are equal only if their checks differ.
    residues: Vec<u64>,
    /// The [bits](Check::bits) of each shingle's check, increasing among equal residues.
    checks: Vec<u32>,
}

impl ShingleSet {
    /// Returns the number of shingles.
    pub fn len(&self) -> usize {
        self.residues.len()
    }

    /// Reports whether the set is empty.
    pub fn is_empty(&self) -> bool {
        self.residues.is_empty()
    }

    /// Returns the residue of each shingle, increasing.
    pub fn residues(&self) -> &[u64] {
        &self.residues
    }

    /// Returns the distinct residues, increasing. They are the same in every process, so that they
    /// can be compared outside this one.
    pub fn distinct_residues(&self) -> Vec<u64> {
        let mut residues = self.residues.clone();
        residues.dedup();
        residues
    }

    /// Returns a number for each shingle, increasing: equal for equal shingles and, within one
    /// process, different for different ones. It is the residue, with its lowest bits combined with
    /// the check.
    pub fn keys(&self) -> Vec<u64> {
        self.keyed().into_iter().map(|(key, _)| key).collect()
    }

    /// Returns the [bits](Check::bits) of each shingle's check, in the order of the
    /// [keys](Self::keys). A key, combined with its check again, is the residue.
    pub fn checks_by_key(&self) -> Vec<u32> {
        self.keyed().into_iter().map(|(_, check)| check).collect()
    }

    /// Returns the keys in increasing order, each with its check.
    fn keyed(&self) -> Vec<(u64, u32)> {
        let both = self.residues.iter().zip(&self.checks);
        let mut all: Vec<(u64, u32)> =
            both.map(|(residue, check)| (residue ^ u64::from(*check), *check)).collect();
        if !all.is_sorted() {
            all.sort_unstable(); // where two residues agree in their highest 36 bits
        }
        all
    }

    /// Returns the number of collisions: if k shingles have the same residue, they count as k − 1.
    pub fn collisions(&self) -> usize {
        self.residues.windows(2).filter(|two| two[0] == two[1]).count()
    }

    /// Returns the sizes of two sets and of their intersection.
    pub fn overlap(&self, right: &Self) -> Overlap {
        Overlap::new(&self.keys(), &right.keys())
    }

    fn with_capacity(shingles: usize) -> Self {
        Self { residues: Vec::with_capacity(shingles), checks: Vec::with_capacity(shingles) }
    }

    fn push(&mut self, residue: u64, check: u32) {
        self.residues.push(residue);
        self.checks.push(check);
    }

    fn from_windows(mut windows: Vec<(u64, u32)>) -> Self {
        windows.sort_unstable();
        windows.dedup();
        let (residues, checks) = windows.into_iter().unzip();
        Self { residues, checks }
    }
}

/// The distinct shingles of a text.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Shingles {
    /// The shingles of all sizes; `None` if there is only one size.
    all: Option<ShingleSet>,
    longest: ShingleSet,
    variety: Variety,
}

impl Shingles {
    /// Returns the distinct shingles of all sizes.
    pub fn all(&self) -> &ShingleSet {
        self.all.as_ref().unwrap_or(&self.longest)
    }

    /// Returns the distinct shingles of the greatest size, a subset of [`all`](Self::all).
    pub fn longest(&self) -> &ShingleSet {
        &self.longest
    }

    /// Reports whether there is only one size, so that all shingles are of the greatest size.
    pub fn are_of_one_size(&self) -> bool {
        self.all.is_none()
    }
}

/// Cuts stems into every [window](Stems::windows) of n stems, joined by one space, for each n of
/// `ngrams`. The sets are empty if there are fewer stems than `ngrams.min()`. This is the
/// definition; [`compose`](fn@compose) returns the same for the stems of an interner.
pub fn cut(stems: &Stems, ngrams: Ngrams) -> Shingles {
    let windows = |n| stems.windows(n).map(window);
    let longest = ShingleSet::from_windows(windows(ngrams.max).collect());
    let all = (ngrams.min < ngrams.max)
        .then(|| ShingleSet::from_windows((ngrams.min..=ngrams.max).flat_map(windows).collect()));
    let counters = numbers::counting_up(stems.iter().map(|stem| numbers::value(&Stem::new(stem))));
    let of = |(at, stem)| if counters.binary_search(&at).is_ok() { variety::COUNTER } else { stem };
    let same = stems.iter().enumerate().map(of).collect::<Stems>();
    let same = same.broken_before(stems.breaks().to_vec());
    let windows = || same.windows(ngrams.max);
    let distinct = same.iter().collect::<BTreeSet<_>>().len();
    let variety = Variety::new(
        [distinct, same.len(), counters.len()],
        [windows().collect::<BTreeSet<_>>().len(), windows().count()],
    );
    Shingles { all, longest, variety }
}

/// Returns the residue of a shingle and the bits of its check.
fn window(shingle: &str) -> (u64, u32) {
    let check = Check::from_stems(shingle.split(' ').map(Check::new));
    (rabin::residue(shingle.as_bytes()), check.bits())
}

// From the keys of two sets to the shingles that were made to have the same residue.
//
// A key is a residue whose lowest bits are combined with a check; its highest bits are those of the
// residue. Two shingles with the same residue agree in these bits; whether their residues are equal
// can be decided with their checks.

/// The shingles of two sets that collide: that have the same residue.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct Collided {
    /// The number of collisions in both sets together: k shingles with the same residue count as k
    /// − 1.
    pub count: usize,
    /// Whether a shingle that is only in one set has the same residue as a shingle that is only in
    /// the other set.
    pub is_across: bool,
}

/// Reports whether a shingle that is only in one set may collide with a shingle that is only in the
/// other set, given the [keys](ShingleSet::keys) of both. By chance it does so with a probability
/// of about n · m / 2³⁶, where n and m are the numbers of shingles that are in only one of the
/// sets.
pub fn may_collide(left: &[u64], right: &[u64]) -> bool {
    let (mut l, mut r) = (0, 0);
    // The highest bits of the last key on each side that the other side does not have.
    let mut last = [None; 2];
    loop {
        let (side, key) = match (left.get(l), right.get(r)) {
            (None, None) => return false,
            (Some(one), Some(other)) if one == other => {
                (l, r) = (l + 1, r + 1);
                continue;
            }
            (Some(one), other) if other.is_none_or(|other| one < other) => {
                l += 1;
                (0, one)
            }
            (_, other) => {
                r += 1;
                (1, other.unwrap_or(&u64::MAX))
            }
        };
        let kept = Some(key >> Check::BITS);
        if last[1 - side] == kept {
            return true;
        }
        last[side] = kept;
    }
}

/// Finds the collisions of two sets, given the keys of each set and the
/// [checks](ShingleSet::checks_by_key) in the same order.
pub fn collided(sets: [(&[u64], &[u32]); 2]) -> Collided {
    let mut all: Vec<(u64, u64, u8)> = Vec::with_capacity(sets.iter().map(|it| it.0.len()).sum());
    for ((keys, checks), side) in sets.into_iter().zip([1, 2]) {
        let shingle = |(key, check): (&u64, &u32)| (key ^ u64::from(*check), *key, side);
        all.extend(keys.iter().zip(checks).map(shingle));
    }
    sort(&mut all);
    let mut collided = Collided::default();
    for equal in all.chunk_by(|one, next| one.0 == next.0) {
        let mut sides = 0;
        for (at, shingle) in equal.chunk_by(|one, next| one.1 == next.1).enumerate() {
            let of_shingle = shingle.iter().fold(0, |all, it| all | it.2);
            collided.count += usize::from(at > 0);
            sides |= if of_shingle == 3 { 0 } else { of_shingle };
        }
        collided.is_across |= sides == 3;
    }
    collided
}

/// Sorts shingles that, except for a few, are in two sorted runs.
#[expect(clippy::stable_sort_primitive, reason = "only a stable sort merges runs")]
fn sort(shingles: &mut [(u64, u64, u8)]) {
    shingles.sort();
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::interner::StemTable;

    fn set(shingles: &[&str]) -> ShingleSet {
        ShingleSet::from_windows(shingles.iter().copied().map(window).collect())
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
            ("order matters",       "a b a",   (2, 2), &["a b", "b a"], &["a b", "b a"]),
            ("letters with more",   "水 火 a",  (1, 2), &["水 火", "火 a", "a", "水 火 a"], &["水 火 a", "火 a"]),
        ];
        for (why, stems, (min, max), all, longest) in table {
            let shingles =
                cut(&stems.split_whitespace().collect(), Ngrams::new(*min, *max).unwrap());
            assert_eq!(*shingles.all(), set(all), "{why}");
            assert_eq!(*shingles.longest(), set(longest), "{why}, longest");
            let are_empty = (shingles.all().is_empty(), shingles.longest().is_empty());
            assert_eq!(are_empty, (all.is_empty(), longest.is_empty()), "{why}");
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

    /// More windows than are collected before duplicates are removed: those of a hundred stems that
    /// are there once, which are in many parts of the set, and others that recur.
    #[test]
    fn what_recurs_a_million_times_is_there_once() {
        let mut distinct = StemTable::default();
        for stem in ["a", "b", "c"] {
            distinct.push(stem);
        }
        for number in 0..100 {
            distinct.push(&number.to_string());
        }
        let shingles = |stems: u32| {
            let places: Vec<u32> = (3..103).chain((0..stems).map(|at| at % 3)).collect();
            compose(&places, &[], &distinct, Ngrams::default())
        };
        let many = shingles(1_500_000);
        assert_eq!((many.all().len(), many.longest().len()), (309, 103));
        let few = shingles(9);
        assert_eq!((many.all(), many.longest()), (few.all(), few.longest()));
    }

    proptest! {
        /// The stems of an interner against the strings that they represent.
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
            let mut distinct = StemTable::default();
            for stem in &known {
                distinct.push(stem);
            }
            let plain = cut(&stems.iter().collect::<Stems>().broken_before(breaks.clone()), ngrams);
            prop_assert_eq!(compose(&places, &breaks, &distinct, ngrams), plain);
        }

        /// The definition, on strings: a set of joined windows.
        #[test]
        fn cut_agrees_with_a_set_of_joined_windows(
            stems in proptest::collection::vec("[ab]{1,2}", 0..20), min in 1_usize..4, more in 0_usize..4,
        ) {
            let windows = |n| stems.windows(n).map(|window| window.join(" "));
            let all: BTreeSet<String> = (min..=min + more).flat_map(windows).collect();
            let longest: BTreeSet<String> = windows(min + more).collect();
            let shingles = cut(&stems.iter().collect(), Ngrams::new(min, min + more).unwrap());
            let set = |strings: &BTreeSet<String>| set(&strings.iter().map(String::as_str).collect::<Vec<_>>());
            prop_assert_eq!(shingles.all(), &set(&all));
            prop_assert_eq!(shingles.longest(), &set(&longest));
            prop_assert_eq!(shingles.all().len(), all.len());
        }
    }

    /// Numbers of 22 digits that have the same residue.
    #[test]
    fn shingles_of_one_residue_are_two() {
        let [one, other] = ["4000000000000000000001", "3616207136267326152070"];
        assert_eq!(rabin::residue(one.as_bytes()), rabin::residue(other.as_bytes()));
        let text = |number: &str| -> Stems {
            ["account", number, "is", "closed"]
                .iter()
                .copied()
                .map(str::to_owned)
                .collect::<Vec<_>>()
                .iter()
                .collect()
        };
        let [left, right] = [one, other].map(|number| cut(&text(number), Ngrams::default()));
        let overlap = left.all().overlap(right.all());
        // Five of nine shingles contain the number.
        assert_eq!(overlap, Overlap { shared: 4, left: 9, right: 9 });
        assert_eq!(left.longest().overlap(right.longest()).shared, 0);
        let both = cut(&[one, other].iter().collect(), Ngrams::new(1, 1).unwrap());
        assert_eq!((both.all().len(), both.all().residues()[0]), (2, both.all().residues()[1]));
    }
}

#[cfg(test)]
mod collided_tests {
    use std::collections::{BTreeMap, BTreeSet};

    use proptest::prelude::*;

    use super::ShingleSet;
    use super::*;

    /// The definition, on shingles as residues and checks.
    fn naive(left: &BTreeSet<(u64, u32)>, right: &BTreeSet<(u64, u32)>) -> Collided {
        let mut by_residue: BTreeMap<u64, BTreeSet<u32>> = BTreeMap::new();
        for (residue, check) in left.union(right) {
            by_residue.entry(*residue).or_default().insert(*check);
        }
        let alone = |one: &BTreeSet<(u64, u32)>, other: &BTreeSet<(u64, u32)>| -> BTreeSet<u64> {
            one.difference(other).map(|(residue, _)| *residue).collect()
        };
        Collided {
            count: by_residue.values().map(|checks| checks.len() - 1).sum(),
            is_across: !alone(left, right).is_disjoint(&alone(right, left)),
        }
    }

    fn check(left: &[(u64, u32)], right: &[(u64, u32)]) -> (Collided, Collided, bool) {
        let sets = [left, right].map(|set| ShingleSet::from_windows(set.to_vec()));
        let [keys, checks] = [0, 1].map(|_| sets.each_ref());
        let (keys, checks) = (keys.map(ShingleSet::keys), checks.map(ShingleSet::checks_by_key));
        let [left, right] = [left, right].map(|set| set.iter().copied().collect());
        (
            collided([(&keys[0], &checks[0]), (&keys[1], &checks[1])]),
            naive(&left, &right),
            may_collide(&keys[0], &keys[1]),
        )
    }

    #[test]
    fn shingles_of_one_residue_are_found() {
        const R: u64 = 7 << 40;
        const S: u64 = R | 9;
        #[rustfmt::skip]
        let table: &[(&str, &[(u64, u32)], &[(u64, u32)], usize, bool, bool)] = &[
            ("nothing",                        &[],               &[],               0, false, false),
            ("the same",                       &[(R, 1)],         &[(R, 1)],         0, false, false),
            ("across",                         &[(R, 1)],         &[(R, 2)],         1, true,  true),
            ("near by chance",                 &[(R, 1)],         &[(S, 2)],         0, false, true),
            ("in one text",                    &[(R, 1), (R, 2)], &[(5, 1)],         1, false, false),
            ("in one, and the other has one",  &[(R, 1), (R, 2)], &[(R, 1)],         1, false, false),
            ("in both the same",               &[(R, 1), (R, 2)], &[(R, 1), (R, 2)], 1, false, false),
            ("in one, and across",             &[(R, 1), (R, 2)], &[(R, 1), (R, 3)], 2, true,  true),
            ("the first and the last",         &[(0, 1), (u64::MAX, 1)], &[(0, 2), (u64::MAX, 2)], 2, true, true),
        ];
        for (why, left, right, count, is_across, may) in table {
            let want = Collided { count: *count, is_across: *is_across };
            assert_eq!(check(left, right), (want, want, *may), "{why}");
            assert_eq!(check(right, left), (want, want, *may), "{why}, turned round");
        }
    }

    proptest! {
        /// Residues that agree in all bits, in the highest bits or in none.
        #[test]
        fn collisions_are_those_of_residues_and_checks(
            left in proptest::collection::btree_set((0_u64..6, 0_u64..3, 0_u32..3), 0..20),
            right in proptest::collection::btree_set((0_u64..6, 0_u64..3, 0_u32..3), 0..20),
        ) {
            // No two of these residues differ in the way that two of these checks do.
            let shingle = |(high, low, check): &(u64, u64, u32)| (high << 28 | low << 8, *check);
            let [left, right] = [left, right].map(|set| set.iter().map(shingle).collect::<Vec<_>>());
            let (got, want, may) = check(&left, &right);
            prop_assert_eq!(got, want);
            prop_assert!(may || !want.is_across);
            let own = ShingleSet::from_windows(left.clone()).collisions();
            prop_assert_eq!(own, check(&left, &left).1.count);
        }
    }
}
