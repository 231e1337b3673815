//! Tests of `dedup config`: all settings, and the source of each.

use std::fs;

use toml::de::DeTable;

use super::{repository, run};

/// Returns the line of a setting, which may be a comment.
fn line(page: &str, key: &str) -> String {
    let start = format!("{key} = ");
    let is_of_key = |line: &&str| line.trim_start_matches("# ").starts_with(&start);
    let lines: Vec<&str> = page.lines().filter(is_of_key).collect();
    assert_eq!(lines.len(), 1, "{key} in {page}");
    lines[0].split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn every_setting_has_its_source() {
    let settings = "# ours\njaccard = 0.8\nstopwords = \"list\"\nfail-on = \"partial\"\n\
                    nearest = 3\nquiet = true\ntemplate = [\"a b\", \"c\\\"\"]\n";
    let folder = repository("sources", &[("dedup.toml", settings), ("deep/x", "")]);
    let page = run(&folder.join("deep"), "config --max 4 --clusters --lang left=ca --lang es");
    assert_eq!((page.errors.as_str(), page.status), ("", 0));
    let page = page.output;
    assert!(page.starts_with("# settings file: ../dedup.toml\n"), "{page}");
    #[rustfmt::skip]
    let table = [
        ("by clap's default",    "hamming",   "hamming = 3 # default"),
        ("by the told default",  "min",       "# min = 1"),
        ("typed",                "max",       "max = 4 # --max"),
        ("a typed switch",       "clusters",  "clusters = true # --clusters"),
        ("typed twice",          "lang",      "lang = [\"left=ca\", \"es\"] # --lang"),
        ("of the file",          "jaccard",   "jaccard = 0.8 # ../dedup.toml:2"),
        ("a file's path",        "stopwords", "stopwords = \"../list\" # ../dedup.toml:3"),
        ("a switch of the file", "quiet",     "quiet = true # ../dedup.toml:6"),
        ("of a corpus",          "nearest",   "nearest = 3 # ../dedup.toml:5"),
        ("many, escaped",        "template",  "template = [\"../a b\", \"../c\\\"\"] # ../dedup.toml:7"),
        ("none",                 "jsonl",     "jsonl = [] # default"),
        ("a switch",             "details",   "details = false # default"),
        ("what an index changes", "stem",     "# stem = \"on\""),
        ("a switch of these",    "lossy",     "# lossy = false"),
        ("many of these",        "ignore",    "# ignore = []"),
    ];
    for (why, key, want) in table {
        assert_eq!(line(&page, key), want, "{why}");
    }
    let unset = page.lines().find(|line| line.starts_with("# not set: ")).unwrap();
    let unset: Vec<&str> = unset["# not set: ".len()..].split(", ").collect();
    assert!(unset.contains(&"report"), "{unset:?}");
    assert!(unset.contains(&"at-least"), "its default does not count beside fail-on: {unset:?}");
}

#[test]
fn the_page_is_a_settings_file_that_says_the_same() {
    let folder = repository("again", &[("dedup.toml", "max-bytes = 0x10\njaccard = 0.50")]);
    for typed in [
        "",
        "--min 2 --ignore quotes,short=9 --keep first --stem off",
        "--fail-on partial",
        "--jaccard 0.1",
    ] {
        let page = run(&folder, &format!("config {typed}")).output;
        assert!(DeTable::parse(&page).is_ok(), "{page}");
        fs::write(folder.join("again.toml"), &page).unwrap();
        let again = run(&folder, "config --config again.toml");
        assert_eq!(again.errors, "");
        let values = |page: &str| -> Vec<String> {
            let lines = page.lines().filter(|line| !line.starts_with('#'));
            lines.map(|line| line.split(" #").next().unwrap().trim().to_owned()).collect()
        };
        assert_eq!(values(&again.output), values(&page), "{typed}");
        for line in ["l.txt r.txt", "corpus l.txt r.txt"] {
            let run = run(&folder, &format!("{line} --config again.toml --max-bytes off"));
            assert_eq!(run.errors, "", "{line}");
        }
    }
}

/// Checks that the page of a run without a settings file changes no answer as `dedup.toml`.
#[test]
fn the_page_without_a_file_changes_nothing() {
    let text = "The copper kettle stands on the iron stove and sings before the water boils over.";
    let marked = format!("# dedup: ignore-start\n{text}\n# dedup: ignore-end\n");
    let records = format!("{{\"text\":\"{text}\"}}\n").repeat(2);
    let files = [
        ("d/1.txt", text),
        ("d/2.txt", text),
        ("marked/1.txt", &marked),
        ("marked/2.txt", &marked),
        ("r.jsonl", &records),
    ];
    let [plain, settled] = ["unsettled", "settled"].map(|name| repository(name, &files));
    let page = run(&plain, "config");
    assert_eq!((page.errors.as_str(), page.status), ("", 0));
    fs::write(settled.join("dedup.toml"), &page.output).unwrap();
    for (line, status) in [
        ("corpus --jsonl r.jsonl", 0),
        ("corpus --jsonl r.jsonl --nearest 1", 0),
        ("check --jsonl r.jsonl", 1),
        ("check d", 1),
        ("check marked", 2),
        ("check d --quiet", 1),
        ("corpus d --jaccard 0.1", 0),
        ("corpus d --format csv", 0),
        ("corpus d --list", 0),
        ("spans d --min-words 5", 0),
        ("d/1.txt d/2.txt", 0),
        ("d/1.txt d/2.txt --min 4 --max 4", 0),
    ] {
        let [want, given] = [&plain, &settled].map(|folder| run(folder, line));
        assert_eq!((given.errors, given.status), (want.errors, status), "{line}");
        assert_eq!(want.status, status, "{line}");
        let unnamed = given.output.lines().filter(|line| !line.starts_with("Settings "));
        let unnamed: String = unnamed.map(|line| line.to_owned() + "\n").collect();
        assert_eq!(unnamed.replace("; settings: dedup.toml", ""), want.output, "{line}");
    }
}

#[test]
fn a_limit_that_follows_another_is_the_one_in_force() {
    let folder = repository("follows", &[("dedup.toml", "jaccard = 0.05\n")]);
    #[rustfmt::skip]
    let table = [
        ("of the file",       "",                                       "partial-jaccard = 0.05 # dedup.toml:1"),
        ("typed",             "--jaccard 0.10",                         "partial-jaccard = 0.1 # --jaccard"),
        ("as high",           "--jaccard 0.12",                         "partial-jaccard = 0.12 # --jaccard"),
        ("not lowered",       "--jaccard 0.121",                        "# partial-jaccard = 0.12"),
        ("off",               "--jaccard off",                          "# partial-jaccard = 0.12"),
        ("one of its own",    "--jaccard 0.1 --partial-jaccard 0.09",   "partial-jaccard = 0.09 # --partial-jaccard"),
    ];
    for (why, typed, want) in table {
        let page = run(&folder, &format!("config {typed}")).output;
        assert_eq!(line(&page, "partial-jaccard"), want, "{why}");
    }
}

#[test]
fn without_a_file_all_is_default() {
    let folder = repository("default", &[]);
    let page = run(&folder, "config").output;
    assert!(page.starts_with("# settings file: none\n"), "{page}");
    let settings = page.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
    for line in settings {
        assert!(line.ends_with(" # default"), "{line}");
    }
}

#[test]
fn a_whole_command_line_may_stand_behind_it() {
    let folder = repository("line", &[("l.html", "")]);
    let page = run(&folder, "config corpus no.txt --format paths --min-match 5").output;
    assert_eq!(line(&page, "format"), "format = [\"paths\"] # --format");
    assert_eq!(line(&page, "min-match"), "min-match = 5 # --min-match");
    let bad = run(&folder, "config --min 0");
    assert_eq!(bad.status, 2);
    assert!(bad.errors.ends_with("hint: dedup config --help lists the flags\n"), "{}", bad.errors);
}

#[test]
fn files_that_are_called_as_commands_are_advised_of() {
    for name in ["config", "completions", "man"] {
        let folder = repository("called", &[(name, "x")]);
        let line = if name == "completions" { "completions bash" } else { name };
        let run = run(&folder, line);
        let advice = format!("hint: {name} is a command; for the file, use ./{name}\n");
        assert_eq!((run.errors, run.status), (advice, 0));
    }
}
