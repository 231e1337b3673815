//! A document's bytes → the text that its reader sees.
//!
//! Goes in: the bytes of a file, and how far it may be unpacked. Comes out: its kind, and
//! its words in the order they are read, parted as they are on the page. The module knows
//! neither paths nor what becomes of the text; words that no reader sees are set apart.

#[cfg_attr(not(feature = "documents"), path = "formats/documents/none.rs")]
mod documents;
mod latex;
mod markdown;
mod notebook;

use std::io::{self, Read};
use std::ops::Range;
use std::time::Duration;

use memchr::memmem;
use serde::{Deserialize, Serialize};

use super::Properties;
use super::marked::Marked;
use super::source_map::{Excerpt, Gap};
pub use documents::zip_members;
pub(crate) use documents::{document, page};

/// Which part of a web page is its text.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum Part {
    /// What a reader came for: the article, without what surrounds it on every page of the
    /// site. All where there is no such part.
    #[default]
    Main,
    /// All of the body but navigation, the page's header and footer, and what is no text.
    All,
}

/// How far documents are opened.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Bounds {
    /// The most bytes that one may unpack to; any number for none.
    pub unpacked: Option<u64>,
    /// The longest that a program which reads one may run; any time for none.
    pub time: Option<Duration>,
}

/// The text of a document.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Extracted {
    /// What its reader sees: paragraphs end with a line end, cells of a table with a tab or
    /// a line end. It may be empty, and hold a NUL only where the document does.
    pub content: String,
    /// Words that the document holds and does not show, piece by piece, in their order.
    pub hidden: Vec<String>,
    /// Where the content holds block quotations, in bytes, increasing; none within another.
    pub quotes: Vec<Range<usize>>,
    /// What the comments of a web page mark in the content.
    pub marked: Marked,
    /// Where its pages or slides begin in the content, in bytes, increasing; one without text begins
    /// where the next one does. Empty where its kind has none.
    pub pages: Vec<usize>,
    /// What the program that read the document complained of, where some of its text may be
    /// missing; as it follows on the document's name.
    pub damage: Option<String>,
    /// What the document says of those who wrote it.
    pub properties: Properties,
}

/// A file of a ZIP archive.
pub enum ZipMember<'f> {
    /// One that a password locks.
    Locked {
        /// Its name; empty where it cannot be read.
        name: String,
    },
    /// One that is read.
    File {
        /// Its name.
        name: String,
        /// Whether it is a link.
        is_link: bool,
        /// What is in it.
        file: &'f mut dyn Read,
    },
}

impl Default for Bounds {
    fn default() -> Self {
        Self { unpacked: Some(200_000_000), time: Some(Duration::from_secs(20)) }
    }
}

/// The name of the encoding that bytes say they are in, where they begin as a web page.
pub(crate) fn declared_encoding(bytes: &[u8]) -> Option<&str> {
    is_html(bytes).then(|| documents::declared_encoding(bytes)).flatten()
}

/// The name of the encoding that a document in LaTeX says it is in.
pub(crate) fn declared_encoding_of_latex(bytes: &[u8]) -> Option<&str> {
    latex::declared_encoding(bytes)
}

/// Reads LaTeX: its text, and where that holds block quotations, in bytes.
///
/// # Errors
///
/// A [`Refusal`] where it unpacks to more than is allowed.
pub(crate) fn latex(
    source: &str,
    bounds: &Bounds,
) -> Result<(Excerpt, Vec<Range<usize>>), Refusal> {
    latex::read(source, bounds.unpacked)
}

/// Reads Markdown.
pub(crate) fn markdown(source: &str) -> Excerpt {
    markdown::read(source)
}

/// Reads a notebook.
///
/// # Errors
///
/// A [`Refusal`] where it is damaged.
pub(crate) fn notebook(json: &str) -> Result<String, Refusal> {
    notebook::text(json, &|cell| markdown::read(cell).into_parts().0)
}

// Why the text of a document cannot be had.

/// What files hold of a kind that is not read.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub enum Foreign {
    /// Text, or other files: a spreadsheet, an old Office document, an archive.
    Document,
    /// A picture.
    Picture,
    /// Sound or a film.
    Recording,
    /// A program, or a font.
    Program,
}

/// Why the text of a document cannot be had. The messages follow on the file's name.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Refusal {
    /// The document is cut, or not what its kind allows.
    #[error("damaged {kind}: {found}")]
    Damaged {
        /// The kind it is of: `docx`, `PDF`.
        kind: &'static str,
        /// What is wrong with it, for people.
        found: String,
    },

    /// It is of a kind that is not read.
    #[error("not a text: {found}, expected a text or a document of text")]
    Foreign {
        /// What files of the kind hold.
        holds: Foreign,
        /// The kind, with its article: "a ZIP archive".
        found: String,
    },

    /// It is of a kind that is read, and not by this build.
    #[error("{kind}, which this build of dedup does not read: it was made without documents")]
    NotBuiltIn {
        /// The kind, with its article.
        kind: &'static str,
    },

    /// It unpacks to more than is allowed.
    #[error("unpacks to more than the limit of {most} bytes")]
    TooLarge {
        /// The most bytes it may unpack to.
        most: u64,
    },

    /// Its elements stand inside one another too deeply.
    #[error("more than {most} elements inside one another, expected fewer")]
    TooDeep {
        /// The most there may be.
        most: usize,
    },

    /// It opens with a password only.
    #[error("{kind} locked by a password, expected one that opens without")]
    Locked {
        /// The kind it is of.
        kind: &'static str,
    },

    /// It holds pictures of pages and not one word.
    #[error("a {kind} without text: its pages are pictures")]
    OnlyPictures {
        /// The kind it is of.
        kind: &'static str,
    },

    /// The program that reads its kind is not installed.
    #[error("{kind}, which {program} reads: not found")]
    NoProgram {
        /// The kind it is of, with its article.
        kind: &'static str,
        /// The program's name.
        program: &'static str,
    },

    /// The program that reads its kind cannot be called, and no other.
    #[error("{kind}, which {program} reads: no program can be called here")]
    NoPrograms {
        /// The kind it is of, with its article.
        kind: &'static str,
        /// The program's name.
        program: &'static str,
    },

    /// The program that reads its kind could not be run.
    #[error("{kind}, which {program} reads: could not be run")]
    ProgramFailed {
        /// The kind it is of, with its article.
        kind: &'static str,
        /// The program's name.
        program: &'static str,
        /// What the system said.
        source: io::Error,
    },

    /// The program that reads its kind took too long.
    #[error("{program} did not finish in {seconds} s, expected it sooner")]
    TooSlow {
        /// The program's name.
        program: &'static str,
        /// The longest it may take.
        seconds: u64,
    },
}

// Kinds of documents, and how they are reported.

/// How a file begins that holds parts as Office did before 2007; one that a password locks
/// does so still.
const OLE: &[u8] = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1";

/// The name of the part that a document of Word has, in UTF-16.
const WORD: &[u8] = b"W\0o\0r\0d\0D\0o\0c\0u\0m\0e\0n\0t\0";

/// The name of its part that is locked, in UTF-16.
const ENCRYPTED: &[u8] = b"E\0n\0c\0r\0y\0p\0t\0e\0d\0P\0a\0c\0k\0a\0g\0e\0";

/// What a file is.
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
pub enum Kind {
    /// Plain text.
    #[default]
    Plain,
    /// A web page.
    Html,
    /// Markdown.
    Markdown,
    /// LaTeX.
    Latex,
    /// A document of Word, since 2007 (Office Open XML).
    Docx,
    /// A document of Word, before 2007.
    Doc,
    /// A document of `LibreOffice` Writer (`OpenDocument`).
    Odt,
    /// Slides of `PowerPoint`, since 2007 (Office Open XML).
    Pptx,
    /// Slides of `LibreOffice` Impress (`OpenDocument`).
    Odp,
    /// An electronic book.
    Epub,
    /// A Jupyter notebook.
    Notebook,
    /// A PDF.
    Pdf,
    /// Rich Text Format.
    Rtf,
    /// Several files that are one text.
    Files,
}

impl Kind {
    /// The kind of a file that holds its text in a form of its own, by its first bytes; none
    /// where the bytes are characters, or nothing that is known.
    ///
    /// # Errors
    ///
    /// [`Refusal::Foreign`] for an archive that is no document of text.
    pub(crate) fn of_bytes(bytes: &[u8]) -> Result<Option<Self>, Refusal> {
        if [b"PK\x03\x04", b"PK\x05\x06"].iter().any(|start| bytes.starts_with(*start)) {
            return documents::of_archive(bytes).map(Some);
        }
        let holds = |name: &[u8]| memmem::find(bytes, name).is_some();
        if bytes.starts_with(OLE) && holds(WORD) && !holds(ENCRYPTED) {
            return Ok(Some(Self::Doc));
        }
        let start = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes).trim_ascii_start();
        Ok(match start {
            [b'%', b'P', b'D', b'F', b'-', ..] => Some(Self::Pdf),
            [b'{', b'\\', b'r', b't', b'f', ..] => Some(Self::Rtf),
            _ => None,
        })
    }

    /// The kind of a decoded text that is not known to be Markdown.
    pub(crate) fn of_text(text: &str) -> Self {
        if is_html(text) {
            Self::Html
        } else if notebook::is_notebook(text) {
            Self::Notebook
        } else if latex::is_latex(text) {
            Self::Latex
        } else {
            Self::Plain
        }
    }

    /// Whether places in the text are reported by the file's bytes and lines; else they are
    /// those of the text that was taken out of it. Of a text of several files each says so.
    pub fn is_shown_as_stored(self) -> bool {
        matches!(self, Self::Plain | Self::Markdown | Self::Latex)
    }

    /// What its reader turns over and counts: a page, a slide; none where nothing in the file says
    /// where one begins.
    pub fn page_name(self) -> Option<&'static str> {
        match self {
            Self::Pdf => Some("page"),
            Self::Pptx | Self::Odp => Some("slide"),
            Self::Plain
            | Self::Html
            | Self::Markdown
            | Self::Latex
            | Self::Docx
            | Self::Doc
            | Self::Odt
            | Self::Epub
            | Self::Notebook
            | Self::Rtf
            | Self::Files => None,
        }
    }

    /// The name in JSON: `plain`, `html`, `markdown`, `tex`, `docx`, `doc`, `odt`, `pptx`, `odp`,
    /// `epub`, `ipynb`, `pdf`, `rtf`, `files`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Plain => "plain",
            Self::Html => "html",
            Self::Markdown => "markdown",
            Self::Latex => "tex",
            Self::Docx => "docx",
            Self::Doc => "doc",
            Self::Odt => "odt",
            Self::Pptx => "pptx",
            Self::Odp => "odp",
            Self::Epub => "epub",
            Self::Notebook => "ipynb",
            Self::Pdf => "pdf",
            Self::Rtf => "rtf",
            Self::Files => "files",
        }
    }
}

/// Why a file is refused that is no text: its kind, by name. None where its bytes are like
/// nothing that is known.
pub(crate) fn foreign(bytes: &[u8]) -> Option<Refusal> {
    if !bytes.starts_with(OLE) {
        return named(bytes);
    }
    let is_locked = memmem::find(bytes, ENCRYPTED).is_some();
    Some(if is_locked {
        Refusal::Locked { kind: "Office document" }
    } else {
        let found = "an old Office document (such as .xls)".to_owned();
        Refusal::Foreign { holds: Foreign::Document, found }
    })
}

/// The refusal of a kind of file by its name, with its article: "a picture (png)".
fn named(bytes: &[u8]) -> Option<Refusal> {
    use infer::MatcherType::{App, Archive, Audio, Book, Doc, Font, Image, Video};
    // Two bytes that begin other files as well are no evidence of a certificate.
    let known = infer::get(bytes).filter(|known| known.extension() != "der")?;
    let (holds, what) = match known.matcher_type() {
        App => (Foreign::Program, "a program"),
        Archive => (Foreign::Document, "an archive"),
        Audio => (Foreign::Recording, "a sound recording"),
        Book | Doc => (Foreign::Document, "a document of a kind that is not read"),
        Font => (Foreign::Program, "a font"),
        Image => (Foreign::Picture, "a picture"),
        Video => (Foreign::Recording, "a film"),
        _ => return None,
    };
    Some(Refusal::Foreign { holds, found: format!("{what} ({})", known.extension()) })
}

// What is known of web pages where they are not read, too: how one begins, and what its elements part.

/// The bytes at the beginning of a text in which a page is looked for.
const PAGE_BEGINNING: usize = 1 << 16;

/// The elements that a page, or a part of one, begins with.
const PAGE_ELEMENTS: &[&str] = &[
    "html",
    "head",
    "body",
    "title",
    "meta",
    "link",
    "style",
    "script",
    "base",
    "address",
    "article",
    "aside",
    "blockquote",
    "center",
    "details",
    "div",
    "dl",
    "fieldset",
    "figure",
    "footer",
    "form",
    "frameset",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "header",
    "hr",
    "main",
    "nav",
    "ol",
    "p",
    "pre",
    "section",
    "table",
    "ul",
];

/// Whether a text, or bytes in any encoding that has ASCII in it, begins as a web page: with
/// a document type, or the tag of a page or of a block. A byte order mark, white space,
/// comments and an XML declaration may stand before.
fn is_html(start: impl AsRef<[u8]>) -> bool {
    let bytes = start.as_ref();
    let mut rest = &bytes[..bytes.len().min(PAGE_BEGINNING)];
    rest = rest.strip_prefix(b"\xef\xbb\xbf").unwrap_or(rest);
    loop {
        rest = rest.trim_ascii_start();
        let end: &[u8] = match rest {
            [b'<', b'!', b'-', b'-', ..] => b"-->",
            [b'<', b'?', ..] => b">",
            _ => break,
        };
        match memmem::find(rest, end) {
            Some(at) => rest = &rest[at + end.len()..],
            None => return false,
        }
    }
    let [b'<', rest @ ..] = rest else { return false };
    match rest.strip_prefix(b"!") {
        Some(declaration) => begins_with_word(declaration, "doctype")
            .is_some_and(|rest| begins_with_word(rest.trim_ascii_start(), "html").is_some()),
        None => PAGE_ELEMENTS.iter().any(|name| begins_with_word(rest, name).is_some()),
    }
}

/// What follows on a word, which ends there.
fn begins_with_word<'b>(bytes: &'b [u8], word: &str) -> Option<&'b [u8]> {
    let (begin, rest) = bytes.split_at_checked(word.len())?;
    let ends = matches!(rest.first(), Some(b' ' | b'\t' | b'\n' | b'\r' | b'\x0c' | b'>' | b'/'));
    (ends && begin.eq_ignore_ascii_case(word.as_bytes())).then_some(rest)
}

/// What parts the text of an element of a name from that around it.
fn gap_of(name: &str) -> Gap {
    match name {
        "br" => Gap::Break,
        "td" | "th" => Gap::Cell,
        "li" | "dt" | "dd" | "tr" | "legend" | "option" | "summary" => Gap::Line,
        "address" | "article" | "aside" | "blockquote" | "body" | "caption" | "center"
        | "details" | "dialog" | "dir" | "div" | "dl" | "fieldset" | "figcaption" | "figure"
        | "footer" | "form" | "h1" | "h2" | "h3" | "h4" | "h5" | "h6" | "header" | "hgroup"
        | "hr" | "html" | "listing" | "main" | "menu" | "nav" | "ol" | "p" | "plaintext"
        | "pre" | "search" | "section" | "table" | "tbody" | "tfoot" | "thead" | "ul" | "xmp" => {
            Gap::Paragraph
        }
        _ => Gap::None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_recognized_by_their_first_bytes() {
        #[rustfmt::skip]
        let table: &[(&str, &[u8], Option<Kind>)] = &[
            ("nothing",                b"",                        None),
            ("a text",                 b"PK is a currency",        None),
            ("a PDF",                  b"%PDF-1.7\n",              Some(Kind::Pdf)),
            ("after a mark and space", b"\xef\xbb\xbf \n%PDF-1.4", Some(Kind::Pdf)),
            ("RTF",                    b"{\\rtf1\\ansi x}",        Some(Kind::Rtf)),
            ("an old Word document",   &[OLE, WORD].concat(),      Some(Kind::Doc)),
            ("another old document",   OLE,                        None),
            ("one that is locked",     &[OLE, WORD, ENCRYPTED].concat(), None),
            ("LaTeX",                  b"{\\rm x}",                None),
        ];
        for (why, bytes, want) in table {
            assert_eq!(Kind::of_bytes(bytes).unwrap(), *want, "{why}");
        }
        let refused = Kind::of_bytes(b"PK\x05\x06\0\0").unwrap_err().to_string();
        assert!(refused.contains("ZIP archive"), "{refused}");
    }

    #[test]
    fn texts_are_recognized_by_how_they_begin() {
        #[rustfmt::skip]
        let table = [
            ("nothing",         "",                                              Kind::Plain),
            ("a sentence",      "Write <html> first.",                           Kind::Plain),
            ("a page",          "\n<!-- x -->\n<!DOCTYPE html><p>a",              Kind::Html),
            ("a notebook",      r#"{"cells": [], "nbformat": 4}"#,               Kind::Notebook),
            ("another object",  r#"{"cells": []}"#,                              Kind::Plain),
            ("LaTeX",           "% a\n\\documentclass{article}",                 Kind::Latex),
        ];
        for (why, text, want) in table {
            assert_eq!(Kind::of_text(text), want, "{why}");
        }
    }

    #[test]
    fn what_is_no_text_is_named() {
        #[rustfmt::skip]
        let not_a_text = |what| format!("not a text: {what}, expected a text or a document of text");
        let locked = [b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\0\0", ENCRYPTED].concat();
        let message = foreign(&locked).unwrap().to_string();
        assert_eq!(
            message,
            "Office document locked by a password, expected one that opens without"
        );
        let table: &[(&[u8], Option<&str>)] = &[
            (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR",         Some("a picture (png)")),
            (b"\xff\xd8\xff\xe0\0\x10JFIF\0",          Some("a picture (jpg)")),
            (b"\x1f\x8b\x08\0\0\0\0\0",                Some("an archive (gz)")),
            (b"7z\xbc\xaf\x27\x1c\0\x04",              Some("an archive (7z)")),
            (b"\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0\x03\0\x3e\0\x01\0\0\0\0\0\0\0\0\0\0\0\x40\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x40", Some("a program (elf)")),
            (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\0\0",  Some("an old Office document (such as .xls)")),
            (b"ID3\x03\0\0\0",                         Some("a sound recording (mp3)")),
            (b"\0\x01\x02\x03",                        None),
            (b"\x30\x82\x04\x04",                     None),
        ];
        for (bytes, want) in table {
            let message = foreign(bytes).map(|refusal| refusal.to_string());
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
