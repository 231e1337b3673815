use proptest::prelude::*;

use super::super::tests::{pair, words};
use super::*;
use crate::passages::runs::apart;

/// Returns two texts, some of whose words are worth less.
fn long_pair() -> Pair {
    let letters = "天地玄黄 x1..90 宇宙洪荒 ".repeat(4);
    pair(&words(&letters), &words(&letters.replace('x', "y")))
}

/// Tiles at random positions in these texts.
fn tiles() -> impl Strategy<Value = Vec<Run>> {
    let run = (0_usize..300, 0_usize..300, 1_usize..20);
    let runs = proptest::collection::vec(run, 1..24);
    runs.prop_map(|runs| {
        apart(
            [0, 1],
            runs.into_iter()
                .map(|(left, right, length)| Run { at: [left, right], length })
                .collect(),
            1,
        )
    })
}

/// Determines for each word of a side, from the first tile to the last, whether it is aligned. Also
/// returns the position of the first word.
fn aligned(tiles: &[Run], side: usize) -> (usize, Vec<bool>) {
    let extent = extent(tiles, side);
    let is_aligned = |at| tiles.iter().any(|tile| tile.range(side).contains(&at));
    (extent.start, extent.map(is_aligned).collect())
}

/// The definition: computes the balance of every stretch. Of those with the greatest balance, the
/// one that ends first, and of these the shortest.
fn plain_densest(pair: &Pair, tiles: &[Run], side: usize) -> Range<usize> {
    let (start, aligned) = aligned(tiles, side);
    let mut best = (0, 0..0);
    for end in 1..=aligned.len() {
        let mut sum = 0;
        for from in (0..end).rev() {
            let worth = i64::try_from(pair.worth(side, start + from)).unwrap();
            sum += if aligned[from] { WORD_GAIN * worth } else { -WORD_LOSS * worth };
            if sum > best.0 {
                best = (sum, start + from..start + end);
            }
        }
    }
    best.1
}

/// Same as [`tears`], word by word.
fn plain_tears(pair: &Pair, tiles: &[Run], side: usize) -> Vec<usize> {
    let (start, aligned) = aligned(tiles, side);
    let mut tears = Vec::new();
    let (mut sum, mut most, mut stretch) = (0, 0, 0..0);
    for at in 0..=aligned.len() {
        let worth = if at < aligned.len() { pair.worth(side, start + at) } else { usize::MAX / 4 };
        if at < aligned.len() && !aligned[at] {
            if sum == 0 {
                (most, stretch) = (0, at..at);
            }
            sum += worth;
            if sum > most {
                (most, stretch.end) = (sum, at + 1);
            }
        } else if sum > 2 * worth {
            sum -= 2 * worth;
        } else {
            if most >= MIN_TEAR_WORTH {
                let reach = stretch.len().max(TEAR_CONTEXT);
                let before = &aligned[stretch.start.saturating_sub(reach)..stretch.start];
                let behind = &aligned[stretch.end..(stretch.end + reach).min(aligned.len())];
                let around = [before, behind].concat();
                if around.iter().filter(|is_aligned| !**is_aligned).count() * 10 < around.len() {
                    tears.push(start + stretch.start.midpoint(stretch.end));
                }
            }
            (sum, most) = (0, 0);
        }
    }
    tears
}

#[test]
fn ends_are_where_too_little_is_aligned() {
    let run = |left, right, length| Run { at: [left, right], length };
    #[rustfmt::skip]
    let table: &[(&str, &[Run], &[Run])] = &[
        ("nothing",                 &[],                             &[]),
        ("all of it",               &[run(3, 9, 5)],                 &[run(3, 9, 5)]),
        ("two words, then nine",    &[run(0, 0, 9), run(13, 13, 2)], &[run(0, 0, 9), run(13, 13, 2)]),
        ("two words behind five",   &[run(0, 0, 9), run(14, 14, 2)], &[run(0, 0, 9)]),
        ("on the right alone",      &[run(0, 0, 9), run(9, 14, 2)],  &[run(0, 0, 9)]),
        ("before the start",        &[run(0, 0, 2), run(7, 7, 9)],   &[run(7, 7, 9)]),
        ("a tile is cut with its other side", &[run(0, 50, 2), run(7, 7, 9)], &[run(7, 7, 9)]),
    ];
    let pair = pair(&words("x1..99"), &words("y1..99"));
    for (why, tiles, want) in table {
        assert_eq!(trimmed(&pair, tiles.to_vec()), *want, "{why}");
    }
}

#[test]
fn a_passage_is_torn_where_it_is_clean_around() {
    let run = |left, right, length| Run { at: [left, right], length };
    let pair = pair(&words("x1..99"), &words("y1..99"));
    let torn_at = |tiles: &[Run]| [0, 1].map(|side| tears(&pair, tiles, side));
    let none: Vec<usize> = Vec::new();
    assert_eq!(torn_at(&[run(0, 0, 20), run(20, 28, 20)]), [none.clone(), vec![24]]);
    assert_eq!(torn_at(&[run(0, 0, 20), run(20, 27, 20)]), [none.clone(), none.clone()], "seven");
    // Two of the 40 words around are foreign, then four.
    let ragged = |gap: usize| {
        [run(0, 0, 10), run(10, 10 + gap, 10), run(20, 28 + gap, 10), run(30, 38 + 2 * gap, 10)]
    };
    assert_eq!(torn_at(&ragged(1)), [none.clone(), vec![25]]);
    assert_eq!(torn_at(&ragged(2)), [none.clone(), none.clone()]);
    // A word that is aligned by chance cancels two foreign words.
    assert_eq!(torn_at(&[run(0, 0, 20), run(50, 25, 1), run(20, 31, 20)])[1], [25]);
    assert_eq!(torn_at(&[run(0, 0, 20), run(50, 25, 2), run(20, 31, 20)])[1], none);
}

proptest! {
    #[test]
    fn stretches_agree_with_words(tiles in tiles()) {
        let pair = long_pair();
        for side in 0..2 {
            prop_assert_eq!(densest(&pair, &tiles, side), plain_densest(&pair, &tiles, side));
            prop_assert_eq!(tears(&pair, &tiles, side), plain_tears(&pair, &tiles, side));
        }
    }

    #[test]
    fn candidates_are_dense_and_of_the_tiles(tiles in tiles()) {
        let pair = long_pair();
        let words = |runs: &[Run]| {
            let mut words: Vec<[usize; 2]> = runs.iter().flat_map(|run| run.range(0).zip(run.range(1))).map(|(i, j)| [i, j]).collect();
            words.sort_unstable();
            words
        };
        let all = words(&tiles);
        let mut found = Vec::new();
        for candidate in candidates(&pair, tiles, MinMatch(1)) {
            prop_assert_eq!(trimmed(&pair, candidate.clone()), candidate.clone());
            found.extend(words(&candidate));
        }
        found.sort_unstable();
        let count = found.len();
        found.dedup();
        prop_assert_eq!(found.len(), count, "a word is in one of them");
        prop_assert!(found.iter().all(|word| all.binary_search(word).is_ok()));
    }
}
