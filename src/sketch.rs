//! The result of the stages for one text: all that a comparison needs.

use crate::shingles::Shingles;
use crate::simhash::{self, Fingerprint};

/// The set of a text's shingles, its fingerprint, and the counts of its words and stems.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Sketch {
    /// The number of words.
    pub words: usize,
    /// The number of stems left after the removal of stop words.
    pub stems: usize,
    /// The distinct shingles; empty if there are too few stems.
    pub shingles: Shingles,
    /// The fingerprint; `None` if there are no shingles.
    pub fingerprint: Option<Fingerprint>,
}

impl Sketch {
    /// Creates the sketch of a text with the given numbers of words and stems.
    pub fn new(words: usize, stems: usize, shingles: Shingles) -> Self {
        let fingerprint = simhash::fingerprint(&shingles);
        Self { words, stems, shingles, fingerprint }
    }

    /// Returns the same sketch without the set.
    pub fn summary(&self) -> Summary {
        let Self { words, stems, ref shingles, fingerprint } = *self;
        Summary { words, stems, shingles: shingles.all().len(), fingerprint }
    }
}

/// The reported part of a sketch.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Summary {
    /// The number of words.
    pub words: usize,
    /// The number of stems left after the removal of stop words.
    pub stems: usize,
    /// The number of distinct shingles.
    pub shingles: usize,
    /// The fingerprint; `None` if there are no shingles.
    pub fingerprint: Option<Fingerprint>,
}
