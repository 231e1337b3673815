//! Warns of markers in texts that have no effect.

use std::num::NonZeroUsize;

use dedup_text::display::{file_of, position};
use dedup_text::pair::warnings::{marks_nothing, used_stretches};
use dedup_text::pair::{Recipe, Search};
use dedup_text::parallel;
use dedup_text::text::marked::REPORTED;
use dedup_text::text::{Text, display_path};
use dedup_text::tokens::exclusions::Why;

use crate::diagnostics;
use crate::model::corpus::Answer;

/// Warns of the marked stretches of two texts of which nothing occurs in the other text.
pub(crate) fn warn_unused_markers(left: &Text, right: &Text, recipe: &Recipe) {
    if !recipe.ignored.contains(&Why::Marked) {
        return;
    }
    warn_of_unused_stretches(left, &used_stretches(left, right, recipe));
    warn_of_unused_stretches(right, &used_stretches(right, left, recipe));
}

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

/// Warns of the stretches of a text that are not used.
fn warn_of_unused_stretches(text: &Text, used: &[bool]) {
    let stretches = text.marked().stretches.iter().zip(used).filter(|(_, used)| !**used);
    // Excludes the line end of the last marker, which would extend the range to the next line.
    let ranges = stretches.map(|(stretch, _)| {
        let whole = stretch.whole.clone();
        whole.start..whole.start + text.content()[whole].trim_end().len()
    });
    let ranges: Vec<_> = ranges.collect();
    for place in text.places(&ranges) {
        let at = file_of(text, &place) + &position(&place);
        diagnostics::warn(
            &display_path(text.path()),
            &format!("nothing marked in {at} occurs in another text: remove the markers"),
        );
    }
}
