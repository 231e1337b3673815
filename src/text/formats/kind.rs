//! Kinds of documents, and how they are reported.

use memchr::memmem;
use serde::{Deserialize, Serialize};

use super::Foreign;
use super::archive::{ArchiveKind, kind_of_archive};
use super::{Refusal, html, latex, notebook};

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
            return match kind_of_archive(bytes) {
                ArchiveKind::Docx => Ok(Some(Self::Docx)),
                ArchiveKind::Odt => Ok(Some(Self::Odt)),
                ArchiveKind::Pptx => Ok(Some(Self::Pptx)),
                ArchiveKind::Odp => Ok(Some(Self::Odp)),
                ArchiveKind::Epub => Ok(Some(Self::Epub)),
                ArchiveKind::Foreign(holds, found) => {
                    Err(Refusal::Foreign { holds, found: found.to_owned() })
                }
            };
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
        if html::is_html(text) {
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

// How a run of text looks, as far as that decides whether its reader sees it.
//
// Goes in: what styles and the run itself say, each perhaps nothing. Comes out: whether the
// run is seen. It knows nothing of the documents that say so.

/// The least of each colour, of 255, in what passes for white.
const NEARLY_WHITE: u8 = 0xf0;

/// What is given of a run of text; `None` is what nothing is given of.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub(super) struct Look {
    /// Whether it is marked as hidden.
    pub(super) hidden: Option<bool>,
    /// Whether its letters are white, or nearly.
    pub(super) white: Option<bool>,
    /// Whether its letters are of 1 point or less.
    pub(super) tiny: Option<bool>,
    /// What its letters stand on.
    pub(super) ground: Option<Ground>,
}

/// What letters stand on.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Ground {
    /// White, or nearly: white letters are not seen.
    White,
    /// Any other colour, or one that is not known.
    Other,
}

impl Look {
    /// What this says, and where it says nothing what the one below says.
    pub(super) fn over(self, below: Self) -> Self {
        Self {
            hidden: self.hidden.or(below.hidden),
            white: self.white.or(below.white),
            tiny: self.tiny.or(below.tiny),
            ground: self.ground.or(below.ground),
        }
    }

    /// A look that says what letters stand on, and nothing else.
    pub(super) fn on(ground: Option<Ground>) -> Self {
        Self { ground, ..Self::default() }
    }

    /// Whether a reader sees the run; where no ground is named, the page is white.
    pub(super) fn is_seen(self) -> bool {
        let is_white = self.white == Some(true) && self.ground != Some(Ground::Other);
        self.hidden != Some(true) && self.tiny != Some(true) && !is_white
    }
}

impl Ground {
    /// The ground of a colour.
    pub(super) fn new(is_white: bool) -> Self {
        if is_white { Self::White } else { Self::Other }
    }
}

/// Whether a colour is white, or nearly: `FFFFFF`, `#f8f8f8`; none where it is no such number.
pub(super) fn is_white(hex: &str) -> Option<bool> {
    let hex = hex.strip_prefix('#').unwrap_or(hex);
    let is_hex = hex.len() == 6 && !hex.starts_with('+');
    let number = u32::from_str_radix(hex, 16).ok().filter(|_| is_hex)?;
    let [_, red, green, blue] = number.to_be_bytes();
    Some(is_white_rgb([red, green, blue]))
}

/// Whether a colour is white, or nearly.
pub(super) fn is_white_rgb(colour: [u8; 3]) -> bool {
    colour.iter().all(|part| *part >= NEARLY_WHITE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_told_by_their_first_bytes() {
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
    fn texts_are_told_by_how_they_begin() {
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
        let rendered = foreign(&locked).unwrap().to_string();
        assert_eq!(
            rendered,
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
            let rendered = foreign(bytes).map(|refusal| refusal.to_string());
            assert_eq!(rendered, want.map(not_a_text));
        }
    }
}

#[cfg(test)]
mod look_tests {
    use super::*;

    #[test]
    fn white_is_white_or_nearly() {
        #[rustfmt::skip]
        let table = [
            ("white",             "FFFFFF",  Some(true)),
            ("small letters",     "#ffffff", Some(true)),
            ("the least",         "f0f0f0",  Some(true)),
            ("a little less red", "efffff",  Some(false)),
            ("and blue",          "ffffef",  Some(false)),
            ("yellow",            "ffff00",  Some(false)),
            ("black",             "000000",  Some(false)),
            ("no colour",         "auto",    None),
            ("too short",         "fff",     None),
            ("a sign",            "+fffff",  None),
            ("nothing",           "",        None),
        ];
        for (why, colour, want) in table {
            assert_eq!(is_white(colour), want, "{why}");
        }
    }

    #[test]
    fn a_run_is_seen_unless_something_hides_it() {
        let (yes, no) = (Some(true), Some(false));
        let look = |hidden, white, tiny, ground| Look { hidden, white, tiny, ground };
        #[rustfmt::skip]
        let table = [
            ("nothing said",       look(None, None, None, None),                 true),
            ("hidden",             look(yes,  None, None, None),                 false),
            ("not hidden",         look(no,   None, None, None),                 true),
            ("white on the page",  look(None, yes,  None, None),                 false),
            ("white on white",     look(None, yes,  None, Some(Ground::White)),  false),
            ("white on blue",      look(None, yes,  None, Some(Ground::Other)),  true),
            ("black on white",     look(None, no,   None, Some(Ground::White)),  true),
            ("tiny",               look(None, None, yes,  None),                 false),
            ("tiny, on blue",      look(None, None, yes,  Some(Ground::Other)),  false),
        ];
        for (why, look, want) in table {
            assert_eq!(look.is_seen(), want, "{why}");
        }
    }

    #[test]
    fn the_nearer_word_holds() {
        let run = Look { hidden: Some(false), ..Look::default() };
        let style = Look { hidden: Some(true), white: Some(true), ground: None, tiny: Some(false) };
        let want = Look { hidden: Some(false), ..style };
        assert_eq!(run.over(style), want);
        assert_eq!(style.over(run), style);
    }
}
