//! Tests of the answers of `dedup corpus`, in every format.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::{Value, json};

use crate::common::{Run, dedup, in_folder, read_file};
use crate::transcript::runs;

const NOTICES: &str = "corpus --jsonl samples/notices.jsonl";

fn run(line: &str) -> Run {
    dedup(&line.split_whitespace().collect::<Vec<_>>())
}

fn records(run: &Run) -> Vec<Value> {
    run.output.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Returns the two paths of each record, and its verdict.
fn pairs(records: &[Value]) -> Vec<String> {
    let word = |value: &Value| value.as_str().unwrap().to_owned();
    records
        .iter()
        .map(|it| {
            format!(
                "{} {} {}",
                word(&it["a"]["path"]),
                word(&it["b"]["path"]),
                word(&it["verdict"])
            )
        })
        .collect()
}

/// Checks that the verdicts are coloured, and nothing else is, where colours are wanted.
#[test]
fn verdicts_are_coloured() {
    let folder = crate::common::empty_folder("corpus_answers", "colours");
    let text = "The copper kettle stands on the iron stove and sings before the water boils over.";
    for (name, text) in [("a", text), ("b", text), ("c", "Seven copper boats left the harbour.")] {
        std::fs::write(folder.join(name), text).unwrap();
    }
    for (line, verdict, colour) in [
        ("corpus a b", "identical", "\u{1b}[31m"),
        ("check a b", "identical", "\u{1b}[31m"),
        ("corpus a c --nearest 1", "different", "\u{1b}[90m"),
    ] {
        let plain = crate::common::run(&folder, line).output;
        let coloured = crate::common::run(&folder, &format!("{line} --color always")).output;
        let row = format!("  {verdict:<14}  ");
        let want = format!("  {colour}{verdict:<14}\u{1b}[0m  ");
        assert!(plain.contains(&row), "{line}: {plain}");
        assert_eq!(coloured, plain.replace(&row, &want), "{line}");
    }
}

#[test]
fn every_pair_at_the_level_is_there_in_order() {
    let near = ["harbour-1 harbour-2 near-duplicate", "market-1 market-2 identical"];
    let partial = [
        "harbour-1 harbour-2 near-duplicate",
        "harbour-1 harbour-3 partial",
        "harbour-2 harbour-3 partial",
        "library-1 library-2 partial",
        "market-1 market-2 identical",
    ];
    #[rustfmt::skip]
    let table: &[(&str, &[&str])] = &[
        ("",                                          &near),
        ("--at-least partial",                        &partial),
        ("--fail-on partial",                         &partial),
        ("--at-least identical",                      &near[1..]),
        ("--jaccard 0.97",                            &near[1..]),
        ("--jaccard 0.97 --hamming 9",                &near),
        ("--jaccard off --hamming off --containment off", &near[1..]),
        ("--group paper --at-least partial",          &partial),
    ];
    for (flags, want) in table {
        let run = run(&format!("{NOTICES} --format jsonl {flags}"));
        assert_eq!(pairs(&records(&run)), *want, "{flags}");
        assert_eq!(run.status, i32::from(flags.contains("--fail-on")), "{flags}");
    }
}

/// Checks that the record of a pair in a corpus is that of the two texts alone.
#[test]
fn a_record_is_that_of_the_pair() {
    for flags in [
        "--passages off",
        "--passages on",
        "--passages on --ignore quotes,short --template samples/filled_in_sheet.txt",
    ] {
        records_are_those_of_pairs(flags);
    }
}

fn records_are_those_of_pairs(flags: &str) {
    let run_of_all = run(&format!("corpus samples --format jsonl {flags}"));
    let all = records(&run_of_all);
    assert!(all.len() > 8, "{}", all.len());
    for record in all {
        let path = |side: &str| record[side]["path"].as_str().unwrap().to_owned();
        if ["a", "b"].iter().any(|side| record[side]["language"]["by"] == "corpus") {
            continue;
        }
        let (a, b) = (path("a"), path("b"));
        let alone = [&a, &b, "--format", "json"].into_iter().chain(flags.split_whitespace());
        let alone = dedup(&alone.collect::<Vec<_>>());
        let alone: Value = serde_json::from_str(&alone.output).unwrap();
        if ["a", "b"].iter().all(|side| alone[side]["language"]["by"] == "detected") {
            assert_eq!(record, alone, "{a} {b} {flags}");
        }
    }
}

#[test]
fn groups_and_old_texts_are_not_compared_among_themselves() {
    let text = |word: &str| {
        format!("a copper kettle and a {word} spoon on the old table by the kitchen window")
    };
    let (one, two) = (text("wooden"), text("silver"));
    let files = [
        ("ann/1.txt", one.as_bytes()),
        ("ann/2.txt", one.as_bytes()),
        ("ben/1.txt", one.as_bytes()),
        ("old/1.txt", two.as_bytes()),
        ("old/2.txt", two.as_bytes()),
    ];
    let found = |line: &str| {
        let files: Vec<(String, &[u8])> =
            files.iter().map(|(name, bytes)| (name.replace('/', "_"), *bytes)).collect();
        let files: Vec<(&str, &[u8])> =
            files.iter().map(|(name, bytes)| (&**name, *bytes)).collect();
        let run = in_folder("corpus_groups", &files, line);
        let found = records(&run);
        found
            .iter()
            .map(|it| {
                let name = |side: &str| it[side]["path"].as_str().unwrap().replace(".txt", "");
                format!("{} {}", name("a"), name("b"))
            })
            .collect::<Vec<_>>()
            .join(", ")
    };
    assert_eq!(
        found("corpus ann_1.txt ann_2.txt ben_1.txt --lang en --format jsonl"),
        "ann_1 ann_2, ann_1 ben_1, ann_2 ben_1"
    );
    assert_eq!(
        found(
            "corpus ann_1.txt ben_1.txt --against old_1.txt --against old_2.txt --lang en --jaccard 0.4 --format jsonl"
        ),
        "ann_1 old_1, ann_1 old_2, ben_1 old_1, ben_1 old_2"
    );
    let flat = in_folder(
        "corpus_groups",
        &[],
        "corpus ann_1.txt ben_1.txt --group dir --lang en --format jsonl",
    );
    assert_eq!((flat.status, flat.output.as_str()), (2, ""));
}

#[test]
fn the_nearest_come_first_whatever_the_limit() {
    let run = run(&format!("{NOTICES} --nearest 2 --format jsonl"));
    let records = records(&run);
    let mut of: BTreeMap<String, Vec<(String, f64)>> = BTreeMap::new();
    for record in &records {
        let path = |side: &str| record[side]["path"].as_str().unwrap().to_owned();
        let jaccard = record["measures"]["jaccard"].as_f64().unwrap();
        of.entry(path("a")).or_default().push((path("b"), jaccard));
    }
    // The notice about the weather has nothing in common with the others.
    assert_eq!(of.len(), 7);
    for (text, nearest) in &of {
        // Compare with all pairs of the corpus.
        let all = dedup(&[
            "corpus",
            "--jsonl",
            "samples/notices.jsonl",
            "--at-least",
            "different",
            "--format",
            "jsonl",
        ]);
        let mut others: Vec<(String, f64)> = all
            .output
            .lines()
            .map(|line| serde_json::from_str::<Value>(line).unwrap())
            .filter_map(|it| {
                let path = |side: &str| it[side]["path"].as_str().unwrap().to_owned();
                let jaccard = it["measures"]["jaccard"].as_f64().unwrap();
                let other = match (path("a"), path("b")) {
                    (a, b) if a == *text => b,
                    (a, b) if b == *text => a,
                    _ => return None,
                };
                (jaccard > 0.0).then_some((other, jaccard))
            })
            .collect();
        others.sort_by(|one, next| next.1.total_cmp(&one.1).then_with(|| one.0.cmp(&next.0)));
        others.truncate(2);
        assert_eq!(*nearest, others, "{text}");
    }
}

#[test]
fn clusters_hang_together_and_one_of_each_is_kept() {
    let clusters = run(&format!("{NOTICES} --at-least partial --clusters --format jsonl"));
    let members: Vec<Value> = records(&clusters).iter().map(|it| it["members"].clone()).collect();
    assert_eq!(
        members,
        [
            json!(["harbour-1", "harbour-2", "harbour-3"]),
            json!(["library-1", "library-2"]),
            json!(["market-1", "market-2"]),
        ]
    );
    let links =
        records(&clusters).iter().map(|it| it["links"].as_array().unwrap().len()).sum::<usize>();
    assert_eq!(links, 4);
    let kept = |flags: &str| {
        let run = run(&format!("{NOTICES} --at-least partial --format paths {flags}"));
        (run.output.lines().collect::<Vec<_>>().join(" "), run.status)
    };
    let others = "library-1 market-1 weather";
    assert_eq!(kept("--keep first"), (format!("harbour-1 {others}"), 0));
    // The second harbour notice has one word more. The two market notices are identical.
    assert_eq!(kept("--keep longest"), (format!("harbour-2 {others}"), 0));
    assert_eq!(kept("--keep newest:paper"), ("harbour-1 library-1 market-1 weather".to_owned(), 0));
    assert_eq!(kept("").0, "harbour-1 harbour-2 harbour-3 library-1 library-2 market-1 market-2");
}

#[test]
fn objects_follow_their_schemas() {
    let schema = |path: &str| -> Value { serde_json::from_str(&read_file(path)).unwrap() };
    let corpus = schema("src/bin/dedup/schemas/dedup.corpus.schema.json");
    let mut cluster = corpus["$defs"]["cluster"].clone();
    cluster["$schema"] = corpus["$schema"].clone();
    let pair = schema("src/bin/dedup/schemas/dedup.pair.schema.json");
    let [corpus, cluster, pair] =
        [&corpus, &cluster, &pair].map(|schema| jsonschema::validator_for(schema).unwrap());
    for flags in ["", "--nearest 2", "--clusters", "--keep longest"] {
        let run = run(&format!("corpus samples --format json {flags}"));
        let object: Value = serde_json::from_str(&run.output).unwrap();
        let faults: Vec<String> = corpus.iter_errors(&object).map(|it| it.to_string()).collect();
        assert_eq!(faults, [""; 0], "{flags}");
        for record in
            ["pairs", "nearest"].iter().filter_map(|name| object[name].as_array()).flatten()
        {
            let faults: Vec<String> = pair.iter_errors(record).map(|it| it.to_string()).collect();
            assert_eq!(faults, [""; 0], "{flags}");
        }
    }
    let short = run("corpus samples --format json");
    let short: Value = serde_json::from_str(&short.output).unwrap();
    assert_eq!(
        short["too_short"],
        json!({"count": 2, "paths": ["samples/stop_words_1.txt", "samples/stop_words_2.txt"]})
    );
    for record in records(&run("corpus samples --format jsonl --clusters")) {
        assert!(cluster.is_valid(&record), "{record}");
    }
}

#[test]
fn the_answer_does_not_depend_on_the_threads() {
    for flags in ["", "--nearest 3", "--clusters", "--at-least partial", "--at-least different"] {
        let answers = [1, 2, 5].map(|threads| {
            run(&format!("corpus samples --format jsonl {flags} --threads {threads}")).output
        });
        assert!(!answers[0].is_empty(), "{flags}");
        assert!(answers.iter().all(|answer| *answer == answers[0]), "{flags}");
    }
}

#[test]
fn what_is_not_compared_is_counted() {
    let one = "a copper kettle and a wooden spoon";
    let files = [
        ("a.txt", one.as_bytes()),
        ("b.txt", one.as_bytes()),
        ("empty.txt", b""),
        (
            "damaged.txt",
            b"caf\xe9 \xe4\xf6\xfc na\xc3\xafve \xe2\x80\x94 \xe2\x80\x9cone\xe2\x80\x9d \
            \xe2\x80\x9ctwo\xe2\x80\x9d",
        ),
    ];
    let run = in_folder("corpus_counts", &files, "corpus . --lang en");
    assert_eq!(run.status, 2, "{}", run.errors);
    assert!(run.errors.starts_with("dedup: ./damaged.txt: "), "{}", run.errors);
    let tail = "2 texts compared; 1 skipped: empty files; 1 failed\n\nNot compared:\n  \
                ./damaged.txt: damaged UTF-8: byte 0xe9 at offset 3, expected a text in UTF-8;\n    \
                --lossy reads it anyway, with a warning; --encoding NAME reads it in\n    \
                another encoding\n  empty files: ./empty.txt\n";
    assert!(run.output.ends_with(tail), "{}", run.output);
    let lines = in_folder("corpus_counts", &files, "corpus a.txt b.txt empty.txt --format jsonl");
    assert_eq!(lines.status, 0);
    assert_eq!(lines.errors, "dedup: 2 texts compared; 1 too short\n");
    let cases = [
        ("one text", "corpus a.txt --lang en"),
        ("one text to check", "check a.txt --lang en"),
        ("nothing to check", "check"),
        ("in CI, too", "corpus a.txt --fail-on near-duplicate"),
        ("only a short one", "corpus empty.txt"),
        ("one that is short", "corpus a.txt empty.txt"),
        ("quietly", "corpus a.txt b.txt --quiet"),
        ("quietly in CI", "corpus a.txt b.txt --quiet --fail-on near-duplicate"),
    ];
    runs("corpus_counts", &cases, |line| in_folder("corpus_counts", &files, line));
}

/// Checks that five thousand copies of a text, which are 12 million pairs and would take 900 MB,
/// stay within a memory limit: if one pair decides the status, the others are not kept. A closed
/// pipe is not an error.
#[cfg(target_os = "linux")]
#[test]
fn many_copies_take_no_more_than_they_must() {
    let record =
        |id: usize| format!("{{\"id\": {id}, \"text\": \"a copper kettle and a wooden spoon\"}}\n");
    let copies: String = (0..5_000).map(record).collect();
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("corpus_copies");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("copies.jsonl"), &copies).unwrap();
    let bash = |flags: &str, behind: &str| -> Run {
        let script = format!(
            "ulimit -v 500000; '{}' corpus --jsonl copies.jsonl --lang en --threads 1 {flags} \
             {behind}; echo ${{PIPESTATUS[0]}}",
            env!("CARGO_BIN_EXE_dedup")
        );
        let mut bash = std::process::Command::new("bash");
        bash.current_dir(&folder).args(["-c", &script]).output().unwrap().into()
    };
    #[rustfmt::skip]
    let table = [
        ("--quiet",                          "",                   "0\n"),
        ("--quiet --fail-on near-duplicate", "",                   "1\n"),
        ("--keep first --format paths",      "",                   "0\n0\n"),
        ("--format jsonl --max-pairs off",   "| head -n 1 | wc -l", "1\n0\n"),
    ];
    for (flags, behind, want) in table {
        let run = bash(flags, behind);
        let lost =
            "dedup: warning: copies.jsonl: more than half are duplicates: 4,999 of 5,000 texts\n";
        let errors = if flags.contains("--keep") { lost } else { "" };
        assert_eq!((run.output.as_str(), run.errors.as_str()), (want, errors), "{flags}");
    }
}

/// Checks that a file on both sides is one new text: it is compared with all others, but not with
/// itself under another name.
#[test]
fn new_texts_among_the_old_ones_are_compared_with_all() {
    let (text, other) = (b"A copper kettle and a wooden spoon", b"Otters sleep on the river bank");
    let files: [(&str, &[u8]); 6] =
        [("a", text), ("b", text), ("c", other), ("x", text), ("y", text), ("z", other)];
    let pairs = |line: &str| {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("corpus_both_sides");
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(folder.join("new")).unwrap();
        std::fs::create_dir(folder.join("old")).unwrap();
        for (name, bytes) in files {
            let side = if name < "m" { "new" } else { "old" };
            std::fs::write(folder.join(side).join(name), bytes).unwrap();
        }
        let line = format!("corpus {line} --lang en --format csv");
        let run = crate::common::command().current_dir(&folder).args(line.split(' ')).output();
        let run: Run = run.unwrap().into();
        assert_eq!(run.errors, "", "{line}");
        let pair = |row: &str| row.split(',').take(2).collect::<Vec<_>>().join("|");
        run.output.lines().skip(1).map(pair).collect::<Vec<_>>().join(" ")
    };
    let table = [
        (
            "apart",
            "new --against old",
            "new/a|old/x new/a|old/y new/b|old/x new/b|old/y new/c|old/z",
        ),
        ("the same folder", "new --against new", "new/a|new/b"),
        ("by another name", "new --against ./old/../new", "new/a|new/b"),
        ("one of its files", "new --against new/b", "new/a|new/b"),
        ("the old ones in it", "new/a new/c --against new", "new/a|new/b"),
        (
            "all around it",
            "new --against .",
            "new/a|new/b old/x|new/a old/x|new/b old/y|new/a old/y|new/b old/z|new/c",
        ),
    ];
    for (why, line, want) in table {
        let found = pairs(line);
        let mut found: Vec<&str> = found.split(' ').collect();
        found.sort_unstable();
        assert_eq!(found.join(" "), want, "{why}");
    }
}

#[test]
fn shares_of_listed_pairs_are_shown_however_many_others_are_counted() {
    // Each two of 47 texts share 15 words, ten times: 10,810 pairs, of which one is listed.
    let words = |name: &str, count: usize| -> String {
        (0..count).map(|number| format!("{name}{number}")).collect::<Vec<_>>().join(" ")
    };
    let shared = |k: usize| words(&format!("shared{}x", k % 10), 15);
    let text = |k: usize| format!("{} {}\n", shared(k), words(&format!("own{k}x"), 100));
    let mut texts: Vec<(String, String)> =
        (0..469).map(|k| (format!("{k:03}.txt"), text(k))).collect();
    texts.push(("copy.txt".to_owned(), text(9) + "and a last word\n"));
    let files: Vec<(&str, &[u8])> =
        texts.iter().map(|(name, text)| (name.as_str(), text.as_bytes())).collect();
    let run = in_folder("many_counted", &files, "corpus . --lang none");
    assert_eq!(run.status, 0, "{}", run.errors);
    let lines: Vec<&str> = run.output.lines().collect();
    assert!(lines[0].starts_with("shared "), "{}", lines[0]);
    assert!(lines.iter().any(|line| line.contains("10,809 excerpts")), "{}", run.output);
}
