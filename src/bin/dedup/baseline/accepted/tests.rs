use std::path::Path;

use dedup_text::pair::{Recipe, judge};
use proptest::prelude::*;
use proptest::sample::Index;

use super::*;

/// Computes what two texts share.
fn shared(texts: &[String; 2]) -> Shared {
    let texts = texts
        .each_ref()
        .map(|text| Text::from_bytes(Path::new("text"), text.clone().into_bytes()).unwrap());
    let judgement = judge(&texts[0], &texts[1], &Recipe::default()).unwrap();
    Shared::new(texts.each_ref(), &judgement)
}

/// Reports whether a pair that was accepted as it was `then` is accepted `now`.
fn is_accepted(then: &[String; 2], now: &[String; 2]) -> bool {
    let then = shared(then);
    let tiles = [0, 1].map(|side| then.tiles(side));
    shared(now).is_accepted(then.amount, tiles.each_ref())
}

/// Returns words of which every third one is common, and the others occur nowhere else.
fn words(of: &str, count: usize) -> Vec<String> {
    const COMMON: [&str; 5] = ["the", "of", "and", "in", "the"];
    let word = |at: usize| match at % 3 {
        1 => COMMON[at / 3 % COMMON.len()].to_owned(),
        _ => format!("{of}{at}"),
    };
    (0..count).map(word).collect()
}

/// Two texts with a shared paragraph of some words between their own.
fn texts(count: usize) -> [Vec<String>; 2] {
    ["left", "right"].map(|name| {
        [words(&format!("{name}a"), 40), words("shared", count), words(&format!("{name}b"), 40)]
            .concat()
    })
}

fn joined(texts: &[Vec<String>; 2]) -> [String; 2] {
    texts.each_ref().map(|text| text.join(" "))
}

#[test]
fn an_accepted_pair_is_new_if_what_it_shares_grew() {
    type Change = fn(&mut [Vec<String>; 2]);
    fn insert(text: &mut Vec<String>, at: usize, words: Vec<String>) {
        text.splice(at..at, words);
    }
    fn both(texts: &mut [Vec<String>; 2], change: impl Fn(&mut Vec<String>)) {
        texts.iter_mut().for_each(change);
    }
    // The shared words are those from 40 on, before 76.
    #[rustfmt::skip]
    let table: &[(&str, Change, bool)] = &[
        ("nothing",                          |_| (), true),
        ("a word changed in one",            |it| it[0][50] = "x".into(), true),
        ("other words changed in either",    |it| { it[0][50] = "x".into(); it[1][60] = "y".into(); }, true),
        ("a sentence deleted in one",        |it| drop(it[1].drain(46..56)), true),
        ("a sentence deleted in both",       |it| both(it, |text| drop(text.drain(46..56))), true),
        ("a word corrected in both",         |it| both(it, |text| text[50] = "x".into()), true),
        ("three words corrected in both",    |it| both(it, |text| for at in [48, 56, 64] { text[at] = format!("x{at}") }), true),
        ("lines added elsewhere",            |it| insert(&mut it[0], 20, words("other", 60)), true),
        ("cut in two",                       |it| insert(&mut it[0], 58, words("other", 40)), true),
        ("cut, and the second half moved",   |it| { let half: Vec<String> = it[0].drain(58..76).collect(); insert(&mut it[0], 10, half); }, true),
        ("moved within one",                 |it| { let all: Vec<String> = it[0].drain(40..76).collect(); it[0].extend(all); }, true),
        ("all else deleted",                 |it| both(it, |text| *text = text[40..76].to_vec()), true),
        ("deleted in one",                   |it| drop(it[0].drain(40..76)), true),
        ("eleven words more",                |it| both(it, |text| insert(text, 76, words("new", 11))), true),
        ("twelve words more",                |it| both(it, |text| insert(text, 76, words("new", 12))), false),
        ("twelve words within",              |it| both(it, |text| insert(text, 58, words("new", 12))), false),
        ("twelve words elsewhere",           |it| both(it, |text| insert(text, 20, words("new", 12))), false),
        ("twelve in place of as many",       |it| both(it, |text| drop(text.splice(46..58, words("new", 12)))), false),
        ("another paragraph in its place",   |it| both(it, |text| drop(text.splice(40..76, words("new", 20)))), false),
        ("the same once more in both",       |it| both(it, |text| { let all = text[40..76].to_vec(); text.extend(all); }), false),
    ];
    for (why, change, want) in table {
        let then = texts(36);
        let mut now = then.clone();
        change(&mut now);
        assert_eq!(is_accepted(&joined(&then), &joined(&now)), *want, "{why}");
    }
}

#[test]
fn a_passage_that_was_accepted_in_one_of_the_texts_alone_is_new() {
    let then = shared(&joined(&texts(20)));
    let mut now = texts(20);
    for text in &mut now {
        text.splice(40..60, words("other", 20));
    }
    let now = shared(&joined(&now));
    for side in 0..2 {
        let mut tiles = [then.tiles(0), then.tiles(1)];
        tiles[side].extend(&now.tiles(side));
        assert!(!now.is_accepted(then.amount, tiles.each_ref()), "{side}");
    }
}

#[test]
fn an_index_rises_by_a_twentieth_of_one() {
    let amount = |[shared, all]: [usize; 2]| Amount { words: 0, shared, all };
    #[rustfmt::skip]
    let table = [
        ("the same",                          [50, 100], [50, 100], false),
        ("lower",                             [50, 100], [40, 100], false),
        ("almost",                            [50, 100], [54, 100], false),
        ("as much",                           [50, 100], [55, 100], true),
        ("other sizes, as much",              [1, 4],    [3, 10],   true),
        ("other sizes, almost",               [1, 4],    [299, 1000], false),
        ("no more shared, only less other",   [50, 100], [50, 60],  false),
        ("from none",                         [0, 0],    [1, 20],   true),
        ("from none, almost",                 [0, 0],    [1, 21],   false),
        ("to none",                           [50, 100], [0, 0],    false),
    ];
    for (why, then, now, want) in table {
        assert_eq!(amount(now).rose_above(amount(then)), want, "{why}");
    }
}

#[test]
fn words_are_covered_by_tiles() {
    let tiles = |words: &Words| Tiles(words.tiles(&(0..words.ranges.len())).collect());
    #[rustfmt::skip]
    let table = [
        ("none",           "",                0),
        ("each of three",  "a b c",           3),
        ("two, and last",  "a b c d e",       3),
        ("twice three",    "a b c d e f",     2),
        ("and the last",   "a b c d e f g",   3),
        ("the same again", "a b c a b c",     1),
    ];
    for (why, text, want) in table {
        let words = Words::new(text);
        let tiles = tiles(&words);
        assert_eq!(tiles.0.len(), want, "{why}");
        assert!(words.covered(&|tile| tiles.0.contains(&tile)).iter().all(|it| *it), "{why}");
    }
    let digest = rabin::residue(b"b c d") & 0xff_ffff;
    assert_eq!(Words::new("A, b: C d").digest(1, 3).map(u64::from), Some(digest));
}

#[test]
fn words_of_its_own_between_the_parts_of_a_passage_lose_no_tile() {
    let text = |own: &str| {
        [words("one", 25), words(own, 30), words("two", 25), words("end", 40)].concat().join(" ")
    };
    let then = shared(&[text("left"), text("right")]);
    assert_eq!(then.places.len(), 1, "both parts are one passage");
    let edited = shared(&[text("other"), text("right")]);
    assert_eq!(then.tiles(0), edited.tiles(0));
    assert_eq!(then.tiles(0), shared(&[text("left"), text("")]).tiles(0));
    // Of 25 words, eight tiles of three, and the last one; of 25 and 40 words that follow each other, 22.
    assert_eq!(then.tiles(0).0.len(), 9 + 22);
}

#[test]
fn tiles_are_read_as_they_are_written() {
    #[rustfmt::skip]
    let table = [
        ("none",          "-",          Some(vec![])),
        ("one",           "AAAB",       Some(vec![1])),
        ("two",           "AAAB____",   Some(vec![1, 0xff_ffff])),
        ("nothing",       "",           Some(vec![])),
        ("cut",           "AAABAA",     None),
        ("a line end",    "AAAB\n",     None),
        ("other letters", "AA+B",       None),
    ];
    for (why, written, want) in table {
        let read = Tiles::read(written);
        assert_eq!(read, want.map(|it| Tiles(it.into_iter().collect())), "{why}");
        if let Some(tiles) = read.filter(|_| !written.is_empty()) {
            assert_eq!(tiles.written(), written, "{why}");
        }
    }
}

/// An edit that adds no shared words.
#[derive(Clone, Debug)]
enum Edit {
    ChangeWord(usize, Index),
    DeleteWord(usize, Index),
    DeleteSentence(usize, Index),
    DeleteInBoth(Index),
    CorrectInBoth(Index),
    Insert(usize, Index, usize),
    Move(usize, Index, Index),
}

fn edit() -> impl Strategy<Value = Edit> {
    let (side, index) = (|| 0_usize..2, any::<Index>);
    prop_oneof![
        4 => (side(), index()).prop_map(|(side, at)| Edit::ChangeWord(side, at)),
        2 => (side(), index()).prop_map(|(side, at)| Edit::DeleteWord(side, at)),
        2 => (side(), index()).prop_map(|(side, at)| Edit::DeleteSentence(side, at)),
        1 => index().prop_map(Edit::DeleteInBoth),
        3 => index().prop_map(Edit::CorrectInBoth),
        2 => (side(), index(), 1_usize..40).prop_map(|(side, at, words)| Edit::Insert(side, at, words)),
        1 => (side(), index(), index()).prop_map(|(side, from, to)| Edit::Move(side, from, to)),
    ]
}

/// Applies an edit. At most two words are corrected or deleted in both: more may be a new place.
fn apply(texts: &mut [Vec<String>; 2], number: usize, edit: &Edit, in_both: &mut usize) {
    let new = format!("edit{number}");
    let sentence = |text: &Vec<String>, at: &Index| {
        let start = at.index(text.len());
        start..(start + 9).min(text.len())
    };
    // A word that both texts have.
    let common = |texts: &[Vec<String>; 2], at: &Index| {
        let both: Vec<String> = texts[0]
            .iter()
            .filter(|word| word.starts_with("shared") && texts[1].contains(word))
            .cloned()
            .collect();
        (!both.is_empty()).then(|| at.get(&both).clone())
    };
    match edit {
        Edit::ChangeWord(side, at) => *at.get_mut(&mut texts[*side]) = new,
        Edit::DeleteWord(side, at) => {
            let at = at.index(texts[*side].len());
            texts[*side].remove(at);
        }
        Edit::DeleteSentence(side, at) => {
            let words = sentence(&texts[*side], at);
            texts[*side].drain(words);
        }
        Edit::DeleteInBoth(at) => {
            if let Some(word) = common(texts, at).filter(|_| *in_both < 2) {
                *in_both += 1;
                for text in texts {
                    text.retain(|it| *it != word);
                }
            }
        }
        Edit::CorrectInBoth(at) => {
            if let Some(word) = common(texts, at).filter(|_| *in_both < 2) {
                *in_both += 1;
                let words = texts.iter_mut().flatten().filter(|it| **it == word);
                words.for_each(|it| it.clone_from(&new));
            }
        }
        Edit::Insert(side, at, count) => {
            let at = at.index(texts[*side].len() + 1);
            texts[*side].splice(at..at, words(&format!("{new}n"), *count));
        }
        Edit::Move(side, from, to) => {
            let words: Vec<String> = {
                let range = sentence(&texts[*side], from);
                texts[*side].drain(range).collect()
            };
            let to = to.index(texts[*side].len() + 1);
            texts[*side].splice(to..to, words);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// However often a pair is edited, it is new only once a paragraph is copied: to the beginning or
    /// the end of either text or, if it is longer than the gaps within a passage, to any place.
    #[test]
    fn edits_make_no_pair_new_and_a_copied_paragraph_does(
        count in 12_usize..90,
        edits in prop::collection::vec(edit(), 0..12),
        copied in 12_usize..60,
        places in any::<[Index; 2]>(),
    ) {
        let mut now = texts(count);
        let then = joined(&now);
        let mut in_both = 0;
        for (number, edit) in edits.iter().enumerate() {
            apply(&mut now, number, edit, &mut in_both);
        }
        prop_assert!(is_accepted(&then, &joined(&now)), "{:?}", now);
        for (text, place) in now.iter_mut().zip(places) {
            let ends = [0, text.len()];
            let at = if copied > 24 { place.index(text.len() + 1) } else { *place.get(&ends) };
            text.splice(at..at, words("copied", copied));
        }
        prop_assert!(!is_accepted(&then, &joined(&now)), "{:?}", now);
    }
}
