//! A document of `LibreOffice` Writer → its text.
//!
//! Goes in: an `OpenDocument` text (ISO/IEC 26300). Comes out: its paragraphs, cells and text
//! boxes in their order, then the footnotes, then the endnotes, as of a document of Word.
//! Headers and footers, comments, numbers of lists and changes that are marked as deleted are
//! left out.

mod body;

use super::archive::Archive;
use super::xml::{Event, Reader, decode};
use super::{Bounds, Extracted, Refusal};
use body::Body;
use body::Styles;

const KIND: &str = "odt";

/// Reads the text of a document of `LibreOffice` Writer.
///
/// # Errors
///
/// A [`Refusal`] where the document or a part of its text cannot be had.
pub(crate) fn text(bytes: &[u8], bounds: &Bounds) -> Result<Extracted, Refusal> {
    let mut archive = Archive::open(bytes, KIND, bounds)?;
    if is_locked(&mut archive)? {
        return Err(Refusal::Locked { kind: KIND });
    }
    let content = decode(archive.need("content.xml")?, KIND, "content.xml")?;
    let mut styles = Styles::default();
    if let Some(part) = archive.read("styles.xml")? {
        let common = decode(part, KIND, "styles.xml")?;
        styles.read(&mut Reader::new(&common, KIND, "styles.xml"))?;
    }
    styles.read(&mut Reader::new(&content, KIND, "content.xml"))?;
    let mut body = Body::new(&styles);
    body.read(&mut Reader::new(&content, KIND, "content.xml"))?;
    Ok(body.finish())
}

/// Whether the list of parts says that they are encrypted: the archive itself does not.
fn is_locked(archive: &mut Archive) -> Result<bool, Refusal> {
    let name = "META-INF/manifest.xml";
    let Some(part) = archive.read(name)? else { return Ok(false) };
    let manifest = decode(part, KIND, name)?;
    let mut reader = Reader::new(&manifest, KIND, name);
    while let Some(event) = reader.next()? {
        if matches!(event, Event::Open(element) if element.name() == "encryption-data") {
            return Ok(true);
        }
    }
    Ok(false)
}

#[cfg(test)]
mod tests;
