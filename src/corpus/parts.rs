//! Texts of a corpus one by one → how often their shingles occur, and what each is joined by.
//!
//! For anyone who cannot hold a corpus: [`Counter`] counts the texts of a part, [`Counted::merge`] adds up
//! parts, and [`keys`](keys()) says of a text what it is found by. [`join::part`](super::join::part) says why no
//! pair is lost.
//!
//! Stored counts are a line of JSON, a line with the digest of all else, then a byte or two for each slot.

use std::io::{self, BufRead, Read};
use std::mem;
use std::num::NonZeroUsize;

use data_encoding::HEXLOWER;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::join::Limit;
use super::join::part::{self, Body, Counts, Form, Known, MOST_BITS, NotCounts};
use super::{DocumentAnalyzer, of_corpus};
use crate::language::{Given, Known as KnownLanguage, Language, Tally};
use crate::pair::Recipe;
use crate::parallel;
use crate::rabin::MODULUS;
use crate::text::formats::Bounds;
use crate::text::{Reading, Text};
use crate::{inert, stems, stopwords};

/// What was counted of some texts.
pub struct Counted {
    counts: Counts,
    parameters: Parameters,
    /// The languages of texts that are not in doubt.
    languages: Tally,
    /// What those in doubt were counted in.
    doubtful: Tally,
}

/// Why counts cannot be taken.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CountsError {
    /// They are none, or damaged.
    #[error("{found}, expected what dedup part count made")]
    NoCounts {
        /// What was found.
        found: String,
    },
    /// They were made in another way.
    #[error("counted with {found}, expected {wanted}")]
    Foreign {
        /// The first thing that differs, with its value.
        found: String,
        /// The value that is wanted.
        wanted: String,
    },
    /// They cannot be read.
    #[error("cannot be read")]
    Unreadable(#[source] io::Error),
    /// There is no memory for the slots.
    #[error(transparent)]
    NoMemory(NotCounts),
}

fn no_counts(found: impl Into<String>) -> CountsError {
    CountsError::NoCounts { found: found.into() }
}

fn foreign(found: impl Into<String>, wanted: impl Into<String>) -> CountsError {
    CountsError::Foreign { found: found.into(), wanted: wanted.into() }
}

/// What a text's shingles depend on.
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

/// The first line.
#[derive(Deserialize, Serialize)]
struct Header {
    schema: String,
    version: String,
    parameters: Parameters,
    languages: Vec<(Option<String>, u64)>,
    doubtful: Vec<(Option<String>, u64)>,
    slots: u32,
    form: FormName,
}

#[derive(Clone, Copy, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
enum FormName {
    All,
    Gaps,
}

/// What counts that this version reads say they are.
const SCHEMA: &str = "dedup.counts/2";

/// What counts of any version say they are, up to its number.
const SCHEMA_OF_ANY: &str = "dedup.counts/";

/// The most bytes of the first line: a tally of all languages has some kilobytes.
const LONGEST_HEADER: u64 = 1 << 16;

impl Parameters {
    /// Those of a recipe, and of how the texts are read.
    pub fn new(recipe: &Recipe, reading: &Reading) -> Self {
        // How far a text is opened decides whether it is read, and nothing of what it says.
        let reading = Reading { most: None, bounds: Bounds::default(), ..*reading };
        let others = (&recipe.ignored, &recipe.templates, reading);
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
                stopwords::Choice::List(list) => digest(list.words().join(" ").as_bytes()),
            },
            stem: match recipe.stemming {
                stems::Choice::On => "on".to_owned(),
                stems::Choice::Off => "off".to_owned(),
            },
            others: digest(format!("{others:?}").as_bytes()),
        }
    }

    /// The first of them that is not as in others, with its value.
    fn first_other(&self, others: &Self) -> Option<(&'static str, String, String)> {
        let [min, max] = [(self.min, others.min), (self.max, others.max)]
            .map(|(own, other)| (own.to_string(), other.to_string()));
        let pairs = [
            ("--min", min.0, min.1),
            ("--max", max.0, max.1),
            ("modulus", self.modulus.clone(), others.modulus.clone()),
            ("--lang", self.lang.clone(), others.lang.clone()),
            ("--stopwords", self.stopwords.clone(), others.stopwords.clone()),
            ("--stem", self.stem.clone(), others.stem.clone()),
            ("other flags, by their digest", self.others.clone(), others.others.clone()),
        ];
        pairs.into_iter().find(|(_, own, other)| own != other)
    }
}

impl Counted {
    fn new(slots: u32, parameters: Parameters) -> Result<Self, NotCounts> {
        let (languages, doubtful) = (Tally::default(), Tally::default());
        Ok(Self { counts: Counts::new(slots)?, parameters, languages, doubtful })
    }

    /// The language that texts in doubt are taken to be in.
    pub fn main(&self) -> KnownLanguage {
        of_corpus(self.languages.main())
    }

    /// Whether each text was counted as it is compared.
    fn known(&self) -> Known {
        let main = self.languages.main();
        let is_main = self.doubtful.counts().all(|(language, _)| language == main);
        if is_main { Known::All } else { Known::Some }
    }

    /// How many texts were counted.
    fn texts(&self) -> u64 {
        self.languages.counts().chain(self.doubtful.counts()).map(|(_, texts)| texts).sum()
    }

    /// The counts to be stored, in two parts, one behind the other.
    ///
    /// # Errors
    ///
    /// That of JSON, which cannot be.
    pub fn stored(&self) -> Result<[Vec<u8>; 2], serde_json::Error> {
        let body = self.counts.body();
        let header = Header {
            schema: SCHEMA.to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            parameters: self.parameters.clone(),
            languages: listed(&self.languages),
            doubtful: listed(&self.doubtful),
            slots: self.counts.bits(),
            form: match body.form {
                Form::All => FormName::All,
                Form::Gaps => FormName::Gaps,
            },
        };
        let header = serde_json::to_string(&header)? + "\n";
        let digest = digest_of(&[header.as_bytes(), &body.bytes]) + "\n";
        Ok([(header + &digest).into_bytes(), body.bytes])
    }

    /// Reads what [`stored`](Self::stored) wrote.
    ///
    /// # Errors
    ///
    /// [`CountsError`] where these are no counts, or another version made them.
    pub fn read(mut file: impl BufRead) -> Result<Self, CountsError> {
        let unread = CountsError::Unreadable;
        let mut first = Vec::new();
        file.by_ref().take(LONGEST_HEADER).read_until(b'\n', &mut first).map_err(unread)?;
        let line = first.strip_suffix(b"\n").ok_or_else(|| no_counts("no counts"))?;
        let header: serde_json::Value =
            serde_json::from_slice(line).map_err(|_| no_counts("no counts"))?;
        let schema = header["schema"].as_str().unwrap_or_default();
        if schema != SCHEMA && schema.starts_with(SCHEMA_OF_ANY) {
            return Err(foreign(format!("format {schema}"), format!("{SCHEMA} as here")));
        }
        if schema != SCHEMA {
            return Err(no_counts("no counts"));
        }
        let version = header["version"].as_str().unwrap_or_default();
        if version != env!("CARGO_PKG_VERSION") {
            let wanted = format!("{} as here", env!("CARGO_PKG_VERSION"));
            return Err(foreign(format!("version {version}"), wanted));
        }
        let header: Header =
            serde_json::from_value(header).map_err(|_| no_counts("damaged counts"))?;
        let form = match header.form {
            FormName::All => Form::All,
            FormName::Gaps => Form::Gaps,
        };
        let mut digest = Vec::new();
        file.by_ref().take(DIGEST as u64 + 1).read_to_end(&mut digest).map_err(unread)?;
        // A byte for each slot is the longest form; one more shows that there is too much.
        let damaged = |error: NotCounts| no_counts(format!("damaged counts ({error})"));
        let most = Counts::longest_body(header.slots).map_err(damaged)?;
        let mut bytes = Vec::new();
        file.take(most.saturating_add(1)).read_to_end(&mut bytes).map_err(unread)?;
        if digest != (digest_of(&[&first, &bytes]) + "\n").as_bytes() {
            return Err(no_counts("damaged counts"));
        }
        let counts =
            Counts::of_body(header.slots, Body { form, bytes }).map_err(|error| match error {
                NotCounts::NoMemory { .. } => CountsError::NoMemory(error),
                _ => damaged(error),
            })?;
        let tally = |listed: &[(Option<String>, u64)]| {
            let mut tally = Tally::default();
            for (code, texts) in listed {
                tally.add(code.as_deref().and_then(Language::from_code), *texts);
            }
            tally
        };
        let (languages, doubtful) = (tally(&header.languages), tally(&header.doubtful));
        Ok(Self { counts, parameters: header.parameters, languages, doubtful })
    }

    /// Checks that they were made in the same way.
    ///
    /// # Errors
    ///
    /// [`CountsError::Foreign`].
    pub fn check(&self, wanted: &Parameters) -> Result<(), CountsError> {
        let Some((flag, found, wanted)) = self.parameters.first_other(wanted) else {
            return Ok(());
        };
        Err(foreign(format!("{flag} {found}"), format!("{flag} {wanted}")))
    }

    /// Adds those of other texts.
    ///
    /// # Errors
    ///
    /// [`CountsError::Foreign`] where they were made in another way.
    pub fn merge(&mut self, more: &Self) -> Result<(), CountsError> {
        more.check(&self.parameters)?;
        let slots = |counted: &Self| format!("--slots {}", counted.counts.bits());
        self.counts.merge(&more.counts).map_err(|_| foreign(slots(more), slots(self)))?;
        more.languages.counts().for_each(|(language, texts)| self.languages.add(language, texts));
        more.doubtful.counts().for_each(|(language, texts)| self.doubtful.add(language, texts));
        Ok(())
    }
}

fn listed(tally: &Tally) -> Vec<(Option<String>, u64)> {
    let code = |language: Option<Language>| language.map(|language| language.code().to_owned());
    tally.counts().map(|(language, texts)| (code(language), texts)).collect()
}

/// The digits of a digest.
const DIGEST: usize = 32;

/// 128 bits of the SHA-256 of bytes, in 32 hexadecimal digits.
fn digest(bytes: &[u8]) -> String {
    digest_of(&[bytes])
}

/// The same of parts that stand one behind the other.
fn digest_of(parts: &[&[u8]]) -> String {
    let mut sum = Sha256::new();
    for part in parts {
        sum.update(part);
    }
    HEXLOWER.encode(&sum.finalize()[..DIGEST / 2])
}

// Texts → how often their shingles occur.

/// Bytes of texts in doubt that are held until more is known of the others.
const MOST_HELD: usize = 1 << 26;

/// What was read of a text.
enum ReadText {
    /// The residues of one that is long enough, and its language.
    Set(Option<Language>, Vec<u64>),
    Short,
    /// Its language is in doubt.
    Doubtful(Box<Text>),
}

/// Counts texts.
pub struct Counter<'r> {
    counted: Counted,
    analyzers: Vec<DocumentAnalyzer<'r>>,
    /// Texts in doubt.
    held: Vec<Text>,
    bytes: usize,
    main: Given,
}

impl<'r> Counter<'r> {
    /// No text yet, and 2 to the power of `slots` slots. Texts in doubt are counted in the language `main`, where it
    /// is given, else in that of most others so far.
    ///
    /// # Errors
    ///
    /// [`NotCounts`] where there cannot be as many slots.
    pub fn new(
        recipe: &'r Recipe,
        parameters: Parameters,
        slots: u32,
        main: Given,
        threads: NonZeroUsize,
    ) -> Result<Self, NotCounts> {
        Ok(Self {
            counted: Counted::new(slots, parameters)?,
            analyzers: (0..threads.get()).map(|_| DocumentAnalyzer::new(recipe)).collect(),
            held: Vec::new(),
            bytes: 0,
            main,
        })
    }

    /// Counts more texts, and returns the errors of those that cannot be opened, in their order.
    pub fn add<I: Send, E: Send>(
        &mut self,
        items: impl IntoIterator<Item = I, IntoIter: Send>,
        open: impl Fn(I) -> Result<Text, E> + Sync,
    ) -> Vec<E> {
        let sets = parallel::each_with(&mut self.analyzers, items, |analyzer, item| {
            let text = open(item)?;
            Ok(match analyzer.language(&text) {
                Some(language) => read_set(analyzer, text, language),
                None => ReadText::Doubtful(Box::new(text)),
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
                Ok(ReadText::Doubtful(text)) => {
                    self.bytes += text.content().len();
                    self.held.push(*text);
                }
                Err(error) => errors.push(error),
            }
        }
        if self.bytes > MOST_HELD {
            self.count_held();
        }
        errors
    }

    /// What was counted of all.
    pub fn finish(mut self) -> Counted {
        self.count_held();
        self.counted
    }

    /// Counts texts in doubt in the language that is given for them, else in the one that most of
    /// the others so far have.
    fn count_held(&mut self) {
        let language = match self.main {
            Given::As(language) => language,
            Given::Detect => self.counted.languages.main(),
        };
        self.bytes = 0;
        let held = mem::take(&mut self.held);
        let read = parallel::each_with(&mut self.analyzers, held, |analyzer, text| {
            read_set(analyzer, text, of_corpus(language))
        });
        for read in read {
            if let ReadText::Set(language, set) = read {
                self.counted.doubtful.add(language, 1);
                self.counted.counts.add(&set);
            }
        }
    }
}

fn read_set(analyzer: &mut DocumentAnalyzer, text: Text, language: KnownLanguage) -> ReadText {
    match analyzer.sketch(text, language) {
        Ok((_, sketch)) => {
            ReadText::Set(language.language, sketch.shingles.all().distinct_residues())
        }
        Err(_) => ReadText::Short,
    }
}

// A text → what it is joined by.

/// Numbers of 64 bits are written with a sign: engines that join them have no others.
#[derive(Default, Serialize)]
struct Record<'r> {
    id: &'r str,
    /// Distinct shingles; 0 of a text that is too short to be compared.
    size: usize,
    words: usize,
    /// The SHA-256 of the words in their order.
    order: Option<String>,
    /// A digest of the shingles; the same for equal sets.
    set: Option<String>,
    simhash: Option<String>,
    language: Option<&'static str>,
    keys: Vec<(i64, usize)>,
    blocks: Vec<i64>,
    shingles: Vec<i64>,
}

/// Why a text has no keys.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum NoKeys {
    /// Every pair reaches the limit on the Jaccard index.
    #[error("--jaccard 0, expected a limit that not all pairs reach")]
    Jaccard,
    /// Most pairs have a block in common.
    #[error("--hamming {most}, expected {MOST_BITS} at most in parts")]
    Hamming {
        /// The limit.
        most: u32,
    },
    /// The text was not counted.
    #[error("a shingle that was not counted, expected counts of all texts")]
    Strange,
    /// That of JSON, which cannot be.
    #[error(transparent)]
    Json(#[from] serde_json::Error),
}

/// Checks that pairs are found by keys.
///
/// # Errors
///
/// [`NoKeys`] of limits that every pair reaches.
pub fn check(recipe: &Recipe) -> Result<(), NoKeys> {
    if recipe.limits.jaccard.is_some_and(|limit| Limit::new(limit).is_zero()) {
        return Err(NoKeys::Jaccard);
    }
    match recipe.limits.hamming {
        Some(most) if most > MOST_BITS => Err(NoKeys::Hamming { most }),
        _ => Ok(()),
    }
}

/// The record of a text, by its id, on one line without an end: what it is joined by.
///
/// # Errors
///
/// [`NoKeys::Strange`] where counts are of other texts.
pub fn keys(
    analyzer: &mut DocumentAnalyzer,
    (id, text): (&str, Text),
    recipe: &Recipe,
    counted: &Counted,
) -> Result<String, NoKeys> {
    let language = analyzer.language(&text).unwrap_or_else(|| counted.main());
    let Ok((document, sketch)) = analyzer.sketch(text, language) else {
        // Too short, as a corpus may have them.
        return Ok(inert::json(&Record { id, ..Record::default() })?);
    };
    let set = sketch.shingles.all().distinct_residues();
    let limit = recipe.limits.jaccard.map(Limit::new);
    let keys = part::keys(&set, &counted.counts, counted.known(), limit);
    if keys.is_strange {
        return Err(NoKeys::Strange);
    }
    let bytes: Vec<u8> = set.iter().flat_map(|residue| residue.to_be_bytes()).collect();
    let blocks = recipe.limits.hamming.zip(sketch.fingerprint);
    let blocks = blocks.map(|(most, bits)| part::blocks(bits, most, counted.texts()));
    let record = Record {
        id,
        size: set.len(),
        words: document.words,
        order: Some(HEXLOWER.encode(document.digest.bytes())),
        set: Some(digest(&bytes)),
        simhash: sketch.fingerprint.map(|bits| bits.to_string()),
        language: language.language.map(Language::code),
        keys: keys.keys.into_iter().map(|(it, place)| (it.cast_signed(), place)).collect(),
        blocks: blocks.unwrap_or_default().into_iter().map(u64::cast_signed).collect(),
        shingles: keys.shared.into_iter().map(u64::cast_signed).collect(),
    };
    Ok(inert::json(&record)?)
}
