//! Finds the pairs of texts that share a passage, and how much of them their passages cover.

use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::super::choose::FoundPassage;
use super::super::pair::Pair;
use super::super::reworded::{self, Reworded};
use super::super::{MinMatch, choose, covered_by, found};
use super::common::Widespread;
use super::index::Index;
use super::scan::CandidateFinder;
use crate::interner::common_runs::Run;
use crate::interner::place;
use crate::parallel::{self, Watch};
use crate::passages::runs::{extent, outside};

/// The total size of the passages that two texts share.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Shared {
    /// Both texts, the smaller number first.
    pub texts: [u32; 2],
    /// The size of all passages that are not too short, reworded ones included.
    pub all: Amount,
    /// The size of those passages that count even without widespread words, and of the reworded
    /// ones. At least one passage is among them.
    pub apart: Amount,
}

/// The size of several passages.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct Amount {
    /// The number of passages.
    pub passages: usize,
    /// The number of words that they cover in each text. Of reworded passages, only aligned words
    /// are counted.
    pub covered: [usize; 2],
    /// The largest number of aligned words in a passage.
    pub longest: usize,
}

/// The conditions under which a passage counts.
#[derive(Clone, Copy, Debug, Default)]
pub struct Counting<'w> {
    /// Only passages that would still be passages without these widespread words count; `None` if
    /// all do.
    pub widespread: Option<&'w Widespread>,
    /// Only passages with at least this many aligned words count; `None` if all do.
    pub min_words: Option<usize>,
}

/// The error if more pairs share a passage than were requested.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct TooMany;

/// The number of texts that a thread processes at a time.
const BATCH: u32 = 16;

impl Index<'_> {
    /// Calls `judge` for the pairs of texts that share a passage which counts, and returns its
    /// results in a deterministic order.
    ///
    /// Pairs are skipped if `judge` returns `None`, if `may_be_paired` is false for them, or if
    /// `is_asked` is false for both texts. If words are widespread, call this on the index [without
    /// them](Index::without_widespread).
    ///
    /// The passages are those of [`find`](super::super::find), and, for pairs that share any of
    /// these, the reworded ones. It is not checked whether words share a character. The cost is
    /// that of finding candidates for each text for which `is_asked` is true, and of finding the
    /// passages of all candidates.
    ///
    /// # Errors
    ///
    /// Returns [`TooMany`] if there are more than `max_pairs` pairs.
    pub fn shared<T: Send>(
        &self,
        counting: Counting,
        (is_asked, may_be_paired): (impl Fn(u32) -> bool, impl Fn(u32, u32) -> bool + Sync),
        judge: impl Fn(&PairPassages) -> Option<T> + Sync,
        max_pairs: usize,
        Watch { threads, advance }: Watch,
    ) -> Result<Vec<T>, TooMany> {
        let texts = place(self.texts.len());
        let asked: Vec<bool> = (0..texts).map(is_asked).collect();
        let are_all = asked.iter().all(|is_asked| *is_asked);
        advance.begin(u64::from(texts));
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
                    let others = partners.texts(text, first).into_iter();
                    let pairs = others
                        .filter(|other| !asked[*other as usize] || text < *other)
                        .map(|other| [text.min(other), text.max(other)])
                        .filter(|[a, b]| may_be_paired(*a, *b));
                    let shared = pairs.filter_map(|pair| self.of_pair(pair, counting));
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
        if all.len() > max_pairs { Err(TooMany) } else { Ok(all) }
    }

    /// Finds the exact and edited passages of two texts, the smaller number first; `None` if no
    /// passage counts.
    pub fn of_pair(&self, texts: [u32; 2], counting: Counting) -> Option<PairPassages<'_>> {
        let (pair, is_swapped) = self.texts.pair(texts);
        let text = |side: usize| texts[if is_swapped { 1 - side } else { side }];
        let found = found(&pair, self.min_match);
        let (mut long, mut apart) = (Vec::new(), Vec::new());
        for (number, FoundPassage { runs, .. }) in found.iter().enumerate() {
            if !is_long_enough(runs, counting.min_words) {
                continue;
            }
            long.push(number);
            if counting.widespread.is_none_or(|widespread| {
                let ranges = [0, 1].map(|side| widespread.ranges(text(side)));
                counts_without(&pair, runs, ranges, self.min_match)
            }) {
                apart.push(number);
            }
        }
        let (is_some, min_words) = (!apart.is_empty(), counting.min_words);
        let passages =
            PairPassages { index: self, texts, pair, is_swapped, found, long, apart, min_words };
        is_some.then_some(passages)
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
    /// The indices of those that are not too short, and of those of them that count even without
    /// widespread words.
    long: Vec<usize>,
    apart: Vec<usize>,
    min_words: Option<usize>,
}

impl PairPassages<'_> {
    /// Returns both texts, the smaller number first.
    pub fn texts(&self) -> [u32; 2] {
        self.texts
    }

    /// Returns what the texts have in common in exact and edited passages.
    pub fn exact_or_edited(&self) -> Shared {
        self.with(&[])
    }

    /// Returns what the texts have in common, reworded passages included. Every call searches for
    /// these, which takes as long as finding the others.
    pub fn with_reworded(&self) -> Shared {
        let text = |side: usize| self.texts[if self.is_swapped { 1 - side } else { side }];
        let starts =
            |side: usize, free: &[Range<usize>]| self.index.texts.sentences(text(side), free);
        let taken = [0, 1].map(|side| self.found.iter().map(|it| extent(&it.runs, side)).collect());
        let mut found = Vec::new();
        for Reworded { runs, .. } in reworded::find(&self.pair, taken, self.index.min_match, starts)
        {
            if is_long_enough(&runs, self.min_words) {
                found.push(runs);
            }
        }
        self.with(&found)
    }

    fn with(&self, reworded: &[Vec<Run>]) -> Shared {
        let amount = |numbers: &[usize]| {
            let found: Vec<&FoundPassage> =
                numbers.iter().map(|number| &self.found[*number]).collect();
            let mut covered = [0, 1].map(|side| {
                let ranges = found.iter().flat_map(|it| it.ranges(side)).collect();
                covered_by(ranges, reworded.concat(), side)
            });
            if self.is_swapped {
                covered.reverse();
            }
            let sizes = || found.iter().map(|it| &it.runs).chain(reworded).map(|it| words(it));
            Amount {
                passages: sizes().count(),
                covered,
                longest: sizes().max().unwrap_or_default(),
            }
        };
        Shared { texts: self.texts, all: amount(&self.long), apart: amount(&self.apart) }
    }
}

fn words(passage: &[Run]) -> usize {
    passage.iter().map(|run| run.length).sum()
}

/// Reports whether a passage has at least `min_words` aligned words, if that is required.
fn is_long_enough(passage: &[Run], min_words: Option<usize>) -> bool {
    min_words.is_none_or(|min_words| words(passage) >= min_words)
}

/// Reports whether a passage contains none of certain words of each side, or is enough without
/// them.
fn counts_without(
    pair: &Pair,
    passage: &[Run],
    words: [&[Range<usize>]; 2],
    min_match: MinMatch,
) -> bool {
    let mut left: Vec<Run> = passage.to_vec();
    for (side, words) in words.into_iter().enumerate() {
        left = left.into_iter().flat_map(|run| outside(run, side, words)).collect();
    }
    left == passage || choose::is_enough(pair, left, min_match)
}
