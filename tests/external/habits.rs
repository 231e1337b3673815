//! Tests of common usage: `&&`, `case $?`, find, xargs, parallel, git, and terminals.

use std::fs;
use std::path::Path;

use crate::places::{Course, commit, git};
use crate::programs::{Run, command, folder, is_there, run};

/// Runs a line in a shell, in the folder of a course.
fn line(place: &Path, line: &str) -> Run {
    run(command("sh", place).args(["-c", line]))
}

#[test]
fn shells_read_the_status_of_every_run() {
    #[rustfmt::skip]
    let table = [
        ("and",          "dedup -q draft.txt final.txt && echo same",                        "same\n"),
        ("and not",      "dedup -q draft.txt sheet.txt && echo same",                        ""),
        ("or",           "dedup -q draft.txt sheet.txt || echo other",                       "other\n"),
        ("0 in a case",  "dedup -q draft.txt final.txt; case $? in 0) echo same;; esac",     "same\n"),
        ("1 in a case",  "dedup -q draft.txt sheet.txt; case $? in 1) echo other;; esac",    "other\n"),
        ("2 in a case",  "dedup -q draft.txt finel.txt; case $? in 2) echo trouble;; esac",  "trouble\n"),
        ("in a pipe",    "cat draft.txt | dedup -q - final.txt && echo same",                "same\n"),
        ("both printed", "dedup draft.txt final.txt >answer && head -n 1 answer | cut -c -14", "NEAR-DUPLICATE\n"),
        ("cut short",    "dedup draft.txt final.txt | head -n 1 | cut -c -4",                "NEAR\n"),
        ("&& by &&",     "dedup -q draft.txt final.txt && dedup -q final.txt draft.txt && echo same", "same\n"),
        ("a loop",       "for one in submissions/*; do dedup -q \"$one\" \"$one\" || exit; done; echo same", "same\n"),
    ];
    let place = Course::Clean.folder("habits");
    for (why, script, want) in table {
        let run = line(&place, script);
        assert_eq!(run.output, want, "{why}: {}", run.errors);
    }
}

/// Checks the status with xargs, which converts every status from 1 to 125 to 123.
#[test]
fn xargs_takes_two_at_a_time() {
    let place = Course::Clean.folder("xargs");
    #[rustfmt::skip]
    let table = [
        ("all are",        "draft.txt final.txt final.txt draft.txt", 0),
        ("one is not",     "draft.txt final.txt draft.txt sheet.txt", 123),
        ("one is an error", "draft.txt final.txt draft.txt finel.txt", 123),
    ];
    for (why, names, status) in table {
        let run = line(&place, &format!("printf '%s\\n' {names} | xargs -n 2 dedup --quiet"));
        assert_eq!(run.status, Some(status), "{why}: {}", run.errors);
    }
    let run = line(&place, "ls submissions/* | xargs dedup corpus --fail-on near-duplicate");
    assert_eq!((run.output.lines().last(), run.status), (Some("3 texts compared"), Some(0)));
}

#[test]
fn find_hands_on_whatever_name_there_is() {
    let place = folder("find");
    for name in ["a b.txt", "a\nb.txt", "-q.txt", "'$(id)'.txt", " .txt"] {
        fs::write(place.join(name), "The copper kettle stood on the old table.").unwrap();
    }
    for script in [
        "find . -name '*.txt' -print0 | dedup corpus --files0-from - --lang en",
        "find . -name '*.txt' -exec dedup corpus --lang en {} +",
        "find . -name '*.txt' -print0 | xargs -0 dedup corpus --lang en",
        "dedup corpus --lang en -- *.txt",
    ] {
        let run = line(&place, script);
        let message = "10 pairs near-duplicate or closer\n5 texts compared\n";
        assert!(run.output.ends_with(message), "{script}: {}{}", run.output, run.errors);
        assert_eq!(run.status, Some(0), "{script}");
    }
}

/// Checks the status of GNU parallel, which is the number of failed runs.
#[test]
fn parallel_runs_many() {
    if !is_there("parallel") {
        return;
    }
    let place = Course::Copied.folder("parallel");
    let run_all = "parallel --will-cite -k -N 2 'dedup --quiet {1} {2}; echo {1} {2} $?'";
    let run = line(&place, &format!("{run_all} ::: draft.txt final.txt draft.txt sheet.txt"));
    assert_eq!(run.output, "draft.txt final.txt 0\ndraft.txt sheet.txt 1\n", "{}", run.errors);
    // Every submission with every submission, as the product of two lists.
    let all = "parallel --will-cite dedup --quiet {1} {2} ::: submissions/* ::: submissions/*";
    assert_eq!(line(&place, all).status, Some(16 - 4 - 2));
}

#[test]
fn git_shows_two_versions_of_a_text() {
    let place = Course::Clean.folder("difftool");
    fs::rename(place.join("draft.txt"), place.join("essay.txt")).unwrap();
    commit(&place);
    fs::copy(place.join("final.txt"), place.join("essay.txt")).unwrap();
    let shown = git(&place, &["difftool", "-y", "-x", "dedup"]);
    assert!(shown.starts_with("NEAR-DUPLICATE: "), "{shown}");
    let config = ["-c", "difftool.dedup.cmd=dedup --quiet --fail-on partial $LOCAL $REMOTE"];
    let by_name = ["difftool", "-y", "--tool=dedup"];
    assert_eq!(git(&place, &[&config[..], &by_name].concat()), "");
    let mut strict = command("git", &place);
    strict.args(config).args(by_name).arg("--trust-exit-code");
    let stopped = run(&mut strict); // git exits with a status of its own
    assert!(stopped.status.is_some_and(|status| status > 0), "{}", stopped.errors);
}

/// Runs a line on a terminal with a number of columns and environment variables. Returns its output
/// with escape characters as `^`.
fn on_terminal(place: &Path, columns: u32, variables: &str, line: &str) -> String {
    let script = format!("stty rows 24 cols {columns}; {variables} {line}");
    let mut command = command("script", place);
    command.args(["-qec", &script, "/dev/null"]).env("TERM", "xterm");
    let run = run(&mut command);
    run.output.replace('\r', "").replace('\u{1b}', "^")
}

#[test]
fn colours_are_where_terminal_and_variables_want_them() {
    if !cfg!(target_os = "linux") || !is_there("script") {
        return;
    }
    #[rustfmt::skip]
    let table = [
        ("a terminal",             "TERM=xterm",                true,  false),
        ("nobody wants them",      "NO_COLOR=1",                false, false),
        ("an empty NO_COLOR",      "NO_COLOR=",                 true,  false), // no-color.org: the same as if it is not set
        ("a dumb terminal",        "TERM=dumb",                 false, false),
        ("dumb, but in a CI",      "CI=true TERM=dumb",         true,  false), // logs of CI systems show colours
        ("by force",               "CLICOLOR_FORCE=1",          true,  true),
        ("by force, though dumb",  "CLICOLOR_FORCE=1 TERM=dumb", true, true),
        ("off",                    "CLICOLOR=0",                false, false),
        ("off wins over force",    "NO_COLOR=1 CLICOLOR_FORCE=1", false, false),
    ];
    let place = Course::Clean.folder("colours");
    let dedup = "dedup draft.txt final.txt";
    for (why, variables, terminal, pipe) in table {
        let shown = on_terminal(&place, 80, variables, dedup);
        assert!(shown.contains("NEAR-DUPLICATE"), "{why}: {shown}");
        assert_eq!(shown.contains('^'), terminal, "{why}: {shown}");
        let piped = on_terminal(&place, 80, variables, &format!("{dedup} | cat"));
        assert_eq!(piped.contains('^'), pipe, "{why}, in a pipe: {piped}");
        let never = on_terminal(&place, 80, variables, &format!("{dedup} --color never"));
        assert!(!never.contains('^'), "{why}: {never}");
        let always = on_terminal(&place, 80, variables, &format!("{dedup} --color always | cat"));
        assert!(always.contains('^'), "{why}: {always}");
    }
}

#[test]
fn the_answer_is_as_wide_as_its_terminal_or_columns() {
    if !cfg!(target_os = "linux") || !is_there("script") {
        return;
    }
    let place = Course::Clean.folder("width");
    // The passages fill their lines. From 100 columns on, they are side by side.
    let widest = |columns, variables: &str, line: &str| {
        let shown = on_terminal(&place, columns, &format!("NO_COLOR=1 {variables}"), line);
        let (_, passages) = shown.split_once("\npassage 1 ").unwrap();
        let is_side_by_side = passages.contains(" |   final.txt, line");
        let widths = passages.lines().skip(1).take_while(|row| !row.is_empty());
        (is_side_by_side, widths.map(|row| row.chars().count()).max().unwrap())
    };
    let dedup = "dedup draft.txt final.txt";
    #[rustfmt::skip]
    let table = [
        ("narrow",            60,  "",            dedup, false, 50..=60),
        ("usual",             80,  "",            dedup, false, 70..=80),
        ("wide",              120, "",            dedup, true,  110..=120),
        ("COLUMNS wins",      60,  "COLUMNS=120", dedup, true,  110..=120),
        ("no width",          0,   "",            dedup, false, 70..=80),
        ("COLUMNS is no use", 60,  "COLUMNS=x",   dedup, false, 50..=60),
    ];
    for (why, columns, variables, line, is_side_by_side, width) in table {
        let (side_by_side, widest) = widest(columns, variables, line);
        assert_eq!(side_by_side, is_side_by_side, "{why}");
        assert!(width.contains(&widest), "{why}: {widest}");
    }
    // In a pipe, the width of the terminal is ignored, but COLUMNS is used.
    assert!(!widest(120, "", &format!("{dedup} | cat")).0);
    assert!(widest(60, "COLUMNS=120", &format!("{dedup} | cat")).0);
}
