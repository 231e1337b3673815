//! Tests of a build without documents: it rejects what it cannot read by name.
#![cfg(all(feature = "cli", not(feature = "documents")))]

use std::process::Command;

/// Runs `dedup`, and returns the status, standard output and standard error.
fn answered(arguments: &[&str]) -> (Option<i32>, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_dedup"));
    let found = command.current_dir("tests/documents").args(arguments).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (found.status.code(), text(found.stdout), text(found.stderr))
}

#[test]
fn a_document_is_an_error_that_says_how_it_is_read() {
    #[rustfmt::skip]
    let table = [
        ("pandoc.docx",     "a ZIP archive, or a document in one such as docx"),
        ("libreoffice.odt", "a ZIP archive, or a document in one such as docx"),
        ("libreoffice.doc", "an old Word document"),
        ("libreoffice.pdf", "a PDF"),
        ("libreoffice.rtf", "a document in Rich Text Format"),
        ("mill_site.html",  "a web page"),
    ];
    for (file, kind) in table {
        let want = format!(
            "dedup: {file}: {kind}, which this build of dedup does not read: it was made without \
             documents\nhint: use a released program, or build with the default features\n"
        );
        assert_eq!(answered(&[file, "mill.txt"]), (Some(2), String::new(), want), "{file}");
    }
}

#[test]
fn texts_are_compared() {
    for file in ["mill.txt", "harbour.md", "harbour.tex", "nbformat.ipynb"] {
        let (status, printed, wrong) = answered(&[file, file]);
        assert_eq!((status, wrong.as_str()), (Some(0), ""), "{file}");
        assert!(printed.starts_with("IDENTICAL"), "{file}: {printed}");
    }
}
