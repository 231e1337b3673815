//! The closeness of pairs → the best place to part them, and how well it can be done.

use super::counts::Counts;
use super::rung::{Bounds, Span};
use crate::jaccard::Share;

/// Pairs by how close they are, the closest first. A pair without a figure is never a yes.
#[derive(Clone, Debug)]
pub(super) struct Ranking {
    order: Vec<(f64, u32)>,
}

/// Limits that are equally good, next to each other.
struct Run {
    /// Twice the true positives.
    right: usize,
    /// Of all answers yes and all labels yes.
    of: usize,
    span: Span,
}

impl Run {
    /// Whether F1 is greater than another's, or as great and its span wider.
    fn is_better(&self, other: &Self) -> bool {
        let [one, two] =
            [(self.right, other.of), (other.right, self.of)].map(|(a, b)| a as u128 * b as u128);
        let width = |run: &Self| run.span.within - run.span.out;
        one > two || one == two && width(self) > width(other)
    }
}

impl Ranking {
    /// Ranks pairs by their closeness, none of which is NaN.
    pub(super) fn of(closeness: impl Iterator<Item = Option<f64>>) -> Self {
        let known = closeness.zip(0..).filter_map(|(figure, pair)| Some((figure?, pair)));
        let mut order: Vec<(f64, u32)> = known.collect();
        order.sort_by(|one, other| other.0.total_cmp(&one.0));
        Self { order }
    }

    /// The limits within bounds with the greatest F1, where each pair counts so many times: of
    /// several the widest span, of equally wide ones the strictest. `None` where no pair that
    /// counts and is labelled yes is within any limit. The cost is linear.
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
            // Limits on either side of pairs that do not count are one.
            if called == before {
                continue;
            }
            if closeness < bounds.loosest || closeness <= 0.0 {
                if let Some(run) = &mut current {
                    run.span.out = closeness;
                }
                break;
            }
            let (right, of) = (2 * found, called + positives);
            let is_same =
                |run: &Run| run.right as u128 * of as u128 == right as u128 * run.of as u128;
            if let Some(mut run) = current.take() {
                if is_same(&run) {
                    current = Some(run);
                    continue;
                }
                run.span.out = closeness;
                keep(&mut best, run);
            }
            current = Some(Run { right, of, span: Span { out: 0.0, within: closeness } });
        }
        if let Some(run) = current {
            keep(&mut best, run);
        }
        best.map(|run| run.span)
    }

    /// The area under the ROC curve: how often a pair labelled yes is closer than one labelled
    /// no, a tie being half (Mann and Whitney 1947). None where there is no pair of one label.
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
        // Those without a figure are all equally far.
        halves += (positives - ranked_positives) as u64 * left;
        let all = 2 * positives as u64 * negatives;
        let [halves, all] = cut([halves, all], usize::BITS);
        Share::new(usize::try_from(halves).ok()?, usize::try_from(all).ok()?)
    }

    /// What becomes of all pairs at each of some limits, from the strictest on.
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

/// Two counts, of which the second is the greater one, without as many of their last digits as a
/// number of so many bits has no room for.
fn cut(counts: [u64; 2], bits: u32) -> [u64; 2] {
    let needed = u64::BITS - counts[1].leading_zeros();
    counts.map(|count| count >> needed.saturating_sub(bits))
}

/// Whether two pairs are equally close.
fn are_equal(one: &(f64, u32), other: &(f64, u32)) -> bool {
    one.0.total_cmp(&other.0).is_eq()
}

/// Keeps the better of two.
fn keep(best: &mut Option<Run>, run: Run) {
    if run.right > 0 && best.as_ref().is_none_or(|best| run.is_better(best)) {
        *best = Some(run);
    }
}

#[cfg(test)]
mod tests;
