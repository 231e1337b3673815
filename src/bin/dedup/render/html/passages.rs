//! The matches of a pair → the passages of a page.

use std::ops::Range;

use dedup_text::interner::chunks::chunks;
use dedup_text::interner::common_runs::Run;
use dedup_text::pair::Match;
use dedup_text::passages as alignment;
use dedup_text::text::{self, Text};
use dedup_text::tokens;
use dedup_text::tokens::exclusions::LeftOut;

use super::page::{Passage, Place};
use crate::model::pair::Pair;
use crate::render::matches::kind;

/// The fewest aligned words of a part that is shown to have moved.
const PART: usize = 5;

/// The passages in the order of the matches; none where they were not looked for.
pub(super) fn passages(pair: &Pair) -> Vec<Passage> {
    let judgement = pair.judgement;
    let Some(matches) = judgement.matches.as_ref().filter(|matches| !matches.all.is_empty()) else {
        return Vec::new();
    };
    let left = words(pair.left, &judgement.left_out_of_left, &matches.all, 0);
    let right = words(pair.right, &judgement.left_out_of_right, &matches.all, 1);
    let passage = |found: &Match| Passage {
        kind: kind(found.passage.kind()),
        words: found.passage.words(),
        changed_words: found.passage.changed_words(),
        left: place(&left, &found.left, &found.passage, 0),
        right: place(&right, &found.right, &found.passage, 1),
    };
    matches.all.iter().map(passage).collect()
}

/// Words of a text and where they stand, increasing.
struct Words(Vec<(usize, Range<usize>)>);

impl Words {
    fn span(&self, word: usize) -> &Range<usize> {
        &self.0[self.0.partition_point(|(known, _)| *known < word)].1
    }
}

/// The words of a text that its places begin or end with, counted as passages count them.
fn words(text: &Text, left_out: &[LeftOut], found: &[Match], side: usize) -> Words {
    let borders = |found: &Match| {
        let gaps = gaps(&found.passage, side);
        let parts = parts(&found.passage.runs);
        let gaps = gaps.into_iter().flat_map(|gap| [gap.start, gap.end - 1]);
        gaps.chain(parts.into_iter().map(|run| run.at[side])).collect::<Vec<_>>()
    };
    let mut wanted: Vec<usize> = found.iter().flat_map(borders).collect();
    wanted.sort_unstable();
    wanted.dedup();
    let content = text.content();
    let ends = left_out.iter().map(|out| out.span.start).chain([content.len()]);
    let starts = [0].into_iter().chain(left_out.iter().map(|out| out.span.end));
    Words(spans(content, starts.zip(ends).map(|(start, end)| start..end), wanted))
}

/// Where words stand in stretches of a text; they are counted from 0 and increase.
fn spans(
    text: &str,
    stretches: impl Iterator<Item = Range<usize>>,
    words: Vec<usize>,
) -> Vec<(usize, Range<usize>)> {
    let mut spans = Vec::with_capacity(words.len());
    let mut words = words.into_iter().peekable();
    let mut next = 0;
    for stretch in stretches {
        for chunk in chunks(&text[stretch.clone()]) {
            let chunk = stretch.start + chunk.start..stretch.start + chunk.end;
            let written = &text[chunk.clone()];
            let is_wanted = words.peek().is_some_and(|word| *word == next);
            if !is_wanted && tokens::is_lone_word(written) {
                next += 1;
                continue;
            }
            for (span, more) in tokens::places(written) {
                next += more;
                while let Some(word) = words.next_if(|word| *word < next) {
                    spans.push((word, chunk.start + span.start..chunk.start + span.end));
                }
            }
        }
    }
    spans
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

/// The words of a side of a passage between those that are aligned; no range is empty.
fn gaps(passage: &alignment::Passage, side: usize) -> Vec<Range<usize>> {
    let range = [&passage.left, &passage.right][side];
    let mut aligned: Vec<Range<usize>> = passage.runs.iter().map(|run| run.range(side)).collect();
    aligned.sort_unstable_by_key(|range| range.start);
    let ends = [range.start].into_iter().chain(aligned.iter().map(|run| run.end));
    let starts = aligned.iter().map(|run| run.start).chain([range.end]);
    ends.zip(starts).filter(|(from, to)| from < to).map(|(from, to)| from..to).collect()
}

/// A place with what is changed in it: the words between those that are aligned.
fn place(words: &Words, place: &text::Place, passage: &alignment::Passage, side: usize) -> Place {
    let mut parts: Vec<(usize, usize)> = parts(&passage.runs)
        .into_iter()
        .zip(1..)
        .map(|(run, number)| (words.span(run.at[side]).start, number))
        .collect();
    parts.sort_unstable();
    let span = |gap: &Range<usize>| words.span(gap.start).start..words.span(gap.end - 1).end;
    Place {
        span: place.content.clone(),
        lines: place.lines,
        words: [&passage.left, &passage.right][side].len(),
        changed: gaps(passage, side).iter().map(span).collect(),
        parts,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_found_where_the_whole_text_has_them() {
        let text = "A kettle, \u{fdfa} exam-\nple: l'home 水火 (lid) of\u{ad} it";
        let stretches = [0..13, 18..40, 41..text.len()];
        let all = tokens::split_stretches(text, stretches.clone()).0;
        for step in 1..all.len() {
            let wanted: Vec<usize> = (0..all.len()).step_by(step).collect();
            let want: Vec<_> = wanted.iter().map(|at| (*at, all[*at].span.clone())).collect();
            assert_eq!(spans(text, stretches.clone().into_iter(), wanted), want, "one in {step}");
        }
        assert!(spans(text, std::iter::empty(), Vec::new()).is_empty());
    }

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
