//! The command line, with the settings below it.
//!
//! What the file says becomes the default of its flag. So a flag that is typed counts before it,
//! a list as a whole; and what is not typed forbids nothing and needs nothing beside it.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clap::builder::BoolValueParser;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches, Command, Id};

use super::Settings;
use super::said::{Said, Typed, said};
use super::source;
use super::source::{By, Source};
use crate::diagnostics::Diagnostic;

/// What a run is asked for, by its command line and its settings.
pub(crate) struct Merged {
    pub(crate) matches: ArgMatches,
    /// The command with the settings as its defaults.
    pub(crate) command: Command,
    pub(crate) settings: Option<Settings>,
    /// What was typed.
    pub(super) typed: Vec<Id>,
}

/// Why there is nothing to run.
pub(crate) enum NotMerged {
    /// By the command line; or nothing is wrong, and help is asked for.
    Typed(Box<clap::Error>),
    /// By the settings.
    Settings(Diagnostic),
}

impl From<clap::Error> for NotMerged {
    fn from(error: clap::Error) -> Self {
        Self::Typed(Box::new(error))
    }
}

impl From<Diagnostic> for NotMerged {
    fn from(error: Diagnostic) -> Self {
        Self::Settings(error)
    }
}

/// Reads the command line of a command, and the settings that hold for it. Those of the other
/// commands may stand in the file as well.
pub(crate) fn merge(
    command: &dyn Fn() -> Command,
    others: &dyn Fn() -> Vec<Command>,
    arguments: &[OsString],
) -> Result<Merged, NotMerged> {
    let plain = command;
    let command = || with_switches(plain(), arguments);
    let mut first = command();
    let (given, parsed) = match first.try_get_matches_from_mut(arguments) {
        Ok(matches) => (matches.clone(), Ok(matches)),
        // The settings may say what is missing.
        Err(error) if error.kind() == ErrorKind::MissingRequiredArgument => {
            (command().ignore_errors(true).try_get_matches_from(arguments)?, Err(error))
        }
        Err(error) => return Err(error.into()),
    };
    let is_typed = |id: &Id| given.value_source(id.as_str()) == Some(ValueSource::CommandLine);
    let typed: Vec<Id> = given.ids().filter(|id| is_typed(id)).cloned().collect();
    let Some(source) = source(&given)? else {
        return Ok(Merged { matches: parsed?, command: first, settings: None, typed });
    };
    let said = said(&source, &plain(), others(), &Typed { flags: &typed, given: &given })?;
    let mut merged = below(command(), &said);
    let matches = match merged.try_get_matches_from_mut(arguments) {
        Err(error) if error.kind() == ErrorKind::MissingRequiredArgument => {
            let more = with_missing(&error, &merged, &said, arguments);
            merged = below(command(), &said);
            merged.try_get_matches_from_mut(more)?
        }
        matches => matches?,
    };
    let said = said.iter().filter_map(|said| Some((said.arg.get_long()?.to_owned(), said.line)));
    let settings = Settings { said: said.collect(), file: source.file };
    Ok(Merged { matches, command: merged, settings: Some(settings), typed })
}

/// The command, with those of its switches that are typed with a value, as `--lossy=false`,
/// taking one: so the command line can undo what a file says.
fn with_switches(mut command: Command, arguments: &[OsString]) -> Command {
    let typed = |arg: &Arg| {
        let start = arg.get_long().map(|long| format!("--{long}=")).unwrap_or_default();
        arguments.iter().any(|typed| typed.as_encoded_bytes().starts_with(start.as_bytes()))
    };
    let is_switch = |arg: &&Arg| matches!(arg.get_action(), ArgAction::SetTrue);
    let switches: Vec<Id> = (command.get_arguments())
        .filter(is_switch)
        .filter(|arg| arg.get_long().is_some() && typed(arg))
        .map(|arg| arg.get_id().clone())
        .collect();
    for id in switches {
        command = command.mut_arg(id, |arg| {
            arg.action(ArgAction::Set)
                .num_args(0..=1)
                .require_equals(true)
                .value_name("true|false")
                .default_value("false")
                .default_missing_value("true")
                .value_parser(BoolValueParser::new())
        });
    }
    command
}

/// The file that holds for a command line; none where there is none.
fn source(given: &ArgMatches) -> Result<Option<Source>, Diagnostic> {
    if given.get_flag("no_config") {
        return Ok(None);
    }
    match given.get_one::<PathBuf>("config") {
        Some(file) if file == Path::new("-") => {
            Err(Diagnostic::new("--config -: standard input, wanted a settings file")
                .hint("--config <(…) reads what a program writes"))
        }
        Some(file) => Source::read(file.clone(), By::Flag).map(Some),
        None => source::find()?.map(|file| Source::read(file, By::Found)).transpose(),
    }
}

/// The command with what is said as its defaults.
fn below(command: Command, said: &[Said]) -> Command {
    said.iter().fold(command, |command, Said { arg, values, .. }| {
        command.mut_arg(arg.get_id().as_str(), |arg| arg.default_values(values.iter().cloned()))
    })
}

/// The arguments, and before them what another needs beside it and the file says.
fn with_missing(
    error: &clap::Error,
    command: &Command,
    said: &[Said],
    arguments: &[OsString],
) -> Vec<OsString> {
    let missing = match error.get(ContextKind::InvalidArg) {
        Some(ContextValue::Strings(names)) => names.as_slice(),
        _ => &[],
    };
    let is_missing = |arg: &Arg| {
        let mut flags = command.get_arguments();
        let flag = flags.find(|flag| flag.get_id() == arg.get_id());
        flag.is_some_and(|flag| missing.contains(&flag.to_string()))
    };
    let more = said.iter().filter(|said| is_missing(&said.arg)).flat_map(|said| {
        let flag = said.arg.get_long().unwrap_or_default();
        said.values.iter().map(move |value| {
            let mut typed = OsString::from(format!("--{flag}="));
            typed.push(value);
            typed
        })
    });
    let (name, rest) = arguments.split_at(arguments.len().min(1));
    name.iter().cloned().chain(more).chain(rest.iter().cloned()).collect()
}
