//! What stands for documents where they are not built in: none of them is read.

use super::{Bounds, Extracted, Kind, Part, Refusal, ZipMember};

/// Refuses a document of a kind that holds its text in a form of its own; nothing of others.
pub(crate) fn document(kind: Kind, _: &[u8], _: &Bounds) -> Result<Extracted, Refusal> {
    let kind = match kind {
        Kind::Docx | Kind::Odt | Kind::Odp | Kind::Pptx | Kind::Epub => {
            "a document in a ZIP archive"
        }
        Kind::Doc => "an old Word document",
        Kind::Pdf => "a PDF",
        Kind::Rtf => "a document in Rich Text Format",
        Kind::Plain | Kind::Html | Kind::Markdown | Kind::Latex | Kind::Notebook | Kind::Files => {
            return Ok(Extracted::default());
        }
    };
    Err(Refusal::NotBuiltIn { kind })
}

/// Refuses a web page.
pub(crate) fn page(_: &str, _: Part, _: &Bounds) -> Result<Extracted, Refusal> {
    Err(Refusal::NotBuiltIn { kind: "a web page" })
}

/// No page is read.
pub(crate) fn declared_encoding(_: &[u8]) -> Option<&str> {
    None
}

/// Refuses a ZIP archive: what is in it is not known.
pub(super) fn of_archive(_: &[u8]) -> Result<Kind, Refusal> {
    Err(Refusal::NotBuiltIn { kind: "a ZIP archive, or a document in one such as docx" })
}

/// Refuses a ZIP archive.
///
/// # Errors
///
/// [`Refusal::NotBuiltIn`], as `refused` has it.
pub fn zip_members<E>(
    _: Vec<u8>,
    refused: impl Fn(Refusal) -> E,
    _: impl FnMut(ZipMember) -> Result<(), E>,
) -> Result<(), E> {
    Err(refused(Refusal::NotBuiltIn { kind: "a ZIP archive" }))
}
