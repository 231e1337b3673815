//! Tests of files that form one text: by folder, by person, and what happens where a file ends.

use std::collections::BTreeSet;
use std::ops::Range;
use std::path::Path;

use dedup_text::language::Language;
use dedup_text::pair::Recipe;
use dedup_text::pair::{judge, trace};
use dedup_text::passages::MinMatch;
use dedup_text::text::{Place, Text};
use dedup_text::tokens::exclusions::{Remaining, Why};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::common::{Run, read_file, zipped};
use crate::submissions::{folder, in_folder};
use crate::transcript::{errors, runs};

const FERRY: &str = "The ferry leaves the harbour at seven, and the baker who lives above the quay has \
    already sold his first loaves to the sailors when its horn is heard across the water.\n";
const BEES: &str = "A beekeeper counts her hives in autumn, wraps them in straw, and writes down \
    which of the queens she will replace as soon as the orchards are in flower again.\n";
const OLD_DOC: &[u8] = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\0\0\0\0\0\0\0\0";

/// Returns the pairs of a run as CSV: both names and the verdict.
fn pairs(run: &Run) -> Vec<[String; 3]> {
    let rows = csv::Reader::from_reader(run.output.as_bytes()).into_records();
    rows.map(Result::unwrap).map(|row| [0, 1, 2].map(|at| row[at].to_owned())).collect()
}

#[test]
fn a_folder_is_one_text() {
    let packed = zipped(&[("x/a.txt", FERRY.as_bytes()), ("b.txt", BEES.as_bytes())]);
    let files: &[(&str, &[u8])] = &[
        ("in/anna/essay.txt", FERRY.as_bytes()),
        ("in/anna/notes/bees.md", BEES.as_bytes()),
        ("in/anna.txt", BEES.as_bytes()),
        ("in/bert/one.txt", b"A kettle on the stove.\n"),
        ("in/cleo.zip", &packed),
    ];
    let cases = [
        ("a file each", "corpus in --list"),
        ("a folder each", "corpus in --unit dir --list"),
        ("in a group", "corpus in --unit dir --group dir --list"),
        (
            "files by name",
            "corpus in/anna/essay.txt in/anna/notes/bees.md in/anna.txt --unit dir --list",
        ),
        ("an archive", "corpus in/cleo.zip --unit dir --list"),
        ("without a file", "corpus in --unit dir --exclude notes --list"),
    ];
    runs("units_folders", &cases, |line| in_folder("units_dir", files, line));
    let run = in_folder("units_dir", files, "corpus in --unit dir --at-least excerpt --format csv");
    let want = [
        ["in/anna", "in/anna.txt", "partial"],
        ["in/anna", "in/cleo.zip", "near-duplicate"],
        ["in/anna.txt", "in/cleo.zip", "partial"],
    ];
    assert_eq!(pairs(&run), want, "{}", run.errors);
    // Each file of one side is copied completely. In another order, they are not identical.
    let run = in_folder("units_dir", files, "corpus in --unit dir --exclude notes --format csv");
    assert!(run.output.contains("in/anna,in/cleo.zip,near-duplicate,"), "{}", run.output);
}

/// Returns submissions as Moodle packs them: text typed online, and files.
fn export() -> Vec<u8> {
    zipped(&[
        (
            "Anna Muster_11_assignsubmission_onlinetext_/onlinetext.html",
            format!("<!doctype html><p>{FERRY}").as_bytes(),
        ),
        ("Anna Muster_11_assignsubmission_file_/bees.txt", BEES.as_bytes()),
        ("Anna Muster_11_assignsubmission_file_/scan.doc", OLD_DOC),
        ("Bert Beispiel_12_assignsubmission_file_/all.txt", format!("{BEES}{FERRY}").as_bytes()),
        ("Otto Alt_15_assignsubmission_file_/old.doc", OLD_DOC),
    ])
}

#[test]
fn a_person_is_one_text() {
    let files: &[(&str, &[u8])] = &[("export.zip", &export())];
    let run = in_folder(
        "units_person",
        files,
        "corpus export.zip --unit person --at-least excerpt --format csv",
    );
    let want = [
        ["Anna Muster 11", "Bert Beispiel 12", "identical"],
        ["Anna Muster 11/scan.doc", "", "not-compared"],
        ["Otto Alt 15/old.doc", "", "not-compared"],
    ];
    assert_eq!(pairs(&run), want);
    assert_eq!(run.status, 2, "two documents cannot be read");
    let text =
        in_folder("units_person", files, "corpus export.zip --unit person --unreadable warn");
    assert!(
        text.output.starts_with(
            "shared       verdict         left | right\n\
        100 | 100 %  identical       Anna Muster 11 | Bert Beispiel 12\n\
        1 pair near-duplicate or closer\n2 texts compared; 2 failed\n"
        ),
        "{}",
        text.output
    );
    assert_eq!(text.status, 0);
}

/// Checks that an unpacked export is recognized if its platform is given, and that its files keep
/// their paths.
#[test]
fn persons_are_known_in_a_folder_where_that_is_asked_for() {
    let files: &[(&str, &[u8])] = &[
        ("in/anna_1_2_a.txt", FERRY.as_bytes()),
        ("in/anna_LATE_1_3_b.txt", BEES.as_bytes()),
        ("in/bert_4_5_c.txt", BEES.as_bytes()),
    ];
    let cases = [
        ("by chance", "corpus in --list"),
        ("by platform", "corpus in --list --submissions canvas"),
        ("by person", "corpus in --list --unit person"),
    ];
    runs("units_persons", &cases, |line| in_folder("units_unpacked", files, line));
    let run = in_folder(
        "units_unpacked",
        files,
        "corpus in --unit person --at-least partial --format github",
    );
    let want = "::warning file=in/anna_LATE_1_3_b.txt,line=1,endLine=1,title=dedup%3A partial::30 words here \
        also occur in in/bert_4_5_c.txt, line 1\ndedup: 1 pair partial or closer;";
    assert!(run.output.starts_with(want), "{}", run.output);
}

#[test]
fn places_say_which_file() {
    let (second, page) = (format!("Two of mine.\n\n{FERRY}"), format!("<!doctype html><p>{FERRY}"));
    let files: &[(&str, &[u8])] = &[
        ("in/anna/1.txt", b"One of mine.\n"),
        ("in/anna/2.txt", second.as_bytes()),
        ("in/bert.html", page.as_bytes()),
    ];
    let line = "corpus in --unit dir --at-least excerpt";
    let run = in_folder("units_places", files, &format!("{line} --passages on --format json"));
    let json: Value = serde_json::from_str(&run.output).unwrap();
    let pair = &json["pairs"][0];
    let file = |path: &str, bytes: usize| {
        json!({"path": path, "bytes": bytes, "encoding": "utf-8", "encoding_by": "content",
            "kind": "plain", "spans": "file"})
    };
    let bytes = 14 + FERRY.len();
    assert_eq!(
        pair["a"]["files"],
        json!([file("in/anna/1.txt", 13), file("in/anna/2.txt", bytes)])
    );
    assert_eq!(
        [&pair["a"]["kind"], &pair["a"]["spans"], &pair["a"]["bytes"]],
        [&json!("files"), &json!("files"), &json!(13 + bytes)]
    );
    assert_eq!((pair["b"].get("files"), &pair["b"]["kind"]), (None, &json!("html")));
    let place = &pair["matches"][0]["a"];
    assert_eq!(
        [&place["file"], &place["line"], &place["byte"]],
        [&json!(1), &json!([3, 3]), &json!([14, 14 + FERRY.len() - 2])]
    );
    assert_eq!(pair["matches"][0]["b"].get("file"), None);

    let sarif = in_folder("units_places", files, &format!("{line} --format sarif")).output;
    let sarif: Value = serde_json::from_str(&sarif).unwrap();
    let place = &sarif["runs"][0]["results"][0]["locations"][0]["physicalLocation"];
    assert_eq!(place["artifactLocation"]["uri"], "in/anna/2.txt");
    assert_eq!(place["region"]["startLine"], 3);
    let gitlab = in_folder("units_places", files, &format!("{line} --format gitlab")).output;
    let gitlab: Value = serde_json::from_str(&gitlab).unwrap();
    assert_eq!(
        gitlab[0]["location"],
        json!({"path": "in/anna/2.txt", "lines": {"begin": 3, "end": 3}})
    );
    let markdown = in_folder("units_places", files, &format!("{line} --format markdown")).output;
    assert!(
        markdown.contains(
            "- 32 words, word for word; left, 2.txt, line 3; right, line 1 of its text:\n"
        ),
        "{markdown}"
    );

    assert_eq!(in_folder("units_places", files, &format!("{line} --report board.html")).status, 0);
    let page = read_file(folder("units_places", &[]).join("board.html"));
    assert!(page.contains("<td>2.txt, line 3, "), "a row of the passages");
    assert!(page.contains("1.txt: plain; 2.txt: plain"), "what is known of the text");
    assert_eq!(
        in_folder("units_places", files, &format!("{line} --report board.html --anonymous")).status,
        0
    );
    let page = read_file(folder("units_places", &[]).join("board.html"));
    assert!(page.contains("<td>file 2, line 3, ") && page.contains("file 1: plain; file 2: plain"));
    assert!(!page.contains("2.txt"));
}

/// Checks that no passage crosses the border between two files, and that a list of references ends
/// at it.
#[test]
fn nothing_reaches_from_one_file_into_the_next() {
    let (head, tail) = FERRY.split_at(FERRY.find("already").unwrap());
    let first = format!("Alpha.\n\nReferences\n\nMuster, A. (2001). A book.\n{head}");
    let files: &[(&str, &[u8])] = &[
        ("in/anna/1.txt", first.as_bytes()),
        ("in/anna/2.txt", tail.as_bytes()),
        ("in/bert.txt", FERRY.as_bytes()),
    ];
    let line = "corpus in --unit dir --at-least excerpt --passages on --format json";
    let json = |flags: &str| -> Value {
        serde_json::from_str(&in_folder("units_borders", files, &format!("{line}{flags}")).output)
            .unwrap()
    };
    let all = json("");
    let words = |json: &Value| -> Vec<u64> {
        let matches = json["pairs"][0]["matches"].as_array().unwrap();
        matches.iter().map(|it| it["words"].as_u64().unwrap()).collect()
    };
    assert_eq!(words(&all), [16, 16]);
    let without = json(" --ignore bibliography");
    assert_eq!(without["pairs"][0]["a"]["excluded"][0]["parts"], 1);
    assert_eq!(words(&without), [16], "the list of references ends with its file");
}

#[test]
fn units_that_cannot_be_are_errors() {
    let files: &[(&str, &[u8])] =
        &[("in/a.txt", FERRY.as_bytes()), ("in/b.txt", BEES.as_bytes()), ("x.jsonl", b"{}\n")];
    let cases = [
        ("no person", "corpus in --unit person"),
        ("in an answer", "corpus in --unit person --list"),
        ("records", "corpus --jsonl x.jsonl --unit dir"),
        ("another word", "corpus in --unit folder"),
    ];
    errors("units", &cases, |line| in_folder("units_errors", files, line));
}

/// Checks that a text that is opened again for its passages consists of all of its files again.
#[test]
fn answers_are_the_same_on_any_number_of_threads() {
    let files: &[(&str, &[u8])] = &[("export.zip", &export())];
    let line = "corpus export.zip --unit person --at-least excerpt --unreadable warn --format json";
    let one = in_folder("units_threads", files, &format!("{line} --threads 1")).output;
    let four = in_folder("units_threads", files, &format!("{line} --threads 4")).output;
    assert_eq!(one, four);
}

fn text(path: &str, content: &str) -> Text {
    Text::from_bytes(Path::new(path), content.replace('\0', " ").into()).unwrap()
}

fn joined(files: &[String]) -> Text {
    let numbered = files.iter().zip(0..);
    let files = numbered.map(|(content, number)| text(&format!("x/{number}.txt"), content));
    Text::joined(Path::new("x"), files.collect())
}

/// Returns a file that shares words with others.
fn file() -> impl Strategy<Value = String> {
    "((copper|the|kettle|l'home|水|Running|of|stove|\"|“|”)[ ,.\n]){0,30}|References\n|> (of|the) kettle"
}

proptest! {
    /// Checks that the shingles and the words of a text are those of its files.
    #[test]
    fn shingles_are_those_of_the_files(files in proptest::collection::vec(file(), 0..5), is_known in any::<bool>()) {
        let recipe = Recipe { ignored: vec![Why::Bibliography], ..Recipe::default() };
        let language = is_known.then(|| Language::from_code("en")).flatten();
        let text = joined(&files);
        let all = trace(&text, language, &recipe);
        let (mut keys, mut words) = (BTreeSet::new(), 0);
        for (number, content) in files.iter().enumerate() {
            let file = self::text(&format!("x/{number}.txt"), content);
            let alone = trace(&file, language, &recipe);
            keys.extend(alone.shingles.all().keys());
            words += alone.words.len();
        }
        prop_assert_eq!(all.shingles.all().keys(), keys.into_iter().collect::<Vec<_>>());
        prop_assert_eq!(all.words.len(), words);
        let spans: Vec<Range<usize>> = Remaining::without(&text, Vec::new()).spans().collect();
        prop_assert_eq!(spans.len(), files.len().max(1));
    }

    /// Checks that no passage has words of two files, and that the fast pipeline agrees with the
    /// plain one.
    #[test]
    fn no_passage_is_of_two_files(
        left in proptest::collection::vec(file(), 1..4),
        right in proptest::collection::vec(file(), 1..4),
    ) {
        let recipe = Recipe { min_match: MinMatch::new(3).unwrap(), ..Recipe::default() };
        let texts = [joined(&left), joined(&right)];
        let Ok(judgement) = judge(&texts[0], &texts[1], &recipe) else { return Ok(()) };
        let known = [judgement.languages.left, judgement.languages.right];
        for ((text, known), sketch) in texts.iter().zip(known).zip([&judgement.left, &judgement.right]) {
            let traced = trace(text, known.language, &recipe);
            prop_assert_eq!(traced.shingles.all().len(), sketch.shingles);
        }
        let places = judgement.matches.iter().flat_map(|it| &it.all).flat_map(|it| [(0, &it.left), (1, &it.right)]);
        for (side, Place { file, content, .. }) in places {
            let part = texts[side].parts().nth(*file).unwrap();
            prop_assert!(part.start <= content.start && content.end <= part.end);
        }
    }
}
