//! The flags that set which duplicates a clean corpus keeps.

use clap::Args;
use dedup_text::corpus::preference::Keep;

use super::headings::CLEAN;
use super::values::formed;
use crate::model::keeping::KeepBy;

/// The flags that set which duplicates a clean corpus keeps.
#[derive(Args, Debug)]
pub(crate) struct KeepFlags {
    /// Which duplicate to keep: first, longest, newest:FIELD or field:FIELD
    ///
    /// Prints the texts that a clean corpus keeps, in the order of the input; nothing is ever
    /// deleted. newest: the greatest value of a field of records; numbers are compared by value,
    /// everything else, such as dates, as text. field: the greatest number in the field, such as a
    /// score. Of equal ones the first is kept; a record without the field comes last.
    #[arg(long, value_name = "WHICH", value_parser = formed(str::parse::<Keep>, &["first", "longest"], &["newest:FIELD", "field:FIELD"]), help_heading = CLEAN)]
    pub(crate) keep: Option<Keep>,

    /// Remove a text because of a pair, or of a chain of pairs: direct or linked [default direct]
    ///
    /// direct: in the order of --keep, a text is removed only if it is paired with a text that is
    /// kept. linked: one text of each cluster is kept, even if others are similar to it only
    /// through texts between them.
    #[arg(long, value_name = "HOW", default_value = "direct", requires = "keep", help_heading = CLEAN, hide_short_help = true)]
    pub(crate) keep_by: KeepBy,
}

/// The hint at the rule of `--keep` that needs no field. It holds for each `--keep-by`: with
/// `direct`, several texts of a cluster may be kept.
pub(crate) const KEEP_FIRST: &str = "--keep first prefers the records that come first";
