//! What is left of a text when its stages are done: all that a comparison needs.

use crate::shingles::Shingles;
use crate::simhash::{self, Fingerprint, Votes};

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
    /// The sketch of a text of so many words and stems.
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

/// What is told of a sketch.
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

/// The summary of a sketch whose set comes part by part, and none of them is kept.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Summing {
    words: usize,
    stems: usize,
    shingles: usize,
    votes: Votes,
}

impl Summing {
    /// Of a text of so many words and stems, before any part.
    pub fn new(words: usize, stems: usize) -> Self {
        Self { words, stems, shingles: 0, votes: simhash::vote(&[]) }
    }

    /// Adds a part, which has no shingle of another.
    pub fn add(&mut self, part: &Shingles) {
        self.shingles += part.all().len();
        self.votes.add(&simhash::vote(part.all()));
    }

    /// The summary, when all parts have come.
    pub fn summary(&self) -> Summary {
        let Self { words, stems, shingles, ref votes } = *self;
        let fingerprint = (shingles > 0).then(|| votes.fingerprint());
        Summary { words, stems, shingles, fingerprint }
    }
}
