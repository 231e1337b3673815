//! Which module of the library may use which: dependencies run one way.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use crate::common::golden;

/// A module, and those it may use, which stand before it.
#[rustfmt::skip]
const LAYERS: &[(&str, &[&str])] = &[
    ("parallel",    &[]),
    ("text",        &["parallel"]),
    ("language",    &["text"]),
    ("tokens",      &["text", "language"]),
    ("stopwords",   &["language", "tokens"]),
    ("stems",       &["text", "language", "tokens"]),
    ("rabin",       &[]),
    ("interner",    &["parallel", "tokens", "stems", "rabin"]),
    ("jaccard",     &[]),
    ("shingles",    &["stems", "rabin", "interner", "jaccard"]),
    ("simhash",     &["shingles"]),
    ("hamming",     &["simhash"]),
    ("sketch",      &["shingles", "simhash"]),
    ("passages",    &["parallel", "rabin", "interner"]),
    ("verdict",     &["hamming", "jaccard", "sketch"]),
    ("pair",        &["parallel", "text", "language", "tokens", "stopwords", "stems", "interner", "shingles", "simhash",
                      "jaccard", "sketch", "passages", "verdict"]),
    ("corpus",      &["parallel", "text", "language", "tokens", "stems", "interner", "shingles", "simhash", "hamming",
                      "jaccard", "sketch", "passages", "verdict", "pair"]),
    ("calibration", &["parallel", "jaccard", "verdict"]),
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

/// The modules named after `crate::` in the code of a file that is not its tests.
fn used_modules(source: &str) -> Vec<String> {
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

/// The module at the top of the library that a file is part of; `None` for `lib.rs` and the binary.
fn module(file: &Path) -> Option<String> {
    let inside = file.strip_prefix("src").unwrap();
    let module = inside.iter().next()?.to_str()?.trim_end_matches(".rs").to_owned();
    (module != "lib" && module != "bin").then_some(module)
}

#[test]
fn each_module_uses_only_those_it_may() {
    for file in sources(Path::new("src")) {
        let Some(module) = module(&file) else { continue };
        if file
            .components()
            .any(|part| ["tests", "tests.rs"].map(OsStr::new).contains(&part.as_os_str()))
        {
            continue;
        }
        let (_, allowed) = LAYERS.iter().find(|(name, _)| *name == module).unwrap_or_else(|| {
            panic!("{} is in no module of the table", file.display());
        });
        for used in used_modules(&golden(&file)) {
            let may = used == module || allowed.contains(&used.as_str());
            assert!(may, "{} uses {used}", file.display());
        }
    }
}

#[test]
fn modules_use_only_those_before_them() {
    for (at, (module, used)) in LAYERS.iter().enumerate() {
        assert!(Path::new("src").join(format!("{module}.rs")).exists(), "{module}");
        for name in *used {
            assert!(LAYERS[..at].iter().any(|(before, _)| before == name), "{module}: {name}");
        }
    }
}

#[test]
fn used_modules_are_read_from_the_code() {
    let source =
        "use crate::a::B;\nuse crate::{c, d::E};\n// crate::f\n#[cfg(test)]\nuse crate::g;";
    assert_eq!(used_modules(source), ["a", "c", "d"]);
}
