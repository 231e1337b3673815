//! Copies files of records into one file: each line or row is kept byte for byte, changed, or left
//! out.
//!
//! The header of files with rows is written once. The caller decides the change to each record.

use std::io::{BufRead, BufReader};
use std::path::Path;

use anyhow::Context;
use dedup_text::parallel::Advance;
use dedup_text::text::display_path;

use super::disk::{self, Stream};
use super::inputs::again::{ReadTwice, unreadable};
use super::inputs::parquet::Footer;
use super::inputs::table::{
    self, Format, HeaderRow, MARK, MoreBytes, RowReader, Table, lines_of, without_end,
};
use super::output::Sink;
use crate::diagnostics::{Diagnostic, Flag};
use crate::model::found::Failed;

/// The size of the read buffer in bytes.
const BUFFER_BYTES: usize = 1 << 18;

/// The format in which a set of files stores its records.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Layout {
    /// One JSON object per line.
    JsonLines,
    /// CSV rows, with cells separated by `delimiter`.
    Rows { delimiter: u8 },
    /// Rows of Parquet.
    Parquet,
}

/// The columns of a file.
pub(crate) enum Columns {
    OfHeader(Table),
    OfFooter(Footer),
}

impl Layout {
    /// Returns the layout that all files have in common. `check` is called with the columns of each
    /// file that has any, and may reject them.
    ///
    /// # Errors
    ///
    /// Returns a [`Diagnostic`] with the given hint if the files have different formats or
    /// different columns, the errors of `check`, and an error if a file cannot be read again.
    pub(crate) fn new(
        files: &ReadTwice,
        hint: &'static str,
        mut check: impl FnMut(&Path, &Columns) -> anyhow::Result<()>,
    ) -> anyhow::Result<Self> {
        let unequal = |message: String| Diagnostic::new(message).hint(hint).flags(["output"]);
        let mut first: Option<(&Path, Format)> = None;
        let mut known: Option<(&Path, Columns)> = None;
        for (file, path) in files.paths().enumerate() {
            let (stream, format) = files.open(file, disk::unpacked)?;
            let (one, wanted) = *first.get_or_insert((path, format));
            if format != wanted {
                let (wanted, found) = (wanted.name_in(one), format.name_in(path));
                let [one, other] = [one, path].map(display_path);
                let message = format!("{other}: {found}, expected {wanted} as in {one}");
                return Err(unequal(message).into());
            }
            let columns = match format {
                Format::JsonLines => None,
                Format::Csv => header(path, stream, files.header())?.map(Columns::OfHeader),
                Format::Parquet => {
                    Some(Columns::OfFooter(Footer::read(path, files.open_whole(file)?)?))
                }
            };
            let Some(columns) = columns else { continue };
            check(path, &columns)?;
            let Some((one, wanted)) = &known else {
                known = Some((path, columns));
                continue;
            };
            let [one, other] = [one, path].map(display_path);
            let message = match (&columns, wanted) {
                (Columns::OfHeader(found), Columns::OfHeader(wanted))
                    if (found.delimiter, &found.columns) != (wanted.delimiter, &wanted.columns) =>
                {
                    format!("{other}: another header than {one}, expected the same header")
                }
                (Columns::OfFooter(found), Columns::OfFooter(wanted))
                    if !found.has_columns_of(wanted) =>
                {
                    format!("{other}: other columns than {one}, expected the same columns")
                }
                _ => continue,
            };
            return Err(unequal(message).into());
        }
        Ok(match (first, known) {
            (_, Some((_, Columns::OfHeader(table)))) => Self::Rows { delimiter: table.delimiter },
            (Some((path, Format::Csv)), None) => {
                let delimiter = table::delimiter(path, b"", MoreBytes::None);
                Self::Rows { delimiter: delimiter.unwrap_or(b',') }
            }
            (Some((_, Format::Parquet)), _) => Self::Parquet,
            _ => Self::JsonLines,
        })
    }

    /// Checks that the name of an output file does not imply that it has another format or, as
    /// `.tsv`, another delimiter. `flag` is the flag that names it.
    ///
    /// # Errors
    ///
    /// Returns a [`Diagnostic`] if it does.
    pub(crate) fn check_name(self, flag: &Flag, path: &Path) -> Result<(), Diagnostic> {
        let (format, is_by_tabs) = match self {
            Self::JsonLines => (Format::JsonLines, false),
            Self::Rows { delimiter } => (Format::Csv, delimiter == b'\t'),
            Self::Parquet => (Format::Parquet, false),
        };
        let (named, found) = match Format::from_name(path) {
            Some(named) if named != format => (named.name_in(path), format.name()),
            Some(Format::Csv) if table::is_tsv(path) && !is_by_tabs => ("TSV", "CSV"),
            _ => return Ok(()),
        };
        let message =
            format!("{flag}: {named} according to its name, expected {found} as in the input");
        let hint = "records are written in the format of the input";
        Err(Diagnostic::new(message).hint(hint).flags(flag.names()))
    }

    /// Returns the bytes that can end a line or a row.
    fn ends(self) -> &'static [u8] {
        match self {
            Self::JsonLines | Self::Parquet => b"\n",
            Self::Rows { .. } => b"\n\r",
        }
    }
}

/// Reads the header of a file; `None` if the file has no row.
fn header(path: &Path, stream: Stream, header: HeaderRow) -> anyhow::Result<Option<Table>> {
    let stream = BufReader::with_capacity(BUFFER_BYTES, stream);
    let mut rows =
        RowReader::from_stream(Format::Csv, path, stream).with_context(|| unreadable(path))?;
    let (mut row, mut number) = (Vec::new(), 1);
    while rows.read(&mut row).with_context(|| unreadable(path))? {
        let content = content(&row, number);
        if !table::is_before_header(content) {
            return parse_header(path, (rows.ends.delimiter(), header), &row, number).map(Some);
        }
        number += lines_of(&row);
    }
    Ok(None)
}

/// Returns the content of a row that begins on line `number`: without its line end, and on line 1
/// without a byte order mark.
fn content(row: &[u8], number: u64) -> &[u8] {
    let marked = if number == 1 { row.strip_prefix(MARK) } else { None };
    without_end(marked.unwrap_or(row))
}

/// Parses the first row of a table.
fn parse_header(
    path: &Path,
    (delimiter, header): (u8, HeaderRow),
    row: &[u8],
    number: u64,
) -> anyhow::Result<Table> {
    let lines = if header == HeaderRow::On { lines_of(row) } else { 0 };
    let table = Table::new(delimiter, content(row, number), number + lines, header);
    table.map_err(|wrong| Failed::of_line(path, number, wrong).error)
}

/// A line or a row, as it is stored.
pub(crate) struct Stored<'s> {
    /// The index of its file among the files of records, and the line on which it begins, counted
    /// from 1.
    pub(crate) at: (usize, u64),
    pub(crate) path: &'s Path,
    /// The bytes, including the line end.
    pub(crate) bytes: &'s [u8],
    /// The table of its file, if the file has rows.
    pub(crate) table: Option<&'s Table>,
    pub(crate) is_header: bool,
}

/// The change to a record.
pub(crate) enum Change {
    /// The record is copied byte for byte.
    Keep,
    LeaveOut,
    To(Vec<u8>),
}

/// Writes the records of all files except Parquet, each as `change` decides. Blank lines are kept.
///
/// # Errors
///
/// Returns the errors of `change`, and an error if a file cannot be read again, if it has changed,
/// or if the sink cannot be written.
pub(crate) fn rewrite(
    files: &ReadTwice,
    layout: Layout,
    sink: &mut Sink,
    done: &Advance,
    mut change: impl FnMut(&Stored) -> anyhow::Result<Change>,
) -> anyhow::Result<()> {
    let mut written =
        Written { sink, last: None, has_header: false, has_mark: false, ends: layout.ends(), done };
    for (file, path) in files.paths().enumerate() {
        let (stream, format) = files.open(file, disk::unpacked_ahead)?;
        // A layout has one format, so the caller handles Parquet.
        if format != Format::Parquet {
            let stream = BufReader::with_capacity(BUFFER_BYTES, stream);
            let file = (file, path, format);
            rewrite_rows(file, files.header(), stream, &mut change, &mut written)?;
        }
        files.check_read(file)?;
    }
    Ok(())
}

/// Writes the lines or rows of a file. Its header is written only if no other file had one before.
fn rewrite_rows(
    (file, path, format): (usize, &Path, Format),
    header: HeaderRow,
    stream: impl BufRead,
    change: &mut impl FnMut(&Stored) -> anyhow::Result<Change>,
    written: &mut Written,
) -> anyhow::Result<()> {
    let rows = RowReader::from_stream(format, path, stream);
    let mut rows = rows.with_context(|| unreadable(path))?;
    let is_first = !written.has_header;
    let (mut row, mut next, mut known) = (Vec::new(), 1, None);
    while rows.read(&mut row).with_context(|| unreadable(path))? {
        let number = next;
        next += lines_of(&row);
        let is_first_row = format == Format::Csv && known.is_none();
        let is_header = is_first_row && header == HeaderRow::On;
        let content = content(&row, number);
        if content.is_empty() || is_first_row && table::is_before_header(content) {
            if is_first || !is_first_row {
                written.add(&row, number)?;
            }
            continue;
        }
        if is_first_row {
            known = Some(parse_header(path, (rows.ends.delimiter(), header), &row, number)?);
        }
        let at = (file, number);
        let stored = Stored { at, path, bytes: &row, table: known.as_ref(), is_header };
        written.has_header = true;
        if !is_header || is_first {
            written.change(&stored, change(&stored)?)?;
        }
    }
    Ok(())
}

/// The writer of the output lines.
struct Written<'s, 'p> {
    sink: &'s mut Sink<'p>,
    /// The last byte that was written; `None` at the beginning.
    last: Option<u8>,
    /// Whether the header of a file was found; only the first header is written.
    has_header: bool,
    /// Whether the first line of the input is left out and has a byte order mark.
    has_mark: bool,
    /// The bytes that can end a line.
    ends: &'static [u8],
    done: &'s Advance,
}

impl Written<'_, '_> {
    fn change(&mut self, stored: &Stored, change: Change) -> Result<(), Diagnostic> {
        match change {
            Change::Keep => self.add(stored.bytes, stored.at.1),
            Change::LeaveOut => {
                let is_first = stored.at == (0, 1) && self.last.is_none();
                self.has_mark |= is_first && stored.bytes.starts_with(MARK);
                Ok(())
            }
            Change::To(bytes) => self.add(&bytes, stored.at.1),
        }
    }

    /// Writes a line that has the given number in its file. If the previous line has no line end, a
    /// line feed is inserted. Only the first line of the output has a byte order mark, if the first
    /// line of the input has one.
    fn add(&mut self, line: &[u8], number: u64) -> Result<(), Diagnostic> {
        let (mut line, is_first) = (line, self.last.is_none());
        if !is_first || self.has_mark {
            line = line.strip_prefix(MARK).filter(|_| number == 1).unwrap_or(line);
        }
        if is_first && self.has_mark {
            self.sink.write(MARK)?;
        }
        if self.last.is_some_and(|last| !self.ends.contains(&last)) {
            self.sink.write(b"\n")?;
        }
        self.last = line.last().copied().or(self.last);
        self.done.add(1);
        self.sink.write(line)
    }
}
