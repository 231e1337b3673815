//! Tests of `dedup config`: the settings of a run.

use std::fs;

use toml::de::DeTable;

use super::{repository, run};

#[test]
fn every_setting_that_is_set_is_printed() {
    let settings = "# ours\njaccard = 0.8\nstopwords = \"list\"\nfail-on = \"partial\"\n\
                    rows = 3\nquiet = true\ntemplate = [\"a b\", \"c\\\"\"]\n";
    let folder = repository("sources", &[("dedup.toml", settings), ("deep/x", "")]);
    let page = run(&folder.join("deep"), "config --max 4 --clusters --lang left=ca --lang es");
    assert_eq!((page.errors.as_str(), page.status), ("", 0));
    let (set, unset) = page.output.split_once("# not set: ").unwrap();
    let want = [
        "# settings file: ../dedup.toml",
        "max = 4",
        "jaccard = 0.8",
        "lang = [\"left=ca\", \"es\"]",
        "template = [\"../a b\", \"../c\\\"\"]",
        "stopwords = \"../list\"",
        "fail-on = \"partial\"",
        "quiet = true",
        "rows = 3",
        "clusters = true",
    ];
    assert_eq!(set.lines().collect::<Vec<_>>(), want);
    let unset = unset.replace("\n# ", " ");
    let unset: Vec<&str> = unset.trim_end().split(", ").collect();
    for (key, is_unset) in [("min", true), ("at-least", true), ("jsonl", true), ("max", false)] {
        assert_eq!(unset.contains(&key), is_unset, "{key}");
    }
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
            page.lines().filter(|line| !line.starts_with('#')).map(str::to_owned).collect()
        };
        assert_eq!(values(&again.output), values(&page), "{typed}");
        for line in ["l.txt r.txt", "corpus l.txt r.txt"] {
            let run = run(&folder, &format!("{line} --config again.toml --max-bytes off"));
            assert_eq!(run.errors, "", "{line}");
        }
    }
}

#[test]
fn without_a_file_nothing_is_set() {
    let folder = repository("default", &[]);
    let page = run(&folder, "config").output;
    assert!(page.starts_with("# settings file: none\n# not set: min, max, "), "{page}");
    assert!(page.lines().all(|line| line.starts_with("# ") && line.len() <= 80), "{page}");
}

#[test]
fn a_whole_command_line_may_stand_behind_it() {
    let folder = repository("line", &[("l.html", "")]);
    let page = run(&folder, "config corpus no.txt --format paths --min-match 5").output;
    let lines: Vec<&str> = page.lines().skip(1).take(2).collect();
    assert_eq!(lines, ["min-match = 5", "format = [\"paths\"]"]);
    let bad = run(&folder, "config --min 0");
    assert_eq!(bad.status, 2);
    assert!(bad.errors.starts_with("dedup: invalid value '0' for '--min <N>'"), "{}", bad.errors);
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
