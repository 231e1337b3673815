//! `dedup calibrate PAIRS.tsv`: chooses limits from labelled pairs.

use std::path::PathBuf;

use clap::Args;
use dedup_text::calibration::Rung;
use dedup_text::pair::{Recipe, Search};

use crate::args::values::named;
use crate::args::{self, Comparing, SettingsFlags, ThreadsFlag, usage_error};
use crate::config::SetLine;
use crate::diagnostics::Diagnostic;
use crate::recipe::recipe;

/// Choose limits from labelled pairs
///
/// Prints a settings file with the best limits: dedup calibrate pairs.tsv > dedup.toml. Its comments
/// say how good they are for other texts: they are chosen on one half of the texts and tested on
/// the other, and no text is in both halves.
#[derive(Args, Debug)]
#[command(args_override_self = true, help_template = args::HELP)]
#[command(override_usage = "dedup calibrate PAIRS.tsv [OPTIONS]   (- is standard input)")]
#[command(mut_arg("lang", |arg| arg.help("Language of all texts: ca, cat or none").long_help(args::inputs::LANG)))]
#[command(mut_arg("encoding", |arg| arg.help("Encoding of all files, such as latin1").long_help(ENCODING)))]
#[command(mut_arg("passages", |arg| arg.hide(true)))]
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
    /// most --jaccard, or --coverage; pairs that are near-duplicates by the current limits are a yes
    /// under every rule. The limits of the other verdict are not changed. Only partial
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

    #[command(flatten)]
    pub(crate) comparing: Comparing,

    #[command(flatten)]
    pub(crate) threads: ThreadsFlag,

    #[command(flatten)]
    pub(crate) settings: SettingsFlags,

    /// Those settings of the comparison that are set: the settings file that is printed has new
    /// limits for the verdict that is calibrated, and repeats the others.
    #[arg(skip)]
    pub(crate) comparing_set: Vec<SetLine>,
}

const ENCODING: &str = "Encoding of all files, such as latin1\n\nA name from the WHATWG Encoding Standard. Without this flag the encoding is that of the byte order mark if there is one, otherwise UTF-8 if the bytes are valid, otherwise it is detected.";

/// Parses the verdict whose limits are chosen.
fn rung(typed: &str) -> Result<Rung, String> {
    match typed {
        "near-duplicate" => Ok(Rung::NearDuplicate),
        "partial" => Ok(Rung::Partial),
        _ => Err("expected near-duplicate or partial".to_owned()),
    }
}

impl CalibrateFlags {
    /// Returns the recipe of the comparison. Passages are searched for only if the limits of
    /// partial pairs are chosen; the verdict near-duplicate does not depend on them.
    pub(crate) fn recipe(&self) -> anyhow::Result<Recipe> {
        let search = match self.rung {
            Rung::NearDuplicate => Search::Never,
            Rung::Partial => Search::Always,
        };
        recipe(&self.comparing, self.comparing.language_of_all()?, search)
    }

    /// Checks that the flags can be combined.
    ///
    /// # Errors
    ///
    /// [`Diagnostic`] if flags contradict each other.
    pub(crate) fn check(&self) -> Result<(), Diagnostic> {
        if self.comparing.evidence.passages.is_some() && !self.settings.sets("passages") {
            return usage_error(
                ["passages"],
                "--passages has no effect on dedup calibrate, expected without it",
                "--for partial searches for passages; near-duplicate does not depend on them",
            );
        }
        Ok(())
    }
}
