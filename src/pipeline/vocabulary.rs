//! The words of texts, and what they come to in a language: each is reduced once.

use std::collections::HashMap;

use foldhash::quality::RandomState;

use super::written::Written;
use super::{Drawn, Line};
use crate::lexicon::{Distinct, Lexicon, Reading, Stages};
use crate::passages::Sequence;
use crate::stems::Stems;
use crate::tokens::{self, Tokens};

/// Keeps words as they are, in no language, and the written words that they come of.
#[derive(Debug, Default)]
pub(super) struct Keeper {
    /// The written words, one behind the other.
    written: String,
    /// For each word of the lexicon, where the written word ends in that which it is the first
    /// of; of any other word, where the one before it does.
    ends: Vec<usize>,
}

impl Keeper {
    /// How many words the lexicon has.
    fn words(&self) -> usize {
        self.ends.len()
    }

    /// For each word the written word that it is the first of; empty for others.
    fn all(&self) -> impl Iterator<Item = &str> {
        (0..self.words()).map(|word| self.written(word).unwrap_or_default())
    }

    /// The written word that a word is the first of.
    fn written(&self, word: usize) -> Option<&str> {
        let start = word.checked_sub(1).map_or(0, |before| self.ends[before]);
        Some(&self.written[start..self.ends[word]]).filter(|written| !written.is_empty())
    }
}

/// The words of texts as they are written.
pub(super) type Words = Lexicon<Keeper>;

impl Stages for Keeper {
    fn stems(&mut self, words: Tokens, written: &str) -> Stems {
        if !words.is_empty() {
            self.written.push_str(written);
            self.ends.resize(self.ends.len() + words.len(), self.written.len());
        }
        words.0.iter().map(|token| &*token.word).collect()
    }
}

impl Line<'_> {
    /// From the words of texts, as they are written, to their stems.
    pub(super) fn reduce_all<const TEXTS: usize>(
        &self,
        words: &Keeper,
        texts: [&Written; TEXTS],
    ) -> Drawn<TEXTS> {
        let mut reduced = Reduced::default();
        let stems = texts.map(|text| reduced.reduce_written(self, words, text));
        (stems, reduced.into_distinct())
    }

    /// The same of two long texts that have their words by themselves. A word that both have is
    /// reduced once.
    pub(super) fn reduce_both(
        &self,
        (left_words, left): (Keeper, &Written),
        (right_words, right): (Keeper, &Written),
    ) -> Drawn<2> {
        let mut reduced = Reduced::default();
        let left = reduced.reduce_written(self, &left_words, left);
        let mut reduced = reduced.carried(&left_words, &right_words);
        let right = reduced.reduce_written(self, &right_words, right);
        ([left, right], reduced.into_distinct())
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

    fn reduce_written(&mut self, line: &Line, words: &Keeper, text: &Written) -> Reading {
        let Sequence { words: places, breaks, .. } = &text.sequence;
        self.reduce(line, words, (places, breaks), text.words)
    }

    /// From the words of a text, as places in a lexicon, and the breaks before some of them, to
    /// its stems, as places in [`distinct`](Self::distinct). `count` is how many words it has.
    pub(super) fn reduce(
        &mut self,
        line: &Line,
        words: &Keeper,
        (text, breaks): (&[u32], &[usize]),
        count: usize,
    ) -> Reading {
        let mut stems = Reading { words: count, ..Reading::default() };
        stems.stems.reserve(text.len());
        self.places.resize(words.words(), UNSEEN);
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

    /// What was seen of one lexicon, for another one in the same language: a word that both
    /// have is not reduced again.
    pub(super) fn carried(self, from: &Keeper, to: &Keeper) -> Self {
        let mut known =
            HashMap::with_capacity_and_hasher(self.places.len(), RandomState::default());
        known.extend(from.all().zip(self.places));
        let place = |written| known.get(written).copied().unwrap_or(UNSEEN);
        Self { places: to.all().map(place).collect(), ..self }
    }

    /// Sends a word through the stages.
    fn analyse(&mut self, line: &Line, words: &Keeper, word: usize) -> (u32, u32) {
        let end = |distinct: &Distinct| {
            u32::try_from(distinct.stems.len()).expect("texts have fewer than 2^32 distinct words")
        };
        let start = end(&self.distinct);
        if let Some(written) = words.written(word) {
            let stems = line.reduce(tokens::of_word(written), written).1;
            stems.iter().for_each(|stem| self.distinct.push(stem));
        }
        let place = (start, end(&self.distinct) - start);
        self.places[word] = place;
        place
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::written;
    use super::*;
    use crate::exclusions::Remaining;
    use crate::language::Language;
    use crate::recipe::Recipe;

    proptest! {
        /// Words that one text has and both, that come to no stem, to one and to several, and
        /// that are too long to be remembered.
        #[test]
        fn texts_with_words_in_common_come_to_what_each_comes_to_alone(
            left in "((kettles|l'homme|the|ﷺ|水|[a-c]{1,2}|x{70}) ){0,40}",
            right in "((kettles|l'homme|the|ﷺ|水|[a-c]{1,2}|x{70}) ){0,40}",
            language in proptest::sample::select(vec!["en", "fr"]),
        ) {
            let recipe = Recipe::default();
            let line = Line::new(Language::from_code(language), &recipe);
            let read = |text: &str| {
                let (words, [written]) = written::read([&Remaining::all(text)]);
                (words, written)
            };
            let alone = |text: &str| {
                let (words, written) = read(text);
                let ([stems], distinct) = line.reduce_all(&words, [&written]);
                line.compose(&stems, &distinct)
            };
            let ((left_words, of_left), (right_words, of_right)) = (read(&left), read(&right));
            let (stems, distinct) =
                line.reduce_both((left_words, &of_left), (right_words, &of_right));
            let sketches = stems.map(|stems| line.compose(&stems, &distinct));
            prop_assert_eq!(sketches, [alone(&left), alone(&right)]);
        }
    }
}
