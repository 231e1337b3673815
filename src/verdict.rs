//! Comparison × Limits → `Verdict`: the ladder.

pub mod comparison;
pub mod ratio;

use std::fmt;

use crate::jaccard::Share;
use comparison::{Comparison, Coverage};
use ratio::Ratio;

/// How near two texts are, from far to close.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub enum Verdict {
    /// No limit is reached, and no passage is shared.
    Different,
    /// At least one passage is in both texts.
    Excerpt,
    /// A good part is the same or reworded: the coverage of either text or the Jaccard index
    /// reaches the limit for a part, or a containment its own.
    Partial,
    /// The Hamming distance is within its limit, or the Jaccard index reaches the limit for the
    /// whole.
    NearDuplicate,
    /// The same words in the same order.
    Identical,
}

impl Verdict {
    /// All verdicts, from far to close.
    pub const LADDER: [Self; 5] =
        [Self::Different, Self::Excerpt, Self::Partial, Self::NearDuplicate, Self::Identical];

    /// The name in small letters: `near-duplicate`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Different => "different",
            Self::Excerpt => "excerpt",
            Self::Partial => "partial",
            Self::NearDuplicate => "near-duplicate",
            Self::Identical => "identical",
        }
    }

    /// The verdict of that name; none where no verdict has it.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::LADDER.into_iter().find(|verdict| verdict.name() == name)
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
    /// The coverage of left.
    CoverageLeft,
    /// The coverage of right.
    CoverageRight,
    /// The Jaccard index.
    Jaccard,
    /// The containment of left in right.
    ContainmentLeft,
    /// The containment of right in left.
    ContainmentRight,
    /// That there is a passage.
    Passages,
}

impl Measure {
    /// Its name in output, which never changes.
    pub fn name(self) -> &'static str {
        match self {
            Self::Words => "words",
            Self::Hamming => "hamming",
            Self::CoverageLeft => "coverage_a",
            Self::CoverageRight => "coverage_b",
            Self::Jaccard => "jaccard",
            Self::ContainmentLeft => "containment_a",
            Self::ContainmentRight => "containment_b",
            Self::Passages => "passages",
        }
    }
}

/// A rung of the ladder.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Rung {
    /// The verdict that it makes.
    pub verdict: Verdict,
    /// What is held against a limit; a figure may have one on two rungs.
    pub measure: Measure,
    /// Whether the limit is reached.
    pub holds: bool,
}

/// The limits of the ladder; a limit that is none decides nothing.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Limits {
    /// Most bits in which the fingerprints of near-duplicates differ, 0 to 64.
    pub hamming: Option<u32>,
    /// Least Jaccard index of near-duplicates.
    pub jaccard: Option<Ratio>,
    /// Least Jaccard index of a partial pair, not above that of near-duplicates; where a text has
    /// fewer words than [`SHORT`](Self::SHORT), two thirds of it.
    pub partial_jaccard: Option<Ratio>,
    /// Least coverage, of either text, of a partial pair.
    pub coverage: Option<Ratio>,
    /// Least containment, either way, of a partial pair.
    pub containment: Option<Ratio>,
}

impl Default for Limits {
    /// Hamming 3, after Manku, Jain and Das Sarma (2007); Jaccard 0.5, and 0.12 of a partial
    /// pair; coverage 0.2, as docs/accuracy.md explains. Containment decides only where that is
    /// asked for.
    fn default() -> Self {
        Self {
            hamming: Some(3),
            jaccard: Some(Ratio::hundredths(50)),
            partial_jaccard: Some(Ratio::hundredths(12)),
            coverage: Some(Ratio::hundredths(20)),
            containment: None,
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
    /// No limit at all: only equal words and passages decide.
    pub const OFF: Self = Self {
        hamming: None,
        jaccard: None,
        partial_jaccard: None,
        coverage: None,
        containment: None,
    };

    /// The least Jaccard index of a partial pair where none is given: the default, but no more than that
    /// of near-duplicates.
    pub fn usual_partial_jaccard(jaccard: Option<Ratio>) -> Option<Ratio> {
        let usual = Self::default().partial_jaccard?;
        Some(jaccard.map_or(usual, |whole| usual.min(whole)))
    }

    /// Texts of fewer words are short: one changed word takes a greater part of their shingles, and
    /// there are too few sentences for many to be alike by chance.
    pub const SHORT: usize = 100;

    /// The least number of shingles that must be shared for a Jaccard index above 0 to make a pair
    /// partial: very short texts share a word by chance.
    pub const LEAST_SHARED: usize = 2;

    /// The least number of longest shingles that must be shared for a containment to count:
    /// one or two are shared by chance.
    pub const LEAST_CONTAINED: u32 = 3;

    /// Whether passages, which cost more than the other figures, could make a level of a verdict
    /// that is known without them.
    pub fn passages_may_reach(&self, level: Verdict, known: Verdict) -> bool {
        known < level
            && match level {
                Verdict::Excerpt => true,
                Verdict::Partial => self.coverage.is_some(),
                _ => false,
            }
    }

    /// The rungs of the ladder, from the closest verdict to the farthest but one.
    pub fn rungs(&self, comparison: &Comparison) -> [Rung; 9] {
        let reaches = |limit: Option<Ratio>, share: Option<Share>| {
            limit.zip(share).is_some_and(|(limit, share)| limit.is_reached_by(share))
        };
        let hamming = self.hamming.zip(comparison.hamming).is_some_and(|(most, bits)| bits <= most);
        let jaccard = comparison.jaccard();
        let is_partial = self.partial_jaccard.zip(jaccard).is_some_and(|(limit, share)| {
            if share.shared() < Self::LEAST_SHARED {
                return limit.parts().0 == 0;
            }
            if comparison.least_words < Self::SHORT {
                limit.two_thirds_are_reached_by(share)
            } else {
                limit.is_reached_by(share)
            }
        });
        let is_contained = comparison.longest.shared >= Self::LEAST_CONTAINED as usize;
        let contained = |share| is_contained && reaches(self.containment, share);
        let passages = comparison.passages;
        let covered =
            |of: fn(Coverage) -> Option<Share>| reaches(self.coverage, passages.and_then(of));
        let is_shared = passages.is_some_and(|coverage| coverage.passages > 0);
        #[rustfmt::skip]
        let rungs = [
            (Verdict::Identical, Measure::Words, comparison.same_words),
            (Verdict::NearDuplicate, Measure::Hamming, hamming),
            (Verdict::NearDuplicate, Measure::Jaccard, reaches(self.jaccard, jaccard)),
            (Verdict::Partial, Measure::CoverageLeft, covered(|it| it.left)),
            (Verdict::Partial, Measure::CoverageRight, covered(|it| it.right)),
            (Verdict::Partial, Measure::Jaccard, is_partial),
            (Verdict::Partial, Measure::ContainmentLeft, contained(comparison.containment_left())),
            (Verdict::Partial, Measure::ContainmentRight, contained(comparison.containment_right())),
            (Verdict::Excerpt, Measure::Passages, is_shared),
        ];
        rungs.map(|(verdict, measure, holds)| Rung { verdict, measure, holds })
    }

    /// Takes the closest rung that holds. A figure that is not there holds nowhere.
    pub fn judge(&self, comparison: &Comparison) -> Decision {
        let rungs = self.rungs(comparison);
        let held = || rungs.iter().filter(|rung| rung.holds);
        let verdict = held().map(|rung| rung.verdict).max().unwrap_or(Verdict::Different);
        let decided_by =
            held().filter(|rung| rung.verdict == verdict).map(|rung| rung.measure).collect();
        Decision { verdict, decided_by }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::jaccard::Overlap;
    use Measure::{
        ContainmentLeft, ContainmentRight, CoverageLeft, CoverageRight, Hamming, Jaccard, Passages,
        Words,
    };

    /// A pair of texts with other words: all shared over a union of a hundred.
    fn figures(hamming: u32, shared: usize) -> Comparison {
        Comparison {
            same_words: false,
            hamming: Some(hamming),
            all: Overlap { shared, left: 100, right: shared },
            longest: Overlap { shared: 0, left: 10, right: 10 },
            passages: Some(Coverage::default()),
            least_words: 100,
        }
    }

    /// With a passage, and words in passages of a hundred on either side.
    fn covered(left: usize, right: usize) -> Comparison {
        let share = |words| Share::new(words, 100);
        let (left, right) = (share(left), share(right));
        let passages = Some(Coverage { passages: 1, left, right, longest: 12 });
        Comparison { passages, ..figures(20, 1) }
    }

    fn contained(shared: usize, left: usize, right: usize) -> Comparison {
        Comparison { longest: Overlap { shared, left, right }, ..figures(20, 1) }
    }

    #[test]
    fn the_closest_rung_decides_and_names_all_that_held() {
        #[rustfmt::skip]
        let table: &[(&str, Comparison, Verdict, &[Measure])] = &[
            ("far",                      figures(32, 0),    Verdict::Different,     &[]),
            ("Hamming at its limit",     figures(3, 1),     Verdict::NearDuplicate, &[Hamming]),
            ("Hamming above it",         figures(4, 1),     Verdict::Different,     &[]),
            ("Jaccard at its limit",     figures(9, 50),    Verdict::NearDuplicate, &[Jaccard]),
            ("Jaccard of a part",        figures(9, 49),    Verdict::Partial,       &[Jaccard]),
            ("at its limit",             figures(9, 12),    Verdict::Partial,       &[Jaccard]),
            ("less than that",           figures(9, 11),    Verdict::Different,     &[]),
            ("both",                     figures(0, 90),    Verdict::NearDuplicate, &[Hamming, Jaccard]),
            ("a fifth of left",          covered(20, 1),    Verdict::Partial,       &[CoverageLeft]),
            ("a fifth of right",         covered(1, 20),    Verdict::Partial,       &[CoverageRight]),
            ("not quite",                covered(19, 19),   Verdict::Excerpt,       &[Passages]),
            ("a passage of no words",    covered(0, 0),     Verdict::Excerpt,       &[Passages]),
            ("all of partial",           Comparison { all: Overlap { shared: 12, left: 100, right: 12 }, ..covered(25, 25) },
                                                            Verdict::Partial,       &[CoverageLeft, CoverageRight, Jaccard]),
            ("a short text",             Comparison { least_words: 99, ..figures(9, 8) }, Verdict::Partial, &[Jaccard]),
            ("one shared by chance",     Comparison { all: Overlap { shared: 1, left: 3, right: 3 }, least_words: 4, ..figures(9, 8) }, Verdict::Different, &[]),
            ("less than two thirds",     Comparison { least_words: 99, ..figures(9, 7) }, Verdict::Different, &[]),
            ("containment is off",       contained(9, 9, 9), Verdict::Different,    &[]),
            ("the same words",           Comparison { same_words: true, ..figures(0, 90) }, Verdict::Identical, &[Words]),
        ];
        for (why, comparison, verdict, decided_by) in table {
            let want = Decision { verdict: *verdict, decided_by: decided_by.to_vec() };
            assert_eq!(Limits::default().judge(comparison), want, "{why}");
        }
        let limits = Limits { containment: "0.41".parse().ok(), ..Limits::default() };
        #[rustfmt::skip]
        let table: &[(&str, Comparison, Verdict, &[Measure])] = &[
            ("left inside right",    contained(41, 100, 199), Verdict::Partial,   &[ContainmentLeft]),
            ("right inside left",    contained(41, 199, 100), Verdict::Partial,   &[ContainmentRight]),
            ("just not",             contained(40, 98, 98),   Verdict::Different, &[]),
            ("two of two by chance", contained(2, 2, 9),      Verdict::Different, &[]),
            ("three of three",       contained(3, 3, 9),      Verdict::Partial,   &[ContainmentLeft]),
        ];
        for (why, comparison, verdict, decided_by) in table {
            let want = Decision { verdict: *verdict, decided_by: decided_by.to_vec() };
            assert_eq!(limits.judge(comparison), want, "{why}");
        }
    }

    #[test]
    fn the_ladder_is_written_from_far_to_close() {
        let names = Verdict::LADDER.map(|verdict| verdict.to_string());
        assert_eq!(names, ["different", "excerpt", "partial", "near-duplicate", "identical"]);
        assert!(Verdict::LADDER.is_sorted());
        assert_eq!(names.map(|name| Verdict::from_name(&name)), Verdict::LADDER.map(Some));
        assert_eq!(Verdict::from_name("Partial"), None);
    }

    #[test]
    fn a_limit_that_is_off_decides_nothing() {
        let close = Comparison {
            all: Overlap { shared: 90, left: 100, right: 90 },
            longest: Overlap { shared: 9, left: 9, right: 9 },
            hamming: Some(0),
            ..covered(90, 90)
        };
        assert_eq!(Limits::OFF.judge(&close).decided_by, [Passages]);
        let half: Option<Ratio> = "0.5".parse().ok();
        let of = |limits: Limits| limits.judge(&close).decided_by;
        assert_eq!(of(Limits { hamming: Some(0), ..Limits::OFF }), [Hamming]);
        assert_eq!(of(Limits { jaccard: half, ..Limits::OFF }), [Jaccard]);
        assert_eq!(of(Limits { partial_jaccard: half, ..Limits::OFF }), [Jaccard]);
        assert_eq!(of(Limits { coverage: half, ..Limits::OFF }), [CoverageLeft, CoverageRight]);
        let contained = [ContainmentLeft, ContainmentRight];
        assert_eq!(of(Limits { containment: half, ..Limits::OFF }), contained);
    }

    #[test]
    fn a_partial_pair_is_never_asked_for_more_than_a_near_duplicate() {
        let usual = |typed: &str| {
            Limits::usual_partial_jaccard(typed.parse().ok()).map(|it| it.to_string())
        };
        for (jaccard, want) in
            [("off", "0.12"), ("0.5", "0.12"), ("0.12", "0.12"), ("0.05", "0.05")]
        {
            assert_eq!(usual(jaccard).as_deref(), Some(want), "{jaccard}");
        }
    }

    #[test]
    fn passages_are_needed_where_they_may_reach_the_level() {
        use Verdict::{Different, Excerpt, Identical, NearDuplicate, Partial};
        let limits = Limits::default();
        let off = Limits { coverage: None, ..limits };
        #[rustfmt::skip]
        let table = [
            ("they may",               limits, Partial,       Different, true),
            ("any passage",            limits, Excerpt,       Different, true),
            ("it is reached already",  limits, Partial,       Partial,   false),
            ("or a closer one",        limits, Excerpt,       Partial,   false),
            ("coverage is off",        off,    Partial,       Different, false),
            ("but any passage counts", off,    Excerpt,       Different, true),
            ("never near-duplicate",   limits, NearDuplicate, Different, false),
            ("nor identical",          limits, Identical,     Different, false),
            ("all are different",      limits, Different,     Different, false),
        ];
        for (why, limits, level, known, want) in table {
            assert_eq!(limits.passages_may_reach(level, known), want, "{why}");
        }
    }

    #[test]
    fn a_figure_that_is_not_there_decides_nothing() {
        let all: Option<Ratio> = "0".parse().ok();
        let widest = Limits {
            hamming: Some(64),
            jaccard: all,
            partial_jaccard: all,
            coverage: all,
            containment: all,
        };
        let nothing = Comparison {
            same_words: false,
            hamming: None,
            all: Overlap::default(),
            longest: Overlap::default(),
            passages: None,
            least_words: 0,
        };
        assert_eq!(widest.judge(&nothing).verdict, Verdict::Different);
        let same = Comparison { same_words: true, ..nothing };
        assert_eq!(widest.judge(&same).verdict, Verdict::Identical);
    }
}
