//! Bytes to a 64-bit Rabin residue.
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
//! The residue is linear, not cryptographic: anyone who chooses the text can
//! choose collisions.
//!
//! The bitwise twin in the tests is the truth; [`residue`] takes eight bytes a
//! step from tables and is held equal to it by `tables_agree_with_bitwise`.

#[cfg(target_arch = "x86_64")]
mod carryless;

/// P(x), its term x⁶⁴ left out.
///
/// Drawn by `cargo run --example modulus -- 1981`; proved irreducible by
/// `the_modulus_is_irreducible`.
pub const MODULUS: u64 = 0x1133_a5e5_9195_a26b;

/// The residue of the empty input: V = 1, so x⁶⁴ mod P.
const EMPTY: u64 = MODULUS;

/// `TABLES[k][b]` is `b(x) · x^(8k) · x⁶⁴ mod P`, for a byte b that k bytes follow.
static TABLES: [[u64; 256]; 8] = tables();

/// The residue of `bytes`; the empty input has one too.
pub fn residue(bytes: &[u8]) -> u64 {
    let (eights, rest) = bytes.as_chunks();
    let whole =
        eights.iter().fold(EMPTY, |residue, eight| times_x64(residue ^ u64::from_be_bytes(*eight)));
    rest.iter().fold(whole, |residue, &byte| step(residue, byte))
}

/// The residue of some bytes and one more.
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

// Arithmetic of polynomials over GF(2), modulo one of degree 64: bit i of a residue is the
// coefficient of xⁱ. A modulus is a `u64` as well: its term x⁶⁴ is always there and is left out.
// Addition is xor.

/// The product of two residues modulo `modulus`.
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

/// The residue times x, modulo `modulus`.
pub const fn times_x(residue: u64, modulus: u64) -> u64 {
    let overflow = residue >> 63;
    (residue << 1) ^ (overflow * modulus)
}

/// What makes a polynomial P of degree 64 irreducible, by Rabin's test (1980).
///
/// P divides x^(2⁶⁴) − x, so each of its factors has a degree that divides 64;
/// and it shares no factor with x^(2³²) − x, so none of them has a degree of 32
/// or of a divisor of 32. What is left is 64 itself.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Irreducible {
    /// The polynomial, x⁶⁴ left out.
    pub modulus: u64,
    /// x^(2³²) mod P.
    pub after_32_squarings: u64,
    /// x^(2⁶⁴) mod P; for an irreducible P it is x, written 2.
    pub after_64_squarings: u64,
    /// The greatest common divisor of x^(2³²) − x and P; it must be 1.
    pub common_divisor: u64,
}

impl Irreducible {
    /// Proves that x⁶⁴ + `modulus` is irreducible; `None` where it is not.
    pub fn prove(modulus: u64) -> Option<Self> {
        let mut power = 2; // x
        let mut halfway = 0;
        for squaring in 1..=64 {
            power = multiply(power, power, modulus);
            if squaring == 32 {
                halfway = power;
            }
        }
        let common_divisor = common_divisor(halfway ^ 2, modulus);
        let proof = Self {
            modulus,
            after_32_squarings: halfway,
            after_64_squarings: power,
            common_divisor,
        };
        (power == 2 && common_divisor == 1).then_some(proof)
    }
}

/// Euclid's greatest common divisor of `residue` and x⁶⁴ + `modulus`; 0 where
/// it is the modulus itself (the residue is 0), whose top term has no place.
fn common_divisor(residue: u64, modulus: u64) -> u64 {
    if residue == 0 {
        return 0;
    }
    let mut larger = (1 << 64) | u128::from(modulus);
    let mut smaller = u128::from(residue);
    while smaller != 0 {
        while larger != 0 && degree(larger) >= degree(smaller) {
            larger ^= smaller << (degree(larger) - degree(smaller));
        }
        (larger, smaller) = (smaller, larger);
    }
    u64::try_from(larger).expect("a divisor of a residue that is not 0 has a degree below 64")
}

/// The degree of a polynomial that is not 0.
fn degree(polynomial: u128) -> u32 {
    polynomial.ilog2()
}

// Residues of what is put together, without reading any byte again.

/// Bytes to be appended to others whose residue is known; by default none.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct Suffix {
    /// How many they are.
    bytes: usize,
    /// A(x) · x⁶⁴ mod P, where A has the bits of the bytes without a leading 1.
    addend: u64,
}

impl Suffix {
    /// The bytes of `head`, then those of `tail`.
    pub fn new(head: &[u8], tail: &[u8]) -> Self {
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
    /// In lanes, each of as many consecutive suffixes, so that no lane waits for another.
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

/// What a space in place of the leading 1 adds to residues of the given number of bytes behind it.
static SPACES: [u64; 64] = moved_by_bytes(TABLES[0][(b' ' ^ 1) as usize]);

impl Suffix {
    /// The residue of the bytes behind the first one, which is a space; of nothing, that of
    /// nothing.
    ///
    /// The suffix is `(s · xᵐ + A) · x⁶⁴ mod P`, where s has the bits of the space and A those
    /// of the m bits behind it; the residue is `(xᵐ + A) · x⁶⁴ mod P`. So they differ by
    /// `(s + 1) · xᵐ · x⁶⁴ mod P`, which only the length says.
    pub fn residue_behind_space(self) -> u64 {
        match self.bytes.checked_sub(1).map(|behind| (behind, SPACES.get(behind))) {
            Some((_, Some(space))) => self.addend ^ space,
            Some((behind, None)) => append(SPACES[0], Self { bytes: behind, ..self }),
            None => EMPTY,
        }
    }
}

/// A number modulo P, moved up by 0, 1, 2, … bytes.
const fn moved_by_bytes(number: u64) -> [u64; 64] {
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

/// From this many bytes on it is faster to move by powers of two.
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
fn times_x64(number: u64) -> u64 {
    let bytes = number.to_be_bytes();
    (0..8).fold(0, |sum, k| sum ^ TABLES[7 - k][usize::from(bytes[k])])
}

#[cfg(test)]
mod polynomial_tests {
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
    fn what_has_a_factor_is_not() {
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
