//! The words of texts, and what they come to in a language: each is reduced once.

use std::ops::Range;

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

/// What words come to in a language.
#[derive(Debug, Default)]
pub(super) struct Reduced {
    /// The stems of the words seen.
    distinct: Distinct,
    /// For each word where its stems are; none for one that was not seen. Those of a written
    /// word that comes to several words are put in the place of the first.
    places: Vec<Option<Range<u32>>>,
}

impl Reduced {
    /// The stems of all words seen.
    pub(super) fn distinct(&self) -> &Distinct {
        &self.distinct
    }

    /// From the words of a text, as places in a lexicon, to its stems, as places in
    /// [`distinct`](Self::distinct).
    pub(super) fn reduce(&mut self, line: &Line, words: &Words, text: &Reading) -> Reading {
        let mut stems = Reading { words: text.words, ..Reading::default() };
        stems.stems.reserve(text.stems.len());
        self.places.resize(words.stems().stems.len(), None);
        let mut breaks = text.breaks.iter().peekable();
        for (at, word) in text.stems.iter().enumerate() {
            if breaks.next_if(|next| **next == at).is_some() && !stems.stems.is_empty() {
                stems.breaks.push(stems.stems.len());
            }
            let word = *word as usize;
            let place = match &self.places[word] {
                Some(place) => place.clone(),
                None => self.analyse(line, words, word),
            };
            stems.stems.extend(place);
        }
        stems
    }

    /// Sends a word through the stages.
    fn analyse(&mut self, line: &Line, words: &Words, word: usize) -> Range<u32> {
        let end = |distinct: &Distinct| {
            u32::try_from(distinct.stems.len()).expect("texts have fewer than 2^32 distinct words")
        };
        let start = end(&self.distinct);
        if let Some(written) = &words.stages().written[word] {
            let stems = line.reduce(tokens::of_word(written), written).1;
            stems.iter().for_each(|stem| self.distinct.push(stem));
        }
        let place = start..end(&self.distinct);
        self.places[word] = Some(place.clone());
        place
    }
}
