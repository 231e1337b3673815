//! Generates English-like text of any length, with as many distinct words as English has.
//!
//! A Markov chain over the words of the samples chooses each next word. Words that are in no
//! sample are mixed in so that the vocabulary grows by Heaps' law (1978): a text of n words has
//! 6.5 · n^0.6 distinct words. That is 31,000 of 1.35 million, as in the 9 MB of English from
//! which the figures were taken. A generated word is repeated with a probability proportional to
//! the number of its occurrences so far, so that a few words are frequent and most are rare
//! (Simon, 1955). The generator uses integers only, so the text is the same on every machine.

use std::collections::{BTreeMap, BTreeSet};

const SAMPLES: &str = concat!(
    include_str!("../../samples/one_in_hundred_1.txt"),
    include_str!("../../samples/written_anew_1.txt"),
    include_str!("../../samples/opposite_1.txt"),
    include_str!("../../samples/translation_1.txt"),
    include_str!("../../samples/disguised_1.txt"),
    include_str!("../../samples/layout_1.txt")
);

/// Endings that are appended to a generated word that has none of them yet.
const ENDINGS: [&str; 4] = ["s", "ed", "ing", "ly"];

/// Returns at least `bytes` bytes of text, in complete sentences.
pub(crate) fn text(bytes: usize) -> String {
    let samples: Vec<&str> = SAMPLES.split_whitespace().collect();
    let mut follow: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for pair in samples.windows(2) {
        follow.entry(pair[0]).or_default().push(pair[1]);
    }
    let mut chance = Chance(2);
    let mut made = Made::default();
    let mut word = samples[0];
    while made.text.len() < bytes || !word.ends_with('.') {
        word = follow.get(word).map_or(samples[0], |next| next[chance.below(next.len())]);
        made.add(word, &mut chance);
    }
    made.text.push('\n');
    made.text
}

/// A pseudorandom number generator: Knuth's linear congruential one, of which the high bits are
/// good.
struct Chance(u64);

impl Chance {
    fn below(&mut self, end: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from((self.0 >> 33) % end as u64).unwrap_or_default()
    }
}

#[derive(Default)]
struct Made {
    text: String,
    words: u128,
    distinct: BTreeSet<String>,
    /// The words that are in no sample, one entry per occurrence in the text.
    new: Vec<String>,
    width: usize,
}

impl Made {
    /// Appends a word. Every second word of more than three lower-case letters, on average, is
    /// replaced with one that is in no sample.
    fn add(&mut self, word: &str, chance: &mut Chance) {
        self.words += 1;
        let letters = word.trim_matches(|letter: char| !letter.is_ascii_alphabetic());
        let is_plain = letters.bytes().all(|byte| byte.is_ascii_lowercase());
        let word = if letters.len() > 3 && is_plain && chance.below(2) == 0 {
            let fresh = self.fresh(chance);
            self.new.push(fresh.clone());
            word.replacen(letters, &fresh, 1)
        } else {
            word.to_owned()
        };
        self.distinct.insert(plain(&word));
        let end = if self.width + word.len() > 88 { '\n' } else { ' ' };
        self.width = if end == '\n' { 0 } else { self.width + word.len() + 1 };
        if !self.text.is_empty() {
            self.text.push(end);
        }
        self.text += &word;
    }

    /// Returns a word that is in no sample: usually a new one if the text has fewer distinct words
    /// than Heaps' law predicts, otherwise a repeated one.
    fn fresh(&self, chance: &mut Chance) -> String {
        let distinct = self.distinct.len() as u128;
        // v < 13/2 · n^(3/5), with each side raised to the fifth power.
        let is_due = 32 * distinct.pow(5) < 371_293 * self.words.pow(3);
        if self.new.is_empty() || is_due && chance.below(3) > 0 {
            return spelled(chance);
        }
        let earlier = &self.new[chance.below(self.new.len())];
        let has_ending = ENDINGS.iter().any(|ending| earlier.ends_with(ending));
        if is_due && !has_ending {
            return earlier.clone() + ENDINGS[chance.below(ENDINGS.len())];
        }
        earlier.clone()
    }
}

/// Returns a random word of two to four syllables.
fn spelled(chance: &mut Chance) -> String {
    const HEADS: [&str; 20] = [
        "b", "c", "d", "f", "g", "h", "l", "m", "n", "p", "r", "s", "t", "v", "w", "st", "tr",
        "pl", "gr", "sh",
    ];
    const TAILS: [&str; 12] = ["a", "e", "i", "o", "u", "an", "er", "in", "ol", "um", "ea", "ou"];
    let syllables = 2 + chance.below(3);
    let syllable =
        |_| [HEADS[chance.below(HEADS.len())], TAILS[chance.below(TAILS.len())]].concat();
    (0..syllables).map(syllable).collect()
}

/// Returns a word in lower case, without the punctuation around it.
pub(crate) fn plain(word: &str) -> String {
    word.trim_matches(|letter: char| !letter.is_alphanumeric()).to_lowercase()
}
