//! How a text is read, and how that is known.

use super::Encoding;
use crate::extract::Bounds;

/// How a file is read.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct Reading {
    /// The most bytes it may have; any number for none.
    pub most: Option<u64>,
    /// The encoding, where it is given. Documents that name their own keep it.
    pub encoding: Option<Encoding>,
    /// Whether bytes that the encoding does not allow are replaced by U+FFFD.
    pub lossy: bool,
    /// How far a document is opened.
    pub bounds: Bounds,
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
