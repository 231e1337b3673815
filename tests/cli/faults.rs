//! Tests of failures of the environment: a full disk, and a record that is too large.

#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod calls; // the names of system calls differ elsewhere
mod clean;
mod limits;
#[cfg(target_os = "linux")]
mod memory;
mod moving;
#[cfg(target_os = "linux")]
mod network;
#[cfg(target_os = "linux")]
mod threads;

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::common::{Run, empty_folder};

fn folder(name: &str) -> PathBuf {
    empty_folder("faults", name)
}

/// Runs a script in which `$dedup` is the program.
fn bash(folder: &Path, script: &str) -> Run {
    let mut bash = Command::new("bash");
    bash.env("dedup", env!("CARGO_BIN_EXE_dedup")).current_dir(folder);
    bash.args(["-c", script]).output().unwrap().into()
}

/// Returns words, each of which occurs once.
fn words(word: &str, numbers: std::ops::Range<u32>) -> String {
    numbers.fold(String::new(), |words, number| words + &format!("{word}{number} "))
}

fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

/// Checks a full disk, simulated by a limit of 8 kB per file: the requested output does not exist,
/// no incomplete file is left, and the status is 2.
#[test]
fn on_a_full_disk_nothing_half_written_stays() {
    let folder = folder("full");
    let record = |id: u32| {
        format!(
            "{{\"id\":\"{id}\",\"text\":\"a copper kettle and a wooden spoon on the old table by the window\"}}\n"
        )
    };
    std::fs::write(folder.join("docs.jsonl"), (0..40).map(record).collect::<String>()).unwrap();
    let text = words("word", 0..400);
    std::fs::write(folder.join("a.txt"), &text).unwrap();
    std::fs::write(folder.join("b.txt"), format!("{text} more")).unwrap();
    let before = names(&folder);
    let corpus = "corpus --jsonl docs.jsonl --lang en";
    let pair = "a.txt b.txt --lang en --explain";
    #[rustfmt::skip]
    let table = [
        ("records in a file",  format!("{corpus} --format jsonl=out"),            "out: cannot be written: "),
        ("an object",          format!("{corpus} --quiet --format json=out"),     "out: cannot be written: "),
        ("SARIF",              format!("{corpus} --format sarif=out"),            "out: cannot be written: "),
        ("a report",           format!("{corpus} --report out.html"),             "out.html: cannot be written: "),
        ("a report's folder",  format!("{corpus} --report out"),                  "out: cannot be written: "),
        ("the stages",         format!("{pair} --format json=out"),               "out: cannot be written: "),
        ("the report of two",  format!("{pair} --report out.html"),               "out.html: cannot be written: "),
    ];
    for (why, line, want) in &table {
        let script = format!("ulimit -f 8; \"$dedup\" {line} | cat; exit ${{PIPESTATUS[0]}}");
        let run = bash(&folder, &script);
        assert_eq!(run.status, 2, "{why}: {}", run.errors);
        assert!(run.errors.contains(&format!("dedup: {want}")), "{why}: {}", run.errors);
        assert_eq!(names(&folder), before, "{why}");
        let whole = bash(&folder, &format!("\"$dedup\" {line} > /dev/null; rm -rf out out.html"));
        let is_note = |line: &str| {
            line.starts_with("dedup: report: ") || line.starts_with("hint: --template-share ")
        };
        let errors = whole.errors.lines().filter(|line| !is_note(line));
        assert_eq!((whole.status, errors.count()), (0, 0), "{why}: with room");
    }
}

/// Checks that an existing file stays unchanged if there is no space to replace it.
#[test]
fn on_a_full_disk_what_was_there_stays() {
    let folder = folder("stays");
    let text = |from: u32| words("w", from..from + 40);
    for number in 0..120 {
        let name = folder.join(format!("{number}a.txt"));
        std::fs::write(name, text(100 * number)).unwrap();
        let name = folder.join(format!("{number}b.txt"));
        std::fs::write(name, text(100 * number) + "and more").unwrap();
    }
    let line = "corpus . --lang none --baseline base.txt --update-baseline --quiet";
    std::fs::write(folder.join("base.txt"), "# dedup baseline 3\n").unwrap();
    let full = bash(&folder, &format!("ulimit -f 8; \"$dedup\" {line}"));
    assert_eq!(full.status, 2);
    assert!(full.errors.starts_with("dedup: base.txt: cannot be written: "), "{}", full.errors);
    let kept = bash(&folder, "cat base.txt; ls -a | grep -c tmp");
    assert_eq!(kept.output, "# dedup baseline 3\n0\n");
    assert_eq!(bash(&folder, &format!("\"$dedup\" {line}")).status, 0);
    assert_eq!(bash(&folder, "wc -l < base.txt").output.trim(), "361"); // 120 pairs, 240 texts
}

/// Checks that the key of an earlier anonymous report stays if there is no space for a new report.
#[test]
fn on_a_full_disk_a_report_keeps_its_key() {
    let folder = folder("key");
    for name in ["a.txt", "b.txt", "c.txt"] {
        std::fs::write(folder.join(name), words("w", 0..40) + name).unwrap();
    }
    for report in ["out", "out.html"] {
        let line = format!("--lang none --quiet --report {report} --anonymous");
        assert_eq!(bash(&folder, &format!("\"$dedup\" corpus a.txt b.txt {line}")).status, 0);
        let key = bash(&folder, "cat out.key.csv").output;
        let full = format!("ulimit -f 8; \"$dedup\" corpus a.txt b.txt c.txt {line}");
        let full = bash(&folder, &full);
        assert_eq!(full.status, 2, "{}", full.errors);
        assert!(!key.is_empty() && bash(&folder, "cat out.key.csv").output == key, "{report}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn where_the_answer_cannot_be_printed_there_is_none() {
    let folder = folder("printed");
    for name in ["a.txt", "b.txt"] {
        std::fs::write(folder.join(name), "a copper kettle and a wooden spoon").unwrap();
    }
    for format in [
        "text", "json", "jsonl", "csv", "sarif", "github", "junit", "gitlab", "markdown", "badge",
        "paths", "paths0",
    ] {
        for texts in ["corpus a.txt b.txt", "a.txt a.txt"] {
            let run = bash(&folder, &format!("\"$dedup\" {texts} --format {format} > /dev/full"));
            assert_eq!(run.status, 2, "{texts} {format}");
            assert!(
                run.errors.starts_with("dedup: standard output: cannot be written: "),
                "{format}: {}",
                run.errors
            );
        }
    }
}

/// Checks that a record of 100 MB is compared if the limit allows it, and otherwise named, while
/// the others are compared.
#[test]
#[ignore = "slow: cargo test -- --ignored"]
fn a_record_of_a_hundred_megabytes_is_compared_or_named() {
    let folder = folder("large");
    let small = r#"{"id":"small","text":"a copper kettle and a wooden spoon"}"#;
    let script = format!(
        "{{ echo '{small}'; echo '{}'; printf '{{\"id\":\"large\",\"text\":\"'; \
         yes 'a copper kettle ' | head -c 100000000 | tr '\\n' ' '; echo '\"}}'; }} \
         | \"$dedup\" corpus --jsonl - --lang en --format jsonl FLAGS | wc -l; \
         exit ${{PIPESTATUS[1]}}",
        small.replace("small", "again")
    );
    let read = bash(&folder, &script.replace("FLAGS", ""));
    assert_eq!((read.status, read.output.trim(), read.errors.as_str()), (0, "1", ""));
    let named = bash(&folder, &script.replace("FLAGS", "--max-bytes 1000000"));
    assert_eq!((named.status, named.output.trim()), (2, "1"), "{}", named.errors);
    assert!(
        named.errors.starts_with("dedup: -: line 3: larger than the limit of 1000000 bytes"),
        "{}",
        named.errors
    );
}
