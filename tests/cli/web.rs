//! Tests of `dedup web`, which finds and copies the page that is shipped with the program.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::common::{Run, empty_folder, read_file};
use crate::transcript::errors;

const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Returns a page of a version, which begins like `web/page.html`.
fn page(version: &str) -> String {
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"generator\" content=\"dedup {version}\">\n</head>\n<body>the page</body>\n</html>\n"
    )
}

/// Creates a folder with the program installed as `bin/dedup`, and with files.
fn installed(test: &str, files: &[(&str, &str)]) -> PathBuf {
    let place = empty_folder("web", test).canonicalize().unwrap();
    fs::create_dir(place.join("bin")).unwrap();
    let program = place.join("bin/dedup");
    let built = env!("CARGO_BIN_EXE_dedup");
    fs::hard_link(built, &program).or_else(|_| fs::copy(built, &program).map(drop)).unwrap();
    for (name, content) in files {
        fs::create_dir_all(place.join(name).parent().unwrap()).unwrap();
        fs::write(place.join(name), content).unwrap();
    }
    place
}

fn run(place: &Path, program: &str, line: &str) -> Run {
    let mut command = Command::new(place.join(program));
    command.current_dir(place).args(line.split_whitespace()).output().unwrap().into()
}

/// Returns the status, the output and the errors of a run.
fn answer(place: &Path, program: &str, line: &str) -> (i32, String, String) {
    let run = run(place, program, line);
    (run.status, run.output, run.errors)
}

#[test]
fn the_page_is_copied_from_where_it_is_shipped() {
    #[rustfmt::skip]
    let table = [
        ("as an archive has it",    "archive", "bin/dedup.html"),
        ("as a package installs it", "package", "share/dedup/dedup.html"),
    ];
    for (why, test, shipped) in table {
        let page = page(VERSION);
        let place = installed(
            test,
            &[(shipped, &page), ("empty.html", ""), ("older.html", &self::page("0.0.1"))],
        );
        let name = place.join(shipped).display().to_string();
        assert_eq!(
            answer(&place, "bin/dedup", "web"),
            (0, format!("{name}\n"), String::new()),
            "{why}"
        );
        for file in ["new.html", "new.html", "empty.html", "older.html"] {
            let want = (0, String::new(), format!("dedup: page: {file}\n"));
            assert_eq!(answer(&place, "bin/dedup", &format!("web --output {file}")), want, "{why}");
            assert_eq!(read_file(place.join(file)), page, "{why}: {file}");
        }
        let want = (0, page, String::new());
        assert_eq!(answer(&place, "bin/dedup", "web --output -"), want, "{why}");
        // The program may be started through a link, as npm and Homebrew create it.
        fs::create_dir(place.join("links")).unwrap();
        symlink("../bin/dedup", place.join("links/dedup")).unwrap();
        assert_eq!(run(&place, "links/dedup", "web").output, format!("{name}\n"), "{why}");
    }
}

#[test]
fn without_the_page_it_is_named_where_it_was_looked_for() {
    let place = installed("missing", &[]);
    let [beside, share] = ["bin/dedup.html", "share/dedup/dedup.html"]
        .map(|name| place.join(name).display().to_string());
    let hint = format!(
        "hint: dedup.html is part of release {VERSION}; to build it from source, run web/build\n"
    );
    let want = |found: &str| {
        (
            2,
            String::new(),
            format!("dedup: the page of dedup {VERSION} was not found: {found}\n{hint}"),
        )
    };
    let both = want(&format!("no {beside}, no {share}"));
    assert_eq!(answer(&place, "bin/dedup", "web"), both);
    assert_eq!(answer(&place, "bin/dedup", "web --output new.html"), both);
    assert!(!place.join("new.html").exists());
    // Pages of other versions, and pages that are not ours, are not copied.
    fs::create_dir_all(place.join("share/dedup")).unwrap();
    fs::write(&beside, page("0.0.1")).unwrap();
    fs::write(&share, "<!DOCTYPE html>\n<html lang=\"en\">\n<title>ours</title>").unwrap();
    let found = format!("{beside} belongs to dedup 0.0.1, {share} is a different page");
    assert_eq!(answer(&place, "bin/dedup", "web --output new.html"), want(&found));
    assert!(!place.join("new.html").exists());
    // If the page in the first place has another version, the next place is used.
    fs::write(&share, page(VERSION)).unwrap();
    assert_eq!(answer(&place, "bin/dedup", "web"), (0, format!("{share}\n"), String::new()));
}

#[test]
fn nothing_of_others_is_replaced() {
    let place = installed(
        "kept",
        &[("bin/dedup.html", &page(VERSION)), ("essay.html", "an essay"), ("site/x", "")],
    );
    let cases = [
        ("a text", "web --output essay.html"),
        ("a folder", "web --output site"),
        ("no such folder", "web --output no/x.html"),
    ];
    errors("web", &cases, |line| run(&place, "bin/dedup", line));
    assert_eq!(read_file(place.join("essay.html")), "an essay");
    let mut left: Vec<_> =
        fs::read_dir(&place).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    left.sort();
    assert_eq!(left, ["bin", "essay.html", "site"]);
}

/// Checks that the page is not a text of the folder that contains it.
#[test]
fn a_page_in_a_folder_of_texts_is_no_text() {
    let text =
        "a copper kettle stands on the wooden table in the old mill beside the river at dawn";
    let files =
        [("texts/a.txt", text), ("texts/b.txt", text), ("texts/dedup.html", &page(VERSION))];
    let place = installed("texts", &files);
    let found = run(&place, "bin/dedup", "corpus texts --format paths");
    assert_eq!(
        (found.output.as_str(), found.status),
        ("texts/a.txt\ntexts/b.txt\n", 0),
        "{}",
        found.errors
    );
}
