//! Characters that are typed in place of others that look the same, as keyboards and programs make
//! them. They are no disguise: they are replaced without a word, so that both ways of typing are
//! the same text. Where the neighbours do not matter, the normal form of a word does so.

use std::ops::Range;

use memchr::{memchr, memmem};
use unicode_script::Script;

use super::SpanEditor;
use crate::text::letters::script;

/// Quotation marks between two Hebrew letters that are typed, or put by programs, for gershayim.
const QUOTATION_MARKS: [&str; 4] = ["\u{201c}", "\u{201d}", "\u{201f}", "''"];

/// Bullets between two letters l that are typed for the middle dot of Catalan.
const BULLETS: [char; 4] = ['\u{2022}', '\u{2219}', '\u{2027}', '\u{22c5}'];

/// Letters of Indic scripts that were encoded as several characters before Unicode 4.1 or 5.1
/// (the Unicode Standard, tables 12-5 and 12-37).
const INDIC: [(&str, &str); 7] = [
    ("\u{9a4}\u{9cd}\u{200d}", "\u{9ce}"),
    ("\u{d23}\u{d4d}\u{200d}", "\u{d7a}"),
    ("\u{d28}\u{d4d}\u{200d}", "\u{d7b}"),
    ("\u{d30}\u{d4d}\u{200d}", "\u{d7c}"),
    ("\u{d32}\u{d4d}\u{200d}", "\u{d7d}"),
    ("\u{d33}\u{d4d}\u{200d}", "\u{d7e}"),
    ("\u{d15}\u{d4d}\u{200d}", "\u{d7f}"),
];

/// For Thai and Lao: the vowel that is written twice for another one, and that one; the ring, and
/// the vowel with which it is one character; the tone marks, which may be typed between these two.
const THAI_AND_LAO: [(char, char, char, char, Range<char>); 2] = [
    ('\u{e40}', '\u{e41}', '\u{e4d}', '\u{e32}', '\u{e48}'..'\u{e4c}'),
    ('\u{ec0}', '\u{ec1}', '\u{ecd}', '\u{eb2}', '\u{ec8}'..'\u{ecc}'),
];

/// Returns the places of a text, increasing, at which characters may be typed for others and that
/// are not [candidates](super::tricks::candidates).
pub(super) fn places(text: &str) -> Vec<usize> {
    let bytes = text.as_bytes();
    // The first bytes of the letters of Hebrew, and of Thai and Lao.
    let sequences: [(u8, &[&str]); 2] =
        [(0xd7, &["''"]), (0xe0, &["\u{e40}\u{e40}", "\u{e4d}", "\u{ec0}\u{ec0}", "\u{ecd}"])];
    let mut places: Vec<usize> = Vec::new();
    for (script, sequences) in sequences {
        if memchr(script, bytes).is_some() {
            places.extend(sequences.iter().flat_map(|it| memmem::find_iter(bytes, it)));
        }
    }
    places.retain(|place| replaced(text, *place).is_some());
    places.sort_unstable();
    places
}

/// Returns the range of the characters at a place that are typed for others, and what they are
/// typed for; `None` if they are what they look like.
pub(super) fn replaced(text: &str, place: usize) -> Option<(Range<usize>, String)> {
    let rest = &text[place..];
    let letter = rest.chars().next()?;
    let before = || text[..place].chars().next_back().unwrap_or(' ');
    let of = |written: &str, shown: &str| (place..place + written.len(), shown.to_owned());
    if BULLETS.contains(&letter) {
        let is_l = |letter: char| matches!(letter, 'l' | 'L');
        let is_between = is_l(before()) && rest.chars().nth(1).is_some_and(is_l);
        return is_between.then(|| of(&rest[..letter.len_utf8()], "\u{b7}"));
    }
    if let Some(mark) = QUOTATION_MARKS.iter().find(|mark| rest.starts_with(**mark)) {
        let is_hebrew = |letter: char| script(letter) == Script::Hebrew;
        let after = rest[mark.len()..].chars().next();
        return (is_hebrew(before()) && after.is_some_and(is_hebrew)).then(|| of(mark, "\""));
    }
    if letter == '\u{200d}' {
        let known = INDIC.iter().find(|(written, _)| text[..place + 3].ends_with(written));
        return known
            .map(|(written, shown)| (place + 3 - written.len()..place + 3, (*shown).to_owned()));
    }
    if let Some(range) = lone_soft_hyphen(text, place) {
        return Some((range, "\u{ad}".to_owned()));
    }
    let (twice, vowel, ring, behind_ring, tones) =
        THAI_AND_LAO.into_iter().find(|(twice, _, ring, ..)| [*twice, *ring].contains(&letter))?;
    let mut next = rest.chars().skip(1);
    match (next.next()?, next.next()) {
        (next, _) if letter == twice && next == twice => {
            Some(of(&rest[..2 * letter.len_utf8()], vowel.encode_utf8(&mut [0; 4])))
        }
        (tone, Some(next)) if letter == ring && tones.contains(&tone) && next == behind_ring => {
            let written = &rest[..3 * letter.len_utf8()];
            Some(of(written, &String::from_iter([tone, ring, behind_ring])))
        }
        _ => None,
    }
}

/// Replaces what is typed for something else, if that is all of the span.
pub(super) fn replace(editor: &mut SpanEditor, text: &str) {
    let span = editor.span();
    // The range of a joiner or of a soft hyphen ends with it.
    let is_whole = |(range, _): &(Range<usize>, String)| *range == span;
    let places = [span.start, span.end.saturating_sub(3), span.end.saturating_sub(2)];
    let places = places.into_iter().filter(|place| text.is_char_boundary(*place));
    if let Some((_, shown)) = places.filter_map(|place| replaced(text, place)).find(is_whole) {
        editor.letters = shown.chars().collect();
    }
}

/// Returns the range of the soft hyphen at a place and the line end before it, if it is alone on its
/// line, as programs that cut lines leave it behind.
fn lone_soft_hyphen(text: &str, place: usize) -> Option<Range<usize>> {
    let before = text[..place].strip_suffix('\n')?;
    let before = before.strip_suffix('\r').unwrap_or(before);
    let rest = text[place..].strip_prefix('\u{ad}')?;
    rest.starts_with(['\n', '\r']).then(|| before.len()..text.len() - rest.len())
}
