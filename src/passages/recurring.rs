//! Finds the runs of words that recur too often to extend a seed at each occurrence in one text
//! paired with each in the other.
//!
//! Each occurrence is paired with one occurrence in the other text: the nearest to where the run
//! before it would continue, and otherwise the one with the same number in the order of the text, as
//! the occurrences of either text may be copies of those of the other, one by one. So every place
//! of such a run is found, in both texts, and copies that were edited are aligned with one copy each.
//! The cost is that of sorting the words that recur.

use std::ops::Range;

use super::MinMatch;
use super::common::merge_ranges;
use super::gather::MAX_MOVE;
use super::keys::BloomFilter;
use super::pair::{Pair, WORD};
use super::runs::extend_seed;
use super::seeds::{self, MIN_SEED_WORTH, WordSet, mixed};
use crate::interner::common_runs::Run;
use crate::interner::place;
use crate::parallel;

/// The minimum worth of the words in a row that are paired in this way, in quarters of a word.
/// Fewer words recur in many texts without having been copied.
pub(super) const MIN_RECURRING_WORTH: usize = 6 * WORD;

/// The largest number of words before an occurrence to which its run is extended, which bounds the
/// cost on any input.
const MAX_BACK: usize = 64;

/// Words in a row that recur, on one side.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
struct Occurrence {
    /// The key, equal for equal words.
    key: u64,
    /// The positions of the first word and after the last one.
    at: u32,
    end: u32,
}

/// Returns the runs around words in a row that recur, and around copies of `known` runs. `recurring`
/// has the words of each side at which a seed begins that recurs, and `found` the runs around other
/// seeds.
pub(super) fn runs(
    pair: &Pair,
    recurring: &[WordSet; 2],
    (known, found): (&[Run], &[Run]),
    min_match: MinMatch,
) -> Vec<Run> {
    let mut runs = of_recurring(pair, recurring, known.iter().chain(found), min_match);
    runs.extend(copies_of_known(pair, &seeds::gaps_of_sides(pair, known), known, min_match));
    runs
}

/// Returns the runs around words in a row that recur, given the runs that other seeds have found.
fn of_recurring<'r>(
    pair: &Pair,
    recurring: &[WordSet; 2],
    known: impl Iterator<Item = &'r Run>,
    min_match: MinMatch,
) -> Vec<Run> {
    let min_worth = MIN_RECURRING_WORTH.min(min_match.in_a_row());
    let of_side = |side: usize| {
        let mut all = occurrences(pair, side, &recurring[side], min_worth);
        all.sort_unstable();
        all
    };
    let sides = [of_side(0), of_side(1)];
    let groups = groups([&sides[0], &sides[1]]);
    if groups.is_empty() {
        return Vec::new();
    }
    let mut found: Vec<Run> = Vec::new();
    let is_long = |run: &Run| pair.worth_of(0, run.range(0)) >= min_worth;
    let mut known: Vec<Run> = known.copied().filter(is_long).collect();
    for side in 0..2 {
        let paired = follow(pair, side, &groups, &mut known);
        known.extend(&paired);
        found.extend(paired);
    }
    found
}

/// Returns the runs around words in `gaps`, between known runs, that known runs contain on the other
/// side: further copies of these, which no seed in the gaps of both sides finds.
fn copies_of_known(
    pair: &Pair,
    gaps: &[Vec<Range<usize>>; 2],
    known: &[Run],
    min_match: MinMatch,
) -> Vec<Run> {
    let is_long = |run: &&Run| pair.worth_of(0, run.range(0)) >= min_match.in_a_row();
    let mut long: Vec<Run> = known.iter().filter(is_long).copied().collect();
    let windows_for = |side: usize| {
        let is_shared = |word: u32| pair.is_in_both(word);
        let of_gaps = seeds::rows(&pair.words[side], &gaps[side], is_shared);
        let of_known = long.iter().map(|run| run.range(1 - side)).collect();
        let mut ranges = [of_gaps, merge_ranges(of_known)];
        ranges.rotate_left(side);
        common_windows(pair, &ranges)
    };
    let bytes = size_of::<u32>() * known.iter().map(|run| run.length).sum::<usize>();
    let (of_left, of_right) = parallel::join(bytes, || windows_for(0), || windows_for(1));
    let mut found = Vec::new();
    for (side, [left, right]) in [of_left, of_right].into_iter().enumerate() {
        found.extend(follow(pair, side, &groups([&left, &right]), &mut long));
    }
    found
}

/// Returns the windows in `ranges` of both sides whose keys both have, each side's in order, and
/// perhaps more.
fn common_windows(pair: &Pair, ranges: &[Vec<Range<usize>>; 2]) -> [Vec<Occurrence>; 2] {
    let words = ranges.each_ref().map(|ranges| ranges.iter().map(Range::len).sum::<usize>());
    let first = usize::from(words[1] < words[0]);
    let second = 1 - first;
    let mut all = [Vec::new(), Vec::new()];
    all[first] = windows(pair, first, &ranges[first], |_| None);
    if !all[first].is_empty() {
        let mut pairs = BloomFilter::with_capacity(words[first]);
        for range in &ranges[first] {
            let of_range = pair.words[first][range.clone()].windows(2);
            of_range.for_each(|words| pairs.add(pair_key(words)));
        }
        all[second] = windows(pair, second, &ranges[second], |window| {
            window.windows(2).rposition(|words| !pairs.may_have(pair_key(words)))
        });
    }
    for all in &mut all {
        all.sort_unstable();
    }
    all
}

fn pair_key(words: &[u32]) -> u64 {
    words.iter().fold(0, |key, word| mixed(key, (*word).into()))
}

/// Returns the windows of an anchor's length in ranges of a side. `foreign` returns the last word of a
/// window such that no wanted window contains that word and the next; `None` if the window itself may
/// be wanted. All windows that contain both words are skipped, so most words are never read (Wu and
/// Manber 1994).
fn windows(
    pair: &Pair,
    side: usize,
    ranges: &[Range<usize>],
    foreign: impl Fn(&[u32]) -> Option<usize>,
) -> Vec<Occurrence> {
    let mut all = Vec::new();
    for range in ranges {
        let mut at = range.start;
        while let Some(window) = pair.words[side][..range.end].get(at..at + seeds::LENGTH) {
            if let Some(foreign) = foreign(window) {
                at += foreign;
            } else {
                let of_window =
                    |(key, _)| Occurrence { key, at: place(at), end: place(at + seeds::LENGTH) };
                all.extend(seeds::keys(window).map(of_window));
            }
            at += 1;
        }
    }
    all
}

/// Returns the occurrences of each key that both sides have. Those of either side must be in order.
fn groups([left, right]: [&[Occurrence]; 2]) -> Vec<[&[Occurrence]; 2]> {
    let same_key = |one: &Occurrence, next: &Occurrence| one.key == next.key;
    let mut others = right.chunk_by(same_key).peekable();
    let mut groups = Vec::new();
    for here in left.chunk_by(same_key) {
        while others.next_if(|there| there[0].key < here[0].key).is_some() {}
        if let Some(there) = others.next_if(|there| there[0].key == here[0].key) {
            groups.push([here, there]);
        }
    }
    groups
}

/// Returns the stretches of a side that are worth enough and in which every seed recurs.
fn occurrences(pair: &Pair, side: usize, recurring: &[bool], min_worth: usize) -> Vec<Occurrence> {
    let mut all = Vec::new();
    for (at, _) in recurring.iter().enumerate().filter(|(_, is_in)| **is_in) {
        let stop = pair.stretch(side, at).end;
        let (mut key, mut worth, mut end) = (0, 0, at);
        while worth < min_worth && end < stop {
            key = mixed(key, pair.words[side][end].into());
            worth += pair.worth(side, end);
            end += 1;
        }
        // The seeds that may begin in it and end within it.
        let mut seeds = at..(end + 1).saturating_sub(MIN_SEED_WORTH / WORD);
        if worth >= min_worth && seeds.all(|at| recurring.get(at) == Some(&true)) {
            all.push(Occurrence { key, at: place(at), end: place(end) });
        }
    }
    all
}

/// Pairs each occurrence on a side that no known run contains, in the order of the text, and returns
/// the runs around them.
fn follow(pair: &Pair, side: usize, groups: &[[&[Occurrence]; 2]], known: &mut [Run]) -> Vec<Run> {
    known.sort_unstable_by_key(|run| (run.at[side], *run));
    let mut known = known.iter().peekable();
    let mut all: Vec<(Occurrence, usize, &[Occurrence])> = Vec::new();
    for group in groups {
        let others = group[1 - side];
        all.extend(group[side].iter().zip(0..).map(|(it, number)| (*it, number, others)));
    }
    all.sort_unstable_by_key(|(it, ..)| it.at);
    let mut found = Vec::new();
    let mut last: Option<Run> = None;
    for (Occurrence { at, end, .. }, number, others) in all {
        let [at, end] = [at, end].map(|word| word as usize);
        while let Some(run) = known.next_if(|run| run.at[side] <= at) {
            if last.is_none_or(|last| last.range(side).end <= run.range(side).end) {
                last = Some(*run);
            }
        }
        if last.is_some_and(|last| end <= last.range(side).end) {
            continue;
        }
        let near = last.and_then(|last| nearest(others, last.at[1 - side] + at - last.at[side]));
        let other = near.unwrap_or(others[number % others.len()].at as usize);
        let mut seed = [at, other];
        if side == 1 {
            seed.reverse();
        }
        if let Some(run) = extend_seed(pair, seed, MAX_BACK) {
            found.push(run);
            last = Some(run);
        }
    }
    found
}

/// Returns the position of the occurrence that is nearest to a word, if it is near.
fn nearest(all: &[Occurrence], to: usize) -> Option<usize> {
    let behind = all.partition_point(|it| (it.at as usize) < to);
    let near = all[behind.saturating_sub(1)..].iter().take(2).map(|it| it.at as usize);
    near.min_by_key(|at| at.abs_diff(to)).filter(|at| at.abs_diff(to) <= MAX_MOVE)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::tests::pair;
    use super::*;

    proptest! {
        /// Compared with looking each window up among all of the other side.
        #[test]
        fn windows_are_those_that_both_sides_have(
            texts in ["[a-e]{0,60}", "[a-e]{0,30}"], copied in "[a-e]{8,20}",
            at in [0_usize..30, 0_usize..30],
            cuts in [proptest::collection::btree_set(0_usize..50, 0..4), proptest::collection::btree_set(0_usize..50, 0..4)],
        ) {
            let [left, right] = [0, 1].map(|side| {
                let (before, behind) = texts[side].split_at(at[side].min(texts[side].len()));
                [before, &copied, behind].concat().chars().map(String::from).collect::<Vec<_>>()
            });
            let pair = pair(&left, &right);
            let ranges = [0, 1].map(|side| {
                let end = pair.words[side].len();
                let ends = cuts[side].iter().copied().filter(|at| *at < end).chain([end]);
                ends.scan(0, |start, end| Some(std::mem::replace(start, end)..end)).collect::<Vec<_>>()
            });
            let all = [0, 1].map(|side| {
                let of_range = |range: &Range<usize>| {
                    let first = range.start;
                    let windows = pair.words[side][range.clone()].windows(seeds::LENGTH).enumerate();
                    windows.map(move |(at, words)| (words, first + at)).collect::<Vec<_>>()
                };
                ranges[side].iter().flat_map(of_range).collect::<Vec<_>>()
            });
            let got = common_windows(&pair, &ranges);
            let groups = groups([&got[0], &got[1]]);
            for side in 0..2 {
                let has = |words: &[u32]| all[1 - side].iter().any(|(other, _)| *other == words);
                let want: Vec<usize> =
                    all[side].iter().filter(|(words, _)| has(words)).map(|(_, at)| *at).collect();
                let mut got: Vec<usize> =
                    groups.iter().flat_map(|group| group[side]).map(|it| it.at as usize).collect();
                got.sort_unstable();
                prop_assert_eq!(got, want);
            }
        }

        /// Every six words that both texts have are in a run, at each of their places on either side,
        /// however often they recur.
        #[test]
        fn what_recurs_is_found_in_each_place(
            texts in ["[abc]{0,12}", "[abc]{0,12}"], repeated in ["[abcd]{0,9}", "[abcd]{0,9}"],
            times in [0_usize..40, 0_usize..40],
            breaks in [proptest::collection::btree_set(0_usize..400, 0..3), proptest::collection::btree_set(0_usize..400, 0..3)],
        ) {
            let [left, right] = [0, 1].map(|side| {
                let text = texts[side].clone() + &repeated.concat().repeat(times[side]) + &repeated[side];
                text.chars().map(String::from).collect::<Vec<_>>()
            });
            let mut pair = pair(&left, &right);
            pair.breaks = breaks.map(|breaks| breaks.into_iter().collect());
            let (mut found, recurring) = seeds::runs(&pair, &[]);
            found.extend(runs(&pair, &recurring, (&[], &found), MinMatch::default()));
            for run in &found {
                prop_assert_eq!(&pair.words[0][run.range(0)], &pair.words[1][run.range(1)]);
            }
            let windows = |side: usize| {
                let is_broken = |at: usize| pair.stretch(side, at).end < at + 6;
                let all = pair.words[side].windows(6).enumerate();
                all.filter(|(at, _)| !is_broken(*at)).collect::<Vec<_>>()
            };
            for side in 0..2 {
                let others: std::collections::BTreeSet<_> = windows(1 - side).into_iter().map(|it| it.1).collect();
                for (at, _) in windows(side).into_iter().filter(|(_, window)| others.contains(window)) {
                    let is_in = |run: &Run| run.range(side).start <= at && at + 6 <= run.range(side).end;
                    prop_assert!(found.iter().any(is_in), "{} of side {}", at, side);
                }
            }
        }
    }
}
