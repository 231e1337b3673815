//! English that is made up: as long as is wanted, with as many distinct words as English has.
//!
//! The words of the samples follow on one another as they do there, by a Markov chain, and words
//! that no sample has come in by Heaps' law (1978): a text of n words has 6.5 · n^0.6 distinct
//! ones, 31,000 of 1.35 million, as the 9 MB of English have that the figures were taken from. A
//! new word comes again as often as it has been written before, so that few are frequent and most
//! are rare, after Simon (1955). Only integers: the same text on every machine.

use std::collections::{BTreeMap, BTreeSet};

const SAMPLES: &str = concat!(
    include_str!("../../samples/one_in_hundred_1.txt"),
    include_str!("../../samples/written_anew_1.txt"),
    include_str!("../../samples/opposite_1.txt"),
    include_str!("../../samples/translation_1.txt"),
    include_str!("../../samples/disguised_1.txt"),
    include_str!("../../samples/layout_1.txt")
);

/// Endings of a word that has been written without one.
const ENDINGS: [&str; 4] = ["s", "ed", "ing", "ly"];

/// At least so many bytes of text, in whole sentences.
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

/// Numbers that look drawn: Knuth's generator, of which the upper half is good.
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
    /// The words that no sample has, each as often as it was written.
    new: Vec<String>,
    width: usize,
}

impl Made {
    /// Adds a word, or in place of a long one every other time one that no sample has.
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

    /// A word that no sample has: a new one where there are fewer than Heaps' law says.
    fn fresh(&self, chance: &mut Chance) -> String {
        let distinct = self.distinct.len() as u128;
        // v < 13/2 · n^(3/5), each side to the fifth power.
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

/// Two to four syllables.
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

/// A word without the marks around it, in small letters.
pub(crate) fn plain(word: &str) -> String {
    word.trim_matches(|letter: char| !letter.is_alphanumeric()).to_lowercase()
}
