//! Computes the fingerprint of a set of shingles: 64 bits, of which similar sets share most
//! (Charikar 2002).
//!
//! Each distinct shingle votes once on every bit: for it if that bit of its residue is 1, against
//! it if it is 0. Votes are integers, so neither the order of counting nor rounding affects the
//! answer.

use std::fmt;

use crate::shingles::Shingles;

/// The number of bits in a fingerprint.
pub const BITS: usize = 64;

/// The simhash of a text. Written as 16 hexadecimal digits.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub struct Fingerprint(pub u64);

impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

/// The sums of the votes, bit 63 first. Each is between minus and plus the number of shingles, and
/// has the same parity as that number; all are 0 if there are no votes.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Votes(pub [i64; BITS]);

/// Counts the votes of residues.
pub fn vote(residues: &[u64]) -> Votes {
    let mut sums = [0; BITS];
    for block in residues.chunks(RESIDUES_PER_BLOCK) {
        let against = -i64::try_from(block.len()).unwrap_or_default(); // at most 255
        for (sum, ones) in sums.iter_mut().zip(ones_of_block(block)) {
            *sum += against + 2 * i64::from(ones);
        }
    }
    Votes(sums)
}

/// The number of residues that are counted at a time: the greatest number that fits into a byte.
const RESIDUES_PER_BLOCK: usize = 255;

/// Returns in how many of at most [`RESIDUES_PER_BLOCK`] residues each bit is 1, bit 63 first.
///
/// Eight bits are counted at a time, in the eight bytes of one number: shifted by b and masked, a
/// residue adds its bits b, 8 + b, 16 + b, … to one byte each.
fn ones_of_block(residues: &[u64]) -> [u8; BITS] {
    let mut lanes = [0_u64; 8];
    for residue in residues {
        for (b, lane) in lanes.iter_mut().enumerate() {
            *lane += (residue >> b) & 0x0101_0101_0101_0101;
        }
    }
    std::array::from_fn(|place| {
        let bit = BITS - 1 - place;
        lanes[bit % 8].to_le_bytes()[bit / 8]
    })
}

impl Votes {
    /// Adds the votes of another part of a set.
    pub fn add(&mut self, others: &Self) {
        self.0.iter_mut().zip(others.0).for_each(|(sum, other)| *sum += other);
    }

    /// Returns the fingerprint: a bit is 1 if its sum is above zero, 0 if it is zero or below.
    pub fn fingerprint(&self) -> Fingerprint {
        Fingerprint(self.0.iter().fold(0, |bits, &sum| bits << 1 | u64::from(sum > 0)))
    }
}

/// Computes the fingerprint of a set; `None` if the set is empty.
pub fn fingerprint(shingles: &Shingles) -> Option<Fingerprint> {
    let residues = shingles.all().residues();
    (!residues.is_empty()).then(|| vote(residues).fingerprint())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::shingles::{self, Ngrams};

    /// The definition: one vote at a time.
    fn plain_vote(residues: &[u64]) -> Votes {
        let mut sums = [0; BITS];
        for residue in residues {
            for (bit, sum) in (0..BITS).rev().zip(&mut sums) {
                *sum += if (residue >> bit) & 1 == 1 { 1 } else { -1 };
            }
        }
        Votes(sums)
    }

    proptest! {
        #[test]
        fn counting_by_blocks_agrees_with_single_votes(
            residues in proptest::collection::vec(prop_oneof![any::<u64>(), Just(u64::MAX)], 0..600),
        ) {
            prop_assert_eq!(vote(&residues), plain_vote(&residues));
        }
    }

    #[test]
    fn a_bit_follows_the_majority_and_a_tie_is_zero() {
        #[rustfmt::skip]
        let table: &[(&str, &[u64], u64)] = &[
            ("nothing votes",       &[],                     0),
            ("one voter decides",   &[0xdead_beef],          0xdead_beef),
            ("two against one",     &[0b011, 0b001, 0b101],  0b001),
            ("a tie is zero",       &[0b10, 0b01],           0b00),
            ("opposites cancel",    &[0xf0f0, !0xf0f0],      0),
            ("the top bit counts",  &[1 << 63, 1 << 63, 0],  1 << 63),
        ];
        for (why, residues, want) in table {
            assert_eq!(vote(residues).fingerprint(), Fingerprint(*want), "{why}");
        }
    }

    #[test]
    fn sums_have_bit_63_first() {
        let mut want = [-3; BITS];
        want[0] = -1; // bit 63: one of three
        want[62] = 1; // bit 1: two of three
        want[63] = 3; // bit 0: all three
        assert_eq!(vote(&[1 << 63 | 1, 0b11, 0b11]).0, want);
    }

    #[test]
    fn votes_of_parts_add_up_to_those_of_all() {
        let mut votes = vote(&[1 << 63 | 1]);
        votes.add(&vote(&[0b11, 0b11]));
        assert_eq!(votes.0, vote(&[1 << 63 | 1, 0b11, 0b11]).0);
    }

    #[test]
    fn an_empty_set_has_no_fingerprint() {
        assert_eq!(fingerprint(&Shingles::default()), None);
    }

    #[test]
    fn each_distinct_shingle_votes_once() {
        let ngrams = Ngrams::new(1, 1).unwrap();
        let one = shingles::cut(&["kettle", "kettle"].iter().collect(), ngrams);
        assert_eq!(fingerprint(&one), Some(Fingerprint(one.all().residues()[0])));
    }

    #[test]
    fn a_fingerprint_is_written_in_16_digits() {
        assert_eq!(Fingerprint(0xab).to_string(), "00000000000000ab");
    }
}
