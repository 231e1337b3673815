//! Checks that no output replaces an input, however either is named.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use crate::common::{Run, command};

const TEXT: &str =
    "A copper kettle and a wooden spoon stand by the window of the old harbour house.";

/// Creates a folder for the test, with a file of each kind of input.
fn folder(test: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("outputs").join(test);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(folder.join("d/sub")).unwrap();
    fs::create_dir(folder.join("links")).unwrap();
    let record = |id: &str| format!("{{\"id\":\"{id}\",\"text\":\"{TEXT} {id}\"}}\n");
    let files = [
        ("d/a.txt", TEXT.to_owned()),
        ("d/b.txt", format!("{TEXT} It rains.")),
        ("d/sub/c.txt", "Otters sleep on the river bank until the ferry comes.".to_owned()),
        ("docs.jsonl", record("1") + &record("2")),
        ("list", "d/a.txt\nd/b.txt\n".to_owned()),
        ("nuls", "d/a.txt\0d/b.txt\0".to_owned()),
        ("given.txt", "Please describe in your own words how a ferry crosses a river.".to_owned()),
        ("stop.txt", "the a an and".to_owned()),
        ("own.toml", "jaccard = 0.5\n".to_owned()),
        ("pairs.tsv", "d/a.txt\td/b.txt\tyes\nd/a.txt\td/sub/c.txt\tno\n".to_owned()),
    ];
    for (name, content) in files {
        fs::write(folder.join(name), content).unwrap();
    }
    folder
}

/// Returns all files below a folder with their contents. Links are followed.
#[expect(clippy::disallowed_methods, reason = "no text that is compared")]
fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut all = BTreeMap::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() && !path.is_symlink() {
            all.extend(files(&path));
        } else {
            let bytes = if path.is_dir() { Vec::new() } else { fs::read(&path).unwrap() };
            all.insert(path, bytes);
        }
    }
    all
}

fn run(folder: &Path, line: &str) -> Run {
    let mut command = command();
    command.current_dir(folder);
    for word in line.split(' ') {
        match word.split_once('=') {
            Some(("GITHUB_STEP_SUMMARY", file)) => command.env("GITHUB_STEP_SUMMARY", file),
            _ => command.arg(word),
        };
    }
    command.output().unwrap().into()
}

/// Returns other names of a file, each with a description.
fn spellings(folder: &Path, file: &str) -> Vec<(&'static str, String)> {
    let mut all = vec![
        ("as it is", file.to_owned()),
        ("by way of another folder", format!("links/../{file}")),
        ("as a whole path", folder.join(file).display().to_string()),
    ];
    if cfg!(unix) {
        let flat = file.replace('/', "-");
        let [symbolic, hard, way] =
            ["symbolic", "hard", "way"].map(|it| format!("links/{it}-{flat}"));
        #[cfg(unix)]
        {
            use std::os::unix::fs::symlink;
            let inner = file.rsplit_once('/').map_or(".", |(inner, _)| inner);
            symlink(folder.join(file), folder.join(&symbolic)).unwrap();
            fs::hard_link(folder.join(file), folder.join(&hard)).unwrap();
            symlink(folder.join(inner), folder.join(&way)).unwrap();
        }
        let name = file.rsplit('/').next().unwrap_or(file);
        all.extend([
            ("by a symbolic link", symbolic),
            ("by a hard link", hard),
            ("by a link to its folder", format!("{way}/{name}")),
        ]);
    }
    all
}

/// The ways in which a file is read: a description, the arguments, and the file.
#[rustfmt::skip]
const READ: &[(&str, &str, &str)] = &[
    ("left",                "d/a.txt d/b.txt",                                "d/a.txt"),
    ("right",               "d/a.txt d/b.txt",                                "d/b.txt"),
    ("a template of two",   "d/a.txt d/b.txt --template given.txt",           "given.txt"),
    ("stop words of two",   "d/a.txt d/b.txt --stopwords stop.txt",           "stop.txt"),
    ("settings of two",     "d/a.txt d/b.txt --config own.toml",              "own.toml"),
    ("named",               "corpus d/a.txt d/b.txt",                         "d/b.txt"),
    ("in a folder",         "corpus d",                                       "d/a.txt"),
    ("in a folder in it",   "corpus ./d",                                     "d/sub/c.txt"),
    ("of a list",           "corpus --files-from list",                       "d/b.txt"),
    ("of a list by NUL",    "corpus --files0-from nuls",                      "d/a.txt"),
    ("the list",            "corpus --files-from list",                       "list"),
    ("the list by NUL",     "corpus --files0-from nuls",                      "nuls"),
    ("old",                 "corpus d/a.txt --against d/b.txt",               "d/b.txt"),
    ("in an old folder",    "corpus d/a.txt --against d/sub",                 "d/sub/c.txt"),
    ("records",             "corpus --jsonl docs.jsonl",                      "docs.jsonl"),
    ("a template",          "corpus d --template given.txt",                  "given.txt"),
    ("stop words",          "corpus d --stopwords stop.txt",                  "stop.txt"),
    ("settings",            "corpus d --config own.toml",                     "own.toml"),
];

/// The flags that write a file, without its name.
const WRITTEN: [&str; 5] = [
    "--format json=",
    "--format text=",
    "--format sarif=",
    "--report ",
    "--format github GITHUB_STEP_SUMMARY=",
];

#[test]
fn no_output_takes_the_place_of_an_input() {
    let folder = folder("inputs");
    let all_spellings: BTreeMap<&str, _> = READ
        .iter()
        .map(|(_, _, file)| *file)
        .collect::<std::collections::BTreeSet<_>>()
        .into_iter()
        .map(|file| (file, spellings(&folder, file)))
        .collect();
    let before = files(&folder);
    let mut runs = 0;
    for (way, line, file) in READ {
        for flag in WRITTEN {
            for (spelled, name) in &all_spellings[file] {
                let line = format!("{line} {flag}{name}");
                let Run { status, output, errors } = run(&folder, &line);
                let message = errors.lines().next().unwrap_or_default();
                let is_folder = flag == "--report " && line.starts_with("corpus");
                let want = if is_folder {
                    ": is a file, expected a new folder, an empty one or an earlier report"
                } else {
                    ", expected a separate file"
                };
                assert!(message.ends_with(want), "{way}, {spelled}: {line}\n{errors}");
                assert_eq!((status, output.as_str()), (2, ""), "{way}, {spelled}: {line}");
                runs += 1;
            }
        }
    }
    assert!(before == files(&folder), "nothing is changed and nothing left behind");
    assert!(runs > 400 || cfg!(not(unix)), "{runs}");
}

/// Checks that both names are reported if the output is a text of the compared folder, in any
/// format.
#[test]
fn a_text_in_the_place_of_an_output_is_reported_with_it() {
    let folder = folder("found");
    let page = folder.join("d/page.html");
    fs::write(&page, format!("<!DOCTYPE html>\n<html lang=\"en\">\n<p>{TEXT}")).unwrap();
    let before = files(&folder);
    let formats = [
        "text", "json", "jsonl", "csv", "sarif", "github", "junit", "gitlab", "markdown", "badge",
        "paths",
    ];
    let flags = formats.map(|format| format!("--format {format}=./d/../d/page.html"));
    for flag in flags.iter().map(String::as_str).chain(["--report ./d/../d/page.html"]) {
        for more in ["", " --quiet"] {
            let result = run(&folder, &format!("corpus d {flag}{more}"));
            let want = format!(
                "dedup: {flag}: is also the text d/page.html, expected a separate file\nhint: \
                 dedup replaces only an empty file or its own earlier output: a report, json, \
                 jsonl, csv, sarif, junit, gitlab, markdown or badge; name another file, or move \
                 this one away\n"
            );
            assert_eq!((result.errors, result.output.as_str(), result.status), (want, "", 2));
        }
    }
    assert!(before == files(&folder));
}

/// Checks that the output that a run replaces is not a text: the answer is the same with and without it. Files
/// that cannot be distinguished from a text are not replaced.
#[test]
fn an_earlier_output_in_a_compared_folder_is_replaced() {
    #[rustfmt::skip]
    let table = [
        ("json",     "",               true),
        ("jsonl",    "",               true),
        ("csv",      "",               true),
        ("sarif",    "",               true),
        ("junit",    "",               true),
        ("gitlab",   "",               true),
        ("markdown", "",               true),
        ("badge",    "",               true),
        ("json",     " --clusters",    true),
        ("jsonl",    " --clusters",    true),
        ("json",     " --keep first",  true),
        ("jsonl",    " --keep first",  true),
        ("json",     " --nearest 1",   true),
        ("text",     "",               false),
        ("paths",    "",               false),
        ("github",   "",               false),
    ];
    for (format, more, is_marked) in table {
        for level in ["partial", "identical"] {
            let folder = folder("earlier");
            let line = format!("corpus d --at-least {level} --format {format}=d/out{more}");
            let first = run(&folder, &line);
            let before = files(&folder);
            let is_empty = before[&folder.join("d/out")].is_empty();
            let second = run(&folder, &line);
            assert!(before == files(&folder), "{line}");
            if is_marked || is_empty {
                assert_eq!((second.status, second.output), (first.status, first.output), "{line}");
            } else {
                assert_eq!((second.status, second.output.as_str()), (2, ""), "{line}");
            }
        }
    }
}

#[test]
fn a_baseline_is_no_text_of_its_folder() {
    let folder = folder("baseline");
    let line = "corpus d --at-least partial --baseline d/accepted";
    let update = run(&folder, &format!("{line} --update-baseline"));
    assert_eq!(update.status, 0, "{}", update.errors);
    for more in ["", " --update-baseline"] {
        let run = run(&folder, &format!("{line}{more}"));
        assert!(run.output.ends_with("\n3 texts compared\n"), "{}", run.output);
    }
}

/// Checks that a report, which replaces a folder with all of its files, replaces no input.
#[test]
fn a_report_in_a_folder_takes_the_place_of_no_text() {
    let folder = folder("report");
    let line = "corpus d --report rep --quiet --at-least partial";
    assert_eq!(run(&folder, line).status, 0);
    assert_eq!(run(&folder, line).status, 0, "an earlier one is replaced");
    let before = files(&folder);
    for input in [
        "rep/index.html d",
        "d --against links/../rep/pairs/0001.html",
        "d --template rep/index.html",
    ] {
        let result = run(&folder, &format!("corpus {input} --report ./rep"));
        let flag = result.errors.starts_with("dedup: --report ./rep: is also ");
        assert!(
            flag && result.errors.contains(", expected a separate file\n"),
            "{}",
            result.errors
        );
        assert_eq!(result.status, 2, "{input}");
    }
    assert!(before == files(&folder));
    // A page that dedup did not write belongs to somebody else.
    fs::write(folder.join("rep/pairs/0007.html"), "<p>mine").unwrap();
    let result = run(&folder, line);
    let want = "dedup: rep: is a folder with other files, expected a new folder, an empty one or \
                an earlier report\n";
    assert!(result.status == 2 && result.errors.starts_with(want), "{}", result.errors);
}

/// Runs `dedup` with standard output appended to a file of the folder.
#[cfg(unix)]
fn appending(folder: &Path, line: &str, file: &str) -> Run {
    let output = fs::OpenOptions::new().append(true).create(true).open(folder.join(file)).unwrap();
    let mut command = command();
    command.current_dir(folder).args(line.split(' ')).stdout(output);
    if line.contains("--jsonl -") {
        command.stdin(fs::OpenOptions::new().read(true).open(folder.join(file)).unwrap());
    }
    command.output().unwrap().into()
}

#[cfg(unix)]
#[test]
fn no_output_takes_the_place_of_standard_output() {
    let folder = folder("redirected");
    #[rustfmt::skip]
    let table = [
        ("corpus --jsonl docs.jsonl --keep first --output - --removed s", "--removed s"),
        ("corpus --jsonl docs.jsonl --keep first --output s --removed -", "--output s"),
        ("corpus --jsonl docs.jsonl --keep first --output ./s",           "--output ./s"),
        ("corpus d --format json --format csv=s",                         "--format csv=s"),
        ("d/a.txt d/a.txt --format csv=s",                                "--format csv=s"),
    ];
    for (line, flag) in table {
        let run = appending(&folder, line, "s");
        let want = format!("dedup: {flag}: is also standard output, expected a separate file\n");
        assert!(run.status == 2 && run.errors.starts_with(&want), "{line}: {}", run.errors);
        assert_eq!(fs::metadata(folder.join("s")).unwrap().len(), 0, "{line}");
    }
    // A device is not replaced, and both are appended to the summary of a step.
    for line in ["--removed /dev/stderr", "--removed t"] {
        let line = format!("corpus --jsonl docs.jsonl --keep first --output - {line}");
        let run = appending(&folder, &line, "s");
        assert!(run.status < 2, "{line}: {}", run.errors);
    }
    let summary = fs::OpenOptions::new().append(true).create(true).open(folder.join("sum.md"));
    let run = command()
        .current_dir(&folder)
        .env("GITHUB_STEP_SUMMARY", "sum.md")
        .args(["corpus", "d", "--format", "github"])
        .stdout(summary.unwrap())
        .output();
    let run = Run::from(run.unwrap());
    assert!(run.status < 2, "{}", run.errors);
}

#[cfg(unix)]
#[test]
fn nothing_is_appended_to_an_input() {
    let folder = folder("appended");
    let before = files(&folder);
    #[rustfmt::skip]
    let table = [
        ("corpus --jsonl docs.jsonl --keep first --output -",        "docs.jsonl", "a file of records"),
        ("corpus --jsonl - --keep first --output -",                 "docs.jsonl", "a file of records"),
        ("corpus --jsonl docs.jsonl --against given.txt --output -", "given.txt",  "the text given.txt"),
        ("spans --jsonl docs.jsonl --min-words 3 --output -",        "docs.jsonl", "a file of records"),
        ("spans --jsonl - --min-words 3 --output -",                 "docs.jsonl", "a file of records"),
        ("spans d/a.txt --min-words 3 --output -",                   "d/a.txt",    "the text d/a.txt"),
    ];
    for (line, file, what) in table {
        let run = appending(&folder, line, file);
        let want = format!("dedup: --output -: is also {what}, expected a separate file\n");
        assert!(run.status == 2 && run.errors.starts_with(&want), "{line}: {}", run.errors);
        assert!(before == files(&folder), "{line}");
    }
    // An answer for people can be appended to a text.
    let run = appending(&folder, "corpus d --at-least identical", "d/a.txt");
    assert!(run.status < 2 && before != files(&folder), "{}", run.errors);
}
