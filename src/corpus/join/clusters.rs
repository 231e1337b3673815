//! Pairs → clusters, and the links that hold them together.

use std::borrow::Cow;

use super::collection::{Classes, Collection, Place, Side};
use super::overlapping::{self, BATCH_RESIDUES, InvertedBatch};
use super::sets::Sets;
use super::{ClassPair, Forest, Joined, Link, Pair};
use crate::jaccard::{Overlap, compare};
use crate::parallel::{self, Watch};

/// A connected component of at least two texts: each is paired with another one of them.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Cluster {
    /// The texts of the cluster, at least two, increasing.
    pub members: Vec<u32>,
    /// The pairs that hold the cluster together, by a and then by b: a spanning tree, with one pair
    /// fewer than there are members. Its Jaccard indices are as high as possible, except for texts
    /// that are linked only because every pair reaches a limit. Pairs with equal sets are
    /// preferred.
    pub links: Vec<Pair>,
}

/// The number of texts that represent a class on each side, each of another group.
///
/// Linking every text of either class with the representatives of the other connects all texts that
/// the links between both classes would connect. First, a text that is compared with any text of a
/// class is compared with one of its representatives. Second, if a class has a text that belongs to
/// the group of neither representative of the other class, this text connects the two, and with
/// them all texts of its own class. If neither class has such a text, every group has a
/// representative.
pub(super) const REPRESENTATIVES: usize = 2;

impl Joined<'_> {
    /// Returns the clusters, sorted by their first texts. Single texts are no clusters. Many texts
    /// with equal sets cost no more than as many single ones.
    pub fn clusters(&self) -> Vec<Cluster> {
        let mut forest = Linked::new(self.collection);
        let members = self.classes.numbers().map(|class| self.classes.members(class));
        let mut ties = Ties {
            settled: members.clone().map(|members| members.len() == 1).collect(),
            representatives: members.map(|members| self.representatives(members)).collect(),
        };
        for class in self.classes.numbers().filter(|class| self.holds_within(*class)) {
            let whole = self.collection.sizes(self.classes.first(class));
            self.link((class, class), &mut ties, |_, _| whole, &mut forest);
        }
        for link in self.closest_first() {
            let pair = (link.classes.left, link.classes.right);
            self.link(pair, &mut ties, |_, _| (link.all, link.longest), &mut forest);
        }
        let open = self.open.iter().flat_map(|class| self.classes.members(*class));
        let open: Vec<u32> = open.copied().collect();
        forest.link(&open, &self.representatives(&open), |a, b| self.collection.shared(a, b));
        forest.clusters()
    }

    /// Returns the links, those with the highest Jaccard index first.
    fn closest_first(&self) -> Vec<&Link> {
        let size = |class| self.collection.all.size(self.classes.first(class)) as usize;
        let shared_and_union = |link: &Link| {
            let shared = link.all as usize;
            (shared, size(link.classes.left) + size(link.classes.right) - shared)
        };
        let mut links: Vec<&Link> = self.links.iter().collect();
        links.sort_by(|one, other| compare(shared_and_union(other), shared_and_union(one)));
        links
    }

    /// Links the texts of two classes, or of one, that are compared with each other.
    fn link(
        &self,
        (left, right): (u32, u32),
        ties: &mut Ties,
        shared: impl Fn(u32, u32) -> (u32, u32),
        forest: &mut Linked,
    ) {
        for (class, other) in [(left, right), (right, left)] {
            let own = &ties.representatives[class as usize];
            let is_settled = ties.settled[class as usize];
            let members = if is_settled { own } else { self.classes.members(class) };
            forest.link(members, &ties.representatives[other as usize], &shared);
        }
        for class in [left, right] {
            let is_settled = &mut ties.settled[class as usize];
            *is_settled = *is_settled || forest.is_one_tree(self.classes.members(class));
        }
    }

    /// Returns the first members of up to two groups on each side.
    fn representatives(&self, members: &[u32]) -> Vec<u32> {
        let mut representatives = Vec::new();
        for side in Side::ALL {
            let mut places: Vec<Place> = Vec::new();
            for text in members {
                let place = self.collection.place(*text);
                let is_other = place.group.is_none() || !places.contains(&place);
                if place.side == side && places.len() < REPRESENTATIVES && is_other {
                    places.push(place);
                    representatives.push(*text);
                }
            }
        }
        representatives
    }
}

/// Returns the clusters of some pairs of texts of a collection, given in any order. It serves
/// conditions that the sets do not decide.
///
/// # Panics
///
/// If a pair names a text that does not exist.
pub fn clusters_of(collection: &Collection, mut pairs: Vec<Pair>) -> Vec<Cluster> {
    let shared_and_union = |pair: &Pair| (pair.all.shared, pair.all.union());
    pairs.sort_by(|one, other| {
        compare(shared_and_union(other), shared_and_union(one))
            .then_with(|| (one.a, one.b).cmp(&(other.a, other.b)))
    });
    let mut linked = Linked::new(collection);
    for pair in pairs {
        if linked.forest.unite(pair.a, pair.b) {
            linked.links.push(pair);
        }
    }
    linked.clusters()
}

/// What is known of the members of each class while links are generated.
struct Ties {
    /// Whether all texts of the class are connected already, so that the representatives suffice.
    settled: Vec<bool>,
    representatives: Vec<Vec<u32>>,
}

/// The texts connected so far, and the links that connect them.
struct Linked<'a> {
    collection: &'a Collection,
    forest: Forest,
    links: Vec<Pair>,
}

impl<'a> Linked<'a> {
    fn new(collection: &'a Collection) -> Self {
        let texts = u32::try_from(collection.len()).unwrap_or(u32::MAX);
        Self { collection, forest: Forest::new(texts), links: Vec::new() }
    }

    fn is_one_tree(&mut self, texts: &[u32]) -> bool {
        texts.windows(2).all(|two| self.forest.root(two[0]) == self.forest.root(two[1]))
    }

    /// Links each text with each of the others that it is compared with, unless they are connected
    /// already.
    fn link(&mut self, texts: &[u32], others: &[u32], shared: impl Fn(u32, u32) -> (u32, u32)) {
        for text in texts {
            for other in others {
                let (a, b) = (*text.min(other), *text.max(other));
                let are_compared =
                    self.collection.place(a).is_compared_with(self.collection.place(b));
                if are_compared && self.forest.unite(a, b) {
                    self.links.push(Pair::new(self.collection, a, b, shared(a, b)));
                }
            }
        }
    }

    /// Returns the trees of at least two texts.
    fn clusters(mut self) -> Vec<Cluster> {
        let trees = self.forest.trees();
        let tree = |members| Cluster { members, links: Vec::new() };
        let mut clusters: Vec<Cluster> = trees.into_iter().map(tree).collect();
        self.links.sort_unstable_by_key(|pair| (pair.a, pair.b));
        for pair in self.links {
            let first = self.forest.root(pair.a);
            let place = clusters.partition_point(|cluster| cluster.members[0] < first);
            clusters[place].links.push(pair);
        }
        clusters
    }
}

// The numbers of shingles that the pairs of classes found share.

/// The largest number of pairs per unit of work.
const PAIRS_PER_TILE: usize = if cfg!(test) { 300 } else { 1 << 16 };

/// Returns increasing, distinct pairs with the numbers of shingles that both classes share: those
/// of all sizes, and the longest ones.
pub(super) fn links(
    collection: &Collection,
    classes: &Classes,
    found: &[ClassPair],
    Watch { threads, advance }: Watch,
) -> Vec<Link> {
    let size = |class| collection.all.size(classes.first(class));
    let lefts = found.chunk_by(|one, next| one.left == next.left);
    let residues: u64 = lefts.map(|of_left| u64::from(size(of_left[0].left))).sum();
    // Every thread gets several tiles, even of a small corpus, since some take longer than others.
    let of_tile = residues.div_ceil(2 * threads.get() as u64);
    let max_residues = u32::try_from(of_tile).map_or(BATCH_RESIDUES, |it| it.min(BATCH_RESIDUES));
    let (mut tiles, mut rest) = (Vec::new(), found);
    while !rest.is_empty() {
        let (tile, more) = rest.split_at(end_of_tile(rest, max_residues, size));
        tiles.push(tile);
        rest = more;
    }
    let of_tile = |pairs: &[ClassPair]| {
        let tile = Tile::new(pairs);
        let shared = |sets: &Sets| {
            let size = |class| sets.size(classes.first(class));
            tile.shared(size, |class| sets.get(classes.first(class)))
        };
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
    parallel::map(threads, tiles, of_tile).concat()
}

/// Returns how many of the first pairs form a tile: as many as have left classes that fit into one
/// batch of `max_residues` residues, and at least one.
fn end_of_tile(pairs: &[ClassPair], max_residues: u32, size: impl Fn(u32) -> u32) -> usize {
    let mut remaining = max_residues;
    let mut end = 0;
    let of_lefts = pairs.chunk_by(|one, next| one.left == next.left);
    for of_left in of_lefts.take(overlapping::MAX_BATCH_SETS) {
        let size = size(of_left[0].left);
        if remaining < size || end >= PAIRS_PER_TILE {
            break;
        }
        remaining -= size;
        end += of_left.len();
    }
    end.clamp(1, PAIRS_PER_TILE)
}

/// Increasing pairs with at most as many left classes as a batch has.
struct Tile<'a> {
    pairs: &'a [ClassPair],
    lefts: Vec<u32>,
    /// For each pair the right class, the index of the left class, and the index of the pair;
    /// increasing.
    by_right: Vec<(u32, u8, usize)>,
}

impl<'a> Tile<'a> {
    fn new(pairs: &'a [ClassPair]) -> Self {
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

    /// Returns the number of residues that the sets of each pair share. They are
    /// [counted](InvertedBatch) if that takes less time than merging the sets.
    fn shared<'s>(
        &self,
        size: impl Fn(u32) -> u32,
        set: impl Fn(u32) -> Cow<'s, [u64]>,
    ) -> Vec<u32> {
        let size = |class: u32| u64::from(size(class));
        let merged: u64 = self.pairs.iter().map(|pair| size(pair.left) + size(pair.right)).sum();
        let of_rights = || self.by_right.chunk_by(|one, next| one.0 == next.0);
        let placed = self.lefts.iter().map(|class| size(*class)).sum();
        let looked_up = of_rights().map(|of_right| size(of_right[0].0)).sum();
        if merged <= overlapping::cost(placed, looked_up) {
            let overlap = |pair: &ClassPair| Overlap::new(&set(pair.left), &set(pair.right)).shared;
            let shared = self.pairs.iter().map(overlap);
            return shared.map(|shared| u32::try_from(shared).unwrap_or(u32::MAX)).collect();
        }
        let sets: Vec<Cow<[u64]>> = self.lefts.iter().map(|class| set(*class)).collect();
        let batch = InvertedBatch::new(&sets);
        let (mut counts, mut shared) =
            ([0; overlapping::MAX_BATCH_SETS], vec![0; self.pairs.len()]);
        for of_right in of_rights() {
            batch.count(&set(of_right[0].0), &mut counts);
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
    fn a_tile_ends_where_a_batch_is_full() {
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
            assert_eq!(end_of_tile(&pairs(lefts, each), BATCH_RESIDUES, |_| size), end, "{why}");
        }
    }
}
