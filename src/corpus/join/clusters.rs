//! Pairs → clusters: what hangs together, and the links that hold it.

use super::collection::{Collection, Place, Side};
use super::forest::Forest;
use super::{Joined, Link, Pair};

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
/// Linking every text of either class with the envoys of the other leaves none apart that
/// some links would join. A text that faces any of a class faces an envoy of it. Where one
/// class has a text of neither group of the other's two envoys, it joins those, and with
/// them all of its own class; where neither has, there is an envoy of every group.
const ENVOYS: usize = 2;

impl Joined<'_> {
    /// The clusters, by their first texts: single texts are none. Costs no more for many
    /// texts with equal sets than for as many single ones.
    pub fn clusters(&self) -> Vec<Cluster> {
        let mut forest = Linked::new(self.collection);
        let members = self.classes.numbers().map(|class| self.classes.members(class));
        let mut ties = Ties {
            settled: members.clone().map(|members| members.len() == 1).collect(),
            envoys: members.map(|members| self.envoys(members)).collect(),
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
        forest.link(&open, &self.envoys(&open), |a, b| self.collection.shared(a, b));
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
            let own = &ties.envoys[class as usize];
            let is_settled = ties.settled[class as usize];
            let members = if is_settled { own } else { self.classes.members(class) };
            forest.link(members, &ties.envoys[other as usize], &shared);
        }
        for class in [left, right] {
            let is_settled = &mut ties.settled[class as usize];
            *is_settled = *is_settled || forest.is_one_tree(self.classes.members(class));
        }
    }

    /// The first members of two groups, as far as there are, on each side.
    fn envoys(&self, members: &[u32]) -> Vec<u32> {
        let mut envoys = Vec::new();
        for side in Side::ALL {
            let mut places: Vec<Place> = Vec::new();
            for text in members {
                let place = self.collection.place(*text);
                let is_other = place.group.is_none() || !places.contains(&place);
                if place.side == side && places.len() < ENVOYS && is_other {
                    places.push(place);
                    envoys.push(*text);
                }
            }
        }
        envoys
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
    /// Whether all of its texts hang together already, so that the envoys speak for it.
    settled: Vec<bool>,
    envoys: Vec<Vec<u32>>,
}

/// What hangs together so far, and by which links.
struct Linked<'a> {
    collection: &'a Collection,
    forest: Forest,
    links: Vec<Pair>,
}

impl<'a> Linked<'a> {
    fn new(collection: &'a Collection) -> Self {
        let texts = u32::try_from(collection.len()).unwrap_or(u32::MAX);
        Self { collection, forest: Forest::of(texts), links: Vec::new() }
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
