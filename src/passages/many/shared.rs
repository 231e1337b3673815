//! Finds the pairs of texts that share a passage, and how much of them their passages cover.

use std::num::NonZeroUsize;
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::super::pair::Pair;
use super::super::reworded::{self, Reworded};
use super::super::{MinMatch, choose, found};
use super::common::Widespread;
use super::index::Index;
use super::scan::CandidateFinder;
use crate::interner::common_runs::Run;
use crate::interner::place;
use crate::parallel::{self, Advance};
use crate::passages::runs;

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
        (threads, advance): (NonZeroUsize, &Advance),
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
        let (mut all, mut apart) = (Amount::default(), Amount::default());
        for passage in found.iter().filter(|passage| is_long_enough(passage, counting.min_words)) {
            let is_apart = counting.widespread.is_none_or(|widespread| {
                let ranges = [0, 1].map(|side| widespread.ranges(text(side)));
                counts_without(&pair, passage, ranges, self.min_match)
            });
            let covered = [0, 1].map(|side| runs::extent(passage, side).len());
            all.add(words(passage), covered);
            if is_apart {
                apart.add(words(passage), covered);
            }
        }
        if is_swapped {
            all.covered.reverse();
            apart.covered.reverse();
        }
        let is_some = apart.passages > 0;
        let exact_or_edited = Shared { texts, all, apart };
        let long = counting.min_words;
        is_some.then_some(PairPassages {
            index: self,
            pair,
            is_swapped,
            found,
            long,
            exact_or_edited,
        })
    }
}

/// The passages of two texts.
#[derive(Debug)]
pub struct PairPassages<'i> {
    index: &'i Index<'i>,
    pair: Pair,
    is_swapped: bool,
    found: Vec<Vec<Run>>,
    long: Option<usize>,
    exact_or_edited: Shared,
}

impl PairPassages<'_> {
    /// Returns what the texts have in common in exact and edited passages.
    pub fn exact_or_edited(&self) -> Shared {
        self.exact_or_edited
    }

    /// Returns what the texts have in common, reworded passages included. Every call searches for
    /// these, which takes as long as finding the others.
    pub fn with_reworded(&self) -> Shared {
        let Shared { texts, mut all, mut apart } = self.exact_or_edited;
        let text = |side: usize| texts[if self.is_swapped { 1 - side } else { side }];
        let starts =
            |side: usize, free: &[Range<usize>]| self.index.texts.sentences(text(side), free);
        for Reworded { runs, .. } in
            reworded::find(&self.pair, &self.found, self.index.min_match, starts)
        {
            if is_long_enough(&runs, self.long) {
                all.add(words(&runs), [words(&runs); 2]);
                apart.add(words(&runs), [words(&runs); 2]);
            }
        }
        Shared { texts, all, apart }
    }
}

/// Returns the number of aligned words of a passage.
fn words(passage: &[Run]) -> usize {
    passage.iter().map(|run| run.length).sum()
}

/// Reports whether a passage has at least `min_words` aligned words, if that is required.
fn is_long_enough(passage: &[Run], min_words: Option<usize>) -> bool {
    min_words.is_none_or(|min_words| words(passage) >= min_words)
}

impl Amount {
    /// Adds a passage with `words` aligned words, which covers `covered` words of each side.
    fn add(&mut self, words: usize, covered: [usize; 2]) {
        self.passages += 1;
        self.longest = self.longest.max(words);
        for (all, covered) in self.covered.iter_mut().zip(covered) {
            *all += covered;
        }
    }
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

/// Returns the parts of a run outside of certain words of a side.
fn outside(run: Run, side: usize, words: &[Range<usize>]) -> Vec<Run> {
    let all = run.range(side);
    let from = words.partition_point(|range| range.end <= all.start);
    let inside = words[from..].iter().take_while(|range| range.start < all.end);
    let inside =
        inside.map(|range| range.start.saturating_sub(all.start)..range.end - all.start).collect();
    runs::gaps(inside, run.length).into_iter().map(|part| run.part(part)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[expect(clippy::single_range_in_vec_init, reason = "a list of ranges")]
    #[test]
    fn what_is_outside_certain_words_is_left_of_a_run() {
        let run = Run { at: [10, 30], length: 10 };
        let part = |at: usize, length| Run { at: [10 + at, 30 + at], length };
        #[rustfmt::skip]
        let table: &[(&str, usize, &[Range<usize>], &[Run])] = &[
            ("nothing",           0, &[],                       &[run]),
            ("before and behind", 0, &[0..10, 20..30],          &[run]),
            ("all of it",         0, &[5..25],                  &[]),
            ("its ends",          0, &[5..12, 19..21],          &[part(2, 7)]),
            ("inside",            1, &[33..35, 37..38],         &[part(0, 3), part(5, 2), part(8, 2)]),
        ];
        for (why, side, words, want) in table {
            assert_eq!(outside(run, *side, words), *want, "{why}");
        }
    }
}
