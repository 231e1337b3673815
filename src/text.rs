//! Path → `Text`: a whole file, decoded, as its reader sees it. The only module that reads files.
//!
//! A byte order mark is believed, then what is valid UTF-8 is UTF-8, and only what is
//! neither is detected. Nothing is replaced unless that is asked for: a byte
//! that the encoding does not allow is an error that names it.

pub mod defect;
pub mod disguises;
pub mod formats;
pub mod letters;
pub mod marked;
pub mod packed;
pub mod properties;
pub mod source_map;
mod assemble;
mod decode;
mod detect;
mod error;
mod places;

use std::fs::File;
use std::hint::black_box;
use std::io::{self, ErrorKind, Read};
use std::ops::Range;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::parallel;
pub use decode::Encoding;
use disguises::Trick;
pub use error::{ReadTextError, cut_short, display_path};
use formats::{Bounds, Kind, Part};
use marked::{Marked, Stretch};
use places::Stored;
pub use places::{Pages, Place};
pub use properties::Properties;

// How a text is read, and how that is known.

/// How a file is read.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct Reading {
    /// The most bytes it may have; any number for none.
    pub most: Option<u64>,
    /// The encoding, where it is given. Documents that name their own keep it.
    pub encoding: Option<Encoding>,
    /// Whether bytes that the encoding does not allow are replaced by U+FFFD.
    pub lossy: bool,
    /// What of a web page is its text.
    pub html: Html,
    /// What is read as Markdown: by its name, what is called `.md` or `.markdown`. It comes before
    /// all other kinds of text that are told by their characters.
    pub markdown: Markup,
    /// What is read as LaTeX: by its name, what is called `.tex` or `.ltx`, and what begins as a
    /// document in LaTeX.
    pub latex: Markup,
    /// Whether the name says nothing of what it is, as the id of a record does not.
    pub nameless: bool,
    /// How far a document is opened.
    pub bounds: Bounds,
}

/// What of a web page is its text.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum Html {
    /// The main content, or all where there is none.
    #[default]
    Main,
    /// All of the body but navigation, header and footer.
    All,
    /// The page's source, as plain text.
    Off,
}

impl Html {
    /// The part of a page that is read; of its source, all.
    fn part(self) -> Part {
        match self {
            Self::Main => Part::Main,
            Self::All | Self::Off => Part::All,
        }
    }
}

/// What is read as a text with marks of some kind.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum Markup {
    /// What is known to be one by its name.
    #[default]
    Auto,
    /// Every text that is no document of another kind.
    On,
    /// Nothing.
    Off,
}

/// One of the two texts that are compared.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Side {
    /// The first one named.
    Left,
    /// The second one named.
    Right,
}

/// How the encoding of a text is known.
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
pub enum EncodingBy {
    /// A byte order mark says so.
    Mark,
    /// The bytes are valid in it, are most likely meant so, or name it.
    #[default]
    Content,
    /// The user said so.
    Given,
}

/// A text, decoded, as its reader sees it. It may be empty, but holds no NUL.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct Text {
    path: PathBuf,
    content: String,
    kind: Kind,
    encoding: Encoding,
    encoding_by: EncodingBy,
    /// The size of the file, in bytes.
    bytes: usize,
    /// The size of its byte order mark.
    mark: usize,
    replaced: usize,
    /// None where there is nothing of it: see [`Extras`].
    extras: Option<Box<Extras>>,
}

/// What most texts have nothing of, so that many of them take little memory.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
struct Extras {
    damage: Option<String>,
    properties: Properties,
    disguises: Vec<Found>,
    block_quotes: Vec<Range<usize>>,
    marked: Marked,
    /// Where the pages or slides begin in the content.
    pages: Vec<usize>,
    stored: Stored,
    /// The files that the text is made of, without their content, and where that stands; none where
    /// it is one file.
    files: Vec<(Range<usize>, Text)>,
}

/// Nothing of it.
static NO_EXTRAS: Extras = Extras::NONE;

impl Extras {
    const NONE: Self = Self {
        damage: None,
        properties: Properties { author: None, last_modified_by: None, created: None },
        disguises: Vec::new(),
        block_quotes: Vec::new(),
        marked: Marked { stretches: Vec::new(), lone: Vec::new() },
        pages: Vec::new(),
        stored: Stored { characters: None, revealed: None, taken: None, bytes: None },
        files: Vec::new(),
    };

    /// As a text has it.
    fn boxed(self) -> Option<Box<Self>> {
        (self != Self::NONE).then(|| Box::new(self))
    }
}

/// A trick that was found in a text and undone.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct Found {
    /// The trick.
    pub trick: Trick,
    /// How many words it was done to.
    pub words: usize,
    /// The line of the first of them, from 1; none where it is in no line of the text.
    pub line: Option<usize>,
    /// Its page or slide; none where there are none, or it is not known.
    pub page: Option<Pages>,
    /// The first of them.
    pub example: String,
    /// The file of the text that has it, where that is made of several: see [`Text::joined`].
    pub file: Option<PathBuf>,
}

/// Bytes of memory that a byte of a text needs at least before it is compared. Plain English in
/// UTF-8 needs four; what has more words to the kilobyte needs more.
const NEED: u64 = 4;

impl Text {
    /// Reads a whole file; `-` is standard input, and a pipe is as good as a file.
    ///
    /// # Errors
    ///
    /// A [`ReadTextError`] where the file cannot be read, is larger or is not a text.
    #[expect(clippy::disallowed_methods, reason = "this is Text::open")]
    pub fn open(path: &Path, reading: &Reading) -> Result<Self, ReadTextError> {
        let most = reading.most.unwrap_or(u64::MAX);
        let read = if path == Path::new("-") {
            read_within(io::stdin().lock(), 0, most)
        } else {
            File::open(path).and_then(|file| {
                let known = file.metadata()?;
                let bytes = read_within(file, known.len(), most)?;
                let read = bytes.as_ref().map_or(u64::MAX, |bytes| bytes.len() as u64);
                match known.len().checked_sub(read) {
                    Some(missing @ 1..) if known.is_file() => Err(cut_short(missing)),
                    _ => Ok(bytes),
                }
            })
        };
        let path = path.to_owned();
        match read {
            Ok(Some(bytes)) => Self::decode(&path, bytes, reading),
            Ok(None) => Err(ReadTextError::TooLarge { path, most }),
            Err(error) if error.kind() == ErrorKind::OutOfMemory => {
                let need = path.metadata().map_or(0, |known| known.len()).saturating_mul(NEED);
                Err(ReadTextError::NoMemory { path, need })
            }
            Err(_) if path.is_dir() => Err(ReadTextError::Folder { path }),
            Err(error) if error.kind() == ErrorKind::NotFound => {
                Err(ReadTextError::Missing { path })
            }
            Err(source) => Err(ReadTextError::Unreadable { path, source }),
        }
    }

    /// Reads two files, each in its way; where both fail, the left one's error is reported.
    ///
    /// # Errors
    ///
    /// As [`open`](Self::open).
    pub fn open_both(
        left: (&Path, &Reading),
        right: (&Path, &Reading),
    ) -> Result<(Self, Self), ReadTextError> {
        let size = |path: &Path| path.metadata().map_or(0, |file| file.len());
        let bytes = usize::try_from(size(left.0) + size(right.0)).unwrap_or(usize::MAX);
        let open = |(path, reading)| move || Self::open(path, reading);
        let (left, right) = parallel::join(bytes, open(left), open(right));
        Ok((left?, right?))
    }

    /// Decodes bytes that are already there, in an encoding that is to be found; `path` is
    /// the name they go by.
    ///
    /// # Errors
    ///
    /// A [`ReadTextError`] where the bytes are no text.
    pub fn from_bytes(path: &Path, bytes: Vec<u8>) -> Result<Self, ReadTextError> {
        Self::decode(path, bytes, &Reading::default())
    }

    /// Decodes bytes as a file of them would be read.
    ///
    /// # Errors
    ///
    /// A [`ReadTextError`] where the bytes are no text, or not one in the encoding.
    pub fn decode(path: &Path, bytes: Vec<u8>, reading: &Reading) -> Result<Self, ReadTextError> {
        isolated(path, || assemble::text(path, bytes, reading))
    }

    /// One text of the contents of files, in the order in which they come, parted by a blank
    /// line; `path` is the name that all go by. No shingle and no passage reaches from one file
    /// into the next. [`places`](Self::places) are those of the [file](Self::file) that each is in.
    /// Of no file it is an empty text.
    pub fn joined(path: &Path, files: Vec<Self>) -> Self {
        assemble::joined(path, files)
    }

    /// The files that it is [made of](Self::joined), without their content; none where it is one.
    pub fn files(&self) -> impl Iterator<Item = &Self> {
        self.extras().files.iter().map(|(_, file)| file)
    }

    /// Where the content of each file stands in its own; all of it where it is one.
    pub fn parts(&self) -> impl Iterator<Item = Range<usize>> {
        let whole = self.extras().files.is_empty().then_some(0..self.content.len());
        whole.into_iter().chain(self.extras().files.iter().map(|(part, _)| part.clone()))
    }

    /// The file that a place is in: this text, where it is one.
    pub fn file(&self, place: &Place) -> &Self {
        self.extras().files.get(place.file).map_or(self, |(_, file)| file)
    }

    /// The text with empty content, and without what says where it stood: what remains of one
    /// that is kept by its sketch alone.
    #[must_use]
    pub fn without_content(self) -> Self {
        let extras = self.extras.and_then(|extras| {
            let bare = |(span, file): (Range<usize>, Self)| (span, file.without_content());
            let files = extras.files.into_iter().map(bare).collect();
            let Extras { block_quotes, pages, stored, .. } = Extras::NONE;
            Extras { block_quotes, pages, stored, files, ..*extras }.boxed()
        });
        Self { content: String::new(), extras, ..self }
    }

    /// The text under other names, its own and those of its files, and without what is found in a
    /// document besides its text: who wrote it, disguises, and what is wrong with it.
    #[must_use]
    pub fn renamed(self, name: &dyn Fn(&Path) -> PathBuf) -> Self {
        let extras = self.extras.and_then(|extras| {
            let renamed = |(span, file): (Range<usize>, Self)| (span, file.renamed(name));
            let files = extras.files.into_iter().map(renamed).collect();
            let marked = Marked { lone: Vec::new(), ..extras.marked };
            let Extras { damage, properties, disguises, .. } = Extras::NONE;
            Extras { damage, properties, disguises, marked, files, ..*extras }.boxed()
        });
        Self { path: name(&self.path), extras, ..self }
    }

    fn extras(&self) -> &Extras {
        self.extras.as_deref().unwrap_or(&NO_EXTRAS)
    }

    /// The file as the user named it.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The text as its reader sees it, without its byte order mark.
    pub fn content(&self) -> &str {
        &self.content
    }

    /// What the file is.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// What was done to the text to make it look like another one to a program, in the
    /// order of [`Trick`].
    pub fn disguises(&self) -> &[Found] {
        &self.extras().disguises
    }

    /// Where the content holds block quotations, in bytes, as far as the document says so.
    pub fn block_quotes(&self) -> &[Range<usize>] {
        &self.extras().block_quotes
    }

    /// The same text, in which other stretches are marked.
    pub(crate) fn with_stretches(&self, stretches: Vec<Stretch>) -> Self {
        let marked = Marked { stretches, lone: self.marked().lone.clone() };
        Self { extras: Extras { marked, ..self.extras().clone() }.boxed(), ..self.clone() }
    }

    /// What its writer marked in it.
    pub fn marked(&self) -> &Marked {
        &self.extras().marked
    }

    /// The size of the file, in bytes, its byte order mark included.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// The size of the file's byte order mark, in bytes: 0, 2, 3 or 4.
    pub fn mark(&self) -> usize {
        self.mark
    }

    /// The encoding that it was read in.
    pub fn encoding(&self) -> Encoding {
        self.encoding
    }

    /// How many sequences of bytes were replaced by U+FFFD; 0 unless that was asked for.
    pub fn replaced(&self) -> usize {
        self.replaced
    }

    /// What the program that read the document complained of, where some of its text may be
    /// missing; as it follows on the document's name.
    pub fn damage(&self) -> Option<&str> {
        self.extras().damage.as_deref()
    }

    /// What the document says of those who wrote it; of Word, Writer, slides and PDF, as far as it
    /// does.
    pub fn properties(&self) -> &Properties {
        &self.extras().properties
    }

    /// How the encoding is known.
    pub fn encoding_by(&self) -> EncodingBy {
        self.encoding_by
    }
}

/// Reads a text; a panic on the way costs this text and no other.
fn isolated(
    path: &Path,
    read: impl FnOnce() -> Result<Text, ReadTextError>,
) -> Result<Text, ReadTextError> {
    let panicked = |defect| ReadTextError::Defect { path: path.to_owned(), defect };
    defect::catch(read).map_err(panicked).flatten()
}

/// All bytes of a source that says it has `size`; none where it has more than `most`.
fn read_within(source: impl Read, size: u64, most: u64) -> io::Result<Option<Vec<u8>>> {
    if size > most {
        return Ok(None);
    }
    let room = |bytes: u64| {
        let mut room = Vec::new();
        room.try_reserve_exact(usize::try_from(bytes).unwrap_or(usize::MAX))?;
        io::Result::Ok(room)
    };
    // Asked for and given back: where there is less, the allocator would end the program later.
    drop(black_box(room(size.saturating_mul(NEED))?));
    let mut bytes = room(size.saturating_add(1))?;
    let read = source.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
    Ok((read as u64 <= most).then_some(bytes))
}

#[cfg(test)]
mod tests;
