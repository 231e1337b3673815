//! Tests of the dependencies: each crate has a reason, and none requires a newer Rust than the
//! package. Sources, licences and unused crates are checked by other programs.

use std::path::Path;

use serde_json::Value;

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
