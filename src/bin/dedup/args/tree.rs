//! All commands as one: for completions, the manual and the settings.

use clap::{Arg, ArgAction, Command, CommandFactory, Parser, ValueEnum};

use super::{CalibrateFlags, ClustersFlags, CorpusFlags, Flags, PartFlags, ShowFlags};

/// The name of the subcommand that shows a text.
pub(super) const SHOW: &str = "text";

/// The name of the subcommand that compares many texts.
pub(super) const CORPUS: &str = "corpus";

/// The name of the subcommand that chooses limits.
pub(super) const CALIBRATE: &str = "calibrate";

/// The name of the subcommand that does a step of a corpus in parts.
pub(super) const PART: &str = "part";

/// The name of the subcommand that clusters pairs.
pub(super) const CLUSTERS: &str = "clusters";

/// The name of the subcommand that prints the settings.
pub(super) const CONFIG: &str = "config";

/// The name of the subcommand that prints completions.
pub(super) const COMPLETIONS: &str = "completions";

/// The name of the subcommand that prints the manual.
pub(super) const MAN: &str = "man";

/// The flags that two texts and many have.
const BOTH: &str = "Two texts and many";
/// Those of two texts alone.
const PAIR: &str = "Two texts";
/// Those of many alone.
const MANY: &str = "Many texts";

/// Print what completes the command line of dedup in a shell
///
/// bash: dedup completions bash > ~/.local/share/bash-completion/completions/dedup
#[derive(Debug, Parser)]
#[command(name = "dedup completions", max_term_width = 80)]
#[command(help_template = "{about}\n\n{usage-heading} {usage}\n\n{all-args}{after-help}\n")]
#[command(override_usage = "dedup completions SHELL")]
pub(super) struct CompletionsFlags {
    /// bash, zsh, fish or powershell
    #[arg(value_name = "SHELL", hide_possible_values = true)]
    pub(super) shell: Shell,
}

/// A shell that completes.
#[derive(Clone, Copy, Debug, Eq, PartialEq, ValueEnum)]
pub(super) enum Shell {
    Bash,
    Zsh,
    Fish,
    Powershell,
}

impl From<Shell> for clap_complete::Shell {
    fn from(shell: Shell) -> Self {
        match shell {
            Shell::Bash => Self::Bash,
            Shell::Zsh => Self::Zsh,
            Shell::Fish => Self::Fish,
            Shell::Powershell => Self::PowerShell,
        }
    }
}

/// Print the manual as a page of roff
///
/// dedup man | man -l - shows it.
#[derive(Debug, Parser)]
#[command(name = "dedup man", max_term_width = 80)]
#[command(help_template = "{about}\n\n{usage-heading} {usage}\n\n{all-args}{after-help}\n")]
#[command(override_usage = "dedup man")]
pub(super) struct ManFlags {}

/// The commands that compare, or show what is compared.
pub(super) fn comparing() -> Vec<Command> {
    vec![Flags::command(), CorpusFlags::command(), ShowFlags::command()]
}

/// `dedup config`: the flags of two texts, and those that many have beside them.
pub(super) fn config() -> Command {
    let (pair, many) = (Flags::command(), CorpusFlags::command());
    let of = |command: &Command, arg: &Arg| {
        command.get_arguments().find(|other| other.get_id() == arg.get_id()).cloned()
    };
    let flags = |command: &Command| -> Vec<Arg> {
        command.get_arguments().filter(|arg| !arg.is_positional()).cloned().collect()
    };
    let mut args = Vec::new();
    for arg in flags(&pair) {
        let heading = if of(&many, &arg).is_some() { BOTH } else { PAIR };
        // Many texts can be answered for in more formats than two.
        let names = |arg: &Arg| arg.get_possible_values().len();
        let wider = of(&many, &arg).filter(|other| names(other) > names(&arg));
        args.push(wider.unwrap_or(arg).help_heading(heading));
    }
    let more = flags(&many).into_iter().filter(|arg| of(&pair, arg).is_none());
    args.extend(more.map(|arg| arg.help_heading(MANY)));
    args.sort_by_key(|arg| {
        [BOTH, PAIR, MANY].iter().position(|heading| arg.get_help_heading() == Some(heading))
    });
    Command::new("dedup config")
        .about("Print all settings as TOML, and where each comes from")
        .override_usage("dedup config [OPTIONS]")
        .help_template("{about}\n\n{usage-heading} {usage}\n\n{all-args}{after-help}\n")
        .max_term_width(80)
        .args_override_self(true)
        .args(args)
        .arg(
            Arg::new("schema")
                .long("schema")
                .action(ArgAction::SetTrue)
                .help("Print the JSON Schema of dedup.toml instead, for editors"),
        )
        .arg(Arg::new("texts").value_name("PATH").num_args(0..).hide(true))
}

/// The program with its commands below it, without the two texts: commands stand in their
/// place.
pub(crate) fn command_tree() -> Command {
    let commands = [
        (SHOW, ShowFlags::command()),
        (CORPUS, CorpusFlags::command()),
        (CALIBRATE, CalibrateFlags::command()),
        (PART, PartFlags::command()),
        (CLUSTERS, ClustersFlags::command()),
        (CONFIG, config()),
        (COMPLETIONS, CompletionsFlags::command()),
        (MAN, ManFlags::command()),
    ];
    let commands =
        commands.map(|(name, command)| command.name(name).bin_name(format!("dedup {name}")));
    let root = Flags::command();
    let flags: Vec<Arg> =
        root.get_arguments().filter(|arg| !arg.is_positional()).cloned().collect();
    let after = root.get_after_long_help().cloned().unwrap_or_default();
    Command::new("dedup")
        .version(env!("CARGO_PKG_VERSION"))
        .about(root.get_about().cloned().unwrap_or_default())
        .after_long_help(after)
        .args(flags)
        .disable_help_subcommand(true)
        .subcommands(commands)
}
