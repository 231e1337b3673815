//! Pairs of sets that share enough: an exact set-similarity join.

use std::num::NonZeroUsize;

use super::ClassPair;
use super::classes::Classes;
use super::collection::Sets;
use super::index::{Index, Posting, low};
use super::limit::Bound;
use super::merge::{fall_short, share};
use super::ranked::{Ranked, Tokens};
use super::rarity::Row;
use super::room::{Room, TooManyPairs};
use crate::threads::{self, Advance};

/// Sets that are looked up in one piece of work.
const BLOCK: usize = if cfg!(test) { 8 } else { 256 };

/// Shared members are counted where two sets of the median size must share less than this part
/// of their members: a third.
const LOW: u32 = 3;

/// From so many postings on, the part of a list that can matter is searched for.
const LONG_LIST: usize = if cfg!(test) { 4 } else { 16 };

/// Finds all pairs of classes whose sets reach a limit above 0, as far as they are confirmed, in
/// no order of use. Where there are more than there is room for, it stops with that.
///
/// Sets are ranked by size, and of each pair the larger is looked up in an index of the
/// smaller ones. With residues in one order, rarest first, the first that two sets share is
/// followed by at least as many in either as they must share. So a set is indexed by its
/// rarest residues only, as many as leave fewer than it must share with any (prefix
/// filter: Chaudhuri, Ganti, Kaushik 2006; Bayardo, Ma, Srikant 2007), and a pair is a
/// candidate where a residue has enough behind it on both sides (positional filter:
/// Xiao et al. 2008), which by the sizes also bounds the part of a list that matters (Mann,
/// Augsten 2014). Most candidates share too little by what comes [next](fall_short) in the one
/// order; the others are merged until that is clear.
///
/// Where the limit is so low that nearly each two are candidates, what they share is counted
/// instead: fewer of the most frequent residues are left out, and a candidate shares more than
/// those could make up for (Li, Lu and Lu 2008).
pub(super) fn pairs(
    sets: &Sets,
    classes: &Classes,
    bound: Bound,
    confirm: impl Fn(ClassPair) -> bool + Sync,
    (threads, advance, room): (NonZeroUsize, &Advance, &Room),
) -> Result<Vec<ClassPair>, TooManyPairs> {
    advance.begin(0);
    let ranked = Ranked::of(sets, classes);
    let median = ranked.sizes.get(ranked.sizes.len() / 2).copied().unwrap_or_default();
    let is_counted = bound.need_with_larger(median) < median / LOW;
    let least_rest = |need: u32| if is_counted { need / 8 * 7 + 1 } else { need };
    let tokens = ranked.tokens(|size| least_rest(bound.need_with_smaller(size)), threads);
    let tokens: Vec<Row> = tokens.iter().flat_map(Tokens::each).collect();
    let least = ranked.sizes.iter().map(|size| least_rest(bound.need_with_larger(*size)));
    let least: Vec<u32> = least.collect();
    let index = Index::of(&tokens, &least, threads);
    let join =
        Join { ranked: &ranked, tokens: &tokens, least: &least, index: &index, bound, is_counted };
    advance.begin(ranked.residues(0..tokens.len()));
    let ranks = (0..tokens.len()).step_by(BLOCK);
    let seen = || Seen::new(&ranked);
    let found = threads::each(threads, ranks, seen, |seen, first| {
        let block = first..(first + BLOCK).min(tokens.len());
        let mut found = Vec::new();
        for rank in block.clone().take_while(|_| !room.is_short()) {
            let before = found.len();
            join.add(rank, seen, &confirm, &mut found);
            room.take(found.len() - before);
        }
        advance.add(ranked.residues(block));
        found
    });
    Ok(room.checked(found)?.concat())
}

/// What a thread remembers from one set to the next.
struct Seen {
    /// For each set, the last one that it was a candidate of.
    by: Vec<u32>,
    candidates: Vec<u32>,
    /// How many members it was met by.
    met: Vec<u32>,
    /// What is behind the first shared members in sets from the least size on and one of `size`.
    rests: Vec<u32>,
    size: u32,
}

impl Seen {
    fn new(ranked: &Ranked) -> Self {
        Self {
            by: vec![u32::MAX; ranked.classes.len()],
            candidates: Vec::new(),
            met: vec![0; ranked.classes.len()],
            rests: Vec::new(),
            size: 0,
        }
    }
}

struct Join<'a> {
    ranked: &'a Ranked<'a>,
    tokens: &'a [Row<'a>],
    /// How much is behind a token of each set that is in the index, at least.
    least: &'a [u32],
    index: &'a Index,
    bound: Bound,
    is_counted: bool,
}

impl Join<'_> {
    /// Adds the pairs of a set with smaller ones.
    fn add(
        &self,
        rank: usize,
        seen: &mut Seen,
        confirm: impl Fn(ClassPair) -> bool,
        found: &mut Vec<ClassPair>,
    ) {
        let Ranked { of, classes, sets, sizes } = self.ranked;
        if self.is_counted {
            self.count(rank, seen);
        } else {
            self.gather(rank, seen);
        }
        for small in &seen.candidates {
            let small = *small as usize;
            if !of.may_face(classes[rank], classes[small]) {
                continue;
            }
            let least = self.bound.need(sizes[small], sizes[rank]);
            let falls_short = !self.is_counted && {
                let rows = [self.tokens[small], self.tokens[rank]];
                fall_short(rows, (seen.met[small], least), least)
            };
            if !falls_short && share(sets[small], sets[rank], least) {
                let pair = ClassPair::new(classes[small], classes[rank]);
                found.extend(confirm(pair).then_some(pair));
            }
        }
    }

    /// The first set that may share enough with one.
    fn smallest(&self, rank: usize) -> usize {
        let least_size = self.bound.least_size(self.ranked.sizes[rank]);
        self.ranked.sizes[..rank].partition_point(|size| *size < least_size)
    }

    /// Gathers the smaller sets that share so many of the residues which are looked up that all
    /// others, of which the set that has more of them left out has no more, may make up for the
    /// rest.
    fn count(&self, rank: usize, seen: &mut Seen) {
        let (sizes, smallest) = (&self.ranked.sizes, self.smallest(rank));
        let row = self.tokens[rank];
        let left_out = row.rest(row.tokens.len());
        for (token, _) in row.each() {
            let (low, mut list) = (low(token), self.index.list(token));
            if list.len() >= LONG_LIST {
                let from = list.partition_point(|it| (it.rank as usize) < smallest);
                let to = list.partition_point(|it| (it.rank as usize) < rank);
                list = &list[from..to];
            }
            for posting in list.iter().filter(|posting| posting.low == low) {
                seen.met[posting.rank as usize] += 1;
            }
        }
        seen.candidates.clear();
        let (mut size, mut least) = (0, 0);
        for small in smallest..rank {
            if sizes[small] != size {
                size = sizes[small];
                let left_out = left_out.max(self.least[small] - 1);
                least = self.bound.need(size, sizes[rank]).saturating_sub(left_out);
            }
            if seen.met[small] >= least {
                seen.candidates.extend(u32::try_from(small));
            }
        }
        seen.met.fill(0);
    }

    /// Gathers the smaller sets that may share enough with one.
    fn gather(&self, rank: usize, seen: &mut Seen) {
        let sizes = &self.ranked.sizes;
        let size = sizes[rank];
        let least_size = self.bound.least_size(size);
        if seen.size != size {
            seen.size = size;
            seen.rests.clear();
            // Sizes only grow: over all sets this is no more than their residues.
            seen.rests.extend((least_size..=size).map(|small| self.bound.need(small, size)));
        }
        seen.candidates.clear();
        let Ok(mark) = u32::try_from(rank) else { return };
        let smallest = self.smallest(rank);
        let least =
            |posting: &Posting| seen.rests[(sizes[posting.rank as usize] - least_size) as usize];
        for (token, rest) in self.tokens[rank].each() {
            let low = low(token);
            let mut list = self.index.list(token);
            if list.len() >= LONG_LIST {
                let from = list.partition_point(|it| (it.rank as usize) < smallest);
                let to = list.partition_point(|it| {
                    it.rank < mark && ((it.rank as usize) < smallest || least(it) <= rest)
                });
                list = &list[from..to];
            }
            for posting in list {
                let is_smaller = posting.rank < mark && posting.rank as usize >= smallest;
                if is_smaller && posting.low == low && least(posting) <= rest.min(posting.rest) {
                    let small = posting.rank as usize;
                    if seen.by[small] != mark {
                        seen.by[small] = mark;
                        seen.met[small] = 0;
                        seen.candidates.push(posting.rank);
                    }
                    seen.met[small] += 1;
                }
            }
        }
    }
}
