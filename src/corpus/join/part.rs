//! The join of [`join`](super::join()) in parts, for texts that no machine holds together.
//!
//! Each text is told by itself: its [keys](fn@keys) are its rarest residues and the
//! [blocks](fn@blocks) of its fingerprint. Of any pair that reaches a limit both have a key in
//! common. Whoever brings together those that do, and filters as [`keys`](mod@keys) says,
//! finds every pair. What is rare is known from [`Counts`], which parts of a corpus are
//! counted into one by one.

mod counts;
pub mod keys;

pub use counts::{Body, Counts, Form, NotCounts};
pub use keys::{Known, blocks, keys};
