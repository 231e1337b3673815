//! The table of the kinds of files that are read: how each is recognized, named and read.

use memchr::memmem;
use serde::{Deserialize, Serialize};

use super::{first_tag, is_html, latex, notebook};

/// The signature of an OLE compound file: Office documents before 2007, and password-protected ones
/// since.
pub(super) const OLE: &[u8] = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1";

/// The name, in UTF-16LE, of the stream that contains the text of a Word document.
pub(super) const WORD: &[u8] = b"W\0o\0r\0d\0D\0o\0c\0u\0m\0e\0n\0t\0";

/// The name, in UTF-16LE, of the stream that contains the encrypted part of a password-protected
/// Office document.
pub(super) const ENCRYPTED: &[u8] = b"E\0n\0c\0r\0y\0p\0t\0e\0d\0P\0a\0c\0k\0a\0g\0e\0";

/// The kind of a file.
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
    /// A Word document since 2007 (Office Open XML).
    Docx,
    /// A Word document before 2007.
    Doc,
    /// A `LibreOffice` Writer document (`OpenDocument`).
    Odt,
    /// A `PowerPoint` presentation since 2007 (Office Open XML).
    Pptx,
    /// A `LibreOffice` Impress presentation (`OpenDocument`).
    Odp,
    /// An EPUB book.
    Epub,
    /// A Jupyter notebook.
    Notebook,
    /// A PDF document.
    Pdf,
    /// Rich Text Format.
    Rtf,
    /// An e-mail, or a web archive (MHTML).
    Mail,
    /// Several files that are read as one text.
    Files,
}

/// A row of the table of kinds.
struct KindRow {
    kind: Kind,
    name: &'static str,
    /// What a message calls such a file.
    described: &'static str,
    /// The endings of the names of such files, in lower case.
    endings: &'static [&'static str],
    /// What identifies a file of this kind by its bytes.
    marks: &'static [Mark],
    /// What a unit of pagination is called, if the file records where one begins.
    page: Option<&'static str>,
    reader: ReadBy,
}

/// A feature of the bytes of a file that identifies its kind.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(not(feature = "documents"), expect(dead_code, reason = "archives are not opened"))]
pub(super) enum Mark {
    /// The file begins so, after a byte order mark and white space.
    Start(&'static str),
    /// It has the first string near its beginning, and the second near its end.
    Around(&'static str, &'static str),
    /// It is an OLE compound file with a stream of this name, and not encrypted.
    Stream(&'static [u8]),
    /// It is a ZIP archive whose part `mimetype` begins so.
    MimeType(&'static str),
    /// It is a ZIP archive whose main part, by the list of content types, has a type with this part
    /// in its name.
    ContentType(&'static str),
    /// It is a ZIP archive in which the name of a part begins so.
    Part(&'static str),
    /// It begins with the headers of a message in MIME.
    Headers,
    /// It is XML whose first element has this name, and what identifies the kind is near its
    /// beginning.
    Root(&'static str, &'static str),
    /// Its characters, once decoded, are of this kind.
    Characters(fn(&str) -> bool),
}

/// The number of bytes that are near the beginning or the end of a file (ISO 32000-2, annex I).
const NEAR: usize = 1024;

/// How the text of a file is read.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum ReadBy {
    /// As it is stored: places are bytes and lines of the file.
    Stored,
    /// As markup that a flag of this name reads as plain text. Places are those of the file.
    Markup(&'static str),
    /// The same, but places are those of the extracted text.
    Extracted(Option<&'static str>),
    /// By the feature `documents`; places are those of the extracted text.
    Document,
}

use Mark::{Around, Characters, ContentType, Headers, MimeType, Part, Root, Start, Stream};

/// The kinds, in the order in which they are declared. Of those that a file may be, the first is
/// taken.
#[rustfmt::skip]
const ROWS: &[KindRow] = &[
    row(Kind::Plain,    "plain",    "plain text",                      &["txt"],                   &[], ReadBy::Stored, None),
    row(Kind::Html,     "html",     "a web page",                      &["html", "htm", "xhtml", "xht"],&[Characters(|text| is_html(text))], ReadBy::Extracted(Some("html")), None),
    row(Kind::Markdown, "markdown", "Markdown",                        &["md", "markdown"],        &[], ReadBy::Markup("markdown"), None),
    row(Kind::Latex,    "tex",      "LaTeX",                           &["tex", "ltx"],            &[Characters(latex::is_latex)], ReadBy::Markup("latex"), None),
    row(Kind::Docx,     "docx",     "a Word document",                 &["docx", "docm", "dotx"],  &[ContentType("wordprocessingml"), ContentType("ms-word"), Part("word/document.xml"), Root("package", "wordprocessingml")], ReadBy::Document, None),
    row(Kind::Doc,      "doc",      "an old Word document",            &["doc", "dot"],            &[Stream(WORD)], ReadBy::Document, None),
    row(Kind::Odt,      "odt",      "a Writer document",               &["odt", "ott", "fodt"],       &[MimeType("application/vnd.oasis.opendocument.text"), Root("document", "opendocument.text")], ReadBy::Document, None),
    row(Kind::Pptx,     "pptx",     "a PowerPoint presentation",       &["pptx", "pptm", "ppsx"],  &[ContentType("presentationml"), ContentType("ms-powerpoint"), Part("ppt/"), Root("package", "presentationml")], ReadBy::Document, Some("slide")),
    row(Kind::Odp,      "odp",      "an Impress presentation",         &["odp", "otp", "fodp"],       &[MimeType("application/vnd.oasis.opendocument.presentation"), Root("document", "opendocument.presentation")], ReadBy::Document, Some("slide")),
    row(Kind::Epub,     "epub",     "an EPUB book",                    &["epub"],                  &[MimeType("application/epub+zip"), Part("META-INF/container.xml")], ReadBy::Document, None),
    row(Kind::Notebook, "ipynb",    "a notebook",                      &["ipynb"],                 &[Characters(notebook::is_notebook)], ReadBy::Extracted(None), None),
    row(Kind::Pdf,      "pdf",      "a PDF",                           &["pdf"],                   &[Start("%PDF-"), Around("%PDF-", "startxref")], ReadBy::Document, Some("page")),
    row(Kind::Rtf,      "rtf",      "a document in Rich Text Format",  &["rtf"],                   &[Start("{\\rtf")], ReadBy::Document, None),
    row(Kind::Mail,     "mail",     "an e-mail or web archive",        &["eml", "mht", "mhtml"],   &[Headers], ReadBy::Document, None),
    row(Kind::Files,    "files",    "several files",                   &[],                        &[], ReadBy::Extracted(None), None),
];

/// Documents of one XML file that are not read, and what a message calls them.
const REFUSED: &[(&str, &str, &str)] = &[
    ("wordDocument", "schemas.microsoft.com/office/word/2003", "a Word 2003 XML document"),
    ("FictionBook", "gribuser.ru/xml/fictionbook", "a FictionBook"),
    ("Workbook", "schemas-microsoft-com:office:spreadsheet", "an Excel 2003 XML workbook"),
    ("document", "opendocument.spreadsheet", "a spreadsheet of LibreOffice"),
];

const fn row(
    kind: Kind,
    name: &'static str,
    described: &'static str,
    endings: &'static [&'static str],
    marks: &'static [Mark],
    reader: ReadBy,
    page: Option<&'static str>,
) -> KindRow {
    KindRow { kind, name, described, endings, marks, page, reader }
}

/// Returns what a document of one XML file that is not read is called; `None` for any other file.
pub(super) fn refused(bytes: &[u8]) -> Option<&'static str> {
    REFUSED.iter().find(|(name, holds, _)| is_root(bytes, name, holds)).map(|(.., found)| *found)
}

/// Reports whether bytes are XML whose first element has a name, without its prefix, with what
/// identifies its kind near its beginning.
fn is_root(bytes: &[u8], name: &str, holds: &str) -> bool {
    let Some(root) = first_tag(bytes) else { return false };
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || b":_-.".contains(byte);
    let written = root.iter().position(|byte| !is_part(byte)).map_or(root, |end| &root[..end]);
    written.rsplit(|byte| *byte == b':').next() == Some(name.as_bytes())
        && memmem::find(root, holds.as_bytes()).is_some()
}

/// Reports whether bytes begin with the headers of a message, up to an empty line, one of which says
/// that it is in MIME. The lines of a letter may look like headers, but do not say that.
fn begins_with_headers(bytes: &[u8]) -> bool {
    const MAX_LINES: usize = 200;
    let (mut is_mime, mut is_first) = (false, true);
    for line in bytes.split(|byte| *byte == b'\n').take(MAX_LINES) {
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        let name = line.split(|byte| *byte == b':').next().unwrap_or_default();
        match line {
            [] => return is_mime,
            [b' ' | b'\t', ..] if !is_first => continue,
            _ if name.len() == line.len() || name.is_empty() => return false,
            _ if !name.iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'-') => {
                return false;
            }
            _ => {}
        }
        is_first = false;
        is_mime |=
            [&b"mime-version"[..], b"content-type"].iter().any(|it| name.eq_ignore_ascii_case(it));
    }
    false
}

impl Kind {
    /// Returns the kind of a file that is not stored as plain characters, from its first bytes;
    /// `None` if they are those of an archive, are characters, or are of an unknown kind.
    pub(super) fn with_start(bytes: &[u8]) -> Option<Self> {
        let holds = |name: &[u8]| memmem::find(bytes, name).is_some();
        let start = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes).trim_ascii_start();
        Self::with_mark(|mark| match mark {
            Start(mark) => start.starts_with(mark.as_bytes()),
            Around(first, last) => {
                let near = bytes.len().min(NEAR);
                let holds = |part: &[u8], mark: &str| memmem::find(part, mark.as_bytes()).is_some();
                holds(&bytes[..near], first) && holds(&bytes[bytes.len() - near..], last)
            }
            Stream(name) => bytes.starts_with(OLE) && holds(name) && !holds(ENCRYPTED),
            Root(name, holds) => is_root(bytes, name, holds),
            Headers => begins_with_headers(start),
            _ => false,
        })
    }

    /// Returns the kind of a decoded text that is not known to be Markdown.
    pub(crate) fn from_text(text: &str) -> Self {
        let known = Self::with_mark(|mark| matches!(mark, Characters(is_kind) if is_kind(text)));
        known.unwrap_or_default()
    }

    /// Returns the first kind one of whose marks a file has.
    pub(super) fn with_mark(mut has: impl FnMut(Mark) -> bool) -> Option<Self> {
        let known = ROWS.iter().find(|row| row.marks.iter().any(|mark| has(*mark)));
        known.map(|row| row.kind)
    }

    /// Returns the kind that the ending of the name of a file says, in any case; `None` if it says
    /// none.
    pub fn from_ending(ending: &str) -> Option<Self> {
        let is_of = |row: &&KindRow| row.endings.iter().any(|it| it.eq_ignore_ascii_case(ending));
        ROWS.iter().find(is_of).map(|row| row.kind)
    }

    fn row(self) -> &'static KindRow {
        &ROWS[self as usize]
    }

    /// Reports whether positions in the text are given as bytes and lines of the file; otherwise
    /// they are those of the extracted text. For [`Kind::Files`], ask the kind of each file.
    pub fn is_shown_as_stored(self) -> bool {
        matches!(self.row().reader, ReadBy::Stored | ReadBy::Markup(_))
    }

    /// Reports whether the feature `documents` reads files of this kind, which are not stored as
    /// characters.
    pub fn is_document(self) -> bool {
        self.row().reader == ReadBy::Document
    }

    /// Reports whether a file of this kind is a ZIP archive inside.
    pub fn is_archive(self) -> bool {
        self.row().marks.iter().any(|mark| matches!(mark, MimeType(_) | ContentType(_) | Part(_)))
    }

    /// Returns the flag that, with the value `off`, reads such files as plain text; `None` if there
    /// is none.
    pub fn flag(self) -> Option<&'static str> {
        match self.row().reader {
            ReadBy::Markup(flag) => Some(flag),
            ReadBy::Extracted(flag) => flag,
            ReadBy::Stored | ReadBy::Document => None,
        }
    }

    /// Returns what a unit of pagination of this kind is called, a page or a slide; `None` if the
    /// file does not record where one begins.
    pub fn page_name(self) -> Option<&'static str> {
        self.row().page
    }

    /// Returns the name used in JSON: `plain`, `html`, `markdown`, `tex`, `docx`, `doc`, `odt`,
    /// `pptx`, `odp`, `epub`, `ipynb`, `pdf`, `rtf`, `mail`, `files`.
    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// Returns what a message calls a file of this kind, with its article: "a Word document".
    pub fn described(self) -> &'static str {
        self.row().described
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_in_the_order_of_the_kinds() {
        for (at, row) in ROWS.iter().enumerate() {
            assert_eq!(row.kind as usize, at, "{}", row.name);
        }
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
            assert_eq!(Kind::from_text(text), want, "{why}");
        }
    }
}
