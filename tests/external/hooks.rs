//! Runs the pre-commit hooks with pre-commit.

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use crate::places::{Course, commit, git};
use crate::programs::{Run, command, folder, is_there, read, run};

/// The tag of this version.
const TAG: &str = concat!("v", env!("CARGO_PKG_VERSION"));

/// Creates a repository with our hooks, tagged with this version. The hooks run the `dedup` on
/// `PATH` instead of building it, which takes minutes.
pub(crate) fn hooks(test: &str) -> PathBuf {
    let place = folder(&format!("{test}_hooks"));
    let hooks = read(".pre-commit-hooks.yaml");
    assert_eq!(hooks.matches("language: rust").count(), hooks.matches("- id: ").count());
    let installed = hooks.replace("language: rust", "language: system");
    fs::write(place.join(".pre-commit-hooks.yaml"), installed).unwrap();
    commit(&place);
    git(&place, &["tag", TAG]);
    place
}

/// Makes a folder a repository, and runs pre-commit on all of its files.
pub(crate) fn pre_commit(place: &Path, config: &str) -> Run {
    fs::write(place.join(".pre-commit-config.yaml"), config).unwrap();
    commit(place);
    let home = folder(&format!("{}_home", place.file_name().unwrap().display()));
    let mut command = command("pre-commit", place);
    command.args(["run", "--all-files", "--color", "never"]);
    run(command.env("PRE_COMMIT_HOME", home))
}

fn config(hooks: &Path, args: &str) -> String {
    format!(
        "repos:\n- repo: {}\n  rev: {TAG}\n  hooks:\n  - id: dedup-corpus\n    args: {args}\n",
        hooks.display()
    )
}

#[test]
fn the_hook_fails_on_copies_and_on_trouble() {
    if !is_there("pre-commit") {
        return;
    }
    let hooks = hooks("hook");
    for (course, status) in Course::ALL {
        let place = course.folder("hook");
        let run = pre_commit(&place, &config(&hooks, "[submissions, --template=sheet.txt]"));
        assert_eq!(run.status, Some(status.min(1)), "{course:?}: {}{}", run.output, run.errors);
        let code = format!("- exit code: {status}\n");
        assert_eq!(run.output.contains(&code), status > 0, "{course:?}: {}", run.output);
    }
}

/// Checks that `--fail-on` in the args of a repository overrides that of the hook.
#[test]
fn the_level_is_that_of_the_args() {
    if !is_there("pre-commit") {
        return;
    }
    let hooks = hooks("level");
    let place = Course::Clean.folder("level");
    // Without the sheet, two answers on it are a partial copy, but not near-duplicates.
    for (args, status) in [("[submissions]", 0), ("[submissions, --fail-on=partial]", 1)] {
        let run = pre_commit(&place, &config(&hooks, args));
        assert_eq!(run.status, Some(status), "{args}: {}{}", run.output, run.errors);
        let _ = fs::remove_dir_all(place.join(".git"));
    }
}

/// Checks that the pair of the first and the last of 5,000 files is found, although pre-commit
/// would split their names among several runs.
#[test]
fn a_pair_among_five_thousand_files_is_found() {
    if !is_there("pre-commit") {
        return;
    }
    let (hooks, place) = (hooks("many"), folder("many"));
    fs::create_dir(place.join("texts")).unwrap();
    let long = "a_name_that_is_long_enough_to_make_the_list_of_all_names_longer_than_a_command";
    for number in 0..5000_u32 {
        // Every text has its own words, except the last, which has those of the first.
        let own = if number == 4999 { 0 } else { number };
        let mut text = String::new();
        for word in 0..30 {
            let _ = write!(text, "w{own}x{word} ");
        }
        fs::write(place.join(format!("texts/{long}_{number:04}.txt")), text).unwrap();
    }
    let run = pre_commit(&place, &config(&hooks, "[texts, --lang=none]"));
    assert_eq!(run.status, Some(1), "{}", run.errors);
    let found = format!("texts/{long}_0000.txt | texts/{long}_4999.txt\n");
    let message = "\n1 pair near-duplicate or closer\n5,000 texts compared\n";
    for once in [found.as_str(), message] {
        assert_eq!(run.output.matches(once).count(), 1, "{once}: {}", run.output);
    }
}
