//! Computes the normal form of a word, in which words are compared.
//!
//! Compatibility forms are unified and case is folded: ﬁ becomes fi, Ａ becomes a, ß and SS become
//! ss. The dotless ı is the one exception: although its capital is I, it stays distinct from i,
//! because only a Turkish text would mean an i by it.

use std::borrow::Cow;
use std::ops::Range;

use caseless::Caseless;
use unicode_normalization::char::{canonical_combining_class, decompose_compatible};
use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfkc_quick};
use unicode_security::skeleton;

use crate::text::letters::{LetterTable, is_alphanumeric};

/// A position at which a word may be broken; without meaning if it is not broken there.
pub(super) const SOFT_HYPHEN: char = '\u{ad}';

/// Arabic tatweel, which stretches a word to the width of its line.
const TATWEEL: char = '\u{640}';

/// The characters that join letters and keep them apart in scripts that join letters.
const ZERO_WIDTH_NON_JOINER: char = '\u{200c}';
const ZERO_WIDTH_JOINER: char = '\u{200d}';

/// The hyphens that can break a word at a line end. Text recognition writes ¬, and editions of books
/// in blackletter ⸗ or ⹀; the sign = is none, since code and settings have it there.
pub(super) const HYPHENS: [char; 5] = ['-', '\u{2010}', '\u{ac}', '\u{2e17}', '\u{2e40}'];

/// The line ends before and after which a broken word may have blanks. Longer ones come first.
pub(super) const ASCII_LINE_ENDS: [&str; 3] = ["\r\n", "\n", "\r"];

/// The other line ends at which a word can be broken.
pub(super) const LINE_ENDS: [&str; 2] = ["\u{85}", "\u{2028}"];

/// ’, the typographic apostrophe.
pub(super) const RIGHT_SINGLE_QUOTATION_MARK: char = '\u{2019}';

/// ‘, which programs put for an apostrophe that they take for the start of a quotation.
const LEFT_SINGLE_QUOTATION_MARK: char = '\u{2018}';

/// ＇, the full-width apostrophe of East Asian text.
pub(super) const FULLWIDTH_APOSTROPHE: char = '\u{ff07}';

/// ʼ, the apostrophe that is a letter to Unicode; common in Ukrainian.
const MODIFIER_LETTER_APOSTROPHE: char = '\u{2bc}';

/// Marks that are typed for an apostrophe between two letters, and look like one.
pub(super) const TYPED_APOSTROPHES: [char; 5] = ['`', '\u{b4}', '\u{201b}', '\u{2032}', '\u{2035}'];

/// ׳ and ״, the geresh and the gershayim of Hebrew, for which ' and " are often typed.
const GERESH: char = '\u{5f3}';
const GERSHAYIM: char = '\u{5f4}';

/// Returns the normal form of `written`, a single word of a text.
///
/// NFKC, case folding and NFKC again, so that words that are canonically equivalent, or differ only
/// in case or compatibility forms, become equal (the Unicode Standard, section 3.13, D146, but in
/// composed form). A typographic apostrophe, a mark that is typed for one, and a Hebrew geresh become
/// a plain apostrophe; at the end of the word, an apostrophe is a closing quotation mark and is removed. The hyphen and the
/// line end that break a word are removed, and so is Arabic tatweel. The result is nearly always
/// one word; a ligature such as ﷺ becomes several, separated by white space.
pub(super) fn normal_form(written: &str) -> Cow<'_, str> {
    if written.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit()) {
        return Cow::Borrowed(written);
    }
    if written.is_ascii() {
        let mut normal = written.to_ascii_lowercase();
        normal.retain(|letter| !is_omitted(letter));
        if normal.contains('`') {
            normal = normal.replace('`', "'");
        }
        normal.truncate(normal.trim_end_matches('\'').len());
        return Cow::Owned(normal);
    }
    let mut normal = letter_by_letter(written).unwrap_or_else(|| by_the_standard(written));
    normal.truncate(normal.trim_end_matches('\'').len());
    Cow::Owned(normal)
}

/// Computes the normal form by its definition, except that apostrophes at its end are kept.
fn by_the_standard(written: &str) -> String {
    let kept = written.chars().filter(|&letter| !is_omitted(letter)).map(with_typed_apostrophe);
    let folded = kept.nfkc().default_case_fold().flat_map(unified).nfkc();
    // Some marks are on a tatweel in their compatibility form.
    let folded: Vec<char> = folded.filter(|&letter| letter != TATWEEL).collect();
    (0..folded.len()).map(|at| with_plain_apostrophe(&folded, at)).collect()
}

/// Same as [`by_the_standard`], but faster. `None` unless each letter of the word has a normal form
/// that does not depend on its neighbours, as in nearly all words.
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

/// The normal form of a letter, if it does not depend on its neighbours.
#[derive(Clone, Copy)]
enum Alone {
    Becomes(char),
    Goes,
    /// It depends on the neighbours, or it is several letters.
    Depends,
}

static ALONE: LetterTable<Alone> = LetterTable::new(|letter| {
    if is_omitted(letter) {
        return Alone::Goes;
    }
    let mut folded =
        std::iter::once(with_typed_apostrophe(letter)).default_case_fold().flat_map(unified);
    match (folded.next(), folded.next()) {
        (Some(folded), None)
            if with_plain_apostrophe(&['a', letter, 'a'], 1) == letter
                && stays(letter)
                && stays(folded) =>
        {
            Alone::Becomes(folded)
        }
        _ => Alone::Depends,
    }
});

/// Returns the letters that a letter is typed for, which look the same: the letters of Arabic on
/// keyboards for Persian, Urdu and Kurdish, those of Romanian on keyboards for Turkish, and the
/// radicals that stand for ideographs in the text of a PDF. Tamil au is the same as e and ḷa.
fn unified(letter: char) -> impl Iterator<Item = char> {
    let mut several = None;
    let one = match letter {
        '\u{649}' | '\u{6cc}' => '\u{64a}',
        '\u{6a9}' => '\u{643}',
        '\u{6be}' | '\u{6c1}' | '\u{6d5}' => '\u{647}',
        '\u{6f0}'..='\u{6f9}' => char::from_u32(u32::from(letter) - 0x90).unwrap_or(letter),
        '\u{219}' => '\u{15f}',
        '\u{21b}' => '\u{163}',
        '\u{bcc}' => {
            several = Some('\u{bb3}');
            '\u{bc6}'
        }
        _ if is_radical(letter) => {
            let mut same =
                skeleton(letter.encode_utf8(&mut [0; 4])).collect::<Vec<_>>().into_iter();
            same.next().filter(|_| same.next().is_none()).unwrap_or(letter)
        }
        _ => letter,
    };
    std::iter::once(one).chain(several)
}

/// Reports whether a character is a radical of Chinese characters. Most look like the ideographs
/// that they are part of (Unicode Technical Standard #39).
fn is_radical(letter: char) -> bool {
    matches!(letter, '\u{2e80}'..='\u{2fd5}')
}

/// Reports whether NFKC leaves a letter unchanged, whatever its neighbours. Uses the quick check of
/// Unicode Standard Annex #15, and excludes marks, which may be reordered.
fn stays(letter: char) -> bool {
    canonical_combining_class(letter) == 0
        && is_nfkc_quick(std::iter::once(letter)) == IsNormalized::Yes
}

/// Reports whether the normal form omits a character: one that occurs inside of a word of UAX #29
/// only if the word is broken at a line end, the soft hyphen, tatweel, or a joiner, which many
/// typists leave out.
pub(super) fn is_omitted(letter: char) -> bool {
    matches!(letter, SOFT_HYPHEN | TATWEEL)
        || HYPHENS.contains(&letter)
        || matches!(letter, '\r' | '\n' | '\u{85}' | '\u{2028}' | ' ' | '\t' | '>')
        || matches!(letter, ZERO_WIDTH_NON_JOINER | ZERO_WIDTH_JOINER)
}

/// Reports whether a character makes a stretch of text a word: whether it is a letter or digit that
/// its normal form keeps.
pub(super) fn is_letter_or_digit(letter: char) -> bool {
    (is_alphanumeric(letter) || is_radical(letter)) && letter != TATWEEL
}

/// Returns the letter at an index, or `'` if it is another kind of apostrophe, or `"` for the
/// gershayim. The modifier letter is an apostrophe between two letters, and a letter of its own
/// everywhere else.
fn with_plain_apostrophe(word: &[char], at: usize) -> char {
    let is_letter = |at: usize| word.get(at).is_some_and(|letter| letter.is_alphabetic());
    match word[at] {
        RIGHT_SINGLE_QUOTATION_MARK | LEFT_SINGLE_QUOTATION_MARK | GERESH => '\'',
        GERSHAYIM => '"',
        MODIFIER_LETTER_APOSTROPHE if at > 0 && is_letter(at - 1) && is_letter(at + 1) => '\'',
        letter => letter,
    }
}

/// Returns an apostrophe for a mark that is typed for one, and any other letter as it is.
fn with_typed_apostrophe(letter: char) -> char {
    if TYPED_APOSTROPHES.contains(&letter) { '\'' } else { letter }
}

// Written words that consist of several words, such as ﷺ, because the compatibility decomposition
// of a letter contains white space.

/// The characters that are removed from the end of a word by its normal form.
const APOSTROPHES: [char; 9] = [
    '\'',
    RIGHT_SINGLE_QUOTATION_MARK,
    FULLWIDTH_APOSTROPHE,
    GERESH,
    '`',
    '\u{b4}',
    '\u{201b}',
    '\u{2032}',
    '\u{2035}',
];

/// The decomposition of a letter, split at its white space; `None` if it contains none.
static SEVERAL: LetterTable<Option<Box<[String]>>> = LetterTable::new(|letter| {
    let mut parts = String::new();
    decompose_compatible(with_typed_apostrophe(letter), |part| parts.push(part));
    let is_several = parts.contains(char::is_whitespace);
    is_several.then(|| parts.split(char::is_whitespace).map(str::to_owned).collect())
});

/// Calls `each` with the pieces of a written word that consists of several words, in order: the
/// normal form of each piece is one of these words. Returns `false`, without calling it, if there
/// is only one word, or if the normal form of a piece would lose an apostrophe that is inside of
/// the whole word.
pub(super) fn each_piece(written: &str, each: impl FnMut(&str)) -> bool {
    let may_lose = written.contains(APOSTROPHES);
    (!may_lose || visit_pieces(written, |_| {})) && visit_pieces(written, each)
}

/// Calls `each` with the pieces, up to the first one whose normal form would lose an apostrophe.
/// Returns whether there are several pieces and none of them would.
fn visit_pieces(written: &str, mut each: impl FnMut(&str)) -> bool {
    let (mut piece, mut pieces) = (String::new(), 0);
    for letter in written.chars().filter(|&letter| !is_omitted(letter)) {
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
    // Apostrophes alone are no word at the end of one.
    if pieces > 0 && !piece.trim_end_matches(APOSTROPHES).is_empty() {
        each(&piece);
    }
    pieces > 0
}

/// Splits a written word that consists of several words, wherever a word ends at the end of a
/// character. Returns each part with the number of its words. Each part contains a letter or digit,
/// so that it consists of as many words by itself.
pub(super) fn parts(written: &str) -> Vec<(Range<usize>, usize)> {
    let mut parts: Vec<(Range<usize>, usize)> = Vec::new();
    let (mut start, mut words, mut is_within) = (0, 0, false);
    let has_letters = |part: Range<usize>| written[part].chars().any(is_letter_or_digit);
    for (at, letter) in written.char_indices().filter(|(_, letter)| !is_omitted(*letter)) {
        SEVERAL.with(letter, |several| {
            let several = several.as_deref();
            is_within &= several.is_none_or(|several| several.first() != Some(&String::new()));
            if !is_within && words > 0 && has_letters(start..at) {
                parts.push((start..at, words));
                (start, words) = (at, 0);
            }
            words += words_of(several, &mut is_within);
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

/// Returns the number of words in the normal form of a written word. It contains white space only
/// if the compatibility decomposition of one of its letters does.
pub(super) fn words(written: &str) -> usize {
    if written.is_ascii() {
        return 1;
    }
    let (mut words, mut is_within) = (0, false);
    for letter in written.chars().filter(|&letter| !is_omitted(letter)) {
        SEVERAL.with(letter, |several| words += words_of(several.as_deref(), &mut is_within));
    }
    words
}

/// Returns how many words begin in a letter that stands for several pieces, or for itself. `is_within`
/// tells whether the letter continues a word, and then whether the next one does.
fn words_of(several: Option<&[String]>, is_within: &mut bool) -> usize {
    let Some(several) = several else {
        return usize::from(!std::mem::replace(is_within, true));
    };
    let mut words = 0;
    for (at, piece) in several.iter().enumerate() {
        *is_within &= at == 0;
        words += usize::from(!*is_within && !piece.is_empty());
        *is_within |= !piece.is_empty();
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
            ("an opening quotation mark",     "don\u{2018}t",     "don't"),
            ("a grave accent",                "Don`t",            "don't"),
            ("an acute accent",               "l\u{b4}\u{e9}t\u{e9}", "l'\u{e9}t\u{e9}"),
            ("a prime",                       "don\u{2032}t",     "don't"),
            ("Ukrainian apostrophe",          "п\u{2bc}ять",      "п'ять"),
            ("the letter itself",             "\u{2bc}a",         "\u{2bc}a"),
            ("Hebrew before a quotation mark", "\u{5e6}'",        "\u{5e6}"),
            ("Hebrew gershayim",              "צה\u{5f4}ל",         "צה\"ל"),
            ("and as it is typed",            "צה\"ל",              "צה\"ל"),
            ("Hebrew geresh",                 "ג\u{5f3}ורג\u{5f3}", "ג'ורג"),
            ("and as it is typed",            "ג'ורג'",             "ג'ורג"),
            ("Arabic tatweel",                "كتـــاب",           "كتاب"),
            ("and in a form with marks",      "ب\u{fcf2}ت",         "ب\u{64e}\u{651}ت"),
            ("a ligature of four words",      "\u{fdfa}",         "صلي الله عليه وسلم"),
        ];
        for (why, written, want) in table {
            assert_eq!(normal_form(written), want, "{why}");
        }
    }

    proptest! {
        /// Letters that can stay unchanged, next to others that compose, are reordered or fold to
        /// several.
        #[test]
        fn letter_by_letter_agrees_with_the_standard(
            written in "([aZßéΣσϊъЙѣ가ᄀ\u{1161}’‘`´′ʼ＇׳״ﬁ水ـ\u{ad}\u{301}\u{323}\u{345}-]|\\PC){0,6}",
        ) {
            if let Some(normal) = letter_by_letter(&written) {
                prop_assert_eq!(normal, by_the_standard(&written));
            }
        }
    }

    /// Reports whether the folding tables have the letter's case. They are one Unicode version
    /// behind the standard library, so that the newest letters are not folded.
    fn has_known_case(letter: char) -> bool {
        let folds = |text: String| text.chars().default_case_fold().collect::<String>() != text;
        let (upper, lower) = (letter.to_uppercase().collect(), letter.to_lowercase().collect());
        upper == lower || folds(upper) || folds(lower)
    }

    #[test]
    fn the_normal_form_of_every_letter_is_its_own_and_that_of_its_cases() {
        for letter in '\0'..=char::MAX {
            if !is_letter_or_digit(letter) || !has_known_case(letter) {
                continue;
            }
            let once = normal_form(letter.encode_utf8(&mut [0; 4])).into_owned();
            for word in once.split_whitespace() {
                assert_eq!(normal_form(word), word, "{letter:?} a second time");
            }
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
