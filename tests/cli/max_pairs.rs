//! Tests of corpora with more pairs than can be read.

use std::fmt::Write;

use crate::common::{Run, in_folder};

/// The words that all texts of a corpus share. Each text may have one more.
const WORDS: &str = "the copper kettle stands on the iron stove and sings before the water boils";

/// Returns `count` texts, each with an ending.
fn texts(count: usize, ending: impl Fn(usize) -> String) -> String {
    let mut lines = String::new();
    for number in 0..count {
        let text = format!("{WORDS}{}", ending(number));
        let _ = writeln!(
            lines,
            "{{\"id\":\"t{number:04}\",\"text\":\"{text}\",\"paper\":{}}}",
            number % 2
        );
    }
    lines
}

fn equal(count: usize) -> String {
    texts(count, |_| String::new())
}

fn one_word_apart(count: usize) -> String {
    texts(count, |number| format!(" w{number}"))
}

fn run(texts: &str, flags: &str) -> Run {
    let files = [("texts.jsonl", texts.as_bytes())];
    in_folder("max-pairs", &files, &format!("corpus --jsonl texts.jsonl --lang en {flags}"))
}

const MESSAGE: &str = "hint: --clusters or --keep finds the clusters, --nearest N the nearest texts \
                    of each; --max-pairs off lifts the limit\n";
const HELD: &str = "hint: a closer level has fewer pairs; --max-pairs off lifts the limit\n";

/// Checks five texts, which are ten pairs, or six between two groups of three and two texts.
#[test]
fn as_many_pairs_as_there_may_be_are_reported_and_more_are_errors() {
    let reordered = "{\"id\":1,\"text\":\"copper kettle stove\"}\n\
                     {\"id\":2,\"text\":\"copper kettle stove\"}\n\
                     {\"id\":3,\"text\":\"stove kettle copper\"}\n";
    let (equal, apart) = (equal(5), one_word_apart(5));
    #[rustfmt::skip]
    let table: &[(&str, &str, &str, usize, &str, &str)] = &[
        ("copies",                    &equal,    "",                             10, "near-duplicate or closer", MESSAGE),
        ("one word apart",            &apart,    "",                             10, "near-duplicate or closer", MESSAGE),
        ("by fingerprints",           &apart,    "--jaccard off --hamming 40",   10, "near-duplicate or closer", MESSAGE),
        ("partial ones",              &apart,    "--at-least partial",           10, "partial or closer",        MESSAGE),
        ("by what all reach",         &apart,    "--at-least different",         10, "different or closer",      MESSAGE),
        ("identical ones",            &equal,    "--at-least identical",         10, "identical",                MESSAGE),
        ("none is identical",         &apart,    "--at-least identical --format jsonl", 0,  "",                         ""),
        ("of other groups",           &equal,    "--group paper",                6,  "near-duplicate or closer", MESSAGE),
        ("one word apart, groups",    &apart,    "--group paper",                6,  "near-duplicate or closer", MESSAGE),
        ("the same words in another order",
                                      reordered, "--max 1 --jaccard off --hamming off --format jsonl", 1, "near-duplicate or closer", MESSAGE),
        ("two of each are ten",       &equal,    "--nearest 2",                  10, "different or closer",      MESSAGE),
        ("clusters by ten pairs",     &apart,    "--clusters",                   10, "near-duplicate or closer", HELD),
        ("what is kept by ten pairs", &apart,    "--keep first",                 10, "near-duplicate or closer", HELD),
        ("quiet by ten pairs",        &apart,    "--quiet",                      10, "near-duplicate or closer", HELD),
        ("clusters of copies",        &equal,    "--clusters",                   0,  "",                         ""),
        ("what is kept of copies",    &equal,    "--keep longest",               0,  "",                         ""),
        ("quiet about copies",        &equal,    "--quiet",                      0,  "",                         ""),
    ];
    for (why, texts, flags, max_pairs, level, hint) in table {
        let enough = run(texts, &format!("{flags} --max-pairs {max_pairs}"));
        assert!(enough.status < 2, "{why}: {}", enough.errors);
        assert_eq!(enough.output, run(texts, &format!("{flags} --max-pairs off")).output, "{why}");
        let Some(fewer) = max_pairs.checked_sub(1) else { continue };
        let failed = run(texts, &format!("{flags} --max-pairs {fewer}"));
        assert_eq!((failed.status, &*failed.output), (2, ""), "{why}");
        let noun = if fewer == 1 { "pair" } else { "pairs" };
        let message =
            format!("dedup: more than {fewer} {noun} {level}, expected at most that many");
        let rest = failed.errors.strip_prefix(&message).unwrap_or_else(|| panic!("{why}"));
        assert_eq!(rest.split_once('\n').unwrap().1, *hint, "{why}");
    }
}

/// Checks four texts, one of which is near to the three others, whatever the number of threads.
#[test]
fn the_texts_with_most_pairs_are_named() {
    let record = |(id, words): (&str, &str)| format!("{{\"id\":\"{id}\",\"text\":\"{words}\"}}\n");
    let [a, b, c] =
        ["a", "b", "c"].map(|own| format!("oak elm ash {own}1 {own}2 {own}3 {own}4 {own}5"));
    let hub = format!("{a} {b} {c}");
    let texts = [("a", &*a), ("b", &b), ("c", &c), ("hub", &hub)].map(record).concat();
    for threads in 1..3 {
        let flags = "--jaccard 0.4 --hamming off --max 1 --stem off --max-pairs 2";
        let failed = run(&texts, &format!("{flags} --threads {threads}"));
        let message = "dedup: more than 2 pairs near-duplicate or closer, expected at most that many; \
                       the texts with most pairs: hub (3), a (1), b (1)\n";
        assert_eq!((failed.errors, failed.status), (message.to_owned() + MESSAGE, 2));
    }
}

/// Checks texts that share passages: no notice that many share, but one with each of three others.
#[test]
fn the_texts_that_share_most_passages_are_named() {
    let words = |own: &str, count: usize| -> String {
        (0..count).map(|number| format!("{own}{number} ")).collect::<Vec<_>>().concat()
    };
    let record = |id: &str, text: String| format!("{{\"id\":\"{id}\",\"text\":\"{text}\"}}\n");
    let part = |own: &str| record(own, words(own, 15) + &words(&format!("{own}x"), 200));
    let hub = ["a", "b", "c"].map(|own| words(own, 15)).concat() + &words("hx", 200);
    let texts = ["a", "b", "c"].map(part).concat() + &record("hub", hub);
    for threads in 1..3 {
        let flags = format!("--at-least excerpt --format jsonl --threads {threads}");
        let failed = run(&texts, &format!("{flags} --max-pairs 2"));
        let message = "dedup: more than 2 pairs excerpt or closer, expected at most that many; \
                       the texts with most pairs: hub (3), a (1), b (1)\n";
        assert_eq!((failed.errors, failed.status), (message.to_owned() + MESSAGE, 2));
        assert_eq!(
            run(&texts, &flags).output,
            run(&texts, &format!("{flags} --max-pairs 3")).output
        );
    }
}

/// Checks that the output is complete, or nothing is written, in any format.
#[test]
fn nothing_is_written_of_too_many() {
    let texts = equal(5);
    for format in [
        "text", "json", "jsonl", "csv", "sarif", "github", "junit", "gitlab", "markdown", "badge",
        "paths", "paths0",
    ] {
        let failed = run(&texts, &format!("--max-pairs 9 --format {format}"));
        assert_eq!((failed.status, &*failed.output), (2, ""), "{format}");
    }
    for (flags, file) in [
        ("--quiet --format json=out", "out"),
        ("--quiet --at-least excerpt --format jsonl=out", "out"),
        ("--quiet --report out.html", "out.html"),
        ("--quiet --clusters --report out.html", "out.html"),
        ("--quiet --baseline out --update-baseline", "out"),
    ] {
        for (max_pairs, status) in [(10, 0), (9, 2)] {
            let line =
                format!("corpus --jsonl texts.jsonl --lang en {flags} --max-pairs {max_pairs}");
            let folder = format!("max-pairs-{max_pairs}-{}", flags.replace(['-', ' ', '='], "_"));
            let run = in_folder(&folder, &[("texts.jsonl", texts.as_bytes())], &line);
            assert_eq!(run.status, status, "{line}: {}", run.errors);
            let root = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(&folder);
            let written = std::fs::read_dir(root).unwrap();
            let is_there = written.into_iter().any(|it| it.unwrap().path().join(file).exists());
            assert_eq!(is_there, status == 0, "{line}");
        }
    }
}

/// Checks that the answer and the board say why the pairs below the level are not counted.
#[test]
fn too_many_pairs_below_the_level_are_mentioned() {
    let copies = ["a", "b"].map(|name| (format!("{name}.txt"), format!("{WORDS}.\n")));
    let excerpts = ["c", "d"].map(|name| {
        let own: Vec<String> = (0..90).map(|word| format!(" {name}{word}")).collect();
        (format!("{name}.txt"), format!("{WORDS}{}.\n", own.concat()))
    });
    let files = [copies, excerpts].concat();
    let files: Vec<(&str, &[u8])> =
        files.iter().map(|(name, text)| (name.as_str(), text.as_bytes())).collect();
    let run = |flags: &str| {
        in_folder("max-pairs-levels", &files, &format!("corpus . --lang en {flags}")).output
    };
    let line = "\n1 pair near-duplicate or closer; more than 3 pairs with anything in common\n";
    let few = run("--max-pairs 3");
    assert!(few.contains(line), "{few}");
    let board = run("--max-pairs 3 --quiet --report -");
    let sentence = "<p>All pairs that are near copies or identical. More than 3 pairs with \
                    anything in common, which are too many to list here.</p>";
    assert!(board.contains(sentence), "{board}");
    for flags in ["--max-pairs 6", "--max-pairs off"] {
        let all = run(flags);
        assert!(all.contains("\n1 pair near-duplicate or closer; 4 partial, 1 excerpt "), "{all}");
    }
}

/// Checks 1,415 copies, which are 1,000,405 pairs.
#[test]
fn a_million_pairs_are_as_many_as_are_reported_unless_a_limit_is_given() {
    let texts = equal(1415);
    let failed = run(&texts, "");
    let message = "dedup: more than 1,000,000 pairs near-duplicate or closer, expected at most that \
                   many; the texts with most pairs: t0000 (1,414), t0001 (1,414), t0002 (1,414)\n";
    assert_eq!((failed.status, &*failed.output), (2, ""));
    assert_eq!(failed.errors, message.to_owned() + MESSAGE);
    assert_eq!(run(&texts, "--quiet").status, 0);
    assert_eq!(run(&texts, "--keep first --format paths").output, "t0000\n");
    let clusters = run(&texts, "--clusters");
    let end = "  t1414\n1 cluster\n1,415 texts compared\n";
    assert!(
        clusters.output.starts_with("cluster 1: 1,415 texts\n  t0000\n"),
        "{}",
        clusters.output
    );
    assert!(clusters.output.ends_with(end), "{}", clusters.output);
    assert_eq!(clusters.output.lines().count(), 1418);
}

/// Checks 92 copies, which are 4,186 pairs, more than are judged at a time.
#[cfg(unix)]
#[test]
fn what_is_printed_as_it_comes_is_what_a_file_has() {
    let texts = equal(92);
    for (format, lines) in [
        ("jsonl", 4186),
        ("csv", 4187),
        ("junit", 3 + 92 * (4 + 20) + 3),
        ("gitlab", 1),
        ("json", 1),
    ] {
        let printed = run(&texts, &format!("--passages off --format {format}"));
        let file = run(&texts, &format!("--passages off --quiet --format {format}=/dev/stderr"));
        assert_eq!((printed.status, file.status), (0, 0), "{format}");
        assert!(printed.output == file.errors, "{format}");
        assert_eq!(printed.output.lines().count(), lines, "{format}");
    }
}

/// Clusters and nearest texts cannot be combined with `--each-against`.
#[test]
fn the_hint_names_no_flag_that_is_refused() {
    let (new, old) = (equal(3), equal(1));
    let files = [("new.jsonl", new.as_bytes()), ("old.jsonl", old.as_bytes())];
    let line = "corpus --jsonl new.jsonl --against old.jsonl --lang en --max-pairs 1";
    for (flag, hint) in [("", MESSAGE), (" --each-against", HELD)] {
        let run = in_folder("max-pairs-against", &files, &format!("{line}{flag}"));
        assert_eq!(run.status, 2, "{flag}");
        assert!(run.errors.ends_with(hint), "{flag}: {}", run.errors);
    }
}

#[test]
fn a_limit_is_a_whole_number_or_off() {
    for typed in ["", "-1", "1.5", "many", "18446744073709551616"] {
        let run = run(&equal(2), &format!("--max-pairs={typed}"));
        assert_eq!(run.status, 2, "{typed}");
        assert!(run.errors.contains("expected a whole number of pairs, or off"), "{}", run.errors);
    }
}

/// Of too many texts, pairs that share only reworded sentences are not looked for: each answer that has
/// room for it says so.
#[test]
#[ignore = "slow: cargo test -- --ignored"]
fn too_many_texts_to_look_for_reworded_sentences_are_told_of() {
    let record = |number: usize| {
        let words: Vec<String> = (0..12).map(|word| format!("w{number}x{word}")).collect();
        format!("{{\"id\":\"t{number:05}\",\"text\":\"{}\"}}\n", words.join(" "))
    };
    let records: String = (0..11_586).map(record).collect();
    let told = |flags: &str| {
        let files: &[(&str, &[u8])] = &[("texts.jsonl", records.as_bytes())];
        let line = format!("corpus --jsonl texts.jsonl --lang none --at-least excerpt {flags}");
        let found = in_folder("reworded", files, &line).output;
        let answer = found.split_whitespace().collect::<Vec<_>>().join(" ");
        answer.contains("pairs that share only reworded sentences were not looked for")
            || answer.contains("\"skips_reworded\":true")
    };
    for format in ["text", "json", "markdown", "junit"] {
        assert!(told(&format!("--format {format}")), "{format}");
    }
    assert!(!told("--focus t00000"));
}
