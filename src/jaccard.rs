//! Computes exactly how much two shingle sets share.
//!
//! Figures stay fractions of two counts until they are printed, and no denominator is 0: a figure
//! of an empty set is `None`.

use std::cmp::Ordering;

/// A share of a set: `shared / of`, a number in `0..=1`.
///
/// Invariant: `shared <= of` and `of >= 1`. Equality compares the counts: 1/2 and 2/4
/// are different evidence.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Share {
    shared: usize,
    of: usize,
}

impl Share {
    /// Creates the share `shared / of`; `None` unless `shared <= of` and `of >= 1`.
    pub fn new(shared: usize, of: usize) -> Option<Self> {
        (shared <= of && of > 0).then_some(Self { shared, of })
    }

    /// Returns the numerator: the number of members that are shared.
    pub fn shared(self) -> usize {
        self.shared
    }

    /// Returns the denominator: the number of members, at least 1.
    pub fn total(self) -> usize {
        self.of
    }

    /// Returns the share as a floating-point number, for printing.
    #[expect(clippy::cast_precision_loss, reason = "exact up to 2^53 shingles")]
    pub fn ratio(self) -> f64 {
        self.shared as f64 / self.of as f64
    }

    /// Compares two shares as numbers, without rounding: 1/2 is equal to 2/4.
    pub fn compare(self, other: Self) -> Ordering {
        compare((self.shared, self.of), (other.shared, other.of))
    }

    /// Returns how many of `parts` equal parts the share fills completely, `0..=parts`.
    pub fn filled(self, parts: usize) -> usize {
        let full = self.shared as u128 * parts as u128 / self.of as u128;
        usize::try_from(full).unwrap_or(parts)
    }
}

/// The sizes of two sets and of their intersection.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct Overlap {
    /// Members of both sets.
    pub shared: usize,
    /// Members of the left set.
    pub left: usize,
    /// Members of the right set.
    pub right: usize,
}

impl Overlap {
    /// Computes the overlap of two sets, each given as increasing, distinct members.
    pub fn new(left: &[u64], right: &[u64]) -> Self {
        Self { shared: shared(left, right), left: left.len(), right: right.len() }
    }

    /// Returns the sum of this overlap and that of other parts of the two sets, which have no
    /// member in common with these parts.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self {
            shared: self.shared + other.shared,
            left: self.left + other.left,
            right: self.right + other.right,
        }
    }

    /// Adds members that are in the left set, in the right set, in both or in neither.
    pub fn add(&mut self, [is_left, is_right]: [bool; 2], members: usize) {
        self.left += if is_left { members } else { 0 };
        self.right += if is_right { members } else { 0 };
        self.shared += if is_left && is_right { members } else { 0 };
    }

    /// Reports whether both sets are equal.
    pub fn are_equal(self) -> bool {
        self.shared == self.left && self.shared == self.right
    }

    /// Returns the number of members that are in at least one of the sets.
    pub fn union(self) -> usize {
        self.left + self.right - self.shared
    }

    /// Returns the Jaccard index, shared over union (Jaccard 1901); `None` if a set is empty.
    pub fn jaccard(self) -> Option<Share> {
        Share::new(self.shared, self.union()).filter(|_| self.is_judgeable())
    }

    /// Returns the containment of left in right, shared over left (Broder 1997); `None` if a set is
    /// empty.
    pub fn containment_of_left(self) -> Option<Share> {
        Share::new(self.shared, self.left).filter(|_| self.is_judgeable())
    }

    /// Returns the containment of right in left, shared over right; `None` if a set is empty.
    pub fn containment_of_right(self) -> Option<Share> {
        Share::new(self.shared, self.right).filter(|_| self.is_judgeable())
    }

    fn is_judgeable(self) -> bool {
        self.left > 0 && self.right > 0
    }
}

/// Compares two fractions, each a numerator and a denominator, without rounding.
pub(crate) fn compare(one: (usize, usize), other: (usize, usize)) -> Ordering {
    let across =
        |(above, _): (usize, usize), (_, below): (usize, usize)| above as u128 * below as u128;
    across(one, other).cmp(&across(other, one))
}

/// Returns the number of members that two increasing, distinct sequences share.
fn shared(left: &[u64], right: &[u64]) -> usize {
    let (mut l, mut r, mut shared) = (0, 0, 0);
    while l < left.len() && r < right.len() {
        shared += usize::from(left[l] == right[r]);
        let (step_left, step_right) = (left[l] <= right[r], right[r] <= left[l]);
        l += usize::from(step_left);
        r += usize::from(step_right);
    }
    shared
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    fn overlap(shared: usize, left: usize, right: usize) -> Overlap {
        Overlap { shared, left, right }
    }

    #[test]
    fn what_parts_share_adds_up() {
        assert_eq!(overlap(1, 2, 3).and(overlap(4, 5, 7)), overlap(5, 7, 10));
    }

    #[test]
    fn members_are_added_to_the_sets_that_have_them() {
        let mut sets = overlap(1, 2, 3);
        for (sides, members) in
            [([true, false], 10), ([false, true], 200), ([true, true], 3000), ([false, false], 9)]
        {
            sets.add(sides, members);
        }
        assert_eq!(sets, overlap(3001, 3012, 3203));
    }

    #[test]
    fn sets_are_equal_that_share_all_of_either() {
        let pairs = [
            overlap(0, 0, 0),
            overlap(2, 2, 2),
            overlap(2, 2, 3),
            overlap(2, 3, 2),
            overlap(1, 2, 2),
        ];
        assert_eq!(pairs.map(Overlap::are_equal), [true, true, false, false, false]);
    }

    #[test]
    fn where_a_set_is_empty_there_is_no_share() {
        for empty in [overlap(0, 0, 0), overlap(0, 0, 3), overlap(0, 3, 0)] {
            assert_eq!(empty.jaccard(), None);
            assert_eq!(empty.containment_of_left(), None);
            assert_eq!(empty.containment_of_right(), None);
        }
    }

    #[test]
    fn a_part_is_full_or_not() {
        const MAX: usize = usize::MAX;
        #[rustfmt::skip]
        let table = [
            ("nothing",              0,       3,   10,  0),
            ("everything",           3,       3,   10,  10),
            ("between",              2,       3,   10,  6),
            ("just full",            5,       10,  20,  10),
            ("just not",             4_999,   10_000, 20, 9),
            ("no parts",             1,       1,   0,   0),
            ("as much as there is",  MAX,     MAX, MAX, MAX),
            ("all but one",          MAX - 1, MAX, 100, 99),
        ];
        for (why, shared, of, parts, want) in table {
            assert_eq!(Share::new(shared, of).unwrap().filled(parts), want, "{why}");
        }
    }

    #[test]
    fn figures_are_fractions_of_counts() {
        let share = Share::new;
        #[rustfmt::skip]
        let table: &[(&str, &[u64], &[u64], Option<Share>, Option<Share>, Option<Share>)] = &[
            ("both empty",   &[],           &[],           None,        None,        None),
            ("one empty",    &[1],          &[],           None,        None,        None),
            ("the same",     &[1, 5],       &[1, 5],       share(2, 2), share(2, 2), share(2, 2)),
            ("nothing",      &[1, 3],       &[2, 4],       share(0, 4), share(0, 2), share(0, 2)),
            ("some",         &[1, 2, 3],    &[2, 3, 4, 5], share(2, 5), share(2, 3), share(2, 4)),
            ("one inside",   &[7],          &[5, 6, 7, 8], share(1, 4), share(1, 1), share(1, 4)),
            ("the ends",     &[0, u64::MAX], &[0, 1, u64::MAX], share(2, 3), share(2, 2), share(2, 3)),
        ];
        for (why, left, right, jaccard, of_left, of_right) in table {
            let overlap = Overlap::new(left, right);
            assert_eq!(overlap.jaccard(), *jaccard, "{why}");
            assert_eq!(overlap.containment_of_left(), *of_left, "{why}, left");
            assert_eq!(overlap.containment_of_right(), *of_right, "{why}, right");
        }
    }

    #[test]
    fn no_share_is_above_one_or_of_nothing() {
        assert_eq!(Share::new(0, 0), None);
        assert_eq!(Share::new(2, 1), None);
        assert_eq!(Share::new(1, 2).map(Share::ratio), Some(0.5));
    }

    proptest! {
        #[test]
        fn merging_agrees_with_sets(
            left in proptest::collection::btree_set(0_u64..60, 0..40),
            right in proptest::collection::btree_set(0_u64..60, 0..40),
        ) {
            let list = |set: &BTreeSet<u64>| set.iter().copied().collect::<Vec<_>>();
            let overlap = Overlap::new(&list(&left), &list(&right));
            prop_assert_eq!(overlap.shared, left.intersection(&right).count());
            prop_assert_eq!(overlap.union(), left.union(&right).count());
        }
    }
}
