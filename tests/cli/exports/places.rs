//! Tests of the places that are reported, and of texts that could not be read.

use std::path::Path;

use serde_json::{Value, json};

use super::{folder, run};

fn results(folder: &Path, line: &str) -> Vec<Value> {
    let log: Value = serde_json::from_str(&run(folder, line).output).unwrap();
    log["runs"][0]["results"].as_array().unwrap().clone()
}

/// Checks that a pair without passages is one finding, about both texts as a unit.
#[test]
fn a_pair_without_passages_is_one_finding() {
    let folder = folder("whole");
    let line = "left.txt right.txt FLAGS --passages off";
    let [result] = &results(&folder, &format!("{line} --format sarif"))[..] else { panic!() };
    let want = "near-duplicate: this text is a near-duplicate of [right.txt](1).";
    assert_eq!(result["message"]["text"], want);
    assert_eq!(result["locations"][0]["physicalLocation"].get("region"), None);
    let github = run(&folder, &format!("{line} --format github")).output;
    let want = "::warning file=left.txt,title=dedup%3A near-duplicate::\
                this text is a near-duplicate of right.txt\n";
    assert!(github.starts_with(want), "{github}");
    let gitlab = run(&folder, &format!("{line} --format gitlab")).output;
    assert!(gitlab.contains(r#""location":{"path":"left.txt","lines":{"begin":1,"end":1}}"#));
    // The same in a corpus, which searches for passages by default.
    let many = "corpus left.txt right.txt FLAGS --format sarif";
    assert_eq!(results(&folder, many)[0]["properties"]["words"], 15);
    assert_eq!(results(&folder, &format!("{many} --passages off"))[0], *result);
}

/// Checks that a Word document, which has no lines, is reported without a region.
#[test]
fn a_place_in_a_document_is_one_of_its_text() {
    let documents = Path::new("tests/documents");
    let line = "pandoc.docx harbour.md --format sarif";
    let results = results(documents, line);
    assert!(!results.is_empty());
    for result in &results {
        let places = [&result["locations"][0], &result["relatedLocations"][0]];
        assert_eq!(places[0]["physicalLocation"].get("region"), None);
        assert!(places[1]["physicalLocation"]["region"]["startLine"].is_number());
        assert!(result["message"]["text"].as_str().unwrap().contains(" of its text)"), "{result}");
    }
}

/// Checks that a passage that moves within its text stays the same finding.
#[test]
fn a_finding_is_known_wherever_it_stands() {
    let folder = folder("moved");
    let hashes = |line: &str| -> Vec<String> {
        let hash = |it: &Value| {
            it["partialFingerprints"]["primaryLocationLineHash"].as_str().unwrap().to_owned()
        };
        results(&folder, line).iter().map(hash).collect()
    };
    let line = "left.txt right.txt FLAGS --at-least different --format sarif";
    let before = hashes(line);
    let left = super::PAIR[0].1;
    std::fs::write(folder.join("left.txt"), format!("A heading\n\nand more\n\n{left}")).unwrap();
    assert_eq!(hashes(line), before);
    let gitlab = run(&folder, &line.replace("sarif", "gitlab")).output;
    let gitlab: Value = serde_json::from_str(&gitlab).unwrap();
    assert_eq!(format!("{}:1", gitlab[0]["fingerprint"].as_str().unwrap()), before[0]);
    // Other words, or the same words in another text, are other findings.
    std::fs::write(folder.join("left.txt"), left.replace("sings", "hums")).unwrap();
    assert_ne!(hashes(line), before);
    std::fs::rename(folder.join("right.txt"), folder.join("r.txt")).unwrap();
    std::fs::write(folder.join("left.txt"), left).unwrap();
    assert_ne!(hashes(&line.replace("right.txt", "r.txt")), before);
}

#[test]
fn what_cannot_be_read_is_an_error() {
    let folder = folder("failed");
    std::fs::write(folder.join("b\u{7}.txt"), b"a\0<b>").unwrap();
    let line = "corpus left.txt right.txt b\u{7}.txt FLAGS --format";
    let error = "b\\u{7}.txt: not a text: NUL byte at offset 1";
    let printed = |format: &str| {
        let printed = run(&folder, &format!("{line} {format}"));
        assert_eq!(printed.status, 2, "{format}");
        printed.output
    };
    let log: Value = serde_json::from_str(&printed("sarif")).unwrap();
    let invocation = &log["runs"][0]["invocations"][0];
    assert_eq!(invocation["executionSuccessful"], false);
    assert_eq!(
        invocation["toolExecutionNotifications"],
        json!([{"level": "error", "message": {"text": error}}])
    );
    let suite = printed("junit");
    assert!(
        suite.contains(
            "<testsuite name=\"dedup\" tests=\"3\" failures=\"2\" errors=\"1\" skipped=\"0\">"
        ),
        "{suite}"
    );
    let case = format!(
        "<testcase classname=\"dedup.text\" name=\"b\\u{{7}}.txt\" file=\"b\\u{{7}}.txt\">\n      <error type=\"unreadable\" message=\"{error}\"/>"
    );
    assert!(suite.contains(&case), "{suite}");
    assert!(
        printed("markdown").contains(&format!(
            "2 texts compared; 1 failed\n\nNot compared:\n\n- `{error}; save it as plain text first`\n\n###"
        ))
    );
    let github = printed("github");
    assert!(github.ends_with("; 2 texts compared; 1 failed\n"), "{github}");
    let first = format!("::error file=b\\u{{7}}.txt,title=dedup%3A unreadable::{error}\n");
    assert!(github.starts_with(&first), "{github}");
}

/// Checks that a text that does not fail the run is a warning in each format.
#[test]
fn what_cannot_be_read_is_a_warning_where_the_run_does_not_fail() {
    let folder = folder("warned");
    std::fs::write(folder.join("alone.txt"), "Rain until Tuesday, then fog.").unwrap();
    std::fs::write(folder.join("bad.txt"), b"a\0b").unwrap();
    let line = "check left.txt alone.txt bad.txt --unreadable warn FLAGS --format";
    let error = "bad.txt: not a text: NUL byte at offset 1";
    let printed = |format: &str| {
        let printed = run(&folder, &format!("{line} {format}"));
        assert_eq!(printed.status, 0, "{format}");
        printed.output
    };
    let log: Value = serde_json::from_str(&printed("sarif")).unwrap();
    let want = json!([{
        "executionSuccessful": true,
        "toolExecutionNotifications": [{"level": "warning", "message": {"text": error}}],
    }]);
    assert_eq!(log["runs"][0]["invocations"], want);
    let suite = printed("junit");
    let counts = "name=\"dedup\" tests=\"3\" failures=\"0\" errors=\"0\" skipped=\"1\">";
    assert!(suite.contains(counts), "{suite}");
    let case = format!(
        "<testcase classname=\"dedup.text\" name=\"bad.txt\" file=\"bad.txt\">\n      <skipped message=\"{error}\"/>"
    );
    assert!(suite.contains(&case), "{suite}");
    let annotation = format!("::warning file=bad.txt,title=dedup%3A unreadable::{error}\n");
    assert!(printed("github").starts_with(&annotation));
    assert!(printed("badge").contains("\"message\":\"not compared\""));
}

/// Checks that texts that are in no pair have the paths that they would have in one.
#[test]
fn all_texts_have_paths_of_one_kind() {
    let folder = folder("kinds_of_paths");
    let texts: [(&str, &[u8]); 3] =
        [("bad.docx", b"PK\x03\x04"), ("empty.txt", b""), ("short.txt", b"...")];
    for (name, text) in texts {
        std::fs::write(folder.join(name), text).unwrap();
    }
    for named in [".", folder.to_str().unwrap()] {
        let printed =
            |format: &str| run(&folder, &format!("corpus {named} FLAGS --format {format}")).output;
        let csv = printed("csv");
        let named = csv.lines().skip(2).map(|row| row.split(',').next().unwrap());
        assert_eq!(named.collect::<Vec<_>>(), ["bad.docx", "short.txt", "empty.txt"], "{csv}");
        let junit = printed("junit");
        for name in ["bad.docx", "short.txt"] {
            let case = format!("name=\"{name}\" file=\"{name}\">");
            assert!(junit.contains(&case), "{junit}");
        }
        assert!(printed("github").starts_with("::error file=bad.docx,"));
        assert!(printed("markdown").contains("\n- `empty files: empty.txt`\n"));
    }
    let absolute = format!("corpus {} FLAGS --format json", folder.display());
    let answer: Value = serde_json::from_str(&run(&folder, &absolute).output).unwrap();
    assert_eq!(answer["failed"][0]["name"], "bad.docx");
    assert_eq!(answer["skipped"][0]["names"], json!(["empty.txt"]));
    assert_eq!(answer["too_short"]["paths"], json!(["short.txt"]));
    assert_eq!(answer["pairs"][0]["a"]["path"], "left.txt");
}

/// Checks `--nearest`, where each text has its own pairs, some of which are below the level.
#[test]
fn of_the_nearest_only_those_that_reach_the_level_are_found() {
    let samples = Path::new(".");
    let line = "corpus --jsonl samples/notices.jsonl --nearest 1 --format";
    let suite = run(samples, &format!("{line} junit")).output;
    assert!(
        suite.contains(
            "<testsuite name=\"dedup\" tests=\"8\" failures=\"4\" errors=\"0\" skipped=\"0\">"
        ),
        "{suite}"
    );
    assert_eq!(results(samples, &format!("{line} sarif")).len(), 2);
    let log = run(samples, &format!("{line} github")).output;
    assert_eq!(log.lines().filter(|line| line.starts_with("::")).count(), 2, "one of each pair");
    assert!(log.ends_with("dedup: 2 pairs near-duplicate or closer; 8 texts compared\n"), "{log}");
    assert!(suite.contains("<system-out>2 pairs near-duplicate or closer;"), "{suite}");
    let badge = run(samples, &format!("{line} badge")).output;
    assert!(badge.contains("\"message\":\"2 pairs\""), "{badge}");
    let page = run(samples, &format!("{line} markdown")).output;
    assert!(page.starts_with("## dedup: 2 pairs near-duplicate or closer\n"), "{page}");
    assert_eq!((page.matches("\n| ").count(), page.matches("\n### `").count()), (8, 2), "{page}");
    assert!(!page.contains("Not shown"), "{page}");
    // Of two that are nearest to each other, and one that is near to neither.
    let text = run(samples, "corpus --jsonl samples/notices.jsonl --nearest 1 --at-least partial");
    assert!(text.output.contains("\n4 pairs partial or closer\n"), "{}", text.output);
    assert!(
        run(samples, &format!("{line} csv"))
            .output
            .contains("\nlibrary-1,library-2,partial,jaccard,30,")
    );
}

/// Checks the annotation at the left end, for each way in which two texts can share words.
#[test]
fn an_annotation_is_a_plain_sentence() {
    let words = |changed: usize| -> String {
        let word = |it: usize| if it == changed { "changed ".into() } else { format!("word{it} ") };
        (0..30).map(word).collect()
    };
    let (exact, edited) = (words(30), words(15));
    let page = format!("<!doctype html><p>{exact}</p>");
    let [moved, both] = [&exact, &edited].map(|text| {
        let (first, last) = text.split_at(text.find("word12").unwrap_or_default());
        format!("{last}{first}")
    });
    #[rustfmt::skip]
    let table: &[(&str, &str, &str, &str, &str)] = &[
        ("exact",        "b.txt",  &exact,  "",               "30 words here also occur in b.txt, line 1"),
        ("edited",       "b.txt",  &edited, "",               "29 words here also occur, edited, in b.txt, line 1"),
        ("moved",        "b.txt",  &moved,  "",               "30 words here also occur, in another order, in b.txt, line 1"),
        ("both",         "b.txt",  &both,   "",               "29 words here also occur, edited and in another order, in b.txt, line 1"),
        ("a document",   "b.html", &page,   "",               "30 words here also occur in b.html, line 1 of its text"),
        ("same words",   "b.txt",  &exact,  "--passages off", "this text has the same words as b.txt"),
        ("nearly",       "b.txt",  &edited, "--passages off", "this text is a near-duplicate of b.txt"),
    ];
    for (why, name, text, flags, want) in table {
        let files: &[(&str, &[u8])] = &[("a.txt", exact.as_bytes()), (name, text.as_bytes())];
        let line = format!("a.txt {name} --lang none --format github {flags}");
        let run = crate::common::in_folder("annotations", files, &line);
        let first = run.output.lines().next().unwrap_or_default();
        assert_eq!(first.rsplit_once("::").map(|(_, said)| said), Some(*want), "{why}");
        assert!(first.starts_with("::warning file=a.txt,"), "{why}: {first}");
    }
}

/// Checks that the fingerprints of a finding, by which code scanning identifies it, depend on the
/// names and the words only.
#[test]
fn fingerprints_stay_where_lines_move() {
    let words: String = (0..30).fold(String::new(), |words, it| words + &format!("word{it} "));
    let identities = |left: &str, right: &str| {
        let files: &[(&str, &[u8])] = &[("a.txt", left.as_bytes()), ("b.txt", right.as_bytes())];
        let line = "a.txt b.txt --lang none --at-least excerpt --format sarif";
        let log = crate::common::in_folder("moved_lines", files, line).output;
        let log: Value = serde_json::from_str(&log).unwrap();
        let results = log["runs"][0]["results"].as_array().unwrap();
        let [result] = results.as_slice() else { panic!("{log}") };
        let lines = &result["locations"][0]["physicalLocation"]["region"]["startLine"];
        (lines.as_u64(), result["partialFingerprints"].clone())
    };
    let (first, identity) = identities(&words, &words);
    let above = format!("Another beginning.\n\n\n{words}\nAnd another end.");
    let (moved, after) = identities(&above, &format!("\n{words}"));
    assert_eq!((first, moved), (Some(1), Some(4)));
    assert_eq!(identity, after);
    let (_, edited) = identities(&words, &words.replace("word15", "changed"));
    assert_ne!(identity, edited, "another passage");
}
