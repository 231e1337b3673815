//! Tests of the manifests for Homebrew, Scoop, winget and `cargo binstall`: the version, the
//! archives and their checksums.

use std::fmt::Write;
use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::programs::{Run, command, folder, is_on_path, manifest, read, run};
use crate::workflow::yaml;

const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Returns the targets of a release, with the names of their archives.
fn archives() -> Vec<(String, String)> {
    let workflow = yaml(&read(".github/workflows/release.yml"));
    let built = workflow["jobs"]["build"]["strategy"]["matrix"]["include"].as_array().unwrap();
    let archive = |target: &str| {
        let kind = if target.contains("windows") { "zip" } else { "tar.gz" };
        (target.to_owned(), format!("dedup-{VERSION}-{target}.{kind}"))
    };
    built.iter().map(|it| archive(it["target"].as_str().unwrap())).collect()
}

/// Returns a fake digest that differs from archive to archive.
fn digest(file: &str) -> String {
    format!(
        "{:0>64}",
        format!(
            "{:x}",
            file.bytes().fold(7_u64, |sum, byte| sum * 31 % 0xffff_ffff_ffff + u64::from(byte))
        )
    )
}

/// Returns the checksums of a release, without those of the target `missing`.
fn sums(missing: &str) -> String {
    let mut sums = String::new();
    for (_, file) in archives().iter().filter(|(target, _)| target != missing) {
        writeln!(sums, "{}  {file}", digest(file)).unwrap();
    }
    writeln!(sums, "{}  dedup-text-{VERSION}.tgz", "f".repeat(64)).unwrap();
    writeln!(sums, "{}  dedup-0.0.1-x86_64-apple-darwin.tar.gz", "e".repeat(64)).unwrap();
    sums
}

fn written(place: &Path, sums: &str) -> Run {
    fs::write(place.join("SHA256SUMS"), sums).unwrap();
    let mut writing = command(".ci/manifests", Path::new("."));
    run(writing.arg(place).env("GITHUB_REPOSITORY", "anna/near"))
}

fn names(place: &Path) -> Vec<String> {
    let entries = fs::read_dir(place).unwrap();
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn each_manifest_names_the_archives_and_their_checksums() {
    let place = folder("manifests");
    let ran = written(&place, &sums(""));
    assert_eq!((ran.status, ran.errors.as_str()), (Some(0), ""));
    #[rustfmt::skip]
    let files = [
        "SHA256SUMS",
        "anna.dedup-text.installer.yaml", "anna.dedup-text.locale.en-US.yaml", "anna.dedup-text.yaml",
        "dedup-text.json", "dedup-text.rb",
    ];
    assert_eq!(names(&place), files);
    let url = format!("https://github.com/anna/near/releases/download/v{VERSION}");
    for file in &files[1..] {
        let text = read(place.join(file));
        for left in ["VERSION", "REPOSITORY", "PUBLISHER", "SHA256(", "OWNER"] {
            assert!(!text.contains(left), "{file}: {left}");
        }
        // The manifests of winget have a schema version as well, which is not ours.
        let versions = text.lines().filter(|line| line.contains(VERSION)).count();
        assert!(versions > 0, "{file}");
    }

    // Each URL in the formula is followed by the checksum of that archive.
    let formula = read(place.join("dedup-text.rb"));
    let mut seen = Vec::new();
    for (target, file) in archives() {
        let want = format!("url \"{url}/{file}\"\n      sha256 \"{}\"\n", digest(&file));
        if formula.contains(&want) {
            seen.push(target);
        }
    }
    let homebrew = [
        "x86_64-unknown-linux-musl",
        "aarch64-unknown-linux-musl",
        "x86_64-apple-darwin",
        "aarch64-apple-darwin",
    ];
    assert_eq!(seen, homebrew);
    assert_eq!(formula.matches("sha256 ").count(), 4);
    if is_on_path("ruby") {
        let checked = run(command("ruby", &place).args(["-c", "dedup-text.rb"]));
        assert_eq!(checked.status, Some(0), "{}", checked.errors);
    }

    let target = "x86_64-pc-windows-msvc";
    let file = format!("dedup-{VERSION}-{target}.zip");
    let scoop: Value = serde_json::from_str(&read(place.join("dedup-text.json"))).unwrap();
    assert_eq!(scoop["version"], VERSION);
    assert_eq!(scoop["bin"], "dedup.exe");
    let found = &scoop["architecture"]["64bit"];
    let want = json!({
        "url": format!("{url}/{file}"),
        "hash": digest(&file),
        "extract_dir": format!("dedup-{VERSION}-{target}"),
    });
    assert_eq!(found, &want);
    // The URL template for later versions has the same names.
    let next = &scoop["autoupdate"]["architecture"]["64bit"]["url"];
    assert_eq!(next.as_str().unwrap().replace("$version", VERSION), format!("{url}/{file}"));

    let installer = yaml(&read(place.join("anna.dedup-text.installer.yaml")));
    let want = json!([{
        "Architecture": "x64",
        "InstallerUrl": format!("{url}/{file}"),
        "InstallerSha256": digest(&file),
    }]);
    assert_eq!(installer["Installers"], want);
    let program = &installer["NestedInstallerFiles"][0];
    assert_eq!(program["RelativeFilePath"], format!("dedup-{VERSION}-{target}\\dedup.exe"));
    assert_eq!(program["PortableCommandAlias"], "dedup");
    for (file, kind) in [
        ("anna.dedup-text.installer.yaml", "installer"),
        ("anna.dedup-text.locale.en-US.yaml", "defaultLocale"),
        ("anna.dedup-text.yaml", "version"),
    ] {
        let manifest = yaml(&read(place.join(file)));
        let found = ["PackageIdentifier", "PackageVersion", "ManifestType", "ManifestVersion"]
            .map(|key| manifest[key].as_str().unwrap_or_else(|| panic!("{file}: {key}")));
        assert_eq!(found, ["anna.dedup-text", VERSION, kind, "1.10.0"], "{file}");
    }
}

#[test]
fn without_an_archive_no_manifest_is_written() {
    for target in ["x86_64-pc-windows-msvc", "aarch64-apple-darwin"] {
        let place = folder("manifests_missing");
        let ran = written(&place, &sums(target));
        assert_eq!(ran.status, Some(2), "{}", ran.errors);
        let says = format!(
            "SHA256({target})\n.ci/manifests: {}/SHA256SUMS has no such archive of version {VERSION}\n",
            place.display()
        );
        assert_eq!(ran.errors, says);
        assert_eq!(names(&place), ["SHA256SUMS"]);
    }
}

/// Checks that the URLs of Cargo.toml, filled in as `cargo binstall` does, are those of the
/// archives.
#[test]
fn binstall_finds_each_archive() {
    let package = manifest();
    let binstall = &package["metadata"]["binstall"];
    for (target, file) in archives() {
        let of_target = binstall["overrides"].get(&target);
        let value = |key: &str| {
            let value = of_target.and_then(|it| it.get(key)).or_else(|| binstall.get(key));
            let mut value = value.unwrap().as_str().unwrap().to_owned();
            for (name, filled) in [
                ("version", VERSION),
                ("target", &target),
                ("bin", "dedup"),
                ("binary-ext", if target.contains("windows") { ".exe" } else { "" }),
            ] {
                value = value.replace(&format!("{{ {name} }}"), filled);
            }
            assert!(!value.contains('{'), "{value}");
            value
        };
        let url = format!("https://github.com/OWNER/dedup/releases/download/v{VERSION}/{file}");
        assert_eq!(value("pkg-url"), url);
        let (program, kind) =
            if target.contains("windows") { ("dedup.exe", "zip") } else { ("dedup", "tgz") };
        assert_eq!(value("bin-dir"), format!("dedup-{VERSION}-{target}/{program}"));
        assert_eq!(value("pkg-fmt"), kind);
    }
}
