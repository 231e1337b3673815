//! The pairs of texts that share a passage, and how much of them their passages are.

use std::num::NonZeroUsize;
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::super::pair::Pair;
use super::super::{Least, choose, found, runs};
use super::common::Widespread;
use super::index::Index;
use super::scan::Scan;
use crate::alike::Run;
use crate::lexicon::place;
use crate::threads::{self, Advance};

/// What two texts share.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Shared {
    /// Both texts, the lesser number first.
    pub texts: [u32; 2],
    /// How many words of each are within passages that count.
    pub covered: [usize; 2],
    /// How many passages count: one at least.
    pub passages: usize,
    /// The most words that are aligned in one of them.
    pub longest: usize,
}

/// More pairs share a passage than were asked for.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct TooMany;

/// Texts that a thread takes at a time.
const BATCH: u32 = 16;

impl Index<'_> {
    /// For each text those behind it that it may share a passage with, increasing: all that do,
    /// and others. A passage that consists of widespread words alone is none.
    pub fn candidates(&self, threads: NonZeroUsize) -> Vec<Vec<u32>> {
        let texts = 0..place(self.texts.len());
        threads::each(threads, texts, || Scan::of(self), Scan::behind)
    }

    /// The pairs of texts that share a passage, in the order of both numbers; without those that
    /// `may_be_paired` turns down. Where words are widespread, those passages count that
    /// [would without them](Widespread), and the index should be [theirs](Index::apart_from).
    ///
    /// Passages are those of [`find`](super::super::find): whether words share a character is
    /// not asked. The cost is that of finding the passages of all candidates.
    ///
    /// # Errors
    ///
    /// Where there are more than `most` pairs.
    pub fn shared(
        &self,
        widespread: Option<&Widespread>,
        may_be_paired: impl Fn(u32, u32) -> bool + Sync,
        most: usize,
        threads: NonZeroUsize,
        advance: &Advance,
    ) -> Result<Vec<Shared>, TooMany> {
        let texts = place(self.texts.len());
        advance.begin(u64::from(texts));
        let count = AtomicUsize::new(0);
        let batches = (0..texts).step_by(BATCH as usize);
        let found = threads::each(
            threads,
            batches,
            || Scan::of(self),
            |scan, first| {
                let mut found = Vec::new();
                for text in first..texts.min(first.saturating_add(BATCH)) {
                    if count.load(Ordering::Relaxed) > most {
                        return Err(TooMany);
                    }
                    let others = scan.behind(text).into_iter();
                    let others = others.filter(|other| may_be_paired(text, *other));
                    let before = found.len();
                    found
                        .extend(others.filter_map(|other| self.of_pair([text, other], widespread)));
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
        if all.len() > most { Err(TooMany) } else { Ok(all) }
    }

    /// What two texts share, the lesser number first; none where no passage counts.
    pub fn of_pair(&self, texts: [u32; 2], widespread: Option<&Widespread>) -> Option<Shared> {
        let (pair, turned) = self.texts.pair(texts);
        let mut passages = found(&pair, self.least);
        if let Some(widespread) = widespread {
            let [left, right] = texts.map(|text| widespread.ranges(text));
            let sides = if turned { [right, left] } else { [left, right] };
            passages.retain(|passage| counts_without(&pair, passage, sides, self.least));
        }
        let covered = |side: usize| {
            let side = if turned { 1 - side } else { side };
            passages.iter().map(|passage| runs::extent(passage, side).len()).sum()
        };
        let words = |passage: &Vec<Run>| passage.iter().map(|run| run.length).sum::<usize>();
        let longest = passages.iter().map(words).max()?;
        let covered = [covered(0), covered(1)];
        Some(Shared { texts, covered, passages: passages.len(), longest })
    }
}

/// Whether a passage has none of certain words of each side, or is enough without them.
fn counts_without(pair: &Pair, passage: &[Run], words: [&[Range<usize>]; 2], least: Least) -> bool {
    let mut left: Vec<Run> = passage.to_vec();
    for (side, words) in words.into_iter().enumerate() {
        left = left.into_iter().flat_map(|run| beside(run, side, words)).collect();
    }
    left == passage || choose::is_enough(pair, left, least)
}

/// The parts of a run outside certain words of a side.
fn beside(run: Run, side: usize, words: &[Range<usize>]) -> Vec<Run> {
    let all = run.range(side);
    let mut parts = Vec::new();
    let mut start = all.start;
    let from = words.partition_point(|range| range.end <= all.start);
    for range in words[from..].iter().take_while(|range| range.start < all.end) {
        if start < range.start {
            parts.push(run.part(start - all.start..range.start - all.start));
        }
        start = range.end;
    }
    if start < all.end {
        parts.push(run.part(start - all.start..all.end - all.start));
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[expect(clippy::single_range_in_vec_init, reason = "a list of ranges")]
    #[test]
    fn what_is_beside_certain_words_is_left_of_a_run() {
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
            assert_eq!(beside(run, *side, words), *want, "{why}");
        }
    }
}
