//! Pairs of one half → limits; limits and pairs of the other → how good they are.

use std::num::NonZeroUsize;

use super::grid::{Cell, Counting, Counts, Grid, Ranking};
use super::{Extent, Label, Labelled};
use super::{Limit, Measure, Rule, Rung, Target};
use crate::jaccard::Share;
use crate::parallel;

/// A rule that was chosen.
#[derive(Clone, Debug, PartialEq)]
pub struct Chosen {
    /// The measures whose limits were chosen: one, or both of the rung, of which either reaches
    /// it.
    pub measures: Vec<Measure>,
    /// The rule.
    pub rule: Rule,
    /// Where the limit of each measure lies in draws.
    pub intervals: Vec<Option<Interval>>,
    /// How good it is for pairs that it was not chosen on.
    pub scores: Scores,
}

impl Chosen {
    /// The limits that were chosen, each with where it lies in draws.
    pub fn limits(&self) -> impl Iterator<Item = (Measure, Limit, Option<Interval>)> {
        let limits = self.measures.iter().zip(&self.intervals);
        limits.filter_map(|(measure, of)| Some((*measure, self.rule.limit_of(*measure)?, *of)))
    }

    /// Whether it has the limit of one measure.
    pub fn is_alone(&self) -> bool {
        self.measures.len() == 1
    }
}

/// How good a rule is.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Scores {
    /// What becomes of the pairs.
    pub counts: Counts,
    /// Where its precision lies in draws; none where too few have one.
    pub precision: Option<Interval>,
    /// Where its recall lies.
    pub recall: Option<Interval>,
    /// Where its F1 lies.
    pub f1: Option<Interval>,
}

/// What a draw needs, to be used again.
#[derive(Default)]
struct Draw {
    times_of_texts: Vec<usize>,
    times: Vec<usize>,
    counting: Counting,
}

/// Pairs with their texts numbered anew, from 0 on.
struct Half {
    texts: usize,
    pairs: Vec<[usize; 2]>,
    labels: Vec<bool>,
}

/// The rules that suit pairs best: one for each measure of the rung, and for partial pairs one of
/// both; with what becomes of those pairs. Both labels are there.
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
        // Where no limit finds a pair labelled yes, the strictest is wrong least often.
        let limit = span.map_or(target.strictest(*measure), |span| target.limit(*measure, span));
        let values =
            drawn.iter().filter_map(|(spans, _)| Some(target.middle(*measure, spans[at]?)));
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

/// How good rules are for pairs.
pub(super) fn hold(pairs: &[&Labelled], rules: &[Rule], threads: NonZeroUsize) -> Vec<Scores> {
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

/// Whether a share is greater than another; none is less than any.
pub(super) fn is_greater(one: Option<Share>, other: Option<Share>) -> bool {
    match (one, other) {
        (Some(one), Some(other)) => {
            let across = |a: Share, b: Share| a.shared() as u128 * b.total() as u128;
            across(one, other) > across(other, one)
        }
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

    /// Does something for each draw, side by side; what comes of it stands in the order of the
    /// draws.
    fn draw<R: Send>(&self, threads: NonZeroUsize, work: impl Fn(&mut Draw) -> R + Sync) -> Vec<R> {
        parallel::each(threads, 1..=DRAWS as u64, Draw::default, |draw, stream| {
            draw.times_of_texts.resize(self.texts, 0);
            Generator::new(stream).draw(&mut draw.times_of_texts);
            let of = &draw.times_of_texts;
            draw.times.clear();
            draw.times.extend(self.pairs.iter().map(|[one, other]| of[*one] * of[*other]));
            work(draw)
        })
    }
}

// Pairs → why limits that are chosen on them may not hold for others.

/// Pairs of a label from which on nothing is given of their being few.
pub const ENOUGH: usize = 30;

/// A reason to doubt.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Doubt {
    /// Of all pairs, fewer than [`ENOUGH`] have a label.
    Few(Label, usize),
    /// There are no halves with both labels: limits are held against the pairs that they were
    /// chosen on.
    NotSplit,
    /// Limits are chosen on fewer than [`ENOUGH`] pairs of a label, though there are more.
    FewToChooseOn(Label, usize),
    /// Limits are held against so few.
    FewToHoldAgainst(Label, usize),
    /// A text is in more than half of the pairs: its number, and in how many.
    InMostPairs(u32, usize),
    /// No text is in a pair of either label: the labels may distinguish the texts, rather than
    /// the pairs.
    NoTextInBoth,
    /// The current limits do as well on the pairs that the best rule is held against.
    NoBetter,
}

/// The reasons, in the order of [`Doubt`]. `halves` are what limits are chosen on and held
/// against; none where there are none.
pub(super) fn collect_doubts(
    pairs: &[Labelled],
    texts: usize,
    all: Extent,
    halves: Option<[Extent; 2]>,
) -> Vec<Doubt> {
    let labels = |extent: Extent| [(Label::Yes, extent.positives), (Label::No, extent.negatives)];
    let few = |extent: Extent| labels(extent).into_iter().filter(|(_, count)| *count < ENOUGH);
    let mut doubts: Vec<Doubt> = few(all).map(|(label, count)| Doubt::Few(label, count)).collect();
    match halves {
        None => doubts.push(Doubt::NotSplit),
        Some([first, second]) => {
            let is_news = |(label, _): &(Label, usize)| few(all).all(|(known, _)| known != *label);
            let first = few(first).filter(is_news);
            doubts.extend(first.map(|(label, count)| Doubt::FewToChooseOn(label, count)));
            let second = few(second).filter(is_news);
            doubts.extend(second.map(|(label, count)| Doubt::FewToHoldAgainst(label, count)));
        }
    }
    let mut counts = vec![[0_usize; 2]; texts];
    for pair in pairs {
        for text in pair.texts {
            counts[text as usize][usize::from(pair.label == Label::Yes)] += 1;
        }
    }
    let most = (0_u32..).zip(&counts).find(|(_, [no, yes])| 2 * (no + yes) > pairs.len());
    // Of two pairs one text is easily in both.
    let most = most.filter(|_| pairs.len() > 2);
    doubts.extend(most.map(|(text, [no, yes])| Doubt::InMostPairs(text, no + yes)));
    if counts.iter().all(|[no, yes]| *no == 0 || *yes == 0) {
        doubts.push(Doubt::NoTextInBoth);
    }
    doubts
}

// How far figures would be off with other texts: the bootstrap (Efron 1979), drawn by text.
//
// Pairs with a text in common are no independent evidence, so texts are drawn, with
// replacement, and a pair counts as often as both of its texts were drawn: the product.

/// How many times texts are drawn.
pub const DRAWS: usize = if cfg!(test) { 200 } else { 1000 };

/// Where the numbers begin; any would do, but always the same.
const SEED: u64 = 0x6465_6475_7020_3031;

/// Numbers that look drawn: `SplitMix64` (Steele, Lea and Flood 2014), the same on every machine.
pub(super) struct Generator(u64);

impl Generator {
    /// The numbers of a stream.
    pub(super) fn new(stream: u64) -> Self {
        Self(Self(SEED ^ Self(stream).next()).next())
    }

    pub(super) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below another, which is above 0; the bias is below one in 2³² for fewer than
    /// 2³².
    #[expect(clippy::cast_possible_truncation, reason = "it is below `end`")]
    pub(super) fn below(&mut self, end: usize) -> usize {
        ((u128::from(self.next()) * end as u128) >> 64) as usize
    }

    /// Puts items in an order that looks drawn (Durstenfeld 1964).
    pub(super) fn shuffle<T>(&mut self, items: &mut [T]) {
        for end in (2..=items.len()).rev() {
            items.swap(end - 1, self.below(end));
        }
    }

    /// How often each of some texts is drawn, when as many are drawn as there are.
    pub(super) fn draw(&mut self, times: &mut [usize]) {
        times.fill(0);
        for _ in 0..times.len() {
            times[self.below(times.len())] += 1;
        }
    }
}

/// Where a figure lies in 95 of 100 draws.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// One draw in forty is below.
    pub low: f64,
    /// One draw in forty is above.
    pub high: f64,
}

impl Interval {
    /// The 2.5th and the 97.5th percentile by nearest rank, of the draws that have a figure;
    /// none where fewer than half of [`DRAWS`] have one.
    pub(super) fn new(mut values: Vec<f64>) -> Option<Self> {
        let count = values.len();
        if 2 * count < DRAWS {
            return None;
        }
        values.sort_unstable_by(f64::total_cmp);
        let rank = |thousandths: usize| values[(thousandths * count).div_ceil(1000) - 1];
        Some(Self { low: rank(25), high: rank(975) })
    }
}

// Texts in pairs → two halves, one to choose limits on and one to hold them against.
//
// A text is in one half alone, and a pair whose texts are not in one half is in neither. What
// belongs together is best kept together, but where all of it does there would be no halves: so
// it is split in three ways, and the one counts that leaves most to go by.

/// What is kept together.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Together {
    /// Texts that a chain of pairs joins.
    Pairs,
    /// Texts that a chain of pairs labelled yes joins.
    Positives,
    /// Nothing: each text by itself.
    Nothing,
}

/// Two halves.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(super) struct Split {
    pub(super) together: Together,
    /// For each text whether it is in the second half.
    is_second: Vec<bool>,
}

/// Texts that are kept together.
#[derive(Clone, Debug, Default)]
struct Unit {
    texts: Vec<u32>,
    /// Pairs within it that are labelled no and yes.
    pairs: [usize; 2],
}

/// Two texts by their numbers, and the label of the pair.
pub(super) type Joint = ([u32; 2], Label);

/// Splits the texts in two halves; `None` where, in any split, one half would have no pair of one
/// label. The cost is that of sorting.
pub(super) fn split(texts: usize, pairs: &[Joint]) -> Option<Split> {
    let mut best: Option<(usize, Split)> = None;
    for together in [Together::Pairs, Together::Positives, Together::Nothing] {
        let split = halve(units(texts, pairs, together), texts, together);
        let rarest = split.rarest(pairs);
        if rarest > best.as_ref().map_or(0, |(most, _)| *most) {
            best = Some((rarest, split));
        }
    }
    best.map(|(_, split)| split)
}

impl Split {
    /// The half of a pair, the first or the second; none where its texts are not in one.
    pub(super) fn half(&self, [one, other]: [u32; 2]) -> Option<usize> {
        let [one, other] = [one, other].map(|text| self.is_second[text as usize]);
        (one == other).then_some(usize::from(one))
    }

    /// How many pairs the rarer label has in the half with fewer of them.
    fn rarest(&self, pairs: &[Joint]) -> usize {
        let mut counts = [0; 4];
        for (texts, label) in pairs {
            if let Some(half) = self.half(*texts) {
                counts[2 * half + usize::from(*label == Label::Yes)] += 1;
            }
        }
        counts.into_iter().min().unwrap_or(0)
    }
}

/// Gives each unit to the half that has less of what it brings: those with pairs labelled yes
/// first, then those with others, then single texts; the large before the small.
fn halve(mut units: Vec<Unit>, texts: usize, together: Together) -> Split {
    Generator::new(0).shuffle(&mut units);
    units.sort_by_key(|unit| {
        let [no, yes] = unit.pairs;
        std::cmp::Reverse((yes, no, unit.texts.len()))
    });
    let mut is_second = vec![false; texts];
    // Of each half: pairs labelled no, those labelled yes, and texts.
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

/// The texts that are in a pair, by what is kept together.
fn units(texts: usize, pairs: &[Joint], together: Together) -> Vec<Unit> {
    let mut roots = Roots((0..texts).collect());
    let mut is_in_pair = vec![false; texts];
    for ([one, other], label) in pairs {
        let [one, other] = [*one as usize, *other as usize];
        (is_in_pair[one], is_in_pair[other]) = (true, true);
        let is_joined = match together {
            Together::Pairs => true,
            Together::Positives => *label == Label::Yes,
            Together::Nothing => false,
        };
        if is_joined {
            roots.join(one, other);
        }
    }
    let mut units = vec![Unit::default(); texts];
    for text in (0..texts).filter(|text| is_in_pair[*text]) {
        let number = u32::try_from(text).expect("texts are numbered in 32 bits");
        units[roots.root(text)].texts.push(number);
    }
    for ([one, other], label) in pairs {
        let [one, other] = [roots.root(*one as usize), roots.root(*other as usize)];
        if one == other {
            units[one].pairs[usize::from(*label == Label::Yes)] += 1;
        }
    }
    units.retain(|unit| !unit.texts.is_empty());
    units
}

/// Which texts belong together (Galler and Fischer 1964): each has one that stands for it.
struct Roots(Vec<usize>);

impl Roots {
    /// The one that stands for all that belong together.
    fn root(&mut self, mut text: usize) -> usize {
        while self.0[text] != text {
            self.0[text] = self.0[self.0[text]];
            text = self.0[text];
        }
        text
    }

    fn join(&mut self, one: usize, other: usize) {
        let [one, other] = [self.root(one), self.root(other)];
        self.0[one.max(other)] = one.min(other);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The numbers that the authors' program prints for the seed 0.
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
            ("half",             100,  Some([2.0, 97.0])), // the third of them, and the 98th
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
