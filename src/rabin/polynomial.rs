//! Arithmetic of polynomials over GF(2), modulo one of degree 64.
//!
//! A residue is a `u64`: bit i is the coefficient of xⁱ. A modulus is a `u64`
//! as well: its term x⁶⁴ is always there and is left out. Addition is xor.

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

#[cfg(test)]
mod tests {
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
