//! Pairs of one half → limits; limits and pairs of the other → how good they are.

use std::num::NonZeroUsize;

use super::draws::{DRAWS, Generator, Interval};
use super::grid::{Cell, Counting, Counts, Grid, Ranking};
use super::rung::{Limit, Measure, Rule, Rung, Target};
use super::{Extent, Label, Labelled};
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
    let half = Half::of(pairs);
    let comparisons = || pairs.iter().map(|pair| &pair.comparison);
    let rankings = target.rung.measures().map(|measure| {
        let closeness = comparisons().map(|it| target.closeness(measure, it));
        (measure, Ranking::of(closeness))
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
        let intervals = vec![Interval::of(values.collect())];
        chosen(&[*measure], target.rule(&[(*measure, limit)]), intervals)
    });
    let either = cell.map(|cell| {
        let values =
            |at: usize| drawn.iter().filter_map(move |(_, cell)| Some(cell.map(Cell::values)?[at]));
        let intervals = [0, 1].map(|at| Interval::of(values(at).collect()));
        chosen(&target.rung.measures(), cell.rule(target), intervals.into())
    });
    alone.chain(either).collect()
}

/// How good rules are for pairs.
pub(super) fn hold(pairs: &[&Labelled], rules: &[Rule], threads: NonZeroUsize) -> Vec<Scores> {
    let half = Half::of(pairs);
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
            Interval::of(shares.map(Share::ratio).collect())
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
            let across = |a: Share, b: Share| a.shared() as u128 * b.of() as u128;
            across(one, other) > across(other, one)
        }
        (one, other) => one.is_some() && other.is_none(),
    }
}

impl Half {
    fn of(pairs: &[&Labelled]) -> Self {
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
            Generator::of(stream).draw(&mut draw.times_of_texts);
            let of = &draw.times_of_texts;
            draw.times.clear();
            draw.times.extend(self.pairs.iter().map(|[one, other]| of[*one] * of[*other]));
            work(draw)
        })
    }
}

// Pairs → why limits that are chosen on them may not hold for others.

/// Pairs of a label from which on nothing is said of their being few.
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
    /// A text is in more than half of the pairs: in so many.
    InMostPairs(u32, usize),
    /// No text is in a pair of either label: the labels may tell the texts apart, rather than
    /// the pairs.
    NoTextInBoth,
    /// The current limits do as well on the pairs that the best rule is held against.
    NoBetter,
}

/// The reasons, in the order of [`Doubt`]. `halves` are what limits are chosen on and held
/// against; none where there are none.
pub(super) fn of(
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
