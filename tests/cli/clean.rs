//! Tests of `dedup corpus --output`: a clean corpus whose lines are copied byte for byte.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use proptest::prelude::*;
use serde_json::{Value, json};

use crate::common::{Run, empty_folder, read_existing, read_file, with_input, words};
use crate::transcript::Transcript;

/// The limit of these tests: half of the distinct words.
const HALF: &str = "--lang none --min 1 --max 1 --jaccard 0.5 --hamming off";

fn line(id: &str, from: usize) -> String {
    format!("{{\"id\":\"{id}\",\"text\":\"{}\"}}", words(from))
}

/// Runs `dedup corpus` in a folder, with standard input.
fn run(folder: &Path, flags: &str, input: &str) -> Run {
    with_input(folder, &format!("corpus {HALF} {flags}"), input)
}

fn folder(name: &str, files: &[(&str, &str)]) -> PathBuf {
    let folder = empty_folder("clean", name);
    for (name, content) in files {
        fs::write(folder.join(name), content).unwrap();
    }
    folder
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name());
    let mut names: Vec<String> = entries.map(|name| name.into_string().unwrap()).collect();
    names.sort();
    names
}

/// Checks that two outputs may be the null device, where neither overwrites the other.
#[cfg(unix)]
#[test]
fn nothing_is_overwritten_in_the_null_device() {
    let folder = folder("null", &[("in.jsonl", &(line("a", 0) + "\n" + &line("b", 1)))]);
    let line = "--jsonl in.jsonl --keep first --output /dev/null --removed /dev/null";
    let found = run(&folder, line, "");
    assert_eq!((found.errors.as_str(), found.status), ("", 0));
    assert!(found.output.starts_with("1 of 2 texts kept\n"), "{}", found.output);
}

#[test]
fn lines_are_kept_byte_for_byte() {
    let (a, b, c) = (line("a", 0), line("b", 1), line("c", 50));
    let filled = |form: &str| form.replace('A', &a).replace('B', &b).replace('C', &c);
    let table = [
        ("as they are", "A\nB\nC\n", "", "A\nC\n"),
        ("no end of the last", "A\nB\nC", "", "A\nC"),
        ("the last one goes", "A\nC\nB", "", "A\nC\n"),
        ("ends of Windows", "A\r\nB\r\nC\r\n", "", "A\r\nC\r\n"),
        ("blanks and blank lines", "\n A \n\nB\n  \nC\n", "", "\n A \n\n  \nC\n"),
        ("a mark", "\u{feff}A\nB\n", "", "\u{feff}A\n"),
        ("two files", "A\n", "B\nC\n", "A\nC\n"),
        ("one without an end", "A", "\u{feff}C\nB", "A\nC\n"),
    ];
    for (why, one, other, want) in table {
        let [one, other, want] = [one, other, want].map(filled);
        let folder = folder("bytes", &[("one.jsonl", &one), ("other.jsonl", &other)]);
        let flags =
            "--jsonl one.jsonl --jsonl other.jsonl --keep first --output out --removed gone";
        let found = run(&folder, flags, "");
        assert_eq!(found.status, 0, "{why}: {}", found.errors);
        assert_eq!(read_existing(folder.join("out")).unwrap(), want, "{why}");
        let gone = "{\"id\":\"b\",\"kept_id\":\"a\",\"verdict\":\"near-duplicate\",\
                    \"jaccard\":0.7777777777777778,\"coverage\":null,\"same\":null,\"changed\":null}\n";
        assert_eq!(read_existing(folder.join("gone")).unwrap(), gone, "{why}");
        // Standard input is read once, and copied to a temporary file.
        let piped = "--jsonl - --jsonl other.jsonl --keep first --output out --removed -";
        let found = run(&folder, piped, &one);
        assert_eq!((found.status, found.output.as_str()), (0, gone), "{why}: {}", found.errors);
        assert_eq!(read_existing(folder.join("out")).unwrap(), want, "{why}, from standard input");
    }
}

#[test]
fn a_byte_order_mark_stays_where_the_first_line_goes() {
    let (a, b) = (line("a", 0), line("b", 1));
    let b = b.replace("\"}", " and more\"}");
    let (one, other) = (format!("\u{feff}{a}\n{b}\n"), format!("\u{feff}{b}\n"));
    let alone = format!("\u{feff}{a}\n");
    let files = [("in.jsonl", &*one), ("alone.jsonl", &alone), ("other.jsonl", &other)];
    let folder = folder("mark", &files);
    for input in ["--jsonl in.jsonl", "--jsonl alone.jsonl --jsonl other.jsonl"] {
        let found = run(&folder, &format!("{input} --keep longest --output out"), "");
        assert_eq!(found.status, 0, "{input}: {}", found.errors);
        assert_eq!(read_existing(folder.join("out")).unwrap(), other, "{input}");
    }
}

#[test]
fn the_answer_counts_and_the_status_says_that_it_is_written() {
    let lines = [line("a", 0), line("b", 1), line("c", 50), "{\"id\":\"d\",\"text\":\"?\"}".into()];
    let folder = folder("counts", &[("in.jsonl", &(lines.join("\n") + "\n"))]);
    let corpus = "--jsonl in.jsonl --min 2 --max 2";
    let counts =
        "3 of 4 texts kept\nthe largest cluster has 2 texts\n3 texts compared; 1 too short\n";
    let kept = [&lines[0], &lines[2], &lines[3]].map(|line| format!("{line}\n")).concat();
    let rest = "\nNot compared:\n  d: no word, expected one at least\n";
    #[rustfmt::skip]
    let table = [
        ("to a file",           "--keep first --output out",                    0, true),
        ("none is written",     "--keep first --output out --dry-run",          0, false),
        ("no file at all",      "--keep first --dry-run",                       0, false),
        ("in CI",               "--keep first --output out --fail-on near-duplicate", 1, true),
    ];
    for (why, flags, status, is_there) in table {
        let _ = fs::remove_file(folder.join("out"));
        let found = run(&folder, &format!("{corpus} {flags}"), "");
        assert_eq!((found.status, found.errors.as_str()), (status, ""), "{why}");
        assert!(found.output.starts_with(counts), "{why}: {}", found.output);
        assert_eq!(read_existing(folder.join("out")), is_there.then(|| kept.clone()), "{why}");
    }
    let printed = run(&folder, &format!("{corpus} --keep first --output -"), "");
    assert_eq!((printed.status, printed.output), (0, kept.clone()));
    assert!(printed.errors.starts_with("dedup: 3 of 4 texts kept\n"), "{}", printed.errors);
    let none = run(&folder, &format!("{corpus} --keep first --jaccard 1 --output out --quiet"), "");
    assert_eq!((none.status, none.output.as_str(), none.errors.as_str()), (0, "", ""));
    assert_eq!(read_existing(folder.join("out")).unwrap(), lines.join("\n") + "\n", "{rest}");
    let listed = run(&folder, &format!("{corpus} --keep first --output out --format paths"), "");
    assert_eq!(listed.output, "a\nc\nd\n");
}

#[test]
fn a_field_says_what_a_record_is_a_duplicate_of() {
    let lines = [line("a", 0), line("b", 1), line("c", 50)].join("\n");
    let folder = folder("field", &[("in.jsonl", &lines)]);
    let flags = "--jsonl in.jsonl --keep first --output out --annotate duplicate_of";
    let found = run(&folder, flags, "");
    let counts = "1 of 3 texts is a duplicate\nthe largest cluster has 2 texts\n3 texts compared\n";
    assert_eq!((found.status, found.output.as_str()), (0, counts));
    let ends =
        [",\"duplicate_of\":null}\n", ",\"duplicate_of\":\"a\"}\n", ",\"duplicate_of\":null}"];
    let want =
        lines.split('\n').zip(ends).map(|(line, end)| line[..line.len() - 1].to_owned() + end);
    assert_eq!(read_existing(folder.join("out")).unwrap(), want.collect::<String>());
    fs::write(folder.join("out"), "earlier").unwrap();
    let lines = lines.replace("{\"id\":\"c\"", "{\"duplicate_of\":1,\"id\":\"c\"");
    fs::write(folder.join("in.jsonl"), lines).unwrap();
    let found = run(&folder, flags, "");
    let want = "dedup: in.jsonl: line 3: already has a field duplicate_of, expected a new field \
                for --annotate\nhint: choose another name for --annotate\n";
    assert_eq!((found.status, found.errors.as_str()), (2, want));
    assert_eq!(read_existing(folder.join("out")).unwrap(), "earlier");
    assert_eq!(names(&folder), ["in.jsonl", "out"]);
}

/// Checks that both sides may have the same ids: those of the old side are preceded by the name of
/// their file.
#[test]
fn what_is_in_another_file_is_removed() {
    let new = [line("1", 0), line("2", 30), line("3", 60), line("4", 61)].join("\n") + "\n";
    let old = [line("1", 1), line("2", 90), line("3", 31)].join("\n") + "\n";
    let folder = folder("against", &[("a.jsonl", &new), ("b.jsonl", &old)]);
    let flags = "--jsonl a.jsonl --against b.jsonl --output out --removed gone";
    let found = run(&folder, flags, "");
    let counts = "2 of 4 texts kept\nthe largest cluster has 2 texts\n4 texts compared \
                  with 3 earlier ones, not with each other (--earlier does both)\n";
    assert_eq!((found.output.as_str(), found.errors.as_str(), found.status), (counts, "", 0));
    let kept = [line("3", 60), line("4", 61)].join("\n") + "\n";
    assert_eq!(
        read_existing(folder.join("out")).unwrap(),
        kept,
        "records of one side are not compared"
    );
    let gone: Vec<Value> =
        read_existing(folder.join("gone")).unwrap().lines().map(parsed).collect();
    let ids: Vec<_> = gone.iter().map(|it| (it["id"].as_str(), it["kept_id"].as_str())).collect();
    assert_eq!(ids, [(Some("1"), Some("b.jsonl/1")), (Some("2"), Some("b.jsonl/3"))]);

    let each = "--jsonl a.jsonl --against b.jsonl --each-against --min-match 4";
    let shown = run(&folder, each, "");
    let want = "b.jsonl/1\n   87 |  87 %  near-duplicate  1\nb.jsonl/3\n   87 |  87 %  near-duplicate  2\n\
                2 of 3 texts of --against found\n4 texts compared with 3 earlier ones, not with \
                each other (--earlier does both)\n";
    assert_eq!((shown.output.as_str(), shown.status), (want, 0));
    let records = run(&folder, &format!("{each} --format jsonl"), "").output;
    let records: Vec<Value> = records.lines().map(parsed).collect();
    let found = |id: &str, item: [usize; 2], text: [usize; 2]| {
        json!([{
            "id": id, "verdict": "near-duplicate", "jaccard": 0.777_777_777_777_777_8,
            "coverage": {"item": 0.875, "text": 0.875}, "same": {"item": 0.875, "text": 0.875}, "changed": {"item": 0.0, "text": 0.0}, "places": [{"item": item, "text": text}],
        }])
    };
    let item = |id: &str, found: Value| json!({"schema": "dedup.item/1", "id": id, "found": found});
    let want = [
        item("b.jsonl/1", found("1", [0, 41], [6, 47])),
        item("b.jsonl/2", json!([])),
        item("b.jsonl/3", found("2", [0, 48], [7, 55])),
    ];
    assert_eq!(records, want);
    let object = parsed(&run(&folder, &format!("{each} --format json"), "").output);
    assert_eq!(object["items"], json!(want));
    let schema = parsed(&read_file("src/bin/dedup/schemas/dedup.corpus.schema.json"));
    let validator = jsonschema::validator_for(&schema).unwrap();
    assert_eq!(
        validator.iter_errors(&object).map(|it| it.to_string()).collect::<Vec<_>>(),
        [""; 0]
    );
}

/// Checks that the places are those in the given texts, not in what is compared of them.
#[test]
fn places_of_each_old_text_count_what_is_not_compared() {
    let shared = "kettle stove river window garden ladder candle basket";
    let new = json!({"id": "n", "text": format!("\u{feff}a\u{200b}b first: {shared}")});
    let old = json!({"id": "o", "text": shared});
    let files = [("n.jsonl", new.to_string()), ("o.jsonl", old.to_string())];
    let folder = folder("places", &files.each_ref().map(|(name, text)| (*name, text.as_str())));
    let flags = "--jsonl n.jsonl --against o.jsonl --each-against --min-match 4 --format jsonl";
    let found = run(&folder, flags, "");
    let places = &parsed(&found.output)["found"][0]["places"];
    assert_eq!(*places, json!([{"item": [0, 53], "text": [16, 69]}]), "{}", found.output);
}

/// Checks that a settings file which requests it for other runs does not change this one.
#[test]
fn without_old_texts_the_setting_of_each_against_has_no_effect() {
    let texts = [line("a", 0), line("b", 1)].join("\n");
    let files = [("in.jsonl", texts.as_str()), ("dedup.toml", "each-against = true\n")];
    let folder = folder("each-setting", &files);
    let found = run(&folder, "--jsonl in.jsonl --format paths", "");
    assert_eq!((found.output.as_str(), found.errors.as_str(), found.status), ("a\nb\n", "", 0));
}

/// Checks that records in a folder of old texts are records, like those of a file that is named.
#[test]
fn old_records_may_be_in_a_folder() {
    let new = [line("1", 0), line("2", 30)].join("\n") + "\n";
    let folder = folder("old-folder", &[("n.jsonl", &new)]);
    fs::create_dir(folder.join("old")).unwrap();
    fs::write(folder.join("old/a.jsonl"), line("1", 90) + "\n" + &line("7", 1)).unwrap();
    fs::write(folder.join("old/b.json"), line("x", 60)).unwrap();
    for against in ["old", "old/a.jsonl"] {
        let found = run(&folder, &format!("--jsonl n.jsonl --output - --against {against}"), "");
        assert_eq!((found.output, found.status), (line("2", 30) + "\n", 0), "{against}");
        let pairs =
            run(&folder, &format!("--jsonl n.jsonl --format paths --against {against}"), "");
        assert_eq!(pairs.output, "1\nold/a.jsonl/7\n", "{against}");
    }
}

fn parsed(line: &str) -> Value {
    serde_json::from_str(line).unwrap()
}

/// Checks that existing files stay, and that no incomplete output is left, if there is an error.
#[test]
fn nothing_is_written_where_something_is_wrong() {
    let good = [line("a", 0), line("b", 1)].join("\n") + "\n";
    let bad = good.clone() + "no JSON\n" + &line("c", 5);
    let twice = good.clone() + &line("a", 70);
    let files = [
        ("good.jsonl", good.as_str()),
        ("bad.jsonl", &bad),
        ("twice.jsonl", &twice),
        ("out", "earlier\n"),
    ];
    let folder = folder("wrong", &files);
    #[cfg(unix)]
    {
        fs::hard_link(folder.join("good.jsonl"), folder.join("hard")).unwrap();
        std::os::unix::fs::symlink("good.jsonl", folder.join("link")).unwrap();
    }
    let before = names(&folder);
    let lines = [
        "--jsonl bad.jsonl --keep first --output out",
        "--jsonl bad.jsonl --keep first --output new --removed gone",
        "--jsonl bad.jsonl --keep first --dry-run",
        "--jsonl bad.jsonl --keep first --output -",
        "--jsonl twice.jsonl --keep first --output out",
        "--jsonl none.jsonl --keep first --output out",
        "--jsonl good.jsonl --keep first --output good.jsonl",
        "--jsonl good.jsonl --keep first --output ./good.jsonl",
        "--jsonl good.jsonl --keep first --output x --removed good.jsonl",
        "--jsonl good.jsonl --keep first --output out --removed out",
        "--jsonl bad.jsonl --against good.jsonl --output good.jsonl",
        "--jsonl good.jsonl --keep first --output no/folder",
        "--jsonl good.jsonl --keep first --output new --removed no/folder",
        "--jsonl good.jsonl --keep first --output no/folder --dry-run",
        "--jsonl good.jsonl --keep first --output .",
        "--jsonl good.jsonl --keep first --output new --removed . --dry-run",
        "--jsonl good.jsonl --keep first --format json=.",
        "--jsonl good.jsonl --keep first --output new/",
        "--jsonl good.jsonl --keep first --format json=new/ --dry-run",
        "--jsonl good.jsonl --output out",
        "--jsonl good.jsonl --dry-run",
        "good.jsonl --jsonl good.jsonl --keep first --output out",
        "--jsonl good.jsonl --keep first --output out --annotate id",
        "--jsonl good.jsonl --keep first --output new.csv",
        "--jsonl good.jsonl --keep first --output new --removed gone.parquet.gz",
        "--jsonl good.jsonl --keep first --output - --format jsonl",
        "--jsonl good.jsonl --keep first --output new --removed - --format jsonl",
        "--jsonl good.jsonl --keep first --output - --report -",
        "--jsonl good.jsonl --keep first --removed - --report - --quiet",
        "--jsonl good.jsonl --keep first --output out --nearest 1",
        "--jsonl good.jsonl --keep first --output out --list",
        "--jsonl good.jsonl --against bad.jsonl --each-against --keep first",
        "--jsonl good.jsonl --against bad.jsonl --each-against --output out",
        "--jsonl good.jsonl --against bad.jsonl --each-against --format csv",
        "--jsonl good.jsonl --against bad.jsonl --each-against --passages off",
    ];
    let checked = |line: &str| {
        let found = with_input(&folder, line, "");
        assert_eq!(names(&folder), before, "{line}");
        assert_eq!(read_existing(folder.join("out")).unwrap(), "earlier\n", "{line}");
        assert_eq!(read_existing(folder.join("good.jsonl")).unwrap(), good, "{line}");
        found
    };
    let mut transcript = Transcript::default();
    for flags in lines {
        let line = format!("corpus {flags}");
        transcript.error(&line, &checked(&line));
    }
    transcript.assert_snapshot("clean");
    #[cfg(unix)]
    for name in ["hard", "link"] {
        let found = checked(&format!("corpus --jsonl good.jsonl --keep first --output {name}"));
        let want = "is also a file of records, expected a separate file\n";
        assert_eq!((found.status, found.output.as_str()), (2, ""), "{name}");
        let want = format!("dedup: --output {name}: {want}");
        assert!(found.errors.starts_with(&want), "{}", found.errors);
    }
}

/// Checks links to a file that does not exist yet, and links that lead in a circle.
#[cfg(unix)]
#[test]
fn a_link_is_kept_and_the_file_that_it_leads_to_is_written() {
    use std::os::unix::fs::symlink;
    let folder = folder("links", &[("in.jsonl", &line("a", 0))]);
    for (link, to) in [("one", "two"), ("two", "made"), ("here", "there"), ("there", "here")] {
        symlink(to, folder.join(link)).unwrap();
    }
    assert_eq!(run(&folder, "--jsonl in.jsonl --keep first --output one", "").status, 0);
    assert_eq!(read_existing(folder.join("made")).unwrap(), line("a", 0));
    let found = run(&folder, "--jsonl in.jsonl --keep first --output here", "");
    assert!(found.errors.starts_with("dedup: here: cannot be written"), "{}", found.errors);
    assert_eq!(found.status, 2);
    for link in ["one", "two", "here", "there"] {
        assert!(folder.join(link).is_symlink(), "{link}");
    }
}

/// Returns records: the number of the first word, and the way in which the line is written.
fn lines() -> impl Strategy<Value = Vec<(usize, u8)>> {
    proptest::collection::vec((0_usize..30, 0_u8..5), 1..16)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(if cfg!(debug_assertions) { 16 } else { 64 }))]

    /// Checks that the kept and the removed records are those of the input, each line once, and
    /// that an annotated line is the original line with a field added.
    #[test]
    fn kept_and_removed_are_the_input(lines in lines(), has_end in any::<bool>()) {
        let mut input = String::new();
        let mut ids: Vec<(String, String)> = Vec::new();
        for (number, (from, kind)) in lines.iter().enumerate() {
            let id = format!("t{}", (number * 7) % 16);
            let record = line(&id, *from);
            let record = match kind {
                0 => format!("  {record}\r\n"),
                1 => format!("{}\n", record.replacen('{', "{ \"url\" : [ {} ] , ", 1)),
                2 => format!("{record}  \n"),
                _ => format!("{record}\n"),
            };
            input += &record;
            ids.push((id, record));
            if *kind == 4 {
                input += "\n";
            }
        }
        let cut = input.trim_end().len();
        if !has_end {
            input.truncate(cut);
        }
        let folder = folder("property", &[("in.jsonl", &input)]);
        let flags = "--jsonl in.jsonl --keep first";
        let found = run(&folder, &format!("{flags} --output out --removed gone"), "");
        prop_assert_eq!(found.status, 0, "{}", found.errors);
        let (out, gone) = (read_existing(folder.join("out")).unwrap(), read_existing(folder.join("gone")).unwrap());
        let gone: Vec<Value> = gone.lines().map(parsed).collect();
        let removed: BTreeMap<&str, &str> = gone
            .iter()
            .map(|it| (it["id"].as_str().unwrap(), it["kept_id"].as_str().unwrap()))
            .collect();
        prop_assert_eq!(removed.len(), gone.len(), "each once");
        for (id, kept) in &removed {
            prop_assert!(id != kept && !removed.contains_key(kept), "the partner is kept");
        }
        let mut want = String::new();
        let mut rest = input.as_str();
        while !rest.is_empty() {
            let (line, others) = rest.split_at(rest.find('\n').map_or(rest.len(), |end| end + 1));
            let of_record = ids.iter().find(|(_, record)| record.trim_end() == line.trim_end());
            if of_record.is_none_or(|(id, _)| !removed.contains_key(id.as_str())) {
                want += line;
            }
            rest = others;
        }
        prop_assert_eq!(&out, &want);
        let found = run(&folder, &format!("{flags} --output all --annotate of"), "");
        prop_assert_eq!(found.status, 0, "{}", found.errors);
        let mut all = read_existing(folder.join("all")).unwrap();
        for (id, record) in &ids {
            let field = match removed.get(id.as_str()) {
                Some(kept) => format!(",\"of\":\"{kept}\"}}"),
                None => ",\"of\":null}".to_owned(),
            };
            let record = record.trim();
            let with_field = record[..record.len() - 1].to_owned() + &field;
            prop_assert!(all.contains(&with_field), "{}", with_field);
            all = all.replacen(&with_field, record, 1);
        }
        prop_assert_eq!(all, input);
    }
}
