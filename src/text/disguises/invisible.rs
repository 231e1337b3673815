//! Characters of no width: spaces that are none, joiners, controls of direction.

use unicode_script::Script;

use super::Trick;
use super::letters::is_invisible;
use super::stretch::Stretch;
use super::tally::{Tally, spelled};
use crate::text::letters::{is_alphabetic, script};

const SOFT_HYPHEN: char = '\u{ad}';

/// Removes invisible characters that stand beside letters, and counts the words that have
/// them inside. Soft hyphens stay: they are nothing in the normal form of a word.
pub(super) fn remove(stretch: &mut Stretch, tally: &mut Tally) {
    let may_go = |letter: &char| *letter != SOFT_HYPHEN && is_invisible(*letter);
    if !stretch.letters.iter().any(may_go) {
        return;
    }
    let letters = std::mem::take(&mut stretch.letters);
    let is_letter = |beside: Option<char>| beside.is_some_and(is_alphabetic);
    let (mut has_inside, mut before) = (false, None);
    let mut visible = letters.iter().enumerate().filter(|(_, it)| !is_invisible(**it)).peekable();
    for (at, &letter) in letters.iter().enumerate() {
        if letter == SOFT_HYPHEN || !is_invisible(letter) {
            before = Some(letter).filter(|&letter| letter != SOFT_HYPHEN).or(before);
            stretch.letters.push(letter);
            continue;
        }
        while visible.next_if(|(place, _)| *place < at).is_some() {}
        let after = visible.peek().map(|(_, letter)| **letter);
        if !is_letter(before) && !is_letter(after) || is_needed(letter, before.or(after)) {
            stretch.letters.push(letter);
        } else if is_letter(before) {
            has_inside |= is_letter(after) || !may_end_a_word(letter);
        }
    }
    if has_inside {
        tally.count(Trick::InvisibleCharacters, stretch.span().start, || {
            spelled(&letters, |letter| may_go(&letter))
        });
    }
}

/// Whether an invisible character means something beside a letter: a joiner in scripts that
/// join letters, a space where no others part words, a variant of a symbol.
fn is_needed(invisible: char, beside: Option<char>) -> bool {
    let Some(script) = beside.map(script) else { return false };
    let knows_no_joiner = matches!(
        script,
        Script::Latin
            | Script::Greek
            | Script::Cyrillic
            | Script::Armenian
            | Script::Georgian
            | Script::Hebrew
            | Script::Han
            | Script::Hiragana
            | Script::Katakana
            | Script::Hangul
    );
    match invisible {
        '\u{34f}' | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200d}' => !knows_no_joiner,
        '\u{fe00}'..='\u{fe0f}' => script == Script::Common,
        _ => false,
    }
}

/// Whether an invisible character stands at the ends of words by accident or for a reason:
/// spaces that translating programs leave, marks of direction, variants of symbols.
fn may_end_a_word(invisible: char) -> bool {
    matches!(invisible, '\u{200b}' | '\u{200e}'..='\u{202e}' | '\u{2066}'..='\u{206f}')
        || matches!(invisible, '\u{fe00}'..='\u{feff}' | '\u{e0000}'..)
}
