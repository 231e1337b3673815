//! What a thread reads texts of a corpus with: a memory of words for all, and of their stems
//! in each language.

use std::path::{Path, PathBuf};

use super::digest::{Dictionary, WordsDigest};
use super::{Document, Opened};
use crate::corpus::join::Side;
use crate::interner::{Interner, StemTable};
use crate::language::{self, Given, Known, Language};
use crate::pair::recipe::{Recipe, Search};
use crate::pair::undecided::Undecided;
use crate::pair::vocabulary::StemCache;
use crate::pair::vocabulary::SurfaceForms;
use crate::pair::vocabulary::WordSequence;
use crate::pair::{Analyzer, enough_stems, has_words, templates};
use crate::passages;
use crate::sketch::Sketch;
use crate::text::Text;
use crate::text::defect::{self, Defect};
use crate::tokens::exclusions::{LeftOut, Remaining};

/// Distinct words that are remembered. Beyond that the memory begins anew: a corpus may have
/// ever new ones.
const MOST_WORDS: usize = 1 << 20;

/// Bytes of text by which it is known how many words are worth remembering.
const BYTES: usize = 1 << 25;

/// A text that was sketched.
pub(super) struct Sketched {
    pub(super) document: Document,
    pub(super) sketch: Sketch,
    pub(super) group: Option<String>,
    pub(super) side: Side,
}

/// What came of a text: its sketch, why it has none, or a defect.
pub(super) type Isolated = Result<Result<Sketched, Undecided>, (PathBuf, Defect)>;

/// A memory of words.
pub(super) struct Reader<'r> {
    recipe: &'r Recipe,
    words: Interner<Dictionary>,
    /// One for each language that was met.
    lines: Vec<(Option<Language>, Analyzer<'r>, StemCache)>,
}

impl<'r> Reader<'r> {
    pub(super) fn new(recipe: &'r Recipe) -> Self {
        let words = Interner::growing(BYTES, Dictionary::default());
        Self { recipe, words, lines: Vec::new() }
    }

    /// The words that are left of a text, as they are written, and where they stand.
    pub(super) fn words(&mut self, remaining: &Remaining) -> (passages::Words, WordSequence) {
        self.forget();
        let (reading, marks) = self.words.read_with_marks(remaining.text(), remaining.spans());
        let StemTable { stems: known, more, .. } = self.words.stems();
        let keys = reading.stems.iter().map(|word| known[*word as usize].key()).collect();
        let letters = |word: &u32| more.get(*word as usize).copied().unwrap_or_default();
        let more =
            if more.is_empty() { Vec::new() } else { reading.stems.iter().map(letters).collect() };
        let words = passages::Words { keys, more, breaks: reading.breaks };
        (words, WordSequence { words: reading.words, marks, ..WordSequence::default() })
    }

    /// The language of a text: as it is said of all, or its own; none in doubt.
    pub(super) fn language(&self, text: &Text) -> Option<Known> {
        match self.recipe.languages.left {
            Given::As(language) => Some(Known::given(language)),
            Given::Detect => language::alone(text),
        }
    }

    /// What does not count of a text by itself.
    pub(super) fn left_out(&self, text: &Text) -> Vec<LeftOut> {
        templates::remaining(text, self.recipe).left_out().to_vec()
    }

    /// Begins the memory anew where it has grown too large.
    fn forget(&mut self) {
        if self.words.stems().stems.len() > MOST_WORDS {
            self.begin_anew();
        }
    }

    /// Sketches a text; a panic on the way costs this text and no other.
    pub(super) fn isolated(
        &mut self,
        path: &Path,
        sketch: impl FnOnce(&mut Self) -> Result<Sketched, Undecided>,
    ) -> Isolated {
        defect::catch(|| sketch(self)).map_err(|defect| {
            self.begin_anew();
            (path.to_owned(), defect)
        })
    }

    /// Forgets all words.
    fn begin_anew(&mut self) {
        *self = Self::new(self.recipe);
    }

    /// Takes a text through the stages.
    pub(super) fn sketch(
        &mut self,
        opened: Opened,
        language: Known,
    ) -> Result<Sketched, Undecided> {
        let left_out = self.left_out(&opened.text);
        self.sketch_without(opened, left_out, language)
    }

    /// Takes a text through the stages without what does not count.
    pub(super) fn sketch_without(
        &mut self,
        opened: Opened,
        left_out: Vec<LeftOut>,
        language: Known,
    ) -> Result<Sketched, Undecided> {
        let Opened { text, group, side, is_read_once } = opened;
        let remaining = Remaining::without(&text, left_out);
        let (sketch, digest) = self.read(&remaining, language.language);
        let summary = sketch.summary();
        has_words(&text, &remaining, &summary)?;
        enough_stems(&text, &remaining, &summary, self.recipe)?;
        let left_out = remaining.left_out().to_vec();
        let (words, stems) = (sketch.words, sketch.stems);
        let collisions = sketch.shingles.all().collisions();
        let has_content = self.recipe.search != Search::Never;
        let text = if has_content { text } else { text.without_content() };
        let checks = (is_read_once && !has_content).then(|| sketch.shingles.all().checks_by_key());
        let document =
            Document { text, language, left_out, words, stems, collisions, digest, checks };
        Ok(Sketched { document, sketch, group, side })
    }

    /// The sketch of what is left of a text, in a language, and the digest of its words.
    pub(super) fn read(
        &mut self,
        remaining: &Remaining,
        language: Option<Language>,
    ) -> (Sketch, WordsDigest) {
        self.forget();
        let reading = self.words.read_stretches(remaining.text(), remaining.spans());
        let digest = self.words.stages().digest(&reading.stems);
        let line = self.line(language);
        let (_, line, reduced) = &mut self.lines[line];
        let words: &SurfaceForms = self.words.stages().keeper();
        let stems = reduced.reduce(line, words, (&reading.stems, &reading.breaks), reading.words);
        (line.compose(&stems, reduced.distinct()), digest)
    }

    /// The place of a language's line.
    fn line(&mut self, language: Option<Language>) -> usize {
        let known = self.lines.iter().position(|(known, ..)| *known == language);
        known.unwrap_or_else(|| {
            self.lines.push((language, Analyzer::new(language, self.recipe), StemCache::default()));
            self.lines.len() - 1
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_costs_the_text_that_is_sketched() {
        let recipe = Recipe::default();
        let mut reader = Reader::new(&recipe);
        let english = Known::given(Language::from_code("en"));
        let sketch = |reader: &mut Reader, content: &str| {
            let text = Text::from_bytes(Path::new("a.txt"), content.as_bytes().to_vec()).unwrap();
            let opened = Opened { text, group: None, side: Side::Any, is_read_once: false };
            reader.isolated(Path::new("a.txt"), |reader| {
                let sketched = reader.sketch(opened, english);
                assert!(content != "a kettle that breaks", "it broke");
                sketched
            })
        };
        let remembered = |reader: &Reader| [reader.words.stems().stems.len(), reader.lines.len()];
        let before = sketch(&mut reader, "a kettle on the stove").unwrap().unwrap();
        assert_eq!(remembered(&reader), [5, 1]);
        let (path, defect) = sketch(&mut reader, "a kettle that breaks").err().unwrap();
        assert_eq!((path.as_path(), defect.to_string().as_str()), (Path::new("a.txt"), "it broke"));
        assert_eq!(remembered(&reader), [0, 0], "what was half done is forgotten");
        let after = sketch(&mut reader, "a kettle on the stove").unwrap().unwrap();
        assert_eq!(after.document, before.document);
        assert_eq!(after.sketch, before.sketch);
    }
}
