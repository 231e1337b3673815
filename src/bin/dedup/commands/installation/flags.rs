//! The flags of the commands for an installation: the page and completions.

use std::path::PathBuf;

use clap::Args;
use clap::builder::PossibleValuesParser;

use crate::args;

/// Write the web page that compares texts in a browser
///
/// dedup.html is the same program in one file: drop texts, a folder or a ZIP file on it; nothing is
/// uploaded. A release has it next to the program, or in share/dedup. Without --output the path of
/// the page is printed.
#[derive(Args, Debug)]
#[command(override_usage = "dedup web [--output FILE]", help_template = args::HELP)]
pub(crate) struct WebFlags {
    /// Write the page to a file; - is standard output
    ///
    /// It is written completely or not at all. Only an empty file or an earlier output of dedup is
    /// replaced.
    #[arg(long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}

/// Print the completion script for a shell
///
/// At each tab, the shell asks the dedup on its PATH for the possible completions. bash: dedup
/// completions bash > ~/.local/share/bash-completion/completions/dedup
#[derive(Args, Debug)]
#[command(override_usage = "dedup completions SHELL", help_template = args::HELP)]
pub(crate) struct CompletionsFlags {
    /// bash, zsh, fish or powershell
    #[arg(
        value_name = "SHELL",
        value_parser = PossibleValuesParser::new(["bash", "zsh", "fish", "powershell"])
    )]
    pub(crate) shell: String,
}
