//! Measures the accuracy of the verdicts on labelled pairs, for docs/accuracy.md.
//!
//! `cargo run --release --example accuracy -- verdicts NAME=FOLDER:YES[,YES]:NO[,NO] …` prints a
//! table; `… halves …` chooses limits on one half of the texts and scores them on the other;
//! `… lengths …` prints `src/record/meaning/pairs.tsv`. A FOLDER contains the folder `docs`, and
//! the file `pairs.tsv`, with two names and a label per line, separated by tabs.

mod halves;
mod lengths;
mod tasks;
mod verdicts;

use anyhow::Context;
use tasks::Task;

fn main() -> anyhow::Result<()> {
    let mut arguments = std::env::args().skip(1);
    let what = arguments.next().context("expected verdicts, halves or lengths")?;
    let tasks: Vec<Task> = arguments.map(|task| Task::new(&task)).collect::<Result<_, _>>()?;
    match &*what {
        "verdicts" => verdicts::print(&tasks),
        "halves" => halves::print(&tasks),
        "lengths" => lengths::print(&tasks),
        other => anyhow::bail!("{other}: expected verdicts, halves or lengths"),
    }
}
