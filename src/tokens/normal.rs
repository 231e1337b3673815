//! The normal form of a word, in which words are compared.
//!
//! Compatibility forms are unified and case is folded: ﬁ is fi, Ａ is a, ß and SS
//! are ss. The dotless ı stays itself: the named exception, because only a Turkish
//! text means an i with it.

use std::borrow::Cow;

use caseless::Caseless;
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::decompose_compatible;

/// A place where a word may be broken; anywhere else it is nothing.
pub(super) const SOFT_HYPHEN: char = '\u{ad}';

/// The hyphens that break a word at a line's end.
pub(super) const HYPHENS: [char; 2] = ['-', '\u{2010}'];

/// The line ends at which a word is broken; the longer first.
pub(super) const LINE_ENDS: [&str; 5] = ["\r\n", "\n", "\r", "\u{85}", "\u{2028}"];

/// ’, the apostrophe of typographers.
const RIGHT_SINGLE_QUOTATION_MARK: char = '\u{2019}';

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
    let unbroken = written.chars().filter(|&letter| !breaks_a_word(letter));
    let folded: Vec<char> = unbroken.nfkc().default_case_fold().nfkc().collect();
    let mut normal: String =
        (0..folded.len()).map(|at| with_plain_apostrophe(&folded, at)).collect();
    normal.truncate(normal.trim_end_matches('\'').len());
    Cow::Owned(normal)
}

/// The written word in pieces, where it stands for several words: of each the normal form is one
/// of them, in order. False, and none is told, where there is but one, or where the normal form
/// of one would lose an apostrophe that it has within the word.
pub(super) fn each_piece(written: &str, each: impl FnMut(&str)) -> bool {
    let may_lose = written.contains(APOSTROPHES);
    (!may_lose || tell_pieces(written, |_| {})) && tell_pieces(written, each)
}

/// What a normal form may lose at its end.
const APOSTROPHES: [char; 3] = ['\'', RIGHT_SINGLE_QUOTATION_MARK, '\u{ff07}'];

/// Tells the pieces up to one that would lose an apostrophe; whether there are several and none
/// would.
fn tell_pieces(written: &str, mut each: impl FnMut(&str)) -> bool {
    let (mut piece, mut pieces) = (String::new(), 0);
    for letter in written.chars().filter(|&letter| !breaks_a_word(letter)) {
        if letter.is_ascii() {
            piece.push(letter);
            continue;
        }
        let (start, mut is_several) = (piece.len(), false);
        decompose_compatible(letter, |part| {
            is_several |= part.is_whitespace();
            piece.push(part);
        });
        if !is_several {
            piece.truncate(start);
            piece.push(letter);
            continue;
        }
        let (whole, begun) = piece.rsplit_once(char::is_whitespace).unwrap_or_default();
        for part in whole.split_whitespace() {
            if part.ends_with(APOSTROPHES) {
                return false;
            }
            pieces += 1;
            each(part);
        }
        let begun = begun.len();
        piece.drain(..piece.len() - begun);
    }
    if pieces > 0 && !piece.is_empty() {
        each(&piece);
    }
    pieces > 0
}

/// How many words the normal form of a written word is. It has white space only where a
/// compatibility form stands for some.
pub(super) fn words(written: &str) -> usize {
    if written.is_ascii() {
        return 1;
    }
    let (mut words, mut is_within) = (0, false);
    for letter in written.chars().filter(|&letter| !breaks_a_word(letter)) {
        decompose_compatible(letter, |part| {
            let begins = !part.is_whitespace() && !is_within;
            words += usize::from(begins);
            is_within = !part.is_whitespace();
        });
    }
    words
}

/// What only a break at a line's end puts inside a word of UAX #29, and the soft hyphen.
fn breaks_a_word(letter: char) -> bool {
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

#[cfg(test)]
mod tests {
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
