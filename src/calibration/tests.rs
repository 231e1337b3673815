use Label::{No, Yes};

use super::*;
use crate::jaccard::Overlap;
use crate::shingles::Variety;
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

fn calibrated(pairs: &[Labelled], rung: Rung) -> Result<Calibration, LabelCounts> {
    Calibration::new(pairs, 32, rung, &Limits::default())
}

const NEAR: Rung = Rung::NearDuplicate;
const PART: Rung = Rung::Partial;

/// Eight pairs of each label; all pairs of a label have the same figures.
fn parted() -> Vec<Labelled> {
    let yes = (0..8).map(|number| pair(number, Yes, 80));
    yes.chain((8..16).map(|number| pair(number, No, 20))).collect()
}

#[test]
fn a_limit_is_the_middle_of_what_separates() {
    let near = calibrated(&parted(), NEAR).unwrap();
    assert_eq!(near.all, LabelCounts { texts: 32, positives: 8, negatives: 8 });
    // From 0.21 to 0.80. No Hamming distance separates the pairs.
    let want = Limits { hamming: None, jaccard: Some(Ratio::hundredths(50)), ..Limits::default() };
    assert_eq!(near.limits, want);
    assert_eq!([near.f1, near.current_f1], [Share::new(8, 8).unwrap(); 2]);
    assert!(near.is_split && !near.is_worse());
    // From 0.21 to 0.50, the limit of near-duplicates.
    let part = calibrated(&parted(), PART).unwrap();
    let want = Limits {
        hamming: Some(3),
        jaccard: Some(Ratio::hundredths(50)),
        partial_jaccard: Some(Ratio::hundredths(35)),
        ..Limits::OFF
    };
    assert_eq!(part.limits, want);
    // All pairs reach the current limit of 0.12.
    assert_eq!(
        [part.f1, part.current_f1],
        [Share::new(8, 8), Share::new(8, 12)].map(Option::unwrap)
    );
}

#[test]
fn the_measure_that_separates_is_chosen() {
    let bits = |pair: &mut Labelled| {
        let is_yes = pair.label == Yes;
        pair.comparison.hamming = Some(if is_yes { 10 } else { 30 });
        pair.comparison.all = Overlap { shared: 50, left: 100, right: 50 };
    };
    let mut pairs = parted();
    pairs.iter_mut().for_each(bits);
    let limits = calibrated(&pairs, NEAR).unwrap().limits;
    // From 10 to 29.
    assert_eq!((limits.jaccard, limits.hamming), (None, Some(20)));
    let mut pairs = parted();
    for pair in &mut pairs {
        pair.comparison.all = Overlap { shared: 30, left: 100, right: 30 };
    }
    let limits = calibrated(&pairs, PART).unwrap().limits;
    // From 0.11 to 0.40.
    assert_eq!(limits.partial_jaccard, None);
    assert_eq!(limits.coverage, Some(Ratio::hundredths(25)));
}

/// If no limit finds a pair labelled yes, the strictest is taken.
#[test]
fn without_figures_limits_are_the_strictest() {
    let overlap = Overlap { shared: 0, left: 100, right: 100 };
    let without = |pair: Labelled| {
        let comparison =
            Comparison { hamming: None, all: overlap, passages: None, ..pair.comparison };
        Labelled { comparison, ..pair }
    };
    let pairs: Vec<Labelled> = parted().into_iter().map(without).collect();
    let near = calibrated(&pairs, NEAR).unwrap();
    assert_eq!(near.limits.jaccard, Some(Ratio::hundredths(100)));
    assert_eq!(near.f1.shared(), 0);
    let part = calibrated(&pairs, PART).unwrap();
    assert_eq!(part.limits.partial_jaccard, Some(Ratio::hundredths(50)));
}

#[test]
fn limits_stay_within_those_of_the_other_rung() {
    let limits = Limits::default();
    let ends = |candidates: &[Limits], of: fn(&Limits) -> Option<String>| {
        [&candidates[0], &candidates[candidates.len() - 1]].map(|it| of(it).unwrap())
    };
    let [jaccard, hamming] = NEAR.candidates(&limits);
    assert_eq!(ends(&jaccard, |it| Some(it.jaccard?.to_string())), ["0.12", "1"]);
    assert_eq!(ends(&hamming, |it| Some(it.hamming?.to_string())), ["63", "0"]);
    let [jaccard, coverage] = PART.candidates(&limits);
    assert_eq!(ends(&jaccard, |it| Some(it.partial_jaccard?.to_string())), ["0.01", "0.5"]);
    assert_eq!(ends(&coverage, |it| Some(it.coverage?.to_string())), ["0.01", "1"]);
}

#[test]
fn pairs_of_one_label_have_no_limit() {
    let pairs = parted();
    let sides = |pairs: &[Labelled]| {
        calibrated(pairs, NEAR).map_err(|counts| [counts.positives, counts.negatives]).err()
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
fn without_halves_limits_are_evaluated_on_all_pairs() {
    let pairs = [pair(0, Yes, 80), pair(1, No, 20)];
    let calibration = calibrated(&pairs, NEAR).unwrap();
    assert_eq!(calibration.all, LabelCounts { texts: 4, positives: 1, negatives: 1 });
    assert!(!calibration.is_split);
    assert_eq!(calibration.f1, Share::new(2, 2).unwrap());
}

#[test]
fn f1_is_made_of_counts() {
    let limits = Limits { jaccard: Some(Ratio::hundredths(50)), ..Limits::OFF };
    let pairs = |rows: &[(Label, usize)]| -> Vec<Labelled> {
        (0..).zip(rows).map(|(number, (label, jaccard))| pair(number, *label, *jaccard)).collect()
    };
    #[rustfmt::skip]
    let table: &[(&str, &[(Label, usize)], [usize; 2])] = &[
        ("all right",    &[(Yes, 80), (No, 20)],                       [2, 2]),
        ("one too many", &[(Yes, 80), (No, 80)],                       [2, 3]),
        ("one missed",   &[(Yes, 80), (Yes, 20), (No, 20)],            [2, 3]),
        ("both",         &[(Yes, 80), (Yes, 20), (No, 80), (No, 20)],  [2, 4]),
        ("never yes",    &[(Yes, 20), (No, 20)],                       [0, 1]),
    ];
    for (why, rows, [right, total]) in table {
        let pairs = pairs(rows);
        let pairs: Vec<&Labelled> = pairs.iter().collect();
        assert_eq!(f1(&pairs, NEAR, &limits), Share::new(*right, *total).unwrap(), "{why}");
    }
}
