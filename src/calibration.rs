//! Pairs whose answer is known → limits that fit them, and how good those are.
//!
//! Goes in: the figures of pairs, with their two texts by number and what they should be called.
//! Comes out: for each measure that decides at a rung of the ladder a limit, chosen on one half of
//! the texts and held against the other, with intervals; and what is to be doubted of it. The same pairs give the same answer
//! on every machine and any number of threads. Texts are numbers here, and nothing is opened.

mod grid;
mod choice;

use std::num::NonZeroUsize;

use crate::jaccard::Share;
use crate::verdict::comparison::Comparison;
use crate::verdict::ratio::Ratio;
use crate::verdict::{Limits, Verdict};
use grid::Ranking;

pub use choice::Together;
pub use choice::{Chosen, Scores};
pub use choice::{DRAWS, Interval};
pub use choice::{Doubt, ENOUGH};
pub use grid::Counts;

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

// The rung of the ladder that limits are chosen for, and what the other limits leave to choose.

/// The limits between two neighbouring figures: all of them give the same answers. Figures are
/// closer the greater they are.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Span {
    /// The closest figure that is out; 0 where all are in.
    out: f64,
    /// The farthest that is in.
    within: f64,
}

/// The figures between which a limit may be chosen.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Bounds {
    /// The loosest limit; 0 itself would let all pairs in, and is never chosen.
    loosest: f64,
    /// The strictest limit.
    strictest: f64,
}

/// A rung, and the limits as they are, of which those of other rungs stay.
#[derive(Clone, Copy, Debug)]
struct Target {
    rung: Rung,
    limits: Limits,
}

/// The most digits that are tried after the point.
const MOST_DIGITS: usize = 15;

impl Target {
    /// A rule of limits of the rung, with those of the other as they are. One for partial pairs
    /// has no limit of containment.
    fn rule(&self, chosen: &[(Measure, Limit)]) -> Rule {
        let mut limits = match self.rung {
            Rung::NearDuplicate => Limits { hamming: None, jaccard: None, ..self.limits },
            Rung::Partial => {
                Limits { hamming: self.limits.hamming, jaccard: self.limits.jaccard, ..Limits::OFF }
            }
        };
        for (measure, limit) in chosen {
            match (measure, self.rung, *limit) {
                (_, _, Limit::Most(bits)) => limits.hamming = Some(bits),
                (Measure::Coverage, _, Limit::Least(ratio)) => limits.coverage = Some(ratio),
                (_, Rung::NearDuplicate, Limit::Least(ratio)) => limits.jaccard = Some(ratio),
                (_, Rung::Partial, Limit::Least(ratio)) => limits.partial_jaccard = Some(ratio),
            }
        }
        Rule { limits, rung: self.rung }
    }

    /// The figure that is compared with a limit at this rung: the ladder takes two thirds of the
    /// limit where a text is short, which is as if the index were half as great again, and takes one
    /// shared shingle for none.
    fn share(&self, measure: Measure, comparison: &Comparison) -> Option<Share> {
        let share = measure.share(comparison)?;
        let of = 2 * share.total();
        if (self.rung, measure) != (Rung::Partial, Measure::Jaccard) {
            return Some(share);
        } else if share.shared() < Limits::LEAST_SHARED {
            return Share::new(0, of);
        } else if comparison.least_words >= Limits::SHORT {
            return Some(share);
        }
        Share::new((3 * share.shared()).min(of), of)
    }

    /// How close a pair is, the greater the closer: a share, or the bits that agree. A pair that is
    /// a yes by every rule, such as a near-duplicate where parts are asked for, is as close as can
    /// be. `None` where a set is empty, or passages were not looked for.
    fn closeness(&self, measure: Measure, comparison: &Comparison) -> Option<f64> {
        let is_hamming = measure == Measure::Hamming;
        if self.rule(&[]).holds(comparison) {
            return Some(if is_hamming { f64::from(BITS) } else { 1.0 });
        }
        let agree = |bits: u32| f64::from(BITS - bits.min(BITS));
        let bits = comparison.hamming.filter(|_| is_hamming).map(agree);
        bits.or_else(|| self.share(measure, comparison).map(Share::ratio))
    }

    /// The hundredths of a measure that a pair fills, 0 to 100.
    fn steps(&self, measure: Measure, comparison: &Comparison) -> usize {
        if self.rule(&[]).holds(comparison) {
            return 100;
        }
        self.share(measure, comparison).map_or(0, |share| share.filled(100))
    }

    /// The hundredths that a limit may be.
    fn most_steps(&self, measure: Measure) -> usize {
        (1..=100)
            .take_while(|steps| self.clamped(measure, hundredths(*steps)) == hundredths(*steps))
            .count()
    }

    /// The figures between which a limit may be chosen.
    fn bounds(&self, measure: Measure) -> Bounds {
        if measure == Measure::Hamming {
            return Bounds { loosest: 0.0, strictest: f64::from(BITS) };
        }
        let [loosest, strictest] =
            [0, 100].map(|part| Limit::Least(self.clamped(measure, hundredths(part))).value());
        Bounds { loosest, strictest }
    }

    /// The nearest ratio that may be a limit: a Jaccard index for partial pairs is not above that
    /// for near-duplicates.
    fn clamped(&self, measure: Measure, ratio: Ratio) -> Ratio {
        match (self.rung, measure) {
            (Rung::NearDuplicate, Measure::Jaccard) => {
                self.limits.partial_jaccard.map_or(ratio, |least| ratio.max(least))
            }
            (Rung::Partial, Measure::Jaccard) => {
                self.limits.jaccard.map_or(ratio, |most| ratio.min(most))
            }
            _ => ratio,
        }
    }

    /// The strictest limit.
    fn strictest(&self, measure: Measure) -> Limit {
        match measure {
            Measure::Hamming => Limit::Most(0),
            _ => Limit::Least(self.clamped(measure, hundredths(100))),
        }
    }

    /// The middle of a span, in bits or as a share, or the nearest that may be chosen.
    fn middle(&self, measure: Measure, span: Span) -> f64 {
        if measure == Measure::Hamming {
            return f64::from(middle_bits(span));
        }
        let Bounds { loosest, strictest } = self.bounds(measure);
        f64::midpoint(span.out, span.within).clamp(loosest, strictest)
    }

    /// The middle of a span as a limit, with no more digits than it needs to stay within the
    /// middle half; or the nearest limit that may be chosen.
    fn limit(&self, measure: Measure, span: Span) -> Limit {
        if measure == Measure::Hamming {
            return Limit::Most(middle_bits(span));
        }
        let middle = f64::midpoint(span.out, span.within);
        let quarter = (span.within - span.out) / 4.0;
        let is_in_the_middle = |typed: &String| {
            let typed = typed.parse().unwrap_or(f64::NAN);
            (span.out + quarter..=span.within - quarter).contains(&typed)
        };
        let typed = (2..=MOST_DIGITS).map(|digits| format!("{middle:.digits$}"));
        let typed = typed.into_iter().find(is_in_the_middle);
        let typed = typed.unwrap_or_else(|| format!("{middle:.MOST_DIGITS$}"));
        let ratio = typed.parse().expect("the middle of two shares is a decimal from 0 to 1");
        Limit::Least(self.clamped(measure, ratio))
    }
}

/// The middle of a span in bits, of two the smaller.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 to 64")]
fn middle_bits(Span { out, within }: Span) -> u32 {
    let bits = f64::from(BITS);
    f64::midpoint(bits - within, bits - out - 1.0) as u32
}

// The figures that limits are chosen for, and the rules that limits make. A new measure is added
// here and to a [`Rung`].

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
const BITS: u32 = 64;

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
    fn closeness(self) -> f64 {
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
fn hundredths(hundredths: usize) -> Ratio {
    let typed = format!("{}.{:02}", hundredths / 100, hundredths % 100);
    typed.parse().expect("0 to 100 hundredths are a decimal from 0 to 1")
}

#[cfg(test)]
mod tests;

#[cfg(test)]
mod rung_tests;
