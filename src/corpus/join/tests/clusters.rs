//! Compares clusters with the connected components of all pairs.

use std::cmp::Reverse;

use super::*;

/// Returns the components of some pairs, and a spanning forest of pairs, added in the given order.
fn components(texts: usize, pairs: &[Pair]) -> (Vec<Vec<u32>>, Vec<Pair>) {
    let mut component: Vec<usize> = (0..texts).collect();
    let mut forest = Vec::new();
    for pair in pairs {
        let (a, b) = (component[pair.a as usize], component[pair.b as usize]);
        if a != b {
            component.iter_mut().filter(|it| **it == b).for_each(|it| *it = a);
            forest.push(*pair);
        }
    }
    let mut components = vec![Vec::new(); texts];
    (0..).zip(&component).for_each(|(text, at)| components[*at].push(text));
    components.retain(|members| members.len() > 1);
    components.sort_unstable();
    (components, forest)
}

/// Returns Jaccard indices, highest first, as numerators over one common denominator.
fn indices<'a>(pairs: impl IntoIterator<Item = &'a Pair>) -> Vec<u64> {
    let common: u64 = 232_792_560; // the least common multiple of 1 to 20
    let of = |pair: &Pair| {
        let share = pair.all.jaccard().unwrap();
        (share.shared() as u64 * common * 100_000) / share.total() as u64
    };
    let mut indices: Vec<u64> = pairs.into_iter().map(of).collect();
    indices.sort_unstable_by_key(|index| Reverse(*index));
    indices
}

/// Four texts have the same set, and are linked by a fifth that shares most of it. The last text
/// shares less, and is compared with the second old one of the four only, because of its group.
#[test]
fn the_second_old_text_of_a_class_links_a_text() {
    let place = |group, side| Place { group: Some(group), side };
    let all = [
        (10, place(0, Side::New)),
        (10, place(0, Side::Any)),
        (10, place(0, Side::Old)),
        (10, place(1, Side::Old)),
        (12, place(2, Side::Any)),
        (6, place(0, Side::New)),
    ];
    let texts = all.map(|(size, place)| {
        let all: Vec<u64> = (1..=size).collect();
        Made { longest: all.clone(), all, place, ..Made::default() }
    });
    // The last text has 6/10 of the first ones, and half of the fifth.
    let condition = Condition { jaccard: limit("0.55"), ..Condition::default() };
    let collection = collection(&texts, 1);
    let clusters = join(&collection, &condition, threads(1)).unwrap().clusters();
    let members: Vec<_> = clusters.into_iter().map(|cluster| cluster.members).collect();
    assert_eq!(members, [[0, 1, 2, 3, 4, 5]]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn clusters_are_the_components_and_links_hold_them(
        texts in varied_texts(40), condition in condition(), sizes in 1_usize..3, count in 1_usize..4,
    ) {
        let texts = if sizes == 1 { of_one_size(texts) } else { texts };
        let mut pairs = plain(&texts, &condition);
        let collection = collection(&texts, sizes);
        let clusters = join_texts(&texts, &collection, &condition, threads(count)).unwrap().clusters();
        let links = || clusters.iter().flat_map(|cluster| &cluster.links);
        for cluster in &clusters {
            let within = components(texts.len(), &cluster.links).0;
            prop_assert_eq!(&within, std::slice::from_ref(&cluster.members), "links hold");
            prop_assert_eq!(cluster.links.len() + 1, cluster.members.len(), "none is idle");
            prop_assert!(cluster.links.is_sorted_by_key(|pair| (pair.a, pair.b)));
        }
        for link in links() {
            prop_assert!(pairs.contains(link), "{link:?}");
        }
        let of_pairs = clusters_of(&collection, pairs.clone());
        pairs.sort_by_key(|pair| Reverse(indices([pair])));
        let (want, forest) = components(texts.len(), &pairs);
        let members: Vec<_> = clusters.iter().map(|cluster| cluster.members.clone()).collect();
        prop_assert_eq!(&members, &want);
        let members: Vec<_> = of_pairs.iter().map(|cluster| cluster.members.clone()).collect();
        prop_assert_eq!(members, want);
        let of_pairs = of_pairs.iter().flat_map(|cluster| &cluster.links);
        prop_assert_eq!(indices(of_pairs), indices(&forest), "of pairs, as close as can be");
        let has_open = condition.hamming == Some(64)
            || condition.jaccard.is_some_and(Limit::is_zero);
        if !has_open {
            prop_assert_eq!(indices(links()), indices(&forest), "as close as can be");
        }
    }
}
