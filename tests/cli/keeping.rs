//! Tests of `--keep`: what a clean corpus keeps, without chains, in the order of the input.

use std::fmt::Write;

use proptest::prelude::*;
use serde_json::Value;

use crate::common::{Run, command, empty_folder, in_folder, with_input};
use crate::transcript::Transcript;

/// The limit of these tests: half of the distinct words.
const HALF: &str = "--lang none --min 1 --max 1 --jaccard 0.5 --hamming off";

/// Returns a record whose text is a range of numbered words.
fn record(id: &str, words: std::ops::Range<u32>, more: &str) -> String {
    let mut text = String::new();
    for word in words {
        let _ = write!(text, "word{word} ");
    }
    format!("{{\"id\":\"{id}\",\"text\":\"{text}\"{more}}}\n")
}

/// Returns records each of which is similar to the next one only. Their names are in reverse order.
fn chain() -> String {
    record("z", 0..9, ",\"date\":\"2024-02-01\",\"score\":9")
        + &record("m", 3..12, ",\"date\":\"2024-10-01\",\"score\":\"10\"")
        + &record("a", 6..15, ",\"date\":\"2023-12-31\"")
}

fn run(texts: &str, flags: &str) -> Run {
    let line = format!("corpus --jsonl t.jsonl {HALF} {flags}");
    in_folder("keeping", &[("t.jsonl", texts.as_bytes())], &line)
}

#[test]
fn a_text_goes_only_for_one_that_is_kept_and_like_it() {
    #[rustfmt::skip]
    let table = [
        ("the first, by the input",     "--keep first",                           "z\na\n"),
        ("of equal ones the first",     "--keep longest",                         "z\na\n"),
        ("the latest date",             "--keep newest:date",                     "m\n"),
        ("the greatest number",         "--keep field:score",                     "m\n"),
        ("one of the cluster",          "--keep first --keep-by linked",          "z\n"),
        ("the best of the cluster",     "--keep newest:date --keep-by linked",    "m\n"),
        ("closer ones only",            "--keep first --jaccard 0.6",             "z\nm\na\n"),
        ("by passages, too",            "--keep first --at-least partial --partial-jaccard 0.4", "z\na\n"),
    ];
    for (why, flags, want) in table {
        let run = run(&chain(), &format!("{flags} --format paths"));
        assert_eq!((run.output.as_str(), run.status < 2), (want, true), "{why}: {}", run.errors);
    }
}

#[test]
fn the_answer_says_what_linking_would_remove() {
    let mut transcript = Transcript::default();
    for (why, flags) in [
        ("text", "--keep first"),
        ("linked", "--keep first --keep-by linked"),
        ("records", "--keep first --format jsonl"),
        ("none", "--keep first --jaccard 0.6"),
    ] {
        transcript.case(why);
        transcript.run(&format!("corpus --jsonl t.jsonl {HALF} {flags}"), &run(&chain(), flags));
    }
    transcript.assert_snapshot("keeping");
    let object: Value =
        serde_json::from_str(&run(&chain(), "--keep first --format json").output).unwrap();
    let want = serde_json::json!({
        "keep_by": "direct", "removed": 1, "linked_more": 1, "largest_cluster": 3
    });
    assert_eq!(object["keeping"], want);
    assert_eq!(object["kept"], serde_json::json!([{"path": "z"}, {"path": "a"}]));
}

/// Checks that a source, which is a file of records, a folder or an archive that is named, is
/// reported if it loses more than half of its texts.
#[test]
fn a_source_that_loses_more_than_half_is_named() {
    let words = |range: std::ops::Range<u32>| {
        let text: Value = serde_json::from_str(&record("x", range, "")).unwrap();
        text["text"].as_str().unwrap().as_bytes().to_vec()
    };
    let (one, other) = (words(0..9), words(20..29));
    let folder = empty_folder("keeping", "sources");
    for (name, bytes) in
        [("a/1", &one), ("a/2", &other), ("b/1", &one), ("b/2", &one), ("b/3", &other)]
    {
        let path = folder.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, bytes).unwrap();
    }
    let run = |line: &str| -> Run {
        let line = format!("corpus {line} {HALF} --format paths");
        command().current_dir(&folder).args(line.split(' ')).output().unwrap().into()
    };
    let warning = |source: &str, removed: u32, all: u32| {
        format!(
            "dedup: warning: {source}: more than half are duplicates: {removed} of {all} texts\n"
        )
    };
    #[rustfmt::skip]
    let table = [
        ("all of the second", "a b --keep first",       "a/1\na/2\n",       warning("b", 3, 3)),
        ("the other way",     "b a --keep first",       "b/1\nb/3\n",       warning("a", 2, 2)),
        ("one folder",        ". --keep first",         "./a/1\n./a/2\n",   warning(".", 3, 5)),
        ("files by name",     "a/1 b/1 b/2 --keep first", "a/1\n",          String::new()),
        ("what is there stays", "b --against a --keep first", "",           warning("b", 3, 3)),
    ];
    for (why, line, output, errors) in table {
        let run = run(line);
        assert_eq!((run.output, run.errors), (output.to_owned(), errors), "{why}");
    }
}

#[test]
fn a_field_that_no_record_has_is_an_error() {
    let folder = empty_folder("keeping", "no-field");
    let line = format!("corpus --jsonl - {HALF} --keep field:scroe --format paths");
    let run = with_input(&folder, &line, chain());
    let errors = "dedup: --keep: no record has a field scroe, expected it in at least one\nhint: \
                  --keep first prefers the records that come first\n";
    assert_eq!((run.output.as_str(), run.errors.as_str(), run.status), ("", errors, 2));
    std::fs::write(folder.join("texts.jsonl"), chain()).unwrap();
    let listed = errors.replace("hint: ", "hint: the fields are id, text, date, score; ");
    std::fs::write(folder.join("texts.csv"), "id,text,date,score\n1,a text,,\n").unwrap();
    for line in [
        &format!("corpus --jsonl texts.jsonl {HALF} --keep field:scroe --format paths"),
        "corpus --csv texts.csv --lang none --keep field:scroe --format paths",
    ] {
        let run = with_input(&folder, line, "");
        assert_eq!((run.output.as_str(), run.errors.as_str(), run.status), ("", &*listed, 2));
    }
}

/// Checks that a field is no silent `--keep first` if no record has a value in it that counts, and
/// that an empty value is none.
#[test]
fn a_field_without_a_value_to_compare_is_an_error() {
    let folder = empty_folder("keeping", "no-value");
    let hint = "hint: --keep first prefers the records that come first\n";
    let lines = |one: &str, other: &str| {
        record("1", 0..9, &format!(",\"v\":\"{one}\""))
            + &record("2", 0..9, &format!(",\"v\":\"{other}\""))
    };
    #[rustfmt::skip]
    let table = [
        ("no number",        "field:v",  lines("high", "low"), "", "no record has a number in the field v"),
        ("only empty ones",  "newest:v", lines("", ""),        "", "no record has a value in the field v"),
        ("one is empty",     "newest:v", lines("", "5"),       "2\n", ""),
        ("text above",       "newest:v", lines("5", "low"),    "2\n", ""),
        ("no text",          "field:v",  lines("low", "-5"),   "2\n", ""),
    ];
    for (why, keep, texts, output, errors) in table {
        let errors = match errors {
            "" => String::new(),
            errors => format!("dedup: --keep: {errors}, expected it in at least one\n{hint}"),
        };
        let line = format!("corpus --jsonl - {HALF} --keep {keep} --format paths");
        let run = with_input(&folder, &line, texts.as_str());
        assert_eq!((run.output.as_str(), run.errors.as_str()), (output, &*errors), "{why}");
    }
}

/// Checks that the order of the arguments counts, not that of the names.
#[test]
fn files_are_kept_by_the_order_in_which_they_are_named() {
    let text = record("x", 0..9, "");
    let files: [(&str, &[u8]); 3] =
        [("a.txt", text.as_bytes()), ("b.txt", text.as_bytes()), ("c.txt", b"one two three four")];
    let line = format!("corpus c.txt b.txt a.txt {HALF} --keep first --format paths");
    assert_eq!(in_folder("keeping-files", &files, &line).output, "c.txt\nb.txt\n");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(if cfg!(debug_assertions) { 24 } else { 100 }))]

    /// Checks that each removed text has a kept partner that reaches the limit, and that no two
    /// kept texts do.
    #[test]
    fn what_is_kept_is_what_the_definition_keeps(
        texts in proptest::collection::vec((0_u32..12, 8_u32..13, 0_u32..4), 2..14),
    ) {
        let lines = texts.iter().enumerate().map(|(at, (from, count, date))| {
            let id = format!("t{:02}", (at * 7 + 3) % 20);
            record(&id, *from..from + count, &format!(",\"date\":{date}"))
        });
        let lines: Vec<String> = lines.collect();
        let ids: Vec<String> = lines.iter().map(|line| line[7..10].to_owned()).collect();
        let folder = empty_folder("keeping", "twin");
        std::fs::write(folder.join("t.jsonl"), lines.concat()).unwrap();
        let corpus = |flags: &str| with_input(&folder, &format!("corpus --jsonl t.jsonl {HALF} {flags}"), "");
        let is_pair = |one: usize, other: usize| {
            let words = |at: usize| texts[at].0..texts[at].0 + texts[at].1;
            let shared = words(one).filter(|word| words(other).contains(word)).count();
            let all = texts[one].1 as usize + texts[other].1 as usize - shared;
            2 * shared >= all
        };
        for keep in ["first", "newest:date"] {
            let mut order: Vec<usize> = (0..texts.len()).collect();
            if keep != "first" {
                order.sort_by_key(|at| std::cmp::Reverse(texts[*at].2));
            }
            let mut kept: Vec<usize> = Vec::new();
            for text in order {
                if !kept.iter().any(|it| is_pair(*it, text)) {
                    kept.push(text);
                }
            }
            kept.sort_unstable();
            let want = kept.iter().fold(String::new(), |mut want, at| {
                let _ = writeln!(want, "{{\"path\":\"{}\"}}", ids[*at]);
                want
            });
            let found = corpus(&format!("--keep {keep} --format jsonl"));
            prop_assert_eq!(&found.output, &want, "{}", lines.concat());
        }
    }
}
