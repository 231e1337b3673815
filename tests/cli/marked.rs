//! Tests of stretches that the author of a text marks, and `--ignore marked` excludes.

use serde_json::{Value, json};

use crate::common::{Run, in_folder};

const SHARED: &str = "The copper kettle stands on the iron stove and sings before the water boils over, says the old book.";

/// Returns a text with a marked block that the right text has as well. The rest differs.
fn left(start: &str, end: &str) -> String {
    format!(
        "Rain fell until Tuesday and nobody went out.\n{start}\n{SHARED}\n{end}\nThe end of the week was dry.\n"
    )
}

fn right() -> String {
    format!(
        "Seven boats left the harbour.\n\n{SHARED}\n\nNone of them had a lantern at the mast.\n"
    )
}

fn pair(name: &str, content: &str, flags: &str) -> (Value, Run) {
    let right = right();
    let files = [(name, content.as_bytes()), ("right.txt", right.as_bytes())];
    let line = format!("{name} right.txt --lang en --format json {flags}");
    // Tests run at the same time, each on a thread with its name.
    let thread = std::thread::current();
    let test = thread.name().unwrap_or_default().rsplit("::").next().unwrap_or_default();
    let run = in_folder(test, &files, &line);
    (serde_json::from_str(&run.output).unwrap_or_else(|_| panic!("{}", run.errors)), run)
}

/// Checks that a comment in each kind of text marks a stretch, but only with the flag.
#[test]
fn a_marked_stretch_is_left_out_where_that_is_asked_for() {
    let page = |left: String| {
        let paragraphs: Vec<String> = (left.lines())
            .map(
                |line| {
                    if line.starts_with('<') { line.to_owned() } else { format!("<p>{line}</p>") }
                },
            )
            .collect();
        format!("<!doctype html><title>Notes</title><body><main>{}</main>", paragraphs.join(""))
    };
    let html = left("<!-- dedup: ignore-start -->", "<!-- dedup: ignore-end -->");
    // The text in one cell, or the shared sentence in a cell of its own.
    let notebook = |kinds: &[&str]| {
        let sources: Vec<String> = match kinds {
            [_] => vec![html.clone()],
            _ => html.split(SHARED).flat_map(|part| [part.to_owned(), SHARED.to_owned()]).collect(),
        };
        let cells = kinds.iter().zip(sources);
        let cells = cells.map(|(kind, source)| json!({"cell_type": kind, "source": source}));
        json!({"cells": cells.collect::<Vec<_>>(), "nbformat": 4}).to_string()
    };
    let by_view = page(html.clone()).replace("<main>", "<div>").replace("</main>", "</div>");
    // The words of the markers themselves are excluded as well if they are visible.
    #[rustfmt::skip]
    let table = [
        ("plain",         "left.txt",  left("dedup: ignore-start", "dedup: ignore-end"),           25),
        ("shell",         "left.sh",   left("# dedup: ignore-start", "# dedup: ignore-end"),       25),
        ("C",             "left.c",    left("  // dedup: ignore-start", "/* dedup: ignore-end */"), 25),
        ("CRLF",          "left.txt",  left("dedup: ignore-start", "dedup: ignore-end").replace('\n', "\r\n"), 25),
        ("Markdown",      "left.md",   left("\n<!-- dedup: ignore-start -->\n", "\n<!-- dedup: ignore-end -->\n"), 19),
        ("Markdown, tight", "left.md", left("<!-- dedup: ignore-start -->", "<!-- dedup: ignore-end -->"), 19),
        ("a notebook",    "left.ipynb", notebook(&["markdown"]),                                      19),
        ("several cells", "left.ipynb", notebook(&["markdown", "code", "markdown"]),                 19),
        ("TeX",           "left.tex",  left("% dedup: ignore-start", "%% dedup: ignore-end"),      19),
        ("HTML",          "left.html", page(html),                                                 19),
        ("HTML, no main", "left.html", by_view,                                                    19),
        ("disguised",     "left.txt",  left("dedup: ignore-start", "dedup: ignore-end").replace("kettle", "ket\u{200b}tle"), 25),
    ];
    for (why, name, content, words) in table {
        let (all, _) = pair(name, &content, "");
        assert_ne!(all["verdict"], "different", "{why}");
        assert_eq!(all["a"]["excluded"], json!([]), "{why}");
        let (marked, run) = pair(name, &content, "--ignore marked");
        assert_eq!(marked["verdict"], "different", "{why}: {marked}");
        let want = json!([{"why": "marked", "parts": 1, "words": words}]);
        assert_eq!(marked["a"]["excluded"], want, "{why}");
        assert_eq!(marked["b"]["excluded"], json!([]), "{why}");
        assert_eq!(run.errors, "", "{why}");
    }
}

/// Checks that markers are not reported as hidden text, and may be anywhere in a page.
#[test]
fn a_marker_in_a_page_stands_in_no_text() {
    let page = format!(
        "<!doctype html><!-- dedup: ignore-end --><title>a<!-- dedup: ignore-start --></title><body>\
         <p style='display:none'>Unseen <!-- dedup: ignore-start -->words here.</p>\
         <table><!-- dedup: ignore-start --><tr><td>{SHARED}</td></tr><!-- dedup: ignore-end --></table>\
         <p>Rain fell until Tues<!-- dedup: ignore-start -->day.</p>"
    );
    let (record, _) = pair("left.html", &page, "--ignore marked");
    let text = record.to_string();
    assert!(!text.contains(['\u{fdd0}', '\u{fdd1}']), "{text}");
    assert_eq!(record["a"]["excluded"], json!([{"why": "marked", "parts": 1, "words": 19}]));
    assert_eq!(record["a"]["words"], 4, "Tuesday is one word, as without the comment");
    assert_eq!(record["verdict"], "different");
}

/// Checks that a passage after a marked stretch is reported at its place in the file.
#[test]
fn places_stay_right_behind_a_stretch() {
    for (name, start, end) in [
        ("left.txt", "dedup: ignore-start", "dedup: ignore-end"),
        ("left.md", "<!-- dedup: ignore-start -->", "<!-- dedup: ignore-end -->"),
        ("left.tex", "% dedup: ignore-start", "% dedup: ignore-end"),
    ] {
        let content = format!("{start}\n\nSomething ünlike it.\n\n{end}\n\n{SHARED}\n");
        let (record, _) = pair(name, &content, "--ignore marked");
        let [found] = record["matches"].as_array().unwrap().as_slice() else { panic!("{record}") };
        let at = content.find(SHARED).unwrap();
        // The full stop does not belong to a word.
        assert_eq!(found["a"]["byte"], json!([at, at + SHARED.len() - 1]), "{name}");
        assert_eq!(found["a"]["line"], json!([7, 7]), "{name}");
    }
}

#[test]
fn a_marker_without_its_counterpart_marks_nothing_and_is_reported() {
    let table = [
        (
            "no end",
            left("dedup: ignore-start", ""),
            "\"dedup: ignore-start\" without \"dedup: ignore-end\", so it marks nothing; line 2",
        ),
        (
            "no start",
            left("", "dedup: ignore-end"),
            "\"dedup: ignore-end\" without \"dedup: ignore-start\", so it marks nothing; line 4",
        ),
    ];
    for (why, content, want) in table {
        let (record, _) = pair("left.txt", &content, "--ignore marked");
        assert_ne!(record["verdict"], "different", "{why}");
        let [warning] = record["warnings"].as_array().unwrap().as_slice() else {
            panic!("{record}")
        };
        assert_eq!(warning["code"], "lone-marker", "{why}");
        assert_eq!(
            (&warning["file"], &warning["text"]),
            (&json!("a"), &json!(format!("the left text has {want}")))
        );
        let right = right();
        let files = [("left.txt", content.as_bytes()), ("right.txt", right.as_bytes())];
        let corpus = in_folder("lone", &files, "check left.txt right.txt");
        assert_eq!(corpus.errors, format!("dedup: warning: left.txt: has {want}\n"), "{why}");
        assert_eq!(pair("left.txt", &content, "").0["warnings"], json!([]), "{why}");
    }
}

/// Checks that markers are ignored by default, so that nobody can hide a copy; `check` heeds them.
#[test]
fn a_check_heeds_markers_and_a_corpus_does_not() {
    let marked =
        format!("dedup: ignore-start\n{SHARED}\ndedup: ignore-end\nRain fell until Tuesday.\n");
    let files = [("a.txt", marked.as_bytes()), ("b.txt", SHARED.as_bytes())];
    #[rustfmt::skip]
    let table = [
        ("check a.txt b.txt --lang en",                                               0, "0 pairs"),
        ("corpus a.txt b.txt --lang en --fail-on near-duplicate",                     1, "shared"),
        ("corpus a.txt b.txt --lang en --fail-on near-duplicate --ignore marked",     0, "0 pairs"),
        ("a.txt b.txt --lang en --fail-on near-duplicate",                            1, "NEAR-DUPLICATE"),
        ("a.txt b.txt --lang en --fail-on near-duplicate --ignore marked",            0, "DIFFERENT"),
    ];
    for (line, status, begins) in table {
        let run = in_folder("marked_check", &files, line);
        assert_eq!(run.status, status, "{line}: {}{}", run.output, run.errors);
        assert!(run.output.starts_with(begins), "{line}: {}", run.output);
    }
    let settings = [files[0], files[1], ("dedup.toml", &b"ignore = \"marked\"\n"[..])];
    let run =
        in_folder("marked_settings", &settings, "corpus a.txt b.txt --fail-on near-duplicate");
    assert_eq!(run.status, 0, "{}", run.errors);
}

/// Checks that the line of a marker in a notebook is that of its text.
#[test]
fn a_lone_marker_of_a_notebook_is_reported() {
    let cells = ["One.", "Two.\n\n<!-- dedup: ignore-start -->\n\nThree."];
    let cells = cells.map(|source| json!({"cell_type": "markdown", "source": source}));
    let notebook = json!({"cells": cells, "nbformat": 4}).to_string();
    let (answer, _) = pair("left.ipynb", &notebook, "--ignore marked");
    let warnings = answer["warnings"].as_array().unwrap();
    let lone = warnings.iter().find(|warning| warning["code"] == "lone-marker");
    let text = lone.and_then(|warning| warning["text"].as_str()).unwrap_or_default();
    assert!(text.ends_with("; line 4"), "{answer}");
}
