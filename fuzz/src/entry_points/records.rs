//! What holds of any file of JSON Lines, and of any table.

use serde_json::Value;

use crate::args::{self, Request};
use crate::commands;

/// The most lines that are looked at: what comes of pairs of them is for others.
const MOST: usize = 64;

/// Each line that is not blank is a text or an error; what any other reader of JSON takes for a
/// record is one. Each row of the same bytes is a text or an error, too.
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
    // Where no line was a text, how many were an error is reported elsewhere.
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

/// The rows that another reader finds are texts or errors, each once.
fn rows(bytes: &[u8], file: String, answer: String) {
    std::fs::write(&file, bytes).expect("written");
    let Some(answer) = answered("--csv", &file, &answer) else { return };
    let mut reader = csv::ReaderBuilder::new();
    let reader = reader.delimiter(b'\t').flexible(true).from_reader(bytes);
    assert_eq!(counted(&answer), reader.into_byte_records().count() as u64);
}

/// What is answered of a file of records; none where it has no text.
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
    let Ok(Request::Corpus(flags)) = args::read(line.map(Into::into)) else {
        panic!("sound flags");
    };
    commands::corpus::answer(&flags).ok()?;
    let answer = std::fs::OpenOptions::new().read(true).open(answer).expect("written");
    Some(serde_json::from_reader(answer).expect("JSON"))
}

/// The texts and the errors of an answer.
fn counted(answer: &Value) -> u64 {
    let failed = answer["failed"].as_array().expect("a list").len() as u64;
    let count = |field: &Value| field.as_u64().expect("a count");
    count(&answer["texts"]) + count(&answer["too_short"]["count"]) + failed
}

/// Whether another reader of JSON takes a line for a record. Of a field that stands twice it takes
/// the last; here each must be right.
fn is_record(line: &[u8]) -> bool {
    let value: Value = serde_json::from_slice(line).unwrap_or_default();
    let is_once = line.windows(6).filter(|it| it == b"\"text\"").count() == 1;
    let id = value.get("id");
    is_once && value["text"].is_string() && id.is_none_or(|id| id.is_string() || id.is_number())
}

/// Whether an error is with a record's form, not with its text or its name.
fn is_of_form(rendered: &str) -> bool {
    ["no JSON", "no field", "the field"].iter().any(|form| rendered.contains(&format!(": {form}")))
}
