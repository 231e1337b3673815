//! Splits a text and its passages into blocks of pieces, which together are the text again.
//!
//! A browser lays out only the blocks that are visible, so that a long text opens as fast as a
//! short one. This module does not know what the pieces look like.

use std::borrow::Cow;
use std::ops::Range;

use dedup_text::text::formats::Kind;
use dedup_text::text::{Side as Which, Text};
use dedup_text::tokens::without_hyphen;
use serde_json::{Value, json};

use super::page::{PagePlace, PageSide, Passage, tint};

/// The size at which a block ends with the current line, in bytes.
const BLOCK_BYTES: usize = 4096;
/// The size at which a line is cut, in bytes.
const LINE: usize = 4 * BLOCK_BYTES;

/// A part of a text that is in one passage or in none. It is never empty.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(super) struct TextPiece<'t> {
    pub(super) mark: Option<Mark>,
    pub(super) stretches: Vec<Stretch<'t>>,
}

/// A part of a passage.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(super) struct Mark {
    pub(super) number: usize,
    pub(super) tint: &'static str,
    /// How the part was changed: `exact`, `edited` or `reworded`.
    pub(super) kind: &'static str,
    /// Whether the passage begins with this part.
    pub(super) begins: bool,
    /// Whether a stretch of a passage of several begins with this part, so that it says how it was
    /// changed.
    pub(super) says_how: bool,
}

impl Mark {
    /// Returns the kind in words.
    pub(super) fn how(&self) -> &'static str {
        if self.kind == "exact" { "word for word" } else { self.kind }
    }
}

/// A part of a piece with a single state.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(super) struct Stretch<'t> {
    pub(super) text: &'t str,
    pub(super) state: State,
    /// The number of the part of the passage that begins with this stretch.
    pub(super) part: Option<usize>,
    /// The characters in the file, if the stretch is a disguised word that is shown in others.
    pub(super) written: Option<&'t str>,
}

/// The state of a stretch.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum State {
    /// Nothing special: it is aligned or in no passage.
    Plain,
    /// It is changed in the other text.
    Changed,
    /// It is the text's own, between parts of a passage.
    Own,
    /// It does not count.
    Out { why: &'static str, begins: bool },
}

/// Splits a text into blocks, and these at the borders of passages.
pub(super) fn blocks<'t>(
    side: &'t PageSide,
    passages: &[Passage],
    which: Which,
) -> Vec<Vec<TextPiece<'t>>> {
    let mut marked: Vec<Marked> = Vec::with_capacity(passages.len());
    for (number, passage) in (1..).zip(passages) {
        let place = &passage.places[which as usize];
        let stretches = place.stretches.iter().cloned();
        marked.extend(stretches.map(|(span, kind)| Marked {
            number,
            span,
            kind,
            place: Some(place),
        }));
        let repeats = passage.repeats[which as usize].iter().cloned();
        let kind = place.stretches.iter().find_map(|(_, kind)| *kind);
        marked.extend(repeats.map(|span| Marked { number, span, kind, place: None }));
    }
    marked.sort_by_key(|it| it.span.start);
    let spans = spans(&side.content);
    spans.into_iter().map(|span| pieces(side, span, &marked)).collect()
}

/// A span that is marked as a passage.
struct Marked<'p> {
    number: usize,
    span: Range<usize>,
    /// How it was changed; `None` if it is the text's own.
    kind: Option<&'static str>,
    /// The place of the passage; `None` if the span repeats it.
    place: Option<&'p PagePlace>,
}

/// Splits a block at the borders of marked spans, which are in order.
fn pieces<'t>(side: &'t PageSide, block: Range<usize>, all: &[Marked]) -> Vec<TextPiece<'t>> {
    let mut pieces = Vec::new();
    let nowhere = PagePlace::default();
    cut_at(
        block,
        all,
        |it| it.span.clone(),
        |piece, marked| {
            let place = marked.and_then(|marked| marked.place);
            let mark = marked.and_then(|Marked { number, span, kind, .. }| {
                let is_one_of_several = place.is_some_and(|place| place.stretches.len() > 1);
                Some(Mark {
                    number: *number,
                    tint: tint(*number),
                    kind: (*kind)?,
                    begins: place.is_some_and(|place| piece.start == place.span.start),
                    says_how: is_one_of_several && piece.start == span.start,
                })
            });
            let is_own = marked.is_some() && mark.is_none();
            let plain = if is_own { State::Own } else { State::Plain };
            let stretches = stretches(side, piece, place.unwrap_or(&nowhere), plain);
            pieces.push(TextPiece { mark, stretches });
        },
    );
    pieces
}

/// Splits a piece at the borders of what does not count, of the changes and parts of its place, and
/// of disguised words. `plain` is the state of all else.
fn stretches<'t>(
    side: &'t PageSide,
    piece: Range<usize>,
    place: &PagePlace,
    plain: State,
) -> Vec<Stretch<'t>> {
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
                spans.push((span, if changed.is_some() { State::Changed } else { plain }));
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

/// Splits a range at the borders of parts, which are in order, into ranges that are in no part and
/// ranges that are in one. Empty ranges are skipped.
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

/// Splits a text into blocks of entire lines. Only a line of more than [`LINE`] bytes is cut, after
/// white space if it has any.
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
        if at - start >= BLOCK_BYTES {
            spans.push(start..at);
            start = at;
        }
    }
    if start < at {
        spans.push(start..at);
    }
    spans
}

/// Returns the position at which a line that is too long is cut.
fn cut(line: &str) -> usize {
    let limit = line.floor_char_boundary(LINE);
    let head = &line[..limit];
    let behind_space = |(at, space): (usize, char)| at + space.len_utf8();
    let cut =
        head.char_indices().rfind(|(_, letter)| letter.is_whitespace()).map_or(limit, behind_space);
    // A carriage return stays with its line feed.
    if line[..cut].ends_with('\r') && line[cut..].starts_with('\n') { cut + 1 } else { cut }
}

// The blocks of a text in JSON, for the script of a page that stores each text once.
//
// Each block is a list of pieces. Each piece is
// `[passage, begins + 2 · edited + 4 · reworded + 8 · says so, …]`,
// followed by its stretches; the passage is 0 if the piece is in none. A stretch is its length, or
// `[length, state, part, written]`. The state is 0 if it is plain, 1 if it is changed, 2 if it
// is left out, or the reason if a part that is left out begins with it, and 3 if it is the text's own.
// The part is 0 if none begins with it. `written` has the characters in the file if the stretch is disguised. Lengths are
// in UTF-16 code units, as in scripts.

/// Renders the blocks of a text in this form.
pub(super) fn render(blocks: &[Vec<TextPiece>]) -> String {
    let pieces = |block: &Vec<TextPiece>| block.iter().map(piece).collect::<Value>();
    blocks.iter().map(pieces).collect::<Value>().to_string()
}

fn piece(piece: &TextPiece) -> Value {
    let head = match &piece.mark {
        Some(mark) => {
            let kind = match mark.kind {
                "edited" => 2,
                "reworded" => 4,
                _ => 0,
            };
            [mark.number, usize::from(mark.begins) + kind + 8 * usize::from(mark.says_how)]
        }
        None => [0, 0],
    };
    head.into_iter().map(Value::from).chain(piece.stretches.iter().map(stretch)).collect()
}

fn stretch(stretch: &Stretch) -> Value {
    let length = stretch.text.encode_utf16().count();
    let state = match stretch.state {
        State::Plain if (stretch.part, stretch.written) == (None, None) => return json!(length),
        State::Plain => json!(0),
        State::Changed => json!(1),
        State::Own => json!(3),
        State::Out { begins: false, .. } => json!(2),
        State::Out { why, begins: true } => json!(why),
    };
    let part = stretch.part.unwrap_or_default();
    match stretch.written {
        None => json!([length, state, part]),
        Some(written) => json!([length, state, part, written]),
    }
}

// Joining the lines of a PDF into paragraphs.
//
// A PDF has the lines of its pages. In a pane that is as wide as the window they are hard to read.

/// The characters that begin an item of a list.
const BULLETS: &str = "•‣▪–-*";

/// Returns the content of a text as a page shows it. It has the same length, and each word has the
/// same offset. Within a paragraph of a PDF, a line end becomes a space, and a hyphen and a line
/// end within a word become soft hyphens.
pub(crate) fn shown(text: &Text) -> Cow<'_, str> {
    match text.kind() {
        Kind::Pdf => joined(text.content()).into(),
        Kind::Files if text.files().any(|file| file.kind() == Kind::Pdf) => {
            let mut shown = text.content().to_owned();
            for (part, file) in text.parts().zip(text.files()) {
                if file.kind() == Kind::Pdf {
                    shown.replace_range(part.clone(), &joined(&text.content()[part]));
                }
            }
            shown.into()
        }
        _ => text.content().into(),
    }
}

fn joined(content: &str) -> String {
    let mut shown = String::with_capacity(content.len());
    let full = full_length(content);
    let mut lines = content.split_inclusive('\n').peekable();
    while let Some(line) = lines.next() {
        let next = lines.peek().and_then(|next| next.chars().next()).unwrap_or('\n');
        let bare = line.trim_end_matches('\n');
        let begins = next.is_whitespace() || BULLETS.contains(next);
        let word = without_hyphen(bare).filter(|word| word.ends_with(char::is_alphabetic));
        match word {
            _ if begins || bare.chars().count() < full => shown.push_str(line),
            Some(word) if next.is_lowercase() => {
                shown.push_str(word);
                shown.push_str(&soft_hyphens(line.len() - word.len()));
            }
            _ => {
                shown.push_str(bare);
                shown.push(' ');
            }
        }
    }
    shown
}

/// Returns soft hyphens, which have two bytes each, of `length` bytes in all; after a zero-width
/// space, of three bytes, if the length is odd.
fn soft_hyphens(length: usize) -> String {
    let space = if length.is_multiple_of(2) { "" } else { "\u{200b}" };
    space.to_owned() + &"\u{ad}".repeat(length.saturating_sub(space.len()) / 2)
}

/// Returns the minimum length, in characters, of a line that does not end its paragraph: two thirds
/// of the weighted median of the line lengths. Half of the text is in lines of at most the median.
/// The weights are the lengths, so that lists and tables of short lines count only for as much text
/// as they have.
fn full_length(content: &str) -> usize {
    let mut lengths: Vec<usize> = content.lines().map(|line| line.chars().count()).collect();
    lengths.sort_unstable();
    let half = lengths.iter().sum::<usize>() / 2;
    let mut shorter = 0;
    let middle = lengths.into_iter().find(|length| {
        shorter += length;
        shorter > half
    });
    middle.map_or(0, |length| (2 * length).div_ceil(3))
}

#[cfg(test)]
mod cuts_tests {
    use super::*;

    #[test]
    fn a_text_can_be_put_together_again() {
        let stretch = |text, state, part| Stretch { text, state, part, written: None };
        let disguised =
            |text, written| Stretch { written: Some(written), ..stretch(text, State::Plain, None) };
        let says_how = |number, kind, begins, says_how| {
            Some(Mark { number, tint: "", kind, begins, says_how })
        };
        let mark = |number, kind, begins| says_how(number, kind, begins, false);
        let out = |begins| State::Out { why: "quotes", begins };
        #[rustfmt::skip]
        let table = [
            ("nothing",          vec![],                                            "[]"),
            ("an empty block",   vec![vec![]],                                      "[[]]"),
            ("no passage",       vec![vec![TextPiece { mark: None, stretches: vec![stretch("plain", State::Plain, None)] }]],
                                 "[[[0,0,5]]]"),
            ("one in UTF-16 is no byte and no letter",
                                 vec![vec![TextPiece { mark: mark(7, "exact", true), stretches: vec![stretch("é🦊", State::Plain, None)] }]],
                                 "[[[7,1,3]]]"),
            ("one that goes on", vec![vec![], vec![TextPiece { mark: mark(1, "edited", false), stretches: vec![
                                     stretch("ab", State::Changed, None), stretch("c", State::Plain, Some(2)) ] }]],
                                 "[[],[[1,2,[2,1,0],[1,0,2]]]]"),
            ("left out",         vec![vec![TextPiece { mark: mark(1, "edited", true), stretches: vec![
                                     stretch("a", out(true), None), stretch("bc", out(false), Some(1)) ] }]],
                                 "[[[1,3,[1,\"quotes\",0],[2,2,1]]]]"),
            ("behind words of its own", vec![vec![
                                     TextPiece { mark: None, stretches: vec![stretch("ab", State::Own, None)] },
                                     TextPiece { mark: says_how(1, "reworded", false, true), stretches: vec![stretch("c", State::Plain, None)] } ]],
                                 "[[[0,0,[2,3,0]],[1,12,1]]]"),
            ("in disguise",      vec![vec![TextPiece { mark: None, stretches: vec![disguised("a\"", "<U+0430>\"")] }]],
                                 "[[[0,0,[2,0,0,\"<U+0430>\\\"\"]]]]"),
        ];
        for (why, blocks, want) in table {
            assert_eq!(render(&blocks), want, "{why}");
        }
    }
}

#[cfg(test)]
mod paragraphs_tests {
    use super::*;

    #[test]
    fn lines_of_a_paragraph_are_joined() {
        #[rustfmt::skip]
        let table = [
            ("nothing",             "",                                     ""),
            ("a paragraph",         "one two three\nfour five six\nend\n",  "one two three four five six end\n"),
            ("a blank line",        "one two three\n\nfour five six\n",     "one two three\n\nfour five six\n"),
            ("a short line",        "Heading\none two three\nfour five six\n", "Heading\none two three four five six\n"),
            ("short lines of a list", "one\ntwo\nsix\nten\n\none two three\nfour five six\n", "one\ntwo\nsix\nten\n\none two three four five six\n"),
            ("an indented line",    "one two three\n  four five six\n",    "one two three\n  four five six\n"),
            ("a list",              "one two three\n• four five\n– six seven\n", "one two three\n• four five\n– six seven\n"),
            ("a broken word",       "one two thr-\nee four five\n",        "one two thr\u{ad}ee four five\n"),
            ("by a hyphen of Unicode", "one two thr\u{2010}\nee four five\n", "one two thr\u{ad}\u{ad}ee four five\n"),
            ("as Chromium does",    "one two thr\u{ad}\u{2010}\nee four five\n", "one two thr\u{ad}\u{ad}\u{ad}ee four five\n"),
            ("by a soft hyphen",    "one two thr\u{ad}\nee four five\n",   "one two thr\u{200b}ee four five\n"),
            ("after a dash",        "one two thr--\nee four five\n",       "one two thr-- ee four five\n"),
            ("a name in two parts", "one two Jean-\nPaul four five\n",     "one two Jean- Paul four five\n"),
            ("letters of several bytes", "éé éé éé é-\né üü üü ü\n",       "éé éé éé é\u{ad}é üü üü ü\n"),
            ("no line end",         "one two three\nfour five six",         "one two three four five six"),
        ];
        for (why, content, want) in table {
            let shown = joined(content);
            assert_eq!(shown, want, "{why}");
            assert_eq!(shown.len(), content.len(), "{why}");
        }
    }
}

#[cfg(test)]
mod tests;
