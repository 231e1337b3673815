//! CSV: splits bytes into rows, and a row into its cells.
//!
//! Rows are found as the `csv` crate finds them, following RFC 4180: a cell that begins with a
//! quote ends at the next single quote, and may contain anything until then, including line feeds;
//! a row ends with CR, LF or both. A row is a range of bytes, so that it can be copied as it is;
//! `csv_core` splits it into cells.

use std::cell::RefCell;
use std::ffi::OsStr;
use std::io::{self, BufRead, Cursor, Read};
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use clap::ValueEnum;
use csv_core::{ReadRecordResult, Reader, ReaderBuilder};
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

/// Splits the rows of a file into cells, according to its header.
#[derive(Clone, Debug)]
pub(crate) struct Table(pub(crate) Arc<Header>);

/// The byte order marks of UTF-16.
const WIDE: [&[u8]; 2] = [b"\xff\xfe", b"\xfe\xff"];

impl Table {
    /// Creates a table from the first row of the file that is not blank, which is its header if
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
        let mut cells = Cells::default();
        cells.read(first, delimiter, 0);
        if header == HeaderRow::Off {
            let columns = (1..=cells.ends.len()).map(|number| number.to_string()).collect();
            return Ok(Self(Arc::new(Header { delimiter, columns, first_line })));
        }
        let columns = cells.iter().map(|cell| str::from_utf8(cell).map(str::to_owned));
        let columns = columns.collect::<Result<_, _>>().map_err(|_| {
            let is_wide = WIDE.iter().any(|mark| first.starts_with(mark));
            let found =
                if is_wide { "a header in UTF-16" } else { "a header that is not in UTF-8" };
            Diagnostic::new(format!("{found}, expected one in UTF-8"))
                .hint("iconv -f UTF-16 -t UTF-8 converts it")
        })?;
        Ok(Self(Arc::new(Header { delimiter, columns, first_line })))
    }

    /// Returns the value of a cell, given the name of its column; `None` if it is empty, if there
    /// is not exactly one such column, or if the row has the wrong number of cells.
    pub(super) fn value(&self, row: &[u8], column: &str) -> Option<String> {
        let mut cells = Cells::default();
        self.cells(row, &mut cells).ok()?;
        let Column::One(place) = self.column(column) else { return None };
        let cell = cells.get(place);
        (!cell.is_empty()).then(|| String::from_utf8_lossy(cell).into_owned())
    }

    /// Returns the byte that separates cells.
    pub(crate) fn delimiter(&self) -> u8 {
        self.0.delimiter
    }

    /// Returns the names of the columns.
    pub(crate) fn columns(&self) -> &[String] {
        &self.0.columns
    }

    /// Returns the number of the first line after the header.
    pub(crate) fn first_line(&self) -> u64 {
        self.0.first_line
    }

    /// Returns the index of the column with a name.
    pub(super) fn column(&self, name: &str) -> Column {
        let mut found = (0..).zip(&self.0.columns).filter(|(_, column)| *column == name);
        match (found.next(), found.next()) {
            (None, _) => Column::None,
            (Some((place, _)), None) => Column::One(place),
            _ => Column::Several,
        }
    }

    /// Splits a row into its cells.
    ///
    /// # Errors
    ///
    /// Returns [`Ragged`] if the row has more or fewer cells than the header.
    pub(super) fn cells(&self, row: &[u8], cells: &mut Cells) -> Result<(), Ragged> {
        let wanted = self.0.columns.len();
        cells.read(row, self.0.delimiter, wanted);
        let found = cells.ends.len();
        if found == wanted { Ok(()) } else { Err(Ragged { found, wanted }) }
    }

    /// Reports whether the quotes of a row are probably letters of its text, so that rows would be
    /// taken for parts of a cell: a closing quote is followed by text, or a quoted cell has several
    /// lines each of which has as many tabs as the header. Corpora with tabs have no quoting.
    pub(super) fn has_stray_quotes(&self, row: &[u8]) -> bool {
        let Some(first) = memchr::memchr(b'"', row) else { return false };
        let tabs = self.0.columns.len() - 1;
        let is_line = |line: &[u8]| memchr::memchr_iter(b'\t', line).count() == tabs;
        let mut lines = row.split(|byte| *byte == b'\n');
        if self.0.delimiter == b'\t' && tabs > 0 && row.contains(&b'\n') && lines.all(is_line) {
            return true;
        }
        // A quote that does not begin a cell is one of its letters.
        let start = memchr::memrchr(self.0.delimiter, &row[..first]).map_or(0, |at| at + 1);
        let mut state = State::Begin;
        for byte in &row[start..] {
            state = match (state, byte) {
                (State::Quoted, b'"') => State::Closed,
                (State::Quoted, _) | (State::Begin | State::Closed, b'"') => State::Quoted,
                (_, byte) if *byte == self.0.delimiter => State::Begin,
                (State::Closed, b' ') => State::Closed,
                (State::Closed, _) => return true,
                _ => State::Plain,
            };
        }
        false
    }

    /// Returns the byte range of a cell in a row, given its index. The range includes quotes.
    pub(super) fn range(&self, row: &[u8], place: usize) -> Range<usize> {
        let (mut state, mut start, mut number) = (State::Begin, 0, 0);
        for (at, byte) in row.iter().enumerate() {
            state = match (state, byte) {
                (State::Quoted, b'"') => State::Closed,
                (State::Quoted, _) | (State::Begin | State::Closed, b'"') => State::Quoted,
                (_, byte) if *byte != self.0.delimiter => State::Plain,
                _ if number == place => return start..at,
                _ => {
                    (number, start) = (number + 1, at + 1);
                    State::Begin
                }
            };
        }
        start..row.len()
    }

    /// Returns a row with a new value in one cell. The cell is quoted if it was before or must be.
    pub(super) fn with_value(&self, row: &[u8], place: usize, value: &[u8]) -> Vec<u8> {
        let range = self.range(row, place);
        // A row of one empty cell would be a blank row, which does not count.
        let is_blank = value.is_empty() && self.0.columns.len() == 1;
        let is_quoted = row.get(range.start) == Some(&b'"') || is_blank;
        let cell = if is_quoted { quoted(value) } else { cell(value, self.0.delimiter) };
        [&row[..range.start], &cell, &row[range.end..]].concat()
    }

    /// Reads the row of a file that begins at byte `start`, without its line end. Returns `None` in
    /// the same cases as [`disk::line_at`].
    pub(super) fn row_at(&self, path: &Path, start: u64) -> Option<Vec<u8>> {
        let mut rows = RowReader::new(disk::from_byte(path, start)?, self.0.delimiter);
        let mut row = Vec::new();
        rows.read(&mut row).ok()?;
        row.truncate(without_end(&row).len());
        Some(row)
    }
}

/// Two tables are equal if they have the same delimiter and the same columns, wherever their rows
/// begin.
impl PartialEq for Table {
    fn eq(&self, other: &Self) -> bool {
        (self.0.delimiter, &self.0.columns) == (other.0.delimiter, &other.0.columns)
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

/// The index of the column with a name, if there is exactly one.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Column {
    None,
    One(usize),
    Several,
}

thread_local! {
    /// The reader of the last row, with its delimiter: to build one takes 16 µs.
    static READER: RefCell<Option<(u8, Reader)>> = const { RefCell::new(None) };
}

/// Calls `read` with a reader that is past the beginning of its file, so that it does not skip a byte
/// order mark.
fn with_reader(delimiter: u8, read: impl FnOnce(&mut Reader)) {
    READER.with_borrow_mut(|known| {
        known.take_if(|(of, _)| *of != delimiter);
        let new = || (delimiter, ReaderBuilder::new().delimiter(delimiter).build());
        let (_, reader) = known.get_or_insert_with(new);
        reader.reset();
        reader.read_record(b"\n", &mut [0], &mut [0]);
        read(reader);
    });
}

/// The cells of a row, without their quotes.
#[derive(Debug, Default)]
pub(super) struct Cells {
    bytes: Vec<u8>,
    ends: Vec<usize>,
}

impl Cells {
    /// Replaces the cells by those of a row. `expected` is the number of cells that memory is
    /// reserved for.
    fn read(&mut self, row: &[u8], delimiter: u8, expected: usize) {
        with_reader(delimiter, |reader| self.read_with(reader, row, expected));
    }

    fn read_with(&mut self, reader: &mut Reader, row: &[u8], expected: usize) {
        self.bytes.resize(row.len() + 1, 0);
        self.ends.resize(self.ends.len().max(expected + 1), 0);
        let (mut from, mut written, mut ended) = (0, 0, 0);
        loop {
            let (result, read, bytes, ends) = reader.read_record(
                &row[from..],
                &mut self.bytes[written..],
                &mut self.ends[ended..],
            );
            from += read;
            written += bytes;
            ended += ends;
            match result {
                ReadRecordResult::InputEmpty => {} // the end of the row is the end of the input
                ReadRecordResult::OutputFull => self.bytes.resize(written + row.len() + 1, 0),
                ReadRecordResult::OutputEndsFull => self.ends.resize(2 * ended + 1, 0),
                ReadRecordResult::Record | ReadRecordResult::End => break,
            }
        }
        self.bytes.truncate(written);
        self.ends.truncate(ended);
    }

    /// Returns the cell with an index.
    pub(super) fn get(&self, place: usize) -> &[u8] {
        let start = place.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.bytes[start..self.ends[place]]
    }

    fn iter(&self) -> impl Iterator<Item = &[u8]> {
        (0..self.ends.len()).map(|place| self.get(place))
    }
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
    delimiter: u8,
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

/// Whether more bytes may follow.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum MoreBytes {
    Perhaps,
    None,
}

impl RowEnds {
    /// Creates a scanner that starts at offset `at`, at which a row must begin.
    pub(crate) fn new(delimiter: u8, at: usize) -> Self {
        Self { delimiter, state: State::Begin, at }
    }

    /// Returns the byte that separates cells.
    pub(crate) fn delimiter(&self) -> u8 {
        self.delimiter
    }

    /// Reports whether the bytes scanned so far end inside a quoted cell.
    pub(crate) fn is_open(&self) -> bool {
        self.state == State::Quoted
    }

    /// Returns the offset just after the next row; `None` if the end of the row is not in `bytes`.
    /// The next call then continues where this one stopped, and needs the same bytes with more
    /// appended.
    pub(crate) fn next(&mut self, bytes: &[u8], rest: MoreBytes) -> Option<usize> {
        while let Some(byte) = bytes.get(self.at) {
            match (self.state, byte) {
                (State::Quoted, _) => {
                    let Some(quote) = memchr::memchr(b'"', &bytes[self.at..]) else {
                        self.at = bytes.len();
                        return None;
                    };
                    self.at += quote + 1;
                    self.state = State::Closed;
                }
                (State::Begin | State::Closed, b'"') => {
                    self.at += 1;
                    self.state = State::Quoted;
                }
                (State::Begin | State::Plain | State::Closed, b'\n') => {
                    return Some(self.end(self.at + 1));
                }
                (State::Begin | State::Plain | State::Closed, b'\r') => {
                    return match bytes.get(self.at + 1) {
                        Some(b'\n') => Some(self.end(self.at + 2)),
                        None if rest == MoreBytes::Perhaps => None,
                        _ => Some(self.end(self.at + 1)),
                    };
                }
                (State::Begin | State::Plain | State::Closed, byte) if *byte == self.delimiter => {
                    self.at += 1;
                    self.state = State::Begin;
                }
                (State::Begin | State::Closed | State::Plain, _) => {
                    let plain = memchr::memchr3(self.delimiter, b'\n', b'\r', &bytes[self.at..]);
                    self.at = plain.map_or(bytes.len(), |found| self.at + found);
                    self.state = State::Plain;
                }
            }
        }
        None
    }

    fn end(&mut self, at: usize) -> usize {
        self.at = at;
        self.state = State::Begin;
        at
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
    ends: RowEnds,
    /// The bytes that were read, and the offset in them at which the next row begins.
    pending: Vec<u8>,
    start: usize,
    rest: MoreBytes,
}

impl<R: BufRead> RowReader<R> {
    /// Creates a reader of a stream at whose first byte a row begins.
    pub(crate) fn new(stream: R, delimiter: u8) -> Self {
        let ends = RowEnds::new(delimiter, 0);
        Self { stream, ends, pending: Vec::new(), start: 0, rest: MoreBytes::Perhaps }
    }

    /// Creates a reader of a file that is read from its beginning. A byte order mark is part of the
    /// first row.
    ///
    /// # Errors
    ///
    /// Returns an error if the stream cannot be read.
    pub(crate) fn from_stream(path: &Path, stream: R) -> io::Result<Self> {
        let mut rows = Self::new(stream, b',');
        let delimiter = loop {
            if let Some(delimiter) = delimiter(path, &rows.pending, rows.rest) {
                break delimiter;
            }
            rows.read_more()?;
        };
        let marked = if rows.pending.starts_with(MARK) { MARK.len() } else { 0 };
        rows.ends = RowEnds::new(delimiter, marked);
        Ok(rows)
    }

    /// Returns the byte that separates cells.
    pub(crate) fn delimiter(&self) -> u8 {
        self.ends.delimiter
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
