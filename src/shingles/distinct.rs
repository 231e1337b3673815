//! Residues → the distinct ones, increasing.

/// From how many residues on they are dealt out by their top bits before they are sorted.
const MANY: usize = 1 << 12;

/// Bits of a digit.
const DIGIT: u32 = 11;

/// Digits that residues are sorted by from the top; among a million random residues a
/// few dozen pairs agree in all of them.
const DIGITS: u32 = 3;

/// The top bits that residues are sorted by.
const SHIFT: u32 = 64 - DIGIT * DIGITS;

/// The distinct residues, increasing. Linear for residues as they come, n log n at worst.
pub(super) fn distinct(mut residues: Vec<u64>) -> Vec<u64> {
    if residues.len() < MANY {
        residues.sort_unstable();
    } else {
        residues = sorted_by_top_bits(residues);
        for run in residues.chunk_by_mut(|a, b| a >> SHIFT == b >> SHIFT) {
            if run.len() > 1 {
                run.sort_unstable();
            }
        }
    }
    residues.dedup();
    residues
}

/// Sorts by the top bits alone: a radix sort, the lowest digit first.
fn sorted_by_top_bits(mut residues: Vec<u64>) -> Vec<u64> {
    let digit =
        |residue: u64, k: u32| (residue >> (SHIFT + DIGIT * k)) as usize & ((1 << DIGIT) - 1);
    let mut places = vec![[0_usize; 1 << DIGIT]; DIGITS as usize];
    for &residue in &residues {
        for (k, places) in (0..).zip(&mut places) {
            places[digit(residue, k)] += 1;
        }
    }
    let mut dealt = vec![0; residues.len()];
    for (k, places) in (0..).zip(&mut places) {
        let mut next = 0;
        for place in places.iter_mut() {
            next += std::mem::replace(place, next);
        }
        for &residue in &residues {
            let place = &mut places[digit(residue, k)];
            dealt[*place] = residue;
            *place += 1;
        }
        std::mem::swap(&mut residues, &mut dealt);
    }
    residues
}

/// The union of two increasing, distinct runs.
pub(super) fn merge(left: &[u64], right: &[u64]) -> Vec<u64> {
    let mut union = Vec::with_capacity(left.len() + right.len());
    let (mut l, mut r) = (0, 0);
    while l < left.len() && r < right.len() {
        let (a, b) = (left[l], right[r]);
        union.push(a.min(b));
        l += usize::from(a <= b);
        r += usize::from(b <= a);
    }
    union.extend_from_slice(&left[l..]);
    union.extend_from_slice(&right[r..]);
    union
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    /// Residues of any kind: random ones, few different ones, and such that agree in all
    /// digits, which are sorted by the rest.
    fn residues() -> impl Strategy<Value = Vec<u64>> {
        let one = prop_oneof![any::<u64>(), 0..40_u64, (0..9_u64).prop_map(|n| n << 60)];
        prop_oneof![
            proptest::collection::vec(one.clone(), 0..50),
            proptest::collection::vec(one, MANY..MANY + 50),
        ]
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(60))]
        #[test]
        fn distinct_agrees_with_a_set(residues in residues()) {
            let set: BTreeSet<u64> = residues.iter().copied().collect();
            prop_assert_eq!(distinct(residues), set.into_iter().collect::<Vec<_>>());
        }

        #[test]
        fn merge_agrees_with_a_set(left in residues(), right in residues()) {
            let set: BTreeSet<u64> = left.iter().chain(&right).copied().collect();
            prop_assert_eq!(merge(&distinct(left), &distinct(right)), set.into_iter().collect::<Vec<_>>());
        }
    }
}
