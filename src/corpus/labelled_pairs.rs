//! Computes the figures of listed pairs of texts, and analyzes single texts of a corpus.
//!
//! Each text goes through the stages once per language that it is read in. Each pair has the
//! figures that [`judge`](crate::pair::judge) computes for it on its own.

use std::num::NonZeroUsize;

use super::passages::{judgement, matches};
use super::reader::{Prepared, TextReader};
use super::{Document, WordsDigest};
use crate::language::{self, By, Given, Known, Language};
use crate::pair::Recipe;
use crate::pair::Undecided;
use crate::pair::analyzer::PairAnalyzer;
use crate::pair::warnings::Warning;
use crate::pair::{Judgement, decide_unless_short, matches, shortage};
use crate::parallel::{self, Advance};
use crate::shingles::{ShingleSet, collided};
use crate::sketch::{Comparison, Sketch};
use crate::text::Text;
use crate::tokens::exclusions::Remaining;

/// A text in one language, as far as a comparison needs it.
struct ReadText {
    language: Option<Language>,
    sketch: Sketch,
    digest: WordsDigest,
    /// The reason why the text has no shingles; `None` if it has some.
    shortage: Option<Undecided>,
}

/// Compares pairs of texts, given by the indices of the left and the right text.
///
/// The results are in the order of the pairs. A pair without figures has the error that
/// [`judge`](crate::pair::judge) returns for it. The recipe's choice of language for the left text
/// holds for all texts. The sketches of all texts are held in memory together with the texts.
///
/// # Panics
///
/// If a pair has an index that is out of bounds.
pub fn compare(
    texts: &[Text],
    pairs: &[[u32; 2]],
    recipe: &Recipe,
    threads: NonZeroUsize,
    advance: &Advance,
) -> Vec<Result<Comparison, Undecided>> {
    advance.begin(texts.len() as u64);
    let remaining = parallel::map(threads, texts, |text| matches::remaining(text, recipe));
    let languages = languages(&remaining, pairs, recipe, threads);
    // The languages that each text is read in: only its own if the text itself shows it.
    let mut wanted: Vec<Vec<Option<Language>>> = vec![Vec::new(); texts.len()];
    for (pair, languages) in pairs.iter().zip(&languages) {
        for (text, language) in pair.iter().zip(languages) {
            let wanted = &mut wanted[*text as usize];
            if !wanted.contains(language) {
                wanted.push(*language);
            }
        }
    }
    let mut readers: Vec<TextReader> =
        (0..threads.get()).map(|_| TextReader::new(recipe)).collect();
    let read = parallel::each_with(
        &mut readers,
        (0..texts.len()).zip(wanted),
        |reader, (text, wanted)| {
            let (text, remaining) = (&texts[text], &remaining[text]);
            let read =
                wanted.into_iter().map(|language| ReadText::new(reader, text, remaining, language));
            let read: Vec<ReadText> = read.collect();
            advance.add(1);
            read
        },
    );
    let find = |text: u32, language: Option<Language>| {
        let read = read[text as usize].iter().find(|read| read.language == language);
        read.expect("each text is read in the languages that its pairs want")
    };
    let compare = |(pair, languages): (&[u32; 2], &[Option<Language>; 2])| {
        let [left, right] = [0, 1].map(|side| find(pair[side], languages[side]));
        let texts = pair.map(|text| &texts[text as usize]);
        left.compare(right, texts, pair.map(|text| &remaining[text as usize]), recipe)
    };
    parallel::map(threads, pairs.iter().zip(&languages), compare)
}

/// Returns the languages in which the texts of each pair are read.
fn languages(
    texts: &[Remaining],
    pairs: &[[u32; 2]],
    recipe: &Recipe,
    threads: NonZeroUsize,
) -> Vec<[Option<Language>; 2]> {
    let texts: Vec<_> = texts.iter().map(Remaining::content).collect();
    let known: Vec<Option<Known>> = match recipe.languages.left {
        Given::As(language) => vec![Some(Known::given(language)); texts.len()],
        Given::Detect => parallel::map(threads, &texts, |text| language::alone(text)),
    };
    parallel::map(threads, pairs, |pair| {
        let [left, right] = pair.map(|text| text as usize);
        let settled =
            language::settle_known([&texts[left], &texts[right]], [known[left], known[right]]);
        [settled.left.language, settled.right.language]
    })
}

impl ReadText {
    fn new(
        reader: &mut TextReader,
        text: &Text,
        remaining: &Remaining,
        language: Option<Language>,
    ) -> Self {
        let (sketch, digest) = reader.read(remaining, language);
        let shortage = shortage(text, remaining, &sketch.summary(), reader.recipe());
        Self { language, sketch, digest, shortage }
    }

    /// Returns the figures of the pair.
    ///
    /// A text without words has none. A text that is too short for shingles has only those of its
    /// words and passages, and an error if they leave the pair different.
    fn compare(
        &self,
        right: &Self,
        texts: [&Text; 2],
        remaining: [&Remaining; 2],
        recipe: &Recipe,
    ) -> Result<Comparison, Undecided> {
        let same_words = self.digest == right.digest;
        let figures = Comparison { same_words, ..Comparison::new(&self.sketch, &right.sketch) };
        let find = || PairAnalyzer { texts, remaining }.find(recipe);
        let shortages = [self, right].map(|read| read.shortage.clone());
        Ok(decide_unless_short(shortages, figures, find, recipe)?.comparison)
    }
}

// Single texts of a corpus that does not fit on one machine.

/// An analyzer that sketches the texts of a corpus one by one. It keeps a cache of words, which
/// affects speed only.
pub struct DocumentAnalyzer<'r> {
    reader: TextReader<'r>,
}

/// Returns the language for texts in doubt: the main language of the corpus, or none.
pub fn of_corpus(main: Option<Language>) -> Known {
    let by = if main.is_some() { By::Corpus } else { By::None };
    Known { language: main, by, confidence: None, reliable: None }
}

impl<'r> DocumentAnalyzer<'r> {
    /// Returns an analyzer with an empty cache. The recipe's choice of language for the left text
    /// holds for all texts. Stretches that too many texts share are not left out, because no text
    /// on its own shows them.
    pub fn new(recipe: &'r Recipe) -> Self {
        Self { reader: TextReader::new(recipe) }
    }

    /// Determines which parts of a text count, and their language.
    pub fn prepare(&self, text: Text) -> Prepared {
        self.reader.prepare(text.into())
    }

    /// Sketches a text, in `main` if its language is in doubt.
    ///
    /// # Errors
    ///
    /// Returns [`Undecided`] if the text is too short to be compared.
    pub fn sketch(
        &mut self,
        prepared: Prepared,
        main: Known,
    ) -> Result<(Document, Sketch), Undecided> {
        self.reader.sketch(prepared, main).map(|it| (it.document, it.sketch))
    }

    /// Judges two texts as their corpus would. Texts in doubt are read in `main`, the main language
    /// of the corpus.
    ///
    /// # Errors
    ///
    /// Returns [`Undecided`] if either text is too short to be compared.
    pub fn judge(&mut self, left: Text, right: Text, main: Known) -> Result<Judgement, Undecided> {
        let mut read = |text: Text| {
            let prepared = self.prepare(text);
            self.sketch(prepared, main)
        };
        let (left, right) = (read(left)?, read(right)?);
        let same_words = left.0.has_words_of(&right.0);
        let comparison = Comparison { same_words, ..Comparison::new(&left.1, &right.1) };
        let sketches = [left.1.summary(), right.1.summary()];
        let documents = [&left.0, &right.0];
        let recipe = self.reader.recipe();
        let find = || matches(documents, recipe);
        let mut judgement = judgement(recipe, documents, sketches, comparison, find);
        let sets = [left.1.shingles.all(), right.1.shingles.all()];
        let (keys, checks) = (sets.map(ShingleSet::keys), sets.map(ShingleSet::checks_by_key));
        let count = collided([(&keys[0], &checks[0]), (&keys[1], &checks[1])]).count;
        judgement.warnings.extend((count > 0).then_some(Warning::Collisions(count)));
        Ok(judgement)
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::language::Choice;
    use crate::pair::judge;
    use crate::shingles::Ngrams;

    fn texts() -> Vec<Text> {
        #[rustfmt::skip]
        let contents = [
            "The keeper of the lighthouse trimmed the lamp at dusk and wrote down the weather",
            "the keeper of the lighthouse trimmed the lamp at dusk, and wrote down the weather!",
            "The keeper trimmed a lamp",
            "Det er en kort dansk sætning om et fyr", // on its own its language is in doubt
            "Dette er en kort setning om et fyrtårn",
            "kettle",
            "Kettle.",
            "the of and",
            "",
            "!!!",
        ];
        let named = contents.iter().enumerate();
        let text = |(number, content): (usize, &&str)| {
            let path = format!("{number}.txt");
            Text::from_bytes(Path::new(&path), content.as_bytes().to_vec()).unwrap()
        };
        named.map(text).collect()
    }

    #[test]
    fn a_pair_has_the_figures_that_it_has_by_itself() {
        let texts = texts();
        let all = || 0..u32::try_from(texts.len()).unwrap();
        let pairs: Vec<[u32; 2]> = all().flat_map(|a| all().map(move |b| [a, b])).collect();
        let given = Given::As(Language::from_code("es"));
        let recipes = [
            Recipe::default(),
            Recipe { ngrams: Ngrams::new(3, 3).unwrap(), ..Recipe::default() },
            Recipe { languages: Choice { left: given, right: given }, ..Recipe::default() },
        ];
        for recipe in recipes {
            for threads in [1, 3].map(|threads| NonZeroUsize::new(threads).unwrap()) {
                let found = compare(&texts, &pairs, &recipe, threads, &Advance::default());
                assert_eq!(found.len(), pairs.len());
                for ([left, right], found) in pairs.iter().zip(found) {
                    let [left, right] = [left, right].map(|text| &texts[*text as usize]);
                    let want = judge(left, right, &recipe).map(|judgement| judgement.comparison);
                    assert_eq!(found, want, "{:?} {:?}", left.path(), right.path());
                }
            }
        }
    }

    #[test]
    fn no_pair_has_no_figures() {
        let found =
            compare(&texts(), &[], &Recipe::default(), NonZeroUsize::MIN, &Advance::default());
        assert_eq!(found, []);
    }
}
