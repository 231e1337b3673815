//! Joins passages and reworded sentences that are close together on both sides.
//!
//! Clusters are found by single linkage: two parts belong together if the words between them are few
//! enough on both sides, or if a chain of such parts connects them. No two clusters overlap on either
//! side, and none reaches over a break.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::pair::Pair;
use crate::forest::Forest;
use crate::interner::common_runs::Run;
use crate::interner::place;

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
    let all = Apart::of(passages);
    let mut joined = Vec::new();
    for group in linked(pair, passages, [MAX_GAP; 2]) {
        let place = extent(group.iter().map(|at| &passages[*at]));
        if all.overlapping(&place).len() == group.len() {
            joined.push(Cluster { place, passages: group, ..Cluster::default() });
        } else {
            joined.extend(group.into_iter().map(|at| all.get(at).clone()));
        }
    }
    joined
}

/// Returns the range from the first of some places to the last on both sides; empty if there are none.
pub(super) fn extent<'p>(places: impl Iterator<Item = &'p Place>) -> Place {
    let whole = |one: Place, other: Place| {
        [0, 1].map(|side: usize| {
            one[side].start.min(other[side].start)..one[side].end.max(other[side].end)
        })
    };
    places.cloned().reduce(whole).unwrap_or_default()
}

/// Groups places by single linkage: two are linked if at most `gaps[0]` words of left and `gaps[1]` words
/// of right are between them. Each group is in increasing order of its indices.
///
/// The cost is that of sorting the places, and of reading for each one the [latest](Latest) ones near it
/// on the right.
pub(super) fn linked(pair: &Pair, places: &[Place], gaps: [usize; 2]) -> Vec<Vec<usize>> {
    let mut order: Vec<usize> = (0..places.len()).collect();
    order.sort_unstable_by_key(|at| (places[*at][0].start, *at));
    let mut sets = Forest::new(place(places.len()));
    // For each pair of stretches between breaks.
    let mut latest: BTreeMap<[usize; 2], Latest> = BTreeMap::new();
    for at in order {
        let [left, right] = &places[at];
        let latest = latest.entry(stretches(pair, &places[at])).or_default();
        let from = left.start.saturating_sub(gaps[0]);
        for other in latest.near(right, gaps[1], from) {
            sets.unite(place(at), place(other));
        }
        latest.add(right.clone(), (left.end, at));
    }
    let mut groups: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
    for at in 0..places.len() {
        groups.entry(sets.root(place(at))).or_default().push(at);
    }
    groups.into_values().collect()
}

/// For each word of the right text, the place there that ends last on the left, with that end: a later
/// place that is near any other one there is near this one as well, and these are linked already. So of
/// thousands of places with the same words of right, one is compared. The key is the first of several
/// words with one place, and the first number is the end of these.
#[derive(Default)]
struct Latest(BTreeMap<usize, (usize, (usize, usize))>);

impl Latest {
    /// Returns the places at most `gap` words from a range of words, and forgets those near it that end
    /// before the word `from` of left.
    fn near(&mut self, words: &Range<usize>, gap: usize, from: usize) -> Vec<usize> {
        let [first, last] = [words.start.saturating_sub(gap), words.end.saturating_add(gap)];
        let before = self.0.range(..=last).rev();
        let near: Vec<_> = before
            .take_while(|(_, (end, _))| *end >= first)
            .map(|(start, it)| (*start, it.1))
            .collect();
        for (start, _) in near.iter().filter(|(_, (end, _))| *end < from) {
            self.0.remove(start);
        }
        near.into_iter().filter(|(_, (end, _))| *end >= from).map(|(_, (_, at))| at).collect()
    }

    fn add(&mut self, words: Range<usize>, place: (usize, usize)) {
        let before = self.0.range(..words.end).rev();
        let overlapping: Vec<_> = before
            .take_while(|(_, (end, _))| *end > words.start)
            .map(|(start, it)| (*start, *it))
            .collect();
        // The last overlapping place comes first.
        let mut end = words.end;
        for (start, (other_end, other)) in overlapping {
            if other.0 >= place.0 {
                if other_end < end {
                    self.0.insert(other_end, (end, place));
                }
                end = start;
            } else {
                self.0.remove(&start);
                if start < words.start {
                    self.0.insert(start, (words.start, other));
                }
                if words.end < other_end {
                    self.0.insert(words.end, (other_end, other));
                }
            }
        }
        if words.start < end {
            self.0.insert(words.start, (end, place));
        }
    }
}

/// Returns the beginnings of the stretches between breaks that a place is in; 0 for a side without breaks.
fn stretches(pair: &Pair, place: &Place) -> [usize; 2] {
    [0, 1].map(|side: usize| {
        let is_broken = !pair.breaks[side].is_empty();
        if is_broken { pair.stretch(side, place[side].start).start } else { 0 }
    })
}

/// Reports whether no break lies between two places on either side.
pub(super) fn are_unbroken(pair: &Pair, one: &Place, other: &Place) -> bool {
    stretches(pair, one) == stretches(pair, other)
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
    /// Returns a cluster for each of some places, which have its number as their passage.
    pub(super) fn of(places: &[Place]) -> Self {
        let mut apart = Self::default();
        for (at, place) in places.iter().enumerate() {
            apart.add(Cluster { place: place.clone(), passages: vec![at], ..Cluster::default() });
        }
        apart
    }

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
