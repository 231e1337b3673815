//! Maps bytes to a 64-bit Rabin residue.
//!
//! The bits of the input, most significant first, after a leading 1, are the
//! coefficients of a polynomial V(x) over GF(2). The residue is
//! `V(x) · x⁶⁴ mod P(x)`, with P irreducible, dense and of degree 64 (Rabin
//! 1981). Two terms are not Rabin's, and both are needed:
//!
//! * the leading 1, after Broder (1993), so that leading zero bytes count;
//! * x⁶⁴, as in a CRC, so that inputs of up to eight bytes are mixed too:
//!   [`simhash`](crate::simhash) votes bit by bit, and the bits of a bare ASCII
//!   word are anything but fair coins.
//!
//! The residue is linear, not cryptographic: anyone who chooses the text can choose collisions.
//!
//! The bitwise implementation in the tests is the definition; [`residue`] processes eight bytes per
//! step, using tables, and `tables_agree_with_bitwise` checks that both agree.

#[cfg(target_arch = "x86_64")]
mod carryless;
#[cfg(test)]
#[path = "../examples/modulus/irreducible.rs"]
mod irreducible;

/// The polynomial P(x), without its term x⁶⁴.
///
/// Drawn by `cargo run --example modulus -- 1981`; proved irreducible by
/// `the_modulus_is_irreducible`.
pub const MODULUS: u64 = 0x1133_a5e5_9195_a26b;

/// The residue of the empty input: V = 1, so x⁶⁴ mod P.
const EMPTY: u64 = MODULUS;

/// `TABLES[k][b]` is `b(x) · x^(8k) · x⁶⁴ mod P`, for a byte b that is followed by k bytes.
static TABLES: [[u64; 256]; 8] = tables();

/// Returns the residue of `bytes`; the empty input has one too.
pub fn residue(bytes: &[u8]) -> u64 {
    let (eights, rest) = bytes.as_chunks();
    let whole =
        eights.iter().fold(EMPTY, |residue, eight| times_x64(residue ^ u64::from_be_bytes(*eight)));
    rest.iter().fold(whole, |residue, &byte| step(residue, byte))
}

/// Returns the residue of some bytes, given by their residue, followed by one more byte.
fn step(residue: u64, byte: u8) -> u64 {
    let top = residue.to_be_bytes()[0];
    (residue << 8) ^ TABLES[0][usize::from(top ^ byte)]
}

const fn tables() -> [[u64; 256]; 8] {
    let mut tables = [[0; 256]; 8];
    let mut byte = 0;
    while byte < 256 {
        let mut product = byte as u64;
        let mut shift = 0;
        while shift < 64 {
            product = times_x(product, MODULUS);
            shift += 1;
        }
        let mut k = 0;
        while k < 8 {
            tables[k][byte] = product;
            let mut shift = 0;
            while shift < 8 {
                product = times_x(product, MODULUS);
                shift += 1;
            }
            k += 1;
        }
        byte += 1;
    }
    tables
}

// Arithmetic of polynomials over GF(2), modulo a polynomial of degree 64: bit i of a residue is the
// coefficient of xⁱ. A modulus is a `u64` as well: it always has the term x⁶⁴, which is not stored.
// Addition is xor.

/// Returns the product of two residues modulo `modulus`.
pub const fn multiply(a: u64, b: u64, modulus: u64) -> u64 {
    let mut product = 0;
    let mut bit = 64;
    while bit > 0 {
        bit -= 1;
        product = times_x(product, modulus);
        if (b >> bit) & 1 == 1 {
            product ^= a;
        }
    }
    product
}

/// Returns the residue times x, modulo `modulus`.
const fn times_x(residue: u64, modulus: u64) -> u64 {
    let overflow = residue >> 63;
    (residue << 1) ^ (overflow * modulus)
}

// Residues of concatenated bytes, without reading any byte again.

/// Bytes to be appended to others whose residue is known; the default is no bytes.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct Suffix {
    /// The number of bytes.
    bytes: usize,
    /// A(x) · x⁶⁴ mod P, where A has the bits of the bytes without a leading 1.
    addend: u64,
}

impl Suffix {
    /// Creates a suffix from the bytes of `head` followed by those of `tail`.
    pub fn new(head: &[u8], tail: &[u8]) -> Self {
        let bytes = head.iter().chain(tail);
        Self { bytes: head.len() + tail.len(), addend: bytes.fold(0, |sum, &byte| step(sum, byte)) }
    }
}

impl Suffix {
    /// Returns these bytes followed by the bytes of `others`.
    #[must_use]
    pub fn then(self, others: Self) -> Self {
        Self { bytes: self.bytes + others.bytes, addend: append(self.addend, others) }
    }

    /// Concatenates suffixes, in order.
    ///
    /// It works in lanes of consecutive suffixes, so that no lane waits for another.
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

/// The inverse of x⁶⁴ modulo P: x⁶⁴ to the power of 2⁶⁴ - 2, since P is irreducible.
const INVERSE: u64 = {
    let (mut power, mut inverse, mut bit) = (MODULUS, 1, 1);
    while bit < 64 {
        power = multiply(power, power, MODULUS);
        inverse = multiply(inverse, power, MODULUS);
        bit += 1;
    }
    inverse
};

impl Suffix {
    /// Returns the bytes themselves, with zeros before them; `None` if there are more than `most`,
    /// which is at most eight.
    pub fn short(self, most: usize) -> Option<[u8; 8]> {
        (self.bytes <= most).then(|| multiply(self.addend, INVERSE, MODULUS).to_be_bytes())
    }
}

/// The number of suffixes that are appended at a time, one for each lane.
const LANES: usize = 8;

/// The difference that a leading space instead of the leading 1 makes to the residue, if it is
/// followed by the given number of bytes.
static SPACES: [u64; 64] = shifted_by_bytes(TABLES[0][(b' ' ^ 1) as usize]);

impl Suffix {
    /// Returns the residue of the bytes after the first one, which must be a space; for an empty
    /// suffix, the residue of no bytes.
    ///
    /// The suffix is `(s · xᵐ + A) · x⁶⁴ mod P`, where s has the bits of the space and A has those
    /// of the m bits after it; the residue is `(xᵐ + A) · x⁶⁴ mod P`. They differ by
    /// `(s + 1) · xᵐ · x⁶⁴ mod P`, which depends only on the length.
    pub fn residue_behind_space(self) -> u64 {
        match self.bytes.checked_sub(1).map(|behind| (behind, SPACES.get(behind))) {
            Some((_, Some(space))) => self.addend ^ space,
            Some((behind, None)) => append(SPACES[0], Self { bytes: behind, ..self }),
            None => EMPTY,
        }
    }
}

/// Returns a residue shifted up by 0, 1, 2, … bytes, modulo P.
const fn shifted_by_bytes(number: u64) -> [u64; 64] {
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

/// Returns the residue of some bytes, given by their `residue`, followed by a suffix.
///
/// Appending m bits A to a value V makes it `V · xᵐ + A`. The residue is linear, so the new one is
/// `residue · xᵐ + A · x⁶⁴ mod P`: the old residue is shifted up by m bits, the bits that leave the
/// top are reduced by the tables, and what the suffix adds is added. Up to 8 bytes are shifted in
/// one step, whatever their number: the bits that leave are a number of their own to which all
/// tables are applied, and its leading zero bytes add nothing.
/// `appending_agrees_with_the_definition` checks it.
pub fn append(residue: u64, suffix: Suffix) -> u64 {
    let (mut residue, mut bytes) = (residue, suffix.bytes);
    if bytes >= MIN_BYTES_FOR_POWERS {
        (residue, bytes) = (shifted_far(residue, bytes), 0);
    }
    while bytes > 8 {
        residue = times_x64(residue);
        bytes -= 8;
    }
    // Shifted in two halves, because either all 64 bits or none may leave.
    let half = 4 * bytes;
    let leaves = (residue >> (32 - half)) >> (32 - half);
    let stays = (residue << half) << half;
    times_x64(leaves) ^ stays ^ suffix.addend
}

/// [Appends](append) to each residue the suffix at the same place.
pub fn append_each(residues: &mut [u64], suffixes: &[Suffix]) {
    #[cfg(target_arch = "x86_64")]
    if carryless::append_each(residues, suffixes) {
        return;
    }
    for (residue, suffix) in residues.iter_mut().zip(suffixes) {
        *residue = append(*residue, *suffix);
    }
}

/// The number of bytes from which it is faster to shift by powers of two.
const MIN_BYTES_FOR_POWERS: usize = 1 << 10;

/// The powers of x that shift up by 1, 2, 4, … bytes, modulo P.
static DOUBLINGS: [u64; usize::BITS as usize] = {
    let mut powers = [1 << 8; usize::BITS as usize];
    let mut k = 1;
    while k < powers.len() {
        powers[k] = multiply(powers[k - 1], powers[k - 1], MODULUS);
        k += 1;
    }
    powers
};

/// Returns a residue shifted up by any number of bytes, modulo P, in time logarithmic in that
/// number.
fn shifted_far(number: u64, bytes: usize) -> u64 {
    let bits = DOUBLINGS.iter().enumerate().filter(|(k, _)| (bytes >> k) & 1 == 1);
    bits.fold(number, |moved, (_, power)| multiply(moved, *power, MODULUS))
}

/// Returns a residue times x⁶⁴, modulo P.
fn times_x64(number: u64) -> u64 {
    let bytes = number.to_be_bytes();
    (0..8).fold(0, |sum, k| sum ^ TABLES[7 - k][usize::from(bytes[k])])
}

#[cfg(test)]
mod polynomial_tests {
    use super::irreducible::{Irreducible, common_divisor};
    use super::*;

    #[test]
    fn products_are_those_worked_out_by_hand() {
        // Modulo x⁶⁴ + x⁴ + x³ + x + 1, low part 0x1b.
        #[rustfmt::skip]
        let table = [
            ("nothing",                0,       5,       0),
            ("one is neutral",         1,       0xabc,   0xabc),
            ("(x+1)² = x²+1",          0b11,    0b11,    0b101),
            ("x · x⁶³ wraps round",    2,       1 << 63, 0x1b),
            ("x² · x⁶³ = x · 0x1b",    4,       1 << 63, 0x36),
        ];
        for (why, a, b, want) in table {
            assert_eq!(multiply(a, b, 0x1b), want, "{why}");
            assert_eq!(multiply(b, a, 0x1b), want, "{why}, turned round");
        }
    }

    #[test]
    fn common_divisors_are_those_of_the_factors() {
        // Modulo x⁶⁴ + 1 = (x+1)⁶⁴, and x⁶⁴.
        #[rustfmt::skip]
        let table = [
            ("all of it, which has no place",  0,         1, 0),
            ("a constant",                     1,         1, 1),
            ("x is no factor of it",           0b10,      1, 1),
            ("x+1 is",                         0b11,      1, 0b11),
            ("(x+1)³ = x³+x²+x+1",             0b1111,    1, 0b1111),
            ("x³+1 = (x+1)(x²+x+1)",           0b1001,    1, 0b11),
            ("x⁶+x⁵ = x⁵(x+1)",                0b110_0000, 0, 0b10_0000),
            ("x⁶³",                            1 << 63,   0, 1 << 63),
        ];
        for (why, residue, modulus, want) in table {
            assert_eq!(common_divisor(residue, modulus), want, "{why}");
        }
    }

    #[test]
    fn the_well_known_polynomial_of_degree_64_is_irreducible() {
        assert!(Irreducible::prove(0x1b).is_some());
    }

    #[test]
    fn polynomials_with_a_factor_are_not_irreducible() {
        #[rustfmt::skip]
        let table = [
            ("x⁶⁴",                            0),
            ("x⁶⁴ + 1 = (x+1)⁶⁴",              1),
            ("no constant term: x divides",    0x1a),
            ("an even number of terms",        0x1a | 0x100 | 1),
            // (x³² + x⁷ + x³ + x² + 1)² = x⁶⁴ + x¹⁴ + x⁶ + x⁴ + 1
            ("the square of an irreducible",   0x4051),
            // (x³² + x⁷ + x³ + x² + 1)(x³² + x⁷ + x⁵ + x³ + x² + x + 1): both degrees divide 64, so
            // that x^(2⁶⁴) is x all the same.
            ("two different ones of degree 32", 0x22_0000_50eb),
        ];
        for (why, modulus) in table {
            assert_eq!(Irreducible::prove(modulus), None, "{why}");
        }
    }
}

#[cfg(test)]
mod tests;
