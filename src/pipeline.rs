//! The whole program: from two texts to a verdict. All stages meet only here.

use std::path::PathBuf;

use crate::comparison::Comparison;
use crate::elision;
use crate::language::{self, Known, Language, Settled};
use crate::recipe::Recipe;
use crate::shingles;
use crate::sketch::Sketch;
use crate::stems::{self, Stems};
use crate::stopwords::{self, Sifted};
use crate::text::{Side, Text, display_path};
use crate::tokens::{self, Tokens};
use crate::verdict::Decision;
use crate::warnings::{self, Warning};

/// The answer to whether two texts are near-duplicates, with its evidence.
#[derive(Clone, Debug, PartialEq)]
pub struct Judgement {
    /// The languages of both texts.
    pub languages: Settled,
    /// What is left of the left text.
    pub left: Sketch,
    /// What is left of the right text.
    pub right: Sketch,
    /// The figures.
    pub comparison: Comparison,
    /// The verdict, and what decided it.
    pub decision: Decision,
    /// What a reader should know.
    pub warnings: Vec<Warning>,
}

/// Judges two texts. Turned round, left and right change places and nothing else.
///
/// # Errors
///
/// [`Undecided`] where a text has no word, or has fewer stems than the smallest
/// n-gram and the two are not identical.
pub fn judge(left: &Text, right: &Text, recipe: &Recipe) -> Result<Judgement, Undecided> {
    let languages = language::settle(left, right, &recipe.languages);
    let left_words = words(left)?;
    let right_words = words(right)?;
    let same_words = left_words.same_words(&right_words);

    let left_sketch = sketch(left, left_words, languages.left, recipe);
    let right_sketch = sketch(right, right_words, languages.right, recipe);
    if !same_words {
        enough_stems(left, &left_sketch, recipe)?;
        enough_stems(right, &right_sketch, recipe)?;
    }

    let comparison = Comparison::of(same_words, &left_sketch, &right_sketch);
    Ok(Judgement {
        languages,
        decision: recipe.limits.judge(&comparison),
        comparison,
        left: left_sketch,
        right: right_sketch,
        warnings: doubts(left, right, &languages, recipe),
    })
}

/// The line from words to a sketch: elision, stop words, stems, shingles, fingerprint.
fn sketch(text: &Text, words: Tokens, known: Known, recipe: &Recipe) -> Sketch {
    let count = words.len();
    let (_, stems) = reduce(text, words, known.language, recipe);
    let shingles = shingles::cut(&stems, recipe.ngrams);
    Sketch::new(count, stems.len(), shingles)
}

/// What the stages made of a text on the way to its stems.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Trace<'t> {
    /// The words.
    pub words: Tokens<'t>,
    /// The words after elision, kept and dropped.
    pub sifted: Sifted<'t>,
    /// The stems of those kept.
    pub stems: Stems,
}

/// Traces a text through the same stages as [`judge`], in the language that it settled.
pub fn trace<'t>(text: &'t Text, known: Known, recipe: &Recipe) -> Trace<'t> {
    let words = tokens::split(text.content());
    let (sifted, stems) = reduce(text, words.clone(), known.language, recipe);
    Trace { words, sifted, stems }
}

fn reduce<'t>(
    text: &Text,
    words: Tokens<'t>,
    language: Option<Language>,
    recipe: &Recipe,
) -> (Sifted<'t>, Stems) {
    let parted = elision::part(words, text.content(), language);
    let sifted = stopwords::remove(parted, language, &recipe.stopwords);
    let stems = stems::reduce(&sifted.kept, language, recipe.stemming);
    (sifted, stems)
}

/// The words of a text that has any.
fn words(text: &Text) -> Result<Tokens<'_>, Undecided> {
    let words = tokens::split(text.content());
    if words.is_empty() {
        let found = match text.content() {
            "" => Wordless::Empty,
            blank if blank.trim().is_empty() => Wordless::WhiteSpace,
            _ => Wordless::NoWord,
        };
        return Err(Undecided::Wordless { path: text.path().to_owned(), found });
    }
    Ok(words)
}

fn enough_stems(text: &Text, sketch: &Sketch, recipe: &Recipe) -> Result<(), Undecided> {
    let (path, words, least) = (text.path().to_owned(), sketch.words, recipe.ngrams.min());
    match sketch.stems {
        0 => Err(Undecided::OnlyStopWords { path, words, least }),
        stems if stems < least => Err(Undecided::TooShort { path, words, stems, least }),
        _ => Ok(()),
    }
}

fn doubts(left: &Text, right: &Text, languages: &Settled, recipe: &Recipe) -> Vec<Warning> {
    let mut doubts = warnings::of_languages(languages, recipe);
    let sides = [(Side::Left, left), (Side::Right, right)];
    let unreadable = sides.into_iter().filter(|(_, text)| text.path().to_str().is_none());
    doubts.extend(unreadable.map(|(side, _)| Warning::PathNotUtf8(side)));
    doubts
}

/// What a text without a word is.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Wordless {
    /// It has no bytes, or a byte order mark alone.
    Empty,
    /// It has white space only.
    WhiteSpace,
    /// It has something, but no letter and no digit.
    NoWord,
}

/// Why two texts have no verdict.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Undecided {
    /// A text has no word.
    #[error("{}: {}, wanted a text with words", display_path(path), match found {
        Wordless::Empty => "empty",
        Wordless::WhiteSpace => "white space only",
        Wordless::NoWord => "no word in it",
    })]
    Wordless {
        /// The text, as the user named it.
        path: PathBuf,
        /// What it has.
        found: Wordless,
    },

    /// All words of a text are stop words.
    #[error(
        "{}: only stop words ({words} in all), wanted at least {least} other{}",
        display_path(path), if *least == 1 { "" } else { "s" }
    )]
    OnlyStopWords {
        /// The text, as the user named it.
        path: PathBuf,
        /// Its words.
        words: usize,
        /// The smallest n-gram.
        least: usize,
    },

    /// A text has fewer stems than the smallest n-gram.
    #[error(
        "{}: too short: {stems} of {words} words left after stop words, wanted at least {least}",
        display_path(path)
    )]
    TooShort {
        /// The text, as the user named it.
        path: PathBuf,
        /// Its words.
        words: usize,
        /// Those left after the stop words.
        stems: usize,
        /// The smallest n-gram.
        least: usize,
    },
}
