//! The state with which a thread reads the texts of a corpus: the words seen so far, and their
//! stems in each language.

use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use super::join::{Side, SketchKeys};
use super::{Document, DocumentExtras, Opened, of_corpus};
use crate::interner::{Interner, Stages};
use crate::language::{self, Given, Known, Language};
use crate::pair::Undecided;
use crate::pair::vocabulary::{StemCache, SurfaceForms, WordSequence};
use crate::pair::{Analyzer, matches, shortage};
use crate::pair::{Recipe, Search};
use crate::passages;
use crate::shingles::{Ngrams, Variety};
use crate::sketch::Sketch;
use crate::stems::Stems;
use crate::text::defect::{self, Defect};
use crate::tokens::exclusions::{LeftOut, Remaining};
use crate::tokens::{self, Tokens};

/// The largest number of distinct words that a reader remembers. Beyond it the reader starts again
/// from an empty memory, because a corpus may have ever new words.
const MAX_WORDS: usize = 1 << 20;

/// The number of bytes of text from which the interner derives how many words it caches.
const EXPECTED_BYTES: usize = 1 << 25;

/// A text that was sketched.
pub(super) struct SketchedDocument<S = Sketch> {
    pub(super) document: Document,
    pub(super) sketch: S,
    pub(super) group: Option<String>,
    pub(super) side: Side,
}

impl SketchedDocument {
    /// Reduces the sketch to what a collection keeps of it.
    pub(super) fn into_keys(self, ngrams: Ngrams) -> SketchedDocument<SketchKeys> {
        let Self { document, sketch, group, side } = self;
        SketchedDocument { document, sketch: SketchKeys::new(&sketch, ngrams), group, side }
    }
}

/// The result of sketching a text: the sketched text, the reason why it has none, or the path of
/// the text and the defect that occurred.
pub(super) type SketchResult =
    Result<Result<SketchedDocument<SketchKeys>, Undecided>, (PathBuf, Defect)>;

/// A text that is not sketched yet, and what it shows without the other texts of its corpus.
#[derive(Clone, Debug)]
pub struct Prepared {
    pub(super) opened: Opened,
    /// The parts that do not count.
    pub(super) left_out: Vec<LeftOut>,
    /// The language of the others; as an error, the one that they are probably in, or none, if it
    /// is in doubt.
    pub(super) language: Result<Known, Known>,
}

impl Prepared {
    /// Returns the part of the text that counts.
    pub(super) fn remaining(&self) -> Remaining<'_> {
        Remaining::without(&self.opened.text, self.left_out.clone())
    }

    /// Returns the language that the text contributes when the language of most texts is
    /// determined: its own, or the one that it is probably in. `None` for a text without words.
    /// Such a text must not contribute, because it is part of a corpus of records but is skipped in
    /// a folder.
    pub(super) fn counted(&self) -> Option<Known> {
        self.language.or_else(|probable| self.has_words().then_some(probable).ok_or(())).ok()
    }

    pub(super) fn has_words(&self) -> bool {
        self.remaining().stretches().any(|stretch| tokens::spans(stretch).next().is_some())
    }
}

/// A reader of texts, which remembers their words.
pub(super) struct TextReader<'r> {
    recipe: &'r Recipe,
    words: Interner<Dictionary>,
    /// An analyzer and its cached stems for each language that occurred.
    analyzers: Vec<(Option<Language>, Analyzer<'r>, StemCache)>,
}

impl<'r> TextReader<'r> {
    pub(super) fn new(recipe: &'r Recipe) -> Self {
        let words = Interner::growing(EXPECTED_BYTES, Dictionary::default());
        Self { recipe, words, analyzers: Vec::new() }
    }

    /// Returns the words of what is left of a text, as they are written, and their offsets.
    pub(super) fn words(&mut self, remaining: &Remaining) -> (passages::Words, WordSequence) {
        self.forget();
        let (reading, offsets) = self.words.read_with_offsets(remaining.text(), remaining.spans());
        let known = self.words.stems();
        let keys = reading.stems.iter().map(|word| known.stems[*word as usize].key()).collect();
        let less = |word: &u32| known.letter(*word as usize).less;
        let has_letters = !known.letters.is_empty();
        let less = if has_letters { reading.stems.iter().map(less).collect() } else { Vec::new() };
        let words = passages::Words { keys, less, breaks: reading.breaks };
        (words, WordSequence { words: reading.words, offsets, ..WordSequence::default() })
    }

    /// Determines which parts of a text do not count, and the language of the others, as far as the
    /// text and the recipe decide that.
    pub(super) fn prepare(&self, opened: Opened) -> Prepared {
        let remaining = matches::remaining(&opened.text, self.recipe);
        // What too many texts share is left out before the languages are determined.
        let language = match self.recipe.common {
            None => self.language(&remaining),
            Some(_) => Err(of_corpus(None)),
        };
        let left_out = remaining.left_out().to_vec();
        Prepared { opened, left_out, language }
    }

    /// Returns the language of what is left of a text: the one given for all texts, or the one
    /// detected; as an error, the one that it is probably in, or none, if it is in doubt.
    pub(super) fn language(&self, remaining: &Remaining) -> Result<Known, Known> {
        match self.recipe.languages.left {
            Given::As(language) => Ok(Known::given(language)),
            Given::Detect => {
                let content = remaining.content();
                language::alone(&content).ok_or_else(|| language::probable(&content))
            }
        }
    }

    /// Clears the memory if it has grown too large.
    fn forget(&mut self) {
        if self.words.stems().stems.len() > MAX_WORDS {
            self.begin_anew();
        }
    }

    /// Runs `sketch` for a text, and catches a panic, so that it affects no other text. After a
    /// panic the memory is cleared.
    pub(super) fn isolated<T>(
        &mut self,
        path: &Path,
        sketch: impl FnOnce(&mut Self) -> T,
    ) -> Result<T, (PathBuf, Defect)> {
        defect::catch(|| sketch(self)).map_err(|defect| {
            self.begin_anew();
            (path.to_owned(), defect)
        })
    }

    pub(super) fn recipe(&self) -> &'r Recipe {
        self.recipe
    }

    /// Forgets all words.
    fn begin_anew(&mut self) {
        *self = Self::new(self.recipe);
    }

    /// Sketches a text, in `main` if its language is in doubt.
    pub(super) fn sketch(
        &mut self,
        prepared: Prepared,
        main: Known,
    ) -> Result<SketchedDocument, Undecided> {
        let Prepared { opened, left_out, language } = prepared;
        let language = language.unwrap_or(main);
        let Opened { text, group, side, is_read_once } = opened;
        let remaining = Remaining::without(&text, left_out);
        let (sketch, digest) = self.read(&remaining, language.language);
        if let Some(short) = shortage(&text, &remaining, &sketch.summary(), self.recipe) {
            return Err(short);
        }
        let left_out = remaining.left_out().to_vec();
        let (words, stems) = (sketch.words, sketch.stems);
        let collisions = sketch.shingles.all().collisions();
        // Whether the sets of repetitive texts are evidence is shown by their passages.
        let variety = sketch.shingles.variety();
        let has_content = self.recipe.search != Search::Never || variety == Variety::Repetitive;
        let text = if has_content { text } else { text.without_content() };
        let checks = (is_read_once && !has_content).then(|| sketch.shingles.all().checks_by_key());
        let extras =
            DocumentExtras { left_out, collisions, variety, checks, attached: None }.boxed();
        let document = Document { text, language, words, stems, digest, extras };
        Ok(SketchedDocument { document, sketch, group, side })
    }

    /// Returns the sketch of what is left of a text, in a language, and the digest of its words.
    pub(super) fn read(
        &mut self,
        remaining: &Remaining,
        language: Option<Language>,
    ) -> (Sketch, WordsDigest) {
        self.forget();
        let reading = self.words.read_stretches(remaining.text(), remaining.spans());
        let digest = self.words.stages().digest(&reading.stems);
        let analyzer = self.analyzer_of(language);
        let (_, analyzer, reduced) = &mut self.analyzers[analyzer];
        let words: &SurfaceForms = self.words.stages().surface_forms();
        let stems =
            reduced.reduce(analyzer, words, (&reading.stems, &reading.breaks), reading.words);
        (analyzer.compose(&stems, &reduced.distinct), digest)
    }

    /// Returns the index in `analyzers` of the analyzer for a language, which is added if there is
    /// none.
    fn analyzer_of(&mut self, language: Option<Language>) -> usize {
        let known = self.analyzers.iter().position(|(known, ..)| *known == language);
        known.unwrap_or_else(|| {
            self.analyzers.push((
                language,
                Analyzer::new(language, self.recipe),
                StemCache::default(),
            ));
            self.analyzers.len() - 1
        })
    }
}

// The words of a text → a digest that depends on the words and their order alone.

/// The SHA-256 of the words of a text in their normal form, each followed by a line feed, which no
/// word contains. Two texts with equal digests are taken to have the same words in the same order.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub struct WordsDigest(pub(super) [u8; 32]);

impl WordsDigest {
    /// Returns the bytes of the digest.
    pub fn bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

/// The distinct words of texts, as they are written and in their normal form.
#[derive(Debug, Default)]
pub(super) struct Dictionary {
    surface_forms: SurfaceForms,
    /// The normal forms, each followed by a line feed.
    normal: String,
    /// For each word of the interner, the end of its normal form, line feed included.
    ends: Vec<usize>,
}

/// The number of bytes that most words have at most, line feed included.
const SHORT_WORD_BYTES: usize = 16;

/// The number of bytes that are hashed at a time.
const HASHED_AT_A_TIME: usize = 1 << 14;

impl Dictionary {
    /// Returns the words as they are written.
    pub(super) fn surface_forms(&self) -> &SurfaceForms {
        &self.surface_forms
    }

    /// Returns the digest of a text, whose words are given by their numbers in this dictionary.
    pub(super) fn digest(&self, text: &[u32]) -> WordsDigest {
        let mut sha256 = Sha256::new();
        let mut waiting =
            Vec::with_capacity(HASHED_AT_A_TIME.min(8 * text.len()) + 2 * SHORT_WORD_BYTES);
        let normal = self.normal.as_bytes();
        for word in text {
            let word = *word as usize;
            let start = word.checked_sub(1).map_or(0, |before| self.ends[before]);
            let length = self.ends[word] - start;
            // Copying a fixed number of bytes per word takes half as long as copying as many as it
            // has.
            if let Some(short) = normal[start..].first_chunk::<SHORT_WORD_BYTES>()
                && length <= SHORT_WORD_BYTES
            {
                waiting.extend_from_slice(short);
                waiting.truncate(waiting.len() - (SHORT_WORD_BYTES - length));
            } else {
                waiting.extend_from_slice(&normal[start..start + length]);
            }
            if waiting.len() >= HASHED_AT_A_TIME {
                sha256.update(&waiting);
                waiting.clear();
            }
        }
        sha256.update(&waiting);
        WordsDigest(sha256.finalize().into())
    }
}

impl Stages for Dictionary {
    fn stems(&mut self, words: Tokens, written: &str) -> Stems {
        for token in &words.0 {
            self.normal.push_str(&token.word);
            self.normal.push('\n');
            self.ends.push(self.normal.len());
        }
        self.surface_forms.stems(words, written)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::Text;

    #[test]
    fn a_panic_costs_the_text_that_is_sketched() {
        let recipe = Recipe::default();
        let mut reader = TextReader::new(&recipe);
        let english = Known::given(Language::from_code("en"));
        let sketch = |reader: &mut TextReader, content: &str| {
            let text = Text::from_bytes(Path::new("a.txt"), content.as_bytes().to_vec()).unwrap();
            reader.isolated(Path::new("a.txt"), |reader| {
                let prepared = reader.prepare(text.into());
                let sketched = reader.sketch(prepared, english);
                assert!(content != "a kettle that breaks", "it broke");
                sketched
            })
        };
        let remembered =
            |reader: &TextReader| [reader.words.stems().stems.len(), reader.analyzers.len()];
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

#[cfg(test)]
mod digest_tests {
    use proptest::prelude::*;

    use super::*;
    use crate::interner::Interner;
    use crate::tokens;

    proptest! {
        /// Compares the digest with that of the tokens of the text, for texts read with one
        /// dictionary.
        #[test]
        fn a_digest_is_that_of_the_words(
            texts in proptest::collection::vec("((kettles|L'homme|the|ﷺ|水火|[a-c]{1,2}|x{70}|¸)[ .,\n]{1,3}){0,40}", 1..4),
            many in 0_usize..2,
        ) {
            let mut interner = Interner::new(0, Dictionary::default());
            for text in texts {
                let text = text.repeat(1 + many * 200);
                let reading = interner.read(&text);
                let tokens = tokens::split(&text);
                let words: Vec<&str> =
                    tokens.0.iter().flat_map(|token| [&*token.word, "\n"]).collect();
                let want = WordsDigest(Sha256::digest(words.concat().as_bytes()).into());
                prop_assert_eq!(interner.stages().digest(&reading.stems), want);
            }
        }
    }

    #[test]
    fn where_words_end_counts() {
        let digest = |text: &str| {
            let mut interner = Interner::new(0, Dictionary::default());
            let reading = interner.read(text);
            interner.stages().digest(&reading.stems)
        };
        assert_eq!(digest("A kettle!"), digest("a KETTLE"));
        let different = ["ab c", "a bc", "abc", "c ab", ""].map(digest);
        assert!((1..5).all(|at| !different[..at].contains(&different[at])));
    }
}
