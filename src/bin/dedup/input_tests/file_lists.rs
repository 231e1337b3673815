//! Invariants of lists of files (`--files-from`, `--files0-from`).

use std::path::PathBuf;

use super::check;
use crate::commands;
use crate::dispatch;
use crate::dispatch::tree::Request;

#[test]
fn listed_paths_are_read_as_they_are_written() {
    check("file_lists", 4, file_lists);
}

/// Checks that the paths of a list are read as they were written: one per line, with Windows line
/// ends, with a byte order mark, or separated by NULs. With any bytes, no path is empty or lost.
///
/// The paths are the lines of the input, and then its parts separated by NULs.
fn file_lists(bytes: &[u8]) {
    let lines: Vec<&[u8]> = bytes.split(|byte| matches!(byte, b'\n' | b'\0')).collect();
    let is_plain = |path: &&[u8]| !path.is_empty() && !path.ends_with(b"\r");
    let plain: Vec<&[u8]> = lines.iter().copied().filter(is_plain).collect();
    let by_nul: Vec<&[u8]> =
        bytes.split(|byte| *byte == 0).filter(|path| !path.is_empty()).collect();
    assert_eq!(read("--files0-from", bytes), by_nul);
    for (before, end) in [
        (b"\xef\xbb\xbf".as_slice(), b"\n".as_slice()),
        (b"\xef\xbb\xbf", b"\r\n"),
        (b"\n", b"\n\n"),
    ] {
        let list = [before, &plain.join(end), end].concat();
        assert_eq!(read("--files-from", &list), plain);
    }
    for (paths, end) in [(&plain, [0]), (&by_nul, [0])] {
        assert_eq!(read("--files0-from", &paths.join(&end[..])), *paths);
    }
    // The bytes themselves as a list.
    let marked = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let lines = marked.split(|byte| *byte == b'\n');
    let wanted = lines.map(|line| line.strip_suffix(b"\r").unwrap_or(line));
    let wanted: Vec<&[u8]> = wanted.filter(|path| !path.is_empty()).collect();
    assert_eq!(read("--files-from", bytes), wanted);
}

/// Returns the paths of a list that is given with `flag`.
fn read(flag: &str, list: &[u8]) -> Vec<Vec<u8>> {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("list");
    std::fs::write(&file, list).expect("written");
    let line = ["dedup", "corpus", "--no-config", flag, file.to_str().expect("UTF-8")];
    let Ok(Request::Corpus(flags)) = dispatch::read(line.map(Into::into)) else {
        panic!("sound flags");
    };
    let paths = commands::corpus::inputs(&flags).expect("read").listed;
    paths.into_iter().map(|path: PathBuf| path.into_os_string().into_encoded_bytes()).collect()
}
