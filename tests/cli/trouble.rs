//! An error: each kind is reported on standard error with the file or flag, what was found,
//! what was wanted and what to do; nothing goes to standard output, and the status is 2.

use std::ffi::OsString;
use std::fs::{self, File};
use std::path::PathBuf;
use std::process::Stdio;

use crate::common::{Run, command, dedup, with_input};

/// A folder of bad texts, made anew for one test.
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
        ("stop.txt", b"the and of it"),
        ("comments.txt", b"# the and of it\n"),
    ];
    for (name, bytes) in files {
        fs::write(folder.join(name), bytes).unwrap();
    }
    folder
}

fn run(folder: &PathBuf, line: &str) -> Run {
    command().current_dir(folder).args(line.split_whitespace()).output().unwrap().into()
}

#[test]
fn trouble_is_told_and_exits_2() {
    const IS_IT: &str = "check that this is the file you meant";
    const LIST: &str = "dedup --help lists the flags";
    #[rustfmt::skip]
    let table: &[(&str, &str, &str, &str)] = &[
        ("missing",             "no.txt good.txt",           "no.txt: no such file, expected a text file", "names are looked up from the working folder; - reads standard input"),
        ("missing on the right", "good.txt no.txt",          "no.txt: no such file, expected a text file", "names are looked up from the working folder; - reads standard input"),
        ("missing, quietly",    "no.txt good.txt --quiet",   "no.txt: no such file, expected a text file", "names are looked up from the working folder; - reads standard input"),
        ("missing under fail-on", "no.txt good.txt --fail-on partial", "no.txt: no such file, expected a text file", "names are looked up from the working folder; - reads standard input"),
        ("missing as json",     "no.txt good.txt --format json", "no.txt: no such file, expected a text file", "names are looked up from the working folder; - reads standard input"),
        ("too large",           "good.txt other.txt --max-bytes 5", "good.txt: larger than the limit of 5 bytes", "--max-bytes off lifts the limit"),
        ("bytes is no number",  "good.txt other.txt --max-bytes 5MB", "invalid value '5MB' for '--max-bytes <BYTES>': expected a whole number of bytes, or off", LIST),
        ("a folder",            "folder good.txt",           "folder: is a folder, expected a text file", "dedup corpus good.txt --against folder compares it with all texts there"),
        ("a folder on the right", "good.txt folder",         "folder: is a folder, expected a text file", "dedup corpus good.txt --against folder compares it with all texts there"),
        ("a folder alone",      "folder",                    "folder: is a folder, expected two texts", "dedup corpus folder compares all texts in it"),
        ("one text of many",    "corpus good.txt",           "one text alone in what is named, expected two at least", "dedup corpus essays compares all texts in a folder"),
        ("damaged",             "damaged.txt good.txt",      "damaged.txt: damaged UTF-8: byte 0xe2 at offset 3, expected a text in UTF-8", "--lossy reads it all the same, with a warning; --encoding NAME reads it in another"),
        ("an unknown encoding", "good.txt other.txt --encoding latin-one", "invalid value 'latin-one' for '--encoding <NAME>': not a known encoding; the nearest is latin1", LIST),
        ("an encoding twice",   "good.txt other.txt --encoding utf-8 --encoding latin1", "--encoding is given twice for both texts, expected it once", "--encoding left=latin1 --encoding right=utf-8 names one for each"),
        ("not that encoding",   "damaged.txt good.txt --encoding left=euc-jp", "damaged.txt: damaged EUC-JP: byte 0xe2 at offset 3, expected a text in EUC-JP", "--lossy reads it all the same, with a warning; --encoding NAME reads it in another"),
        ("a NUL",               "good.txt nul.txt",          "nul.txt: not a text: NUL byte at offset 1", "save it as plain text first"),
        ("empty",               "empty.txt good.txt",        "empty.txt: empty, expected a text with words", IS_IT),
        ("empty against itself", "empty.txt empty.txt",      "empty.txt: empty, expected a text with words", IS_IT),
        ("a mark alone",        "marked.txt good.txt",       "marked.txt: empty, expected a text with words", IS_IT),
        ("white space",         "good.txt blank.txt",        "blank.txt: white space only, expected a text with words", IS_IT),
        ("white space itself",  "blank.txt blank.txt",       "blank.txt: white space only, expected a text with words", IS_IT),
        ("punctuation",         "marks.txt marks.txt",       "marks.txt: no word in it, expected a text with words", IS_IT),
        ("too short",           "two.txt good.txt --min 3",  "two.txt: too short: 2 of 2 words left after stop words, expected at least 3", "--min 2 compares as few words as that; --stopwords off keeps them all"),
        ("too short on the right", "good.txt two.txt --min 3", "two.txt: too short: 2 of 2 words left after stop words, expected at least 3", "--min 2 compares as few words as that; --stopwords off keeps them all"),
        ("only stop words",     "stop.txt good.txt --lang en", "stop.txt: only stop words (4 in all), expected at least 1 other", "--stopwords off compares stop words too"),
        ("min 0",               "good.txt other.txt --min 0", "invalid value '0' for '--min <N>': expected a whole number from 1 to 64", LIST),
        ("max 65",              "good.txt other.txt --max 65", "invalid value '65' for '--max <N>': expected a whole number from 1 to 64", LIST),
        ("max is no number",    "good.txt other.txt --max three", "invalid value 'three' for '--max <N>': expected a whole number from 1 to 64", LIST),
        ("min above max",       "good.txt other.txt --min 4 --max 2", "--min 4 is above --max 2, expected min <= max", "--max 4"),
        ("min alone",           "good.txt other.txt --min 5", "--min 5 is above --max, which is 3 by default", "--max 5"),
        ("bits above 64",       "good.txt other.txt --hamming 65", "invalid value '65' for '--hamming <BITS>': expected a whole number of bits from 0 to 64, or off", LIST),
        ("negative bits",       "good.txt other.txt --hamming=-1", "invalid value '-1' for '--hamming <BITS>': expected a whole number of bits from 0 to 64, or off", LIST),
        ("NaN",                 "good.txt other.txt --jaccard NaN", "invalid value 'NaN' for '--jaccard <R>': not a decimal, expected 0 to 1, such as 0.5, or off", LIST),
        ("above 1",             "good.txt other.txt --jaccard 1.5", "invalid value '1.5' for '--jaccard <R>': above 1, expected 0 to 1, such as 0.5, or off", LIST),
        ("containment above 1", "good.txt other.txt --containment 1.5", "invalid value '1.5' for '--containment <R>': above 1, expected 0 to 1, such as 0.5, or off", LIST),
        ("an unknown level",    "good.txt other.txt --at-least same", "invalid value 'same' for '--at-least <LEVEL>': expected different, excerpt, partial, near-duplicate or identical", LIST),
        ("two levels",          "good.txt other.txt --at-least partial --fail-on partial", "the argument '--at-least <LEVEL>' cannot be used with '--fail-on <LEVEL>'", LIST),
        ("an unknown side",     "good.txt other.txt --lang middle=ca", "invalid value 'middle=ca' for '--lang <CODE>': expected left=CODE or right=CODE", LIST),
        ("a side twice",        "good.txt other.txt --lang left=ca --lang left=es", "--lang is given twice for the left text, expected it once", "--lang left=ca --lang right=es names one for each"),
        ("both twice",          "good.txt other.txt --lang ca --lang es", "--lang is given twice for both texts, expected it once", "--lang left=ca --lang right=es names one for each"),
        ("both are -",          "- -",                       "both LEFT and RIGHT are -, expected standard input for one of them at most", "name a file for the other, or use <(…) for both"),
        ("quiet json",          "good.txt other.txt --quiet --format json", "--quiet and --format json together, expected one of them", "--quiet prints nothing; leave it out to get the json"),
        ("quiet explain",       "good.txt other.txt --quiet --explain", "the argument '--quiet' cannot be used with '--explain'", LIST),
        ("no list",             "good.txt other.txt --stopwords no.txt", "--stopwords: no.txt: no such file, expected a text file", "names are looked up from the working folder; - reads standard input"),
        ("an empty list",       "good.txt other.txt --stopwords comments.txt", "--stopwords comments.txt: no word in it, expected a list of stop words", "--stopwords off drops none"),
        ("one file",            "good.txt",                  "the following required arguments were not provided: <RIGHT>", LIST),
        ("three files",         "good.txt other.txt two.txt", "unexpected argument 'two.txt' found", LIST),
        ("an unknown flag",     "good.txt other.txt --jacard 0.5", "unexpected argument '--jacard' found", "a similar argument exists: '--jaccard'; dedup --help lists the flags"),
    ];
    let folder = folder("told");
    for (why, line, message, hint) in table {
        let run = run(&folder, line);
        assert_eq!(run.errors, format!("dedup: {message}\nhint: {hint}\n"), "{why}");
        assert_eq!((run.output.as_str(), run.status), ("", 2), "{why}");
    }
}

#[test]
fn an_unknown_language_is_told_with_those_that_are_known() {
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
fn a_file_that_may_not_be_read_is_trouble() {
    use std::os::unix::fs::PermissionsExt;
    let folder = folder("unreadable");
    let path = folder.join("locked.txt");
    fs::write(&path, "words").unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o000)).unwrap();
    let locked =
        fs::metadata(&path).is_ok() && fs::OpenOptions::new().read(true).open(&path).is_err();
    // The superuser may read it all the same: then a file that fails while it is read.
    let name = if locked { "locked.txt" } else { "/proc/self/mem" };
    let run = run(&folder, &format!("{name} good.txt"));
    assert!(
        run.errors.starts_with(&format!("dedup: {name}: cannot be read, expected a text file: ")),
        "{}",
        run.errors
    );
    assert!(
        run.errors.ends_with("\nhint: check that it is there and may be read\n"),
        "{}",
        run.errors
    );
    assert_eq!((run.output.as_str(), run.status), ("", 2));
}

#[cfg(target_os = "linux")]
#[test]
fn an_answer_that_cannot_be_written_is_trouble() {
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
