//! The stems of distinct words, as far as shingles need them.

use crate::rabin::Suffix;
use crate::stems::more_stems;

/// A distinct stem of a text, as far as shingles need it.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Stem {
    /// A space and the stem, to be appended to a shingle.
    pub suffix: Suffix,
}

impl Stem {
    /// A stem as it is.
    pub fn of(stem: &str) -> Self {
        Self { suffix: Suffix::of(b" ", stem.as_bytes()) }
    }

    /// Its residue.
    pub fn residue(self) -> u64 {
        self.suffix.residue_behind_space()
    }
}

/// Distinct stems, in the order in which they came.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Distinct {
    /// The stems; one that comes of two written words is here twice.
    pub stems: Vec<Stem>,
    /// For the first of them, [how many more](more_stems) a shingle has that begins there;
    /// none for all others. Empty where no text has a script without spaces.
    pub more: Vec<u8>,
}

impl Distinct {
    /// Adds a stem.
    pub fn push(&mut self, stem: &str) {
        let more = more_stems(stem);
        if more > 0 {
            self.more.resize(self.stems.len(), 0);
            self.more.push(more);
        }
        self.stems.push(Stem::of(stem));
    }
}
