//! Pairs of classes → pairs of texts, one text after the other.

use std::sync::atomic::{AtomicUsize, Ordering};

use super::collection::Collection;
use super::tokens::Row;
use super::{Joined, Link};
use crate::hamming;
use crate::jaccard::{Overlap, Share};
use crate::simhash::Fingerprint;
use crate::verdict::ratio::Ratio;

/// Two texts of which the condition holds, with their figures. The sets of both are not
/// empty; those of the longest shingles may be.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Pair {
    /// The text with the smaller number: left.
    pub a: u32,
    /// The other: right.
    pub b: u32,
    /// Bits in which the fingerprints differ, 0 to 64.
    pub hamming: u32,
    /// The distinct shingles of all sizes.
    pub all: Overlap,
    /// The distinct shingles of the greatest size.
    pub longest: Overlap,
}

impl Pair {
    /// The pair of two texts with the numbers of shared shingles: of all sizes, and of the longest.
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

/// All pairs, by a and then by b.
#[derive(Debug)]
pub struct Pairs<'a> {
    joined: &'a Joined<'a>,
    /// The next text that is a.
    a: u32,
    /// Those of the one before, last first.
    of_a: Vec<Pair>,
}

impl Joined<'_> {
    /// All pairs, by a and then by b. At any time those of one text are available.
    pub fn pairs(&self) -> Pairs<'_> {
        Pairs { joined: self, a: 0, of_a: Vec::new() }
    }

    /// The links of a class: the other class, and what they share.
    pub(super) fn links_of(&self, class: u32) -> impl Iterator<Item = (u32, (u32, u32))> {
        let at = class as usize;
        let forward = &self.links[self.starts[at]..self.starts[at + 1]];
        let backward = &self.backward[self.backward_starts[at]..self.backward_starts[at + 1]];
        let shared = |link: &Link| (link.all, link.longest);
        let backward = backward.iter().map(|link| &self.links[*link]);
        let backward = backward.map(move |link| (link.classes.left, shared(link)));
        backward.chain(forward.iter().map(move |link| (link.classes.right, shared(link))))
    }

    /// The other classes that are linked with one without that being written down.
    fn open_to(&self, class: u32) -> impl Iterator<Item = u32> {
        let open: &[u32] = if self.open.binary_search(&class).is_ok() { &self.open } else { &[] };
        open.iter().copied().filter(move |other| *other != class)
    }

    /// The pairs of a text with later ones, last first.
    fn pairs_of(&self, a: u32, pairs: &mut Vec<Pair>) {
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
        pairs.sort_unstable_by_key(|pair| std::cmp::Reverse(pair.b));
    }
}

impl Iterator for Pairs<'_> {
    type Item = Pair;

    fn next(&mut self) -> Option<Pair> {
        while self.of_a.is_empty() && (self.a as usize) < self.joined.collection.len() {
            self.joined.pairs_of(self.a, &mut self.of_a);
            self.a += 1;
        }
        self.of_a.pop()
    }
}

// What two sets must share to reach a limit, in whole numbers.

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
    pub fn new(ratio: Ratio) -> Self {
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
            >= u128::from(self.numerator) * share.total() as u128
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

// A limit on the pairs that are found, so that no more are held than the caller can use.

/// More pairs than the limit allows.
#[derive(Clone, Copy, Debug, Eq, PartialEq, thiserror::Error)]
#[error("more than {most} pairs, expected as many at most")]
pub struct TooManyPairs {
    /// The most pairs that are allowed.
    pub most: usize,
}

/// A limit on pairs. Where it does not suffice is known as soon as it is so, on every thread, so
/// that no one looks on; which pairs were found by then is left to chance.
#[derive(Debug)]
pub(super) struct PairLimit {
    most: usize,
    taken: AtomicUsize,
}

impl PairLimit {
    pub(super) fn new(most: usize) -> Self {
        Self { most, taken: AtomicUsize::new(0) }
    }

    /// The same limit, with no pair counted yet.
    pub(super) fn anew(&self) -> Self {
        Self::new(self.most)
    }

    /// Counts more pairs; whether they are within the limit.
    pub(super) fn take(&self, pairs: usize) -> bool {
        let before = self.taken.fetch_add(pairs, Ordering::Relaxed);
        before.saturating_add(pairs) <= self.most
    }

    /// Whether there was too little.
    pub(super) fn is_short(&self) -> bool {
        self.taken.load(Ordering::Relaxed) > self.most
    }

    /// The pairs that were found, if all are within the limit.
    pub(super) fn checked<P>(&self, pairs: Vec<P>) -> Result<Vec<P>, TooManyPairs> {
        if self.is_short() { Err(TooManyPairs { most: self.most }) } else { Ok(pairs) }
    }
}

// Whether two sets share enough, no further than needed.

/// Whether it is soon known that two sets share fewer than `least` members. Of the shared ones `met` are
/// known, no fewer than all that have at least `rest` members behind them in either.
///
/// All else that both have comes behind the first in either that has less than `rest` behind it:
/// from there on tokens are merged, rarest first, as far as there are any, and what is frequent
/// need not be looked at. Two sets of which that is not soon known may share enough or not.
pub(super) fn fall_short([left, right]: [Row; 2], (met, rest): (u32, u32), least: u32) -> bool {
    let behind = left.rest(left.tokens.len()).min(right.rest(right.tokens.len()));
    let (mut l, mut r) = (left.kept(rest).len(), right.kept(rest).len());
    let (Some(of_left), Some(of_right)) = (left.tokens.get(l), right.tokens.get(r)) else {
        return false;
    };
    l = left.tokens[..l].partition_point(|token| token < of_right);
    r = right.tokens[..r].partition_point(|token| token < of_left);
    let mut shared = met;
    // Once `least` are shared but for those behind the tokens, these may make up for the rest.
    while shared + behind < least {
        let most = shared + left.rest(l).min(right.rest(r));
        if most < least {
            return true;
        }
        let to_come = (left.tokens.len() - l).min(right.tokens.len() - r);
        if to_come == 0 {
            return false;
        }
        let stride = to_come.min((most - least) as usize + 1);
        for _ in 0..stride {
            let (a, b) = (left.tokens[l], right.tokens[r]);
            shared += u32::from(a == b);
            l += usize::from(a <= b);
            r += usize::from(b <= a);
        }
    }
    false
}

/// Whether two increasing lists of distinct members share at least `least`; read no further than needed.
pub(super) fn share(left: &[u64], right: &[u64], least: u32) -> bool {
    /// Steps between two looks at what is left.
    const STRIDE: usize = 16;
    let least = least as usize;
    let (mut l, mut r, mut shared) = (0, 0, 0);
    while shared < least {
        let rest = (left.len() - l).min(right.len() - r);
        if shared + rest < least {
            return false;
        }
        for _ in 0..STRIDE.min(rest) {
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
        for (why, most, taken, is_short) in table {
            let limit = PairLimit::new(*most);
            let is_within = taken.iter().fold(true, |_, pairs| limit.take(*pairs));
            assert_eq!((limit.is_short(), !is_within), (*is_short, *is_short), "{why}");
            let error = TooManyPairs { most: *most };
            let want = if *is_short { Err(error) } else { Ok(vec![7]) };
            assert_eq!(limit.checked(vec![7]), want, "{why}");
        }
    }
}
