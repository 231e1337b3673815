//! `dedup.toml`: what is given once for all runs.
//!
//! Goes in: the flags of a command, as clap knows them, and the command line. Comes out: what
//! the command line says, and below it what the file says. Which settings there are is not known
//! here: each long flag is one, but for those that are of one run.

mod source;
mod merge;
mod page;

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use dedup_text::text::display_path;

use crate::diagnostics::{self, Diagnostic};

pub(crate) use merge::{Merged, NotMerged, merge};
#[cfg(test)]
pub(crate) use page::default;
pub(crate) use page::schema;
pub(crate) use page::{page, set_lines};

/// The settings file of a run, and what of it counts.
#[derive(Clone, Debug)]
pub(crate) struct Settings {
    file: PathBuf,
    /// The names of the flags that it speaks for, each with its line, from 1 on.
    said: Vec<(String, usize)>,
}

impl Settings {
    /// The file.
    pub(crate) fn file(&self) -> &Path {
        &self.file
    }

    /// The name of the file, as seen from the working folder.
    pub(crate) fn name(&self) -> Cow<'_, str> {
        display_path(&self.file)
    }

    /// Whether the file speaks for a flag: the command line does not.
    pub(crate) fn says(&self, flag: &str) -> bool {
        self.place(flag).is_some()
    }

    /// Where the file speaks for a flag: `dedup.toml:3`.
    fn place(&self, flag: &str) -> Option<String> {
        let (_, line) = self.said.iter().find(|(name, _)| name == flag)?;
        Some(format!("{}:{line}", self.name()))
    }

    /// An error with the places of all flags that it names and the file speaks for.
    pub(crate) fn with_setting_origin(&self, error: anyhow::Error) -> anyhow::Error {
        let rendered = format!("{error:#} {}", diagnostics::hint(&error).unwrap_or_default());
        let places: Vec<String> = (self.said.iter())
            .filter(|(flag, _)| is_named(flag, &rendered))
            .filter_map(|(flag, _)| Some(format!("--{flag} is set in {}", self.place(flag)?)))
            .collect();
        if places.is_empty() {
            return error;
        }
        let places = places.join(", ");
        let hint = match diagnostics::hint(&error) {
            Some(hint) => format!("{hint}; {places}"),
            None => places,
        };
        Diagnostic::new(format!("{error:#}")).hint(hint).into()
    }
}

/// Whether a flag is a setting: whether it may stand in the file.
#[cfg(test)]
pub(crate) fn is_setting(arg: &clap::Arg) -> bool {
    merge::key(arg).is_some()
}

/// Whether a text names a flag: `--max`, not `--max-bytes`.
fn is_named(flag: &str, text: &str) -> bool {
    let goes_on = |letter: char| letter.is_alphanumeric() || letter == '-';
    let flag = format!("--{flag}");
    text.split(&flag).skip(1).any(|rest| !rest.starts_with(goes_on))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flag_is_named_whole() {
        #[rustfmt::skip]
        let table = [
            ("alone",             "--max",                  true),
            ("with a value",      "--max 3 is below --min", true),
            ("with its sign",     "--max=3",                true),
            ("a longer one",      "--max-bytes off",        false),
            ("a longer, then it", "--max-bytes, --max",     true),
            ("a word",            "max",                    false),
        ];
        for (why, text, want) in table {
            assert_eq!(is_named("max", text), want, "{why}");
        }
    }
}
