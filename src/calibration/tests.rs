use proptest::prelude::*;

use super::*;
use crate::jaccard::Overlap;
use crate::sketch::Coverage;

/// Creates a pair of two texts that are in no other pair; `jaccard` is in hundredths, and the
/// coverage of right is half as great.
fn pair(number: u32, label: Label, jaccard: usize) -> Labelled {
    let [left, right] = [0, jaccard].map(|words| Share::new(words, 200));
    let comparison = Comparison {
        same_words: false,
        hamming: Some(20),
        all: Overlap { shared: jaccard, left: 100, right: jaccard },
        longest: Overlap::default(),
        passages: Some(Coverage { passages: 1, left, right, longest: 12, ..Coverage::default() }),
        least_words: 100,
        variety: Variety::Varied,
    };
    Labelled { texts: [2 * number, 2 * number + 1], label, comparison }
}

fn calibrated(pairs: &[Labelled], rung: Rung) -> Result<Calibration, OneSided> {
    Calibration::new(pairs, 32, rung, &Limits::default())
}

const NEAR: Rung = Rung::NearDuplicate;
const PART: Rung = Rung::Partial;

/// Eight pairs of each label; all pairs of a label have the same figures.
fn parted() -> Vec<Labelled> {
    let yes = (0..8).map(|number| pair(number, Label::Yes, 80));
    yes.chain((8..16).map(|number| pair(number, Label::No, 20))).collect()
}

#[test]
fn a_limit_is_the_middle_of_what_separates() {
    let calibration = calibrated(&parted(), NEAR).unwrap();
    assert_eq!(calibration.all, LabelCounts { texts: 32, positives: 8, negatives: 8 });
    assert_eq!((calibration.rung, calibration.best), (NEAR, 0));
    let [jaccard, hamming] = &calibration.chosen[..] else { panic!("two rules") };
    assert_eq!(jaccard.measure, Measure::Jaccard);
    // Of 0.21 to 0.80.
    let chosen =
        Limits { hamming: None, jaccard: Some(Ratio::hundredths(50)), ..Limits::default() };
    assert_eq!(jaccard.rule, Rule { limits: chosen, rung: NEAR });
    let right = Counts { true_positives: 4, true_negatives: 4, ..Counts::default() };
    assert_eq!(jaccard.counts, right);
    // All pairs have the same distance, which separates nothing: all are answered yes, half of the
    // 8 wrongly.
    assert_eq!(hamming.rule.limits.hamming, Some(42), "the middle of 63 to 20");
    assert_eq!(hamming.counts.f1(), Share::new(8, 12));
    // The current limit of 0.5 gives right answers.
    assert_eq!(calibration.current.0, Rule { limits: Limits::default(), rung: NEAR });
    assert_eq!(calibration.current.1, right);
}

/// The pairs labelled yes are near-duplicates: every rule answers yes for them, whatever the limits
/// for partial pairs are.
#[test]
fn limits_of_a_part_lie_below_those_of_near_duplicates() {
    let calibration = calibrated(&parted(), PART).unwrap();
    let limits = |chosen: &Chosen| {
        let limits = chosen.rule.limits;
        [limits.partial_jaccard, limits.coverage].map(|limit| limit.map(|it| it.to_string()))
    };
    // From 0.21 to 0.5, and from 0.11 to 1.
    let want = [[Some("0.35"), None], [None, Some("0.55")]];
    let found: Vec<_> = calibration.chosen.iter().map(limits).collect();
    assert_eq!(found, want.map(|limits| limits.map(|limit| limit.map(str::to_owned))));
    for chosen in &calibration.chosen {
        let limits = &chosen.rule.limits;
        assert_eq!((limits.hamming, limits.containment), (Some(3), None));
        assert_eq!(limits.jaccard, Some(Ratio::hundredths(50)));
        assert_eq!(chosen.counts.f1(), Share::new(8, 8));
    }
    // All pairs reach the current limit of 0.12.
    assert_eq!(calibration.current.1.f1(), Share::new(8, 12));
}

/// If no pair labelled yes has a figure, or all of their figures are 0, the strictest limit is
/// taken.
#[test]
fn without_figures_limits_are_the_strictest() {
    let without = |passages: Option<Coverage>| -> Vec<Labelled> {
        let overlap = Overlap { shared: 0, left: 100, right: 100 };
        let pairs = parted().into_iter().map(|pair| {
            let comparison =
                Comparison { hamming: None, all: overlap, passages, ..pair.comparison };
            Labelled { comparison, ..pair }
        });
        pairs.collect()
    };
    let [left, right] = [Share::new(0, 100); 2];
    let none = Coverage { passages: 0, left, right, longest: 0, ..Coverage::default() };
    for passages in [None, Some(none)] {
        let near = calibrated(&without(passages), NEAR).unwrap();
        let limits: Vec<Limits> = near.chosen.iter().map(|chosen| chosen.rule.limits).collect();
        let one = Some("1".parse().unwrap());
        let others = Limits { hamming: None, jaccard: None, ..Limits::default() };
        let want = [Limits { jaccard: one, ..others }, Limits { hamming: Some(0), ..others }];
        assert_eq!(limits, want);
        let part = calibrated(&without(passages), PART).unwrap();
        let [jaccard, coverage] = &part.chosen[..] else { panic!("two rules") };
        assert_eq!(jaccard.rule.limits.partial_jaccard, Some(Ratio::hundredths(50)));
        assert_eq!(coverage.rule.limits.coverage, one);
        assert_eq!(coverage.counts.f1(), Share::new(0, 4), "no pair reaches it");
        for chosen in near.chosen.iter().chain(&part.chosen) {
            assert_eq!(chosen.counts.true_negatives, 4);
        }
        assert_eq!(
            near.warnings.contains(&Warning::NoBetter),
            part.warnings.contains(&Warning::NoBetter)
        );
    }
}

#[test]
fn pairs_of_one_label_have_no_limit() {
    let pairs = parted();
    let sides = |pairs: &[Labelled]| {
        calibrated(pairs, NEAR).map_err(|sides| [sides.positives, sides.negatives]).err()
    };
    assert_eq!(sides(&pairs[..8]), Some([8, 0]));
    assert_eq!(sides(&pairs[8..]), Some([0, 8]));
    assert_eq!(sides(&[]), Some([0, 0]));
    assert_eq!(sides(&pairs), None);
}

#[test]
fn nothing_depends_on_the_order() {
    let pairs = parted();
    let mut turned = pairs.clone();
    turned.reverse();
    for rung in [NEAR, PART] {
        assert_eq!(calibrated(&turned, rung), calibrated(&pairs, rung));
    }
}

#[test]
fn each_reason_to_doubt_the_limits_is_reported() {
    use Label::{No, Yes};
    let many = |yes: u32, no: u32| -> Vec<Labelled> {
        let positives = (0..yes).map(|number| pair(number, Yes, 80));
        positives.chain((yes..yes + no).map(|number| pair(number, No, 20))).collect()
    };
    let mut bridged = many(70, 70);
    bridged.push(Labelled { texts: [0, 200], ..pair(0, No, 20) });
    let mut star = many(70, 70);
    star.extend((0..100).map(|other| Labelled { texts: [300, other], ..pair(0, No, 20) }));
    star.extend((100..200).map(|other| Labelled { texts: [300, other], ..pair(0, Yes, 80) }));
    #[rustfmt::skip]
    let table: &[(&str, Vec<Labelled>, &[Warning])] = &[
        ("nothing",            bridged,      &[]),
        ("apart",              many(70, 70), &[Warning::NoTextInBoth]),
        ("few in each half",   many(40, 70), &[Warning::Few(Yes, 20), Warning::NoTextInBoth]),
        ("fewer in one",       many(70, 59), &[Warning::Few(No, 29), Warning::NoTextInBoth]),
        ("two pairs",          many(1, 1),   &[Warning::NotSplit, Warning::Few(Yes, 1), Warning::Few(No, 1), Warning::NoTextInBoth]),
    ];
    for (why, pairs, want) in table {
        let found = Calibration::new(pairs, 400, NEAR, &Limits::OFF).unwrap();
        assert_eq!(found.warnings, *want, "{why}");
    }
    let found = Calibration::new(&star, 400, NEAR, &Limits::OFF).unwrap();
    assert!(found.warnings.contains(&Warning::InMostPairs(300, 200)), "{:?}", found.warnings);
}

#[test]
fn current_limits_that_do_as_well_are_named() {
    let is_no_better = |rung, limits: &Limits| {
        let found = Calibration::new(&parted(), 32, rung, limits).unwrap();
        found.warnings.contains(&Warning::NoBetter)
    };
    assert!(is_no_better(NEAR, &Limits::default()));
    assert!(!is_no_better(PART, &Limits::default()));
    let coverage = Limits { coverage: "0.2".parse().ok(), ..Limits::OFF };
    assert!(is_no_better(PART, &coverage));
    assert!(!is_no_better(NEAR, &Limits::OFF));
}

#[test]
fn without_halves_limits_are_held_against_all() {
    let pairs = [pair(0, Label::Yes, 80), pair(1, Label::No, 20)];
    let calibration = calibrated(&pairs, NEAR).unwrap();
    let all = LabelCounts { texts: 4, positives: 1, negatives: 1 };
    assert_eq!(calibration.all, all);
    assert!(calibration.warnings.contains(&Warning::NotSplit));
    assert_eq!(calibration.chosen[0].counts.f1(), Share::new(2, 2));
}

/// Returns the greatest F1 of the rules with any limit of a measure, in hundredths or bits.
fn best_by_trying(pairs: &[&Labelled], target: &Target, measure: Measure) -> Option<Share> {
    let limits: Vec<Limit> = match measure {
        Measure::Hamming => (0..64).map(Limit::Most).collect(),
        _ => (1..=100).map(|part| Limit::Least(Ratio::hundredths(part))).collect(),
    };
    let rules = limits.into_iter().map(|limit| target.rule(Some((measure, limit))));
    let f1 =
        rules.filter(|rule| is_allowed(&rule.limits)).filter_map(|rule| count(pairs, &rule).f1());
    f1.reduce(|best, it| if is_greater(Some(it), Some(best)) { it } else { best })
}

/// Reports whether the program accepts the limits.
fn is_allowed(limits: &Limits) -> bool {
    limits.partial_jaccard.zip(limits.jaccard).is_none_or(|(partial, whole)| partial <= whole)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn no_limit_is_better_than_the_chosen_one(
        rows in proptest::collection::vec((0_usize..=100, 0_usize..=100, 0_u32..=64, 90_usize..110, any::<bool>()), 2..12),
        partial in 1_u64..99,
        jaccard in proptest::option::of(1_u64..99),
        hamming in proptest::option::of(0_u32..=64),
    ) {
        let pairs: Vec<Labelled> = (0..).zip(rows).map(|(number, (jaccard, coverage, bits, least_words, label))| {
            let label = if label { Label::Yes } else { Label::No };
            let left = Share::new(coverage, 100);
            let passages = Some(Coverage { passages: 1, left, right: left, longest: 12, ..Coverage::default() });
            let known = pair(number, label, jaccard);
            let all = Overlap { right: jaccard.max(1), ..known.comparison.all };
            let comparison = Comparison { hamming: Some(bits), passages, least_words, all, ..known.comparison };
            Labelled { comparison, ..known }
        }).collect();
        let pairs: Vec<&Labelled> = pairs.iter().collect();
        let jaccard = jaccard.map(|jaccard| Ratio::hundredths(jaccard.max(partial)));
        let partial_jaccard = Some(Ratio::hundredths(partial));
        let limits = Limits { hamming, jaccard, partial_jaccard, ..Limits::default() };
        for rung in [NEAR, PART] {
            let target = Target { rung, limits };
            for measure in rung.measures() {
                let rule = choose(&pairs, &target, measure);
                prop_assert!(is_allowed(&rule.limits), "{rule:?}");
                let found = count(&pairs, &rule).f1();
                // Without a pair labelled yes, no rule is better than one that finds none.
                let tried = best_by_trying(&pairs, &target, measure).filter(|it| it.shared() > 0);
                prop_assert!(!is_greater(tried, found), "{found:?} {tried:?} {rule:?}");
            }
        }
    }
}
