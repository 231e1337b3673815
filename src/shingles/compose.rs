//! The stems of a lexicon → the residues of their windows, without reading a byte again.

use std::mem::replace;

use super::{Ngrams, Shingles, distinct};
use crate::lexicon::Stem;
use crate::rabin::{self, Suffix};

/// Composes the same shingles as [`cut`](super::cut) from the residues of single stems,
/// which are places in `distinct`: a window is the one that was shorter by a stem, with
/// that stem appended. One that begins at one of the first places has as many more as
/// `more` has there. None reaches over a break, of which there is one before each of some
/// stems, increasing.
pub fn compose(
    stems: &[u32],
    breaks: &[usize],
    distinct: &[Stem],
    more: &[u8],
    ngrams: Ngrams,
) -> Shingles {
    compose_part(stems, breaks, distinct, more, ngrams, Part::WHOLE)
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

/// Composes only a part of the shingles.
pub fn compose_part(
    stems: &[u32],
    breaks: &[usize],
    distinct: &[Stem],
    more: &[u8],
    ngrams: Ngrams,
    part: Part,
) -> Shingles {
    // Stems are told apart by their places where that is less work than sorting them all.
    let is_worth_it = ngrams.min == 1 && ngrams.max > 1 && distinct.len() / 8 <= stems.len();
    let mut windows = Windows {
        distinct,
        more,
        reach: ngrams.max - 1 + usize::from(more.iter().copied().max().unwrap_or_default()),
        ngrams,
        part,
        seen: vec![false; if is_worth_it { distinct.len() } else { 0 }],
        shorter: Gathered::default(),
        longest: Gathered::default(),
    };
    let mut start = 0;
    for end in breaks.iter().copied().chain([stems.len()]) {
        windows.compose(&stems[start..end]);
        start = end;
    }
    if ngrams.min == ngrams.max {
        return Shingles::of_one_size(windows.longest.0);
    }
    Shingles::of_sizes(windows.shorter.0, windows.longest.0)
}

/// Stems whose windows are composed together, so that all that is needed of them is at hand.
const BLOCK: usize = 256;

/// The windows of a text, as far as it was read.
struct Windows<'d> {
    distinct: &'d [Stem],
    more: &'d [u8],
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
}

impl Windows<'_> {
    /// Adds those of stems without a break.
    fn compose(&mut self, stems: &[u32]) {
        let Ngrams { min, max } = self.ngrams;
        // Of single stems most have been seen.
        let single = usize::from(!self.seen.is_empty());
        self.shorter.reserve(stems.len().saturating_mul(max - min - single));
        self.longest.reserve(stems.len());
        let room = stems.len().min(BLOCK) + self.reach;
        let (mut windows, mut suffixes) = (Vec::with_capacity(room), Vec::with_capacity(room));
        let mut kept: Vec<u64> = Vec::new();
        for (start, block) in (0..).step_by(BLOCK).zip(stems.chunks(BLOCK)) {
            windows.clear();
            suffixes.clear();
            for place in stems[start..].iter().take(block.len() + self.reach) {
                let stem = self.distinct[*place as usize];
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
                if n == 1 && !self.seen.is_empty() {
                    self.add_unseen(block, &windows, &more);
                } else if n >= min {
                    let there = (stems.len() + 1).saturating_sub(start + n).min(block.len());
                    let size = if n == max { &mut self.longest } else { &mut self.shorter };
                    if self.part == Part::WHOLE {
                        size.add(&windows[..there]);
                        continue;
                    }
                    kept.clear();
                    kept.extend(windows[..there].iter().filter(|it| self.part.has(**it)));
                    size.add(&kept);
                }
            }
        }
    }

    /// How many stems more than n a window has, for the windows of all stems; nothing where
    /// none has more.
    fn more_of(&self, stems: &[u32]) -> Vec<u8> {
        let more = |place: &u32| self.more.get(*place as usize).copied().unwrap_or_default();
        if self.more.is_empty() || stems.iter().all(|place| more(place) == 0) {
            return Vec::new();
        }
        stems.iter().map(more).collect()
    }

    /// Adds windows of one stem, each place that was not seen yet once where there are no
    /// more.
    fn add_unseen(&mut self, stems: &[u32], windows: &[u64], more: &[u8]) {
        for (at, (place, window)) in stems.iter().zip(windows).enumerate() {
            let was_seen = replace(&mut self.seen[*place as usize], true);
            let is_new = !was_seen || more.get(at).is_some_and(|more| *more > 0);
            if is_new && self.part.has(*window) {
                self.shorter.add(&[*window]);
            }
        }
    }
}

/// Residues in any order; equal ones may be there more than once.
#[derive(Default)]
struct Gathered(Vec<u64>);

/// Residues from which on equal ones are looked for before all are there.
const MANY: usize = 1 << 20;

impl Gathered {
    /// Makes room for so many more, if they are not too many.
    fn reserve(&mut self, more: usize) {
        self.0.reserve(more.min(MANY));
    }

    /// Adds residues. Where there is no room left, equal ones go before more is made.
    fn add(&mut self, residues: &[u64]) {
        let is_full = self.0.len() + residues.len() > self.0.capacity();
        if is_full && self.0.len() >= MANY {
            let room = self.0.len();
            self.0 = distinct(std::mem::take(&mut self.0));
            // Half of it is to be free, so that this is not done for each of a few.
            self.0.reserve_exact(room.max(2 * self.0.len()) - self.0.len());
        }
        self.0.extend_from_slice(residues);
    }
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
