//! Joins passages and reworded sentences that are close together on both sides.
//!
//! Clusters are found by single linkage: two parts belong together if the words between them are few
//! enough on both sides, or if a chain of such parts connects them. No two clusters overlap on either
//! side, and none reaches over a break.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::gather::DisjointSets;
use super::pair::Pair;
use crate::interner::common_runs::Run;

/// The largest number of words, on either side, between two parts of a passage.
pub(super) const MAX_GAP: usize = 80;

/// A place in both texts: a range of words on each side.
pub(super) type Place = [Range<usize>; 2];

/// Parts that are one passage.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub(super) struct Cluster {
    /// The words from the first part to the last.
    pub(super) place: Place,
    /// The indices of its exact and edited passages, in increasing order.
    pub(super) passages: Vec<usize>,
    /// The words of its reworded sentences, in pairs. Each pair has a sentence that no pair before it
    /// has.
    pub(super) sentences: Vec<Place>,
    /// The aligned runs of these sentences.
    pub(super) runs: Vec<Run>,
}

/// Joins exact and edited passages, no two of which overlap on either side. A cluster that would contain
/// words of another passage falls apart.
pub(super) fn join(pair: &Pair, passages: &[Place]) -> Vec<Cluster> {
    let foreign = Foreign::new(passages);
    let mut joined = Vec::new();
    for group in linked(pair, passages, [MAX_GAP; 2]) {
        let place = extent(group.iter().map(|at| &passages[*at]));
        if foreign.are_all(&place, group.len()) {
            joined.push(Cluster { place, passages: group, ..Cluster::default() });
        } else {
            let alone = |at: usize| Cluster {
                place: passages[at].clone(),
                passages: vec![at],
                ..Cluster::default()
            };
            joined.extend(group.into_iter().map(alone));
        }
    }
    joined
}

/// Returns the range from the first of some places to the last on both sides; empty if there are none.
pub(super) fn extent<'p>(places: impl Iterator<Item = &'p Place>) -> Place {
    let whole = |one: Place, other: &Place| {
        [0, 1].map(|side: usize| {
            one[side].start.min(other[side].start)..one[side].end.max(other[side].end)
        })
    };
    places
        .fold(None, |all, place| Some(all.map_or_else(|| place.clone(), |all| whole(all, place))))
        .unwrap_or_default()
}

/// Returns the number of words between two ranges; 0 if they touch or overlap.
pub(super) fn distance(one: &Range<usize>, other: &Range<usize>) -> usize {
    one.start.saturating_sub(other.end).max(other.start.saturating_sub(one.end))
}

/// Groups places by single linkage: two are linked if at most `gaps[0]` words of left and `gaps[1]` words
/// of right are between them. Each group is in increasing order of its indices. The cost is that of comparing each place with those whose gap on the left is
/// small enough.
pub(super) fn linked(pair: &Pair, places: &[Place], gaps: [usize; 2]) -> Vec<Vec<usize>> {
    let mut order: Vec<usize> = (0..places.len()).collect();
    order.sort_unstable_by_key(|at| (places[*at][0].start, *at));
    let mut sets = DisjointSets::singletons(places.len());
    let mut before: Vec<usize> = Vec::new();
    for at in order {
        let place = &places[at];
        before.retain(|other| places[*other][0].end.saturating_add(gaps[0]) >= place[0].start);
        for other in &before {
            let are_near = distance(&place[1], &places[*other][1]) <= gaps[1];
            if are_near && are_unbroken(pair, place, &places[*other]) {
                sets.join(at, *other);
            }
        }
        before.push(at);
    }
    let mut groups: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for at in 0..places.len() {
        groups.entry(sets.root(at)).or_default().push(at);
    }
    groups.into_values().collect()
}

/// Reports whether no break lies between two places on either side.
pub(super) fn are_unbroken(pair: &Pair, one: &Place, other: &Place) -> bool {
    (0..2).all(|side| {
        let stretch = |place: &Place| pair.stretch(side, place[side].start).start;
        pair.breaks[side].is_empty() || stretch(one) == stretch(other)
    })
}

/// The places of all parts, disjoint on each side: a cluster must overlap no part but its own.
pub(super) struct Foreign([Vec<Range<usize>>; 2]);

impl Foreign {
    pub(super) fn new(places: &[Place]) -> Self {
        Self([0, 1].map(|side: usize| {
            let mut ranges: Vec<_> = places.iter().map(|place| place[side].clone()).collect();
            ranges.sort_unstable_by_key(|range| range.start);
            ranges
        }))
    }

    /// Reports whether exactly `count` of the places overlap a place on each side.
    pub(super) fn are_all(&self, place: &Place, count: usize) -> bool {
        self.0.iter().zip(place).all(|(ranges, range)| {
            let first = ranges.partition_point(|other| other.end <= range.start);
            ranges.partition_point(|other| other.start < range.end) - first == count
        })
    }
}

/// Clusters that do not overlap on either side.
#[derive(Default)]
pub(super) struct Apart {
    clusters: BTreeMap<usize, Cluster>,
    next: usize,
    /// For each side, the end and the number of the cluster that begins at a word.
    starts: [BTreeMap<usize, (usize, usize)>; 2],
}

impl Apart {
    /// Returns the numbers of the clusters that overlap a place on any side.
    pub(super) fn overlapping(&self, place: &Place) -> BTreeSet<usize> {
        let of_side = |side: usize| {
            let before = self.starts[side].range(..place[side].end).rev();
            before
                .take_while(move |(_, (end, _))| *end > place[side].start)
                .map(|(_, (_, number))| *number)
        };
        of_side(0).chain(of_side(1)).collect()
    }

    pub(super) fn get(&self, number: usize) -> &Cluster {
        &self.clusters[&number]
    }

    /// Adds a cluster, which must overlap none.
    pub(super) fn add(&mut self, cluster: Cluster) {
        for side in 0..2 {
            let range = &cluster.place[side];
            self.starts[side].insert(range.start, (range.end, self.next));
        }
        self.clusters.insert(self.next, cluster);
        self.next += 1;
    }

    pub(super) fn remove(&mut self, number: usize) {
        let cluster = self.clusters.remove(&number).unwrap_or_default();
        for side in 0..2 {
            self.starts[side].remove(&cluster.place[side].start);
        }
    }

    pub(super) fn into_clusters(self) -> Vec<Cluster> {
        self.clusters.into_values().collect()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::tests::{self, pair};
    use super::*;

    fn place(left: usize, right: usize, length: usize) -> Place {
        [left, right].map(|start| start..start + length)
    }

    #[test]
    fn passages_with_few_words_between_them_are_one() {
        let pair = pair(&tests::words("x1..2000"), &tests::words("y1..2000"));
        #[rustfmt::skip]
        let table: &[(&str, &[Place], &[&[usize]])] = &[
            ("nothing",                   &[],                                              &[]),
            ("one",                       &[place(0, 0, 20)],                               &[&[0]]),
            ("80 words between",          &[place(0, 0, 20), place(100, 100, 20)],          &[&[0, 1]]),
            ("81 on one side",            &[place(0, 0, 20), place(101, 100, 20)],          &[&[0], &[1]]),
            ("in another order",          &[place(0, 100, 20), place(100, 0, 20)],          &[&[0, 1]]),
            ("a chain",                   &[place(0, 0, 20), place(200, 200, 20), place(100, 100, 20)], &[&[0, 1, 2]]),
            ("with another one between",  &[place(0, 0, 20), place(60, 60, 20), place(30, 900, 20)], &[&[0], &[1], &[2]]),
        ];
        for (why, places, want) in table {
            let mut got: Vec<Vec<usize>> =
                join(&pair, places).into_iter().map(|it| it.passages).collect();
            got.sort();
            assert_eq!(got, *want, "{why}");
        }
    }

    proptest! {
        /// Against the definition: joins any two groups of which two places are near.
        #[test]
        fn places_are_linked_by_chains(
            places in proptest::collection::vec((0_usize..400, 0_usize..400, 1_usize..30), 0..24),
            gaps in [0_usize..60, 0_usize..200], breaks in proptest::collection::btree_set(1_usize..400, 0..4),
        ) {
            let mut pair = pair(&tests::words("x1..500"), &tests::words("y1..500"));
            pair.breaks[0] = breaks.into_iter().collect();
            let places: Vec<Place> =
                places.into_iter().map(|(left, right, length)| place(left, right, length)).collect();
            let mut want: Vec<Vec<usize>> = (0..places.len()).map(|at| vec![at]).collect();
            let are_near = |one: &usize, other: &usize| {
                let [one, other] = [&places[*one], &places[*other]];
                let is_near = |side: usize| {
                    one[side].start.max(other[side].start) <= one[side].end.min(other[side].end) + gaps[side]
                };
                let starts = [one, other].map(|it| it[0].start);
                is_near(0) && is_near(1)
                    && !pair.breaks[0].iter().any(|at| starts[0].min(starts[1]) < *at && *at <= starts[0].max(starts[1]))
            };
            while let Some((x, y)) = (0..want.len())
                .flat_map(|x| (0..x).map(move |y| (x, y)))
                .find(|(x, y)| want[*x].iter().any(|one| want[*y].iter().any(|other| are_near(one, other))))
            {
                let group = want.remove(x);
                want[y].extend(group);
            }
            for group in &mut want {
                group.sort_unstable();
            }
            want.sort();
            let mut got = linked(&pair, &places, gaps);
            got.sort();
            prop_assert_eq!(got, want);
        }
    }
}
