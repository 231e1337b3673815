//! `dedup clusters`: finds the clusters of pairs that were found before.

use std::path::{Path, PathBuf};

use clap::Args;
use dedup_text::corpus::preference::Keep;
use dedup_text::verdict::Verdict;

use crate::args::values;
use crate::args::{self, usage_error};
use crate::args::{KEEP_LONGEST, KeepFlags, first_line};
use crate::diagnostics::Diagnostic;

/// Find clusters of pairs, and what a clean corpus would keep
///
/// Pairs are read from standard input, one JSON object per line, as written by dedup corpus
/// --format jsonl and the programs in integrations/. The clusters are those of dedup corpus
/// --clusters. No settings file is read: repeat --at-least and --keep-by of dedup.toml as flags.
#[derive(Args, Debug)]
#[command(args_override_self = true, help_template = args::HELP)]
#[command(override_usage = "dedup clusters [OPTIONS] < PAIRS")]
#[command(mut_arg("keep", |arg| arg.help(first_line(KEEP)).long_help(KEEP)))]
#[command(mut_arg("keep_by", |arg| arg.long_help(KEEP_BY)))]
pub(crate) struct ClustersFlags {
    /// Link pairs of this verdict or closer [default near-duplicate]
    ///
    /// One of different, excerpt, partial, near-duplicate, identical. Less close pairs, such as
    /// those of --nearest, and pairs that a baseline has accepted are not linked.
    #[arg(long, value_name = "LEVEL", value_parser = values::level())]
    at_least: Option<Verdict>,

    #[command(flatten)]
    pub(crate) keeping: KeepFlags,

    /// Records of all texts, so that texts without pairs are kept, too
    #[arg(long, value_name = "FILE", requires = "keep", value_hint = clap::ValueHint::FilePath)]
    pub(crate) texts: Option<PathBuf>,

    /// For --texts: the field that names a record, or off [default id]
    ///
    /// Without this flag, a record without an id is named by its file and line; with off, all
    /// records are.
    #[arg(long, value_name = "FIELD", requires = "texts")]
    pub(super) id: Option<String>,
}

const KEEP: &str = "Print what a clean corpus keeps: first, longest, newest:FIELD or field:FIELD\n\nIn the order of --texts, otherwise in the order in which the pairs name them. longest uses the field words of --texts. Each line of the answer is an object with the name of a text as path; dedup corpus --keep prints the names alone.";

const KEEP_BY: &str = "Remove a text because of a pair, or of a chain of pairs: direct or linked [default direct]\n\ndirect: in the order of --keep, a text is removed only if it is paired with a text that is kept. linked: one text of each cluster is kept, even if others are similar to it only through texts between them. direct needs all pairs of the level: --nearest omits some.";

impl ClustersFlags {
    /// Returns the verdict that a pair must reach to link its texts.
    pub(crate) fn level(&self) -> Verdict {
        self.at_least.unwrap_or(Verdict::NearDuplicate)
    }

    /// Returns the field that names a record of `--texts`.
    pub(crate) fn id(&self) -> &str {
        self.id.as_deref().unwrap_or("id")
    }

    /// Checks that the flags can be combined.
    ///
    /// # Errors
    ///
    /// [`Diagnostic`] if `--keep` has a rule other than `first` and `--texts` is not given, or if
    /// `--texts` is standard input, from which the pairs are read.
    pub(crate) fn check(&self) -> Result<(), Diagnostic> {
        const FIRST: &str = "--keep first needs no records";
        if self.texts.as_deref() == Some(Path::new("-")) {
            return usage_error(
                [],
                "- is given twice, expected standard input only once",
                "the pairs are standard input; name a file for --texts",
            );
        }
        let (rule, field, hint) = match &self.keeping.keep {
            Some(Keep::Longest) => {
                ("longest", "the field words", &*format!("{KEEP_LONGEST}; {FIRST}"))
            }
            Some(Keep::Newest(_) | Keep::Field(_)) => ("by a field", "that field", FIRST),
            Some(Keep::First) | None => return Ok(()),
        };
        if self.texts.is_some() {
            return Ok(());
        }
        let what = format!("--keep {rule} without --texts, expected records with {field}");
        Err(Diagnostic::new(what).hint(hint))
    }
}
