//! The normal form of a word, in which words are compared.
//!
//! Compatibility forms are unified and case is folded: ﬁ is fi, Ａ is a, ß and SS
//! are ss. The dotless ı stays itself: the named exception, because only a Turkish
//! text means an i with it.

use std::borrow::Cow;
use std::ops::Range;

use caseless::Caseless;
use unicode_normalization::char::{canonical_combining_class, decompose_compatible};
use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfkc_quick};

use crate::text::letters::{Each, is_alphanumeric};

/// A place where a word may be broken; anywhere else it is nothing.
pub(super) const SOFT_HYPHEN: char = '\u{ad}';

/// The hyphens that break a word at a line's end.
pub(super) const HYPHENS: [char; 2] = ['-', '\u{2010}'];

/// The line ends at which a word is broken; the longer first.
pub(super) const LINE_ENDS: [&str; 5] = ["\r\n", "\n", "\r", "\u{85}", "\u{2028}"];

/// ’, the apostrophe of typographers.
pub(super) const RIGHT_SINGLE_QUOTATION_MARK: char = '\u{2019}';

/// ＇, that of East Asian typewriters.
pub(super) const FULLWIDTH_APOSTROPHE: char = '\u{ff07}';

/// ʼ, the apostrophe that counts as a letter; common in Ukrainian.
const MODIFIER_LETTER_APOSTROPHE: char = '\u{2bc}';

/// The normal form of `written`, a single word of a text.
///
/// NFKC, case folding and NFKC once more, so that what is canonically equivalent,
/// or differs in case or compatibility alone, becomes the same (the Unicode
/// Standard, section 3.13, D146, in composed form). A typographic apostrophe becomes
/// an apostrophe; one at the word's end is a quotation mark and goes. So do the
/// hyphen and the line end that break a word. Nearly always one word; a ligature
/// such as ﷺ stands for several, parted by white space.
pub(super) fn normal_form(written: &str) -> Cow<'_, str> {
    if written.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit()) {
        return Cow::Borrowed(written);
    }
    if written.is_ascii() {
        let mut normal = written.to_ascii_lowercase();
        normal.retain(|letter| !breaks_a_word(letter));
        normal.truncate(normal.trim_end_matches('\'').len());
        return Cow::Owned(normal);
    }
    let mut normal = letter_by_letter(written).unwrap_or_else(|| by_the_standard(written));
    normal.truncate(normal.trim_end_matches('\'').len());
    Cow::Owned(normal)
}

/// The normal form but for apostrophes at its end, as it is defined.
fn by_the_standard(written: &str) -> String {
    let unbroken = written.chars().filter(|&letter| !breaks_a_word(letter));
    let folded: Vec<char> = unbroken.nfkc().default_case_fold().nfkc().collect();
    (0..folded.len()).map(|at| with_plain_apostrophe(&folded, at)).collect()
}

/// The same where each letter becomes what it becomes alone, as in nearly all words; else none.
fn letter_by_letter(written: &str) -> Option<String> {
    let mut normal = String::with_capacity(written.len());
    for letter in written.chars() {
        match ALONE.get(letter) {
            Alone::Becomes(folded) => normal.push(folded),
            Alone::Goes => {}
            Alone::Depends => return None,
        }
    }
    Some(normal)
}

/// What becomes of a letter, whatever its neighbours.
#[derive(Clone, Copy)]
enum Alone {
    Becomes(char),
    Goes,
    /// It depends on its neighbours, or it becomes several letters.
    Depends,
}

static ALONE: Each<Alone> = Each::new(|letter| {
    if breaks_a_word(letter) {
        return Alone::Goes;
    }
    let mut folded = std::iter::once(letter).default_case_fold();
    match (folded.next(), folded.next()) {
        (Some(folded), None)
            if ![RIGHT_SINGLE_QUOTATION_MARK, MODIFIER_LETTER_APOSTROPHE].contains(&letter)
                && stays(letter)
                && stays(folded) =>
        {
            Alone::Becomes(folded)
        }
        _ => Alone::Depends,
    }
});

/// Whether NFKC leaves a letter as it is, whatever its neighbours: the quick check of Unicode
/// Standard Annex #15, for letters that no mark is moved over.
fn stays(letter: char) -> bool {
    canonical_combining_class(letter) == 0
        && is_nfkc_quick(std::iter::once(letter)) == IsNormalized::Yes
}

/// What only a break at a line's end puts inside a word of UAX #29, and the soft hyphen.
pub(super) fn breaks_a_word(letter: char) -> bool {
    letter == SOFT_HYPHEN
        || HYPHENS.contains(&letter)
        || matches!(letter, '\r' | '\n' | '\u{85}' | '\u{2028}')
}

/// The letter at an index, or `'` where it is an apostrophe of another kind. The
/// modifier letter is one between two letters; elsewhere it is a letter of its own.
fn with_plain_apostrophe(word: &[char], at: usize) -> char {
    let is_letter = |at: usize| word.get(at).is_some_and(|letter| letter.is_alphabetic());
    match word[at] {
        RIGHT_SINGLE_QUOTATION_MARK => '\'',
        MODIFIER_LETTER_APOSTROPHE if at > 0 && is_letter(at - 1) && is_letter(at + 1) => '\'',
        letter => letter,
    }
}

// Written words that stand for several, such as ﷺ: those that their letters are parted into.

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
/// of them, in order. False, and none is reported, where there is but one, or where the normal form
/// of one would lose an apostrophe that it has within the word.
pub(super) fn each_piece(written: &str, each: impl FnMut(&str)) -> bool {
    let may_lose = written.contains(APOSTROPHES);
    (!may_lose || visit_pieces(written, |_| {})) && visit_pieces(written, each)
}

/// Says the pieces up to one that would lose an apostrophe; whether there are several and none
/// would.
fn visit_pieces(written: &str, mut each: impl FnMut(&str)) -> bool {
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn words_that_a_reader_takes_for_the_same_have_one_form() {
        #[rustfmt::skip]
        let table = [
            ("plain",                         "word7",            "word7"),
            ("capitals",                      "WORD",             "word"),
            ("sharp s folds to two",          "Straße",           "strasse"),
            ("and its capital",               "STRAẞE",           "strasse"),
            ("a composed accent",             "Caf\u{e9}",        "caf\u{e9}"),
            ("a combining accent",            "cafe\u{301}",      "caf\u{e9}"),
            ("a ligature",                    "\u{fb01}sh",       "fish"),
            ("full width",                    "ＡＢＣ１",            "abc1"),
            ("mathematical letters",          "𝐛𝐨𝐥𝐝",             "bold"),
            ("final sigma",                   "ΛΌΓΟΣ",            "λόγοσ"),
            ("iota with two accents, whole",  "\u{390}",          "\u{390}"),
            ("and as its capitals",           "\u{3aa}\u{301}",   "\u{390}"),
            ("Turkish dotted capital",        "İ",                "i\u{307}"),
            ("dotless i is the exception",    "ı",                "ı"),
            ("soft hyphen",                   "ex\u{ad}ample",    "example"),
            ("broken at a line's end",        "exam-\nple",       "example"),
            ("broken by CR LF",               "exam\u{2010}\r\nple", "example"),
            ("broken at a soft hyphen",       "exam\u{ad}\nple",  "example"),
            ("typographic apostrophe",        "Don\u{2019}t",     "don't"),
            ("full-width apostrophe",         "don\u{ff07}t",     "don't"),
            ("Ukrainian apostrophe",          "п\u{2bc}ять",      "п'ять"),
            ("the letter itself",             "\u{2bc}a",         "\u{2bc}a"),
            ("Hebrew before a quotation mark", "\u{5e6}'",        "\u{5e6}"),
            ("a ligature of four words",      "\u{fdfa}",         "صلى الله عليه وسلم"),
        ];
        for (why, written, want) in table {
            assert_eq!(normal_form(written), want, "{why}");
        }
    }

    proptest! {
        /// Letters that stay next to others that compose, move or fold to several.
        #[test]
        fn letter_by_letter_is_by_the_standard(
            written in "([aZßéΣσϊъЙѣ가ᄀ\u{1161}’ʼ＇ﬁ水\u{ad}\u{301}\u{323}\u{345}-]|\\PC){0,6}",
        ) {
            if let Some(normal) = letter_by_letter(&written) {
                prop_assert_eq!(normal, by_the_standard(&written));
            }
        }
    }

    /// Whether the folding tables know the letter's case: they are a Unicode version
    /// behind the standard library, whose newest letters are left alone.
    fn has_known_case(letter: char) -> bool {
        let folds = |text: String| text.chars().default_case_fold().collect::<String>() != text;
        let (upper, lower) = (letter.to_uppercase().collect(), letter.to_lowercase().collect());
        upper == lower || folds(upper) || folds(lower)
    }

    #[test]
    fn the_normal_form_of_every_letter_is_its_own_and_that_of_its_cases() {
        for letter in '\0'..=char::MAX {
            if !letter.is_alphanumeric() || !has_known_case(letter) {
                continue;
            }
            let once = normal_form(letter.encode_utf8(&mut [0; 4])).into_owned();
            assert_eq!(normal_form(&once), once, "{letter:?} a second time");
            let apart: String = letter.nfd().collect();
            assert_eq!(normal_form(&apart), once, "{letter:?} and its parts");
            if matches!(letter, 'ı' | 'İ') {
                continue;
            }
            let upper: String = letter.to_uppercase().collect();
            assert_eq!(normal_form(&upper), once, "{letter:?} and its capital");
            let lower: String = letter.to_lowercase().collect();
            assert_eq!(normal_form(&lower), once, "{letter:?} and its small letter");
        }
    }
}
