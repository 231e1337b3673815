//! A build without documents: what it does not read, it names.
#![cfg(not(feature = "documents"))]

use std::process::Command;

/// The status of a pair, what is printed of it, and what is wrong.
fn compared(left: &str, right: &str) -> (Option<i32>, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_dedup"));
    let found = command.current_dir("tests/documents").args([left, right]).output().unwrap();
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
            "dedup: {file}: {kind}, which this build of dedup does not read: it was made without documents\nhint: the \
             programs of a release read it, and so does one that is built with --features documents\n"
        );
        assert_eq!(compared(file, "mill.txt"), (Some(2), String::new(), want), "{file}");
    }
}

#[test]
fn texts_are_compared() {
    for file in ["mill.txt", "harbour.md", "harbour.tex", "nbformat.ipynb"] {
        let (status, printed, wrong) = compared(file, file);
        assert_eq!((status, wrong.as_str()), (Some(0), ""), "{file}");
        assert!(printed.starts_with("IDENTICAL"), "{file}: {printed}");
    }
}
