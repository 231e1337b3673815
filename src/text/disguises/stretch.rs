//! Stretches of a text that are looked at letter by letter.

use std::ops::Range;

use super::spacing::{self, Sure};
use crate::text::source_map::Excerpt;

/// The most bytes of a stretch; no word is as long.
pub(super) const LONGEST: usize = 4096;

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
}
