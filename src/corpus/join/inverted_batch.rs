//! What a set shares with each of many others, counted at once.

use super::columns;

/// Up to 256 sets, and for each residue which of them have it. To count what a set shares with
/// all of them takes a look-up for each of its residues and a step for each that is shared, where
/// to merge it with each takes a step for nearly each residue of both.
pub(super) struct InvertedBatch {
    /// Distinct, increasing.
    residues: Vec<u64>,
    /// For each residue, where its members start; and the end.
    starts: Vec<u32>,
    /// Which sets have a residue, from 0, end to end.
    members: Vec<u8>,
    /// For each value of the top bits, where the residues that have them start; and the end.
    slots: Vec<u32>,
    slot_bits: u32,
}

/// The most sets of a batch.
pub(super) const MOST: usize = 1 << u8::BITS;

/// The residues that a batch of more than one set has at most: 16 bytes each while it is made.
pub(super) const ROOM: u32 = if cfg!(test) { 40 } else { 1 << 20 };

/// What it takes to make a batch of so many residues and to look so many up in it, in steps of a
/// merge. Those for what is shared do not count: a merge takes more.
pub(super) fn cost(residues: u64, looked_up: u64) -> u64 {
    if cfg!(test) { residues + looked_up } else { 16 * residues + 4 * looked_up }
}

impl InvertedBatch {
    /// Of increasing sets: of no more than 256, with less than 2³² residues in all.
    pub(super) fn of(sets: &[&[u64]]) -> Self {
        let mut all: Vec<(u64, u8)> = Vec::new();
        for (set, member) in sets.iter().zip(0..=u8::MAX) {
            all.extend(set.iter().map(|residue| (*residue, member)));
        }
        all.sort_unstable();
        let (mut residues, mut starts) = (Vec::new(), Vec::new());
        for ((residue, _), at) in all.iter().zip(0_u32..) {
            if residues.last() != Some(residue) {
                residues.push(*residue);
                starts.push(at);
            }
        }
        starts.push(u32::try_from(all.len()).unwrap_or(u32::MAX));
        let slot_bits = residues.len().max(1).ilog2();
        let mut slots = vec![0_u32; (1 << slot_bits) + 1];
        for residue in &residues {
            slots[columns::of(*residue, slot_bits) + 1] += 1;
        }
        for slot in 1..slots.len() {
            slots[slot] += slots[slot - 1];
        }
        let members = all.into_iter().map(|(_, member)| member).collect();
        Self { residues, starts, members, slots, slot_bits }
    }

    /// Counts how many residues of a set each member has.
    pub(super) fn count(&self, set: &[u64], shared: &mut [u32; MOST]) {
        shared.fill(0);
        for residue in set {
            let slot = columns::of(*residue, self.slot_bits);
            let (from, to) = (self.slots[slot] as usize, self.slots[slot + 1] as usize);
            let Some(at) = self.residues[from..to].iter().position(|it| it == residue) else {
                continue;
            };
            let (from, to) = (self.starts[from + at] as usize, self.starts[from + at + 1] as usize);
            for member in &self.members[from..to] {
                shared[usize::from(*member)] += 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::jaccard::Overlap;

    proptest! {
        #[test]
        fn each_member_shares_what_it_has_in_common(
            sets in prop::collection::vec(prop::collection::btree_set(0_u64..40, 0..20), 0..9),
            set in prop::collection::btree_set(0_u64..40, 0..20),
            shift in 0_u32..59,
        ) {
            let residues = |set: &std::collections::BTreeSet<u64>| -> Vec<u64> {
                set.iter().map(|it| it << shift).collect()
            };
            let (sets, set): (Vec<_>, _) = (sets.iter().map(residues).collect(), residues(&set));
            let batch = InvertedBatch::of(&sets.iter().map(Vec::as_slice).collect::<Vec<_>>());
            let mut shared = [9; MOST];
            batch.count(&set, &mut shared);
            for (member, other) in sets.iter().enumerate() {
                prop_assert_eq!(shared[member] as usize, Overlap::of(other, &set).shared);
            }
            prop_assert!(shared[sets.len()..].iter().all(|shared| *shared == 0));
        }
    }
}
