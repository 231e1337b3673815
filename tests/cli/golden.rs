//! Compares the answers of the program with stored ones, byte for byte: they must be the same with
//! any number of threads, in any build, and on any processor.
//!
//! The answers for the sample pairs are in `tests/golden/pairs.txt`, those for a corpus in
//! `tests/golden/corpus.txt`, so that a diff shows what changed. For all others, there is a digest
//! in `tests/golden/digests.txt`. A run leaves its results in `target/tmp/golden` under the same
//! names, to be copied if a change is intended; the answers themselves are next to them.
//!
//! `DEDUP_PROGRAM` selects another program to check: a command of words separated by spaces, such
//! as `qemu-s390x -L /usr/s390x-linux-gnu /tmp/dedup`.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use data_encoding::HEXLOWER;
use sha2::{Digest, Sha256};

use crate::common::{Run, command, read_file, sample_rows};

/// The numbers of threads with which every corpus is compared.
const THREADS: [&str; 3] = ["1", "2", "8"];

/// The names and arguments of further runs, with a corpus or other input.
#[rustfmt::skip]
const RUNS: &[(&str, &str)] = &[
    ("corpus",           "corpus SAMPLES --at-least partial"),
    ("corpus_csv",       "corpus SAMPLES --at-least partial --format csv"),
    ("corpus_sarif",     "corpus SAMPLES --at-least partial --format sarif"),
    ("corpus_junit",     "corpus SAMPLES --at-least partial --format junit"),
    ("corpus_markdown",  "corpus SAMPLES --at-least partial --format markdown"),
    ("corpus_report",    "corpus SAMPLES --at-least partial --quiet --report -"),
    ("corpus_classic",   "corpus SAMPLES --min 3 --max 3 --jaccard off --containment off --hamming 12 --format jsonl"),
    ("corpus_clusters",  "corpus SAMPLES --clusters --format jsonl"),
    ("corpus_nearest",   "corpus SAMPLES --nearest 3 --format jsonl"),
    ("corpus_passages",  "corpus SAMPLES --at-least partial --ignore quotes --format jsonl"),
    ("notices",          "corpus --jsonl samples/notices.jsonl --at-least partial --format jsonl"),
    ("answers",          "corpus --jsonl samples/answers.jsonl --template-share 0.5 --format jsonl"),
    ("labelled",         "calibrate samples/labelled.tsv"),
    ("docx",             "tests/documents/mill.txt tests/documents/pandoc.docx --explain --format json"),
    ("odt",              "tests/documents/libreoffice.docx tests/documents/libreoffice.odt --format json"),
    ("epub",             "tests/documents/pandoc.epub tests/documents/pandoc.rtf --format json"),
    ("page",             "tests/documents/oven.txt tests/documents/oven_site.html --explain --format json"),
    ("notebook",         "tests/documents/nbformat.ipynb tests/documents/harbour.md --format json"),
    ("hidden",           "tests/documents/hidden.docx tests/documents/hidden.odt --format json"),
];

/// Returns the folder for the results.
fn found() -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("golden");
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// Returns the output of a run, or its messages if it is an error, without the version.
fn printed(run: &Run) -> String {
    let printed = if run.status == 2 { &run.errors } else { &run.output };
    printed.replace(env!("CARGO_PKG_VERSION"), "VERSION")
}

/// Returns the samples of the table, in order, without other files of the folder.
fn samples() -> Vec<String> {
    sample_rows().into_iter().flat_map(|row| row.files).collect()
}

/// Returns the arguments of a line, in which `SAMPLES` stands for all of them.
fn arguments(line: &str) -> Vec<String> {
    line.split(' ')
        .flat_map(|word| if word == "SAMPLES" { samples() } else { vec![word.to_owned()] })
        .collect()
}

fn answer(arguments: &[String]) -> String {
    printed(&command().args(arguments).output().unwrap().into())
}

/// Compares lines with those of a file, and writes them to the results.
fn assert_golden(name: &str, lines: &str) {
    let path = found().join(name);
    std::fs::write(&path, lines).unwrap();
    let pinned = read_file(Path::new("tests/golden").join(name));
    let Some((line, want, found)) = first_difference(&pinned, lines) else { return };
    panic!(
        "tests/golden/{name}, line {line}\nwant {want}\n got {found}\nall of it: {}",
        path.display()
    );
}

/// Returns the number of the first line that differs, and the first differing field of both.
fn first_difference(want: &str, found: &str) -> Option<(usize, String, String)> {
    let (mut wanted, mut got) = (want.split('\n'), found.split('\n'));
    for number in 1.. {
        let (want, found) = match (wanted.next(), got.next()) {
            (None, None) => break,
            (want, found) => (want.unwrap_or("no line"), found.unwrap_or("no line")),
        };
        if want != found {
            // Of a line with many fields, one field is enough.
            let fields = |line: &str| line.split(",\"").map(str::to_owned).collect::<Vec<_>>();
            let (want, found) = (fields(want), fields(found));
            let same = want.iter().zip(&found).take_while(|(want, found)| want == found).count();
            let at = |fields: &[String]| fields.get(same).cloned().unwrap_or_default();
            return Some((number, at(&want), at(&found)));
        }
    }
    None
}

#[test]
fn the_first_difference_is_named_by_its_field() {
    let difference = |(line, want, found): (usize, &str, &str)| (line, want.into(), found.into());
    #[rustfmt::skip]
    let table = [
        ("the same",          "a\nb\n",               "a\nb\n",               None),
        ("a field",           "a\n{\"a\":1,\"b\":2}", "a\n{\"a\":1,\"b\":3}", Some((2, "b\":2}", "b\":3}"))),
        ("a line too many",   "a",                    "a\nb",                 Some((2, "no line", "b"))),
        ("a field too few",   "a,\"b",                "a",                    Some((1, "b", ""))),
    ];
    for (why, want, found, expected) in table {
        assert_eq!(first_difference(want, found), expected.map(difference), "{why}");
    }
}

#[test]
fn pairs_give_the_json_pinned() {
    let mut lines = String::new();
    for row in sample_rows() {
        let arguments = [&row.arguments()[..], &["--format", "json"]].concat();
        let arguments: Vec<String> = arguments.into_iter().map(str::to_owned).collect();
        let _ = writeln!(lines, "{}: {}", row.name, answer(&arguments).trim_end());
    }
    assert_golden("pairs.txt", &lines);
}

#[test]
fn a_corpus_gives_the_lines_pinned() {
    for threads in THREADS {
        let line = format!("corpus SAMPLES --at-least partial --format jsonl --threads {threads}");
        assert_golden("corpus.txt", &answer(&arguments(&line)));
    }
}

#[test]
fn all_other_answers_have_the_digests_pinned() {
    let mut lines = String::new();
    let mut add = |name: &str, answer: &str| {
        std::fs::write(found().join(name), answer).unwrap();
        let digest = HEXLOWER.encode(&Sha256::digest(answer)[..16]);
        let _ = writeln!(lines, "{name}: {} bytes, {digest}", answer.len());
    };
    for row in sample_rows() {
        for (what, more) in [
            ("explain_json", "--explain --format json"),
            ("explain", "--explain"),
            ("report", "--quiet --report -"),
        ] {
            let line = format!("{} {more}", row.arguments().join(" "));
            add(&format!("{}_{what}", row.name), &answer(&arguments(&line)));
        }
    }
    for (name, line) in RUNS {
        let run = |more: &str| {
            let run: Run =
                command().args(arguments(&format!("{line}{more}"))).output().unwrap().into();
            assert_ne!(run.status, 2, "{name}: {}", run.errors);
            printed(&run)
        };
        if line.starts_with("corpus") || line.starts_with("calibrate") {
            let [one, others @ ..] = THREADS.map(|threads| run(&format!(" --threads {threads}")));
            for other in others {
                assert_eq!(first_difference(&one, &other), None, "{name}, on more threads");
            }
            add(name, &one);
        } else {
            add(name, &run(""));
        }
    }
    add("long", &long());
    assert_golden("digests.txt", &lines);
}

/// Returns the answer for two texts that are long enough for one thread each: words of a sample in
/// random order, one in fifty of which is changed in the right text.
fn long() -> String {
    let words = read_file("samples/one_in_hundred_1.txt");
    let words: Vec<&str> = words.split_whitespace().collect();
    let mut state = 1_u64;
    let mut draw = |below: usize| {
        // Knuth's generator, of which the high bits are good.
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from((state >> 33) % below as u64).unwrap()
    };
    let [mut left, mut right] = [String::new(), String::new()];
    for number in 0..40_000_usize {
        let word = words[draw(words.len())];
        let end = if number % 12 == 11 { '\n' } else { ' ' };
        let _ = write!(left, "{word}{end}");
        let _ = if draw(50) == 0 {
            write!(right, "{word}{number}{end}")
        } else {
            write!(right, "{word}{end}")
        };
    }
    let folder = found().join("texts");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("left.txt"), left).unwrap();
    std::fs::write(folder.join("right.txt"), right).unwrap();
    let line = "left.txt right.txt --explain --format json";
    printed(&command().current_dir(folder).args(line.split(' ')).output().unwrap().into())
}
