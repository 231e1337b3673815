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
/// new one is `residue · xᵐ + A · x⁶⁴ mod P`: the old one moved up by m bits, where what
/// leaves the top comes back through the tables, plus what the suffix adds. As many as 8
/// bytes move in one step, whatever their number: what leaves is a number of its own, to
/// which all tables are put, and those of its leading zero bytes add nothing.
/// `appending_agrees_with_the_definition` holds it.
pub fn append(residue: u64, suffix: Suffix) -> u64 {
    let mut residue = residue;
    let mut bytes = suffix.bytes;
    while bytes > 8 {
        residue = times_x64(residue);
        bytes -= 8;
    }
    // Moved by halves: all 64 bits may leave, or none.
    let half = 4 * bytes;
    let leaves = (residue >> (32 - half)) >> (32 - half);
    let stays = (residue << half) << half;
    times_x64(leaves) ^ stays ^ suffix.addend
}

/// A number times x⁶⁴ mod P.
pub(super) fn times_x64(number: u64) -> u64 {
    let bytes = number.to_be_bytes();
    (0..8).fold(0, |sum, k| sum ^ TABLES[7 - k][usize::from(bytes[k])])
}
