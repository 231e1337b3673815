//! The answer as one page that opens anywhere, without a network and without a script.

mod curves;
mod wrong;

use anyhow::Context;
use askama::Template;
use dedup_text::calibration::{Scores, Together};

use crate::model::calibration::Answer;
use crate::render::calibration::shown::{self, extent, figure, interval};
use crate::render::html;
use crate::words::{counted, path, visible};
use curves::{Curves, Tick};
use wrong::{Wrong, wrong};

/// What it wears besides what every page wears.
const STYLE: &str = include_str!("page/calibration.css");

/// The page as the template takes it.
#[derive(Template)]
#[template(path = "calibration.html")]
struct Page {
    policy: String,
    style: String,
    version: &'static str,
    title: String,
    best: String,
    best_told: String,
    task: String,
    pairs: String,
    halves: String,
    left_out: Vec<String>,
    doubts: Vec<String>,
    rows: Vec<Row>,
    curves: Vec<Curves>,
    ticks: Vec<Tick>,
    wrong_figures: [&'static str; 2],
    wrong: [Wrong; 2],
    parameters: Vec<(&'static str, String)>,
}

/// A rule, and how good it is.
struct Row {
    name: String,
    is_best: bool,
    auc: String,
    limits: Vec<shown::ChosenLimit>,
    /// Each with its interval.
    figures: [(String, String); 3],
}

/// The page.
pub(crate) fn render(answer: &Answer) -> anyhow::Result<String> {
    let calibration = answer.calibration;
    let best = answer.best();
    let style = html::STYLE.to_owned() + STYLE;
    let held = if calibration.together.is_some() {
        "on texts that it was not chosen on"
    } else {
        "on the very texts that it was chosen on"
    };
    let settings = answer.settings.clone().map(|name| visible(&name));
    let page = Page {
        policy: html::still_policy(&style),
        style,
        version: env!("CARGO_PKG_VERSION"),
        title: format!("Limits for {}, by {}", calibration.rung.level(), path(answer.list)),
        best: shown::rule(best),
        best_told: format!(
            "F1 {} ({}) {held}.",
            figure(best.scores.counts.f1()),
            interval(best.scores.f1)
        ),
        task: shown::task(answer),
        pairs: extent(calibration.all),
        halves: halves(answer),
        left_out: shown::left_out(&answer.gathered.left_out),
        doubts: calibration.doubts.iter().map(|doubt| shown::doubt(doubt, answer).1).collect(),
        rows: rows(answer),
        curves: curves::all(calibration),
        ticks: curves::ticks(),
        wrong_figures: calibration.rung.measures().map(shown::title),
        wrong: wrong(answer),
        parameters: html::parameters(answer.recipe, Some(answer.stopwords), settings),
    };
    Ok(page.render().context("the report cannot be written")? + "\n")
}

/// How the texts were split.
fn halves(answer: &Answer) -> String {
    let calibration = answer.calibration;
    let kept = match calibration.together {
        None => {
            return "No two halves have both labels: limits are chosen on all pairs, and held \
                    against the same."
                .to_owned();
        }
        Some(Together::Pairs) => "texts that pairs join are in one half",
        Some(Together::Positives) => "texts that a yes joins are in one half",
        Some(Together::Nothing) => "texts are in either half by themselves",
    };
    let [first, second] = [calibration.chosen_on, calibration.held_against].map(extent);
    let across = counted(calibration.across, "pair");
    format!(
        "Limits are chosen on {first}, and held against {second}; {kept}. {across} of texts of \
         both halves are in neither."
    )
}

fn rows(answer: &Answer) -> Vec<Row> {
    let calibration = answer.calibration;
    let figures = |scores: &Scores| {
        let counts = &scores.counts;
        [
            (counts.precision(), scores.precision),
            (counts.recall(), scores.recall),
            (counts.f1(), scores.f1),
        ]
        .map(|(share, of)| (figure(share), interval(of)))
    };
    let chosen = calibration.chosen.iter().enumerate().map(|(at, chosen)| Row {
        name: shown::titles(chosen),
        is_best: at == calibration.best,
        auc: calibration.measures.get(at).map_or(String::new(), |measured| figure(measured.auc)),
        limits: shown::limits(chosen),
        figures: figures(&chosen.scores),
    });
    let current = Row {
        name: "current limits".to_owned(),
        is_best: false,
        auc: String::new(),
        limits: Vec::new(),
        figures: figures(&calibration.current.1),
    };
    chosen.chain([current]).collect()
}
