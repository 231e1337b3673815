//! Stretches of a text that are looked at letter by letter.

use std::ops::Range;

use super::letters::is_of_word;
use super::spacing::{self, Sure};
use super::turned;
use crate::excerpt::Excerpt;

/// The most bytes of a stretch; no word is as long.
const LONGEST: usize = 4096;

/// Where a stretch is, and what it is.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(super) struct Span {
    pub(super) range: Range<usize>,
    pub(super) what: What,
}

/// What a stretch is.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum What {
    /// Letters, digits, marks and characters of no width.
    Word,
    /// Letters with spaces between.
    Spaced(Sure),
    /// A control that turns text round, and the text.
    Turned,
}

/// A stretch of a text, its letters being changed.
#[derive(Debug)]
pub(super) struct Stretch<'t> {
    written: &'t str,
    span: Span,
    /// The letters as a reader sees them, as far as they are known.
    pub(super) letters: Vec<char>,
}

impl<'t> Stretch<'t> {
    pub(super) fn of(text: &'t str, span: &Span) -> Self {
        let written = &text[span.range.clone()];
        let is_spaced = matches!(span.what, What::Spaced(_));
        let letters = written.chars().filter(|&letter| !(is_spaced && spacing::is_space(letter)));
        Self { written, span: span.clone(), letters: letters.collect() }
    }

    /// As it was written.
    pub(super) fn written(&self) -> &'t str {
        self.written
    }

    pub(super) fn span(&self) -> Range<usize> {
        self.span.range.clone()
    }

    pub(super) fn what(&self) -> What {
        self.span.what
    }

    /// Whether a reader sees it otherwise than it was written.
    pub(super) fn is_changed(&self) -> bool {
        !self.letters.iter().copied().eq(self.written.chars())
    }

    /// Writes what a reader sees of it.
    pub(super) fn write(&self, excerpt: &mut Excerpt) {
        excerpt.write(&self.letters.iter().collect::<String>(), self.span());
    }
}

/// The stretches around places in a text, which increase. They do not overlap.
pub(super) fn around(text: &str, places: impl Iterator<Item = usize>) -> Vec<Span> {
    let mut spans: Vec<Span> = Vec::new();
    for place in places {
        let done = spans.last().map_or(0, |span| span.range.end);
        if place < done {
            continue;
        }
        if let Some(span) = one_around(text, place, done) {
            spans.push(span);
        }
    }
    spans
}

fn one_around(text: &str, place: usize, done: usize) -> Option<Span> {
    let letter = text[place..].chars().next()?;
    if spacing::is_space(letter) {
        let (range, sure) = spacing::around(text, place, done)?;
        return Some(Span { range, what: What::Spaced(sure) });
    }
    if turned::turns(letter) {
        let limit = floor(text, place + LONGEST);
        return Some(Span { range: turned::from(text, place, limit), what: What::Turned });
    }
    let before = &text[done.max(floor(text, place.saturating_sub(LONGEST / 2)))..place];
    let letters_before = before.chars().rev().take_while(|&letter| is_of_word(letter));
    let start = place - letters_before.map(char::len_utf8).sum::<usize>();
    let after = &text[place..floor(text, start + LONGEST)];
    let letters_after =
        after.chars().take_while(|&letter| is_of_word(letter) && !turned::turns(letter));
    let end = place + letters_after.map(char::len_utf8).sum::<usize>();
    (start < end).then_some(Span { range: start..end, what: What::Word })
}

/// The last character boundary that is not behind a byte.
fn floor(text: &str, byte: usize) -> usize {
    let mut floor = byte.min(text.len());
    while !text.is_char_boundary(floor) {
        floor -= 1;
    }
    floor
}

/// The stretches, and all words between them that may hide something.
pub(super) fn and_words(
    text: &str,
    spans: Vec<Span>,
    may_hide: impl Fn(&str) -> bool,
) -> Vec<Span> {
    let mut all = Vec::new();
    let mut done = 0;
    let add_words = |all: &mut Vec<Span>, between: Range<usize>| {
        let mut start = between.start;
        for word in text[between].split_inclusive(|letter| !is_of_word(letter)) {
            let bare = word.trim_end_matches(|letter| !is_of_word(letter));
            if bare.len() <= LONGEST && may_hide(bare) {
                all.push(Span { range: start..start + bare.len(), what: What::Word });
            }
            start += word.len();
        }
    };
    for span in spans {
        add_words(&mut all, done..span.range.start);
        done = span.range.end;
        all.push(span);
    }
    add_words(&mut all, done..text.len());
    all
}
