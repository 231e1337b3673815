//! `dedup text FILE`: prints a text as it would be compared.

use std::path::PathBuf;

use clap::Args;
use dedup_text::text::Text;

use crate::args::{HELP, Opening, SettingsFlags};
use crate::diagnostics::{self, Exit};
use crate::io::inputs::source::check_disguises;
use crate::outputs;

const ENCODING: &str = "Encoding of the file, such as latin1\n\nA name from the WHATWG Encoding Standard. Without this flag the encoding is that of the byte order mark if there is one, otherwise UTF-8 if the bytes are valid, otherwise it is detected.";

/// Print the text of a file as it is compared
///
/// The text is decoded, extracted from its document, and shown as a reader sees it.
#[derive(Args, Debug)]
#[command(args_override_self = true, help_template = HELP)]
#[command(override_usage = "dedup text FILE [OPTIONS]   (- is standard input)")]
#[command(mut_arg("encoding", |arg| arg.help("Encoding of the file, such as latin1").long_help(ENCODING)))]
pub(crate) struct TextFlags {
    /// The file; - is standard input
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,

    #[command(flatten)]
    pub(crate) opening: Opening,

    #[command(flatten)]
    pub(crate) settings: SettingsFlags,
}

/// Prints the text of a file as it would be compared.
pub(crate) fn answer(flags: &TextFlags) -> anyhow::Result<Exit> {
    let reading = flags.opening.reading_without_sides("there is only one text")?;
    let text = Text::open(&flags.file, &reading)?;
    check_disguises(&text, flags.opening.disguises)?;
    diagnostics::warn_of(&text);
    outputs::print(text.content())
}
