//! Why a file is no text that can be compared, and how files are named in messages.

use std::borrow::Cow;
use std::fmt::Write;
use std::io;
use std::path::{Path, PathBuf};

use super::Encoding;
use crate::text::defect::Defect;
use crate::text::formats::Refusal;

/// A path for people and for JSON: as given, bytes that are not UTF-8 as `\xNN`.
pub fn display_path(path: &Path) -> Cow<'_, str> {
    if let Some(path) = path.to_str() {
        return Cow::Borrowed(path);
    }
    let mut shown = String::new();
    for chunk in path.as_os_str().as_encoded_bytes().utf8_chunks() {
        shown.push_str(chunk.valid());
        for byte in chunk.invalid() {
            let _ = write!(shown, "\\x{byte:02x}");
        }
    }
    Cow::Owned(shown)
}

/// The error for a file that ends `missing` bytes before its size: it was truncated while it was read, or
/// the file system failed without an error.
pub fn cut_short(missing: u64) -> io::Error {
    let s = if missing == 1 { "" } else { "s" };
    io::Error::new(io::ErrorKind::UnexpectedEof, format!("ends {missing} byte{s} before its size"))
}

/// Why a file is no text that can be compared.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReadTextError {
    /// There is no such file.
    #[error("{}: no such file, expected a text file", display_path(path))]
    Missing {
        /// The file, as the user named it.
        path: PathBuf,
    },

    /// The file may not be read, or fails while it is being read.
    #[error("{}: cannot be read, expected a text file", display_path(path))]
    Unreadable {
        /// The file, as the user named it.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },

    /// The path names a folder.
    #[error("{}: is a folder, expected a text file", display_path(path))]
    Folder {
        /// The folder, as the user named it.
        path: PathBuf,
    },

    /// The file is larger than was allowed.
    #[error("{}: larger than the limit of {most} bytes", display_path(path))]
    TooLarge {
        /// The file, as the user named it.
        path: PathBuf,
        /// The most bytes it may have.
        most: u64,
    },

    /// There is not enough memory for the file.
    #[error("{}: needs at least {need} bytes of free memory", display_path(path))]
    NoMemory {
        /// The file, as the user named it.
        path: PathBuf,
        /// The least that its text needs, in bytes; 0 of a pipe, of which no one knows.
        need: u64,
    },

    /// The file holds a NUL byte, or control characters, which no text has.
    #[error("{}: not a text: {} at offset {offset}", display_path(path), named(*byte))]
    NotText {
        /// The file, as the user named it.
        path: PathBuf,
        /// Bytes before the first such byte.
        offset: usize,
        /// The first such byte.
        byte: u8,
    },

    /// The file is in EBCDIC, of which no encoding is read.
    #[error(
        "{}: a text in EBCDIC, expected one in UTF-8 or in an encoding of the web",
        display_path(path)
    )]
    Ebcdic {
        /// The file, as the user named it.
        path: PathBuf,
    },

    /// Reading the file panicked, which is a defect of this library.
    #[error(
        "{}: a defect in dedup itself: {defect}, expected to read any file",
        display_path(path)
    )]
    Defect {
        /// The file, as the user named it.
        path: PathBuf,
        /// The panic.
        defect: Defect,
    },

    /// The document is none of text, or its text cannot be had.
    #[error("{}: {refusal}", display_path(path))]
    Refused {
        /// The file, as the user named it.
        path: PathBuf,
        /// Why, as it follows on the file's name.
        refusal: Refusal,
    },

    /// The bytes are not what the encoding allows.
    #[error(
        "{}: damaged {encoding}: byte 0x{byte:02x} at offset {offset}, expected a text in {encoding}",
        display_path(path)
    )]
    Damaged {
        /// The file, as the user named it.
        path: PathBuf,
        /// The encoding.
        encoding: Encoding,
        /// Bytes before the first bad one.
        offset: usize,
        /// The first bad one.
        byte: u8,
    },
}

impl ReadTextError {
    /// The same of another file: that in which the text is packed.
    pub(super) fn of_file(mut self, file: &Path) -> Self {
        match &mut self {
            Self::Missing { path }
            | Self::Unreadable { path, .. }
            | Self::Folder { path }
            | Self::TooLarge { path, .. }
            | Self::NoMemory { path, .. }
            | Self::NotText { path, .. }
            | Self::Ebcdic { path }
            | Self::Defect { path, .. }
            | Self::Refused { path, .. }
            | Self::Damaged { path, .. } => file.clone_into(path),
        }
        self
    }
}

/// A byte that no text has.
fn named(byte: u8) -> String {
    if byte == 0 { "NUL byte".to_owned() } else { format!("control byte 0x{byte:02x}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn a_path_that_is_not_utf_8_is_shown_by_its_bytes() {
        use std::os::unix::ffi::OsStrExt;
        let path = std::ffi::OsStr::from_bytes(b"caf\xe9\xff.txt");
        assert_eq!(display_path(Path::new(path)), "caf\\xe9\\xff.txt");
    }
}
