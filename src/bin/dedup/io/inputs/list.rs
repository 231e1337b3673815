//! A list of files → their paths.

use std::ffi::OsString;
use std::path::PathBuf;

use anyhow::Context;

use super::Inputs;
use crate::io::disk;

/// The paths in the lists that are named, in their order.
///
/// # Errors
///
/// Where a list cannot be read.
pub(crate) fn paths(inputs: &Inputs) -> anyhow::Result<Vec<PathBuf>> {
    let by_line = inputs.files_from.iter().map(|list| (list, b'\n', "--files-from"));
    let by_nul = inputs.files0_from.iter().map(|list| (list, b'\0', "--files0-from"));
    let mut paths = Vec::new();
    for (list, end, flag) in by_line.chain(by_nul) {
        paths.extend(parse(&disk::read(list, inputs.max_bytes).context(flag)?, end).context(flag)?);
    }
    Ok(paths)
}

/// The paths in a list, each before its end. Empty ones are passed over; lines may end as on
/// Windows, and the first may have a byte order mark.
fn parse(list: &[u8], end: u8) -> anyhow::Result<Vec<PathBuf>> {
    let by_line = end == b'\n';
    let list = list.strip_prefix(b"\xef\xbb\xbf").filter(|_| by_line).unwrap_or(list);
    let paths = list.split(|byte| *byte == end);
    let paths = paths.map(|path| path.strip_suffix(b"\r").filter(|_| by_line).unwrap_or(path));
    paths.filter(|path| !path.is_empty()).map(path).collect()
}

/// A path of its bytes.
#[cfg(unix)]
#[expect(clippy::unnecessary_wraps, reason = "elsewhere not all bytes are a path")]
fn path(bytes: &[u8]) -> anyhow::Result<PathBuf> {
    use std::os::unix::ffi::OsStringExt;
    Ok(OsString::from_vec(bytes.to_vec()).into())
}

/// A path of its bytes, which are UTF-8.
#[cfg(not(unix))]
fn path(bytes: &[u8]) -> anyhow::Result<PathBuf> {
    let path = str::from_utf8(bytes).context("a path in it is not UTF-8, wanted one that is")?;
    Ok(OsString::from(path).into())
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    #[test]
    fn paths_are_parted_by_lines_or_by_nul() {
        #[rustfmt::skip]
        let table: &[(&str, &[u8], u8, &[&str])] = &[
            ("nothing",                    b"",                      b'\n', &[]),
            ("one, its end left out",      b"a.txt",                 b'\n', &["a.txt"]),
            ("two, with spaces",           b"a b.txt\nc\n",          b'\n', &["a b.txt", "c"]),
            ("blank lines",                b"\na\n\n",               b'\n', &["a"]),
            ("lines as on Windows",        b"a\r\n\r\nb\r\n",        b'\n', &["a", "b"]),
            ("a mark",                     b"\xef\xbb\xbfa\nb",      b'\n', &["a", "b"]),
            ("by NUL",                     b"a\0b\nc\0",             0,     &["a", "b\nc"]),
            ("a name that ends oddly",     b"a\r\0",                 0,     &["a\r"]),
        ];
        for (why, list, end, want) in table {
            let want: Vec<&Path> = want.iter().map(Path::new).collect();
            assert_eq!(parse(list, *end).unwrap(), want, "{why}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_path_need_not_be_utf_8() {
        use std::os::unix::ffi::OsStrExt;
        let paths = parse(b"caf\xe9.txt\n", b'\n').unwrap();
        assert_eq!(paths[0].as_os_str().as_bytes(), b"caf\xe9.txt");
    }
}
