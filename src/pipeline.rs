//! The whole program: from two texts to a verdict. All stages meet only here.

use crate::comparison::Comparison;
use crate::elision;
use crate::language::{self, Language, Settled};
use crate::lexicon::Lexicon;
use crate::recipe::Recipe;
use crate::shingles::{self, Ngrams, Shingles};
use crate::sketch::Sketch;
use crate::stems::{self, Stemmer, Stems};
use crate::stopwords::{self, Filter, Sifted};
use crate::text::{Side, Text};
use crate::threads;
use crate::tokens::{self, Tokens};
use crate::undecided::{Undecided, Wordless};
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
    let (left_sketch, right_sketch) = sketch_both(left, right, &languages, recipe);
    has_words(left, &left_sketch)?;
    has_words(right, &right_sketch)?;
    // In one language the same words have the same shingles: where those differ, there is
    // no need to read on.
    let may_be_same = languages.left.language != languages.right.language
        || left_sketch.shingles == right_sketch.shingles;
    let same_words = left_sketch.words == right_sketch.words
        && may_be_same
        && tokens::same_words(left.content(), right.content());
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

/// Sketches both texts: short ones in one language with one lexicon, long ones side by
/// side.
fn sketch_both(
    left: &Text,
    right: &Text,
    languages: &Settled,
    recipe: &Recipe,
) -> (Sketch, Sketch) {
    let line = Line::new(languages.left.language, recipe);
    let own_line = (languages.left.language != languages.right.language)
        .then(|| Line::new(languages.right.language, recipe));
    let (left, right) = (left.content(), right.content());
    if own_line.is_none() && !threads::is_worth_it(left.len() + right.len()) {
        return line.sketch([left, right]).into();
    }
    let right_line = own_line.as_ref().unwrap_or(&line);
    let ([left], [right]) = threads::side_by_side(
        left.len() + right.len(),
        || line.sketch([left]),
        || right_line.sketch([right]),
    );
    (left, right)
}

/// The line from words to shingles for texts in one language.
struct Line<'r> {
    language: Option<Language>,
    stop_words: Filter<'r>,
    stemmer: Option<Stemmer>,
    ngrams: Ngrams,
}

impl<'r> Line<'r> {
    fn new(language: Option<Language>, recipe: &'r Recipe) -> Self {
        Self {
            language,
            stop_words: recipe.stopwords.filter(language),
            stemmer: recipe.stemming.stemmer(language),
            ngrams: recipe.ngrams,
        }
    }

    /// From texts to their sketches. The lexicon sends each distinct word down the line
    /// once and remembers what came of it.
    fn sketch<const TEXTS: usize>(&self, texts: [&str; TEXTS]) -> [Sketch; TEXTS] {
        let bytes = texts.iter().map(|text| text.len()).sum();
        let mut lexicon = Lexicon::new(bytes, |words, written| self.reduce(words, written).1);
        texts.map(|text| {
            let reading = lexicon.read(text);
            let (stems, more) = (lexicon.stems(), lexicon.more());
            let shingles = shingles::compose(&reading.stems, stems, more, self.ngrams);
            Sketch::new(reading.words, reading.stems.len(), shingles)
        })
    }

    /// From words to stems. `text` is what the words were cut from.
    fn reduce<'t>(&self, words: Tokens<'t>, text: &str) -> (Sifted<'t>, Stems) {
        let parted = elision::part(words, text, self.language);
        let sifted = stopwords::remove(parted, &self.stop_words);
        let stems = stems::reduce(&sifted.kept, self.stemmer.as_ref());
        (sifted, stems)
    }
}

/// What the stages made of a text.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Trace<'t> {
    /// The words.
    pub words: Tokens<'t>,
    /// The words after elision, kept and dropped.
    pub sifted: Sifted<'t>,
    /// The stems of those kept.
    pub stems: Stems,
    /// Their shingles.
    pub shingles: Shingles,
}

/// Traces a text through the stages of [`judge`] one after the other, each on the whole
/// text, without a memory of words: slow, plain, and the same to the bit.
pub fn trace<'t>(text: &'t str, language: Option<Language>, recipe: &Recipe) -> Trace<'t> {
    let line = Line::new(language, recipe);
    let words = tokens::split(text);
    let (sifted, stems) = line.reduce(words.clone(), text);
    let shingles = shingles::cut(&stems, line.ngrams);
    Trace { words, sifted, stems, shingles }
}

/// Trouble for a text without a word.
fn has_words(text: &Text, sketch: &Sketch) -> Result<(), Undecided> {
    if sketch.words > 0 {
        return Ok(());
    }
    let found = match text.content() {
        "" => Wordless::Empty,
        blank if blank.trim().is_empty() => Wordless::WhiteSpace,
        _ => Wordless::NoWord,
    };
    Err(Undecided::Wordless { path: text.path().to_owned(), found })
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
    let damaged = sides.into_iter().filter(|(_, text)| text.replaced() > 0);
    doubts.extend(damaged.map(|(side, text)| Warning::BytesReplaced(side, text.replaced())));
    for (side, text) in sides {
        let found = text.disguises().iter().cloned();
        doubts.extend(found.map(|found| Warning::Disguised(side, found)));
    }
    doubts
}
