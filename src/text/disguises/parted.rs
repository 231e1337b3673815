//! Words with characters between their letters that a reader hardly sees: thin spaces and control
//! characters.
//!
//! Ordinary texts have thin spaces next to punctuation and in numbers. They have control characters
//! where another encoding has quotation marks, or where fields end. So these characters are removed
//! only if they are inside of many words of the text.

use std::collections::BTreeSet;

use unicode_script::Script;

use super::{DisguiseCounts, Span, SpanEditor, SpanKind, Trick, escaped, is_word_character, words};
use crate::text::letters::{is_alphabetic, script};

/// The smallest number of different words with faint characters between their letters.
const MIN_PARTED: usize = 5;

/// At least one in this many words must have faint characters. The apostrophes of French, which are
/// control characters after a wrong decoding, are in one word of ten.
const WORDS_PER_PARTED: usize = 6;

/// Reports whether a character is a thin space, or a control character other than white space and
/// the backspace with which bold letters are typed.
pub(super) fn is_faint(letter: char) -> bool {
    is_control(letter)
        || matches!(letter, '\u{2006}' | '\u{2009}' | '\u{200a}' | '\u{202f}' | '\u{205f}')
}

fn is_control(letter: char) -> bool {
    letter.is_control() && !letter.is_whitespace() && letter != '\u{8}'
}

/// Reports whether a faint character is between two letters of one script. Does not count the
/// narrow space before Mongolian suffixes, nor the control characters that a wrong decoding makes
/// of accented letters.
pub(super) fn is_inside_a_word(letter: char, before: char, after: char) -> bool {
    is_faint(letter)
        && is_alphabetic(before)
        && is_alphabetic(after)
        && script(before) == script(after)
        && script(before) != Script::Mongolian
        && !(is_control(letter) && matches!(before, '\u{80}'..='\u{ff}'))
}

/// Reports whether the words of a text are split by faint characters, given the spans around faint
/// characters inside of words. Most faint characters must be inside of words, and many words must
/// have them. A text that separates its words by such characters does not count: most of the pieces
/// are words of the text, or there are hardly any other spaces.
pub(super) fn are_words_parted(text: &str, spans: &[Span]) -> bool {
    let is_parted = |span: &&Span| span.kind == SpanKind::Parted;
    let parted = || spans.iter().filter(is_parted).map(|span| &text[span.range()]);
    let different: BTreeSet<&str> = parted().collect();
    if different.len() < MIN_PARTED {
        return false;
    }
    let inside = parted().flat_map(str::chars).filter(|it| is_faint(*it)).count();
    let all = text.chars().filter(|it| is_faint(*it)).count();
    let written = text.split_ascii_whitespace().count();
    let pieces: BTreeSet<&str> = different.iter().flat_map(|word| word.split(is_faint)).collect();
    let whole = text.split(|letter| !is_word_character(letter) && !is_faint(letter));
    let whole: BTreeSet<&str> = whole.collect();
    let known = pieces.iter().filter(|piece| whole.contains(*piece)).count();
    4 * inside >= 3 * all
        && inside <= 3 * written
        && written <= WORDS_PER_PARTED * parted().count()
        && 2 * known < pieces.len()
}

/// Replaces the spans around faint characters by the words between which these are.
pub(super) fn pieces(text: &str, spans: Vec<Span>) -> Vec<Span> {
    let pieces_of = |span: Span| match span.kind {
        SpanKind::Parted => {
            let pieces = words(text, span.range()).filter(|piece| !piece.is_empty());
            pieces.map(|piece| Span::new(&piece, SpanKind::Word)).collect()
        }
        _ => vec![span],
    };
    spans.into_iter().flat_map(pieces_of).collect()
}

/// Removes the faint characters from a word, and counts it.
pub(super) fn join(editor: &mut SpanEditor, counts: &mut DisguiseCounts) {
    if editor.span.kind == SpanKind::Parted {
        counts.count(Trick::InvisibleCharacters, editor.span().start, || {
            escaped(&editor.letters, is_faint)
        });
        editor.letters.retain(|letter| !is_faint(*letter));
    }
}

#[cfg(test)]
mod tests {
    use super::super::reveal;
    use super::*;

    /// A part of a text, in which `|` stands for the character that parts words.
    const PARTED: &str = "The mil|ler had wai|ted for the wa|ter since Mar|ch, and the mead|ow \
                          be|low was dry; no|body said so.";

    #[test]
    fn parted_words_are_joined() {
        let plain = PARTED.replace('|', "");
        for faint in (char::MIN..=char::MAX).filter(|letter| is_faint(*letter)) {
            let found = reveal(&PARTED.replace('|', &faint.to_string()));
            assert_eq!(found.excerpt.unwrap().content(), plain, "{faint:?}");
            let found: Vec<_> = found.disguises.iter().map(|it| (it.trick, it.words)).collect();
            assert_eq!(found, [(Trick::InvisibleCharacters, 7)], "{faint:?}");
        }
    }

    #[test]
    fn ordinary_texts_are_left_alone() {
        let wide: String = PARTED.replace('|', "").replace(' ', "\u{2009}");
        #[rustfmt::skip]
        let table = [
            ("French",         "Quoi\u{202f}? «\u{202f}Rien\u{202f}», dit-il\u{202f}; c’était tout\u{202f}!".to_owned()),
            ("numbers",        "10\u{2009}000 km, 5\u{2009}kg, p\u{202f}34".to_owned()),
            ("titles",         "Mme\u{202f}Aubry, M\u{202f}Blin, Dr\u{202f}Coste et Me\u{202f}Diot, St\u{202f}Eloi, ".to_owned()
                + &"puis le silence des rues de la ville ".repeat(4)),
            ("thin for all",   wide),
            ("a line of each", PARTED.replace('|', "").replace(' ', "\u{2009}") + "\n" + &PARTED.replace('|', "")),
            ("apostrophes",    "l\u{92}eau, d\u{92}un, l\u{92}an, qu\u{92}on, j\u{92}ai, ".to_owned()
                + &"puis le silence des rues de la ville ".repeat(5)),
            ("wrong decoding", "Ð¿Ñ\u{80}Ð¸ Ð²Ñ\u{81}Ðµ ÐµÑ\u{89}Ðµ Ñ\u{82}Ð¾ Ñ\u{8f}Ð´ Ñ\u{87}Ð°Ñ\u{81}".to_owned()),
            ("bold letters",   "N\u{8}NA\u{8}AM\u{8}ME\u{8}E b\u{8}bo\u{8}ol\u{8}ld o\u{8}on f\u{8}fo\u{8}or".to_owned()),
            ("Mongolian",      "ᠭᠠᠵᠠᠷ\u{202f}ᠤᠨ ".repeat(9)),
            ("and colours",    "\u{1b}[31mred\u{1b}[0m and \u{1b}[1mbold\u{1b}[0m".to_owned()),
        ];
        for (why, text) in table {
            assert_eq!(reveal(&text).excerpt, None, "{why}");
            assert_eq!(reveal(&text).disguises, [], "{why}");
        }
    }
}
