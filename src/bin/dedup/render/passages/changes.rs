//! The words of a passage that are marked: those that the other side does not have in their
//! place, or, where those are the most, the others.

use std::ops::Range;

use dedup_text::pair::Match;
use dedup_text::passages::Passage;
use dedup_text::text::{Place, Text};
use dedup_text::tokens::{self, Token};

use super::Pair;

/// The beginning of a side of a passage.
pub(super) struct Side<'t> {
    /// The text that it stands in.
    pub(super) text: &'t str,
    /// Where it stands, in bytes of that.
    pub(super) span: Range<usize>,
    /// Whether what is changed is marked, or what is not.
    pub(super) mark: Mark,
    /// What is marked, increasing; words one after the other are one.
    pub(super) marked: Vec<Range<usize>>,
    /// Where its words begin, increasing, and whether they are marked.
    pub(super) starts: Vec<(usize, bool)>,
    /// The words of all of the passage.
    pub(super) words: usize,
    /// The marked ones of them.
    pub(super) marked_words: usize,
}

/// What is marked in a passage.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Mark {
    Changed,
    Unchanged,
}

impl Mark {
    fn of(passage: &Passage) -> Self {
        if passage.is_mostly_changed() { Self::Unchanged } else { Self::Changed }
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Changed => "changed",
            Self::Unchanged => "unchanged",
        }
    }
}

/// Both sides of a passage, each of so many bytes at most: up to white space where there is
/// some.
pub(super) fn between<'p>(pair: &Pair<'p>, found: &Match, most: usize) -> [Side<'p>; 2] {
    let (left, left_span) = head(pair.left, &found.left, most);
    let (right, right_span) = head(pair.right, &found.right, most);
    let tokens =
        [tokens::split(&left[left_span.clone()]).0, tokens::split(&right[right_span.clone()]).0];
    let mark = Mark::of(&found.passage);
    let side = |side: usize, text: &'p str, span: Range<usize>| {
        let words = if side == 0 { &found.passage.left } else { &found.passage.right };
        let tokens = &tokens[side];
        let mut is_marked = vec![mark == Mark::Changed; tokens.len()];
        for run in &found.passage.runs {
            let aligned = run.range(side);
            let from = (aligned.start - words.start).min(tokens.len());
            let to = (aligned.end - words.start).min(tokens.len());
            is_marked[from..to].fill(mark == Mark::Unchanged);
        }
        let place = |token: &Token| span.start + token.span.start..span.start + token.span.end;
        let told: Vec<_> = tokens.iter().map(place).zip(is_marked).collect();
        let stretches = told.chunk_by(|one, next| one.1 == next.1).filter(|words| words[0].1);
        let mut marked: Vec<Range<usize>> =
            stretches.map(|words| words[0].0.start..words[words.len() - 1].0.end).collect();
        marked.dedup();
        let unchanged = found.passage.words();
        Side {
            text,
            mark,
            marked,
            starts: told.iter().map(|(place, is_marked)| (place.start, *is_marked)).collect(),
            span,
            words: words.len(),
            marked_words: match mark {
                Mark::Changed => words.len() - unchanged,
                Mark::Unchanged => unchanged,
            },
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
