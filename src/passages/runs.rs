//! Extends seeds to runs, the longest stretches of equal words around them.

use std::cmp::Reverse;
use std::ops::Range;

use super::keys;
use super::pair::Pair;
use crate::interner::common_runs::{Run, equal};
use crate::parallel;

/// Returns the range of words on one side from the first run to the last; empty if there are no
/// runs.
pub(super) fn extent(runs: &[Run], side: usize) -> Range<usize> {
    let start = runs.iter().map(|run| run.at[side]).min().unwrap_or_default();
    let end = runs.iter().map(|run| run.range(side).end).max().unwrap_or_default();
    start..end
}

/// The number of seeds that are extended at a time, unless there are more runs than that.
const SEEDS_AT_A_TIME: usize = if cfg!(test) { 3 } else { 1 << 20 };

/// The positions of equal words, and the longest runs around them within breaks.
pub(super) struct Seeds<'p> {
    pair: &'p Pair,
    /// The seeds on diagonals below the length of left, and the others. No run contains seeds of
    /// both.
    halves: [Half; 2],
}

/// The seeds of some diagonals, and the runs around them.
#[derive(Default)]
struct Half {
    /// The seeds that are not extended yet: the diagonal in the upper half, the position in left in
    /// the lower half, so that they are sorted as numbers.
    packed: Vec<u64>,
    /// The runs, sorted by diagonal and then by position, without duplicates.
    runs: Vec<Run>,
}

impl<'p> Seeds<'p> {
    /// Returns an empty set.
    pub(super) fn new(pair: &'p Pair) -> Self {
        Self { pair, halves: Default::default() }
    }

    /// Adds the positions of a word in left and in right. A seed whose diagonal or position does
    /// not fit in 32 bits is skipped. A seed whose words differ, since their keys collided, is
    /// dropped later.
    pub(super) fn push(&mut self, at: [usize; 2]) {
        let diagonal = diagonal(self.pair, at);
        if let (Ok(diagonal), Ok(left)) = (u32::try_from(diagonal), u32::try_from(at[0])) {
            let half = &mut self.halves[usize::from(at[1] >= at[0])];
            if half.packed.len() >= SEEDS_AT_A_TIME.max(half.runs.len()) {
                half.extend(self.pair);
            }
            half.packed.push(u64::from(diagonal) << 32 | u64::from(left));
        }
    }

    /// Returns the runs around all seeds. The cost is that of sorting the seeds and of reading each
    /// run once.
    pub(super) fn runs(self) -> Vec<Run> {
        let Self { pair, halves } = self;
        let bytes = halves.iter().map(|half| size_of_val(&*half.packed)).sum();
        let runs = |mut half: Half| {
            half.extend(pair);
            half.runs
        };
        let [left, right] = halves;
        let (mut runs, others) = parallel::join(bytes, || runs(left), || runs(right));
        runs.extend(others);
        runs
    }
}

impl Half {
    /// Extends all seeds that are not in a known run.
    fn extend(&mut self, pair: &Pair) {
        keys::sort(&mut self.packed, 0);
        let packed = std::mem::take(&mut self.packed);
        let (known, mut next) = (self.runs.len(), 0);
        for seed in &packed {
            let [of_seed, left] = halves(*seed);
            let at = [left, of_seed + left - pair.words[0].len()];
            let ends_before =
                |run: &Run| (diagonal(pair, run.at), run.range(0).end) <= (of_seed, left);
            let is_in =
                |run: &Run| diagonal(pair, run.at) == of_seed && run.range(0).contains(&left);
            while next < known && ends_before(&self.runs[next]) {
                next += 1;
            }
            let is_known = self.runs[next..known].first().is_some_and(is_in)
                || self.runs[known..].last().is_some_and(is_in);
            if !is_known && let Some(run) = extend_seed(pair, at, usize::MAX) {
                self.runs.push(run);
            }
        }
        self.runs.sort_by_key(|run| (diagonal(pair, run.at), run.at[0]));
        self.packed = packed;
        self.packed.clear();
    }
}

/// Returns the diagonal of two positions: equal for all words of a run, and at least the length of
/// left if the position in right is not before that in left.
fn diagonal(pair: &Pair, [left, right]: [usize; 2]) -> usize {
    right + pair.words[0].len() - left
}

/// Returns the upper and the lower half of a number.
pub(super) fn halves(packed: u64) -> [usize; 2] {
    let half = |half: u64| usize::try_from(half & u64::from(u32::MAX)).unwrap_or(usize::MAX);
    [half(packed >> 32), half(packed)]
}

/// Returns the longest run around a word of left and a word of right that crosses no break and
/// begins at most `back` words before them; `None` if the words differ.
pub(super) fn extend_seed(pair: &Pair, at: [usize; 2], back: usize) -> Option<Run> {
    let [left, right] = &pair.words;
    if left[at[0]] != right[at[1]] {
        return None;
    }
    let [on_left, on_right] = [0, 1].map(|side| pair.stretch(side, at[side]));
    let before = left[on_left.start..at[0]].iter().rev();
    let before = before.zip(right[on_right.start..at[1]].iter().rev());
    let before = before.take(back).take_while(|(left, right)| left == right).count();
    // Most runs are long, so compare 16 words at a time.
    let after = equal::<16, _>(&left[at[0]..on_left.end], &right[at[1]..on_right.end]);
    Some(Run { at: at.map(|at| at - before), length: before + after })
}

/// Makes runs disjoint on the given sides: the longest run first, each without the words that a run
/// before it contains. Parts of fewer than `min_run` words are dropped.
pub(super) fn apart(sides: [usize; 2], mut runs: Vec<Run>, min_run: usize) -> Vec<Run> {
    runs.sort_unstable_by_key(|run| (Reverse(run.length), run.at[0] + run.at[1], *run));
    let extents = [extent(&runs, 0), extent(&runs, 1)];
    let mut taken = extents.clone().map(|extent| vec![0_u8; extent.len()]);
    let mut apart = Vec::new();
    for run in runs {
        let from = [0, 1].map(|side| run.at[side] - extents[side].start);
        let [one, other] = sides.map(|side| &taken[side][from[side]..from[side] + run.length]);
        for part in free(one, other).into_iter().filter(|part| part.len() >= min_run) {
            for side in sides {
                taken[side][from[side] + part.start..from[side] + part.end].fill(1);
            }
            apart.push(run.part(part));
        }
    }
    apart
}

/// Returns the parts of a run in which no word is taken on either of two sides; 1 marks a taken
/// word.
fn free(left: &[u8], right: &[u8]) -> Vec<Range<usize>> {
    if !left.contains(&1) && !right.contains(&1) {
        return vec![Range { start: 0, end: left.len() }];
    }
    let next = |at: usize, is_taken: u8| {
        let mut places = left[at..].iter().zip(&right[at..]);
        places.position(|(left, right)| left | right == is_taken).map_or(left.len(), |it| at + it)
    };
    let mut parts = Vec::new();
    let mut start = next(0, 0);
    while start < left.len() {
        let end = next(start, 1);
        parts.push(start..end);
        start = next(end, 0);
    }
    parts
}

/// Returns the ranges of a text of `words` words that lie between ranges given in any order, which
/// may overlap; none is empty.
pub(super) fn gaps(mut ranges: Vec<Range<usize>>, words: usize) -> Vec<Range<usize>> {
    ranges.sort_unstable_by_key(|range| range.start);
    let (mut gaps, mut end) = (Vec::with_capacity(ranges.len() + 1), 0);
    for range in ranges.into_iter().chain([Range { start: words, end: words }]) {
        if end < range.start {
            gaps.push(end..range.start);
        }
        end = end.max(range.end);
    }
    gaps
}

/// Reports whether one of some ranges, which are in order and do not overlap, contains a word.
pub(super) fn contain(ranges: &[Range<usize>], word: usize) -> bool {
    let next = ranges.partition_point(|range| range.end <= word);
    ranges.get(next).is_some_and(|range| range.start <= word)
}

/// Returns the parts of a run outside of ranges of words of a side, which are in order and disjoint.
pub(super) fn outside(run: Run, side: usize, words: &[Range<usize>]) -> Vec<Run> {
    let all = run.range(side);
    let from = words.partition_point(|range| range.end <= all.start);
    let inside = words[from..].iter().take_while(|range| range.start < all.end);
    let inside =
        inside.map(|range| range.start.saturating_sub(all.start)..range.end - all.start).collect();
    gaps(inside, run.length).into_iter().map(|part| run.part(part)).collect()
}

// Breaks: positions where a text continues after something that was left out.
//
// A run ends at a break, and all runs of a passage are within one stretch between breaks on either
// side. So no passage contains words from both sides of a break.

/// Cuts ranges at breaks; none of the results is empty.
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

/// Returns the runs of two equal texts, cut at the breaks of both, each in a list of its own.
pub(super) fn parts(pair: &Pair) -> Vec<Vec<Run>> {
    let [left, right] = &pair.breaks;
    let parts = cut(cut(vec![Range { start: 0, end: pair.words[0].len() }], left), right);
    parts.into_iter().map(|part| vec![Run { at: [part.start; 2], length: part.len() }]).collect()
}

/// Groups runs by the stretches between breaks that contain them on both sides.
pub(super) fn apart_at_breaks(pair: &Pair, mut runs: Vec<Run>) -> Vec<Vec<Run>> {
    if pair.breaks.iter().all(Vec::is_empty) {
        return vec![runs];
    }
    let stretches = |run: &Run| [0, 1].map(|side| pair.stretch(side, run.at[side]).start);
    runs.sort_by_cached_key(stretches);
    runs.chunk_by(|one, next| stretches(one) == stretches(next)).map(<[Run]>::to_vec).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::super::tests::pair;
    use super::*;

    fn words(text: &str) -> Vec<String> {
        text.chars().map(String::from).collect()
    }

    /// The definition: every stretch of equal words that cannot be extended, since the words around
    /// it differ or a break separates them from it.
    fn plain_runs(pair: &Pair) -> Vec<Run> {
        let [left, right] = &pair.words;
        let equal = |i: usize, j: usize| left.get(i).is_some_and(|word| right.get(j) == Some(word));
        let is_broken = |i, j| pair.breaks[0].contains(&i) || pair.breaks[1].contains(&j);
        let goes_on = |i: usize, j: usize| equal(i, j) && !is_broken(i, j);
        let mut runs = Vec::new();
        for i in 0..left.len() {
            for j in 0..right.len() {
                if equal(i, j) && !(i > 0 && j > 0 && equal(i - 1, j - 1) && goes_on(i, j)) {
                    let more = (i + 1..left.len()).take_while(|x| goes_on(*x, *x + j - i));
                    let length = 1 + more.count();
                    runs.push(Run { at: [i, j], length });
                }
            }
        }
        runs
    }

    /// Aligns word by word; the runs are in the order of [`apart`].
    fn plain_apart(runs: &[Run], min_run: usize) -> Vec<(usize, usize)> {
        let (mut left, mut right) = (BTreeSet::new(), BTreeSet::new());
        let mut aligned = Vec::new();
        for run in runs {
            let words = (0..run.length).map(|x| (run.at[0] + x, run.at[1] + x));
            let free: Vec<(usize, usize)> =
                words.filter(|(i, j)| !left.contains(i) && !right.contains(j)).collect();
            for part in free.chunk_by(|one, next| one.0 + 1 == next.0) {
                if part.len() >= min_run {
                    left.extend(part.iter().map(|(i, _)| *i));
                    right.extend(part.iter().map(|(_, j)| *j));
                    aligned.extend(part);
                }
            }
        }
        aligned
    }

    #[test]
    fn a_part_of_a_run_keeps_both_sides_together() {
        let run = Run { at: [10, 20], length: 5 };
        assert_eq!(run.part(2..4), Run { at: [12, 22], length: 2 });
        assert_eq!([run.range(0), run.range(1)], [10..15, 20..25]);
        assert_eq!(extent(&[run, Run { at: [3, 30], length: 4 }], 0), 3..15);
        assert_eq!(extent(&[], 1), 0..0);
    }

    #[expect(clippy::single_range_in_vec_init, reason = "a list of ranges")]
    #[test]
    fn what_is_outside_certain_words_is_left_of_a_run() {
        let run = Run { at: [10, 30], length: 10 };
        let part = |at: usize, length| Run { at: [10 + at, 30 + at], length };
        #[rustfmt::skip]
        let table: &[(&str, usize, &[Range<usize>], &[Run])] = &[
            ("nothing",           0, &[],                       &[run]),
            ("before and behind", 0, &[0..10, 20..30],          &[run]),
            ("all of it",         0, &[5..25],                  &[]),
            ("its ends",          0, &[5..12, 19..21],          &[part(2, 7)]),
            ("inside",            1, &[33..35, 37..38],         &[part(0, 3), part(5, 2), part(8, 2)]),
        ];
        for (why, side, words, want) in table {
            assert_eq!(outside(run, *side, words), *want, "{why}");
        }
    }

    #[test]
    fn the_longest_run_keeps_its_words() {
        let run = |left, right, length| Run { at: [left, right], length };
        let all = vec![run(0, 0, 4), run(2, 9, 5), run(6, 3, 2)];
        let want = [run(2, 9, 5), run(0, 0, 2)];
        assert_eq!(apart([0, 1], all.clone(), 2), want, "of (6, 3) one word is left");
        assert_eq!(
            apart([0, 1], all, 1),
            [want[0], want[1]].into_iter().chain([run(7, 4, 1)]).collect::<Vec<_>>()
        );
    }

    #[test]
    fn stretches_are_equal_up_to_the_first_difference() {
        let equal = |left: &[u32], right: &[u32]| equal::<16, _>(left, right);
        let words: Vec<u32> = (0..40).collect();
        for length in 0..words.len() {
            let same = &words[..length];
            assert_eq!([equal(same, same), equal(same, &words), equal(&words, same)], [length; 3]);
            let mut other = words.clone();
            other[length] += 1;
            assert_eq!([equal(&words, &other), equal(&other, &words)], [length; 2]);
        }
    }

    proptest! {
        #[test]
        fn seeds_grow_to_the_runs_they_are_in(
            left in "[abc]{1,24}", right in "[abc]{1,24}",
            seeds in proptest::collection::vec((0_usize..24, 0_usize..24), 0..12),
            breaks in [proptest::collection::btree_set(0_usize..24, 0..3), proptest::collection::btree_set(0_usize..24, 0..3)],
        ) {
            let mut pair = pair(&words(&left), &words(&right));
            pair.breaks = breaks.map(|breaks| breaks.into_iter().collect());
            let is_in = |i: &usize, j: &usize| *i < pair.words[0].len() && *j < pair.words[1].len();
            let seeds: Vec<[usize; 2]> = seeds.into_iter().filter(|(i, j)| is_in(i, j)).map(|(i, j)| [i, j]).collect();
            let has_seed = |run: &Run| seeds.iter().any(|seed| {
                run.range(0).contains(&seed[0]) && seed[0] + run.at[1] == seed[1] + run.at[0]
            });
            let mut want = plain_runs(&pair);
            want.retain(has_seed);
            let mut packed = Seeds::new(&pair);
            for seed in &seeds {
                packed.push(*seed);
            }
            let mut got = packed.runs();
            got.sort_unstable();
            prop_assert_eq!(got, want);
        }

        #[test]
        fn words_are_given_to_the_longest_run(
            left in "[abc]{1,20}", right in "[abc]{1,20}", min_run in 1_usize..4,
        ) {
            let mut runs = plain_runs(&pair(&words(&left), &words(&right)));
            let got = apart([0, 1], runs.clone(), min_run);
            runs.sort_unstable_by_key(|run| (Reverse(run.length), run.at[0] + run.at[1], *run));
            let aligned: Vec<(usize, usize)> = got.iter().flat_map(|run| run.range(0).zip(run.range(1))).collect();
            prop_assert_eq!(aligned, plain_apart(&runs, min_run));
        }
    }
}

#[cfg(test)]
mod breaks_tests {
    use super::super::tests::{sequence, words};
    use super::*;

    /// Returns two texts with breaks.
    fn pair(left: (&str, &[usize]), right: (&str, &[usize])) -> Pair {
        let [left, right] = [left, right].map(|(text, breaks)| {
            let mut text = sequence(&words(text));
            text.breaks = breaks.to_vec();
            text
        });
        Pair::from_sequences(left, right).0
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
        let is_swapped = pair.breaks[0] == [3];
        let runs = [run(0, 0), run(5, 3), run(2, 3), run(3, 1), run(7, 6)];
        let of = |mut run: Run| {
            if is_swapped {
                run.at.reverse();
            }
            run
        };
        let mut apart = apart_at_breaks(&pair, runs.map(of).to_vec());
        apart.iter_mut().flatten().for_each(|run| *run = of(*run));
        apart.sort();
        let want = [vec![run(0, 0), run(3, 1)], vec![run(2, 3)], vec![run(5, 3), run(7, 6)]];
        assert_eq!(apart, want);
    }
}
