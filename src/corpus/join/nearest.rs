//! Finds for each text the others that share most with it, and decides whether the nearest of them
//! stands out.

use std::cmp::Ordering;
use std::mem::take;
use std::num::NonZeroUsize;

use super::collection::Classes;
use super::collection::{Collection, Place};
use super::overlapping::{PrefixIndex, low};
use super::pairs::Pair;
use super::sets::TempFileError;
use super::tokens::{Ranked, SetTokens};
use crate::jaccard::{Overlap, compare};
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
    shared: usize,
    union: usize,
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
                if best.is_out_of_reach(behind as usize, size as usize) {
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
    fn most_shared(&self, rank: usize, other: u32, rest: u32, scratch: &Scratch) -> (usize, usize) {
        let [size, other_size] = [rank, other as usize].map(|rank| self.ranked.sizes[rank]);
        let shared = (scratch.counts[other as usize] + rest).min(size).min(other_size) as usize;
        (shared, size as usize + other_size as usize - shared)
    }

    /// Returns another set with the number of residues that it shares. `None` if that is 0, or if
    /// no text of the set is compared with texts at the place.
    fn neighbour(&self, rank: usize, other: usize, place: Place) -> Option<Neighbour> {
        let Ranked { of, classes, .. } = self.ranked;
        let class = classes[other];
        let first = *of.first_facing(class, place, 1, self.collection).first()?;
        let overlap = Overlap::new(&self.ranked.set(rank), &self.ranked.set(other));
        let (shared, union) = (overlap.shared, overlap.union());
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
    fn is_out_of_reach(&self, shared: usize, of: usize) -> bool {
        let last = self.neighbours.get(self.wanted - 1);
        last.is_some_and(|last| compare((shared, of), (last.shared, last.union)).is_lt())
    }
}
