//! The passages of a page → the marks on the maps beside its texts.

use std::ops::Range;

use dedup_text::jaccard::Share;
use dedup_text::text::Side as Which;

use super::page::{Page, Passage, Side, tint};

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
