//! Reads files that are not texts themselves, such as lists and records, or only the beginning of a
//! file, and determines the identity of files.

use std::fs::{self, File, Metadata};
use std::io::{self, BufReader, Cursor, ErrorKind, Read, Seek, SeekFrom};
use std::mem;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use dedup_text::parallel;
use dedup_text::text::{ReadTextError, cut_short};

pub(crate) use dedup_text::text::formats::WindowTooLarge;
pub(crate) use dedup_text::text::packed::{
    CompressionFormat, UnpackedTooLarge, UnreadablePacked, unpacked,
};

/// A source of bytes.
pub(crate) type Stream = Box<dyn Read + Send>;

/// Opens a file; `-` is standard input. What was [looked at](look_ahead) before is read again.
pub(crate) fn open(path: &Path) -> Result<Stream, ReadTextError> {
    let mut all = lock(&LOOKED_AT);
    let Some(place) = all.iter().position(|(known, _)| known == path) else {
        drop(all);
        return open_new(path);
    };
    let (_, looked_at) = all.swap_remove(place);
    let LookedAt { head, rest } = mem::take(&mut *lock(&looked_at));
    Ok(Box::new(Cursor::new(head).chain(rest)))
}

#[expect(clippy::disallowed_methods, reason = "lists and records are no texts; their lines are")]
fn open_new(path: &Path) -> Result<Stream, ReadTextError> {
    if path == Path::new("-") {
        return Ok(Box::new(io::stdin()));
    }
    let path = path.to_owned();
    let opened = File::open(&path).and_then(|file| Ok((file.metadata()?, file)));
    match opened {
        Ok((known, _)) if known.is_dir() => Err(ReadTextError::Folder { path }),
        Ok((known, file)) => {
            let left = if known.is_file() { known.len() } else { 0 };
            Ok(Box::new(LengthChecked { file, left }))
        }
        Err(error) if error.kind() == ErrorKind::NotFound => Err(ReadTextError::Missing { path }),
        // Windows opens no folders.
        Err(_) if path.is_dir() => Err(ReadTextError::Folder { path }),
        Err(source) => Err(ReadTextError::Unreadable { path, source }),
    }
}

// Streams that can be read only once, of which the beginning is needed before they are read.

/// The streams that were looked at and are not read yet, each with its path.
static LOOKED_AT: Mutex<Vec<(PathBuf, Arc<Mutex<LookedAt>>)>> = Mutex::new(Vec::new());

/// A stream that was looked at.
struct LookedAt {
    /// The bytes that were read from it.
    head: Vec<u8>,
    rest: Stream,
}

impl Default for LookedAt {
    fn default() -> Self {
        Self { head: Vec::new(), rest: Box::new(io::empty()) }
    }
}

/// Reads a stream from its beginning and keeps what is read.
struct LookAhead {
    stream: Arc<Mutex<LookedAt>>,
    /// The number of bytes that this reader has returned.
    read: usize,
}

impl Read for LookAhead {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let mut stream = lock(&self.stream);
        let LookedAt { head, rest } = &mut *stream;
        if self.read == head.len() {
            let read = rest.read(buffer)?;
            head.extend_from_slice(&buffer[..read]);
            self.read += read;
            return Ok(read);
        }
        let read = (&head[self.read..]).read(buffer)?;
        self.read += read;
        Ok(read)
    }
}

fn lock<T>(value: &Mutex<T>) -> MutexGuard<'_, T> {
    value.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Opens a stream that can be read only once, without consuming it: what is read from the result is
/// read again by [`open`].
///
/// # Errors
///
/// Same as [`open`].
pub(crate) fn look_ahead(path: &Path) -> Result<Stream, ReadTextError> {
    let mut all = lock(&LOOKED_AT);
    let known = all.iter().find(|(known, _)| known == path).map(|(_, it)| Arc::clone(it));
    let stream = if let Some(stream) = known {
        stream
    } else {
        let looked_at = LookedAt { head: Vec::new(), rest: open_new(path)? };
        let stream = Arc::new(Mutex::new(looked_at));
        all.push((path.to_owned(), Arc::clone(&stream)));
        stream
    };
    Ok(Box::new(LookAhead { stream, read: 0 }))
}

/// Reports whether a path was looked at and not read since.
pub(crate) fn is_looked_at(path: &Path) -> bool {
    lock(&LOOKED_AT).iter().any(|(known, _)| known == path)
}

/// Reports whether a path is standard input, or a pipe that a shell passes on, as for `<(…)`. Such
/// a pipe has a writer of its own, whereas opening a pipe with a name may wait for a writer that
/// writes something else first.
pub(crate) fn is_of_the_shell(path: &Path) -> bool {
    let is_descriptor = |folder: &str| path.parent() == Some(Path::new(folder));
    path == Path::new("-")
        || size(path).is_none()
            && (path == Path::new("/dev/stdin")
                || is_descriptor("/dev/fd")
                || is_descriptor("/proc/self/fd"))
}

/// A reader that fails if a file ends before the size that it had when it was opened. Bytes beyond
/// that size are read as usual.
struct LengthChecked<R> {
    file: R,
    /// The smallest number of bytes that must still follow; 0 if the size is not known.
    left: u64,
}

impl<R: Read> Read for LengthChecked<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.file.read(buffer)?;
        if read == 0 && self.left > 0 && !buffer.is_empty() {
            return Err(cut_short(self.left));
        }
        self.left = self.left.saturating_sub(read as u64);
        Ok(read)
    }
}

/// Returns the size of a file in bytes, or `None` for a pipe or standard input. The size of a file
/// that cannot be read is 0.
pub(crate) fn size(path: &Path) -> Option<u64> {
    if path == Path::new("-") {
        return None;
    }
    match path.metadata() {
        Ok(known) => known.is_file().then_some(known.len()),
        Err(_) => Some(0),
    }
}

/// Opens a file for reading from a byte offset on. Returns `None` if the path is not a regular
/// file, because a pipe cannot be read twice, or if the file ends at or before the offset.
#[expect(clippy::disallowed_methods, reason = "records are no texts; their lines are")]
pub(crate) fn from_byte(path: &Path, start: u64) -> Option<BufReader<File>> {
    size(path).filter(|size| start < *size)?;
    let mut file = File::open(path).ok()?;
    file.seek(SeekFrom::Start(start)).ok()?;
    Some(BufReader::new(file))
}

/// The smallest limit on the bytes of a list or a baseline, even if `--max-bytes` is lower.
const MIN_LIMIT: u64 = 200_000_000;

/// Reads a complete list or baseline. `max_bytes` is the limit on texts, `None` for no limit. A
/// value below [`MIN_LIMIT`] is raised to it: a low limit on texts is not meant for a file that
/// only names them.
///
/// # Errors
///
/// Returns [`ReadTextError::TooLarge`] as soon as more bytes than the limit were read, since the
/// file may be endless, and the other errors if it cannot be opened or read.
pub(crate) fn read(path: &Path, max_bytes: Option<u64>) -> Result<Vec<u8>, ReadTextError> {
    read_at_most(path, max_bytes.map(|max_bytes| max_bytes.max(MIN_LIMIT)))
}

/// Reads a complete file of at most `max_bytes` bytes; `None` for no limit.
///
/// # Errors
///
/// The same as of [`read`].
pub(crate) fn read_at_most(path: &Path, max_bytes: Option<u64>) -> Result<Vec<u8>, ReadTextError> {
    let bytes = head(path, max_bytes.map_or(u64::MAX, |max| max.saturating_add(1)))?;
    match max_bytes.filter(|max| bytes.len() as u64 > *max) {
        Some(max_bytes) => Err(ReadTextError::TooLarge { path: path.to_owned(), max_bytes }),
        None => Ok(bytes),
    }
}

/// The largest number of bytes that are read of a file before more memory is allocated.
const FIRST_READ: u64 = 1 << 13;

/// Reads the first `max_bytes` bytes of a file, or all of it if it is shorter.
pub(crate) fn head(path: &Path, max_bytes: u64) -> Result<Vec<u8>, ReadTextError> {
    let capacity = usize::try_from(max_bytes.min(FIRST_READ)).unwrap_or_default();
    let mut bytes = Vec::with_capacity(capacity);
    let read = open(path)?.take(max_bytes).read_to_end(&mut bytes);
    let unreadable = |source| ReadTextError::Unreadable { path: path.to_owned(), source };
    read.map(|_| bytes).map_err(unreadable)
}

/// Sets the folder for temporary files: the one that the user asked for, otherwise the default of
/// the system.
pub(crate) fn choose_temp_dir(asked: Option<&Path>) {
    // WASI has no default folder for temporary files; its host provides one at this path.
    let usual = cfg!(target_os = "wasi").then_some(Path::new("/tmp"));
    if let Some(folder) = asked.or(usual) {
        // This fails only if the folder was set before, and a run sets it once.
        let _ = tempfile::env::override_temp_dir(folder);
    }
}

// The identity of a file, independent of how its path is written.
//
// Different spellings, a symbolic link, a hard link (on Unix), and another case on a file system
// that ignores case can all name the same file. Only the identity decides whether an output is also
// an input.

/// The identity of a file: two paths that name the same file have equal identities.
#[derive(Clone, Debug, Eq, Hash, PartialEq)]
pub(crate) enum FileId {
    /// The device number and inode number of a file that exists.
    #[cfg(unix)]
    Inode(u64, u64),
    /// The canonical path. If there is no file, the canonical path of its folder, joined with the
    /// file name.
    Path(PathBuf),
}

impl FileId {
    /// Returns the identity of the file that a path names. Links are followed; `-` is standard
    /// input.
    pub(crate) fn new(path: &Path) -> Self {
        Self::with(path, metadata(path).as_ref())
    }

    /// Same as [`FileId::new`], for a path whose metadata are already known.
    #[cfg(unix)]
    pub(crate) fn with(path: &Path, known: Option<&Metadata>) -> Self {
        use std::os::unix::fs::MetadataExt;
        known.map_or_else(|| Self::Path(canonical(path)), |it| Self::Inode(it.dev(), it.ino()))
    }

    /// Same as [`FileId::new`]; the metadata are not needed on this platform.
    #[cfg(not(unix))]
    pub(crate) fn with(path: &Path, _: Option<&Metadata>) -> Self {
        Self::Path(canonical(path))
    }
}

/// Returns the metadata of the file that a path names, or `None` if they cannot be read. On Unix,
/// `-` is standard input.
pub(crate) fn metadata(path: &Path) -> Option<Metadata> {
    let is_input = cfg!(unix) && path == Path::new("-");
    fs::metadata(if is_input { Path::new("/dev/stdin") } else { path }).ok()
}

/// Returns the canonical path. If there is no file, its folder is made canonical and the file name
/// is kept; if that fails too, the path is returned as it is.
pub(crate) fn canonical(path: &Path) -> PathBuf {
    let in_its_folder = || {
        let folder = fs::canonicalize(folder_of(path)).ok()?;
        Some(folder.join(path.file_name()?))
    };
    fs::canonicalize(path).ok().or_else(in_its_folder).unwrap_or_else(|| path.to_owned())
}

/// Returns the folder that a path is in; `.` if the path has no folder.
pub(crate) fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| *folder != Path::new("")).unwrap_or(Path::new("."))
}

// Packed streams, unpacked on a separate thread ahead of the reader.

/// Same as [`unpacked`], but a packed stream is unpacked on a separate thread, ahead of the reader.
/// The thread may still be reading from `stream` after the returned stream was dropped.
///
/// # Errors
///
/// Returns an error if the beginning of the stream cannot be read.
pub(crate) fn unpacked_ahead(
    stream: Stream,
    max_bytes: Option<u64>,
) -> io::Result<(Stream, Option<CompressionFormat>)> {
    let (stream, compression) = unpacked(stream, max_bytes)?;
    Ok(match compression {
        Some(_) => (parallel::ahead(stream), compression),
        None => (stream, None),
    })
}

#[cfg(test)]
mod look_ahead_tests {
    use super::*;

    #[test]
    fn what_is_looked_at_is_read_again() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x");
        fs::write(&path, "kettle").unwrap();
        let read = |stream: Stream, most: usize| {
            let mut bytes = String::new();
            stream.take(most as u64).read_to_string(&mut bytes).unwrap();
            bytes
        };
        for (first, second) in [(0, 0), (2, 4), (4, 2), (3, 9), (9, 9)] {
            let want = |most: usize| &"kettle"[..most.min(6)];
            assert_eq!(read(look_ahead(&path).unwrap(), first), want(first));
            assert_eq!(read(look_ahead(&path).unwrap(), second), want(second));
            assert!(is_looked_at(&path));
            assert_eq!(read(open(&path).unwrap(), 9), "kettle");
            assert!(!is_looked_at(&path));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_ends_before_its_size_is_an_error() {
        let read = |bytes: &[u8], left| {
            let mut all = Vec::new();
            let read = LengthChecked { file: bytes, left }.read_to_end(&mut all);
            read.map(|_| all).map_err(|error| error.to_string())
        };
        #[rustfmt::skip]
        let table = [
            ("as its size says", read(b"copper", 6), Ok(b"copper".to_vec())),
            ("nothing",          read(b"", 0),       Ok(Vec::new())),
            ("it grew",          read(b"copper", 2), Ok(b"copper".to_vec())),
            ("it shrank",        read(b"copper", 9), Err("ends 3 bytes before its size".to_owned())),
            ("to nothing",       read(b"", 1),       Err("ends 1 byte before its size".to_owned())),
        ];
        for (why, got, want) in table {
            assert_eq!(got, want, "{why}");
        }
        // A read into an empty buffer returns no bytes, but it is not the end of the file.
        assert_eq!(LengthChecked { file: &b"copper"[..], left: 6 }.read(&mut []).unwrap(), 0);
    }
}

#[cfg(test)]
mod identity_tests {
    use super::*;

    #[test]
    fn one_file_has_one_identity_however_it_is_spelled() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::create_dir(at("sub")).unwrap();
        fs::write(at("a"), "kettle").unwrap();
        fs::write(at("copy"), "kettle").unwrap();
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink("a", at("link")).unwrap();
            std::os::unix::fs::symlink("sub", at("way")).unwrap();
            fs::hard_link(at("a"), at("hard")).unwrap();
        }
        #[rustfmt::skip]
        let table = [
            ("the same path",            "a",        "a",         true),
            ("another spelling",         "a",        "sub/../a",  true),
            ("the same bytes",           "a",        "copy",      false),
            ("a symbolic link",          "a",        "link",      cfg!(unix)),
            ("a link to its folder",     "a",        "way/../a",  true),
            ("a hard link",              "a",        "hard",      cfg!(unix)),
            ("a file and its folder",    "a",        "",          false),
            ("neither exists",           "new",      "sub/../new", true),
            ("two that do not exist",    "new",      "other",     false),
            ("one that does not",        "a",        "new",       false),
            ("in a folder that is not",  "no/new",   "no/new",    true),
        ];
        for (why, one, other, want) in table {
            assert_eq!(FileId::new(&at(one)) == FileId::new(&at(other)), want, "{why}");
            assert_eq!(
                FileId::new(&at(other)) == FileId::new(&at(one)),
                want,
                "{why}, the other way"
            );
        }
    }
}
