//! Marks put on letters that no alphabet marks so.

use std::collections::BTreeSet;

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::{compose, is_combining_mark};
use unicode_script::{Script, UnicodeScript};

use super::Trick;
use super::stretch::{Span, Stretch};
use super::tally::{Tally, spelled};

/// A mark that alphabets use is put on from so many different letters on that none marks so.
const LEAST_LETTERS: usize = 3;

/// The marks that are put on in the stretches: lines through and under letters, and marks
/// on several plain letters that have no composed form with them.
///
/// Stress on Cyrillic letters is ordinary, and has no such form.
pub(super) fn put_on(text: &str, spans: &[Span]) -> BTreeSet<char> {
    let mut pairs = BTreeSet::new();
    for span in spans {
        let (mut under, mut is_under_plain) = (' ', None);
        for letter in text[span.range.clone()].chars() {
            if !is_combining_mark(letter) {
                (under, is_under_plain) = (letter, None);
            } else if *is_under_plain.get_or_insert_with(|| is_plain(under))
                && is_odd(under, letter)
            {
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
    matches!(letter.script(), Script::Latin | Script::Greek | Script::Cyrillic)
        && letter.nfd().eq([letter])
}

/// Whether a mark is odd on a plain letter.
fn is_odd(letter: char, mark: char) -> bool {
    mark.script() == Script::Inherited
        && compose(letter, mark).is_none()
        && !is_stress(letter, mark)
}

/// A line through, over or under letters, or around them.
fn is_line(mark: char) -> bool {
    matches!(mark, '\u{305}' | '\u{332}' | '\u{333}' | '\u{334}'..='\u{338}' | '\u{33f}' | '\u{20d0}'..='\u{20f0}')
}

/// Whether a mark shows the stress of a Cyrillic word.
fn is_stress(letter: char, mark: char) -> bool {
    matches!(mark, '\u{300}' | '\u{301}')
        && letter.script() == Script::Cyrillic
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
    let letters = std::mem::take(&mut stretch.letters);
    let has_put_on = letters.iter().copied().nfd().any(|letter| put_on.contains(&letter));
    if has_put_on {
        let example = || spelled(&letters, |letter| put_on.contains(&letter));
        tally.count(Trick::PutOnMarks, stretch.span().start, example);
    }
    let bare: Vec<char> = if has_put_on {
        letters.iter().copied().nfd().filter(|letter| !put_on.contains(letter)).nfc().collect()
    } else {
        letters
    };
    let is_stressed = |at: usize| at > 0 && is_stress(bare[at - 1], bare[at]);
    stretch.letters = (0..bare.len()).filter(|&at| !is_stressed(at)).map(|at| bare[at]).collect();
}
