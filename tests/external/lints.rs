//! Checks that linters report nothing about the files of this repository.

use std::path::Path;

use serde_json::Value;

use crate::programs::{command, is_there, read, run};
use crate::workflow::yaml;

/// The linters with their arguments. Each must report nothing.
const LINTS: &[(&str, &[&str])] = &[
    (
        "actionlint",
        &[
            ".github/workflows/advisories.yml",
            ".github/workflows/ci.yml",
            ".github/workflows/pages.yml",
            ".github/workflows/release.yml",
        ],
    ),
    (
        "check-jsonschema",
        &[
            "--builtin-schema",
            "vendor.github-workflows",
            ".github/workflows/advisories.yml",
            ".github/workflows/ci.yml",
            ".github/workflows/pages.yml",
            ".github/workflows/release.yml",
        ],
    ),
    ("check-jsonschema", &["--builtin-schema", "vendor.github-actions", "action.yml"]),
    ("check-jsonschema", &["--builtin-schema", "vendor.dependabot", ".github/dependabot.yml"]),
    ("zizmor", &["--offline", "--no-progress", "action.yml", ".github"]),
    ("hadolint", &["packaging/container/Dockerfile", "packaging/container/release.Dockerfile"]),
    ("cargo-deny", &["--locked", "check", "--deny", "warnings", "licenses", "bans", "sources"]),
    ("cargo-deny", &["--locked", "--manifest-path", "fuzz/Cargo.toml", "check", "bans", "sources"]),
    (
        "cargo-deny",
        &[
            "--locked",
            "--manifest-path",
            "python/Cargo.toml",
            "check",
            "--deny",
            "warnings",
            "licenses",
            "bans",
            "sources",
        ],
    ),
    ("cargo-shear", &["--locked", "--deny-warnings"]), // unused crates
    (
        "pre-commit",
        &[
            "validate-manifest",
            ".pre-commit-hooks.yaml",
            "python/pre-commit/.pre-commit-hooks.yaml",
        ],
    ),
    (
        "shellcheck",
        &[
            "--exclude=SC2016",
            ".ci/run",
            ".ci/package",
            "packaging/install.sh",
            "python/build",
            ".ci/manifests",
            ".ci/materials",
            ".ci/npm",
            ".ci/stage",
            ".ci/system-packages",
            ".ci/release",
        ],
    ), // in the sed scripts, ` and $ are quoted
];

#[test]
fn linters_find_nothing() {
    for (program, arguments) in LINTS {
        if is_there(program) {
            let run = run(command(program, Path::new(".")).args(*arguments));
            let message = format!("{program}: {}{}", run.output, run.errors);
            assert_eq!(run.status, Some(0), "{message}");
        }
    }
}

/// Checks that the table contains every workflow.
#[test]
fn all_workflows_are_looked_at() {
    let workflows: Vec<String> = std::fs::read_dir(".github/workflows")
        .unwrap()
        .map(|entry| entry.unwrap().path().display().to_string())
        .collect();
    assert!(!workflows.is_empty());
    for program in ["actionlint", "check-jsonschema"] {
        let mut seen = LINTS.iter().filter(|(name, _)| *name == program);
        let (_, arguments) = seen.next().unwrap();
        for workflow in &workflows {
            assert!(arguments.contains(&workflow.as_str()), "{program}: {workflow}");
        }
    }
}

#[test]
fn a_release_keeps_no_file_that_is_missing() {
    let workflow = yaml(&read(".github/workflows/release.yml"));
    let jobs = workflow["jobs"].as_object().unwrap().values();
    let steps = jobs.flat_map(|job| job["steps"].as_array().into_iter().flatten());
    let is_kept =
        |step: &&Value| step["uses"].as_str().is_some_and(|it| it.contains("/upload-artifact@"));
    let kept: Vec<&Value> =
        steps.filter(is_kept).map(|step| &step["with"]["if-no-files-found"]).collect();
    assert_eq!(kept, vec!["error"; 6]);
}
