//! Tests of kinds of files that only some systems have.

use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::symlink;

use super::*;

#[test]
fn links_are_not_followed_in_a_folder_and_are_by_name() {
    let folder = folder("links", &[("f/a.txt", b"kettle"), ("g/b.txt", b"kettle")]);
    symlink("a.txt", folder.join("f/link.txt")).unwrap();
    symlink("../g", folder.join("f/folder")).unwrap();
    symlink(".", folder.join("f/round")).unwrap();
    symlink("nowhere", folder.join("f/dangling")).unwrap();
    let walked = run_in(&folder, "f");
    assert_eq!((names(&walked).join(" ").as_str(), walked.status), ("f/a.txt", 0));
    assert_eq!(counts(&walked), "1 text, 0 failed; 4 skipped: symbolic links");
    let named = run_in(&folder, "f/link.txt f/folder");
    assert_eq!(names(&named).join(" "), "f/link.txt f/folder/b.txt");
    let dangling = run_in(&folder, "f f/dangling");
    let want = "dedup: f/dangling: no such file or folder, expected a text file or a folder\n";
    assert!(dangling.errors.starts_with(want), "{}", dangling.errors);
    assert_eq!(dangling.status, 2);
}

/// Checks that two names of a file are one text, under the first of them. Other hard links in a
/// folder are counted.
#[test]
fn a_file_with_several_names_is_one_text() {
    let folder = folder("one_file", &[("f/a.txt", b"kettle"), ("g/z.txt", b"lid")]);
    fs::hard_link(folder.join("f/a.txt"), folder.join("f/b.txt")).unwrap();
    fs::hard_link(folder.join("f/a.txt"), folder.join("g/c.txt")).unwrap();
    symlink("f/a.txt", folder.join("link")).unwrap();
    symlink("f", folder.join("way")).unwrap();
    let table = [
        ("hard links", "f", "f/a.txt", "1 text, 0 failed; 1 skipped: hard links"),
        ("in two folders", "f g", "f/a.txt g/z.txt", "2 texts, 0 failed; 2 skipped: hard links"),
        (
            "a folder by two names",
            "f ./f way",
            "f/a.txt",
            "1 text, 0 failed; 1 skipped: hard links",
        ),
        ("a link to a file", "link f", "link", "1 text, 0 failed; 1 skipped: hard links"),
        ("links that are named", "f/b.txt f/a.txt link", "f/b.txt", "1 text, 0 failed"),
        (
            "new and old",
            "f --against g --against .",
            "f/a.txt g/z.txt",
            "2 texts, 0 failed; 2 skipped: symbolic links; 2 skipped: hard links",
        ),
    ];
    for (why, line, want, counted) in table {
        let run = run_in(&folder, line);
        assert_eq!(
            (names(&run).join(" ").as_str(), counts(&run).as_str()),
            (want, counted),
            "{why}"
        );
    }
}

#[test]
fn pipes_are_read_by_name_and_passed_over_in_a_folder() {
    let folder = folder("pipes", &[("f/a.txt", b"kettle")]);
    let script = format!(
        "mkfifo f/pipe && '{0}' corpus f --list && '{0}' corpus --list <(echo kettle) f/a.txt | grep -c kettle",
        env!("CARGO_BIN_EXE_dedup")
    );
    let run =
        std::process::Command::new("bash").current_dir(&folder).args(["-c", &script]).output();
    let run = Run::from(run.unwrap());
    assert_eq!(run.errors, "");
    let walked = "1 text, 0 failed; 1 skipped: pipes, sockets and devices";
    assert!(counts(&run).starts_with(walked), "{}", run.output);
}

/// Checks that a `.gitignore` that is a pipe or a device is named, not waited for: in a folder, and
/// in the searched folder or above it.
#[test]
fn a_gitignore_without_an_end_is_an_error() {
    let files: &[(&str, &[u8])] =
        &[("f/a.txt", b"kettle"), ("f/g/b.txt", b"kettle"), ("h/i/c.txt", b"kettle")];
    let folder = folder("gitignores", files);
    let script = "mkfifo f/g/.gitignore && ln -s /dev/zero h/.gitignore";
    let made =
        std::process::Command::new("bash").current_dir(&folder).args(["-c", script]).status();
    assert!(made.unwrap().success());
    let above = folder.join("h/.gitignore");
    for (searched, found, named) in [
        ("f", "f/a.txt", "f/g/.gitignore"),
        ("h", "", "h/.gitignore"),
        ("h/i", "", above.to_str().unwrap()),
    ] {
        let run = run_in(&folder, &format!("{searched} --gitignore"));
        assert_eq!((run.status, names(&run).join(" ").as_str()), (2, found), "{searched}");
        let want = format!(
            "dedup: {named}: is not a file of at most 10 MB, expected one for --gitignore\nhint: \
             remove it, or leave out --gitignore\n"
        );
        assert_eq!(run.errors, want);
        assert_eq!(run_in(&folder, searched).status, 0, "{searched}");
    }
}

/// Checks old records whose first line arrives in pieces, on standard input and in a pipe of the
/// shell, and a pipe of the shell with one text.
#[test]
fn pipes_of_the_shell_are_known_by_their_content() {
    let line = |id: &str| format!("{{\"id\":\"{id}\",\"text\":\"the ferry leaves at seven\"}}\n");
    let old = line("b") + &line("c");
    let folder =
        folder("substituted", &[("new.jsonl", line("a").as_bytes()), ("old", old.as_bytes())]);
    let slow = "(printf '\\xef\\xbb\\xbf\\n{'; sleep 0.1; tail -c +2 old)";
    #[rustfmt::skip]
    let table = [
        (format!("{slow} | DEDUP -"),           "a\n-/b\n-/c\n".to_owned()),
        (format!("{slow} | DEDUP /dev/stdin"),  "a\n/dev/stdin/b\n/dev/stdin/c\n".to_owned()),
        (format!("DEDUP <({slow})"),            "a\n/dev/fd/63/b\n/dev/fd/63/c\n".to_owned()),
        ("DEDUP <(echo '{ ferry }')".to_owned(), "/dev/fd/63\na\n".to_owned()),
    ];
    let program =
        format!("'{}' corpus --jsonl new.jsonl --list --against", env!("CARGO_BIN_EXE_dedup"));
    for (script, want) in table {
        let script = format!(
            "{} | cut -f 1 | grep -v ' texts\\?,' | LC_ALL=C sort",
            script.replace("DEDUP", &program)
        );
        let mut bash = std::process::Command::new("bash");
        let found = Run::from(bash.current_dir(&folder).args(["-c", &script]).output().unwrap());
        let sorted = |names: &str| {
            let mut all: Vec<&str> = names.lines().collect();
            all.sort_unstable();
            all.join("\n")
        };
        assert_eq!((sorted(&found.output), found.errors.as_str()), (sorted(&want), ""), "{script}");
    }
}

/// Checks a folder whose path is too long, which even the superuser cannot list.
#[test]
fn a_folder_that_cannot_be_listed_is_an_error_and_the_others_are_read() {
    let folder = folder("unreadable", &[("f/a.txt", b"kettle"), ("f/z.txt", b"kettle")]);
    let name = "d".repeat(250);
    let script =
        format!("cd f; for i in $(seq 20); do mkdir {name} && cd -P {name} || exit 1; done");
    let made =
        std::process::Command::new("bash").current_dir(&folder).args(["-c", &script]).status();
    assert!(made.unwrap().success());
    let run = run_in(&folder, "f");
    assert_eq!((names(&run).join(" ").as_str(), run.status), ("f/a.txt f/z.txt", 2));
    assert_eq!(counts(&run), "2 texts, 1 failed");
    let (message, hint) = run.errors.split_once('\n').unwrap();
    assert!(message.starts_with(&format!("dedup: f/{name}/{name}/")), "{message}");
    assert!(message.contains(": cannot be listed, expected a readable folder: "), "{message}");
    assert_eq!(hint, "hint: check that the file exists and is readable\n");
    fs::remove_dir_all(folder).unwrap();
}

#[cfg(target_os = "linux")]
#[test]
fn names_that_are_not_utf_8_are_shown_by_their_bytes() {
    let folder = folder("names", &[("list", b"f/caf\xe9.txt\n")]);
    fs::create_dir(folder.join("f")).unwrap();
    let name = std::ffi::OsStr::from_bytes(b"f/caf\xe9.txt");
    fs::write(folder.join(name), b"kettle").unwrap();
    for line in ["f", "--files-from list"] {
        assert_eq!(names(&run_in(&folder, line)).join(" "), "f/caf\\xe9.txt", "{line}");
    }
}

/// Checks that a line that is too long is not kept: the program may use 500 MB, the line has 600.
#[cfg(target_os = "linux")]
#[test]
fn a_line_that_is_too_long_takes_no_memory() {
    let script = format!(
        "{{ head -c 600000000 /dev/zero; echo; echo '{{\"id\":1,\"text\":\"lid\"}}'; }} \
         | (ulimit -v 500000; '{}' corpus --list --jsonl - --max-bytes 1000)",
        env!("CARGO_BIN_EXE_dedup")
    );
    let run = Run::from(std::process::Command::new("bash").args(["-c", &script]).output().unwrap());
    let message = "dedup: -: line 1: larger than the limit of 1000 bytes\n";
    assert!(run.errors.starts_with(message), "{}", run.errors);
    assert_eq!((names(&run).join(" ").as_str(), run.status), ("1", 2));
}
