use super::*;
use crate::jaccard::Overlap;

fn of(bits: Option<u32>, all: [usize; 3], longest: [usize; 3]) -> Comparison {
    let overlap = |[shared, left, right]: [usize; 3]| Overlap { shared, left, right };
    Comparison {
        same_words: false,
        hamming: bits,
        all: overlap(all),
        longest: overlap(longest),
        counted: None,
    }
}

#[test]
fn the_greater_the_closer() {
    let known = of(Some(4), [1, 2, 3], [3, 12, 6]);
    let few = of(Some(4), [1, 2, 3], [2, 2, 6]);
    let none = of(None, [0, 0, 3], [0, 0, 2]);
    #[rustfmt::skip]
    let table = [
        ("a fourth of the union",   Measure::Jaccard,     known, Some(0.25)),
        ("half of the smaller",     Measure::Containment, known, Some(0.5)),
        ("two shared by chance",    Measure::Containment, few, None),
        ("all but four bits",       Measure::Hamming,     known, Some(60.0)),
        ("an empty set",            Measure::Jaccard,     none, None),
        ("an empty set of longest", Measure::Containment, none, None),
        ("no fingerprint",          Measure::Hamming,     none, None),
    ];
    for (why, measure, comparison, want) in table {
        assert_eq!(measure.closeness(&comparison), want, "{why}");
        let same = Comparison { same_words: true, ..comparison };
        let closest = if measure == Measure::Hamming { 64.0 } else { 1.0 };
        assert_eq!(measure.closeness(&same), Some(closest), "{why}, the same words");
    }
}

#[test]
fn a_limit_is_the_middle_in_few_digits() {
    let least = |typed: &str| Limit::Least(typed.parse().unwrap());
    let third = 1.0 / 3.0;
    #[rustfmt::skip]
    let table = [
        ("wide",                 Measure::Jaccard,     Some(0.4),  0.8,    least("0.6")),
        ("all are in",           Measure::Containment, None,       0.5,    least("0.25")),
        ("0 is in",              Measure::Jaccard,     None,       0.0,    least("0")),
        ("from 0 to 1",          Measure::Jaccard,     Some(0.0),  1.0,    least("0.5")),
        ("in its middle half",   Measure::Jaccard,     Some(third), 0.34,  least("0.337")),
        ("narrow",               Measure::Jaccard,     Some(0.5),  0.500_002, least("0.500001")),
        ("bits from 3 to 9",     Measure::Hamming,     Some(54.0), 61.0,   Limit::Most(6)),
        ("bits from 3 to 4",     Measure::Hamming,     Some(59.0), 61.0,   Limit::Most(3)),
        ("one number of bits",   Measure::Hamming,     Some(60.0), 61.0,   Limit::Most(3)),
        ("any bits from 3 on",   Measure::Hamming,     None,       61.0,   Limit::Most(33)),
    ];
    for (why, measure, out, within, want) in table {
        assert_eq!(measure.limit(Span { out, within }), want, "{why}");
    }
}

/// The answers of a rule are those that its measure's closeness gives.
#[test]
fn a_rule_goes_by_its_measure_alone() {
    for bits in [0, 3, 4, 64] {
        for shared in [0, 1, 2, 3, 4] {
            for longest in [0, 2, 3, 6] {
                let one = of(Some(bits), [shared, 4, shared], [longest, 6, 12]);
                for same_words in [false, true] {
                    let comparison = Comparison { same_words, ..one };
                    for measure in Measure::ALL {
                        for limit in measure.curve() {
                            let closeness = measure.closeness(&comparison);
                            let want = closeness.is_some_and(|it| it >= limit.closeness());
                            let found = measure.rule(limit).holds(&comparison);
                            assert_eq!(found, want, "{measure:?} {limit:?} {comparison:?}");
                        }
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
    assert_eq!(values(Measure::Hamming), (0..=64).map(f64::from).collect::<Vec<_>>());
    let shares = values(Measure::Jaccard);
    let told = [0, 50, 93, 100].map(|at: usize| shares[at].to_string());
    assert_eq!(told, ["1", "0.5", "0.07", "0"]);
    assert_eq!((shares.len(), values(Measure::Containment)), (101, shares));
}
