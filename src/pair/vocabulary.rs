//! The words of texts, and their stems in a language: each distinct word is stemmed once.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use foldhash::quality::RandomState;

use super::{Analyzed, Analyzer};
use crate::interner::common_runs::{self, Run};
use crate::interner::{
    Interner, ReadPair, Stages, StemPair, StemSequence, StemTable, WordOffsets, place, read_pair,
    stretches,
};
use crate::passages::Sequence;
use crate::stems::Stems;
use crate::text::Text;
use crate::tokens::exclusions::Remaining;
use crate::tokens::{self, Tokens};

impl Analyzer<'_> {
    /// Reduces texts, given their written words, to their stems.
    pub(crate) fn reduce_all<const TEXTS: usize>(
        &self,
        words: &SurfaceForms,
        texts: [&WordSequence; TEXTS],
    ) -> Analyzed<TEXTS> {
        let mut reduced = StemCache::default();
        let stems = texts.map(|WordSequence { sequence, words: count, .. }| {
            reduced.reduce(self, words, (&sequence.words, &sequence.breaks), *count)
        });
        (stems, reduced.distinct)
    }

    /// Same as [`reduce_all`](Self::reduce_all), for two texts that have some runs of words in
    /// common.
    pub(crate) fn reduce_alike(
        &self,
        words: &SurfaceForms,
        texts: [&WordSequence; 2],
        runs: &[Run],
    ) -> (StemPair, StemTable) {
        let places = vec![UNSEEN; words.words()];
        let mut reduced = StemCache { places, ..StemCache::default() };
        let counts = texts.map(|text| text.words);
        let texts = texts.map(|text| &text.sequence.words[..]);
        let mut pair =
            StemPair::from(counts.map(|words| StemSequence { words, ..StemSequence::default() }));
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
        (pair, reduced.distinct)
    }
}

/// The number of words whose stems are appended together.
const BATCH: usize = 32;

/// The entry of a word that has not been reduced yet.
const UNSEEN: (u32, u32) = (u32::MAX, u32::MAX);

/// A cache of the stems of words in one language.
#[derive(Debug, Default)]
pub(crate) struct StemCache {
    /// The stems of the words reduced so far.
    pub(crate) distinct: StemTable,
    /// For each word, the index of its first stem and the number of its stems; [`UNSEEN`] if it has
    /// not been reduced yet. If a written word yields several words, the first of them has the
    /// stems of all.
    places: Vec<(u32, u32)>,
}

impl StemCache {
    /// Reduces a text to its stems, which are indices into [`distinct`](Self::distinct). The text
    /// is given by its words, which are indices into a vocabulary, and by the indices of words that
    /// follow a gap. `count` is the number of words of the text.
    pub(crate) fn reduce(
        &mut self,
        analyzer: &Analyzer,
        words: &SurfaceForms,
        (text, breaks): (&[u32], &[usize]),
        count: usize,
    ) -> StemSequence {
        let mut stems = StemSequence { words: count, ..StemSequence::default() };
        stems.stems.reserve(text.len());
        self.places.resize(words.words(), UNSEEN);
        for stretch in stretches(breaks, text.len()) {
            if stretch.start > 0
                && !stems.stems.is_empty()
                && stems.breaks.last() != Some(&stems.stems.len())
            {
                stems.breaks.push(stems.stems.len());
            }
            self.reduce_on(analyzer, words, &text[stretch], &mut stems.stems);
        }
        stems
    }

    /// Appends the stems of words that have no gap between them.
    fn reduce_on(
        &mut self,
        analyzer: &Analyzer,
        words: &SurfaceForms,
        text: &[u32],
        stems: &mut Vec<u32>,
    ) {
        for batch in text.chunks(BATCH) {
            // The processor cannot predict which words are stop words: zero or one stem is appended
            // without branching on it.
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
                    UNSEEN => self.analyse(analyzer, words, *word as usize),
                    several => several,
                };
                stems.extend(first..first + its);
            }
            stems.extend_from_slice(&ready[..count]);
        }
    }

    /// Runs a word through the stages and caches its stems.
    fn analyse(&mut self, analyzer: &Analyzer, words: &SurfaceForms, word: usize) -> (u32, u32) {
        let end = |distinct: &StemTable| place(distinct.stems.len());
        let start = end(&self.distinct);
        if let Some(form) = words.form(word) {
            let stems = analyzer.reduce(tokens::split_word(form), form).1;
            stems.iter().for_each(|stem| self.distinct.push(stem));
        }
        let its = (start, end(&self.distinct) - start);
        self.places[word] = its;
        its
    }
}

// The words of texts as they are written, in no language: each distinct one is stored once.

/// The written words that words are made from. Words are kept as they are, in no language.
#[derive(Debug, Default)]
pub(crate) struct SurfaceForms {
    /// The written words, one after the other.
    forms: String,
    /// For each word of the vocabulary that is the first word of a written word, the end of that in
    /// `forms`; for any other word, the same end as for the word before it.
    ends: Vec<usize>,
}

impl SurfaceForms {
    pub(crate) fn words(&self) -> usize {
        self.ends.len()
    }

    /// Returns for each word the written word that it is the first word of; an empty string for all
    /// others.
    pub(crate) fn all(&self) -> impl Iterator<Item = &str> {
        (0..self.words()).map(|word| self.form(word).unwrap_or_default())
    }

    /// Returns the written word that a word is the first word of; `None` if it is not the first
    /// word of one.
    pub(crate) fn form(&self, word: usize) -> Option<&str> {
        let start = word.checked_sub(1).map_or(0, |before| self.ends[before]);
        Some(&self.forms[start..self.ends[word]]).filter(|form| !form.is_empty())
    }
}

/// An interner that keeps the words of texts as they are written.
pub(crate) type Words = Interner<SurfaceForms>;

impl Stages for SurfaceForms {
    fn stems(&mut self, words: Tokens, form: &str) -> Stems {
        if !words.is_empty() {
            self.forms.push_str(form);
            self.ends.resize(self.ends.len() + words.len(), self.forms.len());
        }
        words.0.iter().map(|token| &*token.word).collect()
    }

    /// Merges two vocabularies: a written word that both contain is stored once, and so are its
    /// words.
    fn join(&mut self, others: &Self, [_, others_words]: [usize; 2]) -> Vec<u32> {
        let known: HashMap<&str, usize, RandomState> =
            self.all().zip(0..).filter(|(form, _)| !form.is_empty()).collect();
        let known: Vec<Option<usize>> = others.all().map(|form| known.get(form).copied()).collect();
        let mut places = Vec::with_capacity(others_words);
        // The first word of the current written word, and its index in this vocabulary, if it is
        // known.
        let mut first = None;
        for (word, known) in known.into_iter().enumerate() {
            if let Some(form) = others.form(word) {
                first = known.map(|at| (word, at));
                self.forms.push_str(if known.is_none() { form } else { "" });
            }
            let at = first.map_or(self.words(), |(first, at)| at + word - first);
            if at == self.words() {
                self.ends.push(self.forms.len());
            }
            places.push(place(at));
        }
        places
    }
}

// From a text to its words as they are written, and their offsets.

/// The words of a text as they are written.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub(crate) struct WordSequence {
    pub(crate) sequence: Sequence,
    pub(crate) words: usize,
    pub(crate) offsets: WordOffsets,
}

/// Returns the words as they are, as their own stems.
#[expect(clippy::needless_pass_by_value, reason = "as the other stages")]
pub(crate) fn stems(words: Tokens, _: &str) -> Stems {
    words.0.iter().map(|token| &*token.word).collect()
}

/// Reads texts with one interner, which keeps only what was written, and returns their words.
pub(crate) fn read<const TEXTS: usize>(
    texts: [&Remaining; TEXTS],
) -> (SurfaceForms, [WordSequence; TEXTS]) {
    let bytes = texts.iter().map(|text| text.text().len()).sum();
    let mut memory = Words::new(bytes, SurfaceForms::default());
    let readings = texts.map(|text| memory.read_with_offsets(text.text(), text.spans()));
    let (surface_forms, distinct) = memory.into_parts();
    let distinct = Arc::new(distinct);
    (
        surface_forms,
        readings.map(|(reading, offsets)| word_sequence(reading, offsets, Arc::clone(&distinct))),
    )
}

/// Reads two texts together, and returns their words and the runs of words that both have; `None`
/// if [they cannot be read together](read_pair).
pub(crate) fn read_both(
    texts: [&Remaining; 2],
) -> Option<(SurfaceForms, [WordSequence; 2], Vec<Run>)> {
    let read = read_pair(texts, SurfaceForms::default, true)?;
    let ReadPair { pair, offsets: [left_offsets, right_offsets], stages: surface_forms, distinct } =
        read;
    let (runs, distinct) = (pair.runs().collect(), Arc::new(distinct));
    let [left, right] = pair.into_readings();
    let left = word_sequence(left, left_offsets, Arc::clone(&distinct));
    Some((surface_forms, [left, word_sequence(right, right_offsets, distinct)], runs))
}

fn word_sequence(
    StemSequence { words, stems: places, breaks }: StemSequence,
    offsets: WordOffsets,
    distinct: Arc<StemTable>,
) -> WordSequence {
    WordSequence { sequence: Sequence { words: places, distinct, breaks }, words, offsets }
}

impl WordSequence {
    pub(crate) fn new(text: &Text) -> Self {
        Self::alone(&Remaining::without(text, Vec::new()))
    }

    /// Reads the words that are left of a text after exclusions, only to find their offsets and
    /// which words are equal.
    pub(crate) fn alone(text: &Remaining) -> Self {
        let mut memory = Interner::new(text.text().len(), stems);
        let (reading, offsets) = memory.read_with_offsets(text.text(), text.spans());
        word_sequence(reading, offsets, Arc::new(memory.into_stems()))
    }
}

impl WordSequence {
    /// Returns the spans of the longest parts of ranges of words that share no character with other
    /// words; none is empty.
    pub(crate) fn spans(&self, text: &Text, ranges: &[Range<usize>]) -> Vec<Range<usize>> {
        let filled = self
            .offsets
            .whole(text.content(), ranges)
            .into_iter()
            .filter(|spot| !spot.words.is_empty());
        filled.map(|spot| spot.span).collect()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::Recipe;
    use super::*;
    use crate::language::Language;
    use crate::tokens::exclusions::Remaining;

    proptest! {
        /// Texts that have most of their words in common, read together: words with no stem, one stem and
        /// several, and words that are too long to be cached.
        #[test]
        fn copies_come_to_what_each_comes_to_alone(
            words in proptest::collection::vec("(kettles|l'homme|the|ﷺ|水火|[a-c]{1,2}|x{70}) ", 0..60),
            edit in "([a-d]{1,2} )?", at in 0_usize..60, language in proptest::sample::select(vec!["en", "fr"]),
        ) {
            let recipe = Recipe::default();
            let analyzer = Analyzer::new(Language::from_code(language), &recipe);
            let (head, tail) = words.split_at(at.min(words.len()));
            let [head, tail] = [head, tail].map(<[String]>::concat);
            let texts = [format!("{head}{tail}"), format!("{head}{edit}{tail}")];
            let remaining = texts.each_ref().map(|text| Remaining::all(text));
            let [left, right] = &remaining;
            let (kept, sequences, runs) = read_both([left, right]).unwrap();
            let (pair, distinct) = analyzer.reduce_alike(&kept, sequences.each_ref(), &runs);
            let sketches = pair.into_readings().map(|stems| analyzer.compose(&stems, &distinct));
            let alone = remaining.map(|text| {
                let ([stems], distinct) = analyzer.read([&text]);
                analyzer.compose(&stems, &distinct)
            });
            prop_assert_eq!(sketches, alone);
        }
    }
}

#[cfg(test)]
mod surface_forms_tests {
    use proptest::prelude::*;

    use super::*;
    use crate::interner::StemSequence;

    proptest! {
        /// Words that both texts have, words that only one has, and written words with several
        /// stems.
        #[test]
        fn words_of_texts_read_apart_are_put_together(
            left in proptest::collection::vec("a|b|c|ﷺ|ﷻ|ﷺb", 0..6), right in proptest::collection::vec("a|b|c|ﷺ|ﷻ|ﷺb", 0..6),
        ) {
            let keep = |texts: &[&str]| {
                let mut words = Words::new(0, SurfaceForms::default());
                let readings: Vec<StemSequence> = texts.iter().map(|text| words.read(text)).collect();
                let (surface_forms, distinct) = words.into_parts();
                (surface_forms, distinct, readings)
            };
            let [left, right] = [left.join(" "), right.join(" ")];
            let (mut surface_forms, mut distinct, mut readings) = keep(&[&left]);
            let (others, other_distinct, other_readings) = keep(&[&right]);
            let counts = [distinct.stems.len(), other_distinct.stems.len()];
            let places = surface_forms.join(&others, counts);
            distinct.join(&other_distinct, &places);
            readings.extend(other_readings.into_iter().map(|reading| {
                let stems = reading.stems.iter().map(|stem| places[*stem as usize]).collect();
                StemSequence { stems, ..reading }
            }));
            let (together, all, want) = keep(&[&left, &right]);
            prop_assert_eq!(surface_forms.all().collect::<Vec<_>>(), together.all().collect::<Vec<_>>());
            prop_assert_eq!((distinct, readings), (all, want));
        }
    }
}
