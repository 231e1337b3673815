//! `dedup clusters`: clusters of pairs that somebody found.

use std::path::PathBuf;

use clap::Args;
use dedup_text::corpus::preference::Keep;
use dedup_text::verdict::Verdict;

use super::values::formed;
use super::values::{self, Level};
use crate::diagnostics::Diagnostic;
use crate::model::corpus::KeepBy;

/// Find the clusters of pairs, and what a clean corpus would keep
///
/// Pairs come on standard input, a JSON object a line, as dedup corpus --format jsonl and the
/// programs in integrations/ write them. The clusters are those of dedup corpus --clusters.
#[derive(Args, Debug)]
#[command(args_override_self = true, help_template = super::HELP)]
#[command(override_usage = "dedup clusters [OPTIONS] < PAIRS")]
pub(crate) struct ClustersFlags {
    /// Link pairs from this verdict on [default near-duplicate]
    ///
    /// One of different, partial, near-duplicate, identical. Pairs that are less close, as
    /// --nearest has them, and those that a baseline has accepted link nothing.
    #[arg(long, value_name = "LEVEL", hide_possible_values = true)]
    at_least: Option<Level>,

    /// Print what a clean corpus keeps: first, longest, newest:FIELD or field:FIELD
    ///
    /// In the order of --texts, else in that in which the pairs name them. longest goes by the
    /// field words of --texts, as dedup part keys writes it.
    #[arg(long, value_name = "WHICH", value_parser = formed(values::keep, &["first", "longest"], &["newest:FIELD", "field:FIELD"]), hide_possible_values = true)]
    pub(crate) keep: Option<Keep>,

    /// A text goes by a pair, or by a chain of them: direct or linked [default direct]
    ///
    /// direct: in the order of --keep a text goes only if it is paired with one that is kept.
    /// linked: one text of each cluster is kept, also where it is like others only by way of
    /// texts between them. direct takes all pairs of the level: --nearest leaves some out.
    #[arg(
        long,
        value_name = "HOW",
        default_value = "direct",
        hide_default_value = true,
        hide_possible_values = true,
        requires = "keep"
    )]
    pub(crate) keep_by: KeepBy,

    /// Records of all texts, so that those that no line names are kept, too
    #[arg(long, value_name = "FILE", requires = "keep", value_hint = clap::ValueHint::FilePath)]
    pub(crate) texts: Option<PathBuf>,

    /// Of --texts: the field that names a record [default id]
    ///
    /// Without it a record that has no id goes by its file and line.
    #[arg(long, value_name = "FIELD", requires = "texts")]
    id: Option<String>,
}

impl ClustersFlags {
    /// The verdict from which on pairs count.
    pub(crate) fn level(&self) -> Verdict {
        self.at_least.unwrap_or_default().0
    }

    /// The field that names a record of `--texts`.
    pub(crate) fn id(&self) -> &str {
        self.id.as_deref().unwrap_or("id")
    }

    /// Whether that field is given, so that each record must have it.
    pub(crate) fn is_id_given(&self) -> bool {
        self.id.is_some()
    }

    /// What cannot be meant, though each flag alone can.
    pub(super) fn check(&self) -> Result<(), Diagnostic> {
        if self.keep.as_ref().is_some_and(|keep| *keep != Keep::First) && self.texts.is_none() {
            return Err(Diagnostic::new(
                "--keep by a field and no --texts, expected records that have it",
            )
            .hint("--keep first needs none"));
        }
        Ok(())
    }
}
