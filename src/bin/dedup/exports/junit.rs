//! Renders `JUnit` XML, as Jenkins, GitLab and Azure read it: a case for each text.
//!
//! A text that is in a finding is a failure, which lists them; a text that cannot be read is
//! an error if it fails the run, otherwise it is skipped, as is one that is too short. This way the
//! names of the cases stay the same from run to run, whatever is found. Old texts, which new ones
//! are compared with, have no case.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

use dedup_text::display::{counted, inert, or_closer, position, visible};
use dedup_text::verdict::Verdict;

use super::{ExportFormat, OfRun, Run, TOO_SHORT, TextRemark};
use crate::diagnostics::Severity;
use crate::model::findings::unlinked;
use crate::model::rendered::{Rendered, Spool, Syntax};

/// The largest number of findings that the failure of a text lists.
const MAX_FINDINGS: usize = 20;

pub(super) const FORMAT: ExportFormat =
    ExportFormat::new("junit", Syntax::Other, || Box::new(suite as OfRun));

/// The findings that a text is in.
struct Failing {
    /// The closest verdict.
    verdict: Verdict,
    /// The number of findings.
    findings: usize,
    /// The first of them, a line each, up to [`MAX_FINDINGS`].
    shown: Vec<String>,
}

/// Renders the complete suite.
fn suite(run: &Run) -> anyhow::Result<Rendered> {
    let (names, mut failing) = (run.names, failing(run));
    let level = or_closer(run.level);
    let (mut cases, mut failures) = (Spool::new(""), 0);
    for text in &run.texts {
        let name = names.plain(text);
        let failed = failing.remove(&name);
        failures += usize::from(failed.is_some());
        let element = failed.map_or(String::new(), |failed| element(&failed, &level));
        cases.add(&case(&name, &element))?;
    }
    for TextRemark { name, found, .. } in run.failing_disguises() {
        let (name, found) = (xml(name), xml(found));
        cases.add(&format!(
            "    <testcase classname=\"dedup.disguised\" name=\"{name}\" file=\"{name}\">\n      \
         <error type=\"disguised\" message=\"{found}\"/>\n    </testcase>\n"
        ))?;
    }
    for (_, why) in &run.short {
        let message = xml(&why.to_string());
        let name = names.plain_path(why.path());
        cases.add(&case(&name, &format!("      <skipped message=\"{message}\"/>\n")))?;
    }
    let failed = run.failed.written("", |failed| {
        let (name, message) = (names.plain_path(Path::new(&failed.name)), xml(&failed.error));
        let element = match failed.severity {
            Severity::Error => "error type=\"unreadable\"",
            Severity::Warning => "skipped",
        };
        case(&name, &format!("      <{element} message=\"{message}\"/>\n"))
    })?;
    let uncompared = run.failed.len() + run.short.len();
    let skipped = uncompared - run.failed.errors();
    let disguised = run.failing_disguises().count();
    let errors = run.failed.errors() + disguised;
    let mut tests = run.texts.len() + uncompared + disguised;
    if tests == 0 {
        // Some readers treat a suite without cases as an error.
        cases.add("    <testcase classname=\"dedup.corpus\" name=\"no text is compared\"/>\n")?;
        tests = 1;
    }
    let attributes =
        format!("name=\"dedup\" tests=\"{tests}\" failures=\"{failures}\" errors=\"{errors}\"");
    let mut summary = xml(&format!("{}; {}", run.found(), run.counts));
    // A text that is too short is a case.
    for note in run.notes().iter().filter(|note| note.code != TOO_SHORT) {
        // The name of a text must not begin a line.
        let _ = write!(summary, "\ndedup: {}", xml(&note.line));
    }
    let mut head = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites {attributes}>\n  <testsuite {attributes} skipped=\"{skipped}\">\n"
    );
    if let Some(settings) = run.settings {
        let property = format!("<property name=\"settings\" value=\"{}\"/>", xml(settings));
        let _ = writeln!(head, "    <properties>{property}</properties>");
    }
    let tail = format!("    <system-out>{summary}</system-out>\n  </testsuite>\n</testsuites>\n");
    Ok(Rendered::from(head).with_records(cases).with_records(failed).with_text(tail))
}

/// Returns the texts that are in a finding, by name.
fn failing(run: &Run) -> BTreeMap<String, Failing> {
    let mut of_text: BTreeMap<String, Failing> = BTreeMap::new();
    for finding in run.findings {
        let verdict = finding.closest.verdict;
        for (place, at) in finding.places.iter().zip(0..) {
            let new = Failing { verdict, findings: 0, shown: Vec::new() };
            let text = of_text.entry(run.names.plain(place.text)).or_insert(new);
            text.verdict = text.verdict.max(verdict);
            text.findings += 1;
            if text.shown.len() < MAX_FINDINGS {
                let position = place.stored().map_or(String::new(), |it| position(it) + ": ");
                let sentence = finding.sentence(at, run.names, unlinked);
                text.shown.push(format!("{position}{sentence}\n"));
            }
        }
    }
    of_text
}

/// Renders the case of a text. `element` has the reason why the case does not pass, and is empty if
/// it passes.
fn case(name: &str, element: &str) -> String {
    let name = xml(name);
    let start = format!("    <testcase classname=\"dedup.text\" name=\"{name}\" file=\"{name}\"");
    if element.is_empty() {
        return start + "/>\n";
    }
    format!("{start}>\n{element}    </testcase>\n")
}

/// Renders the failure of a text.
fn element(text: &Failing, level: &str) -> String {
    let Failing { verdict, findings, shown } = text;
    let mut body: String = shown.concat();
    if let Some(more @ 1..) = findings.checked_sub(shown.len()) {
        let _ = writeln!(body, "and {}", counted(more, "more finding"));
    }
    // A line may begin with the name of a text, which must not be read as a command.
    let body = xml_lines(&inert::text(&body));
    let message = format!("{} {level}", counted(*findings, "finding"));
    format!("      <failure type=\"{verdict}\" message=\"{message}\">{body}</failure>\n")
}

/// Escapes a text for one line of XML. Characters that XML does not allow are written as their code
/// points.
fn xml(text: &str) -> String {
    xml_lines(&inert::part(&visible(text)))
}

/// Escapes a text of several lines, whose line ends are ours, for XML.
fn xml_lines(text: &str) -> String {
    let text = text.replace(['\u{fffe}', '\u{ffff}'], "\u{fffd}").replace('&', "&amp;");
    let text = text.replace('<', "&lt;").replace('>', "&gt;");
    text.replace('\'', "&apos;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_name_is_xml() {
        #[rustfmt::skip]
        let table = [
            ("nothing",              "",                    ""),
            ("marks of XML",         "<a b=\"c\" & 'd'>",   "&lt;a b=&quot;c&quot; &amp; &apos;d&apos;&gt;"),
            ("a line end",           "a\nb",                "a\\u{a}b"),
            ("what XML has not",     "a\0\u{1b}\u{ffff}b",  "a\\u{0}\\u{1b}\u{fffd}b"),
            ("what ends CDATA",      "]]>",                 "]]&gt;"),
        ];
        for (why, text, want) in table {
            assert_eq!(xml(text), want, "{why}");
        }
    }
}
