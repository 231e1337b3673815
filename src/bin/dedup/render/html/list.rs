//! The passages of a page → the rows of its list and the marks of its maps.

use std::ops::Range;

use dedup_text::jaccard::Share;
use dedup_text::text::Side as Which;
use dedup_text::words::{counted, percent, thousands};

use super::page::{Page, Passage, Place, Side, tint};

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
    /// `lines 3–11`, `page 3`, or `essay.docx, lines 3–11`.
    pub(super) position: String,
    /// `34 %`, of the text's words.
    pub(super) share: String,
}

/// The rows, the longest passage first.
pub(super) fn rows(page: &Page) -> Vec<Row> {
    let spot = |side: &Side, place: &Place| Spot {
        byte: place.span.start,
        position: place.file.clone() + &position(place.found_by),
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

fn position((name, [first, last]): (&str, [usize; 2])) -> String {
    if first == last {
        format!("{name} {}", thousands(first))
    } else {
        format!("{name}s {}–{}", thousands(first), thousands(last))
    }
}

/// The first letters of a passage, on one line.
pub(crate) fn beginning(passage: &str) -> String {
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

// The passages of a page → the marks on the maps beside its texts.

/// The units of a map from end to end.
pub(super) const MAP: usize = 1000;
/// The least that can be seen and hit on a map.
const LEAST: usize = 4;

/// A passage on a map.
#[derive(Debug, Eq, PartialEq)]
pub(super) struct Strip {
    pub(super) number: usize,
    pub(super) tint: &'static str,
    pub(super) top: usize,
    pub(super) height: usize,
}

/// The marks of a side's map from top to bottom; of passages that begin at one place of it
/// only the longest.
pub(super) fn strips(page: &Page, which: Which) -> Vec<Strip> {
    let length = page.side(which).content.len();
    let strip = |(number, passage): (usize, &Passage)| {
        let (top, height) = on_map(&passage.place(which).span, length);
        Strip { number, tint: tint(number), top, height }
    };
    let mut strips: Vec<Strip> = (1..).zip(&page.passages).map(strip).collect();
    strips.sort_by_key(|strip| (strip.top, MAP - strip.height, strip.number));
    strips.dedup_by_key(|strip| strip.top);
    strips
}

/// The parts of a side's map that do not count: top and height.
pub(super) fn left_out(side: &Side) -> Vec<(usize, usize)> {
    let mut parts: Vec<(usize, usize)> =
        side.left_out.iter().map(|out| on_map(&out.span, side.content.len())).collect();
    parts.dedup_by_key(|(top, _)| *top);
    parts
}

/// Where a part of a text is on its map: top and height.
fn on_map(span: &Range<usize>, length: usize) -> (usize, usize) {
    let [start, end] = [span.start, span.end]
        .map(|byte| Share::new(byte, length).map_or(0, |share| share.filled(MAP)));
    let height = (end - start).max(LEAST);
    (start.min(MAP - height), height)
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
        page.passages[0].left.found_by = ("line", [4, 4]);
        page.passages[0].right.found_by = ("page", [1, 1]);
        page.passages[1].left =
            Place { found_by: ("line", [1, 1204]), words: 5, ..page.passages[1].left.clone() };
        page.passages[1].right.found_by = ("slide", [2, 3]);
        let spot = |byte, position: &str, share: &str| Spot {
            byte,
            position: position.to_owned(),
            share: share.to_owned(),
        };
        let want = [
            Row {
                number: 2,
                tint: "tint-1",
                words: 3,
                length: "3 words, 2 changed".to_owned(),
                left: spot(3, "lines 1–1,204", "50\u{a0}%"),
                right: spot(5, "slides 2–3", "under 1\u{a0}%"),
                beginning: "tw".to_owned(),
            },
            Row {
                number: 1,
                tint: "tint-0",
                words: 1,
                length: "1 word".to_owned(),
                left: spot(15, "line 4", "10\u{a0}%"),
                right: spot(0, "page 1", "under 1\u{a0}%"),
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

#[cfg(test)]
mod map_tests {
    use super::super::page::{Out, Place};
    use super::*;

    fn passage(left: usize) -> Passage {
        let left = Place { span: left..left + 4, ..Place::default() };
        Passage { kind: "", words: 1, changed_words: 0, left, right: Place::default() }
    }

    #[test]
    fn a_map_has_each_passage_that_can_be_told_from_others() {
        let content = "x".repeat(100_000);
        let side = Side { content: content.as_str().into(), ..Side::default() };
        let mut passages: Vec<_> = [99_996, 50_010, 50_000, 0].map(passage).into();
        passages[2].left.span.end = 50_600;
        let page = Page { left: side, passages, ..Page::default() };
        let strips = strips(&page, Which::Left);
        let drawn: Vec<_> = strips.iter().map(|s| (s.number, s.top, s.height)).collect();
        // The short ones are four units high; the second begins where the longer third does.
        assert_eq!(drawn, [(4, 0, 4), (3, 500, 6), (1, 996, 4)]);
    }

    #[test]
    fn what_does_not_count_is_on_the_map_too() {
        let content = "x".repeat(10_000);
        let spans = [0..100, 105..106, 109..400, 9_999..10_000];
        let left_out = spans.map(|span| Out { why: "", span }).into();
        let side = Side { content: content.as_str().into(), left_out, ..Side::default() };
        // The second and the third begin at one place.
        assert_eq!(super::left_out(&side), [(0, 10), (10, 4), (996, 4)]);
    }

    #[test]
    fn a_place_is_where_its_share_of_the_text_is() {
        const MAX: usize = usize::MAX;
        #[rustfmt::skip]
        let table = [
            ("all of it",              0..10,           10,  (0, 1000)),
            ("a text of nothing",      0..0,            0,   (0, 4)),
            ("the last half",          5..10,           10,  (500, 500)),
            ("as long as can be",      MAX / 2..MAX,    MAX, (499, 501)),
            ("the end of that",        MAX - 1..MAX,    MAX, (996, 4)),
        ];
        for (why, span, length, want) in table {
            assert_eq!(on_map(&span, length), want, "{why}");
        }
    }
}
