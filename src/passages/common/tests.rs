//! Windows, and their counts, compared with their definitions.

use proptest::prelude::*;

use super::*;

fn min_match(words: usize) -> MinMatch {
    MinMatch::new(words).unwrap()
}

/// Returns words by their numbers, with keys far apart.
fn words(numbers: &[u64], breaks: &[usize]) -> Words {
    let keys = numbers.iter().map(|word| word.wrapping_mul(0x9e37_79b9_7f4a_7c15)).collect();
    Words { keys, less: Vec::new(), breaks: breaks.to_vec() }
}

#[expect(clippy::single_range_in_vec_init, reason = "a list of ranges")]
#[test]
fn stretches_are_the_union_of_common_windows() {
    let common = |numbers: &[u64]| {
        let mut counts = SubmissionCounts::default();
        for (_, window) in words(numbers, &[]).windows(min_match(3)) {
            counts.count(window, 0);
        }
        counts.common(1)
    };
    #[rustfmt::skip]
    let table: &[(&str, &[u64], &[usize], &[Range<usize>])] = &[
        ("nothing",            &[],                          &[],     &[]),
        ("too short",          &[1, 2],                      &[],     &[]),
        ("one window",         &[1, 2, 3],                   &[],     &[0..3]),
        ("at the start",       &[1, 2, 3, 4, 9],             &[],     &[0..4]),
        ("at the end",         &[9, 2, 3, 4],                &[],     &[1..4]),
        ("twice",              &[1, 2, 3, 9, 2, 3, 4],       &[],     &[0..3, 4..7]),
        ("side by side",       &[1, 2, 3, 1, 2, 3],          &[],     &[0..6]),
        ("parted",             &[1, 2, 3, 1, 2, 3],          &[3],    &[0..3, 3..6]),
        ("broken",             &[1, 2, 3, 4],                &[2],    &[]),
        ("broken at its end",  &[1, 2, 3, 4],                &[3],    &[0..3]),
    ];
    let known = common(&[1, 2, 3, 4]);
    assert_eq!(known.len(), 2);
    let stretches = |words: &Words| {
        words.stretches(&known.among(words.windows(min_match(3)).into_iter()), min_match(3))
    };
    for (why, numbers, breaks, want) in table {
        assert_eq!(stretches(&words(numbers, breaks)), *want, "{why}");
    }
    // A letter of Chinese is worth three quarters of a word, so three of them are too few.
    let letters = |numbers: &[u64]| Words { less: vec![1; numbers.len()], ..words(numbers, &[]) };
    assert!(stretches(&letters(&[1, 2, 3])).is_empty());
    assert_eq!(stretches(&letters(&[1, 2, 3, 4])), [0..4]);
}

#[test]
fn a_window_counts_once_for_a_submission() {
    let one = words(&[1, 2, 3, 1, 2, 3], &[]);
    let mut counts = SubmissionCounts::default();
    for submission in [0, 0, 4, 7] {
        for (_, window) in one.windows(min_match(3)) {
            counts.count(window, submission);
        }
    }
    let common = counts.common(3);
    let number = common.number(one.window(0..3)).unwrap();
    assert_eq!((common.0[number].1, common.len()), (3, 3));
    assert_eq!(common.number(words(&[3, 2, 1], &[]).window(0..3)), None);
}

#[test]
fn a_counter_that_is_full_passes_all() {
    let window = words(&[1, 2, 3], &[]).window(0..3);
    let approximate = ApproximateCounts::new(1, 1_000_000);
    assert!(!approximate.may_be_common(window));
    for _ in 0..70_000 {
        approximate.count(window);
    }
    assert!(approximate.may_be_common(window));
}

#[test]
fn no_text_has_so_many_words() {
    assert_eq!(words(&[1, 2, 3], &[]).windows(min_match(usize::MAX)), []);
    assert_eq!(words(&[], &[]).windows(min_match(3)), []);
}

#[test]
fn sums_and_products_are_those_of_a_division() {
    let numbers = [0, 1, 2, 3, 1 << 60, PRIME / 2, PRIME - 2, PRIME - 1, BASES[0], BASES[1]];
    for one in numbers {
        for other in numbers {
            let divided = |number: u128| u64::try_from(number % u128::from(PRIME)).unwrap();
            assert_eq!(plus(one, other), divided(u128::from(one) + u128::from(other)));
            assert_eq!(times(one, other), divided(u128::from(one) * u128::from(other)));
        }
        assert_eq!(plus(one, PRIME), one);
    }
}

proptest! {
    /// The definition: compares all words of every two windows, including a word whose key is 0.
    #[test]
    fn windows_are_words_in_a_row(
        numbers in prop::collection::vec(0_u64..3, 0..40),
        breaks in prop::collection::btree_set(1_usize..40, 0..4),
        length in 3_usize..7,
    ) {
        let breaks: Vec<usize> =
            breaks.into_iter().filter(|at| *at < numbers.len()).collect();
        let words = words(&numbers, &breaks);
        let windows = words.windows(min_match(length));
        let is_whole = |at: &usize| breaks.iter().all(|it| *it <= *at || at + length <= *it);
        let starts = (0..(numbers.len() + 1).saturating_sub(length)).filter(is_whole);
        let starts: Vec<usize> = starts.collect();
        prop_assert_eq!(windows.iter().map(|it| it.0).collect::<Vec<_>>(), starts);
        for (at, window) in &windows {
            prop_assert_eq!(*window, words.window(*at..at + length));
            for (other, its) in &windows {
                let same = numbers[*at..at + length] == numbers[*other..other + length];
                prop_assert_eq!(window == its, same);
            }
        }
    }

    #[test]
    fn a_sieve_lets_no_common_window_go(
        texts in prop::collection::vec(prop::collection::vec(0_u64..4, 0..12), 0..20),
        least_texts in 1_usize..5,
    ) {
        let windows = |text: &Vec<u64>| -> Vec<Window> {
            words(text, &[]).windows(min_match(3)).into_iter().map(|(_, window)| window).collect()
        };
        let all: Vec<Window> = texts.iter().flat_map(windows).collect();
        let approximate = ApproximateCounts::new(all.len(), least_texts);
        for window in &all {
            approximate.count(*window);
        }
        for window in &all {
            let count = all.iter().filter(|other| *other == window).count();
            prop_assert!(count < least_texts || approximate.may_be_common(*window));
        }
    }
}
