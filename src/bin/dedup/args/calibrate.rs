//! `dedup calibrate PAIRS.tsv`: chooses limits from labelled pairs.

use std::path::{Path, PathBuf};

use clap::Args;
use dedup_text::calibration::Rung;
use dedup_text::pair::{Recipe, Search};
use dedup_text::text::{ReadOptions, display_path};

use super::output::form;
use super::values::named;
use super::{Comparing, FormatFlags, SettingsFlags, ThreadsFlag, check_report, usage_error};
use crate::diagnostics::{Diagnostic, Flag};
use crate::io::disk::FileId;
use crate::io::output::{OutputFiles, is_output};
use crate::model::Format;

/// Choose limits from labelled pairs
///
/// The result also shows how good the limits are for other texts: they are chosen on one half of
/// the texts and tested on the other, and no text is in both halves. The intervals contain the
/// value for 95 of 100 samples of as many texts.
#[derive(Args, Debug)]
#[command(args_override_self = true, help_template = super::HELP)]
#[command(override_usage = "dedup calibrate PAIRS.tsv [OPTIONS]   (- is standard input)")]
#[command(mut_arg("lang", |arg| arg.help("Language of all texts: ca, cat or none").long_help(super::corpus::LANG)))]
#[command(mut_arg("encoding", |arg| arg.help("Encoding of all files, such as latin1").long_help(ENCODING)))]
#[command(mut_arg("passages", |arg| arg.hide(true)))]
#[command(mut_arg("format", |arg| arg.help("Output format: text or json [default text]").long_help(FORMAT).value_parser(named(form(), &["text", "json"]))))]
pub(crate) struct CalibrateFlags {
    /// The pairs, one per line: two text names and a label, separated by tabs
    ///
    /// A label is yes, y, true or 1, or else no, n, false or 0. Names are relative to the folder of
    /// the list. Additional cells are skipped, and so are empty lines, lines that begin with #, and
    /// a first line that names no files.
    #[arg(value_name = "PAIRS.tsv")]
    pub(crate) pairs: PathBuf,

    /// Verdict to calibrate: near-duplicate or partial [default near-duplicate]
    ///
    /// A pair labelled yes should have this verdict or a closer one. near-duplicate chooses
    /// --jaccard, at least --partial-jaccard, or --hamming. partial chooses --partial-jaccard, at
    /// most --jaccard, --coverage or both; pairs that are near-duplicates by the current limits are
    /// a yes under every rule. The limits of the other verdict are not changed. Only partial
    /// searches for the passages of each pair, which takes longer.
    #[arg(
        id = "for",
        long = "for",
        value_name = "LEVEL",
        default_value = "near-duplicate",
        value_parser = named(rung, &["near-duplicate", "partial"])
    )]
    pub(crate) rung: Rung,

    /// Folder that the names of texts are relative to
    #[arg(long, value_name = "DIR", value_hint = clap::ValueHint::DirPath)]
    pub(crate) base: Option<PathBuf>,

    /// Labels that mean yes, instead of yes, y, true and 1
    ///
    /// Several are separated by commas. Pairs with labels that mean neither yes nor no are skipped,
    /// and counted.
    #[arg(long, value_name = "LABEL", value_delimiter = ',')]
    pub(crate) yes: Vec<String>,

    /// Labels that mean no, instead of no, n, false and 0
    #[arg(long, value_name = "LABEL", value_delimiter = ',')]
    pub(crate) no: Vec<String>,

    /// Also write the best limits to a settings file
    ///
    /// dedup uses the file when it is run in the file's folder. It sets the limits of the verdict
    /// that was calibrated, and those of the other verdict only if they were given. If the current
    /// limits do better in the test, they stay, and the new ones are comments. An existing file is
    /// not overwritten.
    #[arg(id = "settings_file", long = "settings", value_name = "FILE", value_hint = clap::ValueHint::FilePath)]
    pub(crate) settings_file: Option<PathBuf>,

    /// Replace an existing settings file, but no text, list or template
    ///
    /// Settings of the file that calibrate does not set are kept. Those with which the limits were
    /// not chosen are kept as comments.
    #[arg(long, requires = "settings_file")]
    pub(crate) force: bool,

    /// Also write a report as one web page
    ///
    /// It shows precision, recall and F1 of each measure at all limits, and the pairs on which the
    /// best rule and the labels disagree. It opens from disk, without a network.
    #[arg(long, value_name = "FILE.html")]
    pub(crate) report: Option<PathBuf>,

    /// Print no result; only set the exit status
    ///
    /// Errors are still printed to standard error.
    #[arg(short, long)]
    pub(crate) quiet: bool,

    #[command(flatten)]
    pub(crate) formats: FormatFlags,

    #[command(flatten)]
    pub(crate) comparing: Comparing,

    #[command(flatten)]
    pub(crate) threads: ThreadsFlag,

    #[command(flatten)]
    pub(crate) settings: SettingsFlags,

    /// Those of [`Self::FIGURES`] that are set, each key with its line of a settings file.
    #[arg(skip)]
    pub(crate) figures: Vec<(String, String)>,

    /// The entries of the settings file that is replaced, each key with its lines. Empty if no file
    /// is replaced, or if the file cannot be read.
    #[arg(skip)]
    pub(crate) replaced: Vec<(String, String)>,
}

const ENCODING: &str = "Encoding of all files, such as latin1\n\nA name from the WHATWG Encoding Standard. Without this flag the encoding is that of the byte order mark if there is one, otherwise UTF-8 if the bytes are valid, otherwise it is detected.";

const FORMAT: &str = "Output format: text or json [default text]\n\njson is one object, the same bytes on every run, in the schema dedup.calibration/2. With =FILE the output is written to that file, completely or not at all, and the text is still printed.";

/// Parses the verdict whose limits are chosen.
fn rung(typed: &str) -> Result<Rung, String> {
    match typed {
        "near-duplicate" => Ok(Rung::NearDuplicate),
        "partial" => Ok(Rung::Partial),
        _ => Err("expected near-duplicate or partial".to_owned()),
    }
}

impl CalibrateFlags {
    /// The settings that the figures depend on, and all limits. The settings file that is written
    /// has new limits for the verdict that is calibrated, and repeats the other settings.
    pub(crate) const FIGURES: &[&str] = &[
        "min",
        "max",
        "lang",
        "encoding",
        "lossy",
        "disguises",
        "html",
        "markdown",
        "latex",
        "max-bytes",
        "max-unpacked",
        "max-pdf-time",
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

    /// Returns the recipe of the comparison. Passages are searched for only if the limits of
    /// partial pairs are chosen; the verdict near-duplicate does not depend on them.
    pub(crate) fn recipe(&self) -> anyhow::Result<Recipe> {
        let search = match self.rung {
            Rung::NearDuplicate => Search::Never,
            Rung::Partial => Search::Always,
        };
        self.comparing.recipe(self.comparing.language_of_all()?, search)
    }

    /// Returns the reading options of each text.
    pub(crate) fn reading(&self) -> Result<ReadOptions, Diagnostic> {
        self.comparing.opening.reading_of_all()
    }

    /// Returns `--stopwords` as typed.
    pub(crate) fn stopwords_as_given(&self) -> &Path {
        self.comparing.stopwords_as_given()
    }

    /// Checks that the flags can be combined.
    ///
    /// # Errors
    ///
    /// [`Diagnostic`] if flags contradict each other, if a settings file exists and `--force` is
    /// not given, or if an output would overwrite an input.
    pub(super) fn check(&self) -> Result<(), Diagnostic> {
        let formats = self.formats.files().map(|(format, _)| format);
        let mut formats = formats.chain([self.formats.printed()]);
        let other = formats.find(|format| !matches!(format, Format::Text | Format::Json));
        if let Some(other) = other.filter(|_| !self.settings.sets("format")) {
            let message = format!("--format {}, expected text or json", other.name());
            return usage_error(
                ["format"],
                &message,
                "the other formats list pairs that were found",
            );
        }
        if self.printed() != Format::Text || !self.settings.sets("format") {
            self.formats.check(self.quiet)?;
        }
        if self.comparing.evidence.passages().is_some() && !self.settings.sets("passages") {
            return usage_error(
                ["passages"],
                "--passages has no effect on dedup calibrate, expected without it",
                "--for partial searches for passages; near-duplicate does not depend on them",
            );
        }
        check_report(self.report.as_deref())?;
        let [yes, no] = self.labels();
        if let Some(both) = yes.iter().find(|label| no.contains(label)) {
            let message =
                format!("--yes {both} and --no {both}, expected {both} in only one of them");
            return usage_error(["yes", "no"], &message, "pairs with other labels are skipped");
        }
        if yes.iter().chain(&no).any(|label| label.trim().is_empty()) {
            return usage_error(
                ["yes", "no"],
                "an empty label, expected a name",
                "for example: --yes copy --no other",
            );
        }
        let settings = self.settings_file.as_deref();
        let is_there = |file: &&Path| {
            file.symlink_metadata().is_ok_and(|known| known.is_file() || known.is_symlink())
        };
        let in_the_way = settings.filter(|file| !self.force && !is_output(file) && is_there(file));
        if let Some(file) = in_the_way {
            let file = display_path(file);
            let message = format!("--settings {file}: already exists, expected a new file");
            return usage_error(["settings"], &message, "--force replaces it");
        }
        let outputs = self.outputs()?;
        let list = [("the list of pairs", self.pairs.as_path())];
        let read = list.into_iter().chain(self.comparing.files());
        read.into_iter().try_for_each(|(what, path)| outputs.check(what, path))?;
        match self.settings.read() {
            // that is the purpose of --force
            Some((_, path)) if self.is_replaced(path) => Ok(()),
            Some((what, path)) => outputs.check(what, path),
            None => Ok(()),
        }
    }

    /// Returns the files to be written.
    pub(crate) fn outputs(&self) -> Result<OutputFiles, Diagnostic> {
        let name = |flag, file: &PathBuf| (Flag::with(flag, display_path(file)), file.clone());
        let report = self.report.as_ref().map(|file| name("report", file));
        // Printed settings may be appended to a settings file that is read.
        let settings = self.settings_file.as_ref().filter(|file| !is_output(file));
        let settings = settings.map(|file| name("settings", file));
        OutputFiles::new(self.formats.written().chain(report).chain(settings))
    }

    /// Reports whether a file is the one that `--settings` names and that `--force` allows to
    /// replace.
    fn is_replaced(&self, path: &Path) -> bool {
        let replaced = self.settings_file.as_deref().filter(|_| self.force);
        replaced.is_some_and(|file| FileId::new(file) == FileId::new(path))
    }

    /// Returns the key of the level in the settings file: `fail-on`, which swaps the exit statuses
    /// 0 and 1, if the file that is replaced has it, otherwise `at-least`.
    pub(crate) fn level_key(&self) -> &'static str {
        let has_fail_on = self.replaced.iter().any(|(key, _)| key == "fail-on");
        if has_fail_on { "fail-on" } else { "at-least" }
    }

    /// Returns the format of standard output. If it is neither text nor JSON, it comes from the
    /// settings file and is meant for other commands, so text is printed instead.
    pub(crate) fn printed(&self) -> Format {
        match self.formats.printed() {
            Format::Json => Format::Json,
            _ => Format::Text,
        }
    }

    /// Returns the files that are written in addition to standard output, each with its format:
    /// text or JSON. Files in other formats, which only the settings file can name, are left out.
    pub(crate) fn files(&self) -> impl Iterator<Item = (Format, &Path)> {
        let files = self.formats.files();
        files.filter(|(format, _)| matches!(format, Format::Text | Format::Json))
    }

    /// Returns the labels that mean yes, and those that mean no.
    pub(crate) fn labels(&self) -> [Vec<&str>; 2] {
        fn or<'l>(labels: &'l [String], usual: [&'static str; 4]) -> Vec<&'l str> {
            if labels.is_empty() {
                usual.into()
            } else {
                labels.iter().map(String::as_str).collect()
            }
        }
        [or(&self.yes, ["yes", "y", "true", "1"]), or(&self.no, ["no", "n", "false", "0"])]
    }

    /// Reports whether labels are given, so that other labels in the list are to be expected.
    pub(crate) fn has_own_labels(&self) -> bool {
        !self.yes.is_empty() || !self.no.is_empty()
    }
}
