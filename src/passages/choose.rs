//! Chooses the passages that count from the possible ones, so that none overlaps another on either
//! side.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};
use std::ops::Range;

use super::MinMatch;
use super::align::{self, trimmed};
use super::common::merge_ranges;
use super::gather::is_parted;
use super::pair::Pair;
use super::recurring::MIN_RECURRING_WORTH;
use super::rule::{self, RunsWorth};
use super::runs::{apart, extent, outside};
use crate::interner::common_runs::Run;

/// The largest number of times that the rest of a candidate, outside other passages, is considered
/// again.
const MAX_ROUNDS: usize = 4;

/// A possible passage. The greatest is chosen first.
#[derive(Eq, Ord, PartialEq, PartialOrd)]
struct Candidate {
    /// The worth of its aligned words, in quarters of a word.
    worth: usize,
    /// The position of its first word on either side, which makes the order deterministic.
    at: Reverse<[usize; 2]>,
    cuts: usize,
    tiles: Vec<Run>,
}

/// Chooses the passages that count, the longest first. The rest of a candidate that overlaps a
/// chosen passage counts as well, if it is enough.
pub(super) fn choose(pair: &Pair, candidates: Vec<Vec<Run>>, min_match: MinMatch) -> Vec<Vec<Run>> {
    choose_on(0..2, CoveredRanges::default(), pair, candidates, min_match)
}

/// Same as [`choose`], but only the given sides of what is chosen, and what covers them already, are
/// kept free of other passages.
fn choose_on(
    sides: Range<usize>,
    mut chosen: CoveredRanges,
    pair: &Pair,
    candidates: Vec<Vec<Run>>,
    min_match: MinMatch,
) -> Vec<Vec<Run>> {
    let mut heap: BinaryHeap<Candidate> =
        candidates.into_iter().filter_map(|tiles| candidate(pair, tiles, min_match, 0)).collect();
    let mut passages = Vec::new();
    while let Some(best) = heap.pop() {
        let extents = [0, 1].map(|side| extent(&best.tiles, side));
        if chosen.is_free(&extents) {
            sides.clone().for_each(|side| chosen.add(side, extents[side].clone()));
            passages.push(best.tiles);
        } else if best.cuts < MAX_ROUNDS {
            let left_over = chosen.uncovered(&best.tiles).into_iter();
            let again = left_over.map(|tiles| trimmed(pair, tiles));
            heap.extend(again.filter_map(|it| candidate(pair, it, min_match, best.cuts + 1)));
        }
    }
    passages
}

#[derive(Clone, Debug)]
pub(super) struct FoundPassage {
    pub(super) runs: Vec<Run>,
    /// For each side, the words in which it repeats the passage that the other side has less often.
    pub(super) repeats: [Vec<Range<usize>>; 2],
    /// The aligned words of these, on each side.
    pub(super) repeated: [Vec<Range<usize>>; 2],
}

impl FoundPassage {
    pub(super) fn new(runs: Vec<Run>) -> Self {
        Self { runs, repeats: Default::default(), repeated: Default::default() }
    }

    /// Returns the words that the passage covers on a side: its own, and those that repeat it.
    pub(super) fn ranges(&self, side: usize) -> impl Iterator<Item = Range<usize>> {
        [extent(&self.runs, side)].into_iter().chain(self.repeats[side].iter().cloned())
    }
}

/// Adds to the passages what repeats them in the words of a side that they leave free: a stretch that
/// recurs more often on this side than on the other is found in each of its places, so that no copy
/// of it lowers the share of the text that passages cover.
///
/// Each copy is aligned on its own, and repeats the passage with which it is aligned the most. It is no
/// copy if more than half of its aligned words are in no passage of the other side. The cost is that of
/// sorting the runs.
pub(super) fn add_repeats(
    pair: &Pair,
    side: usize,
    sets: &[Vec<Run>],
    found: &mut [FoundPassage],
    min_match: MinMatch,
) {
    let mut of_others: BTreeMap<usize, (usize, usize)> = BTreeMap::new();
    for (number, passage) in found.iter().enumerate() {
        of_others.extend(passage.ranges(1 - side).map(|range| (range.start, (range.end, number))));
    }
    for tiles in repeats(pair, side, sets, found, min_match) {
        let mut aligned: BTreeMap<usize, usize> = BTreeMap::new();
        for other in tiles.iter().map(|tile| tile.range(1 - side)) {
            let overlapping = of_others.range(..other.end).rev();
            let overlapping = overlapping.take_while(|(_, (end, _))| *end > other.start);
            for (start, (end, number)) in overlapping {
                *aligned.entry(*number).or_default() +=
                    (*end).min(other.end) - (*start).max(other.start);
            }
        }
        let words: usize = tiles.iter().map(|tile| tile.length).sum();
        if let Some((number, _)) = aligned.iter().max_by_key(|(_, words)| **words)
            && 2 * aligned.values().sum::<usize>() >= words
        {
            found[*number].repeats[side].push(extent(&tiles, side));
            found[*number].repeated[side].extend(tiles.iter().map(|tile| tile.range(side)));
        }
    }
    for passage in found {
        passage.repeats[side].sort_unstable_by_key(|range| range.start);
    }
}

/// Returns what [repeats](add_repeats) passages in the words of a side that they leave free.
fn repeats(
    pair: &Pair,
    side: usize,
    sets: &[Vec<Run>],
    found: &[FoundPassage],
    min_match: MinMatch,
) -> Vec<Vec<Run>> {
    let covered = merge_ranges(found.iter().flat_map(|it| it.ranges(side)).collect());
    let is_covered = |run: &&Run| {
        let next = covered.partition_point(|range| range.end <= run.at[side]);
        covered
            .get(next)
            .is_some_and(|range| range.start <= run.at[side] && run.range(side).end <= range.end)
    };
    let uncovered = sets.iter().flatten().filter(|run| !is_covered(run));
    let free: Vec<Run> = uncovered.flat_map(|run| outside(*run, side, &covered)).collect();
    if !RunsWorth::of_runs_may_count(pair, &free, min_match) {
        return Vec::new();
    }
    let candidates = one_by_one(pair, side, apart([side; 2], free, 1))
        .into_iter()
        .flat_map(|copy| align::candidates(pair, copy, min_match));
    let mut known = CoveredRanges::default();
    for range in covered {
        known.add(side, range);
    }
    choose_on(side..side + 1, known, pair, candidates.collect(), min_match)
}

/// Separates tiles that are disjoint on one side into sets that are disjoint on both: one for each
/// copy of what the other side has.
fn one_by_one(pair: &Pair, side: usize, mut tiles: Vec<Run>) -> Vec<Vec<Run>> {
    tiles.sort_unstable_by_key(|tile| tile.at[side]);
    let mut copies: Vec<Vec<Run>> = Vec::new();
    let mut of_copy = CoveredRanges::default();
    for tile in tiles {
        let ranges = [0, 1].map(|side| tile.range(side));
        let follows = copies.last().and_then(|copy| copy.last()).is_some_and(|last| {
            let stretch = |run: &Run| [0, 1].map(|side| pair.stretch(side, run.at[side]).start);
            !is_parted(pair, side, last.range(side).end, tile.at[side])
                && stretch(last) == stretch(&tile)
        });
        let is_free = of_copy.is_free(&ranges);
        if follows && !is_free && pair.worth_of(side, ranges[side].clone()) < MIN_RECURRING_WORTH {
            continue; // words that are here by chance do not begin another copy
        }
        if !(follows && is_free) {
            copies.push(Vec::new());
            of_copy = CoveredRanges::default();
        }
        of_copy.add(1 - side, ranges[1 - side].clone());
        copies.last_mut().expect("the first tile follows none").push(tile);
    }
    copies
}

/// Returns the part of a passage within a range of each side; `None` if it is not enough to count.
pub(super) fn within(
    pair: &Pair,
    passage: Vec<Run>,
    ranges: &[Range<usize>; 2],
    min_match: MinMatch,
) -> Option<Vec<Run>> {
    let tiles = passage.into_iter().filter_map(|tile| align::within(tile, ranges)).collect();
    candidate(pair, trimmed(pair, tiles), min_match, 0).map(|candidate| candidate.tiles)
}

/// Makes a candidate; `None` if the tiles are not enough to count.
fn candidate(pair: &Pair, tiles: Vec<Run>, min_match: MinMatch, cuts: usize) -> Option<Candidate> {
    let worth = rule::worth(pair, &tiles, min_match)?;
    let at = Reverse([extent(&tiles, 0).start, extent(&tiles, 1).start]);
    Some(Candidate { worth, at, cuts, tiles })
}

/// The ranges that the chosen passages cover: on each side, the end of each by its start.
#[derive(Default)]
pub(super) struct CoveredRanges([BTreeMap<usize, usize>; 2]);

impl CoveredRanges {
    /// Marks a range of a side as covered. It must not overlap one that is covered already.
    pub(super) fn add(&mut self, side: usize, range: Range<usize>) {
        self.0[side].insert(range.start, range.end);
    }

    /// Reports whether a range of each side is free on both sides.
    pub(super) fn is_free(&self, ranges: &[Range<usize>; 2]) -> bool {
        self.0.iter().zip(ranges).all(|(covered, range)| {
            let before = covered.range(..range.end).next_back();
            before.is_none_or(|(_, end)| *end <= range.start)
        })
    }

    /// Returns the parts of tiles that are not covered, grouped by the covered ranges before them.
    fn uncovered(&self, tiles: &[Run]) -> Vec<Vec<Run>> {
        let mut parts: BTreeMap<[Option<usize>; 2], Vec<Run>> = BTreeMap::new();
        for tile in tiles {
            let mut from = 0;
            while from < tile.length {
                let at = tile.at.map(|at| at + from);
                let before = [0, 1].map(|side| self.0[side].range(..=at[side]).next_back());
                let end = |side: usize| before[side].map_or(0, |(_, end)| *end);
                let covered = (0..2).map(|side| end(side).saturating_sub(at[side])).max();
                if let Some(covered) = covered.filter(|covered| *covered > 0) {
                    from += covered;
                    continue;
                }
                let next = |side: usize| {
                    let next = self.0[side].range(at[side]..).next();
                    next.map_or(usize::MAX, |(start, _)| start - at[side])
                };
                let to = next(0).min(next(1)).min(tile.length - from) + from;
                let place = before.map(|before| before.map(|(start, _)| *start));
                parts.entry(place).or_default().push(tile.part(from..to));
                from = to;
            }
        }
        parts.into_values().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{pair, run, words};
    use super::*;

    #[test]
    fn the_longest_goes_first_and_what_is_left_of_others_counts() {
        #[rustfmt::skip]
        let table: &[(&str, &[Run], &[Run])] = &[
            ("nothing",                        &[],                               &[]),
            ("apart",                          &[run(0, 0, 12), run(12, 12, 13)], &[run(12, 12, 13), run(0, 0, 12)]),
            ("too short",                      &[run(0, 0, 11)],                  &[]),
            ("one inside another on the left", &[run(0, 0, 30), run(5, 40, 20)],  &[run(0, 0, 30)]),
            ("one that reaches out of it",     &[run(0, 0, 30), run(15, 40, 27)], &[run(0, 0, 30), run(30, 55, 12)]),
            ("too little",                     &[run(0, 0, 30), run(15, 40, 26)], &[run(0, 0, 30)]),
            ("on the right",                   &[run(0, 0, 30), run(40, 15, 27)], &[run(0, 0, 30), run(55, 30, 12)]),
            ("one that reaches into it",       &[run(0, 20, 41), run(50, 8, 40)], &[run(0, 20, 41), run(50, 8, 12)]),
            ("around one on either side",      &[run(12, 0, 30), run(0, 50, 56)], &[run(0, 50, 56)]),
            ("equally long ones",              &[run(5, 40, 20), run(0, 0, 20)],  &[run(0, 0, 20)]),
        ];
        let pair = pair(&words("a1..99"), &words("b1..99"));
        for (why, candidates, want) in table {
            let candidates = candidates.iter().map(|run| vec![*run]).collect();
            let got = choose(&pair, candidates, MinMatch::default()).concat();
            assert_eq!(got, *want, "{why}");
        }
    }

    #[test]
    fn the_rest_is_considered_again_four_times() {
        let candidate = vec![run(100, 100, 16), run(144, 116, 16)];
        // Each is longer than what is left of the candidate. The first four cut two words off one
        // of its ends, and the last is between its two runs in the left text.
        let others = [
            run(69, 200, 33),
            run(200, 73, 31),
            run(158, 240, 29),
            run(240, 128, 27),
            run(118, 280, 25),
        ];
        #[rustfmt::skip]
        let table: [(usize, &[Run]); 6] = [
            (0, &[run(100, 100, 16), run(144, 116, 16)]),
            (1, &[run(102, 102, 14), run(144, 116, 16)]),
            (2, &[run(104, 104, 12), run(144, 116, 16)]),
            (3, &[run(104, 104, 12), run(144, 116, 14)]),
            (4, &[run(104, 104, 12), run(144, 116, 12)]),
            (5, &[]),
        ];
        let pair = pair(&words("a1..400"), &words("b1..400"));
        for (count, rest) in table {
            let others = &others[..count];
            let candidates = others.iter().map(|run| vec![*run]).chain([candidate.clone()]);
            let got = choose(&pair, candidates.collect(), MinMatch::default()).concat();
            assert_eq!(got, [others, rest].concat(), "{count} others");
        }
    }

    /// Returns rows of the given numbers of words, and single words to make 20 words in total.
    fn rows(rows: &[usize]) -> Vec<Run> {
        let singles = std::iter::repeat_n(1, 20 - rows.iter().sum::<usize>());
        let mut at = 60;
        let next = |length| {
            at += length + 1;
            run(at - length - 1, at - length - 1, length)
        };
        rows.iter().copied().chain(singles).map(next).collect()
    }

    /// Returns three rows of four and 12 single words. The last single word ends a stretch of
    /// `words` words.
    fn thin(words: usize) -> Vec<Run> {
        let of_rows = (0..3).map(|k| run(60 + 5 * k, 60 + 5 * k, 4));
        let others = (0..11).map(|k| run(60 + 15 + 2 * k, 60 + 15 + 2 * k, 1));
        of_rows.chain(others).chain([run(60 + words - 1, 60 + words - 1, 1)]).collect()
    }

    #[test]
    fn what_counts_is_named_by_its_words() {
        #[rustfmt::skip]
        let table: &[(&str, &[Run], bool)] = &[
            ("nothing",                        &[],                                  false),
            ("19 different words",             &[run(0, 0, 10), run(10, 11, 9)],     false),
            ("20 of them",                     &[run(0, 0, 10), run(10, 11, 10)],    true),
            ("22 words, two different ones",   &[run(20, 20, 11), run(40, 41, 11)],  false),
            ("12 in a row, all the same",      &[run(20, 20, 12)],                   false),
            ("one of three words is aligned",  &[run(0, 0, 12), run(60, 60, 12)],    true),
            ("not quite",                      &[run(0, 0, 12), run(60, 61, 12)],    false),
            ("twelve of twenty in rows",       &rows(&[4, 4, 4]),                    true),
            ("eleven of them",                 &rows(&[4, 4, 3]),                    false),
            ("no four in a row",               &rows(&[3, 3, 3, 3]),                 false),
            ("rows of three",                  &rows(&[4, 4, 3, 3]),                 true),
            ("two words are no row",           &rows(&[4, 4, 2, 2]),                 false),
            ("eleven, and four times another", &[&[run(20, 20, 4)][..], &rows(&[4, 4, 3])].concat(), true),
            ("eight, and four times another",  &[&[run(20, 20, 4)][..], &rows(&[4, 4])].concat(), false),
            ("12 in 60 words",                 &thin(60),                            true),
            ("12 in 61 words",                 &thin(61),                            false),
        ];
        let texts = ["a1..19 u b1..99", "c1..19 v d1..99"]
            .map(|text| words(&text.replace(['u', 'v'], &"w ".repeat(40))));
        let pair = pair(&texts[0], &texts[1]);
        for (why, tiles, want) in table {
            let candidate = candidate(&pair, tiles.to_vec(), MinMatch::default(), 0);
            assert_eq!(candidate.is_some(), *want, "{why}");
        }
    }
}
