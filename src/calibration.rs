//! Calibration: from pairs whose answer is known to limits that fit them, and how good these are.
//!
//! Input: the figures of pairs, each with the numbers of its two texts and its label. Output: the
//! limits of a rung of the ladder, chosen on one half of the texts and evaluated on the other. The
//! same pairs give the same answer on every machine. Texts are represented by numbers here, and no
//! file is opened.

mod random;
mod split;

use crate::jaccard::Share;
use crate::sketch::Comparison;
use crate::verdict::ratio::Ratio;
use crate::verdict::{Limits, Verdict};

/// The known answer for a pair.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub enum Label {
    /// The pair should be found.
    Yes,
    /// The pair should not be found.
    No,
}

/// A pair whose answer is known.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Labelled {
    /// The numbers of the two texts, which must differ.
    pub texts: [u32; 2],
    /// The answer.
    pub label: Label,
    /// The figures.
    pub comparison: Comparison,
}

/// The numbers of texts and pairs.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct LabelCounts {
    /// The number of texts that are in a pair.
    pub texts: usize,
    /// The number of pairs labelled yes.
    pub positives: usize,
    /// The number of pairs labelled no.
    pub negatives: usize,
}

/// The limits that fit a set of pairs.
#[derive(Clone, Debug, PartialEq)]
pub struct Calibration {
    /// All pairs.
    pub all: LabelCounts,
    /// The chosen limits, with those of the other rung as they were.
    pub limits: Limits,
    /// The F1 of the chosen limits on pairs that they were not chosen on.
    pub f1: Share,
    /// The F1 of the current limits on the same pairs.
    pub current_f1: Share,
    /// Whether there are halves with both labels. Otherwise limits are evaluated on the pairs that
    /// they were chosen on.
    pub is_split: bool,
}

impl Calibration {
    /// Chooses the limits of a rung for pairs. The numbers of texts must be below `texts`. Those of
    /// `limits` that belong to the other rung are kept. Each pair is judged by all candidates, at
    /// most 200.
    ///
    /// # Errors
    ///
    /// Returns the numbers of pairs if none is labelled yes, or none is labelled no.
    pub fn new(
        pairs: &[Labelled],
        texts: usize,
        rung: Rung,
        limits: &Limits,
    ) -> Result<Self, LabelCounts> {
        let all: Vec<&Labelled> = pairs.iter().collect();
        let counts = LabelCounts::new(&all, texts);
        if counts.positives == 0 || counts.negatives == 0 {
            return Err(counts);
        }
        let labelled_texts: Vec<_> = pairs.iter().map(|pair| (pair.texts, pair.label)).collect();
        let split = split::split(texts, &labelled_texts);
        let half = |number: usize| match &split {
            None => all.clone(),
            Some(split) => {
                let is_in = |pair: &&&Labelled| split.half(pair.texts) == Some(number);
                all.iter().filter(is_in).copied().collect()
            }
        };
        let [first, second] = [half(0), half(1)];
        let best_limits = best(&first, rung, limits);
        let [f1, current_f1] = [&best_limits, limits].map(|limits| f1(&second, rung, limits));
        let is_split = split.is_some();
        Ok(Self { all: counts, limits: best_limits, f1, current_f1, is_split })
    }

    /// Reports whether the current limits do better than the chosen ones.
    pub fn is_worse(&self) -> bool {
        self.current_f1.compare(self.f1).is_gt()
    }
}

impl LabelCounts {
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

/// A rung whose limits can be chosen: a pair labelled yes should have its verdict or a closer one.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Rung {
    /// Near-duplicate or closer.
    NearDuplicate,
    /// Partial or closer.
    Partial,
}

impl Rung {
    /// Returns the farthest verdict that counts as yes.
    pub fn level(self) -> Verdict {
        match self {
            Self::NearDuplicate => Verdict::NearDuplicate,
            Self::Partial => Verdict::Partial,
        }
    }

    /// Returns the limits to try for each of the two measures of the rung, the strictest last. The
    /// other limits of the rung are off. The Jaccard index of partial pairs is at most that of
    /// near-duplicates.
    fn candidates(self, limits: &Limits) -> [Vec<Limits>; 2] {
        let hundredths = || (1..=100).map(Ratio::hundredths);
        match self {
            Self::NearDuplicate => {
                let off = Limits { hamming: None, jaccard: None, ..*limits };
                let is_allowed =
                    |it: &Ratio| limits.partial_jaccard.is_none_or(|least| *it >= least);
                let jaccard = hundredths().filter(is_allowed);
                let bits = (0..64).rev();
                [
                    jaccard.map(|least| Limits { jaccard: Some(least), ..off }).collect(),
                    bits.map(|most| Limits { hamming: Some(most), ..off }).collect(),
                ]
            }
            Self::Partial => {
                let off =
                    Limits { hamming: limits.hamming, jaccard: limits.jaccard, ..Limits::OFF };
                let is_allowed = |it: &Ratio| limits.jaccard.is_none_or(|most| *it <= most);
                let jaccard = hundredths().filter(is_allowed);
                [
                    jaccard.map(|least| Limits { partial_jaccard: Some(least), ..off }).collect(),
                    hundredths().map(|least| Limits { coverage: Some(least), ..off }).collect(),
                ]
            }
        }
    }
}

/// Returns the limits with the greatest F1 on pairs: of equally good ones, those of the first
/// measure, and of these the middle one, or the strictest if none finds a pair labelled yes.
fn best(pairs: &[&Labelled], rung: Rung, current: &Limits) -> Limits {
    let mut best: Option<(Share, Limits)> = None;
    for candidates in rung.candidates(current) {
        let f1s: Vec<Share> = candidates.iter().map(|limits| f1(pairs, rung, limits)).collect();
        let Some(most) = f1s.iter().copied().max_by(|one, other| one.compare(*other)) else {
            continue;
        };
        let equal: Vec<Limits> = (candidates.into_iter().zip(f1s))
            .filter_map(|(limits, f1)| f1.compare(most).is_eq().then_some(limits))
            .collect();
        let last = equal.len() - 1;
        if best.is_none_or(|(f1, _)| most.compare(f1).is_gt()) {
            best = Some((most, equal[if most.shared() == 0 { last } else { last / 2 }]));
        }
    }
    best.map_or(*current, |(_, limits)| limits)
}

/// Returns the F1 of the answers that limits give for pairs: the harmonic mean of precision and
/// recall (van Rijsbergen 1979), as a share of counts. At least one pair must be labelled yes.
fn f1(pairs: &[&Labelled], rung: Rung, limits: &Limits) -> Share {
    let (mut right, mut total) = (0, 0);
    for pair in pairs {
        let found = limits.judge(&pair.comparison).verdict >= rung.level();
        let is_yes = pair.label == Label::Yes;
        total += usize::from(found) + usize::from(is_yes);
        right += 2 * usize::from(found && is_yes);
    }
    Share::new(right, total).expect("a pair is labelled yes")
}

#[cfg(test)]
mod tests;
