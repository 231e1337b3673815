//! Tests of more pairs than a platform accepts.

use std::fmt::Write;

use serde_json::Value;

use super::{folder, run};
use crate::common::read_file;

/// Checks 230 copies of a text, which are 26,335 pairs.
#[test]
fn what_there_is_no_room_for_is_counted() {
    let folder = folder("limits");
    let mut lines = String::new();
    for id in 100..330 {
        let _ = writeln!(lines, "{{\"id\": {id}, \"text\": \"copper kettle\"}}");
    }
    std::fs::write(folder.join("many.jsonl"), lines).unwrap();
    let files = "--format sarif=a.sarif --format github=a.log --format markdown=a.md --format gitlab=a.json";
    let result = run(&folder, &format!("corpus --jsonl many.jsonl --passages off --quiet {files}"));
    assert_eq!((result.errors.as_str(), result.status), ("", 0));
    let read = |name| read_file(folder.join(name));

    let log: Value = serde_json::from_str(&read("a.sarif")).unwrap();
    let run = &log["runs"][0];
    assert_eq!(run["results"].as_array().unwrap().len(), 25_000);
    assert_eq!(run["properties"]["findings"], 26_335);
    let [notification] =
        run["invocations"][0]["toolExecutionNotifications"].as_array().unwrap().as_slice()
    else {
        panic!()
    };
    assert_eq!(
        notification["message"]["text"],
        "1,335 more results left out: a run has at most 25,000."
    );
    assert_eq!(run["invocations"][0]["executionSuccessful"], true);

    let log = read("a.log");
    let (annotations, rest): (Vec<&str>, Vec<&str>) =
        log.lines().partition(|line| line.starts_with("::warning "));
    assert_eq!(annotations.len(), 10);
    assert_eq!(
        rest,
        [
            "dedup: 26,335 pairs near-duplicate or closer, 26,325 findings without an annotation; 230 texts compared"
        ]
    );

    let page = read("a.md");
    assert!((60_000..=65_000).contains(&page.len()), "{} bytes", page.len());
    assert!(page.starts_with("## dedup: 26,335 pairs near-duplicate or closer\n"));
    let rows = page.lines().filter(|line| line.starts_with("| identical ")).count();
    let more = 26_335 - rows;
    let sections = page.lines().filter(|line| line.starts_with("### `")).count();
    let passages = 26_335 - sections;
    let thousands = |count: usize| format!("{},{:03}", count / 1000, count % 1000);
    let (more, passages) = (thousands(more), thousands(passages));
    let last = format!(
        "\nNot shown: {more} more pairs, and {passages} more findings; `--format json=FILE` \
         writes all of them, `--report FILE.html` a page to read\n"
    );
    assert!(page.ends_with(&last), "{last}");

    let entries: Value = serde_json::from_str(&read("a.json")).unwrap();
    assert_eq!(entries.as_array().unwrap().len(), 26_335);
}

/// Checks that new pairs are listed before accepted ones, however close these are, and are left out
/// last.
#[test]
fn new_pairs_stand_above_accepted_ones() {
    let folder = folder("new_pairs");
    let text = |words: usize| -> String {
        (0..words).fold(String::new(), |text, it| text + &format!("word{it} "))
    };
    for number in 0..60 {
        let name = format!("{}{number:02}.txt", "a_name_that_is_long_".repeat(5));
        std::fs::write(folder.join(name), text(40)).unwrap();
    }
    std::fs::remove_file(folder.join("left.txt")).unwrap();
    std::fs::remove_file(folder.join("right.txt")).unwrap();
    let line = "corpus . --lang none --baseline base.txt";
    assert_eq!(run(&folder, &format!("{line} --update-baseline --quiet")).status, 0);
    for (name, text) in [("z1.txt", text(40)), ("z2.txt", text(60))] {
        std::fs::write(folder.join(name), text).unwrap();
    }
    let page = run(&folder, &format!("{line} --format markdown")).output;
    assert!(page.len() <= 65_000, "{} bytes", page.len());
    assert!(
        page.starts_with("## dedup: 121 pairs near-duplicate or closer, 1 finding\n"),
        "{page}"
    );
    let rows: Vec<&str> = page.lines().filter(|line| line.contains(" | `")).collect();
    let new = rows.iter().take_while(|row| !row.contains(", accepted")).count();
    assert_eq!(new, 121);
    assert!(
        rows[121..].iter().all(|row| row.starts_with("| identical, accepted by --baseline | ")),
        "{page}"
    );
    assert_eq!(rows.iter().filter(|row| row.starts_with("| near-duplicate |")).count(), 61);
    for threads in ["1", "5"] {
        let other = run(&folder, &format!("{line} --format markdown --threads {threads}")).output;
        assert_eq!(other, page);
    }
}

/// Checks that each row has all of its cells and complete names, wherever the page is full.
#[test]
#[ignore = "slow: cargo test -- --ignored"]
fn no_row_is_cut() {
    for letters in [100, 640, 790, 810, 3333] {
        let folder = folder("rows");
        let name = "é水".repeat(letters / 2);
        let line = |id: usize| format!("{{\"id\": \"{id}{name}\", \"text\": \"copper kettle\"}}\n");
        let lines: String = (0..80).map(line).collect();
        std::fs::write(folder.join("many.jsonl"), lines).unwrap();
        let page = run(&folder, "corpus --jsonl many.jsonl --format markdown").output;
        assert!(page.len() <= 65_000, "{letters}: {} bytes", page.len());
        let rows: Vec<&str> =
            page.lines().filter(|line| line.starts_with("| identical ")).collect();
        assert_eq!(rows.is_empty(), letters > 790, "{letters}");
        for row in &rows {
            assert_eq!(row.matches('|').count(), 7, "{row}");
            assert_eq!(row.matches(&name).count(), 2, "{letters}");
        }
        let last = page.lines().last().unwrap();
        let left = 80 * 79 / 2 - rows.len();
        let want = format!("Not shown: {},{:03} more pairs", left / 1000, left % 1000);
        assert!(last.starts_with(&want), "{letters}: {last}");
    }
}

/// Checks that a name that is longer than a comment may be is left out, and hides no other pair.
#[test]
fn a_page_is_never_too_long() {
    let folder = folder("long");
    let id = "x".repeat(100_000);
    let line = |id: &str| format!("{{\"id\": \"{id}\", \"text\": \"copper kettle\"}}\n");
    std::fs::write(folder.join("two.jsonl"), line("a") + &line(&id) + &line("b")).unwrap();
    let page = run(&folder, "corpus --jsonl two.jsonl --format markdown").output;
    assert!(page.contains(" | `a` | `b` |\n"), "{page}");
    let last = "\nNot shown: 2 more pairs, and 1 more finding; `--format json=FILE` \
         writes all of them, `--report FILE.html` a page to read\n";
    assert!(page.ends_with(last), "{page}");
}

/// Checks that the output depends neither on the time nor on the number of threads.
#[test]
fn the_same_texts_give_the_same_bytes() {
    for format in super::FORMATS {
        let line = format!("corpus samples --at-least partial --format {format}");
        let root = std::path::Path::new(".");
        let output = run(root, &line).output;
        for threads in ["1", "8"] {
            assert_eq!(
                run(root, &format!("{line} --threads {threads}")).output,
                output,
                "{format}"
            );
        }
    }
}
