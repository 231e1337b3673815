//! What is said of a text that was made up to slip through.

use crate::text::Found;
use crate::text::disguises::Trick;

/// The name of a trick; never changes.
pub(super) fn code(trick: Trick) -> &'static str {
    match trick {
        Trick::Homoglyphs => "homoglyphs",
        Trick::InvisibleCharacters => "invisible-characters",
        Trick::TurnedText => "turned-text",
        Trick::PutOnMarks => "put-on-marks",
        Trick::LetterSpacing => "letter-spacing",
        Trick::StyledLetters => "styled-letters",
        Trick::Ligatures => "ligatures",
        Trick::SoftHyphens => "soft-hyphens",
        Trick::LineEndHyphens => "line-end-hyphens",
        Trick::HiddenText => "hidden-text",
    }
}

/// What was found, as it follows on the name of a text and "has": how much, where first,
/// and an example.
pub fn described(found: &Found) -> String {
    let what = match found.trick {
        Trick::Homoglyphs => "with letters of another script that look the same",
        Trick::InvisibleCharacters => "with invisible characters",
        Trick::TurnedText => "turned round by a control",
        Trick::PutOnMarks => "with marks put on letters",
        Trick::LetterSpacing => "with spaces between all letters",
        Trick::StyledLetters => "in styled letters",
        Trick::Ligatures => "with several letters in one character",
        Trick::SoftHyphens => "with soft hyphens",
        Trick::LineEndHyphens => "broken by a hyphen at a line's end",
        Trick::HiddenText => "that a reader of the document does not see",
    };
    let words = if found.words == 1 { "word" } else { "words" };
    let line = found.line.map_or(String::new(), |line| format!("line {line}, "));
    format!("{} {words} {what}; {line}\"{}\"", found.words, found.example)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_trick_is_told_with_its_place_and_an_example() {
        let found = |words, line| {
            let example = "pl<U+0430>gue".to_owned();
            described(&Found { trick: Trick::Homoglyphs, words, line, example })
        };
        assert_eq!(
            found(1, Some(7)),
            "1 word with letters of another script that look the same; line 7, \"pl<U+0430>gue\""
        );
        assert_eq!(
            found(2, None),
            "2 words with letters of another script that look the same; \"pl<U+0430>gue\""
        );
    }
}
