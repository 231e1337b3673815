//! English by Snowball's algorithm (Porter, 2001), to the letter what rust-stemmers makes
//! of a word, in about a fifth of the time: it is what new words cost most.
//!
//! The word lies behind eight zero bytes, so that the eight bytes before its end are one
//! number, and an ending is told by one comparison. Which letters are vowels, and so the
//! regions R1 and R2, are read off a number with a bit for each letter.

mod steps;

use std::borrow::Cow;

/// The longest word that is stemmed here, in bytes: a bit for each, and one more.
const LONGEST: usize = 63;

/// How many bytes an ending has at most.
const LONGEST_ENDING: usize = 8;

/// The stem of a word in ASCII; none for any other, for one of more than 63 bytes, and for
/// one that begins with an apostrophe or has a capital Y.
pub(super) fn stem(word: &str) -> Option<Cow<'_, str>> {
    if word.len() > LONGEST || word.starts_with('\'') {
        return None;
    }
    let mut stem = Word::new(word)?;
    if word.len() < 3 {
        return Some(Cow::Borrowed(word));
    }
    if let Some(own) = stem.exception() {
        return Some(Cow::Borrowed(own));
    }
    stem.reduce();
    let (intact, changed) = stem.letters().split_at(stem.len.min(stem.intact));
    let intact = &word[..intact.len()];
    if changed.is_empty() {
        return Some(Cow::Borrowed(intact));
    }
    let mut own = String::with_capacity(stem.len);
    own.push_str(intact);
    own.extend(changed.iter().copied().map(char::from));
    Some(Cow::Owned(own))
}

/// A word on its way to its stem.
struct Word {
    /// What is left of it, behind eight zero bytes; what is behind its end means nothing.
    bytes: [u8; LONGEST_ENDING + LONGEST + 1],
    /// How many letters are left.
    len: usize,
    /// How many of them, from the first on, are as they were.
    intact: usize,
    /// A bit for each letter that is a vowel.
    vowels: u64,
    /// Where the region R1 begins: behind the first consonant that follows a vowel, or
    /// behind a beginning that counts as such; at the end of the whole word without one.
    r1: usize,
    /// Where R2 begins: the same within R1.
    r2: usize,
}

impl Word {
    /// None with other letters than those that are known here.
    fn new(word: &str) -> Option<Self> {
        let vowels = vowels(word.as_bytes())?;
        let len = word.len();
        let mut bytes = [0; LONGEST_ENDING + LONGEST + 1];
        bytes[LONGEST_ENDING..LONGEST_ENDING + len].copy_from_slice(word.as_bytes());
        let r1 = if word.starts_with("gener") || word.starts_with("arsen") {
            5
        } else if word.starts_with("commun") {
            6
        } else {
            region(vowels, len, 0)
        };
        Some(Self { bytes, len, intact: len, vowels, r1, r2: region(vowels, len, r1) })
    }

    fn letters(&self) -> &[u8] {
        &self.bytes[LONGEST_ENDING..][..self.len]
    }

    /// The last eight letters as a number, the last the lowest; zeros before shorter words.
    fn end(&self) -> u64 {
        let mut end = [0; LONGEST_ENDING];
        end.copy_from_slice(&self.bytes[self.len..self.len + LONGEST_ENDING]);
        u64::from_be_bytes(end)
    }

    /// The letter before the last `behind`; 0 before the first.
    fn letter(&self, behind: usize) -> u8 {
        self.bytes[LONGEST_ENDING + self.len - 1 - behind]
    }

    fn is_vowel(&self, place: usize) -> bool {
        self.vowels >> place & 1 == 1
    }

    /// Whether there is a vowel before a place.
    fn has_vowel_before(&self, place: usize) -> bool {
        self.vowels & ((1 << place) - 1) != 0
    }

    /// Puts other letters in place of the last `cut`. Which are vowels is not noted anew: no step
    /// comes to another answer by it (`stems_are_those_of_rust_stemmers`).
    fn replace(&mut self, cut: usize, letters: &str) {
        self.len -= cut;
        for letter in letters.bytes() {
            if letter != self.bytes[LONGEST_ENDING + self.len] {
                self.intact = self.intact.min(self.len);
            }
            self.bytes[LONGEST_ENDING + self.len] = letter;
            self.len += 1;
        }
    }
}

/// The letters of an ending, as [`Word::end`] has them.
const fn ending(letters: &str) -> u64 {
    let (letters, mut number, mut i) = (letters.as_bytes(), 0, 0);
    assert!(letters.len() < LONGEST_ENDING);
    while i < letters.len() {
        number = number << 8 | letters[i] as u64;
        i += 1;
    }
    number
}

/// What a letter is: 0 for none that is known here. A capital Y is none, which is what
/// Snowball writes for a y that is a consonant.
const KINDS: [u8; 256] = {
    let (mut kinds, mut byte) = ([0; 256], 0_u8);
    while byte < 128 {
        kinds[byte as usize] = match byte {
            b'a' | b'e' | b'i' | b'o' | b'u' => KNOWN | VOWEL,
            b'y' => KNOWN | Y,
            b'Y' => 0,
            _ => KNOWN,
        };
        byte += 1;
    }
    kinds
};

/// In [`KINDS`].
const VOWEL: u8 = 1;
const Y: u8 = 2;
const KNOWN: u8 = 4;

/// A bit for each vowel: y is one unless it is first or follows one. None with letters
/// that are not known.
fn vowels(letters: &[u8]) -> Option<u64> {
    let (mut known, mut vowels, mut ys) = (KNOWN, 0, 0);
    for letter in letters.iter().rev() {
        let kind = KINDS[usize::from(*letter)];
        known &= kind;
        vowels = vowels << 1 | u64::from(kind & VOWEL);
        ys = ys << 1 | u64::from(kind & Y != 0);
    }
    ys &= !1;
    while ys != 0 {
        let place = ys.trailing_zeros();
        vowels |= u64::from(vowels >> (place - 1) & 1 == 0) << place;
        ys &= ys - 1;
    }
    (known == KNOWN).then_some(vowels)
}

/// Behind the first consonant that follows a vowel, from a place on; the end of the word
/// where there is none.
fn region(vowels: u64, len: usize, from: usize) -> usize {
    let vowel = from + (vowels >> from).trailing_zeros() as usize;
    if vowel >= len {
        return len;
    }
    let consonant = vowel + (!(vowels >> vowel)).trailing_zeros() as usize;
    len.min(consonant + 1)
}

#[cfg(test)]
mod tests;
