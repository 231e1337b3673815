//! Residues of what is put together, by products without carry.
//!
//! What [`append`] looks up in tables, an x86-64 processor of 2010 or later multiplies:
//! moving a residue up by some bytes is a product by a power of x, taken modulo P by two
//! more products (Barrett 1986, for polynomials). It takes a quarter of the time.

use std::arch::x86_64::{
    _mm_clmulepi64_si128, _mm_cvtsi64_si128, _mm_cvtsi128_si64, _mm_set_epi64x, _mm_xor_si128,
};

use archmage::{SimdToken, X64CryptoToken, arcane};

use super::{EMPTY, MODULUS, Suffix, append, moved_by_bytes, times_x};

/// The power of x that moves a residue up by the given number of bytes, modulo P.
static POWERS: [u64; 64] = moved_by_bytes(1);

/// The quotient of x¹²⁸ by P, its term x⁶⁴ left out.
const QUOTIENT: u64 = quotient();

/// Appends to each residue its own suffix, where the processor can; whether it can.
pub(super) fn append_each(residues: &mut [u64], suffixes: &[Suffix]) -> bool {
    let Some(carryless) = X64CryptoToken::summon() else { return false };
    append_all(carryless, residues, suffixes);
    true
}

#[arcane]
#[expect(clippy::cast_possible_wrap, clippy::cast_sign_loss, reason = "64 bits stay 64 bits")]
fn append_all(_: X64CryptoToken, residues: &mut [u64], suffixes: &[Suffix]) {
    let constants = _mm_set_epi64x(MODULUS as i64, QUOTIENT as i64);
    for (residue, suffix) in residues.iter_mut().zip(suffixes) {
        let Some(power) = POWERS.get(suffix.bytes) else {
            *residue = append(*residue, *suffix);
            continue;
        };
        let (factor, power) =
            (_mm_cvtsi64_si128(*residue as i64), _mm_cvtsi64_si128(*power as i64));
        // Its upper half, times x⁶⁴, is to be divided by P: the quotient is that half
        // times x¹²⁸ / P, without what has a power of x below 64.
        let product = _mm_clmulepi64_si128::<0x00>(factor, power);
        let quotient = _mm_xor_si128(_mm_clmulepi64_si128::<0x01>(product, constants), product);
        let taken_away = _mm_clmulepi64_si128::<0x11>(quotient, constants);
        let rest = _mm_cvtsi128_si64(_mm_xor_si128(taken_away, product)) as u64;
        *residue = rest ^ suffix.addend;
    }
}

/// By long division: what is left after each step is x⁶⁴ and more modulo P, and where it
/// has a term x⁶³, the next one has x⁶⁴, from which P is taken.
const fn quotient() -> u64 {
    let mut quotient = 0;
    let mut rest = EMPTY;
    let mut bit = 0;
    while bit < 64 {
        quotient = quotient << 1 | rest >> 63;
        rest = times_x(rest, MODULUS);
        bit += 1;
    }
    quotient
}
