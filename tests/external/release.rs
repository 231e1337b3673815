//! What is released: the archive of a target, as the workflow packs it.

use std::path::Path;

use crate::programs::{binary, command, folder, run};

/// What is in an archive, besides its one folder.
#[rustfmt::skip]
const HELD: &[&str] = &[
    "CHANGELOG.md", "LICENSE", "README.md",
    "completions", "completions/_dedup", "completions/dedup.bash", "completions/dedup.fish", "completions/dedup.ps1",
    "dedup",
    "man", "man/dedup-calibrate.1", "man/dedup-check.1", "man/dedup-clusters.1", "man/dedup-completions.1",
    "man/dedup-config.1", "man/dedup-corpus.1", "man/dedup-man.1", "man/dedup-part.1", "man/dedup-spans.1",
    "man/dedup-text.1", "man/dedup.1",
];

#[test]
fn an_archive_holds_what_is_released() {
    let place = folder("release");
    let target = "x86_64-unknown-linux-gnu";
    let mut packing = command(".ci/package", Path::new("."));
    let packed = run(packing.arg(binary().join("dedup")).arg(target).arg(&place));
    assert_eq!(packed.status, Some(0), "{}", packed.errors);
    let name = format!("dedup-{}-{target}", env!("CARGO_PKG_VERSION"));
    let mut listing = command("tar", &place);
    let listed = run(listing.args(["-tzf", &format!("{name}.tar.gz")]));
    let mut held: Vec<&str> = listed
        .output
        .lines()
        .map(|path| path.strip_prefix(&name).unwrap().trim_matches('/'))
        .filter(|path| !path.is_empty())
        .collect();
    held.sort_unstable();
    assert_eq!(held, HELD);
    let left: Vec<_> = std::fs::read_dir(&place).unwrap().collect();
    assert_eq!(left.len(), 1, "{left:?}");
}

/// What does not run is not released.
#[test]
fn a_binary_that_fails_is_not_packed() {
    let place = folder("release_failing");
    let mut packing = command(".ci/package", Path::new("."));
    let packed = run(packing.arg("/bin/false").arg("x86_64-unknown-linux-gnu").arg(&place));
    assert_eq!(packed.status, Some(1), "{}", packed.errors);
    assert_eq!(std::fs::read_dir(&place).unwrap().count(), 0);
}
