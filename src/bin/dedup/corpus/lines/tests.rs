use std::io::Cursor;

use super::*;

/// The lines of a file that is read in blocks of so many bytes, with their numbers; of one
/// that is too long an exclamation mark.
fn lines(file: &[u8], block: usize, most: usize) -> Vec<(u64, String)> {
    let lines = Lines {
        bytes: None,
        file: Path::new("f").into(),
        source: Some(Box::new(Cursor::new(file.to_vec()))),
        rest: Vec::new(),
        number: 1,
        most,
        block,
        lost: None,
    };
    let told = |source| match source {
        Source::Line(line) => (line.number, String::from_utf8(line.bytes().to_vec()).unwrap()),
        Source::Lost(failed) => {
            let told = format!("{:#}", failed.error);
            let (place, error) = told.rsplit_once(": ").unwrap();
            assert_eq!(error, format!("larger than {most} bytes, wanted at most so many"));
            (place.strip_prefix("f: line ").unwrap().parse().unwrap(), "!".to_owned())
        }
        Source::File(_) => panic!("a file"),
    };
    lines.flatten().map(told).collect()
}

#[test]
fn lines_are_the_same_in_blocks_of_any_size() {
    #[rustfmt::skip]
    let table: &[(&str, &[u8], usize, &[(u64, &str)])] = &[
        ("nothing",              b"",                     9, &[]),
        ("one line",             b"ab\n",                 9, &[(1, "ab")]),
        ("its end left out",     b"ab",                   9, &[(1, "ab")]),
        ("three",                b"ab\nc\ndef\n",         9, &[(1, "ab"), (2, "c"), (3, "def")]),
        ("blank ones count",     b"\n\nab\n \t\n\ncd",    9, &[(3, "ab"), (6, "cd")]),
        ("as on Windows",        b"ab\r\n\r\ncd\r\n",     9, &[(1, "ab"), (3, "cd")]),
        ("a mark",               b"\xef\xbb\xbfab\ncd",   9, &[(1, "ab"), (2, "cd")]),
        ("just short enough",    b"abc\nabc",             3, &[(1, "abc"), (2, "abc")]),
        ("too long",             b"ab\nabcd\nc\n",        3, &[(1, "ab"), (2, "!"), (3, "c")]),
        ("far too long, first",  b"abcdefghijklmno\nc\n", 3, &[(1, "!"), (2, "c")]),
        ("far too long, last",   b"c\nabcdefghijklmno",   3, &[(1, "c"), (2, "!")]),
        ("two of them",          b"abcdefghi\nabcdefghijkl\nx", 3, &[(1, "!"), (2, "!"), (3, "x")]),
    ];
    for (why, file, most, want) in table {
        for block in [4, 5, 7, 64] {
            let found = lines(file, block, *most);
            let found: Vec<(u64, &str)> =
                found.iter().map(|(number, line)| (*number, line.as_str())).collect();
            assert_eq!(found, *want, "{why}, in blocks of {block}");
        }
    }
}

#[test]
fn a_line_longer_than_many_blocks_is_read_whole() {
    let long = "x".repeat(10_000);
    let found = lines(format!("a\n{long}\nb").as_bytes(), 16, usize::MAX);
    assert_eq!(found, [(1, "a".to_owned()), (2, long), (3, "b".to_owned())]);
}
