//! Renders the passages that two texts share as text for the terminal: the longest ones, side by
//! side if the terminal is wide enough, otherwise one below the other.

use std::cmp::Reverse;
use std::fmt::{Display, Formatter, Result, Write};
use std::ops::Range;

use anstyle::{AnsiColor, Style};
use dedup_text::display::{counted, extent, position, thousands, visible, wrapped};
use dedup_text::pair::{Match, Matches};
use dedup_text::passages::{Kind, Passage};
use dedup_text::text::{Place, Text};
use dedup_text::tokens::{self, Token};
use dedup_text::verdict::Verdict;
use unicode_segmentation::UnicodeSegmentation;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use crate::model::Pair;
use crate::model::phrases::some_short;

/// A passage that is shown.
struct Shown<'p> {
    /// The number of the passage, counted from 1 in the order of the left text, as in JSON.
    id: usize,
    found: &'p Match,
    /// The rows of the left and of the right side.
    sides: [Vec<ShownRow>; 2],
}

/// Renders the `limit` longest passages in the order of the left text, with their numbers in that
/// order, for a terminal of `width` columns. Identical texts are a single passage, of which nothing
/// is shown.
pub(super) fn shown(pair: &Pair, names: &[String; 2], limit: usize, width: usize) -> String {
    let Some(matches) = &pair.judgement.matches else { return String::new() };
    let mut page = short(matches, width);
    if pair.judgement.decision.verdict == Verdict::Identical {
        return page;
    }
    let mut longest: Vec<(usize, &Match)> = (1..).zip(&matches.all).collect();
    longest.sort_by_key(|(id, found)| (Reverse(found.passage.words()), *id));
    longest.truncate(limit);
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
        page += &one(passage, names, &columns, width);
    }
    page + &more(matches.all.len(), shown.len(), width)
}

/// Renders the line about the passages that are listed separately because they are too short,
/// dimmed, for a terminal of `width` columns. Returns an empty string if there are none.
fn short(matches: &Matches, width: usize) -> String {
    const INDENT: usize = super::LABEL_WIDTH + 1;
    let Some(short) = some_short(matches) else { return String::new() };
    let grey = Style::new().dimmed();
    let words = short.all.iter().map(|found| found.passage.words()).sum();
    let what = format!(
        "{} of fewer than {} words not shown ({}; --ignore short)",
        counted(short.all.len(), "passage"),
        thousands(short.below),
        counted(words, "word"),
    );
    let rows = wrapped(&what, width.saturating_sub(INDENT), 0);
    rows.lines()
        .fold(String::new(), |page, row| format!("{page}{grey}{:INDENT$}{row}{grey:#}\n", ""))
}

/// Sets the numbers of the rows of a side: the line or page of each, for the first row of a passage
/// and for rows where the number changes.
fn number(text: &Text, shown: &mut [Shown], side: usize) {
    let rows = shown.iter_mut().flat_map(|passage| &mut passage.sides[side]);
    let mut rows: Vec<&mut ShownRow> = rows.filter(|row| row.start.is_some()).collect();
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

/// Renders an empty line and a passage, for a terminal of `width` columns.
fn one(
    passage: &Shown,
    [left_name, right_name]: &[String; 2],
    columns: &Columns,
    width: usize,
) -> String {
    let bold = Style::new().bold();
    let title = format!("passage {}", passage.id);
    let heading = format!("{title}    {}", what(&passage.found.passage));
    // No line break is made within the title or within the brackets.
    let heading = heading.replace("[ ]", "[\u{a0}]").replacen(' ', "\u{a0}", 1);
    let heading = wrapped(&heading, width, 2).replace('\u{a0}', " ");
    let mut page = format!("\n{bold}{title}{bold:#}{}", &heading[title.len()..]);
    let [left, right] = &passage.sides;
    let heads = [(left_name, &passage.found.left), (right_name, &passage.found.right)];
    let [left_head, right_head] = heads.map(|(name, place)| head(name, place, columns.each));
    if columns.are_two {
        let spaces = columns.each.saturating_sub(left_head.width());
        let _ = writeln!(page, "{left_head}{:spaces$}{COLUMN_SEPARATOR}{right_head}", "");
        for at in 0..left.len().max(right.len()) {
            let [left, right] = [left, right].map(|rows| columns.padded(rows.get(at)));
            let _ = writeln!(page, "{left}{COLUMN_SEPARATOR}{}", right.trim_end());
        }
    } else {
        for (head, rows) in [(left_head, left), (right_head, right)] {
            let _ = writeln!(page, "{head}");
            for row in rows {
                let _ = writeln!(page, "{}", columns.padded(Some(row)).trim_end());
            }
        }
    }
    for (name, places) in [left_name, right_name].into_iter().zip(&passage.found.repeats) {
        if let Some(repeats) = repeats(name, places) {
            let _ = writeln!(page, "  {}", wrapped(&repeats, width.saturating_sub(2), 4));
        }
    }
    page
}

/// Lists the first places where a text repeats a passage: `again in left.txt: line 7, lines 9 to 10,
/// and in 3 more places`; `None` if there are none.
fn repeats(name: &str, places: &[Place]) -> Option<String> {
    const LISTED: usize = 10;
    let (listed, others) = places.split_at(places.len().min(LISTED));
    let mut places: Vec<String> = listed.iter().map(position).collect();
    places.dedup();
    if !others.is_empty() {
        places.push(format!("and in {}", counted(others.len(), "more place")));
    }
    (!places.is_empty()).then(|| format!("again in {name}: {}", places.join(", ")))
}

/// Describes a passage: its length, how it was changed, and how changes are marked.
fn what(passage: &Passage) -> String {
    let seen = if passage.changed_words() > 0 { ", marked [ ]" } else { "" };
    extent(passage) + seen
}

/// Returns the heading of a side of a passage: `felix.txt, lines 3 to 11`, `olga.pdf, page 3`. If
/// it would be wider than `width` columns, the name begins with an ellipsis, since most names of
/// files differ at their ends. A name of 12 columns or fewer stays whole.
fn head(name: &str, place: &Place, width: usize) -> String {
    const WHOLE_NAME_WIDTH: usize = 12;
    let position = position(place);
    let room = width.saturating_sub("  , ".len() + position.width()).max(WHOLE_NAME_WIDTH);
    if name.width() <= room {
        return format!("  {name}, {position}");
    }
    let starts = name.grapheme_indices(true).rev().map(|(start, _)| start);
    let start = starts.take_while(|start| name[*start..].width() < room).last();
    format!("  …{}, {position}", &name[start.unwrap_or(name.len())..])
}

/// Renders an empty line and the number of passages that are not shown, for a terminal of `width`
/// columns. Returns an empty string if all are shown.
fn more(all: usize, shown: usize, width: usize) -> String {
    let Some(more @ 1..) = all.checked_sub(shown) else { return String::new() };
    let which = if shown == 0 { "passage" } else { "more passage" };
    let line = format!("{}; --passages-shown {all} shows all", counted(more, which));
    format!("\n{}", wrapped(&line, width, 0))
}

// The marked words of a passage: those that differ from the other side or, if most of them do,
// those that do not.

/// One side of a passage, or its beginning.
pub(super) struct ShownSide<'t> {
    /// The text that contains the passage.
    pub(super) text: &'t str,
    /// The span of the side, in bytes of that text.
    pub(super) span: Range<usize>,
    /// Whether the changed or the unchanged words are marked.
    pub(super) mark: Mark,
    /// The marked spans in increasing order. Adjacent marked words form one span.
    pub(super) marked: Vec<Range<usize>>,
    /// What is printed instead of spans of the text, in increasing order: how many words are the text's
    /// own; and, instead of no text, how what follows was changed.
    pub(super) notes: Vec<(Range<usize>, String)>,
    /// The start of each word in increasing order, and whether the word is marked.
    pub(super) starts: Vec<(usize, bool)>,
    /// The number of words of the entire passage on this side.
    pub(super) words: usize,
    /// The number of marked words of the entire passage on this side.
    pub(super) marked_words: usize,
}

/// The kind of words that are marked in a passage.
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

/// Returns both sides of a passage, each cut to at most `max_bytes` bytes, at white space if there
/// is any.
pub(super) fn between<'p>(pair: &Pair<'p>, found: &Match, max_bytes: usize) -> [ShownSide<'p>; 2] {
    let (left, left_span) = first_words(pair.left, &found.left, max_bytes);
    let (right, right_span) = first_words(pair.right, &found.right, max_bytes);
    let tokens =
        [tokens::split(&left[left_span.clone()]).0, tokens::split(&right[right_span.clone()]).0];
    let mark = Mark::new(&found.passage);
    let side = |side: usize, text: &'p str, span: Range<usize>| {
        let words = if side == 0 { &found.passage.left } else { &found.passage.right };
        let tokens = &tokens[side];
        let marked_words: Vec<Range<usize>> = match mark {
            Mark::Changed => found.passage.changed[side].clone(),
            Mark::Unchanged => found.passage.runs.iter().map(|run| run.range(side)).collect(),
        };
        let mut is_marked = vec![false; tokens.len()];
        let at = |word: usize| (word - words.start).min(tokens.len());
        for words in &marked_words {
            is_marked[at(words.start)..at(words.end)].fill(true);
        }
        let start =
            |word| tokens.get(at(word)).map_or(span.end, |token| span.start + token.span.start);
        let notes = notes(&found.passage, side).into_iter();
        let notes = notes.map(|(words, note)| (start(words.start)..start(words.end), note));
        let notes = notes.filter(|(span_of, _)| span_of.start < span.end).collect();
        let place = |token: &Token| span.start + token.span.start..span.start + token.span.end;
        let places: Vec<_> = tokens.iter().map(place).zip(is_marked).collect();
        let stretches = places.chunk_by(|one, next| one.1 == next.1).filter(|words| words[0].1);
        let mut marked: Vec<Range<usize>> =
            stretches.map(|words| words[0].0.start..words[words.len() - 1].0.end).collect();
        marked.dedup();
        ShownSide {
            text,
            mark,
            marked,
            notes,
            starts: places.iter().map(|(place, is_marked)| (place.start, *is_marked)).collect(),
            span,
            words: words.len(),
            marked_words: marked_words.iter().map(Range::len).sum(),
        }
    };
    [side(0, left, left_span), side(1, right, right_span)]
}

/// Returns what is printed instead of the words of a passage that are the text's own and, if the passage
/// has stretches of several kinds, before each that is of another kind than the one before.
fn notes(passage: &Passage, side: usize) -> Vec<(Range<usize>, String)> {
    let parts = passage.parts(side);
    let mut kinds = parts.iter().filter_map(|(_, kind)| *kind);
    let first = kinds.next();
    let is_mixed = kinds.any(|kind| Some(kind) != first);
    let mut last = None;
    let note = |(words, kind): (Range<usize>, Option<Kind>)| match kind {
        None => {
            let note = format!("(… {} …)", counted(words.len(), "other word"));
            Some((words, note))
        }
        Some(_) if !is_mixed || last.replace(kind) == Some(kind) => None,
        Some(Kind::Exact) => Some((words.start..words.start, "(word for word)".to_owned())),
        Some(kind) => Some((words.start..words.start, format!("({})", kind.name()))),
    };
    parts.into_iter().filter_map(note).collect()
}

/// Returns a text and the span of the beginning of a place in it, of at most `max_bytes` bytes.
fn first_words<'t>(text: &'t Text, place: &Place, max_bytes: usize) -> (&'t str, Range<usize>) {
    let (text, Range { start, end }) = (text.content(), place.content.clone());
    if end - start <= max_bytes {
        return (text, start..end);
    }
    let cut = text.floor_char_boundary(start + max_bytes);
    let space = text[start..cut].rfind(char::is_whitespace);
    (text, start..space.map_or(cut, |space| start + space))
}

// The columns of the terminal in which passages are shown.

/// The smallest width of the terminal, in columns, at which two texts are shown side by side.
const WIDE: usize = 100;

/// The largest width that is used, in columns. Longer rows are hard to read.
const WIDEST: usize = 200;

/// The largest number of rows of a side of a passage: if the sides are next to each other, and if
/// one is below the other. The last row states how many words are not shown.
const MAX_ROWS: [usize; 2] = [8, 5];

/// The separator between two texts that are shown side by side.
pub(super) const COLUMN_SEPARATOR: &str = " | ";

/// The minimum width of the number of a line or page, in digits.
const DIGITS: usize = 3;

/// The number of spaces around that number.
const NUMBER_SPACES: usize = 3;

/// The minimum width of the text, in columns: a letter of two columns, in brackets.
const NARROWEST: usize = 4;

/// The number of bytes of text that are read per column of the terminal. A letter with its
/// combining marks seldom has more bytes.
const BYTES_PER_COLUMN: usize = 8;

/// The layout of passages: in one column of text or in two.
pub(super) struct Columns {
    /// The width of each column of text, including the numbers.
    each: usize,
    /// The number of digits of the greatest number of a line or page.
    digits: usize,
    /// Whether two texts are shown side by side.
    are_two: bool,
}

impl Columns {
    /// Returns the layout for a terminal of the given width and numbers of lines or pages up to
    /// `greatest`.
    pub(super) fn new(width: usize, greatest: usize) -> Self {
        let width = width.min(WIDEST);
        let are_two = width >= WIDE;
        let each = if are_two { (width - COLUMN_SEPARATOR.len()) / 2 } else { width };
        Self { each, digits: greatest.to_string().len().max(DIGITS), are_two }
    }

    /// Returns the width of the text alone.
    pub(super) fn text_width(&self) -> usize {
        self.each.saturating_sub(self.digits + NUMBER_SPACES).max(NARROWEST)
    }

    /// Returns the largest number of rows of a side of a passage.
    pub(super) fn rows(&self) -> usize {
        MAX_ROWS[usize::from(!self.are_two)]
    }

    /// Returns a number of bytes of text that is enough for all rows of a side.
    pub(super) fn head(&self) -> usize {
        self.text_width() * self.rows() * BYTES_PER_COLUMN
    }

    /// Formats a row, padded with spaces to the width of its column.
    pub(super) fn padded(&self, row: Option<&ShownRow>) -> String {
        let Some(row) = row else { return " ".repeat(self.each) };
        let number = row.number.map_or(String::new(), |line| line.to_string());
        let spaces = self.text_width().saturating_sub(row.width());
        format!(" {number:>digits$}  {row}{:spaces$}", "", digits = self.digits)
    }
}

// Wrapping a side of a passage into the rows of a column.

/// The number of columns of the brackets around a marked span.
const BRACKETS: usize = 2;

/// A row of a column of text.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub(super) struct ShownRow {
    /// The byte of the text at which the row begins; `None` for a row that states how many words
    /// are not shown.
    pub(super) start: Option<usize>,
    /// Whether the row is the first of its passage.
    pub(super) is_first: bool,
    /// The number of the line or page that is printed in front of the row; `None` if it is that of
    /// the row above.
    pub(super) number: Option<usize>,
    clusters: Vec<Cluster>,
}

/// A grapheme cluster: what a reader sees as one letter.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
struct Cluster {
    /// Its offset in the text, in bytes.
    at: usize,
    /// Its printed form.
    shown: String,
    columns: usize,
    is_marked: bool,
}

/// A sequence of clusters that is broken only if it is too long for a row.
#[derive(Default)]
struct Unit {
    /// The white space before it, as a single space; `None` if there is none, or if it is a line
    /// break between letters of a script without spaces.
    space: Option<Cluster>,
    clusters: Vec<Cluster>,
}

impl ShownRow {
    /// Returns the width of the row in columns.
    pub(super) fn width(&self) -> usize {
        width(self.clusters.iter())
    }
}

impl Display for ShownRow {
    /// Formats the row with colors; marked spans are in brackets as well.
    fn fmt(&self, to: &mut Formatter<'_>) -> Result {
        let style = Style::new().fg_color(Some(AnsiColor::Yellow.into()));
        // Isolates the row, so that right-to-left text stays within its column.
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

/// Returns the width of consecutive clusters in columns, including brackets.
fn width<'c>(clusters: impl Iterator<Item = &'c Cluster>) -> usize {
    let (mut width, mut was_marked) = (0, false);
    for cluster in clusters {
        let opens = cluster.is_marked && !was_marked;
        width += cluster.columns + if opens { BRACKETS } else { 0 };
        was_marked = cluster.is_marked;
    }
    width
}

/// Wraps a side into rows of at most `columns` columns. White space of any length becomes a single
/// space or the end of a row.
pub(super) fn wrap(side: &ShownSide, columns: usize) -> Vec<ShownRow> {
    let (mut rows, mut row) = (Vec::new(), ShownRow { is_first: true, ..ShownRow::default() });
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

/// Cuts a side to at most `max_rows` rows. If words of the passage are not shown, the last row
/// states how many, and how many of them are marked.
pub(super) fn cut(rows: &mut Vec<ShownRow>, side: &ShownSide, max_rows: usize) {
    if rows.len() <= max_rows && side.starts.len() >= side.words {
        return;
    }
    let end = rows.get(max_rows - 1).and_then(|row| row.start).unwrap_or(side.span.end);
    rows.truncate(max_rows - 1);
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
    rows.push(ShownRow { clusters, ..ShownRow::default() });
}

/// Splits a side into units: the pieces between white space, and each letter of a script without
/// spaces.
fn units(side: &ShownSide) -> Vec<Unit> {
    let mut units: Vec<Unit> = Vec::new();
    let mut space: Option<Cluster> = None;
    let (mut before, mut ends_line) = ("", false);
    let mut marked = side.marked.iter().peekable();
    let mut notes = side.notes.iter().peekable();
    let mut next = 0;
    let blank = |at| Cluster { at, shown: " ".to_owned(), columns: 1, is_marked: false };
    for (at, cluster) in side.text[side.span.clone()].grapheme_indices(true) {
        let at = side.span.start + at;
        while let Some((instead, note)) = notes.next_if(|(instead, _)| instead.start <= at) {
            next = instead.end;
            for word in note.split(' ') {
                let shown = word.to_owned();
                let columns = word.width();
                let clusters = vec![Cluster { at, shown, columns, is_marked: false }];
                units.push(Unit { space: space.take(), clusters });
                space = Some(blank(at));
            }
            (before, ends_line) = ("", false);
        }
        if at < next {
            continue;
        }
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

/// Returns the printed form of a cluster: characters that would move the cursor or break out of the
/// column are escaped by their code points. Joiners and direction marks belong to some scripts and
/// do neither.
fn row_lines(cluster: &str) -> String {
    let is_part = |letter: char| matches!(letter, '\u{200b}'..='\u{200f}');
    let letters = cluster.chars().map(|letter| match letter {
        letter if is_part(letter) => letter.to_string(),
        letter => visible(letter.encode_utf8(&mut [0; 4])),
    });
    letters.collect()
}

/// Returns the width of a cluster on a terminal, in columns. In Arabic each letter counts, since
/// few terminals join lam and alef into one glyph.
fn columns(shown: &str) -> usize {
    if shown.chars().any(is_leftward) {
        return shown.chars().filter_map(UnicodeWidthChar::width).sum();
    }
    shown.width()
}

/// Reports whether a character belongs to a right-to-left script, or is the right-to-left mark.
fn is_leftward(letter: char) -> bool {
    matches!(letter, '\u{590}'..='\u{8ff}' | '\u{200f}' | '\u{fb1d}'..='\u{fdff}' | '\u{fe70}'..='\u{fefc}' | '\u{10800}'..='\u{10fff}' | '\u{1e800}'..='\u{1efff}')
}

/// Reports whether a row may end between two clusters without white space between them: next to a
/// letter of a script without spaces, but not before a closing mark and not after an opening one.
fn may_part(before: &str, next: &str) -> bool {
    let is_word = |cluster: &str| cluster.chars().all(char::is_alphanumeric);
    let is_alone = |cluster: &str| is_without_spaces(cluster) && is_word(cluster);
    let opens =
        |cluster: &str| cluster.chars().all(|letter| "「『《〈（【〔［｛“‘".contains(letter));
    !opens(before) && (is_alone(next) || is_alone(before) && (is_word(next) || opens(next)))
}

/// Reports whether a cluster belongs to a script that is written without spaces: those whose
/// letters take two columns, except for Korean, and except for emoji.
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
            let got = (columns.each, columns.text_width(), columns.are_two);
            assert_eq!(got, (each, text_width, are_two), "{why}");
        }
    }
}

#[cfg(test)]
mod tests;

#[cfg(test)]
mod rows_tests;
