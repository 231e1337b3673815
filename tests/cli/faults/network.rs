//! Checks that nothing is fetched, whatever a text refers to, and no program is started except for
//! PDFs.

use std::path::Path;
use std::process::Command;

use super::folder;
use crate::common::{is_installed, read_file};

/// A page with URLs of resources to load.
const PAGE: &str = "<!DOCTYPE html SYSTEM \"http://127.0.0.1:9/a.dtd\"><html><head>\
    <link rel=stylesheet href=http://127.0.0.1:9/a.css><script src=http://127.0.0.1:9/a.js></script>\
    </head><body><img src=http://127.0.0.1:9/a.png><iframe src=http://127.0.0.1:9/></iframe>\
    <p>A copper kettle and a wooden spoon on the old table by the window.</body></html>";

#[test]
fn no_connection_is_opened_and_no_program_started() {
    if !is_installed("strace", "--version") {
        return;
    }
    let folder = folder("network");
    std::fs::write(folder.join("page.html"), PAGE).unwrap();
    let documents = Path::new("tests/documents").canonicalize().unwrap();
    let documents = documents.display();
    for line in [
        "page.html page.html --report out.html".to_owned(),
        format!("page.html {documents}/oven_site.html --html all --explain"),
        format!("{documents}/pandoc.docx {documents}/libreoffice.odt --format json"),
        format!("{documents}/pandoc.epub {documents}/nbformat.ipynb"),
        format!("corpus page.html {documents}/mill.txt {documents}/pandoc.rtf --report out"),
    ] {
        let mut strace = Command::new("strace");
        strace.args(["-f", "-qq", "-o", "calls", "-e", "trace=socket,connect,bind,sendto,execve"]);
        strace.arg(env!("CARGO_BIN_EXE_dedup")).args(line.split(' ')).current_dir(&folder);
        let run = strace.output().unwrap();
        assert_ne!(run.status.code(), Some(2), "{line}: {}", String::from_utf8_lossy(&run.stderr));
        let calls = read_file(folder.join("calls"));
        let calls: Vec<&str> = calls.lines().filter(|call| !call.contains("+++")).collect();
        assert_eq!(calls.len(), 1, "more than its own start: {line}: {calls:#?}");
        assert!(calls[0].contains("execve("), "{line}: {calls:?}");
    }
}
