//! Markers in texts → warnings of those that do nothing.

use std::num::NonZeroUsize;

use dedup_text::pair::markers;
use dedup_text::pair::warnings::marks_nothing;
use dedup_text::pair::{Recipe, Search};
use dedup_text::parallel;
use dedup_text::text::marked::REPORTED;
use dedup_text::text::{Text, display_path};
use dedup_text::tokens::exclusions::Why;
use dedup_text::words::{file_of, position};

use crate::diagnostics;
use crate::model::corpus::Answer;

/// Warns of the marked stretches of a pair that hide nothing.
pub(crate) fn warn_unused(left: &Text, right: &Text, recipe: &Recipe) {
    if !recipe.ignored.contains(&Why::Marked) {
        return;
    }
    warn(left, &markers::used(left, right, recipe));
    warn(right, &markers::used(right, left, recipe));
}

/// Warns of the markers of a corpus without a counterpart and, where that is asked for, of those
/// that hide nothing.
pub(crate) fn warn_of_corpus(answer: &Answer, warns_of_unused: bool, threads: NonZeroUsize) {
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
        let Some(text) = whole(answer, marked) else { continue };
        let others: Vec<u32> = (0..count)
            .filter(|other| *other != marked && place(marked).faces(place(*other)))
            .collect();
        let found = parallel::each(
            threads,
            others,
            || (),
            |(), other| {
                let other = whole(answer, other)?;
                Some(markers::used(&text, &other, answer.recipe))
            },
        );
        let mut used = vec![false; text.marked().stretches.len()];
        for found in found.iter().flatten() {
            used.iter_mut().zip(found).for_each(|(used, found)| *used |= found);
        }
        warn(&text, &used);
    }
}

/// A text of a corpus with its content; none where it cannot be opened again.
fn whole(answer: &Answer, number: u32) -> Option<Text> {
    if answer.recipe.search == Search::Never {
        return answer.gathered.open_again(number);
    }
    Some(answer.document(number).text.clone())
}

/// Warns of the stretches of a text that are not used.
fn warn(text: &Text, used: &[bool]) {
    let stretches = text.marked().stretches.iter().zip(used).filter(|(_, used)| !**used);
    // The line end of the last marker begins no line of the stretch.
    let ranges = stretches.map(|(stretch, _)| {
        let whole = stretch.whole.clone();
        whole.start..whole.start + text.content()[whole].trim_end().len()
    });
    let ranges: Vec<_> = ranges.collect();
    for place in text.places(&ranges) {
        let at = file_of(text, &place) + &position(&place);
        diagnostics::warn(
            &display_path(text.path()),
            &format!("nothing that is marked in {at} stands in another text: remove the markers"),
        );
    }
}
