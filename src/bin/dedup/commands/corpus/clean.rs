//! Writes a clean corpus: the lines or rows of the records that are kept, byte for byte (cell by
//! cell for Parquet), and a line for each record that is removed.

use std::collections::BTreeMap;
use std::iter::Peekable;
use std::path::Path;
use std::slice::Iter;

use dedup_text::display::inert;
use dedup_text::display::{counted, thousands, visible};
use dedup_text::jaccard::Share;
use dedup_text::pair::Search;
use dedup_text::parallel::{self, Advance};
use dedup_text::sketch::Coverage;
use dedup_text::text::display_path;
use serde::Serialize;

use super::flags::CleanFlags;
use super::judge::{Depth, Judge, Judged};
use super::model::{Answer, beginning_with};
use crate::args::InputFlags;
use crate::diagnostics::{self, Diagnostic, MAX_SHOWN, note_more};
use crate::io::inputs::again::ReadTwice;
use crate::io::inputs::parquet::{self, Footer};
use crate::io::inputs::record::has_field;
use crate::io::inputs::table::{MARK, cell, without_end};
use crate::io::output::{Sink, check_writable, write_together};
use crate::io::rewrite::{Change, Columns, Layout, rewrite};
use crate::model::found::{Age, Failed, TextOrigin};
use crate::model::keeping::Keeping;
use crate::model::name_of;

/// The number of records that are judged and written at a time.
const BATCH: usize = 4096;

const ONE_FORMAT: &str = "a run of dedup corpus --output writes records of only one format";

/// A record that is removed.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
struct Removal {
    /// The number of its file among the files of records.
    file: usize,
    /// The number of its line or row in that file, from 1.
    line: u64,
    text: u32,
    /// The text that is kept instead of it.
    kept: u32,
}

/// The record that is written for a removed record.
#[derive(Serialize)]
struct RemovedRecord {
    id: String,
    kept_id: String,
    verdict: &'static str,
    jaccard: Option<f64>,
    /// The share of its words in passages of the kept text; null if passages are not searched for.
    coverage: Option<f64>,
    /// The parts of it that are the same words, and changed ones.
    same: Option<f64>,
    changed: Option<f64>,
}

impl RemovedRecord {
    /// Returns the [figures](FIGURES).
    fn figures(&self) -> [Option<f64>; FIGURES.len()] {
        [self.jaccard, self.coverage, self.same, self.changed]
    }
}

/// The inputs of writing a clean corpus.
pub(super) struct Cleaning<'a> {
    pub(super) judge: &'a Judge<'a>,
    pub(super) keeping: &'a Keeping,
    pub(super) flags: &'a CleanFlags,
    /// The files of records, which are read a second time.
    pub(super) twice: &'a ReadTwice,
    /// The largest size of an unpacked Parquet page, in bytes. `None` if there is no limit.
    pub(super) most_unpacked: Option<u64>,
    /// The number of [`records`] that have been written.
    pub(super) done: &'a Advance,
}

/// Returns the number of records to be written to the requested files, without blank lines and
/// headers.
pub(super) fn records(answer: &Answer, keeping: &Keeping, flags: &CleanFlags) -> u64 {
    let all = answer.gathered.texts.all().iter().filter(|facts| facts.age != Age::Old).count();
    let removed = keeping.removed.iter().flatten().count();
    let of_output = if flags.annotate.is_some() { all } else { all.saturating_sub(removed) };
    let of_output = flags.output.as_ref().map_or(0, |_| of_output);
    let of_removed = flags.removed.as_ref().map_or(0, |_| removed);
    (of_output + of_removed) as u64
}

/// Writes the requested files: either all of them completely, or none. A dry run only
/// checks that they could be written.
///
/// # Errors
///
/// Returns an error if a file of records cannot be read again, has another format than the others
/// or has the field of `--annotate` already, or if a file cannot be written or is named as one of
/// another format.
pub(super) fn write(run: &Cleaning) -> anyhow::Result<()> {
    let flags = run.flags;
    let files = flags.output.iter().chain(&flags.removed);
    let files: Vec<&Path> = files.map(AsRef::as_ref).collect();
    let removals = removals(run);
    let layout = Layout::new(run.twice, ONE_FORMAT, |path, columns| check(run, path, columns))?;
    flags.written().try_for_each(|(flag, path)| layout.check_name(&flag, &path))?;
    if flags.dry_run {
        check_writable(&files)?;
        // Only a field that is added to the lines of JSON can be refused later.
        let is_added = flags.annotate.is_some() && layout == Layout::JsonLines;
        let write = || write_records(run, layout, &removals, &mut Sink::nowhere());
        return if is_added { write() } else { Ok(()) };
    }
    write_together(&files, |sinks| {
        let mut sinks = sinks.iter_mut();
        let output = flags.output.as_ref().and_then(|_| sinks.next());
        if let Some(removed) = flags.removed.as_ref().and_then(|_| sinks.next()) {
            write_removed(run, layout, &removals, removed)?;
        }
        output.map_or(Ok(()), |output| write_records(run, layout, &removals, output))?;
        Ok(run.judge.answer.corpus().collection.check()?)
    })
}

/// Returns the removed records, in the order of the input.
fn removals(run: &Cleaning) -> Vec<Removal> {
    let texts = &run.judge.answer.gathered.texts;
    let files: Vec<&Path> = run.twice.paths().collect();
    let removed = (0..).zip(&run.keeping.removed).filter_map(|(text, kept)| Some((text, (*kept)?)));
    let placed = removed.filter_map(|(text, kept)| {
        let (TextOrigin::Line { file, number, .. } | TextOrigin::Row { file, number }) =
            texts.place(text)?
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
                let figures = record.figures();
                Ok(([record.id, record.kept_id, record.verdict.to_owned()], figures))
            })
        });
        return parquet::write_table(sink, (NAMES, FIGURES), rows);
    }
    sink.write(removed_header(layout).as_bytes())?;
    for batch in removals.chunks(BATCH) {
        for record in removed(run, batch, |record| removed_line(layout, &record)) {
            sink.write(record?.as_bytes())?;
        }
    }
    Ok(())
}

/// Renders removed records, on all threads.
fn removed<R: Send>(
    run: &Cleaning,
    batch: &[Removal],
    render: impl Fn(RemovedRecord) -> anyhow::Result<R> + Sync,
) -> Vec<anyhow::Result<R>> {
    let rendered = |removal: &Removal| {
        let rendered = render(record(run, *removal));
        run.done.add(1);
        rendered
    };
    let batch: Vec<&Removal> = batch.iter().collect();
    parallel::map(run.judge.threads, batch, rendered)
}

/// Makes the record that is written for a removed record.
fn record(run: &Cleaning, removal: Removal) -> RemovedRecord {
    let (answer, Removal { text, kept, .. }) = (run.judge.answer, removal);
    let pair = answer.corpus().collection.pair(text.min(kept), text.max(kept));
    let is_searched = answer.recipe.search != Search::Never;
    let depth = if is_searched { Depth::Passages } else { Depth::Figures };
    let Judged { row, .. } = run.judge.judge(&beginning_with(pair, text), depth);
    let share = |of: fn(&Coverage, usize) -> Option<Share>| {
        row.shared.and_then(|shared| of(&shared.coverage, 0)).map(Share::ratio)
    };
    RemovedRecord {
        id: answer.given_name(text),
        kept_id: answer.given_name(kept),
        verdict: row.verdict.name(),
        jaccard: pair.all.jaccard().map(Share::ratio),
        coverage: share(Coverage::share),
        same: share(Coverage::same),
        changed: share(Coverage::changed),
    }
}

/// Writes the records of all files: either those that are kept, or all of them with an additional
/// field.
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
        let kept = kept.map(|kept| run.judge.answer.given_name(kept));
        let changed = match stored.table {
            Some(table) => {
                let value = kept.as_deref().unwrap_or_default();
                let value = if stored.is_header { field } else { value };
                Ok(with_cell(stored.bytes, value, table.delimiter))
            }
            None => annotated(stored.bytes, field, kept.as_deref()),
        };
        let of_line = |wrong| Failed::of_line(stored.path, stored.at.1, wrong).error;
        Ok(Change::To(changed.map_err(of_line)?))
    })
}

/// Same as [`write_records`], for files of Parquet.
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
        let name = |kept| run.judge.answer.given_name(kept);
        if let Some(writer) = &mut writer {
            writer.add(&footer, removed, name, (run.judge.threads, run.done))?;
        }
        run.twice.check_read(file)?;
    }
    writer.map_or(Ok(()), parquet::Writer::finish)
}

/// Returns the next removal if it is that of the record at this file and line.
fn next_at<'r>(
    removals: &mut Peekable<Iter<'r, Removal>>,
    at: (usize, u64),
) -> Option<&'r Removal> {
    removals.next_if(|removal| (removal.file, removal.line) == at)
}

/// Adds a field before the last brace of a line. A blank line is returned as it is.
///
/// # Errors
///
/// Returns an error if the line has a field of this name.
fn annotated(line: &[u8], field: &str, kept: Option<&str>) -> Result<Vec<u8>, anyhow::Error> {
    let Some(end) = line.iter().rposition(|byte| *byte == b'}') else { return Ok(line.to_vec()) };
    if has_field(line.strip_prefix(MARK).unwrap_or(line), field) {
        return Err(has_already(field).into());
    }
    let added = format!(",{}:{}", inert::json(&field)?, inert::json(&kept)?);
    Ok([&line[..end], added.as_bytes(), &line[end..]].concat())
}

// A clean corpus of CSV: the cells added to its rows, and the rows of removed records.

/// The columns of removed records: first the strings, then the figures.
const NAMES: [&str; 3] = ["id", "kept_id", "verdict"];
const FIGURES: [&str; 4] = ["jaccard", "coverage", "same", "changed"];

/// Returns the header of the removed records; empty unless they are CSV.
fn removed_header(layout: Layout) -> String {
    match layout {
        Layout::JsonLines | Layout::Parquet => String::new(),
        Layout::Rows { delimiter } => {
            let columns = [NAMES.as_slice(), &FIGURES].concat();
            columns.join(&char::from(delimiter).to_string()) + "\n"
        }
    }
}

/// Renders the line of a removed record.
fn removed_line(layout: Layout, record: &RemovedRecord) -> anyhow::Result<String> {
    match layout {
        Layout::Rows { delimiter } => Ok(removed_row(record, delimiter)),
        Layout::JsonLines | Layout::Parquet => Ok(inert::json(record)? + "\n"),
    }
}

/// Checks that a file of records does not have the field of `--annotate` in its header or schema.
fn check(run: &Cleaning, path: &Path, columns: &Columns) -> anyhow::Result<()> {
    let Some(field) = &run.flags.annotate else { return Ok(()) };
    let failed = match columns {
        Columns::OfHeader(_) if field.contains([',', ';', '\t', '"', '\r', '\n']) => {
            let what = format!(
                "--annotate {}, expected a column name without separators and quotes",
                visible(field)
            );
            return Err(Diagnostic::new(what).flags(["annotate"]).into());
        }
        Columns::OfHeader(table) if table.columns.contains(field) => {
            Failed::of_line(path, table.first_line - 1, has_already(field))
        }
        Columns::OfFooter(footer) if footer.has(field) => {
            Failed::of_record(path, display_path(path).into_owned(), has_already(field))
        }
        _ => return Ok(()),
    };
    Err(failed.error)
}

/// Makes the error for a field that already exists.
fn has_already(field: &str) -> Diagnostic {
    Diagnostic::new(format!("already has a field {field}, expected a new field for --annotate"))
        .hint("choose another name for --annotate")
        .flags(["annotate"])
}

/// Adds a cell at the end of a row.
fn with_cell(row: &[u8], value: &str, delimiter: u8) -> Vec<u8> {
    let (content, end) = row.split_at(without_end(row).len());
    [content, &[delimiter], &cell(value.as_bytes(), delimiter), end].concat()
}

/// Renders the CSV row of a removed record.
fn removed_row(record: &RemovedRecord, delimiter: u8) -> String {
    let figure = |value: Option<f64>| value.map(|value| format!("{value:?}")).unwrap_or_default();
    let quoted =
        |value: &str| String::from_utf8_lossy(&cell(value.as_bytes(), delimiter)).into_owned();
    let names = [quoted(&record.id), quoted(&record.kept_id), record.verdict.to_owned()];
    let cells = [names.as_slice(), &record.figures().map(figure)].concat();
    cells.join(&char::from(delimiter).to_string()) + "\n"
}

// The sources of which most texts are duplicates.

/// The number of texts of a source, and how many of them are removed.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
struct SourceCount {
    all: usize,
    removed: usize,
}

impl SourceCount {
    /// Reports whether more than half of the texts are removed, if there is more than one.
    fn is_mostly_removed(self) -> bool {
        self.all > 1 && 2 * self.removed > self.all
    }
}

/// Warns of each source of which more than half of the texts are duplicates: a file of records, an
/// archive, or a folder that is named.
pub(crate) fn warn_of_sources(answer: &Answer, keeping: &Keeping, inputs: &InputFlags) {
    let counts = counts(answer, keeping, inputs);
    let lost: Vec<_> = counts.iter().filter(|(_, count)| count.is_mostly_removed()).collect();
    for (source, SourceCount { all, removed }) in lost.iter().take(MAX_SHOWN) {
        let (removed, all) = (thousands(*removed), counted(*all, "text"));
        diagnostics::warn(source, &format!("more than half are duplicates: {removed} of {all}"));
    }
    note_more(lost.len(), |more| counted(more, "source") + " more like them");
}

fn counts(
    answer: &Answer,
    keeping: &Keeping,
    inputs: &InputFlags,
) -> BTreeMap<String, SourceCount> {
    let known = &answer.gathered.texts;
    let mut is_removed = vec![false; known.len()];
    for (number, _) in (0..).zip(&keeping.removed).filter(|(_, partner)| partner.is_some()) {
        let position = known.position(number);
        if let Some(is_removed) = position.and_then(|at| is_removed.get_mut(at)) {
            *is_removed = true;
        }
    }
    let mut counts: BTreeMap<String, SourceCount> = BTreeMap::new();
    let texts = (known.all().iter().zip(&is_removed).enumerate())
        .filter(|(_, (facts, _))| facts.age != Age::Old);
    for (position, (_, is_removed)) in texts {
        let name = known.names.get(position);
        let source = match known.names.place_of(position) {
            TextOrigin::Line { file, .. } | TextOrigin::Row { file, .. } => {
                display_path(file).into_owned()
            }
            TextOrigin::Member { archive, .. } | TextOrigin::Stored(archive) => name_of(archive),
            TextOrigin::File | TextOrigin::Unit(_) | TextOrigin::Receipt => folder(name, inputs),
        };
        let count = counts.entry(source).or_default();
        count.all += 1;
        count.removed += usize::from(*is_removed);
    }
    counts
}

/// Returns the innermost named path that contains a text, or the text's own name if no path does.
fn folder(name: &str, inputs: &InputFlags) -> String {
    let around = inputs.paths.iter().filter(|path| Path::new(name).starts_with(path));
    let innermost = around.max_by_key(|path| path.components().count());
    innermost.map_or_else(|| name.to_owned(), |path| name_of(path))
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
        assert_eq!(
            wrong.to_string(),
            "already has a field of, expected a new field for --annotate"
        );
    }
}

#[cfg(test)]
mod rows_tests {
    use super::*;

    #[test]
    fn a_cell_is_added_to_a_row_and_nothing_else() {
        #[rustfmt::skip]
        let table: [(&str, &str, &str, u8, &str); 7] = [
            ("a duplicate",     "1,a\n",          "x",    b',',  "1,a,x\n"),
            ("none",            "1,a\r\n",        "",     b',',  "1,a,\r\n"),
            ("no end",          "1,a",            "x",    b',',  "1,a,x"),
            ("a quote in it",   "1,a\r",          "x\"y", b',',  "1,a,\"x\"\"y\"\r"),
            ("a comma in it",   "1,a\n",          "x,y",  b',',  "1,a,\"x,y\"\n"),
            ("by tabs",         "1\ta\n",         "x,y",  b'\t', "1\ta\tx,y\n"),
            ("a feed in cells", "1,\"a\nb\"\n",   "x",    b',',  "1,\"a\nb\",x\n"),
        ];
        for (why, row, value, delimiter, want) in table {
            let got = with_cell(row.as_bytes(), value, delimiter);
            assert_eq!(String::from_utf8(got).unwrap(), want, "{why}");
        }
    }
}
