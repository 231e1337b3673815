//! Stretches of three words in a row → the texts that have them, and where.

use std::num::NonZeroUsize;
use std::ops::Range;

use super::super::MinMatch;
use super::super::seeds::IN_A_ROW;
use super::Texts;
use crate::interner::place;
use crate::parallel;

/// Stretches that are sorted at a time, to bound the memory.
const BATCH: usize = if cfg!(test) { 1 << 4 } else { 1 << 22 };

/// No stretch begins there that another text has.
pub(super) const ALONE: u32 = u32::MAX;

/// Where a stretch stands.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub(super) struct Place {
    pub(super) text: u32,
    /// Its first word, from 0.
    pub(super) at: u32,
}

/// The stretches of three words in a row, or of letters that are worth as much, that several
/// texts have. Stretches are told apart by 64 bits: two that are taken for one another make
/// candidates and no passage. It takes 12 bytes for each word of the texts at most, and as many
/// again while it is made.
#[derive(Clone, Debug)]
pub struct Index<'t> {
    pub(super) texts: &'t Texts,
    pub(super) least: MinMatch,
    /// For each word the number of the stretch that begins there.
    pub(super) stretches: Vec<u32>,
    /// By their numbers where each stretch stands, in order.
    pub(super) places: Vec<Place>,
    /// Where the places of each stretch end.
    pub(super) ends: Vec<usize>,
    /// Texts by a hash of all their words: equal ones share a passage, however short they are.
    pub(super) whole: Vec<(u64, u32)>,
}

impl<'t> Index<'t> {
    /// The index for passages of so many words. The cost is that of sorting the words.
    pub fn of(texts: &'t Texts, least: MinMatch, threads: NonZeroUsize) -> Self {
        let batches = (texts.words() / BATCH + 1) as u64;
        let found = parallel::each(
            threads,
            0..batches,
            || (),
            |(), batch| {
                let is_due =
                    |hash: u64| (u128::from(hash) * u128::from(batches)) >> 64 == u128::from(batch);
                groups(texts, is_due)
            },
        );
        let (mut places, mut ends) = (Vec::new(), Vec::new());
        for (of_batch, sizes) in found {
            places.extend(of_batch);
            for size in sizes {
                ends.push(ends.last().map_or(0, |end| *end) + size);
            }
        }
        let mut whole: Vec<(u64, u32)> =
            (0..place(texts.len())).map(|text| (hash(texts.numbers(text)), text)).collect();
        whole.sort_unstable();
        let mut index = Self { texts, least, stretches: Vec::new(), places, ends, whole };
        index.number();
        index
    }

    /// Tells for each word which stretch begins there.
    fn number(&mut self) {
        let mut stretches = vec![ALONE; self.texts.words()];
        for number in 0..self.ends.len() {
            for Place { text, at } in &self.places[self.range(number)] {
                stretches[self.texts.range(*text).start + *at as usize] = place(number);
            }
        }
        self.stretches = stretches;
    }

    /// Without the stretches that have one of certain words: for each text where those are.
    pub(super) fn without(&self, words: &[Vec<Range<usize>>]) -> Self {
        let lengths: Vec<Vec<u32>> = (0..place(self.texts.len()))
            .map(|text| {
                let has_some = !words[text as usize].is_empty();
                if has_some { self.lengths(text) } else { Vec::new() }
            })
            .collect();
        let is_in = |Place { text, at }: &Place| {
            let ranges = &words[*text as usize];
            let Some(length) = lengths[*text as usize].get(*at as usize) else { return false };
            let at = *at as usize;
            let next = ranges.partition_point(|range| range.end <= at);
            ranges.get(next).is_some_and(|range| range.start < at + *length as usize)
        };
        let (mut places, mut ends): (Vec<Place>, Vec<usize>) = (Vec::new(), Vec::new());
        for number in 0..self.ends.len() {
            let start = places.len();
            let all = &self.places[self.range(number)];
            places.extend(all.iter().filter(|place| !is_in(place)));
            let kept: &[Place] = &places[start..];
            if kept.first().map(|it| it.text) == kept.last().map(|it| it.text) {
                places.truncate(start);
            } else {
                ends.push(places.len());
            }
        }
        let whole = self.whole.clone();
        let stretches = Vec::new();
        let mut index =
            Self { texts: self.texts, least: self.least, stretches, places, ends, whole };
        index.number();
        index
    }

    /// The hash of all words of a text.
    pub(super) fn hash_of(&self, text: u32) -> u64 {
        hash(self.texts.numbers(text))
    }

    /// The places of a stretch.
    pub(super) fn range(&self, number: usize) -> Range<usize> {
        number.checked_sub(1).map_or(0, |before| self.ends[before])..self.ends[number]
    }

    /// How many words the stretch has that begins at each word of a text; 0 where none does.
    pub(super) fn lengths(&self, text: u32) -> Vec<u32> {
        let mut lengths = vec![0; self.texts.range(text).len()];
        each(self.texts, text, |at, length, _| lengths[at] = place(length));
        lengths
    }
}

/// The stretches that are due and stand in several texts: their places, one stretch behind the
/// other, and how many each has.
fn groups(texts: &Texts, is_due: impl Fn(u64) -> bool) -> (Vec<Place>, Vec<usize>) {
    let mut due: Vec<(u64, Place)> = Vec::new();
    for text in 0..place(texts.len()) {
        each(texts, text, |at, _, hash| {
            if is_due(hash) {
                due.push((hash, Place { text, at: place(at) }));
            }
        });
    }
    due.sort_unstable();
    let (mut places, mut sizes) = (Vec::new(), Vec::new());
    for group in due.chunk_by(|one, next| one.0 == next.0) {
        if group[0].1.text != group[group.len() - 1].1.text {
            places.extend(group.iter().map(|(_, place)| *place));
            sizes.push(group.len());
        }
    }
    (places, sizes)
}

/// Takes the shortest stretch that is worth enough from each word of a text on, which no break
/// parts: its first word, how many it has, and a hash of them.
fn each(texts: &Texts, text: u32, mut take: impl FnMut(usize, usize, u64)) {
    let numbers: Vec<u32> = texts.numbers(text).collect();
    let mut start = 0;
    for end in texts.breaks(text).iter().copied().chain([numbers.len()]) {
        for at in start..end {
            let (mut sum, mut worth, mut last) = (0, 0, at);
            while worth < IN_A_ROW && last < end {
                sum = mixed(sum, numbers[last]);
                worth += texts.worth(numbers[last]);
                last += 1;
            }
            if worth >= IN_A_ROW {
                take(at, last - at, spread(sum));
            }
        }
        start = end;
    }
}

/// A hash of words in a row.
fn hash(numbers: impl Iterator<Item = u32>) -> u64 {
    spread(numbers.fold(0, mixed))
}

fn mixed(sum: u64, word: u32) -> u64 {
    let sum = (sum ^ (u64::from(word) + 1)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    sum ^ (sum >> 32)
}

/// Makes all bits of a sum depend on all of its words.
fn spread(sum: u64) -> u64 {
    let sum = sum.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    sum ^ (sum >> 29)
}
