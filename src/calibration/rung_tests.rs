use super::Rule;
use super::*;
use crate::jaccard::Overlap;
use crate::sketch::Coverage;
use Measure::{Coverage as Covered, Hamming, Jaccard};

const NEAR: Target = Target { rung: Rung::NearDuplicate, limits: LIMITS };
const PART: Target = Target { rung: Rung::Partial, limits: LIMITS };

const LIMITS: Limits = Limits {
    hamming: Some(3),
    jaccard: Some(Ratio::hundredths(50)),
    partial_jaccard: Some(Ratio::hundredths(12)),
    coverage: Some(Ratio::hundredths(20)),
    containment: Some(Ratio::hundredths(41)),
};

/// Creates figures of texts of a hundred words, with a Jaccard index and coverages in hundredths.
fn pair(bits: u32, jaccard: usize, covered: [usize; 2]) -> Comparison {
    let [left, right] = covered.map(|words| Share::new(words, 100));
    Comparison {
        same_words: false,
        hamming: Some(bits),
        all: Overlap { shared: jaccard, left: 100, right: jaccard.max(1) },
        longest: Overlap { shared: 9, left: 9, right: 9 },
        passages: Some(Coverage { passages: 1, left, right, longest: 12, ..Coverage::default() }),
        least_words: 100,
        variety: Variety::Varied,
    }
}

#[test]
fn a_pair_reaches_the_steps_of_its_figure() {
    let known = pair(4, 25, [10, 30]);
    let short = Comparison { least_words: 99, ..known };
    let half = Comparison { least_words: 99, ..pair(4, 49, [0, 0]) };
    let unknown = Comparison { passages: None, ..known };
    let empty = Overlap { shared: 0, left: 0, right: 2 };
    let none = Comparison { hamming: None, all: empty, ..pair(4, 0, [0, 0]) };
    let near = pair(3, 25, [10, 30]);
    let same = Comparison { same_words: true, ..none };
    #[rustfmt::skip]
    let table = [
        ("a fourth of the union",       NEAR, Jaccard, known,   25),
        ("the same of a part",          PART, Jaccard, known,   25),
        ("a short text",                NEAR, Jaccard, short,   25),
        ("a part of a short text",      PART, Jaccard, short,   37),
        ("close to all of it",          PART, Jaccard, half,    73),
        ("all but four bits",           NEAR, Hamming, known,   60),
        ("the greater coverage",        PART, Covered, known,   30),
        ("passages were not sought",    PART, Covered, unknown, 0),
        ("an empty set",                PART, Jaccard, none,    0),
        ("no fingerprint",              NEAR, Hamming, none,    0),
        ("a near-duplicate",            PART, Jaccard, near,    100),
        ("a near-duplicate, covered",   PART, Covered, near,    100),
        ("what is asked for",           NEAR, Jaccard, near,    25),
        ("the same words",              NEAR, Jaccard, same,    100),
        ("the same words, in bits",     NEAR, Hamming, same,    64),
        ("the same words, covered",     PART, Covered, same,    100),
    ];
    for (why, target, measure, comparison, want) in table {
        assert_eq!(target.reached(measure, &comparison), want, "{why}");
    }
}

#[test]
fn a_limit_stays_within_those_of_the_other_rung() {
    let open = Limits { jaccard: None, ..LIMITS };
    #[rustfmt::skip]
    let table = [
        ("above partial pairs",    NEAR, Jaccard, 12, 100),
        ("bits",                   NEAR, Hamming, 1,  64),
        ("all of a text",          PART, Covered, 1,  100),
        ("below near-duplicates",  PART, Jaccard, 1,  50),
        ("no near-duplicates",     Target { limits: open, ..PART }, Jaccard, 1, 100),
    ];
    for (why, target, measure, first, last) in table {
        assert_eq!(target.steps(measure), (first..=last).collect::<Vec<_>>(), "{why}");
    }
}

#[test]
fn a_rule_leaves_the_other_limits_alone() {
    let quarter = Ratio::hundredths(25);
    let least = Limit::Least(quarter);
    let limits = |target: Target, chosen: Option<(Measure, Limit)>| target.rule(chosen).limits;
    assert_eq!(limits(NEAR, None), Limits { hamming: None, jaccard: None, ..LIMITS });
    let near = Limits { hamming: Some(9), jaccard: None, ..LIMITS };
    assert_eq!(limits(NEAR, Some((Hamming, Limit::Most(9)))), near);
    let near = Limits { hamming: None, jaccard: Some(quarter), ..LIMITS };
    assert_eq!(limits(NEAR, Some((Jaccard, least))), near);
    let none = Limits { hamming: Some(3), jaccard: Some(Ratio::hundredths(50)), ..Limits::OFF };
    assert_eq!(limits(PART, None), none);
    let part = Limits { partial_jaccard: Some(quarter), ..none };
    assert_eq!(limits(PART, Some((Jaccard, least))), part);
    let covered = Limits { coverage: Some(quarter), ..none };
    assert_eq!(limits(PART, Some((Covered, least))), covered);
    let rule = Rule { limits: Limits { coverage: Some(quarter), ..part }, rung: Rung::Partial };
    let found = [Jaccard, Covered, Hamming].map(|measure| rule.limit_of(measure));
    assert_eq!(found, [Some(least), Some(least), None]);
}

/// The answers of a rule are those that the steps of its measure give.
#[test]
fn a_rule_decides_by_steps() {
    let pairs = [0, 3, 4, 64].into_iter().flat_map(|bits| {
        let figures = [0, 1, 8, 12, 13, 33, 34, 49, 50, 51, 66, 67, 100];
        figures.into_iter().flat_map(move |jaccard| {
            [[0, 0], [20, 7], [7, 20], [100, 1]].map(|covered| pair(bits, jaccard, covered))
        })
    });
    for one in pairs {
        for (same_words, least_words) in [(false, 100), (false, 99), (true, 100)] {
            let comparison = Comparison { same_words, least_words, ..one };
            for target in [NEAR, PART] {
                for measure in target.rung.measures() {
                    for steps in 1..=measure.max_steps() {
                        let want = target.reached(measure, &comparison) >= steps;
                        let limit = measure.limit(steps);
                        let found = target.rule(Some((measure, limit))).holds(&comparison);
                        assert_eq!(found, want, "{measure:?} {limit:?} {comparison:?}");
                    }
                }
            }
        }
    }
}
