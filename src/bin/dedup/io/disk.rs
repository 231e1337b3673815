//! Files that are no texts themselves, or only the beginning of them.

use std::fs::{self, File, Metadata};
use std::io::{self, BufRead, BufReader, ErrorKind, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use dedup_text::parallel;
use dedup_text::text::{ReadTextError, cut_short};

pub(crate) use dedup_text::text::packed::{Packing, unpacked};

/// What bytes are read from.
pub(crate) type Stream = Box<dyn Read + Send>;

/// Opens a file; `-` is standard input.
#[expect(clippy::disallowed_methods, reason = "lists and records are no texts; their lines are")]
pub(crate) fn open(path: &Path) -> Result<Stream, ReadTextError> {
    if path == Path::new("-") {
        return Ok(Box::new(io::stdin()));
    }
    let path = path.to_owned();
    if path.is_dir() {
        return Err(ReadTextError::Folder { path });
    }
    let opened = File::open(&path).and_then(|file| {
        let known = file.metadata()?;
        Ok(Whole { left: if known.is_file() { known.len() } else { 0 }, file })
    });
    match opened {
        Ok(file) => Ok(Box::new(file)),
        Err(error) if error.kind() == ErrorKind::NotFound => Err(ReadTextError::Missing { path }),
        Err(source) => Err(ReadTextError::Unreadable { path, source }),
    }
}

/// A file that is to have as many bytes as its size said when it was opened; more are read as they
/// come.
struct Whole<R> {
    file: R,
    /// The bytes that are still to come at least; 0 where the size is not known.
    left: u64,
}

impl<R: Read> Read for Whole<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.file.read(buffer)?;
        if read == 0 && self.left > 0 && !buffer.is_empty() {
            return Err(cut_short(self.left));
        }
        self.left = self.left.saturating_sub(read as u64);
        Ok(read)
    }
}

/// The size of a file in bytes; none of a pipe or of standard input. What cannot be read has 0.
pub(crate) fn size(path: &Path) -> Option<u64> {
    if path == Path::new("-") {
        return None;
    }
    match path.metadata() {
        Ok(known) => known.is_file().then_some(known.len()),
        Err(_) => Some(0),
    }
}

/// A file from a byte on. Nothing else is read twice: of a pipe there is none.
#[expect(clippy::disallowed_methods, reason = "records are no texts; their lines are")]
pub(crate) fn from_byte(path: &Path, start: u64) -> Option<BufReader<File>> {
    size(path).filter(|size| start < *size)?;
    let mut file = File::open(path).ok()?;
    file.seek(SeekFrom::Start(start)).ok()?;
    Some(BufReader::new(file))
}

/// Reads the line of a file that begins at a byte, without its end; as [`from_byte`].
pub(crate) fn line_at(path: &Path, start: u64) -> Option<Vec<u8>> {
    let mut line = Vec::new();
    from_byte(path, start)?.read_until(b'\n', &mut line).ok()?;
    line.truncate(line.trim_ascii_end().len());
    Some(line)
}

/// The most bytes of a list or a baseline, unless `--max-bytes` says more.
const LEAST_LIMIT: u64 = 200_000_000;

/// Reads all of a list or a baseline. `max_bytes` is the limit on texts: a lower one than is usual
/// is not meant for a file that only names them.
///
/// # Errors
///
/// [`ReadTextError::TooLarge`] as soon as the file is known to be too large: it may have no end.
pub(crate) fn read(path: &Path, max_bytes: Option<u64>) -> Result<Vec<u8>, ReadTextError> {
    let most = max_bytes.map_or(u64::MAX, |most| most.max(LEAST_LIMIT));
    let bytes = head(path, most.saturating_add(1))?;
    if bytes.len() as u64 > most {
        return Err(ReadTextError::TooLarge { path: path.to_owned(), most });
    }
    Ok(bytes)
}

/// Reads the first bytes of a file.
pub(crate) fn head(path: &Path, most: u64) -> Result<Vec<u8>, ReadTextError> {
    let mut bytes = Vec::new();
    let read = open(path)?.take(most).read_to_end(&mut bytes);
    let unreadable = |source| ReadTextError::Unreadable { path: path.to_owned(), source };
    read.map(|_| bytes).map_err(unreadable)
}

/// Has temporary files made in a folder that is asked for, else in that of the system.
pub(crate) fn choose_temp_dir(asked: Option<&Path>) {
    // WASI knows no such folder: its host has one of this name.
    let usual = cfg!(target_os = "wasi").then_some(Path::new("/tmp"));
    if let Some(folder) = asked.or(usual) {
        // It is an error where there is one already; a run has one.
        let _ = tempfile::env::override_temp_dir(folder);
    }
}

// Which file a path names, however it is spelled.
//
// Another spelling, a symbolic link, on Unix a hard link, and other case where the file system
// ignores it: they all name one file. Inputs and outputs are distinguished by this alone.

/// The identity of a file: equal for two paths that name one file.
#[derive(Clone, Debug, Eq, Hash, PartialEq)]
pub(crate) enum FileId {
    /// The device and the number of a file that exists.
    #[cfg(unix)]
    Inode(u64, u64),
    /// The canonical path; where there is no file, that of its folder with its name.
    Path(PathBuf),
}

impl FileId {
    /// The file that a path names, links followed; `-` is standard input.
    pub(crate) fn new(path: &Path) -> Self {
        Self::with(path, metadata(path).as_ref())
    }

    /// The same where the metadata are known.
    #[cfg(unix)]
    pub(crate) fn with(path: &Path, known: Option<&Metadata>) -> Self {
        use std::os::unix::fs::MetadataExt;
        known.map_or_else(|| Self::Path(canonical(path)), |it| Self::Inode(it.dev(), it.ino()))
    }

    /// The same where the metadata are known.
    #[cfg(not(unix))]
    pub(crate) fn with(path: &Path, _: Option<&Metadata>) -> Self {
        Self::Path(canonical(path))
    }
}

/// What is known of the file that a path names; `-` is standard input.
pub(crate) fn metadata(path: &Path) -> Option<Metadata> {
    let is_input = cfg!(unix) && path == Path::new("-");
    fs::metadata(if is_input { Path::new("/dev/stdin") } else { path }).ok()
}

/// The canonical path, as far as there is one.
pub(crate) fn canonical(path: &Path) -> PathBuf {
    let in_its_folder = || {
        let folder = fs::canonicalize(folder_of(path)).ok()?;
        Some(folder.join(path.file_name()?))
    };
    fs::canonicalize(path).ok().or_else(in_its_folder).unwrap_or_else(|| path.to_owned())
}

/// The folder that a path is in.
pub(crate) fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| *folder != Path::new("")).unwrap_or(Path::new("."))
}

// What is packed → its bytes, unpacked on a thread of its own, ahead of what reads them.

/// A stream that is unpacked where it is packed, and how it is; as [`unpacked`]. Its thread may still
/// read when what is returned is dropped.
///
/// # Errors
///
/// Where its beginning cannot be read.
pub(crate) fn unpacked_ahead(
    stream: Stream,
    most: Option<u64>,
) -> io::Result<(Stream, Option<Packing>)> {
    let (stream, packing) = unpacked(stream, most)?;
    Ok(match packing {
        Some(_) => (parallel::ahead(stream), packing),
        None => (stream, None),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_read_from_where_it_begins() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("lines");
        fs::write(&file, "one\r\ntwo\n\nfour").unwrap();
        let line = |start| line_at(&file, start).map(|line| String::from_utf8(line).unwrap());
        let some = |line: &str| Some(line.to_owned());
        assert_eq!([0, 5, 9, 10].map(line), ["one", "two", "", "four"].map(some));
        assert_eq!(line(14), None, "behind the end");
        for no_file in ["gone", "."] {
            assert_eq!(line_at(&folder.path().join(no_file), 0), None, "{no_file}");
        }
        assert_eq!(line_at(Path::new("-"), 0), None);
        #[cfg(unix)]
        assert_eq!(line_at(Path::new("/dev/zero"), 0), None);
    }

    #[test]
    fn a_file_that_ends_before_its_size_is_an_error() {
        let read = |bytes: &[u8], left| {
            let mut all = Vec::new();
            let read = Whole { file: bytes, left }.read_to_end(&mut all);
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
        // A buffer without room reads nothing of what is there.
        assert_eq!(Whole { file: &b"copper"[..], left: 6 }.read(&mut []).unwrap(), 0);
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
