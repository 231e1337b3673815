//! Whether the set of a text represents the text: whether it has enough distinct stems, and whether
//! its words do more than repeat.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::{Ngrams, Shingles};
use crate::interner::{Stem, StemTable, stretches};

/// The variety of the words of a text, on which it depends whether its set of shingles is evidence.
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, Ord, PartialEq, PartialOrd, Serialize)]
pub enum Variety {
    /// The set represents the text.
    #[default]
    Varied,
    /// The words merely repeat: the text has fewer than half as many distinct shingles of the
    /// greatest size as places where one begins, as answer sheets and tables do. Any two such texts
    /// with the same few words have similar sets.
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

    /// Returns the variety of a text with a number of distinct stems, which may be capped at
    /// [`MIN_STEMS`](Self::MIN_STEMS), and with `longest` distinct shingles of the greatest size at
    /// `places` places.
    pub fn new(stems: usize, longest: usize, places: usize) -> Self {
        if stems < Self::MIN_STEMS {
            Self::FewStems
        } else if 2 * longest < places {
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
    /// as indices into `distinct`: few of them are read, unless hardly any two differ.
    pub(crate) fn of_stems<'s>(
        (length, breaks): (usize, &[usize]),
        stems: impl Fn(Range<usize>) -> std::borrow::Cow<'s, [u32]>,
        distinct: &StemTable,
        (longest, ngrams): (usize, Ngrams),
    ) -> Self {
        /// The number of stems that are read first.
        const BEGINNING: usize = 64;
        let count = |stems: &[u32]| {
            let mut seen: Vec<Stem> = Vec::with_capacity(Self::MIN_STEMS);
            for stem in stems.iter().map(|place| distinct.stems[*place as usize]) {
                if !seen.contains(&stem) {
                    seen.push(stem);
                    if seen.len() == Self::MIN_STEMS {
                        break;
                    }
                }
            }
            seen.len()
        };
        let mut different = count(&stems(0..length.min(BEGINNING)));
        if different < Self::MIN_STEMS && length > BEGINNING {
            different = count(&stems(0..length));
        }
        let windows = |stretch: Range<usize>| (stretch.len() + 1).saturating_sub(ngrams.max());
        Self::new(different, longest, stretches(breaks, length).map(windows).sum())
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
            block in "[a-j水火]{1,12}", others in "[a-j水火]{0,90}", times in 1_usize..12,
            breaks in proptest::collection::btree_set(1_usize..60, 0..4), min in 1_usize..4, more in 0_usize..3,
        ) {
            let ngrams = Ngrams::new(min, min + more).unwrap();
            let text = block.repeat(times) + &others;
            let letters: Vec<String> = text.chars().map(String::from).collect();
            let breaks: Vec<usize> = breaks.into_iter().filter(|at| *at < letters.len()).collect();
            let mut distinct = StemTable::default();
            "abcdefghij水火abc".chars().for_each(|stem| distinct.push(&stem.to_string()));
            let place = |(at, stem): (usize, char)| {
                let first = (0..).zip("abcdefghij水火".chars()).find(|(_, it)| *it == stem).unwrap().0;
                if at % 2 == 1 && first < 3 { first + 12 } else { first }
            };
            let stems: Vec<u32> = text.chars().enumerate().map(place).collect();
            let plain = letters.iter().collect::<Stems>().broken_before(breaks.clone());
            let fast = compose(&stems, &breaks, &distinct, ngrams);
            prop_assert_eq!(fast.variety(), cut(&plain, ngrams).variety());
        }
    }
}
