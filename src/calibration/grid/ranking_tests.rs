use proptest::prelude::*;

use super::*;

/// The closeness of a pair, its label, and how many times it counts.
type Row = (Option<f64>, bool, usize);

fn parts(rows: &[Row]) -> (Ranking, Vec<bool>, Vec<usize>) {
    let ranking = Ranking::new(rows.iter().map(|row| row.0));
    (ranking, rows.iter().map(|row| row.1).collect(), rows.iter().map(|row| row.2).collect())
}

/// Any limit above 0 is allowed.
const ANY: Bounds = Bounds { loosest: 0.0, strictest: 1.0 };

fn best(rows: &[Row], bounds: Bounds) -> Option<Span> {
    let (ranking, labels, times) = parts(rows);
    ranking.best(&labels, &times, bounds)
}

const YES: bool = true;
const NO: bool = false;

#[test]
fn the_best_limits_are_a_span_between_two_pairs() {
    let at = Some;
    let span = |out: f64, within: f64| Some(Span { out, within });
    #[rustfmt::skip]
    let table: &[(&str, &[Row], Option<Span>)] = &[
        ("nothing",             &[],                                                      None),
        ("parted",              &[(at(0.8), YES, 1), (at(0.2), NO, 1), (at(0.9), YES, 1), (at(0.4), NO, 1)], span(0.4, 0.8)),
        ("nothing is out",      &[(at(0.5), YES, 1)],                                     span(0.0, 0.5)),
        ("no yes",              &[(at(0.5), NO, 1)],                                      None),
        ("a yes without weight", &[(at(0.5), YES, 0), (at(0.4), NO, 1)],                  None),
        ("a yes without figure", &[(None, YES, 1), (at(0.4), NO, 1)],                     None),
        ("0 lets all in",       &[(at(0.0), YES, 1), (at(0.0), NO, 1)],                   None),
        ("0 is out",            &[(at(0.5), YES, 1), (at(0.0), YES, 1)],                  span(0.0, 0.5)),
        // F1 is 2/3, then 4/5.
        ("a tie goes in whole", &[(at(0.9), YES, 1), (at(0.5), YES, 1), (at(0.5), NO, 1), (at(0.1), NO, 1)], span(0.1, 0.5)),
        ("what has no weight does not part", &[(at(0.9), YES, 1), (at(0.7), NO, 0), (at(0.4), NO, 1)], span(0.4, 0.9)),
        // F1 is 2/3, and 2/3 again with three more pairs.
        ("equal ones next to each other", &[(at(0.9), YES, 1), (at(0.5), YES, 1), (at(0.5), NO, 2), (at(0.1), NO, 1)], span(0.1, 0.9)),
        // F1 is 2/3, 2/4, 2/5, 4/6.
        ("the wider of equal ones", &[(at(0.9), YES, 1), (at(0.8), NO, 1), (at(0.7), NO, 1), (at(0.4), YES, 1)], span(0.0, 0.4)),
        ("the wider of equal ones, first", &[(at(0.9), YES, 1), (at(0.3), NO, 1), (at(0.2), NO, 1), (at(0.1), YES, 1)], span(0.3, 0.9)),
        ("of equally wide ones the strictest", &[(at(0.75), YES, 1), (at(0.5), NO, 1), (at(0.375), NO, 1), (at(0.25), YES, 1)], span(0.5, 0.75)),
        // F1 is 2/3, then 2/4.
        ("one is never found",  &[(at(0.9), YES, 1), (None, YES, 1), (at(0.1), NO, 1)],   span(0.1, 0.9)),
        // F1 is 2/4, 6/6, 6/7.
        ("weights count",       &[(at(0.9), YES, 1), (at(0.5), YES, 2), (at(0.4), NO, 1)], span(0.4, 0.5)),
    ];
    for (why, rows, want) in table {
        assert_eq!(best(rows, ANY), *want, "{why}");
    }
}

#[test]
fn the_best_limits_are_within_bounds() {
    let rows = [(Some(0.9), YES, 1), (Some(0.6), NO, 1), (Some(0.3), YES, 1), (Some(0.1), NO, 1)];
    #[rustfmt::skip]
    let table = [
        // F1 is 2/3, 2/4, 4/5, 4/6.
        ("any",                     0.0, 1.0, Some(Span { out: 0.1, within: 0.3 })),
        ("just in",                 0.3, 1.0, Some(Span { out: 0.1, within: 0.3 })),
        ("the rest is out",         0.4, 1.0, Some(Span { out: 0.6, within: 0.9 })),
        ("only the loosest is out", 0.2, 1.0, Some(Span { out: 0.1, within: 0.3 })),
        ("the closest are in",      0.4, 0.5, Some(Span { out: 0.3, within: 0.5 })),
        ("all are in",              0.0, 0.1, Some(Span { out: 0.0, within: 0.1 })),
        ("none is in",              1.0, 1.0, None),
        ("nothing may be chosen",   0.0, 0.0, None),
    ];
    for (why, loosest, strictest, want) in table {
        assert_eq!(best(&rows, Bounds { loosest, strictest }), want, "{why}");
    }
}

#[test]
fn the_area_is_how_often_a_pair_with_yes_is_closer() {
    let at = Some;
    #[rustfmt::skip]
    let table: &[(&str, &[Row], Option<Share>)] = &[
        ("nothing",            &[],                                                  None),
        ("one label",          &[(at(0.9), YES, 1)],                                 None),
        ("always",             &[(at(0.9), YES, 1), (at(0.1), NO, 1)],               Share::new(2, 2)),
        ("never",              &[(at(0.1), YES, 1), (at(0.9), NO, 1)],               Share::new(0, 2)),
        ("a tie",              &[(at(0.5), YES, 1), (at(0.5), NO, 1)],               Share::new(1, 2)),
        ("three of four",      &[(at(0.9), YES, 1), (at(0.8), NO, 1), (at(0.7), YES, 1), (at(0.1), NO, 1)], Share::new(6, 8)),
        ("farther than all",   &[(None, YES, 1), (at(0.0), NO, 1)],                  Share::new(0, 2)),
        ("closer than none",   &[(at(0.0), YES, 1), (None, NO, 1)],                  Share::new(2, 2)),
        ("neither has any",    &[(None, YES, 1), (None, NO, 1)],                     Share::new(1, 2)),
    ];
    for (why, rows, want) in table {
        let (ranking, labels, _) = parts(rows);
        assert_eq!(ranking.auc(&labels), *want, "{why}");
    }
}

#[test]
fn counts_are_cut_to_the_bits_there_are() {
    #[rustfmt::skip]
    let table = [
        ("enough bits",         [3, 4],             32, [3, 4]),
        ("just enough",         [1, 0xffff_ffff],   32, [1, 0xffff_ffff]),
        ("a bit too many",      [5, 0x1_0000_0000], 32, [2, 0x8000_0000]),
        ("50,000 of each",      [2_500_000_000, 5_000_000_000], 32, [1_250_000_000, 2_500_000_000]),
        ("nothing",             [0, 0],             32, [0, 0]),
        ("as much as there is", [u64::MAX; 2],      64, [u64::MAX; 2]),
    ];
    for (why, counts, bits, want) in table {
        assert_eq!(cut(counts, bits), want, "{why}");
    }
}

#[test]
fn a_limit_lets_in_what_reaches_it() {
    let rows = [(Some(0.5), YES, 1), (Some(0.25), NO, 1), (None, YES, 1)];
    let (ranking, labels, _) = parts(&rows);
    let counts = ranking.counts(&labels, [1.0, 0.5, 0.25, 0.0].into_iter());
    let found: Vec<[usize; 4]> = counts
        .iter()
        .map(|it| [it.true_positives, it.false_positives, it.false_negatives, it.true_negatives])
        .collect();
    assert_eq!(found, [[0, 0, 2, 1], [1, 0, 1, 1], [1, 1, 1, 0], [1, 1, 1, 0]]);
}

/// Returns F1 at a limit, by its definition.
fn naive(rows: &[Row], limit: f64) -> Option<Share> {
    let mut counts = Counts::default();
    for (closeness, label, times) in rows {
        counts.add((closeness.is_some_and(|closeness| closeness >= limit), *label), *times);
    }
    counts.f1()
}

proptest! {
    /// Eighths can be represented exactly.
    #[test]
    fn no_limit_is_better_than_the_best(
        rows in proptest::collection::vec((proptest::option::of(0_u32..=8), any::<bool>(), 0_usize..3), 0..30),
        (loosest, strictest) in (0_u32..=8).prop_flat_map(|loosest| (Just(loosest), loosest..=8)),
    ) {
        let eighths = |eighths: u32| f64::from(eighths) / 8.0;
        let row = |(closeness, label, times): (Option<u32>, bool, usize)| {
            (closeness.map(eighths), label, times)
        };
        let rows: Vec<Row> = rows.into_iter().map(row).collect();
        let limits = (loosest.max(1)..=strictest).map(eighths);
        let most = limits.filter_map(|limit| naive(&rows, limit)).map(Share::ratio);
        let most = most.fold(0.0, f64::max);
        let bounds = Bounds { loosest: eighths(loosest), strictest: eighths(strictest) };
        match best(&rows, bounds) {
            None => prop_assert!(most <= 0.0),
            Some(Span { out, within }) => {
                prop_assert!(out < within && within >= bounds.loosest && within <= bounds.strictest);
                let middle = f64::midpoint(out, within);
                for limit in [within, middle, out + 1.0 / 64.0] {
                    prop_assert_eq!(naive(&rows, limit).map(Share::ratio), Some(most));
                }
            }
        }
    }
}
