//! What holds of two texts in which a word stands for another with the same residue.

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

/// The fewest digits or letters: with three bits of each free, 65 changes and one more.
const LENGTH: usize = 22;

/// What eight digits or letters have in common: the three lowest bits are free in both.
const KINDS: [u8; 2] = [b'0', b'h'];

/// A pair is not identical, nor is it in a corpus, which gives it the same figures; and no passage
/// takes one word for the other.
///
/// The first bytes choose the words, which NULs separate from the text around them.
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
    // A page may show neither word.
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
