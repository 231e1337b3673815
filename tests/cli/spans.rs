//! `dedup spans`: runs of words that stand at two or more places.

use serde_json::{Value, json};

use crate::common::Run;
use crate::submissions::in_folder;

const SENTENCE: &str = "The kettle on the old stove boils over every morning before anyone is awake \
                        in the house by the river.";

fn run(test: &str, line: &str) -> Run {
    let [first, second] = [
        format!("First things first. {SENTENCE} And then there was tea.\n"),
        format!("Another begins.\n\n{}\nIt ends there.\n", SENTENCE.replace(" on", "\nON")),
    ];
    let records = format!(
        "{{\"id\": 1, \"text\": \"{SENTENCE} One.\"}}\n{{\"id\": 2, \"text\": \"Zwei. {SENTENCE}\"}}\n"
    );
    let files: &[(&str, &[u8])] = &[
        ("in/a.txt", first.as_bytes()),
        ("in/b.txt", second.as_bytes()),
        ("r.jsonl", records.as_bytes()),
    ];
    in_folder(&format!("spans-{test}"), files, line)
}

#[test]
fn runs_are_listed_with_their_places() {
    let run = run("text", "spans in --min-words 10");
    let want = "\
1 run of 10 words or more stands at two or more places in 2 texts; 20 of 53
words stand earlier, too (37\u{a0}%).

20 words at 2 places
  The kettle on the old stove boils over every morning before anyone is awake…
  in/a.txt, line 1
  in/b.txt, lines 3 to 4
";
    assert_eq!((&*run.output, &*run.errors, run.status), (want, "", 0));
}

#[test]
fn where_no_run_is_long_enough_the_status_is_1() {
    let run = run("none", "spans in");
    let want = "No run of 50 words or more stands twice in 2 texts, 53 words.\n";
    assert_eq!((&*run.output, run.status), (want, 1));
}

#[test]
fn records_have_their_places_in_their_texts() {
    let run = run("records", "spans --jsonl r.jsonl --min-words 10 --format json");
    let want = json!({
        "schema": "dedup.spans/1",
        "tool": {"name": "dedup", "version": env!("CARGO_PKG_VERSION")},
        "parameters": {"min_words": 10},
        "texts": 2,
        "words": 42,
        "removable": {"words": 20, "bytes": 102},
        "runs": [{"words": 20, "places": [
            {"id": "1", "byte": [0, 101], "line": [1, 1], "column": [1, 102]},
            {"id": "2", "byte": [6, 107], "line": [1, 1], "column": [7, 108]},
        ]}],
        "failed": [],
        "skipped": [],
    });
    assert_eq!(serde_json::from_str::<Value>(&run.output).unwrap(), want);
    assert_eq!(run.status, 0);
}

#[test]
fn a_run_is_a_line_of_json() {
    let run = run("lines", "spans in --min-words 10 --format jsonl");
    let want = "{\"schema\":\"dedup.spans/1\",\"words\":20,\"places\":[\
                {\"id\":\"in/a.txt\",\"byte\":[20,121],\"line\":[1,1],\"column\":[21,122]},\
                {\"id\":\"in/b.txt\",\"byte\":[17,118],\"line\":[3,4],\"column\":[1,91]}]}\n";
    assert_eq!((&*run.output, run.status), (want, 0));
}

#[test]
fn a_file_of_records_in_a_folder_is_no_text_besides() {
    let run = run("both", "spans . --jsonl r.jsonl --min-words 10 --format json");
    let answer: Value = serde_json::from_str(&run.output).unwrap();
    assert_eq!(answer["texts"], 4, "{answer}");
    assert_eq!(answer["skipped"], json!([{"why": "input", "count": 1}]));
}

#[test]
fn a_text_that_cannot_be_read_is_an_error_and_the_others_are_looked_at() {
    let run = run("missing", "spans in lost.txt --min-words 10 --format jsonl");
    assert_eq!(run.status, 2);
    assert!(run.errors.contains("lost.txt"), "{}", run.errors);
    assert_eq!(run.output.lines().count(), 1);
}

#[test]
fn nothing_to_read_is_bad_usage() {
    #[rustfmt::skip]
    let table = [
        ("nothing", "spans",                            "dedup: no PATH and no --jsonl, expected texts\nhint: dedup spans docs looks at all texts in a folder\n"),
        ("quiet",   "spans in --quiet --format json",   "dedup: --quiet and --format json together, expected one of them\nhint: --quiet prints nothing; leave it out to get the answer\n"),
    ];
    for (why, line, want) in table {
        let run = run(&format!("usage-{why}"), line);
        assert_eq!((&*run.errors, run.status), (want, 2), "{why}");
    }
}
