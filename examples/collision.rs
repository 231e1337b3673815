//! Builds two words with one residue, as anybody can who knows the modulus, and says how long that
//! took: `cargo run --release --example collision`. docs/reliability.md says what it is good for.
//!
//! For words of one length the residue is linear in the bits that change. To change a letter of a
//! word changes its residue by a number of 64 bits; of 65 such numbers some add up to nothing
//! (Gaussian elimination over GF(2)), and the letters of these are changed together.

use std::io::Write;
use std::time::Instant;

use anyhow::Context;
use dedup_text::rabin::residue;

/// Letters that may change: one more than a residue has bits.
const LETTERS: usize = 65;

fn main() -> anyhow::Result<()> {
    let begun = Instant::now();
    let word = [b'a'; LETTERS];
    let other = collision(&word, b'n').context("65 numbers of 64 bits are independent")?;
    let taken = begun.elapsed();
    let mut out = std::io::stdout().lock();
    for word in [word, other] {
        writeln!(out, "{} {:016x}", String::from_utf8_lossy(&word), residue(&word))?;
    }
    writeln!(out, "{} µs", taken.as_micros())?;
    Ok(())
}

/// The word with some letters replaced by another, of the same residue.
fn collision(word: &[u8; LETTERS], letter: u8) -> Option<[u8; LETTERS]> {
    // By its highest bit: a number, and the letters that are replaced for it.
    let mut known: [Option<(u64, u128)>; 64] = [None; 64];
    for place in 0..LETTERS {
        let mut changed = *word;
        changed[place] = letter;
        let mut sum = residue(word) ^ residue(&changed);
        let mut places = 1_u128 << place;
        while sum != 0 {
            let highest = &mut known[sum.ilog2() as usize];
            let Some((number, of_number)) = *highest else {
                *highest = Some((sum, places));
                break;
            };
            sum ^= number;
            places ^= of_number;
        }
        if sum == 0 {
            let replaced =
                |place: usize| if places >> place & 1 == 1 { letter } else { word[place] };
            return Some(std::array::from_fn(replaced));
        }
    }
    None
}
