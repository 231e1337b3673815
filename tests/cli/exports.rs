//! Tests of the formats for other programs and for pull requests, byte for byte on a small pair.

mod limits;
#[cfg(unix)]
mod names;
mod places;
#[cfg(unix)]
mod readers;
mod summary;

use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::common::{Run, command, empty_folder};
use crate::transcript::Transcript;

pub(crate) const FORMATS: [&str; 7] =
    ["csv", "sarif", "github", "junit", "gitlab", "markdown", "badge"];

/// Two texts that share 15 consecutive words. Each has 15 distinct words; 13 of 17 are shared.
pub(crate) const PAIR: [(&str, &str); 2] = [
    (
        "left.txt",
        "Notes on kettles\n\nThe copper kettle stands on the iron stove and sings before the water boils over.\n",
    ),
    (
        "right.txt",
        "The copper kettle stands on the iron stove and sings before the water boils over.\nNobody listens.\n",
    ),
];

/// Flags with which each word is a shingle, unchanged.
const FLAGS: &str = "--lang none --stopwords off --stem off --max 1";

pub(crate) fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("exports").join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    for (name, text) in PAIR {
        std::fs::write(folder.join(name), text).unwrap();
    }
    folder
}

/// Runs a line in a folder. Its flags are separated by spaces.
pub(crate) fn run(folder: &Path, line: &str) -> Run {
    let line = line.replace("FLAGS", FLAGS);
    command().current_dir(folder).args(line.split_whitespace()).output().unwrap().into()
}

/// Returns the figures that cannot be computed by hand, from the JSON of the same pair: the Hamming
/// distance and the fingerprint of the passage.
fn figures(folder: &Path) -> (u64, String) {
    let result = run(folder, "left.txt right.txt FLAGS --format json");
    let record: Value = serde_json::from_str(&result.output).unwrap();
    let fingerprint = record["matches"][0]["fingerprint"].as_str().unwrap();
    (record["measures"]["hamming"].as_u64().unwrap(), fingerprint.to_owned())
}

/// Returns the identifier of the passage: a digest of both names, its words, and its number among
/// equal ones.
fn identity(fingerprint: &str) -> String {
    let digest = Sha256::digest(format!("left.txt\0right.txt\0{fingerprint}:1"));
    data_encoding::HEXLOWER.encode(&digest[..16])
}

/// Checks that a pair, and a corpus of that pair, give the same output.
fn check(folder: &Path, format: &str, flags: &str, want: &str) {
    let flags = format!("left.txt right.txt FLAGS --passages on --format {format} {flags}");
    let pair = run(folder, &flags);
    assert_eq!(pair.output, want, "{format}");
    let corpus = run(folder, &format!("corpus {flags}"));
    assert_eq!((corpus.output, corpus.status), (pair.output, pair.status), "{format}");
}

const HEAD: &str = "a,b,verdict,decided_by,hamming,jaccard,shared,union,\
    containment_a,containment_b,words_a,words_b,passages,coverage_words_a,coverage_words_b,\
    coverage_share_a,coverage_share_b,coverage_longest,accepted,accepted_by,note,name_a,name_b,submitted_a,submitted_b,later,\
    coverage_same_a,coverage_same_b,coverage_changed_a,coverage_changed_b,earlier\n";

#[test]
fn csv_is_a_row_a_pair() {
    let folder = folder("csv");
    let (hamming, _) = figures(&folder);
    let [jaccard, contained] = [13.0 / 17.0, 13.0 / 15.0];
    let [left, right] = [15.0 / 18.0, 15.0 / 17.0];
    let row = format!(
        "left.txt,right.txt,near-duplicate,jaccard,{hamming},{jaccard},13,17,\
         {contained},{contained},18,17,1,15,15,{left},{right},15,,,,,,,,,{left},{right},0,0,\n"
    );
    check(&folder, "csv", "", &format!("{HEAD}{row}"));
}

#[test]
fn sarif_has_a_result_a_passage() {
    let folder = folder("sarif");
    let (_, fingerprint) = figures(&folder);
    let run = run(&folder, "left.txt right.txt FLAGS --format sarif");
    let log: Value = serde_json::from_str(&run.output).unwrap();
    assert_eq!(log["version"], "2.1.0");
    let [sarif_run] = log["runs"].as_array().unwrap().as_slice() else { panic!("{log}") };
    let place = |name, line| {
        json!({
            "artifactLocation": {"uri": name, "uriBaseId": "%SRCROOT%"},
            "region": {"startLine": line, "startColumn": 1, "endLine": line, "endColumn": 81},
        })
    };
    let message = "near-duplicate: 15 words here also occur in [right.txt, line 1](1).";
    let result = json!({
        "ruleId": "near-duplicate",
        "ruleIndex": 1,
        "level": "warning",
        "message": {"text": message},
        "locations": [{"physicalLocation": place("left.txt", 3)}],
        "relatedLocations": [{
            "id": 1,
            "message": {"text": "The other text."},
            "physicalLocation": place("right.txt", 1),
        }],
        "partialFingerprints": {
            "dedupPassage/v1": fingerprint,
            "primaryLocationLineHash": format!("{}:1", identity(&fingerprint)),
        },
        "properties": {
            "texts": 2,
            "places": 2,
            "words": 15,
            "changed_words": 0,
            "kind": "exact",
        },
    });
    assert_eq!(sarif_run["results"], json!([result]));
    assert_eq!(sarif_run["columnKind"], "unicodeCodePoints");
    let ended = json!([{"executionSuccessful": true, "toolExecutionNotifications": []}]);
    assert_eq!(sarif_run["invocations"], ended);
    let driver = &sarif_run["tool"]["driver"];
    assert_eq!(
        (&driver["name"], &driver["version"]),
        (&"dedup".into(), &env!("CARGO_PKG_VERSION").into())
    );
    let rules = driver["rules"].as_array().unwrap().iter();
    let rules: Vec<&str> = rules.map(|rule| rule["id"].as_str().unwrap()).collect();
    assert_eq!(rules, ["identical", "near-duplicate", "partial", "excerpt", "different"]);
    check(&folder, "sarif", "", &run.output);
}

#[test]
fn github_annotates_one_end_of_a_pair() {
    let annotations = |command: &str| {
        format!(
            "::{command} file=left.txt,line=3,endLine=3,title=dedup%3A near-duplicate::\
             15 words here also occur in right.txt, line 1\n\
             dedup: 1 pair near-duplicate or closer; 2 texts compared\n"
        )
    };
    check(&folder("github"), "github", "", &annotations("warning"));
    // If the step fails, the annotations are errors.
    check(&folder("github"), "github", "--fail-on near-duplicate", &annotations("error"));
    let quiet = "dedup: 0 pairs identical; 2 texts compared\n";
    check(&folder("github"), "github", "--at-least identical", quiet);
}

#[test]
fn junit_has_a_case_a_text() {
    let folder = folder("junit");
    let line = format!("left.txt right.txt {FLAGS} --format junit");
    let run = run(&folder, &line);
    check(&folder, "junit", "", &run.output);
    let mut transcript = Transcript::default();
    transcript.run(&line, &run);
    transcript.assert_snapshot("junit");
}

/// Checks that texts without a pair pass, in the order of the corpus. A text that is too short is
/// skipped, and an old one has no case.
#[test]
fn a_text_without_a_pair_is_a_passing_test() {
    let folder = folder("junit_texts");
    std::fs::write(folder.join("alone.txt"), "Rain until Tuesday, then fog in the morning.")
        .unwrap();
    std::fs::write(folder.join("short.txt"), "*").unwrap();
    let suite = run(&folder, "corpus . FLAGS --format junit").output;
    let names: Vec<&str> =
        suite.lines().filter_map(|line| line.trim().strip_prefix("<testcase ")).collect();
    let case = |name: &str, end: &str| {
        format!("classname=\"dedup.text\" name=\"{name}\" file=\"{name}\"{end}")
    };
    let want = [
        case("alone.txt", "/>"),
        case("left.txt", ">"),
        case("right.txt", ">"),
        case("short.txt", ">"),
    ];
    assert_eq!(names, want);
    assert!(suite.contains("tests=\"4\" failures=\"2\" errors=\"0\" skipped=\"1\""), "{suite}");
    assert!(suite.contains("<skipped message=\"./short.txt: "), "{suite}");
    let suite = run(
        &folder,
        "corpus left.txt --against right.txt --against alone.txt FLAGS --format junit",
    )
    .output;
    assert!(
        suite.contains("tests=\"1\" failures=\"1\"")
            && suite.contains("right.txt (earlier), line 1"),
        "{suite}"
    );
}

/// Checks that copies of a text are one finding, of which the first places are named.
#[test]
fn a_text_in_many_pairs_is_one_finding() {
    let folder = folder("junit_many");
    for number in 0..24 {
        std::fs::write(folder.join(format!("{number:02}.txt")), PAIR[0].1).unwrap();
    }
    let suite =
        run(&folder, "corpus . --exclude left.txt --exclude right.txt FLAGS --format junit").output;
    assert!(suite.contains("tests=\"24\" failures=\"24\""), "{suite}");
    let first = suite.split("</testcase>").next().unwrap();
    assert!(first.contains("message=\"1 finding near-duplicate or closer\""), "{first}");
    assert_eq!(
        first.matches("lines 1 to 3: 18 words here also occur in 01.txt, lines 1 to 3; ").count(),
        1,
        "{first}"
    );
    assert!(first.contains("; and 18 more places\n</failure>"), "{first}");
}

/// Checks the badge of shields.io: <https://shields.io/badges/endpoint-badge>.
#[test]
fn a_badge_says_how_many_pairs_there_are() {
    let badge = |message: &str, color: &str| {
        format!(
            "{{\"schemaVersion\":1,\"label\":\"copies\",\"message\":\"{message}\",\"color\":\"{color}\"}}\n"
        )
    };
    check(&folder("badge"), "badge", "", &badge("1 pair", "orange"));
    check(&folder("badge"), "badge", "--fail-on near-duplicate", &badge("1 pair", "red"));
    check(&folder("badge"), "badge", "--fail-on identical", &badge("none", "brightgreen"));
    let folder = folder("badge_corpus");
    let printed = |line: &str| run(&folder, &format!("{line} FLAGS --format badge")).output;
    for name in ["1.txt", "2.txt"] {
        std::fs::write(folder.join(name), PAIR[0].1).unwrap();
    }
    assert_eq!(printed("corpus ."), badge("6 pairs", "orange"));
    // A text that could not be read may be a copy.
    std::fs::write(folder.join("bad.txt"), b"a\0b").unwrap();
    std::fs::write(folder.join("short.txt"), "").unwrap();
    assert_eq!(printed("corpus left.txt bad.txt"), badge("not compared", "lightgrey"));
    assert_eq!(printed("corpus left.txt short.txt"), badge("not compared", "lightgrey"));
    let three = "left.txt right.txt short.txt --at-least identical";
    assert_eq!(printed(&format!("corpus {three}")), badge("not compared", "lightgrey"));
    assert_eq!(printed("corpus left.txt 1.txt bad.txt"), badge("1 pair, 1 failed", "orange"));
    assert_eq!(printed("check left.txt 1.txt"), badge("1 pair", "red"));
}

/// Checks that what an author can leave out has a line in each format, although it is in no pair.
#[test]
fn what_is_not_compared_has_a_line_in_each_format() {
    let folder = empty_folder("exports", "notes");
    std::fs::create_dir_all(folder.join("ben")).unwrap();
    std::fs::write(folder.join("anna.txt"), PAIR[0].1).unwrap();
    std::fs::write(folder.join("ben/.copy.txt"), PAIR[0].1).unwrap();
    let rest = "of a text about other things\n".repeat(4);
    let part = format!("dedup: ignore-start\nA part\ndedup: ignore-end\n{rest}");
    std::fs::write(folder.join("ben/essay.txt"), part).unwrap();
    let printed = |format: &str| run(&folder, &format!("check . --format {format}")).output;
    let hidden = "hidden: ben/.copy.txt (give the file or folder itself to compare it)";
    let line = format!("not compared: {hidden}");
    let counts = "2 texts compared; 1 skipped: hidden; Left out 8 words (marked 8) of 1 text";
    assert!(printed("github").ends_with(&format!("; {counts}\ndedup: {line}\n")));
    let suite = printed("junit");
    assert!(suite.contains(&format!("; {counts}\ndedup: {line}</system-out>")), "{suite}");
    let parsed = |format: &str| serde_json::from_str::<Value>(&printed(format)).unwrap();
    let notifications = &parsed("sarif")["runs"][0]["invocations"][0]["toolExecutionNotifications"];
    assert_eq!(*notifications, json!([{"level": "note", "message": {"text": line}}]));
    let entries: Vec<Value> = serde_json::from_value(parsed("gitlab")).unwrap();
    let entries = entries.iter().map(|entry| {
        [
            &entry["check_name"],
            &entry["severity"],
            &entry["location"]["path"],
            &entry["description"],
        ]
        .map(|it| it.as_str().unwrap().to_owned())
    });
    let left_out = "Left out 8 words (marked 8) of 1 text";
    let want = [["left-out", "info", ".", left_out], ["skipped", "info", "ben/.copy.txt", &line]];
    assert_eq!(entries.collect::<Vec<_>>(), want);
    assert_eq!(parsed("json")["excluded"], json!({"texts": 1, "words": {"marked": 8}}));
    let rows = printed("csv");
    let rows: Vec<&str> = rows.lines().skip(1).collect();
    let of_left_out = format!(",,left-out{}{left_out},,,,,,,,,,", ",".repeat(18));
    let of_hidden = "hidden; give the file or folder itself to compare it";
    let of_hidden = format!("ben/.copy.txt,,not-compared{}{of_hidden},,,,,,,,,,", ",".repeat(18));
    assert_eq!(rows, [of_left_out, of_hidden]);
    assert!(printed("badge").contains("\"message\":\"none, 1 skipped, 1 in part\""));
}

#[test]
fn gitlab_has_an_entry_a_passage() {
    let folder = folder("gitlab");
    let identity = identity(&figures(&folder).1);
    let want = [
        r#"[{"description":"near-duplicate: 15 words here also occur in right.txt, line 1","#,
        r#""check_name":"near-duplicate","fingerprint":""#,
        &identity,
        r#"","severity":"minor","location":{"path":"left.txt","lines":{"begin":3,"end":3}}}]"#,
        "\n",
    ];
    check(&folder, "gitlab", "", &want.concat());
    check(&folder, "gitlab", "--at-least identical", "[]\n");
}

#[test]
fn markdown_has_a_table_and_the_passages() {
    let folder = folder("markdown");
    let (hamming, _) = figures(&folder);
    let want = format!(
        "## dedup: 1 pair near-duplicate or closer

2 texts compared

### `left.txt` and `right.txt`

near-duplicate: Jaccard 0.7647 reaches its limit 0.5

- 15 words, word for word; left, line 3; right, line 1:
  `The copper kettle stands on the iron stove and sings before the water boils over`

### Pairs

| verdict | shared | Jaccard | Hamming | left | right |
|---|---|---|---|---|---|
| near-duplicate | 83 % of left, 88 % of right | 0.7647 | {hamming} | `left.txt` | `right.txt` |
"
    );
    check(&folder, "markdown", "", &want);
}

#[test]
fn markdown_has_the_shares_of_the_text_answer() {
    let folder = folder("markdown_shares");
    std::fs::write(folder.join("1.txt"), "kettle iron stove harbour mill oven lamp rope\n")
        .unwrap();
    std::fs::write(folder.join("2.txt"), "oven stove kettle mill iron winter rope lamp\n").unwrap();
    let row = |line: &str| {
        let page = run(&folder, &format!("{line} FLAGS --format markdown")).output;
        let row = page.lines().find(|line| line.contains(".txt` |")).unwrap().to_owned();
        row.split(" | ").nth(1).unwrap().to_owned()
    };
    #[rustfmt::skip]
    let table = [
        ("15 of 18 and of 17 words", "corpus left.txt right.txt",                "83 % of left, 88 % of right"),
        ("no passage, 7 of 9 words", "corpus 1.txt 2.txt",                       "~77 %"),
        ("nothing is searched for",  "corpus left.txt right.txt --passages off", "not searched for"),
    ];
    for (why, line, want) in table {
        assert_eq!(row(line), want, "{why}");
    }
    let text = run(&folder, "corpus 1.txt 2.txt left.txt right.txt FLAGS").output;
    assert!(text.contains("\n 83 |  88 %  near") && text.contains("\n~77 %  "), "{text}");
}

/// Checks that only the level decides what is reported, whatever the status is.
#[test]
fn a_pair_below_the_level_is_no_failure() {
    let folder = folder("below");
    for level in ["--at-least identical", "--fail-on identical"] {
        let printed =
            |format| run(&folder, &format!("left.txt right.txt FLAGS {level} --format {format}"));
        assert!(printed("csv").output.contains(",near-duplicate,"));
        let log: Value = serde_json::from_str(&printed("sarif").output).unwrap();
        assert_eq!(log["runs"][0]["results"], json!([]));
        let case = "<testcase classname=\"dedup.text\" name=\"left.txt\" file=\"left.txt\"/>";
        assert!(printed("junit").output.contains(case));
        let page = printed("markdown").output;
        assert!(page.starts_with("## dedup: no pair identical\n"), "{page}");
        assert!(
            page.contains("| near-duplicate | 83 % of left, 88 % of right | 0.7647 |")
                && !page.contains("### `"),
            "{page}"
        );
    }
    let fails = run(&folder, "left.txt right.txt FLAGS --fail-on partial --format gitlab");
    assert!(fails.output.contains("\"near-duplicate\""));
    assert_eq!(fails.status, 1);
}

#[test]
fn nothing_found_is_given_as_such() {
    let folder = folder("nothing");
    std::fs::write(folder.join("right.txt"), "Rain until Tuesday, then fog in the morning.")
        .unwrap();
    let printed =
        |format| run(&folder, &format!("corpus left.txt right.txt FLAGS --format {format}"));
    assert_eq!(printed("csv").output, HEAD);
    assert_eq!(printed("gitlab").output, "[]\n");
    assert_eq!(
        printed("github").output,
        "dedup: 0 pairs near-duplicate or closer; 2 texts compared\n"
    );
    let page = "## dedup: no pair near-duplicate or closer\n\n2 texts compared\n";
    assert_eq!(printed("markdown").output, page);
    let case = "<testcase classname=\"dedup.text\" name=\"right.txt\" file=\"right.txt\"/>";
    let suite = printed("junit").output;
    assert!(suite.contains(case) && suite.contains("tests=\"2\" failures=\"0\""), "{suite}");
}
