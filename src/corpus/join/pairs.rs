//! Pairs of classes → pairs of texts, one text after the other.

use std::sync::atomic::{AtomicUsize, Ordering};

use super::collection::Collection;
use super::tokens::SetTokens;
use super::{JoinError, Joined, Link};
use crate::hamming;
use crate::jaccard::{Overlap, Share};
use crate::simhash::Fingerprint;
use crate::verdict::ratio::Ratio;

/// A pair of texts for which the condition holds, with its figures. The sets of both are not empty,
/// but those of the longest shingles may be.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Pair {
    /// The left text: the one with the smaller number.
    pub a: u32,
    /// The right text.
    pub b: u32,
    /// The number of bits in which the fingerprints differ, 0 to 64.
    pub hamming: u32,
    /// The overlap of the distinct shingles of all sizes.
    pub all: Overlap,
    /// The overlap of the distinct shingles of the greatest size.
    pub longest: Overlap,
}

impl Pair {
    /// Returns the pair of two texts, given the numbers of shared shingles of all sizes and of the
    /// greatest size.
    pub(super) fn new(collection: &Collection, a: u32, b: u32, (all, longest): (u32, u32)) -> Self {
        let overlap = |shared: u32, left: u32, right: u32| Overlap {
            shared: shared as usize,
            left: left as usize,
            right: right as usize,
        };
        let (left, right) = (collection.sizes(a), collection.sizes(b));
        let fingerprint = |text| collection.fingerprint(text).unwrap_or(Fingerprint(0));
        Self {
            a,
            b,
            hamming: hamming::distance(fingerprint(a), fingerprint(b)),
            all: overlap(all, left.0, right.0),
            longest: overlap(longest, left.1, right.1),
        }
    }
}

impl Joined<'_> {
    /// Returns all pairs, by a and then by b. Only the pairs of one text are in memory at a time.
    pub fn pairs(&self) -> impl Iterator<Item = Pair> {
        (0..).take(self.collection.len()).flat_map(|a| self.pairs_of(a))
    }

    /// Returns the links of a class: the other class, and the numbers of shared shingles.
    pub(super) fn links_of(&self, class: u32) -> impl Iterator<Item = (u32, (u32, u32))> {
        let first = self.links.partition_point(|link| link.classes.left < class);
        let forward = self.links[first..].iter().take_while(move |it| it.classes.left == class);
        let first = self.backward.partition_point(|(right, _)| *right < class);
        let backward = self.backward[first..].iter().take_while(move |it| it.0 == class);
        let shared = |link: &Link| (link.all, link.longest);
        let backward = backward.map(|(_, at)| &self.links[*at]);
        let backward = backward.map(move |link| (link.classes.left, shared(link)));
        backward.chain(forward.map(move |link| (link.classes.right, shared(link))))
    }

    /// Returns the other classes to which a class is linked without a stored link.
    pub(super) fn open_to(&self, class: u32) -> impl Iterator<Item = u32> {
        let open: &[u32] = if self.open.binary_search(&class).is_ok() { &self.open } else { &[] };
        open.iter().copied().filter(move |other| *other != class)
    }

    /// Returns the pairs of a text with later ones.
    fn pairs_of(&self, a: u32) -> Vec<Pair> {
        let mut pairs = Vec::new();
        let collection = self.collection;
        let class = self.classes.of_text(a);
        let place = collection.place(a);
        let later = |other| self.classes.comparable_with(other, place, a + 1, collection);
        for (other, shared) in self.links_of(class) {
            pairs.extend(later(other).map(|b| Pair::new(collection, a, b, shared)));
        }
        for other in self.open_to(class) {
            let shared = |b| collection.shared(a, b);
            pairs.extend(later(other).map(|b| Pair::new(collection, a, b, shared(b))));
        }
        if self.classes.members(class).len() > 1 && self.holds_within(class) {
            let whole = collection.sizes(a);
            pairs.extend(later(class).map(|b| Pair::new(collection, a, b, whole)));
        }
        pairs.sort_unstable_by_key(|pair| pair.b);
        pairs
    }
}

// The number of members that two sets must share to reach a limit.

/// A limit from 0 to 1 as a fraction: a [`Ratio`], or two thirds of one.
///
/// Invariant: `numerator <= denominator <= 3 · 10¹⁸`.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Limit {
    numerator: u64,
    denominator: u64,
}

impl Limit {
    /// A limit of 0.
    pub const NONE: Self = Self { numerator: 0, denominator: 1 };

    /// Returns the limit equal to a ratio.
    pub fn new(ratio: Ratio) -> Self {
        let (numerator, denominator) = ratio.parts();
        Self { numerator, denominator }
    }

    /// Returns two thirds of a ratio as a limit.
    pub fn two_thirds_of(ratio: Ratio) -> Self {
        let (numerator, denominator) = ratio.parts();
        Self { numerator: 2 * numerator, denominator: 3 * denominator }
    }

    /// Reports whether the limit is 0, so that every share reaches it.
    pub fn is_zero(self) -> bool {
        self.numerator == 0
    }

    /// Reports whether a share is at least the limit.
    pub fn is_reached_by(self, share: Share) -> bool {
        share.shared() as u128 * u128::from(self.denominator)
            >= u128::from(self.numerator) * share.total() as u128
    }

    /// Returns the smallest number of members that a set of this size shares with a set with which
    /// it reaches the limit.
    pub(super) fn least_of(self, size: usize) -> usize {
        self.required(size as u64, self.denominator) as usize
    }

    /// Returns the smallest integer that is at least `numerator / whole` of a count.
    fn required(self, count: u64, whole: u64) -> u32 {
        let required = (u128::from(self.numerator) * u128::from(count)).div_ceil(u128::from(whole));
        u32::try_from(required).unwrap_or(u32::MAX) // the count of two sets may exceed it, that of one set does not
    }
}

/// Limits above 0 on two sets, as counts of shared members; one of them must be reached. The counts
/// never decrease as the sets grow.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bound {
    /// The limit on the share of the union.
    pub(super) jaccard: Option<Limit>,
    /// The limit on the share of either set, and the smallest number of shared members. If it is
    /// reached for either set, it is reached for the smaller one.
    pub(super) containment: Option<(Limit, u32)>,
}

impl Bound {
    /// Returns the smallest number of members that two sets of these sizes must share. It exceeds
    /// `small` if they cannot reach a limit.
    pub(super) fn need(self, small: u32, large: u32) -> u32 {
        // s / (a + b − s) ≥ n / d  ⟺  s ≥ n · (a + b) / (n + d)
        let jaccard = self.jaccard.map(|limit| {
            let both = u64::from(small) + u64::from(large);
            limit.required(both, limit.numerator + limit.denominator)
        });
        let contained = self
            .containment
            .map(|(limit, count)| limit.required(u64::from(small), limit.denominator).max(count));
        jaccard.into_iter().chain(contained).min().unwrap_or(u32::MAX)
    }

    /// Returns the smallest size of a set that reaches a limit with a set of size `large`.
    pub(super) fn least_size(self, large: u32) -> u32 {
        let jaccard = self.jaccard.map(|limit| limit.required(u64::from(large), limit.denominator));
        let contained = self.containment.map(|(_, count)| count);
        contained.into_iter().chain(jaccard).min().unwrap_or(large)
    }

    /// Returns the smallest number of members that a set must share with any set of at least its
    /// size.
    pub(super) fn need_with_larger(self, size: u32) -> u32 {
        self.need(size, size)
    }

    /// Returns the smallest number of members that a set must share with any set of at most its
    /// size.
    pub(super) fn need_with_smaller(self, size: u32) -> u32 {
        self.need(self.least_size(size), size)
    }
}

// A limit on the number of pairs found, so that no more are held than the caller can use.

/// A limit on the number of pairs. Once it is exceeded, every thread sees that and stops; which
/// pairs were found by then is arbitrary.
#[derive(Debug)]
pub(super) struct PairLimit {
    pub(super) max_pairs: usize,
    taken: AtomicUsize,
}

impl PairLimit {
    pub(super) fn new(max_pairs: usize) -> Self {
        Self { max_pairs, taken: AtomicUsize::new(0) }
    }

    /// Counts more pairs, and reports whether all pairs so far are within the limit.
    pub(super) fn take(&self, pairs: usize) -> bool {
        let before = self.taken.fetch_add(pairs, Ordering::Relaxed);
        before.saturating_add(pairs) <= self.max_pairs
    }

    pub(super) fn is_short(&self) -> bool {
        self.taken.load(Ordering::Relaxed) > self.max_pairs
    }

    /// Returns the pairs that were found, or an error if the limit is exceeded.
    pub(super) fn checked<P>(&self, pairs: Vec<P>) -> Result<Vec<P>, JoinError> {
        let max_pairs = self.max_pairs;
        if self.is_short() { Err(JoinError::TooManyPairs { max_pairs }) } else { Ok(pairs) }
    }
}

// Whether two sets share enough, decided as early as possible.

/// Reports whether two sets are known to share fewer than `required` members after a partial merge
/// of their tokens; `false` means that they may or may not share enough.
///
/// `met` members are known to be shared. They include all shared ones whose suffix, from the member
/// on in token order, has at least `rest` residues in both sets. Every other shared member is at or
/// after the first token, of both sets, whose suffix is smaller. The tokens are merged from there,
/// rarest first, as far as they are available; the frequent residues beyond them are not read.
pub(super) fn fall_short(
    [left, right]: [SetTokens; 2],
    (met, rest): (u32, u32),
    required: u32,
) -> bool {
    let behind = left.rest(left.tokens.len()).min(right.rest(right.tokens.len()));
    let (mut l, mut r) = (left.kept(rest).len(), right.kept(rest).len());
    let (Some(of_left), Some(of_right)) = (left.tokens.get(l), right.tokens.get(r)) else {
        return false;
    };
    l = left.tokens[..l].partition_point(|token| token < of_right);
    r = right.tokens[..r].partition_point(|token| token < of_left);
    let mut shared = met;
    // Once `required` is within reach of the residues beyond the tokens, nothing more can be
    // excluded.
    while shared + behind < required {
        let most = shared + left.rest(l).min(right.rest(r));
        if most < required {
            return true;
        }
        let to_come = (left.tokens.len() - l).min(right.tokens.len() - r);
        if to_come == 0 {
            return false;
        }
        let stride = to_come.min((most - required) as usize + 1);
        for _ in 0..stride {
            let (a, b) = (left.tokens[l], right.tokens[r]);
            shared += u32::from(a == b);
            l += usize::from(a <= b);
            r += usize::from(b <= a);
        }
    }
    false
}

/// Reports whether two increasing lists of distinct members share at least `required` of them. Stops
/// reading as soon as this is known.
pub(super) fn share(left: &[u64], right: &[u64], required: u32) -> bool {
    /// The number of steps between two checks of what can still be shared.
    const STEPS_PER_CHECK: usize = 16;
    let required = required as usize;
    let (mut l, mut r, mut shared) = (0, 0, 0);
    while shared < required {
        let rest = (left.len() - l).min(right.len() - r);
        if shared + rest < required {
            return false;
        }
        for _ in 0..STEPS_PER_CHECK.min(rest) {
            let (a, b) = (left[l], right[r]);
            shared += usize::from(a == b);
            l += usize::from(a <= b);
            r += usize::from(b <= a);
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn room_is_short_from_the_first_pair_beyond_it() {
        #[rustfmt::skip]
        let table: &[(&str, usize, &[usize], bool)] = &[
            ("nothing allowed, nothing",  0,          &[],              false),
            ("nothing allowed, one",      0,          &[1],             true),
            ("as many as allowed",        3,          &[1, 2],          false),
            ("one more",                 3,          &[1, 2, 0, 1],    true),
            ("nothing more",             3,          &[3, 0],          false),
            ("all allowed",               usize::MAX, &[1, usize::MAX - 1], false),
        ];
        for (why, max_pairs, taken, is_short) in table {
            let limit = PairLimit::new(*max_pairs);
            let is_within = taken.iter().fold(true, |_, pairs| limit.take(*pairs));
            assert_eq!((limit.is_short(), !is_within), (*is_short, *is_short), "{why}");
            match limit.checked(vec![7]) {
                Err(JoinError::TooManyPairs { max_pairs: most }) => {
                    assert_eq!((most, true), (*max_pairs, *is_short), "{why}");
                }
                checked => assert_eq!((checked.unwrap(), false), (vec![7], *is_short), "{why}"),
            }
        }
    }
}
