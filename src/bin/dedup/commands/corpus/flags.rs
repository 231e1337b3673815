//! `dedup corpus PATH…`: finds the pairs among many texts.

mod conflicts;

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use clap::{Args, Parser, ValueHint};
use dedup_text::corpus::index::Index;
use dedup_text::corpus::join::Memory;
use dedup_text::corpus::preference::Keep;
use dedup_text::pair::{CommonShare, Recipe, Search};
use dedup_text::text::{ReadOptions, display_path};
use dedup_text::verdict::Verdict;
use dedup_text::verdict::ratio::Ratio;

use super::model::{Levels, Task};
use crate::args::comparing::Passages;
use crate::args::headings::{CI, CLEAN, EVIDENCE, OUTPUT, WHAT_COUNTS, WHAT_TO_COMPARE};
use crate::args::inputs::{ENCODING, InputFlags, LANG};
use crate::args::output::{OF_CORPUS, OF_NAMES};
use crate::args::values::{self, Limit};
use crate::args::{
    Answering, BaselineFlags, Comparing, FormatFlags, HELP, KEEP_FIRST, KeepFlags, ReportFlags,
    SettingsFlags,
};
use crate::args::{ThreadsFlag, check_compression, check_format, first_line, usage_error};
use crate::config::Merged;
use crate::diagnostics::{Diagnostic, Flag};
use crate::exports::Format;
use crate::io::memory::memory_of_machine;
use crate::io::output;
use crate::recipe::recipe;
use crate::stored::take_recorded;

/// The flags that ask for clusters, or for what is kept of each, and so for all pairs.
const OF_CLUSTERS: [&str; 5] = ["clusters", "keep", "output", "removed", "dry_run"];

/// Compare many texts and find all pairs with something in common
#[derive(Debug, Parser)]
#[command(args_override_self = true, help_template = HELP)]
#[command(override_usage = "dedup corpus [PATH…] [OPTIONS]   (- is standard input)")]
#[command(mut_arg("lang", |arg| arg.help("Language of all texts: ca, cat or none").long_help(LANG)))]
#[command(mut_arg("encoding", |arg| arg.help("Encoding of all files, such as latin1").long_help(ENCODING)))]
#[command(mut_arg("report", |arg| arg.value_name("PATH").help(first_line(OF_CORPUS)).long_help(OF_CORPUS)))]
#[command(mut_arg("anonymous", |arg| arg.help(first_line(OF_NAMES)).long_help(OF_NAMES)))]
#[command(mut_arg("baseline", |arg| arg.conflicts_with_all(OF_CLUSTERS)))]
#[expect(clippy::struct_excessive_bools, reason = "flags that are there or not")]
pub(crate) struct CorpusFlags {
    /// Whether the command is `dedup check`.
    #[arg(skip)]
    pub(crate) is_check: bool,

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

    /// Ignore what the git commit REF already contains
    ///
    /// The same paths are also compared as they are at REF, a branch, a tag or another commit. Pairs
    /// that are found there are accepted unless they share more now, as by a baseline of REF. git
    /// reads them from the repository of the working folder; nothing is checked out, fetched or
    /// written. What --baseline lists is accepted, too.
    #[arg(
        long,
        value_name = "REF",
        conflicts_with = "update_baseline",
        conflicts_with_all = OF_CLUSTERS,
        allow_hyphen_values = true, help_heading = CI, hide_short_help = true)]
    pub(crate) since: Option<String>,

    /// Only report pairs with this file or folder; repeatable
    ///
    /// All texts are compared, but no other pair is reported or counts for the exit status: for
    /// editors and pre-commit. A file that is not one of the texts, such as a picture, is noted.
    #[arg(
        long,
        value_name = "PATH",
        conflicts_with = "update_baseline",
        conflicts_with_all = OF_CLUSTERS, help_heading = WHAT_TO_COMPARE, hide_short_help = true)]
    pub(crate) focus: Vec<PathBuf>,

    #[command(flatten)]
    pub(crate) report: ReportFlags,

    /// Go on with the review FILE that a report saved
    ///
    /// What a reader decided there about a pair is in the new report: cleared, to the board, and the
    /// notes. A pair is known by the words of its texts, and several pairs of equal texts by the names,
    /// too. One that was cleared and now shares more words is to be read again.
    #[arg(long, value_name = "FILE", requires = "report", value_hint = ValueHint::FilePath, help_heading = EVIDENCE, hide_short_help = true)]
    pub(crate) reviewed: Option<PathBuf>,

    /// Also show the Jaccard index and the Hamming distance
    #[arg(long, help_heading = EVIDENCE)]
    pub(crate) details: bool,

    /// Pairs that the text answer lists: N or all [default 100]
    ///
    /// The closest are listed, and the others counted. All other formats have all pairs.
    #[arg(long, value_name = "N", value_parser = values::rows, default_value = "100", help_heading = OUTPUT, hide_short_help = true)]
    pub(crate) rows: Limit<usize>,

    /// Only report the N nearest of each text, at any limit
    #[arg(long, value_name = "N", value_parser = values::positive, conflicts_with_all = OF_CLUSTERS, help_heading = EVIDENCE)]
    pub(crate) nearest: Option<usize>,

    /// Also show clusters, pair by pair
    #[arg(long, conflicts_with_all = ["keep", "output", "removed", "dry_run"], help_heading = EVIDENCE)]
    pub(crate) clusters: bool,

    #[command(flatten)]
    pub(crate) keeping: KeepFlags,

    #[command(flatten)]
    pub(crate) clean: CleanFlags,

    /// Maximum number of pairs [off; default 1000000]
    ///
    /// If there are more, it is an error, and no pair is reported. Every two similar texts are a
    /// pair: 2000 copies are 1999000 pairs, of 1.4 kB each as JSON. --clusters, --keep and --quiet
    /// list no pairs: with them this limits the pairs that are kept in memory, by default
    /// 100000000, and copies count as one text. Unless this flag is given, there is no limit with
    /// --nearest, nor where all formats are jsonl or csv, whose pairs are written as they are
    /// judged, unless the level is partial or excerpt or --report, --baseline or --since is given.
    #[arg(long, value_name = "N", value_parser = values::pairs, help_heading = OUTPUT, hide_short_help = true)]
    pub(crate) max_pairs: Option<Limit<usize>>,

    /// Set aside what at least this share of the texts have, or off
    ///
    /// Above 0, at most 1, or off: with 0.5, --min-match words in a row that half of the texts have,
    /// and two at least, are taken for part of the assignment, even if a word or a number between
    /// them is another one in each. Texts of one group or person count once. No shingle extends
    /// across it, and the answer begins with it. All texts are kept in memory. The default is 0.8
    /// for ten or more texts that are submissions of known persons, and in dedup check, and off
    /// for records and everything else. With fewer than three texts nothing is set aside.
    #[arg(
        long,
        value_name = "R",
        allow_negative_numbers = true,
        value_parser = values::part_of_all, help_heading = WHAT_COUNTS, hide_short_help = true)]
    pub(crate) template_share: Option<Limit<Ratio>>,

    /// Write what --template-share sets aside, as a file for --template
    ///
    /// A plain text file, which is never overwritten. With --template FILE in place of
    /// --template-share, these texts give the same answer, and so does each pair of them.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, help_heading = WHAT_COUNTS, hide_short_help = true)]
    pub(crate) save_common: Option<PathBuf>,

    /// List the texts that would be compared, and exit
    ///
    /// One line each: name, kind, bytes and group, separated by tabs. It cannot be combined with
    /// flags of the result.
    #[arg(long, conflicts_with_all = [
        "nearest", "keep", "output", "removed", "dry_run", "each_against", "clusters", "format",
        "report", "baseline", "since", "focus", "max_pairs", "at_least", "fail_on", "details",
    ], help_heading = OUTPUT, hide_short_help = true)]
    pub(crate) list: bool,

    #[command(flatten)]
    pub(crate) threads: ThreadsFlag,

    /// Memory for the shingles [default three quarters of the memory available]
    ///
    /// A size such as 512M or 2G, in powers of 1024. What does not fit is spilled to a temporary
    /// file, and the result is the same. The following stay in memory at any limit: 700 bytes per
    /// text; one byte per shingle; the index of --nearest and of levels below near-duplicate; and
    /// texts whose passages are searched for.
    #[arg(long, value_name = "SIZE", value_parser = values::memory, help_heading = OUTPUT, hide_short_help = true)]
    memory: Option<u64>,

    /// Folder for temporary files, instead of the system's
    #[arg(long, value_name = "DIR", help_heading = OUTPUT, hide_short_help = true)]
    temp_dir: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) settings: SettingsFlags,
}

impl CorpusFlags {
    /// Stores the settings file that was read, and takes over the settings that an index of
    /// old texts was built with.
    pub(crate) fn take(&mut self, merged: &Merged) {
        self.settings.take(merged);
        // The settings file may set it for other runs.
        self.clean.each_against &= !self.inputs.against.is_empty();
        let index = self.inputs.old().iter().find(|path| Index::is_at(path));
        if let Some(index) = index {
            take_recorded(&mut self.comparing, index, merged);
        }
    }

    /// Returns what the flags ask for. Flags that ask for two things at once are refused before.
    pub(crate) fn task(&self) -> Task {
        if let Some(max_neighbours) = self.nearest.and_then(NonZeroUsize::new) {
            return Task::Nearest(max_neighbours);
        }
        match self.kept() {
            _ if self.clean.each_against => Task::Items,
            Some(keep) => Task::Keep(keep.clone()),
            None if self.clusters => Task::Clusters,
            None => Task::Pairs,
        }
    }

    /// Reports whether the answer is for people, who also want to know of pairs below the level. A
    /// run with `--fail-on` and without a report is for a program, which needs only pairs that
    /// reach the level.
    pub(crate) fn is_read_by_people(&self) -> bool {
        let is_text = !self.answering.quiet && self.formats.printed() == Format::Text;
        let is_for_ci = self.answering.has_fail_on() && self.report.file().is_none();
        let is_above = self.answering.level() > Verdict::Excerpt;
        let has_passages = self.comparing.evidence.passages != Some(Passages::Off);
        self.task() == Task::Pairs
            && !is_for_ci
            && is_above
            && has_passages
            && (is_text || self.report.file().is_some())
    }

    /// Returns the recipe of the comparison. Passages are searched for if they are needed to decide
    /// a verdict, as for [`Levels::All`], or are part of an output, unless `--passages` decides.
    pub(crate) fn recipe(&self, levels: Levels) -> anyhow::Result<Recipe> {
        let is_written = self.report.file().is_some()
            || self.baseline.file().is_some()
            || self.since.is_some()
            || self.task() == Task::Items;
        // The verdict of a pair that is not a near-duplicate depends on its passages.
        let decide = self.answering.level() < Verdict::NearDuplicate
            || self.task().is_nearest()
            || levels == Levels::All;
        let search = match self.comparing.evidence.passages {
            Some(Passages::On) => Search::Always,
            None if decide || is_written || self.formats.show_passages() => Search::Always,
            _ => Search::Never,
        };
        recipe(&self.comparing, self.comparing.language_of_all()?, search)
    }

    /// Returns from when on what many texts have is set aside; `None` if it is not. By default, it is
    /// in submissions and in documentation.
    pub(crate) fn common(&self, are_submissions: impl FnOnce() -> bool) -> Option<CommonShare> {
        if let Some(Limit(share)) = self.template_share {
            return share.map(|share| CommonShare { share, min_texts: 3 });
        }
        let is_documentation = self.is_check && !self.inputs.has_records();
        let is_default = self.save_common.is_some() || is_documentation || are_submissions();
        let share = is_default.then(|| "0.8".parse().ok()).flatten()?;
        Some(CommonShare { share, min_texts: 10 })
    }

    /// Reports whether pairs without a text of `--focus` can be skipped: nothing in the answer
    /// depends on them.
    pub(crate) fn can_join_by_focus(&self) -> bool {
        !self.task().is_nearest() && self.report.file().is_none()
    }

    /// Returns the reading options of each text.
    pub(crate) fn reading(&self) -> Result<ReadOptions, Diagnostic> {
        self.comparing.opening.reading_of_all()
    }

    /// Returns the folder for temporary files. `None` if `--temp-dir` is not given.
    ///
    /// # Errors
    ///
    /// [`Diagnostic`] if it is not a folder.
    pub(crate) fn temp_dir(&self) -> Result<Option<&Path>, Diagnostic> {
        match self.temp_dir.as_deref() {
            Some(path) if !path.is_dir() => {
                let message = format!(
                    "{}: not a folder, expected a folder for --temp-dir",
                    display_path(path)
                );
                Err(Diagnostic::new(message)
                    .hint("create it with mkdir; without --temp-dir, the system's folder is used")
                    .flags(["temp-dir"]))
            }
            folder => Ok(folder),
        }
    }

    /// Returns how much memory the shingles may occupy, and the folder that the rest is spilled to.
    /// The default is three quarters of the memory that is available to the program.
    pub(crate) fn memory(&self) -> Memory {
        let bytes = self.memory.unwrap_or_else(|| memory_of_machine() / 4 * 3);
        Memory { bytes, folder: tempfile::env::temp_dir() }
    }
}

// The flags that write a clean corpus.

/// The flags that set which files a clean corpus is written to.
#[derive(Args, Debug)]
pub(crate) struct CleanFlags {
    /// Write the records that are kept, as a clean corpus
    ///
    /// Lines of --jsonl or rows of --csv, byte for byte and in their order, or rows of --parquet
    /// with all their columns; - is standard output. It requires --keep, --against or
    /// --earlier; with the latter two, records that are similar to an earlier text are omitted.
    /// The files are written completely or not at all, and nothing is written if a line cannot be
    /// read.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, help_heading = OUTPUT)]
    pub(crate) output: Option<PathBuf>,

    /// Write a line for each record that is removed
    ///
    /// In the format of the records: its id, the id of the kept record that it duplicates, the
    /// verdict, the Jaccard index, and the share of its words in passages of that record, which is
    /// null if passages are not looked for.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, help_heading = CLEAN, hide_short_help = true)]
    pub(crate) removed: Option<PathBuf>,

    /// Keep all records, and add a field with the id that each duplicates
    ///
    /// Changes what --output writes. The field is null, or empty in CSV, in records that are kept.
    #[arg(long, value_name = "FIELD", requires = "output", help_heading = CLEAN, hide_short_help = true)]
    pub(crate) annotate: Option<String>,

    /// Count what would be kept, and write no clean corpus
    #[arg(long, help_heading = CLEAN, hide_short_help = true)]
    pub(crate) dry_run: bool,

    /// Report for each text of --against which texts share it
    ///
    /// Each with how much of either text occurs in the other, and the positions of the passages, in
    /// bytes, in both texts.
    #[arg(
        long,
        requires = "against",
        conflicts_with_all = OF_CLUSTERS,
        conflicts_with_all = ["earlier", "nearest", "report", "baseline", "since", "focus"], help_heading = EVIDENCE, hide_short_help = true)]
    pub(crate) each_against: bool,
}

impl CleanFlags {
    /// Reports whether a clean corpus is requested.
    pub(crate) fn is_asked(&self) -> bool {
        self.output.is_some() || self.removed.is_some() || self.dry_run
    }

    /// Returns the files to be written, each with the flag that names it.
    pub(crate) fn written(&self) -> impl Iterator<Item = (Flag, PathBuf)> {
        let both = [("output", &self.output), ("removed", &self.removed)];
        both.into_iter().filter_map(|(flag, path)| {
            let path = path.clone()?;
            Some((Flag::with(flag, display_path(&path)), path))
        })
    }

    /// Reports whether one of the files is standard output.
    pub(crate) fn is_printed(&self) -> bool {
        let mut files = self.output.iter().chain(&self.removed);
        !self.dry_run && files.any(|path| output::is_output(path))
    }
}

impl CorpusFlags {
    /// Returns the name of the command, for hints.
    pub(crate) fn command_name(&self) -> &'static str {
        if self.is_check { "check" } else { "corpus" }
    }

    /// Returns the rule that chooses which of several texts is kept: `first` for a clean corpus
    /// without `--keep`. `None` if no text is to be chosen.
    pub(crate) fn kept(&self) -> Option<&Keep> {
        self.keeping.keep.as_ref().or(self.clean.is_asked().then_some(&Keep::First))
    }

    /// Checks the flags of a clean corpus and of `--each-against`.
    ///
    /// # Errors
    ///
    /// [`Diagnostic`] if flags contradict each other, if nothing determines which records are
    /// removed, if the inputs are not records alone, or if the records cannot be written as the
    /// name of an output implies.
    pub(crate) fn check_clean(&self) -> Result<(), Diagnostic> {
        let printed = (!self.answering.quiet).then(|| self.formats.printed());
        self.check_each_against(printed)?;
        self.check_printed(printed)?;
        let CleanFlags { output, removed, dry_run, annotate, .. } = &self.clean;
        let flags =
            [("output", output.is_some()), ("removed", removed.is_some()), ("dry-run", *dry_run)];
        let Some((flag, _)) = flags.into_iter().find(|(_, is_there)| *is_there) else {
            return Ok(());
        };
        if self.keeping.keep.is_none() && self.inputs.old().is_empty() {
            return usage_error(
                [flag, "keep", "against", "earlier"],
                &format!("--{flag} without --keep, --against or --earlier, expected one of them"),
                KEEP_FIRST,
            );
        }
        let lists = self.inputs.files_from.iter().chain(&self.inputs.files0_from);
        if let Some(path) = self.inputs.paths.iter().chain(lists).next() {
            return usage_error(
                [flag],
                &format!("--{flag} and {} together, expected only records", display_path(path)),
                "a clean corpus is written from records of --jsonl, --csv or --parquet; --keep \
                 first --format paths0 lists files",
            );
        }
        self.clean.written().try_for_each(|(flag, path)| self.check_written(&flag, &path))?;
        let [id, text] = [self.inputs.id(), self.inputs.text()];
        if let Some(field) = annotate.as_deref().filter(|it| [id, text].contains(it)) {
            return usage_error(
                ["annotate"],
                &format!("--annotate {field}, expected a field that no record has"),
                "name another field, such as duplicate_of",
            );
        }
        Ok(())
    }

    /// Checks that records can be written as the name of an output file implies.
    fn check_written(&self, flag: &Flag, path: &Path) -> Result<(), Diagnostic> {
        check_compression(flag, path)?;
        check_format(flag, path, self.inputs.records())
    }

    /// Checks that standard output is not used twice: for kept records, for removed records, for
    /// the report, or for an answer in a format other than text.
    fn check_printed(&self, printed: Option<Format>) -> Result<(), Diagnostic> {
        let CleanFlags { output, removed, dry_run, .. } = &self.clean;
        let is_output = |path: &Option<PathBuf>| path.as_deref().is_some_and(output::is_output);
        let report = self.report.file().filter(|path| output::is_output(path));
        let format = printed.filter(|it| *it != Format::Text);
        let format = format.map(|it| Flag::with("format", it.name()));
        let other = report.map(|_| Flag::new("report")).or(format);
        if let Some(other) = other.filter(|_| self.clean.is_printed()) {
            let flag = if is_output(output) { "output" } else { "removed" };
            return usage_error(
                other.names().chain([flag]),
                &format!("standard output for both records and {other}, expected only one of them"),
                &format!("--{flag} FILE writes the records to a file"),
            );
        }
        if is_output(output) && is_output(removed) && !dry_run {
            return usage_error(
                ["output", "removed"],
                "standard output for both --output and --removed, expected only one of them",
                "--removed FILE writes the removed records to a file",
            );
        }
        Ok(())
    }
}
