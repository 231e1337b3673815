//! Pairs of sets that share enough: an exact set-similarity join.

use std::num::NonZeroUsize;
use std::ops::Range;

use super::ClassPair;
use super::classes::Classes;
use super::collection::Sets;
use super::crowd::{self, Crowd};
use super::index::{Index, Posting, low};
use super::limit::Bound;
use super::merge::{fall_short, share};
use super::ranked::{Ranked, Tokens};
use super::rarity::Row;
use super::room::{Room, TooManyPairs};
use crate::threads::{self, Advance};

/// Sets that are looked up in one piece of work.
const BLOCK: usize = if cfg!(test) { 8 } else { crowd::MOST };

/// From so many postings on, the part of a list that can matter is searched for.
const LONG_LIST: usize = if cfg!(test) { 4 } else { 16 };

/// Sets of a block that are looked up first, to see what that takes.
const TRIED: usize = if cfg!(test) { 2 } else { 8 };

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
/// order; the others are merged until that is clear. Where many are, what they share is
/// [counted](Crowd) instead.
pub(super) fn pairs(
    sets: &Sets,
    classes: &Classes,
    bound: Bound,
    confirm: impl Fn(ClassPair) -> bool + Sync,
    (threads, advance, room): (NonZeroUsize, &Advance, &Room),
) -> Result<Vec<ClassPair>, TooManyPairs> {
    advance.begin(0);
    let ranked = Ranked::of(sets, classes);
    let tokens = ranked.tokens(|size| bound.need_with_smaller(size), threads);
    let tokens: Vec<Row> = tokens.iter().flat_map(Tokens::each).collect();
    let least: Vec<u32> = ranked.sizes.iter().map(|size| bound.need_with_larger(*size)).collect();
    let index = Index::of(&tokens, &least, threads);
    let join = Join { ranked: &ranked, tokens: &tokens, index: &index, bound };
    advance.begin(ranked.residues(0..tokens.len()));
    let ranks = (0..tokens.len()).step_by(BLOCK);
    let seen = || Seen::new(&ranked);
    let found = threads::each(threads, ranks, seen, |seen, first| {
        let block = first..(first + BLOCK).min(tokens.len());
        let found = join.block(block.clone(), seen, &confirm, room);
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
    /// What was taken to merge candidates.
    steps: u64,
}

impl Seen {
    fn new(ranked: &Ranked) -> Self {
        Self {
            by: vec![u32::MAX; ranked.classes.len()],
            candidates: Vec::new(),
            met: vec![0; ranked.classes.len()],
            rests: Vec::new(),
            size: 0,
            steps: 0,
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
    /// The pairs of which the sets of a block are the larger.
    fn block(
        &self,
        block: Range<usize>,
        seen: &mut Seen,
        confirm: impl Fn(ClassPair) -> bool,
        room: &Room,
    ) -> Vec<ClassPair> {
        let mut found = Vec::new();
        let tried = block.start..block.end.min(block.start + TRIED);
        let mut rest = tried.end..block.end;
        seen.steps = 0;
        self.merge_each(tried.clone(), seen, &confirm, room, &mut found);
        let steps = seen.steps / tried.len() as u64;
        while !rest.is_empty() {
            let part = rest.start..self.end_of_crowd(rest.clone());
            rest.start = part.end;
            if steps * part.len() as u64 > self.cost_of_crowd(part.clone()) {
                self.count_each(part, &confirm, room, &mut found);
            } else {
                self.merge_each(part, seen, &confirm, room, &mut found);
            }
        }
        found
    }

    /// Adds the pairs of some sets with smaller ones, merged with each that may share enough.
    fn merge_each(
        &self,
        ranks: Range<usize>,
        seen: &mut Seen,
        confirm: impl Fn(ClassPair) -> bool,
        room: &Room,
        found: &mut Vec<ClassPair>,
    ) {
        let Ranked { of, classes, sets, sizes } = self.ranked;
        for rank in ranks {
            if room.is_short() {
                break;
            }
            let before = found.len();
            self.gather(rank, seen);
            for small in &seen.candidates {
                let small = *small as usize;
                if !of.may_face(classes[rank], classes[small]) {
                    continue;
                }
                let least = self.bound.need(sizes[small], sizes[rank]);
                let rows = [self.tokens[small], self.tokens[rank]];
                let met = (seen.met[small], least);
                if !fall_short(rows, met, least, &mut seen.steps)
                    && share(sets[small], sets[rank], least, &mut seen.steps)
                {
                    let pair = ClassPair::new(classes[small], classes[rank]);
                    found.extend(confirm(pair).then_some(pair));
                }
            }
            room.take(found.len() - before);
        }
    }

    /// Adds the pairs of some sets with smaller ones, all that any two share counted.
    fn count_each(
        &self,
        ranks: Range<usize>,
        confirm: impl Fn(ClassPair) -> bool,
        room: &Room,
        found: &mut Vec<ClassPair>,
    ) {
        let Ranked { of, classes, sets, sizes } = self.ranked;
        let crowd = Crowd::of(&sets[ranks.clone()]);
        let mut shared = [0; crowd::MOST];
        for small in self.smallest(ranks.start)..ranks.end {
            if room.is_short() {
                break;
            }
            let before = found.len();
            crowd.count(sets[small], &mut shared);
            let least = self.bound.need(sizes[small], sizes[small]);
            for rank in ranks.start.max(small + 1)..ranks.end {
                let shared = shared[rank - ranks.start];
                if shared >= least
                    && shared >= self.bound.need(sizes[small], sizes[rank])
                    && of.may_face(classes[rank], classes[small])
                {
                    let pair = ClassPair::new(classes[small], classes[rank]);
                    found.extend(confirm(pair).then_some(pair));
                }
            }
            room.take(found.len() - before);
        }
    }

    /// The first set that may share enough with one.
    fn smallest(&self, rank: usize) -> usize {
        let least_size = self.bound.least_size(self.ranked.sizes[rank]);
        self.ranked.sizes[..rank].partition_point(|size| *size < least_size)
    }

    /// As many of some sets as a crowd has room for; one at least.
    fn end_of_crowd(&self, ranks: Range<usize>) -> usize {
        let mut room = crowd::ROOM;
        let sizes = self.ranked.sizes[ranks.clone()].iter();
        let fitting = sizes.take_while(|size| {
            let is_room = room >= **size;
            room = room.saturating_sub(**size);
            is_room
        });
        ranks.start + fitting.count().max(1)
    }

    /// What it takes to count what some sets share with smaller ones, at most.
    fn cost_of_crowd(&self, ranks: Range<usize>) -> u64 {
        let smaller = (ranks.end - self.smallest(ranks.start)) as u64;
        let size = u64::from(self.ranked.sizes[ranks.end - 1]);
        crowd::cost(self.ranked.residues(ranks), smaller * size)
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
