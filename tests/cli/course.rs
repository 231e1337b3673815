//! Tests a course of thirty submissions, checked as its teacher would: with the sheet that all were
//! given, and with findings that were accepted earlier.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use crate::common::{Run, command, read_file};

const SHEET: &str = "Describe the harbour of your town in your own words. Say who works there, \
    what comes and goes by ship, and how it looks on a winter morning before the market opens. \
    Do not write about the beach.";

const WHO: [&str; 12] = [
    "pilot", "baker", "widow", "clerk", "diver", "teacher", "smith", "painter", "nurse", "cooper",
    "sailor", "gardener",
];
const DID: [&str; 12] = [
    "mended", "carried", "counted", "painted", "forgot", "sold", "washed", "hid", "measured",
    "burned", "polished", "borrowed",
];
const WHAT: [&str; 12] = [
    "ropes", "lanterns", "barrels", "nets", "ledgers", "anchors", "sails", "kettles", "crates",
    "bells", "boats", "maps",
];
const WHERE: [&str; 12] = [
    "quay",
    "pier",
    "crane",
    "lighthouse",
    "hall",
    "arsenal",
    "bridge",
    "canal",
    "slipway",
    "chapel",
    "dunes",
    "granary",
];

/// Returns a unique essay. A seed determines the sequence of words (Knuth's `MMIX` generator). Each
/// word has one of a hundred numbers, so that two essays share no more than people's essays do.
pub(crate) fn essay(seed: u64, sentences: usize) -> String {
    let mut state = seed;
    let mut draw = |words: [&'static str; 12]| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let drawn = usize::try_from(state >> 33).unwrap() % (100 * words.len());
        format!("{}{}", words[drawn / 100], drawn % 100)
    };
    let mut essay = String::new();
    for _ in 0..sentences {
        let (who, whom) = (draw(WHO), draw(WHO));
        let _ = write!(
            essay,
            "The {who} {} {} near the {} while a {whom} {} {}. ",
            draw(DID),
            draw(WHAT),
            draw(WHERE),
            draw(DID),
            draw(WHAT)
        );
    }
    essay
}

/// Creates a folder of thirty submissions below the sheet. 11 and 12 are copies, because their
/// authors worked together, which was allowed.
fn course() -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("course");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(folder.join("submissions")).unwrap();
    std::fs::write(folder.join("sheet.txt"), SHEET).unwrap();
    let mut essays: Vec<String> = (0..30).map(|number| essay(1000 + number, 14)).collect();
    let allowed = essays[11].clone();
    essays[12] = allowed;
    for (number, essay) in essays.iter().enumerate() {
        submit(&folder, number, essay);
    }
    folder
}

fn submit(folder: &Path, number: usize, essay: &str) {
    let path = folder.join(format!("submissions/{number:02}.txt"));
    std::fs::write(path, format!("{SHEET}\n\n{essay}\n")).unwrap();
}

fn run(folder: &Path, flags: &str) -> Run {
    let line = "corpus submissions --lang en --template sheet.txt --baseline accepted.txt";
    let line = format!("{line} --fail-on partial {flags}");
    command().current_dir(folder).args(line.split_whitespace()).output().unwrap().into()
}

/// Returns the pairs that are found, by the numbers of their submissions.
fn found(run: &Run) -> Vec<(u32, u32)> {
    let number = |path: &str| path[path.len() - 6..path.len() - 4].parse().unwrap();
    let rows = run.output.lines().filter_map(|line| line.rsplit_once(" | "));
    let rows = rows.filter(|(_, b)| b.starts_with("submissions/"));
    let mut found: Vec<(u32, u32)> = rows.map(|(a, b)| (number(a), number(b))).collect();
    found.sort_unstable();
    found
}

#[test]
fn two_copies_are_found_and_nothing_else() {
    let folder = course();
    let first = run(&folder, "--update-baseline");
    assert_eq!(first.status, 0, "{}", first.errors);
    let accepted = read_file(folder.join("accepted.txt"));
    assert_eq!(accepted.lines().count(), 4, "a pair and its texts: {accepted}");
    let quiet = run(&folder, "");
    assert_eq!((quiet.status, found(&quiet), &*quiet.errors), (0, vec![], ""), "{}", quiet.output);

    // 19 is 7 with every fifth sentence replaced. 23 has nine of the 14 sentences of 4.
    let (seven, four) = (essay(1007, 14), essay(1004, 14));
    let own = essay(5000, 14);
    let sentences =
        |essay: &str| -> Vec<String> { essay.split_inclusive(". ").map(str::to_owned).collect() };
    let (seven, four, own) = (sentences(&seven), sentences(&four), sentences(&own));
    let copy = |k: usize| if k % 5 == 4 { &own[k] } else { &seven[k] };
    submit(&folder, 19, &(0..14).map(copy).cloned().collect::<String>());
    submit(&folder, 23, &[&own[..4], &four[..9]].concat().concat());

    let checked = run(&folder, "");
    assert_eq!(
        (checked.status, found(&checked)),
        (1, vec![(4, 23), (7, 19)]),
        "{}",
        checked.output
    );
    assert!(checked.output.contains("2 pairs partial or closer; 1 accepted earlier\n"));
    assert_eq!(run(&folder, "--update-baseline").status, 0);
    let green = run(&folder, "");
    assert_eq!((green.status, found(&green), &*green.errors), (0, vec![], ""), "{}", green.output);
}
