//! Many texts → the pairs of them that share a passage.
//!
//! Goes in: the words of each text as [`find`](super::find) takes them. Comes out: for each two
//! texts whether they share a passage, and how much of them their passages are; as many as
//! finding them for each two would give.
//!
//! 1. The words of all texts get numbers of one dictionary ([`Texts`]).
//! 2. The stretches of three words in a row are looked up by what they are ([`Index`]).
//! 3. What a passage needs at least says which texts may share one (`scan`): a superset,
//!    without a miss.
//! 4. Their passages are found one pair after the other, on several threads ([`Index::shared`]).
//!
//! A notice that many texts have makes each two of them share a passage. What more than a share
//! of the texts have ([`Index::widespread`]) can be left out of account: a passage then counts if
//! what is left of it would still be one.

mod common;
mod index;
mod query;
mod scan;
mod shared;

pub use common::{Listed, Widespread, least_texts};
pub use index::Index;
pub use index::Texts;
pub use query::{Lists, Query, least_worth, occurrences};
pub use shared::{Amount, Counting, PairPassages, Shared, TooMany};

#[cfg(test)]
mod tests;
