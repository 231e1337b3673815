//! Files: which texts are read, and what is written, whole or not at all.

pub(crate) mod disk;
pub(crate) mod git;
pub(crate) mod inputs;
pub(crate) mod output;
pub(crate) mod rewrite;

use std::ffi::OsString;
use std::path::PathBuf;

/// A path of its bytes.
#[cfg(unix)]
#[expect(clippy::unnecessary_wraps, reason = "elsewhere not all bytes are a path")]
pub(crate) fn path_of_bytes(bytes: &[u8]) -> Result<PathBuf, std::str::Utf8Error> {
    use std::os::unix::ffi::OsStringExt;
    Ok(OsString::from_vec(bytes.to_vec()).into())
}

/// A path of its bytes, which are UTF-8.
#[cfg(not(unix))]
pub(crate) fn path_of_bytes(bytes: &[u8]) -> Result<PathBuf, std::str::Utf8Error> {
    Ok(OsString::from(str::from_utf8(bytes)?).into())
}
