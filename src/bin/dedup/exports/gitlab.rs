//! Renders a GitLab Code Quality report: each passage is a finding, and each note on a text is one of
//! the lowest severity, since the format has nothing but findings.

use std::path::Path;

use data_encoding::HEXLOWER;
use dedup_text::display::{counted, inert, visible};
use dedup_text::verdict::Verdict;
use serde::Serialize;
use sha2::{Digest, Sha256};

use super::{ExportFormat, OfRun, Run};
use crate::model::findings::{Finding, unlinked};
use crate::model::names::Names;
use crate::model::rendered::{Rendered, Spool, Syntax};

pub(super) const FORMAT: ExportFormat =
    ExportFormat::new("gitlab", Syntax::Json, || Box::new(report as OfRun));

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

/// Renders the complete report.
fn report(run: &Run) -> anyhow::Result<Rendered> {
    let mut entries = Spool::new(",");
    for finding in run.findings {
        entries.add(&inert::json(&entry(finding, run.names))?)?;
    }
    let mut add = |check_name: &'static str, name: String, line: &str, severity| {
        let identity = Sha256::digest([check_name, &*name, line].join("\0"));
        entries.add(&inert::json(&Entry {
            description: visible(line),
            check_name,
            fingerprint: HEXLOWER.encode(&identity[..16]),
            severity,
            location: Location { path: name, lines: Lines { begin: 1, end: 1 } },
        })?)
    };
    for failed in run.failed.first() {
        let name = run.names.plain_path(Path::new(&failed.name));
        let severity = if failed.severity.is_error() { "major" } else { "info" };
        add("unreadable", name, &failed.error, severity)?;
    }
    if let Some(more @ 1..) = run.failed.len().checked_sub(run.failed.first().len()) {
        let severity = if run.failed.errors() > 0 { "major" } else { "info" };
        let what = format!("{} failed", counted(more, "more text"));
        add("unreadable", ".".to_owned(), &what, severity)?;
    }
    for remark in run.failing_disguises() {
        add("disguised", remark.name.clone(), &remark.line, "major")?;
    }
    if let Some(excluded) = run.excluded_by_authors() {
        add("left-out", ".".to_owned(), &excluded.to_string(), "info")?;
    }
    for note in run.notes() {
        add(note.code, note.name, &note.line, "info")?;
    }
    Ok(Rendered::from("[".to_owned()).with_records(entries).with_text("]\n"))
}

fn entry(finding: &Finding, names: &Names) -> Entry {
    let (verdict, place) = (finding.closest.verdict, finding.main());
    // GitLab requires a line, even for a file that has none.
    let [begin, end] = place.stored().map_or([1, 1], |place| place.lines);
    let (path, lines) = (names.plain(place.file()), Lines { begin, end });
    let message = finding.sentence(finding.first, names, unlinked);
    Entry {
        description: format!("{verdict}: {message}"),
        check_name: verdict.name(),
        fingerprint: finding.identity.clone(),
        severity: match verdict {
            Verdict::Identical => "major",
            Verdict::NearDuplicate => "minor",
            Verdict::Partial | Verdict::Excerpt | Verdict::Different => "info",
        },
        location: Location { path, lines },
    }
}
