//! No flag is ignored in silence for another.

use crate::common::in_folder;

const TEXT: &[u8] = b"A copper kettle and a wooden spoon stand by the window of the house.";

const FILES: [(&str, &[u8]); 3] =
    [("a", TEXT), ("b", TEXT), ("r", b"{\"id\": 1, \"text\": \"kettle\"}")];

#[test]
fn two_flags_of_which_one_would_be_ignored_are_bad_usage() {
    #[rustfmt::skip]
    let table = [
        ("corpus a b --nearest 1 --keep first",                     "--nearest and --keep together, expected one of them"),
        ("corpus a b --nearest 1 --clusters",                       "--nearest and --clusters together, expected one of them"),
        ("corpus a b --clusters --keep first",                      "--clusters and --keep together, expected one of them"),
        ("corpus a b --list --format json",                         "--list and --format together, expected one of them"),
        ("corpus a b --list --report x",                            "--list and --report together, expected one of them"),
        ("corpus a b --list --fail-on partial",                     "--list and --fail-on together, expected one of them"),
        ("corpus a b --list --at-least partial",                    "--list and --at-least together, expected one of them"),
        ("corpus a b --list --keep first",                          "--list and --keep together, expected one of them"),
        ("corpus a b --list --clusters",                            "--list and --clusters together, expected one of them"),
        ("corpus a b --list --nearest 1",                           "--list and --nearest together, expected one of them"),
        ("corpus a b --list --max-pairs 1",                         "--list and --max-pairs together, expected one of them"),
        ("corpus a b --list --baseline x --update-baseline",        "--list and --baseline together, expected one of them"),
        ("corpus a b --passages off --min-match 9",                 "--min-match and --passages off together, expected one of them"),
        ("corpus a b --passages off --ignore short",                "--ignore short and --passages off together, expected one of them"),
        ("corpus a b --baseline x --update-baseline --baseline-unused error", "--update-baseline and --baseline-unused together, expected one of them"),
        ("a b --explain --format csv",                              "--explain and --format csv together, expected one of them"),
        ("a b --passages-shown 9 --format json",                    "--passages-shown and --format json together, expected one of them"),
        ("a b --passages-shown 9 --quiet",                          "--passages-shown and --quiet together, expected one of them"),
        ("a b --passages-shown 9 --passages off",                   "--passages-shown and --passages off together, expected one of them"),
        ("a b --min-match 9 --passages off",                        "--min-match and --passages off together, expected one of them"),
        ("a b --ignore quotes,short=9 --passages off",              "--ignore short and --passages off together, expected one of them"),
        ("a b --baseline x --update-baseline --baseline-unused ignore", "--update-baseline and --baseline-unused together, expected one of them"),
        ("calibrate r --passages on",                               "--passages, expected no such flag here"),
        ("clusters --id name",                                      "the following required arguments were not provided: --keep <WHICH> --texts <FILE>"),
        ("part keys --counts x --output y",                         "--output and keys together, expected no such flag here"),
        ("part judge --slots 20",                                   "--slots and judge together, expected no such flag here"),
        ("part judge --main ca",                                    "--main and judge together, expected no such flag here"),
        ("part count --counts x",                                   "--counts and count together, expected no such flag here"),
        ("part merge x --bad-lines keep",                           "--bad-lines and merge together, expected no such flag here"),
    ];
    for (line, want) in table {
        let run = in_folder("ignored", &FILES, line);
        let told = run.errors.lines().next().unwrap_or_default();
        assert_eq!(
            (told, run.output.as_str(), run.status),
            (&*format!("dedup: {want}"), "", 2),
            "{line}"
        );
        assert_eq!(run.errors.lines().count(), 2, "{line}: a hint");
    }
}

/// Where one of several formats heeds a flag, or a template does, nothing is ignored.
#[test]
fn a_flag_that_something_heeds_is_not_ignored() {
    for line in [
        "a b --explain --format csv --format json=x",
        "a b --passages-shown 9 --quiet --format text=x",
        "a b --min-match 3 --passages off --template r",
        "corpus a b --list --quiet",
        "corpus a b r --min-match 9 --passages off --template-share 1",
    ] {
        let run = in_folder("heeded", &FILES, line);
        assert!(run.status < 2, "{line}: {}", run.errors);
    }
}

/// What a settings file says for all runs is no mistake of one; two settings that say what an
/// answer is made of are, and where they stand is reported.
#[test]
fn settings_are_for_other_runs_as_well() {
    let with = |settings: &'static str, line: &str| {
        let files: Vec<(&str, &[u8])> =
            FILES.into_iter().chain([("dedup.toml", settings.as_bytes())]).collect();
        in_folder("settings_ignored", &files, line)
    };
    for (settings, line) in [
        ("min-match = 9", "a b --passages off"),
        ("explain = true", "a b --format csv"),
        ("passages-shown = 1", "a b --quiet"),
        ("ignore = [\"short\"]", "corpus a b --passages off"),
        ("keep = \"first\"\nfail-on = \"partial\"", "corpus a b --list"),
    ] {
        let run = with(settings, line);
        assert!(run.status < 2, "{settings}: {line}: {}", run.errors);
    }
    let run = with("keep = \"first\"", "corpus a b --nearest 1");
    assert_eq!(
        (run.errors.as_str(), run.status),
        (
            "dedup: --nearest and --keep together, expected one of them\n\
             hint: --nearest is of pairs, whatever the limit; clusters are of those that reach it; \
             --keep is set in dedup.toml:1\n",
            2
        )
    );
}
