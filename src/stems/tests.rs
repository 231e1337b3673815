use proptest::prelude::*;

use super::*;
use crate::language;
use crate::tokens;

fn stems(text: &str, code: &str, choice: Choice) -> String {
    let stemmer = choice.stemmer(Language::from_code(code));
    reduce(&tokens::split(text), stemmer.as_ref()).joined
}

#[test]
fn words_are_stemmed_in_the_language_of_the_text() {
    #[rustfmt::skip]
    let table = [
        ("English",                "eng", "lighthouses running",  Choice::On,  "lighthous run"),
        ("Spanish keeps accents",  "spa", "canción canciones",    Choice::On,  "cancion cancion"),
        ("Catalan",                "cat", "muntanyes",            Choice::On,  "muntany"),
        ("Russian",                "rus", "маяками",              Choice::On,  "маяк"),
        ("modern Romanian",        "ron", "frumuseților",         Choice::On,  "frumus"),
        ("old Romanian letters",   "ron", "frumuseţilor",         Choice::On,  "frumus"),
        ("Greek that panicked",    "ell", "ισαισα",               Choice::On,  "ισα"),
        ("nothing would be left",  "ara", "\u{64e}",             Choice::On,  "\u{64e}"),
        ("off",                    "eng", "lighthouses",          Choice::Off, "lighthouses"),
        ("no language",            "",    "lighthouses",          Choice::On,  "lighthouses"),
        ("no stemmer",             "cmn", "lighthouses",          Choice::On,  "lighthouses"),
        ("nothing",                "eng", "",                     Choice::On,  ""),
    ];
    for (why, code, text, choice, want) in table {
        assert_eq!(stems(text, code, choice), want, "{why}");
    }
}

#[test]
fn every_stemmer_that_is_named_is_there() {
    for row in language::rows() {
        let stemmer = Stemmer::new(Language::from_code(row.code).unwrap());
        assert_eq!(stemmer.is_some(), row.stemmer.is_some(), "{}", row.name);
    }
}

#[test]
fn a_word_too_long_for_any_language_stays_as_it_is() {
    let long = "running".repeat(37); // 259 bytes
    assert_eq!(stems(&long, "eng", Choice::On), long);
}

#[test]
fn windows_slide_by_one_stem() {
    let stems: Stems = ["a", "bc", "d"].into_iter().collect();
    #[rustfmt::skip]
    let table: &[(usize, &[&str])] = &[
        (0, &[]),
        (1, &["a", "bc", "d"]),
        (2, &["a bc", "bc d"]),
        (3, &["a bc d"]),
        (4, &[]),
    ];
    for (n, want) in table {
        assert_eq!(stems.windows(*n).collect::<Vec<_>>(), *want, "{n}");
    }
    assert_eq!(Stems::default().windows(1).count(), 0);
}

#[test]
fn windows_that_begin_with_a_letter_have_more() {
    let stems: Stems = ["水", "火", "cup", "ก", "ข", "ค"].into_iter().collect();
    #[rustfmt::skip]
    let table: &[(usize, &[&str])] = &[
        (1, &["水 火", "火 cup", "cup", "ก ข ค", "ข ค", "ค"]),
        (2, &["水 火 cup", "火 cup ก", "cup ก", "ก ข ค", "ข ค"]),
        (5, &["水 火 cup ก ข ค", "火 cup ก ข ค"]),
        (6, &["水 火 cup ก ข ค"]),
        (7, &[]),
    ];
    for (n, want) in table {
        assert_eq!(stems.windows(*n).collect::<Vec<_>>(), *want, "{n}");
    }
    assert_eq!(stems.iter().collect::<Vec<_>>(), ["水", "火", "cup", "ก", "ข", "ค"]);
}

#[test]
fn no_window_reaches_over_a_break() {
    let stems = || ["a", "b", "c", "水", "火"].into_iter().collect::<Stems>();
    #[rustfmt::skip]
    let table: &[(&[usize], usize, &[&str])] = &[
        (&[],        2, &["a b", "b c", "c 水", "水 火"]),
        (&[2],       2, &["a b", "c 水", "水 火"]),
        (&[2],       3, &["c 水 火"]),
        (&[4],       1, &["a", "b", "c", "水", "火"]),
        (&[1, 2, 3], 2, &["水 火"]),
        (&[0, 5],    2, &["a b", "b c", "c 水", "水 火"]),
        (&[2],       0, &[]),
    ];
    for (breaks, n, want) in table {
        let stems = stems().broken_before(breaks.to_vec());
        assert_eq!(stems.windows(*n).collect::<Vec<_>>(), *want, "{breaks:?} {n}");
    }
}

/// Generates words from the last one to four letters of the stop words of a language.
fn words_of(row: &language::Row) -> impl Strategy<Value = String> + use<> {
    let list = row.stop_words.and_then(stop_words::lookup).unwrap_or(&["abc"]);
    let pieces: Vec<String> = list
        .iter()
        .flat_map(|word| {
            let letters: Vec<char> = word.chars().filter(|c| !c.is_whitespace()).collect();
            let ends = (1..=4.min(letters.len()))
                .map(move |n| letters[letters.len() - n..].iter().collect());
            ends.collect::<Vec<String>>()
        })
        .collect();
    proptest::collection::vec(proptest::sample::select(pieces), 1..8).prop_map(|p| p.concat())
}

proptest! {
    #[test]
    fn a_stem_is_not_empty_and_has_no_white_space_of_its_own(
        (code, word) in proptest::sample::select(language::rows().iter().collect::<Vec<_>>())
            .prop_flat_map(|row| (Just(row.code), prop_oneof![words_of(row), "\\PC{1,40}"])),
    ) {
        if let Some(stemmer) = Stemmer::new(Language::from_code(code).unwrap()) {
            let stem = stemmer.stem(&word);
            prop_assert!(!stem.is_empty());
            prop_assert!(word.contains(char::is_whitespace) || !stem.contains(char::is_whitespace));
        }
    }
}
