//! `dedup corpus`: many texts → what is found among them.
//!
//! Goes in: the command line. Comes out: the texts that it names, batch by batch, in an order
//! that depends on their names alone; opening them is for whoever has the threads.

pub(crate) mod gather;
pub(crate) mod answer;
pub(crate) mod output_sink;
pub(crate) mod room;
pub(crate) mod collided;
pub(crate) mod listing;

use crate::args::{CorpusFlags, Format};
use crate::commands::baseline::Baseline;
use crate::diagnostics::{self, Diagnostic};
use crate::exit::Exit;
use crate::progress::Progress;
use crate::render::exports::Names;
use answer::Answer;
use collided::Collided;

/// The error where there is no text at all.
fn no_text() -> Diagnostic {
    Diagnostic::new("no text in what is named, wanted one at least")
        .hint("in a folder, hidden files and what is no text are passed over")
}

/// Answers what is asked of many texts.
pub(crate) fn answer(flags: &CorpusFlags) -> anyhow::Result<Exit> {
    let recipe = flags.recipe()?;
    let baseline = Baseline::open(&flags.baseline, flags.reading()?.most)?;
    if flags.list {
        return listing::list(flags);
    }
    let threads = flags.threads();
    let progress = Progress::of_run(!flags.answering.quiet);
    let gathered = gather::gather(flags, &recipe, threads, &progress)?;
    if gathered.corpus.documents.is_empty() && gathered.corpus.short.is_empty() {
        return Err(no_text().into());
    }
    let level = flags.answering.level();
    let baseline = baseline.as_ref();
    let names = if flags.inputs.has_files() { Names::here() } else { Names::Ids };
    let answer = Answer {
        gathered: &gathered,
        recipe: &recipe,
        flags,
        level,
        threads,
        baseline,
        progress,
        names,
        found: std::sync::OnceLock::new(),
        collided: Collided::new(&gathered),
    };
    let outcome = answer.write()?;
    answer.collided.warn(&gathered, |number| answer.name(number));
    let is_whole = answer.gathered.is_whole() && answer.widespread().is_empty();
    if !is_whole
        && matches!(flags.formats.printed(), Format::Jsonl | Format::Paths | Format::Paths0)
    {
        diagnostics::note(crate::render::corpus::table::counts(&answer).trim_end());
    }
    match baseline {
        Some(baseline) if gathered.failed.is_empty() => baseline.end(&outcome.found)?,
        Some(_) if flags.baseline.is_update() => {
            diagnostics::note("the baseline is not written: some texts failed");
        }
        _ => {}
    }
    Ok(answer.status(outcome.closest))
}
