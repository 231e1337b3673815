//! The flags of the report that is written to a file.

use std::path::{Path, PathBuf};

use clap::Args;
use dedup_text::text::display_path;

use super::Flags;
use crate::output::is_same;
use crate::trouble::Usage;

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
    /// Whether there is to be a report.
    pub(super) fn is_wanted(&self) -> bool {
        self.report.is_some()
    }

    /// Whether the names of the files are shown.
    pub(crate) fn names(&self) -> Names {
        if self.anonymous { Names::Hidden } else { Names::Shown }
    }
}

impl Flags {
    /// The file that the report is written to; trouble where it is one that is read.
    pub(crate) fn report_file(&self) -> Result<Option<&Path>, Usage> {
        let Some(file) = &self.report.report else { return Ok(None) };
        let list = self.comparing.stopwords_file().map(|list| ("the list of stop words", list));
        let texts = [("LEFT", self.left.as_path()), ("RIGHT", &self.right)];
        let templates = self.comparing.evidence.template_files().map(|path| ("a template", path));
        let mut read = texts.into_iter().chain(list).chain(templates);
        match read.find(|(_, path)| is_same(path, file)) {
            Some((what, _)) => Err(Usage {
                message: format!(
                    "--report {}: is {what} too, wanted a file of its own",
                    display_path(file)
                ),
                hint: Some("name another file, such as report.html".to_owned()),
            }),
            None => Ok(Some(file)),
        }
    }
}
