//! Help, version and bad usage: clap's findings in our words.

use std::ffi::OsString;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, ArgAction, Command, CommandFactory, Parser, ValueEnum};

use super::settings::Settled;
use super::{CalibrateFlags, ClustersFlags, CorpusFlags, Flags, PartFlags, ShowFlags};
use crate::config::{self, NotMerged};
use crate::diagnostics::Diagnostic;

/// What stands below the flags in `--help`.
pub(super) const AFTER_HELP: &str = "\
Exit status:
  0  near-duplicate or identical; with --at-least LEVEL, that verdict or closer;
     with --fail-on LEVEL, a verdict less close than that
  1  the opposite
  2  trouble: a file that cannot be read or judged, or bad usage

Examples:
  dedup left.txt right.txt --max 3 --min 3     the classic setting
  dedup draft.txt - --explain < final.txt      every stage, step by step
  dedup --quiet --fail-on partial a.txt b.txt  in CI: fails on copies

dedup text FILE prints the text that is compared; dedup corpus PATH… compares all
texts with each other; dedup part does the work on each text inside Spark, DuckDB and the
like, and dedup clusters tells what hangs together by the pairs that they find; dedup calibrate PAIRS.tsv chooses limits by pairs whose answer is known. A file named
text is ./text.

dedup config prints the settings, and where each comes from; dedup completions SHELL what
completes the command line; dedup man the manual.";

/// What the command line asks for.
#[derive(Debug)]
pub(crate) enum Request {
    /// Help or the version.
    Help(String),
    /// The verdict on two texts.
    Compare(Box<Flags>),
    /// The text that is compared.
    Show(Box<ShowFlags>),
    /// The pairs of many texts.
    Corpus(Box<CorpusFlags>),
    /// Limits that fit labelled pairs.
    Calibrate(Box<CalibrateFlags>),
    /// A step of a corpus in parts.
    Part(Box<PartFlags>),
    /// What hangs together by pairs that were found.
    Clusters(ClustersFlags),
    /// The settings that a run would have.
    Config(String),
    /// The completions of a shell.
    Completions(clap_complete::Shell),
    /// The manual.
    Manual,
}

impl Request {
    /// The name of the subcommand that answers it; none where it is the comparison of two texts,
    /// or help.
    pub(crate) fn command(&self) -> Option<&'static str> {
        match self {
            Self::Help(_) | Self::Compare(_) => None,
            Self::Show(_) => Some(SHOW),
            Self::Corpus(_) => Some(CORPUS),
            Self::Calibrate(_) => Some(CALIBRATE),
            Self::Part(_) => Some(PART),
            Self::Clusters(_) => Some(CLUSTERS),
            Self::Config(_) => Some(CONFIG),
            Self::Completions(_) => Some(COMPLETIONS),
            Self::Manual => Some(MAN),
        }
    }
}

/// Reads the command line, the program's name first. A first argument that is exactly the
/// name of a subcommand is that.
pub(crate) fn read(arguments: impl IntoIterator<Item = OsString>) -> anyhow::Result<Request> {
    let arguments: Vec<OsString> = arguments.into_iter().collect();
    match arguments.get(1).and_then(|first| first.to_str()) {
        Some(SHOW) => settled(&arguments[1..], |_: &ShowFlags| Ok(()), Request::Show),
        Some(CORPUS) => settled(&arguments[1..], CorpusFlags::check, Request::Corpus),
        Some(CALIBRATE) => settled(
            &arguments[1..],
            |flags: &CalibrateFlags| Ok(flags.check()?),
            Request::Calibrate,
        ),
        Some(PART) => typed(&arguments[1..], |flags: PartFlags| {
            flags.check()?;
            Ok(Request::Part(Box::new(flags)))
        }),
        Some(CLUSTERS) => typed(&arguments[1..], |flags: ClustersFlags| {
            flags.check()?;
            Ok(Request::Clusters(flags))
        }),
        Some(CONFIG) => config(&arguments[1..]),
        Some(COMPLETIONS) => typed(&arguments[1..], |flags: CompletionsFlags| {
            Ok(Request::Completions(flags.shell.into()))
        }),
        Some(MAN) => typed(&arguments[1..], |ManFlags {}| Ok(Request::Manual)),
        _ => settled(&arguments, |flags: &Flags| Ok(flags.check()?), Request::Compare),
    }
}

/// Reads the flags of a command, with the settings below them.
fn settled<F: Parser + Settled>(
    arguments: &[OsString],
    check: impl FnOnce(&F) -> anyhow::Result<()>,
    request: impl FnOnce(Box<F>) -> Request,
) -> anyhow::Result<Request> {
    let mut merged = match config::merge(&F::command, &comparing, arguments) {
        Ok(merged) => merged,
        Err(NotMerged::Typed(told)) => return told_of(&told, F::command().get_name()),
        Err(NotMerged::Settings(trouble)) => return Err(trouble.into()),
    };
    let figures = if F::FIGURES.is_empty() {
        Vec::new() // a command is not made for nothing: that takes a hundredth of a short run
    } else {
        config::set_lines(&F::command(), &merged, F::FIGURES)
    };
    let mut flags = match F::from_arg_matches_mut(&mut merged.matches) {
        Ok(flags) => flags,
        Err(told) => return told_of(&told.format(&mut merged.command), F::command().get_name()),
    };
    flags.settings().take(merged.settings, figures);
    let checked = check(&flags);
    flags.settings().with_setting_origin(checked)?;
    Ok(request(Box::new(flags)))
}

/// The settings that a command line would go by.
fn config(arguments: &[OsString]) -> anyhow::Result<Request> {
    let command = config_command();
    match config::merge(&config_command, &comparing, arguments) {
        Ok(merged) if merged.matches.get_flag("schema") => {
            let schema = serde_json::to_string_pretty(&config::schema(&command))?;
            Ok(Request::Config(schema + "\n"))
        }
        Ok(merged) => Ok(Request::Config(config::page(&command, &merged))),
        Err(NotMerged::Typed(told)) => told_of(&told, command.get_name()),
        Err(NotMerged::Settings(trouble)) => Err(trouble.into()),
    }
}

/// Reads the flags of a command that has no settings.
fn typed<F: Parser>(
    arguments: &[OsString],
    request: impl FnOnce(F) -> anyhow::Result<Request>,
) -> anyhow::Result<Request> {
    match F::try_parse_from(arguments) {
        Ok(flags) => request(flags),
        Err(told) => told_of(&told, F::command().get_name()),
    }
}

/// Help and the version, which are asked for; all else that clap tells is trouble.
fn told_of(told: &clap::Error, command: &str) -> anyhow::Result<Request> {
    match told.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => Ok(Request::Help(told.to_string())),
        _ => {
            let ours = || in_our_words(&told.to_string(), command);
            Err(of_a_corpus(told, command).unwrap_or_else(ours).into())
        }
    }
}

/// What is said of a flag for two texts that only a corpus has.
fn of_a_corpus(error: &clap::Error, command: &str) -> Option<Diagnostic> {
    let Some(ContextValue::String(flag)) = error.get(ContextKind::InvalidArg) else { return None };
    let of_corpus = CorpusFlags::command();
    let is_there =
        of_corpus.get_arguments().any(|known| known.get_long() == flag.strip_prefix("--"));
    let is_unknown = error.kind() == ErrorKind::UnknownArgument && command != of_corpus.get_name();
    (is_unknown && flag.starts_with("--") && is_there).then(|| {
        Diagnostic::new(format!("{flag} is for a corpus only, wanted no such flag here"))
            .hint(format!("dedup corpus PATH… {flag} … compares all texts with each other"))
    })
}

/// clap writes `error: …`, then lines of advice, then the usage; we write what was
/// found on one line and the advice on another.
fn in_our_words(rendered: &str, command: &str) -> Diagnostic {
    let mut lines = rendered.lines().map(str::trim).filter(|line| !line.is_empty());
    let first = lines.next().unwrap_or("bad usage");
    let mut message = first.strip_prefix("error: ").unwrap_or(first).to_owned();
    let mut hints = Vec::new();
    for line in
        lines.take_while(|line| !line.starts_with("Usage:") && !line.starts_with("For more"))
    {
        match line.strip_prefix("tip: ") {
            Some(tip) => hints.push(tip.to_owned()),
            None => message = format!("{message} {line}"),
        }
    }
    hints.push(format!("{command} --help lists the flags"));
    Diagnostic::new(message).hint(hints.join("; "))
}

// All commands as one: for completions, the manual and the settings.

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
pub(super) fn config_command() -> Command {
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
        (CONFIG, config_command()),
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
