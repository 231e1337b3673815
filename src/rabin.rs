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
pub mod polynomial;

use polynomial::times_x;
use polynomial::times_x64;
pub use polynomial::{Suffix, append};

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

#[cfg(test)]
mod tests;
