//! The passages that both texts share, for a person: the longest first, side by side where
//! the screen is wide enough, one above the other where it is not.

use std::cmp::Reverse;
use std::fmt::{Display, Formatter, Result, Write};
use std::ops::Range;

use anstyle::{AnsiColor, Style};
use dedup_text::jaccard::Share;
use dedup_text::pair::{Match, Matches};
use dedup_text::passages::Passage;
use dedup_text::text::{Place, Text};
use dedup_text::tokens::{self, Token};
use dedup_text::verdict::Verdict;
use dedup_text::words::{counted, extent, position, thousands, visible};
use unicode_segmentation::UnicodeSegmentation;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use crate::model::Pair;

/// A passage as it is shown.
struct Shown<'p> {
    /// From 1 in the order of left, as in JSON.
    id: usize,
    found: &'p Match,
    /// The rows of left and of right.
    sides: [Vec<Row>; 2],
}

/// How many passages there are and how much of the texts they are; then those
/// [`shown`]. Nothing where none were looked for.
pub(super) fn render(pair: &Pair, most: usize, width: usize) -> String {
    let Some(matches) = &pair.judgement.matches else { return String::new() };
    summary(matches) + &shown(pair, &["left", "right"].map(str::to_owned), most, width)
}

/// The longest passages, `most` at most, in the order of the left text and numbered in it, on a
/// screen of `width` columns. Of identical texts nothing is shown: they are one passage.
pub(super) fn shown(pair: &Pair, names: &[String; 2], most: usize, width: usize) -> String {
    let Some(matches) = &pair.judgement.matches else { return String::new() };
    let mut page = short(matches);
    if pair.judgement.decision.verdict == Verdict::Identical {
        return page;
    }
    let mut longest: Vec<(usize, &Match)> = (1..).zip(&matches.all).collect();
    longest.sort_by_key(|(id, found)| (Reverse(found.passage.words()), *id));
    longest.truncate(most);
    longest.sort_by_key(|(id, _)| *id);
    let last = |place: &Place| place.found_by().1[1];
    let numbers = longest.iter().map(|(_, found)| last(&found.left).max(last(&found.right)));
    let columns = Columns::new(width, numbers.max().unwrap_or_default());
    let shown = longest.iter().map(|(id, found)| Shown {
        id: *id,
        found,
        sides: between(pair, found, columns.head()).map(|side| {
            let mut rows = wrap(&side, columns.text_width());
            cut(&mut rows, &side, columns.rows());
            rows
        }),
    });
    let mut shown: Vec<Shown> = shown.collect();
    number(pair.left, &mut shown, 0);
    number(pair.right, &mut shown, 1);
    for passage in &shown {
        page += &one(passage, names, &columns);
    }
    page + &more(matches.all.len(), shown.len())
}

/// The line on all passages, in the columns of the figures.
fn summary(matches: &Matches) -> String {
    let coverage = matches.coverage;
    let part = |share: Option<Share>| {
        share.map_or("none".to_owned(), |it| {
            format!("{} of {}", thousands(it.shared()), thousands(it.total()))
        })
    };
    let least = matches.least.words();
    let (figure, meaning) = match matches.all.len() {
        0 if has_short(matches) => ("none".to_owned(), "only short ones were found".to_owned()),
        0 => ("none".to_owned(), "none as long was found".to_owned()),
        count => (
            format!("{} in both", thousands(count)),
            format!("{} words of left, {} of right", part(coverage.left), part(coverage.right)),
        ),
    };
    super::answer::line(["Passages", &figure, &format!("limit {least}"), &meaning])
}

fn has_short(matches: &Matches) -> bool {
    matches.short.as_ref().is_some_and(|short| !short.all.is_empty())
}

/// The line on the passages that are set apart, in grey; none where there are none.
fn short(matches: &Matches) -> String {
    let Some(short) = matches.short.as_ref().filter(|short| !short.all.is_empty()) else {
        return String::new();
    };
    let grey = Style::new().dimmed();
    let words = short.all.iter().map(|found| found.passage.words()).sum();
    let what = format!(
        "{} of fewer than {} words not shown ({}; --ignore short)",
        counted(short.all.len(), "passage"),
        thousands(short.below),
        counted(words, "word"),
    );
    format!("{grey}{:INDENT$}{what}{grey:#}\n", "", INDENT = super::answer::NAMES + 1)
}

/// Gives the rows of a side the numbers of their lines, or pages, where those change from row to
/// row.
fn number(text: &Text, shown: &mut [Shown], side: usize) {
    let rows = shown.iter_mut().flat_map(|passage| &mut passage.sides[side]);
    let mut rows: Vec<&mut Row> = rows.filter(|row| row.start.is_some()).collect();
    let starts: Vec<_> = rows.iter().filter_map(|row| row.start).map(|at| at..at).collect();
    let places = text.places(&starts);
    let mut last = None;
    for (row, place) in rows.iter_mut().zip(places) {
        let (_, [number, _]) = place.found_by();
        let is_new = last != Some(number) || row.is_first;
        row.number = is_new.then_some(number);
        last = Some(number);
    }
}

/// An empty line, and a passage.
fn one(passage: &Shown, [left_name, right_name]: &[String; 2], columns: &Columns) -> String {
    let bold = Style::new().bold();
    let what = what(&passage.found.passage);
    let mut page = format!("\n{bold}passage {}{bold:#}    {what}\n", passage.id);
    let [left, right] = &passage.sides;
    let heads = [(left_name, &passage.found.left), (right_name, &passage.found.right)];
    let [left_head, right_head] = heads.map(|(name, place)| head(name, place));
    if columns.are_two() {
        let _ =
            writeln!(page, "{left_head:columns$}{BESIDE}{right_head}", columns = columns.each());
        for at in 0..left.len().max(right.len()) {
            let [left, right] = [left, right].map(|rows| columns.padded(rows.get(at)));
            let _ = writeln!(page, "{left}{BESIDE}{}", right.trim_end());
        }
    } else {
        for (head, rows) in [(left_head, left), (right_head, right)] {
            let _ = writeln!(page, "{head}");
            for row in rows {
                let _ = writeln!(page, "{}", columns.padded(Some(row)).trim_end());
            }
        }
    }
    page
}

/// How long a passage is, what was done to it, and where that is seen.
fn what(passage: &Passage) -> String {
    let seen = if passage.changed_words() > 0 { ", marked [ ]" } else { "" };
    extent(passage) + seen
}

/// What stands above a side of a passage: `felix.txt, lines 3 to 11`, `olga.pdf, page 3`.
fn head(name: &str, place: &Place) -> String {
    format!("  {name}, {}", position(place))
}

/// An empty line, and how many passages are not shown.
fn more(all: usize, shown: usize) -> String {
    let Some(more @ 1..) = all.checked_sub(shown) else { return String::new() };
    let which = if shown == 0 { "passage" } else { "more passage" };
    format!("\n{}; --passages-shown {all} shows all\n", counted(more, which))
}

// The words of a passage that are marked: those that the other side does not have in their
// place, or, where those are the most, the others.

/// The beginning of a side of a passage.
pub(super) struct Side<'t> {
    /// The text that it stands in.
    pub(super) text: &'t str,
    /// Where it stands, in bytes of that.
    pub(super) span: Range<usize>,
    /// Whether what is changed is marked, or what is not.
    pub(super) mark: Mark,
    /// What is marked, increasing; words one after the other are one.
    pub(super) marked: Vec<Range<usize>>,
    /// Where its words begin, increasing, and whether they are marked.
    pub(super) starts: Vec<(usize, bool)>,
    /// The words of all of the passage.
    pub(super) words: usize,
    /// The marked ones of them.
    pub(super) marked_words: usize,
}

/// What is marked in a passage.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Mark {
    Changed,
    Unchanged,
}

impl Mark {
    fn new(passage: &Passage) -> Self {
        if passage.is_mostly_changed() { Self::Unchanged } else { Self::Changed }
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Changed => "changed",
            Self::Unchanged => "unchanged",
        }
    }
}

/// Both sides of a passage, each of at most `most` bytes: up to white space where there is
/// some.
pub(super) fn between<'p>(pair: &Pair<'p>, found: &Match, most: usize) -> [Side<'p>; 2] {
    let (left, left_span) = first_words(pair.left, &found.left, most);
    let (right, right_span) = first_words(pair.right, &found.right, most);
    let tokens =
        [tokens::split(&left[left_span.clone()]).0, tokens::split(&right[right_span.clone()]).0];
    let mark = Mark::new(&found.passage);
    let side = |side: usize, text: &'p str, span: Range<usize>| {
        let words = if side == 0 { &found.passage.left } else { &found.passage.right };
        let tokens = &tokens[side];
        let mut is_marked = vec![mark == Mark::Changed; tokens.len()];
        for run in &found.passage.runs {
            let aligned = run.range(side);
            let from = (aligned.start - words.start).min(tokens.len());
            let to = (aligned.end - words.start).min(tokens.len());
            is_marked[from..to].fill(mark == Mark::Unchanged);
        }
        let place = |token: &Token| span.start + token.span.start..span.start + token.span.end;
        let places: Vec<_> = tokens.iter().map(place).zip(is_marked).collect();
        let stretches = places.chunk_by(|one, next| one.1 == next.1).filter(|words| words[0].1);
        let mut marked: Vec<Range<usize>> =
            stretches.map(|words| words[0].0.start..words[words.len() - 1].0.end).collect();
        marked.dedup();
        let unchanged = found.passage.words();
        Side {
            text,
            mark,
            marked,
            starts: places.iter().map(|(place, is_marked)| (place.start, *is_marked)).collect(),
            span,
            words: words.len(),
            marked_words: match mark {
                Mark::Changed => words.len() - unchanged,
                Mark::Unchanged => unchanged,
            },
        }
    };
    [side(0, left, left_span), side(1, right, right_span)]
}

/// The beginning of a place.
fn first_words<'t>(text: &'t Text, place: &Place, most: usize) -> (&'t str, Range<usize>) {
    let (text, Range { start, end }) = (text.content(), place.content.clone());
    if end - start <= most {
        return (text, start..end);
    }
    let cut = text.floor_char_boundary(start + most);
    let space = text[start..cut].rfind(char::is_whitespace);
    (text, start..space.map_or(cut, |space| start + space))
}

// The columns of a screen that passages stand in.

/// The columns from which on two texts stand side by side.
const WIDE: usize = 100;

/// The most columns that are used: longer rows are hard to read.
const WIDEST: usize = 200;

/// The rows of a side of a passage, at most: side by side, and where there is another side to
/// be shown below. The last one says how much more there is.
const ROWS: [usize; 2] = [8, 5];

/// What stands between two texts.
pub(super) const BESIDE: &str = " | ";

/// The digits of the number of a line or page that there is room for at least.
const DIGITS: usize = 3;

/// The spaces around that number.
const AROUND: usize = 3;

/// The fewest columns of text: a letter that takes two, in brackets.
const NARROWEST: usize = 4;

/// The bytes of the text that a column is cut from, for each of its places: a letter with its
/// marks seldom has more.
const BYTES: usize = 8;

/// One column or two.
pub(super) struct Columns {
    each: usize,
    /// The digits of the greatest number of a line or page.
    digits: usize,
    are_two: bool,
}

impl Columns {
    /// The columns of a screen of the given width, for numbers of lines or pages up to `greatest`.
    pub(super) fn new(width: usize, greatest: usize) -> Self {
        let width = width.min(WIDEST);
        let are_two = width >= WIDE;
        let each = if are_two { (width - BESIDE.len()) / 2 } else { width };
        Self { each, digits: greatest.to_string().len().max(DIGITS), are_two }
    }

    /// Whether two texts stand side by side.
    pub(super) fn are_two(&self) -> bool {
        self.are_two
    }

    /// The width of each, numbers included.
    pub(super) fn each(&self) -> usize {
        self.each
    }

    /// The width that is left for text.
    pub(super) fn text_width(&self) -> usize {
        self.each.saturating_sub(self.digits + AROUND).max(NARROWEST)
    }

    /// The rows of a side of a passage, at most.
    pub(super) fn rows(&self) -> usize {
        ROWS[usize::from(!self.are_two)]
    }

    /// The bytes of a text that are enough for all of its rows.
    pub(super) fn head(&self) -> usize {
        self.text_width() * self.rows() * BYTES
    }

    /// A row as it is printed, with spaces up to the end of its column.
    pub(super) fn padded(&self, row: Option<&Row>) -> String {
        let Some(row) = row else { return " ".repeat(self.each) };
        let number = row.number.map_or(String::new(), |line| line.to_string());
        let spaces = self.text_width().saturating_sub(row.width());
        format!(" {number:>digits$}  {row}{:spaces$}", "", digits = self.digits)
    }
}

// A side of a passage → the rows of a column.

/// The columns of the brackets around what is marked.
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
    pub(super) number: Option<usize>,
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
    is_marked: bool,
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
    /// The row with its colours; what is marked also stands in brackets.
    fn fmt(&self, to: &mut Formatter<'_>) -> Result {
        let style = Style::new().fg_color(Some(AnsiColor::Yellow.into()));
        // So that text from right to left stays within its column.
        let is_leftward = self.clusters.iter().any(|it| it.shown.chars().any(is_leftward));
        let [first, last] = if is_leftward { ["\u{2068}", "\u{2069}"] } else { [""; 2] };
        to.write_str(first)?;
        for alike in self.clusters.chunk_by(|one, next| one.is_marked == next.is_marked) {
            let text: String = alike.iter().map(|cluster| &*cluster.shown).collect();
            if alike[0].is_marked {
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
    let (mut width, mut was_marked) = (0, false);
    for cluster in clusters {
        let opens = cluster.is_marked && !was_marked;
        width += cluster.columns + if opens { BRACKETS } else { 0 };
        was_marked = cluster.is_marked;
    }
    width
}

/// The rows of a side, each at most `columns` wide. White space of any length is one space, or the end
/// of a row.
pub(super) fn wrap(side: &Side, columns: usize) -> Vec<Row> {
    let (mut rows, mut row) = (Vec::new(), Row { is_first: true, ..Row::default() });
    for Unit { space, clusters } in units(side) {
        let space = space.filter(|_| !row.clusters.is_empty());
        let whole = row.clusters.iter().chain(&space).chain(&clusters);
        if width(whole) <= columns {
            row.clusters.extend(space);
        } else if !row.clusters.is_empty() {
            rows.push(std::mem::take(&mut row));
        }
        for cluster in clusters {
            if !row.clusters.is_empty() && width(row.clusters.iter().chain([&cluster])) > columns {
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

/// Keeps at most `most` rows of a side. Where that is not all of the passage, the last of
/// them says how many words more there are, and how many of those are changed.
pub(super) fn cut(rows: &mut Vec<Row>, side: &Side, most: usize) {
    if rows.len() <= most && side.starts.len() >= side.words {
        return;
    }
    let end = rows.get(most - 1).and_then(|row| row.start).unwrap_or(side.span.end);
    rows.truncate(most - 1);
    let shown = &side.starts[..side.starts.partition_point(|(start, _)| *start < end)];
    let marked = shown.iter().filter(|(_, is_marked)| *is_marked).count();
    let more = [(side.words, shown.len()), (side.marked_words, marked)];
    let shown = match more.map(|(all, shown)| all.saturating_sub(shown)) {
        [0, _] => "…".to_owned(),
        [words, 0] => format!("… {}", counted(words, "more word")),
        [words, marked] => {
            let (words, marked) = (counted(words, "more word"), thousands(marked));
            format!("… {words}, {marked} {}", side.mark.name())
        }
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
    let mut marked = side.marked.iter().peekable();
    for (at, cluster) in side.text[side.span.clone()].grapheme_indices(true) {
        let at = side.span.start + at;
        while marked.next_if(|span| span.end <= at).is_some() {}
        let is_marked = marked.peek().is_some_and(|span| span.start <= at);
        if cluster.trim().is_empty() {
            space = Some(Cluster { at, shown: " ".to_owned(), columns: 1, is_marked });
            ends_line |= cluster.ends_with('\n');
        } else {
            if units.is_empty() || space.is_some() || may_part(before, cluster) {
                let goes_on = ends_line && is_without_spaces(before) && is_without_spaces(cluster);
                let space = space.take().filter(|_| !goes_on);
                units.push(Unit { space, clusters: Vec::new() });
            }
            (before, ends_line) = (cluster, false);
            let shown = row_lines(cluster);
            let columns = columns(&shown);
            let cluster = Cluster { at, shown, columns, is_marked };
            units.last_mut().expect("one was pushed").clusters.push(cluster);
        }
    }
    units
}

/// A cluster as it is printed: what would move the cursor or break out of its column by its
/// number. Joiners and marks of direction are part of some scripts and do neither.
fn row_lines(cluster: &str) -> String {
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
mod columns_tests {
    use super::*;

    #[test]
    fn columns_are_as_wide_as_the_screen_allows() {
        #[rustfmt::skip]
        let table = [
            ("a telephone",       20,   9,       20,  14, false),
            ("next to nothing",   1,    9,       1,   4,  false),
            ("a usual terminal",  80,   999,     80,  74, false),
            ("many lines",        80,   1_000,   80,  73, false),
            ("not quite enough",  99,   9,       99,  93, false),
            ("enough for two",    100,  9,       48,  42, true),
            ("one more",          101,  9,       49,  43, true),
            ("wide",              200,  9,       98,  92, true),
            ("too wide",          500,  9,       98,  92, true),
        ];
        for (why, width, greatest, each, text_width, are_two) in table {
            let columns = Columns::new(width, greatest);
            let got = (columns.each(), columns.text_width(), columns.are_two());
            assert_eq!(got, (each, text_width, are_two), "{why}");
        }
    }
}

#[cfg(test)]
mod tests;

#[cfg(test)]
mod rows_tests;
