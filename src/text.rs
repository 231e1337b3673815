//! Reads a file into a [`Text`]: the decoded content, as its reader sees it. The only module of the
//! library that reads texts from files.
//!
//! Unless the user gives an encoding, a byte order mark decides. Without one, bytes that are valid
//! UTF-8 are read as UTF-8, and the encoding of all others is detected. Nothing is replaced unless
//! [`ReadOptions::lossy`] asks for it: a byte that the encoding does not allow is an error that
//! names it.

pub mod defect;
pub mod disguises;
pub mod formats;
pub mod letters;
#[cfg_attr(not(feature = "documents"), expect(dead_code, reason = "documents have more of it"))]
pub mod marked;
pub mod packed;
#[cfg_attr(not(feature = "documents"), expect(dead_code, reason = "documents have more of it"))]
pub mod properties;
pub mod recognized;
pub mod source_map;
pub mod varint;
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
use formats::{Bounds, ExtractError, FileCategory, Kind};
use marked::Marked;
use source_map::Origin;

pub use decode::Encoding;
pub use properties::Properties;

// How a text is read, and how its encoding is determined.

/// The options for reading a file.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct ReadOptions {
    /// The largest size of the file, in bytes; `None` for no limit.
    pub max_bytes: Option<u64>,
    /// The encoding, if the user gives one. Documents that name their own, such as PDF and Word,
    /// ignore it.
    pub encoding: Option<Encoding>,
    /// Whether byte sequences that the encoding does not allow are replaced by U+FFFD.
    pub lossy: bool,
    /// The part of a web page that counts as its text.
    pub html: Html,
    /// The files that are read as Markdown. [`Markup::Auto`] selects those named `.md` or
    /// `.markdown`. Markdown takes precedence over every kind of text that is recognized by its
    /// characters.
    pub markdown: Markup,
    /// The files that are read as LaTeX. [`Markup::Auto`] selects those named `.tex` or `.ltx`, and
    /// those that begin like a LaTeX document.
    pub latex: Markup,
    /// Whether the text is that of a record: plain text, unless `html`, `markdown` or `latex` says
    /// otherwise. Neither its id nor its beginning says anything about its kind.
    pub nameless: bool,
    /// The limits within which documents are read.
    pub bounds: Bounds,
}

/// The part of a web page that counts as its text.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum Html {
    /// The same as [`Html::Main`] for a file, and as [`Html::Off`] for a
    /// [record](ReadOptions::nameless), which is text however it begins.
    #[default]
    Auto,
    /// The main content: the article, without the parts that surround it on every page of the site.
    /// The same as [`Html::All`] if the page has no such part.
    Main,
    /// The body without navigation, the header and footer of the page, and elements that are not
    /// text.
    All,
    /// The page's source, as plain text.
    Off,
}

impl Html {
    /// All choices, with their names.
    pub const NAMED: [(&str, Self); 4] =
        [("auto", Self::Auto), ("main", Self::Main), ("all", Self::All), ("off", Self::Off)];
}

/// The choice of the texts that are read as one kind of markup.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum Markup {
    /// Those that are recognized: see [`ReadOptions::markdown`] and [`ReadOptions::latex`].
    #[default]
    Auto,
    /// Every file that is not a document of another kind according to its bytes, such as a PDF.
    On,
    /// None.
    Off,
}

impl Markup {
    /// All choices, with their names.
    pub const NAMED: [(&str, Self); 3] =
        [("auto", Self::Auto), ("on", Self::On), ("off", Self::Off)];
}

/// One of the two texts of a comparison.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Side {
    /// The text that is named first.
    Left,
    /// The text that is named second.
    Right,
}

/// The way in which the encoding of a text was determined.
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
pub enum EncodingBy {
    /// From a byte order mark.
    Mark,
    /// From the content: the bytes are valid in it, most likely written in it, or declare it.
    #[default]
    Content,
    /// From the user's setting.
    Given,
}

/// A decoded text, as its reader sees it. It may be empty, but contains no NUL.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct Text {
    path: Box<Path>,
    content: Box<str>,
    kind: Kind,
    encoding: Encoding,
    encoding_by: EncodingBy,
    /// The size of the file, in bytes.
    bytes: usize,
    /// The size of its byte order mark, in bytes.
    mark: u8,
    /// The number of byte sequences that were replaced; stops at 2³² − 1.
    replaced: u32,
    /// `None` if all of it is empty: see [`TextExtras`].
    extras: Option<Box<TextExtras>>,
}

/// The parts of a [`Text`] that are empty for most texts. They are kept apart so that large numbers
/// of texts take little memory.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
struct TextExtras {
    unread: Option<String>,
    properties: Properties,
    /// The number of words around the main part of a web page or in the running heads of a PDF, and
    /// of all of its words.
    around: [usize; 2],
    disguises: Vec<FoundDisguise>,
    block_quotes: Vec<Range<usize>>,
    references: Vec<Range<usize>>,
    marked: Marked,
    /// The byte offsets in the content at which the pages or slides begin.
    pages: Vec<usize>,
    stored: Stored,
    /// The files that the text is joined from, without their content, each with its byte range in
    /// the joined content. Empty if the text is a single file.
    files: Vec<(Range<usize>, Text)>,
}

static NO_EXTRAS: TextExtras = TextExtras::NONE;

impl TextExtras {
    const NONE: Self = Self {
        unread: None,
        properties: Properties { author: None, last_modified_by: None, created: None },
        around: [0; 2],
        disguises: Vec::new(),
        block_quotes: Vec::new(),
        references: Vec::new(),
        marked: Marked { stretches: Vec::new(), lone: Vec::new() },
        pages: Vec::new(),
        stored: Stored { characters: None, revealed: None, taken: None, bytes: None },
        files: Vec::new(),
    };

    /// Boxes the extras for a [`Text`]; `None` if all of them are empty.
    fn boxed(self) -> Option<Box<Self>> {
        (self != Self::NONE).then(|| Box::new(self))
    }
}

/// A trick that was found in a text and undone.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct FoundDisguise {
    /// The trick.
    pub trick: Trick,
    /// The number of words that it was applied to.
    pub words: usize,
    /// The line of the first of these words, from 1; `None` if it is not in a line of the text.
    pub line: Option<usize>,
    /// The page or slide of the first of these words; `None` if the text has no pages, or if the
    /// page is not known.
    pub page: Option<Pages>,
    /// The first of these words; empty for a text of an index that stores no words.
    pub example: String,
    /// The file that contains the words, if the text is joined from several files: see
    /// [`Text::joined`].
    pub file: Option<PathBuf>,
}

/// The minimum number of bytes of memory needed per byte of a text before it is compared. Plain
/// English in UTF-8 needs four; a text with more words per kilobyte needs more.
const NEED: u64 = 4;

impl Text {
    /// Reads a file. The path `-` stands for standard input. A pipe can be read like a regular
    /// file.
    ///
    /// # Errors
    ///
    /// Returns a [`ReadTextError`] if the file cannot be read, is larger than allowed, or is not a
    /// text.
    #[expect(clippy::disallowed_methods, reason = "this is Text::open")]
    pub fn open(path: &Path, options: &ReadOptions) -> Result<Self, ReadTextError> {
        let max_bytes = options.max_bytes.unwrap_or(u64::MAX);
        let read = if path == Path::new("-") {
            read_within(io::stdin().lock(), 0, max_bytes)
        } else {
            File::open(path).and_then(|file| {
                let known = file.metadata()?;
                let bytes = read_within(file, known.len(), max_bytes)?;
                let read = bytes.as_ref().map_or(u64::MAX, |bytes| bytes.len() as u64);
                match known.len().checked_sub(read) {
                    Some(missing @ 1..) if known.is_file() => Err(cut_short(missing)),
                    _ => Ok(bytes),
                }
            })
        };
        let path = path.to_owned();
        match read {
            Ok(Some(bytes)) => Self::decode(&path, bytes, options),
            Ok(None) => Err(ReadTextError::TooLarge { path, max_bytes }),
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

    /// Reads two files, each with its own options. If both fail, the left one's error is returned.
    ///
    /// # Errors
    ///
    /// Same as [`open`](Self::open).
    pub fn open_both(
        left: (&Path, &ReadOptions),
        right: (&Path, &ReadOptions),
    ) -> Result<(Self, Self), ReadTextError> {
        let size = |path: &Path| path.metadata().map_or(0, |file| file.len());
        let bytes = usize::try_from(size(left.0) + size(right.0)).unwrap_or(usize::MAX);
        let open = |(path, options)| move || Self::open(path, options);
        let (left, right) = parallel::join(bytes, open(left), open(right));
        Ok((left?, right?))
    }

    /// Reads a string as [`open`](Self::open) reads a file with that name and content: the name and
    /// the beginning say what kind of text it is. With [`ReadOptions::nameless`],
    /// [`decode`](Self::decode) reads a string as plain text whatever it looks like.
    ///
    /// # Errors
    ///
    /// Returns a [`ReadTextError`] if a file with that content is not a text, such as a picture, or
    /// cannot be read as what it is, such as a damaged document.
    pub fn new(name: impl AsRef<Path>, content: impl Into<String>) -> Result<Self, ReadTextError> {
        Self::from_bytes(name.as_ref(), content.into().into_bytes())
    }

    /// Decodes bytes in memory, with the default options, so that the encoding is detected. `path`
    /// is used as the name of the text.
    ///
    /// # Errors
    ///
    /// Returns a [`ReadTextError`] if the bytes are not a text.
    pub fn from_bytes(path: &Path, bytes: Vec<u8>) -> Result<Self, ReadTextError> {
        Self::decode(path, bytes, &ReadOptions::default())
    }

    /// Decodes bytes in memory as if they were the content of a file.
    ///
    /// # Errors
    ///
    /// Returns a [`ReadTextError`] if the bytes are not a text, or not valid in the given encoding.
    pub fn decode(
        path: &Path,
        bytes: Vec<u8>,
        options: &ReadOptions,
    ) -> Result<Self, ReadTextError> {
        isolated(path, || assemble::text(path, bytes, options))
    }

    /// Joins the contents of files, in the given order, into one text with a blank line between two
    /// of them. `path` is the name of the joined text. No shingle and no passage crosses from one
    /// file into the next. [`places`](Self::places) are positions within the [file](Self::file)
    /// that contains them. Returns an empty text if there are no files.
    pub fn joined(path: &Path, files: Vec<Self>) -> Self {
        assemble::joined(path, files)
    }

    /// Returns the files that the text is [joined](Self::joined) from, without their content; empty
    /// if it is a single file.
    pub fn files(&self) -> impl Iterator<Item = &Self> {
        self.extras().files.iter().map(|(_, file)| file)
    }

    /// Returns the byte range of each file in the content of the joined text, or the range of the
    /// entire content if it is a single file.
    pub fn parts(&self) -> impl Iterator<Item = Range<usize>> {
        let whole = self.extras().files.is_empty().then_some(0..self.content.len());
        whole.into_iter().chain(self.extras().files.iter().map(|(part, _)| part.clone()))
    }

    /// Returns the file that contains a place: this text itself if it is a single file.
    pub fn file(&self, place: &Place) -> &Self {
        self.extras().files.get(place.file).map_or(self, |(_, file)| file)
    }

    /// Returns the text without its content, the places of its block quotations, lists of references
    /// and pages, and the data that maps the content to the file. Used for texts of which only the
    /// sketch is kept.
    #[must_use]
    pub fn without_content(self) -> Self {
        let extras = self.extras.and_then(|extras| {
            let bare = |(span, file): (Range<usize>, Self)| (span, file.without_content());
            let files = extras.files.into_iter().map(bare).collect();
            let TextExtras { block_quotes, references, pages, stored, .. } = TextExtras::NONE;
            TextExtras { block_quotes, references, pages, stored, files, ..*extras }.boxed()
        });
        Self { content: Box::default(), extras, ..self }
    }

    /// Renames the text and the files that it is joined from, and removes everything found in a
    /// document apart from its text: authors, disguises, lone markers, and the description of
    /// damage.
    #[must_use]
    pub fn renamed(self, name: &dyn Fn(&Path) -> PathBuf) -> Self {
        let extras = self.extras.and_then(|extras| {
            let renamed = |(span, file): (Range<usize>, Self)| (span, file.renamed(name));
            let files = extras.files.into_iter().map(renamed).collect();
            let marked = Marked { lone: Vec::new(), ..extras.marked };
            let TextExtras { unread, properties, disguises, .. } = TextExtras::NONE;
            TextExtras { unread, properties, disguises, marked, files, ..*extras }.boxed()
        });
        Self { path: name(&self.path).into_boxed_path(), extras, ..self }
    }

    /// Removes the words that are kept beside the content, for a place where the content itself is not
    /// stored: the examples of disguises, and the properties that name people.
    #[must_use]
    pub fn without_words(self) -> Self {
        let extras = self.extras.and_then(|extras| {
            let of_file = |(span, file): (Range<usize>, Self)| (span, file.without_words());
            let files = extras.files.into_iter().map(of_file).collect();
            let mut disguises = extras.disguises;
            for found in &mut disguises {
                found.example.clear();
            }
            let Properties { created, .. } = extras.properties;
            let properties = Properties { created, ..TextExtras::NONE.properties };
            TextExtras { properties, disguises, files, ..*extras }.boxed()
        });
        Self { extras, ..self }
    }

    fn extras(&self) -> &TextExtras {
        self.extras.as_deref().unwrap_or(&NO_EXTRAS)
    }

    /// Returns the path of the file, as the user named it.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the text as its reader sees it, without a byte order mark.
    pub fn content(&self) -> &str {
        &self.content
    }

    /// Returns the kind of file.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// Returns the tricks that made the text look different to a program than to a reader, in the
    /// order of [`Trick`].
    pub fn disguises(&self) -> &[FoundDisguise] {
        &self.extras().disguises
    }

    /// Returns the byte ranges of the block quotations in the content, as far as the document marks
    /// them.
    pub fn block_quotes(&self) -> &[Range<usize>] {
        &self.extras().block_quotes
    }

    /// Returns the byte ranges of the lists of references in the content, as far as the document
    /// marks them.
    pub fn references(&self) -> &[Range<usize>] {
        &self.extras().references
    }

    /// Returns the stretches that the author marked to be left out.
    pub fn marked(&self) -> &Marked {
        &self.extras().marked
    }

    /// Returns the size of the file, in bytes, including its byte order mark.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// Returns the size of the file's byte order mark, in bytes: 0, 2, 3 or 4.
    pub fn mark(&self) -> usize {
        usize::from(self.mark)
    }

    /// Returns the encoding that the file was decoded from.
    pub fn encoding(&self) -> Encoding {
        self.encoding
    }

    /// Returns the number of byte sequences that were replaced by U+FFFD; 0 unless replacement was
    /// requested.
    pub fn replaced(&self) -> usize {
        self.replaced as usize
    }

    /// Returns what of a document was not read, or not as its pages show it; `None` if that is
    /// nothing. Worded to follow the name of the document.
    pub fn unread(&self) -> Option<&str> {
        self.extras().unread.as_deref()
    }

    /// Returns the number of words that a web page has around its main part, or a PDF in its running
    /// heads and feet, which do not count, and the number of all of its words; `None` of a page if
    /// they are at most a tenth, and for other files.
    pub fn around(&self) -> Option<[usize; 2]> {
        Some(self.extras().around).filter(|[around, _]| *around > 0)
    }

    /// Returns the author, the last editor and the creation time that the document records. Only
    /// the formats of Word, Writer, slides and PDF can have them.
    pub fn properties(&self) -> &Properties {
        &self.extras().properties
    }

    /// Returns how the encoding was determined.
    pub fn encoding_by(&self) -> EncodingBy {
        self.encoding_by
    }
}

/// Reports whether a file that begins with these bytes is an image, a recording, a program or
/// another file without text, whatever follows. Returns `false` if the bytes are too few to know
/// that, and for documents.
pub fn is_never_text(head: &[u8]) -> bool {
    use FileCategory::{Picture, Program, Recording};
    let reason = match Kind::from_bytes(head) {
        Ok(Some(_)) => return false,
        Ok(None) if memchr::memchr(0, head).is_none() => return false,
        Ok(None) => match Text::from_bytes(Path::new(""), head.to_vec()) {
            // A bad character at the end may only be cut.
            Err(ReadTextError::NotText { offset, .. }) => return offset + 4 < head.len(),
            Err(ReadTextError::Refused { reason, .. }) => reason,
            _ => return false,
        },
        Err(reason) => reason,
    };
    matches!(reason, ExtractError::Unsupported { holds: Picture | Program | Recording, .. })
}

/// Reads a text, and turns a panic into an error, so that a panic affects this text only.
fn isolated(
    path: &Path,
    read: impl FnOnce() -> Result<Text, ReadTextError>,
) -> Result<Text, ReadTextError> {
    let panicked = |defect| ReadTextError::Defect { path: path.to_owned(), defect };
    defect::catch(read).map_err(panicked).flatten()
}

/// Reads all bytes of a source that claims to have `size` bytes; `None` if it has more than
/// `max_bytes`.
fn read_within(source: impl Read, size: u64, max_bytes: u64) -> io::Result<Option<Vec<u8>>> {
    if size > max_bytes {
        return Ok(None);
    }
    let reserved = |bytes: u64| {
        let mut reserved = Vec::new();
        reserved.try_reserve_exact(usize::try_from(bytes).unwrap_or(usize::MAX))?;
        io::Result::Ok(reserved)
    };
    // The memory is requested and released at once: if the system has less, this fails with an
    // error, whereas the allocator would abort the program later.
    drop(black_box(reserved(size.saturating_mul(NEED))?));
    let mut bytes = reserved(size.saturating_add(1))?;
    let read = source.take(max_bytes.saturating_add(1)).read_to_end(&mut bytes)?;
    Ok((read as u64 <= max_bytes).then_some(bytes))
}

// Why a file cannot be read as a text, and how files are named in messages.

/// Formats a path for messages and JSON: unchanged, except that bytes that are not UTF-8 become
/// `\xNN`.
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

/// Returns the error for a file that ends `missing` bytes before its recorded size: either it was
/// truncated while it was being read, or the file system failed without reporting an error.
pub fn cut_short(missing: u64) -> io::Error {
    let s = if missing == 1 { "" } else { "s" };
    io::Error::new(ErrorKind::UnexpectedEof, format!("ends {missing} byte{s} before its size"))
}

/// The reason why a file cannot be read as a text.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReadTextError {
    /// There is no such file.
    #[error("{}: no such file, expected a text file", display_path(path))]
    Missing {
        /// The file, as the user named it.
        path: PathBuf,
    },

    /// The file cannot be opened, or fails while it is being read.
    #[error("{}: cannot be read, expected a text file", display_path(path))]
    Unreadable {
        /// The file, as the user named it.
        path: PathBuf,
        /// The error of the operating system.
        source: io::Error,
    },

    /// The path is a folder.
    #[error("{}: is a folder, expected a text file", display_path(path))]
    Folder {
        /// The folder, as the user named it.
        path: PathBuf,
    },

    /// The file is larger than the limit.
    #[error("{}: larger than the limit of {max_bytes} bytes", display_path(path))]
    TooLarge {
        /// The file, as the user named it.
        path: PathBuf,
        /// The limit, in bytes.
        max_bytes: u64,
    },

    /// There is not enough memory for the file.
    #[error("{}: needs at least {need} bytes of free memory", display_path(path))]
    NoMemory {
        /// The file, as the user named it.
        path: PathBuf,
        /// The least memory that the text needs, in bytes; 0 for a pipe, whose size is unknown.
        need: u64,
    },

    /// The file contains a NUL byte, or control characters that do not occur in texts.
    #[error("{}: not a text: {} at offset {offset}", display_path(path), named(*byte))]
    NotText {
        /// The file, as the user named it.
        path: PathBuf,
        /// The number of bytes before the first such byte.
        offset: usize,
        /// The first such byte.
        byte: u8,
    },

    /// The file is in EBCDIC, none of whose encodings is supported.
    #[error(
        "{}: a text in EBCDIC, expected one in UTF-8 or in an encoding of the web",
        display_path(path)
    )]
    Ebcdic {
        /// The file, as the user named it.
        path: PathBuf,
    },

    /// Reading the file panicked, which is a defect of this library.
    #[error("{}: a bug in dedup: {defect}, expected to read any file", display_path(path))]
    Defect {
        /// The file, as the user named it.
        path: PathBuf,
        /// The panic.
        defect: Defect,
    },

    /// The document contains no text, or its text cannot be extracted.
    #[error("{}: {reason}", display_path(path))]
    Refused {
        /// The file, as the user named it.
        path: PathBuf,
        /// The reason, worded to follow the name of the file.
        reason: ExtractError,
    },

    /// The bytes are not valid in the encoding.
    #[error(
        "{}: damaged {encoding}: byte 0x{byte:02x} at offset {offset}, expected a text in {encoding}",
        display_path(path)
    )]
    Damaged {
        /// The file, as the user named it.
        path: PathBuf,
        /// The encoding.
        encoding: Encoding,
        /// The number of bytes before the first invalid one.
        offset: usize,
        /// The first invalid byte.
        byte: u8,
    },
}

impl ReadTextError {
    /// Returns the same error for another file: the compressed file that contains the text, or the
    /// name that a file of an archive is shown by.
    #[must_use]
    pub fn of_file(mut self, file: &Path) -> Self {
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

/// Describes a byte that does not occur in texts.
fn named(byte: u8) -> String {
    if byte == 0 { "NUL byte".to_owned() } else { format!("control byte 0x{byte:02x}") }
}

// Where a part of a text is found in the file that the user can open.

/// The position of a part of a text. For plain text, Markdown and LaTeX, bytes, lines and columns
/// refer to the file as it is stored; for other kinds, to [`Text::content`].
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Place {
    /// The index of its file, from 0, in a text that is [joined](Text::joined) from several;
    /// otherwise 0.
    pub file: usize,
    /// Its byte range in [`Text::content`].
    pub content: Range<usize>,
    /// Its byte range, including the byte order mark in the count.
    pub bytes: Range<usize>,
    /// The lines of its start and of its end, from 1. A line ends with a line feed.
    pub lines: [usize; 2],
    /// The column of its first character and the column after its last, in code points from 1.
    pub columns: [usize; 2],
    /// The pages or slides that it is on; `None` if its file has none.
    pub pages: Option<Pages>,
}

/// A range of pages of a PDF, or of slides, numbered as a viewer of the file numbers them.
#[derive(Clone, Copy, Debug, Eq, PartialEq, Serialize)]
pub struct Pages {
    /// The name of one of them: `page` or `slide`.
    pub name: &'static str,
    /// The numbers of the first and of the last one, from 1.
    pub numbers: [usize; 2],
}

impl Pages {
    /// Returns the pages that contain a byte range of a text's content; `None` if this kind of
    /// document has no pages, or if the range begins before the first one. `starts` are the offsets
    /// at which the pages begin.
    fn new(kind: Kind, starts: &[usize], range: &Range<usize>) -> Option<Self> {
        let page = |byte: usize| starts.partition_point(|start| *start <= byte);
        let first = page(range.start);
        let last = if range.is_empty() { first } else { page(range.end - 1) };
        let name = kind.page_name().filter(|_| first > 0)?;
        Some(Self { name, numbers: [first, last] })
    }
}

impl<'de> Deserialize<'de> for Pages {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let (name, numbers) = <(String, [usize; 2])>::deserialize(from)?;
        let mut known = [Kind::Pdf, Kind::Pptx].into_iter().filter_map(Kind::page_name);
        let known = known.find(|known| *known == name);
        let name = known.ok_or_else(|| D::Error::custom("no name of a page"))?;
        Ok(Self { name, numbers })
    }
}

impl Place {
    /// Returns how a reader finds the place: what a unit is called (`page`, `slide` or `line`), and
    /// the numbers of the first and the last one. Lines are used if there are no pages.
    pub fn found_by(&self) -> (&'static str, [usize; 2]) {
        self.pages.map_or(("line", self.lines), |pages| (pages.name, pages.numbers))
    }
}

/// The data that maps the content back to the file, so that places in the file can be reported and
/// disguised words can be shown as they were written.
#[derive(Clone, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
struct Stored {
    /// The characters that the content is mapped to: those of the file, or, for kinds that are not
    /// [shown as stored](Kind::is_shown_as_stored), the extracted text before its disguises were
    /// removed. `None` if they are identical to the content.
    characters: Option<String>,
    /// Maps the content to the text from which its disguises were removed.
    revealed: Option<Origin>,
    /// Maps that text to the characters of the file.
    taken: Option<Origin>,
    /// The bytes of the file without the byte order mark; `None` if the byte offset of each
    /// character can be computed from the characters alone.
    bytes: Option<Vec<u8>>,
}

impl Stored {
    /// Returns the byte range of `characters` that a byte range of the content was made from.
    fn source(&self, range: Range<usize>) -> Range<usize> {
        self.origins().fold(range, |range, origin| origin.source(range))
    }

    fn origins(&self) -> impl Iterator<Item = &Origin> {
        self.revealed.iter().chain(&self.taken)
    }

    /// Same as [`source`](Self::source), but ranges of the content that do not overlap come from ranges
    /// that do not, in reversed text as well: its beginning in the content is its end in the file. A
    /// range that has a part of reversed text, and text outside of it, comes from the latter only.
    fn place(&self, content: &str, range: &Range<usize>) -> Range<usize> {
        let parts = [range.start, range.end.saturating_sub(1)].map(|byte| self.reversed(byte));
        let is_cut = |shown: &Range<usize>| shown.start < range.start || range.end < shown.end;
        let [first, last] =
            parts.each_ref().map(|part| part.as_ref().filter(|[shown, _]| is_cut(shown)));
        let Some([shown, written]) = first.or(last).filter(|_| !range.is_empty()) else {
            return self.source(range.clone());
        };
        let start = first.map_or(range.start, |[shown, _]| shown.end);
        let rest = content.get(start..last.map_or(range.end, |[shown, _]| shown.start));
        let rest = rest.unwrap_or_default();
        let start = start + (rest.len() - rest.trim_start().len());
        match rest.trim().len() {
            0 => {
                let part = range.start.max(shown.start)..range.end.min(shown.end);
                let part = disguises::mirrored(&part, shown, written);
                let place = self.taken.as_ref().map_or(part.clone(), |taken| taken.source(part));
                // If other disguises were removed from the reversed text, offsets are near their
                // places and may be inside of a character.
                let characters = self.characters.as_deref().unwrap_or(content);
                let start = characters.floor_char_boundary(place.start);
                start..characters.ceil_char_boundary(place.end)
            }
            length => self.source(start..start + length),
        }
    }

    /// Returns the reversed text that contains a byte of the content: its range in the content and in
    /// the text before its disguises were removed.
    fn reversed(&self, byte: usize) -> Option<[Range<usize>; 2]> {
        let [shown, written] = self.revealed.as_ref()?.replacement(byte)?;
        let place = written.clone();
        let place = self.taken.as_ref().map_or(place.clone(), |taken| taken.source(place));
        let is_reversed = disguises::is_reversed(self.characters.as_ref()?.get(place)?);
        is_reversed.then_some([shown, written])
    }
}

/// A position between two characters.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
struct Point {
    byte: usize,
    line: usize,
    column: usize,
}

impl Text {
    /// Returns the number of bytes of memory used, in addition to the content, to report places.
    pub fn extra_bytes(&self) -> usize {
        let Stored { characters, bytes, .. } = &self.extras().stored;
        let characters = characters.as_ref().map_or(0, String::len);
        let origins: usize = self.extras().stored.origins().map(Origin::size).sum();
        let files: usize = self.files().map(Self::extra_bytes).sum();
        characters + origins + bytes.as_ref().map_or(0, Vec::len) + files
    }

    /// Returns the words whose characters in the content differ from those in the file: the byte
    /// range of each, in increasing order, with the beginning of the word as it was written:
    /// `pl<U+0430>gue`.
    pub fn disguised_words(&self) -> impl Iterator<Item = (Range<usize>, String)> {
        let files = self.extras().files.iter().map(|(part, file)| (part.clone(), file));
        let whole = [(0..self.content.len(), self)];
        whole.into_iter().chain(files).flat_map(|(part, file)| {
            let (start, content) = (part.start, &self.content[part]);
            let characters = file.extras().stored.characters.as_deref().unwrap_or_default();
            file.extras().stored.revealed.iter().flat_map(Origin::replacements).map(move |span| {
                let written = &characters[file.extras().stored.source(span.clone())];
                let spelled = disguises::spelled_out(written, &content[span.clone()]);
                (start + span.start..start + span.end, spelled)
            })
        })
    }

    /// Returns the places of byte ranges of the content, in the same order. The text is scanned
    /// once for all of them, so pass them in one call. A range that begins in one file and ends in
    /// another is cut at the end of the first.
    ///
    /// # Panics
    ///
    /// If a range is out of bounds of the content, or not on its character boundaries.
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

    /// Same as [`places`](Self::places), for a single file with the given content.
    fn places_in(&self, content: &str, ranges: &[Range<usize>]) -> Vec<Place> {
        let source = |range: &Range<usize>| {
            let is_stored = self.kind.is_shown_as_stored();
            if is_stored { self.extras().stored.place(content, range) } else { range.clone() }
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

    /// Returns the points in the file at byte offsets into its characters, which must be
    /// increasing.
    fn points(&self, content: &str, offsets: &[usize]) -> Vec<Point> {
        let is_stored = self.kind.is_shown_as_stored();
        let characters = self.extras().stored.characters.as_ref().filter(|_| is_stored);
        let characters = characters.map_or(content, String::as_str);
        let is_utf_8 = self.encoding == Encoding::UTF_8;
        let width = self.encoding.width().filter(|_| is_stored && !is_utf_8);
        let mark = if is_stored { self.mark() } else { 0 };
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

// Maps offsets in the characters to offsets in the bytes that they were decoded from.
//
// If the encoding uses a variable number of bytes per character, or if bytes were replaced, only
// decoding the bytes again shows where each character came from.

/// Returns, for each offset into the decoded text, the number of bytes of the source before it. The
/// offsets must be increasing and on character boundaries. Costs as much as decoding.
fn byte_offsets(bytes: &[u8], encoding: Encoding, wanted: &[usize]) -> Vec<usize> {
    let Form::Whatwg(encoding) = encoding.0 else { return wanted.to_vec() };
    let mut found = Vec::with_capacity(wanted.len());
    let (mut read, mut written) = (0, 0);
    // If the encoding is compatible with ASCII, decoding can start afresh at each line.
    let by_line = encoding.is_ascii_compatible();
    for piece in bytes.split_inclusive(|byte| by_line && *byte == b'\n') {
        let next = wanted.get(found.len()..).and_then(|rest| rest.first());
        let length = match next {
            None => break,
            Some(_) if piece.is_ascii() && by_line => piece.len(),
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

/// Appends to `found` those wanted offsets that are within one piece, by decoding it byte by byte.
/// The piece begins `read` bytes into the source and `written` bytes into the decoded text.
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
        // One byte can complete several characters: an offset between them maps to before this
        // byte.
        while wanted.get(found.len()).is_some_and(|next| *next < written) {
            found.push(read + at);
        }
    }
}

#[cfg(test)]
mod tests;

#[cfg(all(test, unix))]
mod error_tests {
    use super::*;

    #[test]
    fn a_path_that_is_not_utf_8_is_shown_by_its_bytes() {
        use std::os::unix::ffi::OsStrExt;
        let path = std::ffi::OsStr::from_bytes(b"caf\xe9\xff.txt");
        assert_eq!(display_path(Path::new(path)), "caf\\xe9\\xff.txt");
    }
}

#[cfg(test)]
mod places_tests;
