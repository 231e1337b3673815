//! The command line → what is asked for.

mod output;
mod calibrate;
mod comparing;
mod conflicts;
mod corpus;
mod index;
mod values;
mod part;
mod spans;
mod tree;

use std::path::{Path, PathBuf};

use clap::{Args, Parser};
use dedup_text::pair::{Recipe, Search};
use dedup_text::text::{Reading, Side, display_path};

use crate::config::{Merged, Settings};
use crate::diagnostics::Diagnostic;
use crate::io::inputs::source::Disguises;
use crate::io::inputs::table;
use comparing::Passages;

pub(crate) use calibrate::CalibrateFlags;
pub(crate) use comparing::Comparing;
pub(crate) use comparing::Opening;
pub(crate) use corpus::CleanFlags;
pub(crate) use corpus::CorpusFlags;
pub(crate) use corpus::{Group, InputFlags, Unreadable};
pub(crate) use index::{ANONYMOUS, IndexAction, IndexFlags, IndexedFlags, is_of_file};
pub(crate) use index::{AddFlags, BuildFlags, ListFlags, RemoveFlags};
pub(crate) use output::Answering;
pub(crate) use output::FormatFlags;
pub(crate) use output::ReportFlags;
pub(crate) use output::{BaselineFlags, Unused};
pub(crate) use part::ClustersFlags;
pub(crate) use part::{BadLines, PartFlags, Step};
pub(crate) use spans::{Format as SpansFormat, SpansFlags};
pub(crate) use tree::{CompletionsFlags, ManFlags, Request, Shell, WebFlags, command, read};

/// The passages that are shown of a pair, unless it is given.
const PASSAGES_SHOWN: usize = 5;

/// What help is laid out by.
const HELP: &str = "{about}\n\n{usage-heading} {usage}\n\n{all-args}{after-help}\n";

/// The same of the program itself: its short help fits on a screen of 24 lines.
const HELP_OF_ALL: &str = "{about}\n{usage-heading} {usage}\n{all-args}{after-help}\n";

/// The exit statuses, each with what it means.
pub(crate) const EXIT_STATUSES: &[(&str, &str)] = &[
    ("0", "the texts are near-duplicates, or as close as --at-least LEVEL"),
    ("1", "they are not; --fail-on LEVEL turns 0 and 1 round"),
    ("2", "an error: a file that cannot be read or judged, or bad usage"),
];

/// Command lines that help shows, each with what it is for.
pub(crate) const EXAMPLES: &[(&str, &str)] = &[
    ("dedup left.txt right.txt --max 3 --min 3", "the classic setting"),
    ("dedup draft.txt - --explain < final.txt", "every stage, step by step"),
    ("dedup --quiet --fail-on partial a.txt b.txt", "in CI: fails on copies"),
    ("dedup corpus essays --report board.html", "all pairs of a folder, as a page"),
    ("dedup new.txt --against earlier.dedup", "with all texts of dedup index"),
];

/// What stands below the flags in `--help`.
fn after_help() -> String {
    let list = |items: &[(&str, &str)]| {
        let width = items.iter().map(|(item, _)| item.len()).max().unwrap_or(0);
        let lines = items.iter().map(|(item, meaning)| format!("  {item:width$}  {meaning}\n"));
        lines.collect::<Vec<_>>().concat()
    };
    format!(
        "Exit status:\n{}\nExamples:\n{}\nThe name of a command is a command: a file called text is ./text.",
        list(EXIT_STATUSES),
        list(EXAMPLES),
    )
}

/// The flags of two texts.
#[derive(Debug, Parser)]
#[command(name = "dedup", version, after_long_help = after_help(), max_term_width = 80)]
#[command(args_override_self = true, args_conflicts_with_subcommands = true)]
#[command(subcommand_negates_reqs = true, arg_required_else_help = true, help_template = HELP_OF_ALL)]
#[command(
    override_usage = "dedup LEFT RIGHT [OPTIONS], dedup LEFT --against FILE or dedup COMMAND …"
)]
pub(crate) struct Flags {
    /// One text; - is standard input
    #[arg(value_name = "LEFT")]
    pub(crate) left: PathBuf,

    /// The other text; - is standard input
    #[arg(value_name = "RIGHT")]
    pub(crate) right: PathBuf,

    #[command(flatten)]
    pub(crate) comparing: Comparing,

    #[command(flatten)]
    pub(crate) answering: Answering,

    #[command(flatten)]
    pub(crate) formats: FormatFlags,

    /// Show both texts going through every stage
    ///
    /// Long lists are cut on screen; with --format json they are whole.
    #[arg(long, conflicts_with = "quiet")]
    pub(crate) explain: bool,

    /// Also show languages, stems and all figures
    #[arg(long, conflicts_with = "quiet")]
    pub(crate) details: bool,

    /// Passages shown, the longest [default 5]
    ///
    /// Of each the first lines, in the order of the left text; 0 shows none. --format json has all.
    /// They stand side by side from 100 columns on: of the terminal, or as COLUMNS says.
    #[arg(
        long,
        value_name = "N",
        default_value_t = PASSAGES_SHOWN,
        hide_default_value = true,
        value_parser = values::count
    )]
    passages_shown: usize,

    #[command(flatten)]
    pub(crate) report: ReportFlags,

    #[command(flatten)]
    pub(crate) settings: SettingsFlags,

    #[command(flatten)]
    pub(crate) baseline: BaselineFlags,
}

impl Flags {
    /// How the pair is to be compared.
    pub(crate) fn recipe(&self) -> anyhow::Result<Recipe> {
        let is_written = self.report.file().is_some() || self.formats.files().next().is_some();
        let is_shown = is_written || !self.answering.quiet || self.baseline.file().is_some();
        let search = match self.comparing.evidence.passages() {
            Some(Passages::Off) => Search::Never,
            _ if is_shown => Search::Always,
            _ => Search::For(self.answering.level()),
        };
        self.comparing.recipe(self.comparing.languages()?, search)
    }

    /// How many passages a text answer shows at most.
    pub(crate) fn passages_shown(&self) -> usize {
        self.passages_shown
    }

    /// What is done about disguises.
    pub(crate) fn disguises(&self) -> Disguises {
        self.comparing.opening.disguises()
    }

    /// `--stopwords` as it was typed.
    pub(crate) fn stopwords_as_given(&self) -> &Path {
        self.comparing.stopwords_as_given()
    }

    /// How the text of a side is to be read.
    pub(crate) fn reading(&self, side: Side) -> Result<Reading, Diagnostic> {
        self.comparing.opening.reading(side)
    }
}

/// An error of usage, with its hint.
fn usage_error(message: &str, hint: &str) -> Result<(), Diagnostic> {
    Err(Diagnostic::new(message.to_owned()).hint(hint.to_owned()))
}

/// Refuses a report where the program is built without them.
fn check_report(file: Option<&Path>) -> Result<(), Diagnostic> {
    if file.is_none() || cfg!(feature = "report") {
        return Ok(());
    }
    usage_error(
        "--report, which this build of dedup does not write: it was made without reports",
        "the programs of a release write it, and so does one that is built with --features report",
    )
}

/// Refuses a file of records by whose name they would be in another format than those that are read.
fn check_format<'r>(
    flag: &str,
    path: &Path,
    records: impl Iterator<Item = (&'r Path, table::Format)>,
) -> Result<(), Diagnostic> {
    let Some(named) = table::Format::of_name(path) else { return Ok(()) };
    let records: Vec<(&Path, table::Format)> = records.collect();
    // Records may be as the name of their file says, and not as they are asked for.
    let may_be = |(path, asked): &(&Path, table::Format)| {
        *asked == named || table::Format::of_name(path) == Some(named)
    };
    match records.first() {
        Some((first, asked)) if !records.iter().any(may_be) => {
            let (named, asked, first) = (named.name(), asked.name(), display_path(first));
            usage_error(
                &format!("{flag}: {named} by its name, expected {asked} as in {first}"),
                "records are written in the format that they are stored in",
            )
        }
        _ => Ok(()),
    }
}

// The flags that say which settings file is read.

/// What a settings file is called.
const SETTINGS: &str = "the settings file";

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
    fn take(&mut self, merged: &Merged) {
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
    fn read(&self) -> Option<(&'static str, &Path)> {
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
#[command(args_override_self = true, help_template = HELP)]
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
