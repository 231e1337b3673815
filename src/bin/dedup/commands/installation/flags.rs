//! The flags of the commands for an installation.

use clap::Args;
use clap::builder::PossibleValuesParser;

use crate::args;

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
