//! Tests of the archive of a release, as the workflow packs it.

use std::path::Path;

use crate::programs::{binary, command, folder, read, run};

/// The files of an archive, without its top-level folder.
#[rustfmt::skip]
const HELD: &[&str] = &[
    "CHANGELOG.md", "LICENSE", "README.md",
    "completions", "completions/_dedup", "completions/dedup.bash", "completions/dedup.fish", "completions/dedup.ps1",
    "dedup", "dedup.html",
    "man", "man/dedup-calibrate.1", "man/dedup-check.1", "man/dedup-completions.1",
    "man/dedup-config.1", "man/dedup-corpus.1",
    "man/dedup-index-add.1", "man/dedup-index-build.1", "man/dedup-index-check.1", "man/dedup-index-compact.1",
    "man/dedup-index-info.1", "man/dedup-index-list.1", "man/dedup-index-remove.1", "man/dedup-index.1",
    "man/dedup-man.1", "man/dedup-spans.1",
    "man/dedup-text.1", "man/dedup-web.1", "man/dedup.1",
];

/// Returns the source of the page with a version filled in, like the one that `web/build` builds.
pub(crate) fn page(version: &str) -> String {
    read("web/page.html").replace("@version@", version)
}

#[test]
fn an_archive_holds_what_is_released() {
    let place = folder("release");
    let page_file = folder("release_page").join("dedup.html");
    std::fs::write(&page_file, page(env!("CARGO_PKG_VERSION"))).unwrap();
    let target = "x86_64-unknown-linux-musl";
    let pack = |page: &Path| {
        let mut packing = command(".ci/package", Path::new("."));
        packing.arg(binary().join("dedup")).arg(target).arg(&place).env("DEDUP_PAGE", page);
        run(&mut packing)
    };
    let packed = pack(&page_file);
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
    // A page of another version is rejected.
    std::fs::write(&page_file, page("0.0.1")).unwrap();
    let packed = pack(&page_file);
    assert_eq!(packed.status, Some(2), "{}", packed.errors);
    assert!(packed.errors.contains("belongs to dedup 0.0.1"), "{}", packed.errors);
}

/// Checks that a program that does not run is not packed.
#[test]
fn a_binary_that_fails_is_not_packed() {
    let place = folder("release_failing");
    let mut packing = command(".ci/package", Path::new("."));
    let packed = run(packing.arg("/bin/false").arg("x86_64-unknown-linux-musl").arg(&place));
    assert_eq!(packed.status, Some(1), "{}", packed.errors);
    assert_eq!(std::fs::read_dir(&place).unwrap().count(), 0);
}
