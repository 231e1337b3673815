//! A text made up to slip through → the text as its reader sees it, and what was done to it.
//!
//! Goes in: a decoded text. Comes out: the text with look-alike letters of another script,
//! invisible characters, put-on marks, turned text and letter-spacing undone, and what was
//! found of each trick. Tricks that the normal form of words undoes by itself, such as
//! full-width letters and soft hyphens, are found here and left to it. The module knows
//! neither files nor languages. A text that holds nothing of the kind, as nearly all do,
//! costs one fast look.

mod letters;
mod tricks;

use std::cell::LazyCell;
use std::collections::BTreeSet;
use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::text::source_map::Excerpt;
use letters::{LONGEST, Span, Stretch, Sure, Tally, What, is_of_word, spelled};

/// A way to make a text look as it did to a reader, and different to a program.
#[derive(Clone, Copy, Debug, Deserialize, Eq, Ord, PartialEq, PartialOrd, Serialize)]
pub enum Trick {
    /// Letters of another script that look the same.
    Homoglyphs,
    /// Characters of no width inside words.
    InvisibleCharacters,
    /// Text that stands turned round under a control that turns it back.
    TurnedText,
    /// Marks that no alphabet puts on such letters.
    PutOnMarks,
    /// Spaces between all letters of a word.
    LetterSpacing,
    /// Full-width, mathematical, circled or raised letters.
    StyledLetters,
    /// Several letters in one character.
    Ligatures,
    /// Soft hyphens inside words.
    SoftHyphens,
    /// Words broken at the ends of lines.
    LineEndHyphens,
    /// Words that a document holds and does not show. Anyone who opens the document finds
    /// them; [`reveal`] does not.
    HiddenText,
}

impl Trick {
    /// Whether ordinary typesetting does it: no reader is deceived.
    pub fn is_typography(self) -> bool {
        matches!(self, Self::Ligatures | Self::SoftHyphens | Self::LineEndHyphens)
    }
}

/// What was found of a trick.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Disguise {
    /// The trick.
    pub trick: Trick,
    /// How many words it was done to.
    pub words: usize,
    /// Bytes of the text before the first of them; none where they are not in it.
    pub offset: Option<usize>,
    /// The first of them; what a reader does not see is spelled out: `pl<U+0430>gue`.
    pub example: String,
}

/// A text as its reader sees it.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Revealed {
    /// The text; none where it is the one that was written.
    pub excerpt: Option<Excerpt>,
    /// What was found, in the order of [`Trick`].
    pub disguises: Vec<Disguise>,
}

/// What is to be reported of the words that a document holds and does not show, piece by piece;
/// none where there are none.
pub fn hidden(pieces: &[String]) -> Option<Disguise> {
    let words = pieces.iter().flat_map(|piece| piece.split_whitespace()).count();
    let first: Vec<char> = pieces.iter().find(|it| !it.trim().is_empty())?.trim().chars().collect();
    let example = spelled(&first, char::is_control);
    Some(Disguise { trick: Trick::HiddenText, words, offset: None, example })
}

/// A word as it was written, the letters spelled out that are not in what its reader sees:
/// `pl<U+0430>gue`.
pub fn spelled_out(written: &str, shown: &str) -> String {
    let letters: Vec<char> = written.chars().collect();
    spelled(&letters, |letter| !letter.is_ascii() && !shown.contains(letter))
}

/// Reveals a text. The cost is linear in its length.
pub fn reveal(written: &str) -> Revealed {
    let mut tally = Tally::default();
    tricks::count_line_end_hyphens(written, &mut tally);
    let mut spans = around(written, tricks::suspects(written));
    if spans.is_empty() {
        return Revealed { excerpt: None, disguises: tally.found() };
    }
    let is_spaced = has_several(written, &spans);
    if !is_spaced {
        spans.retain(|span| span.what != What::Spaced(Sure::AmongOthers));
    }
    let put_on = tricks::put_on(written, &spans);
    let scripts = tricks::pair(written, &spans);
    // Who did it to some words did it to all that allow it.
    let may_hide = |word: &str| {
        tricks::are_on(word, &put_on) || scripts.is_some_and(|pair| pair.may_hide(word))
    };
    let spans: Box<dyn Iterator<Item = Span>> = match scripts {
        None if put_on.is_empty() => Box::new(spans.into_iter()),
        _ => Box::new(and_words(written, spans, may_hide)),
    };
    let is_east_asian = LazyCell::new(|| tricks::is_east_asian(written));
    let mut excerpt = Excerpt::default();
    let (mut stretch, mut done) = (Stretch::new(written), 0);
    for span in spans {
        stretch.move_to(span);
        if is_spaced && matches!(stretch.what(), What::Spaced(_)) {
            let letters: Vec<char> = stretch.written().chars().collect();
            let example = || spelled(&letters, |_| false);
            tally.count(Trick::LetterSpacing, stretch.span().start, example);
        }
        tricks::turn_back(&mut stretch, &mut tally);
        tricks::remove(&mut stretch, &mut tally);
        tricks::take_off(&mut stretch, &put_on, &mut tally);
        tricks::replace(&mut stretch, scripts, &mut tally);
        tricks::make_plain(&mut stretch, || *is_east_asian, &mut tally);
        if stretch.is_changed() {
            excerpt.copy(written, done..stretch.span().start);
            stretch.write(&mut excerpt);
            done = stretch.span().end;
        }
    }
    if done == 0 {
        return Revealed { excerpt: None, disguises: tally.found() };
    }
    excerpt.copy(written, done..written.len());
    Revealed { excerpt: Some(excerpt), disguises: tally.found() }
}

// A text → the stretches of it that may be disguised.

/// So many different words with spaces between their letters are no heading of a table.
const LEAST_WORDS: usize = 3;

/// The stretches around places in a text, which increase. They do not overlap.
fn around(text: &str, places: impl Iterator<Item = usize>) -> Vec<Span> {
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
    if letters::is_space(letter) {
        let (range, sure) = letters::around(text, place, done)?;
        return Some(Span::new(&range, What::Spaced(sure)));
    }
    if tricks::turns(letter) {
        let limit = floor(text, place + LONGEST);
        return Some(Span::new(&tricks::from(text, place, limit), What::Turned));
    }
    let before = &text[done.max(floor(text, place.saturating_sub(LONGEST / 2)))..place];
    let letters_before = before.chars().rev().take_while(|&letter| is_of_word(letter));
    let start = place - letters_before.map(char::len_utf8).sum::<usize>();
    let after = &text[place..floor(text, start + LONGEST)];
    let letters_after =
        after.chars().take_while(|&letter| is_of_word(letter) && !tricks::turns(letter));
    let end = place + letters_after.map(char::len_utf8).sum::<usize>();
    (start < end).then(|| Span::new(&(start..end), What::Word))
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
fn and_words(
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
        between.filter(hides).map(|word| Span::new(&word, What::Word)).chain(span)
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

/// Whether a text has several different words with spaces between their letters.
fn has_several(text: &str, spans: &[Span]) -> bool {
    let is_sure = |span: &&Span| span.what == What::Spaced(Sure::Alone);
    let mut words = BTreeSet::new();
    spans.iter().filter(is_sure).any(|span| {
        words.insert(&text[span.range()]);
        words.len() >= LEAST_WORDS
    })
}

#[cfg(test)]
mod find_tests {
    use super::*;

    #[test]
    fn words_between_the_stretches_are_added_where_they_may_hide_something() {
        let text = "aé b, é-éa 1é";
        let stretch = Span::new(&(9..10), What::Turned);
        let added = |spans| {
            let spans = and_words(text, spans, |word| word.contains('é'));
            spans.map(|span| &text[span.range()]).collect::<Vec<_>>()
        };
        assert_eq!(added(vec![stretch]), ["aé", "é", "-", "éa", "1é"]);
        assert_eq!(added(Vec::new()), ["aé", "é", "éa", "1é"]);
    }
}

#[cfg(test)]
mod tests;
