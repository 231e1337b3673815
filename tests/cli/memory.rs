//! Checks that the answer is the same with little memory and a temporary file.

use std::fmt::Write;

use crate::common::{Run, in_folder};

/// Returns records. Of every seven, three are near-duplicates, two of which are identical, and the
/// other four share a passage.
fn records(count: usize) -> String {
    let mut lines = String::new();
    for number in 0..count {
        let words = |topic: usize, from: usize, to: usize| {
            (from..to).fold(String::new(), |text, word| text + &format!("w{topic}x{word} "))
        };
        let text = match number % 7 {
            0 | 1 => words(number / 7, 0, 60),
            2 => words(number / 7, 0, 58),
            other => words(number / 7, 100, 130) + &words(10_000 + number, 0, 10 * other),
        };
        let _ = writeln!(lines, "{{\"id\":\"t{number:04}\",\"text\":\"{}\"}}", text.trim_end());
    }
    lines
}

fn run(folder: &str, records: &str, flags: &str) -> Run {
    let files = [("docs.jsonl", records.as_bytes())];
    in_folder(folder, &files, &format!("corpus --jsonl docs.jsonl --lang en {flags}"))
}

#[test]
fn the_answer_is_the_same_to_the_byte() {
    let records = records(140);
    for flags in [
        "--format jsonl",
        "--max 3 --min 3 --format jsonl",
        "--format jsonl --at-least partial",
        "--at-least excerpt",
        "--at-least identical",
        "--jaccard off --hamming 9 --format csv",
        "--at-least different --max-pairs off --quiet",
        "--nearest 2",
        "--clusters",
        "--keep longest",
        "--keep first --output clean.jsonl --removed -",
    ] {
        let want = run("memory", &records, flags);
        assert!(want.status < 2, "{flags}: {}", want.errors);
        for memory in ["1K", "90K", "300K"] {
            let found = run("memory", &records, &format!("{flags} --memory {memory}"));
            assert_eq!(found, want, "{flags} --memory {memory}");
        }
    }
}

#[test]
fn an_amount_has_a_unit() {
    let records = records(7);
    for typed in ["1K", "2m", "3G", "1t", "0K"] {
        let run = run("memory-amounts", &records, &format!("--memory {typed}"));
        assert_eq!((run.status, run.errors.as_str()), (0, ""), "{typed}");
    }
    for typed in ["2", "G", "1.5G", "2GB", "-1G", "+1G", "1e3M", "99999999999999999999G", "2É"] {
        let run = run("memory-amounts", &records, &format!("--memory={typed}"));
        assert_eq!((run.status, run.output.as_str()), (2, ""), "{typed}");
        let want = "expected a whole number followed by K, M, G or T, such as 512M or 2G";
        assert!(run.errors.contains(want), "{typed}: {}", run.errors);
    }
}

#[test]
fn temporary_files_are_where_it_is_said() {
    let records = records(14);
    let run = |folder| run("memory-folder", &records, &format!("--memory 1K --temp-dir {folder}"));
    let refused = run("docs.jsonl");
    let want = "dedup: docs.jsonl: not a folder, expected a folder for --temp-dir\nhint: create it \
                with mkdir; without --temp-dir, the system's folder is used\n";
    assert_eq!((refused.status, refused.errors.as_str()), (2, want));
    let run = run(".");
    assert_eq!((run.status, run.errors.as_str()), (0, ""));
}
