//! A whole text ↔ bytes that are stored of it, so that passages can be looked for in it.

use std::io::{Read, Write};

use flate2::Compression;
use flate2::read::DeflateDecoder;
use flate2::write::DeflateEncoder;

use crate::passages::Words;
use crate::passages::many::{least_worth, occurrences};
use crate::text::Text;

/// What is stored of a text besides its shingles.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Content {
    /// The text with its content, packed.
    pub(super) packed: Vec<u8>,
    /// The keys of its stretches and where they begin: see [`occurrences`].
    pub(super) stretches: Vec<(u64, u32)>,
    /// What the word is worth that is worth least.
    pub(super) least_worth: u8,
}

impl Content {
    /// Of a text and the words that count of it; none of one that cannot be stored.
    pub fn new(text: &Text, words: &Words) -> Option<Self> {
        let record = postcard::to_stdvec(text).ok()?;
        let mut encoder = DeflateEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(&record).ok()?;
        let packed = encoder.finish().ok()?;
        Some(Self { packed, stretches: occurrences(words), least_worth: least_worth(words) })
    }
}

/// The text; none where the bytes are not of one.
pub(super) fn unpacked(packed: &[u8]) -> Option<Text> {
    let mut record = Vec::with_capacity(3 * packed.len());
    DeflateDecoder::new(packed).read_to_end(&mut record).ok()?;
    postcard::from_bytes(&record).ok()
}
