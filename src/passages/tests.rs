//! Passages of small texts, worked out by hand, and properties that hold for any two texts.

use std::sync::Arc;

use proptest::prelude::*;

use super::*;
use crate::interner::StemTable;

pub(super) fn word_pair([left, right]: &[Sequence; 2]) -> WordPair {
    WordPair::new(Cow::Borrowed(left), Cow::Borrowed(right))
}

/// Finds the passages of two texts without knowing which words begin a sentence.
pub(super) fn find(left: Sequence, right: Sequence, min_match: MinMatch) -> Vec<Passage> {
    let as_it_is = |_, ranges: &[Range<usize>]| {
        ranges.iter().map(|range| (range.clone(), ())).collect::<Vec<_>>()
    };
    let found = find_whole(word_pair(&[left, right]), min_match, as_it_is, |_, _| None);
    found.into_iter().map(|(passage, _)| passage).collect()
}

/// Returns the words of a text, separated by spaces. `a3..5` means a3 a4 a5, and each Chinese
/// letter is a word.
pub(super) fn words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    for word in text.split_whitespace() {
        if let Some((first, last)) = word.split_once("..") {
            let name = first.trim_end_matches(|letter: char| letter.is_ascii_digit());
            let range = first[name.len()..].parse::<usize>().unwrap()..=last.parse().unwrap();
            words.extend(range.map(|number| format!("{name}{number}")));
        } else if word.is_ascii() {
            words.push(word.to_owned());
        } else {
            words.extend(word.chars().map(String::from));
        }
    }
    words
}

/// Returns the sequence of words.
pub(super) fn sequence(words: &[String]) -> Sequence {
    let mut distinct: Vec<&String> = words.iter().collect();
    distinct.sort();
    distinct.dedup();
    let place = |word| u32::try_from(distinct.binary_search(&word).unwrap()).unwrap();
    let words = words.iter().map(place).collect();
    let mut known = StemTable::default();
    for word in distinct {
        known.push(word);
    }
    Sequence { words, distinct: Arc::new(known), breaks: Vec::new() }
}

/// Returns the sequence of words with breaks.
fn broken(words: &[String], breaks: &[usize]) -> Sequence {
    let breaks = breaks.iter().copied().filter(|at| *at < words.len()).collect();
    Sequence { breaks, ..sequence(words) }
}

/// Returns the pair of two texts, in whichever order.
pub(super) fn pair(left: &[String], right: &[String]) -> Pair {
    Pair::from_sequences(sequence(left), sequence(right)).0
}

pub(super) fn run(left: usize, right: usize, length: usize) -> Run {
    Run { at: [left, right], length }
}

/// Returns the passages of two texts: the places on both sides, aligned words, changed words, and
/// whether they are exact.
fn found(left: &str, right: &str, min_match: usize) -> Vec<([usize; 4], usize, usize, bool)> {
    let [left, right] = [left, right].map(|text| sequence(&words(text)));
    let passages = find(left, right, MinMatch::new(min_match).unwrap());
    let figures = passages.iter().map(|it| {
        let places = [it.left.start, it.left.end, it.right.start, it.right.end];
        (places, it.words(), it.changed_words(), it.kind() == Kind::Exact)
    });
    figures.collect()
}

/// Two numbers with the same residue: in different texts, in the same text, and after words that
/// only one text contains.
#[test]
fn words_of_one_residue_are_two() {
    let (one, other) = ("4000000000000000000001", "3616207136267326152070");
    let text = |number: &str| format!("a1..15 {number} a16..30");
    assert_eq!(found(&text(one), &text(one), 12), [([0, 31, 0, 31], 31, 0, true)]);
    assert_eq!(found(&text(one), &text(other), 12), [([0, 31, 0, 31], 30, 1, false)]);
    let both = format!("{} x1..30 {other}", text(one));
    assert_eq!(found(&both, &text(other), 12), [([0, 31, 0, 31], 30, 1, false)]);
    assert_eq!(found(one, other, 12), []);
}

#[test]
fn passages_are_those_worked_out_by_hand() {
    let u = "a1..4 u a5..8 u a9..12 u a13 u a14 u a15 u a16 u a17 u a18 u a19 u a20";
    let v = u.replace('u', "v");
    #[rustfmt::skip]
    let table: &[(&str, &str, &str, &[([usize; 4], usize, usize, bool)])] = &[
        ("nothing",                 "",                         "",                         &[]),
        ("one text is empty",       "a1..20",                   "",                         &[]),
        ("nothing shared",          "x1..30",                   "y1..30",                   &[]),
        ("12 words in a row",       "x1..30 a1..12 y1..30",     "z1..9 a1..12 w1..9",       &[([30, 42, 9, 21], 12, 0, true)]),
        ("11 words in a row",       "x1..30 a1..11 y1..30",     "z1..9 a1..11 w1..9",       &[]),
        ("the same words",          "a b",                      "a b",                      &[([0, 2, 0, 2], 2, 0, true)]),
        ("the same but one",        "a b",                      "a b c",                    &[]),
        ("one in the other",        "a1..40",                   "x1..9 a1..40 y1..9",       &[([0, 40, 9, 49], 40, 0, true)]),
        ("two, in the order of right", "a1..12 x1..81 b1..15",  "b1..15 y1..81 a1..12",     &[([93, 108, 0, 15], 15, 0, true), ([0, 12, 96, 108], 12, 0, true)]),
        ("at both ends",            "a1..12 x1..81 b1..12",     "a1..12 y1..90 b1..12",     &[([0, 12, 0, 12], 12, 0, true), ([93, 105, 102, 114], 12, 0, true)]),
        ("with 80 words between",   "a1..12 x1..80 b1..12",     "a1..12 y1..50 b1..12",     &[([0, 104, 0, 74], 24, 0, false)]),
        ("one word changed",        "x1..9 a1..30 y1..9",       "z1..5 a1..9 q a11..30",    &[([9, 39, 5, 35], 29, 1, false)]),
        ("one word more",           "a1..30",                   "z1..5 a1..15 q a16..30",   &[([0, 30, 5, 36], 30, 1, false)]),
        ("words moved",             "a1..10 b1..10 c1..10",     "x c1..10 a1..10 b1..10",   &[([0, 30, 1, 31], 30, 0, false)]),
        ("20 different words",      "x a1..10 y b1..10 z",      "b1..10 a1..10",            &[([1, 22, 0, 20], 20, 1, false)]),
        ("19 different words",      "x a1..10 y b1..9 z",       "b1..9 a1..10",             &[]),
        ("seven words put in",      "a1..30 b1..30",            "a1..30 y1..7 b1..30",      &[([0, 60, 0, 67], 60, 7, false)]),
        ("eight are none of it",    "a1..30 b1..30",            "a1..30 y1..8 b1..30",      &[([0, 60, 0, 68], 60, 0, false)]),
        ("two of two",              "a1..20 y a1..20",          "a1..20 x1..30 a1..20",     &[([0, 41, 0, 70], 40, 0, false)]),
        ("what is not rare changed", u,                         &v,                         &[([0, 30, 0, 30], 20, 10, false)]),
        ("16 letters",              "x1..9 一二三四五六七八九十天地玄黄宇宙 y", "一二三四五六七八九十天地玄黄宇宙", &[([9, 25, 0, 16], 16, 0, true)]),
        ("15 letters",              "x1..9 一二三四五六七八九十天地玄黄宇 y",  "一二三四五六七八九十天地玄黄宇",  &[]),
    ];
    for (why, left, right, want) in table {
        assert_eq!(found(left, right, 12), *want, "{why}");
    }
}

#[expect(clippy::single_range_in_vec_init, reason = "a list of ranges")]
#[test]
fn what_repeats_a_passage_is_kept_with_it() {
    #[rustfmt::skip]
    let table: &[(&str, &str, &str, &[([usize; 4], &[Range<usize>], &[Range<usize>])])] = &[
        ("a second copy",          "a1..20",            "a1..20 x1..30 a1..20",           &[([0, 20, 0, 20], &[], &[50..70])]),
        ("as many in both",        "a1..20 y a1..20",   "a1..20 x1..30 a1..20",           &[([0, 41, 0, 70], &[], &[])]),
        ("side by side",           "a1..20",            "x a1..20 a1..20 a1..20",         &[([0, 20, 1, 21], &[], &[21..41, 41..61])]),
        ("on the left",            "a1..20 y a1..20",   "x1..9 a1..20 z1..9",             &[([0, 20, 9, 29], &[21..41], &[])]),
        ("a changed copy",         "a1..30",            "a1..30 x1..30 a1..9 q a11..30",  &[([0, 30, 0, 30], &[], &[60..90])]),
        ("a part of a copy",       "a1..30",            "a1..30 x1..30 a15..30",          &[([0, 30, 0, 30], &[], &[60..76])]),
        ("too little of it",       "a1..30",            "a1..30 x1..30 a20..30",          &[([0, 30, 0, 30], &[], &[])]),
        ("of one of two",          "b1..20 x a1..20",   "a1..20 x1..30 b1..20 y1..9 a1..20", &[([0, 41, 0, 70], &[], &[79..99])]),
        ("no copy, but torn off",  "a1..11 t b1..4 x1..8 b5..13 y1..3 b14..19", "z a1..11 t r1..8 t b1..19", &[([0, 12, 1, 13], &[], &[])]),
        ("before the longer copy", "a1..30",            "a5..20 x1..30 a1..30",           &[([0, 30, 46, 76], &[], &[0..16])]),
    ];
    for (why, left, right, want) in table {
        let [left, right] = [left, right].map(|text| sequence(&words(text)));
        for is_swapped in [false, true] {
            let (one, other) = if is_swapped { (&right, &left) } else { (&left, &right) };
            let mut found = find(one.clone(), other.clone(), MinMatch::default());
            if is_swapped {
                found.iter_mut().for_each(swap);
                found.sort_by_key(|it| it.right.start);
            }
            let places = found.iter().map(|it| {
                let place = [it.left.start, it.left.end, it.right.start, it.right.end];
                (place, &*it.repeats[0], &*it.repeats[1])
            });
            assert_eq!(places.collect::<Vec<_>>(), *want, "{why}");
        }
    }
}

/// Swaps the sides of a passage.
pub(super) fn swap(passage: &mut Passage) {
    std::mem::swap(&mut passage.left, &mut passage.right);
    passage.runs.iter_mut().for_each(|run| run.at.swap(0, 1));
    passage.runs.sort_unstable_by_key(|run| run.at[1]);
    for ranges in
        [&mut passage.reworded, &mut passage.changed, &mut passage.repeats, &mut passage.repeated]
    {
        ranges.reverse();
    }
}

#[expect(clippy::single_range_in_vec_init, reason = "a list of ranges")]
#[test]
fn a_passage_has_parts_that_are_copied_reworded_or_its_own() {
    use Kind::{Edited, Exact, Reworded};

    let run = |left, right, length| Run { at: [left, right], length };
    let part = |range, kind| (range, Some(kind));
    let own = |range| (range, None);
    let of = |left, runs: &[Run], reworded, changed| Passage {
        left,
        right: 0..99,
        runs: runs.to_vec(),
        reworded: [reworded, Vec::new()],
        changed: [changed, Vec::new()],
        ..Passage::default()
    };
    #[rustfmt::skip]
    let table: &[(&str, Passage, &[(Range<usize>, Option<Kind>)])] = &[
        ("word for word",        of(3..9, &[run(3, 0, 6)], vec![], vec![]),                         &[part(3..9, Exact)]),
        ("in another order",     of(0..9, &[run(5, 0, 4), run(0, 9, 5)], vec![], vec![]),           &[part(0..9, Exact)]),
        ("with a changed word",  of(0..9, &[run(0, 0, 4), run(5, 5, 4)], vec![], vec![4..5]),       &[part(0..9, Edited)]),
        ("its own between",      of(0..9, &[run(0, 0, 4), run(6, 5, 3)], vec![], vec![]),           &[part(0..4, Exact), own(4..6), part(6..9, Exact)]),
        ("changed, then its own", of(0..9, &[run(0, 0, 4), run(7, 5, 2)], vec![], vec![4..5]),      &[part(0..5, Edited), own(5..7), part(7..9, Edited)]),
        ("reworded",             of(0..9, &[run(1, 5, 2), run(6, 0, 1)], vec![0..9], vec![0..1, 3..6, 7..9]), &[part(0..9, Reworded)]),
        ("copied, then reworded", of(0..9, &[run(0, 0, 4), run(5, 5, 2)], vec![4..9], vec![4..5, 7..9]), &[part(0..4, Exact), part(4..9, Reworded)]),
        ("its own at its ends",  of(0..9, &[run(2, 0, 4)], vec![], vec![]),                         &[own(0..2), part(2..6, Exact), own(6..9)]),
    ];
    for (why, passage, want) in table {
        assert_eq!(passage.parts(0), *want, "{why}");
        let own = want.iter().filter(|(_, kind)| kind.is_none()).map(|(words, _)| words.len());
        assert_eq!(passage.own_words(0), own.sum::<usize>(), "{why}");
    }
    let changed_on_right = Passage { changed: [vec![], vec![3..4]], ..table[0].1.clone() };
    assert_eq!(changed_on_right.parts(0), [part(3..9, Edited)]);
}

#[test]
fn no_passage_reaches_over_a_break() {
    #[rustfmt::skip]
    let table: &[(&str, &str, &[usize], &str, &[usize], &[[usize; 4]])] = &[
        ("in the middle of a run",    "x a1..30 y",  &[15],    "a1..30 z", &[],     &[[1, 15, 0, 14], [15, 31, 14, 30]]),
        ("on the other side",         "x a1..30 y",  &[],      "a1..30 z", &[14],   &[[1, 15, 0, 14], [15, 31, 14, 30]]),
        ("one of its parts is short", "x a1..30 y",  &[6],     "a1..30 z", &[],     &[[6, 31, 5, 30]]),
        ("between two runs",          "x a1..12 q a13..30 y", &[13], "a1..30 z", &[], &[[1, 13, 0, 12], [14, 32, 12, 30]]),
        ("at the ends of a run",      "x a1..30 y",  &[1, 31], "a1..30 z", &[],     &[[1, 31, 0, 30]]),
        ("in too many parts",         "x a1..30 y",  &[10, 20], "a1..30 z", &[],    &[]),
        ("in the same words",         "a1..30",      &[15],    "a1..30",   &[15],   &[[0, 15, 0, 15], [15, 30, 15, 30]]),
        ("in one of them",            "a1..30",      &[5],     "a1..30",   &[],     &[[0, 5, 0, 5], [5, 30, 5, 30]]),
        ("of few words",              "a b c d",     &[2],     "a b c d",  &[2],    &[[0, 2, 0, 2], [2, 4, 2, 4]]),
    ];
    for (why, left, at_left, right, at_right, want) in table {
        let (left, right) = (broken(&words(left), at_left), broken(&words(right), at_right));
        let found = find(left, right, MinMatch::default());
        let places =
            found.iter().map(|it| [it.left.start, it.left.end, it.right.start, it.right.end]);
        assert_eq!(places.collect::<Vec<_>>(), *want, "{why}");
    }
}

#[test]
fn a_passage_that_ends_within_a_character_is_cut() {
    let texts = ["x1..9 a1..14 y", "a1..14 z"].map(|text| sequence(&words(text)));
    // On each side, the words that share no character with a word outside of the passage.
    #[rustfmt::skip]
    let table: &[(&str, [Range<usize>; 2], &[[Range<usize>; 2]])] = &[
        ("at no end",             [9..23, 0..14], &[[9..23, 0..14]]),
        ("at the end of left",    [9..22, 0..14], &[[9..22, 0..13]]),
        ("at the start of right", [9..23, 1..14], &[[10..23, 1..14]]),
        ("at both",               [9..22, 1..14], &[[10..22, 1..13]]),
        ("too little is left",    [9..21, 1..14], &[]),
    ];
    for (why, inside, want) in table {
        let whole = |side: usize, ranges: &[Range<usize>]| {
            let of_range = |range: &Range<usize>| {
                let Range { start, end } = inside[side];
                (range.start.max(start)..range.end.min(end), ())
            };
            ranges.iter().map(of_range).collect::<Vec<_>>()
        };
        let found = find_whole(word_pair(&texts), MinMatch::default(), whole, |_, _| None);
        let places = found.into_iter().map(|(it, _)| [it.left, it.right]);
        assert_eq!(places.collect::<Vec<_>>(), *want, "{why}");
    }
}

#[test]
fn the_shortest_passage_has_as_many_words_as_asked_for() {
    let (left, right) = ("x1..9 a1..5 y1..9", "z1..9 a1..5 w1..9");
    assert_eq!(found(left, right, 6), []);
    assert_eq!(found(left, right, 5), [([9, 14, 9, 14], 5, 0, true)]);
    assert_eq!(found("x1..9 a1..3 y1..9", "a1..3 z1..9", 3), [([9, 12, 0, 3], 3, 0, true)]);
    assert_eq!(
        [2, 3].map(|min_match| MinMatch::new(min_match).map(MinMatch::words)),
        [None, Some(3)]
    );
}

#[test]
fn fingerprints_are_of_the_aligned_words() {
    let fingerprints = |left: &str, right: &str| {
        let [left, right] = [left, right].map(|text| sequence(&words(text)));
        let one_way = find(left.clone(), right.clone(), MinMatch::default());
        let other_way = find(right, left, MinMatch::default());
        let of = |found: &[Passage]| found.iter().map(|it| it.fingerprint).collect::<Vec<_>>();
        assert_eq!(of(&one_way), of(&other_way));
        of(&one_way)
    };
    let residue = |text: &str| crate::rabin::residue(words(text).join(" ").as_bytes());
    assert_eq!(fingerprints("x1..9 a1..12", "a1..12 y"), [residue("a1..12")]);
    assert_eq!(fingerprints("a1..15 x a16..30", "a1..30"), [residue("a1..30")]);
    let moved = residue("a1..12 b1..12").min(residue("b1..12 a1..12"));
    assert_eq!(fingerprints("a1..12 b1..12", "b1..12 a1..12 y"), [moved]);
}

/// Positions in a text, in increasing order.
fn breaks() -> impl Strategy<Value = Vec<usize>> {
    let few = proptest::collection::btree_set(0_usize..120, 0..6);
    few.prop_map(|breaks| breaks.into_iter().collect())
}

/// Texts with few distinct words. One contains parts of the other, changed a little.
fn texts() -> impl Strategy<Value = (Vec<String>, Vec<String>)> {
    let word = prop_oneof![
        4 => (0..60).prop_map(|word| format!("w{word}")), 1 => "[ab]", 1 => "[水火土]",
    ];
    let text = proptest::collection::vec(word, 0..120);
    let cuts = proptest::collection::vec((0_usize..120, 0_usize..40, any::<bool>()), 0..6);
    (text.clone(), text, cuts).prop_map(|(left, own, cuts)| {
        let mut right = Vec::new();
        for (number, (at, length, is_changed)) in cuts.into_iter().enumerate() {
            let part = left.iter().skip(at).take(length);
            right.extend(part.enumerate().map(|(k, word)| {
                if is_changed && k % 7 == 5 { format!("c{number}") } else { word.clone() }
            }));
            right.extend(own.iter().skip(at).take(length / 2).cloned());
        }
        (left, right)
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn passages_hold_what_they_promise(
        (left, right) in texts(), breaks in [breaks(), breaks()], min_match in 3_usize..14,
    ) {
        let sequences = [broken(&left, &breaks[0]), broken(&right, &breaks[1])];
        let found = find(sequences[0].clone(), sequences[1].clone(), MinMatch::new(min_match).unwrap());
        let is_apart = |one: &Range<usize>, other: &Range<usize>| one.end <= other.start || other.end <= one.start;
        for (number, passage) in found.iter().enumerate() {
            let places = |it: &Passage| {
                let with = |own: &Range<usize>, side: usize| [std::slice::from_ref(own), &it.repeats[side]].concat();
                [with(&it.left, 0), with(&it.right, 1)]
            };
            let own = places(passage);
            for (side, own) in own.iter().enumerate() {
                prop_assert!(passage.repeats[side].is_sorted_by_key(|it| it.start));
                // At least a third of a repeat is aligned, and half of that with the passages.
                let texts = [&left, &right];
                let there: Vec<&String> =
                    places(passage)[1 - side].iter().flat_map(|it| &texts[1 - side][it.clone()]).collect();
                for repeat in &passage.repeats[side] {
                    let words = texts[side][repeat.clone()].iter();
                    let repeated = words.filter(|word| there.contains(word)).count();
                    prop_assert!(6 * repeated >= repeat.len(), "{:?}", repeat);
                }
                for other in &found[..number] {
                    prop_assert!(is_apart(&own[0], [&other.left, &other.right][side]));
                }
                for one in own {
                    prop_assert!(!breaks[side].iter().any(|at| one.start < *at && *at < one.end));
                }
            }
            let ends = [0, 1].map(|side| runs::extent(&passage.runs, side));
            prop_assert_eq!(&ends, &[passage.left.clone(), passage.right.clone()]);
            for side in 0..2 {
                let words: usize = passage.runs.iter().map(|run| run.length).sum();
                let mut aligned: Vec<usize> = passage.runs.iter().flat_map(|run| run.range(side)).collect();
                aligned.sort_unstable();
                aligned.dedup();
                prop_assert_eq!(aligned.len(), words, "a word is aligned once");
            }
            for run in &passage.runs {
                prop_assert_eq!(&left[run.range(0)], &right[run.range(1)]);
            }
            for side in 0..2 {
                let parts = passage.parts(side).into_iter().flat_map(|(words, _)| words);
                prop_assert!(parts.eq([&passage.left, &passage.right][side].clone()));
            }
        }
        prop_assert!(found.is_sorted_by_key(|passage| (passage.right.start, passage.left.start)));
        // No word is aligned twice, changed twice, or both, and none of these repeats a passage.
        for side in 0..2 {
            let of_passage = |it: &Passage| {
                let aligned = it.runs.iter().map(|run| run.range(side));
                aligned.chain(it.changed[side].clone()).chain(it.repeats[side].clone()).flatten().collect::<Vec<_>>()
            };
            let mut words: Vec<usize> = found.iter().flat_map(of_passage).collect();
            let count = words.len();
            words.sort_unstable();
            words.dedup();
            prop_assert_eq!(words.len(), count);
        }
    }

    /// A passage contains all or none of the words that share a character.
    #[test]
    fn no_passage_has_a_part_of_a_character(
        (left, right) in texts(), cuts in [breaks(), breaks()], min_match in 3_usize..14,
    ) {
        // From the word at each of these positions on, three words share a character.
        let starts = |side: usize, at: usize| cuts[side].iter().any(|cut| cut + 1 == at || cut + 2 == at);
        let whole = |side: usize, ranges: &[Range<usize>]| {
            let of_range = |range: &Range<usize>| {
                let Range { mut start, mut end } = range.clone();
                while start < end && starts(side, start) {
                    start += 1;
                }
                while start < end && starts(side, end) {
                    end -= 1;
                }
                (start..end, (side, start..end))
            };
            ranges.iter().map(of_range).collect::<Vec<_>>()
        };
        let min_match = MinMatch::new(min_match).unwrap();
        let texts = [sequence(&left), sequence(&right)];
        let lengths = [left.len(), right.len()];
        let found = find_whole(word_pair(&texts), min_match, whole, |_, _| None);
        for (passage, places) in &found {
            let ends = [0, 1].map(|side| runs::extent(&passage.runs, side));
            prop_assert_eq!(&ends, &[passage.left.clone(), passage.right.clone()]);
            for (side, range) in ends.iter().enumerate() {
                let repeats = &passage.repeats[side];
                let of_repeats = repeats.iter().map(|range| (side, range.clone())).collect();
                prop_assert_eq!(&places[side], &((side, range.clone()), of_repeats));
                let is_cut = |at: usize| at < lengths[side] && starts(side, at);
                for range in repeats.iter().chain([range]) {
                    prop_assert!(!is_cut(range.start) && (range.end == lengths[side] || !is_cut(range.end)));
                }
            }
        }
        // Each is a part of a passage that is found without regard to characters.
        let [left, right] = texts.clone();
        let all = find(left, right, min_match);
        for (passage, _) in &found {
            let is_in = |all: &Passage| {
                all.left.start <= passage.left.start && passage.left.end <= all.left.end
                    && all.right.start <= passage.right.start && passage.right.end <= all.right.end
            };
            prop_assert_eq!(all.iter().filter(|it| is_in(it)).count(), 1);
        }
        let mut is_swapped = find_whole(WordPair::new(Cow::Borrowed(&texts[1]), Cow::Borrowed(&texts[0])), min_match, |side, ranges| whole(1 - side, ranges), |_, _| None);
        is_swapped.sort_unstable_by_key(|(passage, _)| passage.left.start);
        let mut of_turned: Vec<_> = is_swapped.iter().map(|(it, _)| (it.right.clone(), it.left.clone())).collect();
        let mut of_found: Vec<_> = found.iter().map(|(it, _)| (it.left.clone(), it.right.clone())).collect();
        of_turned.sort_by_key(|(left, right)| (left.start, right.start));
        of_found.sort_by_key(|(left, right)| (left.start, right.start));
        prop_assert_eq!(of_turned, of_found);
    }

    #[test]
    fn turned_round_the_passages_are_the_same(
        (left, right) in texts(), breaks in [breaks(), breaks()], min_match in 3_usize..14,
    ) {
        let (left, right) = (broken(&left, &breaks[0]), broken(&right, &breaks[1]));
        let min_match = MinMatch::new(min_match).unwrap();
        let mut is_swapped = find(right.clone(), left.clone(), min_match);
        is_swapped.iter_mut().for_each(swap);
        is_swapped.sort_unstable_by_key(|passage| (passage.right.start, passage.left.start));
        prop_assert_eq!(is_swapped, find(left.clone(), right.clone(), min_match));
    }

    #[test]
    fn equal_texts_are_one_passage((text, _) in texts()) {
        let found = find(sequence(&text), sequence(&text), MinMatch::default());
        let whole = 0..text.len();
        let places: Vec<_> = found.iter().map(|it| (it.left.clone(), it.right.clone())).collect();
        let want: Vec<_> = (!text.is_empty()).then_some((whole.clone(), whole)).into_iter().collect();
        prop_assert_eq!(places, want);
        prop_assert!(found.iter().all(|passage| passage.kind() == Kind::Exact));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    /// One more copy of a shared passage, on either side, never covers less of either text.
    #[test]
    fn one_more_copy_never_lowers_coverage(
        length in 12_usize..50, times in [1_usize..24, 1_usize..24], own in [0_usize..60, 0_usize..60],
        between in 21_usize..30, kinds in 9_usize..60, is_first in any::<bool>(),
    ) {
        let kinds = kinds.max(length / 2);
        let copied: Vec<String> = (0..length).map(|k| format!("p{}", k % kinds)).collect();
        let text = |side: usize, more: usize| -> Vec<String> {
            let own = (0..own[side]).map(|k| format!("own{side}x{k}"));
            let passage = || copied.iter().cloned();
            let all = (0..times[side]).flat_map(|number| {
                let between = (0..between).map(move |k| format!("between{side}x{number}x{k}"));
                passage().chain(between)
            });
            let more = (0..more).flat_map(|_| passage().chain(["apart".to_owned()]));
            if is_first { more.chain(all).chain(own).collect() } else { own.chain(all).chain(more).collect() }
        };
        // The words covered of each text, and all words.
        let shares = |more: [usize; 2]| {
            let texts = [0, 1].map(|side| text(side, more[side]));
            let found = find(sequence(&texts[0]), sequence(&texts[1]), MinMatch::default());
            [0, 1].map(|side| (covered(found.iter(), side).count().all(), texts[side].len()))
        };
        let before = shares([0, 0]);
        for more in [[1, 0], [0, 1]] {
            for ((covered, all), (covered_after, all_after)) in before.into_iter().zip(shares(more)) {
                prop_assert!(covered_after * all >= covered * all_after, "{before:?} {more:?} {:?}", shares(more));
            }
        }
    }
}
