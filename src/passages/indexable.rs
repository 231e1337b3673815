//! Indexable seeds: pairs of sentences that are a seed by what their terms weigh in each text alone.
//!
//! A passage of reworded sentences alone has an indexable seed. What terms weigh in both texts together
//! depends on both; an indexable seed depends on its two sentences and on what was computed for each text, so
//! that the texts of a corpus are found by an index of sentences (see [`many`](super::many)).
//!
//! The *key terms* of a sentence are those that weigh at least one and a half bits in their text. The two
//! sentences share three or more, and their score is more than the seven bits of a [seed](super::reworded):
//! the weight of the shared ones, each the smaller of two, minus a tenth of the weight of all others.

use std::ops::Range;

use super::keys;
use super::sentences::{BIT, bigram, weight};

/// The weight of a shared term in a score, as a multiple of that of a term that only one side has.
pub(super) const SHARED_WEIGHT: i64 = 10;

/// The unit of scores, in parts of a bit: this many units are one bit.
pub(super) const UNIT: i64 = BIT as i64 * SHARED_WEIGHT;

/// A seed scores more than this.
pub(super) const MIN_SEED: i64 = 7 * UNIT;

/// The minimum weight of a key term, in quarters of a bit: that of a term that occurs once in 37 words.
const MIN_KEY_WEIGHT: u8 = 6;

/// The minimum number of key terms that the sentences of an indexable seed share.
const MIN_SHARED: usize = 3;

/// A term that weighs enough in its text, and what it weighs there, in quarters of a bit.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub(super) struct KeyTerm {
    pub(super) term: u32,
    pub(super) weight: u8,
}

impl KeyTerm {
    /// Returns a term with its weight in its text; `None` if that is too little.
    pub(super) fn new(term: u32, weight: u8) -> Option<Self> {
        (weight >= MIN_KEY_WEIGHT).then_some(Self { term, weight })
    }
}

/// Returns what a sentence of an indexable seed shares at least, given what its key terms weigh, in quarters
/// of a bit.
pub(super) fn least_shared(weight: u32) -> u32 {
    let least = (MIN_SEED + i64::from(weight)) / (SHARED_WEIGHT + 1) + 1;
    u32::try_from(least).unwrap_or(u32::MAX)
}

/// Reports whether two sentences are an indexable seed, and the first terms that they share are those of `path`. Takes
/// their key terms by increasing numbers, and the weight of all of them, of which those that only one text has
/// may be left out.
pub(super) fn are_indexable_seed(
    [mut one, mut other]: [&[KeyTerm]; 2],
    weights: [u32; 2],
    path: &[u32],
) -> bool {
    let (mut count, mut score, mut of_both) = (0, 0, 0);
    while let ([here, ..], [there, ..]) = (one, other) {
        if here.term == there.term {
            if path.get(count).is_some_and(|first| *first != here.term) {
                return false;
            }
            count += 1;
            score += u32::from(here.weight.min(there.weight));
            of_both += u32::from(here.weight) + u32::from(there.weight);
        }
        // Without branches, which would be unpredictable.
        (one, other) = (
            &one[usize::from(here.term <= there.term)..],
            &other[usize::from(there.term <= here.term)..],
        );
    }
    let others = weights[0] + weights[1] - of_both;
    count >= MIN_SHARED && SHARED_WEIGHT * i64::from(score) - i64::from(others) > MIN_SEED
}

/// What the terms of a text weigh in its own sentences, in quarters of a bit.
pub(super) struct OwnWeights {
    /// The weights of its words by their numbers; 0 for one that is only a letter, or counts up.
    of_words: Vec<u8>,
    /// Two letters of a script without spaces in a row, in increasing order, and their weights.
    of_bigrams: Vec<(u64, u8)>,
}

impl OwnWeights {
    /// Weighs the terms of sentences, given as ranges of `words`, which are numbers below `distinct`.
    /// `letter` returns the number by which a letter of a script without spaces is known in bigrams, `None`
    /// for other words; `counters` are the places of numbers that count up. The cost is that of sorting the
    /// letters.
    pub(super) fn new(
        (words, distinct): (&[u32], usize),
        sentences: &[Range<usize>],
        letter: impl Fn(u32) -> Option<u32>,
        counters: &[usize],
    ) -> Self {
        let (mut counts, mut bigrams) = (vec![0; distinct], Vec::new());
        for words in sentences.iter().map(|it| &words[it.clone()]) {
            for word in words {
                counts[*word as usize] += 1;
            }
            let letters = |pair: &[u32]| Some(bigram([letter(pair[0])?, letter(pair[1])?]));
            bigrams.extend(words.windows(2).filter_map(letters));
        }
        keys::sort(&mut bigrams, 0);
        let all: u64 = counts.iter().sum();
        let same = bigrams.chunk_by(|one, next| one == next);
        let of_bigrams = same.map(|same| (same[0], weight(same.len() as u64, all) / 2)).collect();
        let of_word = |(word, count): (u32, &u64)| match letter(word) {
            Some(_) => 0,
            None => weight(*count, all),
        };
        let mut of_words: Vec<u8> = (0..).zip(&counts).map(of_word).collect();
        for at in counters {
            of_words[words[*at] as usize] = 0;
        }
        Self { of_words, of_bigrams }
    }

    pub(super) fn of_word(&self, word: u32) -> u8 {
        self.of_words[word as usize]
    }

    /// Returns the weight of two [letters](bigram) in a row; 0 if the text does not have them.
    pub(super) fn of_bigram(&self, letters: u64) -> u8 {
        let found = self.of_bigrams.binary_search_by_key(&letters, |(letters, _)| *letters);
        found.map_or(0, |at| self.of_bigrams[at].1)
    }

    /// Returns the letters of all bigrams, in increasing order.
    pub(super) fn bigrams(&self) -> impl Iterator<Item = u64> {
        self.of_bigrams.iter().map(|(letters, _)| *letters)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn terms(list: &[(u32, u8)]) -> Vec<KeyTerm> {
        list.iter().map(|(term, weight)| KeyTerm { term: *term, weight: *weight }).collect()
    }

    /// The type of a row: why, the terms of both sentences, the weight of their other terms, and whether they
    /// are an indexable seed.
    type Row<'r> = (&'r str, &'r [(u32, u8)], &'r [(u32, u8)], u32, bool);

    #[test]
    fn an_indexable_seed_shares_three_terms_and_more_than_seven_bits_and_a_tenth_of_the_others() {
        #[rustfmt::skip]
        let table: &[Row] = &[
            ("nothing",                     &[],                          &[],                          0,   false),
            ("nine and a half bits",        &[(1, 12), (2, 12), (3, 14)], &[(1, 12), (2, 12), (3, 14)], 0,   true),
            ("two terms",                   &[(1, 24), (2, 24)],          &[(1, 24), (2, 24)],          0,   false),
            ("ten bits for the others",     &[(1, 12), (2, 12), (3, 14)], &[(1, 12), (2, 12), (3, 14)], 100, false),
            ("a quarter less",              &[(1, 12), (2, 12), (3, 14)], &[(1, 12), (2, 12), (3, 14)], 99,  true),
            ("the smaller weights count",   &[(1, 8), (2, 8), (3, 24)],   &[(1, 24), (2, 24), (3, 12)], 0,   false),
            ("and are enough",              &[(1, 9), (2, 8), (3, 24)],   &[(1, 24), (2, 24), (3, 12)], 0,   true),
            ("seven bits are not",          &[(1, 8), (2, 8), (3, 12)],   &[(1, 8), (2, 8), (3, 12)],   0,   false),
            ("terms of one sentence",       &[(0, 9), (1, 9), (2, 9), (3, 11)], &[(1, 9), (2, 9), (3, 11), (4, 1)], 0, false),
            ("that weigh less",             &[(0, 9), (1, 9), (2, 9), (3, 11)], &[(1, 9), (2, 9), (3, 11)], 0, true),
        ];
        for (why, one, other, rest, want) in table {
            let both = [terms(one), terms(other)];
            let weight = |at: usize| both[at].iter().map(|it| u32::from(it.weight)).sum::<u32>();
            let got = are_indexable_seed([&both[0], &both[1]], [weight(0) + rest, weight(1)], &[]);
            assert_eq!(got, *want, "{why}");
        }
    }

    #[test]
    fn terms_weigh_what_they_do_in_their_text() {
        // Of 60 words, 0 occurs once, 1 twice, and 2 is a letter, which occurs six times in a row in two
        // sentences; 3 counts up.
        let mut words = vec![0, 1, 1, 3, 2, 2, 2, 2, 2, 2];
        words.extend(10..60);
        let letter = |word: u32| (word == 2).then_some(7);
        let own = OwnWeights::new((&words, 60), &[0..7, 7..60], letter, &[3]);
        assert_eq!([0, 1, 2, 3].map(|word| own.of_word(word)), [8, 5, 0, 0]);
        assert_eq!(own.bigrams().collect::<Vec<_>>(), [bigram([7, 7])]);
        assert_eq!(own.of_bigram(bigram([7, 7])), weight(4, 60) / 2);
        assert_eq!(own.of_bigram(bigram([7, 8])), 0);
    }
}
