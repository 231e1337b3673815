//! Checks that every pair of samples gives the result of the table in `samples/README.md`, gives
//! JSON that follows the schema, and has the same figures if its sides are swapped.

use std::collections::BTreeSet;
use std::fmt::Write;

use crate::common::{Run, dedup, read_file, sample_rows, sample_text};
use dedup_text::{rabin, tokens};
use serde_json::Value;

#[test]
fn every_row_of_the_table_holds() {
    for row in sample_rows() {
        let run = dedup(&row.arguments());
        assert_eq!(run.status, row.exit, "{}: {}", row.name, run.errors);
        let verdict = run.output.lines().next().map_or("error".to_owned(), |line| {
            line.split(':').next().unwrap_or_default().to_lowercase()
        });
        assert_eq!(verdict, row.verdict, "{}", row.name);
    }
}

#[test]
fn every_pair_of_files_has_a_row() {
    let mut files: Vec<String> = std::fs::read_dir("samples")
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| {
            !matches!(&**name, "README.md" | "answers.jsonl" | "labelled.tsv" | "notices.jsonl")
        })
        .collect();
    files.sort();
    let rows = sample_rows();
    let mut named: Vec<String> = rows
        .iter()
        .flat_map(|row| row.arguments().into_iter().filter_map(|it| it.strip_prefix("samples/")))
        .map(str::to_owned)
        .collect();
    named.sort();
    assert_eq!(files, named);
}

#[test]
fn json_follows_the_schema() {
    let schema = read_file("src/bin/dedup/schemas/dedup.pair.schema.json");
    let schema = jsonschema::validator_for(&serde_json::from_str(&schema).unwrap()).unwrap();
    for row in sample_rows() {
        for more in [
            &["--format", "json"][..],
            &["--format", "json", "--explain"],
            &["--format", "json", "--ignore", "short"],
        ] {
            let run = dedup(&[&row.arguments()[..], more].concat());
            assert_eq!(run.status, row.exit, "{}", row.name);
            if row.exit == 2 {
                assert_eq!(run.output, "", "{}", row.name);
                continue;
            }
            let record: Value = serde_json::from_str(&run.output).unwrap();
            let faults: Vec<String> = schema
                .iter_errors(&record)
                .map(|fault| format!("{}: {fault}", fault.instance_path()))
                .collect();
            assert_eq!(faults, [""; 0], "{}", row.name);
            assert_eq!(record["verdict"], *row.verdict, "{}", row.name);
        }
    }
}

/// Compares the figures of all samples with stored ones. A difference is a changed answer, which
/// belongs under *Changed answers* in CHANGELOG.md.
#[test]
fn figures_are_those_pinned() {
    let mut lines = String::new();
    for row in sample_rows() {
        for more in [
            &[][..],
            &["--max", "3", "--min", "3"],
            &["--max", "5", "--stem", "off", "--stopwords", "off"],
        ] {
            let run = dedup(&[&row.arguments()[..], more, &["--format", "json"]].concat());
            let name = format!("{} {}", row.name, more.join(" "));
            let _ = writeln!(lines, "{}: {}", name.trim_end(), pinned(&run));
        }
    }
    assert_eq!(lines, read_file("tests/golden/samples.txt"));
}

fn pinned(run: &Run) -> String {
    let Ok(record) = serde_json::from_str::<Value>(&run.output) else {
        return run.errors.lines().next().unwrap_or_default().to_owned();
    };
    let (measures, a, b) = (&record["measures"], &record["a"], &record["b"]);
    let text = |text: &Value| {
        format!(
            "{} {} {} {} {}",
            text["language"]["code"],
            text["words"],
            text["stems"],
            text["shingles"],
            text["simhash"]
        )
    };
    format!(
        "{}; {} {}/{} {}/{}/{}; {}; {}",
        record["verdict"],
        measures["hamming"],
        measures["shared"],
        measures["union"],
        measures["longest"]["shared"],
        measures["longest"]["a"],
        measures["longest"]["b"],
        text(a),
        text(b)
    )
    .replace('"', "")
}

#[test]
fn turned_round_only_the_sides_change_places() {
    for row in sample_rows().iter().filter(|row| row.exit != 2) {
        let arguments = row.arguments();
        let turned: Vec<&str> = [&[arguments[1], arguments[0]], &arguments[2..]].concat();
        let json = |arguments: &[&str]| -> Value {
            let run = dedup(&[arguments, &["--format", "json", "--explain"]].concat());
            serde_json::from_str(&run.output).unwrap()
        };
        assert_eq!(with_sides_changed(json(&turned)), json(&arguments), "{}", row.name);
    }
}

/// Returns the record with a and b swapped wherever they are named.
fn with_sides_changed(record: Value) -> Value {
    let swapped = |key: &str| match key {
        "a" => "b".to_owned(),
        "b" => "a".to_owned(),
        other => match other.rsplit_once('_') {
            Some((name, "a")) => format!("{name}_b"),
            Some((name, "b")) => format!("{name}_a"),
            _ => other.to_owned(),
        },
    };
    let mut record = match record {
        Value::Object(fields) => Value::Object(
            fields
                .into_iter()
                .map(|(key, value)| match key.as_str() {
                    "measures" | "coverage" | "longest" => (key, with_sides_changed(value)),
                    _ => (swapped(&key), value),
                })
                .collect(),
        ),
        other => other,
    };
    if let Some(decided_by) = record.get_mut("decided_by").and_then(Value::as_array_mut) {
        let mut names: Vec<String> =
            decided_by.iter().map(|name| swapped(name.as_str().unwrap())).collect();
        // The order is that of the measures.
        let order = ["coverage_a", "coverage_b", "jaccard", "containment_a", "containment_b"];
        names.sort_by_key(|name| order.iter().position(|it| it == name));
        *decided_by = names.into_iter().map(Value::String).collect();
    }
    if let Some(matches) = record.get_mut("matches").and_then(Value::as_array_mut) {
        for passage in matches.iter_mut() {
            *passage = with_sides_changed(passage.take());
        }
        matches.sort_by_key(|passage| passage["a"]["word"][0].as_u64());
        for (passage, id) in matches.iter_mut().zip(1_u64..) {
            passage["id"] = id.into();
        }
    }
    if let Some(warnings) = record.get_mut("warnings").and_then(Value::as_array_mut) {
        for warning in warnings {
            if warning["code"] == "languages-differ" {
                // "…: left English, right German" names the sides in its text.
                let text = warning["text"].as_str().unwrap().to_owned();
                let (head, sides) = text.split_once(": left ").unwrap();
                let (left, right) = sides.split_once(", right ").unwrap();
                warning["text"] = Value::String(format!("{head}: left {right}, right {left}"));
            } else if let Some(file) = warning["file"].as_str() {
                let text = warning["text"].as_str().unwrap();
                let (left, right) = ("the left text", "the right text");
                let turned = match file {
                    "a" => text.replacen(left, right, 1),
                    _ => text.replacen(right, left, 1),
                };
                warning["file"] = Value::String(swapped(file));
                warning["text"] = Value::String(turned);
            }
        }
    }
    record
}

/// Checks that over the distinct words of the samples, each bit of the residue is unbiased.
#[test]
fn each_bit_is_set_in_about_half_of_the_words() {
    let mut words = BTreeSet::new();
    for row in sample_rows() {
        for file in &row.files {
            let text = sample_text(file);
            let tokens = tokens::split(text.content());
            words.extend(tokens.0.into_iter().map(|token| token.word.into_owned()));
        }
    }
    assert!(words.len() >= 2_500, "{} words are too few to tell", words.len());
    for bit in 0..64 {
        let set =
            words.iter().filter(|word| (rabin::residue(word.as_bytes()) >> bit) & 1 == 1).count();
        let percent = 100 * set / words.len();
        assert!((45..55).contains(&percent), "bit {bit} is set in {percent} % of the words");
    }
}
