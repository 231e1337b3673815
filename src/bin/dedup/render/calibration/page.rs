//! Renders a calibration as one HTML page that works without a network and without a script.

use std::fmt::Write;

use anyhow::Context;
use askama::Template;
use dedup_text::calibration::{
    Calibration, Counts, Interval, Label, Labelled, Limit, Measure, Measured, Rung,
};
use dedup_text::display::{path, thousands, visible};
use dedup_text::jaccard::Share;

use super::{Answer, figure, interval};
use crate::render::html;

/// The style of the page, in addition to that of all pages.
const STYLE: &str = include_str!("page/calibration.css");

/// The data of the template of the page.
#[derive(Template)]
#[template(path = "calibration.html")]
struct Page {
    policy: String,
    style: String,
    version: &'static str,
    title: String,
    best: String,
    best_sentence: String,
    task: String,
    pairs: String,
    halves: String,
    left_out: Vec<String>,
    warnings: Vec<String>,
    rows: Vec<Row>,
    curves: Vec<Curves>,
    ticks: Vec<Tick>,
    recommended: &'static str,
    wrong_figures: [&'static str; 2],
    wrong: [Wrong; 2],
    parameters: Vec<(&'static str, String)>,
}

/// A rule, and how good it is.
struct Row {
    name: String,
    /// `best` or `chosen` for the rule that the page is about; otherwise empty.
    mark: &'static str,
    auc: String,
    limits: Vec<super::ChosenLimit>,
    /// Precision, recall and F1, each with its interval.
    figures: [(String, String); 3],
}

/// Renders the page.
pub(crate) fn render(answer: &Answer) -> anyhow::Result<String> {
    let calibration = answer.calibration;
    let best = answer.best();
    let style = html::STYLE.to_owned() + STYLE;
    let held = if calibration.together.is_some() {
        "on texts that it was not chosen on"
    } else {
        "on the same texts that it was chosen on"
    };
    let settings = answer.settings.clone().map(|name| visible(&name));
    let page = Page {
        policy: html::still_policy(&style),
        style,
        version: env!("CARGO_PKG_VERSION"),
        title: format!("Limits for {}, by {}", calibration.rung.level(), path(answer.list)),
        best: super::sentence(best),
        best_sentence: format!(
            "F1 {} ({}) {held}{}.",
            figure(best.scores.counts.f1()),
            interval(best.scores.f1),
            if calibration.is_worse() {
                let current = figure(calibration.current.1.counts.f1());
                format!("; the current limits do better: F1 {current}")
            } else {
                String::new()
            }
        ),
        task: super::task(answer),
        pairs: super::pairs(answer),
        halves: super::halves(answer),
        left_out: super::left_out(&answer.gathered.left_out),
        warnings: calibration
            .warnings
            .iter()
            .map(|warning| super::describe_warning(warning, answer).1)
            .collect(),
        rows: rows(answer),
        curves: all(calibration),
        ticks: ticks(),
        recommended: if calibration.is_worse() { "current limits" } else { "best rule" },
        wrong_figures: calibration.rung.measures().map(super::title),
        wrong: wrong(answer),
        parameters: html::parameters(answer.recipe, Some(answer.stopwords), settings),
    };
    Ok(page.render().context("the report cannot be written")? + "\n")
}

fn rows(answer: &Answer) -> Vec<Row> {
    let calibration = answer.calibration;
    let mark = if calibration.is_worse() { "chosen" } else { "best" };
    let chosen = calibration.chosen.iter().enumerate().map(|(at, chosen)| Row {
        name: super::titles(chosen),
        mark: if at == calibration.best { mark } else { "" },
        auc: calibration.measures.get(at).map_or(String::new(), |measured| figure(measured.auc)),
        limits: super::limits(chosen),
        figures: super::figures(&chosen.scores),
    });
    let current = Row {
        name: "current limits".to_owned(),
        mark: "",
        auc: String::new(),
        limits: Vec::new(),
        figures: super::figures(&calibration.current.1),
    };
    chosen.chain([current]).collect()
}

// The curves of a measure as points of a drawing.

/// The width of the drawing in units, from the smallest limit to the greatest.
pub(crate) const WIDTH: u32 = 400;

/// The height of the drawing in units, from 0 to 1.
const HEIGHT: u32 = 160;

/// The drawing of a measure.
pub(crate) struct Curves {
    pub(crate) title: &'static str,
    pub(crate) lines: [Line; 3],
    pub(crate) feet: Vec<(u32, String)>,
    /// The limit that was chosen: its x coordinate and its label.
    pub(crate) chosen: Option<(u32, String)>,
    /// The interval of the limit: its x coordinate and its width.
    pub(crate) band: Option<(u32, u32)>,
    /// The curves as a table: limit, precision, recall and F1.
    pub(crate) rows: Vec<[String; 4]>,
}

/// The curve of a figure over the limits.
pub(crate) struct Line {
    pub(crate) name: &'static str,
    pub(crate) path: String,
}

/// A height and its share.
pub(crate) struct Tick {
    pub(crate) height: u32,
    pub(crate) share: &'static str,
}

/// Returns the heights at which a horizontal line is drawn.
pub(crate) fn ticks() -> Vec<Tick> {
    let shares = ["0", "0.25", "0.5", "0.75", "1"];
    (0..).zip(shares).map(|(at, share)| Tick { height: at * HEIGHT / 4, share }).collect()
}

/// Returns the curves of all measures.
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
        path: svg_path(measured, across, share),
    };
    let feet = (0..=4).map(|quarter| f64::from(quarter) * greatest / 4.0);
    let label = |limit: f64| if is_share { format!("{limit:.3}") } else { format!("{limit:.0}") };
    let rows = measured.curve.iter().step_by(if is_share { 5 } else { 4 });
    Curves {
        title: super::title(measured.measure),
        lines: [
            line("precision", Counts::precision),
            line("recall", Counts::recall),
            line("F1", Counts::f1),
        ],
        feet: feet.map(|limit| (across(limit), limit.to_string())).collect(),
        chosen: chosen.map(|limit| (across(limit), label(limit))),
        band: of.map(|of| (across(of.low), (across(of.high) - across(of.low)).max(1))),
        rows: rows
            .map(|(limit, counts)| {
                let [precision, recall, f1] =
                    [counts.precision(), counts.recall(), counts.f1()].map(figure);
                [super::format_limit(*limit), precision, recall, f1]
            })
            .collect(),
    }
}

/// Returns an SVG path through the points that have a share. Adjacent points are joined.
fn svg_path(
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

/// Rounds a length to the nearest number of units.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "from 0 to 400")]
fn units(length: f64) -> u32 {
    length.round() as u32
}

// The pairs on which the rule to set and the labels disagree. They are worth checking, because the
// label may be wrong.

/// The largest number of pairs of one kind that are listed.
const MAX_PAIRS: usize = 25;

/// The pairs of one kind: those wrongly called yes, or those wrongly called no.
pub(crate) struct Wrong {
    pub(crate) title: String,
    pub(crate) rows: Vec<WrongRow>,
    /// A note on the pairs that are not listed; `None` if all are.
    pub(crate) more: Option<String>,
}

/// A pair.
pub(crate) struct WrongRow {
    pub(crate) left: String,
    pub(crate) right: String,
    /// The figures, for the two measures of the rung.
    pub(crate) figures: [String; 2],
}

/// Returns the pairs labelled no that the rule to set calls yes, the closest first, and those labelled yes
/// that it calls no, the farthest first.
pub(crate) fn wrong(answer: &Answer) -> [Wrong; 2] {
    let rule = answer.calibration.recommended();
    let of = |label: Label, title: &str| {
        let is_wrong = |pair: &&Labelled| {
            pair.label == label && rule.holds(&pair.comparison) == (label == Label::No)
        };
        let mut pairs: Vec<&Labelled> = answer.gathered.pairs.iter().filter(is_wrong).collect();
        pairs.sort_by(|one, other| {
            let [one, other] = [one, other].map(|pair| closeness(rule.rung, pair));
            if label == Label::No { other.total_cmp(&one) } else { one.total_cmp(&other) }
        });
        let more = pairs.len().saturating_sub(MAX_PAIRS);
        Wrong {
            title: format!("{title}: {}", thousands(pairs.len())),
            rows: pairs.iter().take(MAX_PAIRS).map(|pair| row(answer, pair)).collect(),
            more: (more > 0).then(|| format!("And {} more.", thousands(more))),
        }
    };
    [
        of(Label::No, "Called a yes, but labelled a no"),
        of(Label::Yes, "Called a no, but labelled a yes"),
    ]
}

fn closeness(rung: Rung, pair: &Labelled) -> f64 {
    let shares = rung.measures().into_iter().filter_map(|it| it.share(&pair.comparison));
    shares.map(Share::ratio).fold(0.0, f64::max)
}

fn row(answer: &Answer, pair: &Labelled) -> WrongRow {
    let [left, right] = pair.texts.map(|text| visible(answer.name(text)));
    let figure = |measure| match measure {
        Measure::Hamming => {
            pair.comparison.hamming.map_or("none".to_owned(), |bits| bits.to_string())
        }
        _ => figure(measure.share(&pair.comparison)),
    };
    WrongRow { left, right, figures: answer.calibration.rung.measures().map(figure) }
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
        // If no pair is called yes, there is no precision. Recall is 0, 1/2, 1; F1 is 0, 2/3, 2/3.
        assert_eq!(paths, ["M200 0L400 80", "M0 160L200 80L400 0", "M0 160L200 53L400 53"]);
        assert_eq!(drawn.chosen, Some((100, "16".to_owned())));
        assert_eq!(drawn.band, Some((50, 150)));
    }
}
