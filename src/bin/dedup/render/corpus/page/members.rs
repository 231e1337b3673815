//! The pairs → the texts that are in one, each with the closest other.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use crate::render::corpus::page::found::{Found, shade};
use crate::words::{decimal, thousands};

/// The most texts in the list.
pub(crate) const MOST: usize = 1_000;

/// A text that is in a pair.
#[derive(Debug)]
pub(crate) struct Member {
    pub(crate) name: String,
    pub(crate) words: String,
    pub(crate) pairs: String,
    /// The closest other text.
    pub(crate) closest: String,
    pub(crate) jaccard: String,
    pub(crate) shade: usize,
    /// The address of the pair with it.
    pub(crate) address: Option<String>,
}

/// How many texts are in a pair, and those in most pairs, of as many those with a closer one
/// first.
pub(crate) fn members(found: &Found) -> (usize, Vec<Member>) {
    let pairs = found.rows.iter().map(|row| [row.pair.a, row.pair.b]);
    let counts = counts(pairs);
    let most = counts.iter().take(MOST).map(|(text, count)| {
        let row = &found.rows[count.first];
        let other = if row.pair.a == *text { row.pair.b } else { row.pair.a };
        let jaccard = row.pair.all.jaccard();
        Member {
            name: found.name(*text),
            words: thousands(found.answer.document(*text).words),
            pairs: thousands(count.pairs),
            closest: found.name(other),
            jaccard: jaccard.map_or("none".to_owned(), decimal),
            shade: shade(jaccard),
            address: found.address(count.first + 1),
        }
    });
    (counts.len(), most.collect())
}

/// The pairs that a text is in.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
struct Count {
    pairs: usize,
    /// The place of the closest.
    first: usize,
}

fn counts(pairs: impl Iterator<Item = [u32; 2]>) -> Vec<(u32, Count)> {
    let mut counts: BTreeMap<u32, Count> = BTreeMap::new();
    for (first, texts) in pairs.enumerate() {
        for text in texts {
            counts.entry(text).or_insert(Count { pairs: 0, first }).pairs += 1;
        }
    }
    let mut counts: Vec<(u32, Count)> = counts.into_iter().collect();
    counts.sort_by_key(|(text, count)| (Reverse(count.pairs), count.first, *text));
    counts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn those_in_most_pairs_come_first() {
        let count = |text, pairs, first| (text, Count { pairs, first });
        let found = counts([[7, 8], [1, 2], [1, 3], [7, 9]].into_iter());
        let want = [
            count(7, 2, 0),
            count(1, 2, 1),
            count(8, 1, 0),
            count(2, 1, 1),
            count(3, 1, 2),
            count(9, 1, 3),
        ];
        assert_eq!(found, want);
    }
}
