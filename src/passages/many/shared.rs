//! Finds the pairs of texts that share a passage, and how much of them their passages cover.

use std::num::NonZeroUsize;
use std::ops::{ControlFlow, Range};

use super::super::choose::FoundPassage;
use super::super::joined::{self, Joined, Reworded};
use super::super::pair::Pair;
use super::super::{Covered, SideWords, WordPair, covered_by, found};
use super::index::Index;
use super::reworded;
use super::scan::CandidateFinder;
use crate::interner::common_runs::Run;
use crate::interner::place;
use crate::parallel::{self, Watch};

/// The size of several passages.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct Amount {
    /// The number of passages.
    pub passages: usize,
    /// The words of each text that they cover.
    pub covered: [Covered; 2],
    /// The largest number of aligned words in a passage.
    pub longest: usize,
}

/// The number of texts whose candidates are looked up at a time, to bound the memory.
const TEXTS_AT_A_TIME: usize = if cfg!(test) { 2 } else { 128 };

/// Two texts that may share a passage, the smaller number first.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub struct Candidate {
    texts: [u32; 2],
    /// Whether they have no exact or edited passage in common.
    is_alone: bool,
}

impl Candidate {
    /// Returns both texts, the smaller number first.
    pub fn texts(&self) -> [u32; 2] {
        self.texts
    }
}

/// The pairs of texts that may share a passage, of those that are asked for.
pub struct Candidates<'i, P> {
    index: &'i Index<'i>,
    asked: Vec<bool>,
    may_be_paired: P,
    reworded: Option<reworded::Candidates>,
    min_words: Option<usize>,
}

impl Index<'_> {
    /// Prepares the search for the pairs of texts that share a passage which counts, and for those that
    /// may share a reworded one.
    ///
    /// Pairs are left out if `may_be_paired` is false for them, or if `is_asked` is false for both texts.
    /// Only passages with at least `min_words` aligned words count; all do if it is `None`. The cost is
    /// that of finding candidates for each sentence.
    pub fn candidates<P: Fn(u32, u32) -> bool + Sync>(
        &self,
        min_words: Option<usize>,
        (is_asked, may_be_paired): (impl Fn(u32) -> bool, P),
        threads: NonZeroUsize,
    ) -> Candidates<'_, P> {
        let asked: Vec<bool> = (0..place(self.texts.len())).map(is_asked).collect();
        let is_due =
            |a: u32, b: u32| (asked[a as usize] || asked[b as usize]) && may_be_paired(a, b);
        let number = asked.iter().filter(|is_asked| **is_asked).count();
        let pairs = number * (asked.len() - number) + number * number.saturating_sub(1) / 2;
        let is_searched = pairs <= reworded::MAX_TEXT_PAIRS;
        let reworded =
            is_searched.then(|| reworded::candidates(self.texts, threads, is_due)).flatten();
        Candidates { index: self, asked, may_be_paired, reworded, min_words }
    }
}

impl<P: Fn(u32, u32) -> bool + Sync> Candidates<'_, P> {
    /// Returns whether pairs that share nothing but reworded passages are candidates: they are not if very
    /// many pairs may share some.
    pub fn reworded(&self) -> Reworded {
        if self.reworded.is_some() { Reworded::Found } else { Reworded::Skipped }
    }

    /// Passes the candidates to `take`, in increasing order, until it breaks: those of some texts with
    /// greater numbers at a time, and the range of these texts. If texts that are not asked for precede
    /// others that are, all candidates are passed on at once.
    ///
    /// The cost is that of finding candidates for each text that is asked for.
    pub fn each(
        &self,
        Watch { threads, advance }: Watch,
        mut take: impl FnMut(Range<u32>, Vec<Candidate>) -> ControlFlow<()>,
    ) {
        let texts = place(self.asked.len());
        advance.begin(u64::from(texts));
        let new_finder = |_| CandidateFinder::new(self.index);
        let mut finders: Vec<_> = (0..threads.get()).map(new_finder).collect();
        // A pair is found from its first text, so that only later texts need to be searched.
        let is_in_order = self.asked.is_sorted_by_key(|is_asked| !is_asked);
        let at_a_time = if is_in_order { TEXTS_AT_A_TIME } else { self.asked.len().max(1) };
        for start in (0..texts).step_by(at_a_time) {
            let range = start..texts.min(start.saturating_add(place(at_a_time)));
            let found = parallel::each_with(&mut finders, range.clone(), |finder, text| {
                advance.add(1);
                self.of_text(finder, text, if is_in_order { text + 1 } else { 0 })
            });
            let mut found = found.concat();
            if !is_in_order {
                found.sort_unstable();
            }
            if take(range, found).is_break() {
                return;
            }
        }
    }

    /// Returns the candidates of a text that is asked for and texts from number `first` on, each in order.
    fn of_text(&self, finder: &mut CandidateFinder, text: u32, first: u32) -> Vec<Candidate> {
        if !self.asked[text as usize] {
            return Vec::new();
        }
        let exact = finder.texts(text, first);
        let reworded = self.reworded.as_ref().map_or(&[][..], |it| it.of(text));
        // Other texts have no exact or edited passage in common with this one.
        let alone =
            reworded.iter().filter(|other| **other >= first && exact.binary_search(other).is_err());
        let candidate = |(other, is_alone): (u32, bool)| {
            let [a, b] = [text.min(other), text.max(other)];
            let is_due =
                (!self.asked[other as usize] || text < other) && (self.may_be_paired)(a, b);
            is_due.then_some(Candidate { texts: [a, b], is_alone })
        };
        let all = exact.iter().map(|it| (*it, false)).chain(alone.map(|it| (*it, true)));
        let mut all: Vec<Candidate> = all.filter_map(candidate).collect();
        all.sort_unstable();
        all
    }

    /// Finds the passages of a candidate; `None` if it has none, and can have no reworded ones.
    ///
    /// The passages are those of [`find_whole`](super::super::find_whole), reworded ones included. It is
    /// not checked whether words share a character.
    pub fn passages(&self, candidate: Candidate) -> Option<PairPassages<'_>> {
        let texts @ [a, b] = candidate.texts;
        if candidate.is_alone {
            return Some(PairPassages::new(self.index, texts, self.min_words));
        }
        let may_be_reworded =
            || self.reworded.as_ref().is_some_and(|it| it.of(a).binary_search(&b).is_ok());
        let passages = self.index.of_pair(texts, self.min_words);
        (!passages.found.is_empty() || may_be_reworded()).then_some(passages)
    }
}

impl Index<'_> {
    /// Finds the exact and edited passages of two texts, the smaller number first.
    pub(super) fn of_pair(&self, texts: [u32; 2], min_words: Option<usize>) -> PairPassages<'_> {
        let passages = PairPassages::new(self, texts, min_words);
        PairPassages { found: found(&passages.pair, self.min_match), ..passages }
    }
}

/// The passages of two texts.
#[derive(Debug)]
pub struct PairPassages<'i> {
    index: &'i Index<'i>,
    texts: [u32; 2],
    pair: Pair,
    is_swapped: bool,
    /// The exact and edited passages.
    found: Vec<FoundPassage>,
    min_words: Option<usize>,
}

impl<'i> PairPassages<'i> {
    /// Makes the passages of two texts that have none but reworded ones.
    fn new(index: &'i Index, texts: [u32; 2], min_words: Option<usize>) -> Self {
        let (pair, is_swapped) = index.texts.pair(texts);
        Self { index, texts, pair, is_swapped, found: Vec::new(), min_words }
    }

    /// Returns both texts, the smaller number first.
    pub fn texts(&self) -> [u32; 2] {
        self.texts
    }

    /// Returns what the texts have in common. Every call searches for reworded sentences if these are
    /// asked for, which takes as long as finding the others.
    pub fn shared(&self, reworded: Reworded) -> Amount {
        let text = |side: usize| self.texts[if self.is_swapped { 1 - side } else { side }];
        let starts =
            |side: usize, free: &[Range<usize>]| self.index.texts.sentences(text(side), free);
        let mut joined =
            joined::join(&self.pair, &self.found, self.index.min_match, starts, reworded);
        let is_long = |it: &Joined| self.min_words.is_none_or(|least| words(&it.runs) >= least);
        joined.retain(is_long);
        let mut covered = [0, 1].map(|side: usize| {
            let words = joined.iter().map(|it| -> SideWords {
                (&it.runs, [&it.repeated, &it.changed, &it.repeats].map(|all| &*all[side]))
            });
            covered_by(words, side).count()
        });
        if self.is_swapped {
            covered.reverse();
        }
        let longest = joined.iter().map(|it| words(&it.runs)).max().unwrap_or_default();
        Amount { passages: joined.len(), covered, longest }
    }

    /// Returns the words of both texts, with the passages that were found.
    pub fn into_words(self) -> WordPair {
        let Self { index, texts, mut pair, is_swapped, found, .. } = self;
        pair.distinct = index.texts.distinct_of(texts);
        WordPair { pair, is_swapped, found: Some(found) }
    }
}

fn words(passage: &[Run]) -> usize {
    passage.iter().map(|run| run.length).sum()
}
