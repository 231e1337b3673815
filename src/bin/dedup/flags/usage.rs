//! Help, version and bad usage: clap's findings in our words.

use std::ffi::OsString;

use clap::Parser;
use clap::error::ErrorKind;

use super::{CorpusFlags, Flags, ShowFlags};
use crate::trouble::Usage;

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
texts with each other. A file named text is ./text.";

/// What the command line asks for.
#[derive(Debug)]
pub(crate) enum Request {
    /// Help or the version.
    Tell(String),
    /// The verdict on two texts.
    Compare(Box<Flags>),
    /// The text that is compared.
    Show(Box<ShowFlags>),
    /// The pairs of many texts.
    Corpus(Box<CorpusFlags>),
}

/// The name of the subcommand that shows a text.
pub(crate) const SHOW: &str = "text";

/// The name of the subcommand that compares many texts.
pub(crate) const CORPUS: &str = "corpus";

/// Reads the command line, the program's name first. A first argument that is exactly the
/// name of a subcommand is that.
pub(crate) fn read(arguments: impl IntoIterator<Item = OsString>) -> anyhow::Result<Request> {
    let arguments: Vec<OsString> = arguments.into_iter().collect();
    match arguments.get(1).and_then(|first| first.to_str()) {
        Some(SHOW) => parsed(&arguments[1..], |flags| Ok(Request::Show(flags))),
        Some(CORPUS) => parsed(&arguments[1..], |flags: Box<CorpusFlags>| {
            flags.check()?;
            Ok(Request::Corpus(flags))
        }),
        _ => parsed(&arguments, |flags: Box<Flags>| {
            flags.check()?;
            Ok(Request::Compare(flags))
        }),
    }
}

fn parsed<F: Parser>(
    arguments: &[OsString],
    request: impl FnOnce(Box<F>) -> anyhow::Result<Request>,
) -> anyhow::Result<Request> {
    match F::try_parse_from(arguments) {
        Ok(flags) => request(Box::new(flags)),
        Err(told) if matches!(told.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion) => {
            Ok(Request::Tell(told.to_string()))
        }
        Err(error) => Err(in_our_words(&error.to_string(), F::command().get_name()).into()),
    }
}

/// clap writes `error: …`, then lines of advice, then the usage; we write what was
/// found on one line and the advice on another.
fn in_our_words(rendered: &str, command: &str) -> Usage {
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
    Usage { message, hint: Some(hints.join("; ")) }
}
