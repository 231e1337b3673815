//! The passages on a screen: how wide, how many, and in which colours.

use crate::common::{Run, command, dedup};

/// The edited pair in Arabic, on a screen of so many columns.
fn run(columns: Option<&str>, more: &[&str]) -> Run {
    let mut command = command();
    if let Some(columns) = columns {
        command.env("COLUMNS", columns);
    }
    command.args(["samples/edited_1.txt", "samples/edited_2.txt"]).args(more);
    command.output().unwrap().into()
}

#[test]
fn passages_are_as_wide_as_the_screen() {
    let rows_beside = |output: &str| output.lines().filter(|line| line.contains(" | ")).count();
    let widest = |output: &str| {
        let rows = output.lines().skip_while(|line| !line.starts_with("passage"));
        rows.map(|row| {
            row.chars().filter(|letter| !('\u{2066}'..='\u{2069}').contains(letter)).count()
        })
        .max()
    };
    let usual = run(None, &[]).output;
    assert_eq!(rows_beside(&usual), 0);
    assert_eq!(run(Some("80"), &[]).output, usual);
    assert_eq!(run(Some("none"), &[]).output, usual);
    assert_eq!(rows_beside(&run(Some("99"), &[]).output), 0);
    // The heads, and the rows.
    assert_eq!(rows_beside(&run(Some("100"), &[]).output), 1 + 8);
    for columns in [60, 80] {
        let output = run(Some(&columns.to_string()), &[]).output;
        assert!(widest(&output) <= Some(columns), "{columns}: {:?}", widest(&output));
    }
    assert_eq!(run(Some("80"), &["--explain"]).output.matches("\npassage 1 ").count(), 1);
}

#[test]
fn the_verdict_stays_last_and_passages_follow_the_figures() {
    let output = run(None, &[]).output;
    let at = |what: &str| output.find(what).unwrap_or_else(|| panic!("{what}: {output}"));
    assert!(at("Containment") < at("Passages     ") && at("Passages ") < at("\npassage 1 "));
    assert!(output.lines().last().unwrap().starts_with("NEAR-DUPLICATE: "));
    assert!(!output.contains("\n\n\n"), "{output}");
    let without = run(None, &["--passages", "off"]).output;
    assert!(!without.contains("assage"), "{without}");
    assert!(without.lines().last().unwrap().starts_with("NEAR-DUPLICATE: "));
    let counted = run(None, &["--passages-shown", "0"]).output;
    assert!(
        counted.contains("\n\n1 passage; --passages-shown 1 shows all\n\nHamming "),
        "{counted}"
    );
}

#[test]
fn what_is_changed_is_told_by_more_than_its_colour() {
    let plain = run(None, &["--color", "never"]).output;
    let coloured = run(None, &["--color", "always"]).output;
    assert!(plain.contains("[قرابة]"), "{plain}");
    assert!(coloured.contains("\u{1b}[33m[قرابة]\u{1b}[0m"), "{coloured}");
    assert_eq!(anstream::adapter::strip_str(&coloured).to_string(), plain);
}

#[test]
fn how_many_are_shown_is_a_number() {
    for typed in ["-1", "all", "1.5"] {
        let run = dedup(&["a", "b", &format!("--passages-shown={typed}")]);
        let want = format!(
            "dedup: invalid value '{typed}' for '--passages-shown <N>': wanted a whole number\n"
        );
        assert!(run.errors.starts_with(&want), "{}", run.errors);
        assert_eq!(run.status, 2);
    }
}
