//! What is left of a text when its stages are done: all that a comparison needs.

use crate::shingles::Shingles;
use crate::simhash::{self, Fingerprint};

/// The set of a text's shingles, its fingerprint, and the counts along the way.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Sketch {
    /// Words of the text.
    pub words: usize,
    /// Stems left after the stop words.
    pub stems: usize,
    /// The distinct shingles; empty where there are too few stems.
    pub shingles: Shingles,
    /// The fingerprint; none where there are no shingles.
    pub fingerprint: Option<Fingerprint>,
}

impl Sketch {
    /// The sketch of a text, with its numbers of words and stems.
    pub fn new(words: usize, stems: usize, shingles: Shingles) -> Self {
        let fingerprint = simhash::fingerprint(&shingles);
        Self { words, stems, shingles, fingerprint }
    }

    /// The same without the set.
    pub fn summary(&self) -> Summary {
        let Self { words, stems, ref shingles, fingerprint } = *self;
        Summary { words, stems, shingles: shingles.all().len(), fingerprint }
    }
}

/// What is reported of a sketch.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Summary {
    /// Words of the text.
    pub words: usize,
    /// Stems left after the stop words.
    pub stems: usize,
    /// The number of distinct shingles.
    pub shingles: usize,
    /// The fingerprint; none where there are no shingles.
    pub fingerprint: Option<Fingerprint>,
}
