//! Tests of several formats in one run: one is printed, the others are written to files.

use std::path::{Path, PathBuf};

use crate::common::{Run, command, read_file};
use crate::transcript::errors;

const PAIR: &str = "samples/edited_1.txt samples/edited_2.txt";
const CORPUS: &str = "corpus --jsonl samples/notices.jsonl --at-least partial";

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("formats").join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// Runs a line, in which `@/name` is a file in the folder. Returns status, output and errors.
fn printed(line: &str, folder: &Path) -> (i32, String, String) {
    let line = line.replace('@', folder.to_str().unwrap());
    let run: Run = command().args(line.split_whitespace()).output().unwrap().into();
    (run.status, run.output, run.errors)
}

/// Checks that a format writes to a file what it prints, while another one is printed.
#[test]
fn a_file_has_what_would_be_printed() {
    let folder = folder("files");
    let clusters = format!("{CORPUS} --clusters");
    let keep = format!("{CORPUS} --keep longest");
    let nearest = format!("{CORPUS} --nearest 2");
    for line in [PAIR, CORPUS, &clusters, &keep, &nearest] {
        let text = printed(line, &folder);
        for format in ["text", "json", "jsonl", "paths", "paths0"] {
            let alone = printed(&format!("{line} --format {format}"), &folder);
            assert_eq!(alone.0, text.0, "{line} {format}");
            assert!(!alone.1.is_empty(), "{line} {format}");
            let beside = printed(&format!("{line} --format {format}=@/a=b"), &folder);
            assert_eq!(beside, text, "{line} {format}");
            assert_eq!(read_file(folder.join("a=b")), alone.1, "{line} {format}");
            let all = format!("{line} --format {format} --format json=@/j --format jsonl=@/l");
            let one_of_three = printed(&all, &folder);
            assert_eq!(one_of_three, alone, "{line} {format}");
            let quiet = printed(&format!("{line} --quiet --format {format}=@/q"), &folder);
            assert_eq!((quiet.0, quiet.1.as_str()), (text.0, ""), "{line} {format}");
            assert_eq!(read_file(folder.join("q")), alone.1, "{line} {format}");
        }
    }
}

#[test]
fn a_file_has_no_colours() {
    let folder = folder("colours");
    let line = format!("{PAIR} --color always --format text=@/t");
    assert!(printed(&line, &folder).1.contains('\u{1b}'));
    assert_eq!(read_file(folder.join("t")), printed(PAIR, &folder).1);
}

/// Checks that names of standard output are the same as no name.
#[test]
fn standard_output_has_names() {
    let folder = folder("output");
    for name in ["-", "/dev/stdout"] {
        let named = printed(&format!("{PAIR} --format json={name}"), &folder);
        assert_eq!(named, printed(&format!("{PAIR} --format json"), &folder), "{name}");
    }
}

#[test]
fn the_paths_of_a_pair_are_those_of_texts_that_reach_the_level() {
    let folder = folder("paths");
    let line = format!("{PAIR} --format paths");
    assert_eq!(printed(&line, &folder).1, PAIR.replace(' ', "\n") + "\n");
    let further = format!("{line} --at-least identical");
    assert_eq!(printed(&further, &folder), (1, String::new(), String::new()));
}

#[test]
fn bad_usage_is_reported_and_nothing_is_written() {
    let folder = folder("trouble");
    std::fs::write(folder.join("left.txt"), "a copper kettle").unwrap();
    std::fs::write(folder.join("right.txt"), "a copper kettle").unwrap();
    let cases = [
        ("unknown", "@/left.txt @/right.txt --format yaml"),
        ("no name", "@/left.txt @/right.txt --format json="),
        ("two printed", "@/left.txt @/right.txt --format json --format text"),
        ("one file", "@/left.txt @/right.txt --format json=@/x --format jsonl=@/x"),
        (
            "two names of one",
            "@/left.txt @/right.txt --format sarif=@/x --format csv=@/../trouble/x",
        ),
        ("the report's", "@/left.txt @/right.txt --format json=@/x --report @/x"),
        ("a text", "@/left.txt @/right.txt --format json=@/right.txt"),
        ("of a corpus", "corpus @/left.txt @/right.txt --format json=@/right.txt"),
        ("quiet", "@/left.txt @/right.txt --quiet --format json"),
        ("of clusters", "corpus @/left.txt @/right.txt --clusters --format sarif"),
        ("what is kept", "corpus @/left.txt @/right.txt --keep first --format csv=@/x"),
        ("no folder", "@/left.txt @/right.txt --format json=@/no/x"),
    ];
    errors("formats", &cases, |line| {
        let (status, output, errors) = printed(line, &folder);
        Run { status, output, errors: errors.replace(folder.to_str().unwrap(), "@") }
    });
    let mut names: Vec<_> =
        std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    names.sort();
    assert_eq!(names, ["left.txt", "right.txt"]);
}

/// Checks that an absolute path below the working folder is shown relative to it. All other paths
/// stay as given, so that an answer can be matched with the request.
#[test]
fn whole_paths_are_relative_to_the_working_folder() {
    let folder = folder("names").canonicalize().unwrap();
    let inner = folder.join("inner");
    std::fs::create_dir_all(&inner).unwrap();
    let here = inner.display().to_string();
    for name in ["inner/a.txt", "inner/b.txt", "c.txt"] {
        std::fs::write(folder.join(name), "a copper kettle by the window").unwrap();
    }
    let record =
        |id: &str| format!("{{\"id\":\"{id}\",\"text\":\"a copper kettle by the window\"}}\n");
    let records = record(&format!("{here}/x")) + &record("y");
    std::fs::write(inner.join("docs.jsonl"), records).unwrap();
    let files = format!("{here}/a.txt ./b.txt");
    let printed = |line: &str| {
        let run: Run = command()
            .current_dir(&inner)
            .env("PWD", &inner)
            .args(line.split_whitespace())
            .output()
            .unwrap()
            .into();
        assert_eq!(run.errors, "", "{line}");
        run.output
    };
    let outside = format!("{}/c.txt", folder.display());
    #[rustfmt::skip]
    let table = [
        ("a pair",          files.clone(),                                     ["./b.txt", "a.txt"]),
        ("files",           format!("corpus {files}"),                         ["./b.txt", "a.txt"]),
        ("one outside",     format!("corpus {here}/a.txt {outside}"),          [&*outside, "a.txt"]),
        ("records",         "corpus --jsonl docs.jsonl".to_owned(),            [&*format!("{here}/x"), "y"]),
    ];
    for (why, line, want) in &table {
        let line = format!("{line} --lang en");
        let record: serde_json::Value =
            serde_json::from_str(&printed(&format!("{line} --format jsonl"))).unwrap();
        let mut paths = ["a", "b"].map(|side| record[side]["path"].as_str().unwrap().to_owned());
        paths.sort();
        assert_eq!(paths, *want, "{why}");
        let listed = printed(&format!("{line} --format paths"));
        let mut listed: Vec<&str> = listed.lines().collect();
        listed.sort_unstable();
        let mut want = want.to_vec();
        want.sort_unstable();
        assert_eq!(listed, want, "{why}");
    }
    let line = format!("corpus {files} --lang en --clusters --format jsonl");
    let cluster: serde_json::Value = serde_json::from_str(&printed(&line)).unwrap();
    assert!(cluster["members"].as_array().unwrap().contains(&"a.txt".into()), "{cluster}");
}
