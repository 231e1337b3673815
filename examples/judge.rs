//! Shows how to use the library from Rust: `cargo run --example judge -- LEFT RIGHT`.

use std::io::Write;
use std::path::Path;

use anyhow::Context;
use dedup_text::jaccard::Share;
use dedup_text::shingles::Ngrams;
use dedup_text::{ReadOptions, Recipe, Text, judge};

fn main() -> anyhow::Result<()> {
    let names: Vec<String> = std::env::args().skip(1).collect();
    let [left, right] = names.as_slice() else {
        anyhow::bail!("{} names, expected LEFT and RIGHT", names.len());
    };
    let left = Text::open(Path::new(left), &ReadOptions::default())?;
    let right = Text::open(Path::new(right), &ReadOptions::default())?;
    let ngrams = Ngrams::new(3, 3).context("sizes are from 1 to 64")?;
    let judgement = judge(&left, &right, &Recipe { ngrams, ..Recipe::default() })?;

    let mut out = std::io::stdout().lock();
    writeln!(out, "{}", judgement.decision.verdict)?;
    if let Some(jaccard) = judgement.comparison.jaccard().map(Share::ratio) {
        writeln!(out, "Jaccard {jaccard}")?;
    }
    if let Some(bits) = judgement.comparison.hamming {
        writeln!(out, "Hamming {bits}")?;
    }
    Ok(())
}
