//! Many texts → their sketches, and the judgement of any two of them.
//!
//! Each text goes through the stages of [`judge`](crate::pair::judge) once. Anyone who compares
//! finds the pairs by a [join] of [`Corpus::collection`]; a pair of texts whose
//! languages are settled has the figures that it has by itself.

pub mod join;
pub mod labelled_pairs;
pub mod parts;
pub mod preference;
mod collisions;
mod common;
mod reader;
mod passages;
mod stored;

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::OnceLock;

use crate::language::{By, Known, Language, Tally};
use crate::pair::Recipe;
use crate::pair::Undecided;
use crate::parallel::{self, Advance};
use crate::text::Text;
use crate::text::defect::Defect;
use crate::tokens::exclusions::LeftOut;
pub use collisions::Collisions;
pub use common::CommonStretch;
use common::Waiting;
use join::{Collection, Memory, Place, Side, TempFileError};
pub use labelled_pairs::{DocumentAnalyzer, of_corpus};
pub use passages::FoundPairs;
pub use reader::WordsDigest;
use reader::{Isolated, Reader, SketchedDocument};
pub use stored::{Earlier, IndexedTexts};

/// A text to be compared with others.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Opened {
    /// The text; what it is called is its path.
    pub text: Text,
    /// The submission that it is of; texts of one are not compared.
    pub group: Option<String>,
    /// Whether it is new or old; texts of one side are not compared.
    pub side: Side,
    /// Whether it cannot be [opened again](Collisions::new), so that more is kept of it.
    pub is_read_once: bool,
}

/// A text of a corpus.
#[derive(Clone, Debug, PartialEq)]
pub struct Document {
    /// What is known of the text; its content is empty unless passages are asked for.
    pub text: Text,
    /// Its language.
    pub language: Known,
    /// What does not count of it.
    pub left_out: Vec<LeftOut>,
    /// Its words.
    pub words: usize,
    /// Its stems.
    pub stems: usize,
    /// How many of its shingles have the residue of another one.
    pub collisions: usize,
    /// The digest of its words.
    pub digest: WordsDigest,
    /// The checks of its shingles by their keys, where it is read once and its content is not kept.
    checks: Option<Vec<u32>>,
    /// Of a text of an index, what was attached to it there, and nothing where nothing was; none of a
    /// text that was read.
    pub attached: Option<Box<str>>,
}

impl Document {
    /// Whether two texts have the same words in the same order.
    fn has_words_of(&self, other: &Self) -> bool {
        self.digest == other.digest
    }
}

/// Texts that were read and sketched, in the order of their paths by bytes.
#[derive(Clone, Debug)]
pub struct Corpus<'r> {
    recipe: &'r Recipe,
    /// The texts.
    pub documents: Vec<Document>,
    /// Their sketches, by the same numbers.
    pub collection: Collection,
    /// Why other texts have none: they are too short.
    pub short: Vec<Undecided>,
    /// Others that have none, and the panic that was met while they were sketched.
    pub defects: Vec<(PathBuf, Defect)>,
    /// What too many of them have, and what counts in none, the longest first.
    pub common: Vec<CommonStretch>,
    /// How many texts of an index are compared and not among the documents: they share too little
    /// with the others.
    pub unlisted: usize,
    /// How many submissions there are, those of such texts among them; none where no text is of an
    /// index, or nothing depends on it.
    submissions: Option<usize>,
    /// Whether what old texts alone have is left out of account.
    is_of_new: bool,
    /// The words of all documents, once their passages were looked for.
    words: OnceLock<passages::Words>,
}

/// A text that was opened.
#[expect(clippy::large_enum_variant, reason = "those of one batch are held at a time")]
enum Read {
    Settled(Isolated),
    /// Its language is not settled, or others say what counts of it.
    Waiting(Waiting),
}

/// A corpus that texts are added to.
pub struct CorpusBuilder<'r> {
    readers: Vec<Reader<'r>>,
    corpus: Corpus<'r>,
    groups: BTreeMap<String, u32>,
    /// The languages of texts that are compared and not read.
    tally: Tally,
    /// Texts that are to be read in the language of most others, or in the end.
    waiting: Vec<Waiting>,
}

impl<'r> CorpusBuilder<'r> {
    /// No text yet. What is given of the left text's language holds for all.
    pub fn new(recipe: &'r Recipe, threads: NonZeroUsize) -> Self {
        let collection = Collection::new(recipe.ngrams);
        Self {
            readers: (0..threads.get()).map(|_| Reader::new(recipe)).collect(),
            corpus: Corpus {
                recipe,
                documents: Vec::new(),
                collection,
                short: Vec::new(),
                defects: Vec::new(),
                common: Vec::new(),
                unlisted: 0,
                submissions: None,
                is_of_new: false,
                words: OnceLock::new(),
            },
            tally: Tally::default(),
            groups: BTreeMap::new(),
            waiting: Vec::new(),
        }
    }

    /// With sets in a temporary file once there is not memory enough for them.
    #[must_use]
    pub fn within(mut self, memory: Memory) -> Self {
        self.corpus.collection = self.corpus.collection.within(memory);
        self
    }

    /// Where `is_of_new`, what old texts alone have is not [listed](FoundPairs::widespread) as
    /// widespread, nor left out of account.
    #[must_use]
    pub fn of_new(mut self, is_of_new: bool) -> Self {
        self.corpus.is_of_new = is_of_new;
        self
    }

    /// Whether the temporary file could be written, if there is one.
    ///
    /// # Errors
    ///
    /// [`TempFileError`].
    pub fn check(&self) -> Result<(), TempFileError> {
        self.corpus.collection.check()
    }

    /// Opens texts and sketches them, side by side, and returns why some could not be, in their
    /// order. What else `open` returns of a text is handed to `admit`, one after the other;
    /// a text that it turns down is not added. Texts whose language is not settled wait,
    /// whole, for [`finish`](Self::finish);
    /// so do all of them where what too many have does not count.
    pub fn add<S: Send, T: Send, E: Send>(
        &mut self,
        sources: Vec<S>,
        open: impl Fn(S) -> Result<(Opened, T), E> + Sync,
        mut admit: impl FnMut(T) -> Result<(), E>,
    ) -> Vec<E> {
        let is_common_left_out = self.corpus.recipe.common.is_some();
        let done = parallel::each_with(&mut self.readers, sources, |reader, source| {
            let (opened, known) = open(source)?;
            let language = reader.language(&opened.text);
            let read = match language {
                Some(language) if !is_common_left_out => {
                    let path = opened.text.path().to_owned();
                    Read::Settled(reader.isolated(&path, |reader| reader.sketch(opened, language)))
                }
                language => {
                    let left_out = reader.left_out(&opened.text);
                    Read::Waiting(Waiting { opened, language, left_out })
                }
            };
            Ok((read, known))
        });
        let mut failed = Vec::new();
        for answer in done {
            let admitted = answer.and_then(|(read, known)| admit(known).map(|()| read));
            match admitted {
                Ok(Read::Settled(sketched)) => self.keep(sketched),
                Ok(Read::Waiting(waiting)) => self.waiting.push(waiting),
                Err(error) => failed.push(error),
            }
        }
        failed
    }

    /// Adds a text as another corpus of the same recipe has it, by its number there, without
    /// reading it once more; `false` where that depends on the other texts of that corpus, so that it
    /// has to be read.
    pub fn add_known(
        &mut self,
        other: &Corpus<'r>,
        number: u32,
        (group, side): (Option<String>, Side),
    ) -> bool {
        let Some(document) = other.documents.get(number as usize) else { return false };
        let is_by_others = matches!(document.language.by, By::Corpus | By::None);
        if is_by_others || self.corpus.recipe.common.is_some() {
            return false;
        }
        let place = Place { group: self.group(group), side };
        if self.corpus.collection.push_from(&other.collection, number, place).is_some() {
            self.corpus.documents.push(document.clone());
        }
        true
    }

    /// Sketches what waits, in the language that at least half of the others have, of two
    /// the first by code, else in none; and puts all in order.
    pub fn finish(self) -> Corpus<'r> {
        self.finish_watched(&Advance::default())
    }

    /// Does as [`finish`](Self::finish), and says how many of the texts that wait are read.
    pub fn finish_watched(mut self, advance: &Advance) -> Corpus<'r> {
        let main = self.main_language();
        self.settle(main, advance);
        self.corpus.sorted()
    }

    /// Sketches what waits, in a language where its own is not settled.
    fn settle(&mut self, main: Option<Language>, advance: &Advance) {
        let known = of_corpus(main);
        let mut waiting = std::mem::take(&mut self.waiting);
        if let Some(share) = self.corpus.recipe.common {
            let least = self.corpus.recipe.templates.least;
            let common =
                common::leave_out(&mut waiting, &mut self.readers, (share, least), advance);
            self.corpus.common = common;
        }
        advance.begin(waiting.len() as u64);
        let done = parallel::each_with(&mut self.readers, waiting, |reader, waiting| {
            let Waiting { opened, language, left_out } = waiting;
            let path = opened.text.path().to_owned();
            let sketched = reader.isolated(&path, |reader| {
                reader.sketch_without(opened, left_out, language.unwrap_or(known))
            });
            advance.add(1);
            sketched
        });
        for sketched in done {
            self.keep(sketched);
        }
    }

    /// The language that at least half of the texts have whose language is settled.
    fn main_language(&self) -> Option<Language> {
        let read = self.corpus.documents.iter().map(|document| document.language);
        let settled = read.chain(self.waiting.iter().filter_map(|waiting| waiting.language));
        let mut tally = self.tally.clone();
        settled.for_each(|known| tally.add(known.language, 1));
        tally.main()
    }

    /// The number of a group.
    fn group(&mut self, name: Option<String>) -> Option<u32> {
        let next = u32::try_from(self.groups.len()).unwrap_or(u32::MAX);
        name.map(|name| *self.groups.entry(name).or_insert(next))
    }

    fn keep(&mut self, sketched: Isolated) {
        let sketched = match sketched {
            Ok(sketched) => sketched,
            Err(defect) => return self.corpus.defects.push(defect),
        };
        match sketched {
            Ok(SketchedDocument { document, sketch, group, side }) => {
                let group = self.group(group);
                // Texts beyond 2³² − 1 would take more memory than there is.
                if self.corpus.collection.push(&sketch, Place { group, side }).is_some() {
                    self.corpus.documents.push(document);
                }
            }
            Err(short) => self.corpus.short.push(short),
        }
    }
}

impl Corpus<'_> {
    /// How many texts are compared, those of an index that share too little among them.
    pub fn len(&self) -> usize {
        self.documents.len() + self.unlisted
    }

    /// Whether no text is compared.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn sorted(mut self) -> Self {
        self.short.sort_by(|one, other| one.path().cmp(other.path()));
        if self.documents.is_sorted_by(|one, next| name(one) <= name(next)) {
            return self;
        }
        let mut order: Vec<u32> = (0_u32..).take(self.documents.len()).collect();
        order.sort_by(|one, other| {
            name(&self.documents[*one as usize]).cmp(name(&self.documents[*other as usize]))
        });
        self.collection = self.collection.reordered(&order);
        reorder(&mut self.documents, order);
        self
    }
}

/// Puts things into another order in their place: their numbers, each once, as they are there.
fn reorder<T>(all: &mut [T], mut order: Vec<u32>) {
    for start in 0..all.len() {
        let mut at = start;
        while order[at] as usize != start {
            let next = order[at] as usize;
            all.swap(at, next);
            order[at] = u32::try_from(at).unwrap_or(u32::MAX);
            at = next;
        }
        order[at] = u32::try_from(at).unwrap_or(u32::MAX);
    }
}

/// What texts are ordered by.
fn name(document: &Document) -> &[u8] {
    name_of(&document.text)
}

fn name_of(text: &Text) -> &[u8] {
    text.path().as_os_str().as_encoded_bytes()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_text_without_content_is_small() {
        assert!(size_of::<Document>() <= 256, "{}", size_of::<Document>());
    }

    proptest! {
        #[test]
        fn things_are_reordered_in_their_place(
            order in (0..20_u32).prop_flat_map(|count| Just((0..count).collect::<Vec<_>>()).prop_shuffle()),
        ) {
            let mut all: Vec<u32> = (100..).take(order.len()).collect();
            let want: Vec<u32> = order.iter().map(|number| 100 + number).collect();
            reorder(&mut all, order);
            prop_assert_eq!(all, want);
        }
    }
}
