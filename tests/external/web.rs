//! Tests of the WASI program that the page runs: under node, it answers as the binary does. A step
//! of `.ci/run` checks that it also answers all of `tests/golden` so, byte for byte.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::programs::{Run, command, folder, is_there, read, run};

/// Returns the path of the program: `DEDUP_WASM`, or else the output of `web/build`. `None` if it
/// is not built or node is missing; in CI, that is an error.
fn program() -> Option<PathBuf> {
    let built = Path::new(env!("CARGO_TARGET_TMPDIR")).join("../wasm32-wasip1/release/dedup.wasm");
    let file = std::env::var_os("DEDUP_WASM").map_or(built, PathBuf::from);
    if !file.is_file() {
        assert!(std::env::var_os("DEDUP_CI").is_none(), "{} is missing", file.display());
        let _ = writeln!(std::io::stderr(), "skipped: {} is not built", file.display());
        return None;
    }
    is_there("node").then_some(file)
}

/// Returns a command that runs the program in a folder, which is the only one that it can access.
fn under_node(program: &Path, folder: &Path) -> Command {
    let mut node = command("node", folder);
    let host = Path::new(env!("CARGO_MANIFEST_DIR")).join("web/run.mjs");
    node.args(["--no-warnings", "--single-threaded-gc"]).arg(host).arg(program);
    node
}

/// Creates a folder with samples, documents and a file of records.
fn texts(test: &str) -> PathBuf {
    let place = folder(test);
    let files = [
        "samples/edited_1.txt",
        "samples/edited_2.txt",
        "samples/pasted_1.txt",
        "samples/pasted_2.txt",
        "samples/notices.jsonl",
        "tests/documents/libreoffice.doc",
        "tests/documents/pillow.pdf",
    ];
    for file in files {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(file);
        std::fs::copy(&file, place.join(file.file_name().unwrap())).unwrap();
    }
    place
}

#[test]
fn the_program_in_the_page_answers_as_the_binary_does() {
    let Some(program) = program() else { return };
    let place = texts("web_answers");
    // A page with elements that are nested too deeply for a stack of 1 MB.
    let deep = format!("{}a few words at the bottom of it all{}", "<div>".repeat(20_000), "");
    std::fs::write(place.join("deep.html"), &deep).unwrap();
    let lines = [
        "pasted_1.txt pasted_2.txt",
        "pasted_1.txt pasted_2.txt --details --at-least excerpt",
        "edited_1.txt edited_2.txt --quiet --fail-on near-duplicate",
        "edited_1.txt edited_2.txt --quiet --report -",
        "deep.html deep.html",
        "corpus edited_1.txt edited_2.txt pasted_1.txt pasted_2.txt --at-least partial --memory 1K",
        "corpus --jsonl notices.jsonl --keep first --output clean.jsonl",
        "spans --jsonl notices.jsonl",
        "edited_1.txt --template",
        "edited_1.txt nowhere/edited.txt --frobnicate",
        "--version",
    ];
    for line in lines {
        let answer = |mut command: Command| -> Run { run(command.args(line.split(' '))) };
        let [here, there] =
            [answer(command("dedup", &place)), answer(under_node(&program, &place))];
        assert_eq!(
            (there.status, there.output, there.errors),
            (here.status, here.output, here.errors),
            "{line}"
        );
    }
}

#[test]
fn files_are_written_whole_and_replaced() {
    let Some(program) = program() else { return };
    let place = texts("web_files");
    let flags = "pasted_1.txt pasted_2.txt --report report.html --format json=pair.json";
    let answer = |mut command: Command| {
        let result = run(command.args(flags.split(' ')));
        assert_eq!(result.status, Some(1), "{}", result.errors);
        let mut names: Vec<_> =
            std::fs::read_dir(&place).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        names.sort();
        (result.errors, names, read(place.join("report.html")), read(place.join("pair.json")))
    };
    let here = answer(command("dedup", &place));
    assert_eq!(answer(under_node(&program, &place)), here);
    for file in ["report.html", "pair.json"] {
        std::fs::write(place.join(file), "earlier").unwrap();
    }
    assert_eq!(answer(under_node(&program, &place)), here);
}

#[test]
fn what_is_not_read_is_named() {
    let Some(program) = program() else { return };
    let place = texts("web_refused");
    let result = run(under_node(&program, &place).args(
        "corpus edited_1.txt edited_2.txt libreoffice.doc pillow.pdf --quiet --format json=found.json"
            .split(' '),
    ));
    let want = "dedup: pillow.pdf: a PDF without text: its pages are pictures\nhint: recognize the \
                text first, with a program such as ocrmypdf\n";
    assert_eq!((result.errors.as_str(), result.status), (want, Some(2)));
    // All other texts are compared.
    assert!(read(place.join("found.json")).contains("edited_2.txt"));
}
