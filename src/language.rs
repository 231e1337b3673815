//! Text → `Language`, or none: never a default.
//!
//! Most texts say it by their commonest words. The others are detected by [`whatlang`],
//! in the prose of the text and in the letters of its main script, so that neither code
//! nor a quotation speaks for the whole. Either way a bounded sample of the text is looked
//! at, so the cost does not grow with the file. The languages of the two texts are
//! [settled](fn@settle) together.

mod common_words;
mod sample;
mod settle;

use std::fmt;

use serde::{Deserialize, Serialize};

pub use settle::{Choice, Given, LEAST_LETTERS, Settled, Tally, alone, settle, settle_told};

/// A language that can be detected or named: a row of the [table](rows).
#[derive(Clone, Copy, Deserialize, Serialize)]
#[serde(into = "&'static str", try_from = "String")]
pub struct Language(&'static Row);

impl Language {
    /// The language of a code of three letters (ISO 639-3) or two (639-1), in small
    /// letters; `no` and `nb` are both Bokmål. None for any other string.
    pub fn from_code(code: &str) -> Option<Self> {
        let code = if code == "nb" { "no" } else { code };
        rows().iter().find(|row| row.code == code || row.short == code).map(Self)
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

impl From<Language> for &'static str {
    fn from(language: Language) -> Self {
        language.code()
    }
}

impl TryFrom<String> for Language {
    type Error = String;

    fn try_from(code: String) -> Result<Self, String> {
        Self::from_code(&code).ok_or_else(|| format!("{code}: no code of a known language"))
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
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Serialize)]
pub struct Known {
    /// None where it was not found, or was given to be none.
    pub language: Option<Language>,
    /// How it is known.
    pub by: By,
    /// How sure the detection was, 0 to 1; none where nothing was detected.
    pub confidence: Option<f64>,
    /// Whether the detection was sure; none where nothing was detected.
    pub reliable: Option<bool>,
}

/// How a language is known.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
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

// What is known of each language that can be detected.

/// A language, and what the stages know of it.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// ISO 639-3.
    pub code: &'static str,
    /// ISO 639-1.
    pub short: &'static str,
    /// The English name.
    pub name: &'static str,
    /// The code of its list in the `stop-words` crate.
    pub stop_words: Option<&'static str>,
    /// The crate and the algorithm that stem it: `frostem catalan`.
    pub stemmer: Option<(&'static str, &'static str)>,
    /// Words that lean on the next one with an apostrophe, without the apostrophe,
    /// parted by spaces.
    elided: &'static str,
}

impl Row {
    /// Words that lean on the next one with an apostrophe, without the apostrophe.
    pub fn elided(&self) -> impl Iterator<Item = &'static str> {
        self.elided.split_ascii_whitespace()
    }
}

/// The lines of the table, the first of them its heading.
const LINES: &str = include_str!("language/languages.tsv");

/// As many as the table has.
const ROWS: usize = lines(LINES) - 1;

static TABLE: [Row; ROWS] = {
    let mut rest = parted(LINES, b'\n').1;
    let mut rows = [parse(parted(rest, b'\n').0); ROWS];
    let mut k = 0;
    while k < ROWS {
        let (line, others) = parted(rest, b'\n');
        rows[k] = parse(line);
        rest = others;
        k += 1;
    }
    rows
};

/// All languages, by code. They are those of `whatlang`.
pub fn rows() -> &'static [Row] {
    &TABLE
}

/// The row of a line. Read as the program is built, as are all.
const fn parse(line: &'static str) -> Row {
    let (code, rest) = parted(line, b'\t');
    let (short, rest) = parted(rest, b'\t');
    let (name, rest) = parted(rest, b'\t');
    let (stop_words, rest) = parted(rest, b'\t');
    let (stemmer, rest) = parted(rest, b'\t');
    let (elided, rest) = parted(rest, b'\t');
    assert!(rest.is_empty() && !elided.is_empty(), "languages.tsv has six cells in each line");
    Row {
        code,
        short,
        name,
        stop_words: if is_known(stop_words) { Some(stop_words) } else { None },
        stemmer: if is_known(stemmer) { Some(parted(stemmer, b' ')) } else { None },
        elided: if is_known(elided) { elided } else { "" },
    }
}

/// Whether a cell says anything.
const fn is_known(cell: &str) -> bool {
    !matches!(cell.as_bytes(), b"-")
}

/// What stands before the first of an ASCII character, and behind it; all and nothing where
/// there is none.
pub(super) const fn parted(text: &str, by: u8) -> (&str, &str) {
    let mut at = 0;
    while at < text.len() && text.as_bytes()[at] != by {
        at += 1;
    }
    let (before, rest) = text.split_at(at);
    (before, if rest.is_empty() { rest } else { rest.split_at(1).1 })
}

/// How many lines end in a text.
pub(super) const fn lines(text: &str) -> usize {
    let (mut rest, mut lines) = (text, 0);
    while !rest.is_empty() {
        rest = parted(rest, b'\n').1;
        lines += 1;
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rows_are_the_languages_of_the_detector() {
        let mut detected: Vec<_> = whatlang::Lang::all().iter().map(whatlang::Lang::code).collect();
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
