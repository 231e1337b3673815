//! Extracts the text of a document, as its reader sees it, from its bytes.
//!
//! Input: the bytes of a file and the [`Bounds`] of unpacking it. Output: its [`Kind`], and its
//! words in reading order, separated as they are on the page. Words that no reader sees are
//! returned separately. The module knows neither paths nor what the text is used for.

#[cfg_attr(not(feature = "documents"), path = "formats/documents/none.rs")]
mod documents;
mod kind;
mod latex;
mod markdown;
mod notebook;

use std::io::{self, Read};
use std::ops::Range;
use std::time::Duration;

use memchr::memmem;
use serde::{Deserialize, Serialize};

use super::marked::{self, Marked};
use super::source_map::{Excerpt, Origin, Separator};
use super::{Html, Properties};
#[cfg(feature = "documents")]
pub use documents::PdfReader;
pub(crate) use documents::document;
#[cfg(feature = "pdf")]
pub use documents::serve_pdfs;
pub use documents::zip_members;
pub use kind::Kind;
pub(crate) use latex::declared_encoding as declared_encoding_of_latex;

/// The limits within which documents are read.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Bounds {
    /// The largest number of bytes that one document may unpack to; `None` for no limit.
    pub unpacked: Option<u64>,
    /// The longest time that another process may take to read one document; `None` for no limit.
    pub time: Option<Duration>,
    /// Where PDFs are read.
    pub pdfs: PdfReading,
}

/// Where a PDF is read, since it may take without end, or all memory.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum PdfReading {
    /// Nowhere: each is refused.
    #[default]
    Refused,
    /// In this process, without limits of time and memory, for one that another ends. If a folder is
    /// given, what was read is kept there, so that the next process need not read it again, and a
    /// PDF that ended this one is refused by the next.
    #[cfg(feature = "pdf")]
    Here(Option<&'static std::path::Path>),
    /// In processes of their own.
    #[cfg(feature = "documents")]
    InProcesses(&'static PdfReader),
}

/// The text extracted from a document.
#[derive(Clone, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
pub struct Extracted {
    /// The text that its reader sees: a paragraph ends with a line end, a table cell with a tab or
    /// a line end. May be empty; contains a NUL only if the document does.
    pub content: String,
    /// The words that the document contains but does not show, piece by piece, in document order.
    pub hidden: Vec<String>,
    /// The byte ranges of the block quotations in `content`, in increasing order and never nested.
    pub quotes: Vec<Range<usize>>,
    /// The byte ranges of the lists of references in `content`, as far as the document marks them,
    /// in increasing order.
    pub references: Vec<Range<usize>>,
    /// The stretches of `content` that markers in the comments of a web page or in the cells of a
    /// notebook mark.
    pub marked: Marked,
    /// The byte offsets in `content` at which the pages or slides begin, in increasing order. A
    /// page without text begins where the next one does. Empty if the kind of document has no
    /// pages.
    pub pages: Vec<usize>,
    /// What of it was not read, or not as its pages show it; worded to follow the name of the
    /// document.
    pub unread: Option<String>,
    /// The number of words that a web page has around its main part, or a PDF in its running heads
    /// and feet, and the number of all of its words; zeros for other files.
    pub around: [usize; 2],
    /// Whether an Office document shows a picture.
    pub has_pictures: bool,
    /// The author, the last editor and the creation time that the document states.
    pub properties: Properties,
    /// The map from `content` to the characters of the file, for Markdown and LaTeX.
    pub origin: Option<Origin>,
}

/// Ends the last line of a text, unless it has ended or the text is empty.
fn end_line(text: &mut String) {
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
}

#[cfg(feature = "documents")]
impl Extracted {
    /// Appends another text, on lines of its own, with its quotations and what it hides.
    fn append(&mut self, more: Self) {
        let start = self.content.len();
        self.quotes.extend(more.quotes.iter().map(|it| start + it.start..start + it.end));
        self.content.push_str(&more.content);
        end_line(&mut self.content);
        self.hidden.extend(more.hidden);
    }
}

/// A member of a ZIP archive.
pub enum ZipMember<'f> {
    /// A member that cannot be unpacked.
    Lost {
        /// Its name; empty if it cannot be read.
        name: String,
        /// The reason.
        reason: ExtractError,
    },
    /// A member that can be read.
    File {
        /// Its name.
        name: String,
        /// Whether it is a symbolic link.
        is_link: bool,
        /// The number of bytes that the archive declares for it, which need not be true.
        bytes: u64,
        /// A reader of its contents.
        file: &'f mut dyn Read,
    },
}

impl Default for Bounds {
    fn default() -> Self {
        Self {
            unpacked: Some(200_000_000),
            time: Some(Duration::from_secs(20)),
            pdfs: PdfReading::Refused,
        }
    }
}

/// The options for reading the characters of a file as markup.
#[cfg_attr(not(feature = "documents"), expect(dead_code, reason = "no page is read"))]
pub(crate) struct MarkupOptions<'o> {
    /// The part of a web page that counts as its text.
    pub(crate) html: Html,
    /// Whether a web page is XML.
    pub(crate) is_xml: bool,
    pub(crate) bounds: &'o Bounds,
}

/// Extracts the text of a web page, a Markdown or LaTeX document or a notebook. Returns an empty
/// text for all other kinds.
///
/// # Errors
///
/// Returns an [`ExtractError`] if its text cannot be extracted.
pub(crate) fn markup(
    kind: Kind,
    characters: &str,
    options: &MarkupOptions,
) -> Result<Extracted, ExtractError> {
    let extracted = |excerpt: Excerpt, read: Extracted| {
        let marked = marked::in_lines(characters).moved(|range| excerpt.target(range));
        let (content, origin) = excerpt.into_parts();
        Extracted { content, marked, origin: Some(origin), ..read }
    };
    match kind {
        Kind::Markdown => {
            let (excerpt, hidden) = markdown::read(characters);
            Ok(extracted(excerpt, Extracted { hidden, ..Extracted::default() }))
        }
        Kind::Latex => {
            let (excerpt, read) = latex::read(characters, options.bounds.unpacked)?;
            Ok(extracted(excerpt, read))
        }
        Kind::Html => documents::page(characters, options),
        Kind::Notebook => {
            let markdown = |cell: &str| {
                let (excerpt, _) = markdown::read(cell);
                let markers = marked::markers(cell).into_iter();
                let moved = markers.map(|(marker, range)| (marker, excerpt.target(&range)));
                let markers = moved.collect();
                (excerpt.into_parts().0, markers)
            };
            let (content, marked) = notebook::text(characters, &markdown)?;
            Ok(Extracted { content, marked, ..Extracted::default() })
        }
        _ => Ok(Extracted::default()),
    }
}

/// Returns the name of the encoding that a web page declares; `None` if the bytes do not begin as a
/// web page or declare no known encoding, or if this build does not read documents.
pub(crate) fn declared_encoding(bytes: &[u8]) -> Option<&str> {
    is_html(bytes).then(|| documents::declared_encoding(bytes)).flatten()
}

// The reasons why a document has no text to return.

/// The kind of content of an unsupported file.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub enum FileCategory {
    /// Text: a spreadsheet, an old Office document.
    Document,
    /// Other files.
    Archive,
    /// An image.
    Picture,
    /// An audio or video recording.
    Recording,
    /// A program or a font.
    Program,
}

/// The reason why the text of a document cannot be extracted. Each message is worded to follow the
/// name of the file.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ExtractError {
    /// The document is truncated, or malformed for its kind.
    #[error("damaged {kind}: {found}")]
    Damaged {
        /// The kind of the document: `docx`, `PDF`.
        kind: &'static str,
        /// A description of the defect for the user.
        found: String,
    },

    /// The file of an archive is not damaged, but cannot be read.
    #[error("cannot be read: {found}")]
    NotRead {
        /// The reason, for the user.
        found: String,
    },

    /// The document is of an unsupported kind.
    #[error("not a text: {found}, expected a text or a document of text")]
    Unsupported {
        /// The kind of content that such files have.
        holds: FileCategory,
        /// The kind, with its article: "a ZIP archive".
        found: String,
    },

    /// The document is of a supported kind that this build was compiled without.
    #[error("{kind}, which this build of dedup does not read: it was made without documents")]
    NotBuiltIn {
        /// The kind, with its article.
        kind: &'static str,
    },

    /// The document unpacks to more bytes than allowed.
    #[error("unpacks to more than the limit of {max_bytes} bytes")]
    TooLarge {
        /// The largest number of bytes that it may unpack to.
        max_bytes: u64,
    },

    /// The compressed text needs a larger window than allowed.
    #[error(transparent)]
    WindowTooLarge(WindowTooLarge),

    /// The archive has more files than allowed.
    #[error("more than {max_files} files in it, expected fewer")]
    TooMany {
        /// The largest number of files allowed.
        max_files: usize,
    },

    /// The headers of a file of the archive are longer than allowed.
    #[error("more than {max_bytes} bytes for the name and properties of one file, expected fewer")]
    LongHeader {
        /// The largest number of bytes allowed.
        max_bytes: u64,
    },

    /// The elements of the document are nested too deeply.
    #[error("more than {max_depth} nested elements, expected fewer")]
    TooDeep {
        /// The largest nesting depth allowed.
        max_depth: usize,
    },

    /// The document is encrypted with a password.
    #[error("password-protected {kind}, expected one without a password")]
    Locked {
        /// The kind of the document.
        kind: &'static str,
    },

    /// The pages of the document are images, without a single word of text.
    #[error("{kind} without text: its pages are pictures")]
    OnlyPictures {
        /// The kind of the document, with its article.
        kind: &'static str,
    },

    /// A PDF, and [`Bounds`] refuse all.
    #[error("a PDF, which nothing here reads")]
    NoPdfReader,

    /// The process that reads PDFs could not be run.
    #[error("a PDF, which another process of dedup reads: program could not be run")]
    ReaderFailed(#[source] io::Error),

    /// The process that reads PDFs took too long.
    #[error("its reader did not finish in {seconds} s, expected it sooner")]
    TooSlow {
        /// The longest time that it may run.
        seconds: u64,
    },
}

/// The error if a Zstandard frame needs too large a window, which the decoder keeps in memory.
#[derive(Clone, Copy, Debug, thiserror::Error)]
#[error("Zstandard data with a window of {bytes} bytes, expected at most {max_bytes}")]
pub struct WindowTooLarge {
    /// The size of its window.
    pub bytes: u64,
    /// The largest size that is allowed.
    pub max_bytes: u64,
}

// The kind of a file by its bytes, and the refusals of files that are not text.

impl Kind {
    /// Returns the kind of a file that is not stored as plain characters, from its first bytes;
    /// `None` if the bytes are characters or of an unknown kind.
    ///
    /// # Errors
    ///
    /// Returns [`ExtractError::Unsupported`] for an archive or an XML file that is a document but not
    /// of text, or [`ExtractError::NotBuiltIn`] for any ZIP archive if this build does not read
    /// documents.
    pub(crate) fn from_bytes(bytes: &[u8]) -> Result<Option<Self>, ExtractError> {
        if [b"PK\x03\x04", b"PK\x05\x06"].iter().any(|start| bytes.starts_with(*start)) {
            return documents::of_archive(bytes).map(Some);
        }
        if let Some(found) = kind::refused(bytes) {
            let (holds, found) = (FileCategory::Document, found.to_owned());
            return Err(ExtractError::Unsupported { holds, found });
        }
        Ok(Self::with_start(bytes))
    }
}

/// Returns the refusal of a file that is not text, with its kind by name; `None` if the kind of its
/// bytes is unknown.
pub(crate) fn unsupported(bytes: &[u8]) -> Option<ExtractError> {
    if !bytes.starts_with(kind::OLE) {
        return recognized(bytes);
    }
    let is_locked = memmem::find(bytes, kind::ENCRYPTED).is_some();
    Some(if is_locked {
        ExtractError::Locked { kind: "Office document" }
    } else {
        let found = "an old Office document (such as .xls)".to_owned();
        ExtractError::Unsupported { holds: FileCategory::Document, found }
    })
}

/// Returns the refusal of a file whose kind the `infer` crate recognizes, with its article: "a
/// picture (png)".
fn recognized(bytes: &[u8]) -> Option<ExtractError> {
    use infer::MatcherType::{App, Archive, Audio, Book, Doc, Font, Image, Video};
    // The signature of DER certificates is only two bytes, which other files begin with as well.
    let known = infer::get(bytes).filter(|known| known.extension() != "der")?;
    let (holds, what) = match known.matcher_type() {
        App => (FileCategory::Program, "a program"),
        Archive => (FileCategory::Archive, "an archive"),
        Audio => (FileCategory::Recording, "an audio recording"),
        Book | Doc => (FileCategory::Document, "a document in an unsupported format"),
        Font => (FileCategory::Program, "a font"),
        Image => (FileCategory::Picture, "a picture"),
        Video => (FileCategory::Recording, "a film"),
        _ => return None,
    };
    Some(ExtractError::Unsupported { holds, found: format!("{what} ({})", known.extension()) })
}

// What is needed of HTML even in builds that do not read web pages: how a page begins, and how its
// elements separate text.

/// The number of bytes at the beginning of a text in which the start of a web page is searched for.
const PAGE_BEGINNING: usize = 1 << 16;

/// The elements that a web page, or a fragment of one, may begin with.
const PAGE_ELEMENTS: &str = include_str!("formats/page_elements.txt");

/// Reports whether a text, or bytes in any ASCII-compatible encoding, begin as a web page: with an
/// HTML doctype, or with the start tag of a page or block element. A byte order mark, white space,
/// comments and an XML declaration may precede it.
fn is_html(start: impl AsRef<[u8]>) -> bool {
    let Some(rest) = first_tag(start.as_ref()) else { return false };
    match rest.strip_prefix(b"!") {
        Some(declaration) => begins_with_word(declaration, "doctype")
            .is_some_and(|rest| begins_with_word(rest.trim_ascii_start(), "html").is_some()),
        None => PAGE_ELEMENTS.lines().any(|name| begins_with_word(rest, name).is_some()),
    }
}

/// Returns the first [`PAGE_BEGINNING`] bytes of a document of HTML or XML after the `<` of its first
/// tag or its doctype; `None` if it does not begin with one.
fn first_tag(bytes: &[u8]) -> Option<&[u8]> {
    let mut rest = &bytes[..bytes.len().min(PAGE_BEGINNING)];
    rest = rest.strip_prefix(b"\xef\xbb\xbf").unwrap_or(rest);
    loop {
        rest = rest.trim_ascii_start();
        let end: &[u8] = match rest {
            [b'<', b'!', b'-', b'-', ..] => b"-->",
            [b'<', b'?', ..] => b">",
            _ => return rest.strip_prefix(b"<"),
        };
        rest = &rest[memmem::find(rest, end)? + end.len()..];
    }
}

/// Returns the bytes after `word`; `None` if `bytes` does not begin with it, ignoring ASCII case,
/// or if the word does not end there.
fn begins_with_word<'b>(bytes: &'b [u8], word: &str) -> Option<&'b [u8]> {
    let (begin, rest) = bytes.split_at_checked(word.len())?;
    let ends = matches!(rest.first(), Some(b' ' | b'\t' | b'\n' | b'\r' | b'\x0c' | b'>' | b'/'));
    (ends && begin.eq_ignore_ascii_case(word.as_bytes())).then_some(rest)
}

/// Returns the gap between the text of an element, by its name, and the text around it.
fn separator_of(name: &str) -> Separator {
    match name {
        "br" => Separator::Break,
        "td" | "th" => Separator::Cell,
        "svg" | "text" => Separator::Space,
        "li" | "dt" | "dd" | "tr" | "legend" | "option" | "summary" => Separator::Line,
        "address" | "article" | "aside" | "blockquote" | "body" | "caption" | "center"
        | "details" | "dialog" | "dir" | "div" | "dl" | "fieldset" | "figcaption" | "figure"
        | "footer" | "form" | "h1" | "h2" | "h3" | "h4" | "h5" | "h6" | "header" | "hgroup"
        | "hr" | "html" | "listing" | "main" | "menu" | "nav" | "ol" | "p" | "plaintext"
        | "pre" | "search" | "section" | "table" | "tbody" | "tfoot" | "thead" | "ul" | "xmp" => {
            Separator::Paragraph
        }
        _ => Separator::None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reports whether all letters and digits of a text occur in its source, in the same order.
    pub(super) fn letters_are_of(source: &str, text: &str) -> bool {
        let mut source = source.chars();
        let mut letters = text.chars().filter(|letter| letter.is_alphanumeric());
        letters.all(|letter| source.any(|it| it == letter))
    }

    #[test]
    fn kinds_are_recognized_by_their_first_bytes() {
        #[rustfmt::skip]
        let table: &[(&str, &[u8], Option<Kind>)] = &[
            ("nothing",                b"",                        None),
            ("a text",                 b"PK is a currency",        None),
            ("a PDF",                  b"%PDF-1.7\n",              Some(Kind::Pdf)),
            ("after a mark and space", b"\xef\xbb\xbf \n%PDF-1.4", Some(Kind::Pdf)),
            ("after other bytes",      b"GPL %PDF-1.4\nstartxref 9", Some(Kind::Pdf)),
            ("a text about PDF",       b"it begins with %PDF-",    None),
            ("RTF",                    b"{\\rtf1\\ansi x}",        Some(Kind::Rtf)),
            ("an old Word document",   &[kind::OLE, kind::WORD].concat(),      Some(Kind::Doc)),
            ("another old document",   kind::OLE,                        None),
            ("one that is locked",     &[kind::OLE, kind::WORD, kind::ENCRYPTED].concat(), None),
            ("LaTeX",                  b"{\\rm x}",                None),
            ("a flat Writer document", b"<?xml version='1.0'?>\n<office:document a='opendocument.text'>", Some(Kind::Odt)),
            ("of another namespace",   b"<document a='opendocument.text'>", Some(Kind::Odt)),
            ("another element",        b"<x:documents a='opendocument.text'>", None),
            ("a flat Word document",   b"<?mso-application?><pkg:package><pkg:part x='wordprocessingml'>", Some(Kind::Docx)),
            ("any package",            b"<package>",               None),
            ("a message",              b"From: <Saved>\r\n folded: x\r\nMIME-Version: 1.0\r\n\r\nx", Some(Kind::Mail)),
            ("a letter",               b"From: Anna\nSubject: tea\n\nDear Ben", None),
            ("a list of names",        b"Content-Type: x\nand prose\n\n", None),
            ("no empty line",          b"MIME-Version: 1.0",         None),
        ];
        for (why, bytes, want) in table {
            assert_eq!(Kind::from_bytes(bytes).unwrap(), *want, "{why}");
        }
        let refused =
            Kind::from_bytes(b"<FictionBook xmlns='http://www.gribuser.ru/xml/fictionbook/2.0'>");
        assert!(refused.unwrap_err().to_string().contains("a FictionBook"));
        let refused = Kind::from_bytes(b"PK\x05\x06\0\0").unwrap_err().to_string();
        assert!(refused.contains("ZIP archive"), "{refused}");
    }

    #[test]
    fn what_is_no_text_is_named() {
        #[rustfmt::skip]
        let not_a_text = |what| format!("not a text: {what}, expected a text or a document of text");
        let locked = [kind::OLE, b"\0\0", kind::ENCRYPTED].concat();
        let message = unsupported(&locked).unwrap().to_string();
        assert_eq!(message, "password-protected Office document, expected one without a password");
        let table: &[(&[u8], Option<&str>)] = &[
            (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", Some("a picture (png)")),
            (b"\xff\xd8\xff\xe0\0\x10JFIF\0", Some("a picture (jpg)")),
            (b"\x1f\x8b\x08\0\0\0\0\0", Some("an archive (gz)")),
            (b"7z\xbc\xaf\x27\x1c\0\x04", Some("an archive (7z)")),
            (
                b"\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0\x03\0\x3e\0\x01\0\0\0\0\0\0\0\0\0\0\0\
                  \x40\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x40",
                Some("a program (elf)"),
            ),
            (
                b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\0\0",
                Some("an old Office document (such as .xls)"),
            ),
            (b"ID3\x03\0\0\0", Some("an audio recording (mp3)")),
            (b"\0\x01\x02\x03", None),
            (b"\x30\x82\x04\x04", None),
        ];
        for (bytes, want) in table {
            let message = unsupported(bytes).map(|reason| reason.to_string());
            assert_eq!(message, want.map(not_a_text));
        }
    }
}

#[cfg(test)]
mod page_tests {
    use super::*;

    #[test]
    fn a_page_is_recognized_by_its_beginning() {
        #[rustfmt::skip]
        let table = [
            ("nothing",                    "",                                              false),
            ("prose",                      "A page of <html>",                              false),
            ("a document type",            "<!DOCTYPE html>",                               true),
            ("of long ago",                "<!doctype HTML PUBLIC \"-//W3C//DTD HTML 4.01//EN\">", true),
            ("of something else",          "<!DOCTYPE svg>",                                false),
            ("of a longer name",           "<!DOCTYPE htmlx>",                              false),
            ("no space in it",             "<!doctypehtml>",                                false),
            ("a tag",                      "<html>",                                        true),
            ("in capitals",                "<HTML LANG=en>",                                true),
            ("a tag cut",                  "<html",                                         false),
            ("after a mark",               "\u{feff}<html>",                                true),
            ("after white space",          "\r\n\t <html>",                                 true),
            ("after a comment",            "<!-- by hand -- ><p> -->\n<html>",              true),
            ("after several",              "<!----><!-- - --> <!-- > --><body>",            true),
            ("an open comment",            "<!-- <html>",                                   false),
            ("after a declaration",        "<?xml version='1.0'?><!DOCTYPE html>",          true),
            ("another XML",                "<?xml version='1.0'?><svg>",                    false),
            ("a paragraph",                "<p>Words",                                      true),
            ("with attributes",            "<div\nclass=a>",                                true),
            ("closed at once",             "<hr/>",                                         true),
            ("a heading",                  "<h6>",                                          true),
            ("there is no seventh",        "<h7>",                                          false),
            ("a longer name",              "<pre-view>",                                    false),
            ("not of a block",             "<b>Words</b>",                                  false),
            ("an address",                 "<https://example.org/>",                        false),
            ("an end",                     "</p>",                                          false),
            ("a space in it",              "< p>",                                          false),
        ];
        for (why, start, want) in table {
            assert_eq!(is_html(start), want, "{why}");
        }
        assert!(is_html(b"<p>caf\xe9"), "bytes");
    }

    #[test]
    fn only_the_beginning_is_looked_at() {
        let comment = |bytes: usize| format!("<!--{}--><html>", " ".repeat(bytes - 13));
        assert!(is_html(comment(PAGE_BEGINNING)));
        assert!(!is_html(comment(PAGE_BEGINNING + 1)));
        for unit in ["<!--", "<!---->", "<?", "<?>", "<", " "] {
            assert!(!is_html(unit.repeat(1_000_000)), "{unit}");
        }
    }
}
