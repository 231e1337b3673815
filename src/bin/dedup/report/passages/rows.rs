//! A side of a passage → the rows of a column.

use std::fmt::{Display, Formatter, Result};

use anstyle::{AnsiColor, Style};
use unicode_segmentation::UnicodeSegmentation;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use super::changes::Side;
use crate::report::{counted, visible};

/// The columns of the brackets around what is changed.
const BRACKETS: usize = 2;

/// A row of a column.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub(super) struct Row {
    /// The byte of the text that it begins with; none where it says something of the rows
    /// before.
    pub(super) start: Option<usize>,
    /// Whether it is the first of its passage.
    pub(super) is_first: bool,
    /// The number that it is printed with.
    pub(super) line: Option<usize>,
    clusters: Vec<Cluster>,
}

/// What a reader sees as one letter.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
struct Cluster {
    /// Where it stands in the text.
    at: usize,
    /// As it is printed.
    shown: String,
    columns: usize,
    is_changed: bool,
}

/// What is not parted unless it is too long for a row.
#[derive(Default)]
struct Unit {
    /// The white space before it, as one space; none between letters of a script that has
    /// none, where a line ends.
    space: Option<Cluster>,
    clusters: Vec<Cluster>,
}

impl Row {
    /// The columns that it takes.
    pub(super) fn width(&self) -> usize {
        width(self.clusters.iter())
    }
}

impl Display for Row {
    /// The row with its colours; what is changed also stands in brackets.
    fn fmt(&self, to: &mut Formatter<'_>) -> Result {
        let style = Style::new().fg_color(Some(AnsiColor::Yellow.into()));
        // So that text from right to left stays within its column.
        let is_leftward = self.clusters.iter().any(|it| it.shown.chars().any(is_leftward));
        let [first, last] = if is_leftward { ["\u{2068}", "\u{2069}"] } else { [""; 2] };
        to.write_str(first)?;
        for alike in self.clusters.chunk_by(|one, next| one.is_changed == next.is_changed) {
            let text: String = alike.iter().map(|cluster| &*cluster.shown).collect();
            if alike[0].is_changed {
                write!(to, "{style}[{text}]{style:#}")?;
            } else {
                to.write_str(&text)?;
            }
        }
        to.write_str(last)
    }
}

/// The columns of clusters that follow one another, brackets included.
fn width<'c>(clusters: impl Iterator<Item = &'c Cluster>) -> usize {
    let (mut width, mut was_changed) = (0, false);
    for cluster in clusters {
        let opens = cluster.is_changed && !was_changed;
        width += cluster.columns + if opens { BRACKETS } else { 0 };
        was_changed = cluster.is_changed;
    }
    width
}

/// The rows of a side in so many columns. White space of any length is one space, or the end
/// of a row.
pub(super) fn wrap(side: &Side, room: usize) -> Vec<Row> {
    let (mut rows, mut row) = (Vec::new(), Row { is_first: true, ..Row::default() });
    for Unit { space, clusters } in units(side) {
        let space = space.filter(|_| !row.clusters.is_empty());
        let whole = row.clusters.iter().chain(&space).chain(&clusters);
        if width(whole) <= room {
            row.clusters.extend(space);
        } else if !row.clusters.is_empty() {
            rows.push(std::mem::take(&mut row));
        }
        for cluster in clusters {
            if !row.clusters.is_empty() && width(row.clusters.iter().chain([&cluster])) > room {
                rows.push(std::mem::take(&mut row));
            }
            row.start.get_or_insert(cluster.at);
            row.clusters.push(cluster);
        }
    }
    if !row.clusters.is_empty() {
        rows.push(row);
    }
    rows
}

/// Keeps so many rows of a side at most. Where that is not all of the passage, the last of
/// them says how many words more there are.
pub(super) fn cut(rows: &mut Vec<Row>, side: &Side, most: usize) {
    if rows.len() <= most && side.starts.len() >= side.words {
        return;
    }
    let end = rows.get(most - 1).and_then(|row| row.start).unwrap_or(side.span.end);
    rows.truncate(most - 1);
    let shown = side.starts.partition_point(|start| *start < end);
    let shown = match side.words.saturating_sub(shown) {
        0 => "…".to_owned(),
        more => format!("… {}", counted(more, "more word")),
    };
    let columns = shown.width();
    let clusters = vec![Cluster { shown, columns, ..Cluster::default() }];
    rows.push(Row { clusters, ..Row::default() });
}

/// A side in units: what stands between white space, and each letter of a script that is
/// written without.
fn units(side: &Side) -> Vec<Unit> {
    let mut units: Vec<Unit> = Vec::new();
    let mut space: Option<Cluster> = None;
    let (mut before, mut ends_line) = ("", false);
    let mut changed = side.changed.iter().peekable();
    for (at, cluster) in side.text[side.span.clone()].grapheme_indices(true) {
        let at = side.span.start + at;
        while changed.next_if(|span| span.end <= at).is_some() {}
        let is_changed = changed.peek().is_some_and(|span| span.start <= at);
        if cluster.trim().is_empty() {
            space = Some(Cluster { at, shown: " ".to_owned(), columns: 1, is_changed });
            ends_line |= cluster.ends_with('\n');
        } else {
            if units.is_empty() || space.is_some() || may_part(before, cluster) {
                let goes_on = ends_line && is_without_spaces(before) && is_without_spaces(cluster);
                let space = space.take().filter(|_| !goes_on);
                units.push(Unit { space, clusters: Vec::new() });
            }
            (before, ends_line) = (cluster, false);
            let shown = shown(cluster);
            let columns = columns(&shown);
            let cluster = Cluster { at, shown, columns, is_changed };
            units.last_mut().expect("one was pushed").clusters.push(cluster);
        }
    }
    units
}

/// A cluster as it is printed: what would move the cursor or break out of its column by its
/// number. Joiners and marks of direction are part of some scripts and do neither.
fn shown(cluster: &str) -> String {
    let is_part = |letter: char| matches!(letter, '\u{200b}'..='\u{200f}');
    let letters = cluster.chars().map(|letter| match letter {
        letter if is_part(letter) => letter.to_string(),
        letter => visible(letter.encode_utf8(&mut [0; 4])),
    });
    letters.collect()
}

/// The columns of a cluster on a terminal. Of Arabic each letter counts: few terminals join
/// lam and alef to one.
fn columns(shown: &str) -> usize {
    if shown.chars().any(is_leftward) {
        return shown.chars().filter_map(UnicodeWidthChar::width).sum();
    }
    shown.width()
}

/// Whether a letter is of a script that is written from right to left, or says that what
/// follows is.
fn is_leftward(letter: char) -> bool {
    matches!(letter, '\u{590}'..='\u{8ff}' | '\u{200f}' | '\u{fb1d}'..='\u{fdff}' | '\u{fe70}'..='\u{fefc}' | '\u{10800}'..='\u{10fff}' | '\u{1e800}'..='\u{1efff}')
}

/// Whether a row may end between two clusters that no white space parts: at letters of a
/// script without spaces, but not before a mark that closes nor behind one that opens.
fn may_part(before: &str, next: &str) -> bool {
    let is_word = |cluster: &str| cluster.chars().all(char::is_alphanumeric);
    let is_alone = |cluster: &str| is_without_spaces(cluster) && is_word(cluster);
    let opens =
        |cluster: &str| cluster.chars().all(|letter| "「『《〈（【〔［｛“‘".contains(letter));
    !opens(before) && (is_alone(next) || is_alone(before) && (is_word(next) || opens(next)))
}

/// Whether a cluster is of a script that is written without spaces: all that take two
/// columns, but Korean and pictures.
fn is_without_spaces(cluster: &str) -> bool {
    let is_of_one = |letter| {
        matches!(letter, '\u{2e80}'..='\u{ffff}') && !matches!(letter, '\u{ac00}'..='\u{d7ff}')
    };
    cluster.width() == 2 && cluster.chars().all(|letter| is_of_one(letter) || letter >= '\u{20000}')
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A side of which some spans are changed; its words begin where letters follow spaces.
    fn side<'t>(text: &'t str, changed: &[(usize, usize)]) -> Side<'t> {
        let starts: Vec<usize> =
            dedup_text::tokens::split(text).0.iter().map(|word| word.span.start).collect();
        let words = starts.len();
        let changed = changed.iter().map(|(start, end)| *start..*end).collect();
        Side { text, span: 0..text.len(), changed, starts, words }
    }

    fn printed(text: &str, changed: &[(usize, usize)], room: usize) -> Vec<String> {
        let rows = wrap(&side(text, changed), room);
        rows.iter()
            .map(|row| {
                assert!(row.width() <= room || row.clusters.len() == 1, "{row}");
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
        for (why, text, changed, room, want) in table {
            assert_eq!(printed(text, changed, *room), *want, "{why}");
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
        for (why, text, room, want) in table {
            let side = side(text, &[]);
            let mut rows = wrap(&side, *room);
            cut(&mut rows, &side, 3);
            assert_eq!(rows.iter().map(Row::to_string).collect::<Vec<_>>(), *want, "{why}");
        }
        let mut head = side("one two", &[]);
        head.words = 1_002;
        let mut rows = wrap(&head, 20);
        cut(&mut rows, &head, 3);
        let rows: Vec<String> = rows.iter().map(Row::to_string).collect();
        assert_eq!(rows, ["one two", "… 1,000 more words"]);
    }
}
