//! Words with a space between all letters: `t h e`.

use std::ops::Range;

use super::letters::is_of_word;

/// The fewest letters of such a word.
const LEAST_LETTERS: usize = 3;

/// The fewest where all are capitals, of which headings of tables are made.
const LEAST_CAPITALS: usize = 5;

/// The most letters of such a word that are looked at on either side of a space.
const MOST_LETTERS: usize = 64;

/// Letters that are words of their own in some language: three of them may be three words.
const LONE_WORDS: &str = "aeiouyàéèóòwzksvhаеиоуявксжізє";

/// Whether it is a space that may stand between letters.
pub(super) fn is_space(letter: char) -> bool {
    matches!(letter, ' ' | '\u{a0}' | '\u{2000}'..='\u{200a}' | '\u{202f}')
}

/// How sure it is that letters with spaces between are one word.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Sure {
    /// They can hardly be anything else.
    Alone,
    /// They stand apart from what is around, and are one in a text that has others.
    AmongOthers,
}

/// Where the letter-spaced word is that has a space at `place`, looking back to `from` and
/// no further; none where the letters around are no such word.
pub(super) fn around(text: &str, place: usize, from: usize) -> Option<(Range<usize>, Sure)> {
    let space = text[place..].chars().next().filter(|&space| is_space(space))?;
    let behind = place + space.len_utf8();
    let back: usize = lone_letters(text[from..place].chars().rev()).sum();
    let on: usize = lone_letters(text[behind..].chars()).sum();
    let range = place - back..behind + on;
    let letters: Vec<char> =
        text[range.clone()].chars().filter(|&letter| !is_space(letter)).collect();
    if back == 0 || on == 0 {
        return None;
    }
    if is_word(&letters) {
        return Some((range, Sure::Alone));
    }
    let stands_apart =
        begins_apart(text[..range.start].chars().rev()) && begins_apart(text[range.end..].chars());
    stands_apart.then_some((range, Sure::AmongOthers))
}

/// Whether what is beside letters begins with the edge of a line or with two spaces.
fn begins_apart(mut beside: impl Iterator<Item = char>) -> bool {
    let first = beside.next();
    first.is_none_or(char::is_control)
        || first.is_some_and(is_space) && beside.next().is_none_or(char::is_whitespace)
}

/// The lengths in bytes of the letters that follow, each alone between spaces, and of the
/// spaces between them.
fn lone_letters(letters: impl Iterator<Item = char>) -> impl Iterator<Item = usize> {
    let mut letters = letters.peekable();
    let mut space = Some(0);
    let lengths = std::iter::from_fn(move || {
        let before = space.take()?;
        let letter = letters.next_if(|letter| letter.is_lowercase() || letter.is_uppercase())?;
        if letters.peek().is_some_and(|&next| is_of_word(next)) {
            return None;
        }
        space = letters.next_if(|&next| is_space(next)).map(char::len_utf8);
        Some(before + letter.len_utf8())
    });
    lengths.take(MOST_LETTERS)
}

/// Whether letters alone between spaces are rather one word than a list of letters or
/// several words of one letter.
fn is_word(letters: &[char]) -> bool {
    let Some((first, rest)) = letters.split_first() else { return false };
    let is_list = letters.windows(2).all(|pair| u32::from(pair[0]) + 1 == u32::from(pair[1]));
    let capitals = rest.iter().filter(|letter| letter.is_uppercase()).count();
    let least = if capitals == 0 { LEAST_LETTERS } else { LEAST_CAPITALS };
    let is_one_case = capitals == 0 || capitals == rest.len() && first.is_uppercase();
    let lone_words =
        letters.iter().all(|letter| letter.to_lowercase().all(|it| LONE_WORDS.contains(it)));
    letters.len() >= least && is_one_case && !is_list && !(letters.len() == 3 && lone_words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_with_spaces_between_are_a_word() {
        #[rustfmt::skip]
        let table = [
            ("a word",                 "see t h e end",       Some("t h e")),
            ("at both ends",           "t h e",               Some("t h e")),
            ("a capital first",        "T h e end",           Some("T h e")),
            ("in brackets",            "(t e x t)",           Some("t e x t")),
            ("capitals",               "so T I T L E it",     Some("T I T L E")),
            ("Cyrillic",               "это т е к с т и",     Some("т е к с т и")),
            ("other spaces",           "t\u{a0}h\u{2009}e",   Some("t\u{a0}h\u{2009}e")),
            ("two spaces part",        "t h e  c a t",        Some("t h e")),
            ("a line end parts",       "t h e\nc a t",        Some("t h e")),
            ("two letters",            "or h e said",         None),
            ("a list",                 "a b c d e f",         None),
            ("variables",              "x y z",               None),
            ("letters of a table",     "A X F Q",             None),
            ("a mixture",              "B C D i s",           None),
            ("words of one letter",    "X i Z",               None),
            ("and in Polish",          "a i w",               None),
            ("a longer word begins",   "an a b",              None),
            ("digits",                 "1 2 4 8",             None),
            ("ideographs",             "水 火 木",              None),
        ];
        for (why, text, want) in table {
            let mut spaces = text.char_indices().filter(|&(_, letter)| is_space(letter));
            let found = spaces.find_map(|(place, _)| around(text, place, 0));
            let sure = found.filter(|(_, sure)| *sure == Sure::Alone);
            assert_eq!(sure.map(|(range, _)| &text[range]), want, "{why}");
        }
    }

    #[test]
    fn what_stands_before_is_left_alone() {
        assert_eq!(around("a x t h e", 3, 2), Some((2..9, Sure::Alone)));
        assert_eq!(around("t h e", 1, 1), None);
    }

    #[test]
    fn letters_that_stand_apart_may_be_a_word() {
        #[rustfmt::skip]
        let table = [
            ("two letters",      "end  o f  it",  Some("o f")),
            ("at the edges",     "o f",           Some("o f")),
            ("of a line",        "end\no f\nit",  Some("o f")),
            ("capitals",         "a  U S A  b",   Some("U S A")),
            ("one space before", "end o f  it",   None),
            ("one space behind", "end  o f it",   None),
            ("a comma behind",   "end  o f, it",  None),
        ];
        for (why, text, want) in table {
            let mut spaces = text.char_indices().filter(|&(_, letter)| is_space(letter));
            let found = spaces.find_map(|(place, _)| around(text, place, 0));
            let want = want.map(|word| (word, Sure::AmongOthers));
            assert_eq!(found.map(|(range, sure)| (&text[range], sure)), want, "{why}");
        }
    }
}
