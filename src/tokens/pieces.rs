//! Written words that stand for several, such as ﷺ: those that their letters are parted into.

use std::ops::Range;

use unicode_normalization::char::decompose_compatible;

use super::normal::{FULLWIDTH_APOSTROPHE, RIGHT_SINGLE_QUOTATION_MARK, breaks_a_word};
use crate::text::letters::{Each, is_alphanumeric};

/// What a normal form may lose at its end.
const APOSTROPHES: [char; 3] = ['\'', RIGHT_SINGLE_QUOTATION_MARK, FULLWIDTH_APOSTROPHE];

/// What a letter stands for, cut at its white space; none where it stands for none.
static SEVERAL: Each<Option<Box<[String]>>> = Each::new(|letter| {
    let mut parts = String::new();
    decompose_compatible(letter, |part| parts.push(part));
    let is_several = parts.contains(char::is_whitespace);
    is_several.then(|| parts.split(char::is_whitespace).map(str::to_owned).collect())
});

/// The written word in pieces, where it stands for several words: of each the normal form is one
/// of them, in order. False, and none is told, where there is but one, or where the normal form
/// of one would lose an apostrophe that it has within the word.
pub(super) fn each_piece(written: &str, each: impl FnMut(&str)) -> bool {
    let may_lose = written.contains(APOSTROPHES);
    (!may_lose || tell_pieces(written, |_| {})) && tell_pieces(written, each)
}

/// Tells the pieces up to one that would lose an apostrophe; whether there are several and none
/// would.
fn tell_pieces(written: &str, mut each: impl FnMut(&str)) -> bool {
    let (mut piece, mut pieces) = (String::new(), 0);
    for letter in written.chars().filter(|&letter| !breaks_a_word(letter)) {
        if letter.is_ascii() {
            piece.push(letter);
            continue;
        }
        let loses_none = SEVERAL.with(letter, |several| {
            let Some((first, others)) = several.as_deref().and_then(<[_]>::split_first) else {
                piece.push(letter);
                return true;
            };
            piece.push_str(first);
            for next in others {
                if piece.ends_with(APOSTROPHES) {
                    return false;
                }
                if !piece.is_empty() {
                    pieces += 1;
                    each(&piece);
                }
                piece.clear();
                piece.push_str(next);
            }
            true
        });
        if !loses_none {
            return false;
        }
    }
    if pieces > 0 && !piece.is_empty() {
        each(&piece);
    }
    pieces > 0
}

/// The parts of a written word that stands for several, cut where a word ends with a character;
/// and how many words each stands for. Each has a letter or digit, so that it stands for as many
/// by itself.
pub(super) fn parts(written: &str) -> Vec<(Range<usize>, usize)> {
    let mut parts: Vec<(Range<usize>, usize)> = Vec::new();
    let (mut start, mut words, mut is_within) = (0, 0, false);
    let has_letters = |part: Range<usize>| written[part].chars().any(is_alphanumeric);
    for (at, letter) in written.char_indices().filter(|(_, letter)| !breaks_a_word(*letter)) {
        SEVERAL.with(letter, |several| {
            let several = several.as_deref();
            is_within &= several.is_none_or(|several| several.first() != Some(&String::new()));
            if !is_within && words > 0 && has_letters(start..at) {
                parts.push((start..at, words));
                (start, words) = (at, 0);
            }
            match several {
                None => {
                    words += usize::from(!is_within);
                    is_within = true;
                }
                Some(several) => {
                    for (at, piece) in several.iter().enumerate() {
                        is_within &= at == 0;
                        words += usize::from(!is_within && !piece.is_empty());
                        is_within |= !piece.is_empty();
                    }
                }
            }
        });
    }
    match parts.last_mut() {
        Some(last) if !has_letters(start..written.len()) => {
            *last = (last.0.start..written.len(), last.1 + words);
        }
        _ => parts.push((start..written.len(), words)),
    }
    parts
}

/// How many words the normal form of a written word is. It has white space only where a
/// compatibility form stands for some.
pub(super) fn words(written: &str) -> usize {
    if written.is_ascii() {
        return 1;
    }
    let (mut words, mut is_within) = (0, false);
    for letter in written.chars().filter(|&letter| !breaks_a_word(letter)) {
        SEVERAL.with(letter, |several| match several {
            None => {
                words += usize::from(!is_within);
                is_within = true;
            }
            Some(parts) => {
                for (at, part) in parts.iter().enumerate() {
                    is_within &= at == 0;
                    words += usize::from(!is_within && !part.is_empty());
                    is_within |= !part.is_empty();
                }
            }
        });
    }
    words
}
