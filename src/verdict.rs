//! The ladder: decides the verdict on a pair by comparing its figures with limits.

pub mod ratio;

use std::fmt;

use serde::Serialize;

use crate::jaccard::Share;
use crate::shingles::Variety;
use crate::sketch::{Comparison, Coverage};
use ratio::Ratio;

/// The level of similarity of two texts; levels are ordered from the farthest to the closest.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub enum Verdict {
    /// No limit is reached, and no passage is shared.
    Different,
    /// Both texts share at least one passage.
    Excerpt,
    /// A considerable part is the same or reworded: the coverage of one text or the Jaccard index
    /// reaches its limit for partial pairs, or a containment reaches its own limit.
    Partial,
    /// The Hamming distance is within its limit, or the Jaccard index reaches its limit for
    /// near-duplicates.
    NearDuplicate,
    /// The same words in the same order.
    Identical,
}

impl Verdict {
    /// All verdicts, from the farthest to the closest.
    pub const LADDER: [Self; 5] =
        [Self::Different, Self::Excerpt, Self::Partial, Self::NearDuplicate, Self::Identical];

    /// Returns the name in lower case, such as `near-duplicate`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Different => "different",
            Self::Excerpt => "excerpt",
            Self::Partial => "partial",
            Self::NearDuplicate => "near-duplicate",
            Self::Identical => "identical",
        }
    }

    /// Returns the verdict with the given name; `None` if there is none.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::LADDER.into_iter().find(|verdict| verdict.name() == name)
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A figure that can decide a verdict.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Measure {
    /// Whether the words and their order are the same.
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
    /// Whether there is a passage.
    Passages,
}

impl Measure {
    /// Returns its name in output, which never changes.
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

/// A rung of the ladder: one figure with its limit.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Rung {
    /// The verdict of a pair that reaches the limit.
    pub verdict: Verdict,
    /// The figure that is compared with the limit; a figure may have limits on two rungs.
    pub measure: Measure,
    /// Whether the limit is reached.
    pub holds: bool,
}

/// The limits of the ladder; `None` disables a limit. They are serialized as in
/// `dedup.pair.schema.json`.
#[derive(Clone, Copy, Debug, Eq, PartialEq, Serialize)]
pub struct Limits {
    /// The largest number of bits in which the fingerprints of near-duplicates may differ, 0 to 64.
    pub hamming: Option<u32>,
    /// The minimum Jaccard index of near-duplicates.
    pub jaccard: Option<Ratio>,
    /// The minimum Jaccard index of a partial pair, which is not above that of near-duplicates. If
    /// a text has fewer words than [`SHORT`](Self::SHORT), it is two thirds of this.
    pub partial_jaccard: Option<Ratio>,
    /// The minimum coverage of a partial pair, reached by at least one of the texts.
    pub coverage: Option<Ratio>,
    /// The minimum containment of a partial pair, reached in at least one direction.
    pub containment: Option<Ratio>,
}

impl Default for Limits {
    /// Returns the default limits: a Hamming distance of 3, after Manku, Jain and Das Sarma (2007);
    /// a Jaccard index of 0.5, and of 0.12 for partial pairs; and a coverage of 0.2, as
    /// docs/accuracy.md explains. The containment has no limit unless the user sets one.
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

/// A verdict, and all figures that reached a limit of it.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Decision {
    /// The verdict.
    pub verdict: Verdict,
    /// The figures that decided, in the order of [`Measure`]; empty if the texts are different.
    pub decided_by: Vec<Measure>,
}

impl Limits {
    /// No limits at all: only equal words and passages decide.
    pub const OFF: Self = Self {
        hamming: None,
        jaccard: None,
        partial_jaccard: None,
        coverage: None,
        containment: None,
    };

    /// Returns the minimum Jaccard index of a partial pair if the user sets none: the default, but
    /// at most that of near-duplicates.
    pub fn usual_partial_jaccard(jaccard: Option<Ratio>) -> Option<Ratio> {
        let usual = Self::default().partial_jaccard?;
        Some(jaccard.map_or(usual, |whole| usual.min(whole)))
    }

    /// Texts of fewer words than this are short: one changed word affects a greater part of their
    /// shingles, and they have too few sentences for many to be equal by chance.
    pub const SHORT: usize = 100;

    /// The minimum number of shared shingles for a Jaccard index to make a pair partial, unless the
    /// limit is 0: very short texts share a word by chance.
    pub const MIN_SHARED: usize = 2;

    /// The part of each of two texts with [repetitive](Variety::Repetitive) words that must be in
    /// passages for their sets to be evidence.
    pub const SHARED_OF_REPETITIVE: Ratio = Ratio::hundredths(50);

    /// The minimum number of shared shingles of the greatest size for a containment to count: one
    /// or two are shared by chance.
    pub const MIN_CONTAINED: u32 = 3;

    /// Returns why the sets of a pair are no evidence, and the closer verdict that they would give
    /// otherwise; `None` if they are evidence, or would change nothing.
    pub fn disregarded(&self, comparison: &Comparison) -> Option<(Variety, Verdict)> {
        if comparison.variety == Variety::Varied {
            return None;
        }
        let verdict = self.judge(&Comparison { variety: Variety::Varied, ..*comparison }).verdict;
        (verdict > self.judge(comparison).verdict).then_some((comparison.variety, verdict))
    }

    /// Returns the verdict that the sets of a pair with [repetitive](Variety::Repetitive) words give
    /// if passages cover enough of both texts; `None` if it is not closer.
    pub(crate) fn awaits_passages(&self, comparison: &Comparison) -> Option<Verdict> {
        let disregarded = self.disregarded(comparison);
        disregarded.filter(|it| it.0 == Variety::Repetitive).map(|(_, verdict)| verdict)
    }

    /// Reports whether passages, which cost more than the other figures, could raise the verdict
    /// `known`, which was reached without them, to `level`.
    pub fn passages_may_reach(&self, level: Verdict, known: Verdict) -> bool {
        known < level
            && match level {
                Verdict::Excerpt => true,
                Verdict::Partial => self.coverage.is_some(),
                _ => false,
            }
    }

    /// Returns the rungs of the ladder, from [`Verdict::Identical`] to [`Verdict::Excerpt`]. A figure
    /// of the sets reaches no limit unless the sets [are evidence](Comparison::variety).
    pub fn rungs(&self, comparison: &Comparison) -> [Rung; 9] {
        let reaches = |limit: Option<Ratio>, share: Option<Share>| {
            limit.zip(share).is_some_and(|(limit, share)| limit.is_reached_by(share))
        };
        let are_evidence = comparison.variety == Variety::Varied;
        let bits = comparison.hamming.filter(|_| are_evidence);
        let hamming = self.hamming.zip(bits).is_some_and(|(limit, bits)| bits <= limit);
        let jaccard = comparison.jaccard().filter(|_| are_evidence);
        let is_partial = self.partial_jaccard.zip(jaccard).is_some_and(|(limit, share)| {
            if share.shared() < Self::MIN_SHARED {
                return limit.parts().0 == 0;
            }
            if comparison.least_words < Self::SHORT {
                limit.two_thirds_are_reached_by(share)
            } else {
                limit.is_reached_by(share)
            }
        });
        let is_contained =
            are_evidence && comparison.longest.shared >= Self::MIN_CONTAINED as usize;
        let contained = |share| is_contained && reaches(self.containment, share);
        // Without a shared passage, no limit is reached, not even 0.
        let shared = comparison.passages.filter(|coverage| coverage.passages > 0);
        let covered =
            |of: fn(Coverage) -> Option<Share>| reaches(self.coverage, shared.and_then(of));
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
            (Verdict::Excerpt, Measure::Passages, shared.is_some()),
        ];
        rungs.map(|(verdict, measure, holds)| Rung { verdict, measure, holds })
    }

    /// Returns the verdict of the closest rung whose limit is reached. A figure that is `None`
    /// reaches no limit.
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
    use Variety::{FewStems, Repetitive, Varied};

    /// Two texts with different words, whose union is a hundred shingles, `shared` of them shared.
    fn figures(hamming: u32, shared: usize) -> Comparison {
        Comparison {
            same_words: false,
            hamming: Some(hamming),
            all: Overlap { shared, left: 100, right: shared },
            longest: Overlap { shared: 0, left: 10, right: 10 },
            passages: Some(Coverage::default()),
            least_words: 100,
            variety: Varied,
        }
    }

    /// Figures of a pair with one passage, which covers `left` and `right` of a hundred words of
    /// each text.
    fn covered(left: usize, right: usize) -> Comparison {
        let share = |words| Share::new(words, 100);
        let (left, right) = (share(left), share(right));
        let passages =
            Some(Coverage { passages: 1, left, right, longest: 12, ..Coverage::default() });
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
            (
                "one shared by chance",
                Comparison { all: Overlap { shared: 1, left: 3, right: 3 }, least_words: 4, ..figures(9, 8) },
                Verdict::Different,
                &[],
            ),
            (
                "two shared",
                Comparison { all: Overlap { shared: 2, left: 5, right: 5 }, least_words: 4, ..figures(9, 8) },
                Verdict::Partial,
                &[Jaccard],
            ),
            ("less than two thirds",     Comparison { least_words: 99, ..figures(9, 7) }, Verdict::Different, &[]),
            ("containment is off",       contained(9, 9, 9), Verdict::Different,    &[]),
            ("the same words",           Comparison { same_words: true, ..figures(0, 90) }, Verdict::Identical, &[Words]),
            ("few stems",                Comparison { variety: FewStems, ..figures(0, 90) }, Verdict::Different, &[]),
            ("repetitive",               Comparison { variety: Repetitive, ..figures(0, 90) }, Verdict::Different, &[]),
            ("covered nevertheless",     Comparison { variety: Repetitive, all: figures(0, 90).all, ..covered(25, 5) },
                                                            Verdict::Partial,       &[CoverageLeft]),
            ("few, but the same",        Comparison { same_words: true, variety: FewStems, ..figures(0, 90) },
                                                            Verdict::Identical,     &[Words]),
        ];
        for (why, comparison, verdict, decided_by) in table {
            let want = Decision { verdict: *verdict, decided_by: decided_by.to_vec() };
            assert_eq!(Limits::default().judge(comparison), want, "{why}");
        }
        let zero = Limits { partial_jaccard: "0".parse().ok(), ..Limits::default() };
        assert_eq!(zero.judge(&figures(9, 1)).decided_by, [Jaccard]); // every Jaccard index is within it
        let limits = Limits { containment: "0.41".parse().ok(), ..Limits::default() };
        #[rustfmt::skip]
        let table: &[(&str, Comparison, Verdict, &[Measure])] = &[
            ("left inside right",    contained(41, 100, 199), Verdict::Partial,   &[ContainmentLeft]),
            ("right inside left",    contained(41, 199, 100), Verdict::Partial,   &[ContainmentRight]),
            ("just not",             contained(40, 98, 98),   Verdict::Different, &[]),
            ("two of two by chance", contained(2, 2, 9),      Verdict::Different, &[]),
            ("three of three",       contained(3, 3, 9),      Verdict::Partial,   &[ContainmentLeft]),
            ("of few stems",         Comparison { variety: FewStems, ..contained(3, 3, 9) }, Verdict::Different, &[]),
        ];
        for (why, comparison, verdict, decided_by) in table {
            let want = Decision { verdict: *verdict, decided_by: decided_by.to_vec() };
            assert_eq!(limits.judge(comparison), want, "{why}");
        }
    }

    #[test]
    fn figures_have_the_names_of_the_schema() {
        let rungs = Limits::default().rungs(&figures(0, 0));
        let names = rungs.map(|rung| format!("{} {}", rung.verdict, rung.measure.name()));
        let want = [
            "identical words",
            "near-duplicate hamming",
            "near-duplicate jaccard",
            "partial coverage_a",
            "partial coverage_b",
            "partial jaccard",
            "partial containment_a",
            "partial containment_b",
            "excerpt passages",
        ];
        assert_eq!(names, want);
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
    fn texts_that_share_no_passage_reach_no_coverage() {
        let zero = Limits { coverage: "0".parse().ok(), ..Limits::OFF };
        let nothing = Coverage { passages: 0, ..covered(0, 0).passages.unwrap() };
        for (passages, want) in [
            (None, &[][..]),
            (Some(nothing), &[]),
            (covered(0, 3).passages, &[CoverageLeft, CoverageRight, Passages]),
        ] {
            let comparison = Comparison { passages, ..figures(9, 0) };
            let decided_by = zero
                .rungs(&comparison)
                .iter()
                .filter(|rung| rung.holds)
                .map(|it| it.measure)
                .collect::<Vec<_>>();
            assert_eq!(decided_by, want, "{passages:?}");
        }
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
    fn sets_are_disregarded_where_they_would_change_the_verdict() {
        let near = |variety| Comparison { variety, ..figures(0, 90) };
        #[rustfmt::skip]
        let table = [
            ("evidence",        near(Varied),                     None,             None),
            ("few stems",       near(FewStems),                   Some(FewStems),   None),
            ("repetitive",      near(Repetitive),                 Some(Repetitive), Some(Verdict::NearDuplicate)),
            ("of a part",       Comparison { variety: Repetitive, ..figures(9, 12) }, Some(Repetitive), Some(Verdict::Partial)),
            ("far",             Comparison { variety: FewStems, ..figures(9, 11) }, None, None),
            ("the same words",  Comparison { same_words: true, ..near(Repetitive) }, None, None),
        ];
        for (why, comparison, disregarded, awaited) in table {
            let limits = Limits::default();
            assert_eq!(limits.disregarded(&comparison).map(|it| it.0), disregarded, "{why}");
            assert_eq!(limits.awaits_passages(&comparison), awaited, "{why}");
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
            variety: Varied,
        };
        assert_eq!(widest.judge(&nothing).verdict, Verdict::Different);
        let same = Comparison { same_words: true, ..nothing };
        assert_eq!(widest.judge(&same).verdict, Verdict::Identical);
    }
}
