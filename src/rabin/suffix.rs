//! Residues of what is put together, without reading any byte again.

use super::polynomial::{multiply, times_x};
use super::{EMPTY, MODULUS, TABLES, step};

/// Bytes to be appended to others whose residue is known; by default none.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct Suffix {
    /// How many they are.
    pub(super) bytes: usize,
    /// A(x) · x⁶⁴ mod P, where A has the bits of the bytes without a leading 1.
    pub(super) addend: u64,
}

impl Suffix {
    /// The bytes of `head`, then those of `tail`.
    pub fn of(head: &[u8], tail: &[u8]) -> Self {
        let bytes = head.iter().chain(tail);
        Self { bytes: head.len() + tail.len(), addend: bytes.fold(0, |sum, &byte| step(sum, byte)) }
    }
}

impl Suffix {
    /// These bytes, then others.
    #[must_use]
    pub fn then(self, others: Self) -> Self {
        Self { bytes: self.bytes + others.bytes, addend: append(self.addend, others) }
    }

    /// All bytes of suffixes, one behind the other.
    ///
    /// In lanes, each of as many suffixes in a row: what one comes to does not wait for another.
    pub fn joined(suffixes: &[Self]) -> Self {
        let mut lanes = [Self::default(); LANES];
        let length = suffixes.len() / LANES;
        let (all, rest) = suffixes.split_at(length * LANES);
        for at in 0..length {
            for (lane, sum) in lanes.iter_mut().enumerate() {
                *sum = sum.then(all[lane * length + at]);
            }
        }
        lanes.iter().chain(rest).fold(Self::default(), |sum, suffix| sum.then(*suffix))
    }
}

/// How many suffixes are appended at a time.
const LANES: usize = 8;

/// What a space in place of the leading 1 adds to residues of so many bytes behind it.
static SPACES: [u64; 64] = moved_by_bytes(TABLES[0][(b' ' ^ 1) as usize]);

impl Suffix {
    /// The residue of the bytes behind the first one, which is a space; of nothing, that of
    /// nothing.
    ///
    /// The suffix is `(s · xᵐ + A) · x⁶⁴ mod P`, where s has the bits of the space and A those
    /// of the m bits behind it; the residue is `(xᵐ + A) · x⁶⁴ mod P`. So they differ by
    /// `(s + 1) · xᵐ · x⁶⁴ mod P`, which only the length tells.
    pub fn residue_behind_space(self) -> u64 {
        match self.bytes.checked_sub(1).map(|behind| (behind, SPACES.get(behind))) {
            Some((_, Some(space))) => self.addend ^ space,
            Some((behind, None)) => append(SPACES[0], Self { bytes: behind, ..self }),
            None => EMPTY,
        }
    }
}

/// A number modulo P, moved up by 0, 1, 2, … bytes.
pub(super) const fn moved_by_bytes(number: u64) -> [u64; 64] {
    let mut moved = [0; 64];
    let mut number = number;
    let mut bytes = 0;
    while bytes < moved.len() {
        moved[bytes] = number;
        let mut bit = 0;
        while bit < 8 {
            number = times_x(number, MODULUS);
            bit += 1;
        }
        bytes += 1;
    }
    moved
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
    let (mut residue, mut bytes) = (residue, suffix.bytes);
    if bytes >= FAR {
        (residue, bytes) = (moved_far(residue, bytes), 0);
    }
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

/// From so many bytes on it is faster to move by powers of two.
const FAR: usize = 1 << 10;

/// Powers of x that move up by 1, 2, 4, … bytes, modulo P.
static DOUBLINGS: [u64; usize::BITS as usize] = {
    let mut powers = [1 << 8; usize::BITS as usize];
    let mut k = 1;
    while k < powers.len() {
        powers[k] = multiply(powers[k - 1], powers[k - 1], MODULUS);
        k += 1;
    }
    powers
};

/// A number modulo P, moved up by any number of bytes, in time that grows with the logarithm.
fn moved_far(number: u64, bytes: usize) -> u64 {
    let bits = DOUBLINGS.iter().enumerate().filter(|(k, _)| (bytes >> k) & 1 == 1);
    bits.fold(number, |moved, (_, power)| multiply(moved, *power, MODULUS))
}

/// A number times x⁶⁴ mod P.
pub(super) fn times_x64(number: u64) -> u64 {
    let bytes = number.to_be_bytes();
    (0..8).fold(0, |sum, k| sum ^ TABLES[7 - k][usize::from(bytes[k])])
}
