//! Tests of the progress of a long run, which is shown on a terminal only.

use std::io::Write;
use std::process::{Command, Stdio};

use crate::common::{Run, command};

/// Prints two records. The second one arrives long after the first one has been read.
const SLOWLY: &str = r#"{ echo '{"id": 1, "text": "a copper kettle"}'; sleep 1.5; echo '{"id": 2, "text": "a copper kettle"}'; }"#;

/// Reports whether `script` is installed, which runs a command on a terminal. Under `DEDUP_CI`, it
/// must be.
fn has_terminals() -> bool {
    let version = Command::new("script").arg("--version").stdin(Stdio::null()).output();
    let is_there = version.is_ok_and(|run| run.status.success());
    assert!(is_there || std::env::var_os("DEDUP_CI").is_none(), "script of util-linux is wanted");
    if !is_there {
        let _ = writeln!(std::io::stderr(), "skipped: no script of util-linux");
    }
    is_there
}

/// Runs a line of bash on a terminal of 100 columns, and returns its output. `dedup` is the binary.
fn on_terminal(line: &str, variables: &[(&str, &str)]) -> String {
    let line = line.replace("dedup ", &format!("'{}' ", env!("CARGO_BIN_EXE_dedup")));
    let mut script = Command::new("script");
    script.args(["-qec", &format!("stty rows 24 cols 100; {line}"), "/dev/null"]);
    script.env("TERM", "xterm").env("SHELL", "/bin/bash").env_remove("NO_COLOR");
    script.envs(variables.iter().copied()).stdin(Stdio::null());
    let seen = String::from_utf8(script.output().unwrap().stdout).unwrap();
    seen.replace("\r\n", "\n")
}

/// Returns what is left on the screen. Emulates a minimal terminal with carriage return, erasing a
/// line, and moving up and down.
fn screen(seen: &str) -> String {
    let (mut rows, mut row, mut column) = (vec![Vec::new()], 0, 0);
    let mut letters = seen.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '\r' => column = 0,
            '\n' => (row, column) = (row + 1, 0),
            '\u{1b}' => {
                assert_eq!(letters.next(), Some('['));
                let mut count = String::new();
                let end = loop {
                    match letters.next().unwrap() {
                        digit if digit.is_ascii_digit() => count.push(digit),
                        end => break end,
                    }
                };
                let count: usize = count.parse().unwrap_or(1);
                match end {
                    'A' => row -= count,
                    'B' => row += count,
                    'K' => rows[row].clear(),
                    _ => panic!("{end} in {seen:?}"),
                }
            }
            letter => {
                let line: &mut Vec<char> = &mut rows[row];
                line.resize(line.len().max(column + 1), ' ');
                line[column] = letter;
                column += 1;
            }
        }
        rows.resize(rows.len().max(row + 1), Vec::new());
    }
    let lines: Vec<String> =
        rows.iter().map(|row| row.iter().collect::<String>().trim_end().to_owned()).collect();
    lines.join("\n").trim_end().to_owned()
}

#[test]
fn a_long_run_is_shown_on_a_terminal_and_leaves_nothing_there() {
    if !has_terminals() {
        return;
    }
    let line = format!("{SLOWLY} | dedup corpus --jsonl - --lang en --color never");
    let seen = on_terminal(&line, &[]);
    assert!(seen.contains("reading  | "), "{seen:?}");
    assert!(!seen.contains("\u{1b}[3"), "no colours: {seen:?}");
    let answer = "shared       verdict         left | right\n\
                  100 | 100 %  identical       1 | 2\n\
                  1 pair near-duplicate or closer; --at-least excerpt finds smaller shares\n\
                  2 texts compared";
    assert_eq!(screen(&seen), answer);
    // The answer does not contain any of it, either.
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("progress.txt");
    let file = path.display();
    let into_file = format!("{line} > '{file}'; cat '{file}'");
    let seen = on_terminal(&into_file, &[("NO_COLOR", "1")]);
    assert!(seen.contains("reading  | "), "{seen:?}");
    assert_eq!(screen(&seen), answer);
    assert!(seen.ends_with(&format!("{answer}\n")), "{seen:?}");
}

/// Checks files, whose sizes are known. PDFs that end only with their time make the run long.
#[test]
fn where_sizes_are_known_a_bar_tells_the_time_left_and_messages_stand_beside_it() {
    if !has_terminals() {
        return;
    }
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("progress_bar");
    std::fs::create_dir_all(&folder).unwrap();
    for name in ["1.pdf", "2.pdf", "3.pdf"] {
        std::fs::copy("tests/documents/endless.pdf", folder.join(name)).unwrap();
    }
    let line = format!(
        "cd '{}'; dedup corpus 1.pdf 2.pdf 3.pdf --threads 1 --max-pdf-time 1",
        folder.display()
    );
    let seen = on_terminal(&line, &[]);
    assert!(seen.contains("reading  ["), "{seen:?}");
    assert!(seen.contains(" of 15.20 kB, "), "{seen:?}");
    assert!(seen.contains(" left"), "{seen:?}");
    let left = screen(&seen);
    assert!(!left.contains("reading"), "{left}");
    for name in ["1.pdf", "2.pdf", "3.pdf"] {
        assert!(left.contains(&format!("dedup: {name}: its reader did not finish")), "{left}");
    }
}

/// Checks `dedup spans`, with records that arrive slowly.
#[test]
#[ignore = "slow: cargo test -- --ignored"]
fn other_long_runs_are_shown_as_well() {
    if !has_terminals() {
        return;
    }
    let spans = "spans --jsonl - --min-words 3 --format jsonl | wc -l";
    let line = format!("{SLOWLY} | '{}' {spans}", env!("CARGO_BIN_EXE_dedup"));
    let seen = on_terminal(&line, &[]);
    assert!(seen.contains("reading  "), "{line}: {seen:?}");
    assert_eq!(screen(&seen), "1", "{line}");
}

#[test]
fn nothing_is_shown_where_nobody_sees_it_or_wants_it() {
    let errors = |command: &mut Command| Run::from(command.output().unwrap()).errors;
    let mut bash = Command::new("bash");
    let binary = env!("CARGO_BIN_EXE_dedup");
    bash.args(["-c", &format!("{SLOWLY} | '{binary}' corpus --jsonl - --lang en")]);
    assert_eq!(errors(&mut bash), "", "no terminal");
    assert_eq!(errors(command().args(["corpus", "samples", "--lang", "en", "--quiet"])), "");
    if !has_terminals() {
        return;
    }
    let slow = format!("{SLOWLY} | dedup corpus --jsonl - --lang en --quiet");
    #[rustfmt::skip]
    let table: &[(&str, &str, &[(&str, &str)])] = &[
        ("quietly",         &slow, &[]),
        ("a dumb terminal", &slow.replace("--quiet", "> /dev/null"), &[("TERM", "dumb")]),
        ("a short run",     "dedup corpus --jsonl samples/notices.jsonl > /dev/null", &[]),
    ];
    for (why, line, variables) in table {
        assert_eq!(on_terminal(line, variables), "", "{why}");
    }
}
