//! Many texts as sequences of words → the runs of words that stand at two or more places.
//!
//! Goes in: for each text the numbers of its words, equal ones for equal words. Comes out: the
//! repeated runs with all their places, and the words that are no first occurrence. No run goes
//! from one text into the next. Nothing rests on a hash: the runs come from the suffix array of
//! all texts, which is made in linear time.
//!
//! Words may have [heads](Texts::with_heads): then two runs are equal where their words are, but for
//! the last one, whose head is enough. So runs are compared with what stands between their words, and
//! not with what stands behind them.
//!
//! A **repeat** is a run of at least so many words that stands at two or more places, which may
//! overlap. Of a longer run each part is a repeat, too, so that one is listed only where at least
//! one of its places lies inside no place of a longer one (the *near-supermaximal repeats* of
//! Gusfield 1997). So a text of one word a million times has one: the word, all but one time,
//! from the first place and from the second.
//! A run inside of longer ones is left out however many places it has, such as one that stands twice
//! in a text which itself stands twice.
//!
//! A word is **removable** exactly where it stands in a window of the least number of words of
//! which an equal window begins earlier, in the order of the texts.
//! Windows may overlap: of `a a a a` and windows of two, the first word alone stays.

pub mod words;

use std::ops::Range;

/// A word of a text, both counted from 0.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub struct Place {
    /// The number of the text.
    pub text: usize,
    /// The number of the word in it.
    pub word: usize,
}

/// A run of words that stands at two or more places.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Repeat {
    /// How many words it has.
    pub words: usize,
    /// Where it begins, in order.
    pub places: Vec<Place>,
}

/// The words of texts, one text after the other.
#[derive(Clone, Debug, Default)]
pub struct Texts {
    /// The words; behind each text a letter of its own, so that no run goes over it.
    words: Vec<u32>,
    /// Where each text begins.
    starts: Vec<u32>,
    /// One more than the greatest number of a word.
    numbers: u32,
    /// By the number of a word that of its head; empty where each is its own.
    heads: Vec<u32>,
}

/// There are too many words.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct TooMany;

impl Texts {
    /// No text.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a text by the numbers of its words, which are equal for equal words.
    ///
    /// # Errors
    ///
    /// Where there are 2^31 words and texts or more, or the number of a word is as great. Nothing is
    /// added then.
    pub fn add(&mut self, words: &[u32]) -> Result<(), TooMany> {
        const MOST: usize = 1 << 31;
        let greatest = words.iter().copied().max().map_or(0, |word| word as usize + 1);
        if self.words.len() + words.len() + 1 >= MOST || greatest > MOST {
            return Err(TooMany);
        }
        let start = u32::try_from(self.words.len()).map_err(|_| TooMany)?;
        self.numbers = self.numbers.max(u32::try_from(greatest).map_err(|_| TooMany)?);
        self.starts.push(start);
        self.words.extend_from_slice(words);
        self.words.push(0); // its number is known when all words are
        Ok(())
    }

    /// The same texts where the number of a word stands for the word and what is between it and the
    /// next one, and `heads` has the number of the word alone: what stands behind the last word of
    /// a run is not part of the run. Each number that was added has a head.
    #[must_use]
    pub fn with_heads(self, heads: Vec<u32>) -> Self {
        Self { heads, ..self }
    }

    /// The repeats of at least `least` words, which is taken as 1 where it is 0.
    pub fn repeats(mut self, least: usize) -> Repeats {
        self.order_by_heads();
        let ends: Vec<usize> =
            self.starts.iter().skip(1).map(|start| *start as usize - 1).collect();
        let end_of_all = self.words.len().checked_sub(1);
        let mut letters = self.numbers;
        for end in ends.into_iter().chain(end_of_all) {
            self.words[end] = letters;
            letters += 1;
        }
        let suffixes = suffix_array(&self.words, letters as usize);
        let mut common = common_prefixes(&self.words, &suffixes);
        self.add_heads(&suffixes, &mut common);
        let least = u32::try_from(least.max(1)).unwrap_or(u32::MAX);
        Repeats { words: self.words.len(), starts: self.starts, suffixes, common, least }
    }

    /// Numbers the words anew, those of one head one after the other: then suffixes that begin with
    /// the same run stand together in the array, though what is behind its last word differs.
    fn order_by_heads(&mut self) {
        let mut order: Vec<u32> = (0..self.numbers).take(self.heads.len()).collect();
        order.sort_by_key(|word| self.heads[*word as usize]); // equal ones stay in order
        let mut ranks = vec![0; order.len()];
        for (rank, word) in (0..).zip(&order) {
            ranks[*word as usize] = rank;
        }
        for word in &mut self.words {
            *word = ranks.get(*word as usize).copied().unwrap_or(*word);
        }
        self.heads = order.into_iter().map(|word| self.heads[word as usize]).collect();
    }

    /// Adds to what neighbours have in common the next word, where both have it by its head alone.
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

/// What stands at two or more places in texts.
#[derive(Clone, Debug)]
pub struct Repeats {
    /// The words of all texts, and their ends.
    words: usize,
    starts: Vec<u32>,
    suffixes: Vec<u32>,
    /// What each suffix has in common with the one before it.
    common: Vec<u32>,
    least: u32,
}

/// Suffixes that have a run in common, as they are met in the array.
struct Interval {
    words: u32,
    start: usize,
    /// Whether one of its places lies in no place of a longer run.
    is_listed: bool,
}

impl Repeats {
    /// The repeats that are listed, in the order of their first places, the longest first.
    pub fn list(&self) -> Vec<Repeat> {
        let longest = self.longest();
        let is_free = |at: u32| {
            let at = at as usize;
            let words = longest[at];
            words >= self.least && (at == 0 || longest[at - 1] <= words)
        };
        let shared = |at: usize| self.common.get(at).copied().filter(|it| *it >= self.least);
        let mut open: Vec<Interval> = Vec::new();
        let mut repeats = Vec::new();
        for (at, suffix) in (1..).zip(&self.suffixes) {
            let (before, after) =
                (shared(at - 1).unwrap_or_default(), shared(at).unwrap_or_default());
            let is_free = is_free(*suffix);
            if let Some(top) = open.last_mut().filter(|_| before > after) {
                top.is_listed |= is_free;
            }
            let mut start = at - 1;
            while let Some(closed) = open.pop_if(|top| top.words > after) {
                start = closed.start;
                if closed.is_listed {
                    repeats.push(self.repeat(closed.words, closed.start..at));
                }
            }
            if after > 0 && open.last().is_none_or(|top| top.words < after) {
                open.push(Interval { words: after, start, is_listed: false });
            }
            if let Some(top) = open.last_mut().filter(|_| after > 0 && before <= after) {
                top.is_listed |= is_free;
            }
        }
        repeats.sort_unstable_by(|one, other| {
            one.places[0].cmp(&other.places[0]).then(other.words.cmp(&one.words))
        });
        repeats
    }

    /// The words of each text that are removable, in ranges that do not touch.
    pub fn removable(&self) -> Vec<Vec<Range<usize>>> {
        // Whether a window begins here that stands earlier, too.
        let mut recurs = vec![false; self.words];
        let mut start = 0;
        for end in 1..=self.suffixes.len() {
            if self.common.get(end).is_some_and(|common| *common >= self.least) {
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
            let Place { text, word } = self.place(at);
            let end = word + self.least as usize;
            match ranges[text].last_mut().filter(|last| last.end >= word) {
                Some(last) => last.end = end,
                None => ranges[text].push(word..end),
            }
        }
        ranges
    }

    /// For each place the words of the longest run that begins there and stands elsewhere, too.
    fn longest(&self) -> Vec<u32> {
        let mut longest = vec![0; self.words];
        for (at, suffix) in self.suffixes.iter().enumerate() {
            let after = self.common.get(at + 1).copied().unwrap_or_default();
            longest[*suffix as usize] = self.common[at].max(after);
        }
        longest
    }

    fn repeat(&self, words: u32, suffixes: Range<usize>) -> Repeat {
        let mut places: Vec<Place> =
            self.suffixes[suffixes].iter().map(|at| self.place(*at)).collect();
        places.sort_unstable();
        Repeat { words: words as usize, places }
    }

    fn place(&self, at: u32) -> Place {
        let text = self.starts.partition_point(|start| *start <= at).saturating_sub(1);
        Place { text, word: (at - self.starts[text]) as usize }
    }
}

// The suffix array of a sequence of numbers by induced sorting (SA-IS; Nong, Zhang and Chan 2009), and
// what neighbours in it have in common (Kasai et al. 2001). Both take linear time.

/// An entry of the array that has no suffix yet.
const NO_SUFFIX: u32 = u32::MAX;

fn index(number: u32) -> usize {
    number as usize
}

/// A place in a sequence, which is shorter than 2^32.
fn number(index: usize) -> u32 {
    u32::try_from(index).unwrap_or(NO_SUFFIX)
}

/// The places of all suffixes in the order of the suffixes. The letters are below `letters`; there
/// are fewer than 2^32 − 1 of them in the sequence.
fn suffix_array(sequence: &[u32], letters: usize) -> Vec<u32> {
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
    buckets.induce(sequence, &is_small, &leftmost, &mut suffixes);
    if leftmost.is_empty() {
        return suffixes;
    }
    let in_order: Vec<u32> =
        suffixes.iter().copied().filter(|at| is_leftmost(index(*at))).collect();
    let (names, count) = named(sequence, &leftmost, &in_order);
    let order = if count == leftmost.len() {
        in_order // all are different
    } else {
        drop(in_order);
        let order = suffix_array(&names, count);
        order.into_iter().map(|of| leftmost[index(of)]).collect()
    };
    drop((names, leftmost));
    buckets.induce(sequence, &is_small, &order, &mut suffixes);
    suffixes
}

/// For each substring from one leftmost place to the next, in the order of the text, its number in
/// the order of the substrings; and how many numbers there are.
fn named(sequence: &[u32], leftmost: &[u32], in_order: &[u32]) -> (Vec<u32>, usize) {
    // No two leftmost places are neighbours.
    let mut ranks = vec![0; sequence.len() / 2 + 1];
    for (rank, at) in leftmost.iter().enumerate() {
        ranks[index(*at) / 2] = number(rank);
    }
    let rank = |at: u32| index(ranks[index(at) / 2]);
    // The last ends with the text. Where it equals another one, it is the smaller suffix by its
    // length, and so it is among the numbers.
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

/// A set of places, a bit each.
struct Bits(Vec<u64>);

impl Bits {
    fn get(&self, at: usize) -> bool {
        self.0[at / 64] >> (at % 64) & 1 == 1
    }
}

/// The suffixes that are smaller than the one that begins a place later.
fn smaller_than_next(sequence: &[u32]) -> Bits {
    let mut bits = vec![0; sequence.len().div_ceil(64)];
    let mut is_small = false;
    for (at, pair) in sequence.windows(2).enumerate().rev() {
        is_small = pair[0] < pair[1] || pair[0] == pair[1] && is_small;
        bits[at / 64] |= u64::from(is_small) << (at % 64);
    }
    Bits(bits)
}

/// Where the suffixes that begin with each letter stand in the array.
struct Buckets {
    /// Where each begins; one more than there are letters.
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

    /// Sorts all suffixes by those that are given, which are in order.
    fn induce(&self, sequence: &[u32], is_small: &Bits, given: &[u32], suffixes: &mut [u32]) {
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
        // The last suffix has no next one, and is larger than it.
        put_large(sequence.len() - 1, suffixes);
        for place in 0..suffixes.len() {
            let at = suffixes[place];
            if at != NO_SUFFIX && at > 0 && !is_small.get(index(at) - 1) {
                put_large(index(at) - 1, suffixes);
            }
        }
        ends.copy_from_slice(&self.starts[1..]);
        for place in (0..suffixes.len()).rev() {
            let at = suffixes[place];
            if at != NO_SUFFIX && at > 0 && is_small.get(index(at) - 1) {
                let end = &mut ends[index(sequence[index(at) - 1])];
                *end -= 1;
                suffixes[index(*end)] = at - 1;
            }
        }
    }
}

/// How many letters each suffix of the array has in common with the one before it; of the first, 0.
fn common_prefixes(sequence: &[u32], suffixes: &[u32]) -> Vec<u32> {
    // The suffix that stands before each, by the place in the sequence (Kärkkäinen et al. 2009).
    let mut before = vec![NO_SUFFIX; sequence.len()];
    for pair in suffixes.windows(2) {
        before[index(pair[1])] = pair[0];
    }
    let mut length = 0;
    for at in 0..sequence.len() {
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
        /// The order is that of the suffixes themselves.
        #[test]
        fn suffixes_are_sorted_as_they_read(
            letters in 1_u32..5, sequence in proptest::collection::vec(0_u32..4, 0..60),
        ) {
            let sequence: Vec<u32> = sequence.into_iter().map(|it| it % letters).collect();
            let mut want: Vec<u32> = (0..number(sequence.len())).collect();
            want.sort_by_key(|at| &sequence[index(*at)..]);
            let found = suffix_array(&sequence, index(letters));
            prop_assert_eq!(&found, &want);
            let shared = |pair: &[u32]| {
                let [one, other] = [pair[0], pair[1]].map(|at| &sequence[index(at)..]);
                number(one.iter().zip(other).take_while(|(one, other)| one == other).count())
            };
            let want: Vec<u32> =
                want.first().map(|_| 0).into_iter().chain(want.windows(2).map(shared)).collect();
            prop_assert_eq!(common_prefixes(&sequence, &found), want);
        }
    }
}

#[cfg(test)]
mod tests;
