//! Records: which files have them, what they are called, and what is said of them.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::common::{Run, empty_folder, read_existing, read_file, with_input};

/// Fifteen words.
const TEXT: &str =
    "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron";

fn folder(name: &str, files: &[(&str, &str)]) -> PathBuf {
    let folder = empty_folder("records", name);
    for (name, content) in files {
        fs::write(folder.join(name), content).unwrap();
    }
    folder
}

fn line(id: &str, more: &str) -> String {
    format!("{{\"id\":\"{id}\",\"text\":\"{TEXT}{more}\"}}\n")
}

/// Runs `dedup corpus` in a folder with flags, and nothing on standard input.
pub(crate) fn run(folder: &Path, flags: &str) -> Run {
    with_input(folder, &format!("corpus {flags}"), "")
}

/// The ids of the records that are removed, each with that of the one that stands for it.
fn removed(written: &str) -> Vec<[String; 2]> {
    let parsed = written.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    parsed.map(|it| ["id", "kept_id"].map(|id| it[id].as_str().unwrap().to_owned())).collect()
}

fn pair(id: &str, kept: &str) -> [String; 2] {
    [id, kept].map(str::to_owned)
}

#[test]
fn what_is_removed_is_written_without_a_clean_corpus() {
    let (both, old) = (line("1", "") + &line("2", ""), line("9", ""));
    let csv = format!("id,text\n1,{TEXT}\n2,{TEXT}\n");
    let files = [("in.jsonl", &*both), ("in.csv", &csv), ("old.jsonl", &old), ("out", "earlier\n")];
    let folder = folder("removed", &files);
    let json = "{\"id\":\"2\",\"kept_id\":\"1\",\"verdict\":\"identical\",\"jaccard\":1.0,\"coverage\":null,\"same\":null,\"changed\":null}\n";
    let table = "id,kept_id,verdict,jaccard,coverage,same,changed\n2,1,identical,1.0,,,\n";
    for (input, want) in [("--jsonl in.jsonl", json), ("--csv in.csv", table), ("--jsonl -", json)]
    {
        let line = format!("corpus {input} --keep first --removed");
        let made = with_input(&folder, &format!("{line} out -q"), &both);
        assert_eq!(
            (&*made.errors, made.status, read_file(folder.join("out")).as_str()),
            ("", 0, want),
            "{line}"
        );
        let printed = with_input(&folder, &format!("{line} - -q"), &both);
        assert_eq!((&*printed.output, printed.status), (want, 0), "{line}");
    }
    let made = run(&folder, "--jsonl in.jsonl --against old.jsonl --removed out -q");
    assert_eq!(made.status, 0, "{}", made.errors);
    let want = [pair("1", "old.jsonl/9"), pair("2", "old.jsonl/9")];
    assert_eq!(removed(&read_file(folder.join("out"))), want);
}

#[test]
fn standard_output_is_for_one_of_both_files() {
    let folder = folder("streams", &[("in.jsonl", &line("1", ""))]);
    let want = "dedup: standard output for both --output and --removed, expected only one of \
                them\nhint: --removed FILE writes the removed records to a file\n";
    let names = if cfg!(unix) { ["-", "/dev/stdout"] } else { ["-", "-"] };
    for output in names {
        for removed in names {
            let flags =
                format!("--jsonl in.jsonl --keep first --output {output} --removed {removed}");
            let found = run(&folder, &flags);
            assert_eq!((&*found.errors, &*found.output, found.status), (want, "", 2), "{flags}");
        }
    }
}

#[test]
fn a_file_of_records_on_both_sides_is_compared_with_itself() {
    let folder = folder("sides", &[("in.jsonl", &(line("1", "") + &line("2", "")))]);
    #[cfg(unix)]
    std::os::unix::fs::symlink("in.jsonl", folder.join("link.jsonl")).unwrap();
    let names: &[&str] =
        if cfg!(unix) { &["in.jsonl", "./in.jsonl", "link.jsonl"] } else { &["in.jsonl"] };
    for old in names {
        let found = run(&folder, &format!("--jsonl in.jsonl --against {old} --format jsonl"));
        let pair: Value = serde_json::from_str(&found.output).unwrap();
        assert_eq!((&pair["a"]["path"], &pair["b"]["path"]), (&"1".into(), &"2".into()), "{old}");
    }
}

#[test]
fn old_records_are_known_by_their_content_too() {
    let old = format!("\n  {}", line("7", ""));
    let files = ["old.json", "old.jl", "old.txt", "old"].map(|name| (name, &*old));
    let folder = folder("content", &files);
    let new = line("1", "");
    fs::write(folder.join("new.jsonl"), &new).unwrap();
    fs::write(folder.join("text.txt"), format!("{{{TEXT}}}")).unwrap();
    fs::write(folder.join("pretty.json"), format!("{{\n\"text\": \"{TEXT}\"}}")).unwrap();
    fs::write(folder.join("list.json"), format!("[\"{TEXT}\"]")).unwrap();
    let cases = [
        ("old.json", "old.json/7"),
        ("old.jl", "old.jl/7"),
        ("old.txt", "old.txt/7"),
        ("old", "old/7"),
        ("-", "-/7"),
        ("text.txt", "text.txt"),
        ("pretty.json", "pretty.json"),
        ("list.json", "list.json"),
    ];
    for (file, want) in cases {
        let line = format!("corpus --jsonl new.jsonl --against {file} --removed - -q");
        let found = with_input(&folder, &line, &old);
        assert_eq!(removed(&found.output), [pair("1", want)], "{file}: {}", found.errors);
    }
    fs::write(folder.join("array.json"), format!(" [\n{{\"text\":\"{TEXT}\"}}]")).unwrap();
    let found = run(&folder, "--jsonl new.jsonl --against array.json --removed - -q");
    assert_eq!((removed(&found.output), &*found.errors), (vec![pair("1", "array.json")], ""));
    // Longer than what is looked at, and standard input that is one text.
    let long = format!("{{\"id\":\"7\",\"more\":\"{}\",\"text\":\"{TEXT}\"}}", "x".repeat(100_000));
    fs::write(folder.join("long"), &long).unwrap();
    let found = run(&folder, "--jsonl new.jsonl --against long --removed - -q");
    assert_eq!(removed(&found.output), [pair("1", "long/7")]);
    let found = with_input(&folder, "corpus --jsonl new.jsonl --against - --removed - -q", &long);
    assert_eq!(removed(&found.output), [pair("1", "-/7")]);
    let found = with_input(&folder, "corpus --jsonl new.jsonl --against - --removed - -q", TEXT);
    assert_eq!(removed(&found.output), [pair("1", "-")]);
}

#[test]
fn records_with_one_id_go_by_file_and_line() {
    let files = [
        ("in.jsonl", line("a", "") + &line("a", "")),
        ("in.csv", format!("id,text\na,{TEXT}\na,{TEXT}\n")),
    ];
    let files = files.each_ref().map(|(name, content)| (*name, content.as_str()));
    let folder = folder("off", &files);
    let taken = run(&folder, "--jsonl in.jsonl --keep first --removed -");
    assert_eq!(taken.status, 2);
    let want = "dedup: in.jsonl: line 2: the name a is already used by in.jsonl: line 1, expected \
                a unique name\nhint: --id FIELD uses another field as name, --id off the file and \
                line\n";
    assert_eq!(taken.errors, want);
    for (input, id, kept) in
        [("--jsonl in.jsonl", "in.jsonl:2", "in.jsonl:1"), ("--csv in.csv", "in.csv:3", "in.csv:2")]
    {
        let found = run(&folder, &format!("{input} --id off --keep first --removed - -q"));
        let found_id = if input.starts_with("--csv") {
            found.output.lines().nth(1).unwrap().to_owned()
        } else {
            removed(&found.output)[0].join(",")
        };
        assert!(found_id.starts_with(&format!("{id},{kept}")), "{input}: {found:?}");
        let spans = format!("spans {input} --id off --min-words 5 --format jsonl");
        let spans = with_input(&folder, &spans, "");
        let run: Value = serde_json::from_str(&spans.output).unwrap();
        assert_eq!((&run["places"][0]["id"], &run["places"][1]["id"]), (&kept.into(), &id.into()));
    }
    let built = with_input(&folder, "index build --jsonl in.jsonl --id off -o i.dedup", "");
    assert_eq!((&*built.errors, built.status), ("", 0));
    let listed = with_input(&folder, "index list i.dedup", "");
    assert_eq!(listed.output, "in.jsonl:1\nin.jsonl:2\n");
}

#[test]
fn the_closest_old_text_stands_for_a_new_one() {
    let old = line("z-near", " pi rho")
        + &line("b-same", "")
        + &line("a-same", "")
        + &line("c-far", " pi rho tau phi chi");
    let new = line("n", "") + &line("m", " pi rho tau") + &line("o", "");
    let folder = folder("closest", &[("old.jsonl", &old), ("new.jsonl", &new)]);
    for with_texts in ["", " --with-texts"] {
        let built = with_input(
            &folder,
            &format!("index build --jsonl old.jsonl -o i.dedup{with_texts}"),
            "",
        );
        assert_eq!((&*built.errors, built.status), ("", 0));
        let passages =
            if with_texts.is_empty() { [""].as_slice() } else { &["", " --at-least partial"] };
        for more in passages {
            for by in ["", " --keep first --keep-by linked"] {
                let removed_by = |old: &str| {
                    let flags =
                        format!("--jsonl new.jsonl --against {old} --removed - -q{more}{by}");
                    removed(&run(&folder, &flags).output)
                };
                let want = [
                    pair("n", "old.jsonl/a-same"),
                    pair("m", "old.jsonl/z-near"),
                    pair("o", "old.jsonl/a-same"),
                ];
                assert_eq!(removed_by("old.jsonl"), want, "{more}{by}");
                assert_eq!(removed_by("i.dedup"), want, "{more}{by}, from the index");
            }
        }
        fs::remove_file(folder.join("i.dedup")).unwrap();
    }
}

#[test]
fn a_group_by_a_field_that_no_record_has_is_an_error() {
    let one = line("1", "").replace("\"id\"", "\"by\":\"x\",\"id\"") + &line("2", "");
    let folder = folder("group", &[("in.jsonl", &one)]);
    let found = run(&folder, "--jsonl in.jsonl --group nope");
    let want = "dedup: --group: no record has a field nope, expected it in at least one\nhint: \
                the fields are by, id, text; leave out --group to compare all records with each other\n";
    assert_eq!((&*found.errors, found.status), (want, 2));
    assert_eq!(run(&folder, "--jsonl in.jsonl --group by -q").status, 0);
}

#[test]
fn texts_of_which_bytes_are_replaced_are_named() {
    let folder = folder("lossy", &[]);
    for name in ["a", "b", "c", "d", "e"] {
        let text = [TEXT.as_bytes(), b" \xe2\x82 ", name.as_bytes(), b" \xe2\x82"].concat();
        fs::write(folder.join(name), text).unwrap();
    }
    let record = [
        b"{\"id\":1,\"text\":\"".as_slice(),
        TEXT.as_bytes(),
        b" \xff\"}\n{\"id\":2,\"text\":\"so\"}\n",
    ]
    .concat();
    fs::write(folder.join("in.jsonl"), record).unwrap();
    let files = "dedup: warning: a: bytes were replaced by U+FFFD in 2 places\n\
                 dedup: warning: b: bytes were replaced by U+FFFD in 2 places\n\
                 dedup: warning: c: bytes were replaced by U+FFFD in 2 places\n\
                 dedup: and 2 texts more like them\n";
    let records = "dedup: warning: 1: bytes were replaced by U+FFFD in 1 place\n";
    for (line, want) in [
        ("corpus a b c d e", files),
        ("spans a b c d e", files),
        ("index build a b c d e -o i.dedup", files),
        ("corpus --jsonl in.jsonl", records),
        ("spans --jsonl in.jsonl", records),
    ] {
        let found = with_input(&folder, &format!("{line} --encoding utf-8 --lossy -q"), "");
        assert_eq!(found.errors, want, "{line}");
    }
}

#[test]
fn a_dry_run_refuses_what_the_run_would() {
    let text = format!("{TEXT}\n\n{TEXT}\n");
    let files = [
        ("docs/a.md", &*text),
        ("in.jsonl", &(line("1", "") + "{\"dup\":1,\"id\":\"2\",\"text\":\"so\"}\n")),
        ("in.csv", "id,text\n9,so\n"),
    ];
    let folder = empty_folder("records", "dry");
    fs::create_dir(folder.join("docs")).unwrap();
    for (name, content) in files {
        fs::write(folder.join(name), content).unwrap();
    }
    for (line, want) in [
        ("spans docs --min-words 5", "docs/a.md: is markdown, expected plain text for --output"),
        ("spans --jsonl in.jsonl --csv in.csv", "in.csv: CSV, expected JSON Lines as in in.jsonl"),
        (
            "corpus --jsonl in.jsonl --keep first --annotate dup",
            "in.jsonl: line 2: already has a field dup, expected a new field for --annotate",
        ),
        (
            "corpus --jsonl in.jsonl --csv in.csv --keep first",
            "in.csv: CSV, expected JSON Lines as in in.jsonl",
        ),
    ] {
        for more in ["", " --dry-run"] {
            let found = with_input(&folder, &format!("{line} --output out{more}"), "");
            let first = found.errors.lines().next().unwrap_or_default();
            assert_eq!((first, found.status), (&*format!("dedup: {want}"), 2), "{line}{more}");
        }
    }
    // Nothing can be created in /proc, not even by root.
    if cfg!(target_os = "linux") {
        fs::write(folder.join("docs/a.txt"), "so").unwrap();
        for line in [
            "spans docs/a.txt --output /proc/out",
            "spans --jsonl in.jsonl --output /proc/out",
            "corpus --jsonl in.jsonl --keep first --output /proc/out",
            "corpus --jsonl in.jsonl --keep first --removed /proc/out.gz",
        ] {
            let run = with_input(&folder, line, "");
            assert!(run.errors.contains(": cannot be written: "), "{line}: {}", run.errors);
            let dry = with_input(&folder, &format!("{line} --dry-run"), "");
            assert_eq!((dry.status, dry.errors), (2, run.errors), "{line}");
        }
        fs::remove_file(folder.join("docs/a.txt")).unwrap();
    }
    let found = with_input(&folder, "spans docs --min-words 5 --dry-run", "");
    assert_eq!(found.status, 2, "{}", found.output);
    assert!(!folder.join("out").exists());
}

/// Checks names that the format of the flag permits, but not that of the file.
#[test]
fn an_output_is_not_named_as_what_it_is_not() {
    let folder = empty_folder("records", "misnamed");
    let rows = "id,text\n1,so\n";
    let lines = line("1", "");
    for (name, content) in [
        ("comma.csv", rows),
        ("lines.csv", &lines),
        ("lines.jsonl", &lines),
        ("tabs.tsv", &rows.replace(',', "\t")),
        ("tabs.csv", &rows.replace(',', "\t")),
        ("none.tsv", ""),
    ] {
        fs::write(folder.join(name), content).unwrap();
    }
    let tsv = Some("TSV according to its name, expected CSV");
    #[rustfmt::skip]
    let table = [
        ("by commas",          "--csv comma.csv",   "out.tsv",    tsv),
        ("compressed",         "--csv comma.csv",   "out.tsv.gz", tsv),
        ("rows, not lines",    "--jsonl comma.csv", "out.jsonl",  Some("JSON Lines according to its name, expected CSV")),
        ("lines, not rows",    "--csv lines.jsonl", "out.csv",    Some("CSV according to its name, expected JSON Lines")),
        ("lines named so",     "--jsonl lines.csv", "out.jsonl",  None),
        ("by tabs",            "--csv tabs.tsv",    "out.tsv",    None),
        ("by tabs, as CSV",    "--csv tabs.csv",    "out.tsv",    None),
        ("tabs in CSV",        "--csv tabs.tsv",    "out.csv",    None),
        ("no row",             "--csv none.tsv",    "out.tsv",    None),
        ("another name",       "--csv comma.csv",   "out",        None),
    ];
    for (why, input, name, want) in table {
        for (command, flag) in [
            ("corpus --keep first --quiet", "--output"),
            ("corpus --keep first --quiet", "--removed"),
            ("corpus --keep first --quiet --dry-run", "--output"),
            ("spans --min-words 5 --quiet", "--output"),
            ("spans --min-words 5 --quiet --dry-run", "--output"),
        ] {
            let found = with_input(&folder, &format!("{command} {input} {flag} {name}"), "");
            let errors = found.errors.lines().find(|line| line.contains("according to"));
            let message = want.map(|want| format!("dedup: {flag} {name}: {want} as in the input"));
            assert_eq!(errors, message.as_deref(), "{why}: {command}: {}", found.errors);
            assert!(want.is_none() || !folder.join(name).exists(), "{why}: {command}");
            let _ = fs::remove_file(folder.join(name));
        }
    }
}

#[test]
fn an_archive_is_no_file_of_records() {
    let folder = empty_folder("records", "zip");
    fs::write(folder.join("b.zip"), b"PK\x03\x04\x14\0\0\0").unwrap();
    for (flag, format) in [("--jsonl", "JSON Lines"), ("--csv", "CSV")] {
        let found = run(&folder, &format!("{flag} b.zip --quiet"));
        let want = format!(
            "dedup: b.zip: a ZIP archive, expected {format}\nhint: unpack it first; unzip -p FILE \
             prints it, and - reads standard input\n"
        );
        assert!(found.errors.starts_with(&want), "{}", found.errors);
        assert_eq!(found.status, 2);
    }
}

#[test]
fn a_parquet_file_without_an_extension_is_named() {
    let folder = empty_folder("records", "parquet");
    fs::write(folder.join("data"), b"PAR1\x15\x04\x15\xe0\0PAR1").unwrap();
    for (flag, format) in [("--jsonl", "JSON Lines"), ("--csv", "CSV")] {
        let found = run(&folder, &format!("{flag} data --quiet"));
        let want = format!(
            "dedup: data: a Parquet file, expected {format}\nhint: dedup corpus --parquet reads \
             it\n"
        );
        assert!(found.errors.starts_with(&want), "{}", found.errors);
        assert_eq!(found.status, 2);
    }
    fs::write(folder.join("table"), "PAR1,text\n1,kettle\n2,kettle\n").unwrap();
    let found = run(&folder, "--csv table --id PAR1 --quiet");
    assert!(found.status < 2, "{}", found.errors);
}

/// Checks that what was not compared is not removed, and not counted as kept either.
#[test]
fn a_record_that_is_not_a_text_stays_in_the_corpus() {
    let control = line("2", "").replace("alpha", "\\u0000");
    let lines = [line("1", ""), control.clone(), line("3", "")].concat();
    let folder = folder("uncompared", &[("in.jsonl", &lines)]);
    let found = run(&folder, "--jsonl in.jsonl --keep first --unreadable warn --output out");
    let written = read_existing(folder.join("out"));
    assert_eq!((found.status, written), (0, Some(line("1", "") + &control)));
    assert!(found.output.starts_with("1 of 2 texts kept\n"), "{}", found.output);
    // The hint does not advise the flag that is given.
    let errors = "dedup: warning: in.jsonl: line 2: 2: not a text: NUL byte at offset 0\n\
                  hint: remove the control characters\n";
    assert_eq!(found.errors, errors);
    let listed = run(&folder, "--jsonl in.jsonl --unreadable warn --list");
    assert_eq!((listed.errors.as_str(), listed.status), (errors, 0));
    let compared = run(&folder, "--jsonl in.jsonl --unreadable warn --format json");
    assert!(compared.output.contains("\"hint\":\"remove the control characters\""));
}

#[test]
fn what_is_wrong_with_a_record_is_reported() {
    let folder = folder("wrong", &[("in.jsonl", &line("1", ""))]);
    let bad = |text: &[u8]| [b"{\"id\":\"x\",\"text\":\"".as_slice(), text, b"\"}\n"].concat();
    let of_records = "hint: --lossy reads it anyway, with a warning; records are always in UTF-8\n";
    let cases: &[(&str, Vec<u8>, String)] = &[
        (
            "corpus --jsonl - -q",
            bad(b"caf\xe9"),
            format!("dedup: -: line 1: x: damaged UTF-8: byte 0xe9 at offset 3, expected a text in UTF-8\n{of_records}"),
        ),
        (
            "corpus --jsonl - -q",
            bad(b"so \\ud83d"),
            format!(
                "dedup: -: line 1: \\ud83d is half of a surrogate pair: x: damaged UTF-8: byte 0xed at offset 3, \
                 expected a text in UTF-8\n{of_records}"
            ),
        ),
        (
            "corpus --jsonl - -q",
            bad(b"a\\u0000b"),
            "dedup: -: line 1: x: not a text: NUL byte at offset 1\n\
             hint: remove the control characters; dedup corpus --unreadable warn compares the others, and \
             leaves such records in --output\n"
                .to_owned(),
        ),
        (
            "index build x",
            Vec::new(),
            "dedup: the following required arguments were not provided:\n  --output <FILE>\n\n\
             Usage: dedup index build [PATH…] -o FILE [OPTIONS]\n\n\
             For more information, try '--help'.\n"
                .to_owned(),
        ),
        (
            "corpus --jsonl in.jsonl --keep first --output in.jsonl",
            Vec::new(),
            "dedup: --output in.jsonl: is also a file of records, expected a separate file\nhint: \
             name another file, such as clean.jsonl\n"
                .to_owned(),
        ),
        (
            "corpus --jsonl in.jsonl --keep first --removed in.jsonl",
            Vec::new(),
            "dedup: --removed in.jsonl: is also a file of records, expected a separate file\nhint: \
             name another file, such as removed.jsonl\n"
                .to_owned(),
        ),
    ];
    for (line, input, want) in cases {
        let found = with_input(&folder, line, input);
        assert!(found.errors.starts_with(want), "{line}: {}", found.errors);
        assert_eq!(found.status, 2, "{line}");
    }
}

#[cfg(unix)]
#[test]
fn what_cannot_be_cut_out_of_an_encoding_is_reported() {
    // What stands behind the cut would be read in another character set.
    let folder = empty_folder("records", "escapes");
    let text = b"\x1b$B0!0\"0#0$\x1b(B \x1b$B0!0\"0#0$0%\x1b(B".as_slice();
    fs::write(folder.join("x"), text).unwrap();
    let found = with_input(&folder, "spans x --encoding iso-2022-jp --min-words 2 --output -", "");
    let want = "dedup: x: is in ISO-2022-JP, expected UTF-8 for --output\nhint: convert it first\n";
    assert_eq!((&*found.errors, found.status), (want, 2));
}

/// Checks that an empty field of JSON counts as missing, as an empty cell of CSV does.
#[test]
fn an_empty_field_is_missing_in_every_format() {
    let json = |id: &str| format!("{{\"id\":\"{id}\",\"g\":\"\",\"text\":\"{TEXT}\"}}\n");
    let named = json("a") + &json("b");
    let csv = format!("id,g,text\na,,{TEXT}\nb,,{TEXT}\n");
    let folder = folder("empty", &[("in.jsonl", &named), ("in.csv", &csv)]);
    for input in ["--jsonl in.jsonl", "--csv in.csv"] {
        let found = run(&folder, &format!("{input} --group g --format paths"));
        let want = "dedup: --group: no record has a field g, expected it in at least one\n";
        assert!(found.errors.starts_with(want), "{input}: {}", found.errors);
    }
    let other = json("c").replace("\"g\":\"\"", "\"g\":\"x\"");
    fs::write(folder.join("in.jsonl"), named + &other).unwrap();
    fs::write(folder.join("in.csv"), csv + &format!("c,x,{TEXT}\n")).unwrap();
    for input in ["--jsonl in.jsonl", "--csv in.csv"] {
        let found = run(&folder, &format!("{input} --group g --format jsonl"));
        assert_eq!((found.output.lines().count(), found.status), (3, 0), "{input}");
    }
}

#[test]
fn the_text_is_not_what_records_are_kept_by() {
    let folder = folder("by-text", &[("in.jsonl", &(line("1", "") + &line("2", "")))]);
    let found = run(&folder, "--jsonl in.jsonl --keep newest:text");
    let want = "dedup: --keep by text and --text text, expected two fields\nhint: --keep longest \
                prefers long texts\n";
    assert_eq!((&*found.errors, found.status), (want, 2));
}

#[test]
fn hints_contain_no_escape_sequence() {
    let folder = folder("escapes", &[("in.jsonl", "{\"id\":1,\"\\u001b[31mRED\\u0007\":\"x\"}\n")]);
    let found = run(&folder, "--jsonl in.jsonl");
    assert!(found.errors.contains("\\u{1b}[31mRED\\u{7}"), "{}", found.errors);
    assert!(!found.errors.contains('\u{1b}') && !found.errors.contains('\u{7}'));
}
