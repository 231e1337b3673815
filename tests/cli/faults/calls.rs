//! Makes each system call that may fail do so once. The answer must stay the same, or there must be
//! an error and no incomplete file.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use super::{folder, names, words};
use crate::common::{Run, is_installed, read_file};

/// The system calls, and the ways in which each may fail.
const CALLS: &[(&str, &[&str])] = &[
    ("openat", &["error=EIO", "error=EMFILE", "error=EROFS", "error=ENOENT"]),
    ("read", &["error=EIO", "error=EINTR", "retval=0"]),
    ("write", &["error=EIO", "error=ENOSPC", "error=EINTR", "error=EPIPE"]),
    ("statx", &["error=EIO"]),
    ("getcwd", &["error=ENOENT"]),
    ("getdents64", &["error=EIO"]),
    ("fcntl", &["error=EMFILE"]),
    ("readlink", &["error=EIO"]),
    ("socketpair", &["error=EMFILE"]),
    ("clone3", &["error=EAGAIN"]),
    ("mkdir", &["error=EIO"]),
    ("rename", &["error=EIO"]),
    ("renameat2", &["error=EIO", "error=EINVAL"]),
    ("fsync", &["error=EIO", "error=ENOSPC", "error=EINVAL"]),
    ("flock", &["error=EINTR", "error=EOPNOTSUPP"]),
    ("renameat", &["error=EIO"]),
    ("unlinkat", &["error=EIO"]),
];

/// The beginning of an earlier report.
const GENERATED: &str =
    "<!DOCTYPE html>\n<html lang=\"en\">\n<meta name=\"generator\" content=\"dedup\">\n";

/// Creates the files that exist before each run.
fn world(folder: &Path) {
    let _ = std::fs::remove_dir_all(folder);
    std::fs::create_dir_all(folder.join("c/d")).unwrap();
    std::fs::create_dir_all(folder.join("old/pairs")).unwrap();
    let text = words("word", 0..20);
    let record = format!("{{\"id\": \"1\", \"text\": \"{text}\"}}\n");
    #[rustfmt::skip]
    let files = [
        ("a.txt", text.clone()),
        ("b.txt", format!("{text} and more")),
        ("c/d/n.txt", text.clone()),
        ("c/m.txt", format!("{text} so it is")),
        ("records.jsonl", record.clone() + &record.replace("\"1\"", "\"2\"")),
        ("list", "a.txt\nb.txt\n".to_owned()),
        ("base.txt", "# dedup baseline 3\npair\tx\ty\t12\t1/2\tx\n".to_owned()),
        ("old/.dedup-report", String::new()),
        ("old/index.html", format!("{GENERATED}old</html>\n")),
    ];
    for (name, content) in files {
        std::fs::write(folder.join(name), content).unwrap();
    }
}

/// Returns all files below a folder, with their contents.
fn tree(folder: &Path) -> BTreeMap<String, String> {
    let mut files = BTreeMap::new();
    for name in names(folder) {
        let path = folder.join(&name);
        if path.is_dir() {
            let below = tree(&path).into_iter().map(|(file, it)| (format!("{name}/{file}"), it));
            files.extend(below);
        } else {
            files.insert(name, read_file(path));
        }
    }
    files
}

/// The result of a run: its output and the files after it.
struct Outcome {
    run: Run,
    files: BTreeMap<String, String>,
}

/// Runs a line in a new world under strace, with flags for it.
fn traced(folder: &Path, flags: &[&str], line: &str) -> Outcome {
    world(folder);
    let mut strace = Command::new("strace");
    strace.args(["-qq", "-o", "/dev/null"]).args(flags).arg(env!("CARGO_BIN_EXE_dedup"));
    for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("GITHUB_")) {
        strace.env_remove(name);
    }
    let run = strace.args(line.split(' ')).current_dir(folder).output().unwrap().into();
    Outcome { run, files: tree(folder) }
}

/// Returns how often each call is made: by the loader, and in total.
fn counts(folder: &Path, line: &str) -> BTreeMap<String, (usize, usize)> {
    let log = folder.with_extension("log");
    traced(folder, &["-o", log.to_str().unwrap()], line);
    let mut counts: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    let mut is_loaded = false;
    for (call, _) in read_file(log).lines().filter_map(|line| line.split_once('(')) {
        is_loaded |= call == "poll"; // the first call of the Rust runtime
        let (before, all) = counts.entry(call.to_owned()).or_default();
        *before += usize::from(!is_loaded);
        *all += 1;
    }
    assert!(is_loaded);
    counts
}

/// Reports whether an output file is complete.
fn is_whole(name: &str, content: &str) -> bool {
    let is_json = |text: &str| serde_json::from_str::<serde_json::Value>(text).is_ok();
    match name.rsplit('.').next() {
        Some("html") => content.ends_with("</html>\n"),
        Some("json") => is_json(content),
        Some("jsonl") => content.lines().all(is_json) && !content.ends_with(','),
        Some("txt") => content.ends_with(['\n', ' ', 'e', 's']),
        _ => true,
    }
}

/// Reports whether a message begins with the name of a file of the command lines, or with `standard
/// output`.
fn names_what_failed(errors: &str) -> bool {
    #[rustfmt::skip]
    let known = [
        "a.txt: ", "b.txt: ", "c: ", "c/", "records.jsonl: ", "list: ", "base.txt: ", "old: ", "old/",
        "out.html: ", "out.json: ", "out.jsonl: ", "out.csv: ", "standard output: ", "clean: ", "clean/",
    ];
    let Some(said) = errors.strip_prefix("dedup: ") else { return false };
    let said = said.strip_prefix("--files-from: ").unwrap_or(said);
    let below = said.trim_start_matches("../"); // settings are also looked for in parent folders
    known.iter().any(|name| said.starts_with(name)) || below.starts_with("dedup.toml: ")
}

fn check(want: &Outcome, got: &Outcome, fault: &str) {
    let Run { status, output, errors } = &got.run;
    // The reader of the answer has closed the pipe, so the run ends without a message.
    let is_closed_pipe = fault.contains("EPIPE");
    if is_closed_pipe {
        assert!([0, 1, 2].contains(status), "{fault}: {status} {errors}");
    } else if *status == 2 {
        assert!(names_what_failed(errors), "{fault}: {errors}");
    } else {
        assert_eq!((*status, output), (want.run.status, &want.run.output), "{fault}: {errors}");
        assert!(got.files == want.files, "{fault}: {:?}", got.files.keys());
    }
    assert!(!errors.contains("defect"), "{fault}: {errors}");
    for (name, content) in &got.files {
        assert!(is_whole(name, content), "{fault}: {name}: {content}");
        // A temporary report that cannot be deleted is named.
        let first = name.split('/').next().unwrap();
        let is_named = !first.starts_with(".dedup-") || errors.contains(first);
        assert!(is_named, "{fault}: {name}: {errors}");
    }
}

#[test]
#[ignore = "slow: cargo test -- --ignored"]
fn whatever_call_fails_there_is_the_answer_or_an_error() {
    if !is_installed("strace", "--version") {
        return;
    }
    let folder = folder("calls");
    let mut done = 0;
    for line in [
        "a.txt b.txt --lang none --report out.html --format json=out.json",
        "a.txt b.txt --lang none --baseline base.txt --update-baseline --quiet",
        "corpus c a.txt --lang none --report old --format jsonl=out.jsonl --threads 1",
        "corpus --jsonl records.jsonl --files-from list --lang none --format csv=out.csv --threads 1",
        "spans c a.txt --min-words 5 --output clean --threads 1",
        "spans --jsonl records.jsonl --min-words 5 --output out.jsonl --threads 1",
    ] {
        let want = traced(&folder, &[], line);
        assert_eq!(want.run.status, 0, "{line}: {}", want.run.errors);
        let counts = counts(&folder, line);
        for (call, faults) in CALLS {
            let (loader, all) = counts.get(*call).copied().unwrap_or_default();
            for fault in *faults {
                for number in loader + 1..=all {
                    let fault = format!("{call}:{fault}:when={number}");
                    let flags = ["-e", &format!("trace={call}"), "-e", &format!("inject={fault}")];
                    check(&want, &traced(&folder, &flags, line), &format!("{fault}: {line}"));
                    done += 1;
                }
            }
        }
    }
    assert!(done > 200, "{done} faults");
}

/// Checks that an earlier report, or the new one, is complete at its path whenever the run is killed,
/// and that the next run names what is left behind.
#[test]
#[ignore = "slow: cargo test -- --ignored"]
fn a_report_is_there_whenever_the_run_is_killed() {
    if !is_installed("strace", "--version") {
        return;
    }
    let folder = folder("killed");
    let line = "corpus c a.txt --lang none --quiet --report old --threads 1";
    let counts = counts(&folder, line);
    let mut left = 0;
    for call in ["openat", "fsync", "rename", "renameat2", "unlinkat"] {
        for number in 1..=counts.get(call).map_or(0, |(_, all)| *all) {
            let fault = format!("inject={call}:signal=KILL:when={number}");
            world(&folder);
            let script =
                format!("strace -qq -o /dev/null -e trace={call} -e {fault} \"$dedup\" {line}");
            super::bash(&folder, &format!("({script}); exit 0"));
            let files = tree(&folder);
            let index = &files["old/index.html"];
            assert!(is_whole("index.html", index), "{fault}: {index}");
            let hidden = names(&folder).into_iter().filter(|name| name.starts_with(".dedup-"));
            let hidden: Vec<String> = hidden.collect();
            let again = super::bash(&folder, &format!("\"$dedup\" {line}"));
            let is_named = |name: &String| {
                let want = format!("{name}: left behind by a run that was stopped: remove it\n");
                again.errors.contains(&want)
            };
            assert!(hidden.iter().all(is_named), "{fault}: {hidden:?} {}", again.errors);
            left += hidden.len();
        }
    }
    assert!(left > 5, "{left}");
    // Any other signal that stops the run leaves nothing behind.
    for signal in ["HUP", "QUIT", "INT", "TERM", "ALRM", "USR1", "USR2", "XCPU"] {
        world(&folder);
        let fault = format!("-e trace=mkdir -e inject=mkdir:signal={signal}:when=2");
        let script = format!("strace -f -qq -o /dev/null {fault} \"$dedup\" {line}");
        super::bash(&folder, &format!("ulimit -c 0; ({script}); exit 0"));
        assert!(!names(&folder).iter().any(|name| name.starts_with(".dedup-")), "{signal}");
    }
}
