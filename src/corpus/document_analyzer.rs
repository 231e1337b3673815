//! Texts one by one, as a corpus has them, for whoever cannot hold it whole.

use super::judged::judgement;
use super::reader::{Reader, Sketched};
use super::{Document, Opened};
use crate::corpus::join::Side;
use crate::language::{By, Known, Language};
use crate::pair::Judgement;
use crate::pair::recipe::Recipe;
use crate::pair::undecided::Undecided;
use crate::pair::warnings::Warning;
use crate::shingles::{ShingleSet, collided};
use crate::sketch::Sketch;
use crate::text::Text;
use crate::verdict::comparison::Comparison;

/// Sketches texts of a corpus, each by itself. What it remembers of one is for speed.
pub struct DocumentAnalyzer<'r> {
    recipe: &'r Recipe,
    reader: Reader<'r>,
}

/// The language of texts that are in doubt: that of most others, or none.
pub fn of_corpus(main: Option<Language>) -> Known {
    let by = if main.is_some() { By::Corpus } else { By::None };
    Known { language: main, by, confidence: None, reliable: None }
}

impl<'r> DocumentAnalyzer<'r> {
    /// What is said of the left text's language holds for all. What too many texts have is not left out: no text by
    /// itself tells that.
    pub fn new(recipe: &'r Recipe) -> Self {
        Self { recipe, reader: Reader::new(recipe) }
    }

    /// The language of a text; none where it is in doubt.
    pub fn language(&self, text: &Text) -> Option<Known> {
        self.reader.language(text)
    }

    /// Sketches a text in a language.
    ///
    /// # Errors
    ///
    /// [`Undecided`] where it is too short to be compared.
    pub fn sketch(&mut self, text: Text, language: Known) -> Result<(Document, Sketch), Undecided> {
        self.read(text, language).map(|Sketched { document, sketch, .. }| (document, sketch))
    }

    fn read(&mut self, text: Text, language: Known) -> Result<Sketched, Undecided> {
        self.reader
            .sketch(Opened { text, group: None, side: Side::Any, is_read_once: false }, language)
    }

    /// Judges two texts as their corpus would. Those in doubt are in `main`, its main language.
    ///
    /// # Errors
    ///
    /// [`Undecided`] where one is too short to be compared.
    pub fn judge(&mut self, left: Text, right: Text, main: Known) -> Result<Judgement, Undecided> {
        let mut read = |text: Text| {
            let language = self.language(&text).unwrap_or(main);
            self.read(text, language)
        };
        let (left, right) = (read(left)?, read(right)?);
        let same_words = left.document.has_words_of(&right.document);
        let comparison = Comparison::of(same_words, &left.sketch, &right.sketch);
        let sketches = [left.sketch.summary(), right.sketch.summary()];
        let documents = [&left.document, &right.document];
        let mut judgement = judgement(self.recipe, documents, sketches, comparison);
        let sets = [left.sketch.shingles.all(), right.sketch.shingles.all()];
        let (keys, checks) = (sets.map(ShingleSet::keys), sets.map(ShingleSet::checks_by_key));
        let count = collided([(&keys[0], &checks[0]), (&keys[1], &checks[1])]).count;
        judgement.warnings.extend((count > 0).then_some(Warning::Collisions(count)));
        Ok(judgement)
    }
}
