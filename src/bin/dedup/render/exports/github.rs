//! Annotations of GitHub Actions: one for a pair, at its longest passage, and a line that
//! counts.

use std::fmt::Write;

use super::Run;
use super::findings::Pieces;
use super::findings::{level, longest};
use crate::inert;
use crate::model::Pair;
use crate::model::names::Names;
use crate::words::{counted, or_closer, thousands, visible};

/// The annotations that GitHub shows of a step; there may be as many again of other levels,
/// but who reads them.
pub(super) const MOST: usize = 10;

/// How many of them may be of texts that could not be read.
const MOST_FAILED: usize = 3;

/// The annotation of a pair, with its line end; none where it does not reach the level.
pub(super) fn annotation(pair: &Pair, names: &Names) -> Option<String> {
    let found = longest(pair, names)?;
    let verdict = pair.judgement.decision.verdict;
    let command = match level(verdict) {
        "note" => "notice",
        level => level,
    };
    let mut properties = format!("file={}", property(&names.plain(found.file_of_left())));
    if let Some(place) = found.on_left() {
        let [first, last] = place.lines;
        let _ = write!(properties, ",line={first},endLine={last}");
    }
    let message = message(&found.message(str::to_owned));
    Some(format!("::{command} {properties},title=dedup%3A {verdict}::{message}\n"))
}

/// The annotations of texts that could not be read and of the closest pairs, and what is found
/// at all.
pub(super) fn log(pieces: Pieces, run: &Run) -> String {
    let findings = pieces.findings();
    let failed = run.failed.first().iter().take(MOST_FAILED).map(|failed| {
        let (name, error) = (property(&visible(&failed.name)), message(&visible(&failed.error)));
        format!("::error file={name},title=dedup%3A unreadable::{error}\n")
    });
    let mut log: String = failed.collect();
    let room = MOST - run.failed.len().min(MOST_FAILED);
    log.extend(pieces.closest().flatten().take(room));
    let _ = write!(log, "dedup: {} {}", counted(findings, "pair"), or_closer(run.level));
    if let Some(more @ 1..) = findings.checked_sub(room) {
        let _ = write!(log, ", {} of them without an annotation", thousands(more));
    }
    log + "; " + &run.counts + "\n"
}

/// A message, escaped as the toolkit of GitHub Actions does it.
fn message(text: &str) -> String {
    inert::part(text).replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// The value of a property, escaped likewise.
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
