//! Proves that a polynomial of degree 64 is irreducible.
//!
//! The example draws a modulus with it. The tests of `rabin` include this file to prove it of the
//! modulus that is used: an example sees only what a library exports, and no user needs the proof.

use super::multiply;

/// The proof that a polynomial P of degree 64 is irreducible, by Rabin's test (1980).
///
/// P divides x^(2⁶⁴) − x, so the degree of each of its factors divides 64. P shares no factor with
/// x^(2³²) − x, so the degree of none of them divides 32. The only degree that is left is 64
/// itself.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) struct Irreducible {
    /// The polynomial, without its term x⁶⁴.
    pub(super) modulus: u64,
    /// x^(2³²) mod P.
    pub(super) after_32_squarings: u64,
    /// x^(2⁶⁴) mod P; for an irreducible P it is x, which is written as 2.
    pub(super) after_64_squarings: u64,
    /// The greatest common divisor of x^(2³²) − x and P; it must be 1.
    pub(super) common_divisor: u64,
}

impl Irreducible {
    /// Proves that x⁶⁴ + `modulus` is irreducible; returns `None` if it is not.
    pub(super) fn prove(modulus: u64) -> Option<Self> {
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

/// Returns the greatest common divisor of `residue` and x⁶⁴ + `modulus`, by Euclid's algorithm; 0
/// if the residue is 0, because the divisor would then be x⁶⁴ + `modulus`, which does not fit into
/// 64 bits.
pub(super) fn common_divisor(residue: u64, modulus: u64) -> u64 {
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

/// Returns the degree of a polynomial, which must not be 0.
fn degree(polynomial: u128) -> u32 {
    polynomial.ilog2()
}
