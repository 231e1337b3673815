//! A text and its passages → blocks of pieces, from which it can be put together again.
//!
//! A browser lays out only the blocks that are on view, so that a long text opens as fast
//! as a short one. It does not know what the pieces look like.

use std::ops::Range;

use dedup_text::text::Side as Which;

use super::page::{Out, Passage, Place, Side, tint};

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
    side: &Side<'t>,
    passages: &[Passage],
    which: Which,
) -> Vec<Vec<Piece<'t>>> {
    let mut numbered: Vec<(usize, &Passage)> = (1..).zip(passages).collect();
    numbered.sort_by_key(|(_, passage)| passage.place(which).span.start);
    let spans = spans(side.content);
    spans.into_iter().map(|span| pieces(side, &span, &numbered, which)).collect()
}

/// Cuts a block at the borders of the passages, which are in order.
fn pieces<'t>(
    side: &Side<'t>,
    block: &Range<usize>,
    passages: &[(usize, &Passage)],
    which: Which,
) -> Vec<Piece<'t>> {
    let mut pieces = Vec::new();
    let mut at = block.start;
    let nowhere = Place::default();
    let mut push = |span: Range<usize>, mark, place| {
        if !span.is_empty() {
            pieces.push(Piece { mark, stretches: stretches(side, &span, place) });
        }
    };
    for (number, passage) in overlapping(passages, block, |(_, passage)| &passage.place(which).span)
    {
        let place = passage.place(which);
        let (start, end) = (place.span.start.max(at), place.span.end.min(block.end));
        let mark = Mark {
            number: *number,
            tint: tint(*number),
            kind: passage.kind,
            begins: start == place.span.start,
        };
        push(at..start, None, &nowhere);
        push(start..end, Some(mark), place);
        at = end;
    }
    push(at..block.end, None, &nowhere);
    pieces
}

/// Cuts a piece at the borders of what does not count, of what was changed in the place that
/// it is of, and of the parts of that.
fn stretches<'t>(side: &Side<'t>, piece: &Range<usize>, place: &Place) -> Vec<Stretch<'t>> {
    let mut spans = Vec::new();
    let mut at = piece.start;
    for Out { why, span } in overlapping(&side.left_out, piece, |out| &out.span) {
        let (start, end) = (span.start.max(at), span.end.min(piece.end));
        cut_at_changes(at..start, &place.changed, &mut spans);
        spans.push((start..end, State::Out { why, begins: start == span.start }));
        at = end;
    }
    cut_at_changes(at..piece.end, &place.changed, &mut spans);

    let mut stretches = Vec::new();
    let mut push = |span: Range<usize>, state, part| {
        if !span.is_empty() {
            stretches.push(Stretch { text: &side.content[span], state, part });
        }
    };
    let first = place.parts.partition_point(|(start, _)| *start < piece.start);
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

/// Cuts what counts at the borders of what was changed in it; parts may be empty.
fn cut_at_changes(
    span: Range<usize>,
    changed: &[Range<usize>],
    parts: &mut Vec<(Range<usize>, State)>,
) {
    let mut at = span.start;
    for part in overlapping(changed, &span, |part| part) {
        let (start, end) = (part.start.max(at), part.end.min(span.end));
        parts.push((at..start, State::Plain));
        parts.push((start..end, State::Changed));
        at = end;
    }
    parts.push((at..span.end, State::Plain));
}

/// Those of parts in order that reach into a range.
fn overlapping<'s, T>(
    parts: &'s [T],
    range: &Range<usize>,
    span: impl Fn(&T) -> &Range<usize>,
) -> impl Iterator<Item = &'s T> {
    let first = parts.partition_point(|part| span(part).end <= range.start);
    parts[first..].iter().take_while(move |part| span(part).start < range.end)
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
