//! A text → the stretches of it that may be disguised.

use std::collections::BTreeSet;
use std::ops::Range;

use super::letters::is_of_word;
use super::letters::{self, Sure};
use super::letters::{LONGEST, Span, What};
use super::tricks;

/// So many different words with spaces between their letters are no heading of a table.
const LEAST_WORDS: usize = 3;

/// The stretches around places in a text, which increase. They do not overlap.
pub(super) fn around(text: &str, places: impl Iterator<Item = usize>) -> Vec<Span> {
    let mut spans: Vec<Span> = Vec::new();
    for place in places {
        let done = spans.last().map_or(0, |span| span.range().end);
        if place < done {
            continue;
        }
        if let Some(span) = one_around(text, place, done) {
            spans.push(span);
        }
    }
    spans
}

fn one_around(text: &str, place: usize, done: usize) -> Option<Span> {
    let letter = text[place..].chars().next()?;
    if letters::is_space(letter) {
        let (range, sure) = letters::around(text, place, done)?;
        return Some(Span::new(&range, What::Spaced(sure)));
    }
    if tricks::turns(letter) {
        let limit = floor(text, place + LONGEST);
        return Some(Span::new(&tricks::from(text, place, limit), What::Turned));
    }
    let before = &text[done.max(floor(text, place.saturating_sub(LONGEST / 2)))..place];
    let letters_before = before.chars().rev().take_while(|&letter| is_of_word(letter));
    let start = place - letters_before.map(char::len_utf8).sum::<usize>();
    let after = &text[place..floor(text, start + LONGEST)];
    let letters_after =
        after.chars().take_while(|&letter| is_of_word(letter) && !tricks::turns(letter));
    let end = place + letters_after.map(char::len_utf8).sum::<usize>();
    (start < end).then(|| Span::new(&(start..end), What::Word))
}

/// The last character boundary that is not behind a byte.
fn floor(text: &str, byte: usize) -> usize {
    let mut floor = byte.min(text.len());
    while !text.is_char_boundary(floor) {
        floor -= 1;
    }
    floor
}

/// The stretches, and all words between them that may hide something.
pub(super) fn and_words(
    text: &str,
    spans: Vec<Span>,
    may_hide: impl Fn(&str) -> bool + Copy,
) -> impl Iterator<Item = Span> {
    let mut done = 0;
    spans.into_iter().map(Some).chain([None]).flat_map(move |span| {
        let range = span.map_or(text.len()..text.len(), Span::range);
        let between = words(text, done..range.start);
        done = range.end;
        let hides =
            move |word: &Range<usize>| word.len() <= LONGEST && may_hide(&text[word.clone()]);
        between.filter(hides).map(|word| Span::new(&word, What::Word)).chain(span)
    })
}

/// Where the words of a part of a text stand; there may be empty ones among them.
fn words(text: &str, part: Range<usize>) -> impl Iterator<Item = Range<usize>> {
    let mut start = part.start;
    text[part].split_inclusive(|letter| !is_of_word(letter)).map(move |word| {
        let bare = word.trim_end_matches(|letter| !is_of_word(letter));
        let range = start..start + bare.len();
        start += word.len();
        range
    })
}

/// Whether a text has several different words with spaces between their letters.
pub(super) fn has_several(text: &str, spans: &[Span]) -> bool {
    let is_sure = |span: &&Span| span.what == What::Spaced(Sure::Alone);
    let mut words = BTreeSet::new();
    spans.iter().filter(is_sure).any(|span| {
        words.insert(&text[span.range()]);
        words.len() >= LEAST_WORDS
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_between_the_stretches_are_added_where_they_may_hide_something() {
        let text = "aé b, é-éa 1é";
        let stretch = Span::new(&(9..10), What::Turned);
        let added = |spans| {
            let spans = and_words(text, spans, |word| word.contains('é'));
            spans.map(|span| &text[span.range()]).collect::<Vec<_>>()
        };
        assert_eq!(added(vec![stretch]), ["aé", "é", "-", "éa", "1é"]);
        assert_eq!(added(Vec::new()), ["aé", "é", "éa", "1é"]);
    }
}
