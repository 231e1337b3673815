//! The walls between the rooms: which module of the library may look into which.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use crate::common::golden;

/// A room, and the rooms it may look into.
#[rustfmt::skip]
const ROOMS: &[(&str, &[&str])] = &[
    ("defect",        &[]),
    ("threads",       &[]),
    ("letters",       &[]),
    ("excerpt",       &[]),
    ("extract",       &["excerpt"]),
    ("disguises",     &["excerpt", "letters"]),
    ("text",          &["defect", "disguises", "excerpt", "extract", "threads"]),
    ("language",      &["text"]),
    ("tokens",        &["letters"]),
    ("exclusions",    &["text", "tokens"]),
    ("chunks",        &[]),
    ("alike",         &[]),
    ("elision",       &["language", "tokens"]),
    ("stopwords",     &["elision", "language", "tokens"]),
    ("stems",         &["language", "letters", "tokens"]),
    ("rabin",         &[]),
    ("lexicon",       &["alike", "chunks", "rabin", "stems", "threads", "tokens"]),
    ("shingles",      &["jaccard", "lexicon", "rabin", "stems"]),
    ("simhash",       &["shingles"]),
    ("hamming",       &["simhash"]),
    ("jaccard",       &[]),
    ("sketch",        &["shingles", "simhash"]),
    ("comparison",    &["hamming", "jaccard", "sketch"]),
    ("ratio",         &["jaccard"]),
    ("verdict",       &["comparison", "jaccard", "ratio"]),
    ("join",          &["hamming", "jaccard", "ratio", "shingles", "simhash", "sketch", "threads", "verdict"]),
    ("calibration",   &["comparison", "jaccard", "ratio", "threads", "verdict"]),
    ("passages",      &["alike", "lexicon", "rabin", "threads"]),
    ("recipe",        &["exclusions", "language", "passages", "ratio", "shingles", "stems", "stopwords", "verdict"]),
    ("warnings",      &["disguises", "language", "recipe", "stems", "stopwords", "text"]),
    ("undecided",     &["text"]),
    ("pipeline",      &["alike", "comparison", "defect", "elision", "exclusions", "jaccard", "join", "language", "lexicon", "passages", "ratio", "recipe", "shingles",
                        "simhash", "sketch", "stems", "stopwords", "text", "threads", "tokens", "undecided", "verdict", "warnings"]),
];

fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.extend(sources(&path));
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            files.push(path);
        }
    }
    files.sort();
    files
}

/// The rooms named after `crate::` in the code of a file that is not its tests.
fn looks_into(source: &str) -> Vec<String> {
    let code: String = source
        .split("#[cfg(test)]")
        .next()
        .unwrap_or_default()
        .lines()
        .filter(|line| !line.trim_start().starts_with("//"))
        .collect();
    let is_name = |letter: char| letter.is_alphanumeric() || letter == '_';
    let first_name =
        |path: &str| path.trim().split(|letter| !is_name(letter)).next().map(str::to_owned);
    code.split("crate::")
        .skip(1)
        .flat_map(|path| match path.strip_prefix('{') {
            Some(group) => group.split('}').next().unwrap_or_default().split(',').collect(),
            None => vec![path],
        })
        .filter_map(first_name)
        .filter(|name| !name.is_empty())
        .collect()
}

/// The room of a file of the library; none for `lib.rs` and the binary.
fn room(file: &Path) -> Option<String> {
    let inside = file.strip_prefix("src").unwrap();
    let room = inside.iter().next()?.to_str()?.trim_end_matches(".rs").to_owned();
    (room != "lib" && room != "bin").then_some(room)
}

#[test]
fn each_room_looks_only_where_it_may() {
    for file in sources(Path::new("src")) {
        let Some(room) = room(&file) else { continue };
        if file
            .components()
            .any(|part| ["tests", "tests.rs"].map(OsStr::new).contains(&part.as_os_str()))
        {
            continue;
        }
        let (_, allowed) = ROOMS.iter().find(|(name, _)| *name == room).unwrap_or_else(|| {
            panic!("{} is in no room of the plan", file.display());
        });
        for seen in looks_into(&golden(&file)) {
            let may = seen == room || allowed.contains(&seen.as_str());
            assert!(may, "{} looks into {seen}", file.display());
        }
    }
}

#[test]
fn the_plan_names_no_room_that_is_not_there() {
    for (room, _) in ROOMS {
        assert!(Path::new("src").join(format!("{room}.rs")).exists(), "{room}");
    }
}

#[test]
fn what_a_file_looks_into_is_read_from_its_code() {
    let source =
        "use crate::a::B;\nuse crate::{c, d::E};\n// crate::f\n#[cfg(test)]\nuse crate::g;";
    assert_eq!(looks_into(source), ["a", "c", "d"]);
}
