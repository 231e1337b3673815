//! A clean corpus: the lines or rows of the records that are kept, byte for byte, and a line for each
//! record that is removed.

mod rows;

use std::num::NonZeroUsize;
use std::path::Path;

use dedup_text::jaccard::Share;
use dedup_text::pair::recipe::Search;
use dedup_text::parallel::{self, Advance};
use serde::Serialize;

use crate::args::CleanFlags;
use crate::diagnostics::Diagnostic;
use crate::inert;
use crate::io::inputs::again::ReadTwice;
use crate::io::inputs::record::has_field;
use crate::io::inputs::source::{Age, Failed, Place};
use crate::io::inputs::table::MARK;
use crate::io::output::{Sink, write_together};
use crate::io::rewrite::{Change, Layout, rewrite};
use crate::model::corpus::{Answer, beginning_with};
use crate::model::keeping::Keeping;

/// Records that are judged and written at a time.
const BATCH: usize = 4096;

const ONE_FORMAT: &str = "each run of dedup corpus --output writes records of one format";

/// A record that is removed.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
struct Removal {
    /// The place of its file among those of records, and its line there, from 1.
    file: usize,
    line: u64,
    text: u32,
    /// The text that stands for it.
    kept: u32,
}

/// What is written of a record that is removed.
#[derive(Serialize)]
struct RemovedRecord<'r> {
    id: &'r str,
    kept_id: &'r str,
    verdict: &'static str,
    jaccard: Option<f64>,
    /// Of its words, in passages of the other; null where passages are not looked for.
    coverage: Option<f64>,
}

/// What a clean corpus is made of.
pub(super) struct Cleaning<'a> {
    pub(super) answer: &'a Answer<'a>,
    pub(super) keeping: &'a Keeping,
    pub(super) flags: &'a CleanFlags,
    /// The files of records, to be read once more.
    pub(super) twice: &'a ReadTwice,
    pub(super) threads: NonZeroUsize,
    /// How many [`records`] are written.
    pub(super) done: &'a Advance,
}

/// How many records are written into the files that are asked for, but for blank lines and headers.
pub(super) fn records(answer: &Answer, keeping: &Keeping, flags: &CleanFlags) -> u64 {
    let all = answer.gathered.ages.iter().filter(|age| **age != Age::Old).count();
    let removed = keeping.removed.iter().flatten().count();
    let of_output = if flags.annotate.is_some() { all } else { all.saturating_sub(removed) };
    let of_output = flags.output.as_ref().map_or(0, |_| of_output);
    let of_removed = flags.removed.as_ref().map_or(0, |_| removed);
    (of_output + of_removed) as u64
}

/// Writes the files that are asked for: all of them are whole, or none is there.
pub(super) fn write(run: &Cleaning) -> anyhow::Result<()> {
    let flags = run.flags;
    let files = flags.output.iter().chain(&flags.removed);
    let files: Vec<&Path> = files.map(AsRef::as_ref).collect();
    let removals = removals(run);
    let layout = Layout::new(run.twice, ONE_FORMAT, |path, table| rows::check(run, path, table))?;
    write_together(&files, |sinks| {
        let mut sinks = sinks.iter_mut();
        let output = flags.output.as_ref().and_then(|_| sinks.next());
        if let Some(removed) = flags.removed.as_ref().and_then(|_| sinks.next()) {
            write_removed(run, layout, &removals, removed)?;
        }
        output.map_or(Ok(()), |output| write_records(run, layout, &removals, output))?;
        Ok(run.answer.corpus().collection.check()?)
    })
}

/// The records that are removed, in the order of the input.
fn removals(run: &Cleaning) -> Vec<Removal> {
    let (answer, gathered) = (run.answer, run.answer.gathered);
    let files: Vec<&Path> = run.twice.paths().collect();
    let removed = (0..).zip(&run.keeping.removed).filter_map(|(text, kept)| Some((text, (*kept)?)));
    let placed = removed.filter_map(|(text, kept)| {
        let position = gathered.position(answer.document(text).text.path())?;
        let Place::Line { file, number, .. } = gathered.found_at.place_of(position) else {
            return None;
        };
        let file = files.iter().position(|path| *path == &**file)?;
        Some(Removal { file, line: *number, text, kept })
    });
    let mut removals: Vec<Removal> = placed.collect();
    removals.sort_unstable();
    removals
}

fn write_removed(
    run: &Cleaning,
    layout: Layout,
    removals: &[Removal],
    sink: &mut Sink,
) -> anyhow::Result<()> {
    sink.write(rows::removed_header(layout).as_bytes())?;
    for batch in removals.chunks(BATCH) {
        let records = |(): &mut (), removal: &Removal| {
            let record = record(run, layout, *removal);
            run.done.add(1);
            record
        };
        let batch: Vec<&Removal> = batch.iter().collect();
        for record in parallel::each(run.threads, batch, || (), records) {
            sink.write(record?.as_bytes())?;
        }
    }
    Ok(())
}

/// The line of a record that is removed.
fn record(run: &Cleaning, layout: Layout, removal: Removal) -> anyhow::Result<String> {
    let (answer, Removal { text, kept, .. }) = (run.answer, removal);
    let pair = answer.corpus().collection.pair(text.min(kept), text.max(kept));
    let is_searched = answer.recipe.search != Search::Never;
    let judgement = is_searched.then(|| answer.judge(&beginning_with(pair, text)));
    if judgement.is_none() {
        answer.collided.count(&pair);
    }
    let matches = judgement.as_ref().and_then(|judgement| judgement.matches.as_ref());
    let record = RemovedRecord {
        id: &answer.given_name(text),
        kept_id: &answer.given_name(kept),
        verdict: answer.verdict(&pair).name(),
        jaccard: pair.all.jaccard().map(Share::ratio),
        coverage: matches.and_then(|matches| matches.coverage.left).map(Share::ratio),
    };
    match layout {
        Layout::JsonLines => Ok(inert::json(&record)? + "\n"),
        Layout::Rows { delimiter } => Ok(rows::removed(&record, delimiter)),
    }
}

/// Writes the records of all files: those that are kept, or all of them with one more field.
fn write_records(
    run: &Cleaning,
    layout: Layout,
    removals: &[Removal],
    sink: &mut Sink,
) -> anyhow::Result<()> {
    let mut removals = removals.iter().peekable();
    rewrite(run.twice, layout, sink, run.done, |stored| {
        let is_next = |next: &&Removal| !stored.is_header && (next.file, next.line) == stored.at;
        let kept = removals.next_if(is_next).map(|removal| removal.kept);
        let Some(field) = &run.flags.annotate else {
            return Ok(if kept.is_some() { Change::LeaveOut } else { Change::Keep });
        };
        let kept = kept.map(|kept| run.answer.given_name(kept));
        let changed = match stored.table {
            Some(table) => {
                let value = kept.as_deref().unwrap_or_default();
                let value = if stored.is_header { field } else { value };
                Ok(rows::with_cell(stored.bytes, value, table.delimiter()))
            }
            None => annotated(stored.bytes, field, kept.as_deref()),
        };
        let of_line = |wrong| Failed::of_line(stored.path, stored.at.1, wrong).error;
        Ok(Change::To(changed.map_err(of_line)?))
    })
}

/// A line with one more field before its last brace; a blank line stays.
fn annotated(line: &[u8], field: &str, kept: Option<&str>) -> Result<Vec<u8>, anyhow::Error> {
    let Some(end) = line.iter().rposition(|byte| *byte == b'}') else { return Ok(line.to_vec()) };
    if has_field(line.strip_prefix(MARK).unwrap_or(line), field) {
        let message = format!("has a field {field} already, expected a new one for --annotate");
        return Err(Diagnostic::new(message).hint("--annotate takes any other name").into());
    }
    let added = format!(",{}:{}", inert::json(&field)?, inert::json(&kept)?);
    Ok([&line[..end], added.as_bytes(), &line[end..]].concat())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_field_is_added_to_a_line_and_nothing_else() {
        #[rustfmt::skip]
        let table = [
            ("a duplicate",       "{\"id\":1}\n",                 Some("x"),   "{\"id\":1,\"of\":\"x\"}\n"),
            ("none",              "{\"id\":1}\n",                 None,        "{\"id\":1,\"of\":null}\n"),
            ("quotes in the id",  "{\"id\":1}",                   Some("a\"b"), "{\"id\":1,\"of\":\"a\\\"b\"}"),
            ("spaces stay",       " { \"id\" : 1 } \r\n",         Some("x"),   " { \"id\" : 1 ,\"of\":\"x\"} \r\n"),
            ("braces in a text",  "{\"id\":1,\"text\":\"}\"}\n",  None,        "{\"id\":1,\"text\":\"}\",\"of\":null}\n"),
            ("within an object",  "{\"a\":{\"of\":2}}\n",         None,        "{\"a\":{\"of\":2},\"of\":null}\n"),
            ("a blank line",      " \n",                          None,        " \n"),
        ];
        for (why, line, kept, want) in table {
            let got = annotated(line.as_bytes(), "of", kept).unwrap();
            assert_eq!(String::from_utf8(got).unwrap(), want, "{why}");
        }
        let wrong = annotated(b"{\"of\":null}", "of", None).unwrap_err();
        assert_eq!(wrong.to_string(), "has a field of already, expected a new one for --annotate");
    }
}
