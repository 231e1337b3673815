//! Path → `Text`: a whole file, decoded, as its reader sees it. The only module that reads files.
//!
//! A byte order mark is believed, then what is valid UTF-8 is UTF-8, and only what is
//! neither is detected. Nothing is replaced unless that is asked for: a byte
//! that the encoding does not allow is an error that names it.

pub mod defect;
pub mod disguises;
pub mod formats;
pub mod letters;
#[cfg_attr(not(feature = "documents"), expect(dead_code, reason = "documents have more of it"))]
pub mod marked;
pub mod packed;
#[cfg_attr(not(feature = "documents"), expect(dead_code, reason = "documents have more of it"))]
pub mod properties;
pub mod source_map;
mod assemble;
mod decode;

use std::borrow::Cow;
use std::fmt::Write;
use std::fs::File;
use std::hint::black_box;
use std::io::{self, ErrorKind, Read};
use std::ops::Range;
use std::path::{Path, PathBuf};

use encoding_rs as whatwg;
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize};

use crate::parallel;
use decode::Form;
use defect::Defect;
use disguises::Trick;
use formats::{Bounds, Kind, Part, Refusal};
use marked::{Marked, Stretch};
use source_map::Origin;

pub use decode::Encoding;
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
    let reserved = |bytes: u64| {
        let mut reserved = Vec::new();
        reserved.try_reserve_exact(usize::try_from(bytes).unwrap_or(usize::MAX))?;
        io::Result::Ok(reserved)
    };
    // Asked for and given back: where there is less, the allocator would end the program later.
    drop(black_box(reserved(size.saturating_mul(NEED))?));
    let mut bytes = reserved(size.saturating_add(1))?;
    let read = source.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
    Ok((read as u64 <= most).then_some(bytes))
}

// Why a file is no text that can be compared, and how files are named in messages.

/// A path for people and for JSON: as given, bytes that are not UTF-8 as `\xNN`.
pub fn display_path(path: &Path) -> Cow<'_, str> {
    if let Some(path) = path.to_str() {
        return Cow::Borrowed(path);
    }
    let mut shown = String::new();
    for chunk in path.as_os_str().as_encoded_bytes().utf8_chunks() {
        shown.push_str(chunk.valid());
        for byte in chunk.invalid() {
            let _ = write!(shown, "\\x{byte:02x}");
        }
    }
    Cow::Owned(shown)
}

/// The error for a file that ends `missing` bytes before its size: it was truncated while it was read, or
/// the file system failed without an error.
pub fn cut_short(missing: u64) -> io::Error {
    let s = if missing == 1 { "" } else { "s" };
    io::Error::new(ErrorKind::UnexpectedEof, format!("ends {missing} byte{s} before its size"))
}

/// Why a file is no text that can be compared.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReadTextError {
    /// There is no such file.
    #[error("{}: no such file, expected a text file", display_path(path))]
    Missing {
        /// The file, as the user named it.
        path: PathBuf,
    },

    /// The file may not be read, or fails while it is being read.
    #[error("{}: cannot be read, expected a text file", display_path(path))]
    Unreadable {
        /// The file, as the user named it.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },

    /// The path names a folder.
    #[error("{}: is a folder, expected a text file", display_path(path))]
    Folder {
        /// The folder, as the user named it.
        path: PathBuf,
    },

    /// The file is larger than was allowed.
    #[error("{}: larger than the limit of {most} bytes", display_path(path))]
    TooLarge {
        /// The file, as the user named it.
        path: PathBuf,
        /// The most bytes it may have.
        most: u64,
    },

    /// There is not enough memory for the file.
    #[error("{}: needs at least {need} bytes of free memory", display_path(path))]
    NoMemory {
        /// The file, as the user named it.
        path: PathBuf,
        /// The least that its text needs, in bytes; 0 of a pipe, of which no one knows.
        need: u64,
    },

    /// The file holds a NUL byte, or control characters, which no text has.
    #[error("{}: not a text: {} at offset {offset}", display_path(path), named(*byte))]
    NotText {
        /// The file, as the user named it.
        path: PathBuf,
        /// Bytes before the first such byte.
        offset: usize,
        /// The first such byte.
        byte: u8,
    },

    /// The file is in EBCDIC, of which no encoding is read.
    #[error(
        "{}: a text in EBCDIC, expected one in UTF-8 or in an encoding of the web",
        display_path(path)
    )]
    Ebcdic {
        /// The file, as the user named it.
        path: PathBuf,
    },

    /// Reading the file panicked, which is a defect of this library.
    #[error(
        "{}: a defect in dedup itself: {defect}, expected to read any file",
        display_path(path)
    )]
    Defect {
        /// The file, as the user named it.
        path: PathBuf,
        /// The panic.
        defect: Defect,
    },

    /// The document is none of text, or its text cannot be had.
    #[error("{}: {refusal}", display_path(path))]
    Refused {
        /// The file, as the user named it.
        path: PathBuf,
        /// Why, as it follows on the file's name.
        refusal: Refusal,
    },

    /// The bytes are not what the encoding allows.
    #[error(
        "{}: damaged {encoding}: byte 0x{byte:02x} at offset {offset}, expected a text in {encoding}",
        display_path(path)
    )]
    Damaged {
        /// The file, as the user named it.
        path: PathBuf,
        /// The encoding.
        encoding: Encoding,
        /// Bytes before the first bad one.
        offset: usize,
        /// The first bad one.
        byte: u8,
    },
}

impl ReadTextError {
    /// The same of another file: that in which the text is packed.
    fn of_file(mut self, file: &Path) -> Self {
        match &mut self {
            Self::Missing { path }
            | Self::Unreadable { path, .. }
            | Self::Folder { path }
            | Self::TooLarge { path, .. }
            | Self::NoMemory { path, .. }
            | Self::NotText { path, .. }
            | Self::Ebcdic { path }
            | Self::Defect { path, .. }
            | Self::Refused { path, .. }
            | Self::Damaged { path, .. } => file.clone_into(path),
        }
        self
    }
}

/// A byte that no text has.
fn named(byte: u8) -> String {
    if byte == 0 { "NUL byte".to_owned() } else { format!("control byte 0x{byte:02x}") }
}

// Where a part of a text stands in what its user can open.

/// Where a part of a text stands. In plain text and Markdown all of it is reported of the file
/// as it is stored; of other kinds, of [`Text::content`].
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Place {
    /// The number of its file, from 0, in a text that is [made of several](Text::joined).
    pub file: usize,
    /// Its bytes in [`Text::content`].
    pub content: Range<usize>,
    /// Its bytes, the byte order mark counted.
    pub bytes: Range<usize>,
    /// The lines of its first and of its last character, from 1; a line ends with a line
    /// feed.
    pub lines: [usize; 2],
    /// The column of its first character and that behind its last, in code points from 1.
    pub columns: [usize; 2],
    /// The pages or slides that it is on; none where its file has none.
    pub pages: Option<Pages>,
}

/// Pages of a PDF, or slides, as who opens the file counts them.
#[derive(Clone, Copy, Debug, Eq, PartialEq, Serialize)]
pub struct Pages {
    /// What one is called: `page`, `slide`.
    pub name: &'static str,
    /// The first and the last, from 1.
    pub numbers: [usize; 2],
}

impl Pages {
    /// Those that a range of a content is on; none where its kind has no pages, or it stands before
    /// the first. They begin where `starts` says.
    fn new(kind: Kind, starts: &[usize], range: &Range<usize>) -> Option<Self> {
        let page = |byte: usize| starts.partition_point(|start| *start <= byte);
        let first = page(range.start);
        let last = if range.is_empty() { first } else { page(range.end - 1) };
        let name = kind.page_name().filter(|_| first > 0)?;
        Some(Self { name, numbers: [first, last] })
    }
}

/// Pages as they are stored.
#[derive(Deserialize)]
struct StoredPages {
    name: String,
    numbers: [usize; 2],
}

impl<'de> Deserialize<'de> for Pages {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let StoredPages { name, numbers } = StoredPages::deserialize(from)?;
        let known = [Kind::Pdf, Kind::Pptx].into_iter().filter_map(Kind::page_name);
        let known = known.into_iter().find(|known| *known == name);
        let name = known.ok_or_else(|| D::Error::custom("no name of a page"))?;
        Ok(Self { name, numbers })
    }
}

impl Place {
    /// How its reader finds it: the pages or slides that it is on, else its lines, by the name of
    /// one, and the first and the last.
    pub fn found_by(&self) -> (&'static str, [usize; 2]) {
        self.pages.map_or(("line", self.lines), |pages| (pages.name, pages.numbers))
    }
}

/// What is kept of a file so that places in it can be reported, and what words were written as.
#[derive(Clone, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
struct Stored {
    /// The file's characters; none where the content is all of them.
    characters: Option<String>,
    /// From the content back to what its disguises were undone in.
    revealed: Option<Origin>,
    /// From there back to the characters.
    taken: Option<Origin>,
    /// The file's bytes without the mark, where the characters do not say where they stood.
    bytes: Option<Vec<u8>>,
}

impl Stored {
    /// The bytes of the characters that a range of the content stands for.
    fn source(&self, range: Range<usize>) -> Range<usize> {
        self.origins().fold(range, |range, origin| origin.source(range))
    }

    fn origins(&self) -> impl Iterator<Item = &Origin> {
        self.revealed.iter().chain(&self.taken)
    }
}

/// A place between two characters.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
struct Point {
    byte: usize,
    line: usize,
    column: usize,
}

impl Text {
    /// The bytes of memory that are kept in addition to the content so that places can be reported.
    pub fn extra_bytes(&self) -> usize {
        let Stored { characters, bytes, .. } = &self.extras().stored;
        let characters = characters.as_ref().map_or(0, String::len);
        let origins: usize = self.extras().stored.origins().map(Origin::size).sum();
        let files: usize = self.files().map(Self::extra_bytes).sum();
        characters + origins + bytes.as_ref().map_or(0, Vec::len) + files
    }

    /// Where the content shows words in other characters than they were written in, in bytes and
    /// in order, each with the first characters of what was written: `pl<U+0430>gue`.
    pub fn disguised_words(&self) -> impl Iterator<Item = (Range<usize>, String)> {
        let files = self.extras().files.iter().map(|(part, file)| (part.clone(), file));
        let whole = [(0..self.content.len(), self)];
        whole.into_iter().chain(files).flat_map(|(part, file)| {
            let (start, content) = (part.start, &self.content[part]);
            let characters = file.extras().stored.characters.as_deref().unwrap_or_default();
            file.extras().stored.revealed.iter().flat_map(Origin::written).map(move |span| {
                let written = &characters[file.extras().stored.source(span.clone())];
                let spelled = disguises::spelled_out(written, &content[span.clone()]);
                (start + span.start..start + span.end, spelled)
            })
        })
    }

    /// Says where parts of the content stand, in the same order. One skip the text
    /// for all of them. Of a part that begins in one file and ends in another, what is in the
    /// first.
    ///
    /// # Panics
    ///
    /// Where a range is not one of the content, on its character boundaries.
    pub fn places(&self, ranges: &[Range<usize>]) -> Vec<Place> {
        if self.extras().files.is_empty() {
            return self.places_in(&self.content, ranges);
        }
        let mut of_files: Vec<(Vec<usize>, Vec<Range<usize>>)> =
            vec![Default::default(); self.extras().files.len()];
        for (number, range) in ranges.iter().enumerate() {
            let behind = self.extras().files.partition_point(|(part, _)| part.start <= range.start);
            let Some(file) = behind.checked_sub(1) else { continue };
            let part = &self.extras().files[file].0;
            let [start, end] = [range.start, range.end].map(|byte| byte.min(part.end) - part.start);
            of_files[file].0.push(number);
            of_files[file].1.push(start..end);
        }
        let mut places = vec![Place::default(); ranges.len()];
        for (number, ((part, file), (numbers, ranges))) in
            self.extras().files.iter().zip(of_files).enumerate()
        {
            let known = file.places_in(&self.content[part.clone()], &ranges);
            for (at, place) in numbers.into_iter().zip(known) {
                let Range { start, end } = place.content;
                let content = part.start + start..part.start + end;
                places[at] = Place { file: number, content, ..place };
            }
        }
        places
    }

    /// The same of one file with a content.
    fn places_in(&self, content: &str, ranges: &[Range<usize>]) -> Vec<Place> {
        let source = |range: &Range<usize>| {
            let is_stored = self.kind.is_shown_as_stored();
            if is_stored { self.extras().stored.source(range.clone()) } else { range.clone() }
        };
        let parts: Vec<Range<usize>> = ranges.iter().map(source).collect();
        let mut offsets: Vec<usize> =
            parts.iter().flat_map(|part| [part.start, part.end]).collect();
        offsets.sort_unstable();
        offsets.dedup();
        let points = self.points(content, &offsets);
        let point = |offset: usize| points[offsets.partition_point(|known| *known < offset)];
        let place = |(content, part): (&Range<usize>, Range<usize>)| {
            let (start, end) = (point(part.start), point(part.end));
            Place {
                file: 0,
                content: content.clone(),
                bytes: start.byte..end.byte,
                lines: [start.line, end.line],
                columns: [start.column, end.column],
                pages: Pages::new(self.kind, &self.extras().pages, content),
            }
        };
        ranges.iter().zip(parts).map(place).collect()
    }

    /// The points of the file at offsets into its characters, which increase.
    fn points(&self, content: &str, offsets: &[usize]) -> Vec<Point> {
        let is_stored = self.kind.is_shown_as_stored();
        let characters = self.extras().stored.characters.as_ref().filter(|_| is_stored);
        let characters = characters.map_or(content, String::as_str);
        let is_utf_8 = self.encoding == Encoding::UTF_8;
        let width = self.encoding.width().filter(|_| is_stored && !is_utf_8);
        let mark = if is_stored { self.mark } else { 0 };
        let mut here = Point { byte: mark, line: 1, column: 1 };
        let mut done = 0;
        let mut points: Vec<Point> = Vec::with_capacity(offsets.len());
        for offset in offsets {
            let passed = &characters[done..*offset];
            here.line += memchr::memchr_iter(b'\n', passed.as_bytes()).count();
            here.column = match memchr::memrchr(b'\n', passed.as_bytes()) {
                Some(end) => 1 + passed[end + 1..].chars().count(),
                None => here.column + passed.chars().count(),
            };
            here.byte += match width {
                Some(width) => passed.chars().map(width).sum(),
                None => passed.len(),
            };
            done = *offset;
            points.push(here);
        }
        if let Some(bytes) = &self.extras().stored.bytes {
            let known = byte_offsets(bytes, self.encoding, offsets);
            points.iter_mut().zip(known).for_each(|(point, byte)| point.byte = mark + byte);
        }
        points
    }
}

// Places in characters → places in the bytes that they were decoded from.
//
// Where characters take as many bytes as they please, or bytes were replaced, only decoding them
// once more says where each stood.

/// The bytes before each of some offsets into what bytes were decoded to; the offsets
/// increase and are on character boundaries. The cost is that of decoding.
fn byte_offsets(bytes: &[u8], encoding: Encoding, wanted: &[usize]) -> Vec<usize> {
    let Form::Whatwg(encoding) = encoding.0 else { return wanted.to_vec() };
    let mut found = Vec::with_capacity(wanted.len());
    let (mut read, mut written) = (0, 0);
    for piece in pieces(bytes, encoding) {
        let next = wanted.get(found.len()..).and_then(|rest| rest.first());
        let length = match next {
            None => break,
            Some(_) if piece.is_ascii() && encoding.is_ascii_compatible() => piece.len(),
            Some(_) => encoding.decode_without_bom_handling(piece).0.len(),
        };
        if next.is_some_and(|next| *next < written + length) {
            within(piece, encoding, (read, written), wanted, &mut found);
        }
        read += piece.len();
        written += length;
    }
    found.resize(wanted.len(), bytes.len());
    found
}

/// The lines of a text, where a decoder begins anew at each; else all of it.
fn pieces<'b>(
    bytes: &'b [u8],
    encoding: &'static whatwg::Encoding,
) -> impl Iterator<Item = &'b [u8]> {
    let by_line = encoding.is_ascii_compatible();
    bytes.split_inclusive(move |byte| by_line && *byte == b'\n')
}

/// Finds the offsets that are in one piece, byte by byte. The piece begins `read` bytes into the source
/// and `written` bytes into the text.
fn within(
    piece: &[u8],
    encoding: &'static whatwg::Encoding,
    (read, written): (usize, usize),
    wanted: &[usize],
    found: &mut Vec<usize>,
) {
    let mut decoder = encoding.new_decoder_without_bom_handling();
    let mut characters = [0; 64];
    let mut written = written;
    for (at, byte) in piece.iter().enumerate() {
        while wanted.get(found.len()).is_some_and(|next| *next == written) {
            found.push(read + at);
        }
        let is_last = at + 1 == piece.len();
        let (_, _, more, _) = decoder.decode_to_utf8(&[*byte], &mut characters, is_last);
        written += more;
        // Characters that come of one byte together: what is between them is before it.
        while wanted.get(found.len()).is_some_and(|next| *next < written) {
            found.push(read + at);
        }
    }
}

#[cfg(test)]
mod tests;

#[cfg(test)]
mod error_tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn a_path_that_is_not_utf_8_is_shown_by_its_bytes() {
        use std::os::unix::ffi::OsStrExt;
        let path = std::ffi::OsStr::from_bytes(b"caf\xe9\xff.txt");
        assert_eq!(display_path(Path::new(path)), "caf\\xe9\\xff.txt");
    }
}

#[cfg(test)]
mod places_tests;
