//! A text and its passages → blocks of pieces, from which it can be put together again.
//!
//! A browser lays out only the blocks that are on view, so that a long text opens as fast
//! as a short one. It does not know what the pieces look like.

use std::ops::Range;

use super::page::{Kind, Passage, Place, tint};

/// How long a block becomes before it ends with its line, in bytes.
const BLOCK: usize = 4096;
/// How long a line may be before it is cut, in bytes.
const LINE: usize = 4 * BLOCK;

/// A part of a text that lies in one passage or in none.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(super) struct Piece<'t> {
    pub(super) text: &'t str,
    pub(super) mark: Option<Mark<'t>>,
}

/// A part of a passage.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(super) struct Mark<'t> {
    pub(super) number: usize,
    pub(super) tint: &'static str,
    pub(super) kind: &'static str,
    /// Whether the passage begins with it.
    pub(super) begins: bool,
    pub(super) stretches: Vec<Stretch<'t>>,
}

/// A part of a passage that the other text has, or has not.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(super) struct Stretch<'t> {
    pub(super) text: &'t str,
    pub(super) changed: bool,
}

/// A passage on one side, with its number.
struct Found<'p> {
    number: usize,
    kind: Kind,
    place: &'p Place,
}

/// Cuts a text into blocks, and these at the borders of its passages.
pub(super) fn blocks<'t>(
    content: &'t str,
    passages: &[Passage],
    place: fn(&Passage) -> &Place,
) -> Vec<Vec<Piece<'t>>> {
    let mut found: Vec<Found> = (1..)
        .zip(passages)
        .map(|(number, passage)| Found { number, kind: passage.kind, place: place(passage) })
        .collect();
    found.sort_by_key(|found| found.place.span.start);
    let mut blocks = Vec::new();
    let mut rest = found.as_slice();
    for span in spans(content) {
        let past = rest.iter().take_while(|found| found.place.span.end <= span.start).count();
        rest = &rest[past..];
        blocks.push(pieces(content, &span, rest));
    }
    blocks
}

/// Cuts a block at the borders of the passages, of which the first ends behind its start.
fn pieces<'t>(content: &'t str, block: &Range<usize>, found: &[Found]) -> Vec<Piece<'t>> {
    let mut pieces = Vec::new();
    let mut at = block.start;
    let plain =
        |span: Range<usize>| (!span.is_empty()).then(|| Piece { text: &content[span], mark: None });
    for found in found.iter().take_while(|found| found.place.span.start < block.end) {
        let start = found.place.span.start.max(at);
        let end = found.place.span.end.min(block.end);
        if start < end {
            let mark = Mark {
                number: found.number,
                tint: tint(found.number),
                kind: found.kind.name(),
                begins: start == found.place.span.start,
                stretches: stretches(content, &(start..end), &found.place.changed),
            };
            pieces.extend(plain(at..start));
            pieces.push(Piece { text: &content[start..end], mark: Some(mark) });
            at = end;
        }
    }
    pieces.extend(plain(at..block.end));
    pieces
}

/// Cuts a part of a passage at the borders of what was changed in it.
fn stretches<'t>(
    content: &'t str,
    part: &Range<usize>,
    changed: &[Range<usize>],
) -> Vec<Stretch<'t>> {
    let mut stretches = Vec::new();
    let mut at = part.start;
    let mut push = |span: Range<usize>, changed| {
        if !span.is_empty() {
            stretches.push(Stretch { text: &content[span], changed });
        }
    };
    let first = changed.partition_point(|span| span.end <= part.start);
    for span in changed[first..].iter().take_while(|span| span.start < part.end) {
        let (start, end) = (span.start.max(at), span.end.min(part.end));
        if start < end {
            push(at..start, false);
            push(start..end, true);
            at = end;
        }
    }
    push(at..part.end, false);
    stretches
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
