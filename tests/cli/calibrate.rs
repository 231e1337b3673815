//! Tests of `dedup calibrate`: limits that fit labelled pairs.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::common::{Run, command, dedup, read_file, run};
use crate::transcript::errors;

const SAMPLES: &str = "samples/labelled.tsv";

/// Returns words that no other number has.
fn words(number: usize, count: usize) -> String {
    let words: Vec<String> = (0..count).map(|word| format!("w{number}x{word}")).collect();
    words.join(" ") + " "
}

/// Creates a folder with texts and a list of their pairs. Related texts are copies in which a part
/// was replaced. `rows` are additional lines of the list.
fn folder(test: &str, rows: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("calibrate").join(test);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(folder.join("texts")).unwrap();
    let mut list = String::from("left\tright\tlabel\n");
    for number in 0..4 {
        let (left, right) = (format!("texts/{number}l.txt"), format!("texts/{number}r.txt"));
        fs::write(folder.join(&left), words(number, 40)).unwrap();
        let copy = words(number, 30) + &words(number + 100, 10);
        fs::write(folder.join(&right), copy).unwrap();
        list += &[&left, "\t", &right, "\tyes\n"].concat();
        let (left, right) = (format!("texts/{number}n.txt"), format!("texts/{number}o.txt"));
        fs::write(folder.join(&left), words(number + 10, 40)).unwrap();
        fs::write(folder.join(&right), words(number + 10, 4) + &words(number + 20, 36)).unwrap();
        list += &[&left, "\t", &right, "\tno\n"].concat();
    }
    fs::write(folder.join("pairs.tsv"), list + rows).unwrap();
    folder
}

const RUNGS: [&str; 2] = ["near-duplicate", "partial"];

#[test]
fn objects_follow_their_schema() {
    let schema = read_file("src/bin/dedup/schemas/dedup.calibration.schema.json");
    let schema = jsonschema::validator_for(&serde_json::from_str(&schema).unwrap()).unwrap();
    let rows = "texts/0l.txt\ttexts/gone.txt\tno\nbad\ntexts/0l.txt\ttexts/0r.txt\tno\n";
    let whole = folder("schema", rows);
    let lists = [SAMPLES.to_owned(), whole.join("pairs.tsv").to_str().unwrap().to_owned()];
    for (list, rung) in lists.iter().flat_map(|list| RUNGS.map(|rung| (list, rung))) {
        let run = dedup(&["calibrate", list, "--format", "json", "--for", rung]);
        let object: Value = serde_json::from_str(&run.output).unwrap();
        let faults: Vec<String> = schema.iter_errors(&object).map(|it| it.to_string()).collect();
        assert!(faults.is_empty(), "{faults:?}");
        assert_eq!(object["for"], rung);
        let names = |key: &str, name: &str| -> Vec<String> {
            let all = object[key].as_array().unwrap().iter();
            all.map(|it| it[name].as_str().unwrap().to_owned()).collect()
        };
        let (measures, rules): (&[&str], &[&str]) = match rung {
            "partial" => (&["jaccard", "coverage"], &["jaccard", "coverage", "either"]),
            _ => (&["jaccard", "hamming"], &["jaccard", "hamming"]),
        };
        assert_eq!(names("measures", "measure"), measures);
        assert_eq!(names("rules", "rule"), rules);
    }
}

#[test]
fn answers_are_the_same_bytes_on_any_number_of_threads() {
    for rung in RUNGS {
        let answer = |threads: &str| {
            let line = ["calibrate", SAMPLES, "--format", "json", "--for", rung];
            let run = dedup(&[&line[..], &["--threads", threads]].concat());
            assert_eq!((run.errors.as_str(), run.status), ("", 0));
            run.output
        };
        assert_eq!(answer("1"), answer("3"));
    }
}

/// Checks the limit for near-duplicates. Related texts share 30 of 40 words: 30 of 50 1-grams, 29
/// of 49 2-grams and 28 of 48 3-grams. Unrelated ones share 4 words: 4 of 76, 3 of 75 and 2 of 74.
/// The limit for partial pairs is below every index of related pairs, so that it does not restrict
/// the choice.
#[test]
fn limits_lie_between_the_figures_of_both_labels() {
    let folder = folder("between", "");
    let line = "calibrate pairs.tsv --format json --lang none --partial-jaccard 0.01";
    let object: Value = serde_json::from_str(&run(&folder, line).output).unwrap();
    assert_eq!(object["best"], "jaccard");
    let limit = object["rules"][0]["limits"]["jaccard"].as_f64().unwrap();
    let (yes, no) = (87.0 / 147.0, 9.0 / 225.0);
    assert!((limit - f64::midpoint(yes, no)).abs() < 0.005, "{limit}");
    assert_eq!(object["rules"][0]["scores"]["f1"]["value"], 1.0);
    assert_eq!(object["pairs"], serde_json::json!({"texts": 16, "yes": 4, "no": 4}));
    assert_eq!(object["halves"]["chosen_on"], serde_json::json!({"texts": 8, "yes": 2, "no": 2}));
    assert_eq!(object["measures"][0]["auc"], 1.0);
}

/// Checks the limits for partial pairs on the same pairs, none of which is a near-duplicate. Of 40
/// words, 30 are in a passage, or 4 that are not one. The texts are short, so the Jaccard index is
/// multiplied by 1.5, up to the limit of 0.9.
#[test]
fn limits_of_a_part_lie_between_the_figures_too() {
    let folder = folder("between_parts", "");
    let line =
        "calibrate pairs.tsv --for partial --format json --lang none --hamming 0 --jaccard 0.9";
    let object: Value = serde_json::from_str(&run(&folder, line).output).unwrap();
    let limit = |rule: usize, name: &str| {
        let limits = &object["rules"][rule]["limits"];
        assert_eq!((limits["hamming"].as_u64(), limits["jaccard"].as_f64()), (Some(0), Some(0.9)));
        limits[name].as_f64().unwrap()
    };
    let (yes, no) = (1.5 * 87.0 / 147.0, 1.5 * 9.0 / 225.0);
    let jaccard = limit(0, "partial_jaccard");
    assert!((jaccard - f64::midpoint(yes, no)).abs() < 0.01, "{jaccard}");
    assert!((limit(1, "coverage") - 0.375).abs() < 0.01);
    for rule in 0..3 {
        assert_eq!(object["rules"][rule]["scores"]["f1"]["value"], 1.0);
    }
    let intervals = object["rules"][2]["intervals"].as_object().unwrap();
    assert_eq!(intervals.keys().collect::<Vec<_>>(), ["coverage", "partial_jaccard"]);
}

#[test]
fn what_is_wrong_with_the_list_is_named_and_the_rest_counts() {
    let rows = "one cell\ntexts/0l.txt\ttexts/1l.txt\tmaybe\ntexts/0l.txt\ttexts/gone.txt\tno\n\
        texts/0r.txt\ttexts/0l.txt\tyes\ntexts/1l.txt\ttexts/1r.txt\tno\ntexts/2l.txt\ttexts/2l.txt\tyes\n";
    let folder = folder("wrong", rows);
    let result = run(&folder, "calibrate pairs.tsv");
    assert_eq!(result.status, 2);
    let errors = "dedup: pairs.tsv: line 10: no tab, expected two names and a label, separated by \
                  tabs\ndedup: pairs.tsv: line 11: label \"maybe\", expected yes, y, true, 1 (yes) or \
                  no, n, false, 0 (no)\ndedup: warning: pairs.tsv: line 14: the same pair as in line 4, \
                  with another label; the pair is left out\ndedup: texts/gone.txt: no such file, \
                  expected a text file\nhint: paths are relative to the folder of the list; --base \
                  DIR sets another folder\n";
    assert_eq!(result.errors, errors);
    for line in [
        "pairs        7 pairs of 14 texts (3 yes, 4 no) in pairs.tsv\n",
        "left out     2 lines that are not a pair\n",
        "left out     1 pair with 1 text that failed\n",
        "left out     1 pair with both labels\n",
        "left out     1 pair given before\n",
        "left out     1 pair of a text with itself\n",
    ] {
        assert!(result.output.contains(line), "{line}{}", result.output);
    }
    for rung in RUNGS {
        let page = run(&folder, &format!("calibrate pairs.tsv --for {rung}")).output;
        assert!(
            page.contains(&format!("verdict      a pair labelled yes should be {rung} or")),
            "{page}"
        );
        assert!(page.lines().all(|line| line.chars().count() <= 80), "{page}");
    }
}

#[test]
fn trouble_says_what_was_wanted() {
    let folder = folder("trouble", "");
    fs::write(folder.join("one.tsv"), "texts/0l.txt\ttexts/0r.txt\tcopy\n").unwrap();
    fs::write(folder.join("kept.toml"), "min = 2\n").unwrap();
    let cases = [
        ("one label", "calibrate one.tsv --yes copy"),
        ("other labels", "calibrate pairs.tsv --yes copy"),
        ("another folder", "calibrate pairs.tsv --base texts"),
        ("a label as both", "calibrate pairs.tsv --yes a --no b,a"),
        ("another format", "calibrate pairs.tsv --format sarif"),
        ("another verdict", "calibrate pairs.tsv --for excerpt"),
        ("no verdict", "calibrate pairs.tsv --for"),
        ("too short", "calibrate pairs.tsv --min 64 --max 64"),
        ("limits that contradict", "calibrate pairs.tsv --jaccard 0.1 --partial-jaccard 0.12"),
        ("a side", "calibrate pairs.tsv --lang left=ca"),
        ("a file in the way", "calibrate pairs.tsv --settings kept.toml"),
        ("the list itself", "calibrate pairs.tsv --report pairs.tsv"),
        ("no list", "calibrate gone.tsv"),
    ];
    errors("calibrate", &cases, |line| run(&folder, line));
    assert_eq!(read_file(folder.join("kept.toml")), "min = 2\n");
}

#[test]
fn the_settings_file_is_what_the_next_runs_go_by() {
    let folder = folder("settings", "");
    // Near-duplicates with the default limits.
    assert_eq!(run(&folder, "--quiet texts/0l.txt texts/0r.txt --lang none").status, 0);
    let result =
        run(&folder, "calibrate pairs.tsv --settings dedup.toml --quiet --min 2 --lang none");
    assert_eq!((result.errors.as_str(), result.output.as_str(), result.status), ("", "", 0));
    let page = read_file(folder.join("dedup.toml"));
    for line in [
        "min = 2\n",
        "max = 3\n",
        "lang = [\"none\"]\n",
        "\nhamming = \"off\"\n",
        "# warning: 4 pairs are a yes, expected at least 30\n",
    ] {
        assert!(page.contains(line), "{line}{page}");
    }
    let pair = |texts: &str| {
        let run = run(&folder, &format!("{texts} --format json"));
        let object: Value = serde_json::from_str(&run.output).unwrap();
        (run.status, object["parameters"]["settings"].clone())
    };
    assert_eq!(pair("texts/0l.txt texts/0r.txt"), (0, "dedup.toml".into()));
    assert_eq!(pair("texts/0n.txt texts/0o.txt"), (1, "dedup.toml".into()));
    assert!(!page.contains("\npartial-jaccard"), "limits of another verdict: {page}");
    let again = run(&folder, "calibrate pairs.tsv --settings dedup.toml --quiet");
    assert_eq!(again.status, 2);
    let again = run(&folder, "calibrate pairs.tsv --settings dedup.toml --quiet --force");
    assert_eq!((again.errors.as_str(), again.status), ("", 0));
    assert!(read_file(folder.join("dedup.toml")).contains("min = 2\n"), "the settings held");
    let other = "calibrate pairs.tsv --for partial --settings dedup.toml --quiet --force";
    let other = run(&folder, other);
    assert_eq!((other.errors.as_str(), other.status), ("", 0));
    let both = read_file(folder.join("dedup.toml"));
    let line = |key: &str| page.lines().find(|line| line.starts_with(key)).unwrap();
    for part in
        [line("jaccard = "), line("hamming = "), "\nat-least = \"partial\"\n", "\ncoverage = "]
    {
        assert!(both.contains(part), "{part} is kept: {both}");
    }
}

/// The rule that is best on its own half is worse than the current limits on the other one: 8 of 9
/// is 0.889 when it is rounded.
#[test]
fn current_limits_that_do_better_are_said_to() {
    let folder = folder("worse", "");
    let [settings, report] = ["new.toml", "page.html"].map(|name| folder.join(name));
    let [settings, report] = [&settings, &report].map(|file| file.to_str().unwrap());
    let line = ["calibrate", SAMPLES, "--lang", "none", "--settings", settings];
    let page = dedup(&[&line[..], &["--report", report]].concat()).output;
    let page = page.split_whitespace().collect::<Vec<_>>().join(" ");
    let want = "warning: the current limits do better CHOSEN: Jaccard index at least 0.19: F1 \
                0.800 on texts that it was not chosen on; the current limits do better: 0.889 \
                written to ";
    assert!(page.contains(want), "{page}");
    assert!(page.ends_with("new.toml, with the current limits"), "{page}");
    let page = read_file(report);
    let want = "<p>F1 0.800 (0.000 to 1.000) on texts that it was not chosen on; the current \
                limits do better: F1 0.889.</p>";
    for part in [want, "<th scope=\"row\">Jaccard (chosen)</th>"] {
        assert!(page.contains(part), "{part}");
    }
    assert!(!page.contains("(best)"));
    let object = dedup(&["calibrate", SAMPLES, "--lang", "none", "--format", "json"]).output;
    let object: Value = serde_json::from_str(&object).unwrap();
    let warning = serde_json::json!({"code": "worse", "text": "the current limits do better"});
    assert_eq!(object["warnings"].as_array().unwrap().last(), Some(&warning));
    let settings = read_file(settings);
    assert!(settings.contains("\n# jaccard = 0.19\n"), "{settings}");
    assert!(settings.contains("\n# Instead: At most 25 bits that differ.\n"), "{settings}");
    for key in ["jaccard", "hamming"] {
        assert!(!settings.contains(&format!("\n{key} = ")), "{key} stays as it is: {settings}");
    }
}

/// The limit of the coverage is the middle of a span, rounded to 0.27, and so is the lower end of
/// its interval.
#[test]
fn limits_and_their_intervals_are_rounded_alike() {
    let run = dedup(&["calibrate", SAMPLES, "--for", "partial", "--format", "json"]);
    let object: Value = serde_json::from_str(&run.output).unwrap();
    let coverage = &object["rules"][1];
    assert_eq!(coverage["limits"]["coverage"], 0.27);
    assert_eq!(coverage["intervals"]["coverage"], serde_json::json!([0.27, 0.5]));
}

/// Checks what is kept of a settings file that is replaced: as it is what the new file does not
/// set, as a comment what would change the figures.
#[test]
fn other_settings_of_a_replaced_file_are_kept() {
    let folder = folder("replaced", "");
    let kept = "# For all.\npaths = [\n  \"essays\", # of this year\n]\r\nquiet = true # kept\n";
    let old = format!(
        "{kept}fail-on = \"partial\"\nmax-bytes = 1000000\njaccard = 0.7\npassages = \"off\"\n"
    );
    let file = folder.join("dedup.toml");
    let line = "calibrate pairs.tsv --for partial --settings dedup.toml --force --quiet=false";
    #[rustfmt::skip]
    let table = [
        ("read",         "",             ["jaccard = 0.7\n", "max-bytes = 1000000\n", "# passages = \"off\"\n"]),
        ("not read",     " --no-config", ["# jaccard = 0.7\n", "# max-bytes = 1000000\n", "# passages = \"off\"\n"]),
    ];
    for (why, flag, lines) in table {
        fs::write(&file, &old).unwrap();
        let result = run(&folder, &format!("{line}{flag}"));
        assert_eq!((result.errors.as_str(), result.status), ("", 0), "{why}");
        let note = result.output.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(note.contains("; kept of it: paths, quiet; kept as comments: "), "{why}: {note}");
        let page = read_file(&file);
        assert!(page.contains(kept), "{why}: {page}");
        assert!(page.contains("\nfail-on = \"partial\"\n"), "{why}: {page}");
        assert!(!page.contains("at-least = "), "{why}: {page}");
        for line in lines {
            assert!(page.contains(&format!("\n{line}")), "{why}: {line}{page}");
        }
        let config = run(&folder, "config");
        assert_eq!((config.errors.as_str(), config.status), ("", 0), "{why}");
    }
    for (content, error) in [
        ("max = 2\nname = \"x\"\n", "dedup: dedup.toml:2:1: name: unknown setting"),
        ("max = 2\nnot TOML\n", "dedup: dedup.toml:2:"),
    ] {
        fs::write(&file, content).unwrap();
        let result = run(&folder, &format!("{line} --no-config"));
        assert!(result.errors.starts_with(error), "{}", result.errors);
        assert_eq!((result.status, read_file(&file).as_str()), (2, content));
    }
    // A comment is no value, and those above an entry are kept as they are written.
    let commented = "  # indented\n  paths = [\"essays\"]\npassages = \"on\" # or off\n";
    fs::write(&file, commented).unwrap();
    let result = run(&folder, &format!("{line} --no-config"));
    assert_eq!((result.errors.as_str(), result.status), ("", 0));
    assert!(read_file(&file).contains(commented), "{}", read_file(&file));
}

#[test]
fn a_settings_file_in_the_working_folder_may_name_files() {
    let folder = folder("beside", "");
    fs::write(folder.join("sheet.txt"), words(50, 40)).unwrap();
    let absolute = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let refused = "dedup: --settings texts/x.toml and template = [\"sheet.txt\"], expected a file \
                   in the working folder\nhint: paths in a settings file are relative to its \
                   folder; an absolute path is read anywhere\n";
    #[rustfmt::skip]
    let table = [
        ("a name",               "x.toml".to_owned(),       "sheet.txt".to_owned(), ""),
        ("relative",             "./y.toml".to_owned(),     "sheet.txt".to_owned(), ""),
        ("absolute",             absolute("z.toml"),        "sheet.txt".to_owned(), ""),
        ("another folder",       "texts/x.toml".to_owned(), "sheet.txt".to_owned(), refused),
        ("an absolute template", "texts/y.toml".to_owned(), absolute("sheet.txt"),  ""),
    ];
    for (why, settings, template, want) in table {
        let line = ["calibrate", "pairs.tsv", "-q", "--settings", &settings];
        let mut command = command();
        let command = command.current_dir(&folder).args(line).args(["--template", &template]);
        let run: Run = command.output().unwrap().into();
        assert_eq!(run.errors, want, "{why}");
    }
}

#[test]
fn help_does_not_list_a_flag_that_is_refused() {
    for line in [["calibrate", "--help"], ["man", "calibrate"]] {
        let help = dedup(&line).output;
        assert!(help.contains("min") && !help.contains("passages [default"), "{help}");
        assert!(!help.replace('\\', "").contains("--passages"), "{help}");
    }
}

/// Checks that with the settings, the program gives as many wrong verdicts per label as the report
/// of calibrate counts.
#[test]
#[ignore = "slow: cargo test -- --ignored"]
fn the_settings_file_gives_the_verdicts_that_were_counted() {
    #[rustfmt::skip]
    let table = [
        ("the defaults",         "",                                    ""),
        ("limits bound another", "--jaccard 0.15 --hamming off",        "--partial-jaccard 0.4"),
        ("containment",          "--containment 0.3 --min-match 5",     "--containment 0.3"),
        ("no other limit",       "--jaccard off --hamming off --max 2", "--partial-jaccard off"),
    ];
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("calibrate/counted");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    let [settings, report] = ["new.toml", "page.html"].map(|name| folder.join(name));
    let [settings, report] = [&settings, &report].map(|file| file.to_str().unwrap());
    for (why, of_a_part, of_near) in table {
        for (rung, flags) in [("partial", of_a_part), ("near-duplicate", of_near)] {
            let mut line = vec!["calibrate", SAMPLES, "--quiet", "--force", "--for", rung];
            line.extend(["--settings", settings, "--report", report]);
            line.extend(flags.split_whitespace());
            let run = dedup(&line);
            assert_eq!((run.errors.as_str(), run.status), ("", 0), "{why}, {rung}");
            let mut wrong = [0, 0];
            for row in read_file(SAMPLES).lines().skip(1) {
                let [left, right, label] = row.split('\t').collect::<Vec<_>>()[..] else {
                    panic!()
                };
                let [left, right] = [left, right].map(|name| format!("samples/{name}"));
                let run = dedup(&[&left, &right, "--quiet", "--config", settings]);
                assert_eq!(run.errors, "", "{why}, {rung}");
                match (run.status, label) {
                    (0, "0") => wrong[0] += 1,
                    (1, "1") => wrong[1] += 1,
                    status => assert!([(0, "1"), (1, "0")].contains(&status), "{status:?}"),
                }
            }
            let page = read_file(report);
            for part in [
                format!("<h3>Called a yes, but labelled a no: {}</h3>", wrong[0]),
                format!("<h3>Called a no, but labelled a yes: {}</h3>", wrong[1]),
            ] {
                assert!(page.contains(&part), "{why}, {rung}: {part}");
            }
        }
    }
}

#[test]
fn settings_for_other_commands_are_ignored() {
    let folder = folder("others", "");
    fs::write(folder.join("dedup.toml"), "format = \"sarif\"\nfail-on = \"partial\"\n").unwrap();
    let result = run(&folder, "calibrate pairs.tsv");
    assert_eq!((result.errors.as_str(), result.status), ("", 0));
    assert!(result.output.contains("BEST: "), "{}", result.output);
}

#[test]
fn the_report_is_one_page_without_a_script() {
    let folder = folder("report", "");
    let hostile = "texts/<b>&\"it\".txt";
    fs::write(folder.join(hostile), words(0, 40)).unwrap();
    let list = read_file(folder.join("pairs.tsv"));
    let list = format!("{list}{hostile}\ttexts/0l.txt\tno\n");
    fs::write(folder.join("pairs.tsv"), list).unwrap();
    let result = run(&folder, "calibrate pairs.tsv --quiet --report report.html");
    assert_eq!((result.errors.as_str(), result.status), ("", 0));
    let page = read_file(folder.join("report.html"));
    for part in [
        "default-src &#39;none&#39;; style-src &#39;sha256-",
        "<svg ",
        "<h1>Limits for near-duplicate, by pairs.tsv</h1>",
        "<p>Verdict: a pair labelled yes should be near-duplicate or closer; limits are tried for \
         --jaccard and --hamming.</p>",
        "texts/&#60;b&#62;&#38;&#34;it&#34;.txt",
    ] {
        assert!(page.contains(part), "{part}");
    }
    for part in ["<script", "http:", "https:", "<b>"] {
        assert!(!page.contains(part), "{part}");
    }
}

/// Checks a copy that is labelled `no`, and two texts without a common word that are labelled
/// `yes`.
#[test]
fn the_report_lists_the_pairs_on_which_rule_and_labels_disagree() {
    let table = [
        ("d", "near-duplicate", words(900, 40), "no", ["yes", "no"], "<td>1.000</td><td>0</td>"),
        ("e", "near-duplicate", words(901, 40), "yes", ["no", "yes"], "<td>0.000</td>"),
        ("f", "partial", words(900, 40), "no", ["yes", "no"], "<td>1.000</td><td>1.000</td>"),
        ("g", "partial", words(901, 40), "yes", ["no", "yes"], "<td>0.000</td><td>0.000</td>"),
    ];
    for (name, rung, text, label, [called, other], figures) in table {
        let folder = folder(&format!("wrong_{name}"), "");
        fs::write(folder.join("texts/c.txt"), words(900, 40)).unwrap();
        fs::write(folder.join(format!("texts/{name}.txt")), text).unwrap();
        let list = read_file(folder.join("pairs.tsv"));
        let row = format!("texts/c.txt\ttexts/{name}.txt\t{label}\n");
        fs::write(folder.join("pairs.tsv"), list + &row).unwrap();
        let line = format!("calibrate pairs.tsv --for {rung} --quiet --report report.html");
        let result = run(&folder, &line);
        assert_eq!(result.status, 0, "{}", result.errors);
        let page = read_file(folder.join("report.html"));
        for part in [
            format!("<h3>Called a {called}, but labelled a {other}: 1</h3>"),
            format!("<h3>Called a {other}, but labelled a {called}: 0</h3>"),
            format!("<td><bdi>texts/c.txt</bdi></td><td><bdi>texts/{name}.txt</bdi></td>{figures}"),
        ] {
            assert!(page.contains(&part), "{part}");
        }
    }
}
