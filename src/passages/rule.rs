//! The conditions that aligned words must meet to be a passage.
//!
//! Tiles are aligned runs, none of which has a word in common with another on either side. All
//! worths are in quarters of a word.

use super::MinMatch;
use super::evidence::is_beyond_chance;
use super::pair::{Pair, WORD};
use super::runs::extent;
use super::seeds::MIN_SEED_WORTH;
use crate::interner::common_runs::Run;

/// The fraction of aligned words: at least one in this many words of a passage's longer side.
const DENSITY: usize = 3;

/// The fraction of words in rows, for a passage that has too few words in a row: at least one in
/// this many words of its longer side is in an aligned row of three or more words.
pub(super) const DENSITY_IN_ROWS: usize = 5;

/// The minimum worth of the longest row of a passage that has too few words in a row.
pub(super) const MIN_ROW_WORTH: usize = 4 * WORD;

/// Returns the worth of the aligned words of tiles; `None` if they are not enough for a passage.
pub(super) fn worth(pair: &Pair, tiles: &[Run], min_match: MinMatch) -> Option<usize> {
    let worth_of = |tile: &Run| pair.worth_of(0, tile.range(0));
    let longest = tiles.iter().map(worth_of).max()?;
    let worth: usize = tiles.iter().map(worth_of).sum();
    let whole = (0..2).map(|side| pair.worth_of(side, extent(tiles, side))).max()?;
    let is_met_by_different = || {
        let rows: Vec<Run> =
            tiles.iter().copied().filter(|tile| worth_of(tile) >= MIN_SEED_WORTH).collect();
        let in_rows: usize = rows.iter().map(worth_of).sum();
        longest >= MIN_ROW_WORTH
            && in_rows * DENSITY_IN_ROWS >= whole
            && different(pair, &rows) >= min_match.in_a_row()
            && different(pair, tiles) >= min_match.different()
    };
    let is_dense = worth * DENSITY >= whole;
    (is_dense
        && (longest >= min_match.in_a_row() || is_met_by_different())
        && is_beyond_chance(pair, tiles, min_match))
    .then_some(worth)
}

/// Returns the worth of the different words of tiles, each counted once.
fn different(pair: &Pair, tiles: &[Run]) -> usize {
    let words = tiles.iter().flat_map(|tile| tile.range(0));
    let mut different: Vec<(u32, usize)> =
        words.map(|at| (pair.words[0][at], pair.worth(0, at))).collect();
    different.sort_unstable();
    different.dedup();
    different.iter().map(|(_, worth)| worth).sum()
}

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct RunsWorth {
    all: usize,
    /// The worth of the runs that are rows, of at least three words.
    in_rows: usize,
    longest: usize,
}

impl RunsWorth {
    /// Reports whether some parts of some runs may be a passage. Reads the runs up to those that are
    /// enough.
    pub(super) fn of_runs_may_count(pair: &Pair, runs: &[Run], min_match: MinMatch) -> bool {
        let mut worth = Self::default();
        runs.iter().any(|run| {
            worth.add(pair, run);
            worth.may_count(min_match)
        })
    }

    pub(super) fn add(&mut self, pair: &Pair, run: &Run) {
        let worth = pair.worth_of(0, run.range(0));
        self.all += worth;
        self.in_rows += if worth >= MIN_SEED_WORTH { worth } else { 0 };
        self.longest = self.longest.max(worth);
    }

    /// Reports whether some parts of the runs may be a passage.
    pub(super) fn may_count(&self, min_match: MinMatch) -> bool {
        let may_differ = self.longest >= MIN_ROW_WORTH
            && self.in_rows >= min_match.in_a_row()
            && self.all >= min_match.different();
        self.longest >= min_match.in_a_row() || may_differ
    }
}
