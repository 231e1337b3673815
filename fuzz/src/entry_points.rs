//! The entry points. Each takes arbitrary bytes, and panics if they violate an invariant.

mod collisions;
mod common_stretches;
mod counts;
mod documents;
mod indexes;
mod large;
mod pairs;
mod reading;
mod spans;
mod spoken;

use std::path::Path;

use dedup_text::text::Text;

pub use collisions::collisions;
pub use common_stretches::template_share;
pub use counts::{counts, keys};
pub use documents::office;
pub use indexes::index;
pub use large::{large_markdown, large_office, large_page};
pub use pairs::{pair, passages};
pub use reading::{latex, markdown, notebook, page, rtf, text};
pub use spans::spans;
pub use spoken::words;

/// Returns those of the first `limit` texts, separated by NULs, that can be read. Their names are
/// their numbers.
fn nul_separated(bytes: &[u8], limit: usize) -> Vec<Text> {
    let texts = bytes.split(|byte| *byte == 0).zip(0..).take(limit);
    let read = |(content, number): (&[u8], usize)| {
        let content = String::from_utf8_lossy(content).into_owned();
        Text::from_bytes(Path::new(&number.to_string()), content.into_bytes()).ok()
    };
    texts.filter_map(read).collect()
}

/// All entry points, with their names.
pub const ENTRY_POINTS: [(&str, fn(&[u8])); 19] = [
    ("text", text),
    ("page", page),
    ("markdown", markdown),
    ("latex", latex),
    ("office", office),
    ("rtf", rtf),
    ("notebook", notebook),
    ("words", words),
    ("pair", pair),
    ("passages", passages),
    ("template_share", template_share),
    ("spans", spans),
    ("counts", counts),
    ("keys", keys),
    ("index", index),
    ("large_markdown", large_markdown),
    ("large_page", large_page),
    ("large_office", large_office),
    ("collisions", collisions),
];

/// Splits an input at NULs into parts of text. Missing parts are empty; the last part keeps its
/// NULs as spaces.
fn parts<const PARTS: usize>(bytes: &[u8]) -> [String; PARTS] {
    let mut parts = bytes.splitn(PARTS, |byte| *byte == 0);
    std::array::from_fn(|_| {
        String::from_utf8_lossy(parts.next().unwrap_or_default()).replace('\0', " ")
    })
}
