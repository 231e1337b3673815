//! A document's bytes → the text that its reader sees.
//!
//! Goes in: the bytes of a file, and how far it may be unpacked. Comes out: its kind, and
//! its words in the order they are read, parted as they are on the page. The room knows
//! neither paths nor what becomes of the text; words that no reader sees are set apart.

mod archive;
mod docx;
mod epub;
mod flow;
#[cfg_attr(
    not(test),
    expect(dead_code, unused_imports, reason = "the text's door does not ask for it yet")
)]
mod html;
mod kind;
mod look;
mod notebook;
mod odt;
mod pdf;
mod refusal;
mod rtf;
mod xml;

use std::time::Duration;

pub use html::Part;
pub use kind::Kind;
pub use refusal::Refusal;

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
}

impl Default for Bounds {
    fn default() -> Self {
        Self { unpacked: Some(1_000_000_000), time: Some(Duration::from_secs(20)) }
    }
}
