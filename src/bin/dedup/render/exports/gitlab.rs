//! Renders a GitLab Code Quality report: each passage is a finding.

use dedup_text::display::inert;
use dedup_text::text::Side;
use dedup_text::verdict::Verdict;
use serde::Serialize;

use super::{Finding, Pieces, Run, findings};
use crate::model::names::Names;
use crate::model::{Pair, Whole};

#[derive(Serialize)]
struct Entry {
    description: String,
    check_name: &'static str,
    fingerprint: String,
    severity: &'static str,
    location: Location,
}

#[derive(Serialize)]
struct Location {
    path: String,
    lines: Lines,
}

#[derive(Serialize)]
struct Lines {
    begin: usize,
    end: usize,
}

/// Renders the entries of a pair.
pub(super) fn entries(pair: &Pair, names: &Names) -> anyhow::Result<Vec<String>> {
    let entry = |found: &Finding| Ok(inert::json(&entry(found, pair, names))?);
    findings(pair, names).iter().map(entry).collect()
}

fn entry(found: &Finding, pair: &Pair, names: &Names) -> Entry {
    let verdict = pair.judgement.decision.verdict;
    // GitLab requires a line, even for a file that has none.
    let [begin, end] = found.place(Side::Left).map_or([1, 1], |place| place.lines);
    let (path, lines) = (names.plain(found.file(Side::Left)), Lines { begin, end });
    Entry {
        description: format!("{verdict}: {}", found.message(str::to_owned)),
        check_name: verdict.name(),
        fingerprint: found.identity.clone(),
        severity: match verdict {
            Verdict::Identical => "major",
            Verdict::NearDuplicate => "minor",
            Verdict::Partial | Verdict::Excerpt | Verdict::Different => "info",
        },
        location: Location { path, lines },
    }
}

/// The separator of two entries.
pub(super) const SEPARATOR: &str = ",";

/// Renders the complete list.
pub(super) fn list(pieces: Pieces, run: &Run) -> anyhow::Result<Whole> {
    let mut entries = pieces.all();
    for common in &run.common {
        let [begin, end] = common.place().map_or([1, 1], |place| place.lines);
        entries.add(&inert::json(&Entry {
            description: format!("{}: {}", Verdict::Excerpt, common.sentence()),
            check_name: Verdict::Excerpt.name(),
            fingerprint: common.identity(),
            severity: "info",
            location: Location { path: common.name.clone(), lines: Lines { begin, end } },
        })?)?;
    }
    Ok(Whole::from("[".to_owned()).with_records(entries).with_text("]\n"))
}
