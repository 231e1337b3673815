//! Invariants of reading and updating baselines.

use std::num::NonZeroUsize;
use std::path::Path;

use dedup_text::pair;
use dedup_text::pair::Recipe;
use dedup_text::text::Text;
use dedup_text::verdict::Verdict;

use super::pages::compared;
use crate::baseline::{Baseline, RunFindings, RunText};
use crate::diagnostics::Diagnostic;

const LEFT: &str = "a copper kettle and a wooden spoon on the old table by the window";
const RIGHT: &str =
    "nobody saw a copper kettle and a wooden spoon on the old table, or so they say";

/// Checks that a pair is accepted only if the file lists all of its entries. If they are listed in
/// a file of version 1, it is accepted whatever texts they were found in. After an update, the pair
/// is accepted, and a second update changes nothing. A file that is not a baseline stays as it is.
pub fn baseline(bytes: &[u8]) {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("baseline.txt");
    std::fs::write(&file, bytes).expect("written");
    let read = accepted(&file, &[]);
    if let Err(error) = &read {
        let trouble = error.downcast_ref::<Diagnostic>().expect("trouble with the file");
        assert!(trouble.to_string().starts_with(file.to_str().expect("UTF-8")));
    }
    let updated = accepted(&file, &["--update-baseline"]);
    if updated.is_err() {
        assert_eq!(content(&file), bytes, "what is no baseline stays");
        return;
    }
    let entries = String::from_utf8(content(&file)).expect("UTF-8");
    if let Ok(was_accepted) = read {
        let listed = String::from_utf8_lossy(bytes).to_ascii_lowercase();
        let is_listed = |entry: &str| listed.lines().skip(1).any(|line| key(line) == key(entry));
        let are_all_listed = entries.lines().skip(1).all(is_listed);
        let is_of_pairs =
            entries.lines().next() == listed.trim_start_matches('\u{feff}').lines().next();
        assert!(are_all_listed || !was_accepted, "accepted and not listed");
        assert!(was_accepted || !are_all_listed || is_of_pairs, "listed for any texts");
    }
    assert!(accepted(&file, &[]).expect("what was written is read"), "accepted by it");
    accepted(&file, &["--update-baseline"]).expect("written again");
    assert_eq!(content(&file), entries.as_bytes(), "the same again");
}

/// Returns the kind and the fingerprint of an entry. In version 2, the entry is the third field of
/// a line.
fn key(line: &str) -> Option<(&str, &str)> {
    let entry = line.split('\t').nth(2).unwrap_or(line);
    let (kind, rest) = entry.split_once(' ')?;
    Some((kind, rest.split(' ').next().unwrap_or_default()))
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
    matching.end(&found)?;
    Ok(is_accepted)
}

#[expect(clippy::disallowed_methods, reason = "no text that is compared")]
fn content(file: &Path) -> Vec<u8> {
    std::fs::read(file).expect("read")
}
