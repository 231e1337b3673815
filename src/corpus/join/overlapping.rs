//! Finds the pairs of sets that share enough: an exact set-similarity join.

use std::borrow::Cow;
use std::num::NonZeroUsize;
use std::ops::Range;

use fearless_simd::{Level, dispatch};

use super::collection::Classes;
use super::pairs::{Bound, PairLimit, fall_short, share};
use super::sets::{Sets, TempFile};
use super::tokens::{self, Column, Ranked, SetTokens, Token};
use super::{ClassPair, JoinError};
use crate::parallel::{self, Watch};

/// The number of sets per unit of work.
const SETS_PER_BLOCK: usize = if cfg!(test) { 8 } else { 64 };

/// The number of sets whose shared members are counted together.
const COUNTED: usize = if cfg!(test) { 3 } else { 64 };

/// The largest number of sets that are compared with all others directly, if no two of the others
/// are compared with each other. For 200 new texts of 2.3 kB and 20,000 old ones with 1- to
/// 3-grams, the entire program takes 4.3 s of processor time for the partial pairs, and 10.4 s if
/// all sets are counted with an index of all of them; for the near-duplicates it takes 1.7 s and
/// 1.9 s.
const MAX_DIRECT_SETS: usize = if cfg!(test) { 3 } else { MAX_BATCH_SETS };

/// Shared members are counted if two sets of the median size must share less than this part of
/// their members: a third.
const COUNTING_DIVISOR: u32 = 3;

/// The number of bytes per token of an indexed set: the token, its posting, and the data from which
/// postings are made.
const INDEXED: u64 = 36;

/// The number of postings from which on the relevant part of a list is found by binary search.
const LONG_LIST: usize = if cfg!(test) { 4 } else { 16 };

/// Finds all pairs of classes whose sets reach a limit above 0 and which `confirm` accepts, in an
/// arbitrary order. Stops with an error once there are more pairs than the limit allows.
///
/// Sets are ranked by size, and the larger one of a pair is looked up in an index of the smaller
/// ones. The residues have one global order, rarest first. In both sets, the suffix from the first
/// shared residue on has at least as many residues as the sets must share. So only the rarest
/// residues of a set are indexed, as many as leave fewer than it must share with any other set
/// (prefix filter: Chaudhuri, Ganti, Kaushik 2006; Bayardo, Ma, Srikant 2007). A pair is a
/// candidate if the suffix from a shared residue on is large enough in both sets (positional
/// filter: Xiao et al. 2008); combined with the sizes, this also bounds the part of a list that can
/// matter (Mann, Augsten 2014). For most candidates, the [next tokens](fall_short) in the global
/// order show that they share too little. The others are merged until it is clear whether they
/// share enough.
///
/// If the limit is so low that nearly every two sets are candidates, the members that they share
/// are [counted](MemberCounts) instead. If only [a few](few) sets are compared with all others, no index
/// is used.
pub(super) fn pairs(
    sets: &Sets,
    classes: &Classes,
    bound: Bound,
    confirm: impl Fn(ClassPair) -> bool + Sync,
    watch: Watch,
    limit: &PairLimit,
) -> Result<Vec<ClassPair>, JoinError> {
    let Watch { threads, advance } = watch;
    advance.begin(0);
    let ranked = Ranked::new(sets, classes);
    let median = ranked.sizes.get(ranked.sizes.len() / 2).copied().unwrap_or_default();
    let join = Join { ranked: &ranked, bound, confirm, watch, limit };
    if let Some(few) = few(&ranked) {
        return join.pairs_with_few(&few);
    }
    let is_counted = bound.need_with_larger(median) < median / COUNTING_DIVISOR;
    let least_rest = |size| if is_counted { 1 } else { bound.need_with_smaller(size) };
    let memory = sets.file().map(|file| &file.memory);
    let file = memory.filter(|_| !is_counted).map(TempFile::new);
    let tokens = ranked.tokens(least_rest, file, threads);
    let count = tokens.len();
    if is_counted {
        advance.begin(ranked.residues(0..count));
        return tokens.with(0..count, |tokens| {
            let counts = MemberCounts::new(tokens, threads);
            let add = |(): &mut (), block: Range<usize>, found: &mut FoundInBlock| {
                for start in block.clone().step_by(COUNTED) {
                    if !found.goes_on() {
                        break;
                    }
                    let batch = start..(start + COUNTED).min(block.end);
                    let need = |small, rank| join.need(small, rank);
                    counts.sharing(
                        batch,
                        |rank| join.smallest(rank),
                        need,
                        |small, rank| {
                            let set = |rank| ranked.set(rank);
                            let is_enough = || share(&set(small), &set(rank), need(small, rank));
                            join.add(small, rank, is_enough, &mut found.pairs);
                        },
                    );
                }
            };
            join.each_block(0..count, || (), add)
        });
    }
    let required: Vec<u32> =
        ranked.sizes.iter().map(|size| bound.need_with_larger(*size)).collect();
    let max_tokens =
        memory.map_or(u64::MAX, |memory| memory.left_for_index(classes.len()) / INDEXED);
    let parts = parts(count, |rank| tokens.kept(rank, required[rank]), max_tokens);
    // Each part is probed with its own sets, and with larger sets that are not too large to reach a
    // limit with one of them.
    let probing = |part: &Range<usize>| {
        let largest = ranked.sizes[part.end - 1];
        let larger = &ranked.sizes[part.end..];
        let near = larger.partition_point(|size| bound.least_size(*size) <= largest);
        part.start..part.end + near
    };
    advance.begin(parts.iter().map(|part| ranked.residues(probing(part))).sum());
    let mut found = Vec::new();
    for part in parts {
        found.push(tokens.with(part.clone(), |rows| {
            let index = PrefixIndex::new(rows, part.start, &required[part.clone()], threads);
            let join = IndexJoin { join: &join, indexed: (part.start, rows), index: &index };
            let add = |scratch: &mut Scratch, block: Range<usize>, found: &mut FoundInBlock| {
                tokens.with(block.clone(), |rows| {
                    for (rank, row) in block.zip(rows) {
                        if !found.goes_on() {
                            break;
                        }
                        join.add((rank, *row), scratch, &mut found.pairs);
                    }
                });
            };
            join.join.each_block(probing(&part), || Scratch::new(rows.len()), add)
        })?);
    }
    tokens.check()?;
    Ok(found.concat())
}

/// Splits the ranks into parts with at most `max_tokens` indexed tokens each, but at least one
/// rank.
fn parts(ranks: usize, tokens: impl Fn(usize) -> u32, max_tokens: u64) -> Vec<Range<usize>> {
    let (mut parts, mut start, mut count) = (Vec::new(), 0, 0);
    for rank in 0..ranks {
        let more = u64::from(tokens(rank));
        if rank > start && count + more > max_tokens {
            parts.push(start..rank);
            (start, count) = (rank, 0);
        }
        count += more;
    }
    parts.extend((start < ranks).then_some(start..ranks));
    parts
}

/// The pairs found in a block so far, which are also counted against the limit.
struct FoundInBlock<'l> {
    pairs: Vec<ClassPair>,
    /// The number of pairs that are counted already.
    taken: usize,
    limit: &'l PairLimit,
}

impl FoundInBlock<'_> {
    /// Counts the pairs found since the last call, and reports whether more are allowed.
    fn goes_on(&mut self) -> bool {
        self.limit.take(self.pairs.len() - self.taken);
        self.taken = self.pairs.len();
        !self.limit.is_short()
    }
}

/// Returns the ranks of the sets that do not belong to old texts alone, if they are few, but not
/// all, and in memory. No two of the other sets are compared with each other.
fn few(ranked: &Ranked) -> Option<Vec<usize>> {
    if ranked.sets.file().is_some() {
        return None;
    }
    let is_asked = |rank: &usize| !ranked.of.is_all_old(ranked.classes[*rank]);
    let few: Vec<usize> =
        (0..ranked.sizes.len()).filter(is_asked).take(MAX_DIRECT_SETS + 1).collect();
    let residues = few.iter().map(|rank| ranked.sizes[*rank]).fold(0, u32::saturating_add);
    let is_few = few.len() <= MAX_DIRECT_SETS && residues <= BATCH_RESIDUES;
    (is_few && few.len() < ranked.sizes.len()).then_some(few)
}

/// The ranked sets of a join, and what makes two of them a pair.
struct Join<'a, C> {
    ranked: &'a Ranked<'a>,
    bound: Bound,
    confirm: C,
    watch: Watch<'a>,
    limit: &'a PairLimit,
}

impl<C: Fn(ClassPair) -> bool + Sync> Join<'_, C> {
    /// Returns the number of members that two sets must share, given by their ranks.
    fn need(&self, small: usize, large: usize) -> u32 {
        self.bound.need(self.ranked.sizes[small], self.ranked.sizes[large])
    }

    /// Returns the first rank whose set may share enough with a larger one.
    fn smallest(&self, rank: usize) -> usize {
        self.ranked.smallest(self.bound.least_size(self.ranked.sizes[rank]), rank)
    }

    /// Adds two sets if they are a pair; `is_enough` reports whether they share enough.
    fn add(
        &self,
        small: usize,
        large: usize,
        is_enough: impl FnOnce() -> bool,
        found: &mut Vec<ClassPair>,
    ) {
        let [one, other] = [small, large].map(|rank| self.ranked.classes[rank]);
        if self.ranked.of.may_face(one, other) && is_enough() {
            let pair = ClassPair::new(one, other);
            found.extend((self.confirm)(pair).then_some(pair));
        }
    }

    /// Returns the pairs that `add` finds for each block of ranks. `state` is the state that a thread
    /// keeps from one block to the next.
    fn each_block<S: Send>(
        &self,
        ranks: Range<usize>,
        state: impl Fn() -> S + Sync,
        add: impl Fn(&mut S, Range<usize>, &mut FoundInBlock) + Sync,
    ) -> Result<Vec<ClassPair>, JoinError> {
        let (end, limit) = (ranks.end, self.limit);
        // The largest sets come first, so that no thread is left with them in the end.
        let blocks = ranks.step_by(SETS_PER_BLOCK).rev();
        let found = parallel::each(self.watch.threads, blocks, state, |state, first| {
            let block = first..(first + SETS_PER_BLOCK).min(end);
            let mut found = FoundInBlock { pairs: Vec::new(), taken: 0, limit };
            add(state, block.clone(), &mut found);
            found.goes_on();
            self.watch.advance.add(self.ranked.residues(block));
            found.pairs
        });
        Ok(limit.checked(found)?.concat())
    }

    /// Finds the pairs of a few sets with each other and with all other sets, no two of which are
    /// compared. The members that a set shares with the few are [counted](InvertedBatch).
    fn pairs_with_few(&self, few: &[usize]) -> Result<Vec<ClassPair>, JoinError> {
        let ranks = 0..self.ranked.sizes.len();
        self.watch.advance.begin(self.ranked.residues(ranks.clone()));
        let sets: Vec<Cow<[u64]>> = few.iter().map(|rank| self.ranked.set(*rank)).collect();
        let batch = InvertedBatch::new(&sets);
        let add =
            |shared: &mut [u32; MAX_BATCH_SETS], block: Range<usize>, found: &mut FoundInBlock| {
                for rank in block {
                    if !found.goes_on() {
                        break;
                    }
                    batch.count(&self.ranked.set(rank), shared);
                    let is_one_of_few = few.binary_search(&rank).is_ok();
                    for (one, shared) in few.iter().zip(&*shared) {
                        let (small, large) = (rank.min(*one), rank.max(*one));
                        let is_met_twice = is_one_of_few && rank <= *one;
                        if *shared > 0 && !is_met_twice && *shared >= self.need(small, large) {
                            self.add(small, large, || true, &mut found.pairs);
                        }
                    }
                }
            };
        self.each_block(ranks, || [0; MAX_BATCH_SETS], add)
    }
}

struct Scratch {
    /// For each indexed set, the rank of the last set for which it was a candidate.
    by: Vec<u32>,
    /// The ranks of the candidates for the current set.
    candidates: Vec<u32>,
    /// For each indexed set, the number of shared members met so far.
    met: Vec<u32>,
    /// For each size from the smallest one to `size`, the number of members that a set of this size
    /// must share with one of `size`: the suffix of the first shared member has at least as many.
    rests: Vec<u32>,
    size: u32,
}

impl Scratch {
    fn new(indexed: usize) -> Self {
        Self {
            by: vec![u32::MAX; indexed],
            candidates: Vec::new(),
            met: vec![0; indexed],
            rests: Vec::new(),
            size: 0,
        }
    }
}

/// A join, and the index of some of its sets.
struct IndexJoin<'a, C> {
    join: &'a Join<'a, C>,
    /// The rank of the first indexed set, and the tokens of all indexed sets.
    indexed: (usize, &'a [SetTokens<'a>]),
    index: &'a PrefixIndex,
}

impl<C: Fn(ClassPair) -> bool + Sync> IndexJoin<'_, C> {
    /// Adds the pairs of a set with smaller sets.
    fn add(
        &self,
        (rank, row): (usize, SetTokens),
        scratch: &mut Scratch,
        found: &mut Vec<ClassPair>,
    ) {
        let (ranked, (first, rows)) = (self.join.ranked, self.indexed);
        self.gather((rank, row), scratch);
        let mut set = None;
        for small in &scratch.candidates {
            let small = *small as usize;
            let is_enough = || {
                let required = self.join.need(small, rank);
                let met = scratch.met[small - first];
                !fall_short([rows[small - first], row], (met, required), required)
                    && share(
                        &ranked.set(small),
                        set.get_or_insert_with(|| ranked.set(rank)),
                        required,
                    )
            };
            self.join.add(small, rank, is_enough, found);
        }
    }

    /// Collects the smaller sets that may share enough with a set.
    fn gather(&self, (rank, row): (usize, SetTokens), scratch: &mut Scratch) {
        let Join { ranked, bound, .. } = self.join;
        let sizes = &ranked.sizes;
        let size = sizes[rank];
        let least_size = bound.least_size(size);
        if scratch.size != size {
            scratch.size = size;
            scratch.rests.clear();
            // Sizes only increase, so in total this is at most the number of residues of all sets.
            scratch.rests.extend((least_size..=size).map(|small| bound.need(small, size)));
        }
        scratch.candidates.clear();
        let Ok(mark) = u32::try_from(rank) else { return };
        let first = self.indexed.0;
        let smallest = ranked.smallest(least_size, rank);
        let required = |posting: &SetPosting| {
            scratch.rests[(sizes[posting.rank as usize] - least_size) as usize]
        };
        for (token, rest) in row.each() {
            let low = low(token);
            let mut list = self.index.list(token);
            if list.len() >= LONG_LIST {
                let from = list.partition_point(|it| (it.rank as usize) < smallest);
                let to = list.partition_point(|it| {
                    it.rank < mark && ((it.rank as usize) < smallest || required(it) <= rest)
                });
                list = &list[from..to];
            }
            for posting in list {
                let is_smaller = posting.rank < mark && posting.rank as usize >= smallest;
                if is_smaller && posting.low == low && required(posting) <= rest.min(posting.rest) {
                    let small = posting.rank as usize - first;
                    if scratch.by[small] != mark {
                        scratch.by[small] = mark;
                        scratch.met[small] = 0;
                        scratch.candidates.push(posting.rank);
                    }
                    scratch.met[small] += 1;
                }
            }
        }
    }
}

// An inverted index of the rarest residues of each set.

/// A posting: a set that has a residue.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) struct SetPosting {
    /// The [low] bits of the residue, because residues with the same top bits share a list.
    pub(super) low: u32,
    pub(super) rank: u32,
    /// The size of the suffix of the residue's token in the set.
    pub(super) rest: u32,
}

/// An inverted index in flat arrays: for each value of the top bits of a residue, the postings of
/// the sets that have a residue with these bits, by rank.
pub(super) struct PrefixIndex {
    columns: Vec<ColumnLists>,
    column_bits: u32,
    slot_bits: u32,
}

/// The lists of a column, concatenated.
struct ColumnLists {
    starts: Vec<u32>,
    postings: Vec<SetPosting>,
}

/// The number of tokens per column, so that writes are near each other in memory.
const COLUMN: usize = if cfg!(test) { 32 } else { 1 << 16 };

impl PrefixIndex {
    /// Indexes the tokens of sets whose ranks start at `first`: those whose suffix has at least
    /// `least_rest` residues.
    pub(super) fn new(
        sets: &[SetTokens],
        first: usize,
        least_rest: &[u32],
        threads: NonZeroUsize,
    ) -> Self {
        let kept = || sets.iter().zip(least_rest).map(|(row, required)| row.kept(*required).len());
        let count = kept().sum();
        let column_bits = tokens::bits(count, COLUMN);
        let slot_bits = (count.max(1).ilog2() + 1).saturating_sub(column_bits).max(1);
        let kept: Vec<usize> = kept().collect();
        let partitioned = (column_bits, 0..1 << column_bits, count);
        let columns = tokens::partition(sets.len(), partitioned, threads, |stretch, partitions| {
            for at in stretch {
                let rank = u32::try_from(first + at).unwrap_or(u32::MAX);
                for (token, rest) in sets[at].each().take(kept[at]) {
                    let residue = token.residue();
                    let posting = SetPosting { low: low(token), rank, rest };
                    let slot = tokens::slot(residue, column_bits, slot_bits);
                    partitions.give(residue, (slot, posting));
                }
            }
        });
        let columns =
            parallel::map(threads, columns, |column| ColumnLists::new(&column, 1 << slot_bits));
        Self { columns, column_bits, slot_bits }
    }

    /// Returns the postings of the sets that may have a token, by rank: all that have it, and some
    /// that have another token with the same top bits.
    pub(super) fn list(&self, token: Token) -> &[SetPosting] {
        let residue = token.residue();
        let lists = &self.columns[tokens::column_of(residue, self.column_bits)];
        let slot = tokens::slot(residue, self.column_bits, self.slot_bits) as usize;
        lists.list(slot)
    }

    pub(super) fn lists(&self) -> impl Iterator<Item = &[SetPosting]> + Send {
        self.columns.iter().flat_map(|lists| (0..lists.starts.len() - 2).map(|it| lists.list(it)))
    }
}

impl ColumnLists {
    fn new(column: &Column<(u32, SetPosting)>, slots: usize) -> Self {
        let mut starts = vec![0_u32; slots + 2];
        for (slot, _) in column.iter().flatten() {
            starts[*slot as usize + 2] += 1;
        }
        for slot in 2..starts.len() {
            starts[slot] += starts[slot - 1];
        }
        let count = column.iter().map(Vec::len).sum();
        let mut postings = vec![SetPosting { low: 0, rank: 0, rest: 0 }; count];
        for (slot, posting) in column.iter().flatten() {
            let end = &mut starts[*slot as usize + 1];
            postings[*end as usize] = *posting;
            *end += 1;
        }
        Self { starts, postings }
    }

    fn list(&self, slot: usize) -> &[SetPosting] {
        &self.postings[self.starts[slot] as usize..self.starts[slot + 1] as usize]
    }
}

/// Returns the bits 8 to 39 of a residue, which distinguish residues with the same top bits.
pub(super) fn low(token: Token) -> u32 {
    let [.., a, b, c, d] = (token.residue() >> 8).to_be_bytes();
    u32::from_be_bytes([a, b, c, d])
}

// The numbers of residues that a set shares with each of many others, counted in one pass.

/// An index of up to 256 sets: for each residue, the sets that have it. Counting what another set
/// shares with all of them takes one look-up for each of its residues, and one step for each shared
/// residue and set. Merging it with each of them takes a step for nearly every residue of both.
pub(super) struct InvertedBatch {
    /// The distinct residues, increasing.
    residues: Vec<u64>,
    /// For each residue, the start of its sets in `members`; then the end of the last.
    starts: Vec<u32>,
    /// The numbers of the sets that have each residue, from 0, concatenated.
    members: Vec<u8>,
    /// For each value of the top bits, the start of the residues that have them; then the end of
    /// the last.
    slots: Vec<u32>,
    slot_bits: u32,
}

/// The largest number of sets of a batch.
pub(super) const MAX_BATCH_SETS: usize = 1 << u8::BITS;

/// The largest number of residues of a batch of more than one set. Each takes 16 bytes while the
/// batch is built.
pub(super) const BATCH_RESIDUES: u32 = if cfg!(test) { 40 } else { 1 << 20 };

/// Returns the cost of building a batch of `residues` residues and looking up `looked_up` residues
/// in it, measured in steps of a merge. The steps for shared residues are not counted, because a
/// merge takes more of them.
pub(super) fn cost(residues: u64, looked_up: u64) -> u64 {
    if cfg!(test) { residues + looked_up } else { 16 * residues + 4 * looked_up }
}

impl InvertedBatch {
    /// Builds a batch of increasing sets: at most 256, with fewer than 2³² residues in total.
    pub(super) fn new(sets: &[impl AsRef<[u64]>]) -> Self {
        let mut all: Vec<(u64, u8)> = Vec::new();
        for (set, member) in sets.iter().zip(0..=u8::MAX) {
            all.extend(set.as_ref().iter().map(|residue| (*residue, member)));
        }
        all.sort_unstable();
        let (mut residues, mut starts) = (Vec::new(), Vec::new());
        for ((residue, _), at) in all.iter().zip(0_u32..) {
            if residues.last() != Some(residue) {
                residues.push(*residue);
                starts.push(at);
            }
        }
        starts.push(u32::try_from(all.len()).unwrap_or(u32::MAX));
        let slot_bits = residues.len().max(1).ilog2();
        let mut slots = vec![0_u32; (1 << slot_bits) + 1];
        for residue in &residues {
            slots[tokens::column_of(*residue, slot_bits) + 1] += 1;
        }
        for slot in 1..slots.len() {
            slots[slot] += slots[slot - 1];
        }
        let members = all.into_iter().map(|(_, member)| member).collect();
        Self { residues, starts, members, slots, slot_bits }
    }

    /// Counts the residues that a set shares with each member of the batch.
    pub(super) fn count(&self, set: &[u64], shared: &mut [u32; MAX_BATCH_SETS]) {
        shared.fill(0);
        for residue in set {
            let slot = tokens::column_of(*residue, self.slot_bits);
            let (from, to) = (self.slots[slot] as usize, self.slots[slot + 1] as usize);
            let Some(at) = self.residues[from..to].iter().position(|it| it == residue) else {
                continue;
            };
            let (from, to) = (self.starts[from + at] as usize, self.starts[from + at + 1] as usize);
            for member in &self.members[from..to] {
                shared[usize::from(*member)] += 1;
            }
        }
    }
}

// The number of members that a set shares with each smaller set, counted.
//
// If a limit is low, nearly every two sets are candidates, and prefix filters save little. So all
// shared members are counted: a rare member using the list of the sets that have it, a frequent one
// using one bit per set. The bits are added up for 512 sets at a time: bit k of plane p is bit p of
// the count of set k (Muła, Kurz and Lemire 2018).

/// A member is frequent if at least one in this many sets has it: its bits then take at most twice
/// the memory of its postings. For 100,000 texts of 2.3 kB, finding the pairs that are partial by
/// their Jaccard index takes 42 s of processor time, compared with 64 s if candidates are counted
/// using lists alone.
const FREQUENT: usize = if cfg!(test) { 4 } else { 192 };

/// The number of 64-bit words of bits that are added up at a time.
const WORDS_AT_A_TIME: usize = if cfg!(test) { 2 } else { 8 };

/// The number of sets whose bits are added up at a time.
const BLOCK_OF_BITS: usize = WORDS_AT_A_TIME * 64;

/// The number of blocks in which all sets of a batch are counted before the next blocks: the
/// nearest caches hold their counts and most of their bits.
const BLOCKS_PER_TILE: usize = if cfg!(test) { 1 } else { 2 };

type BlockBits = [u64; WORDS_AT_A_TIME];

/// The members of sets, by rank: postings for the rare ones, bits for the frequent ones.
pub(super) struct MemberCounts<'a> {
    rows: &'a [SetTokens<'a>],
    index: PrefixIndex,
    /// The frequent members, increasing.
    frequent: Vec<Token>,
    /// For each block, one row of bits per frequent member: the sets of the block that have it.
    bits: Vec<BlockBits>,
    /// The SIMD level of the processor.
    level: Level,
}

/// The members of a set that is looked up.
struct Lookup<'i> {
    /// The ranks of the smaller sets.
    ranks: Range<usize>,
    /// The low bits of each rare member, with the rest of its list.
    rare: Vec<(u32, &'i [SetPosting])>,
    /// The indices of the frequent members.
    frequent: Vec<usize>,
}

impl<'a> MemberCounts<'a> {
    /// Indexes sets given in the order of their ranks.
    pub(super) fn new(rows: &'a [SetTokens<'a>], threads: NonZeroUsize) -> Self {
        let index = PrefixIndex::new(rows, 0, &vec![1; rows.len()], threads);
        let required = least_frequent(rows.len());
        let long = index.lists().filter(|list| list.len() >= required);
        let of_lists = parallel::map(threads, long, |list| {
            let mut postings = list.to_vec();
            postings.sort_unstable_by_key(|posting| posting.low);
            let groups = postings.chunk_by(|one, next| one.low == next.low);
            let of_groups = groups.filter(|group| group.len() >= required).filter_map(|group| {
                let SetPosting { low: of_group, rank, .. } = group[0];
                let mut tokens = rows[rank as usize].tokens.iter().copied();
                tokens.find(|it| low(*it) == of_group && std::ptr::eq(index.list(*it), list))
            });
            of_groups.collect::<Vec<Token>>()
        });
        let mut frequent = of_lists.concat();
        frequent.sort_unstable();
        let mut bits =
            vec![[0; WORDS_AT_A_TIME]; rows.len().div_ceil(BLOCK_OF_BITS) * frequent.len()];
        for (at, token) in frequent.iter().enumerate() {
            let list = index.list(*token).iter().filter(|posting| posting.low == low(*token));
            for rank in list.map(|posting| posting.rank as usize) {
                bits[rank / BLOCK_OF_BITS * frequent.len() + at][rank % BLOCK_OF_BITS / 64] |=
                    1 << (rank % 64);
            }
        }
        Self { rows, index, frequent, bits, level: Level::new() }
    }

    /// Calls `give` with each rank of a batch and each smaller rank, from `smallest` on, whose set
    /// shares at least `required` tokens with it; the smaller rank comes first. The cost per rank is
    /// that of the lists of its rare members, and of the bits of its frequent ones, a fraction of
    /// the number of sets.
    pub(super) fn sharing(
        &self,
        batch: Range<usize>,
        smallest: impl Fn(usize) -> usize,
        required: impl Fn(usize, usize) -> u32,
        mut give: impl FnMut(usize, usize),
    ) {
        let lookups = batch.clone().map(|rank| self.lookup(rank, smallest(rank)));
        let mut lookups: Vec<Lookup> = lookups.collect();
        let mut counts = [0_u16; BLOCKS_PER_TILE * BLOCK_OF_BITS];
        let mut planes = Vec::new();
        let first = lookups.iter().map(|lookup| lookup.ranks.start).min().unwrap_or_default();
        for start in (first / BLOCK_OF_BITS * BLOCK_OF_BITS..batch.end)
            .step_by(BLOCKS_PER_TILE * BLOCK_OF_BITS)
        {
            for (rank, lookup) in batch.clone().zip(&mut lookups) {
                lookup.count_rare(start, &mut counts);
                for (block, counts) in
                    (start / BLOCK_OF_BITS..).zip(counts.chunks_mut(BLOCK_OF_BITS))
                {
                    let sets = lookup.ranks.start.max(block * BLOCK_OF_BITS)
                        ..lookup.ranks.end.min((block + 1) * BLOCK_OF_BITS);
                    if sets.is_empty() {
                        continue;
                    }
                    let of_block = &self.bits[block * self.frequent.len()..];
                    let least_here = required(sets.start, rank);
                    let reached = dispatch!(self.level, _ => {
                        add_up(lookup.frequent.iter().map(|at| &of_block[*at]), &mut planes);
                        let most = u32::from(counts.iter().copied().max().unwrap_or_default());
                        reached(&planes, least_here.saturating_sub(most))
                    });
                    each_bit(reached, |bit| {
                        let set = block * BLOCK_OF_BITS + bit;
                        let count = u32::from(counts[bit]).saturating_add(count(&planes, bit));
                        if sets.contains(&set) && count >= required(set, rank) {
                            give(set, rank);
                        }
                    });
                    counts.fill(0);
                }
            }
        }
    }

    fn lookup(&self, rank: usize, smallest: usize) -> Lookup<'_> {
        let tokens = self.rows[rank].tokens;
        // All lists are located first, so that many memory accesses are in flight at once.
        let lists: Vec<&[SetPosting]> =
            tokens.iter().map(|token| self.index.list(*token)).collect();
        let mut lookup = Lookup { ranks: smallest..rank, rare: Vec::new(), frequent: Vec::new() };
        let required = least_frequent(self.rows.len());
        for (token, list) in tokens.iter().zip(lists) {
            if list.len() >= required
                && let Ok(at) = self.frequent.binary_search(token)
            {
                lookup.frequent.push(at);
            } else if list.len() >= LONG_LIST {
                let from = list.partition_point(|it| (it.rank as usize) < smallest);
                lookup.rare.push((low(*token), &list[from..]));
            } else {
                lookup.rare.push((low(*token), list));
            }
        }
        lookup
    }
}

impl Lookup<'_> {
    /// Counts the rare members that the set shares with each set of a tile.
    fn count_rare(&mut self, start: usize, counts: &mut [u16]) {
        let end = self.ranks.end.min(start + counts.len());
        self.rare.retain_mut(|(low, list)| {
            let mut behind = 0;
            for posting in list.iter().take_while(|posting| (posting.rank as usize) < end) {
                behind += 1;
                if posting.low == *low && self.ranks.start <= posting.rank as usize {
                    let count = &mut counts[posting.rank as usize - start];
                    *count = count.saturating_add(1);
                }
            }
            *list = &list[behind..];
            !list.is_empty()
        });
    }
}

/// Returns the smallest number of `sets` sets that must have a member for it to be frequent.
fn least_frequent(sets: usize) -> usize {
    sets.div_ceil(FREQUENT).max(LONG_LIST)
}

/// Adds bits to the bit planes of their counts, eight rows at a time. The three lowest planes take
/// seven full adders (Harley and Seal), and only their carry is propagated from plane to plane.
#[expect(clippy::inline_always, reason = "so that it is compiled for what the processor has")]
#[inline(always)]
fn add_up<'b>(mut all: impl ExactSizeIterator<Item = &'b BlockBits>, planes: &mut Vec<BlockBits>) {
    planes.clear();
    let [mut ones, mut twos, mut fours] = [[0; WORDS_AT_A_TIME]; 3];
    while all.len() > 0 {
        let mut two = || [0, 1].map(|_| all.next().unwrap_or(&[0; WORDS_AT_A_TIME]));
        let carried = [0, 1].map(|_| {
            let carried = [0, 1].map(|_| add(&mut ones, two()));
            add(&mut twos, carried.each_ref())
        });
        let mut carry = add(&mut fours, carried.each_ref());
        for plane in &mut *planes {
            for (bits, carry) in plane.iter_mut().zip(&mut carry) {
                (*bits, *carry) = (*bits ^ *carry, *bits & *carry);
            }
        }
        if carry.iter().any(|bits| *bits != 0) {
            planes.push(carry);
        }
    }
    planes.splice(..0, [ones, twos, fours]);
}

/// Adds two rows of bits to a third one with a full adder for each bit, and returns the carries.
#[expect(clippy::inline_always, reason = "as [`add_up`]")]
#[inline(always)]
fn add(sum: &mut BlockBits, [one, other]: [&BlockBits; 2]) -> BlockBits {
    std::array::from_fn(|k| {
        let either = one[k] ^ other[k];
        let carry = one[k] & other[k] | either & sum[k];
        sum[k] ^= either;
        carry
    })
}

/// Returns the count of a set of a block.
fn count(planes: &[BlockBits], bit: usize) -> u32 {
    (0..).zip(planes).map(|(p, plane)| ((plane[bit / 64] >> (bit % 64) & 1) as u32) << p).sum()
}

/// Calls `take` with the indices of the bits that are set, increasing.
fn each_bit(all: BlockBits, mut take: impl FnMut(usize)) {
    for (word, mut bits) in all.into_iter().enumerate() {
        while bits != 0 {
            take(word * 64 + bits.trailing_zeros() as usize);
            bits &= bits - 1;
        }
    }
}

/// Returns a bit for each count: whether it is at least `required`.
#[expect(clippy::inline_always, reason = "as [`add_up`]")]
#[inline(always)]
fn reached(planes: &[BlockBits], required: u32) -> BlockBits {
    if u64::from(required) >> planes.len() > 0 {
        return [0; WORDS_AT_A_TIME];
    }
    let (mut more, mut equal) = ([0; WORDS_AT_A_TIME], [u64::MAX; WORDS_AT_A_TIME]);
    for (p, plane) in planes.iter().enumerate().rev() {
        for k in 0..WORDS_AT_A_TIME {
            if required >> p & 1 == 1 {
                equal[k] &= plane[k];
            } else {
                more[k] |= equal[k] & plane[k];
                equal[k] &= !plane[k];
            }
        }
    }
    for k in 0..WORDS_AT_A_TIME {
        more[k] |= equal[k];
    }
    more
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::jaccard::Overlap;

    #[test]
    fn a_part_has_as_many_tokens_as_are_allowed_or_one_set() {
        #[rustfmt::skip]
        let table: &[(&str, &[u32], &[Range<usize>])] = &[
            ("no set",               &[],              &[]),
            ("enough, and one more", &[3, 1, 1],       &[0..2, 2..3]),
            ("more in one set",      &[9, 9],          &[0..1, 1..2]),
            ("parts of all sizes",   &[3, 1, 2, 4, 1], &[0..2, 2..3, 3..4, 4..5]),
        ];
        for (why, tokens, want) in table {
            assert_eq!(parts(tokens.len(), |rank| tokens[rank], 4), *want, "{why}");
        }
    }

    proptest! {
        #[test]
        fn each_member_shares_what_it_has_in_common(
            sets in prop::collection::vec(prop::collection::btree_set(0_u64..40, 0..20), 0..9),
            set in prop::collection::btree_set(0_u64..40, 0..20),
            shift in 0_u32..59,
        ) {
            let residues = |set: &std::collections::BTreeSet<u64>| -> Vec<u64> {
                set.iter().map(|it| it << shift).collect()
            };
            let (sets, set): (Vec<_>, _) = (sets.iter().map(residues).collect(), residues(&set));
            let batch = InvertedBatch::new(&sets.iter().map(Vec::as_slice).collect::<Vec<_>>());
            let mut shared = [9; MAX_BATCH_SETS];
            batch.count(&set, &mut shared);
            for (member, other) in sets.iter().enumerate() {
                prop_assert_eq!(shared[member] as usize, Overlap::new(other, &set).shared);
            }
            prop_assert!(shared[sets.len()..].iter().all(|shared| *shared == 0));
        }
    }
}

#[cfg(test)]
mod counts_tests {
    use proptest::collection::{btree_set, vec};
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn counts_are_added_up_bit_by_bit() {
        // Set k of a block has its bit set in those of the 1,000 rows whose number is at least k.
        let all: Vec<BlockBits> = (0..1000)
            .map(|number| {
                let mut bits = [0; WORDS_AT_A_TIME];
                (0..=number.min(BLOCK_OF_BITS - 1))
                    .for_each(|set| bits[set / 64] |= 1 << (set % 64));
                bits
            })
            .collect();
        let mut planes = vec![[u64::MAX; WORDS_AT_A_TIME]; 40];
        for count in [0, 1, 2, 3, 999, 1000] {
            add_up(all[1000 - count..].iter(), &mut planes);
            for required in [0, 1, 2, 3, 500, 999, 1000, 1023, 1024, u32::MAX] {
                let reached = reached(&planes, required);
                for set in 0..BLOCK_OF_BITS {
                    let want = count.min(1000 - set) >= required as usize;
                    assert_eq!(reached[set / 64] >> (set % 64) & 1 == 1, want, "{set} {required}");
                }
            }
        }
    }

    proptest! {
        #[test]
        fn counts_agree_with_what_sets_share(
            sets in vec(btree_set(1_u64..40, 0..30), 1..200), required in 1_u32..9, start in 0_usize..90,
        ) {
            // The members up to 9 have the same top bits as others.
            let token = |member: &u64| Token::new(2, (member % 30) << 58 | member << 8);
            let tokens: Vec<Vec<Token>> = sets.iter().map(|set| set.iter().map(token).collect()).collect();
            let row = |tokens| SetTokens { tokens, shared: u32::try_from(tokens.len()).unwrap() };
            let rows: Vec<SetTokens> = tokens.iter().map(|tokens| row(tokens)).collect();
            let counts = MemberCounts::new(&rows, NonZeroUsize::MIN);
            let required = |other: usize, _: usize| required + u32::try_from(other / 20).unwrap();
            let mut got = Vec::new();
            for first in (0..rows.len()).step_by(7) {
                let batch = first..(first + 7).min(rows.len());
                counts.sharing(batch, |rank| start.min(rank), required, |other, rank| got.push((rank, other)));
            }
            got.sort_unstable();
            let shared = |other: usize, rank: usize| sets[other].intersection(&sets[rank]).count();
            let all = (0..rows.len()).flat_map(|rank| (start.min(rank)..rank).map(move |it| (rank, it)));
            let want: Vec<(usize, usize)> =
                all.filter(|(rank, it)| shared(*it, *rank) >= required(*it, *rank) as usize).collect();
            prop_assert_eq!(got, want);
        }
    }
}
