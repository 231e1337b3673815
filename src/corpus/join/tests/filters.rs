//! Tests of what the filters sort, count and demand, by definition. They affect only the cost of a
//! join, not its result.

use std::ops::Range;
use std::path::PathBuf;

use super::*;
use crate::corpus::join::sets::TempFile;
use crate::corpus::join::tokens::{self, Partitions, Ranked};

#[test]
fn a_residue_has_a_column_by_its_top_bits_and_a_place_by_the_next() {
    let residue = 0x1234_5678_9abc_def0;
    #[rustfmt::skip]
    let table = [
        ("one column",           0,  32, 0,     0x1234_5678),
        ("sixteen",              4,  8,  0x1,   0x23),
        ("as many as there are", 12, 4,  0x123, 0x4),
        ("a place for one bit",  3,  1,  0,     1),
    ];
    for (why, bits, slot_bits, column, slot) in table {
        assert_eq!(tokens::column_of(residue, bits), column, "{why}");
        assert_eq!(tokens::slot(residue, bits, slot_bits), slot, "{why}");
    }
    assert_eq!(tokens::column_of(u64::MAX, 1), 1);
    assert_eq!(overlapping::low(tokens::Token::new(2, residue)), 0x789a_bcde);
}

#[test]
fn columns_are_as_many_as_have_about_their_size() {
    let bits = [0, 31, 32, 63, 64, 127, 128, 32 << 11, 32 << 12, usize::MAX];
    assert_eq!(bits.map(|residues| tokens::bits(residues, 32)), [0, 0, 1, 1, 2, 2, 3, 12, 12, 12]);
}

#[test]
fn rows_are_dealt_by_stretch_in_their_order() {
    assert_eq!([0, 1, 16, 17, 32, 33].map(tokens::stretch), [1, 1, 1, 2, 2, 3]);
    let top = 1 << 63;
    let rows: Vec<Vec<u64>> = (0..17).map(|row| vec![row, top | row]).collect();
    let give = |stretch: Range<usize>, partitions: &mut Partitions<(usize, u64)>| {
        for (row, it) in stretch.flat_map(|row| rows[row].iter().map(move |it| (row, it))) {
            partitions.give(*it, (row, *it));
        }
    };
    let want = |bit: u64| -> Vec<Vec<(usize, u64)>> {
        (0..9)
            .map(|at| (2 * at..17.min(2 * at + 2)).map(|row| (row, bit | row as u64)).collect())
            .collect()
    };
    for count in [1, 3] {
        let partitioned = tokens::partition(rows.len(), (1, 0..2, 34), threads(count), give);
        assert_eq!(partitioned, [want(0), want(top)], "{count} threads");
    }
}

#[test]
fn tokens_are_what_may_be_shared_with_what_is_as_frequent_or_more() {
    let residue = |top: u64| top << 61;
    // Residue 1 is in four sets, 2 in three, 3 and 4 in two each, 5 in one: rarest first 5, 3, 4,
    // 2, 1.
    let sets = [vec![1, 2, 3, 4, 5], vec![1, 2, 3, 4], vec![1, 2], vec![1], vec![]];
    let texts: Vec<Made> = sets
        .iter()
        .map(|set| {
            let set: Vec<u64> = set.iter().copied().map(residue).collect();
            Made { all: set.clone(), longest: set, ..Made::default() }
        })
        .collect();
    let collection = collection(&texts, 3);
    let classes = Classes::new(&collection);
    let ranked = Ranked::new(&collection.all, &classes);
    assert_eq!((&ranked.classes, &ranked.sizes), (&vec![3, 2, 1, 0], &vec![1, 2, 4, 5]));
    assert_eq!([ranked.residues(0..4), ranked.residues(1..3)], [12, 6]);
    let rests = |required: fn(u32) -> u32| -> Vec<Vec<(u64, u32)>> {
        let tokens = ranked.tokens(required, None, threads(2));
        let of_set = |row: tokens::SetTokens| {
            row.each().map(|(token, rest)| (token.residue() >> 61, rest)).collect()
        };
        tokens.with(0..tokens.len(), |rows| rows.iter().copied().map(of_set).collect())
    };
    let all = [(3, 4), (4, 3), (2, 2), (1, 1)];
    assert_eq!(rests(|_| 1), [&all[3..], &all[2..], &all, &all]);
    // The suffix must have three residues in sets of three or more, and all residues of smaller
    // sets.
    let few = &all[..2];
    assert_eq!(rests(|size| size.min(3)), [&all[3..], &all[2..3], few, few]);
}

#[test]
fn tokens_that_cannot_be_stored_are_reported() {
    let text = Made { all: vec![1, 2], longest: vec![1, 2], ..Made::default() };
    let collection = collection(&[text.clone(), text], 3);
    let classes = Classes::new(&collection);
    let ranked = Ranked::new(&collection.all, &classes);
    let folder = PathBuf::from("no such folder");
    let file = TempFile::new(&Memory { bytes: 0, folder: folder.clone() });
    let tokens = ranked.tokens(|_| 1, Some(file), threads(1));
    assert_eq!(tokens.check().unwrap_err().folder, folder);
    assert!(ranked.tokens(|_| 1, None, threads(1)).check().is_ok());
}

#[test]
fn limits_ask_for_whole_numbers() {
    let (half, some) = (limit("0.5"), limit("0.41").map(|limit| (limit, 3)));
    #[rustfmt::skip]
    let table = [
        // For 3 and 5, with a Jaccard index of 1/2: 8/3; for 10 and 10: 20/3; for 5 and 10: 5.
        ("Jaccard",      half, None, (3, 5, 3),   (5, 3),  (10, 7, 5)),
        // 41 of 100: for 4 it is two, but at least three; for 10 it is five.
        ("containment",  None, some, (4, 9, 3),   (9, 3),  (10, 5, 3)),
        ("a larger one", None, some, (10, 90, 5), (90, 3), (100, 41, 3)),
        ("either",       half, some, (10, 20, 5), (9, 3),  (10, 5, 3)),
        ("Jaccard less", limit("0.1"), some, (9, 9, 2), (9, 1), (9, 2, 1)),
    ];
    for (why, jaccard, containment, need, least_size, needs) in table {
        let bound = Bound { jaccard, containment };
        assert_eq!(bound.need(need.0, need.1), need.2, "{why}");
        assert_eq!(bound.least_size(least_size.0), least_size.1, "{why}, least size");
        let (size, small, large) = needs;
        assert_eq!(bound.need_with_larger(size), small, "{why}, with a larger one");
        assert_eq!(bound.need_with_smaller(size), large, "{why}, with a smaller one");
    }
    let none = Bound { jaccard: None, containment: None };
    assert_eq!((none.need(3, 5), none.least_size(5)), (u32::MAX, 5));
}
