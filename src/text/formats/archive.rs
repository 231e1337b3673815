//! A document's bytes → the parts that are packed in it, by their names.
//!
//! Goes in: a ZIP archive in memory. Comes out: the bytes of one part at a time, counted
//! while they unpack, whatever sizes the archive declares. A name is looked up as it
//! stands and never becomes a path; nothing is written to the disk.

mod kind;

use std::io::{self, Cursor, Read};

use zip::ZipArchive;
use zip::result::ZipError;

use super::{Bounds, Refusal};
pub(crate) use kind::{ArchiveKind, kind_of_archive};

/// A document of several parts, opened, with what it may still unpack to.
pub(super) struct Archive<'a> {
    zip: ZipArchive<Cursor<&'a [u8]>>,
    kind: &'static str,
    most: Option<u64>,
    /// Bytes that were unpacked so far, of all parts together.
    unpacked: u64,
}

impl<'a> Archive<'a> {
    /// Opens a document of a kind that is named for people: `docx`.
    ///
    /// # Errors
    ///
    /// [`Refusal::Damaged`] where it is cut, is no archive or has two parts of one name: which
    /// of them is read differs from program to program.
    pub(super) fn open(
        bytes: &'a [u8],
        kind: &'static str,
        bounds: &Bounds,
    ) -> Result<Self, Refusal> {
        let damaged = |found: &str| Refusal::Damaged { kind, found: found.to_owned() };
        let zip = ZipArchive::new(Cursor::new(bytes))
            .map_err(|_| damaged("cut, or no list of its parts"))?;
        if zip.has_duplicate_names() {
            return Err(damaged("two parts of one name"));
        }
        Ok(Self { zip, kind, most: bounds.unpacked, unpacked: 0 })
    }

    /// Whether there is a part of the name.
    pub(super) fn has(&self, name: &str) -> bool {
        self.zip.index_for_name_raw(name.as_bytes()).is_some()
    }

    /// Unpacks a part; none where there is no part of the name.
    ///
    /// # Errors
    ///
    /// [`Refusal::TooLarge`], [`Refusal::Locked`] or [`Refusal::Damaged`].
    pub(super) fn read(&mut self, name: &str) -> Result<Option<Vec<u8>>, Refusal> {
        let Some(index) = self.zip.index_for_name_raw(name.as_bytes()) else { return Ok(None) };
        let left = self.most.map_or(u64::MAX, |most| most - self.unpacked);
        let mut part = Vec::new();
        let unpacked = self.zip.by_index(index).and_then(|file| {
            file.take(left.saturating_add(1)).read_to_end(&mut part).map_err(ZipError::Io)
        });
        match (unpacked, self.most) {
            (Ok(read), Some(most)) if read as u64 > left => Err(Refusal::TooLarge { most }),
            (Ok(read), _) => {
                self.unpacked += read as u64;
                Ok(Some(part))
            }
            (Err(ZipError::UnsupportedArchive(ZipError::PASSWORD_REQUIRED)), _) => {
                Err(Refusal::Locked { kind: self.kind })
            }
            (Err(error), _) => Err(self.damaged(format!("{name}: {}", trouble(&error)))),
        }
    }

    /// Unpacks a part without which the document is none.
    ///
    /// # Errors
    ///
    /// As [`read`](Self::read), and [`Refusal::Damaged`] where there is no part of the name.
    pub(super) fn need(&mut self, name: &str) -> Result<Vec<u8>, Refusal> {
        self.read(name)?.ok_or_else(|| self.damaged(format!("no part {name}")))
    }

    /// The trouble with the document, for people.
    pub(super) fn damaged(&self, found: String) -> Refusal {
        Refusal::Damaged { kind: self.kind, found }
    }

    /// The document's kind, for people.
    pub(super) fn kind(&self) -> &'static str {
        self.kind
    }
}

/// What is wrong with a part, for people.
fn trouble(error: &ZipError) -> &'static str {
    match error {
        ZipError::Io(error) if error.kind() == io::ErrorKind::UnexpectedEof => "cut",
        ZipError::Io(error) if error.kind() == io::ErrorKind::Unsupported => OTHER_METHOD,
        ZipError::CompressionMethodNotSupported(_) => OTHER_METHOD,
        _ => "does not unpack",
    }
}

const OTHER_METHOD: &str = "packed in a way that is not read";

/// The name that a reference from one part to another means: from the folder of the part,
/// or from the top where it begins with a slash. None where it leads out of the archive.
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

#[cfg(test)]
pub(super) mod tests;
