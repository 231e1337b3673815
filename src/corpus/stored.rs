//! Stores the texts of a corpus in an [index](super::index), and compares new texts with a stored
//! one.
//!
//! To be stored, a text is sketched in each language that it may be in. To be compared, new texts
//! are looked up in the index; the stored texts that may be paired with them join the corpus as old
//! ones.

use std::collections::BTreeSet;
use std::num::NonZeroUsize;

use super::index::{
    Content, Figures, Index, IndexError, IndexQuery, LanguageReading, Languages, NewText, OldText,
    QueryText, Related, StoredShingle, StoredSketch, StoredText, TextNumbers,
};
use super::join::{Condition, Limit, Place, Side};
use super::passages::remaining;
use super::reader::{Prepared, TextReader, WordsDigest};
use super::{Corpus, CorpusBuilder, Document, DocumentExtras, Opened, of_corpus};
use crate::jaccard::Share;
use crate::language::{self, Language};
use crate::pair::Undecided;
use crate::pair::shortage;
use crate::pair::{Recipe, Search};
use crate::parallel::{self, Advance};
use crate::passages::many::Query;
use crate::sketch::Sketch;
use crate::text::Text;
use crate::text::defect::Defect;
use crate::tokens::exclusions::Remaining;
use crate::verdict::{Limits, Verdict};

/// A sketcher of texts that are to be stored.
pub struct IndexedTexts<'r> {
    readers: Vec<TextReader<'r>>,
    has_content: bool,
}

impl<'r> IndexedTexts<'r> {
    /// Returns a sketcher with one reader per thread. If `has_content`, the texts themselves are
    /// stored as well.
    pub fn new(recipe: &'r Recipe, threads: NonZeroUsize, has_content: bool) -> Self {
        let readers = (0..threads.get()).map(|_| TextReader::new(recipe)).collect();
        Self { readers, has_content }
    }

    /// Opens texts and sketches them in parallel, and passes each to `admit`, one after the other
    /// in their order, together with the second value that `open` returned for it. If a text caused
    /// a panic, `admit` receives the defect instead of the text.
    ///
    /// Returns the errors of `open` and `admit`, in the order of the texts.
    pub fn sketch<S: Send, T: Send, E: Send>(
        &mut self,
        sources: Vec<S>,
        open: impl Fn(S) -> Result<(Opened, T), E> + Sync,
        mut admit: impl FnMut(Result<NewText, Defect>, T) -> Result<(), E>,
    ) -> Vec<E> {
        let has_content = self.has_content;
        let done = parallel::each_with(&mut self.readers, sources, |reader, source| {
            let (opened, besides) = open(source)?;
            let path = opened.text.path().to_owned();
            let sketched =
                reader.isolated(&path, |reader| sketch_to_store(reader, opened, has_content));
            Ok((sketched.map_err(|(_, defect)| defect), besides))
        });
        let admitted =
            done.into_iter().map(|it| it.and_then(|(text, besides)| admit(text, besides)));
        admitted.filter_map(Result::err).collect()
    }
}

/// Sketches a text in every language that it may be in.
fn sketch_to_store(reader: &mut TextReader, opened: Opened, has_content: bool) -> NewText {
    let prepared = reader.prepare(opened);
    let counted = prepared.counted();
    let Prepared { opened, left_out, language } = prepared;
    let Opened { text, group, .. } = opened;
    let remaining = Remaining::without(&text, left_out);
    let content = has_content.then(|| Content::new(&text, &reader.words(&remaining).0)).flatten();
    let mut readings = DistinctReadings { text: &text, remaining: &remaining, all: Vec::new() };
    let (digest, words) = readings.read(reader, language.ok().and_then(|known| known.language));
    if language.is_err() {
        // A text is read in a plain language as in no language, so the first reading holds there,
        // too.
        for row in language::rows().iter().filter(|row| !row.is_plain()) {
            readings.read(reader, Language::from_code(row.code));
        }
    }
    let all = readings.all;
    let (mut readings, sketches) = apart(all);
    if language.is_ok() {
        readings[0].languages = Languages::Any;
    }
    let stored = StoredText {
        group,
        attached: None,
        language: language.ok(),
        probable: counted.filter(|_| language.is_err()),
        left_out: remaining.left_out().to_vec(),
        words,
        digest: *digest.bytes(),
        readings,
        text: text.clone().without_content(),
    };
    NewText { stored, sketches, content }
}

/// The distinct readings of a text.
struct DistinctReadings<'t> {
    text: &'t Text,
    remaining: &'t Remaining<'t>,
    /// Each reading with the languages that give it.
    all: Vec<(Result<Sketch, Undecided>, Vec<Option<Language>>)>,
}

impl DistinctReadings<'_> {
    /// Reads the text in a language, and returns the digest and the number of its words, which do
    /// not depend on the language.
    fn read(
        &mut self,
        reader: &mut TextReader,
        language: Option<Language>,
    ) -> (WordsDigest, usize) {
        let (sketch, digest) = reader.read(self.remaining, language);
        let words = sketch.words;
        let shortage = shortage(self.text, self.remaining, &sketch.summary(), reader.recipe());
        let reading = shortage.map_or(Ok(sketch), Err);
        match self.all.iter_mut().find(|(known, _)| *known == reading) {
            Some((_, languages)) => languages.push(language),
            None => self.all.push((reading, vec![language])),
        }
        (digest, words)
    }
}

/// Splits distinct readings into their stored form and the sketches of those that are long enough.
fn apart(
    all: Vec<(Result<Sketch, Undecided>, Vec<Option<Language>>)>,
) -> (Vec<LanguageReading>, Vec<StoredSketch>) {
    let others = || all.iter().skip(1).flat_map(|(_, languages)| languages).flatten();
    let others: Vec<Language> = others().copied().collect();
    let (mut readings, mut sketches) = (Vec::new(), Vec::new());
    for (number, (reading, languages)) in all.into_iter().enumerate() {
        let languages = match number {
            0 => Languages::Others(others.clone()),
            _ => Languages::Of(languages.into_iter().flatten().collect()),
        };
        let mut stored = LanguageReading { languages, ..LanguageReading::default() };
        match reading {
            Ok(sketch) => {
                let of_text = shingles(&sketch);
                stored.stems = sketch.stems;
                stored.variety = sketch.shingles.variety();
                stored.collisions = sketch.shingles.all().collisions();
                stored.collided = collided(&of_text);
                let fingerprint = sketch.fingerprint.map_or(0, |fingerprint| fingerprint.0);
                sketches.push(StoredSketch { fingerprint, shingles: of_text });
            }
            Err(short) => stored.short = Some(short),
        }
        readings.push(stored);
    }
    (readings, sketches)
}

/// Returns the shingles of a sketch, in the order of their keys.
fn shingles(sketch: &Sketch) -> Vec<StoredShingle> {
    let (all, longest) = (sketch.shingles.all(), sketch.shingles.longest().keys());
    let keyed = all.keys().into_iter().zip(all.checks_by_key());
    let stored = |(key, check)| StoredShingle {
        key,
        check,
        is_longest: longest.binary_search(&key).is_ok(),
    };
    keyed.map(stored).collect()
}

/// Returns the shingles whose residue another shingle has as well.
fn collided(shingles: &[StoredShingle]) -> Vec<StoredShingle> {
    let residue = |it: &StoredShingle| it.key ^ u64::from(it.check);
    let mut by_residue = shingles.to_vec();
    by_residue.sort_by_key(residue);
    let equal = by_residue.chunk_by(|one, next| residue(one) == residue(next));
    equal.filter(|equal| equal.len() > 1).flatten().copied().collect()
}

// The other direction: new texts → the stored ones that join their corpus.

/// The number of new texts for which the index is searched for passages at a time, which bounds the
/// memory.
const TEXTS_AT_A_TIME: usize = if cfg!(test) { 2 } else { 1 << 8 };

/// A stored index that a corpus is compared with.
#[derive(Clone, Copy, Debug)]
pub struct ComparedIndex<'i> {
    /// The index, whose texts are old.
    pub index: &'i Index,
    /// The lowest level of the pairs that are found; some pairs below it are missing.
    pub level: Verdict,
    /// The names of the texts of the index that the new texts replace, and which are therefore not
    /// old ones.
    pub replaced: &'i BTreeSet<String>,
}

impl<'r> CorpusBuilder<'r> {
    /// Same as [`finish_watched`](Self::finish_watched), but adds the texts of an index that may be
    /// paired with a text of this corpus.
    ///
    /// The pairs that reach the level, and their figures, are those of a corpus with all texts of
    /// the index. Passages are searched for only if [the index has texts](Index::has_texts).
    ///
    /// # Errors
    ///
    /// Returns [`IndexError`] if the index cannot be read.
    pub fn finish_against(
        mut self,
        against: &ComparedIndex<'_>,
        advance: &Advance,
    ) -> Result<Corpus<'r>, IndexError> {
        let ComparedIndex { index, level, replaced } = *against;
        self.leave_out_common(advance);
        self.tally.add_all(&index.languages());
        let names = index.names()?;
        for name in replaced {
            let stored = names.find(name)?;
            if let Some(known) = stored.and_then(|text| text.counted_language()) {
                self.tally.remove(known.language);
            }
        }
        let main = self.main_language();
        self.settle(main, advance);
        let replaced: BTreeSet<&str> = replaced.iter().map(String::as_str).collect();
        let is_looked_for = index.has_texts() && self.corpus.passages_may_reach(level);
        let also = if is_looked_for { self.sharing(index)? } else { TextNumbers::NONE };
        let related = self.related(index, (level, main), (&replaced, &also))?;
        self.corpus.unlisted = related.compared - related.texts.len();
        self.corpus.short.extend(related.short);
        for text in related.texts {
            self.keep_stored(text, main);
        }
        Ok(self.corpus.sorted())
    }

    /// Returns the number of threads: there is one reader per thread.
    fn threads(&self) -> NonZeroUsize {
        NonZeroUsize::new(self.readers.len()).unwrap_or(NonZeroUsize::MIN)
    }

    /// Returns the texts of an index that may share a passage with a new one.
    fn sharing(&mut self, index: &Index) -> Result<TextNumbers, IndexError> {
        let min_match = self.corpus.recipe.min_match;
        let mut texts = TextNumbers::default();
        for batch in self.corpus.documents.chunks(TEXTS_AT_A_TIME) {
            let queries = parallel::each_with(&mut self.readers, batch, |reader, document| {
                Query::new(reader.words(&remaining(document)).0)
            });
            texts.add(index.sharing(&queries, min_match, self.threads())?);
        }
        Ok(texts)
    }

    fn related(
        &self,
        index: &Index,
        (level, main): (Verdict, Option<Language>),
        (replaced, also): (&BTreeSet<&str>, &TextNumbers),
    ) -> Result<Related, IndexError> {
        let collection = &self.corpus.collection;
        let new = (0_u32..).zip(&self.corpus.documents);
        let new = new.filter(|(text, _)| collection.place(*text).side != Side::Old);
        let sets: Vec<_> = new
            .map(|(text, document)| {
                (text, document, collection.all(text), collection.longest(text))
            })
            .collect();
        let new_texts: Vec<QueryText<'_>> = sets
            .iter()
            .map(|(text, document, all, longest)| QueryText {
                all,
                longest,
                fingerprint: collection.fingerprint(*text),
                digest: document.digest.bytes(),
            })
            .collect();
        // A text of fewer than a hundred words lowers the limit, and the index may contain one.
        let condition = Condition::at(level, &self.corpus.recipe.limits, 0);
        // Two texts may satisfy this limit without sharing anything.
        let is_of_all = condition.jaccard.is_some_and(Limit::is_zero);
        let bits = if is_of_all { 64 } else { condition.hamming.unwrap_or_default() };
        let may_be_paired =
            |figures: &Figures| may_hold(&condition, figures) || figures.may_have_same_words;
        let with_content = self.corpus.recipe.search != Search::Never;
        let query = IndexQuery { new_texts: &new_texts, main, replaced, bits, also, with_content };
        index.related(&query, may_be_paired, self.threads())
    }

    fn keep_stored(&mut self, old: OldText, main: Option<Language>) {
        let OldText { mut stored, reading, fingerprint, all, checks, longest } = old;
        let group = self.group(stored.group.take());
        let place = Place { group, side: Side::Old };
        let reading = stored.readings.into_iter().nth(reading);
        let (stems, variety, collisions) =
            reading.map_or_else(Default::default, |it| (it.stems, it.variety, it.collisions));
        if self.corpus.collection.add((&all, &longest), fingerprint, place).is_some() {
            let (checks, attached) = (Some(checks), Some(stored.attached.unwrap_or_default()));
            let extras =
                DocumentExtras { left_out: stored.left_out, collisions, variety, checks, attached };
            self.corpus.documents.push(Document {
                text: stored.text,
                language: stored.language.unwrap_or(of_corpus(main)),
                words: stored.words,
                stems,
                digest: WordsDigest(stored.digest),
                extras: extras.boxed(),
            });
        }
    }
}

/// Reports whether a condition may hold for two texts: `true` whenever it does hold.
fn may_hold(condition: &Condition, figures: &Figures) -> bool {
    let Condition { hamming, jaccard, containment } = *condition;
    let reached = |limit: Option<Limit>, share: Option<Share>| {
        limit.zip(share).is_some_and(|(limit, share)| limit.is_reached_by(share))
    };
    let longest = figures.longest;
    hamming.is_some_and(|max_distance| figures.hamming <= max_distance)
        || reached(jaccard, figures.all.jaccard())
        || longest.shared >= Limits::MIN_CONTAINED as usize
            && (reached(containment, longest.containment_of_left())
                || reached(containment, longest.containment_of_right()))
}

#[cfg(test)]
mod tests;
