//! Draws a random dense irreducible polynomial of degree 64 and prints it with its proof:
//! `cargo run --example modulus -- [SEED]`.
//!
//! The polynomial that `dedup` uses was drawn with the seed 1981. Without SEED, the operating
//! system supplies one.

use std::hash::{BuildHasher, RandomState};
use std::io::Write;

use anyhow::Context;
use dedup_text::rabin::multiply;
use irreducible::Irreducible;

mod irreducible;

/// The numbers of terms below x⁶⁴ that a dense polynomial may have: half of 64, plus or minus 4.
const DENSE: std::ops::RangeInclusive<u32> = 28..=36;

fn main() -> anyhow::Result<()> {
    let seed = match std::env::args().nth(1) {
        Some(seed) => seed.parse().with_context(|| format!("seed {seed:?}: not a number"))?,
        None => RandomState::new().hash_one("dedup"),
    };
    let (draws, proof) = (1..)
        .zip(splitmix64(seed))
        .map(|(draw, bits)| (draw, bits | 1)) // without a constant term, x would divide the polynomial
        .filter(|(_, modulus)| DENSE.contains(&modulus.count_ones()))
        .find_map(|(draw, modulus)| Some((draw, Irreducible::prove(modulus)?)))
        .context("the stream of numbers ended")?;

    let mut out = std::io::stdout().lock();
    writeln!(out, "seed                 {seed}, draw {draws}")?;
    writeln!(
        out,
        "P(x) - x^64          {:016x}, {} terms",
        proof.modulus,
        proof.modulus.count_ones()
    )?;
    writeln!(out, "x^(2^32) mod P       {:016x}", proof.after_32_squarings)?;
    writeln!(out, "gcd(x^(2^32) - x, P) {:016x}, must be 1", proof.common_divisor)?;
    writeln!(out, "x^(2^64) mod P       {:016x}, must be x, written 2", proof.after_64_squarings)?;
    Ok(())
}

/// Returns the SplitMix64 sequence of numbers (Steele, Lea and Flood 2014).
fn splitmix64(seed: u64) -> impl Iterator<Item = u64> {
    let mut state = seed;
    std::iter::from_fn(move || {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = state;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        Some(z ^ z >> 31)
    })
}
