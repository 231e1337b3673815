//! Properties that hold for whatever a user gives the program to read: for the files in
//! `tests/inputs`, and for mutations of them. `PROPTEST_CASES=100000 cargo test --bin dedup
//! input_tests` tries more of these.

mod archives;
mod baseline;
mod calibrate;
mod exports;
mod file_lists;
mod persons;
mod records;
mod report;
mod settings;

use std::ops::Range;
use std::path::{Path, PathBuf};

use proptest::prelude::*;
use proptest::sample::{Index, select};
use proptest::test_runner::TestRunner;

/// The largest number of bytes that a mutation replaces or adds.
const MAX_EDIT: usize = 64;

/// Runs a check, which panics if its property does not hold, on the files in `tests/inputs/NAME`, and
/// on mutations of them: one for each `cost` cases of proptest.
fn check(name: &str, cost: u32, property: fn(&[u8])) {
    let kept = inputs(&Path::new("tests/inputs").join(name));
    assert!(!kept.is_empty(), "no input is kept for {name}");
    let config = ProptestConfig { failure_persistence: None, ..ProptestConfig::default() };
    let cases = config.cases / cost;
    let mut runner = TestRunner::new(ProptestConfig { cases, ..config });
    let hold = |input: Vec<u8>| {
        property(&input);
        Ok(())
    };
    for input in &kept {
        let input = Just(input.clone()).new_tree(&mut runner).expect("a value");
        runner.run_one(input, hold).unwrap_or_else(|error| panic!("{name}: {error}"));
    }
    runner.run(&mutations(kept), hold).unwrap_or_else(|error| panic!("{name}: {error}"));
}

/// Returns the contents of the files of a folder, sorted by name.
#[expect(clippy::disallowed_methods, reason = "no texts of a user")]
fn inputs(folder: &Path) -> Vec<Vec<u8>> {
    let entries = std::fs::read_dir(folder).expect("a folder of inputs");
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    files.sort();
    files.iter().map(|file| std::fs::read(file).expect("an input")).collect()
}

/// Returns inputs in which up to four ranges are replaced by nothing, by a part of another input, or
/// by other bytes.
fn mutations(kept: Vec<Vec<u8>>) -> impl Strategy<Value = Vec<u8>> {
    let range = || (any::<Index>(), prop_oneof![0..2_usize, 0..MAX_EDIT]);
    let within = |length: usize, (at, size): (Index, usize)| -> Range<usize> {
        let start = at.index(length + 1);
        start..length.min(start + size)
    };
    let part = (select(kept.clone()), range());
    let part = part.prop_map(move |(input, range)| input[within(input.len(), range)].to_vec());
    let replacement = prop_oneof![Just(Vec::new()), part, prop::collection::vec(any::<u8>(), 1..4)];
    let edits = prop::collection::vec((range(), replacement), 1..5);
    (select(kept), edits).prop_map(move |(mut input, edits)| {
        for (range, replacement) in edits {
            input.splice(within(input.len(), range), replacement);
        }
        input
    })
}

/// Splits an input at NULs into parts of text. Missing parts are empty; the last part keeps its
/// NULs as spaces.
fn parts<const PARTS: usize>(bytes: &[u8]) -> [String; PARTS] {
    let mut parts = bytes.splitn(PARTS, |byte| *byte == 0);
    std::array::from_fn(|_| {
        String::from_utf8_lossy(parts.next().unwrap_or_default()).replace('\0', " ")
    })
}
