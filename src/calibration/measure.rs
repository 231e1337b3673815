//! The figures that limits are chosen for, and the rules that limits make. A new measure is added
//! here and to a [`Rung`].

use crate::jaccard::Share;
use crate::verdict::comparison::Comparison;
use crate::verdict::ratio::Ratio;
use crate::verdict::{Limits, Verdict};

/// A rung whose limits can be chosen: a pair labelled yes is to have its verdict or a closer one.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Rung {
    /// Near-duplicate or closer.
    NearDuplicate,
    /// Partial or closer.
    Partial,
}

impl Rung {
    /// The farthest verdict that is a yes.
    pub fn level(self) -> Verdict {
        match self {
            Self::NearDuplicate => Verdict::NearDuplicate,
            Self::Partial => Verdict::Partial,
        }
    }

    /// The measures that decide at it, in the order of the answer; of equally good rules the
    /// first is taken.
    pub fn measures(self) -> [Measure; 2] {
        match self {
            Self::NearDuplicate => [Measure::Jaccard, Measure::Hamming],
            Self::Partial => [Measure::Jaccard, Measure::Coverage],
        }
    }
}

/// A figure that has a limit.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Measure {
    /// The Jaccard index.
    Jaccard,
    /// The Hamming distance.
    Hamming,
    /// The coverage of either text, the greater one.
    Coverage,
}

/// A limit of a measure.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Limit {
    /// Most bits that differ.
    Most(u32),
    /// Least share.
    Least(Ratio),
}

/// Limits, and the rung from which on the answer is yes.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Rule {
    /// All limits of the ladder, those of other rungs too.
    pub limits: Limits,
    /// The rung.
    pub rung: Rung,
}

/// The bits of a fingerprint.
pub(super) const BITS: u32 = 64;

impl Measure {
    /// Its name; never changes.
    pub fn name(self) -> &'static str {
        match self {
            Self::Jaccard => "jaccard",
            Self::Hamming => "hamming",
            Self::Coverage => "coverage",
        }
    }

    /// The figure of a pair as a share. `None` for the Hamming distance, where a set is empty,
    /// and where passages were not looked for.
    pub fn share(self, comparison: &Comparison) -> Option<Share> {
        match self {
            Self::Jaccard => comparison.jaccard(),
            Self::Hamming => None,
            Self::Coverage => {
                let passages = comparison.passages?;
                let ways = [passages.left, passages.right].into_iter().flatten();
                ways.max_by(|one, other| one.ratio().total_cmp(&other.ratio()))
            }
        }
    }

    /// The limits of its curve, from the strictest on.
    pub fn curve(self) -> Vec<Limit> {
        match self {
            Self::Hamming => (0..=BITS).map(Limit::Most).collect(),
            Self::Jaccard | Self::Coverage => {
                (0..=100).rev().map(|part| Limit::Least(hundredths(part))).collect()
            }
        }
    }
}

impl Limit {
    /// As a number, in bits or as a share.
    pub fn value(self) -> f64 {
        match self {
            Self::Most(bits) => f64::from(bits),
            Self::Least(ratio) => {
                let (numerator, denominator) = ratio.parts();
                #[expect(clippy::cast_precision_loss, reason = "for print, and up to 2^53 exact")]
                let value = numerator as f64 / denominator as f64;
                value
            }
        }
    }

    /// The least closeness that is within it.
    pub(super) fn closeness(self) -> f64 {
        match self {
            Self::Most(bits) => f64::from(BITS - bits.min(BITS)),
            Self::Least(_) => self.value(),
        }
    }
}

impl Rule {
    /// Whether the answer is yes.
    pub fn holds(&self, comparison: &Comparison) -> bool {
        self.limits.judge(comparison).verdict >= self.rung.level()
    }

    /// The limit of a measure at the rung; `None` where it is off, or decides at another rung.
    pub fn limit_of(&self, measure: Measure) -> Option<Limit> {
        let limits = &self.limits;
        match (measure, self.rung) {
            (Measure::Hamming, Rung::NearDuplicate) => limits.hamming.map(Limit::Most),
            (Measure::Jaccard, Rung::NearDuplicate) => limits.jaccard.map(Limit::Least),
            (Measure::Jaccard, Rung::Partial) => limits.partial_jaccard.map(Limit::Least),
            (Measure::Coverage, Rung::Partial) => limits.coverage.map(Limit::Least),
            (Measure::Coverage, Rung::NearDuplicate) | (Measure::Hamming, Rung::Partial) => None,
        }
    }
}

/// 0 to 100 hundredths as a ratio.
pub(super) fn hundredths(hundredths: usize) -> Ratio {
    let typed = format!("{}.{:02}", hundredths / 100, hundredths % 100);
    typed.parse().expect("0 to 100 hundredths are a decimal from 0 to 1")
}
