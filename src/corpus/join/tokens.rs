//! Sets ranked by size, and their residues ordered by frequency.

use std::borrow::Cow;
use std::num::NonZeroUsize;
use std::ops::Range;
use std::sync::atomic::{AtomicU32, Ordering};

use super::collection::Classes;
use super::sets::{Sets, TempFile, TempFileError};
use crate::parallel;

// Rows of residues, partitioned into columns: a column has the residues with the same top bits.
//
// A table with an entry for each of millions of residues is far larger than a cache, so that
// looking up every residue of every row would access main memory each time. A column needs only a
// small part of the table.

/// The entries of a column, by stretch of rows; within a stretch in the order of the rows.
pub(super) type Column<T> = Vec<Vec<T>>;

/// The number of stretches into which rows are split. A stretch is the unit of work, whatever the
/// number of threads.
const STRETCHES: usize = 16;

pub(super) fn stretch(rows: usize) -> usize {
    rows.div_ceil(STRETCHES).max(1)
}

/// Partitions what `deal` generates for each stretch of rows into `2^bits` columns by residue.
///
/// Only the columns `kept` are made. Their capacity is that for `count` entries in all `2^bits`
/// columns, plus an eighth.
pub(super) fn partition<T: Send>(
    rows: usize,
    (bits, kept, count): (u32, Range<usize>, usize),
    threads: NonZeroUsize,
    deal: impl Fn(Range<usize>, &mut Partitions<T>) + Sync,
) -> Vec<Column<T>> {
    let expected = count / STRETCHES / (1 << bits);
    let stretch = stretch(rows);
    let partitioned = parallel::map(threads, (0..rows).step_by(stretch), |first| {
        let mut partitions = Partitions { columns: Vec::new(), first: kept.start, bits };
        partitions.columns.resize_with(kept.len(), || Vec::with_capacity(expected + expected / 8));
        deal(first..(first + stretch).min(rows), &mut partitions);
        partitions.columns
    });
    let mut columns: Vec<Column<T>> = Vec::new();
    columns.resize_with(kept.len(), Vec::new);
    for stretch in partitioned {
        for (column, part) in columns.iter_mut().zip(stretch) {
            column.push(part);
        }
    }
    columns
}

/// The columns that the entries of one stretch are added to.
pub(super) struct Partitions<T> {
    columns: Vec<Vec<T>>,
    /// The number of the first of these columns.
    first: usize,
    bits: u32,
}

impl<T> Partitions<T> {
    /// Adds an entry to the column of a residue, which must be one of those that are made.
    pub(super) fn give(&mut self, residue: u64, it: T) {
        self.columns[column_of(residue, self.bits) - self.first].push(it);
    }
}

/// Returns the column of a residue: its top `bits` bits, of which there may be none.
pub(super) fn column_of(residue: u64, bits: u32) -> usize {
    (residue >> 1 >> (u64::BITS - 1 - bits)) as usize
}

/// Returns the slot of a residue within its column: the next `slot_bits` bits, 1 to 32 of them.
pub(super) fn slot(residue: u64, bits: u32, slot_bits: u32) -> u32 {
    let [.., a, b, c, d] = ((residue << bits) >> (u64::BITS - slot_bits)).to_be_bytes();
    u32::from_be_bytes([a, b, c, d])
}

/// Returns the binary logarithm of the number of columns, chosen so that each has about `size` of
/// the residues.
pub(super) fn bits(residues: usize, size: usize) -> u32 {
    (residues / size).checked_ilog2().map_or(0, |log| log + 1).min(MAX_BITS)
}

/// The largest number of bits that select the column.
const MAX_BITS: u32 = 12;

// The classes with a non-empty set that may be evidence, by its size, and their residues by frequency.

/// The classes with a non-empty set that may be evidence, ranked by its size.
pub(super) struct Ranked<'a> {
    pub(super) of: &'a Classes,
    pub(super) classes: Vec<u32>,
    pub(super) sets: &'a Sets,
    pub(super) sizes: Vec<u32>,
}

impl<'a> Ranked<'a> {
    pub(super) fn new(sets: &'a Sets, of: &'a Classes) -> Self {
        let size = |class: u32| sets.size(of.first(class));
        let is_ranked = |class: &u32| size(*class) > 0 && of.has_evidence(*class);
        let mut classes: Vec<u32> = of.numbers().filter(is_ranked).collect();
        classes.sort_by_key(|class| size(*class));
        let sizes = classes.iter().map(|class| size(*class)).collect();
        Self { of, classes, sets, sizes }
    }

    pub(super) fn set(&self, rank: usize) -> Cow<'a, [u64]> {
        self.sets.get(self.of.first(self.classes[rank]))
    }

    /// Returns the first rank below `rank` whose set has at least `least_size` members; `rank` if
    /// there is none.
    pub(super) fn smallest(&self, least_size: u32, rank: usize) -> usize {
        self.sizes[..rank].partition_point(|size| *size < least_size)
    }

    /// Returns the total number of residues of the sets of some ranks. The cost of looking them up
    /// is proportional to it.
    pub(super) fn residues(&self, ranks: Range<usize>) -> u64 {
        self.sizes[ranks].iter().map(|size| u64::from(*size)).sum()
    }

    /// Returns the tokens of each set, rarest first: its residues that may be in another set and
    /// whose suffix has at least `least_rest` residues.
    ///
    /// The suffix of a token consists of the residues of the set that may be in another one, from
    /// the token on, itself included. `least_rest` is a function of the size of the set, and is at
    /// least 1. The tokens are in memory, or in the file if one is given.
    pub(super) fn tokens(
        &self,
        least_rest: impl Fn(u32) -> u32 + Sync,
        file: Option<TempFile>,
        threads: NonZeroUsize,
    ) -> Tokens {
        let text = |rank: &u32| self.of.first(self.classes[*rank as usize]);
        let mut ranks: Vec<u32> = (0..).take(self.classes.len()).collect();
        ranks.sort_unstable_by_key(|rank| self.sets.start(text(rank)));
        let texts: Vec<u32> = ranks.iter().map(text).collect();
        let Steps { of_stretches, bits } = Steps::new(self.sets, &texts, threads);
        let in_stretch = stretch(texts.len());
        let found =
            parallel::map(threads, texts.chunks(in_stretch).zip(of_stretches), |(texts, steps)| {
                let mut reader = StepReader::new(steps, bits);
                let (mut counts, mut tokens) = (Vec::with_capacity(texts.len()), Vec::new());
                self.sets.visit(texts, |_, set| {
                    let size = u32::try_from(set.len()).unwrap_or(u32::MAX);
                    let before = tokens.len();
                    let shared = reader.tokens(set, least_rest(size), &mut tokens);
                    counts.push((u32::try_from(tokens.len() - before).unwrap_or(u32::MAX), shared));
                });
                let Some(file) = &file else {
                    tokens.shrink_to_fit();
                    return (counts, tokens, 0);
                };
                let start = file.append(tokens.iter().map(|token: &Token| token.0));
                (counts, Vec::new(), start)
            });
        let mut rows = vec![TokenSpan::default(); ranks.len()];
        let mut held = Vec::new();
        for ((stretch, ranks), (counts, tokens, mut start)) in
            (0..).zip(ranks.chunks(in_stretch)).zip(found)
        {
            for (rank, (count, shared)) in ranks.iter().zip(counts) {
                rows[*rank as usize] = TokenSpan { stretch, start, count, shared };
                start += count as usize;
            }
            held.push(tokens);
        }
        Tokens { rows, held, file }
    }
}

pub(super) struct Tokens {
    rows: Vec<TokenSpan>,
    /// The tokens by stretch; empty if they are in a file.
    held: Vec<Vec<Token>>,
    file: Option<TempFile>,
}

/// The location of the tokens of a set.
#[derive(Clone, Copy, Default)]
struct TokenSpan {
    stretch: u32,
    /// The start of the tokens in their stretch, or in the file.
    start: usize,
    count: u32,
    /// The number of residues of the set that may be in another.
    shared: u32,
}

impl Tokens {
    pub(super) fn len(&self) -> usize {
        self.rows.len()
    }

    /// Returns the number of tokens of a set whose suffix has at least `least_rest` residues, 1 or
    /// more.
    pub(super) fn kept(&self, rank: usize, least_rest: u32) -> u32 {
        let row = self.rows[rank];
        row.count.min((row.shared + 1).saturating_sub(least_rest))
    }

    /// Passes the rows of some ranks to `give`, and reads them first if they are in a file.
    pub(super) fn with<T>(&self, ranks: Range<usize>, give: impl FnOnce(&[SetTokens]) -> T) -> T {
        let rows = &self.rows[ranks];
        let Some(file) = &self.file else {
            let row = |row: &TokenSpan| SetTokens {
                tokens: &self.held[row.stretch as usize][row.start..][..row.count as usize],
                shared: row.shared,
            };
            return give(&rows.iter().map(row).collect::<Vec<_>>());
        };
        let mut tokens = Vec::with_capacity(rows.iter().map(|row| row.count as usize).sum());
        let mut ends = Vec::with_capacity(rows.len());
        for row in rows {
            tokens.extend(file.read(row.start, row.count as usize).into_iter().map(Token));
            ends.push(tokens.len());
        }
        let starts = [0].into_iter().chain(ends.iter().copied());
        let row = |((row, start), end): ((&TokenSpan, usize), &usize)| SetTokens {
            tokens: &tokens[start..*end],
            shared: row.shared,
        };
        give(&rows.iter().zip(starts).zip(&ends).map(row).collect::<Vec<_>>())
    }

    /// Checks that all tokens could be written and read.
    ///
    /// # Errors
    ///
    /// Returns [`TempFileError`] if they could not.
    pub(super) fn check(&self) -> Result<(), TempFileError> {
        self.file.as_ref().map_or(Ok(()), TempFile::check)
    }
}

// The approximate frequency of residues, and the order that it defines: rarest first.

/// An approximate count of the sets that have each residue, in [steps](step) of one byte.
///
/// Residues with the same top bits share a counter, so a count may be too high, and it stops at
/// 65,535. The filters are exact for any fixed order of the residues. The count only has to put the
/// rare ones first; and if it is one, no two sets share the residue.
struct Steps {
    /// The steps by stretch; one stretch at a time is read and freed.
    of_stretches: Vec<StretchSteps>,
    /// The number of top bits that select a column.
    bits: u32,
}

/// The number of residues per column.
const COLUMN: usize = if cfg!(test) { 32 } else { 1 << 17 };

/// The number of columns that are counted in one pass over the rows; each of their residues takes
/// four bytes.
const COLUMNS_PER_PASS: usize = if cfg!(test) { 3 } else { 128 };

/// The largest number of bits that select the counter within a column: 2¹⁹ counters of two bytes
/// fit into a cache.
const MAX_COUNTER_BITS: u32 = if cfg!(test) { 3 } else { 19 };

impl Steps {
    /// Counts the residues of the sets of some texts, which must be sorted by
    /// [`start`](Sets::start).
    fn new(sets: &Sets, texts: &[u32], threads: NonZeroUsize) -> Self {
        let residues_of = |texts: &[u32]| texts.iter().map(|text| sets.size(*text) as usize).sum();
        let residues: usize = residues_of(texts);
        let bits = bits(residues, COLUMN);
        let counter_bits = (residues.max(1).ilog2() + 2).min(MAX_COUNTER_BITS);
        // Both the columns and the residues of a row increase: each pass continues at this index.
        let passed: Vec<AtomicU32> = texts.iter().map(|_| AtomicU32::new(0)).collect();
        let stretch_steps = |texts: &[u32]| StretchSteps {
            steps: Vec::with_capacity(residues_of(texts)),
            starts: Vec::with_capacity(1 << bits),
        };
        let mut of_stretches: Vec<StretchSteps> =
            texts.chunks(stretch(texts.len())).map(stretch_steps).collect();
        for first in (0..1 << bits).step_by(COLUMNS_PER_PASS) {
            let kept = first..(first + COLUMNS_PER_PASS).min(1 << bits);
            let end = kept.end;
            let partitioned = (bits, kept, residues);
            let slots = partition(texts.len(), partitioned, threads, |stretch, partitions| {
                let passed = &passed[stretch.clone()];
                sets.visit(&texts[stretch], |at, set| {
                    let mut passed_now = passed[at].load(Ordering::Relaxed);
                    for residue in set.get(passed_now as usize..).unwrap_or_default() {
                        if column_of(*residue, bits) >= end {
                            break;
                        }
                        partitions.give(*residue, slot(*residue, bits, counter_bits));
                        passed_now += 1;
                    }
                    passed[at].store(passed_now, Ordering::Relaxed);
                });
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
                column.iter().map(steps).collect::<Column<u8>>()
            });
            for column in columns {
                for (of_stretch, steps) in of_stretches.iter_mut().zip(&column) {
                    of_stretch.starts.push(of_stretch.steps.len());
                    of_stretch.steps.extend_from_slice(steps);
                }
            }
        }
        Self { of_stretches, bits }
    }
}

/// The steps of the residues of a stretch, column after column; within a column in the order of the
/// rows.
struct StretchSteps {
    steps: Vec<u8>,
    starts: Vec<usize>,
}

/// A residue that may be in another set, as a position in the global order, rarest first: by its
/// [step], then by all of its bits but the lowest eight. Residues that differ only in these eight
/// bits have one token, so a count of shared tokens may be too high, but is never too low.
#[derive(Clone, Copy, Debug, Default, Eq, Ord, PartialEq, PartialOrd)]
pub(super) struct Token(u64);

impl Token {
    pub(super) fn new(step: u8, residue: u64) -> Self {
        Self(u64::from(step) << 56 | residue >> 8)
    }

    /// Returns the residue with its lowest eight bits set to 0.
    pub(super) fn residue(self) -> u64 {
        self.0 << 8
    }
}

/// The tokens of a set whose suffix is large enough, rarest first.
#[derive(Clone, Copy, Debug)]
pub(super) struct SetTokens<'a> {
    pub(super) tokens: &'a [Token],
    /// The number of residues of the set that may be in another.
    pub(super) shared: u32,
}

impl<'a> SetTokens<'a> {
    /// Returns the size of the suffix of a token, given by its index: the number of residues of the
    /// set that are not rarer, itself included.
    pub(super) fn rest(self, at: usize) -> u32 {
        self.shared.saturating_sub(u32::try_from(at).unwrap_or(u32::MAX))
    }

    /// Returns the tokens whose suffix has at least `least_rest` residues, 1 or more.
    pub(super) fn kept(self, least_rest: u32) -> &'a [Token] {
        let kept = (self.shared + 1).saturating_sub(least_rest) as usize;
        &self.tokens[..self.tokens.len().min(kept)]
    }

    /// Returns each token with the size of its suffix.
    pub(super) fn each(self) -> impl Iterator<Item = (Token, u32)> {
        self.tokens.iter().copied().zip((0..=self.shared).rev())
    }
}

/// A reader of the steps of a stretch, row after row.
struct StepReader {
    of_columns: Vec<u8>,
    /// The index of the next step of each column.
    next: Vec<usize>,
    bits: u32,
    steps: Vec<u8>,
}

impl StepReader {
    fn new(steps: StretchSteps, bits: u32) -> Self {
        Self { of_columns: steps.steps, next: steps.starts, bits, steps: Vec::new() }
    }

    /// Adds the tokens of the next row, rarest first: the residues that may be in another set and
    /// whose suffix has at least `least_rest` residues, 1 or more. Returns how many residues may be
    /// in another set.
    ///
    /// The order is that of (step, residue). As the row is increasing, a stable counting sort by
    /// step alone produces it.
    fn tokens(&mut self, row: &[u64], least_rest: u32, tokens: &mut Vec<Token>) -> u32 {
        let mut places = [0_u32; 256];
        self.steps.clear();
        for residue in row {
            let next = &mut self.next[column_of(*residue, self.bits)];
            let step = self.of_columns.get(*next).copied().unwrap_or_default();
            *next += 1;
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

/// Maps a count to one of 208 steps: itself below 16, and 16 steps per doubling above.
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
