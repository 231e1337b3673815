//! Files of records that are read twice: once to compare them, and once more to copy their lines or
//! rows.
//!
//! Their lines are not kept in memory. A file that cannot be read twice, such as standard input, is
//! copied to an unnamed temporary file while it is read. The unpacked content of a packed file is
//! cached in such a file, up to [`MAX_CACHED`] bytes, so that it is unpacked only once: a clean
//! corpus of 57 MB in `.bz2` takes 2.4 s instead of 4.1 s, one of 229 MB in `.zst` 4.4 s instead of
//! 5.0 s.

use std::fs::{File, Metadata};
use std::io::{self, Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use std::time::SystemTime;

use anyhow::Context;
use dedup_text::text::display_path;

use super::table::{Format, HeaderRow};
use crate::diagnostics::{Diagnostic, FREE_TEMPORARY_SPACE};
use crate::io::disk::{self, FileId, Stream};

/// The files of records of a run, each once, in the order in which they were named.
#[derive(Debug, Default)]
pub(crate) struct ReadTwice {
    files: Vec<RecordFile>,
    header: HeaderRow,
}

/// A file of records.
#[derive(Debug)]
struct RecordFile {
    path: PathBuf,
    /// The format that was requested.
    format: Format,
    source: Source,
    /// The unpacked content of a packed file, once it was read to its end; empty if it exceeded the
    /// limit or could not be written.
    cache: Arc<OnceLock<File>>,
}

/// A function that unpacks a stream.
type Unpack = fn(Stream, Option<u64>) -> io::Result<(Stream, Option<disk::CompressionFormat>)>;

/// The source of the second read.
#[derive(Debug)]
enum Source {
    /// The file itself, which must not have changed since.
    File(Option<Stamp>),
    /// A copy of the bytes of the first read.
    Copy(Arc<File>),
}

/// The properties of a file that change when it is written: its size and its modification time.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) struct Stamp {
    bytes: u64,
    modified: Option<SystemTime>,
}

impl Stamp {
    /// Returns the properties of the file at a path; `None` if there is none.
    pub(crate) fn of(path: &Path) -> Option<Self> {
        let known = disk::metadata(path).filter(Metadata::is_file)?;
        Some(Self { bytes: known.len(), modified: known.modified().ok() })
    }

    /// Checks that a file still has the properties that it had when it was read.
    ///
    /// # Errors
    ///
    /// Returns a [`Diagnostic`] if it has been written to in the meantime.
    pub(crate) fn check(path: &Path, read: Option<Self>) -> Result<(), Diagnostic> {
        if Self::of(path) == read {
            return Ok(());
        }
        let path = display_path(path);
        Err(Diagnostic::new(format!("{path}: changed while it was compared, expected no change"))
            .hint("run dedup again when nothing writes to the file"))
    }
}

impl ReadTwice {
    /// Prepares for reading the files for the first time. A file that is named twice is kept once.
    ///
    /// # Errors
    ///
    /// Returns an error if no temporary file can be created for a file that cannot be read twice.
    pub(crate) fn new(files: &[(PathBuf, Format)], header: HeaderRow) -> anyhow::Result<Self> {
        let mut known: Vec<FileId> = Vec::new();
        let mut all = Vec::new();
        for (path, format) in files {
            let id = FileId::new(path);
            if known.contains(&id) {
                continue;
            }
            known.push(id);
            let source = match disk::size(path) {
                Some(_) => Source::File(Stamp::of(path)),
                None => Source::Copy(Arc::new(tempfile::tempfile().with_context(temporary)?)),
            };
            let (path, cache) = (path.clone(), Arc::default());
            all.push(RecordFile { path, format: *format, source, cache });
        }
        Ok(Self { files: all, header })
    }

    /// Returns the stream for the first read of a file. If the file cannot be read twice, the
    /// stream copies what is read.
    pub(crate) fn first(&self, path: &Path, stream: Stream) -> Stream {
        let again = self.files.iter().find(|again| again.path == path);
        match again.map(|again| &again.source) {
            Some(Source::Copy(copy)) => Box::new(Copying { stream, copy: Arc::clone(copy) }),
            _ => stream,
        }
    }

    /// Returns the stream for the first read of an unpacked file, which caches what is read if
    /// possible.
    pub(crate) fn caching(&self, path: &Path, stream: Stream) -> Stream {
        let again = self.files.iter().find(|again| again.path == path);
        match again.and_then(|again| Some((again, tempfile::tempfile().ok()?))) {
            Some((again, copy)) => {
                let cache = Arc::clone(&again.cache);
                Box::new(Caching { stream, copy: Some(copy), space: MAX_CACHED, cache })
            }
            None => stream,
        }
    }

    /// Returns whether the first rows of the files name their columns.
    pub(crate) fn header(&self) -> HeaderRow {
        self.header
    }

    /// Returns the paths of the files, in their order.
    pub(crate) fn paths(&self) -> impl Iterator<Item = &Path> {
        self.files.iter().map(|again| again.path.as_path())
    }

    /// Opens a file for another read, given by its index, and returns its format. `unpacked` unpacks
    /// a packed file; one that is unpacked ahead of the reader should be read to its end. A stream
    /// that was returned earlier for the same file must no longer be read, because both may share
    /// one position.
    ///
    /// # Errors
    ///
    /// Returns an error if the file has changed or can no longer be read.
    pub(crate) fn open(&self, at: usize, unpacked: Unpack) -> anyhow::Result<(Stream, Format)> {
        let RecordFile { path, format, .. } = &self.files[at];
        let stream = self.stream(at)?; // also if the cache is read: the file must not have changed
        if let Some(cache) = self.files[at].cache.get() {
            let cached = from_beginning(cache)?;
            return format.of_stream(path, cached).with_context(|| unreadable(path));
        }
        // There is no limit, because the file was within its limit when it was first read.
        let opened = unpacked(stream, None).and_then(|(stream, _)| format.of_stream(path, stream));
        opened.with_context(|| unreadable(path))
    }

    /// Same as [`open`](Self::open), but returns a file that can be read in any order.
    ///
    /// # Errors
    ///
    /// The same as of [`open`](Self::open).
    pub(crate) fn open_whole(&self, at: usize) -> anyhow::Result<File> {
        let RecordFile { path, source, .. } = &self.files[at];
        let unpacked = disk::unpacked(self.stream(at)?, None);
        let (stream, compression) = unpacked.with_context(|| unreadable(path))?;
        match source {
            Source::Copy(copy) if compression.is_none() => copy.try_clone().with_context(temporary),
            _ => whole(path, stream, compression),
        }
    }

    /// Returns the bytes for the second read of a file, as they are stored.
    fn stream(&self, at: usize) -> anyhow::Result<Stream> {
        let RecordFile { path, source, .. } = &self.files[at];
        Ok(match source {
            Source::File(stamp) => {
                let stream = disk::open(path)?;
                Stamp::check(path, *stamp)?;
                stream
            }
            Source::Copy(copy) => from_beginning(copy)?,
        })
    }

    /// Checks that a file has not changed, after it was read to its end again.
    ///
    /// # Errors
    ///
    /// Returns a [`Diagnostic`] if it has been written to in the meantime.
    pub(crate) fn check_read(&self, at: usize) -> Result<(), Diagnostic> {
        match &self.files[at].source {
            Source::File(stamp) => Stamp::check(&self.files[at].path, *stamp),
            Source::Copy(_) => Ok(()),
        }
    }
}

/// Returns the file that a stream is read from, if it is a regular file and not packed. Otherwise
/// copies the stream to an unnamed temporary file and returns that.
///
/// # Errors
///
/// Returns an error if the file cannot be opened or copied.
#[expect(clippy::disallowed_methods, reason = "records are no texts; their fields are")]
pub(crate) fn whole(
    path: &Path,
    mut stream: Stream,
    compression: Option<disk::CompressionFormat>,
) -> anyhow::Result<File> {
    let unreadable = || format!("{}: cannot be read", display_path(path));
    if compression.is_none() && disk::size(path).is_some() {
        return File::open(path).with_context(unreadable);
    }
    let mut copy = tempfile::tempfile().with_context(temporary)?;
    let mut block = vec![0; BUFFER_BYTES];
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

/// Returns a stream that reads a temporary file from its beginning.
fn from_beginning(file: &File) -> anyhow::Result<Stream> {
    let mut file = file.try_clone().with_context(temporary)?;
    file.rewind().with_context(temporary)?;
    Ok(Box::new(file))
}

/// The largest number of bytes that are cached of a packed file. It is limited because the folder
/// for temporary files may be in memory.
const MAX_CACHED: u64 = 1 << 30;

/// The size of the copy buffer in bytes.
const BUFFER_BYTES: usize = 1 << 18;

/// Returns the context of an error for a file that cannot be read a second time.
pub(crate) fn unreadable(path: &Path) -> String {
    format!("{}: cannot be read again", display_path(path))
}

/// Returns the context of an error for a temporary file that cannot be used.
pub(crate) fn temporary() -> Diagnostic {
    let folder = tempfile::env::temp_dir();
    Diagnostic::new(format!("a file in {}: cannot be written", display_path(&folder)))
        .hint(FREE_TEMPORARY_SPACE)
}

/// A stream that copies everything that is read from it to a file.
struct Copying {
    stream: Stream,
    copy: Arc<File>,
}

impl Read for Copying {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.stream.read(buffer)?;
        self.copy.write_all(&buffer[..read]).map_err(|error| {
            io::Error::new(
                error.kind(),
                format!("its copy in {}: {error}", display_path(&tempfile::env::temp_dir())),
            )
        })?;
        Ok(read)
    }
}

/// A stream that copies what is read from it as long as the limit and the disk permit. If they do
/// not, nothing is cached.
struct Caching {
    stream: Stream,
    /// The copy; `None` once the limit was exceeded or a write failed.
    copy: Option<File>,
    /// The number of bytes that may still be copied.
    space: u64,
    /// The cache that receives the complete copy.
    cache: Arc<OnceLock<File>>,
}

impl Read for Caching {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.stream.read(buffer)?;
        let Some(mut copy) = self.copy.take() else { return Ok(read) };
        if read == 0 && !buffer.is_empty() {
            let _ = self.cache.set(copy); // set once: the file is read through once
        } else if let Some(space) = self.space.checked_sub(read as u64)
            && copy.write_all(&buffer[..read]).is_ok()
        {
            (self.copy, self.space) = (Some(copy), space);
        }
        Ok(read)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reads a stream of `content` to its end, and returns what was cached of it.
    fn cached(content: &[u8], copy: File, space: u64) -> Option<Vec<u8>> {
        let cache = Arc::default();
        let stream: Stream = Box::new(io::Cursor::new(content.to_vec()));
        let mut caching = Caching { stream, copy: Some(copy), space, cache: Arc::clone(&cache) };
        let mut read = Vec::new();
        caching.read_to_end(&mut read).unwrap();
        assert_eq!(read, content);
        let mut cached = Vec::new();
        from_beginning(cache.get()?).unwrap().read_to_end(&mut cached).unwrap();
        Some(cached)
    }

    #[test]
    fn what_is_unpacked_is_cached_where_there_is_space() {
        let content = b"one\ntwo\n".to_vec();
        for (space, want) in [(7, None), (8, Some(&content)), (MAX_CACHED, Some(&content))] {
            let copy = tempfile::tempfile().unwrap();
            assert_eq!(cached(&content, copy, space).as_ref(), want, "{space}");
        }
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_full_disk_is_no_reason_to_end() {
        let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        assert_eq!(cached(b"one", full, MAX_CACHED), None);
    }

    /// A packed file is unpacked anew each time until its lines were read to their end; from then
    /// on, its cache is read.
    #[test]
    fn a_packed_file_is_the_same_both_times() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("lines.jsonl.gz");
        let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        packer.write_all(b"one\ntwo\n").unwrap();
        std::fs::write(&path, packer.finish().unwrap()).unwrap();
        let twice =
            Arc::new(ReadTwice::new(&[(path.clone(), Format::JsonLines)], HeaderRow::On).unwrap());
        let again = |is_cached: bool| {
            assert_eq!(twice.files[0].cache.get().is_some(), is_cached);
            for _ in 0..2 {
                let mut all = Vec::new();
                twice.open(0, disk::unpacked).unwrap().0.read_to_end(&mut all).unwrap();
                assert_eq!(all, b"one\ntwo\n");
            }
        };
        again(false);
        super::super::lines::Lines::new(&path, None).read_twice(Arc::clone(&twice)).for_each(drop);
        again(true);
        std::fs::write(&path, "other").unwrap();
        assert!(twice.open(0, disk::unpacked).is_err(), "it has changed");
    }
}
