//! How many members a set shares with each smaller one, counted.
//!
//! Where a limit is low, nearly each two sets are candidates, and prefix filters spare little. So
//! all that they share is counted: of a rare member by the list of the sets that have it, of a
//! frequent one by a bit for each set. Bits are added up for 512 sets at a time: bit k of plane p
//! is bit p of the count of set k (Muła, Kurz and Lemire 2018).

use std::num::NonZeroUsize;
use std::ops::Range;

use super::index::{Index, Posting, low};
use super::rarity::{Row, Token};
use crate::parallel;

/// A member is frequent where at least one in so many sets has it: then bits take twice the memory
/// of its postings at most. The pairs of 100,000 texts of 2.3 kB that are partial by their Jaccard
/// index take 42 s of processor, where candidates were counted by lists alone 64 s.
const FREQUENT: usize = if cfg!(test) { 4 } else { 192 };

/// From so many postings on, the part of a list that can matter is searched for.
const LONG_LIST: usize = if cfg!(test) { 4 } else { 16 };

/// Words of bits that are added up at a time.
const WORDS: usize = if cfg!(test) { 1 } else { 8 };

/// Sets whose bits are added up at a time.
const BLOCK: usize = WORDS * 64;

/// Blocks of sets that all sets of a batch are counted in before the next ones: the nearest caches
/// hold their counts and most of their bits.
const TILE: usize = if cfg!(test) { 1 } else { 2 };

type Bits = [u64; WORDS];

/// The members of sets, by rank: rare ones by their lists, frequent ones by bits.
pub(super) struct Counts<'a> {
    rows: &'a [Row<'a>],
    index: Index,
    /// The frequent ones, increasing.
    frequent: Vec<Token>,
    /// For each block the sets that have each of them.
    bits: Vec<Bits>,
}

/// What a set is looked up by.
struct Lookup<'i> {
    /// The smaller sets.
    ranks: Range<usize>,
    /// The low bits of its rare members, and the rest of their lists.
    rare: Vec<(u32, &'i [Posting])>,
    /// Where its frequent ones are.
    frequent: Vec<usize>,
}

impl<'a> Counts<'a> {
    /// Of sets in the order of their ranks.
    pub(super) fn of(rows: &'a [Row<'a>], threads: NonZeroUsize) -> Self {
        let index = Index::of(rows, &vec![1; rows.len()], threads);
        let least = least_frequent(rows.len());
        let long = index.lists().filter(|list| list.len() >= least);
        let of_lists = parallel::each(
            threads,
            long,
            || (),
            |(), list| {
                let mut postings = list.to_vec();
                postings.sort_unstable_by_key(|posting| posting.low);
                let groups = postings.chunk_by(|one, next| one.low == next.low);
                let of_groups = groups.filter(|group| group.len() >= least).filter_map(|group| {
                    let Posting { low: of_group, rank, .. } = group[0];
                    let mut tokens = rows[rank as usize].tokens.iter().copied();
                    tokens.find(|it| low(*it) == of_group && std::ptr::eq(index.list(*it), list))
                });
                of_groups.collect::<Vec<Token>>()
            },
        );
        let mut frequent = of_lists.concat();
        frequent.sort_unstable();
        let mut bits = vec![[0; WORDS]; rows.len().div_ceil(BLOCK) * frequent.len()];
        for (at, token) in frequent.iter().enumerate() {
            let list = index.list(*token).iter().filter(|posting| posting.low == low(*token));
            for rank in list.map(|posting| posting.rank as usize) {
                bits[rank / BLOCK * frequent.len() + at][rank % BLOCK / 64] |= 1 << (rank % 64);
            }
        }
        Self { rows, index, frequent, bits }
    }

    /// Gives each rank of a batch, and the ranks of the smaller sets from the one on that
    /// `smallest` gives for it which share so many tokens with it as `least` gives for both. The
    /// cost of each is that of the lists of its rare members, and of the bits of the others, a
    /// fraction of the sets.
    pub(super) fn sharing(
        &self,
        batch: Range<usize>,
        smallest: impl Fn(usize) -> usize,
        least: impl Fn(usize, usize) -> u32,
        mut give: impl FnMut(usize, usize),
    ) {
        let lookups = batch.clone().map(|rank| self.lookup(rank, smallest(rank)));
        let mut lookups: Vec<Lookup> = lookups.collect();
        let mut counts = [0_u16; TILE * BLOCK];
        let mut planes = Vec::new();
        let first = lookups.iter().map(|lookup| lookup.ranks.start).min().unwrap_or_default();
        for start in (first / BLOCK * BLOCK..batch.end).step_by(TILE * BLOCK) {
            for (rank, lookup) in batch.clone().zip(&mut lookups) {
                lookup.count_rare(start, &mut counts);
                for (block, counts) in (start / BLOCK..).zip(counts.chunks_mut(BLOCK)) {
                    let sets = lookup.ranks.start.max(block * BLOCK)
                        ..lookup.ranks.end.min((block + 1) * BLOCK);
                    if sets.is_empty() {
                        continue;
                    }
                    let of_block = &self.bits[block * self.frequent.len()..];
                    add_up(lookup.frequent.iter().map(|at| &of_block[*at]), &mut planes);
                    let most = u32::from(counts.iter().copied().max().unwrap_or_default());
                    let needed = least(sets.start, rank).saturating_sub(most);
                    each_bit(reached(&planes, needed), |bit| {
                        let set = block * BLOCK + bit;
                        let count = u32::from(counts[bit]).saturating_add(count(&planes, bit));
                        if sets.contains(&set) && count >= least(set, rank) {
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
        // First of all the lists: the memory is asked for many of them at a time.
        let lists: Vec<&[Posting]> = tokens.iter().map(|token| self.index.list(*token)).collect();
        let mut lookup = Lookup { ranks: smallest..rank, rare: Vec::new(), frequent: Vec::new() };
        let least = least_frequent(self.rows.len());
        for (token, list) in tokens.iter().zip(lists) {
            if list.len() >= least
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
    /// Counts the rare members that it shares with each set of a tile.
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

/// How many of so many sets have a frequent member at least.
fn least_frequent(sets: usize) -> usize {
    sets.div_ceil(FREQUENT).max(LONG_LIST)
}

/// Adds bits up to the planes of their counts, eight at a time: three planes take seven full adders
/// (Harley and Seal), and only what is carried beyond them goes from plane to plane.
fn add_up<'b>(mut all: impl ExactSizeIterator<Item = &'b Bits>, planes: &mut Vec<Bits>) {
    planes.clear();
    let [mut ones, mut twos, mut fours] = [[0; WORDS]; 3];
    while all.len() > 0 {
        let mut two = || [0, 1].map(|_| all.next().unwrap_or(&[0; WORDS]));
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

/// Adds two bits to a third one, each to each, and gives what is carried.
fn add(sum: &mut Bits, [one, other]: [&Bits; 2]) -> Bits {
    std::array::from_fn(|k| {
        let either = one[k] ^ other[k];
        let carry = one[k] & other[k] | either & sum[k];
        sum[k] ^= either;
        carry
    })
}

/// The count of a set of a block.
fn count(planes: &[Bits], bit: usize) -> u32 {
    (0..).zip(planes).map(|(p, plane)| ((plane[bit / 64] >> (bit % 64) & 1) as u32) << p).sum()
}

/// The places of the bits that are set, increasing.
fn each_bit(all: Bits, mut take: impl FnMut(usize)) {
    for (word, mut bits) in all.into_iter().enumerate() {
        while bits != 0 {
            take(word * 64 + bits.trailing_zeros() as usize);
            bits &= bits - 1;
        }
    }
}

/// Whether each count is at least so much.
fn reached(planes: &[Bits], least: u32) -> Bits {
    if u64::from(least) >> planes.len() > 0 {
        return [0; WORDS];
    }
    let (mut more, mut equal) = ([0; WORDS], [u64::MAX; WORDS]);
    for (p, plane) in planes.iter().enumerate().rev() {
        for k in 0..WORDS {
            if least >> p & 1 == 1 {
                equal[k] &= plane[k];
            } else {
                more[k] |= equal[k] & plane[k];
                equal[k] &= !plane[k];
            }
        }
    }
    for k in 0..WORDS {
        more[k] |= equal[k];
    }
    more
}

#[cfg(test)]
mod tests {
    use proptest::collection::{btree_set, vec};
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn counts_are_added_up_bit_by_bit() {
        // Set k of a block is in those of 1,000 whose number is at least k.
        let all: Vec<Bits> = (0..1000)
            .map(|number| {
                let mut bits = [0; WORDS];
                (0..=number.min(BLOCK - 1)).for_each(|set| bits[set / 64] |= 1 << (set % 64));
                bits
            })
            .collect();
        let mut planes = vec![[u64::MAX; WORDS]; 40];
        for count in [0, 1, 2, 3, 999, 1000] {
            add_up(all[1000 - count..].iter(), &mut planes);
            for least in [0, 1, 2, 3, 500, 999, 1000, 1023, 1024, u32::MAX] {
                let reached = reached(&planes, least);
                for set in 0..BLOCK {
                    let want = count.min(1000 - set) >= least as usize;
                    assert_eq!(reached[set / 64] >> (set % 64) & 1 == 1, want, "{set} {least}");
                }
            }
        }
    }

    proptest! {
        #[test]
        fn counts_agree_with_what_sets_share(
            sets in vec(btree_set(1_u64..40, 0..30), 1..200), least in 1_u32..9, start in 0_usize..90,
        ) {
            // The members up to 9 have the top bits of others.
            let token = |member: &u64| Token::new(2, (member % 30) << 58 | member << 8);
            let tokens: Vec<Vec<Token>> = sets.iter().map(|set| set.iter().map(token).collect()).collect();
            let row = |tokens| Row { tokens, shared: u32::try_from(tokens.len()).unwrap() };
            let rows: Vec<Row> = tokens.iter().map(|tokens| row(tokens)).collect();
            let counts = Counts::of(&rows, NonZeroUsize::MIN);
            let least = |other: usize, _: usize| least + u32::try_from(other / 20).unwrap();
            let mut got = Vec::new();
            for first in (0..rows.len()).step_by(7) {
                let batch = first..(first + 7).min(rows.len());
                counts.sharing(batch, |rank| start.min(rank), least, |other, rank| got.push((rank, other)));
            }
            got.sort_unstable();
            let shared = |other: usize, rank: usize| sets[other].intersection(&sets[rank]).count();
            let all = (0..rows.len()).flat_map(|rank| (start.min(rank)..rank).map(move |it| (rank, it)));
            let want: Vec<(usize, usize)> =
                all.filter(|(rank, it)| shared(*it, *rank) >= least(*it, *rank) as usize).collect();
            prop_assert_eq!(got, want);
        }
    }
}
