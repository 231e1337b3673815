//! Pairs whose answer is known → limits that fit them, and how good those are.
//!
//! Goes in: the figures of pairs, with their two texts by number and what they should be called.
//! Comes out: for each measure that decides at a rung of the ladder a limit, chosen on one half of
//! the texts and held against the other, with intervals; and what is to be doubted of it. The same pairs give the same answer
//! on every machine and any number of threads. Texts are numbers here, and nothing is opened.

mod grid;
mod choice;
mod rung;

use std::num::NonZeroUsize;

use crate::jaccard::Share;
use crate::verdict::Limits;
use crate::verdict::comparison::Comparison;
pub use choice::Together;
pub use choice::{Chosen, Scores};
pub use choice::{DRAWS, Interval};
pub use choice::{Doubt, ENOUGH};
pub use grid::Counts;
use grid::Ranking;
use rung::Target;
pub use rung::{Limit, Measure, Rule, Rung};

/// What a pair should be called.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub enum Label {
    /// They are what is looked for.
    Yes,
    /// They are not.
    No,
}

/// A pair whose answer is known.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Labelled {
    /// The two texts, by their numbers; not one text twice.
    pub texts: [u32; 2],
    /// The answer.
    pub label: Label,
    /// The figures.
    pub comparison: Comparison,
}

/// How well a measure alone can distinguish the labels, in all pairs.
#[derive(Clone, Debug, PartialEq)]
pub struct Measured {
    /// The measure.
    pub measure: Measure,
    /// The area under the ROC curve: how often a pair labelled yes is closer than one labelled
    /// no.
    pub auc: Option<Share>,
    /// What becomes of all pairs at each limit, from the strictest on.
    pub curve: Vec<(Limit, Counts)>,
}

/// Texts and their pairs.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct Extent {
    /// Texts that are in a pair.
    pub texts: usize,
    /// Pairs labelled yes.
    pub positives: usize,
    /// Pairs labelled no.
    pub negatives: usize,
}

/// Limits that fit pairs.
#[derive(Clone, Debug, PartialEq)]
pub struct Calibration {
    /// The rung that limits were chosen for.
    pub rung: Rung,
    /// All pairs.
    pub all: Extent,
    /// By the order of [`Rung::measures`].
    pub measures: [Measured; 2],
    /// What the halves keep together; none where there are no halves, and limits are held
    /// against the pairs that they were chosen on.
    pub together: Option<Together>,
    /// What limits are chosen on.
    pub chosen_on: Extent,
    /// What they are held against.
    pub held_against: Extent,
    /// Pairs of texts that are not in one half.
    pub across: usize,
    /// Each measure by itself, and then for partial pairs the rule of two.
    pub chosen: Vec<Chosen>,
    /// The one of them with the greatest F1 where it was chosen, of equal ones the first.
    pub best: usize,
    /// The limits as they are, held against the same pairs.
    pub current: (Rule, Scores),
    /// The best measure by itself, as a place in `chosen` and in `measures`.
    pub best_alone: usize,
    /// What is to be doubted.
    pub doubts: Vec<Doubt>,
}

/// All pairs are labelled the same, or there is none.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct OneSided {
    /// Pairs labelled yes.
    pub positives: usize,
    /// Pairs labelled no.
    pub negatives: usize,
}

impl Calibration {
    /// Chooses the limits of a rung for pairs of texts with numbers below `texts`, on the given
    /// number of threads. Of `limits`, those of the other rung stay as they are.
    ///
    /// # Errors
    ///
    /// [`OneSided`] where no pair is labelled yes, or none no.
    pub fn new(
        pairs: &[Labelled],
        texts: usize,
        rung: Rung,
        limits: &Limits,
        threads: NonZeroUsize,
    ) -> Result<Self, OneSided> {
        let all: Vec<&Labelled> = pairs.iter().collect();
        let extent = Extent::new(&all, texts);
        if extent.positives == 0 || extent.negatives == 0 {
            return Err(OneSided { positives: extent.positives, negatives: extent.negatives });
        }
        let joints: Vec<_> = pairs.iter().map(|pair| (pair.texts, pair.label)).collect();
        let split = choice::split(texts, &joints);
        let half = |number: usize| match &split {
            None => all.clone(),
            Some(split) => {
                let is_in = |pair: &&&Labelled| split.half(pair.texts) == Some(number);
                all.iter().filter(is_in).copied().collect()
            }
        };
        let [first, second] = [half(0), half(1)];
        let [chosen_on, held_against] = [&first, &second].map(|half| Extent::new(half, texts));
        let target = Target { rung, limits: *limits };
        let chosen = choice::choose(&first, &target, threads);
        let current = Rule { limits: *limits, rung };
        let rules: Vec<Rule> =
            chosen.iter().map(|(chosen, _)| chosen.rule).chain([current]).collect();
        let mut scores = choice::hold(&second, &rules, threads).into_iter();
        let mut next = || scores.next().unwrap_or_default();
        let greatest = |among: usize| {
            let f1 = |at: usize| chosen[at].1.f1();
            (1..chosen.len().min(among))
                .fold(0, |best, at| if choice::is_greater(f1(at), f1(best)) { at } else { best })
        };
        let [best, best_alone] = [chosen.len(), rung.measures().len()].map(greatest);
        let with_scores = |(chosen, _)| Chosen { scores: next(), ..chosen };
        let chosen: Vec<Chosen> = chosen.into_iter().map(with_scores).collect();
        let current = (current, next());
        let halves = split.as_ref().map(|_| [chosen_on, held_against]);
        let mut doubts = choice::collect_doubts(pairs, texts, extent, halves);
        let f1 = |scores: &Scores| scores.counts.f1();
        if !choice::is_greater(f1(&chosen[best].scores), f1(&current.1)) {
            doubts.push(Doubt::NoBetter);
        }
        let across = if split.is_some() { pairs.len() - first.len() - second.len() } else { 0 };
        let together = split.as_ref().map(|split| split.together);
        Ok(Self {
            rung,
            all: extent,
            measures: rung.measures().map(|measure| measured(measure, pairs, &target)),
            together,
            chosen_on,
            held_against,
            across,
            chosen,
            best,
            best_alone,
            current,
            doubts,
        })
    }
}

impl Extent {
    fn new(pairs: &[&Labelled], texts: usize) -> Self {
        let mut is_in_pair = vec![false; texts];
        pairs.iter().flat_map(|pair| pair.texts).for_each(|text| is_in_pair[text as usize] = true);
        let positives = pairs.iter().filter(|pair| pair.label == Label::Yes).count();
        Self {
            texts: is_in_pair.into_iter().filter(|is| *is).count(),
            positives,
            negatives: pairs.len() - positives,
        }
    }
}

fn measured(measure: Measure, pairs: &[Labelled], target: &Target) -> Measured {
    let closeness = pairs.iter().map(|pair| target.closeness(measure, &pair.comparison));
    let ranking = Ranking::new(closeness);
    let labels: Vec<bool> = pairs.iter().map(|pair| pair.label == Label::Yes).collect();
    let limits = measure.curve();
    let counts = ranking.counts(&labels, limits.iter().map(|limit| limit.closeness()));
    let curve = limits.into_iter().zip(counts).collect();
    Measured { measure, auc: ranking.auc(&labels), curve }
}

#[cfg(test)]
mod tests;
