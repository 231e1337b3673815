//! Tests of the steps of `dedup part`, compared with `dedup corpus`.

mod errors;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::common::{Run, read_file, with_input};

/// Creates an empty folder for the test.
fn folder(test: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("part").join(test);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// Runs a line in a folder, with standard input.
fn part(folder: &Path, line: &str, input: &str) -> Run {
    with_input(folder, line, input)
}

/// Reads a file.
#[expect(clippy::disallowed_methods, reason = "no text that is compared")]
fn file(path: &Path) -> Vec<u8> {
    std::fs::read(path).unwrap()
}

fn record(id: &str, text: &str) -> String {
    json!({"id": id, "text": text}).to_string() + "\n"
}

/// Returns the records of texts with unique words, some of them similar, in two languages and in
/// none. One text is too short, and one is empty.
fn corpus() -> String {
    let topics = ["harbour crane anchor", "oven bread flour", "mill wheel river"];
    let mut lines = String::new();
    for text in 0..60 {
        let topic = topics[text % 3];
        let mut words = format!("The {topic} of this {text} was what they had from all of us. ");
        for word in 0..40 {
            let _ = write!(words, "{topic}{} and ", (word * 7 + text / 6) % 50);
            let _ =
                write!(words, "w{}x{word} ", text / 4 * usize::from(text % 4 == 3 || word < 30));
        }
        lines += &record(&format!("{text:04}"), &words);
    }
    let catalan =
        "La barca que surt del port amb els homes de la vila és la mateixa que va tornar. ";
    lines += &record("cat 1", &catalan.repeat(12));
    lines += &record("cat 2", &(catalan.repeat(12) + " Avui."));
    lines += &record("copy of 0000", lines.clone().lines().next().map(text_of).unwrap().as_str());
    lines += &record("short", "the");
    lines += &record("empty", "");
    lines
}

fn text_of(line: &str) -> String {
    let record: Value = serde_json::from_str(line).unwrap();
    record["text"].as_str().unwrap().to_owned()
}

fn rows(lines: &str) -> Vec<Value> {
    lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Returns the pairs that a corpus finds: the names, and the record.
fn pairs_of_corpus(folder: &Path, flags: &str) -> BTreeMap<(String, String), Value> {
    let run = part(folder, &format!("corpus --jsonl docs.jsonl --format jsonl {flags}"), "");
    let name = |side: &Value| side["path"].as_str().unwrap().to_owned();
    rows(&run.output).into_iter().map(|row| ((name(&row["a"]), name(&row["b"])), row)).collect()
}

/// Returns the numbers of a list. They are signed, for the engines.
fn numbers(list: &Value) -> BTreeSet<i64> {
    list.as_array().unwrap().iter().map(|it| it.as_i64().unwrap()).collect()
}

/// Returns the pairs that have a key or a block in common and reach a limit, computed from the
/// output of `keys`.
fn pairs_by_keys(keys: &[Value], hamming: u32) -> BTreeSet<(String, String)> {
    let key = |row: &Value| -> BTreeSet<i64> {
        row["keys"].as_array().unwrap().iter().map(|key| key[0].as_i64().unwrap()).collect()
    };
    let bits = |row: &Value| u64::from_str_radix(row["simhash"].as_str().unwrap(), 16).unwrap();
    let mut found = BTreeSet::new();
    let long: Vec<&Value> = keys.iter().filter(|row| row["size"] != 0).collect();
    for (at, one) in long.iter().enumerate() {
        for other in &long[at + 1..] {
            let [a, b] = [one, other].map(|row| numbers(&row["shingles"]));
            let shared = a.intersection(&b).count() as u64;
            let union = one["size"].as_u64().unwrap() + other["size"].as_u64().unwrap() - shared;
            let is_same = one["set"] == other["set"];
            let met = !key(one).is_disjoint(&key(other));
            let is_similar = met && 2 * shared >= union;
            let [a, b] = [one, other].map(|row| numbers(&row["blocks"]));
            let met = !a.is_disjoint(&b);
            let is_near = met && (bits(one) ^ bits(other)).count_ones() <= hamming;
            if is_same || is_similar || is_near {
                let [a, b] = [one, other].map(|row| row["id"].as_str().unwrap().to_owned());
                found.insert((a.clone().min(b.clone()), a.max(b)));
            }
        }
    }
    found
}

#[test]
fn keys_lead_to_the_pairs_of_the_corpus_however_it_is_parted() {
    let (place, docs) = (folder("keys"), corpus());
    std::fs::write(place.join("docs.jsonl"), &docs).unwrap();
    let lines: Vec<&str> = docs.split_inclusive('\n').collect();
    std::fs::write(place.join("sheet.txt"), "The harbour crane anchor of this 0 was what they had")
        .unwrap();
    for flags in [
        "",
        "--max 3 --min 3",
        "--hamming 7 --jaccard 0.5 --stem off",
        "--lang en",
        "--template sheet.txt --min-match 8",
    ] {
        let want = pairs_of_corpus(&place, flags);
        assert!(want.len() > 10, "{flags}: {}", want.len());
        for parts in [1, 2, 16] {
            let mut files = String::new();
            for (number, part_of) in lines.chunks(lines.len().div_ceil(parts)).enumerate() {
                let run = part(
                    &place,
                    &format!("part count --slots 18 {flags} --output {number}"),
                    &part_of.concat(),
                );
                assert_eq!((run.status, run.errors.as_str()), (0, ""), "{flags}");
                let _ = write!(files, " {number}");
            }
            let run = part(&place, &format!("part merge {files} --output all"), "");
            assert_eq!((run.status, run.errors.as_str()), (0, ""));
            let mut keys = Vec::new();
            for part_of in lines.chunks(lines.len().div_ceil(parts)) {
                let run =
                    part(&place, &format!("part keys {flags} --counts all"), &part_of.concat());
                assert_eq!((run.status, run.errors.as_str()), (0, ""), "{flags}");
                keys.extend(rows(&run.output));
            }
            let ids = |rows: &[Value]| rows.iter().map(|row| row["id"].clone()).collect::<Vec<_>>();
            assert_eq!(ids(&keys), ids(&rows(&docs)), "{flags}, {parts} parts");
            let hamming = if flags.contains('7') { 7 } else { 3 };
            let found = pairs_by_keys(&keys, hamming);
            assert_eq!(found, want.keys().cloned().collect(), "{flags}, {parts} parts");
        }
    }
}

#[test]
fn judge_gives_the_record_of_the_corpus() {
    let (place, docs) = (folder("judge"), corpus());
    std::fs::write(place.join("docs.jsonl"), &docs).unwrap();
    assert_eq!(part(&place, "part count --slots 18 --output all", &docs).status, 0);
    let texts: BTreeMap<String, Value> =
        rows(&docs).into_iter().map(|row| (row["id"].as_str().unwrap().to_owned(), row)).collect();
    let want = pairs_of_corpus(&place, "");
    let lines: String = want
        .keys()
        .map(|(a, b)| json!({"a": texts[a], "b": texts[b]}).to_string() + "\n")
        .collect();
    let run = part(&place, "part judge --counts all", &lines);
    assert_eq!((run.status, run.errors.as_str()), (0, ""));
    let whole = part(&place, "corpus --jsonl docs.jsonl --format jsonl", "");
    assert_eq!(run.output, whole.output);
}

#[test]
fn clusters_are_those_of_the_corpus() {
    let (place, docs) = (folder("clusters"), corpus());
    std::fs::write(place.join("docs.jsonl"), &docs).unwrap();
    let corpus = |flags: &str| {
        part(&place, &format!("corpus --jsonl docs.jsonl --format jsonl {flags}"), "").output
    };
    let pairs = corpus("");
    let clusters = part(&place, "clusters", &pairs);
    assert_eq!((clusters.errors.as_str(), clusters.output), ("", corpus("--clusters")));
    assert_eq!(part(&place, "part count --slots 18 --output all", &docs).status, 0);
    let keys = part(&place, "part keys --counts all", &docs).output;
    std::fs::write(place.join("keys.jsonl"), keys).unwrap();
    for (keep, texts) in [("first", "docs"), ("longest", "keys"), ("newest:id", "docs")] {
        let kept = part(&place, &format!("clusters --keep {keep} --texts {texts}.jsonl"), &pairs);
        assert_eq!((kept.errors.as_str(), kept.output), ("", corpus(&format!("--keep {keep}"))));
    }
    let kept = part(&place, "clusters --keep first", &pairs).output;
    assert_eq!(kept.lines().count(), rows(&corpus("--clusters")).len());
}

#[test]
fn ids_come_back_as_they_went() {
    let place = folder("ids");
    let ids =
        ["000123", "a \"quoted\" one", "two\nlines\t", "naïve 🦉", "{\"id\": 1}", "", "\u{202e}\\"];
    let docs: String =
        ids.iter().map(|id| record(id, "A copper kettle and a wooden spoon")).collect();
    let docs = docs + "{\"id\": 12.50, \"text\": \"a spoon\", \"other\": [1]}\n\n";
    assert_eq!(part(&place, "part count --slots 18 --output all", &docs).status, 0);
    let keys = rows(&part(&place, "part keys --counts all", &docs).output);
    let back: Vec<&str> = keys.iter().map(|row| row["id"].as_str().unwrap()).collect();
    assert_eq!(back, ids.into_iter().chain(["12.50"]).collect::<Vec<_>>());
}

/// Checks that a text in doubt has the language of most others. If its counts may have been made in
/// another language, no shingle is left out for being rare.
#[test]
fn texts_in_doubt_are_found_whatever_they_were_counted_in() {
    let place = folder("doubt");
    let english = "The harbour was what they had from all of us and it is the one that we were in, with boats, \
         nets, lamps, ropes, sails, crates, barrels and baskets. ";
    let doubtful = "barcelona 1 kettles 22 spoons";
    let docs = record("1", &english.repeat(12)) + &record("2", doubtful) + &record("3", doubtful);
    let parts: Vec<String> = docs.split_inclusive('\n').map(str::to_owned).collect();
    std::fs::write(place.join("docs.jsonl"), &docs).unwrap();
    for flags in ["", "--main en", "--main ca"] {
        for (number, part_of) in parts.iter().enumerate() {
            let run =
                part(&place, &format!("part count --slots 18 {flags} --output {number}"), part_of);
            assert_eq!(run.status, 0, "{}", run.errors);
        }
        assert_eq!(part(&place, "part merge 0 1 2 --output all", "").status, 0);
        let header = file(&place.join("all"));
        let header = String::from_utf8_lossy(header.split(|byte| *byte == b'\n').next().unwrap())
            .into_owned();
        let in_doubt = match flags {
            "" => r#""doubtful":[[null,2]]"#,
            "--main en" => r#""doubtful":[["eng",2]]"#,
            _ => r#""doubtful":[["cat",2]]"#,
        };
        assert!(header.contains(in_doubt), "{header}");
        let keys = rows(&part(&place, "part keys --counts all", &docs).output);
        assert_eq!(keys[1]["language"], "eng");
        let want = pairs_of_corpus(&place, "").into_keys().collect();
        assert_eq!(pairs_by_keys(&keys, 3), want, "{flags}");
        let ones = keys[0]["keys"].as_array().unwrap().len();
        assert_eq!(ones == 0, flags == "--main en", "{flags}: {ones}");
    }
}

#[test]
fn the_schema_of_keys_is_that_of_the_guide() {
    let guide = read_file("docs/scale.md");
    let place = folder("guide");
    let docs = record("000123", "A copper kettle and a wooden spoon");
    assert_eq!(part(&place, "part count --slots 18 --output all", &docs).status, 0);
    let keys = rows(&part(&place, "part keys --counts all", &docs).output);
    for field in keys[0].as_object().unwrap().keys() {
        assert!(guide.contains(&format!("`{field}`")), "{field}");
    }
}
