//! A clean corpus: the lines or rows of the records that are kept, byte for byte, and a line for each
//! record that is removed. Of Parquet it is the rows that stay, cell by cell.

mod rows;

use std::iter::Peekable;
use std::num::NonZeroUsize;
use std::path::Path;
use std::slice::Iter;

use dedup_text::inert;
use dedup_text::jaccard::Share;
use dedup_text::pair::recipe::Search;
use dedup_text::parallel::{self, Advance};
use serde::Serialize;

use crate::args::CleanFlags;
use crate::io::inputs::again::ReadTwice;
use crate::io::inputs::parquet::{self, Footer};
use crate::io::inputs::record::has_field;
use crate::io::inputs::source::{Age, Failed, Place};
use crate::io::inputs::table::MARK;
use crate::io::output::{Sink, write_together};
use crate::io::rewrite::{Change, Layout, rewrite};
use crate::model::corpus::Keeping;
use crate::model::corpus::{Answer, beginning_with};

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
struct RemovedRecord {
    id: String,
    kept_id: String,
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
    /// The most bytes that a page of Parquet may unpack to; none where there is no limit.
    pub(super) most_unpacked: Option<u64>,
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
    let layout =
        Layout::new(run.twice, ONE_FORMAT, |path, columns| rows::check(run, path, columns))?;
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
        let (Place::Line { file, number, .. } | Place::Row { file, number }) =
            gathered.found_at.place_of(position)
        else {
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
    if layout == Layout::Parquet {
        let rows = removals.chunks(BATCH).flat_map(|batch| {
            removed(run, batch, |record| {
                let RemovedRecord { id, kept_id, verdict, jaccard, coverage } = record;
                Ok(([id, kept_id, verdict.to_owned()], [jaccard, coverage]))
            })
        });
        return parquet::write_table(sink, (rows::NAMES, rows::FIGURES), rows);
    }
    sink.write(rows::removed_header(layout).as_bytes())?;
    for batch in removals.chunks(BATCH) {
        for record in removed(run, batch, |record| rows::removed(layout, &record)) {
            sink.write(record?.as_bytes())?;
        }
    }
    Ok(())
}

/// Records that are removed, as they are rendered.
fn removed<R: Send>(
    run: &Cleaning,
    batch: &[Removal],
    render: impl Fn(RemovedRecord) -> anyhow::Result<R> + Sync,
) -> Vec<anyhow::Result<R>> {
    let rendered = |(): &mut (), removal: &Removal| {
        let rendered = render(record(run, *removal));
        run.done.add(1);
        rendered
    };
    let batch: Vec<&Removal> = batch.iter().collect();
    parallel::each(run.threads, batch, || (), rendered)
}

/// What is written of a record that is removed.
fn record(run: &Cleaning, removal: Removal) -> RemovedRecord {
    let (answer, Removal { text, kept, .. }) = (run.answer, removal);
    let pair = answer.corpus().collection.pair(text.min(kept), text.max(kept));
    let is_searched = answer.recipe.search != Search::Never;
    let judgement = is_searched.then(|| answer.judge(&beginning_with(pair, text)));
    if judgement.is_none() {
        answer.collided.count(&pair);
    }
    let matches = judgement.as_ref().and_then(|judgement| judgement.matches.as_ref());
    RemovedRecord {
        id: answer.given_name(text),
        kept_id: answer.given_name(kept),
        verdict: answer.verdict(&pair).name(),
        jaccard: pair.all.jaccard().map(Share::ratio),
        coverage: matches.and_then(|matches| matches.coverage.left).map(Share::ratio),
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
    if layout == Layout::Parquet {
        return write_parquet(run, &mut removals, sink);
    }
    rewrite(run.twice, layout, sink, run.done, |stored| {
        let kept = if stored.is_header { None } else { next_at(&mut removals, stored.at) };
        let kept = kept.map(|removal| removal.kept);
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

/// Writes the rows of all files of Parquet, as [`write_records`] does.
fn write_parquet(
    run: &Cleaning,
    removals: &mut Peekable<Iter<Removal>>,
    sink: &mut Sink,
) -> anyhow::Result<()> {
    let mut sink = Some(sink);
    let mut writer = None;
    for (file, path) in run.twice.paths().enumerate() {
        let footer = Footer::read(path, run.twice.open_whole(file)?)?;
        if let Some(sink) = sink.take() {
            let annotated = run.flags.annotate.as_deref();
            writer = Some(parquet::Writer::new(sink, &footer, annotated, run.most_unpacked)?);
        }
        let removed = |row| next_at(removals, (file, row)).map(|removal| removal.kept);
        let name = |kept| run.answer.given_name(kept);
        if let Some(writer) = &mut writer {
            writer.add(&footer, removed, name, (run.threads, run.done))?;
        }
        run.twice.check_read(file)?;
    }
    writer.map_or(Ok(()), parquet::Writer::finish)
}

/// The removal of a record, if it is the next one.
fn next_at<'r>(
    removals: &mut Peekable<Iter<'r, Removal>>,
    at: (usize, u64),
) -> Option<&'r Removal> {
    removals.next_if(|removal| (removal.file, removal.line) == at)
}

/// A line with one more field before its last brace; a blank line stays.
fn annotated(line: &[u8], field: &str, kept: Option<&str>) -> Result<Vec<u8>, anyhow::Error> {
    let Some(end) = line.iter().rposition(|byte| *byte == b'}') else { return Ok(line.to_vec()) };
    if has_field(line.strip_prefix(MARK).unwrap_or(line), field) {
        return Err(rows::has_already(field).into());
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
