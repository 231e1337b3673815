//! Tests of output in logs that CI runners interpret, and of names that look like commands.

use std::path::PathBuf;
#[cfg(unix)]
use std::process::{Command, Stdio};

#[cfg(unix)]
use crate::common::command;
use crate::common::{empty_folder, run};

fn folder(name: &str) -> PathBuf {
    empty_folder("logs", name)
}

/// Returns the lines that GitHub's runner and others take for commands: `::name` at the beginning
/// of a line, and `##[name]` or `##vso[name]` anywhere, ignoring invisible characters.
fn commands(log: &str) -> Vec<&str> {
    let is_command = |line: &&str| {
        let seen: String =
            line.chars().filter(|it| !matches!(it, '\u{200b}'..='\u{200f}' | '\u{ad}')).collect();
        let marks = ["##[", "##vso["];
        seen.trim_start().starts_with("::") || marks.iter().any(|mark| seen.contains(mark))
    };
    log.split(['\n', '\r']).filter(is_command).collect()
}

/// Creates a folder with texts and names full of commands.
fn hostile(name: &str) -> PathBuf {
    let folder = folder(name);
    let sentence = "\n::error::a copper kettle stood on the hob\n  ::add-mask::x and whistled ##[error]softly\n\
        ##vso[task.complete]while #\u{200d}#[warning]rain fell :: on the slates\n#\u{ad}#[add-mask]all night\n";
    for (number, name) in
        ["::error::a.txt", "##[error]b.txt", "::notice file=c::c"].iter().enumerate()
    {
        let text = format!("{}{number}", sentence.repeat(3));
        std::fs::write(folder.join(name), text).unwrap();
    }
    std::fs::write(folder.join("::error::bad"), b"cup caf\xc3\xa9 \xc3\xa9\xe2\x82").unwrap();
    std::fs::write(folder.join("##[error]bad"), b"cup caf\xc3\xa9 \xc3\xa9\xe2\x82").unwrap();
    folder
}

#[test]
fn no_answer_for_people_is_a_command() {
    let folder = hostile("people");
    let files = "::error::a.txt ##[error]b.txt";
    let lines = [
        format!("{files} --color never"),
        format!("{files} --explain --color never"),
        format!("{files} --color always"),
        format!("{files} --format markdown"),
        "corpus .".to_owned(),
        format!("corpus {files} ::error::bad ##[error]bad --nearest 1"),
        format!("corpus {files} --clusters"),
        format!("corpus {files} --keep first"),
        format!("corpus {files} ::error::bad --list"),
        format!("corpus {files} --baseline ::error::base --update-baseline"),
        "::error::none ##[error]b.txt".to_owned(),
        "##[error]none ##[error]b.txt".to_owned(),
        "--format ##[error]x a b".to_owned(),
        "corpus . --format junit".to_owned(),
        "corpus . --format json".to_owned(),
        "corpus . --format jsonl".to_owned(),
        "corpus . --format sarif".to_owned(),
        "corpus . --format gitlab".to_owned(),
        format!("{files} --format json"),
    ];
    for line in lines {
        let found = run(&folder, &line);
        let nothing: [&str; 0] = [];
        assert_eq!(commands(&found.output), nothing, "{line}");
        assert_eq!(commands(&found.errors), nothing, "{line}");
        assert!(!(found.output + &found.errors).is_empty(), "{line}");
    }
}

/// Checks that the only commands in `--format github` are its own annotations.
#[test]
fn annotations_hold_no_command_of_a_text() {
    let folder = hostile("github");
    let found = run(&folder, "corpus . --format github");
    assert_eq!(found.status, 2);
    let own = commands(&found.output);
    assert_eq!(own.len(), 3, "{}", found.output);
    for line in own {
        assert!(line.starts_with("::error file=") || line.starts_with("::warning file="), "{line}");
        let (_, message) = line[2..].split_once("::").unwrap();
        assert!(!message.contains("##["), "{line}");
    }
}

/// Checks that JSON escapes the mark of a command, so that the names stay the same.
#[test]
fn json_says_the_names_as_they_are() {
    let folder = hostile("json");
    let found = run(&folder, "corpus . --format json");
    assert!(found.output.contains("\\u0023#[error]b.txt"), "{}", found.output);
    let json: serde_json::Value = serde_json::from_str(&found.output).unwrap();
    assert_eq!(json["failed"][0]["name"], "./##[error]bad");
    let paths: Vec<&str> =
        ["a", "b"].iter().map(|side| json["pairs"][0][side]["path"].as_str().unwrap()).collect();
    assert_eq!(paths, ["./##[error]b.txt", "./::error::a.txt"]);
}

#[cfg(unix)]
#[test]
fn any_name_comes_whole_with_nul_behind_it() {
    use std::os::unix::ffi::OsStrExt;
    let folder = folder("names");
    let names: [&[u8]; 4] = [b"a\n::error::b", b"c\x1b[2J", "d\u{202e}".as_bytes(), b"e\xe9"];
    for name in names {
        let name = std::ffi::OsStr::from_bytes(name);
        std::fs::write(folder.join(name), "a copper kettle on a hob").unwrap();
    }
    let raw = |line: &str| {
        let run = command().current_dir(&folder).args(line.split(' ')).output().unwrap();
        (run.status.code(), run.stdout, String::from_utf8(run.stderr).unwrap())
    };
    let all = |end: &[u8]| -> Vec<u8> {
        names.iter().flat_map(|name| [b"./", *name, end].concat()).collect()
    };
    for flags in ["", " --clusters"] {
        let (status, found, _) = raw(&format!("corpus . --format paths0{flags}"));
        assert_eq!((status, found), (Some(0), all(b"\0")), "{flags}");
        let (status, found, errors) = raw(&format!("corpus . --format paths{flags}"));
        assert_eq!((status, found), (Some(2), Vec::new()), "{flags}");
        let want = "dedup: ./a\\u{a}::error::b: a name with a line feed, expected none in --format paths\n\
                    hint: --format paths0 ends each name with NUL, as find -print0 does\n";
        assert_eq!(errors, want, "{flags}");
    }
    let kept = raw("corpus . --keep first --format paths0");
    assert_eq!(kept.1, [b"./", names[0], b"\0"].concat());
    std::fs::remove_file(folder.join("a\n::error::b")).unwrap();
    let rest: Vec<u8> = names[1..].iter().flat_map(|name| [b"./", *name, b"\n"].concat()).collect();
    assert_eq!(raw("corpus . --format paths").1, rest);
    let file = raw("corpus . --format paths0=all --quiet");
    assert_eq!(file.0, Some(0));
    let pair = raw("c\u{1b}[2J d\u{202e} --format paths0");
    assert_eq!((pair.0, pair.1), (Some(0), "c\u{1b}[2J\0d\u{202e}\0".as_bytes().to_vec()));
}

/// Checks that a name has no effect on a terminal, in any format.
#[cfg(unix)]
#[test]
fn on_a_terminal_names_are_escaped() {
    if !crate::common::is_installed("script", "--version") {
        return;
    }
    let folder = folder("terminal");
    for name in ["c\u{1b}[2J", "d\u{202e}e"] {
        std::fs::write(folder.join(name), "a copper kettle on a hob").unwrap();
    }
    for format in [
        "text", "paths", "paths0", "csv", "json", "jsonl", "sarif", "gitlab", "junit", "github",
        "markdown",
    ] {
        let line = format!(
            "stty -opost; '{}' corpus . --format {format} 2>/dev/null",
            env!("CARGO_BIN_EXE_dedup")
        );
        let mut script = Command::new("script");
        script.args(["-qec", &line, "/dev/null"]).current_dir(&folder).stdin(Stdio::null());
        script.env("TERM", "xterm").env("SHELL", "/bin/bash").env("NO_COLOR", "1");
        let seen = String::from_utf8(script.output().unwrap().stdout).unwrap();
        assert!(!seen.contains(['\u{1b}', '\u{202e}', '\0']), "{format}: {seen:?}");
        assert!(seen.contains("202e") || seen.contains("%E2%80%AE"), "{format}: {seen:?}");
    }
}
