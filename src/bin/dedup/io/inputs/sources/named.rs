//! The paths that the user named and what was found there, each file once; and the files that are
//! not texts of the run, although they may be in a folder that is compared.

use std::collections::hash_map::Entry as MapEntry;
use std::collections::{HashMap, HashSet};
use std::ffi::OsString;
use std::fs::Metadata;
use std::mem;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::super::archives;
use super::super::source::{Discovery, File, FileContent, Folder, Source};
use super::walk::{Entry, Globs, walk};
use crate::diagnostics::Diagnostic;
use crate::io::disk::{FileId, canonical, metadata};
use crate::io::git::TreeEntry;
use crate::io::output::{OutputFiles, text, warn_of_leftovers};
use crate::model::found::{Age, Failed, Skip, Skipped, is_hidden};
use crate::model::name_of;

/// The paths that the user named, and what was found in them.
pub(super) struct List<'g> {
    /// Whether `.gitignore` files are followed.
    pub(super) gitignore: bool,
    pub(super) globs: &'g Globs,
    pub(super) others: ExcludedFiles<'g>,
    /// The folders that the user named, and the named files that are skipped in a folder: those that
    /// are hidden, pipes and devices.
    pub(super) named: HashSet<FileId>,
    pub(super) all: Vec<Named>,
}

/// A path that the user named, or something that was found in a named folder.
pub(super) struct Named {
    pub(super) entry: Entry,
    /// The metadata of a file that exists.
    pub(super) known: Option<Metadata>,
    /// The object of a file of a commit.
    pub(super) object: Option<TreeEntry>,
    pub(super) found: Discovery,
    pub(super) age: Age,
    /// The folder in which it was found. For an archive that the user named, the archive itself.
    pub(super) folder: Option<Arc<Folder>>,
}

impl List<'_> {
    /// Adds what a path names: a file, or all files in a folder. A symbolic link that the user
    /// named is followed.
    pub(super) fn name(&mut self, path: &Path, age: Age) -> Result<(), Diagnostic> {
        if !path.is_dir() {
            let known = metadata(path);
            let id = FileId::with(path, known.as_ref());
            self.others.outputs.check_known(text(path), &id)?;
            let is_file = known.as_ref().is_some_and(Metadata::is_file);
            if !is_file || path.file_name().is_some_and(|name| is_hidden(&name.to_string_lossy())) {
                self.named.insert(id);
            }
            let entry = Entry::File(path.to_owned());
            let folder = archives::is_archive(path).then(|| self.globs.of_folder(path));
            let folder = folder.transpose()?.map(|globs| Arc::new(Folder::new(path, globs)));
            let named = Named::new(entry, Discovery::Named, age, folder);
            self.all.push(Named { known, ..named });
            return Ok(());
        }
        self.named.insert(FileId::new(path));
        let globs = self.globs.of_folder(path)?;
        let folder = Arc::new(Folder::new(path, globs.clone()));
        let entries = walk(path, self.gitignore, globs.with_lists);
        warn_of_leftovers(entries.iter().map(Entry::path));
        for entry in entries {
            if let Some((entry, known)) = self.others.sorted(entry)? {
                let named = Named::new(entry, Discovery::Walked, age, Some(Arc::clone(&folder)));
                self.all.push(Named { known, ..named });
            }
        }
        Ok(())
    }

    /// Returns each file once, with the first of its names and at the position of that name. The
    /// file counts as named if any of its paths was named. The second and later hard links in
    /// folders are skipped. A hidden file or a pipe in a folder is not skipped if the user named it
    /// as well.
    pub(super) fn distinct(mut self) -> (Vec<Source>, Skipped) {
        let named_too = mem::take(&mut self.named);
        let mut skipped = Skipped::default();
        let mut first: HashMap<FileId, usize> = HashMap::new();
        let mut linked: HashSet<PathBuf> = HashSet::new();
        let mut all: Vec<Named> = Vec::new();
        for named in self.by_name() {
            let path = match &named.entry {
                Entry::File(path) => path,
                Entry::Skipped(Skip::Hidden | Skip::Special, path)
                    if named_too.contains(&FileId::new(path)) =>
                {
                    continue;
                }
                Entry::Skipped(..) | Entry::Lost(..) => {
                    all.push(named);
                    continue;
                }
            };
            let id = match &named.object {
                Some(object) => FileId::Path(object.path.clone()),
                None => FileId::with(path, named.known.as_ref()),
            };
            match first.entry(id) {
                MapEntry::Vacant(place) => {
                    place.insert(all.len());
                    all.push(named);
                }
                MapEntry::Occupied(place) => {
                    let first = &mut all[*place.get()];
                    let its = canonical(path);
                    if named.found == Discovery::Walked
                        && canonical(first.entry.path()) != its
                        && linked.insert(its)
                    {
                        skipped.add_file(Skip::HardLink, name_of(path));
                    }
                    first.join(named.found, named.age);
                }
            }
        }
        let sources = all.into_iter().filter_map(|named| named.source(&mut skipped)).collect();
        (sources, skipped)
    }

    /// Returns each path once, at the position where it came first.
    fn by_name(self) -> Vec<Named> {
        let mut all: Vec<Named> = Vec::new();
        let mut first: HashMap<OsString, usize> = HashMap::new();
        for named in self.all {
            match first.entry(named.entry.path().as_os_str().to_owned()) {
                MapEntry::Vacant(place) => {
                    place.insert(all.len());
                    all.push(named);
                }
                MapEntry::Occupied(place) => {
                    let first = &mut all[*place.get()];
                    first.join(named.found, named.age);
                    if named.found == Discovery::Named {
                        first.known = named.known;
                        first.entry = Entry::File(first.entry.path().to_owned());
                    }
                }
            }
        }
        all
    }
}

impl Named {
    pub(super) fn new(
        entry: Entry,
        found: Discovery,
        age: Age,
        folder: Option<Arc<Folder>>,
    ) -> Self {
        Self { entry, known: None, object: None, found, age, folder }
    }

    /// Merges the properties of another path of the same file into this one.
    fn join(&mut self, found: Discovery, age: Age) {
        self.age = self.age.and(age);
        if found == Discovery::Named {
            self.found = found;
        }
    }

    /// Returns the source, or counts what is skipped and returns `None`.
    fn source(self, skipped: &mut Skipped) -> Option<Source> {
        let Self { entry, known, object, found, age, folder } = self;
        match entry {
            Entry::File(path) => {
                let file = File::new(path, found, age, known.as_ref());
                let content = object.map_or(FileContent::OnDisk, FileContent::Object);
                Some(Source::File(File { folder, content, ..file }))
            }
            Entry::Skipped(why, path) => {
                match why {
                    Skip::Settings | Skip::Input => skipped.add(why, 1), // the run reads them
                    _ => skipped.add_file(why, name_of(&path)),
                }
                None
            }
            Entry::Lost(path, error) => Some(Source::Lost(Failed::of_file(&path, error))),
        }
    }
}

// Files that are not texts of the run, although they may be in a folder that is compared.

/// The output files of a run, and the files that it reads for another purpose than their text.
pub(super) struct ExcludedFiles<'o> {
    outputs: &'o OutputFiles,
    inputs: HashMap<FileId, Skip>,
}

impl<'o> ExcludedFiles<'o> {
    pub(super) fn new(
        outputs: &'o OutputFiles,
        others: &[PathBuf],
        settings: Option<&Path>,
    ) -> Self {
        let others = others.iter().map(|path| (FileId::new(path), Skip::Input));
        let settings = settings.map(|path| (FileId::new(path), Skip::Settings));
        Self { inputs: others.chain(settings).collect(), outputs }
    }

    /// Classifies an entry of a folder, and returns it with the metadata of a file. `None` for an
    /// earlier output that this run replaces, so that the answer is the same with and without it.
    ///
    /// # Errors
    ///
    /// Returns a [`Diagnostic`] if an output would overwrite a text.
    pub(super) fn sorted(
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
            Entry::Skipped(Skip::Hidden, path) if self.outputs.has(&FileId::new(&path)) => Ok(None),
            entry => Ok(Some((entry, None))),
        }
    }

    /// Reports whether a file is an output file of the run, or is read for another purpose than its
    /// text.
    pub(super) fn has(&self, id: &FileId) -> bool {
        self.outputs.has(id) || self.inputs.contains_key(id)
    }
}
