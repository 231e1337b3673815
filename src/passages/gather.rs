//! Runs → sets of runs that may be of one passage.
//!
//! A set holds together on both sides, in whatever order: sorted by their places in either
//! text, its runs are parted by no more than 20 words. Such sets are the gene teams of
//! Bergeron, Corteel and Raffinot (2002), found by splitting on one side and the other in
//! turn until nothing splits.

use super::pair::{Pair, WORD};
use super::runs::Run;

/// What words between two runs of one set are worth at most.
pub(super) const GAP: usize = 20 * WORD;

/// How many words apart two runs that are neighbours on one side may be on the other: as
/// far as a sentence moves within a passage.
const MOVED: usize = 400;

/// How many runs that follow one are looked at.
const FOLLOWERS: usize = 256;

/// How often a set is split at most, so that the cost is bounded on any input.
const ROUNDS: usize = 32;

/// Gathers runs into sets, each in the order of left.
pub(super) fn gather(pair: &Pair, mut runs: Vec<Run>) -> Vec<Vec<Run>> {
    runs.sort_unstable();
    runs.dedup();
    let mut near = Sets::of(runs.len());
    for side in 0..2 {
        let mut order: Vec<usize> = (0..runs.len()).collect();
        order.sort_unstable_by_key(|x| (runs[*x].at[side], *x));
        for (k, x) in order.iter().enumerate() {
            for y in order[k + 1..].iter().take(FOLLOWERS) {
                let (one, next) = (runs[*x], runs[*y]);
                if is_parted(pair, side, one.range(side).end, next.at[side]) {
                    break;
                }
                if distance(one, next, 1 - side) <= MOVED {
                    near.join(*x, *y);
                }
            }
        }
    }
    let sets = near.sets(&runs);
    sets.into_iter().flat_map(|set| teams(pair, set)).collect()
}

/// The teams of a set of runs.
pub(super) fn teams(pair: &Pair, set: Vec<Run>) -> Vec<Vec<Run>> {
    let mut teams = Vec::new();
    // What is to be split, on which side, and how often it was.
    let mut work = vec![(set, 0, 0)];
    while let Some((set, side, round)) = work.pop() {
        let mut parts = split(pair, set, side);
        if parts.len() == 1 && round > 0 || round == ROUNDS {
            teams.append(&mut parts);
        } else {
            // The first time nothing is known of the other side.
            work.extend(parts.into_iter().map(|part| (part, 1 - side, round + 1)));
        }
    }
    for team in &mut teams {
        team.sort_unstable();
    }
    teams.sort_unstable();
    teams
}

/// A set split wherever too many words part its runs on a side.
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

/// Whether too many words stand between two places on a side.
fn is_parted(pair: &Pair, side: usize, end: usize, start: usize) -> bool {
    end < start && pair.is_worth_more(side, end..start, GAP)
}

/// Words between two runs on a side.
fn distance(one: Run, other: Run, side: usize) -> usize {
    let (one, other) = (one.range(side), other.range(side));
    other.start.saturating_sub(one.end).max(one.start.saturating_sub(other.end))
}

/// Disjoint sets of numbers (Galler and Fischer 1964).
struct Sets(Vec<usize>);

impl Sets {
    /// Each number from 0 in a set of its own.
    fn of(count: usize) -> Self {
        Self((0..count).collect())
    }

    /// The number that stands for the set of another.
    fn root(&mut self, mut of: usize) -> usize {
        while self.0[of] != of {
            self.0[of] = self.0[self.0[of]];
            of = self.0[of];
        }
        of
    }

    fn join(&mut self, one: usize, other: usize) {
        let (one, other) = (self.root(one), self.root(other));
        self.0[one.max(other)] = one.min(other);
    }

    /// The runs, set by set.
    fn sets(mut self, runs: &[Run]) -> Vec<Vec<Run>> {
        let mut of_root: Vec<(usize, Run)> =
            runs.iter().enumerate().map(|(x, run)| (self.root(x), *run)).collect();
        of_root.sort_unstable();
        let groups = of_root.chunk_by(|one, next| one.0 == next.0);
        groups.map(|group| group.iter().map(|(_, run)| *run).collect()).collect()
    }
}
