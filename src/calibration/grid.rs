//! The rule of the rung `partial` or closer: a Jaccard index or a containment, whichever is
//! reached, in steps of a hundredth.

use super::measure::{Limit, Rule, hundredths};
use crate::comparison::Comparison;
use crate::jaccard::Share;
use crate::verdict::{Limits, Verdict};

/// Steps of the Jaccard index that is reached: half of the limit, so 0.5 at most.
const JACCARD: usize = 50;

/// Steps of the containment.
const CONTAINMENT: usize = 100;

/// A pair's last step within each limit; 0 where it reaches no step.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
struct Steps {
    jaccard: usize,
    containment: usize,
}

/// Pairs by the steps that they reach.
#[derive(Clone, Debug)]
pub(super) struct Grid {
    pairs: Vec<Steps>,
    /// Most bits that differ, in every cell the same.
    hamming: Option<u32>,
}

/// A cell: its steps, from 1 on.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) struct Cell {
    jaccard: usize,
    containment: usize,
}

/// What counting in a grid needs, to be used again.
pub(super) struct Counting {
    /// Labelled no and yes.
    cells: Vec<[usize; 2]>,
    /// F1 of each cell: twice the true positives, and all answers and labels yes.
    scores: Vec<(usize, usize)>,
    /// The side of the largest square of best cells that ends here.
    squares: Vec<usize>,
}

impl Default for Counting {
    fn default() -> Self {
        let size = (JACCARD + 1) * (CONTAINMENT + 1);
        Self { cells: vec![[0; 2]; size], scores: vec![(0, 0); size], squares: vec![0; size] }
    }
}

impl Grid {
    /// Pairs in their order. Those that are as the same words, or within a Hamming distance, are
    /// in every cell.
    pub(super) fn of<'c>(
        comparisons: impl Iterator<Item = &'c Comparison>,
        hamming: Option<u32>,
    ) -> Self {
        let none = Limits { hamming, jaccard: None, containment: None, weighted_jaccard: None };
        let is_always =
            |comparison: &Comparison| none.judge(comparison).verdict > Verdict::Different;
        let steps = |share: Option<Share>, most: usize| {
            share.map_or(0, |share| share.filled(100).min(most))
        };
        let pairs = comparisons.map(|comparison| {
            if is_always(comparison) {
                return Steps { jaccard: JACCARD, containment: CONTAINMENT };
            }
            let ways = [comparison.containment_left(), comparison.containment_right()];
            let counts = comparison.longest.shared >= Limits::LEAST_CONTAINED as usize;
            let contained = ways.map(|way| steps(way.filter(|_| counts), CONTAINMENT));
            Steps {
                jaccard: steps(comparison.jaccard(), JACCARD),
                containment: contained[0].max(contained[1]),
            }
        });
        Self { pairs: pairs.collect(), hamming }
    }

    /// The cell with the greatest F1, where each pair counts so many times: of several the
    /// middle of their largest square, of equally large ones the loosest. None where no pair
    /// that counts is labelled yes.
    pub(super) fn best(
        &self,
        labels: &[bool],
        times: &[usize],
        counting: &mut Counting,
    ) -> Option<Cell> {
        let Counting { cells, scores, squares } = counting;
        cells.fill([0; 2]);
        let mut all = [0; 2];
        for ((steps, label), times) in self.pairs.iter().zip(labels).zip(times) {
            cells[at(steps.jaccard, steps.containment)][usize::from(*label)] += times;
            all[usize::from(*label)] += times;
        }
        if all[1] == 0 {
            return None;
        }
        // A pair is no where both of its steps are below the cell's.
        for jaccard in 0..=JACCARD {
            let mut row = [0; 2];
            for containment in 0..=CONTAINMENT {
                let here = at(jaccard, containment);
                let above = if jaccard == 0 { [0; 2] } else { cells[here - CONTAINMENT - 1] };
                for label in 0..2 {
                    row[label] += cells[here][label];
                    cells[here][label] = above[label] + row[label];
                }
            }
        }
        let mut best = (0, 1);
        for jaccard in 1..=JACCARD {
            for containment in 1..=CONTAINMENT {
                let no = cells[at(jaccard - 1, containment - 1)];
                let [false_positives, true_positives] = [all[0] - no[0], all[1] - no[1]];
                let score = (2 * true_positives, true_positives + false_positives + all[1]);
                scores[at(jaccard, containment)] = score;
                if times_across(score, best) > times_across(best, score) {
                    best = score;
                }
            }
        }
        Some(middle(scores, best, squares))
    }

    /// The rule of a cell.
    pub(super) fn rule(&self, cell: Cell) -> Rule {
        let ratio = |steps: usize| match hundredths(steps) {
            Limit::Least(ratio) => Some(ratio),
            Limit::Most(_) => None,
        };
        let limits = Limits {
            hamming: self.hamming,
            jaccard: ratio(2 * cell.jaccard),
            containment: ratio(cell.containment),
            weighted_jaccard: None,
        };
        Rule { limits, level: Verdict::Partial }
    }
}

impl Cell {
    /// The limits, `--jaccard` and `--containment`.
    #[expect(clippy::cast_precision_loss, reason = "hundredths up to 100")]
    pub(super) fn values(self) -> [f64; 2] {
        [2 * self.jaccard, self.containment].map(|steps| steps as f64 / 100.0)
    }
}

/// The middle of the largest square of cells with a score.
fn middle(scores: &[(usize, usize)], best: (usize, usize), squares: &mut [usize]) -> Cell {
    let mut largest = (0, Cell { jaccard: 1, containment: 1 });
    for jaccard in 1..=JACCARD {
        for containment in 1..=CONTAINMENT {
            let here = at(jaccard, containment);
            let score = scores[here];
            let is_best = times_across(score, best) == times_across(best, score);
            let before = |row: usize, column: usize| {
                if row == 0 || column == 0 { 0 } else { squares[at(row, column)] }
            };
            let (row, column) = (jaccard - 1, containment - 1);
            let sides = [before(row, containment), before(jaccard, column), before(row, column)];
            let side = sides.into_iter().min().unwrap_or(0) + 1;
            squares[here] = if is_best { side } else { 0 };
            if squares[here] > largest.0 {
                let back = (side - 1) / 2;
                largest = (side, Cell { jaccard: jaccard - back, containment: containment - back });
            }
        }
    }
    largest.1
}

/// A fraction is greater where its numerator times the other's denominator is.
fn times_across(one: (usize, usize), other: (usize, usize)) -> u128 {
    one.0 as u128 * other.1 as u128
}

fn at(jaccard: usize, containment: usize) -> usize {
    jaccard * (CONTAINMENT + 1) + containment
}

#[cfg(test)]
mod tests;
