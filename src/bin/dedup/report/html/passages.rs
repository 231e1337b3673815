//! A pair → the passages that both texts have.

use std::collections::HashMap;

use dedup_text::tokens::{self, Token};

use super::page::{Kind, Passage, Place};
use crate::report::Pair;

/// The fewest words of a run.
const LEAST: usize = 12;
/// The most words, on either side, between two runs of one passage.
const GAP: usize = 8;

/// Words that both texts have, one after the other.
struct Run {
    left: usize,
    right: usize,
    words: usize,
}

/// The passages by their place in the right text: runs of at least [`LEAST`] words, each
/// where it first stands in the left text and no word twice, joined over short gaps.
pub(super) fn passages_of(pair: &Pair) -> Vec<Passage> {
    let [left, right] = [pair.left, pair.right].map(|text| tokens::split(text.content()).0);
    let mut passages: Vec<Vec<Run>> = Vec::new();
    for run in runs(&left, &right) {
        match passages.last_mut() {
            Some(runs) if runs.last().is_some_and(|last| joins(last, &run)) => runs.push(run),
            _ => passages.push(vec![run]),
        }
    }
    passages.iter().map(|runs| passage(runs, &left, &right)).collect()
}

fn runs(left: &[Token], right: &[Token]) -> Vec<Run> {
    let mut known = HashMap::new();
    let mut numbers = |tokens: &[Token]| -> Vec<usize> {
        let number = |token: &Token| {
            let next = known.len();
            *known.entry(token.word.to_string()).or_insert(next)
        };
        tokens.iter().map(number).collect()
    };
    let [left, right] = [numbers(left), numbers(right)];
    let mut seeds = HashMap::new();
    for (at, words) in left.windows(LEAST).enumerate() {
        seeds.entry(words).or_insert(at);
    }
    let mut used = vec![false; left.len()];
    let (mut runs, mut at) = (Vec::new(), 0);
    while let Some(words) = right.get(at..at + LEAST) {
        let from = seeds.get(words).copied().unwrap_or(left.len());
        let length = left[from..]
            .iter()
            .zip(&used[from..])
            .zip(&right[at..])
            .take_while(|((here, used), there)| here == there && !**used)
            .count();
        if length >= LEAST {
            used[from..from + length].fill(true);
            runs.push(Run { left: from, right: at, words: length });
        }
        at += if length >= LEAST { length } else { 1 };
    }
    runs
}

fn joins(last: &Run, run: &Run) -> bool {
    let gap = |end: usize, start: usize| start >= end && start - end <= GAP;
    gap(last.left + last.words, run.left) && gap(last.right + last.words, run.right)
}

fn passage(runs: &[Run], left: &[Token], right: &[Token]) -> Passage {
    let words = runs.iter().map(|run| run.words).sum();
    let of = |start: fn(&Run) -> usize, tokens: &[Token]| -> (usize, Place) {
        let span = |from: usize, to: usize| tokens[from].span.start..tokens[to - 1].span.end;
        let end = |run: &Run| start(run) + run.words;
        let gaps = runs.windows(2).map(|two| end(&two[0])..start(&two[1]));
        let changed = gaps.filter(|gap| !gap.is_empty()).map(|gap| span(gap.start, gap.end));
        let (from, to) = (start(&runs[0]), end(&runs[runs.len() - 1]));
        (to - from - words, Place { span: span(from, to), changed: changed.collect() })
    };
    let (more_left, left) = of(|run| run.left, left);
    let (more_right, right) = of(|run| run.right, right);
    let changed_words = more_left.max(more_right);
    let kind = if runs.len() == 1 { Kind::Exact } else { Kind::Edited };
    Passage { kind, words, changed_words, left, right }
}
