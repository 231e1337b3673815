//! Tests of characters that stand for several words, such as ﷺ: no part of a text ends inside one.

use std::convert::Infallible;
use std::num::NonZeroUsize;
use std::ops::Range;
use std::path::Path;

use dedup_text::corpus::join::Side;
use dedup_text::corpus::{CorpusBuilder, Opened};
use dedup_text::language::{Choice, Given};
use dedup_text::pair::Recipe;
use dedup_text::pair::{self, CommonShare, Judgement};
use dedup_text::passages::{MinMatch, Templates};
use dedup_text::text::Text;
use dedup_text::tokens::exclusions::{LeftOut, Remaining, Why};
use dedup_text::tokens::{self, Token};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::common::in_folder;

/// A sentence with ﷺ between its two parts.
const WHOLE: &str = "قال رسول الله محمد بن عبد المطلب الهاشمي القرشي الكريم الأمين ﷺ \
    في الحديث الصحيح الذي رواه البخاري ومسلم عن أبي هريرة عنه\n";
/// The first part, and the first word that ﷺ stands for.
const FIRST: &str =
    "قال رسول الله محمد بن عبد المطلب الهاشمي القرشي الكريم الأمين صلى الناس جميعا\n";
/// The last word that ﷺ stands for, and the second part.
const SECOND: &str = "جاء الرجل وسلم في الحديث الصحيح الذي رواه البخاري ومسلم عن أبي هريرة عنه\n";
const OTHER: &str = "نص آخر تماما\n";

/// Returns the byte range of ﷺ in [`WHOLE`].
fn ligature() -> Range<usize> {
    let start = WHOLE.find('ﷺ').unwrap();
    start..start + 'ﷺ'.len_utf8()
}

#[test]
fn two_stretches_that_end_in_one_character_are_left_out_with_it() {
    let files = [("0.txt", WHOLE), ("1.txt", FIRST), ("2.txt", SECOND), ("3.txt", OTHER)]
        .map(|(name, text)| (name, text.as_bytes()));
    let flags = "--template-share 0.3 --lang none --at-least different --format json";
    let run = in_folder("ligatures", &files, &format!("corpus 0.txt 1.txt 2.txt 3.txt {flags}"));
    assert_eq!(run.errors, "");
    let object: Value = serde_json::from_str(&run.output).unwrap();
    let common: Vec<_> =
        object["common"].as_array().unwrap().iter().map(|it| &it["words"]).collect();
    assert_eq!(common, [&json!(12), &json!(12)]);
    // ﷺ has two words that others have, and two between them, which are too few to stay.
    assert_eq!(object["too_short"]["paths"], json!(["0.txt"]));
    let pair = &object["pairs"][0]["a"];
    assert_eq!((&pair["path"], &pair["words"]), (&json!("1.txt"), &json!(2)));
    let excluded = json!([{"why": "common", "parts": 1, "words": 12}]);
    assert_eq!(pair["excluded"], excluded);
}

#[test]
fn two_passages_that_end_in_one_character_stand_beside_it() {
    let between: Vec<String> = (0..90).map(|number| format!("word{number} ")).collect();
    let turned = format!("{SECOND}{}{FIRST}", between.concat());
    let files = [("a.txt", WHOLE.as_bytes()), ("b.txt", turned.as_bytes())];
    let line = "a.txt b.txt --lang none --min-match 6 --format json";
    let record: Value =
        serde_json::from_str(&in_folder("ligatures_b", &files, line).output).unwrap();
    let mut places: Vec<[u64; 2]> = record["matches"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| [0, 1].map(|end| it["a"]["byte"][end].as_u64().unwrap()))
        .collect();
    places.sort_unstable();
    let Range { start, end } = ligature();
    assert_eq!(places.len(), 2);
    assert_eq!([places[0][0], places[1][1]], [0, WHOLE.trim_end().len() as u64]);
    // The character belongs to one of them, or to neither.
    let within = start as u64 + 1..end as u64;
    assert!(!places.concat().iter().any(|at| within.contains(at)), "{places:?}");
}

#[test]
fn a_passage_that_would_end_in_a_character_makes_no_pair() {
    // With the first word that ﷺ stands for, twelve words are in both texts; without it, eleven.
    let files = [("a.txt", WHOLE.as_bytes()), ("b.txt", FIRST.as_bytes())];
    for (min_match, status) in [("12", 1), ("11", 0)] {
        for command in ["", "corpus "] {
            let flags = "--lang none --partial-jaccard off --at-least excerpt --format json";
            let line = format!("{command}a.txt b.txt --min-match {min_match} {flags}");
            let run = in_folder("ligatures_c", &files, &line);
            assert_eq!((run.status, &*run.errors), (status, ""), "{line}: {}", run.output);
        }
        let line =
            format!("corpus a.txt b.txt --min-match {min_match} --lang none --partial-jaccard off");
        let counted = in_folder("ligatures_d", &files, &line).output;
        assert_eq!(counted.contains("(--at-least "), status == 0, "{line}: {counted}");
    }
}

/// Returns texts of a few parts, some with characters that stand for several words.
fn texts(count: usize) -> impl Strategy<Value = Vec<String>> {
    let part = prop_oneof![
        4 => "(ax by cz do صلى|وسلم em fy go ho|صلى الله عليه|الله عليه وسلم)",
        3 => "(ax by cz do|em fy go ho|x1 x2 x3 x4|ιxi yo za)",
        3 => "[ab]?(ﷺ|ﷺﷺ|ͺ|ﱞ|¸|ﷻ)[ab]?",
        2 => "ax byͺxi yo za|by¸cz do em|czﱞdo em fy",
        1 => "(“|”|\nReferences\n|\n> |-\n|\u{ad})",
    ];
    let text = prop::collection::vec((part, "[ \n]?"), 0..14)
        .prop_map(|parts| parts.into_iter().map(|(part, space)| part + &space).collect());
    prop::collection::vec(text, count)
}

/// Reports whether the words on both sides of an end of a range share a character.
fn is_cut(words: &[Token], range: &Range<usize>) -> bool {
    let shares = |at: usize| at > 0 && at < words.len() && words[at - 1].span == words[at].span;
    shares(range.start) || shares(range.end)
}

/// Checks that spans are at character boundaries and do not overlap.
fn stand_apart(content: &str, mut spans: Vec<Range<usize>>) -> Result<(), TestCaseError> {
    spans.sort_by_key(|span| (span.start, span.end));
    for span in &spans {
        prop_assert!(content.get(span.clone()).is_some_and(|it| !it.is_empty()), "{:?}", span);
    }
    prop_assert!(spans.windows(2).all(|pair| pair[0].end <= pair[1].start), "{:?}", spans);
    Ok(())
}

/// Checks the excluded parts and the passages of both texts of a pair.
fn check(texts: [&Text; 2], judgement: &Judgement) -> Result<(), TestCaseError> {
    let left_out = [&judgement.left_out_of_left, &judgement.left_out_of_right];
    for side in 0..2 {
        let content = texts[side].content();
        stand_apart(content, left_out[side].iter().map(|it| it.span.clone()).collect())?;
        let (common, others): (Vec<LeftOut>, Vec<LeftOut>) = (left_out[side].iter().cloned())
            .partition(|it| matches!(it.why, Why::Common | Why::Template));
        // An excluded quotation may end in a hyphen, which then joins no words.
        let all = Remaining::without(texts[side], others);
        let all = tokens::split_stretches(content, all.spans()).0;
        for part in common {
            let is_in = |token: &&Token| {
                token.span.start < part.span.end && part.span.start < token.span.end
            };
            let words: Vec<&Token> = all.iter().filter(is_in).collect();
            let is_within =
                |it: &&Token| part.span.start <= it.span.start && it.span.end <= part.span.end;
            prop_assert!(words.iter().all(is_within), "{:?} of {:?}", part, content);
        }
        let Some(matches) = &judgement.matches else { continue };
        let remaining = Remaining::without(texts[side], left_out[side].clone());
        let words = tokens::split_stretches(content, remaining.spans()).0;
        let mut spans = left_out[side].iter().map(|it| it.span.clone()).collect::<Vec<_>>();
        let mut bytes = Vec::new();
        for found in &matches.all {
            let place = if side == 0 { &found.left } else { &found.right };
            let range = if side == 0 { &found.passage.left } else { &found.passage.right };
            prop_assert!(!is_cut(&words, range), "{:?} of {:?}", range, content);
            spans.push(place.content.clone());
            bytes.push(place.bytes.clone());
        }
        stand_apart(content, spans)?;
        bytes.sort_by_key(|bytes| bytes.start);
        prop_assert!(bytes.windows(2).all(|pair| pair[0].end <= pair[1].start));
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn no_part_of_a_text_ends_within_a_character(
        texts in texts(5),
        (min_match, share) in (3_usize..6, 1_u32..6),
        ignored in prop::sample::subsequence(vec![Why::Quotes, Why::Bibliography], 0..=2),
    ) {
        let text = |name: usize, content: &str| {
            Text::from_bytes(Path::new(&name.to_string()), content.into()).unwrap()
        };
        let min_match = MinMatch::new(min_match).unwrap();
        let template = pair::template(&text(9, &texts[4]));
        let recipe = Recipe {
            languages: Choice { left: Given::As(None), right: Given::As(None) },
            templates: Templates { all: template.into_iter().collect(), min_match },
            min_match,
            ignored,
            ..Recipe::default()
        };
        let [left, right] = [0, 1].map(|at| text(at, &texts[at]));
        if let Ok(judgement) = pair::judge(&left, &right, &recipe) {
            check([&left, &right], &judgement)?;
        }
        let share = (f64::from(share) / 10.0).to_string().parse().unwrap();
        let common = Some(CommonShare { share, min_texts: 3 });
        let recipe = Recipe { common, ..recipe };
        let mut gathering = CorpusBuilder::new(&recipe, NonZeroUsize::MIN);
        let open = |at: usize| {
            Ok::<_, Infallible>((Opened { text: text(at, &texts[at]), group: None, side: Side::Any, is_read_once: false }, ()))
        };
        gathering.add((0..4).collect(), open, Ok);
        let corpus = gathering.finish();
        for b in 1..u32::try_from(corpus.documents.len()).unwrap_or_default() {
            for a in 0..b {
                let judgement = corpus.judge(&corpus.collection.pair(a, b));
                let [left, right] = [a, b].map(|at| &corpus.documents[at as usize].text);
                check([left, right], &judgement)?;
            }
        }
    }
}
