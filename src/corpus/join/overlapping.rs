//! Pairs of sets that share enough: an exact set-similarity join.

use std::num::NonZeroUsize;
use std::ops::Range;

use super::ClassPair;
use super::classes::Classes;
use super::collection::Sets;
use super::counts::Counts;
use super::index::{Index, Posting, low};
use super::limit::Bound;
use super::merge::{fall_short, share};
use super::pair_limit::{PairLimit, TooManyPairs};
use super::ranked::{Ranked, Tokens};
use super::rarity::Row;
use crate::parallel::{self, Advance};

/// Sets that are looked up in one piece of work.
const BLOCK: usize = if cfg!(test) { 8 } else { 256 };

/// Sets whose shared members are counted together.
const COUNTED: usize = if cfg!(test) { 3 } else { 64 };

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
/// Where the limit is so low that nearly each two are candidates, what they share is
/// [counted](Counts) instead.
pub(super) fn pairs(
    sets: &Sets,
    classes: &Classes,
    bound: Bound,
    confirm: impl Fn(ClassPair) -> bool + Sync,
    (threads, advance, room): (NonZeroUsize, &Advance, &PairLimit),
) -> Result<Vec<ClassPair>, TooManyPairs> {
    advance.begin(0);
    let ranked = Ranked::of(sets, classes);
    let median = ranked.sizes.get(ranked.sizes.len() / 2).copied().unwrap_or_default();
    let is_counted = bound.need_with_larger(median) < median / LOW;
    let least_rest = |size| if is_counted { 1 } else { bound.need_with_smaller(size) };
    let tokens = ranked.tokens(least_rest, threads);
    let tokens: Vec<Row> = tokens.iter().flat_map(Tokens::each).collect();
    advance.begin(ranked.residues(0..tokens.len()));
    if is_counted {
        let join = Counted { ranked: &ranked, counts: Counts::of(&tokens, threads), bound };
        let add = |(): &mut (), batch: Range<usize>, found: &mut Vec<ClassPair>| {
            join.add(batch, &confirm, found);
        };
        return each_batch(&ranked, COUNTED, || (), add, (threads, advance, room));
    }
    let least: Vec<u32> = ranked.sizes.iter().map(|size| bound.need_with_larger(*size)).collect();
    let index = Index::of(&tokens, &least, threads);
    let join = Join { ranked: &ranked, tokens: &tokens, index: &index, bound };
    let add = |seen: &mut Seen, batch: Range<usize>, found: &mut Vec<ClassPair>| {
        join.add(batch.start, seen, &confirm, found);
    };
    each_batch(&ranked, 1, || Seen::new(&ranked), add, (threads, advance, room))
}

/// The pairs that are added for each batch of so many ranks, with what a thread remembers.
fn each_batch<S: Send>(
    ranked: &Ranked,
    ranks: usize,
    state: impl Fn() -> S + Sync,
    add: impl Fn(&mut S, Range<usize>, &mut Vec<ClassPair>) + Sync,
    (threads, advance, room): (NonZeroUsize, &Advance, &PairLimit),
) -> Result<Vec<ClassPair>, TooManyPairs> {
    let count = ranked.classes.len();
    let found = parallel::each(threads, (0..count).step_by(BLOCK), state, |state, first| {
        let block = first..(first + BLOCK).min(count);
        let mut found = Vec::new();
        for start in block.clone().step_by(ranks).take_while(|_| !room.is_short()) {
            let before = found.len();
            add(state, start..(start + ranks).min(block.end), &mut found);
            room.take(found.len() - before);
        }
        advance.add(ranked.residues(block));
        found
    });
    Ok(room.checked(found)?.concat())
}

/// A join that counts what sets share.
struct Counted<'a> {
    ranked: &'a Ranked<'a>,
    counts: Counts<'a>,
    bound: Bound,
}

impl Counted<'_> {
    /// Adds the pairs of a batch of sets with smaller ones.
    fn add(
        &self,
        batch: Range<usize>,
        confirm: impl Fn(ClassPair) -> bool,
        found: &mut Vec<ClassPair>,
    ) {
        let Ranked { of, classes, sets, sizes } = self.ranked;
        let need = |small: usize, rank: usize| self.bound.need(sizes[small], sizes[rank]);
        let smallest = |rank: usize| self.ranked.smallest(self.bound.least_size(sizes[rank]), rank);
        self.counts.sharing(batch, smallest, need, |small, rank| {
            if of.may_face(classes[rank], classes[small])
                && share(sets[small], sets[rank], need(small, rank))
            {
                let pair = ClassPair::new(classes[small], classes[rank]);
                found.extend(confirm(pair).then_some(pair));
            }
        });
    }
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
    index: &'a Index,
    bound: Bound,
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
        self.gather(rank, seen);
        for small in &seen.candidates {
            let small = *small as usize;
            if !of.may_face(classes[rank], classes[small]) {
                continue;
            }
            let least = self.bound.need(sizes[small], sizes[rank]);
            let rows = [self.tokens[small], self.tokens[rank]];
            let falls_short = fall_short(rows, (seen.met[small], least), least);
            if !falls_short && share(sets[small], sets[rank], least) {
                let pair = ClassPair::new(classes[small], classes[rank]);
                found.extend(confirm(pair).then_some(pair));
            }
        }
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
        let smallest = self.ranked.smallest(least_size, rank);
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
