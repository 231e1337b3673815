//! A document's bytes → the text that its reader sees.
//!
//! Goes in: the bytes of a file, and how far it may be unpacked. Comes out: its kind, and
//! its words in the order they are read, parted as they are on the page. The module knows
//! neither paths nor what becomes of the text; words that no reader sees are set apart.

mod archive;
mod doc;
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
mod program;
mod rtf;
mod xml;

use std::io;
use std::ops::Range;
use std::time::Duration;

use crate::text::Properties;
use crate::text::marked::Marked;
use crate::text::source_map::Excerpt;
pub use html::Part;
pub use kind::Kind;
pub(crate) use kind::foreign;

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
    /// What the comments of a web page mark in the content.
    pub marked: Marked,
    /// Where its pages or slides begin in the content, in bytes, increasing; one without text begins
    /// where the next one does. Empty where its kind has none.
    pub pages: Vec<usize>,
    /// What the program that read the document complained of, where some of its text may be
    /// missing; as it follows on the document's name.
    pub damage: Option<String>,
    /// What the document says of those who wrote it.
    pub properties: Properties,
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
        Kind::Doc => doc::text(bytes, bounds),
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

// Why the text of a document cannot be had.

/// What files hold of a kind that is not read.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub enum Foreign {
    /// Text, or other files: a spreadsheet, an old Office document, an archive.
    Document,
    /// A picture.
    Picture,
    /// Sound or a film.
    Recording,
    /// A program, or a font.
    Program,
}

/// Why the text of a document cannot be had. The messages follow on the file's name.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Refusal {
    /// The document is cut, or not what its kind allows.
    #[error("damaged {kind}: {found}")]
    Damaged {
        /// The kind it is of: `docx`, `PDF`.
        kind: &'static str,
        /// What is wrong with it, for people.
        found: String,
    },

    /// It is of a kind that is not read.
    #[error("not a text: {found}, expected a text or a document of text")]
    Foreign {
        /// What files of the kind hold.
        holds: Foreign,
        /// The kind, with its article: "a ZIP archive".
        found: String,
    },

    /// It unpacks to more than is allowed.
    #[error("unpacks to more than the limit of {most} bytes")]
    TooLarge {
        /// The most bytes it may unpack to.
        most: u64,
    },

    /// Its elements stand inside one another too deeply.
    #[error("more than {most} elements inside one another, expected fewer")]
    TooDeep {
        /// The most there may be.
        most: usize,
    },

    /// It opens with a password only.
    #[error("{kind} locked by a password, expected one that opens without")]
    Locked {
        /// The kind it is of.
        kind: &'static str,
    },

    /// It holds pictures of pages and not one word.
    #[error("a {kind} without text: its pages are pictures")]
    OnlyPictures {
        /// The kind it is of.
        kind: &'static str,
    },

    /// The program that reads its kind is not installed.
    #[error("{kind}, which {program} reads: not found")]
    NoProgram {
        /// The kind it is of, with its article.
        kind: &'static str,
        /// The program's name.
        program: &'static str,
    },

    /// The program that reads its kind cannot be called, and no other.
    #[error("{kind}, which {program} reads: no program can be called here")]
    NoPrograms {
        /// The kind it is of, with its article.
        kind: &'static str,
        /// The program's name.
        program: &'static str,
    },

    /// The program that reads its kind could not be run.
    #[error("{kind}, which {program} reads: could not be run")]
    ProgramFailed {
        /// The kind it is of, with its article.
        kind: &'static str,
        /// The program's name.
        program: &'static str,
        /// What the system said.
        source: io::Error,
    },

    /// The program that reads its kind took too long.
    #[error("{program} did not finish in {seconds} s, expected it sooner")]
    TooSlow {
        /// The program's name.
        program: &'static str,
        /// The longest it may take.
        seconds: u64,
    },
}
