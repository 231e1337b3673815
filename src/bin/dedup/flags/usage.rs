//! Help, version and bad usage: clap's findings in our words.

use std::ffi::OsString;

use clap::Parser;
use clap::error::ErrorKind;

use super::Flags;
use crate::trouble::Usage;

/// What stands below the flags in `--help`.
pub(super) const AFTER_HELP: &str = "\
Exit status:
  0  near-duplicate or identical; with --at-least LEVEL, that verdict or a closer one;
     with --fail-on LEVEL, a verdict less close than that
  1  the opposite
  2  trouble: a file that cannot be read or judged, or bad usage

Examples:
  dedup left.txt right.txt --max 3 --min 3     the classic setting
  dedup draft.txt - --explain < final.txt      every stage, step by step
  dedup --quiet --fail-on partial a.txt b.txt  in CI: fails when anything was copied";

/// What the command line asks for.
#[derive(Debug)]
pub(crate) enum Request {
    /// Help or the version.
    Tell(String),
    /// The verdict on two texts.
    Compare(Box<Flags>),
}

/// Reads the command line, the program's name first.
pub(crate) fn read(arguments: impl IntoIterator<Item = OsString>) -> anyhow::Result<Request> {
    match Flags::try_parse_from(arguments) {
        Ok(flags) => Ok(Request::Compare(Box::new(flags.check()?))),
        Err(told) if matches!(told.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion) => {
            Ok(Request::Tell(told.to_string()))
        }
        Err(error) => Err(in_our_words(&error.to_string()).into()),
    }
}

/// clap writes `error: …`, then lines of advice, then the usage; we write what was
/// found on one line and the advice on another.
fn in_our_words(rendered: &str) -> Usage {
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
    hints.push("dedup --help lists the flags".to_owned());
    Usage { message, hint: Some(hints.join("; ")) }
}
