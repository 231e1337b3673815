//! Warns of markers in the texts of a corpus that have no effect.

use std::num::NonZeroUsize;

use dedup_text::pair::Search;
use dedup_text::pair::warnings::{marks_nothing, used_stretches};
use dedup_text::parallel;
use dedup_text::text::Text;
use dedup_text::text::marked::REPORTED;
use dedup_text::tokens::exclusions::Why;

use super::model::Answer;
use crate::diagnostics;
use crate::outputs::markers::warn_of_unused_stretches;

/// Warns of markers without a counterpart in the texts of a corpus and, on request, of marked
/// stretches of which nothing occurs in another text.
pub(crate) fn warn_of_markers(answer: &Answer, warns_of_unused: bool, threads: NonZeroUsize) {
    if !answer.recipe.ignored.contains(&Why::Marked) {
        return;
    }
    for (number, document) in (0..).zip(&answer.corpus().documents) {
        for lone in document.text.marked().lone.iter().take(REPORTED) {
            diagnostics::warn(&answer.name(number), &format!("has {}", marks_nothing(lone)));
        }
    }
    if !warns_of_unused {
        return;
    }
    let place = |text| answer.corpus().collection.place(text);
    let count = u32::try_from(answer.corpus().documents.len()).unwrap_or(u32::MAX);
    for marked in 0..count {
        if answer.document(marked).text.marked().stretches.is_empty() {
            continue;
        }
        let Some(text) = with_content(answer, marked) else { continue };
        let others: Vec<u32> = (0..count)
            .filter(|other| *other != marked && place(marked).is_compared_with(place(*other)))
            .collect();
        let found = parallel::map(threads, others, |other| {
            let other = with_content(answer, other)?;
            Some(used_stretches(&text, &other, answer.recipe))
        });
        let mut used = vec![false; text.marked().stretches.len()];
        for found in found.iter().flatten() {
            used.iter_mut().zip(found).for_each(|(used, found)| *used |= found);
        }
        warn_of_unused_stretches(&text, &used);
    }
}

/// Returns a text of a corpus with its content, which is read again if it was not kept in memory.
/// `None` if the text cannot be opened again.
fn with_content(answer: &Answer, number: u32) -> Option<Text> {
    if answer.recipe.search == Search::Never {
        return answer.gathered.open_again(number);
    }
    Some(answer.document(number).text.clone())
}
