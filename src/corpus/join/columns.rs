//! Rows of residues, dealt out to columns: those with the same top bits stand together.
//!
//! A table with a place for each of millions of residues is far larger than a cache, and a
//! look at it for each residue of each row is a look at the memory. A column needs a small
//! part of the table only.

use std::num::NonZeroUsize;

use crate::parallel;

/// What the rows have in a column, by stretch of rows; in a stretch in their order.
pub(super) type Column<T> = Vec<Vec<T>>;

/// Stretches into which rows are cut: the unit of work, whatever the number of threads.
const STRETCHES: usize = 16;

/// The number of rows in a stretch.
pub(super) fn stretch(rows: usize) -> usize {
    rows.div_ceil(STRETCHES).max(1)
}

/// Deals what `partition` gives of each row, with its residue, to `2^bits` columns. Of `count`
/// in all a little more room is made at once.
pub(super) fn partition<R: Sync, T: Send>(
    rows: &[R],
    (bits, count): (u32, usize),
    threads: NonZeroUsize,
    partition: impl Fn(usize, &R, &mut Partitions<T>) + Sync,
) -> Vec<Column<T>> {
    let room = count / STRETCHES / (1 << bits);
    let stretch = stretch(rows.len());
    let stretches = rows.chunks(stretch).enumerate();
    let dealt = parallel::each(
        threads,
        stretches,
        || (),
        |(), (number, rows)| {
            let mut partitions = Partitions { columns: Vec::new(), bits };
            partitions.columns.resize_with(1 << bits, || Vec::with_capacity(room + room / 8));
            for (row, content) in (number * stretch..).zip(rows) {
                partition(row, content, &mut partitions);
            }
            partitions.columns
        },
    );
    let mut columns: Vec<Column<T>> = Vec::new();
    columns.resize_with(1 << bits, Vec::new);
    for stretch in dealt {
        for (column, part) in columns.iter_mut().zip(stretch) {
            column.push(part);
        }
    }
    columns
}

/// Where a stretch is dealt to.
pub(super) struct Partitions<T> {
    columns: Vec<Vec<T>>,
    bits: u32,
}

impl<T> Partitions<T> {
    /// Gives something to the column of a residue.
    pub(super) fn give(&mut self, residue: u64, it: T) {
        self.columns[of(residue, self.bits)].push(it);
    }
}

/// The column of a residue: its top bits, of which there may be none.
pub(super) fn of(residue: u64, bits: u32) -> usize {
    (residue >> 1 >> (u64::BITS - 1 - bits)) as usize
}

/// The place of a residue in its column: the bits after those, 1 to 32.
pub(super) fn slot(residue: u64, bits: u32, slot_bits: u32) -> u32 {
    let [.., a, b, c, d] = ((residue << bits) >> (u64::BITS - slot_bits)).to_be_bytes();
    u32::from_be_bytes([a, b, c, d])
}

/// The bits of so many columns that each has about `size` of a number of residues.
pub(super) fn bits(residues: usize, size: usize) -> u32 {
    (residues / size).checked_ilog2().map_or(0, |log| log + 1).min(MOST_BITS)
}

/// Bits that choose the column, at most.
const MOST_BITS: u32 = 12;
