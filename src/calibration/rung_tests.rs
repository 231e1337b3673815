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
        passages: Some(Coverage { passages: 1, left, right, longest: 12 }),
        least_words: 100,
        variety: Variety::Varied,
    }
}

#[test]
fn closeness_is_the_figure_that_a_limit_compares() {
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
        ("a fourth of the union",       NEAR, Jaccard, known,   Some(0.25)),
        ("the same of a part",          PART, Jaccard, known,   Some(0.25)),
        ("a short text",                NEAR, Jaccard, short,   Some(0.25)),
        ("a part of a short text",      PART, Jaccard, short,   Some(0.375)),
        ("close to all of it",          PART, Jaccard, half,    Some(0.735)),
        ("all but four bits",           NEAR, Hamming, known,   Some(60.0)),
        ("the greater coverage",        PART, Covered, known,   Some(0.3)),
        ("passages were not sought",    PART, Covered, unknown, None),
        ("an empty set",                PART, Jaccard, none,    None),
        ("no fingerprint",              NEAR, Hamming, none,    None),
        ("a near-duplicate",            PART, Jaccard, near,    Some(1.0)),
        ("a near-duplicate, covered",   PART, Covered, near,    Some(1.0)),
        ("what is asked for",           NEAR, Jaccard, near,    Some(0.25)),
        ("the same words",              NEAR, Jaccard, same,    Some(1.0)),
        ("the same words, in bits",     NEAR, Hamming, same,    Some(64.0)),
        ("the same words, covered",     PART, Covered, same,    Some(1.0)),
    ];
    for (why, target, measure, comparison, want) in table {
        assert_eq!(target.closeness(measure, &comparison), want, "{why}");
    }
}

#[test]
fn a_limit_is_the_middle_in_few_digits() {
    let least = |typed: &str| Limit::Least(typed.parse().unwrap());
    let third = 1.0 / 3.0;
    let off = Target { limits: Limits::OFF, ..NEAR };
    #[rustfmt::skip]
    let table = [
        ("wide",                       off,  Jaccard, 0.4,   0.8,       least("0.6")),
        ("all are in",                 PART, Covered, 0.0,   0.5,       least("0.25")),
        ("from 0 to 1",                off,  Jaccard, 0.0,   1.0,       least("0.5")),
        ("in its middle half",         off,  Jaccard, third, 0.34,      least("0.337")),
        ("narrow",                     off,  Jaccard, 0.5,   0.500_002, least("0.500001")),
        ("not below that of a part",   NEAR, Jaccard, 0.01,  0.19,      least("0.12")),
        ("just that",                  NEAR, Jaccard, 0.01,  0.12,      least("0.12")),
        ("not above that of all",      PART, Jaccard, 0.49,  0.9,       least("0.5")),
        ("bits from 3 to 9",           NEAR, Hamming, 54.0,  61.0,      Limit::Most(6)),
        ("bits from 3 to 4",           NEAR, Hamming, 59.0,  61.0,      Limit::Most(3)),
        ("one number of bits",         NEAR, Hamming, 60.0,  61.0,      Limit::Most(3)),
        ("any bits from 3 to 63",      NEAR, Hamming, 0.0,   61.0,      Limit::Most(33)),
    ];
    for (why, target, measure, out, within, want) in table {
        assert_eq!(target.limit(measure, Span { out, within }), want, "{why}");
    }
    // A limit with more digits than a double can represent.
    let typed = "0.123456789012345678";
    let limits = Limits { partial_jaccard: typed.parse().ok(), ..LIMITS };
    let span = Span { out: 0.1, within: 0.123_456_789_012_345_67 };
    assert_eq!(Target { limits, ..NEAR }.limit(Jaccard, span), least(typed));
}

#[test]
fn the_strictest_limit_is_within_the_bounds() {
    let least = |typed: &str| Limit::Least(typed.parse().unwrap());
    let open = Limits { jaccard: None, ..LIMITS };
    #[rustfmt::skip]
    let table = [
        ("all of the union",    NEAR, Jaccard, least("1"),     [0.12, 1.0]),
        ("no bit",              NEAR, Hamming, Limit::Most(0), [0.0, 64.0]),
        ("all of a text",       PART, Covered, least("1"),     [0.0, 1.0]),
        ("near-duplicates",     PART, Jaccard, least("0.5"),   [0.0, 0.5]),
        ("no near-duplicates",  Target { limits: open, ..PART }, Jaccard, least("1"), [0.0, 1.0]),
    ];
    for (why, target, measure, want, bounds) in table {
        assert_eq!(target.strictest(measure), want, "{why}");
        let [loosest, strictest] = bounds;
        assert_eq!(target.bounds(measure), Bounds { loosest, strictest }, "{why}");
    }
}

#[test]
fn a_rule_leaves_the_other_limits_alone() {
    let quarter = Ratio::hundredths(25);
    let least = Limit::Least(quarter);
    let limits = |target: Target, chosen: &[_]| target.rule(chosen).limits;
    assert_eq!(limits(NEAR, &[]), Limits { hamming: None, jaccard: None, ..LIMITS });
    let near = Limits { hamming: Some(9), jaccard: None, ..LIMITS };
    assert_eq!(limits(NEAR, &[(Hamming, Limit::Most(9))]), near);
    let near = Limits { hamming: None, jaccard: Some(quarter), ..LIMITS };
    assert_eq!(limits(NEAR, &[(Jaccard, least)]), near);
    let none = Limits { hamming: Some(3), jaccard: Some(Ratio::hundredths(50)), ..Limits::OFF };
    assert_eq!(limits(PART, &[]), none);
    let part = Limits { partial_jaccard: Some(quarter), ..none };
    assert_eq!(limits(PART, &[(Jaccard, least)]), part);
    let part = Limits { coverage: Some(quarter), ..part };
    assert_eq!(limits(PART, &[(Jaccard, least), (Covered, least)]), part);
    let rule = Rule { limits: part, rung: Rung::Partial };
    let found = [Jaccard, Covered, Hamming].map(|measure| rule.limit_of(measure));
    assert_eq!(found, [Some(least), Some(least), None]);
}

/// The answers of a rule are those that the closeness of its measure gives.
#[test]
fn a_rule_decides_by_closeness() {
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
                    for limit in measure.curve() {
                        let closeness = target.closeness(measure, &comparison);
                        let want = closeness.is_some_and(|it| it >= limit.closeness());
                        let found = target.rule(&[(measure, limit)]).holds(&comparison);
                        assert_eq!(found, want, "{measure:?} {limit:?} {comparison:?}");
                    }
                }
            }
        }
    }
}

#[test]
fn a_curve_begins_with_the_strictest() {
    let values =
        |measure: Measure| -> Vec<f64> { measure.curve().into_iter().map(Limit::value).collect() };
    assert_eq!(values(Hamming), (0..=64).map(f64::from).collect::<Vec<_>>());
    let shares = values(Jaccard);
    let printed = [0, 50, 93, 100].map(|at: usize| shares[at].to_string());
    assert_eq!(printed, ["1", "0.5", "0.07", "0"]);
    assert_eq!((shares.len(), values(Covered)), (101, shares));
}
