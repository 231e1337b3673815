//! The sentences of the words that no passage covers, as sets of terms, each weighted by how rare it is.
//!
//! A reworded text keeps the rare words of its source: names, terms, figures. Therefore sentences are
//! compared as sets, and a term that both have is the stronger evidence, the rarer it is in both texts
//! together, as in Sanchez-Perez, Gelbukh and Sidorov (2014). Neither stop words nor stems nor the
//! language are used: words are compared in their normal forms. In scripts without spaces, a term is two
//! letters in a row, which weighs half as much, since every letter is in two terms.

use std::ops::Range;

use super::keys;
use super::pair::Pair;
use super::runs::halves;
use crate::forest::Forest;
use crate::interner::place;
use crate::parallel;

/// The largest number of words in a sentence. A longer one is split after as many.
pub(super) const MAX_SENTENCE_WORDS: usize = 60;

/// The smallest number of words in a sentence. A shorter one is joined to the next, unless as many words in
/// a row begin a sentence each: markup, settings and addresses are no sentences.
const MIN_SENTENCE_WORDS: usize = 3;

/// The unit of weights, in parts of a bit: this many units are one bit.
pub(super) const BIT: u32 = 4;

/// The assumed length of a sentence, in words: a term that occurs once in as many is expected in
/// each sentence, and weighs one bit.
const SENTENCE: u64 = 20;

/// The maximum weight: six bits, that of a term that occurs once in 1,260 words.
const MAX_WEIGHT: u8 = 24;

/// The fraction that makes a word common: at least one in this many words.
const COMMON_ONE_IN: u64 = 100;

/// Words are prose if the share of common words among them is at least this fraction of the share in
/// the sentences of both texts, given as numerator and denominator.
const PROSE: (u64, u64) = (2, 5);

/// A term is rare if it occurs in a different sentences of one text and in b of the other, and a · b is
/// at most this.
pub(super) const MAX_RARE: usize = 16;

/// The minimum weight of a term that may be aligned alone, in quarters of a bit. Other words are aligned
/// if they are adjacent to such a word on both sides. A word that occurs twice in 120 words has this
/// weight.
const DISTINCTIVE_WEIGHT: u32 = 2 * BIT;

/// The number of the rarest terms of a sentence by which nearly equal sentences are found.
const RAREST: usize = 3;

/// Returns the sentences in free ranges of words, in order. `starts` are the words that begin a sentence
/// within a range.
pub(super) fn split(free: &[Range<usize>], starts: &[usize]) -> Vec<Range<usize>> {
    let mut sentences = Vec::new();
    let mut starts = starts.iter().copied().peekable();
    for range in free {
        let (mut start, mut fewest) = (range.start, MIN_SENTENCE_WORDS);
        while start < range.end {
            while starts.next_if(|next| *next <= start).is_some() {}
            let are_items = starts.clone().take(fewest - 1).eq(start + 1..start + fewest);
            if !are_items {
                while starts.next_if(|next| *next < start + fewest).is_some() {}
            }
            let next = starts.peek().copied().unwrap_or(range.end);
            let end = next.min(range.end).min(start + MAX_SENTENCE_WORDS);
            sentences.push(start..end);
            // The rest of a long sentence is not joined to the next one.
            fewest = if end < next { 1 } else { MIN_SENTENCE_WORDS };
            start = end;
        }
    }
    sentences
}

/// The sentences of both texts.
pub(super) struct Sentences {
    /// The words of each sentence, by side.
    pub(super) words: [Vec<Range<usize>>; 2],
    /// The distinct terms of each sentence that have a weight, in increasing order.
    terms: [Lists; 2],
    /// The sentences of each term.
    places: [Lists; 2],
    /// The total weight of these terms, in quarters of a bit.
    weights: [Vec<u32>; 2],
    /// Whether each sentence is prose: neither code, nor a heading, nor a list of names.
    pub(super) is_prose: [Vec<bool>; 2],
    /// The weight of each term, in quarters of a bit.
    of_terms: Vec<u8>,
    /// Whether each term is [rare](MAX_RARE).
    is_rare: Vec<bool>,
    /// Two letters of a script without spaces in a row, in increasing order. Their terms follow those of the
    /// words.
    bigrams: Vec<u64>,
    distinct_words: usize,
}

/// Lists of numbers, one after the other.
#[derive(Default)]
struct Lists {
    all: Vec<u32>,
    ends: Vec<usize>,
}

impl Lists {
    fn get(&self, at: usize) -> &[u32] {
        let start = at.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.all[start..self.ends[at]]
    }

    /// Returns for each number below `count` the lists that have it, in increasing order. The cost is linear.
    fn inverse(&self, count: usize) -> Self {
        let mut ends = vec![0; count];
        self.all.iter().for_each(|number| ends[*number as usize] += 1);
        let mut before = 0;
        for end in &mut ends {
            before += std::mem::replace(end, before);
        }
        let mut all = vec![0; self.all.len()];
        for (list, numbers) in (0..).zip(self.iter()) {
            for number in numbers {
                let end = &mut ends[*number as usize];
                all[*end] = list;
                *end += 1;
            }
        }
        Self { all, ends }
    }

    fn iter(&self) -> impl Iterator<Item = &[u32]> {
        (0..self.ends.len()).map(|at| self.get(at))
    }
}

/// Two sentences, one of each side, that share rare terms.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub(super) struct Candidate {
    /// The indices of the sentences.
    pub(super) at: [u32; 2],
    /// The number of rare terms that they share.
    pub(super) rare: usize,
}

impl Sentences {
    /// Compares the sentences of both sides of a pair.
    pub(super) fn new(pair: &Pair, words: [Vec<Range<usize>>; 2]) -> Self {
        let mut counts = vec![0_u64; pair.distinct_words()];
        let of_side =
            |side: usize| words[side].iter().flat_map(move |it| &pair.words[side][it.clone()]);
        (0..2).flat_map(of_side).for_each(|word| counts[*word as usize] += 1);
        let all: u64 = counts.iter().sum();
        let is_common = |word: u32| counts[word as usize] * COMMON_ONE_IN >= all;
        let common: u64 =
            counts.iter().filter(|count| **count > 0 && **count * COMMON_ONE_IN >= all).sum();
        let is_prose = [0, 1].map(|side: usize| {
            let is_prose = |it: &Range<usize>| {
                let words = &pair.words[side][it.clone()];
                let of_sentence = words.iter().filter(|word| is_common(**word)).count() as u64;
                PROSE.1 * of_sentence * all >= PROSE.0 * words.len() as u64 * common
            };
            words[side].iter().map(is_prose).collect()
        });
        let bigrams = bigrams(pair, &words);
        let mut of_terms = weights(pair, &counts, all);
        of_terms.extend(bigrams.iter().map(|(_, count)| (weight(*count, all) / 2).max(1)));
        let bigrams = bigrams.into_iter().map(|(bigram, _)| bigram).collect();
        let mut sentences = Self {
            words,
            terms: Default::default(),
            places: Default::default(),
            weights: Default::default(),
            is_prose,
            of_terms,
            is_rare: Vec::new(),
            bigrams,
            distinct_words: pair.distinct_words(),
        };
        let bytes = pair.words.iter().map(|words| size_of_val(&**words)).sum();
        let of_side = |side: usize| {
            let places = sentences.distinct_terms(pair, side).inverse(sentences.of_terms.len());
            // The inverse of the inverse has the terms of each sentence in increasing order.
            let terms = places.inverse(sentences.words[side].len());
            let weight = |own: &[u32]| own.iter().map(|term| sentences.weight(*term)).sum();
            let weights = terms.iter().map(weight).collect();
            (places, terms, weights)
        };
        let of_sides = parallel::join(bytes, || of_side(0), || of_side(1));
        for (side, found) in <[_; 2]>::from(of_sides).into_iter().enumerate() {
            (sentences.places[side], sentences.terms[side], sentences.weights[side]) = found;
        }
        sentences
    }

    /// Returns the distinct terms of each sentence of a side that have a weight, in the order of the text.
    fn distinct_terms(&self, pair: &Pair, side: usize) -> Lists {
        let of_side = &self.words[side];
        let words = of_side.iter().map(Range::len).sum();
        let mut terms =
            Lists { all: Vec::with_capacity(words), ends: Vec::with_capacity(of_side.len()) };
        // The number of the last sentence that has a term, counted from 1.
        let mut last = vec![0; self.of_terms.len()];
        for (number, words) in (1_u32..).zip(of_side) {
            let is_new =
                |term: &u32| std::mem::replace(&mut last[*term as usize], number) != number;
            terms.all.extend(self.terms_of(&pair.words[side][words.clone()]).filter(is_new));
            terms.ends.push(terms.all.len());
        }
        terms
    }

    /// Returns the terms of some words that have a weight: words, and pairs of letters of scripts without
    /// spaces.
    pub(super) fn terms_of(&self, words: &[u32]) -> impl Iterator<Item = u32> {
        let of_pair = |pair: &[u32]| {
            let found = self.bigrams.binary_search(&bigram([pair[0], pair[1]])).ok()?;
            Some(place(self.distinct_words + found))
        };
        let pairs = if self.bigrams.is_empty() { &[] } else { words };
        let all = words.iter().copied().chain(pairs.windows(2).filter_map(of_pair));
        all.filter(|term| self.weight(*term) > 0)
    }

    /// Reports whether a run of words is no accident: it has a term that weighs enough.
    pub(super) fn are_distinctive(&self, words: &[u32]) -> bool {
        self.terms_of(words).any(|term| self.weight(term) >= DISTINCTIVE_WEIGHT)
    }

    /// Returns the weight of a term, in quarters of a bit.
    pub(super) fn weight(&self, term: u32) -> u32 {
        u32::from(self.of_terms[term as usize])
    }

    /// Finds out which terms are rare, and returns the pairs of sentences that share any of them, in
    /// increasing order.
    ///
    /// Of sentences that are [nearly equal](nearly_equal), each is paired with the first of the other
    /// side; a few are all paired. So a term occurs in at most 32 pairs for each of its occurrences, and
    /// the cost is that of sorting as many numbers.
    pub(super) fn candidates(&mut self) -> Vec<Candidate> {
        let sets = |side: usize| nearly_equal(&self.terms[side], &self.places[side]);
        let bytes = self.terms.iter().map(|terms| size_of_val(&*terms.all)).sum();
        let sets: [_; 2] = parallel::join(bytes, || sets(0), || sets(1)).into();
        let mut is_rare = vec![false; self.of_terms.len()];
        let mut pairs = Vec::new();
        let [mut left, mut right] = [Vec::new(), Vec::new()];
        for (term, is_rare) in is_rare.iter_mut().enumerate() {
            let places = [0, 1].map(|side| self.places[side].get(term));
            if places.iter().any(|places| places.is_empty()) {
                continue; // as most terms
            }
            different(places[0], &sets[0], &mut left);
            different(places[1], &sets[1], &mut right);
            let different = by_set(&left).count() * by_set(&right).count();
            *is_rare = different <= MAX_RARE;
            if !*is_rare {
                continue;
            }
            for one in by_set(&left) {
                for other in by_set(&right) {
                    let all = if one.len() * other.len() <= MAX_RARE { one.len() } else { 1 };
                    let (all, others) = one.split_at(all);
                    let each =
                        all.iter().flat_map(|one| other.iter().map(move |other| (one, other)));
                    let pair = |(one, other): (&[u32; 2], &[u32; 2])| {
                        u64::from(one[1]) << 32 | u64::from(other[1])
                    };
                    pairs.extend(each.chain(others.iter().map(|one| (one, &other[0]))).map(pair));
                }
            }
        }
        self.is_rare = is_rare;
        keys::sort(&mut pairs, 0);
        let same = pairs.chunk_by(|one, next| one == next);
        same.map(|same| Candidate { at: halves(same[0]).map(place), rare: same.len() }).collect()
    }

    /// Returns the terms of a sentence, by increasing numbers.
    pub(super) fn terms(&self, side: usize, sentence: u32) -> &[u32] {
        self.terms[side].get(sentence as usize)
    }

    /// Returns the two [letters](bigram) of a term; `None` for a word.
    pub(super) fn letters(&self, term: u32) -> Option<u64> {
        (term as usize).checked_sub(self.distinct_words).map(|at| self.bigrams[at])
    }

    /// Returns the total weight of the terms that two sentences share, in quarters of a bit: of rare ones
    /// and of all; and of the terms that only one has.
    pub(super) fn shared(&self, [left, right]: [u32; 2]) -> [u32; 3] {
        let [mut one, mut other] =
            [self.terms[0].get(left as usize), self.terms[1].get(right as usize)];
        let (mut rare, mut all) = (0, 0);
        while let ([first, ..], [second, ..]) = (one, other) {
            if first == second {
                let weight = self.weight(*first);
                all += weight;
                rare += if self.is_rare[*first as usize] { weight } else { 0 };
            }
            (one, other) =
                (&one[usize::from(first <= second)..], &other[usize::from(second <= first)..]);
        }
        let both = self.weights[0][left as usize] + self.weights[1][right as usize];
        [rare, all, both - 2 * all]
    }
}

/// Lists the sentences of a term, each with the set of nearly equal ones that it belongs to, in the order
/// of the sets. There are at most one more than [`MAX_RARE`] sets; sentences of further ones are left out.
fn different(sentences: &[u32], sets: &[u32], different: &mut Vec<[u32; 2]>) {
    different.clear();
    let (mut met, mut count) = ([0; MAX_RARE + 1], 0);
    for sentence in sentences {
        let set = sets[*sentence as usize];
        different.push([set, *sentence]);
        if !met[..count].contains(&set) {
            met[count] = set;
            count += 1;
            if count > MAX_RARE {
                break;
            }
        }
    }
    different.sort_unstable();
}

/// Groups sentences by the set that they belong to.
fn by_set(sentences: &[[u32; 2]]) -> impl Iterator<Item = &[[u32; 2]]> {
    sentences.chunk_by(|one, next| one[0] == next[0])
}

/// Returns for each sentence of a side the first of those that are nearly equal to it.
///
/// Two sentences are nearly equal if they share two of their three rarest terms and half of all their
/// terms, or if both are nearly equal to a third one. Each is compared with the first one that has the
/// same two terms, so that the cost is that of sorting three numbers for each sentence.
fn nearly_equal(sentences: &Lists, places: &Lists) -> Vec<u32> {
    let count = |term: u32| places.get(term as usize).len();
    let mut keys: Vec<(u64, u32)> = Vec::new();
    let mut rarest: Vec<u32> = Vec::new();
    for (number, own) in (0..).zip(sentences.iter()) {
        rarest.clear();
        rarest.extend(own);
        let by_count = |term: &u32| (count(*term), *term);
        if rarest.len() > RAREST {
            rarest.select_nth_unstable_by_key(RAREST - 1, by_count);
            rarest.truncate(RAREST);
        }
        rarest.sort_unstable();
        let is_repeated = |term: &u32| count(*term) > 1;
        for (at, one) in rarest.iter().enumerate().filter(|it| is_repeated(it.1)) {
            for other in rarest[at + 1..].iter().filter(|it| is_repeated(it)) {
                keys.push((u64::from(*one) << 32 | u64::from(*other), number));
            }
        }
    }
    keys.sort_unstable();
    let mut sets = Forest::new(place(sentences.ends.len()));
    for group in keys.chunk_by(|one, next| one.0 == next.0) {
        let first = group[0].1;
        for (_, number) in &group[1..] {
            let [one, other] = [first, *number].map(|at| sentences.get(at as usize));
            let shared = one.iter().filter(|term| other.binary_search(term).is_ok()).count();
            if 2 * shared >= one.len() + other.len() - shared {
                sets.unite(first, *number);
            }
        }
    }
    (0..place(sentences.ends.len())).map(|at| sets.root(at)).collect()
}

/// Returns two letters as one number.
pub(super) fn bigram(letters: [u32; 2]) -> u64 {
    u64::from(letters[0]) << 32 | u64::from(letters[1])
}

/// Returns two letters of a script without spaces in a row, wherever sentences have them, in increasing
/// order, and how often.
fn bigrams(pair: &Pair, words: &[Vec<Range<usize>>; 2]) -> Vec<(u64, u64)> {
    if pair.is_plain() {
        return Vec::new();
    }
    let of_side = |side: usize| {
        let sentences = words[side].iter().map(move |it| &pair.words[side][it.clone()]);
        sentences.flat_map(|words| words.windows(2))
    };
    let are_letters =
        |pair_of_words: &&[u32]| pair_of_words.iter().all(|it| !pair.is_whole(*it as usize));
    let mut all: Vec<u64> =
        (0..2).flat_map(of_side).filter(are_letters).map(|it| bigram([it[0], it[1]])).collect();
    keys::sort(&mut all, 0);
    let same = all.chunk_by(|one, next| one == next);
    same.map(|same| (same[0], same.len() as u64)).collect()
}

/// Returns the weight of each word, given the number of its occurrences in the sentences of both texts.
/// A letter of a script without spaces weighs nothing, and neither does a number that counts up in both
/// texts. Other words weigh a quarter of a bit at least.
fn weights(pair: &Pair, counts: &[u64], all: u64) -> Vec<u8> {
    let mut counts_up = vec![[false; 2]; counts.len()];
    for side in 0..2 {
        for at in &pair.counters()[side] {
            counts_up[pair.words[side][*at] as usize][side] = true;
        }
    }
    let of = |(number, count): (usize, &u64)| {
        let is_evidence = *count > 0 && pair.is_whole(number) && counts_up[number] != [true; 2];
        if is_evidence { weight(*count, all).max(1) } else { 0 }
    };
    counts.iter().enumerate().map(of).collect()
}

/// Returns the weight of a term that occurs `count` times among `all` words: the binary logarithm
/// of 1 + all / (20 · count), in quarters of a bit, rounded down.
pub(super) fn weight(count: u64, all: u64) -> u8 {
    let expected = SENTENCE * count;
    if expected == 0 || all / expected >= (1 << (u32::from(MAX_WEIGHT) / BIT)) - 1 {
        return MAX_WEIGHT;
    }
    // The ratio is below 64 and has 16 binary places, so its fourth power has 64.
    let ratio = u128::from(((all + expected) << 16) / expected);
    u8::try_from(ratio.pow(4).ilog2().saturating_sub(64)).unwrap_or(MAX_WEIGHT)
}

#[cfg(test)]
mod tests {
    use super::super::tests::{pair, words};
    use super::*;

    #[test]
    fn sentences_end_at_starts_and_ends_of_ranges_and_after_60_words() {
        #[rustfmt::skip]
        let table: &[(&str, &[(usize, usize)], &[usize], &[(usize, usize)])] = &[
            ("nothing",                  &[],                 &[5],          &[]),
            ("one",                      &[(3, 9)],           &[],           &[(3, 9)]),
            ("two",                      &[(3, 9)],           &[6],          &[(3, 6), (6, 9)]),
            ("two words are joined to the next", &[(3, 12)],  &[5, 8],       &[(3, 8), (8, 12)]),
            ("but not to another range", &[(3, 5), (7, 9)],   &[4],          &[(3, 5), (7, 9)]),
            ("three words, three sentences", &[(3, 9)],       &[4, 5],       &[(3, 4), (4, 9)]),
            ("and a fourth",             &[(3, 9)],           &[4, 5, 6],    &[(3, 4), (4, 5), (5, 9)]),
            ("at the end",               &[(3, 9)],           &[7],          &[(3, 7), (7, 9)]),
            ("starts at its ends",       &[(3, 9)],           &[3, 9],       &[(3, 9)]),
            ("starts elsewhere",         &[(3, 9)],           &[1, 12],      &[(3, 9)]),
            ("two ranges",               &[(3, 9), (9, 15)],  &[12],         &[(3, 9), (9, 12), (12, 15)]),
            ("60 words",                 &[(0, 60)],          &[],           &[(0, 60)]),
            ("61",                       &[(0, 70)],          &[61],         &[(0, 60), (60, 61), (61, 70)]),
            ("60 from where it begins",  &[(0, 90)],          &[7, 80],      &[(0, 7), (7, 67), (67, 80), (80, 90)]),
        ];
        for (why, free, starts, want) in table {
            let free: Vec<_> = free.iter().map(|(start, end)| *start..*end).collect();
            let got: Vec<_> = split(&free, starts).iter().map(|it| (it.start, it.end)).collect();
            assert_eq!(got, *want, "{why}");
        }
    }

    /// Returns two texts, given as sentences that end with `;`, in the order of the pair.
    fn sentences(texts: [&str; 2]) -> (Pair, Sentences) {
        let of = |text: &str| {
            let (mut all, mut ranges) = (Vec::new(), Vec::new());
            for sentence in text.split(';') {
                let start = all.len();
                all.extend(words(sentence));
                ranges.push(start..all.len());
            }
            ranges.retain(|range| !range.is_empty());
            (all, ranges)
        };
        let [(left, of_left), (right, of_right)] = texts.map(of);
        let pair = pair(&left, &right);
        let is_turned = pair.words[0].len() != left.len();
        let ranges = if is_turned { [of_right, of_left] } else { [of_left, of_right] };
        let sentences = Sentences::new(&pair, ranges);
        (pair, sentences)
    }

    #[test]
    fn pairs_of_sentences_share_words_that_few_different_sentences_have() {
        let times = |count: usize, words: &str| {
            let each = |k: usize| format!("{words} o{k}x1..3 ; ");
            (0..count).map(each).collect::<String>()
        };
        let same = |count: usize, words: &str| format!("{words} ; ").repeat(count);
        let differing = |count: usize| {
            let all: Vec<String> = (0..count).map(|k| format!("p q r s t o{k} ; ")).collect();
            all.concat()
        };
        #[rustfmt::skip]
        let table: &[(&str, [String; 2], usize)] = &[
            ("none",                       [String::new(), String::new()],            0),
            ("one word",                   [times(1, "p"), times(1, "p")],            1),
            ("four times four",            [times(4, "p"), times(4, "p")],            16),
            ("four times five",            [times(4, "p"), times(5, "p")],            0),
            ("16 times in one",            [times(16, "p"), times(1, "p")],           16),
            ("17 times",                   [times(17, "p"), times(1, "p")],           0),
            ("17 equal ones",              [same(17, "p q r s"), times(1, "p")],      17),
            ("17 equal ones on each side", [same(17, "p q r s"), same(17, "p q t u")], 33),
            ("17 that differ in a word",   [differing(17), times(1, "p")], 17),
        ];
        for (why, texts, want) in table {
            // Without other words, no word would be rare enough to have a weight.
            let texts =
                [format!("{}x1..100", texts[0]), format!("{}y1..140", texts[1].replace('o', "n"))];
            let (_, mut sentences) = sentences([&texts[0], &texts[1]]);
            assert_eq!(sentences.candidates().len(), *want, "{why}");
        }
    }

    #[test]
    fn what_sentences_share_is_weighed() {
        // A word that occurs twice among 240 weighs two bits and three quarters, one that occurs once 3.75.
        let (_, mut sentences) = sentences(["a b c x; x1..116", "c b y z; y1..116"]);
        let candidates = sentences.candidates();
        assert_eq!(candidates, [Candidate { at: [0, 0], rare: 2 }]);
        let [both, one] = [weight(2, 240), weight(1, 240)].map(u32::from);
        assert_eq!((both, one), (11, 14));
        assert_eq!(sentences.shared([0, 0]), [2 * both, 2 * both, 4 * one]);
        assert_eq!(sentences.shared([0, 1])[..2], [0, 0]);
    }

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
                // The ratio 1 + all / (20 · count) is at least 2 to the power of the weight in bits.
                let [whole, part] = [20 * count + all, 20 * count].map(|it| u128::from(it).pow(4));
                let want = (0..=MAX_WEIGHT).rev().find(|quarters| whole >= part << quarters);
                assert_eq!(weight(count, all), want.unwrap(), "{count} of {all}");
            }
        }
    }

    #[test]
    fn prose_has_its_share_of_common_words() {
        // 100 of 400 words are common, so at least one in ten words of prose must be.
        let own = |name: &str, count: usize| format!("{name}1..{count} ");
        let rest =
            format!("{}{};{}{};", own("a", 91), "the ".repeat(41), own("b", 91), "of ".repeat(49));
        let text = |first: &str, second: &str| format!("{first};{second};{rest}");
        let (pair, of_all) = sentences([
            &text(&format!("{}the", own("c", 9)), &own("d", 10)),
            &(own("e", 99) + &"the ".repeat(9)),
        ]);
        let side = usize::from(pair.words[0].len() < 200);
        assert_eq!(of_all.is_prose[side][..2], [true, false]);
    }

    #[test]
    fn two_letters_of_a_script_without_spaces_are_a_term() {
        let (pair, mut of_all) = sentences(["a 水火山 b; x1..200", "c 火山 d; y1..210"]);
        let weights = pair.words.iter().flatten().map(|word| of_all.weight(*word));
        assert_eq!(weights.filter(|weight| *weight == 0).count(), 5, "letters alone weigh nothing");
        let candidates = of_all.candidates();
        assert_eq!(candidates, [Candidate { at: [0, 0], rare: 1 }]);
        let [both, one] = [2, 1].map(|count| weight(count, 419));
        let [both, bigram, word] = [both / 2, one / 2, one].map(u32::from);
        assert_eq!(of_all.shared([0, 0]), [both, both, bigram + 4 * word]);
    }
}
