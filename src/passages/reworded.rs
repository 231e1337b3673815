//! Finds sentences that say the same in other words, in what no exact or edited passage covers.
//!
//! A reworded text keeps the rare words of its source: names, terms, figures. Therefore sentences
//! are compared as sets of words, each weighted by how rare it is in both texts together, as
//! Sanchez-Perez, Gelbukh and Sidorov (2014) do. But in texts on the same subject, one sentence
//! that resembles another is weak evidence. So several adjacent sentences are required, or long
//! ones.
//!
//! 1. A **sentence** ends where the text ends it, and after 60 words. It is compared if it is
//!    [prose](Weights::are_prose).
//! 2. A word that occurs c times among the n words of both texts **weighs** log₂(1 + n / (20 · c))
//!    bits, and at most 6. Neither stop words nor stems nor the language are used: words are
//!    compared in their normal forms. A letter of a script without spaces weighs nothing, so
//!    Chinese, Japanese or Thai sentences are never found to be reworded.
//! 3. A shared word is a **seed** if it occurs a times in the sentences of one text and b times in
//!    those of the other, with a · b ≤ 16. A pair of sentences is a candidate if it shares at least
//!    two seeds.
//! 4. One or two sentences of either side, around a candidate, **score** the weight of the words
//!    that they share, minus an eighth of the weight of the words that only one side has. Those
//!    that score at least 4 bits are matched, the best first, each sentence once.
//! 5. Matched sentences **count** if neighbours score 60 bits together, with at least two sentences
//!    on either side. Neighbours directly follow each other on one side, and are at most 400 words
//!    apart on the other. The 60 bits are 5 for each word in a row that a passage must have.
//! 6. Matched sentences that count, and are at most 200 words apart on both sides, form one
//!    **passage** if as many of their words are in both as an exact passage has in a row. No
//!    reworded passage contains or overlaps another passage, which is better evidence for the same
//!    stretch.
//!
//! A seed occurs in at most two pairs of sentences for each of its occurrences, and at most one
//! pair of sentences for every eight words of both texts is scored. So the cost is that of sorting
//! words. docs/accuracy.md reports how the numbers were chosen, and what other numbers find.

use std::cmp::Reverse;
use std::ops::Range;

use super::choose::CoveredRanges;
use super::gather::DisjointSets;
use super::pair::Pair;
use super::runs::{self, halves};
use super::{MinMatch, keys};
use crate::interner::common_runs::Run;
use crate::parallel;

/// A word is a seed if it occurs a times in one text and b times in the other, and a · b is at most
/// this.
const MAX_SEEDS: u32 = 16;

/// The minimum number of seeds that a pair of sentences must share to be a candidate.
const MIN_SHARED_SEEDS: usize = 2;

/// The number of words of both texts for each pair of sentences that is scored. If there are more
/// candidates, those that share the most seeds are scored.
const WORDS_A_CANDIDATE: usize = 8;

/// The number of pairs of sentences that are scored in texts of any size, in addition.
const MIN_CANDIDATES_SCORED: usize = 16;

/// The weight of a shared word in a score, as a multiple of that of a word that only one side has.
const SHARED_WEIGHT: u32 = 8;

/// The unit of scores, in parts of a bit: this many units are one bit.
const SCORE_UNIT: u32 = BIT * SHARED_WEIGHT;

/// The minimum score of matched sentences.
const MIN_SCORE: u32 = 4 * SCORE_UNIT;

/// The minimum total score of neighbours, for each word in a row that a passage must have.
const MIN_SCORE_PER_WORD: u32 = 5 * SCORE_UNIT;

/// The largest number of words, on the other side, between neighbours on one side.
const MAX_NEIGHBOUR_DISTANCE: usize = 400;

/// The minimum number of sentences on either side.
const MIN_SENTENCES: usize = 2;

/// The largest number of words, on either side, between matched sentences of one passage.
const MAX_PASSAGE_GAP: usize = 200;

#[derive(Clone, Debug, Eq, PartialEq)]
pub(super) struct Reworded {
    /// The range of words of its sentences on both sides.
    pub(super) ranges: [Range<usize>; 2],
    /// The aligned words; at least one run.
    pub(super) runs: Vec<Run>,
}

/// A match of one or two sentences of each side. The greatest is chosen first.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
struct SentenceMatch {
    score: u32,
    /// The index of the first sentence on each side.
    first: Reverse<[usize; 2]>,
    /// The number of sentences on each side.
    count: [usize; 2],
}

impl SentenceMatch {
    fn range(self, side: usize) -> Range<usize> {
        self.first.0[side]..self.first.0[side] + self.count[side]
    }
}

/// The distinct words of one or two sentences.
struct Bag {
    /// The words that both texts contain.
    words: Vec<u32>,
    /// The total weight of all distinct words, in quarters of a bit.
    weight: u32,
    /// The total weight of the words that both texts contain.
    shared: u32,
}

/// A set of numbers below a limit, which is cleared in constant time.
struct ClearableSet {
    round: u32,
    /// The last round in which each number was inserted.
    rounds: Vec<u32>,
}

impl ClearableSet {
    fn new(limit: usize) -> Self {
        Self { round: 1, rounds: vec![0; limit] }
    }

    fn forget(&mut self) {
        if self.round == u32::MAX {
            *self = Self::new(self.rounds.len());
        }
        self.round += 1;
    }

    /// Inserts a number. Returns whether it was absent.
    fn meet(&mut self, number: usize) -> bool {
        std::mem::replace(&mut self.rounds[number], self.round) != self.round
    }

    fn has(&self, number: usize) -> bool {
        self.rounds[number] == self.round
    }
}

/// The sentences of both sides, and the weights of their words.
struct RewordedSearch<'p> {
    pair: &'p Pair,
    weights: Weights,
    sentences: [Vec<Sentence>; 2],
}

/// Finds the reworded passages in what other passages leave free, in no particular order. No two of
/// them have a word in common, nor has any with another passage. `taken` has the words of other
/// passages on each side, as disjoint ranges in any order.
///
/// `starts` returns the words that begin a sentence within free ranges of a side; `None` if these
/// are not known.
pub(super) fn find(
    pair: &Pair,
    taken: [Vec<Range<usize>>; 2],
    min_match: MinMatch,
    starts: impl Fn(usize, &[Range<usize>]) -> Option<Vec<usize>> + Sync,
) -> Vec<Reworded> {
    let needed =
        u32::try_from(min_match.words()).unwrap_or(u32::MAX).saturating_mul(MIN_SCORE_PER_WORD);
    let free = [0, 1].map(|side| free(pair, &taken[side], side));
    // Even if every word had the greatest weight, this many would be needed.
    let fewest = needed.div_ceil(6 * SCORE_UNIT) as usize;
    if pair.is_same() || free.iter().any(|free| free.iter().map(Range::len).sum::<usize>() < fewest)
    {
        return Vec::new();
    }
    let weights = Weights::new(pair);
    let bytes = 4 * free.iter().flatten().map(Range::len).sum::<usize>();
    let of_side = |side: usize| {
        let starts = starts(side, &free[side])?;
        Some(sentences(pair, &weights, side, &free[side], &starts))
    };
    let (Some(left), Some(right)) = parallel::join(bytes, || of_side(0), || of_side(1)) else {
        return Vec::new();
    };
    let search = RewordedSearch { pair, weights, sentences: [left, right] };
    let matched = best_first(&search.groups(&search.candidates()), &search.sentences);
    let counts = |groups: &Vec<SentenceMatch>| {
        let sentences = |side: usize| groups.iter().map(|group| group.count[side]).sum::<usize>();
        (0..2).all(|side| sentences(side) >= MIN_SENTENCES) && score(groups) >= needed
    };
    let counted: Vec<SentenceMatch> =
        search.neighbours(&matched).into_iter().filter(counts).flatten().collect();
    search.apart(search.together(counted), taken, min_match.words())
}

fn score(groups: &[SentenceMatch]) -> u32 {
    groups.iter().fold(0, |sum, group| sum.saturating_add(group.score))
}

/// Returns the stretches of a side between passages and breaks; none is empty.
fn free(pair: &Pair, taken: &[Range<usize>], side: usize) -> Vec<Range<usize>> {
    runs::cut(runs::gaps(taken.to_vec(), pair.words[side].len()), &pair.breaks[side])
}

impl RewordedSearch<'_> {
    fn words(&self, side: usize, sentences: Range<usize>) -> Range<usize> {
        let of_side = &self.sentences[side];
        of_side[sentences.start].words().start..of_side[sentences.end - 1].words().end
    }

    /// Returns the pairs of sentences that share enough seeds, in increasing order. The index of
    /// the sentence of left is in the upper half, that of right in the lower.
    fn candidates(&self) -> Vec<u64> {
        let words: usize = self.pair.words.iter().map(Vec::len).sum();
        let (left, right) = parallel::join(4 * words, || self.counts(0), || self.counts(1));
        let is_seed = |word: u32| {
            let [left, right] = [&left, &right].map(|counts| u32::from(counts[word as usize]));
            (1..=MAX_SEEDS).contains(&(left * right)) && self.weights.of_word(word) > 0
        };
        let (left, right) =
            parallel::join(4 * words, || self.seeds(0, is_seed), || self.seeds(1, is_seed));
        let mut pairs = Vec::new();
        let mut others = by_word(&right);
        // The seeds of both sides are the same words.
        for here in by_word(&left) {
            let there = others.next().unwrap_or_default();
            let pairs_of = |left: &u64| {
                let left = left << 32;
                there.iter().map(move |right| left | right & u64::from(u32::MAX))
            };
            pairs.extend(here.iter().flat_map(pairs_of));
        }
        drop(others);
        drop((left, right));
        keys::sort(&mut pairs, 0);
        let seeded = || pairs.chunk_by(|one, next| one == next).map(<[u64]>::len);
        // The number of pairs of sentences for each number of shared seeds. The last entry also
        // counts the pairs that share more.
        let mut counts = [0_usize; MAX_COUNT_LENGTH + 1];
        seeded().for_each(|seeds| counts[seeds.min(MAX_COUNT_LENGTH)] += 1);
        let (mut enough, mut more) = (MAX_COUNT_LENGTH, counts[MAX_COUNT_LENGTH]);
        while enough > MIN_SHARED_SEEDS
            && more + counts[enough - 1] <= words / WORDS_A_CANDIDATE + MIN_CANDIDATES_SCORED
        {
            enough -= 1;
            more += counts[enough];
        }
        let groups = pairs.chunk_by(|one, next| one == next);
        groups.filter(|group| group.len() >= enough).map(|group| group[0]).collect()
    }

    /// Counts the occurrences of each word in the sentences of a side, by the number of the word;
    /// 255 means that many or more.
    fn counts(&self, side: usize) -> Vec<u8> {
        let mut counts = vec![0_u8; self.pair.distinct_words()];
        for sentence in &self.sentences[side] {
            for word in &self.pair.words[side][sentence.words()] {
                let count = &mut counts[*word as usize];
                *count = count.saturating_add(1);
            }
        }
        counts
    }

    /// Returns the seeds in the sentences of a side, in increasing order and without duplicates.
    /// The number of the word is in the upper half, the index of the sentence in the lower.
    fn seeds(&self, side: usize, is_seed: impl Fn(u32) -> bool) -> Vec<u64> {
        let mut seeds = Vec::new();
        for (number, sentence) in (0_u64..).zip(&self.sentences[side]) {
            let words = self.pair.words[side][sentence.words()].iter();
            let of_sentence = words.filter(|word| is_seed(**word));
            seeds.extend(of_sentence.map(|word| u64::from(*word) << 32 | number));
        }
        keys::sort(&mut seeds, 0);
        seeds.dedup();
        seeds
    }

    /// Returns the groups of sentences around candidates that score enough, the greatest first.
    fn groups(&self, candidates: &[u64]) -> Vec<SentenceMatch> {
        let [left, right] = &self.sentences;
        let starts: Vec<usize> = (0..=left.len())
            .map(|at| candidates.partition_point(|candidate| halves(*candidate)[0] < at))
            .collect();
        let words = self.pair.distinct_words();
        let (mut met, mut of_left) = (ClearableSet::new(words), ClearableSet::new(words));
        let mut tried = ClearableSet::new(2 * right.len());
        let mut others: Vec<Option<Bag>> = Vec::new();
        others.resize_with(2 * right.len(), || None);
        let mut groups = Vec::new();
        let one_or_two = (0..left.len()).flat_map(|at| [at..at + 1, at..at + 2]);
        for range in one_or_two.filter(|range| self.is_together(0, range)) {
            let candidates = &candidates[starts[range.start]..starts[range.end]];
            if candidates.is_empty() {
                continue;
            }
            let bag = self.bag(0, range.clone(), &mut met);
            of_left.forget();
            for word in &bag.words {
                of_left.meet(*word as usize);
            }
            tried.forget();
            let around = candidates.iter().flat_map(|candidate| self.around(halves(*candidate)[1]));
            for other_range in around {
                let number = 2 * other_range.start + other_range.len() - 1;
                if !tried.meet(number) {
                    continue;
                }
                let other = others[number]
                    .get_or_insert_with(|| self.bag(1, other_range.clone(), &mut met));
                if let Some(score) = self.score(&bag, &of_left, other) {
                    let first = Reverse([range.start, other_range.start]);
                    let count = [range.len(), other_range.len()];
                    groups.push(SentenceMatch { score, first, count });
                }
            }
        }
        groups.sort_unstable_by(|one, other| other.cmp(one));
        groups
    }

    /// Returns a sentence of right alone, with the one after it, and with the one before it.
    fn around(&self, at: usize) -> impl Iterator<Item = Range<usize>> {
        let before = at.checked_sub(1).map(|before| before..at + 1);
        let all = [Some(at..at + 1), Some(at..at + 2), before].into_iter().flatten();
        all.filter(|range| self.is_together(1, range))
    }

    /// Reports whether one or two sentences exist and directly follow each other.
    fn is_together(&self, side: usize, range: &Range<usize>) -> bool {
        let others = self.sentences[side].get(range.start + 1..range.end);
        others.is_some_and(|others| others.iter().all(|other| other.follows))
    }

    /// Returns the distinct words of sentences that have a weight.
    fn bag(&self, side: usize, sentences: Range<usize>, met: &mut ClearableSet) -> Bag {
        met.forget();
        let words = Vec::with_capacity(self.words(side, sentences.clone()).len());
        let mut bag = Bag { words, weight: 0, shared: 0 };
        let words =
            sentences.flat_map(|it| &self.pair.words[side][self.sentences[side][it].words()]);
        for word in words {
            let weight = self.weights.of_word(*word);
            if weight > 0 && met.meet(*word as usize) {
                bag.weight += weight;
                if self.pair.is_in_both(*word) {
                    bag.shared += weight;
                    bag.words.push(*word);
                }
            }
        }
        bag
    }

    /// Returns the score of two bags; `None` if it is below [`MIN_SCORE`]. `of_left` contains the
    /// words of left.
    fn score(&self, left: &Bag, of_left: &ClearableSet, right: &Bag) -> Option<u32> {
        let enough = left.weight + right.weight + MIN_SCORE;
        let score = |shared: u32| (SHARED_WEIGHT + 2) * shared;
        if score(left.shared.min(right.shared)) < enough {
            return None;
        }
        let both = right.words.iter().filter(|word| of_left.has(**word as usize));
        let shared = both.map(|word| self.weights.of_word(*word)).sum();
        (score(shared) >= enough).then(|| score(shared) - left.weight - right.weight)
    }

    /// Groups matches into sets that neighbours hold together.
    fn neighbours(&self, groups: &[SentenceMatch]) -> Vec<Vec<SentenceMatch>> {
        let mut sets = DisjointSets::singletons(groups.len());
        for side in 0..2 {
            let mut order: Vec<usize> = (0..groups.len()).collect();
            order.sort_unstable_by_key(|at| groups[*at].first.0[side]);
            for pair in order.windows(2) {
                let [one, next] = [groups[pair[0]], groups[pair[1]]];
                let start = next.first.0[side];
                let is_next = one.range(side).end == start && self.sentences[side][start].follows;
                let [one, next] =
                    [one, next].map(|group| self.words(1 - side, group.range(1 - side)));
                let between = one.start.saturating_sub(next.end);
                if is_next
                    && between.max(next.start.saturating_sub(one.end)) <= MAX_NEIGHBOUR_DISTANCE
                {
                    sets.join(pair[0], pair[1]);
                }
            }
        }
        of_sets(sets, groups)
    }

    /// Groups the matches that count by passage, the passage with the greatest score first.
    fn together(&self, mut groups: Vec<SentenceMatch>) -> Vec<Vec<SentenceMatch>> {
        let words = |group: &SentenceMatch, side: usize| self.words(side, group.range(side));
        groups.sort_unstable_by_key(|group| Reverse(group.first));
        let mut sets = DisjointSets::singletons(groups.len());
        for (x, one) in groups.iter().enumerate() {
            let near = |next: &SentenceMatch, side: usize| {
                let (one, next) = (words(one, side), words(next, side));
                let apart =
                    next.start.saturating_sub(one.end).max(one.start.saturating_sub(next.end));
                let [first, last] = [one.start.min(next.start), one.end.max(next.end) - 1];
                apart <= MAX_PASSAGE_GAP && self.pair.stretch(side, first).contains(&last)
            };
            for (y, next) in groups.iter().enumerate().skip(x + 1).take_while(|it| near(it.1, 0)) {
                if near(next, 1) {
                    sets.join(x, y);
                }
            }
        }
        let mut together = of_sets(sets, &groups);
        together.sort_by_cached_key(|groups| Reverse(score(groups)));
        together
    }

    /// Returns the passages of grouped matches, without those with fewer than `fewest` shared
    /// words, and without those that overlap another passage or one with a greater score.
    fn apart(
        &self,
        passages: Vec<Vec<SentenceMatch>>,
        taken: [Vec<Range<usize>>; 2],
        fewest: usize,
    ) -> Vec<Reworded> {
        let mut chosen = CoveredRanges::default();
        for (side, taken) in taken.into_iter().enumerate() {
            for range in taken {
                chosen.add(side, range);
            }
        }
        let mut apart = Vec::new();
        for groups in passages {
            let of_groups = groups.iter().map(|group| {
                let ranges = [0, 1].map(|side| self.words(side, group.range(side)));
                (aligned(self.pair, &self.weights, &ranges), ranges)
            });
            let (runs, ranges): (Vec<Vec<Run>>, Vec<[Range<usize>; 2]>) = of_groups.unzip();
            let runs = runs.concat();
            let ranges = [0, 1].map(|side| {
                let of_side = || ranges.iter().map(|ranges| &ranges[side]);
                let start = of_side().map(|range| range.start).min().unwrap_or_default();
                start..of_side().map(|range| range.end).max().unwrap_or_default()
            });
            let shared: usize = runs.iter().map(|run| run.length).sum();
            if shared >= fewest && chosen.is_free(&ranges) {
                (0..2).for_each(|side| chosen.add(side, ranges[side].clone()));
                apart.push(Reworded { ranges, runs });
            }
        }
        apart
    }
}

/// Returns the groups of each set, in the order of the first group of each.
fn of_sets(mut sets: DisjointSets, groups: &[SentenceMatch]) -> Vec<Vec<SentenceMatch>> {
    let mut of_sets: Vec<(usize, usize)> =
        (0..groups.len()).map(|at| (sets.root(at), at)).collect();
    of_sets.sort_unstable();
    let together = of_sets.chunk_by(|one, next| one.0 == next.0);
    together.map(|set| set.iter().map(|(_, at)| groups[*at]).collect()).collect()
}

/// The largest number of shared seeds that has a counter of its own.
const MAX_COUNT_LENGTH: usize = 64;

/// Groups consecutive numbers by their upper halves.
fn by_word(seeds: &[u64]) -> impl Iterator<Item = &[u64]> {
    seeds.chunk_by(|one, next| one >> 32 == next >> 32)
}

/// Returns the groups, the greatest first, without those that share a sentence with a greater one.
fn best_first(groups: &[SentenceMatch], sentences: &[Vec<Sentence>; 2]) -> Vec<SentenceMatch> {
    let mut taken = sentences.each_ref().map(|sentences| vec![false; sentences.len()]);
    let mut best = Vec::new();
    for group in groups {
        if (0..2).all(|side| !taken[side][group.range(side)].contains(&true)) {
            (0..2).for_each(|side| taken[side][group.range(side)].fill(true));
            best.push(*group);
        }
    }
    best
}

// The alignment of the words that two groups of sentences share, each word with one word.

/// The minimum weight of a word that may be aligned alone. Other words are aligned if they are
/// adjacent to such a word on both sides. A word that occurs twice in 120 words has this weight.
const DISTINCTIVE_WEIGHT: u32 = 2 * BIT;

/// Aligns the words of two ranges: the longest runs of equal words first, each with a distinctive
/// word. The cost is that of comparing every word of one range with every word of the other.
pub(super) fn aligned(pair: &Pair, weights: &Weights, ranges: &[Range<usize>; 2]) -> Vec<Run> {
    let is_distinctive = |run: &Run| {
        let words = &pair.words[0][run.range(0)];
        words.iter().any(|word| weights.of_word(*word) >= DISTINCTIVE_WEIGHT)
    };
    let mut found = runs_within(pair, ranges);
    found.retain(is_distinctive);
    found = runs::apart(found, 1);
    found.retain(is_distinctive);
    found
}

/// Returns the longest runs of equal words within two ranges.
fn runs_within(pair: &Pair, [left, right]: &[Range<usize>; 2]) -> Vec<Run> {
    let words = |i: usize, j: usize| (pair.words[0][i], pair.words[1][j]);
    let are_equal = |i: usize, j: usize| words(i, j).0 == words(i, j).1;
    let mut found = Vec::new();
    for i in left.clone() {
        for j in right.clone() {
            let goes_on = i > left.start && j > right.start && are_equal(i - 1, j - 1);
            if are_equal(i, j) && !goes_on {
                let more = (i + 1..left.end).zip(j + 1..right.end);
                let length = 1 + more.take_while(|(i, j)| are_equal(*i, *j)).count();
                found.push(Run { at: [i, j], length });
            }
        }
    }
    found
}

// The sentences of prose in the stretches of words that no passage covers.

/// The largest number of words in a sentence. A longer one is split after as many.
pub(super) const MAX_SENTENCE_WORDS: usize = 60;

#[derive(Clone, Debug, Eq, PartialEq)]
pub(super) struct Sentence {
    /// Its range of words. 32-bit numbers save memory, since a text may consist of sentences of one
    /// letter.
    words: Range<u32>,
    /// Whether it directly follows the sentence before: there is no word, passage or break between
    /// them.
    pub(super) follows: bool,
}

impl Sentence {
    pub(super) fn words(&self) -> Range<usize> {
        self.words.start as usize..self.words.end as usize
    }
}

/// Returns the sentences of prose in free ranges of words of a side, in order. `starts` are the
/// words that begin a sentence within a range. Sentences beyond 2³² words are skipped.
pub(super) fn sentences(
    pair: &Pair,
    weights: &Weights,
    side: usize,
    free: &[Range<usize>],
    starts: &[usize],
) -> Vec<Sentence> {
    let mut sentences: Vec<Sentence> = Vec::new();
    let mut starts = starts.iter().copied().peekable();
    for range in free {
        let mut start = range.start;
        while start < range.end {
            while starts.next_if(|next| *next <= start).is_some() {}
            let next = starts.peek().copied().unwrap_or(range.end);
            let end = next.min(range.end).min(start + MAX_SENTENCE_WORDS);
            if weights.are_prose(&pair.words[side][start..end])
                && let (Ok(first), Ok(behind)) = (u32::try_from(start), u32::try_from(end))
            {
                let is_next = sentences.last().is_some_and(|last| last.words.end == first);
                let follows = is_next && start > range.start;
                sentences.push(Sentence { words: first..behind, follows });
            }
            start = end;
        }
    }
    sentences
}

// The weights of words: a shared word is the stronger evidence, the rarer it is in both texts.

/// The unit of weights, in parts of a bit: this many units are one bit.
pub(super) const BIT: u32 = 4;

/// The assumed length of a sentence, in words: a word that occurs once in as many is expected in
/// each sentence, and weighs one bit.
const SENTENCE: u64 = 20;

/// The maximum weight: six bits, that of a word that occurs once in 1,260 words.
const MAX_WEIGHT: u8 = 24;

/// The fraction that makes a word common: at least one in this many words of both texts.
const COMMON_ONE_IN: u64 = 100;

/// The weights of the words of a pair.
pub(super) struct Weights {
    /// The weight of each word by its number, in quarters of a bit; 0 for a letter of a script
    /// without spaces, and for a number that counts up in both texts.
    of_words: Vec<u8>,
    /// Whether each word is common, by its number.
    common: Vec<bool>,
    /// The number of occurrences of common words in both texts, and of all words.
    share: [u64; 2],
}

impl Weights {
    /// Computes the weights from the words of both texts.
    pub(super) fn new(pair: &Pair) -> Self {
        let counts = || pair.frequencies().counts().iter().map(|count| u64::from(*count));
        let all: u64 = pair.words.iter().map(|words| words.len() as u64).sum();
        let common: Vec<bool> = counts().map(|count| count * COMMON_ONE_IN >= all).collect();
        let is_common = counts().zip(&common).filter(|(_, is_common)| **is_common);
        let share = [is_common.map(|(count, _)| count).sum(), all];
        let mut is_counter = vec![[false; 2]; pair.distinct_words()];
        for side in 0..2 {
            for at in &pair.counters()[side] {
                is_counter[pair.words[side][*at] as usize][side] = true;
            }
        }
        let of = |(number, count): (usize, u64)| {
            let is_evidence = pair.is_whole(number) && is_counter[number] != [true; 2];
            if is_evidence { weight(count, all) } else { 0 }
        };
        let of_words = counts().enumerate().map(of).collect();
        Self { of_words, common, share }
    }

    /// Returns the weight of a word, in quarters of a bit.
    pub(super) fn of_word(&self, number: u32) -> u32 {
        u32::from(self.of_words[number as usize])
    }

    /// Reports whether words are prose: the share of common words among them is at least half of
    /// the share in both texts. If it is smaller, they are code, a heading or a list of names.
    pub(super) fn are_prose(&self, words: &[u32]) -> bool {
        let common = words.iter().filter(|word| self.common[**word as usize]).count() as u64;
        let [of_all, all] = self.share;
        2 * common * all >= words.len() as u64 * of_all
    }
}

/// Returns the weight of a word that occurs `count` times among `all` words: the binary logarithm
/// of 1 + all / (20 · count), in quarters of a bit, rounded down.
fn weight(count: u64, all: u64) -> u8 {
    let expected = SENTENCE * count;
    if expected == 0 || all / expected >= (1 << (u32::from(MAX_WEIGHT) / BIT)) - 1 {
        return MAX_WEIGHT;
    }
    // The ratio is below 64 and has 16 binary places, so its fourth power has 64.
    let ratio = u128::from(((all + expected) << 16) / expected);
    u8::try_from(ratio.pow(4).ilog2().saturating_sub(64)).unwrap_or(MAX_WEIGHT)
}

#[cfg(test)]
mod matched_tests {
    use super::super::tests::{pair, words};
    use super::*;

    #[test]
    fn words_are_aligned_with_those_around_them_and_once() {
        let run = |left, right, length| Run { at: [left, right], length };
        // Among 620 words, one that occurs ten times weighs two bits, and one that occurs twelve
        // times less.
        let rest = format!(" q1..300 {}{}", "k ".repeat(4), "m ".repeat(5));
        #[rustfmt::skip]
        let table: &[(&str, &str, &str, &[Run])] = &[
            ("nothing",                      "a b c",        "d e f",            &[]),
            ("one word",                     "a b c",        "d b f",            &[run(1, 1, 1)]),
            ("in another order",             "a b c",        "c x a",            &[run(0, 2, 1), run(2, 0, 1)]),
            ("the longest run first",        "a b c",        "b x a b c",        &[run(0, 2, 3)]),
            ("each word once",               "a x a",        "a y z",            &[run(0, 0, 1)]),
            ("one that stands often",        "k",            "k",                &[run(0, 0, 1)]),
            ("one that stands too often",    "m",            "m",                &[]),
            ("beside one that does not",     "m a",          "m a",              &[run(0, 0, 2)]),
            ("beside one of a longer run",   "m c d e",      "c d e z m c",      &[run(1, 0, 3)]),
        ];
        for (why, left, right, want) in table {
            // Words are weighted by the complete texts; the ranges are the beginnings of these.
            let texts = [left, right].map(|text| words(&format!("{text}{rest}")));
            let count = [left, right].map(|text| words(text).len());
            let pair = pair(&texts[0], &texts[1]);
            let is_turned = pair.words[0].len() != texts[0].len()
                || !pair.distinct[pair.words[0][0] as usize]
                    .eq(&crate::interner::Stem::new(&texts[0][0]));
            let weights = Weights::new(&pair);
            let mut ranges = count.map(|count| 0..count);
            if is_turned {
                ranges.reverse();
            }
            let mut got = aligned(&pair, &weights, &ranges);
            if is_turned {
                for run in &mut got {
                    run.at.swap(0, 1);
                }
            }
            got.sort_unstable();
            assert_eq!(got, *want, "{why}");
        }
    }
}

#[cfg(test)]
mod sentences_tests {
    use super::super::tests::{pair, words};
    use super::*;

    #[test]
    fn sentences_end_at_starts_ends_of_ranges_and_after_60_words() {
        // All words are equally common, so that everything is prose.
        let text = words("a1..90");
        let pair = pair(&text, &text);
        let weights = Weights::new(&pair);
        #[rustfmt::skip]
        let table: &[(&str, &[(usize, usize)], &[usize], &[(usize, usize, bool)])] = &[
            ("nothing",                   &[],               &[5],         &[]),
            ("one",                       &[(3, 9)],           &[],          &[(3, 9, false)]),
            ("two",                       &[(3, 9)],           &[5],         &[(3, 5, false), (5, 9, true)]),
            ("starts at its ends",        &[(3, 9)],           &[3, 9],      &[(3, 9, false)]),
            ("starts elsewhere",          &[(3, 9)],           &[1, 12],     &[(3, 9, false)]),
            ("two ranges",                &[(3, 9), (9, 12)],    &[10],        &[(3, 9, false), (9, 10, false), (10, 12, true)]),
            ("60 words",                  &[(0, 60)],          &[],          &[(0, 60, false)]),
            ("61",                        &[(0, 61)],          &[],          &[(0, 60, false), (60, 61, true)]),
            ("60 from where it begins",   &[(0, 90)],          &[7, 80],     &[(0, 7, false), (7, 67, true), (67, 80, true), (80, 90, true)]),
        ];
        for (why, free, starts, want) in table {
            let free: Vec<_> = free.iter().map(|(start, end)| *start..*end).collect();
            let got = sentences(&pair, &weights, 0, &free, starts);
            let got: Vec<_> =
                got.into_iter().map(|it| (it.words().start, it.words().end, it.follows)).collect();
            assert_eq!(got, *want, "{why}");
        }
    }

    #[test]
    fn what_is_no_prose_parts_what_stands_around_it() {
        let text = words(
            &["the x1..3 ".repeat(50), "y1..20 ".to_owned(), "the z1..3 ".repeat(50)].concat(),
        );
        let pair = pair(&text, &[]);
        let side = usize::from(pair.words[0].is_empty());
        let weights = Weights::new(&pair);
        let got = sentences(&pair, &weights, side, std::slice::from_ref(&(190..240)), &[200, 220]);
        let got: Vec<_> = got.into_iter().map(|it| (it.words(), it.follows)).collect();
        assert_eq!(got, [(190..200, false), (220..240, false)]);
    }
}

#[cfg(test)]
mod weights_tests {
    use super::super::tests::{pair, words};
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
                // The ratio 1 + all / (20 · count) is at least 2 to the power of the weight in bits.
                let [whole, part] = [20 * count + all, 20 * count].map(|it| u128::from(it).pow(4));
                let want = (0..=MAX_WEIGHT).rev().find(|quarters| whole >= part << quarters);
                assert_eq!(weight(count, all), want.unwrap(), "{count} of {all}");
            }
        }
    }

    #[test]
    fn prose_has_its_share_of_common_words() {
        // 100 of 400 words are common, so at least one in eight words of prose must be.
        let text =
            words(&["x1..75 the ".repeat(2), "the ".repeat(48), "y1..100".to_owned()].concat());
        let other = words(&["z1..50 ", &"of ".repeat(50)].concat());
        let pair = pair(&text, &other);
        let weights = Weights::new(&pair);
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
        let weights = Weights::new(&pair);
        let side =
            usize::from(pair.words[0].len() < text.len() || pair.words[0][0] != pair.words[0][3]);
        let is_common = [0, 4, 9].map(|at| weights.common[pair.words[side][at] as usize]);
        assert_eq!((weights.share, is_common), ([4, 400], [true, false, false]));
    }

    #[test]
    fn letters_of_scripts_without_spaces_weigh_nothing() {
        let pair = pair(&words("a 水"), &words("b"));
        let weights = Weights::new(&pair);
        let of_words = pair.words.iter().flatten().map(|word| weights.of_word(*word));
        let mut got: Vec<u32> = of_words.collect();
        got.sort_unstable();
        assert_eq!(got[0], 0);
        assert!(got[1] == got[2]);
    }
}

#[cfg(test)]
mod tests;
