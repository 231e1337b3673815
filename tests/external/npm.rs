//! Tests of the npm packages: building them from the archives of a release, installing them from a
//! local registry, and the script that starts the program.

use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use serde_json::{Value, json};

use crate::action::write_script;
use crate::install::{Files, archive, bytes, serve};
use crate::places::Course;
use crate::programs::{Run, command, folder, is_there, read, run};
use crate::workflow::yaml;

const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The packages: target, name, operating system and CPU.
#[rustfmt::skip]
const PACKAGES: &[(&str, &str, &str, &str)] = &[
    ("aarch64-apple-darwin",       "dedup-text-darwin-arm64", "darwin", "arm64"),
    ("aarch64-unknown-linux-musl", "dedup-text-linux-arm64",  "linux",  "arm64"),
    ("x86_64-apple-darwin",        "dedup-text-darwin-x64",   "darwin", "x64"),
    ("x86_64-pc-windows-msvc",     "dedup-text-win32-x64",    "win32",  "x64"),
    ("x86_64-unknown-linux-musl",  "dedup-text-linux-x64",    "linux",  "x64"),
];

/// Builds the packages of a release, in which each program is a script. `None` if npm or Python is
/// missing.
fn packages(place: &Path, script: &str) -> Option<PathBuf> {
    if !is_there("npm") || !is_there("python3") {
        return None;
    }
    let dist = place.join("dist");
    fs::create_dir_all(&dist).unwrap();
    for (target, ..) in PACKAGES {
        let name = format!("dedup-{VERSION}-{target}");
        if target.contains("windows") {
            let inner = place.join("packed").join(&name);
            write_script(&inner, "dedup.exe", script);
            fs::write(inner.join("dedup.html"), "the page").unwrap();
            let archive = dist.join(format!("{name}.zip"));
            let mut zip = command("python3", &place.join("packed"));
            let zipped = run(zip.args(["-m", "zipfile", "-c"]).arg(archive).arg(&name));
            assert_eq!(zipped.status, Some(0), "{}", zipped.errors);
        } else {
            fs::write(dist.join(format!("{name}.tar.gz")), archive(place, target, script)).unwrap();
        }
    }
    let made = run(command(".ci/npm", Path::new(".")).arg(&dist));
    assert_eq!((made.status, made.errors.as_str()), (Some(0), ""), "{}", made.output);
    Some(dist)
}

/// Returns the `package.json` of a package, and the names of its files.
fn unpacked(dist: &Path, name: &str) -> (Value, Vec<String>) {
    let file = format!("{name}-{VERSION}.tgz");
    let tar = |arguments: &[&str]| run(command("tar", dist).args(arguments)).output;
    let mut names: Vec<String> = tar(&["-tzf", &file]).lines().map(str::to_owned).collect();
    names.sort();
    (serde_json::from_str(&tar(&["-xzOf", &file, "package/package.json"])).unwrap(), names)
}

/// Starts a registry with the packages of a folder, and a server of the tarballs.
fn registry(dist: &Path) -> String {
    let names = PACKAGES.iter().map(|(_, name, ..)| *name).chain(["dedup-text"]);
    let mut tarballs = Files::new();
    for name in names.clone() {
        let tarball = bytes(&dist.join(format!("{name}-{VERSION}.tgz")));
        let size = tarball.len();
        tarballs.insert(format!("/{name}.tgz"), (200, tarball, size));
    }
    let url = serve(tarballs);
    let entry = |name: &str| {
        let (mut package, _) = unpacked(dist, name);
        package["dist"] = json!({ "tarball": format!("{url}/{name}.tgz") });
        let page = json!({
            "name": name,
            "dist-tags": { "latest": VERSION },
            "versions": { VERSION: package },
        });
        let page = page.to_string().into_bytes();
        let size = page.len();
        (format!("/{name}"), (200, page, size))
    };
    serve(names.map(entry).collect())
}

fn npm_install(place: &Path, url: &str) {
    fs::write(place.join("package.json"), "{ \"private\": true }").unwrap();
    let mut npm = command("npm", place);
    npm.args(["install", "--no-audit", "--no-fund", "--registry", url, "dedup-text"]);
    let run = run(npm.env("npm_config_cache", place.join("cache")));
    assert_eq!(run.status, Some(0), "{}{}", run.output, run.errors);
}

#[test]
fn there_is_a_package_for_each_archive_of_the_release() {
    let workflow = yaml(&read(".github/workflows/release.yml"));
    let built = workflow["jobs"]["build"]["strategy"]["matrix"]["include"].as_array().unwrap();
    let mut targets: Vec<&str> = built.iter().map(|it| it["target"].as_str().unwrap()).collect();
    targets.sort_unstable();
    let known: Vec<&str> = PACKAGES.iter().map(|(target, ..)| *target).collect();
    assert_eq!(targets, known);

    let Some(dist) = packages(&folder("npm_packages"), "echo") else { return };
    let (main, held) = unpacked(&dist, "dedup-text");
    let held: Vec<&str> = held.iter().map(|name| name.strip_prefix("package/").unwrap()).collect();
    assert_eq!(held, ["LICENSE", "README.md", "dedup.js", "package.json"]);
    assert_eq!(main["bin"], json!({ "dedup": "dedup.js", "dedup-text": "dedup.js" }));
    let optional = PACKAGES.iter().map(|(_, name, ..)| ((*name).to_owned(), json!(VERSION)));
    assert_eq!(main["optionalDependencies"], Value::Object(optional.collect()));
    for (target, name, system, cpu) in PACKAGES {
        let (package, held) = unpacked(&dist, name);
        // The page is next to the program if the archive contains it, as the one for Windows does
        // here.
        let want = match *system {
            "win32" => &["LICENSE", "dedup.exe", "dedup.html", "package.json"][..],
            _ => &["LICENSE", "dedup", "package.json"],
        };
        let want: Vec<String> = want.iter().map(|name| format!("package/{name}")).collect();
        assert_eq!(held, want, "{target}");
        assert_eq!((&package["name"], &package["version"]), (&json!(name), &json!(VERSION)));
        assert_eq!((&package["os"], &package["cpu"]), (&json!([system]), &json!([cpu])), "{name}");
    }
    // No package runs scripts when it is installed.
    for name in PACKAGES.iter().map(|(_, name, ..)| *name).chain(["dedup-text"]) {
        let (package, _) = unpacked(&dist, name);
        assert_eq!(package.get("scripts"), None, "{name}");
        let shown = package.to_string();
        assert!(!shown.contains("\"VERSION\"") && !shown.contains("REPOSITORY"), "{shown}");
    }
}

/// Checks that npm installs only the package for this machine, and that the command on the path
/// runs its program.
#[test]
fn the_package_is_installed_from_a_registry_and_runs() {
    let place = Course::Copied.folder("npm_installed");
    let script = format!("exec '{}' \"$@\"", env!("CARGO_BIN_EXE_dedup"));
    let Some(dist) = packages(&place, &script) else { return };
    npm_install(&place, &registry(&dist));
    let machine = match std::env::consts::ARCH {
        "x86_64" => "x64",
        _ => "arm64",
    };
    let entries = fs::read_dir(place.join("node_modules")).unwrap();
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut ours: Vec<String> = names.filter(|name| name.starts_with("dedup")).collect();
    ours.sort();
    // Earlier versions of npm, such as 9 in Debian, ignore the C library and install both for
    // Linux.
    let system = std::env::consts::OS.replace("macos", "darwin");
    let of_machine = format!("dedup-text-{system}-{machine}");
    assert_eq!(ours.remove(0), "dedup-text");
    assert!(!ours.is_empty() && ours.len() <= 2, "{ours:?}");
    assert!(ours.iter().all(|name| name.starts_with(&of_machine)), "{ours:?}");

    #[rustfmt::skip]
    let table: &[(&str, &[&str], i32, &str)] = &[
        ("the version",   &["--version"],                                          0, "dedup 0"),
        ("a pair",        &["draft.txt", "final.txt"],                             0, "NEAR-DUPLICATE: "),
        ("another pair",  &["draft.txt", "sheet.txt"],                             1, "DIFFERENT: "),
        ("a folder",      &["check", "submissions", "--template", "sheet.txt"],    1, "same+changed "),
        ("no such file",  &["draft.txt", "finel.txt"],                             2, ""),
        ("no argument",   &[],                                                     2, ""),
    ];
    let bin = place.join("node_modules/.bin");
    for name in ["dedup", "dedup-text"] {
        for (why, arguments, status, says) in table {
            let ran = run(command(bin.join(name), &place).args(*arguments));
            let plain = run(command(env!("CARGO_BIN_EXE_dedup"), &place).args(*arguments));
            assert_eq!(ran.status, Some(*status), "{name}, {why}: {}{}", ran.output, ran.errors);
            assert!(ran.output.starts_with(says), "{name}, {why}: {}", ran.output);
            assert_eq!((ran.output, ran.errors), (plain.output, plain.errors), "{name}, {why}");
        }
    }

    // A signal that is sent to the starter ends both processes, with that signal.
    for (signal, number) in [("TERM", 15), ("INT", 2), ("HUP", 1)] {
        let mut waiting = command(bin.join("dedup"), &place);
        let waiting = waiting.args(["-", "draft.txt"]).stdin(Stdio::piped());
        let mut child = waiting.stdout(Stdio::null()).spawn().unwrap();
        let of_child = format!("/proc/{}/task/{0}/children", child.id());
        let children = || fs::metadata(&of_child).map_or(String::new(), |_| read(&of_child));
        while children().is_empty() {
            std::thread::sleep(std::time::Duration::from_millis(20));
        }
        let program = children().split_whitespace().next().unwrap().to_owned();
        // Node handles signals only after it has started the program.
        std::thread::sleep(std::time::Duration::from_millis(200));
        let id = child.id().to_string();
        assert_eq!(run(command("kill", &place).args(["-s", signal, &id])).status, Some(0));
        let ended = child.wait().unwrap();
        assert_eq!(ended.signal(), Some(number), "{signal}: {ended}");
        assert!(!Path::new("/proc").join(program).exists(), "{signal}: the program goes on");
    }
}

/// Checks which program is started on each kind of machine, and the error if there is none.
#[test]
fn each_machine_starts_its_program_or_says_what_to_do() {
    if !is_there("node") {
        return;
    }
    let place = folder("npm_machines");
    let modules = place.join("node_modules");
    for (_, name, system, ..) in PACKAGES {
        let program = if *system == "win32" { "dedup.exe" } else { "dedup" };
        write_script(&modules.join(name), program, &format!("echo {name} \"$@\""));
        fs::write(modules.join(name).join("package.json"), "{}").unwrap();
    }
    let main = modules.join("dedup-text");
    fs::create_dir_all(&main).unwrap();
    fs::copy("packaging/npm/dedup.js", main.join("dedup.js")).unwrap();
    let optional: serde_json::Map<String, Value> =
        PACKAGES.iter().map(|(_, name, ..)| ((*name).to_owned(), json!(VERSION))).collect();
    let package = json!({ "optionalDependencies": optional });
    fs::write(main.join("package.json"), package.to_string()).unwrap();
    let start = |system: &str, cpu: &str| -> Run {
        let of = format!(
            "for (const [name, value] of [['platform', '{system}'], ['arch', '{cpu}']]) \
             Object.defineProperty(process, name, {{ value }}); \
             process.argv.splice(1, 0, 'dedup.js'); require('dedup-text/dedup.js')"
        );
        run(command("node", &place).args(["-e", &of, "a b", "--quiet"]))
    };
    #[rustfmt::skip]
    let table = [
        ("linux",   "x64",   "dedup-text-linux-x64"),
        ("linux",   "arm64", "dedup-text-linux-arm64"),
        ("darwin",  "arm64", "dedup-text-darwin-arm64"),
        ("darwin",  "x64",   "dedup-text-darwin-x64"),
        ("win32",   "x64",   "dedup-text-win32-x64"),
    ];
    for (system, cpu, name) in table {
        let started = start(system, cpu);
        assert_eq!(started.output, format!("{name} a b --quiet\n"), "{}", started.errors);
        assert_eq!(started.status, Some(0), "{system} {cpu}");
    }
    for (system, cpu) in [("linux", "riscv64"), ("win32", "arm64"), ("sunos", "x64")] {
        let started = start(system, cpu);
        assert_eq!(started.status, Some(2), "{system} {cpu}");
        let want = format!("dedup: no program for {system} on {cpu}, expected one of dedup-text-");
        assert!(started.errors.starts_with(&want), "{}", started.errors);
        assert!(started.errors.ends_with("\nhint: cargo install builds it from source\n"));
    }
    // A package without its program counts as missing, too.
    let package = modules.join("dedup-text-linux-x64");
    fs::remove_file(package.join("dedup")).unwrap();
    for why in ["no program", "no package"] {
        let started = start("linux", "x64");
        assert_eq!((started.status, started.output.as_str()), (Some(2), ""), "{why}");
        let want = "dedup: dedup-text-linux-x64 is not installed\nhint: ";
        assert!(started.errors.starts_with(want), "{why}: {}", started.errors);
        let install = "npm install --force dedup-text-linux-x64\n";
        assert!(started.errors.ends_with(install), "{why}: {}", started.errors);
        let _ = fs::remove_dir_all(&package);
    }
}

/// Checks that a release without archives of its version gives no packages.
#[test]
fn without_archives_there_are_no_packages() {
    let place = folder("npm_none");
    fs::write(place.join("dedup-0.0.1-x86_64-unknown-linux-musl.tar.gz"), "").unwrap();
    let made = run(command(".ci/npm", Path::new(".")).arg(&place));
    assert_eq!(made.status, Some(2), "{}", made.errors);
    assert!(
        made.errors.ends_with(&format!("no archive of version {VERSION}\n")),
        "{}",
        made.errors
    );
    assert_eq!(fs::read_dir(&place).unwrap().count(), 1);
}
