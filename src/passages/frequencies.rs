//! Counts how often each word occurs in two texts, and how often frequent words follow each other.

use std::sync::OnceLock;

/// The unit of evidence, in parts of a bit: this many units are one bit.
pub(super) const BIT: i64 = 16;

/// A word is frequent if it occurs at least 8 times and is at least one of 256 words of both texts. The
/// words of a form are frequent if the form is a large part of the texts.
const FREQUENT: u32 = 8;
const FREQUENT_ONE_IN: u64 = 256;

/// Replaces the number of every word that is a number which counts up. No word has this number.
pub(super) const COUNTER: u32 = u32::MAX;

/// How often each word occurs in two texts.
#[derive(Debug, Default)]
pub(super) struct Frequencies {
    /// The number of occurrences in both texts, by the number of the word.
    counts: Vec<u32>,
    /// The number of words that are counted.
    all: u64,
    /// For each side, whether a word is not counted; empty if all are.
    is_repeated: [Vec<bool>; 2],
    /// The pairs of words of which the second follows the first, if both occur often. It is computed
    /// only if it is needed.
    follows: OnceLock<Follows>,
}

impl Frequencies {
    /// Takes the counts of all words, by the number of the word.
    pub(super) fn from_counts(counts: Vec<u32>) -> Self {
        let all = counts.iter().copied().map(u64::from).sum();
        Self { counts, all, ..Self::default() }
    }

    /// Returns the least possible counts.
    pub(super) fn least(words: &[Vec<u32>; 2]) -> Self {
        Self { all: words.iter().map(|words| words.len() as u64).sum(), ..Self::default() }
    }

    /// Counts the words of windows of `length` words that a text repeats only where the text has them
    /// for the first time. `windows` has the number of each window, equal for equal windows.
    pub(super) fn without_repeats(
        words: &[Vec<u32>; 2],
        distinct: usize,
        (windows, length): (&[Vec<u32>; 2], usize),
    ) -> Self {
        let is_repeated = windows.each_ref().map(|windows| {
            let mut is_known =
                vec![false; windows.iter().max().map_or(0, |most| *most as usize + 1)];
            let mut end_of_repeated = 0;
            let mut is_repeated = Vec::with_capacity(windows.len() + length);
            for (at, window) in windows.iter().enumerate() {
                if std::mem::replace(&mut is_known[*window as usize], true) {
                    end_of_repeated = at + length;
                }
                is_repeated.push(at < end_of_repeated);
            }
            let rest = windows.len()..end_of_repeated;
            is_repeated.extend(rest.map(|_| true));
            is_repeated
        });
        Self::new(words, distinct, is_repeated)
    }

    /// Counts the words that are not repeated, which are numbered below `distinct`.
    pub(super) fn new(words: &[Vec<u32>; 2], distinct: usize, is_repeated: [Vec<bool>; 2]) -> Self {
        let mut known = Self { is_repeated, ..Self::default() };
        let mut counts = vec![0; distinct];
        for (side, words) in words.iter().enumerate() {
            for (at, word) in words.iter().enumerate() {
                if known.is_counted(side, at) {
                    counts[*word as usize] += 1;
                    known.all += 1;
                }
            }
        }
        Self { counts, ..known }
    }

    fn is_counted(&self, side: usize, at: usize) -> bool {
        !self.is_repeated[side].get(at).is_some_and(|is_repeated| *is_repeated)
    }

    /// Reports whether a word, or [`COUNTER`], occurs often.
    pub(super) fn is_frequent(&self, symbol: u32) -> bool {
        let count = self.counts.get(symbol as usize);
        symbol == COUNTER
            || count.is_some_and(|count| {
                *count >= FREQUENT && u64::from(*count) * FREQUENT_ONE_IN >= self.all
            })
    }

    /// Counts which frequent words follow which. `symbol` returns the number of a word of a side, or
    /// [`COUNTER`].
    pub(super) fn follows(
        &self,
        lengths: [usize; 2],
        symbol: impl Fn(usize, usize) -> u32,
    ) -> &Follows {
        self.follows.get_or_init(|| {
            // At most FREQUENT_ONE_IN words are frequent; the first is COUNTER.
            let mut numbers = vec![None; self.counts.len()];
            let frequent = (0..).zip(&mut numbers).filter(|(word, _)| self.is_frequent(*word));
            let frequent = frequent.zip(1..).map(|((_, number), next)| *number = Some(next));
            let count = frequent.count() + 1;
            let number = |symbol: u32| match symbol {
                COUNTER => Some(0),
                word => numbers[word as usize],
            };
            let (mut pairs, mut all) = (vec![0; count * count], vec![0; count]);
            for (side, length) in lengths.into_iter().enumerate() {
                let mut before: Option<usize> = None;
                for at in 0..length {
                    let this = number(symbol(side, at));
                    if self.is_counted(side, at)
                        && let Some(before) = before
                    {
                        all[before] += 1;
                        if let Some(this) = this {
                            pairs[before * count + this] += 1;
                        }
                    }
                    before = this;
                }
            }
            Follows { numbers, pairs, all }
        })
    }

    /// Returns the evidence of an occurrence of a word, in parts of a bit.
    pub(super) fn bits(&self, word: u32) -> i64 {
        let count = self.counts.get(word as usize).copied().unwrap_or(1);
        logarithm(self.all, count.into())
    }
}

/// How often which frequent words follow which.
#[derive(Debug)]
pub(super) struct Follows {
    /// For each word, its number among the frequent ones, from 1; [`COUNTER`] is number 0.
    numbers: Vec<Option<usize>>,
    /// For each two frequent words, how often the second follows the first.
    pairs: Vec<u32>,
    /// For each frequent word, how often any word follows it.
    all: Vec<u32>,
}

impl Follows {
    /// Returns the evidence of a word behind another, in parts of a bit. Both must be frequent.
    pub(super) fn bits(&self, before: u32, this: u32) -> i64 {
        let number = |symbol: u32| self.numbers.get(symbol as usize).copied().flatten();
        let [before, this] = [before, this].map(|symbol| number(symbol).unwrap_or_default());
        let times = self.pairs[before * self.all.len() + this];
        logarithm(self.all[before].into(), times.into())
    }
}

/// Returns the binary logarithm of a ratio of at least 1, in sixteenths, rounded down; 0 if it is
/// less.
pub(super) fn logarithm(numerator: u64, denominator: u64) -> i64 {
    // 32 binary places: the square of a number from 1 to 2, halved if it is 2 or more, yields one
    // binary place of its logarithm after the other.
    let ratio = (u128::from(numerator) << 32) / u128::from(denominator.max(1));
    let Some(whole) = ratio.checked_ilog2().and_then(|whole| whole.checked_sub(32)) else {
        return 0;
    };
    let mut part = ratio >> whole;
    let mut logarithm = i64::from(whole);
    for _ in 0..BIT.ilog2() {
        part = (part * part) >> 32;
        let is_over = part >> 33;
        part >>= is_over;
        logarithm = 2 * logarithm + i64::try_from(is_over).unwrap_or_default();
    }
    logarithm
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn logarithms_are_those_worked_out_by_hand() {
        #[rustfmt::skip]
        let table: &[(&str, u64, u64, i64)] = &[
            ("of one",               7,        7, 0),
            ("of less",              3,        7, 0),
            ("of two",               14,       7, 16),
            ("1.5849, in sixteenths", 3,       1, 25),
            ("just below a power",   1023,     1, 159),
            ("a large one",          u64::MAX, 1, 1023),
            ("nothing",              0,        1, 0),
            ("without words",        5,        0, 37),
        ];
        for (why, numerator, denominator, want) in table {
            assert_eq!(logarithm(*numerator, *denominator), *want, "{why}");
        }
    }

    /// In both texts together: *a* 16 times, followed by *b* 12 times and by *c* 4 times; *b* is always
    /// followed by *a*, and *c* is too rare to be frequent.
    #[test]
    fn frequent_words_have_the_bits_of_what_follows_them() {
        let (a, b, c) = (0, 1, 2);
        let left = [[a, b].repeat(8), [a, c].repeat(3)].concat();
        let right = [[a, b].repeat(4), vec![a, c]].concat();
        let words = [left, right];
        let known = Frequencies::new(&words, 3, Default::default());
        let frequent = [a, b, c, COUNTER].map(|symbol| known.is_frequent(symbol));
        assert_eq!(frequent, [true, true, false, true]);
        let lengths = words.each_ref().map(Vec::len);
        let follows = known.follows(lengths, |side, at| words[side][at]);
        // log₂(16 / 12) and log₂(12 / 12); *a* never follows *a*, and there is no COUNTER.
        let bits =
            [(a, b), (b, a), (a, a), (COUNTER, a)].map(|(one, next)| follows.bits(one, next));
        assert_eq!(bits, [logarithm(16, 12), 0, logarithm(16, 0), 0]);
        assert_eq!(known.bits(c), logarithm(32, 4));
        // With each c a counter.
        let known = Frequencies::new(&words, 3, Default::default());
        let symbol = |word| if word == c { COUNTER } else { word };
        let follows = known.follows(lengths, |side, at| symbol(words[side][at]));
        let bits = [(a, COUNTER), (COUNTER, a)].map(|(one, next)| follows.bits(one, next));
        assert_eq!(bits, [logarithm(16, 4), logarithm(2, 2)]);
    }

    proptest! {
        #[test]
        fn counts_are_the_same_however_they_are_made(words in ["[a-d]{0,20}", "[a-d]{0,20}"]) {
            let words = words.map(|text| text.bytes().map(|byte| u32::from(byte - b'a')).collect::<Vec<_>>());
            let counts: Vec<u32> = (0..4)
                .map(|word| words.iter().flatten().filter(|it| **it == word).count().try_into().unwrap())
                .collect();
            let [one, other] = [Frequencies::new(&words, 4, Default::default()), Frequencies::from_counts(counts)];
            prop_assert_eq!((&one.counts, one.all), (&other.counts, other.all));
        }

        #[test]
        fn twice_as_many_are_a_bit_more(count in 1_u64..1000, more in 0_u64..100_000) {
            let all = count + more;
            prop_assert_eq!(logarithm(2 * all, count), logarithm(all, count) + BIT);
            prop_assert!(logarithm(all, count) >= logarithm(all, count + 1));
        }
    }
}
