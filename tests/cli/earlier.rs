//! `--earlier`: the given texts are compared with each other and with earlier ones.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::{Path, PathBuf};

use proptest::prelude::*;
use serde_json::Value;

use crate::common::{Run, empty_folder, read_file, run, with_input};
use crate::transcript::Transcript;

/// Returns 40 numbered words of a subject, of which the last ones are others.
fn text(subject: &str, others: usize) -> String {
    let mut text = String::new();
    for word in 0..40 {
        let subject = if word < 40 - others { subject } else { "other" };
        let _ = write!(text, "{subject}{word} ");
    }
    text + "\n"
}

/// Creates a folder with new and old texts: of the new ones two are copies of an old one, and two of
/// each other; two old ones are copies, too.
fn folder(name: &str) -> PathBuf {
    let folder = empty_folder("earlier", name);
    let put = |path: &str, content: String| {
        let path = folder.join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, content).unwrap();
    };
    for (name, subject) in [("a", "boat"), ("b", "boat"), ("c", "lamp"), ("d", "lamp")] {
        put(&format!("new/{name}.txt"), text(subject, 0));
    }
    for (name, subject) in [("k", "kettle"), ("l", "kettle"), ("o", "boat")] {
        put(&format!("old/{name}.txt"), text(subject, 0));
    }
    put("old/short.txt", "\n".to_owned());
    folder
}

fn transcript(name: &str, lines: &[(&str, &str)]) {
    let (folder, mut transcript) = (folder(name), Transcript::default());
    for (why, line) in lines {
        transcript.case(why);
        transcript.run(line, &run(&folder, line));
    }
    transcript.assert_snapshot(name);
}

#[test]
fn outputs_mark_earlier_texts_and_do_not_count_them() {
    transcript(
        "earlier",
        &[
            ("with each other, too", "corpus new --lang none --earlier old"),
            ("only with the earlier ones", "corpus new --lang none --against old"),
            ("a single text", "corpus new/a.txt --lang none --against old"),
            ("a text on both sides", "corpus new --lang none --earlier old --earlier new/a.txt"),
            ("in focus", "corpus new --lang none --earlier old --focus new/a.txt"),
            ("clusters", "corpus new --lang none --earlier old --clusters"),
            ("what is kept", "corpus new --lang none --earlier old --keep first"),
            ("Markdown", "corpus new/a.txt --lang none --earlier old --format markdown"),
            ("annotations", "corpus new/a.txt --lang none --earlier old --format github"),
        ],
    );
}

#[test]
fn flags_that_contradict_each_other_are_refused() {
    let (folder, mut transcript) = (folder("refused"), Transcript::default());
    assert_eq!(run(&folder, "index build old -o e.dedup --lang none").status, 0);
    for line in [
        "corpus new --earlier e.dedup --nearest 1",
        "corpus new --earlier e.dedup --earlier e.dedup",
        "index build new --earlier old -o x.dedup",
    ] {
        transcript.error(line, &run(&folder, line));
    }
    for flag in ["--against old", "--each-against"] {
        let both = run(&folder, &format!("corpus new --earlier old {flag}"));
        assert!(both.errors.contains("cannot be used with"), "{flag}: {}", both.errors);
        assert_eq!(both.status, 2, "{flag}");
    }
    transcript.assert_snapshot("earlier_refused");
}

/// Checks that a flag of the command line takes precedence over the other one in the settings.
#[test]
fn the_command_line_takes_precedence() {
    let folder = folder("settings");
    std::fs::write(folder.join("dedup.toml"), "against = [\"old\"]\n").unwrap();
    let pairs = |line: &str| run(&folder, &format!("corpus new --lang none {line} --format csv"));
    let of = |line: &str| pairs(line).output.matches(",identical,").count();
    assert_eq!([of(""), of("--earlier old")], [2, 4]);
}

#[test]
fn records_of_either_kind_are_removed() {
    let folder = folder("clean");
    let record = |id: &str, subject: &str| {
        serde_json::json!({ "id": id, "text": text(subject, 0) }).to_string() + "\n"
    };
    let new = ["1 boat", "2 lamp", "3 lamp", "4 sail"].map(|it| record(&it[..1], &it[2..]));
    std::fs::write(folder.join("new.jsonl"), new.concat()).unwrap();
    std::fs::write(folder.join("old.jsonl"), record("1", "boat") + &record("2", "boat")).unwrap();
    for index in ["old.jsonl", "e.dedup"] {
        let build = "index build --jsonl old.jsonl -o e.dedup --lang none";
        assert_eq!(run(&folder, build).status < 2, index == "old.jsonl");
        let line = format!(
            "corpus --jsonl new.jsonl --lang none --earlier {index} --output clean.jsonl --removed gone.jsonl"
        );
        let cleaned = run(&folder, &line);
        assert_eq!((cleaned.status, &*cleaned.errors), (0, ""), "{index}");
        let want = "2 of 4 texts kept\nthe largest cluster has 3 texts\n\
                    4 texts compared with 2 earlier ones\n";
        assert_eq!(cleaned.output, want, "{index}");
        assert_eq!(read_file(folder.join("clean.jsonl")), new[1].clone() + &new[3], "{index}");
        let gone = read_file(folder.join("gone.jsonl"));
        let gone: Vec<Value> = gone.lines().map(|it| serde_json::from_str(it).unwrap()).collect();
        let gone: Vec<_> = gone.iter().map(|it| (&it["id"], &it["kept_id"])).collect();
        let [one, two, three, old] = ["1", "2", "3", "old.jsonl/1"].map(Value::from);
        assert_eq!(gone, [(&one, &old), (&three, &two)], "{index}");
        let _ = std::fs::remove_file(folder.join("clean.jsonl"));
        let _ = std::fs::remove_file(folder.join("gone.jsonl"));
    }
}

/// The numbers of the sentences of a text.
type Made = Vec<usize>;

fn content(sentences: &Made) -> String {
    let sentence = |of: &usize| (0..14).map(|at| format!("w{of}x{at}")).collect::<Vec<_>>();
    sentences.iter().map(|it| sentence(it).join(" ") + ".\n").collect::<String>() + "end"
}

fn write(folder: &Path, side: &str, texts: &[Made]) {
    std::fs::create_dir_all(folder.join(side)).unwrap();
    for (number, made) in texts.iter().enumerate() {
        std::fs::write(folder.join(side).join(format!("{number}.txt")), content(made)).unwrap();
    }
}

fn lines(run: &Run) -> BTreeSet<String> {
    assert!(run.status < 2, "{}", run.errors);
    run.output.lines().map(str::to_owned).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 16, ..ProptestConfig::default() })]

    /// The pairs with `--earlier` are those of the given texts alone, and those with `--against`; a
    /// stored index gives the same bytes.
    #[test]
    fn earlier_pairs_are_those_of_both_runs(
        new in proptest::collection::vec(proptest::collection::vec(0..7_usize, 0..5), 1..6),
        old in proptest::collection::vec(proptest::collection::vec(0..7_usize, 0..5), 1..4),
        level in prop::sample::select(vec!["near-duplicate", "partial", "excerpt"]),
        threads in 1..3_usize,
    ) {
        let folder = empty_folder("earlier", "pairs");
        write(&folder, "new", &new);
        write(&folder, "old", &old);
        let flags = format!("--lang none --at-least {level} --threads {threads} --format");
        let line = format!("corpus new {flags}");
        let alone = with_input(&folder, &format!("{line} jsonl"), "");
        let mut want = if alone.errors.contains("only one text") { BTreeSet::new() } else { lines(&alone) };
        want.extend(lines(&run(&folder, &format!("{line} jsonl --against old"))));
        let found = run(&folder, &format!("{line} jsonl --earlier old"));
        prop_assert_eq!(lines(&found), want);
        let build = "index build old -o e.dedup --with-texts --lang none";
        prop_assert_eq!(run(&folder, build).status, 0);
        for format in ["jsonl", "json", "csv", "text", "paths"] {
            let line = format!("{line} {format} --earlier");
            let [read, stored] = ["old", "e.dedup"].map(|it| run(&folder, &format!("{line} {it}")));
            prop_assert_eq!((read.output, read.status), (stored.output, stored.status), "{}", format);
        }
    }
}
