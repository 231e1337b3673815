//! The words of texts, and what they come to in a language: each is reduced once.

use std::collections::HashMap;

use foldhash::quality::RandomState;

use super::surface_forms::SurfaceForms;
use super::word_sequence::WordSequence;
use super::{Analyzed, Analyzer};
use crate::interner::common_runs::{self, Run};
use crate::interner::{Pair, StemSequence, StemTable, place};
use crate::passages::Sequence;
use crate::tokens;

impl Analyzer<'_> {
    /// From the words of texts, as they are written, to their stems.
    pub(crate) fn reduce_all<const TEXTS: usize>(
        &self,
        words: &SurfaceForms,
        texts: [&WordSequence; TEXTS],
    ) -> Analyzed<TEXTS> {
        let mut reduced = StemCache::default();
        let stems = texts.map(|text| reduced.reduce_written(self, words, text));
        (stems, reduced.into_distinct())
    }

    /// The same of two texts that have some runs of words in common.
    pub(crate) fn reduce_alike(
        &self,
        words: &SurfaceForms,
        texts: [&WordSequence; 2],
        runs: &[Run],
    ) -> (Pair, StemTable) {
        let mut reduced = StemCache::for_words(words);
        let counts = texts.map(|text| text.words);
        let texts = texts.map(|text| &text.sequence.words[..]);
        let mut pair =
            Pair::from(counts.map(|words| StemSequence { words, ..StemSequence::default() }));
        pair.sides()[0].stems.reserve(texts[0].len());
        for (own, run) in common_runs::turns(runs.iter().copied(), texts.map(<[u32]>::len)) {
            for (side, own) in own.into_iter().enumerate() {
                reduced.reduce_on(self, words, &texts[side][own], &mut pair.sides()[side].stems);
            }
            let [before, _] = pair.lengths();
            let common = &texts[0][run.range(0)];
            reduced.reduce_on(self, words, common, &mut pair.sides()[0].stems);
            pair.share(before);
        }
        (pair, reduced.into_distinct())
    }

    /// The same of two long texts that have their words by themselves. A word that both have is
    /// reduced once.
    pub(crate) fn reduce_both(
        &self,
        (left_words, left): (SurfaceForms, &WordSequence),
        (right_words, right): (SurfaceForms, &WordSequence),
    ) -> Analyzed<2> {
        let mut reduced = StemCache::default();
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
pub(crate) struct StemCache {
    /// The stems of the words seen.
    distinct: StemTable,
    /// For each word the first of its stems and how many there are; [`UNSEEN`] for one that was
    /// not seen. Those of a written word that comes to several words are put in the place of
    /// the first.
    places: Vec<(u32, u32)>,
}

impl StemCache {
    fn for_words(words: &SurfaceForms) -> Self {
        Self { places: vec![UNSEEN; words.words()], ..Self::default() }
    }

    /// The stems of all words seen.
    pub(crate) fn distinct(&self) -> &StemTable {
        &self.distinct
    }

    /// Only those, when all is seen.
    pub(crate) fn into_distinct(self) -> StemTable {
        self.distinct
    }

    fn reduce_written(
        &mut self,
        line: &Analyzer,
        words: &SurfaceForms,
        text: &WordSequence,
    ) -> StemSequence {
        let Sequence { words: places, breaks, .. } = &text.sequence;
        self.reduce(line, words, (places, breaks), text.words)
    }

    /// From the words of a text, as places in a lexicon, and the breaks before some of them, to
    /// its stems, as places in [`distinct`](Self::distinct). `count` is how many words it has.
    pub(crate) fn reduce(
        &mut self,
        line: &Analyzer,
        words: &SurfaceForms,
        (text, breaks): (&[u32], &[usize]),
        count: usize,
    ) -> StemSequence {
        let mut stems = StemSequence { words: count, ..StemSequence::default() };
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
            self.reduce_on(line, words, &text[start..end], &mut stems.stems);
            start = end;
        }
        stems
    }

    /// Adds the stems of words without a break.
    fn reduce_on(
        &mut self,
        line: &Analyzer,
        words: &SurfaceForms,
        text: &[u32],
        stems: &mut Vec<u32>,
    ) {
        for batch in text.chunks(BATCH) {
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
                stems.extend_from_slice(&ready[..count]);
                count = 0;
                let (first, its) = match (first, its) {
                    UNSEEN => self.analyse(line, words, *word as usize),
                    several => several,
                };
                stems.extend(first..first + its);
            }
            stems.extend_from_slice(&ready[..count]);
        }
    }

    /// What was seen of one lexicon, for another one in the same language: a word that both
    /// have is not reduced again.
    pub(crate) fn carried(self, from: &SurfaceForms, to: &SurfaceForms) -> Self {
        let mut known =
            HashMap::with_capacity_and_hasher(self.places.len(), RandomState::default());
        known.extend(from.all().zip(self.places));
        let known = |written| known.get(written).copied().unwrap_or(UNSEEN);
        Self { places: to.all().map(known).collect(), ..self }
    }

    /// Sends a word through the stages.
    fn analyse(&mut self, line: &Analyzer, words: &SurfaceForms, word: usize) -> (u32, u32) {
        let end = |distinct: &StemTable| place(distinct.stems.len());
        let start = end(&self.distinct);
        if let Some(written) = words.written(word) {
            let stems = line.reduce(tokens::of_word(written), written).1;
            stems.iter().for_each(|stem| self.distinct.push(stem));
        }
        let its = (start, end(&self.distinct) - start);
        self.places[word] = its;
        its
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::word_sequence;
    use super::*;
    use crate::language::Language;
    use crate::pair::recipe::Recipe;
    use crate::tokens::exclusions::Remaining;

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
            let line = Analyzer::new(Language::from_code(language), &recipe);
            let read = |text: &str| {
                let (words, [written]) = word_sequence::read([&Remaining::all(text)]);
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

        /// The same of texts that have most in common, read together.
        #[test]
        fn copies_come_to_what_each_comes_to_alone(
            words in proptest::collection::vec("(kettles|l'homme|the|ﷺ|水火|[a-c]{1,2}|x{70}) ", 0..60),
            edit in "([a-d]{1,2} )?", at in 0_usize..60, language in proptest::sample::select(vec!["en", "fr"]),
        ) {
            let recipe = Recipe::default();
            let line = Analyzer::new(Language::from_code(language), &recipe);
            let (head, tail) = words.split_at(at.min(words.len()));
            let [head, tail] = [head, tail].map(<[String]>::concat);
            let texts = [format!("{head}{tail}"), format!("{head}{edit}{tail}")];
            let remaining = texts.each_ref().map(|text| Remaining::all(text));
            let [left, right] = &remaining;
            let (kept, written, runs) = word_sequence::read_both([left, right]).unwrap();
            let (pair, distinct) = line.reduce_alike(&kept, written.each_ref(), &runs);
            let sketches = pair.into_readings().map(|stems| line.compose(&stems, &distinct));
            let alone = remaining.map(|text| {
                let ([stems], distinct) = line.read([&text]);
                line.compose(&stems, &distinct)
            });
            prop_assert_eq!(sketches, alone);
        }
    }
}
