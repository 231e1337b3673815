//! Calibration: from pairs whose answer is known to limits that fit them, and how good these are.
//!
//! Input: the figures of pairs, each with the numbers of its two texts and its label. Output: for
//! each measure that decides at a rung of the ladder, a limit that was chosen on one half of the
//! texts and evaluated on the other, with intervals, and the reasons to doubt it. The same pairs
//! give the same answer on every machine and with any number of threads. Texts are represented by
//! numbers here, and no file is opened.

mod grid;
mod choice;

use std::num::NonZeroUsize;

use crate::jaccard::Share;
use crate::shingles::Variety;
use crate::sketch::Comparison;
use crate::verdict::ratio::Ratio;
use crate::verdict::{Limits, Verdict};
use grid::Ranking;

pub use choice::KeptTogether;
pub use choice::{Chosen, Scores};
pub use choice::{Interval, RESAMPLES};
pub use choice::{MIN_PAIRS_PER_LABEL, Warning};
pub use grid::Counts;

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

/// The performance of a single measure: how well it distinguishes the labels, over all pairs.
#[derive(Clone, Debug, PartialEq)]
pub struct Measured {
    /// The measure.
    pub measure: Measure,
    /// The area under the ROC curve: how often a pair labelled yes is closer than one labelled no,
    /// where a tie counts half.
    pub auc: Option<Share>,
    /// The answers for all pairs at each limit, beginning with the strictest.
    pub curve: Vec<(Limit, Counts)>,
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
    /// The rung that limits were chosen for.
    pub rung: Rung,
    /// All pairs.
    pub all: LabelCounts,
    /// The performance of each measure of the rung, in the order of [`Rung::measures`].
    pub measures: [Measured; 2],
    /// The texts that are kept together in one half; `None` if there are no halves, and limits are
    /// evaluated on the pairs that they were chosen on.
    pub together: Option<KeptTogether>,
    /// The pairs that limits are chosen on.
    pub chosen_on: LabelCounts,
    /// The pairs that limits are evaluated on.
    pub evaluated_on: LabelCounts,
    /// The number of pairs whose texts are not in the same half.
    pub across: usize,
    /// The rule chosen for each measure alone, and then, for partial pairs, the rule for both
    /// measures together.
    pub chosen: Vec<Chosen>,
    /// The index in `chosen` of the rule with the greatest F1 on the pairs that it was chosen on;
    /// of equally good rules, the first.
    pub best: usize,
    /// The current limits, evaluated on the same pairs.
    pub current: (Rule, Scores),
    /// The best rule with one measure, as an index into `chosen` and `measures`.
    pub best_alone: usize,
    /// The reasons to doubt the limits.
    pub warnings: Vec<Warning>,
}

/// The error if all pairs have the same label, or if there are no pairs.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct OneSided {
    /// The number of pairs labelled yes.
    pub positives: usize,
    /// The number of pairs labelled no.
    pub negatives: usize,
}

impl Calibration {
    /// Chooses the limits of a rung for pairs, using the given number of threads. The numbers of
    /// texts must be below `texts`. Those of `limits` that belong to the other rung are kept.
    ///
    /// # Errors
    ///
    /// Returns [`OneSided`] if no pair is labelled yes, or none is labelled no.
    pub fn new(
        pairs: &[Labelled],
        texts: usize,
        rung: Rung,
        limits: &Limits,
        threads: NonZeroUsize,
    ) -> Result<Self, OneSided> {
        let all: Vec<&Labelled> = pairs.iter().collect();
        let counts = LabelCounts::new(&all, texts);
        if counts.positives == 0 || counts.negatives == 0 {
            return Err(OneSided { positives: counts.positives, negatives: counts.negatives });
        }
        let labelled_texts: Vec<_> = pairs.iter().map(|pair| (pair.texts, pair.label)).collect();
        let split = choice::split(texts, &labelled_texts);
        let half = |number: usize| match &split {
            None => all.clone(),
            Some(split) => {
                let is_in = |pair: &&&Labelled| split.half(pair.texts) == Some(number);
                all.iter().filter(is_in).copied().collect()
            }
        };
        let [first, second] = [half(0), half(1)];
        let [chosen_on, evaluated_on] = [&first, &second].map(|half| LabelCounts::new(half, texts));
        let target = Target { rung, limits: *limits };
        let chosen = choice::choose(&first, &target, threads);
        let current = Rule { limits: *limits, rung };
        let rules: Vec<Rule> =
            chosen.iter().map(|(chosen, _)| chosen.rule).chain([current]).collect();
        let mut scores = choice::evaluate(&second, &rules, threads).into_iter();
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
        let halves = split.as_ref().map(|_| [chosen_on, evaluated_on]);
        let mut warnings = choice::collect_warnings(pairs, texts, counts, halves);
        let [new, old] = [&chosen[best].scores, &current.1].map(|scores| scores.counts.f1());
        if choice::is_greater(old, new) {
            warnings.push(Warning::Worse);
        } else if !choice::is_greater(new, old) {
            warnings.push(Warning::NoBetter);
        }
        let across = if split.is_some() { pairs.len() - first.len() - second.len() } else { 0 };
        let together = split.as_ref().map(|split| split.together);
        Ok(Self {
            rung,
            all: counts,
            measures: rung.measures().map(|measure| measured(measure, pairs, &target)),
            together,
            chosen_on,
            evaluated_on,
            across,
            chosen,
            best,
            best_alone,
            current,
            warnings,
        })
    }

    /// Reports whether the current limits do better than the best rule, on the pairs that it is
    /// evaluated on.
    pub fn is_worse(&self) -> bool {
        self.warnings.contains(&Warning::Worse)
    }

    /// Returns the rule to set: the best one, or the current limits if these do better.
    pub fn recommended(&self) -> &Rule {
        if self.is_worse() { &self.current.0 } else { &self.chosen[self.best].rule }
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

fn measured(measure: Measure, pairs: &[Labelled], target: &Target) -> Measured {
    let closeness = pairs.iter().map(|pair| target.closeness(measure, &pair.comparison));
    let ranking = Ranking::new(closeness);
    let labels: Vec<bool> = pairs.iter().map(|pair| pair.label == Label::Yes).collect();
    let limits = measure.curve();
    let counts = ranking.counts(&labels, limits.iter().map(|limit| limit.closeness()));
    let curve = limits.into_iter().zip(counts).collect();
    Measured { measure, auc: ranking.auc(&labels), curve }
}

// The rung of the ladder that limits are chosen for, and the choice that the other limits leave.

/// The limits between two neighbouring figures, which all give the same answers. A greater figure
/// means a closer pair.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Span {
    /// The greatest figure of a pair that is answered no; 0 if all pairs are answered yes.
    out: f64,
    /// The smallest figure of a pair that is answered yes.
    within: f64,
}

/// The range of figures in which a limit may be chosen.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Bounds {
    /// The loosest limit; 0 itself would answer yes for all pairs and is never chosen.
    loosest: f64,
    /// The strictest limit.
    strictest: f64,
}

/// A rung, and the current limits, of which those of the other rung are kept.
#[derive(Clone, Copy, Debug)]
struct Target {
    rung: Rung,
    limits: Limits,
}

/// The largest number of digits that are tried after the decimal point.
const MAX_DIGITS: usize = 15;

impl Target {
    /// Makes a rule from limits of the rung; its other limits are off, and those of the other rung
    /// are kept. A rule for partial pairs has no limit for the containment.
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

    /// Returns the figure that is compared with a limit at this rung. If a text is short, the
    /// ladder uses two thirds of the limit for partial pairs, which has the same effect as an index
    /// half as great again; and it treats one shared shingle as none.
    fn share(&self, measure: Measure, comparison: &Comparison) -> Option<Share> {
        let share = measure.share(comparison)?;
        let of = 2 * share.total();
        if measure == Measure::Jaccard && comparison.variety != Variety::Varied {
            return Share::new(0, of);
        } else if (self.rung, measure) != (Rung::Partial, Measure::Jaccard) {
            return Some(share);
        } else if share.shared() < Limits::MIN_SHARED {
            return Share::new(0, of);
        } else if comparison.least_words >= Limits::SHORT {
            return Some(share);
        }
        Share::new((3 * share.shared()).min(of), of)
    }

    /// Returns how close a pair is: a share, or the number of equal bits. A greater value means a
    /// closer pair. A pair that every rule answers with yes, such as a near-duplicate if partial
    /// pairs are looked for, has the greatest value. `None` if a set is empty, or if passages were
    /// not searched for.
    fn closeness(&self, measure: Measure, comparison: &Comparison) -> Option<f64> {
        let is_hamming = measure == Measure::Hamming;
        if self.rule(&[]).holds(comparison) {
            return Some(if is_hamming { f64::from(BITS) } else { 1.0 });
        }
        let agree = |bits: u32| f64::from(BITS - bits.min(BITS));
        let is_counted = is_hamming && comparison.variety == Variety::Varied;
        let bits = comparison.hamming.filter(|_| is_counted).map(agree);
        bits.or_else(|| self.share(measure, comparison).map(Share::ratio))
    }

    /// Returns the number of hundredths that a pair reaches in a measure, 0 to 100.
    fn steps(&self, measure: Measure, comparison: &Comparison) -> usize {
        if self.rule(&[]).holds(comparison) {
            return 100;
        }
        self.share(measure, comparison).map_or(0, |share| share.filled(100))
    }

    /// Returns the largest number of hundredths that a limit may have.
    fn max_steps(&self, measure: Measure) -> usize {
        (1..=100)
            .take_while(|steps| self.clamped(measure, hundredths(*steps)) == hundredths(*steps))
            .count()
    }

    /// Returns the range of figures in which a limit may be chosen.
    fn bounds(&self, measure: Measure) -> Bounds {
        if measure == Measure::Hamming {
            return Bounds { loosest: 0.0, strictest: f64::from(BITS) };
        }
        let [loosest, strictest] =
            [0, 100].map(|part| Limit::Least(self.clamped(measure, hundredths(part))).value());
        Bounds { loosest, strictest }
    }

    /// Returns the nearest ratio that is allowed as a limit: the Jaccard index for partial pairs
    /// must not be above that for near-duplicates.
    fn clamped(&self, measure: Measure, ratio: Ratio) -> Ratio {
        match (self.rung, measure) {
            (Rung::NearDuplicate, Measure::Jaccard) => {
                self.limits.partial_jaccard.map_or(ratio, |least| ratio.max(least))
            }
            (Rung::Partial, Measure::Jaccard) => {
                self.limits.jaccard.map_or(ratio, |limit| ratio.min(limit))
            }
            _ => ratio,
        }
    }

    /// Returns the strictest limit that is allowed.
    fn strictest(&self, measure: Measure) -> Limit {
        match measure {
            Measure::Hamming => Limit::Most(0),
            _ => Limit::Least(self.clamped(measure, hundredths(100))),
        }
    }

    /// Returns the middle of a span as a limit, with only as many digits as it needs to be within
    /// the middle half of the span; or the nearest limit that may be chosen.
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
        let typed = (2..=MAX_DIGITS).map(|digits| format!("{middle:.digits$}"));
        let typed = typed.into_iter().find(is_in_the_middle);
        let typed = typed.unwrap_or_else(|| format!("{middle:.MAX_DIGITS$}"));
        let ratio = typed.parse().expect("the middle of two shares is a decimal from 0 to 1");
        Limit::Least(self.clamped(measure, ratio))
    }
}

/// Returns the middle of a span in bits; of two middle numbers, the smaller.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 to 64")]
fn middle_bits(Span { out, within }: Span) -> u32 {
    let bits = f64::from(BITS);
    f64::midpoint(bits - within, bits - out - 1.0) as u32
}

// The figures that limits are chosen for, and the rules made of limits. A new measure is added here
// and to a [`Rung`].

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

    /// Returns the measures that decide at the rung, in the order of the answer; of equally good
    /// rules, that of the first measure is taken.
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
    /// The greater coverage of the two texts.
    Coverage,
}

/// A limit of a measure.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Limit {
    /// The largest number of bits that may differ.
    Most(u32),
    /// The minimum share.
    Least(Ratio),
}

/// Limits, and the rung from which a verdict counts as yes.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Rule {
    /// All limits of the ladder, including those of other rungs.
    pub limits: Limits,
    /// The rung.
    pub rung: Rung,
}

/// The number of bits in a fingerprint.
const BITS: u32 = 64;

impl Measure {
    /// Returns its name, which never changes.
    pub fn name(self) -> &'static str {
        match self {
            Self::Jaccard => "jaccard",
            Self::Hamming => "hamming",
            Self::Coverage => "coverage",
        }
    }

    /// Returns the figure of a pair as a share. `None` for the Hamming distance, if a set is empty,
    /// or if passages were not searched for.
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

    /// Returns the limits of its curve, beginning with the strictest.
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
    /// Returns the limit as a number, in bits or as a share.
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

    /// Returns the smallest closeness that reaches the limit.
    fn closeness(self) -> f64 {
        match self {
            Self::Most(bits) => f64::from(BITS - bits.min(BITS)),
            Self::Least(_) => self.value(),
        }
    }
}

impl Rule {
    /// Reports whether the answer for a pair is yes.
    pub fn holds(&self, comparison: &Comparison) -> bool {
        self.limits.judge(comparison).verdict >= self.rung.level()
    }

    /// Returns the limit of a measure at the rung; `None` if it is off or the measure does not
    /// decide at this rung.
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

/// Converts 0 to 100 hundredths to a ratio.
fn hundredths(hundredths: usize) -> Ratio {
    let typed = format!("{}.{:02}", hundredths / 100, hundredths % 100);
    typed.parse().expect("0 to 100 hundredths are a decimal from 0 to 1")
}

#[cfg(test)]
mod tests;

#[cfg(test)]
mod rung_tests;
