//! The flags of commands → the keys that a settings file may have, and what each takes.

use std::ffi::{OsStr, OsString};

use clap::error::ErrorKind;
use clap::{Arg, ArgAction, Command, ValueHint};

/// Flags that are of one run, and of no file.
const OF_ONE_RUN: [&str; 13] = [
    "help",
    "version",
    "config",
    "no-config",
    "list",
    "update-baseline",
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

/// The key of a flag; none for a flag of one run, and for what is no long flag.
pub(super) fn key(arg: &Arg) -> Option<&str> {
    arg.get_long().filter(|long| !is_of_one_run(long))
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
    pub(super) fn of(command: Command) -> Self {
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
        let typed = values.iter().map(|value| {
            let mut typed = OsString::from(format!("--{flag}="));
            typed.push(value);
            typed
        });
        let line = [OsString::from("dedup")].into_iter().chain(typed);
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
            Some((last, [])) => format!("wanted {last}"),
            Some((last, others)) => format!("wanted {} or {last}", others.join(", ")),
            None => "empty, wanted a value".to_owned(),
        }
    }
}
