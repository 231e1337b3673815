//! Clusters found while redundant pairs are dropped, compared with the clusters of all pairs.

use proptest::prelude::*;

use super::*;

fn made((a, b, shared): (u8, u8, u64), hamming: u32) -> ListedPair {
    let [a, b] = [a, b].map(|name| format!("t{name}"));
    let link = LinkRecord {
        a,
        b,
        verdict: "partial",
        hamming,
        jaccard: None,
        containment_a: None,
        containment_b: None,
    };
    ListedPair { shared, union: 12, verdict: Verdict::Partial, is_accepted: false, link }
}

/// The definition: takes the closest pairs first, and keeps each that joins two clusters.
fn plain(mut pairs: Vec<ListedPair>) -> Vec<(Vec<String>, Vec<u32>)> {
    pairs.sort_by_key(|pair| {
        (std::cmp::Reverse(pair.shared), pair.link.a.clone(), pair.link.b.clone())
    });
    let mut clusters: Vec<(BTreeSet<String>, Vec<LinkRecord>)> = Vec::new();
    for pair in pairs {
        let of = |clusters: &[(BTreeSet<String>, _)], name: &String| {
            clusters.iter().position(|(members, _)| members.contains(name))
        };
        let mut take = |name: &String| {
            let known = of(&clusters, name).map(|at| clusters.swap_remove(at));
            known.unwrap_or_else(|| (BTreeSet::from([name.clone()]), Vec::new()))
        };
        let (mut one, mut links) = take(&pair.link.a);
        if !one.contains(&pair.link.b) {
            let (other, more) = take(&pair.link.b);
            one.extend(other);
            links.extend(more);
            links.push(pair.link);
        }
        clusters.push((one, links));
    }
    clusters.retain(|(members, _)| members.len() > 1);
    clusters.sort_by(|one, other| one.0.cmp(&other.0));
    let sorted = |(members, mut links): (BTreeSet<String>, Vec<LinkRecord>)| {
        links.sort_by(|one, other| one.names().cmp(&other.names()));
        (members.into_iter().collect(), links.iter().map(|link| link.hamming).collect())
    };
    clusters.into_iter().map(sorted).collect()
}

proptest! {
    /// The pairs include duplicates, swapped ones, equally close ones, and pairs of a text with
    /// itself; `hamming` serves as the number of each pair.
    #[test]
    fn pairs_that_are_dropped_link_no_cluster(
        pairs in proptest::collection::vec((0_u8..9, 0_u8..9, 10_u64..13), 0..60),
    ) {
        let made = || pairs.iter().zip(0..).map(|(pair, number)| made(*pair, number));
        let mut held = ClusterPairs::default();
        for pair in made() {
            held.add(pair).unwrap();
            prop_assert!(held.pairs.len() < MAX_PAIRS_IN_MEMORY.max(2 * 8), "a forest of nine has eight links");
        }
        let found = found(held).unwrap();
        let numbers = |cluster: &ClusterRecord| {
            (cluster.members.clone(), cluster.links.iter().map(|link| link.hamming).collect())
        };
        let numbers_of: Vec<(Vec<String>, Vec<u32>)> = found.iter().map(numbers).collect();
        prop_assert_eq!(numbers_of, plain(made().collect()));
    }
}
