use super::*;
use Label::{No, Yes};

/// Returns all pairs of texts, given by their groups; pairs within a group are labelled yes.
fn complete(groups: &[u32]) -> Vec<LabelledTexts> {
    let all = || (0_u32..).zip(groups);
    all()
        .flat_map(|(a, one)| {
            all()
                .filter(move |(b, _)| a < *b)
                .map(move |(b, other)| ([a, b], if one == other { Yes } else { No }))
        })
        .collect()
}

/// Returns `count` pairs of a label that have no text in common, with texts numbered from `from`.
fn apart(from: u32, count: u32, label: Label) -> Vec<LabelledTexts> {
    (0..count).map(|pair| ([from + 2 * pair, from + 2 * pair + 1], label)).collect()
}

/// Returns the numbers of pairs labelled yes and no in each half, and the number of pairs across.
fn counted(texts: usize, pairs: &[LabelledTexts]) -> Option<([[usize; 2]; 2], usize)> {
    let split = split(texts, pairs)?;
    let mut counts = ([[0; 2]; 2], 0);
    for (texts, label) in pairs {
        match split.half(*texts) {
            Some(half) => counts.0[half][usize::from(*label == No)] += 1,
            None => counts.1 += 1,
        }
    }
    Some(counts)
}

#[test]
fn as_much_as_can_be_is_kept_together() {
    let both = |yes, no| [apart(0, yes, Yes), apart(2 * yes, no, No)].concat();
    #[rustfmt::skip]
    let table: &[(&str, usize, Vec<LabelledTexts>, Option<([[usize; 2]; 2], usize)>)] = &[
        ("nothing",              0,  vec![],                     None),
        ("one pair",             2,  apart(0, 1, Yes),           None),
        ("one of each label",    4,  both(1, 1),                 None),
        ("two of each",          8,  both(2, 2),                 Some(([[1, 1], [1, 1]], 0))),
        ("an odd number",        14, both(3, 4),                 Some(([[2, 2], [1, 2]], 0))),
        // Each half has two of four couples: six pairs, two of them labelled yes.
        ("four couples, all with all", 8, complete(&[0, 0, 1, 1, 2, 2, 3, 3]), Some(([[2, 4], [2, 4]], 16))),
        // Only the eight texts that are in a pair are split.
        ("texts in no pair",     100, both(2, 2),                Some(([[1, 1], [1, 1]], 0))),
    ];
    for (why, texts, pairs, want) in table {
        assert_eq!(counted(*texts, pairs), *want, "{why}");
    }
}

/// A chain of pairs labelled yes through all texts: both ways of keeping texts together leave no
/// halves.
#[test]
fn texts_that_are_all_connected_are_split_one_by_one() {
    let texts = 40;
    let mut pairs: Vec<LabelledTexts> = Vec::new();
    for a in 0..texts {
        for b in a + 1..texts {
            pairs.push(([a, b], if b == a + 1 { Yes } else { No }));
        }
    }
    let ([first, second], across) = counted(40, &pairs).unwrap();
    // Twenty texts in each half: 190 pairs in each.
    assert_eq!([first.iter().sum::<usize>(), second.iter().sum()], [190, 190]);
    assert_eq!(across, 780 - 380);
    assert!(first[0] > 0 && second[0] > 0);
}

#[test]
fn the_order_and_the_sides_of_pairs_do_not_matter() {
    let mut pairs = complete(&[0, 0, 1, 1, 2, 2, 2, 3, 3]);
    let want = split(9, &pairs);
    pairs.reverse();
    for (texts, _) in &mut pairs {
        texts.reverse();
    }
    assert_eq!(split(9, &pairs), want);
}
