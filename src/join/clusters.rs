//! Pairs → clusters: what hangs together, and the links that hold it.

use super::collection::{Collection, Place, Side};
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
        let mut forest = Forest::new(self.collection);
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
        forest: &mut Forest,
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

/// What is known of each class.
struct Ties {
    /// Whether all of its texts hang together already, so that the envoys speak for it.
    settled: Vec<bool>,
    envoys: Vec<Vec<u32>>,
}

/// What hangs together so far: a union-find, each tree under its first text.
struct Forest<'a> {
    collection: &'a Collection,
    parents: Vec<u32>,
    links: Vec<Pair>,
}

impl<'a> Forest<'a> {
    fn new(collection: &'a Collection) -> Self {
        let texts = u32::try_from(collection.len()).unwrap_or(u32::MAX);
        Self { collection, parents: (0..texts).collect(), links: Vec::new() }
    }

    /// The first text of a tree, halving the way there.
    fn root(&mut self, mut text: u32) -> u32 {
        while self.parents[text as usize] != text {
            let above = self.parents[text as usize];
            self.parents[text as usize] = self.parents[above as usize];
            text = above;
        }
        text
    }

    fn is_one_tree(&mut self, texts: &[u32]) -> bool {
        texts.windows(2).all(|two| self.root(two[0]) == self.root(two[1]))
    }

    /// Links each text with each of others that it faces, where they are still apart.
    fn link(&mut self, texts: &[u32], others: &[u32], shared: impl Fn(u32, u32) -> (u32, u32)) {
        for text in texts {
            for other in others {
                let (a, b) = (*text.min(other), *text.max(other));
                let faces = self.collection.place(a).faces(self.collection.place(b));
                let (root, below) = (self.root(a), self.root(b));
                if faces && root != below {
                    self.parents[root.max(below) as usize] = root.min(below);
                    self.links.push(Pair::new(self.collection, a, b, shared(a, b)));
                }
            }
        }
    }

    /// The trees of two texts or more.
    fn clusters(mut self) -> Vec<Cluster> {
        let texts = 0..u32::try_from(self.parents.len()).unwrap_or(u32::MAX);
        let roots: Vec<u32> = texts.clone().map(|text| self.root(text)).collect();
        let mut clusters: Vec<Cluster> = Vec::new();
        let mut cluster_of = vec![usize::MAX; roots.len()];
        for (text, root) in texts.zip(&roots).filter(|(text, root)| text != *root) {
            let cluster = &mut cluster_of[*root as usize];
            if *cluster == usize::MAX {
                *cluster = clusters.len();
                clusters.push(Cluster { members: vec![*root], links: Vec::new() });
            }
            clusters[*cluster].members.push(text);
        }
        self.links.sort_unstable_by_key(|pair| (pair.a, pair.b));
        for pair in self.links {
            let cluster = cluster_of[roots[pair.a as usize] as usize];
            clusters[cluster].links.push(pair);
        }
        clusters.sort_unstable_by_key(|cluster| cluster.members[0]);
        clusters
    }
}
