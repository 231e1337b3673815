//! Text → `Tokens`: its words, in order, each with its place.
//!
//! The words are those of Unicode Standard Annex #29, by
//! [`unicode_segmentation`], in their [normal form](normal). One thing the annex
//! does not know: a word that is broken by a hyphen at a line's end is one word. In
//! scripts without spaces a word is a letter with its marks; what that means for the
//! figures is reported where windows are [cut](crate::stems::more_stems).

pub mod elision;
pub mod exclusions;
pub mod normal;

use std::borrow::Cow;
use std::ops::Range;

use unicode_normalization::char::is_combining_mark;
use unicode_segmentation::UnicodeSegmentation;

use crate::text::letters::{Each, is_alphanumeric};
use normal::{HYPHENS, LINE_ENDS, SOFT_HYPHEN, normal_form};

/// A word of a text.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Token<'t> {
    /// The word in its normal form: never empty, and without white space.
    pub word: Cow<'t, str>,
    /// Where it stands in the text, in bytes from 0, half open. Words that one
    /// character stands for, or has a part of, share a span.
    pub span: Range<usize>,
    /// An article, pronoun or preposition that was parted from the word it leans on.
    pub elided: bool,
}

/// The words of a text, in order; none where it has none.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Tokens<'t>(pub Vec<Token<'t>>);

impl<'t> Tokens<'t> {
    /// The number of words.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there is no word.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The words that begin a stretch of the text, by their places, but for the first of all.
    pub fn breaks(&self, stretches: impl Iterator<Item = Range<usize>>) -> Vec<usize> {
        let first_in = |stretch: Range<usize>| {
            let first = self.0.partition_point(|token| token.span.start < stretch.start);
            self.0.get(first).is_some_and(|token| token.span.start < stretch.end).then_some(first)
        };
        stretches.filter_map(first_in).skip_while(|first| *first == 0).collect()
    }

    /// Appends the words that a single written word stands for.
    fn push(&mut self, written: &'t str, span: &Range<usize>) {
        match normal_form(written) {
            Cow::Owned(several) if several.contains(char::is_whitespace) => {
                let parts = normal::parts(written).into_iter();
                let spans = parts.flat_map(|(part, words)| {
                    std::iter::repeat_n(span.start + part.start..span.start + part.end, words)
                });
                for (word, span) in several.split_whitespace().zip(spans) {
                    self.0.push(Token { word: word.to_owned().into(), span, elided: false });
                }
            }
            word => self.0.push(Token { word, span: span.clone(), elided: false }),
        }
    }
}

/// Whether both texts have the same words in the same order, wherever they stand. Reads
/// no further than to the first difference.
///
/// Each text is given in stretches, over whose ends no word reaches.
pub fn same_words<'t>(
    left: impl Iterator<Item = &'t str> + Clone,
    right: impl Iterator<Item = &'t str> + Clone,
) -> bool {
    left.clone().eq(right.clone()) || left.flat_map(words).eq(right.flat_map(words))
}

/// The words of a text in their normal form, in order.
fn words(text: &str) -> impl Iterator<Item = String> {
    spans(text).flat_map(|span| {
        let normal = normal_form(&text[span]);
        normal.split_whitespace().map(str::to_owned).collect::<Vec<_>>()
    })
}

/// Splits a text into its words.
pub fn split(text: &str) -> Tokens<'_> {
    split_stretches(text, std::iter::once(0..text.len()))
}

/// Splits stretches of a text into their words.
pub fn split_stretches(
    text: &str,
    stretches: impl IntoIterator<Item = Range<usize>>,
) -> Tokens<'_> {
    let mut tokens = Tokens::default();
    for stretch in stretches {
        for span in spans(&text[stretch.clone()]) {
            let span = stretch.start + span.start..stretch.start + span.end;
            tokens.push(&text[span.clone()], &span);
        }
    }
    tokens
}

/// The words that one written word stands for; the spans are within it.
pub fn of_word(written: &str) -> Tokens<'_> {
    let mut tokens = Tokens(Vec::with_capacity(1));
    tokens.push(written, &(0..written.len()));
    tokens
}

/// The words that a written word stands for, as [`of_word`] has them, where they are several: of
/// each a written word that stands for it alone. Whether they were reported: all or none.
pub fn each_piece(written: &str, each: impl FnMut(&str)) -> bool {
    normal::each_piece(written, each)
}

/// Where the words stand, one by one; those that share a span in one place, and how many they are.
pub fn places(text: &str) -> impl Iterator<Item = (Range<usize>, usize)> {
    spans(text).flat_map(|span| {
        let written = &text[span.clone()];
        let words = normal::words(written);
        let parts = if words > 1 { normal::parts(written) } else { Vec::new() };
        let parts = parts.into_iter();
        let start = span.start;
        let parts = parts.map(move |(part, words)| (start + part.start..start + part.end, words));
        (words <= 1).then_some((span, words)).into_iter().chain(parts)
    })
}

/// Whether a text is letters and digits that join their like and nothing else, as most chunks of
/// most texts are: then it is one word.
pub fn is_lone_word(text: &str) -> bool {
    let joins = |letter: char| {
        if letter.is_ascii() { letter.is_ascii_alphanumeric() } else { JOINS.get(letter) }
    };
    !text.is_empty() && text.chars().all(joins)
}

/// Whether a letter or digit is always in one word with its like: it is with an a on either
/// side, which leaves the classes of the annex between which there is no boundary, and the normal
/// form has no white space there, as that of a mark written by itself has (U+FE70).
static JOINS: Each<bool> = Each::new(|letter| {
    let is_joined = |text: String| text.split_word_bounds().count() == 1;
    is_alphanumeric(letter)
        && is_joined(format!("{letter}a"))
        && is_joined(format!("a{letter}"))
        && normal::words(&format!("a{letter}a")) == 1
});

/// Where the words stand as they are written, in bytes. White space that a combining
/// mark leans on is no part of a word.
pub fn spans(text: &str) -> impl Iterator<Item = Range<usize>> {
    let mut segments = segments(text)
        .map(|(start, word)| start + (word.len() - word.trim_start().len())..start + word.len())
        .peekable();
    std::iter::from_fn(move || {
        let mut span = segments.next()?;
        while let Some(rest) = segments.next_if(|rest| is_broken(text, &span, rest)) {
            span.end = rest.end;
        }
        Some(span)
    })
}

/// The words of the annex, with their places.
fn segments(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let ascii = text.is_ascii().then(|| text.unicode_word_indices());
    let other = ascii.is_none().then(|| text.split_word_bound_indices());
    let is_word = |(_, segment): &(usize, &str)| segment.chars().any(is_alphanumeric);
    ascii.into_iter().flatten().chain(other.into_iter().flatten().filter(is_word))
}

/// Whether two neighbouring words are one, broken at a line's end: a letter, a
/// hyphen, a line end and a lower-case letter, with nothing else in between.
fn is_broken(text: &str, head: &Range<usize>, tail: &Range<usize>) -> bool {
    let between = &text[head.end..tail.start];
    let Some(before_line_end) =
        LINE_ENDS.iter().find_map(|line_end| between.strip_suffix(line_end))
    else {
        return false;
    };
    let written = &text[head.clone()];
    let bare = written.trim_end_matches(SOFT_HYPHEN);
    let hyphen = match before_line_end {
        "" => bare.len() < written.len(),
        hyphen => HYPHENS.iter().any(|known| hyphen.strip_prefix(*known) == Some("")),
    };
    let last = bare.chars().rev().find(|&letter| !is_combining_mark(letter));
    let next = text[tail.clone()].chars().next();
    hyphen && last.is_some_and(char::is_alphabetic) && next.is_some_and(char::is_lowercase)
}

#[cfg(test)]
mod tests;
