//! Tests of excluding what too many texts have in common, as users do.

use std::path::PathBuf;

use serde_json::{Value, json};

use crate::common::{self, Run, dedup, empty_folder, in_folder, read_file};

const TASK: &str = "Describe in your own words how a ferry crosses a river without an engine, \
    and name one place where such a ferry still runs today.\n";
const OWN: [&str; 5] = [
    "A rope hangs over the water and the current pushes the hull along it.\n",
    "Its pilot sets the bow at a slant so that the stream does all the work.\n",
    "Between two masts a cable is drawn tight, and the boat is led by a pulley.\n",
    "Near Basel four of them cross the Rhine, each without sound or smoke.\n",
    "What drives the vessel is the flow itself, held back by a long line.\n",
];

/// Returns answers to the task, each with its own text.
fn answers(count: usize) -> Vec<(String, String)> {
    (0..count).map(|k| (format!("{}.txt", k + 1), format!("{TASK}{}", OWN[k]))).collect()
}

fn run(files: &[(String, String)], flags: &str) -> Run {
    let names: Vec<&str> = files.iter().map(|(name, _)| &**name).collect();
    let bytes: Vec<(&str, &[u8])> =
        files.iter().map(|(name, content)| (&**name, content.as_bytes())).collect();
    in_folder("share", &bytes, &format!("corpus {} --lang en {flags}", names.join(" ")))
}

fn object(files: &[(String, String)], flags: &str) -> Value {
    let run = run(files, &format!("{flags} --at-least different --format json"));
    assert_eq!(run.errors, "");
    checked(&run)
}

/// Returns the answer of a run, which must conform to its schemas.
fn checked(run: &Run) -> Value {
    let object: Value = serde_json::from_str(&run.output).unwrap();
    for (schema, records) in [
        ("src/bin/dedup/schemas/dedup.corpus.schema.json", vec![&object]),
        (
            "src/bin/dedup/schemas/dedup.pair.schema.json",
            object["pairs"].as_array().unwrap().iter().collect(),
        ),
    ] {
        let schema =
            jsonschema::validator_for(&serde_json::from_str(&read_file(schema)).unwrap()).unwrap();
        for record in records {
            let faults: Vec<String> = schema.iter_errors(record).map(|it| it.to_string()).collect();
            assert_eq!(faults, [""; 0]);
        }
    }
    object
}

#[test]
fn the_assignment_is_left_out_and_listed() {
    let files = answers(5);
    let with = object(&files, "");
    assert_eq!(with.get("common"), None);
    let without = object(&files, "--template-share 0.5");
    let stretch = json!({
        "words": 25, "texts": 5, "of": 5, "path": "1.txt", "spans": "file", "bytes": [0, TASK.len() - 2],
        "lines": [1, 1],
        "excerpt": "Describe in your own words how a ferry crosses a river without an engine, and…",
    });
    assert_eq!(without["common"], json!([stretch]));
    let excluded = json!([{"why": "common", "parts": 1, "words": 25}]);
    for pair in without["pairs"].as_array().unwrap() {
        assert_eq!((&pair["a"]["excluded"], &pair["b"]["excluded"]), (&excluded, &excluded));
    }
    // The figures are those of the own texts, and those with the task as a template.
    let own: Vec<(String, String)> =
        (0..5).map(|k| (format!("{}.txt", k + 1), OWN[k].to_owned())).collect();
    let measures = |object: &Value| -> Vec<Value> {
        object["pairs"].as_array().unwrap().iter().map(|it| it["measures"].clone()).collect()
    };
    assert_eq!(measures(&without), measures(&object(&own, "")));
    assert_ne!(measures(&without), measures(&with));
}

#[test]
fn a_share_is_at_least_and_of_three_texts_or_more() {
    let four = |with: usize| {
        let text = |k: usize| format!("{}{}", if k < with { TASK } else { "" }, OWN[k]);
        (0..4).map(|k| (format!("{k}.txt"), text(k))).collect::<Vec<_>>()
    };
    #[rustfmt::skip]
    let table = [
        ("two texts",           answers(2), "0.1",  Some(0)),
        ("three",               answers(3), "0.5",  Some(1)),
        ("two of four",         four(2),    "0.5",  Some(1)),
        ("two are fewer",       four(2),    "0.51", Some(0)),
        ("three of four",       four(3),    "0.75", Some(1)),
        ("all of four",         four(4),    "1",    Some(1)),
        ("not all",             four(3),    "1",    Some(0)),
        ("nothing",             four(4),    "off",  None),
        ("two at least",        four(1),    "0.1",  Some(0)),
        ("and two are enough",  four(2),    "0.1",  Some(1)),
    ];
    for (why, files, share, want) in table {
        let found = object(&files, &format!("--template-share {share}"));
        let listed = found["common"].as_array().map(Vec::len);
        assert_eq!(listed, want, "{why}");
    }
}

/// Writes submissions with the names that Moodle gives: a cover sheet with the name of each person,
/// and a text of each person's own.
fn submissions(count: usize) -> Vec<(String, String)> {
    let own = |k: usize| {
        let words: Vec<String> = (0..60).map(|word| format!("w{k}x{word}")).collect();
        words.join(" ")
    };
    let sheet = |k: usize| {
        format!(
            "Cover sheet of the course\nName of the student: Person{k} Family{k}\n\
             Number of the student: {k}{k}{k}\nI wrote this text myself and named all that I used in it.\n"
        )
    };
    let name = |k: usize| format!("Anna{k}_{}_assignsubmission_file_/essay.txt", 100 + k);
    (0..count).map(|k| (name(k), format!("{}\n{}\n", sheet(k), own(k)))).collect()
}

/// Runs a line in a folder with the submissions in a folder `in`.
fn run_in(name: &str, files: &[(String, String)], line: &str) -> (PathBuf, Run) {
    let folder = empty_folder("share", name);
    for (file, content) in files {
        let path = folder.join("in").join(file);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, content).unwrap();
    }
    let found = common::run(&folder, line);
    (folder, found)
}

#[test]
fn what_four_fifths_of_ten_submissions_share_is_set_aside() {
    let sheet = "Set aside: 26 words that 10 of 10 texts have: \"Cover sheet of the course Name of\n  \
                 the student … Number of the student … I wrote…\"";
    #[rustfmt::skip]
    let table = [
        ("by persons",       10, "corpus in --unit person",                              true),
        ("by a platform",    10, "corpus in --submissions moodle",                       true),
        ("in check",         10, "check in --at-least excerpt",                          true),
        ("nine are too few", 9,  "corpus in --unit person",                              false),
        ("a plain folder",   10, "corpus in",                                            true),
        ("names alone",      10, "corpus in --submissions off",                          false),
        ("asked for",        10, "corpus in --template-share 0.8",                       true),
        ("off",              10, "corpus in --unit person --template-share off",         false),
    ];
    for (why, count, line, want) in table {
        let (_, found) = run_in("default", &submissions(count), line);
        assert_eq!(found.output.starts_with(sheet), want, "{why}: {}", found.output);
    }
}

/// Two students hand in the same sentence between two parts of the sheet: it is theirs, and stays.
#[test]
fn a_sentence_between_two_parts_of_the_sheet_stays() {
    let mut files = submissions(12);
    let copied = "Ferries cross the river on a rope that hangs from two tall masts in the stream.";
    for (_, content) in &mut files[3..5] {
        *content = content.replace("\nI wrote", &format!("\n{copied}\nI wrote"));
    }
    let line = "corpus in --unit person --at-least excerpt --format json --passages on";
    let (_, found) = run_in("between", &files, line);
    let found: Value = serde_json::from_str(&found.output).unwrap();
    let pairs = found["pairs"].as_array().unwrap();
    assert_eq!(pairs.len(), 1);
    assert_eq!(pairs[0]["matches"][0]["words"], 16);
}

/// The pairs are those of each two texts without the file that has what was set aside.
#[test]
fn what_is_set_aside_is_saved_as_a_template() {
    let mut files = submissions(12);
    for (_, content) in &mut files[3..6] {
        content.push_str(TASK);
        content.push_str(OWN[0]);
    }
    let flags = "--lang en --at-least excerpt --format jsonl";
    let line = format!("corpus in --submissions moodle --save-common common.txt {flags}");
    let (folder, by_share) = run_in("saved", &files, &line);
    let note = "dedup: common.txt has what is set aside: --template common.txt does it again\n";
    assert!(by_share.errors.starts_with(note), "{}", by_share.errors);
    let saved = read_file(folder.join("common.txt"));
    assert_eq!(
        saved,
        "Cover sheet of the course\nName of the student … Number of the student … I wrote this \
         text myself and named all that I used in it\n"
    );
    let key = |pair: &str| {
        let pair: Value = serde_json::from_str(pair).unwrap();
        [&pair["verdict"], &pair["measures"], &pair["matches"]].map(Value::clone)
    };
    let given = format!(
        "corpus in --submissions moodle --template common.txt --template-share off {flags}"
    );
    let given = common::run(&folder, &given);
    let keys = |run: &Run| run.output.lines().map(key).collect::<Vec<_>>();
    assert_eq!(keys(&by_share).len(), 3);
    assert_eq!(keys(&by_share), keys(&given));
    for (pair, [left, right]) in by_share.output.lines().zip([[3, 4], [3, 5], [4, 5]]) {
        let [left, right] = [left, right].map(|at: usize| format!("in/{}", files[at].0));
        let alone = format!("{left} {right} --template common.txt --lang en --format json");
        let alone = common::run(&folder, &alone);
        assert_eq!(key(pair), key(alone.output.trim()), "{left} {right}");
    }
    // A file is never overwritten.
    let again = common::run(&folder, &line);
    assert_eq!(again.status, 2);
    assert_eq!(
        again.errors,
        "dedup: --save-common common.txt: expected a new file\nhint: nothing is overwritten; name \
         another file\n"
    );
    for (flags, want) in [
        ("--save-common out.html", "expected a plain text file"),
        ("--save-common out.txt --template-share off", "--template-share off sets nothing aside"),
    ] {
        let found = common::run(&folder, &format!("corpus in {flags}"));
        assert!(found.errors.contains(want), "{}", found.errors);
    }
}

#[test]
fn what_recurs_stands_anywhere_or_is_all_there_is() {
    // Three times in one text counts once: at the beginning, inside and at the end.
    let files = [
        ("a.txt", format!("{TASK}{0}{TASK}{1}{TASK}", OWN[0], OWN[1])),
        ("b.txt", OWN[2].to_owned()),
        ("c.txt", format!("{}{TASK}", OWN[3])),
    ];
    let files: Vec<_> = files.map(|(name, content)| (name.to_owned(), content)).to_vec();
    let found = object(&files, "--template-share 0.5");
    assert_eq!(found["common"][0]["texts"], 2);
    let a = &found["pairs"][0]["a"];
    assert_eq!(a["excluded"], json!([{"why": "common", "parts": 3, "words": 75}]));
    let found = object(&files, "--template-share 0.7");
    assert_eq!(found["common"], json!([]));
    // Copies of one text count as one, and are not a template.
    let same: Vec<_> = (0..4).map(|k| (format!("{k}.txt"), TASK.to_owned())).collect();
    let found = object(&same, "--template-share 0.9");
    let (pairs, common) = (found["pairs"].as_array().unwrap(), &found["common"]);
    assert_eq!((pairs.len(), common), (6, &json!([])));
    // All texts have the same parts: nothing is left of any of them.
    let half = TASK.len() / 2 + TASK[TASK.len() / 2..].find(' ').unwrap();
    let (one, other) = TASK.split_at(half);
    let same: Vec<_> =
        (0..4).map(|k| (format!("{k}.txt"), [TASK, one, TASK, other][..=k].join(" "))).collect();
    let run = run(&same, "--template-share 0.9 --at-least different --format json");
    let error = "dedup: 0 texts and 4 too short, expected at least two that can be compared\n";
    assert_eq!((&*run.errors, run.status), (error, 2));
    let found = checked(&run);
    assert_eq!((&found["texts"], &found["too_short"]["count"]), (&json!(0), &json!(4)));
    assert_eq!(found["common"][0]["texts"], json!(4));
}

#[test]
fn a_template_goes_first_and_a_group_counts_once() {
    let mut files = answers(3);
    for (_, content) in &mut files {
        content.push_str(
            "Hand in both sheets before noon, write your number on each page, thank you.\n",
        );
    }
    let both = object(&files, "--template 1.txt");
    assert_eq!(both["texts"], 2);
    let task: Vec<_> = [files.clone(), vec![("task".to_owned(), TASK.to_owned())]].concat();
    let bytes: Vec<(&str, &[u8])> =
        task.iter().map(|(name, it)| (&**name, it.as_bytes())).collect();
    let line = "corpus 1.txt 2.txt 3.txt --lang en --template task --template-share 0.5 --at-least different --format json";
    let found: Value = serde_json::from_str(&in_folder("share", &bytes, line).output).unwrap();
    let words: Vec<&Value> =
        found["common"].as_array().unwrap().iter().map(|it| &it["words"]).collect();
    assert_eq!(words, [14]);
    let excluded = json!([
        {"why": "template", "parts": 1, "words": 25}, {"why": "common", "parts": 1, "words": 14}
    ]);
    assert_eq!(found["pairs"][0]["a"]["excluded"], excluded);
    // Two of three groups have the task, one of them in three files.
    let record =
        |id: usize, of: &str, text: &str| json!({"id": id, "of": of, "text": text}).to_string();
    let [one, two, three] = [0, 1, 2].map(|k| format!("{TASK}{}", OWN[k]));
    let lines = [
        record(1, "ann", &one),
        record(2, "ann", &two),
        record(3, "ann", &three),
        record(4, "ben", OWN[3]),
        record(5, "eve", OWN[4]),
    ];
    let lines = lines.join("\n");
    let common = |flags: &str| {
        let line = format!("corpus --jsonl r --lang en --template-share 0.5 --format json {flags}");
        let run = in_folder("share", &[("r", lines.as_bytes())], &line);
        let found: Value = serde_json::from_str(&run.output).unwrap();
        found["common"].as_array().unwrap().len()
    };
    assert_eq!((common(""), common("--group of")), (1, 0));
}

#[test]
fn the_answer_is_the_same_for_every_number_of_threads_and_reported_in_every_form() {
    let files = answers(5);
    let of = |flags: &str, threads: usize| {
        let run = run(&files, &format!("--template-share 0.5 --threads {threads} {flags}"));
        (run.output, run.errors)
    };
    for flags in ["", "--format json", "--format jsonl --at-least different", "--nearest 2"] {
        assert_eq!(of(flags, 1), of(flags, 8), "{flags}");
    }
    let message = "Set aside: 25 words that 5 of 5 texts have: \"Describe in your own words how a\n  \
        ferry crosses a river without an engine, and…\" (1.txt, line 1)\n";
    let counts = "5 texts compared\n";
    assert_eq!(of("", 2).0, format!("{message}0 pairs near-duplicate or closer\n{counts}"));
    assert_eq!(of("--format paths", 2), (String::new(), format!("dedup: {message}{counts}")));
}

#[test]
fn a_share_is_above_0_and_for_a_corpus() {
    for typed in ["0", "-1", "2", "0.000", "half", ""] {
        let run = dedup(&["corpus", "samples", "--template-share", typed]);
        let want = format!(
            "dedup: invalid value '{typed}' for '--template-share <R>': expected a number above 0 \
             and at most 1, or off\n"
        );
        assert!(run.errors.starts_with(&want), "{}", run.errors);
        assert_eq!(run.status, 2, "{typed}");
    }
    let run = dedup(&["a", "b", "--template-share", "0.5"]);
    assert!(run.errors.contains("unexpected argument '--template-share'"), "{}", run.errors);
    assert_eq!(run.status, 2);
    assert!(dedup(&["a", "b", "--nonsense"]).errors.contains("unexpected argument '--nonsense'"));
}
