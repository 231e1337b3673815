//! Tests of the limit on the number of pairs.

use super::*;

/// Returns the largest number of pairs allowed.
fn too_many(error: JoinError) -> usize {
    match error {
        JoinError::TooManyPairs { max_pairs } => max_pairs,
        JoinError::TempFile(error) => panic!("{error}"),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn there_is_room_for_as_many_pairs_of_classes_as_there_are(
        texts in texts(40), condition in condition(), sizes in 1_usize..3, count in 1_usize..4,
        memory in memory(),
    ) {
        let texts = if sizes == 1 { of_one_size(texts) } else { texts };
        let collection = within(memory, &texts, sizes);
        let joined = join(&collection, &condition, threads(count)).unwrap();
        let links = joined.links.len();
        let at_most = |max_pairs| {
            let watch = Watch { threads: threads(count), advance: &Advance::default() };
            join_limited(&texts, &collection, &condition, max_pairs, watch)
                .map(|joined| joined.pairs().collect::<Vec<_>>())
                .map_err(too_many)
        };
        prop_assert_eq!(at_most(links), Ok(joined.pairs().collect()));
        if let Some(max_pairs) = links.checked_sub(1) {
            prop_assert_eq!(at_most(max_pairs), Err(max_pairs));
            prop_assert_eq!(at_most(0), Err(0));
        }
        if texts.iter().all(|text| text.place == Place::default()) {
            prop_assert!(links <= joined.pairs().count(), "a pair of classes has one of texts");
        }
    }
}

/// Pairs of a limit that every pair reaches are only generated, so none of them is counted.
#[test]
fn no_pair_is_counted_if_every_pair_reaches_a_limit() {
    let text = |number: u64| Made { all: vec![number], longest: vec![number], ..Made::default() };
    let texts = [1, 2, 3, 4].map(text);
    let collection = collection(&texts, 1);
    for (why, condition) in [
        ("Jaccard", Condition { jaccard: limit("0"), ..Condition::default() }),
        ("all bits", Condition { hamming: Some(64), ..Condition::default() }),
    ] {
        let watch = Watch { threads: threads(1), advance: &Advance::default() };
        let joined = join_limited(&texts, &collection, &condition, 0, watch).unwrap();
        assert_eq!(joined.pairs().count(), 6, "{why}");
    }
}

/// All sets are different, and every two reach both limits: the search by sets and the search by
/// fingerprints each stop on their own.
#[test]
fn a_search_stops_soon_after_the_last_pair_within_the_limit() {
    let text = |number: u64| Made {
        all: (0..40).chain([100 + number]).collect(),
        longest: (0..40).chain([100 + number]).collect(),
        ..Made::default()
    };
    let texts: Vec<Made> = (0..60).map(text).collect();
    let collection = collection(&texts, 1);
    let of_sets = Condition { jaccard: limit("0.5"), ..Condition::default() };
    for (why, condition) in [
        ("sets", of_sets),
        ("blocks of fingerprints", Condition { hamming: Some(2), ..Condition::default() }),
        ("all fingerprints", Condition { hamming: Some(8), ..Condition::default() }),
    ] {
        let all = 60 * 59 / 2;
        let of = |max_pairs| {
            let classes = Classes::new(&collection);
            let (limit_of_pairs, advance) = (PairLimit::new(max_pairs), Advance::default());
            let (watch, limit) =
                (Watch { threads: threads(1), advance: &advance }, &limit_of_pairs);
            match condition.hamming {
                None => {
                    let bound = Bound { jaccard: condition.jaccard, containment: None };
                    overlapping::pairs(&collection.all, &classes, bound, |_| true, watch, limit)
                }
                Some(bits) => {
                    fingerprints::pairs(&collection, &classes, bits, |_| true, watch, limit)
                }
            }
            .map(|found| (found.len(), limit_of_pairs.is_short()))
            .map_err(too_many)
        };
        assert_eq!(of(all), Ok((all, false)), "{why}");
        assert_eq!(of(all - 1), Err(all - 1), "{why}");
        assert_eq!(of(3), Err(3), "{why}");
    }
}
