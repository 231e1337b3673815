//! Finds the passages that many texts have in common.

use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::num::NonZeroUsize;

use super::super::pair::WORD;
use super::super::{CommonRange, SubmissionCounts, Window, Words};
use super::index::{Index, NO_STRETCH};
use crate::interner::place;
use crate::parallel;

/// The number of texts whose windows are held in memory at a time.
const BATCH: usize = if cfg!(test) { 3 } else { 1 << 12 };

/// Returns the number of texts, of a given number, that must have a passage for it to be listed as
/// common to many: a tenth and ten at least, or half of them; a thousand in any case. `None` if there
/// are fewer than ten texts.
pub fn least_texts(texts: usize) -> Option<usize> {
    (texts >= 10).then(|| texts.div_ceil(10).max(10).min(texts.div_ceil(2)).min(1000))
}

impl Index<'_> {
    /// Finds the passages that at least `least_texts` texts have in common, the longest first, equally
    /// long ones by text and position. Each comes with the texts that have it: those with the window of
    /// it that most texts have.
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
    ) -> Vec<(CommonRange, Vec<u32>)> {
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
            let windows = common.among(words.windows(self.min_match).into_iter());
            let ranges = words.stretches(&windows, self.min_match).into_iter();
            let whole: Vec<_> = ranges.map(|it| (it.clone(), words.window(it))).collect();
            (windows, whole)
        });
        let mut windows = vec![Vec::new(); self.texts.len()];
        let mut stretches = Vec::new();
        for (text, (of_text, whole)) in some.into_iter().zip(found) {
            stretches.extend(whole.into_iter().map(|(words, whole)| (text, words, whole)));
            windows[text as usize] = of_text;
        }
        let mut listed = common.listed(stretches.into_iter(), &windows, self.min_match);
        listed.sort_by_key(|it| (Reverse(it.words.len()), it.text, it.words.start));
        let mut texts: Vec<Vec<u32>> = vec![Vec::new(); common.len()];
        for (text, windows) in (0..).zip(&windows) {
            for (_, window) in windows {
                let texts = &mut texts[*window as usize];
                if texts.last() != Some(&text) {
                    texts.push(text);
                }
            }
        }
        let with_texts = |it: CommonRange| {
            let most = it.windows.iter().rev().max_by_key(|window| texts[**window].len());
            let texts = most.map(|window| texts[*window].clone()).unwrap_or_default();
            (it, texts)
        };
        listed.into_iter().map(with_texts).collect()
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
    fn many_are_a_tenth_and_ten_at_least_or_half() {
        let table = [
            (0, None),
            (9, None),
            (10, Some(5)),
            (19, Some(10)),
            (20, Some(10)),
            (100, Some(10)),
            (101, Some(11)),
            (1703, Some(171)),
            (9_990, Some(999)),
            (100_000, Some(1000)),
        ];
        for (texts, want) in table {
            assert_eq!(least_texts(texts), want, "{texts} texts");
        }
    }
}
