//! Invariants of lists of labelled pairs (`dedup calibrate`).

use std::path::Path;

use dedup_text::calibration::Label;

use super::check;
use crate::commands::calibrate::lines::{Line, Lines};

#[test]
fn labelled_pairs_are_the_same_however_they_are_written() {
    check("calibrate", 1, calibrate);
}

/// Checks that each line is a pair, an error that says what was expected,
/// blank, a comment or the heading. The pairs stay the same if they are written in other ways: with
/// quotes, with other words for the labels, with Windows line ends, or in UTF-16.
fn calibrate(bytes: &[u8]) {
    let read = |list: &[u8]| Lines::read(list, |name| name == Path::new("there"));
    let lines = read(bytes);
    let pairs = lines.pairs.iter().map(|line| line.number);
    let wrong = lines.wrong.iter().map(|wrong| wrong.number);
    let mut numbers: Vec<usize> = pairs.chain(wrong).collect();
    numbers.sort_unstable();
    assert!(numbers.windows(2).all(|two| two[0] < two[1]), "each line once");
    let is_utf_16 = bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff");
    if !is_utf_16 && lines.wrong.len() == lines.wrong_count {
        let marked = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
        let filled: Vec<usize> = (1..)
            .zip(marked.split(|byte| *byte == b'\n'))
            .filter(|(_, line)| !line.trim_ascii().is_empty() && !line.starts_with(b"#"))
            .map(|(number, _)| number)
            .collect();
        // The first line may be the heading.
        let is_heading = filled.first().is_some_and(|first| !numbers.contains(first));
        assert_eq!(numbers, filled[usize::from(is_heading)..]);
    }
    for wrong in &lines.wrong {
        assert!(wrong.what.contains(", expected "), "{}", wrong.what);
        assert!(!wrong.what.contains(char::is_control), "{:?}", wrong.what);
    }
    for line in &lines.pairs {
        assert!(line.names.iter().all(|name| !name.as_os_str().is_empty()));
    }
    for (words, end) in [
        (["YES", "\"n\""], "\n"),
        ([" 1 ", "False\tmore"], "\r\n"),
        (["y", "0"], "\n\n# a comment\n"),
    ] {
        let list = written(&lines.pairs, words, end);
        let again = read(&list);
        assert!(again.wrong.is_empty(), "{:?}", again.wrong);
        assert_eq!(said(&again.pairs), said(&lines.pairs));
        if let Ok(list) = str::from_utf8(&list) {
            let units = list.encode_utf16().flat_map(u16::to_le_bytes);
            let list: Vec<u8> = b"\xff\xfe".iter().copied().chain(units).collect();
            assert_eq!(read(&list), again, "in UTF-16");
        }
    }
}

/// Returns the names and labels of lines, without their line numbers.
fn said(lines: &[Line]) -> Vec<(&[std::path::PathBuf; 2], Label)> {
    lines.iter().map(|line| (&line.names, line.label)).collect()
}

/// Writes a list of pairs, with both names in quotes.
fn written(pairs: &[Line], [yes, no]: [&str; 2], end: &str) -> Vec<u8> {
    let mut list = Vec::new();
    for line in pairs {
        for name in &line.names {
            let name = name.as_os_str().as_encoded_bytes();
            let doubled = name.iter().flat_map(|byte| vec![*byte; 1 + usize::from(*byte == b'"')]);
            list.push(b'"');
            list.extend(doubled);
            list.extend(b"\"\t");
        }
        list.extend(if line.label == Label::Yes { yes } else { no }.bytes());
        list.extend(end.bytes());
    }
    list
}
