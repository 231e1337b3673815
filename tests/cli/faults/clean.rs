//! Tests of failures while a clean corpus is written: none of its files is left.

use std::fs;

use super::{bash, folder, names, words};
use crate::common::is_installed;

/// Returns records, every second of which is a copy of the previous one.
fn docs() -> String {
    let record = |id: u32| {
        let text = words("w", id / 2 * 100..id / 2 * 100 + 20);
        format!("{{\"id\":\"{id}\",\"text\":\"{text}\"}}\n")
    };
    (0..400).map(record).collect()
}

const CORPUS: &str = "corpus --lang none --quiet --keep first";

/// Checks each file, and then the other one, being too large for the disk.
#[test]
fn on_a_full_disk_neither_file_is_there() {
    let folder = folder("clean-full");
    fs::write(folder.join("docs.jsonl"), docs()).unwrap();
    fs::write(folder.join("out"), "earlier\n").unwrap();
    let before = names(&folder);
    #[rustfmt::skip]
    let table = [
        ("what is kept",     "--output out",                     "out"),
        ("both",             "--output out --removed gone",      "out"),
        ("what is removed",  "--output /dev/null --removed out", "out"),
        ("with a field",     "--output out --annotate of",       "out"),
    ];
    for (why, flags, file) in table {
        let line = format!("{CORPUS} --jsonl docs.jsonl {flags}");
        let run = bash(&folder, &format!("ulimit -f 8; \"$dedup\" {line}"));
        assert_eq!((run.status, run.output.as_str()), (2, ""), "{why}: {}", run.errors);
        let want = format!("dedup: {file}: cannot be written: ");
        assert!(run.errors.starts_with(&want), "{why}: {}", run.errors);
        assert_eq!(names(&folder), before, "{why}");
        assert_eq!(bash(&folder, "cat out").output, "earlier\n", "{why}");
    }
    // There is no space for the copy of standard input, either.
    let line = format!("{CORPUS} --jsonl - --output out < docs.jsonl");
    let run = bash(&folder, &format!("ulimit -f 8; \"$dedup\" {line}"));
    assert_eq!((run.status, run.output.as_str()), (2, ""), "{}", run.errors);
    assert!(run.errors.starts_with("dedup: -: cannot be read, "), "{}", run.errors);
    assert!(run.errors.contains(": its copy in "), "{}", run.errors);
    assert_eq!(bash(&folder, "cat out").output, "earlier\n");
    // Compressed input is not damaged because of that.
    for program in ["gzip", "zstd", "bzip2", "xz"] {
        if !is_installed(program, "--version") {
            continue;
        }
        let line = format!("{CORPUS} --jsonl - --output out");
        let script = format!("{program} -c docs.jsonl | (ulimit -f 1; \"$dedup\" {line})");
        let run = bash(&folder, &script);
        assert_eq!((run.status, run.output.as_str()), (2, ""), "{program}: {}", run.errors);
        assert!(run.errors.starts_with("dedup: -: cannot be read, "), "{program}: {}", run.errors);
        assert!(run.errors.contains(": its copy in "), "{program}: {}", run.errors);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_device_without_room_is_an_error() {
    let folder = folder("clean-device");
    fs::write(folder.join("docs.jsonl"), docs()).unwrap();
    for (flags, file) in [
        ("--output -", "-"),
        ("--output /dev/stdout", "/dev/stdout"),
        ("--output /dev/full --removed gone", "/dev/full"),
    ] {
        let script = format!("\"$dedup\" {CORPUS} --jsonl docs.jsonl {flags} > /dev/full");
        let run = bash(&folder, &script);
        let want = format!("dedup: {file}: cannot be written: ");
        assert!(run.status == 2 && run.errors.starts_with(&want), "{flags}: {}", run.errors);
        assert_eq!(names(&folder), ["docs.jsonl"], "{flags}");
    }
}

/// Checks that a reader that closes its pipe ends nothing else: the other file is complete.
#[test]
fn a_closed_pipe_is_quiet_and_the_other_file_whole() {
    let folder = folder("clean-pipe");
    fs::write(folder.join("docs.jsonl"), docs()).unwrap();
    let script = format!(
        "\"$dedup\" {CORPUS} --jsonl docs.jsonl --output - --removed gone | head -n 1 | wc -l; \
         echo ${{PIPESTATUS[0]}}; wc -l < gone"
    );
    let run = bash(&folder, &script);
    assert_eq!((run.output.as_str(), run.errors.as_str()), ("1\n0\n200\n", ""));
}

/// Checks that a file that grows during the run is an error, because it is not the one that was
/// compared.
#[test]
fn a_file_that_changes_meanwhile_is_an_error() {
    let folder = folder("clean-changed");
    fs::write(folder.join("docs.jsonl"), docs()).unwrap();
    assert!(bash(&folder, "mkfifo late").status == 0);
    // The second file is read last, and arrives after the first one has grown.
    let script = format!(
        "\"$dedup\" {CORPUS} --jsonl docs.jsonl --jsonl late --output out & run=$!; \
         exec 3> late; sleep 0.3; echo >> docs.jsonl; \
         echo '{{\"id\":\"z\",\"text\":\"a kettle\"}}' >&3; exec 3>&-; wait $run"
    );
    let run = bash(&folder, &script);
    let want = "dedup: docs.jsonl: changed while it was compared, expected no change\nhint: run \
                dedup again when nothing writes to the file\n";
    assert_eq!((run.status, run.errors.as_str()), (2, want));
    assert_eq!(names(&folder), ["docs.jsonl", "late"]);
}
