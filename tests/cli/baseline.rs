//! What was accepted earlier counts no more.

use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::common::{Run, command, golden};

const OLD: &str = "The copper kettle stood on the old table by the window, and nobody had \
    polished it since the harvest of that year.";
const NEW: &str = "Seven boats left the harbour before the tide turned, each with a lantern at \
    the mast and a boy to watch the nets.";
const REST: &str = "Nothing else was said of it.";

/// A folder of the test's own with `a.txt` and `b.txt`, which share a passage.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("baseline").join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    write(&folder, "a.txt", &format!("{OLD}\n"));
    write(&folder, "b.txt", &format!("{OLD} {REST}\n"));
    folder
}

fn write(folder: &Path, name: &str, text: &str) {
    std::fs::write(folder.join(name), text).unwrap();
}

fn run(folder: &Path, line: &str) -> Run {
    command().current_dir(folder).args(line.split_whitespace()).output().unwrap().into()
}

fn accepted(run: &Run) -> Vec<bool> {
    let records = run.output.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    records.map(|record| record["accepted"].as_bool().unwrap()).collect()
}

/// The residue of the words of `OLD`, by the definition of a fingerprint.
fn fingerprint_of_old() -> String {
    let words = OLD.to_lowercase().replace([',', '.'], "");
    format!("{:016x}", dedup_text::rabin::residue(words.as_bytes()))
}

#[test]
fn what_is_accepted_counts_no_more() {
    let folder = folder("counts");
    for texts in ["a.txt b.txt --lang en", "corpus a.txt b.txt --lang en"] {
        let with = |more: &str| run(&folder, &format!("{texts} --baseline base.txt {more}"));
        let _ = std::fs::remove_file(folder.join("base.txt"));
        assert_eq!(run(&folder, texts).status, 0, "{texts}");

        let missing = with("");
        assert_eq!((missing.status, missing.output.as_str()), (2, ""), "{texts}");
        let told = "dedup: base.txt: no such file, expected a baseline\nhint: --update-baseline writes it\n";
        assert_eq!(missing.errors, told, "{texts}");

        let update = with("--update-baseline --fail-on partial");
        let told = "dedup: base.txt: 1 passage or pair accepted, 1 of them new; 0 dropped\n";
        assert_eq!((update.status, update.errors.as_str()), (0, told), "{texts}");
        let want = format!(
            "# dedup baseline 1\npassage {} 22 words: the copper kettle stood on the old table …\n",
            fingerprint_of_old()
        );
        assert_eq!(golden(folder.join("base.txt")), want, "{texts}");

        #[rustfmt::skip]
        let table = [
            ("it is not found",            "",                                1),
            ("nothing fails",              "--fail-on near-duplicate",        0),
            ("nor quietly",                "--fail-on near-duplicate -q",     0),
            ("all are used",               "--baseline-unused error",         1),
            ("in json",                    "--format jsonl",                  1),
            ("in paths",                   "--format paths",                  1),
        ];
        for (why, flags, status) in table {
            let run = with(flags);
            assert_eq!((run.status, run.errors.as_str()), (status, ""), "{texts}: {why}");
        }
        assert_eq!(accepted(&with("--format jsonl")), [true], "{texts}");
        assert_eq!(with("--format paths").output, "", "{texts}");
        assert!(with("").output.contains("accepted earlier"), "{texts}");
    }
}

/// In the formats of others an accepted pair is no finding.
#[test]
fn what_is_accepted_is_no_finding() {
    let folder = folder("formats");
    let line = "corpus a.txt b.txt --lang en --baseline base.txt";
    assert_eq!(run(&folder, &format!("{line} --update-baseline")).status, 0);
    #[rustfmt::skip]
    let table = [
        ("csv",      ",22,true,,,,,,\n",                     ",22,false,,,,,,\n"),
        ("sarif",    "\"results\":[]",                       "\"ruleId\""),
        ("gitlab",   "[]\n",                                  "\"check_name\""),
        ("junit",    "failures=\"0\"",                        "<failure"),
        ("github",   "0 pairs near-duplicate or closer",       "::warning"),
        ("markdown", "| identical, accepted |",               "###"),
    ];
    let _ = std::fs::copy(folder.join("a.txt"), folder.join("b.txt"));
    for (format, wanted, found) in table {
        let with = run(&folder, &format!("{line} --format {format}")).output;
        assert!(with.contains(wanted) && !with.contains(found), "{format}: {with}");
        let without = run(&folder, &format!("corpus a.txt b.txt --lang en --format {format}"));
        assert!(!without.output.contains(wanted), "{format}: {}", without.output);
    }
}

/// Lines move, files are renamed, sides change places: a passage is its words.
#[test]
fn an_entry_knows_neither_place_nor_name() {
    let folder = folder("place");
    let update = "a.txt b.txt --lang en --baseline base.txt --update-baseline";
    assert_eq!(run(&folder, update).status, 0);
    let listed = golden(folder.join("base.txt"));
    write(&folder, "c.txt", &format!("Quite another beginning.\n\n{}\n", OLD.to_uppercase()));
    for texts in ["b.txt a.txt", "a.txt c.txt", "c.txt b.txt", "corpus b.txt c.txt"] {
        let judged = run(&folder, &format!("{texts} --lang en --baseline base.txt --format jsonl"));
        assert_eq!((judged.status, accepted(&judged)), (1, vec![true]), "{texts}");
        let update = format!("{texts} --lang en --baseline base.txt --update-baseline");
        assert_eq!(run(&folder, &update).status, 0, "{texts}");
        assert_eq!(golden(folder.join("base.txt")), listed, "{texts}");
    }
}

/// One passage that is new makes the pair count again; what is no longer found is named.
#[test]
fn a_new_passage_counts_and_an_old_one_is_named() {
    let folder = folder("new");
    let line = "a.txt b.txt --lang en --baseline base.txt";
    assert_eq!(run(&folder, &format!("{line} --update-baseline")).status, 0);
    // Far apart they are two passages, of which the file has one.
    let apart =
        |of: &str| (0..60).fold(String::new(), |words, number| words + &format!("{of}{number} "));
    write(&folder, "a.txt", &format!("{OLD} {}{NEW}\n", apart("x")));
    write(&folder, "b.txt", &format!("{OLD} {}{NEW}\n", apart("y")));
    let both = run(&folder, &format!("{line} --at-least different --format jsonl"));
    let record: Value = serde_json::from_str(&both.output).unwrap();
    assert_eq!(record["matches"].as_array().unwrap().len(), 2, "{record}");
    assert_eq!((both.status, accepted(&both)), (0, vec![false]));
    write(&folder, "a.txt", &format!("{NEW}\n"));
    write(&folder, "b.txt", &format!("{NEW}\n"));
    let entry = format!(
        "passage {} 22 words: the copper kettle stood on the old table …",
        fingerprint_of_old()
    );
    let named = format!("dedup: base.txt: no longer found: {entry}\n");
    let stale = "dedup: base.txt: 1 accepted passage or pair no longer found, expected all\n\
                 hint: --update-baseline drops them\n";
    #[rustfmt::skip]
    let table = [
        ("",                          0, named.clone()),
        ("--baseline-unused warn",    0, named.clone()),
        ("--baseline-unused ignore",  0, String::new()),
        ("--baseline-unused error",   2, named.clone() + stale),
        ("--update-baseline",         0, "dedup: base.txt: 1 passage or pair accepted, 1 of them new; 1 dropped\n".to_owned()),
        ("--fail-on partial",         0, String::new()),
    ];
    for texts in ["a.txt b.txt", "corpus a.txt b.txt"] {
        write(&folder, "base.txt", &format!("# dedup baseline 1\n{entry}\n"));
        for (flags, status, errors) in &table {
            let line = format!("{texts} --lang en --baseline base.txt {flags} --quiet");
            let run = run(&folder, &line);
            assert_eq!((run.status, &run.errors), (*status, errors), "{texts} {flags}");
        }
    }
}

/// A pair without passages is recorded by both its texts; also one that is too short for a
/// shingle and has but the same words.
#[test]
fn a_pair_without_passages_is_accepted_by_its_texts() {
    let folder = folder("texts");
    write(&folder, "one.txt", "a copper kettle by the window");
    write(&folder, "two.txt", "a copper kettle by a window");
    write(&folder, "ten.txt", "a silver spoon on the table");
    let quote = "“five words in a quotation”";
    write(&folder, "hi.txt", &format!("hello {quote} there"));
    write(&folder, "ho.txt", &format!("Hello, {quote} there!"));
    write(&folder, "no.txt", &format!("no {quote} way"));
    #[rustfmt::skip]
    let table = [
        ("one.txt two.txt --lang en",            "two.txt one.txt --lang en", "ten.txt ten.txt --lang en", "a copper kettle by a window | a copper kettle by the window"),
        ("corpus one.txt two.txt --lang en",     "two.txt one.txt --lang en", "ten.txt ten.txt --lang en", "a copper kettle by a window | a copper kettle by the window"),
        ("hi.txt ho.txt --lang none --min 3 --ignore quotes", "ho.txt hi.txt --lang none --min 3 --ignore quotes", "no.txt no.txt --lang none --min 3 --ignore quotes", "hello five words in a quotation there | hello five words in a quotation there"),
    ];
    for (texts, turned, other, name) in table {
        let _ = std::fs::remove_file(folder.join("base.txt"));
        let line = |texts: &str| format!("{texts} --baseline base.txt --baseline-unused ignore");
        let update = format!("{texts} --baseline base.txt --update-baseline");
        assert_eq!(run(&folder, &update).status, 0);
        let listed = golden(folder.join("base.txt"));
        let entry = listed.lines().nth(1).unwrap();
        assert!(entry.starts_with("texts "), "{entry}");
        let (mut names, mut wanted): (Vec<_>, Vec<_>) = (
            entry.splitn(4, ' ').nth(3).unwrap().split(" | ").collect(),
            name.split(" | ").collect(),
        );
        names.sort_unstable();
        wanted.sort_unstable();
        assert_eq!(names, wanted);
        assert_eq!(run(&folder, &line(turned)).status, 1, "{turned}");
        assert_eq!(run(&folder, &line(other)).status, 0, "{other}");
    }
}

#[test]
fn entries_are_sorted_and_keep_their_names() {
    let folder = folder("sorted");
    write(&folder, "c.txt", &format!("{NEW}\n"));
    write(&folder, "d.txt", &format!("{NEW} {REST}\n"));
    let line = "corpus . --lang en --baseline base.txt --update-baseline";
    assert_eq!(run(&folder, line).status, 0);
    let listed = golden(folder.join("base.txt"));
    let entries: Vec<&str> = listed.lines().skip(1).collect();
    assert_eq!(entries.len(), 2);
    assert!(entries.is_sorted());
    let renamed = listed.replace("22 words: the copper kettle", "the kettle, as agreed");
    write(&folder, "base.txt", &renamed.replace('\n', "\r\n"));
    assert_eq!(run(&folder, line).status, 0);
    assert_eq!(golden(folder.join("base.txt")), renamed);
}

#[test]
fn what_is_no_baseline_is_told() {
    let folder = folder("trouble");
    let head = "# dedup baseline 1\n";
    let conflict = format!("{head}<<<<<<< HEAD\npassage 0123456789abcdef x\n=======\n>>>>>>> b\n");
    let anew = "--update-baseline writes the file anew";
    #[rustfmt::skip]
    let table: &[(&str, &str, String, bool)] = &[
        ("a text",           OLD,                       "no baseline, expected a file that begins with \"# dedup baseline 1\"".into(), false),
        ("nothing",          "",                        "no baseline, expected a file that begins with \"# dedup baseline 1\"".into(), true),
        ("another version",  "# dedup baseline 2\n",    "a baseline of version 2, expected 1".into(), true),
        ("a conflict",       &conflict,                 format!("line 2: a merge conflict, expected an entry\nhint: keep the lines of both sides; or {anew}"), true),
        ("one at the top",   "<<<<<<< HEAD\n",          format!("line 1: a merge conflict, expected an entry\nhint: keep the lines of both sides; or {anew}"), true),
        ("a cut line",       "# dedup baseline 1\n\npassage 0123\n", format!("line 3: no entry, expected passage or texts with 16 hexadecimal digits\nhint: take the line out; or {anew}"), true),
    ];
    for (why, content, want, is_replaced) in table {
        write(&folder, "base.txt", content);
        let read = run(&folder, "a.txt b.txt --baseline base.txt");
        assert_eq!((read.status, read.output.as_str()), (2, ""), "{why}");
        assert!(
            read.errors.starts_with(&format!("dedup: base.txt: {want}")),
            "{why}: {}",
            read.errors
        );
        let update = run(&folder, "a.txt b.txt --lang en --baseline base.txt --update-baseline");
        assert_eq!(update.status, if *is_replaced { 0 } else { 2 }, "{why}: {}", update.errors);
        assert_eq!(golden(folder.join("base.txt")).starts_with(head), *is_replaced, "{why}");
    }
    std::fs::write(folder.join("base.txt"), b"# dedup baseline 1\n\xff").unwrap();
    assert_eq!(run(&folder, "a.txt b.txt --baseline base.txt").status, 2);
    std::fs::create_dir(folder.join("dir")).unwrap();
    #[rustfmt::skip]
    let table = [
        ("a folder",         "a.txt b.txt --baseline dir",                       "dir: is a folder"),
        ("not named",        "a.txt b.txt --update-baseline",                    "the following required arguments were not provided: --baseline <FILE>"),
        ("unused, not named", "a.txt b.txt --baseline-unused error",             "the following required arguments were not provided: --baseline <FILE>"),
        ("standard input",   "a.txt b.txt --baseline -",                         "--baseline -, expected a file that can be written again"),
        ("a text itself",    "a.txt b.txt --baseline a.txt --update-baseline",   "--baseline a.txt: is LEFT too, expected a file of its own"),
        ("an output",        "a.txt b.txt --baseline x --format json=x",         "--baseline x: is --format json=x too, expected a file of its own"),
        ("passages off",     "a.txt b.txt --baseline x --passages off",          "--baseline and --passages off together, expected one of them"),
        ("clusters",         "corpus a.txt b.txt --baseline x --clusters",       "--baseline and --clusters or --keep together, expected one of them"),
        ("no such folder",   "a.txt b.txt --baseline no/x --update-baseline",    "no/x: cannot be written: no such folder"),
    ];
    for (why, line, want) in table {
        let run = run(&folder, line);
        assert_eq!(run.status, 2, "{why}");
        assert!(run.errors.starts_with(&format!("dedup: {want}")), "{why}: {}", run.errors);
    }
}

/// Entries of a text that could not be read would be lost.
#[test]
fn where_texts_failed_nothing_is_written() {
    let folder = folder("failed");
    let line = "corpus a.txt b.txt gone.txt --lang en --baseline base.txt --update-baseline";
    let run = run(&folder, line);
    assert_eq!(run.status, 2);
    assert!(run.errors.ends_with("dedup: the baseline is not written: some texts failed\n"));
    assert!(!folder.join("base.txt").exists());
}

/// Quietly, too, all pairs are looked at where entries that are not found are to be named:
/// here 4,950 pairs are known to fail before the one that was accepted is come by.
#[test]
fn a_quiet_run_finds_every_entry() {
    let folder = folder("quiet");
    let record = |id: &str, text: &str| format!("{{\"id\":\"{id}\",\"text\":\"{text}\"}}\n");
    let pair = record("z1", OLD) + &record("z2", OLD);
    write(&folder, "pair.jsonl", &pair);
    let flags = "--lang en --baseline base.txt --quiet";
    let update = format!("corpus --jsonl pair.jsonl {flags} --update-baseline");
    assert_eq!(run(&folder, &update).status, 0);
    let copies = (100..200).map(|id| record(&id.to_string(), NEW));
    write(&folder, "all.jsonl", &(copies.collect::<String>() + &pair));
    let all = run(&folder, &format!("corpus --jsonl all.jsonl {flags} --baseline-unused error"));
    assert_eq!((all.status, all.errors.as_str()), (0, ""));
}
