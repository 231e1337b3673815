//! Compares the kept texts with the definition applied to all pairs.

use super::*;

/// Returns, by definition, for each text in the given order the first of the texts kept before it
/// with which it is paired.
fn plainly(texts: usize, pairs: &[Pair], order: &[u32]) -> Vec<Option<u32>> {
    let mut kept: Vec<u32> = Vec::new();
    let mut removed = vec![None; texts];
    for text in order {
        let is_pair = |other: &u32| {
            let wanted = (*text.min(other), *text.max(other));
            pairs.iter().any(|pair| (pair.a, pair.b) == wanted)
        };
        match kept.iter().copied().find(|it| is_pair(it)) {
            Some(partner) => removed[*text as usize] = Some(partner),
            None => kept.push(*text),
        }
    }
    removed
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn each_removed_text_has_a_kept_partner(
        texts in varied_texts(40), condition in condition(), one_size in any::<bool>(), seed in any::<u64>(),
    ) {
        let (texts, sizes) = if one_size { (of_one_size(texts), 1) } else { (texts, 3) };
        let pairs = plain(&texts, &condition);
        let mut order: Vec<u32> = (0_u32..).take(texts.len()).collect();
        order.sort_by_key(|text| (u64::from(*text) + 1).wrapping_mul(seed | 1).rotate_left(17));
        let collection = collection(&texts, sizes);
        let joined = join_texts(&texts, &collection, &condition, threads(1)).unwrap();
        let removed = joined.removed(&order);
        prop_assert_eq!(&removed, &plainly(texts.len(), &pairs, &order));
        let numbered: Vec<(u32, u32)> = pairs.iter().map(|pair| (pair.b, pair.a)).collect();
        prop_assert_eq!(&removed_by_pairs(&numbered, &order), &removed);
        for (text, partner) in (0..).zip(&removed) {
            let Some(partner) = *partner else { continue };
            let wanted = (partner.min(text), partner.max(text));
            prop_assert!(pairs.iter().any(|pair| (pair.a, pair.b) == wanted), "within the limit");
            prop_assert_eq!(removed[partner as usize], None, "the partner is kept");
        }
        let is_old = |text: &u32| texts[*text as usize].place.side == Side::Old;
        for text in (0..).take(texts.len()) {
            let mut old: Vec<u32> = joined.old_partners(text).collect();
            old.sort_unstable();
            let own = pairs.iter().filter(|pair| pair.a == text || pair.b == text);
            let mut want: Vec<u32> = own.map(|pair| pair.a + pair.b - text).filter(is_old).collect();
            want.sort_unstable();
            prop_assert_eq!(old, want, "old partners of {}", text);
        }
        let linked: usize =
            joined.clusters().iter().map(|cluster| cluster.members.len() - 1).sum();
        prop_assert!(removed.iter().flatten().count() <= linked);
    }
}

/// Three equal texts of one group are kept. A new text of another group is compared with the old
/// one of them only.
#[test]
fn a_text_is_removed_for_the_only_equal_one_that_it_is_compared_with() {
    let mut collection = Collection::new(Ngrams::default());
    for (group, side) in [(0, Side::New), (0, Side::New), (0, Side::Old), (1, Side::New)] {
        collection.push_number(7, Place { group: Some(group), side });
    }
    let condition = Condition { jaccard: limit("1"), ..Condition::default() };
    let joined = join(&collection, &condition, threads(1)).unwrap();
    assert_eq!(joined.removed(&[0, 1, 2, 3]), [None, None, None, Some(2)]);
}

/// A is similar to B and B to C, but A is not similar to C: a chain.
#[test]
fn a_chain_removes_no_more_than_is_paired() {
    let pairs = [(0, 1), (1, 2)];
    #[rustfmt::skip]
    let table: [(&str, [u32; 3], [Option<u32>; 3]); 4] = [
        ("an end first",      [0, 1, 2], [None, Some(0), None]),
        ("the other end",     [2, 1, 0], [None, Some(2), None]),
        ("the middle first",  [1, 0, 2], [Some(1), None, Some(1)]),
        ("both ends first",   [0, 2, 1], [None, Some(0), None]),
    ];
    for (why, order, want) in table {
        assert_eq!(removed_by_pairs(&pairs, &order), want, "{why}");
    }
    assert_eq!(removed_by_pairs(&[(0, 0)], &[0]), [None], "with itself");
}
