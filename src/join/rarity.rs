//! How often residues occur, roughly, and the order that follows: rarest first.

use std::num::NonZeroUsize;
use std::slice::Iter;

use super::columns::{self, Column};
use crate::threads;

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
        let slots = columns::deal(rows, (bits, residues), threads, |_, row, hands| {
            row.iter().for_each(|it| hands.give(*it, columns::slot(*it, bits, counter_bits)));
        });
        let columns = threads::each(threads, slots, Vec::new, |counters, column| {
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

/// A residue of a set that may be in another.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub(super) struct Token {
    pub(super) residue: u64,
    /// How many residues of the set are as frequent or more, itself among them: of one token
    /// after the other it is one less.
    pub(super) rest: u32,
    step: u8,
}

impl Token {
    /// Where it stands in the one order of all residues, rarest first.
    #[inline]
    pub(super) fn order(&self) -> u128 {
        u128::from(self.step) << u64::BITS | u128::from(self.residue)
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
    /// them, rarest first; such a one has 1 behind it at least, itself.
    ///
    /// Rarest first is the order of (step, residue). A row is increasing, so a stable
    /// counting sort by step alone makes it.
    pub(super) fn tokens(&mut self, row: &[u64], least_rest: u32, tokens: &mut Vec<Token>) {
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
        let first = places[2];
        let kept = (first + 1).saturating_sub(least_rest) as usize;
        let before = tokens.len();
        tokens.resize(before + kept, Token::default());
        for (residue, step) in row.iter().zip(&self.steps) {
            let place = &mut places[usize::from(*step)];
            let rest = *place;
            *place -= 1;
            if *step > 1 && rest >= least_rest {
                let token = Token { residue: *residue, rest, step: *step };
                tokens[before + (first - rest) as usize] = token;
            }
        }
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
}
