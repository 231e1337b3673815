//! The pairs → how many have which similarity.

use dedup_text::jaccard::Share;

use crate::render::corpus::page::found::Found;
use crate::words::thousands;

/// How many bars there are.
const BINS: usize = 20;

/// The units from the foot of the bars to their top.
const HEIGHT: usize = 150;

/// The units that a bar takes from side to side.
const WIDTH: usize = 20;

/// What a bar's height goes by.
pub(crate) const SCALES: [Scale; 2] =
    [Scale { at: 0, name: "linear" }, Scale { at: 1, name: "log" }];

/// The largest count that is written above its bar.
const LARGEST_LABEL: usize = 9_999;

/// How many pairs have which Jaccard index.
#[derive(Debug, Default)]
pub(crate) struct Histogram {
    pub(crate) bars: Vec<Bar>,
    /// Counts at whose height a line is drawn, by scale.
    ticks: [Vec<Tick>; SCALES.len()],
    pub(crate) limit: Option<Limit>,
}

/// The pairs of one range. The last one has 1 in it, the others not their end.
#[derive(Debug)]
pub(crate) struct Bar {
    /// `0.50 to 0.55`.
    pub(crate) range: String,
    pub(crate) count: String,
    pub(crate) left: usize,
    /// By scale; at least 1 where there is a pair.
    heights: [usize; SCALES.len()],
    pub(crate) has_label: bool,
}

/// What heights go by.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scale {
    at: usize,
    pub(crate) name: &'static str,
}

impl Bar {
    pub(crate) fn height(&self, scale: Scale) -> usize {
        self.heights[scale.at]
    }
}

/// The similarity from which on a pair is a near-duplicate.
#[derive(Debug)]
pub(crate) struct Limit {
    pub(crate) left: usize,
    pub(crate) value: String,
}

/// A count with its height.
#[derive(Debug, Eq, PartialEq)]
pub(crate) struct Tick {
    pub(crate) count: String,
    pub(crate) height: usize,
}

impl Histogram {
    /// None where no pair was found.
    pub(crate) fn of(found: &Found) -> Option<Self> {
        let shares = found.rows.iter().map(|row| row.pair.all.jaccard());
        let limit = found.answer.recipe.limits.jaccard.map(|limit| {
            let (numerator, denominator) = limit.parts();
            let share = Share::new(at(numerator), at(denominator));
            let left = share.map_or(0, |share| share.filled(BINS * WIDTH));
            Limit { left, value: limit.to_string() }
        });
        Self::counted(shares).map(|histogram| Self { limit, ..histogram })
    }

    /// The lines of a scale.
    pub(crate) fn ticks(&self, scale: Scale) -> &[Tick] {
        &self.ticks[scale.at]
    }

    /// A pair without a similarity has 0.
    fn counted(shares: impl Iterator<Item = Option<Share>>) -> Option<Self> {
        let mut counts = [0_usize; BINS];
        for share in shares {
            counts[share.map_or(0, |share| share.filled(BINS).min(BINS - 1))] += 1;
        }
        let most = counts.into_iter().max().filter(|most| *most > 0)?;
        let bar = |(bin, count): (usize, usize)| {
            let hundredth = |bin: usize| {
                let hundredths = bin * 100 / BINS;
                format!("{}.{:02}", hundredths / 100, hundredths % 100)
            };
            let least = usize::from(count > 0);
            Bar {
                range: format!("{} to {}", hundredth(bin), hundredth(bin + 1)),
                count: thousands(count),
                left: bin * WIDTH,
                heights: [linear(count, most).max(least), logarithmic(count, most).max(least)],
                has_label: (1..=LARGEST_LABEL).contains(&count),
            }
        };
        let tick = |count, height| Tick { count: thousands(count), height };
        let half = (most % 2 == 0).then(|| tick(most / 2, HEIGHT / 2));
        let linear = half.into_iter().chain([tick(most, HEIGHT)]).collect();
        let powers = std::iter::successors(Some(1_usize), |power| power.checked_mul(10));
        let powers = powers.take_while(|power| *power <= most);
        Some(Self {
            bars: counts.into_iter().enumerate().map(bar).collect(),
            ticks: [linear, powers.map(|power| tick(power, logarithmic(power, most))).collect()],
            limit: None,
        })
    }
}

fn at(number: u64) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}

fn linear(count: usize, most: usize) -> usize {
    Share::new(count, most).map_or(0, |share| share.filled(HEIGHT))
}

/// By the logarithm of one more, so that none is 0 high and one is seen.
#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a whole number of units from 0 to 150"
)]
fn logarithmic(count: usize, most: usize) -> usize {
    let logarithm = |count: usize| (count as f64).ln_1p();
    (logarithm(count) / logarithm(most) * HEIGHT as f64).round() as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(shares: &[(usize, usize)]) -> Option<Histogram> {
        Histogram::counted(shares.iter().map(|(shared, of)| Share::new(*shared, *of)))
    }

    #[test]
    fn each_pair_is_in_the_bar_of_its_range() {
        assert!(of(&[]).is_none());
        let shares = [(0, 1), (49, 1000), (1, 20), (999, 1000), (1, 1), (1, 1), (0, 0)];
        let histogram = of(&shares).unwrap();
        let counted: Vec<(&str, &str)> = histogram
            .bars
            .iter()
            .filter(|bar| bar.count != "0")
            .map(|bar| (bar.range.as_str(), bar.count.as_str()))
            .collect();
        assert_eq!(counted, [("0.00 to 0.05", "3"), ("0.05 to 0.10", "1"), ("0.95 to 1.00", "3")]);
        assert_eq!(histogram.bars.len(), 20);
    }

    #[test]
    fn bars_are_as_high_as_the_scale_says() {
        let mut shares = vec![(1, 2); 999];
        shares.push((1, 1));
        shares.extend([(1, 4); 9]);
        let histogram = of(&shares).unwrap();
        let heights = |bar: usize| histogram.bars[bar].heights;
        // log 1000 is three times log 10; log 2 a tenth of it, cut at 0.1003.
        assert_eq!(
            [heights(10), heights(5), heights(19), heights(0)],
            [[150, 150], [1, 50], [1, 15], [0, 0]]
        );
        let tick = |count: &str, height| Tick { count: count.to_owned(), height };
        assert_eq!(histogram.ticks[0], [tick("999", 150)]);
        // log 11 and log 101 of log 1000.
        assert_eq!(histogram.ticks[1], [tick("1", 15), tick("10", 52), tick("100", 100)]);
    }
}
