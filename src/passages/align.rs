//! A set of runs → the passages that may be in it, each word aligned with one at most.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::ops::Range;

use super::gather;
use super::pair::{Pair, WORD};
use super::runs::{Run, extent};

/// What an aligned word adds to the balance that a passage ends by, and what another one
/// takes away: it goes on while more than two in seven are aligned.
const GAIN: i64 = 5;
const LOSS: i64 = 2;

/// What a stretch of foreign words is worth at least that tears a passage.
const TEAR: usize = 8 * WORD;

/// The words on either side of a tear that show how well the rest is aligned, at least.
const AROUND: usize = 20;

/// How often what was found is looked into again.
const ROUNDS: usize = 16;

/// Runs that share no word on either side, out of those of a set: the longest first, each
/// without the words that another has.
pub(super) fn tiles(mut set: Vec<Run>) -> Vec<Run> {
    set.sort_unstable_by_key(|run| (Reverse(run.length), run.at[0] + run.at[1], *run));
    let extents = [extent(&set, 0), extent(&set, 1)];
    let mut taken = extents.clone().map(|extent| vec![false; extent.len()]);
    let mut tiles = Vec::new();
    for run in set {
        let place = |side: usize| run.at[side] - extents[side].start;
        let is_free = |x: &usize| (0..2).all(|side| !taken[side][place(side) + x]);
        let free: Vec<usize> = (0..run.length).filter(is_free).collect();
        for part in free.chunk_by(|one, next| one + 1 == *next) {
            let part = part[0]..part[0] + part.len();
            for side in 0..2 {
                taken[side][place(side) + part.start..place(side) + part.end].fill(true);
            }
            tiles.push(run.part(part));
        }
    }
    tiles
}

/// What may be passages, of tiles: each dense up to its ends and not torn.
pub(super) fn candidates(pair: &Pair, tiles: Vec<Run>) -> Vec<Vec<Run>> {
    let mut candidates = Vec::new();
    let mut work = vec![(tiles, 0)];
    while let Some((tiles, round)) = work.pop() {
        for team in gather::teams(pair, tiles) {
            let pieces = torn(pair, &team);
            if pieces.len() > 1 && round < ROUNDS {
                work.extend(pieces.into_iter().map(|piece| (piece, round + 1)));
                continue;
            }
            let dense = trimmed(pair, team.clone());
            if dense.is_empty() {
                continue;
            }
            if round < ROUNDS {
                let rest = rest(team, &dense).into_iter().filter(|rest| !rest.is_empty());
                work.extend(rest.map(|rest| (rest, round + 1)));
            }
            candidates.push(dense);
        }
    }
    candidates
}

/// The tiles without those outside the densest stretches of both sides.
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

/// The part of a tile that is within a range on both sides.
fn within(tile: Run, ranges: &[Range<usize>; 2]) -> Option<Run> {
    let from = (0..2).map(|side| ranges[side].start.saturating_sub(tile.at[side])).max()?;
    let to = (0..2).map(|side| ranges[side].end.saturating_sub(tile.at[side])).min()?;
    let part = from..to.min(tile.length);
    (!part.is_empty()).then(|| tile.part(part))
}

/// The words of a side, in order: whether each is aligned.
fn aligned(tiles: &[Run], side: usize) -> (usize, Vec<bool>) {
    let extent = extent(tiles, side);
    let mut aligned = vec![false; extent.len()];
    for tile in tiles {
        let range = tile.range(side);
        aligned[range.start - extent.start..range.end - extent.start].fill(true);
    }
    (extent.start, aligned)
}

/// The stretch of a side with the greatest balance; the first of several.
fn densest(pair: &Pair, tiles: &[Run], side: usize) -> Range<usize> {
    let (start, aligned) = aligned(tiles, side);
    let (mut sum, mut from, mut best, mut densest) = (0, 0, 0, 0..0);
    for (at, is_aligned) in aligned.into_iter().enumerate() {
        if sum <= 0 {
            (sum, from) = (0, at);
        }
        let worth = i64::try_from(pair.worth(side, start + at)).unwrap_or_default();
        sum += if is_aligned { GAIN * worth } else { -LOSS * worth };
        if sum > best {
            (best, densest) = (sum, from..at + 1);
        }
    }
    start + densest.start..start + densest.end
}

/// The tiles that stand before and behind a passage on both sides, in up to four parts.
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

/// The parts of a team between its tears; all of it where there is none.
fn torn(pair: &Pair, team: &[Run]) -> Vec<Vec<Run>> {
    let tears = [0, 1].map(|side| tears(pair, team, side));
    let mut parts: BTreeMap<[usize; 2], Vec<Run>> = BTreeMap::new();
    for tile in team {
        let part = [0, 1].map(|side| tears[side].partition_point(|tear| *tear <= tile.at[side]));
        parts.entry(part).or_default().push(*tile);
    }
    parts.into_values().collect()
}

/// The middles of the stretches of a side that tear it: foreign words, where an aligned one
/// makes up for two, amid others of which nine in ten are aligned.
fn tears(pair: &Pair, team: &[Run], side: usize) -> Vec<usize> {
    let (start, aligned) = aligned(team, side);
    let mut tears = Vec::new();
    let mut add = |stretch: &Range<usize>| {
        let reach = stretch.len().max(AROUND);
        let before = stretch.start.saturating_sub(reach)..stretch.start;
        let behind = stretch.end..(stretch.end + reach).min(aligned.len());
        let foreign = before.clone().chain(behind.clone()).filter(|at| !aligned[*at]).count();
        let is_inside = !before.is_empty() && !behind.is_empty();
        if is_inside && foreign * 10 < before.len() + behind.len() {
            tears.push(start + stretch.start.midpoint(stretch.end));
        }
    };
    let (mut sum, mut most, mut stretch) = (0, 0, 0..0);
    for (at, is_aligned) in aligned.iter().enumerate() {
        let worth = pair.worth(side, start + at);
        if !is_aligned {
            if sum == 0 {
                (most, stretch) = (0, at..at);
            }
            sum += worth;
            if sum > most {
                (most, stretch.end) = (sum, at + 1);
            }
        } else if sum > 2 * worth {
            sum -= 2 * worth;
        } else {
            if most >= TEAR {
                add(&stretch);
            }
            (sum, most) = (0, 0);
        }
    }
    if most >= TEAR {
        add(&stretch);
    }
    tears
}
