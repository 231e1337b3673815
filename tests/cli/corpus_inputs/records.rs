//! Tests of records: lines of JSON, and errors in them.

use super::*;
use crate::transcript::errors;

#[test]
fn records_are_read_as_texts_are() {
    let lines = [
        "\u{feff}{\"id\":\"plain\",\"text\":\"A copper kettle\"}\r",
        "",
        "{\"id\":\"notes.md\",\"text\":\"# A *copper* kettle\"}",
        "{\"id\":\"page\",\"text\":\"<!DOCTYPE html><meta charset=latin1><p>caf\u{e9}</p>\"}",
    ];
    let docs = lines.join("\n");
    let folder = folder("records", &[("docs.jsonl", docs.as_bytes())]);
    let output = |line: &str| {
        let run = run_in(&folder, line);
        assert_eq!((run.errors.as_str(), run.status), ("", 0), "{line}");
        run.output
    };
    let counted = "3 texts, 0 failed\n";
    let sizes = ["plain\t15", "plain\t19", "plain\t48"];
    let want = format!(
        "plain\t{}\t-\nnotes.md\t{}\t-\npage\t{}\t-\n{counted}",
        sizes[0], sizes[1], sizes[2]
    );
    assert_eq!(output("--jsonl docs.jsonl"), want);
    assert_eq!(output("--jsonl docs.jsonl --encoding latin1"), want);
    let all = want.replace("\tplain\t", "\tmarkdown\t");
    assert_eq!(output("--jsonl docs.jsonl --markdown on"), all);
    assert_eq!(output("--jsonl docs.jsonl --html off"), want);
    let page = want.replace("page\tplain", "page\thtml");
    assert_eq!(output("--jsonl docs.jsonl --html main"), page);
}

/// Checks that ids look like paths only: with a file in the run, too, they are printed as given.
#[test]
fn ids_are_not_changed_where_there_are_files() {
    let text = "kettle stove river window garden ladder candle basket";
    let record = |id: &str| serde_json::json!({ "id": id, "text": text }).to_string() + "\n";
    let ids = ["https://e.org/a//b", "https://e.org/a/b"];
    let records = ids.map(record).concat();
    let files: [(&str, &[u8]); 2] = [("r.jsonl", records.as_bytes()), ("n.txt", b"one two three")];
    let folder = folder("urls", &files);
    for format in
        ["text", "jsonl", "csv", "paths", "markdown", "github", "gitlab", "junit", "sarif"]
    {
        let line = format!("corpus --jsonl r.jsonl --format {format}");
        let alone = with_input(&folder, &line, "").output;
        let with_file = with_input(&folder, &format!("{line} n.txt"), "").output;
        let names = |output: &str| -> Vec<String> {
            let parts = output.split(|letter: char| " ,\n\"`<>=".contains(letter));
            parts.filter(|part| part.contains("e.org")).map(str::to_owned).collect()
        };
        assert_eq!(names(&with_file), names(&alone), "{format}");
        assert!(!names(&alone).is_empty(), "{format}");
        assert!(!with_file.contains("uriBaseId"), "{format}");
    }
}

#[test]
fn fields_are_those_named() {
    let docs = br#"{"id":1,"text":"kettle","url":"x/y","body":"lid"}"#;
    let folder = folder("fields", &[("docs.jsonl", docs)]);
    let run = run_in(&folder, "--jsonl docs.jsonl --id url --text body");
    assert_eq!(run.output, "x/y\tplain\t3\t-\n1 text, 0 failed\n");
}

#[test]
fn bad_lines_are_named_by_their_numbers_and_the_others_are_read() {
    let lines: &[&[u8]] = &[
        b"{\"id\":\"a\",\"text\":\"kettle\"}",
        b"hello",
        b"",
        b"{\"id\":\"b\"}",
        b"{\"id\":\"a\",\"text\":\"lid\"}",
        b"{\"id\":\"c\",\"text\":\"caf\xe9 caf\xc3\xa9\"}",
        b"{\"id\":\"d\",\"text\":\"a\\u0000b\"}",
        b"{\"id\":\"e\",\"text\":\"lid\"}",
    ];
    let docs = lines.join(&b'\n');
    let folder = folder("bad_lines", &[("docs.jsonl", &docs), ("a", b"kettle"), ("e", b"lid")]);
    let printed = |run: &Run| -> Vec<String> {
        let printed =
            run.errors.lines().filter_map(|line| line.strip_prefix("dedup: docs.jsonl: "));
        printed.map(str::to_owned).collect()
    };
    let all = run_in(&folder, "--jsonl docs.jsonl");
    assert_eq!((names(&all).join(" ").as_str(), all.status), ("a e", 2));
    assert_eq!(counts(&all), "2 texts, 5 failed");
    #[rustfmt::skip]
    assert_eq!(printed(&all), [
        "line 2: not JSON at byte 1, expected an object on one line",
        "line 4: no field text, expected one",
        "line 5: the name a is already used by docs.jsonl: line 1, expected a unique name",
        "line 6: c: damaged UTF-8: byte 0xe9 at offset 3, expected a text in UTF-8",
        "line 7: d: not a text: NUL byte at offset 1",
    ]);
    assert!(all.errors.contains("\nhint: each line is one record, such as "), "{}", all.errors);
    let long = "{\"id\":\"1\",\"text\":\"pot\"}\n".replace("pot", &"kettle ".repeat(20)).repeat(2);
    let by_text = with_input(&folder, "corpus --jsonl - --text id --id text", long);
    let cut = "dedup: -: line 2: the name kettle kettle kettle kettle kettle kettle kettle kettle \
               kettle kettle kettle ket… is already used by -: line 1, expected a unique name\n";
    assert!(by_text.errors.starts_with(cut), "{}", by_text.errors);
    assert!(all.errors.contains("; --id FIELD and --text FIELD select other fields\n"));
    assert!(
        all.errors.contains(
            "\nhint: --id FIELD uses another field as name, --id off the file and line\n"
        )
    );
    let lossy = run_in(&folder, "--jsonl docs.jsonl --lossy");
    assert_eq!(names(&lossy).join(" "), "a c e");
    let with_files = run_in(&folder, "a e --jsonl docs.jsonl");
    assert_eq!(names(&with_files).join(" "), "a e");
    let of_files = printed(&with_files);
    assert_eq!(of_files[0], "line 1: the name a is already used by a file, expected a unique name");
    assert_eq!(of_files[6], "line 8: the name e is already used by a file, expected a unique name");
    let stopped = run_in(&folder, "--jsonl docs.jsonl --stop-on-error");
    assert_eq!((printed(&stopped).len(), stopped.output.as_str(), stopped.status), (1, "", 2));
}

#[test]
fn a_long_record_is_held_to_the_limit() {
    let long = format!("{{\"id\":1,\"text\":\"{}\"}}", "kettle ".repeat(2_600_000));
    let docs = format!("{{\"id\":0,\"text\":\"lid\"}}\n{long}\n{{\"id\":2,\"text\":\"lid\"}}\n");
    let folder = folder("long", &[("docs.jsonl", docs.as_bytes())]);
    let limit = long.len();
    for max_bytes in [limit.to_string(), "off".to_owned()] {
        let run = run_in(&folder, &format!("--jsonl docs.jsonl --max-bytes {max_bytes}"));
        assert_eq!((run.errors.as_str(), run.status), ("", 0), "{max_bytes}");
        assert_eq!(names(&run).join(" "), "0 1 2", "{max_bytes}");
    }
    for max_bytes in [limit - 1, 1000] {
        let run = run_in(&folder, &format!("--jsonl docs.jsonl --max-bytes {max_bytes}"));
        let message = format!(
            "dedup: docs.jsonl: line 2: larger than the limit of {max_bytes} bytes\nhint: --max-bytes off lifts the limit\n"
        );
        assert_eq!((run.errors.as_str(), run.status), (message.as_str(), 2));
        assert_eq!(names(&run).join(" "), "0 2");
    }
}

#[test]
fn bad_usage_is_reported() {
    let folder =
        folder("usage", &[("a.txt", b"kettle"), ("docs.jsonl", b"{\"id\":1,\"text\":\"lid\"}")]);
    let cases = [
        ("a side of a language", "corpus a.txt --lang left=ca"),
        ("two languages", "corpus a.txt --lang ca --lang es"),
        ("a side of an encoding", "corpus a.txt --encoding right=latin1"),
        ("input twice", "corpus - --files-from -"),
        ("for a template", "corpus --jsonl - --template -"),
        ("for a list", "corpus --against - a.txt --stopwords -"),
        ("two lists", "corpus --files-from a --files0-from b"),
        ("nothing to walk", "corpus --jsonl docs.jsonl --gitignore"),
        ("a field of files", "corpus a.txt --group by"),
        ("one field for both", "corpus --jsonl docs.jsonl --id text"),
        ("groups by text", "corpus --jsonl docs.jsonl --group text"),
        ("fields of files", "corpus a.txt --id url"),
        ("the newest file", "corpus a.txt --keep newest:date"),
        ("the newest of what", "corpus a.txt --keep newest"),
        ("quiet json", "corpus a.txt --quiet --format jsonl"),
        ("no thread", "corpus a.txt --threads 0"),
        ("too many", "corpus a.txt --threads 257"),
        ("no neighbour", "corpus a.txt --nearest 0"),
        ("a flag of the pair", "corpus a.txt --explain"),
    ];
    errors("corpus_usage", &cases, |line| with_input(&folder, line, ""));
}

#[test]
fn a_file_with_the_name_of_the_command_can_be_named() {
    let folder = folder("named", &[("corpus", b"kettle"), ("a.txt", b"kettle")]);
    let advised = run_in(&folder, "a.txt");
    let want = "hint: corpus is a command; for the file, use ./corpus\n";
    assert_eq!((advised.errors.as_str(), advised.status), (want, 0));
    for arguments in
        [["./corpus", "a.txt", "-q"], ["-q", "corpus", "a.txt"], ["--", "corpus", "a.txt"]]
    {
        let pair = command().current_dir(&folder).args(arguments).output().unwrap();
        assert_eq!(pair.status.code(), Some(0), "{arguments:?}");
    }
    let folder = self::folder("named_folder", &[("corpus/a.txt", b"kettle"), ("a.txt", b"kettle")]);
    let run = run_in(&folder, "a.txt corpus");
    assert_eq!((run.errors.as_str(), run.status), ("", 0), "a folder is no text that is meant");
}

/// Checks nested fields, also in the records of the other side.
#[test]
fn fields_may_be_nested() {
    let line = |id: &str, date: u32, text: &str| {
        format!(
            "{{\"meta\":{{\"id\":\"{id}\",\"body\":\"{text}\",\"date\":{date},\"by\":\"x\"}}}}\n"
        )
    };
    let notice = "the river ferry does not run on Sundays while its engine is repaired";
    let docs = [line("a", 1, notice), line("b", 2, notice), line("c", 3, "a copper kettle")];
    let literal =
        "{\"meta.id\":\"d\",\"meta.body\":\"lid of a pan\",\"meta\":{\"body\":\"kettle\"}}\n";
    let docs = docs.concat() + literal;
    let folder = folder("nested", &[("docs.jsonl", docs.as_bytes())]);
    let nested = "--jsonl docs.jsonl --id meta.id --text meta.body";
    let listed = run_in(&folder, nested);
    assert_eq!((names(&listed).join(" ").as_str(), listed.errors.as_str()), ("a b c d", ""));
    assert!(listed.output.contains("d\tplain\t12\t-\n"), "{}", listed.output);
    let grouped = run_in(&folder, &format!("{nested} --group meta.by"));
    assert!(grouped.output.contains("a\tplain\t68\tx\n"), "{}", grouped.output);
    let keep =
        |which: &str| with_input(&folder, &format!("corpus {nested} --keep {which}"), "").output;
    assert!(keep("newest:meta.date").starts_with("b\nc\nd\n"), "{}", keep("newest:meta.date"));
    assert!(keep("first").starts_with("a\nc\nd\n"), "{}", keep("first"));
    let found = with_input(&folder, &format!("corpus {nested} --keep field:meta.score"), "");
    assert_eq!((found.status, found.output.as_str()), (2, ""));
    assert!(
        found.errors.starts_with("dedup: --keep: no record has a field meta.score"),
        "{}",
        found.errors
    );
}

/// Checks that a record without an id is named by its file and line, unless `--id` is given.
#[test]
fn ids_default_to_file_and_line() {
    let docs = "{\"text\":\"kettle\"}\n\n{\"text\":\"lid\",\"id\":\"x\"}\n{\"text\":\"pan\"}\n";
    let old = "{\"text\":\"kettle\",\"id\":1}\n{\"text\":\"pan\"}\n";
    let files = [("docs.jsonl", docs.as_bytes()), ("old.jsonl", old.as_bytes())];
    let folder = folder("places", &files);
    let listed = run_in(&folder, "--jsonl docs.jsonl --against old.jsonl");
    assert_eq!(names(&listed).join(" "), "docs.jsonl:1 x docs.jsonl:4 old.jsonl/1 old.jsonl:2");
    assert_eq!((listed.errors.as_str(), listed.status), ("", 0));
    let piped = with_input(&folder, "corpus --list --no-config --jsonl -", docs);
    assert_eq!(names(&piped).join(" "), "-:1 x -:4");
    let given = run_in(&folder, "--jsonl docs.jsonl --id id");
    assert_eq!((names(&given).join(" ").as_str(), given.status), ("x", 2));
    let twice = docs.to_owned() + "{\"text\":\"pot\",\"id\":\"docs.jsonl:1\"}\n";
    fs::write(folder.join("docs.jsonl"), twice).unwrap();
    let found = run_in(&folder, "--jsonl docs.jsonl");
    let want = "dedup: docs.jsonl: line 5: the name docs.jsonl:1 is already used by docs.jsonl: \
                line 1, expected a unique name\nhint: --id FIELD uses another field as name, --id \
                off the file and line\n";
    assert_eq!((found.errors.as_str(), found.status), (want, 2));
}
