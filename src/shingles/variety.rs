//! Whether the set of a text represents the text: whether it has enough distinct stems, and whether
//! its words do more than repeat.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::{Ngrams, Shingles, compose};
use crate::interner::{Stem, StemTable, numbers, place, stretches};

/// Replaces every stem that is a number which counts up: such numbers are no evidence. No stem is
/// equal to it.
pub(super) const COUNTER: &str = "#";

/// The variety of the words of a text, on which it depends whether its set of shingles is evidence.
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, Ord, PartialEq, PartialOrd, Serialize)]
pub enum Variety {
    /// The set represents the text.
    #[default]
    Varied,
    /// The words mostly repeat, as in answer sheets and tables. Either the text has fewer than half
    /// as many distinct shingles of the greatest size as positions at which one begins, where all
    /// numbers that count up are taken for the same; or such numbers are at least a quarter of its
    /// stems. Any two such texts with the same few words, or of the same length, have similar sets.
    Repetitive,
    /// The text has fewer than [`MIN_STEMS`](Self::MIN_STEMS) distinct stems.
    FewStems,
}

impl Variety {
    /// Returns its name in output, which never changes.
    pub fn name(self) -> &'static str {
        match self {
            Self::Varied => "varied",
            Self::Repetitive => "repetitive",
            Self::FewStems => "few-stems",
        }
    }

    /// The smallest number of distinct stems with which the set of a text is evidence.
    ///
    /// After the removal of stop words, "He was killed by her" and "Who was it that killed him?"
    /// have one stem and the same set. docs/accuracy.md has the measurement.
    pub const MIN_STEMS: usize = 8;

    /// A text merely repeats words if at least one stem in this many is a number that counts up.
    const COUNTERS_ONE_IN: usize = 4;

    /// Returns the variety of a text of `length` stems, `counters` of which are numbers that count
    /// up. With all of these taken for the same, the text has `distinct` distinct stems, which may
    /// be capped at [`MIN_STEMS`](Self::MIN_STEMS), and `longest` distinct shingles of the greatest
    /// size, which begin at `places` positions.
    pub(super) fn new(
        [distinct, length, counters]: [usize; 3],
        [longest, places]: [usize; 2],
    ) -> Self {
        if distinct < Self::MIN_STEMS {
            Self::FewStems
        } else if 2 * longest < places || Self::COUNTERS_ONE_IN * counters >= length {
            Self::Repetitive
        } else {
            Self::Varied
        }
    }

    /// Returns the variety of a pair. Its words merely repeat if those of both texts do: the set of
    /// the other text represents that text.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::FewStems, _) | (_, Self::FewStems) => Self::FewStems,
            (Self::Repetitive, Self::Repetitive) => Self::Repetitive,
            _ => Self::Varied,
        }
    }

    /// Returns the variety of a text of `length` stems, with breaks before those at `breaks`, and
    /// with `longest` distinct shingles of the greatest size. `stems` returns a range of its stems,
    /// as indices into `distinct`. Nearly all texts are read once, to count their numbers.
    pub(crate) fn of_stems<'s>(
        (length, breaks): (usize, &[usize]),
        stems: impl Fn(Range<usize>) -> Cow<'s, [u32]>,
        distinct: &StemTable,
        (longest, ngrams): (usize, Ngrams),
    ) -> Self {
        /// The number of stems that are read at a time.
        const BLOCK: usize = 1 << 10;
        let stem = |place: u32| &distinct.stems[place as usize];
        let windows = |stretch: Range<usize>| (stretch.len() + 1).saturating_sub(ngrams.max());
        let places = stretches(breaks, length).map(windows).sum();
        let mut numbers = 0;
        let mut others: Vec<Stem> = Vec::with_capacity(Self::MIN_STEMS);
        for start in (0..length).step_by(BLOCK) {
            for place in &*stems(start..length.min(start + BLOCK)) {
                if distinct.is_number(*place as usize) {
                    numbers += 1;
                } else if others.len() < Self::MIN_STEMS && !others.contains(stem(*place)) {
                    others.push(*stem(*place));
                }
            }
        }
        // As a lower bound, every number is assumed to count up: at most this many windows contain a
        // number.
        let windows = ngrams.max().saturating_add(distinct.greatest_more().into());
        let windows = windows.saturating_mul(numbers);
        let least = Self::new(
            [others.len() + numbers.min(1), length, numbers],
            [longest.saturating_sub(windows), places],
        );
        if least == Self::Varied || numbers == 0 {
            return least;
        }
        let all = stems(0..length);
        let values = all.iter().map(|place| numbers::value(stem(*place)));
        let (mut own, mut known) = (StemTable::default(), BTreeMap::new());
        let counters = numbers::counting_up(values);
        if !counters.is_empty() {
            own.push(COUNTER); // the first stem
        }
        let mut number = |at: usize| {
            *known.entry(distinct.stems[at].key()).or_insert_with(|| {
                own.add_from(distinct, at);
                place(own.stems.len() - 1)
            })
        };
        let mut rest = counters.iter().peekable();
        let same = all.iter().enumerate().map(|(at, place)| match rest.next_if_eq(&&at) {
            Some(_) => 0,
            None => number(*place as usize),
        });
        let same: Vec<u32> = same.collect();
        let of_longest = Ngrams { min: ngrams.max, max: ngrams.max };
        let longest = compose::sets(&same, breaks, &own, of_longest).longest.len();
        Self::new([own.stems.len(), length, counters.len()], [longest, places])
    }
}

impl Shingles {
    /// Returns the variety of the words that the shingles were cut from.
    pub fn variety(&self) -> Variety {
        self.variety
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::Variety::{FewStems, Repetitive, Varied};
    use super::*;
    use crate::shingles::{compose, cut};
    use crate::stems::Stems;

    /// Returns numbered lines.
    fn sheet(lines: usize, line: impl Fn(usize) -> String) -> String {
        let lines: Vec<String> =
            (1..=lines).map(|number| format!("{number} {}", line(number))).collect();
        lines.join(" ")
    }

    #[test]
    fn words_are_few_or_repetitive_or_neither() {
        #[rustfmt::skip]
        let table = [
            ("nothing",               "",                                        3, FewStems),
            ("seven stems",           "a b c d e f g",                           3, FewStems),
            ("eight",                 "a b c d e f g h",                         3, Varied),
            ("seven that recur",      "a b c d e f g a c e g b d f a d g c f",   3, FewStems),
            ("8 of 16 places",        "a b c d e f g h a b c d e f g h a b",     3, Varied),
            ("8 of 17",               "a b c d e f g h a b c d e f g h a b c",   3, Repetitive),
            ("no place",              "a b c d e f g h",                         9, Varied),
            ("single stems, 8 of 16", "a b c d e f g h h g f e d c b a",         1, Varied),
            ("8 of 17",               "a b c d e f g h h g f e d c b a a",       1, Repetitive),
            ("a numbered sheet",      &sheet(60, |it| (it % 4).to_string()),     3, FewStems),
            ("with many answers",     &sheet(60, |it| format!("x{}", it % 9)),   3, Repetitive),
            ("with any answers",      &sheet(60, |it| format!("x{it}")),         3, Repetitive),
            ("of longer lines",       &sheet(60, |it| format!("x{it} y{it} z{it}")),       3, Repetitive),
            ("of more words",         &sheet(60, |it| format!("x{it} y{it} z{it} w{it}")), 3, Varied),
            ("of too few lines",      &sheet(11, |it| format!("x{it}")),         3, Varied),
            ("a form",                &sheet(60, |it| format!("question answer is x{}", it % 8)), 3, Repetitive),
        ];
        for (why, stems, size, want) in table {
            let stems: Stems = stems.split_whitespace().collect();
            let shingles = cut(&stems, Ngrams::new(1, size).unwrap());
            assert_eq!(shingles.variety(), want, "{why}");
        }
    }

    #[test]
    fn a_pair_is_repetitive_if_both_texts_are() {
        #[rustfmt::skip]
        let table = [
            (Varied, Varied, Varied), (Varied, Repetitive, Varied), (Repetitive, Repetitive, Repetitive),
            (Varied, FewStems, FewStems), (Repetitive, FewStems, FewStems), (FewStems, FewStems, FewStems),
        ];
        for (one, other, want) in table {
            assert_eq!([one.and(other), other.and(one)], [want; 2], "{one:?} {other:?}");
        }
    }

    proptest! {
        /// Stems of an interner may be in the table twice, and may have breaks between them.
        #[test]
        fn composed_shingles_have_the_variety_of_those_that_are_cut(
            block in "[a-j水火]{1,12}", others in "[a-j水火]{0,90}", times in 1_usize..12, numbered in 0_usize..40,
            breaks in proptest::collection::btree_set(1_usize..60, 0..4), min in 1_usize..4, more in 0_usize..3,
        ) {
            let ngrams = Ngrams::new(min, min + more).unwrap();
            let text = block.repeat(times) + &others;
            // Some of the letters are numbered, from the first one on.
            let number = |at: usize| (at < numbered).then(|| (at + 95).to_string());
            let letters: Vec<String> = text.chars().enumerate().flat_map(|(at, letter)| {
                number(at).into_iter().chain([letter.to_string()])
            }).collect();
            let breaks: Vec<usize> = breaks.into_iter().filter(|at| *at < letters.len()).collect();
            let mut distinct = StemTable::default();
            "abcdefghij水火abc".chars().for_each(|stem| distinct.push(&stem.to_string()));
            (95..140).for_each(|number| distinct.push(&number.to_string()));
            let place = |(at, stem): (usize, &String)| {
                if let Ok(number) = stem.parse::<u32>() {
                    return number - 80;
                }
                let first = (0..).zip("abcdefghij水火".chars()).find(|(_, it)| stem.starts_with(*it)).unwrap().0;
                if at % 2 == 1 && first < 3 { first + 12 } else { first }
            };
            let stems: Vec<u32> = letters.iter().enumerate().map(place).collect();
            let plain = letters.iter().collect::<Stems>().broken_before(breaks.clone());
            let fast = compose(&stems, &breaks, &distinct, ngrams);
            prop_assert_eq!(fast.variety(), cut(&plain, ngrams).variety());
        }
    }
}
