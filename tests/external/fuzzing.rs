//! Checks that the fuzz targets use the same crates as the library, and that all are run.

use std::collections::BTreeMap;

/// Returns the crates that a manifest names, with their versions.
fn versions(manifest: &str) -> BTreeMap<&str, &str> {
    manifest
        .lines()
        .filter_map(|line| {
            let (name, rest) = line.split_once(" = ")?;
            let rest = rest.strip_prefix("{ version = ").unwrap_or(rest);
            Some((name, rest.strip_prefix('"')?.split('"').next()?))
        })
        .filter(|(_, version)| version.trim_start_matches('=').starts_with(char::is_numeric))
        .collect()
}

#[test]
fn the_fuzz_targets_are_built_of_the_same_crates() {
    let program = versions(include_str!("../../Cargo.toml"));
    let fuzzed = versions(include_str!("../../fuzz/Cargo.toml"));
    let both: Vec<_> = fuzzed.iter().filter(|(name, _)| program.contains_key(*name)).collect();
    assert!(both.len() > 5, "{both:?}");
    for (name, version) in both {
        let is_ours = ["version", "edition"].contains(name);
        assert!(is_ours || program[name] == *version, "{name}: {version}, not {}", program[name]);
    }
}

/// Checks that each target has a folder of inputs, which CI replays.
#[test]
fn each_target_has_inputs() {
    let names = |folder: &str| -> Vec<String> {
        let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name());
        let name = |name: std::ffi::OsString| name.to_str()?.split('.').next().map(str::to_owned);
        let mut names: Vec<String> = entries.filter_map(name).filter(|it| !it.is_empty()).collect();
        names.sort();
        names
    };
    let targets = names("fuzz/targets");
    assert!(targets.len() > 10);
    assert_eq!(names("fuzz/corpus"), targets);
    let (manifest, entry_points) =
        (include_str!("../../fuzz/Cargo.toml"), include_str!("../../fuzz/src/entry_points.rs"));
    let table = include_str!("../../fuzz/README.md");
    let table: String = table.lines().filter(|line| line.starts_with('|')).collect();
    for target in &targets {
        assert!(manifest.contains(&format!("path = \"targets/{target}.rs\"")), "{target}");
        assert!(
            entry_points.contains(&format!("(\"{target}\", {target})")),
            "{target}: not replayed"
        );
        assert!(table.contains(&format!("`{target}`")), "{target}: not in the table");
    }
}
