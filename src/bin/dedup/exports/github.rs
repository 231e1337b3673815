//! Renders annotations of GitHub Actions: one for the longest finding in the same texts, and a line with
//! the numbers of pairs and findings.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::Path;

use dedup_text::display::{counted, inert, visible};
use dedup_text::text::Place;

use super::{ExportFormat, OfRun, Run, markdown};
use crate::diagnostics::Severity;
use crate::model::findings::{Finding, unlinked};
use crate::model::rendered::Syntax;

pub(super) const FORMAT: ExportFormat = ExportFormat {
    summary: Some(&markdown::FORMAT),
    ..ExportFormat::new("github", Syntax::Other, || Box::new((|run| Ok(log(run).into())) as OfRun))
};

/// The number of annotations of one level that GitHub shows for a step. It would show as many again
/// of other levels, but few people would read them.
const MAX_ANNOTATIONS: usize = 10;

/// The largest number of annotations about texts that could not be read or are disguised.
const MAX_FAILED: usize = 3;

/// The largest number of lines about single texts, below the annotations.
const MAX_NOTES: usize = 10;

/// Renders the annotation of a finding, with a line end.
fn annotation(finding: &Finding, run: &Run) -> String {
    let (level, verdict, place) = (run.weight.name(), finding.closest.verdict, finding.main());
    let properties = properties(&run.names.plain(place.file()), place.stored());
    let message = message(&finding.sentence(finding.first, run.names, unlinked));
    format!("::{level} {properties},title=dedup%3A {verdict}::{message}\n")
}

/// Renders the annotations of texts that could not be read or are disguised, and of findings, a line with
/// the numbers, and lines with the notes on single texts.
fn log(run: &Run) -> String {
    let about = |severity: Severity, name: &str, what: &str, text: &str| {
        let (name, text) = (property(&visible(name)), message(&visible(text)));
        let level = severity.name();
        (severity, format!("::{level} file={name},title=dedup%3A {what}::{text}\n"))
    };
    let failed = run.failed.first().iter().map(|failed| {
        let name = run.names.plain_path(Path::new(&failed.name));
        about(failed.severity, &name, "unreadable", &failed.error)
    });
    let disguised = run
        .failing_disguises()
        .map(|remark| about(Severity::Error, &remark.name, "disguised", &remark.line));
    let mut about: Vec<(Severity, String)> = failed.chain(disguised).collect();
    about.sort_by_key(|(severity, _)| !severity.is_error());
    let mut log: String = about.into_iter().take(MAX_FAILED).map(|(_, line)| line).collect();
    let failed = run.failed.len() + run.failing_disguises().count();
    let annotations = MAX_ANNOTATIONS - failed.min(MAX_FAILED);
    // Of several findings in the same texts, the longest is annotated.
    let mut annotated = BTreeSet::new();
    let shown = run.closest().into_iter().filter(|it| annotated.insert(it.texts()));
    let shown: Vec<&Finding> = shown.take(annotations).collect();
    log.extend(shown.iter().map(|finding| annotation(finding, run)));
    let _ = write!(log, "dedup: {}", run.found());
    if let Some(more @ 1..) = run.findings.len().checked_sub(shown.len()) {
        let _ = write!(log, ", {} without an annotation", counted(more, "finding"));
    }
    let _ = write!(log, "; {}", run.counts);
    if let Some(settings) = run.settings {
        let _ = write!(log, "; settings: {}", message(&visible(settings)));
    }
    log += "\n";
    let notes = run.notes();
    for note in notes.iter().take(MAX_NOTES) {
        let _ = writeln!(log, "dedup: {}", message(&visible(&note.line)));
    }
    if let Some(more @ 1..) = notes.len().checked_sub(MAX_NOTES) {
        let _ = writeln!(log, "dedup: {}", counted(more, "more note"));
    }
    log
}

/// Renders the file of an annotation and, if the place in it is known, its lines.
fn properties(file: &str, place: Option<&Place>) -> String {
    let file = property(file);
    match place.map(|place| place.lines) {
        Some([first, last]) => format!("file={file},line={first},endLine={last}"),
        None => format!("file={file}"),
    }
}

/// Escapes a message in the same way as the toolkit of GitHub Actions.
fn message(text: &str) -> String {
    inert::part(text).replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// Escapes the value of a property in the same way as the toolkit.
fn property(text: &str) -> String {
    message(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_ends_a_command_or_begins_another() {
        #[rustfmt::skip]
        let table = [
            ("nothing",        "",              "",                     ""),
            ("a percent sign", "50%0A",         "50%250A",              "50%250A"),
            ("line ends",      "a\r\nb",        "a%0D%0Ab",             "a%0D%0Ab"),
            ("a property",     "a,line=3:b",    "a,line=3:b",           "a%2Cline=3%3Ab"),
            ("a command",      "\n::error::x",  "%0A::error::x",        "%0A%3A%3Aerror%3A%3Ax"),
        ];
        for (why, text, of_message, of_property) in table {
            assert_eq!(message(text), of_message, "{why}");
            assert_eq!(property(text), of_property, "{why}");
        }
    }
}
