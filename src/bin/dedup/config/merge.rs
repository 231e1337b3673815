//! Checks a settings file against the flags of a command and merges it with the command line.

use std::ffi::{OsStr, OsString};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::slice;

use clap::builder::BoolValueParser;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches, Command, Id, ValueHint};
use toml::de::DeValue;

use super::Settings;
use super::{Entry, FileOrigin, Source, entries, find};
use crate::diagnostics::{Diagnostic, nearest};

/// A flag that the settings file sets, with its values.
pub(super) struct Setting {
    pub(super) arg: Arg,
    /// The line of the key in the file, from 1.
    pub(super) line: usize,
    /// The values as they would be typed on the command line.
    pub(super) values: Vec<OsString>,
}

/// The flags of the command line.
pub(super) struct CommandLine<'t> {
    pub(super) flags: &'t [Id],
    pub(super) given: &'t ArgMatches,
}

impl CommandLine<'_> {
    /// Reports whether a flag was typed.
    fn has(&self, id: &str) -> bool {
        self.flags.iter().any(|flag| flag == id)
    }

    /// Reports whether the command line sets the format of the printed answer.
    fn has_format(&self) -> bool {
        // `get_raw` panics if the command has no such flag, so check first that it was typed.
        self.has("format")
            && self.given.get_raw("format").is_some_and(|mut formats| formats.any(is_printed))
    }
}

/// The IDs of the flags that name texts, as paths do.
const TEXTS: [&str; 5] = ["files_from", "files0_from", "jsonl", "csv", "parquet"];

/// Reports whether a format is that of the printed answer, not of a file: `json`, not `json=FILE`.
fn is_printed(format: &OsStr) -> bool {
    !format.as_encoded_bytes().contains(&b'=')
}

/// Returns the settings of the file that take effect: those of the command that is run, without
/// those that the command line overrides.
///
/// The first probe is the command that is run. Settings of the other probes are checked and left
/// out.
///
/// # Errors
///
/// Returns a diagnostic if the file is not valid TOML, has a key that is no setting, sets two keys
/// that conflict, or has a value that its flag does not accept.
fn settings_of(
    source: &Source,
    mut probes: Vec<Command>,
    typed: &CommandLine,
) -> Result<Vec<Setting>, Diagnostic> {
    let table = source.table()?;
    let entries = entries(&table);
    check_together(&entries, &probes[0], source)?;
    let mut set = Vec::new();
    for entry in &entries {
        let mut places = probes.iter().enumerate();
        let holder = places.find_map(|(place, probe)| Some((place, flag(probe, entry.key)?)));
        let (holder, arg) = holder.ok_or_else(|| unknown(entry, source, &probes))?;
        let mut values = values_of_entry(entry, &arg, &mut probes[holder], source)?;
        let mut counts = holder == 0 && !is_overridden(&arg, &probes[0], typed);
        counts &= !(arg.is_positional() && TEXTS.iter().any(|flag| typed.has(flag)));
        // Clap does not know that `quiet` conflicts with a printed format, but a run cannot have
        // both.
        match entry.key {
            "quiet" => counts &= !typed.has_format(),
            "format" if typed.has("quiet") && typed.given.get_flag("quiet") => {
                values.retain(|format| !is_printed(format));
                counts &= !values.is_empty();
            }
            _ => {}
        }
        if counts {
            set.push(Setting { arg, line: source.line(&entry.key_span), values });
        }
    }
    Ok(set)
}

/// Reports whether a flag, or one that conflicts with it, was typed.
fn is_overridden(arg: &Arg, command: &Command, typed: &CommandLine) -> bool {
    typed.has(arg.get_id().as_str())
        || command
            .get_arguments()
            .any(|other| typed.has(other.get_id().as_str()) && are_opposed(command, arg, other))
}

/// Reports whether two flags conflict, whichever of them declares the conflict.
pub(super) fn are_opposed(command: &Command, one: &Arg, other: &Arg) -> bool {
    let forbids = |one: &Arg, other: &Arg| {
        command.get_arg_conflicts_with(one).iter().any(|arg| arg.get_id() == other.get_id())
    };
    forbids(one, other) || forbids(other, one)
}

/// Returns an error if two keys of the file conflict. A switch that is set to `false` conflicts
/// with nothing.
fn check_together(entries: &[Entry], command: &Command, source: &Source) -> Result<(), Diagnostic> {
    let flag = |entry: &Entry| {
        let is_off = matches!(entry.value, DeValue::Boolean(false));
        let mut flags = command.get_arguments();
        flags.find(|arg| !is_off && key(arg) == Some(entry.key))
    };
    let flags: Vec<(&Entry, &Arg)> =
        entries.iter().filter_map(|entry| Some((entry, flag(entry)?))).collect();
    for (place, (entry, arg)) in flags.iter().enumerate() {
        let before = flags[..place].iter().find(|(_, other)| are_opposed(command, arg, other));
        if let Some((other, _)) = before {
            let line = source.line(&other.key_span);
            let what = format!("{} together with {} of line {line}", entry.key, other.key);
            return Err(source.error_at(
                &entry.key_span,
                &format!("{what}, expected one of them"),
                "leave one out",
            ));
        }
    }
    Ok(())
}

/// The largest number of characters of an unknown key that are compared with the known keys.
const MAX_COMPARED: usize = 40;

/// Makes the error of a key that is no setting.
fn unknown(entry: &Entry, source: &Source, probes: &[Command]) -> Diagnostic {
    let key = source.shown(&entry.key_span);
    if OF_ONE_RUN.contains(&entry.key) {
        let what = format!("{key}: not a setting, expected only on the command line");
        let hint = format!("--{} is for one run; dedup config lists the settings", entry.key);
        return source.error_at(&entry.key_span, &what, &hint);
    }
    let names = probes.iter().flat_map(keys);
    let typed: String = entry.key.chars().take(MAX_COMPARED).collect();
    let hint = match entry.value {
        DeValue::Table(_) => "settings are at the top level, not in a table",
        _ => "dedup config lists the settings",
    };
    let nearest = nearest(names, &typed).map(|nearest| format!("; the nearest is {nearest}"));
    let what = format!("{key}: unknown setting{}", nearest.unwrap_or_default());
    source.error_at(&entry.key_span, &what, hint)
}

// The flags of commands → the keys that a settings file may have, and the values that each accepts.

/// Flags that apply to one run only, so that no settings file can set them.
const OF_ONE_RUN: [&str; 11] = [
    "help",
    "version",
    "config",
    "no-config",
    "list",
    "update-baseline",
    "accept",
    "focus",
    "schema",
    "base",
    "for",
];

/// The type of value that a flag accepts.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Kind {
    /// No value: the flag is present or absent.
    Switch,
    /// A whole number; some flags accept a word as well.
    Whole,
    /// A decimal number; some flags accept a word as well.
    Decimal,
    /// Words, or a path.
    Text,
}

/// The key of the files and folders that are compared if none is typed. It is the only setting that
/// is not a flag.
const PATHS: &str = "paths";

/// Returns the key of a flag, or of the paths of a corpus.
///
/// `None` for flags that apply to one run only, and for all other positional arguments.
pub(super) fn key(arg: &Arg) -> Option<&str> {
    if arg.is_positional() {
        return (arg.get_id() == PATHS).then_some(PATHS);
    }
    arg.get_long().filter(|long| !OF_ONE_RUN.contains(long))
}

/// Reports whether a flag may be repeated.
pub(super) fn is_many(arg: &Arg) -> bool {
    matches!(arg.get_action(), ArgAction::Append)
}

/// Reports whether the value of a flag is the path of a file or folder.
pub(super) fn is_path(arg: &Arg) -> bool {
    use ValueHint::{AnyPath, DirPath, ExecutablePath, FilePath};
    matches!(arg.get_value_hint(), AnyPath | FilePath | DirPath | ExecutablePath)
}

/// Reports whether the value of a flag may have a path after an equals sign: `json=FILE`.
pub(super) fn has_path(arg: &Arg) -> bool {
    let names = arg.get_value_names().unwrap_or_default();
    names.iter().any(|name| ["=PATH", "=FILE"].iter().any(|end| name.contains(end)))
}

/// Returns the flag of a key. `None` if the command has no such flag.
pub(super) fn flag(command: &Command, name: &str) -> Option<Arg> {
    command.get_arguments().find(|arg| key(arg) == Some(name)).cloned()
}

/// Returns all keys, in the order of the flags.
fn keys(command: &Command) -> impl Iterator<Item = &str> {
    command.get_arguments().filter_map(key)
}

/// Returns the reason why a flag does not accept some values. `None` if it accepts them.
fn refusal(command: &mut Command, flag: &str, values: &[OsString]) -> Option<String> {
    let is_flag = flag != PATHS;
    let typed = values.iter().map(|value| {
        let mut typed =
            if is_flag { OsString::from(format!("--{flag}=")) } else { OsString::new() };
        typed.push(value);
        typed
    });
    let names = ["dedup", "--"].into_iter().take(2 - usize::from(is_flag));
    let line = names.map(OsString::from).chain(typed);
    let error = command.try_get_matches_from_mut(line).err()?;
    match error.kind() {
        ErrorKind::ValueValidation => std::error::Error::source(&error).map(ToString::to_string),
        ErrorKind::InvalidValue => Some(accepted(command, flag)),
        _ => None, // other errors, such as missing arguments, do not concern the values
    }
}

/// Reports whether a flag accepts a value.
pub(super) fn takes(command: &mut Command, flag: &str, value: &str) -> bool {
    refusal(command, flag, &[OsStr::new(value).to_owned()]).is_none()
}

/// Finds out the type of value that a flag accepts, by trying values.
pub(super) fn kind(command: &mut Command, arg: &Arg) -> Kind {
    let Some(flag) = arg.get_long() else { return Kind::Text };
    if matches!(arg.get_action(), ArgAction::SetTrue) {
        return Kind::Switch;
    }
    let is_number = !takes(command, flag, "no-number")
        && ["1", "12"].iter().any(|number| takes(command, flag, number));
    match is_number {
        false => Kind::Text,
        true if takes(command, flag, "0.5") => Kind::Decimal,
        true => Kind::Whole,
    }
}

/// Describes the values that a flag accepts, for an error message.
fn accepted(command: &Command, flag: &str) -> String {
    let values = self::flag(command, flag).map(|arg| arg.get_possible_values()).unwrap_or_default();
    let names: Vec<&str> = values.iter().map(clap::builder::PossibleValue::get_name).collect();
    match names.split_last() {
        Some((last, [])) => format!("expected {last}"),
        Some((last, others)) => format!("expected {} or {last}", others.join(", ")),
        None => "empty, expected a value".to_owned(),
    }
}

// An entry of a settings file → the values of its flag, as they would be typed.

/// Returns the values of an entry as they would be typed on the command line. Relative paths are
/// resolved from the folder of the settings file.
///
/// # Errors
///
/// Returns a diagnostic if the flag does not accept a value, or a value of its type.
pub(super) fn values_of_entry(
    entry: &Entry,
    arg: &Arg,
    probe: &mut Command,
    source: &Source,
) -> Result<Vec<OsString>, Diagnostic> {
    let kind = kind(probe, arg);
    let items: Vec<(&DeValue, Range<usize>)> = match entry.value {
        DeValue::Array(items) if is_many(arg) => {
            items.iter().map(|item| (item.get_ref(), item.span())).collect()
        }
        value => vec![(value, entry.span.clone())],
    };
    let flag = if entry.key == PATHS { "PATH" } else { &format!("--{}", entry.key) };
    let hint = format!("{} --help describes the values of {flag}", probe.get_name());
    let wrong = |span: &Range<usize>, why: &str| {
        source.error_at(span, &format!("{} = {}: {why}", entry.key, source.shown(span)), &hint)
    };
    let mut values = Vec::new();
    for (item, span) in &items {
        let Some(text) = text(item, kind) else {
            let is_number = matches!(kind, Kind::Whole | Kind::Decimal);
            let word =
                ["off", "all"].into_iter().find(|it| is_number && takes(probe, entry.key, it));
            let off = word.map_or(String::new(), |word| format!(" or \"{word}\""));
            let many = if is_many(arg) { ", or an array of them" } else { "" };
            let why = format!("{}, expected {}{off}{many}", found(item), wanted(kind));
            return Err(wrong(span, &why));
        };
        values.push(resolved(text, arg, source));
    }
    match refusal(probe, entry.key, &values) {
        Some(why) => {
            let is_wrong =
                |value: &OsString| refusal(probe, entry.key, slice::from_ref(value)).is_some();
            let place = values.iter().position(is_wrong);
            Err(wrong(place.map_or(&entry.span, |place| &items[place].1), &why))
        }
        None => Ok(values),
    }
}

/// Formats a value as it would be typed. `None` if it has another type than `kind`.
fn text(value: &DeValue, kind: Kind) -> Option<String> {
    match (kind, value) {
        (Kind::Switch, DeValue::Boolean(value)) => Some(value.to_string()),
        (Kind::Text, DeValue::String(text)) => Some(text.to_string()),
        (Kind::Whole | Kind::Decimal, DeValue::String(text)) => {
            // A number in quotes is not accepted as a number.
            text.parse::<f64>().is_err().then(|| text.to_string())
        }
        (Kind::Whole | Kind::Decimal, DeValue::Float(float)) => Some(float.as_str().to_owned()),
        (Kind::Whole | Kind::Decimal, DeValue::Integer(number)) => {
            let value = i128::from_str_radix(number.as_str(), number.radix());
            Some(value.map_or_else(|_| number.to_string(), |value| value.to_string()))
        }
        _ => None,
    }
}

fn found(value: &DeValue) -> &'static str {
    match value {
        DeValue::String(_) => "a string",
        DeValue::Integer(_) | DeValue::Float(_) => "a number",
        DeValue::Boolean(_) => "a boolean",
        DeValue::Datetime(_) => "a date",
        DeValue::Array(_) => "an array",
        DeValue::Table(_) => "a table",
    }
}

fn wanted(kind: Kind) -> &'static str {
    match kind {
        Kind::Switch => "true or false",
        Kind::Whole => "a whole number",
        Kind::Decimal => "a number",
        Kind::Text => "a string",
    }
}

/// Resolves the path in a value, if there is one, from the folder of the settings file, so that it
/// is relative to the working folder.
fn resolved(text: String, arg: &Arg, source: &Source) -> OsString {
    let is_word = |text: &str| {
        text.is_empty()
            || text == "-"
            || arg.get_possible_values().iter().any(|value| value.get_name() == text)
    };
    if is_path(arg) && !is_word(&text) {
        return source.resolved(&text).into_os_string();
    }
    match text.split_once('=') {
        Some((what, path)) if has_path(arg) && !is_word(path) => {
            let mut typed = OsString::from(format!("{what}="));
            typed.push(source.resolved(path));
            typed
        }
        _ => text.into(),
    }
}

// Merging the command line with the settings.
//
// Each setting becomes the default value of its flag. So a typed flag replaces the setting, and a
// list is replaced as a whole. Since a setting is not typed, it neither conflicts with other flags
// nor requires any.

/// The command line and the settings of a run, merged.
pub(crate) struct Merged {
    /// The matches of the command line, those of subcommands included.
    pub(crate) matches: ArgMatches,
    /// The tree of commands. The settings are the default values of the flags of the command that
    /// is run.
    pub(crate) command: Command,
    pub(crate) settings: Option<Settings>,
    /// The IDs of the flags that were typed.
    pub(super) typed: Vec<Id>,
}

impl Merged {
    /// Returns the matches of the command that is run.
    pub(crate) fn selected_matches(&self) -> &ArgMatches {
        selected_matches(&self.matches)
    }

    /// Reports whether the command line or the settings file sets a flag.
    pub(crate) fn sets(&self, flag: &str) -> bool {
        let id = flag.replace('-', "_");
        self.typed.iter().any(|typed| *typed == id.as_str())
            || self.settings.as_ref().is_some_and(|settings| settings.sets(flag))
    }
}

/// Returns the names of the command that is run: none for `dedup` itself, two for
/// `dedup index build`.
fn names(mut matches: &ArgMatches) -> Vec<&str> {
    let mut names = Vec::new();
    while let Some((name, inner)) = matches.subcommand() {
        names.push(name);
        matches = inner;
    }
    names
}

fn selected_matches(matches: &ArgMatches) -> &ArgMatches {
    matches.subcommand().map_or(matches, |(_, inner)| selected_matches(inner))
}

/// Flags of single commands that apply to one run only: the command, and the IDs of the flags.
/// Settings of the same names belong to other commands: there they control the output of pairs or
/// of the records of a corpus, name the earlier texts of a corpus, or make a report anonymous.
const OF_ONE_RUN_OF: [(&[&str], &[&str]); 3] = [
    (&["spans"], &["format", "output", "dry_run"]),
    (&["index", "build"], &["against", "earlier", "output", "anonymous"]),
    (&["index", "add"], &["against", "earlier"]),
];

/// The ID of a flag that every command with settings has.
const NO_CONFIG_FLAG: &str = "no_config";

/// Parses a command line using a tree of commands, with the settings of the command that is run as
/// defaults. The settings file may contain settings of other commands as well.
///
/// # Errors
///
/// Returns a [`clap::Error`] if clap rejects the command line or prints help, and a [`Diagnostic`]
/// if the settings file cannot be used.
pub(crate) fn merge(tree: &dyn Fn() -> Command, arguments: &[OsString]) -> anyhow::Result<Merged> {
    let plain = tree;
    let tree = || with_switches(plain(), arguments);
    let mut first = tree();
    let (given, parsed) = match first.try_get_matches_from_mut(arguments) {
        Ok(matches) => (matches.clone(), Ok(matches)),
        // The settings file may supply the missing arguments.
        Err(error) if error.kind() == ErrorKind::MissingRequiredArgument => {
            (tree().ignore_errors(true).try_get_matches_from(arguments)?, Err(error))
        }
        Err(error) => return Err(error.into()),
    };
    let flags = selected_matches(&given);
    let is_typed = |id: &Id| flags.value_source(id.as_str()) == Some(ValueSource::CommandLine);
    let typed: Vec<Id> = flags.ids().filter(|id| is_typed(id)).cloned().collect();
    let Some(source) = source(flags)? else {
        return Ok(Merged { matches: parsed?, command: first, settings: None, typed });
    };
    let set = settings_of(
        &source,
        probes(plain(), &given),
        &CommandLine { flags: &typed, given: flags },
    )?;
    let names = names(&given);
    let mut merged = below(tree(), &names, &set);
    let matches = match merged.try_get_matches_from_mut(arguments) {
        Err(error) if error.kind() == ErrorKind::MissingRequiredArgument => {
            let more = with_missing(&error, &set);
            let (start, rest) = arguments.split_at(arguments.len().min(1 + names.len()));
            let line: Vec<OsString> = [start, &more, rest].concat();
            merged = below(tree(), &names, &set);
            merged.try_get_matches_from_mut(line)?
        }
        matches => matches?,
    };
    let lines = set.iter().filter_map(|it| Some((key(&it.arg)?.to_owned(), it.line)));
    let settings = Settings { lines: lines.collect(), file: source.file };
    Ok(Merged { matches, command: merged, settings: Some(settings), typed })
}

/// Returns a probe of the command that is run, followed by probes of the other commands whose
/// settings the file may contain.
fn probes(mut tree: Command, given: &ArgMatches) -> Vec<Command> {
    tree.build(); // adds the flags of the other commands, which are deferred until then
    let alone = |names: &[&str]| {
        let command =
            names.iter().try_fold(&tree, |command, name| command.find_subcommand(name))?;
        let of_one_run = OF_ONE_RUN_OF.iter().find(|(command, _)| *command == names);
        let of_one_run = of_one_run.map_or(&[] as &[&str], |(_, flags)| flags);
        let is_own = |arg: &&Arg| {
            let id = arg.get_id().as_str();
            !["help", "version"].contains(&id) && !of_one_run.contains(&id)
        };
        let args = command.get_arguments().filter(is_own).cloned();
        let name = [&["dedup"], names].concat().join(" ");
        Some(Command::new(name).args_override_self(true).args(args))
    };
    let run = names(given);
    let others: [&[&str]; 4] = [&[], &["corpus"], &["text"], &["spans"]];
    [run.as_slice()].into_iter().chain(others).filter_map(alone).collect()
}

/// Returns the tree with each switch that is typed with a value, such as `--lossy=false`, changed
/// to accept one. This lets the command line turn off what the file turns on.
fn with_switches(command: Command, arguments: &[OsString]) -> Command {
    let run = arguments.get(1).and_then(|first| first.to_str()).unwrap_or_default();
    let is_typed = |arg: &Arg| {
        let start = arg.get_long().map(|long| format!("--{long}=")).unwrap_or_default();
        arguments.iter().any(|typed| typed.as_encoded_bytes().starts_with(start.as_bytes()))
    };
    let valued = |arg: Arg| {
        let is_switch = matches!(arg.get_action(), ArgAction::SetTrue);
        if !is_switch || arg.get_long().is_none() || !is_typed(&arg) {
            return arg;
        }
        arg.action(ArgAction::Set)
            .num_args(0..=1)
            .require_equals(true)
            .value_name("true|false")
            .default_value("false")
            .default_missing_value("true")
            .value_parser(BoolValueParser::new())
    };
    if command.find_subcommand(run).is_some() {
        command.mut_subcommand(run, |command| with_args(command, &valued))
    } else {
        command.mut_args(valued)
    }
}

/// Applies a change to the flags of a command and of all its subcommands.
fn with_args(command: Command, change: &dyn Fn(Arg) -> Arg) -> Command {
    command.mut_args(change).mut_subcommands(|inner| with_args(inner, change))
}

/// Reads the settings file of a command line. `None` if there is no file, or none is to be read.
fn source(given: &ArgMatches) -> Result<Option<Source>, Diagnostic> {
    if given.try_get_one::<bool>(NO_CONFIG_FLAG).ok().flatten().is_none_or(|no| *no) {
        return Ok(None); // either --no-config, or the command reads no settings
    }
    match given.get_one::<PathBuf>("config") {
        Some(file) if file == Path::new("-") => {
            Err(Diagnostic::new("--config -: standard input, expected a settings file")
                .hint("--config <(…) reads the output of a program"))
        }
        Some(file) => Source::read(file.clone(), FileOrigin::Flag).map(Some),
        None => find()?.map(|file| Source::read(file, FileOrigin::Found)).transpose(),
    }
}

/// Returns the tree with the settings as default values of one command: the one with these names,
/// or the program itself if there are none.
fn below(tree: Command, names: &[&str], set: &[Setting]) -> Command {
    match names {
        [name, inner @ ..] => tree.mut_subcommand(name, |command| below(command, inner, set)),
        [] => set.iter().fold(tree, |command, Setting { arg, values, .. }| {
            command.mut_arg(arg.get_id().as_str(), |arg| arg.default_values(values.iter().cloned()))
        }),
    }
}

/// Returns the settings of those flags that clap reports as missing, as they would be typed. They
/// are needed because, for clap, a flag with a default value does not count as given if another
/// flag requires it.
fn with_missing(error: &clap::Error, set: &[Setting]) -> Vec<OsString> {
    let missing = match error.get(ContextKind::InvalidArg) {
        Some(ContextValue::Strings(names)) => names.as_slice(),
        _ => &[],
    };
    let is_missing = |arg: &Arg| missing.contains(&arg.to_string());
    let more = set.iter().filter(|it| is_missing(&it.arg)).flat_map(|it| {
        let flag = it.arg.get_long().unwrap_or_default();
        it.values.iter().map(move |value| {
            let mut typed = OsString::from(format!("--{flag}="));
            typed.push(value);
            typed
        })
    });
    more.collect()
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use clap::ValueHint;
    use clap::builder::PossibleValuesParser;

    use super::*;
    use crate::config::FileOrigin;

    #[test]
    fn names_of_files_are_looked_up_from_the_folder() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("dedup.toml");
        std::fs::File::create(&file).unwrap().write_all(b"").unwrap();
        let source = Source::read(file, FileOrigin::Flag).unwrap();
        let inside = |name: &str| folder.path().join(name).into_os_string();
        let of = |what: &str, name: &str| {
            let mut typed = OsString::from(what);
            typed.push(inside(name));
            typed
        };
        let words = Arg::new("w").long("w").value_parser(["on", "off"]);
        let files = Arg::new("f").long("f").value_hint(ValueHint::FilePath);
        let both = files.clone().value_parser(PossibleValuesParser::new(["on", "off"]));
        let formats = Arg::new("o").long("o").value_name("FORMAT[=FILE]");
        #[rustfmt::skip]
        let table = [
            ("no file",            &words,   "on",         "on".into()),
            ("a file",             &files,   "a/b.txt",    inside("a/b.txt")),
            ("above",              &files,   "../b.txt",   inside("../b.txt")),
            ("by its whole name",  &files,   "/b.txt",     "/b.txt".into()),
            ("standard input",     &files,   "-",          "-".into()),
            ("a word",             &both,    "off",        "off".into()),
            ("no word",            &both,    "of",         inside("of")),
            ("no file after it",   &formats, "json",       "json".into()),
            ("a file after it",    &formats, "json=a.txt", of("json=", "a.txt")),
            ("standard output",    &formats, "json=-",     "json=-".into()),
        ];
        for (why, arg, text, want) in table {
            assert_eq!(resolved(text.to_owned(), arg, &source), want, "{why}");
        }
    }
}
