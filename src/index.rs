//! Texts that were sketched → a file that later texts are compared with, without the earlier ones.
//!
//! An [`Index`] has of each text what is known of it, its fingerprint and its distinct shingles: all
//! that decides whether a pair is a near-duplicate. Asked for new texts, it gives [those that may be
//! paired with them](Index::related), each with the shingles that it shares: a corpus of these
//! and of the new ones has the pairs, and the figures, that a corpus of all the texts has.
//!
//! What depends on all texts of a corpus is not in it. The one thing of that kind is the
//! language of a text that does not say it by itself, which is that of most others: such a text has a
//! [reading](Reading) for each language that makes a difference, and who asks says which holds.
//!
//! The module reads and writes the file of the index and no other; docs/index-format.md has its bytes.

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
use crate::text::{Text, display_path};
use crate::tokens::exclusions::LeftOut;
use file::{BlockRef, IndexFile};
pub use related::{Figures, OldText, Question, Related, Sharing, TextNumbers, Wanted};
use segment::{Directory, Segment, SegmentRef};
pub use update::{Compacted, IndexWriter};

/// A number that changes with whatever changes the shingles of a text: lists, stemmers, the modulus,
/// or how a text is split into words. A test fails where it was to be raised.
pub const ANSWERS: u32 = 1;

/// The languages that a reading of a text holds for.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub enum Languages {
    /// The text says its language itself: whatever others are in.
    Any,
    /// Where most others are in one of these.
    Of(Vec<Language>),
    /// Where most others are in none of these, or in no known language.
    Others(Vec<Language>),
}

impl Languages {
    /// Whether the reading holds where this is the language of most others.
    pub fn hold_for(&self, main: Option<Language>) -> bool {
        let has = |languages: &[Language]| main.is_some_and(|main| languages.contains(&main));
        match self {
            Self::Any => true,
            Self::Of(languages) => has(languages),
            Self::Others(languages) => !has(languages),
        }
    }
}

/// A shingle of a text: its key, the bits of its check, and whether it is of the greatest size.
#[derive(Clone, Copy, Debug, Deserialize, Eq, Ord, PartialEq, PartialOrd, Serialize)]
pub struct StoredShingle {
    /// The [key](crate::shingles::ShingleSet::keys), by the salt of the index.
    pub key: u64,
    /// The bits of its check.
    pub check: u32,
    /// Whether it is one of the greatest size.
    pub is_longest: bool,
}

/// A text in a language that it may be in.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct Reading {
    /// When it holds.
    pub languages: Languages,
    /// Its stems.
    pub stems: usize,
    /// How many of its shingles have the residue of another one of them.
    pub collisions: usize,
    /// The shingles of which that is so, and those whose residue they have.
    pub collided: Vec<StoredShingle>,
    /// Why it has no shingles; none where it has.
    pub short: Option<Undecided>,
}

/// What is known of a text but its shingles.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct StoredText {
    /// The text without content; its name is its path.
    pub text: Text,
    /// The submission that it belongs to.
    pub group: Option<String>,
    /// What the caller wants to have back with it.
    pub attached: Option<String>,
    /// Its language; none in doubt.
    pub language: Option<Known>,
    /// What does not count of it.
    pub left_out: Vec<LeftOut>,
    /// Its words.
    pub words: usize,
    /// The digest of its words.
    pub digest: [u8; 32],
    /// One where its language is known, else one for each language that makes a difference.
    pub readings: Vec<Reading>,
}

impl StoredText {
    /// The reading that holds where this is the language of most texts.
    pub fn reading(&self, main: Option<Language>) -> Option<&Reading> {
        self.readings.iter().find(|it| it.languages.hold_for(main))
    }

    /// The language that counts where the one of most texts is looked for: that of a text which says
    /// it itself and is not too short.
    pub fn counted_language(&self) -> Option<Known> {
        let is_short = self.readings.iter().any(|reading| reading.short.is_some());
        self.language.filter(|_| !is_short)
    }
}

/// The shingles of a reading that is not too short.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Sketched {
    /// The simhash of the text.
    pub fingerprint: u64,
    /// The distinct shingles of all sizes, increasing.
    pub shingles: Vec<StoredShingle>,
}

/// A text that is to be stored: what is known of it, and its readings that are not too short, in
/// their order.
#[derive(Clone, Debug, PartialEq)]
pub struct NewText {
    /// What is known of it.
    pub stored: StoredText,
    /// Its shingles.
    pub sketched: Vec<Sketched>,
    /// The whole of it where the index stores texts, else none.
    pub content: Option<Content>,
}

/// What a text goes by: its path, which is UTF-8.
fn name_of(text: &Text) -> &str {
    text.path().to_str().unwrap_or_default()
}

/// Why an index cannot be read or changed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum IndexError {
    /// The file is no index.
    #[error("{}: no index, expected one that dedup index build made", display_path(path))]
    NoIndex {
        /// The file.
        path: PathBuf,
    },
    /// The format is another one.
    #[error("{}: an index of version {found}, expected version {expected}", display_path(path))]
    OtherVersion {
        /// The file.
        path: PathBuf,
        /// Its version.
        found: u32,
        /// That of this program.
        expected: u32,
    },
    /// The end of the file is missing.
    #[error("{}: {bytes} bytes, expected {expected}: its end is missing", display_path(path))]
    CutOff {
        /// The file.
        path: PathBuf,
        /// What there is.
        bytes: u64,
        /// What there was when it was written.
        expected: u64,
    },
    /// A part of it is not as it was written.
    #[error("{}: damaged: {what}, expected it as it was written", display_path(path))]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The part that is lost.
        what: String,
    },
    /// Another process changes it.
    #[error("{}: another process is changing it, expected none", display_path(path))]
    Locked {
        /// The file.
        path: PathBuf,
    },
    /// Another process has put another file in its place.
    #[error("{}: another process has changed it meanwhile", display_path(path))]
    Changed {
        /// The file.
        path: PathBuf,
    },
    /// More bytes in one part than there can be.
    #[error("{}: a text with too much to be stored", display_path(path))]
    TooLarge {
        /// The file.
        path: PathBuf,
    },
    /// A text whose name is not UTF-8.
    #[error("{}: a name that is not UTF-8, expected one that is", display_path(name))]
    NoUtf8 {
        /// The name.
        name: PathBuf,
    },
    /// What is known of a text cannot be stored.
    #[error("{}: a text that cannot be stored", display_path(path))]
    NotStorable {
        /// The file.
        path: PathBuf,
    },
    /// The system does not let it be read.
    #[error("{}: cannot be read", display_path(path))]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The system does not let it be written.
    #[error("{}: cannot be written", display_path(path))]
    Unwritable {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
}

/// The state of an index.
#[derive(Clone, Debug, Deserialize, Serialize)]
struct Root {
    /// That of the state before; none of the first.
    previous: Option<BlockRef>,
    /// How the texts were read and sketched, in the words of the caller.
    settings: String,
    /// What the keys and checks of the shingles were made with.
    salt: Salt,
    /// Whether the texts are stored, too.
    has_texts: bool,
    segments: Vec<SegmentRef>,
    /// Those that were merged into others when this state was made.
    merged: Vec<SegmentRef>,
}

/// An index that is read; a state of it, whatever is added or removed meanwhile.
#[derive(Debug)]
pub struct Index {
    file: IndexFile,
    root: Root,
    /// Those of the segments, once one was looked at: a question looks at each several times.
    directories: OnceLock<Vec<Arc<Directory>>>,
}

impl Index {
    /// Opens an index. Its first few kilobytes are read, and no text.
    ///
    /// # Errors
    ///
    /// [`IndexError`].
    #[expect(clippy::disallowed_methods, reason = "an index is no text")]
    pub fn open(path: &Path) -> Result<Self, IndexError> {
        let unreadable = |source| IndexError::Unreadable { path: path.to_owned(), source };
        Self::of_file(path, File::open(path).map_err(unreadable)?)
    }

    fn of_file(path: &Path, file: File) -> Result<Self, IndexError> {
        let file = IndexFile::open(path, file)?;
        let root = file.records(file.slot().root, "the root")?;
        Ok(Self { file, root, directories: OnceLock::new() })
    }

    /// Whether a file begins as an index does. Nothing is read from a pipe.
    #[expect(clippy::disallowed_methods, reason = "an index is no text")]
    pub fn is_at(path: &Path) -> bool {
        let mut head = [0; file::HEAD];
        let is_file = path.metadata().is_ok_and(|known| known.is_file());
        let mut read = || File::open(path).and_then(|mut file| file.read_exact(&mut head));
        is_file && read().is_ok() && file::begins_as_index(&head)
    }

    /// The file.
    pub fn path(&self) -> &Path {
        self.file.path()
    }

    /// How the texts were read and sketched, as the caller said when it was built.
    pub fn settings(&self) -> &str {
        &self.root.settings
    }

    /// What [checks](crate::interner::salt_checks) are to be salted with before a text is read that
    /// is compared with those of the index.
    pub fn salt(&self) -> Salt {
        self.root.salt
    }

    /// Whether the texts are stored, so that passages can be looked for in them.
    pub fn has_texts(&self) -> bool {
        self.root.has_texts
    }

    /// The number of texts.
    pub fn len(&self) -> usize {
        self.root.segments.iter().map(SegmentRef::len).sum()
    }

    /// Whether there is no text.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many segments there are, each of which is looked at for every new text.
    pub fn segments(&self) -> usize {
        self.root.segments.len()
    }

    /// The bytes of the file.
    pub fn bytes(&self) -> u64 {
        self.file.slot().end
    }

    /// How often it was changed, its making among that.
    pub fn generation(&self) -> u64 {
        self.file.slot().generation
    }

    /// How many texts have which language, of those that say it themselves.
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

    /// Whether there is a text of this name, for one name after the other.
    ///
    /// # Errors
    ///
    /// [`IndexError`].
    pub fn names(&self) -> Result<Names<'_>, IndexError> {
        Ok(Names { segments: self.opened()? })
    }

    /// How many texts there are at least that are of no group and not too short.
    ///
    /// # Errors
    ///
    /// [`IndexError`].
    pub fn alone(&self) -> Result<usize, IndexError> {
        Ok(self.opened()?.iter().map(Segment::alone).sum())
    }

    /// All texts in the order of their names, without their contents, each handed on as it is read.
    ///
    /// # Errors
    ///
    /// [`IndexError`], or whatever `each` returns.
    pub fn each_text<E: From<IndexError>>(
        &self,
        mut each: impl FnMut(StoredText) -> Result<(), E>,
    ) -> Result<(), E> {
        let segments = self.opened()?;
        let mut rows = update::TextsByName::new(&segments);
        while let Some(found) = rows.next()? {
            each(found.text)?;
        }
        Ok(())
    }

    /// Reads every byte of the file and holds it to its checksum, the states before this one
    /// among that.
    ///
    /// # Errors
    ///
    /// [`IndexError`], which names what is lost.
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
        // All that there is lies in one of them.
        spans.sort_by_key(|block| block.offset);
        let mut end = file::BLOCKS;
        for block in spans {
            if block.offset > end {
                return Err(self.file.damaged(&format!("what stands at byte {end}")));
            }
            end = end.max(block.end());
        }
        if end == self.file.slot().end { Ok(()) } else { Err(self.file.damaged("its end")) }
    }
}

/// Looks texts up by their names.
#[derive(Debug)]
pub struct Names<'i> {
    segments: Vec<Segment<'i>>,
}

impl Names<'_> {
    /// The text of a name; none where there is none.
    ///
    /// # Errors
    ///
    /// [`IndexError`].
    pub fn find(&self, name: &str) -> Result<Option<StoredText>, IndexError> {
        Ok(self.find_numbered(name)?.map(|found| found.text))
    }

    fn find_numbered(&self, name: &str) -> Result<Option<Found>, IndexError> {
        for (place, segment) in self.segments.iter().enumerate() {
            if let Some((number, (text, content))) = segment.find(name)? {
                return Ok(Some(Found { segment: place, number, text, content }));
            }
        }
        Ok(None)
    }
}

/// A text of an index.
#[derive(Debug)]
struct Found {
    /// The place of its segment.
    segment: usize,
    /// Its number there.
    number: u32,
    text: StoredText,
    /// Where its content stands, if that is stored.
    content: Option<BlockRef>,
}

/// What is stored of a text besides its shingles.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Content {
    /// The text with its content, packed.
    packed: Vec<u8>,
    /// The keys of its stretches and where they begin: see [`occurrences`].
    stretches: Vec<(u64, u32)>,
    /// What the word is worth that is worth least.
    least_worth: u8,
}

impl Content {
    /// Of a text and the words that count of it; none of one that cannot be stored.
    pub fn new(text: &Text, words: &Words) -> Option<Self> {
        let record = postcard::to_stdvec(text).ok()?;
        let mut encoder = DeflateEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(&record).ok()?;
        let packed = encoder.finish().ok()?;
        Some(Self { packed, stretches: occurrences(words), least_worth: least_worth(words) })
    }
}

/// The text; none where the bytes are not of one.
fn unpacked(packed: &[u8]) -> Option<Text> {
    let mut record = Vec::with_capacity(3 * packed.len());
    DeflateDecoder::new(packed).read_to_end(&mut record).ok()?;
    postcard::from_bytes(&record).ok()
}

#[cfg(test)]
mod tests;
