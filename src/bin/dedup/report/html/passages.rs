//! The matches of a pair → the passages of a page.

use std::ops::Range;

use dedup_text::exclusions::LeftOut;
use dedup_text::passages::{self as alignment, Run};
use dedup_text::pipeline::Match;
use dedup_text::text::{self, Text};
use dedup_text::tokens::{self, Tokens};

use super::page::{Passage, Place};
use crate::report::Pair;
use crate::report::matches::kind;

/// The fewest aligned words of a part that is shown to have moved.
const PART: usize = 5;

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

/// The runs with which those parts of a passage begin that the texts have in different
/// order, in the order of right; none where there is but one. Short runs are of no part.
fn parts(runs: &[Run]) -> Vec<Run> {
    let long: Vec<Run> = runs.iter().filter(|run| run.length >= PART).copied().collect();
    let mut on_left = long.clone();
    on_left.sort_unstable_by_key(|run| run.at[0]);
    let follows = |last: &Run, run: &Run| {
        let place = on_left.partition_point(|other| other.at[0] < run.at[0]);
        place.checked_sub(1).is_some_and(|before| on_left[before] == *last)
    };
    let parts: Vec<Run> = long.chunk_by(follows).map(|part| part[0]).collect();
    if parts.len() > 1 { parts } else { Vec::new() }
}

/// A place with what is changed in it: the words between those that are aligned.
fn place(words: &Tokens, place: &text::Place, passage: &alignment::Passage, side: usize) -> Place {
    let range = [&passage.left, &passage.right][side].clone();
    let mut aligned: Vec<Range<usize>> = passage.runs.iter().map(|run| run.range(side)).collect();
    aligned.sort_unstable_by_key(|range| range.start);
    let ends = [range.start].into_iter().chain(aligned.iter().map(|run| run.end));
    let starts = aligned.iter().map(|run| run.start).chain([range.end]);
    let gaps = ends.zip(starts).filter(|(from, to)| from < to);
    let mut parts: Vec<(usize, usize)> = parts(&passage.runs)
        .into_iter()
        .zip(1..)
        .map(|(run, number)| (words.0[run.at[side]].span.start, number))
        .collect();
    parts.sort_unstable();
    let span = |(from, to): (usize, usize)| words.0[from].span.start..words.0[to - 1].span.end;
    Place {
        span: place.content.clone(),
        lines: place.lines,
        words: range.len(),
        changed: gaps.map(span).collect(),
        parts,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_told_apart_by_their_order() {
        let run = |left, right, length| Run { at: [left, right], length };
        let [a, b, c] = [run(0, 20, 9), run(10, 0, 9), run(20, 9, 9)];
        #[rustfmt::skip]
        let table: &[(&str, &[Run], &[Run])] = &[
            ("none",                 &[],                                   &[]),
            ("one run",              &[a],                                  &[]),
            ("in one order",         &[run(0, 0, 9), run(10, 9, 9)],        &[]),
            ("changed places",       &[b, a],                               &[b, a]),
            ("those that stay together are one", &[b, c, a],                &[b, a]),
            ("all turned round",     &[run(40, 0, 5), run(20, 5, 5), run(0, 10, 5)],
                                     &[run(40, 0, 5), run(20, 5, 5), run(0, 10, 5)]),
            ("too short to be told", &[run(30, 0, 4), run(0, 10, 9)],       &[]),
            ("a short one between",  &[b, run(40, 9, 4), run(20, 13, 9), a], &[b, a]),
        ];
        for (why, runs, want) in table {
            assert_eq!(parts(runs), *want, "{why}");
        }
    }
}
