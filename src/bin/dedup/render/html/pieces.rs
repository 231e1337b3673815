//! A text and its passages → blocks of pieces, from which it can be put together again.
//!
//! A browser lays out only the blocks that are on view, so that a long text opens as fast
//! as a short one. It does not know what the pieces look like.

use std::ops::Range;

use dedup_text::text::Side as Which;

use super::page::{Passage, Place, Side, tint};

/// How long a block becomes before it ends with its line, in bytes.
const BLOCK: usize = 4096;
/// How long a line may be before it is cut, in bytes.
const LINE: usize = 4 * BLOCK;

/// A part of a text that lies in one passage or in none; never empty.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(super) struct Piece<'t> {
    pub(super) mark: Option<Mark>,
    pub(super) stretches: Vec<Stretch<'t>>,
}

/// A part of a passage.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(super) struct Mark {
    pub(super) number: usize,
    pub(super) tint: &'static str,
    pub(super) kind: &'static str,
    /// Whether the passage begins with it.
    pub(super) begins: bool,
}

/// A part of a piece that is all of one sort.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(super) struct Stretch<'t> {
    pub(super) text: &'t str,
    pub(super) state: State,
    /// The number of the passage's part that begins with it.
    pub(super) part: Option<usize>,
    /// What was written, where it shows a word in other characters.
    pub(super) written: Option<&'t str>,
}

/// What there is to say of a stretch.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum State {
    /// Nothing: it is aligned, or lies in no passage.
    Plain,
    /// Of a passage, but the other text has it not.
    Changed,
    /// It does not count.
    Out { why: &'static str, begins: bool },
}

/// Cuts a text into blocks, and these at the borders of its passages.
pub(super) fn blocks<'t>(
    side: &'t Side,
    passages: &[Passage],
    which: Which,
) -> Vec<Vec<Piece<'t>>> {
    let mut numbered: Vec<(usize, &Passage)> = (1..).zip(passages).collect();
    numbered.sort_by_key(|(_, passage)| passage.place(which).span.start);
    let spans = spans(&side.content);
    spans.into_iter().map(|span| pieces(side, span, &numbered, which)).collect()
}

/// Cuts a block at the borders of the passages, which are in order.
fn pieces<'t>(
    side: &'t Side,
    block: Range<usize>,
    passages: &[(usize, &Passage)],
    which: Which,
) -> Vec<Piece<'t>> {
    let mut pieces = Vec::new();
    let nowhere = Place::default();
    let span = |(_, passage): &(usize, &Passage)| passage.place(which).span.clone();
    cut_at(block, passages, span, |piece, passage| {
        let place = passage.map_or(&nowhere, |(_, passage)| passage.place(which));
        let mark = passage.map(|(number, passage)| Mark {
            number: *number,
            tint: tint(*number),
            kind: passage.kind,
            begins: piece.start == place.span.start,
        });
        pieces.push(Piece { mark, stretches: stretches(side, piece, place) });
    });
    pieces
}

/// Cuts a piece at the borders of what does not count, of what was changed in the place that
/// it is of, of the parts of that, and of words in disguise.
fn stretches<'t>(side: &'t Side, piece: Range<usize>, place: &Place) -> Vec<Stretch<'t>> {
    let mut spans = Vec::new();
    let first = place.parts.partition_point(|(start, _)| *start < piece.start);
    cut_at(
        piece,
        &side.left_out,
        |out| out.span.clone(),
        |span, out| match out {
            Some(out) => {
                let begins = span.start == out.span.start;
                spans.push((span, State::Out { why: out.why, begins }));
            }
            None => cut_at(span, &place.changed, Range::clone, |span, changed| {
                spans.push((span, if changed.is_some() { State::Changed } else { State::Plain }));
            }),
        },
    );

    let mut stretches = Vec::new();
    let mut push = |span: Range<usize>, mut state, mut part: Option<usize>| {
        cut_at(
            span,
            &side.disguised,
            |word| word.span.clone(),
            |span, word| {
                let (text, written) = (side.text(span), word.map(|word| word.written.as_str()));
                stretches.push(Stretch { text, state, part: part.take(), written });
                if let State::Out { begins, .. } = &mut state {
                    *begins = false;
                }
            },
        );
    };
    let mut parts = place.parts[first..].iter().peekable();
    for (span, state) in spans {
        let (mut at, mut begun) = (span.start, None);
        while let Some((start, number)) = parts.next_if(|(start, _)| *start < span.end) {
            push(at..*start, state, begun);
            (at, begun) = (*start, Some(*number));
        }
        push(at..span.end, state, begun);
    }
    stretches
}

/// Cuts a range at the borders of parts, which are in order: what lies in none of them, and what
/// lies in one; nothing of it is empty.
fn cut_at<'s, T>(
    range: Range<usize>,
    parts: &'s [T],
    span: impl Fn(&T) -> Range<usize>,
    mut push: impl FnMut(Range<usize>, Option<&'s T>),
) {
    let mut push = |span: Range<usize>, part| {
        if !span.is_empty() {
            push(span, part);
        }
    };
    let mut at = range.start;
    let first = parts.partition_point(|part| span(part).end <= range.start);
    for part in &parts[first..] {
        let Range { start, end } = span(part);
        if start >= range.end {
            break;
        }
        push(at..start.max(at), None);
        push(start.max(at)..end.min(range.end), Some(part));
        at = end;
    }
    push(at..range.end, None);
}

/// Cuts a text into blocks of whole lines; only a line without an end in sight is cut,
/// behind a space where it has one.
fn spans(content: &str) -> Vec<Range<usize>> {
    let mut spans = Vec::new();
    let mut start = 0;
    let mut at = 0;
    for line in content.split_inclusive('\n') {
        let end = at + line.len();
        while end - at > LINE {
            at += cut(&content[at..end]);
            spans.push(start..at);
            start = at;
        }
        at = end;
        if at - start >= BLOCK {
            spans.push(start..at);
            start = at;
        }
    }
    if start < at {
        spans.push(start..at);
    }
    spans
}

/// Where a line that is too long is cut.
fn cut(line: &str) -> usize {
    let most = line.floor_char_boundary(LINE);
    let head = &line[..most];
    let behind_space = |(at, space): (usize, char)| at + space.len_utf8();
    let cut =
        head.char_indices().rfind(|(_, letter)| letter.is_whitespace()).map_or(most, behind_space);
    // A carriage return stays with its line feed.
    if line[..cut].ends_with('\r') && line[cut..].starts_with('\n') { cut + 1 } else { cut }
}

#[cfg(test)]
mod tests;
