//! Marks put on letters that no alphabet marks so.

use std::collections::BTreeSet;

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::compose;
use unicode_script::Script;

use super::Trick;
use super::letters::is_mark;
use super::stretch::{Span, Stretch};
use super::tally::{Tally, spelled};
use crate::text::letters::{Each, script};

/// A mark that alphabets use is put on from so many different letters on that none marks so.
const LEAST_LETTERS: usize = 3;

/// The marks that are put on in the stretches: lines through and under letters, and marks
/// on several plain letters that have no composed form with them.
///
/// Stress on Cyrillic letters is ordinary, and has no such form.
pub(super) fn put_on(text: &str, spans: &[Span]) -> BTreeSet<char> {
    let mut pairs = BTreeSet::new();
    for span in spans {
        let mut under = ' ';
        for letter in text[span.range()].chars() {
            if !is_mark(letter) {
                under = letter;
            } else if is_plain(under) && is_odd(under, letter) {
                pairs.insert((letter, under.to_lowercase().next()));
            }
        }
    }
    let letters_with = |mark| pairs.iter().filter(|(other, _)| *other == mark).count();
    let marks: BTreeSet<char> = pairs.iter().map(|(mark, _)| *mark).collect();
    marks.into_iter().filter(|&mark| is_line(mark) || letters_with(mark) >= LEAST_LETTERS).collect()
}

/// Whether a letter has no mark of its own, in an alphabet that puts marks on some.
fn is_plain(letter: char) -> bool {
    static PLAIN: Each<bool> = Each::new(|letter| {
        matches!(script(letter), Script::Latin | Script::Greek | Script::Cyrillic)
            && letter.nfd().eq([letter])
    });
    PLAIN.get(letter)
}

/// Whether a mark is odd on a plain letter.
fn is_odd(letter: char, mark: char) -> bool {
    script(mark) == Script::Inherited && compose(letter, mark).is_none() && !is_stress(letter, mark)
}

/// A line through, over or under letters, or around them.
fn is_line(mark: char) -> bool {
    matches!(mark, '\u{305}' | '\u{332}' | '\u{333}' | '\u{334}'..='\u{338}' | '\u{33f}' | '\u{20d0}'..='\u{20f0}')
}

/// Whether a mark shows the stress of a Cyrillic word.
fn is_stress(letter: char, mark: char) -> bool {
    matches!(mark, '\u{300}' | '\u{301}')
        && script(letter) == Script::Cyrillic
        && compose(letter, mark).is_none()
}

/// Whether a word has such a mark.
pub(super) fn are_on(word: &str, put_on: &BTreeSet<char>) -> bool {
    !put_on.is_empty() && !word.is_ascii() && word.nfd().any(|letter| put_on.contains(&letter))
}

/// Takes marks off that are put on, and those of stress.
pub(super) fn take_off(stretch: &mut Stretch, put_on: &BTreeSet<char>, tally: &mut Tally) {
    if stretch.written().is_ascii() {
        return;
    }
    if let Some(bare) = without(&stretch.letters, put_on) {
        let example = || spelled(&stretch.letters, |letter| put_on.contains(&letter));
        tally.count(Trick::PutOnMarks, stretch.span().start, example);
        stretch.letters = bare;
    }
    let bare = &stretch.letters;
    let is_stressed = |at: usize| at > 0 && is_stress(bare[at - 1], bare[at]);
    if (0..bare.len()).any(is_stressed) {
        let unstressed = (0..bare.len()).filter(|&at| !is_stressed(at)).map(|at| bare[at]);
        stretch.letters = unstressed.collect();
    }
}

/// A word without such marks; none where it has none.
fn without(letters: &[char], put_on: &BTreeSet<char>) -> Option<Vec<char>> {
    if put_on.is_empty() {
        return None;
    }
    // Nearly all such words are plain letters with such marks on.
    let is_bare_without =
        |letter: &char| letter.is_ascii() || is_whole(*letter) && put_on.contains(letter);
    if letters.iter().all(is_bare_without) {
        let bare: Vec<char> = letters.iter().copied().filter(char::is_ascii).collect();
        return (bare.len() < letters.len()).then_some(bare);
    }
    without_by_form(letters, put_on)
}

/// The same by the canonical forms of the word.
fn without_by_form(letters: &[char], put_on: &BTreeSet<char>) -> Option<Vec<char>> {
    let apart = || letters.iter().copied().nfd();
    apart()
        .any(|letter| put_on.contains(&letter))
        .then(|| apart().filter(|letter| !put_on.contains(letter)).nfc().collect())
}

/// Whether it is one of the marks that are not made of others.
fn is_whole(mark: char) -> bool {
    matches!(mark, '\u{300}'..='\u{33f}')
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn whole_marks_are_their_own_form() {
        for mark in ('\0'..=char::MAX).filter(|mark| is_whole(*mark)) {
            assert!(mark.nfd().eq([mark]) && is_mark(mark), "{mark:?}");
        }
    }

    proptest! {
        #[test]
        fn marks_are_taken_off_as_by_form(
            word in "[abcéśий\u{301}\u{323}\u{336}\u{341}\u{344}\u{345}]{0,6}|[ab\u{301}\u{323}]{0,6}",
            put_on in "[\u{301}\u{308}\u{323}\u{336}\u{341}\u{345}]{0,4}",
        ) {
            let (letters, put_on) = (word.chars().collect::<Vec<_>>(), put_on.chars().collect());
            prop_assert_eq!(without(&letters, &put_on), without_by_form(&letters, &put_on));
        }
    }
}
