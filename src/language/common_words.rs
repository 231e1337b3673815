//! Recognizes the language of a text by its common words, if they leave no doubt.
//!
//! A quarter to a half of the words of most texts are among a few dozen words of their language. If
//! a text contains many of these, and hardly any that are common only in another language, full
//! detection is not needed; this takes a hundredth of its time. Left in doubt are texts with much
//! code, with many names, in several languages, or in a language that the table does not contain.

use std::ops::Range;

use super::Language;
use super::sample::stretches;
use super::{lines, parted};

/// The length of each stretch of a text that is examined, in bytes.
const STRETCH: usize = 128;

/// The smallest number of words that allow a result.
const MIN_WORDS: u32 = 100;

/// At least one in this many words must be common in the language.
const SHARE: u32 = 8;

/// Of the words that are common in only one of two languages, those of the rival may be at most one
/// for this many of the recognized language.
const RIVAL_MARGIN: u32 = 4;

/// At most one in this many words may be in a script of none of the languages.
const FOREIGN: u32 = 8;

/// The length of the longest common word, in bytes: a key has 16 bytes.
const MAX_WORD_BYTES: usize = 16;

/// Returns the language of a text according to its common words, and the confidence, from 0.75 to
/// 1; `None` if in doubt. For each rival language, the words that are common only in the rival are
/// divided by those that are common only in the recognized language. The confidence is 1 minus the
/// largest of these ratios.
pub(super) fn detect(text: &str) -> Option<(Language, f64)> {
    let Sample { words, foreign, common } = TABLE.sample(text);
    if words < MIN_WORDS || foreign * FOREIGN > words {
        return None;
    }
    let counts = tally(&common);
    let (best, most) = counts.iter().copied().enumerate().rev().max_by_key(|(_, count)| *count)?;
    if most * SHARE < words {
        return None;
    }
    let with_best: Vec<u64> = common.into_iter().filter(|set| set >> best & 1 == 1).collect();
    let mut doubt: f64 = 0.0;
    for (rival, both) in tally(&with_best).into_iter().enumerate().filter(|it| it.0 != best) {
        let (own, others) = (most - both, counts[rival] - both);
        if own == 0 || others * RIVAL_MARGIN > own {
            return None;
        }
        doubt = doubt.max(f64::from(others) / f64::from(own));
    }
    Some((Language::from_code(TABLE.codes.get(best)?)?, 1.0 - doubt))
}

/// Returns, for each language, the number of sets that contain it.
fn tally(sets: &[u64]) -> [u32; 64] {
    let mut counts = [0; 64];
    for set in sets {
        let mut rest = *set;
        while rest != 0 {
            counts[rest.trailing_zeros() as usize] += 1;
            rest &= rest - 1;
        }
    }
    counts
}

/// The counts of the words of a text.
#[derive(Debug, Default, Eq, PartialEq)]
struct Sample {
    /// The number of words; in a script without spaces, of letters.
    words: u32,
    /// The number of letters in scripts of none of the languages of the table.
    foreign: u32,
    /// For each word that is common in some language, one bit for each language that it is common
    /// in.
    common: Vec<u64>,
}

impl Table {
    /// Counts the words of a few stretches of a text, or of all of it if it is short.
    fn sample(&self, text: &str) -> Sample {
        let mut sample = Sample::default();
        let stretches = stretches(text, STRETCH);
        let is_cut = stretches.len() > 1;
        for stretch in &stretches {
            if stretch.is_ascii() {
                self.look_at_ascii(stretch, is_cut, &mut sample);
            } else {
                self.look_at(stretch, is_cut, &mut sample);
            }
        }
        sample
    }

    /// Counts the words of a stretch. If the stretch was cut out of a longer text, its first and
    /// last words may be incomplete and are not counted.
    fn look_at(&self, stretch: &str, is_cut: bool, sample: &mut Sample) {
        let words = stretch.split(|c: char| !c.is_alphabetic());
        let mut words = words.filter(|word| !word.is_empty());
        if is_cut {
            words.next();
            words.next_back();
        }
        for word in words {
            let letters: u32 = word.chars().map(|c| u32::from(is_foreign(c))).sum();
            sample.foreign += letters;
            sample.words += letters.max(1);
            if word.len() <= MAX_WORD_BYTES {
                sample.common.extend(self.languages(key(word.to_lowercase().bytes())));
            }
        }
    }

    /// Same as [`look_at`](Self::look_at), for ASCII. Byte by byte, this took a quarter of the time
    /// of a text of 2 kB, so that words are separated sixteen bytes at a time.
    fn look_at_ascii(&self, stretch: &str, is_cut: bool, sample: &mut Sample) {
        let bytes = stretch.as_bytes();
        let mut words = AsciiWords { bytes, at: 0 };
        let mut next = words.next();
        if is_cut {
            next = words.next();
        }
        while let Some(word) = next {
            next = words.next();
            if is_cut && next.is_none() {
                return;
            }
            sample.words += 1;
            if word.len() <= MAX_WORD_BYTES {
                sample.common.extend(self.languages(ascii_key(bytes, word)));
            }
        }
    }
}

/// An iterator over the runs of ASCII letters in a text.
struct AsciiWords<'t> {
    /// The text, in ASCII only.
    bytes: &'t [u8],
    at: usize,
}

impl AsciiWords<'_> {
    /// Returns the number of consecutive bytes from a position on that are letters, or that are
    /// not.
    fn run(&self, from: usize, are_letters: bool) -> usize {
        let mut end = from;
        while let Some(sixteen) = self.bytes[end..].first_chunk() {
            let letters = letters(*sixteen);
            let others = if are_letters { letters ^ HIGHEST } else { letters };
            let run = others.trailing_zeros() as usize / 8;
            end += run;
            if run < 16 {
                return end - from;
            }
        }
        let rest = self.bytes[end..].iter();
        end - from + rest.take_while(|it| it.is_ascii_alphabetic() == are_letters).count()
    }
}

impl Iterator for AsciiWords<'_> {
    type Item = Range<usize>;

    fn next(&mut self) -> Option<Self::Item> {
        let start = self.at + self.run(self.at, false);
        self.at = start + self.run(start, true);
        (start < self.at).then_some(start..self.at)
    }
}

/// The number with a 1 in each of sixteen bytes.
const EACH: u128 = u128::MAX / 255;

/// The number with the highest bit set in each of sixteen bytes.
const HIGHEST: u128 = EACH * 0x80;

/// The number with the bit set that makes an ASCII letter lower case, in each of sixteen bytes.
const LOWER_CASE_BITS: u128 = EACH * 0x20;

/// Returns the highest bit of each of sixteen ASCII bytes that is a letter. The first byte is the
/// lowest one of the number.
fn letters(bytes: [u8; 16]) -> u128 {
    let small = u128::from_le_bytes(bytes) | LOWER_CASE_BITS;
    // No sum of two bytes exceeds 255, so that there is no carry into the next byte.
    let from_a = small + EACH * (0x80 - u128::from(b'a'));
    let behind_z = small + EACH * (0x7f - u128::from(b'z'));
    from_a & !behind_z & HIGHEST
}

/// Returns the [key] of the lower-case form of a word of at most sixteen ASCII letters.
fn ascii_key(text: &[u8], word: Range<usize>) -> u128 {
    match text[word.start..].first_chunk() {
        Some(sixteen) => {
            (u128::from_be_bytes(*sixteen) | LOWER_CASE_BITS) >> (8 * (MAX_WORD_BYTES - word.len()))
        }
        None => key(text[word].iter().map(u8::to_ascii_lowercase)),
    }
}

/// Reports whether a letter is in a script of none of the languages of the table: neither Latin nor
/// Greek, Cyrillic, Hebrew, Arabic or Devanagari.
fn is_foreign(c: char) -> bool {
    matches!(c, '\u{530}'..='\u{58f}' | '\u{700}'..='\u{8ff}' | '\u{980}'..='\u{1dff}' | '\u{2c00}'..)
}

// The common words of languages, in a hash table that is built at compile time.

/// The word lists: a heading, and one line per language with its code and its words.
pub(super) const LINES: &str = include_str!("common_words.tsv");

/// The number of languages.
const LANGUAGES: usize = lines(LINES) - 1;

/// The number of slots of the hash table, a power of two. It must exceed the number of words.
const SLOTS: usize = 1 << 11;

/// The common words of languages.
pub(super) struct Table {
    /// The ISO 639-3 codes. Some of them are not known to any other part of the program.
    pub(super) codes: [&'static str; LANGUAGES],
    /// A hash table with linear probing of the [keys](key) of the words; 0 in free slots.
    words: [u128; SLOTS],
    /// For the word in each slot, one bit for each language that it is common in.
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
    /// Returns one bit for each language in which the word with a [key] is common; `None` if there
    /// are none.
    pub(super) fn languages(&self, key: u128) -> Option<u64> {
        Some(self.languages[self.slot(key)]).filter(|set| *set != 0)
    }

    /// Returns the slot of a word, or the free slot where it would be stored.
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

/// Returns a number that is unique for a word of at most 16 bytes. The key of a longer word
/// contains its last 16 bytes only.
pub(super) fn key(word: impl Iterator<Item = u8>) -> u128 {
    word.fold(0, with)
}

const fn with(key: u128, byte: u8) -> u128 {
    key << 8 | byte as u128
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn code(text: &str) -> Option<&'static str> {
        detect(text).map(|(language, _)| language.code())
    }

    /// Returns `words` words: one in `every` is the next one of `common`, the others are not common
    /// in any language.
    fn text(words: usize, every: usize, common: &[&str]) -> String {
        let word = |k: usize| {
            if k.is_multiple_of(every) { common[k / every % common.len()] } else { "xqz" }
        };
        (0..words).map(word).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn enough_common_words_tell_the_language() {
        #[rustfmt::skip]
        let table = [
            ("nothing",                    String::new(),                          None),
            ("one in eight",               text(104, 8, &["the", "of"]),           Some("eng")),
            ("capitals",                   text(104, 8, &["The", "OF"]),           Some("eng")),
            ("one in nine",                text(108, 9, &["the", "of"]),           None),
            ("too few words",              text(99, 4, &["the", "of"]),            None),
            ("enough",                     text(100, 4, &["the", "of"]),           Some("eng")),
            ("what two languages share",   text(100, 4, &["yang", "dan"]),         None),
            ("four words to one",          text(200, 2, &["the", "which", "and", "they", "het"]),  Some("eng")),
            ("three words to one",         text(200, 2, &["the", "which", "and", "het"]),        None),
            ("of a language unknown here", text(200, 2, &["katika", "hilo"]),      None),
            ("Cyrillic",                   text(104, 8, &["Что", "ещё", "если"]),  Some("rus")),
        ];
        for (why, text, want) in table {
            assert_eq!(code(&text), want, "{why}");
        }
    }

    #[test]
    fn how_sure_it_is_depends_on_the_nearest_rival() {
        // Of 100 common words, 80 are English only, and 20 Dutch only.
        let sure = detect(&text(200, 2, &["the", "which", "and", "they", "het"])).unwrap();
        assert_eq!(sure.1.to_bits(), 0.75_f64.to_bits());
        assert_eq!(detect(&text(104, 8, &["the"])).unwrap().1.to_bits(), 1.0_f64.to_bits());
    }

    #[test]
    fn letters_of_other_scripts_leave_doubt() {
        let english = text(105, 2, &["the", "of"]);
        // 15 of 120 are exactly one in eight; 16 of 121 are more.
        assert_eq!(code(&format!("{english} {}", "水".repeat(15))), Some("eng"));
        assert_eq!(code(&format!("{english} {}", "水".repeat(16))), None);
    }

    #[test]
    fn what_is_cut_does_not_count() {
        let sample = TABLE.sample(&"thethe ".repeat(1000));
        assert_eq!(sample.common, [0; 0]);
        // Sixteen stretches of 128 bytes have about 18 words each, of which two are not counted.
        assert!((16 * 15..=16 * 17).contains(&sample.words), "{}", sample.words);
        assert_eq!(TABLE.sample("the thethe the").words, 3);
    }

    proptest! {
        #[test]
        fn of_ascii_both_ways_see_the_same(text in "([the of,.'XQ1]|[\\x00-\\x7f]|[azAZ@\\[`{]|the of which ){0,60}", is_cut: bool) {
            let [mut bytes, mut letters] = [Sample::default(), Sample::default()];
            TABLE.look_at_ascii(&text, is_cut, &mut bytes);
            TABLE.look_at(&text, is_cut, &mut letters);
            prop_assert_eq!(bytes, letters);
        }
    }

    #[test]
    fn the_table_is_in_order_and_says_nothing_twice() {
        assert!(TABLE.codes.is_sorted());
        assert!(TABLE.codes.len() <= 64);
        for line in include_str!("common_words.tsv").lines().skip(1) {
            let (code, words) = line.split_once('\t').unwrap();
            let mut distinct: Vec<&str> = words.split(' ').collect();
            for word in &distinct {
                assert!(
                    word.len() <= MAX_WORD_BYTES && **word == word.to_lowercase(),
                    "{code} {word}"
                );
                assert!(word.chars().all(char::is_alphabetic), "{code} {word}");
                assert!(!word.chars().any(is_foreign), "{code} {word}");
            }
            distinct.sort_unstable();
            distinct.dedup();
            assert_eq!(distinct.len(), words.split(' ').count(), "{code}");
        }
    }
}

#[cfg(test)]
mod table_tests {
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
