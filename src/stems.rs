//! Tokens → `Stems`, by Snowball.
//!
//! rust-stemmers does the work where it is sound; frostem, which follows Snowball's
//! own sources, does it for the languages that rust-stemmers lacks, for Greek, on
//! which rust-stemmers panics (ισαισα), and for Romanian, of which it knows only the
//! letters of the old code pages (ş, ţ for ș, ț). English words of plain letters are
//! stemmed here, as rust-stemmers does it, and faster.

mod english;

use std::borrow::Cow;

use unicode_script::Script;

use super::text::letters::{is_alphabetic, script};
use crate::language::Language;
use crate::tokens::Tokens;

/// Whether words are stemmed.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum Choice {
    /// Each in its language.
    #[default]
    On,
    /// Words stay as they are.
    Off,
}

/// The longest word that is stemmed, in bytes. Nothing longer is a word of a
/// language, and some stemmers take time that grows faster than the word.
pub const LONGEST_STEMMED: usize = 255;

/// The capacity reserved for a stem, in bytes: enough for most.
const BYTES_A_STEM: usize = 8;

/// The stems of a text, in order; there may be none.
///
/// Kept as one string, joined by single spaces, so that every shingle is a part of it.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Stems {
    joined: String,
    /// Where each stem ends in `joined`, in bytes.
    ends: Vec<usize>,
    /// Increasing: the stems that others do not stand right before.
    breaks: Vec<usize>,
}

impl Stems {
    /// The number of stems.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is no stem.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Every stem, in order.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        self.starts().zip(&self.ends).map(|(start, &end)| &self.joined[start..end])
    }

    /// Every window of `n` stems, joined by one space; none where there are fewer, or
    /// where n is 0, and none over a break. One that begins with a letter of a script
    /// without spaces has [more](more_stems), as far as there are.
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

    /// The same stems with breaks before some of them, by their places, increasing.
    #[must_use]
    pub fn broken_before(mut self, breaks: Vec<usize>) -> Self {
        self.breaks = breaks;
        self
    }

    /// Where each stem begins in `joined`, in bytes.
    fn starts(&self) -> impl Iterator<Item = usize> {
        std::iter::once(0).chain(self.ends.iter().map(|end| end + 1))
    }
}

impl<S: AsRef<str>> FromIterator<S> for Stems {
    /// Stems as they are: each not empty and without a space.
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
    /// The stemmer for a text in a language; none without a language, or without a
    /// stemmer for it.
    pub fn stemmer(self, language: Option<Language>) -> Option<Stemmer> {
        match self {
            Self::On => language.and_then(Stemmer::new),
            Self::Off => None,
        }
    }
}

/// Stems every word; without a stemmer a word is its own stem. So is a word of more
/// than [`LONGEST_STEMMED`] bytes, and one of which nothing would be left.
pub fn reduce(tokens: &Tokens, stemmer: Option<&Stemmer>) -> Stems {
    let words = tokens.0.iter().map(|token| &*token.word);
    match stemmer {
        Some(stemmer) => words.map(|word| stemmer.stem(word)).collect(),
        None => words.collect(),
    }
}

/// The Snowball algorithm of a language.
pub struct Stemmer(Engine);

enum Engine {
    English(rust_stemmers::Stemmer),
    RustStemmers(rust_stemmers::Stemmer),
    Frostem(frostem::Stemmer),
}

impl Stemmer {
    /// The stemmer of a language; none where there is none.
    pub fn new(language: Language) -> Option<Self> {
        let (engine, algorithm) = language.row().stemmer?;
        if engine == "frostem" {
            return Some(Self(Engine::Frostem(frostem::Stemmer::try_from_name(algorithm).ok()?)));
        }
        let stemmer = rust_stemmers::Stemmer::create(sound_algorithm(algorithm)?);
        let is_english = algorithm == "english";
        let engine = if is_english { Engine::English } else { Engine::RustStemmers };
        Some(Self(engine(stemmer)))
    }

    /// The stem of a word in its normal form; never empty.
    pub fn stem<'w>(&self, word: &'w str) -> Cow<'w, str> {
        if word.len() > LONGEST_STEMMED {
            return Cow::Borrowed(word);
        }
        let stem = match &self.0 {
            Engine::English(other) => english::stem(word).unwrap_or_else(|| other.stem(word)),
            Engine::RustStemmers(stemmer) => stemmer.stem(word),
            Engine::Frostem(stemmer) => stemmer.stem(word),
        };
        if stem.is_empty() { Cow::Borrowed(word) } else { stem }
    }
}

/// The algorithms of rust-stemmers that are used.
fn sound_algorithm(name: &str) -> Option<rust_stemmers::Algorithm> {
    use rust_stemmers::Algorithm;
    Some(match name {
        "arabic" => Algorithm::Arabic,
        "danish" => Algorithm::Danish,
        "dutch" => Algorithm::Dutch,
        "english" => Algorithm::English,
        "finnish" => Algorithm::Finnish,
        "french" => Algorithm::French,
        "german" => Algorithm::German,
        "hungarian" => Algorithm::Hungarian,
        "italian" => Algorithm::Italian,
        "norwegian" => Algorithm::Norwegian,
        "portuguese" => Algorithm::Portuguese,
        "russian" => Algorithm::Russian,
        "spanish" => Algorithm::Spanish,
        "swedish" => Algorithm::Swedish,
        "tamil" => Algorithm::Tamil,
        "turkish" => Algorithm::Turkish,
        _ => return None,
    })
}

// Scripts without spaces between words, whose words are letters here.
//
// A window of n letters says less than one of n words: it recurs by chance, and survives
// an edit that breaks the word. So a window that begins with such a letter has more of
// them. How many was measured, so that the limits mean the same in every script:
//
// | | letters alone | with more | in English |
// |---|---|---|---|
// | Jaccard, one word in ten replaced | 0.69 to 0.80 | 0.58 to 0.63 | 0.63 |
// | Jaccard, the halves of one text | 0.10 to 0.29 | 0.04 to 0.07 | 0.06 |
// | 3-grams of Chinese news in a book of a million words | 0.40 | 0.17 | 0.17 |
//
// The first two are of 1 to 3-grams, over the Universal Declaration of Human Rights in
// Burmese, Chinese, Japanese, Khmer, Lao and Thai. A dictionary would do no better, and
// is thrown off by a single letter: with one in a hundred changed in Thai the index falls
// to 0.71, and to 0.88 so.

/// How many stems a window has more than others where it begins with this one: none
/// but for a letter of a script without spaces. Katakana stand in runs, which are words.
pub fn more_stems(stem: &str) -> u8 {
    let Some(letter) = stem.chars().next().filter(|c| !c.is_ascii() && is_alphabetic(*c)) else {
        return 0;
    };
    match script(letter) {
        Script::Han | Script::Hiragana => 1,
        Script::Myanmar => 3,
        Script::Khmer | Script::Lao | Script::Thai => 4,
        _ => 0,
    }
}

#[cfg(test)]
mod spaceless_tests {
    use super::*;

    #[test]
    fn letters_of_scripts_without_spaces_ask_for_more() {
        #[rustfmt::skip]
        let table = [
            ("nothing",            "",          0),
            ("a word",             "kettle",    0),
            ("Cyrillic",           "чайник",    0),
            ("Korean has spaces",  "주전자",      0),
            ("Han",                "水",        1),
            ("a rare one",         "𠮷",        1),
            ("a numeral",          "三",        1),
            ("hiragana",           "の",        1),
            ("a word in katakana", "カップ",      0),
            ("Thai with a mark",   "ก\u{e31}",  4),
            ("a Thai number",      "๒๕๖๗",      0),
            ("Lao",                "ກ",         4),
            ("Khmer",              "ក",         4),
            ("Burmese",            "က",         3),
            ("a mark first",       "\u{e31}ก",  4),
        ];
        for (why, stem, want) in table {
            assert_eq!(more_stems(stem), want, "{why}");
        }
    }
}

#[cfg(test)]
mod tests;
