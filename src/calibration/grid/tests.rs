use proptest::prelude::*;

use super::Counts;
use super::*;
use crate::calibration::Rung;
use crate::jaccard::{Overlap, Share};
use crate::shingles::Variety;
use crate::sketch::Coverage;
use crate::verdict::Limits;
use crate::verdict::ratio::Ratio;

/// Creates figures of two long texts with a Hamming distance, and a Jaccard index and a coverage in
/// hundredths.
fn pair(bits: u32, jaccard: usize, coverage: usize) -> Comparison {
    let [left, right] = [coverage, coverage / 2].map(|words| Share::new(words, 100));
    Comparison {
        same_words: false,
        hamming: Some(bits),
        all: Overlap { shared: jaccard, left: 100, right: jaccard.max(1) },
        longest: Overlap::default(),
        passages: Some(Coverage { passages: 1, left, right, longest: 12 }),
        least_words: 100,
        variety: Variety::Varied,
    }
}

fn short(jaccard: usize) -> Comparison {
    Comparison { least_words: 99, ..pair(32, jaccard, 0) }
}

fn target(hamming: Option<u32>, jaccard: Option<Ratio>) -> Target {
    Target { rung: Rung::Partial, limits: Limits { hamming, jaccard, ..Limits::OFF } }
}

/// A pair, its label, and how many times it counts.
type Row = (Comparison, bool, usize);

fn best(pairs: &[Row], target: &Target) -> Option<Rule> {
    let grid = Grid::new(pairs.iter().map(|(comparison, _, _)| comparison), target);
    let labels: Vec<bool> = pairs.iter().map(|(_, label, _)| *label).collect();
    let times: Vec<usize> = pairs.iter().map(|(_, _, times)| *times).collect();
    Some(grid.best(&labels, &times, &mut Counting::default())?.rule(target))
}

#[test]
fn the_best_cell_is_amid_others_as_good() {
    #[rustfmt::skip]
    let table: &[(&str, &[Row], Option<[&str; 2]>)] = &[
        ("nothing",      &[], None),
        ("no yes",       &[(pair(32, 10, 10), false, 1)], None),
        ("without weight", &[(pair(32, 10, 10), true, 0), (pair(32, 5, 5), false, 1)], None),
        // F1 is 1 if j is 21 to 50 and c is 41 to 80, and in a corner above that: the first square
        // of 30 by 30 cells ends at 50 and 70.
        (
            "parted",
            &[
                (pair(32, 30, 80), true, 1), (pair(32, 10, 90), true, 1),
                (pair(32, 20, 40), false, 1), (pair(32, 5, 10), false, 1),
            ],
            Some(["0.36", "0.56"]),
        ),
        // Both pairs reach every cell.
        ("near-duplicates", &[(pair(3, 0, 0), true, 1), (pair(2, 0, 0), false, 1)], Some(["0.26", "0.26"])),
        ("by the index", &[(pair(32, 50, 0), true, 1), (pair(32, 99, 0), false, 1)], Some(["0.26", "0.26"])),
        // One best cell: j = 1 and c = 1.
        ("the loosest",  &[(pair(32, 1, 0), true, 1), (pair(32, 0, 1), true, 1)], Some(["0.01", "0.01"])),
        // A short text with 0.08 reaches 0.12, and one with 0.07 reaches 0.10: j is 11 to 12, and
        // no coverage decides.
        ("short texts",  &[(short(8), true, 1), (short(7), false, 1)], Some(["0.12", "0.02"])),
    ];
    let target = target(Some(3), Some(Ratio::hundredths(50)));
    for (why, pairs, want) in table {
        let limits = want.map(|[jaccard, coverage]| Limits {
            partial_jaccard: jaccard.parse().ok(),
            coverage: coverage.parse().ok(),
            ..target.limits
        });
        let want = limits.map(|limits| Rule { limits, rung: Rung::Partial });
        assert_eq!(best(pairs, &target), want, "{why}");
    }
}

#[test]
fn no_cell_is_above_the_limit_of_near_duplicates() {
    let pairs = [(pair(32, 30, 0), true, 1), (pair(32, 20, 0), false, 1)];
    #[rustfmt::skip]
    let table = [
        ("off",          None,        Some("0.26")), // 21 to 30
        ("a part of it", Some("0.24"), Some("0.23")), // 21 to 24
        ("between steps", Some("0.229"), Some("0.22")), // 21 to 22
        ("no step",      Some("0.009"), None),
    ];
    for (why, jaccard, want) in table {
        let target = target(None, jaccard.map(|typed| typed.parse().unwrap()));
        let found = best(&pairs, &target).map(|rule| rule.limits.partial_jaccard);
        assert_eq!(found, want.map(|typed| typed.parse().ok()), "{why}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]
    #[test]
    fn no_cell_is_better_than_the_best(
        pairs in proptest::collection::vec((0_u32..8, 0_usize..=100, 0_usize..=100, 90_usize..110, any::<bool>(), 0_usize..3), 1..12),
        hamming in proptest::option::of(0_u32..6),
        jaccard in proptest::option::of(1_u64..100),
    ) {
        let target = target(hamming, jaccard.map(Ratio::hundredths));
        let pairs: Vec<Row> = pairs
            .into_iter()
            .map(|(bits, jaccard, coverage, least_words, label, times)| {
                (Comparison { least_words, ..pair(bits, jaccard, coverage) }, label, times)
            })
            .collect();
        let score = |rule: &Rule| {
            let mut counts = Counts::default();
            for (pair, label, times) in &pairs {
                counts.add((rule.holds(pair), *label), *times);
            }
            counts.f1().map_or(0.0, Share::ratio)
        };
        let most = usize::try_from(jaccard.unwrap_or(100)).unwrap();
        let cells = (1..=most).flat_map(|jaccard| {
            (1..=100).map(move |coverage| Cell { jaccard, coverage })
        });
        let most = cells.map(|cell| score(&cell.rule(&target))).fold(0.0, f64::max);
        match best(&pairs, &target) {
            Some(rule) => prop_assert!((score(&rule) - most).abs() < 1e-12),
            None => prop_assert!(most <= 0.0),
        }
    }
}
