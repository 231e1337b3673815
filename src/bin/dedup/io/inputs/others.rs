//! The files of a run that are no texts, though they may stand in a folder that is compared.

use std::collections::HashMap;
use std::fs::Metadata;
use std::path::{Path, PathBuf};

use crate::diagnostics::Diagnostic;
use crate::io::identity::{FileId, metadata};
use crate::io::inputs::source::Skip;
use crate::io::inputs::walk::Entry;
use crate::io::output::{OutputFiles, text};

/// The files that a run writes, and those that it reads for something else than their text.
pub(crate) struct Others {
    outputs: OutputFiles,
    inputs: HashMap<FileId, Skip>,
}

impl Others {
    pub(crate) fn new(outputs: OutputFiles, others: &[PathBuf], settings: Option<&Path>) -> Self {
        let others = others.iter().map(|path| (FileId::of(path), Skip::Input));
        let settings = settings.map(|path| (FileId::of(path), Skip::Settings));
        Self { inputs: others.chain(settings).collect(), outputs }
    }

    /// What an entry of a folder is, with what is known of a file; none of an earlier output that
    /// this run replaces: its answer is the same with and without it.
    ///
    /// # Errors
    ///
    /// Where a text is in the place of an output.
    pub(crate) fn sorted(
        &self,
        entry: Entry,
    ) -> Result<Option<(Entry, Option<Metadata>)>, Diagnostic> {
        match entry {
            Entry::File(path) => {
                let known = metadata(&path);
                let id = FileId::with(&path, known.as_ref());
                if self.outputs.is_earlier(&path, &id)? {
                    return Ok(None);
                }
                Ok(Some(match self.inputs.get(&id) {
                    Some(why) => (Entry::Skipped(*why, path), None),
                    None => (Entry::File(path), known),
                }))
            }
            Entry::Skipped(Skip::Hidden, path) if self.outputs.has(&FileId::of(&path)) => Ok(None),
            entry => Ok(Some((entry, None))),
        }
    }

    /// Checks that a file which is named as a text is none that is written.
    pub(crate) fn check(&self, path: &Path, id: &FileId) -> Result<(), Diagnostic> {
        self.outputs.check_known(text(path), id)
    }
}
