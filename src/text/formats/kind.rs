//! Kinds of documents, and how they are told.

use super::archive::{ArchiveKind, kind_of_archive};
use super::{Refusal, html, notebook};

/// How a file begins that holds parts as Office did before 2007; one that a password locks
/// does so still.
const OLE: &[u8] = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1";

/// The name of its part that is locked, in UTF-16.
const ENCRYPTED: &[u8] = b"E\0n\0c\0r\0y\0p\0t\0e\0d\0P\0a\0c\0k\0a\0g\0e\0";

/// What a file is.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum Kind {
    /// Plain text.
    #[default]
    Plain,
    /// A web page.
    Html,
    /// Markdown.
    Markdown,
    /// A document of Word, since 2007 (Office Open XML).
    Docx,
    /// A document of `LibreOffice` Writer (`OpenDocument`).
    Odt,
    /// An electronic book.
    Epub,
    /// A Jupyter notebook.
    Notebook,
    /// A PDF.
    Pdf,
    /// Rich Text Format.
    Rtf,
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
                ArchiveKind::Epub => Ok(Some(Self::Epub)),
                ArchiveKind::Foreign(found) => Err(Refusal::Foreign { found: found.to_owned() }),
            };
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
        } else {
            Self::Plain
        }
    }

    /// Whether places in the text are told by the file's bytes and lines; else they are
    /// those of the text that was taken out of it.
    pub fn is_shown_as_stored(self) -> bool {
        matches!(self, Self::Plain | Self::Markdown)
    }

    /// The name in JSON: `plain`, `html`, `markdown`, `docx`, `odt`, `epub`, `ipynb`, `pdf`, `rtf`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Plain => "plain",
            Self::Html => "html",
            Self::Markdown => "markdown",
            Self::Docx => "docx",
            Self::Odt => "odt",
            Self::Epub => "epub",
            Self::Notebook => "ipynb",
            Self::Pdf => "pdf",
            Self::Rtf => "rtf",
        }
    }
}

/// Why a file is refused that is no text: its kind, by name. None where its bytes are like
/// nothing that is known.
pub(crate) fn foreign(bytes: &[u8]) -> Option<Refusal> {
    if !bytes.starts_with(OLE) {
        return named(bytes).map(|found| Refusal::Foreign { found });
    }
    let is_locked = memchr::memmem::find(bytes, ENCRYPTED).is_some();
    Some(if is_locked {
        Refusal::Locked { kind: "Office document" }
    } else {
        Refusal::Foreign { found: "an old Office document (such as .doc)".to_owned() }
    })
}

/// The name of a kind of file, with its article: "a picture (png)".
fn named(bytes: &[u8]) -> Option<String> {
    use infer::MatcherType::{App, Archive, Audio, Book, Doc, Font, Image, Video};
    // Two bytes that begin other files as well are no evidence of a certificate.
    let known = infer::get(bytes).filter(|known| known.extension() != "der")?;
    let what = match known.matcher_type() {
        App => "a program",
        Archive => "an archive",
        Audio => "a sound recording",
        Book | Doc => "a document of a kind that is not read",
        Font => "a font",
        Image => "a picture",
        Video => "a film",
        _ => return None,
    };
    Some(format!("{what} ({})", known.extension()))
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
        ];
        for (why, text, want) in table {
            assert_eq!(Kind::of_text(text), want, "{why}");
        }
    }

    #[test]
    fn what_is_no_text_is_named() {
        #[rustfmt::skip]
        let not_a_text = |what| format!("not a text: {what}, wanted a text or a document of text");
        let locked = [b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\0\0", ENCRYPTED].concat();
        let told = foreign(&locked).unwrap().to_string();
        assert_eq!(told, "Office document locked by a password, wanted one that opens without");
        let table: &[(&[u8], Option<&str>)] = &[
            (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR",         Some("a picture (png)")),
            (b"\xff\xd8\xff\xe0\0\x10JFIF\0",          Some("a picture (jpg)")),
            (b"\x1f\x8b\x08\0\0\0\0\0",                Some("an archive (gz)")),
            (b"7z\xbc\xaf\x27\x1c\0\x04",              Some("an archive (7z)")),
            (b"\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0\x03\0\x3e\0\x01\0\0\0\0\0\0\0\0\0\0\0\x40\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x40", Some("a program (elf)")),
            (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\0\0",  Some("an old Office document (such as .doc)")),
            (b"ID3\x03\0\0\0",                         Some("a sound recording (mp3)")),
            (b"\0\x01\x02\x03",                        None),
            (b"\x30\x82\x04\x04",                     None),
        ];
        for (bytes, want) in table {
            let told = foreign(bytes).map(|refusal| refusal.to_string());
            assert_eq!(told, want.map(not_a_text));
        }
    }
}
