//! A settings file → what it says to a command, checked.

use std::ffi::{OsStr, OsString};
use std::ops::Range;
use std::slice;

use clap::{Arg, ArgMatches, Command, Id};
use dedup_text::text::display_path;
use toml::de::DeValue;

use super::keys::{self, Probe};
use super::source::{Entry, Source, entries};
use super::values;
use crate::diagnostics::{self, Diagnostic};

/// Keys of settings that are no more, and what becomes of them: a file that has one is still read.
const REMOVED: [(&str, &str); 1] =
    [("weighted-jaccard", "is ignored: coverage has taken its place, see --coverage")];

/// A flag for which the file speaks, and what it says.
pub(super) struct Said {
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

    /// Whether no answer is to be printed.
    fn is_quiet(&self) -> bool {
        self.has(&Id::from("quiet")) && self.given.get_flag("quiet")
    }

    /// Whether it is said how the answer is to be printed.
    fn has_format(&self) -> bool {
        // A command without the flag is not to be asked for it.
        self.has(&Id::from("format"))
            && self.given.get_raw("format").is_some_and(|mut formats| formats.any(is_printed))
    }
}

/// Whether a format is of the answer that is printed, not of a file: `json`, not `json=FILE`.
fn is_printed(format: &OsStr) -> bool {
    !format.as_encoded_bytes().contains(&b'=')
}

/// What the file says to a command, without what the command line says otherwise.
pub(super) fn said(
    source: &Source,
    command: &Command,
    others: Vec<Command>,
    typed: &Typed,
) -> Result<Vec<Said>, Diagnostic> {
    let table = source.table()?;
    let entries = entries(&table);
    let mut probes: Vec<Probe> =
        [command.clone()].into_iter().chain(others).map(Probe::of).collect();
    check_together(&entries, command, source)?;
    let mut said = Vec::new();
    for entry in &entries {
        if let Some((_, why)) = REMOVED.iter().find(|(key, _)| *key == entry.key) {
            let place = format!("{}:{}", display_path(&source.file), source.line(&entry.key_span));
            diagnostics::warn(&place, &format!("{} {why}", source.shown(&entry.key_span)));
            continue;
        }
        let mut places = probes.iter().enumerate();
        let holder = places.find_map(|(place, probe)| Some((place, probe.flag(entry.key)?)));
        let (holder, arg) = holder.ok_or_else(|| unknown(entry, source, &probes))?;
        let mut values = values::typed(entry, &arg, &mut probes[holder], source)?;
        let mut counts = holder == 0 && !is_said_otherwise(&arg, command, typed);
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
            said.push(Said { arg, line: source.line(&entry.key_span), values });
        }
    }
    Ok(said)
}

/// Whether a flag is typed, or one that it cannot stand beside.
fn is_said_otherwise(arg: &Arg, command: &Command, typed: &Typed) -> bool {
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

/// Trouble where two keys cannot be meant together.
fn check_together(entries: &[Entry], command: &Command, source: &Source) -> Result<(), Diagnostic> {
    let flag = |entry: &Entry| {
        let is_off = matches!(entry.value, DeValue::Boolean(false));
        let mut flags = command.get_arguments();
        flags.find(|arg| !is_off && keys::key(arg) == Some(entry.key))
    };
    let flags: Vec<(&Entry, &Arg)> =
        entries.iter().filter_map(|entry| Some((entry, flag(entry)?))).collect();
    for (place, (entry, arg)) in flags.iter().enumerate() {
        let before = flags[..place].iter().find(|(_, other)| are_opposed(command, arg, other));
        if let Some((other, _)) = before {
            let line = source.line(&other.key_span);
            let what = format!("{} beside {} of line {line}", entry.key, other.key);
            return Err(source.trouble(
                &entry.key_span,
                &format!("{what}, wanted one of them"),
                "leave one out",
            ));
        }
    }
    Ok(())
}

/// Trouble where a flag does not take what is said: that of the command that is run, where it
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
        None => values::hint(command, entry.key),
    };
    let shown = source.shown(&span);
    Err(source.trouble(&span, &format!("{} = {shown}: {why}", entry.key), &hint))
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

/// Trouble for a key that is no flag's.
fn unknown(entry: &Entry, source: &Source, probes: &[Probe]) -> Diagnostic {
    let key = source.shown(&entry.key_span);
    if keys::is_of_one_run(entry.key) {
        let what = format!("{key}: unknown setting, wanted on the command line");
        let hint = format!("--{} is for one run; dedup config lists the settings", entry.key);
        return source.trouble(&entry.key_span, &what, &hint);
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
    source.trouble(&entry.key_span, &what, hint)
}
