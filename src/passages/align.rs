//! Finds the possible passages in a set of runs that share no word.

use std::collections::BTreeMap;
use std::ops::Range;

use super::MinMatch;
use super::evidence::without_chance;
use super::gather;
use super::pair::{Pair, WORD};
use super::runs::extent;
use crate::interner::common_runs::Run;

/// The amount that an aligned word adds to the balance that decides where a passage ends, and the
/// amount that a foreign word subtracts: the passage continues while more than two in seven words
/// are aligned.
const WORD_GAIN: i64 = 5;
const WORD_LOSS: i64 = 2;

/// The minimum worth of a stretch of foreign words that splits a passage, in quarters of a word.
const MIN_TEAR_WORTH: usize = 8 * WORD;

/// The minimum number of words on either side of a tear that are examined for how well they are
/// aligned.
const TEAR_CONTEXT: usize = 20;

/// The largest number of times that the parts of a set are examined again.
const MAX_ROUNDS: usize = 16;

/// Returns the possible passages among tiles, which are runs that share no word. Each is dense up
/// to its ends and not torn.
pub(super) fn candidates(pair: &Pair, tiles: Vec<Run>, min_match: MinMatch) -> Vec<Vec<Run>> {
    let mut candidates = Vec::new();
    let mut work = vec![(tiles, 0)];
    while let Some((tiles, round)) = work.pop() {
        for team in gather::teams(pair, tiles, min_match) {
            let pieces = split_at_tears(pair, &team);
            if pieces.len() > 1 && round < MAX_ROUNDS {
                work.extend(pieces.into_iter().map(|piece| (piece, round + 1)));
                continue;
            }
            let dense = trimmed(pair, team.clone());
            let aligned = dense.len();
            let dense = without_chance(pair, dense, min_match);
            if dense.len() < aligned && round < MAX_ROUNDS {
                work.push((dense, round + 1));
                continue;
            }
            if dense.is_empty() {
                continue;
            }
            if round < MAX_ROUNDS {
                let rest = rest(team, &dense).into_iter().filter(|rest| !rest.is_empty());
                work.extend(rest.map(|rest| (rest, round + 1)));
            }
            candidates.push(dense);
        }
    }
    candidates
}

/// Returns the tiles, or the parts of tiles, within the densest stretches of both sides.
pub(super) fn trimmed(pair: &Pair, mut tiles: Vec<Run>) -> Vec<Run> {
    while !tiles.is_empty() {
        let extents = [0, 1].map(|side| extent(&tiles, side));
        let dense = [0, 1].map(|side| densest(pair, &tiles, side));
        if dense == extents {
            break;
        }
        tiles = tiles.into_iter().filter_map(|tile| within(tile, &dense)).collect();
    }
    tiles
}

/// Returns the part of a tile that is within a range on both sides; `None` if it is empty.
pub(super) fn within(tile: Run, ranges: &[Range<usize>; 2]) -> Option<Run> {
    let from = (0..2).map(|side| ranges[side].start.saturating_sub(tile.at[side])).max()?;
    let to = (0..2).map(|side| ranges[side].end.saturating_sub(tile.at[side])).min()?;
    let part = from..to.min(tile.length);
    (!part.is_empty()).then(|| tile.part(part))
}

/// Returns the stretches of a side from the first tile to the last, in order, each with whether it
/// is aligned.
fn stretches(tiles: &[Run], side: usize) -> Vec<(Range<usize>, bool)> {
    let mut aligned: Vec<Range<usize>> = tiles.iter().map(|tile| tile.range(side)).collect();
    aligned.sort_unstable_by_key(|range| range.start);
    let mut stretches: Vec<(Range<usize>, bool)> = Vec::with_capacity(2 * aligned.len());
    for range in aligned {
        let end = stretches.last().map_or(range.start, |(last, _)| last.end);
        if end < range.start {
            stretches.push((end..range.start, false));
        }
        stretches.push((range, true));
    }
    stretches
}

/// Returns the stretch of a side with the greatest balance; the first one if there are several.
fn densest(pair: &Pair, tiles: &[Run], side: usize) -> Range<usize> {
    let (mut sum, mut from, mut best, mut densest) = (0, 0, 0, 0..0);
    for (stretch, is_aligned) in stretches(tiles, side) {
        let worth = i64::try_from(pair.worth_of(side, stretch.clone())).unwrap_or(i64::MAX / 8);
        if sum <= 0 {
            (sum, from) = (0, stretch.start);
        }
        sum += if is_aligned { WORD_GAIN * worth } else { -WORD_LOSS * worth };
        if sum > best {
            (best, densest) = (sum, from..stretch.end);
        }
    }
    densest
}

/// Returns the tiles that are before or after a passage on both sides, in up to four parts.
fn rest(tiles: Vec<Run>, passage: &[Run]) -> [Vec<Run>; 4] {
    let extents = [extent(passage, 0), extent(passage, 1)];
    let mut rest = [const { Vec::new() }; 4];
    for tile in tiles {
        let is_before = |side: usize| tile.range(side).end <= extents[side].start;
        let is_behind = |side: usize| tile.at[side] >= extents[side].end;
        if (0..2).all(|side| is_before(side) || is_behind(side)) {
            rest[usize::from(is_before(0)) + 2 * usize::from(is_before(1))].push(tile);
        }
    }
    rest
}

/// Returns the parts of a team between its tears: the entire team if there are none.
fn split_at_tears(pair: &Pair, team: &[Run]) -> Vec<Vec<Run>> {
    let tears = [0, 1].map(|side| tears(pair, team, side));
    let mut parts: BTreeMap<[usize; 2], Vec<Run>> = BTreeMap::new();
    for tile in team {
        let part = [0, 1].map(|side| tears[side].partition_point(|tear| *tear <= tile.at[side]));
        parts.entry(part).or_default().push(*tile);
    }
    parts.into_values().collect()
}

/// Returns the middles of the stretches that tear a side. These consist of foreign words, except
/// that an aligned word only cancels two foreign ones, and of the words around them more than nine
/// in ten are aligned.
fn tears(pair: &Pair, team: &[Run], side: usize) -> Vec<usize> {
    let stretches = stretches(team, side);
    let mut tears = Vec::new();
    let middle = |worth, first: usize, last: usize| {
        let is_tear = worth >= MIN_TEAR_WORTH && is_clean_around(&stretches, first, last);
        is_tear.then(|| stretches[first].0.start.midpoint(stretches[last].0.end))
    };
    // The worth of the foreign words, its maximum, and the first and last stretch up to that
    // maximum.
    let (mut sum, mut most, mut first, mut last) = (0, 0, 0, 0);
    for (k, (stretch, is_aligned)) in stretches.iter().enumerate() {
        let worth = pair.worth_of(side, stretch.clone());
        if *is_aligned && sum > 2 * worth {
            sum -= 2 * worth;
        } else if *is_aligned {
            tears.extend(middle(most, first, last));
            (sum, most) = (0, 0);
        } else {
            if sum == 0 {
                first = k;
            }
            sum += worth;
            if sum > most {
                (most, last) = (sum, k);
            }
        }
    }
    // The last stretch is aligned, but may be too short to end the foreign stretch before it.
    tears.extend(middle(most, first, last));
    tears
}

/// Reports whether more than nine in ten words around some stretches are aligned. As many words are
/// examined on either side as the stretches have, but at least [`TEAR_CONTEXT`].
fn is_clean_around(stretches: &[(Range<usize>, bool)], first: usize, last: usize) -> bool {
    let (start, end) = (stretches[first].0.start, stretches[last].0.end);
    let reach = (end - start).max(TEAR_CONTEXT);
    let (from, to) = (start.saturating_sub(reach), end + reach);
    let clipped = |(stretch, is_aligned): &(Range<usize>, bool)| {
        (stretch.end.min(to).saturating_sub(stretch.start.max(from)), *is_aligned)
    };
    let before = stretches[..first].iter().rev().take_while(|(stretch, _)| stretch.end > from);
    let behind = stretches[last + 1..].iter().take_while(|(stretch, _)| stretch.start < to);
    let (mut words, mut foreign) = (0, 0);
    for (length, is_aligned) in before.chain(behind).map(clipped) {
        words += length;
        foreign += if is_aligned { 0 } else { length };
    }
    foreign * 10 < words
}

#[cfg(test)]
mod tests;
