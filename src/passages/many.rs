//! Finds the pairs of texts, among many, that share a passage.
//!
//! Input: the words of each text, in the form that [`find_whole`](super::find_whole) takes. Output: for every
//! two texts, whether they share a passage, and how much of them their passages cover. The results
//! are the same as those of finding the passages of every two texts.
//!
//! 1. The words of all texts are numbered by one dictionary ([`Texts`]).
//! 2. An inverted index lists the stretches of three words in a row ([`Index`]).
//! 3. The minimum size of a passage restricts the texts that may share one (`scan`). These
//!    candidates are a superset: none is missed.
//! 4. The passages of the candidates are found pair by pair, on several threads
//!    ([`Candidates::passages`]).
//!
//! [`Index::widespread`] lists the passages that many texts have in common: every two of them are a
//! pair.

mod common;
mod index;
mod query;
mod reworded;
mod scan;
mod shared;

pub use common::least_texts;
pub use index::Index;
pub use index::Texts;
pub use query::{Lists, Query, least_worth, occurrences};
pub use shared::{Amount, Candidate, Candidates, PairPassages};

#[cfg(test)]
mod tests;
