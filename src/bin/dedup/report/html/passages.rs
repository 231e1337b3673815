//! The matches of a pair → the passages of a page.

use std::ops::Range;

use dedup_text::exclusions::LeftOut;
use dedup_text::passages as alignment;
use dedup_text::pipeline::Match;
use dedup_text::text::{self, Text};
use dedup_text::tokens::{self, Tokens};

use super::page::{Passage, Place};
use crate::report::Pair;
use crate::report::matches::kind;

/// The passages in the order of the matches; none where they were not looked for.
pub(super) fn passages(pair: &Pair) -> Vec<Passage> {
    let judgement = pair.judgement;
    let Some(matches) = judgement.matches.as_ref().filter(|matches| !matches.all.is_empty()) else {
        return Vec::new();
    };
    let left = words(pair.left, &judgement.left_out_of_left);
    let right = words(pair.right, &judgement.left_out_of_right);
    let passage = |found: &Match| Passage {
        kind: kind(found.passage.kind()),
        words: found.passage.words(),
        changed_words: found.passage.changed_words(),
        left: place(&left, &found.left, &found.passage, 0),
        right: place(&right, &found.right, &found.passage, 1),
    };
    matches.all.iter().map(passage).collect()
}

/// The words of a text that count, as passages count them.
fn words<'t>(text: &'t Text, left_out: &[LeftOut]) -> Tokens<'t> {
    let content = text.content();
    let ends = left_out.iter().map(|out| out.span.start).chain([content.len()]);
    let starts = [0].into_iter().chain(left_out.iter().map(|out| out.span.end));
    tokens::split_stretches(content, starts.zip(ends).map(|(start, end)| start..end))
}

/// A place with what is changed in it: the words between those that are aligned.
fn place(words: &Tokens, place: &text::Place, passage: &alignment::Passage, side: usize) -> Place {
    let range = [&passage.left, &passage.right][side].clone();
    let mut aligned: Vec<Range<usize>> = passage.runs.iter().map(|run| run.range(side)).collect();
    aligned.sort_unstable_by_key(|range| range.start);
    let ends = [range.start].into_iter().chain(aligned.iter().map(|run| run.end));
    let starts = aligned.iter().map(|run| run.start).chain([range.end]);
    let gaps = ends.zip(starts).filter(|(from, to)| from < to);
    let span = |(from, to): (usize, usize)| words.0[from].span.start..words.0[to - 1].span.end;
    Place {
        span: place.content.clone(),
        lines: place.lines,
        words: range.len(),
        changed: gaps.map(span).collect(),
    }
}
