//! A settings file → what it says to a command, checked.

use std::ffi::{OsStr, OsString};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::slice;

use clap::builder::BoolValueParser;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches, Command, Id, ValueHint};
use dedup_text::text::display_path;
use toml::de::DeValue;

use super::Settings;
use super::{By, Entry, Source, entries, find};
use crate::diagnostics::{self, Diagnostic};

/// Keys of settings that are no more, and what becomes of them: a file that has one is still read.
const REMOVED: [(&str, &str); 2] = [
    ("weighted-jaccard", "is ignored: coverage has taken its place, see --coverage"),
    ("list-short", "is ignored: texts that are too short are always named"),
];

/// A flag that the settings file sets, and its values.
pub(super) struct Setting {
    pub(super) arg: Arg,
    /// From 1 on.
    pub(super) line: usize,
    /// As they would be typed.
    pub(super) values: Vec<OsString>,
}

/// What was typed.
pub(super) struct Typed<'t> {
    pub(super) flags: &'t [Id],
    pub(super) given: &'t ArgMatches,
}

impl Typed<'_> {
    /// Whether a flag is typed.
    fn has(&self, id: &Id) -> bool {
        self.flags.contains(id)
    }

    /// Whether texts are named in another way than by their paths.
    fn has_texts(&self) -> bool {
        TEXTS.iter().any(|flag| self.has(&Id::from(*flag)))
    }

    /// Whether no answer is to be printed.
    fn is_quiet(&self) -> bool {
        self.has(&Id::from("quiet")) && self.given.get_flag("quiet")
    }

    /// Whether it is given how the answer is to be printed.
    fn has_format(&self) -> bool {
        // A command without the flag is not to be asked for it.
        self.has(&Id::from("format"))
            && self.given.get_raw("format").is_some_and(|mut formats| formats.any(is_printed))
    }
}

/// The flags that name texts, as paths do.
const TEXTS: [&str; 5] = ["files_from", "files0_from", "jsonl", "csv", "parquet"];

/// Whether a format is of the answer that is printed, not of a file: `json`, not `json=FILE`.
fn is_printed(format: &OsStr) -> bool {
    !format.as_encoded_bytes().contains(&b'=')
}

/// What the file says to a command, without what the command line says otherwise.
fn settings_of(
    source: &Source,
    mut probes: Vec<Probe>,
    typed: &Typed,
) -> Result<Vec<Setting>, Diagnostic> {
    let table = source.table()?;
    let entries = entries(&table);
    check_together(&entries, &probes[0].command, source)?;
    let mut set = Vec::new();
    for entry in &entries {
        if let Some((_, why)) = REMOVED.iter().find(|(key, _)| *key == entry.key) {
            let place = format!("{}:{}", display_path(&source.file), source.line(&entry.key_span));
            diagnostics::warn(&place, &format!("{} {why}", source.shown(&entry.key_span)));
            continue;
        }
        let mut places = probes.iter().enumerate();
        let holder = places.find_map(|(place, probe)| Some((place, probe.flag(entry.key)?)));
        let (holder, arg) = holder.ok_or_else(|| unknown(entry, source, &probes))?;
        let mut values = values_of_entry(entry, &arg, &mut probes[holder], source)?;
        let mut counts = holder == 0 && !is_overridden(&arg, &probes[0].command, typed);
        counts &= !(arg.is_positional() && typed.has_texts());
        check(entry, &values, &mut probes, counts, source)?;
        // Quiet and a format are no flags that forbid each other, but cannot both be meant.
        match entry.key {
            "quiet" => counts &= !typed.has_format(),
            "format" if typed.is_quiet() => {
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

/// Whether a flag is typed, or one that it cannot stand beside.
fn is_overridden(arg: &Arg, command: &Command, typed: &Typed) -> bool {
    typed.has(arg.get_id())
        || command
            .get_arguments()
            .any(|other| typed.has(other.get_id()) && are_opposed(command, arg, other))
}

/// Whether two flags cannot be given together.
pub(super) fn are_opposed(command: &Command, one: &Arg, other: &Arg) -> bool {
    let forbids = |one: &Arg, other: &Arg| {
        command.get_arg_conflicts_with(one).iter().any(|arg| arg.get_id() == other.get_id())
    };
    forbids(one, other) || forbids(other, one)
}

/// An error where two keys cannot be meant together.
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

/// An error where a flag does not take what is given: that of the command that is run, where it
/// counts there, or else of every command that has it.
fn check(
    entry: &Entry,
    values: &[OsString],
    probes: &mut [Probe],
    counts: bool,
    source: &Source,
) -> Result<(), Diagnostic> {
    let mut refusals = Vec::new();
    let mut taker = None;
    for probe in probes.iter_mut().filter(|probe| probe.flag(entry.key).is_some()) {
        match probe.refusal(entry.key, values) {
            Some(why) => refusals.push((probe.name().to_owned(), why)),
            None => taker = taker.or_else(|| Some(probe.name().to_owned())),
        }
    }
    let own = probes[0].name().to_owned();
    let refusal = refusals.iter().find(|(name, _)| !counts || *name == own);
    let Some((command, why)) = refusal.filter(|_| counts || taker.is_none()) else {
        return Ok(());
    };
    let span = refused(entry, probes, command, values);
    let hint = match taker {
        Some(taker) => format!("{taker} takes it"),
        None => hint_of_command(command, entry.key),
    };
    let shown = source.shown(&span);
    Err(source.error_at(&span, &format!("{} = {shown}: {why}", entry.key), &hint))
}

/// The place of the value that a command refuses: within an array its own.
fn refused(
    entry: &Entry,
    probes: &mut [Probe],
    command: &str,
    values: &[OsString],
) -> Range<usize> {
    let Some(probe) = probes.iter_mut().find(|probe| probe.name() == command) else {
        return entry.span.clone();
    };
    let mut refuses = |value: &OsString| probe.refusal(entry.key, slice::from_ref(value)).is_some();
    let place = values.iter().position(&mut refuses);
    match (entry.value, place) {
        (DeValue::Array(items), Some(place)) => {
            items.get(place).map_or(entry.span.clone(), toml::Spanned::span)
        }
        _ => entry.span.clone(),
    }
}

/// The letters of an unknown key that are compared with those that are known.
const MOST_COMPARED: usize = 40;

/// An error for a key that is no flag's.
fn unknown(entry: &Entry, source: &Source, probes: &[Probe]) -> Diagnostic {
    let key = source.shown(&entry.key_span);
    if is_of_one_run(entry.key) {
        let what = format!("{key}: unknown setting, expected on the command line");
        let hint = format!("--{} is for one run; dedup config lists the settings", entry.key);
        return source.error_at(&entry.key_span, &what, &hint);
    }
    let names = probes.iter().flat_map(Probe::keys);
    let typed: String = entry.key.chars().take(MOST_COMPARED).collect();
    let distance = |name: &&str| strsim::damerau_levenshtein(name, &typed);
    let nearest = names.min_by_key(distance).unwrap_or_default();
    let hint = match entry.value {
        DeValue::Table(_) => "settings stand at top level, in no table",
        _ => "dedup config lists the settings",
    };
    let what = format!("{key}: unknown setting; the nearest is {nearest}");
    source.error_at(&entry.key_span, &what, hint)
}

// The flags of commands → the keys that a settings file may have, and what each takes.

/// Flags that are of one run, and of no file.
const OF_ONE_RUN: [&str; 15] = [
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
    "yes",
    "no",
    "settings",
    "force",
];

/// A command that is asked what its flags take.
pub(super) struct Probe {
    command: Command,
}

/// What a flag takes.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Kind {
    /// Nothing: it is there or not.
    Switch,
    /// A whole number, and perhaps a word.
    Whole,
    /// A decimal, and perhaps a word.
    Decimal,
    /// Words, or the name of a file.
    Text,
}

/// The key of the files and folders that are compared where none is typed: the one setting that is
/// no flag.
const PATHS: &str = "paths";

/// The key of a flag, or of the paths of a corpus; none for a flag of one run, and for all else.
pub(super) fn key(arg: &Arg) -> Option<&str> {
    if arg.is_positional() {
        return (arg.get_id() == PATHS).then_some(PATHS);
    }
    arg.get_long().filter(|long| !is_of_one_run(long))
}

/// How a setting is given on the command line: `--jaccard`, or `PATH`.
pub(super) fn on_command_line(key: &str) -> String {
    if key == PATHS { "PATH".to_owned() } else { format!("--{key}") }
}

/// Whether a flag is of one run.
pub(super) fn is_of_one_run(flag: &str) -> bool {
    OF_ONE_RUN.contains(&flag)
}

/// Whether a flag may be given several times.
pub(super) fn is_many(arg: &Arg) -> bool {
    matches!(arg.get_action(), ArgAction::Append)
}

/// Whether a flag's value is the name of a file or folder.
pub(super) fn is_path(arg: &Arg) -> bool {
    use ValueHint::{AnyPath, DirPath, ExecutablePath, FilePath};
    matches!(arg.get_value_hint(), AnyPath | FilePath | DirPath | ExecutablePath)
}

/// Whether such a name may stand behind the value's sign of equality: `json=FILE`.
pub(super) fn has_path(arg: &Arg) -> bool {
    let names = arg.get_value_names().unwrap_or_default();
    names.iter().any(|name| ["=PATH", "=FILE"].iter().any(|end| name.contains(end)))
}

impl Probe {
    /// Asks a command.
    pub(super) fn new(command: Command) -> Self {
        Self { command }
    }

    /// The command that is asked.
    pub(super) fn name(&self) -> &str {
        self.command.get_name()
    }

    /// The flag of a key.
    pub(super) fn flag(&self, name: &str) -> Option<Arg> {
        self.command.get_arguments().find(|arg| key(arg) == Some(name)).cloned()
    }

    /// All keys, in the order of the flags.
    pub(super) fn keys(&self) -> impl Iterator<Item = &str> {
        self.command.get_arguments().filter_map(key)
    }

    /// Why a flag does not take some values; none where it does.
    pub(super) fn refusal(&mut self, flag: &str, values: &[OsString]) -> Option<String> {
        let is_flag = flag != PATHS;
        let typed = values.iter().map(|value| {
            let mut typed =
                if is_flag { OsString::from(format!("--{flag}=")) } else { OsString::new() };
            typed.push(value);
            typed
        });
        let names = ["dedup", "--"].into_iter().take(2 - usize::from(is_flag));
        let line = names.map(OsString::from).chain(typed);
        let error = self.command.try_get_matches_from_mut(line).err()?;
        match error.kind() {
            ErrorKind::ValueValidation => {
                std::error::Error::source(&error).map(ToString::to_string)
            }
            ErrorKind::InvalidValue => Some(self.wanted(flag)),
            _ => None, // what is missing is not asked for here
        }
    }

    /// Whether a flag takes a value.
    pub(super) fn takes(&mut self, flag: &str, value: &str) -> bool {
        self.refusal(flag, &[OsStr::new(value).to_owned()]).is_none()
    }

    /// What a flag takes.
    pub(super) fn kind(&mut self, arg: &Arg) -> Kind {
        let Some(flag) = arg.get_long() else { return Kind::Text };
        if matches!(arg.get_action(), ArgAction::SetTrue) {
            return Kind::Switch;
        }
        let is_number = !self.takes(flag, "no-number")
            && ["1", "12"].iter().any(|number| self.takes(flag, number));
        match is_number {
            false => Kind::Text,
            true if self.takes(flag, "0.5") => Kind::Decimal,
            true => Kind::Whole,
        }
    }

    /// What a flag takes, in words.
    fn wanted(&self, flag: &str) -> String {
        let values = self.flag(flag).map(|arg| arg.get_possible_values()).unwrap_or_default();
        let names: Vec<&str> = values.iter().map(clap::builder::PossibleValue::get_name).collect();
        match names.split_last() {
            Some((last, [])) => format!("expected {last}"),
            Some((last, others)) => format!("expected {} or {last}", others.join(", ")),
            None => "empty, expected a value".to_owned(),
        }
    }
}

// What an entry of a settings file says → the values of a flag, as they would be typed.

/// What to do about a value that is wrong in itself.
pub(super) fn hint_of_command(command: &str, flag: &str) -> String {
    format!("{command} --help says what {} takes", on_command_line(flag))
}

/// The values of an entry, as they would be typed; files are looked up from the folder of the
/// settings.
///
/// # Errors
///
/// Where one is of another type than the flag takes.
pub(super) fn values_of_entry(
    entry: &Entry,
    arg: &Arg,
    probe: &mut Probe,
    source: &Source,
) -> Result<Vec<OsString>, Diagnostic> {
    let kind = probe.kind(arg);
    let items: Vec<(&DeValue, Range<usize>)> = match entry.value {
        DeValue::Array(items) if is_many(arg) => {
            items.iter().map(|item| (item.get_ref(), item.span())).collect()
        }
        value => vec![(value, entry.span.clone())],
    };
    let typed = items.into_iter().map(|(item, span)| {
        let text = text(item, kind).ok_or_else(|| {
            let found = format!("{} = {}: {}", entry.key, source.shown(&span), found(item));
            let is_number = matches!(kind, Kind::Whole | Kind::Decimal);
            let off = if is_number && probe.takes(entry.key, "off") { " or \"off\"" } else { "" };
            let many = if is_many(arg) { ", or an array of such" } else { "" };
            let wanted = format!("{found}, expected {}{off}{many}", wanted(kind));
            source.error_at(&span, &wanted, &hint_of_command(probe.name(), entry.key))
        })?;
        Ok(resolved(text, arg, source))
    });
    typed.collect()
}

/// A value as it would be typed; none where it is of another type.
fn text(value: &DeValue, kind: Kind) -> Option<String> {
    match (kind, value) {
        (Kind::Switch, DeValue::Boolean(value)) => Some(value.to_string()),
        (Kind::Text, DeValue::String(text)) => Some(text.to_string()),
        (Kind::Whole | Kind::Decimal, DeValue::String(text)) => {
            // A number in quotes is none.
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

/// A value with the name of a file in it as seen from the working folder.
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

// The command line, with the settings below it.
//
// What the file says becomes the default of its flag. So a flag that is typed counts before it,
// a list as a whole; and what is not typed forbids nothing and needs nothing beside it.

/// What a run is asked for, by its command line and its settings.
pub(crate) struct Merged {
    /// Of the whole command line.
    pub(crate) matches: ArgMatches,
    /// The tree of commands, with the settings as defaults of the command that is run.
    pub(crate) command: Command,
    pub(crate) settings: Option<Settings>,
    /// What was typed.
    pub(super) typed: Vec<Id>,
}

impl Merged {
    /// The command that is run.
    pub(crate) fn task(&self) -> &Command {
        task(&self.command, &self.matches)
    }

    /// What its flags are.
    pub(crate) fn task_matches(&self) -> &ArgMatches {
        task_matches(&self.matches)
    }

    /// Whether the command line speaks for a flag, or the settings file.
    pub(crate) fn says(&self, flag: &str) -> bool {
        let id = flag.replace('-', "_");
        self.typed.iter().any(|typed| *typed == id.as_str())
            || self.settings.as_ref().is_some_and(|settings| settings.says(flag))
    }
}

/// The names of the command that is run: none of the program itself, two of `dedup index build`.
fn names(mut matches: &ArgMatches) -> Vec<&str> {
    let mut names = Vec::new();
    while let Some((name, inner)) = matches.subcommand() {
        names.push(name);
        matches = inner;
    }
    names
}

fn task<'c>(tree: &'c Command, matches: &ArgMatches) -> &'c Command {
    let inner = |command: &'c Command, name| command.find_subcommand(name).unwrap_or(command);
    names(matches).into_iter().fold(tree, inner)
}

fn task_matches(matches: &ArgMatches) -> &ArgMatches {
    matches.subcommand().map_or(matches, |(_, inner)| task_matches(inner))
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

/// Flags of a command that are of one run: those of the same name that a file has say what becomes
/// of pairs or of the records of a corpus, which texts are old ones of it, or what a report leaves out.
const OF_ONE_RUN_OF: [(&[&str], &[&str]); 3] = [
    (&["spans"], &["format", "output", "dry_run"]),
    (&["index", "build"], &["against", "output", "anonymous"]),
    (&["index", "add"], &["against"]),
];

/// The flag of every command that reads settings.
const NO_CONFIG_FLAG: &str = "no_config";

/// Reads a command line by a tree of commands, and the settings that hold for the one that is
/// run. Those of the other commands may stand in the file as well.
pub(crate) fn merge(
    tree: &dyn Fn() -> Command,
    arguments: &[OsString],
) -> Result<Merged, NotMerged> {
    let plain = tree;
    let tree = || with_switches(plain(), arguments);
    let mut first = tree();
    let (given, parsed) = match first.try_get_matches_from_mut(arguments) {
        Ok(matches) => (matches.clone(), Ok(matches)),
        // The settings may say what is missing.
        Err(error) if error.kind() == ErrorKind::MissingRequiredArgument => {
            (tree().ignore_errors(true).try_get_matches_from(arguments)?, Err(error))
        }
        Err(error) => return Err(error.into()),
    };
    let flags = task_matches(&given);
    let is_typed = |id: &Id| flags.value_source(id.as_str()) == Some(ValueSource::CommandLine);
    let typed: Vec<Id> = flags.ids().filter(|id| is_typed(id)).cloned().collect();
    let Some(source) = source(flags)? else {
        return Ok(Merged { matches: parsed?, command: first, settings: None, typed });
    };
    let set =
        settings_of(&source, probes(plain(), &given), &Typed { flags: &typed, given: flags })?;
    let names = names(&given);
    let mut merged = below(tree(), &names, &set);
    let matches = match merged.try_get_matches_from_mut(arguments) {
        Err(error) if error.kind() == ErrorKind::MissingRequiredArgument => {
            let more = with_missing(&error, task(&merged, &given), &set);
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

/// The command that is run, and those others whose settings may stand in its file.
fn probes(mut tree: Command, given: &ArgMatches) -> Vec<Probe> {
    tree.build(); // with the flags of the other commands
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
        Some(Probe::new(Command::new(name).args_override_self(true).args(args)))
    };
    let run = names(given);
    let others: [&[&str]; 4] = [&[], &["corpus"], &["text"], &["spans"]];
    [run.as_slice()].into_iter().chain(others).filter_map(alone).collect()
}

/// The tree, with those of its switches that are typed with a value, as `--lossy=false`,
/// taking one: so the command line can undo what a file says.
fn with_switches(command: Command, arguments: &[OsString]) -> Command {
    let run = arguments.get(1).and_then(|first| first.to_str()).unwrap_or_default();
    let is_typed = |arg: &Arg| {
        let start = arg.get_long().map(|long| format!("--{long}=")).unwrap_or_default();
        arguments.iter().any(|typed| typed.as_encoded_bytes().starts_with(start.as_bytes()))
    };
    let has_value =
        |typed: &OsString| typed.as_encoded_bytes().starts_with(b"--") && !is_printed(typed);
    if !arguments.iter().any(has_value) {
        return command;
    }
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

/// A command with its flags changed, and those of the commands in it.
fn with_args(command: Command, change: &dyn Fn(Arg) -> Arg) -> Command {
    command.mut_args(change).mut_subcommands(|inner| with_args(inner, change))
}

/// The file that holds for a command line; none where there is none.
fn source(given: &ArgMatches) -> Result<Option<Source>, Diagnostic> {
    if given.try_get_one::<bool>(NO_CONFIG_FLAG).ok().flatten().is_none_or(|no| *no) {
        return Ok(None); // or it is a command without settings
    }
    match given.get_one::<PathBuf>("config") {
        Some(file) if file == Path::new("-") => {
            Err(Diagnostic::new("--config -: standard input, expected a settings file")
                .hint("--config <(…) reads what a program writes"))
        }
        Some(file) => Source::read(file.clone(), By::Flag).map(Some),
        None => find()?.map(|file| Source::read(file, By::Found)).transpose(),
    }
}

/// The tree with what is given as defaults of one command: that of these names, or the program
/// itself.
fn below(tree: Command, names: &[&str], set: &[Setting]) -> Command {
    match names {
        [name, inner @ ..] => tree.mut_subcommand(name, |command| below(command, inner, set)),
        [] => set.iter().fold(tree, |command, Setting { arg, values, .. }| {
            command.mut_arg(arg.get_id().as_str(), |arg| arg.default_values(values.iter().cloned()))
        }),
    }
}

/// What another flag needs beside it and the file says, as it would be typed.
fn with_missing(error: &clap::Error, command: &Command, set: &[Setting]) -> Vec<OsString> {
    let missing = match error.get(ContextKind::InvalidArg) {
        Some(ContextValue::Strings(names)) => names.as_slice(),
        _ => &[],
    };
    let is_missing = |arg: &Arg| {
        let mut flags = command.get_arguments();
        let flag = flags.find(|flag| flag.get_id() == arg.get_id());
        flag.is_some_and(|flag| missing.contains(&flag.to_string()))
    };
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
    use crate::config::By;

    #[test]
    fn names_of_files_are_looked_up_from_the_folder() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("dedup.toml");
        std::fs::File::create(&file).unwrap().write_all(b"").unwrap();
        let source = Source::read(file, By::Flag).unwrap();
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
