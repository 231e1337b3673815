//! Tests of the hint on a block that many pairs share.

use crate::common::{Run, in_folder};

const NOTICE: &str = "This page belongs to the manual of the harbour and may be handed on \
    by anybody who leaves these words as they are.";

/// Returns words that no other text has.
fn own(number: usize, words: usize) -> String {
    (0..words).fold(String::new(), |text, word| text + &format!("w{number}x{word} "))
}

/// Returns `with` texts with the notice above their own words, and `without` texts without it.
fn texts(with: usize, without: usize) -> Vec<(String, String)> {
    let with =
        (0..with).map(|it| (format!("a{it:02}.txt"), format!("{NOTICE}\n\n{}\n", own(it, 40))));
    let without = (0..without).map(|it| (format!("b{it:02}.txt"), own(100 + it, 40)));
    with.chain(without).collect()
}

/// Runs in a folder for the test, because tests run at the same time.
fn run(folder: &str, texts: &[(String, String)], flags: &str) -> Run {
    let files: Vec<(&str, &[u8])> =
        texts.iter().map(|(name, text)| (name.as_str(), text.as_bytes())).collect();
    in_folder(folder, &files, &format!("corpus . --lang none {flags}"))
}

#[test]
fn a_block_that_many_pairs_share_is_named_with_the_flag_that_leaves_it_out() {
    let (texts, level) = (texts(6, 4), "--at-least excerpt");
    let found = run("share_hint_named", &texts, level);
    assert!(found.output.contains("\n15 pairs excerpt or closer\n"), "{}", found.output);
    assert_eq!(
        found.errors,
        "hint: 15 of the pairs share a block of 23 words that 6 texts of these pairs have: \"This page \
         belongs to the manual of the…\" (./a00.txt, line 1), and 15 of them little else; if this is \
         boilerplate, leave it out with --template-share 0.5\n"
    );
    for threads in ["1", "3"] {
        let other = run("share_hint_named", &texts, &format!("{level} --threads {threads}"));
        assert_eq!((other.output, other.errors), (found.output.clone(), found.errors.clone()));
    }
    let without = run("share_hint_named", &texts, &format!("{level} --template-share 0.5"));
    assert!(without.output.starts_with("0 pairs excerpt or closer\n"), "{}", without.output);
    assert_eq!(without.errors, "");
}

#[test]
fn the_texts_of_a_block_that_is_too_common_to_make_a_pair_are_all_counted() {
    // The two texts with many words of their own are in no pair.
    let neighbours = |it: usize| format!("{} {}", own(it / 4, 30), own(50 + it, 40));
    let mut texts: Vec<(String, String)> = (0..12)
        .map(|it| (format!("a{it:02}.txt"), format!("{NOTICE}\n\n{}\n", neighbours(it))))
        .collect();
    texts.extend(
        (90..92).map(|it| (format!("c{it}.txt"), format!("{NOTICE}\n\n{}\n", own(it, 300)))),
    );
    texts.extend((0..4).map(|it| (format!("d{it}.txt"), own(100 + it, 40))));
    let level = "--at-least partial";
    let found = run("share_hint_all", &texts, level);
    let common = "too common to make a pair: 23 words that 14 texts have: ";
    assert!(found.output.contains(common), "{}", found.output);
    assert_eq!(
        found.errors,
        "hint: 66 of the pairs share a block of 23 words that 14 texts have: \"This page belongs to \
         the manual of the…\" (./a00.txt, line 1), and 48 of them little else; if this is boilerplate, \
         leave it out with --template-share 0.72\n"
    );
    let without = run("share_hint_all", &texts, &format!("{level} --template-share 0.72"));
    assert!(
        without.output.contains("\nleft out: 23 words that 14 texts have"),
        "{}",
        without.output
    );
    assert_eq!(without.errors, "");
}

#[test]
fn there_is_no_hint_where_it_would_not_help() {
    let copies: Vec<(String, String)> =
        (0..8).map(|it| (format!("{it}.txt"), format!("{NOTICE} {}", own(1, 60)))).collect();
    let edited: Vec<(String, String)> = (0..8)
        .map(|it| (format!("{it}.txt"), format!("{NOTICE} {} end{it}", own(1, 60))))
        .collect();
    let long: Vec<(String, String)> =
        (0..12).map(|it| (format!("{it:02}.txt"), format!("{NOTICE} {}", own(it, 400)))).collect();
    let more: Vec<(String, String)> = (0..6)
        .map(|it| (format!("{it}.txt"), format!("{NOTICE} {} {}", own(it, 90), own(99, 20))))
        .collect();
    #[rustfmt::skip]
    let table = [
        ("four texts",            texts(4, 0),  "--at-least excerpt",                          false),
        ("under half of them",    texts(5, 4),  "--at-least excerpt",                          false),
        ("all of them",           texts(5, 0),  "--at-least excerpt",                          true),
        ("too few of many",       texts(7, 437), "--at-least excerpt",                         false),
        ("pairs that share more", more,         "--at-least excerpt",                          false),
        ("copies",                copies,       "--at-least excerpt",                          false),
        ("copies, edited",        edited,       "--at-least excerpt",                          false),
        ("for a program",         texts(6, 4),  "--at-least excerpt --format jsonl",           false),
        ("the status alone",      texts(6, 4),  "--at-least excerpt --quiet",                  false),
        ("of the nearest",        texts(6, 4),  "--nearest 1 --passages on",                   false),
        ("no pair reaches it",    texts(6, 4),  "--at-least near-duplicate",                   false),
        ("close by the block",    texts(12, 4), "--at-least excerpt",                          true),
        ("listed once already",   long.clone(), "--at-least excerpt",                          false),
        ("unless asked for",      long,         "--at-least excerpt --pair-common",            true),
        ("given to everyone",     texts(6, 4),  "--at-least excerpt --template ./a00.txt",     false),
    ];
    for (why, texts, flags, want) in table {
        let run = run("share_hint_none", &texts, flags);
        assert_eq!(run.errors.contains("--template-share 0."), want, "{why}: {}", run.errors);
    }
}
