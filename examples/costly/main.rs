//! Searches for the texts with the highest cost per byte, and prints each new maximum:
//! `cargo run --release --example costly -- STAGE SECONDS ORDINARY.txt [SEED]`.
//!
//! STAGE is `read` (bytes to text), `page`, `markdown`, `pair` (all stages, without passages),
//! `classic` (same as `pair`, but with `--max 3 --min 3`), `passages`, or `reworded`. Each line shows the cost
//! relative to that of an ordinary text of the same length, and the recipe for the text. A pair is
//! the text and a copy with its halves swapped and about a hundred words inserted; for `reworded`, a copy
//! with the words of each ten reversed.

mod made;

use std::hint::black_box;
use std::io::Write;
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use dedup_text::pair;
use dedup_text::pair::{Recipe, Search};
use dedup_text::shingles::Ngrams;
use dedup_text::text::{ReadOptions, Text};
use made::{Chance, Made};

/// The size of a text in bytes: large enough that the data derived from it exceed a cache.
const BYTES: usize = 500_000;

/// The number of runs per text; the fastest one counts.
const RUNS: usize = 3;

fn main() -> anyhow::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [stage, seconds, ordinary, rest @ ..] = arguments.as_slice() else {
        bail!("expected STAGE SECONDS ORDINARY.txt");
    };
    let seconds = seconds.parse().with_context(|| format!("{seconds}: no number of seconds"))?;
    let seed = rest.first().map_or(Ok(1), |seed| seed.parse()).context("no number for a seed")?;
    let stage = Stage::named(stage)?;
    let ordinary = Text::open(Path::new(ordinary), &ReadOptions::default())?;
    let ordinary = stage.cost(&made::repeated(ordinary.content(), BYTES));
    let mut chance = Chance(seed);
    let mut worst = Made::prose();
    let mut most = stage.cost(&worst.text(BYTES));
    let begun = Instant::now();
    let mut out = std::io::stdout().lock();
    while begun.elapsed() < Duration::from_secs(seconds) {
        let next = worst.changed(&mut chance);
        let cost = stage.cost(&next.text(BYTES));
        if cost > most {
            (most, worst) = (cost, next);
            writeln!(out, "{:5.2} × {worst}", most.as_secs_f64() / ordinary.as_secs_f64())?;
        }
    }
    Ok(())
}

/// The stage that is timed.
enum Stage {
    Read(&'static Path),
    Pair(Box<Recipe>, fn(&str) -> String),
}

impl Stage {
    fn named(name: &str) -> anyhow::Result<Self> {
        let pair = |recipe| Ok(Self::Pair(Box::new(recipe), made::twin));
        let figures = Recipe { search: Search::Never, ..Recipe::default() };
        match name {
            "read" => Ok(Self::Read(Path::new("a.txt"))),
            "page" => Ok(Self::Read(Path::new("a.html"))),
            "markdown" => Ok(Self::Read(Path::new("a.md"))),
            "pair" => pair(figures),
            "classic" => {
                let ngrams = Ngrams::new(3, 3).context("sizes are from 1 to 64")?;
                pair(Recipe { ngrams, ..figures })
            }
            "passages" => pair(Recipe::default()),
            "reworded" => Ok(Self::Pair(Box::default(), made::reworded)),
            _ => bail!("{name}: no stage"),
        }
    }

    /// Returns the shortest time of [`RUNS`] runs. A run that ends with an error is timed as well.
    fn cost(&self, text: &str) -> Duration {
        let run = || match self {
            Self::Read(path) => {
                let bytes = text.as_bytes().to_vec();
                let begun = Instant::now();
                let _ = black_box(Text::from_bytes(path, bytes));
                begun.elapsed()
            }
            Self::Pair(recipe, copy) => {
                let read = |name: &str, text: &str| {
                    Text::from_bytes(Path::new(name), text.as_bytes().to_vec())
                };
                let (Ok(left), Ok(right)) = (read("a", text), read("b", &copy(text))) else {
                    return Duration::ZERO;
                };
                let begun = Instant::now();
                let _ = black_box(pair::judge(&left, &right, recipe));
                begun.elapsed()
            }
        };
        (0..RUNS).map(|_| run()).min().unwrap_or_default()
    }
}
