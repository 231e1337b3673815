//! Stretches of words that no passage has → the sentences of prose in them.

use std::ops::Range;

use super::super::pair::Pair;
use super::weights::Weights;

/// The most words of a sentence; a longer one ends there, and what follows is another.
pub(super) const LONGEST: usize = 60;

/// A sentence of a side.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(super) struct Sentence {
    /// Its words, in little room: a text may be nothing but sentences of a letter.
    words: Range<u32>,
    /// Whether it follows the one before: no word, passage or break stands between.
    pub(super) follows: bool,
}

impl Sentence {
    /// Its words.
    pub(super) fn words(&self) -> Range<usize> {
        self.words.start as usize..self.words.end as usize
    }
}

/// The sentences of prose of a side, in order, in free ranges of words. `starts` are the words
/// that begin one within a range. Those behind 2³² words are passed over.
pub(super) fn sentences(
    pair: &Pair,
    weights: &Weights,
    side: usize,
    free: &[Range<usize>],
    starts: &[usize],
) -> Vec<Sentence> {
    let mut sentences: Vec<Sentence> = Vec::new();
    let mut starts = starts.iter().copied().peekable();
    for range in free {
        let mut start = range.start;
        while start < range.end {
            while starts.next_if(|next| *next <= start).is_some() {}
            let next = starts.peek().copied().unwrap_or(range.end);
            let end = next.min(range.end).min(start + LONGEST);
            if weights.are_prose(&pair.words[side][start..end])
                && let (Ok(first), Ok(behind)) = (u32::try_from(start), u32::try_from(end))
            {
                let is_next = sentences.last().is_some_and(|last| last.words.end == first);
                let follows = is_next && start > range.start;
                sentences.push(Sentence { words: first..behind, follows });
            }
            start = end;
        }
    }
    sentences
}

#[cfg(test)]
mod tests {
    use super::super::super::tests::{pair, words};
    use super::*;

    #[test]
    fn sentences_end_at_starts_ends_of_ranges_and_after_60_words() {
        // Each word is as common as any other, so that all is prose.
        let text = words("a1..90");
        let pair = pair(&text, &text);
        let weights = Weights::of(&pair);
        #[rustfmt::skip]
        let table: &[(&str, &[(usize, usize)], &[usize], &[(usize, usize, bool)])] = &[
            ("nothing",                   &[],               &[5],         &[]),
            ("one",                       &[(3, 9)],           &[],          &[(3, 9, false)]),
            ("two",                       &[(3, 9)],           &[5],         &[(3, 5, false), (5, 9, true)]),
            ("starts at its ends",        &[(3, 9)],           &[3, 9],      &[(3, 9, false)]),
            ("starts elsewhere",          &[(3, 9)],           &[1, 12],     &[(3, 9, false)]),
            ("two ranges",                &[(3, 9), (9, 12)],    &[10],        &[(3, 9, false), (9, 10, false), (10, 12, true)]),
            ("60 words",                  &[(0, 60)],          &[],          &[(0, 60, false)]),
            ("61",                        &[(0, 61)],          &[],          &[(0, 60, false), (60, 61, true)]),
            ("60 from where it begins",   &[(0, 90)],          &[7, 80],     &[(0, 7, false), (7, 67, true), (67, 80, true), (80, 90, true)]),
        ];
        for (why, free, starts, want) in table {
            let free: Vec<_> = free.iter().map(|(start, end)| *start..*end).collect();
            let got = sentences(&pair, &weights, 0, &free, starts);
            let got: Vec<_> =
                got.into_iter().map(|it| (it.words().start, it.words().end, it.follows)).collect();
            assert_eq!(got, *want, "{why}");
        }
    }

    #[test]
    fn what_is_no_prose_parts_what_stands_around_it() {
        let text = words(
            &["the x1..3 ".repeat(50), "y1..20 ".to_owned(), "the z1..3 ".repeat(50)].concat(),
        );
        let pair = pair(&text, &[]);
        let side = usize::from(pair.words[0].is_empty());
        let weights = Weights::of(&pair);
        let got = sentences(&pair, &weights, side, std::slice::from_ref(&(190..240)), &[200, 220]);
        let got: Vec<_> = got.into_iter().map(|it| (it.words(), it.follows)).collect();
        assert_eq!(got, [(190..200, false), (220..240, false)]);
    }
}
