//! `dedup text FILE`: the text of a file as it would be compared.

use dedup_text::text::Text;

use crate::args::TextFlags;
use crate::diagnostics;
use crate::exit::Exit;
use crate::io::inputs::source::check_disguises;
use crate::io::output;

/// Prints the text of a file as it would be compared.
pub(crate) fn answer(flags: &TextFlags) -> anyhow::Result<Exit> {
    let text = Text::open(&flags.file, &flags.opening.reading_of_one()?)?;
    check_disguises(&text, flags.opening.disguises())?;
    diagnostics::warn_of(&text);
    output::write_text(text.content())?;
    Ok(Exit::Success)
}
