use std::io::Cursor;

use super::*;

/// Returns a reader of a file that reads blocks of `block` bytes and returns batches of `batch`
/// lines.
fn reader(file: &[u8], block: usize, batch: usize, max_bytes: usize) -> Lines {
    Lines {
        bytes: None,
        file: Path::new("f").into(),
        format: Format::JsonLines,
        ends: None,
        header: HeaderRow::On,
        table: None,
        source: Some(Box::new(Cursor::new(file.to_vec()))),
        compression: None,
        is_begun: false,
        max_unpacked: None,
        age: Age::New,
        rest: Vec::new(),
        start: 0,
        number: 1,
        max_bytes,
        block,
        batch,
        fields: None,
        rows: None,
        lost: None,
        twice: None,
    }
}

/// Returns the lines of a file that is read in blocks of `block` bytes, with their numbers. A line
/// that is too long is returned as an exclamation mark.
fn lines(file: &[u8], block: usize, batch: usize, max_bytes: usize) -> Vec<(u64, String)> {
    let describe = |source| match source {
        Source::Line(line) => {
            let start = usize::try_from(line.start()).unwrap();
            assert!(file[start..].starts_with(line.bytes()), "line {} at {start}", line.number);
            assert!(start == 0 || file[..start].ends_with(b"\n") || start == 3);
            (line.number, String::from_utf8(line.bytes().to_vec()).unwrap())
        }
        Source::Lost(failed) => {
            let message = format!("{:#}", failed.error);
            let (place, error) = message.rsplit_once(": ").unwrap();
            assert_eq!(error, format!("larger than the limit of {max_bytes} bytes"));
            (place.strip_prefix("f: line ").unwrap().parse().unwrap(), "!".to_owned())
        }
        Source::File(_) | Source::Unit(_) | Source::Row(..) => panic!("a file"),
    };
    reader(file, block, batch, max_bytes).flatten().map(describe).collect()
}

/// The results of each line take memory, however short the line is.
#[test]
fn a_batch_has_no_more_lines_than_it_may() {
    let sizes = |file: &[u8], batch| -> Vec<usize> {
        reader(file, 64, batch, 9).map(|batch| batch.len()).collect()
    };
    assert_eq!(sizes(b"a\nb\n\nc\nd\n\ne", 2), [2, 2, 0, 1]);
    assert_eq!(sizes(b"a\nb\n", 2), [2, 0]);
    assert_eq!(sizes(b"a\nb", 1), [1, 1]);
    assert_eq!(sizes(&b"x\n".repeat(64), 20), [20, 12, 20, 12, 0]);
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
    for (why, file, max_bytes, want) in table {
        for (block, batch) in [(4, 9), (5, 1), (7, 2), (64, 9), (64, 1), (64, 2)] {
            let found = lines(file, block, batch, *max_bytes);
            let found: Vec<(u64, &str)> =
                found.iter().map(|(number, line)| (*number, line.as_str())).collect();
            assert_eq!(found, *want, "{why}, in blocks of {block}, batches of {batch}");
        }
    }
}

#[test]
fn a_line_longer_than_many_blocks_is_read_whole() {
    let long = "x".repeat(10_000);
    let found = lines(format!("a\n{long}\nb").as_bytes(), 16, 2, usize::MAX);
    assert_eq!(found, [(1, "a".to_owned()), (2, long), (3, "b".to_owned())]);
}

#[test]
fn rows_are_the_same_in_blocks_of_any_size() {
    let open =
        "f: line 3: an opening quote without a closing one, expected one at the end of the field";
    #[rustfmt::skip]
    let table: &[(&str, &[u8], &[(u64, &str)])] = &[
        ("nothing",             b"",                                   &[]),
        ("a header alone",      b"id,text\n",                          &[]),
        ("its end left out",    b"id,text\n1,a",                       &[(2, "1,a")]),
        ("a feed in quotes",    b"id,text\n1,\"a\nb\"\n2,c\n",        &[(2, "1,\"a\nb\""), (4, "2,c")]),
        ("blank ones count",    b"\nid,text\n\n1,a\n\n2,b\n",          &[(4, "1,a"), (6, "2,b")]),
        ("as on Windows",       b"id,text\r\n1,a\r\n\r\n2,b\r\n",      &[(2, "1,a"), (4, "2,b")]),
        ("a mark",              b"\xef\xbb\xbf\"id\",text\n1,a",       &[(2, "1,a")]),
        ("a named delimiter",   b"sep=;\nid;text\n1;\"a;\nb\"\n2;c",   &[(3, "1;\"a;\nb\""), (5, "2;c")]),
        ("no end of the quotes", b"id,text\n1,a\n2,\"b\n3,c\n",         &[(2, "1,a"), (0, open)]),
    ];
    for (why, file, want) in table {
        for (block, batch) in [(1, 9), (4, 9), (5, 1), (7, 2), (64, 9), (64, 1), (64, 2)] {
            let lines = Lines { format: Format::Csv, ..reader(file, block, batch, usize::MAX) };
            let describe = |source: Source| match source {
                Source::Line(line) => {
                    let start = usize::try_from(line.start()).unwrap();
                    assert!(file[start..].starts_with(line.bytes()), "{why}: at {start}");
                    (line.number, String::from_utf8(line.bytes().to_vec()).unwrap())
                }
                Source::Lost(lost) => (0, format!("{:#}", lost.error)),
                _ => panic!("{why}"),
            };
            let found: Vec<(u64, String)> = lines.flatten().map(describe).collect();
            let found: Vec<(u64, &str)> =
                found.iter().map(|(number, row)| (*number, row.as_str())).collect();
            assert_eq!(found, *want, "{why}, in blocks of {block}, batches of {batch}");
        }
    }
}
