//! Stores sketched texts in a file, with which later texts are compared without the earlier ones.
//!
//! For each text, an [`Index`] has its metadata, its fingerprint and its distinct shingles:
//! everything that decides whether a pair is a near-duplicate. For new texts, it returns [the
//! stored texts that may be paired with them](Index::related), each with the shingles that it
//! shares with them. A corpus of these and the new texts has the same pairs, with the same figures,
//! as a corpus of all texts.
//!
//! Nothing in the index depends on the other texts of the corpus. The only such property is the
//! language of a text in which none is detected: it is taken to be that of most other texts. A text
//! of this kind has a [reading](LanguageReading) for each language that makes a difference, and the
//! caller decides which of them holds.
//!
//! The module reads and writes the file of the index and no other. docs/index-format.md describes
//! its bytes.

mod file;
mod postings;
mod related;
mod segment;
mod update;

use std::fs::File;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use flate2::Compression;
use flate2::read::DeflateDecoder;
use flate2::write::DeflateEncoder;
use serde::{Deserialize, Serialize};

use crate::interner::Salt;
use crate::language::{Known, Language, Tally};
use crate::pair::Undecided;
use crate::passages::Words;
use crate::passages::many::{least_worth, occurrences};
use crate::shingles::Variety;
use crate::text::{Text, display_path};
use crate::tokens::exclusions::LeftOut;
use file::{BlockRef, IndexFile};
pub use related::{Figures, IndexQuery, OldText, QueryText, Related, TextNumbers};
use segment::{Directory, Segment, SegmentRef};
pub use update::{Compacted, IndexWriter};

/// The version of the file. It must be increased with every change of the format, and with every
/// change that affects the shingles of a text: of stop word lists, stemmers, or the way in which a
/// text is split into words. A test fails if it should have been increased.
pub const VERSION: u32 = 4;

/// The languages for which a reading of a text holds.
#[derive(Clone, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
pub enum Languages {
    /// Any: the language of the text is known from the text itself, whatever that of others is.
    #[default]
    Any,
    /// The reading holds if most other texts are in one of these languages.
    Of(Vec<Language>),
    /// The reading holds if most other texts are in none of these languages, or in no known
    /// language.
    Others(Vec<Language>),
}

impl Languages {
    /// Reports whether the reading holds if `main` is the language of most other texts.
    pub fn hold_for(&self, main: Option<Language>) -> bool {
        let has = |languages: &[Language]| main.is_some_and(|main| languages.contains(&main));
        match self {
            Self::Any => true,
            Self::Of(languages) => has(languages),
            Self::Others(languages) => !has(languages),
        }
    }
}

/// A stored shingle of a text.
#[derive(Clone, Copy, Debug, Deserialize, Eq, Ord, PartialEq, PartialOrd, Serialize)]
pub struct StoredShingle {
    /// The [key](crate::shingles::ShingleSet::keys), made with the salt of the index.
    pub key: u64,
    /// The [bits](crate::interner::Check::bits) of its check.
    pub check: u32,
    /// Whether it is one of the shingles of the greatest size.
    pub is_longest: bool,
}

/// A stored text in a language that it may be in.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
pub struct LanguageReading {
    /// The languages for which the reading holds.
    pub languages: Languages,
    /// The number of stems.
    pub stems: usize,
    /// The variety of the words.
    pub variety: Variety,
    /// The number of shingles that have the same residue as another one; of all shingles with one
    /// residue, one is not counted.
    pub collisions: usize,
    /// All shingles whose residue another shingle has as well.
    pub collided: Vec<StoredShingle>,
    /// The reason that it has no shingles; `None` if it has some.
    pub short: Option<Undecided>,
}

/// The metadata of a text: everything except its shingles.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct StoredText {
    /// The text without its content. Its path is its name.
    pub text: Text,
    /// The submission that it belongs to, if any.
    pub group: Option<String>,
    /// Data of the caller that is returned with the text.
    pub attached: Option<String>,
    /// The language; `None` if it is in doubt.
    pub language: Option<Known>,
    /// The language that it is probably in, or none; `None` if it is not in doubt, or if the text has
    /// no word.
    pub probable: Option<Known>,
    /// The parts of the text that are excluded.
    pub left_out: Vec<LeftOut>,
    /// The number of words.
    pub words: usize,
    /// The SHA-256 digest of the words.
    pub digest: [u8; 32],
    /// One reading if the language is known, otherwise one for each language that makes a
    /// difference.
    pub readings: Vec<LanguageReading>,
}

impl StoredText {
    /// Returns the reading that holds if `main` is the language of most texts.
    pub fn reading(&self, main: Option<Language>) -> Option<&LanguageReading> {
        self.readings.iter().find(|it| it.languages.hold_for(main))
    }

    /// Returns the language with which the text counts when the language of most texts is
    /// determined: its own, or if that is in doubt, the one that it is probably in. `None` if the
    /// text is too short in its own language.
    pub fn counted_language(&self) -> Option<Known> {
        let is_short = self.readings.iter().any(|reading| reading.short.is_some());
        self.language.filter(|_| !is_short).or(self.probable)
    }
}

/// The shingles and the fingerprint of a reading that is not too short.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct StoredSketch {
    /// The simhash of the text.
    pub fingerprint: u64,
    /// The distinct shingles of all sizes, in increasing order.
    pub shingles: Vec<StoredShingle>,
}

/// A text to be stored.
#[derive(Clone, Debug, PartialEq)]
pub struct NewText {
    /// The metadata of the text.
    pub stored: StoredText,
    /// The shingles of those of its readings that are not too short, in their order.
    pub sketches: Vec<StoredSketch>,
    /// The content, if the index stores texts; otherwise `None`.
    pub content: Option<Content>,
}

/// Returns the name of a text: its path, which is UTF-8.
fn name_of(text: &Text) -> &str {
    text.path().to_str().unwrap_or_default()
}

/// An error that occurs when an index is read or changed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum IndexError {
    /// The file is not an index.
    #[error("{}: not an index, expected the output of dedup index build", display_path(path))]
    NoIndex {
        /// The file.
        path: PathBuf,
    },
    /// The file has another version.
    #[error("{}: an index of version {found}, expected version {expected}", display_path(path))]
    OtherVersion {
        /// The file.
        path: PathBuf,
        /// The version of the file.
        found: u32,
        /// The version that this program reads and writes.
        expected: u32,
    },
    /// The end of the file is missing.
    #[error("{}: {bytes} bytes, expected {expected}: its end is missing", display_path(path))]
    CutOff {
        /// The file.
        path: PathBuf,
        /// The number of bytes in the file.
        bytes: u64,
        /// The number of bytes when it was written.
        expected: u64,
    },
    /// A part of the file is not as it was written.
    #[error("{}: damaged: {what}, expected the bytes that were written", display_path(path))]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The part that is damaged.
        what: String,
    },
    /// Another process is changing the file.
    #[error("{}: in use by another process, expected exclusive access", display_path(path))]
    Locked {
        /// The file.
        path: PathBuf,
    },
    /// Another process changed or replaced the file while it was being opened.
    #[error("{}: was changed by another process in the meantime", display_path(path))]
    Changed {
        /// The file.
        path: PathBuf,
    },
    /// A block would have more bytes than the format allows.
    #[error("{}: a text too large to be stored", display_path(path))]
    TooLarge {
        /// The file.
        path: PathBuf,
    },
    /// The name of a text is not UTF-8.
    #[error("{}: a name that is not UTF-8, expected UTF-8", display_path(name))]
    NoUtf8 {
        /// The name.
        name: PathBuf,
    },
    /// A record or a text cannot be stored. A text also cannot be stored if it has content but the
    /// index does not store texts, or the other way round.
    #[error("{}: a text that cannot be stored", display_path(path))]
    NotStorable {
        /// The file of the index, or the text.
        path: PathBuf,
    },
    /// The operating system failed to read the file.
    #[error("{}: cannot be read", display_path(path))]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The cause.
        source: io::Error,
    },
    /// The operating system failed to write the file.
    #[error("{}: cannot be written", display_path(path))]
    Unwritable {
        /// The file.
        path: PathBuf,
        /// The cause.
        source: io::Error,
    },
}

/// A state of an index.
#[derive(Clone, Debug, Deserialize, Serialize)]
struct Root {
    /// The root of the previous state; `None` for the first state.
    previous: Option<BlockRef>,
    /// The settings with which the texts were read and sketched, as the caller wrote them.
    settings: String,
    /// The salt of the checks, on which the keys of the shingles depend as well.
    salt: Salt,
    /// Whether the texts themselves are stored.
    has_texts: bool,
    segments: Vec<SegmentRef>,
    /// The segments that were merged into another one by this change.
    merged: Vec<SegmentRef>,
}

/// An index that is open for reading. It remains in one state, even if texts are added or removed
/// meanwhile.
#[derive(Debug)]
pub struct Index {
    file: IndexFile,
    root: Root,
    /// The directories of the segments, once they are read: a query uses each of them several
    /// times.
    directories: OnceLock<Vec<Arc<Directory>>>,
}

impl Index {
    /// Opens an index. This reads its first few kilobytes, but no text.
    ///
    /// # Errors
    ///
    /// Returns [`IndexError`] if the file cannot be read, is not an index, has another version, or
    /// is damaged.
    #[expect(clippy::disallowed_methods, reason = "an index is no text")]
    pub fn open(path: &Path) -> Result<Self, IndexError> {
        let unreadable = |source| IndexError::Unreadable { path: path.to_owned(), source };
        Self::from_file(path, File::open(path).map_err(unreadable)?)
    }

    fn from_file(path: &Path, file: File) -> Result<Self, IndexError> {
        let file = IndexFile::open(path, file)?;
        let root = file.records(file.slot().root, "the root")?;
        Ok(Self { file, root, directories: OnceLock::new() })
    }

    /// Reports whether a file begins as an index does. Reads nothing from a pipe.
    #[expect(clippy::disallowed_methods, reason = "an index is no text")]
    pub fn is_at(path: &Path) -> bool {
        let mut head = [0; file::MAGIC.len()];
        let is_file = path.metadata().is_ok_and(|known| known.is_file());
        let mut read = || File::open(path).and_then(|mut file| file.read_exact(&mut head));
        is_file && read().is_ok() && head == file::MAGIC
    }

    /// Returns the path of the file.
    pub fn path(&self) -> &Path {
        self.file.path()
    }

    /// Returns the settings with which the texts were read and sketched, as given when the index
    /// was built.
    pub fn settings(&self) -> &str {
        &self.root.settings
    }

    /// Returns the salt of the index. [Checks](crate::interner::salt_checks) must be salted with it
    /// before a text that is compared with the index is read.
    pub fn salt(&self) -> Salt {
        self.root.salt
    }

    /// Reports whether the texts themselves are stored, so that they can be searched for passages.
    pub fn has_texts(&self) -> bool {
        self.root.has_texts
    }

    /// The number of texts.
    pub fn len(&self) -> usize {
        self.root.segments.iter().map(SegmentRef::len).sum()
    }

    /// Reports whether the index contains no texts.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the number of segments. Each of them is searched for every new text.
    pub fn segments(&self) -> usize {
        self.root.segments.len()
    }

    /// Returns the size of the file in bytes.
    pub fn bytes(&self) -> u64 {
        self.file.slot().end
    }

    /// Returns the number of times that the index was changed, including its creation.
    pub fn generation(&self) -> u64 {
        self.file.slot().generation
    }

    /// Counts the texts in each language, of those texts whose language is known from the text
    /// itself.
    pub fn languages(&self) -> Tally {
        let mut tally = Tally::default();
        let known = self.root.segments.iter().flat_map(|segment| &segment.languages);
        known.for_each(|(language, texts)| tally.add(*language, *texts));
        tally
    }

    fn opened(&self) -> Result<Vec<Segment<'_>>, IndexError> {
        let directories = if let Some(known) = self.directories.get() {
            known
        } else {
            let read = self.root.segments.iter().map(|it| Segment::directory(&self.file, it));
            let read = read.collect::<Result<_, _>>()?;
            self.directories.get_or_init(|| read)
        };
        let known = self.root.segments.iter().zip(directories);
        let open = |(known, directory)| Segment::new(&self.file, known, Arc::clone(directory));
        Ok(known.map(open).collect())
    }

    /// Prepares to look up texts by name, one after another.
    ///
    /// # Errors
    ///
    /// Returns [`IndexError`] if the file cannot be read or is damaged.
    pub fn names(&self) -> Result<Names<'_>, IndexError> {
        Ok(Names { segments: self.opened()? })
    }

    /// Passes all texts to `each` as they are read, in the order of their names and without their
    /// contents.
    ///
    /// # Errors
    ///
    /// Returns [`IndexError`] if the file cannot be read or is damaged, or the error that `each`
    /// returns.
    pub fn each_text<E: From<IndexError>>(
        &self,
        mut each: impl FnMut(StoredText) -> Result<(), E>,
    ) -> Result<(), E> {
        let segments = self.opened()?;
        update::texts_by_name(&segments).try_for_each(|found| each(found?.text))
    }

    /// Reads every byte of the file and verifies the checksums, including those of earlier states.
    ///
    /// # Errors
    ///
    /// Returns [`IndexError`], which names the damaged part, if the file cannot be read or is
    /// damaged.
    pub fn check(&self) -> Result<(), IndexError> {
        let mut spans = Vec::new();
        let mut next = Some(self.file.slot().root);
        let mut seen = Vec::new();
        while let Some(block) = next {
            let root: Root = self.file.records(block, "the root of an earlier state")?;
            spans.push(block);
            for known in root.segments.iter().chain(&root.merged) {
                if seen.contains(&known.directory) {
                    continue;
                }
                seen.push(known.directory);
                spans.extend(Segment::open(&self.file, known)?.check()?);
            }
            next = root.previous.filter(|it| it.offset < block.offset);
        }
        // Every byte after the header must be in one of the blocks.
        spans.sort_by_key(|block| block.offset);
        let mut end = file::BLOCKS;
        for block in spans {
            if block.offset > end {
                return Err(self.file.damaged(&format!("the data at byte {end}")));
            }
            end = end.max(block.end());
        }
        if end == self.file.slot().end { Ok(()) } else { Err(self.file.damaged("its end")) }
    }
}

/// A look-up of texts by name.
#[derive(Debug)]
pub struct Names<'i> {
    segments: Vec<Segment<'i>>,
}

impl Names<'_> {
    /// Returns the text with a name; `None` if there is none.
    ///
    /// # Errors
    ///
    /// Returns [`IndexError`] if the file cannot be read or is damaged.
    pub fn find(&self, name: &str) -> Result<Option<StoredText>, IndexError> {
        Ok(self.find_numbered(name)?.map(|found| found.text))
    }

    fn find_numbered(&self, name: &str) -> Result<Option<FoundText>, IndexError> {
        for (place, segment) in self.segments.iter().enumerate() {
            if let Some((number, (text, content))) = segment.find(name)? {
                return Ok(Some(FoundText { segment: place, number, text, content }));
            }
        }
        Ok(None)
    }
}

#[derive(Debug)]
struct FoundText {
    segment: usize,
    /// Its number in the segment.
    number: u32,
    text: StoredText,
    content: Option<BlockRef>,
}

/// The content of a text and the stretches of its words, as they are stored.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Content {
    /// The compressed record of the text with its content.
    packed: Vec<u8>,
    /// The keys of its stretches, and the word at which each begins: see [`occurrences`].
    stretches: Vec<(u64, u32)>,
    /// The smallest worth of any word, in quarters of a word.
    least_worth: u8,
}

impl Content {
    /// Compresses a text, and finds the stretches of the words that are not excluded. `None` if the
    /// text cannot be stored.
    pub fn new(text: &Text, words: &Words) -> Option<Self> {
        let record = postcard::to_stdvec(text).ok()?;
        let mut encoder = DeflateEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(&record).ok()?;
        let packed = encoder.finish().ok()?;
        Some(Self { packed, stretches: occurrences(words), least_worth: least_worth(words) })
    }
}

/// Decompresses a text; `None` if the bytes are not those of a text.
fn unpacked(packed: &[u8]) -> Option<Text> {
    let mut record = Vec::with_capacity(3 * packed.len());
    DeflateDecoder::new(packed).read_to_end(&mut record).ok()?;
    postcard::from_bytes(&record).ok()
}

#[cfg(test)]
mod tests;
