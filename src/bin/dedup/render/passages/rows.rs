//! A side of a passage → the rows of a column.

use std::fmt::{Display, Formatter, Result};

use anstyle::{AnsiColor, Style};
use unicode_segmentation::UnicodeSegmentation;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use super::changes::Side;
use crate::words::{counted, thousands, visible};

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
            let shown = shown(cluster);
            let columns = columns(&shown);
            let cluster = Cluster { at, shown, columns, is_marked };
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
mod tests;
