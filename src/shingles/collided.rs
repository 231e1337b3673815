//! The keys of two sets → their shingles that were made to have one residue.
//!
//! Of a residue that is combined with a check the highest bits are left as they were. Two shingles
//! of one residue agree in those; whether they have one, their checks say.

use crate::interner::Check;

/// The shingles of two sets that have equal residues.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct Collided {
    /// How many shingles of either have the residue of another one, of which one is not counted.
    pub count: usize,
    /// Whether a shingle that is in one set only has the residue of one that is in the other only.
    pub is_across: bool,
}

/// Whether a shingle that is in one set only may have the residue of one that is in the other
/// only, by their [keys](super::ShingleSet::keys). By chance that is so with a probability of about
/// n · m / 2³⁶, where n and m are the shingles that only one of the sets has.
pub fn may_collide(left: &[u64], right: &[u64]) -> bool {
    let (mut l, mut r) = (0, 0);
    // Of the last key that is on one side only, what is left of its residue.
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

/// The shingles of two sets that have one residue, by the keys of each and the
/// [checks](super::ShingleSet::checks_by_key) in their order.
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

/// Sorts what is in two runs but for few.
#[expect(clippy::stable_sort_primitive, reason = "only a stable sort merges runs")]
fn sort(shingles: &mut [(u64, u64, u8)]) {
    shingles.sort();
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use proptest::prelude::*;

    use super::super::ShingleSet;
    use super::*;

    /// The definition, of shingles by their residues and checks.
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
        /// Residues that agree in all bits, in the highest or in none.
        #[test]
        fn collisions_are_those_of_residues_and_checks(
            left in proptest::collection::btree_set((0_u64..6, 0_u64..3, 0_u32..3), 0..20),
            right in proptest::collection::btree_set((0_u64..6, 0_u64..3, 0_u32..3), 0..20),
        ) {
            // No two of these residues differ by what two of these checks do.
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
