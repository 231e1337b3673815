//! Replaces the module `documents` in builds without that feature: refuses every file that it would
//! read.

use std::io::{Read, Seek};

use super::{Bounds, ExtractError, Extracted, Kind, MarkupOptions, ZipMember};

/// Refuses a document that is not stored as plain characters. Returns an empty text for all other
/// kinds.
pub(crate) fn document(kind: Kind, _: &[u8], _: &Bounds) -> Result<Extracted, ExtractError> {
    if !kind.is_document() {
        return Ok(Extracted::default());
    }
    Err(ExtractError::NotBuiltIn { kind: kind.described() })
}

/// Refuses a web page.
pub(crate) fn page(_: &str, _: &MarkupOptions) -> Result<Extracted, ExtractError> {
    Err(ExtractError::NotBuiltIn { kind: "a web page" })
}

/// Returns `false`, since no web page is read.
pub(super) fn hides(_: &str) -> bool {
    false
}

/// Returns `None`, since no web page is read.
pub(crate) fn declared_encoding(_: &[u8]) -> Option<&str> {
    None
}

/// Refuses a ZIP archive, since its contents are unknown.
pub(super) fn of_archive(_: &[u8]) -> Result<Kind, ExtractError> {
    Err(ExtractError::NotBuiltIn { kind: "a ZIP archive, or a document in one such as docx" })
}

/// Refuses a ZIP archive.
///
/// # Errors
///
/// Always returns [`ExtractError::NotBuiltIn`].
pub fn zip_members(
    _: impl Read + Seek,
    _: impl FnMut(ZipMember) -> Result<(), ExtractError>,
) -> Result<(), ExtractError> {
    Err(ExtractError::NotBuiltIn { kind: "a ZIP archive" })
}
