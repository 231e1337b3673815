//! Pairs of one half → limits; limits and pairs of the other → how good they are.

use std::num::NonZeroUsize;

use super::counts::Counts;
use super::draws::{DRAWS, Generator, Interval};
use super::grid::{Cell, Counting, Grid};
use super::measure::{Limit, Measure, Rule, Span};
use super::ranking::Ranking;
use super::{Label, Labelled};
use crate::jaccard::Share;
use crate::threads;

/// What a rule goes by.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Kind {
    /// One measure.
    Alone(Measure),
    /// A Jaccard index or a containment, whichever is reached, as on the ladder from `partial`
    /// on.
    Either,
}

/// A rule that was chosen.
#[derive(Clone, Debug, PartialEq)]
pub struct Chosen {
    /// What it goes by.
    pub kind: Kind,
    /// The rule.
    pub rule: Rule,
    /// Where its limits lie in draws, one for each that was chosen: of [`Kind::Either`]
    /// `--jaccard`, then `--containment`.
    pub limits: Vec<Option<Interval>>,
    /// What becomes of pairs that it was not chosen on.
    pub scores: Scores,
}

impl Chosen {
    /// The limit of a measure alone, in bits or as a share; none of two.
    pub fn limit_alone(&self) -> Option<f64> {
        let Kind::Alone(measure) = self.kind else { return None };
        measure.limit_of(&self.rule).map(Limit::value)
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

/// The rules that suit pairs best, of each kind one; with what becomes of those pairs. Both
/// labels are there.
pub(super) fn choose(
    pairs: &[&Labelled],
    hamming: Option<u32>,
    threads: NonZeroUsize,
) -> Vec<(Chosen, Counts)> {
    let half = Half::of(pairs);
    let comparisons = || pairs.iter().map(|pair| &pair.comparison);
    let rankings = Measure::ALL
        .map(|measure| (measure, Ranking::of(comparisons().map(|it| measure.closeness(it)))));
    let grid = Grid::of(comparisons(), hamming);
    let best = |times: &[usize], counting: &mut Counting| {
        let spans = rankings.each_ref().map(|(_, ranking)| ranking.best(&half.labels, times));
        (spans, grid.best(&half.labels, times, counting))
    };
    let (spans, cell) = best(&vec![1; pairs.len()], &mut Counting::default());
    let drawn = half.draw(threads, |draw| best(&draw.times, &mut draw.counting));
    let chosen = |kind, rule: Rule, limits| {
        let mut counts = Counts::default();
        for pair in pairs {
            counts.add((rule.holds(&pair.comparison), pair.label == Label::Yes), 1);
        }
        (Chosen { kind, rule, limits, scores: Scores::default() }, counts)
    };
    let alone = rankings.iter().zip(spans).enumerate().map(|(at, ((measure, _), span))| {
        // A text that was judged has shingles; where no pair has the figure, any limit will do.
        let span = span.unwrap_or(Span { out: None, within: 0.0 });
        let values = drawn.iter().filter_map(|(spans, _)| Some(measure.middle(spans[at]?)));
        let limits = vec![Interval::of(values.collect())];
        chosen(Kind::Alone(*measure), measure.rule(measure.limit(span)), limits)
    });
    let either = cell.map(|cell| {
        let values =
            |at: usize| drawn.iter().filter_map(move |(_, cell)| Some(cell.map(Cell::values)?[at]));
        let limits = vec![Interval::of(values(0).collect()), Interval::of(values(1).collect())];
        chosen(Kind::Either, grid.rule(cell), limits)
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
        threads::each(threads, 1..=DRAWS as u64, Draw::default, |draw, stream| {
            draw.times_of_texts.resize(self.texts, 0);
            Generator::of(stream).draw(&mut draw.times_of_texts);
            let of = &draw.times_of_texts;
            draw.times.clear();
            draw.times.extend(self.pairs.iter().map(|[one, other]| of[*one] * of[*other]));
            work(draw)
        })
    }
}
