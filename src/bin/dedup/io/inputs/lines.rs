//! A file of lines → its lines, block by block, never the whole of it at once.

use std::io::{self, Read};
use std::mem;
use std::path::Path;
use std::sync::Arc;

use dedup_text::text::ReadTextError;

use super::source::{Block, Failed, Line, Source};
use crate::diagnostics::Diagnostic;
use crate::io::disk;

/// Bytes that are read at once.
const BLOCK: usize = 1 << 24;

/// The most lines of a batch: what comes of each is held until all of them are done, and takes
/// some kilobytes, however short the line is.
const BATCH: usize = 1 << 12;

/// The most bytes of the record of a pair; as many as of a text, unless that is told otherwise.
const LONGEST_PAIR: usize = 200_000_000;

/// What stands on a line.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Kind {
    Text,
    Pair,
}

/// Reads the lines of a file.
pub(crate) struct Lines {
    file: Arc<Path>,
    /// The size of the file; none where that is not known.
    pub(crate) bytes: Option<u64>,
    /// None behind the last block.
    source: Option<disk::Stream>,
    /// The beginning of a line whose end is not read yet.
    rest: Vec<u8>,
    /// Where in the file that begins.
    start: u64,
    /// The number of the first line that is not read yet.
    number: u64,
    /// The most bytes of a line.
    most: usize,
    kind: Kind,
    block: usize,
    /// The most lines of a batch.
    batch: usize,
    /// A block, and where in it the lines begin that are in no batch yet.
    uncut: Option<(Arc<Block>, usize)>,
    /// What is to be told first.
    lost: Option<Failed>,
}

impl Lines {
    /// The lines of a file; `-` is standard input. Where it cannot be opened, that is the one
    /// thing that comes.
    pub(crate) fn of(path: &Path, most: Option<u64>) -> Self {
        let most = most.map_or(usize::MAX, |most| usize::try_from(most).unwrap_or(usize::MAX));
        let (source, lost) = match disk::open(path) {
            Ok(source) => (Some(source), None),
            Err(error) => (None, Some(Failed::of_file(path, error))),
        };
        Self {
            file: path.into(),
            bytes: disk::size(path),
            source,
            rest: Vec::new(),
            start: 0,
            number: 1,
            most,
            kind: Kind::Text,
            block: BLOCK,
            batch: BATCH,
            uncut: None,
            lost,
        }
    }

    /// The same of a file with a record of a pair, or what is kept of a text, on each line.
    pub(crate) fn of_pairs(path: &Path) -> Self {
        Self { most: LONGEST_PAIR, kind: Kind::Pair, ..Self::of(path, None) }
    }
}

impl Iterator for Lines {
    type Item = Vec<Source>;

    /// The sources of the next lines; they may be none.
    fn next(&mut self) -> Option<Vec<Source>> {
        if let Some(lost) = self.lost.take() {
            return Some(vec![Source::Lost(lost)]);
        }
        if let Some((block, start)) = self.uncut.take() {
            return Some(self.cut_on(&block, start));
        }
        let mut source = self.source.take()?;
        let batch = self.read_on(&mut source).map(|(batch, more)| {
            self.source = (more == More::Perhaps).then_some(source);
            batch
        });
        Some(batch.unwrap_or_else(|source| {
            let error = ReadTextError::Unreadable { path: self.file.to_path_buf(), source };
            vec![Source::Lost(Failed::of_file(&self.file, error))]
        }))
    }
}

/// Whether there is more to be read.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum More {
    Perhaps,
    No,
}

impl Lines {
    /// Reads whole lines: a block of them, or one that is longer than a block.
    fn read_on(&mut self, source: &mut dyn Read) -> io::Result<(Vec<Source>, More)> {
        let mut bytes = mem::take(&mut self.rest);
        loop {
            let before = bytes.len();
            if read_more(source, &mut bytes, self.block)? == 0 {
                return Ok((self.cut(bytes), More::No));
            }
            if let Some(end) = memchr::memrchr(b'\n', &bytes[before..]) {
                let end = before + end + 1;
                self.rest = bytes[end..].to_vec();
                bytes.truncate(end);
                return Ok((self.cut(bytes), More::Perhaps));
            }
            if bytes.len() > self.most {
                let lost = self.too_long();
                return Ok((vec![lost], self.pass_over_line(source, bytes)?));
            }
        }
    }

    /// Reads to the end of a line and keeps nothing of it.
    fn pass_over_line(&mut self, source: &mut dyn Read, mut bytes: Vec<u8>) -> io::Result<More> {
        loop {
            self.start += bytes.len() as u64;
            bytes.clear();
            if read_more(source, &mut bytes, self.block)? == 0 {
                return Ok(More::No);
            }
            if let Some(end) = memchr::memchr(b'\n', &bytes) {
                self.rest = bytes[end + 1..].to_vec();
                self.start += end as u64 + 1;
                return Ok(More::Perhaps);
            }
        }
    }

    /// Cuts a new block into its lines.
    fn cut(&mut self, bytes: Vec<u8>) -> Vec<Source> {
        let marked = self.number == 1 && bytes.starts_with(b"\xef\xbb\xbf");
        let block = Block {
            file: Arc::clone(&self.file),
            start: self.start,
            is_piped: self.bytes.is_none(),
            bytes,
        };
        self.start += block.bytes.len() as u64;
        let block = Arc::new(block);
        self.cut_on(&block, if marked { 3 } else { 0 })
    }

    /// Cuts a block from a place on, up to the end of a batch; blank lines are passed over.
    fn cut_on(&mut self, block: &Arc<Block>, mut start: usize) -> Vec<Source> {
        let bytes = &block.bytes;
        let mut batch = Vec::new();
        let last = (!bytes.is_empty() && !bytes.ends_with(b"\n")).then_some(bytes.len());
        let from = start;
        for end in memchr::memchr_iter(b'\n', &bytes[from..]).map(|end| from + end).chain(last) {
            if batch.len() == self.batch {
                self.uncut = Some((Arc::clone(block), start));
                break;
            }
            let line = bytes[start..end].trim_ascii_end();
            let range = start..start + line.len();
            start = end + 1;
            if line.len() > self.most {
                batch.push(self.too_long());
                continue;
            }
            if !line.is_empty() {
                let block = Arc::clone(block);
                batch.push(Source::Line(Line { block, range, number: self.number }));
            }
            self.number += 1;
        }
        batch
    }

    /// Tells that the next line is too long, and counts it.
    fn too_long(&mut self) -> Source {
        let hint = match self.kind {
            Kind::Text => "--max-bytes off lifts the limit",
            Kind::Pair => "each line is one record; a line feed ends it",
        };
        let (number, most) = (self.number, self.most);
        let message = format!("larger than {most} bytes, wanted at most so many");
        let error = Diagnostic::new(message).kind("too long").hint(hint);
        self.number += 1;
        Source::Lost(Failed::of_line(&self.file, number, error))
    }
}

/// Appends at most so many bytes; 0 at the end.
fn read_more(source: &mut dyn Read, bytes: &mut Vec<u8>, most: usize) -> io::Result<usize> {
    bytes.try_reserve(most)?;
    source.take(most as u64).read_to_end(bytes)
}

#[cfg(test)]
mod tests;
