//! Invariants of counts of shingles, and of the keys computed from them.

use std::num::NonZeroUsize;
use std::path::Path;

use dedup_text::corpus::join::Limit;
use dedup_text::corpus::join::part::{self, Body, Counts, Form, Known};
use dedup_text::corpus::parts::{Counted, Counter, Parameters};
use dedup_text::corpus::{DocumentAnalyzer, of_corpus};
use dedup_text::hamming;
use dedup_text::jaccard::Overlap;
use dedup_text::language::{Choice, Given};
use dedup_text::pair::Recipe;
use dedup_text::text::{ReadOptions, Text};

use super::parts;
use crate::choices::Choices;

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
    let recipe = without_language();
    let [left, right] = [&one, &other].map(|texts| count(texts, &recipe));
    let all = stored(&count(&format!("{one}\n{other}"), &recipe));
    for [first, second] in [[&left, &right], [&right, &left]] {
        let mut sum = Counted::read(&*stored(first)).expect("what was written");
        assert_eq!(stored(&sum), stored(first), "read back");
        sum.merge(second).expect("two of a kind");
        assert_eq!(stored(&sum), all, "merged");
    }
    let mut choices = Choices::new(changes);
    for _ in 0..4 {
        let place = (usize::from(choices.byte()) << 8 | usize::from(choices.byte())) % all.len();
        let mut changed = all.clone();
        match choices.byte() {
            0 => changed.truncate(place),
            by => changed[place] ^= by,
        }
        assert!(Counted::read(&*changed).is_err(), "changed at {place}");
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

/// Counts each line of `texts` as a text.
fn count(texts: &str, recipe: &Recipe) -> Counted {
    let parameters = Parameters::new(recipe, &ReadOptions::default());
    let mut counter =
        Counter::new(recipe, parameters, BITS, NonZeroUsize::MIN).expect("as few as there may be");
    let open = |line: &str| Text::from_bytes(Path::new("fuzzed"), line.as_bytes().to_vec());
    counter.add(texts.lines(), open); // lines that are not text are skipped
    counter.finish()
}

fn stored(counted: &Counted) -> Vec<u8> {
    counted.stored().expect("JSON").concat()
}

/// Returns a recipe without detection: the language of a text in doubt depends on the other texts
/// of its part.
fn without_language() -> Recipe {
    let given = Given::As(None);
    Recipe { languages: Choice { left: given, right: given }, ..Recipe::default() }
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
    let recipe = without_language();
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
