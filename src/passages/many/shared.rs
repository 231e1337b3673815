//! Finds the pairs of texts that share a passage, and how much of them their passages cover.

use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::super::choose::FoundPassage;
use super::super::joined::{self, Joined, Reworded};
use super::super::pair::Pair;
use super::super::{Covered, SideWords, covered_by, found};
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

/// The error if more pairs share a passage than were requested.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct TooMany;

/// The number of texts that a thread processes at a time.
const BATCH: u32 = 16;

impl Index<'_> {
    /// Calls `judge` for the pairs of texts that share a passage which counts, and for those that may
    /// share a reworded one, and returns its results in a deterministic order.
    ///
    /// Pairs are skipped if `judge` returns `None`, if `may_be_paired` is false for them, or if
    /// `is_asked` is false for both texts. Only passages with at least `min_words` aligned words
    /// count; all do if it is `None`.
    ///
    /// The passages are those of [`find_whole`](super::super::find_whole), reworded ones included. It is
    /// not checked whether words share a character. The cost is that of finding candidates for each text
    /// for which `is_asked` is true and for each sentence, and of finding the passages of all candidates.
    ///
    /// Also returns whether pairs that share nothing but reworded passages were looked for: they are not if
    /// very many pairs may share some.
    ///
    /// # Errors
    ///
    /// Returns [`TooMany`] if there are more than `max_pairs` pairs.
    pub fn shared<T: Send>(
        &self,
        min_words: Option<usize>,
        (is_asked, may_be_paired): (impl Fn(u32) -> bool, impl Fn(u32, u32) -> bool + Sync),
        judge: impl Fn(&PairPassages) -> Option<T> + Sync,
        max_pairs: usize,
        Watch { threads, advance }: Watch,
    ) -> Result<(Vec<T>, Reworded), TooMany> {
        let texts = place(self.texts.len());
        let asked: Vec<bool> = (0..texts).map(is_asked).collect();
        let are_all = asked.iter().all(|is_asked| *is_asked);
        advance.begin(u64::from(texts));
        let is_due =
            |a: u32, b: u32| (asked[a as usize] || asked[b as usize]) && may_be_paired(a, b);
        let number = asked.iter().filter(|is_asked| **is_asked).count();
        let pairs = number * (asked.len() - number) + number * number.saturating_sub(1) / 2;
        let is_searched = pairs <= reworded::MAX_TEXT_PAIRS;
        let reworded =
            is_searched.then(|| reworded::candidates(self.texts, threads, is_due)).flatten();
        let of_reworded = |text: u32| reworded.as_ref().map_or(&[][..], |it| it.of(text));
        let count = AtomicUsize::new(0);
        let batches = (0..texts).step_by(BATCH as usize);
        let found = parallel::each(
            threads,
            batches,
            || CandidateFinder::new(self),
            |partners, first| {
                let mut found = Vec::new();
                for text in first..texts.min(first.saturating_add(BATCH)) {
                    if count.load(Ordering::Relaxed) > max_pairs {
                        return Err(TooMany);
                    }
                    if !asked[text as usize] {
                        advance.add(1);
                        continue;
                    }
                    // If all texts are asked for, a pair is found from its first text, so that only
                    // later texts need to be searched.
                    let first = if are_all { text + 1 } else { 0 };
                    let pair = |other: &u32| [text.min(*other), text.max(*other)];
                    let is_due = |other: &&u32| {
                        let [a, b] = pair(other);
                        (!asked[**other as usize] || text < **other) && may_be_paired(a, b)
                    };
                    let exact = partners.texts(text, first);
                    // Other texts have no exact or edited passage in common with this one.
                    let alone = of_reworded(text)
                        .iter()
                        .filter(|other| **other >= first && exact.binary_search(other).is_err());
                    let may_count = |passages: &PairPassages| {
                        let [a, b] = passages.texts;
                        !passages.found.is_empty() || of_reworded(a).binary_search(&b).is_ok()
                    };
                    let alone = alone.filter(is_due).map(pair);
                    let exact = exact.iter().filter(is_due).map(pair);
                    let exact = exact.map(|pair| self.of_pair(pair, min_words));
                    let alone = alone.map(|pair| PairPassages::new(self, pair, min_words));
                    let shared = exact.filter(may_count).chain(alone);
                    let before = found.len();
                    found.extend(shared.filter_map(|passages| judge(&passages)));
                    count.fetch_add(found.len() - before, Ordering::Relaxed);
                    advance.add(1);
                }
                Ok(found)
            },
        );
        let mut all = Vec::new();
        for batch in found {
            all.extend(batch?);
        }
        let searched = if reworded.is_some() { Reworded::Found } else { Reworded::Skipped };
        if all.len() > max_pairs { Err(TooMany) } else { Ok((all, searched)) }
    }

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
        self.amount(&joined)
    }

    fn amount<'j>(&self, joined: &'j [Joined]) -> Amount {
        let mut covered = [0, 1].map(|side: usize| {
            let words = |it: &'j Joined| -> SideWords<'j> {
                (&it.runs, [&it.repeated, &it.changed, &it.repeats].map(|all| &*all[side]))
            };
            covered_by(joined.iter().map(words), side)
        });
        if self.is_swapped {
            covered.reverse();
        }
        let longest = joined.iter().map(|it| words(&it.runs)).max().unwrap_or_default();
        Amount { passages: joined.len(), covered, longest }
    }
}

fn words(passage: &[Run]) -> usize {
    passage.iter().map(|run| run.length).sum()
}
