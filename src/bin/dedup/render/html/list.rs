//! The passages of a page → the rows of its list and the marks of its maps.

use dedup_text::jaccard::Share;

use super::page::{Page, Passage, Place, Side, tint};
use crate::words::{counted, percent, thousands};

/// How many letters of a passage the list shows.
const BEGINNING: usize = 80;

/// A passage in the list.
#[derive(Debug, Eq, PartialEq)]
pub(super) struct Row {
    pub(super) number: usize,
    pub(super) tint: &'static str,
    pub(super) words: usize,
    /// `121 words, 4 changed, in another order`.
    pub(super) length: String,
    pub(super) left: Spot,
    pub(super) right: Spot,
    pub(super) beginning: String,
}

/// A passage's place in a text.
#[derive(Debug, Eq, PartialEq)]
pub(super) struct Spot {
    pub(super) byte: usize,
    /// `lines 3–11`.
    pub(super) lines: String,
    /// `34 %`, of the text's words.
    pub(super) share: String,
}

/// The rows, the longest passage first.
pub(super) fn rows(page: &Page) -> Vec<Row> {
    let spot = |side: &Side, place: &Place| Spot {
        byte: place.span.start,
        lines: lines(place.lines),
        share: percent(Share::new(place.words, side.words)),
    };
    let mut rows: Vec<Row> = (1..)
        .zip(&page.passages)
        .map(|(number, passage)| Row {
            number,
            tint: tint(number),
            words: passage.words,
            length: length(passage),
            left: spot(&page.left, &passage.left),
            right: spot(&page.right, &passage.right),
            beginning: beginning(page.left.text(passage.left.span.clone())),
        })
        .collect();
    rows.sort_by_key(|row| (usize::MAX - row.words, row.number));
    rows
}

fn length(passage: &Passage) -> String {
    let changed = match passage.changed_words {
        0 => String::new(),
        changed => format!(", {} changed", thousands(changed)),
    };
    let order = if passage.right.parts.is_empty() { "" } else { ", in another order" };
    counted(passage.words, "word") + &changed + order
}

fn lines([first, last]: [usize; 2]) -> String {
    if first == last {
        format!("line {}", thousands(first))
    } else {
        format!("lines {}–{}", thousands(first), thousands(last))
    }
}

/// The first letters of a passage, on one line.
fn beginning(passage: &str) -> String {
    let mut beginning = String::new();
    let mut letters = 0;
    for word in passage.split_whitespace() {
        if !beginning.is_empty() {
            beginning.push(' ');
        }
        for letter in word.chars() {
            if letters == BEGINNING {
                beginning.push('…');
                return beginning;
            }
            beginning.push(letter);
            letters += 1;
        }
    }
    beginning
}

#[cfg(test)]
mod tests {
    use super::*;

    fn passage(words: usize, changed_words: usize, left: usize, right: usize) -> Passage {
        let place = |start: usize| Place { span: start..start + 4, words, ..Place::default() };
        Passage { kind: "", words, changed_words, left: place(left), right: place(right) }
    }

    #[test]
    fn rows_are_the_longest_first_with_their_places() {
        let side = |content: &'static str, words| Side {
            content: content.into(),
            words,
            ..Side::default()
        };
        let mut page = Page {
            left: side("one\r\ntwo\rthree\nfour", 10),
            right: side("aaaa bbbb cccc dddd", 400),
            passages: vec![passage(1, 0, 15, 0), passage(3, 2, 3, 5)],
            ..Page::default()
        };
        page.passages[0].left.lines = [4, 4];
        page.passages[0].right.lines = [1, 1];
        page.passages[1].left =
            Place { lines: [1, 1204], words: 5, ..page.passages[1].left.clone() };
        page.passages[1].right.lines = [2, 3];
        let spot = |byte, lines: &str, share: &str| Spot {
            byte,
            lines: lines.to_owned(),
            share: share.to_owned(),
        };
        let want = [
            Row {
                number: 2,
                tint: "tint-1",
                words: 3,
                length: "3 words, 2 changed".to_owned(),
                left: spot(3, "lines 1–1,204", "50\u{a0}%"),
                right: spot(5, "lines 2–3", "under 1\u{a0}%"),
                beginning: "tw".to_owned(),
            },
            Row {
                number: 1,
                tint: "tint-0",
                words: 1,
                length: "1 word".to_owned(),
                left: spot(15, "line 4", "10\u{a0}%"),
                right: spot(0, "line 1", "under 1\u{a0}%"),
                beginning: "four".to_owned(),
            },
        ];
        assert_eq!(rows(&page), want);
    }

    #[test]
    fn a_beginning_is_one_short_line() {
        let long = "é".repeat(81);
        #[rustfmt::skip]
        let table = [
            ("lines are joined",   "a\r\n  b\tc", "a b c".to_owned()),
            ("just short enough",  &long[..160],  "é".repeat(80)),
            ("cut by letters",     &long,         "é".repeat(80) + "…"),
            ("nothing",            "",            String::new()),
        ];
        for (why, passage, want) in table {
            assert_eq!(beginning(passage), want, "{why}");
        }
    }
}
