//! The manual, as the programs for manuals read it.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use crate::common::{dedup, present};

/// The page in a file.
fn page(test: &str) -> (PathBuf, String) {
    let run = dedup(&["man"]);
    assert_eq!((run.errors.as_str(), run.status), ("", 0));
    let file = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("{test}.1"));
    fs::write(&file, &run.output).unwrap();
    (file, run.output)
}

#[test]
fn mandoc_finds_no_fault() {
    if !present("mandoc", "-T lint /dev/null") {
        return;
    }
    let (file, _) = page("lint");
    let lint = Command::new("mandoc").args(["-T", "lint"]).arg(file).output().unwrap();
    assert_eq!(String::from_utf8(lint.stdout).unwrap(), "");
    assert!(lint.status.success());
}

#[test]
fn man_shows_every_command_and_every_flag() {
    if !present("man", "--version") {
        return;
    }
    let (file, _) = page("shown");
    let mut man = Command::new("man");
    man.args(["--warnings=w", "-l"]).arg(file);
    let shown = man.env("MANWIDTH", "78").env("LC_ALL", "C.UTF-8").output().unwrap();
    assert_eq!(String::from_utf8(shown.stderr).unwrap(), "");
    let shown = String::from_utf8(shown.stdout).unwrap();
    #[rustfmt::skip]
    let sections = [
        "NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "DEDUP TEXT", "DEDUP CORPUS", "DEDUP CONFIG",
        "DEDUP COMPLETIONS", "DEDUP MAN", "FILES", "ENVIRONMENT", "EXIT STATUS", "EXAMPLES",
    ];
    let found: Vec<&str> = shown.lines().filter(|line| sections.contains(line)).collect();
    assert_eq!(found, sections);
    let mut flags = 0;
    for command in
        [&["--help"][..], &["text", "--help"], &["corpus", "--help"], &["config", "--help"]]
    {
        let help = dedup(command).output;
        let lines = help.lines().map(str::trim_start).filter(|line| line.starts_with('-'));
        for flag in
            lines.filter_map(|line| line.split([' ', ',']).find(|word| word.starts_with("--")))
        {
            let is_flag = |line: &str| {
                let line = line.trim_start();
                line.starts_with('-') && line.split([' ', ',']).any(|word| word == flag)
            };
            assert!(shown.lines().any(is_flag), "{command:?} {flag}");
            flags += 1;
        }
    }
    assert!(flags > 60, "{flags}");
    let statuses: Vec<&str> = ["0", "1", "2"]
        .into_iter()
        .filter(|status| {
            shown.lines().any(|line| line.trim_start().starts_with(&format!("{status}  ")))
        })
        .collect();
    assert_eq!(statuses, ["0", "1", "2"]);
}

#[test]
fn no_flag_is_without_its_help() {
    let (_, page) = page("helped");
    let lines: Vec<&str> = page.lines().collect();
    for (place, line) in lines.iter().enumerate() {
        if *line == ".TP" {
            assert!(!lines[place + 2].is_empty(), "{}", lines[place + 1]);
        }
    }
}
