//! Recognizes the language of a text by its common words, if they leave no doubt.
//!
//! A quarter to a half of the words of most texts are among a few dozen words of their language. If
//! a text contains many of these, and hardly any that are common only in another language, full
//! detection is not needed; this takes a hundredth of its time. Left in doubt are texts with much
//! code, with many names, in several languages, or in a language that the table does not contain.

use std::collections::{BTreeMap, HashMap};
use std::ops::Range;
use std::sync::LazyLock;

use fearless_simd::prelude::*;
use fearless_simd::{Level, dispatch, u8x64};
use foldhash::fast::RandomState;

use super::Language;
use super::sample::stretches;

/// The length of each stretch of a text that is examined, in bytes.
const STRETCH: usize = 128;

/// The smallest number of words that determine the language of a text.
pub(super) const MIN_WORDS: u32 = 100;

/// At least one in this many words must be common in the language.
const SHARE: u32 = 8;

/// Of the words that are common in only one of two languages, those of the rival may be at most one
/// for this many of the recognized language.
const RIVAL_MARGIN: u32 = 4;

/// At most one in this many words may be in a script of none of the languages.
const FOREIGN: u32 = 8;

/// The length of the longest common word, in bytes: a key has 16 bytes.
const MAX_WORD_BYTES: usize = 16;

/// Returns the language of a text of at least `min_words` words according to its common words, and
/// the confidence, from 0.75 to 1; `None` if in doubt. For each rival language, the words that are
/// common only in the rival are divided by those that are common only in the recognized language.
/// The confidence is 1 minus the largest of these ratios.
pub(super) fn detect(text: &str, min_words: u32) -> Option<(Language, f64)> {
    let Sample { words, foreign, common } = TABLE.sample(text);
    if words < min_words || foreign * FOREIGN > words {
        return None;
    }
    let counts = tally(&common, |_| true);
    let (best, most) = counts.iter().copied().enumerate().rev().max_by_key(|(_, count)| *count)?;
    if most * SHARE < words {
        return None;
    }
    let with_best = tally(&common, |set| set >> best & 1 == 1);
    let mut doubt: f64 = 0.0;
    for (rival, both) in with_best.into_iter().enumerate().filter(|it| it.0 != best) {
        let (own, others) = (most - both, counts[rival] - both);
        if own == 0 || others * RIVAL_MARGIN > own {
            return None;
        }
        doubt = doubt.max(f64::from(others) / f64::from(own));
    }
    Some((Language::from_code(TABLE.codes.get(best)?)?, 1.0 - doubt))
}

/// Returns, for each language, the number of words that are common in it, of those whose set of
/// languages is `asked` for.
fn tally(common: &[u32], asked: impl Fn(u64) -> bool) -> [u32; 64] {
    let mut counts = [0; 64];
    let sets = TABLE.sets.iter().zip(common);
    for (set, words) in sets.filter(|(set, words)| **words > 0 && asked(**set)) {
        let mut rest = *set;
        while rest != 0 {
            counts[rest.trailing_zeros() as usize] += words;
            rest &= rest - 1;
        }
    }
    counts
}

#[derive(Debug, Eq, PartialEq)]
struct Sample {
    /// The number of words; in a script without spaces, of letters.
    words: u32,
    /// The number of letters in scripts of none of the languages of the table.
    foreign: u32,
    /// For each [set of languages](Table::sets), the number of words that are common in exactly
    /// these.
    common: Vec<u32>,
}

impl Table {
    /// Counts the words of a few stretches of a text, or of all of it if it is short.
    fn sample(&self, text: &str) -> Sample {
        let mut sample = Sample { words: 0, foreign: 0, common: vec![0; self.sets.len()] };
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
                sample.common[self.set(key(word.to_lowercase().bytes()))] += 1;
            }
        }
    }

    /// Same as [`look_at`](Self::look_at), for ASCII. Byte by byte, this took a quarter of the time
    /// of a text of 2 kB, so that words are separated 64 bytes at a time.
    fn look_at_ascii(&self, stretch: &str, is_cut: bool, sample: &mut Sample) {
        let bytes = stretch.as_bytes();
        let mut words = AsciiWords::new(bytes);
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
                sample.common[self.set(ascii_key(bytes, word))] += 1;
            }
        }
    }
}

/// An iterator over the runs of ASCII letters in a text.
struct AsciiWords<'t> {
    bytes: &'t [u8],
    level: Level,
    /// The offset of the block after the current one.
    block: usize,
    /// The unread edges of the current block: a bit for each byte at which a word begins or ends,
    /// the lowest for the first byte.
    edges: u64,
    /// Whether the last byte of the current block is a letter.
    was_letter: bool,
}

const BLOCK_BYTES: usize = 64;

impl<'t> AsciiWords<'t> {
    fn new(bytes: &'t [u8]) -> Self {
        Self { bytes, level: Level::new(), block: 0, edges: 0, was_letter: false }
    }

    /// Returns the next offset at which a word begins or ends; `None` at the end of the text.
    fn next_edge(&mut self) -> Option<usize> {
        while self.edges == 0 {
            let rest = self.bytes.get(self.block..).filter(|rest| !rest.is_empty())?;
            let letters = if let Some(block) = rest.first_chunk() {
                letters(self.level, block)
            } else {
                let mut block = [b' '; BLOCK_BYTES];
                block[..rest.len()].copy_from_slice(rest);
                letters(self.level, &block)
            };
            self.edges = letters ^ (letters << 1 | u64::from(self.was_letter));
            self.was_letter = letters >> (BLOCK_BYTES - 1) == 1;
            self.block += BLOCK_BYTES;
        }
        let edge = self.block - BLOCK_BYTES + self.edges.trailing_zeros() as usize;
        self.edges &= self.edges - 1;
        Some(edge)
    }
}

impl Iterator for AsciiWords<'_> {
    type Item = Range<usize>;

    fn next(&mut self) -> Option<Self::Item> {
        let start = self.next_edge()?;
        // At the end of a full block, there is no edge.
        Some(start..self.next_edge().unwrap_or(self.bytes.len()))
    }
}

/// Returns a bit for each byte of a block, the lowest for the first: whether it is an ASCII letter.
fn letters(level: Level, block: &[u8; BLOCK_BYTES]) -> u64 {
    dispatch!(level, simd => {
        let small = u8x64::from_slice(simd, block) | LOWER_CASE_BIT;
        (small - b'a').simd_le(b'z' - b'a').to_bitmask()
    })
}

/// The bit that makes an ASCII letter lower case.
const LOWER_CASE_BIT: u8 = 0x20;

/// The same in each of sixteen bytes.
const LOWER_CASE_BITS: u128 = u128::MAX / 255 * LOWER_CASE_BIT as u128;

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

// The common words of languages.

/// The word lists: a heading, and one line per language with its code and its words.
const LINES: &str = include_str!("common_words.tsv");

struct Table {
    /// The ISO 639-3 codes. Some of them are not known to any other part of the program.
    codes: Vec<&'static str>,
    /// For the [key] of each word, the index in `sets` of the languages that it is common in.
    words: HashMap<u128, usize, RandomState>,
    /// Each set of languages that words are common in, with one bit for each language; the first
    /// one is empty.
    sets: Vec<u64>,
}

static TABLE: LazyLock<Table> = LazyLock::new(|| {
    let lines = || LINES.lines().skip(1).filter_map(|line| line.split_once('\t'));
    let mut languages: BTreeMap<u128, u64> = BTreeMap::new();
    for (language, (_, words)) in lines().enumerate() {
        for word in words.split(' ') {
            *languages.entry(key(word.bytes())).or_default() |= 1 << language;
        }
    }
    let mut sets: Vec<u64> = [0].into_iter().chain(languages.values().copied()).collect();
    sets.sort_unstable();
    sets.dedup();
    let number = |(word, set)| (word, sets.partition_point(|known| *known < set));
    let words = languages.into_iter().map(number).collect();
    Table { codes: lines().map(|(code, _)| code).collect(), words, sets }
});

impl Table {
    /// Returns the index of the set of languages in which the word with a [key] is common; 0 if
    /// there are none.
    fn set(&self, key: u128) -> usize {
        self.words.get(&key).copied().unwrap_or_default()
    }
}

/// Returns a number that is unique for a word of at most 16 bytes. The key of a longer word
/// contains its last 16 bytes only.
fn key(word: impl Iterator<Item = u8>) -> u128 {
    word.fold(0, |key, byte| key << 8 | u128::from(byte))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn code(text: &str) -> Option<&'static str> {
        detect(text, MIN_WORDS).map(|(language, _)| language.code())
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
        let sure =
            detect(&text(200, 2, &["the", "which", "and", "they", "het"]), MIN_WORDS).unwrap();
        assert_eq!(sure.1.to_bits(), 0.75_f64.to_bits());
        assert_eq!(
            detect(&text(104, 8, &["the"]), MIN_WORDS).unwrap().1.to_bits(),
            1.0_f64.to_bits()
        );
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
        assert!(sample.common[1..].iter().all(|words| *words == 0));
        // Sixteen stretches of 128 bytes have about 18 words each, of which two are not counted.
        assert!((16 * 15..=16 * 17).contains(&sample.words), "{}", sample.words);
        assert_eq!(TABLE.sample("the thethe the").words, 3);
    }

    proptest! {
        #[test]
        fn sampling_ascii_agrees_with_sampling_any_text(text in "([the of,.'XQ1]|[\\x00-\\x7f]|[azAZ@\\[`{]|the of which ){0,60}", is_cut: bool) {
            let [mut bytes, mut letters] = [(); 2].map(|()| TABLE.sample(""));
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
    use std::collections::BTreeSet;

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
            assert_eq!(TABLE.sets[TABLE.set(key(word.bytes()))], *set, "{word}");
        }
        assert_eq!(TABLE.words.len(), languages.len());
        let sets = TABLE.sets.iter().filter(|set| **set != 0);
        assert_eq!(sets.count(), languages.values().collect::<BTreeSet<_>>().len());
        assert_eq!(["", "xqz", "kettle"].map(|word| TABLE.set(key(word.bytes()))), [0; 3]);
    }
}
