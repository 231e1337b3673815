//! The curves of a measure → a plot in plain characters.

use std::fmt::Write;

use dedup_text::calibration::{Counts, Limit, Measured};
use dedup_text::jaccard::Share;

/// Rows from 0 to 1, less one.
const ROWS: usize = 10;

/// Of the limits of a share every second is drawn.
const STEP: usize = 2;

/// Columns from foot to foot: a fifth of all shares, a fourth of all bits.
const FEET: [usize; 2] = [10, 16];

/// What the letters stand for.
pub(crate) const LEGEND: &str = "p precision, r recall, F F1, * several of them";

/// Precision, recall and F1 over the limits, from the loosest share to the strictest, or from 0
/// bits on; a mark stands below the limit that is nearest to a value.
pub(crate) fn plot(measured: &Measured, chosen: f64) -> String {
    let columns = columns(measured);
    let mut plot = String::new();
    for row in 0..=ROWS {
        let height = match row {
            0 => "1.0",
            5 => "0.5",
            ROWS => "0.0",
            _ => "",
        };
        let letters: String = columns.iter().map(|(_, counts)| letter(counts, row)).collect();
        let _ = writeln!(plot, "{height:>5} |{}", letters.trim_end());
    }
    let (mut axis, mut feet) = (String::new(), String::new());
    for (at, (limit, _)) in columns.iter().enumerate() {
        let [of_shares, of_bits] = FEET;
        let is_foot = at % if matches!(limit, Limit::Least(_)) { of_shares } else { of_bits } == 0;
        axis.push(if is_foot { '+' } else { '-' });
        if is_foot {
            let _ = write!(feet, "{:at$}", "", at = at.saturating_sub(feet.len()));
            feet += &crate::render::calibration::shown::limit(*limit);
        }
    }
    let distance = |limit: &Limit| (limit.value() - chosen).abs();
    let nearest = columns
        .iter()
        .enumerate()
        .min_by(|(_, (one, _)), (_, (other, _))| distance(one).total_cmp(&distance(other)))
        .map_or(0, |(at, _)| at);
    let _ = writeln!(plot, "      +{axis}");
    let _ = writeln!(plot, "       {feet}");
    let _ = writeln!(plot, "       {:nearest$}^ chosen", "");
    plot
}

fn columns(measured: &Measured) -> Vec<(Limit, Counts)> {
    match measured.curve.first() {
        Some((Limit::Least(_), _)) => measured.curve.iter().rev().step_by(STEP).copied().collect(),
        _ => measured.curve.clone(),
    }
}

/// What stands in a row for a limit.
fn letter(counts: &Counts, row: usize) -> char {
    let shares = [('p', counts.precision()), ('r', counts.recall()), ('F', counts.f1())];
    let mut here = shares.iter().filter(|(_, share)| share.is_some_and(|it| height(it) == row));
    match (here.next(), here.next()) {
        (None, _) => ' ',
        (Some((letter, _)), None) => *letter,
        _ => '*',
    }
}

/// The row of a share, the nearest; of two the upper.
fn height(share: Share) -> usize {
    let up =
        (2 * ROWS as u128 * share.shared() as u128 + share.of() as u128) / (2 * share.of() as u128);
    ROWS - usize::try_from(up).unwrap_or(ROWS).min(ROWS)
}

#[cfg(test)]
mod tests {
    use dedup_text::calibration::Measure;

    use super::*;

    #[test]
    fn a_share_stands_in_the_nearest_row() {
        for (shared, of, want) in
            [(0, 7, 10), (1, 1, 0), (1, 2, 5), (19, 20, 0), (18, 20, 1), (1, 21, 10), (1, 20, 9)]
        {
            assert_eq!(height(Share::new(shared, of).unwrap()), want, "{shared}/{of}");
        }
    }

    #[test]
    fn a_limit_has_a_letter_for_each_share() {
        let counts = |[tp, fp, missed]: [usize; 3]| Counts {
            true_positives: tp,
            false_positives: fp,
            false_negatives: missed,
            true_negatives: 0,
        };
        let column =
            |counts: &Counts| (0..=ROWS).map(|row| letter(counts, row)).collect::<String>();
        #[rustfmt::skip]
        let table = [
            ("nothing",      [0, 0, 0], "           "),
            ("all right",    [1, 0, 0], "*          "),
            ("never yes",    [0, 0, 1], "          *"),
            ("one of each",  [1, 1, 0], "r  F p     "), // F1 2/3
            ("missed",       [1, 0, 3], "p     Fr   "), // F1 2/5, recall 1/4 stands at 0.3
        ];
        for (why, figures, want) in table {
            let found = column(&counts(figures));
            assert_eq!(found.len(), 11);
            assert_eq!(found.trim_end(), want.trim_end(), "{why}");
        }
    }

    #[test]
    fn the_mark_stands_below_the_chosen_limit() {
        let measured = |measure: Measure| Measured {
            measure,
            auc: None,
            curve: measure.curve().into_iter().map(|limit| (limit, Counts::default())).collect(),
        };
        #[rustfmt::skip]
        let table = [
            ("the loosest",  Measure::Jaccard, 0.0,  0),
            ("the strictest", Measure::Jaccard, 1.0, 50),
            ("in between",   Measure::Jaccard, 0.5,  25),
            ("no bit",       Measure::Hamming, 0.0,  0),
            ("seven bits",   Measure::Hamming, 7.0,  7),
        ];
        for (why, measure, chosen, want) in table {
            let plot = plot(&measured(measure), chosen);
            let mark = plot.lines().last().unwrap();
            assert_eq!(mark.find('^'), Some(7 + want), "{why}");
            assert!(plot.lines().all(|line| line.len() <= 80), "{plot}");
        }
        let feet =
            |measure| plot(&measured(measure), 0.0).lines().nth(12).unwrap().trim().to_owned();
        assert_eq!(
            feet(Measure::Jaccard).split_whitespace().collect::<Vec<_>>(),
            ["0", "0.2", "0.4", "0.6", "0.8", "1"]
        );
        assert_eq!(
            feet(Measure::Hamming).split_whitespace().collect::<Vec<_>>(),
            ["0", "16", "32", "48", "64"]
        );
    }
}
