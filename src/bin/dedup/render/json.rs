//! The answer for programs: one object, by `dedup.pair.schema.json`.
//!
//! The fields stand in the order of the schema, and the same pair gives the same bytes.

mod figures;
mod parameters;
mod stages;

use std::path::Path;

use dedup_text::language::{By, Known};
use dedup_text::pair::recipe::Search;
use dedup_text::pair::warnings::Warning;
use dedup_text::sketch::Summary;
use dedup_text::text::{EncodingBy, Side, Text, display_path};
use dedup_text::tokens::exclusions::LeftOut;
use serde::Serialize;

use super::left_out::counted;
use super::matches::{CoverageRecord, MatchRecord, ShortRecord, coverage, matches, short};
use super::stages::Stages;
use crate::inert;
use crate::model::meaning::{Meaning, meaning};
use crate::model::names::Names;
use crate::model::pair::Pair;
pub(super) use figures::name;
use figures::{Measures, measures};
pub(crate) use parameters::{LimitsRecord, Parameters, Tool, limits, parameters};
use stages::{StagesRecord, stages};

#[derive(Serialize)]
struct Record<'r> {
    schema: &'static str,
    tool: Tool,
    verdict: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    accepted: Option<bool>,
    decided_by: Vec<&'static str>,
    limits: PairLimits,
    measures: Measures,
    meaning: Meaning,
    #[serde(skip_serializing_if = "Option::is_none")]
    matches: Option<Vec<MatchRecord>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    coverage: Option<CoverageRecord>,
    #[serde(skip_serializing_if = "Option::is_none")]
    short: Option<ShortRecord>,
    a: TextRecord<'r>,
    b: TextRecord<'r>,
    parameters: Parameters,
    warnings: Vec<WarningRecord>,
}

/// The limits of the ladder, and what a passage must have.
#[derive(Serialize)]
struct PairLimits {
    #[serde(flatten)]
    limits: LimitsRecord,
    min_match: Option<usize>,
}

#[derive(Serialize)]
struct TextRecord<'r> {
    path: String,
    bytes: usize,
    encoding: String,
    encoding_by: &'static str,
    kind: &'static str,
    spans: &'static str,
    language: LanguageRecord,
    excluded: Vec<ExcludedRecord>,
    words: usize,
    stems: usize,
    shingles: usize,
    simhash: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    stages: Option<StagesRecord<'r>>,
}

#[derive(Serialize)]
struct ExcludedRecord {
    why: &'static str,
    parts: usize,
    words: usize,
}

#[derive(Serialize)]
struct LanguageRecord {
    code: Option<&'static str>,
    by: &'static str,
    confidence: Option<f64>,
    reliable: Option<bool>,
}

#[derive(Serialize)]
struct WarningRecord {
    code: &'static str,
    file: Option<&'static str>,
    text: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    count: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    example: Option<String>,
}

/// What is told beside a pair.
pub(crate) struct ReportOptions<'t> {
    /// What texts go by.
    pub(crate) names: &'t Names,
    /// What was said of stop words.
    pub(crate) stopwords: &'t Path,
    /// The settings file; none where none is read.
    pub(crate) settings: Option<String>,
}

/// The record of a pair, on one line without an end; with every stage where it is explained.
pub(crate) fn render(pair: &Pair, explain: bool, told: ReportOptions) -> anyhow::Result<String> {
    let ReportOptions { names, stopwords, settings } = told;
    let judgement = pair.judgement;
    let traced = |text, known| explain.then(|| Stages::of(text, known, pair.recipe));
    let left = traced(pair.left, judgement.languages.left);
    let right = traced(pair.right, judgement.languages.right);
    let record = Record {
        schema: "dedup.pair/2",
        tool: Tool::here(),
        verdict: judgement.decision.verdict.name(),
        accepted: pair.is_accepted,
        decided_by: judgement.decision.decided_by.iter().map(|measure| name(*measure)).collect(),
        limits: PairLimits {
            limits: limits(&pair.recipe.limits),
            min_match: (pair.recipe.search != Search::Never).then(|| pair.recipe.least.words()),
        },
        measures: measures(&judgement.comparison),
        meaning: meaning(pair),
        matches: judgement.matches.as_ref().map(matches),
        coverage: coverage(judgement),
        short: short(judgement),
        a: text(
            (pair.left, names),
            judgement.languages.left,
            &judgement.left_out_of_left,
            &judgement.left,
            stages(left.as_ref(), pair),
        ),
        b: text(
            (pair.right, names),
            judgement.languages.right,
            &judgement.left_out_of_right,
            &judgement.right,
            stages(right.as_ref(), pair),
        ),
        parameters: parameters(pair.recipe, display_path(stopwords).into_owned(), settings),
        warnings: warnings(pair),
    };
    inert::json(&record)
}

fn text<'r>(
    (text, names): (&Text, &Names),
    known: Known,
    left_out: &[LeftOut],
    sketch: &Summary,
    stages: Option<StagesRecord<'r>>,
) -> TextRecord<'r> {
    TextRecord {
        path: names.given(text.path()),
        bytes: text.bytes(),
        encoding: text.encoding().name(),
        encoding_by: match text.encoding_by() {
            EncodingBy::Mark => "mark",
            EncodingBy::Content => "content",
            EncodingBy::Given => "given",
        },
        kind: text.kind().name(),
        spans: if text.kind().is_shown_as_stored() { "file" } else { "text" },
        language: LanguageRecord {
            code: known.language.map(dedup_text::language::Language::code),
            by: match known.by {
                By::Detected => "detected",
                By::Together => "together",
                By::Corpus => "corpus",
                By::Given => "given",
                By::None => "none",
            },
            confidence: known.confidence,
            reliable: known.reliable,
        },
        excluded: counted(left_out)
            .map(|(why, parts, words)| ExcludedRecord { why: why.name(), parts, words })
            .collect(),
        words: sketch.words,
        stems: sketch.stems,
        shingles: sketch.shingles,
        simhash: sketch.fingerprint.map(|fingerprint| fingerprint.to_string()),
        stages,
    }
}

fn warnings(pair: &Pair) -> Vec<WarningRecord> {
    let records = pair.judgement.warnings.iter().map(|warning| {
        let found = match warning {
            Warning::Disguised(_, found) => Some(found),
            _ => None,
        };
        WarningRecord {
            code: warning.code(),
            file: warning.side().map(|side| match side {
                Side::Left => "a",
                Side::Right => "b",
            }),
            text: warning.to_string(),
            line: found.and_then(|found| found.line),
            count: found.map(|found| found.words),
            example: found.map(|found| found.example.clone()),
        }
    });
    records.collect()
}
