//! Text → `Language`, or none: never a default.
//!
//! Most texts tell it by their commonest words. The others are detected by [`whatlang`],
//! in the prose of the text and in the letters of its main script, so that neither code
//! nor a quotation speaks for the whole. Either way a bounded sample of the text is looked
//! at, so the cost does not grow with the file. The languages of the two texts are
//! [settled](fn@settle) together.

pub mod table;
mod common_words;
mod sample;
mod settle;

use std::fmt;

pub use settle::Tally;
pub use settle::{Choice, Given, LEAST_LETTERS, Settled, alone, settle, settle_told};
use table::Row;

/// A language that can be detected or named: a row of the [table](table::rows).
#[derive(Clone, Copy)]
pub struct Language(&'static Row);

impl Language {
    /// The language of a code of three letters (ISO 639-3) or two (639-1), in small
    /// letters; `no` and `nb` are both Bokmål. None for any other string.
    pub fn from_code(code: &str) -> Option<Self> {
        let code = if code == "nb" { "no" } else { code };
        table::rows().iter().find(|row| row.code == code || row.short == code).map(Self)
    }

    /// The ISO 639-3 code: `eng`, `cmn`, `nob`.
    pub fn code(self) -> &'static str {
        self.0.code
    }

    /// The English name.
    pub fn name(self) -> &'static str {
        self.0.name
    }

    /// What the stages know of the language.
    pub fn row(self) -> &'static Row {
        self.0
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

/// The language of one text, and how it is known.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Known {
    /// None where it was not found, or was said to be none.
    pub language: Option<Language>,
    /// How it is known.
    pub by: By,
    /// How sure the detection was, 0 to 1; none where nothing was detected.
    pub confidence: Option<f64>,
    /// Whether the detection was sure; none where nothing was detected.
    pub reliable: Option<bool>,
}

/// How a language is known.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum By {
    /// Detected in the text itself.
    Detected,
    /// Detected in the samples of both texts together.
    Together,
    /// That of most other texts of a corpus.
    Corpus,
    /// Named by the user.
    Given,
    /// Not known.
    None,
}
