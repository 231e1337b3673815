//! CSV: bytes → rows, and a row → its cells.
//!
//! Rows are found as the `csv` crate finds them, by RFC 4180: a cell that begins with a quote ends
//! with the next single one, whatever stands in it, line feeds included; a row ends with CR, LF or
//! both. A row is a range of bytes, so that it can be copied as it stands; `csv_core` takes it apart.

use std::ffi::OsStr;
use std::io::{self, BufRead, Cursor, Read};
use std::ops::Range;
use std::path::Path;

use csv_core::{ReadRecordResult, Reader, ReaderBuilder};

use crate::diagnostics::Diagnostic;
use crate::io::disk::Packing;
use crate::io::disk::{self, Stream};

/// How records are stored.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Format {
    /// A JSON object a line.
    JsonLines,
    /// Rows below a header.
    Csv,
    /// Row groups, column by column.
    Parquet,
}

/// What a file of Parquet begins and ends with.
pub(super) const MAGIC: &[u8] = b"PAR1";

/// The mark at the beginning of a file of which some editors are fond.
pub(crate) const MARK: &[u8] = b"\xef\xbb\xbf";

impl Format {
    /// What it is called in messages.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::JsonLines => "JSON Lines",
            Self::Csv => "CSV",
            Self::Parquet => "Parquet",
        }
    }

    /// That of a file by its name, which may say how it is packed.
    pub(crate) fn of_name(path: &Path) -> Option<Self> {
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

    /// That of a file that begins with some bytes: as it is asked for, unless both its name and its
    /// content say otherwise.
    fn of_file(self, path: &Path, head: &[u8]) -> Self {
        let is_parquet = head.starts_with(MAGIC);
        let head = head.strip_prefix(MARK).unwrap_or(head).trim_ascii_start();
        let Some(first) = head.first() else { return self };
        let is_json = *first == b'{';
        match Self::of_name(path) {
            Some(Self::Parquet) if is_parquet => Self::Parquet,
            Some(Self::JsonLines) if is_json => Self::JsonLines,
            Some(Self::Csv) if !is_json && !is_parquet => Self::Csv,
            _ => self,
        }
    }
}

impl Format {
    /// The same of a stream, as far as that depends on what it begins with; and the whole stream.
    ///
    /// # Errors
    ///
    /// Where its beginning cannot be read.
    pub(crate) fn of_stream(self, path: &Path, mut stream: Stream) -> io::Result<(Stream, Self)> {
        if Self::of_name(path).is_none_or(|named| named == self) {
            return Ok((stream, self));
        }
        let mut head = Vec::with_capacity(HEAD);
        stream.by_ref().take(HEAD as u64).read_to_end(&mut head)?;
        let format = self.of_file(path, &head);
        Ok((Box::new(Cursor::new(head).chain(stream)), format))
    }
}

/// Bytes that are looked at to know the format of a file.
const HEAD: usize = 1 << 10;

/// The ending of a file's name, without that which says how it is packed.
fn ending(path: &Path) -> &OsStr {
    let inner = path.file_stem().filter(|_| Packing::of_name(path).is_some());
    inner.map_or(path, Path::new).extension().unwrap_or_default()
}

/// What all rows of a file have in common.
#[derive(Clone, Debug)]
pub(crate) struct Table {
    delimiter: u8,
    columns: Vec<String>,
    /// The number of the first line behind the header.
    pub(crate) first: u64,
}

/// The bytes that begin text in UTF-16.
const WIDE: [&[u8]; 2] = [b"\xff\xfe", b"\xfe\xff"];

impl Table {
    /// The table of a file whose first row that is not blank is the header; `first` is the number
    /// of the line behind it.
    ///
    /// # Errors
    ///
    /// Where the header is not in UTF-8.
    pub(crate) fn new(delimiter: u8, header: &[u8], first: u64) -> Result<Self, Diagnostic> {
        let mut table = Self { delimiter, columns: Vec::new(), first };
        let mut cells = Cells::default();
        table.read(header, &mut cells);
        let columns = cells.iter().map(|cell| str::from_utf8(cell).map(str::to_owned));
        table.columns = columns.collect::<Result<_, _>>().map_err(|_| {
            let is_wide = WIDE.iter().any(|mark| header.starts_with(mark));
            let found =
                if is_wide { "a header in UTF-16" } else { "a header that is not in UTF-8" };
            Diagnostic::new(format!("{found}, expected one in UTF-8"))
                .hint("iconv -f UTF-16 -t UTF-8 writes it in UTF-8")
        })?;
        Ok(table)
    }

    /// A filled cell of a row, by the name of its column.
    pub(super) fn value(&self, row: &[u8], column: &str) -> Option<String> {
        let mut cells = Cells::default();
        self.cells(row, &mut cells).ok()?;
        let Column::One(place) = self.column(column) else { return None };
        let cell = cells.get(place);
        (!cell.is_empty()).then(|| String::from_utf8_lossy(cell).into_owned())
    }

    /// What parts the cells.
    pub(crate) fn delimiter(&self) -> u8 {
        self.delimiter
    }

    /// The names of the columns.
    pub(crate) fn columns(&self) -> &[String] {
        &self.columns
    }

    /// The place of a column.
    pub(super) fn column(&self, name: &str) -> Column {
        let mut found = (0..).zip(&self.columns).filter(|(_, column)| *column == name);
        match (found.next(), found.next()) {
            (None, _) => Column::None,
            (Some((place, _)), None) => Column::One(place),
            _ => Column::Several,
        }
    }

    /// Takes a row apart.
    ///
    /// # Errors
    ///
    /// Where it has more or fewer cells than the header.
    pub(super) fn cells(&self, row: &[u8], cells: &mut Cells) -> Result<(), Ragged> {
        self.read(row, cells);
        let (found, wanted) = (cells.ends.len(), self.columns.len());
        if found == wanted { Ok(()) } else { Err(Ragged { found, wanted }) }
    }

    /// Where a cell of a row stands, by its place: with its quotes.
    pub(super) fn range(&self, row: &[u8], place: usize) -> Range<usize> {
        let (mut state, mut start, mut number) = (State::Begin, 0, 0);
        for (at, byte) in row.iter().enumerate() {
            state = match (state, byte) {
                (State::Quoted, b'"') => State::Closed,
                (State::Quoted, _) | (State::Begin | State::Closed, b'"') => State::Quoted,
                (_, byte) if *byte != self.delimiter => State::Plain,
                _ if number == place => return start..at,
                _ => {
                    (number, start) = (number + 1, at + 1);
                    State::Begin
                }
            };
        }
        start..row.len()
    }

    /// A row with another value in a cell: in quotes where it was, and where it has to be.
    pub(super) fn with_value(&self, row: &[u8], place: usize, value: &[u8]) -> Vec<u8> {
        let range = self.range(row, place);
        // A blank row is none.
        let is_blank = value.is_empty() && self.columns.len() == 1;
        let is_quoted = row.get(range.start) == Some(&b'"') || is_blank;
        let cell = if is_quoted { quoted(value) } else { cell(value, self.delimiter) };
        [&row[..range.start], &cell, &row[range.end..]].concat()
    }

    /// Reads the row of a file that begins at a byte, without its end; as [`disk::line_at`].
    pub(super) fn row_at(&self, path: &Path, start: u64) -> Option<Vec<u8>> {
        let mut rows = RowReader::new(disk::from_byte(path, start)?, self.delimiter);
        let mut row = Vec::new();
        rows.read(&mut row).ok()?;
        row.truncate(without_end(&row).len());
        Some(row)
    }

    fn read(&self, row: &[u8], cells: &mut Cells) {
        let mut reader = reader(self.delimiter);
        cells.bytes.resize(row.len() + 1, 0);
        cells.ends.resize(cells.ends.len().max(self.columns.len() + 1), 0);
        let (mut from, mut written, mut ended) = (0, 0, 0);
        loop {
            let (result, read, bytes, ends) = reader.read_record(
                &row[from..],
                &mut cells.bytes[written..],
                &mut cells.ends[ended..],
            );
            from += read;
            written += bytes;
            ended += ends;
            match result {
                ReadRecordResult::InputEmpty => {} // the end of the row is that of the input
                ReadRecordResult::OutputFull => cells.bytes.resize(written + row.len() + 1, 0),
                ReadRecordResult::OutputEndsFull => cells.ends.resize(2 * ended + 1, 0),
                ReadRecordResult::Record | ReadRecordResult::End => break,
            }
        }
        cells.bytes.truncate(written);
        cells.ends.truncate(ended);
    }
}

impl PartialEq for Table {
    fn eq(&self, other: &Self) -> bool {
        (self.delimiter, &self.columns) == (other.delimiter, &other.columns)
    }
}

impl Eq for Table {}

/// A row that has more or fewer cells than the header.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) struct Ragged {
    /// How many it has.
    pub(super) found: usize,
    /// How many the header has.
    pub(super) wanted: usize,
}

/// The columns of a name, by their places.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Column {
    None,
    One(usize),
    Several,
}

/// A reader that is past the beginning of its file, where it would pass over a mark. It is built for
/// each row, which is cheap: a clone of one that is built reads nothing (`csv-core` 0.1.13).
fn reader(delimiter: u8) -> Reader {
    let mut reader = ReaderBuilder::new().delimiter(delimiter).build();
    reader.read_record(b"\n", &mut [0], &mut [0]);
    reader
}

/// The cells of a row, without their quotes.
#[derive(Debug, Default)]
pub(super) struct Cells {
    bytes: Vec<u8>,
    ends: Vec<usize>,
}

impl Cells {
    /// A cell by its place.
    pub(super) fn get(&self, place: usize) -> &[u8] {
        let start = place.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.bytes[start..self.ends[place]]
    }

    fn iter(&self) -> impl Iterator<Item = &[u8]> {
        (0..self.ends.len()).map(|place| self.get(place))
    }
}

/// What parts the cells of a file: of `.tsv` a tab, else that of comma, semicolon and tab which its
/// header has most of outside of quotes; a comma where it has none. None where the end of the header
/// is not there yet.
pub(crate) fn delimiter(path: &Path, head: &[u8], rest: Rest) -> Option<u8> {
    let (mut is_quoted, mut is_begun, mut is_whole) = (false, false, rest == Rest::None);
    let mut counts = [(b'\t', 0_usize), (b';', 0), (b',', 0)];
    for byte in head.strip_prefix(MARK).unwrap_or(head) {
        match byte {
            b'\n' | b'\r' if !is_quoted && is_begun => {
                is_whole = true;
                break;
            }
            b'\n' | b'\r' if !is_quoted => continue,
            b'"' => is_quoted = !is_quoted,
            byte if !is_quoted => {
                counts.iter_mut().filter(|(it, _)| it == byte).for_each(|(_, count)| *count += 1);
            }
            _ => {}
        }
        is_begun = true;
    }
    let most = counts.into_iter().max_by_key(|(_, count)| *count).map_or(b',', |(mark, _)| mark);
    let is_by_tabs = ending(path).eq_ignore_ascii_case("tsv");
    is_whole.then_some(if is_by_tabs { b'\t' } else { most })
}

/// Where the rows of bytes end that come piece by piece.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RowEnds {
    delimiter: u8,
    state: State,
    /// How far it is read.
    at: usize,
}

#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum State {
    /// A cell begins.
    Begin,
    /// In a cell without quotes, or behind what was quoted in it.
    Plain,
    /// Within quotes.
    Quoted,
    /// Behind a quote within quotes: the end of those, or the first of two.
    Closed,
}

/// Whether bytes follow on those that are there.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Rest {
    Perhaps,
    None,
}

impl RowEnds {
    /// Rows from a place on, at which one begins.
    pub(crate) fn new(delimiter: u8, at: usize) -> Self {
        Self { delimiter, state: State::Begin, at }
    }

    /// What parts the cells.
    pub(crate) fn delimiter(&self) -> u8 {
        self.delimiter
    }

    /// Whether a cell in quotes is begun that has no end in what was read.
    pub(crate) fn is_open(&self) -> bool {
        self.state == State::Quoted
    }

    /// The end of the next row, behind its last byte; none where it is not there. Then it goes on
    /// where it ended once there are more bytes.
    pub(crate) fn next(&mut self, bytes: &[u8], rest: Rest) -> Option<usize> {
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
                        None if rest == Rest::Perhaps => None,
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

    /// The same where bytes at the beginning are gone.
    pub(crate) fn forget(&mut self, bytes: usize) {
        self.at -= bytes;
    }
}

/// A row without its end.
pub(crate) fn without_end(row: &[u8]) -> &[u8] {
    let row = row.strip_suffix(b"\n").unwrap_or(row);
    row.strip_suffix(b"\r").unwrap_or(row)
}

/// The lines that a row takes, with its end: at least one.
pub(crate) fn lines_of(row: &[u8]) -> u64 {
    let feeds = memchr::memchr_iter(b'\n', row).count() as u64;
    feeds + u64::from(!row.ends_with(b"\n"))
}

/// Reads the rows of a stream one by one.
pub(crate) struct RowReader<R> {
    stream: R,
    ends: RowEnds,
    /// What is read, and where in it the next row begins.
    pending: Vec<u8>,
    start: usize,
    rest: Rest,
}

impl<R: BufRead> RowReader<R> {
    /// Rows of a stream that begins with one.
    pub(crate) fn new(stream: R, delimiter: u8) -> Self {
        let ends = RowEnds::new(delimiter, 0);
        Self { stream, ends, pending: Vec::new(), start: 0, rest: Rest::Perhaps }
    }

    /// Rows of a file that is read from its beginning. A mark belongs to the first.
    ///
    /// # Errors
    ///
    /// Where the stream cannot be read.
    pub(crate) fn of_file(path: &Path, stream: R) -> io::Result<Self> {
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

    /// What parts the cells.
    pub(crate) fn delimiter(&self) -> u8 {
        self.ends.delimiter
    }

    /// Puts the next row in the place of `row`, with its end; false where there is none.
    ///
    /// # Errors
    ///
    /// Where the stream cannot be read.
    pub(crate) fn read(&mut self, row: &mut Vec<u8>) -> io::Result<bool> {
        row.clear();
        loop {
            if let Some(end) = self.ends.next(&self.pending, self.rest) {
                row.extend_from_slice(&self.pending[self.start..end]);
                self.start = end;
                return Ok(true);
            }
            if self.rest == Rest::None {
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
            self.rest = Rest::None;
        }
        Ok(())
    }
}

/// A cell as it is written: in quotes where it has to be.
pub(crate) fn cell(value: &[u8], delimiter: u8) -> Vec<u8> {
    let is_plain = |byte: &u8| *byte != delimiter && !matches!(byte, b'"' | b'\n' | b'\r');
    if value.iter().all(is_plain) { value.to_vec() } else { quoted(value) }
}

/// A cell in quotes.
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
