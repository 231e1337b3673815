//! Finds the pairs of texts that may share a reworded passage, whatever else they share.
//!
//! A passage that has only reworded sentences has an [indexable seed](super::super::indexable), which depends
//! only on its two sentences and on what their terms weigh in each text alone. All are found by prefix filtering
//! (Chaudhuri, Ganti and Kaushik 2006):
//!
//! 1. The key terms of each sentence are put into one order, those first that the fewest sentences have.
//! 2. The sentences that have a term are divided by the second one that two of them share, and where they are
//!    many by the third. From the first one on, the terms of a sentence must weigh as much as it must
//!    share of them, so that the most common ones are neither.
//! 3. Sentences with the same two or three terms are compared, where these are the first ones that they share.

use std::num::NonZeroUsize;
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::index::Texts;
use crate::interner::{numbers, place};
use crate::parallel;
use crate::passages::indexable::{KeyTerm, OwnWeights, are_indexable_seed, least_shared};
use crate::passages::pair::WORD;
use crate::passages::sentences::{self, bigram};
use crate::passages::{keys, runs};

/// The largest number of sentences with the same two terms that are all compared with each other.
const MAX_COMPARED: usize = if cfg!(test) { 4 } else { 16 };

/// The largest number of pairs of texts that are searched for indexable seeds: those of 11,585 texts.
pub(super) const MAX_TEXT_PAIRS: usize = if cfg!(test) { 1 << 10 } else { 1 << 26 };

/// The largest number of pairs of texts with an indexable seed that are judged. A pair counts once for each
/// batch of first shared terms by which it is found. Judging those of 20,000 texts of 300 words on few subjects
/// did not end in nine minutes.
const MAX_PAIRS: usize = if cfg!(test) { 64 } else { 1 << 19 };

/// The number of terms whose sentences are compared at a time, on one thread.
const BATCH: usize = if cfg!(test) { 2 } else { 64 };

/// The sentences of many texts.
struct Sentences {
    /// The text of each sentence.
    texts: Vec<u32>,
    /// The end of the key terms of each sentence.
    ends: Vec<usize>,
    /// The key terms of all sentences that several texts have, one sentence after the other, those of each in
    /// order.
    terms: Vec<KeyTerm>,
    /// The weight of all key terms of each sentence.
    weights: Vec<u32>,
}

/// A sentence, and the place of one of its terms.
#[derive(Clone, Copy, Eq, Ord, PartialEq, PartialOrd)]
struct Place {
    term: u32,
    sentence: u32,
    at: u32,
}

/// The texts that may share a reworded passage with each text.
pub(super) struct Candidates(Vec<Vec<u32>>);

impl Candidates {
    /// Returns the texts that may share a reworded passage with a text, in increasing order.
    pub(super) fn of(&self, text: u32) -> &[u32] {
        &self.0[text as usize]
    }
}

/// Finds the pairs of texts of which two sentences are an indexable seed, if `may_be_paired` is true for them. `None`
/// if there are more than [`MAX_PAIRS`].
///
/// The cost is that of sorting two numbers for each two of the rarest terms of a sentence, and of comparing
/// sentences that share two of these.
pub(super) fn candidates(
    texts: &Texts,
    threads: NonZeroUsize,
    may_be_paired: impl Fn(u32, u32) -> bool + Sync,
) -> Option<Candidates> {
    let sentences = Sentences::new(texts, threads);
    let places = sentences.places();
    let groups: Vec<&[Place]> = places.chunk_by(|one, next| one.term == next.term).collect();
    let count = AtomicUsize::new(0);
    let of_batch = |groups: &[&[Place]]| {
        let mut pairs = Vec::new();
        for group in groups {
            // The count is the same in all runs where it does not exceed the limit.
            if count.load(Ordering::Relaxed) > MAX_PAIRS {
                return pairs;
            }
            sentences.pairs(group, &may_be_paired, &mut pairs);
        }
        pairs.sort_unstable();
        pairs.dedup();
        count.fetch_add(pairs.len(), Ordering::Relaxed);
        pairs
    };
    // If there are too many, the terms that most sentences have show it first.
    let found = parallel::map(threads, groups.chunks(BATCH).rev(), of_batch);
    if count.into_inner() > MAX_PAIRS {
        return None;
    }
    let mut of_texts = vec![Vec::new(); texts.len()];
    for [a, b] in found.into_iter().flatten() {
        of_texts[a as usize].push(b);
        of_texts[b as usize].push(a);
    }
    for others in &mut of_texts {
        others.sort_unstable();
        others.dedup();
    }
    Some(Candidates(of_texts))
}

impl Sentences {
    fn new(texts: &Texts, threads: NonZeroUsize) -> Self {
        let all = 0..place(texts.len());
        let own = parallel::map(threads, all.clone(), |text| own_weights(texts, text));
        let mut bigrams: Vec<u64> = own.iter().flat_map(|(_, own)| own.bigrams()).collect();
        keys::sort(&mut bigrams, 0);
        bigrams.dedup();
        let of_text = |text: u32| of_text(texts, text, &own[text as usize], &bigrams);
        let found = parallel::map(threads, all, of_text);
        let order = order(texts.distinct_words() + bigrams.len(), &found);
        let (texts, ends, terms, weights) = Default::default();
        let mut sentences = Self { texts, ends, terms, weights };
        for (text, of_text) in (0..).zip(found) {
            for mut own in of_text {
                let weight = own.iter().map(|term| u32::from(term.weight)).sum();
                let ordered =
                    |it: &KeyTerm| Some(KeyTerm { term: order[it.term as usize]?, ..*it });
                own = own.iter().filter_map(ordered).collect();
                own.sort_unstable();
                sentences.terms.extend(own);
                sentences.ends.push(sentences.terms.len());
                sentences.weights.push(weight);
                sentences.texts.push(text);
            }
        }
        sentences
    }

    fn of(&self, sentence: u32) -> &[KeyTerm] {
        let at = sentence as usize;
        let start = at.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.terms[start..self.ends[at]]
    }

    /// Returns the places of the terms that may be the first ones that an indexable seed shares, by term and sentence.
    fn places(&self) -> Vec<Place> {
        let all = 0..place(self.texts.len());
        let mut places: Vec<Place> = all.flat_map(|it| self.following(it, 0, 0)).collect();
        places.sort_unstable();
        places
    }

    /// Returns the terms of a sentence from a place on that may be the next one that an indexable seed shares:
    /// those up to its end, and `before`, weigh as much as such a seed must share of the sentence.
    fn following(&self, sentence: u32, from: usize, before: u32) -> impl Iterator<Item = Place> {
        let least = least_shared(self.weights[sentence as usize]);
        let terms = &self.of(sentence)[from..];
        let mut rest = before + terms.iter().map(|term| u32::from(term.weight)).sum::<u32>();
        (place(from)..).zip(terms).map_while(move |(at, term)| {
            let is_enough = rest >= least;
            rest -= u32::from(term.weight);
            is_enough.then_some(Place { term: term.term, sentence, at })
        })
    }

    /// Adds a pair of texts for each two sentences of a group that are an indexable seed, and whose first shared term is
    /// that of the group.
    fn pairs(
        &self,
        group: &[Place],
        may_be_paired: &impl Fn(u32, u32) -> bool,
        pairs: &mut Vec<[u32; 2]>,
    ) {
        let weight = |it: &Place| u32::from(self.of(it.sentence)[it.at as usize].weight);
        let next =
            |it: &Place, before: u32| self.following(it.sentence, it.at as usize + 1, before);
        let mut second: Vec<Place> = group.iter().flat_map(|it| next(it, weight(it))).collect();
        second.sort_unstable();
        let first = group[0].term;
        for of_two in second.chunk_by(|one, next| one.term == next.term) {
            let path = [first, of_two[0].term];
            if of_two.len() <= MAX_COMPARED {
                self.compare(of_two, &path, may_be_paired, pairs);
                continue;
            }
            let weight_of_two = |it: &Place| {
                let own = self.of(it.sentence);
                let at = own.partition_point(|term| term.term < first);
                weight(it) + u32::from(own[at].weight)
            };
            let mut third: Vec<Place> =
                of_two.iter().flat_map(|it| next(it, weight_of_two(it))).collect();
            third.sort_unstable();
            for of_three in third.chunk_by(|one, next| one.term == next.term) {
                let path = [path[0], path[1], of_three[0].term];
                self.compare(of_three, &path, may_be_paired, pairs);
            }
        }
    }

    /// Adds a pair of texts for each two of some sentences that are an indexable seed, and whose first shared terms
    /// are `path`.
    fn compare(
        &self,
        places: &[Place],
        path: &[u32],
        may_be_paired: &impl Fn(u32, u32) -> bool,
        pairs: &mut Vec<[u32; 2]>,
    ) {
        for (at, one) in places.iter().enumerate() {
            for other in &places[at + 1..] {
                let both = [one, other].map(|it| it.sentence);
                let texts = both.map(|sentence| self.texts[sentence as usize]);
                let terms = both.map(|sentence| self.of(sentence));
                let weights = both.map(|sentence| self.weights[sentence as usize]);
                if texts[0] != texts[1]
                    && are_indexable_seed(terms, weights, path)
                    && may_be_paired(texts[0], texts[1])
                {
                    pairs.push(texts);
                }
            }
        }
    }
}

/// Returns the key terms of each sentence of a text, each once, in any order. The number of a word is that of
/// the texts, and those of `bigrams` follow.
fn of_text(
    texts: &Texts,
    text: u32,
    (sentences, weights): &(Vec<Range<usize>>, OwnWeights),
    bigrams: &[u64],
) -> Vec<Vec<KeyTerm>> {
    let (words, own) = (texts.places(text), texts.own(text));
    let number = |word: &u32| own[*word as usize].number;
    let of_word = |word: &u32| KeyTerm::new(number(word), weights.of_word(*word));
    let of_letters = |pair: &[u32]| {
        let letters = bigram([number(&pair[0]), number(&pair[1])]);
        let at = texts.distinct_words() + bigrams.binary_search(&letters).ok()?;
        KeyTerm::new(place(at), weights.of_bigram(letters))
    };
    let of_sentence = |sentence: &Range<usize>| {
        let sentence = &words[sentence.clone()];
        let pairs = if bigrams.is_empty() { &[] } else { sentence };
        let terms =
            sentence.iter().filter_map(of_word).chain(pairs.windows(2).filter_map(of_letters));
        let mut terms: Vec<KeyTerm> = terms.collect();
        terms.sort_unstable();
        terms.dedup();
        terms
    };
    sentences.iter().map(of_sentence).collect()
}

/// Returns the sentences of a text, none if they are not known, and what their terms weigh.
fn own_weights(texts: &Texts, text: u32) -> (Vec<Range<usize>>, OwnWeights) {
    let (words, own) = (texts.places(text), texts.own(text));
    let stretches = runs::cut(vec![Range { start: 0, end: words.len() }], texts.breaks(text));
    let starts = texts.sentences(text, &stretches);
    let sentences = starts.map(|starts| sentences::split(&stretches, &starts)).unwrap_or_default();
    let letter = |word: u32| {
        let known = &own[word as usize];
        (usize::from(known.worth) < WORD).then_some(known.number)
    };
    let counters = numbers::counting_up(words.iter().map(|word| own[*word as usize].value));
    let weights = OwnWeights::new((words, own.len()), &sentences, letter, &counters);
    (sentences, weights)
}

/// Returns the number of each term in the order of how many sentences have it; `None` if only one text does.
fn order(terms: usize, all: &[Vec<Vec<KeyTerm>>]) -> Vec<Option<u32>> {
    let mut counts = vec![(0_u32, u32::MAX, false); terms];
    for (text, sentences) in (0..).zip(all) {
        for term in sentences.iter().flatten() {
            let (count, last, are_several) = &mut counts[term.term as usize];
            *are_several |= *count > 0 && *last != text;
            (*count, *last) = (count.saturating_add(1), text);
        }
    }
    let mut numbers: Vec<usize> = (0..terms).filter(|number| counts[*number].2).collect();
    numbers.sort_by_key(|number| counts[*number].0);
    let mut order = vec![None; terms];
    for (number, at) in (0..).zip(numbers) {
        order[at] = Some(number);
    }
    order
}
