//! Tests of `dedup spans`: runs of words that occur at two or more places.

use std::io::Write;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::common::{Run, command, empty_folder, read_file, records_without_text, with_input};
use crate::transcript::errors;

const SENTENCE: &str = "The kettle on the old stove boils over every morning before anyone is awake \
                        in the house by the river.";

/// Creates a folder for the test, with texts and records.
fn place(test: &str) -> PathBuf {
    let place = empty_folder("spans", test);
    let files = [
        ("in/a.txt", format!("First things first. {SENTENCE} And then there was tea.\n")),
        (
            "in/b.txt",
            format!("Another begins.\n\n{}\nIt ends there.\n", SENTENCE.replace(" on", "\nON")),
        ),
        (
            "r.jsonl",
            format!(
                "{{\"id\": 1, \"text\": \"{SENTENCE} One.\"}}\n{{\"id\":2,\"text\" : \"Zwei\\u002e {SENTENCE}\",\"x\": [1]}}"
            ),
        ),
    ];
    std::fs::create_dir(place.join("in")).unwrap();
    for (name, content) in files {
        std::fs::write(place.join(name), content).unwrap();
    }
    place
}

fn run_in(place: &Path, line: &str) -> Run {
    command().current_dir(place).args(line.split(' ')).output().unwrap().into()
}

fn run(test: &str, line: &str) -> Run {
    run_in(&place(test), line)
}

/// Returns the names in a folder.
fn names(place: &Path) -> Vec<String> {
    let names = std::fs::read_dir(place).unwrap().map(|it| it.unwrap().file_name());
    let mut names: Vec<_> = names.map(|name| name.into_string().unwrap()).collect();
    names.sort_unstable();
    names
}

#[test]
fn runs_are_listed_with_their_places() {
    let run = run("text", "spans in --min-words 10");
    let want = "\
1 run of 10 words or more occurs at two or more places in 2 texts; 20 of 53
words also occur earlier (37\u{a0}%).

20 words at 2 places
  The kettle on the old stove boils over every morning before anyone is awake…
  in/a.txt, line 1
  in/b.txt, lines 3 to 4
";
    assert_eq!((&*run.output, &*run.errors, run.status), (want, "", 0));
}

#[test]
fn as_they_are_written_runs_have_the_same_bytes() {
    let place = place("exact");
    // The second text has other line ends and case inside the run. The text after that is equal.
    let run = run_in(&place, "spans in --min-words 10 --exact");
    let want = "\
1 run of 10 words or more occurs byte for byte at two or more places in 2 texts;
17 of 53 words also occur earlier (32\u{a0}%).

17 words at 2 places
  the old stove boils over every morning before anyone is awake in the house by…
  in/a.txt, line 1
  in/b.txt, line 4
";
    assert_eq!((&*run.output, &*run.errors, run.status), (want, "", 0));
    let none = run_in(&place, "spans in --min-words 18 --exact");
    let want = "No run of 18 words or more occurs twice byte for byte in 2 texts, 53 words.\n";
    assert_eq!((&*none.output, none.status), (want, 1));
    let json = run_in(&place, "spans in --min-words 10 --exact --format json").output;
    let json: Value = serde_json::from_str(&json).unwrap();
    let want = json!({"min_words": 10, "exact": true, "whole_sentences": false});
    assert_eq!(json["parameters"], want);
    let cut = run_in(&place, "spans in --min-words 10 --exact --output clean");
    assert!(cut.output.ends_with("\n17 words, 89 bytes, are removed.\n"), "{}", cut.output);
    let kept = "Another begins.\n\nThe kettle\nON It ends there.\n";
    assert_eq!(read_file(place.join("clean/b.txt")), kept);
}

/// Checks that the bytes are those of the files, whatever their encoding.
#[test]
fn the_bytes_that_are_removed_are_those_that_the_output_lacks() {
    let place = empty_folder("spans", "bytes");
    let text = format!("One. {SENTENCE}\n");
    let wide: Vec<u8> =
        ("\u{feff}".to_owned() + &text).encode_utf16().flat_map(u16::to_le_bytes).collect();
    std::fs::create_dir(place.join("in")).unwrap();
    std::fs::write(place.join("in/a.txt"), &text).unwrap();
    std::fs::write(place.join("in/b.txt"), &wide).unwrap();
    std::fs::write(place.join("in/c.txt"), text.replace("stove", "sto\u{200b}ve")).unwrap();
    let run = run_in(&place, "spans in --min-words 10 --output clean");
    let size = |folder: &str| -> u64 {
        let sizes = ["a", "b", "c"].map(|name| place.join(format!("{folder}/{name}.txt")));
        sizes.iter().map(|file| file.metadata().unwrap().len()).sum()
    };
    let lacks = size("in") - size("clean");
    let want = format!("\n42 words, {lacks} bytes, are removed.\n");
    assert!(run.output.ends_with(&want), "{lacks}: {}", run.output);
}

#[test]
fn where_no_run_is_long_enough_the_status_is_1() {
    let run = run("none", "spans in");
    let want = "No run of 50 words or more occurs twice in 2 texts, 53 words.\n";
    assert_eq!((&*run.output, run.status), (want, 1));
}

#[test]
fn records_have_their_places_in_their_texts() {
    let run = run("records", "spans --jsonl r.jsonl --min-words 10 --format json");
    let want = json!({
        "schema": "dedup.spans/1",
        "tool": {"name": "dedup", "version": env!("CARGO_PKG_VERSION")},
        "parameters": {"min_words": 10, "exact": false, "whole_sentences": false},
        "texts": 2,
        "words": 42,
        "earlier_words": 20,
        "removable": {"words": 20, "bytes": 102},
        "runs": [{"words": 20, "places": [
            {"id": "1", "byte": [0, 101], "line": [1, 1], "column": [1, 102]},
            {"id": "2", "byte": [6, 107], "line": [1, 1], "column": [7, 108]},
        ]}],
        "failed": [],
        "skipped": [],
    });
    assert_eq!(serde_json::from_str::<Value>(&run.output).unwrap(), want);
    assert_eq!(run.status, 0);
}

#[test]
fn a_run_is_a_line_of_json() {
    let run = run("lines", "spans in --min-words 10 --format jsonl");
    let want = "{\"schema\":\"dedup.spans/1\",\"words\":20,\"places\":[\
                {\"id\":\"in/a.txt\",\"byte\":[20,121],\"line\":[1,1],\"column\":[21,122]},\
                {\"id\":\"in/b.txt\",\"byte\":[17,118],\"line\":[3,4],\"column\":[1,91]}]}\n";
    assert_eq!((&*run.output, run.status), (want, 0));
}

#[test]
fn a_file_of_records_in_a_folder_is_no_text_besides() {
    let run = run("both", "spans . --jsonl r.jsonl --min-words 10 --format json");
    let answer: Value = serde_json::from_str(&run.output).unwrap();
    assert_eq!(answer["texts"], 4, "{answer}");
    assert_eq!(answer["skipped"], json!([{"why": "input", "count": 1}]));
}

#[test]
fn a_text_that_cannot_be_read_is_an_error_and_the_others_are_looked_at() {
    let run = run("missing", "spans in lost.txt --min-words 10 --format jsonl");
    assert_eq!(run.status, 2);
    assert!(run.errors.contains("lost.txt"), "{}", run.errors);
    assert_eq!(run.output.lines().count(), 1);
}

#[test]
fn of_several_paths_each_file_is_written_where_it_stands_among_them() {
    let place = place("several");
    std::fs::create_dir_all(place.join("more/in")).unwrap();
    std::fs::write(place.join("more/in/a.txt"), format!("{SENTENCE} More.\n")).unwrap();
    std::fs::write(place.join("a.txt"), "Few words.\n").unwrap();
    let cleaned = |line: &str, files: &[(&str, &str)]| {
        let made = run_in(&place, &format!("spans {line} --min-words 10 --output clean -q"));
        assert_eq!((&*made.errors, made.status), ("", 0), "{line}");
        let clean = place.join("clean");
        for (name, want) in files {
            assert_eq!(read_file(clean.join(name)), *want, "{line}: {name}");
        }
        let count = walked(&clean);
        std::fs::remove_dir_all(&clean).unwrap();
        assert_eq!(count, files.len(), "{line}");
    };
    let (a, b) = (read_file(place.join("in/a.txt")), "Another begins.\n\nIt ends there.\n");
    let whole = place.join("in").display().to_string();
    cleaned("in more", &[("in/a.txt", &a), ("in/b.txt", b), ("more/in/a.txt", "More.\n")]);
    cleaned("in/a.txt more/in/a.txt", &[("in/a.txt", &a), ("more/in/a.txt", "More.\n")]);
    cleaned("in/a.txt in/b.txt", &[("a.txt", &a), ("b.txt", b)]);
    cleaned("in/a.txt in", &[("in/a.txt", &a), ("in/b.txt", b)]);
    cleaned("./more/../in a.txt", &[("in/a.txt", &a), ("in/b.txt", b), ("a.txt", "Few words.\n")]);
    cleaned(
        &format!("{whole} more/in"),
        &[("in/a.txt", &a), ("in/b.txt", b), ("more/in/a.txt", "More.\n")],
    );
    std::fs::remove_file(place.join("r.jsonl")).unwrap();
    let all = [
        ("in/a.txt", &*a),
        ("in/b.txt", b),
        ("more/in/a.txt", "More.\n"),
        ("a.txt", "Few words.\n"),
    ];
    cleaned(".", &all);
    cleaned(
        &format!("{whole}/.. in"),
        &[
            ("several/in/a.txt", &*a),
            ("several/in/b.txt", b),
            ("several/more/in/a.txt", "More.\n"),
            ("several/a.txt", "Few words.\n"),
        ],
    );
}

/// Returns the number of files below a folder.
fn walked(folder: &Path) -> usize {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.map(|path| if path.is_dir() { walked(&path) } else { 1 }).sum()
}

#[test]
fn rows_are_written_with_all_else_byte_for_byte() {
    let place = place("rows");
    let rows = format!(
        "\u{feff}id,text,x\r\n1,{SENTENCE},\" a\"\r\n\r\n2,\"So, {SENTENCE}\",\r\n\
         3,\"Quote \"\"it\"\" {SENTENCE}\n\"\"Two.\"\"\",y"
    );
    std::fs::write(place.join("r.csv"), &rows).unwrap();
    let made = run_in(&place, "spans --csv r.csv --min-words 10 --output clean.csv");
    let end = "\n40 words, 206 bytes, are removed.\n";
    assert_eq!((&*made.errors, made.status), ("", 0));
    assert!(made.output.ends_with(end), "{}", made.output);
    let want = format!(
        "\u{feff}id,text,x\r\n1,{SENTENCE},\" a\"\r\n\r\n2,\"So, \",\r\n3,\"Quote \"\"it\"\" Two.\"\"\",y"
    );
    assert_eq!(read_file(place.join("clean.csv")), want);
    let piped = with_input(&place, "spans --csv - --min-words 10 --output -", &rows);
    assert_eq!((&*piped.errors, &*piped.output, piped.status), ("", &*want, 0));
    std::fs::write(place.join("t.tsv"), format!("body\n{SENTENCE}\n{SENTENCE}\n")).unwrap();
    let made = run_in(&place, "spans --csv t.tsv --text body --min-words 10 --output -");
    assert_eq!(made.output, format!("body\n{SENTENCE}\n\"\"\n"), "a blank row is none");
    let made = run_in(&place, "spans --csv r.csv --csv t.tsv --text body --dry-run");
    assert_eq!(made.status, 2, "{}", made.output);
    std::fs::write(place.join("more.csv"), format!("id,text,x\n4,{SENTENCE} End,\n")).unwrap();
    let made = run_in(&place, "spans --csv r.csv --csv more.csv --min-words 10 --output -");
    assert_eq!(made.output, format!("{want}\n4,End,\n"));
    let made = run_in(&place, "spans --csv more.csv --jsonl r.jsonl --min-words 10 --output -");
    let want = "dedup: more.csv: CSV, expected JSON Lines as in r.jsonl\nhint: a run of dedup \
                spans --output writes records of only one format\n";
    assert_eq!((&*made.errors, made.status), (want, 2));
}

#[test]
fn packed_records_are_read_and_written() {
    let place = place("packed");
    let records = read_file(place.join("r.jsonl"));
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    packed.write_all(records.as_bytes()).unwrap();
    let packed = packed.finish().unwrap();
    std::fs::write(place.join("p.jsonl.gz"), &packed).unwrap();
    let want = run_in(&place, "spans --jsonl r.jsonl --min-words 10 --output -").output;
    let made = run_in(&place, "spans --jsonl p.jsonl.gz --min-words 10 --output -");
    assert_eq!((&*made.errors, &*made.output, made.status), ("", &*want, 0));
    let made = run_in(&place, "spans --jsonl p.jsonl.gz --min-words 10 --output c.jsonl.gz -q");
    assert_eq!((&*made.errors, made.status), ("", 0));
    let made = run_in(&place, "spans --jsonl c.jsonl.gz --min-words 10 --dry-run");
    assert!(made.output.starts_with("No run of 10 words or more"), "{}", made.output);
    let text = run_in(&place, "spans in --min-words 10 --format jsonl").output;
    std::fs::write(place.join("in/a.txt.gz"), &packed).unwrap();
    assert!(!text.is_empty());
    let made = run_in(&place, "spans in/a.txt.gz in/a.txt --min-words 10 --format jsonl");
    assert!(made.output.contains("in/a.txt.gz"), "{}", made.output);
}

#[test]
fn settings_hold_that_other_commands_have_and_those_of_spans() {
    let place = place("settings");
    let settings = "paths = [\"in\"]\nmin-words = 10\nexact = true\noutput = \"no.jsonl\"\n\
                    format = \"github\"\nkeep = \"first\"\nexclude = \"c.txt\"\njaccard = 0.8\n";
    std::fs::write(place.join("dedup.toml"), settings).unwrap();
    std::fs::write(place.join("in/c.txt"), SENTENCE).unwrap();
    let made = run_in(&place, "spans");
    let want = "1 run of 10 words or more occurs byte for byte at two or more places in 2 texts;
17 of 53 words also occur earlier (32\u{a0}%); settings: dedup.toml.
";
    let head = made.output.split_inclusive('\n').take(2).collect::<String>();
    assert_eq!((&*head, &*made.errors, made.status), (want, "", 0));
    let made = run_in(&place, "spans --exact=false --min-words 18");
    assert!(made.output.starts_with("1 run of 18 words or more occurs"), "{}", made.output);
    let made = run_in(&place, "spans . --no-config --min-words 10 --format json");
    let answer: Value = serde_json::from_str(&made.output).unwrap();
    assert_eq!(answer["parameters"]["exact"], false);
    let made = run_in(&place, "spans . --format json");
    let answer: Value = serde_json::from_str(&made.output).unwrap();
    assert_eq!(answer["skipped"][0], json!({"why": "settings", "count": 1}), "{answer}");
    assert_eq!(answer["parameters"]["settings"], "dedup.toml");
    assert!(!place.join("no.jsonl").exists());
    let page = run_in(&place, "config").output;
    let want = "\nmin-words = 10\nexact = true\n";
    assert!(page.contains(want), "{page}");
    std::fs::write(place.join("dedup.toml"), "min-words = 0\n").unwrap();
    let made = run_in(&place, "spans in");
    assert!(made.errors.starts_with("dedup: dedup.toml:1:13: min-words = 0: "), "{}", made.errors);
    // Other commands ignore it.
    std::fs::write(place.join("dedup.toml"), "min-words = 10\nwhole-sentences = true\n").unwrap();
    let made = run_in(&place, "corpus in");
    assert_eq!((&*made.errors, made.status), ("", 0), "{}", made.output);
}

#[test]
fn the_answer_does_not_depend_on_threads() {
    let place = place("threads");
    let one = run_in(&place, "spans . --jsonl r.jsonl --min-words 5 --format json --threads 1");
    let many = run_in(&place, "spans . --jsonl r.jsonl --min-words 5 --format json --threads 7");
    assert_eq!((one.output, one.status), (many.output, 0));
}

#[test]
fn nothing_to_read_is_bad_usage() {
    let cases = [
        ("nothing", "spans"),
        ("a field", "spans in --text body"),
        ("one", "spans --jsonl r.jsonl --id text"),
        ("stdin", "spans - --csv -"),
        ("quiet", "spans in --quiet --format json"),
        ("records and files, counted", "spans in/a.txt --jsonl r.jsonl --dry-run"),
        ("a table of lines, counted", "spans --jsonl r.jsonl --dry-run --output out.csv"),
        ("no such compression, counted", "spans --jsonl r.jsonl --dry-run --output out.jsonl.zst"),
        ("no compression of a text", "spans in/a.txt --output out.txt.gz"),
        ("a folder for a text", "spans in/a.txt --output new/"),
        ("a folder for records", "spans --jsonl r.jsonl --dry-run --output new/"),
    ];
    let place = place("usage");
    errors("spans_usage", &cases, |line| run_in(&place, line));
}

/// Checks that three records without a field end the run, as in `dedup corpus`.
#[test]
fn a_wrong_field_ends_after_three_examples() {
    let place = place("fields");
    let (records, want) = records_without_text();
    std::fs::write(place.join("in.jsonl"), records).unwrap();
    for flags in ["", " --id off", " --format json"] {
        let run = run_in(&place, &format!("spans --jsonl in.jsonl{flags}"));
        assert_eq!((&*run.output, &*run.errors, run.status), ("", &*want, 2), "{flags}");
    }
}

const COUNT: &str = "\
1 run of 10 words or more occurs at two or more places in 2 texts; 20 of 53
words also occur earlier (37\u{a0}%).
";

#[test]
fn a_folder_is_written_without_what_stands_earlier() {
    let place = place("folder");
    let made = run_in(&place, "spans in --min-words 10 --output clean");
    let want = format!("{COUNT}20 words, 103 bytes, are removed.\n");
    assert_eq!((&*made.errors, &*made.output, made.status), ("", &*want, 0));
    assert_eq!(read_file(place.join("clean/a.txt")), read_file(place.join("in/a.txt")));
    assert_eq!(read_file(place.join("clean/b.txt")), "Another begins.\n\nIt ends there.\n");
    assert_eq!(names(&place), ["clean", "in", "r.jsonl"]);
    let again = run_in(&place, "spans in --min-words 10 --output clean");
    let want = "dedup: --output clean: already exists, expected a new name\nhint: nothing is \
                overwritten; choose another name, or move it away\n";
    assert_eq!((&*again.errors, again.status), (want, 2));
}

#[test]
fn a_file_is_written_without_what_it_says_twice() {
    let place = place("file");
    let twice = format!("\u{feff}{SENTENCE}\r\nSo. {SENTENCE} It é ends.\r\n");
    std::fs::write(place.join("twice.txt"), twice).unwrap();
    let latin: Vec<u8> = b"One two three caf\xe9. So one two three caf\xe9 it is.".to_vec();
    std::fs::write(place.join("latin.txt"), latin).unwrap();
    let made = run_in(&place, "spans twice.txt --min-words 10 --output clean.txt --quiet");
    assert_eq!((&*made.errors, &*made.output, made.status), ("", "", 0));
    let want = format!("\u{feff}{SENTENCE}\r\nSo. It é ends.\r\n");
    assert_eq!(read_file(place.join("clean.txt")), want);
    let made =
        run_in(&place, "spans latin.txt --encoding latin1 --min-words 4 --output kept.txt -q");
    assert_eq!((&*made.errors, made.status), ("", 0));
    assert_eq!(place.join("kept.txt").metadata().unwrap().len(), 29);
    let kept = run_in(&place, "text kept.txt --encoding latin1");
    assert_eq!(kept.output, "One two three café. So it is.");
}

#[test]
fn records_are_written_line_by_line_and_all_else_stays_byte_for_byte() {
    let place = place("lines-kept");
    let made = run_in(&place, "spans --jsonl r.jsonl --min-words 10 --output clean.jsonl");
    assert_eq!((&*made.errors, made.status), ("", 0));
    let lines = read_file(place.join("r.jsonl"));
    let first = lines.lines().next().unwrap();
    let want = format!("{first}\n{{\"id\":2,\"text\" : \"Zwei. \",\"x\": [1]}}");
    assert_eq!(read_file(place.join("clean.jsonl")), want);
    let piped = with_input(&place, "spans --jsonl - --min-words 10 --output -", &lines);
    assert_eq!((&*piped.errors, piped.output, piped.status), ("", want, 0));
}

#[test]
fn a_dry_run_counts_and_writes_nothing() {
    let place = place("dry");
    let made = run_in(&place, "spans in --min-words 10 --output clean --dry-run");
    let want = format!("{COUNT}20 words, 103 bytes, would be removed.\n");
    assert_eq!((&*made.output, made.status), (&*want, 0));
    assert_eq!(names(&place), ["in", "r.jsonl"]);
    let made = run_in(&place, "spans in --dry-run");
    let want = "No run of 50 words or more occurs twice in 2 texts, 53 words.\n\
                0 words, 0 bytes, would be removed.\n";
    assert_eq!((&*made.output, made.status), (want, 0));
}

#[test]
fn whole_sentences_alone_are_removed_where_that_is_asked() {
    let place = place("sentences");
    let begun = SENTENCE.replace("the river.", "the sea.");
    std::fs::write(place.join("in/b.txt"), format!("So {begun} It ends.\n")).unwrap();
    let made = run_in(&place, "spans in --min-words 10 --whole-sentences --dry-run");
    assert!(
        made.output.ends_with("0 words in whole sentences, 0 bytes, would be removed.\n"),
        "{}",
        made.output
    );
    let made = run_in(&place, "spans in --min-words 10 --dry-run");
    assert!(made.output.ends_with("\n19 words, 96 bytes, would be removed.\n"), "{}", made.output);
}

#[test]
fn nothing_is_written_where_something_cannot_be() {
    let place = place("unwritten");
    std::fs::write(place.join("page.html"), format!("<p>{SENTENCE}</p><p>{SENTENCE}</p>")).unwrap();
    std::fs::write(place.join("a.rtf"), format!("{{\\rtf1 {SENTENCE} {SENTENCE}}}")).unwrap();
    std::fs::write(place.join("bad.jsonl"), "{\"id\":1,\"text\":\"so\"}\nno\n").unwrap();
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    write!(packed, "{SENTENCE} {SENTENCE}").unwrap();
    std::fs::write(place.join("in/c.txt.gz"), packed.finish().unwrap()).unwrap();
    let cases = [
        ("packed text", "spans in/c.txt.gz --min-words 10 --output x"),
        ("a page", "spans page.html --min-words 10 --output x"),
        ("a document", "spans a.rtf --min-words 10 --output x"),
        ("a bad line", "spans --jsonl bad.jsonl --output x"),
        ("no folder", "spans in --min-words 10 --output none/x"),
        ("printed files", "spans in page.html --html off --output -"),
        ("both", "spans in --jsonl r.jsonl --output x"),
        ("printed", "spans in --output -"),
        ("two answers", "spans in/a.txt --output - --format json"),
        ("itself", "spans in --output in"),
        ("packed", "spans in --output x.gz"),
        ("another format", "spans --jsonl r.jsonl --output x.csv"),
    ];
    errors("spans", &cases, |line| {
        let made = run_in(&place, line);
        assert_eq!(names(&place), ["a.rtf", "bad.jsonl", "in", "page.html", "r.jsonl"], "{line}");
        made
    });
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error() {
    let place = place("full");
    std::fs::write(place.join("r.csv"), format!("id,text\n1,{SENTENCE}\n")).unwrap();
    let cause = "No space left on device (os error 28)\n";
    let hint = "hint: free some space on its disk, or name a file on another disk\n";
    for line in ["spans --jsonl r.jsonl", "spans --csv r.csv", "spans in/a.txt"] {
        let made = run_in(&place, &format!("{line} --min-words 10 --output /dev/full"));
        let want = format!("dedup: /dev/full: cannot be written: {cause}{hint}");
        assert_eq!((&*made.errors, &*made.output, made.status), (&*want, "", 2), "{line}");
    }
    for format in ["text", "json", "jsonl"] {
        let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
        let line = ["spans", "in", "--min-words", "10", "--format", format];
        let made: Run =
            command().current_dir(&place).args(line).stdout(full).output().unwrap().into();
        let want = format!("dedup: standard output: cannot be written: {cause}");
        assert_eq!((&*made.errors, made.status), (&*want, 2), "{format}");
    }
}

#[cfg(unix)]
#[test]
fn no_output_takes_the_place_of_what_is_read() {
    let place = place("itself");
    let (text, link) = (place.join("in/a.txt"), place.join("link.txt"));
    std::os::unix::fs::symlink(&text, &link).unwrap();
    std::fs::hard_link(&text, place.join("hard.txt")).unwrap();
    let whole = text.display().to_string();
    let before = read_file(&text);
    for name in ["in/a.txt", "in/../in/a.txt", "link.txt", "hard.txt", &*whole, "in", "."] {
        for read in ["in/a.txt", "in", "in r.jsonl", "--jsonl r.jsonl"] {
            let made = run_in(&place, &format!("spans {read} --min-words 10 --output {name}"));
            let want = format!(
                "dedup: --output {name}: already exists, expected a new name\nhint: nothing is \
                 overwritten; choose another name, or move it away\n"
            );
            assert_eq!((&*made.errors, made.status), (&*want, 2), "{read} {name}");
        }
    }
    assert_eq!(read_file(&text), before);
    assert_eq!(names(&place), ["hard.txt", "in", "link.txt", "r.jsonl"]);
    // A new folder may be inside one that is read.
    let made = run_in(&place, "spans in --min-words 10 --output in/clean -q");
    assert_eq!((&*made.errors, made.status), ("", 0));
    assert_eq!(names(&place.join("in/clean")), ["a.txt", "b.txt"]);
}

#[test]
fn objects_follow_their_schema() {
    let schema = read_file("src/bin/dedup/schemas/dedup.spans.schema.json");
    let schema = jsonschema::validator_for(&serde_json::from_str(&schema).unwrap()).unwrap();
    let place = place("schema");
    std::fs::write(place.join("dedup.toml"), "whole-sentences = true\n").unwrap();
    let line = "spans in lost.txt --jsonl r.jsonl --min-words 10 --format";
    let whole = run_in(&place, &format!("{line} json")).output;
    let lines = run_in(&place, &format!("{line} jsonl")).output;
    assert_eq!(lines.lines().count(), 1, "{lines}");
    for object in lines.lines().chain([&*whole]) {
        let object: Value = serde_json::from_str(object).unwrap();
        let faults: Vec<String> = schema.iter_errors(&object).map(|it| it.to_string()).collect();
        assert!(faults.is_empty(), "{faults:?}");
    }
}

#[test]
fn places_in_extracted_text_are_none_of_the_file() {
    let place = empty_folder("spans", "extracted");
    std::fs::create_dir(place.join("in")).unwrap();
    let page = |title: &str| format!("<html><body><h1>{title}</h1><p>{SENTENCE}</p></body></html>");
    std::fs::write(place.join("in/a.html"), page("One")).unwrap();
    std::fs::write(place.join("in/b.html"), page("Two")).unwrap();
    let text = run_in(&place, "spans in --min-words 10").output;
    let places = "\n  in/a.html, line 3 of its text\n  in/b.html, line 3 of its text\n";
    assert!(text.ends_with(places), "{text}");
}

#[test]
fn what_can_be_read_once_alone_is_not_written() {
    let place = place("once");
    let made = with_input(&place, "spans - --min-words 10 --output x", SENTENCE);
    let want = "dedup: -: can be read only once, expected a regular file for --output\nhint: \
                --output can write records of --jsonl -\n";
    assert_eq!((&*made.errors, made.status), (want, 2));
    assert_eq!(names(&place), ["in", "r.jsonl"]);
}

#[cfg(unix)]
#[test]
fn a_pipe_under_the_name_of_a_file_is_not_written() {
    let place = place("pipe");
    let made = with_input(&place, "spans /dev/stdin --min-words 10 --output x", SENTENCE);
    let want = "dedup: /dev/stdin: can be read only once, expected a regular file for \
                --output\nhint: --output can write records of --jsonl -\n";
    assert_eq!((&*made.errors, made.status), (want, 2));
    assert_eq!(names(&place), ["in", "r.jsonl"]);
}

#[test]
fn a_line_is_as_wide_as_its_columns() {
    let folder = place("wide");
    let han = "战争期间,王秀英偷偷地为饥饿的家庭磨面,从来不收一分钱。那时候通往磨坊的路上每天夜里都挤满了人,他们背着小口袋来。";
    std::fs::create_dir(folder.join("zh")).unwrap();
    for (name, first) in [("a.txt", "甲"), ("b.txt", "乙乙")] {
        std::fs::write(folder.join("zh").join(name), format!("{first}{han}\n")).unwrap();
    }
    let made = run_in(&folder, "spans zh --min-words 10");
    assert_eq!(made.status, 0, "{}", made.errors);
    let widest = made.output.lines().map(unicode_width::UnicodeWidthStr::width).max();
    assert!(widest > Some(70) && widest <= Some(80), "{widest:?}: {}", made.output);
}

/// Checks that records that are read as one text are not cut.
#[test]
fn lines_of_json_are_not_cut_as_a_text() {
    let place = place("lines");
    let want = "dedup: r.jsonl: is JSON Lines, expected plain text for --output\nhint: --jsonl \
                FILE reads its records; --exclude leaves such files out\n";
    for more in ["", " --dry-run"] {
        let line = format!("spans r.jsonl --min-words 10 --output out{more}");
        let found = run_in(&place, &line);
        assert_eq!((found.status, found.errors), (2, want.to_owned()), "{line}");
    }
    assert!(!place.join("out").exists());
    // Nothing is cut out of it.
    let found = run_in(&place, "spans r.jsonl --min-words 100 --output out");
    assert_eq!((found.status, found.errors.as_str()), (0, ""));
}
