//! The files that a run is going to write, held apart from those that it reads.

use std::collections::HashMap;
use std::fmt::Display;
use std::path::{Path, PathBuf};

use dedup_text::text::display_path;

use super::folder;
use super::folder::is_earlier_output;
use super::is_output;
use crate::diagnostics::Diagnostic;
use crate::io::identity::{self, FileId};

/// The files that a run writes, each with the flag that names it.
#[derive(Debug, Default)]
pub(crate) struct OutputFiles {
    flags: Vec<String>,
    /// Those that exist, and all in a folder that is replaced, each with the place of its flag.
    existing: HashMap<FileId, usize>,
}

const HINT: &str = "name another file, such as report.html";

/// What to do about a text in the place of an output, in a folder that is compared.
const HINT_FOUND: &str = "only an empty file or an earlier output of dedup is replaced there: a report, json, jsonl, csv, \
     sarif, junit, gitlab or markdown; name another file, or move this one away";

impl OutputFiles {
    /// Files with their flags; names of standard output are none.
    ///
    /// # Errors
    ///
    /// [`Diagnostic`] where two are one file.
    pub(crate) fn new(
        written: impl IntoIterator<Item = (String, PathBuf)>,
    ) -> Result<Self, Diagnostic> {
        let mut files = Self::default();
        let mut places: Vec<FileId> = Vec::new();
        for (flag, path) in written.into_iter().filter(|(_, path)| !is_output(path)) {
            let known = identity::metadata(&path);
            let id = FileId::with(&path, known.as_ref());
            if let Some(other) = places.iter().position(|place| *place == id) {
                return Err(conflict(&flag, &files.flags[other], HINT));
            }
            let place = files.flags.len();
            match known {
                Some(known) if known.is_dir() => {
                    let all = folder::files_in(&path).into_iter().chain([path]);
                    files.existing.extend(all.map(|path| (FileId::of(&path), place)));
                }
                Some(known) if known.is_file() => {
                    files.existing.insert(id.clone(), place);
                }
                _ => {}
            }
            places.push(id);
            files.flags.push(flag);
        }
        Ok(files)
    }

    /// Whether a file is one that is written.
    pub(crate) fn has(&self, id: &FileId) -> bool {
        self.existing.contains_key(id)
    }

    /// Checks that a file that is read is none that is written.
    ///
    /// # Errors
    ///
    /// [`Diagnostic`] with the flag and with what the file is.
    pub(crate) fn check(&self, what: impl Display, path: &Path) -> Result<(), Diagnostic> {
        self.check_known(what, &FileId::of(path))
    }

    /// The same where the identity is known.
    pub(crate) fn check_known(&self, what: impl Display, id: &FileId) -> Result<(), Diagnostic> {
        let flag = self.existing.get(id).map(|place| &self.flags[*place]);
        flag.map_or(Ok(()), |flag| Err(conflict(flag, what, HINT)))
    }

    /// Whether a file that was found in a folder is an earlier output in the place of a new one,
    /// and so no text.
    ///
    /// # Errors
    ///
    /// [`Diagnostic`] where it is in the place of one and cannot be told from a text.
    pub(crate) fn is_earlier(&self, path: &Path, id: &FileId) -> Result<bool, Diagnostic> {
        let Some(place) = self.existing.get(id) else { return Ok(false) };
        if is_earlier_output(path) {
            return Ok(true);
        }
        Err(conflict(&self.flags[*place], text(path), HINT_FOUND))
    }
}

/// What a text is called in such an error.
pub(crate) fn text(path: &Path) -> String {
    format!("the text {}", display_path(path))
}

fn conflict(flag: &str, what: impl Display, hint: &str) -> Diagnostic {
    Diagnostic::new(format!("{flag}: is {what} too, wanted a file of its own"))
        .hint(hint.to_owned())
}
