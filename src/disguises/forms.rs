//! Forms of letters and words that their normal form undoes: they are counted only.

use std::ops::Range;

use unicode_normalization::UnicodeNormalization;
use unicode_script::{Script, UnicodeScript};

use super::Trick;
use super::stretch::Stretch;
use super::tally::{Tally, spelled};

/// So many styled letters beside one another are a word and no formula.
const LEAST_STYLED: usize = 3;

/// So many words broken at line ends are more than chance.
const LEAST_BROKEN: usize = 3;

/// And at least one line in so many: books have one in ten.
const LINES_A_BROKEN_WORD: usize = 8;

/// The most letters of half a word.
const LONGEST_HALF: usize = 40;

const SOFT_HYPHEN: char = '\u{ad}';

/// Counts styled letters, ligatures and soft hyphens. Full-width letters are ordinary in
/// East Asian texts.
pub(super) fn count(stretch: &Stretch, is_east_asian: impl Fn() -> bool, tally: &mut Tally) {
    let letters = &stretch.letters;
    let mut found = |trick, is_odd: fn(char) -> bool| {
        tally.count(trick, stretch.span().start, || spelled(letters, is_odd));
    };
    let longest_styled = letters.split(|&letter| !is_styled(letter)).map(<[char]>::len).max();
    let is_full_width = |letter: &char| matches!(letter, '\u{ff21}'..='\u{ff5a}');
    if longest_styled >= Some(LEAST_STYLED)
        && !(letters.iter().any(is_full_width) && is_east_asian())
    {
        found(Trick::StyledLetters, |_| false);
    }
    if letters.iter().any(|&letter| is_ligature(letter)) {
        found(Trick::Ligatures, is_ligature);
    }
    let is_inside = |three: &[char]| {
        three[1] == SOFT_HYPHEN && three[0].is_alphabetic() && three[2].is_alphabetic()
    };
    if letters.windows(3).any(is_inside) {
        found(Trick::SoftHyphens, |letter| letter == SOFT_HYPHEN);
    }
}

/// A letter that stands for another one, of ASCII.
fn is_styled(letter: char) -> bool {
    let mut plain = letter.nfkc();
    !letter.is_ascii()
        && plain.next().is_some_and(|plain| plain.is_ascii_alphabetic())
        && plain.next().is_none()
}

fn is_ligature(letter: char) -> bool {
    matches!(letter, '\u{fb00}'..='\u{fb06}')
}

/// Whether a text has letters of Chinese, Japanese or Korean.
pub(super) fn is_east_asian(text: &str) -> bool {
    let scripts = [Script::Han, Script::Hiragana, Script::Katakana, Script::Hangul];
    text.chars().any(|letter| !letter.is_ascii() && scripts.contains(&letter.script()))
}

/// Counts words broken by a hyphen at the end of a line, where they are too many for
/// ordinary typesetting.
pub(super) fn count_line_end_hyphens(text: &str, tally: &mut Tally) {
    let breaks = |line_end: &str| {
        let breaks = memchr::memmem::find_iter(text.as_bytes(), line_end);
        let broken = breaks.filter_map(|hyphen| broken_word(text, hyphen, hyphen + line_end.len()));
        broken.collect::<Vec<_>>()
    };
    let mut broken = breaks("-\n");
    broken.extend(breaks("-\r\n"));
    let lines = || memchr::memchr_iter(b'\n', text.as_bytes()).count() + 1;
    if broken.len() >= LEAST_BROKEN && broken.len() * LINES_A_BROKEN_WORD >= lines() {
        broken.sort_by_key(|word| word.start);
        for word in broken {
            let letters: Vec<char> = text[word.clone()].chars().collect();
            let example = || spelled(&letters, char::is_control);
            tally.count(Trick::LineEndHyphens, word.start, example);
        }
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
