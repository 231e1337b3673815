//! Stretches of a text that are looked at letter by letter.

use std::ops::Range;

use super::letters::is_of_word;
use super::spacing::{self, Sure};
use super::turned;
use crate::text::source_map::Excerpt;

/// The most bytes of a stretch; no word is as long.
const LONGEST: usize = 4096;

/// Where a stretch is, and what it is, in no more than it takes: a text may have one to the
/// word.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) struct Span {
    /// Bytes of the text before it, the lowest byte of the number first.
    start: [u8; 5],
    length: u16,
    pub(super) what: What,
}

impl Span {
    pub(super) fn of(range: &Range<usize>, what: What) -> Self {
        let number = (range.start as u64).to_le_bytes();
        let (start, rest) = number.split_first_chunk().expect("5 of 8 bytes");
        assert_eq!(rest, [0; 3], "no text has 2^40 bytes");
        let length = u16::try_from(range.len()).expect("no stretch is so long");
        Self { start: *start, length, what }
    }

    pub(super) fn range(self) -> Range<usize> {
        let start = self.start.iter().rfold(0, |start, byte| start << 8 | usize::from(*byte));
        start..start + usize::from(self.length)
    }
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

/// A stretch of a text, its letters being changed; one after the other.
#[derive(Debug)]
pub(super) struct Stretch<'t> {
    text: &'t str,
    span: Span,
    /// The letters as a reader sees them, as far as they are known.
    pub(super) letters: Vec<char>,
    /// They as a text.
    shown: String,
}

impl<'t> Stretch<'t> {
    /// At the beginning of a text, and of no length.
    pub(super) fn of(text: &'t str) -> Self {
        let span = Span::of(&(0..0), What::Word);
        Self { text, span, letters: Vec::new(), shown: String::new() }
    }

    /// The next one.
    pub(super) fn move_to(&mut self, span: Span) {
        self.span = span;
        let is_spaced = matches!(span.what, What::Spaced(_));
        let letters = self.written().chars();
        let letters = letters.filter(|&letter| !(is_spaced && spacing::is_space(letter)));
        self.letters.clear();
        self.letters.extend(letters);
    }

    /// As it was written.
    pub(super) fn written(&self) -> &'t str {
        &self.text[self.span()]
    }

    pub(super) fn span(&self) -> Range<usize> {
        self.span.range()
    }

    pub(super) fn what(&self) -> What {
        self.span.what
    }

    /// Whether a reader sees it otherwise than it was written.
    pub(super) fn is_changed(&self) -> bool {
        !self.letters.iter().copied().eq(self.written().chars())
    }

    /// Writes what a reader sees of it.
    pub(super) fn write(&mut self, excerpt: &mut Excerpt) {
        self.shown.clear();
        self.shown.extend(&self.letters);
        excerpt.write(&self.shown, self.span());
    }
}

/// The stretches around places in a text, which increase. They do not overlap.
pub(super) fn around(text: &str, places: impl Iterator<Item = usize>) -> Vec<Span> {
    let mut spans: Vec<Span> = Vec::new();
    for place in places {
        let done = spans.last().map_or(0, |span| span.range().end);
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
        return Some(Span::of(&range, What::Spaced(sure)));
    }
    if turned::turns(letter) {
        let limit = floor(text, place + LONGEST);
        return Some(Span::of(&turned::from(text, place, limit), What::Turned));
    }
    let before = &text[done.max(floor(text, place.saturating_sub(LONGEST / 2)))..place];
    let letters_before = before.chars().rev().take_while(|&letter| is_of_word(letter));
    let start = place - letters_before.map(char::len_utf8).sum::<usize>();
    let after = &text[place..floor(text, start + LONGEST)];
    let letters_after =
        after.chars().take_while(|&letter| is_of_word(letter) && !turned::turns(letter));
    let end = place + letters_after.map(char::len_utf8).sum::<usize>();
    (start < end).then(|| Span::of(&(start..end), What::Word))
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
    may_hide: impl Fn(&str) -> bool + Copy,
) -> impl Iterator<Item = Span> {
    let mut done = 0;
    spans.into_iter().map(Some).chain([None]).flat_map(move |span| {
        let range = span.map_or(text.len()..text.len(), Span::range);
        let between = words(text, done..range.start);
        done = range.end;
        let hides =
            move |word: &Range<usize>| word.len() <= LONGEST && may_hide(&text[word.clone()]);
        between.filter(hides).map(|word| Span::of(&word, What::Word)).chain(span)
    })
}

/// Where the words of a part of a text stand; there may be empty ones among them.
fn words(text: &str, part: Range<usize>) -> impl Iterator<Item = Range<usize>> {
    let mut start = part.start;
    text[part].split_inclusive(|letter| !is_of_word(letter)).map(move |word| {
        let bare = word.trim_end_matches(|letter| !is_of_word(letter));
        let range = start..start + bare.len();
        start += word.len();
        range
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_span_is_kept_in_8_bytes() {
        let far = usize::try_from((1_u64 << 40) - 1).unwrap_or(usize::MAX - LONGEST);
        for start in [0, 1, 255, 256, 70_000, far] {
            for (length, what) in [(0, What::Word), (1, What::Turned), (LONGEST, What::Word)] {
                let span = Span::of(&(start..start + length), what);
                assert_eq!((span.range(), span.what), (start..start + length, what));
            }
        }
        assert_eq!(size_of::<Span>(), 8);
    }

    #[test]
    fn words_between_the_stretches_are_added_where_they_may_hide_something() {
        let text = "aé b, é-éa 1é";
        let stretch = Span::of(&(9..10), What::Turned);
        let added = |spans| {
            let spans = and_words(text, spans, |word| word.contains('é'));
            spans.map(|span| &text[span.range()]).collect::<Vec<_>>()
        };
        assert_eq!(added(vec![stretch]), ["aé", "é", "-", "éa", "1é"]);
        assert_eq!(added(Vec::new()), ["aé", "é", "éa", "1é"]);
    }
}
