//! Finds the pairs of fingerprints that differ in few bits.

use super::collection::Classes;
use super::collection::Collection;
use super::pairs::PairLimit;
use super::{ClassPair, JoinError};
use crate::hamming;
use crate::parallel::{self, Watch};
use crate::simhash::{BITS, Fingerprint};

/// The largest number of differing bits for which fingerprints are partitioned into blocks; above
/// it, most fingerprints share some block.
const MAX_IN_BLOCKS: u32 = 7;

/// The number of fingerprints per unit of work when all are compared with all.
const FINGERPRINTS_PER_BLOCK: usize = if cfg!(test) { 8 } else { 1024 };

/// Finds all pairs of classes whose fingerprints differ in at most `max_distance` bits and which
/// `confirm` accepts, in an arbitrary order. Stops with an error once there are more pairs than the limit allows.
///
/// If fingerprints are split into k + 1 blocks, two that differ in at most k bits agree in at least
/// one block (Manku, Jain, Das Sarma 2007). So they are sorted by each block in turn, and only
/// those with an equal block are compared. A block that m fingerprints share costs m² / 2
/// comparisons of about a nanosecond each; from eight bits on, all are compared with all. Equal
/// fingerprints are compared once.
pub(super) fn pairs(
    collection: &Collection,
    classes: &Classes,
    max_distance: u32,
    confirm: impl Fn(ClassPair) -> bool,
    watch: Watch,
    limit: &PairLimit,
) -> Result<Vec<ClassPair>, JoinError> {
    let of_class = |class| Some((collection.fingerprint(classes.first(class))?.0, class));
    let counted = classes.numbers().filter(|class| classes.has_evidence(*class));
    let mut sorted: Vec<(u64, u32)> = counted.filter_map(of_class).collect();
    sorted.sort_unstable();
    let equal: Vec<&[(u64, u32)]> = sorted.chunk_by(|one, next| one.0 == next.0).collect();
    let distinct: Vec<u64> = equal.iter().map(|equal| equal[0].0).collect();
    let may_face = |(left, right): &(u32, u32)| classes.may_face(*left, *right);
    let any_may_face =
        |one: usize, other: usize| of_both(equal[one], equal[other]).any(|two| may_face(&two));
    let near = near(&distinct, max_distance, any_may_face, watch, limit)?;
    let in_one = equal.iter().flat_map(|equal| of_one(equal));
    let in_two = near.iter().flat_map(|(one, other)| of_both(equal[*one], equal[*other]));
    let limit = PairLimit::new(limit.max_pairs);
    let found = in_one.chain(in_two).filter(may_face);
    let found = found.map(|(one, other)| ClassPair::new(one, other)).filter(|pair| confirm(*pair));
    let found = found.take_while(|_| limit.take(1)).collect();
    limit.checked(found)
}

/// Returns every pair of classes among those with one fingerprint.
fn of_one(equal: &[(u64, u32)]) -> impl Iterator<Item = (u32, u32)> {
    let with_later = move |(at, (_, one)): (usize, &(u64, u32))| {
        let one = *one;
        equal[at + 1..].iter().map(move |(_, other)| (one, *other))
    };
    equal.iter().enumerate().flat_map(with_later)
}

/// Returns every pair of a class with one fingerprint and a class with another.
fn of_both(one: &[(u64, u32)], other: &[(u64, u32)]) -> impl Iterator<Item = (u32, u32)> {
    let with_others = move |(_, left): &(u64, u32)| {
        let left = *left;
        other.iter().map(move |(_, right)| (left, *right))
    };
    one.iter().flat_map(with_others)
}

/// Returns the indices of all pairs of distinct fingerprints that differ in at most `max_distance`
/// bits and for which `counts` is true.
fn near(
    distinct: &[u64],
    max_distance: u32,
    counts: impl Fn(usize, usize) -> bool + Sync,
    watch: Watch,
    limit: &PairLimit,
) -> Result<Vec<(usize, usize)>, JoinError> {
    let Watch { threads, advance } = watch;
    let is_near = |one: usize, other: usize| {
        let [one, other] = [one, other].map(|at| Fingerprint(distinct[at]));
        hamming::distance(one, other) <= max_distance
    };
    if max_distance > MAX_IN_BLOCKS {
        let count = distinct.len() as u64;
        advance.begin(count * count.saturating_sub(1) / 2);
        let firsts = (0..distinct.len()).step_by(FINGERPRINTS_PER_BLOCK);
        let near = parallel::map(threads, firsts, |first| {
            let mut near = Vec::new();
            for one in first..distinct.len().min(first + FINGERPRINTS_PER_BLOCK) {
                if limit.is_short() {
                    break;
                }
                let before = near.len();
                let others = one + 1..distinct.len();
                let near_one = others.filter(|other| is_near(one, *other));
                let counted = near_one.filter(|other| counts(one, *other));
                near.extend(counted.map(|other| (one, other)));
                limit.take(near.len() - before);
                advance.add((distinct.len() - one - 1) as u64);
            }
            near
        });
        return Ok(limit.checked(near)?.concat());
    }
    let masks = masks(max_distance as usize + 1);
    advance.begin(masks.len() as u64);
    let near = parallel::map(threads, 0..masks.len(), |block| {
        let key = |at: &usize| distinct[*at] & masks[block];
        let mut sorted: Vec<usize> = (0..distinct.len()).collect();
        sorted.sort_unstable_by_key(key);
        let mut near = Vec::new();
        for alike in sorted.chunk_by(|one, next| key(one) == key(next)) {
            for (at, one) in alike.iter().enumerate() {
                if limit.is_short() {
                    break;
                }
                let before = near.len();
                for other in &alike[at + 1..] {
                    let differing = distinct[*one] ^ distinct[*other];
                    // A pair that shares an earlier block was found there.
                    let is_first = || masks[..block].iter().all(|mask| differing & mask != 0);
                    if is_near(*one, *other) && is_first() && counts(*one, *other) {
                        near.push((*one, *other));
                    }
                }
                limit.take(near.len() - before);
            }
        }
        advance.add(1);
        near
    });
    Ok(limit.checked(near)?.concat())
}

/// Returns the bit masks of `blocks` blocks, at most 64, whose sizes are as equal as possible.
pub(super) fn masks(blocks: usize) -> Vec<u64> {
    let block_of = |bit: usize| bit * blocks / BITS;
    let mask = |block| {
        (0..BITS).filter(|bit| block_of(*bit) == block).fold(0, |mask, bit| mask | 1 << bit)
    };
    (0..blocks).map(mask).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_as_even_as_can_be_and_hold_each_bit_once() {
        let below = |bit: u32| (1_u64 << bit) - 1;
        assert_eq!(masks(1), [u64::MAX]);
        assert_eq!(masks(2), [below(32), !below(32)]);
        assert_eq!(masks(3), [below(22), below(43) ^ below(22), !below(43)]);
        assert_eq!(masks(64), (0..64).map(|bit| 1 << bit).collect::<Vec<u64>>());
    }
}
