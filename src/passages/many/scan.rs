//! Finds the texts that a text may share a passage with.
//!
//! 1. Each position in another text at which a stretch of the text occurs adds the worth of the
//!    words of that stretch to the score of the other text. Each word between two stretches
//!    subtracts a sixteenth of its worth. In a passage, at least one word in five is in a stretch
//!    ([`DENSITY_IN_ROWS`]), and the four other words for each one subtract a quarter of its worth.
//!    So three quarters of the worth of the words in a row that a passage must have remain.
//! 2. For the texts that reach this score, the stretches are collected, and [`PassageTest`] examines them.

use std::ops::Range;

use super::index::{Index, MAX_STRETCHES, NO_STRETCH, Position, Texts};
use crate::interner::place;
use crate::passages::MinMatch;
use crate::passages::pair::WORD;
use crate::passages::rule::{DENSITY_IN_ROWS, MIN_ROW_WORTH};

/// The score of another text, in quarters of a word.
#[derive(Clone, Copy, Default)]
struct TextScore {
    /// The worth of the words of the text up to the end of the last stretch that both texts
    /// contain.
    end: u32,
    /// The worth of the words in these stretches, minus a part of the worth of the words between
    /// them. Once it is sufficient, nothing is subtracted any more.
    worth: u16,
    /// The number of these stretches.
    count: u16,
}

/// The divisor for a word between two stretches: it subtracts its worth divided by this.
const LOSS_DIVISOR: u32 = 16;

/// The number of texts that are processed together: as many as have their scores in the processor
/// caches.
const TEXTS_PER_BLOCK: usize = if cfg!(test) { 2 } else { 1 << 15 };

/// A stretch of the text that others contain as well.
#[derive(Clone, Copy)]
pub(super) struct Stretch<'p> {
    pub(super) at: u32,
    /// The end of its last word, or of the word after it if that [may be part of the
    /// run](QueryWords::end).
    pub(super) end: u32,
    /// The positions in other texts, in order.
    pub(super) places: &'p [Position],
}

/// Buffers that are reused from one text to the next.
pub(super) struct Scan {
    min_match: MinMatch,
    /// The score of each text of a block.
    met: Vec<TextScore>,
    /// For each text of a block, the place in `hits` for its next stretch; 0 if its score is not
    /// sufficient.
    cursors: Vec<u32>,
    /// The stretches that the texts with a sufficient score share with the text, one text after
    /// another, in the order of the words of the text. Those of all other texts overwrite each
    /// other in the first place, so that no branch is needed.
    hits: Vec<SharedStretch>,
    marks: WordMarks,
}

/// The information that is available on the words of the other texts.
#[derive(Clone, Copy)]
pub(super) enum OtherWords<'t> {
    /// All of them.
    Known(&'t Texts),
    /// Only the smallest worth of any word, in quarters of a word.
    LeastWorth(usize),
}

impl<'t> OtherWords<'t> {
    fn known(self) -> Option<&'t Texts> {
        if let Self::Known(texts) = self { Some(texts) } else { None }
    }

    /// Returns the smallest worth of any word of a text, or a lower bound on it.
    fn least_worth(self, text: u32) -> usize {
        match self {
            Self::Known(texts) => texts.least_worth(text),
            Self::LeastWorth(least) => least,
        }
    }
}

/// A search, for one text of an index after another, for the texts that it may share a passage
/// with.
pub(super) struct CandidateFinder<'i> {
    index: &'i Index<'i>,
    scan: Scan,
    left: QueryWords,
}

impl<'i> CandidateFinder<'i> {
    pub(super) fn new(index: &'i Index<'i>) -> Self {
        let scan = Scan::new(index.texts.len(), index.min_match);
        Self { index, scan, left: QueryWords::default() }
    }

    /// Returns the texts from number `first` on that a text may share a passage with, in increasing
    /// order and without the text itself. The cost is that of reading the positions of its
    /// stretches in those texts twice.
    pub(super) fn texts(&mut self, text: u32, first: u32) -> Vec<u32> {
        self.read(text);
        let mut found: Vec<u32> = self.equal(text, first).collect();
        let (stretches, texts) = (self.stretches(text, first), self.index.texts);
        let range = first..place(texts.len());
        self.scan.among(range, &self.left, stretches, OtherWords::Known(texts), &mut found);
        found.retain(|other| *other != text);
        found.sort_unstable();
        found.dedup();
        found
    }

    /// Loads the words of a text.
    fn read(&mut self, text: u32) {
        let texts = self.index.texts;
        let QueryWords { places, numbers, before, least_worth } = &mut self.left;
        *least_worth = texts.least_worth(text);
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

    /// Returns the stretches of a text that texts from number `first` on contain as well, in order.
    fn stretches(&self, text: u32, first: u32) -> Vec<Stretch<'i>> {
        let index = self.index;
        let lengths = index.lengths(text);
        let numbers = &index.stretches[index.texts.range(text)];
        let mut all = Vec::with_capacity(numbers.len());
        for (at, number) in numbers.iter().enumerate().filter(|(_, number)| **number != NO_STRETCH)
        {
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

    /// Returns the texts from number `first` on that consist of the same words.
    fn equal(&self, text: u32, first: u32) -> impl Iterator<Item = u32> {
        let whole = &self.index.whole;
        let hash = self.index.hash_of(text);
        let from = whole.partition_point(|known| *known < (hash, first));
        whole[from..].iter().take_while(move |known| known.0 == hash).map(|known| known.1)
    }
}

impl Scan {
    pub(super) fn new(texts: usize, min_match: MinMatch) -> Self {
        Self {
            min_match,
            met: vec![TextScore::default(); TEXTS_PER_BLOCK.min(texts)],
            cursors: vec![0; TEXTS_PER_BLOCK.min(texts)],
            hits: Vec::new(),
            marks: WordMarks::new(),
        }
    }

    /// Adds the texts of a range that `left` may share a passage with, according to the stretches
    /// that they have in common. If the words of the other texts are not known, a few more texts are
    /// added.
    pub(super) fn among(
        &mut self,
        range: Range<u32>,
        left: &QueryWords,
        mut stretches: Vec<Stretch>,
        others: OtherWords,
        found: &mut Vec<u32>,
    ) {
        for start in range.step_by(TEXTS_PER_BLOCK) {
            self.block(start, left, &mut stretches, others, found);
        }
    }

    /// Adds the texts of one block, and removes their positions from the stretches.
    fn block(
        &mut self,
        start: u32,
        left: &QueryWords,
        rest: &mut Vec<Stretch>,
        others: OtherWords,
        found: &mut Vec<u32>,
    ) {
        let enough = u16::try_from(self.least_gain()).unwrap_or(u16::MAX);
        let behind = start.saturating_add(place(TEXTS_PER_BLOCK));
        let mut all: Vec<Stretch> = Vec::with_capacity(rest.len());
        rest.retain_mut(|stretch| {
            // Most lists end in the block, and need not be searched.
            let ends_here = stretch.places.last().is_some_and(|last| last.text < behind);
            let count = if ends_here {
                stretch.places.len()
            } else {
                stretch.places.partition_point(|other| other.text < behind)
            };
            let (places, rest) = stretch.places.split_at(count);
            let range = [stretch.at, stretch.end].map(|at| place(left.before[at as usize]));
            add_to_scores(&mut self.met, start, places, range, enough);
            if count > 0 {
                all.push(Stretch { places, ..*stretch });
            }
            stretch.places = rest;
            !rest.is_empty()
        });
        let (mut near, mut next) = (Vec::new(), 1);
        for (other, met) in self.met.iter().enumerate().filter(|(_, met)| met.worth >= enough) {
            if met.count > MAX_STRETCHES {
                found.push(start + place(other));
                continue;
            }
            self.cursors[other] = next;
            let end = next + u32::from(met.count);
            near.push((start + place(other), next..end));
            next = end;
        }
        self.met.fill(TextScore::default());
        self.collect(start, &all, next as usize);
        for (other, hits) in near {
            self.cursors[(other - start) as usize] = 0;
            if self.may_share_a_passage(other, hits, left, others) {
                found.push(other);
            }
        }
    }

    /// Returns the minimum score of a text that shares a passage, after the subtractions for the
    /// words between stretches.
    fn least_gain(&self) -> usize {
        let (loss, between) = (LOSS_DIVISOR as usize, DENSITY_IN_ROWS - 1);
        self.min_match.in_a_row() * (loss - between) / loss
    }

    /// Reports whether `left` may share a passage with another text, according to the stretches
    /// that were collected for it.
    fn may_share_a_passage(
        &mut self,
        other: u32,
        hits: Range<u32>,
        left: &QueryWords,
        others: OtherWords,
    ) -> bool {
        let hits = &self.hits[hits.start as usize..hits.end as usize];
        let least_worth = left.least_worth.min(others.least_worth(other));
        let near = PassageTest { left, hits, min_match: self.min_match, least_worth };
        let right = others.known().map(|texts| {
            let (own, places) = (texts.own(other), texts.places(other));
            move |from: usize, to: usize| {
                places[from..to.min(places.len())].iter().map(|word| own[*word as usize].number)
            }
        });
        near.may_have_passage(right.as_ref(), &mut self.marks)
    }

    /// Collects the stretches of the texts of a block by their cursors, in `places` places.
    fn collect(&mut self, start: u32, all: &[Stretch], places: usize) {
        let none = SharedStretch { at: [0, 0], end: 0 };
        self.hits.resize(self.hits.len().max(places), none);
        let (hits, cursors) = (self.hits.as_mut_slice(), self.cursors.as_mut_slice());
        for Stretch { at, end, places } in all {
            for other in *places {
                let cursor = &mut cursors[(other.text - start) as usize];
                hits[*cursor as usize] = SharedStretch { at: [*at, other.at], end: *end };
                *cursor += u32::from(*cursor != 0);
            }
        }
    }
}

/// Adds a stretch to the scores of the texts that contain it. `at` and `end` are the worth of the
/// words before the stretch and up to its end. A score of `enough` no longer decreases.
fn add_to_scores(
    met: &mut [TextScore],
    start: u32,
    places: &[Position],
    [at, end]: [u32; 2],
    enough: u16,
) {
    for other in places {
        // Without branches, which would be unpredictable.
        let met = &mut met[(other.text - start) as usize];
        let loss = if met.worth < enough { at.saturating_sub(met.end) } else { 0 };
        let gain = end.saturating_sub(at.max(met.end));
        let worth = u32::from(met.worth).saturating_sub(loss / LOSS_DIVISOR) + gain;
        met.worth = u16::try_from(worth).unwrap_or(u16::MAX);
        met.end = met.end.max(end);
        met.count = met.count.saturating_add(1);
    }
}

// Decides whether a passage may be around some of the stretches that two texts share.
//
// A passage has enough words in a row; or it has enough different words in rows of three or more,
// one row has four or more ([`MIN_ROW_WORTH`]), and the passage is at most five times as long as all its rows
// are worth ([`DENSITY_IN_ROWS`]). In the second case, it is within reach of the first of its
// stretches on both sides. The reach follows from the worth of the stretches within reach, and is
// reduced repeatedly until it no longer changes. Also, a passage cannot have enough different words
// if the two texts do not have as many in common within reach.

/// A stretch that both texts contain.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) struct SharedStretch {
    /// The position of its first word in left and in right.
    pub(super) at: [u32; 2],
    /// The end of its last word in left, or of the word after it if that may be part of the run.
    pub(super) end: u32,
}

/// The number of slots in a table of words; several words may have the same slot.
const WORD_SLOTS: usize = if cfg!(test) { 1 << 9 } else { 1 << 12 };

/// A text that others are compared with.
#[derive(Clone, Debug, Default)]
pub(super) struct QueryWords {
    /// Its words, as indices of its distinct words.
    pub(super) places: Vec<u32>,
    /// Its words, by numbers that are the same in all texts; empty if the words of other texts are
    /// not known.
    pub(super) numbers: Vec<u32>,
    /// The worth of the words before each word, in quarters of a word, and of all words.
    pub(super) before: Vec<usize>,
    /// The smallest worth of any word, in quarters of a word.
    pub(super) least_worth: usize,
}

impl QueryWords {
    /// Returns the end of a stretch. It includes one more word if that may be part of the run
    /// without beginning a stretch in it: a last letter that is not worth a word.
    pub(super) fn end(&self, end: usize) -> u32 {
        let before = &self.before;
        let is_letter = before.get(end + 1).is_some_and(|next| next - before[end] < WORD);
        place(end + usize::from(is_letter))
    }
}

/// Marks of words. A mark is valid if it equals the stamp, so that all marks are cleared by a new
/// stamp.
pub(super) struct WordMarks {
    stamp: u32,
    /// For each distinct word of left, the stamp when it was last met.
    of_places: Vec<u32>,
    /// For each slot, the stamp when a word of right in it was last met.
    of_slots: Vec<u32>,
    /// For each distinct word of left, the number of its occurrences in a window.
    counts: Vec<u32>,
    /// For each stretch, the position in left at which its row begins.
    starts: Vec<u32>,
}

impl WordMarks {
    pub(super) fn new() -> Self {
        Self {
            stamp: 0,
            of_places: Vec::new(),
            of_slots: vec![0; WORD_SLOTS],
            counts: Vec::new(),
            starts: Vec::new(),
        }
    }

    /// Clears all marks, and makes space for a left text of `different` distinct words.
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

/// Some stretches of two texts, in the order of left, and the minimum size of a passage around
/// them.
pub(super) struct PassageTest<'a> {
    pub(super) left: &'a QueryWords,
    pub(super) hits: &'a [SharedStretch],
    pub(super) min_match: MinMatch,
    /// The smallest worth of any word of both texts, in quarters of a word.
    pub(super) least_worth: usize,
}

impl PassageTest<'_> {
    /// Reports whether there may be a passage. `right` returns the numbers of the words of right
    /// from one position to another; `None` if they are not known. The cost is quadratic in the
    /// number of stretches, at most [`MAX_STRETCHES`].
    pub(super) fn may_have_passage<R: Iterator<Item = u32>>(
        &self,
        right: Option<&impl Fn(usize, usize) -> R>,
        marks: &mut WordMarks,
    ) -> bool {
        let longest = self.longest_row(marks);
        if longest < MIN_ROW_WORTH || longest >= self.min_match.in_a_row() {
            return longest >= self.min_match.in_a_row();
        }
        let (mut worth, different) = self.worth(0, usize::MAX, marks);
        if different < self.min_match.in_a_row() {
            return false;
        }
        let mut firsts: Vec<usize> = (0..self.hits.len()).collect();
        loop {
            let reach = (worth * DENSITY_IN_ROWS / self.least_worth.max(1)).saturating_add(1);
            let mut most = 0;
            firsts.retain(|first| {
                let (worth, different) = self.worth(*first, reach, marks);
                let is_enough = different >= self.min_match.in_a_row();
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

    /// Returns the worth of the longest row, which is a run of words that both texts contain. There
    /// is a hit for every position in the row from which a stretch is within the row.
    fn longest_row(&self, marks: &mut WordMarks) -> usize {
        let starts = &mut marks.starts;
        starts.clear();
        starts.extend(self.hits.iter().map(|hit| hit.at[0]));
        let (mut next, mut longest) = (0, 0);
        for (hit, SharedStretch { at, end }) in self.hits.iter().enumerate() {
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

    /// Returns the worth of the words of left in the stretches from `first` on that are within
    /// reach of it, and the worth of the different ones among them.
    fn worth(&self, first: usize, reach: usize, marks: &mut WordMarks) -> (usize, usize) {
        let QueryWords { places, before, .. } = self.left;
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

    /// Reports whether, among the words of left around a stretch, as many words in a row as are
    /// within reach contain enough different words that are also within reach of the stretch in
    /// right.
    fn have_enough<R: Iterator<Item = u32>>(
        &self,
        first: usize,
        reach: usize,
        right: impl Fn(usize, usize) -> R,
        marks: &mut WordMarks,
    ) -> bool {
        let QueryWords { places, numbers, before, .. } = self.left;
        marks.clear(places.len());
        let [left, at_right] = self.hits[first].at.map(|at| at as usize);
        let slot = |number: u32| number.wrapping_mul(0x9e37_79b1) as usize >> 7 & (WORD_SLOTS - 1);
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
        most >= self.min_match.different()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn may_have_passage(hits: &[SharedStretch], left: &[u32], right: &[u32]) -> bool {
        let left = QueryWords {
            places: left.to_vec(),
            numbers: left.to_vec(),
            before: (0..=left.len()).map(|word| 4 * word).collect(),
            least_worth: 4,
        };
        // Six words in a row; or ten different ones, of which six are in rows, one of these of four
        // words.
        let min_match = MinMatch::new(6).unwrap();
        let near = PassageTest { left: &left, hits, min_match, least_worth: 4 };
        let right = |from: usize, to: usize| right[from..to.min(right.len())].iter().copied();
        near.may_have_passage(Some(&right), &mut WordMarks::new())
    }

    fn hit(left: u32, right: u32) -> SharedStretch {
        SharedStretch { at: [left, right], end: left + 3 }
    }

    /// Returns rows of four and of three words.
    fn rows(fours: &[[u32; 2]], threes: &[[u32; 2]]) -> Vec<SharedStretch> {
        let of_four = fours.iter().flat_map(|at| [hit(at[0], at[1]), hit(at[0] + 1, at[1] + 1)]);
        let mut hits: Vec<SharedStretch> =
            of_four.chain(threes.iter().map(|at| hit(at[0], at[1]))).collect();
        hits.sort_unstable_by_key(|hit| hit.at);
        hits
    }

    #[test]
    fn stretches_are_near_one_another_on_both_sides_or_not() {
        // Seven words in rows make a passage of at most 35 words.
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
        // There are few slots, so some words of right seem to be in left; only cases without doubt
        // are tested.
        assert!(may_have_passage(&pieces, &words, &others(24)));
        assert!(!may_have_passage(&pieces, &words, &[0, 1, 2, 3, 30, 31, 32]));
    }
}
