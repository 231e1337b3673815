//! `dedup text FILE`: prints a text as it would be compared.

use dedup_text::text::Text;

use crate::args::TextFlags;
use crate::diagnostics::{self, Exit};
use crate::io::inputs::source::check_disguises;
use crate::outputs;

/// Prints the text of a file as it would be compared.
pub(crate) fn answer(flags: &TextFlags) -> anyhow::Result<Exit> {
    let text = Text::open(&flags.file, &flags.opening.reading_of_one()?)?;
    check_disguises(&text, flags.opening.disguises)?;
    diagnostics::warn_of(&text);
    outputs::print(text.content())
}
