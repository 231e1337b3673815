//! Determines the [`Language`] of a text, or none; there is no default.
//!
//! Most texts are recognized by their most common words. The others are detected by [`whatlang`],
//! using only the prose of the text and only the letters of its main script, so that neither code
//! nor a quotation determines the result. Both methods examine a sample of bounded size, so that
//! the cost does not grow with the file. The languages of the two texts of a comparison are
//! [settled](fn@settle) together. The texts are those that are compared: what is left out of them,
//! such as a template, says nothing about the language of the rest.

mod common_words;
mod sample;

use std::collections::BTreeMap;
use std::fmt;
use std::sync::LazyLock;

use serde::{Deserialize, Serialize};
use whatlang::{Info, Lang};

use sample::{
    has_many_kana, is_in_script_of_few_languages, letters, letters_of_main_script, sample,
};

/// A language that can be detected or specified: a row of the [table](rows).
#[derive(Clone, Copy, Deserialize, Serialize)]
#[serde(into = "&'static str", try_from = "String")]
pub struct Language(&'static Row);

impl Language {
    /// Returns the language of a code of three letters (ISO 639-3) or two (ISO 639-1) in lower
    /// case. `no` and `nb` are both Bokmål. `None` for any other string.
    pub fn from_code(code: &str) -> Option<Self> {
        let code = if code == "nb" { "no" } else { code };
        rows().iter().find(|row| row.code == code || row.short == code).map(Self)
    }

    /// Returns the ISO 639-3 code: `eng`, `cmn`, `nob`.
    pub fn code(self) -> &'static str {
        self.0.code
    }

    /// Returns the English name.
    pub fn name(self) -> &'static str {
        self.0.name
    }

    /// Returns the data of the language for the stages of the analysis.
    pub fn row(self) -> &'static Row {
        self.0
    }
}

impl From<Language> for &'static str {
    fn from(language: Language) -> Self {
        language.code()
    }
}

impl TryFrom<String> for Language {
    type Error = String;

    fn try_from(code: String) -> Result<Self, String> {
        Self::from_code(&code).ok_or_else(|| format!("{code}: not the code of a known language"))
    }
}

impl PartialEq for Language {
    fn eq(&self, other: &Self) -> bool {
        self.0.code == other.0.code
    }
}

impl Eq for Language {}

impl fmt::Debug for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.code)
    }
}

/// The language of one text, and how it was determined.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Serialize)]
pub struct Known {
    /// The language; `None` if it was not found, or if the user asked for no language.
    pub language: Option<Language>,
    /// The way in which it was determined.
    pub by: By,
    /// The confidence of the detection, from 0 to 1; `None` if nothing was detected.
    pub confidence: Option<f64>,
    /// Whether the detection was reliable; `None` if nothing was detected.
    pub reliable: Option<bool>,
}

/// The way in which a language was determined.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum By {
    /// Detected in the text itself.
    Detected,
    /// Detected in the samples of both texts together.
    Together,
    /// Taken from most other texts of a corpus.
    Corpus,
    /// Given by the user.
    Given,
    /// Not determined.
    None,
}

// The data of each language that can be detected.

/// A language, and its data for the stages of the analysis.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// The ISO 639-3 code.
    pub code: &'static str,
    /// The ISO 639-1 code.
    pub short: &'static str,
    /// The English name.
    pub name: &'static str,
    /// The code of its list in the `stop-words` crate; `None` if there is none.
    pub stop_words: Option<&'static str>,
    /// The crate and the algorithm that stem it, such as `frostem` and `catalan`; `None` if there
    /// is none.
    pub stemmer: Option<(&'static str, &'static str)>,
    /// The words that are elided before the next word, without the apostrophe, separated by spaces.
    elided: &'static str,
    /// The entries of the list of stop words that negate, separated by spaces.
    negations: &'static str,
    /// The contractions with a negation, such as `don't=do+not`, separated by spaces.
    contractions: &'static str,
}

impl Row {
    /// Reports whether a text in this language is treated like one in an unknown language, because
    /// it has no stop words, no stemmer and no elided words.
    pub fn is_plain(&self) -> bool {
        self.stop_words.is_none() && self.stemmer.is_none() && self.elided.is_empty()
    }

    /// Returns the words that are elided before the next word, without the apostrophe.
    pub fn elided(&self) -> impl Iterator<Item = &'static str> {
        self.elided.split_ascii_whitespace()
    }

    /// Returns the entries of the list of stop words that negate, as the list has them. They are
    /// never removed from a text.
    pub fn negations(&self) -> impl Iterator<Item = &'static str> {
        self.negations.split_ascii_whitespace()
    }

    /// Returns each contraction with a negation, and the words that it stands for, joined by `+`.
    /// An elided word ends in an apostrophe.
    pub fn contractions(&self) -> impl Iterator<Item = (&'static str, &'static str)> {
        self.contractions.split_ascii_whitespace().filter_map(|entry| entry.split_once('='))
    }
}

/// The table: a heading, and one line per language.
const LINES: &str = include_str!("language/languages.tsv");

static TABLE: LazyLock<Vec<Row>> = LazyLock::new(|| LINES.lines().skip(1).map(parse).collect());

/// Returns all languages, by code. They are those of `whatlang`.
pub fn rows() -> &'static [Row] {
    &TABLE
}

/// Parses a line of the table, which has a cell for each field; `-` is one without a value.
fn parse(line: &'static str) -> Row {
    let mut cells = line.split('\t');
    let mut cell = || cells.next().filter(|cell| *cell != "-");
    Row {
        code: cell().unwrap_or_default(),
        short: cell().unwrap_or_default(),
        name: cell().unwrap_or_default(),
        stop_words: cell(),
        stemmer: cell().and_then(|it| it.split_once(' ')),
        elided: cell().unwrap_or_default(),
        negations: cell().unwrap_or_default(),
        contractions: cell().unwrap_or_default(),
    }
}

// Settles the languages of two texts together.

/// The smallest number of letters of prose in a sample for which the language of a text is detected
/// from that text alone, unless its script settles the language. A letter of Chinese, Japanese or
/// Korean counts like as many of an alphabet as are in an equal part of a word.
///
/// For stretches of Markdown in 27 languages, a detection that was reported as reliable was wrong
/// for 5 in 100 with 100 or 200 letters, for 3 with 400 and for 2 with 800, nearly always for a
/// stretch of English or of program code. Two texts of one language must not be assigned different
/// languages because of such a stretch.
pub const MIN_LETTERS: usize = 800;

/// The same for a script of two languages that differ in most words: Hebrew and Yiddish.
const MIN_LETTERS_OF_TWO: usize = 100;

/// The same for ideographs without kana, which are Chinese or, seldom, Japanese.
const MIN_LETTERS_OF_IDEOGRAPHS: usize = 250;

/// The language that the user gave for one text.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum Given {
    /// None: it is detected.
    #[default]
    Detect,
    /// The language; `None` if the text is to be treated as in no language.
    As(Option<Language>),
}

/// The languages that the user gave for both texts.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct Choice {
    /// For the left text.
    pub left: Given,
    /// For the right text.
    pub right: Given,
}

/// The languages of both texts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settled {
    /// The language of the left text.
    pub left: Known,
    /// The language of the right text.
    pub right: Known,
}

/// Determines the languages of two texts together.
///
/// A language that the user gave is used as it is. If both texts can be recognized by their common
/// words, by a script of few languages, or by a reliable detection in at least [`MIN_LETTERS`]
/// letters, each keeps its own language. Otherwise, the two samples are concatenated, in an order
/// that does not depend on which text is left, and detected once. A reliable result is used for
/// both texts; otherwise, neither has a language. If the language of one text is given, the other
/// one is detected alone, or has no language.
pub fn settle(left: &str, right: &str, choice: &Choice) -> Settled {
    if choice.left == Given::Detect && choice.right == Given::Detect {
        return settle_both(left, right);
    }
    let one = |text, given| match given {
        Given::As(language) => Known::given(language),
        Given::Detect => settle_one(text),
    };
    Settled { left: one(left, choice.left), right: one(right, choice.right) }
}

fn settle_both(left: &str, right: &str) -> Settled {
    let known = [left, right].map(detect_by_common_words);
    if let [Some(left), Some(right)] = known {
        return Settled { left, right };
    }
    let [left, right] = [left, right].map(sample);
    let alone = |known: Option<Known>, sample| known.or_else(|| detect_alone(sample));
    if let (Some(left), Some(right)) = (alone(known[0], &left), alone(known[1], &right)) {
        return Settled { left, right };
    }
    let both = detect_together(&left, &right);
    Settled { left: both, right: both }
}

/// Same as [`settle`](fn@settle) if the user gave no language for either text, and the result of
/// [`alone`] for each text is already known.
pub fn settle_known(texts: [&str; 2], known: [Option<Known>; 2]) -> Settled {
    if let [Some(left), Some(right)] = known {
        return Settled { left, right };
    }
    let [left, right] = texts.map(sample);
    let both = detect_together(&left, &right);
    Settled { left: both, right: both }
}

/// Detects the language of two samples as one text, in an order that does not depend on the sides.
fn detect_together(left: &str, right: &str) -> Known {
    let (first, second) = if left <= right { (left, right) } else { (right, left) };
    match detect(&format!("{first}\n{second}")) {
        Some(info) if info.is_reliable() => known(&info, By::Together),
        unsure => unknown(unsure.as_ref()),
    }
}

fn settle_one(text: &str) -> Known {
    detect_by_common_words(text).unwrap_or_else(|| {
        let sample = sample(text);
        detect_alone(&sample).unwrap_or_else(|| unknown(detect(&sample).as_ref()))
    })
}

/// Determines the language of a text by itself; `None` if in doubt.
pub fn alone(text: &str) -> Option<Known> {
    detect_by_common_words(text).or_else(|| detect_alone(&sample(text)))
}

/// The smallest number of words from which the probable language of a text is determined.
const MIN_WORDS_OF_PROBABLE: u32 = 10;

/// Returns the language that a text in doubt is probably in, according to its common words; no
/// language if it has fewer than ten words, or hardly any common ones.
///
/// This is too uncertain to read the text in that language. But the language that most texts of a
/// corpus are probably in is that of the corpus.
pub fn probable(text: &str) -> Known {
    match common_words::detect(text, MIN_WORDS_OF_PROBABLE) {
        Some((language, confidence)) => {
            Known { reliable: Some(false), ..by_common_words(language, confidence) }
        }
        None => unknown(None),
    }
}

fn detect_by_common_words(text: &str) -> Option<Known> {
    let (language, confidence) = common_words::detect(text, common_words::MIN_WORDS)?;
    Some(by_common_words(language, confidence))
}

fn by_common_words(language: Language, confidence: f64) -> Known {
    let confidence = Some(confidence);
    Known { language: Some(language), by: By::Detected, confidence, reliable: Some(true) }
}

/// Detects the language of a sample with enough letters for its script; `None` if the result is not
/// reliable.
fn detect_alone(sample: &str) -> Option<Known> {
    let letters = letters(sample);
    if letters < MIN_LETTERS && !is_in_script_of_few_languages(sample) {
        return None;
    }
    let has_enough = |info: &Info| match info.lang() {
        Lang::Heb | Lang::Yid => letters >= MIN_LETTERS_OF_TWO,
        // Japanese notices may have few kana, and Chinese texts may quote Japanese.
        Lang::Cmn => letters >= MIN_LETTERS_OF_IDEOGRAPHS,
        Lang::Jpn => letters >= MIN_LETTERS || has_many_kana(sample),
        _ => true,
    };
    let info = detect(sample).filter(Info::is_reliable).filter(has_enough)?;
    Some(known(&info, By::Detected))
}

/// Detects the language of the letters of a sample's main script; `None` if it contains no letters.
fn detect(prose: &str) -> Option<Info> {
    whatlang::detect(&letters_of_main_script(prose))
}

impl Known {
    /// Creates the language that the user gave; `None` if the text is to be treated as in no
    /// language.
    pub fn given(language: Option<Language>) -> Self {
        Self { language, by: By::Given, confidence: None, reliable: None }
    }
}

fn known(info: &Info, by: By) -> Known {
    Known {
        language: Language::from_code(info.lang().code()),
        by,
        confidence: Some(info.confidence()),
        reliable: Some(info.is_reliable()),
    }
}

/// Creates a result without a language. Keeps the confidence of a detection that was not reliable.
fn unknown(unsure: Option<&Info>) -> Known {
    Known {
        language: None,
        by: By::None,
        confidence: unsure.map(Info::confidence),
        reliable: unsure.map(|_| false),
    }
}

// Counts the texts of each language, and finds the language of most of them.

/// The number of texts of each language, among those whose language has been settled.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Tally {
    /// The counts above 0, by code; that of the texts in no known language is the last.
    counts: BTreeMap<(bool, &'static str), (Option<Language>, u64)>,
}

impl Tally {
    /// Adds a number of texts, which may be 0.
    pub fn add(&mut self, language: Option<Language>, texts: u64) {
        if texts > 0 {
            let (_, count) = self.counts.entry(Self::key(language)).or_insert((language, 0));
            *count = count.saturating_add(texts);
        }
    }

    fn key(language: Option<Language>) -> (bool, &'static str) {
        (language.is_none(), language.map_or("", Language::code))
    }

    /// Adds all texts of another count.
    pub fn add_all(&mut self, others: &Self) {
        others.counts().for_each(|(language, texts)| self.add(language, texts));
    }

    /// Removes a text that was counted.
    pub fn remove(&mut self, language: Option<Language>) {
        if let Some((_, texts)) = self.counts.get_mut(&Self::key(language)) {
            *texts = texts.saturating_sub(1);
        }
        self.counts.retain(|_, (_, texts)| *texts > 0);
    }

    /// Returns the counts by code, with the texts in no known language last. Counts of 0 are left
    /// out.
    pub fn counts(&self) -> impl Iterator<Item = (Option<Language>, u64)> {
        self.counts.values().copied()
    }

    /// Returns the language that at least half of the texts in a known language have, and at least a
    /// quarter of all texts; if two have it, the first by code. `None` if there is none.
    pub fn main(&self) -> Option<Language> {
        let sum = |is_counted: fn(Option<Language>) -> bool| -> u128 {
            let counted = self.counts().filter(|(language, _)| is_counted(*language));
            counted.map(|(_, texts)| u128::from(texts)).sum()
        };
        let [known, all] = [sum(|language| language.is_some()), sum(|_| true)];
        let is_main = |texts: u64| {
            let texts = u128::from(texts);
            2 * texts >= known && 4 * texts >= all
        };
        self.counts().find_map(|(language, texts)| language.filter(|_| is_main(texts)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rows_are_the_languages_of_the_detector() {
        let mut detected: Vec<_> = Lang::all().iter().map(Lang::code).collect();
        detected.sort_unstable();
        let codes: Vec<_> = rows().iter().map(|row| row.code).collect();
        assert_eq!(codes, detected);
    }

    #[test]
    fn a_list_is_named_wherever_there_is_one() {
        for row in rows() {
            assert_eq!(
                row.stop_words.is_some(),
                stop_words::lookup(row.short).is_some(),
                "{row:?}"
            );
        }
    }

    #[test]
    fn cells_are_what_they_say() {
        let row = |code| rows().iter().find(|row| row.code == code).unwrap();
        assert_eq!(row("cat").stemmer, Some(("frostem", "catalan")));
        assert!(row("cat").elided().eq(["d", "l", "m", "n", "s", "t"]));
        assert_eq!(row("nob").stop_words, Some("no"));
        assert_eq!(row("cmn").stemmer, None);
        assert_eq!(row("cmn").elided().count(), 0);
    }
}

#[cfg(test)]
mod tally_tests {
    use super::*;

    #[test]
    fn at_least_half_have_the_main_language() {
        #[rustfmt::skip]
        let table: &[(&str, &[(&str, u64)], Option<&str>)] = &[
            ("no text",               &[],                                   None),
            ("none in a language",    &[("eng", 0)],                         None),
            ("one language",          &[("eng", 1)],                         Some("eng")),
            ("just half",             &[("eng", 2), ("cat", 1), ("deu", 1)], Some("eng")),
            ("less than half",        &[("eng", 2), ("cat", 2), ("deu", 1)], None),
            ("half each, the first",  &[("eng", 2), ("cat", 2)],             Some("cat")),
            ("a quarter of all",      &[("", 3), ("eng", 1)],                Some("eng")),
            ("less than a quarter",   &[("", 4), ("eng", 1)],                None),
            ("none is no language",   &[("", 3)],                            None),
            ("counted in parts",      &[("eng", 1), ("cat", 2), ("eng", 2)], Some("eng")),
        ];
        for (why, counts, want) in table {
            let mut tally = Tally::default();
            counts.iter().for_each(|(code, texts)| tally.add(Language::from_code(code), *texts));
            assert_eq!(tally.main().map(Language::code), *want, "{why}");
        }
    }
}

#[cfg(test)]
mod settle_tests;
