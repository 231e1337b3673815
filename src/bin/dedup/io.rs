//! File input and output: which texts are read, and output files that are written completely or not
//! at all.

pub(crate) mod disk;
pub(crate) mod memory;
pub(crate) mod git;
pub(crate) mod inputs;
pub(crate) mod output;
#[cfg(feature = "pdf")]
pub(crate) mod pdf_reader;
pub(crate) mod rewrite;

use std::ffi::OsString;
use std::path::PathBuf;

/// Makes a path of its bytes.
#[cfg(unix)]
#[expect(clippy::unnecessary_wraps, reason = "elsewhere not all bytes are a path")]
pub(crate) fn path_of_bytes(bytes: &[u8]) -> Result<PathBuf, std::str::Utf8Error> {
    use std::os::unix::ffi::OsStringExt;
    Ok(OsString::from_vec(bytes.to_vec()).into())
}

/// Makes a path of its bytes, which must be UTF-8 on this platform.
#[cfg(not(unix))]
pub(crate) fn path_of_bytes(bytes: &[u8]) -> Result<PathBuf, std::str::Utf8Error> {
    Ok(OsString::from(str::from_utf8(bytes)?).into())
}
