//! Two stretches of sentences → the words that are in both, each aligned with one.

use std::ops::Range;

use super::super::pair::Pair;
use super::super::runs;
use super::weights::{BIT, Weights};
use crate::interner::common_runs::Run;

/// What a word weighs at least that may be aligned by itself; others are where they stand right
/// beside such a one on both sides. A word that stands twice in 120 words weighs as much.
const DISTINCTIVE: u32 = 2 * BIT;

/// The words of two ranges that are aligned: the longest runs of equal words first, each with
/// a distinctive word. The cost is that of each word against each.
pub(super) fn aligned(pair: &Pair, weights: &Weights, ranges: &[Range<usize>; 2]) -> Vec<Run> {
    let is_distinctive = |run: &Run| {
        let words = &pair.words[0][run.range(0)];
        words.iter().any(|word| weights.of_word(*word) >= DISTINCTIVE)
    };
    let mut found = runs_within(pair, ranges);
    found.retain(is_distinctive);
    found = runs::apart(found, 1);
    found.retain(is_distinctive);
    found
}

/// The longest runs of equal words within two ranges.
fn runs_within(pair: &Pair, [left, right]: &[Range<usize>; 2]) -> Vec<Run> {
    let words = |i: usize, j: usize| (pair.words[0][i], pair.words[1][j]);
    let are_equal = |i: usize, j: usize| words(i, j).0 == words(i, j).1;
    let mut found = Vec::new();
    for i in left.clone() {
        for j in right.clone() {
            let goes_on = i > left.start && j > right.start && are_equal(i - 1, j - 1);
            if are_equal(i, j) && !goes_on {
                let more = (i + 1..left.end).zip(j + 1..right.end);
                let length = 1 + more.take_while(|(i, j)| are_equal(*i, *j)).count();
                found.push(Run { at: [i, j], length });
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::super::super::tests::{pair, words};
    use super::*;

    #[test]
    fn words_are_aligned_with_those_around_them_and_once() {
        let run = |left, right, length| Run { at: [left, right], length };
        // Of 620 words one that stands ten times weighs two bits, and one that stands twelve less.
        let rest = format!(" q1..300 {}{}", "k ".repeat(4), "m ".repeat(5));
        #[rustfmt::skip]
        let table: &[(&str, &str, &str, &[Run])] = &[
            ("nothing",                      "a b c",        "d e f",            &[]),
            ("one word",                     "a b c",        "d b f",            &[run(1, 1, 1)]),
            ("in another order",             "a b c",        "c x a",            &[run(0, 2, 1), run(2, 0, 1)]),
            ("the longest run first",        "a b c",        "b x a b c",        &[run(0, 2, 3)]),
            ("each word once",               "a x a",        "a y z",            &[run(0, 0, 1)]),
            ("one that stands often",        "k",            "k",                &[run(0, 0, 1)]),
            ("one that stands too often",    "m",            "m",                &[]),
            ("beside one that does not",     "m a",          "m a",              &[run(0, 0, 2)]),
            ("beside one of a longer run",   "m c d e",      "c d e z m c",      &[run(1, 0, 3)]),
        ];
        for (why, left, right, want) in table {
            // Words are weighed by all of the texts; the ranges are their beginnings.
            let texts = [left, right].map(|text| words(&format!("{text}{rest}")));
            let count = [left, right].map(|text| words(text).len());
            let pair = pair(&texts[0], &texts[1]);
            let is_turned = pair.words[0].len() != texts[0].len()
                || !pair.distinct[pair.words[0][0] as usize]
                    .eq(&crate::interner::Stem::of(&texts[0][0]));
            let weights = Weights::of(&pair);
            let mut ranges = count.map(|count| 0..count);
            if is_turned {
                ranges.reverse();
            }
            let mut got = aligned(&pair, &weights, &ranges);
            if is_turned {
                for run in &mut got {
                    run.at.swap(0, 1);
                }
            }
            got.sort_unstable();
            assert_eq!(got, *want, "{why}");
        }
    }
}
