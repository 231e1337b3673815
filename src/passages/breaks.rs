//! Breaks: places where a text goes on after something that was left out of it.
//!
//! A run ends at a break, and the runs of a passage are of one stretch between breaks on
//! either side, so that no passage has words from both sides of one.

use std::ops::Range;

use super::pair::Pair;
use crate::interner::common_runs::Run;

/// Ranges cut at breaks; none of them empty.
pub(super) fn cut(ranges: Vec<Range<usize>>, breaks: &[usize]) -> Vec<Range<usize>> {
    let mut cut = Vec::with_capacity(ranges.len());
    for Range { mut start, end } in ranges {
        let first = breaks.partition_point(|at| *at <= start);
        for at in breaks[first..].iter().take_while(|at| **at < end) {
            cut.push(start..*at);
            start = *at;
        }
        if start < end {
            cut.push(start..end);
        }
    }
    cut
}

/// Two equal texts as runs, each between breaks of either.
pub(super) fn parts(pair: &Pair) -> Vec<Vec<Run>> {
    let [left, right] = &pair.breaks;
    let parts = cut(cut(vec![Range { start: 0, end: pair.words[0].len() }], left), right);
    parts.into_iter().map(|part| vec![Run { at: [part.start; 2], length: part.len() }]).collect()
}

/// Runs by the stretches that they are in on both sides.
pub(super) fn apart(pair: &Pair, mut runs: Vec<Run>) -> Vec<Vec<Run>> {
    if pair.breaks.iter().all(Vec::is_empty) {
        return vec![runs];
    }
    let stretches = |run: &Run| [0, 1].map(|side| pair.stretch(side, run.at[side]).start);
    runs.sort_by_cached_key(stretches);
    runs.chunk_by(|one, next| stretches(one) == stretches(next)).map(<[Run]>::to_vec).collect()
}

#[cfg(test)]
mod tests {
    use super::super::tests::{sequence, words};
    use super::*;

    /// Two texts with breaks.
    fn pair(left: (&str, &[usize]), right: (&str, &[usize])) -> Pair {
        let [left, right] = [left, right].map(|(text, breaks)| {
            let mut text = sequence(&words(text));
            text.breaks = breaks.to_vec();
            text
        });
        Pair::of(left, right).0
    }

    #[test]
    fn ranges_are_cut_at_breaks_inside_them() {
        #[rustfmt::skip]
        let table: &[(&str, &[(usize, usize)], &[usize], &[(usize, usize)])] = &[
            ("nothing",              &[],                 &[5],          &[]),
            ("no break",             &[(0, 9)],           &[],           &[(0, 9)]),
            ("in the middle",        &[(0, 9)],           &[5],          &[(0, 5), (5, 9)]),
            ("at its ends",          &[(2, 9)],           &[2, 9],       &[(2, 9)]),
            ("outside",              &[(2, 9)],           &[1, 10],      &[(2, 9)]),
            ("several",              &[(2, 9)],           &[3, 8],       &[(2, 3), (3, 8), (8, 9)]),
            ("of several ranges",    &[(0, 4), (3, 9)],   &[3, 5],       &[(0, 3), (3, 4), (3, 5), (5, 9)]),
            ("an empty range",       &[(4, 4)],           &[4],          &[]),
        ];
        for (why, ranges, breaks, want) in table {
            let range = |(start, end): &(usize, usize)| *start..*end;
            let got = cut(ranges.iter().map(range).collect(), breaks);
            assert_eq!(got, want.iter().map(range).collect::<Vec<_>>(), "{why}");
        }
    }

    #[test]
    fn equal_texts_are_parted_at_the_breaks_of_both() {
        let run = |at, length| vec![Run { at: [at, at], length }];
        let pair = pair(("a1..9", &[3]), ("a1..9", &[3, 7]));
        assert_eq!(parts(&pair), [run(0, 3), run(3, 4), run(7, 2)]);
    }

    #[test]
    fn runs_are_of_one_stretch_on_either_side() {
        let run = |left, right| Run { at: [left, right], length: 2 };
        let pair = pair(("a1..9", &[5]), ("b1..9", &[3]));
        let turned = pair.breaks[0] == [3];
        let runs = [run(0, 0), run(5, 3), run(2, 3), run(3, 1), run(7, 6)];
        let of = |mut run: Run| {
            if turned {
                run.at.reverse();
            }
            run
        };
        let mut apart = apart(&pair, runs.map(of).to_vec());
        apart.iter_mut().flatten().for_each(|run| *run = of(*run));
        apart.sort();
        let want = [vec![run(0, 0), run(3, 1)], vec![run(2, 3)], vec![run(5, 3), run(7, 6)]];
        assert_eq!(apart, want);
    }
}
