//! Path → `Text`: a whole file, decoded. The only door to the disk.
//!
//! A byte order mark is believed, then what is valid UTF-8 is UTF-8, and only what is
//! neither is detected. Nothing is replaced unless that is asked for: a byte
//! that the encoding does not allow is trouble that names it.

mod decode;
mod detect;
mod encoding;
mod error;

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use crate::threads;
use decode::{BadByte, decode};
use detect::detect;
pub use encoding::Encoding;
pub use error::{ReadTextError, display_path};

/// How a file is read.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct Reading {
    /// The most bytes it may have; any number for none.
    pub most: Option<u64>,
    /// The encoding, where it is given.
    pub encoding: Option<Encoding>,
    /// Whether bytes that the encoding does not allow are replaced by U+FFFD.
    pub lossy: bool,
}

/// One of the two texts that are compared.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Side {
    /// The first one named.
    Left,
    /// The second one named.
    Right,
}

/// How the encoding of a text is known.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum EncodingBy {
    /// A byte order mark says so.
    Mark,
    /// The bytes are valid in it, or are most likely meant so.
    Content,
    /// The user said so.
    Given,
}

/// A text, decoded. It may be empty, but holds no NUL.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Text {
    path: PathBuf,
    content: String,
    encoding: Encoding,
    encoding_by: EncodingBy,
    /// The size of the file, in bytes.
    bytes: usize,
    /// The size of its byte order mark.
    mark: usize,
    replaced: usize,
}

impl Text {
    /// Reads a whole file; `-` is standard input, and a pipe is as good as a file.
    ///
    /// # Errors
    ///
    /// A [`ReadTextError`] where the file cannot be read, is larger or is not a text.
    #[expect(clippy::disallowed_methods, reason = "this is Text::open")]
    pub fn open(path: &Path, reading: &Reading) -> Result<Self, ReadTextError> {
        let most = reading.most.unwrap_or(u64::MAX);
        let read = if path == Path::new("-") {
            read_within(io::stdin().lock(), 0, most)
        } else {
            File::open(path).and_then(|file| {
                let size = file.metadata().map_or(0, |known| known.len());
                read_within(file, size, most)
            })
        };
        let path = path.to_owned();
        match read {
            Ok(Some(bytes)) => Self::decode(&path, bytes, reading),
            Ok(None) => Err(ReadTextError::TooLarge { path, most }),
            Err(_) if path.is_dir() => Err(ReadTextError::Folder { path }),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                Err(ReadTextError::Missing { path })
            }
            Err(source) => Err(ReadTextError::Unreadable { path, source }),
        }
    }

    /// Reads two files, each in its way; where both fail, the left one's trouble is told.
    ///
    /// # Errors
    ///
    /// As [`open`](Self::open).
    pub fn open_both(
        left: (&Path, &Reading),
        right: (&Path, &Reading),
    ) -> Result<(Self, Self), ReadTextError> {
        let size = |path: &Path| path.metadata().map_or(0, |file| file.len());
        let bytes = usize::try_from(size(left.0) + size(right.0)).unwrap_or(usize::MAX);
        let open = |(path, reading)| move || Self::open(path, reading);
        let (left, right) = threads::side_by_side(bytes, open(left), open(right));
        Ok((left?, right?))
    }

    /// Decodes bytes that are already there, in an encoding that is to be found; `path` is
    /// the name they go by.
    ///
    /// # Errors
    ///
    /// A [`ReadTextError`] where the bytes are no text.
    pub fn from_bytes(path: &Path, bytes: Vec<u8>) -> Result<Self, ReadTextError> {
        Self::decode(path, bytes, &Reading::default())
    }

    /// Decodes bytes as a file of them would be read.
    ///
    /// # Errors
    ///
    /// A [`ReadTextError`] where the bytes are no text, or not one in the encoding.
    pub fn decode(
        path: &Path,
        mut bytes: Vec<u8>,
        reading: &Reading,
    ) -> Result<Self, ReadTextError> {
        let mut text = Self {
            path: path.to_owned(),
            content: String::new(),
            encoding: Encoding::UTF_8,
            encoding_by: EncodingBy::Content,
            bytes: bytes.len(),
            mark: 0,
            replaced: 0,
        };
        let marked = Encoding::marked(&bytes);
        if let Some(encoding) = reading.encoding.or(marked) {
            let by_mark = reading.encoding.is_none();
            text.encoding = encoding;
            text.encoding_by = if by_mark { EncodingBy::Mark } else { EncodingBy::Given };
            text.mark = if marked == Some(encoding) { encoding.mark().len() } else { 0 };
            bytes.drain(..text.mark);
        } else {
            // Nearly every text ends here, and has paid for no more than it must.
            bytes = match String::from_utf8(bytes) {
                Ok(content) if is_sure(content.as_bytes()) => {
                    return Ok(Self { content, ..text });
                }
                Ok(content) => content.into_bytes(),
                Err(error) => error.into_bytes(),
            };
            text.encoding = detect(&bytes).map_err(|bad| text.no_text(bad))?;
        }
        if let Some(offset) = first_nul(&bytes, text.encoding.unit()) {
            return Err(text.no_text(BadByte { offset, byte: 0 }));
        }
        let decoded = decode(bytes, text.encoding, reading.lossy).map_err(|bad| {
            let (path, encoding) = (path.to_owned(), text.encoding);
            let offset = text.mark + bad.offset;
            ReadTextError::Damaged { path, encoding, offset, byte: bad.byte }
        })?;
        Ok(Self { content: decoded.content, replaced: decoded.replaced, ..text })
    }

    fn no_text(&self, bad: BadByte) -> ReadTextError {
        let (path, offset) = (self.path.clone(), self.mark + bad.offset);
        ReadTextError::NotText { path, offset, byte: bad.byte }
    }

    /// The file as the user named it.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The text without its byte order mark.
    pub fn content(&self) -> &str {
        &self.content
    }

    /// The size of the file, in bytes, its byte order mark included.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// The size of the file's byte order mark, in bytes: 0, 2, 3 or 4.
    pub fn mark(&self) -> usize {
        self.mark
    }

    /// The encoding that it was read in.
    pub fn encoding(&self) -> Encoding {
        self.encoding
    }

    /// How many sequences of bytes were replaced by U+FFFD; 0 unless that was asked for.
    pub fn replaced(&self) -> usize {
        self.replaced
    }

    /// How the encoding is known.
    pub fn encoding_by(&self) -> EncodingBy {
        self.encoding_by
    }
}

/// Whether bytes that are valid UTF-8 can hardly be anything else.
fn is_sure(bytes: &[u8]) -> bool {
    memchr::memchr(0, bytes).is_none() && !detect::begins_with_controls(bytes)
}

/// The offset of the first unit of so many bytes that are all 0.
fn first_nul(bytes: &[u8], unit: usize) -> Option<usize> {
    if unit == 1 {
        return memchr::memchr(0, bytes);
    }
    let is_nul = |unit: &[u8]| unit.iter().all(|byte| *byte == 0);
    bytes.chunks_exact(unit).position(is_nul).map(|at| at * unit)
}

/// All bytes of a source that says it has `size`; none where it has more than `most`.
fn read_within(source: impl Read, size: u64, most: u64) -> io::Result<Option<Vec<u8>>> {
    if size > most {
        return Ok(None);
    }
    let mut bytes = Vec::new();
    bytes.try_reserve_exact(usize::try_from(size).unwrap_or(usize::MAX).saturating_add(1))?;
    let read = source.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
    Ok((read as u64 <= most).then_some(bytes))
}

#[cfg(test)]
mod tests;
