//! The stems of a lexicon → the residues of their windows, without reading a byte again.

use std::mem::{replace, take};
use std::ops::Range;

use super::gathered::{BLOCK, Gathered, Residues};
use super::{Ngrams, Shingles};
use crate::lexicon::Distinct;
use crate::rabin::{self, Suffix};

/// Composes the same shingles as [`cut`](super::cut) from the residues of single stems,
/// which are places in `distinct`: a window is the one that was shorter by a stem, with
/// that stem appended. None reaches over a break, of which there is one before each of some
/// stems, increasing.
pub fn compose(stems: &[u32], breaks: &[usize], distinct: &Distinct, ngrams: Ngrams) -> Shingles {
    let mut windows = Windows::new(distinct, ngrams, Part::WHOLE, stems.len());
    windows.compose(stems, breaks, 0..stems.len());
    let [low, high] = windows.into_halves();
    low.shingles(ngrams).followed_by(high.shingles(ngrams))
}

/// A part of a set: the residues whose lowest bits are a number.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Part {
    bits: u64,
    number: u64,
}

impl Part {
    /// All of it.
    pub const WHOLE: Self = Self { bits: 0, number: 0 };

    /// The parts of a set, as many as two to so high a power, below 64. No two have a residue in
    /// common.
    pub fn all(power: u32) -> impl Iterator<Item = Self> {
        (0..1 << power).map(move |number| Self { bits: (1 << power) - 1, number })
    }

    fn has(self, residue: u64) -> bool {
        residue & self.bits == self.number
    }
}

/// The windows of a text, as far as they were asked for.
pub struct Windows<'d> {
    distinct: &'d Distinct,
    /// How many stems at most stand behind the first of a window.
    reach: usize,
    ngrams: Ngrams,
    part: Part,
    /// The places seen as windows of one stem; nothing where all of those are taken.
    seen: Vec<bool>,
    /// The residues of all sizes but the greatest.
    shorter: Gathered,
    /// Those of the greatest.
    longest: Gathered,
    room: Room,
}

/// What a block takes, to be used again for the next.
#[derive(Default)]
struct Room {
    windows: Vec<u64>,
    suffixes: Vec<Suffix>,
    kept: Vec<u64>,
}

impl<'d> Windows<'d> {
    /// None yet of about so many to come for each size, of stems that are places in `distinct`.
    /// Only those that are in a part will be kept.
    pub fn new(distinct: &'d Distinct, ngrams: Ngrams, part: Part, windows: usize) -> Self {
        // Stems are told apart by their places where that is less work than sorting them all.
        let is_worth_it = ngrams.min == 1 && ngrams.max > 1 && distinct.stems.len() / 8 <= windows;
        let seen = vec![false; if is_worth_it { distinct.stems.len() } else { 0 }];
        let sizes = ngrams.max - ngrams.min - usize::from(is_worth_it);
        Self {
            distinct,
            reach: reach(distinct, ngrams),
            ngrams,
            part,
            seen,
            shorter: Gathered::with_room_for(windows.saturating_mul(sizes)),
            longest: Gathered::with_room_for(windows),
            room: Room::default(),
        }
    }

    /// Adds those that begin at some of the stems of a text.
    pub fn compose(
        &mut self,
        stems: &[u32],
        breaks: &[usize],
        Range { mut start, end }: Range<usize>,
    ) {
        while start < end {
            let behind = breaks.partition_point(|at| *at <= start);
            let stop = breaks.get(behind).copied().unwrap_or(stems.len());
            self.compose_unbroken(&stems[start..stop], end.min(stop) - start);
            start = stop;
        }
    }

    /// The residues with the highest bit 0, and those with it 1.
    pub fn into_halves(self) -> [Residues; 2] {
        Residues::halves(self.shorter, self.longest)
    }

    /// Adds those that begin at the first of stems without a break.
    fn compose_unbroken(&mut self, stems: &[u32], first: usize) {
        let Ngrams { min, max } = self.ngrams;
        let Room { mut windows, mut suffixes, mut kept } = take(&mut self.room);
        for (start, block) in (0..).step_by(BLOCK).zip(stems[..first].chunks(BLOCK)) {
            windows.clear();
            suffixes.clear();
            for place in stems[start..].iter().take(block.len() + self.reach) {
                let stem = self.distinct.stems[*place as usize];
                windows.push(stem.residue());
                suffixes.push(stem.suffix);
            }
            windows.truncate(block.len());
            // A window that has come to the end takes what there is.
            suffixes.resize(block.len() + self.reach, Suffix::default());
            let more = self.more_of(block);
            lengthen(&mut windows, &suffixes, &more);
            for n in 1..=max {
                if n > 1 {
                    append(&mut windows, &suffixes, n - 1, &more);
                }
                if n < min {
                    continue;
                }
                let there = (stems.len() + 1).saturating_sub(start + n).min(block.len());
                let there = &windows[..there];
                let chosen = if n == 1 && !self.seen.is_empty() {
                    self.keep_unseen(block, there, &more, &mut kept);
                    &kept
                } else if self.part == Part::WHOLE {
                    there
                } else {
                    kept.clear();
                    kept.extend(there.iter().filter(|it| self.part.has(**it)));
                    &kept
                };
                let size = if n == max { &mut self.longest } else { &mut self.shorter };
                size.add(chosen);
            }
        }
        self.room = Room { windows, suffixes, kept };
    }

    /// How many stems more than n a window has, for the windows of all stems; nothing where
    /// none has more.
    fn more_of(&self, stems: &[u32]) -> Vec<u8> {
        let known = &self.distinct.more;
        let more = |place: &u32| known.get(*place as usize).copied().unwrap_or_default();
        if known.is_empty() || stems.iter().all(|place| more(place) == 0) {
            return Vec::new();
        }
        stems.iter().map(more).collect()
    }

    /// Keeps of windows of one stem those of places that were not seen yet, and those that have
    /// more.
    fn keep_unseen(&mut self, stems: &[u32], windows: &[u64], more: &[u8], kept: &mut Vec<u64>) {
        kept.clear();
        for (at, (place, window)) in stems.iter().zip(windows).enumerate() {
            let was_seen = replace(&mut self.seen[*place as usize], true);
            let is_new = !was_seen || more.get(at).is_some_and(|more| *more > 0);
            if is_new && self.part.has(*window) {
                kept.push(*window);
            }
        }
    }
}

/// How many stems at most stand behind the first of a window.
pub fn reach(distinct: &Distinct, ngrams: Ngrams) -> usize {
    ngrams.max - 1 + usize::from(distinct.more.iter().copied().max().unwrap_or_default())
}

/// Appends to each window of one stem what it has more.
fn lengthen(windows: &mut [u64], suffixes: &[Suffix], more: &[u8]) {
    for ((window, more), following) in windows.iter_mut().zip(more).zip(1..) {
        for suffix in &suffixes[following..following + usize::from(*more)] {
            *window = rabin::append(*window, *suffix);
        }
    }
}

/// Appends to each window the stem that stands so many behind its first, and behind what it
/// has more.
fn append(windows: &mut [u64], suffixes: &[Suffix], behind: usize, more: &[u8]) {
    if more.is_empty() {
        return rabin::append_each(windows, &suffixes[behind..]);
    }
    let next = more.iter().zip(behind..).map(|(more, at)| suffixes[at + usize::from(*more)]);
    rabin::append_each(windows, &next.collect::<Vec<_>>());
}
