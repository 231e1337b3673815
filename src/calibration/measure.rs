//! What a limit can be chosen for, and the rule that it makes. Whoever adds a measure adds it
//! here.

use crate::comparison::Comparison;
use crate::jaccard::Share;
use crate::ratio::Ratio;
use crate::verdict::{Limits, Verdict};

/// A figure that decides alone.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Measure {
    /// The Jaccard index.
    Jaccard,
    /// The greater of the two containments.
    Containment,
    /// The Hamming distance.
    Hamming,
}

/// A limit of a measure.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Limit {
    /// Most bits that differ.
    Most(u32),
    /// Least share.
    Least(Ratio),
}

/// Limits, and from which verdict on the answer is yes.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Rule {
    /// The limits of the ladder.
    pub limits: Limits,
    /// The farthest verdict that is a yes.
    pub level: Verdict,
}

/// The limits between two neighbouring figures: all of them give the same answers. Figures are
/// closer the greater they are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Span {
    /// The closest figure that is out; none where all are in.
    pub(super) out: Option<f64>,
    /// The farthest that is in.
    pub(super) within: f64,
}

/// The bits of a fingerprint.
const BITS: u32 = 64;

/// No limit at all.
const OFF: Limits =
    Limits { hamming: None, jaccard: None, containment: None, weighted_jaccard: None };

/// The most digits that are tried after the point.
const MOST_DIGITS: usize = 15;

impl Measure {
    /// All of them, in the order in which they are told; of equally good ones the first is
    /// taken.
    pub const ALL: [Self; 3] = [Self::Jaccard, Self::Containment, Self::Hamming];

    /// Its name; never changes.
    pub fn name(self) -> &'static str {
        match self {
            Self::Jaccard => "jaccard",
            Self::Containment => "containment",
            Self::Hamming => "hamming",
        }
    }

    /// How close a pair is, the greater the closer: a share, or the bits that agree. The same
    /// words are as close as can be, as on the ladder; none where a set is empty, or too few are
    /// shared for a containment.
    pub(super) fn closeness(self, comparison: &Comparison) -> Option<f64> {
        let share = |share: Option<Share>| share.map(Share::ratio);
        let same = |greatest: f64| comparison.same_words.then_some(greatest);
        match self {
            Self::Jaccard => same(1.0).or_else(|| share(comparison.jaccard())),
            Self::Containment => {
                let ways = [comparison.containment_left(), comparison.containment_right()];
                let greater = ways.into_iter().filter_map(share).reduce(f64::max);
                let counts = comparison.longest.shared >= Limits::LEAST_CONTAINED as usize;
                same(1.0).or(greater.filter(|_| counts))
            }
            Self::Hamming => same(f64::from(BITS))
                .or_else(|| comparison.hamming.map(|bits| f64::from(BITS - bits.min(BITS)))),
        }
    }

    /// The limits that its curve is drawn at, from the strictest on.
    pub fn curve(self) -> Vec<Limit> {
        match self {
            Self::Jaccard | Self::Containment => (0..=100).rev().map(hundredths).collect(),
            Self::Hamming => (0..=BITS).map(Limit::Most).collect(),
        }
    }

    /// The middle of a span as a limit, with no more digits than it needs to stay within the
    /// middle half.
    pub(super) fn limit(self, span: Span) -> Limit {
        let middle = self.middle(span);
        if self == Self::Hamming {
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "0 to 64"
            )]
            return Limit::Most(middle as u32);
        }
        let out = span.out.unwrap_or(0.0);
        let quarter = (span.within - out) / 4.0;
        let is_in_the_middle = |typed: &String| {
            let typed = typed.parse().unwrap_or(f64::NAN);
            (out + quarter..=span.within - quarter).contains(&typed)
        };
        let typed = (2..=MOST_DIGITS).map(|digits| format!("{middle:.digits$}"));
        let typed = typed.into_iter().find(is_in_the_middle);
        let typed = typed.unwrap_or_else(|| format!("{middle:.MOST_DIGITS$}"));
        Limit::Least(typed.parse().expect("the middle of two shares is a decimal from 0 to 1"))
    }

    /// The middle of a span, in bits or as a share. Of bits a whole number, of two the smaller.
    pub(super) fn middle(self, Span { out, within }: Span) -> f64 {
        match self {
            Self::Jaccard | Self::Containment => f64::midpoint(out.unwrap_or(0.0), within),
            Self::Hamming => {
                let bits = f64::from(BITS);
                let most = out.map_or(bits, |out| bits - out - 1.0);
                f64::midpoint(bits - within, most).floor()
            }
        }
    }

    /// The rule of this measure alone.
    pub fn rule(self, limit: Limit) -> Rule {
        let (jaccard, hamming) = match limit {
            Limit::Least(ratio) => (Some(ratio), None),
            Limit::Most(bits) => (None, Some(bits)),
        };
        match self {
            Self::Jaccard => {
                Rule { limits: Limits { jaccard, ..OFF }, level: Verdict::NearDuplicate }
            }
            Self::Containment => {
                Rule { limits: Limits { containment: jaccard, ..OFF }, level: Verdict::Partial }
            }
            Self::Hamming => {
                Rule { limits: Limits { hamming, ..OFF }, level: Verdict::NearDuplicate }
            }
        }
    }

    /// The limit of this measure in a rule; none where it has none.
    pub fn limit_of(self, rule: &Rule) -> Option<Limit> {
        match self {
            Self::Jaccard => rule.limits.jaccard.map(Limit::Least),
            Self::Containment => rule.limits.containment.map(Limit::Least),
            Self::Hamming => rule.limits.hamming.map(Limit::Most),
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
        self.limits.judge(comparison).verdict >= self.level
    }
}

/// Hundredths as a limit.
pub(super) fn hundredths(hundredths: usize) -> Limit {
    let typed = format!("{}.{:02}", hundredths / 100, hundredths % 100);
    Limit::Least(typed.parse().expect("0 to 100 hundredths are a decimal from 0 to 1"))
}

#[cfg(test)]
mod tests;
