//! Tests of passages that many texts share: they make pairs, and are listed once with their texts.

use serde_json::{Value, json};

use crate::common::{Run, empty_folder, run};

/// Returns `count` words that are in no other text.
fn words(name: &str, count: usize) -> String {
    (0..count).map(|number| format!("{name}{number}")).collect::<Vec<_>>().join(" ")
}

/// Runs a command in a folder `in` with texts of 80 words of their own, the first `with` of which
/// have the same notice of 14 words.
fn with_notice([with, all]: [usize; 2], line: &str) -> Run {
    let folder = empty_folder("common_passages", &format!("{with}_{all}"));
    std::fs::create_dir_all(folder.join("in")).unwrap();
    for text in 0..all {
        let notice = if text < with { words("n", 14) } else { String::new() };
        let content = format!("{}. {notice}.\n", words(&format!("own{text}x"), 80));
        std::fs::write(folder.join(format!("in/{text:02}.txt")), content).unwrap();
    }
    run(&folder, &format!("{line} --lang none --jaccard 1 --hamming off --partial-jaccard off"))
}

const WORDS: &str = "\"n0 n1 n2 n3 n4 n5 n6 n7 n8 n9 n10 n11 n12 n13\" (in/00.txt, line 1)";

/// Returns an answer without its line breaks.
fn unwrapped(run: &Run) -> String {
    run.output.replace("\n  ", " ").replace("\n    ", " ")
}

#[test]
fn what_many_texts_share_makes_pairs_and_is_listed_with_them() {
    let line = "corpus in --at-least excerpt --rows 0";
    #[rustfmt::skip]
    let table = [
        ("few of few",          [4, 9],    "6 excerpts share only what more than two texts have", None),
        ("few of many",         [9, 60],   "36 excerpts share only what more than two texts have", None),
        ("a sixth",             [10, 60],  "45 excerpts share only what more than two texts have", Some("Shared by many: 14 words that 10 of 60 texts have")),
        ("nearly half",         [14, 29],  "91 excerpts share only what more than two texts have", Some("Shared by many: 14 words that 14 of 29 texts have")),
        ("half",                [5, 10],   "10 excerpts share only what more than two texts have", Some("Sheet or common source? 14 words that 5 of 10 texts have")),
        ("four fifths",         [8, 10],   "28 excerpts share only what more than two texts have", Some("Sheet or common source? 14 words that 8 of 10 texts have")),
    ];
    for (why, texts @ [with, of], pairs, listed) in table {
        let found = with_notice(texts, line);
        let answer = unwrapped(&found);
        assert!(answer.contains(pairs), "{why}: {answer}");
        assert_eq!(answer.contains("that"), listed.is_some(), "{why}: {answer}");
        let is_first = 2 * with >= of;
        if let Some(listed) = listed {
            let said = format!("{listed}: {WORDS}\n");
            assert_eq!(answer.starts_with(&said), is_first, "{why}: {answer}");
            assert!(answer.contains(&said), "{why}: {answer}");
            let members = format!("  in in/00.txt, in/01.txt, in/02.txt and {} more\n", with - 3);
            assert_eq!(answer.contains(members.trim_start()), !is_first, "{why}: {answer}");
        }
        let hint = "hint: --template-share 0.8 sets aside what four fifths of the texts share";
        assert_eq!(found.errors.starts_with(hint), 5 * with >= 4 * of, "{why}: {}", found.errors);
        let fails = with_notice(texts, "corpus in --fail-on excerpt");
        assert_eq!(fails.status, 1, "{why}");
    }
    let json = with_notice([10, 60], &format!("{line} --format json"));
    let json: Value = serde_json::from_str(&json.output).unwrap();
    let shared = &json["widespread"][0];
    let paths: Vec<String> = (0..10).map(|text| format!("in/{text:02}.txt")).collect();
    assert_eq!((&shared["texts"], &shared["of"]), (&json!(10), &json!(60)));
    assert_eq!(shared["paths"], json!(paths));
    let board = with_notice([8, 10], "corpus in --quiet --report /dev/stdout").output;
    let first = "<summary>Sheet or common source? 14 words that 8 of 10 texts have";
    let hint = "<p>Hint: --template-share 0.8 sets aside what four fifths of the texts share";
    let [at, below] = [first, hint].map(|said| board.find(said).unwrap());
    assert!(at < below && below < board.find("<main>").unwrap());
}

/// The pairs of one passage are counted, not found one by one.
#[test]
fn too_many_pairs_of_a_passage_name_it() {
    let line = "corpus in --at-least excerpt --max-pairs 20";
    let found = with_notice([10, 60], line);
    assert_eq!(found.status, 2);
    assert!(
        found.errors.starts_with(
            "dedup: more than 20 pairs excerpt or closer, expected at most that many; most of them \
             share 14 words that 10 of 60 texts have: \"n0 n1 n2 n3 n4 n5 n6 n7 n8 n9 n10 n11 n12 \
             n13\"\nhint: --template-share 0.8"
        ),
        "{}",
        found.errors
    );
    let found = with_notice([10, 60], "corpus in --max-pairs 20");
    let answer = unwrapped(&found);
    assert!(answer.contains("; more than 20 pairs with anything in common"), "{answer}");
    assert!(answer.contains("Shared by many: 14 words that 10 of 60 texts have"), "{answer}");
}
