//! Tests of changes to a text that must not change the answer, or may only raise it.

use std::num::NonZeroUsize;
use std::path::Path;

use dedup_text::corpus::join::Side;
use dedup_text::corpus::{Corpus, CorpusBuilder, Opened};
use dedup_text::language::{Choice, Given, Language};
use dedup_text::pair::Recipe;
use dedup_text::pair::Undecided;
use dedup_text::pair::{self, Judgement};
use dedup_text::shingles::Ngrams;
use dedup_text::sketch::Comparison;
use dedup_text::text::Text;
use dedup_text::verdict::{Decision, Verdict};
use proptest::prelude::*;
use unicode_normalization::UnicodeNormalization;

type Judged = Result<Judgement, Undecided>;

fn judged(left: &str, right: &str, recipe: &Recipe) -> Judged {
    let text = |text: &str| Text::from_bytes(Path::new("x"), text.into()).unwrap();
    pair::judge(&text(left), &text(right), recipe)
}

/// Returns the decision, the figures and the languages. `None` if there is no verdict.
fn figures(judged: &Judged) -> Option<(Decision, Comparison, [Option<Language>; 2])> {
    let judged = judged.as_ref().ok()?;
    let languages = [judged.languages.left.language, judged.languages.right.language];
    Some((judged.decision.clone(), judged.comparison, languages))
}

/// Returns a text of recurring words of several languages and scripts.
fn prose() -> impl Strategy<Value = String> {
    let word = prop::sample::select(vec![
        "copper",
        "kettle",
        "The",
        "of",
        "l'home",
        "água",
        "straße",
        "Ελλάς",
        "кипяток",
        "waters",
        "running",
        "3.14",
        "naïve",
        "well-known",
        "don't",
        "水火",
        "ไทย",
        "été",
    ]);
    let mark = prop::sample::select(vec![" ", ", ", ". ", "\n", " — ", "; "]);
    proptest::collection::vec((word, mark), 0..60)
        .prop_map(|words| words.into_iter().map(|(word, mark)| word.to_owned() + mark).collect())
}

/// Adds white space after every white space character, except where a word may be hyphenated at a
/// line's end.
fn spaced(text: &str, more: &str) -> String {
    let mut spaced = String::new();
    for letter in text.chars() {
        let is_behind_hyphen = spaced.ends_with(['-', '\u{2010}']);
        spaced.push(letter);
        if letter.is_whitespace() && !is_behind_hyphen {
            spaced += more;
        }
    }
    spaced
}

/// Adds a punctuation mark before every space.
fn pointed(text: &str, mark: char) -> String {
    text.chars().fold(String::new(), |mut pointed, letter| {
        if letter == ' ' {
            pointed.push(mark);
        }
        pointed.push(letter);
        pointed
    })
}

fn utf_16(text: &str) -> Vec<u8> {
    "\u{feff}".encode_utf16().chain(text.encode_utf16()).flat_map(u16::to_le_bytes).collect()
}

proptest! {
    #[test]
    fn what_no_reader_heeds_changes_nothing(
        left in prose(), right in prose(),
        white in prop::sample::select(vec![" ", "\n", "\t", "\r\n", "\u{a0}", "\n\n    "]),
        mark in prop::sample::select(vec![',', '.', ';', '!', '?', '…', ')']),
    ) {
        // Separators may change the detected language of a text in doubt.
        let (detected, given) = (Recipe::default(), in_language("eng"));
        #[rustfmt::skip]
        let table = [
            ("white space", spaced(&right, white), &given),
            ("punctuation", pointed(&right, mark), &given),
            ("decomposed",  right.nfd().collect(), &detected),
            ("composed",    right.nfc().collect(), &detected),
        ];
        for (why, changed, recipe) in table {
            let [ever, now] = [&right, &changed].map(|right| judged(&left, right, recipe));
            prop_assert_eq!(figures(&now), figures(&ever), "{}: {:?}", why, changed);
        }
    }

    /// Checks texts in a given language, because the detected one may differ for a text in
    /// capitals.
    #[test]
    fn case_changes_nothing(left in prose(), right in prose(), code in prop::sample::select(vec!["eng", "cat", ""])) {
        let recipe = in_language(code);
        let ever = judged(&left, &right, &recipe);
        for right in [right.to_uppercase(), right.to_lowercase()] {
            prop_assert_eq!(figures(&judged(&left, &right, &recipe)), figures(&ever), "{:?}", right);
        }
    }

    #[test]
    fn the_encoding_changes_nothing(left in prose(), right in prose()) {
        let recipe = Recipe::default();
        let ever = judged(&left, &right, &recipe);
        let mark = format!("\u{feff}{right}").into_bytes();
        for bytes in [utf_16(&right), mark] {
            let text = |bytes| Text::from_bytes(Path::new("x"), bytes).unwrap();
            let again = pair::judge(&text(left.clone().into()), &text(bytes), &recipe);
            prop_assert_eq!(figures(&again), figures(&ever));
        }
    }

    /// Checks that one more word in both texts adds one common shingle and no others.
    #[test]
    fn one_common_shingle_more_never_lowers_the_jaccard(left in prose(), right in prose()) {
        let recipe = Recipe { ngrams: Ngrams::new(1, 1).unwrap(), ..in_language("") };
        let Ok(ever) = judged(&left, &right, &recipe) else { return Ok(()) };
        let with = |text: &str| format!("{text} lighthouse");
        let more = judged(&with(&left), &with(&right), &recipe).unwrap().comparison;
        let [one, other] = [ever.comparison.all, more.all].map(|all| (all.shared, all.union()));
        prop_assert_eq!((one.0 + 1, one.1 + 1), other);
        prop_assert!(one.0 * other.1 <= other.0 * one.1);
    }

    /// Checks that a corpus of two texts in a given language has the figures of the pair.
    #[test]
    fn a_corpus_of_two_is_the_pair(left in prose(), right in prose(), threads in 1_usize..4) {
        let recipe = in_language("");
        let ever = judged(&left, &right, &recipe);
        let corpus = corpus_of([("a", left), ("b", right)], &recipe, threads);
        if corpus.short.is_empty() {
            let ever = ever.unwrap();
            let judged = corpus.judge(&corpus.collection.pair(0, 1));
            prop_assert_eq!(judged.comparison, ever.comparison);
            prop_assert_eq!(judged.decision, ever.decision);
        } else {
            prop_assert!(ever.is_err() || ever.unwrap().decision.verdict == Verdict::Identical);
        }
    }
}

#[test]
fn texts_of_a_corpus_stand_in_the_order_of_their_paths() {
    let recipe = in_language("");
    let ordered = [("a", "one".to_owned()), ("b", "one two".to_owned())];
    let [a, b] = ordered.clone();
    for texts in [ordered, [b, a]] {
        let corpus = corpus_of(texts, &recipe, 1);
        let of = |number: u32| {
            let document = &corpus.documents[number as usize];
            (document.text.path(), document.words, corpus.collection.all(number).len())
        };
        assert_eq!([of(0), of(1)], [(Path::new("a"), 1, 1), (Path::new("b"), 2, 3)]);
    }
}

/// Returns a corpus of two texts.
fn corpus_of<'r>(texts: [(&str, String); 2], recipe: &'r Recipe, threads: usize) -> Corpus<'r> {
    let mut gathering = CorpusBuilder::new(recipe, NonZeroUsize::new(threads).unwrap());
    let open = |(name, text): (&str, String)| {
        let text = Text::from_bytes(Path::new(name), text.into()).unwrap();
        Ok((Opened { text, group: None, side: Side::Any, is_read_once: false }, ()))
    };
    let failed: Vec<()> = gathering.add(texts.into(), open, |()| Ok(()));
    assert!(failed.is_empty());
    gathering.finish()
}

/// Returns a recipe for a language, or for no language if the code is unknown.
fn in_language(code: &str) -> Recipe {
    let given = Given::As(Language::from_code(code));
    Recipe { languages: Choice { left: given, right: given }, ..Recipe::default() }
}
