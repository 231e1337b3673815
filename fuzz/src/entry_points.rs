//! The entry points. Each takes arbitrary bytes, and panics if they violate an invariant.

mod documents;
mod indexes;
mod large;
mod pairs;
mod reading;
mod spoken;

pub use documents::office;
pub use indexes::index;
pub use large::{large_markdown, large_office, large_page};
pub use pairs::{pair, passages};
pub use reading::{latex, markdown, notebook, page, rtf, text};
pub use spoken::words;

/// All entry points, with their names.
pub const ENTRY_POINTS: [(&str, fn(&[u8])); 14] = [
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
    ("index", index),
    ("large_markdown", large_markdown),
    ("large_page", large_page),
    ("large_office", large_office),
];
