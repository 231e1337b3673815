//! Bad settings: told with file, line and column, and exit 2.

use std::fs;

use super::{repository, run};

/// The beginnings of hints.
const LISTS: &str = "dedup config lists the settings";
const TABLE: &str = "settings stand at top level, in no table";
const LINE: &str = "a line is a setting, such as jaccard = 0.8 or stem = \"off\"";
const ONE: &str = "leave one out";

#[test]
fn bad_settings_are_told_with_their_place() {
    #[rustfmt::skip]
    let table: &[(&str, &str, &str, &str)] = &[
        ("an unknown key",        "min = 1\njacard = 1", "dedup.toml:2:1: jacard: unknown setting; the nearest is jaccard", LISTS),
        ("an underline",          "max_bytes = 1",     "dedup.toml:1:1: max_bytes: unknown setting; the nearest is max-bytes", LISTS),
        ("in quotes",             "  \"jacard\" = 1",  "dedup.toml:1:3: \"jacard\": unknown setting; the nearest is jaccard", LISTS),
        ("letters, not bytes",    "\"çà\" = 1",        "dedup.toml:1:1: \"çà\": unknown setting; the nearest is id", LISTS),
        ("an empty key",          "\"\" = 1",          "dedup.toml:1:1: \"\": unknown setting; the nearest is id", LISTS),
        ("of one run",            "list = true",       "dedup.toml:1:1: list: unknown setting, expected on the command line", "--list is for one run; dedup config lists the settings"),
        ("another file",          "config = \"x\"",    "dedup.toml:1:1: config: unknown setting, expected on the command line", "--config is for one run; dedup config lists the settings"),
        ("a text",                "left = \"a\"",      "dedup.toml:1:1: left: unknown setting; the nearest is text", LISTS),
        ("a table",               "\n[corpus]\nnearest = 3", "dedup.toml:2:2: corpus: unknown setting; the nearest is color", TABLE),
        ("a dotted key",          "corpus.nearest = 3", "dedup.toml:1:1: corpus: unknown setting; the nearest is color", TABLE),
        ("a table for a value",   "jaccard = {}",      "dedup.toml:1:11: jaccard = {}: a table, expected a number or \"off\"", "dedup --help says what --jaccard takes"),
        ("a number in quotes",    "jaccard = \"0.7\"", "dedup.toml:1:11: jaccard = \"0.7\": a string, expected a number or \"off\"", "dedup --help says what --jaccard takes"),
        ("a boolean",             "hamming = true",    "dedup.toml:1:11: hamming = true: a boolean, expected a whole number or \"off\"", "dedup --help says what --hamming takes"),
        ("an array of one",       "html = [\"all\"]",  "dedup.toml:1:8: html = [\"all\"]: an array, expected a string", "dedup --help says what --html takes"),
        ("an array in an array",  "template = [[1]]",  "dedup.toml:1:13: template = [1]: an array, expected a string, or an array of such", "dedup --help says what --template takes"),
        ("a number for a word",   "stem = 1",          "dedup.toml:1:8: stem = 1: a number, expected a string", "dedup --help says what --stem takes"),
        ("a word for a switch",   "quiet = \"on\"",    "dedup.toml:1:9: quiet = \"on\": a string, expected true or false", "dedup --help says what --quiet takes"),
        ("a date",                "min = 2026-11-21",  "dedup.toml:1:7: min = 2026-11-21: a date, expected a whole number", "dedup --help says what --min takes"),
        ("wrong in itself",       "jaccard = 7",       "dedup.toml:1:11: jaccard = 7: above 1, expected 0 to 1, such as 0.5, or off", "dedup --help says what --jaccard takes"),
        ("no number",             "jaccard = nan",     "dedup.toml:1:11: jaccard = nan: not a decimal, expected 0 to 1, such as 0.5, or off", "dedup --help says what --jaccard takes"),
        ("negative",              "min = -1",          "dedup.toml:1:7: min = -1: expected a whole number from 1 to 64", "dedup --help says what --min takes"),
        ("far too great",         "min = 99999999999999999999999999999999999999999", "dedup.toml:1:7: min = 9999999999999999999999999999999999999999…: expected a whole number from 1 to 64", "dedup --help says what --min takes"),
        ("an unknown word",       "html = \"mian\"",   "dedup.toml:1:8: html = \"mian\": expected main, all or off", "dedup --help says what --html takes"),
        ("an empty name",         "report = \"\"",     "dedup.toml:1:10: report = \"\": empty, expected a value", "dedup --help says what --report takes"),
        ("one of many",           "ignore = [\n  \"quotes\",\n  \"qotes\"]", "dedup.toml:3:3: ignore = \"qotes\": expected quotes, bibliography, marked, short or short=WORDS", "dedup --help says what --ignore takes"),
        ("of a corpus, wrong",    "nearest = 0",       "dedup.toml:1:11: nearest = 0: expected a whole number from 1 on", "dedup corpus --help says what --nearest takes"),
        ("no format",             "format = \"yaml\"", "dedup.toml:1:10: format = \"yaml\": expected one of text, json, jsonl, csv, sarif, github, junit, gitlab, markdown, badge, paths, paths0, or one with =FILE", "dedup --help says what --format takes"),
        ("twice",                 "min = 1\nmax = 2\nmin = 1", "dedup.toml:3:1: min is set twice, expected it once", ONE),
        ("both of two",           "fail-on = \"partial\"\nat-least = \"partial\"", "dedup.toml:2:1: at-least together with fail-on of line 1, expected one of them", ONE),
        ("both of two, switches", "explain = true\nquiet = true", "dedup.toml:2:1: quiet together with explain of line 1, expected one of them", ONE),
        ("no value",              "jaccard",           "dedup.toml:1:8: key with no value, expected `=`", LINE),
        ("too great together",    "min = 5",           "--min 5 is above --max, which is 3 by default", "--max 5; --min is set in dedup.toml:1"),
        ("no such list",          "\nstopwords = \"no\"", "--stopwords: no: no such file, expected a text file", "names are looked up from the working folder; - reads standard input; --stopwords is set in dedup.toml:2"),
        ("a limit",               "max-bytes = 5",     "l.txt: larger than the limit of 5 bytes", "--max-bytes off lifts the limit; --max-bytes is set in dedup.toml:1"),
    ];
    for (why, file, message, hint) in table {
        let folder = repository("told", &[("dedup.toml", file)]);
        let run = run(&folder, "l.txt r.txt");
        assert_eq!(run.errors, format!("dedup: {message}\nhint: {hint}\n"), "{why}");
        assert_eq!((run.output.as_str(), run.status), ("", 2), "{why}");
    }
}

#[test]
fn what_is_off_stands_beside_anything() {
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
fn a_file_that_is_none_is_told() {
    const LOOKED_UP: &str = "names are looked up from the working folder; --no-config reads none";
    const FOUND: &str = "--no-config reads none, --config FILE another";
    let folder = repository("none", &[("sub/dedup.toml/x", ""), ("fine.toml", "")]);
    fs::write(folder.join("latin1.toml"), b"min = 1\nid = \"\xe9\"").unwrap();
    fs::write(folder.join("utf16.toml"), b"\xff\xfem\0").unwrap();
    fs::write(folder.join("large.toml"), vec![b'\n'; (1 << 20) + 1]).unwrap();
    fs::write(folder.join("largest.toml"), vec![b'\n'; 1 << 20]).unwrap();
    #[rustfmt::skip]
    let table = [
        ("missing",        "",    "--config no.toml",     "no.toml: no such file, expected a settings file", LOOKED_UP),
        ("a folder",       "",    "--config sub",         "sub: is a folder, expected a settings file", LOOKED_UP),
        ("a folder found", "sub", "",                     "dedup.toml: is a folder, expected a settings file", FOUND),
        ("not UTF-8",      "",    "--config latin1.toml", "latin1.toml:2:7: byte 0xe9 is not UTF-8, expected a settings file in UTF-8", "save it as UTF-8"),
        ("UTF-16",         "",    "--config utf16.toml",  "utf16.toml:1:1: byte 0xff is not UTF-8, expected a settings file in UTF-8", "save it as UTF-8"),
        ("too large",      "",    "--config large.toml",  "large.toml: larger than 1048576 bytes, expected a settings file", LOOKED_UP),
        ("standard input", "",    "--config -",           "--config -: standard input, expected a settings file", "--config <(…) reads what a program writes"),
        ("both flags",     "",    "--config fine.toml --no-config", "the argument '--config <FILE>' cannot be used with '--no-config'", "dedup --help lists the flags"),
    ];
    for (why, working, typed, message, hint) in table {
        let root = "../".repeat(usize::from(!working.is_empty()));
        let run = run(&folder.join(working), &format!("{root}l.txt {root}r.txt {typed}"));
        assert_eq!(run.errors, format!("dedup: {message}\nhint: {hint}\n"), "{why}");
        assert_eq!((run.output.as_str(), run.status), ("", 2), "{why}");
    }
    assert_eq!(run(&folder, "l.txt r.txt --config largest.toml").errors, "", "just small enough");
}

#[cfg(unix)]
#[test]
fn what_is_no_regular_file_is_not_waited_for() {
    let folder = repository("pipe", &[("sub/x", "")]);
    let made = std::process::Command::new("mkfifo").arg(folder.join("dedup.toml")).status();
    assert!(made.unwrap().success());
    let told = run(&folder, "l.txt r.txt");
    assert!(told.errors.starts_with("dedup: dedup.toml: is no regular file"), "{}", told.errors);
    std::os::unix::fs::symlink("nowhere", folder.join("sub/dedup.toml")).unwrap();
    let told = run(&folder.join("sub"), "../l.txt ../r.txt");
    assert!(told.errors.starts_with("dedup: dedup.toml: no such file"), "{}", told.errors);
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

/// At a cost that grows faster than the file these would take hours.
#[test]
fn a_large_file_is_trouble_as_any_other() {
    let many = format!("template = [{}]", "\"a\",".repeat(200_000));
    let dotted = format!("{} = 1", vec!["a"; 400_000].join("."));
    let nested = format!("lang = {}", "[".repeat(1_000_000));
    let long = format!("{} = 1", "k".repeat(1_000_000));
    for (why, file) in [("values", many), ("dots", dotted), ("nesting", nested), ("a key", long)] {
        let folder = repository("large", &[("dedup.toml", &file)]);
        assert_eq!(run(&folder, "l.txt r.txt").status, 2, "{why}");
    }
}
