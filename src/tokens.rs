//! Splits a text into [`Tokens`]: its words, in order, each with its position.
//!
//! The words are those of Unicode Standard Annex #29, as implemented by [`unicode_segmentation`],
//! in their [normal form](normal). There are two extensions: a word that is hyphenated at a line end
//! is one word, and so is one with a mark between two letters that is typed for an apostrophe, as in
//! don´t. In scripts without spaces, a word is a letter with its marks; Thai ำ and Lao ຳ are words by
//! themselves, also where they are written as the two characters that they are in NFKC. See
//! [`more_stems`](crate::stems::more_stems) for the effect on windows of words.

pub mod elision;
pub mod exclusions;
pub mod normal;

use std::borrow::Cow;
use std::ops::Range;

use unicode_normalization::char::is_combining_mark;
use unicode_segmentation::UnicodeSegmentation;

use crate::text::letters::{LetterTable, is_alphabetic};
use normal::{
    ASCII_LINE_ENDS, HYPHENS, LINE_ENDS, SOFT_HYPHEN, TYPED_APOSTROPHES, is_letter_or_digit,
    normal_form,
};

/// A word of a text.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Token<'t> {
    /// The word in its normal form: never empty, and without white space.
    pub word: Cow<'t, str>,
    /// Its byte range in the text. Words that come from the same character, completely or in part,
    /// share a span.
    pub span: Range<usize>,
    /// Whether it is an article, pronoun or preposition that was split from the following word.
    pub elided: bool,
}

/// The words of a text, in order; may be empty.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Tokens<'t>(pub Vec<Token<'t>>);

impl<'t> Tokens<'t> {
    /// Returns the number of words.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Reports whether there are no words.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns, for each stretch of the text in which a word begins, the index of the first one.
    /// Stretches at the beginning whose first word is word 0 are skipped.
    pub fn breaks(&self, stretches: impl Iterator<Item = Range<usize>>) -> Vec<usize> {
        let first_in = |stretch: Range<usize>| {
            let first = self.0.partition_point(|token| token.span.start < stretch.start);
            self.0.get(first).is_some_and(|token| token.span.start < stretch.end).then_some(first)
        };
        stretches.filter_map(first_in).skip_while(|first| *first == 0).collect()
    }

    /// Appends the words that a written word consists of: several if a character stands for more
    /// than one.
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

/// Reports whether both texts have the same words in the same order, regardless of positions. Reads
/// only up to the first difference.
///
/// Each text is given in stretches; no word extends over the end of one.
pub fn same_words<'t>(
    left: impl Iterator<Item = &'t str> + Clone,
    right: impl Iterator<Item = &'t str> + Clone,
) -> bool {
    left.clone().eq(right.clone()) || left.flat_map(words).eq(right.flat_map(words))
}

/// Returns the words of a text in their normal form, in order.
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

/// Splits a single written word into its words. The spans are relative to its start.
pub fn split_word(written: &str) -> Tokens<'_> {
    let mut tokens = Tokens(Vec::with_capacity(1));
    tokens.push(written, &(0..written.len()));
    tokens
}

/// Calls `each` with the pieces of a written word that consists of several words, as [`split_word`]
/// finds them. Each piece is a written word that consists of one of these words only. Returns
/// whether it did: it is called for all pieces or for none.
pub fn each_piece(written: &str, each: impl FnMut(&str)) -> bool {
    normal::each_piece(written, each)
}

/// Returns the spans of the words of a text, in order. Words that share a span are returned as one
/// item with their number.
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

/// Reports whether a text consists only of letters and digits that join with each other,
/// as most chunks of most texts do; if so, it is one word.
pub fn is_lone_word(text: &str) -> bool {
    let joins = |letter: char| {
        if letter.is_ascii() { letter.is_ascii_alphanumeric() } else { JOINS.get(letter) }
    };
    !text.is_empty() && text.chars().all(joins)
}

/// The letters and digits that never have a word boundary next to another such one. Each must join
/// an `a` on either side, which leaves only the classes of the annex that have no boundary between
/// them. Its normal form must not contain white space there, as that of a spacing mark does
/// (U+FE70).
static JOINS: LetterTable<bool> = LetterTable::new(|letter| {
    let is_joined = |text: String| text.split_word_bounds().count() == 1;
    is_letter_or_digit(letter)
        && is_joined(format!("{letter}a"))
        && is_joined(format!("a{letter}"))
        && normal::words(&format!("a{letter}a")) == 1
});

/// Returns the byte ranges of the words as they are written. White space that carries a combining
/// mark is not part of a word.
pub fn spans(text: &str) -> impl Iterator<Item = Range<usize>> {
    let mut segments = segments(text)
        .map(|(start, word)| start + (word.len() - word.trim_start().len())..start + word.len())
        .peekable();
    std::iter::from_fn(move || {
        loop {
            let mut span = segments.next()?;
            while let Some(rest) = segments.next_if(|rest| is_one_word(text, &span, rest)) {
                span.end = rest.end;
            }
            let Some(next) = segments.peek_mut() else { return Some(span) };
            let Some(ring) = ring_of_vowel(text, &span, next) else { return Some(span) };
            (span.end, next.start) = (ring, ring);
            if text[span.clone()].contains(is_letter_or_digit) {
                return Some(span);
            }
        }
    })
}

/// The vowels ำ of Thai and ຳ of Lao as they are in NFKC: a ring, which UAX #29 takes for a mark on
/// the letter before it, and a vowel.
const RINGS_AND_VOWELS: [(char, char); 2] = [('\u{e4d}', '\u{e32}'), ('\u{ecd}', '\u{eb2}')];

/// Returns the offset of the ring at the end of a word, if the next word is the vowel that is
/// written with it.
fn ring_of_vowel(text: &str, word: &Range<usize>, next: &Range<usize>) -> Option<usize> {
    if word.end != next.start {
        return None;
    }
    let (written, next) = (&text[word.clone()], &text[next.clone()]);
    let mut parts = RINGS_AND_VOWELS.iter();
    let is_one =
        |&&(ring, vowel): &&(char, char)| written.ends_with(ring) && next.starts_with(vowel);
    parts.find(is_one).map(|(ring, _)| word.end - ring.len_utf8())
}

/// Returns the words of the annex, except those of tatweel alone, with their byte offsets.
fn segments(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let ascii = text.is_ascii().then(|| text.unicode_word_indices());
    let other = ascii.is_none().then(|| text.split_word_bound_indices());
    let is_word = |(_, segment): &(usize, &str)| segment.chars().any(is_letter_or_digit);
    ascii.into_iter().flatten().chain(other.into_iter().flatten().filter(is_word))
}

/// Reports whether two adjacent words of the annex are one.
fn is_one_word(text: &str, head: &Range<usize>, tail: &Range<usize>) -> bool {
    let mut between = text[head.end..tail.start].chars();
    // UAX #29 has no boundary beside an apostrophe between two such letters.
    let joins = |letter: char| is_alphabetic(letter) && JOINS.get(letter);
    match (between.next(), between.next()) {
        (Some(mark), None) if TYPED_APOSTROPHES.contains(&mark) => {
            last_letter(&text[head.clone()]).is_some_and(joins)
                && text[tail.clone()].chars().next().is_some_and(joins)
        }
        _ => is_broken(text, head, tail),
    }
}

/// Returns the last character of a text that is no mark on another one.
fn last_letter(text: &str) -> Option<char> {
    text.chars().rev().find(|&letter| !is_combining_mark(letter))
}

/// Reports whether two adjacent words are one word that is hyphenated at a line end: a letter, a
/// hyphen, a line end and a lower-case letter, with nothing else in between but blanks, and the
/// marks of a quoted message before the next line.
fn is_broken(text: &str, head: &Range<usize>, tail: &Range<usize>) -> bool {
    let between = &text[head.end..tail.start];
    let unmarked = between.trim_end_matches([' ', '\t', '>']);
    let of_ascii = ASCII_LINE_ENDS.iter().find_map(|line_end| unmarked.strip_suffix(line_end));
    let of_ascii = of_ascii.map(|before| before.trim_end_matches([' ', '\t']));
    let exactly = || LINE_ENDS.iter().find_map(|line_end| between.strip_suffix(line_end));
    let Some(before_line_end) = of_ascii.or_else(exactly) else { return false };
    let line = &text[head.start..head.end + before_line_end.len()];
    // Nothing but the hyphen may follow the word.
    let Some(bare) = without_hyphen(line).filter(|bare| bare.len() <= head.len()) else {
        return false;
    };
    let next = text[tail.clone()].chars().next();
    last_letter(bare).is_some_and(char::is_alphabetic) && next.is_some_and(char::is_lowercase)
}

/// Returns a line without the hyphen at its end, with which a word may be broken; `None` if it does
/// not end in one. A soft hyphen counts, and so does a hyphen after soft ones.
pub fn without_hyphen(line: &str) -> Option<&str> {
    let bare = line.strip_suffix(HYPHENS).unwrap_or(line).trim_end_matches(SOFT_HYPHEN);
    (bare.len() < line.len()).then_some(bare)
}

#[cfg(test)]
mod tests;
