//! Reduces tokens to [`Stems`], using the Snowball algorithms.
//!
//! frostem follows Snowball's own sources. rust-stemmers, of 2018, is used where it gives the stems
//! that Snowball gives today (Arabic, Hungarian, Portuguese, Tamil), and for English, of
//! which 57 of the 42,649 words of Snowball's vocabulary have other stems today (emergency, evening).
//! It panics on some Greek words (ισαισα), and knows of Romanian only the letters of the old code
//! pages (ş, ţ instead of ș, ț).

use std::borrow::Cow;

use unicode_script::Script;

use super::text::letters::{is_alphabetic, script};
use crate::language::Language;
use crate::tokens::Tokens;

/// The choice of whether words are stemmed.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum Choice {
    /// Words are stemmed with the algorithm of their language.
    #[default]
    On,
    /// Words are not stemmed.
    Off,
}

impl Choice {
    /// Both choices, with their names.
    pub const NAMED: [(&str, Self); 2] = [("on", Self::On), ("off", Self::Off)];

    /// Returns the name of the choice.
    pub fn name(self) -> &'static str {
        if self == Self::On { "on" } else { "off" }
    }
}

/// The length of the longest word that is stemmed, in bytes. Longer ones are not words of a
/// language, and the running time of some stemmers grows faster than the length of the word.
pub const MAX_STEMMED_LENGTH: usize = 255;

/// The capacity reserved per stem, in bytes: enough for most.
const BYTES_A_STEM: usize = 8;

/// The stems of a text, in order; may be empty.
///
/// Stored as one string, joined by single spaces, so that every shingle is a substring of it.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Stems {
    joined: String,
    /// The byte offset of the end of each stem in `joined`.
    ends: Vec<usize>,
    /// The indices, increasing, of the stems that do not directly follow the one before.
    breaks: Vec<usize>,
}

impl Stems {
    /// Returns the number of stems.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Reports whether there are no stems.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Returns every stem, in order.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        self.starts().zip(&self.ends).map(|(start, &end)| &self.joined[start..end])
    }

    /// Returns every window of `n` stems, joined by single spaces. No window extends over a break.
    /// There are none if there are fewer stems, or if `n` is 0. A window that begins with a letter
    /// of a script without spaces has [more stems](more_stems), as far as there are any before the
    /// next break.
    pub fn windows(&self, n: usize) -> impl Iterator<Item = &str> {
        let mut breaks = self.breaks.iter().copied().peekable();
        self.starts().enumerate().take(self.len()).filter_map(move |(first, start)| {
            while breaks.next_if(|next| *next <= first).is_some() {}
            let end = breaks.peek().copied().unwrap_or(self.len());
            let last = first.checked_add(n.checked_sub(1)?).filter(|last| *last < end)?;
            let more = usize::from(more_stems(&self.joined[start..]));
            Some(&self.joined[start..self.ends[(last + more).min(end - 1)]])
        })
    }

    /// Returns the indices of the stems before which there is a break, increasing.
    pub(crate) fn breaks(&self) -> &[usize] {
        &self.breaks
    }

    /// Returns the same stems with breaks before the stems at the given indices, which must be
    /// increasing.
    #[must_use]
    pub fn broken_before(mut self, breaks: Vec<usize>) -> Self {
        self.breaks = breaks;
        self
    }

    /// Returns the byte offset of the start of each stem in `joined`.
    fn starts(&self) -> impl Iterator<Item = usize> {
        std::iter::once(0).chain(self.ends.iter().map(|end| end + 1))
    }
}

impl<S: AsRef<str>> FromIterator<S> for Stems {
    /// Collects stems unchanged. Each must be non-empty and without a space.
    fn from_iter<I: IntoIterator<Item = S>>(stems: I) -> Self {
        let stems = stems.into_iter();
        let least = stems.size_hint().0;
        let mut joined = String::with_capacity(BYTES_A_STEM * least);
        let mut ends = Vec::with_capacity(least);
        for stem in stems {
            if !ends.is_empty() {
                joined.push(' ');
            }
            joined.push_str(stem.as_ref());
            ends.push(joined.len());
        }
        Self { joined, ends, breaks: Vec::new() }
    }
}

impl Choice {
    /// Returns the stemmer for a text in a language; `None` if the language is unknown or has no
    /// stemmer, or if stemming is off.
    pub fn stemmer(self, language: Option<Language>) -> Option<Stemmer> {
        match self {
            Self::On => language.and_then(Stemmer::new),
            Self::Off => None,
        }
    }
}

/// Stems every word. A word is its own stem if there is no stemmer, if it is longer than
/// [`MAX_STEMMED_LENGTH`] bytes, or if its stem would be empty.
pub fn reduce(tokens: &Tokens, stemmer: Option<&Stemmer>) -> Stems {
    let words = tokens.0.iter().map(|token| &*token.word);
    match stemmer {
        Some(stemmer) => words.map(|word| stemmer.stem(word)).collect(),
        None => words.collect(),
    }
}

/// The Snowball stemmer of a language.
pub struct Stemmer(Engine);

/// The implementation of a stemmer.
enum Engine {
    RustStemmers(rust_stemmers::Stemmer),
    Frostem(frostem::Stemmer),
}

impl Stemmer {
    /// Returns the stemmer of a language; `None` if it has none.
    pub fn new(language: Language) -> Option<Self> {
        let (engine, algorithm) = language.row().stemmer?;
        if engine == "frostem" {
            return Some(Self(Engine::Frostem(frostem::Stemmer::try_from_name(algorithm).ok()?)));
        }
        let algorithm = sound_algorithm(algorithm)?;
        Some(Self(Engine::RustStemmers(rust_stemmers::Stemmer::create(algorithm))))
    }

    /// Returns the stem of a word in its normal form; never empty.
    pub fn stem<'w>(&self, word: &'w str) -> Cow<'w, str> {
        if word.len() > MAX_STEMMED_LENGTH {
            return Cow::Borrowed(word);
        }
        let stem = match &self.0 {
            Engine::RustStemmers(stemmer) => stemmer.stem(word),
            Engine::Frostem(stemmer) => stemmer.stem(word),
        };
        if stem.is_empty() { Cow::Borrowed(word) } else { stem }
    }
}

/// Returns an algorithm of rust-stemmers by its name; `None` for those that are not used.
fn sound_algorithm(name: &str) -> Option<rust_stemmers::Algorithm> {
    use rust_stemmers::Algorithm;
    Some(match name {
        "arabic" => Algorithm::Arabic,
        "english" => Algorithm::English,
        "hungarian" => Algorithm::Hungarian,
        "portuguese" => Algorithm::Portuguese,
        "tamil" => Algorithm::Tamil,
        _ => return None,
    })
}

// Windows in scripts without spaces between words, in which every letter is a token.
//
// A window of n letters is weaker evidence than one of n words: it recurs by chance more often, and
// it survives an edit of the word that it is part of. A window that begins with a letter of this
// kind is therefore longer. The number of additional letters was determined by measurement, so that
// the limits mean the same in every script:
//
// | | letters alone | with more | in English |
// |---|---|---|---|
// | Jaccard, one word in ten replaced | 0.69 to 0.80 | 0.58 to 0.63 | 0.63 |
// | Jaccard, the halves of one text | 0.10 to 0.29 | 0.04 to 0.07 | 0.06 |
// | 3-grams of Chinese news in a book of a million words | 0.40 | 0.17 | 0.17 |
//
// The first two rows are for 1 to 3-grams, over the Universal Declaration of Human Rights in
// Burmese, Chinese, Japanese, Khmer, Lao and Thai. Splitting into words with a dictionary would be
// no better, and is disturbed by single letters: with one letter in a hundred changed in Thai, the
// index falls to 0.71, but only to 0.88 with this method.
//
// In a passage a letter is worth less than a word, so that unrelated texts share passages of
// `--min-match` words as seldom as in English: docs/languages.md has the measurement.

/// How a stem that is a letter of a script without spaces is counted; zeros for a word.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct Letter {
    /// The number of stems that a window has in addition if it begins with this one.
    pub more: u8,
    /// The quarters of a word that it is worth less than a word in a passage.
    pub less: u8,
}

impl Letter {
    /// Returns how a stem is counted. Katakana form runs, which are words.
    pub fn of(stem: &str) -> Self {
        let Some(letter) = stem.chars().next().filter(|c| !c.is_ascii() && is_alphabetic(*c))
        else {
            return Self::default();
        };
        match script(letter) {
            Script::Han => Self { more: 1, less: 1 },
            Script::Hiragana => Self { more: 1, less: 2 },
            Script::Myanmar => Self { more: 3, less: 2 },
            Script::Khmer | Script::Lao | Script::Thai => Self { more: 4, less: 2 },
            _ => Self::default(),
        }
    }
}

/// Returns the number of stems that a window has in addition if it begins with this one: 0 unless
/// it is a letter of a script without spaces.
pub fn more_stems(stem: &str) -> u8 {
    Letter::of(stem).more
}

#[cfg(test)]
mod spaceless_tests {
    use super::*;

    #[test]
    fn letters_of_scripts_without_spaces_ask_for_more_and_are_worth_less() {
        #[rustfmt::skip]
        let table = [
            ("nothing",            "",          0, 0),
            ("a word",             "kettle",    0, 0),
            ("Cyrillic",           "чайник",    0, 0),
            ("Korean has spaces",  "주전자",      0, 0),
            ("Han",                "水",        1, 1),
            ("a rare one",         "𠮷",        1, 1),
            ("a numeral",          "三",        1, 1),
            ("hiragana",           "の",        1, 2),
            ("a word in katakana", "カップ",      0, 0),
            ("Thai with a mark",   "ก\u{e31}",  4, 2),
            ("a Thai number",      "๒๕๖๗",      0, 0),
            ("Lao",                "ກ",         4, 2),
            ("Khmer",              "ក",         4, 2),
            ("Burmese",            "က",         3, 2),
            ("a mark first",       "\u{e31}ก",  4, 2),
        ];
        for (why, stem, more, less) in table {
            assert_eq!(Letter::of(stem), Letter { more, less }, "{why}");
        }
    }
}

#[cfg(test)]
mod tests;
