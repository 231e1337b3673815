//! What a ZIP archive is, told from its parts.

use std::io::{Cursor, Read};

use memchr::memmem;
use zip::ZipArchive;

/// What a ZIP archive is.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum ArchiveKind {
    /// A document of Word.
    Docx,
    /// A document of `LibreOffice` Writer.
    Odt,
    /// An electronic book.
    Epub,
    /// None that is read; its name has its article: "a ZIP archive".
    Foreign(&'static str),
}

use ArchiveKind::{Docx, Epub, Foreign, Odt};

/// The most bytes of a part that say what the archive is.
const LONGEST_TELLTALE: u64 = 1 << 24;

/// Beginnings of `mimetype`, the first that fits.
const BY_MIMETYPE: &[(&str, ArchiveKind)] = &[
    ("application/epub+zip", Epub),
    ("application/vnd.oasis.opendocument.text", Odt),
    ("application/vnd.oasis.opendocument.spreadsheet", Foreign("a spreadsheet of LibreOffice")),
    ("application/vnd.oasis.opendocument.presentation", Foreign("a presentation of LibreOffice")),
    ("application/vnd.oasis.opendocument.graphics", Foreign("a drawing of LibreOffice")),
    ("application/vnd.oasis.opendocument.", Foreign("a document of LibreOffice without text")),
    ("application/x-krita", Foreign("a painting of Krita")),
    ("image/openraster", Foreign("an OpenRaster picture")),
];

/// What stands in the content type of an Office document's main part, which ends in `main+xml`
/// or, of a binary workbook, in `main`.
const BY_CONTENT_TYPE: &[(&str, ArchiveKind)] = &[
    ("wordprocessingml", Docx),
    ("ms-word", Docx),
    ("spreadsheetml", Foreign("an Excel workbook")),
    ("ms-excel", Foreign("an Excel workbook")),
    ("presentationml", Foreign("a PowerPoint presentation")),
    ("ms-powerpoint", Foreign("a PowerPoint presentation")),
    ("ms-visio", Foreign("a Visio drawing")),
];

/// Beginnings of parts' names, the first that any part has.
const BY_NAME: &[(&str, ArchiveKind)] = &[
    ("META-INF/container.xml", Epub),
    ("word/document.xml", Docx),
    ("xl/", Foreign("an Excel workbook")),
    ("ppt/", Foreign("a PowerPoint presentation")),
    ("visio/", Foreign("a Visio drawing")),
    ("FixedDocSeq.fdseq", Foreign("an XPS document")),
    ("FixedDocumentSequence.fdseq", Foreign("an XPS document")),
    ("AndroidManifest.xml", Foreign("an Android app")),
    ("Index/Document.iwa", Foreign("a document of Pages, Numbers or Keynote")),
    ("Index.zip", Foreign("a document of Pages, Numbers or Keynote")),
    ("Payload/", Foreign("an app of an iPhone")),
    ("META-INF/MANIFEST.MF", Foreign("a Java archive")),
    ("doc.kml", Foreign("a map of Google Earth")),
];

/// Tells what a ZIP archive is. A cut one is what its first parts belong to, so that it is
/// refused as the damaged document that it is.
pub(crate) fn kind_of_archive(bytes: &[u8]) -> ArchiveKind {
    let Ok(mut zip) = ZipArchive::new(Cursor::new(bytes)) else { return kind_of_rest(bytes) };
    let mut part = |name: &str| {
        let file = zip.index_for_name_raw(name.as_bytes()).and_then(|at| zip.by_index(at).ok())?;
        let mut read = Vec::new();
        file.take(LONGEST_TELLTALE).read_to_end(&mut read).ok()?;
        Some(String::from_utf8_lossy(&read).into_owned())
    };
    let by_mimetype = part("mimetype").and_then(|mimetype| by_mimetype(mimetype.trim()));
    let by_type = |types: String| types.split('"').find_map(by_content_type);
    by_mimetype
        .or_else(|| part("[Content_Types].xml").and_then(by_type))
        .or_else(|| by_names(&zip.file_names_raw().collect::<Vec<_>>()))
        .unwrap_or(Foreign("a ZIP archive"))
}

/// The kind of an archive whose list of parts, at its end, is lost: told from the headers
/// that stand before each part.
fn kind_of_rest(bytes: &[u8]) -> ArchiveKind {
    let mut names = Vec::new();
    for at in memmem::find_iter(bytes, b"PK\x03\x04") {
        let Some((header, rest)) = bytes[at..].split_at_checked(30) else { continue };
        let length = usize::from(u16::from_le_bytes([header[26], header[27]]));
        let extra = usize::from(u16::from_le_bytes([header[28], header[29]]));
        let Some((name, rest)) = rest.split_at_checked(length) else { continue };
        if name == b"mimetype" && names.is_empty() {
            let stored = rest.get(extra..).unwrap_or_default();
            let stored = String::from_utf8_lossy(&stored[..stored.len().min(100)]);
            return by_mimetype(&stored).unwrap_or(Odt);
        }
        names.push(name);
    }
    let is_office = |name: &&[u8]| *name == b"[Content_Types].xml" || name.starts_with(b"word/");
    let is_word = || names.iter().any(is_office).then_some(Docx);
    by_names(&names).or_else(is_word).unwrap_or(Foreign("a damaged ZIP archive"))
}

fn by_mimetype(mimetype: &str) -> Option<ArchiveKind> {
    BY_MIMETYPE.iter().find(|(start, _)| mimetype.starts_with(start)).map(|(_, kind)| *kind)
}

fn by_content_type(name: &str) -> Option<ArchiveKind> {
    let is_main = matches!(name.rsplit_once('.'), Some((_, "main+xml" | "main")));
    let told = BY_CONTENT_TYPE.iter().find(|(part, _)| is_main && name.contains(part));
    told.map(|(_, kind)| *kind)
}

fn by_names(names: &[&[u8]]) -> Option<ArchiveKind> {
    let is_there = |start: &str| names.iter().any(|name| name.starts_with(start.as_bytes()));
    BY_NAME.iter().find(|(start, _)| is_there(start)).map(|(_, kind)| *kind)
}
