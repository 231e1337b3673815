//! Seeds → runs: the longest stretches of equal words around them.

use std::ops::Range;

use super::pair::Pair;

/// A run of equal words in both texts.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub struct Run {
    /// Where it begins in left and in right: words from 0.
    pub at: [usize; 2],
    /// How many words it has; at least 1.
    pub length: usize,
}

impl Run {
    /// Its words in left, 0, or in right, 1.
    pub fn range(self, side: usize) -> Range<usize> {
        self.at[side]..self.at[side] + self.length
    }

    /// Its words from one to another, counted from 0.
    pub(super) fn part(self, part: Range<usize>) -> Self {
        Self { at: self.at.map(|at| at + part.start), length: part.len() }
    }
}

/// The words on one side from the first run's to the last one's; none without runs.
pub(super) fn extent(runs: &[Run], side: usize) -> Range<usize> {
    let start = runs.iter().map(|run| run.at[side]).min().unwrap_or_default();
    let end = runs.iter().map(|run| run.range(side).end).max().unwrap_or_default();
    start..end
}

/// Extends seeds, places of equal words, to the longest runs around them; each run once.
/// Seeds whose words differ after all, because their keys fell together, are dropped. The
/// cost is that of sorting the seeds and reading each run once.
pub(super) fn extend(pair: &Pair, mut seeds: Vec<[usize; 2]>) -> Vec<Run> {
    let [left, right] = &pair.words;
    let diagonal = |seed: &[usize; 2]| seed[1] + left.len() - seed[0];
    seeds.sort_unstable_by_key(|seed| (diagonal(seed), seed[0]));
    let mut runs: Vec<Run> = Vec::new();
    for seed in seeds {
        let is_in = |run: &Run| diagonal(&run.at) == diagonal(&seed) && seed[0] < run.range(0).end;
        if runs.last().is_some_and(is_in) || left[seed[0]] != right[seed[1]] {
            continue;
        }
        let equal = |(left, right): &(&u32, &u32)| left == right;
        let before = left[..seed[0]].iter().rev().zip(right[..seed[1]].iter().rev());
        let before = before.take_while(equal).count();
        let after = left[seed[0]..].iter().zip(&right[seed[1]..]).take_while(equal).count();
        runs.push(Run { at: seed.map(|at| at - before), length: before + after });
    }
    runs
}
