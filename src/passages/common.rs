//! Many texts → the words in a row that many of them have.
//!
//! So many words in a row are a window. Windows are told apart by 122 bits: two polynomials
//! of the words' keys modulo 2⁶¹ - 1 (Karp and Rabin 1987), so that two of a billion
//! windows are taken for one another once in 10¹⁸ corpora.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::atomic::{AtomicU16, Ordering};

use super::MinMatch;
use super::pair::worth;
use super::templates::united;

/// The words of a text, in order.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Words {
    /// A number for each, the same for the same word and for no other.
    pub keys: Vec<u64>,
    /// How many more letters of its script each takes to be worth a word; empty where none
    /// takes more.
    pub more: Vec<u8>,
    /// Increasing: the words that the one before does not stand right before in the text.
    pub breaks: Vec<usize>,
}

/// Words in a row, by what they come to.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub struct Window(u128);

const PRIME: u64 = (1 << 61) - 1;
const BASES: [u64; 2] = [0x0123_4567_89ab_cdef, 0x0fed_cba9_8765_4321];

impl Words {
    /// What words in a row come to.
    pub fn window(&self, range: Range<usize>) -> Window {
        let sums = self.keys[range].iter().fold([1, 1], |sums, key| step(sums, *key));
        Window::of(sums)
    }

    /// Each place from which on so many words stand in a row that no break parts, and what they
    /// come to.
    pub fn windows(&self, least: MinMatch) -> Vec<(usize, Window)> {
        let length = least.words();
        if length > self.keys.len() {
            return Vec::new();
        }
        let mut windows = Vec::new();
        let high = BASES.map(|base| (0..length).fold(1, |power, _| times(power, base)));
        let moved = [0, 1].map(|k| times(high[k], BASES[k]));
        let mut start = 0;
        for end in self.breaks.iter().copied().chain([self.keys.len()]) {
            let mut sums = [1, 1];
            for at in start..end {
                sums = step(sums, self.keys[at]);
                if at >= start + length {
                    // The word that is behind is taken away, and the leading 1 moved on.
                    let gone = spread(self.keys[at - length]);
                    for k in [0, 1] {
                        let gone = plus(moved[k], times(high[k], gone[k]));
                        let without = plus(high[k], PRIME - gone);
                        sums[k] = plus(sums[k], without);
                    }
                }
                if at + 1 >= start + length {
                    windows.push((at + 1 - length, Window::of(sums)));
                }
            }
            start = end;
        }
        windows
    }
}

impl Window {
    fn of([one, other]: [u64; 2]) -> Self {
        Self(u128::from(one) << 64 | u128::from(other))
    }
}

/// The key of a word as the coefficients of both polynomials.
fn spread(key: u64) -> [u64; 2] {
    [key % PRIME, key.rotate_left(32) % PRIME]
}

/// Both polynomials with one more word.
fn step(sums: [u64; 2], key: u64) -> [u64; 2] {
    let spread = spread(key);
    [0, 1].map(|k| plus(times(sums[k], BASES[k]), spread[k]))
}

/// A sum modulo the prime, of numbers no greater than it that are not both the prime.
fn plus(one: u64, other: u64) -> u64 {
    let sum = one + other;
    if sum >= PRIME { sum - PRIME } else { sum }
}

/// A product modulo the prime, of numbers below it.
fn times(one: u64, other: u64) -> u64 {
    // What is above 61 bits counts once more.
    let product = u128::from(one) * u128::from(other);
    let low = u64::try_from(product & u128::from(PRIME)).unwrap_or_default();
    plus(low, u64::try_from(product >> 61).unwrap_or_default())
}

/// How often windows occur, roughly: those that share a counter are counted together.
#[derive(Debug)]
pub struct Sieve {
    counters: Vec<AtomicU16>,
    least: u16,
}

impl Sieve {
    /// The most counters, of two bytes.
    const MOST: usize = if cfg!(test) { 1 << 4 } else { 1 << 26 };

    /// Where a counter stops.
    const FULL: u16 = 60_000;

    /// For texts of so many words together, to find what is counted so often at least.
    pub fn new(words: usize, least: usize) -> Self {
        let slots = words.max(1).next_power_of_two().min(Self::MOST);
        let least = u16::try_from(least).unwrap_or(u16::MAX).min(Self::FULL);
        Self { counters: (0..slots).map(|_| AtomicU16::new(0)).collect(), least }
    }

    fn counter(&self, window: Window) -> &AtomicU16 {
        let slot = window.0 % self.counters.len() as u128;
        &self.counters[usize::try_from(slot).unwrap_or_default()]
    }

    /// Counts a window; from whatever thread.
    pub fn count(&self, window: Window) {
        let counter = self.counter(window);
        // Threads that come here at once are far fewer than there is room behind.
        if counter.load(Ordering::Relaxed) < Self::FULL {
            counter.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Whether a window may have been counted often enough.
    pub fn may_be_common(&self, window: Window) -> bool {
        self.counter(window).load(Ordering::Relaxed) >= self.least
    }
}

/// In how many submissions windows stand.
#[derive(Debug, Default)]
pub struct Census(BTreeMap<Window, (u32, u32)>);

impl Census {
    /// Counts a window of a submission, once; submissions come one after the other.
    pub fn count(&mut self, window: Window, submission: u32) {
        let (count, last) = self.0.entry(window).or_insert((0, submission));
        if *count == 0 || *last != submission {
            (*count, *last) = (*count + 1, submission);
        }
    }

    /// The windows that stand in so many submissions at least.
    pub fn common(self, least: usize) -> Common {
        let counts = self.0.into_iter().map(|(window, (count, _))| (window, count as usize));
        Common(counts.filter(|(_, count)| *count >= least).collect())
    }
}

/// The windows that are common, increasing, and in how many submissions each stands.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Common(Vec<(Window, usize)>);

impl Common {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The number of a common window, and in how many submissions it stands.
    pub fn get(&self, window: Window) -> Option<(usize, usize)> {
        let at = self.0.binary_search_by_key(&window, |(window, _)| *window).ok()?;
        Some((at, self.0[at].1))
    }

    /// Where each word of a text is in a common window, in order, as far as the words in a row
    /// are worth enough. No range touches another, unless a break is between them.
    pub fn stretches(&self, words: &Words, least: MinMatch) -> Vec<Range<usize>> {
        if self.is_empty() {
            return Vec::new();
        }
        let common =
            words.windows(least).into_iter().filter(|(_, window)| self.get(*window).is_some());
        let mut ranges = united(common.map(|(at, _)| at..at + least.words()).collect());
        for at in &words.breaks {
            let parted = ranges.partition_point(|range| range.end <= *at);
            if let Some(range) = ranges.get_mut(parted).filter(|range| range.start < *at) {
                let behind = *at..range.end;
                range.end = *at;
                ranges.insert(parted + 1, behind);
            }
        }
        let letters = |at: usize| words.more.get(at).copied().unwrap_or_default();
        let is_enough = |range: &Range<usize>| {
            let worth: usize = range.clone().map(|at| usize::from(worth(letters(at)))).sum();
            worth >= least.in_a_row()
        };
        ranges.into_iter().filter(is_enough).collect()
    }
}

#[cfg(test)]
mod tests;
