//! Stretches that two texts share → whether a passage may be around some of them.
//!
//! A passage has enough words in a row; or enough different ones of its words stand three or
//! more in a row, and it is at most six times as long as all that do are worth
//! ([`DENSITY_IN_ROWS`]). So it is within reach of the first of its stretches on both sides, and
//! how far that is follows from what the stretches within reach are worth, over and over. Nor
//! can it have enough different words where both texts do not have as many within reach.

use super::super::Least;
use super::super::choose::DENSITY_IN_ROWS;

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
pub(super) const MOST: usize = 64;

/// Slots of a table of words; two words may have one.
const SLOTS: usize = if cfg!(test) { 1 << 5 } else { 1 << 12 };

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

/// What is known of words while others are looked at; it is cleared by a new stamp.
pub(super) struct Marks {
    stamp: u32,
    /// For each different word of left when it was met.
    of_places: Vec<u32>,
    /// For each slot when a word of right with it was met.
    of_slots: Vec<u32>,
    /// How often each different word of left is in a window.
    counts: Vec<u32>,
}

impl Marks {
    pub(super) fn new() -> Self {
        Self { stamp: 0, of_places: Vec::new(), of_slots: vec![0; SLOTS], counts: Vec::new() }
    }

    /// Forgets all; for a left text of so many different words.
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
    pub(super) least: Least,
    /// What the word is worth that is worth least.
    pub(super) least_worth: usize,
}

impl Near<'_> {
    /// Whether a passage may be there. `right` are the numbers of its words: some of them from a
    /// place on. Quadratic in the stretches, of which there are [`MOST`].
    pub(super) fn may_have_passage<R: Iterator<Item = u32>>(
        &self,
        right: impl Fn(usize, usize) -> R,
        marks: &mut Marks,
    ) -> bool {
        if self.hits.is_empty() {
            return false;
        }
        if self.hits.len() > MOST {
            return true;
        }
        let (mut worth, different) = self.worth(0, usize::MAX, marks);
        if different < self.least.in_rows() {
            return self.is_in_a_row();
        }
        let mut firsts: Vec<usize> = (0..self.hits.len()).collect();
        loop {
            let reach = (worth * DENSITY_IN_ROWS / self.least_worth.max(1)).saturating_add(1);
            let mut most = 0;
            firsts.retain(|first| {
                let (worth, different) = self.worth(*first, reach, marks);
                let is_enough = different >= self.least.in_rows();
                most = if is_enough { worth.max(most) } else { most };
                is_enough
            });
            if firsts.is_empty() {
                return self.is_in_a_row();
            }
            if most == worth {
                return firsts.iter().any(|first| self.have_enough(*first, reach, &right, marks))
                    || self.is_in_a_row();
            }
            worth = most;
        }
    }

    /// Whether stretches next to one another on both sides are enough in a row.
    fn is_in_a_row(&self) -> bool {
        (0..self.hits.len()).any(|first| {
            let Hit { at: [left, right], mut end } = self.hits[first];
            for hit in &self.hits[first + 1..] {
                let is_same_diagonal = i64::from(hit.at[0]) - i64::from(left)
                    == i64::from(hit.at[1]) - i64::from(right);
                if is_same_diagonal && hit.at[0] <= end {
                    end = end.max(hit.end);
                }
            }
            let before = &self.left.before;
            before[end as usize] - before[left as usize] >= self.least.in_a_row()
        })
    }

    /// What the words of left are worth in the stretches from one on that are within reach of it,
    /// and what the different ones are.
    fn worth(&self, first: usize, reach: usize, marks: &mut Marks) -> (usize, usize) {
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
        marks: &mut Marks,
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
        let is_there = |marks: &Marks, at: usize| marks.of_slots[slot(numbers[at])] == marks.stamp;
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

    fn may_have_passage(hits: &[Hit], left: &[u32], right: &[u32]) -> bool {
        let left = Left {
            places: left.to_vec(),
            numbers: left.to_vec(),
            before: (0..=left.len()).map(|word| 4 * word).collect(),
        };
        // Nine words in a row, or 15 different ones of which six are in rows.
        let least = Least::new(9).unwrap();
        let near = Near { left: &left, hits, least, least_worth: 4 };
        let right = |from: usize, to: usize| right[from..to.min(right.len())].iter().copied();
        near.may_have_passage(right, &mut Marks::new())
    }

    fn hit(left: u32, right: u32) -> Hit {
        Hit { at: [left, right], end: left + 3 }
    }

    #[test]
    fn stretches_are_near_one_another_on_both_sides_or_not() {
        // Six words make a passage 36 long at most.
        #[rustfmt::skip]
        let table: &[(&str, &[Hit], bool)] = &[
            ("nothing",                     &[],                                      false),
            ("too little",                  &[hit(0, 0)],                             false),
            ("enough",                      &[hit(0, 0), hit(3, 9)],                  true),
            ("the same words twice",        &[hit(0, 0), hit(0, 9)],                  false),
            ("overlapping",                 &[hit(0, 0), hit(1, 1), hit(2, 2)],       false),
            ("as far as it may be",         &[hit(0, 0), hit(36, 9)],                 true),
            ("too far on the left",         &[hit(0, 0), hit(37, 9)],                 false),
            ("in another order",            &[hit(0, 36), hit(9, 0)],                 true),
            ("too far on the right",        &[hit(0, 37), hit(9, 0)],                 false),
            ("three of which two are near", &[hit(0, 0), hit(40, 40), hit(44, 44)],   true),
            ("three too far from another",  &[hit(0, 0), hit(50, 50), hit(100, 100)], false),
        ];
        let words: Vec<u32> = (0..200).collect();
        for (why, hits, want) in table {
            assert_eq!(may_have_passage(hits, &words, &words), *want, "{why}");
        }
        let many: Vec<Hit> = (0..65).map(|k| hit(k, 0)).collect();
        assert!(may_have_passage(&many, &words, &words), "too many to look at");
    }

    #[test]
    fn different_words_are_counted_once() {
        let row = |length: u32| (0..length).map(|k| hit(k, k)).collect::<Vec<_>>();
        let same = [0; 40];
        assert!(may_have_passage(&row(7), &same, &same), "nine in a row");
        assert!(!may_have_passage(&row(6), &same, &same), "eight, all the same");
        let words: Vec<u32> = (0..200).collect();
        let pieces = [hit(0, 0), hit(30, 30)];
        let repeated: Vec<u32> = (0..200).map(|word| word % 30).collect();
        assert!(!may_have_passage(&pieces, &repeated, &repeated), "three different ones");
        let others = |own: u32| -> Vec<u32> {
            let is_in_rows = |word: u32| word < 3 || (30..33).contains(&word) || word >= own;
            words.iter().map(|word| if is_in_rows(*word) { *word } else { 1000 + word }).collect()
        };
        // Slots are few: some words of right seem to be in left, so only sure cases are told.
        assert!(may_have_passage(&pieces, &words, &others(24)));
        assert!(!may_have_passage(&pieces, &words, &[0, 1, 2, 30, 31, 32]));
    }
}
