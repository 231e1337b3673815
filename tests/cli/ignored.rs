//! Checks that no flag is silently ignored because of another one.

use crate::common::in_folder;
use crate::transcript::Transcript;

const TEXT: &[u8] = b"A copper kettle and a wooden spoon stand by the window of the house.";

const FILES: [(&str, &[u8]); 3] =
    [("a", TEXT), ("b", TEXT), ("r", b"{\"id\": 1, \"text\": \"kettle\"}")];

#[test]
fn two_flags_of_which_one_would_be_ignored_are_bad_usage() {
    let lines = [
        "corpus a b --nearest 1 --keep first",
        "corpus a b --nearest 1 --clusters",
        "corpus a b --clusters --keep first",
        "corpus a b --list --format json",
        "corpus a b --list --report x",
        "corpus a b --list --fail-on partial",
        "corpus a b --list --at-least partial",
        "corpus a b --list --keep first",
        "corpus a b --list --clusters",
        "corpus a b --list --details",
        "corpus a b --list --nearest 1",
        "corpus a b --list --max-pairs 1",
        "corpus a b --list --baseline x --update-baseline",
        "corpus a b --passages off --min-match 9",
        "corpus a b --passages off --ignore short",
        "corpus a b --passages off --coverage 0.3",
        "a b --explain --format csv",
        "a b --passages-shown 9 --format json",
        "a b --passages-shown 9 --quiet",
        "a b --passages-shown 9 --passages off",
        "a b --min-match 9 --passages off",
        "a b --ignore quotes,short=9 --passages off",
        "a b --coverage 0.3 --passages off",
        "calibrate r --passages on",
    ];
    let mut transcript = Transcript::default();
    for line in lines {
        let run = in_folder("ignored", &FILES, line);
        assert!(run.errors.lines().count() > 1, "{line}: what to do");
        transcript.error(line, &run);
    }
    transcript.assert_snapshot("ignored");
}

/// Checks that a flag is not ignored if one of several formats or a template uses it.
#[test]
fn a_flag_that_something_heeds_is_not_ignored() {
    for line in [
        "a b --explain --format csv --format json=x",
        "a b --passages-shown 9 --quiet --format text=x",
        "a b --min-match 3 --passages off --template r",
        "a b --coverage off --passages off",
        "corpus a b --list --quiet",
        "corpus a b r --min-match 9 --passages off --template-share 1",
    ] {
        let run = in_folder("heeded", &FILES, line);
        assert!(run.status < 2, "{line}: {}", run.errors);
    }
}

/// Checks that a setting that does not apply to a run is not an error, because the file is for all
/// runs. Two settings that contradict each other are, and their places are reported.
#[test]
fn settings_are_for_other_runs_as_well() {
    let with = |settings: &'static str, line: &str| {
        let files: Vec<(&str, &[u8])> =
            FILES.into_iter().chain([("dedup.toml", settings.as_bytes())]).collect();
        in_folder("settings_ignored", &files, line)
    };
    for (settings, line) in [
        ("min-match = 9", "a b --passages off"),
        ("coverage = 0.3", "a b --passages off"),
        ("explain = true", "a b --format csv"),
        ("passages-shown = 1", "a b --quiet"),
        ("ignore = [\"short\"]", "corpus a b --passages off"),
        ("keep = \"first\"\nfail-on = \"partial\"", "corpus a b --list"),
        ("keep = \"first\"", "corpus a b --nearest 1"),
        ("nearest = 1", "corpus a b --keep first"),
    ] {
        let run = with(settings, line);
        assert!(run.status < 2, "{settings}: {line}: {}", run.errors);
    }
}
