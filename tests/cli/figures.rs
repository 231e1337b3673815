//! Checks that each figure in the documents has one source, and is the same in other documents.

use std::collections::BTreeSet;

use crate::common::read_file;

#[path = "../../benches/prose/made.rs"]
mod made;

/// Checks that the text of the speed table has the vocabulary of English. 1.35 million words of it
/// have about 31,000 distinct ones, and its beginnings have as many as Heaps' law predicts.
#[test]
fn the_text_of_the_speed_table_has_the_vocabulary_of_english() {
    let text = made::text(1_000_000);
    assert!(text.starts_with(&made::text(4_000)[..4_000]), "a longer text begins as a shorter one");
    #[rustfmt::skip]
    let table = [
        // bytes, words, distinct
        (4_000,     644,     316),
        (200_000,   31_629,  3_258),
        (1_000_000, 157_946, 8_551),
    ];
    for (bytes, words, distinct) in table {
        let all: Vec<String> = made::text(bytes).split_whitespace().map(made::plain).collect();
        let set: BTreeSet<&String> = all.iter().collect();
        assert_eq!((all.len(), set.len()), (words, distinct), "{bytes} bytes");
    }
}

/// Returns the text between `before`, which must occur once in a document, and `after`.
fn figure_in(document: &str, before: &str, after: &str) -> String {
    let text = read_file(document).split_whitespace().collect::<Vec<_>>().join(" ");
    assert_eq!(text.matches(before).count(), 1, "{document}: {before}");
    let (_, rest) = text.split_once(before).unwrap();
    rest.split_once(after).unwrap_or_else(|| panic!("{document}: {before}: {after}")).0.to_owned()
}

/// Compares the source of each figure with its copies: the document, and the text before and after
/// the figure in it.
#[test]
fn a_figure_is_the_same_wherever_it_is_reported() {
    type Said = (&'static str, &'static str, &'static str);
    let held_out: Said = (
        "docs/accuracy.md",
        "| **held out: chosen on a half, on the other** | 0.839 | 0.993 | 0.806 | 0.704 | ",
        " |",
    );
    #[rustfmt::skip]
    let table: &[(&str, Said, &[Said])] = &[
        ("F1, held out", held_out, &[
            ("docs/accuracy.md", "has a **mean F1 of ", "**"),
            ("README.md", "has a mean F1 of ", " ("),
        ]),
        ("F1, where chosen", ("docs/accuracy.md", "| the defaults, on all pairs | 0.837 | 0.988 | 0.889 | 0.714 | ", " |"), &[
            ("docs/accuracy.md", "the mean F1 is 0.985 and ", ";"),
            ("README.md", "has a mean F1 of 0.836 (", " on all"),
        ]),
        ("F1 of near-duplicates", ("docs/accuracy.md", "the mean F1 is ", " and 0.857"), &[
            ("README.md", "*near-duplicate* one of ", " on news"),
        ]),
        ("100,000 texts", ("docs/scale.md", "| 100,000 | `--max 3 --min 3` | ", " |"), &[
            ("README.md", "a record a line, take ", " with `--max 3 --min 3`"),
        ]),
        ("a million texts", ("docs/scale.md", "| 1,000,000 | `--max 3 --min 3` | ", " |"), &[
            ("README.md", "and a million ", " and 2.6 GB"),
        ]),
        ("memory of a million", ("docs/scale.md", "`dedup corpus` took ", " for the million"), &[
            ("README.md", "and a million 29 s and ", " of memory"),
        ]),
        ("size of the texts", ("docs/scale.md", "Texts are of ", ", with 600"), &[
            ("README.md", "100,000 documents of ", ", a record a line"),
        ]),
        ("memory of a verdict", ("docs/performance.md", "a verdict on two English texts takes ", " times"), &[
            ("README.md", "A verdict on two English texts takes ", " times"),
        ]),
        ("memory with passages", ("docs/performance.md", "without `--quiet`, it takes ", " times"), &[
            ("README.md", "with passages ", " times."),
        ]),
    ];
    for (what, source, copies) in table {
        let of = |(document, before, after): &Said| figure_in(document, before, after);
        for copy in *copies {
            assert_eq!(of(copy), of(source), "{what}: {} and {}", copy.0, source.0);
        }
    }
}

/// Checks figures that can be counted.
#[test]
fn a_figure_is_what_there_is() {
    let lines = |path: &str| read_file(path).lines().count().to_string();
    let faults = read_file("tests/cli/faults/calls.rs");
    let kinds = faults.lines().filter(|line| line.starts_with("    (\"")).count().to_string();
    #[rustfmt::skip]
    let table = [
        ("the JSON of ",                     " pairs",         lines("tests/golden/pairs.txt")),
        ("digests of ",                      " longer answers", lines("tests/golden/digests.txt")),
        ("any of ",                          " calls to the system", kinds),
    ];
    for (before, after, want) in table {
        assert_eq!(figure_in("docs/reliability.md", before, after), want, "{before}");
    }
    // A ratio is one column divided by the other.
    let page = read_file("docs/performance.md");
    let rows = page.lines().filter(|line| line.contains(" ms | "));
    let mut seen = 0;
    for row in rows {
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        let number = |at: usize| cells[at].trim_end_matches(" ms").parse::<f64>().unwrap();
        assert!((number(4) / number(5) - number(6)).abs() < 0.01, "{row}");
        seen += 1;
    }
    assert!(seen >= 6, "{seen} rows");
}

/// Checks that the table of labelled pairs agrees with that of the page, and with the table that
/// the answers are based on.
#[test]
fn the_pairs_are_counted_once() {
    let page = read_file("docs/accuracy.md");
    let sources = read_file("src/record/meaning/pairs.tsv");
    let sources = sources.lines().next().unwrap().to_owned();
    for task in ["ndd", "articles", "scancode", "spdx", "rfc", "i18n"] {
        let row = page.lines().filter(|line| line.starts_with(&format!("| {task} | ")));
        let rows: Vec<Vec<&str>> =
            row.map(|line| line.split('|').map(str::trim).collect()).collect();
        assert_eq!(rows.len(), 2, "{task}");
        let first = |cell: &str| cell.split(' ').next().unwrap().replace(',', "");
        let [related, unrelated] = [2, 3].map(|at| rows[1][at].replace(',', ""));
        assert_eq!([first(rows[0][3]), first(rows[0][4])], [related.clone(), unrelated.clone()]);
        assert!(sources.contains(&format!("{task} {related} and {unrelated}")), "{task}");
    }
    for line in
        read_file("src/record/meaning/pairs.tsv").lines().filter(|it| it.contains("\tverdict\t"))
    {
        let cells: Vec<usize> = line.split('\t').filter_map(|cell| cell.parse().ok()).collect();
        let thousands = |number: usize| match number {
            1000.. => format!("{},{:03}", number / 1000, number % 1000),
            _ => number.to_string(),
        };
        let [words, pairs, partial] = [cells[0], cells[1], cells[3]].map(thousands);
        let row = page.lines().find(|row| row.starts_with(&format!("| {words} | "))).unwrap();
        let cell: Vec<&str> = row.split('|').map(str::trim).collect();
        if line.contains("\tyes\t") {
            assert_eq!(cell[2..4], [pairs, thousands(cells[1] - cells[3])], "{row}");
        } else {
            assert_eq!(cell[4..6], [pairs, partial], "{row}");
        }
    }
}
