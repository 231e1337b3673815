//! Pairs of classes → pairs of texts, one text after the other.

use super::collection::Collection;
use super::{Joined, Link};
use crate::hamming;
use crate::jaccard::Overlap;
use crate::simhash::Fingerprint;

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
    /// The pair of two texts that share so many shingles, of all sizes and of the greatest.
    pub(super) fn new(collection: &Collection, a: u32, b: u32, (all, longest): (u32, u32)) -> Self {
        let overlap = |shared: u32, left: &[u64], right: &[u64]| Overlap {
            shared: shared as usize,
            left: left.len(),
            right: right.len(),
        };
        let fingerprint = |text| collection.fingerprint(text).unwrap_or(Fingerprint(0));
        Self {
            a,
            b,
            hamming: hamming::distance(fingerprint(a), fingerprint(b)),
            all: overlap(all, collection.all(a), collection.all(b)),
            longest: overlap(longest, collection.longest(a), collection.longest(b)),
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
    /// All pairs, by a and then by b. At any time those of one text are at hand.
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
