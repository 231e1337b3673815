//! Invariants of two texts that differ in a word, where both words have the same residue.

#[path = "../../../examples/collision/exchange.rs"]
mod exchange;

use std::path::Path;

use dedup_text::language::{Choice, Given};
use dedup_text::pair;
use dedup_text::pair::Recipe;
use dedup_text::text::Text;
use dedup_text::verdict::Verdict;
use exchange::collision;

use super::pairs::{among_others, check_passages};
use crate::choices::Choices;

/// The minimum number of characters of a word. Each has three free bits, so there are 66 changes,
/// one more than the 65 that are needed.
const LENGTH: usize = 22;

/// The common bits of eight digits or of eight letters. In both, the three lowest bits are free.
const KINDS: [u8; 2] = [b'0', b'h'];

/// Checks that the pair is not identical, that a corpus gives it the same figures and verdict, and
/// that no passage treats one word as the other.
///
/// The bytes before the first NUL choose the words. Two further parts, separated by a NUL, are the
/// text around them.
pub fn collisions(bytes: &[u8]) {
    let mut rest = bytes.splitn(3, |byte| *byte == 0);
    let mut part = || rest.next().unwrap_or_default();
    let mut choices = Choices::new(part());
    let [before, after] =
        [part(), part()].map(|part| String::from_utf8_lossy(part).replace('\0', " "));
    let kind = choices.pick(&KINDS);
    let length = LENGTH + choices.below(LENGTH);
    let word: Vec<u8> = (0..length).map(|_| kind | choices.byte() & 7).collect();
    let changes: Vec<(usize, u8)> =
        (0..length).flat_map(|place| [1, 2, 4].map(|bit| (place, bit))).collect();
    let other = collision(&word, &changes).expect("66 numbers of 64 bits");
    let text = |word: &[u8]| {
        let word = str::from_utf8(word).expect("ASCII");
        let content = format!("{before} {word} {after} {word}\n").into_bytes();
        Text::from_bytes(Path::new("fuzzed"), content).ok()
    };
    let (Some(left), Some(right)) = (text(&word), text(&other)) else { return };
    // The text of a page may contain neither word.
    if left.content() == right.content() {
        return;
    }
    let given = Given::As(None);
    let recipe = Recipe { languages: Choice { left: given, right: given }, ..Recipe::default() };
    let Ok(judged) = pair::judge(&left, &right, &recipe) else { return };
    assert!(!judged.comparison.same_words);
    assert_ne!(judged.decision.verdict, Verdict::Identical);
    check_passages(&left, &right);
    among_others(left, right);
}
