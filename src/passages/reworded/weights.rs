//! How much evidence a shared word is: the more, the rarer it is in both texts.

use super::super::pair::Pair;

/// The parts of a bit that weights are counted in.
pub(super) const BIT: u32 = 4;

/// A word that stands once in so many words is expected in each sentence, and weighs a bit.
const SENTENCE: u64 = 20;

/// The most that a word weighs: six bits, as one that stands once in 1,260 words.
const MOST: u8 = 24;

/// A common word is at least one in so many.
const COMMON: u64 = 100;

/// The weights of the words of a pair.
pub(super) struct Weights {
    /// Of each word by its number, in quarters of a bit; none of a letter of a script without
    /// spaces.
    of_words: Vec<u8>,
    /// Whether a word is common, by its number.
    common: Vec<bool>,
    /// How many words of both texts are common, of how many.
    share: [u64; 2],
}

impl Weights {
    /// Counts the words of both texts.
    pub(super) fn of(pair: &Pair) -> Self {
        let mut counts = vec![0_u64; pair.distinct_words()];
        for word in pair.words.iter().flatten() {
            counts[*word as usize] += 1;
        }
        let all: u64 = pair.words.iter().map(|words| words.len() as u64).sum();
        let common: Vec<bool> = counts.iter().map(|count| count * COMMON >= all).collect();
        let is_common = counts.iter().zip(&common).filter(|(_, is_common)| **is_common);
        let share = [is_common.map(|(count, _)| count).sum(), all];
        let of = |(number, count): (usize, &u64)| {
            if pair.is_whole(number) { weight(*count, all) } else { 0 }
        };
        let of_words = counts.iter().enumerate().map(of).collect();
        Self { of_words, common, share }
    }

    /// What a word weighs, in quarters of a bit.
    pub(super) fn of_word(&self, number: u32) -> u32 {
        u32::from(self.of_words[number as usize])
    }

    /// Whether words are prose: common words are at least half as large a part of them as of
    /// both texts. What has fewer is code, a heading, a list of names.
    pub(super) fn are_prose(&self, words: &[u32]) -> bool {
        let common = words.iter().filter(|word| self.common[**word as usize]).count() as u64;
        let [of_all, all] = self.share;
        2 * common * all >= words.len() as u64 * of_all
    }
}

/// What a word weighs that stands so often among so many words: the binary logarithm of
/// 1 + all / (20 · count), in quarters of a bit, rounded down.
fn weight(count: u64, all: u64) -> u8 {
    let expected = SENTENCE * count;
    if expected == 0 || all / expected >= (1 << (u32::from(MOST) / BIT)) - 1 {
        return MOST;
    }
    // A ratio of less than 64 with 16 binary places, so that its fourth power has 64.
    let ratio = u128::from(((all + expected) << 16) / expected);
    u8::try_from(ratio.pow(4).ilog2().saturating_sub(64)).unwrap_or(MOST)
}

#[cfg(test)]
mod tests {
    use super::super::super::tests::{pair, words};
    use super::*;

    #[test]
    fn rare_words_weigh_more() {
        #[rustfmt::skip]
        let table: &[(&str, u64, u64, u8)] = &[
            ("in each sentence: a bit",        1,      20,             4),
            ("one bit and a half",             1,      37,             6),
            ("not quite",                      1,      36,             5),
            ("in one of three sentences: two", 10,     600,            8),
            ("more often than that",           50,     20,             0),
            ("six bits",                       1,      1260,           24),
            ("not quite six",                  1,      1259,           23),
            ("no more than that",              1,      u64::MAX >> 20, 24),
            ("never",                          0,      100,            24),
        ];
        for (why, count, all, want) in table {
            assert_eq!(weight(*count, *all), *want, "{why}");
        }
    }

    #[test]
    fn weights_are_the_logarithm() {
        for all in 1..3000 {
            for count in [1, 2, 3, 7, 50] {
                #[expect(clippy::cast_precision_loss, reason = "small numbers")]
                let bits = (1.0 + all as f64 / (20.0 * count as f64)).log2().min(6.0);
                let got = f64::from(weight(count, all)) / 4.0;
                assert!(got <= bits + 1e-9 && bits < got + 0.25 + 1e-3, "{count} of {all}");
            }
        }
    }

    #[test]
    fn prose_has_its_share_of_common_words() {
        // 100 of 400 words are common, so that one in eight must be.
        let text =
            words(&["x1..75 the ".repeat(2), "the ".repeat(48), "y1..100".to_owned()].concat());
        let other = words(&["z1..50 ", &"of ".repeat(50)].concat());
        let pair = pair(&text, &other);
        let weights = Weights::of(&pair);
        assert_eq!(weights.share[1], 400);
        let side = usize::from(pair.words[0].len() < pair.words[1].len());
        let of = |words: &[usize]| {
            let words: Vec<u32> = words.iter().map(|at| pair.words[side][*at]).collect();
            weights.are_prose(&words)
        };
        let rare: Vec<usize> = (200..300).collect();
        assert!(of(&[&rare[..7], &[75]].concat()) && !of(&[&rare[..8], &[75]].concat()));
        assert!(of(&[]));
    }

    #[test]
    fn one_word_in_a_hundred_is_common() {
        let text = words("a a a a b b b x1..193");
        let pair = pair(&text, &words("x1..200"));
        let weights = Weights::of(&pair);
        let side =
            usize::from(pair.words[0].len() < text.len() || pair.words[0][0] != pair.words[0][3]);
        let is_common = [0, 4, 9].map(|at| weights.common[pair.words[side][at] as usize]);
        assert_eq!((weights.share, is_common), ([4, 400], [true, false, false]));
    }

    #[test]
    fn letters_of_scripts_without_spaces_weigh_nothing() {
        let pair = pair(&words("a 水"), &words("b"));
        let weights = Weights::of(&pair);
        let of_words = pair.words.iter().flatten().map(|word| weights.of_word(*word));
        let mut got: Vec<u32> = of_words.collect();
        got.sort_unstable();
        assert_eq!(got[0], 0);
        assert!(got[1] == got[2]);
    }
}
