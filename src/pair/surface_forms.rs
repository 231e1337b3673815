//! The words of texts as they are written, in no language: each distinct one is kept once.

use std::collections::HashMap;

use foldhash::quality::RandomState;

use crate::interner::{Interner, Stages, place};
use crate::stems::Stems;
use crate::tokens::Tokens;

/// Keeps words as they are, in no language, and the written words that they come of.
#[derive(Debug, Default)]
pub(crate) struct SurfaceForms {
    /// The written words, one behind the other.
    written: String,
    /// For each word of the lexicon, where the written word ends in that which it is the first
    /// of; of any other word, where the one before it does.
    ends: Vec<usize>,
}

impl SurfaceForms {
    /// How many words the lexicon has.
    pub(crate) fn words(&self) -> usize {
        self.ends.len()
    }

    /// For each word the written word that it is the first of; empty for others.
    pub(crate) fn all(&self) -> impl Iterator<Item = &str> {
        (0..self.words()).map(|word| self.written(word).unwrap_or_default())
    }

    /// The written word that a word is the first of.
    pub(crate) fn written(&self, word: usize) -> Option<&str> {
        let start = word.checked_sub(1).map_or(0, |before| self.ends[before]);
        Some(&self.written[start..self.ends[word]]).filter(|written| !written.is_empty())
    }
}

/// The words of texts as they are written.
pub(crate) type Words = Interner<SurfaceForms>;

impl Stages for SurfaceForms {
    fn stems(&mut self, words: Tokens, written: &str) -> Stems {
        if !words.is_empty() {
            self.written.push_str(written);
            self.ends.resize(self.ends.len() + words.len(), self.written.len());
        }
        words.0.iter().map(|token| &*token.word).collect()
    }

    /// A written word that both keep is one, and so are its words.
    fn join(&mut self, others: &Self, [_, others_words]: [usize; 2]) -> Vec<u32> {
        let known: HashMap<&str, usize, RandomState> =
            self.all().zip(0..).filter(|(written, _)| !written.is_empty()).collect();
        let known: Vec<Option<usize>> =
            others.all().map(|written| known.get(written).copied()).collect();
        let mut places = Vec::with_capacity(others_words);
        // The first word of the written word at hand, and where it stands already.
        let mut first = None;
        for (word, known) in known.into_iter().enumerate() {
            if let Some(written) = others.written(word) {
                first = known.map(|at| (word, at));
                self.written.push_str(if known.is_none() { written } else { "" });
            }
            let at = first.map_or(self.words(), |(first, at)| at + word - first);
            if at == self.words() {
                self.ends.push(self.written.len());
            }
            places.push(place(at));
        }
        places
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::interner::StemSequence;

    proptest! {
        /// A word that both have, one that either has, and written words that come to several.
        #[test]
        fn what_was_kept_apart_is_kept_together(
            left in proptest::collection::vec("a|b|c|ﷺ|ﷻ|ﷺb", 0..6), right in proptest::collection::vec("a|b|c|ﷺ|ﷻ|ﷺb", 0..6),
        ) {
            let keep = |texts: &[&str]| {
                let mut words = Words::new(0, SurfaceForms::default());
                let readings: Vec<StemSequence> = texts.iter().map(|text| words.read(text)).collect();
                let (keeper, distinct) = words.into_parts();
                (keeper, distinct, readings)
            };
            let [left, right] = [left.join(" "), right.join(" ")];
            let (mut keeper, mut distinct, mut readings) = keep(&[&left]);
            let (others, other_distinct, other_readings) = keep(&[&right]);
            let counts = [distinct.stems.len(), other_distinct.stems.len()];
            let places = keeper.join(&others, counts);
            distinct.join(&other_distinct, &places);
            readings.extend(other_readings.into_iter().map(|reading| {
                let stems = reading.stems.iter().map(|stem| places[*stem as usize]).collect();
                StemSequence { stems, ..reading }
            }));
            let (together, all, want) = keep(&[&left, &right]);
            prop_assert_eq!(keeper.all().collect::<Vec<_>>(), together.all().collect::<Vec<_>>());
            prop_assert_eq!((distinct, readings), (all, want));
        }
    }
}
