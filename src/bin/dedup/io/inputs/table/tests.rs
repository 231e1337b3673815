use std::io::BufReader;

use proptest::prelude::*;

use super::*;

/// Returns the rows of bytes that arrive in pieces of a given size, without their line ends.
fn rows(bytes: &[u8], delimiter: u8, piece: usize) -> Vec<Vec<u8>> {
    let stream = BufReader::with_capacity(piece, bytes);
    let mut rows = RowReader::new(stream, Some(delimiter));
    let (mut row, mut all, mut whole) = (Vec::new(), Vec::new(), Vec::new());
    while rows.read(&mut row).unwrap() {
        whole.extend_from_slice(&row);
        all.push(without_end(&row).to_vec());
    }
    assert_eq!(whole, bytes, "each byte is in one row");
    all
}

#[test]
fn rows_end_outside_of_quotes() {
    #[rustfmt::skip]
    let table: [(&str, &str, &[&str]); 14] = [
        ("nothing",                  "",                        &[]),
        ("one",                      "a,b\n",                   &["a,b"]),
        ("no end",                   "a,b",                     &["a,b"]),
        ("two",                      "a\nb\n",                  &["a", "b"]),
        ("as on Windows",            "a\r\nb\r\n",              &["a", "b"]),
        ("as on old Macs",           "a\rb\r",                  &["a", "b"]),
        ("all ends",                 "a\nb\rc\r\nd",            &["a", "b", "c", "d"]),
        ("blank rows",               "\n\na\r\n\r\nb",          &["", "", "a", "", "b"]),
        ("a feed in quotes",         "\"a\nb\",c\nd",           &["\"a\nb\",c", "d"]),
        ("doubled quotes",           "\"a\"\"\n\"\"\",b\nc",    &["\"a\"\"\n\"\"\",b", "c"]),
        ("a quote within a cell",    "a\"\nb\"",               &["a\"", "b\""]),
        ("text behind quotes",       "\"a\"b\"\nc",            &["\"a\"b\"", "c"]),
        ("an empty cell in quotes",  "\"\",a\n\"\"\nb",        &["\"\",a", "\"\"", "b"]),
        ("no end of the quotes",     "a\n\"b\nc\n",            &["a", "\"b\nc"]),
    ];
    for (why, bytes, want) in table {
        for piece in [1, 2, 3, 100] {
            let got = rows(bytes.as_bytes(), b',', piece);
            let got: Vec<&str> = got.iter().map(|row| str::from_utf8(row).unwrap()).collect();
            assert_eq!(got, want, "{why}, in pieces of {piece}");
        }
    }
}

proptest! {
    /// Rows are found and split into cells as by the `csv` crate, which reads the bytes at once.
    #[test]
    fn rows_are_those_of_the_csv_crate(bytes in "[ab\",;\t\r\n\u{feff}é]{0,40}", piece in 1_usize..9) {
        for delimiter in [b',', b';', b'\t'] {
            let mut ends = RowEnds::new(Some(delimiter), 0);
            let marked = bytes.strip_prefix('\u{feff}').unwrap_or(&bytes);
            while ends.next(marked.as_bytes(), MoreBytes::None).is_some() {}
            prop_assume!(!ends.is_open()); // a row without an end is an error
            let mut reader = csv::ReaderBuilder::new();
            let reader = reader.has_headers(false).flexible(true).delimiter(delimiter);
            let want: Vec<Vec<Vec<u8>>> = reader
                .from_reader(bytes.as_bytes())
                .byte_records()
                .map(|row| row.unwrap().iter().map(<[u8]>::to_vec).collect())
                .collect();
            let found = rows(marked.as_bytes(), delimiter, piece);
            let found: Vec<Vec<Vec<u8>>> = found
                .iter()
                .filter(|row| !row.is_empty())
                .map(|row| {
                    let cells = ranges(row, delimiter).into_iter();
                    cells.map(|cell| unquoted(&row[cell], delimiter)).collect()
                })
                .collect();
            prop_assert_eq!(found, want);
        }
    }

    /// A cell that was written is read back unchanged.
    #[test]
    fn cells_are_read_as_they_are_written(cells in prop::collection::vec("[a,;\t\"\r\n é]{0,9}", 2..5)) {
        for delimiter in [b',', b';', b'\t'] {
            let row = cells.iter().map(|it| cell(it.as_bytes(), delimiter)).collect::<Vec<_>>().join(&delimiter);
            let table = Table::new(delimiter, &row, 1, HeaderRow::On).unwrap();
            prop_assert_eq!(&table.columns, &cells);
        }
    }
}

#[test]
fn a_row_is_read_from_where_it_begins() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("rows");
    std::fs::write(&file, "one\r\ntwo\n\n\"a\nb\"").unwrap();
    let row = |start, delimiter| {
        row_at(&file, start, delimiter).map(|row| String::from_utf8(row).unwrap())
    };
    let some = |row: &str| Some(row.to_owned());
    assert_eq!([0, 5, 9, 10].map(|at| row(at, None)), ["one", "two", "", "\"a"].map(some));
    assert_eq!(row(10, Some(b',')), some("\"a\nb\""));
    assert_eq!(row(15, None), None, "behind the end");
    for no_file in ["gone", "."] {
        assert_eq!(row_at(&folder.path().join(no_file), 0, None), None, "{no_file}");
    }
    assert_eq!(row_at(Path::new("-"), 0, None), None);
    #[cfg(unix)]
    assert_eq!(row_at(Path::new("/dev/zero"), 0, None), None);
}

#[test]
fn the_delimiter_is_known_by_the_name_or_the_header() {
    #[rustfmt::skip]
    let table: [(&str, &str, &str, u8); 12] = [
        ("commas",               "a.csv",     "id,text\n;;;;",        b','),
        ("semicolons",           "a.csv",     "id;text\n",            b';'),
        ("tabs",                 "a.csv",     "id\ttext\n",           b'\t'),
        ("by the name",          "a.tsv",     "id,more\n",            b'\t'),
        ("packed, by the name",  "a.TSV.gz",  "id,more\n",            b'\t'),
        ("one column",           "a",         "text\n",               b','),
        ("as many of both",      "-",         "id,te;xt\n",           b','),
        ("in quotes",            "-",         "\"a;;;\n;\",b\n;;;;;", b','),
        ("a quote in a cell",    "-",         "id;5\" pipe;te\"xt\n", b';'),
        ("behind blank lines",   "-",         "\n\r\na;b",            b';'),
        ("a mark",               "-",         "\u{feff}a;b\n",        b';'),
        ("nothing",              "-",         "",                     b','),
    ];
    for (why, name, head, want) in table {
        assert_eq!(
            delimiter(Path::new(name), head.as_bytes(), MoreBytes::None),
            Some(want),
            "{why}"
        );
    }
    for head in ["", "\n", "id,te", "\"id\n"] {
        assert_eq!(
            delimiter(Path::new("a.tsv"), head.as_bytes(), MoreBytes::Perhaps),
            None,
            "{head}"
        );
    }
}

#[test]
fn a_format_is_what_is_asked_for_unless_name_and_content_say_otherwise() {
    use Format::{Csv, JsonLines};
    #[rustfmt::skip]
    let table: [(Format, &str, &str, Format); 10] = [
        (JsonLines, "a.jsonl",      "{\"id\":1}", JsonLines),
        (JsonLines, "a.csv",        "id,text\n",  Csv),
        (JsonLines, "a.tsv.zst",    "id\ttext\n", Csv),
        (JsonLines, "a.csv",        " {\"id\":1", JsonLines),
        (JsonLines, "a.txt",        "id,text\n",  JsonLines),
        (JsonLines, "-",            "id,text\n",  JsonLines),
        (JsonLines, "a.csv",        "",           JsonLines),
        (Csv,       "a.jsonl",      "\u{feff}{",  JsonLines),
        (Csv,       "a.jsonl",      "id,text\n",  Csv),
        (Csv,       "a.txt",        "{id},text",  Csv),
    ];
    for (asked, name, head, want) in table {
        let stream: Stream = Box::new(Cursor::new(head.as_bytes().to_vec()));
        let (mut stream, found) = asked.of_stream(Path::new(name), stream).unwrap();
        assert_eq!(found, want, "{asked:?} {name} {head:?}");
        let mut all = String::new();
        stream.read_to_string(&mut all).unwrap();
        assert_eq!(all, head);
    }
}

proptest! {
    /// A cell that was replaced in a row is read back, and the other cells are unchanged.
    #[test]
    fn a_cell_takes_the_place_of_another(
        row in proptest::collection::vec("[ab;\n]{0,3}|\"([ab,;\n]|\"\"){0,3}\"|a\"b?", 1..5),
        place in 0_usize..5, value in "[ab\",\r\n]{0,4}",
    ) {
        let row: Vec<String> = row.into_iter().map(|cell| {
            if cell.starts_with('"') { cell } else { cell.replace('\n', "") }
        }).collect();
        let place = place % row.len();
        let columns = vec![String::new(); row.len()];
        let table = Table(Arc::new(Header { delimiter: b',', columns, first_line: 2 }));
        let cells = |row: &[u8]| table.cells(row).unwrap();
        let row = row.join(",");
        prop_assume!(!row.is_empty()); // a blank row
        let mut want = cells(row.as_bytes());
        want[place] = value.as_bytes().to_vec();
        let changed = table.with_value(row.as_bytes(), place, value.as_bytes());
        prop_assert_eq!(cells(&changed), want, "{:?}", String::from_utf8_lossy(&changed));
        prop_assert!(!changed.is_empty());
    }
}

#[test]
fn a_row_above_the_header_names_the_delimiter() {
    #[rustfmt::skip]
    let table = [
        ("for Excel",          "sep=;\na,b;c\n",            Some(b';')),
        ("behind a mark",      "\u{feff}\r\nSEP=|\r\na\n", Some(b'|')),
        ("a tab",              "sep=\t\na\n",              Some(b'\t')),
        ("that is all",        "sep=;",                     None),
        ("not named",          "sep=\na;b\n",               Some(b',')),
        ("a column",           "sep=;x\n",                  Some(b';')),
        ("not above",          "a,b\nsep=;\n",              Some(b',')),
    ];
    for (why, head, want) in table {
        assert_eq!(
            delimiter(Path::new("a.csv"), head.as_bytes(), MoreBytes::Perhaps),
            want,
            "{why}"
        );
    }
    assert_eq!(delimiter(Path::new("a.csv"), b"sep=;", MoreBytes::None), Some(b';'));
    assert_eq!(
        ["", "sep=;", "sep=\"", "sep", "a"].map(|row| is_before_header(row.as_bytes())),
        [true, true, false, false, false]
    );
}

#[test]
fn quotes_that_are_letters_are_noticed() {
    #[rustfmt::skip]
    let table = [
        ("none",                         b',',  "1,a",                     false),
        ("a quoted cell",                b',',  "1,\"a \"\"b\"\", c\"",     false),
        ("of two lines",                 b',',  "1,\"a\nb, c\"",           false),
        ("blanks behind it",             b',',  "\"a\"  ,\"b\" ",          false),
        ("a quote within a cell",        b',',  "1,a \"b\" c",             false),
        ("and a quoted one behind it",   b',',  "a\"b,\"c\"",              false),
        ("text behind it",               b',',  "1,\"a\" b",               true),
        ("a quote without an end",       b'\t', "1\t\"a\n2\t\"b\" c",       true),
        ("the end is one of a line",     b'\t', "1\t\"a\n2\tb\"",          true),
        ("two lines of one row",         b'\t', "1\t\"a\nb\"",             false),
    ];
    for (why, delimiter, row, want) in table {
        let header = format!("x{}y", char::from(delimiter));
        let table = Table::new(delimiter, header.as_bytes(), 2, HeaderRow::On).unwrap();
        assert_eq!(table.has_stray_quotes(row.as_bytes()), want, "{why}");
    }
    let one = Table::new(b'\t', b"x", 2, HeaderRow::On).unwrap();
    assert!(!one.has_stray_quotes(b"\"a\nb\""), "lines of one column");
}
