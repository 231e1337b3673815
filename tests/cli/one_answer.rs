//! All outputs and the exit status of a run, and the runs that ask for clusters or for what is kept,
//! tell of the same pairs.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use proptest::prelude::*;
use serde_json::Value;

use crate::common::{Run, empty_folder, read_file, run};

/// The texts of a pair, the smaller name first, and its verdict.
type Pairs = BTreeSet<([String; 2], String)>;

const LEVELS: [&str; 4] = ["identical", "near-duplicate", "partial", "excerpt"];

/// A text as the numbers of its sentences, and a number of words of its own.
type Made = (Vec<usize>, usize);

fn content(number: usize, (sentences, own): &Made) -> String {
    let word = |of: usize, at: usize| format!("w{of}x{at}");
    let sentence = |of: &usize| (0..14).map(|at| word(*of, at)).collect::<Vec<_>>().join(" ");
    let own = (0..*own).map(|at| word(100 + number, at)).collect::<Vec<_>>().join(" ");
    let all = sentences.iter().map(sentence).chain([own]).map(|it| it + ".\n");
    all.collect::<String>() + "end"
}

fn pair(one: &str, other: &str, verdict: &str) -> ([String; 2], String) {
    let mut names = [one, other].map(str::to_owned);
    names.sort();
    (names, verdict.to_owned())
}

fn of_records<'r>(records: impl Iterator<Item = &'r Value>) -> Pairs {
    let path = |side: &Value| side["path"].as_str().unwrap().to_owned();
    let verdict = |record: &Value| record["verdict"].as_str().unwrap().to_owned();
    records.map(|it| pair(&path(&it["a"]), &path(&it["b"]), &verdict(it))).collect()
}

/// Reads the rows of the answer for people.
fn of_text(text: &str) -> Pairs {
    let row = |line: &str| {
        let (start, right) = line.rsplit_once(" | ")?;
        let mut words = start.split_whitespace().rev();
        let (left, verdict) = (words.next()?, words.next()?);
        LEVELS.contains(&verdict).then(|| pair(left, right.split(' ').next().unwrap(), verdict))
    };
    text.lines().filter_map(row).collect()
}

/// Returns the texts that each text is joined with by pairs, as sorted lists of at least two.
fn components(pairs: &Pairs) -> BTreeSet<Vec<String>> {
    let mut all: Vec<BTreeSet<String>> = Vec::new();
    for (names, _) in pairs {
        let joined: BTreeSet<String> = names.iter().cloned().collect();
        let (with, rest): (Vec<_>, Vec<_>) =
            all.into_iter().partition(|it: &BTreeSet<String>| !it.is_disjoint(&joined));
        all = rest;
        all.push(with.into_iter().flatten().chain(joined).collect());
    }
    all.into_iter().map(|it| it.into_iter().collect()).collect()
}

/// Returns the texts that are kept if each is removed that is paired with one that was kept before.
fn kept(names: &[String], pairs: &Pairs) -> Vec<String> {
    let mut kept: Vec<String> = Vec::new();
    for name in names {
        let is_paired = |other: &String| {
            let (names, _) = pair(name, other, "");
            pairs.iter().any(|(it, _)| *it == names)
        };
        if !kept.iter().any(is_paired) {
            kept.push(name.clone());
        }
    }
    kept
}

fn write(folder: &Path, texts: &[Made], old: &[Made]) -> Vec<String> {
    for (side, texts) in [("new", texts), ("old", old)] {
        std::fs::create_dir_all(folder.join(side)).unwrap();
        for (number, made) in texts.iter().enumerate() {
            let number = if side == "new" { number } else { 50 + number };
            std::fs::write(
                folder.join(side).join(format!("t{number:02}.txt")),
                content(number, made),
            )
            .unwrap();
        }
    }
    (0..texts.len()).map(|it| format!("new/t{it:02}.txt")).collect()
}

/// Returns the number that stands before a name in the figures of an overview; 0 if it is not there.
fn figure(overview: &str, names: [&str; 2]) -> usize {
    let end = names.iter().find_map(|name| overview.find(&format!("</strong> {name}<")));
    let start = end.map(|end| &overview[..end]);
    let number = start.and_then(|start| start.rsplit("<strong>").next());
    number.map_or(0, |number| number.replace(',', "").parse().unwrap())
}

fn status(run: &Run) -> i32 {
    run.status
}

fn made() -> impl Strategy<Value = Made> {
    (proptest::collection::vec(0..7_usize, 0..4), prop_oneof![Just(0), 3..30_usize])
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, ..ProptestConfig::default() })]

    #[test]
    fn all_outputs_tell_of_the_same_pairs(
        texts in proptest::collection::vec(made(), 2..7),
        old in proptest::collection::vec(made(), 0..3),
        level in 0..4_usize,
        is_nearest in proptest::bool::weighted(0.2),
    ) {
        let folder = empty_folder("one_answer", "pairs");
        let names = write(&folder, &texts, &old);
        let against = if old.is_empty() { "" } else { "--against old" };
        let level = LEVELS[level];
        let nearest = if is_nearest { "--nearest 2" } else { "" };
        let inputs = format!("corpus new {against} --lang none --at-least {level}");
        let files = "--format json=a.json --format jsonl=a.jsonl --format csv=a.csv --format paths=a.paths";
        let all = run(&folder, &format!("{inputs} {nearest} --rows all --report board {files}"));
        prop_assert!(status(&all) < 2, "{}", all.errors);

        let object: Value = serde_json::from_str(&read_file(folder.join("a.json"))).unwrap();
        let field = if is_nearest { "nearest" } else { "pairs" };
        let pairs = of_records(object[field].as_array().unwrap().iter());
        let lines = read_file(folder.join("a.jsonl"));
        let lines: Vec<Value> = lines.lines().map(|it| serde_json::from_str(it).unwrap()).collect();
        prop_assert_eq!(&of_records(lines.iter()), &pairs, "JSON Lines");
        let mut csv = csv::Reader::from_path(folder.join("a.csv")).unwrap();
        let rows = csv.records().map(|row| row.unwrap());
        let rows: Pairs = rows.map(|row| pair(&row[0], &row[1], &row[2])).collect();
        prop_assert_eq!(&rows, &pairs, "CSV");
        let listed = of_text(&all.output);
        let shown: Pairs =
            pairs.iter().filter(|(_, verdict)| verdict != "different").cloned().collect();
        prop_assert_eq!(&listed, &shown, "text: {}", &all.output);
        let paths = read_file(folder.join("a.paths"));
        let paths: BTreeSet<String> = paths.lines().map(str::to_owned).collect();
        let of_pairs: BTreeSet<String> = pairs.iter().flat_map(|(names, _)| names.clone()).collect();
        prop_assert_eq!(&paths, &of_pairs, "paths");
        let reaches = |verdict: &String| LEVELS.iter().position(|it| it == verdict);
        let limit = LEVELS.iter().position(|it| *it == level).unwrap();
        let is_any = pairs.iter().any(|(_, it)| reaches(it).is_some_and(|at| at <= limit));
        prop_assert_eq!(status(&all), i32::from(!is_any));
        let failing = run(&folder, &format!("{inputs} {nearest} --quiet").replace("at-least", "fail-on"));
        prop_assert_eq!(status(&failing), i32::from(is_any), "{}", failing.errors);

        // The board has all pairs of the level, and counts them by section.
        let overview = read_file(folder.join("board/index.html"));
        let rows = overview.matches("<tr id=\"row-").count();
        let [first, parts] = [["pair to read first", "pairs to read first"], ["more shares parts", "more share parts"]]
            .map(|names| figure(&overview, names));
        let is_large = |verdict: &&String| ["identical", "near-duplicate", "partial"].contains(&verdict.as_str());
        let of = |is: &dyn Fn(&&String) -> bool| {
            pairs.iter().filter(|(_, verdict)| is(&verdict)).count()
        };
        prop_assert!(first >= of(&is_large) && first + parts >= of(&|it| *it != "different"), "{overview}");
        prop_assert!(rows >= first + parts, "{}", overview);
        if level == "excerpt" && !is_nearest {
            prop_assert_eq!(first + parts, pairs.len(), "{}", overview);
        }

        if is_nearest {
            return Ok(());
        }
        let clusters = run(&folder, &format!("{inputs} --clusters --format jsonl"));
        let clusters: BTreeSet<Vec<String>> = clusters
            .output
            .lines()
            .map(|it| serde_json::from_str::<BTreeMap<String, Value>>(it).unwrap())
            .map(|it| serde_json::from_value(it["members"].clone()).unwrap())
            .collect();
        prop_assert_eq!(clusters, components(&pairs));
        let keep = run(&folder, &format!("{inputs} --keep first --format paths"));
        let old: Vec<String> = (0..old.len()).map(|it| format!("old/t{}.txt", 50 + it)).collect();
        let mut want = kept(&[old.clone(), names].concat(), &pairs);
        want.retain(|name| !old.contains(name));
        let keep: Vec<&str> = keep.output.lines().collect();
        prop_assert_eq!(keep, want);
    }
}
