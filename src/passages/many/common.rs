//! Finds widespread words: those that many texts have in common because of a notice or a form, and
//! not because one was copied from another.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZeroUsize;
use std::ops::Range;

use super::super::pair::WORD;
use super::super::{CommonRange, SubmissionCounts, Window, Words};
use super::index::{Index, NO_STRETCH};
use crate::interner::place;
use crate::parallel;

/// The number of texts whose windows are held in memory at a time.
const BATCH: usize = if cfg!(test) { 3 } else { 1 << 12 };

/// The widespread words of texts, and the stretches that they form.
///
/// A window, which has as many words in a row as a passage must have, is widespread if at least
/// `least_texts` texts contain it. All words of widespread windows are widespread, if the words of
/// the stretch that they form are worth a passage together. A passage of two texts counts if it
/// contains no widespread words on either side, or if the rest of it would still be a passage.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Widespread {
    /// For each text, the ranges of its widespread words, in order.
    ranges: Vec<Vec<Range<usize>>>,
    /// For each text, the widespread windows in these ranges, in order: the first word and the
    /// number of the window.
    windows: Vec<Vec<(u32, u32)>>,
    window: usize,
    /// The [listed](super::super::CommonWindows::listed) stretches, the longest first, equally long
    /// ones by text and position.
    pub listed: Vec<CommonRange>,
}

impl Widespread {
    /// Returns the ranges of widespread words of a text.
    pub fn ranges(&self, text: u32) -> &[Range<usize>] {
        self.ranges.get(text as usize).map_or(&[], Vec::as_slice)
    }

    /// Returns the texts that contain each widespread window, in increasing order, by the number of
    /// the window.
    pub fn texts_of_windows(&self) -> Vec<Vec<u32>> {
        let mut texts: Vec<Vec<u32>> = Vec::new();
        for (text, windows) in (0..).zip(&self.windows) {
            for (_, window) in windows {
                let window = *window as usize;
                texts.resize_with(texts.len().max(window + 1), Vec::new);
                if texts[window].last() != Some(&text) {
                    texts[window].push(text);
                }
            }
        }
        texts
    }

    /// Returns the numbers of the widespread windows of a text, in order.
    pub fn windows(&self, text: u32) -> impl Iterator<Item = usize> {
        self.windows.get(text as usize).into_iter().flatten().map(|(_, window)| *window as usize)
    }

    /// Returns the number of words of a text in those widespread windows for which `is_counted` is
    /// true. Only rows of at least `min_words` words count.
    pub fn covered(
        &self,
        text: u32,
        is_counted: impl Fn(usize) -> bool,
        min_words: usize,
    ) -> usize {
        let mut row = SharedRow::default();
        for (at, window) in self.windows.get(text as usize).into_iter().flatten() {
            if is_counted(*window as usize) {
                row.add(*at as usize..*at as usize + self.window, min_words);
            }
        }
        row.ended(min_words)
    }

    /// Returns the texts that share widespread windows with a text, each with the number of words of
    /// the text in these windows. Only rows of at least `min_words` words count.
    ///
    /// `texts` has the texts that are considered, by the number of the window. The cost is linear in
    /// their number, added up over the windows of the text.
    pub fn sharing(&self, text: u32, texts: &[Vec<u32>], min_words: usize) -> BTreeMap<u32, usize> {
        let mut rows: BTreeMap<u32, SharedRow> = BTreeMap::new();
        for (at, window) in self.windows.get(text as usize).into_iter().flatten() {
            let words = *at as usize..*at as usize + self.window;
            for other in texts[*window as usize].iter().filter(|it| **it != text) {
                rows.entry(*other).or_default().add(words.clone(), min_words);
            }
        }
        let covered = rows.into_iter().map(|(other, row)| (other, row.ended(min_words)));
        covered.filter(|(_, covered)| *covered > 0).collect()
    }
}

/// Words of a text that it shares with another.
#[derive(Default)]
struct SharedRow {
    /// The number of words in the rows that have ended.
    covered: usize,
    /// The row that may go on.
    last: Range<usize>,
}

impl SharedRow {
    /// Adds the words of a window, which does not begin before those that were added earlier.
    fn add(&mut self, words: Range<usize>, min_words: usize) {
        if words.start > self.last.end {
            *self = Self { covered: self.ended(min_words), last: words };
        } else {
            self.last.end = words.end;
        }
    }

    fn ended(&self, min_words: usize) -> usize {
        let last = self.last.len();
        self.covered + if last >= min_words { last } else { 0 }
    }
}

/// Returns the number of texts, of a given number, that must contain a window for it to be
/// widespread: more than a tenth, at least ten, and at most a thousand, which make half a million
/// pairs.
pub fn least_texts(texts: usize) -> usize {
    (texts / 10 + 1).clamp(10, 1000)
}

impl Index<'_> {
    /// Finds the windows that at least `least_texts` texts contain.
    ///
    /// `groups` has the number of the group of each text; texts of one group count once, and a text
    /// without a number is a group of its own. Windows that occur in no text for which `is_asked`
    /// is true are skipped. The cost is that of reading the texts once, and of sorting what may be
    /// widespread.
    pub fn widespread(
        &self,
        (groups, least_texts): (&[u32], usize),
        is_asked: impl Fn(u32) -> bool,
        threads: NonZeroUsize,
    ) -> Widespread {
        let is_often = self.are_often(least_texts);
        let mut order: Vec<u32> = (0..place(self.texts.len())).collect();
        let (asked, others): (Vec<u32>, Vec<u32>) = order.iter().partition(|it| is_asked(**it));
        let asked = (!others.is_empty()).then(|| {
            let windows = |text: &u32| self.windows(*text, &is_often);
            let all = parallel::map(threads, &asked, windows);
            all.into_iter().flatten().map(|(_, window)| window).collect::<BTreeSet<Window>>()
        });
        let is_of_asked = |it: &Window| asked.as_ref().is_none_or(|asked| asked.contains(it));
        let group = |text: u32| groups.get(text as usize).copied().ok_or(text);
        order.sort_by_key(|text| group(*text));
        let (mut counts, mut some) = (SubmissionCounts::default(), Vec::new());
        let (mut last, mut number) = (None, 0);
        for batch in order.chunks(BATCH) {
            let found = parallel::map(threads, batch, |text| {
                let mut windows: Vec<Window> =
                    self.windows(*text, &is_often).into_iter().map(|(_, it)| it).collect();
                windows.retain(is_of_asked);
                windows.sort_unstable();
                windows.dedup();
                windows
            });
            for (text, windows) in batch.iter().zip(found) {
                if last != Some(group(*text)) {
                    last = Some(group(*text));
                    number += 1;
                }
                if !windows.is_empty() {
                    some.push(*text);
                }
                for window in windows {
                    counts.count(window, number);
                }
            }
        }
        some.sort_unstable();
        let common = counts.common(least_texts);
        let found = parallel::map(threads, &some, |text| {
            let words = self.words(*text);
            let mut windows = common.among(words.windows(self.min_match).into_iter());
            let ranges = words.stretches(&windows, self.min_match);
            let whole: Vec<Window> =
                ranges.iter().map(|range| words.window(range.clone())).collect();
            windows.retain(|(at, _)| {
                let next = ranges.partition_point(|range| range.end <= *at as usize);
                ranges.get(next).is_some_and(|range| range.start <= *at as usize)
            });
            (windows, ranges, whole)
        });
        let mut ranges = vec![Vec::new(); self.texts.len()];
        let mut windows = vec![Vec::new(); self.texts.len()];
        let mut stretches = Vec::new();
        for (text, (windows_of_text, of_text, whole)) in some.into_iter().zip(found) {
            stretches
                .extend(of_text.iter().cloned().zip(whole).map(|(it, whole)| (text, it, whole)));
            ranges[text as usize] = of_text;
            windows[text as usize] = windows_of_text;
        }
        let mut listed = common.listed(stretches.into_iter(), &windows, self.min_match);
        listed.sort_by_key(|it| (Reverse(it.words.len()), it.text, it.words.start));
        Widespread { ranges, windows, window: self.min_match.words(), listed }
    }

    /// Returns the index for passages that count without widespread words.
    #[must_use]
    pub fn without_widespread(&self, widespread: &Widespread) -> Self {
        self.without(&widespread.ranges)
    }

    /// Determines for each stretch whether at least `least_texts` texts contain it.
    fn are_often(&self, least_texts: usize) -> Vec<bool> {
        let is_often = |number: usize| {
            let places = &self.places[self.range(number)];
            let texts = places.chunk_by(|one, next| one.text == next.text);
            places.len() >= least_texts && texts.count() >= least_texts
        };
        (0..self.ends.len()).map(is_often).collect()
    }

    /// Returns the windows of a text that have at least one stretch, and all of whose stretches
    /// occur in many texts, each with the position of its first word.
    fn windows(&self, text: u32, is_often: &[bool]) -> Vec<(usize, Window)> {
        let stretches = &self.stretches[self.texts.range(text)];
        let is_often = |at: usize| stretches[at] != NO_STRETCH && is_often[stretches[at] as usize];
        if !(0..stretches.len()).any(is_often) {
            return Vec::new();
        }
        let lengths = self.lengths(text);
        let may_be_common = |start: usize| {
            let window = start..start + self.min_match.words();
            let is_inside =
                |at: &usize| lengths[*at] > 0 && at + lengths[*at] as usize <= window.end;
            let mut inside = window.clone().filter(is_inside).peekable();
            inside.peek().is_some() && inside.all(is_often)
        };
        let mut windows = self.words(text).windows(self.min_match);
        windows.retain(|(start, _)| may_be_common(*start));
        windows
    }

    /// Returns the words of a text in the form from which windows are made.
    fn words(&self, text: u32) -> Words {
        let numbers = self.texts.numbers(text);
        let less = |number| u8::try_from(WORD - self.texts.worth(number)).unwrap_or_default();
        let less = numbers.clone().map(less).collect();
        let keys = numbers.map(u64::from).collect();
        Words { keys, less, breaks: self.texts.breaks(text).to_vec() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn widespread_is_more_than_a_tenth_and_ten_at_least() {
        let table = [
            (0, 10),
            (20, 10),
            (99, 10),
            (100, 11),
            (109, 11),
            (110, 12),
            (1703, 171),
            (9_989, 999),
            (9_990, 1000),
            (100_000, 1000),
        ];
        for (texts, want) in table {
            assert_eq!(least_texts(texts), want, "{texts} texts");
        }
    }
}
