//! The command line → what is asked for.

mod output;
mod calibrate;
mod clusters;
mod comparing;
mod conflicts;
mod corpus;
mod values;
mod part;
mod settings;
mod tree;

use std::path::{Path, PathBuf};

use clap::Parser;
use dedup_text::pair::recipe::{Recipe, Search};
use dedup_text::text::{Reading, Side};

use super::io::inputs::source::Disguises;
use crate::diagnostics::Diagnostic;
use comparing::Passages;

pub(crate) use calibrate::CalibrateFlags;
pub(crate) use clusters::ClustersFlags;
pub(crate) use comparing::Comparing;
pub(crate) use comparing::Opening;
pub(crate) use corpus::CorpusFlags;
pub(crate) use corpus::Group;
pub(crate) use output::Answering;
pub(crate) use output::FormatFlags;
pub(crate) use output::ReportFlags;
pub(crate) use output::{BaselineFlags, Unused};
pub(crate) use part::{BadLines, PartFlags, Step};
pub(crate) use settings::SettingsFlags;
pub(crate) use settings::ShowFlags;
pub(crate) use tree::command_tree;
pub(crate) use tree::{Request, read};

/// The passages that are shown of a pair, unless it is said.
const PASSAGES_SHOWN: usize = 5;

/// Decide whether two texts are near-duplicates, and show the figures behind the answer
#[derive(Debug, Parser)]
#[command(name = "dedup", version, after_long_help = tree::AFTER_HELP, max_term_width = 80, args_override_self = true)]
#[command(help_template = "{about}\n\n{usage-heading} {usage}\n\n{all-args}{after-help}\n")]
#[command(override_usage = "dedup LEFT RIGHT [OPTIONS] | dedup text FILE | dedup corpus PATH…")]
pub(crate) struct Flags {
    /// One text; - is standard input
    #[arg(value_name = "LEFT", hide_short_help = true)]
    pub(crate) left: PathBuf,

    /// The other text; - is standard input
    #[arg(value_name = "RIGHT", hide_short_help = true)]
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
        hide_short_help = true,
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
