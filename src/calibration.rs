//! Calibration: from pairs whose answer is known to limits that fit them, and how good these are.
//!
//! Input: the figures of pairs, each with the numbers of its two texts and its label. Output: for
//! each measure that decides at a rung of the ladder, a limit that was chosen on one half of the
//! texts and evaluated on the other, and the reasons to doubt it. The same pairs give the same
//! answer on every machine. Texts are represented by numbers here, and no file is opened.

mod random;
mod split;

use std::cmp::Ordering;

use crate::jaccard::{Share, compare};
use crate::shingles::Variety;
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

/// A rule that was chosen.
#[derive(Clone, Debug, PartialEq)]
pub struct Chosen {
    /// The measure whose limit was chosen.
    pub measure: Measure,
    /// The rule.
    pub rule: Rule,
    /// The answers on pairs that the rule was not chosen on.
    pub counts: Counts,
}

/// The limits that fit a set of pairs.
#[derive(Clone, Debug, PartialEq)]
pub struct Calibration {
    /// The rung that limits were chosen for.
    pub rung: Rung,
    /// All pairs.
    pub all: LabelCounts,
    /// The rule chosen for each measure.
    pub chosen: Vec<Chosen>,
    /// The index in `chosen` of the rule with the greatest F1 on the pairs that it was chosen on;
    /// of equally good rules, the first.
    pub best: usize,
    /// The current limits, evaluated on the same pairs.
    pub current: (Rule, Counts),
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
    /// Chooses the limits of a rung for pairs. The numbers of texts must be below `texts`. Those of
    /// `limits` that belong to the other rung are kept. The cost is linear in the number of pairs.
    ///
    /// # Errors
    ///
    /// Returns [`OneSided`] if no pair is labelled yes, or none is labelled no.
    pub fn new(
        pairs: &[Labelled],
        texts: usize,
        rung: Rung,
        limits: &Limits,
    ) -> Result<Self, OneSided> {
        let all: Vec<&Labelled> = pairs.iter().collect();
        let counts = LabelCounts::new(&all, texts);
        if counts.positives == 0 || counts.negatives == 0 {
            return Err(OneSided { positives: counts.positives, negatives: counts.negatives });
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
        let halves = [half(0), half(1)];
        let target = Target { rung, limits: *limits };
        let measures = rung.measures();
        let rules = measures.map(|measure| choose(&halves[0], &target, measure));
        let f1 = |rule: &Rule| count(&halves[0], rule).f1();
        let best = (1..rules.len()).fold(0, |best, at| {
            if is_greater(f1(&rules[at]), f1(&rules[best])) { at } else { best }
        });
        let current = Rule { limits: *limits, rung };
        let current = (current, count(&halves[1], &current));
        let chosen: Vec<Chosen> = (measures.into_iter().zip(rules))
            .map(|(measure, rule)| Chosen { measure, rule, counts: count(&halves[1], &rule) })
            .collect();
        let in_halves = halves.map(|half| LabelCounts::new(&half, texts));
        let mut warnings = collect_warnings(pairs, texts, in_halves);
        if split.is_none() {
            warnings.insert(0, Warning::NotSplit);
        }
        let [new, old] = [&chosen[best].counts, &current.1].map(Counts::f1);
        if is_greater(old, new) {
            warnings.push(Warning::Worse);
        } else if !is_greater(new, old) {
            warnings.push(Warning::NoBetter);
        }
        Ok(Self { rung, all: counts, chosen, best, current, warnings })
    }

    /// Reports whether the current limits do better than the best rule, on the pairs that it is
    /// evaluated on.
    pub fn is_worse(&self) -> bool {
        self.warnings.contains(&Warning::Worse)
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

// Chooses the limit of a measure on a set of pairs.

/// Returns the rule with the greatest F1 on pairs, of all limits in hundredths or bits that may be
/// chosen for a measure; of equally good ones, the middle one, or the strictest if none finds a pair
/// labelled yes.
fn choose(pairs: &[&Labelled], target: &Target, measure: Measure) -> Rule {
    let limits = target.steps(measure);
    // The number of pairs of each label by how many of the limits they reach.
    let mut reaching = vec![[0_usize; 2]; limits.len() + 1];
    let mut found = [0; 2];
    for pair in pairs {
        let steps = target.reached(measure, &pair.comparison);
        let label = usize::from(pair.label == Label::Yes);
        reaching[limits.partition_point(|limit| *limit <= steps)][label] += 1;
        found[label] += 1;
    }
    let positives = found[1];
    let mut best: (Fraction, Vec<usize>) = ((0, 1), Vec::new());
    for (limit, [no_below, yes_below]) in limits.into_iter().zip(reaching) {
        found = [found[0] - no_below, found[1] - yes_below];
        let [no, yes] = found;
        let f1 = (2 * yes, yes + no + positives);
        match compare(f1, best.0) {
            Ordering::Greater => best = (f1, vec![limit]),
            Ordering::Equal => best.1.push(limit),
            Ordering::Less => {}
        }
    }
    let (f1, limits) = best;
    let at = if f1.0 == 0 { limits.len() } else { limits.len().div_ceil(2) };
    let steps = at.checked_sub(1).map(|at| limits[at]);
    target.rule(steps.map(|steps| (measure, measure.limit(steps))))
}

/// A numerator and a denominator, which is not 0.
type Fraction = (usize, usize);

fn count(pairs: &[&Labelled], rule: &Rule) -> Counts {
    let mut counts = Counts::default();
    for pair in pairs {
        let count = match (rule.holds(&pair.comparison), pair.label) {
            (true, Label::Yes) => &mut counts.true_positives,
            (true, Label::No) => &mut counts.false_positives,
            (false, Label::Yes) => &mut counts.false_negatives,
            (false, Label::No) => &mut counts.true_negatives,
        };
        *count += 1;
    }
    counts
}

/// Reports whether a share is greater than another; `None` is less than any share.
fn is_greater(one: Option<Share>, other: Option<Share>) -> bool {
    match (one, other) {
        (Some(one), Some(other)) => one.compare(other).is_gt(),
        (one, other) => one.is_some() && other.is_none(),
    }
}

/// A rung, and the current limits, of which those of the other rung are kept.
#[derive(Clone, Copy, Debug)]
struct Target {
    rung: Rung,
    limits: Limits,
}

impl Target {
    /// Makes a rule from a limit of the rung; its other limits are off, and those of the other rung
    /// are kept. A rule for partial pairs has no limit for the containment.
    fn rule(&self, chosen: Option<(Measure, Limit)>) -> Rule {
        let mut limits = match self.rung {
            Rung::NearDuplicate => Limits { hamming: None, jaccard: None, ..self.limits },
            Rung::Partial => {
                Limits { hamming: self.limits.hamming, jaccard: self.limits.jaccard, ..Limits::OFF }
            }
        };
        if let Some((measure, limit)) = chosen {
            match (measure, self.rung, limit) {
                (_, _, Limit::Most(bits)) => limits.hamming = Some(bits),
                (Measure::Coverage, _, Limit::Least(ratio)) => limits.coverage = Some(ratio),
                (_, Rung::NearDuplicate, Limit::Least(ratio)) => limits.jaccard = Some(ratio),
                (_, Rung::Partial, Limit::Least(ratio)) => limits.partial_jaccard = Some(ratio),
            }
        }
        Rule { limits, rung: self.rung }
    }

    /// Returns the figure that is compared with a limit at this rung. If a text is short, the
    /// ladder uses two thirds of the limit for partial pairs, which has the same effect as
    /// multiplying the index by 1.5. One shared shingle counts as none.
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

    /// Returns how many steps of a measure a pair reaches: hundredths of a share, or bits that are
    /// equal. A pair that every rule answers with yes, such as a near-duplicate if partial pairs
    /// are looked for, reaches all of them, and one without a figure none.
    fn reached(&self, measure: Measure, comparison: &Comparison) -> usize {
        if self.rule(None).holds(comparison) {
            return measure.max_steps();
        }
        if measure == Measure::Hamming {
            let bits = comparison.hamming.filter(|_| comparison.variety == Variety::Varied);
            return bits.map_or(0, |bits| (BITS - bits.min(BITS)) as usize);
        }
        self.share(measure, comparison).map_or(0, |share| share.filled(100))
    }

    /// Returns the steps that a limit may be chosen at, in increasing order: the Jaccard index for
    /// partial pairs must not be above that for near-duplicates. A limit that all pairs reach is
    /// never chosen.
    fn steps(&self, measure: Measure) -> Vec<usize> {
        let is_allowed = |steps: &usize| match (self.rung, measure, measure.limit(*steps)) {
            (Rung::NearDuplicate, Measure::Jaccard, Limit::Least(ratio)) => {
                self.limits.partial_jaccard.is_none_or(|least| ratio >= least)
            }
            (Rung::Partial, Measure::Jaccard, Limit::Least(ratio)) => {
                self.limits.jaccard.is_none_or(|limit| ratio <= limit)
            }
            _ => true,
        };
        (1..=measure.max_steps()).filter(is_allowed).collect()
    }
}

// The reasons why limits that were chosen on a set of pairs may not hold for others.

/// The number of pairs of a label below which a [`Warning`] is reported.
pub const MIN_PAIRS_PER_LABEL: usize = 30;

/// A reason to doubt the limits.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Warning {
    /// There are no halves with both labels: limits are evaluated on the pairs that they were
    /// chosen on.
    NotSplit,
    /// Limits are chosen or evaluated on fewer than [`MIN_PAIRS_PER_LABEL`] pairs of a label: the
    /// label, and the smaller number of pairs.
    Few(Label, usize),
    /// A text is in more than half of the pairs: its number, and the number of these pairs.
    InMostPairs(u32, usize),
    /// No text is in pairs of both labels: the labels may distinguish the texts rather than the
    /// pairs.
    NoTextInBoth,
    /// On the pairs that the best rule is evaluated on, the current limits do as well.
    NoBetter,
    /// On the pairs that the best rule is evaluated on, the current limits do better.
    Worse,
}

/// Collects the reasons in the pairs to doubt the limits, in the order of [`Warning`]. `halves` are
/// the pairs that limits are chosen on and evaluated on.
fn collect_warnings(pairs: &[Labelled], texts: usize, halves: [LabelCounts; 2]) -> Vec<Warning> {
    let [first, second] = halves;
    let least = [
        (Label::Yes, first.positives.min(second.positives)),
        (Label::No, first.negatives.min(second.negatives)),
    ];
    let few = least.into_iter().filter(|(_, count)| *count < MIN_PAIRS_PER_LABEL);
    let mut warnings: Vec<Warning> = few.map(|(label, count)| Warning::Few(label, count)).collect();
    let mut counts = vec![[0_usize; 2]; texts];
    for pair in pairs {
        for text in pair.texts {
            counts[text as usize][usize::from(pair.label == Label::Yes)] += 1;
        }
    }
    let most = (0_u32..).zip(&counts).find(|(_, [no, yes])| 2 * (no + yes) > pairs.len());
    // With two pairs, one text is easily in both.
    let most = most.filter(|_| pairs.len() > 2);
    warnings.extend(most.map(|(text, [no, yes])| Warning::InMostPairs(text, no + yes)));
    if counts.iter().all(|[no, yes]| *no == 0 || *yes == 0) {
        warnings.push(Warning::NoTextInBoth);
    }
    warnings
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

    /// Returns the limit that a pair reaches with a number of steps.
    fn limit(self, steps: usize) -> Limit {
        match self {
            Self::Hamming => Limit::Most(BITS - u32::try_from(steps).unwrap_or(BITS).min(BITS)),
            Self::Jaccard | Self::Coverage => {
                Limit::Least(Ratio::hundredths(steps.clamp(1, 100) as u64))
            }
        }
    }

    fn max_steps(self) -> usize {
        if self == Self::Hamming { BITS as usize } else { 100 }
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

// Counts how often answers and labels agree, and computes scores from it.

/// The numbers of right answers, and of wrong ones by kind.
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
            let counts = Counts {
                true_positives: tp,
                false_positives: fp,
                false_negatives,
                true_negatives: tn,
            };
            assert_eq!(counts.precision(), precision, "{why}, precision");
            assert_eq!(counts.recall(), recall, "{why}, recall");
            assert_eq!(counts.f1(), f1, "{why}, F1");
        }
    }
}

#[cfg(test)]
mod tests;

#[cfg(test)]
mod rung_tests;
