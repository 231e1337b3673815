//! Compares the nearest texts with those found by comparing all.

use std::cmp::Ordering;

use super::*;

/// Returns the nearest texts of a text, by definition.
fn plain_nearest(text: u32, pairs: &[Pair], max_neighbours: usize) -> Vec<Pair> {
    let mut own: Vec<Pair> =
        pairs.iter().filter(|pair| pair.a == text || pair.b == text).copied().collect();
    own.retain(|pair| pair.all.shared > 0);
    let nearer = |one: &Pair, other: &Pair| -> Ordering {
        let (one_union, other_union) = (one.all.union(), other.all.union());
        let other_text = |pair: &Pair| pair.a + pair.b - text;
        (other.all.shared * one_union)
            .cmp(&(one.all.shared * other_union))
            .then(other_text(one).cmp(&other_text(other)))
    };
    own.sort_by(nearer);
    own.truncate(max_neighbours);
    own
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn the_nearest_are_those_of_all(
        texts in texts(40), max_neighbours in 1_usize..6, sizes in 1_usize..3, count in 1_usize..4,
        memory in memory(),
    ) {
        let texts = if sizes == 1 { of_one_size(texts) } else { texts };
        let every = Condition { jaccard: Some(Limit::NONE), ..Condition::default() };
        let pairs = plain(&texts, &every);
        let collection = within(memory, &texts, sizes);
        let max_neighbours = NonZeroUsize::new(max_neighbours).unwrap();
        let advance = Advance::default();
        let found =
            nearest_watched(&collection, max_neighbours, threads(count), &advance).unwrap();
        prop_assert_eq!(found.len(), texts.len());
        for (text, found) in (0..).zip(&found) {
            prop_assert_eq!(found, &plain_nearest(text, &pairs, max_neighbours.get()), "of {}", text);
        }
    }
}
