//! CSV: splits bytes into rows, and a row into its cells.
//!
//! Rows are found as the `csv` crate finds them, following RFC 4180: a cell that begins with a
//! quote ends at the next single quote, and may contain anything until then, including line feeds;
//! a row ends with CR, LF or both. A row is a range of bytes, so that it can be copied as it is.
//! A line of JSON is a row without cells, which ends with LF.

use std::ffi::OsStr;
use std::io::{self, BufRead, Cursor, Read};
use std::ops::{Deref, Range};
use std::path::Path;
use std::sync::Arc;

use clap::ValueEnum;
use serde::de::IgnoredAny;

use crate::diagnostics::Diagnostic;
use crate::io::disk::CompressionFormat;
use crate::io::disk::{self, Stream};
use crate::model::found::Header;

/// The format of a file of records.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Format {
    /// One JSON object per line.
    JsonLines,
    /// Rows below a header.
    Csv,
    /// Row groups, stored column by column.
    Parquet,
}

/// Whether the first row of a CSV file names its columns.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq, ValueEnum)]
pub(crate) enum HeaderRow {
    #[default]
    On,
    /// It is a record, and the columns are named by their numbers: 1, 2, …
    Off,
}

/// The bytes with which a Parquet file begins and ends.
pub(super) const MAGIC: &[u8] = b"PAR1";

/// The byte order mark of UTF-8, which some editors write at the beginning of a file.
pub(crate) const MARK: &[u8] = b"\xef\xbb\xbf";

impl Format {
    /// Returns the name of the format for messages.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::JsonLines => "JSON Lines",
            Self::Csv => "CSV",
            Self::Parquet => "Parquet",
        }
    }

    /// Returns the name of the format of a file: a table whose name ends in `.tsv` is TSV.
    pub(crate) fn name_in(self, path: &Path) -> &'static str {
        if self == Self::Csv && is_tsv(path) { "TSV" } else { self.name() }
    }

    /// Returns the format according to the name of a file, which may have the extension of a packed
    /// file; `None` if the name shows no format.
    pub(crate) fn from_name(path: &Path) -> Option<Self> {
        let ending = ending(path);
        let is = |names: &[&str]| names.iter().any(|it| ending.eq_ignore_ascii_case(it));
        if is(&["jsonl", "ndjson"]) {
            Some(Self::JsonLines)
        } else if is(&["parquet"]) {
            Some(Self::Parquet)
        } else {
            is(&["csv", "tsv"]).then_some(Self::Csv)
        }
    }

    /// Returns the format of a file, given the format that was requested and the first bytes of the
    /// file: the requested one, unless both its name and its content show another one.
    fn of_file(self, path: &Path, head: &[u8]) -> Self {
        let is_parquet = head.starts_with(MAGIC);
        let head = head.strip_prefix(MARK).unwrap_or(head).trim_ascii_start();
        let Some(first) = head.first() else { return self };
        let is_json = *first == b'{';
        match Self::from_name(path) {
            Some(Self::Parquet) if is_parquet => Self::Parquet,
            Some(Self::JsonLines) if is_json => Self::JsonLines,
            Some(Self::Csv) if !is_json && !is_parquet => Self::Csv,
            _ => self,
        }
    }
}

impl Format {
    /// Returns the format of a stream in the same way, together with the complete stream. The
    /// stream is only read if its name shows another format than `self`.
    ///
    /// # Errors
    ///
    /// Returns an error if the beginning of the stream cannot be read.
    pub(crate) fn of_stream(self, path: &Path, mut stream: Stream) -> io::Result<(Stream, Self)> {
        if Self::from_name(path).is_none_or(|named| named == self) {
            return Ok((stream, self));
        }
        let mut head = Vec::with_capacity(HEAD);
        stream.by_ref().take(HEAD as u64).read_to_end(&mut head)?;
        let format = self.of_file(path, &head);
        Ok((Box::new(Cursor::new(head).chain(stream)), format))
    }
}

/// The number of bytes in which the first line of a file is looked for.
const FIRST_LINE: u64 = 1 << 16;

/// Reports whether the first line of a file that is not blank is a JSON object. If the line goes
/// beyond the first [`FIRST_LINE`] bytes, only its beginning is checked. Nothing is consumed of
/// [standard input and the pipes of a shell](disk::is_of_the_shell). Any other pipe is not read,
/// and the result is `false`.
pub(crate) fn begins_with_object(path: &Path) -> bool {
    let head = if disk::is_of_the_shell(path) {
        disk::look_ahead(path).ok()
    } else {
        disk::size(path).and_then(|_| disk::open(path).ok())
    };
    let Some(head) = head else { return false };
    let mut bytes = Vec::new();
    let read = disk::unpacked(head, None)
        .and_then(|(head, _)| head.take(FIRST_LINE).read_to_end(&mut bytes));
    let bytes = bytes.strip_prefix(MARK).unwrap_or(&bytes).trim_ascii_start();
    let line = bytes.split(|byte| *byte == b'\n').next().unwrap_or_default();
    let is_whole = line.len() < bytes.len() || read.is_ok_and(|read| (read as u64) < FIRST_LINE);
    let begins = || line[1..].trim_ascii_start().starts_with(b"\"");
    line.starts_with(b"{")
        && match serde_json::from_slice::<IgnoredAny>(line) {
            Ok(_) => true,
            Err(error) => error.is_eof() && begins() && !is_whole,
        }
}

/// The number of bytes that are enough to recognize the format of a file.
const HEAD: usize = 1 << 10;

/// Returns the extension of a file name, without that of a packed file.
fn ending(path: &Path) -> &OsStr {
    let inner = path.file_stem().filter(|_| CompressionFormat::from_name(path).is_some());
    inner.map_or(path, Path::new).extension().unwrap_or_default()
}

/// The byte order marks of UTF-16.
const WIDE: [&[u8]; 2] = [b"\xff\xfe", b"\xfe\xff"];

/// Splits the rows of a file into cells, according to its header.
#[derive(Clone, Debug)]
pub(crate) struct Table(pub(crate) Arc<Header>);

impl Deref for Table {
    type Target = Header;

    fn deref(&self) -> &Header {
        &self.0
    }
}

impl Table {
    /// Creates the table of a file from its first row that is not blank, which names the columns if
    /// `header` says so. `first_line` is the number of the first line after the header.
    ///
    /// # Errors
    ///
    /// Returns a [`Diagnostic`] if the header is not UTF-8.
    pub(crate) fn new(
        delimiter: u8,
        first: &[u8],
        first_line: u64,
        header: HeaderRow,
    ) -> Result<Self, Diagnostic> {
        let cells = ranges(first, delimiter);
        if header == HeaderRow::Off {
            let columns = (1..=cells.len()).map(|number| number.to_string()).collect();
            return Ok(Self(Arc::new(Header { delimiter, columns, first_line })));
        }
        let cells = cells.into_iter().map(|cell| unquoted(&first[cell], delimiter));
        let columns = cells.map(String::from_utf8).collect::<Result<_, _>>().map_err(|_| {
            let is_wide = WIDE.iter().any(|mark| first.starts_with(mark));
            let found =
                if is_wide { "a header in UTF-16" } else { "a header that is not in UTF-8" };
            Diagnostic::new(format!("{found}, expected one in UTF-8"))
                .hint("iconv -f UTF-16 -t UTF-8 converts it")
        })?;
        Ok(Self(Arc::new(Header { delimiter, columns, first_line })))
    }

    /// Splits a row into its cells, without their quotes.
    ///
    /// # Errors
    ///
    /// Returns [`Ragged`] if the row has more or fewer cells than the header.
    pub(super) fn cells(&self, row: &[u8]) -> Result<Vec<Vec<u8>>, Ragged> {
        let (cells, wanted) = (ranges(row, self.delimiter), self.columns.len());
        if cells.len() != wanted {
            return Err(Ragged { found: cells.len(), wanted });
        }
        Ok(cells.into_iter().map(|cell| unquoted(&row[cell], self.delimiter)).collect())
    }

    /// Reports whether the quotes of a row are probably letters of its text, so that rows would be
    /// taken for parts of a cell: a closing quote is followed by text, or a quoted cell has several
    /// lines each of which has as many tabs as the header. Corpora with tabs have no quoting.
    pub(super) fn has_stray_quotes(&self, row: &[u8]) -> bool {
        let Some(first) = memchr::memchr(b'"', row) else { return false };
        let tabs = self.columns.len() - 1;
        let is_line = |line: &[u8]| memchr::memchr_iter(b'\t', line).count() == tabs;
        let mut lines = row.split(|byte| *byte == b'\n');
        if self.delimiter == b'\t' && tabs > 0 && row.contains(&b'\n') && lines.all(is_line) {
            return true;
        }
        // A quote that does not begin a cell is one of its letters.
        let start = memchr::memrchr(self.delimiter, &row[..first]).map_or(0, |at| at + 1);
        let mut state = State::Begin;
        for byte in &row[start..] {
            if state == State::Closed && *byte == b' ' {
                continue;
            }
            let after = state.after(*byte, self.delimiter);
            if (state, after) == (State::Closed, State::Plain) {
                return true;
            }
            state = after;
        }
        false
    }

    /// Returns a row with a new value in one cell. The cell is quoted if it was before or must be.
    pub(super) fn with_value(&self, row: &[u8], place: usize, value: &[u8]) -> Vec<u8> {
        let range = ranges(row, self.delimiter).swap_remove(place);
        // A row of one empty cell would be a blank row, which does not count.
        let is_blank = value.is_empty() && self.columns.len() == 1;
        let is_quoted = row.get(range.start) == Some(&b'"') || is_blank;
        let cell = if is_quoted { quoted(value) } else { cell(value, self.delimiter) };
        [&row[..range.start], &cell, &row[range.end..]].concat()
    }
}

/// The error for a row that has more or fewer cells than the header.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) struct Ragged {
    /// The number of cells in the row.
    pub(super) found: usize,
    /// The number of cells in the header.
    pub(super) wanted: usize,
}

/// Returns the byte range of each cell in a row. The ranges include quotes.
fn ranges(row: &[u8], delimiter: u8) -> Vec<Range<usize>> {
    let (mut state, mut start, mut cells) = (State::Begin, 0, Vec::new());
    for (at, byte) in row.iter().enumerate() {
        state = state.after(*byte, delimiter);
        if state == State::Begin {
            cells.push(start..at);
            start = at + 1;
        }
    }
    cells.push(start..row.len());
    cells
}

/// Returns a cell without the quotes around it, and with each doubled quote in these once.
fn unquoted(cell: &[u8], delimiter: u8) -> Vec<u8> {
    if !cell.starts_with(b"\"") {
        return cell.to_vec();
    }
    let mut state = State::Begin;
    let is_kept = |byte: &u8| {
        let before = state;
        state = before.after(*byte, delimiter);
        *byte != b'"' || matches!(before, State::Plain | State::Closed)
    };
    cell.iter().copied().filter(is_kept).collect()
}

/// Returns the delimiter that a row names; `None` if it names none. Programs write `sep=;` above the
/// header for Excel.
fn named_delimiter(row: &[u8]) -> Option<u8> {
    match row {
        [b's' | b'S', b'e' | b'E', b'p' | b'P', b'=', delimiter] if *delimiter != b'"' => {
            Some(*delimiter)
        }
        _ => None,
    }
}

/// Reports whether a row before the header, without its line end, is not the header: it is blank or
/// names the delimiter.
pub(crate) fn is_before_header(row: &[u8]) -> bool {
    row.is_empty() || named_delimiter(row).is_some()
}

/// Returns the byte that separates the cells of a file: the one that a row above the header names,
/// a tab for `.tsv`, otherwise the one of comma, semicolon and tab that occurs most often in the
/// header outside quoted cells, or a comma if none does. `None` if `head` does not contain the end
/// of the header yet.
pub(crate) fn delimiter(path: &Path, head: &[u8], rest: MoreBytes) -> Option<u8> {
    let start = head.strip_prefix(MARK).unwrap_or(head).trim_ascii_start();
    let first = start.split(|byte| matches!(byte, b'\n' | b'\r')).next().unwrap_or_default();
    if let Some(named) = named_delimiter(first)
        && (first.len() < start.len() || rest == MoreBytes::None)
    {
        return Some(named);
    }
    let (mut state, mut is_begun, mut is_whole) = (State::Begin, false, rest == MoreBytes::None);
    let mut counts = [(b'\t', 0_usize), (b';', 0), (b',', 0)];
    for byte in head.strip_prefix(MARK).unwrap_or(head) {
        state = match (state, byte) {
            (State::Quoted, b'"') => State::Closed,
            (State::Quoted, _) | (State::Begin | State::Closed, b'"') => State::Quoted,
            (_, b'\n' | b'\r') if is_begun => {
                is_whole = true;
                break;
            }
            (_, b'\n' | b'\r') => continue,
            (_, byte) => match counts.iter_mut().find(|(it, _)| it == byte) {
                Some((_, count)) => {
                    *count += 1;
                    State::Begin
                }
                None => State::Plain,
            },
        };
        is_begun = true;
    }
    let most = counts.into_iter().max_by_key(|(_, count)| *count).map_or(b',', |(mark, _)| mark);
    is_whole.then_some(if is_tsv(path) { b'\t' } else { most })
}

/// Reports whether a file is delimited by tabs according to its name.
pub(crate) fn is_tsv(path: &Path) -> bool {
    ending(path).eq_ignore_ascii_case("tsv")
}

/// Finds the ends of rows in bytes that arrive piece by piece.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RowEnds {
    /// The byte that separates cells; `None` for lines of JSON.
    delimiter: Option<u8>,
    state: State,
    /// The offset up to which the bytes were scanned.
    at: usize,
}

#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum State {
    /// At the beginning of a cell.
    Begin,
    /// In an unquoted cell, or after the quoted part of a cell.
    Plain,
    /// Inside quotes.
    Quoted,
    /// After a quote inside quotes, which is either the closing quote or the first of a doubled
    /// quote.
    Closed,
}

impl State {
    /// Returns the state after a byte that does not end a row.
    fn after(self, byte: u8, delimiter: u8) -> Self {
        match (self, byte) {
            (Self::Quoted, b'"') => Self::Closed,
            (Self::Quoted, _) | (Self::Begin | Self::Closed, b'"') => Self::Quoted,
            (_, byte) if byte == delimiter => Self::Begin,
            _ => Self::Plain,
        }
    }
}

/// Whether more bytes may follow.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum MoreBytes {
    Perhaps,
    None,
}

impl RowEnds {
    /// Creates a scanner that starts at offset `at`, at which a row must begin.
    pub(crate) fn new(delimiter: Option<u8>, at: usize) -> Self {
        Self { delimiter, state: State::Begin, at }
    }

    /// Creates a scanner of a file that begins with `head`, from behind its byte order mark on.
    /// `None` if `head` is too short to show where the rows end.
    pub(crate) fn of_file(
        format: Format,
        path: &Path,
        head: &[u8],
        rest: MoreBytes,
    ) -> Option<Self> {
        if head.len() < MARK.len() && rest == MoreBytes::Perhaps {
            return None;
        }
        let delimiter = match format {
            Format::Csv => Some(delimiter(path, head, rest)?),
            Format::JsonLines | Format::Parquet => None,
        };
        Some(Self::new(delimiter, if head.starts_with(MARK) { MARK.len() } else { 0 }))
    }

    /// Returns the byte that separates cells.
    pub(crate) fn delimiter(&self) -> u8 {
        self.delimiter.unwrap_or(b',')
    }

    /// Reports whether the bytes scanned so far end inside a quoted cell.
    pub(crate) fn is_open(&self) -> bool {
        self.state == State::Quoted
    }

    /// Returns the offset just after the next row; `None` if the end of the row is not in `bytes`.
    /// The next call then continues where this one stopped, and needs the same bytes with more
    /// appended.
    pub(crate) fn next(&mut self, bytes: &[u8], rest: MoreBytes) -> Option<usize> {
        let Some(delimiter) = self.delimiter else {
            let found = memchr::memchr(b'\n', &bytes[self.at..]);
            self.at = found.map_or(bytes.len(), |found| self.at + found + 1);
            return found.map(|_| self.at);
        };
        while self.at < bytes.len() {
            let unread = &bytes[self.at..];
            let found = match self.state {
                State::Begin | State::Closed => Some(0),
                State::Quoted => memchr::memchr(b'"', unread),
                State::Plain => memchr::memchr3(delimiter, b'\n', b'\r', unread),
            };
            self.at = found.map_or(bytes.len(), |found| self.at + found);
            let end = match (self.state, &bytes[self.at..]) {
                (_, []) => return None,
                (State::Begin | State::Plain | State::Closed, [b'\r', b'\n', ..]) => self.at + 2,
                (State::Begin | State::Plain | State::Closed, [b'\r'])
                    if rest == MoreBytes::Perhaps =>
                {
                    return None;
                }
                (State::Begin | State::Plain | State::Closed, [b'\n' | b'\r', ..]) => self.at + 1,
                (state, [byte, ..]) => {
                    self.state = state.after(*byte, delimiter);
                    self.at += 1;
                    continue;
                }
            };
            (self.at, self.state) = (end, State::Begin);
            return Some(end);
        }
        None
    }

    /// Adjusts the offset after `bytes` bytes were removed from the beginning.
    pub(crate) fn forget(&mut self, bytes: usize) {
        self.at -= bytes;
    }
}

/// Returns a row without its line end.
pub(crate) fn without_end(row: &[u8]) -> &[u8] {
    let row = row.strip_suffix(b"\n").unwrap_or(row);
    row.strip_suffix(b"\r").unwrap_or(row)
}

/// Returns the number of lines that a row takes, including its line end: at least one.
pub(crate) fn lines_of(row: &[u8]) -> u64 {
    let feeds = memchr::memchr_iter(b'\n', row).count() as u64;
    feeds + u64::from(!row.ends_with(b"\n"))
}

/// Reads the rows of a stream one by one.
pub(crate) struct RowReader<R> {
    stream: R,
    pub(crate) ends: RowEnds,
    /// The bytes that were read, and the offset in them at which the next row begins.
    pending: Vec<u8>,
    start: usize,
    rest: MoreBytes,
}

impl<R: BufRead> RowReader<R> {
    /// Creates a reader of a stream at whose first byte a row begins.
    pub(crate) fn new(stream: R, delimiter: Option<u8>) -> Self {
        let ends = RowEnds::new(delimiter, 0);
        Self { stream, ends, pending: Vec::new(), start: 0, rest: MoreBytes::Perhaps }
    }

    /// Creates a reader of a file that is read from its beginning. A byte order mark is part of the
    /// first row.
    ///
    /// # Errors
    ///
    /// Returns an error if the stream cannot be read.
    pub(crate) fn from_stream(format: Format, path: &Path, stream: R) -> io::Result<Self> {
        let mut rows = Self::new(stream, None);
        loop {
            if let Some(ends) = RowEnds::of_file(format, path, &rows.pending, rows.rest) {
                return Ok(Self { ends, ..rows });
            }
            rows.read_more()?;
        }
    }

    /// Reads the next row into `row`, including its line end, and replaces what it contained.
    /// Returns `false` if there is no further row.
    ///
    /// # Errors
    ///
    /// Returns an error if the stream cannot be read.
    pub(crate) fn read(&mut self, row: &mut Vec<u8>) -> io::Result<bool> {
        row.clear();
        loop {
            if let Some(end) = self.ends.next(&self.pending, self.rest) {
                row.extend_from_slice(&self.pending[self.start..end]);
                self.start = end;
                return Ok(true);
            }
            if self.rest == MoreBytes::None {
                row.extend_from_slice(&self.pending[self.start..]);
                self.start = self.pending.len();
                return Ok(!row.is_empty());
            }
            self.pending.drain(..self.start);
            self.ends.forget(self.start);
            self.start = 0;
            self.read_more()?;
        }
    }

    fn read_more(&mut self) -> io::Result<()> {
        let more = self.stream.fill_buf()?;
        let bytes = more.len();
        self.pending.extend_from_slice(more);
        self.stream.consume(bytes);
        if bytes == 0 {
            self.rest = MoreBytes::None;
        }
        Ok(())
    }
}

/// Reads the row of a file that begins at byte `start`, without its line end. Returns `None` in the
/// same cases as [`disk::from_byte`].
pub(super) fn row_at(path: &Path, start: u64, delimiter: Option<u8>) -> Option<Vec<u8>> {
    let mut row = Vec::new();
    RowReader::new(disk::from_byte(path, start)?, delimiter).read(&mut row).ok()?;
    row.truncate(without_end(&row).len());
    Some(row)
}

/// Returns the CSV form of a cell: quoted if necessary.
pub(crate) fn cell(value: &[u8], delimiter: u8) -> Vec<u8> {
    let is_plain = |byte: &u8| *byte != delimiter && !matches!(byte, b'"' | b'\n' | b'\r');
    if value.iter().all(is_plain) { value.to_vec() } else { quoted(value) }
}

/// Returns a cell in quotes.
fn quoted(value: &[u8]) -> Vec<u8> {
    let mut cell = Vec::with_capacity(value.len() + 2);
    cell.push(b'"');
    for byte in value {
        cell.push(*byte);
        if *byte == b'"' {
            cell.push(b'"');
        }
    }
    cell.push(b'"');
    cell
}

#[cfg(test)]
mod tests;
