//! What kinds of characters there are, as tables that are asked for every letter.

use std::collections::HashMap;
use std::sync::LazyLock;

use foldhash::quality::RandomState;
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;
use unicode_script::{Script, UnicodeScript};
use unicode_security::skeleton;

use crate::text::letters::Each;

/// Whether a character has no width and no meaning to a reader: the default ignorable code
/// points of Unicode.
pub(super) fn is_invisible(letter: char) -> bool {
    matches!(letter,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
        | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}'
        | '\u{ffa0}' | '\u{fff0}'..='\u{fff8}' | '\u{1bca0}'..='\u{1bca3}'
        | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}')
}

/// What a word is made of to a reader.
pub(super) fn is_of_word(letter: char) -> bool {
    static OF_WORDS: Each<bool> =
        Each::new(|it| it.is_alphanumeric() || is_combining_mark(it) || is_invisible(it));
    OF_WORDS.get(letter)
}

/// Whether it stands on the letter before it.
pub(super) fn is_mark(letter: char) -> bool {
    static MARKS: Each<bool> = Each::new(is_combining_mark);
    MARKS.get(letter)
}

/// Letters of the blocks below, and accented ones, have no plain form.
pub(super) const FIRST_STYLED: char = '\u{1d2c}';

/// The letter of ASCII that a raised, lowered, circled, full-width or mathematical one is.
pub(super) fn unstyled(letter: char) -> Option<char> {
    if letter < FIRST_STYLED {
        return None;
    }
    let mut plain = letter.nfkc();
    plain.next().filter(|plain| plain.is_ascii_alphabetic() && letter.nfkc().count() == 1)
}

/// The letter of Latin, Greek or Cyrillic that looks the same as one of another script, and
/// has its case: by the tables of confusable characters of Unicode Technical Standard #39.
pub(super) fn look_alike(foreign: char, script: Script) -> Option<char> {
    LOOK_ALIKES.get(&(foreign, script)).copied()
}

static LOOK_ALIKES: LazyLock<HashMap<(char, Script), char, RandomState>> = LazyLock::new(|| {
    let latin = ('A'..='Z').chain('a'..='z');
    let greek = ('Α'..='Ω').chain('α'..='ω').filter(|letter| letter.is_alphabetic());
    let own: Vec<(Script, String, char)> =
        latin.chain(greek).chain('Ѐ'..='џ').map(|it| (it.script(), look(it), it)).collect();
    // The alphabets; ideographs and syllables look like no letter.
    let alphabets = [
        'A'..='z',
        '\u{370}'..='\u{5ff}',
        '\u{10a0}'..='\u{10ff}',
        '\u{13a0}'..='\u{13ff}',
        '\u{1c80}'..='\u{1cbf}',
        '\u{1f00}'..='\u{1fff}',
        '\u{2c00}'..='\u{2d2f}',
        '\u{a4d0}'..='\u{a4ff}',
        '\u{a640}'..='\u{a69f}',
        '\u{ab70}'..='\u{abbf}',
        '\u{10280}'..='\u{1044f}',
        '\u{118a0}'..='\u{118df}',
    ];
    let mut found = HashMap::default();
    for foreign in alphabets.into_iter().flatten().filter(|letter| letter.is_alphabetic()) {
        let looks_like = look(foreign);
        for (script, looks, letter) in &own {
            let is_same = *looks == looks_like && letter.is_uppercase() == foreign.is_uppercase();
            if is_same && *script != foreign.script() {
                found.entry((foreign, *script)).or_insert(*letter);
            }
        }
    }
    found
});

/// What a letter looks like, as a text that can be compared.
fn look(letter: char) -> String {
    skeleton(letter.encode_utf8(&mut [0; 4])).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Skeletons of confusable texts leave the default ignorable code points out.
    #[test]
    fn invisible_are_those_of_unicode() {
        for letter in '\0'..=char::MAX {
            assert_eq!(is_invisible(letter), look(letter).is_empty(), "{:x}", u32::from(letter));
        }
    }

    #[test]
    fn letters_of_style_have_a_plain_form() {
        for (letter, plain) in [
            ('Ａ', Some('A')),
            ('𝐩', Some('p')),
            ('ⓐ', Some('a')),
            ('ᵃ', Some('a')),
            ('ﬁ', None),
            ('Ⅷ', None),
            ('a', None),
            ('é', None),
            ('水', None),
            ('１', None),
        ] {
            assert_eq!(unstyled(letter), plain, "{letter}");
        }
        let below = '\0'..'\u{1d2c}';
        let is_styled = |letter: &char| {
            let plain: String = letter.nfkc().collect();
            !letter.is_ascii()
                && plain.len() == 1
                && plain.chars().all(|it| it.is_ascii_alphabetic())
        };
        // ª, º, ſ, and modifier letters that are no disguise.
        let known = ['ª', 'º', 'ſ', 'ʰ', 'ʲ', 'ʳ', 'ʷ', 'ʸ', 'ˡ', 'ˢ', 'ˣ'];
        assert_eq!(below.filter(is_styled).collect::<Vec<_>>(), known);
    }

    #[test]
    fn letters_that_look_the_same_are_found() {
        for (foreign, script, own) in [
            ('а', Script::Latin, Some('a')),
            ('А', Script::Latin, Some('A')),
            ('ж', Script::Latin, None),
            ('o', Script::Cyrillic, Some('о')),
            ('ο', Script::Latin, Some('o')),
            ('Ꭺ', Script::Latin, Some('A')),
            ('水', Script::Latin, None),
            ('a', Script::Latin, None),
        ] {
            assert_eq!(look_alike(foreign, script), own, "{foreign}");
        }
    }
}
