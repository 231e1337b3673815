//! Tests of endless inputs and inputs with any number of errors: memory is bounded, and what is
//! left out is reported.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::common::{Run, read_file};
use crate::transcript::Transcript;

/// The address space of a run, in kilobytes: more than it needs, but less than it once needed.
const ROOM: usize = 500_000;

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("bounds").join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// Runs a line of bash with `room` kilobytes of address space. `dedup` is the binary.
///
/// Its threads share one arena of malloc: a second one reserves 64 MB or not, whichever thread is
/// first. Where memory runs out, printing a backtrace may wait for ever.
fn run_within(room: usize, folder: &Path, line: &str) -> Run {
    let line = line.replace("dedup ", "\"$dedup\" ");
    let mut bash = Command::new("bash");
    bash.env("dedup", env!("CARGO_BIN_EXE_dedup")).current_dir(folder);
    bash.env("MALLOC_ARENA_MAX", "1").env("RUST_BACKTRACE", "0");
    bash.args(["-c", &format!("ulimit -v {room}; {line}")]);
    bash.output().unwrap().into()
}

fn run(folder: &Path, line: &str) -> Run {
    run_within(ROOM, folder, line)
}

#[test]
#[ignore = "slow: cargo test -- --ignored"]
fn files_without_an_end_are_too_large() {
    let folder = folder("endless");
    for name in ["a", "b"] {
        std::fs::write(folder.join(name), "a copper kettle on a hob").unwrap();
    }
    // A line that is too long is skipped up to its end, so it must have one.
    std::fs::File::create(folder.join("long")).unwrap().set_len(250_000_000).unwrap();
    let lines = [
        "corpus --files-from /dev/zero",
        "corpus --files0-from - < /dev/urandom",
        "corpus --files-from /dev/zero --max-bytes 9",
        "corpus a --baseline /dev/zero",
        "a b --baseline /dev/zero",
        "calibrate /dev/zero",
        "a b --template /dev/zero --max-bytes 1000000",
        "a b --stopwords /dev/zero --max-bytes 1000000",
        "a b --config /dev/zero",
        "corpus --jsonl long --max-bytes 9 --stop-on-error",
        "corpus --jsonl /dev/zero --max-bytes 1000000",
        "corpus --jsonl - --max-bytes 1000000 < /dev/zero",
        "corpus --csv /dev/zero --max-bytes 1000000",
        "corpus --parquet /dev/zero",
    ];
    let mut transcript = Transcript::default();
    for line in lines {
        transcript.error(line, &run(&folder, &format!("dedup {line}")));
    }
    transcript.assert_snapshot("bounds");
}

/// Checks 60,000 lines that are not records: three are printed, and the answers that list errors
/// have all of them.
#[test]
#[ignore = "slow: cargo test -- --ignored"]
fn errors_of_one_kind_are_counted() {
    let folder = folder("bad_lines");
    let good = "{\"id\": \"a\", \"text\": \"a copper kettle on a hob\"}\n";
    let lacking = "{\"id\": \"b\"}\n".repeat(4);
    std::fs::write(folder.join("docs"), good.to_owned() + &lacking + &"x\n".repeat(60_000))
        .unwrap();
    let line = "dedup corpus --jsonl docs --format json=o.json --format junit=o.xml \
                --format sarif=o.sarif --format markdown=o.md --report o.html";
    let found = run(&folder, line);
    assert_eq!(found.status, 2, "{}", found.errors);
    let message = |number: usize, what: &str, hint: &str| {
        format!("dedup: docs: line {number}: {what}\nhint: {hint}\n")
    };
    let lacks = |number| {
        message(
            number,
            "no field text, expected one",
            "the fields are id; --id FIELD and --text FIELD select other fields",
        )
    };
    let no_json = |number| {
        let hint = "each line is one record, such as {\"id\": 1, \"text\": \"…\"}";
        message(number, "not JSON at byte 1, expected an object on one line", hint)
    };
    let want = [lacks(2), lacks(3), lacks(4), no_json(6), no_json(7), no_json(8)].concat()
        + "dedup: and 1 more like docs: line 4\n\
           dedup: and 59,997 more like docs: line 8\n\
           hint: --format json lists all of them\n";
    assert_eq!(found.errors, format!("{want}dedup: report: o.html\n"));
    assert!(found.output.contains("\n1 text compared; 60,004 failed\n"), "{}", found.output);
    let json: serde_json::Value = serde_json::from_str(&read_file(folder.join("o.json"))).unwrap();
    let failed = json["failed"].as_array().unwrap();
    assert_eq!(failed.len(), 60_004);
    for (failed, number) in failed.iter().zip(2..) {
        let error = if number < 6 {
            "no field text, expected one"
        } else {
            "not JSON at byte 1, expected an object on one line"
        };
        assert_eq!(failed["name"], format!("docs: line {number}"));
        assert_eq!(failed["error"], format!("docs: line {number}: {error}"));
    }
    let junit = read_file(folder.join("o.xml"));
    assert_eq!(junit.matches("<error type=\"unreadable\"").count(), 60_004);
    assert!(junit.contains(" errors=\"60004\""));
    assert!(
        read_file(folder.join("o.sarif")).contains("\"59,004 more texts left out that failed.\"")
    );
    assert!(read_file(folder.join("o.html")).contains("And 59,004 more"));
    assert!(read_file(folder.join("o.md")).contains(" more\n"));
    // Half of what it took when each error was held in memory.
    let message = run_within(ROOM / 4, &folder, "dedup corpus --jsonl docs --threads 1");
    assert_eq!(message.errors, want);
    let listed = run(&folder, "dedup corpus --jsonl docs --list");
    assert!(listed.errors.ends_with("dedup: and 59,997 more like docs: line 8\n"));
    assert_eq!(listed.output, "a\tplain\t24\t-\n1 text, 60004 failed\n");
}

/// Checks the same for errors in a list of pairs.
#[test]
fn lines_that_are_no_pair_are_counted() {
    let folder = folder("bad_pairs");
    let twice = |name| format!("{name}\tb\tyes\n{name}\tb\tno\n");
    let both = ["p", "q", "r", "s", "t"].map(twice).concat();
    std::fs::write(folder.join("list"), both + &"x\n".repeat(100_000)).unwrap();
    let found = run(&folder, "dedup calibrate list");
    let wrong = [11, 12, 13].map(|number| {
        format!("dedup: list: line {number}: no tab, expected two names and a label, separated by tabs\n")
    });
    let both = [(1, 2), (3, 4), (5, 6)].map(|(first, second)| {
        format!(
            "dedup: warning: list: line {second}: the same pair as in line {first}, with another \
             label; the pair is left out\n"
        )
    });
    let want = wrong.concat()
        + "dedup: and 99,997 lines more\n"
        + &both.concat()
        + "dedup: and 2 such pairs more\n";
    assert!(found.errors.starts_with(&want), "{}", found.errors);
}

/// Checks that a thread allocates memory for the texts that it reads only.
#[test]
fn threads_without_work_take_no_memory() {
    let folder = folder("threads");
    for name in ["a", "b"] {
        std::fs::write(folder.join(name), "a copper kettle on a hob").unwrap();
    }
    for line in ["dedup corpus a b --threads 256", "dedup corpus a b --threads 256 --nearest 1"] {
        let found = run(&folder, line);
        assert_eq!((found.status, found.errors.as_str()), (0, ""), "{line}");
    }
}

/// Returns a text of 210 kB: runs of 60 to 459 equal words, each followed by a word that occurs
/// once. Of these runs, all but the longest recur within the longer ones, and so does the longest
/// without its last word: 399 runs with 10,746,799 places, (402 · 401 · 400 / 6 − 1).
fn cube_of_places() -> String {
    let runs = (60..460).map(|words| format!("{}x{words} ", "0 ".repeat(words)));
    runs.collect::<Vec<_>>().concat()
}

const RUNS: usize = 399;
const PLACES: usize = 402 * 401 * 400 / 6 - 1;

/// Checks that a run of `dedup spans` needs no memory for places that it does not list, and that it
/// counts them.
#[test]
#[ignore = "slow: cargo test -- --ignored"]
fn runs_with_many_places_are_listed_in_part() {
    let folder = folder("spans");
    std::fs::write(folder.join("a.txt"), cube_of_places()).unwrap();
    let list = |format: &str| {
        let line = format!("dedup spans a.txt --threads 1 --format {format}");
        let found = run_within(ROOM / 4, &folder, &line);
        assert_eq!(found.status, 0, "{format}: {}", found.errors);
        found
    };
    let lines = list("jsonl");
    let (mut listed, mut first) = (0, Vec::new());
    for (line, repeated) in lines.output.lines().zip(60..) {
        let run: serde_json::Value = serde_json::from_str(line).unwrap();
        let places = run["places"].as_array().unwrap();
        let more = usize::try_from(run["more_places"].as_u64().unwrap_or_default()).unwrap();
        let left = 460 - repeated;
        assert_eq!(run["words"], repeated);
        assert_eq!(places.len() + more, left * (left + 1) / 2, "{line}");
        first.push(places[0]["byte"][0].as_u64().unwrap());
        listed += places.len();
    }
    assert_eq!((first.len(), first.is_sorted()), (RUNS, true));
    // Each run has as many of its places as all can have, 2,851.
    let left_out = PLACES - listed;
    assert_eq!(left_out, 9_747_075);
    let note = "dedup: 9,747,075 places left out: at most 1,000,000 are listed\n";
    assert_eq!(lines.errors, note);
    let json = list("json");
    assert_eq!(json.errors, note);
    let (head, rest) = json.output.split_once("\"runs\":[").unwrap();
    let runs = lines.output.replace("{\"schema\":\"dedup.spans/1\",", "{").replace("}\n{", "},{");
    let tail = rest.strip_prefix(runs.trim_end()).unwrap();
    let want = format!(
        "],\"left_out\":{{\"runs\":0,\"places\":{left_out}}},\"failed\":[],\"skipped\":[]}}\n"
    );
    assert_eq!(tail, want);
    let schema = read_file("src/bin/dedup/schemas/dedup.spans.schema.json");
    let schema = jsonschema::validator_for(&serde_json::from_str(&schema).unwrap()).unwrap();
    let one = lines.output.lines().next().unwrap();
    let short =
        format!("{head}\"runs\":[{}{tail}", one.replacen("\"schema\":\"dedup.spans/1\",", "", 1));
    for object in [one, &short] {
        let object = serde_json::from_str(object).unwrap();
        let faults: Vec<String> = schema.iter_errors(&object).map(|it| it.to_string()).collect();
        assert!(faults.is_empty(), "{faults:?}");
    }
    let text = list("text").output;
    assert!(text.starts_with("399 runs of 50 words or more occur at two or more places"), "{text}");
    assert!(text.ends_with("\nand 389 more; --format json lists all\n"), "{text}");
}

/// Checks that the list is not made for what is cut out, and that as much is cut out as before.
#[test]
fn runs_with_many_places_are_cut_out() {
    let folder = folder("spans_cut");
    std::fs::write(folder.join("a.txt"), cube_of_places()).unwrap();
    let line = "dedup spans a.txt --threads 1 --output clean.txt";
    let found = run_within(ROOM / 4, &folder, line);
    assert_eq!((found.status, found.errors.as_str()), (0, ""));
    // The window that begins with the second word equals the first window.
    let words: Vec<_> = (60..460).map(|words| format!("x{words} ")).collect();
    let want = format!("0 {}", words.concat());
    assert_eq!(read_file(folder.join("clean.txt")), want);
}
