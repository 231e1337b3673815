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
mod find;

use std::cell::LazyCell;

use crate::text::source_map::Excerpt;
use letters::Sure;
use letters::{Span, Stretch, What};
use letters::{Tally, spelled};

/// A way to make a text look as it did to a reader, and different to a program.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
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
    let mut spans = find::around(written, tricks::suspects(written));
    if spans.is_empty() {
        return Revealed { excerpt: None, disguises: tally.found() };
    }
    let is_spaced = find::has_several(written, &spans);
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
        _ => Box::new(find::and_words(written, spans, may_hide)),
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

#[cfg(test)]
mod tests;
