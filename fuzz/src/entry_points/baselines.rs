//! What holds of any baseline.

use std::path::Path;

use dedup_text::pair;
use dedup_text::pair::recipe::Recipe;
use dedup_text::text::Text;
use dedup_text::verdict::Verdict;

use super::pages::compared;
use crate::commands::baseline::{Baseline, Found};
use crate::diagnostics::Diagnostic;

const LEFT: &str = "a copper kettle and a wooden spoon on the old table by the window";
const RIGHT: &str =
    "nobody saw a copper kettle and a wooden spoon on the old table, or so they say";

/// A pair is accepted where the file lists all that it is recorded by, and always after the
/// file was written anew. What is no baseline is left as it is.
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
        assert_eq!(was_accepted, entries.lines().skip(1).all(is_listed));
    }
    assert!(accepted(&file, &[]).expect("what was written is read"), "accepted by it");
    accepted(&file, &["--update-baseline"]).expect("written again");
    assert_eq!(content(&file), entries.as_bytes(), "the same again");
}

/// The kind of an entry and its fingerprint.
fn key(line: &str) -> Option<(&str, &str)> {
    let (kind, rest) = line.split_once(' ')?;
    Some((kind, rest.split(' ').next().unwrap_or_default()))
}

/// Whether the pair is accepted, in a run with some flags.
fn accepted(file: &Path, more: &[&str]) -> anyhow::Result<bool> {
    let name = file.to_str().expect("UTF-8");
    let flags =
        compared(&[&["--no-config", "--baseline", name], more].concat()).expect("sound flags");
    let baseline = Baseline::open(&flags.baseline, None)?.expect("named");
    let text = |content: &str| Text::from_bytes(Path::new("text"), content.into());
    let (left, right) = (text(LEFT)?, text(RIGHT)?);
    let recipe = Recipe::default();
    let judgement = pair::judge(&left, &right, &recipe)?;
    let seen = baseline.look(&left, &right, &judgement, Verdict::Different);
    let is_accepted = seen.is_accepted;
    let mut found = Found::default();
    found.extend(Some(seen));
    baseline.end(&found)?;
    Ok(is_accepted)
}

#[expect(clippy::disallowed_methods, reason = "no text that is compared")]
fn content(file: &Path) -> Vec<u8> {
    std::fs::read(file).expect("read")
}
