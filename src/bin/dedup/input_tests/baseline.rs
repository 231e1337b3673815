//! Invariants of reading and updating baselines.

use std::collections::BTreeSet;
use std::num::NonZeroUsize;
use std::path::Path;

use dedup_text::pair;
use dedup_text::pair::Recipe;
use dedup_text::text::Text;
use dedup_text::verdict::Verdict;

use super::check;
use super::report::compared;
use crate::baseline::{Baseline, RunFindings, RunText};
use crate::diagnostics::Diagnostic;

/// The texts share a passage of 25 words, of which twelve in a row are new unless tiles cover them.
const LEFT: &str = "a copper kettle and a wooden spoon stood on the old table by the window where the baker of \
                    the village counted his silver coins every evening before supper";
const RIGHT: &str = "nobody saw that a copper kettle and a wooden spoon stood on the old table by the window \
                     where the baker of the village counted his silver coins, or so they say";

#[test]
fn only_what_a_baseline_lists_is_accepted() {
    check("baseline", 4, baseline);
}

/// Checks that a pair is accepted only if the file lists a tile of its passage, and whenever the
/// file lists all of its entries. After an update, the pair is accepted, and a second update changes
/// nothing. A file that is not a baseline stays as it is.
fn baseline(bytes: &[u8]) {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("baseline.txt");
    std::fs::write(&file, bytes).expect("written");
    let read = accepted(&file, &[]);
    if let Err(error) = &read {
        let diagnostic = error.downcast_ref::<Diagnostic>().expect("an error of the file");
        assert!(diagnostic.to_string().starts_with(file.to_str().expect("UTF-8")));
    }
    let updated = accepted(&file, &["--update-baseline"]);
    if updated.is_err() {
        assert_eq!(content(&file), bytes, "what is no baseline stays");
        return;
    }
    let entries = String::from_utf8(content(&file)).expect("UTF-8");
    if let Ok(was_accepted) = read {
        let listed = String::from_utf8_lossy(bytes);
        let is_listed = |entry: &str| listed.lines().any(|line| key(line) == key(entry));
        let are_all_listed = entries.lines().skip(1).all(is_listed);
        assert!(was_accepted || !are_all_listed, "listed and not accepted");
        let known: BTreeSet<&str> = listed.lines().flat_map(tiles).collect();
        let is_known = entries.lines().flat_map(tiles).any(|tile| known.contains(tile));
        assert!(is_known || !was_accepted, "accepted and not listed");
    }
    assert!(accepted(&file, &[]).expect("what was written is read"), "accepted by it");
    accepted(&file, &["--update-baseline"]).expect("written again");
    assert_eq!(content(&file), entries.as_bytes(), "the same again");
}

/// Returns an entry without its description.
fn key(line: &str) -> Vec<&str> {
    let fields = if line.starts_with("pair\t") { 5 } else { 4 };
    line.split('\t').take(fields).collect()
}

/// Returns the tiles of an entry, of four letters each.
fn tiles(line: &str) -> Vec<&str> {
    let mut fields = line.split('\t');
    let tiles = match fields.next() {
        Some("text") => fields.nth(2),
        Some("common") => fields.nth(1),
        _ => None,
    };
    let tiles = tiles.unwrap_or_default();
    (0..tiles.len() / 4).filter_map(|at| tiles.get(4 * at..4 * at + 4)).collect()
}

/// Reports whether the pair is accepted in a run with the given additional flags.
fn accepted(file: &Path, more: &[&str]) -> anyhow::Result<bool> {
    let name = file.to_str().expect("UTF-8");
    let flags =
        compared(&[&["--no-config", "--baseline", name], more].concat()).expect("sound flags");
    let baseline = Baseline::open(&flags.baseline, None)?.expect("named");
    let text = |name: &str, content: &str| Text::from_bytes(Path::new(name), content.into());
    let (left, right) = (text("left", LEFT)?, text("right", RIGHT)?);
    let recipe = Recipe::default();
    let judgement = pair::judge(&left, &right, &recipe)?;
    let texts = [&left, &right];
    let known = |text| RunText { text, fingerprint: None, digest: None };
    let matching =
        baseline.matching(texts.map(known).into(), Verdict::Different, NonZeroUsize::MIN);
    let seen = matching.look([0, 1], texts, &judgement);
    let is_accepted = seen.is_accepted;
    let mut found = RunFindings::default();
    found.extend(Some(seen));
    matching.rewrite(&found)?;
    Ok(is_accepted)
}

#[expect(clippy::disallowed_methods, reason = "no text that is compared")]
fn content(file: &Path) -> Vec<u8> {
    std::fs::read(file).expect("read")
}
