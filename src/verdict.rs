//! Comparison × Limits → `Verdict`: the ladder.

use std::fmt;

use crate::comparison::Comparison;
use crate::ratio::Ratio;

/// How near two texts are, from far to close.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub enum Verdict {
    /// No limit is reached.
    Different,
    /// A part is shared: the Jaccard index reaches half its limit, a containment reaches its
    /// own, or the weighted Jaccard index does and some phrases are shared as well.
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
    /// The weighted Jaccard index.
    WeightedJaccard,
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
    /// Least weighted Jaccard index of a partial pair.
    pub weighted_jaccard: Option<Ratio>,
}

impl Default for Limits {
    /// Hamming 3, after Manku, Jain and Das Sarma (2007); Jaccard 0.5; containment 0.41 and
    /// weighted Jaccard 0.29, as docs/accuracy.md tells.
    fn default() -> Self {
        Self {
            hamming: Some(3),
            jaccard: Some(Ratio::HALF),
            containment: Some(Ratio::hundredths(41)),
            weighted_jaccard: Some(Ratio::hundredths(29)),
        }
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
    /// The least number of longest shingles that must be shared for a containment to count:
    /// one or two are shared by chance.
    pub const LEAST_CONTAINED: u32 = 3;

    /// The least number of longest shingles that must be shared for the weighted Jaccard index
    /// to count: texts on one subject share words, not phrases.
    pub const LEAST_SHARED: u32 = 25;

    /// The least containment of either text for the weighted Jaccard index to count.
    pub const LEAST_CONTAINMENT: Ratio = Ratio::hundredths(18);

    /// Whether nothing else decides, and the weighted Jaccard index would count, which costs
    /// more than the other figures.
    pub fn hang_on_weighted(&self, comparison: &Comparison) -> bool {
        let known = Comparison { counted: None, ..*comparison };
        self.weighted_jaccard.is_some()
            && shares_phrases(comparison)
            && self.judge(&known).verdict == Verdict::Different
    }

    /// Takes the closest rung on which a figure holds. A figure that is not there
    /// holds nowhere.
    pub fn judge(&self, comparison: &Comparison) -> Decision {
        let hamming = holds(self.hamming, comparison.hamming, |most, bits| bits <= most);
        let jaccard = |reached| holds(self.jaccard, comparison.jaccard(), reached);
        let is_contained = comparison.longest.shared >= Self::LEAST_CONTAINED as usize;
        let contained =
            |share| is_contained && holds(self.containment, share, Ratio::is_reached_by);
        let weighted = comparison.weighted_jaccard().filter(|_| shares_phrases(comparison));
        let weighted = holds(self.weighted_jaccard, weighted, Ratio::is_reached_by);
        #[rustfmt::skip]
        let rungs = [
            (Verdict::Identical, Measure::Words, comparison.same_words),
            (Verdict::NearDuplicate, Measure::Hamming, hamming),
            (Verdict::NearDuplicate, Measure::Jaccard, jaccard(Ratio::is_reached_by)),
            (Verdict::Partial, Measure::Jaccard, jaccard(Ratio::half_is_reached_by)),
            (Verdict::Partial, Measure::ContainmentLeft, contained(comparison.containment_left())),
            (Verdict::Partial, Measure::ContainmentRight, contained(comparison.containment_right())),
            (Verdict::Partial, Measure::WeightedJaccard, weighted),
        ];
        let held = || rungs.iter().filter(|(_, _, holds)| *holds);
        let verdict = held().map(|rung| rung.0).max().unwrap_or(Verdict::Different);
        let decided_by = held().filter(|rung| rung.0 == verdict).map(|rung| rung.1).collect();
        Decision { verdict, decided_by }
    }
}

/// Whether enough of the longest shingles is shared for the weighted Jaccard index to count.
fn shares_phrases(comparison: &Comparison) -> bool {
    let containments = [comparison.containment_left(), comparison.containment_right()];
    comparison.longest.shared >= Limits::LEAST_SHARED as usize
        && containments.into_iter().flatten().any(|it| Limits::LEAST_CONTAINMENT.is_reached_by(it))
}

/// Whether there is a limit, and a figure, and the figure is within the limit.
fn holds<L, F>(limit: Option<L>, figure: Option<F>, within: fn(L, F) -> bool) -> bool {
    limit.zip(figure).is_some_and(|(limit, figure)| within(limit, figure))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::jaccard::Overlap;
    use Measure::{ContainmentLeft, ContainmentRight, Hamming, Jaccard, WeightedJaccard, Words};

    /// A pair of texts with other words, all shared over union of ten, and longest
    /// shared of left and right.
    fn figures(hamming: u32, shared: usize, longest: (usize, usize, usize)) -> Comparison {
        Comparison {
            same_words: false,
            hamming: Some(hamming),
            all: Overlap { shared, left: 10, right: shared },
            longest: Overlap { shared: longest.0, left: longest.1, right: longest.2 },
            counted: None,
        }
    }

    /// A pair with longest shared of left and right, and with repeats.
    fn counted(
        (shared, left, right): (usize, usize, usize),
        longest: (usize, usize, usize),
    ) -> Comparison {
        let counted = Some(Overlap { shared, left, right });
        Comparison { counted, ..figures(20, 1, longest) }
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
            ("left inside right",       figures(20, 1, (41, 100, 199)), Verdict::Partial,      &[ContainmentLeft]),
            ("right inside left",       figures(20, 1, (41, 199, 100)), Verdict::Partial,      &[ContainmentRight]),
            ("just not",                figures(20, 1, (40, 98, 98)), Verdict::Different,    &[]),
            ("two of two by chance",    figures(20, 1, (2, 2, 9)),   Verdict::Different,     &[]),
            ("three of three",          figures(20, 1, (3, 3, 9)),   Verdict::Partial,       &[ContainmentLeft]),
            ("weighted at its limit",   counted((29, 58, 71), (25, 138, 999)), Verdict::Partial, &[WeightedJaccard]),
            ("weighted just not",       counted((28, 58, 70), (25, 138, 999)), Verdict::Different, &[]),
            ("weighted, few phrases",   counted((9, 9, 9), (24, 99, 99)), Verdict::Different, &[]),
            ("weighted, too long",      counted((9, 9, 9), (25, 139, 139)), Verdict::Different, &[]),
            ("weighted, and contained", counted((9, 9, 9), (25, 50, 999)), Verdict::Partial, &[ContainmentLeft, WeightedJaccard]),
            ("all of partial",          figures(20, 3, (6, 9, 9)),   Verdict::Partial,       &[Jaccard, ContainmentLeft, ContainmentRight]),
            ("the same words",          Comparison { same_words: true, ..figures(0, 10, none) }, Verdict::Identical, &[Words]),
        ];
        for (why, comparison, verdict, decided_by) in table {
            let want = Decision { verdict: *verdict, decided_by: decided_by.to_vec() };
            assert_eq!(Limits::default().judge(comparison), want, "{why}");
        }
    }

    #[test]
    fn the_ladder_is_written_from_far_to_close() {
        let names = Verdict::LADDER.map(|verdict| verdict.to_string());
        assert_eq!(names, ["different", "partial", "near-duplicate", "identical"]);
        assert!(Verdict::LADDER.is_sorted());
    }

    #[test]
    fn a_limit_that_is_off_decides_nothing() {
        let close = figures(0, 9, (9, 9, 9));
        let off =
            Limits { hamming: None, jaccard: None, containment: None, weighted_jaccard: None };
        assert_eq!(off.judge(&close).verdict, Verdict::Different);
        let hamming = Limits { hamming: Some(0), ..off };
        assert_eq!(hamming.judge(&close).decided_by, [Hamming]);
        let jaccard = Limits { jaccard: Some(Ratio::HALF), ..off };
        assert_eq!(jaccard.judge(&close).decided_by, [Jaccard]);
        let containment = Limits { containment: Some(Ratio::HALF), ..off };
        assert_eq!(containment.judge(&close).decided_by, [ContainmentLeft, ContainmentRight]);
    }

    #[test]
    fn the_weighted_index_is_asked_for_where_it_may_decide() {
        let may = counted((0, 1, 1), (25, 138, 138));
        let limits = Limits::default();
        let off = Limits { weighted_jaccard: None, ..limits };
        #[rustfmt::skip]
        let table = [
            ("it may",               limits, may,                                         true),
            ("its limit is off",     off,    may,                                         false),
            ("too few phrases",      limits, figures(20, 1, (24, 100, 100)),              false),
            ("too small a part",     limits, figures(20, 1, (25, 139, 139)),              false),
            ("contained already",    limits, figures(20, 1, (41, 100, 999)),              false),
            ("near-duplicate",       limits, figures(3, 1, (25, 100, 100)),               false),
            ("it is known, and does", limits, counted((9, 9, 9), (25, 138, 138)),         true),
            ("the same words",       limits, Comparison { same_words: true, ..may },      false),
        ];
        for (why, limits, comparison, want) in table {
            assert_eq!(limits.hang_on_weighted(&comparison), want, "{why}");
        }
    }

    #[test]
    fn a_figure_that_is_not_there_decides_nothing() {
        let all: Option<Ratio> = "0".parse().ok();
        let widest =
            Limits { hamming: Some(64), jaccard: all, containment: all, weighted_jaccard: all };
        let nothing = Comparison {
            same_words: false,
            hamming: None,
            all: Overlap::default(),
            longest: Overlap::default(),
            counted: None,
        };
        assert_eq!(widest.judge(&nothing).verdict, Verdict::Different);
        let same = Comparison { same_words: true, ..nothing };
        assert_eq!(widest.judge(&same).verdict, Verdict::Identical);
    }
}
