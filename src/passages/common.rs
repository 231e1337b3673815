//! Many texts → the words in a row that many of them have.
//!
//! So many words in a row are a window. Windows are distinguished by 122 bits: two polynomials
//! of the words' keys modulo 2⁶¹ - 1 (Karp and Rabin 1987), so that two of a billion
//! windows are taken for one another once in 10¹⁸ corpora.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::atomic::{AtomicU16, Ordering};

use super::pair::{Pair, Sequence, worth};
use super::{MinMatch, find};

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

/// Words in a row, by their hash.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub struct Window(u128);

const PRIME: u64 = (1 << 61) - 1;
const BASES: [u64; 2] = [0x0123_4567_89ab_cdef, 0x0fed_cba9_8765_4321];

impl Words {
    /// The hash of words in a row.
    pub fn window(&self, range: Range<usize>) -> Window {
        let sums = self.keys[range].iter().fold([1, 1], |sums, key| step(sums, *key));
        Window::from_halves(sums)
    }

    /// The start of each window of `least` words without a break inside, and its key.
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
                    windows.push((at + 1 - length, Window::from_halves(sums)));
                }
            }
            start = end;
        }
        windows
    }
}

impl Window {
    fn from_halves([one, other]: [u64; 2]) -> Self {
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

    /// For texts of `words` words together, to find what is counted at least `least` times.
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
        // The threads that add at once are far fewer than what a counter can exceed its limit by.
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

    /// The windows that occur in at least `least` submissions.
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

// Texts that everyone was given → what another text has of them.

/// Texts that everyone was given: an assignment, a form, a notice.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Templates {
    /// The words of each.
    pub all: Vec<Sequence>,
    /// What a passage must have that a text shares with one of them.
    pub least: MinMatch,
}

impl Templates {
    /// Where a text has words that it shares with a template: its passages, and each further
    /// place with enough words in a row of the template, however often they recur. In order;
    /// no range touches another. The cost is that of sorting the words, for each template.
    pub fn shared_with(&self, text: &Sequence) -> Vec<Range<usize>> {
        let of_one = |template: &Sequence| {
            let passages = find(text.clone(), template.clone(), self.least).into_iter();
            passages.map(|passage| passage.left).chain(recurring(text, template, self.least))
        };
        united(self.all.iter().flat_map(of_one).collect())
    }
}

/// Where each word of the text is one of enough in a row that stand in the template as well.
fn recurring(text: &Sequence, template: &Sequence, least: MinMatch) -> Vec<Range<usize>> {
    let (pair, turned) = Pair::from_sequences(text.clone(), template.clone());
    let side = usize::from(turned);
    let windows = windows(&pair, least.words());
    let mut known = windows[1 - side].clone();
    known.sort_unstable();
    let starts =
        (0..windows[side].len()).filter(|at| known.binary_search(&windows[side][*at]).is_ok());
    let ranges = united(starts.map(|at| at..at + least.words()).collect());
    let is_enough = |range: &Range<usize>| pair.worth_of(side, range.clone()) >= least.in_a_row();
    ranges.into_iter().filter(is_enough).collect()
}

/// A number for the words in a row from each place of both sides on, as far as there are so
/// many; the same for the same words. Found by doubling, after Karp, Miller and Rosenberg (1972).
fn windows(pair: &Pair, length: usize) -> [Vec<u32>; 2] {
    let mut numbers = pair.words.clone();
    let mut reached = 1;
    while reached < length {
        let step = reached.min(length - reached);
        numbers = joined(&numbers, step);
        reached += step;
    }
    numbers
}

/// A number for the pairs of numbers that stand so far apart; the same for the same pair.
fn joined(numbers: &[Vec<u32>; 2], apart: usize) -> [Vec<u32>; 2] {
    let pairs = |side: usize| {
        let (first, second) = (&numbers[side], numbers[side].get(apart..).unwrap_or(&[]));
        first.iter().zip(second).map(|(first, second)| u64::from(*first) << 32 | u64::from(*second))
    };
    let mut all: Vec<u64> = pairs(0).chain(pairs(1)).collect();
    all.sort_unstable();
    all.dedup();
    let number = |pair: u64| all.partition_point(|known| *known < pair);
    let number = |pair| u32::try_from(number(pair)).expect("two texts have fewer than 2^32 words");
    [0, 1].map(|side| pairs(side).map(number).collect())
}

/// Ranges in order, those that touch made one.
pub(super) fn united(mut ranges: Vec<Range<usize>>) -> Vec<Range<usize>> {
    ranges.sort_unstable_by_key(|range| range.start);
    let mut united: Vec<Range<usize>> = Vec::new();
    for range in ranges {
        match united.last_mut() {
            Some(last) if range.start <= last.end => last.end = last.end.max(range.end),
            _ => united.push(range),
        }
    }
    united
}

#[cfg(test)]
mod templates_tests {
    use proptest::prelude::*;

    use super::super::tests::{sequence, words};
    use super::*;

    const TEMPLATE: &str = "one two three four five six seven eight nine ten eleven twelve";

    fn shared(templates: &[&str], text: &str) -> Vec<Range<usize>> {
        let all = templates.iter().map(|text| sequence(&words(text))).collect();
        Templates { all, least: MinMatch::default() }.shared_with(&sequence(&words(text)))
    }

    #[expect(clippy::single_range_in_vec_init, reason = "a list of ranges")]
    #[test]
    fn what_a_text_has_of_a_template_is_found() {
        let other = "red orange yellow green blue indigo violet black white grey brown pink";
        let part = "four five six seven eight nine ten eleven";
        #[rustfmt::skip]
        let table: &[(&str, &[&str], String, &[Range<usize>])] = &[
            ("no template",            &[],                TEMPLATE.into(),                           &[]),
            ("an empty one",           &[""],              TEMPLATE.into(),                           &[]),
            ("an empty text",          &[TEMPLATE],        String::new(),                             &[]),
            ("nothing of it",          &[TEMPLATE],        other.into(),                              &[]),
            ("all of it",              &[TEMPLATE],        TEMPLATE.into(),                           &[0..12]),
            ("too little of it",       &[TEMPLATE],        format!("a {part} z"),                     &[]),
            ("inside",                 &[TEMPLATE],        format!("a b {TEMPLATE} y z"),             &[2..14]),
            ("three times",            &[TEMPLATE],        format!("{TEMPLATE} a {TEMPLATE} b {TEMPLATE}"), &[0..12, 13..25, 26..38]),
            ("of either of two",       &[other, TEMPLATE], format!("{TEMPLATE} a {other}"),           &[0..12, 13..25]),
            ("side by side",           &[other, TEMPLATE], format!("{TEMPLATE} {other} z"),           &[0..24]),
        ];
        for (why, templates, text, want) in table {
            assert_eq!(shared(templates, text), *want, "{why}");
        }
    }

    #[test]
    fn letters_of_a_script_without_spaces_are_worth_less() {
        let template = "有人在山上种了很多树木和花草每天都去浇水";
        let text = |letters: usize| -> String {
            let letters: String = template.chars().take(letters).collect();
            format!("{letters}其{letters}")
        };
        // Twelve words are 16 letters of Chinese, each worth three quarters of one.
        assert!(shared(&[template], &text(15)).is_empty());
        assert_eq!(shared(&[template], &text(16)), [0..16, 17..33]);
    }

    proptest! {
        /// However often a template stands in a text, between words of its own.
        #[test]
        fn each_time_is_found(times in 0_usize..40, apart in 1_usize..40) {
            let between: Vec<String> = (0..apart).map(|k| format!("own{k}")).collect();
            let text = format!("{TEMPLATE} {} ", between.join(" ")).repeat(times);
            let want: Vec<_> = (0..times).map(|k| k * (12 + apart)).map(|at| at..at + 12).collect();
            prop_assert_eq!(shared(&[TEMPLATE], &text), want);
        }

        #[test]
        fn windows_are_the_same_where_their_words_are(
            left in "[ab ]{0,30}", right in "[ab ]{0,30}", length in 1_usize..9,
        ) {
            let (left, right) = (words(&left), words(&right));
            let (pair, _) = Pair::from_sequences(sequence(&left), sequence(&right));
            let numbers = windows(&pair, length).concat();
            let plain: Vec<&[u32]> = pair.words.iter().flat_map(|it| it.windows(length)).collect();
            prop_assert_eq!(numbers.len(), plain.len());
            for (one, its_words) in numbers.iter().zip(&plain) {
                for (other, others) in numbers.iter().zip(&plain) {
                    prop_assert_eq!(one == other, its_words == others);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests;
