//! What two sets must share to reach a limit, in whole numbers.

use crate::jaccard::Share;
use crate::verdict::ratio::Ratio;

/// A limit from 0 to 1 as a fraction: a [`Ratio`], or two thirds of one.
///
/// Invariant: `numerator <= denominator <= 3 · 10¹⁸`.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Limit {
    numerator: u64,
    denominator: u64,
}

impl Limit {
    /// Nothing of it: 0.
    pub const NONE: Self = Self { numerator: 0, denominator: 1 };

    /// All of it: 1.
    pub const ALL: Self = Self { numerator: 1, denominator: 1 };

    /// The limit itself.
    pub fn of(ratio: Ratio) -> Self {
        let (numerator, denominator) = ratio.parts();
        Self { numerator, denominator }
    }

    /// Two thirds of the limit.
    pub fn two_thirds_of(ratio: Ratio) -> Self {
        let (numerator, denominator) = ratio.parts();
        Self { numerator: 2 * numerator, denominator: 3 * denominator }
    }

    /// Whether every share reaches it.
    pub fn is_zero(self) -> bool {
        self.numerator == 0
    }

    /// Whether a share is at least this.
    pub fn is_reached_by(self, share: Share) -> bool {
        share.shared() as u128 * u128::from(self.denominator)
            >= u128::from(self.numerator) * share.of() as u128
    }

    /// The least that a set of this size shares with one that it reaches the limit with.
    pub(super) fn least_of(self, size: usize) -> usize {
        self.least(size as u64, self.denominator) as usize
    }

    /// The least whole number that is at least `numerator / whole` of a count.
    fn least(self, count: u64, whole: u64) -> u32 {
        let least = (u128::from(self.numerator) * u128::from(count)).div_ceil(u128::from(whole));
        u32::try_from(least).unwrap_or(u32::MAX) // a count of two sets may be above it, a set is not
    }
}

/// Limits above 0 on two sets, turned into counts: one of them is to be reached. What they
/// ask for only ever grows with the sizes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bound {
    /// Of the union.
    pub(super) jaccard: Option<Limit>,
    /// Of either set, and the least number of members. Where it holds one way, it holds for the
    /// smaller in the larger.
    pub(super) containment: Option<(Limit, u32)>,
}

impl Bound {
    /// The least that two sets of these sizes must share; more than the smaller one has
    /// where they cannot reach a limit.
    pub(super) fn need(self, small: u32, large: u32) -> u32 {
        // s / (a + b − s) ≥ n / d  ⟺  s ≥ n · (a + b) / (n + d)
        let jaccard = self.jaccard.map(|limit| {
            let both = u64::from(small) + u64::from(large);
            limit.least(both, limit.numerator + limit.denominator)
        });
        let contained = self
            .containment
            .map(|(limit, count)| limit.least(u64::from(small), limit.denominator).max(count));
        jaccard.into_iter().chain(contained).min().unwrap_or(u32::MAX)
    }

    /// The least size of a set that reaches a limit with a larger one.
    pub(super) fn least_size(self, large: u32) -> u32 {
        let jaccard = self.jaccard.map(|limit| limit.least(u64::from(large), limit.denominator));
        let contained = self.containment.map(|(_, count)| count);
        contained.into_iter().chain(jaccard).min().unwrap_or(large)
    }

    /// The least that a set shares with any that is as large or larger.
    pub(super) fn need_with_larger(self, size: u32) -> u32 {
        self.need(size, size)
    }

    /// The least that a set shares with any that is as large or smaller.
    pub(super) fn need_with_smaller(self, size: u32) -> u32 {
        self.need(self.least_size(size), size)
    }
}
