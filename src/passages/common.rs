//! Finds the words in a row that many texts have in common.
//!
//! A window is a given number of words in a row. Windows are distinguished by 122 bits: two
//! polynomials of the keys of their words modulo 2⁶¹ - 1 (Karp and Rabin 1987). With a billion
//! windows, two different ones are taken for equal in one of 10¹⁸ corpora.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::atomic::{AtomicU16, Ordering};

use super::pair::{Pair, Sequence, WORD, worth};
use super::seeds::MIN_SEED_WORTH;
use super::{MinMatch, found};
use crate::interner::common_runs::Run;
use crate::interner::{place, stretches};

/// The words of a text, in order.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Words {
    /// A number for each word, the same for equal words and different for different ones.
    pub keys: Vec<u64>,
    /// The quarters of a word that each is worth less than a word; empty if it is 0 for all.
    pub less: Vec<u8>,
    /// The words that do not directly follow the word before them in the text, in increasing order.
    pub breaks: Vec<usize>,
}

/// The hash of words in a row.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub struct Window(u128);

const PRIME: u64 = (1 << 61) - 1;
const BASES: [u64; 2] = [0x0123_4567_89ab_cdef, 0x0fed_cba9_8765_4321];

impl Words {
    /// Returns the hash of words in a row.
    pub fn window(&self, range: Range<usize>) -> Window {
        let sums = self.keys[range].iter().fold([1, 1], |sums, key| step(sums, *key));
        Window::from_halves(sums)
    }

    /// Returns the start of each window of `min_match` words that contains no break, and its hash.
    pub fn windows(&self, min_match: MinMatch) -> Vec<(usize, Window)> {
        let length = min_match.words();
        if length > self.keys.len() {
            return Vec::new();
        }
        let mut windows = Vec::new();
        let high = BASES.map(|base| (0..length).fold(1, |power, _| times(power, base)));
        let moved = [0, 1].map(|k| times(high[k], BASES[k]));
        for Range { start, end } in stretches(&self.breaks, self.keys.len()) {
            let mut sums = [1, 1];
            for at in start..end {
                sums = step(sums, self.keys[at]);
                if at >= start + length {
                    // Subtract the word that leaves the window, and move the leading 1.
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
        }
        windows
    }
}

impl Window {
    fn from_halves([one, other]: [u64; 2]) -> Self {
        Self(u128::from(one) << 64 | u128::from(other))
    }
}

/// Returns the coefficients of a word in both polynomials, from its key.
fn spread(key: u64) -> [u64; 2] {
    [key % PRIME, key.rotate_left(32) % PRIME]
}

/// Appends a word to both polynomials.
fn step(sums: [u64; 2], key: u64) -> [u64; 2] {
    let spread = spread(key);
    [0, 1].map(|k| plus(times(sums[k], BASES[k]), spread[k]))
}

/// Adds two numbers modulo the prime. Neither may exceed the prime, and only one may equal it.
fn plus(one: u64, other: u64) -> u64 {
    let sum = one + other;
    if sum >= PRIME { sum - PRIME } else { sum }
}

/// Multiplies two numbers modulo the prime. Both must be below it.
fn times(one: u64, other: u64) -> u64 {
    // Add the bits above the lowest 61 to these, since 2⁶¹ is 1 modulo the prime.
    let product = u128::from(one) * u128::from(other);
    let low = u64::try_from(product & u128::from(PRIME)).unwrap_or_default();
    plus(low, u64::try_from(product >> 61).unwrap_or_default())
}

/// Approximate counts of windows: windows that share a counter are counted together.
#[derive(Debug)]
pub struct ApproximateCounts {
    counters: Vec<AtomicU16>,
    min_texts: u16,
}

impl ApproximateCounts {
    /// The largest number of counters, which have two bytes each.
    const MAX_COUNTERS: usize = if cfg!(test) { 1 << 4 } else { 1 << 26 };

    /// The value at which a counter stops.
    const FULL: u16 = 60_000;

    /// Makes counters for texts of `words` words in total, which find the windows that are counted
    /// at least `min_texts` times.
    pub fn new(words: usize, min_texts: usize) -> Self {
        let slots = words.max(1).next_power_of_two().min(Self::MAX_COUNTERS);
        let min_texts = u16::try_from(min_texts).unwrap_or(u16::MAX).min(Self::FULL);
        Self { counters: (0..slots).map(|_| AtomicU16::new(0)).collect(), min_texts }
    }

    fn counter(&self, window: Window) -> &AtomicU16 {
        let slot = window.0 % self.counters.len() as u128;
        &self.counters[usize::try_from(slot).unwrap_or_default()]
    }

    /// Counts a window. May be called from several threads at once.
    pub fn count(&self, window: Window) {
        let counter = self.counter(window);
        // Threads that pass this check at the same time may exceed the limit, but there are far
        // fewer of them than a counter has values above it.
        if counter.load(Ordering::Relaxed) < Self::FULL {
            counter.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Reports whether a window may have been counted often enough. If not, it certainly was not.
    pub fn may_be_common(&self, window: Window) -> bool {
        self.counter(window).load(Ordering::Relaxed) >= self.min_texts
    }
}

/// The number of submissions that contain each window.
#[derive(Debug, Default)]
pub struct SubmissionCounts(BTreeMap<Window, (u32, u32)>);

impl SubmissionCounts {
    /// Counts a window of a submission, once. All windows of a submission must be counted before
    /// those of the next.
    pub fn count(&mut self, window: Window, submission: u32) {
        let (count, last) = self.0.entry(window).or_insert((0, submission));
        if *count == 0 || *last != submission {
            (*count, *last) = (*count + 1, submission);
        }
    }

    /// Returns the windows that occur in at least `min_texts` submissions.
    pub fn common(self, min_texts: usize) -> CommonWindows {
        let counts = self.0.into_iter().map(|(window, (count, _))| (window, count as usize));
        CommonWindows(counts.filter(|(_, count)| *count >= min_texts).collect())
    }
}

/// The common windows, in increasing order, each with the number of submissions that contain it.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct CommonWindows(Vec<(Window, usize)>);

impl CommonWindows {
    /// Returns the number of common windows.
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// Reports whether a window is common.
    pub fn contains(&self, window: Window) -> bool {
        self.number(window).is_some()
    }

    /// Returns the number of a common window; `None` if the window is not common.
    fn number(&self, window: Window) -> Option<usize> {
        self.0.binary_search_by_key(&window, |(window, _)| *window).ok()
    }

    /// Returns those of the windows of a text that are common: the first word and the number of each.
    pub fn among(&self, windows: impl Iterator<Item = (usize, Window)>) -> Vec<(u32, u32)> {
        windows.filter_map(|(at, it)| Some((place(at), place(self.number(it)?)))).collect()
    }

    /// Returns distinct stretches that contain all common windows.
    ///
    /// `stretches` has all stretches in order: the number of the text, the range of words, and the
    /// hash of all of these words. `windows` has the [common windows](Self::among) of each text.
    ///
    /// The stretches that are shared as a whole come first, then the longest, of equally long ones
    /// the first: each contains a window that none before it contains. A stretch is shared as a
    /// whole if it occurs at least half as often as there are texts that contain one of its windows.
    /// Otherwise, it may be several stretches that stand side by side in one text.
    pub fn listed(
        &self,
        stretches: impl Iterator<Item = (u32, Range<usize>, Window)>,
        windows: &[Vec<(u32, u32)>],
        min_match: MinMatch,
    ) -> Vec<CommonRange> {
        // The stretches with the first text of each, and the number of times that it occurs.
        let mut distinct: BTreeMap<(Window, usize), (u32, Range<usize>, usize)> = BTreeMap::new();
        for (text, words, whole) in stretches {
            distinct.entry((whole, words.len())).or_insert((text, words, 0)).2 += 1;
        }
        let listed = |(text, words, occurrences): (u32, Range<usize>, usize)| {
            let windows = &windows[text as usize];
            let from = windows.partition_point(|(at, _)| (*at as usize) < words.start);
            let inside = windows[from..].iter();
            let inside = inside.take_while(|(at, _)| *at as usize + min_match.words() <= words.end);
            let windows: Vec<usize> = inside.map(|(_, window)| *window as usize).collect();
            let texts = windows.iter().map(|window| self.0[*window].1).max().unwrap_or_default();
            (2 * occurrences >= texts, CommonRange { text, words, texts, windows })
        };
        let mut all: Vec<(bool, CommonRange)> = distinct.into_values().map(listed).collect();
        all.sort_by_key(|(is_whole, it)| {
            (Reverse((*is_whole, it.words.len())), it.text, it.words.start)
        });
        let mut is_known = vec![false; self.len()];
        all.retain(|(_, listed)| {
            let news =
                |news, window: &usize| !std::mem::replace(&mut is_known[*window], true) | news;
            listed.windows.iter().fold(false, news)
        });
        all.into_iter().map(|(_, listed)| listed).collect()
    }
}

/// A stretch that many texts contain.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct CommonRange {
    /// The first text that contains it.
    pub text: u32,
    /// Its range of words in that text.
    pub words: Range<usize>,
    /// The largest number of texts that contain the same window of the stretch. Texts of one group
    /// count once.
    pub texts: usize,
    /// The numbers of its windows.
    pub windows: Vec<usize>,
}

impl Words {
    /// Returns the ranges of words that windows of `min_match` words cover, in order, if the words
    /// of the range are worth enough. No two ranges touch, unless there is a break between them.
    pub fn stretches(&self, windows: &[(u32, u32)], min_match: MinMatch) -> Vec<Range<usize>> {
        let ranges = windows.iter().map(|(at, _)| *at as usize..*at as usize + min_match.words());
        let mut ranges = merge_ranges(ranges.collect());
        for at in &self.breaks {
            let parted = ranges.partition_point(|range| range.end <= *at);
            if let Some(range) = ranges.get_mut(parted).filter(|range| range.start < *at) {
                let behind = *at..range.end;
                range.end = *at;
                ranges.insert(parted + 1, behind);
            }
        }
        let less = |at: usize| self.less.get(at).copied().unwrap_or_default();
        let is_enough = |range: &Range<usize>| {
            let worth: usize = range.clone().map(|at| usize::from(worth(less(at)))).sum();
            worth >= min_match.in_a_row()
        };
        ranges.into_iter().filter(is_enough).collect()
    }
}

// Templates: what another text has in common with texts that everyone was given.

/// Texts that everyone was given, for example an assignment, a form or a notice.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Templates {
    /// The words of each template.
    pub all: Vec<Sequence>,
    /// The minimum size of a passage that a text shares with a template.
    pub min_match: MinMatch,
}

impl Templates {
    /// Returns the ranges of words that a text shares with a template: the rows of its passages, and
    /// every further place with enough words of the template in a row, however often they recur. In
    /// a row is also what has a few other words in between: a name that was filled in, another
    /// number, a word that was changed. The ranges are in order, and a break or more than four of the
    /// text's own words stand between two of them. The cost is that of sorting the words, for each template.
    pub fn shared_with(&self, text: &Sequence) -> Vec<Range<usize>> {
        let of_one = |template: &Sequence| {
            let (pair, is_swapped) = Pair::of(Cow::Borrowed(text), Cow::Borrowed(template));
            let side = usize::from(is_swapped);
            let runs = found(&pair, self.min_match).into_iter().flat_map(|it| it.runs);
            let is_row = |run: &Run| pair.worth_of(side, run.range(side)) >= MIN_SEED_WORTH;
            let mut rows: Vec<_> = runs.filter(is_row).map(|run| run.range(side)).collect();
            rows.append(&mut recurring(&pair, side, self.min_match));
            rows
        };
        let ranges = merge_ranges(self.all.iter().flat_map(of_one).collect());
        let mut joined: Vec<Range<usize>> = Vec::new();
        for range in ranges {
            match joined.last_mut() {
                Some(last) if is_continued(&text.breaks, last.end - 1, range.start) => {
                    last.end = range.end;
                }
                _ => joined.push(range),
            }
        }
        joined
    }
}

/// The largest number of words that may stand between common words in a row: a name, a date or a
/// number.
const MAX_CHANGED: usize = 4;

/// Reports whether a word is in a row with a later one: no break and at most [`MAX_CHANGED`] words
/// are between them.
fn is_continued(breaks: &[usize], word: usize, next: usize) -> bool {
    let behind = breaks.partition_point(|at| *at <= word);
    next - word <= MAX_CHANGED + 1 && breaks.get(behind).is_none_or(|at| *at > next)
}

impl Words {
    /// Returns the words for which `is_kept` is true. Two of them are in a row if only a few others are
    /// between them.
    pub fn only(&self, is_kept: impl Fn(usize) -> bool) -> KeptWords {
        let places: Vec<usize> = (0..self.keys.len()).filter(|at| is_kept(*at)).collect();
        let ends = places.windows(2).zip(1..);
        let broken = ends.filter(|(ends, _)| !is_continued(&self.breaks, ends[0], ends[1]));
        let breaks = broken.map(|(_, at)| at).collect();
        let less = places.iter().filter_map(|at| self.less.get(*at).copied()).collect();
        let keys = places.iter().map(|at| self.keys[*at]).collect();
        KeptWords { words: Self { keys, less, breaks }, places }
    }
}

/// Some words of a text.
#[derive(Clone, Debug)]
pub struct KeptWords {
    /// The words.
    pub words: Words,
    /// The position of each in the text.
    pub places: Vec<usize>,
}

impl KeptWords {
    /// Returns the [windows](Words::windows) of the words that begin and end with three words that
    /// follow each other in the text: a word alone may be near others by chance.
    pub fn windows(&self, min_match: MinMatch) -> impl Iterator<Item = (usize, Window)> {
        let is_row = |at: usize| self.places[at + 2] == self.places[at] + 2;
        let windows = self.words.windows(min_match).into_iter();
        windows.filter(move |(at, _)| is_row(*at) && is_row(at + min_match.words() - 3))
    }
}

/// Returns the ranges of words of a side that are covered by windows which the other side also
/// contains, if the words of the range are worth enough. Words that only one side has are skipped.
fn recurring(pair: &Pair, side: usize, min_match: MinMatch) -> Vec<Range<usize>> {
    let [own, others] = [side, 1 - side].map(|side| {
        let words = 0..pair.words[side].len();
        let less = |at: usize| u8::try_from(WORD - pair.worth(side, at)).unwrap_or_default();
        let words = Words {
            keys: pair.words[side].iter().map(|word| u64::from(*word)).collect(),
            less: words.map(less).collect(),
            breaks: pair.breaks[side].clone(),
        };
        words.only(|at| pair.is_shared(side, at))
    });
    let mut known: Vec<Window> = others.windows(min_match).map(|(_, window)| window).collect();
    known.sort_unstable();
    let windows = own.windows(min_match);
    let windows = windows.filter(|(_, window)| known.binary_search(window).is_ok());
    let windows: Vec<(u32, u32)> = windows.map(|(at, _)| (place(at), 0)).collect();
    let ranges = own.words.stretches(&windows, min_match).into_iter();
    ranges.map(|range| own.places[range.start]..own.places[range.end - 1] + 1).collect()
}

/// Numbers the `length` words in a row that begin at each position of both sides, up to the last
/// position from which there are that many. Equal words have equal numbers. They are found by
/// doubling, after Karp, Miller and Rosenberg (1972).
pub(super) fn windows(pair: &Pair, length: usize) -> [Vec<u32>; 2] {
    let mut numbers = pair.words.clone();
    let mut reached = 1;
    while reached < length {
        let step = reached.min(length - reached);
        numbers = shared_numbers(&numbers, step);
        reached += step;
    }
    numbers
}

/// Numbers the pairs of numbers that are `apart` positions apart. Equal pairs have equal numbers.
fn shared_numbers(numbers: &[Vec<u32>; 2], apart: usize) -> [Vec<u32>; 2] {
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

/// Sorts ranges, and merges those that touch or overlap.
pub(super) fn merge_ranges(mut ranges: Vec<Range<usize>>) -> Vec<Range<usize>> {
    ranges.sort_unstable_by_key(|range| range.start);
    let mut merged: Vec<Range<usize>> = Vec::new();
    for range in ranges {
        match merged.last_mut() {
            Some(last) if range.start <= last.end => last.end = last.end.max(range.end),
            _ => merged.push(range),
        }
    }
    merged
}

#[cfg(test)]
mod templates_tests {
    use proptest::prelude::*;

    use super::super::tests::{sequence, words};
    use super::*;

    const TEMPLATE: &str = "one two three four five six seven eight nine ten eleven twelve";

    fn shared(templates: &[&str], text: &str) -> Vec<Range<usize>> {
        let all = templates.iter().map(|text| sequence(&words(text))).collect();
        Templates { all, min_match: MinMatch::default() }.shared_with(&sequence(&words(text)))
    }

    #[expect(clippy::single_range_in_vec_init, reason = "a list of ranges")]
    #[test]
    fn what_a_text_has_of_a_template_is_found() {
        let other = "red orange yellow green blue indigo violet black white grey brown pink";
        let part = "four five six seven eight nine ten eleven";
        let [blank, long] = [format!("{part} {part}"), format!("{TEMPLATE} {other}")];
        #[rustfmt::skip]
        let table: &[(&str, &[&str], String, &[Range<usize>])] = &[
            ("no template",            &[],                TEMPLATE.into(),                           &[]),
            ("an empty one",           &[""],              TEMPLATE.into(),                           &[]),
            ("an empty text",          &[TEMPLATE],        String::new(),                             &[]),
            ("nothing of it",          &[TEMPLATE],        other.into(),                              &[]),
            ("all of it",              &[TEMPLATE],        TEMPLATE.into(),                           &[0..12]),
            ("too little of it",       &[TEMPLATE],        format!("a {part} z"),                     &[]),
            ("inside",                 &[TEMPLATE],        format!("a b {TEMPLATE} y z"),             &[2..14]),
            ("three times",            &[TEMPLATE],        format!("{TEMPLATE} a b c d e {TEMPLATE} f {TEMPLATE}"), &[0..12, 17..42]),
            ("of either of two",       &[other, TEMPLATE], format!("{TEMPLATE} a b c d e {other}"),   &[0..12, 17..29]),
            ("a word is changed",      &[&long],           long.replace("six", "7th"),                &[0..24]),
            ("and another",            &[&long],           long.replace("six", "7 8").replace("ten", "x"), &[0..25]),
            ("one at an end",          &[TEMPLATE],        TEMPLATE.replace("two", "2"),              &[]),
            ("filled in",              &[&blank],          format!("{part} my own name is {part}"),   &[0..20]),
            ("a sentence between",     &[&blank],          format!("{part} my own name is here {part}"), &[]),
            ("between enough of it",   &[&long],           format!("{TEMPLATE} my own name is here {other}"), &[0..12, 17..29]),
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
            format!("{letters}其其其其其{letters}")
        };
        // Twelve words are 16 letters of Chinese, each worth three quarters of a word.
        assert!(shared(&[template], &text(15)).is_empty());
        assert_eq!(shared(&[template], &text(16)), [0..16, 21..37]);
    }

    proptest! {
        /// A template is found every time, however often a text contains it between words of its
        /// own, which stay if there are more than a few.
        #[test]
        fn each_occurrence_of_a_template_is_found(times in 0_usize..40, apart in 1_usize..40) {
            let between: Vec<String> = (0..apart).map(|k| format!("own{k}")).collect();
            let text = format!("{TEMPLATE} {} ", between.join(" ")).repeat(times);
            let mut want: Vec<_> = (0..times).map(|k| k * (12 + apart)).map(|at| at..at + 12).collect();
            if apart <= MAX_CHANGED && times > 0 {
                want = vec![Range { start: 0, end: times * (12 + apart) - apart }];
            }
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
