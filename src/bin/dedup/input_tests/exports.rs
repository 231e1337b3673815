//! Invariants of the output formats that other programs read, for any pair.

use quick_xml::Reader;
use quick_xml::events::Event;
use serde_json::Value;

use super::check;
use super::report::{compared, with_pair};
use crate::commands::compare;
use crate::exports::Format;
use crate::model::rendered::Syntax;
use dedup_text::display::hides;

#[test]
fn each_export_is_valid_in_its_format() {
    check("exports", 4, exports);
}

/// Checks that each output is valid in its format, and that the terminal output has no characters
/// that hide or reorder text.
fn exports(bytes: &[u8]) {
    let flags = compared(&["--no-config"]).expect("sound flags");
    with_pair(bytes, |pair| {
        let written = |format| {
            let whole =
                compare::answer::render(pair, &compare::options(&flags), format).expect("written");
            whole.into_text().expect("UTF-8")
        };
        let json = |format| serde_json::from_str::<Value>(&written(format)).expect("JSON");
        let record = json(Format::Json);
        assert_eq!(record["verdict"], pair.judgement.decision.verdict.name());
        assert_eq!(record["a"]["path"], pair.left.path().to_str().expect("UTF-8"));
        assert_eq!(
            record["matches"].as_array().map(Vec::len),
            pair.judgement.matches.as_ref().map(|it| it.all.len())
        );
        assert_eq!(written(Format::Jsonl).lines().count(), 1);
        for format in Format::ALL {
            match format.name() {
                "csv" => check_rows(&written(format)),
                "junit" => check_xml(&written(format)),
                "github" => check_commands(&written(format)),
                _ if format.syntax() == Syntax::Json => drop(json(format)),
                _ => {}
            }
        }
        let rendered = anstream::adapter::strip_str(&written(Format::Text)).to_string();
        // Right-to-left text is wrapped in isolates; spaces of no width, joiners and direction
        // marks belong to some scripts, and are kept in passages.
        let is_harmless =
            |letter| matches!(letter, '\n' | '\u{200b}'..='\u{200f}' | '\u{2068}' | '\u{2069}');
        assert!(!rendered.contains(|letter| hides(letter) && !is_harmless(letter)), "{rendered:?}");
    });
}

/// Checks that there are at most two rows, with equally many cells, none of which is a formula.
fn check_rows(sheet: &str) {
    let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(sheet.as_bytes());
    let rows: Vec<csv::StringRecord> = reader.records().map(|row| row.expect("a row")).collect();
    assert!(rows.len() <= 2);
    for cell in rows.iter().flatten() {
        assert!(!cell.starts_with(['=', '+', '@', '-', '\t', '\r']), "{cell:?}");
    }
}

/// Checks that each line is a command or a line of `dedup`.
fn check_commands(log: &str) {
    for line in log.lines() {
        assert!(line.starts_with("::") || line.starts_with("dedup: "), "{line:?}");
    }
}

/// Checks that a document is well-formed XML, and has only characters that XML allows.
fn check_xml(document: &str) {
    let mut reader = Reader::from_str(document);
    loop {
        match reader.read_event().expect("well-formed") {
            Event::Eof => break,
            Event::Start(element) | Event::Empty(element) => {
                element.attributes().for_each(|it| assert!(it.is_ok()));
            }
            _ => {}
        }
    }
    let is_character = |letter: char| matches!(letter, '\t' | '\n' | '\r' | ' '..='\u{d7ff}' | '\u{e000}'..='\u{fffd}' | '\u{10000}'..);
    assert!(document.chars().all(is_character));
}
