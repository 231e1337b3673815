//! Finds the texts that a text may share a passage with, from the inverted lists of its stretches.
//! The words of those texts are not needed.

use std::collections::BTreeMap;
use std::ops::Range;

use super::index::{Position, each_stretch, first_of_texts, hash_of_words, of_texts};
use super::scan::{OtherWords, QueryWords, Scan, Stretch};
use crate::interner::{place, stretches};
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

/// The largest number of positions in one text that are compared with those of other stretches.
const MAX_PLACES: usize = 16;

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

    /// Returns the windows of the query that `many` or more texts may contain: as many words in a row
    /// as a passage must have, of which each stretch is in as many texts. For each, returns the first
    /// word and the range of stretches. Windows that contain no stretch are skipped, since their
    /// letters are worth too little.
    pub fn windows(
        &self,
        min_match: MinMatch,
        lists: &[Lists],
        many: usize,
    ) -> Vec<(u32, Range<usize>)> {
        let mut texts: BTreeMap<u64, usize> = self.stretches.iter().map(|it| (it.key, 0)).collect();
        for (key, texts) in &mut texts {
            *texts = lists.iter().map(|lists| of_texts(lists.get(*key)).count()).sum();
        }
        let is_often = |it: &QueryStretch| texts.get(&it.key).is_some_and(|texts| *texts >= many);
        let end = |it: &QueryStretch| (it.at + it.length) as usize;
        let mut windows = Vec::new();
        for Range { start, end: stop } in stretches(&self.words.breaks, self.words.keys.len()) {
            for from in start..(stop + 1).saturating_sub(min_match.words()).max(start) {
                let to = from + min_match.words();
                let first = self.stretches.partition_point(|it| (it.at as usize) < from);
                let inside = self.stretches[first..].partition_point(|it| end(it) <= to);
                let inside = first..first + inside;
                if !inside.is_empty() && self.stretches[inside.clone()].iter().all(is_often) {
                    windows.push((place(from), inside));
                }
            }
        }
        windows
    }

    /// Returns the texts that contain all stretches of a window at the same distances, in increasing
    /// order: all texts that contain the window, and perhaps others. Among these are texts in which its
    /// rarest stretch has more than 16 positions, which bounds the cost of texts that repeat themselves.
    pub fn texts_with(&self, (start, window): &(u32, Range<usize>), lists: &Lists) -> Vec<u32> {
        let mut stretches: Vec<(u32, &[Position])> = self.stretches[window.clone()]
            .iter()
            .map(|it| (it.at - start, lists.get(it.key)))
            .collect();
        stretches.sort_by_key(|(_, places)| places.len());
        let Some(((offset, fewest), others)) = stretches.split_first() else { return Vec::new() };
        let has_all = |it: &Position| {
            it.at.checked_sub(*offset).is_some_and(|first| {
                let is_there = |(offset, places): &(u32, &[Position])| {
                    places.binary_search(&Position { text: it.text, at: first + offset }).is_ok()
                };
                others.iter().all(is_there)
            })
        };
        let may_have =
            |places: &&[Position]| places.len() > MAX_PLACES || places.iter().any(has_all);
        of_texts(fewest).filter(may_have).map(|places| places[0].text).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A text repeats one word, and others repeat it, too.
    #[test]
    fn what_a_text_repeats_is_looked_up_once() {
        let query = Query::new(Words { keys: vec![7; 14], ..Words::default() });
        let key = query.stretches[0].key;
        let mut lists = Lists::default();
        // Text 0 has the stretch 10 times in a row, text 1 once, and text 2 seventeen times, but with
        // gaps, so that it is not known whether it has the window.
        let of_zero = (0..10).map(|at| (0, at));
        let of_two = (0..17).map(|at| (2, 5 * at));
        lists.push(key, of_zero.chain([(1, 4)]).chain(of_two));
        let lists = [lists];
        let min_match = MinMatch::new(12).unwrap();
        // Three windows of ten stretches each.
        let windows = query.windows(min_match, &lists, 3);
        assert_eq!(windows, [(0, 0..10), (1, 1..11), (2, 2..12)]);
        assert_eq!(query.windows(min_match, &lists, 4), []);
        for window in windows {
            assert_eq!(query.texts_with(&window, &lists[0]), [0, 2]);
        }
        let sizes: Vec<usize> = of_texts(&lists[0].places).map(<[Position]>::len).collect();
        assert_eq!(sizes, [10, 1, 17]);
    }
}
