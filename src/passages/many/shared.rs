//! Finds the pairs of texts that share a passage, and how much of them their passages cover.

use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::super::choose::FoundPassage;
use super::super::joined::{self, Joined, Reworded};
use super::super::pair::Pair;
use super::super::{Covered, MinMatch, SideWords, choose, covered_by, found};
use super::common::Widespread;
use super::index::Index;
use super::reworded;
use super::scan::CandidateFinder;
use crate::interner::common_runs::Run;
use crate::interner::place;
use crate::parallel::{self, Watch};
use crate::passages::common::merge_ranges;
use crate::passages::runs::outside;

/// The total size of the passages that two texts share.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Shared {
    /// Both texts, the smaller number first.
    pub texts: [u32; 2],
    /// The size of all passages that are not too short, reworded ones included.
    pub all: Amount,
    /// The size of those passages of which a part counts even without widespread words, and of the
    /// reworded ones.
    pub apart: Amount,
}

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
    /// Calls `judge` for the pairs of texts that share a passage which counts, and for those that may
    /// share a reworded one, and returns its results in a deterministic order.
    ///
    /// Pairs are skipped if `judge` returns `None`, if `may_be_paired` is false for them, or if
    /// `is_asked` is false for both texts. If words are widespread, call this on the index [without
    /// them](Index::without_widespread).
    ///
    /// The passages are those of [`find_whole`](super::super::find_whole), reworded ones included. It is
    /// not checked whether words share a character. The cost is that of finding candidates for each text
    /// for which `is_asked` is true and for each sentence, and of finding the passages of all candidates.
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
        let is_due =
            |a: u32, b: u32| (asked[a as usize] || asked[b as usize]) && may_be_paired(a, b);
        let reworded = reworded::candidates(self.texts, threads, is_due);
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
                    let mut others = partners.texts(text, first);
                    others.extend(reworded.of(text).iter().filter(|other| **other >= first));
                    others.sort_unstable();
                    others.dedup();
                    let pairs = others
                        .into_iter()
                        .filter(|other| !asked[*other as usize] || text < *other)
                        .map(|other| [text.min(other), text.max(other)])
                        .filter(|[a, b]| may_be_paired(*a, *b));
                    let may_count = |passages: &PairPassages| {
                        let [a, b] = passages.texts();
                        !passages.found.is_empty() || reworded.of(a).binary_search(&b).is_ok()
                    };
                    let shared = pairs.map(|pair| self.of_pair(pair, counting)).filter(may_count);
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

    /// Finds the exact and edited passages of two texts, the smaller number first.
    pub fn of_pair(&self, texts: [u32; 2], counting: Counting) -> PairPassages<'_> {
        let (pair, is_swapped) = self.texts.pair(texts);
        let text = |side: usize| texts[if is_swapped { 1 - side } else { side }];
        let found = found(&pair, self.min_match);
        let apart: Vec<bool> = found
            .iter()
            .map(|FoundPassage { runs, .. }| {
                counting.widespread.is_none_or(|widespread| {
                    let ranges = [0, 1].map(|side| widespread.ranges(text(side)));
                    counts_without(&pair, runs, ranges, self.min_match)
                })
            })
            .collect();
        PairPassages {
            index: self,
            texts,
            pair,
            is_swapped,
            found,
            apart,
            min_words: counting.min_words,
        }
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
    /// Whether each of these counts even without widespread words.
    apart: Vec<bool>,
    min_words: Option<usize>,
}

impl PairPassages<'_> {
    /// Returns both texts, the smaller number first.
    pub fn texts(&self) -> [u32; 2] {
        self.texts
    }

    /// Returns what the texts have in common. Every call searches for reworded sentences if these are
    /// asked for, which takes as long as finding the others.
    pub fn shared(&self, reworded: Reworded) -> Shared {
        let text = |side: usize| self.texts[if self.is_swapped { 1 - side } else { side }];
        let starts =
            |side: usize, free: &[Range<usize>]| self.index.texts.sentences(text(side), free);
        let mut joined =
            joined::join(&self.pair, &self.found, self.index.min_match, starts, reworded);
        let is_long = |it: &Joined| self.min_words.is_none_or(|least| words(&it.runs) >= least);
        joined.retain(is_long);
        let all = self.amount(&joined);
        if self.apart.contains(&false) {
            joined = joined.into_iter().filter_map(|it| self.without_widespread(it)).collect();
            joined.retain(is_long);
        }
        Shared { texts: self.texts, all, apart: self.amount(&joined) }
    }

    /// Returns what is left of a passage without the exact and edited ones that do not count without
    /// widespread words; `None` if it has no other parts.
    fn without_widespread(&self, mut joined: Joined) -> Option<Joined> {
        let is_apart = |at: &usize| self.apart[*at];
        let others: Vec<usize> =
            joined.passages.iter().copied().filter(|at| !is_apart(at)).collect();
        joined.passages.retain(is_apart);
        if joined.passages.is_empty() && joined.reworded[0].is_empty() {
            return None;
        }
        for side in 0..2 {
            let of_others = others.iter().flat_map(|at| self.found[*at].ranges(side));
            let of_others = merge_ranges(of_others.collect());
            let is_outside = |words: &Range<usize>| {
                let next = of_others.partition_point(|range| range.end <= words.start);
                of_others.get(next).is_none_or(|range| words.end <= range.start)
            };
            joined.changed[side].retain(is_outside);
            joined.repeats[side].retain(is_outside);
            joined.repeated[side].retain(is_outside);
            joined.runs.retain(|run| is_outside(&run.range(side)));
        }
        Some(joined)
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
