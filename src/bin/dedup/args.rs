//! The command line → what is asked for.

mod output;
mod calibrate;
mod clean;
mod clusters;
mod comparing;
mod conflicts;
mod corpus;
mod index;
mod values;
mod part;
mod settings;
mod spans;
mod tree;
mod usage_error;

use std::path::{Path, PathBuf};

use clap::Parser;
use dedup_text::pair::recipe::{Recipe, Search};
use dedup_text::text::{Reading, Side};

use super::io::inputs::source::Disguises;
use crate::diagnostics::Diagnostic;
use comparing::Passages;

pub(crate) use calibrate::CalibrateFlags;
pub(crate) use clean::CleanFlags;
pub(crate) use clusters::ClustersFlags;
pub(crate) use comparing::Comparing;
pub(crate) use comparing::Opening;
pub(crate) use corpus::CorpusFlags;
pub(crate) use corpus::{Group, InputFlags, Unreadable};
pub(crate) use index::{ANONYMOUS, IndexAction, IndexFlags, IndexedFlags, is_of_file};
pub(crate) use index::{AddFlags, BuildFlags, ListFlags, RemoveFlags};
pub(crate) use output::Answering;
pub(crate) use output::FormatFlags;
pub(crate) use output::ReportFlags;
pub(crate) use output::{BaselineFlags, Unused};
pub(crate) use part::{BadLines, PartFlags, Step};
pub(crate) use settings::SettingsFlags;
pub(crate) use settings::TextFlags;
pub(crate) use spans::SpansFlags;
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
