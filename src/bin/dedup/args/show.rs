//! `dedup text FILE`: the text that is compared.

use std::path::PathBuf;

use clap::Parser;

use super::{Opening, SettingsFlags};

/// Print the text that is compared: decoded, taken out of its document, and as its reader
/// sees it
#[derive(Debug, Parser)]
#[command(name = "dedup text", max_term_width = 80, args_override_self = true)]
#[command(help_template = "{about}\n\n{usage-heading} {usage}\n\n{all-args}{after-help}\n")]
#[command(override_usage = "dedup text FILE [OPTIONS]   (- is standard input)")]
pub(crate) struct ShowFlags {
    /// The file; - is standard input
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,

    #[command(flatten)]
    pub(crate) opening: Opening,

    #[command(flatten)]
    pub(crate) settings: SettingsFlags,
}
