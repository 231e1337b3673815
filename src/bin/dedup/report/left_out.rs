//! What was left out of a text, counted.

use dedup_text::exclusions::{LeftOut, Why};

use super::words::counted as of;

/// For each reason there is, in a fixed order: the parts left out and their words.
pub(super) fn counted(left_out: &[LeftOut]) -> impl Iterator<Item = (Why, usize, usize)> {
    Why::ALL.into_iter().filter_map(|why| {
        let parts = || left_out.iter().filter(|part| part.why == why);
        let words = parts().map(|part| part.words).sum();
        (parts().count() > 0).then(|| (why, parts().count(), words))
    })
}

/// What was left out, for a person: ` 57 words left out (quotes 40, bibliography 17);`.
pub(super) fn told(left_out: &[LeftOut]) -> String {
    let reasons: Vec<String> =
        counted(left_out).map(|(why, _, words)| format!("{} {words}", why.name())).collect();
    if reasons.is_empty() {
        return String::new();
    }
    let words = left_out.iter().map(|part| part.words).sum();
    format!("{} left out ({}); ", of(words, "word"), reasons.join(", "))
}
