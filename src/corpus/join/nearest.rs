//! Finds for each text the others that share most with it, and decides whether the nearest of them
//! stands out.

use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::mem::take;
use std::num::NonZeroUsize;

use super::collection::Classes;
use super::collection::{Collection, Place};
use super::overlapping::{PrefixIndex, low};
use super::pairs::Pair;
use super::sets::TempFileError;
use super::tokens::{Ranked, SetTokens};
use crate::jaccard::{Overlap, Share};
use crate::parallel::{self, Advance};

/// The number of sets per unit of work.
const SETS_PER_BLOCK: usize = if cfg!(test) { 8 } else { 64 };

/// The number of postings that are counted between two checks of whether more can matter.
const POSTINGS_PER_CHECK: usize = if cfg!(test) { 4 } else { 1 << 14 };

/// Finds for each text the `max_neighbours` other texts with the highest Jaccard index of all
/// shingles, and reports progress to `advance`.
///
/// The highest index comes first; among equal ones, the text with the smaller number. Only texts
/// that share a shingle with the text and [are compared](Place::is_compared_with) with it are
/// found. Depending on its number, the text itself is a or b of its pairs.
///
/// For each set and place, the residues shared with all other sets are counted with an index,
/// rarest residues first, until the sets not met yet cannot be near enough; only the best sets are
/// merged. Residues that many texts share cost time quadratic in the number of these texts if there
/// is nothing nearer to find.
///
/// # Errors
///
/// Returns [`TempFileError`] if the collection has a temporary file that cannot be used.
pub fn nearest_watched(
    collection: &Collection,
    max_neighbours: NonZeroUsize,
    threads: NonZeroUsize,
    advance: &Advance,
) -> Result<Vec<Vec<Pair>>, TempFileError> {
    advance.begin(0);
    let classes = Classes::new(collection);
    let ranked = Ranked::new(&collection.all, &classes);
    let tokens = ranked.tokens(|_| 1, None, threads);
    let mut nearest = vec![Vec::new(); collection.len()];
    tokens.with(0..tokens.len(), |tokens| {
        let index = PrefixIndex::new(tokens, 0, &vec![1; tokens.len()], threads);
        let search =
            NearestSearch { collection, ranked: &ranked, tokens, index: &index, max_neighbours };
        advance.begin(ranked.residues(0..tokens.len()));
        let ranks = (0..tokens.len()).step_by(SETS_PER_BLOCK);
        let scratch = || Scratch { counts: vec![0; tokens.len()], met: Vec::new() };
        let found = parallel::each(threads, ranks, scratch, |scratch, first| {
            let block = first..(first + SETS_PER_BLOCK).min(tokens.len());
            let found =
                block.clone().flat_map(|rank| search.of_class(rank, scratch)).collect::<Vec<_>>();
            advance.add(ranked.residues(block));
            found
        });
        for (text, pairs) in found.into_iter().flatten() {
            nearest[text as usize] = pairs;
        }
    });
    collection.check().map(|()| nearest)
}

/// The smallest and the largest number of texts after the two nearest that a gap is judged by.
const GAP_NEIGHBOURS: std::ops::RangeInclusive<usize> = 5..=10;

/// The number of nearest texts that decide whether the first of them [stands out](standing_out).
pub const NEIGHBOURS_COMPARED: NonZeroUsize =
    NonZeroUsize::new(*GAP_NEIGHBOURS.end() + 2).expect("above 0");

/// By chance, one text in this many has a nearest text that stands out.
const FALSE_ALARM_ODDS: f64 = 50.0;

/// The smallest Jaccard index that stands out: two thirds of the default limit of *partial*.
const MIN_JACCARD: f64 = 0.08;

/// Finds the texts whose nearest text is far closer than the others, using a gap test. Returns
/// pairs of numbers: the text and its nearest one.
///
/// `nearest` contains the nearest texts of each text, at least [`NEIGHBOURS_COMPARED`] of them. A
/// text that is compared with fewer than seven others is never returned.
pub fn standing_out(collection: &Collection, nearest: &[Vec<Pair>]) -> BTreeSet<(u32, u32)> {
    let mut found = BTreeSet::new();
    for (pairs, text) in nearest.iter().zip(0..) {
        let Some(first) = pairs.first() else { continue };
        let mut indexes: Vec<f64> = pairs
            .iter()
            .take(NEIGHBOURS_COMPARED.get())
            .map(|pair| pair.all.jaccard().map_or(0.0, Share::ratio))
            .collect();
        if indexes.len() < NEIGHBOURS_COMPARED.get() {
            // The remaining texts share nothing: their index is 0.
            let place = collection.place(text);
            let compared =
                |other: &u32| *other != text && place.is_compared_with(collection.place(*other));
            let others = (0..)
                .take(collection.len())
                .filter(compared)
                .take(NEIGHBOURS_COMPARED.get())
                .count();
            indexes.resize(others, 0.0);
        }
        if stands_out(&indexes) {
            found.insert((text, if first.a == text { first.b } else { first.a }));
        }
    }
    found
}

/// Reports whether the first of some Jaccard indices, given in decreasing order, is an outlier
/// above the others.
///
/// The highest of many indices of unrelated texts follow the tail of an exponential distribution:
/// the distance from each to the next, times its rank, is exponential with the same mean for all
/// (Rényi 1953). So the first distance is at least `gap` times the mean of the next `count` ones
/// with a probability of (1 + gap / count)^-count.
fn stands_out(indexes: &[f64]) -> bool {
    let [first, second, behind @ ..] = indexes else { return false };
    let behind = &behind[..behind.len().min(*GAP_NEIGHBOURS.end())];
    let count: f64 = behind.iter().map(|_| 1.0).sum();
    let last = behind.last().copied().unwrap_or_default();
    if behind.len() < *GAP_NEIGHBOURS.start() || *first < MIN_JACCARD {
        return false;
    }
    // The sum of the distances times their ranks, from the second index on.
    let distances = 2.0 * second + behind.iter().sum::<f64>() - (count + 2.0) * last;
    let (distance, mean) = (first - second, distances / count);
    // A product of factors, because a power may differ between machines in the last bit.
    let odds = |gap: f64| behind.iter().fold(1.0, |odds, _| odds * (1.0 + gap / count));
    distance > 0.0 && (mean <= 0.0 || odds(distance / mean) >= FALSE_ALARM_ODDS)
}

struct Scratch {
    /// For each set, the number of shared residues counted so far; 0 between two searches.
    counts: Vec<u32>,
    met: Vec<u32>,
}

/// The collection, its index and the parameters of a search for neighbours.
struct NearestSearch<'a> {
    collection: &'a Collection,
    ranked: &'a Ranked<'a>,
    tokens: &'a [SetTokens<'a>],
    index: &'a PrefixIndex,
    max_neighbours: NonZeroUsize,
}

/// A set, with the residues that it shares with the set searched for.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
struct Neighbour {
    shared: u32,
    union: u32,
    /// The first text of the class that is compared with texts at the place searched for.
    first: u32,
    class: u32,
}

impl Neighbour {
    /// Orders neighbours, the nearest first, and equally near ones by their first texts.
    fn order(&self, other: &Self) -> Ordering {
        compare((other.shared, other.union), (self.shared, self.union))
            .then(self.first.cmp(&other.first))
    }
}

/// Compares two fractions, whose denominators must not be 0.
fn compare(one: (u32, u32), other: (u32, u32)) -> Ordering {
    let product = |shared: u32, union: u32| u64::from(shared) * u64::from(union);
    product(one.0, other.1).cmp(&product(other.0, one.1))
}

impl NearestSearch<'_> {
    fn of_class(&self, rank: usize, scratch: &mut Scratch) -> Vec<(u32, Vec<Pair>)> {
        let Self { collection, ranked, .. } = self;
        let mut members = ranked.of.members(ranked.classes[rank]).to_vec();
        let key = |text: &u32| (collection.place(*text).side, collection.place(*text).group);
        members.sort_by_key(key);
        let mut found = Vec::with_capacity(members.len());
        for at_one_place in members.chunk_by(|one, next| key(one) == key(next)) {
            let place = collection.place(at_one_place[0]);
            let neighbours = self.neighbours(rank, place, scratch);
            let texts = self.texts(&neighbours, place);
            for text in at_one_place {
                let others =
                    texts.iter().filter(|other| *other != text).take(self.max_neighbours.get());
                let pair = |other: &u32| {
                    let (a, b) = (*text.min(other), *text.max(other));
                    Pair::new(collection, a, b, collection.shared(a, b))
                };
                found.push((*text, others.map(pair).collect()));
            }
        }
        found
    }

    /// Returns one text more than asked for, nearest first, because one of them may be the text
    /// itself.
    fn texts(&self, neighbours: &[Neighbour], place: Place) -> Vec<u32> {
        let wanted = self.max_neighbours.get() + 1;
        let mut texts = Vec::new();
        let as_near = |one: &Neighbour, next: &Neighbour| {
            compare((one.shared, one.union), (next.shared, next.union)).is_eq()
        };
        for near in neighbours.chunk_by(as_near) {
            let comparable_with = |it: &Neighbour| {
                self.ranked.of.first_facing(it.class, place, wanted, self.collection)
            };
            let mut equal: Vec<u32> = near.iter().flat_map(comparable_with).collect();
            equal.sort_unstable();
            texts.extend(equal);
        }
        texts.truncate(wanted);
        texts
    }

    /// Returns the nearest classes with a text that is compared with texts at a place, including
    /// the set's own class.
    fn neighbours(&self, rank: usize, place: Place, scratch: &mut Scratch) -> Vec<Neighbour> {
        let wanted = self.max_neighbours.get() + 1;
        let size = self.ranked.sizes[rank];
        let mut best = Best { neighbours: Vec::new(), wanted };
        best.add(self.neighbour(rank, rank, place));
        let (mut rest, mut since) = (0, 0);
        for (token, behind) in self.tokens[rank].each() {
            if since >= POSTINGS_PER_CHECK.max(scratch.met.len()) {
                since = 0;
                self.merge_best((rank, place), behind, scratch, &mut best);
                // A set not met yet shares at most `behind` residues, and the union has at least
                // `size`.
                if best.is_out_of_reach(behind, size) {
                    rest = behind;
                    break;
                }
            }
            let low = low(token);
            for posting in self.index.list(token).iter().filter(|it| it.low == low) {
                let count = &mut scratch.counts[posting.rank as usize];
                if *count == 0 {
                    scratch.met.push(posting.rank);
                }
                *count += 1;
                since += 1;
            }
        }
        scratch.met.retain(|other| *other as usize != rank);
        self.merge_best((rank, place), rest, scratch, &mut best);
        for other in &scratch.met {
            let (shared, union) = self.most_shared(rank, *other, rest, scratch);
            if !best.is_out_of_reach(shared, union) {
                best.add(self.neighbour(rank, *other as usize, place));
            }
        }
        scratch.counts[rank] = 0;
        for other in scratch.met.drain(..) {
            scratch.counts[other as usize] = 0;
        }
        best.neighbours
    }

    /// Merges the sets that are likely to be the nearest according to the counts so far.
    fn merge_best(
        &self,
        (rank, place): (usize, Place),
        rest: u32,
        scratch: &mut Scratch,
        best: &mut Best,
    ) {
        let mut met = take(&mut scratch.met);
        let by_bound = |one: &u32, other: &u32| {
            let most = |other: &u32| self.most_shared(rank, *other, rest, scratch);
            compare(most(other), most(one))
        };
        if met.len() > best.wanted {
            met.select_nth_unstable_by(best.wanted, by_bound);
        }
        for other in met.iter().take(best.wanted).filter(|other| **other as usize != rank) {
            best.add(self.neighbour(rank, *other as usize, place));
        }
        scratch.met = met;
    }

    /// Returns the largest number of residues that another set can share while `rest` are not
    /// counted yet, and the size of the union in that case.
    fn most_shared(&self, rank: usize, other: u32, rest: u32, scratch: &Scratch) -> (u32, u32) {
        let (size, other_size) = (self.ranked.sizes[rank], self.ranked.sizes[other as usize]);
        let shared = (scratch.counts[other as usize] + rest).min(size).min(other_size);
        (shared, size.saturating_add(other_size) - shared)
    }

    /// Returns another set with the number of residues that it shares. `None` if that is 0, or if
    /// no text of the set is compared with texts at the place.
    fn neighbour(&self, rank: usize, other: usize, place: Place) -> Option<Neighbour> {
        let Ranked { of, classes, .. } = self.ranked;
        let class = classes[other];
        let first = *of.first_facing(class, place, 1, self.collection).first()?;
        let overlap = Overlap::new(&self.ranked.set(rank), &self.ranked.set(other));
        let count = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
        let (shared, union) = (count(overlap.shared), count(overlap.union()));
        (shared > 0).then_some(Neighbour { shared, union, first, class })
    }
}

/// The best of the sets that were merged, the nearest first.
struct Best {
    neighbours: Vec<Neighbour>,
    wanted: usize,
}

impl Best {
    fn add(&mut self, neighbour: Option<Neighbour>) {
        let Some(neighbour) = neighbour else { return };
        let Err(at) = self.neighbours.binary_search_by(|it| it.order(&neighbour)) else { return };
        self.neighbours.insert(at, neighbour);
        self.neighbours.truncate(self.wanted);
    }

    /// Reports whether a share is too small to be among the best.
    fn is_out_of_reach(&self, shared: u32, of: u32) -> bool {
        let last = self.neighbours.get(self.wanted - 1);
        last.is_some_and(|last| compare((shared, of), (last.shared, last.union)).is_lt())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shingles::Ngrams;
    use proptest::prelude::*;

    #[test]
    fn what_stands_out_is_far_above_the_rest() {
        // After 0.05, each distance times its rank is 0.01: the steps are 0.01/2, 0.01/3 and so on.
        let rest = [0.05, 0.045, 0.0417, 0.0392, 0.0372, 0.0355];
        #[rustfmt::skip]
        let table: [(&str, &[f64], f64, bool); 9] = [
            // (1 + gap / 5)^5 is 50 for a gap of 5.93. Times the mean of 0.01, that is 0.0593 above
            // 0.05.
            ("far above",                    &rest, 0.11,   true),
            ("not far enough",               &rest, 0.109,  false),
            ("equally near",                 &rest, 0.05,   false),
            ("low",                          &[0.01; 6], 0.0799, false),
            ("six others",                   &rest[..5], 0.9, false),
            ("no other",                     &[], 0.9, false),
            ("others that share nothing",    &[0.0; 6], 0.08, true),
            ("others that share as much",    &[0.1; 6], 0.1, false),
            ("and one that shares as much",  &[0.3, 0.0, 0.0, 0.0, 0.0, 0.0], 0.3, false),
        ];
        for (why, rest, first, stands) in table {
            let indexes: Vec<f64> = std::iter::once(first).chain(rest.iter().copied()).collect();
            assert_eq!(stands_out(&indexes), stands, "{why}");
        }
    }

    /// Texts 0 and 1 are equal, and no other two share a shingle.
    #[test]
    fn a_text_stands_out_among_seven_others() {
        #[rustfmt::skip]
        let table: [(&str, u32, &[u32], &[(u32, u32)]); 3] = [
            ("seven others",          8, &[],     &[(0, 1), (1, 0)]),
            ("six others",            7, &[],     &[]),
            ("one in the same group", 8, &[0, 2], &[(1, 0)]),
        ];
        for (why, texts, in_group, want) in table {
            let mut collection = Collection::new(Ngrams::new(1, 1).unwrap());
            for text in 0..texts {
                let group = in_group.contains(&text).then_some(0);
                let place = Place { group, ..Place::default() };
                collection.push_number(u64::from(text.max(1)), place);
            }
            let mut nearest = vec![Vec::new(); collection.len()];
            nearest[..2].fill(vec![collection.pair(0, 1)]);
            let found: Vec<(u32, u32)> = standing_out(&collection, &nearest).into_iter().collect();
            assert_eq!(found, want, "{why}");
        }
    }

    /// The nearest text has a Jaccard index of 3/10, and the next ones have 1/10. The mean of the
    /// distances times their ranks is 0 if there are eleven of these. If there are seven, and four
    /// others share nothing, it is 8/100, and a gap of 2.5 times that is not enough.
    #[test]
    fn twelve_texts_decide_whether_one_stands_out() {
        for (next, want) in [(11, true), (7, false)] {
            let mut collection = Collection::new(Ngrams::new(1, 1).unwrap());
            for text in 0..13 {
                collection.push_number(text, Place::default());
            }
            let pair = |b: u32| {
                let shared = if b == 1 { 3 } else { 1 };
                let all = Overlap { shared, left: 5, right: 5 + shared };
                Pair { all, ..collection.pair(0, b) }
            };
            let mut nearest = vec![Vec::new(); collection.len()];
            nearest[0] = (1..=1 + next).map(pair).collect();
            let want: Vec<(u32, u32)> = want.then_some((0, 1)).into_iter().collect();
            let found: Vec<(u32, u32)> = standing_out(&collection, &nearest).into_iter().collect();
            assert_eq!(found, want, "{next} others share something");
        }
    }

    /// Among unrelated texts, here with indices drawn from an exponential distribution (using
    /// Knuth's `MMIX`), one in fifty has a nearest text that stands out.
    #[test]
    fn one_in_fifty_stands_out_by_chance() {
        for others in [7, 12, 60] {
            let mut state = 7_u64;
            let mut draw = || {
                state = state.wrapping_mul(6_364_136_223_846_793_005);
                state = state.wrapping_add(1_442_695_040_888_963_407);
                #[expect(clippy::cast_precision_loss, reason = "a fraction of 53 bits")]
                let fraction = ((state >> 11) + 1) as f64 / (1_u64 << 53) as f64;
                0.1 - 0.01 * fraction.ln()
            };
            let mut found = 0;
            for _ in 0..10_000 {
                let mut indexes: Vec<f64> = (0..others).map(|_| draw()).collect();
                indexes.sort_by(|one, other| other.total_cmp(one));
                found += usize::from(stands_out(&indexes));
            }
            assert!((170..=230).contains(&found), "{found} of {others} others");
        }
    }

    proptest! {
        /// Computes the sum of the distances, each times its rank, by definition.
        #[test]
        fn distances_are_summed_by_their_ranks(
            mut indexes in proptest::collection::vec(0.0_f64..1.0, 7..20),
        ) {
            indexes.sort_by(|one, other| other.total_cmp(one));
            let count = indexes.len().min(NEIGHBOURS_COMPARED.get()) - 2;
            let distance = |rank: usize| indexes[rank - 1] - indexes[rank];
            let ranked = |rank: u32| f64::from(rank) * distance(rank as usize);
            let mean = (2..).take(count).map(ranked).sum::<f64>() / (2..).take(count).map(|_: u32| 1.0).sum::<f64>();
            let odds = (1.0_f64 + distance(1) / mean / f64::from(u32::try_from(count).unwrap()))
                .powi(i32::try_from(count).unwrap());
            prop_assume!((odds - FALSE_ALARM_ODDS).abs() > 1e-6);
            prop_assert_eq!(stands_out(&indexes), indexes[0] >= MIN_JACCARD && odds > FALSE_ALARM_ODDS);
        }
    }
}
