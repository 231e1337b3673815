//! Invariants of reading JSON Lines and tables.

use serde_json::Value;

use crate::commands;
use crate::dispatch;
use crate::dispatch::tree::Request;

/// The largest number of lines of an input: pairs of texts are the subject of other targets.
const MOST: usize = 64;

/// Checks that each line that is not blank is a text or an error, and that every line that another
/// JSON reader accepts as a record is one. Each row of the same bytes, read as a table, is a text
/// or an error, too.
pub fn records(bytes: &[u8]) {
    let lines = || bytes.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii_end);
    if lines().count() > MOST {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).to_str().expect("UTF-8").to_owned();
    rows(bytes, path("records.tsv"), path("rows.json"));
    let (file, answer) = (path("records.jsonl"), path("answer.json"));
    std::fs::write(&file, bytes).expect("written");
    let marked = bytes.strip_prefix(b"\xef\xbb\xbf");
    let first = marked.unwrap_or(bytes).split(|byte| *byte == b'\n').next().unwrap_or_default();
    let filled =
        lines().skip(1).chain([first.trim_ascii_end()]).filter(|line| !line.is_empty()).count();
    // If no line was a text, the number of errors is reported elsewhere.
    let Some(answer) = answered("--jsonl", &file, &answer) else { return };
    assert_eq!(counted(&answer), filled as u64);
    for (line, number) in lines().zip(1..) {
        let place = format!("{file}: line {number}");
        let failed = answer["failed"].as_array().expect("a list");
        let failure = failed.iter().find(|failure| failure["name"] == place.as_str());
        let rendered = failure.map_or("", |failure| failure["error"].as_str().expect("words"));
        assert!(!(is_record(line) && is_of_form(rendered)), "{rendered}");
    }
}

/// Checks that there are as many texts and errors as rows that another reader finds.
fn rows(bytes: &[u8], file: String, answer: String) {
    std::fs::write(&file, bytes).expect("written");
    let Some(answer) = answered("--csv", &file, &answer) else { return };
    let mut reader = csv::ReaderBuilder::new();
    let reader = reader.delimiter(b'\t').flexible(true).from_reader(bytes);
    assert_eq!(counted(&answer), reader.into_byte_records().count() as u64);
}

/// Returns the JSON report on a file of records. `None` if the file has no text.
fn answered(flag: &str, file: &str, answer: &str) -> Option<Value> {
    let to = format!("json={answer}");
    let line = [
        "dedup",
        "corpus",
        "--no-config",
        "--quiet",
        "--threads",
        "1",
        "--lang",
        "none",
        flag,
        file,
        "--format",
        &to,
    ];
    let Ok(Request::Corpus(flags)) = dispatch::read(line.map(Into::into)) else {
        panic!("sound flags");
    };
    commands::corpus::answer(&flags).ok()?;
    // If each line is an error, nothing is written.
    let answer = std::fs::OpenOptions::new().read(true).open(answer).ok()?;
    Some(serde_json::from_reader(answer).expect("JSON"))
}

/// Returns the number of texts and errors of a report, including the texts that are too short.
fn counted(answer: &Value) -> u64 {
    let failed = answer["failed"].as_array().expect("a list").len() as u64;
    let count = |field: &Value| field.as_u64().expect("a count");
    count(&answer["texts"]) + count(&answer["too_short"]["count"]) + failed
}

/// Reports whether another JSON reader accepts a line as a record. If a field occurs twice, that
/// reader uses the last one, but `dedup` requires each to be valid: lines with two texts do not
/// count.
fn is_record(line: &[u8]) -> bool {
    let value: Value = serde_json::from_slice(line).unwrap_or_default();
    let is_once = line.windows(6).filter(|it| it == b"\"text\"").count() == 1;
    let id = value.get("id");
    is_once && value["text"].is_string() && id.is_none_or(|id| id.is_string() || id.is_number())
}

/// Reports whether an error is about the form of a record, not about its text or its name.
fn is_of_form(rendered: &str) -> bool {
    ["no JSON", "no field", "the field"].iter().any(|form| rendered.contains(&format!(": {form}")))
}
