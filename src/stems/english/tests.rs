use proptest::prelude::*;
use rust_stemmers::{Algorithm, Stemmer};

use super::*;

/// The expected stems for words of each rule, according to the description of the algorithm.
#[test]
fn each_rule_does_what_it_says() {
    #[rustfmt::skip]
    let table = [
        ("1a, apostrophe",          "boy's",        "boy"),
        ("1a, apostrophe behind s", "boys'",        "boy"),
        ("1a, sses",                "caresses",     "caress"),
        ("1a, ies behind one",      "ties",         "tie"),
        ("1a, ies behind more",     "cries",        "cri"),
        ("1a, s right behind",      "gas",          "gas"),
        ("1a, s, vowel before",     "gaps",         "gap"),
        ("1a, s, vowel last but 2", "traps",        "trap"),
        ("1a, s alone",             "s's",          "s"),
        ("1a, us",                  "focus",        "focus"),
        ("1a, no participle",       "innings",      "inning"),
        ("1b, eed",                 "agreed",       "agre"),
        ("1b, eed before R1",       "feed",         "feed"),
        ("1b, ing without vowel",   "sing",         "sing"),
        ("1b, at",                  "luxuriating",  "luxuri"),
        ("1b, double",              "hopping",      "hop"),
        ("1b, double l",            "falling",      "fall"),
        ("1b, short",               "hoping",       "hope"),
        ("1b, not short",           "snowed",       "snow"),
        ("1c",                      "cry",          "cri"),
        ("1c, second letter",       "by",           "by"),
        ("1c, second letter left",  "by's",         "by"),
        ("1c, behind a vowel",      "say",          "say"),
        ("2, behind R1",            "relational",   "relat"),
        ("2, before R1",            "rational",     "ration"),
        ("2, ogi",                  "geology",      "geolog"),
        ("2, li",                   "slowly",       "slowli"),
        ("2, valid li",             "sternly",      "stern"),
        ("3, ative before R2",      "native",       "nativ"),
        ("3, ness",                 "goodness",     "good"),
        ("4, ement",                "replacement",  "replac"),
        ("4, ion",                  "adoption",     "adopt"),
        ("4, ion behind neither",   "champion",     "champion"),
        ("5, e in R2",              "probate",      "probat"),
        ("5, e behind short",       "rate",         "rate"),
        ("5, e behind long",        "cease",        "ceas"),
        ("5, double l",             "controll",     "control"),
        ("5, double l before R2",   "roll",         "roll"),
        ("R1 by its beginning",     "generously",   "generous"),
        ("y first",                 "youth",        "youth"),
        ("y a vowel",               "flying",       "fli"),
        ("y behind a vowel",        "employer",     "employ"),
        ("exception",               "skies",        "sky"),
        ("nothing",                 "",             ""),
    ];
    for (why, word, want) in table {
        assert_eq!(stem(word).as_deref(), Some(want), "{why}");
    }
}

#[test]
fn words_of_other_letters_and_long_ones_are_not_stemmed_here() {
    let longest = "a".repeat(63);
    for (word, is_own) in [
        (longest.as_str(), true),
        (&format!("{longest}a"), false),
        ("'tis", false),
        ("naïve", false),
        ("Yes", false),
        ("3rd", true),
        ("some_words", true),
    ] {
        assert_eq!(stem(word).is_some(), is_own, "{word}");
    }
}

/// Generates words from the endings and beginnings that the rules look for, and from letters.
fn words() -> impl Strategy<Value = String> {
    let endings = "'s ' s ies ied sses us ss eed ing ed eedly ingly edly at bl iz tt bb y ly \
        anci enci ogi li bli abli alli fulli lessli ousli entli aliti biliti iviti tional \
        ational alism ation ization izer ator iveness fulness ousness icate ative alize iciti \
        ical ful ness ic ance ence able ible ate ive ize iti al ism ion er ous ant ent ment \
        ement e l ll gener commun arsen succe proce exce cann inn earr herr out ski sky w x";
    let pieces: Vec<_> = endings.split_whitespace().chain("aeiouybdlstx'0".split("")).collect();
    proptest::collection::vec(proptest::sample::select(pieces), 0..8).prop_map(|word| word.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4096))]

    #[test]
    fn stems_are_those_of_rust_stemmers(word in prop_oneof![words(), "[a-z0-9']{0,66}", "[ -~]{0,9}", "\\PC{0,5}"]) {
        if let Some(stem) = stem(&word) {
            prop_assert_eq!(stem, Stemmer::create(Algorithm::English).stem(&word));
        }
    }
}
