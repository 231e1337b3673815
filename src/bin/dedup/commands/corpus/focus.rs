//! The files and folders whose pairs alone are reported → which texts these are.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use dedup_text::text::display_path;
use dedup_text::words::{counted, visible};

use crate::diagnostics::{self, Diagnostic, MAX_SHOWN};
use crate::io::disk::{canonical, folder_of};
use crate::io::inputs::source::Source;

/// The files and folders that are named, and those of which there was a text.
#[derive(Debug, Default)]
pub(super) struct Focus {
    named: Vec<PathBuf>,
    /// The numbers of those that are one file or folder, by its canonical path.
    places: BTreeMap<PathBuf, Vec<usize>>,
    has_text: Vec<bool>,
    /// The canonical paths of folders.
    folders: BTreeMap<PathBuf, PathBuf>,
}

impl Focus {
    /// Those that are named.
    ///
    /// # Errors
    ///
    /// Where one is not there: a name that is misspelt would report nothing.
    pub(super) fn new(named: &[PathBuf]) -> Result<Self, Diagnostic> {
        let mut focus = Self { has_text: vec![false; named.len()], ..Self::default() };
        for (number, path) in named.iter().enumerate() {
            if !path.exists() {
                let path = visible(&display_path(path));
                let what = format!("--focus {path}: no such file or folder, expected one");
                let hint = "git diff --name-only --diff-filter=d leaves deleted files out";
                return Err(Diagnostic::new(what).hint(hint));
            }
            // A link is itself, and what it leads to.
            for place in [canonical(path), focus.place(path)] {
                let numbers = focus.places.entry(place).or_default();
                if !numbers.contains(&number) {
                    numbers.push(number);
                }
            }
        }
        focus.named = named.to_vec();
        Ok(focus)
    }

    /// Whether none is named, so that the pairs of all texts are reported.
    pub(super) fn is_empty(&self) -> bool {
        self.named.is_empty()
    }

    /// The canonical path of a file's folder, and its name.
    fn place(&mut self, path: &Path) -> PathBuf {
        let folder = folder_of(path);
        if !self.folders.contains_key(folder) {
            self.folders.insert(folder.to_owned(), canonical(folder));
        }
        match (self.folders.get(folder), path.file_name()) {
            (Some(folder), Some(name)) => folder.join(name),
            _ => canonical(path),
        }
    }

    /// The sources of a batch with their numbers, each with those of what is named that it is, or is
    /// in.
    pub(super) fn numbered(&mut self, batch: Vec<Source>) -> Vec<(usize, Vec<usize>, Source)> {
        let numbered = batch.into_iter().enumerate();
        numbered.map(|(number, source)| (number, self.numbers(&source), source)).collect()
    }

    fn numbers(&mut self, source: &Source) -> Vec<usize> {
        match source {
            _ if self.is_empty() => Vec::new(),
            Source::File(file) => self.around(&file.path),
            Source::Member(member) => self.around(&member.archive),
            Source::Line(line) => self.around(&line.block.file),
            Source::Row(row, _) => self.around(row.file()),
            Source::Unit(unit) => unit.files.iter().flat_map(|file| self.numbers(file)).collect(),
            Source::Lost(_) => Vec::new(),
        }
    }

    fn around(&mut self, path: &Path) -> Vec<usize> {
        let place = self.place(path);
        let around = place.ancestors().filter_map(|it| self.places.get(it));
        around.flatten().copied().collect()
    }

    /// Notes that some have a text.
    pub(super) fn meet(&mut self, numbers: &[usize]) {
        for number in numbers {
            self.has_text[*number] = true;
        }
    }

    /// Names those that have none: pictures, files that are left out, and all else that is not
    /// compared.
    pub(super) fn note_others(&self) {
        let named = self.named.iter().zip(&self.has_text);
        let others: Vec<&PathBuf> =
            named.filter(|(_, has_text)| !**has_text).map(|(path, _)| path).collect();
        for path in others.iter().take(MAX_SHOWN) {
            let path = display_path(path);
            let what =
                format!("--focus {path}: no text that is compared; nothing of it is reported");
            diagnostics::note(&visible(&what));
        }
        if let Some(more @ 1..) = others.len().checked_sub(MAX_SHOWN) {
            diagnostics::note(&format!("and {} more", counted(more, "such file")));
        }
    }
}
