//! Extracts the text of a PDF.
//!
//! Input: the bytes of a PDF. Output: its lines as on its pages, without running heads and page
//! numbers. A PDF places each letter where it is to be seen: `reader` joins letters into words and
//! lines, and [`process`] runs it where it cannot take the whole program with it. Words that no
//! reader sees are returned separately.

pub(super) mod process;
#[cfg(feature = "pdf")]
mod reader;
#[cfg(feature = "pdf")]
pub(super) mod serve;

use super::{Bounds, ExtractError, Extracted, PdfReading};

/// The kind of document, for messages.
const KIND: &str = "PDF";

/// Extracts the text of a PDF.
///
/// # Errors
///
/// Returns an [`ExtractError`] if its text cannot be extracted: [`ExtractError::OnlyPictures`] if
/// it does not have a single letter or digit, as in a PDF of scanned pages, and
/// [`ExtractError::NoPdfReader`] if PDFs are refused.
pub(crate) fn text(bytes: &[u8], bounds: &Bounds) -> Result<Extracted, ExtractError> {
    match bounds.pdfs {
        PdfReading::Refused => Err(ExtractError::NoPdfReader),
        #[cfg(feature = "pdf")]
        PdfReading::Here(folder) => serve::read(bytes, bounds.unpacked.unwrap_or(u64::MAX), folder),
        PdfReading::InProcesses(processes) => processes.read(bytes, bounds),
    }
}
