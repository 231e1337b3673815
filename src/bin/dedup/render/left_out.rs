//! What was left out of a text, counted.

use std::collections::BTreeMap;

use dedup_text::pair::Judgement;
use dedup_text::tokens::exclusions::{LeftOut, Why};

use crate::words::counted as of;

/// For each reason there is, in a fixed order: the parts left out and their words.
pub(super) fn counted(left_out: &[LeftOut]) -> impl Iterator<Item = (Why, usize, usize)> {
    let mut reasons = BTreeMap::new();
    for part in left_out {
        let (parts, words) = reasons.entry(part.why).or_insert((0, 0));
        *parts += 1;
        *words += part.words;
    }
    reasons.into_iter().map(|(why, (parts, words))| (why, parts, words))
}

/// What was left out of left and of right, for a person: `57 words (quotes 40, bibliography 17)`;
/// none where nothing was.
pub(super) fn of_sides(judgement: &Judgement) -> [Option<String>; 2] {
    [&judgement.left_out_of_left, &judgement.left_out_of_right].map(|out| {
        let words = out.iter().map(|part| part.words).sum();
        (!out.is_empty()).then(|| format!("{} ({})", of(words, "word"), reasons(out)))
    })
}

fn reasons(left_out: &[LeftOut]) -> String {
    let reasons = counted(left_out).map(|(why, _, words)| format!("{} {words}", why.name()));
    reasons.collect::<Vec<_>>().join(", ")
}

/// What was left out, for a person: ` 57 words left out (quotes 40, bibliography 17);`.
pub(super) fn told(left_out: &[LeftOut]) -> String {
    if left_out.is_empty() {
        return String::new();
    }
    let words = left_out.iter().map(|part| part.words).sum();
    format!("{} left out ({}); ", of(words, "word"), reasons(left_out))
}
