use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;

use super::*;
use crate::parallel::ProgressSnapshot;

fn repeats(texts: &[Vec<u32>], min_words: usize) -> Repeats {
    let mut all = Texts::default();
    for text in texts {
        all.add(text).unwrap();
    }
    all.repeats(min_words, &Advance::default())
}

/// A word, and what follows it.
type Pair = (u32, u32);

/// Same as [`repeats`], for words with what follows them.
fn repeats_by_heads(texts: &[Vec<Pair>], min_words: usize) -> Repeats {
    let mut pairs: Vec<Pair> = texts.concat();
    pairs.sort_by_key(|(word, behind)| (*behind, *word)); // not in the order of the words
    pairs.dedup();
    let number = |pair: &Pair| u32::try_from(pairs.iter().position(|it| it == pair).unwrap());
    let mut all = Texts::default();
    for text in texts {
        let numbers: Vec<u32> = text.iter().map(|pair| number(pair).unwrap()).collect();
        all.add(&numbers).unwrap();
    }
    all.with_heads(pairs.iter().map(|(word, _)| *word).collect())
        .repeats(min_words, &Advance::default())
}

/// Returns a run: its words with what is between them.
fn run(words: &[Pair]) -> Vec<Pair> {
    let mut run = words.to_vec();
    if let Some((_, behind)) = run.last_mut() {
        *behind = 0;
    }
    run
}

/// Returns texts whose words are single letters.
fn texts(letters: &[&str]) -> Vec<Vec<u32>> {
    letters.iter().map(|text| text.bytes().map(|byte| u32::from(byte - b'a')).collect()).collect()
}

/// Returns the removable words of each text: the first word of each range, and the word after it.
fn removable(repeats: &Repeats) -> Vec<Vec<(usize, usize)>> {
    let pairs = |ranges: Vec<Range<usize>>| ranges.into_iter().map(|it| (it.start, it.end));
    repeats.removable().into_iter().map(|ranges| pairs(ranges).collect()).collect()
}

/// The definition of removable words: compares each window with each earlier one.
fn plainly_removable(texts: &[Vec<Pair>], min_words: usize) -> Vec<Vec<bool>> {
    let mut earlier: Vec<Vec<Pair>> = Vec::new();
    let mut removable: Vec<Vec<bool>> = texts.iter().map(|text| vec![false; text.len()]).collect();
    for (text, removable) in texts.iter().zip(&mut removable) {
        for (at, window) in text.windows(min_words).enumerate() {
            let window = run(window);
            if earlier.contains(&window) {
                removable[at..at + min_words].fill(true);
            }
            earlier.push(window);
        }
    }
    removable
}

/// A repeat: its number of words, and its places.
type Run = (usize, Vec<WordPlace>);

/// Returns the listed repeats, each with at most `max` places.
fn listed(repeats: &Repeats, max: usize) -> Vec<Run> {
    let run = |it: &Repeat| (it.words(), repeats.places(it, max).collect());
    repeats.list().iter().map(run).collect()
}

/// The definition of repeats: considers all runs of all texts.
fn plainly_listed(texts: &[Vec<Pair>], min_words: usize) -> Vec<Run> {
    let mut runs: BTreeMap<Vec<Pair>, Vec<WordPlace>> = BTreeMap::new();
    for (number, text) in texts.iter().enumerate() {
        for word in 0..text.len() {
            for end in word + min_words..=text.len() {
                runs.entry(run(&text[word..end]))
                    .or_default()
                    .push(WordPlace { text: number, word });
            }
        }
    }
    runs.retain(|_, places| places.len() > 1);
    let spans: BTreeSet<(usize, usize, usize)> = runs
        .iter()
        .flat_map(|(run, places)| places.iter().map(|it| (it.text, it.word, it.word + run.len())))
        .collect();
    let is_inside = |place: &WordPlace, words: usize| {
        let (start, end) = (place.word, place.word + words);
        spans.iter().any(|(text, from, to)| {
            *text == place.text && *from <= start && end <= *to && to - from > words
        })
    };
    let mut listed: Vec<Run> = runs
        .into_iter()
        .filter(|(run, places)| places.iter().any(|place| !is_inside(place, run.len())))
        .map(|(run, places)| (run.len(), places))
        .collect();
    listed.sort_by_key(|(words, places)| (places[0], std::cmp::Reverse(*words)));
    listed
}

#[test]
fn what_is_removable_is_what_stands_in_a_window_that_stood_before() {
    #[rustfmt::skip]
    let table: [(&str, &[&str], usize, &[&[(usize, usize)]]); 8] = [
        ("no text",              &[],                 2, &[]),
        ("no word",              &["", ""],           2, &[&[], &[]]),
        ("shorter than least",   &["ab", "ab"],       3, &[&[], &[]]),
        ("the same text",        &["abc", "abc"],     3, &[&[], &[(0, 3)]]),
        ("overlap with itself",  &["aaaa"],           2, &[&[(1, 4)]]),
        ("not over an end",      &["ab", "c", "abc"], 3, &[&[], &[], &[]]),
        ("two windows touch",    &["abcd", "cdab"],   2, &[&[], &[(0, 4)]]),
        ("of a period",          &["abcabcab"],       3, &[&[(3, 8)]]),
    ];
    for (why, letters, min_words, want) in table {
        assert_eq!(removable(&repeats(&texts(letters), min_words)), want, "{why}");
    }
}

#[test]
fn a_repeat_is_listed_where_it_stands_in_no_longer_one() {
    let listed = |letters: &[&str], min_words| {
        let list = listed(&repeats(&texts(letters), min_words), usize::MAX).into_iter();
        let places = |places: Vec<WordPlace>| places.iter().map(|it| (it.text, it.word)).collect();
        list.map(|(words, run)| (words, places(run))).collect::<Vec<(usize, Vec<_>)>>()
    };
    assert_eq!(listed(&["aaaa"], 2), [(3, vec![(0, 0), (0, 1)])]);
    let alone_as_well = [(4, vec![(0, 0), (1, 0)]), (2, vec![(0, 1), (1, 1), (2, 0)])];
    assert_eq!(listed(&["abcd", "abcd", "bc"], 2), alone_as_well);
    assert_eq!(listed(&["ab", "ba"], 2), []);
}

#[test]
fn one_word_a_million_times_is_one_repeat() {
    let text = vec![vec![0; 1_000_000]];
    let repeats = repeats(&text, 50);
    let places = [0, 1].map(|word| WordPlace { text: 0, word }).to_vec();
    assert_eq!(listed(&repeats, usize::MAX), [(999_999, places)]);
    assert_eq!(removable(&repeats), [[(1, 1_000_000)]]);
}

#[test]
fn progress_ends_where_all_passes_are_done() {
    let mut all = Texts::default();
    let words: Vec<u32> = (0..100_000).map(|at| at % 1009 * (at % 1013) % 997).collect();
    all.add(&words).unwrap();
    let advance = Advance::default();
    let _ = all.repeats(3, &advance);
    let ProgressSnapshot { done, all, .. } = advance.snapshot();
    assert_eq!((done, all), (5 * 100_001, 5 * 100_001));
}

#[test]
fn a_word_has_a_number_below_two_to_the_31() {
    let mut all = Texts::default();
    assert_eq!(all.add(&[u32::MAX]), Err(TooMany));
    assert_eq!(all.add(&[1, 1]), Ok(()));
    assert_eq!(removable(&all.repeats(1, &Advance::default())), [[(1, 2)]]);
}

/// Returns a repeat of that many words, at that many places.
fn repeat(words: u32, places: u32) -> Repeat {
    Repeat { words, first: 0, suffixes: 0..places }
}

#[test]
fn what_is_selected_has_no_more_places_than_may_be() {
    #[rustfmt::skip]
    let table: &[(&str, &[(u32, u32)], usize, &[u32], usize)] = &[
        ("no repeat",                &[],                             9, &[],     usize::MAX),
        ("as many as may be",        &[(3, 4), (3, 5)],               9, &[0, 1], usize::MAX),
        ("one more",                 &[(3, 4), (3, 5)],               8, &[0, 1], 4),
        ("few places stay",          &[(3, 2), (3, 50), (3, 60)],    12, &[0, 1, 2], 5),
        ("not even two of each",     &[(3, 2), (9, 2), (3, 3)],       4, &[1, 2], 2),
        ("of equal ones, the first", &[(3, 2), (3, 2), (3, 2)],       4, &[0, 1], usize::MAX),
        ("none fits",                &[(3, 2)],                       1, &[],     usize::MAX),
    ];
    for (why, list, max, want, most) in table {
        let list: Vec<Repeat> =
            list.iter().map(|(words, places)| repeat(*words, *places)).collect();
        assert_eq!(selected(&list, *max), (want.to_vec(), *most), "{why}");
    }
    assert_eq!(
        most_saving(&[repeat(5, 2), repeat(2, 4), repeat(9, 2), repeat(5, 2)], 3),
        [2, 1, 0]
    );
}

/// One word many times, with other words between: each run of it is listed with all places of the
/// longer ones. The places are the cube of the number of runs, the repeats are not.
#[test]
fn a_list_does_not_grow_with_the_places() {
    let mut words = Vec::new();
    for run in 1..=200 {
        words.extend(vec![0; run]);
        words.push(u32::try_from(run).unwrap());
    }
    let repeats = repeats(&[words], 1);
    let list = repeats.list();
    let places: usize = list.iter().map(Repeat::places).sum();
    assert_eq!((list.len(), places), (199, 202 * 201 * 200 / 6 - 1));
    assert_eq!((size_of::<Repeat>(), size_of::<SuffixInterval>()), (16, 13));
    assert_eq!(repeats.places(&list[0], 4).count(), 4);
}

proptest! {
    #[test]
    fn repeats_are_those_of_the_plain_way(
        texts in proptest::collection::vec(proptest::collection::vec((0_u32..3, 0_u32..2), 0..25), 0..5),
        min_words in 1_usize..6, has_heads: bool,
    ) {
        let mut texts: Vec<Vec<Pair>> = texts;
        let found = if has_heads {
            repeats_by_heads(&texts, min_words)
        } else {
            texts.iter_mut().flatten().for_each(|(_, behind)| *behind = 0);
            let words = |text: &Vec<Pair>| text.iter().map(|(word, _)| *word).collect();
            repeats(&texts.iter().map(words).collect::<Vec<_>>(), min_words)
        };
        let mut removable: Vec<Vec<bool>> =
            texts.iter().map(|text| vec![false; text.len()]).collect();
        for (ranges, removable) in found.removable().into_iter().zip(&mut removable) {
            prop_assert!(ranges.windows(2).all(|pair| pair[0].end < pair[1].start));
            for range in ranges {
                removable[range].fill(true);
            }
        }
        prop_assert_eq!(removable, plainly_removable(&texts, min_words));
        let want = plainly_listed(&texts, min_words);
        for max in 1..4 {
            for (part, all) in listed(&found, max).iter().zip(&want) {
                let (part, all) = (&part.1, &all.1);
                prop_assert_eq!((part.len(), part[0]), (all.len().min(max), all[0]));
                prop_assert!(part.is_sorted() && part.iter().all(|place| all.contains(place)));
            }
        }
        let counts: Vec<usize> = found.list().iter().map(Repeat::places).collect();
        prop_assert_eq!(counts, want.iter().map(|(_, places)| places.len()).collect::<Vec<_>>());
        prop_assert_eq!(listed(&found, usize::MAX), want);
    }

    /// As many places are selected as possible, and as evenly as possible.
    #[test]
    fn the_places_that_are_selected_are_as_many_as_may_be(
        counts in proptest::collection::vec(2_u32..9, 0..9), max in 0_usize..40,
    ) {
        let list: Vec<Repeat> = counts.iter().map(|count| repeat(1, *count)).collect();
        let (chosen, most) = selected(&list, max);
        prop_assert_eq!(chosen.len(), list.len().min(max / 2));
        let shown = |most: usize| chosen.iter().map(|at| list[*at as usize].places().min(most)).sum::<usize>();
        prop_assert!(chosen.is_sorted() && most >= 2 && shown(most) <= max);
        prop_assert!(shown(most.saturating_add(1)) > max || shown(most) == shown(usize::MAX));
    }
}
