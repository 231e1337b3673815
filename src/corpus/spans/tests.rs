use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;

use super::*;
use crate::parallel::ProgressSnapshot;

fn repeats(texts: &[Vec<u32>], min_words: usize) -> Repeats {
    let mut all = Texts::new();
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
    let mut all = Texts::new();
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

/// The definition of repeats: considers all runs of all texts.
fn plainly_listed(texts: &[Vec<Pair>], min_words: usize) -> Vec<Repeat> {
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
    let mut listed: Vec<Repeat> = runs
        .into_iter()
        .filter(|(run, places)| places.iter().any(|place| !is_inside(place, run.len())))
        .map(|(run, places)| Repeat { words: run.len(), places })
        .collect();
    listed.sort_by(|one, other| {
        one.places[0].cmp(&other.places[0]).then(other.words.cmp(&one.words))
    });
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
        let list = repeats(&texts(letters), min_words).list().into_iter();
        let places = |repeat: Repeat| {
            let places = repeat.places.iter().map(|place| (place.text, place.word)).collect();
            (repeat.words, places)
        };
        list.map(places).collect::<Vec<(usize, Vec<(usize, usize)>)>>()
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
    assert_eq!(repeats.list(), [Repeat { words: 999_999, places }]);
    assert_eq!(removable(&repeats), [[(1, 1_000_000)]]);
}

#[test]
fn progress_ends_where_all_passes_are_done() {
    let mut all = Texts::new();
    let words: Vec<u32> = (0..100_000).map(|at| at % 1009 * (at % 1013) % 997).collect();
    all.add(&words).unwrap();
    let advance = Advance::default();
    let _ = all.repeats(3, &advance);
    let ProgressSnapshot { done, all, .. } = advance.snapshot();
    assert_eq!((done, all), (5 * 100_001, 5 * 100_001));
}

#[test]
fn a_word_has_a_number_below_two_to_the_31() {
    let mut all = Texts::new();
    assert_eq!(all.add(&[u32::MAX]), Err(TooMany));
    assert_eq!(all.add(&[1, 1]), Ok(()));
    assert_eq!(removable(&all.repeats(1, &Advance::default())), [[(1, 2)]]);
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
        prop_assert_eq!(found.list(), plainly_listed(&texts, min_words));
    }
}
