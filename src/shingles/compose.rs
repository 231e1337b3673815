//! Composes the residues and checks of windows from those of single stems, without reading a byte
//! again.

use std::borrow::Cow;
use std::mem::{replace, take};
use std::ops::Range;

use super::{Ngrams, ShingleSet, Shingles, Variety};
use crate::interner::{Check, Multiplier, StemTable};
use crate::rabin::{self, Suffix};

/// Composes the same shingles as [`cut`](super::cut) from the residues of single stems, which are
/// indices into `distinct`: a window is the window that is shorter by one stem, with that stem
/// appended. No window spans a break. `breaks` are the indices of the stems that follow one,
/// increasing.
pub fn compose(stems: &[u32], breaks: &[usize], distinct: &StemTable, ngrams: Ngrams) -> Shingles {
    let shingles = sets(stems, breaks, distinct, ngrams);
    let of_text = |range| Cow::Borrowed(&stems[range]);
    let of_longest = (shingles.longest.len(), ngrams);
    let variety = Variety::of_stems((stems.len(), breaks), of_text, distinct, of_longest);
    Shingles { variety, ..shingles }
}

/// Same as [`compose`], but for the variety of the words, which is not determined.
pub(super) fn sets(
    stems: &[u32],
    breaks: &[usize],
    distinct: &StemTable,
    ngrams: Ngrams,
) -> Shingles {
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
    Shingles { all: has_sizes.then_some(all), longest, variety: Variety::default() }
}

/// A part of a set: the residues whose lowest bits are a given number.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Part {
    bits: u64,
    number: u64,
}

impl Part {
    /// The entire set.
    pub const WHOLE: Self = Self { bits: 0, number: 0 };

    /// Returns the 2^`power` parts of a set; `power` must be below 64. No two parts have a residue
    /// in common.
    pub fn all(power: u32) -> impl Iterator<Item = Self> {
        (0..1 << power).map(move |number| Self { bits: (1 << power) - 1, number })
    }

    fn has(self, residue: u64) -> bool {
        residue & self.bits == self.number
    }
}

/// The windows of one or two texts, as far as they were requested.
pub struct Windows<'d> {
    distinct: &'d StemTable,
    /// The largest number of stems after the first stem of a window.
    reach: usize,
    ngrams: Ngrams,
    part: Part,
    /// The texts that contain the windows that are composed next.
    members: Members,
    /// For each stem, whether it has been a window of one stem since [`begin`](Self::begin); empty
    /// if all windows of one stem are collected.
    seen: Vec<bool>,
    found: PartitionedWindows,
    buffers: Buffers,
}

/// The buffers for a block of windows, reused for the next block.
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
    /// Creates an empty collection with capacity for about `windows` windows of each size. Stems
    /// are indices into `distinct`. Only windows in `part` will be kept.
    pub fn new(distinct: &'d StemTable, ngrams: Ngrams, part: Part, windows: usize) -> Self {
        let are_seen = should_dedup_by_index(distinct, ngrams, windows);
        let sizes = ngrams.max - ngrams.min + 1 - usize::from(are_seen);
        Self {
            distinct,
            reach: reach(distinct, ngrams),
            ngrams,
            part,
            members: Members::BOTH,
            seen: Vec::new(),
            found: PartitionedWindows::with_capacity(windows.saturating_mul(sizes)),
            buffers: Buffers::default(),
        }
    }

    /// Sets the texts that contain the windows that are composed from now on, and about how many of
    /// each size there will be.
    pub fn begin(&mut self, members: Members, windows: usize) {
        self.members = members;
        let are_seen = should_dedup_by_index(self.distinct, self.ngrams, windows);
        self.seen = vec![false; if are_seen { self.distinct.stems.len() } else { 0 }];
    }

    /// Adds the windows that begin at a range of the stems of a text.
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

    /// Returns the windows in two parts or more, a power of two, by the highest bits of their
    /// residues. Collections that were created for the same number of windows have the same number
    /// of parts.
    pub fn into_parts(self) -> Vec<ResidueBuffer> {
        self.found.into_parts()
    }

    /// Adds the windows that begin at the `first` first stems of a stretch without a break.
    fn compose_unbroken(&mut self, stems: &[u32], first: usize) {
        let Ngrams { min, max } = self.ngrams;
        let multiplier = Multiplier::get();
        let mut buffers = take(&mut self.buffers);
        for (start, block) in
            (0..).step_by(WINDOWS_PER_BLOCK).zip(stems[..first].chunks(WINDOWS_PER_BLOCK))
        {
            let Buffers { windows, checks, suffixes, stem_checks, kept, kept_checks } =
                &mut buffers;
            windows.clear();
            suffixes.clear();
            stem_checks.clear();
            // All at once, because otherwise they would grow step by step for a short text.
            let length = block.len() + self.reach;
            windows.reserve(length);
            suffixes.reserve(length);
            stem_checks.reserve(length);
            for place in stems[start..].iter().take(length) {
                let stem = self.distinct.stems[*place as usize];
                windows.push(stem.residue());
                suffixes.push(stem.suffix);
                stem_checks.push(stem.check);
            }
            windows.truncate(block.len());
            // A window that reaches the end consists of the stems that are left.
            suffixes.resize(length, Suffix::default());
            stem_checks.resize(length, Check::default());
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

    /// Returns for each stem by how many stems the windows that begin with it are longer than n;
    /// empty if none is longer.
    fn more_of(&self, stems: &[u32]) -> Vec<u8> {
        let more = |place: &u32| self.distinct.letter(*place as usize).more;
        if self.distinct.letters.is_empty() || stems.iter().all(|place| more(place) == 0) {
            return Vec::new();
        }
        stems.iter().map(more).collect()
    }

    /// Keeps those windows of one stem whose stem has not been seen yet, and those that have
    /// additional stems.
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

/// Reports whether windows of one stem should be deduplicated by the indices of their stems, which
/// is less work than sorting them.
fn should_dedup_by_index(distinct: &StemTable, ngrams: Ngrams, windows: usize) -> bool {
    ngrams.min == 1 && ngrams.max > 1 && distinct.stems.len() / 8 <= windows
}

/// Returns the largest number of stems after the first stem of a window.
pub fn reach(distinct: &StemTable, ngrams: Ngrams) -> usize {
    ngrams.max - 1 + usize::from(distinct.greatest_more())
}

/// Appends to each window of one stem its additional stems.
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

/// Appends to the check of each window that of the stem `behind` places after its first stem, not
/// counting its additional stems.
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

/// Appends to each window the stem `behind` places after its first stem, not counting its
/// additional stems.
fn append(windows: &mut [u64], suffixes: &[Suffix], behind: usize, more: &[u8]) {
    if more.is_empty() {
        return rabin::append_each(windows, &suffixes[behind..]);
    }
    let next = more.iter().zip(behind..).map(|(more, at)| suffixes[at + usize::from(*more)]);
    rabin::append_each(windows, &next.collect::<Vec<_>>());
}

// From windows in any order to the distinct ones, in the order of their residues.
//
// They are sorted by their residues only, the lowest bits of which are replaced by the index of
// each window: sorting residues together with their checks takes half as long again.

/// A window: its residue, and the [bits](crate::interner::Check::bits) of its check above those of
/// its [`Members`]. It takes twelve bytes; a number of 64 bits and one of 32 would take sixteen.
#[derive(Clone, Copy, Debug)]
pub(super) struct Window {
    high: u32,
    low: u32,
    mark: u32,
}

impl Window {
    #[expect(clippy::cast_possible_truncation, reason = "the two halves of a residue")]
    pub(super) fn new(residue: u64, mark: u32) -> Self {
        Self { high: (residue >> 32) as u32, low: residue as u32, mark }
    }

    pub(super) fn residue(self) -> u64 {
        u64::from(self.high) << 32 | u64::from(self.low)
    }

    fn mark(self) -> u32 {
        self.mark
    }
}

/// Windows in any order, possibly with duplicates.
#[derive(Clone, Debug, Default)]
pub struct ResidueBuffer {
    pub(super) windows: Vec<Window>,
}

impl ResidueBuffer {
    pub(super) fn with_capacity(windows: usize) -> Self {
        Self { windows: Vec::with_capacity(windows) }
    }

    pub(super) fn len(&self) -> usize {
        self.windows.len()
    }
}

/// The sets that a window is a member of: the set of all sizes and the set of the greatest size,
/// each of the left and of the right text.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Members(u32);

impl Members {
    /// The number of bits, which are stored below those of a check.
    const BITS: u32 = 4;

    /// The number of different values.
    pub const COUNT: usize = 1 << Self::BITS;

    /// The bits of the sets of all sizes, of left and of right.
    const ALL: [u32; 2] = [1, 2];

    /// The bits of the sets of the greatest size, of left and of right.
    const LONGEST: [u32; 2] = [4, 8];

    /// The sets of a window that is in the left text only.
    pub const LEFT: Self = Self(Self::ALL[0]);

    /// The sets of a window that is in the right text only.
    pub const RIGHT: Self = Self(Self::ALL[1]);

    /// The sets of a window that is in both texts.
    pub const BOTH: Self = Self(Self::ALL[0] | Self::ALL[1]);

    /// Returns the same texts for a window of the greatest size.
    #[must_use]
    pub const fn longest(self) -> Self {
        Self(self.0 | self.0 << 2)
    }

    /// Reports whether a window is in the left (0) or the right (1) text.
    pub fn is_in(self, side: usize) -> bool {
        self.0 & Self::ALL[side] != 0
    }

    /// Reports whether a window is in the left (0) or the right (1) text and of the greatest size.
    pub fn is_longest_in(self, side: usize) -> bool {
        self.0 & Self::LONGEST[side] != 0
    }

    /// Returns a number below [`COUNT`](Self::COUNT), which is different for different members.
    pub fn number(self) -> usize {
        self.0 as usize
    }

    /// Returns all members in the order of their [numbers](Self::number).
    pub fn all() -> impl Iterator<Item = Self> {
        (0..1 << Self::BITS).map(Self)
    }

    /// Packs the bits of a check and the members into one number.
    #[inline]
    fn mark(self, check: u32) -> u32 {
        check << Self::BITS | self.0
    }

    fn from_mark(mark: u32) -> Self {
        Self(mark & ((1 << Self::BITS) - 1))
    }
}

fn check_of(mark: u32) -> u32 {
    mark >> Members::BITS
}

/// The buffers that grouping needs, to be reused.
#[derive(Default)]
pub struct Grouping {
    windows: Vec<Window>,
    /// The residues, with their lowest bits replaced by the indices of their windows.
    sorted: Vec<u64>,
    /// The windows whose residues agree in all other bits.
    equal: Vec<(u64, u32)>,
}

impl Grouping {
    /// Calls `each` with the residue of each distinct window, the bits of its check and all its
    /// members, in the order of residues and, among equal residues, of checks. Returns the number
    /// of windows that have the same residue as the distinct window before them.
    ///
    /// The cost is that of sorting the windows.
    pub fn each_distinct(
        &mut self,
        parts: &[&ResidueBuffer],
        each: impl FnMut(u64, u32, Members),
    ) -> usize {
        let Self { windows, sorted, equal } = self;
        if let [part] = parts {
            return each_distinct(&part.windows, (sorted, equal), each);
        }
        windows.clear();
        for part in parts {
            windows.extend_from_slice(&part.windows);
        }
        each_distinct(windows, (sorted, equal), each)
    }
}

fn each_distinct(
    windows: &[Window],
    (sorted, equal): (&mut Vec<u64>, &mut Vec<(u64, u32)>),
    mut each: impl FnMut(u64, u32, Members),
) -> usize {
    let Some(last) = windows.len().checked_sub(1) else { return 0 };
    let place = last.checked_ilog2().map_or(0, |log| (2_u64 << log) - 1);
    sorted.clear();
    sorted.extend((0..=last).zip(windows).map(|(at, it)| it.residue() & !place | at as u64));
    sorted.sort_unstable();
    let window = |sorted: &u64| {
        let window = windows[usize::try_from(sorted & place).unwrap_or_default()];
        (window.residue(), window.mark())
    };
    let mut collisions = 0;
    let mut rest = sorted.as_slice();
    while let Some(first) = rest.first() {
        let (residue, mark) = window(first);
        let (mut all, mut is_one, mut count) = (mark, true, 1);
        while let Some(next) = rest.get(count).filter(|next| (*next ^ first) & !place == 0) {
            let (other, other_mark) = window(next);
            is_one &= other == residue && check_of(other_mark) == check_of(mark);
            all |= other_mark;
            count += 1;
        }
        if is_one {
            each(residue, check_of(mark), Members::from_mark(all));
        } else {
            equal.clear();
            equal.extend(rest[..count].iter().map(window));
            equal.sort_unstable();
            let same = |one: &(u64, u32), next: &(u64, u32)| {
                one.0 == next.0 && check_of(one.1) == check_of(next.1)
            };
            let mut before = None;
            for equal in equal.chunk_by(same) {
                collisions += usize::from(before == Some(equal[0].0));
                before = Some(equal[0].0);
                let all = equal.iter().fold(0, |all, (_, mark)| all | mark);
                each(equal[0].0, check_of(equal[0].1), Members::from_mark(all));
            }
        }
        rest = &rest[count..];
    }
    collisions
}

// The windows of stems, distributed to parts by the highest bits of their residues.

impl ResidueBuffer {
    /// Returns the distinct windows, each with all its members.
    fn distinct(&self, grouping: &mut Grouping) -> Self {
        let mut distinct = Self::default();
        grouping.each_distinct(&[self], |residue, check, members| {
            distinct.windows.push(Window::new(residue, members.mark(check)));
        });
        distinct
    }
}

/// The largest number of windows that are composed together; all are of one size.
const WINDOWS_PER_BLOCK: usize = 256;

/// Windows in at least two parts, the number of which is a power of two, in the order of the
/// highest bits of their residues.
pub(super) struct PartitionedWindows {
    parts: Vec<ResidueBuffer>,
    /// The number of windows in each part above which its duplicates are removed.
    full: Vec<usize>,
    /// The number of bits by which a residue is shifted right to obtain the number of its part.
    shift: u32,
    grouping: Grouping,
}

/// The approximate number of windows in a part, chosen so that a part fits into the second-level
/// cache.
const WINDOWS_PER_PART: usize = 1 << 13;

/// The largest number of parts: the position in each that is written next should be in the
/// first-level cache.
const MAX_PARTS: usize = 1 << 6;

/// The number of windows from which duplicates are removed before all windows are collected.
const DEDUP_THRESHOLD: usize = 1 << 20;

impl PartitionedWindows {
    /// Creates an empty collection with capacity for `windows` windows, if they are not too many,
    /// in the number of parts that suits them.
    pub(super) fn with_capacity(windows: usize) -> Self {
        let count = (windows / WINDOWS_PER_PART).next_power_of_two().clamp(2, MAX_PARTS);
        // Parts hardly ever have exactly the same size.
        let capacity = (windows / count + windows / count / 16 + 16).min(DEDUP_THRESHOLD / count);
        Self {
            parts: (0..count).map(|_| ResidueBuffer::with_capacity(capacity)).collect(),
            full: vec![DEDUP_THRESHOLD / count; count],
            shift: u64::BITS - count.ilog2(),
            grouping: Grouping::default(),
        }
    }

    /// Adds windows, all with these members.
    fn add(&mut self, windows: &[u64], checks: &[Check], members: Members) {
        for (residue, check) in windows.iter().zip(checks) {
            let number = usize::try_from(residue >> self.shift).unwrap_or_default();
            self.parts[number].windows.push(Window::new(*residue, members.mark(check.bits())));
        }
        for (part, full) in self.parts.iter_mut().zip(&mut self.full) {
            if part.len() > *full {
                *part = part.distinct(&mut self.grouping);
                // Leave half of it free, so that duplicates are not removed again after a few
                // windows.
                *full = (*full).max(2 * part.len());
            }
        }
    }

    fn into_parts(self) -> Vec<ResidueBuffer> {
        self.parts
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;

    /// The definition: a map from residues and checks to members.
    fn naive(parts: &[ResidueBuffer]) -> Vec<(u64, u32, Members)> {
        let mut map: BTreeMap<(u64, u32), u32> = BTreeMap::new();
        for part in parts {
            for window in &part.windows {
                *map.entry((window.residue(), check_of(window.mark()))).or_default() |=
                    window.mark() & 15;
            }
        }
        map.into_iter().map(|((residue, check), all)| (residue, check, Members(all))).collect()
    }

    /// Counts the windows that have the same residue as the one before.
    fn collisions(grouped: &[(u64, u32, Members)]) -> usize {
        grouped.windows(2).filter(|two| two[0].0 == two[1].0).count()
    }

    fn grouped(parts: &[&ResidueBuffer]) -> Vec<(u64, u32, Members)> {
        let mut got = Vec::new();
        let mut grouping = Grouping::default();
        // What is left from an earlier use must not matter.
        grouping.each_distinct(parts, |_, _, _| ());
        let count = grouping
            .each_distinct(parts, |residue, check, members| got.push((residue, check, members)));
        assert_eq!(count, collisions(&got));
        got
    }

    #[test]
    fn members_are_of_either_text_and_size() {
        let sides = |members: Members| {
            [0, 1].map(|side| (members.is_in(side), members.is_longest_in(side)))
        };
        let (no, all, longest) = ((false, false), (true, false), (true, true));
        assert_eq!(sides(Members::LEFT), [all, no]);
        assert_eq!(sides(Members::RIGHT.longest()), [no, longest]);
        assert_eq!(sides(Members::BOTH.longest()), [longest, longest]);
        assert_eq!(
            Members::all().map(Members::number).collect::<Vec<_>>(),
            (0..16).collect::<Vec<_>>()
        );
    }

    #[test]
    fn windows_of_one_residue_are_counted() {
        #[rustfmt::skip]
        let table: &[(&str, &[(u64, u32)], usize)] = &[
            ("nothing",               &[],                                       0),
            ("one, twice",            &[(5, 1), (5, 1)],                         0),
            ("two checks",            &[(5, 1), (5, 2)],                         1),
            ("three, among others",   &[(4, 1), (5, 1), (5, 2), (5, 1), (5, 3)], 2),
            ("two residues of two",   &[(9, 1), (5, 1), (9, 2), (5, 2)],         2),
            ("near ones are no such", &[(4, 1), (5, 2), (6, 3)],                 0),
        ];
        for (why, windows, want) in table {
            let window =
                |(residue, check): &(u64, u32)| Window::new(*residue, Members::LEFT.mark(*check));
            let gathered = ResidueBuffer { windows: windows.iter().map(window).collect() };
            let count = Grouping::default().each_distinct(&[&gathered], |_, _, _| ());
            assert_eq!(count, *want, "{why}");
        }
    }

    proptest! {
        /// Few and many windows, residues that agree in their highest bits or in all bits, one
        /// residue with several checks; in one part or two.
        #[test]
        fn grouping_agrees_with_a_map(
            windows in proptest::collection::vec((0_u64..40, 0_u64..3, 0_u32..3, 0_u32..16), 0..200),
            many in 0_u64..600, cut in 0_usize..200,
        ) {
            let mut all = ResidueBuffer::default();
            for (high, low, check, members) in &windows {
                all.windows.push(Window::new(high << 40 | low, Members(*members).mark(*check)));
            }
            for number in 0..many {
                all.windows.push(Window::new(number.wrapping_mul(0x9e37_79b9_7f4a_7c15), Members::LEFT.mark(0)));
            }
            let cut = cut.min(all.len());
            let parts = [&all.windows[..cut], &all.windows[cut..]].map(|part| ResidueBuffer { windows: part.to_vec() });
            let want = naive(std::slice::from_ref(&all));
            prop_assert_eq!(grouped(&parts.each_ref()), want.clone());
            prop_assert_eq!(grouped(&[&all]), want);
        }
    }
}
