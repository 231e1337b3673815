//! The flags that say which settings file is read.

use std::path::{Path, PathBuf};

use clap::{Args, Parser};

use super::{CalibrateFlags, CorpusFlags, Flags, Opening};
use crate::config::Settings;

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
        hide_short_help = true,
        conflicts_with = "no_config",
        value_hint = clap::ValueHint::FilePath
    )]
    config: Option<PathBuf>,

    /// Read no settings file
    #[arg(long, hide_short_help = true)]
    no_config: bool,

    #[arg(skip)]
    read: Option<Settings>,

    /// The settings that figures depend on, each key with its line of a settings file.
    #[arg(skip)]
    figures: Vec<(String, String)>,
}

impl SettingsFlags {
    /// Takes what was read, and what figures depend on.
    pub(super) fn take(&mut self, read: Option<Settings>, figures: Vec<(String, String)>) {
        (self.read, self.figures) = (read, figures);
    }

    /// The settings that figures depend on, each key with its line of a settings file.
    pub(crate) fn figures(&self) -> &[(String, String)] {
        &self.figures
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

    /// What was answered; trouble with the places that it may come from.
    pub(crate) fn with_setting_origin<T>(&self, answer: anyhow::Result<T>) -> anyhow::Result<T> {
        answer.map_err(|error| match &self.read {
            Some(read) => read.with_setting_origin(error),
            None => error,
        })
    }
}

/// The flags of a command that reads settings.
pub(super) trait Settled {
    /// The settings that are told on, where they are said.
    const FIGURES: &[&str] = &[];

    fn settings(&mut self) -> &mut SettingsFlags;
}

impl Settled for Flags {
    fn settings(&mut self) -> &mut SettingsFlags {
        &mut self.settings
    }
}

impl Settled for ShowFlags {
    fn settings(&mut self) -> &mut SettingsFlags {
        &mut self.settings
    }
}

impl Settled for CorpusFlags {
    fn settings(&mut self) -> &mut SettingsFlags {
        &mut self.settings
    }
}

impl Settled for CalibrateFlags {
    /// Those that figures depend on, and the limits, of which one verdict's are kept.
    const FIGURES: &[&str] = &[
        "min",
        "max",
        "lang",
        "encoding",
        "lossy",
        "disguises",
        "html",
        "markdown",
        "ignore",
        "template",
        "min-match",
        "stopwords",
        "stem",
        "hamming",
        "jaccard",
        "partial-jaccard",
        "coverage",
        "containment",
    ];

    fn settings(&mut self) -> &mut SettingsFlags {
        &mut self.settings
    }
}

// `dedup text FILE`: the text that is compared.

/// Print the text that is compared: decoded, taken out of its document, and as its reader
/// sees it
#[derive(Debug, Parser)]
#[command(name = "dedup text", max_term_width = 80, args_override_self = true)]
#[command(help_template = "{about}\n\n{usage-heading} {usage}\n\n{all-args}{after-help}\n")]
#[command(override_usage = "dedup text FILE [OPTIONS]   (- is standard input)")]
pub(crate) struct ShowFlags {
    /// The file; - is standard input
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,

    #[command(flatten)]
    pub(crate) opening: Opening,

    #[command(flatten)]
    pub(crate) settings: SettingsFlags,
}
