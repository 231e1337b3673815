//! The words of texts, and what they come to in a language: each is reduced once.

use super::Line;
use crate::lexicon::{Distinct, Lexicon, Reading, Stages};
use crate::stems::Stems;
use crate::tokens::{self, Tokens};

/// Keeps words as they are, in no language, and the written words that they come of.
#[derive(Debug, Default)]
pub(super) struct Keeper {
    /// For each word of the lexicon the written word that it is the first of.
    written: Vec<Option<Box<str>>>,
}

/// The words of texts as they are written.
pub(super) type Words = Lexicon<Keeper>;

impl Stages for Keeper {
    fn stems(&mut self, words: Tokens, written: &str) -> Stems {
        if !words.is_empty() {
            self.written.push(Some(written.into()));
            self.written.resize_with(self.written.len() + words.len() - 1, || None);
        }
        words.0.iter().map(|token| &*token.word).collect()
    }
}

/// Words whose stems are appended together.
const BATCH: usize = 32;

/// A word that was not seen.
const UNSEEN: (u32, u32) = (u32::MAX, u32::MAX);

/// What words come to in a language.
#[derive(Debug, Default)]
pub(super) struct Reduced {
    /// The stems of the words seen.
    distinct: Distinct,
    /// For each word the first of its stems and how many there are; [`UNSEEN`] for one that was
    /// not seen. Those of a written word that comes to several words are put in the place of
    /// the first.
    places: Vec<(u32, u32)>,
}

impl Reduced {
    /// The stems of all words seen.
    pub(super) fn distinct(&self) -> &Distinct {
        &self.distinct
    }

    /// Only those, when all is seen.
    pub(super) fn into_distinct(self) -> Distinct {
        self.distinct
    }

    /// From the words of a text, as places in a lexicon, and the breaks before some of them, to
    /// its stems, as places in [`distinct`](Self::distinct). `count` is how many words it has.
    pub(super) fn reduce(
        &mut self,
        line: &Line,
        words: &Words,
        (text, breaks): (&[u32], &[usize]),
        count: usize,
    ) -> Reading {
        let mut stems = Reading { words: count, ..Reading::default() };
        stems.stems.reserve(text.len());
        self.places.resize(words.stems().stems.len(), UNSEEN);
        let mut start = 0;
        for end in breaks.iter().copied().chain([text.len()]) {
            if start > 0
                && !stems.stems.is_empty()
                && stems.breaks.last() != Some(&stems.stems.len())
            {
                stems.breaks.push(stems.stems.len());
            }
            for batch in text[start..end].chunks(BATCH) {
                // Whether a word is a stop word cannot be foreseen: none or one stem is
                // appended without a branch on which.
                let (mut ready, mut count) = ([0; BATCH], 0);
                for word in batch {
                    let (first, its) = self.places[*word as usize];
                    if its <= 1 {
                        ready[count] = first;
                        count += its as usize;
                        continue;
                    }
                    stems.stems.extend_from_slice(&ready[..count]);
                    count = 0;
                    let (first, its) = match (first, its) {
                        UNSEEN => self.analyse(line, words, *word as usize),
                        several => several,
                    };
                    stems.stems.extend(first..first + its);
                }
                stems.stems.extend_from_slice(&ready[..count]);
            }
            start = end;
        }
        stems
    }

    /// Sends a word through the stages.
    fn analyse(&mut self, line: &Line, words: &Words, word: usize) -> (u32, u32) {
        let end = |distinct: &Distinct| {
            u32::try_from(distinct.stems.len()).expect("texts have fewer than 2^32 distinct words")
        };
        let start = end(&self.distinct);
        if let Some(written) = &words.stages().written[word] {
            let stems = line.reduce(tokens::of_word(written), written).1;
            stems.iter().for_each(|stem| self.distinct.push(stem));
        }
        let place = (start, end(&self.distinct) - start);
        self.places[word] = place;
        place
    }
}
