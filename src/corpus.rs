//! Sketches many texts, and judges any two of them.
//!
//! Each text goes through the stages of [`judge`](crate::pair::judge) once. The caller finds the
//! pairs with a [join] of [`Corpus::collection`]. If the languages of both texts of a pair are
//! settled, the pair has the same figures as when the two texts are compared on their own.

pub mod index;
pub mod join;
pub mod labelled_pairs;
pub mod parts;
pub mod preference;
pub mod spans;
mod collisions;
mod common;
mod reader;
mod passages;
mod stored;

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::OnceLock;

use crate::language::{By, Known, Language, Tally};
use crate::pair::Undecided;
use crate::pair::{CommonShare, Recipe};
use crate::parallel::{self, Advance};
use crate::shingles::Variety;
use crate::text::Text;
use crate::text::defect::Defect;
use crate::tokens::exclusions::LeftOut;
pub use collisions::Collisions;
pub use common::{Common, CommonStretch};
use join::{Collection, Memory, Place, Side, TempFileError};
pub use labelled_pairs::{DocumentAnalyzer, of_corpus};
pub use passages::{FoundPairs, PairQuery, PairSearch, SearchError};
pub use reader::{Prepared, WordsDigest};
use reader::{SketchResult, SketchedDocument, TextReader};
pub use stored::{ComparedIndex, IndexedTexts};

/// A text to be compared with others.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Opened {
    /// The text; its path is its name.
    pub text: Text,
    /// The submission that the text belongs to. Texts of one submission are not compared with each
    /// other.
    pub group: Option<String>,
    /// Whether the text is new or old. Texts of one side are not compared with each other.
    pub side: Side,
    /// Whether the text cannot be [opened again](Collisions::new), so that more of it is kept.
    pub is_read_once: bool,
}

impl From<Text> for Opened {
    /// Returns a text that belongs to no group and is compared with all others.
    fn from(text: Text) -> Self {
        Self { text, group: None, side: Side::Any, is_read_once: false }
    }
}

/// A text of a corpus.
#[derive(Clone, Debug, PartialEq)]
pub struct Document {
    /// The text and its metadata. Its content is empty unless passages are searched for, or the
    /// words are repetitive, so that passages may decide the verdict.
    pub text: Text,
    /// The language that the text was read in.
    pub language: Known,
    /// The number of words.
    pub words: usize,
    /// The number of stems.
    pub stems: usize,
    /// The digest of the words.
    pub digest: WordsDigest,
    /// `None` if all of it is empty: see [`DocumentExtras`].
    extras: Option<Box<DocumentExtras>>,
}

/// The number of held texts that are sketched before their sketches are reduced to what is kept.
const SETTLED_AT_A_TIME: usize = 1 << 12;

/// The parts of a [`Document`] that are empty for most texts. They are kept apart so that large
/// numbers of texts take little memory.
#[derive(Clone, Debug, Default, PartialEq)]
struct DocumentExtras {
    left_out: Vec<LeftOut>,
    collisions: usize,
    variety: Variety,
    /// The checks of the shingles, in the order of their keys. `Some` for a text of an index, and
    /// for a text that is read only once and whose content is not kept.
    checks: Option<Vec<u32>>,
    attached: Option<String>,
}

impl DocumentExtras {
    /// Boxes the extras for a [`Document`]; `None` if all of them are empty.
    fn boxed(self) -> Option<Box<Self>> {
        (self != Self::default()).then(|| Box::new(self))
    }
}

impl Document {
    /// Returns the parts of the text that do not count.
    pub fn left_out(&self) -> &[LeftOut] {
        self.extras.as_ref().map_or(&[], |extras| &extras.left_out)
    }

    /// Returns the number of shingles that have the same residue as another shingle of the text; of
    /// the shingles of one residue, one is not counted.
    pub fn collisions(&self) -> usize {
        self.extras.as_ref().map_or(0, |extras| extras.collisions)
    }

    /// Returns the variety of the words.
    pub fn variety(&self) -> Variety {
        self.extras.as_ref().map_or_else(Variety::default, |extras| extras.variety)
    }

    /// Returns the string that was attached to the text in its index, or an empty one; `None` for a
    /// text that was read.
    pub fn attached(&self) -> Option<&str> {
        self.extras.as_ref()?.attached.as_deref()
    }

    fn checks(&self) -> Option<&[u32]> {
        self.extras.as_ref()?.checks.as_deref()
    }

    /// Reports whether two texts have the same words in the same order.
    fn has_words_of(&self, other: &Self) -> bool {
        self.digest == other.digest
    }
}

/// Texts that were read and sketched, sorted by the bytes of their paths.
#[derive(Clone, Debug)]
pub struct Corpus<'r> {
    recipe: &'r Recipe,
    /// The texts.
    pub documents: Vec<Document>,
    /// The sketches of the texts, numbered like [`documents`](Self::documents).
    pub collection: Collection,
    /// The reasons why other texts have no sketch: they are too short.
    pub short: Vec<Undecided>,
    /// The paths of further texts without a sketch, each with the panic that occurred while it was
    /// sketched.
    pub defects: Vec<(PathBuf, Defect)>,
    /// What many of the texts share, and which counts in none of them; `None` if it was not looked for.
    pub common: Option<Common>,
    /// The number of texts of an index that were compared but are not among the documents, because
    /// they share too little with the new texts.
    pub unlisted: usize,
    /// The numbers of the groups, by name.
    groups: BTreeMap<String, u32>,
    /// The words of all documents; they are read when passages are first searched for.
    words: OnceLock<passages::CorpusWords>,
}

enum SketchedText {
    Settled(SketchResult),
    /// A text whose language is not settled, or of which the other texts decide what counts.
    Deferred(Prepared),
}

/// A corpus under construction.
pub struct CorpusBuilder<'r> {
    readers: Vec<TextReader<'r>>,
    corpus: Corpus<'r>,
    /// The number of texts per language among the texts that are compared but not read.
    tally: Tally,
    /// Texts that are sketched at the end: their language depends on that of the other texts, or
    /// the stretches that too many texts share must be left out of them first.
    deferred: Vec<Prepared>,
    /// What counts as shared by too many texts; `None` if nothing is left out for that.
    common: Option<CommonShare>,
}

impl<'r> CorpusBuilder<'r> {
    /// Returns an empty builder. The recipe's choice of language for the left text holds for all
    /// texts.
    pub fn new(recipe: &'r Recipe, threads: NonZeroUsize) -> Self {
        let collection = Collection::new(recipe.ngrams);
        Self {
            readers: (0..threads.get()).map(|_| TextReader::new(recipe)).collect(),
            corpus: Corpus {
                recipe,
                documents: Vec::new(),
                collection,
                short: Vec::new(),
                defects: Vec::new(),
                common: None,
                unlisted: 0,
                groups: BTreeMap::new(),
                words: OnceLock::new(),
            },
            tally: Tally::default(),
            deferred: Vec::new(),
            common: recipe.common,
        }
    }

    /// Leaves in what many texts share, whatever the recipe says.
    pub fn leave_common_in(&mut self) {
        self.common = None;
    }

    /// Sets the memory limit: the sets go to a temporary file once they exceed it.
    #[must_use]
    pub fn within(mut self, memory: Memory) -> Self {
        self.corpus.collection = self.corpus.collection.within(memory);
        self
    }

    /// Checks that the temporary file, if there is one, could be written.
    ///
    /// # Errors
    ///
    /// Returns [`TempFileError`] if it could not.
    pub fn check(&self) -> Result<(), TempFileError> {
        self.corpus.collection.check()
    }

    /// Opens texts and sketches them in parallel, and returns the errors of those that could not be
    /// added, in their order.
    ///
    /// The second value that `open` returns for a text is passed to `admit`, one text after the
    /// other; if `admit` returns an error, the text is not added. A text whose language is not
    /// settled is held with its content until [`finish`](Self::finish). All texts are, if the
    /// recipe leaves out what too many texts share.
    pub fn add<S: Send, T: Send, E: Send>(
        &mut self,
        sources: Vec<S>,
        open: impl Fn(S) -> Result<(Opened, T), E> + Sync,
        mut admit: impl FnMut(T) -> Result<(), E>,
    ) -> Vec<E> {
        let recipe = self.corpus.recipe;
        let done = parallel::each_with(&mut self.readers, sources, |reader, source| {
            let (opened, known) = open(source)?;
            let path = opened.text.path().to_owned();
            let read = reader.isolated(&path, |reader| {
                let prepared = reader.prepare(opened);
                let language = match prepared.language {
                    Ok(language) => language,
                    // It is not compared in any language, so that it need not be held.
                    Err(_) if recipe.common.is_none() && !prepared.has_words() => of_corpus(None),
                    Err(_) => return SketchedText::Deferred(prepared),
                };
                let sketched = reader.sketch(prepared, language);
                SketchedText::Settled(Ok(sketched.map(|it| it.into_keys(recipe.ngrams))))
            });
            Ok((read.unwrap_or_else(|defect| SketchedText::Settled(Err(defect))), known))
        });
        let mut failed = Vec::new();
        for answer in done {
            let admitted = answer.and_then(|(read, known)| admit(known).map(|()| read));
            match admitted {
                Ok(SketchedText::Settled(sketched)) => self.keep(sketched),
                Ok(SketchedText::Deferred(deferred)) => self.deferred.push(deferred),
                Err(error) => failed.push(error),
            }
        }
        failed
    }

    /// Sketches texts in parallel, and adds them.
    pub fn add_texts(&mut self, texts: Vec<Text>) {
        self.add(texts, |text| Ok::<_, Infallible>((text.into(), ())), Ok);
    }

    /// Adds a text of another corpus with the same recipe, given by its number there, without
    /// reading it again.
    ///
    /// Returns `false`, and adds nothing, if the text must be read because its sketch depends on
    /// the other texts of that corpus, or if there is no text of that number.
    pub fn add_known(
        &mut self,
        other: &Corpus<'r>,
        number: u32,
        (group, side): (Option<String>, Side),
    ) -> bool {
        let Some(document) = other.documents.get(number as usize) else { return false };
        let is_by_others = matches!(document.language.by, By::Corpus | By::None);
        if is_by_others || self.common.is_some() {
            return false;
        }
        let place = Place { group: self.group(group), side };
        if self.corpus.collection.push_from(&other.collection, number, place).is_some() {
            self.corpus.documents.push(document.clone());
        }
        true
    }

    /// Sketches the texts that are held, and sorts all texts.
    ///
    /// A text whose language is in doubt is read in the [main](Tally::main) language, or in none. It
    /// counts with the language that it is [probably](crate::language::probable) in.
    pub fn finish(self) -> Corpus<'r> {
        self.finish_watched(&Advance::default())
    }

    /// Same as [`finish`](Self::finish), but reports to `advance` how many of the held texts are
    /// sketched.
    pub fn finish_watched(mut self, advance: &Advance) -> Corpus<'r> {
        self.leave_out_common(advance);
        let main = self.main_language();
        self.settle(main, advance);
        self.corpus.sorted()
    }

    /// Leaves out what too many texts share, if the recipe says so, and then determines the language
    /// of what is left of each text.
    fn leave_out_common(&mut self, advance: &Advance) {
        if self.corpus.recipe.common.is_none() {
            return;
        }
        let (deferred, readers) = (&mut self.deferred, &mut self.readers);
        self.corpus.common =
            self.common.map(|share| common::leave_out(deferred, readers, share, advance));
        parallel::each_with(readers, deferred.iter_mut(), |reader, prepared| {
            prepared.language = reader.language(&prepared.remaining());
        });
    }

    /// Sketches the texts that are held, in `main` if their own language is not settled.
    fn settle(&mut self, main: Option<Language>, advance: &Advance) {
        let deferred = std::mem::take(&mut self.deferred);
        let recipe = self.corpus.recipe;
        advance.begin(deferred.len() as u64);
        let mut rest = deferred.into_iter();
        loop {
            let batch: Vec<Prepared> = rest.by_ref().take(SETTLED_AT_A_TIME).collect();
            if batch.is_empty() {
                return;
            }
            let done = parallel::each_with(&mut self.readers, batch, |reader, prepared| {
                let path = prepared.opened.text.path().to_owned();
                let sketched = reader.isolated(&path, |reader| {
                    let sketched = reader.sketch(prepared, of_corpus(main));
                    sketched.map(|it| it.into_keys(recipe.ngrams))
                });
                advance.add(1);
                sketched
            });
            for sketched in done {
                self.keep(sketched);
            }
        }
    }

    /// Returns the [main](Tally::main) language of the texts. Those in doubt count with the language
    /// that they are probably in.
    fn main_language(&self) -> Option<Language> {
        let read = self.corpus.documents.iter().map(|document| document.language);
        let deferred = self.deferred.iter().filter_map(Prepared::counted);
        let mut tally = self.tally.clone();
        read.chain(deferred).for_each(|known| tally.add(known.language, 1));
        tally.main()
    }

    /// Returns the number of a group, and assigns one to a new name.
    fn group(&mut self, name: Option<String>) -> Option<u32> {
        let groups = &mut self.corpus.groups;
        let next = u32::try_from(groups.len()).unwrap_or(u32::MAX);
        name.map(|name| *groups.entry(name).or_insert(next))
    }

    fn keep(&mut self, sketched: SketchResult) {
        let sketched = match sketched {
            Ok(sketched) => sketched,
            Err(defect) => return self.corpus.defects.push(defect),
        };
        match sketched {
            Ok(SketchedDocument { document, sketch, group, side }) => {
                let group = self.group(group);
                // 2³² − 1 texts, the limit of a collection, exceed the memory of any machine.
                if self.corpus.collection.push(&sketch, Place { group, side }).is_some() {
                    self.corpus.documents.push(document);
                }
            }
            Err(short) => self.corpus.short.push(short),
        }
    }
}

impl Corpus<'_> {
    /// Returns the number of texts that are compared, including the [unlisted](Self::unlisted)
    /// ones.
    pub fn len(&self) -> usize {
        self.documents.len() + self.unlisted
    }

    /// Returns the name of the group of a text, in time linear in the number of groups; `None` if it
    /// is in no group, or if there is no such text.
    pub fn group(&self, text: u32) -> Option<&str> {
        let is_known = (text as usize) < self.documents.len();
        let group = is_known.then(|| self.collection.place(text).group)??;
        let named = self.groups.iter().find(|(_, number)| **number == group);
        named.map(|(name, _)| name.as_str())
    }

    /// Reports whether no text is compared.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn sorted(mut self) -> Self {
        self.short.sort_by(|one, other| one.path().cmp(other.path()));
        let mut order: Vec<u32> = (0_u32..).take(self.documents.len()).collect();
        order.sort_by(|one, other| {
            name(&self.documents[*one as usize]).cmp(name(&self.documents[*other as usize]))
        });
        self.collection = self.collection.reordered(&order);
        self.documents.sort_by(|one, other| name(one).cmp(name(other))); // both sorts are stable
        self
    }
}

/// Returns the key that texts are sorted by: the bytes of the path.
fn name(document: &Document) -> &[u8] {
    name_of(&document.text)
}

fn name_of(text: &Text) -> &[u8] {
    text.path().as_os_str().as_encoded_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_without_content_is_small() {
        assert!(size_of::<Document>() <= 160, "{}", size_of::<Document>());
    }
}
