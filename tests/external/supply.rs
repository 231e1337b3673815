//! Tests of the dependencies: each crate has a reason, and none requires a newer Rust than the
//! package. Sources, licences and unused crates are checked by other programs.

use std::path::Path;

use serde_json::Value;
use toml::de::DeTable;

use crate::programs::{command, run};

/// Returns the crates that a manifest names, each with the comment on its line.
fn crates(manifest: &str) -> Vec<(&str, &str)> {
    let mut crates: Vec<(&str, &str)> = Vec::new();
    let mut is_inside = false;
    for line in manifest.lines() {
        let (code, reason) = line.split_once('#').unwrap_or((line, ""));
        if let Some(table) = code.strip_prefix('[') {
            is_inside = table.trim_end().ends_with("dependencies]");
        } else if let Some((name, _)) = code.split_once(" = ").filter(|_| is_inside) {
            crates.push((name, reason.trim()));
        } else if let Some((_, before)) = crates.last_mut().filter(|it| it.1.is_empty()) {
            *before = reason.trim(); // the first line of a crate's features may have the reason
        }
    }
    crates
}

#[test]
fn each_crate_is_there_for_a_reason() {
    let crates = crates(include_str!("../../Cargo.toml"));
    assert!(crates.len() > 40, "{crates:?}");
    for (name, reason) in crates {
        assert!(reason.len() >= 5, "{name} has no reason in Cargo.toml");
    }
}

/// Returns the packages of a lock file, each as its name and version.
fn locked(lock: &str) -> Vec<[String; 2]> {
    let lock = DeTable::parse(lock).unwrap();
    let packages = lock.get_ref()["package"].get_ref().as_array().unwrap();
    let value = |package: &DeTable, key| package[key].get_ref().as_str().unwrap().to_owned();
    let tables = packages.iter().map(|package| package.get_ref().as_table().unwrap());
    tables.map(|package| ["name", "version"].map(|key| value(package, key))).collect()
}

/// Returns the part of a version that two compatible ones share: 1 of 1.2.3, 0.2 of 0.2.3.
fn compatible(version: &str) -> &str {
    let parts = if version.starts_with("0.") { 2 } else { 1 };
    version.match_indices('.').nth(parts - 1).map_or(version, |(end, _)| &version[..end])
}

/// Checks that the Python module is built from the crates that the program is tested with, and the
/// fuzz targets as well; besides, these crates are then compiled once in CI.
#[test]
fn other_lock_files_have_the_versions_of_the_program() {
    let own = locked(include_str!("../../Cargo.lock"));
    assert!(own.contains(&["dedup-text", env!("CARGO_PKG_VERSION")].map(str::to_owned)));
    for (lock, others) in [
        ("fuzz/Cargo.lock", include_str!("../../fuzz/Cargo.lock")),
        ("python/Cargo.lock", include_str!("../../python/Cargo.lock")),
    ] {
        for [name, version] in locked(others) {
            let is_same =
                |[of, at]: &&[String; 2]| *of == name && compatible(at) == compatible(&version);
            let Some([_, known]) = own.iter().find(is_same) else { continue };
            assert_eq!(version, *known, "{lock}: {name}; copy Cargo.lock there, then build");
        }
    }
}

#[test]
fn compatible_versions_have_the_same_beginning() {
    let got = ["1.2.3", "0.2.3", "0.20.3+spec-1", "12.0.0"].map(compatible);
    assert_eq!(got, ["1", "0.2", "0.20", "12"]);
}

#[test]
fn reasons_are_read_from_a_manifest() {
    let manifest = "[package]\nname = \"a\"\n[dependencies]\nb = \"1\" # why\nc = \"2\"\n\
                    d = { features = [\n    # pinned\n    \"e\",\n] }\n[lints]\nf = 1 # no\n\
                    [target.'cfg(unix)'.dependencies]\ng = \"3\" # signals\n";
    let want = [("b", "why"), ("c", ""), ("d", "pinned"), ("g", "signals")];
    assert_eq!(crates(manifest), want);
}

/// Parses a version of Rust, so that it can be compared: `1.91` is 1.91.0.
fn version(typed: &str) -> Vec<u32> {
    let mut parts: Vec<u32> = typed.split('.').map(|part| part.parse().unwrap()).collect();
    parts.resize(3, 0);
    parts
}

#[test]
fn no_crate_needs_a_newer_rust() {
    let run = run(command(env!("CARGO"), Path::new(".")).args([
        "metadata",
        "--locked",
        "--format-version",
        "1",
    ]));
    assert_eq!(run.status, Some(0), "{}", run.errors);
    let metadata: Value = serde_json::from_str(&run.output).unwrap();
    let packages = metadata["packages"].as_array().unwrap();
    assert!(packages.len() > 100);
    let ours = env!("CARGO_PKG_RUST_VERSION");
    for package in packages {
        let Some(wanted) = package["rust_version"].as_str() else { continue };
        let name = &package["name"];
        assert!(version(wanted) <= version(ours), "{name} needs {wanted}, we say {ours}");
    }
}
