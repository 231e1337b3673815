//! Compares the fast pipeline with its plain twin. [`pair::judge`] must give exactly the results of
//! [`pair::trace`], which passes the complete text through one stage after the other.

use std::ops::Range;
use std::path::Path;

use dedup_text::language::{Choice, Given, Language};
use dedup_text::pair::{self, Match, Trace};
use dedup_text::pair::{Recipe, Search};
use dedup_text::passages::MinMatch;
use dedup_text::shingles::Ngrams;
use dedup_text::text::Text;
use dedup_text::tokens::exclusions::{Remaining, Why};
use dedup_text::tokens::{self, Token};
use dedup_text::verdict::Verdict;
use dedup_text::{rabin, simhash, stems, stopwords};
use proptest::prelude::*;

use crate::common::{Row, sample_rows, sample_text};

fn text(content: &str) -> Text {
    Text::from_bytes(Path::new("x"), content.replace('\0', " ").into()).unwrap()
}

/// Judges a pair in both ways.
fn agree(left: &str, right: &str, recipe: &Recipe) -> Result<(), TestCaseError> {
    let (left, right) = (text(left), text(right));
    let Ok(judged) = pair::judge(&left, &right, recipe) else { return Ok(()) };
    let plain = [
        pair::trace(&left, judged.languages.left.language, recipe),
        pair::trace(&right, judged.languages.right.language, recipe),
    ];
    for (sketch, Trace { words, stems, shingles, .. }) in
        [&judged.left, &judged.right].into_iter().zip(&plain)
    {
        prop_assert_eq!((sketch.words, sketch.stems), (words.len(), stems.len()));
        prop_assert_eq!(sketch.shingles, shingles.all().len());
        prop_assert_eq!(sketch.fingerprint, simhash::fingerprint(shingles));
    }
    let [left, right] = &plain;
    let same_words = left.words.0.iter().map(|token| &token.word).eq(right
        .words
        .0
        .iter()
        .map(|token| &token.word));
    prop_assert_eq!(judged.comparison.same_words, same_words);
    prop_assert_eq!(judged.comparison.all, left.shingles.all().overlap(right.shingles.all()));
    prop_assert_eq!(
        judged.comparison.longest,
        left.shingles.longest().overlap(right.shingles.longest())
    );
    Ok(())
}

/// Judges a pair with and without its passages.
fn agree_with_passages(left: &str, right: &str, recipe: &Recipe) -> Result<(), TestCaseError> {
    let (left, right) = (text(left), text(right));
    let without = Recipe { search: Search::Never, ..recipe.clone() };
    let Ok(judged) = pair::judge(&left, &right, &without) else { return Ok(()) };
    let asking = Recipe { min_match: MinMatch::new(4).unwrap(), ..recipe.clone() };
    let mut asked = pair::judge(&left, &right, &asking).unwrap();
    let Some(matches) = asked.matches.take() else { return Err(TestCaseError::fail("none")) };
    prop_assert!(asked.decision.verdict >= judged.decision.verdict);
    let is_shared = !matches.all.is_empty();
    prop_assert_eq!(asked.comparison.passages.map(|it| it.passages > 0), Some(is_shared));
    prop_assert!(
        !is_shared || asked.decision.verdict > Verdict::Different,
        "it contradicts itself"
    );
    for level in Verdict::LADDER {
        let enough = Recipe { search: Search::For(level), ..asking.clone() };
        let reached = pair::judge(&left, &right, &enough).unwrap().decision.verdict >= level;
        prop_assert_eq!(reached, asked.decision.verdict >= level);
    }
    asked.comparison.passages = None;
    asked.decision = judged.decision.clone();
    prop_assert!(asked == judged);
    let [left_words, right_words] = [&left, &right].map(|text| {
        let remaining = Remaining::new(text, &recipe.ignored, [&[], &[]]);
        tokens::split_stretches(text.content(), remaining.spans()).0
    });
    let words = |words: &[Token], range: &Range<usize>| {
        words[range.clone()].iter().map(|token| token.word.to_string()).collect::<Vec<_>>()
    };
    for Match { passage, left: on_left, right: on_right, repeats } in &matches.all {
        let of_sides = [
            (on_left, &passage.left, &repeats[0], &passage.repeats[0], &left_words),
            (on_right, &passage.right, &repeats[1], &passage.repeats[1], &right_words),
        ];
        for (place, range, places, ranges, tokens) in of_sides {
            prop_assert_eq!(places.len(), ranges.len());
            for (place, range) in places.iter().zip(ranges).chain([(place, range)]) {
                let content = tokens[range.start].span.start..tokens[range.end - 1].span.end;
                prop_assert_eq!(&place.content, &content);
            }
        }
        let mut aligned = Vec::new();
        for run in &passage.runs {
            prop_assert_eq!(words(&left_words, &run.range(0)), words(&right_words, &run.range(1)));
            aligned.extend(words(&right_words, &run.range(1)));
        }
        if passage.runs.is_sorted_by_key(|run| run.at[0]) {
            prop_assert_eq!(passage.fingerprint, rabin::residue(aligned.join(" ").as_bytes()));
        }
    }
    Ok(())
}

fn in_language(code: &str, ngrams: Ngrams) -> Recipe {
    let given = Given::As(Language::from_code(code));
    Recipe { ngrams, languages: Choice { left: given, right: given }, ..Recipe::default() }
}

/// Returns texts that repeat their words, with everything that separates, joins or breaks words.
fn natural() -> impl Strategy<Value = String> {
    let word = prop_oneof![
        "l'[a-e]{1,9}|d’[a-e]{1,9}|(the|of|la|и|не) |[a-cé]{1,30}|\\PC{1,3}",
        "(水火风|กขา|おカの|ရေဆူ|ﷺ|İı|ΛΌΓΟΣ|ﬁn|exam-\nple|ex\u{ad}am|a_b|3.14|1,000|don't|don’t |can‘t |cannot |n'est |not |x\u{301}){1,3}",
        "[a-z0-9/:.-]{60,70}",
        "(“|”|\"|«|»|\nReferences\n|\n\nEnd\n|\n> ){1,2}",
    ];
    let text = proptest::collection::vec((word, "[ \t\n\r.,;—-]{1,2}"), 0..60);
    text.prop_map(|words| words.into_iter().map(|(word, white)| word + &white).collect())
}

proptest! {
    #[test]
    fn judging_agrees_with_the_definition_on_any_text(
        left in prop_oneof![natural(), any::<String>()], right in natural(),
        code in prop::sample::select(vec!["eng", "fra", "cat", "ita", "rus", "cmn", "tha", "ell", ""]),
        min in 1_usize..4, more in 0_usize..4,
        ignored in prop::sample::subsequence(vec![Why::Quotes, Why::Bibliography], 0..=2),
    ) {
        let recipe = in_language(code, Ngrams::new(min, min + more).unwrap());
        let recipe = Recipe { ignored, ..recipe };
        agree(&left, &right, &recipe)?;
        agree(&left, &(left.clone() + &right), &recipe)?;
        agree_with_passages(&left, &(right + &left), &recipe)?;
    }
}

/// Returns both texts of every sample, in ten languages.
fn samples() -> Vec<[String; 2]> {
    let texts = |row: &Row| row.files.clone().map(|file| sample_text(&file).content().to_owned());
    sample_rows().iter().map(texts).collect()
}

#[test]
fn judging_agrees_with_the_definition_on_the_samples() {
    let plain = Recipe {
        stopwords: stopwords::Choice::Off,
        stemming: stems::Choice::Off,
        ngrams: Ngrams::new(2, 5).unwrap(),
        ..Recipe::default()
    };
    for [left, right] in samples() {
        for recipe in [&Recipe::default(), &plain] {
            agree(&left, &right, recipe).unwrap();
            agree_with_passages(&left, &right, recipe).unwrap();
        }
    }
}

/// Compares texts that are long enough for two threads, and have more words than the initial size
/// of a table.
#[test]
#[ignore = "slow: cargo test -- --ignored"]
fn judging_agrees_with_the_definition_on_long_texts() {
    let all: Vec<String> = samples().iter().map(|pair| pair.concat()).collect();
    let joined = all.join("\n");
    let numbered: Vec<String> = (0..40_000)
        .map(|n| format!("word{n} {}\n", joined.get(n..n + 20).unwrap_or("-")))
        .collect();
    let left = numbered.concat() + &joined.repeat(8);
    let right = left.replace("keeper", "warden");
    assert!(left.len() + right.len() > 2_000_000);
    agree(&left, &right, &in_language("eng", Ngrams::default())).unwrap();
    agree(&left, &right, &in_language("cat", Ngrams::new(3, 3).unwrap())).unwrap();
    agree_with_passages(&left, &right, &in_language("eng", Ngrams::default())).unwrap();
}

/// Compares texts that are constructed to be expensive: the results must be those of the twin.
#[test]
#[ignore = "slow: cargo test -- --ignored"]
fn judging_agrees_with_the_definition_on_hostile_texts() {
    let counted = |line: fn(u32) -> String| (0..20_000).map(line).collect::<Vec<_>>().concat();
    #[rustfmt::skip]
    let table = [
        ("one word",             "kettle ".repeat(20_000)),
        ("distinct words",       counted(|n| format!("w{n:x}q "))),
        ("only digits",          counted(|n| format!("{n} "))),
        ("no spaces",            "kettle".repeat(20_000)),
        ("a script without spaces", "水".repeat(20_000)),
        ("another one",          "ก".repeat(20_000)),
        ("both in turn",         "水ก".repeat(10_000)),
        ("words and letters",    "水a ".repeat(10_000)),
        ("only accents",         "\u{301}".repeat(20_000)),
        ("a letter and accents", "a".to_owned() + &"\u{301}\u{323}".repeat(10_000)),
        ("broken at every line", "ab-\n".repeat(20_000)),
        ("hyphens",              "-\n".repeat(20_000)),
        ("ligatures",            "ﷺ".repeat(5_000)),
        ("apostrophes",          "l'".repeat(20_000)),
        ("white space",          " \n".repeat(20_000) + "x"),
    ];
    for (why, hostile) in table {
        let twin = hostile.clone() + " and more";
        for code in ["eng", "fra", ""] {
            let recipe = in_language(code, Ngrams::default());
            agree(&hostile, &twin, &recipe)
                .and_then(|()| agree_with_passages(&hostile, &twin, &recipe))
                .unwrap_or_else(|error| panic!("{why}: {error}"));
        }
    }
}

/// Checks texts in which each letter is a word and none recurs soon. Quadratic work would not
/// finish.
#[test]
fn a_megabyte_without_a_space_is_judged() {
    let han = |n: u32| char::from_u32(0x4e00 + n * 7919 % 20_000).unwrap();
    for run in ["ก".repeat(350_000), (0..350_000).map(han).collect()] {
        let judged =
            pair::judge(&text(&run), &text(&(run.clone() + "ข")), &Recipe::default()).unwrap();
        assert_eq!((judged.left.words, judged.right.words), (350_000, 350_001));
    }
}
