//! Invariants of reading JSON Lines and tables.

use dedup_text::text::ReadOptions;
use serde_json::Value;

use super::check;
use crate::commands::corpus;
use crate::dispatch;
use crate::dispatch::tree::Request;
use crate::io::inputs::lines::Lines;
use crate::io::inputs::record::Fields;
use crate::io::inputs::source::{Disguises, Opener, Unopened};
use crate::model::found::{Age, Failed};

/// The largest number of lines of an input; longer inputs are skipped.
const MOST: usize = 64;

#[test]
fn each_line_and_each_row_is_a_text_or_an_error() {
    check("records", 4, records);
}

/// Checks that each line that is not blank is a text or an error, and that every line that another
/// JSON reader accepts as a record is one. Each row of the same bytes, read as a table, is a text
/// or an error, too.
fn records(bytes: &[u8]) {
    let lines = || bytes.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii_end);
    if lines().count() > MOST {
        return;
    }
    let texts = opened("--jsonl", "records.jsonl", bytes);
    let marked = bytes.strip_prefix(b"\xef\xbb\xbf");
    let first = marked.unwrap_or(bytes).split(|byte| *byte == b'\n').next().unwrap_or_default();
    let filled =
        lines().skip(1).chain([first.trim_ascii_end()]).filter(|line| !line.is_empty()).count();
    // A packed or another kind of file may be one error.
    if texts.iter().any(Result::is_ok) {
        assert_eq!(texts.len(), filled);
    }
    let failures: Vec<Failed> = texts.into_iter().filter_map(Result::err).collect();
    for (line, number) in lines().zip(1..) {
        let place = format!(": line {number}");
        let failure = failures.iter().find(|failure| failure.name.ends_with(&place));
        let rendered = failure.map_or(String::new(), |failure| format!("{:#}", failure.error));
        assert!(!(is_record(line) && is_of_form(&rendered)), "{rendered}");
    }
    // As many rows are texts or errors as another reader finds.
    let texts = opened("--csv", "records.tsv", bytes);
    if texts.iter().any(Result::is_ok) {
        let mut reader = csv::ReaderBuilder::new();
        let reader = reader.delimiter(b'\t').flexible(true).from_reader(bytes);
        assert_eq!(texts.len(), reader.into_byte_records().count());
    }
}

/// Opens the texts of a file of records.
fn opened(flag: &str, name: &str, bytes: &[u8]) -> Vec<Result<(), Failed>> {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join(name);
    std::fs::write(&file, bytes).expect("written");
    let line = ["dedup", "corpus", "--no-config", flag, file.to_str().expect("UTF-8")];
    let Ok(Request::Corpus(flags)) = dispatch::read(line.map(Into::into)) else {
        panic!("sound flags");
    };
    let inputs = corpus::inputs(&flags).expect("a file of records");
    let fields = Fields::new("text", None, None, None);
    let opener = Opener::new(ReadOptions::default(), fields, Disguises::Warn);
    let lines = inputs
        .records
        .iter()
        .flat_map(|(path, format)| Lines::of_records(path, *format, Age::New, &inputs).flatten());
    let open = |source| match opener.open(source) {
        Ok(_) => Ok(()),
        Err(Unopened::Failed(failed)) => Err(failed),
        Err(other) => panic!("{other:?}"),
    };
    lines.map(open).collect()
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
    let forms = ["expected an object", "not a JSON object", ": no field", ": the field"];
    forms.iter().any(|form| rendered.contains(form))
}
