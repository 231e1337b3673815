//! The flags of the report that is written to a file.

use std::path::{Path, PathBuf};

use clap::Args;

/// The report.
#[derive(Args, Debug)]
pub(crate) struct ReportFlags {
    /// Also write a report: one web page
    ///
    /// Both texts side by side with the passages that they share, the figures and the
    /// verdict. It opens from disk, without a network, and may be handed on. Only its owner may
    /// read it (mode 0600), because it holds other people's texts whole. It is there whole or
    /// not at all; --quiet writes it too.
    #[arg(long, value_name = "FILE.html", hide_short_help = true)]
    report: Option<PathBuf>,

    /// Leave the names of the files out of the report
    ///
    /// They are "left text" and "right text" in it. The texts stay as they are, with the names
    /// that they may hold.
    #[arg(long, requires = "report", hide_short_help = true)]
    anonymous: bool,
}

/// Whether a report has the names of the files.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Names {
    Shown,
    Hidden,
}

impl ReportFlags {
    /// The file that it is written to; none where there is to be none.
    pub(crate) fn file(&self) -> Option<&Path> {
        self.report.as_deref()
    }

    /// Whether the names of the files are shown.
    pub(crate) fn names(&self) -> Names {
        if self.anonymous { Names::Hidden } else { Names::Shown }
    }
}
