//! A text → those that it may share a passage with.
//!
//! 1. Each place in others where one of its stretches stands adds the words of that stretch to
//!    what the other text has of it; a word between two stretches takes a sixteenth of a word
//!    away. Of a passage at least one word in five stands in stretches ([`DENSITY_IN_ROWS`]), and
//!    four others for each take a quarter of it away: three quarters of the words in a row that a
//!    passage must have are left.
//! 2. Of the texts that reach that, the stretches are collected, and [`Near`] looks at them.

use std::ops::Range;

use super::index::{ALONE, Index, Place, Texts};
use crate::interner::place;
use crate::passages::MinMatch;
use crate::passages::pair::WORD;
use crate::passages::rule::{DENSITY_IN_ROWS, ROW};

/// What is known of another text while one is looked at, in parts of a word.
#[derive(Clone, Copy, Default)]
struct Met {
    /// Behind the last word that is in a stretch of both; later the slot of the text, from 1.
    end: u32,
    /// What the words are worth that are, less a part of those between.
    worth: u16,
    /// The most that it was.
    most: u16,
}

/// A word between two stretches subtracts its worth divided by this.
const LOSS: u32 = 16;

/// Texts that are looked at together: as many as the caches hold what is known of.
const BLOCK: usize = if cfg!(test) { 2 } else { 1 << 15 };

/// Stretches of two texts that are held: one more than are looked at one by one.
const STRIDE: usize = MOST + 1;

/// A stretch of a text that others have.
#[derive(Clone, Copy)]
pub(super) struct Stretch<'p> {
    pub(super) at: u32,
    /// Behind its last word, or behind the next one where that [may be part of the run](Left::end).
    pub(super) end: u32,
    /// Where it stands in the others, in order.
    pub(super) places: &'p [Place],
}

/// A memory for one text after the other.
pub(super) struct Scan {
    least: MinMatch,
    /// What the word is worth that is worth least.
    least_worth: usize,
    /// Of each text of a block.
    met: Vec<Met>,
    /// The texts of a block that may be near enough, counted from its first.
    texts: Vec<u32>,
    /// The stretches that some of them share, [`STRIDE`] of each.
    hits: Vec<Hit>,
    /// How many of them there are of each.
    counts: Vec<u8>,
    marks: WordMarks,
}

/// Finds for one text of an index after the other those that it may share a passage with.
pub(super) struct Partners<'i> {
    index: &'i Index<'i>,
    scan: Scan,
    left: Left,
}

impl<'i> Partners<'i> {
    pub(super) fn new(index: &'i Index<'i>) -> Self {
        let scan = Scan::new(index.texts.len(), index.least, index.texts.least_worth());
        Self { index, scan, left: Left::default() }
    }

    /// Those from a number on that a text may share a passage with, increasing, without itself. The
    /// cost is that of the places where its stretches stand in them, each looked at twice.
    pub(super) fn texts(&mut self, text: u32, first: u32) -> Vec<u32> {
        self.read(text);
        let mut found: Vec<u32> = self.equal(text, first).collect();
        let (stretches, texts) = (self.stretches(text, first), self.index.texts);
        let range = first..place(texts.len());
        self.scan.among(range, &self.left, stretches, Some(texts), &mut found);
        found.retain(|other| *other != text);
        found.sort_unstable();
        found.dedup();
        found
    }

    /// Reads the words of a text.
    fn read(&mut self, text: u32) {
        let texts = self.index.texts;
        let Left { places, numbers, before } = &mut self.left;
        places.clear();
        places.extend_from_slice(texts.places(text));
        numbers.clear();
        numbers.extend(texts.numbers(text));
        before.clear();
        before.push(0);
        let mut sum = 0;
        before.extend(numbers.iter().map(|number| {
            sum += texts.worth(*number);
            sum
        }));
    }

    /// The stretches of a text that others have from a number on, in order.
    fn stretches(&self, text: u32, first: u32) -> Vec<Stretch<'i>> {
        let index = self.index;
        let lengths = index.lengths(text);
        let numbers = &index.stretches[index.texts.range(text)];
        let mut all = Vec::with_capacity(numbers.len());
        for (at, number) in numbers.iter().enumerate().filter(|(_, number)| **number != ALONE) {
            let places = &index.places[index.range(*number as usize)];
            let from = places.partition_point(|it| it.text < first);
            if from < places.len() {
                all.push(Stretch {
                    at: place(at),
                    end: self.left.end(at + lengths[at] as usize),
                    places: &places[from..],
                });
            }
        }
        all
    }

    /// The texts from a number on that have the same words.
    fn equal(&self, text: u32, first: u32) -> impl Iterator<Item = u32> {
        let whole = &self.index.whole;
        let hash = self.index.hash_of(text);
        let from = whole.partition_point(|known| *known < (hash, first));
        whole[from..].iter().take_while(move |known| known.0 == hash).map(|known| known.1)
    }
}

impl Scan {
    pub(super) fn new(texts: usize, least: MinMatch, least_worth: usize) -> Self {
        Self {
            least,
            least_worth,
            met: vec![Met::default(); BLOCK.min(texts)],
            texts: Vec::new(),
            hits: Vec::new(),
            counts: Vec::new(),
            marks: WordMarks::new(),
        }
    }

    /// Adds those of some texts that `left` may share a passage with, by its stretches that they
    /// have. `words` are those of all texts; where they are not known, a few more are taken.
    pub(super) fn among(
        &mut self,
        range: Range<u32>,
        left: &Left,
        mut stretches: Vec<Stretch>,
        words: Option<&Texts>,
        found: &mut Vec<u32>,
    ) {
        for start in range.step_by(BLOCK) {
            self.block(start, left, &mut stretches, words, found);
        }
    }

    /// Adds those of a block of texts, and takes their places out of the stretches.
    fn block(
        &mut self,
        start: u32,
        left: &Left,
        rest: &mut Vec<Stretch>,
        words: Option<&Texts>,
        found: &mut Vec<u32>,
    ) {
        let enough = u16::try_from(self.least_gain()).unwrap_or(u16::MAX);
        let behind = start.saturating_add(place(BLOCK));
        let mut all: Vec<Stretch> = Vec::with_capacity(rest.len());
        rest.retain_mut(|stretch| {
            let [at, end] = [stretch.at, stretch.end].map(|at| place(left.before[at as usize]));
            let mut count = 0;
            for other in stretch.places.iter().take_while(|other| other.text < behind) {
                count += 1;
                // Without branches, none of which could be foreseen.
                let met = &mut self.met[(other.text - start) as usize];
                let loss = at.saturating_sub(met.end) / LOSS;
                let gain = end.saturating_sub(at.max(met.end));
                let worth = u32::from(met.worth).saturating_sub(loss).saturating_add(gain);
                met.worth = u16::try_from(worth).unwrap_or(u16::MAX);
                met.end = met.end.max(end);
                met.most = met.most.max(met.worth);
            }
            let (places, others) = stretch.places.split_at(count);
            if count > 0 {
                all.push(Stretch { places, ..*stretch });
            }
            stretch.places = others;
            !others.is_empty()
        });
        let reached = self.met.iter().zip(0..).filter(|(met, _)| met.most >= enough);
        self.texts.extend(reached.map(|(_, other)| other));
        self.met.fill(Met::default());
        self.collect(start, &all);
        let near = std::mem::take(&mut self.texts);
        found.extend(
            near.iter()
                .map(|other| start + other)
                .zip(0..)
                .filter(|(other, slot)| self.may_share_a_passage(*other, *slot, left, words))
                .map(|(other, _)| other),
        );
        self.texts = near;
        for other in self.texts.drain(..) {
            self.met[other as usize] = Met::default();
        }
    }

    /// What a passage is worth at least when the words between its stretches are taken away.
    fn least_gain(&self) -> usize {
        let (loss, between) = (LOSS as usize, DENSITY_IN_ROWS - 1);
        self.least.in_a_row() * (loss - between) / loss
    }

    /// Whether the text may share a passage with another one, by the stretches in a slot.
    fn may_share_a_passage(
        &mut self,
        other: u32,
        slot: usize,
        left: &Left,
        words: Option<&Texts>,
    ) -> bool {
        let Self { least, least_worth, marks, .. } = self;
        let hits = &self.hits[slot * STRIDE..][..usize::from(self.counts[slot])];
        let near = Near { left, hits, least: *least, least_worth: *least_worth };
        let right = words.map(|texts| {
            let (own, places) = (texts.own(other), texts.places(other));
            move |from: usize, to: usize| {
                places[from..to.min(places.len())].iter().map(|word| own[*word as usize].number)
            }
        });
        near.may_have_passage(right.as_ref(), marks)
    }

    /// Collects the stretches that the texts share which were met, each in the order of its words.
    fn collect(&mut self, start: u32, all: &[Stretch]) {
        let others = &self.texts;
        for (slot, other) in (1..).zip(others) {
            self.met[*other as usize].end = slot;
        }
        self.counts.clear();
        self.counts.resize(others.len(), 0);
        let none = Hit { at: [0, 0], end: 0 };
        self.hits.resize(self.hits.len().max(others.len() * STRIDE), none);
        for Stretch { at, end, places } in all {
            for other in *places {
                let slot = self.met[(other.text - start) as usize].end as usize;
                if slot != 0 {
                    let count = &mut self.counts[slot - 1];
                    if usize::from(*count) < STRIDE {
                        let hit = Hit { at: [*at, other.at], end: *end };
                        self.hits[(slot - 1) * STRIDE + usize::from(*count)] = hit;
                        *count += 1;
                    }
                }
            }
        }
    }
}

// Stretches that two texts share → whether a passage may be around some of them.
//
// A passage has enough words in a row; or enough different ones of its words stand three or
// more in a row, four of them somewhere ([`ROW`]), and it is at most five times as long as all
// that do are worth ([`DENSITY_IN_ROWS`]). So it is within reach of the first of its stretches on both sides, and
// how far that is follows from what the stretches within reach are worth, over and over. Nor
// can it have enough different words where both texts do not have as many within reach.

/// A stretch that both texts have.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) struct Hit {
    /// Its first word in left and in right.
    pub(super) at: [u32; 2],
    /// Behind its last word in left, or behind the next one where that may be part of the run.
    pub(super) end: u32,
}

/// Stretches of two texts that are looked at one by one; where there are more, a passage may be
/// there.
pub(super) const MOST: usize = 200;

/// Slots of a table of words; two words may have one.
const SLOTS: usize = if cfg!(test) { 1 << 9 } else { 1 << 12 };

/// A text that others are held against.
#[derive(Clone, Debug, Default)]
pub(super) struct Left {
    /// Its words, each as a number below `different`.
    pub(super) places: Vec<u32>,
    /// The numbers of its words that others have, too.
    pub(super) numbers: Vec<u32>,
    /// What the words before each are worth.
    pub(super) before: Vec<usize>,
}

impl Left {
    /// The end of a stretch, and one word more where that may be part of the run and of no
    /// stretch: a last letter that is not worth a word.
    pub(super) fn end(&self, end: usize) -> u32 {
        let before = &self.before;
        let is_letter = before.get(end + 1).is_some_and(|next| next - before[end] < WORD);
        place(end + usize::from(is_letter))
    }
}

/// What is known of words while others are looked at; it is cleared by a new stamp.
pub(super) struct WordMarks {
    stamp: u32,
    /// For each different word of left when it was met.
    of_places: Vec<u32>,
    /// For each slot when a word of right with it was met.
    of_slots: Vec<u32>,
    /// How often each different word of left is in a window.
    counts: Vec<u32>,
    /// Where in left the row begins that each stretch is in.
    starts: Vec<u32>,
}

impl WordMarks {
    pub(super) fn new() -> Self {
        Self {
            stamp: 0,
            of_places: Vec::new(),
            of_slots: vec![0; SLOTS],
            counts: Vec::new(),
            starts: Vec::new(),
        }
    }

    /// Forgets all marks, and makes space for a left text of `different` distinct words.
    fn clear(&mut self, different: usize) {
        if self.stamp == u32::MAX {
            *self = Self::new();
        }
        self.stamp += 1;
        if self.of_places.len() < different {
            self.of_places.resize(different, 0);
            self.counts.resize(different, 0);
        }
    }
}

/// Some stretches of two texts, in the order of left, and what a passage around them needs.
pub(super) struct Near<'a> {
    pub(super) left: &'a Left,
    pub(super) hits: &'a [Hit],
    pub(super) least: MinMatch,
    /// What the word is worth that is worth least.
    pub(super) least_worth: usize,
}

impl Near<'_> {
    /// Whether a passage may be there. `right` are the numbers of its words, some of them from a
    /// place on; none where they are not known. Quadratic in the stretches, of which there are [`MOST`].
    pub(super) fn may_have_passage<R: Iterator<Item = u32>>(
        &self,
        right: Option<&impl Fn(usize, usize) -> R>,
        marks: &mut WordMarks,
    ) -> bool {
        if self.hits.len() > MOST {
            return true;
        }
        let longest = self.longest_row(marks);
        if longest < ROW || longest >= self.least.in_a_row() {
            return longest >= self.least.in_a_row();
        }
        let (mut worth, different) = self.worth(0, usize::MAX, marks);
        if different < self.least.in_a_row() {
            return false;
        }
        let mut firsts: Vec<usize> = (0..self.hits.len()).collect();
        loop {
            let reach = (worth * DENSITY_IN_ROWS / self.least_worth.max(1)).saturating_add(1);
            let mut most = 0;
            firsts.retain(|first| {
                let (worth, different) = self.worth(*first, reach, marks);
                let is_enough = different >= self.least.in_a_row();
                most = if is_enough { worth.max(most) } else { most };
                is_enough
            });
            if most == worth || firsts.is_empty() {
                return firsts.iter().any(|first| {
                    let have_enough = |right| self.have_enough(*first, reach, right, marks);
                    right.is_none_or(have_enough)
                });
            }
            worth = most;
        }
    }

    /// What the longest row is worth: words that both texts have in a row. Each place of it from
    /// which a stretch is within the row is a hit.
    fn longest_row(&self, marks: &mut WordMarks) -> usize {
        let starts = &mut marks.starts;
        starts.clear();
        starts.extend(self.hits.iter().map(|hit| hit.at[0]));
        let (mut next, mut longest) = (0, 0);
        for (hit, Hit { at, end }) in self.hits.iter().enumerate() {
            let start = starts[hit];
            longest =
                longest.max(self.left.before[*end as usize] - self.left.before[start as usize]);
            let behind = at.map(|at| at + 1);
            while self.hits.get(next).is_some_and(|other| other.at < behind) {
                next += 1;
            }
            if self.hits.get(next).is_some_and(|other| other.at == behind) {
                starts[next] = start;
            }
        }
        longest
    }

    /// What the words of left are worth in the stretches from one on that are within reach of it,
    /// and what the different ones are.
    fn worth(&self, first: usize, reach: usize, marks: &mut WordMarks) -> (usize, usize) {
        let Left { places, before, .. } = self.left;
        marks.clear(places.len());
        let [left, right] = self.hits[first].at;
        let (mut worth, mut different, mut covered) = (0, 0, 0);
        for hit in &self.hits[first..] {
            let is_near = ((hit.at[0] - left) as usize) < reach
                && (hit.at[1].abs_diff(right) as usize) < reach;
            if !is_near {
                continue;
            }
            for at in covered.max(hit.at[0] as usize)..hit.end as usize {
                let of_word = before[at + 1] - before[at];
                worth += of_word;
                let mark = &mut marks.of_places[places[at] as usize];
                if *mark != marks.stamp {
                    *mark = marks.stamp;
                    different += of_word;
                }
                covered = at + 1;
            }
        }
        (worth, different)
    }

    /// Whether some words of left in a row, as many as are within reach, around a stretch have
    /// enough different ones that are within reach of it in right, too.
    fn have_enough<R: Iterator<Item = u32>>(
        &self,
        first: usize,
        reach: usize,
        right: impl Fn(usize, usize) -> R,
        marks: &mut WordMarks,
    ) -> bool {
        let Left { places, numbers, before } = self.left;
        marks.clear(places.len());
        let [left, at_right] = self.hits[first].at.map(|at| at as usize);
        let slot = |number: u32| number.wrapping_mul(0x9e37_79b1) as usize >> 7 & (SLOTS - 1);
        for number in right(at_right.saturating_sub(reach), at_right.saturating_add(reach)) {
            marks.of_slots[slot(number)] = marks.stamp;
        }
        let start = left.saturating_sub(reach);
        let end = left.saturating_add(reach).min(places.len());
        let is_there =
            |marks: &WordMarks, at: usize| marks.of_slots[slot(numbers[at])] == marks.stamp;
        let (mut different, mut most) = (0, 0);
        let mut gone = start;
        for at in start..end {
            if at - gone >= reach {
                if is_there(marks, gone) {
                    let count = &mut marks.counts[places[gone] as usize];
                    *count -= 1;
                    different -= if *count == 0 { before[gone + 1] - before[gone] } else { 0 };
                }
                gone += 1;
            }
            if is_there(marks, at) {
                let count = &mut marks.counts[places[at] as usize];
                different += if *count == 0 { before[at + 1] - before[at] } else { 0 };
                *count += 1;
                most = most.max(different);
            }
        }
        for word in &places[gone..end] {
            marks.counts[*word as usize] = 0;
        }
        most >= self.least.different()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::interner::place;

    fn may_have_passage(hits: &[Hit], left: &[u32], right: &[u32]) -> bool {
        let left = Left {
            places: left.to_vec(),
            numbers: left.to_vec(),
            before: (0..=left.len()).map(|word| 4 * word).collect(),
        };
        // Six words in a row, or ten different ones of which six are in rows, four in one.
        let least = MinMatch::new(6).unwrap();
        let near = Near { left: &left, hits, least, least_worth: 4 };
        let right = |from: usize, to: usize| right[from..to.min(right.len())].iter().copied();
        near.may_have_passage(Some(&right), &mut WordMarks::new())
    }

    fn hit(left: u32, right: u32) -> Hit {
        Hit { at: [left, right], end: left + 3 }
    }

    /// Rows of four and of three words.
    fn rows(fours: &[[u32; 2]], threes: &[[u32; 2]]) -> Vec<Hit> {
        let of_four = fours.iter().flat_map(|at| [hit(at[0], at[1]), hit(at[0] + 1, at[1] + 1)]);
        let mut hits: Vec<Hit> = of_four.chain(threes.iter().map(|at| hit(at[0], at[1]))).collect();
        hits.sort_unstable_by_key(|hit| hit.at);
        hits
    }

    #[test]
    fn stretches_are_near_one_another_on_both_sides_or_not() {
        // Seven words in rows make a passage 35 long at most.
        #[rustfmt::skip]
        let table: &[(&str, &[[u32; 2]], &[[u32; 2]], bool)] = &[
            ("nothing",                     &[],                 &[],                         false),
            ("too little",                  &[[0, 0]],           &[],                         false),
            ("enough",                      &[[0, 0]],           &[[5, 9]],                   true),
            ("no four in a row",            &[],                 &[[0, 0], [5, 9], [10, 20]], false),
            ("the same words twice",        &[[0, 0], [0, 9]],   &[],                         false),
            ("as far as it may be",         &[[0, 0]],           &[[35, 9]],                  true),
            ("too far on the left",         &[[0, 0]],           &[[36, 9]],                  false),
            ("in another order",            &[[0, 35]],          &[[9, 0]],                   true),
            ("too far on the right",        &[[0, 36]],          &[[9, 0]],                   false),
            ("three of which two are near", &[[0, 0], [60, 60]], &[[64, 64]],                 true),
            ("three too far from another",  &[[0, 0]],           &[[50, 50], [99, 99]],       false),
        ];
        let words: Vec<u32> = (0..200).collect();
        for (why, fours, threes, want) in table {
            assert_eq!(may_have_passage(&rows(fours, threes), &words, &words), *want, "{why}");
        }
        let many: Vec<Hit> = (0..=place(MOST)).map(|k| hit(k, 0)).collect();
        assert!(may_have_passage(&many, &words, &words), "too many to look at");
    }

    #[test]
    fn different_words_are_counted_once() {
        let row = |length: u32| (0..length).map(|k| hit(k, k)).collect::<Vec<_>>();
        let same = [0; 40];
        assert!(may_have_passage(&row(4), &same, &same), "six in a row");
        assert!(!may_have_passage(&row(3), &same, &same), "five, all the same");
        let words: Vec<u32> = (0..200).collect();
        let pieces = rows(&[[0, 0]], &[[30, 30]]);
        let repeated: Vec<u32> = (0..200).map(|word| word % 30).collect();
        assert!(!may_have_passage(&pieces, &repeated, &repeated), "four different ones");
        let others = |own: u32| -> Vec<u32> {
            let is_in_rows = |word: u32| word < 4 || (30..33).contains(&word) || word >= own;
            words.iter().map(|word| if is_in_rows(*word) { *word } else { 1000 + word }).collect()
        };
        // Slots are few: some words of right seem to be in left, so only sure cases are reported.
        assert!(may_have_passage(&pieces, &words, &others(24)));
        assert!(!may_have_passage(&pieces, &words, &[0, 1, 2, 3, 30, 31, 32]));
    }
}
