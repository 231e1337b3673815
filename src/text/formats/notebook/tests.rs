use proptest::prelude::*;
use serde_json::json;

use super::super::tests::letters_are_of;
use super::*;

const JUPYTER: &str = include_str!("../../../../tests/documents/nbformat.ipynb");

fn bracketed(source: &str) -> (String, Markers) {
    (format!("[{source}]"), Markers::new())
}

#[test]
fn cells_are_read_in_their_order() {
    let all = r#"{"cells": [
        {"cell_type": "markdown", "source": ["fish\n", "soup"]},
        {"cell_type": "code", "source": "x = 1", "outputs": [{"text": "no"}], "execution_count": null},
        {"cell_type": "raw", "source": "as it\nis\n"},
        {"cell_type": "code"}, {}, {"source": []}
    ], "metadata": {"title": "no"}, "nbformat": 4}"#;
    let old = r#"{"nbformat": 3, "worksheets": [
        {"cells": [{"cell_type": "heading", "level": 1, "source": "Tea"}]},
        {"metadata": {}},
        {"cells": [{"cell_type": "code", "input": ["y = ", "2"], "outputs": []}]}
    ]}"#;
    #[rustfmt::skip]
    let table = [
        ("all kinds of cells", all,                            "[fish\nsoup]\nx = 1\nas it\nis\n"),
        ("format 3",           old,                            "Tea\ny = 2\n"),
        ("no cells in it",     r#"{"cells": []}"#,             ""),
        ("a mark",             "\u{feff}{\"cells\": [{\"source\": \"a\"}]}", "a\n"),
    ];
    for (why, json, want) in table {
        assert_eq!(text(json, &bracketed).unwrap().0, want, "{why}");
    }
}

#[test]
fn a_notebook_of_a_real_program_is_read() {
    assert!(is_notebook(JUPYTER));
    let want = "[# The café at the harbour\n\nZoë opens the café at *six*.]\n\
                price = {\"soup\": 7, \"cake\": 3}\nprint(sum(price.values()))\n";
    assert_eq!(text(JUPYTER, &bracketed).unwrap().0, want);
}

#[test]
fn what_is_no_notebook_is_damaged() {
    let deep = format!("{{\"cells\": {}", "[".repeat(1_000_000));
    let deep_metadata = format!("{{\"metadata\": {}", "[".repeat(1_000_000));
    #[rustfmt::skip]
    let table = [
        ("nothing",         "",                              "cut at line 1, column 0"),
        ("no object",       "7",                             "not laid out as notebooks are at line 1, column 1"),
        ("no cells",        "{}",                            "no cells"),
        ("cut",             "{\n\"cells\": [{\"source\": \"te", "cut at line 2, column 24"),
        ("no list",         r#"{"cells": 7}"#,               "not laid out as notebooks are at line 1, column 11"),
        ("a number",        r#"{"cells": [{"source": 7}]}"#, "not laid out as notebooks are at line 1, column 24"),
        ("more behind it",  r#"{"cells": []} x"#,            "not JSON at line 1, column 15"),
        ("too deep",        &deep,                           "not laid out as notebooks are at line 1, column 12"),
        ("cut deep inside", &deep_metadata,                  "cut at line 1, column 1000013"),
    ];
    for (why, json, want) in table {
        let reason = text(json, &bracketed).unwrap_err().to_string();
        assert_eq!(reason, format!("damaged notebook: {want}"), "{why}");
    }
}

#[test]
fn notebooks_are_distinguished_from_other_json() {
    #[rustfmt::skip]
    let table = [
        ("a notebook",     "{\"cells\": [], \"nbformat\": 4}",              true),
        ("format 3",       "\n {\"nbformat\" :\n3, \"worksheets\": []}",    true),
        ("a mark",         "\u{feff}{\"cells\": [], \"nbformat\": 4}",      true),
        ("no format",      "{\"cells\": []}",                               false),
        ("a cut one",      "{\n \"cells\": [\n  {\n \"cell_type\": \"ma",   true),
        ("no cell",        "{\"cells\": [{\"kind\": \"cell_type\"}]}",      false),
        ("no cells",       "{\"nbformat\": 4}",                             false),
        ("its minor one",  "{\"cells\": [], \"nbformat_minor\": 4}",        false),
        ("about it",       "{\"cells\": \"\\\"nbformat\\\" 4\"}",           false),
        ("a list of them", "[{\"cells\": [], \"nbformat\": 4}]",            false),
        ("a text",         "In a notebook, \"nbformat\": 4 and \"cells\"",  false),
        ("nothing",        "",                                              false),
    ];
    for (why, text, want) in table {
        assert_eq!(is_notebook(text), want, "{why}");
    }
}

proptest! {
    #[test]
    fn the_text_of_a_notebook_is_that_of_its_cells(
        cells in proptest::collection::vec(("(markdown|code|raw)", any::<String>()), 0..9),
    ) {
        let notebook = |cells: &[(String, String)]| {
            let cells = cells.iter().map(|(kind, source)| json!({ "cell_type": kind, "source": source }));
            let json = json!({ "cells": cells.collect::<Vec<_>>(), "nbformat": 4 }).to_string();
            (is_notebook(&json), text(&json, &bracketed).unwrap().0)
        };
        let parts: Vec<(bool, String)> = cells.chunks(1).map(notebook).collect();
        let of_parts = parts.into_iter().map(|(_, text)| text).collect();
        prop_assert_eq!(notebook(&cells), (true, of_parts));
    }

    #[test]
    fn a_changed_notebook_is_damaged_or_has_all_letters_of_its_text(at in 0..JUPYTER.len(), character in any::<char>()) {
        let (before, after) = JUPYTER.split_at(JUPYTER.floor_char_boundary(at));
        let changed = format!("{before}{character}{after}");
        match text(&changed, &bracketed) {
            Ok((content, _)) => prop_assert!(letters_are_of(&changed, &content), "{}", content),
            Err(reason) => {
                let reason = reason.to_string();
                prop_assert!(reason.starts_with("damaged notebook: "), "{}", reason);
            }
        }
        prop_assert!(text(before, &bracketed).is_err() || after.trim().is_empty());
    }
}
