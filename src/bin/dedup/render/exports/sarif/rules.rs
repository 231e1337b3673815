//! The verdicts as rules: what each means, and how grave it is.

use dedup_text::verdict::Verdict;
use serde_json::{Value, json};

use crate::render::exports::findings::level;

/// The rules, the closest first.
pub(super) fn all() -> Vec<Value> {
    Verdict::LADDER.into_iter().rev().map(rule).collect()
}

/// The place of a verdict among the rules.
pub(super) fn index(verdict: Verdict) -> Option<usize> {
    Verdict::LADDER.into_iter().rev().position(|rung| rung == verdict)
}

fn rule(verdict: Verdict) -> Value {
    let (short, help) = match verdict {
        Verdict::Identical => (
            "Two texts have the same words in the same order.",
            "Case, punctuation and layout do not count. Keep one of the texts, or cite the other.",
        ),
        Verdict::NearDuplicate => (
            "Two texts are near-duplicates.",
            "The Hamming distance of their fingerprints is within its limit (--hamming), or the \
             Jaccard index of their shingles reaches its own (--jaccard). Read both texts: a \
             near-duplicate may say the opposite.",
        ),
        Verdict::Partial => (
            "Two texts share a part.",
            "The passages that both texts have are so great a share of one of them as the limit \
             says (--coverage), or the Jaccard index of their shingles reaches the limit of a part \
             (--partial-jaccard). What is quoted or given to everyone can be left out (--ignore, \
             --template).",
        ),
        Verdict::Excerpt => (
            "Two texts share a passage.",
            "At least one passage is in both texts (--min-match), less than the limits of a part \
             ask for. What is quoted or given to everyone can be left out (--ignore, --template).",
        ),
        Verdict::Different => (
            "Two texts were compared, and no figure reaches its limit.",
            "It is told because every pair was asked for (different as the level).",
        ),
    };
    json!({
        "id": verdict.name(),
        "shortDescription": {"text": short},
        "fullDescription": {"text": format!("{short} {help}")},
        "help": {"text": help, "markdown": help},
        "defaultConfiguration": {"level": level(verdict)},
        "properties": {"tags": ["duplication"]},
    })
}
