//! Text that stands turned round under a control that turns it back.

use std::ops::Range;

use unicode_script::Script;
use unicode_segmentation::UnicodeSegmentation;

use super::Trick;
use super::stretch::{Stretch, What};
use super::tally::{Tally, spelled};
use crate::text::letters::{is_alphabetic, script};

const RIGHT_TO_LEFT_OVERRIDE: char = '\u{202e}';
const POP_DIRECTIONAL_FORMATTING: char = '\u{202c}';

/// Whether a control turns what follows round.
pub(super) fn turns(letter: char) -> bool {
    letter == RIGHT_TO_LEFT_OVERRIDE
}

/// How far the control at a place turns text: to where it is ended, at the latest at the
/// line's end, `limit` bytes on or at the text's end.
pub(super) fn from(text: &str, place: usize, limit: usize) -> Range<usize> {
    let turned = &text[place..limit];
    let ends = |letter: char| matches!(letter, '\n' | '\r' | '\u{85}' | '\u{2028}' | '\u{2029}');
    let line = turned.find(ends).unwrap_or(turned.len());
    let end = turned[..line]
        .find(POP_DIRECTIONAL_FORMATTING)
        .map_or(line, |pop| pop + POP_DIRECTIONAL_FORMATTING.len_utf8());
    place..place + end
}

/// Turns the text back, as a reader sees it, unless its letters run from right to left
/// anyhow.
pub(super) fn turn_back(stretch: &mut Stretch, tally: &mut Tally) {
    if stretch.what() != What::Turned {
        return;
    }
    let is_control = |letter: char| turns(letter) || letter == POP_DIRECTIONAL_FORMATTING;
    let turned: String = stretch.letters.iter().filter(|letter| !is_control(**letter)).collect();
    let runs_leftward = |letter: char| matches!(script(letter), Script::Hebrew | Script::Arabic);
    let leftward = turned.chars().filter(|&letter| runs_leftward(letter)).count();
    if leftward * 2 < turned.chars().filter(|&letter| is_alphabetic(letter)).count() {
        tally.count(Trick::TurnedText, stretch.span().start, || {
            spelled(&stretch.letters, is_control)
        });
        stretch.letters = turned.graphemes(true).rev().flat_map(str::chars).collect();
    } else {
        stretch.letters = turned.chars().collect();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_turned_to_the_end_of_the_control_or_of_the_line() {
        #[rustfmt::skip]
        let table = [
            ("ended",               "a \u{202e}cb\u{202c} d", 2..10),
            ("not ended",           "a \u{202e}cb d",         2..9),
            ("at the line's end",   "a \u{202e}cb\nd",        2..7),
            ("nothing behind it",   "a \u{202e}",             2..5),
        ];
        for (why, text, want) in table {
            assert_eq!(from(text, 2, text.len()), want, "{why}");
        }
    }
}
