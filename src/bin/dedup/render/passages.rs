//! The passages that both texts share, for a person: the longest first, side by side where
//! the screen is wide enough, one above the other where it is not.

mod changes;
mod columns;
mod rows;

use std::cmp::Reverse;
use std::fmt::Write;

use anstyle::Style;
use dedup_text::jaccard::Share;
use dedup_text::pair::{Match, Matches};
use dedup_text::passages::Passage;
use dedup_text::text::{Place, Text};
use dedup_text::verdict::Verdict;

use crate::model::pair::Pair;
use crate::words::{counted, extent, lines, thousands};
use columns::{BESIDE, Columns};
use rows::Row;

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
    let lines = longest.iter().map(|(_, found)| found.left.lines[1].max(found.right.lines[1]));
    let columns = Columns::of(width, lines.max().unwrap_or_default());
    let shown = longest.iter().map(|(id, found)| Shown {
        id: *id,
        found,
        sides: changes::between(pair, found, columns.head()).map(|side| {
            let mut rows = rows::wrap(&side, columns.room());
            rows::cut(&mut rows, &side, columns.rows());
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
            format!("{} of {}", thousands(it.shared()), thousands(it.of()))
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
    super::details::line(["Passages", &figure, &format!("limit {least}"), &meaning])
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
    format!("{grey}{:INDENT$}{what}{grey:#}\n", "", INDENT = super::details::NAMES + 1)
}

/// Gives the rows of a side the numbers of their lines, where those change from row to row.
fn number(text: &Text, shown: &mut [Shown], side: usize) {
    let rows = shown.iter_mut().flat_map(|passage| &mut passage.sides[side]);
    let mut rows: Vec<&mut Row> = rows.filter(|row| row.start.is_some()).collect();
    let starts: Vec<_> = rows.iter().filter_map(|row| row.start).map(|at| at..at).collect();
    let places = text.places(&starts);
    let mut last = None;
    for (row, Place { lines: [line, _], .. }) in rows.iter_mut().zip(places) {
        let is_new = last != Some(line) || row.is_first;
        row.line = is_new.then_some(line);
        last = Some(line);
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

/// What stands above a side of a passage: `felix.txt, lines 3 to 11`.
fn head(name: &str, place: &Place) -> String {
    format!("  {name}, {}", lines(place))
}

/// An empty line, and how many passages are not shown.
fn more(all: usize, shown: usize) -> String {
    let Some(more @ 1..) = all.checked_sub(shown) else { return String::new() };
    let which = if shown == 0 { "passage" } else { "more passage" };
    format!("\n{}; --passages-shown {all} shows all\n", counted(more, which))
}

#[cfg(test)]
mod tests;
