use super::*;
use crate::jaccard::Overlap;

/// A pair of two texts of its own, with a Jaccard index and containments of so many hundredths.
fn pair(number: u32, label: Label, jaccard: usize) -> Labelled {
    let overlap = |right| Overlap { shared: jaccard, left: 100, right };
    let comparison = Comparison {
        same_words: false,
        hamming: Some(20),
        all: overlap(jaccard),
        longest: overlap(100),
        counted: None,
    };
    Labelled { texts: [2 * number, 2 * number + 1], label, comparison }
}

/// No limit is reached.
const OFF: Limits =
    Limits { hamming: None, jaccard: None, containment: None, weighted_jaccard: None };

fn threads(threads: usize) -> NonZeroUsize {
    NonZeroUsize::new(threads).unwrap()
}

fn calibrated(pairs: &[Labelled]) -> Result<Calibration, OneSided> {
    Calibration::of(pairs, 32, &Limits::default(), threads(2))
}

/// Eight pairs of each label, all of one label alike.
fn parted() -> Vec<Labelled> {
    let yes = (0..8).map(|number| pair(number, Label::Yes, 80));
    yes.chain((8..16).map(|number| pair(number, Label::No, 20))).collect()
}

#[test]
fn a_limit_lies_between_what_it_parts() {
    let calibration = calibrated(&parted()).unwrap();
    let half = Extent { texts: 16, positives: 4, negatives: 4 };
    let all = Extent { texts: 32, positives: 8, negatives: 8 };
    assert_eq!(
        [calibration.all, calibration.chosen_on, calibration.held_against],
        [all, half, half]
    );
    assert_eq!((calibration.together, calibration.across), (Some(Together::Pairs), 0));
    assert_eq!(calibration.best, 0);
    let jaccard = &calibration.chosen[0];
    assert_eq!(jaccard.kind, Kind::Alone(Measure::Jaccard));
    assert_eq!(jaccard.rule.limits.jaccard, Some("0.5".parse().unwrap()));
    let at = |value| Some(Interval { low: value, high: value });
    // Where no pair labelled no is drawn, the middle of 0 and 0.8.
    assert_eq!(jaccard.limits, [Some(Interval { low: 0.4, high: 0.5 })]);
    let right = Counts { true_positives: 4, true_negatives: 4, ..Counts::default() };
    let one = at(1.0);
    assert_eq!(jaccard.scores, Scores { counts: right, precision: one, recall: one, f1: one });
    // The one distance that there is parts nothing: all are near, of 8 pairs half rightly.
    let hamming = &calibration.chosen[2];
    assert_eq!(hamming.rule.limits.hamming, Some(42), "the middle of 20 and 64");
    assert_eq!(hamming.scores.counts.f1(), Share::new(8, 12));
    // As they are, 0.5 is right; at partial a Jaccard index of 0.25 and a containment of 0.5.
    assert_eq!(calibration.current.map(|(rule, _)| rule.level), CURRENT);
    assert_eq!(calibration.current.map(|(_, scores)| scores.counts), [right, right]);
}

#[test]
fn a_measure_is_told_by_all_pairs() {
    let calibration = calibrated(&parted()).unwrap();
    let [jaccard, _, hamming] = &calibration.measures[..] else { panic!("three measures") };
    assert_eq!(jaccard.auc, Share::new(128, 128));
    assert_eq!(hamming.auc, Share::new(64, 128), "all are ties");
    let at = |hundredths: usize| jaccard.curve[100 - hundredths].1;
    let counts = |positives: usize, negatives: usize| Counts {
        true_positives: positives,
        false_positives: negatives,
        false_negatives: 8 - positives,
        true_negatives: 8 - negatives,
    };
    assert_eq!([at(81), at(80), at(21)], [counts(0, 0), counts(8, 0), counts(8, 0)]);
    assert_eq!([at(20), at(0)], [counts(8, 8), counts(8, 8)]);
}

#[test]
fn pairs_of_one_label_have_no_limit() {
    let pairs = parted();
    let sides = |pairs: &[Labelled]| {
        calibrated(pairs).map_err(|sides| [sides.positives, sides.negatives]).err()
    };
    assert_eq!(sides(&pairs[..8]), Some([8, 0]));
    assert_eq!(sides(&pairs[8..]), Some([0, 8]));
    assert_eq!(sides(&[]), Some([0, 0]));
    assert_eq!(sides(&pairs), None);
}

#[test]
fn nothing_depends_on_the_threads_or_on_the_order() {
    let pairs = parted();
    let want = calibrated(&pairs).unwrap();
    let mut turned = pairs.clone();
    turned.reverse();
    for (pairs, count) in [(&pairs, 1), (&pairs, 5), (&turned, 3)] {
        let found = Calibration::of(pairs, 32, &Limits::default(), threads(count)).unwrap();
        assert_eq!(found, want, "{count}");
    }
}

#[test]
fn what_is_to_be_doubted_is_told() {
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
    let table: &[(&str, Vec<Labelled>, &[Doubt])] = &[
        ("nothing",            bridged,      &[]),
        ("apart",              many(70, 70), &[Doubt::NoTextInBoth]),
        ("few of each half",   many(40, 70), &[Doubt::FewToChooseOn(Yes, 20), Doubt::FewToHoldAgainst(Yes, 20), Doubt::NoTextInBoth]),
        ("few",                many(29, 70), &[Doubt::Few(Yes, 29), Doubt::NoTextInBoth]),
        ("enough",             many(30, 70), &[Doubt::FewToChooseOn(Yes, 15), Doubt::FewToHoldAgainst(Yes, 15), Doubt::NoTextInBoth]),
        ("two pairs",          many(1, 1),   &[Doubt::Few(Yes, 1), Doubt::Few(No, 1), Doubt::NotSplit, Doubt::NoTextInBoth]),
    ];
    for (why, pairs, want) in table {
        let found = Calibration::of(pairs, 400, &OFF, threads(2)).unwrap();
        assert_eq!(found.doubts, *want, "{why}");
    }
    let found = Calibration::of(&star, 400, &OFF, threads(2)).unwrap();
    assert!(found.doubts.contains(&Doubt::InMostPairs(300, 200)), "{:?}", found.doubts);
}

#[test]
fn limits_that_do_as_well_as_they_are_are_told() {
    let no_better = |limits: &Limits| {
        let found = Calibration::of(&parted(), 32, limits, threads(2)).unwrap();
        found.doubts.into_iter().find(|doubt| matches!(doubt, Doubt::NoBetter(_)))
    };
    assert_eq!(no_better(&Limits::default()), Some(Doubt::NoBetter(Verdict::NearDuplicate)));
    let containment = Limits { containment: "0.6".parse().ok(), ..OFF };
    assert_eq!(no_better(&containment), Some(Doubt::NoBetter(Verdict::Partial)));
    assert_eq!(no_better(&OFF), None);
}

#[test]
fn without_halves_limits_are_held_against_all() {
    let pairs = [pair(0, Label::Yes, 80), pair(1, Label::No, 20)];
    let calibration = calibrated(&pairs).unwrap();
    let all = Extent { texts: 4, positives: 1, negatives: 1 };
    assert_eq!([calibration.chosen_on, calibration.held_against], [all, all]);
    assert_eq!((calibration.together, calibration.across), (None, 0));
    assert_eq!(calibration.chosen[0].scores.counts.f1(), Share::new(2, 2));
}
