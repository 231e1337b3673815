//! Chooses limits for the pairs of one half, and evaluates them on the pairs of the other.

use std::num::NonZeroUsize;

use super::grid::{Cell, Counting, Counts, Grid, Ranking};
use super::{Label, LabelCounts, Labelled};
use super::{Limit, Measure, Rule, Rung, Target};
use crate::corpus::join::Forest;
use crate::jaccard::Share;
use crate::parallel;

/// A rule that was chosen.
#[derive(Clone, Debug, PartialEq)]
pub struct Chosen {
    /// The measures whose limits were chosen: one, or both of the rung, of which a pair must reach
    /// either.
    pub measures: Vec<Measure>,
    /// The rule.
    pub rule: Rule,
    /// The interval of the limit of each measure over the draws; `None` if too few draws have one.
    pub intervals: Vec<Option<Interval>>,
    /// The scores on pairs that the rule was not chosen on.
    pub scores: Scores,
}

impl Chosen {
    /// Returns the limits that were chosen, each with its interval.
    pub fn limits(&self) -> impl Iterator<Item = (Measure, Limit, Option<Interval>)> {
        let limits = self.measures.iter().zip(&self.intervals);
        limits.filter_map(|(measure, of)| Some((*measure, self.rule.limit_of(*measure)?, *of)))
    }

    /// Reports whether only one measure has a limit.
    pub fn is_alone(&self) -> bool {
        self.measures.len() == 1
    }
}

/// The scores of a rule on a set of pairs.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Scores {
    /// The numbers of right and wrong answers.
    pub counts: Counts,
    /// The interval of the precision over the draws; `None` if too few draws have a precision.
    pub precision: Option<Interval>,
    /// The interval of the recall over the draws; `None` if too few draws have a recall.
    pub recall: Option<Interval>,
    /// The interval of F1 over the draws; `None` if too few draws have an F1.
    pub f1: Option<Interval>,
}

/// The buffers that a draw needs, to be reused.
#[derive(Default)]
struct Resample {
    times_of_texts: Vec<usize>,
    times: Vec<usize>,
    counting: Counting,
}

/// Pairs whose texts are numbered anew, from 0.
struct Half {
    texts: usize,
    pairs: Vec<[usize; 2]>,
    labels: Vec<bool>,
}

/// Chooses the rules that fit pairs best: one for each measure of the rung and, for partial pairs,
/// one for both measures. Returns each rule with its answers for these pairs. Both labels must
/// occur.
pub(super) fn choose(
    pairs: &[&Labelled],
    target: &Target,
    threads: NonZeroUsize,
) -> Vec<(Chosen, Counts)> {
    let half = Half::new(pairs);
    let comparisons = || pairs.iter().map(|pair| &pair.comparison);
    let rankings = target.rung.measures().map(|measure| {
        let closeness = comparisons().map(|it| target.closeness(measure, it));
        (measure, Ranking::new(closeness))
    });
    let grid = (target.rung == Rung::Partial).then(|| Grid::new(comparisons(), target));
    let best = |times: &[usize], counting: &mut Counting| {
        let spans = rankings
            .each_ref()
            .map(|(measure, ranking)| ranking.best(&half.labels, times, target.bounds(*measure)));
        (spans, grid.as_ref().and_then(|grid| grid.best(&half.labels, times, counting)))
    };
    let (spans, cell) = best(&vec![1; pairs.len()], &mut Counting::default());
    let drawn = half.draw(threads, |draw| best(&draw.times, &mut draw.counting));
    let chosen = |measures: &[Measure], rule: Rule, intervals| {
        let mut counts = Counts::default();
        for pair in pairs {
            counts.add((rule.holds(&pair.comparison), pair.label == Label::Yes), 1);
        }
        let measures = measures.to_vec();
        (Chosen { measures, rule, intervals, scores: Scores::default() }, counts)
    };
    let alone = rankings.iter().zip(spans).enumerate().map(|(at, ((measure, _), span))| {
        // If no limit finds a pair labelled yes, the strictest limit is wrong least often.
        let limit = span.map_or(target.strictest(*measure), |span| target.limit(*measure, span));
        let values =
            drawn.iter().filter_map(|(spans, _)| Some(target.limit(*measure, spans[at]?).value()));
        let intervals = vec![Interval::new(values.collect())];
        chosen(&[*measure], target.rule(&[(*measure, limit)]), intervals)
    });
    let either = cell.map(|cell| {
        let values =
            |at: usize| drawn.iter().filter_map(move |(_, cell)| Some(cell.map(Cell::values)?[at]));
        let intervals = [0, 1].map(|at| Interval::new(values(at).collect()));
        chosen(&target.rung.measures(), cell.rule(target), intervals.into())
    });
    alone.chain(either).collect()
}

/// Scores rules on pairs.
pub(super) fn evaluate(pairs: &[&Labelled], rules: &[Rule], threads: NonZeroUsize) -> Vec<Scores> {
    let half = Half::new(pairs);
    let answers: Vec<Vec<bool>> = rules
        .iter()
        .map(|rule| pairs.iter().map(|pair| rule.holds(&pair.comparison)).collect())
        .collect();
    let count = |times: &[usize]| -> Vec<Counts> {
        let of_rule = |answers: &Vec<bool>| {
            let mut counts = Counts::default();
            for ((answer, label), times) in answers.iter().zip(&half.labels).zip(times) {
                counts.add((*answer, *label), *times);
            }
            counts
        };
        answers.iter().map(of_rule).collect()
    };
    let counts = count(&vec![1; pairs.len()]);
    let drawn = half.draw(threads, |draw| count(&draw.times));
    let scores = |(at, counts): (usize, Counts)| {
        let interval = |share: fn(&Counts) -> Option<Share>| {
            let shares = drawn.iter().filter_map(|drawn| share(&drawn[at]));
            Interval::new(shares.map(Share::ratio).collect())
        };
        Scores {
            counts,
            precision: interval(Counts::precision),
            recall: interval(Counts::recall),
            f1: interval(Counts::f1),
        }
    };
    counts.into_iter().enumerate().map(scores).collect()
}

/// Reports whether a share is greater than another; `None` is less than any share.
pub(super) fn is_greater(one: Option<Share>, other: Option<Share>) -> bool {
    match (one, other) {
        (Some(one), Some(other)) => one.compare(other).is_gt(),
        (one, other) => one.is_some() && other.is_none(),
    }
}

impl Half {
    fn new(pairs: &[&Labelled]) -> Self {
        let mut texts: Vec<u32> = pairs.iter().flat_map(|pair| pair.texts).collect();
        texts.sort_unstable();
        texts.dedup();
        let number = |text: u32| texts.partition_point(|other| *other < text);
        Self {
            texts: texts.len(),
            pairs: pairs.iter().map(|pair| pair.texts.map(number)).collect(),
            labels: pairs.iter().map(|pair| pair.label == Label::Yes).collect(),
        }
    }

    /// Does a piece of work for each draw, in parallel; the results are in the order of the draws.
    fn draw<R: Send>(
        &self,
        threads: NonZeroUsize,
        work: impl Fn(&mut Resample) -> R + Sync,
    ) -> Vec<R> {
        parallel::each(threads, 1..=RESAMPLES as u64, Resample::default, |draw, stream| {
            draw.times_of_texts.resize(self.texts, 0);
            Generator::new(stream).draw(&mut draw.times_of_texts);
            let of = &draw.times_of_texts;
            draw.times.clear();
            draw.times.extend(self.pairs.iter().map(|[one, other]| of[*one] * of[*other]));
            work(draw)
        })
    }
}

// The reasons why limits that were chosen on a set of pairs may not hold for others.

/// The number of pairs of a label below which a [`Warning`] is reported.
pub const MIN_PAIRS_PER_LABEL: usize = 30;

/// A reason to doubt the limits.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Warning {
    /// Fewer than [`MIN_PAIRS_PER_LABEL`] of all pairs have a label: the label, and how many pairs have it.
    Few(Label, usize),
    /// There are no halves with both labels: limits are evaluated on the pairs that they were
    /// chosen on.
    NotSplit,
    /// Limits are chosen on fewer than [`MIN_PAIRS_PER_LABEL`] pairs of a label, though there are enough in all.
    FewToChooseOn(Label, usize),
    /// Limits are evaluated on fewer than [`MIN_PAIRS_PER_LABEL`] pairs of a label, though there are enough in
    /// all.
    FewToEvaluateOn(Label, usize),
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

/// Collects the reasons to doubt the limits, in the order of [`Warning`]. `halves` are the pairs
/// that limits are chosen on and evaluated on; `None` if there are no halves.
pub(super) fn collect_warnings(
    pairs: &[Labelled],
    texts: usize,
    all: LabelCounts,
    halves: Option<[LabelCounts; 2]>,
) -> Vec<Warning> {
    let labels =
        |extent: LabelCounts| [(Label::Yes, extent.positives), (Label::No, extent.negatives)];
    let few = |extent: LabelCounts| {
        labels(extent).into_iter().filter(|(_, count)| *count < MIN_PAIRS_PER_LABEL)
    };
    let mut warnings: Vec<Warning> =
        few(all).map(|(label, count)| Warning::Few(label, count)).collect();
    match halves {
        None => warnings.push(Warning::NotSplit),
        Some([first, second]) => {
            let is_news = |(label, _): &(Label, usize)| few(all).all(|(known, _)| known != *label);
            let first = few(first).filter(is_news);
            warnings.extend(first.map(|(label, count)| Warning::FewToChooseOn(label, count)));
            let second = few(second).filter(is_news);
            warnings.extend(second.map(|(label, count)| Warning::FewToEvaluateOn(label, count)));
        }
    }
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

// How far the figures would be off with other texts: the bootstrap (Efron 1979), drawn by text.
//
// Pairs with a text in common are not independent evidence. So texts are drawn, with replacement,
// and a pair counts as many times as the product of the times that each of its texts was drawn.

/// The number of times that a sample of texts is drawn.
pub const RESAMPLES: usize = if cfg!(test) { 200 } else { 1000 };

/// The seed of all pseudorandom numbers; any number would do, but it must not change.
const SEED: u64 = 0x6465_6475_7020_3031;

/// A pseudorandom number generator: `SplitMix64` (Steele, Lea and Flood 2014), which yields the
/// same numbers on every machine.
pub(super) struct Generator(u64);

impl Generator {
    /// Creates the generator for the stream with the given number.
    pub(super) fn new(stream: u64) -> Self {
        Self(Self(SEED ^ Self(stream).next()).next())
    }

    pub(super) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// Returns a number below `end`, which must be above 0; the bias is below one in 2³² if `end`
    /// is below 2³².
    #[expect(clippy::cast_possible_truncation, reason = "it is below `end`")]
    pub(super) fn below(&mut self, end: usize) -> usize {
        ((u128::from(self.next()) * end as u128) >> 64) as usize
    }

    /// Shuffles items (Durstenfeld 1964).
    pub(super) fn shuffle<T>(&mut self, items: &mut [T]) {
        for end in (2..=items.len()).rev() {
            items.swap(end - 1, self.below(end));
        }
    }

    /// Draws texts, with replacement, as many as there are, and stores how many times each was
    /// drawn.
    pub(super) fn draw(&mut self, times: &mut [usize]) {
        times.fill(0);
        for _ in 0..times.len() {
            times[self.below(times.len())] += 1;
        }
    }
}

/// The range of a figure in 95 of 100 draws.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// One draw in forty is below.
    pub low: f64,
    /// One draw in forty is above.
    pub high: f64,
}

impl Interval {
    /// Computes the 2.5th and the 97.5th percentile, by nearest rank, of the draws that have a
    /// figure; `None` if fewer than half of [`RESAMPLES`] have one.
    pub(super) fn new(mut values: Vec<f64>) -> Option<Self> {
        let count = values.len();
        if 2 * count < RESAMPLES {
            return None;
        }
        values.sort_unstable_by(f64::total_cmp);
        let rank = |thousandths: usize| values[(thousandths * count).div_ceil(1000) - 1];
        Some(Self { low: rank(25), high: rank(975) })
    }
}

// Splits the texts of pairs in two halves, one to choose limits on and one to evaluate them on.
//
// A text is in one half only, and a pair whose texts are not in the same half is in neither. Texts
// that belong together should be kept together, but if all of them do, there would be no halves. So
// texts are split in three ways, and the split is taken that leaves the most pairs of the rarest
// label in a half.

/// The texts that a split keeps together in one half.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum KeptTogether {
    /// Texts that are connected by a chain of pairs.
    Pairs,
    /// Texts that are connected by a chain of pairs labelled yes.
    Positives,
    /// Nothing: each text is assigned by itself.
    Nothing,
}

/// A split of texts in two halves.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(super) struct Split {
    pub(super) together: KeptTogether,
    /// For each text, whether it is in the second half.
    is_second: Vec<bool>,
}

/// Texts that are kept together.
#[derive(Clone, Debug, Default)]
struct Unit {
    texts: Vec<u32>,
    /// The numbers of pairs within the unit that are labelled no and yes.
    pairs: [usize; 2],
}

/// The numbers of the two texts of a pair, and its label.
pub(super) type LabelledTexts = ([u32; 2], Label);

/// Splits the texts in two halves; `None` if, in each of the three ways, one half would have no
/// pair of one label. The cost is that of sorting.
pub(super) fn split(texts: usize, pairs: &[LabelledTexts]) -> Option<Split> {
    let mut best: Option<(usize, Split)> = None;
    for together in [KeptTogether::Pairs, KeptTogether::Positives, KeptTogether::Nothing] {
        let split = halve(units(texts, pairs, together), texts, together);
        let rarest = split.rarest(pairs);
        if rarest > best.as_ref().map_or(0, |(most, _)| *most) {
            best = Some((rarest, split));
        }
    }
    best.map(|(_, split)| split)
}

impl Split {
    /// Returns the half (0 or 1) that a pair is in; `None` if its texts are not in the same half.
    pub(super) fn half(&self, [one, other]: [u32; 2]) -> Option<usize> {
        let [one, other] = [one, other].map(|text| self.is_second[text as usize]);
        (one == other).then_some(usize::from(one))
    }

    /// Returns the smallest number of pairs that any label has in any half.
    fn rarest(&self, pairs: &[LabelledTexts]) -> usize {
        let mut counts = [0; 4];
        for (texts, label) in pairs {
            if let Some(half) = self.half(*texts) {
                counts[2 * half + usize::from(*label == Label::Yes)] += 1;
            }
        }
        counts.into_iter().min().unwrap_or(0)
    }
}

/// Assigns each unit to the half that has less of what the unit has. Units with pairs labelled yes
/// come first, then units with other pairs, then single texts; the large before the small.
fn halve(mut units: Vec<Unit>, texts: usize, together: KeptTogether) -> Split {
    Generator::new(0).shuffle(&mut units);
    units.sort_by_key(|unit| {
        let [no, yes] = unit.pairs;
        std::cmp::Reverse((yes, no, unit.texts.len()))
    });
    let mut is_second = vec![false; texts];
    // For each half: the numbers of pairs labelled no, of pairs labelled yes, and of texts.
    let mut has = [[0_usize; 3]; 2];
    for unit in units {
        let [no, yes] = unit.pairs;
        let first = if yes > 0 {
            1
        } else if no > 0 {
            0
        } else {
            2
        };
        let load = |half: usize| [has[half][first], has[half][2]];
        let half = usize::from(load(1) < load(0));
        for text in &unit.texts {
            is_second[*text as usize] = half == 1;
        }
        has[half] = [has[half][0] + no, has[half][1] + yes, has[half][2] + unit.texts.len()];
    }
    Split { together, is_second }
}

/// Groups the texts that are in a pair into units of what is kept together.
fn units(texts: usize, pairs: &[LabelledTexts], together: KeptTogether) -> Vec<Unit> {
    let numbers = 0..u32::try_from(texts).expect("texts are numbered in 32 bits");
    let mut forest = Forest::new(numbers.end);
    let mut is_in_pair = vec![false; texts];
    for ([one, other], label) in pairs {
        (is_in_pair[*one as usize], is_in_pair[*other as usize]) = (true, true);
        let is_joined = match together {
            KeptTogether::Pairs => true,
            KeptTogether::Positives => *label == Label::Yes,
            KeptTogether::Nothing => false,
        };
        if is_joined {
            forest.unite(*one, *other);
        }
    }
    let mut units = vec![Unit::default(); texts];
    for text in numbers.filter(|text| is_in_pair[*text as usize]) {
        units[forest.root(text) as usize].texts.push(text);
    }
    for ([one, other], label) in pairs {
        let [one, other] = [forest.root(*one), forest.root(*other)];
        if one == other {
            units[one as usize].pairs[usize::from(*label == Label::Yes)] += 1;
        }
    }
    units.retain(|unit| !unit.texts.is_empty());
    units
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The numbers that the authors' program prints for seed 0.
    #[test]
    fn the_generator_is_splitmix64() {
        let mut generator = Generator(0);
        let numbers = [generator.next(), generator.next(), generator.next()];
        let want = [0xe220_a839_7b1d_cdaf, 0x6e78_9e6a_a1b9_65f4, 0x06c4_5d18_8009_454f];
        assert_eq!(numbers, want);
    }

    #[test]
    fn what_is_drawn_is_below_the_end_and_reaches_it() {
        for end in [1, 2, 7] {
            let mut generator = Generator::new(end as u64);
            let mut is_drawn = vec![false; end];
            (0..200).for_each(|_| is_drawn[generator.below(end)] = true);
            assert!(is_drawn.iter().all(|is| *is), "{end}");
        }
    }

    #[test]
    fn as_many_texts_are_drawn_as_there_are() {
        for texts in [0, 1, 2, 100] {
            let mut times = vec![9; texts];
            Generator::new(1).draw(&mut times);
            assert_eq!(times.iter().sum::<usize>(), texts);
        }
        let mut items: Vec<usize> = (0..100).collect();
        Generator::new(1).shuffle(&mut items);
        assert!(!items.is_sorted());
        items.sort_unstable();
        assert_eq!(items, (0..100).collect::<Vec<_>>());
    }

    #[test]
    fn an_interval_leaves_one_in_forty_out_at_each_end() {
        let of = |count: u32| Interval::new((0..count).rev().map(f64::from).collect());
        #[rustfmt::skip]
        let table = [
            ("nothing",          0,    None),
            ("less than half",   99,   None),
            ("half",             100,  Some([2.0, 97.0])), // the third value, and the 98th
            ("all",              200,  Some([4.0, 194.0])),
            ("more",             1000, Some([24.0, 974.0])),
        ];
        for (why, count, want) in table {
            assert_eq!(of(count).map(|interval| [interval.low, interval.high]), want, "{why}");
        }
    }
}

#[cfg(test)]
mod split_tests;
