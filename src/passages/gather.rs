//! Gathers runs into sets of runs that may belong to the same passage.
//!
//! The runs of a set are close together on both sides, in any order: sorted by their positions in
//! either text, at most 20 words are between one run and the next. Such sets are the gene teams of
//! Bergeron, Corteel and Raffinot (2002). They are found by splitting on one side and the other in
//! turn until nothing splits.

use std::collections::VecDeque;

use super::MinMatch;
use super::keys;
use super::pair::{Pair, WORD};
use super::rule::RunsWorth;
use super::runs::halves;
use crate::forest::Forest;
use crate::interner::common_runs::Run;
use crate::interner::place;
use crate::parallel;

/// The maximum worth of the words between two adjacent runs of a set, in quarters of a word.
pub(super) const MAX_GAP_WORTH: usize = 20 * WORD;

/// The largest number of words, on the other side, between two runs that are adjacent on one side:
/// as far as a sentence moves within a passage.
pub(super) const MAX_MOVE: usize = 400;

/// The number of words in a cell: runs are looked up by the cell of their position on the other
/// side.
const CELL_WORDS: usize = 512;

/// The largest number of runs of a cell that are compared with a run, the most recent ones.
const RUNS_PER_CELL: usize = 256;

/// The largest number of times that a set is split, which bounds the cost on any input.
const MAX_ROUNDS: usize = 32;

/// Gathers runs into sets that may be enough for a passage, each in the order of left. The cost is
/// that of sorting the runs, and of comparing each run with at most [`RUNS_PER_CELL`] runs of each cell
/// near it.
pub(super) fn gather(pair: &Pair, runs: &[Run], min_match: MinMatch) -> Vec<Vec<Run>> {
    // If all runs together are not enough, neither is any set of them.
    if !RunsWorth::of_runs_may_count(pair, runs, min_match) {
        return Vec::new();
    }
    let bytes = size_of_val(runs);
    let (mut near, mut on_right) =
        parallel::join(bytes, || near(pair, runs, 0), || near(pair, runs, 1));
    for run in 0..place(runs.len()) {
        near.unite(run, on_right.root(run));
    }
    let sets = sets(near, pair, runs, min_match);
    sets.into_iter().flat_map(|set| teams(pair, set, min_match)).collect()
}

/// Joins runs that have few enough words between them on one side, and not too many on the other.
fn near(pair: &Pair, runs: &[Run], side: usize) -> Forest {
    let mut near = Forest::new(place(runs.len()));
    let other = 1 - side;
    let mut order: Vec<u64> =
        runs.iter().zip(0..).map(|(run, x)| (run.at[side] as u64) << 32 | x).collect();
    keys::sort(&mut order, 0);
    let last = pair.words[other].len() / CELL_WORDS;
    // The runs of each cell that precede the current run and may be close enough to it.
    let mut cells: Vec<VecDeque<(usize, Run)>> = vec![VecDeque::new(); last + 1];
    for [start, x] in order.into_iter().map(halves) {
        let run = runs[x];
        let range = run.range(other);
        let [first, behind] = [range.start.saturating_sub(MAX_MOVE), range.end + MAX_MOVE];
        for cell in &mut cells[first / CELL_WORDS..=(behind / CELL_WORDS).min(last)] {
            cell.retain(|(_, met)| !is_parted(pair, side, met.range(side).end, start));
            for (y, met) in &*cell {
                if distance(*met, run, other) <= MAX_MOVE {
                    near.unite(place(x), place(*y));
                }
            }
        }
        for cell in &mut cells[range.start / CELL_WORDS..=(range.end - 1) / CELL_WORDS] {
            if cell.len() == RUNS_PER_CELL {
                cell.pop_front();
            }
            cell.push_back((x, run));
        }
    }
    near
}

/// Returns the teams of a set of runs that may be enough for a passage.
pub(super) fn teams(pair: &Pair, set: Vec<Run>, min_match: MinMatch) -> Vec<Vec<Run>> {
    let mut teams = Vec::new();
    // Sets to be split, each with the side to split it on and the number of times that it was
    // split.
    let mut work = vec![(set, 0, 0)];
    while let Some((set, side, round)) = work.pop() {
        let mut parts = split(pair, set, side);
        // In the first round, the set has not been split on the other side yet.
        let is_team = parts.len() == 1 && round > 0 || round == MAX_ROUNDS;
        parts.retain(|part| RunsWorth::of_runs_may_count(pair, part, min_match));
        if is_team {
            teams.append(&mut parts);
        } else {
            work.extend(parts.into_iter().map(|part| (part, 1 - side, round + 1)));
        }
    }
    for team in &mut teams {
        team.sort_unstable();
    }
    teams.sort_unstable();
    teams
}

/// Splits a set of runs wherever too many words are between adjacent runs on a side.
fn split(pair: &Pair, mut set: Vec<Run>, side: usize) -> Vec<Vec<Run>> {
    set.sort_unstable_by_key(|run| (run.at[side], *run));
    let mut parts: Vec<Vec<Run>> = Vec::new();
    let mut end = 0;
    for run in set {
        match parts.last_mut() {
            Some(part) if !is_parted(pair, side, end, run.at[side]) => part.push(run),
            _ => parts.push(vec![run]),
        }
        end = end.max(run.range(side).end);
    }
    parts
}

/// Reports whether too many words are between two positions on a side.
pub(super) fn is_parted(pair: &Pair, side: usize, end: usize, start: usize) -> bool {
    end < start && pair.is_worth_more(side, end..start, MAX_GAP_WORTH)
}

/// Returns the number of words between two runs on a side; 0 if they overlap.
fn distance(one: Run, other: Run, side: usize) -> usize {
    let (one, other) = (one.range(side), other.range(side));
    other.start.saturating_sub(one.end).max(one.start.saturating_sub(other.end))
}

/// Returns the runs, grouped by set and without duplicates. Sets that are not enough for a passage
/// are skipped.
fn sets(mut near: Forest, pair: &Pair, runs: &[Run], min_match: MinMatch) -> Vec<Vec<Run>> {
    let mut worths = vec![RunsWorth::default(); runs.len()];
    for (x, run) in (0..).zip(runs) {
        worths[near.root(x) as usize].add(pair, run);
    }
    let roots = (0..).zip(runs).map(|(x, run)| (near.root(x), *run));
    let mut of_root: Vec<(u32, Run)> =
        roots.filter(|(root, _)| worths[*root as usize].may_count(min_match)).collect();
    of_root.sort_unstable();
    of_root.dedup();
    let groups = of_root.chunk_by(|one, next| one.0 == next.0);
    groups.map(|group| group.iter().map(|(_, run)| *run).collect()).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::tests::{self, pair, run};
    use super::*;

    /// One word is enough.
    const ONE: MinMatch = MinMatch(1);

    /// Returns two texts of many words, none of which both have.
    fn long_pair() -> Pair {
        pair(&tests::words("x1..2000"), &tests::words("y1..2000"))
    }

    #[test]
    fn runs_hold_together_on_both_sides_or_not_at_all() {
        #[rustfmt::skip]
        let table: &[(&str, &[Run], &[&[Run]])] = &[
            ("nothing",              &[],                                    &[]),
            ("20 words between",     &[run(0, 0, 5), run(25, 5, 5)],         &[&[run(0, 0, 5), run(25, 5, 5)]]),
            ("21 words",             &[run(0, 0, 5), run(26, 5, 5)],         &[&[run(0, 0, 5)], &[run(26, 5, 5)]]),
            ("21 on the other side", &[run(0, 0, 5), run(5, 26, 5)],         &[&[run(0, 0, 5)], &[run(5, 26, 5)]]),
            ("in another order",     &[run(0, 60, 30), run(30, 30, 30), run(60, 0, 30)], &[&[run(0, 60, 30), run(30, 30, 30), run(60, 0, 30)]]),
            ("moved too far",        &[run(0, 0, 9), run(9, 900, 9)],        &[&[run(0, 0, 9)], &[run(9, 900, 9)]]),
            ("bound by a third on one side only", &[run(0, 0, 5), run(20, 500, 5), run(40, 5, 5)], &[&[run(0, 0, 5)], &[run(20, 500, 5)], &[run(40, 5, 5)]]),
            ("400 words between neighbours", &[run(0, 800, 400), run(400, 0, 400), run(800, 1200, 400), run(1200, 400, 400)],
                &[&[run(0, 800, 400), run(400, 0, 400), run(800, 1200, 400), run(1200, 400, 400)]]),
            ("401 words between neighbours", &[run(0, 802, 401), run(401, 0, 401), run(802, 1203, 401), run(1203, 401, 401)],
                &[&[run(0, 802, 401)], &[run(401, 0, 401)], &[run(802, 1203, 401)], &[run(1203, 401, 401)]]),
            ("one twice",            &[run(0, 0, 5), run(0, 0, 5)],          &[&[run(0, 0, 5)]]),
        ];
        let pair = long_pair();
        for (why, runs, want) in table {
            let mut got = gather(&pair, runs, ONE);
            got.sort_unstable();
            assert_eq!(got, *want, "{why}");
        }
    }

    /// The definition: splits on either side for as long as anything splits.
    fn plain_teams(pair: &Pair, set: Vec<Run>) -> Vec<Vec<Run>> {
        for side in 0..2 {
            let parts = split(pair, set.clone(), side);
            if parts.len() > 1 {
                let mut teams: Vec<_> =
                    parts.into_iter().flat_map(|part| plain_teams(pair, part)).collect();
                teams.sort_unstable();
                return teams;
            }
        }
        let mut set = set;
        set.sort_unstable();
        if set.is_empty() { Vec::new() } else { vec![set] }
    }

    /// Compares each run with every other.
    fn plain_gather(pair: &Pair, runs: &[Run]) -> Vec<Vec<Run>> {
        let mut near = Forest::new(place(runs.len()));
        for (x, one) in (0..).zip(runs) {
            for (y, other) in (0..).zip(runs) {
                let is_near = |side: usize| {
                    distance(*one, *other, side) <= 20
                        && distance(*one, *other, 1 - side) <= MAX_MOVE
                };
                if is_near(0) || is_near(1) {
                    near.unite(x, y);
                }
            }
        }
        sets(near, pair, runs, ONE).into_iter().flat_map(|set| plain_teams(pair, set)).collect()
    }

    proptest! {
        #[test]
        fn sets_agree_with_the_definition(
            runs in proptest::collection::btree_set((0_usize..900, 0_usize..900, 1_usize..30), 0..60),
            min_match in 1_usize..20,
        ) {
            let pair = long_pair();
            let runs: Vec<Run> = runs.into_iter().map(|(left, right, length)| run(left, right, length)).collect();
            let mut want = plain_gather(&pair, &runs);
            want.retain(|set| RunsWorth::of_runs_may_count(&pair, set, MinMatch(min_match)));
            want.sort_unstable();
            let mut got = gather(&pair, &runs, MinMatch(min_match));
            got.sort_unstable();
            prop_assert_eq!(got, want);
        }
    }
}
