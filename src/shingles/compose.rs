//! The stems of a lexicon → the residues and checks of their windows, without reading a byte again.

use std::mem::{replace, take};
use std::ops::Range;

use super::group::ResidueBuffer;
use super::group::{BLOCK, Distributed};
use super::group::{Grouping, Members};
use super::{Ngrams, ShingleSet, Shingles};
use crate::interner::{Check, Multiplier, StemTable};
use crate::rabin::{self, Suffix};

/// Composes the same shingles as [`cut`](super::cut) from the residues of single stems,
/// which are places in `distinct`: a window is the one that was shorter by a stem, with
/// that stem appended. None reaches over a break, of which there is one before each of some
/// stems, increasing.
pub fn compose(stems: &[u32], breaks: &[usize], distinct: &StemTable, ngrams: Ngrams) -> Shingles {
    let mut windows = Windows::new(distinct, ngrams, Part::WHOLE, stems.len());
    windows.begin(Members::LEFT, stems.len());
    windows.compose(stems, breaks, 0..stems.len());
    let has_sizes = ngrams.min < ngrams.max;
    let parts = windows.into_parts();
    let count = parts.iter().map(ResidueBuffer::len).sum();
    let mut all = ShingleSet::with_capacity(if has_sizes { count } else { 0 });
    let mut longest = ShingleSet::with_capacity(count.min(stems.len()));
    let mut grouping = Grouping::default();
    for part in parts {
        grouping.each_distinct(&[&part], |residue, check, members| {
            if has_sizes {
                all.push(residue, check);
            }
            if members.is_longest_in(0) {
                longest.push(residue, check);
            }
        });
    }
    Shingles { all: has_sizes.then_some(all), longest }
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

/// The windows of one or two texts, as far as they were asked for.
pub struct Windows<'d> {
    distinct: &'d StemTable,
    /// How many stems at most stand behind the first of a window.
    reach: usize,
    ngrams: Ngrams,
    part: Part,
    /// In which texts the windows that are composed next stand.
    members: Members,
    /// The places seen as windows of one stem since [`begin`](Self::begin); nothing where all of
    /// those are taken.
    seen: Vec<bool>,
    found: Distributed,
    buffers: Buffers,
}

/// The buffers for a block, reused for the next.
#[derive(Default)]
struct Buffers {
    windows: Vec<u64>,
    checks: Vec<Check>,
    suffixes: Vec<Suffix>,
    stem_checks: Vec<Check>,
    kept: Vec<u64>,
    kept_checks: Vec<Check>,
}

impl<'d> Windows<'d> {
    /// Empty, for about as many windows of each size, of stems that are places in `distinct`.
    /// Only those that are in a part will be kept.
    pub fn new(distinct: &'d StemTable, ngrams: Ngrams, part: Part, windows: usize) -> Self {
        let are_seen = is_seen_worth_it(distinct, ngrams, windows);
        let sizes = ngrams.max - ngrams.min + 1 - usize::from(are_seen);
        Self {
            distinct,
            reach: reach(distinct, ngrams),
            ngrams,
            part,
            members: Members::BOTH,
            seen: Vec::new(),
            found: Distributed::with_capacity(windows.saturating_mul(sizes)),
            buffers: Buffers::default(),
        }
    }

    /// Sets in which texts the windows stand that are composed from now on, and about how many of each
    /// size.
    pub fn begin(&mut self, members: Members, windows: usize) {
        self.members = members;
        let are_seen = is_seen_worth_it(self.distinct, self.ngrams, windows);
        self.seen = vec![false; if are_seen { self.distinct.stems.len() } else { 0 }];
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

    /// The windows in two parts or more, a power of two, by the highest bits of their residues. Of
    /// as many windows to come there are as many parts.
    pub fn into_parts(self) -> Vec<ResidueBuffer> {
        self.found.into_parts()
    }

    /// Adds those that begin at the first of stems without a break.
    fn compose_unbroken(&mut self, stems: &[u32], first: usize) {
        let Ngrams { min, max } = self.ngrams;
        let multiplier = Multiplier::get();
        let mut buffers = take(&mut self.buffers);
        for (start, block) in (0..).step_by(BLOCK).zip(stems[..first].chunks(BLOCK)) {
            let Buffers { windows, checks, suffixes, stem_checks, kept, kept_checks } =
                &mut buffers;
            windows.clear();
            suffixes.clear();
            stem_checks.clear();
            // At once, where a short text would make them grow step by step.
            windows.reserve(block.len() + self.reach);
            suffixes.reserve(block.len() + self.reach);
            stem_checks.reserve(block.len() + self.reach);
            for place in stems[start..].iter().take(block.len() + self.reach) {
                let stem = self.distinct.stems[*place as usize];
                windows.push(stem.residue());
                suffixes.push(stem.suffix);
                stem_checks.push(stem.check);
            }
            windows.truncate(block.len());
            // A window that has come to the end takes what there is.
            suffixes.resize(block.len() + self.reach, Suffix::default());
            stem_checks.resize(block.len() + self.reach, Check::default());
            checks.clear();
            checks.extend_from_slice(&stem_checks[..block.len()]);
            let more = self.more_of(block);
            lengthen(windows, checks, (suffixes, stem_checks), &more, multiplier);
            for n in 1..=max {
                if n > 1 {
                    append(windows, suffixes, n - 1, &more);
                    append_checks(checks, stem_checks, n - 1, &more, multiplier);
                }
                if n < min {
                    continue;
                }
                let there = (stems.len() + 1).saturating_sub(start + n).min(block.len());
                let there = (&windows[..there], &checks[..there]);
                let members = if n == max { self.members.longest() } else { self.members };
                if n == 1 && !self.seen.is_empty() {
                    self.keep_unseen(block, there, &more, (kept, kept_checks));
                    self.found.add(kept, kept_checks, members);
                } else if self.part == Part::WHOLE {
                    self.found.add(there.0, there.1, members);
                } else {
                    let of_part = |(window, _): &(&u64, &Check)| self.part.has(**window);
                    kept.clear();
                    kept_checks.clear();
                    for (window, check) in there.0.iter().zip(there.1).filter(of_part) {
                        kept.push(*window);
                        kept_checks.push(*check);
                    }
                    self.found.add(kept, kept_checks, members);
                }
            }
        }
        self.buffers = buffers;
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
    fn keep_unseen(
        &mut self,
        stems: &[u32],
        (windows, checks): (&[u64], &[Check]),
        more: &[u8],
        (kept, kept_checks): (&mut Vec<u64>, &mut Vec<Check>),
    ) {
        kept.clear();
        kept_checks.clear();
        for (at, (place, window)) in stems.iter().zip(windows).enumerate() {
            let was_seen = replace(&mut self.seen[*place as usize], true);
            let is_new = !was_seen || more.get(at).is_some_and(|more| *more > 0);
            if is_new && self.part.has(*window) {
                kept.push(*window);
                kept_checks.push(checks[at]);
            }
        }
    }
}

/// Whether stems are distinguished by their places, which is less work than sorting the windows
/// of one stem.
fn is_seen_worth_it(distinct: &StemTable, ngrams: Ngrams, windows: usize) -> bool {
    ngrams.min == 1 && ngrams.max > 1 && distinct.stems.len() / 8 <= windows
}

/// How many stems at most stand behind the first of a window.
pub fn reach(distinct: &StemTable, ngrams: Ngrams) -> usize {
    ngrams.max - 1 + usize::from(distinct.greatest_more())
}

/// Appends to each window of one stem what it has more.
fn lengthen(
    windows: &mut [u64],
    checks: &mut [Check],
    (suffixes, stem_checks): (&[Suffix], &[Check]),
    more: &[u8],
    multiplier: Multiplier,
) {
    for (at, more) in more.iter().enumerate() {
        for next in at + 1..=at + usize::from(*more) {
            windows[at] = rabin::append(windows[at], suffixes[next]);
            checks[at] = checks[at].then(stem_checks[next], multiplier);
        }
    }
}

/// Appends to the check of each window that of the stem at `behind` from its first, and
/// behind what it has more.
fn append_checks(
    checks: &mut [Check],
    stems: &[Check],
    behind: usize,
    more: &[u8],
    multiplier: Multiplier,
) {
    if more.is_empty() {
        for (check, next) in checks.iter_mut().zip(&stems[behind..]) {
            *check = check.then(*next, multiplier);
        }
        return;
    }
    for ((check, more), at) in checks.iter_mut().zip(more).zip(behind..) {
        *check = check.then(stems[at + usize::from(*more)], multiplier);
    }
}

/// Appends to each window the stem at `behind` from its first, and behind what it
/// has more.
fn append(windows: &mut [u64], suffixes: &[Suffix], behind: usize, more: &[u8]) {
    if more.is_empty() {
        return rabin::append_each(windows, &suffixes[behind..]);
    }
    let next = more.iter().zip(behind..).map(|(more, at)| suffixes[at + usize::from(*more)]);
    rabin::append_each(windows, &next.collect::<Vec<_>>());
}
