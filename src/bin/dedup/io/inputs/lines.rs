//! Splits a file of records into its lines or rows, block by block, without loading the whole file.
//!
//! A Parquet file is passed on to the reader of its rows.

use std::error::Error;
use std::io::{self, Cursor, Read};
use std::mem;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use anyhow::Context;
use dedup_text::text::{ReadTextError, display_path};

use super::Inputs;
use super::again::{self, ReadTwice};
use super::parquet::{Rows, UnreadableRow};
use super::record::Fields;
use super::source::{Block, Line, Source};
use super::table::{self, Format, HeaderRow, MAGIC, MARK, MoreBytes, RowEnds, Table, without_end};
use crate::diagnostics::{Diagnostic, UNPACK_WINDOW};
use crate::io::disk::{
    self, CompressionFormat, UnpackedTooLarge, UnreadablePacked, WindowTooLarge,
};
use crate::model::found::{Age, Failed};
use crate::model::name_of;

/// The number of bytes that are read at once. With four times as many, whose memory is cleared for
/// each block, 100,000 records of 229 MB take 2.25 s instead of 2.16 s, and 33 MB more.
const BLOCK_BYTES: usize = 1 << 22;

/// The largest number of lines in a batch. The results of all lines of a batch are kept until the
/// last one is done, and each takes some kilobytes, however short the line is.
const BATCH: usize = 1 << 12;

/// The largest number of bytes of the record whose fields a hint lists: the default limit on texts.
const MAX_LENGTH: u64 = 200_000_000;

/// The largest number of bytes of a line that is skipped because it is too long. It holds for pipes
/// and devices, which may have no end; a file has one.
const MAX_SKIPPED: u64 = 1_000_000_000;

/// The bytes with which a ZIP archive begins.
const ZIP: &[u8] = b"PK\x03\x04";

/// The number of bytes by which a ZIP archive and a Parquet file are recognized.
const HEAD: usize = 5;

/// The error if a file of records is of another kind.
#[derive(Clone, Copy, Debug, thiserror::Error)]
enum OtherKind {
    #[error("a ZIP archive")]
    Zip,
    #[error("a Parquet file")]
    Parquet,
    #[error("a line of more than {MAX_SKIPPED} bytes")]
    Endless,
}

impl OtherKind {
    /// Returns what the user can do.
    fn hint(self) -> &'static str {
        match self {
            Self::Zip => "unpack it first; unzip -p FILE prints it, and - reads standard input",
            Self::Parquet => HINT_PARQUET,
            Self::Endless => "each line is one record; a line feed ends it",
        }
    }
}

const HINT_PARQUET: &str = "dedup corpus --parquet reads it";

/// Reports whether a file begins as Parquet: with its magic bytes, then binary data. A header of
/// CSV may begin with the same letters.
fn is_parquet(head: &[u8]) -> bool {
    let rest = head.strip_prefix(MAGIC);
    rest.and_then(<[u8]>::first)
        .is_some_and(|it| it.is_ascii_control() && !it.is_ascii_whitespace())
}

/// Reads the lines of a file, or its rows if it is CSV or Parquet.
pub(crate) struct Lines {
    file: Arc<Path>,
    /// The format: the requested one, and from the first read on the one that the file has.
    format: Format,
    /// Finds the ends of the lines that are not read yet; `None` until the delimiter is known.
    ends: Option<RowEnds>,
    /// Whether the first row of a file with rows is its header.
    header: HeaderRow,
    /// The header of a file with rows, once it was read.
    table: Option<Table>,
    /// The size of the file; `None` if it is not known.
    pub(crate) bytes: Option<u64>,
    /// The bytes that are not read yet; `None` after the last block.
    source: Option<disk::Stream>,
    /// The compression of the file, once the first bytes were read; `None` if it is not compressed.
    compression: Option<CompressionFormat>,
    is_begun: bool,
    /// The largest number of bytes that the file may unpack to; `None` for no limit.
    max_unpacked: Option<u64>,
    /// The beginning of a line whose end is not read yet.
    rest: Vec<u8>,
    /// The byte offset in the file at which `rest` begins.
    start: u64,
    /// The number of the first line that is not read yet.
    number: u64,
    /// The largest number of bytes of a line.
    max_bytes: usize,
    /// The age of all texts of the file, which decides the texts that they are compared with.
    pub(super) age: Age,
    block: usize,
    /// The largest number of lines in a batch.
    batch: usize,
    /// The fields that were requested, which are the columns to read of a Parquet file; `None` if
    /// only lines are read.
    fields: Option<Arc<Fields>>,
    /// The rows of a Parquet file, once the first bytes were read.
    rows: Option<Rows>,
    /// A failure that is returned first.
    lost: Option<Failed>,
    /// The cache for unpacked bytes; `None` for a file that is read only once, and as soon as the
    /// first bytes were read.
    twice: Option<Arc<ReadTwice>>,
}

impl Lines {
    /// Creates a reader of a file; `-` is standard input. If the file cannot be opened, that
    /// failure is the only source that the reader returns.
    pub(crate) fn new(path: &Path, max_bytes: Option<u64>) -> Self {
        let max_bytes =
            max_bytes.map_or(usize::MAX, |max| usize::try_from(max).unwrap_or(usize::MAX));
        let (source, lost) = match disk::open(path) {
            Ok(source) => (Some(source), None),
            Err(error) => (None, Some(Failed::of_file(path, error))),
        };
        Self {
            file: path.into(),
            format: Format::JsonLines,
            ends: None,
            header: HeaderRow::On,
            table: None,
            bytes: disk::size(path),
            source,
            compression: None,
            is_begun: false,
            max_unpacked: None,
            rest: Vec::new(),
            start: 0,
            number: 1,
            max_bytes,
            age: Age::New,
            block: BLOCK_BYTES,
            batch: BATCH,
            fields: None,
            rows: None,
            lost,
            twice: None,
        }
    }

    /// Creates a reader of a file of records, with the limits, the fields and the cache of
    /// `inputs`.
    pub(crate) fn of_records(path: &Path, format: Format, age: Age, inputs: &Inputs) -> Self {
        let (max_unpacked, fields) = (inputs.max_unpacked, inputs.fields.clone());
        let lines = Self { format, max_unpacked, age, fields, ..Self::new(path, inputs.max_bytes) };
        let lines = Self { header: inputs.header, ..lines };
        lines.read_twice(Arc::clone(&inputs.twice))
    }

    /// Prepares the file for a second read.
    pub(crate) fn read_twice(mut self, twice: Arc<ReadTwice>) -> Self {
        self.source = self.source.map(|stream| twice.first(&self.file, stream));
        Self { twice: Some(twice), ..self }
    }

    /// Returns the beginning of a hint that lists the fields of the first record of a file: `the
    /// fields are id, text; `. Empty for Parquet, and for a pipe, which cannot be read again.
    pub(crate) fn fields_hint(path: &Path, format: Format, header: HeaderRow) -> String {
        if format == Format::Parquet || path == Path::new("-") || !path.is_file() {
            return String::new();
        }
        let lines = Self { format, header, ..Self::new(path, Some(MAX_LENGTH)) };
        let fields = match lines.flatten().next() {
            Some(Source::Line(line)) => line.fields(),
            _ => Vec::new(),
        };
        if fields.is_empty() {
            return String::new();
        }
        format!("the fields are {}; ", fields.join(", "))
    }
}

impl Iterator for Lines {
    type Item = Vec<Source>;

    /// Returns the sources on the next lines; the vector may be empty.
    fn next(&mut self) -> Option<Vec<Source>> {
        if let Some(lost) = self.lost.take() {
            return Some(vec![Source::Lost(lost)]);
        }
        if let Some(rows) = &mut self.rows {
            let source = |row| match row {
                Ok(row) => Source::Row(row, self.age),
                Err(UnreadableRow { name, error }) => {
                    Source::Lost(Failed { name, error, record_of: Some(name_of(&self.file)) })
                }
            };
            return Some(rows.next()?.into_iter().map(source).collect());
        }
        let source = self.source.take()?;
        let begun = self.begun(source);
        if self.format == Format::Parquet {
            let rows = match begun {
                Ok(stream) => self.rows(stream).map_err(|it| Failed::of_file(&self.file, it)),
                Err(error) => Err(self.unreadable(error)),
            };
            match rows {
                Ok(rows) => self.rows = Some(rows),
                Err(lost) => return Some(vec![Source::Lost(lost)]),
            }
            return self.next();
        }
        let batch = begun.and_then(|source| self.read(source));
        Some(batch.unwrap_or_else(|error| vec![Source::Lost(self.unreadable(error))]))
    }
}

/// Reports whether the cause of an error is of the type `E`.
fn is_caused_by<E: Error + 'static>(error: &io::Error) -> bool {
    error.get_ref().is_some_and(<dyn Error + Send + Sync>::is::<E>)
}

impl Lines {
    /// Returns the unpacked stream. At the first call, detects the compression and the format.
    fn begun(&mut self, stream: disk::Stream) -> io::Result<disk::Stream> {
        if mem::replace(&mut self.is_begun, true) {
            return Ok(stream);
        }
        let (mut stream, compression) = disk::unpacked(stream, self.max_unpacked)?;
        self.compression = compression;
        let mut head = Vec::with_capacity(HEAD);
        stream.by_ref().take(HEAD as u64).read_to_end(&mut head)?;
        if head.starts_with(ZIP) {
            return Err(io::Error::other(OtherKind::Zip));
        }
        let is_parquet = is_parquet(&head);
        let stream = Box::new(Cursor::new(head).chain(stream));
        let (stream, format) = self.format.of_stream(&self.file, stream)?;
        self.format = format;
        if is_parquet && format != Format::Parquet {
            return Err(io::Error::other(OtherKind::Parquet));
        }
        // A Parquet file is copied completely in any case.
        let is_cached = self.compression.is_some() && format != Format::Parquet;
        Ok(match self.twice.take().filter(|_| is_cached) {
            Some(twice) => twice.caching(&self.file, stream),
            None => stream,
        })
    }

    /// Returns the rows of a Parquet file, whose parts are not read in sequence.
    fn rows(&self, mut stream: disk::Stream) -> anyhow::Result<Rows> {
        let Some(fields) = &self.fields else {
            let message = format!("{}: a Parquet file, expected lines", display_path(&self.file));
            return Err(Diagnostic::new(message).hint(HINT_PARQUET).into());
        };
        let mut head = Vec::new();
        let read = stream.by_ref().take(MAGIC.len() as u64).read_to_end(&mut head);
        read.with_context(|| format!("{}: cannot be read", display_path(&self.file)))?;
        // Anything else may be endless, and is not copied: its beginning shows what it is.
        let rest = if head == MAGIC { stream } else { Box::new(io::empty()) };
        let stream = Box::new(Cursor::new(head).chain(rest));
        let file = again::whole(&self.file, stream, self.compression)?;
        let limits = (self.max_bytes, self.max_unpacked);
        Rows::new(&self.file, file, &fields.asked(), self.is_piped(), limits)
    }

    /// Returns the failure for a read error: of the file, or of packed data from the current line
    /// on.
    fn unreadable(&self, source: io::Error) -> Failed {
        let other = source.get_ref().and_then(|cause| cause.downcast_ref::<OtherKind>());
        if let Some(other) = other {
            let path = display_path(&self.file);
            let what = format!("{path}: {other}, expected {}", self.format.name());
            return Failed::of_file(&self.file, Diagnostic::new(what).hint(other.hint()));
        }
        let is_unread = is_caused_by::<UnreadablePacked>(&source);
        let Some(compression) = self.compression.filter(|_| !is_unread) else {
            let error = ReadTextError::Unreadable { path: self.file.to_path_buf(), source };
            return Failed::of_file(&self.file, error);
        };
        let name = compression.name();
        let error = if is_caused_by::<UnpackedTooLarge>(&source) {
            Diagnostic::new(format!("{name} data that {source}, expected less"))
                .hint("--max-unpacked off lifts the limit")
                .flags(["max-unpacked"])
        } else if is_caused_by::<WindowTooLarge>(&source) {
            Diagnostic::new(source.to_string()).hint(UNPACK_WINDOW)
        } else {
            Diagnostic::new(format!("damaged {name} data: {source}, expected complete data"))
                .hint("compress it again")
        };
        Failed::of_line(&self.file, self.number, error)
    }

    /// Reads the next lines: at most a batch, or one that is longer than a block. If that fails,
    /// `number` becomes the number of the line that cannot be read completely.
    fn read(&mut self, mut source: disk::Stream) -> io::Result<Vec<Source>> {
        let mut bytes = mem::take(&mut self.rest);
        let mut more = MoreBytes::Perhaps;
        loop {
            if self.ends.is_none() {
                self.ends = RowEnds::of_file(self.format, &self.file, &bytes, more);
            }
            if let Some(mut ends) = self.ends {
                let is_marked = self.number == 1 && bytes.starts_with(MARK);
                let start = if is_marked { MARK.len() } else { 0 };
                let (end, mut lines) = match self.split(&mut ends, &bytes, start, more) {
                    Ok(split) => split,
                    Err(lost) => return Ok(vec![Source::Lost(lost)]),
                };
                let is_open = more == MoreBytes::None && ends.is_open();
                if is_open {
                    lines.push(Err(self.without_quote()));
                }
                let is_over = is_open || more == MoreBytes::None && end == bytes.len();
                if end > start || is_over {
                    self.rest = bytes.split_off(end);
                    ends.forget(end);
                    (self.ends, self.source) = (Some(ends), (!is_over).then_some(source));
                    return Ok(self.sources(bytes, lines));
                }
                self.ends = Some(ends);
            }
            if bytes.len() > self.max_bytes {
                let lost = self.too_long(self.number);
                if self.format == Format::JsonLines {
                    self.number += 1;
                    self.pass_over_line(source, bytes)?;
                }
                return Ok(vec![Source::Lost(lost)]);
            }
            match read_more(&mut source, &mut bytes, self.block) {
                Ok(0) => more = MoreBytes::None,
                Ok(_) => {}
                Err(error) => {
                    self.number += memchr::memchr_iter(b'\n', &bytes).count() as u64;
                    return Err(error);
                }
            }
        }
    }

    /// Finds the lines in `bytes` from offset `start` on: at most a batch. Returns the offset behind
    /// the last one, and the range and the number of each. Blank lines are skipped.
    ///
    /// # Errors
    ///
    /// Returns the failure of a header that cannot be read.
    fn split(
        &mut self,
        ends: &mut RowEnds,
        bytes: &[u8],
        mut start: usize,
        more: MoreBytes,
    ) -> Result<(usize, Vec<SplitLine>), Failed> {
        let mut lines = Vec::new();
        while lines.len() < self.batch {
            let is_last = more == MoreBytes::None && start < bytes.len();
            let end = match ends.next(bytes, more) {
                Some(end) => end,
                None if is_last && !ends.is_open() => bytes.len(),
                None => break,
            };
            let (row, number) = (&bytes[start..end], self.number);
            let content = match self.format {
                Format::JsonLines => row.trim_ascii_end(),
                Format::Csv | Format::Parquet => without_end(row),
            };
            let range = start..start + content.len();
            start = end;
            self.number += table::lines_of(row);
            if self.format == Format::Csv && self.table.is_none() {
                if table::is_before_header(content) {
                    continue;
                }
                let is_header = self.header == HeaderRow::On;
                let first_line = if is_header { self.number } else { number };
                let table = Table::new(ends.delimiter(), content, first_line, self.header);
                let table = table.map_err(|wrong| Failed::of_line(&self.file, number, wrong))?;
                self.table = Some(table);
                if is_header {
                    continue;
                }
            }
            if range.len() > self.max_bytes {
                lines.push(Err(self.too_long(number)));
            } else if !range.is_empty() {
                lines.push(Ok((range, number)));
            }
        }
        Ok((start, lines))
    }

    /// Makes the sources of the lines of a block.
    fn sources(&mut self, bytes: Vec<u8>, lines: Vec<SplitLine>) -> Vec<Source> {
        let block = Arc::new(Block {
            file: Arc::clone(&self.file),
            start: self.start,
            is_piped: self.is_piped(),
            age: self.age,
            table: self.table.clone(),
            bytes,
        });
        self.start += block.bytes.len() as u64;
        let line = |(range, number)| Line { block: Arc::clone(&block), range, number };
        let source =
            |split: SplitLine| split.map_or_else(Source::Lost, |it| Source::Line(line(it)));
        lines.into_iter().map(source).collect()
    }

    /// Skips to the end of a line.
    fn pass_over_line(&mut self, mut source: disk::Stream, mut bytes: Vec<u8>) -> io::Result<()> {
        let first = self.start;
        loop {
            self.start += bytes.len() as u64;
            if self.bytes.is_none() && self.start - first > MAX_SKIPPED.max(self.max_bytes as u64) {
                return Err(io::Error::other(OtherKind::Endless));
            }
            bytes.clear();
            if read_more(&mut source, &mut bytes, self.block)? == 0 {
                return Ok(());
            }
            if let Some(end) = memchr::memchr(b'\n', &bytes) {
                self.rest = bytes.split_off(end + 1);
                self.start += bytes.len() as u64;
                (self.ends, self.source) = (Some(RowEnds::new(None, 0)), Some(source));
                return Ok(());
            }
        }
    }

    /// Reports whether the file cannot be read again from a given byte on.
    fn is_piped(&self) -> bool {
        self.bytes.is_none() || self.compression.is_some()
    }

    /// Returns the failure for a record whose last field has no end.
    fn without_quote(&self) -> Failed {
        let message =
            "an opening quote without a closing one, expected one at the end of the field";
        let hint =
            "a field that begins with a quote must end with one; double the quotes inside it";
        let error = Diagnostic::new(message).kind("quote").hint(hint);
        Failed::of_line(&self.file, self.number, error)
    }

    /// Returns the failure for a record that is too long.
    fn too_long(&self, number: u64) -> Failed {
        let hint = match self.format {
            Format::JsonLines => "--max-bytes off lifts the limit",
            Format::Csv | Format::Parquet => {
                "--max-bytes off lifts the limit; a quoted field needs a closing quote"
            }
        };
        let message = format!("larger than the limit of {} bytes", self.max_bytes);
        let error = Diagnostic::new(message).kind("too long").hint(hint).flags(["max-bytes"]);
        Failed::of_line(&self.file, number, error)
    }
}

/// A line in a block, given by its range there and its number, or its failure.
type SplitLine = Result<(Range<usize>, u64), Failed>;

/// Appends at most `max_bytes` bytes to those that were read, and returns how many; 0 at the end.
fn read_more(source: &mut impl Read, bytes: &mut Vec<u8>, max_bytes: usize) -> io::Result<usize> {
    bytes.try_reserve(max_bytes)?;
    source.by_ref().take(max_bytes as u64).read_to_end(bytes)
}

#[cfg(test)]
mod tests;
