//! Residues of what is put together, without reading any byte again.

use super::{TABLES, step};

/// Bytes to be appended to others whose residue is known.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Suffix {
    /// How many they are.
    bytes: usize,
    /// A(x) · x⁶⁴ mod P, where A has the bits of the bytes without a leading 1.
    addend: u64,
}

impl Suffix {
    /// The bytes of `head`, then those of `tail`.
    pub fn of(head: &[u8], tail: &[u8]) -> Self {
        let bytes = head.iter().chain(tail);
        Self { bytes: head.len() + tail.len(), addend: bytes.fold(0, |sum, &byte| step(sum, byte)) }
    }
}

/// The residue of some bytes, of which `residue` is known, and a suffix after them.
///
/// Appending m bits A to a value V makes it `V · xᵐ + A`. The residue is linear, so the
/// new one is `residue · xᵐ + A · x⁶⁴ mod P`: the old one moved up by m bits, where the
/// bytes that leave the top come back through the tables, plus what the suffix adds.
/// `appending_agrees_with_the_definition` holds it.
pub fn append(residue: u64, suffix: Suffix) -> u64 {
    let mut residue = residue;
    let mut bytes = suffix.bytes;
    while bytes >= 8 {
        residue = moved_up::<8>(residue);
        bytes -= 8;
    }
    // The rest by its binary digits, each move done and then taken or left: lengths of
    // stems cannot be foreseen, and a branch on them would be taken wrong too often.
    residue = chosen(bytes & 4 > 0, moved_up::<4>(residue), residue);
    residue = chosen(bytes & 2 > 0, moved_up::<2>(residue), residue);
    residue = chosen(bytes & 1 > 0, moved_up::<1>(residue), residue);
    residue ^ suffix.addend
}

/// One of two numbers, without a branch.
fn chosen(first: bool, yes: u64, no: u64) -> u64 {
    no ^ ((yes ^ no) & u64::from(first).wrapping_neg())
}

/// The residue times x^(8 · `BYTES`), for 1 to 8 bytes: as many leave the top, the first
/// of them through table `BYTES` - 1.
pub(super) fn moved_up<const BYTES: usize>(residue: u64) -> u64 {
    let top = residue.to_be_bytes();
    let stays = if BYTES == 8 { 0 } else { residue << (8 * BYTES) };
    (0..BYTES).fold(stays, |sum, k| sum ^ TABLES[BYTES - 1 - k][usize::from(top[k])])
}
