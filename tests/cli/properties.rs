//! Properties of the verdict on any two texts.

use std::path::Path;

use dedup_text::jaccard::Overlap;
use dedup_text::pair::Recipe;
use dedup_text::pair::Undecided;
use dedup_text::pair::{self, Judgement};
use dedup_text::passages::MinMatch;
use dedup_text::shingles::Ngrams;
use dedup_text::sketch::{Comparison, Coverage};
use dedup_text::text::Text;
use dedup_text::tokens::exclusions::Why;
use dedup_text::verdict::{Decision, Measure, Verdict};
use proptest::prelude::*;

fn judged(left: &str, right: &str, ngrams: Ngrams) -> Result<Judgement, Undecided> {
    let text =
        |text: &str| Text::from_bytes(Path::new("x"), text.replace('\0', " ").into()).unwrap();
    let recipe = Recipe { ngrams, ..Recipe::default() };
    pair::judge(&text(left), &text(right), &recipe)
}

fn turned(overlap: Overlap) -> Overlap {
    Overlap { shared: overlap.shared, left: overlap.right, right: overlap.left }
}

fn decision_turned(decision: &Decision) -> Decision {
    let mut decided_by: Vec<Measure> = decision
        .decided_by
        .iter()
        .map(|measure| match measure {
            Measure::ContainmentLeft => Measure::ContainmentRight,
            Measure::ContainmentRight => Measure::ContainmentLeft,
            Measure::CoverageLeft => Measure::CoverageRight,
            Measure::CoverageRight => Measure::CoverageLeft,
            other => *other,
        })
        .collect();
    let order = [
        Measure::CoverageLeft,
        Measure::CoverageRight,
        Measure::Jaccard,
        Measure::ContainmentLeft,
        Measure::ContainmentRight,
    ];
    decided_by.sort_by_key(|measure| order.iter().position(|it| it == measure));
    Decision { verdict: decision.verdict, decided_by }
}

/// Returns two texts: with a small vocabulary, so that they share words, with any characters, or
/// equal.
fn texts() -> impl Strategy<Value = (String, String)> {
    let few = "((copper|the|kettle|l'home|водà|水|Running|of)[ ,.\n]){0,30}";
    prop_oneof![
        (few, few),
        (any::<String>(), any::<String>()),
        any::<String>().prop_map(|text| (text.clone(), text)),
    ]
}

fn ngrams() -> impl Strategy<Value = Ngrams> {
    (1_usize..4, 0_usize..4).prop_map(|(min, more)| Ngrams::new(min, min + more).unwrap())
}

proptest! {
    #[test]
    fn turned_round_the_verdict_is_the_same((left, right) in texts(), ngrams in ngrams()) {
        match (judged(&left, &right, ngrams), judged(&right, &left, ngrams)) {
            (Ok(one), Ok(other)) => {
                prop_assert_eq!(decision_turned(&one.decision), other.decision);
                let Comparison { all, longest, passages, .. } = one.comparison;
                let (all, longest) = (turned(all), turned(longest));
                let passages = passages.map(|it| {
                    let [left, right] = it.same;
                    Coverage { left: it.right, right: it.left, same: [right, left], ..it }
                });
                let want = Comparison { all, longest, passages, ..one.comparison };
                prop_assert_eq!(want, other.comparison);
                prop_assert_eq!((one.left, one.right), (other.right, other.left));
                prop_assert_eq!((one.languages.left, one.languages.right), (other.languages.right, other.languages.left));
            }
            (one, other) => prop_assert!(one.is_err() && other.is_err()),
        }
    }

    #[test]
    fn a_text_is_identical_to_itself_or_has_no_word(text in any::<String>(), ngrams in ngrams()) {
        match judged(&text, &text, ngrams) {
            Ok(judgement) => prop_assert_eq!(judgement.decision.verdict, Verdict::Identical),
            Err(error) => {
                let wordless = matches!(error, Undecided::Wordless { .. });
                prop_assert!(wordless, "{}", error);
            }
        }
    }

    #[test]
    fn figures_are_within_their_bounds((left, right) in texts(), ngrams in ngrams()) {
        if let Ok(judgement) = judged(&left, &right, ngrams) {
            let figures = judgement.comparison;
            for overlap in [figures.all, figures.longest] {
                prop_assert!(overlap.shared <= overlap.left.min(overlap.right));
            }
            let sets = figures.all.left > 0 && figures.all.right > 0;
            prop_assert_eq!(figures.jaccard().is_some(), sets);
            prop_assert_eq!(figures.hamming.is_some(), sets);
        }
    }

    /// Checks that a text inside another one has containment 1, whatever else the other one
    /// contains.
    #[test]
    fn a_text_inside_another_is_contained(
        head in "([a-z]{3,9} ){0,20}", inner in "([a-z]{3,9} ){3,20}", tail in "([a-z]{3,9} ){0,20}",
    ) {
        let recipe = Recipe { languages: none(), ..Recipe::default() };
        let text = |text: &str| Text::from_bytes(Path::new("x"), text.into()).unwrap();
        let judgement = pair::judge(&text(&inner), &text(&(head + &inner + &tail)), &recipe).unwrap();
        let contained = judgement.comparison.containment_left().unwrap();
        prop_assert_eq!(contained.shared(), contained.total());
    }
}

fn none() -> dedup_text::language::Choice {
    use dedup_text::language::{Choice, Given};
    Choice { left: Given::As(None), right: Given::As(None) }
}

proptest! {
    #[test]
    fn no_passage_has_a_word_of_what_is_left_out(
        parts in proptest::collection::vec("((a|b|c|d|e|f|g|h|水) ){0,9}", 0..8), kept in any::<u8>(),
    ) {
        let quoted = |words: &str| format!("“{words}a b c d e” ");
        let text = |is_quoted: &dyn Fn(usize) -> bool| {
            let parts = parts.iter().enumerate();
            let parts = parts.map(|(k, part)| if is_quoted(k) { quoted(part) } else { part.clone() });
            let text = parts.collect::<String>() + "\n\nReferences\n\na b c d e f g h\n";
            Text::from_bytes(Path::new("x"), text.into()).unwrap()
        };
        let (left, right) = (text(&|k| k % 2 == 1), text(&|k| kept >> k & 1 == 1));
        let recipe = Recipe {
            ignored: vec![Why::Quotes, Why::Bibliography],
            min_match: MinMatch::new(3).unwrap(),
            ..Recipe::default()
        };
        if let Ok(judgement) = pair::judge(&left, &right, &recipe) {
            let left_out = [&judgement.left_out_of_left, &judgement.left_out_of_right];
            for found in judgement.matches.unwrap().all {
                for (place, left_out) in [found.left, found.right].iter().zip(left_out) {
                    let words = &place.content;
                    let overlaps = left_out.iter().any(|part| part.span.start < words.end && words.start < part.span.end);
                    prop_assert!(!overlaps, "{words:?} {left_out:?}");
                }
            }
        }
    }
}
