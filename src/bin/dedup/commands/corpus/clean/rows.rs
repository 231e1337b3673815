//! A clean corpus of CSV: the header once, then the rows that are kept, byte for byte.

use std::io::BufReader;
use std::iter::Peekable;
use std::path::Path;
use std::slice::Iter;

use anyhow::Context;
use dedup_text::text::display_path;

use super::{BLOCK, Cleaning, From, MARK, Removal, RemovedRecord, Written, next_at};
use crate::diagnostics::Diagnostic;
use crate::io::disk::Stream;
use crate::io::inputs::again::unreadable;
use crate::io::inputs::source::Failed;
use crate::io::inputs::table::{Format, RowReader, Table, cell, lines_of, without_end};

/// How the records are stored.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Layout {
    /// A JSON object a line.
    JsonLines,
    /// Rows, their cells parted by a byte.
    Rows { delimiter: u8 },
}

impl Layout {
    /// That of the files of a corpus.
    ///
    /// # Errors
    ///
    /// Where they have several, where headers differ, or where a field that is to be added is there.
    pub(super) fn new(run: &Cleaning) -> anyhow::Result<Self> {
        let mut first: Option<(&Path, Format)> = None;
        let mut known: Option<(&Path, Table)> = None;
        for (file, path) in run.twice.paths().enumerate() {
            let (stream, format) = run.twice.open(file)?;
            let (one, wanted) = *first.get_or_insert((path, format));
            if format != wanted {
                let [one, other] = [one, path].map(display_path);
                let (wanted, found) = (wanted.name(), format.name());
                let message = format!("{other}: {found}, expected {wanted} as in {one}");
                return Err(Diagnostic::new(message).hint(ONE_FORMAT).into());
            }
            if format == Format::JsonLines {
                continue;
            }
            let Some(table) = header(path, stream)? else { continue };
            check(run, path, &table)?;
            match &known {
                Some((one, wanted)) if *wanted != table => {
                    let [one, other] = [one, path].map(display_path);
                    let message =
                        format!("{other}: another header than {one}, expected the same columns");
                    return Err(Diagnostic::new(message).hint(ONE_FORMAT).into());
                }
                Some(_) => {}
                None => known = Some((path, table)),
            }
        }
        Ok(match (first, known) {
            (_, Some((_, table))) => Self::Rows { delimiter: table.delimiter() },
            (Some((_, Format::Csv)), None) => Self::Rows { delimiter: b',' },
            _ => Self::JsonLines,
        })
    }

    /// The bytes that end a line or a row.
    pub(super) fn ends(self) -> &'static [u8] {
        match self {
            Self::JsonLines => b"\n",
            Self::Rows { .. } => b"\n\r",
        }
    }

    /// What stands before the records that are removed.
    pub(super) fn removed_header(self) -> String {
        match self {
            Self::JsonLines => String::new(),
            Self::Rows { delimiter } => {
                let columns = ["id", "kept_id", "verdict", "jaccard", "coverage"];
                columns.join(&char::from(delimiter).to_string()) + "\n"
            }
        }
    }
}

const ONE_FORMAT: &str = "each run of dedup corpus --output writes records of one format";

/// The header of a file; none where there is no row.
fn header(path: &Path, stream: Stream) -> anyhow::Result<Option<Table>> {
    let stream = BufReader::with_capacity(BLOCK, stream);
    let mut rows = RowReader::of_file(path, stream).with_context(|| unreadable(path))?;
    let (mut row, mut number) = (Vec::new(), 1);
    while rows.read(&mut row).with_context(|| unreadable(path))? {
        let marked = if number == 1 { row.strip_prefix(MARK) } else { None };
        let content = without_end(marked.unwrap_or(&row));
        let next = number + lines_of(&row);
        if !content.is_empty() {
            let table = Table::new(rows.delimiter(), content, next);
            return Ok(Some(table.map_err(|wrong| Failed::of_line(path, number, wrong).error)?));
        }
        number = next;
    }
    Ok(None)
}

/// Checks that a field which is to be added is not there.
fn check(run: &Cleaning, path: &Path, table: &Table) -> anyhow::Result<()> {
    match &run.flags.annotate {
        Some(field) if table.columns().contains(field) => {
            let message = format!("has a field {field} already, expected a new one for --annotate");
            let wrong = Diagnostic::new(message).hint("--annotate takes any other name");
            Err(Failed::of_line(path, table.first - 1, wrong).error)
        }
        _ => Ok(()),
    }
}

/// Writes the rows of a file: those that are kept, or all of them with one more cell. The header is
/// that of the first file which has one.
pub(super) fn write(
    from: &From,
    stream: Stream,
    removals: &mut Peekable<Iter<Removal>>,
    written: &mut Written,
) -> anyhow::Result<()> {
    let From { run, file, path } = *from;
    let stream = BufReader::with_capacity(BLOCK, stream);
    let mut rows = RowReader::of_file(path, stream).with_context(|| unreadable(path))?;
    let delimiter = rows.delimiter();
    let is_first = written.last.is_none();
    let (mut row, mut number, mut is_header) = (Vec::new(), 1, true);
    while rows.read(&mut row).with_context(|| unreadable(path))? {
        let at = number;
        number += lines_of(&row);
        let content = if at == 1 { row.strip_prefix(MARK).unwrap_or(&row) } else { &row };
        if without_end(content).is_empty() {
            if is_first || !is_header {
                written.add(&row, at)?;
            }
            continue;
        }
        let kept = next_at(removals, (file, at)).map(|removal| removal.kept);
        let is_left_out = if is_header { !is_first } else { kept.is_some() };
        match &run.flags.annotate {
            Some(field) if is_header && is_first => {
                written.add(&with_cell(&row, field, delimiter), at)?;
            }
            Some(_) if !is_header => {
                let kept = kept.map(|kept| run.answer.given_name(kept));
                written
                    .add(&with_cell(&row, kept.as_deref().unwrap_or_default(), delimiter), at)?;
            }
            None if !is_left_out => written.add(&row, at)?,
            _ => {}
        }
        is_header = false;
    }
    Ok(())
}

/// A row with one more cell before its end.
fn with_cell(row: &[u8], value: &str, delimiter: u8) -> Vec<u8> {
    let (content, end) = row.split_at(without_end(row).len());
    [content, &[delimiter], &cell(value, delimiter), end].concat()
}

/// The row of a record that is removed.
pub(super) fn removed(record: &RemovedRecord, delimiter: u8) -> String {
    let figure = |value: Option<f64>| value.map(|value| format!("{value:?}")).unwrap_or_default();
    let quoted = |value: &str| String::from_utf8_lossy(&cell(value, delimiter)).into_owned();
    let RemovedRecord { id, kept_id, verdict, jaccard, coverage } = record;
    let cells =
        [quoted(id), quoted(kept_id), (*verdict).to_owned(), figure(*jaccard), figure(*coverage)];
    cells.join(&char::from(delimiter).to_string()) + "\n"
}

#[cfg(test)]
mod tests {
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
