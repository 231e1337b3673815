//! Builds two words with one residue, which anybody who knows the modulus can do, and prints how
//! long that took: `cargo run --release --example collision`. docs/reliability.md explains the
//! consequences.

mod exchange;

use std::io::Write;
use std::time::Instant;

use anyhow::Context;
use dedup_text::rabin::residue;
use exchange::collision;

/// The number of letters that may change: one more than a residue has bits.
const LETTERS: usize = 65;

fn main() -> anyhow::Result<()> {
    let begun = Instant::now();
    let word = [b'a'; LETTERS];
    let changes: [(usize, u8); LETTERS] = std::array::from_fn(|place| (place, b'a' ^ b'n'));
    let other = collision(&word, &changes).context("65 numbers of 64 bits are independent")?;
    let taken = begun.elapsed();
    let mut out = std::io::stdout().lock();
    for word in [word.as_slice(), &other] {
        writeln!(out, "{} {:016x}", String::from_utf8_lossy(word), residue(word))?;
    }
    writeln!(out, "{} µs", taken.as_micros())?;
    Ok(())
}
