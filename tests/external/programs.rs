//! Runs programs: ours, and those of others, which may be missing.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// The result of running a program.
#[derive(Debug)]
pub(crate) struct Run {
    pub(crate) status: Option<i32>,
    pub(crate) output: String,
    pub(crate) errors: String,
}

impl From<Output> for Run {
    fn from(output: Output) -> Self {
        let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
        Self {
            status: output.status.code(),
            output: text(output.stdout),
            errors: text(output.stderr),
        }
    }
}

/// Runs a command until it exits.
pub(crate) fn run(command: &mut Command) -> Run {
    command.output().unwrap_or_else(|error| panic!("{command:?}: {error}")).into()
}

/// Returns the folder of the built binary.
pub(crate) fn binary() -> &'static Path {
    Path::new(env!("CARGO_BIN_EXE_dedup")).parent().unwrap()
}

/// Returns `PATH` with the folder of the built binary first.
pub(crate) fn path() -> String {
    format!("{}:{}", binary().display(), std::env::var("PATH").unwrap())
}

/// Returns a command that runs a program in a folder, with the built binary first on `PATH`, and
/// without the caller's variables for git, colours and CI.
pub(crate) fn command(program: impl AsRef<std::ffi::OsStr>, folder: &Path) -> Command {
    let mut command = Command::new(program);
    command.current_dir(folder).env("PATH", path());
    let of_callers = |name: &str| name.starts_with("GIT_") || name.starts_with("GITHUB_");
    for (name, _) in std::env::vars_os() {
        if name.to_str().is_some_and(of_callers) {
            command.env_remove(name);
        }
    }
    for name in ["CI", "NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "COLUMNS"] {
        command.env_remove(name);
    }
    command
}

/// Reports whether a program is on `PATH`.
pub(crate) fn is_on_path(program: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder| folder.join(program).is_file())
}

/// Reports whether a program is on `PATH`. If it is not, the test may be skipped, except in CI.
pub(crate) fn is_there(program: &str) -> bool {
    let found = is_on_path(program);
    if !found {
        assert!(std::env::var_os("DEDUP_CI").is_none(), "{program} is missing");
        let _ = writeln!(std::io::stderr(), "skipped: {program} is not installed");
    }
    found
}

/// Returns the metadata of the package in Cargo.toml, as JSON.
pub(crate) fn manifest() -> serde_json::Value {
    let arguments = ["metadata", "--no-deps", "--offline", "--format-version", "1"];
    let result = run(command(env!("CARGO"), Path::new(".")).args(arguments));
    assert_eq!(result.status, Some(0), "{}", result.errors);
    let mut result: serde_json::Value = serde_json::from_str(&result.output).unwrap();
    let mut packages = result["packages"].as_array_mut().unwrap().drain(..);
    packages.find(|package| package["name"] == env!("CARGO_PKG_NAME")).unwrap()
}

/// Reports whether Python has a module. If it has not, the test may be skipped, except in CI.
pub(crate) fn has_module(name: &str) -> bool {
    let found = is_there("python3")
        && run(command("python3", Path::new(".")).args(["-c", &format!("import {name}")])).status
            == Some(0);
    if !found {
        assert!(std::env::var_os("DEDUP_CI").is_none(), "Python's {name} is missing");
        let _ = writeln!(std::io::stderr(), "skipped: Python has no {name}");
    }
    found
}

/// Runs a command until it exits, with a text as its standard input.
pub(crate) fn run_with(command: &mut Command, input: &str) -> Run {
    let piped = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = piped.spawn().unwrap_or_else(|error| panic!("{piped:?}: {error}"));
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    child.wait_with_output().unwrap().into()
}

/// Reads a file.
#[expect(clippy::disallowed_methods, reason = "no text that is compared")]
pub(crate) fn read(path: impl AsRef<Path>) -> String {
    std::fs::read_to_string(&path)
        .unwrap_or_else(|error| panic!("{}: {error}", path.as_ref().display()))
}

/// Creates an empty folder for the test.
pub(crate) fn folder(test: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("outside").join(test);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}
