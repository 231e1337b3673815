//! How much the pairs of classes share that were found.

use std::num::NonZeroUsize;

use super::classes::Classes;
use super::collection::{Collection, Sets};
use super::inverted_batch::{self, InvertedBatch};
use super::{ClassPair, Link};
use crate::jaccard::Overlap;
use crate::parallel::{self, Advance};

/// Pairs that are looked at in one piece of work, at most.
const TILE: usize = if cfg!(test) { 300 } else { 1 << 16 };

/// Each of some increasing, distinct pairs with what both share of all shingles and of the
/// longest.
pub(super) fn links(
    collection: &Collection,
    classes: &Classes,
    found: &[ClassPair],
    (threads, advance): (NonZeroUsize, &Advance),
) -> Vec<Link> {
    let (mut tiles, mut rest) = (Vec::new(), found);
    while !rest.is_empty() {
        let (tile, more) =
            rest.split_at(end_of_tile(rest, |class| collection.all.size(classes.first(class))));
        tiles.push(tile);
        rest = more;
    }
    let of_tile = |(): &mut (), pairs: &[ClassPair]| {
        let tile = Tile::of(pairs);
        let shared = |sets: &Sets| tile.shared(|class| sets.get(classes.first(class)));
        let all = shared(&collection.all);
        let is_of_one_size = collection.is_of_one_size();
        let longest = if is_of_one_size { all.clone() } else { shared(collection.longest_sets()) };
        let link = |((pair, all), longest): ((&ClassPair, u32), u32)| Link {
            classes: *pair,
            all,
            longest,
        };
        let links: Vec<Link> = pairs.iter().zip(all).zip(longest).map(link).collect();
        advance.add(links.len() as u64);
        links
    };
    parallel::each(threads, tiles, || (), of_tile).concat()
}

/// How many of the first pairs are a tile: as many as a batch has room for their left classes;
/// one at least.
fn end_of_tile(pairs: &[ClassPair], size: impl Fn(u32) -> u32) -> usize {
    let mut room = inverted_batch::ROOM;
    let mut end = 0;
    let of_lefts = pairs.chunk_by(|one, next| one.left == next.left);
    for of_left in of_lefts.take(inverted_batch::MOST) {
        let size = size(of_left[0].left);
        if room < size || end >= TILE {
            break;
        }
        room -= size;
        end += of_left.len();
    }
    end.clamp(1, TILE)
}

/// Some pairs, increasing, of at most as many left classes as a batch has.
struct Tile<'a> {
    pairs: &'a [ClassPair],
    lefts: Vec<u32>,
    /// The right class of each pair, the place of its left one, and its own; increasing.
    by_right: Vec<(u32, u8, usize)>,
}

impl<'a> Tile<'a> {
    fn of(pairs: &'a [ClassPair]) -> Self {
        let (mut lefts, mut by_right) = (Vec::new(), Vec::with_capacity(pairs.len()));
        let of_lefts = pairs.chunk_by(|one, next| one.left == next.left);
        for (of_left, member) in of_lefts.zip(0..=u8::MAX) {
            lefts.push(of_left[0].left);
            by_right.extend(
                of_left.iter().zip(by_right.len()..).map(|(pair, at)| (pair.right, member, at)),
            );
        }
        by_right.sort_unstable();
        Self { pairs, lefts, by_right }
    }

    /// How many residues the sets of each pair share: [counted](InvertedBatch), where that takes less than
    /// to merge them.
    fn shared<'s>(&self, set: impl Fn(u32) -> &'s [u64]) -> Vec<u32> {
        let size = |class: u32| set(class).len() as u64;
        let merged: u64 = self.pairs.iter().map(|pair| size(pair.left) + size(pair.right)).sum();
        let of_rights = || self.by_right.chunk_by(|one, next| one.0 == next.0);
        let placed = self.lefts.iter().map(|class| size(*class)).sum();
        let looked_up = of_rights().map(|of_right| size(of_right[0].0)).sum();
        if merged <= inverted_batch::cost(placed, looked_up) {
            let overlap = |pair: &ClassPair| Overlap::of(set(pair.left), set(pair.right)).shared;
            let shared = self.pairs.iter().map(overlap);
            return shared.map(|shared| u32::try_from(shared).unwrap_or(u32::MAX)).collect();
        }
        let sets: Vec<&[u64]> = self.lefts.iter().map(|class| set(*class)).collect();
        let batch = InvertedBatch::of(&sets);
        let (mut counts, mut shared) = ([0; inverted_batch::MOST], vec![0; self.pairs.len()]);
        for of_right in of_rights() {
            batch.count(set(of_right[0].0), &mut counts);
            for (_, member, at) in of_right {
                shared[*at] = counts[usize::from(*member)];
            }
        }
        shared
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tile_ends_where_a_crowd_has_no_more_room() {
        let pairs = |lefts: u32, each: u32| -> Vec<ClassPair> {
            (0..lefts)
                .flat_map(|left| (1..=each).map(move |it| ClassPair { left, right: left + it }))
                .collect()
        };
        #[rustfmt::skip]
        let table = [
            ("all fit",                   3,   2,   10, 6),
            ("four of ten residues",      5,   2,   10, 8),
            ("none fits: a pair",         5,   2,   41, 1),
            ("as many as a batch has",    290, 1,   0,  256),
            ("more than are looked at",   1,   400, 1,  300),
            ("the last left one in part", 3,   149, 1,  300),
        ];
        for (why, lefts, each, size, end) in table {
            assert_eq!(end_of_tile(&pairs(lefts, each), |_| size), end, "{why}");
        }
    }
}
