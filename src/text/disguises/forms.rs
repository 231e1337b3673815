//! Forms of letters and words that the normal form of words undoes, too: they are counted.

use std::ops::Range;

use unicode_script::Script;

use super::Trick;
use super::letters::{FIRST_STYLED, unstyled};
use super::stretch::Stretch;
use super::tally::{Tally, spelled};
use crate::text::letters::{is_alphabetic, script};

/// So many styled letters beside one another are a word and no formula.
const LEAST_STYLED: usize = 3;

/// So many words broken at line ends are more than chance.
const LEAST_BROKEN: usize = 3;

/// And at least one line in so many: books have one in ten.
const LINES_A_BROKEN_WORD: usize = 8;

/// The most letters of half a word.
const LONGEST_HALF: usize = 40;

const SOFT_HYPHEN: char = '\u{ad}';

/// Makes styled letters plain, and counts them, ligatures and soft hyphens. Full-width
/// letters are ordinary in East Asian texts.
pub(super) fn make_plain(
    stretch: &mut Stretch,
    is_east_asian: impl Fn() -> bool,
    tally: &mut Tally,
) {
    if stretch.written().is_ascii() {
        return;
    }
    let (letters, offset) = (&stretch.letters, stretch.span().start);
    let mut found = |trick, is_odd: fn(char) -> bool| {
        tally.count(trick, offset, || spelled(letters, is_odd));
    };
    let is_inside = |three: &[char]| {
        three[1] == SOFT_HYPHEN && is_alphabetic(three[0]) && is_alphabetic(three[2])
    };
    if letters.windows(3).any(is_inside) {
        found(Trick::SoftHyphens, |letter| letter == SOFT_HYPHEN);
    }
    if letters.iter().all(|letter| *letter < FIRST_STYLED) {
        return;
    }
    if letters.iter().any(|&letter| is_ligature(letter)) {
        found(Trick::Ligatures, is_ligature);
    }
    let is_styled = |letter: &char| unstyled(*letter).is_some();
    let runs = letters.split(|letter| !is_styled(letter));
    if runs.map(<[char]>::len).max() >= Some(LEAST_STYLED)
        && !(letters.iter().any(|&letter| is_full_width(letter)) && is_east_asian())
    {
        found(Trick::StyledLetters, |_| false);
        let plain = |&letter: &char| unstyled(letter).unwrap_or(letter);
        stretch.letters = letters.iter().map(plain).collect();
    }
}

fn is_ligature(letter: char) -> bool {
    matches!(letter, '\u{fb00}'..='\u{fb06}')
}

/// Whether a text has at least as many letters of Chinese, Japanese or Korean as full-width
/// ones.
pub(super) fn is_east_asian(text: &str) -> bool {
    let scripts = [Script::Han, Script::Hiragana, Script::Katakana, Script::Hangul];
    let (mut east_asian, mut full_width) = (0, 0);
    for letter in text.chars().filter(|letter| *letter >= '\u{1100}') {
        full_width += usize::from(is_full_width(letter));
        east_asian += usize::from(scripts.contains(&script(letter)));
    }
    east_asian >= full_width
}

fn is_full_width(letter: char) -> bool {
    matches!(letter, '\u{ff21}'..='\u{ff3a}' | '\u{ff41}'..='\u{ff5a}')
}

/// Counts words broken by a hyphen at the end of a line, where they are too many for
/// ordinary typesetting.
pub(super) fn count_line_end_hyphens(text: &str, tally: &mut Tally) {
    let bytes = text.as_bytes();
    let (mut words, mut first) = (0, None);
    for hyphen in memchr::memchr_iter(b'-', bytes) {
        let line_end = match bytes[hyphen + 1..] {
            [b'\n', ..] => 1,
            [b'\r', b'\n', ..] => 2,
            _ => continue,
        };
        if let Some(word) = broken_word(text, hyphen, hyphen + 1 + line_end) {
            words += 1;
            first = first.or(Some(word));
        }
    }
    let mut line_ends = memchr::memchr_iter(b'\n', bytes);
    if let Some(first) = first
        && words >= LEAST_BROKEN
        && line_ends.nth(words * LINES_A_BROKEN_WORD - 1).is_none()
    {
        let letters: Vec<char> = text[first.clone()].chars().collect();
        let example = || spelled(&letters, char::is_control);
        tally.count_all(Trick::LineEndHyphens, words, first.start, example);
    }
}

/// The word that a hyphen breaks, where what follows is a lower-case letter.
fn broken_word(text: &str, hyphen: usize, behind: usize) -> Option<Range<usize>> {
    let head = text[..hyphen].chars().rev().take_while(|letter| letter.is_alphabetic());
    let length = |letters: &mut dyn Iterator<Item = char>| -> usize {
        letters.take(LONGEST_HALF).map(char::len_utf8).sum()
    };
    let head = length(&mut head.into_iter());
    let tail = text[behind..].chars().take_while(|letter| letter.is_alphabetic());
    let is_small = text[behind..].starts_with(char::is_lowercase);
    (head > 0 && is_small).then(|| hyphen - head..behind + length(&mut tail.into_iter()))
}
