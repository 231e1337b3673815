//! Long runs that nobody could mistake, found fast: most of what near-duplicates share.

use super::keys;
use super::keys::RecentKeyCache;
use super::pair::Pair;
use super::runs::{Seeds, apart, halves};
use crate::interner::common_runs::Run;
use crate::parallel;

/// The words of an anchor: so many in a row that stand once in either text.
const LENGTH: usize = 8;

/// One in so many places may be an anchor, the same in both texts. Runs that have none are
/// left to the seeds.
const ONE_IN: u64 = 8;

/// An odd number that mixes the bits of another one.
const MIXER: u64 = 0x9e37_79b9_7f4a_7c15;

/// The runs around anchors, and those at which both texts begin and end; the longest first,
/// each without the words that are in another. None is shorter than an anchor.
pub(super) fn anchors(pair: &Pair) -> Vec<Run> {
    let [on_left, on_right] = &pair.words;
    let bytes = 4 * (on_left.len() + on_right.len());
    let (left, right) = parallel::join(bytes, || single(on_left), || single(on_right));
    let mut seeds = Seeds::of(pair);
    let mut others = right.iter().peekable();
    for here in &left {
        while others.next_if(|there| half_key(**there) < half_key(*here)).is_some() {}
        if let Some(there) = others.next_if(|there| half_key(**there) == half_key(*here)) {
            seeds.push([here, there].map(|anchor| halves(*anchor)[1]));
        }
    }
    if pair.words.iter().all(|words| !words.is_empty()) {
        seeds.push([0, 0]);
        seeds.push([pair.words[0].len() - 1, pair.words[1].len() - 1]);
    }
    apart(seeds.runs(), LENGTH)
}

/// The windows that may be anchors and stand once in a text: the upper half of their keys,
/// increasing, over their places. Windows of one half key are taken for the same; where they
/// are not, the seeds find what the anchor would have.
fn single(words: &[u32]) -> Vec<u64> {
    let mut recent = RecentKeyCache::with_room_for(words.len());
    // Of what recurs two are enough to tell that.
    let may_be = keys(words).filter(|(key, _)| key % ONE_IN == 0 && recent.meet(*key) <= 2);
    let mut keys: Vec<u64> = may_be.map(|(key, at)| key >> 32 << 32 | u64::from(at)).collect();
    keys::sort(&mut keys, u32::BITS);
    let groups = keys.chunk_by(|one, next| half_key(*one) == half_key(*next));
    groups.filter(|group| group.len() == 1).map(|group| group[0]).collect()
}

fn half_key(anchor: u64) -> usize {
    halves(anchor)[0]
}

/// A key of each window, and its place: what its words are mixed to, turned by as many
/// steps as each is from the end, so that the next key follows from the last (Cohen 1997).
fn keys(words: &[u32]) -> impl Iterator<Item = (u64, u32)> {
    const STEP: u32 = 7;
    const WHOLE: u32 = STEP * 7;
    let mixed = |word: u32| (u64::from(word) + 1).wrapping_mul(MIXER);
    let mut sum =
        words.iter().take(LENGTH - 1).fold(0_u64, |sum, word| sum.rotate_left(STEP) ^ mixed(*word));
    words.windows(LENGTH).zip(0..).map(move |(window, at)| {
        let all = sum.rotate_left(STEP) ^ mixed(window[LENGTH - 1]);
        sum = all ^ mixed(window[0]).rotate_left(WHOLE);
        let key = (all ^ (all >> 32)).wrapping_mul(MIXER);
        (key ^ (key >> 29), at)
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::tests::{sequence, words};
    use super::*;

    /// The definition: each window from its words alone.
    fn plain_key(window: &[u32]) -> u64 {
        let mixed = |word: &u32| (u64::from(*word) + 1).wrapping_mul(MIXER);
        let sum = window.iter().fold(0_u64, |sum, word| sum.rotate_left(7) ^ mixed(word));
        let key = (sum ^ (sum >> 32)).wrapping_mul(MIXER);
        key ^ (key >> 29)
    }

    #[test]
    fn texts_are_compared_from_both_ends_and_around_what_stands_once() {
        let run = |left, right, length| Run { at: [left, right], length };
        #[rustfmt::skip]
        let table: &[(&str, &str, &str, &[Run])] = &[
            ("one is empty",       "",                      "a1..9",                 &[]),
            ("the same start",     "a1..20 x1..9",          "a1..20 y1..9",          &[run(0, 0, 20)]),
            ("shorter than 8",     "a1..7 x1..9",           "a1..7 y1..9",           &[]),
            ("the same end",       "x1..9 a1..8",           "y1..5 a1..8",           &[run(9, 5, 8)]),
            ("one of 193 windows", "x1..9 a1..200 x10..19", "y1..5 a1..200 y10..19", &[run(9, 5, 200)]),
            ("what stands twice",  "a1..99 u a1..99 v",     "w a1..99 x",            &[]),
        ];
        for (why, left, right, want) in table {
            let (left, right) = (sequence(&words(left)), sequence(&words(right)));
            let (pair, turned) = Pair::of(left, right);
            let mut got = anchors(&pair);
            if turned {
                for run in &mut got {
                    run.at.swap(0, 1);
                }
            }
            assert_eq!(got, *want, "{why}");
        }
    }

    proptest! {
        #[test]
        fn keys_are_those_of_their_windows(words in proptest::collection::vec(0_u32..9, 0..40)) {
            let want: Vec<(u64, u32)> = words.windows(LENGTH).map(plain_key).zip(0..).collect();
            prop_assert_eq!(keys(&words).collect::<Vec<_>>(), want);
        }

        /// Against counting each window among all.
        #[test]
        fn windows_that_stand_once_are_found(words in proptest::collection::vec(0_u32..3, 0..400)) {
            let all: Vec<&[u32]> = words.windows(LENGTH).collect();
            let stands_once = |window: &[u32]| all.iter().filter(|other| **other == window).count() == 1;
            let mut want: Vec<u64> = all.iter().map(|window| plain_key(window)).zip(0_u64..)
                .filter(|(key, at)| key % ONE_IN == 0 && stands_once(all[usize::try_from(*at).unwrap()]))
                .map(|(key, at)| key >> 32 << 32 | at)
                .collect();
            want.sort_unstable();
            prop_assert_eq!(single(&words), want);
        }
    }
}
