//! The flags of `dedup LEFT RIGHT`.

use std::path::PathBuf;

use clap::Parser;
use dedup_text::pair::{Recipe, Search};

use crate::args::comparing::Passages;
use crate::args::headings::EVIDENCE;
use crate::args::{
    Answering, BaselineFlags, Comparing, FormatFlags, HELP_OF_ALL, ReportFlags, SettingsFlags,
    after_help, check_conflicts, check_standard_input, values,
};
use crate::diagnostics::{Diagnostic, Flag};
use crate::exports::Format;
use crate::io::output::OutputFiles;
use crate::recipe::recipe;

/// The default of `--passages-shown`: the number of passages shown of a pair.
const PASSAGES_SHOWN: usize = 5;

/// The flags of two texts.
#[derive(Debug, Parser)]
#[command(name = "dedup", version, after_long_help = after_help(), max_term_width = 80)]
#[command(args_override_self = true, args_conflicts_with_subcommands = true)]
#[command(subcommand_negates_reqs = true, arg_required_else_help = true, help_template = HELP_OF_ALL)]
#[command(
    override_usage = "dedup LEFT RIGHT [OPTIONS], dedup LEFT --against FILE or dedup COMMAND …"
)]
pub(crate) struct CompareFlags {
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

    /// Show both texts at every stage of the comparison
    ///
    /// Long lists are truncated in text output; with --format json they are complete.
    #[arg(long, conflicts_with = "quiet", help_heading = EVIDENCE, hide_short_help = true)]
    pub(crate) explain: bool,

    /// Also show languages, stems and all figures
    #[arg(long, conflicts_with = "quiet", help_heading = EVIDENCE)]
    pub(crate) details: bool,

    /// Maximum number of passages to show [default 5]
    ///
    /// The longest passages are shown, each with its first lines, in the order of the left text; 0
    /// shows none. --format json has all. They are shown side by side if the terminal, or COLUMNS,
    /// is at least 100 columns wide.
    #[arg(
        long,
        value_name = "N",
        default_value_t = PASSAGES_SHOWN,
        value_parser = values::count, help_heading = EVIDENCE, hide_short_help = true)]
    pub(crate) passages_shown: usize,

    #[command(flatten)]
    pub(crate) report: ReportFlags,

    #[command(flatten)]
    pub(crate) settings: SettingsFlags,

    #[command(flatten)]
    pub(crate) baseline: BaselineFlags,
}

impl CompareFlags {
    /// Returns the recipe of the comparison.
    ///
    /// # Errors
    ///
    /// Same as [`recipe`]. Also [`Diagnostic`] if `--lang` is given twice for a side or for both.
    pub(crate) fn recipe(&self) -> anyhow::Result<Recipe> {
        let is_written = self.report.file().is_some() || self.formats.files().next().is_some();
        let is_shown = is_written || !self.answering.quiet || self.baseline.file().is_some();
        let search = match self.comparing.evidence.passages {
            Some(Passages::Off) => Search::Never,
            _ if is_shown => Search::Always,
            _ => Search::For(self.answering.level()),
        };
        recipe(&self.comparing, self.comparing.languages()?, search)
    }

    /// Checks that the flags can be combined.
    ///
    /// # Errors
    ///
    /// [`Diagnostic`] if flags contradict each other, if standard input is named twice, or if an
    /// output would overwrite an input.
    pub(crate) fn check(&self) -> Result<(), Diagnostic> {
        let texts = [&*self.left, &*self.right].into_iter();
        check_standard_input(texts.chain(self.comparing.files().map(|(_, path)| path)))?;
        self.formats.check(self.answering.quiet)?;
        self.baseline.check(self.comparing.evidence.passages)?;
        self.check_ignored()?;
        let outputs = OutputFiles::new(
            (self.formats.written())
                .chain(self.report.written())
                .chain(self.baseline.written())
                .chain(self.formats.written_summary()),
        )?;
        let texts = [("LEFT", self.left.as_path()), ("RIGHT", &self.right)];
        let read = texts.into_iter().chain(self.comparing.files()).chain(self.settings.read());
        read.into_iter().try_for_each(|(what, path)| outputs.check(what, path))
    }

    /// Checks that no flag would be ignored.
    pub(crate) fn check_ignored(&self) -> Result<(), Diagnostic> {
        let typed = |flag: &str| !self.settings.sets(flag);
        let printed = self.formats.printed();
        let format = || Flag::with("format", printed.name());
        let has_text = !self.answering.quiet && printed == Format::Text
            || self.formats.files().any(|(format, _)| format == Format::Text);
        let has_stages = has_text
            || (self.formats.files().map(|(format, _)| format).chain([printed]))
                .any(|format| matches!(format, Format::Json | Format::Jsonl));
        let is_shown_given = self.passages_shown != PASSAGES_SHOWN && typed("passages-shown");
        let evidence = &self.comparing.evidence;
        let is_off = evidence.has_no_passages();
        let silent = if self.answering.quiet { Flag::new("quiet") } else { format() };
        check_conflicts(&[
            (
                self.explain && typed("explain") && !has_stages,
                Flag::new("explain"),
                format(),
                "text, json and jsonl show the stages",
            ),
            (
                is_shown_given && !has_text,
                Flag::new("passages-shown"),
                silent,
                "it applies only to text; the other formats have all passages, or none",
            ),
            (
                is_shown_given && is_off,
                Flag::new("passages-shown"),
                Flag::with("passages", "off"),
                "without passages there is none to show",
            ),
        ])?;
        self.comparing.check_ignored(typed)
    }
}
