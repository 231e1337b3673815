//! The flags of the report that is written to a file.

use std::path::{Path, PathBuf};

use clap::Args;
use dedup_text::text::display_path;

use crate::io::output::is_output;
use crate::model::names::Visibility;

/// What `--report` does with a corpus.
pub(super) const OF_CORPUS: &str = "Also write a report: a folder, or one web page\n\nThe pairs in a table to be sorted and filtered, their similarities, the clusters, and a page for each of the closest 500 pairs, with both texts. A name that ends in .html is one page with everything; any other is a folder with index.html and a page for each pair. It opens from disk, without a network, and may be handed on; only its owner may read it, because it holds other people's texts whole. Passages are looked for, as with --passages on, and the texts kept in memory. An earlier report is replaced; a folder with anything else in it is left alone. Where it stands in a folder that is compared, it is passed over there.";

/// What `--anonymous` does with a corpus.
pub(super) const OF_NAMES: &str = "Leave the names of the texts out of the report\n\nThey are \"text 1\", \"text 2\" and so on in it, in the order of their names. The texts stay as they are, with the names that they may hold.";

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

impl ReportFlags {
    /// The file that it is written to; none where there is to be none.
    pub(crate) fn file(&self) -> Option<&Path> {
        self.report.as_deref()
    }

    /// The file that it is written to, with its flag.
    pub(super) fn written(&self) -> Option<(String, PathBuf)> {
        let file = self.report.clone()?;
        Some((format!("--report {}", display_path(&file)), file))
    }

    /// The folder that it is written to; none where it is to be one page.
    pub(crate) fn folder(&self) -> Option<&Path> {
        self.file().filter(|path| {
            let ending = path.extension().unwrap_or_default();
            let is_named_page =
                ["html", "htm"].iter().any(|name| ending.eq_ignore_ascii_case(name));
            let is_stream = path.metadata().is_ok_and(|known| !known.is_file() && !known.is_dir());
            !is_named_page && !is_stream && !is_output(path)
        })
    }

    /// Whether the names of the files are shown.
    pub(crate) fn names(&self) -> Visibility {
        if self.anonymous { Visibility::Hidden } else { Visibility::Shown }
    }
}
