//! Tests of excluding a template that everyone was given, as users do.

use serde_json::{Value, json};

use crate::common::in_folder;

const TASK: &str = "Describe in your own words how a ferry crosses a river without an engine, \
    and name one place where such a ferry still runs today.\n";
const NOTICE: &str = "Hand in both sheets before noon, write your number on each page, and do \
    not put your name anywhere on them.\n";
const ROPE: &str = "A rope hangs over the water and the current pushes the hull along it.\n";
const SLANT: &str = "Its pilot sets the bow at a slant so that the stream does all the work.\n";

/// Returns the record of `a.txt` and `b.txt`. The task and the notice are files next to them.
fn record(a: &str, b: &str, flags: &str) -> Value {
    let files = [
        ("a.txt", a.as_bytes()),
        ("b.txt", b.as_bytes()),
        ("task.txt", TASK.as_bytes()),
        ("notice.txt", NOTICE.as_bytes()),
    ];
    let line = format!("a.txt b.txt --lang en --format json {flags}");
    let run = in_folder("templates", &files, &line);
    assert_eq!(run.errors, "", "{flags}");
    serde_json::from_str(&run.output).unwrap()
}

#[test]
fn what_everyone_was_given_does_not_count() {
    let [a, b] = [ROPE, SLANT].map(|own| format!("{TASK}{own}"));
    let with = record(&a, &b, "");
    assert_eq!(with["coverage"]["longest"], 25);
    let without = record(&a, &b, "--template task.txt");
    let own = record(ROPE, SLANT, "");
    assert_eq!(without["measures"], own["measures"]);
    assert_eq!(without["verdict"], "different");
    assert_eq!(without["matches"], json!([]));
    let words = |side: &str| [&without[side]["words"], &without[side]["stems"]];
    assert_eq!(words("a"), [&own["a"]["words"], &own["a"]["stems"]]);
    let excluded = json!([{"why": "template", "parts": 1, "words": 25}]);
    assert_eq!((&without["a"]["excluded"], &without["b"]["excluded"]), (&excluded, &excluded));
}

#[test]
fn no_shingle_reaches_over_a_template() {
    let a = format!("copper kettle {TASK} iron lid");
    let explained = record(&a, "copper kettle. Iron lid", "--template task.txt");
    // Two words on each side of the gap: four of one word, two of two, and none of three.
    assert_eq!(explained["a"]["shingles"], 6);
    assert_eq!(explained["b"]["shingles"], 4 + 3 + 2);
}

#[test]
fn several_templates_and_what_recurs() {
    let a = format!("{NOTICE}{ROPE}{TASK}{NOTICE}{SLANT}{NOTICE}");
    let both = record(&a, &format!("{ROPE}{SLANT}"), "--template task.txt --template notice.txt");
    assert_eq!(both["verdict"], "identical");
    assert_eq!(both["decided_by"], json!(["words"]));
    // The task and the second notice are adjacent, so they are one part.
    let excluded = json!([{"why": "template", "parts": 3, "words": 25 + 3 * 21}]);
    assert_eq!(both["a"]["excluded"], excluded);
    let one = record(&a, &format!("{ROPE}{SLANT}"), "--template notice.txt");
    assert_eq!(one["a"]["excluded"], json!([{"why": "template", "parts": 3, "words": 3 * 21}]));
}

#[test]
fn an_edited_template_is_left_out_from_min_match_words_on() {
    let edited = TASK.replace("ferry", "boat").replace("engine", "motor");
    let a = format!("{edited}{ROPE}");
    let words = |flags: &str| {
        let record = record(&a, SLANT, flags);
        record["a"]["excluded"].as_array().unwrap().iter().map(|it| it["words"].clone()).next()
    };
    assert_eq!(words("--template task.txt"), Some(json!(25)));
    assert_eq!(words("--template task.txt --min-match 40"), None);
}

/// In a corpus, too, so that a wrong file is noticed.
#[test]
fn a_corpus_counts_what_is_left_out() {
    let a = format!("{TASK}{ROPE}");
    let b = format!("{TASK}{SLANT}");
    let files = [
        ("a.txt", a.as_bytes()),
        ("b.txt", b.as_bytes()),
        ("c.txt", ROPE.as_bytes()),
        ("task.txt", TASK.as_bytes()),
        ("notice.txt", NOTICE.as_bytes()),
    ];
    let run = |line: &str| in_folder("templates-corpus", &files, line).output;
    for (template, want) in [
        ("--template task.txt", "3 texts compared\nLeft out 50 words (template 50) of 2 texts\n"),
        ("--template notice.txt", "3 texts compared\nLeft out 0 words (template 0)\n"),
        ("", "3 texts compared\n"),
    ] {
        let text = run(format!("corpus a.txt b.txt c.txt {template}").trim_end());
        assert!(text.ends_with(want), "{text}");
        let counts = want.trim_end().replace('\n', "; ");
        let markdown =
            run(format!("corpus a.txt b.txt c.txt --format markdown {template}").trim_end());
        assert!(markdown.contains(&format!("\n\n{counts}\n")), "{markdown}");
    }
    let against = run("corpus a.txt --against b.txt --template task.txt");
    assert!(against.ends_with(
        "1 text compared with 1 earlier one\nLeft out 25 words (template 25) of 1 text\n"
    ));
    let board = run("corpus a.txt b.txt c.txt --template task.txt -q --report -");
    assert!(board.contains(" Left out 50 words (template 50) of 2 texts."), "{board}");
}

#[test]
fn the_text_output_reports_a_template() {
    let a = format!("{TASK}{ROPE}");
    let files = [
        ("a.txt", a.as_bytes()),
        ("b.txt", ROPE.as_bytes()),
        ("task.txt", TASK.as_bytes()),
        ("notice.txt", NOTICE.as_bytes()),
        ("empty.txt", &b"..."[..]),
    ];
    let run = in_folder("templates", &files, "a.txt b.txt --template task.txt").output;
    assert!(run.contains("\nLeft out     25 words (template 25) of a.txt\n"), "{run}");
    let answer =
        "IDENTICAL: a.txt and b.txt have the same words in the same order in what is left\n";
    assert!(run.starts_with(answer), "{run}");
    #[rustfmt::skip]
    let table = [
        ("nothing left",    "task.txt b.txt --template task.txt",
         "dedup: task.txt: all its words are left out, expected a text with words\n"),
        ("too little left", "a.txt notice.txt --template b.txt --stopwords off --min 40 --max 40",
         "dedup: a.txt: too short: 25 of 25 words left after stop words (14 left out), expected at \
          least 40\nhint: leave out --ignore and --template to compare all words\n"),
        ("none there",      "a.txt b.txt --template none.txt",
         "dedup: --template: none.txt: no such file, expected a text file\n"),
        ("no words",   "a.txt b.txt --template empty.txt",
         "dedup: --template: empty.txt: no words, expected a text with words\n"),
        ("two of -",        "- b.txt --template -",
         "dedup: - is given twice, expected standard input only once\n"),
        ("two templates -", "a.txt b.txt --template - --template -",
         "dedup: - is given twice, expected standard input only once\n"),
    ];
    for (why, line, want) in table {
        let run = in_folder("templates", &files, line);
        assert!(run.errors.starts_with(want), "{why}: {}", run.errors);
        assert_eq!(run.status, 2, "{why}");
    }
}
