//! The rule with two limits for partial pairs: a Jaccard index or a coverage, whichever is reached,
//! in steps of a hundredth.

use super::{Bounds, Span, Target};
use super::{Limit, Measure, Rule, hundredths};
use crate::jaccard::{Share, compare};
use crate::sketch::Comparison;

/// The largest number of steps of either limit.
const MAX_STEPS: usize = 100;

/// The strictest step of each limit that a pair reaches; 0 if it reaches none.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
struct Steps {
    jaccard: usize,
    coverage: usize,
}

/// Pairs by the steps that they reach.
#[derive(Clone, Debug)]
pub(super) struct Grid {
    pairs: Vec<Steps>,
    /// The number of steps of the Jaccard index, whose limit must not be above that of
    /// near-duplicates.
    max_jaccard: usize,
}

/// A cell of the grid: a step of each limit, counted from 1.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) struct Cell {
    jaccard: usize,
    coverage: usize,
}

/// The buffers that counting in a grid needs, to be reused.
pub(super) struct Counting {
    /// The numbers of pairs labelled no and yes in each cell; then their sums over all cells up to
    /// it.
    cells: Vec<[usize; 2]>,
    /// F1 of each cell as a fraction: twice the number of true positives, and the number of answers
    /// yes plus that of labels yes.
    scores: Vec<(usize, usize)>,
    /// The side of the largest square of best cells of which this is the last cell.
    squares: Vec<usize>,
}

impl Default for Counting {
    fn default() -> Self {
        let size = (MAX_STEPS + 1) * (MAX_STEPS + 1);
        Self { cells: vec![[0; 2]; size], scores: vec![(0, 0); size], squares: vec![0; size] }
    }
}

impl Grid {
    /// Creates the grid of pairs, in their order. Pairs that every rule answers with yes reach
    /// every cell.
    pub(super) fn new<'c>(
        comparisons: impl Iterator<Item = &'c Comparison>,
        target: &Target,
    ) -> Self {
        let steps = |comparison| Steps {
            jaccard: target.steps(Measure::Jaccard, comparison),
            coverage: target.steps(Measure::Coverage, comparison),
        };
        let pairs = comparisons.map(steps).collect();
        Self { pairs, max_jaccard: target.max_steps(Measure::Jaccard) }
    }

    /// Returns the cell with the greatest F1, where each pair counts `times` times. If there are
    /// several, it is the middle of their largest square, or of the loosest one of equally large
    /// squares. `None` if no pair that counts is labelled yes, or if there is no cell.
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
            cells[at(steps.jaccard.min(self.max_jaccard), steps.coverage)][usize::from(*label)] +=
                times;
            all[usize::from(*label)] += times;
        }
        if all[1] == 0 || self.max_jaccard == 0 {
            return None;
        }
        // A pair is answered no if both of its steps are below those of the cell.
        for jaccard in 0..=self.max_jaccard {
            let mut row = [0; 2];
            for coverage in 0..=MAX_STEPS {
                let here = at(jaccard, coverage);
                let above = if jaccard == 0 { [0; 2] } else { cells[here - MAX_STEPS - 1] };
                for label in 0..2 {
                    row[label] += cells[here][label];
                    cells[here][label] = above[label] + row[label];
                }
            }
        }
        let mut best = (0, 1);
        for jaccard in 1..=self.max_jaccard {
            for coverage in 1..=MAX_STEPS {
                let no = cells[at(jaccard - 1, coverage - 1)];
                let [false_positives, true_positives] = [all[0] - no[0], all[1] - no[1]];
                let score = (2 * true_positives, true_positives + false_positives + all[1]);
                scores[at(jaccard, coverage)] = score;
                if compare(score, best).is_gt() {
                    best = score;
                }
            }
        }
        Some(self.middle(scores, best, squares))
    }

    /// Returns the middle of the largest square of cells with the score `best`.
    fn middle(
        &self,
        scores: &[(usize, usize)],
        best: (usize, usize),
        squares: &mut [usize],
    ) -> Cell {
        let mut largest = (0, Cell { jaccard: 1, coverage: 1 });
        for jaccard in 1..=self.max_jaccard {
            for coverage in 1..=MAX_STEPS {
                let here = at(jaccard, coverage);
                let score = scores[here];
                let is_best = compare(score, best).is_eq();
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
    /// Returns the rule of the cell.
    pub(super) fn rule(self, target: &Target) -> Rule {
        let limit = |steps| Limit::Least(hundredths(steps));
        let chosen =
            [(Measure::Jaccard, limit(self.jaccard)), (Measure::Coverage, limit(self.coverage))];
        target.rule(&chosen)
    }

    /// Returns the limits of the Jaccard index and of the coverage.
    #[expect(clippy::cast_precision_loss, reason = "hundredths up to 100")]
    pub(super) fn values(self) -> [f64; 2] {
        [self.jaccard, self.coverage].map(|steps| steps as f64 / 100.0)
    }
}

/// Returns the index of a cell.
fn at(jaccard: usize, coverage: usize) -> usize {
    jaccard * (MAX_STEPS + 1) + coverage
}

// Finds the limit that separates pairs best by their closeness, and how well it does.

/// Pairs ordered by their closeness, the closest first. A pair without a figure is always answered
/// no.
#[derive(Clone, Debug)]
pub(super) struct Ranking {
    order: Vec<(f64, u32)>,
}

/// Neighbouring limits that are equally good.
struct Run {
    /// F1 as a fraction: twice the number of true positives, and the number of answers yes plus
    /// that of labels yes.
    f1: (usize, usize),
    span: Span,
}

impl Run {
    /// Reports whether F1 is greater than that of another run, or equal and the span wider.
    fn is_better(&self, other: &Self) -> bool {
        let order = compare(self.f1, other.f1);
        let width = |run: &Self| run.span.within - run.span.out;
        order.is_gt() || order.is_eq() && width(self) > width(other)
    }
}

impl Ranking {
    /// Ranks pairs by their closeness, which must not be NaN.
    pub(super) fn new(closeness: impl Iterator<Item = Option<f64>>) -> Self {
        let known = closeness.zip(0..).filter_map(|(figure, pair)| Some((figure?, pair)));
        let mut order: Vec<(f64, u32)> = known.collect();
        order.sort_by(|one, other| other.0.total_cmp(&one.0));
        Self { order }
    }

    /// Returns the limits within bounds that have the greatest F1, where each pair counts `times`
    /// times. If there are several, it is the widest span; of equally wide spans, the strictest.
    /// `None` if no pair that counts and is labelled yes reaches any limit. The cost is linear.
    pub(super) fn best(&self, labels: &[bool], times: &[usize], bounds: Bounds) -> Option<Span> {
        let positives: usize =
            labels.iter().zip(times).filter(|(label, _)| **label).map(|(_, times)| times).sum();
        let (mut found, mut called) = (0, 0);
        let mut best: Option<Run> = None;
        let mut current: Option<Run> = None;
        let capped = |(closeness, _): &(f64, u32)| closeness.min(bounds.strictest);
        let groups =
            self.order.chunk_by(|one, other| capped(one).total_cmp(&capped(other)).is_eq());
        for group in groups {
            let closeness = capped(&group[0]);
            let before = called;
            for (_, pair) in group {
                let pair = *pair as usize;
                called += times[pair];
                found += if labels[pair] { times[pair] } else { 0 };
            }
            // Limits on both sides of pairs that do not count give the same answers.
            if called == before {
                continue;
            }
            if closeness < bounds.loosest || closeness <= 0.0 {
                if let Some(run) = &mut current {
                    run.span.out = closeness;
                }
                break;
            }
            let f1 = (2 * found, called + positives);
            if let Some(mut run) = current.take() {
                if compare(run.f1, f1).is_eq() {
                    current = Some(run);
                    continue;
                }
                run.span.out = closeness;
                keep(&mut best, run);
            }
            current = Some(Run { f1, span: Span { out: 0.0, within: closeness } });
        }
        if let Some(run) = current {
            keep(&mut best, run);
        }
        best.map(|run| run.span)
    }

    /// Returns the area under the ROC curve: how often a pair labelled yes is closer than one
    /// labelled no, where a tie counts half (Mann and Whitney 1947). `None` if a label has no pair.
    pub(super) fn auc(&self, labels: &[bool]) -> Option<Share> {
        let positives = labels.iter().filter(|label| **label).count();
        let negatives = (labels.len() - positives) as u64;
        let (mut left, mut ranked_positives, mut halves) = (negatives, 0, 0_u64);
        for group in self.order.chunk_by(are_equal) {
            let yes = group.iter().filter(|(_, pair)| labels[*pair as usize]).count();
            let no = (group.len() - yes) as u64;
            left -= no;
            ranked_positives += yes;
            halves += yes as u64 * (2 * left + no);
        }
        // The pairs without a figure are all equally far.
        halves += (positives - ranked_positives) as u64 * left;
        let all = 2 * positives as u64 * negatives;
        let [halves, all] = cut([halves, all], usize::BITS);
        Share::new(usize::try_from(halves).ok()?, usize::try_from(all).ok()?)
    }

    /// Counts the answers for all pairs at each of some limits, which must begin with the
    /// strictest.
    pub(super) fn counts(&self, labels: &[bool], limits: impl Iterator<Item = f64>) -> Vec<Counts> {
        let mut counts = Counts::default();
        for label in labels {
            counts.add((false, *label), 1);
        }
        let mut order = self.order.iter().peekable();
        let at = |limit: f64| {
            while let Some((_, pair)) = order.next_if(|(closeness, _)| *closeness >= limit) {
                if labels[*pair as usize] {
                    counts.false_negatives -= 1;
                    counts.true_positives += 1;
                } else {
                    counts.true_negatives -= 1;
                    counts.false_positives += 1;
                }
            }
            counts
        };
        limits.map(at).collect()
    }
}

/// Shifts two counts, of which the second is the greater one, right until it has at most `bits`
/// bits.
fn cut(counts: [u64; 2], bits: u32) -> [u64; 2] {
    let needed = u64::BITS - counts[1].leading_zeros();
    counts.map(|count| count >> needed.saturating_sub(bits))
}

/// Reports whether two pairs are equally close.
fn are_equal(one: &(f64, u32), other: &(f64, u32)) -> bool {
    one.0.total_cmp(&other.0).is_eq()
}

/// Keeps the better of two runs; a run without true positives is never kept.
fn keep(best: &mut Option<Run>, run: Run) {
    if run.f1.0 > 0 && best.as_ref().is_none_or(|best| run.is_better(best)) {
        *best = Some(run);
    }
}

// Counts how often answers and labels agree, and computes scores from it.

/// The numbers of right answers, and of wrong ones by kind. A pair that is drawn twice counts
/// twice.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct Counts {
    /// Answered yes and labelled yes.
    pub true_positives: usize,
    /// Answered yes but labelled no.
    pub false_positives: usize,
    /// Answered no but labelled yes.
    pub false_negatives: usize,
    /// Answered no and labelled no.
    pub true_negatives: usize,
}

impl Counts {
    /// Counts an answer `times` times.
    pub(super) fn add(&mut self, (is_yes, is_labelled_yes): (bool, bool), times: usize) {
        let count = match (is_yes, is_labelled_yes) {
            (true, true) => &mut self.true_positives,
            (true, false) => &mut self.false_positives,
            (false, true) => &mut self.false_negatives,
            (false, false) => &mut self.true_negatives,
        };
        *count += times;
    }

    /// Returns the share of right answers among the answers yes; `None` if there is no answer yes.
    pub fn precision(&self) -> Option<Share> {
        Share::new(self.true_positives, self.true_positives + self.false_positives)
    }

    /// Returns the share of the pairs labelled yes that are answered yes; `None` if there is no
    /// pair labelled yes.
    pub fn recall(&self) -> Option<Share> {
        Share::new(self.true_positives, self.true_positives + self.false_negatives)
    }

    /// Returns the harmonic mean of precision and recall (van Rijsbergen 1979), as a share of
    /// counts; 0 if one of them is `None`, `None` if both are.
    pub fn f1(&self) -> Option<Share> {
        let right = 2 * self.true_positives;
        Share::new(right, right + self.false_positives + self.false_negatives)
    }

    /// Returns the number of pairs labelled yes.
    pub fn positives(&self) -> usize {
        self.true_positives + self.false_negatives
    }

    /// Returns the number of pairs labelled no.
    pub fn negatives(&self) -> usize {
        self.false_positives + self.true_negatives
    }
}

#[cfg(test)]
mod counts_tests {
    use super::*;

    #[test]
    fn shares_are_made_of_counts() {
        let share = Share::new;
        #[rustfmt::skip]
        let table = [
            ("nothing",             [0, 0, 0, 0], None,        None,        None),
            ("all right",           [3, 0, 0, 4], share(3, 3), share(3, 3), share(6, 6)),
            ("one too many",        [3, 1, 0, 0], share(3, 4), share(3, 3), share(6, 7)),
            ("one missed",          [3, 0, 1, 0], share(3, 3), share(3, 4), share(6, 7)),
            ("both",                [1, 2, 3, 9], share(1, 3), share(1, 4), share(2, 7)),
            ("never yes",           [0, 0, 2, 5], None,        share(0, 2), share(0, 2)),
            ("nothing to be found", [0, 2, 0, 5], share(0, 2), None,        share(0, 2)),
            ("rightly never yes",   [0, 0, 0, 5], None,        None,        None),
        ];
        for (why, [tp, fp, false_negatives, tn], precision, recall, f1) in table {
            let mut counts = Counts::default();
            counts.add((true, true), tp);
            counts.add((true, false), fp);
            counts.add((false, true), false_negatives);
            counts.add((false, false), tn);
            assert_eq!(counts.precision(), precision, "{why}, precision");
            assert_eq!(counts.recall(), recall, "{why}, recall");
            assert_eq!(counts.f1(), f1, "{why}, F1");
            assert_eq!([counts.positives(), counts.negatives()], [tp + false_negatives, fp + tn]);
        }
    }
}

#[cfg(test)]
mod tests;

#[cfg(test)]
mod ranking_tests;
