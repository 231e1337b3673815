//! Finds seeds in what no anchor covers: three words in a row, and pairs of rare words.

use std::ops::Range;

use super::keys;
use super::keys::{BloomFilter, RecentKeyCache};
use super::pair::{Pair, WORD};
use super::runs;
use super::runs::{Seeds, apart, halves};
use crate::interner::common_runs::Run;
use crate::interner::place;
use crate::parallel;

/// The minimum worth of the words of a seed in a row, in quarters of a word.
pub(super) const MIN_SEED_WORTH: usize = 3 * WORD;

/// Words in a row are seeds at each pair of their places if they occur a times in one text and b
/// times in the other, and a · b is at most this. If they [recur](super::recurring) more often, only
/// longer stretches of them are searched, and each place is paired with one other.
const MAX_SEED_WORDS: usize = 16;

/// Pairs of rare words are seeds only if a · b is at most this: they are found near copied words, and
/// alone do not show where it was copied from.
const MAX_PAIRS: usize = 4;

/// Two rare words are a pair if the second is at most this many words after the first, with at most
/// one rare word between them. So a pair survives the change of one rare word, and any change of
/// words that are not rare.
const MAX_PAIR_DISTANCE: usize = 6;

/// The number of words at either end of a known run that may be part of a seed in the adjacent gap.
const GAP_MARGIN: usize = 3;

/// The approximate number of seeds that are sorted at a time, to bound the memory.
const BATCH: usize = 1 << 22;

/// The number of batches above which possible seeds are counted first: a text that repeats itself
/// has few.
const MANY_BATCHES: usize = if cfg!(test) { 0 } else { 8 };

/// If fewer words than this are searched, all possible seeds are kept and sorted: those that recur
/// are dropped in any case, and detecting that they recur takes longer. Together with searching for
/// anchors only among words of both texts, and numbering texts without branches, this reduces the
/// processor time of `corpus --at-least excerpt` on 8,000 generated texts from 6.0 s to 5.5 s.
const FEW_WORDS: usize = if cfg!(test) { 1 << 5 } else { 1 << 12 };

/// A possible seed, on one side.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
struct Entry {
    /// The key, equal for equal words: even for words in a row, odd for a pair.
    key: u64,
    /// The position of its first word.
    at: u32,
    /// The distance from its first word to its last one, in words.
    ahead: u8,
}

impl Entry {
    /// Reports whether it is words in a row, and not a pair.
    fn is_in_a_row(self) -> bool {
        self.key.is_multiple_of(2)
    }
}

/// Returns the runs around seeds that are outside of known runs, without duplicates, and the words of
/// each side at which words in a row begin that recur too often to be seeds. The runs may overlap one
/// another, and known runs at their ends.
pub(super) fn runs(pair: &Pair, known: &[Run]) -> (Vec<Run>, [WordSet; 2]) {
    let (seeds, recurring) = seeds(pair, known);
    (seeds.runs(), recurring)
}

/// Returns the [gaps] of both sides, cut at breaks.
pub(super) fn gaps_of_sides(pair: &Pair, known: &[Run]) -> [Vec<Range<usize>>; 2] {
    [0, 1].map(|side| runs::cut(gaps(pair.words[side].len(), known, side), &pair.breaks[side]))
}

/// Returns the seeds, and the words of each side at which words in a row begin that recur too often to
/// be seeds.
fn seeds<'p>(pair: &'p Pair, known: &[Run]) -> (Seeds<'p>, [WordSet; 2]) {
    let gaps = gaps_of_sides(pair, known);
    let words: usize = gaps.iter().flatten().map(Range::len).sum();
    let bytes = words * size_of::<Entry>();
    let mut batches = words * 3 / BATCH + 1;
    if batches > MANY_BATCHES {
        let count = |side: usize| {
            let mut count = 0;
            each_rare(pair, side, &gaps[side], |_| true, |_| count += 1, None);
            count
        };
        let (left, right): (usize, usize) = parallel::join(bytes, || count(0), || count(1));
        batches = (left + right) / BATCH + 1;
    }
    let mut seeds = Seeds::new(pair);
    let mut recurring = pair.words.each_ref().map(|words| vec![false; words.len()]);
    for batch in 0..batches as u64 {
        let is_due = |entry: &Entry| ((entry.key >> 32) * batches as u64) >> 32 == batch;
        let due = |side: usize, recurring: &mut [bool]| {
            // The batches have about the same size, and each word begins at most three entries.
            let capacity = gaps[side].iter().map(Range::len).sum::<usize>() * 3 / batches;
            let mut due: Vec<Entry> = Vec::with_capacity(capacity.min(BATCH));
            each_rare(pair, side, &gaps[side], is_due, |entry| due.push(entry), Some(recurring));
            let mut keys = BloomFilter::with_capacity(due.len());
            for entry in &due {
                keys.add(entry.key);
            }
            (due, keys)
        };
        let [of_left, of_right] = &mut recurring;
        let (left, right) = parallel::join(bytes, || due(0, of_left), || due(1, of_right));
        let common = |mut due: Vec<Entry>, others: &BloomFilter| {
            due.retain(|entry| others.may_have(entry.key));
            due.sort_unstable_by_key(|entry| entry.key);
            due
        };
        let (left, right) =
            parallel::join(bytes, || common(left.0, &right.1), || common(right.0, &left.1));
        join(&left, &right, &mut seeds, &mut recurring);
    }
    (seeds, recurring)
}

/// Passes to `take` the possible seeds in the gaps of a side that are due. An entry whose key has
/// recently occurred so often that it cannot seed, whatever the other side contains, is skipped, and
/// added to `recurring` if it is words in a row.
fn each_rare(
    pair: &Pair,
    side: usize,
    gaps: &[Range<usize>],
    is_due: impl Fn(&Entry) -> bool,
    mut take: impl FnMut(Entry),
    mut recurring: Option<&mut [bool]>,
) {
    let words = gaps.iter().map(Range::len).sum();
    let is_short = words < FEW_WORDS;
    let mut recent = RecentKeyCache::with_capacity(if is_short { 0 } else { words });
    let mut each = |entry: Entry| {
        if is_due(&entry) {
            if is_short || recent.meet(entry.key) as usize <= MAX_SEED_WORDS + 1 {
                take(entry);
            } else if let Some(recurring) = recurring.as_mut().filter(|_| entry.is_in_a_row()) {
                recurring[entry.at as usize] = true;
            }
        }
    };
    for gap in gaps {
        let (shared, rare) = WordBits::new(pair, side, gap);
        for block in 0..shared.0.len() {
            let mut firsts = shared.all_of(block, MIN_SEED_WORTH / WORD);
            while let Some(bit) = next_bit(&mut firsts) {
                let first = gap.start + 64 * block + bit;
                if let Some(seed) = in_a_row(pair, side, first..gap.end) {
                    each(seed);
                }
            }
        }
        for block in 0..rare.0.len() {
            let mut firsts = rare.moved(block, 0)
                & (1..=MAX_PAIR_DISTANCE).fold(0, |near, by| near | rare.moved(block, by));
            while let Some(bit) = next_bit(&mut firsts) {
                pairs(pair, side, gap.start + 64 * block + bit..gap.end, &mut each);
            }
        }
    }
}

/// Returns the stretches of a side that no known run covers, extended by a margin into the runs
/// around them.
fn gaps(words: usize, known: &[Run], side: usize) -> Vec<Range<usize>> {
    let gaps = runs::gaps(known.iter().map(|run| run.range(side)).collect(), words).into_iter();
    gaps.map(|gap| gap.start.saturating_sub(GAP_MARGIN)..(gap.end + GAP_MARGIN).min(words))
        .collect()
}

/// Returns the shortest stretch at the start of a range that is worth enough; `None` if it would
/// contain a word that only one text has, since no such stretch can seed, or if the range is too
/// short.
fn in_a_row(pair: &Pair, side: usize, range: Range<usize>) -> Option<Entry> {
    let (mut key, mut worth, mut last) = (0, 0, range.start);
    while worth < MIN_SEED_WORTH && last < range.end && pair.is_shared(side, last) {
        key = mixed(key, pair.words[side][last].into());
        worth += pair.worth(side, last);
        last += 1;
    }
    if worth >= MIN_SEED_WORTH {
        entry(key & !1, range.start, last - 1 - range.start)
    } else {
        None
    }
}

/// Passes to `take` the pairs of the first word of a range, which is rare, and a rare word near it.
/// Both texts contain both words.
fn pairs(pair: &Pair, side: usize, range: Range<usize>, mut take: impl FnMut(Entry)) {
    let Range { start: at, end } = range;
    let words = &pair.words[side];
    let mut met = 0;
    for next in at + 1..(at + 1 + MAX_PAIR_DISTANCE).min(end) {
        if !pair.is_rare(side, next) {
            continue;
        }
        if pair.is_shared(side, next) {
            let key = mixed(mixed(0, words[at].into()), words[next].into()) | 1;
            if let Some(seed) = entry(key, at, next - at) {
                take(seed);
            }
        }
        met += 1;
        if met == 2 {
            break;
        }
    }
}

/// A set of words of a range: one bit per word, and zeros after the last. Whether a word is in the
/// set is unpredictable, so the set is built and searched without a branch per word.
struct WordBits(Vec<u64>);

impl WordBits {
    /// Returns the words that both texts contain, and the rare ones among them.
    fn new(pair: &Pair, side: usize, range: &Range<usize>) -> (Self, Self) {
        let words = &pair.words[side][range.clone()];
        let blocks = words.len().div_ceil(64);
        let (mut all_shared, mut all_rare) =
            (Vec::with_capacity(blocks), Vec::with_capacity(blocks));
        for block in words.chunks(64) {
            let (mut shared, mut rare) = (0, 0);
            for (word, bit) in block.iter().zip(0..) {
                let (is_shared, is_rare) = pair.is_in_both_and_rare(*word);
                shared |= u64::from(is_shared) << bit;
                rare |= u64::from(is_shared & is_rare) << bit;
            }
            all_shared.push(shared);
            all_rare.push(rare);
        }
        (Self(all_shared), Self(all_rare))
    }

    /// Returns the bits of a block of 64 words, each bit being that of the word `by` positions
    /// later; `by` is at most 63.
    #[inline]
    fn moved(&self, block: usize, by: usize) -> u64 {
        let next = self.0.get(block + 1).copied().unwrap_or_default();
        self.0[block] >> by | next << 1 << (63 - by)
    }

    /// Returns the words of a block at which a run of at least `words` words of the set begins;
    /// `words` is at most 64.
    fn all_of(&self, block: usize, words: usize) -> u64 {
        (0..words).fold(u64::MAX, |all, by| all & self.moved(block, by))
    }
}

/// A set of words of a side: whether each word is in it.
pub(super) type WordSet = Vec<bool>;

/// Clears and returns the lowest bit that is set; `None` if none is.
#[inline]
fn next_bit(bits: &mut u64) -> Option<usize> {
    let bit = bits.trailing_zeros() as usize;
    *bits &= bits.wrapping_sub(1);
    (bit < 64).then_some(bit)
}

fn entry(key: u64, at: usize, ahead: usize) -> Option<Entry> {
    Some(Entry { key, at: u32::try_from(at).ok()?, ahead: u8::try_from(ahead).ok()? })
}

/// Mixes one more word into a key.
pub(super) fn mixed(key: u64, word: u64) -> u64 {
    let sum = (key ^ word.wrapping_add(1)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    sum ^ (sum >> 32)
}

/// Adds the first and the last word of all entries that have the same key on both sides as seeds. If
/// there are too many entries with that key, adds those of words in a row to `recurring` instead.
fn join(left: &[Entry], right: &[Entry], seeds: &mut Seeds, recurring: &mut [WordSet; 2]) {
    let same_key = |one: &Entry, next: &Entry| one.key == next.key;
    let mut others = right.chunk_by(same_key).peekable();
    for here in left.chunk_by(same_key) {
        let key = here[0].key;
        while others.next_if(|there| there[0].key < key).is_some() {}
        let Some(there) = others.next_if(|there| there[0].key == key) else { continue };
        let limit = if here[0].is_in_a_row() { MAX_SEED_WORDS } else { MAX_PAIRS };
        if here.len().saturating_mul(there.len()) > limit {
            if here[0].is_in_a_row() {
                for (entries, recurring) in [here, there].into_iter().zip(recurring.iter_mut()) {
                    for entry in entries {
                        recurring[entry.at as usize] = true;
                    }
                }
            }
            continue;
        }
        for one in here {
            for other in there {
                let first = [one.at as usize, other.at as usize];
                let last = [first[0] + usize::from(one.ahead), first[1] + usize::from(other.ahead)];
                seeds.push(first);
                seeds.push(last);
            }
        }
    }
}

// Anchors: long and unambiguous runs, which are found fast. They cover most of what near-duplicates
// share.

/// The number of words of an anchor: consecutive words that occur once in each text.
pub(super) const LENGTH: usize = 8;

/// The fraction of windows that may be anchors: one in this many, the same windows in both texts.
/// Runs without an anchor are found by seeds.
const ANCHOR_ONE_IN: u64 = 8;

/// An odd factor that mixes the bits of a number.
const MIXER: u64 = 0x9e37_79b9_7f4a_7c15;

/// Returns the runs around anchors, and those at the beginnings and ends of both texts. The longest
/// comes first, and each lacks the words that a run before it contains. None is shorter than an
/// anchor.
pub(super) fn anchors(pair: &Pair) -> Vec<Run> {
    let bytes = 4 * pair.words.iter().map(Vec::len).sum::<usize>();
    let (left, right) = parallel::join(bytes, || single(pair, 0), || single(pair, 1));
    let mut seeds = Seeds::new(pair);
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
    apart([0, 1], seeds.runs(), LENGTH)
}

/// Returns the windows that may be anchors and occur once in a text, in increasing order: the upper
/// half of the key of each, and its position in the lower half. Windows with the same half key are
/// taken for equal. Where they are not, seeds find the runs that these anchors would have found.
fn single(pair: &Pair, side: usize) -> Vec<u64> {
    let words = &pair.words[side];
    let is_short = words.len() < FEW_WORDS;
    let whole = Range { start: 0, end: words.len() };
    // No other words can belong to an anchor of both sides.
    let in_both = || rows(words, std::slice::from_ref(&whole), |word| pair.is_in_both(word));
    let ranges = if is_short { in_both() } else { vec![whole.clone()] };
    let mut recent = RecentKeyCache::with_capacity(if is_short { 0 } else { words.len() });
    let mut anchors: Vec<u64> = Vec::new();
    for range in ranges {
        let first = place(range.start);
        // Two occurrences are enough to show that a window recurs.
        let may_be = keys(&words[range])
            .filter(|(key, _)| key % ANCHOR_ONE_IN == 0 && (is_short || recent.meet(*key) <= 2));
        anchors.extend(may_be.map(|(key, at)| key >> 32 << 32 | u64::from(first + at)));
    }
    keys::sort(&mut anchors, u32::BITS);
    let groups = anchors.chunk_by(|one, next| half_key(*one) == half_key(*next));
    groups.filter(|group| group.len() == 1).map(|group| group[0]).collect()
}

/// Returns the longest ranges of words, within given ones, that are all of a kind, if they are at
/// least as long as an anchor.
pub(super) fn rows(
    words: &[u32],
    ranges: &[Range<usize>],
    is_of_kind: impl Fn(u32) -> bool,
) -> Vec<Range<usize>> {
    let mut rows: Vec<Range<usize>> = Vec::new();
    for range in ranges {
        // Whether a word is of the kind is unpredictable, so there is no branch on it.
        let mut length = 0;
        for (end, word) in (range.start + 1..).zip(&words[range.clone()]) {
            length = (length + 1) * usize::from(is_of_kind(*word));
            match rows.last_mut() {
                Some(row) if length > LENGTH => row.end = end,
                _ if length == LENGTH => rows.push(end - LENGTH..end),
                _ => {}
            }
        }
    }
    rows
}

fn half_key(anchor: u64) -> usize {
    halves(anchor)[0]
}

/// Returns the key of each window, with its position. Each word is mixed and rotated by as many
/// steps as it is from the end of the window, so that the next key follows from the last (Cohen
/// 1997).
pub(super) fn keys(words: &[u32]) -> impl Iterator<Item = (u64, u32)> {
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

    use super::super::tests::{pair, words};
    use super::*;

    /// The definition: the words of each possible seed, compared with those of all others.
    fn plain_seeds(pair: &Pair) -> Seeds<'_> {
        let all = [0, 1].map(|side| {
            let length = pair.words[side].len();
            let mut all: Vec<(bool, Vec<u32>, usize, usize)> = Vec::new();
            for at in 0..length {
                let stretch = pair.stretch(side, at).end;
                let enough =
                    (at + 1..=stretch).find(|end| pair.worth_of(side, at..*end) >= MIN_SEED_WORTH);
                if let Some(end) = enough {
                    all.push((false, pair.words[side][at..end].to_vec(), at, end - 1));
                }
                let rare: Vec<usize> = (at + 1..stretch.min(at + 1 + MAX_PAIR_DISTANCE))
                    .filter(|next| pair.is_rare(side, *next))
                    .collect();
                for next in rare.into_iter().take(2).filter(|_| pair.is_rare(side, at)) {
                    all.push((true, vec![pair.words[side][at], pair.words[side][next]], at, next));
                }
            }
            all
        });
        let mut seeds = Seeds::new(pair);
        for (is_pair, words, first, last) in &all[0] {
            let like = |side: usize| {
                let same = move |other: &&(bool, Vec<u32>, usize, usize)| {
                    (other.0, &other.1) == (*is_pair, words)
                };
                all[side].iter().filter(same)
            };
            let limit = if *is_pair { MAX_PAIRS } else { MAX_SEED_WORDS };
            if like(0).count() * like(1).count() <= limit {
                let both = like(1).flat_map(|other| [[*first, other.2], [*last, other.3]]);
                both.for_each(|seed| seeds.push(seed));
            }
        }
        seeds
    }

    /// The product of the two counts is 2³², which overflows to 0 if `usize` has 32 bits.
    #[test]
    fn words_that_stand_everywhere_seed_nothing() {
        let same = vec![Entry { key: 2, at: 0, ahead: 2 }; 1 << 16];
        let pair = pair(&words("a"), &words("a"));
        let mut seeds = Seeds::new(&pair);
        let mut recurring = [vec![false], vec![false]];
        join(&same, &same, &mut seeds, &mut recurring);
        assert_eq!(seeds.runs(), []);
        assert_eq!(recurring, [[true], [true]]);
    }

    #[test]
    fn gaps_are_what_is_not_covered_and_a_little_more() {
        let run = |left, right, length| Run { at: [left, right], length };
        let known = [run(10, 30, 20), run(31, 0, 9)];
        assert_eq!(gaps(100, &known, 0), [0..13, 27..34, 37..100]);
        assert_eq!(gaps(60, &known, 1), [6..33, 47..60]);
        assert_eq!(gaps(2, &[], 0), vec![Range { start: 0, end: 2 }]);
        assert_eq!(gaps(0, &[], 0), Vec::<Range<usize>>::new());
    }

    #[test]
    fn what_recurs_on_both_sides_is_no_seed() {
        let runs_of = |left: &str, right: &str| {
            let pair = pair(&words(left), &words(right));
            let mut runs = seeds(&pair, &[]).0.runs();
            runs.retain(|run| run.length >= 3);
            runs.len()
        };
        let times = |count: usize, name: &str| {
            (0..count).map(|k| format!("{name}{k} a b c ")).collect::<Vec<_>>().concat()
        };
        assert_eq!(runs_of(&times(4, "x"), &times(4, "y")), 16);
        assert_eq!(runs_of(&times(4, "x"), &times(5, "y")), 0);
        assert_eq!(runs_of(&times(1, "x"), &times(16, "y")), 16);
        let pairs = |count: usize, name: &str| {
            (0..count)
                .map(|k| format!("p {name}{k} q {name}{k}a {name}{k}b "))
                .collect::<Vec<_>>()
                .concat()
        };
        let runs_of =
            |left: &str, right: &str| seeds(&pair(&words(left), &words(right)), &[]).0.runs().len();
        assert_eq!(runs_of(&pairs(2, "x"), &pairs(2, "y")), 8, "each word of four pairs");
        assert_eq!(runs_of(&pairs(2, "x"), &pairs(3, "y")), 0);
    }

    proptest! {
        #[test]
        fn seeds_agree_with_the_definition(
            left in "((a|b|c|d|[e-z]|水|火) ){0,150}", right in "((a|b|c|d|[e-z]|水|火) ){0,150}",
            breaks in [proptest::collection::btree_set(0_usize..150, 0..3), proptest::collection::btree_set(0_usize..150, 0..3)],
        ) {
            let mut pair = pair(&words(&left), &words(&right));
            pair.breaks = breaks.map(|breaks| breaks.into_iter().collect());
            prop_assert_eq!(seeds(&pair, &[]).0.runs(), plain_seeds(&pair).runs());
        }
    }
}

#[cfg(test)]
mod anchors_tests {
    use proptest::prelude::*;

    use super::super::tests::{sequence, words};
    use super::*;

    /// The definition: the key of a window from its words alone.
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
            let (pair, is_swapped) = Pair::from_sequences(left, right);
            let mut got = anchors(&pair);
            if is_swapped {
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

        /// Compared with counting each window among all. In short texts, only windows without a
        /// word that the other text lacks are expected.
        #[test]
        fn windows_that_stand_once_are_found(
            text in proptest::collection::vec(0_u32..3, 0..400), shared in 1_u32..4,
        ) {
            let named = |word: &u32| format!("w{word}");
            let left: Vec<String> = text.iter().map(named).collect();
            let right: Vec<String> = text.iter().filter(|word| **word < shared).map(named).collect();
            let (pair, _) = Pair::from_sequences(sequence(&left), sequence(&right));
            for side in 0..2 {
                let words = &pair.words[side];
                let all: Vec<&[u32]> = words.windows(LENGTH).collect();
                let stands_once = |window: &[u32]| all.iter().filter(|other| **other == window).count() == 1;
                let may_be = |window: &[u32]| words.len() >= FEW_WORDS || window.iter().all(|it| pair.is_in_both(*it));
                let mut want: Vec<u64> = all.iter().zip(0_u64..)
                    .filter(|(window, _)| stands_once(window) && may_be(window))
                    .map(|(window, at)| (plain_key(window), at))
                    .filter(|(key, _)| key % ANCHOR_ONE_IN == 0)
                    .map(|(key, at)| key >> 32 << 32 | at)
                    .collect();
                want.sort_unstable();
                prop_assert_eq!(single(&pair, side), want);
            }
        }
    }
}
