//! The common words of languages, in a table that is made as the program is built.

use crate::language::table::{lines, parted};

/// A line for each language, behind a heading: its code and its words.
pub(super) const LINES: &str = include_str!("../common_words.tsv");

/// As many as there are lines.
const LANGUAGES: usize = lines(LINES) - 1;

/// More than there are words; a power of two.
const SLOTS: usize = 1 << 11;

/// The common words of languages.
pub(super) struct Table {
    /// ISO 639-3; some are of languages that nothing else here knows.
    pub(super) codes: [&'static str; LANGUAGES],
    /// The [keys](key) of words, each in the first slot from its own on that was free; 0 in
    /// those that are.
    words: [u128; SLOTS],
    /// In the slot of a word, a bit for each language that has it.
    languages: [u64; SLOTS],
}

pub(super) static TABLE: Table = {
    let mut table = Table { codes: [""; LANGUAGES], words: [0; SLOTS], languages: [0; SLOTS] };
    let (mut rest, mut k) = (parted(LINES, b'\n').1, 0);
    while k < LANGUAGES {
        let (line, others) = parted(rest, b'\n');
        let (code, mut words) = parted(line, b'\t');
        table.codes[k] = code;
        while !words.is_empty() {
            let (word, more) = parted(words, b' ');
            let (word, mut key, mut at) = (word.as_bytes(), 0, 0);
            while at < word.len() {
                key = with(key, word[at]);
                at += 1;
            }
            let slot = table.slot(key);
            table.words[slot] = key;
            table.languages[slot] |= 1 << k;
            words = more;
        }
        rest = others;
        k += 1;
    }
    table
};

impl Table {
    /// A bit for each language that has a word, by its [key]; none where none has.
    pub(super) fn languages(&self, key: u128) -> Option<u64> {
        Some(self.languages[self.slot(key)]).filter(|set| *set != 0)
    }

    /// Where a word is, or would be.
    #[expect(clippy::cast_possible_truncation, reason = "half of a key, and a slot")]
    const fn slot(&self, key: u128) -> usize {
        let (high, low) = ((key >> 64) as u64, key as u64);
        let mixed = (low ^ high.rotate_left(32)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mut slot = (mixed >> (64 - SLOTS.trailing_zeros())) as usize;
        while self.words[slot] != key && self.words[slot] != 0 {
            slot = (slot + 1) % SLOTS;
        }
        slot
    }
}

/// A number for a word of at most 16 bytes, no other's; the bytes of a longer one are not all
/// in it.
pub(super) fn key(word: impl Iterator<Item = u8>) -> u128 {
    word.fold(0, with)
}

const fn with(key: u128, byte: u8) -> u128 {
    key << 8 | byte as u128
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    #[test]
    fn each_word_is_of_the_languages_that_have_it_and_no_other_is() {
        let mut languages: BTreeMap<&str, u64> = BTreeMap::new();
        for (k, line) in LINES.lines().skip(1).enumerate() {
            let (code, words) = line.split_once('\t').unwrap();
            assert_eq!(TABLE.codes[k], code);
            for word in words.split(' ') {
                *languages.entry(word).or_default() |= 1 << k;
            }
        }
        for (word, set) in &languages {
            assert_eq!(TABLE.languages(key(word.bytes())), Some(*set), "{word}");
        }
        assert_eq!(TABLE.words.iter().filter(|key| **key != 0).count(), languages.len());
        assert_eq!(["", "xqz", "kettle"].map(|word| TABLE.languages(key(word.bytes()))), [None; 3]);
    }
}
