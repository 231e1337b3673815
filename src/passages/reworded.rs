//! Finds sentences that say the same in other words, in what no exact or edited passage covers, and
//! joins them with these.
//!
//! 1. A pair of sentences is a **seed** if at least one is prose, if they share at least three rare terms,
//!    and if it scores more than 7 bits: the weight of these terms, minus a tenth of the weight of the
//!    terms that only one sentence has. A term is rare if it occurs in a different sentences of one text
//!    and in b of the other, and a · b ≤ 16. The order of the words does not matter, and neither does
//!    what stands around the sentences.
//! 2. Seeds and passages that are at most 80 words apart on both sides form a **cluster**.
//! 3. A cluster **grows** once: by pairs of sentences within it or at most 10 words beside it that score
//!    more than nothing, or whose shared terms weigh 2 bits more than an eighth of the others. Only those
//!    that score as much as a seed count as reworded; the others are its own words.
//! 4. A cluster is a **passage** if it contains an exact or edited passage; or if its pairs, the best
//!    first and each sentence once, have 2.9 bits of evidence for each word in a row that a passage must
//!    have, or 3.9 bits if one side has a single sentence, and twice as many words on both sides. Also,
//!    a pair must be an [indexable seed](super::indexable): a seed if each term weighs what it does in
//!    one text alone. The cluster with the most evidence is chosen first.
//! 5. A **summary** has the same on one side in a smaller space: seeds that are at most 33 words apart on
//!    that side and 1,000 on the other, where they are in three places or more, and take up two and a
//!    half times as many words.
//!
//! The steps are those of Sanchez-Perez, Gelbukh and Sidorov (2014), with other rules. docs/accuracy.md
//! reports how these were chosen, and what other numbers find. The cost is that of sorting the terms of
//! the sentences, since at most one pair of sentences for every eight words of both texts is scored as a
//! seed.

use std::cell::OnceCell;
use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::ops::Range;

use super::MinMatch;
use super::clusters::{self, Apart, Cluster, MAX_GAP, Place, are_unbroken, extent};
use super::indexable::{KeyTerm, MIN_SEED, OwnWeights, SHARED_WEIGHT, UNIT, are_indexable_seed};
use super::pair::{Pair, WORD};
use super::runs;
use super::sentences::{self, BIT, Candidate, Sentences};
use crate::interner::common_runs::Run;
use crate::interner::place as index;
use crate::parallel;

/// The minimum number of rare terms that a seed shares.
const MIN_SHARED_RARE: usize = 3;

/// The number of words of both texts for each pair of sentences that is scored as a seed. If there are
/// more candidates, those that share the most rare terms are scored.
const WORDS_A_SEED: usize = 8;

/// The number of pairs of sentences that are scored in texts of any size, in addition.
const MIN_SCORED: usize = 16;

/// The same for terms that need not be rare, when a cluster grows.
const SHARED_WEIGHT_OF_ALL: i64 = 8;

/// What a pair of sentences that is no seed must score more than, if terms that are not rare count.
const MIN_GROWTH: i64 = 2 * BIT as i64 * SHARED_WEIGHT_OF_ALL;

/// The largest number of words between a cluster and what it grows by.
const MAX_GROWTH: usize = 10;

/// The minimum evidence for each word in a row that a passage must have: 2.9 bits.
const EVIDENCE_PER_WORD: i64 = 29 * UNIT / 10;

/// The same if one side has a single sentence: 3.9 bits.
const EVIDENCE_PER_WORD_OF_ONE: i64 = 39 * UNIT / 10;

/// The minimum number of words on each side for each word in a row that a passage must have.
const WORDS_PER_WORD: usize = 2;

/// The largest numbers of words between the seeds of a summary: on the side of the summary, and on the
/// other.
const SUMMARY_GAPS: [usize; 2] = [33, 1000];

/// The minimum number of places on the other side that a summary is taken from.
const MIN_ISLANDS: usize = 3;

/// What a summary summarizes has at least this many times as many words, given as numerator and
/// denominator.
const SUMMARY_RATIO: (usize, usize) = (5, 2);

/// A pair of sentences with its score.
#[derive(Clone, Debug, Eq, PartialEq)]
struct Scored {
    at: [u32; 2],
    score: i64,
}

/// Clusters of what may be one passage, before they are chosen.
struct Grown {
    place: Place,
    /// The indices of the clusters of exact and edited passages.
    known: Vec<usize>,
    /// The pairs of sentences, the best first.
    sentences: Vec<Scored>,
    /// The number of words of `known`, and the evidence of the sentences.
    evidence: (usize, i64),
}

impl Grown {
    /// The order in which clusters are chosen: the one with the most evidence first.
    fn order(&self) -> (Reverse<(usize, i64)>, [usize; 2]) {
        (Reverse(self.evidence), [0, 1].map(|side: usize| self.place[side].start))
    }
}

struct Search<'p> {
    pair: &'p Pair,
    sentences: Sentences,
    /// All pairs of sentences that share rare terms, in increasing order.
    candidates: Vec<Candidate>,
    /// What the terms of each side weigh on that side.
    own: OnceCell<[OwnWeights; 2]>,
    min_match: usize,
}

/// Finds reworded sentences beside [joined](clusters::join) passages, and joins them with these. The
/// result also has the passages that are beside none.
///
/// `starts` returns the words that begin a sentence within free ranges of a side; `None` if these
/// are not known.
pub(super) fn join(
    pair: &Pair,
    passages: &[Place],
    known: Vec<Cluster>,
    min_match: MinMatch,
    starts: impl Fn(usize, &[Range<usize>]) -> Option<Vec<usize>> + Sync,
) -> Vec<Cluster> {
    let min_match = min_match.words();
    let free = [0, 1].map(|side| {
        let taken = passages.iter().map(|place| place[side].clone()).collect();
        runs::cut(runs::gaps(taken, pair.words[side].len()), &pair.breaks[side])
    });
    let words = |side: usize| free[side].iter().map(Range::len).sum::<usize>();
    if pair.is_same() || (0..2).any(|side| words(side) < MIN_SHARED_RARE) {
        return known;
    }
    let of_side = |side: usize| Some(sentences::split(&free[side], &starts(side, &free[side])?));
    let bytes = size_of::<u32>() * (words(0) + words(1));
    let (Some(left), Some(right)) = parallel::join(bytes, || of_side(0), || of_side(1)) else {
        return known;
    };
    let mut sentences = Sentences::new(pair, [left, right]);
    let candidates = sentences.candidates();
    Search { pair, sentences, candidates, own: OnceCell::new(), min_match }.clusters(known)
}

impl Search<'_> {
    fn clusters(&self, known: Vec<Cluster>) -> Vec<Cluster> {
        let seeds = self.seeds();
        if seeds.is_empty() && known.is_empty() {
            return known;
        }
        let places: Vec<Place> = known.iter().map(|it| it.place.clone()).collect();
        let all = Apart::of(&places);
        let mut apart = Apart::default();
        let mut known: Vec<Option<Cluster>> = known.into_iter().map(Some).collect();
        let mut grown = self.grown(&places, &seeds, [MAX_GAP; 2]);
        grown.retain(|it| self.counts(it));
        grown.sort_by_key(Grown::order);
        for it in grown {
            let is_alone = all.overlapping(&it.place).len() == it.known.len()
                && apart.overlapping(&it.place).is_empty();
            let of_passages: Vec<Cluster> =
                it.known.iter().filter_map(|at| known[*at].take()).collect();
            let passages = of_passages.iter().flat_map(|it| it.passages.iter().copied()).collect();
            match self.cluster(it.place, self.counted(it.sentences), passages) {
                Some(cluster) if is_alone => apart.add(cluster),
                _ => of_passages.into_iter().for_each(|it| apart.add(it)),
            }
        }
        for side in 0..2 {
            self.add_summaries(&places, &seeds, side, &mut apart);
        }
        apart.into_clusters()
    }

    /// Makes a cluster; `None` if it has neither passages nor as many aligned words as one must have in a
    /// row.
    fn cluster(
        &self,
        place: Place,
        sentences: Vec<Place>,
        mut passages: Vec<usize>,
    ) -> Option<Cluster> {
        passages.sort_unstable();
        let runs = aligned(self.pair, &self.sentences, &sentences);
        let worth: usize = runs.iter().map(|run| self.pair.worth_of(0, run.range(0))).sum();
        let is_enough = !passages.is_empty() || worth >= self.min_match.saturating_mul(WORD);
        is_enough.then_some(Cluster { place, passages, sentences, runs })
    }

    /// Returns the pairs that score as much as a seed. Others are too weak to count as reworded; by them a
    /// cluster grows.
    fn counted(&self, sentences: Vec<Scored>) -> Vec<Place> {
        let strong = sentences.into_iter().filter(|it| it.score > MIN_SEED);
        strong.map(|it| self.place(it.at)).collect()
    }

    fn place(&self, at: [u32; 2]) -> Place {
        [0, 1].map(|side: usize| self.sentences.words[side][at[side] as usize].clone())
    }

    /// Returns the seeds in increasing order.
    fn seeds(&self) -> Vec<Scored> {
        let words: usize = self.pair.words.iter().map(Vec::len).sum();
        let most = words / WORDS_A_SEED + MIN_SCORED;
        let mut shared: Vec<usize> = self
            .candidates
            .iter()
            .map(|it| it.rare)
            .filter(|rare| *rare >= MIN_SHARED_RARE)
            .collect();
        let mut fewest = MIN_SHARED_RARE;
        if shared.len() > most {
            shared.sort_unstable_by_key(|rare| Reverse(*rare));
            fewest = shared[most] + 1;
        }
        let enough = self.candidates.iter().filter(|it| it.rare >= fewest);
        enough
            .filter(|it| self.has_prose(it.at))
            .map(|it| Scored { at: it.at, score: self.score(it.at)[0] })
            .filter(|it| it.score > MIN_SEED)
            .collect()
    }

    fn has_prose(&self, at: [u32; 2]) -> bool {
        (0..2).any(|side| self.sentences.is_prose[side][at[side] as usize])
    }

    /// Returns the score of two sentences in [units](UNIT), and the score in which all terms count.
    fn score(&self, at: [u32; 2]) -> [i64; 2] {
        let [rare, all, others] = self.sentences.shared(at).map(i64::from);
        [SHARED_WEIGHT * rare - others, SHARED_WEIGHT_OF_ALL * all - others]
    }

    /// Groups known clusters and seeds by [single linkage](clusters::linked), and adds to each group the
    /// pairs of sentences within it and beside it.
    fn grown(&self, known: &[Place], seeds: &[Scored], gaps: [usize; 2]) -> Vec<Grown> {
        let of_seeds = seeds.iter().map(|it| self.place(it.at));
        let places: Vec<Place> = known.iter().cloned().chain(of_seeds).collect();
        let groups = clusters::linked(self.pair, &places, gaps);
        groups
            .into_iter()
            .map(|group| {
                let before = group.partition_point(|at| *at < known.len());
                let (of_known, of_seeds) = group.split_at(before);
                let place = extent(group.iter().map(|at| &places[*at]));
                let mut members: Vec<Scored> =
                    of_seeds.iter().map(|at| seeds[*at - known.len()].clone()).collect();
                members.extend(self.beside(&place, &members));
                members.sort_by_key(|it| (Reverse(it.score), it.at));
                let mut met: [[BTreeSet<u32>; 2]; 2] = Default::default();
                let [paired, met] = &mut met;
                let (mut evidence, mut sentences) = (0, Vec::new());
                for it in members {
                    let is_free = (0..2).all(|side| !paired[side].contains(&it.at[side]));
                    if is_free && it.score > 0 {
                        evidence += it.score;
                        for (paired, sentence) in paired.iter_mut().zip(it.at) {
                            paired.insert(sentence);
                        }
                    }
                    let is_new = [0, 1].map(|side: usize| met[side].insert(it.at[side]));
                    if is_new != [false; 2] {
                        sentences.push(it);
                    }
                }
                let of_sentences: Vec<Place> =
                    sentences.iter().map(|it| self.place(it.at)).collect();
                let place = extent([place].iter().chain(&of_sentences));
                let words = of_known.iter().map(|at| known[*at][0].len()).sum();
                Grown { place, known: of_known.to_vec(), sentences, evidence: (words, evidence) }
            })
            .collect()
    }

    /// Returns the pairs of sentences by which a cluster grows, besides its seeds.
    fn beside(&self, place: &Place, seeds: &[Scored]) -> Vec<Scored> {
        let near = [0, 1].map(|side: usize| {
            let words = &self.sentences.words[side];
            let first = words.partition_point(|it| it.end + MAX_GROWTH < place[side].start);
            let behind = words.partition_point(|it| it.start <= place[side].end + MAX_GROWTH);
            index(first)..index(behind)
        });
        let is_other = |at: &[u32; 2]| {
            self.has_prose(*at)
                && seeds.binary_search_by_key(at, |seed| seed.at).is_err()
                && are_unbroken(self.pair, place, &self.place(*at))
        };
        let of_left = |left: u32| {
            let [first, behind] = [near[1].start, near[1].end]
                .map(|right| self.candidates.partition_point(|it| it.at < [left, right]));
            self.candidates[first..behind].iter().map(|it| it.at).filter(is_other)
        };
        let scored = |at| {
            let [score, of_all] = self.score(at);
            (score > 0 || of_all > MIN_GROWTH).then_some(Scored { at, score })
        };
        near[0].clone().flat_map(of_left).filter_map(scored).collect()
    }

    /// Reports whether a cluster is enough to be a passage.
    fn counts(&self, grown: &Grown) -> bool {
        if !grown.known.is_empty() {
            return true;
        }
        let one = (0..2).any(|side| {
            grown.sentences.iter().all(|it| it.at[side] == grown.sentences[0].at[side])
        });
        let per_word = if one { EVIDENCE_PER_WORD_OF_ONE } else { EVIDENCE_PER_WORD };
        let words = i64::try_from(self.min_match).unwrap_or(i64::MAX);
        grown.evidence.1 >= words.saturating_mul(per_word)
            && (0..2).all(|side| {
                let worth = self.pair.worth_of(side, grown.place[side].clone());
                worth >= self.min_match.saturating_mul(WORDS_PER_WORD * WORD)
            })
            && grown.sentences.iter().any(|it| self.is_indexable(it.at))
    }

    fn is_indexable(&self, at: [u32; 2]) -> bool {
        let own = self.own.get_or_init(|| [0, 1].map(|side| self.own_weights(side)));
        let of_side = |side: usize| -> Vec<KeyTerm> {
            let of_bigram = |letters| own[side].of_bigram(letters);
            let of_term = |term: &u32| {
                let letters = self.sentences.letters(*term);
                let weight = letters.map_or_else(|| own[side].of_word(*term), of_bigram);
                KeyTerm::new(*term, weight)
            };
            self.sentences.terms(side, at[side]).iter().filter_map(of_term).collect()
        };
        let terms = [0, 1].map(of_side);
        let weights =
            terms.each_ref().map(|terms| terms.iter().map(|it| u32::from(it.weight)).sum());
        are_indexable_seed([&terms[0], &terms[1]], weights, &[])
    }

    fn own_weights(&self, side: usize) -> OwnWeights {
        let letter = |word: u32| (!self.pair.is_whole(word as usize)).then_some(word);
        let words = (&*self.pair.words[side], self.pair.distinct_words());
        let sentences = &self.sentences.words[side];
        OwnWeights::new(words, sentences, letter, &self.pair.counters()[side])
    }

    /// Adds the passages that are summaries on a side, in place of the clusters that they contain.
    fn add_summaries(&self, known: &[Place], seeds: &[Scored], side: usize, apart: &mut Apart) {
        let (short, long) = (side, 1 - side);
        let mut gaps = SUMMARY_GAPS;
        if side == 1 {
            gaps.reverse();
        }
        let mut grown = self.grown(known, seeds, gaps);
        grown.retain(|it| {
            let [summary, source] = [short, long].map(|side| it.place[side].len());
            SUMMARY_RATIO.1 * source >= SUMMARY_RATIO.0 * summary
                && self.islands(it, known, long) >= MIN_ISLANDS
                && self.counts(it)
        });
        grown.sort_by_key(Grown::order);
        for it in grown {
            let inner = apart.overlapping(&it.place);
            let places: Vec<Place> = inner.iter().map(|at| apart.get(*at).place.clone()).collect();
            let is_inside = |place: &Place| {
                (0..2).all(|side| {
                    it.place[side].start <= place[side].start + MAX_GROWTH
                        && place[side].end <= it.place[side].end + MAX_GROWTH
                })
            };
            let place = extent(places.iter().chain([&it.place]));
            if !places.iter().all(is_inside) || apart.overlapping(&place) != inner {
                continue;
            }
            let passages =
                inner.iter().flat_map(|at| apart.get(*at).passages.iter().copied()).collect();
            let mut sentences = self.counted(it.sentences);
            sentences.extend(inner.iter().flat_map(|at| apart.get(*at).sentences.iter().cloned()));
            if let Some(cluster) = self.cluster(place, sentences, passages) {
                for at in inner {
                    apart.remove(at);
                }
                apart.add(cluster);
            }
        }
    }

    /// Returns the number of places of a cluster on a side.
    fn islands(&self, grown: &Grown, known: &[Place], side: usize) -> usize {
        let of_sentences = grown.sentences.iter().map(|it| self.place(it.at)[side].clone());
        let mut ranges: Vec<_> =
            grown.known.iter().map(|at| known[*at][side].clone()).chain(of_sentences).collect();
        ranges.sort_unstable_by_key(|range| range.start);
        let (mut count, mut end) = (0, None::<usize>);
        for range in ranges {
            count += usize::from(end.is_none_or(|end| range.start > end + SUMMARY_GAPS[0]));
            end = end.max(Some(range.end));
        }
        count
    }
}

/// Aligns the words of pairs of sentences, each word once: the longest runs of equal words first, each
/// with three words or a distinctive one. The cost is that of comparing every word of a sentence with every word of
/// the other.
fn aligned(pair: &Pair, sentences: &Sentences, places: &[Place]) -> Vec<Run> {
    let is_distinctive = |run: &Run| {
        run.length >= MinMatch::SMALLEST || sentences.are_distinctive(&pair.words[0][run.range(0)])
    };
    let mut found: Vec<Run> = places.iter().flat_map(|place| runs_within(pair, place)).collect();
    found.retain(is_distinctive);
    found = runs::apart([0, 1], found, 1);
    found.retain(is_distinctive);
    found
}

/// Returns the longest runs of equal words within two ranges.
fn runs_within(pair: &Pair, [left, right]: &Place) -> Vec<Run> {
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

#[cfg(test)]
mod tests;
