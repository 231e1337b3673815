//! A document of Word → its text.
//!
//! Goes in: an Office Open XML document (ECMA-376), as the standard has it or in its strict
//! form. Comes out: its paragraphs, cells and text boxes in their order, then the footnotes
//! and the endnotes that it refers to, each once: between the words of a sentence they would
//! part it, and at the end they stand alike wherever pages break. Headers and footers are left
//! out: they repeat on every page and are no part of what is read. So are comments, changes
//! that are marked as deleted, and the codes of fields, but not what the fields show. A note
//! that nothing refers to is hidden text.

mod body;

use super::archive::Archive;
use super::xml::{Reader, decode};
use super::{Bounds, Extracted, Refusal};
use body::Relations;
use body::Styles;
use body::{Body, NoteKind};

const KIND: &str = "docx";

/// Reads the text of a document of Word.
///
/// # Errors
///
/// A [`Refusal`] where the document or a part of its text cannot be had.
pub(crate) fn text(bytes: &[u8], bounds: &Bounds) -> Result<Extracted, Refusal> {
    let mut archive = Archive::open(bytes, KIND, bounds)?;
    let top = Relations::of("", &mut archive)?;
    let main = top.target("officeDocument").unwrap_or("word/document.xml").to_owned();
    let document = decode(archive.need(&main)?, KIND, &main)?;
    let relations = Relations::of(&main, &mut archive)?;
    // Without its styles a document opens in Word, and shows all of its text.
    let styles = match relations.target("styles") {
        Some(name) => match archive.read(name)? {
            Some(bytes) => Styles::read(&mut Reader::new(&decode(bytes, KIND, name)?, KIND, name))?,
            None => Styles::default(),
        },
        None => Styles::default(),
    };
    let mut body = Body::new(&styles);
    body.read(&mut Reader::new(&document, KIND, &main))?;
    drop(document);
    for kind in [NoteKind::Foot, NoteKind::End] {
        let notes = match relations.target(kind.part()) {
            Some(name) => (name, archive.read(name)?),
            None => (kind.part(), None),
        };
        match notes {
            (name, Some(notes)) => {
                body.read(&mut Reader::new(&decode(notes, KIND, name)?, KIND, name))?;
            }
            (name, None) if body.refers_to(kind) => {
                return Err(archive.damaged(format!("no part {name}")));
            }
            _ => {}
        }
    }
    Ok(body.finish())
}

#[cfg(test)]
mod tests;
