//! Pairs → clusters: clusters, and the links that hold it.

use std::borrow::Cow;
use std::num::NonZeroUsize;

use super::collection::{Classes, Collection, Place, Side};
use super::overlapping::{self, InvertedBatch};
use super::sets::Sets;
use super::{ClassPair, Joined, Link, Pair};
use crate::jaccard::Overlap;
use crate::parallel::{self, Advance};

/// Texts of which each is paired with another of them: a connected component.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Cluster {
    /// Its texts, two or more, increasing.
    pub members: Vec<u32>,
    /// Pairs that hold it together, one fewer than there are members, by a and then by b:
    /// none could be left out. They are as close as can be, by the Jaccard index, as far as
    /// classes go: first come those of equal sets.
    pub links: Vec<Pair>,
}

/// Texts that stand for a class on each side, each of another group.
///
/// Linking every text of either class with the representatives of the other leaves none apart that
/// some links would join. A text that faces any of a class faces a representative of it. Where one
/// class has a text of neither group of the other's two representatives, it joins those, and with
/// them all of its own class; where neither has, there is a representative of every group.
pub(super) const REPRESENTATIVES: usize = 2;

impl Joined<'_> {
    /// The clusters, by their first texts: single texts are none. Costs no more for many
    /// texts with equal sets than for as many single ones.
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

    /// The links, those with the highest Jaccard index first.
    fn closest_first(&self) -> Vec<&Link> {
        let size = |class| u64::from(self.collection.all.size(self.classes.first(class)));
        let shared_and_union = |link: &Link| {
            let shared = u64::from(link.all);
            (shared, size(link.classes.left) + size(link.classes.right) - shared)
        };
        let product = |shared: u64, union: u64| u128::from(shared) * u128::from(union);
        let mut links: Vec<&Link> = self.links.iter().collect();
        links.sort_by(|one, other| {
            let (one, other) = (shared_and_union(one), shared_and_union(other));
            product(other.0, one.1).cmp(&product(one.0, other.1))
        });
        links
    }

    /// Links the texts of two classes, or of one, as far as they face each other.
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

    /// The first members of two groups, as far as there are, on each side.
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

/// The clusters of pairs of texts of a collection, in any order: for conditions that its sets do
/// not decide.
///
/// # Panics
///
/// Where a pair names a text that is not there.
pub fn clusters_of(collection: &Collection, mut pairs: Vec<Pair>) -> Vec<Cluster> {
    let product = |shared: usize, union: usize| shared as u128 * union as u128;
    pairs.sort_by(|one, other| {
        let [one_all, other_all] = [one.all, other.all];
        product(other_all.shared, one_all.union())
            .cmp(&product(one_all.shared, other_all.union()))
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

/// What is known of each class.
struct Ties {
    /// Whether all of its texts belong together already, so that the representatives speak for it.
    settled: Vec<bool>,
    representatives: Vec<Vec<u32>>,
}

/// What belongs together so far, and by which links.
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

    /// Links each text with each of others that it faces, where they are still apart.
    fn link(&mut self, texts: &[u32], others: &[u32], shared: impl Fn(u32, u32) -> (u32, u32)) {
        for text in texts {
            for other in others {
                let (a, b) = (*text.min(other), *text.max(other));
                let faces = self.collection.place(a).faces(self.collection.place(b));
                if faces && self.forest.unite(a, b) {
                    self.links.push(Pair::new(self.collection, a, b, shared(a, b)));
                }
            }
        }
    }

    /// The trees of two texts or more.
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

// What belongs together: a union-find.

/// Trees of numbers, each under its first.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Forest {
    parents: Vec<u32>,
}

impl Forest {
    /// The numbers below `numbers`, each in a set of its own.
    pub fn new(numbers: u32) -> Self {
        Self { parents: (0..numbers).collect() }
    }

    /// The first number of a tree, halving the way there.
    ///
    /// # Panics
    ///
    /// Where there is no such number.
    pub fn root(&mut self, mut number: u32) -> u32 {
        while self.parents[number as usize] != number {
            let above = self.parents[number as usize];
            self.parents[number as usize] = self.parents[above as usize];
            number = above;
        }
        number
    }

    /// Makes the trees of two numbers one; false where they are one already.
    ///
    /// # Panics
    ///
    /// Where there is no such number.
    pub fn unite(&mut self, one: u32, other: u32) -> bool {
        let (one, other) = (self.root(one), self.root(other));
        self.parents[one.max(other) as usize] = one.min(other);
        one != other
    }

    /// The trees of two numbers or more, increasing, by their first.
    pub fn trees(&mut self) -> Vec<Vec<u32>> {
        let numbers = 0..u32::try_from(self.parents.len()).unwrap_or(u32::MAX);
        let mut trees: Vec<Vec<u32>> = Vec::new();
        let mut tree_of = vec![usize::MAX; self.parents.len()];
        for number in numbers {
            let root = self.root(number);
            if root == number {
                continue;
            }
            let tree = &mut tree_of[root as usize];
            if *tree == usize::MAX {
                *tree = trees.len();
                trees.push(vec![root]);
            }
            trees[*tree].push(number);
        }
        trees.sort_unstable_by_key(|tree| tree[0]);
        trees
    }
}

// How much the pairs of classes share that were found.

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
    parallel::each(threads, tiles, || (), of_tile).concat()
}

/// How many of the first pairs are a tile: as many as a batch can hold the left classes of, and at
/// least one.
fn end_of_tile(pairs: &[ClassPair], size: impl Fn(u32) -> u32) -> usize {
    let mut remaining = overlapping::BATCH_RESIDUES;
    let mut end = 0;
    let of_lefts = pairs.chunk_by(|one, next| one.left == next.left);
    for of_left in of_lefts.take(overlapping::MOST) {
        let size = size(of_left[0].left);
        if remaining < size || end >= TILE {
            break;
        }
        remaining -= size;
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

    /// How many residues the sets of each pair share: [counted](InvertedBatch), where that takes less than
    /// to merge them.
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
        let (mut counts, mut shared) = ([0; overlapping::MOST], vec![0; self.pairs.len()]);
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
    fn trees_are_recognized_by_their_first() {
        let mut forest = Forest::new(6);
        let united = [(4, 5), (1, 3), (3, 0), (0, 1), (5, 4)].map(|(a, b)| forest.unite(a, b));
        assert_eq!(united, [true, true, true, false, false]);
        assert_eq!(forest.trees(), [vec![0, 1, 3], vec![4, 5]]);
        assert_eq!(Forest::new(0).trees(), Vec::<Vec<u32>>::new());
    }
}

#[cfg(test)]
mod links_tests {
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
            assert_eq!(end_of_tile(&pairs(lefts, each), |_| size), end, "{why}");
        }
    }
}
