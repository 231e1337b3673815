//! The flags that say which settings file is read.

use std::path::{Path, PathBuf};

use clap::Args;

use super::Opening;
use crate::config::{Merged, Settings};

/// What a settings file is called.
pub(crate) const SETTINGS: &str = "the settings file";

/// Which settings file is read.
#[derive(Args, Debug)]
pub(crate) struct SettingsFlags {
    /// Settings of a FILE [default dedup.toml]
    ///
    /// In it each long flag is a setting: jaccard = 0.8, quiet = true, stopwords = "off".
    /// A flag that is typed counts before it, and --quiet=false undoes quiet = true. Without
    /// --config it is dedup.toml in the working folder, or the nearest above it up to the root of
    /// the repository. Files that it names are looked up from its folder.
    #[arg(
        long,
        value_name = "FILE",
        conflicts_with = "no_config",
        value_hint = clap::ValueHint::FilePath
    )]
    config: Option<PathBuf>,

    /// Read no settings file
    #[arg(long)]
    no_config: bool,

    #[arg(skip)]
    read: Option<Settings>,
}

impl SettingsFlags {
    /// Takes what was read.
    pub(super) fn take(&mut self, merged: &Merged) {
        self.read.clone_from(&merged.settings);
    }

    /// Whether a settings file speaks for a flag.
    pub(crate) fn says(&self, flag: &str) -> bool {
        self.read.as_ref().is_some_and(|read| read.says(flag))
    }

    /// The settings file, as seen from the working folder; none where none is read.
    pub(crate) fn name(&self) -> Option<String> {
        self.read.as_ref().map(|read| read.name().into_owned())
    }

    /// The settings file; none where none is read.
    pub(crate) fn file(&self) -> Option<&Path> {
        self.read.as_ref().map(Settings::file)
    }

    /// The settings file, with what it is.
    pub(super) fn read(&self) -> Option<(&'static str, &Path)> {
        self.file().map(|file| (SETTINGS, file))
    }

    /// What was answered; an error with the places that it may come from.
    pub(crate) fn with_setting_origin<T>(&self, answer: anyhow::Result<T>) -> anyhow::Result<T> {
        answer.map_err(|error| match &self.read {
            Some(read) => read.with_setting_origin(error),
            None => error,
        })
    }
}

// `dedup text FILE`: the text that is compared.

/// Print the text of a file as it is compared
///
/// Decoded, taken out of its document, and as its reader sees it.
#[derive(Args, Debug)]
#[command(args_override_self = true, help_template = super::HELP)]
#[command(override_usage = "dedup text FILE [OPTIONS]   (- is standard input)")]
pub(crate) struct TextFlags {
    /// The file; - is standard input
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,

    #[command(flatten)]
    pub(crate) opening: Opening,

    #[command(flatten)]
    pub(crate) settings: SettingsFlags,
}
