//! Finds the texts that a text may share a passage with, from the inverted lists of its stretches.
//! The words of those texts are not needed.

use super::index::{Position, each_stretch, first_of_texts, hash_of_words};
use super::scan::{OtherWords, QueryWords, Scan, Stretch};
use crate::interner::place;
use crate::passages::pair::worth;
use crate::passages::{MinMatch, Words};

/// The number of bits of a hash that a key lacks. Among 10⁹ stretches, one in 17,000 has the same
/// key as a different one; this makes a candidate, but no passage.
const DROPPED_HASH_BITS: u32 = 20;

/// Returns everything by which a text is found: the key, of 44 bits, and the first word of each
/// stretch; and a key of the entire text, at 0, since equal texts share a passage however short
/// they are. In no particular order; empty if the text has no words.
pub fn occurrences(words: &Words) -> Vec<(u64, u32)> {
    let mut all = Vec::with_capacity(words.keys.len() + 1);
    each(words, |at, _, key| all.push((key, at)));
    all.extend(whole(words).map(|key| (key, 0)));
    all
}

/// Returns the smallest worth of any word of a text, in quarters of a word; 4 if all are full
/// words.
pub fn least_worth(words: &Words) -> u8 {
    worth(words.less.iter().copied().max().unwrap_or_default())
}

fn each(words: &Words, mut take: impl FnMut(u32, u32, u64)) {
    let worth = |at: usize| usize::from(worth(less(words, at)));
    each_stretch(&words.keys, worth, &words.breaks, |at, length, hash| {
        take(place(at), place(length), hash >> DROPPED_HASH_BITS);
    });
}

fn less(words: &Words, at: usize) -> u8 {
    words.less.get(at).copied().unwrap_or_default()
}

/// Returns the key of all words, which differs from that of a stretch of the same words; `None` if
/// there are no words.
fn whole(words: &Words) -> Option<u64> {
    let hash = || hash_of_words(words.keys.iter().copied()).rotate_left(32);
    (!words.keys.is_empty()).then(|| hash() >> DROPPED_HASH_BITS)
}

/// Inverted lists: the positions of stretches in other texts, by their keys.
#[derive(Clone, Debug, Default)]
pub struct Lists {
    keys: Vec<u64>,
    ends: Vec<usize>,
    places: Vec<Position>,
}

impl Lists {
    /// Adds the positions of a key in increasing order, each a text and a word of it. Keys must be
    /// added in increasing order.
    pub fn push(&mut self, key: u64, places: impl Iterator<Item = (u32, u32)>) {
        self.keys.push(key);
        self.places.extend(places.map(|(text, at)| Position { text, at }));
        self.ends.push(self.places.len());
    }

    /// Appends the positions of other keys, all of which must be greater.
    pub fn append(&mut self, others: Self) {
        let before = self.places.len();
        self.keys.extend(others.keys);
        self.ends.extend(others.ends.into_iter().map(|end| before + end));
        self.places.extend(others.places);
    }

    fn get(&self, key: u64) -> &[Position] {
        let Ok(at) = self.keys.binary_search(&key) else { return &[] };
        let start = at.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.places[start..self.ends[at]]
    }
}

#[derive(Clone, Copy, Debug)]
struct QueryStretch {
    at: u32,
    length: u32,
    key: u64,
}

/// A text that is looked up in inverted lists.
#[derive(Clone, Debug)]
pub struct Query {
    words: Words,
    stretches: Vec<QueryStretch>,
    left: QueryWords,
}

impl Query {
    /// Prepares a query from the words of a text.
    pub fn new(words: Words) -> Self {
        let mut stretches = Vec::with_capacity(words.keys.len());
        each(&words, |at, length, key| stretches.push(QueryStretch { at, length, key }));
        let mut own = words.keys.clone();
        own.sort_unstable();
        own.dedup();
        let number = |key: &u64| place(own.partition_point(|known| known < key));
        let places = words.keys.iter().map(number).collect();
        let worths = (0..words.keys.len()).map(|at| usize::from(worth(less(&words, at))));
        let before = std::iter::once(0).chain(worths.scan(0, |sum, worth| {
            *sum += worth;
            Some(*sum)
        }));
        let left = QueryWords {
            places,
            numbers: Vec::new(),
            before: before.collect(),
            least_worth: usize::from(least_worth(&words)),
        };
        Self { words, stretches, left }
    }

    /// Returns the keys of everything by which the text is found, in no particular order.
    pub fn keys(&self) -> impl Iterator<Item = u64> {
        self.stretches.iter().map(|it| it.key).chain(whole(&self.words))
    }

    /// Returns those of the texts numbered below `texts` that the query may share a passage with,
    /// in increasing order. They are a superset: none is missed. `least_worth` is the smallest
    /// worth of any word of those texts, in quarters of a word. The cost is that of reading the
    /// positions in the lists.
    pub fn candidates(
        &self,
        lists: &Lists,
        texts: u32,
        (min_match, least_worth): (MinMatch, u8),
    ) -> Vec<u32> {
        let mut keys: Vec<u64> = self.stretches.iter().map(|it| it.key).collect();
        keys.sort_unstable();
        keys.dedup();
        let first: Vec<Vec<Position>> =
            keys.iter().map(|key| first_of_texts(lists.get(*key)).collect()).collect();
        let places = self.stretches.iter().map(|QueryStretch { at, length, key }| Stretch {
            at: *at,
            end: self.left.end((at + length) as usize),
            places: &first[keys.partition_point(|known| known < key)],
        });
        let stretches = places.filter(|stretch| !stretch.places.is_empty()).collect();
        let others = OtherWords::LeastWorth(usize::from(least_worth));
        let mut found = Vec::new();
        let mut scan = Scan::new(texts as usize, min_match);
        scan.among(0..texts, &self.left, stretches, others, &mut found);
        let equal = whole(&self.words).map(|key| lists.get(key));
        found.extend(equal.unwrap_or_default().iter().map(|place| place.text));
        found.sort_unstable();
        found.dedup();
        found
    }
}
