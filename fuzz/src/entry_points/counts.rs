//! Invariants of counts of shingles, and of the keys computed from them (`dedup part`).

use std::path::Path;

use dedup_text::corpus::join::Limit;
use dedup_text::corpus::join::part::{self, Body, Counts, Form, Known};
use dedup_text::corpus::{DocumentAnalyzer, of_corpus};
use dedup_text::hamming;
use dedup_text::jaccard::Overlap;
use dedup_text::language::{Choice, Given};
use dedup_text::pair::Recipe;
use dedup_text::parallel::Advance;
use dedup_text::text::Text;

use super::parts;
use crate::args::{self, PartFlags, Request};
use crate::choices::Choices;
use crate::commands::part as program;
use crate::diagnostics::Diagnostic;
use crate::io::inputs::lines::Lines;

/// The base-2 logarithm of the number of slots: the smallest one allowed.
const BITS: u32 = 16;

const LIMITS: [&str; 6] = ["0.9", "0.5", "0.1", "1", "0.333", "0.75"];

/// Checks that counts are read back as they were written, that counts merged in either order are
/// those of all texts, and that a file that is cut or changed anywhere is rejected.
///
/// NULs separate the texts of one part, one per line, those of another part, and the offsets at
/// which a file is cut or changed.
pub fn counts(bytes: &[u8]) {
    let mut rest = bytes.splitn(3, |byte| *byte == 0);
    let mut part = || rest.next().unwrap_or_default();
    let [one, other] = [part(), part()].map(|part| String::from_utf8_lossy(part).into_owned());
    let changes = part();
    check_body(changes);
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).to_str().expect("UTF-8").to_owned();
    let [left, right, all] = ["left", "right", "all"].map(path);
    count(&one, &left, &path("left.jsonl"));
    count(&other, &right, &path("right.jsonl"));
    count(&format!("{one}\n{other}"), &all, &path("all.jsonl"));
    let merged = path("merged");
    let merge = |files: &[&str]| -> anyhow::Result<Vec<u8>> {
        let words = [&["merge"], files, &["--output", &merged]].concat();
        program::answer(&flags(&words))?;
        Ok(content(&merged))
    };
    assert_eq!(merge(&[&left]).expect("what was written"), content(&left), "read back");
    assert_eq!(merge(&[&left, &right]).expect("two of a kind"), content(&all), "merged");
    assert_eq!(merge(&[&right, &left]).expect("two of a kind"), content(&all), "turned round");
    let whole = content(&all);
    let mut choices = Choices::new(changes);
    for _ in 0..4 {
        let place = (usize::from(choices.byte()) << 8 | usize::from(choices.byte())) % whole.len();
        let mut changed = whole.clone();
        match choices.byte() {
            0 => changed.truncate(place),
            by => changed[place] ^= by,
        }
        std::fs::write(&right, &changed).expect("written");
        let error = merge(&[&right]).map(|_| place).expect_err("changed there");
        assert!(error.is::<Diagnostic>(), "{error:#}");
        assert!(error.to_string().starts_with(&right), "{error:#}");
    }
}

/// Checks that any bytes either are rejected as the body of counts, or are written back unchanged,
/// and that merging counts with themselves doubles them.
fn check_body(bytes: &[u8]) {
    let body = Body { form: Form::Gaps, bytes: bytes.to_vec() };
    let Ok(read) = Counts::from_body(BITS, body) else { return };
    assert_eq!(Counts::from_body(BITS, read.body()).as_ref(), Ok(&read));
    let mut double = read.clone();
    double.merge(&read).expect("as many slots");
    for slot in 0..1 << BITS {
        let residue = slot << (u64::BITS - BITS);
        assert_eq!(double.count(residue), read.count(residue).saturating_mul(2));
    }
}

/// Counts each line of `texts` as a text, using a file of records, and writes the counts to a file.
fn count(texts: &str, output: &str, records: &str) {
    let record = |(number, text)| serde_json::json!({ "id": number, "text": text }).to_string();
    let lines: Vec<String> = texts.lines().enumerate().map(record).collect();
    std::fs::write(records, lines.join("\n")).expect("written");
    let flags = flags(&["count", "--output", output]);
    let recipe = flags.recipe().expect("sound flags");
    let lines = Lines::new(Path::new(records), None);
    program::count_lines(&flags, &recipe, lines, &Advance::default()).expect("counted");
}

/// Returns the flags of a step. The language is given, because the detected language of a text in
/// doubt depends on the other texts of its part.
fn flags(words: &[&str]) -> Box<PartFlags> {
    let slots = BITS.to_string();
    let usual = ["--lang", "none", "--threads", "1", "--slots", &slots, "--bad-lines", "keep"];
    let usual: &[&str] = if words.first() == Some(&"count") { &usual } else { &[] };
    let words = [&["dedup", "part"], words, usual].concat();
    match args::read(words.iter().map(Into::into)) {
        Ok(Request::Part(flags)) => flags,
        other => panic!("sound flags: {other:?}"),
    }
}

#[expect(clippy::disallowed_methods, reason = "no text that is compared")]
fn content(file: &str) -> Vec<u8> {
    std::fs::read(file).expect("read")
}

/// Checks that two texts that reach a limit have a key in common, that the keys list every shingle
/// that they share, and that two texts whose fingerprints are close have a block in common.
///
/// The first byte chooses the limits. NULs separate two texts, and a third that is counted too.
pub fn keys(bytes: &[u8]) {
    let Some((first, texts)) = bytes.split_first() else { return };
    let ratio = LIMITS[usize::from(*first) % LIMITS.len()].parse().expect("a ratio");
    let limit = Limit::new(ratio);
    let max_distance = u32::from(first / 6) % (1 + part::MAX_BITS);
    let given = Given::As(None);
    let languages = Choice { left: given, right: given };
    let recipe = Recipe { languages, ..Recipe::default() };
    let mut single = DocumentAnalyzer::new(&recipe);
    let mut counts = Counts::new(BITS).expect("as few as there may be");
    let sketches = parts::<3>(texts).map(|content| {
        let text = Text::from_bytes(Path::new("fuzzed"), content.into_bytes()).ok()?;
        let prepared = single.prepare(text);
        Some(single.sketch(prepared, of_corpus(None)).ok()?.1)
    });
    sketches
        .iter()
        .flatten()
        .for_each(|sketch| counts.add(&sketch.shingles.all().distinct_residues()));
    let [Some(left), Some(right), _] = &sketches else { return };
    for known in [Known::All, Known::Some] {
        let [one, other] = [left, right]
            .map(|sketch| sketch.shingles.all().distinct_residues())
            .map(|set| part::keys(&set, &counts, known, Some(limit)));
        assert!(!one.has_uncounted_key && !other.has_uncounted_key);
        let [left_set, right_set] =
            [left, right].map(|sketch| sketch.shingles.all().distinct_residues());
        let overlap = Overlap::new(&left_set, &right_set);
        let is_close = overlap.jaccard().is_some_and(|share| limit.is_reached_by(share));
        let is_met = one.keys.iter().any(|(key, _)| other.keys.iter().any(|(it, _)| it == key));
        assert!(is_met || !is_close, "{overlap:?}");
        for residue in &left_set {
            let is_shared = right_set.contains(residue);
            assert!(!is_shared || one.shared.contains(residue) && other.shared.contains(residue));
        }
    }
    if let (Some(one), Some(other)) = (left.fingerprint, right.fingerprint) {
        let blocks = [one, other].map(|bits| part::blocks(bits, max_distance, 3));
        let is_met = blocks[0].iter().any(|block| blocks[1].contains(block));
        assert!(is_met || hamming::distance(one, other) > max_distance, "{one} {other}");
    }
}
