//! Tests of `dedup check`, and of the hint in CI if no level is given.

use std::path::{Path, PathBuf};

use crate::common::{Run, command, empty_folder};

const OLD: &str = "The copper kettle stood on the old table by the window, and nobody had \
    polished it since the harvest of that year.";
const NEW: &str = "Seven boats left the harbour before the tide turned, each with a lantern at \
    the mast and a boy to watch the nets.";

/// Creates a repository with folders of texts: two copies, a text inside another, and two texts
/// that share nothing.
fn repository(name: &str, settings: &str) -> PathBuf {
    let folder = empty_folder("check", name);
    std::fs::create_dir(folder.join(".git")).unwrap();
    let words: Vec<String> = (0..60).map(|word| format!("word{word}")).collect();
    let long = format!("{OLD} {}", words.join(" "));
    for (name, text) in [
        ("copies/a.txt", OLD),
        ("copies/b.txt", OLD),
        ("parts/a.txt", OLD),
        ("parts/c.txt", &long),
        ("clean/a.txt", OLD),
        ("clean/d.txt", NEW),
        ("dedup.toml", settings),
    ] {
        let path = folder.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    folder
}

fn run(folder: &Path, line: &str) -> Run {
    command().current_dir(folder).args(line.split_whitespace()).output().unwrap().into()
}

#[test]
fn a_check_fails_where_copies_are() {
    #[rustfmt::skip]
    let table = [
        ("copies",                      "",                        "check copies",                       1),
        ("no copies",                   "",                        "check clean",                        0),
        ("a part is none",              "",                        "check parts",                        0),
        ("by the paths of the file",    "paths = \"copies\"",      "check",                              1),
        ("which are clean",             "paths = \"clean\"",       "check",                              0),
        ("none named",                  "",                        "check",                              2),
        ("a level of the file",         "fail-on = \"excerpt\"",   "check parts",                        1),
        ("a typed level",               "fail-on = \"excerpt\"",   "check parts --fail-on identical",    0),
        ("by the other flag",           "",                        "check copies --at-least identical",  1),
        ("a level in the file",         "at-least = \"identical\"", "check copies",                     1),
        ("missing",                     "",                        "check gone",                         2),
        ("a list",                      "",                        "check copies --list",                0),
    ];
    for (why, settings, line, status) in table {
        let run = run(&repository("fails", settings), line);
        assert_eq!(run.status, status, "{why}: {}", run.errors);
    }
}

#[test]
fn a_check_is_a_corpus_with_a_level() {
    let folder = repository("same", "");
    for flags in ["copies", "clean", "copies --format jsonl", "copies parts --details", "copies -q"]
    {
        let check = run(&folder, &format!("check {flags}"));
        let corpus = run(&folder, &format!("corpus {flags} --fail-on near-duplicate"));
        assert_eq!(
            (check.output, check.errors, check.status),
            (corpus.output, corpus.errors, corpus.status)
        );
    }
    let clean = run(&folder, "check clean");
    assert_eq!(
        clean.output,
        "0 pairs near-duplicate or closer\n2 texts compared; settings: dedup.toml\n"
    );
}

/// Checks that a level only says how much is a finding, as a setting and on the command line: what
/// `dedup calibrate --settings` writes must not exchange the statuses.
#[test]
fn a_check_fails_at_any_level() {
    let folder = repository("level", "at-least = \"excerpt\"\n");
    for (texts, status) in [("copies", 1), ("parts", 1), ("clean", 0)] {
        for typed in ["", " --at-least excerpt", " --fail-on excerpt"] {
            let run = run(&folder, &format!("check {texts}{typed}"));
            assert_eq!(run.status, status, "{texts}{typed}");
        }
    }
    let closer = run(&folder, "check parts --fail-on near-duplicate");
    assert_eq!(closer.status, 0, "{}", closer.output);
}
