//! Comparison × Limits → `Verdict`: the ladder.

use std::fmt;

use crate::comparison::Comparison;
use crate::ratio::Ratio;

/// How near two texts are, from far to close.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub enum Verdict {
    /// No limit is reached.
    Different,
    /// A part is shared: the Jaccard index reaches half its limit, or a containment
    /// reaches its own.
    Partial,
    /// The Hamming distance is within its limit, or the Jaccard index reaches its own.
    NearDuplicate,
    /// The same words in the same order.
    Identical,
}

impl Verdict {
    /// All verdicts, from far to close.
    pub const LADDER: [Self; 4] =
        [Self::Different, Self::Partial, Self::NearDuplicate, Self::Identical];

    /// The name in small letters: `near-duplicate`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Different => "different",
            Self::Partial => "partial",
            Self::NearDuplicate => "near-duplicate",
            Self::Identical => "identical",
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A figure that can decide.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Measure {
    /// The words and their order.
    Words,
    /// The Hamming distance.
    Hamming,
    /// The Jaccard index.
    Jaccard,
    /// The containment of left in right.
    ContainmentLeft,
    /// The containment of right in left.
    ContainmentRight,
}

/// The limits of the ladder; a limit that is none decides nothing.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Limits {
    /// Most bits in which the fingerprints of near-duplicates differ, 0 to 64.
    pub hamming: Option<u32>,
    /// Least Jaccard index of near-duplicates; half of it makes a pair partial.
    pub jaccard: Option<Ratio>,
    /// Least containment, either way, of a partial pair.
    pub containment: Option<Ratio>,
}

impl Default for Limits {
    /// Hamming 3, after Manku, Jain and Das Sarma (2007); Jaccard and containment 0.5.
    fn default() -> Self {
        Self { hamming: Some(3), jaccard: Some(Ratio::HALF), containment: Some(Ratio::HALF) }
    }
}

/// A verdict, and all figures that held at its rung.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Decision {
    /// The verdict.
    pub verdict: Verdict,
    /// What decided, in the order of [`Measure`]; empty for different.
    pub decided_by: Vec<Measure>,
}

impl Limits {
    /// Takes the closest rung on which a figure holds. A figure that is not there
    /// holds nowhere.
    pub fn judge(&self, comparison: &Comparison) -> Decision {
        let hamming = holds(self.hamming, comparison.hamming, |most, bits| bits <= most);
        let jaccard = |reached| holds(self.jaccard, comparison.jaccard(), reached);
        let contained = |share| holds(self.containment, share, Ratio::is_reached_by);
        #[rustfmt::skip]
        let rungs = [
            (Verdict::Identical, Measure::Words, comparison.same_words),
            (Verdict::NearDuplicate, Measure::Hamming, hamming),
            (Verdict::NearDuplicate, Measure::Jaccard, jaccard(Ratio::is_reached_by)),
            (Verdict::Partial, Measure::Jaccard, jaccard(Ratio::half_is_reached_by)),
            (Verdict::Partial, Measure::ContainmentLeft, contained(comparison.containment_left())),
            (Verdict::Partial, Measure::ContainmentRight, contained(comparison.containment_right())),
        ];
        let held = || rungs.iter().filter(|(_, _, holds)| *holds);
        let verdict = held().map(|rung| rung.0).max().unwrap_or(Verdict::Different);
        let decided_by = held().filter(|rung| rung.0 == verdict).map(|rung| rung.1).collect();
        Decision { verdict, decided_by }
    }
}

/// Whether there is a limit, and a figure, and the figure is within the limit.
fn holds<L, F>(limit: Option<L>, figure: Option<F>, within: fn(L, F) -> bool) -> bool {
    limit.zip(figure).is_some_and(|(limit, figure)| within(limit, figure))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::jaccard::Overlap;
    use Measure::{ContainmentLeft, ContainmentRight, Hamming, Jaccard, Words};

    /// A pair of texts with other words, all shared over union of ten, and longest
    /// shared of left and right.
    fn figures(hamming: u32, shared: usize, longest: (usize, usize, usize)) -> Comparison {
        Comparison {
            same_words: false,
            hamming: Some(hamming),
            all: Overlap { shared, left: 10, right: shared },
            longest: Overlap { shared: longest.0, left: longest.1, right: longest.2 },
        }
    }

    #[test]
    fn the_closest_rung_decides_and_names_all_that_held() {
        let none = (0, 10, 10);
        #[rustfmt::skip]
        let table: &[(&str, Comparison, Verdict, &[Measure])] = &[
            ("far",                     figures(32, 0, none),        Verdict::Different,     &[]),
            ("Hamming at its limit",    figures(3, 1, none),         Verdict::NearDuplicate, &[Hamming]),
            ("Hamming above it",        figures(4, 1, none),         Verdict::Different,     &[]),
            ("Jaccard at its limit",    figures(9, 5, none),         Verdict::NearDuplicate, &[Jaccard]),
            ("Jaccard below, half held", figures(9, 4, none),        Verdict::Partial,       &[Jaccard]),
            ("less than half of it",    figures(9, 2, none),         Verdict::Different,     &[]),
            ("both",                    figures(0, 9, (9, 9, 9)),    Verdict::NearDuplicate, &[Hamming, Jaccard]),
            ("left inside right",       figures(20, 1, (5, 10, 99)), Verdict::Partial,       &[ContainmentLeft]),
            ("right inside left",       figures(20, 1, (5, 99, 10)), Verdict::Partial,       &[ContainmentRight]),
            ("just not",                figures(20, 1, (49, 99, 99)), Verdict::Different,    &[]),
            ("all of partial",          figures(20, 3, (6, 9, 9)),   Verdict::Partial,       &[Jaccard, ContainmentLeft, ContainmentRight]),
            ("the same words",          Comparison { same_words: true, ..figures(0, 10, none) }, Verdict::Identical, &[Words]),
        ];
        for (why, comparison, verdict, decided_by) in table {
            let want = Decision { verdict: *verdict, decided_by: decided_by.to_vec() };
            assert_eq!(Limits::default().judge(comparison), want, "{why}");
        }
    }

    #[test]
    fn a_limit_that_is_off_decides_nothing() {
        let close = figures(0, 9, (9, 9, 9));
        let off = Limits { hamming: None, jaccard: None, containment: None };
        assert_eq!(off.judge(&close).verdict, Verdict::Different);
        let hamming = Limits { hamming: Some(0), ..off };
        assert_eq!(hamming.judge(&close).decided_by, [Hamming]);
        let jaccard = Limits { jaccard: Some(Ratio::HALF), ..off };
        assert_eq!(jaccard.judge(&close).decided_by, [Jaccard]);
        let containment = Limits { containment: Some(Ratio::HALF), ..off };
        assert_eq!(containment.judge(&close).decided_by, [ContainmentLeft, ContainmentRight]);
    }

    #[test]
    fn a_figure_that_is_not_there_decides_nothing() {
        let widest =
            Limits { hamming: Some(64), jaccard: "0".parse().ok(), containment: "0".parse().ok() };
        let nothing = Comparison {
            same_words: false,
            hamming: None,
            all: Overlap::default(),
            longest: Overlap::default(),
        };
        assert_eq!(widest.judge(&nothing).verdict, Verdict::Different);
        let same = Comparison { same_words: true, ..nothing };
        assert_eq!(widest.judge(&same).verdict, Verdict::Identical);
    }
}
