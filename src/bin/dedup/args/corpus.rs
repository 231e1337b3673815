//! `dedup corpus PATH…`: the pairs of many texts.

use std::num::NonZeroUsize;

use clap::Parser;
use dedup_text::pair::recipe::{Recipe, Search};
use dedup_text::text::Reading;
use dedup_text::verdict::Verdict;
use dedup_text::verdict::ratio::Ratio;

use super::evidence::Passages;
use super::inputs::InputFlags;
use super::names::formed;
use super::report::{OF_CORPUS, OF_NAMES};
use super::values::{self, Limit};
use super::{Answering, BaselineFlags, Comparing, FormatFlags, ReportFlags, SettingsFlags};
use crate::diagnostics::Diagnostic;
use crate::io::inputs::open::Disguises;
use crate::model::corpus::Keep;

/// Find the near-duplicates among many texts: every pair, by the rule for two
#[derive(Debug, Parser)]
#[command(name = "dedup corpus", max_term_width = 80, args_override_self = true)]
#[command(help_template = "{about}\n\n{usage-heading} {usage}\n\n{all-args}{after-help}\n")]
#[command(override_usage = "dedup corpus PATH… [OPTIONS]   (- is standard input)")]
#[command(mut_arg("lang", |arg| arg.help("Language of all texts: ca, cat or none").long_help(LANG)))]
#[command(mut_arg("encoding", |arg| arg.help("Encoding of all files, such as latin1").long_help(ENCODING)))]
#[command(mut_arg("report", |arg| arg.value_name("DIR|FILE.html").help(first_line(OF_CORPUS)).long_help(OF_CORPUS)))]
#[command(mut_arg("anonymous", |arg| arg.help(first_line(OF_NAMES)).long_help(OF_NAMES)))]
#[expect(clippy::struct_excessive_bools, reason = "flags that are there or not")]
pub(crate) struct CorpusFlags {
    #[command(flatten)]
    pub(crate) inputs: InputFlags,

    #[command(flatten)]
    pub(crate) comparing: Comparing,

    #[command(flatten)]
    pub(crate) answering: Answering,

    #[command(flatten)]
    pub(crate) formats: FormatFlags,

    #[command(flatten)]
    pub(crate) baseline: BaselineFlags,

    #[command(flatten)]
    pub(crate) report: ReportFlags,

    /// Only the N nearest of each text, whatever the limit
    #[arg(long, value_name = "N", value_parser = values::positive)]
    pub(crate) nearest: Option<usize>,

    /// Also what hangs together, pair by pair
    #[arg(long)]
    pub(crate) clusters: bool,

    /// Of each cluster: first, longest or newest:FIELD
    ///
    /// What a clean corpus would keep is printed; nothing is ever deleted.
    #[arg(long, value_name = "WHICH", value_parser = formed(values::keep, &["first", "longest"], &["newest:FIELD"]), hide_possible_values = true)]
    pub(crate) keep: Option<Keep>,

    /// Most pairs of an answer [off; default 1000000]
    ///
    /// More are trouble, before any is told. Each two of texts that are alike are a pair: 2000
    /// copies are 1999000, of 1.4 kB each as JSON. --clusters, --keep and --quiet tell none:
    /// there it is a limit on those that are held, unless it is given 100000000, and copies are
    /// one text. --nearest has no limit unless it is given.
    #[arg(long, value_name = "N", hide_short_help = true, value_parser = values::pairs)]
    pub(crate) max_pairs: Option<Limit<usize>>,

    /// Leave out what more than a share of the texts have
    ///
    /// Above 0, at most 1: with 0.5, --min-match words in a row that stand in more than half of
    /// the texts, and in two at least, are the assignment. Texts of one group count once. No
    /// shingle reaches over what is left out, and the answer lists it. Of fewer than three texts
    /// nothing is left out. All texts are held in memory.
    #[arg(
        long,
        value_name = "R",
        hide_short_help = true,
        allow_negative_numbers = true,
        value_parser = values::part_of_all
    )]
    pub(super) template_share: Option<Ratio>,

    /// Pair texts also by what a tenth of them have
    ///
    /// Below near-duplicate, a passage that more than a tenth of the texts have, at least ten, or
    /// a thousand, is listed once and makes no pair by itself: a notice, a form, a licence. With
    /// this it makes each two of them a pair.
    #[arg(long, hide_short_help = true)]
    pub(crate) pair_common: bool,

    /// Name the texts that would be compared, and stop
    ///
    /// A line each: name, kind, bytes and group, parted by tabs. It goes with no flag of an answer.
    #[arg(long, hide_short_help = true)]
    pub(crate) list: bool,

    /// Name the texts that are too short
    #[arg(long, hide_short_help = true)]
    pub(crate) list_short: bool,

    /// Threads [1 to 256, default as many as there are cores]
    ///
    /// The answer does not depend on it.
    #[arg(long, value_name = "N", hide_short_help = true, value_parser = values::threads)]
    threads: Option<usize>,

    #[command(flatten)]
    pub(crate) settings: SettingsFlags,
}

pub(super) const LANG: &str = "Language of all texts: ca, cat or none\n\nISO 639-1 or 639-3. Without it the language of each is detected.";

const ENCODING: &str = "Encoding of all files, such as latin1\n\nA name of the WHATWG's Encoding Standard. Without it a byte order mark is believed, then UTF-8 where the bytes are valid, else it is detected. Records are always in UTF-8.";

fn first_line(help: &'static str) -> &'static str {
    help.lines().next().unwrap_or_default()
}

impl CorpusFlags {
    /// How the texts are to be compared.
    pub(crate) fn recipe(&self) -> anyhow::Result<Recipe> {
        let is_written = self.report.file().is_some() || self.baseline.file().is_some();
        // The verdict of a pair that is not a near-duplicate depends on its passages.
        let decide = self.answering.level() < Verdict::NearDuplicate || self.nearest.is_some();
        let search = match self.comparing.evidence.passages() {
            Some(Passages::On) => Search::Always,
            None if decide || is_written || self.formats.tell_passages() => Search::Always,
            _ => Search::Never,
        };
        let recipe = self.comparing.recipe(self.comparing.language_of_all()?, search)?;
        Ok(Recipe { common: self.template_share, ..recipe })
    }

    /// How each text is to be read.
    pub(crate) fn reading(&self) -> Result<Reading, Diagnostic> {
        self.comparing.opening.reading_of_all()
    }

    /// What is done about disguises.
    pub(crate) fn disguises(&self) -> Disguises {
        self.comparing.opening.disguises()
    }

    /// How many threads there may be: 1 to 256.
    pub(crate) fn threads(&self) -> NonZeroUsize {
        values::threads_or_cores(self.threads)
    }
}
