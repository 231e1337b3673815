//! Tests of the script that installs a release, with a local server.

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::json;
use sha2::{Digest, Sha256};

use crate::action::{run_action_with, write_script};
use crate::guide::INSTALL;
use crate::programs::{Run, command, folder, has_module, read, run, run_with};

const VERSION: &str = env!("CARGO_PKG_VERSION");
const TARGET: &str = "x86_64-unknown-linux-musl";

/// The files of a server, by path: the status, the content, and the number of bytes that are sent.
pub(crate) type Files = BTreeMap<String, (u16, Vec<u8>, usize)>;

/// Serves files until the test process ends, and returns the URL of the server.
pub(crate) fn serve(files: Files) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let files = Arc::new(files);
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let (files, stream) = (Arc::clone(&files), stream.unwrap());
            std::thread::spawn(move || answer(&files, stream));
        }
    });
    url
}

fn answer(files: &Files, mut stream: TcpStream) {
    let mut lines = BufReader::new(stream.try_clone().unwrap()).lines().map_while(Result::ok);
    let request = lines.next().unwrap_or_default();
    lines.take_while(|line| !line.is_empty()).for_each(drop);
    let path = request.split(' ').nth(1).unwrap_or_default();
    let missing = (404, b"none".to_vec(), 4);
    let (status, bytes, sent) = files.get(path).unwrap_or(&missing);
    let head = format!(
        "HTTP/1.1 {status} X\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
        bytes.len()
    );
    let _ = stream.write_all(&[head.as_bytes(), &bytes[..*sent]].concat());
}

fn name(target: &str) -> String {
    format!("dedup-{VERSION}-{target}")
}

/// Returns the archive of a target. Its program is a script.
pub(crate) fn archive(place: &Path, target: &str, script: &str) -> Vec<u8> {
    let inner = place.join("packed").join(name(target));
    write_script(&inner, "dedup", script);
    fs::write(inner.join("README.md"), "dedup").unwrap();
    let mut packing = command("tar", &place.join("packed"));
    let packed = run(packing.args(["-czf", "../packed.tar.gz", &name(target)]));
    assert_eq!(packed.status, Some(0), "{}", packed.errors);
    bytes(&place.join("packed.tar.gz"))
}

#[expect(clippy::disallowed_methods, reason = "no text that is compared")]
pub(crate) fn bytes(path: &Path) -> Vec<u8> {
    fs::read(path).unwrap()
}

fn sums(file: &str, bytes: &[u8]) -> Vec<u8> {
    let digest = data_encoding::HEXLOWER.encode(&Sha256::digest(bytes));
    let other = "0".repeat(64);
    format!("{other}  dedup-{VERSION}-other.tar.gz\n{digest}  {file}\n").into_bytes()
}

/// Returns the files of a release that has the archive of a target.
fn release(archive: &[u8], target: &str) -> Files {
    let file = format!("{}.tar.gz", name(target));
    let sums = sums(&file, archive);
    let entry = |name: &str, bytes: &[u8]| {
        (format!("/v{VERSION}/{name}"), (200, bytes.to_vec(), bytes.len()))
    };
    [entry("SHA256SUMS", &sums), entry(&file, archive)].into()
}

const RUNS: &str = concat!("echo dedup ", env!("CARGO_PKG_VERSION"));

/// Returns a `PATH` with fake programs that identify a machine: its system and CPU.
fn machine(place: &Path, system: &str, cpu: &str) -> String {
    let tools = place.join("machine");
    write_script(
        &tools,
        "uname",
        &format!("case $1 in -m) echo {cpu} ;; *) echo {system} ;; esac"),
    );
    // Hide the gh that the machine may have.
    write_script(&tools, "gh", "exit 1");
    format!("{}:/usr/bin:/bin", tools.display())
}

fn install(shell: &str, place: &Path, url: &str, path: &str) -> Run {
    let script = Path::new("packaging/install.sh").canonicalize().unwrap();
    let mut command = command(shell, place);
    command.arg(script).args([&format!("v{VERSION}"), "bin"]);
    run(command.env("PATH", path).env("DEDUP_BASE_URL", url))
}

/// Returns all paths below a folder, sorted.
fn listed(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let mut all: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    all.extend(all.clone().iter().flat_map(|path| listed(path)));
    all.sort();
    all
}

#[test]
fn a_release_is_installed_where_its_checksum_is_right_and_else_nothing_is() {
    let place = folder("install_archive");
    let good = archive(&place, TARGET, RUNS);
    let other = archive(&place, TARGET, "echo dedup 9.9.9");
    let broken = archive(&place, TARGET, "exit 1");
    let (path, file) = (machine(&place, "Linux", "x86_64"), format!("{}.tar.gz", name(TARGET)));
    let at = |name: &str| format!("/v{VERSION}/{name}");
    let with = |name: &str, status: u16, bytes: &[u8], length: usize| {
        let mut files = release(&good, TARGET);
        files.insert(at(name), (status, bytes.to_vec(), length));
        files
    };
    let mut without = release(&good, TARGET);
    without.remove(&at(&file));
    let (half, unlisted) = (good.len() / 2, format!("no {file} in it"));
    let sums = "SHA256SUMS";
    let version = concat!("is dedup 9.9.9, expected dedup ", env!("CARGO_PKG_VERSION"));
    #[rustfmt::skip]
    let table: Vec<(&str, Files, i32, &str)> = vec![
        ("right",           release(&good, TARGET),                 0, ""),
        ("wrong checksum",  with(&file, 200, &other, other.len()),  2, ", expected "),
        ("cut there",       with(&file, 200, &good[..half], half),  2, ", expected "),
        ("cut on its way",  with(&file, 200, &good, half),          2, "cannot be downloaded"),
        ("empty",           with(&file, 200, b"", 0),               2, ", expected "),
        ("missing",         without,                                2, "not found, though SHA256SUMS has it"),
        ("not in the list", with(sums, 200, b"0  x\n", 5),          1, &unlisted),
        ("no release",      Files::new(),                           1, "SHA256SUMS: not found"),
        ("refused",         with(sums, 403, b"", 0),                2, "the server answered 403, expected 200"),
        ("no archive",      release(b"no archive", TARGET),         2, "cannot be unpacked"),
        ("another version", release(&other, TARGET),                2, version),
        ("does not run",    release(&broken, TARGET),               2, "does not run on this machine"),
    ];
    for shell in ["sh", "bash", "dash"] {
        for (why, files, status, says) in &table {
            let url = serve(files.clone());
            let here = folder("install_here");
            let ran = install(shell, &here, &url, &path);
            assert_eq!(ran.status, Some(*status), "{shell}, {why}: {}{}", ran.output, ran.errors);
            assert!(ran.errors.contains(says), "{shell}, {why}: {}", ran.errors);
            let installed: &[PathBuf] =
                if *status == 0 { &[here.join("bin"), here.join("bin/dedup")] } else { &[] };
            assert_eq!(listed(&here), installed, "{shell}, {why}");
        }
    }
}

#[test]
fn nothing_is_overwritten() {
    let place = folder("install_there");
    let files = release(&archive(&place, TARGET, RUNS), TARGET);
    let path = machine(&place, "Linux", "x86_64");
    let url = serve(files);
    let bin = place.join("bin");
    write_script(&bin, "other", "echo other");
    assert_eq!(install("sh", &place, &url, &path).status, Some(0));
    let again = install("sh", &place, "http://127.0.0.1:1", &path);
    assert_eq!(again.output, format!("bin/dedup: dedup {VERSION} is there already\n"));
    assert_eq!(again.status, Some(0), "without a download: {}", again.errors);
    assert_eq!(listed(&bin), [bin.join("dedup"), bin.join("other")]);
    for (why, script) in [("another version", "echo dedup 0.0.9"), ("another program", "exit 3")] {
        fs::remove_file(bin.join("dedup")).unwrap();
        write_script(&bin, "dedup", script);
        let before = read(bin.join("dedup"));
        let refused = install("sh", &place, &url, &path);
        let want =
            format!("install.sh: bin/dedup: is there already, and is not dedup {VERSION}\nhint: ");
        assert!(refused.errors.starts_with(&want), "{why}: {}", refused.errors);
        assert_eq!(refused.status, Some(2), "{why}");
        assert_eq!(read(bin.join("dedup")), before, "{why}");
    }
    fs::remove_file(bin.join("dedup")).unwrap();
    symlink("/nowhere", bin.join("dedup")).unwrap();
    assert_eq!(install("sh", &place, &url, &path).status, Some(2), "a link that leads nowhere");
}

#[test]
fn each_machine_has_its_archive() {
    let place = folder("install_machine");
    let url = serve([(format!("/v{VERSION}/SHA256SUMS"), (200, Vec::new(), 0))].into());
    #[rustfmt::skip]
    let table = [
        ("Linux",                 "x86_64",  "x86_64-unknown-linux-musl.tar.gz in it"),
        ("Linux",                 "aarch64", "aarch64-unknown-linux-musl.tar.gz in it"),
        ("Linux",                 "riscv64", "no archive for Linux on riscv64"),
        ("Darwin",                "arm64",   "aarch64-apple-darwin.tar.gz in it"),
        ("Darwin",                "x86_64",  "x86_64-apple-darwin.tar.gz in it"),
        ("MINGW64_NT-10.0-26100", "x86_64",  "x86_64-pc-windows-msvc.zip in it"),
        ("MINGW64_NT-10.0-26100", "aarch64", "no archive for MINGW64_NT-10.0-26100 on aarch64"),
        ("SunOS",                 "x86_64",  "no archive for SunOS on x86_64"),
    ];
    let workflow = read(".github/workflows/release.yml");
    for (system, cpu, says) in table {
        let path = machine(&place, system, cpu);
        let run = install("sh", &place, &url, &path);
        assert_eq!(run.status, Some(1), "{system} {cpu}: {}", run.errors);
        assert!(run.errors.contains(says), "{system} {cpu}: {}", run.errors);
        if let Some((target, _)) = says.split_once(".tar.gz").or_else(|| says.split_once(".zip")) {
            assert!(workflow.contains(&format!("target: {target},")), "{target} is not released");
        }
    }
}

#[test]
fn an_attestation_is_checked_where_gh_is_logged_in() {
    let place = folder("install_attested");
    let url = serve(release(&archive(&place, TARGET, RUNS), TARGET));
    let path = machine(&place, "Linux", "x86_64");
    let log = place.join("log").display().to_string();
    let table = [
        ("attested", format!("echo \"$@\" >>'{log}'"), 0, ""),
        (
            "not attested",
            "[ \"$1\" = auth ]".to_owned(),
            2,
            "no attestation that OWNER/dedup built it",
        ),
        ("not logged in", "exit 1".to_owned(), 0, "the attestation is not checked"),
    ];
    for (why, gh, status, says) in table {
        let _ = fs::remove_dir_all(place.join("bin"));
        write_script(&place.join("machine"), "gh", &gh);
        let run = install("sh", &place, &url, &path);
        assert_eq!(run.status, Some(status), "{why}: {}", run.errors);
        assert!(
            run.errors.contains(says) && (run.errors.is_empty() == says.is_empty()),
            "{why}: {}",
            run.errors
        );
        assert_eq!(place.join("bin/dedup").exists(), status == 0, "{why}");
    }
    let asked = read(&log);
    assert!(asked.contains("auth status\nattestation verify bin/.dedup."), "{asked}");
    assert!(asked.ends_with(&format!("{}.tar.gz --repo OWNER/dedup\n", name(TARGET))), "{asked}");
}

/// Checks a download with wget, and one from a `file://` URL with curl.
#[test]
fn other_ways_to_download_do_as_well() {
    let place = folder("install_ways");
    let files = release(&archive(&place, TARGET, RUNS), TARGET);
    machine(&place, "Linux", "x86_64");
    let tools = place.join("machine");
    for tool in [
        "sh",
        "awk",
        "cut",
        "cat",
        "tar",
        "gzip",
        "mktemp",
        "mkdir",
        "mv",
        "rm",
        "rmdir",
        "sha256sum",
        "wget",
    ] {
        let found = ["/usr/bin", "/bin"].map(|folder| Path::new(folder).join(tool));
        let Some(found) = found.iter().find(|path| path.exists()) else {
            assert!(crate::programs::is_there(tool), "{tool}");
            return;
        };
        symlink(found, tools.join(tool)).unwrap();
    }
    let run = install("/bin/sh", &place, &serve(files.clone()), &tools.display().to_string());
    assert_eq!(run.status, Some(0), "{}", run.errors);
    fs::remove_file(tools.join("wget")).unwrap();
    for (why, wget, status, says) in [
        (
            "the server answers 404",
            "echo '  HTTP/1.1 404 Not Found' >&2; exit 8",
            1,
            "SHA256SUMS: not found\n",
        ),
        (
            "or 503",
            "echo '  HTTP/1.1 503 Busy' >&2; exit 8",
            2,
            "SHA256SUMS: cannot be downloaded\n",
        ),
        ("no network", "exit 4", 2, "SHA256SUMS: cannot be downloaded\n"),
    ] {
        let _ = fs::remove_dir_all(place.join("bin"));
        write_script(&tools, "wget", wget);
        let run = install("/bin/sh", &place, "http://localhost", &tools.display().to_string());
        assert_eq!(run.status, Some(status), "{why}: {}", run.errors);
        assert!(run.errors.contains(says), "{why}: {}", run.errors);
    }
    let mirror = folder("install_mirror");
    for (name, (_, bytes, _)) in files {
        let path = mirror.join(name.trim_start_matches('/'));
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }
    let path = machine(&place, "Linux", "x86_64");
    for (url, status) in
        [(format!("file://{}", mirror.display()), 0), ("file:///nowhere".to_owned(), 1)]
    {
        let _ = fs::remove_dir_all(place.join("bin"));
        let run = install("sh", &place, &url, &path);
        assert_eq!(run.status, Some(status), "{url}: {}", run.errors);
    }
}

#[test]
fn what_is_typed_wrong_is_an_error() {
    let place = folder("install_usage");
    let script = Path::new("packaging/install.sh").canonicalize().unwrap();
    #[rustfmt::skip]
    let table: [(&str, &[&str], &str); 6] = [
        ("nothing",          &[],                          "expected VERSION and FOLDER"),
        ("no folder",        &["v0.1.0"],                  "expected VERSION and FOLDER"),
        ("an empty folder",  &["v0.1.0", ""],              "expected a folder to install into"),
        ("no version",       &["latest", "bin"],           "latest: expected a version, such as v0.1.0"),
        ("a path",           &["v0/../..", "bin"],         "v0/../..: expected a version, such as v0.1.0"),
        ("no target",        &["v0.1.0", "bin", "../x"],   "../x: expected a target, such as x86_64-unknown-linux-musl"),
    ];
    for (why, arguments, says) in table {
        let run = run(command("sh", &place).arg(&script).args(arguments));
        assert_eq!(run.status, Some(2), "{why}");
        assert!(run.errors.starts_with(&format!("install.sh: {says}")), "{why}: {}", run.errors);
        assert!(listed(&place).is_empty(), "{why}");
    }
}

/// Checks that the action installs the archive of its release, builds from source if there is none,
/// and fails if the archive is not the released one.
#[test]
fn the_action_installs_its_release_and_builds_where_there_is_none() {
    let place = folder("install_action");
    let good = archive(
        &place,
        TARGET,
        &format!("[ \"$1\" = --version ] && {RUNS} || echo archived \"$1\""),
    );
    let path = machine(&place, "Linux", "x86_64");
    let built = place.join("temporary/dedup/bin");
    write_script(
        &place.join("machine"),
        "cargo",
        &format!(
            "mkdir -p '{0}'; printf '#!/bin/sh\\necho built' >'{0}/dedup'; chmod +x '{0}/dedup'",
            built.display()
        ),
    );
    let tag = format!("v{VERSION}");
    let wrong = {
        let mut files = release(&good, TARGET);
        files.get_mut(&format!("/v{VERSION}/{}.tar.gz", name(TARGET))).unwrap().1[9] ^= 1;
        files
    };
    #[rustfmt::skip]
    let table = [
        ("a release",         release(&good, TARGET),       tag.as_str(),   0, "archived corpus\n"),
        ("a branch",          release(&good, TARGET),       "main",         0, "built\n"),
        ("another tag",       release(&good, TARGET),       "v0.0.9",       0, "built\n"),
        ("no archive",        release(&good, "other"),      &tag,           0, "built\n"),
        ("no release",        Files::new(),                 &tag,           0, "built\n"),
        ("wrong checksum",    wrong,                        &tag,           2, ""),
    ];
    for (why, files, reference, status, says) in table {
        let _ = fs::remove_dir_all(place.join("temporary"));
        let url = serve(files);
        let variables = [("DEDUP_BASE_URL", url.as_str()), ("DEDUP_REF", reference)];
        let (run, _) = run_action_with(&place, &json!({ "paths": "a" }), Some(&path), &variables);
        assert_eq!(run.status, Some(status), "{why}: {}", run.errors);
        assert!(run.output.ends_with(says), "{why}: {}", run.output);
        assert_eq!(built.join("dedup").exists(), status == 0, "{why}");
    }
    let mode = fs::metadata("packaging/install.sh").unwrap().permissions().mode();
    assert_eq!(mode & 0o111, 0o111, "install.sh can be run");
}

/// Checks that the script for Windows prints the same messages. There is no `PowerShell` here to
/// run it: only its syntax, and that it contains each of the messages, are checked.
#[test]
fn the_script_for_windows_says_the_same() {
    let (shell, windows) = (read("packaging/install.sh"), read("packaging/install.ps1"));
    let messages = [
        "expected VERSION and FOLDER",
        ": expected a version, such as v0.1.0",
        "expected a folder to install into",
        "cargo install builds it from source",
        ": dedup $version is there already",
        ": is there already, and is not dedup $version",
        "name another folder, or move it away",
        ": cannot be made",
        "name a folder that may be written to",
        ": cannot be downloaded",
        ": the server answered $code, expected 200",
        "try again later, or name a mirror in DEDUP_BASE_URL",
        "$url/SHA256SUMS: not found",
        "there is no such release, or it is a draft",
        "$url/SHA256SUMS: no $file in it",
        ": not found, though SHA256SUMS has it",
        ": SHA-256 $found, expected $want",
        "it is cut or was changed on its way: do not run it",
        ": no attestation that $repository built it",
        "the attestation is not checked: gh is not there, or not logged in",
        ": cannot be unpacked",
        ": does not run on this machine",
        ": is $runs, expected dedup $version",
        "DEDUP_REPOSITORY",
        "DEDUP_BASE_URL",
        "OWNER/dedup",
    ];
    for message in messages {
        let in_code = |script: &str| {
            let mut code = script.lines().filter(|line| !line.starts_with('#'));
            code.any(|line| line.contains(message))
        };
        assert!(in_code(&shell), "install.sh: {message}");
        assert!(in_code(&windows), "install.ps1: {message}");
    }
    let parse = "import sys, tree_sitter, tree_sitter_powershell as grammar\n\
        parser = tree_sitter.Parser(tree_sitter.Language(grammar.language()))\n\
        sys.exit(parser.parse(sys.stdin.buffer.read()).root_node.has_error)";
    if has_module("tree_sitter_powershell") {
        for (script, status) in [(windows.clone(), 0), (windows.replacen('{', "(", 1), 1)] {
            let mut python = command("python3", Path::new("."));
            let parsed = run_with(python.args(["-c", parse]), &script);
            assert_eq!(parsed.status, Some(status), "{}", parsed.errors);
        }
    }
}

/// Runs the commands of the guide, with a local server instead of GitHub.
#[test]
fn the_lines_of_the_guide_install_it() {
    let place = folder("install_guide");
    let mut files = release(&archive(&place, TARGET, RUNS), TARGET);
    let script = bytes(Path::new("packaging/install.sh"));
    let size = script.len();
    files.insert("/install.sh".to_owned(), (200, script, size));
    let url = serve(files);
    let path = machine(&place, "Linux", "x86_64");
    let [get, install] = INSTALL;
    let (_, file) = get.rsplit_once('/').unwrap();
    assert_eq!(file, "install.sh");
    let script = format!("set -e\ncurl -fsSLO {url}/{file}\n{}", install.replace("FOLDER", "a/b"));
    let mut command = command("sh", &place);
    let run = run(command.args(["-c", &script]).env("PATH", path).env("DEDUP_BASE_URL", &url));
    assert_eq!(run.output, format!("a/b/dedup: dedup {VERSION}\n"), "{}", run.errors);
}
