//! Counts the shingles of a corpus part by part, and computes the keys that its texts are joined
//! by.
//!
//! This is for a corpus that does not fit on one machine: [`Counter`] counts the texts of a part,
//! [`Counted::merge`] adds up the parts, and [`keys`](keys()) returns the keys by which a text is
//! found. [`join::part`](super::join::part) explains why no pair is lost.
//!
//! Stored counts are a line of JSON, a line with the digest of everything else, and then at most
//! one byte per slot.

use std::mem;
use std::num::NonZeroUsize;

use data_encoding::HEXLOWER;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::join::Limit;
use super::join::part::{self, Body, Counts, Form, Known, MAX_BITS, NotCounts};
use super::{DocumentAnalyzer, Prepared, of_corpus};
use crate::display::inert;
use crate::language::{Given, Known as KnownLanguage, Language, Tally};
use crate::pair::Recipe;
use crate::parallel;
use crate::passages::{Sequence, Templates};
use crate::rabin::MODULUS;
use crate::shingles::Variety;
use crate::stopwords;
use crate::text::formats::Bounds;
use crate::text::{ReadOptions, Text};
use crate::verdict::Limits;

/// The shingle counts of some texts, with the parameters that they were counted with.
pub struct Counted {
    counts: Counts,
    parameters: Parameters,
    /// The number of texts per language among those whose language is not in doubt.
    languages: Tally,
    /// The number of texts in doubt per language that they are probably in, or none.
    probable: Tally,
    /// The number of texts in doubt per language that they were counted in.
    doubtful: Tally,
}

/// The reason why counts cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CountsError {
    /// The file does not contain counts, or they are damaged.
    #[error("{found}, expected the result of Part.count")]
    NoCounts {
        /// A description of what was found instead.
        found: String,
    },
    /// The counts were made with other parameters, or in another version or format.
    #[error("counted with {found}, expected {wanted}")]
    Foreign {
        /// The first parameter that differs, with its value.
        found: String,
        /// The expected value.
        wanted: String,
    },
    /// There is not enough memory for the slots.
    #[error(transparent)]
    NoMemory(NotCounts),
}

fn no_counts(found: impl Into<String>) -> CountsError {
    CountsError::NoCounts { found: found.into() }
}

fn foreign(found: impl Into<String>, wanted: impl Into<String>) -> CountsError {
    CountsError::Foreign { found: found.into(), wanted: wanted.into() }
}

/// The parameters that the shingles of a text depend on.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct Parameters {
    min: usize,
    max: usize,
    modulus: String,
    lang: String,
    stopwords: String,
    stem: String,
    /// A digest of how texts are read, and of what is left out of them.
    others: String,
}

/// The first line of stored counts.
#[derive(Deserialize, Serialize)]
struct Header {
    schema: String,
    version: String,
    parameters: Parameters,
    languages: Vec<(Option<Language>, u64)>,
    probable: Vec<(Option<Language>, u64)>,
    doubtful: Vec<(Option<Language>, u64)>,
    slots: u32,
    form: Form,
}

/// The schema of the counts that this version reads.
const SCHEMA: &str = "dedup.counts/4";

/// The prefix of the schema of counts of any version, up to its number.
const SCHEMA_OF_ANY: &str = "dedup.counts/";

impl Parameters {
    /// Returns the parameters of a recipe and of the way in which texts are read.
    pub fn new(recipe: &Recipe, options: &ReadOptions) -> Self {
        // The limits on opening a file decide whether a text is read, but do not change its
        // content.
        let options = ReadOptions { max_bytes: None, bounds: Bounds::default(), ..*options };
        // The checks of words differ from process to process.
        let words = |template: &Sequence| -> Vec<u64> {
            let stem = |word: &u32| template.distinct.stems[*word as usize].residue();
            template.words.iter().map(stem).collect()
        };
        let Templates { all, min_match } = &recipe.templates;
        let templates: Vec<_> = all.iter().map(|it| (words(it), &it.breaks)).collect();
        let others = (&recipe.ignored, (templates, min_match), options);
        Self {
            min: recipe.ngrams.min(),
            max: recipe.ngrams.max(),
            modulus: format!("{MODULUS:016x}"),
            lang: match recipe.languages.left {
                Given::Detect => "detected".to_owned(),
                Given::As(language) => language.map_or("none", Language::code).to_owned(),
            },
            stopwords: match &recipe.stopwords {
                stopwords::Choice::On => "on".to_owned(),
                stopwords::Choice::Off => "off".to_owned(),
                stopwords::Choice::List(list) => digest(&[list.words().join(" ").as_bytes()]),
            },
            stem: recipe.stemming.name().to_owned(),
            others: digest(&[format!("{others:?}").as_bytes()]),
        }
    }

    /// Returns the names of the parameters, with their values.
    fn named(&self) -> [(&'static str, String); 7] {
        [
            ("min", self.min.to_string()),
            ("max", self.max.to_string()),
            ("modulus", self.modulus.clone()),
            ("lang", self.lang.clone()),
            ("stopwords", self.stopwords.clone()),
            ("stem", self.stem.clone()),
            ("other settings, according to their digest", self.others.clone()),
        ]
    }
}

impl Counted {
    fn new(slots: u32, parameters: Parameters) -> Result<Self, NotCounts> {
        let [languages, probable, doubtful] = <[Tally; 3]>::default();
        Ok(Self { counts: Counts::new(slots)?, parameters, languages, probable, doubtful })
    }

    /// Returns the language in which texts in doubt are read.
    pub fn main(&self) -> KnownLanguage {
        of_corpus(self.main_language())
    }

    fn main_language(&self) -> Option<Language> {
        let mut all = self.languages.clone();
        all.add_all(&self.probable);
        all.main()
    }

    /// Reports whether all texts were counted in the language that they are compared in.
    fn known(&self) -> Known {
        let main = self.main_language();
        let is_main = self.doubtful.counts().all(|(language, _)| language == main);
        if is_main { Known::All } else { Known::Some }
    }

    fn texts(&self) -> u64 {
        self.languages.counts().chain(self.doubtful.counts()).map(|(_, texts)| texts).sum()
    }

    /// Serializes the counts.
    ///
    /// # Errors
    ///
    /// Returns the error of the JSON serializer, which cannot occur.
    pub fn stored(&self) -> Result<Vec<u8>, serde_json::Error> {
        let body = self.counts.body();
        let header = Header {
            schema: SCHEMA.to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            parameters: self.parameters.clone(),
            languages: self.languages.counts().collect(),
            probable: self.probable.counts().collect(),
            doubtful: self.doubtful.counts().collect(),
            slots: self.counts.bits(),
            form: body.form,
        };
        let header = serde_json::to_string(&header)? + "\n";
        let digits = digest(&[header.as_bytes(), &body.bytes]) + "\n";
        Ok([header.as_bytes(), digits.as_bytes(), &body.bytes].concat())
    }

    /// Reads the output of [`stored`](Self::stored).
    ///
    /// # Errors
    ///
    /// Returns [`CountsError`] if these are not counts, if they are damaged, or if another version
    /// made them.
    pub fn read(bytes: &[u8]) -> Result<Self, CountsError> {
        let end = memchr::memchr(b'\n', bytes).map_or(bytes.len(), |at| at + 1);
        let (line, behind) = bytes.split_at(end);
        let header: serde_json::Value =
            serde_json::from_slice(line).map_err(|_| no_counts("not counts"))?;
        let schema = header["schema"].as_str().unwrap_or_default();
        if schema != SCHEMA && schema.starts_with(SCHEMA_OF_ANY) {
            return Err(foreign(format!("format {schema}"), SCHEMA.to_owned()));
        }
        if schema != SCHEMA {
            return Err(no_counts("not counts"));
        }
        let version = header["version"].as_str().unwrap_or_default();
        if version != env!("CARGO_PKG_VERSION") {
            let wanted = env!("CARGO_PKG_VERSION").to_owned();
            return Err(foreign(format!("version {version}"), wanted));
        }
        let header: Header =
            serde_json::from_value(header).map_err(|_| no_counts("damaged counts"))?;
        let (digits, body) = behind.split_at(behind.len().min(DIGEST + 1));
        if digits != (digest(&[line, body]) + "\n").as_bytes() {
            return Err(no_counts("damaged counts"));
        }
        let body = Body { form: header.form, bytes: body.to_vec() };
        let counts = Counts::from_body(header.slots, body).map_err(|error| match error {
            NotCounts::NoMemory { .. } => CountsError::NoMemory(error),
            _ => no_counts(format!("damaged counts ({error})")),
        })?;
        let tally = |listed: Vec<(Option<Language>, u64)>| {
            let mut tally = Tally::default();
            for (language, texts) in listed {
                tally.add(language, texts);
            }
            tally
        };
        Ok(Self {
            counts,
            parameters: header.parameters,
            languages: tally(header.languages),
            probable: tally(header.probable),
            doubtful: tally(header.doubtful),
        })
    }

    /// Checks that the counts were made with the given parameters.
    ///
    /// # Errors
    ///
    /// Returns [`CountsError::Foreign`] if they were not.
    pub fn check(&self, wanted: &Parameters) -> Result<(), CountsError> {
        let mut both = self.parameters.named().into_iter().zip(wanted.named());
        match both.find(|(found, wanted)| found != wanted) {
            Some(((name, found), (_, wanted))) => {
                Err(foreign(format!("{name} {found}"), format!("{name} {wanted}")))
            }
            None => Ok(()),
        }
    }

    /// Adds the counts of other texts.
    ///
    /// # Errors
    ///
    /// Returns [`CountsError::Foreign`] if they were made with other parameters or another number
    /// of slots.
    pub fn merge(&mut self, more: &Self) -> Result<(), CountsError> {
        more.check(&self.parameters)?;
        let slots = |counted: &Self| format!("slots {}", counted.counts.bits());
        self.counts.merge(&more.counts).map_err(|_| foreign(slots(more), slots(self)))?;
        self.languages.add_all(&more.languages);
        self.probable.add_all(&more.probable);
        self.doubtful.add_all(&more.doubtful);
        Ok(())
    }
}

/// The number of hexadecimal digits of a digest.
const DIGEST: usize = 32;

/// Returns the first 128 bits of the SHA-256 of the concatenation of several parts, as 32
/// hexadecimal digits.
fn digest(parts: &[&[u8]]) -> String {
    let mut sum = Sha256::new();
    for part in parts {
        sum.update(part);
    }
    HEXLOWER.encode(&sum.finalize()[..DIGEST / 2])
}

// Texts → the counts of their shingles.

/// The number of bytes of texts in doubt above which they are counted, instead of being held until
/// more is known of the other texts.
const MAX_HELD: usize = if cfg!(test) { 100 } else { 1 << 26 };

enum ReadText {
    /// The residues of a text that is long enough, and its language.
    Set(Option<Language>, Vec<u64>),
    Short,
    /// A text whose language is in doubt, and the language that it is probably in, or none.
    Doubtful(Box<Prepared>, Option<Language>),
}

/// A counter of the shingles of texts.
pub struct Counter<'r> {
    counted: Counted,
    analyzers: Vec<DocumentAnalyzer<'r>>,
    /// The texts in doubt that are not counted yet.
    held: Vec<Prepared>,
    bytes: usize,
}

impl<'r> Counter<'r> {
    /// Returns a counter without texts, with 2 to the power of `slots` slots.
    ///
    /// Texts in doubt are counted in the main language of the other texts so far.
    ///
    /// # Errors
    ///
    /// Returns [`NotCounts`] if the number of slots is not allowed, or if there is not enough
    /// memory for them.
    pub fn new(
        recipe: &'r Recipe,
        parameters: Parameters,
        slots: u32,
        threads: NonZeroUsize,
    ) -> Result<Self, NotCounts> {
        Ok(Self {
            counted: Counted::new(slots, parameters)?,
            analyzers: (0..threads.get()).map(|_| DocumentAnalyzer::new(recipe)).collect(),
            held: Vec::new(),
            bytes: 0,
        })
    }

    /// Counts more texts, and returns the errors of those that cannot be opened, in their order.
    pub fn add<I: Send, E: Send>(
        &mut self,
        items: impl IntoIterator<Item = I, IntoIter: Send>,
        open: impl Fn(I) -> Result<Text, E> + Sync,
    ) -> Vec<E> {
        let sets = parallel::each_with(&mut self.analyzers, items, |analyzer, item| {
            let prepared = analyzer.prepare(open(item)?);
            Ok(match prepared.language {
                Ok(language) => read_set(analyzer, prepared, language),
                Err(_) => match prepared.counted() {
                    Some(probable) => ReadText::Doubtful(Box::new(prepared), probable.language),
                    None => ReadText::Short,
                },
            })
        });
        let mut errors = Vec::new();
        for set in sets {
            match set {
                Ok(ReadText::Set(language, set)) => {
                    self.counted.languages.add(language, 1);
                    self.counted.counts.add(&set);
                }
                Ok(ReadText::Short) => {}
                Ok(ReadText::Doubtful(prepared, probable)) => {
                    self.counted.probable.add(probable, 1);
                    self.bytes += prepared.opened.text.content().len();
                    self.held.push(*prepared);
                }
                Err(error) => errors.push(error),
            }
        }
        if self.bytes > MAX_HELD {
            self.count_held();
        }
        errors
    }

    /// Counts the texts that are still held, and returns the counts of all texts.
    pub fn finish(mut self) -> Counted {
        self.count_held();
        self.counted
    }

    /// Counts the texts in doubt, in the main language of the other texts so far.
    fn count_held(&mut self) {
        let language = self.counted.main_language();
        self.bytes = 0;
        let held = mem::take(&mut self.held);
        let read = parallel::each_with(&mut self.analyzers, held, |analyzer, prepared| {
            read_set(analyzer, prepared, of_corpus(language))
        });
        for read in read {
            if let ReadText::Set(language, set) = read {
                self.counted.doubtful.add(language, 1);
                self.counted.counts.add(&set);
            }
        }
    }
}

fn read_set(analyzer: &mut DocumentAnalyzer, prepared: Prepared, main: KnownLanguage) -> ReadText {
    match analyzer.sketch(prepared, main) {
        Ok((document, sketch)) => {
            ReadText::Set(document.language.language, sketch.shingles.all().distinct_residues())
        }
        Err(_) => ReadText::Short,
    }
}

// A text → the keys that it is joined by.

/// The record of a text that an engine joins. 64-bit numbers are written as signed ones, because
/// engines that join them have no unsigned type.
#[derive(Default, Serialize)]
struct KeyRecord<'r> {
    id: &'r str,
    /// The number of distinct shingles; 0 for a text that is too short to be compared.
    size: usize,
    words: usize,
    /// The SHA-256 of the words in their order.
    order: Option<String>,
    /// A digest of the shingles; equal sets have equal digests.
    set: Option<String>,
    simhash: Option<String>,
    language: Option<&'static str>,
    /// The [variety](crate::shingles::Variety) of the words.
    variety: Option<&'static str>,
    keys: Vec<(i64, usize)>,
    blocks: Vec<i64>,
    shingles: Vec<i64>,
}

/// The reason why a text has no keys.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum NoKeys {
    /// Every pair reaches the limit on the Jaccard index.
    #[error("a Jaccard index of 0, expected a limit that not all pairs reach")]
    Jaccard,
    /// Most pairs have a block in common.
    #[error("a Hamming distance of {max_distance}, expected a limit of at most {MAX_BITS}")]
    Hamming {
        /// The limit.
        max_distance: u32,
    },
    /// The text was not counted.
    #[error("a shingle that was not counted, expected counts of all texts")]
    Strange,
    /// An error of the JSON serializer, which cannot occur.
    #[error(transparent)]
    Json(#[from] serde_json::Error),
}

/// Checks that the limits of a recipe allow pairs to be found by keys.
///
/// # Errors
///
/// Returns [`NoKeys`] if every pair reaches the limit on the Jaccard index, or if the limit on the
/// Hamming distance exceeds [`MAX_BITS`].
pub fn check(recipe: &Recipe) -> Result<(), NoKeys> {
    if recipe.limits.jaccard.is_some_and(|limit| Limit::new(limit).is_zero()) {
        return Err(NoKeys::Jaccard);
    }
    match recipe.limits.hamming {
        Some(max_distance) if max_distance > MAX_BITS => Err(NoKeys::Hamming { max_distance }),
        _ => Ok(()),
    }
}

/// Returns the record of a text with its id and the keys that it is joined by: one line of JSON,
/// without a line feed.
///
/// A text that is too short to be compared has a record without keys.
///
/// # Errors
///
/// Returns [`NoKeys::Strange`] if the counts are those of other texts.
pub fn keys(
    analyzer: &mut DocumentAnalyzer,
    (id, text): (&str, Text),
    recipe: &Recipe,
    counted: &Counted,
) -> Result<String, NoKeys> {
    let prepared = analyzer.prepare(text);
    let Ok((document, sketch)) = analyzer.sketch(prepared, counted.main()) else {
        // The text is too short, which is no error in a corpus.
        return Ok(inert::json(&KeyRecord { id, ..KeyRecord::default() })?);
    };
    let set = sketch.shingles.all().distinct_residues();
    // Sets that are no evidence make no pairs.
    let limits = match document.variety() {
        Variety::FewStems => Limits::OFF,
        _ => recipe.limits,
    };
    let limit = limits.jaccard.map(Limit::new);
    let keys = part::keys(&set, &counted.counts, counted.known(), limit);
    if keys.has_uncounted_key {
        return Err(NoKeys::Strange);
    }
    let bytes: Vec<u8> = set.iter().flat_map(|residue| residue.to_be_bytes()).collect();
    let blocks = limits.hamming.zip(sketch.fingerprint);
    let blocks =
        blocks.map(|(max_distance, bits)| part::blocks(bits, max_distance, counted.texts()));
    let record = KeyRecord {
        id,
        size: set.len(),
        words: document.words,
        order: Some(HEXLOWER.encode(document.digest.bytes())),
        set: Some(digest(&[&bytes])),
        simhash: sketch.fingerprint.map(|bits| bits.to_string()),
        language: document.language.language.map(Language::code),
        variety: Some(document.variety().name()),
        keys: keys.keys.into_iter().map(|(it, place)| (it.cast_signed(), place)).collect(),
        blocks: blocks.unwrap_or_default().into_iter().map(u64::cast_signed).collect(),
        shingles: keys.shared.into_iter().map(u64::cast_signed).collect(),
    };
    Ok(inert::json(&record)?)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::language::Choice;

    /// Counts texts that are added in several steps.
    fn counted(steps: &[&[&str]]) -> Counted {
        counted_with(&Recipe::default(), steps)
    }

    fn counted_with<T: AsRef<str> + Sync>(recipe: &Recipe, steps: &[&[T]]) -> Counted {
        let parameters = Parameters::new(recipe, &ReadOptions::default());
        let mut counter = Counter::new(recipe, parameters, 16, NonZeroUsize::MIN).unwrap();
        for texts in steps {
            let open = |text: &T| Text::new("a.txt", text.as_ref());
            assert!(counter.add(*texts, open).is_empty());
        }
        counter.finish()
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

        #[test]
        fn counts_merged_in_either_order_are_those_of_all_texts_and_any_change_is_seen(
            texts in proptest::collection::vec("([a-d]{1,2} ){0,12}", 0..4),
            others in proptest::collection::vec("([a-d]{1,2} ){0,12}", 0..4),
            at: prop::sample::Index, by in 0_u8..4,
        ) {
            let given = Given::As(None);
            let languages = Choice { left: given, right: given };
            let recipe = Recipe { languages, ..Recipe::default() };
            let count = |texts: &[String]| counted_with(&recipe, &[texts]).stored().unwrap();
            let all = count(&[&texts[..], &others].concat());
            let [one, other] = [count(&texts), count(&others)];
            for (first, second) in [(&one, &other), (&other, &one)] {
                let mut sum = Counted::read(first).unwrap();
                prop_assert_eq!(&sum.stored().unwrap(), first);
                sum.merge(&Counted::read(second).unwrap()).unwrap();
                prop_assert_eq!(&sum.stored().unwrap(), &all);
            }
            let (mut changed, at) = (all.clone(), at.index(all.len()));
            match by {
                0 => changed.truncate(at),
                1 => changed.insert(at, 0),
                by => changed[at] ^= by,
            }
            prop_assert!(Counted::read(&changed).is_err() && Counted::read(&[]).is_err());
        }
    }

    /// Texts in doubt are counted in the language of the English text if it is known by then.
    #[test]
    fn texts_in_doubt_are_held_until_they_take_too_much() {
        let english = "The harbour was what they had from all of us and it is the one we were in. ";
        let english = english.repeat(12);
        let of_bytes = |bytes: usize| format!("{:bytes$}", "barcelona 1 kettles 22 spoons");
        let [short, half, long, too_long] = [29, 51, 100, 101].map(of_bytes);
        #[rustfmt::skip]
        let table: &[(&str, &[&[&str]], &[(Option<&str>, u64)])] = &[
            ("few bytes",               &[&[&short], &[&english]],            &[(Some("eng"), 1)]),
            ("as many as are held",     &[&[&long], &[&english]],             &[(Some("eng"), 1)]),
            ("one more",                &[&[&too_long], &[&english]],         &[(None, 1)]),
            ("one more in two texts",   &[&[&half], &[&half], &[&english]],   &[(None, 2)]),
            ("the next one is held",    &[&[&too_long], &[&short], &[&english]], &[(None, 1), (Some("eng"), 1)]),
            ("the language was known",  &[&[&english], &[&too_long]],         &[(Some("eng"), 1)]),
        ];
        for (why, steps, want) in table {
            let counted = counted(steps);
            let mut got: Vec<(Option<&str>, u64)> = counted
                .doubtful
                .counts()
                .map(|(language, texts)| (language.map(Language::code), texts))
                .collect();
            got.sort_unstable();
            assert_eq!(got, *want, "{why}");
            assert_eq!(counted.texts(), steps.concat().len() as u64, "{why}");
        }
    }
}
