//! Long runs that nobody could mistake, found fast: most of what near-duplicates share.

use super::pair::Pair;
use super::runs::{Run, extend};

/// The words of an anchor: so many in a row that stand once in either text.
const LENGTH: usize = 8;

/// One in so many places may be an anchor, the same in both texts. Runs that have none are
/// left to the seeds.
const ONE_IN: u64 = 8;

/// An odd number whose powers mix the words of a window.
const BASE: u64 = 0x9e37_79b9_7f4a_7c15;

/// The runs around anchors, and those at which both texts begin and end; the longest first,
/// each without the words that are in another. None is shorter than an anchor.
pub(super) fn anchors(pair: &Pair) -> Vec<Run> {
    let [left, right] = [0, 1].map(|side| single(&pair.words[side]));
    let mut seeds = Vec::new();
    let mut others = right.iter().peekable();
    for (key, at) in left {
        while others.next_if(|other| other.0 < key).is_some() {}
        if let Some((_, there)) = others.next_if(|other| other.0 == key) {
            seeds.push([at as usize, *there as usize]);
        }
    }
    if pair.words.iter().all(|words| !words.is_empty()) {
        seeds.push([0, 0]);
        seeds.push([pair.words[0].len() - 1, pair.words[1].len() - 1]);
    }
    apart(pair, extend(pair, seeds))
}

/// The windows that may be anchors and stand once in a text: their keys, increasing, and
/// places.
fn single(words: &[u32]) -> Vec<(u64, u32)> {
    let mut keys: Vec<(u64, u32)> = keys(words).filter(|(key, _)| key % ONE_IN == 0).collect();
    keys.sort_unstable();
    let groups = keys.chunk_by(|one, next| one.0 == next.0);
    groups.filter(|group| group.len() == 1).map(|group| group[0]).collect()
}

/// A key of each window, and its place.
fn keys(words: &[u32]) -> impl Iterator<Item = (u64, u32)> {
    let mixed =
        |word: u32| (u64::from(word) + 1).wrapping_mul(BASE).rotate_left(29).wrapping_mul(BASE);
    let leaving = BASE.wrapping_pow(8);
    let mut sum = 0_u64;
    words.iter().enumerate().filter_map(move |(last, word)| {
        sum = sum.wrapping_mul(BASE).wrapping_add(mixed(*word));
        if let Some(gone) = last.checked_sub(LENGTH) {
            sum = sum.wrapping_sub(mixed(words[gone]).wrapping_mul(leaving));
        }
        let first = (last + 1).checked_sub(LENGTH)?;
        let key = (sum ^ (sum >> 32)).wrapping_mul(BASE);
        Some((key ^ (key >> 29), u32::try_from(first).ok()?))
    })
}

/// Runs without the words that a longer one has, on either side; what is left of less than
/// an anchor's length goes.
fn apart(pair: &Pair, mut runs: Vec<Run>) -> Vec<Run> {
    runs.sort_unstable_by_key(|run| (std::cmp::Reverse(run.length), *run));
    let mut taken = [0, 1].map(|side| vec![false; pair.words[side].len()]);
    let mut apart = Vec::new();
    for run in runs {
        let is_free = |x: usize| (0..2).all(|side| !taken[side][run.at[side] + x]);
        let free: Vec<usize> = (0..run.length).filter(|x| is_free(*x)).collect();
        for part in free.chunk_by(|one, next| one + 1 == *next).filter(|part| part.len() >= LENGTH)
        {
            let part = run.part(part[0]..part[0] + part.len());
            (0..2).for_each(|side| taken[side][part.range(side)].fill(true));
            apart.push(part);
        }
    }
    apart
}
