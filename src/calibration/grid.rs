//! The rule of two limits for partial pairs: a Jaccard index or a coverage, whichever is reached,
//! in steps of a hundredth.

use super::measure::{Limit, Measure, Rule, hundredths};
use super::rung::Target;
use crate::verdict::comparison::Comparison;

/// Steps of either limit, at most.
const STEPS: usize = 100;

/// A pair's last step within each limit; 0 where it reaches no step.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
struct Steps {
    jaccard: usize,
    coverage: usize,
}

/// Pairs by the steps that they reach.
#[derive(Clone, Debug)]
pub(super) struct Grid {
    pairs: Vec<Steps>,
    /// Steps of the Jaccard index: its limit may not be above that of near-duplicates.
    most_jaccard: usize,
}

/// A cell: its steps, from 1 on.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) struct Cell {
    jaccard: usize,
    coverage: usize,
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
        let size = (STEPS + 1) * (STEPS + 1);
        Self { cells: vec![[0; 2]; size], scores: vec![(0, 0); size], squares: vec![0; size] }
    }
}

impl Grid {
    /// Pairs in their order. Those that are a yes by every rule are in every cell.
    pub(super) fn new<'c>(
        comparisons: impl Iterator<Item = &'c Comparison>,
        target: &Target,
    ) -> Self {
        let steps = |comparison| Steps {
            jaccard: target.steps(Measure::Jaccard, comparison),
            coverage: target.steps(Measure::Coverage, comparison),
        };
        let pairs = comparisons.map(steps).collect();
        Self { pairs, most_jaccard: target.most_steps(Measure::Jaccard) }
    }

    /// The cell with the greatest F1, where each pair counts so many times: of several the
    /// middle of their largest square, of equally large ones the loosest. `None` where no pair
    /// that counts is labelled yes, and where there is no cell.
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
            cells[at(steps.jaccard.min(self.most_jaccard), steps.coverage)][usize::from(*label)] +=
                times;
            all[usize::from(*label)] += times;
        }
        if all[1] == 0 || self.most_jaccard == 0 {
            return None;
        }
        // A pair is no where both of its steps are below the cell's.
        for jaccard in 0..=self.most_jaccard {
            let mut row = [0; 2];
            for coverage in 0..=STEPS {
                let here = at(jaccard, coverage);
                let above = if jaccard == 0 { [0; 2] } else { cells[here - STEPS - 1] };
                for label in 0..2 {
                    row[label] += cells[here][label];
                    cells[here][label] = above[label] + row[label];
                }
            }
        }
        let mut best = (0, 1);
        for jaccard in 1..=self.most_jaccard {
            for coverage in 1..=STEPS {
                let no = cells[at(jaccard - 1, coverage - 1)];
                let [false_positives, true_positives] = [all[0] - no[0], all[1] - no[1]];
                let score = (2 * true_positives, true_positives + false_positives + all[1]);
                scores[at(jaccard, coverage)] = score;
                if times_across(score, best) > times_across(best, score) {
                    best = score;
                }
            }
        }
        Some(self.middle(scores, best, squares))
    }

    /// The middle of the largest square of cells with a score.
    fn middle(
        &self,
        scores: &[(usize, usize)],
        best: (usize, usize),
        squares: &mut [usize],
    ) -> Cell {
        let mut largest = (0, Cell { jaccard: 1, coverage: 1 });
        for jaccard in 1..=self.most_jaccard {
            for coverage in 1..=STEPS {
                let here = at(jaccard, coverage);
                let score = scores[here];
                let is_best = times_across(score, best) == times_across(best, score);
                let before = |row: usize, column: usize| {
                    if row == 0 || column == 0 { 0 } else { squares[at(row, column)] }
                };
                let (row, column) = (jaccard - 1, coverage - 1);
                let sides = [before(row, coverage), before(jaccard, column), before(row, column)];
                let side = sides.into_iter().min().unwrap_or(0) + 1;
                squares[here] = if is_best { side } else { 0 };
                if squares[here] > largest.0 {
                    let back = (side - 1) / 2;
                    largest = (side, Cell { jaccard: jaccard - back, coverage: coverage - back });
                }
            }
        }
        largest.1
    }
}

impl Cell {
    /// The rule of the cell.
    pub(super) fn rule(self, target: &Target) -> Rule {
        let limit = |steps| Limit::Least(hundredths(steps));
        let chosen =
            [(Measure::Jaccard, limit(self.jaccard)), (Measure::Coverage, limit(self.coverage))];
        target.rule(&chosen)
    }

    /// The limits, of the Jaccard index and of the coverage.
    #[expect(clippy::cast_precision_loss, reason = "hundredths up to 100")]
    pub(super) fn values(self) -> [f64; 2] {
        [self.jaccard, self.coverage].map(|steps| steps as f64 / 100.0)
    }
}

/// A fraction is greater where its numerator times the other's denominator is.
fn times_across(one: (usize, usize), other: (usize, usize)) -> u128 {
    one.0 as u128 * other.1 as u128
}

/// The place of a cell.
fn at(jaccard: usize, coverage: usize) -> usize {
    jaccard * (STEPS + 1) + coverage
}

#[cfg(test)]
mod tests;
