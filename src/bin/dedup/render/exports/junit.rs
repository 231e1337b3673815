//! `JUnit` XML, as Jenkins, GitLab and Azure read it: a case for each pair.
//!
//! A pair that reaches the level is a failure, what cannot be read an error. Where no pair is
//! told, one case says so: some readers take a suite without a case for a mistake.

use std::fmt::Write;
use std::io;

use dedup_text::pair::Match;
use quick_xml::escape::escape;

use super::Run;
use super::findings::Pieces;
use super::findings::stand;
use crate::inert;
use crate::io::output::Whole;
use crate::model::Pair;
use crate::model::names::Names;
use crate::render::details::{figures, reasons};
use crate::words::{counted, extent, or_closer, visible};

/// The case of a pair.
pub(super) fn case(pair: &Pair, names: &Names) -> String {
    let [left, right] = [pair.left, pair.right].map(|text| xml(&names.plain(text)));
    let case =
        format!("    <testcase classname=\"dedup.pair\" name=\"{left} | {right}\" file=\"{left}\"");
    if !pair.is_finding() {
        return case + "/>\n";
    }
    let verdict = pair.judgement.decision.verdict;
    let message = xml(&format!("{verdict}: {}", reasons(pair)));
    let body = xml_lines(&evidence(pair));
    format!(
        "{case}>\n      <failure type=\"{verdict}\" message=\"{message}\">{body}</failure>\n    </testcase>\n"
    )
}

/// The figures of a pair and its passages, a line each.
fn evidence(pair: &Pair) -> String {
    let mut lines = String::new();
    for [name, figure, limit, meaning] in figures(pair) {
        let name = if name.is_empty() { "Containment" } else { &name };
        let _ = writeln!(lines, "{name} {figure}, {limit}: {meaning}");
    }
    for Match { passage, left, right } in pair.judgement.matches.iter().flat_map(|it| &it.all) {
        let [left, right] = [stand(pair.left, left), stand(pair.right, right)];
        let _ = writeln!(lines, "{}: left, {left}; right, {right}", extent(passage));
    }
    lines
}

/// The whole: a suite.
pub(super) fn suite(pieces: Pieces, run: &Run) -> io::Result<Whole> {
    let (pairs, failures, errors) = (pieces.pairs(), pieces.findings(), run.failed.len());
    let failed = run.failed.written("", |failed| {
        let [name, error] = [&failed.name, &failed.error].map(|text| xml(text));
        format!(
            "    <testcase classname=\"dedup.text\" name=\"{name}\">\n      <error type=\"unreadable\" message=\"{error}\"/>\n    </testcase>\n"
        )
    })?;
    let mut tail = String::new();
    if pairs == 0 {
        let level = or_closer(run.level);
        let _ =
            writeln!(tail, "    <testcase classname=\"dedup.corpus\" name=\"no pair {level}\"/>");
    }
    let tests = pairs.max(1) + errors;
    let counts =
        format!("name=\"dedup\" tests=\"{tests}\" failures=\"{failures}\" errors=\"{errors}\"");
    let rendered =
        xml(&format!("{} {}; {}", counted(failures, "pair"), or_closer(run.level), run.counts));
    let _ =
        write!(tail, "    <system-out>{rendered}</system-out>\n  </testsuite>\n</testsuites>\n");
    let head = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites {counts}>\n  <testsuite {counts}>\n"
    );
    Ok(Whole::from(head).with_records(pieces.all()).with_records(failed).with_text(tail))
}

/// A text on one line in XML; characters that XML has not, by their numbers.
fn xml(text: &str) -> String {
    xml_lines(&inert::part(&visible(text)))
}

/// A text of our own lines in XML.
fn xml_lines(text: &str) -> String {
    let text = text.replace(['\u{fffe}', '\u{ffff}'], "\u{fffd}");
    escape(text).into_owned()
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
