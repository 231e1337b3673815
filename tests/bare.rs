//! Tests of a build without documents and reports: it rejects what it cannot read or write by name.
#![cfg(all(feature = "cli", not(any(feature = "documents", feature = "report"))))]

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
             documents\nhint: use a released program, or build with --features documents\n"
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

#[test]
fn a_report_is_an_error_and_nothing_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let page = folder.path().join("page.html");
    let page = page.to_str().unwrap();
    let want = "dedup: --report: not supported by this build of dedup, which was built without \
                reports\nhint: use a released program, or build with --features report\n";
    let commands: [&[&str]; 2] = [&["mill.txt", "harbour.md"], &["corpus", "."]];
    for command in commands {
        let (status, printed, wrong) = answered(&[command, &["--report", page]].concat());
        assert_eq!((status, printed.as_str(), wrong.as_str()), (Some(2), "", want), "{command:?}");
    }
    assert_eq!(folder.path().read_dir().unwrap().count(), 0);
}
