//! Tests of passages on a terminal: their width, number and colours.

use unicode_width::UnicodeWidthStr;

use crate::common::{Run, command, dedup};

/// Compares the edited pair in Arabic, on a terminal with a number of columns.
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
    // The headings, and the rows.
    assert_eq!(rows_beside(&run(Some("100"), &[]).output), 1 + 8);
    for columns in [60, 80] {
        let output = run(Some(&columns.to_string()), &[]).output;
        assert!(widest(&output) <= Some(columns), "{columns}: {:?}", widest(&output));
    }
    assert_eq!(run(Some("80"), &["--explain"]).output.matches("\npassage 1 ").count(), 1);
}

#[test]
fn no_line_of_an_answer_is_wider_than_the_screen() {
    let pairs = [
        ("disguised", "five warnings"),
        ("filled_in", "a template's passage"),
        ("too_short", "nothing but words"),
        ("pasted", "a partial pair"),
    ];
    for (name, why) in pairs {
        for columns in [60, 80, 120] {
            let files = [1, 2].map(|side| format!("samples/{name}_{side}.txt"));
            let run: Run =
                command().env("COLUMNS", columns.to_string()).args(files).output().unwrap().into();
            let widest = run.output.lines().map(|line| line.chars().count()).max();
            assert!(widest <= Some(columns), "{why}, {columns}: {widest:?}");
        }
    }
}

#[test]
fn the_answer_comes_first_and_closes_what_is_longer_than_a_screen() {
    let at =
        |output: &str, what: &str| output.find(what).unwrap_or_else(|| panic!("{what}: {output}"));
    let answer = "NEAR-DUPLICATE: 92\u{a0}% of edited_1.txt is in edited_2.txt word for word, 7\u{a0}% more\n\
                  with changes; of edited_2.txt 93\u{a0}% and 5\u{a0}%\n";
    let output = run(None, &[]).output;
    assert!(output.starts_with(&format!("{answer}\npassage 1 ")), "{output}");
    assert!(at(&output, "\npassage 1 ") < at(&output, "\nHamming      12 of 64 bits, limit 3\n"));
    let order = ["Hamming ", "Jaccard ", "Containment ", "Chance "];
    assert!(order.map(|name| at(&output, &format!("\n{name}"))).is_sorted());
    assert!(!output.contains("\n\n\n"), "{output}");
    let lines = output.lines().count();
    for (screen, is_repeated) in [(lines, true), (lines + 1, false)] {
        let mut command = command();
        command.env("LINES", screen.to_string());
        command.args(["samples/edited_1.txt", "samples/edited_2.txt"]);
        let output = Run::from(command.output().unwrap()).output;
        assert_eq!(output.ends_with(&format!("\n\n{answer}")), is_repeated, "{output}");
    }
    let without = run(None, &["--passages", "off"]).output;
    assert!(without.starts_with("NEAR-DUPLICATE: Jaccard 0.7223 reaches its limit 0.5\n"));
    assert!(!without.contains("passage "), "{without}");
    let counted = run(None, &["--passages-shown", "0"]).output;
    let all = "\n\n1 passage; --passages-shown 1 shows all\n\nHamming ";
    assert!(counted.contains(all), "{counted}");
}

#[test]
fn details_show_all_and_end_with_the_verdict() {
    let output = run(None, &["--details"]).output;
    let at = |what: &str| output.find(what).unwrap_or_else(|| panic!("{what}: {output}"));
    assert!(at("Containment") < at("Passages     ") && at("Passages ") < at("\npassage 1 "));
    assert!(output.lines().last().unwrap().starts_with("NEAR-DUPLICATE: "));
    let explained = run(None, &["--explain"]).output;
    assert!(explained.ends_with(&output), "the stages, and the details");
}

#[test]
fn what_is_changed_is_recognized_by_more_than_its_colour() {
    let plain = run(None, &["--color", "never"]).output;
    let coloured = run(None, &["--color", "always"]).output;
    assert!(plain.contains("[قرابة]"), "{plain}");
    assert!(coloured.contains("\u{1b}[33m[قرابة]\u{1b}[0m"), "{coloured}");
    assert_eq!(anstream::adapter::strip_str(&coloured).to_string(), plain);
}

/// Names of many letters, and of letters of two columns, stay within their columns.
#[test]
fn no_name_is_wider_than_its_column() {
    let [long, wide] = ["long_name_of_a_submission_".repeat(2), "日本語のとても長い名前".repeat(2)];
    let text = |own: &str| {
        format!("{own} the copper kettle stands on the wooden table in the kitchen of the old mill")
    };
    let folder = crate::common::empty_folder("screen", "names");
    for (name, columns) in [(long, 100), (wide.clone(), 100), (wide, 58)] {
        let names = ["a", "b"].map(|side| format!("{name}_{side}.txt"));
        for (name, own) in names.iter().zip(["Every morning", "At night"]) {
            std::fs::write(folder.join(name), text(own)).unwrap();
        }
        let mut command = command();
        command.current_dir(&folder).env("COLUMNS", columns.to_string()).args(&names);
        let answer = Run::from(command.output().unwrap()).output;
        let widest = answer.lines().map(UnicodeWidthStr::width).max();
        assert!(widest <= Some(columns), "{widest:?}: {answer}");
        let head = answer.lines().find(|line| line.starts_with("  …")).unwrap();
        assert!(head.contains("_a.txt, line 1"), "{head}");
        if columns == 100 {
            assert!(head.ends_with("_b.txt, line 1"), "{head}");
            // The bar stands in the same column in each row.
            let rows = answer.lines().filter_map(|line| line.split_once(" | "));
            assert!(rows.map(|(left, _)| left.width()).all(|width| width == 48), "{answer}");
        }
    }
}

/// What the shell passes in by `<(…)` has no name.
#[cfg(target_os = "linux")]
#[test]
fn a_text_without_a_name_is_called_by_its_side() {
    let binary = env!("CARGO_BIN_EXE_dedup");
    let run = |arguments: &str| -> String {
        let [left, right] = [1, 2].map(|side| format!("samples/excerpt_{side}.txt"));
        let line = arguments.replace("LEFT", &left).replace("RIGHT", &right);
        let mut bash = std::process::Command::new("bash");
        bash.args(["-c", &format!("{binary} {line}")]).env_remove("COLUMNS");
        Run::from(bash.output().unwrap()).output
    };
    let answer = run("<(cat LEFT) <(cat RIGHT)");
    let want = "of the left text is in the right text word for word";
    assert!(answer.split("\n\n").next().unwrap().replace('\n', " ").contains(want), "{answer}");
    let page = run("--quiet --report - - <(cat RIGHT) < LEFT");
    for want in [
        "<title>passage: standard input and the right text</title>",
        " of <bdi>standard input</bdi> is in the right text word for word",
        "<span class=\"which\">left text</span> <bdi>standard input</bdi></h3>",
        "<span class=\"which\">right text</span></h3>",
    ] {
        assert!(page.contains(want), "{want}: {}", &page[..page.find("<style").unwrap()]);
    }
}

#[test]
fn how_many_are_shown_is_a_number() {
    for typed in ["-1", "all", "1.5"] {
        let run = dedup(&["a", "b", &format!("--passages-shown={typed}")]);
        let want = format!(
            "dedup: invalid value '{typed}' for '--passages-shown <N>': expected a whole number\n"
        );
        assert!(run.errors.starts_with(&want), "{}", run.errors);
        assert_eq!(run.status, 2);
    }
}
