//! Tests of errors. Each is reported on standard error with the file or flag, what was found, what
//! was expected, and what to do. Standard output is empty, and the status is 2.

#[cfg(unix)]
use std::ffi::OsString;
use std::fs;
#[cfg(unix)]
use std::fs::File;
use std::path::PathBuf;
use std::process::Stdio;

use crate::common::{Run, command, dedup, run, with_input};
use crate::transcript::errors;

/// Creates a folder of invalid texts for the test.
fn folder(test: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(test);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(folder.join("folder")).unwrap();
    let files: &[(&str, &[u8])] = &[
        ("good.txt", b"The copper kettle stands on the wooden table in the kitchen."),
        ("other.txt", b"The copper kettle stands on the wooden table in the garden."),
        ("damaged.txt", b"cup\xe2\x82"),
        ("nul.txt", b"a\0b"),
        ("empty.txt", b""),
        ("marked.txt", b"\xef\xbb\xbf"),
        ("blank.txt", b" \n\t \n"),
        ("marks.txt", b"... !?"),
        ("two.txt", b"copper kettle"),
        ("three.txt", b"the copper kettle"),
        ("one.txt", b"kettle"),
        ("stop.txt", b"the and of it"),
        ("comments.txt", b"# the and of it\n"),
    ];
    for (name, bytes) in files {
        fs::write(folder.join(name), bytes).unwrap();
    }
    folder
}

#[test]
fn trouble_is_reported_and_exits_2() {
    let cases = [
        ("missing", "no.txt good.txt"),
        ("missing on the right", "good.txt no.txt"),
        ("missing, quietly", "no.txt good.txt --quiet"),
        ("missing under fail-on", "no.txt good.txt --fail-on partial"),
        ("missing as json", "no.txt good.txt --format json"),
        ("too large", "good.txt other.txt --max-bytes 5"),
        ("bytes is no number", "good.txt other.txt --max-bytes 5MB"),
        ("a folder", "folder good.txt"),
        ("a folder on the right", "good.txt folder"),
        ("a folder alone", "folder"),
        ("a folder after a flag", "--report r.html folder"),
        ("one text of many", "corpus good.txt"),
        ("damaged", "damaged.txt good.txt"),
        ("an unknown encoding", "good.txt other.txt --encoding latin-one"),
        ("an encoding twice", "good.txt other.txt --encoding utf-8 --encoding latin1"),
        ("not that encoding", "damaged.txt good.txt --encoding left=euc-jp"),
        ("a NUL", "good.txt nul.txt"),
        ("empty", "empty.txt good.txt"),
        ("empty against itself", "empty.txt empty.txt"),
        ("a mark alone", "marked.txt good.txt"),
        ("white space", "good.txt blank.txt"),
        ("white space itself", "blank.txt blank.txt"),
        ("punctuation", "marks.txt marks.txt"),
        ("too short", "two.txt good.txt --min 3"),
        ("too short on the right", "good.txt two.txt --min 3"),
        ("too short by a stop word", "three.txt good.txt --min 3 --lang en"),
        ("too short, one word", "one.txt good.txt --min 2"),
        ("only stop words", "stop.txt good.txt --lang en"),
        ("min 0", "good.txt other.txt --min 0"),
        ("max 65", "good.txt other.txt --max 65"),
        ("max is no number", "good.txt other.txt --max three"),
        ("min above max", "good.txt other.txt --min 4 --max 2"),
        ("min alone", "good.txt other.txt --min 5"),
        ("bits above 64", "good.txt other.txt --hamming 65"),
        ("negative bits", "good.txt other.txt --hamming=-1"),
        ("behind a space", "good.txt other.txt --hamming -1"),
        ("a negative ratio", "good.txt other.txt --jaccard -0.5"),
        ("of a command", "corpus good.txt other.txt --threads -1"),
        ("of a command's command", "index build x good.txt --threads -1"),
        ("no number", "good.txt other.txt --lang -1"),
        ("NaN", "good.txt other.txt --jaccard NaN"),
        ("above 1", "good.txt other.txt --jaccard 1.5"),
        ("containment above 1", "good.txt other.txt --containment 1.5"),
        ("an unknown level", "good.txt other.txt --at-least same"),
        ("an unknown command", "help corpsu"),
        ("an unknown command of the index", "index bulid"),
        ("two levels", "good.txt other.txt --at-least partial --fail-on partial"),
        ("an unknown side", "good.txt other.txt --lang middle=ca"),
        ("a side twice", "good.txt other.txt --lang left=ca --lang left=es"),
        ("both twice", "good.txt other.txt --lang ca --lang es"),
        ("both are -", "- -"),
        ("quiet json", "good.txt other.txt --quiet --format json"),
        ("quiet explain", "good.txt other.txt --quiet --explain"),
        ("no list", "good.txt other.txt --stopwords no.txt"),
        ("an empty list", "good.txt other.txt --stopwords comments.txt"),
        ("one file", "good.txt"),
        ("three files", "good.txt other.txt two.txt"),
        ("more files", "--max 4 good.txt other.txt two.txt stop.txt"),
        ("an unknown flag", "good.txt other.txt --jacard 0.5"),
        ("a command after a flag", "-q check folder"),
        ("a command after a flag, with files", "--no-config corpus good.txt other.txt"),
        ("a command alone after a flag", "--min 2 check"),
        ("a command after a folder", "folder check"),
        ("a flag of two texts", "text --format json good.txt"),
        ("a flag of a corpus", "index build --format json"),
        ("JSON of an index", "index list --format json good.txt"),
    ];
    let folder = folder("told");
    errors("errors", &cases, |line| run(&folder, line));
}

#[test]
fn an_unknown_language_is_reported_with_those_that_are_known() {
    let run = run(&folder("language"), "good.txt other.txt --lang xx");
    let (start, codes) = run.errors.split_once("one of ").unwrap();
    assert_eq!(
        start,
        "dedup: invalid value 'xx' for '--lang <CODE>': not a known language, expected none or "
    );
    assert_eq!(codes.lines().next().unwrap().split(' ').count(), 70);
    assert_eq!((run.output.as_str(), run.status), ("", 2));
}

#[test]
fn just_enough_words_are_judged() {
    let folder = folder("enough");
    assert_eq!(run(&folder, "two.txt good.txt --min 2 --lang none").status, 1);
}

#[test]
fn identical_wins_over_too_short() {
    let folder = folder("identical");
    for line in [
        "two.txt two.txt --min 3",
        "stop.txt stop.txt --lang en",
        "stop.txt stop.txt --lang en --format json",
        "good.txt good.txt --min 64 --max 64",
    ] {
        let run = run(&folder, line);
        assert_eq!((run.errors.as_str(), run.status), ("", 0), "{line}");
    }
    let json = run(&folder, "stop.txt stop.txt --lang en --format json").output;
    let record: serde_json::Value = serde_json::from_str(&json).unwrap();
    let measures = &record["measures"];
    for figure in ["hamming", "jaccard", "containment_a", "containment_b"] {
        assert_eq!(measures[figure], serde_json::Value::Null, "{figure}");
    }
    assert_eq!(
        (&record["a"]["simhash"], &record["b"]["simhash"]),
        (&serde_json::Value::Null, &serde_json::Value::Null)
    );
    assert_eq!(record["verdict"], "identical");
}

#[cfg(unix)]
#[test]
fn a_file_that_may_not_be_read_is_an_error() {
    use std::os::unix::fs::PermissionsExt;
    let folder = folder("unreadable");
    let path = folder.join("locked.txt");
    fs::write(&path, "words").unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o000)).unwrap();
    let locked =
        fs::metadata(&path).is_ok() && fs::OpenOptions::new().read(true).open(&path).is_err();
    // The superuser can read it anyway. Use a file that fails while it is read instead.
    let name = if locked { "locked.txt" } else { "/proc/self/mem" };
    let run = run(&folder, &format!("{name} good.txt"));
    assert!(
        run.errors.starts_with(&format!("dedup: {name}: cannot be read, expected a text file: ")),
        "{}",
        run.errors
    );
    assert!(
        run.errors.ends_with("\nhint: check that the file exists and is readable\n"),
        "{}",
        run.errors
    );
    assert_eq!((run.output.as_str(), run.status), ("", 2));
}

#[cfg(target_os = "linux")]
#[test]
fn an_answer_that_cannot_be_written_is_an_error() {
    let folder = folder("unwritable");
    for line in [
        "good.txt other.txt",
        "good.txt other.txt --format json",
        "good.txt other.txt --explain",
        "--help",
        "--version",
    ] {
        let arguments: Vec<&str> = line.split(' ').collect();
        let full = File::options().write(true).open("/dev/full").unwrap();
        let only_readable = File::options().read(true).open("/dev/null").unwrap();
        for (what, output) in [("full", full), ("not to be written", only_readable)] {
            let child = command()
                .current_dir(&folder)
                .args(&arguments)
                .stdout(output)
                .stderr(Stdio::piped())
                .spawn()
                .unwrap();
            let run = Run::from(child.wait_with_output().unwrap());
            assert_eq!(run.status, 2, "{line}, {what}");
            assert!(
                run.errors.starts_with("dedup: standard output: cannot be written: "),
                "{line}, {what}: {}",
                run.errors
            );
        }
    }
}

#[cfg(target_os = "linux")]
#[test]
fn quiet_needs_no_output() {
    let full = File::options().write(true).open("/dev/full").unwrap();
    let status = command()
        .current_dir(folder("quiet"))
        .args(["good.txt", "other.txt", "--quiet"])
        .stdout(full)
        .status();
    assert_eq!(status.unwrap().code(), Some(0));
}

#[test]
fn a_closed_pipe_is_quiet_and_keeps_the_status() {
    let folder = folder("pipe");
    for (line, status) in [("good.txt other.txt --explain", 0), ("good.txt two.txt --explain", 1)] {
        let mut child = command()
            .current_dir(&folder)
            .args(line.split(' '))
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        let run = Run::from(child.wait_with_output().unwrap());
        assert_eq!((run.errors.as_str(), run.status), ("", status), "{line}");
    }
}

#[test]
fn standard_input_is_a_text_on_either_side() {
    let folder = folder("stdin");
    for arguments in [["-", "good.txt"], ["good.txt", "-"]] {
        let text = "THE COPPER KETTLE stands on the wooden table in the kitchen";
        let run = with_input(&folder, &arguments.join(" "), text);
        assert_eq!((run.errors.as_str(), run.status), ("", 0));
        assert!(run.output.starts_with("IDENTICAL: "), "{}", run.output);
    }
}

#[cfg(unix)]
#[test]
fn a_pipe_is_held_to_the_limit_as_a_file_is() {
    for (limit, status) in [("17", 2), ("18", 0), ("off", 0)] {
        let script = format!(
            "'{}' <(echo copper kettle lid) <(echo copper kettle lid) --quiet --max-bytes {limit}",
            env!("CARGO_BIN_EXE_dedup")
        );
        let run = std::process::Command::new("bash").args(["-c", &script]).output().unwrap();
        assert_eq!(run.status.code(), Some(status), "{limit}");
    }
}

#[cfg(unix)]
#[test]
fn pipes_are_read_as_files_are() {
    let script = format!(
        "'{}' <(echo copper kettle lid) <(echo Copper kettle, lid.) --quiet",
        env!("CARGO_BIN_EXE_dedup")
    );
    let status = std::process::Command::new("bash").args(["-c", &script]).status().unwrap();
    assert_eq!(status.code(), Some(0));
}

#[cfg(target_os = "linux")]
#[test]
fn a_name_that_is_not_utf_8_is_shown_by_its_bytes() {
    use std::os::unix::ffi::OsStringExt;
    let folder = folder("names");
    let name = OsString::from_vec(b"caf\xe9.txt".to_vec());
    fs::copy(folder.join("good.txt"), folder.join(&name)).unwrap();
    let output =
        command().current_dir(&folder).arg(&name).args(["good.txt", "--format", "json"]).output();
    let run = Run::from(output.unwrap());
    let record: serde_json::Value = serde_json::from_str(&run.output).unwrap();
    assert_eq!(record["a"]["path"], "caf\\xe9.txt");
    let warning = record["warnings"].as_array().unwrap().last().unwrap();
    assert_eq!((&warning["code"], &warning["file"]), (&"path-not-utf-8".into(), &"a".into()));
    let missing = OsString::from_vec(b"no\xe9.txt".to_vec());
    let run =
        Run::from(command().current_dir(&folder).arg(&missing).arg("good.txt").output().unwrap());
    assert!(run.errors.starts_with("dedup: no\\xe9.txt: no such file"), "{}", run.errors);
}

#[test]
fn a_name_cannot_fool_the_terminal() {
    let run = dedup(&["no\u{1b}[2J\nsuch.txt", "other.txt"]);
    let (message, _) = run.errors.split_once("\nhint: ").unwrap();
    assert_eq!(message, "dedup: no\\u{1b}[2J\\u{a}such.txt: no such file, expected a text file");
}

#[test]
fn no_arguments_are_bad_usage() {
    let run = dedup::<&str>(&[]);
    assert_eq!((run.output.as_str(), run.status), ("", 2));
    assert_eq!(run.errors, dedup(&["-h"]).output, "the short help");
}
