//! Tests of CSV and TSV records: the same answers as from JSON Lines, and bytes that are kept.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use proptest::prelude::*;
use serde_json::Value;

use crate::common::{Run, empty_folder, is_installed, read_existing, read_file, with_input, words};
use crate::transcript::Transcript;

/// The limit of these tests: half of the distinct words.
const HALF: &str = "--lang none --min 1 --max 1 --jaccard 0.5 --hamming off";

fn folder(name: &str, files: &[(&str, &str)]) -> PathBuf {
    let folder = empty_folder("tables", name);
    for (name, content) in files {
        fs::write(folder.join(name), content).unwrap();
    }
    folder
}

fn run(folder: &Path, flags: &str) -> Run {
    with_input(folder, &format!("corpus {HALF} {flags}"), "")
}

/// Returns the sample of records as a table.
fn table(delimiter: char) -> String {
    let quoted = |value: &Value| match value.as_str() {
        Some(value) => format!("\"{}\"", value.replace('"', "\"\"")),
        None => value.to_string(),
    };
    let lines = read_file("samples/notices.jsonl");
    let rows = lines.lines().map(|line| {
        let record: Value = serde_json::from_str(line).unwrap();
        format!("{}{delimiter}{}\n", quoted(&record["id"]), quoted(&record["text"]))
    });
    format!("id{delimiter}text\n") + &rows.collect::<String>()
}

#[test]
fn a_table_is_read_as_its_records_are_in_json_lines() {
    let folder = folder("same", &[("in.jsonl", &read_file("samples/notices.jsonl"))]);
    for (name, content) in [
        ("in.csv", table(',')),
        ("in.tsv", table('\t')),
        ("in", table(';')),
        ("no.txt", table('\t')),
    ] {
        fs::write(folder.join(name), content).unwrap();
    }
    let answer = |flags: &str| {
        let found = with_input(&folder, &format!("corpus --format jsonl {flags}"), table(','));
        assert_eq!(found.errors, "", "{flags}");
        found.output
    };
    let want = answer("--jsonl in.jsonl");
    assert!(!want.is_empty());
    for flags in [
        "--csv in.csv",
        "--csv in.tsv",
        "--csv in",
        "--csv no.txt",
        "--csv -",
        "--jsonl in.csv",
        "--jsonl in.tsv",
        "--csv in.jsonl",
    ] {
        assert_eq!(answer(flags), want, "{flags}");
    }
    let passages = answer("--jsonl in.jsonl --passages on");
    assert_eq!(answer("--csv in.csv --passages on"), passages, "texts are read again");
    let against = |old: &str| {
        let flags = format!("corpus --csv in.csv --against {old} --keep-by linked --keep first");
        with_input(&folder, &flags, "").output.replace(old, "old")
    };
    fs::copy(folder.join("in.csv"), folder.join("old.csv")).unwrap();
    fs::copy(folder.join("in.jsonl"), folder.join("old.jsonl")).unwrap();
    assert_eq!(against("old.csv"), against("old.jsonl"));
    assert!(against("old.csv").starts_with("0 of 8 texts kept\n"), "{}", against("old.csv"));
}

/// Checks that tables may be compressed like JSON Lines. The output is compressed if its name says
/// so.
#[test]
fn packed_tables_are_read_as_they_are_unpacked() {
    let folder = folder("packed", &[("in.csv", &table(','))]);
    let keep = |name: &str| {
        let flags = format!("corpus {name} --keep longest --output out --removed gone");
        let found = with_input(&folder, &flags, "");
        assert_eq!((found.status, found.errors.as_str()), (0, ""), "{name}");
        ["out", "gone"].map(|name| read_existing(folder.join(name)).unwrap())
    };
    let want = keep("--csv in.csv");
    assert!(want[0].starts_with("id,text\n") && want[1].starts_with("id,kept_id,"), "{want:?}");
    for (program, ending) in [("gzip", "gz"), ("zstd", "zst"), ("bzip2", "bz2"), ("xz", "xz")] {
        if !is_installed(program, "--version") {
            continue;
        }
        let packed = Command::new(program).arg("-c").arg(folder.join("in.csv")).output().unwrap();
        fs::write(folder.join(format!("p.csv.{ending}")), &packed.stdout).unwrap();
        for flag in ["--csv", "--jsonl"] {
            assert_eq!(keep(&format!("{flag} p.csv.{ending}")), want, "{program}");
        }
        fs::write(folder.join("cut"), &packed.stdout[..packed.stdout.len() / 2]).unwrap();
        let found = with_input(&folder, "corpus --csv cut --keep first --output new", "");
        assert_eq!((found.status, read_existing(folder.join("new"))), (2, None), "{program}");
        assert!(found.errors.starts_with("dedup: cut: line "), "{program}: {}", found.errors);
    }
}

/// Checks that the flags for fields name columns, and that ids default to file and line.
#[test]
fn columns_are_fields() {
    let docs = "key,body,by,date,meta.lang\n\
                a,\"one, \"\"two\"\"\nthree\",x,7,en\n\
                b,kettle,,,\n\
                c,lid,y,\"2024\",ca\n";
    let folder = folder("columns", &[("docs.csv", docs)]);
    let list = |flags: &str| {
        let found = with_input(&folder, &format!("corpus --list --csv docs.csv {flags}"), "");
        assert_eq!((found.errors.as_str(), found.status), ("", 0), "{flags}");
        found.output
    };
    let want = "a\tplain\t16\tx\nb\tplain\t6\t-\nc\tplain\t3\ty\n3 texts, 0 failed\n";
    assert_eq!(list("--id key --text body --group by"), want);
    let want = "docs.csv:2\tplain\t16\ten\ndocs.csv:4\tplain\t6\t-\ndocs.csv:5\tplain\t3\tca\n\
                3 texts, 0 failed\n";
    assert_eq!(list("--text body --group meta.lang"), want);
    let same = "key,body,date\na,one two three,9\nb,one two three,10\nc,one two three,\n";
    fs::write(folder.join("docs.csv"), same).unwrap();
    let keep =
        |which: &str| run(&folder, &format!("--csv docs.csv --text body --id key --keep {which}"));
    assert!(keep("newest:date").output.starts_with("b\n"), "{}", keep("newest:date").output);
    assert_eq!(keep("newest:when").status, 2);
}

/// Checks that a table without a header is read, cut and written as the same one with a header.
#[test]
fn without_a_header_columns_have_numbers() {
    let with_header = table(',');
    let without = with_header.split_once('\n').unwrap().1;
    let files = [("in.csv", with_header.as_str()), ("bare.csv", without)];
    let folder = folder("headerless", &files);
    let bare = "--csv bare.csv --header off --id 1 --text 2";
    for flags in ["--format jsonl", "--format jsonl --passages on", "--format csv --keep first"] {
        let want = run(&folder, &format!("--csv in.csv {flags}"));
        assert_eq!(run(&folder, &format!("{bare} {flags}")).output, want.output, "{flags}");
    }
    let clean = |input: &str, output: &str| {
        let run = run(&folder, &format!("{input} --keep first --output {output}"));
        assert_eq!(run.errors, "");
        read_existing(folder.join(output)).unwrap()
    };
    let kept = clean("--csv in.csv", "kept.csv");
    assert_eq!(format!("id,text\n{}", clean(bare, "bare_kept.csv")), kept);
    assert!(kept.lines().count() < with_header.lines().count());
    let error = run(&folder, "--csv bare.csv --header off").errors;
    let want = "dedup: bare.csv: line 1: no field text, expected one\nhint: the fields are 1, 2; ";
    assert!(error.starts_with(want), "{error}");
    let lonely = run(&folder, "in.csv --header off").errors;
    assert!(lonely.contains("--header off without --jsonl, --csv or --parquet"), "{lonely}");
}

#[test]
fn rows_are_kept_byte_for_byte() {
    let (a, b, c) = (words(0), words(1), words(50));
    let (a, b, c) = (format!("a,\"{a}\n\""), format!("b,{b}"), format!("\"c\",{c}"));
    let filled = |form: &str| form.replace('A', &a).replace('B', &b).replace('C', &c);
    let table = [
        ("as they are", "id,text\nA\nB\nC\n", "", "id,text\nA\nC\n"),
        ("no end of the last", "id,text\nA\nB\nC", "", "id,text\nA\nC"),
        ("the last one goes", "id,text\nA\nC\nB", "", "id,text\nA\nC\n"),
        ("ends of Windows", "id,text\r\nA\r\nB\r\nC\r\n", "", "id,text\r\nA\r\nC\r\n"),
        ("ends of old Macs", "id,text\rA\rB\rC\r", "", "id,text\rA\rC\r"),
        ("blank rows", "\nid,text\n\nA\nB\n\nC\n", "", "\nid,text\n\nA\n\nC\n"),
        ("a mark", "\u{feff}id,text\nA\nB\n", "", "\u{feff}id,text\nA\n"),
        ("two files", "id,text\nA\n", "\u{feff}id,text\nB\nC\n", "id,text\nA\nC\n"),
        ("only blank rows in the first", "\n\n", "id,text\nA\nB\nC\n", "\n\nid,text\nA\nC\n"),
        ("one without an end", "\"id\",text\nA", "id,text\nC\nB", "\"id\",text\nA\nC\n"),
    ];
    for (why, one, other, want) in table {
        let [one, other, want] = [one, other, want].map(filled);
        let folder = folder("bytes", &[("one.csv", &one), ("other.csv", &other)]);
        let flags = "--csv one.csv --csv other.csv --keep first --output out --removed gone";
        let found = run(&folder, flags);
        assert_eq!(found.status, 0, "{why}: {}", found.errors);
        assert_eq!(read_existing(folder.join("out")).unwrap(), want, "{why}");
        let gone = "id,kept_id,verdict,jaccard,coverage,same,changed\nb,a,near-duplicate,0.7777777777777778,,,\n";
        assert_eq!(read_existing(folder.join("gone")).unwrap(), gone, "{why}");
        // Standard input is read once, and copied to a temporary file.
        let piped = "--csv - --csv other.csv --keep first --output out --removed -";
        let found = with_input(&folder, &format!("corpus {HALF} {piped}"), &one);
        assert_eq!((found.status, found.output.as_str()), (0, gone), "{why}: {}", found.errors);
        assert_eq!(read_existing(folder.join("out")).unwrap(), want, "{why}, from standard input");
    }
    let folder = folder("header", &[("in.csv", "id,text\n")]);
    let found = run(&folder, "--csv in.csv --keep first --output out");
    assert_eq!((found.status, read_existing(folder.join("out"))), (2, None), "{}", found.errors);
}

#[test]
fn a_column_says_what_a_record_is_a_duplicate_of() {
    let docs = format!("id;text\r\n\"a;1\";{}\r\n\r\nb;{}\r\nc;{}", words(0), words(1), words(50));
    let folder = folder("column", &[("in.csv", &docs)]);
    let flags = "--csv in.csv --keep first --output out --annotate duplicate_of";
    assert_eq!(run(&folder, flags).status, 0);
    let want = docs.replace("id;text", "id;text;duplicate_of").replace("\r\n\r\n", ";\r\n\r\n");
    let want = want.replace(&words(1), &format!("{};\"a;1\"", words(1))) + ";";
    assert_eq!(read_existing(folder.join("out")).unwrap(), want);
    // With a separator in its name, another one could be taken for that of the file.
    let found = run(&folder, "--csv in.csv --keep first --output x --annotate a,b,c,d");
    let want = "dedup: --annotate a,b,c,d, expected a column name without separators and quotes\n";
    assert_eq!((found.status, found.errors.as_str()), (2, want));
    fs::write(folder.join("out"), "earlier").unwrap();
    fs::write(
        folder.join("in.csv"),
        docs.replace("id;text", "id;duplicate_of").replace("text", ""),
    )
    .unwrap();
    let found = run(&folder, &(flags.to_owned() + " --text duplicate_of"));
    assert_eq!(found.status, 2);
    let docs = format!("id,text,duplicate_of\na,{},\n", words(0));
    fs::write(folder.join("in.csv"), docs).unwrap();
    let found = run(&folder, flags);
    let want = "dedup: in.csv: line 1: already has a field duplicate_of, expected a new field for \
                --annotate\nhint: choose another name for --annotate\n";
    assert_eq!((found.status, found.errors.as_str()), (2, want));
    assert_eq!(read_existing(folder.join("out")).unwrap(), "earlier");
}

/// Checks that each is an error that names the file and the line, and that nothing is written.
#[test]
fn what_is_wrong_with_a_table_is_an_error() {
    let long = format!("id,text\n1,{}\n2,x\n", "kettle ".repeat(100));
    let table: [(&str, &[u8], &str); 10] = [
        ("too few", b"id,text\n1,a\n\n2\n3,b\n", ""),
        ("too many", b"id,text\n1,\"a\nb\"\n2,b,c\n", ""),
        ("no column", b"key,body\n1,a\n2,b\n3,c\n4,d\n", ""),
        ("two columns", b"id,text,text\n1,a,b\n", ""),
        ("open quotes", b"id,text\n1,a\n2,\"b\n3,c\n", ""),
        ("too long", long.as_bytes(), "--max-bytes 500"),
        ("UTF-16", b"\xff\xfei\0d\0,\0t\0\n\0", ""),
        ("no UTF-8", b"id,text,caf\xe9\n1,a,b\n", ""),
        ("a damaged text", b"id,text\n1,a\n2,caf\xe9 caf\xc3\xa9\n", ""),
        ("an id twice", b"id,text\n1,a\n1,b\n", ""),
    ];
    let mut transcript = Transcript::default();
    for (why, bytes, flags) in table {
        let folder = folder("wrong", &[("out", "earlier")]);
        fs::write(folder.join("in.csv"), bytes).unwrap();
        let found = run(&folder, &format!("--csv in.csv --keep first --output out {flags}"));
        assert_eq!((found.status, found.output.as_str()), (2, ""), "{why}");
        assert_eq!(read_existing(folder.join("out")).unwrap(), "earlier", "{why}");
        // This run stops at the first error. Others may follow if all records are read.
        let line = format!("corpus --csv in.csv {flags}");
        let all = with_input(&folder, &line, "");
        assert!(all.errors.starts_with(&found.errors), "{why}: {}", all.errors);
        assert_eq!(found.errors.lines().count(), 2, "{why}: {}", found.errors);
        assert_eq!(all.status, 2, "{why}");
        transcript.case(why);
        transcript.run(line.trim_end(), &all);
    }
    transcript.assert_snapshot("tables");
}

#[test]
fn files_that_are_written_as_one_are_of_one_form() {
    let folder = folder(
        "form",
        &[
            ("a.csv", "id,text\n1,a kettle\n"),
            ("b.csv", "text,id\na lid,2\n"),
            ("c.csv", "id;text\n3;a pan\n"),
            ("d.jsonl", "{\"id\":4,\"text\":\"a pot\"}\n"),
            ("e.tsv", "id\ttext\n5\ta lamp\n"),
        ],
    );
    let hint = "hint: a run of dedup corpus --output writes records of only one format\n";
    #[rustfmt::skip]
    let table = [
        ("--csv a.csv --csv b.csv",     "dedup: b.csv: another header than a.csv, expected the same header\n"),
        ("--csv a.csv --csv c.csv",     "dedup: c.csv: another header than a.csv, expected the same header\n"),
        ("--csv a.csv --jsonl d.jsonl", "dedup: a.csv: CSV, expected JSON Lines as in d.jsonl\n"),
        ("--csv e.tsv --jsonl d.jsonl", "dedup: e.tsv: TSV, expected JSON Lines as in d.jsonl\n"),
    ];
    for (flags, want) in table {
        for output in ["out", "-"] {
            let found = run(&folder, &format!("{flags} --keep first --output {output}"));
            assert_eq!(
                (found.status, found.errors, found.output.as_str()),
                (2, format!("{want}{hint}"), "")
            );
        }
        let compared = run(&folder, &format!("{flags} --clusters"));
        assert_eq!((compared.status, compared.errors.as_str()), (1, ""), "{flags}");
    }
    assert_eq!(read_existing(folder.join("out")), None);
}

fn cell() -> impl Strategy<Value = String> {
    let text = prop::collection::vec(0_usize..12, 1..8);
    let words = text.prop_map(|words| {
        words.iter().map(|word| format!("word{word}")).collect::<Vec<_>>().join(" ")
    });
    prop_oneof![words.clone(), words.prop_map(|words| format!("\"{words}\n, \"\"and\"\"\""))]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// Checks that the kept and the removed rows are those of the input, each once, and that JSON
    /// Lines of the same records give the same result.
    #[test]
    fn kept_and_removed_are_the_input(
        texts in prop::collection::vec(cell(), 1..9),
        end in prop::sample::select(vec!["\n", "\r\n"]),
    ) {
        let rows: Vec<String> =
            texts.iter().enumerate().map(|(id, text)| format!("{id},{text}{end}")).collect();
        let unquoted = |text: &str| {
            let inner = text.strip_prefix('"').and_then(|it| it.strip_suffix('"'));
            inner.map_or_else(|| text.to_owned(), |inner| inner.replace("\"\"", "\""))
        };
        let lines: Vec<String> = (texts.iter().enumerate())
            .map(|(id, text)| serde_json::json!({"id": id, "text": unquoted(text)}).to_string() + "\n")
            .collect();
        let header = format!("id,text{end}");
        let table = header.clone() + &rows.concat();
        let folder = folder("property", &[("in.csv", &table), ("in.jsonl", &lines.concat())]);
        for flag in ["--csv in.csv", "--jsonl in.jsonl"] {
            let ending = flag.rsplit_once('.').unwrap().1;
            let flags = format!("{flag} --keep longest --output out.{ending} --removed gone.{ending}");
            let found = run(&folder, &flags);
            prop_assert_eq!(found.status, 0, "{}", found.errors);
        }
        let kept = read_existing(folder.join("out.csv")).unwrap();
        let gone = read_existing(folder.join("gone.csv")).unwrap();
        let gone: BTreeSet<usize> =
            gone.lines().skip(1).map(|line| line.split(',').next().unwrap().parse().unwrap()).collect();
        let is_kept = |id: &usize| !gone.contains(id);
        let want = |all: &[String]| (0..all.len()).filter(is_kept).map(|id| &*all[id]).collect::<String>();
        prop_assert_eq!(kept, header + &want(&rows));
        prop_assert_eq!(read_existing(folder.join("out.jsonl")).unwrap(), want(&lines));
    }
}
