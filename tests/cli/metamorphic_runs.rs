//! Tests of different ways to run the program that must give the same answer.

use std::path::Path;

use serde_json::{Value, json};

use crate::common::{Run, dedup, in_folder, read_file, sample_rows};

/// Returns the verdict of a record, and the figures that it is based on.
fn core(record: &Value) -> Value {
    json!({"verdict": record["verdict"], "decided_by": record["decided_by"], "measures": record["measures"]})
}

fn record(run: &Run) -> Value {
    serde_json::from_str(&run.output).unwrap_or_else(|_| panic!("{}", run.errors))
}

/// Checks a text in several document formats.
#[test]
fn the_container_changes_nothing() {
    let folder = "tests/documents";
    let harbour = ["pandoc.docx", "pandoc.odt", "pandoc.rtf", "harbour.md"];
    let records: Vec<Value> = harbour
        .iter()
        .map(|name| {
            let line = [&format!("{folder}/{name}"), "samples/pasted_2.txt", "--format", "json"];
            core(&record(&dedup(&line)))
        })
        .collect();
    for (name, other) in harbour.iter().zip(&records) {
        assert_eq!(*other, records[0], "{name}");
    }
}

/// Checks that texts whose languages are detected separately have the figures of the pair in a
/// corpus.
#[test]
fn a_corpus_of_two_files_is_the_pair() {
    let mut compared = 0;
    for row in sample_rows() {
        let [left, right] = &row.files;
        let pair = dedup(&[left.as_str(), right, "--format", "json", "--passages", "off"]);
        if pair.status == 2 {
            continue;
        }
        let pair = record(&pair);
        let is_settled = |side: &str| pair[side]["language"]["by"] == "detected";
        if !is_settled("a") || !is_settled("b") {
            continue;
        }
        for threads in ["1", "2", "5"] {
            let line = [
                "corpus",
                left,
                right,
                "--at-least",
                "different",
                "--format",
                "json",
                "--passages",
                "off",
                "--threads",
                threads,
            ];
            let many = record(&dedup(&line));
            let pairs = many["pairs"].as_array().unwrap();
            let is_compared = pair["verdict"] != "different" || !pairs.is_empty();
            if is_compared {
                assert_eq!(pairs.len(), 1, "{}: {many}", row.name);
                assert_eq!(core(&pairs[0]), core(&pair), "{}, {threads} threads", row.name);
            }
        }
        compared += 1;
    }
    assert!(compared > 5, "{compared}");
}

/// Checks that accepted findings stay accepted, whatever is compared, and at any level.
#[test]
fn a_baseline_is_green_after_it_was_updated() {
    let base = Path::new(env!("CARGO_TARGET_TMPDIR")).join("green.txt");
    let base = base.to_str().unwrap();
    let _ = std::fs::remove_file(base);
    let pairs =
        sample_rows().into_iter().filter(|row| row.exit != 2).map(|row| row.files.join(" "));
    let corpora = ["corpus samples --max-bytes 4000", "corpus --jsonl samples/answers.jsonl"];
    let mut done = 0;
    for line in pairs.chain(corpora.map(str::to_owned)) {
        for level in ["identical", "near-duplicate", "partial", "different"] {
            let run = |more: &str| {
                let line = format!("{line} --quiet --baseline {base} --fail-on {level} {more}");
                dedup(&line.split_whitespace().collect::<Vec<_>>())
            };
            if run("--update-baseline").status == 2 {
                continue; // what cannot be read is an error with a baseline as well
            }
            let green = run("");
            let outcome = (green.status, green.errors.as_str());
            assert_eq!(outcome, (0, ""), "{line} {level}: {}", read_file(base));
            done += 1;
        }
    }
    assert!(done > 20, "{done}");
}

#[test]
fn turned_round_a_run_says_the_same() {
    for row in sample_rows() {
        let [left, right] = &row.files;
        let one = dedup(&[left.as_str(), right, "--quiet"]);
        let other = dedup(&[right.as_str(), left, "--quiet"]);
        assert_eq!(one.status, other.status, "{}", row.name);
    }
    let files: [(&str, &[u8]); 2] = [("a", b"copper kettle lid"), ("b", b"Copper  KETTLE, lid!")];
    assert_eq!(in_folder("metamorphic", &files, "a b --quiet --at-least identical").status, 0);
}
