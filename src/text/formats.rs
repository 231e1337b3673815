//! A document's bytes → the text that its reader sees.
//!
//! Goes in: the bytes of a file, and how far it may be unpacked. Comes out: its kind, and
//! its words in the order they are read, parted as they are on the page. The module knows
//! neither paths nor what becomes of the text; words that no reader sees are set apart.

mod archive;
mod docx;
mod epub;
mod flow;
mod html;
mod kind;
mod latex;
mod markdown;
mod notebook;
mod odt;
mod pdf;
mod pptx;
mod refusal;
mod rtf;
mod xml;

use std::ops::Range;
use std::time::Duration;

use crate::text::source_map::Excerpt;
pub use html::Part;
pub use kind::Kind;
pub(crate) use kind::foreign;
pub use refusal::{Foreign, Refusal};

/// What a byte of a web page counts as that it unpacks to: of tags alone, its tree takes 24.
const TREE: u64 = 8;

/// How far documents are opened.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Bounds {
    /// The most bytes that one may unpack to; any number for none.
    pub unpacked: Option<u64>,
    /// The longest that a program which reads one may run; any time for none.
    pub time: Option<Duration>,
}

/// The text of a document.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Extracted {
    /// What its reader sees: paragraphs end with a line end, cells of a table with a tab or
    /// a line end. It may be empty, and hold a NUL only where the document does.
    pub content: String,
    /// Words that the document holds and does not show, piece by piece, in their order.
    pub hidden: Vec<String>,
    /// Where the content holds block quotations, in bytes, increasing; none within another.
    pub quotes: Vec<Range<usize>>,
    /// What the program that read the document complained of, where some of its text may be
    /// missing; as it follows on the document's name.
    pub damage: Option<String>,
}

impl Default for Bounds {
    fn default() -> Self {
        Self { unpacked: Some(200_000_000), time: Some(Duration::from_secs(20)) }
    }
}

/// Reads a document of a kind that holds its text in a form of its own; nothing of others.
///
/// # Errors
///
/// A [`Refusal`] where its text cannot be had.
pub(crate) fn document(kind: Kind, bytes: &[u8], bounds: &Bounds) -> Result<Extracted, Refusal> {
    match kind {
        Kind::Docx => docx::text(bytes, bounds),
        Kind::Odt => odt::text("odt", bytes, bounds),
        Kind::Odp => odt::text("odp", bytes, bounds),
        Kind::Pptx => pptx::text(bytes, bounds),
        Kind::Epub => epub::text(bytes, bounds, &|page| {
            let read = xml::decode(page.to_vec(), "epub", "a page")?;
            self::page(&read, Part::All, bounds)
        }),
        Kind::Pdf => pdf::text(bytes, bounds),
        Kind::Rtf => rtf::text(bytes),
        Kind::Plain | Kind::Html | Kind::Markdown | Kind::Latex | Kind::Notebook | Kind::Files => {
            Ok(Extracted::default())
        }
    }
}

/// Reads a web page, whose tree counts as [`TREE`] times its bytes that it unpacks to.
///
/// # Errors
///
/// A [`Refusal`] where its text cannot be had.
pub(crate) fn page(page: &str, part: Part, bounds: &Bounds) -> Result<Extracted, Refusal> {
    match bounds.unpacked {
        Some(most) if page.len() as u64 * TREE > most => Err(Refusal::TooLarge { most }),
        _ => html::read(page, part),
    }
}

/// The name of the encoding that bytes say they are in, where they begin as a web page.
pub(crate) fn declared_encoding(bytes: &[u8]) -> Option<&str> {
    html::is_html(bytes).then(|| html::declared_encoding(bytes)).flatten()
}

/// The name of the encoding that a document in LaTeX says it is in.
pub(crate) fn declared_encoding_of_latex(bytes: &[u8]) -> Option<&str> {
    latex::declared_encoding(bytes)
}

/// Reads LaTeX: its text, and where that holds block quotations, in bytes.
///
/// # Errors
///
/// A [`Refusal`] where it unpacks to more than is allowed.
pub(crate) fn latex(
    source: &str,
    bounds: &Bounds,
) -> Result<(Excerpt, Vec<Range<usize>>), Refusal> {
    latex::read(source, bounds.unpacked)
}

/// Reads Markdown.
pub(crate) fn markdown(source: &str) -> Excerpt {
    markdown::read(source)
}

/// Reads a notebook.
///
/// # Errors
///
/// A [`Refusal`] where it is damaged.
pub(crate) fn notebook(json: &str) -> Result<String, Refusal> {
    notebook::text(json, &|cell| markdown::read(cell).into_parts().0)
}
