use super::Mark;
use super::*;

/// Returns a side with the given spans marked.
fn side<'t>(text: &'t str, marked: &[(usize, usize)]) -> ShownSide<'t> {
    let is_marked = |at| marked.iter().any(|(start, end)| (start..end).contains(&&at));
    let words = tokens::split(text).0.into_iter().map(|word| word.span.start);
    let starts: Vec<(usize, bool)> = words.map(|at| (at, is_marked(at))).collect();
    let words = starts.len();
    let marked_words = starts.iter().filter(|(_, is_marked)| *is_marked).count();
    let marked = marked.iter().map(|(start, end)| *start..*end).collect();
    ShownSide {
        text,
        span: 0..text.len(),
        mark: Mark::Changed,
        marked,
        notes: Vec::new(),
        starts,
        words,
        marked_words,
    }
}

fn printed(text: &str, changed: &[(usize, usize)], width: usize) -> Vec<String> {
    let rows = wrap(&side(text, changed), width);
    rows.iter()
        .map(|row| {
            assert!(row.width() <= width || row.clusters.len() == 1, "{row}");
            anstream::adapter::strip_str(&row.to_string()).to_string()
        })
        .collect()
}

#[test]
fn words_are_wrapped() {
    #[rustfmt::skip]
    let table: &[(&str, &str, &[(usize, usize)], usize, &[&str])] = &[
        ("nothing",                   "",                     &[],            9,  &[]),
        ("as many as there is room",  "one two three",        &[],            7,  &["one two", "three"]),
        ("one column less",           "one two three",        &[],            6,  &["one", "two", "three"]),
        ("line ends and tabs",        "one\r\n\r\n\ttwo",     &[],            9,  &["one two"]),
        ("a word that is too long",   "a kettles b",          &[],            4,  &["a", "kett", "les", "b"]),
        ("a changed word",            "a big, red cat",       &[(2, 5), (7, 10)], 40, &["a [big], [red] cat"]),
        ("several in a row",          "a big, red cat",       &[(2, 10)],       40, &["a [big, red] cat"]),
        ("over the end of a row",     "a big, red cat",       &[(2, 10)],       8,  &["a [big,]", "[red]", "cat"]),
        ("brackets take columns",     "a big cat",            &[(2, 5)],        7,  &["a [big]", "cat"]),
        ("one less",                  "a big cat",            &[(2, 5)],        6,  &["a", "[big]", "cat"]),
        ("over a line's end",         "exam-\nple it",        &[(0, 9)],        40, &["[exam- ple] it"]),
        ("a word that breaks in brackets", "kettles",         &[(0, 7)],        6,  &["[kett]", "[les]"]),
        ("Chinese",                   "水火木金土日月",         &[],            8,  &["水火木金", "土日月"]),
        ("Chinese, one column too few", "水火木金土日月",       &[],            7,  &["水火木", "金土日", "月"]),
        ("Chinese, changed",          "水火木",                &[(3, 6)],        9,  &["水[火]木"]),
        ("no mark begins a row",      "水火，木",              &[],            4,  &["水", "火，", "木"]),
        ("nor does one that opens end it", "水火「木」",        &[],            6,  &["水火", "「木」"]),
        ("among Latin letters",       "水abc火",               &[],            5,  &["水abc", "火"]),
        ("a line's end in Chinese",   "水火，\n木",             &[],            9,  &["水火，木"]),
        ("a space in Chinese",        "水火　木",               &[],            9,  &["水火 木"]),
        ("a line's end in Korean",    "나는\n학교에",            &[],            20, &["나는 학교에"]),
        ("Korean has spaces",         "나는 학교에",             &[],            8,  &["나는", "학교에"]),
        ("letters with marks",        "cafe\u{301} the\u{301}", &[],          4,  &["cafe\u{301}", "the\u{301}"]),
        ("Hebrew",                    "שלום עולם",             &[],            9,  &["\u{2068}שלום עולם\u{2069}"]),
        ("Arabic lam and alef",       "لا لا",                 &[],            5,  &["\u{2068}لا لا\u{2069}"]),
        ("one column too few for them", "لا لا",               &[],            4,  &["\u{2068}لا\u{2069}", "\u{2068}لا\u{2069}"]),
        ("a Persian joiner",          "می\u{200c}خواهم",       &[],            9,  &["\u{2068}می\u{200c}خواهم\u{2069}"]),
        ("what would fool a terminal", "a\u{1b}[2Jb\u{202e}c", &[],            40, &["a\\u{1b}[2Jb\\u{202e}c"]),
    ];
    for (why, text, changed, width, want) in table {
        assert_eq!(printed(text, changed, *width), *want, "{why}");
    }
}

#[test]
fn rows_know_where_they_begin() {
    let rows = wrap(&side("one two\nthree kettles", &[]), 7);
    let starts: Vec<_> = rows.iter().map(|row| (row.start, row.is_first)).collect();
    assert_eq!(starts, [(Some(0), true), (Some(8), false), (Some(14), false)]);
}

#[test]
fn what_is_cut_is_counted() {
    #[rustfmt::skip]
    let table: &[(&str, &str, usize, &[&str])] = &[
        ("all of it",             "one two three",           6, &["one", "two", "three"]),
        ("a row too many",        "one two three four",      6, &["one", "two", "… 2 more words"]),
        ("one word",              "seven eleven a",          6,  &["seven", "eleven", "a"]),
        ("the rest of a word",    "abcdefghijklmnopqrstu",   5,  &["abcde", "fghij", "…"]),
    ];
    for (why, text, width, want) in table {
        let side = side(text, &[]);
        let mut rows = wrap(&side, *width);
        cut(&mut rows, &side, 3);
        assert_eq!(rows.iter().map(ShownRow::to_string).collect::<Vec<_>>(), *want, "{why}");
    }
    for (changed, want) in
        [(0, "… 1,000 more words"), (1, "… 1,000 more words"), (3, "… 1,000 more words, 2 changed")]
    {
        let mut head = side("one two", &[(0, 3)]);
        (head.words, head.marked_words) = (1_002, changed);
        let mut rows = wrap(&head, 20);
        cut(&mut rows, &head, 3);
        let rows: Vec<String> = rows
            .iter()
            .map(|row| anstream::adapter::strip_str(&row.to_string()).to_string())
            .collect();
        assert_eq!(rows, ["[one] two", want]);
    }
    let mut head = ShownSide { mark: Mark::Unchanged, ..side("one two", &[(0, 3)]) };
    (head.words, head.marked_words) = (1_002, 3);
    let mut rows = wrap(&head, 20);
    cut(&mut rows, &head, 3);
    assert_eq!(rows[1].to_string(), "… 1,000 more words, 2 unchanged");
}
