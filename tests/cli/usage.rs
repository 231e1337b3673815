//! Tests of the interface: statuses, help, formats and flags.

use crate::common::{command, dedup, in_folder};
use serde_json::Value;

/// A pair of samples for each verdict.
const RUNGS: [(&str, &str); 5] = [
    ("unrelated", "different"),
    ("excerpt", "excerpt"),
    ("pasted", "partial"),
    ("one_in_hundred", "near-duplicate"),
    ("layout", "identical"),
];

fn pair(name: &str) -> [String; 2] {
    [1, 2].map(|side| format!("samples/{name}_{side}.txt"))
}

fn status(name: &str, more: &[&str]) -> i32 {
    let [left, right] = pair(name);
    dedup(&[&[left.as_str(), right.as_str(), "--quiet"], more].concat()).status
}

fn json(name: &str, more: &[&str]) -> Value {
    let [left, right] = pair(name);
    let run = dedup(&[&[left.as_str(), right.as_str(), "--format", "json"], more].concat());
    serde_json::from_str(&run.output).unwrap_or_else(|_| panic!("{}", run.errors))
}

#[test]
fn levels_move_the_line_between_0_and_1() {
    for (rung, (name, _)) in RUNGS.iter().enumerate() {
        assert_eq!(status(name, &[]), i32::from(rung < 3), "{name}");
        for (level, (_, word)) in RUNGS.iter().enumerate() {
            assert_eq!(
                status(name, &["--at-least", word]),
                i32::from(rung < level),
                "{name} {word}"
            );
            assert_eq!(
                status(name, &["--fail-on", word]),
                i32::from(rung >= level),
                "{name} {word}"
            );
        }
    }
}

#[test]
fn quiet_prints_nothing() {
    let [left, right] = pair("pasted");
    let run = dedup(&[left.as_str(), &right, "-q"]);
    assert_eq!((run.output.as_str(), run.errors.as_str(), run.status), ("", "", 1));
}

#[test]
fn short_help_fits_on_one_screen() {
    let run = dedup(&["-h"]);
    assert_eq!((run.errors.as_str(), run.status), ("", 0));
    assert!(run.output.lines().count() <= 24, "{} lines", run.output.lines().count());
    for line in run.output.lines() {
        assert!(line.chars().count() <= 80, "{line}");
    }
    for word in [
        "corpus",
        "text",
        "config",
        "web",
        "--template",
        "--fail-on",
        "--quiet",
        "--format",
        "--details",
        "--report",
    ] {
        assert!(run.output.contains(&format!("{word} ")), "{word}");
    }
}

#[test]
fn short_help_of_every_command_fits_on_one_screen() {
    for command in ["corpus", "text", "calibrate", "spans", "web", "completions", "man"] {
        let run = dedup(&["help", command]);
        assert_eq!((run.errors.as_str(), run.status), ("", 0), "{command}");
        assert_eq!(run.output, dedup(&[command, "--help"]).output, "{command}");
        let run = dedup(&[command, "-h"]);
        assert!(run.output.lines().count() <= 24, "{command}: {}", run.output);
        for line in run.output.lines() {
            assert!(line.chars().count() <= 80, "{line}");
        }
    }
}

#[test]
fn help_is_asked_for_in_several_ways() {
    for (line, want) in [
        (&["help", "-h"][..], &["--help"][..]),
        (&["help", "--help"], &["--help"]),
        (&["help", "--help", "corpus"], &["corpus", "--help"]),
        (&["help", "index", "build", "-h"], &["index", "build", "--help"]),
        (&["-qh"], &["-h"]),
        (&["corpus", "-qh"], &["corpus", "-h"]),
    ] {
        let run = dedup(line);
        assert_eq!((run.errors.as_str(), run.status), ("", 0), "{line:?}");
        assert_eq!(run.output, dedup(want).output, "{line:?}");
    }
}

/// Checks help texts in which a flag differs from that of two texts.
#[test]
fn help_describes_the_flags_of_its_command() {
    let help = |command: &str| {
        let words: Vec<&str> = command.split(' ').chain(["--help"]).collect();
        let output = dedup(&words).output;
        output.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let check = help("check");
    assert!(check.contains("--at-least <LEVEL> Same as --fail-on --"));
    assert!(check.contains("1 for LEVEL or closer, 0 otherwise [default near-duplicate] One of"));
    for command in ["text", "index build", "index add", "corpus", "calibrate"] {
        assert!(!help(command).contains("left="), "{command}");
    }
}

#[test]
fn help_lists_flags_by_what_they_are_for() {
    let help = dedup(&["corpus", "--help"]).output;
    let headings = help.lines().filter(|line| line.ends_with(':') && !line.starts_with(' '));
    assert_eq!(
        headings.collect::<Vec<_>>(),
        [
            "Arguments:",
            "Options:",
            "What to compare:",
            "What counts:",
            "Evidence:",
            "Limits:",
            "Reading texts:",
            "Output:",
            "CI:",
            "A clean corpus:",
            "Settings:",
            "Exit status:",
        ]
    );
}

#[test]
fn help_has_the_statuses_and_examples() {
    let run = dedup(&["--help"]);
    assert_eq!((run.errors.as_str(), run.status), ("", 0));
    let (_, after) = run.output.split_once("Exit status:\n").unwrap();
    for status in ["  0  ", "  1  ", "  2  "] {
        assert!(after.lines().any(|line| line.starts_with(status)), "{status}");
    }
    let (_, examples) = after.split_once("Examples:\n").unwrap();
    assert_eq!(examples.lines().filter(|line| line.starts_with("  dedup ")).count(), 5);
}

#[test]
fn the_version_is_reported() {
    let run = dedup(&["--version"]);
    assert_eq!(run.output, format!("dedup {}\n", env!("CARGO_PKG_VERSION")));
    assert_eq!(run.status, 0);
}

#[test]
fn colours_come_only_where_they_are_wanted() {
    let [left, right] = pair("layout");
    let output = |arguments: &[&str], variable: Option<&str>| {
        let mut command = command();
        command.args([&left, &right]).args(arguments);
        if let Some(variable) = variable {
            command.env(variable, "1");
        }
        String::from_utf8(command.output().unwrap().stdout).unwrap()
    };
    let plain = output(&[], None);
    assert!(!plain.contains('\u{1b}'));
    assert_eq!(output(&["--color", "never"], Some("CLICOLOR_FORCE")), plain);
    let coloured = output(&["--color", "always"], Some("NO_COLOR"));
    assert!(coloured.contains("\u{1b}[1m"));
    assert!(output(&[], Some("CLICOLOR_FORCE")).contains('\u{1b}'));
    assert_eq!(output(&["--color", "always", "--format", "json"], None).find('\u{1b}'), None);
}

#[test]
fn limits_are_those_given() {
    let off =
        ["--hamming", "off", "--jaccard", "off", "--coverage", "off", "--partial-jaccard", "off"];
    let record = json("one_in_hundred", &off);
    assert_eq!(record["verdict"], "excerpt", "a passage is shown");
    assert_eq!(
        record["limits"].to_string(),
        r#"{"containment":null,"coverage":null,"hamming":null,"jaccard":null,"min_match":12,"partial_jaccard":null}"#
    );
    let record = json("one_in_hundred", &[&off[..], &["--passages", "off"]].concat());
    assert_eq!(
        (&record["verdict"], &record["limits"]["min_match"]),
        (&"different".into(), &Value::Null)
    );
    let record = json("one_in_hundred", &["--hamming", "3", "--jaccard", "off"]);
    assert_eq!(record["decided_by"].to_string(), r#"["hamming"]"#);
    let record = json("one_in_hundred", &["--hamming", "2", "--jaccard", "0.25"]);
    assert_eq!(record["decided_by"].to_string(), r#"["jaccard"]"#);
    assert_eq!(record["limits"]["jaccard"], 0.25);
    let flags = ["--containment", "1", "--coverage", "off", "--partial-jaccard", "0.4"];
    let record = json("pasted", &flags);
    assert_eq!(record["decided_by"].to_string(), r#"["containment_a"]"#);
    let record = json("pasted", &["--jaccard", "0.1"]);
    assert_eq!(record["limits"]["partial_jaccard"], 0.1, "never above the other");
    let [left, right] = pair("pasted");
    let run = dedup(&[&left, &right, "--jaccard", "0.3", "--partial-jaccard", "0.31"]);
    let want = "dedup: --partial-jaccard 0.31 is above --jaccard 0.3, expected at most 0.3\nhint: \
                --partial-jaccard 0.3, or off\n";
    assert_eq!((run.errors.as_str(), run.status), (want, 2));
}

/// Of short texts two thirds of the limit decide, and one shared shingle never does.
#[test]
fn the_ladder_says_what_is_asked_of_short_texts() {
    let files = [
        ("a.txt", &b"copper kettle wheel stone anvil hammer door fence"[..]),
        ("b.txt", &b"copper kettle lamp rope bell crane sail fence"[..]),
        ("c.txt", &b"copper lamp rope bell crane sail mast hull"[..]),
        ("d.txt", &b"copper kettle wheel stone anvil hammer door fence"[..]),
    ];
    let answer = |line: &str| in_folder("ladder", &files, &format!("{line} --lang en")).output;
    // 4 of 38 shingles are shared.
    let figure = "Jaccard 0.1052, limit two thirds of 0.12";
    let explained = answer("a.txt b.txt --explain");
    let limit = "Jaccard      0.1052          limit 0.5, two thirds of 0.12 4 of 38 ";
    let reason = "PARTIAL: Jaccard 0.1052 reaches two thirds of 0.12, its limit in a short text\n";
    for want in [&format!("  partial         {figure} <- decides\n"), limit, reason] {
        assert!(explained.contains(want), "{want}: {explained}");
    }
    let figure = "Jaccard 0.0666, limit two thirds of 0.05";
    let chance = answer("c.txt d.txt --explain --max 1 --partial-jaccard 0.05");
    let want = format!("  partial         {figure} 1 shared, by chance\n");
    assert!(chance.contains(&want) && chance.contains("DIFFERENT: "), "{chance}");
    let given = answer("c.txt d.txt --explain --max 2 --partial-jaccard 0");
    assert!(given.contains("limit two thirds of 0 ") && given.contains("PARTIAL: "), "{given}");
    assert!(!given.contains("by chance"), "{given}");
}

#[test]
fn sizes_of_ngrams_are_those_given() {
    for (flags, min, max) in [
        (&[][..], 1, 3),
        (&["--max", "3", "--min", "3"], 3, 3),
        (&["--max", "1"], 1, 1),
        (&["--min", "64", "--max", "64"], 64, 64),
    ] {
        let record = json("one_in_hundred", flags);
        assert_eq!(
            (&record["parameters"]["min"], &record["parameters"]["max"]),
            (&min.into(), &max.into())
        );
    }
    // No 64-gram recurs, so there are as many as there are positions.
    let record = json("one_in_hundred", &["--min", "64", "--max", "64"]);
    assert_eq!(
        record["a"]["stems"].as_u64().unwrap() - 63,
        record["a"]["shingles"].as_u64().unwrap()
    );
}

#[test]
fn the_last_of_a_flag_given_twice_counts() {
    let record =
        json("layout", &["--max", "4", "--max", "2", "--jaccard", "off", "--jaccard", "1"]);
    assert_eq!(
        (&record["parameters"]["max"], &record["limits"]["jaccard"]),
        (&2.into(), &1.0.into())
    );
}

#[test]
fn languages_are_those_given() {
    let side = |record: &Value, side: &str| {
        (record[side]["language"]["code"].clone(), record[side]["language"]["by"].clone())
    };
    let given = |code: Option<&str>| (Value::from(code), Value::from("given"));
    let record = json("layout", &["--lang", "CA"]);
    assert_eq!((side(&record, "a"), side(&record, "b")), (given(Some("cat")), given(Some("cat"))));
    let record = json("layout", &["--lang", "left=ca", "--lang", "right=spa"]);
    assert_eq!((side(&record, "a"), side(&record, "b")), (given(Some("cat")), given(Some("spa"))));
    assert_eq!(record["warnings"][0]["code"], "languages-differ");
    let record = json("layout", &["--lang", "none"]);
    assert_eq!((side(&record, "a"), side(&record, "b")), (given(None), given(None)));
    let is_of_languages = |warning: &Value| warning["text"].to_string().contains("language");
    assert!(!record["warnings"].as_array().unwrap().iter().any(is_of_languages));
    let record = json("layout", &["--lang", "de", "--lang", "right=none"]);
    assert_eq!((side(&record, "a"), side(&record, "b")), (given(Some("deu")), given(None)));
    let record = json("layout", &["--lang", "right=de"]);
    assert_eq!(side(&record, "a").1, "detected");
}

#[test]
fn the_same_words_are_identical_in_whatever_languages_they_are_treated() {
    let record = json("layout", &["--lang", "left=en", "--lang", "right=es"]);
    assert_ne!(record["a"]["simhash"], record["b"]["simhash"]);
    assert_eq!(record["verdict"], "identical");
}

#[test]
fn stages_can_be_left_out() {
    let plain = json("layout", &["--stopwords", "off", "--stem", "off", "--explain"]);
    assert_eq!(plain["a"]["stems"], plain["a"]["words"]);
    assert_eq!(plain["a"]["stages"]["dropped"], Value::Array(vec![]));
    let words = json("layout", &["--stem", "off"]);
    let stems = json("layout", &[]);
    assert_eq!(words["a"]["stems"], stems["a"]["stems"]);
    assert_ne!(words["a"]["simhash"], stems["a"]["simhash"]);
    let list = format!("{}/stop.txt", env!("CARGO_TARGET_TMPDIR"));
    std::fs::write(&list, "the\n").unwrap();
    let own = json("layout", &["--stopwords", &list, "--explain"]);
    assert_eq!(own["parameters"]["stopwords"], *list);
    let dropped = own["a"]["stages"]["dropped"].as_array().unwrap();
    assert!(!dropped.is_empty() && dropped.iter().all(|word| word["word"] == "the"));
}

#[test]
fn no_output_flag_changes_a_status() {
    for (name, _) in RUNGS {
        let [left, right] = pair(name);
        let want = status(name, &[]);
        for more in [
            &[][..],
            &["--format", "json"],
            &["--explain"],
            &["--explain", "--format", "json"],
            &["--color", "always"],
        ] {
            let run = dedup(&[&[left.as_str(), right.as_str()], more].concat());
            assert_eq!(run.status, want, "{name} {more:?}");
        }
    }
}

#[test]
fn long_lists_are_cut_on_screen_and_whole_in_json() {
    let [left, right] = pair("one_in_hundred");
    let screen = dedup(&[left.as_str(), &right, "--explain"]).output;
    assert!(screen.contains("… and "));
    for line in screen.lines() {
        assert!(line.chars().count() <= 100, "{line}");
    }
    let [left, right] = pair("edited_zh");
    let screen = dedup(&[left.as_str(), &right, "--explain"]).output;
    let list = screen.lines().find(|line| line.contains("山")).unwrap();
    assert!(list.chars().filter(|letter| *letter > '\u{2e80}').count() <= 21, "{list}");
    assert!(
        screen.contains("a shingle that begins with a letter of a script without spaces has more")
    );
    assert!(screen.contains("  山 里\n") && screen.contains("  山 里 茶\n"), "{screen}");
    let record = json("one_in_hundred", &["--explain"]);
    for side in ["a", "b"] {
        let (text, stages) = (&record[side], &record[side]["stages"]);
        let length = |list: &str| stages[list].as_array().unwrap().len() as u64;
        assert_eq!(text["stems"], length("stems"));
        assert_eq!(text["shingles"], length("shingles"));
        assert_eq!(text["words"], length("stems") + length("dropped"));
    }
}

#[test]
fn a_wrong_argument_is_named() {
    let folder = crate::common::empty_folder("usage", "similar");
    for (line, error) in [
        ("chek .", "chek: no such file, expected a text file\nhint: paths are relative"),
        ("-q check .", "check: no such file, expected a text file\nhint: paths are relative"),
        ("check . --baseline b --accept a.txt", "2 values required for '--accept <LEFT> <RIGHT>'"),
        ("index info x.dedup --json", "unexpected argument '--json' found"),
        (
            "index lst",
            "unrecognized subcommand 'lst'\n\n  tip: a similar subcommand exists: 'list'",
        ),
        ("corpus . --explain", "unexpected argument '--explain' found"),
        ("a.txt b.txt --nearest 5", "unexpected argument '--nearest' found"),
        ("a b --no\u{202e}ne", "unexpected argument '--no\\u{202e}ne' found"),
    ] {
        let run = crate::common::run(&folder, line);
        assert!(run.errors.starts_with(&format!("dedup: {error}")), "{line}: {}", run.errors);
        assert_eq!(run.status, 2, "{line}");
    }
}
