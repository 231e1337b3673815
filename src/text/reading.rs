//! How a text is read, and how that is known.

use super::Encoding;
use crate::text::formats::{Bounds, Part};

/// How a file is read.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct Reading {
    /// The most bytes it may have; any number for none.
    pub most: Option<u64>,
    /// The encoding, where it is given. Documents that name their own keep it.
    pub encoding: Option<Encoding>,
    /// Whether bytes that the encoding does not allow are replaced by U+FFFD.
    pub lossy: bool,
    /// What of a web page is its text.
    pub html: Html,
    /// What is read as Markdown: by its name, what is called `.md` or `.markdown`. It comes before
    /// all other kinds of text that are told by their characters.
    pub markdown: Markup,
    /// What is read as LaTeX: by its name, what is called `.tex` or `.ltx`, and what begins as a
    /// document in LaTeX.
    pub latex: Markup,
    /// Whether the name says nothing of what it is, as the id of a record does not.
    pub nameless: bool,
    /// How far a document is opened.
    pub bounds: Bounds,
}

/// What of a web page is its text.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum Html {
    /// The main content, or all where there is none.
    #[default]
    Main,
    /// All of the body but navigation, header and footer.
    All,
    /// The page's source, as plain text.
    Off,
}

impl Html {
    /// The part of a page that is read; of its source, all.
    pub(super) fn part(self) -> Part {
        match self {
            Self::Main => Part::Main,
            Self::All | Self::Off => Part::All,
        }
    }
}

/// What is read as a text with marks of some kind.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum Markup {
    /// What is known to be one by its name.
    #[default]
    Auto,
    /// Every text that is no document of another kind.
    On,
    /// Nothing.
    Off,
}

/// One of the two texts that are compared.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Side {
    /// The first one named.
    Left,
    /// The second one named.
    Right,
}

/// How the encoding of a text is known.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum EncodingBy {
    /// A byte order mark says so.
    Mark,
    /// The bytes are valid in it, are most likely meant so, or name it.
    #[default]
    Content,
    /// The user said so.
    Given,
}
