//! Helpers that several test files use: the built binary, and the table of samples.

use std::io::{Cursor, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};

use dedup_text::text::{ReadOptions, Text};

/// The result of running the binary.
#[derive(Debug, Eq, PartialEq)]
pub(crate) struct Run {
    pub(crate) status: i32,
    pub(crate) output: String,
    pub(crate) errors: String,
}

impl From<Output> for Run {
    fn from(output: Output) -> Self {
        Self {
            status: output.status.code().expect("ended by itself"),
            output: String::from_utf8(output.stdout).expect("UTF-8"),
            errors: String::from_utf8(output.stderr).expect("UTF-8"),
        }
    }
}

/// Returns the binary as a command that runs in the folder of the package. `DEDUP_PROGRAM` selects
/// another program: a command of words separated by spaces.
pub(crate) fn command() -> Command {
    let other = std::env::var("DEDUP_PROGRAM").unwrap_or_default();
    let mut words = other.split_whitespace();
    let mut command = Command::new(words.next().unwrap_or(env!("CARGO_BIN_EXE_dedup")));
    command.args(words);
    command
        .env_remove("GITHUB_STEP_SUMMARY")
        .env_remove("NO_COLOR")
        .env_remove("CLICOLOR_FORCE")
        .env_remove("COLUMNS");
    command
}

/// Runs `dedup` with arguments.
pub(crate) fn dedup<S: AsRef<std::ffi::OsStr>>(arguments: &[S]) -> Run {
    command().args(arguments).output().expect("runs").into()
}

/// Creates an empty folder for the test.
pub(crate) fn empty_folder(test: &str, name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(test).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// Runs `dedup` in a folder with the arguments of a line.
pub(crate) fn run(folder: &Path, line: &str) -> Run {
    command().current_dir(folder).args(line.split_whitespace()).output().unwrap().into()
}

/// Runs `dedup` with the arguments of a line, in a new folder with files.
pub(crate) fn in_folder(test: &str, files: &[(&str, &[u8])], line: &str) -> Run {
    static RUNS: AtomicUsize = AtomicUsize::new(0);
    let run = RUNS.fetch_add(1, Ordering::Relaxed).to_string();
    let folder = empty_folder(test, &run); // an earlier run of the tests may have left files there
    for (name, bytes) in files {
        std::fs::write(folder.join(name), bytes).unwrap();
    }
    self::run(&folder, line)
}

/// Runs the binary in a folder with standard input, of which it need not read everything.
pub(crate) fn with_input(folder: &Path, line: &str, input: impl AsRef<[u8]>) -> Run {
    let mut command = command();
    command.current_dir(folder).args(line.split_whitespace());
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let (mut stdin, input) = (child.stdin.take().unwrap(), input.as_ref().to_vec());
    let writer = std::thread::spawn(move || drop(stdin.write_all(&input)));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    output.into()
}

/// Returns records without the field `text`, and what a command prints about them when it ends
/// after the first three of `in.jsonl`.
pub(crate) fn records_without_text() -> (String, String) {
    let line = "{\"id\":1,\"meta\":{\"body\":\"a copper kettle\"}}\n";
    let hint = "hint: the fields are id, meta.body; --id FIELD and --text FIELD select other \
                fields\n";
    let lacks = |number: u32| {
        format!("dedup: in.jsonl: line {number}: no field text, expected one\n{hint}")
    };
    let lines = [1, 2, 3].map(lacks).concat();
    let wrong = "in.jsonl: none of the first 3 records is valid, expected the field text";
    (line.repeat(20), format!("{lines}dedup: {wrong}\n{hint}"))
}

/// Reports whether a program is installed, by running it with arguments. Under `DEDUP_CI`, it must
/// be.
pub(crate) fn is_installed(program: &str, arguments: &str) -> bool {
    let run = Command::new(program).args(arguments.split(' ')).output();
    let is_there = run.is_ok();
    if !is_there {
        assert!(std::env::var_os("DEDUP_CI").is_none(), "{program} is missing");
        let _ = writeln!(std::io::stderr(), "skipped: {program} is missing");
    }
    is_there
}

/// Reads a file in UTF-8: one of the repository, or one that a run has written.
#[expect(clippy::disallowed_methods, reason = "no text that is compared")]
pub(crate) fn read_file(path: impl AsRef<Path>) -> String {
    std::fs::read_to_string(&path)
        .unwrap_or_else(|error| panic!("{}: {error}", path.as_ref().display()))
}

/// Reads a file in UTF-8; `None` if it does not exist.
#[expect(clippy::disallowed_methods, reason = "no text that is compared")]
pub(crate) fn read_existing(path: PathBuf) -> Option<String> {
    std::fs::read(path).ok().map(|bytes| String::from_utf8(bytes).unwrap())
}

/// Returns files packed as a ZIP archive. A name that ends in / is a folder.
pub(crate) fn zipped<N: AsRef<str>, B: AsRef<[u8]>>(files: &[(N, B)]) -> Vec<u8> {
    let mut archive = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in files {
        archive.start_file(name.as_ref(), zip::write::SimpleFileOptions::default()).unwrap();
        archive.write_all(bytes.as_ref()).unwrap();
    }
    archive.finish().unwrap().into_inner()
}

/// Returns the eight words from a number on.
pub(crate) fn words(from: usize) -> String {
    (from..from + 8).map(|word| format!("word{word}")).collect::<Vec<_>>().join(" ")
}

/// Reads a sample.
pub(crate) fn sample_text(path: &str) -> Text {
    Text::open(Path::new(path), &ReadOptions::default()).unwrap()
}

/// A row of the table in `samples/README.md`.
pub(crate) struct Row {
    pub(crate) name: String,
    pub(crate) verdict: String,
    pub(crate) exit: i32,
    pub(crate) files: [String; 2],
    options: Vec<String>,
}

impl Row {
    /// Returns the two files, followed by the options.
    pub(crate) fn arguments(&self) -> Vec<&str> {
        self.files.iter().chain(&self.options).map(String::as_str).collect()
    }
}

/// Returns the only sample whose name begins with `start`.
fn sample(start: &str) -> String {
    let files = std::fs::read_dir("samples").unwrap().map(|file| file.unwrap().file_name());
    let names = files.map(|name| name.into_string().unwrap());
    let samples: Vec<String> = names.filter(|name| name.starts_with(start)).collect();
    assert_eq!(samples.len(), 1, "{start}");
    format!("samples/{}", samples[0])
}

/// Returns all rows, in order.
pub(crate) fn sample_rows() -> Vec<Row> {
    let table = read_file("samples/README.md");
    let rows: Vec<Row> = table
        .lines()
        .filter_map(|line| {
            let cells: Vec<&str> =
                line.split('|').map(|cell| cell.trim().trim_matches('`')).collect();
            let ["", name, _, _, options, verdict, exit, ""] = cells[..] else { return None };
            Some(Row {
                name: name.to_owned(),
                verdict: verdict.to_owned(),
                exit: exit.parse().ok()?,
                files: [1, 2].map(|side| sample(&format!("{name}_{side}."))),
                options: options.split_whitespace().map(str::to_owned).collect(),
            })
        })
        .collect();
    assert!(rows.len() >= 10, "{} rows", rows.len());
    rows
}
