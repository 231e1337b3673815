//! Tests of invalid settings: reported with file, line and column, and status 2.

use std::fs;

use super::{repository, run};
use crate::transcript::Transcript;

#[test]
fn bad_settings_are_reported_with_their_place() {
    let cases = [
        ("an unknown key", "min = 1\njacard = 1"),
        ("an underline", "max_bytes = 1"),
        ("in quotes", "  \"jacard\" = 1"),
        ("letters, not bytes", "\"çà\" = 1"),
        ("an empty key", "\"\" = 1"),
        ("of one run", "list = true"),
        ("another file", "config = \"x\""),
        ("a text", "left = \"a\""),
        ("a table", "\n[corpus]\nnearest = 3"),
        ("a dotted key", "corpus.nearest = 3"),
        ("a table for a value", "jaccard = {}"),
        ("a number in quotes", "jaccard = \"0.7\""),
        ("a boolean", "hamming = true"),
        ("an array of one", "html = [\"all\"]"),
        ("an array in an array", "template = [[1]]"),
        ("a number for a word", "stem = 1"),
        ("a word for a switch", "quiet = \"on\""),
        ("a date", "min = 2026-11-21"),
        ("wrong in itself", "jaccard = 7"),
        ("no number", "jaccard = nan"),
        ("negative", "min = -1"),
        ("far too great", "min = 99999999999999999999999999999999999999999"),
        ("an unknown word", "html = \"mian\""),
        ("an empty name", "report = \"\""),
        ("one of many", "ignore = [\n  \"quotes\",\n  \"qotes\"]"),
        ("of a corpus, wrong", "nearest = 0"),
        ("no format", "format = \"yaml\""),
        ("twice", "min = 1\nmax = 2\nmin = 1"),
        ("both of two", "fail-on = \"partial\"\nat-least = \"partial\""),
        ("both of two, switches", "explain = true\nquiet = true"),
        ("no value", "jaccard"),
        ("too great together", "min = 5"),
        ("no such list", "\nstopwords = \"no\""),
        ("a limit", "max-bytes = 5"),
    ];
    let mut transcript = Transcript::default();
    for (why, file) in cases {
        let folder = repository("told", &[("dedup.toml", file)]);
        transcript.case(why);
        transcript.file("dedup.toml", file);
        transcript.error("l.txt r.txt", &run(&folder, "l.txt r.txt"));
    }
    transcript.assert_snapshot("settings");
}

/// A hint says where a flag is set that caused the error, but not where one is that it recommends.
#[test]
fn hints_name_the_places_of_flags_that_caused_an_error() {
    #[rustfmt::skip]
    let table = [
        ("in the message",   "passages = \"off\"",           "corpus l.txt r.txt --since HEAD", "--passages is set in dedup.toml:1"),
        ("a list of words",  "stopwords = \"on\"",           "stop.txt r.txt",                  "--stopwords is set in dedup.toml:1"),
        ("an error of two",  "disguises = \"error\"",        "look.txt r.txt",                  "--disguises is set in dedup.toml:1"),
        ("an encoding",      "encoding = [\"utf-8\"]",       "bad.txt r.txt",                   "--encoding is set in dedup.toml:1"),
        (
            "two limits",
            "max-pairs = 0\nnearest = 2",
            "corpus l.txt r.txt",
            "--max-pairs is set in dedup.toml:1, --nearest is set in dedup.toml:2",
        ),
        ("recommended only", "jsonl = [\"r.jsonl\"]\nkeep = \"first\"", "corpus l.txt --output x", ""),
    ];
    let files = [
        ("stop.txt", "the and of"),
        ("look.txt", "\u{430}pple p\u{430}per"),
        ("r.jsonl", "{\"id\": 1, \"text\": \"a\"}"),
    ];
    for (why, settings, line, want) in table {
        let folder = repository("caused", &[&files[..], &[("dedup.toml", settings)]].concat());
        fs::write(folder.join("bad.txt"), b"caf\xe9").unwrap();
        let run = run(&folder, line);
        let hint = run.errors.lines().find_map(|line| line.strip_prefix("hint: ")).unwrap();
        let places = hint.split("; ").filter(|part| part.contains(" is set in "));
        assert_eq!(places.collect::<Vec<_>>().join("; "), want, "{why}: {}", run.errors);
    }
}

#[test]
fn a_switch_that_is_off_contradicts_nothing() {
    let folder = repository("off", &[("dedup.toml", "explain = true\nquiet = false")]);
    assert_eq!(run(&folder, "l.txt r.txt").errors, "");
}

#[test]
fn what_is_typed_hides_no_mistake_of_the_file() {
    let folder = repository("hides", &[("dedup.toml", "jaccard = 7")]);
    assert_eq!(run(&folder, "l.txt r.txt --jaccard 0.5").status, 2);
    let folder = repository("hides", &[("dedup.toml", "format = \"jsonl\"")]);
    assert_eq!(run(&folder, "l.txt r.txt --format text").errors, "", "no mistake for a corpus");
}

#[test]
fn help_and_the_version_read_no_settings() {
    let folder = repository("help", &[("dedup.toml", "no")]);
    for line in
        ["--help", "-h", "--version", "corpus --help", "config --help", "man", "completions zsh"]
    {
        let run = run(&folder, line);
        assert_eq!((run.errors.as_str(), run.status), ("", 0), "{line}");
    }
}

#[test]
fn a_file_that_is_none_is_reported() {
    let folder = repository("none", &[("sub/dedup.toml/x", ""), ("fine.toml", "")]);
    fs::write(folder.join("latin1.toml"), b"min = 1\nid = \"\xe9\"").unwrap();
    fs::write(folder.join("utf16.toml"), b"\xff\xfem\0").unwrap();
    fs::write(folder.join("large.toml"), vec![b'\n'; (1 << 20) + 1]).unwrap();
    fs::write(folder.join("largest.toml"), vec![b'\n'; 1 << 20]).unwrap();
    let table = [
        ("missing", "", "--config no.toml"),
        ("a folder", "", "--config sub"),
        ("a folder found", "sub", ""),
        ("not UTF-8", "", "--config latin1.toml"),
        ("UTF-16", "", "--config utf16.toml"),
        ("too large", "", "--config large.toml"),
        ("standard input", "", "--config -"),
        ("both flags", "", "--config fine.toml --no-config"),
    ];
    let mut transcript = Transcript::default();
    for (why, working, typed) in table {
        let root = "../".repeat(usize::from(!working.is_empty()));
        let line = format!("{root}l.txt {root}r.txt {typed}");
        transcript.case(why);
        transcript.error(line.trim_end(), &run(&folder.join(working), &line));
    }
    transcript.assert_snapshot("settings_file");
    assert_eq!(run(&folder, "l.txt r.txt --config largest.toml").errors, "", "just small enough");
}

#[cfg(unix)]
#[test]
fn what_is_no_regular_file_is_not_waited_for() {
    let folder = repository("pipe", &[("sub/x", "")]);
    let made = std::process::Command::new("mkfifo").arg(folder.join("dedup.toml")).status();
    assert!(made.unwrap().success());
    let result = run(&folder, "l.txt r.txt");
    assert!(
        result.errors.starts_with("dedup: dedup.toml: is not a regular file"),
        "{}",
        result.errors
    );
    std::os::unix::fs::symlink("nowhere", folder.join("sub/dedup.toml")).unwrap();
    let result = run(&folder.join("sub"), "../l.txt ../r.txt");
    assert!(result.errors.starts_with("dedup: dedup.toml: no such file"), "{}", result.errors);
}

#[cfg(unix)]
#[test]
fn what_a_program_writes_is_settings_too() {
    let folder = repository("written", &[]);
    let line = "dedup l.txt r.txt --format json --config <(echo 'jaccard = 0.8')";
    let line = line.replacen("dedup", env!("CARGO_BIN_EXE_dedup"), 1);
    let mut bash = std::process::Command::new("bash");
    let run = bash.args(["-c", &line]).current_dir(&folder).output().unwrap();
    assert!(String::from_utf8(run.stdout).unwrap().contains("\"jaccard\":0.8,"));
}

/// Checks files that would take hours at a superlinear cost.
#[test]
fn a_large_file_is_an_error_as_any_other() {
    let many = format!("template = [{}]", "\"a\",".repeat(200_000));
    let dotted = format!("{} = 1", vec!["a"; 400_000].join("."));
    let nested = format!("lang = {}", "[".repeat(1_000_000));
    let long = format!("{} = 1", "k".repeat(1_000_000));
    for (why, file) in [("values", many), ("dots", dotted), ("nesting", nested), ("a key", long)] {
        let folder = repository("large", &[("dedup.toml", &file)]);
        assert_eq!(run(&folder, "l.txt r.txt").status, 2, "{why}");
    }
}
