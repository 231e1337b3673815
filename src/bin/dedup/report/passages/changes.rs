//! The words of a passage that the other side does not have in their place.

use std::ops::Range;

use dedup_text::pipeline::Match;
use dedup_text::text::{Place, Text};
use dedup_text::tokens::{self, Token};

use super::Pair;

/// The beginning of a side of a passage.
pub(super) struct Side<'t> {
    /// The text that it stands in.
    pub(super) text: &'t str,
    /// Where it stands, in bytes of that.
    pub(super) span: Range<usize>,
    /// What is changed, increasing; words one after the other are one.
    pub(super) changed: Vec<Range<usize>>,
    /// Where its words begin, increasing, and whether they are changed.
    pub(super) starts: Vec<(usize, bool)>,
    /// The words of all of the passage.
    pub(super) words: usize,
    /// The changed ones of them.
    pub(super) changed_words: usize,
}

/// Both sides of a passage, each of so many bytes at most: up to white space where there is
/// some.
pub(super) fn between<'p>(pair: &Pair<'p>, found: &Match, most: usize) -> [Side<'p>; 2] {
    let (left, left_span) = head(pair.left, &found.left, most);
    let (right, right_span) = head(pair.right, &found.right, most);
    let tokens =
        [tokens::split(&left[left_span.clone()]).0, tokens::split(&right[right_span.clone()]).0];
    let side = |side: usize, text: &'p str, span: Range<usize>| {
        let words = if side == 0 { &found.passage.left } else { &found.passage.right };
        let tokens = &tokens[side];
        let mut is_changed = vec![true; tokens.len()];
        for run in &found.passage.runs {
            let aligned = run.range(side);
            let from = (aligned.start - words.start).min(tokens.len());
            let to = (aligned.end - words.start).min(tokens.len());
            is_changed[from..to].fill(false);
        }
        let place = |token: &Token| span.start + token.span.start..span.start + token.span.end;
        let told: Vec<_> = tokens.iter().map(place).zip(is_changed).collect();
        let stretches = told.chunk_by(|one, next| one.1 == next.1).filter(|words| words[0].1);
        let mut changed: Vec<Range<usize>> =
            stretches.map(|words| words[0].0.start..words[words.len() - 1].0.end).collect();
        changed.dedup();
        Side {
            text,
            changed,
            starts: told.iter().map(|(place, is_changed)| (place.start, *is_changed)).collect(),
            span,
            words: words.len(),
            changed_words: words.len() - found.passage.words(),
        }
    };
    [side(0, left, left_span), side(1, right, right_span)]
}

/// The beginning of a place.
fn head<'t>(text: &'t Text, place: &Place, most: usize) -> (&'t str, Range<usize>) {
    let (text, Range { start, end }) = (text.content(), place.content.clone());
    if end - start <= most {
        return (text, start..end);
    }
    let cut = text.floor_char_boundary(start + most);
    let space = text[start..cut].rfind(char::is_whitespace);
    (text, start..space.map_or(cut, |space| start + space))
}
