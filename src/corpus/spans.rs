//! Finds the runs of words that occur at two or more places in many texts.
//!
//! Input: for each text, the numbers of its words, which are equal for equal words. Output: the
//! repeated runs with all their places, and the words that are not a first occurrence. A run never
//! crosses from one text into the next. The result does not depend on hashes: the runs are read
//! from the suffix array of all texts, which is built in linear time.
//!
//! Words may have [heads](Texts::with_heads). Two runs are then equal if their words are equal,
//! except that of the last word only the head must be equal. So runs are compared including what is
//! between their words, but without what follows them.
//!
//! A **repeat** is a run, of at least a given number of words, that occurs at two or more places,
//! which may overlap. Every part of a longer repeat is also a repeat. Therefore a repeat is listed
//! only if at least one of its places is not inside a place of a longer one (the *near-supermaximal
//! repeats* of Gusfield 1997). A text that consists of one word a million times has one listed
//! repeat: the word 999,999 times, at the first place and at the second. A run that occurs only
//! inside longer ones is not listed, however many places it has. An example is a run that occurs
//! twice in a text which itself occurs twice.
//!
//! A word is **removable** if and only if it is in a window of the minimum number of words, and an
//! equal window begins earlier, in the order of the texts. Windows may overlap: of `a a a a`, with
//! windows of two words, only the first word is kept.

pub mod words;

use std::ops::Range;

use crate::parallel::Advance;

/// The position of a word: a text and a word of it, both counted from 0.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub struct WordPlace {
    /// The number of the text.
    pub text: usize,
    /// The number of the word in the text.
    pub word: usize,
}

/// A run of words that occurs at two or more places: an interval of the suffix array.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Repeat {
    words: u32,
    /// The suffix that begins at the first place.
    first: u32,
    suffixes: Range<u32>,
}

impl Repeat {
    /// Returns the number of words in the run.
    pub fn words(&self) -> usize {
        index(self.words)
    }

    /// Returns the number of its places, at least 2.
    pub fn places(&self) -> usize {
        self.suffixes.len()
    }

    /// Returns the number of words that would be removed if the run remained at one place only.
    pub fn saved(&self) -> usize {
        self.words().saturating_mul(self.places() - 1)
    }
}

/// Returns the indices of the repeats that save most, at most `max`: of those that save the same,
/// the first ones in the list.
pub fn most_saving(list: &[Repeat], max: usize) -> Vec<u32> {
    let mut order: Vec<u32> = (0..number(list.len())).collect();
    order.sort_unstable_by_key(|at| (std::cmp::Reverse(list[index(*at)].saved()), *at));
    order.truncate(max);
    order
}

/// Selects repeats of a list so that at most `max` places are shown. Returns their indices, in
/// order, and the largest number of places of each, at least 2. Repeats are left out only if two
/// places of each would be too many; those that save most stay. Takes time `n log n`.
pub fn selected(list: &[Repeat], max: usize) -> (Vec<u32>, usize) {
    let mut indices = most_saving(list, max / 2);
    indices.sort_unstable();
    let mut counts: Vec<usize> = indices.iter().map(|at| list[index(*at)].places()).collect();
    counts.sort_unstable();
    let mut left = max;
    for (at, count) in counts.iter().enumerate() {
        let share = left / (counts.len() - at);
        if *count > share {
            return (indices, share);
        }
        left -= count;
    }
    (indices, usize::MAX)
}

/// The words of several texts, one text after another.
#[derive(Clone, Debug, Default)]
pub struct Texts {
    /// The words. Each text is followed by a number that occurs nowhere else, so that no run
    /// crosses the end of the text.
    words: Vec<u32>,
    /// The position at which each text begins.
    starts: Vec<u32>,
    /// The greatest number of a word, plus one.
    numbers: u32,
    /// The number of the head of each word, by the number of the word; empty if each word is its
    /// own head.
    heads: Vec<u32>,
}

/// The error if there are too many words.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct TooMany;

impl Texts {
    /// Adds a text, given as the numbers of its words, which must be equal for equal words.
    ///
    /// # Errors
    ///
    /// Returns [`TooMany`] if there would be 2^31 or more words and texts together, or if the
    /// number of a word is 2^31 or greater. In that case nothing is added.
    pub fn add(&mut self, words: &[u32]) -> Result<(), TooMany> {
        const MAX_WORDS: usize = 1 << 31;
        let greatest = words.iter().copied().max().map_or(0, |word| word as usize + 1);
        if self.words.len() + words.len() + 1 >= MAX_WORDS || greatest > MAX_WORDS {
            return Err(TooMany);
        }
        let start = u32::try_from(self.words.len()).map_err(|_| TooMany)?;
        self.numbers = self.numbers.max(u32::try_from(greatest).map_err(|_| TooMany)?);
        self.starts.push(start);
        self.words.extend_from_slice(words);
        self.words.push(0); // replaced when the numbers of all words are known
        Ok(())
    }

    /// Adds heads, for texts in which the number of a word identifies the word together with what
    /// is between it and the next one. `heads` has the number of the word alone, so that what
    /// follows the last word of a run is not part of the run. Every number of a word that was added
    /// must have a head.
    #[must_use]
    pub fn with_heads(self, heads: Vec<u32>) -> Self {
        Self { heads, ..self }
    }

    /// Replaces the number of each word by the one in `numbers`, if any.
    fn renumber(&mut self, numbers: &[u32]) {
        self.numbers = numbers.iter().max().map_or(self.numbers, |greatest| greatest + 1);
        for word in &mut self.words {
            *word = numbers.get(*word as usize).copied().unwrap_or(*word);
        }
    }

    /// Finds the repeats of at least `min_words` words; 0 is treated as 1. `advance` shows how much
    /// is done.
    ///
    /// # Panics
    ///
    /// Same as [`Advance::begin`].
    pub fn repeats(mut self, min_words: usize, advance: &Advance) -> Repeats {
        advance.begin(PASSES * self.words.len() as u64);
        self.order_by_heads();
        let ends: Vec<usize> =
            self.starts.iter().skip(1).map(|start| *start as usize - 1).collect();
        let end_of_all = self.words.len().checked_sub(1);
        let mut letters = self.numbers;
        for end in ends.into_iter().chain(end_of_all) {
            self.words[end] = letters;
            letters += 1;
        }
        let suffixes = suffix_array(&self.words, letters as usize, Some(advance));
        let mut common = common_prefixes(&self.words, &suffixes, advance);
        self.add_heads(&suffixes, &mut common);
        let min_words = u32::try_from(min_words.max(1)).unwrap_or(u32::MAX);
        Repeats { words: self.words.len(), starts: self.starts, suffixes, common, min_words }
    }

    /// Renumbers the words, so that those with the same head have consecutive numbers. Suffixes
    /// that begin with the same run are then adjacent in the suffix array, even if different text
    /// follows its last word.
    fn order_by_heads(&mut self) {
        let mut order: Vec<u32> = (0..self.numbers).take(self.heads.len()).collect();
        order.sort_by_key(|word| self.heads[*word as usize]); // equal ones keep their order
        let mut ranks = vec![0; order.len()];
        for (rank, word) in (0..).zip(&order) {
            ranks[*word as usize] = rank;
        }
        self.renumber(&ranks);
        self.heads = order.into_iter().map(|word| self.heads[word as usize]).collect();
    }

    /// Adds one word to the common prefix of adjacent suffixes if their next words differ but have
    /// the same head.
    fn add_heads(&self, suffixes: &[u32], common: &mut [u32]) {
        let head = |at: u32| self.heads.get(*self.words.get(at as usize)? as usize);
        if self.heads.is_empty() {
            return;
        }
        for (pair, common) in suffixes.windows(2).zip(common.iter_mut().skip(1)) {
            let one = head(pair[0] + *common);
            *common += u32::from(one.is_some() && one == head(pair[1] + *common));
        }
    }
}

/// The runs of words that occur at two or more places.
#[derive(Clone, Debug)]
pub struct Repeats {
    /// The number of words of all texts, including the end of each text.
    words: usize,
    starts: Vec<u32>,
    suffixes: Vec<u32>,
    /// The length of the common prefix of each suffix and the one before it in the array.
    common: Vec<u32>,
    min_words: u32,
}

/// An interval of the suffix array whose suffixes have a run in common. It is packed because a text
/// may have as many open intervals as words.
#[repr(Rust, packed)]
struct SuffixInterval {
    words: u32,
    start: u32,
    /// The least of its suffixes so far.
    first: u32,
    /// Whether one of the places of the run is not inside a place of a longer run.
    is_listed: bool,
}

impl Repeats {
    /// Returns the listed repeats in the order of their first places; at the same place, the
    /// longest first. They have at most 16 bytes per word, however many places they have.
    pub fn list(&self) -> Vec<Repeat> {
        let free = self.free();
        let shared = |at: usize| self.common.get(at).copied().filter(|it| *it >= self.min_words);
        let mut open: Vec<SuffixInterval> = Vec::new();
        let mut repeats = Vec::new();
        for (at, suffix) in (1..).zip(&self.suffixes) {
            let (before, after) =
                (shared(at - 1).unwrap_or_default(), shared(at).unwrap_or_default());
            let is_free = free.get(index(*suffix));
            let (mut start, mut first) = (number(at - 1), *suffix);
            if let Some(top) = open.last_mut().filter(|_| before > after) {
                top.is_listed |= is_free;
            }
            while let Some(closed) = open.pop_if(|top| top.words > after) {
                (start, first) = (closed.start, first.min(closed.first));
                if closed.is_listed {
                    let suffixes = start..number(at);
                    repeats.push(Repeat { words: closed.words, first, suffixes });
                }
            }
            if after > 0 && open.last().is_none_or(|top| top.words < after) {
                open.push(SuffixInterval { words: after, start, first, is_listed: false });
            }
            if let Some(top) = open.last_mut().filter(|_| after > 0) {
                top.first = first.min(top.first);
                top.is_listed |= is_free && before <= after;
            }
        }
        repeats.sort_unstable_by_key(|it| (it.first, std::cmp::Reverse(it.words)));
        repeats
    }

    /// Returns places of a repeat of the list, in order: all, or the first and `max - 1` others.
    /// The time does not depend on the places that are left out. There are none if `max` is 0.
    pub fn places(&self, repeat: &Repeat, max: usize) -> impl Iterator<Item = WordPlace> + '_ {
        let Range { start, end } = repeat.suffixes;
        let all = self.suffixes[index(start)..index(end)].iter().copied();
        let others = all.filter(|at| *at != repeat.first);
        let mut places: Vec<u32> = std::iter::once(repeat.first).chain(others).take(max).collect();
        places.sort_unstable();
        places.into_iter().map(|at| self.place(at))
    }

    /// Returns the removable words of each text, as ranges that do not touch.
    pub fn removable(&self) -> Vec<Vec<Range<usize>>> {
        // Whether a window begins at each word that also occurs earlier.
        let mut recurs = vec![false; self.words];
        let mut start = 0;
        for end in 1..=self.suffixes.len() {
            if self.common.get(end).is_some_and(|common| *common >= self.min_words) {
                continue;
            }
            let group = &self.suffixes[start..end];
            let first = group.iter().min();
            for at in group.iter().filter(|at| Some(*at) != first) {
                recurs[*at as usize] = true;
            }
            start = end;
        }
        let mut ranges = vec![Vec::<Range<usize>>::new(); self.starts.len()];
        for at in (0..).zip(&recurs).filter(|(_, recurs)| **recurs).map(|(at, _)| at) {
            let WordPlace { text, word } = self.place(at);
            let end = word + self.min_words as usize;
            match ranges[text].last_mut().filter(|last| last.end >= word) {
                Some(last) => last.end = end,
                None => ranges[text].push(word..end),
            }
        }
        ranges
    }

    /// Returns the positions at which the longest repeated run is not inside a longer one.
    fn free(&self) -> Positions {
        let mut longest = vec![0; self.words];
        for (at, suffix) in self.suffixes.iter().enumerate() {
            let after = self.common.get(at + 1).copied().unwrap_or_default();
            longest[index(*suffix)] = self.common[at].max(after);
        }
        let mut free = Positions::new(self.words);
        for (at, words) in longest.iter().enumerate() {
            free.add(at, *words >= self.min_words && (at == 0 || longest[at - 1] <= *words));
        }
        free
    }

    fn place(&self, at: u32) -> WordPlace {
        let text = self.starts.partition_point(|start| *start <= at).saturating_sub(1);
        WordPlace { text, word: (at - self.starts[text]) as usize }
    }
}

// The suffix array of a sequence of numbers, by induced sorting (SA-IS; Nong, Zhang and Chan 2009),
// and the lengths of the common prefixes of adjacent suffixes (Kasai et al. 2001). Both take linear
// time.

/// The number of passes over all words by which progress is counted: four that sort, one that
/// compares neighbours. Those over the shorter sequence of names are not counted.
const PASSES: u64 = 5;

/// The number of words after which progress is reported.
const STEP: usize = 1 << 16;

/// An entry of the suffix array without a suffix.
const NO_SUFFIX: u32 = u32::MAX;

fn index(number: u32) -> usize {
    number as usize
}

/// Converts a position in a sequence, which must be shorter than 2^32.
fn number(index: usize) -> u32 {
    u32::try_from(index).unwrap_or(NO_SUFFIX)
}

/// Returns the positions of all suffixes, in the order of the suffixes. All letters must be less
/// than `letters`, and the sequence must have fewer than 2^32 − 1 of them. Four passes over the
/// sequence are added to `advance`.
fn suffix_array(sequence: &[u32], letters: usize, advance: Option<&Advance>) -> Vec<u32> {
    match sequence {
        [] => return Vec::new(),
        [_] => return vec![0],
        _ => {}
    }
    let buckets = Buckets::new(sequence, letters);
    let is_small = smaller_than_next(sequence);
    let is_leftmost = |at: usize| at > 0 && is_small.get(at) && !is_small.get(at - 1);
    let leftmost: Vec<u32> =
        (1..sequence.len()).filter(|at| is_leftmost(*at)).map(number).collect();
    let mut suffixes = vec![NO_SUFFIX; sequence.len()];
    buckets.induce(sequence, &is_small, &leftmost, &mut suffixes, advance);
    if leftmost.is_empty() {
        return suffixes;
    }
    let in_order: Vec<u32> =
        suffixes.iter().copied().filter(|at| is_leftmost(index(*at))).collect();
    let (names, count) = named(sequence, &leftmost, &in_order);
    let order = if count == leftmost.len() {
        in_order // all substrings are different
    } else {
        drop(in_order);
        let order = suffix_array(&names, count, None);
        order.into_iter().map(|of| leftmost[index(of)]).collect()
    };
    drop((names, leftmost));
    buckets.induce(sequence, &is_small, &order, &mut suffixes, advance);
    suffixes
}

/// Names the LMS substrings, from one leftmost position to the next, by their ranks. Returns the
/// names in the order of the text, and the number of different names.
fn named(sequence: &[u32], leftmost: &[u32], in_order: &[u32]) -> (Vec<u32>, usize) {
    // No two leftmost positions are adjacent, so half of each is unique.
    let mut ranks = vec![0; sequence.len() / 2 + 1];
    for (rank, at) in leftmost.iter().enumerate() {
        ranks[index(*at) / 2] = number(rank);
    }
    let rank = |at: u32| index(ranks[index(at) / 2]);
    // The last substring ends with the sequence. If it is equal to another one, its suffix is the
    // smaller one since it is shorter. This also holds in the sequence of names.
    let substring = |of: usize| {
        let end = leftmost.get(of + 1).map_or(sequence.len(), |next| index(*next) + 1);
        &sequence[index(leftmost[of])..end]
    };
    let mut names = vec![0; leftmost.len()];
    let (mut last, mut count): (Option<&[u32]>, usize) = (None, 0);
    for of in in_order.iter().map(|at| rank(*at)) {
        let this = substring(of);
        count += usize::from(last != Some(this));
        names[of] = number(count - 1);
        last = Some(this);
    }
    (names, count)
}

/// A set of positions, with one bit for each.
struct Positions(Vec<u64>);

impl Positions {
    fn new(len: usize) -> Self {
        Self(vec![0; len.div_ceil(64)])
    }

    fn add(&mut self, at: usize, is_set: bool) {
        self.0[at / 64] |= u64::from(is_set) << (at % 64);
    }

    fn get(&self, at: usize) -> bool {
        self.0[at / 64] >> (at % 64) & 1 == 1
    }
}

/// Returns the positions of the suffixes that are smaller than the next shorter suffix.
fn smaller_than_next(sequence: &[u32]) -> Positions {
    let mut bits = Positions::new(sequence.len());
    let mut is_small = false;
    for (at, pair) in sequence.windows(2).enumerate().rev() {
        is_small = pair[0] < pair[1] || pair[0] == pair[1] && is_small;
        bits.add(at, is_small);
    }
    bits
}

/// The ranges of the suffix array that contain the suffixes beginning with each letter.
struct Buckets {
    /// The start of each range, and the end of the last one.
    starts: Vec<u32>,
}

impl Buckets {
    fn new(sequence: &[u32], letters: usize) -> Self {
        let mut starts = vec![0; letters + 1];
        for letter in sequence {
            starts[index(*letter) + 1] += 1;
        }
        for at in 0..letters {
            starts[at + 1] += starts[at];
        }
        Self { starts }
    }

    /// Sorts all suffixes from the given ones, which must be in order, in two passes.
    fn induce(
        &self,
        sequence: &[u32],
        is_small: &Positions,
        given: &[u32],
        suffixes: &mut [u32],
        advance: Option<&Advance>,
    ) {
        suffixes.fill(NO_SUFFIX);
        let mut ends = self.starts[1..].to_vec();
        for at in given.iter().rev() {
            let end = &mut ends[index(sequence[index(*at)])];
            *end -= 1;
            suffixes[index(*end)] = *at;
        }
        let mut starts = self.starts.clone();
        let mut put_large = |at: usize, suffixes: &mut [u32]| {
            let start = &mut starts[index(sequence[at])];
            suffixes[index(*start)] = number(at);
            *start += 1;
        };
        // The last suffix is larger than the empty suffix that follows it.
        put_large(sequence.len() - 1, suffixes);
        for step in steps(suffixes.len()) {
            for place in step.clone() {
                let at = suffixes[place];
                if at != NO_SUFFIX && at > 0 && !is_small.get(index(at) - 1) {
                    put_large(index(at) - 1, suffixes);
                }
            }
            report(advance, &step);
        }
        ends.copy_from_slice(&self.starts[1..]);
        for step in steps(suffixes.len()).rev() {
            for place in step.clone().rev() {
                let at = suffixes[place];
                if at != NO_SUFFIX && at > 0 && is_small.get(index(at) - 1) {
                    let end = &mut ends[index(sequence[index(at) - 1])];
                    *end -= 1;
                    suffixes[index(*end)] = at - 1;
                }
            }
            report(advance, &step);
        }
    }
}

/// Splits a pass over `len` words into the steps after which progress is reported.
fn steps(len: usize) -> impl DoubleEndedIterator<Item = Range<usize>> {
    (0..len.div_ceil(STEP)).map(move |step| step * STEP..len.min((step + 1) * STEP))
}

fn report(advance: Option<&Advance>, step: &Range<usize>) {
    if let Some(advance) = advance {
        advance.add(step.len() as u64);
    }
}

/// Returns the length of the common prefix of each suffix of the array and the one before it; 0 for
/// the first. One pass over the sequence is added to `advance`.
fn common_prefixes(sequence: &[u32], suffixes: &[u32], advance: &Advance) -> Vec<u32> {
    // For each position in the sequence, the suffix before it in the array, and later the length of
    // their common prefix (Kärkkäinen et al. 2009).
    let mut before = vec![NO_SUFFIX; sequence.len()];
    for pair in suffixes.windows(2) {
        before[index(pair[1])] = pair[0];
    }
    let mut length = 0;
    for at in 0..sequence.len() {
        if at % STEP == 0 {
            report(Some(advance), &(at..sequence.len().min(at + STEP)));
        }
        let Some(other) = Some(before[at]).filter(|other| *other != NO_SUFFIX).map(index) else {
            (before[at], length) = (0, 0);
            continue;
        };
        let (one, other) = (&sequence[at + length..], &sequence[other + length..]);
        length += one.iter().zip(other).take_while(|(one, other)| one == other).count();
        before[at] = number(length);
        length = length.saturating_sub(1);
    }
    suffixes.iter().map(|at| before[index(*at)]).collect()
}

#[cfg(test)]
mod suffix_tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// The suffixes are sorted as when they are compared directly.
        #[test]
        fn suffixes_are_sorted_as_they_read(
            letters in 1_u32..5, sequence in proptest::collection::vec(0_u32..4, 0..60),
        ) {
            let sequence: Vec<u32> = sequence.into_iter().map(|it| it % letters).collect();
            let mut want: Vec<u32> = (0..number(sequence.len())).collect();
            want.sort_by_key(|at| &sequence[index(*at)..]);
            let found = suffix_array(&sequence, index(letters), None);
            prop_assert_eq!(&found, &want);
            let shared = |pair: &[u32]| {
                let [one, other] = [pair[0], pair[1]].map(|at| &sequence[index(at)..]);
                number(one.iter().zip(other).take_while(|(one, other)| one == other).count())
            };
            let want: Vec<u32> =
                want.first().map(|_| 0).into_iter().chain(want.windows(2).map(shared)).collect();
            prop_assert_eq!(common_prefixes(&sequence, &found, &Advance::default()), want);
        }
    }
}

#[cfg(test)]
mod tests;
