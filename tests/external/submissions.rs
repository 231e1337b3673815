//! Tests sixty submissions to a course, some of them copied, as examples/submissions creates them.

use std::collections::BTreeSet;
use std::path::Path;

use serde_json::Value;

use crate::programs::{command, folder, is_there, read, run};

/// Returns the person of a text: `Ada Winkler 411000/essay.docx` belongs to Ada Winkler.
fn person(name: &str) -> String {
    name.split(|letter: char| letter.is_ascii_digit()).next().unwrap().trim().to_owned()
}

#[test]
fn every_copy_is_found_and_nothing_is_unaccounted_for() {
    if !is_there("python3") {
        return;
    }
    let place = folder("sixty_submissions");
    let made = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/submissions/make.py");
    let help = run(command("python3", &place).arg(&made).arg("--help"));
    assert!(help.status == Some(0) && !place.join("--help").exists(), "{}", help.errors);
    let made = run(command("python3", &place).arg(made).arg("."));
    assert_eq!(made.status, Some(0), "{}", made.errors);
    let line =
        "corpus export.zip --earlier lastyear --at-least excerpt --format json --report board.html";
    let found = run(command("dedup", &place).args(line.split_whitespace()));
    // A scanned PDF and a damaged document cannot be read, and the worksheet names everybody.
    assert_eq!(found.status, Some(2), "{}", found.errors);
    let noted = "dedup: ./Bewertungen.csv: read as a list of 60 persons;";
    assert!(found.errors.starts_with(noted), "{}", found.errors);
    // With nothing said, the cover page is set aside, and what is to be read first are the copies.
    let board = read(place.join("board.html"));
    assert!(board.contains("<title>12 pairs to read first among 67 texts</title>"));
    assert!(board.contains("<summary>Set aside: 65 words that 57 of 67 texts have: "));
    let found: Value = serde_json::from_str(&found.output).unwrap();

    // All planted copies are found, except for the translation. No other pair has a fifth of its words in
    // common; ten share the assignment sheet, which five have copied.
    let planted = read(place.join("planted.tsv"));
    let copies: BTreeSet<BTreeSet<String>> = (planted.lines().map(|line| line.split('\t')))
        .filter(|cells| cells.clone().next_back() != Some("translated"))
        .map(|cells| cells.take(2).map(person).collect())
        .collect();
    let pairs = found["pairs"].as_array().unwrap();
    assert_eq!(pairs.len(), 12 + 10);
    let of_pair = |pair: &Value| {
        ["a", "b"].into_iter().map(|side| person(pair[side]["path"].as_str().unwrap())).collect()
    };
    let has_a_fifth = |pair: &&Value| {
        ["same_a", "same_b"].iter().any(|side| pair["coverage"][side].as_f64().unwrap() >= 0.2)
    };
    let closest = pairs.iter().filter(has_a_fifth);
    assert_eq!(closest.map(of_pair).collect::<BTreeSet<_>>(), copies);

    // The sixty submissions, and a picture next to one of them, are compared or listed.
    let count = |name: &str| found[name].as_array().unwrap().len();
    let skipped = found["skipped"].as_array().unwrap().iter();
    let skipped: Vec<String> =
        skipped.map(|it| format!("{} {}", it["count"], it["why"].as_str().unwrap())).collect();
    assert_eq!((found["texts"].as_u64(), count("failed")), (Some(57), 2));
    assert_eq!(skipped, ["1 empty", "1 picture"]);
    let disguised = found["disguised"].as_array().unwrap().iter();
    let disguised: Vec<String> = disguised.map(|it| person(it["name"].as_str().unwrap())).collect();
    assert_eq!(disguised, ["Umar Khan", "Zoe Clark"]);
}
