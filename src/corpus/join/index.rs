//! Which sets have a residue among their rarest.

use std::num::NonZeroUsize;

use super::columns::{self, Column};
use super::rarity::{Row, Token};
use crate::parallel;

/// A set that has a residue.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) struct Posting {
    /// The [low] bits of the residue: lists are shared by residues with the same top bits.
    pub(super) low: u32,
    /// Which set, in the order of size.
    pub(super) rank: u32,
    /// What is behind its token in the set.
    pub(super) rest: u32,
}

/// An inverted index in flat arrays: for each value of a residue's top bits, the sets that
/// have such a residue, by rank.
pub(super) struct Index {
    columns: Vec<Lists>,
    column_bits: u32,
    slot_bits: u32,
}

/// The lists of a column, end to end.
struct Lists {
    starts: Vec<u32>,
    postings: Vec<Posting>,
}

/// Tokens that are placed at a time, so that the places are near.
const COLUMN: usize = if cfg!(test) { 32 } else { 1 << 16 };

impl Index {
    /// Indexes the tokens of sets, in the order of their ranks, that have at least so much
    /// behind them.
    pub(super) fn of(sets: &[Row], least_rest: &[u32], threads: NonZeroUsize) -> Self {
        let count = sets.iter().zip(least_rest).map(|(row, least)| row.kept(*least).len()).sum();
        let column_bits = columns::bits(count, COLUMN);
        let slot_bits = (count.max(1).ilog2() + 1).saturating_sub(column_bits).max(1);
        let columns =
            columns::partition(sets, (column_bits, count), threads, |rank, row, partitions| {
                let kept = row.kept(least_rest[rank]).len();
                let rank = u32::try_from(rank).unwrap_or(u32::MAX);
                for (token, rest) in row.each().take(kept) {
                    let residue = token.residue();
                    let posting = Posting { low: low(token), rank, rest };
                    partitions
                        .give(residue, (columns::slot(residue, column_bits, slot_bits), posting));
                }
            });
        let columns = parallel::each(
            threads,
            columns,
            || (),
            |(), column| Lists::of(&column, 1 << slot_bits),
        );
        Self { columns, column_bits, slot_bits }
    }

    /// The sets that may have a token, by rank: all that have it, and some that have
    /// another with the same top bits.
    pub(super) fn list(&self, token: Token) -> &[Posting] {
        let residue = token.residue();
        let lists = &self.columns[columns::of(residue, self.column_bits)];
        let slot = columns::slot(residue, self.column_bits, self.slot_bits) as usize;
        lists.list(slot)
    }

    /// All lists.
    pub(super) fn lists(&self) -> impl Iterator<Item = &[Posting]> + Send {
        self.columns.iter().flat_map(|lists| (0..lists.starts.len() - 2).map(|it| lists.list(it)))
    }
}

impl Lists {
    fn of(column: &Column<(u32, Posting)>, slots: usize) -> Self {
        let mut starts = vec![0_u32; slots + 2];
        for (slot, _) in column.iter().flatten() {
            starts[*slot as usize + 2] += 1;
        }
        for slot in 2..starts.len() {
            starts[slot] += starts[slot - 1];
        }
        let count = column.iter().map(Vec::len).sum();
        let mut postings = vec![Posting { low: 0, rank: 0, rest: 0 }; count];
        for (slot, posting) in column.iter().flatten() {
            let end = &mut starts[*slot as usize + 1];
            postings[*end as usize] = *posting;
            *end += 1;
        }
        Self { starts, postings }
    }

    fn list(&self, slot: usize) -> &[Posting] {
        &self.postings[self.starts[slot] as usize..self.starts[slot + 1] as usize]
    }
}

/// What tells residues with the same top bits apart: bits 8 to 39.
pub(super) fn low(token: Token) -> u32 {
    let [.., a, b, c, d] = (token.residue() >> 8).to_be_bytes();
    u32::from_be_bytes([a, b, c, d])
}
