//! Tests of the texts that `dedup corpus` finds: files, folders, lists and records, and errors in
//! them.

mod records;
#[cfg(unix)]
mod unix;

use std::fs;
use std::path::{Path, PathBuf};

use crate::common::{Run, command, with_input, zipped};
use crate::transcript::Transcript;

/// Creates a folder for the test, with files.
fn folder(test: &str, files: &[(&str, &[u8])]) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("corpus_inputs").join(test);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    for (name, bytes) in files {
        let path = folder.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }
    folder
}

fn run_in(folder: &Path, line: &str) -> Run {
    let arguments = ["corpus", "--list"].into_iter().chain(line.split_whitespace());
    command().current_dir(folder).args(arguments).output().unwrap().into()
}

fn run_with_input(folder: &Path, line: &str, input: &[u8]) -> Run {
    with_input(folder, &format!("corpus --list {line}"), input)
}

/// Returns the listed names, in order, each with its group if it has one.
fn names(run: &Run) -> Vec<String> {
    let named = |line: &str| match line.split('\t').collect::<Vec<_>>()[..] {
        [name, _, _, "-"] => Some(name.to_owned()),
        [name, _, _, group] => Some(format!("{name} of {group}")),
        _ => None,
    };
    run.output.lines().filter_map(named).collect()
}

/// Returns the counts after the names.
fn counts(run: &Run) -> String {
    let counts: Vec<&str> = run.output.lines().filter(|line| !line.contains('\t')).collect();
    counts.join("; ")
}

#[test]
fn texts_come_in_an_order_that_their_names_decide() {
    let files: &[(&str, &[u8])] = &[
        ("b.txt", b"kettle"),
        ("a.txt", b"kettle"),
        ("essays/b.txt", b"kettle"),
        ("essays/a/c.txt", b"kettle"),
        ("essays/a-b.txt", b"kettle"),
        ("essays/A.txt", b"kettle"),
        ("lines", b"b.txt\r\nessays\na.txt\n"),
        ("nuls", b"b.txt\0a.txt\0"),
        (
            "docs.jsonl",
            b"{\"id\": \"z\", \"text\": \"kettle\"}\n{\"id\": 1.0, \"text\": \"lid\"}\n",
        ),
    ];
    let walked = "essays/A.txt essays/a-b.txt essays/a/c.txt essays/b.txt";
    let table: &[(&str, &str, String)] = &[
        ("one file", "a.txt", "a.txt".to_owned()),
        ("files as they stand", "b.txt a.txt", "b.txt a.txt".to_owned()),
        ("a folder by bytes", "essays", walked.to_owned()),
        ("with a slash", "essays/", walked.to_owned()),
        ("by another name", "./essays/a", "./essays/a/c.txt".to_owned()),
        ("a file before it", "b.txt essays", format!("b.txt {walked}")),
        ("twice by one name", "a.txt a.txt", "a.txt".to_owned()),
        ("by two names", "./a.txt a.txt", "./a.txt".to_owned()),
        ("a folder by two names", "essays ./essays", walked.to_owned()),
        (
            "a list, and another name",
            "essays/../b.txt --files-from lines",
            format!("essays/../b.txt {walked} a.txt"),
        ),
        ("records by two names", "--jsonl docs.jsonl --jsonl ./docs.jsonl", "z 1.0".to_owned()),
        ("a folder twice", "essays essays", walked.to_owned()),
        ("and one of its files", "essays essays/b.txt", walked.to_owned()),
        (
            "one of its files first",
            "essays/b.txt essays",
            "essays/b.txt essays/A.txt essays/a-b.txt essays/a/c.txt".to_owned(),
        ),
        ("a list", "--files-from lines", format!("b.txt {walked} a.txt")),
        ("behind what is named", "a.txt --files-from lines", format!("a.txt b.txt {walked}")),
        ("parted by NUL", "--files0-from nuls", "b.txt a.txt".to_owned()),
        ("records", "--jsonl docs.jsonl", "z 1.0".to_owned()),
        ("the same file twice", "--jsonl docs.jsonl --jsonl docs.jsonl", "z 1.0".to_owned()),
        ("after files", "--jsonl docs.jsonl b.txt", "b.txt z 1.0".to_owned()),
        (
            "old ones come last",
            "b.txt --against a.txt --against essays/a",
            "b.txt a.txt essays/a/c.txt".to_owned(),
        ),
        ("what is new is not old", "a.txt --against a.txt", "a.txt".to_owned()),
        ("by another name", "a.txt --against ./a.txt", "a.txt".to_owned()),
    ];
    let folder = folder("order", files);
    for (why, line, want) in table {
        let run = run_in(&folder, line);
        assert_eq!((run.errors.as_str(), run.status), ("", 0), "{why}");
        assert_eq!(names(&run).join(" "), *want, "{why}");
    }
}

#[test]
fn lists_and_texts_and_records_come_by_standard_input() {
    let folder = folder("input", &[("a.txt", b"kettle"), ("b.txt", b"lid")]);
    #[rustfmt::skip]
    let table: &[(&str, &[u8], &str)] = &[
        ("- a.txt",               b"kettle",            "- a.txt"),
        ("--files-from -",        b"b.txt\na.txt",      "b.txt a.txt"),
        ("--files0-from - b.txt", b"a.txt\0",           "b.txt a.txt"),
        ("--jsonl -",             b"{\"id\":1,\"text\":\"lid\"}", "1"),
    ];
    for (line, input, want) in table {
        let run = run_with_input(&folder, line, input);
        assert_eq!((run.errors.as_str(), run.status), ("", 0), "{line}");
        assert_eq!(names(&run).join(" "), *want, "{line}");
    }
}

#[test]
fn what_is_no_text_is_skipped_in_a_folder_and_an_error_by_name() {
    let png = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR";
    let large_png = [&png[..], &[0; 2000]].concat();
    let files: &[(&str, &[u8])] = &[
        ("f/a.txt", b"kettle"),
        ("f/.hidden", b"kettle"),
        ("f/.git/config", b"kettle"),
        ("f/.git/head", b"kettle"),
        ("f/picture.png", png),
        ("f/large.png", &large_png),
        ("f/nul", b"a\0b"),
        ("f/archive", b"PK\x05\x06\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"),
    ];
    let folder = folder("no_text", files);
    let no_text = |what: &str, hint: &str| {
        format!("dedup: {what}, expected a text or a document of text\nhint: {hint}\n")
    };
    let hint =
        "unpack it, or save it as a ZIP archive: dedup corpus FILE.zip compares the files in it";
    let archive = no_text("f/archive: not a text: a ZIP archive", hint);
    let run = run_in(&folder, "f --max-bytes 1000");
    assert_eq!(
        (names(&run).join(" ").as_str(), run.errors.as_str(), run.status),
        ("f/a.txt", archive.as_str(), 2)
    );
    assert_eq!(
        counts(&run),
        "1 text, 1 failed; 2 skipped: hidden; 2 skipped: pictures; 1 skipped: files that are not text"
    );
    let run = run_in(&folder, "f f/picture.png f/.hidden");
    assert_eq!(names(&run).join(" "), "f/.hidden f/a.txt");
    let picture = no_text(
        "f/picture.png: not a text: a picture (png)",
        "save it as plain text, .docx, .odt or PDF first",
    );
    assert_eq!((run.errors, run.status), (archive + &picture, 2));
}

#[test]
fn a_text_that_fails_in_a_folder_is_an_error_and_the_others_are_read() {
    let files: &[(&str, &[u8])] = &[
        ("f/a.txt", b"kettle"),
        ("f/cut.ipynb", b"{\"cells\": [}, \"nbformat\": 4}"),
        ("f/damaged.txt", b"cup caf\xc3\xa9 \xc3\xa9\xe2\x82"),
        ("f/large.txt", &[b'x'; 200]),
        ("f/z.txt", b"lid"),
    ];
    let folder = folder("fails", files);
    let run = run_in(&folder, "f --max-bytes 100");
    assert_eq!(names(&run).join(" "), "f/a.txt f/z.txt");
    assert_eq!((counts(&run).as_str(), run.status), ("2 texts, 3 failed", 2));
    let messages: Vec<&str> =
        run.errors.lines().filter(|line| !line.starts_with("hint: ")).collect();
    assert_eq!(messages.len(), 3, "{}", run.errors);
    assert!(messages[0].starts_with("dedup: f/cut.ipynb: damaged notebook: "), "{}", messages[0]);
    assert_eq!(
        messages[1],
        "dedup: f/damaged.txt: damaged UTF-8: byte 0xe2 at offset 12, expected a text in UTF-8"
    );
    assert_eq!(messages[2], "dedup: f/large.txt: larger than the limit of 100 bytes");
    let stopped = run_in(&folder, "f --max-bytes 100 --stop-on-error");
    assert_eq!((stopped.output.as_str(), stopped.status), ("", 2));
    assert_eq!(stopped.errors.lines().count(), 2, "{}", stopped.errors);
    assert!(
        stopped.errors.starts_with("dedup: f/cut.ipynb: damaged notebook: "),
        "{}",
        stopped.errors
    );
}

#[test]
fn nothing_to_compare_is_an_error() {
    let files: &[(&str, &[u8])] = &[
        ("empty/.hidden", b"kettle"),
        ("none.jsonl", b"\n \n"),
        ("list", b"\n"),
        ("a.txt", b"kettle"),
    ];
    let cases = [
        ("an empty folder", "empty"),
        ("no record", "--jsonl none.jsonl"),
        ("an empty list", "--files-from list"),
        ("nothing named", ""),
        ("only old ones", "--against a.txt"),
        ("a missing file", "no.txt"),
        ("one of two", "a.txt no.txt no.txt"),
        ("a missing list", "--files-from no.txt"),
        ("a missing list of NULs", "--files0-from no.txt"),
        ("missing records", "--jsonl no.txt"),
        ("records of a folder", "--jsonl empty"),
    ];
    let folder = folder("nothing", files);
    let mut transcript = Transcript::default();
    for (why, line) in cases {
        let run = run_in(&folder, line);
        assert_eq!(run.errors.matches("dedup: ").count(), 1, "{why}: {}", run.errors);
        assert_eq!(run.status, 2, "{why}");
        transcript.case(why);
        transcript.run(format!("corpus --list {line}").trim_end(), &run);
    }
    transcript.assert_snapshot("corpus_nothing");
}

/// If nothing is left to compare, the hint says why.
#[test]
fn what_left_nothing_to_compare_is_named() {
    let packed = zipped(&[("x.txt", b"")]);
    let files: &[(&str, &[u8])] =
        &[("f/a.txt", b"kettle"), ("f/b.txt", b"kettle"), ("x.zip", &packed)];
    let folder = folder("left_nothing", files);
    let globs = "dedup: no text found, expected at least one\nhint: in folders, hidden files \
                 and files that are not text are skipped, and --include and --exclude leave out \
                 others\n";
    let empty =
        "dedup: no text found, expected at least one\nhint: skipped: empty files: x.zip/x.txt\n";
    for (line, want) in [
        ("corpus f --include *.md", globs),
        ("corpus f --include *.md --list", globs),
        ("corpus f --exclude *.txt", globs),
        ("corpus x.zip --exclude *.txt", globs),
        ("corpus x.zip", empty),
    ] {
        let run: Run =
            command().current_dir(&folder).args(line.split(' ')).output().unwrap().into();
        assert_eq!((run.errors.as_str(), run.status), (want, 2), "{line}");
    }
    for flag in ["--include", "--exclude"] {
        let run: Run =
            command().current_dir(&folder).args(["corpus", "f", flag, ""]).output().unwrap().into();
        let want = format!(
            "dedup: invalid value '' for '{flag} <GLOB>': expected a glob\n\n\
             For more information, try '--help'.\n"
        );
        assert_eq!((run.errors, run.status), (want, 2), "{flag}");
    }
}

#[test]
fn a_hundred_thousand_empty_texts_are_read() {
    let empty = |id: u32| format!("{{\"id\":{id},\"text\":\"\"}}\n");
    let lines: String = (0..100_000).map(empty).collect();
    let folder = folder("empty_texts", &[("docs.jsonl", lines.as_bytes())]);
    let run = run_in(&folder, "--jsonl docs.jsonl");
    assert_eq!(counts(&run), "100,000 texts, 0 failed");
    assert_eq!((run.errors.as_str(), run.status), ("", 0));
}

#[test]
fn groups_are_folders_or_fields() {
    let files: &[(&str, &[u8])] = &[
        ("a.txt", b"kettle"),
        ("s/ann/a.txt", b"kettle"),
        ("s/ann/b.txt", b"kettle"),
        ("s/bob/a.txt", b"kettle"),
        (
            "docs.jsonl",
            b"{\"id\":1,\"text\":\"lid\",\"by\":\"ann\",\"dir\":\"x\"}\n\
            {\"id\":2,\"text\":\"lid\",\"by\":7}\n\
            {\"id\":3,\"text\":\"lid\"}\n",
        ),
    ];
    let folder = folder("groups", files);
    #[rustfmt::skip]
    let table = [
        ("s/ann/a.txt ./s/ann/b.txt --group dir", "s/ann/a.txt of s/ann, ./s/ann/b.txt of s/ann"),
        ("a.txt s --group dir",           "a.txt of ., s/ann/a.txt of s/ann, s/ann/b.txt of s/ann, s/bob/a.txt of s/bob"),
        ("--jsonl docs.jsonl --group by", "1 of ann, 2 of 7, 3"),
        ("--jsonl docs.jsonl --group dir", "1 of x, 2, 3"),
        ("a.txt --jsonl docs.jsonl --group by", "a.txt, 1 of ann, 2 of 7, 3"),
    ];
    for (line, want) in table {
        assert_eq!(names(&run_in(&folder, line)).join(", "), want, "{line}");
    }
}

/// Checks that a template, a list or a file of records is not a text of the folder that contains
/// it. A file that is named as a text is one.
#[test]
fn what_is_read_for_something_else_is_no_text_of_a_folder() {
    let files: &[(&str, &[u8])] = &[
        ("f/a.txt", b"kettle"),
        ("f/given.txt", b"a lid"),
        ("f/stop.txt", b"the"),
        ("f/list", b"b.txt"),
        ("f/docs.jsonl", b"{\"id\": \"z\", \"text\": \"kettle\"}"),
        ("b.txt", b"kettle"),
    ];
    let folder = folder("besides", files);
    let mut transcript = Transcript::default();
    for line in [
        "f",
        "f --template f/../f/given.txt",
        "f --stopwords f/stop.txt",
        "f --files-from ./f/list",
        "f --jsonl f/docs.jsonl",
        "f f/given.txt --template f/given.txt",
    ] {
        transcript.run(&format!("corpus --list {line}"), &run_in(&folder, line));
    }
    transcript.assert_snapshot("corpus_besides");
}

#[test]
fn what_git_ignores_is_passed_over_where_that_is_asked_for() {
    let files: &[(&str, &[u8])] = &[
        (".gitignore", b"*.log\n"),
        ("f/.gitignore", b"/drafts\n!kept.log\n"),
        ("f/a.log", b"kettle"),
        ("f/a.txt", b"kettle"),
        ("f/drafts/b.txt", b"kettle"),
        ("f/sub/drafts/c.txt", b"kettle"),
        ("f/kept.log", b"kettle"),
        ("f/.ignore", b"a.txt\n"),
    ];
    let folder = folder("gitignore", files);
    let all = "f/a.log f/a.txt f/drafts/b.txt f/kept.log f/sub/drafts/c.txt";
    assert_eq!(names(&run_in(&folder, "f")).join(" "), all);
    let heeded = names(&run_in(&folder, "f --gitignore")).join(" ");
    assert_eq!(heeded, "f/a.txt f/kept.log f/sub/drafts/c.txt");
    let named = names(&run_in(&folder, "f f/a.log --gitignore")).join(" ");
    // As a hidden file that is named, it stands where its folder has it.
    assert_eq!(named, "f/a.log f/a.txt f/kept.log f/sub/drafts/c.txt");
}
