//! Unpacks the parts of a document by their names.
//!
//! Input: a ZIP archive in memory. Output: the bytes of one part at a time, counted while they are
//! unpacked, whatever sizes the archive declares. Names are looked up exactly and never become
//! paths; nothing is written to disk.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::io::{self, Cursor, Read, Seek, SeekFrom};
use std::rc::Rc;

use data_encoding::BASE64;
use memchr::memmem;
use zip::ZipArchive;
use zip::result::ZipError;

use super::xml::{Element, Event, XmlReader, decode, properties};
use super::{Bounds, ExtractError, FileCategory, Kind, ZipMember};
use crate::text::Properties;
use crate::text::formats::first_tag;
use crate::text::formats::kind::Mark::{self, ContentType, MimeType, Part};

/// An open document that consists of several parts, with the limit of what may be unpacked.
pub(super) struct Archive<'a> {
    parts: Parts<'a>,
    /// The kind of the document, as messages name it.
    pub(super) kind: &'static str,
    max_bytes: Option<u64>,
    /// The number of bytes unpacked so far, over all parts.
    unpacked: u64,
}

/// The parts of a document, by their names.
enum Parts<'a> {
    Zip(ZipArchive<Cursor<&'a [u8]>>),
    /// Those of a document in one XML file.
    Flat(BTreeMap<String, Rc<[u8]>>),
}

impl<'a> Archive<'a> {
    /// Opens a document. `kind` is its kind in messages: `docx`.
    ///
    /// # Errors
    ///
    /// Returns [`ExtractError::Damaged`] if it is truncated, if it is not an archive, or if two
    /// parts have the same name: programs differ in which of the two they read.
    pub(super) fn open(
        bytes: &'a [u8],
        kind: &'static str,
        bounds: &Bounds,
    ) -> Result<Self, ExtractError> {
        let damaged = |found: &str| ExtractError::Damaged { kind, found: found.to_owned() };
        if first_tag(bytes).is_some() {
            let parts = Parts::Flat(flat_parts(bytes, kind)?);
            return Ok(Self { parts, kind, max_bytes: bounds.unpacked, unpacked: 0 });
        }
        let zip = ZipArchive::new(Cursor::new(bytes))
            .map_err(|_| damaged("truncated, or without a list of its parts"))?;
        if zip.has_duplicate_names() {
            return Err(damaged("two parts with the same name"));
        }
        Ok(Self { parts: Parts::Zip(zip), kind, max_bytes: bounds.unpacked, unpacked: 0 })
    }

    pub(super) fn has(&self, name: &str) -> bool {
        match &self.parts {
            Parts::Zip(zip) => zip.index_for_name_raw(name.as_bytes()).is_some(),
            Parts::Flat(parts) => parts.contains_key(name),
        }
    }

    /// Unpacks a part; `None` if there is no part with this name.
    ///
    /// # Errors
    ///
    /// Returns [`ExtractError::TooLarge`] if more than the limit has been unpacked,
    /// [`ExtractError::Locked`] if the part is encrypted, or [`ExtractError::Damaged`] if it cannot
    /// be unpacked.
    pub(super) fn read(&mut self, name: &str) -> Result<Option<Vec<u8>>, ExtractError> {
        let left = self.max_bytes.map_or(u64::MAX, |max_bytes| max_bytes - self.unpacked);
        let mut part = Vec::new();
        let unpacked = match &mut self.parts {
            Parts::Zip(zip) => {
                let Some(index) = zip.index_for_name_raw(name.as_bytes()) else { return Ok(None) };
                zip.by_index(index).and_then(|file| {
                    file.take(left.saturating_add(1)).read_to_end(&mut part).map_err(ZipError::Io)
                })
            }
            Parts::Flat(parts) => {
                let Some(stored) = parts.get(name) else { return Ok(None) };
                part.extend_from_slice(stored);
                Ok(part.len())
            }
        };
        match (unpacked, self.max_bytes) {
            (Ok(read), Some(max_bytes)) if read as u64 > left => {
                Err(ExtractError::TooLarge { max_bytes })
            }
            (Ok(read), _) => {
                self.unpacked += read as u64;
                Ok(Some(part))
            }
            (Err(ZipError::UnsupportedArchive(ZipError::PASSWORD_REQUIRED)), _) => {
                Err(ExtractError::Locked { kind: self.kind })
            }
            (Err(error), _) => Err(self.damaged(format!("{name}: {}", describe(&error)))),
        }
    }

    /// Unpacks a part that every document of this kind must have.
    ///
    /// # Errors
    ///
    /// Same as [`read`](Self::read), and [`ExtractError::Damaged`] if there is no part with this
    /// name.
    pub(super) fn read_required(&mut self, name: &str) -> Result<Vec<u8>, ExtractError> {
        self.read(name)?.ok_or_else(|| self.damaged(format!("part {name} is missing")))
    }

    /// Decodes a part of XML that every document of this kind must have.
    ///
    /// # Errors
    ///
    /// Same as [`read_required`](Self::read_required), and those of [`decode`].
    pub(super) fn xml(&mut self, name: &str) -> Result<String, ExtractError> {
        decode(self.read_required(name)?, self.kind, name)
    }

    /// Same as [`xml`](Self::xml), but `None` if the part is missing.
    pub(super) fn optional_xml(&mut self, name: &str) -> Result<Option<String>, ExtractError> {
        self.read(name)?.map(|bytes| decode(bytes, self.kind, name)).transpose()
    }

    /// Calls `each` on the elements of a part of XML that every document of this kind must have, at
    /// their start tags.
    ///
    /// # Errors
    ///
    /// Same as [`xml`](Self::xml), and [`ExtractError::Damaged`] if the part is not well formed.
    pub(super) fn for_each_element(
        &mut self,
        name: &str,
        mut each: impl FnMut(&Element),
    ) -> Result<(), ExtractError> {
        let xml = self.xml(name)?;
        let mut reader = XmlReader::new(&xml, self.kind, name);
        while let Some(event) = reader.next()? {
            if let Event::Open(element) = event {
                each(&element);
            }
        }
        Ok(())
    }

    /// Reads the properties of the document from a part, given the names of its elements for them,
    /// as [`properties`] does; empty if there is no such part, or if it cannot be decoded.
    ///
    /// # Errors
    ///
    /// Same as [`read`](Self::read).
    pub(super) fn properties(
        &mut self,
        part: &str,
        elements: [&str; 3],
    ) -> Result<Properties, ExtractError> {
        Ok(match self.read(part)?.map(|bytes| decode(bytes, self.kind, part)) {
            Some(Ok(xml)) => properties(&xml, elements),
            _ => Properties::default(),
        })
    }

    /// Opens a document of the same kind that a part of this one contains, runs `read` on it, and
    /// counts what it unpacks as unpacked here.
    ///
    /// # Errors
    ///
    /// Same as [`open`](Self::open), and those of `read`.
    pub(super) fn within<T>(
        &mut self,
        bytes: &[u8],
        read: impl FnOnce(&mut Archive<'_>) -> Result<T, ExtractError>,
    ) -> Result<T, ExtractError> {
        let bounds = Bounds { unpacked: self.max_bytes, ..Bounds::default() };
        let mut inner = Archive::open(bytes, self.kind, &bounds)?;
        inner.unpacked = self.unpacked;
        let read = read(&mut inner);
        self.unpacked = inner.unpacked;
        read
    }

    /// Returns an [`ExtractError::Damaged`] of this document, with a description for the user.
    pub(super) fn damaged(&self, found: String) -> ExtractError {
        ExtractError::Damaged { kind: self.kind, found }
    }
}

/// The name of the only part of a document in one XML file, in messages.
const FLAT: &str = "the document";

/// Returns the parts of a document in one XML file: those of a package (Flat OPC), or the file
/// itself for each of the parts that an `OpenDocument` text has elsewhere.
fn flat_parts(
    bytes: &[u8],
    kind: &'static str,
) -> Result<BTreeMap<String, Rc<[u8]>>, ExtractError> {
    let xml = decode(bytes.to_vec(), kind, FLAT)?;
    let mut reader = XmlReader::new(&xml, kind, FLAT);
    let (mut parts, mut name, mut is_package) = (BTreeMap::new(), String::new(), false);
    while let Some(event) = reader.next()? {
        let Event::Open(element) = event else { continue };
        let part: Vec<u8> = match element.name() {
            "package" => {
                is_package = true;
                continue;
            }
            _ if !is_package => break,
            "part" => {
                let written = element.attribute("name").unwrap_or_default();
                written.trim_start_matches('/').clone_into(&mut name);
                continue;
            }
            "xmlData" => xml[reader.skip_content()?].into(),
            "binaryData" => {
                let written = &xml[reader.skip_content()?];
                let digits = written.bytes().filter(|byte| !byte.is_ascii_whitespace());
                BASE64.decode(&digits.collect::<Vec<u8>>()).unwrap_or_default()
            }
            _ => continue,
        };
        if parts.insert(std::mem::take(&mut name), part.into()).is_some() {
            let found = "two parts with the same name".to_owned();
            return Err(ExtractError::Damaged { kind, found });
        }
    }
    if !is_package {
        let whole: Rc<[u8]> = bytes.into();
        parts = ["content.xml", "meta.xml"].map(|name| (name.to_owned(), Rc::clone(&whole))).into();
    }
    Ok(parts)
}

/// Describes the error of a part for the user.
fn describe(error: &ZipError) -> &'static str {
    match error {
        ZipError::Io(error) if error.kind() == io::ErrorKind::UnexpectedEof => "cut",
        ZipError::Io(error) if error.kind() == io::ErrorKind::Unsupported => OTHER_METHOD,
        ZipError::CompressionMethodNotSupported(_) => OTHER_METHOD,
        _ => "does not unpack",
    }
}

const OTHER_METHOD: &str = "compressed with an unsupported method";

/// Resolves a reference from one part to another: relative to the folder of the part, or to the
/// root if it begins with a slash. `None` if it leads out of the archive.
///
/// ```text
/// word/document.xml + footnotes.xml    = word/footnotes.xml
/// word/document.xml + ../custom/a.xml  = custom/a.xml
/// word/document.xml + /word/styles.xml = word/styles.xml
/// ```
pub(super) fn resolve(part: &str, reference: &str) -> Option<String> {
    let (folder, reference) = match reference.strip_prefix('/') {
        Some(rest) => ("", rest),
        None => (part.rsplit_once('/').map_or("", |(folder, _)| folder), reference),
    };
    let mut steps: Vec<&str> = folder.split('/').filter(|step| !step.is_empty()).collect();
    for step in reference.split('/') {
        match step {
            "" | "." => {}
            ".." => drop(steps.pop()?),
            step => steps.push(step),
        }
    }
    (!steps.is_empty()).then(|| steps.join("/"))
}

// The kind of a ZIP archive, recognized by its parts.

/// The kind of a ZIP archive, or what an unsupported one contains, and its name with its article:
/// "a ZIP archive".
pub(super) type ArchiveKind = Result<Kind, (FileCategory, &'static str)>;

/// The largest number of bytes that are read of a part which identifies the archive.
const MAX_IDENTIFYING_PART_LENGTH: u64 = 1 << 24;

/// The marks of archives that are not texts, with what they contain. Marks of documents take
/// precedence.
#[rustfmt::skip]
const NO_TEXTS: &[(Mark, FileCategory, &str)] = &[
    (MimeType("application/vnd.oasis.opendocument.spreadsheet"), FileCategory::Document, "a spreadsheet of LibreOffice"),
    (MimeType("application/vnd.oasis.opendocument.graphics"),    FileCategory::Picture,  "a drawing of LibreOffice"),
    (MimeType("application/vnd.oasis.opendocument."),            FileCategory::Document, "a document of LibreOffice without text"),
    (MimeType("application/x-krita"),        FileCategory::Picture,  "a Krita painting"),
    (MimeType("image/openraster"),           FileCategory::Picture,  "an OpenRaster picture"),
    (ContentType("spreadsheetml"),           FileCategory::Document, "an Excel workbook"),
    (ContentType("ms-excel"),                FileCategory::Document, "an Excel workbook"),
    (ContentType("ms-visio"),                FileCategory::Picture,  "a Visio drawing"),
    (Part("xl/"),                            FileCategory::Document, "an Excel workbook"),
    (Part("visio/"),                         FileCategory::Picture,  "a Visio drawing"),
    (Part("FixedDocSeq.fdseq"),              FileCategory::Document, "an XPS document"),
    (Part("FixedDocumentSequence.fdseq"),    FileCategory::Document, "an XPS document"),
    (Part("AndroidManifest.xml"),            FileCategory::Program,  "an Android app"),
    (Part("Index/Document.iwa"),             FileCategory::Document, "a document of Pages, Numbers or Keynote"),
    (Part("Index.zip"),                      FileCategory::Document, "a document of Pages, Numbers or Keynote"),
    (Part("Payload/"),                       FileCategory::Program,  "an iPhone app"),
    (Part("META-INF/MANIFEST.MF"),           FileCategory::Program,  "a Java archive"),
    (Part("doc.kml"),                        FileCategory::Document, "a Google Earth map"),
];

/// Returns the kind of the first mark that an archive has.
fn with_mark(mut has: impl FnMut(Mark) -> bool) -> Option<ArchiveKind> {
    if let Some(kind) = Kind::with_mark(&mut has) {
        return Some(Ok(kind));
    }
    let (_, holds, found) = NO_TEXTS.iter().find(|(mark, ..)| has(*mark))?;
    Some(Err((*holds, *found)))
}

/// Returns the kind of a ZIP archive. For a truncated one, it is the kind that its first parts
/// belong to, so that it is refused as a damaged document.
pub(super) fn kind_of_archive(bytes: &[u8]) -> ArchiveKind {
    let Ok(mut zip) = ZipArchive::new(Cursor::new(bytes)) else { return kind_of_truncated(bytes) };
    let mut part = |name: &str| {
        let file = zip.index_for_name_raw(name.as_bytes()).and_then(|at| zip.by_index(at).ok())?;
        let mut read = Vec::new();
        file.take(MAX_IDENTIFYING_PART_LENGTH).read_to_end(&mut read).ok()?;
        Some(String::from_utf8_lossy(&read).into_owned())
    };
    let by_mimetype = part("mimetype").and_then(|mimetype| by_mimetype(mimetype.trim()));
    let by_type = |types: String| types.split('"').find_map(by_content_type);
    by_mimetype
        .or_else(|| part("[Content_Types].xml").and_then(by_type))
        .or_else(|| by_names(&zip.file_names_raw().collect::<Vec<_>>()))
        .unwrap_or(Err((FileCategory::Archive, "a ZIP archive")))
}

/// Returns the kind of an archive whose central directory, at its end, is lost, from the local
/// headers in front of the parts.
fn kind_of_truncated(bytes: &[u8]) -> ArchiveKind {
    let mut names = Vec::new();
    for at in memmem::find_iter(bytes, b"PK\x03\x04") {
        let Some((header, rest)) = bytes[at..].split_at_checked(30) else { continue };
        let length = usize::from(u16::from_le_bytes([header[26], header[27]]));
        let extra = usize::from(u16::from_le_bytes([header[28], header[29]]));
        let Some((name, rest)) = rest.split_at_checked(length) else { continue };
        if name == b"mimetype" && names.is_empty() {
            let stored = rest.get(extra..).unwrap_or_default();
            let stored = String::from_utf8_lossy(&stored[..stored.len().min(100)]);
            return by_mimetype(&stored).unwrap_or(Ok(Kind::Odt));
        }
        names.push(name);
    }
    let is_office = |name: &&[u8]| *name == b"[Content_Types].xml" || name.starts_with(b"word/");
    let is_word = || names.iter().any(is_office).then_some(Ok(Kind::Docx));
    by_names(&names)
        .or_else(is_word)
        .unwrap_or(Err((FileCategory::Archive, "a damaged ZIP archive")))
}

fn by_mimetype(mimetype: &str) -> Option<ArchiveKind> {
    with_mark(|mark| matches!(mark, MimeType(start) if mimetype.starts_with(start)))
}

fn by_content_type(name: &str) -> Option<ArchiveKind> {
    // The type of a main part ends in `main+xml`, or in `main` for a binary workbook.
    let is_main = matches!(name.rsplit_once('.'), Some((_, "main+xml" | "main")));
    with_mark(|mark| matches!(mark, ContentType(part) if is_main && name.contains(part)))
}

fn by_names(names: &[&[u8]]) -> Option<ArchiveKind> {
    let is_there = |start: &str| names.iter().any(|name| name.starts_with(start.as_bytes()));
    with_mark(|mark| matches!(mark, Part(start) if is_there(start)))
}

/// The largest number of bytes that are read to find the central directory of a ZIP archive, which
/// is kept in memory, and to read it. That of a million files takes half as much.
const MAX_DIRECTORY_SIZE: u64 = 200_000_000;

/// A reader that fails once more bytes were read from it than `left` permits.
struct Limited<'l, R> {
    reader: R,
    left: &'l Cell<u64>,
}

impl<R: Read> Read for Limited<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.reader.read(buffer)?;
        let left = self.left.get().checked_sub(read as u64);
        self.left.set(left.ok_or_else(|| io::Error::other("too long"))?);
        Ok(read)
    }
}

impl<R: Seek> Seek for Limited<'_, R> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.reader.seek(to)
    }
}

/// Calls `each` on the files of a ZIP archive, in order, up to the first error. Directories are
/// skipped. Of several files with one name only the last can be read; the others are reported as
/// one that cannot be read. Of the archive, only the central directory is kept in memory.
///
/// # Errors
///
/// Returns [`ExtractError::Damaged`] if the archive cannot be opened, or the error of `each`.
pub fn zip_members(
    archive: impl Read + Seek,
    each: impl FnMut(ZipMember) -> Result<(), ExtractError>,
) -> Result<(), ExtractError> {
    zip_members_within(MAX_DIRECTORY_SIZE, archive, each)
}

/// Same as [`zip_members`], with the largest number of bytes of the central directory.
fn zip_members_within(
    max_bytes: u64,
    archive: impl Read + Seek,
    mut each: impl FnMut(ZipMember) -> Result<(), ExtractError>,
) -> Result<(), ExtractError> {
    let damaged =
        |found: &str| ExtractError::Damaged { kind: "ZIP archive", found: found.to_owned() };
    let no_directory = || damaged("cut off, or the list of its files is damaged");
    let left = Cell::new(max_bytes);
    let open = |reader| ZipArchive::new(reader).map_err(|_| no_directory());
    let mut archive = open(Limited { reader: archive, left: &left })?;
    if archive.has_duplicate_names() {
        let start = archive.central_directory_start();
        let mut reader = archive.into_inner();
        let mut directory = Vec::new();
        left.set(u64::MAX);
        let read = reader
            .seek(SeekFrom::Start(start))
            .and_then(|_| reader.by_ref().take(max_bytes).read_to_end(&mut directory));
        read.map_err(|_| no_directory())?;
        let repeated = repeated_names(&directory);
        if repeated.is_empty() {
            return Err(damaged("several files with the same name"));
        }
        for (name, count) in repeated {
            let name = String::from_utf8_lossy(name).into_owned();
            let found = format!("{count} files have this name, and only the last is read");
            each(ZipMember::Lost { name, reason: ExtractError::NotRead { found } })?;
        }
        archive = open(reader)?;
    }
    left.set(u64::MAX);
    for at in 0..archive.len() {
        let named = archive.name_for_index(at).and_then(Result::ok);
        let named = named.map(std::borrow::Cow::into_owned);
        let mut file = match archive.by_index(at) {
            Ok(file) => file,
            Err(error) => {
                let name = named.unwrap_or_default();
                let found = describe(&error).to_owned();
                let reason = match error {
                    ZipError::UnsupportedArchive(ZipError::PASSWORD_REQUIRED) => {
                        ExtractError::Locked { kind: "ZIP archive" }
                    }
                    _ if found == OTHER_METHOD => ExtractError::NotRead { found },
                    _ => ExtractError::Damaged { kind: "file of an archive", found },
                };
                each(ZipMember::Lost { name, reason })?;
                continue;
            }
        };
        if file.is_dir() {
            continue;
        }
        let is_link = file.is_symlink();
        let name = name_of_member(named, file.name_raw());
        let bytes = file.size();
        each(ZipMember::File { name, is_link, bytes, file: &mut file })?;
    }
    Ok(())
}

/// Returns the names that occur more than once in the central directory of a ZIP archive, each with
/// its count; sorted by name.
fn repeated_names(directory: &[u8]) -> Vec<(&[u8], usize)> {
    let mut names: BTreeMap<&[u8], usize> = BTreeMap::new();
    let mut rest = Some(directory);
    while let Some((header, behind)) = rest.and_then(|rest| rest.split_at_checked(46)) {
        let length = |at: usize| usize::from(u16::from_le_bytes([header[at], header[at + 1]]));
        let name = behind.get(..length(28)).filter(|_| header.starts_with(b"PK\x01\x02"));
        let Some(name) = name else { break };
        *names.entry(name).or_default() += 1;
        rest = behind.get(length(28) + length(30) + length(32)..);
    }
    names.into_iter().filter(|(_, count)| *count > 1).collect()
}

/// Returns the name of a file of a ZIP archive. `decoded` is the name as the archive decodes it:
/// according to its UTF-8 flag, else from code page 437. But macOS writes UTF-8 without setting the
/// flag, so a `written` name that is valid UTF-8 beyond ASCII is kept: letters in code page 437 are
/// not valid UTF-8.
fn name_of_member(decoded: Option<String>, written: &[u8]) -> String {
    match str::from_utf8(written) {
        Ok(name) if !name.is_ascii() => name.to_owned(),
        _ => decoded.unwrap_or_else(|| String::from_utf8_lossy(written).into_owned()),
    }
}

#[cfg(test)]
pub(super) mod tests;
