//! The set of output files of a run, which must differ from its input files.

use std::collections::HashMap;
use std::fmt::Display;
use std::fs;
use std::path::{self, Path, PathBuf};

use dedup_text::text::display_path;

use super::earlier::is_earlier_output;
use super::pages::files_in;
use super::{Target, check_parent, is_output, target};
use crate::diagnostics::{Diagnostic, Flag};
use crate::io::disk::{self, FileId};

/// The output files of a run, each with the flag that names it.
#[derive(Clone, Debug, Default)]
pub(crate) struct OutputFiles {
    flags: Vec<Flag>,
    /// The output files that exist, and all files in a folder that is replaced; each with the index
    /// of its flag in `flags`.
    existing: HashMap<FileId, usize>,
}

/// Returns the hint for an output file that is used for something else, too.
fn hint(flag: &Flag) -> &'static str {
    match flag.names().next() {
        Some("report") => "name another file, such as report.html",
        Some("output") => "name another file, such as clean.jsonl",
        Some("removed") => "name another file, such as removed.jsonl",
        _ => "name another file",
    }
}

/// The hint for a text that is found at the path of an output file, in a folder that is compared.
const HINT_FOUND: &str = "dedup replaces only an empty file or its own earlier output: a report, \
                          json, jsonl, csv, sarif, junit, gitlab, markdown or badge; name another \
                          file, or move this one away";

impl OutputFiles {
    /// Collects output files with their flags. A path that means standard output stands for the
    /// file that it is redirected to, if any.
    ///
    /// # Errors
    ///
    /// Returns a [`Diagnostic`] if two paths name the same file, or if a file that would be replaced
    /// is the one that standard output is redirected to.
    pub(crate) fn new(
        written: impl IntoIterator<Item = (Flag, PathBuf)>,
    ) -> Result<Self, Diagnostic> {
        let mut files = Self::default();
        let mut places: Vec<FileId> = Vec::new();
        let redirected = redirected();
        let (printed, written): (Vec<_>, Vec<_>) =
            written.into_iter().partition(|(_, path)| is_output(path));
        for (flag, path) in written {
            let known = disk::metadata(&path);
            let id = FileId::with(&path, known.as_ref());
            // In the null device, nothing is overwritten.
            let is_null = path == Path::new("/dev/null");
            let other = places.iter().position(|place| *place == id && !is_null);
            if let Some(other) = other {
                let other = &files.flags[other];
                return Err(conflict(&flag, other, hint(&flag)).flags(other.names()));
            }
            // The summary of a step has no flag, and is appended to.
            let is_replaced =
                flag.names().next().is_some() && matches!(target(&path), Target::File(_));
            if is_replaced && redirected.as_ref() == Some(&id) {
                return Err(conflict(&flag, "standard output", hint(&flag)));
            }
            let place = files.flags.len();
            match known {
                Some(known) if known.is_dir() => {
                    let all = files_in(&path).into_iter().chain([path]);
                    files.existing.extend(all.map(|path| (FileId::new(&path), place)));
                }
                Some(known) if known.is_file() => {
                    files.existing.insert(id.clone(), place);
                }
                _ => {}
            }
            places.push(id);
            files.flags.push(flag);
        }
        if let Some(((flag, _), id)) = printed.into_iter().next().zip(redirected) {
            files.existing.insert(id, files.flags.len());
            files.flags.push(flag);
        }
        Ok(files)
    }

    /// Reports whether a file is one of the existing output files, or in a folder that is replaced.
    pub(crate) fn has(&self, id: &FileId) -> bool {
        self.existing.contains_key(id)
    }

    /// Checks that an input file is not an output file as well. `what` describes the input file.
    ///
    /// # Errors
    ///
    /// Returns a [`Diagnostic`] with the flag and `what` if it is.
    pub(crate) fn check(&self, what: impl Display, path: &Path) -> Result<(), Diagnostic> {
        self.check_known(what, &FileId::new(path))
    }

    /// Same as [`check`](Self::check), for a file whose identity is already known.
    pub(crate) fn check_known(&self, what: impl Display, id: &FileId) -> Result<(), Diagnostic> {
        let flag = self.existing.get(id).map(|place| &self.flags[*place]);
        flag.map_or(Ok(()), |flag| Err(conflict(flag, what, hint(flag))))
    }

    /// Reports whether a file that was found in a folder is an earlier output that this run
    /// replaces, and therefore not a text.
    ///
    /// # Errors
    ///
    /// Returns a [`Diagnostic`] if the file would be replaced, is not empty and has no mark of an
    /// output of `dedup`, so that it may be a text.
    pub(crate) fn is_earlier(&self, path: &Path, id: &FileId) -> Result<bool, Diagnostic> {
        let Some(place) = self.existing.get(id) else { return Ok(false) };
        if is_earlier_output(path) {
            return Ok(true);
        }
        Err(conflict(&self.flags[*place], text(path), HINT_FOUND))
    }
}

/// Returns the identity of the file that standard output is redirected to. `None` if it is not a
/// regular file, and on platforms other than Unix.
fn redirected() -> Option<FileId> {
    let output = Path::new("/dev/stdout");
    let known = fs::metadata(output).ok().filter(|known| cfg!(unix) && known.is_file())?;
    Some(FileId::with(output, Some(&known)))
}

/// Returns the name of a text in an error of [`OutputFiles::check`].
pub(crate) fn text(path: &Path) -> String {
    format!("the text {}", display_path(path))
}

fn conflict(flag: &Flag, what: impl Display, hint: &str) -> Diagnostic {
    Diagnostic::new(format!("{flag}: is also {what}, expected a separate file"))
        .hint(hint)
        .flags(flag.names())
}

/// Checks that an output file could be written to a path.
///
/// # Errors
///
/// Returns a [`Diagnostic`] if the path is a folder, or is in a folder that does not exist.
pub(crate) fn check_file(flag: &Flag, path: &Path) -> Result<(), Diagnostic> {
    if path.is_dir() {
        let what = format!("{flag}: is a folder, expected a file");
        return Err(Diagnostic::new(what).hint(hint(flag)).flags(flag.names()));
    }
    check_file_name(flag, path)?;
    check_parent(path)
}

/// Checks that the name of an output file does not end as that of a folder.
///
/// # Errors
///
/// Returns a [`Diagnostic`] if it ends in a slash.
pub(crate) fn check_file_name(flag: &Flag, path: &Path) -> Result<(), Diagnostic> {
    let last = path.as_os_str().as_encoded_bytes().last();
    if !last.is_some_and(|byte| path::is_separator(char::from(*byte))) {
        return Ok(());
    }
    let what = format!("{flag}: the name of a folder, expected that of a file");
    Err(Diagnostic::new(what).hint("leave out the slash at its end").flags(flag.names()))
}
