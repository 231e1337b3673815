//! Help, version and bad usage: clap's findings in our words.

use std::ffi::OsString;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{CommandFactory, Parser};

use super::settings::Settled;
use super::tree::{
    self, CALIBRATE, CLUSTERS, COMPLETIONS, CONFIG, CORPUS, CompletionsFlags, MAN, ManFlags, PART,
    SHOW,
};
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
    let mut merged = match config::merge(&F::command, &tree::comparing, arguments) {
        Ok(merged) => merged,
        Err(NotMerged::Typed(told)) => return told_of(&told, F::command().get_name()),
        Err(NotMerged::Settings(trouble)) => return Err(trouble.into()),
    };
    let figures = if F::FIGURES.is_empty() {
        Vec::new() // a command is not made for nothing: that takes a hundredth of a short run
    } else {
        config::said_lines(&F::command(), &merged, F::FIGURES)
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
    let command = tree::config();
    match config::merge(&tree::config, &tree::comparing, arguments) {
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
