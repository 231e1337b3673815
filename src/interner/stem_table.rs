//! The stems of distinct words, as far as shingles need them.

use std::ops::Range;

use super::Check;
use crate::rabin::Suffix;
use crate::stems::more_stems;

/// A distinct stem of a text, as far as shingles need it; by default an empty one.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct Stem {
    /// A space and the stem, to be appended to a shingle.
    pub suffix: Suffix,
    /// What tells it apart from other stems of the same residue.
    pub check: Check,
}

impl Stem {
    /// A stem as it is.
    pub fn of(stem: &str) -> Self {
        Self { suffix: Suffix::of(b" ", stem.as_bytes()), check: Check::new(stem) }
    }

    /// Its residue.
    pub fn residue(self) -> u64 {
        self.suffix.residue_behind_space()
    }

    /// A number that is equal for equal stems and, within one process, different for different
    /// ones: the residue, its lowest bits combined with the [check](Check::bits).
    pub fn key(self) -> u64 {
        self.residue() ^ u64::from(self.check.bits())
    }
}

/// Distinct stems, in the order in which they came.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct StemTable {
    /// The stems; one that comes of two written words is here twice.
    pub stems: Vec<Stem>,
    /// For the first of them, [how many more](more_stems) a shingle has that begins there;
    /// none for all others. Empty where no text has a script without spaces.
    pub more: Vec<u8>,
    /// The greatest of these. A corpus asks for it with each of its texts.
    greatest_more: u8,
}

impl StemTable {
    /// Adds a stem.
    pub fn push(&mut self, stem: &str) {
        self.add(Stem::of(stem), more_stems(stem));
    }

    /// How many more stems than n a window has at most.
    pub fn greatest_more(&self) -> u8 {
        self.greatest_more
    }

    /// Adds those of others that it does not have. `places` tells where each of theirs is to
    /// stand.
    pub(crate) fn join(&mut self, others: &Self, places: &[u32]) {
        for ((stem, more), place) in others.each().zip(places) {
            if *place as usize == self.stems.len() {
                self.add(stem, more);
            }
        }
    }

    /// Adds all of others behind its own, and tells where they stand.
    pub(crate) fn append(&mut self, others: &Self) -> Range<u32> {
        let start = self.stems.len();
        self.stems.reserve_exact(others.stems.len());
        others.each().for_each(|(stem, more)| self.add(stem, more));
        place(start)..place(self.stems.len())
    }

    /// Each stem, and what it takes more.
    pub(crate) fn each(&self) -> impl Iterator<Item = (Stem, u8)> {
        self.stems.iter().copied().zip(self.more.iter().copied().chain(std::iter::repeat(0)))
    }

    fn add(&mut self, stem: Stem, more: u8) {
        self.greatest_more = self.greatest_more.max(more);
        if more > 0 {
            self.more.resize(self.stems.len(), 0);
            self.more.push(more);
        }
        self.stems.push(stem);
    }
}

/// The place of a stem, or of a word, as numbered.
pub(crate) fn place(stem: usize) -> u32 {
    u32::try_from(stem).expect("texts have fewer than 2^32 distinct words")
}
