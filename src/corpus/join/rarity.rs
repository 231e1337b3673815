//! How often residues occur, roughly, and the order that follows: rarest first.

use std::num::NonZeroUsize;
use std::slice::Iter;

use super::columns::{self, Column};
use crate::parallel;

/// A rough count of how many sets have each residue, in [steps](step) of one byte.
///
/// Residues with the same top bits share a counter, so a count may be too high, and it
/// stops at 65,535. Any fixed order of the residues makes the filters exact; the count has
/// only to make the rare ones come first, and where it says one, no two sets share the
/// residue.
pub(super) struct Steps {
    columns: Vec<Column<u8>>,
    /// The top bits that are a column.
    bits: u32,
}

/// Residues that are counted at a time.
const COLUMN: usize = if cfg!(test) { 32 } else { 1 << 17 };

/// The bits that choose the counter within a column: 2¹⁹ of two bytes fit a cache.
const MOST_COUNTER_BITS: u32 = if cfg!(test) { 3 } else { 19 };

impl Steps {
    /// Counts the residues of increasing rows.
    pub(super) fn of(rows: &[&[u64]], threads: NonZeroUsize) -> Self {
        let residues: usize = rows.iter().map(|row| row.len()).sum();
        let bits = columns::bits(residues, COLUMN);
        let counter_bits = (residues.max(1).ilog2() + 2).min(MOST_COUNTER_BITS);
        let slots = columns::partition(rows, (bits, residues), threads, |_, row, partitions| {
            row.iter().for_each(|it| partitions.give(*it, columns::slot(*it, bits, counter_bits)));
        });
        let columns = parallel::each(threads, slots, Vec::new, |counters, column| {
            counters.clear();
            counters.resize(1 << counter_bits, 0_u16);
            for slot in column.iter().flatten() {
                let counter = &mut counters[*slot as usize];
                *counter = counter.saturating_add(1);
            }
            let steps = |slots: &Vec<u32>| {
                slots.iter().map(|slot| step(counters[*slot as usize])).collect()
            };
            column.iter().map(steps).collect()
        });
        Self { columns, bits }
    }

    /// Reads the rows of a stretch.
    pub(super) fn reader(&self, stretch: usize) -> Reader<'_> {
        let columns = self.columns.iter().map(|column| column[stretch].iter()).collect();
        Reader { columns, bits: self.bits, steps: Vec::new() }
    }
}

/// Where a residue that may be in another set stands in the one order of all, rarest first: by
/// its [step], then by all of its bits but the lowest eight. Two that differ in those alone stand
/// at one place, so that what is counted by tokens may be too much, never too little.
#[derive(Clone, Copy, Debug, Default, Eq, Ord, PartialEq, PartialOrd)]
pub(super) struct Token(u64);

impl Token {
    pub(super) fn new(step: u8, residue: u64) -> Self {
        Self(u64::from(step) << 56 | residue >> 8)
    }

    /// The residue but for its lowest bits, which are 0.
    pub(super) fn residue(self) -> u64 {
        self.0 << 8
    }
}

/// The tokens of a set that have enough behind them, rarest first.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row<'a> {
    pub(super) tokens: &'a [Token],
    /// How many residues of the set may be in another.
    pub(super) shared: u32,
}

impl<'a> Row<'a> {
    /// How many residues of the set are as frequent as that of a token or more, itself among
    /// them.
    pub(super) fn rest(self, at: usize) -> u32 {
        self.shared.saturating_sub(u32::try_from(at).unwrap_or(u32::MAX))
    }

    /// Those that have at least so much behind them, 1 or more.
    pub(super) fn kept(self, least_rest: u32) -> &'a [Token] {
        let kept = (self.shared + 1).saturating_sub(least_rest) as usize;
        &self.tokens[..self.tokens.len().min(kept)]
    }

    /// Each with what is behind it.
    pub(super) fn each(self) -> impl Iterator<Item = (Token, u32)> {
        self.tokens.iter().copied().zip((0..=self.shared).rev())
    }
}

/// Reads the steps of rows one after the other.
pub(super) struct Reader<'a> {
    /// What comes next in each column.
    columns: Vec<Iter<'a, u8>>,
    bits: u32,
    steps: Vec<u8>,
}

impl Reader<'_> {
    /// Adds the residues of the next row that may be in another and have enough behind
    /// them, rarest first, and says how many may be in another. What is enough is 1 at least, the
    /// residue itself.
    ///
    /// Rarest first is the order of (step, residue). A row is increasing, so a stable
    /// counting sort by step alone makes it.
    pub(super) fn tokens(&mut self, row: &[u64], least_rest: u32, tokens: &mut Vec<Token>) -> u32 {
        let mut places = [0_u32; 256];
        self.steps.clear();
        for residue in row {
            let column = &mut self.columns[columns::of(*residue, self.bits)];
            let step = column.next().copied().unwrap_or_default();
            places[usize::from(step)] += 1;
            self.steps.push(step);
        }
        let mut rest = 0;
        for place in places.iter_mut().rev() {
            rest += *place;
            *place = rest;
        }
        let shared = places[2];
        let kept = (shared + 1).saturating_sub(least_rest) as usize;
        let before = tokens.len();
        tokens.resize(before + kept, Token::default());
        for (residue, step) in row.iter().zip(&self.steps) {
            let place = &mut places[usize::from(*step)];
            let rest = *place;
            *place -= 1;
            if *step > 1 && rest >= least_rest {
                tokens[before + (shared - rest) as usize] = Token::new(*step, *residue);
            }
        }
        shared
    }
}

/// How frequent a count is, in 208 steps: below 16 it is itself, and above there are 16
/// steps to each doubling.
fn step(count: u16) -> u8 {
    let [_, low] = count.to_be_bytes();
    let Some(doublings) = count.checked_ilog2().and_then(|log| log.checked_sub(4)) else {
        return low;
    };
    let [_, sixteenths] = ((count >> doublings) & 15).to_be_bytes();
    let [.., doublings] = doublings.to_be_bytes();
    16 + 16 * doublings + sixteenths
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_counts_below_16_and_then_sixteen_to_each_doubling() {
        let counts = [0, 1, 15, 16, 17, 31, 32, 33, 34, 63, 64, 67, 68, 1 << 15, u16::MAX];
        let steps = [0, 1, 15, 16, 17, 31, 32, 32, 33, 47, 48, 48, 49, 192, 207];
        assert_eq!(counts.map(step), steps);
    }

    #[test]
    fn tokens_stand_rarest_first_and_then_by_all_of_a_residue_but_its_lowest_bits() {
        let residue = 0x1234_5678_9abc_def0;
        assert_eq!(Token::new(2, residue).residue(), 0x1234_5678_9abc_de00);
        assert!(Token::new(2, u64::MAX) < Token::new(3, residue));
        assert!(Token::new(3, residue) < Token::new(3, residue + 0x100));
        assert_eq!(Token::new(3, residue), Token::new(3, residue + 1));
    }
}
