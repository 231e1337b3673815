//! Files that are no texts themselves, or only the beginning of them.

use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::path::Path;

use dedup_text::text::ReadTextError;

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
    match File::open(&path) {
        Ok(file) => Ok(Box::new(file)),
        Err(error) if error.kind() == ErrorKind::NotFound => Err(ReadTextError::Missing { path }),
        Err(source) => Err(ReadTextError::Unreadable { path, source }),
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

/// Reads all of a file.
pub(crate) fn read(path: &Path) -> Result<Vec<u8>, ReadTextError> {
    head(path, u64::MAX)
}

/// Reads the first bytes of a file.
pub(crate) fn head(path: &Path, most: u64) -> Result<Vec<u8>, ReadTextError> {
    let mut bytes = Vec::new();
    let read = open(path)?.take(most).read_to_end(&mut bytes);
    let unreadable = |source| ReadTextError::Unreadable { path: path.to_owned(), source };
    read.map(|_| bytes).map_err(unreadable)
}
