//! Tests of `paths`, `include` and `exclude`: what `dedup corpus` compares if no PATH is given.

use super::{repository, run};
use crate::transcript::Transcript;

/// Three texts in a folder, one of them a draft, a list of two others, and a file of records.
const FILES: [(&str, &str); 5] = [
    ("essays/a.txt", "The copper kettle stands in the kitchen."),
    ("essays/b.txt", "A silver spoon lies on the table."),
    ("essays/draft.txt", "Seven boats left the harbour."),
    ("list", "l.txt\nr.txt\n"),
    ("records.jsonl", "{\"id\": \"one\", \"text\": \"a kettle\"}\n"),
];

#[test]
fn what_is_compared_stands_in_the_file() {
    let one = "paths = \"essays\"";
    let many = "paths = [\"l.txt\", \"essays\"]\nexclude = [\"draft*\"]";
    let two = "paths = \"l.txt\"\njsonl = \"records.jsonl\"";
    let cases = [
        ("a folder", one, "", ""),
        ("seen from below, in essays", one, "essays", ""),
        ("several, one left out", many, "", ""),
        ("only some", "paths = [\".\"]\ninclude = [\"[ab].txt\"]", "", ""),
        ("a typed path counts", many, "", "r.txt"),
        ("not so the globs", many, "", "essays"),
        ("typed globs count", many, "", "essays --exclude a.*"),
        ("a list is typed", one, "", "--files-from list"),
        ("records are typed", one, "", "--jsonl records.jsonl"),
        ("records of the file", two, "", ""),
        ("beside older texts", one, "", "--against l.txt"),
    ];
    let mut transcript = Transcript::default();
    for (why, settings, folder, typed) in cases {
        let files: Vec<_> = FILES.into_iter().chain([("dedup.toml", settings)]).collect();
        let root = repository("inputs", &files);
        let line = format!("corpus --list {typed}");
        let run = run(&root.join(folder), &line);
        assert_eq!((run.errors.as_str(), run.status), ("", 0), "{why}");
        transcript.case(why);
        transcript.file("dedup.toml", settings);
        transcript.run(line.trim_end(), &run);
    }
    transcript.assert_snapshot("settings_texts");
}

#[test]
fn bad_paths_are_reported_with_their_place() {
    let cases = [
        ("a number", "paths = 3"),
        ("an empty one", "paths = [\"a\", \"\"]"),
        ("none", "paths = []"),
        ("no file", ""),
        ("missing", "paths = \"gone\""),
    ];
    let mut transcript = Transcript::default();
    for (why, settings) in cases {
        let root = repository("inputs_told", &[("dedup.toml", settings)]);
        transcript.case(why);
        transcript.file("dedup.toml", settings);
        transcript.error("corpus", &run(&root, "corpus"));
    }
    transcript.assert_snapshot("settings_paths");
}

/// Checks that the setting does not apply to two texts, and that `dedup config` shows it.
#[test]
fn paths_are_of_many_texts_alone() {
    let root = repository("inputs_pair", &[("dedup.toml", "paths = [\"essays\"]")]);
    assert_eq!(run(&root, "l.txt r.txt --quiet").status, 0);
    for (typed, want) in [("", "paths = [\"essays\"]"), ("x", "paths = [\"x\"]")] {
        let page = run(&root, &format!("config {typed}")).output;
        let lines: Vec<&str> = page.lines().filter(|line| line.starts_with("paths =")).collect();
        assert_eq!(lines, [want]);
    }
}
