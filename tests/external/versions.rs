//! Tests of the command that creates the commit and the tag of a release.

use std::fs;
use std::path::{Path, PathBuf};

use crate::places::{commit, git};
use crate::programs::{Run, command, folder, read, run};

const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The files that contain the version or change with it, and the command.
#[rustfmt::skip]
const FILES: &[&str] = &[
    ".ci/release", "CHANGELOG.md", "Cargo.lock", "Cargo.toml", "README.md", "docs/ci.md",
    "fuzz/Cargo.lock", "fuzz/Cargo.toml", "packaging/install.ps1", "packaging/install.sh",
    "python/Cargo.lock", "python/Cargo.toml", "python/pre-commit/pyproject.toml",
];

/// Creates a repository of these files, with unreleased changes.
fn repository(test: &str) -> PathBuf {
    let place = folder(test);
    for file in FILES {
        let path = place.join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::copy(file, path).unwrap();
    }
    let changes = "# Changelog\n\n## Unreleased\n\n### Added\n\n- `--owls`: #1 of them.\n\n\
                   ## 0.0.9 - 2026-01-01\n\n- Hoots.\n";
    fs::write(place.join("CHANGELOG.md"), changes).unwrap();
    commit(&place);
    place
}

fn release(place: &Path, arguments: &[&str]) -> Run {
    let mut command = command("bash", place);
    command.arg(".ci/release").args(arguments);
    for who in ["AUTHOR", "COMMITTER"] {
        command.env(format!("GIT_{who}_NAME"), "Anna");
        command.env(format!("GIT_{who}_EMAIL"), "anna@example.org");
    }
    run(command.env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_SYSTEM", "/dev/null"))
}

/// Returns the state of a repository: its commits, its tags, and the uncommitted changes.
fn state(place: &Path) -> String {
    let parts: [&[&str]; 3] =
        [&["log", "--format=%H"], &["tag", "--list"], &["status", "--porcelain"]];
    parts.map(|arguments| git(place, arguments)).join("--\n")
}

#[test]
fn one_command_sets_the_version_and_tags_it() {
    let place = repository("versions");
    let ran = release(&place, &["12.3.4"]);
    let says = "v12.3.4 is tagged here; this releases it: git push --atomic origin main v12.3.4\n";
    assert_eq!((ran.status, ran.output.as_str()), (Some(0), says), "{}", ran.errors);
    assert_eq!(git(&place, &["log", "--format=%s"]), "release: 12.3.4\nall\n");
    assert_eq!(git(&place, &["status", "--porcelain"]), "");
    assert_eq!(
        git(&place, &["rev-parse", "v12.3.4^{commit}"]),
        git(&place, &["rev-parse", "HEAD"])
    );
    let notes = git(&place, &["tag", "--list", "--format=%(contents)", "v12.3.4"]);
    assert_eq!(notes, "dedup 12.3.4\n\n### Added\n\n- `--owls`: #1 of them.\n\n");

    let today = run(command("date", &place).args(["-u", "+%F"])).output;
    let changes = read(place.join("CHANGELOG.md"));
    let want = format!("## Unreleased\n\n## 12.3.4 - {today}\n### Added\n\n- `--owls`");
    assert!(changes.contains(&want), "{changes}");
    assert!(changes.ends_with("## 0.0.9 - 2026-01-01\n\n- Hoots.\n"), "{changes}");

    // Only lines with versions of other packages keep the old version.
    let touched = git(&place, &["diff", "--name-only", "HEAD~1"]);
    let unchanged = [".ci/release", "fuzz/Cargo.toml"];
    let want: Vec<&str> = FILES.iter().copied().filter(|file| !unchanged.contains(file)).collect();
    assert_eq!(touched.lines().collect::<Vec<_>>(), want);
    for file in want.iter().filter(|file| **file != "CHANGELOG.md") {
        let (before, after) = (read(file), read(place.join(file)));
        for (old, new) in before.lines().zip(after.lines()) {
            assert!(old == new || old.replace(VERSION, "12.3.4") == new, "{file}: {new}");
            let is_ours = ["OWNER/dedup", "install.sh v", "install.ps1 v", "rev: v"];
            if is_ours.iter().any(|it| old.contains(it)) {
                assert!(!new.contains(&format!("v{VERSION}")), "{file}: {new}");
            }
        }
        assert_eq!(before.lines().count(), after.lines().count(), "{file}");
    }
    assert!(read(place.join("Cargo.toml")).contains("\nversion = \"12.3.4\"\n"));
    for lock in ["Cargo.lock", "fuzz/Cargo.lock"] {
        let want = "\nname = \"dedup-text\"\nversion = \"12.3.4\"\n";
        assert!(read(place.join(lock)).contains(want), "{lock}");
    }
    let mode = |path: &Path| {
        use std::os::unix::fs::PermissionsExt;
        fs::metadata(path).unwrap().permissions().mode() & 0o777
    };
    assert_eq!(mode(&place.join("packaging/install.sh")), mode(Path::new("packaging/install.sh")));

    // Again: there are no unreleased changes, and the tag exists.
    let before = state(&place);
    for (version, says) in [
        ("12.3.4", "the tag v12.3.4 already exists"),
        ("12.3.5", "CHANGELOG.md has nothing under Unreleased"),
    ] {
        let again = release(&place, &[version]);
        assert_eq!(again.status, Some(2), "{version}");
        assert!(again.errors.starts_with(&format!(".ci/release: {says}\n")), "{}", again.errors);
        assert_eq!(state(&place), before, "{version}");
    }
}

/// Checks that the current version can be released without a new one.
#[test]
fn the_version_that_stands_there_can_be_tagged() {
    let place = repository("versions_first");
    assert_eq!(release(&place, &[VERSION]).status, Some(0));
    let changed = git(&place, &["diff", "--name-only", "HEAD~1"]);
    assert_eq!(changed, "CHANGELOG.md\n");
    assert_eq!(git(&place, &["tag", "--list"]), format!("v{VERSION}\n"));
}

#[test]
fn what_is_not_as_it_should_be_is_refused_and_nothing_is_changed() {
    type Change<'a> = &'a dyn Fn(&Path);
    let write = |file: &'static str, text: &'static str| {
        move |place: &Path| fs::write(place.join(file), text).unwrap()
    };
    let hook = |place: &Path| {
        crate::action::write_script(&place.join(".git/hooks"), "pre-commit", "exit 1");
    };
    let unchanged = |_: &Path| ();
    let unreleased = |place: &Path| {
        write("CHANGELOG.md", "## Unreleased\n\n## 0.0.9 - 2026-01-01\n\n- Hoots.\n")(place);
        git(place, &["commit", "-qam", "less"]);
    };
    let in_git = |arguments: &'static [&str]| move |place: &Path| drop(git(place, arguments));
    let numbers = "expected a version of three numbers, such as 0.2.0";
    let earlier = concat!(
        "0.0.10 is not later than ",
        env!("CARGO_PKG_VERSION"),
        ", the version in Cargo.toml"
    );
    let uncommitted = "there are uncommitted changes, expected none";
    let table: &[(&str, Change, &[&str], &str)] = &[
        ("no version", &unchanged, &[], "expected VERSION"),
        ("two versions", &unchanged, &["1.0.0", "1"], "expected VERSION"),
        ("a tag", &unchanged, &["v1.0.0"], &format!("v1.0.0: {numbers}")),
        ("two numbers", &unchanged, &["1.0"], &format!("1.0: {numbers}")),
        ("a leading zero", &unchanged, &["1.00.0"], &format!("1.00.0: {numbers}")),
        ("an earlier one", &unchanged, &["0.0.10"], earlier),
        (
            "another branch",
            &in_git(&["switch", "--create=owls"]),
            &["1.0.0"],
            "on owls, expected main",
        ),
        ("no branch", &in_git(&["switch", "--detach"]), &["1.0.0"], "on no branch, expected main"),
        ("a changed file", &write("README.md", "mine"), &["1.0.0"], uncommitted),
        ("a new file", &write("notes.md", "mine"), &["1.0.0"], uncommitted),
        (
            "the tag is there",
            &in_git(&["tag", "v1.0.0"]),
            &["1.0.0"],
            "the tag v1.0.0 already exists",
        ),
        ("nothing is new", &unreleased, &["1.0.0"], "CHANGELOG.md has nothing under Unreleased"),
        ("a hook refuses", &hook, &["1.0.0"], "failed; nothing is changed"),
    ];
    for (why, change, arguments, says) in table {
        let place = repository("versions_refused");
        change(&place);
        let before = state(&place);
        let ran = release(&place, arguments);
        assert_eq!((ran.status, ran.output.as_str()), (Some(2), ""), "{why}: {}", ran.errors);
        assert!(ran.errors.starts_with(&format!(".ci/release: {says}\n")), "{why}: {}", ran.errors);
        assert_eq!(state(&place), before, "{why}");
    }
}
