//! More pairs than a platform takes.

use std::fmt::Write;

use serde_json::Value;

use super::{folder, run};
use crate::common::golden;

/// 230 times the same text: 26,335 pairs.
#[test]
fn what_there_is_no_room_for_is_counted() {
    let folder = folder("limits");
    let mut lines = String::new();
    for id in 100..330 {
        let _ = writeln!(lines, "{{\"id\": {id}, \"text\": \"copper kettle\"}}");
    }
    std::fs::write(folder.join("many.jsonl"), lines).unwrap();
    let files = "--format sarif=a.sarif --format github=a.log --format markdown=a.md --format gitlab=a.json";
    let told = run(&folder, &format!("corpus --jsonl many.jsonl --passages off --quiet {files}"));
    assert_eq!((told.errors.as_str(), told.status), ("", 0));
    let read = |name| golden(folder.join(name));

    let log: Value = serde_json::from_str(&read("a.sarif")).unwrap();
    let run = &log["runs"][0];
    assert_eq!(run["results"].as_array().unwrap().len(), 25_000);
    assert_eq!(run["properties"]["findings"], 26_335);
    let [told] = run["invocations"][0]["toolExecutionNotifications"].as_array().unwrap().as_slice()
    else {
        panic!()
    };
    assert_eq!(told["message"]["text"], "1,335 more results left out: a run has 25,000 at most.");
    assert_eq!(run["invocations"][0]["executionSuccessful"], true);

    let log = read("a.log");
    let (annotations, rest): (Vec<&str>, Vec<&str>) =
        log.lines().partition(|line| line.starts_with("::warning "));
    assert_eq!(annotations.len(), 10);
    assert_eq!(
        rest,
        [
            "dedup: 26,335 pairs near-duplicate or closer, 26,330 of them without an annotation; 230 texts compared"
        ]
    );

    let page = read("a.md");
    assert!(page.len() <= 60_100, "{} bytes", page.len());
    assert!(page.starts_with("## dedup: 26,335 pairs near-duplicate or closer\n"));
    let rows = page.lines().filter(|line| line.starts_with("| identical ")).count();
    let more = 26_335 - rows;
    let more = format!("{},{:03} more pairs not shown", more / 1000, more % 1000);
    assert!(page.contains(&format!("\n\n{more}\n")), "{more}");

    let entries: Value = serde_json::from_str(&read("a.json")).unwrap();
    assert_eq!(entries.as_array().unwrap().len(), 26_335);
}

/// A single name may be longer than a comment.
#[test]
fn a_page_is_never_too_long() {
    let folder = folder("long");
    let id = "x".repeat(100_000);
    let line = |id: &str| format!("{{\"id\": \"{id}\", \"text\": \"copper kettle\"}}\n");
    std::fs::write(folder.join("two.jsonl"), line("a") + &line(&id)).unwrap();
    let page = run(&folder, "corpus --jsonl two.jsonl --format markdown").output;
    assert!(
        page.ends_with("\n1 more pair not shown\n\nPassages of 1 more pair not shown\n"),
        "{page}"
    );
}

/// Neither the clock nor the threads are in it.
#[test]
fn the_same_texts_give_the_same_bytes() {
    for format in super::FORMATS {
        let line = format!("corpus samples --at-least partial --format {format}");
        let root = std::path::Path::new(".");
        let told = run(root, &line).output;
        for threads in ["1", "8"] {
            assert_eq!(run(root, &format!("{line} --threads {threads}")).output, told, "{format}");
        }
    }
}
