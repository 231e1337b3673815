//! The report of an earlier run, which is no text of the corpus.

use std::path::{Path, PathBuf};

/// Where a report is to be written, and what stands there.
#[derive(Debug, Default)]
pub(crate) struct Earlier {
    /// None where there is none yet.
    report: Option<PathBuf>,
    /// The last folder that was asked about, and what it is without links; files come folder by
    /// folder.
    last: Option<(PathBuf, Option<PathBuf>)>,
}

impl Earlier {
    /// The one that takes the name of a report, if any does.
    pub(crate) fn at(report: Option<&Path>) -> Self {
        Self { report: report.and_then(|path| path.canonicalize().ok()), last: None }
    }

    /// Whether a path is that of the report, or of something in it.
    pub(crate) fn has(&mut self, path: &Path) -> bool {
        let Some(report) = &self.report else { return false };
        let folder = path.parent().unwrap_or(Path::new(""));
        if self.last.as_ref().is_none_or(|(last, _)| last != folder) {
            let here = if folder == Path::new("") { Path::new(".") } else { folder };
            self.last = Some((folder.to_owned(), here.canonicalize().ok()));
        }
        let resolved = self.last.as_ref().and_then(|(_, resolved)| resolved.as_ref());
        resolved.zip(path.file_name()).is_some_and(|(folder, name)| {
            folder.starts_with(report) || folder.join(name) == *report
        })
    }
}
