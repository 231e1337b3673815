//! What everyone was given, and what is left of a text without it.

use super::vocabulary::WordSequence;
use crate::pair::recipe::Recipe;
use crate::pair::undecided::Undecided;
use crate::passages::Sequence;
use crate::text::Text;
use crate::tokens::exclusions::Remaining;

/// The words of a text that everyone was given, for [`Recipe::templates`].
///
/// # Errors
///
/// [`Undecided::Wordless`] where it has none.
pub fn template(text: &Text) -> Result<Sequence, Undecided> {
    let words = WordSequence::of(text).sequence;
    if words.words.is_empty() {
        return Err(Undecided::wordless(text.path(), text.content()));
    }
    Ok(words)
}

/// What counts of a text.
pub(crate) fn remaining<'t>(text: &'t Text, recipe: &Recipe) -> Remaining<'t> {
    if recipe.templates.all.is_empty() {
        return Remaining::of(text, &recipe.ignored, &[]);
    }
    let written = WordSequence::of(text);
    let given = recipe.templates.shared_with(&written.sequence);
    Remaining::of(text, &recipe.ignored, &written.spans(text, &given))
}
