//! Renders SARIF 2.1.0 (OASIS, with Errata 01) for code scanning: each passage is a result.

use dedup_text::display::{counted, inert, thousands, visible};
use dedup_text::text::{Place, Text};
use dedup_text::verdict::Verdict;
use serde::Serialize;
use serde_json::{Value, json};

use super::{ExportFormat, OfRun, Run};
use crate::diagnostics::Severity;
use crate::model::findings::{Finding, FoundAt};
use crate::model::names::Names;
use crate::model::rendered::{Rendered, Syntax};

pub(super) const FORMAT: ExportFormat =
    ExportFormat::new("sarif", Syntax::Json, || Box::new(log as OfRun));

/// The largest number of results of a run that GitHub accepts.
pub(crate) const MAX_RESULTS: usize = 25_000;

/// The largest number of notes on single texts.
const MAX_NOTES: usize = 1000;

/// The name of the base folder of relative paths, in which `dedup` ran.
const FOLDER: &str = "%SRCROOT%";

/// The largest number of related locations of a result, and of those that GitHub shows.
const MAX_RELATED: usize = 100;

/// Renders the complete log, with the results of the closest pairs, up to [`MAX_RESULTS`] results.
fn log(run: &Run) -> anyhow::Result<Rendered> {
    let results = run.findings.len();
    let closest = run.closest().into_iter().take(MAX_RESULTS);
    let written: Vec<Value> = closest.map(|finding| result(finding, run.names)).collect();
    let failed = run.failed.first();
    let unread =
        failed.iter().map(|failed| notification(failed.severity.name(), &visible(&failed.error)));
    let disguised = run.failing_disguises();
    let disguised =
        disguised.map(|remark| notification(Severity::Error.name(), &visible(&remark.line)));
    let mut notifications: Vec<Value> = unread.chain(disguised).collect();
    if let Some(more @ 1..) = run.failed.len().checked_sub(failed.len()) {
        let what = format!("{} left out that failed.", counted(more, "more text"));
        let severity = if run.failed.errors() > 0 { Severity::Error } else { Severity::Warning };
        notifications.push(notification(severity.name(), &what));
    }
    let notes = run.notes();
    let shown = notes.iter().take(MAX_NOTES);
    notifications.extend(shown.map(|note| notification("note", &visible(&note.line))));
    if let Some(more @ 1..) = notes.len().checked_sub(MAX_NOTES) {
        let what = format!("{} left out: --format json has all.", counted(more, "more note"));
        notifications.push(notification("note", &what));
    }
    if let Some(more @ 1..) = results.checked_sub(written.len()) {
        let limit = thousands(MAX_RESULTS);
        let more = counted(more, "more result");
        let what = format!("{more} left out: a run has at most {limit}.");
        notifications.push(notification("warning", &what));
    }
    let invocation = json!({
        "executionSuccessful": !run.has_errors,
        "toolExecutionNotifications": notifications,
    });
    let mut properties = json!({
        "level": run.level.name(),
        "pairs": run.pairs,
        "findings": run.reaching,
        "counts": run.counts,
    });
    if let Some(settings) = run.settings {
        properties["settings"] = settings.into();
    }
    let log = Log::new(&all(), invocation, properties, written);
    Ok((inert::json(&log)? + "\n").into())
}

fn result(finding: &Finding, names: &Names) -> Value {
    let verdict = finding.closest.verdict;
    let linked = |name: &str, id: usize| format!("[{}]({id})", escaped(name));
    let at = |place: &FoundAt| location(place.file(), place.stored(), names);
    let what = if finding.places.len() == 2 { "The other text." } else { "Also here." };
    let related = finding.others(finding.first).zip(1..=MAX_RELATED).map(
        |(place, id)| json!({"id": id, "message": {"text": what}, "physicalLocation": at(place)}),
    );
    let mut result = json!({
        "ruleId": verdict.name(),
        "ruleIndex": index(verdict),
        "level": level(verdict),
        "message": {"text": format!("{verdict}: {}.", finding.sentence(finding.first, names, linked))},
        "locations": [{"physicalLocation": at(finding.main())}],
        "relatedLocations": related.collect::<Vec<_>>(),
        // GitHub uses only primaryLocationLineHash and, if it is missing, computes it from the
        // line: then two findings that begin on one line would be one.
        "partialFingerprints": {"primaryLocationLineHash": format!("{}:1", finding.identity)},
        "properties": {"texts": finding.texts().len(), "places": finding.places.len()},
    });
    if let Some(passage) = &finding.passage {
        result["partialFingerprints"]["dedupPassage/v1"] =
            format!("{:016x}", passage.fingerprint).into();
        result["properties"]["words"] = passage.words.into();
        result["properties"]["changed_words"] = passage.changed_words.into();
        result["properties"]["kind"] = passage.kind.name().into();
    }
    result
}

/// Returns the location of a place in a text; without a place, that of the text.
pub(crate) fn location(text: &Text, place: Option<&Place>, names: &Names) -> Value {
    let uri = names.uri(text);
    let mut location = json!({"artifactLocation": {"uri": uri.uri}});
    if uri.is_below {
        location["artifactLocation"]["uriBaseId"] = FOLDER.into();
    }
    if let Some(place) = place {
        location["region"] = json!({
            "startLine": place.lines[0],
            "startColumn": place.columns[0],
            "endLine": place.lines[1],
            "endColumn": place.columns[1],
        });
    }
    location
}

/// Escapes the text of a link (section 3.11.6).
pub(crate) fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('[', "\\[").replace(']', "\\]")
}

/// A log with one run.
#[derive(Serialize)]
pub(crate) struct Log<R> {
    #[serde(rename = "$schema")]
    schema: &'static str,
    version: &'static str,
    runs: [LogRun<R>; 1],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct LogRun<R> {
    column_kind: &'static str,
    invocations: [Value; 1],
    language: &'static str,
    original_uri_base_ids: Value,
    properties: Value,
    tool: Value,
    results: R,
}

impl<R> Log<R> {
    pub(crate) fn new(rules: &[Value], invocation: Value, properties: Value, results: R) -> Self {
        let mut driver = json!({
            "name": "dedup",
            "version": env!("CARGO_PKG_VERSION"),
            "semanticVersion": env!("CARGO_PKG_VERSION"),
            "rules": rules,
        });
        let page = [env!("CARGO_PKG_HOMEPAGE"), env!("CARGO_PKG_REPOSITORY")];
        if let Some(page) = page.into_iter().find(|page| !page.is_empty()) {
            driver["informationUri"] = page.into();
        }
        let folder = json!({"description": {"text": "The folder in which dedup ran."}});
        let run = LogRun {
            column_kind: "unicodeCodePoints",
            invocations: [invocation],
            language: "en",
            original_uri_base_ids: json!({FOLDER: folder}),
            properties,
            tool: json!({"driver": driver}),
            results,
        };
        let schema = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";
        Self { schema, version: "2.1.0", runs: [run] }
    }
}

pub(crate) fn notification(level: &str, text: &str) -> Value {
    json!({"level": level, "message": {"text": text}})
}

/// Returns the level of a verdict in SARIF.
fn level(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Identical => "error",
        Verdict::NearDuplicate => "warning",
        Verdict::Partial | Verdict::Excerpt | Verdict::Different => "note",
    }
}

// The verdicts as rules: the meaning and the severity of each.

/// Returns the rules, the closest verdict first.
fn all() -> Vec<Value> {
    Verdict::LADDER.into_iter().rev().map(rule).collect()
}

fn index(verdict: Verdict) -> Option<usize> {
    Verdict::LADDER.into_iter().rev().position(|rung| rung == verdict)
}

fn rule(verdict: Verdict) -> Value {
    let (short, help) = match verdict {
        Verdict::Identical => (
            "Two texts have the same words in the same order.",
            "Case, punctuation and layout do not count. Keep one of the texts, or cite the other.",
        ),
        Verdict::NearDuplicate => (
            "Two texts are near-duplicates.",
            "The Hamming distance of their fingerprints is within its limit (--hamming), or the \
             Jaccard index of their shingles reaches its limit (--jaccard). Read both texts: a \
             near-duplicate may say the opposite.",
        ),
        Verdict::Partial => (
            "Two texts share a part.",
            "The shared passages cover at least the limit (--coverage) of one of the texts, or the \
             Jaccard index of their shingles reaches the limit for a part (--partial-jaccard). \
             Quotations and text that was given to everyone can be left out (--ignore, \
             --template).",
        ),
        Verdict::Excerpt => (
            "Two texts share a passage.",
            "At least one passage is in both texts (--min-match), but less than the limits for a \
             part require. Quotations and text that was given to everyone can be left out \
             (--ignore, --template).",
        ),
        Verdict::Different => (
            "Two texts were compared, and no figure reaches its limit.",
            "It is listed because the level is different, which lists every pair.",
        ),
    };
    json!({
        "id": verdict.name(),
        "shortDescription": {"text": short},
        "fullDescription": {"text": format!("{short} {help}")},
        "help": {"text": help, "markdown": help},
        "defaultConfiguration": {"level": level(verdict)},
        "properties": {"tags": ["duplication"]},
    })
}

#[cfg(test)]
mod tests {
    use dedup_text::verdict::Verdict;

    use super::*;
    use crate::model::findings::Closeness;
    use crate::model::found::{Failures, Skipped};

    /// Makes a finding without a passage at two places of a text.
    fn made(verdict: Verdict, text: &Text) -> Finding<'_> {
        let at = |number| FoundAt { text, number, place: None, shown: None, mark: "", passages: 1 };
        Finding {
            closest: Closeness { verdict, jaccard: 0.0, hamming: 0 },
            farthest: verdict,
            reasons: String::new(),
            passage: None,
            places: vec![at(0), at(1)],
            first: 0,
            identity: String::new(),
        }
    }

    /// A pair may have many passages.
    #[test]
    fn a_run_has_no_more_results_than_there_is_room_for() {
        let text = Text::new("a.txt", "a").unwrap();
        for (results, message) in [
            (MAX_RESULTS, None),
            (MAX_RESULTS + 1, Some("1 more result left out: a run has at most 25,000.")),
            (MAX_RESULTS + 2, Some("2 more results left out: a run has at most 25,000.")),
        ] {
            let partial = (0..results - 1).map(|_| made(Verdict::Partial, &text));
            let findings: Vec<Finding> = partial.chain([made(Verdict::Identical, &text)]).collect();
            let run = Run {
                names: &Names::here(),
                level: Verdict::Partial,
                weight: Severity::Warning,
                pairs: 2,
                reaching: 2,
                findings: &findings,
                texts: Vec::new(),
                compared: 2,
                has_errors: false,
                disguises: Severity::Warning,
                counts: String::new(),
                settings: None,
                failed: &Failures::default(),
                skipped: Skipped::default(),
                short: Vec::new(),
                remarks: Vec::new(),
                left_out: Vec::new(),
                excluded: None,
                widespread: Vec::new(),
            };
            let log = (FORMAT.begin)().finish(&run).unwrap().into_text().unwrap();
            let log: Value = serde_json::from_str(&log).unwrap();
            let written = log["runs"][0]["results"].as_array().unwrap();
            assert_eq!((written.len(), &written[0]["ruleId"]), (MAX_RESULTS, &json!("identical")));
            let notifications = &log["runs"][0]["invocations"][0]["toolExecutionNotifications"];
            assert_eq!(notifications[0]["message"]["text"].as_str(), message);
        }
    }
}
