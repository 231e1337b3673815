//! Tests of documents of many kinds, as users submit them: read by their words, or rejected by
//! name.

use std::path::Path;
use std::process::Stdio;

use serde_json::Value;

use crate::common::{Run, command, dedup, in_folder, zipped};
use crate::transcript::Transcript;

fn document(name: &str) -> String {
    format!("tests/documents/{name}")
}

#[expect(clippy::disallowed_methods, reason = "bytes to be handed in otherwise")]
fn bytes(name: &str) -> Vec<u8> {
    std::fs::read(document(name)).unwrap()
}

/// Checks a text as written by several programs.
#[test]
fn a_document_is_compared_by_its_words() {
    #[rustfmt::skip]
    let table = [
        ("libreoffice.docx", "docx",     "identical"),
        ("pandoc.docx",      "docx",     "identical"),
        ("libreoffice.odt",  "odt",      "identical"),
        ("pandoc.odt",       "odt",      "identical"),
        ("pandoc.epub",      "epub",     "near-duplicate"),
        ("libreoffice.rtf",  "rtf",      "identical"),
        ("pandoc.rtf",       "rtf",      "identical"),
        ("libreoffice.pdf",  "pdf",      "near-duplicate"),
        ("harbour.tex",      "tex",      "near-duplicate"),
        ("libreoffice.doc",  "doc",      "identical"),
    ];
    for (name, kind, verdict) in table {
        let run = dedup(&["--format", "json", &document(name), &document("harbour.md")]);
        assert_eq!((run.errors.as_str(), run.status), ("", 0), "{name}");
        let record: Value = serde_json::from_str(&run.output).unwrap();
        assert_eq!(record["a"]["kind"], kind, "{name}");
        let spans = if kind == "tex" { "file" } else { "text" };
        assert_eq!(record["a"]["spans"], spans, "{name}");
        assert_eq!(
            (&record["b"]["kind"], &record["b"]["spans"]),
            (&"markdown".into(), &"file".into())
        );
        assert_eq!(record["verdict"], verdict, "{name}: {}", record["measures"]);
    }
}

/// Checks that a web page is compared by its article: it agrees with the article alone, but not
/// with another page of its site.
#[test]
fn a_web_page_is_compared_by_its_main_content() {
    let compare = |left: &str, right: &str, flags: &[&str]| -> Value {
        let files = [document(left), document(right)];
        let files = files.iter().map(String::as_str);
        let arguments: Vec<&str> =
            files.chain(["--format", "json"]).chain(flags.iter().copied()).collect();
        serde_json::from_str(&dedup(&arguments).output).unwrap()
    };
    let jaccard = |record: &Value| record["measures"]["jaccard"].as_f64().unwrap();
    for page in ["mill_site.html", "mill_pandoc.html", "mill_old.html"] {
        let record = compare(page, "mill.txt", &[]);
        assert_eq!((&record["a"]["kind"], &record["a"]["spans"]), (&"html".into(), &"text".into()));
        assert!(jaccard(&record) >= 0.97, "{page}: {}", jaccard(&record));
    }
    let record = compare("mill_site.html", "oven_site.html", &[]);
    assert_eq!(record["verdict"], "different");
    let main = compare("mill_site.html", "mill.txt", &["--html", "main"]);
    let all = compare("mill_site.html", "mill.txt", &["--html", "all"]);
    let off = compare("mill_site.html", "mill.txt", &["--html", "off"]);
    assert!(jaccard(&main) >= jaccard(&all) && jaccard(&all) > jaccard(&off));
    assert_eq!(off["a"]["kind"], "plain");
}

#[test]
fn markdown_is_recognized_by_its_name_or_by_a_flag() {
    let source = "# A *copper*ish kettle\n\n[spoon](https://a.example/link) and `lid`\n";
    let files = [("a.md", source.as_bytes()), ("a.txt", source.as_bytes())];
    let shown = "A copperish kettle\n\nspoon and lid";
    for (line, want) in [
        ("text a.md", shown),
        ("text a.txt", source),
        ("text a.txt --markdown on", shown),
        ("text a.md --markdown off", source),
        ("text a.txt --markdown auto", source),
    ] {
        let run = in_folder("markdown", &files, line);
        assert_eq!((run.output.trim_end(), run.status), (want.trim_end(), 0), "{line}");
    }
}

#[test]
fn latex_is_recognized_by_its_name_its_beginning_or_a_flag() {
    let part = "A \\emph{copper}ish kettle % not said\n and $x$ the \\verb|lid|";
    let whole =
        format!("\\documentclass{{article}}\n\\begin{{document}}\n{part}\n\\end{{document}}\n");
    let files = [
        ("part.tex", part.as_bytes()),
        ("part.LTX", part.as_bytes()),
        ("part.txt", part.as_bytes()),
        ("whole.txt", whole.as_bytes()),
        ("a.jsonl", br#"{"id": "a.tex", "text": "\\emph{kettle}"}"#),
    ];
    let shown = "A copperish kettle and the lid";
    for (line, want) in [
        ("text part.tex", shown),
        ("text part.LTX", shown),
        ("text whole.txt", shown),
        ("text part.txt", part),
        ("text part.txt --latex on", shown),
        ("text part.tex --latex off", part),
        ("text whole.txt --latex off", &whole),
        ("text part.tex --markdown off", shown),
    ] {
        let run = in_folder("latex", &files, line);
        assert_eq!((run.output.trim_end(), run.status), (want.trim_end(), 0), "{line}");
    }
    let run = in_folder("latex", &files, "part.tex whole.txt --format json");
    let record: Value = serde_json::from_str(&run.output).unwrap();
    for side in ["a", "b"] {
        assert_eq!(
            (&record[side]["kind"], &record[side]["spans"]),
            (&"tex".into(), &"file".into())
        );
    }
    let lines = |side: &str| record["matches"][0][side]["line"].clone();
    assert_eq!([lines("a"), lines("b")], [serde_json::json!([1, 2]), serde_json::json!([3, 4])]);
}

#[test]
fn places_in_latex_are_those_of_the_file() {
    let words = "the tall ships lay at anchor in the bay while the fog came in from the sea";
    let latex = format!(
        "\\documentclass{{article}}\n% a comment\n\\begin{{document}}\n\n{words}\n\\end{{document}}\n"
    );
    let other = format!("\n{words}\n");
    let files = [("a.tex", latex.as_bytes()), ("b.txt", other.as_bytes())];
    let run = in_folder("latex_places", &files, "a.tex b.txt --format json");
    let record: Value = serde_json::from_str(&run.output).unwrap();
    let passage = &record["matches"][0];
    assert_eq!(passage["a"]["line"], serde_json::json!([5, 5]));
    assert_eq!(passage["b"]["line"], serde_json::json!([2, 2]));
    let byte = passage["a"]["byte"][0].as_u64().unwrap();
    assert_eq!(byte, latex.find("the tall").unwrap() as u64);
    let accented = "One\n\npl\\'ague and pl\u{430}gue\n";
    let run = in_folder("latex_places", &[("a.tex", accented.as_bytes())], "text a.tex");
    assert!(run.errors.contains(" (line 3, \"pl<U+0430>gue\")"), "{}", run.errors);
    assert_eq!(run.output, "One\n\nplágue and plague\n");
}

/// Checks that a document that names its encoding is read in that encoding.
#[test]
fn latex_is_in_the_encoding_that_it_names() {
    let source = |name: &str, body: &[u8]| {
        let start =
            format!("\\documentclass{{a}}\\usepackage[{name}]{{inputenc}}\\begin{{document}}");
        [start.as_bytes(), body].concat()
    };
    #[rustfmt::skip]
    let table: &[(&str, Vec<u8>, &str, &str)] = &[
        ("as it says",         source("koi8-r", b"\xd7\xcf\xc4\xc1"), "koi8-r", "вода"),
        ("it is UTF-8 by now", source("latin1", "kávé".as_bytes()),     "utf-8",  "kávé"),
    ];
    for (why, bytes, encoding, text) in table {
        let run = in_folder("latex_encoding", &[("a.tex", bytes)], "text a.tex");
        assert_eq!(run.output.trim(), *text, "{why}");
        let run = in_folder("latex_encoding", &[("a.tex", bytes)], "a.tex a.tex --format json");
        let record: Value = serde_json::from_str(&run.output).unwrap();
        assert_eq!(record["a"]["encoding"], *encoding, "{why}");
    }
}

#[test]
fn a_disguise_in_markdown_has_its_line_in_the_file() {
    let source = "---\ntitle: x\n---\n\n# A kettle\n\nThe pl\u{430}gue.\n";
    let run = in_folder("markdown_lines", &[("a.md", source.as_bytes())], "text a.md");
    assert!(run.errors.contains(" (line 7, \"pl<U+0430>gue\")"), "{}", run.errors);
}

/// Checks that a file that begins like a web page, but is named as Markdown, is read as Markdown,
/// as most code hosts do.
#[test]
fn a_heading_of_html_makes_no_page_of_markdown() {
    let source = "<h1 align=center>Kettle</h1>\n\nA **copper** one.\n";
    let files = [("a.md", source.as_bytes()), ("a.txt", source.as_bytes())];
    let run = in_folder("markdown_page", &files, "a.md a.txt --format json");
    let record: Value = serde_json::from_str(&run.output).unwrap();
    assert_eq!((&record["a"]["kind"], &record["b"]["kind"]), (&"markdown".into(), &"html".into()));
}

/// Checks that the encoding that a page names is used if its bytes are valid in it.
#[test]
fn a_page_is_in_the_encoding_that_it_names() {
    let page = |label: &str, body: &[u8]| {
        [format!("<!doctype html><meta charset={label}><p>").as_bytes(), body].concat()
    };
    let iso_2022_jp = b"\x1b$B?eEE2P\x1b(B".as_slice();
    #[rustfmt::skip]
    let table: &[(&str, Vec<u8>, &str, &str)] = &[
        ("as it says",         page("koi8-r", b"\xd7\xcf\xc4\xc1"),       "koi8-r",       "вода"),
        ("in escapes",         page("iso-2022-jp", iso_2022_jp),          "iso-2022-jp",  "水電火"),
        ("it is UTF-8 by now", page("koi8-r", "вода".as_bytes()),         "utf-8",        "вода"),
        ("it is not UTF-8",    page("utf-8", b"Gr\xfc\xdfe aus K\xf6ln"),  "windows-1252", "Grüße aus Köln"),
        ("no such encoding",   page("x-none", b"Gr\xfc\xdfe aus K\xf6ln"), "windows-1252", "Grüße aus Köln"),
    ];
    for (why, bytes, encoding, text) in table {
        let run = in_folder("declared", &[("a.html", bytes)], "text a.html");
        assert_eq!(run.output.trim(), *text, "{why}");
        let run = in_folder("declared", &[("a.html", bytes)], "a.html a.html --format json");
        let record: Value = serde_json::from_str(&run.output).unwrap();
        assert_eq!(record["a"]["encoding"], *encoding, "{why}");
        assert_eq!(record["a"]["encoding_by"], "content", "{why}");
    }
}

#[test]
fn a_document_may_come_by_a_pipe() {
    let name = "pandoc.odt";
    let file = std::fs::File::options().read(true).open(document(name)).unwrap();
    let mut command = command();
    command.args(["-", &document(name), "--details"]).stdin(Stdio::from(file));
    let run: Run = command.output().unwrap().into();
    assert_eq!((run.errors.as_str(), run.status), ("", 0));
    assert!(run.output.contains("odt; English"), "{}", run.output);
    assert!(run.output.ends_with("IDENTICAL: the same words in the same order\n"));
}

#[test]
fn what_is_no_text_is_refused_by_name() {
    let docx = bytes("pandoc.docx");
    let png = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01".as_slice();
    let doc = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\0\0\0\0\0\0\0\0".as_slice();
    let zip = b"PK\x05\x06\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0".as_slice();
    let files: &[(&str, &[u8])] = &[
        ("a.png", png),
        ("a.doc", doc),
        ("a.zip", zip),
        ("cut.docx", &docx[..docx.len() / 2]),
        ("a.rtf", b"{\\rtf1 cut"),
        ("a.ipynb", br#"{"nbformat": 4, "cells": ["#),
    ];
    let mut transcript = Transcript::default();
    for &(name, bytes) in files {
        let line = format!("{name} b.txt");
        let run = in_folder("refused", &[(name, bytes), ("b.txt", b"one two")], &line);
        assert!(run.errors.contains("\nhint: "), "{}", run.errors);
        transcript.error(&line, &run);
    }
    transcript.assert_snapshot("kinds");
}

#[test]
fn limits_name_their_flags() {
    let docx = bytes("pandoc.docx");
    let files = [("a.docx", docx.as_slice())];
    let run = in_folder("limits", &files, "a.docx a.docx --max-unpacked 1000");
    assert_eq!(
        run.errors,
        "dedup: a.docx: unpacks to more than the limit of 1000 bytes\n\
         hint: --max-unpacked off lifts the limit\n"
    );
    assert_eq!(run.status, 2);
    for flags in ["--max-unpacked off", "--max-pdf-time off", "--max-pdf-time 7"] {
        let run = in_folder("limits", &files, &format!("a.docx a.docx --quiet {flags}"));
        assert_eq!((run.errors.as_str(), run.status), ("", 0), "{flags}");
    }
    for flags in ["--max-unpacked x", "--max-pdf-time 0", "--html no", "--markdown no"] {
        let run = in_folder("limits", &files, &format!("a.docx a.docx {flags}"));
        assert!(run.errors.contains(flags[..flags.len() - 2].trim()), "{}", run.errors);
        assert_eq!(run.status, 2, "{flags}");
    }
}

#[test]
fn a_pdf_that_cannot_be_read_is_reported() {
    #[rustfmt::skip]
    let table = [
        ("pillow.pdf",      "a PDF without text: its pages are pictures\nhint: recognize the text first, with"),
        ("damaged.pdf",     "damaged PDF: page 2 has no text, and cannot be unpacked\nhint: "),
        ("qpdf-locked.pdf", "password-protected PDF, expected one without a password\nhint: save it without"),
    ];
    for (name, message) in table {
        let run = dedup(&["text", &document(name)]);
        assert!(run.errors.contains(message), "{name}: {}", run.errors);
        assert_eq!((run.output.as_str(), run.status), ("", 2), "{name}");
    }
}

#[test]
fn a_document_of_pictures_says_what_to_do() {
    let scan = zipped(&[("word/document.xml", "<p><r><drawing><blip/></drawing></r></p>")]);
    let run = in_folder("scan", &[("scan.docx", &scan), ("a.txt", b"a kettle")], "scan.docx a.txt");
    assert_eq!(
        run.errors,
        "dedup: scan.docx: an Office document without text: its pages are pictures\nhint: save it \
         as a PDF, then recognize its text with a program such as ocrmypdf\n"
    );
    assert_eq!(run.status, 2);
}

#[test]
fn what_is_in_a_pdf_and_not_read_is_a_warning() {
    let folder = tempfile::tempdir().unwrap();
    let line = "The copper kettle stood on the old table by the window";
    let content = format!("BT /F 12 Tf 50 700 Td ({line}) Tj ET");
    let pdf = format!(
        "%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n\
         2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n\
         3 0 obj<</Type/Page/Parent 2 0 R/Contents 4 0 R/Annots[<</Subtype/Text/Contents(tea)>>]>>endobj\n\
         4 0 obj<</Length {}>>stream\n{content}\nendstream endobj\ntrailer<</Root 1 0 R>>\n",
        content.len()
    );
    std::fs::write(folder.path().join("a.pdf"), pdf).unwrap();
    std::fs::write(folder.path().join("b.txt"), line).unwrap();
    let run = |line: &str| -> Run {
        let mut command = command();
        // No other program is needed.
        command.current_dir(folder.path()).env("PATH", "").args(line.split(' '));
        command.output().unwrap().into()
    };
    let message = "1 annotation not read";
    let json = run("a.pdf b.txt --format json");
    let record: Value = serde_json::from_str(&json.output).unwrap();
    assert_eq!((json.errors.as_str(), json.status), ("", 0));
    let warnings: Vec<&Value> = record["warnings"].as_array().unwrap().iter().collect();
    let want = serde_json::json!({
        "code": "incomplete", "file": "a", "text": format!("the left text may be incomplete: {message}"),
    });
    assert_eq!(warnings, [&want]);
    let text = run("b.txt a.pdf --details");
    assert!(
        text.output.contains(&format!("warning: the right text may be incomplete: {message}\n")),
        "{}",
        text.output
    );
    let warning = format!("dedup: warning: a.pdf: {message}\n");
    for line in ["corpus a.pdf b.txt", "text a.pdf"] {
        assert_eq!(run(line).errors, warning, "{line}");
    }
}

/// Checks that hidden content of a document is not part of its text, and is reported.
#[test]
fn hidden_text_is_left_out_and_reported() {
    for kind in ["docx", "odt", "rtf"] {
        let name = document(&format!("hidden.{kind}"));
        assert!(Path::new(&name).exists());
        let run = dedup(&["--format", "json", &name, &name]);
        let record: Value = serde_json::from_str(&run.output).unwrap();
        let warnings = record["warnings"].as_array().unwrap();
        let hidden: Vec<&Value> =
            warnings.iter().filter(|warning| warning["code"] == "hidden-text").collect();
        assert_eq!(hidden.len(), 2, "{kind}: one for each side");
        assert_eq!((&hidden[0]["count"], &hidden[0]["line"]), (&9.into(), &Value::Null), "{kind}");
    }
}
