use proptest::collection::vec;
use proptest::prelude::*;

use super::irreducible::Irreducible;
use super::*;

/// The definition, bit by bit: V is built up from its leading 1, then multiplied by x⁶⁴.
fn bitwise(bytes: &[u8]) -> u64 {
    let bits =
        bytes.iter().flat_map(|byte| (0..8).rev().map(move |bit| u64::from(byte >> bit & 1)));
    let value = bits.fold(1, |residue, bit| times_x(residue, MODULUS) ^ bit);
    (0..64).fold(value, |residue, _| times_x(residue, MODULUS))
}

#[test]
fn the_modulus_is_irreducible() {
    let proof = Irreducible::prove(MODULUS).expect("irreducible");
    assert_eq!((proof.after_64_squarings, proof.common_divisor), (2, 1));
}

#[test]
fn the_modulus_is_dense() {
    assert_eq!(MODULUS.count_ones(), 30, "of 64 terms");
}

#[test]
fn short_inputs_have_the_residues_of_their_polynomials() {
    // V = 1: x⁶⁴ mod P is P without its term x⁶⁴.
    assert_eq!(residue(b""), MODULUS);
    // V = x⁸: multiply x⁶⁴ by x eight times.
    assert_eq!(residue(b"\0"), (0..8).fold(MODULUS, |r, _| times_x(r, MODULUS)));
    // V = x⁸ + 1 differs from that by 1 · x⁶⁴.
    assert_eq!(residue(b"\x01"), residue(b"\0") ^ MODULUS);
}

#[test]
fn leading_zero_bytes_count() {
    let zeros: Vec<u64> = (0..20).map(|n| residue(&vec![0; n])).collect();
    let mut distinct = zeros.clone();
    distinct.sort_unstable();
    distinct.dedup();
    assert_eq!(distinct.len(), zeros.len());
}

proptest! {
    #[test]
    fn appending_agrees_with_the_definition(
        bytes in vec(any::<u8>(), 0..40), head in vec(any::<u8>(), 0..3), tail in vec(any::<u8>(), 0..40),
    ) {
        let whole = [&bytes[..], &head, &tail].concat();
        prop_assert_eq!(append(residue(&bytes), Suffix::new(&head, &tail)), bitwise(&whole));
    }

    /// Many at a time, with any instruction that this processor has, and suffixes of all lengths.
    #[test]
    fn appending_each_agrees_with_appending_one(
        pairs in vec((any::<u64>(), vec(any::<u8>(), 0..130)), 0..100),
    ) {
        let (mut residues, tails): (Vec<u64>, Vec<Vec<u8>>) = pairs.into_iter().unzip();
        let suffixes: Vec<Suffix> = tails.iter().map(|tail| Suffix::new(b"", tail)).collect();
        let want: Vec<u64> =
            residues.iter().zip(&suffixes).map(|(residue, suffix)| append(*residue, *suffix)).collect();
        append_each(&mut residues, &suffixes);
        prop_assert_eq!(residues, want);
    }

    /// Fewer suffixes than lanes, and more bytes than are shifted step by step.
    #[test]
    fn suffixes_are_joined_as_their_bytes_are(
        parts in vec(vec(any::<u8>(), 0..400), 0..40), head in vec(any::<u8>(), 0..9),
    ) {
        let suffixes: Vec<Suffix> = parts.iter().map(|part| Suffix::new(b"", part)).collect();
        let joined = Suffix::joined(&suffixes);
        prop_assert_eq!(joined, Suffix::new(b"", &parts.concat()));
        prop_assert_eq!(append(residue(&head), joined), bitwise(&[head, parts.concat()].concat()));
    }

    /// Words whose difference is in the table, and words too long for that.
    #[test]
    fn what_stands_behind_a_space_has_its_own_residue(word in vec(any::<u8>(), 0..1200)) {
        prop_assert_eq!(Suffix::new(b" ", &word).residue_behind_space(), bitwise(&word));
    }

    #[test]
    fn short_suffixes_are_read_from_their_residues(
        head in vec(any::<u8>(), 0..7), tail in vec(any::<u8>(), 0..4),
    ) {
        let all = [&head[..], &tail].concat();
        let mut want = [0; 8];
        let is_short = all.len() <= 8;
        if is_short {
            want[8 - all.len()..].copy_from_slice(&all);
        }
        prop_assert_eq!(Suffix::new(&head, &tail).short(8), is_short.then_some(want));
    }

    /// Every length modulo the eight-byte step, at every alignment.
    #[test]
    fn tables_agree_with_bitwise(bytes in vec(any::<u8>(), 0..512), start in 0_usize..16) {
        let bytes = &bytes[start.min(bytes.len())..];
        prop_assert_eq!(residue(bytes), bitwise(bytes));
    }
}
