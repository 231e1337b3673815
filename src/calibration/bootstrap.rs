//! Estimates how much the scores would vary with other texts: a bootstrap (Efron 1979) over texts.
//!
//! Pairs with a text in common are not independent evidence. So texts are drawn, with replacement,
//! and a pair counts as many times as the product of the times that each of its texts was drawn.

use super::{Counts, Label, Labelled, Rule};
use crate::jaccard::Share;

/// The number of times that a sample of texts is drawn.
const RESAMPLES: usize = if cfg!(test) { 200 } else { 1000 };

/// The seed of all pseudorandom numbers; any number would do, but it must not change.
const SEED: u64 = 0x6465_6475_7020_3031;

/// A pseudorandom number generator: `SplitMix64` (Steele, Lea and Flood 2014), which yields the
/// same numbers on every machine.
pub(super) struct Generator(u64);

impl Generator {
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

pub(super) fn evaluate(pairs: &[&Labelled], rules: &[Rule]) -> Vec<Scores> {
    let mut texts: Vec<u32> = pairs.iter().flat_map(|pair| pair.texts).collect();
    texts.sort_unstable();
    texts.dedup();
    let number = |text: u32| texts.partition_point(|other| *other < text);
    let texts_of_pairs: Vec<[usize; 2]> = pairs.iter().map(|it| it.texts.map(number)).collect();
    let labels: Vec<bool> = pairs.iter().map(|pair| pair.label == Label::Yes).collect();
    let answers = |rule: &Rule| -> Vec<bool> {
        pairs.iter().map(|pair| rule.holds(&pair.comparison)).collect()
    };
    let answers: Vec<Vec<bool>> = rules.iter().map(answers).collect();
    let count = |answers: &[bool], times: &[usize]| {
        let mut counts = Counts::default();
        for ((answer, label), times) in answers.iter().zip(&labels).zip(times) {
            counts.add((*answer, *label), *times);
        }
        counts
    };
    let mut drawn = vec![Vec::with_capacity(RESAMPLES); rules.len()];
    let mut times_of_texts = vec![0; texts.len()];
    for draw in 1..=RESAMPLES as u64 {
        Generator::new(draw).draw(&mut times_of_texts);
        let of = |[one, other]: &[usize; 2]| times_of_texts[*one] * times_of_texts[*other];
        let times: Vec<usize> = texts_of_pairs.iter().map(of).collect();
        for (drawn, answers) in drawn.iter_mut().zip(&answers) {
            drawn.extend(count(answers, &times).f1().map(Share::ratio));
        }
    }
    let once = vec![1; pairs.len()];
    let scores = |(answers, drawn): (&Vec<bool>, _)| Scores {
        counts: count(answers, &once),
        f1: Interval::new(drawn),
    };
    answers.iter().zip(drawn).map(scores).collect()
}

/// The scores of a rule on a set of pairs.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Scores {
    /// The numbers of right and wrong answers.
    pub counts: Counts,
    /// The interval of F1 over the draws; `None` if too few draws have an F1.
    pub f1: Option<Interval>,
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
