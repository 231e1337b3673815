//! Renders a calibration for programs: one JSON object, which conforms to
//! `dedup.calibration.schema.json`.

use std::collections::BTreeMap;

use dedup_text::calibration::{
    Chosen, Counts, Interval, KeptTogether, LabelCounts, Measured, RESAMPLES, Scores,
};
use dedup_text::display::inert;
use dedup_text::jaccard::Share;
use dedup_text::record::{Parameters, Tool, parameters};
use dedup_text::verdict::Limits;
use serde::Serialize;

use super::{Answer, describe_warning, flag};

#[derive(Serialize)]
struct Record<'r> {
    schema: &'static str,
    tool: Tool,
    r#for: &'static str,
    pairs: LabelCountsRecord,
    left_out: LeftOutRecord<'r>,
    halves: Option<Halves>,
    draws: usize,
    measures: Vec<MeasureRecord>,
    rules: Vec<RuleRecord>,
    best: &'static str,
    current: CurrentRecord,
    parameters: Parameters,
    warnings: Vec<Warning>,
}

#[derive(Serialize)]
struct LabelCountsRecord {
    texts: usize,
    yes: usize,
    no: usize,
}

#[derive(Serialize)]
struct LeftOutRecord<'r> {
    lines: usize,
    labels: &'r BTreeMap<String, usize>,
    failed: Lost,
    short: Lost,
    contradictory: &'r [[usize; 2]],
    repeated: usize,
    with_itself: usize,
}

#[derive(Serialize)]
struct Lost {
    texts: usize,
    pairs: usize,
}

#[derive(Serialize)]
struct Halves {
    together: &'static str,
    chosen_on: LabelCountsRecord,
    held_against: LabelCountsRecord,
    across: usize,
}

#[derive(Serialize)]
struct MeasureRecord {
    measure: &'static str,
    auc: Option<f64>,
    curve: Vec<Point>,
}

#[derive(Serialize)]
struct Point {
    limit: f64,
    precision: Option<f64>,
    recall: Option<f64>,
    f1: Option<f64>,
}

#[derive(Serialize)]
struct RuleRecord {
    rule: &'static str,
    limits: Limits,
    intervals: BTreeMap<String, Option<[f64; 2]>>,
    scores: ScoresRecord,
}

#[derive(Serialize)]
struct CurrentRecord {
    limits: Limits,
    scores: ScoresRecord,
}

#[derive(Serialize)]
struct ScoresRecord {
    true_positives: usize,
    false_positives: usize,
    false_negatives: usize,
    true_negatives: usize,
    precision: Figure,
    recall: Figure,
    f1: Figure,
}

#[derive(Serialize)]
struct Figure {
    value: Option<f64>,
    interval: Option<[f64; 2]>,
}

#[derive(Serialize)]
struct Warning {
    code: &'static str,
    text: String,
}

/// Renders the object on one line.
pub(crate) fn render(answer: &Answer) -> anyhow::Result<String> {
    let (calibration, left_out) = (answer.calibration, &answer.gathered.left_out);
    let halves = calibration.together.map(|together| Halves {
        together: match together {
            KeptTogether::Pairs => "pairs",
            KeptTogether::Positives => "yes",
            KeptTogether::Nothing => "nothing",
        },
        chosen_on: extent(calibration.chosen_on),
        held_against: extent(calibration.evaluated_on),
        across: calibration.across,
    });
    let warning = |warning| {
        let (code, text) = describe_warning(warning, answer);
        Warning { code, text }
    };
    let record = Record {
        schema: "dedup.calibration/2",
        tool: Tool::here(),
        r#for: calibration.rung.level().name(),
        pairs: extent(calibration.all),
        left_out: LeftOutRecord {
            lines: left_out.wrong_lines,
            labels: &left_out.skipped,
            failed: Lost { texts: left_out.failed_texts, pairs: left_out.failed_pairs },
            short: Lost { texts: left_out.short_texts, pairs: left_out.short_pairs },
            contradictory: &left_out.contradictory,
            repeated: left_out.repeated,
            with_itself: left_out.with_itself,
        },
        halves,
        draws: RESAMPLES,
        measures: calibration.measures.iter().map(measure).collect(),
        rules: calibration.chosen.iter().map(rule).collect(),
        best: name(answer.best()),
        current: CurrentRecord {
            limits: calibration.current.0.limits,
            scores: scores(&calibration.current.1),
        },
        parameters: parameters(answer.recipe, answer.stopwords, answer.settings.as_deref()),
        warnings: calibration.warnings.iter().map(warning).collect(),
    };
    let json = inert::json(&record)?;
    Ok(json + "\n")
}

/// Returns the name of a rule, which never changes.
fn name(chosen: &Chosen) -> &'static str {
    match chosen.measures[..] {
        [measure] => measure.name(),
        _ => "either",
    }
}

fn extent(extent: LabelCounts) -> LabelCountsRecord {
    LabelCountsRecord { texts: extent.texts, yes: extent.positives, no: extent.negatives }
}

fn measure(measured: &Measured) -> MeasureRecord {
    let ratio = |share: Option<Share>| share.map(Share::ratio);
    let point = |(limit, counts): &(dedup_text::calibration::Limit, Counts)| Point {
        limit: limit.value(),
        precision: ratio(counts.precision()),
        recall: ratio(counts.recall()),
        f1: ratio(counts.f1()),
    };
    MeasureRecord {
        measure: measured.measure.name(),
        auc: ratio(measured.auc),
        curve: measured.curve.iter().map(point).collect(),
    }
}

fn rule(chosen: &Chosen) -> RuleRecord {
    let interval = |(measure, _, of): (_, _, Option<Interval>)| {
        (flag(measure, chosen.rule.rung).replace('-', "_"), of.map(bounds))
    };
    RuleRecord {
        rule: name(chosen),
        limits: chosen.rule.limits,
        intervals: chosen.limits().map(interval).collect(),
        scores: scores(&chosen.scores),
    }
}

fn scores(scores: &Scores) -> ScoresRecord {
    let counts = scores.counts;
    let figure = |share: Option<Share>, of: Option<Interval>| Figure {
        value: share.map(Share::ratio),
        interval: of.map(bounds),
    };
    ScoresRecord {
        true_positives: counts.true_positives,
        false_positives: counts.false_positives,
        false_negatives: counts.false_negatives,
        true_negatives: counts.true_negatives,
        precision: figure(counts.precision(), scores.precision),
        recall: figure(counts.recall(), scores.recall),
        f1: figure(counts.f1(), scores.f1),
    }
}

fn bounds(interval: Interval) -> [f64; 2] {
    [interval.low, interval.high]
}
