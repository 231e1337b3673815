//! Tests of `--focus PATH`: all texts are compared, but only some pairs are reported.

use std::path::{Path, PathBuf};

use proptest::prelude::*;
use proptest::sample::{select, subsequence};
use serde_json::Value;

use crate::common::{Run, empty_folder, run, zipped};

/// Returns a passage whose words no other one has.
fn passage(number: usize) -> String {
    let words: Vec<String> = (0..24).map(|word| format!("word{number}x{word}")).collect();
    words.join(" ") + ".\n"
}

/// Creates a folder: `a.md`, `b.md` and `sub/c.md` are copies, `d.md` and `sub/e.md` as well;
/// `f.md` shares nothing.
fn texts(name: &str) -> PathBuf {
    let folder = empty_folder("focus", name);
    for (name, number) in
        [("a.md", 1), ("b.md", 1), ("sub/c.md", 1), ("d.md", 2), ("sub/e.md", 2), ("f.md", 3)]
    {
        write(&folder, name, passage(number));
    }
    folder
}

fn write(folder: &Path, name: &str, text: impl AsRef<[u8]>) {
    let path = folder.join(name);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, text).unwrap();
}

/// Returns the pairs of an answer.
fn pairs(run: &Run) -> Vec<String> {
    let lines = run.output.lines();
    let records = lines.map(|line| serde_json::from_str::<Value>(line).unwrap());
    let name = |record: &Value, side: &str| record[side]["path"].as_str().unwrap().to_owned();
    records.map(|it| format!("{} {}", name(&it, "a"), name(&it, "b")).replace("./", "")).collect()
}

#[test]
fn pairs_that_touch_a_path_are_reported() {
    let folder = texts("touch");
    #[cfg(unix)]
    std::os::unix::fs::symlink("a.md", folder.join("link.md")).unwrap();
    let table: &[(&str, &str, &[&str])] = &[
        ("a file", ".  --focus a.md", &["a.md b.md", "a.md sub/c.md"]),
        ("spelled otherwise", ".  --focus sub/../a.md", &["a.md b.md", "a.md sub/c.md"]),
        ("a folder", ".  --focus sub", &["a.md sub/c.md", "b.md sub/c.md", "d.md sub/e.md"]),
        (
            "two files",
            ".  --focus d.md --focus b.md",
            &["a.md b.md", "b.md sub/c.md", "d.md sub/e.md"],
        ),
        ("both of a pair", ".  --focus d.md --focus sub/e.md", &["d.md sub/e.md"]),
        ("one in no pair", ".  --focus f.md", &[]),
        ("all", ".  --focus .", &["a.md b.md", "a.md sub/c.md", "b.md sub/c.md", "d.md sub/e.md"]),
        ("of some", "a.md b.md d.md --focus b.md", &["a.md b.md"]),
        (
            "against",
            "a.md b.md --against sub --focus sub/c.md",
            &["a.md sub/c.md", "b.md sub/c.md"],
        ),
        ("against, of new", "a.md b.md --against sub --focus b.md", &["b.md sub/c.md"]),
        ("left out", ".  --exclude sub/ --focus a.md", &["a.md b.md"]),
        #[cfg(unix)]
        ("a link to one", ".  --focus link.md", &["a.md b.md", "a.md sub/c.md"]),
    ];
    for (why, line, want) in table {
        let run = run(&folder, &format!("check {line} --lang en --format jsonl"));
        assert_eq!(pairs(&run), *want, "{why}");
        assert_eq!(run.status, i32::from(!want.is_empty()), "{why}");
        assert!(!run.errors.contains("--focus"), "{why}: {}", run.errors);
    }
}

#[test]
fn what_is_no_text_is_noted_and_what_is_missing_an_error() {
    let folder = texts("others");
    write(&folder, "p.png", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR");
    write(&folder, "out/x.md", passage(1));
    let line = "check . --exclude out/ --lang en";
    let picture = run(&folder, &format!("{line} --focus p.png"));
    let note = "dedup: --focus p.png: contains no text that is compared, so nothing is reported\n";
    let output = "0 pairs near-duplicate or closer\n6 texts compared; 1 skipped: pictures\n";
    assert_eq!((picture.errors.as_str(), picture.status), (note, 0));
    assert!(picture.output.starts_with(output), "{}", picture.output);
    let mixed = run(&folder, &format!("{line} --focus out --focus out/x.md --focus a.md -q"));
    assert_eq!((mixed.errors.lines().count(), mixed.status), (2, 1), "{}", mixed.errors);
    let missing = run(&folder, &format!("{line} --focus g.md"));
    let error = "dedup: --focus g.md: no such file or folder, expected one\nhint: git diff \
                 --name-only --diff-filter=d omits deleted files\n";
    assert_eq!((missing.errors.as_str(), missing.status), (error, 2));
    write(&folder, "x.zip", zipped(&[("g.md", passage(1))]));
    for inputs in ["x.zip", ". --unit person", ". --unit dir"] {
        let run = run(&folder, &format!("corpus {inputs} --focus g.md"));
        let error = "dedup: --focus g.md: no such file or folder, expected one\nhint: --focus takes \
                     the paths of files and folders, not the names of persons or of texts in an \
                     archive\n";
        assert_eq!((run.errors.as_str(), run.status), (error, 2), "{inputs}");
    }
}

#[test]
fn flags_that_focus_excludes_are_errors() {
    let folder = texts("usage");
    #[rustfmt::skip]
    let table = [
        ("--clusters",                          "the argument '--focus <PATH>' cannot be used with '--clusters'"),
        ("--keep first",                        "the argument '--focus <PATH>' cannot be used with '--keep <WHICH>'"),
        ("--list",                              "the argument '--focus <PATH>' cannot be used with '--list'"),
        ("--baseline b.txt --update-baseline",  "the argument '--focus <PATH>' cannot be used with '--update-baseline'"),
    ];
    for (flags, error) in table {
        let run = run(&folder, &format!("corpus . --focus a.md {flags}"));
        assert_eq!(run.errors.lines().next().unwrap(), format!("dedup: {error}"), "{flags}");
        assert_eq!(run.status, 2, "{flags}");
    }
    write(&folder, "dedup.toml", "focus = \"a.md\"");
    assert!(run(&folder, "check .").errors.contains("--focus is for one run"));
}

/// Checks that every format counts and lists the same pairs.
#[test]
fn all_formats_agree() {
    let folder = texts("formats");
    let line = "corpus . --lang en --focus d.md --format";
    #[rustfmt::skip]
    let table = [
        ("text",     "1 pair near-duplicate or closer\n"),
        ("json",     "\"a\":{\"path\":\"./d.md\""),
        ("jsonl",    "\"a\":{\"path\":\"./d.md\""),
        ("paths",    "d.md\n./sub/e.md\n"),
        ("csv",      "\nd.md,sub/e.md,identical"),
        ("sarif",    "d.md"),
        ("github",   "1 pair near-duplicate or closer"),
        ("junit",    "failures=\"1\""),
        ("gitlab",   "d.md"),
        ("markdown", "d.md"),
    ];
    for (format, want) in table {
        let answer = run(&folder, &format!("{line} {format}")).output;
        assert!(answer.contains(want), "{format}: {answer}");
        assert!(!answer.contains("b.md"), "{format}: {answer}");
    }
    let report = run(&folder, "corpus . --lang en --focus d.md --report board.html -q");
    assert_eq!(report.status, 0);
    let board = crate::common::read_file(folder.join("board.html"));
    assert!(board.contains("<bdi>d</bdi> and <bdi>sub/e</bdi> have") && !board.contains("sub/c"));
    assert!(board.contains("Only pairs with a text that --focus names are listed."));
    // Records are in focus if their file is.
    for (name, ids) in [("old.jsonl", ["1", "2"]), ("new.jsonl", ["3", "4"])] {
        let lines =
            ids.map(|id| format!("{{\"id\":\"{id}\",\"text\":\"{}\"}}\n", passage(1).trim()));
        write(&folder, name, lines.concat());
    }
    let records =
        "corpus --jsonl old.jsonl --jsonl new.jsonl --lang en --format jsonl --focus new.jsonl";
    assert_eq!(pairs(&run(&folder, records)), ["1 3", "1 4", "2 3", "2 4", "3 4"]);
}

/// Checks that pairs below the level are counted among those in focus only.
#[test]
fn other_levels_are_counted_of_these_pairs() {
    let folder = texts("levels");
    write(&folder, "f.md", passage(3) + &passage(4) + &passage(5) + &passage(2));
    write(&folder, "g.md", passage(3) + &passage(6) + &passage(7) + &passage(8));
    let first = |line: &str| run(&folder, line).output.lines().last().unwrap().to_owned();
    let line = |line: &str| {
        let run = run(&folder, line);
        run.output.lines().find(|it| it.contains("closer")).unwrap().to_owned()
    };
    assert!(line("corpus . --lang en").contains("4 pairs near-duplicate or closer; 3 partial"));
    let of_g = line("corpus . --lang en --focus g.md");
    assert_eq!(of_g, "0 pairs near-duplicate or closer; 1 partial (--at-least partial)");
    assert_eq!(first("corpus . --lang en --focus g.md"), "7 texts compared");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    /// Checks that the answer has those pairs of the answer without the flag that have a text in
    /// focus.
    #[test]
    fn the_answer_in_focus_is_the_whole_answer_filtered(
        all in prop::collection::vec(prop::collection::vec(0_usize..6, 1..4), 2..8),
        named in subsequence(vec![0_usize, 1, 2, 3, 4, 5, 6, 7], 1..4),
        flags in select(vec![
            "--fail-on near-duplicate",
            "--fail-on partial",
            "--fail-on excerpt",
            "--at-least excerpt",
            "--fail-on identical",
            "--fail-on excerpt --group dir",
            "--fail-on excerpt --unit dir",
            "--fail-on excerpt --template-share 0.5",
            "--nearest 2",
            "--fail-on excerpt --against against",
        ]),
    ) {
        let folder = empty_folder("focus", "property");
        std::fs::create_dir_all(folder.join("against")).unwrap();
        write(&folder, "against/0.md", passage(0) + &passage(9));
        let name = |number: usize| format!("docs/{}/{number}.md", number % 3);
        for (number, passages) in all.iter().enumerate() {
            let text: String = passages.iter().map(|number| passage(*number)).collect();
            write(&folder, &name(number), text);
        }
        let named: Vec<usize> = named.into_iter().map(|it| it % all.len()).collect();
        let is_of_folders = flags.contains("unit");
        let names = |number: &usize| {
            if is_of_folders { format!("docs/{}", number % 3) } else { name(*number) }
        };
        let line = format!("corpus docs --lang en --format jsonl {flags}");
        let whole = run(&folder, &line);
        let focus: Vec<String> = named.iter().map(|it| format!("--focus {}", names(it))).collect();
        let focused = run(&folder, &format!("{line} {}", focus.join(" ")));
        let touches = |line: &&str| {
            let record: Value = serde_json::from_str(line).unwrap();
            let is = |side: &str| named.iter().any(|it| record[side]["path"] == names(it));
            is("a") || is("b")
        };
        let want: Vec<&str> = whole.output.lines().filter(touches).collect();
        prop_assert_eq!(focused.output.lines().collect::<Vec<_>>(), want.clone(), "{}", focused.errors);
        // Copies whose words are all left out as a template leave fewer than two texts.
        let is_too_few = whole.errors.contains("expected at least two that can be compared");
        if flags.contains("--fail-on") {
            let status = if is_too_few { 2 } else { i32::from(!want.is_empty()) };
            prop_assert_eq!(focused.status, status, "{}", focused.errors);
        }
    }
}
