//! Checks the manual pages with the programs that read them.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use crate::common::{dedup, is_installed};

/// Writes the manual page of a command, or that of the program if `command` is empty.
fn page(test: &str, command: &str) -> (PathBuf, String) {
    let words: Vec<&str> = ["man"].into_iter().chain(command.split_whitespace()).collect();
    let run = dedup(&words);
    assert_eq!((run.errors.as_str(), run.status), ("", 0));
    let name = format!("{test}-{}.1", command.replace(' ', "-"));
    let file = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::write(&file, &run.output).unwrap();
    (file, run.output)
}

#[test]
fn mandoc_finds_no_fault() {
    if !is_installed("mandoc", "-T lint /dev/null") {
        return;
    }
    for command in
        ["", "corpus", "text", "calibrate", "index", "index build", "spans", "config", "web", "man"]
    {
        let (file, _) = page("lint", command);
        let lint = ["-T", "lint", "-W", "warning"];
        let lint = Command::new("mandoc").args(lint).arg(file).output().unwrap();
        assert_eq!(String::from_utf8(lint.stdout).unwrap(), "", "{command}");
        assert!(lint.status.success(), "{command}");
    }
}

#[test]
fn man_shows_every_command_and_every_flag() {
    if !is_installed("man", "--version") {
        return;
    }
    let shown = |command: &str| {
        let (file, _) = page("shown", command);
        let mut man = Command::new("man");
        man.args(["--warnings=w", "-l"]).arg(file);
        let shown = man.env("MANWIDTH", "78").env("LC_ALL", "C.UTF-8").output().unwrap();
        assert_eq!(String::from_utf8(shown.stderr).unwrap(), "", "{command}");
        String::from_utf8(shown.stdout).unwrap()
    };
    #[rustfmt::skip]
    let sections = [
        "NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "SUBCOMMANDS", "FILES", "ENVIRONMENT",
        "EXIT STATUS", "EXAMPLES",
    ];
    let whole = shown("");
    let found: Vec<&str> = whole.lines().filter(|line| sections.contains(line)).collect();
    assert_eq!(found, sections);
    let mut flags = 0;
    for command in ["", "text", "corpus", "config", "index build"] {
        let shown = shown(command);
        let words = command.split_whitespace().chain(["--help"]);
        let help = dedup(&words.collect::<Vec<_>>()).output;
        let lines = help.lines().map(str::trim_start).filter(|line| line.starts_with('-'));
        for flag in lines
            .filter_map(|line| line.split([' ', ',']).find(|word| word.starts_with("--")))
            .filter(|flag| !flag.contains('='))
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
    let run = dedup(&["man", "corpse"]);
    let want = "dedup: no command corpse, expected one of corpus, check, text, calibrate, \
                index, spans, config, web, completions, man\nhint: dedup man \
                prints the page of all commands\n";
    assert_eq!((run.errors.as_str(), run.status), (want, 2));
    let run = dedup(&["man", "index", "built"]);
    let want =
        "dedup: no command built, expected one of build, add, remove, list, info, check, compact\n";
    assert!(run.errors.starts_with(want) && run.status == 2, "{}", run.errors);
    let run = dedup(&["man", "text", "x"]);
    assert!(run.errors.starts_with("dedup: no command x, expected none\n"), "{}", run.errors);
    // Each page that a list names is there, and the statuses of two texts are in the first page alone.
    let index = shown("index");
    for command in ["build", "add", "remove", "list", "info", "check", "compact"] {
        assert!(index.contains(&format!("dedup-index-{command}(1)")), "{index}");
        shown(&format!("index {command}"));
    }
    assert!(!index.contains("EXIT STATUS"), "{index}");
    for (command, none) in
        [("corpus", "1      none is; --fail-on LEVEL"), ("check", "1      one is")]
    {
        let page = shown(command);
        assert!(page.contains("EXIT STATUS") && page.contains(none), "{page}");
    }
    assert!(!shown("index check").contains("EXIT STATUS"));
    assert!([&whole, &index].iter().all(|page| !page.contains("-help(1)")));
    let statuses: Vec<&str> = ["0", "1", "2"]
        .into_iter()
        .filter(|status| {
            whole.lines().any(|line| line.trim_start().starts_with(&format!("{status}  ")))
        })
        .collect();
    assert_eq!(statuses, ["0", "1", "2"]);
}

#[test]
fn no_flag_is_without_its_help() {
    let (_, page) = page("helped", "corpus");
    let lines: Vec<&str> = page.lines().collect();
    for (place, line) in lines.iter().enumerate() {
        if *line == ".TP" {
            assert!(!lines[place + 2].is_empty(), "{}", lines[place + 1]);
        }
    }
}
