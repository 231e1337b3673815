//! The curves of a measure → points of a drawing.

use std::fmt::Write;

use dedup_text::calibration::{Calibration, Counts, Interval, Limit, Measured};
use dedup_text::jaccard::Share;

use crate::render::calibration::shown;

/// Units from the loosest limit to the strictest.
pub(crate) const WIDTH: u32 = 400;

/// Units from 0 to 1.
const HEIGHT: u32 = 160;

/// A measure, drawn.
pub(crate) struct Curves {
    pub(crate) title: &'static str,
    pub(crate) lines: [Line; 3],
    pub(crate) feet: Vec<(u32, String)>,
    /// The limit that was chosen.
    pub(crate) chosen: Option<(u32, String)>,
    /// Where it lies in draws: from the left, and how wide.
    pub(crate) band: Option<(u32, u32)>,
    /// The same in words: limit, precision, recall, F1.
    pub(crate) rows: Vec<[String; 4]>,
}

/// A share over the limits.
pub(crate) struct Line {
    pub(crate) name: &'static str,
    pub(crate) path: String,
}

/// A height with its share.
pub(crate) struct Tick {
    pub(crate) height: u32,
    pub(crate) share: &'static str,
}

/// All heights at which a line is drawn.
pub(crate) fn ticks() -> Vec<Tick> {
    let shares = ["0", "0.25", "0.5", "0.75", "1"];
    (0..).zip(shares).map(|(at, share)| Tick { height: at * HEIGHT / 4, share }).collect()
}

/// The curves of all measures.
pub(crate) fn all(calibration: &Calibration) -> Vec<Curves> {
    let chosen = calibration.chosen.iter().map(|chosen| chosen.limits().next());
    let curves = |(measured, chosen): (&Measured, Option<(_, Limit, Option<Interval>)>)| {
        curves(measured, chosen.map(|it| it.1.value()), chosen.and_then(|it| it.2))
    };
    calibration.measures.iter().zip(chosen).map(curves).collect()
}

fn curves(measured: &Measured, chosen: Option<f64>, of: Option<Interval>) -> Curves {
    let is_share = matches!(measured.curve.first(), Some((Limit::Least(_), _)));
    let greatest = if is_share { 1.0 } else { 64.0 };
    let across = |limit: f64| units(limit / greatest * f64::from(WIDTH));
    let line = |name, share: fn(&Counts) -> Option<Share>| Line {
        name,
        path: path(measured, across, share),
    };
    let feet = (0..=4).map(|quarter| f64::from(quarter) * greatest / 4.0);
    let told = |limit: f64| if is_share { format!("{limit:.3}") } else { format!("{limit:.0}") };
    let rows = measured.curve.iter().step_by(if is_share { 5 } else { 4 });
    Curves {
        title: shown::title(measured.measure),
        lines: [
            line("precision", Counts::precision),
            line("recall", Counts::recall),
            line("F1", Counts::f1),
        ],
        feet: feet.map(|limit| (across(limit), limit.to_string())).collect(),
        chosen: chosen.map(|limit| (across(limit), told(limit))),
        band: of.map(|of| (across(of.low), (across(of.high) - across(of.low)).max(1))),
        rows: rows
            .map(|(limit, counts)| {
                let [precision, recall, f1] =
                    [counts.precision(), counts.recall(), counts.f1()].map(shown::figure);
                [shown::limit(*limit), precision, recall, f1]
            })
            .collect(),
    }
}

/// The points that have a share, joined where they are next to each other.
fn path(
    measured: &Measured,
    across: impl Fn(f64) -> u32,
    share: fn(&Counts) -> Option<Share>,
) -> String {
    let (mut path, mut is_joined) = (String::new(), false);
    for (limit, counts) in &measured.curve {
        let Some(share) = share(counts) else {
            is_joined = false;
            continue;
        };
        let height = HEIGHT - units(share.ratio() * f64::from(HEIGHT));
        let sign = if std::mem::replace(&mut is_joined, true) { 'L' } else { 'M' };
        let _ = write!(path, "{sign}{} {height}", across(limit.value()));
    }
    path
}

/// The nearest whole number of units.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "from 0 to 400")]
fn units(length: f64) -> u32 {
    length.round() as u32
}

#[cfg(test)]
mod tests {
    use dedup_text::calibration::Measure;

    use super::*;

    #[test]
    fn a_curve_goes_through_its_points() {
        let counts = |[tp, fp, missed]: [usize; 3]| Counts {
            true_positives: tp,
            false_positives: fp,
            false_negatives: missed,
            true_negatives: 0,
        };
        let curve = [
            (Limit::Most(0), [0, 0, 2]),
            (Limit::Most(32), [1, 0, 1]),
            (Limit::Most(64), [2, 2, 0]),
        ];
        let curve = curve.map(|(limit, figures)| (limit, counts(figures)));
        let measured = Measured { measure: Measure::Hamming, auc: None, curve: curve.into() };
        let drawn = curves(&measured, Some(16.0), Some(Interval { low: 8.0, high: 32.0 }));
        let paths = drawn.lines.map(|line| line.path);
        // Without an answer yes there is no precision. Recall is 0, 1/2, 1; F1 0, 2/3, 2/3.
        assert_eq!(paths, ["M200 0L400 80", "M0 160L200 80L400 0", "M0 160L200 53L400 53"]);
        assert_eq!(drawn.chosen, Some((100, "16".to_owned())));
        assert_eq!(drawn.band, Some((50, 150)));
    }
}
