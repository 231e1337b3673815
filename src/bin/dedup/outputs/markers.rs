//! Warns of markers in texts that have no effect.

use dedup_text::display::{file_of, position};
use dedup_text::pair::Recipe;
use dedup_text::pair::warnings::used_stretches;
use dedup_text::text::{Text, display_path};
use dedup_text::tokens::exclusions::Why;

use crate::diagnostics;

/// Warns of the marked stretches of two texts of which nothing occurs in the other text.
pub(crate) fn warn_unused_markers(left: &Text, right: &Text, recipe: &Recipe) {
    if !recipe.ignored.contains(&Why::Marked) {
        return;
    }
    warn_of_unused_stretches(left, &used_stretches(left, right, recipe));
    warn_of_unused_stretches(right, &used_stretches(right, left, recipe));
}

/// Warns of the stretches of a text that are not used.
pub(crate) fn warn_of_unused_stretches(text: &Text, used: &[bool]) {
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
