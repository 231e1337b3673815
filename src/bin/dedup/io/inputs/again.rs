//! Files of records that are read twice: once to compare them, and once more to copy their lines or
//! rows.
//!
//! Their lines are not held in memory. What cannot be read twice, such as standard input, is copied
//! to a temporary file without a name while it is read.

use std::fs::{File, Metadata};
use std::io::{self, Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use anyhow::Context;
use dedup_text::text::display_path;

use super::table::Format;
use crate::diagnostics::Diagnostic;
use crate::io::disk::{self, FileId, Stream};

/// Files of records, each once, in their order.
#[derive(Debug, Default)]
pub(crate) struct ReadTwice(Vec<Again>);

/// A file of records.
#[derive(Debug)]
struct Again {
    path: PathBuf,
    /// As it is asked for.
    format: Format,
    source: Source,
}

/// How a stream is unpacked.
type Unpack = fn(Stream, Option<u64>) -> io::Result<(Stream, Option<disk::Packing>)>;

/// What is read the second time.
#[derive(Debug)]
enum Source {
    /// The file itself, which must not have changed.
    File(Option<Stamp>),
    /// A copy of what was read.
    Copy(File),
}

/// What tells whether a file was written meanwhile.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
struct Stamp {
    bytes: u64,
    modified: Option<SystemTime>,
}

impl Stamp {
    fn new(known: &Metadata) -> Self {
        Self { bytes: known.len(), modified: known.modified().ok() }
    }
}

impl ReadTwice {
    /// Files that are about to be read.
    ///
    /// # Errors
    ///
    /// Where no temporary file can be made for one that cannot be read twice.
    pub(crate) fn new(files: &[(PathBuf, Format)]) -> anyhow::Result<Self> {
        let mut known: Vec<FileId> = Vec::new();
        let mut all = Vec::new();
        for (path, format) in files {
            let id = FileId::new(path);
            if known.contains(&id) {
                continue;
            }
            known.push(id);
            let source = match disk::size(path) {
                Some(_) => Source::File(disk::metadata(path).as_ref().map(Stamp::new)),
                None => Source::Copy(tempfile::tempfile().with_context(temporary)?),
            };
            all.push(Again { path: path.clone(), format: *format, source });
        }
        Ok(Self(all))
    }

    /// What is read of a file the first time; where it cannot be read again, it is copied.
    pub(crate) fn first(&self, path: &Path, stream: Stream) -> Stream {
        let again = self.0.iter().find(|again| again.path == path);
        match again.map(|again| &again.source) {
            Some(Source::Copy(copy)) => match copy.try_clone() {
                Ok(copy) => Box::new(Copying { stream, copy }),
                Err(error) => Box::new(Failing(Some(error))),
            },
            _ => stream,
        }
    }

    /// The files, in their order.
    pub(crate) fn paths(&self) -> impl Iterator<Item = &Path> {
        self.0.iter().map(|again| again.path.as_path())
    }

    /// Opens a file once more, by its place among them, and says what it is. One that is opened
    /// before is no longer to be read.
    ///
    /// # Errors
    ///
    /// Where it has changed, or cannot be read any more.
    pub(crate) fn open(&self, at: usize) -> anyhow::Result<(Stream, Format)> {
        self.open_by(at, disk::unpacked)
    }

    /// The same of one that is read to its end, ahead of what is done with it.
    ///
    /// # Errors
    ///
    /// As [`open`](Self::open).
    pub(crate) fn open_ahead(&self, at: usize) -> anyhow::Result<(Stream, Format)> {
        self.open_by(at, disk::unpacked_ahead)
    }

    fn open_by(&self, at: usize, unpacked: Unpack) -> anyhow::Result<(Stream, Format)> {
        let Again { path, format, .. } = &self.0[at];
        let stream = self.stream(at)?;
        // It was within its limit when it was read first.
        let opened = unpacked(stream, None).and_then(|(stream, _)| format.of_stream(path, stream));
        opened.with_context(|| unreadable(path))
    }

    /// Opens a file once more, as [`open`](Self::open), that is not read from its beginning to its end.
    ///
    /// # Errors
    ///
    /// As [`open`](Self::open).
    pub(crate) fn open_whole(&self, at: usize) -> anyhow::Result<File> {
        let Again { path, source, .. } = &self.0[at];
        let unpacked = disk::unpacked(self.stream(at)?, None);
        let (stream, packing) = unpacked.with_context(|| unreadable(path))?;
        match source {
            Source::Copy(copy) if packing.is_none() => copy.try_clone().with_context(temporary),
            _ => whole(path, stream, packing),
        }
    }

    /// What is read of a file the second time.
    fn stream(&self, at: usize) -> anyhow::Result<Stream> {
        let Again { path, source, .. } = &self.0[at];
        Ok(match source {
            Source::File(stamp) => {
                let stream = disk::open(path)?;
                self.check(at, *stamp)?;
                stream
            }
            Source::Copy(copy) => {
                let mut copy = copy.try_clone().with_context(temporary)?;
                copy.rewind().with_context(temporary)?;
                Box::new(copy)
            }
        })
    }

    /// Checks that a file is as it was when it was read first.
    ///
    /// # Errors
    ///
    /// Where it was written meanwhile.
    fn check(&self, at: usize, stamp: Option<Stamp>) -> Result<(), Diagnostic> {
        let path = &self.0[at].path;
        if disk::metadata(path).as_ref().map(Stamp::new) == stamp {
            return Ok(());
        }
        let path = display_path(path);
        Err(Diagnostic::new(format!("{path}: changed while it was compared, expected one content"))
            .hint("run it again when nothing writes to the file"))
    }

    /// Checks, when a file was read to its end, that it is as it was.
    ///
    /// # Errors
    ///
    /// As [`open`](Self::open).
    pub(crate) fn check_read(&self, at: usize) -> Result<(), Diagnostic> {
        match &self.0[at].source {
            Source::File(stamp) => self.check(at, *stamp),
            Source::Copy(_) => Ok(()),
        }
    }
}

/// The file that a stream is read from, where it is one and is not packed; else a temporary one without a name,
/// to which all is copied.
///
/// # Errors
///
/// Where it cannot be opened, or copied.
#[expect(clippy::disallowed_methods, reason = "records are no texts; their fields are")]
pub(crate) fn whole(
    path: &Path,
    mut stream: Stream,
    packing: Option<disk::Packing>,
) -> anyhow::Result<File> {
    let unreadable = || format!("{}: cannot be read", display_path(path));
    if packing.is_none() && disk::size(path).is_some() {
        return File::open(path).with_context(unreadable);
    }
    let mut copy = tempfile::tempfile().with_context(temporary)?;
    let mut block = vec![0; BLOCK];
    loop {
        let read = stream.read(&mut block).with_context(unreadable)?;
        if read == 0 {
            break;
        }
        copy.write_all(&block[..read]).with_context(temporary)?;
    }
    copy.rewind().with_context(temporary)?;
    Ok(copy)
}

/// Bytes that are copied at once.
const BLOCK: usize = 1 << 18;

/// What an error is about where a file cannot be read the second time.
pub(crate) fn unreadable(path: &Path) -> String {
    format!("{}: cannot be read again", display_path(path))
}

/// What an error is about where a temporary file cannot be used.
fn temporary() -> String {
    format!("a file in {}: cannot be written", display_path(&tempfile::env::temp_dir()))
}

/// Copies what is read.
struct Copying {
    stream: Stream,
    copy: File,
}

impl Read for Copying {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        let read = self.stream.read(room)?;
        self.copy.write_all(&room[..read]).map_err(|error| {
            io::Error::new(
                error.kind(),
                format!("its copy in {}: {error}", display_path(&tempfile::env::temp_dir())),
            )
        })?;
        Ok(read)
    }
}

/// Fails when it is read.
struct Failing(Option<io::Error>);

impl Read for Failing {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        self.0.take().map_or(Ok(0), Err)
    }
}
