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
use crate::diagnostics;
use crate::exit::Exit;
use crate::io::inputs::lines::TooLong;
use crate::io::inputs::names::Taken;
use crate::io::inputs::record::BadLine;
use crate::io::inputs::walk::UnreadableFolder;
use crate::io::progress::Progress;
use crate::render::exports::Names;
use answer::Answer;
use collided::Collided;
use room::TooManyPairs;

/// No text at all where there should be some.
#[derive(Debug, thiserror::Error)]
#[error("no text in what is named, wanted one at least")]
pub(crate) struct NoText;

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
        return Err(NoText.into());
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

/// What to do about trouble with a text of a corpus, or with all of them.
pub(crate) fn hint(error: &anyhow::Error) -> Option<&'static str> {
    if error.is::<NoText>() {
        return Some("in a folder, hidden files and what is no text are passed over");
    }
    if let Some(too_long) = error.downcast_ref::<TooLong>() {
        return Some(too_long.hint());
    }
    if error.is::<UnreadableFolder>() {
        return Some("check that it is there and may be read");
    }
    if error.is::<Taken>() {
        return Some("--id FIELD names by another field");
    }
    if let Some(too_many) = error.downcast_ref::<TooManyPairs>() {
        return Some(too_many.hint());
    }
    error.downcast_ref::<BadLine>().map(|bad| match bad {
        BadLine::NoJson { .. } => "each line is one record, such as {\"id\": 1, \"text\": \"…\"}",
        BadLine::OtherSchema { .. } | BadLine::Impossible { .. } => {
            "dedup corpus --format jsonl and the programs in integrations/ write such records"
        }
        _ => "--id FIELD and --text FIELD take other fields",
    })
}
