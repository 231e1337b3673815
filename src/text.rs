//! Path → `Text`: a whole file, decoded. The only door to the disk.
//!
//! A text is UTF-8, with or without a byte order mark. Nothing is replaced and
//! nothing is guessed: what is not UTF-8 is trouble that names the first bad byte.

mod error;

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use crate::threads;
pub use error::{ReadTextError, display_path};

/// The UTF-8 form of U+FEFF at the start of a file.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

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
    /// The bytes are valid in it.
    Content,
}

/// A text, decoded. It may be empty, but holds no NUL.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Text {
    path: PathBuf,
    content: String,
    encoding_by: EncodingBy,
}

impl Text {
    /// Reads a whole file of at most `most` bytes, or of any size for none; `-` is
    /// standard input, and a pipe is as good as a file.
    ///
    /// # Errors
    ///
    /// A [`ReadTextError`] where the file cannot be read, is larger or is not a text.
    #[expect(clippy::disallowed_methods, reason = "this is Text::open")]
    pub fn open(path: &Path, most: Option<u64>) -> Result<Self, ReadTextError> {
        let most = most.unwrap_or(u64::MAX);
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
            Ok(Some(bytes)) => Self::from_bytes(&path, bytes),
            Ok(None) => Err(ReadTextError::TooLarge { path, most }),
            Err(_) if path.is_dir() => Err(ReadTextError::Folder { path }),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                Err(ReadTextError::Missing { path })
            }
            Err(source) => Err(ReadTextError::Unreadable { path, source }),
        }
    }

    /// Reads two files; where both fail, the left one's trouble is told.
    ///
    /// # Errors
    ///
    /// As [`open`](Self::open).
    pub fn open_both(
        left: &Path,
        right: &Path,
        most: Option<u64>,
    ) -> Result<(Self, Self), ReadTextError> {
        let size = |path: &Path| path.metadata().map_or(0, |file| file.len());
        let bytes = usize::try_from(size(left) + size(right)).unwrap_or(usize::MAX);
        let open = |path| move || Self::open(path, most);
        let (left, right) = threads::side_by_side(bytes, open(left), open(right));
        Ok((left?, right?))
    }

    /// Decodes bytes that are already there; `path` is the name they go by.
    ///
    /// # Errors
    ///
    /// A [`ReadTextError`] where the bytes are not UTF-8 or hold a NUL.
    pub fn from_bytes(path: &Path, mut bytes: Vec<u8>) -> Result<Self, ReadTextError> {
        let mark = if bytes.starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len() } else { 0 };
        bytes.drain(..mark);
        let content = String::from_utf8(bytes).map_err(|error| {
            let (offset, path) = (mark + error.utf8_error().valid_up_to(), path.to_owned());
            match memchr::memchr(0, error.as_bytes()) {
                Some(nul) => ReadTextError::NotText { path, offset: mark + nul },
                None => {
                    ReadTextError::NotUtf8 { path, offset, byte: error.as_bytes()[offset - mark] }
                }
            }
        })?;
        if let Some(nul) = memchr::memchr(0, content.as_bytes()) {
            return Err(ReadTextError::NotText { path: path.to_owned(), offset: mark + nul });
        }
        let encoding_by = if mark > 0 { EncodingBy::Mark } else { EncodingBy::Content };
        Ok(Self { path: path.to_owned(), content, encoding_by })
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
        self.mark() + self.content.len()
    }

    /// The offset in the file at which [`content`](Self::content) begins, in bytes: 0 or 3.
    pub fn mark(&self) -> usize {
        match self.encoding_by {
            EncodingBy::Mark => BYTE_ORDER_MARK.len(),
            EncodingBy::Content => 0,
        }
    }

    /// How the encoding is known.
    pub fn encoding_by(&self) -> EncodingBy {
        self.encoding_by
    }
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
mod tests {
    use super::*;

    fn decoded(bytes: &[u8]) -> Result<Text, ReadTextError> {
        Text::from_bytes(Path::new("x.txt"), bytes.to_vec())
    }

    #[test]
    fn a_mark_is_no_part_of_the_text() {
        #[rustfmt::skip]
        let table: &[(&str, &[u8], &str, usize, usize)] = &[
            ("nothing",           b"",                     "",          0, 0),
            ("plain",             b"abc",                  "abc",       3, 0),
            ("mark and nothing",  b"\xef\xbb\xbf",         "",          3, 3),
            ("mark and text",     b"\xef\xbb\xbfabc",      "abc",       6, 3),
            ("a second one stays", b"\xef\xbb\xbf\xef\xbb\xbfa", "\u{feff}a", 7, 3),
        ];
        for (why, bytes, content, size, mark) in table {
            let text = decoded(bytes).unwrap();
            assert_eq!(
                (text.content(), text.bytes(), text.mark()),
                (*content, *size, *mark),
                "{why}"
            );
        }
    }

    #[test]
    fn bad_bytes_are_named_by_their_offset_in_the_file() {
        #[rustfmt::skip]
        let table: &[(&str, &[u8], &str)] = &[
            ("Latin-1",          b"caf\xe9 ",              "x.txt: not UTF-8: byte 0xe9 at offset 3, wanted UTF-8 text"),
            ("after a mark",     b"\xef\xbb\xbfcaf\xe9 ",  "x.txt: not UTF-8: byte 0xe9 at offset 6, wanted UTF-8 text"),
            ("a cut end",        b"ab\xe2\x82",            "x.txt: not UTF-8: byte 0xe2 at offset 2, wanted UTF-8 text"),
            ("a surrogate",      b"\xed\xa0\x80",          "x.txt: not UTF-8: byte 0xed at offset 0, wanted UTF-8 text"),
            ("a NUL",            b"ab\0cd",                "x.txt: not a text: NUL byte at offset 2"),
            ("NUL after a mark", b"\xef\xbb\xbf\0",        "x.txt: not a text: NUL byte at offset 3"),
            ("UTF-16",           b"\xff\xfea\0b\0",        "x.txt: not a text: NUL byte at offset 3"),
        ];
        for (why, bytes, message) in table {
            assert_eq!(decoded(bytes).unwrap_err().to_string(), *message, "{why}");
        }
    }
}
