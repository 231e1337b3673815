//! Tests of `dedup.toml`: where it is found, what it sets, and what overrides it.

mod inputs;
mod page;
mod schema;
mod errors;

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::common::run;

const LEFT: &str =
    "The copper kettle stands on the wooden table in the kitchen of the old mill by the river.";
const RIGHT: &str =
    "The copper kettle stands on the wooden table in the garden of the old mill by the river.";

/// Creates a repository for the test, with two texts and other files.
fn repository(test: &str, files: &[(&str, &str)]) -> PathBuf {
    let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join("settings").join(test);
    let _ = fs::remove_dir_all(&root);
    fs::create_dir_all(root.join(".git")).unwrap();
    for (name, content) in [("l.txt", LEFT), ("r.txt", RIGHT)].iter().chain(files) {
        let path = root.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }
    root
}

/// Returns the record of a pair.
fn record(folder: &Path, line: &str) -> Value {
    let run = run(folder, &format!("{line} --format json"));
    serde_json::from_str(&run.output).unwrap_or_else(|_| panic!("{line}: {}", run.errors))
}

#[test]
fn the_file_counts_unless_the_command_line_says_otherwise() {
    #[rustfmt::skip]
    let table: &[(&str, &str, &str, &str, Value)] = &[
        ("a number",             "jaccard = 0.8",            "",                 "/limits/jaccard",         0.8.into()),
        ("a whole number for it", "jaccard = 1",             "",                 "/limits/jaccard",         1.0.into()),
        ("a word for a number",  "jaccard = \"off\"",        "",                 "/limits/jaccard",         Value::Null),
        ("beaten by a flag",     "jaccard = 0.8",            "--jaccard 0.7",    "/limits/jaccard",         0.7.into()),
        ("beaten by the default", "jaccard = 0.8",           "--jaccard 0.5",    "/limits/jaccard",         0.5.into()),
        ("in hexadecimals",      "hamming = 0x10",           "",                 "/limits/hamming",         16.into()),
        ("with underlines",      "hamming = 1_0",            "",                 "/limits/hamming",         10.into()),
        ("with a sign",          "hamming = +9",             "",                 "/limits/hamming",         9.into()),
        ("a word",               "stem = \"off\"",           "",                 "/parameters/stem",        "off".into()),
        ("two that belong together", "min = 2\nmax = 2",     "",                 "/parameters/min",         2.into()),
        ("one of them typed",    "max = 5",                  "--min 4",          "/parameters/max",         5.into()),
        ("one alone for many",   "lang = \"left=ca\"",       "",                 "/a/language/code",        "cat".into()),
        ("many",                 "lang = [\"left=ca\", \"right=es\"]", "",       "/b/language/code",        "spa".into()),
        ("many beaten by one",   "lang = [\"left=ca\", \"right=es\"]", "--lang left=de", "/b/language/by", "none".into()),
        ("of a corpus alone",    "nearest = 3",              "",                 "/parameters/settings",    "dedup.toml".into()),
        ("nothing",              "",                         "",                 "/parameters/settings",    "dedup.toml".into()),
        ("nothing but a mark",   "\u{feff}",                 "",                 "/parameters/settings",    "dedup.toml".into()),
        ("CRLF",                 "min = 2\r\nmax = 2\r\n",   "",                 "/parameters/max",         2.into()),
    ];
    for (why, file, typed, pointer, want) in table {
        let folder = repository("speaks", &[("dedup.toml", file)]);
        let record = record(&folder, &format!("l.txt r.txt {typed}"));
        assert_eq!(record.pointer(pointer), Some(want), "{why}");
    }
}

#[test]
fn the_exit_status_follows_the_settings() {
    #[rustfmt::skip]
    let table = [
        ("no file",                    None,                         "",                   0),
        ("a level",                    Some("at-least = \"identical\""), "",               1),
        ("turned round",               Some("fail-on = \"partial\""),  "",                 1),
        ("beaten by its opposite",     Some("at-least = \"identical\""), "--fail-on identical", 0),
        ("and the other way",          Some("fail-on = \"partial\""),  "--at-least partial", 0),
        ("left out",                   Some("at-least = \"identical\""), "--no-config",    0),
        ("no file, and none wanted",   None,                         "--no-config",        0),
    ];
    for (why, file, typed, want) in table {
        let files: Vec<(&str, &str)> = file.iter().map(|file| ("dedup.toml", *file)).collect();
        let folder = repository("status", &files);
        assert_eq!(run(&folder, &format!("l.txt r.txt {typed}")).status, want, "{why}");
    }
}

#[test]
fn a_missing_file_of_the_settings_is_named_with_its_place() {
    let relative = "a path in a settings file is relative to the folder of that file";
    for (settings, line, flag) in [
        ("template = [\"no.txt\"]", "../l.txt ../r.txt", "--template"),
        ("template = [\"no.txt\"]", "corpus ../l.txt ../r.txt", "--template"),
        ("paths = [\"l.txt\", \"r.txt\", \"no.txt\"]", "corpus", "paths"),
        ("against = [\"no.txt\"]", "corpus ../l.txt", "against"),
        ("jsonl = [\"no.txt\"]", "corpus ../l.txt ../r.txt", "jsonl"),
    ] {
        let folder = repository("missing", &[("dedup.toml", settings), ("deep/x.txt", "")]);
        let run = run(&folder.join("deep"), line);
        let lines: Vec<&str> = run.errors.lines().take(2).collect();
        let named = if flag.starts_with('-') { format!("{flag}: ") } else { String::new() };
        let error = format!("dedup: {named}../no.txt: no such file, expected a text file");
        let hint = format!("hint: {relative}; {flag} is set in ../dedup.toml:1");
        assert_eq!((lines, run.status), (vec![&*error, &*hint], 2), "{settings}");
    }
    let folder = repository("missing", &[("dedup.toml", "paths = [\"l.txt\", \"r.txt\"]")]);
    let typed = run(&folder, "corpus l.txt r.txt no.txt").errors;
    assert!(typed.contains("hint: paths are relative to the working folder; "), "{typed}");
}

/// Checks that all commands that read many texts give the same hints about settings.
#[test]
fn all_commands_about_many_texts_name_the_place_of_a_setting() {
    let relative = "a path in a settings file is relative to the folder of that file";
    #[rustfmt::skip]
    let table = [
        ("paths = [\"nix\"]",         "", format!("{relative}; paths is set in dedup.toml:1")),
        ("max-bytes = 3",             " d", "--max-bytes off lifts the limit; --max-bytes is set in dedup.toml:1".to_owned()),
        ("include = [\"*.md\"]",      " d", "in folders, hidden files and files that are not text are skipped, and --include and --exclude leave out others; --include is set in dedup.toml:1".to_owned()),
        ("",                          " d --include *.md", "in folders, hidden files and files that are not text are skipped, and --include and --exclude leave out others".to_owned()),
    ];
    for (settings, paths, want) in table {
        let folder = repository("many", &[("dedup.toml", settings), ("d/a.txt", LEFT)]);
        for command in ["corpus", "index build -o e.dedup", "spans"] {
            let run = run(&folder, &format!("{command}{paths}"));
            assert_eq!((run.output.as_str(), run.status), ("", 2), "{command} {settings}");
            let hint = run.errors.lines().find(|line| line.starts_with("hint: "));
            assert_eq!(hint, Some(&*format!("hint: {want}")), "{command} {settings}");
            let none = "dedup: no text found, expected at least one\n";
            // The error of the only text says enough, except that no index is written.
            let is_said = command.starts_with("index")
                || settings.starts_with("include")
                || settings.is_empty();
            assert_eq!(run.errors.contains(none), is_said, "{command}: {}", run.errors);
        }
    }
}

#[test]
fn switches_can_be_undone() {
    let folder = repository("undone", &[("dedup.toml", "quiet = true\nlossy = true")]);
    let is_silent = |typed: &str| run(&folder, &format!("l.txt r.txt {typed}")).output.is_empty();
    assert!(is_silent(""), "the file says so");
    assert!(is_silent("--quiet=true"), "so does the command line");
    assert!(!is_silent("--quiet=false"), "undone");
    assert!(!is_silent("--quiet=true --quiet=false"), "the last counts");
    assert!(!is_silent("--explain"), "a flag that quiet forbids");
    assert!(!is_silent("--format json"), "a format that quiet forbids");
    assert!(!is_silent("--no-config"), "no file");
    let run = run(&folder, "l.txt r.txt --quiet=perhaps");
    assert!(
        run.errors.starts_with("dedup: invalid value 'perhaps' for '--quiet"),
        "{}",
        run.errors
    );
}

#[test]
fn quiet_overrides_a_format_of_the_file() {
    let folder = repository("quiet", &[("dedup.toml", "format = \"json\"")]);
    let run = run(&folder, "l.txt r.txt --quiet");
    assert_eq!((run.output.as_str(), run.errors.as_str(), run.status), ("", "", 0));
}

#[test]
fn the_nearest_file_above_the_working_folder_counts() {
    let folder = repository(
        "nearest",
        &[
            ("dedup.toml", "jaccard = 0.6"),
            ("essays/dedup.toml", "jaccard = 0.9"),
            ("essays/l.txt", LEFT),
            ("essays/r.txt", RIGHT),
            ("deep/er/x.txt", ""),
            ("alone/.git", "gitdir: elsewhere"),
            ("conf/my.toml", "jaccard = 0.75"),
        ],
    );
    let texts = "l.txt r.txt";
    let table = [
        ("in the working folder", "", texts.to_owned(), Some("dedup.toml"), 0.6),
        (
            "beside the texts it is not read",
            "",
            "essays/l.txt essays/r.txt".to_owned(),
            Some("dedup.toml"),
            0.6,
        ),
        ("unless one works there", "essays", texts.to_owned(), Some("dedup.toml"), 0.9),
        ("above", "deep/er", "../../l.txt ../../r.txt".to_owned(), Some("../../dedup.toml"), 0.6),
        ("not above the root", "alone", "../l.txt ../r.txt".to_owned(), None, 0.5),
        ("named", "", format!("{texts} --config conf/my.toml"), Some("conf/my.toml"), 0.75),
        ("not wanted", "", format!("{texts} --no-config"), None, 0.5),
    ];
    for (why, working, line, file, jaccard) in table {
        let record = record(&folder.join(working), &line);
        assert_eq!(record["parameters"].get("settings").and_then(Value::as_str), file, "{why}");
        assert_eq!(record["limits"]["jaccard"], jaccard, "{why}");
    }
}

#[test]
fn a_link_is_followed_and_its_own_folder_counts() {
    #[cfg(unix)]
    {
        let folder =
            repository("link", &[("conf/real.toml", "stopwords = \"list\""), ("list", "kettle")]);
        std::os::unix::fs::symlink("conf/real.toml", folder.join("dedup.toml")).unwrap();
        assert_eq!(record(&folder, "l.txt r.txt")["parameters"]["stopwords"], "list");
    }
}

#[test]
fn files_are_looked_up_from_the_folder_of_the_settings() {
    let settings = "stopwords = \"lists/own\"\ntemplate = [\"sheet.txt\"]\n";
    let folder = repository(
        "files",
        &[
            ("dedup.toml", settings),
            ("lists/own", "kettle"),
            ("sheet.txt", "An entirely different sheet of paper."),
            ("deep/x.txt", ""),
            ("conf/my.toml", "stopwords = \"../lists/own\""),
            ("word.toml", "stopwords = \"off\""),
        ],
    );
    let stopwords = |working: &str, line: &str| {
        record(&folder.join(working), line)["parameters"]["stopwords"].clone()
    };
    assert_eq!(stopwords("", "l.txt r.txt"), "lists/own");
    assert_eq!(stopwords("deep", "../l.txt ../r.txt"), "../lists/own");
    assert_eq!(stopwords("", "l.txt r.txt --config conf/my.toml"), "conf/../lists/own");
    assert_eq!(stopwords("deep", "../l.txt ../r.txt --config ../word.toml"), "off", "a word");
}

#[test]
fn what_a_flag_needs_may_stand_in_the_file() {
    let folder = repository("needs", &[("dedup.toml", "report = \"r.html\"\nid = \"name\"")]);
    let result = run(&folder, "l.txt r.txt --anonymous");
    assert_eq!((result.errors.as_str(), result.status), ("dedup: report: r.html\n", 0));
    let page = crate::common::read_file(folder.join("r.html"));
    assert!(!page.contains("l.txt") && !page.contains("dedup.toml"));
    assert_eq!(run(&folder, "l.txt r.txt").status, 0, "id needs a --jsonl only where it is typed");
    assert!(crate::common::read_file(folder.join("r.html")).contains("dedup.toml"));
    let result = run(&folder, "l.txt r.txt --no-config --anonymous");
    assert!(
        result.errors.contains("required arguments were not provided:\n  --report"),
        "{}",
        result.errors
    );
}

/// Checks that a page that could not be used is an error, as it is for the command that uses it.
#[test]
fn limits_that_contradict_are_an_error_of_config_too() {
    let folder = repository("contradict", &[("dedup.toml", "min = 3\nmax = 2\n")]);
    let error = "--min 3 is above --max 2, expected min <= max\nhint: --max 3";
    let of_file = "; --min is set in dedup.toml:1, --max is set in dedup.toml:2";
    for (line, of_file) in [("config", of_file), ("config --no-config --min 3 --max 2", "")] {
        let run = run(&folder, line);
        let want = format!("dedup: {error}{of_file}\n");
        assert_eq!((run.errors, run.output.as_str(), run.status), (want, "", 2), "{line}");
    }
}

#[test]
fn the_settings_are_not_overwritten() {
    let folder = repository("overwritten", &[("dedup.toml", "jaccard = 0.8")]);
    let run = run(&folder, "l.txt r.txt --report dedup.toml");
    let want = "dedup: --report dedup.toml: is also the settings file, expected a separate file\n";
    assert!(run.errors.starts_with(want), "{}", run.errors);
}

#[test]
fn the_answer_names_the_file() {
    let folder = repository("names", &[("dedup.toml", "at-least = \"partial\"")]);
    let output = |line: &str| run(&folder, line).output;
    let text = output("l.txt r.txt --details");
    assert_eq!(text.lines().filter(|line| *line == "settings     dedup.toml").count(), 1, "{text}");
    let short = output("l.txt r.txt");
    let lines: Vec<&str> = short.lines().skip_while(|it| !it.starts_with("Containment")).collect();
    assert_eq!(lines[1], "Settings     dedup.toml", "{short}");
    let corpus = output("corpus l.txt r.txt");
    assert!(corpus.ends_with("2 texts compared; settings: dedup.toml\n"), "{corpus}");
    let corpus: Value = serde_json::from_str(&output("corpus l.txt r.txt --format json")).unwrap();
    assert_eq!(corpus["settings"], "dedup.toml");
    assert_eq!(corpus["pairs"][0]["parameters"]["settings"], "dedup.toml");
    for line in ["", "corpus "] {
        let output = |format: &str| output(&format!("{line}l.txt r.txt --format {format}"));
        assert!(output("github").ends_with("; 2 texts compared; settings: dedup.toml\n"));
        assert!(output("markdown").contains("\n2 texts compared; settings: `dedup.toml`\n"));
        let property =
            "<properties><property name=\"settings\" value=\"dedup.toml\"/></properties>";
        assert!(output("junit").contains(property));
        let log: Value = serde_json::from_str(&output("sarif")).unwrap();
        assert_eq!(log["runs"][0]["properties"]["settings"], "dedup.toml");
    }
    assert_eq!(output("text l.txt"), LEFT, "a text is shown as it is");
}

#[test]
fn the_settings_are_no_text_of_a_corpus() {
    let files =
        [("dedup.toml", "# kettle"), ("old/dedup.toml", "# A copper kettle."), ("old/t.txt", LEFT)];
    let folder = repository("no_text", &files);
    let answer = |line: &str| {
        let output = run(&folder, line).output;
        output.lines().find(|line| line.contains(" compared")).unwrap().to_owned()
    };
    let settings = "settings: dedup.toml";
    assert_eq!(
        answer("corpus ."),
        format!("4 texts compared; 1 skipped: hidden; 1 skipped: settings; {settings}"),
        "another file of the name is a text"
    );
    assert_eq!(answer("corpus old"), format!("2 texts compared; {settings}"));
    assert_eq!(answer("corpus old dedup.toml"), format!("3 texts compared; {settings}"), "named");
}

#[test]
fn without_a_file_nothing_is_said_of_it() {
    let bare = repository("bare", &[]);
    let with = repository("with", &[("dedup.toml", "jaccard = 0.8")]);
    let texts = ["l.txt r.txt", "corpus l.txt r.txt"];
    for line in texts.iter().flat_map(|line| [line.to_string(), format!("{line} --format json")]) {
        let plain = run(&bare, &line).output;
        assert!(!plain.to_lowercase().contains("settings"), "{plain}");
        assert_eq!(run(&with, &format!("{line} --no-config")).output, plain, "{line}");
    }
}

#[test]
fn settings_hold_for_every_command() {
    let page = "<html><body><nav>menu</nav><p>text</p></body></html>";
    let settings = "html = \"off\"\npassages = \"on\"\nclusters = true\nquiet = false\n";
    let folder = repository("every", &[("dedup.toml", settings), ("p.html", page)]);
    assert_eq!(run(&folder, "text p.html").output, page);
    assert!(!run(&folder, "text p.html --html main").output.contains("menu"));
    let corpus = run(&folder, "corpus l.txt r.txt");
    assert_eq!((corpus.errors.as_str(), corpus.status), ("", 0));
    assert!(corpus.output.starts_with("cluster"), "{}", corpus.output);
}
