use Label::{No, Yes};

use super::*;

/// Parses a list and returns its pairs, as line number, names and label, and then the numbers of
/// the wrong lines.
fn read(list: &[u8]) -> (Vec<(usize, String, Label)>, Vec<usize>) {
    let lines = Lines::read(list, |name| name.starts_with("there"));
    let pair = |line: Line| {
        let [left, right] = line.names.map(|name| name.to_str().unwrap().to_owned());
        (line.number, format!("{left}|{right}"), line.label)
    };
    let wrong = lines.wrong.iter().map(|wrong| wrong.number).collect();
    (lines.pairs.into_iter().map(pair).collect(), wrong)
}

#[test]
fn a_line_is_two_names_and_a_label() {
    #[rustfmt::skip]
    let table: &[(&str, &[u8], &[(usize, &str, Label)], &[usize])] = &[
        ("nothing",               b"",                                       &[], &[]),
        ("one, its end left out", b"a\tb\tyes",                              &[(1, "a|b", Yes)], &[]),
        ("every label",           b"a\tb\ty\na\tb\tTRUE\na\tb\t1\na\tb\tn\na\tb\tFalse\na\tb\t0\na\tb\tNo\n",
            &[(1, "a|b", Yes), (2, "a|b", Yes), (3, "a|b", Yes), (4, "a|b", No), (5, "a|b", No), (6, "a|b", No), (7, "a|b", No)], &[]),
        ("as on Windows",         b"a\tb\tyes\r\nc\td\tno\r\n",              &[(1, "a|b", Yes), (2, "c|d", No)], &[]),
        ("a mark",                b"\xef\xbb\xbfa\tb\t1",                    &[(1, "a|b", Yes)], &[]),
        ("UTF-16",                b"\xff\xfea\0\t\0b\0\t\x001\0",            &[(1, "a|b", Yes)], &[]),
        ("comments and gaps",     b"# pairs\n\n  \na\tb\t1\n#a\tb\t1",       &[(4, "a|b", Yes)], &[]),
        ("a heading",             b"left\tright\tlabel\na\tb\t1",            &[(2, "a|b", Yes)], &[]),
        ("a heading behind a comment", b"#\nleft\tright\tlabel\na\tb\t1",    &[(3, "a|b", Yes)], &[]),
        ("no heading: it names a file", b"there\tb\tmaybe\na\tb\t1",         &[(2, "a|b", Yes)], &[1]),
        ("no heading further down", b"a\tb\t1\nleft\tright\tlabel",          &[(1, "a|b", Yes)], &[2]),
        ("quotes",                b"\"a\"\t\"b \"\"c\"\"\"\t\"yes\"",        &[(1, "a|b \"c\"", Yes)], &[]),
        ("a quote alone",         b"a\"\t\"b\tyes",                          &[(1, "a\"|\"b", Yes)], &[]),
        ("spaces",                b" a b \t c\t yes ",                       &[(1, "a b|c", Yes)], &[]),
        ("further cells",         b"a\tb\tyes\tseen by me\t",                &[(1, "a|b", Yes)], &[]),
        ("too few cells",         b"a b yes\na\tb\n",                        &[], &[1, 2]),
        ("an empty name",         b"\tb\tyes\na\t\"\"\tyes",                 &[], &[1, 2]),
        ("a NUL",                 b"a\0\tb\tyes",                            &[], &[1]),
        ("no label",              b"a\tb\t1\na\tb\t\na\tb\t2",               &[(1, "a|b", Yes)], &[2, 3]),
    ];
    for (why, list, pairs, wrong) in table {
        let (found, found_wrong) = read(list);
        let found: Vec<(usize, &str, Label)> =
            found.iter().map(|(number, names, label)| (*number, names.as_str(), *label)).collect();
        assert_eq!((found.as_slice(), found_wrong.as_slice()), (*pairs, *wrong), "{why}");
    }
}

#[test]
fn what_is_wrong_says_what_was_wanted() {
    let long = format!("a\tb\t{}", "x".repeat(50));
    let wanted = "expected yes, y, true, 1 (yes) or no, n, false, 0 (no)";
    #[rustfmt::skip]
    let table = [
        ("no tab",        "a.txt b.txt yes",    "no tab, expected two names and a label, separated by tabs".to_owned()),
        ("two cells",     "a\tb",               "2 cells, expected two names and a label, separated by tabs".to_owned()),
        ("another label", "a\tb\t\u{1b}[2J",    format!("label \"\\\\u{{1b}}[2J\", {wanted}")),
        ("a long one",    &long,                format!("label \"{}…\", {wanted}", "x".repeat(40))),
        ("an empty name", "a\t\tyes",           "the second cell is empty, expected the name of a text".to_owned()),
    ];
    for (why, line, want) in table {
        let lines = Lines::read(line.as_bytes(), |_| true);
        assert_eq!(lines.wrong, [UnreadableLine { number: 1, what: want }], "{why}");
    }
}

#[cfg(unix)]
#[test]
fn a_name_need_not_be_utf_8() {
    use std::os::unix::ffi::OsStrExt;
    let lines = Lines::read(b"caf\xe9\tb\t1", |_| true);
    assert_eq!(lines.pairs[0].names[0].as_os_str().as_bytes(), b"caf\xe9");
}
