use proptest::prelude::*;

use super::super::counts::Counts;
use super::*;
use crate::jaccard::Overlap;

/// A pair with so many bits, and so many hundredths of both figures.
fn of(bits: u32, jaccard: usize, containment: usize) -> Comparison {
    Comparison {
        same_words: false,
        hamming: Some(bits),
        all: Overlap { shared: jaccard, left: 100, right: jaccard.max(1) },
        longest: Overlap { shared: 10 * containment, left: 1_000, right: 2_000 },
        counted: None,
    }
}

fn best(pairs: &[(Comparison, bool, usize)], hamming: Option<u32>) -> Option<Rule> {
    let grid = Grid::of(pairs.iter().map(|(comparison, _, _)| comparison), hamming);
    let labels: Vec<bool> = pairs.iter().map(|(_, label, _)| *label).collect();
    let times: Vec<usize> = pairs.iter().map(|(_, _, times)| *times).collect();
    let cell = grid.best(&labels, &times, &mut Counting::default())?;
    Some(grid.rule(cell))
}

#[test]
fn the_best_cell_is_amid_others_as_good() {
    #[rustfmt::skip]
    let table: &[(&str, &[(Comparison, bool, usize)], Option<[&str; 2]>)] = &[
        ("nothing",      &[], None),
        ("no yes",       &[(of(32, 10, 10), false, 1)], None),
        ("without weight", &[(of(32, 10, 10), true, 0), (of(32, 5, 5), false, 1)], None),
        // F1 is 1 where j is 21 to 50 and c 41 to 80, and in a corner above: the first square
        // of 30 cells ends at 50 and 70.
        ("parted",       &[(of(32, 30, 80), true, 1), (of(32, 10, 90), true, 1), (of(32, 20, 40), false, 1), (of(32, 5, 10), false, 1)], Some(["0.72", "0.56"])),
        // The one no is in every cell, and so is the yes.
        ("all the same", &[(of(3, 0, 0), true, 1), (of(2, 0, 0), false, 1)], Some(["0.52", "0.26"])),
        // One cell: j at 1 and c at 1.
        ("the loosest",  &[(of(32, 1, 0), true, 1), (of(32, 0, 1), true, 1)], Some(["0.02", "0.01"])),
    ];
    for (why, pairs, want) in table {
        let limits = want.map(|[jaccard, containment]| Limits {
            hamming: Some(3),
            jaccard: jaccard.parse().ok(),
            containment: containment.parse().ok(),
            weighted_jaccard: None,
        });
        let want = limits.map(|limits| Rule { limits, level: Verdict::Partial });
        assert_eq!(best(pairs, Some(3)), want, "{why}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]
    #[test]
    fn no_cell_is_better_than_the_best(
        pairs in proptest::collection::vec((0_u32..8, 0_usize..=100, 0_usize..=100, any::<bool>(), 0_usize..3), 1..12),
        hamming in proptest::option::of(0_u32..6),
    ) {
        let pairs: Vec<(Comparison, bool, usize)> = pairs
            .into_iter()
            .map(|(bits, jaccard, containment, label, times)| (of(bits, jaccard, containment), label, times))
            .collect();
        let score = |rule: &Rule| {
            let mut counts = Counts::default();
            for (pair, label, times) in &pairs {
                counts.add((rule.holds(pair), *label), *times);
            }
            counts.f1().map_or(0.0, Share::ratio)
        };
        let grid = Grid::of(pairs.iter().map(|(pair, _, _)| pair), hamming);
        let cells = (1..=JACCARD).flat_map(|jaccard| {
            (1..=CONTAINMENT).map(move |containment| Cell { jaccard, containment })
        });
        let most = cells.map(|cell| score(&grid.rule(cell))).fold(0.0, f64::max);
        match best(&pairs, hamming) {
            Some(rule) => prop_assert!((score(&rule) - most).abs() < 1e-12),
            None => prop_assert!(most <= 0.0),
        }
    }
}
