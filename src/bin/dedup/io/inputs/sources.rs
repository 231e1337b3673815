//! Turns the paths on the command line into sources, batch by batch.

mod anchors;
mod tree;

use std::cell::Cell;
use std::cmp::Ordering;
use std::collections::hash_map::Entry as MapEntry;
use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};
use std::fs::{FileType, Metadata};
use std::io::{self, Cursor};
use std::path::{MAIN_SEPARATOR, Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::vec;
use std::{iter, mem};

use anyhow::Context;
use dedup_text::parallel;
use dedup_text::text::display_path;
use ignore::gitignore::Gitignore as Rules;
use ignore::overrides::{Override, OverrideBuilder};
use ignore::{DirEntry, Walk, WalkBuilder};

use super::archives::{Content, Unpacked};
use super::course::Course;
use super::lines::Lines;
use super::source::{Discovery, File, FileContent, Folder, FolderGlobs, Provenance, Source, Unit};
use super::submissions::{Owner, Owners};
use super::table::Format;
use super::{Inputs, archives};
use crate::diagnostics::{self, Diagnostic, Flag};
use crate::io::disk;
use crate::io::disk::{FileId, canonical, folder_of, metadata};
use crate::io::git::TreeEntry;
use crate::io::output::{OutputFiles, text, warn_of_leftovers};
use crate::io::path_of_bytes;
use crate::model::found::{Age, Failed, Skip, Skipped, is_hidden};
use crate::model::name_of;
use anchors::{folders_between, reanchored};
use tree::Tree;

/// The number of bytes of files at which a batch ends, as far as the sizes of the files are known.
pub(crate) const BATCH_BYTES: u64 = 1 << 24;

/// The largest number of files in a batch.
const BATCH_FILES: usize = 1024;

/// The number of batches of records that are read ahead. With it, 100,000 records of 229 MB are
/// compared in 2.32 s instead of 2.40 s on two cores.
const BATCHES_AHEAD: usize = 1;

/// The largest number of texts that are compared at all levels, whichever level was requested: this
/// takes only a second or two.
pub(crate) const MAX_TEXTS_AT_ALL_LEVELS: usize = 2000;

/// The largest size of all files of records together, in bytes, with which the number of records is
/// taken to be within [`MAX_TEXTS_AT_ALL_LEVELS`]: 2,000 texts of 8 kB.
const MAX_RECORD_BYTES_AT_ALL_LEVELS: u64 = 1 << 24;

/// The sources of a corpus: first the files, in the order in which they and their folders are
/// named, and sorted by path within a folder; then the records.
pub(crate) struct Sources {
    files: vec::IntoIter<Source>,
    lines: vec::IntoIter<Lines>,
    /// The batches of the file of records that is being read.
    reading: Option<Box<dyn Iterator<Item = Vec<Source>> + Send>>,
    /// The files of an archive that are not in a batch yet.
    unpacked: VecDeque<Source>,
    /// The size limits of archives.
    bounds: archives::Bounds,
    owners: Owners,
    is_grouped_by_folder: bool,
    skipped: Skipped,
    /// The commit that files are read from; `None` if they are read from disk.
    tree: Option<Tree>,
    /// The reason why the next batch cannot be read from the commit.
    unread: Option<Diagnostic>,
}

impl Sources {
    /// Collects the sources that `inputs` names, and walks the folders. Each file is one text, with
    /// the first of its names.
    ///
    /// # Errors
    ///
    /// Returns an error if a list of persons cannot be read, if a glob is not valid, or if an
    /// output would overwrite a text.
    pub(crate) fn new(inputs: &Inputs) -> anyhow::Result<Self> {
        let others =
            ExcludedFiles::new(&inputs.outputs, &inputs.others, inputs.settings.as_deref());
        let (gitignore, globs) = (inputs.gitignore, &inputs.globs);
        let (named, all) = (HashSet::new(), Vec::new());
        let mut list = List { gitignore, globs, others, named, all };
        let mut new = inputs.paths.iter().chain(&inputs.listed);
        new.try_for_each(|path| list.name(path, Age::New))?;
        inputs.against.iter().try_for_each(|path| list.name(path, Age::Old))?;
        Self::listed(list.distinct(), inputs, None)
    }

    /// Creates the sources from the files that were found and the counts of what was skipped.
    fn listed(
        (mut files, mut skipped): (Vec<Source>, Skipped),
        inputs: &Inputs,
        mut tree: Option<Tree>,
    ) -> anyhow::Result<Self> {
        let old_records = if inputs.records.is_empty() { vec![] } else { old_records(&mut files) };
        if inputs.is_grouped_by_folder {
            group_by_folder(&mut files);
        }
        let names = inputs.names.as_ref().map(|path| {
            let bytes = disk::read(path, inputs.max_bytes).context(Flag::new("names"))?;
            anyhow::Ok(Course::read(&name_of(path), &bytes).context(Flag::new("names"))?)
        });
        let mut owners = Owners::new(inputs.units, inputs.submissions, names.transpose()?);
        let lists = if owners.takes_lists() {
            lists(&mut files, inputs.max_bytes, tree.as_mut())?
        } else {
            vec![]
        };
        skipped.add(Skip::Input, lists.len());
        files.retain(|source| match source {
            // The other files of a folder have been selected while it was walked.
            Source::File(File { path, folder: Some(folder), .. }) => {
                !is_list(&name_of(path)) || folder.keeps(path)
            }
            _ => true,
        });
        let owned = owned(&mut files, &mut owners, lists);
        files = joined(files, owned, inputs.is_grouped_by_folder);
        let mut known: Vec<FileId> = Vec::new();
        let mut lines: Vec<Lines> = Vec::new();
        let new = inputs.records.iter().map(|records| (records, Age::New));
        let old = inputs.old_records.iter().chain(&old_records);
        let old = old.map(|records| (records, Age::Old));
        for ((path, format), age) in new.chain(old) {
            let id = FileId::new(path);
            if let Some(at) = known.iter().position(|it| *it == id) {
                lines[at].age = lines[at].age.and(age);
            } else {
                known.push(id);
                lines.push(Lines::of_records(path, *format, age, inputs));
            }
        }
        Ok(Self {
            files: files.into_iter(),
            lines: lines.into_iter(),
            reading: None,
            unpacked: VecDeque::new(),
            bounds: archives::Bounds { file: inputs.max_bytes, unpacked: inputs.max_unpacked },
            owners,
            is_grouped_by_folder: inputs.is_grouped_by_folder,
            skipped,
            tree,
            unread: None,
        })
    }

    /// Reports whether there may be at most [`MAX_TEXTS_AT_ALL_LEVELS`] texts, together with
    /// `others` further ones. The number of records is not known before they are read, so their
    /// files may have at most [`MAX_RECORD_BYTES_AT_ALL_LEVELS`] bytes.
    pub(crate) fn are_few(&self, others: usize) -> bool {
        let sizes = self.lines.as_slice().iter().map(|lines| lines.bytes);
        self.files.len() + others <= MAX_TEXTS_AT_ALL_LEVELS
            && sizes.sum::<Option<u64>>().is_some_and(|it| it <= MAX_RECORD_BYTES_AT_ALL_LEVELS)
    }

    /// Returns the counts of what was skipped in folders and archives. Files that turn out not to
    /// be texts when they are opened are not included.
    pub(crate) fn skipped(&self) -> &Skipped {
        &self.skipped
    }

    /// Returns the number of bytes of all sources that are not read yet; `None` if a size is not
    /// known.
    pub(crate) fn bytes(&self) -> Option<u64> {
        let of_file = |source: &Source| match source {
            Source::File(file) => file.bytes,
            Source::Unit(_) => Some(source.bytes()),
            Source::Line(_) | Source::Row(..) | Source::Lost(_) => Some(0),
        };
        let files = self.files.as_slice().iter().map(of_file);
        files.chain(self.lines.as_slice().iter().map(|lines| lines.bytes)).sum()
    }

    /// Returns the next batch of files; empty if none are left or if the commit cannot be read.
    fn files(&mut self) -> Vec<Source> {
        let mut batch = Vec::new();
        let mut bytes = 0;
        while batch.len() < BATCH_FILES && bytes < BATCH_BYTES {
            if let Some(tree) = self.tree.as_mut().filter(|_| self.unpacked.is_empty())
                && let Err(error) = tree.ask(self.files.as_slice())
            {
                self.unread = Some(error);
                return Vec::new();
            }
            let Some(source) = self.unpacked.pop_front().or_else(|| self.files.next()) else {
                break;
            };
            let source = match &mut self.tree {
                None => source,
                Some(tree) => match tree.filled(source) {
                    Ok(Some(source)) => source,
                    Ok(None) => continue,
                    Err(error) => {
                        self.unread = Some(error);
                        return Vec::new();
                    }
                },
            };
            match source {
                Source::File(file) if archives::is_archive(&file.path) => {
                    let (members, owned) = self.unpack(&file);
                    self.unpacked.extend(joined(members, owned, self.is_grouped_by_folder));
                }
                Source::Unit(mut unit) => {
                    let mut files = Vec::new();
                    for source in unit.files {
                        match source {
                            Source::File(file) if archives::is_archive(&file.path) => {
                                files.extend(self.unpack(&file).0);
                            }
                            source => files.push(source),
                        }
                    }
                    unit.files = files;
                    let source = Source::Unit(unit);
                    bytes += source.bytes();
                    batch.push(source);
                }
                source => {
                    bytes += source.bytes();
                    batch.push(source);
                }
            }
        }
        batch
    }

    /// Returns the files of an archive, with the owner of each.
    fn unpack(&mut self, file: &File) -> (Vec<Source>, Vec<Owner>) {
        let name = name_of(&file.path);
        let folder = file.folder.as_deref();
        let is_empty = Cell::new(true);
        let is_kept = |member: &str| {
            is_empty.set(false);
            folder.is_none_or(|it| it.keeps_list(Path::new(member)))
        };
        let content = match &file.content {
            FileContent::Read(bytes) => archives::unpack(
                &file.path,
                &name,
                Cursor::new(bytes.clone()),
                self.bounds,
                &is_kept,
            ),
            _ => archives::open(&file.path, &name, self.bounds, &is_kept),
        };
        let mut content = match content {
            Ok(content) => content,
            Err(error) => {
                let lost = Source::Lost(Failed::of_file(&file.path, error));
                return (vec![lost], vec![Owner::default()]);
            }
        };
        if is_empty.get() {
            diagnostics::warn(&name, "contains no files");
        }
        self.skipped.add_all(&content.skipped);
        let (persons, mut failures) = match self.list(&name, &mut content) {
            Some(Ok(list)) => (Some(list), Vec::new()),
            Some(Err(error)) => (None, vec![Source::Lost(Failed::of_file(&file.path, error))]),
            None => (None, Vec::new()),
        };
        content.files.retain(|file| folder.is_none_or(|it| it.keeps(Path::new(&file.name))));
        let files = content.files.iter().map(|it| &it.name);
        let all = files.chain(content.failed.iter().map(|(name, _)| name));
        let inner: Vec<&str> = all.filter_map(|it| it.get(name.len() + 1..)).collect();
        let mut owners = self.owners.of_archive(&name, &inner, persons);
        let archive: Arc<Path> = file.path.as_path().into();
        let mut members: Vec<Source> = Vec::with_capacity(owners.len());
        let mut last = (String::new(), 0);
        let mut owned = owners.iter_mut();
        for (Unpacked { name, bytes }, owner) in content.files.into_iter().zip(&mut owned) {
            let number = if last.0 == name { last.1 + 1 } else { 0 };
            last = (name.clone(), number);
            let shown = owner.name.take().unwrap_or_else(|| name.clone());
            let folder = || shown.rsplit_once('/').map(|(folder, _)| folder.to_owned());
            let by_folder = self.is_grouped_by_folder && !owner.is_in_group();
            let group = if by_folder { folder() } else { owner.group() };
            let group = group.or_else(|| file.provenance.group.clone().filter(|_| !by_folder));
            let person = owner.known.clone().or_else(|| file.provenance.person.clone());
            let (age, whose) = (file.provenance.age, owner.person.clone());
            let (size, archive, at) = (bytes.len() as u64, Arc::clone(&archive), (name, number));
            members.push(Source::File(File {
                path: shown.into(),
                found: Discovery::Unpacked,
                provenance: Provenance { age, group, owner: whose, person },
                bytes: Some(size),
                folder: None,
                is_receipt: owner.is_receipt,
                content: FileContent::Unpacked { archive, at, bytes },
            }));
        }
        for ((name, error), owner) in content.failed.into_iter().zip(owned) {
            let path = PathBuf::from(owner.name.take().unwrap_or(name));
            owner.unit = None; // its error is reported on its own
            members.push(Source::Lost(Failed::of_file(&path, error.of_file(&path))));
        }
        members.append(&mut failures);
        owners.resize(members.len(), Owner::default());
        (members, owners)
    }

    /// Removes the list of persons from the files of an archive and returns it: it is not a text.
    /// `None` if there is no list.
    fn list(&mut self, archive: &str, content: &mut Content) -> Option<Result<Course, Diagnostic>> {
        if !self.owners.takes_lists() {
            return None;
        }
        let inner = |file: &Unpacked| file.name.get(archive.len() + 1..).map(str::to_owned);
        let names: Vec<String> = content.files.iter().filter_map(inner).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let others: Vec<&str> = names.iter().copied().filter(|it| !is_list(it)).collect();
        let root = self.owners.root(&others);
        let at = names.iter().position(|name| {
            name.strip_prefix(root).is_some_and(|it| !it.contains('/') && is_list(it))
        })?;
        let found = Course::found(&content.files[at].name, &content.files[at].bytes)?;
        content.files.remove(at);
        self.skipped.add(Skip::Input, 1);
        Some(found)
    }

    /// Checks, after all sources were read, that the commit was read to its end and that the
    /// persons that the user asked for were found.
    ///
    /// # Errors
    ///
    /// Those of [`Owners::check`], and an error if a commit could not be read to its end.
    pub(crate) fn check(&mut self) -> Result<(), Diagnostic> {
        self.unread.take().map_or_else(|| self.owners.check(), Err)
    }
}

impl Iterator for Sources {
    type Item = Vec<Source>;

    /// Returns the next sources; the vector may be empty.
    fn next(&mut self) -> Option<Self::Item> {
        let files = self.files();
        if !files.is_empty() {
            return Some(files);
        }
        loop {
            if let Some(batch) = self.reading.as_mut().and_then(Iterator::next) {
                return Some(batch);
            }
            self.reading = Some(parallel::ahead_of(self.lines.next()?, BATCHES_AHEAD));
        }
    }
}

/// Finds the owners of the files that are named or in folders, and sets their groups: the group in
/// a list of persons, otherwise the folder if files are grouped by folder, otherwise the person.
fn owned(
    files: &mut [Source],
    owners: &mut Owners,
    lists: Vec<(Arc<Folder>, Course)>,
) -> Vec<Owner> {
    let mut owned = vec![Owner::default(); files.len()];
    if !owners.are_asked(!lists.is_empty()) {
        return owned;
    }
    let mut lists = lists;
    let mut folders: Vec<(Arc<Folder>, Vec<usize>)> = Vec::new();
    let mut known: HashMap<*const Folder, usize> = HashMap::new();
    for (number, source) in files.iter().enumerate() {
        let Source::File(file) = source else { continue };
        match &file.folder {
            Some(folder) if folder.path == file.path => {} // an archive that the user named
            Some(folder) => {
                let at = *known.entry(Arc::as_ptr(folder)).or_insert(folders.len());
                if at == folders.len() {
                    folders.push((Arc::clone(folder), Vec::new()));
                }
                folders[at].1.push(number);
            }
            None => {
                let folder = name_of(folder_of(&file.path));
                owned[number] = owners.of_file(&name_of(&file.path), &folder);
            }
        }
    }
    for (folder, numbers) in folders {
        let inner = |number: &usize| match &files[*number] {
            Source::File(file) => folder.inner(&file.path),
            _ => String::new(),
        };
        let names: Vec<String> = numbers.iter().map(inner).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let list = lists.iter().position(|(place, _)| Arc::ptr_eq(place, &folder));
        let list = list.map(|at| lists.swap_remove(at).1);
        let of_folder = owners.of_folder(&name_of(&folder.path), &names, list);
        for (number, owner) in numbers.into_iter().zip(of_folder) {
            owned[number] = owner;
        }
    }
    for (source, owner) in files.iter_mut().zip(&owned) {
        if let Source::File(file) = source {
            let provenance = &mut file.provenance;
            let by_folder = provenance.group.take().filter(|_| !owner.is_in_group());
            provenance.group = by_folder.or_else(|| owner.group());
            provenance.person.clone_from(&owner.known);
            provenance.owner.clone_from(&owner.person);
            file.is_receipt = owner.is_receipt;
        }
    }
    owned
}

/// The names of files that may be lists of persons.
const LISTS: [&str; 2] = ["course.csv", "info.csv"];

/// Reports whether a file may be a list of persons, according to its name.
fn is_list(path: &str) -> bool {
    let last = path.rsplit_once('/').map_or(path, |(_, last)| last);
    LISTS.contains(&last)
}

/// Removes the lists of persons that are directly in a named folder from the files, and returns
/// them: they are not texts.
fn lists(
    files: &mut Vec<Source>,
    max_bytes: Option<u64>,
    mut tree: Option<&mut Tree>,
) -> anyhow::Result<Vec<(Arc<Folder>, Course)>> {
    let mut lists: Vec<(Arc<Folder>, Course)> = Vec::new();
    let mut error = None;
    files.retain(|source| {
        let Source::File(File { path, folder: Some(folder), content, .. }) = source else {
            return true;
        };
        if !is_list(&name_of(path)) || folder_of(path) != folder.path {
            return true;
        }
        let bytes = match (content, &mut tree) {
            (FileContent::Object(object), Some(tree)) => tree.bytes(object),
            _ => disk::read(path, max_bytes).unwrap_or_default(),
        };
        match Course::found(&name_of(path), &bytes) {
            None => return true,
            Some(Ok(list)) => lists.push((Arc::clone(folder), list)),
            Some(Err(wrong)) => error = error.take().or(Some(wrong)),
        }
        false
    });
    error.map_or(Ok(lists), |error| Err(error.into()))
}

/// Joins the files of each unit into one source, at the position of the first of them.
fn joined(sources: Vec<Source>, owned: Vec<Owner>, is_grouped_by_folder: bool) -> Vec<Source> {
    let mut all: Vec<Source> = Vec::with_capacity(sources.len());
    let mut known: HashMap<String, usize> = HashMap::new();
    for (source, owner) in sources.into_iter().zip(owned) {
        let Some(name) = owner.unit else {
            all.push(source);
            continue;
        };
        let age = match &source {
            Source::File(file) => file.provenance.age,
            _ => Age::New,
        };
        if let Some(Source::Unit(unit)) = known.get(&name).and_then(|at| all.get_mut(*at)) {
            unit.provenance.age = unit.provenance.age.and(age);
            unit.files.push(source);
        } else {
            known.insert(name.clone(), all.len());
            let folder = || name_of(folder_of(Path::new(&name)));
            let listed = owner.known.as_ref().and_then(|known| known.group.clone());
            let group = listed.or_else(|| is_grouped_by_folder.then(folder));
            let (person, whose) = (owner.known, owner.person);
            // A person may have several folders; a unit of a person is the only one.
            let group = group.or_else(|| whose.clone().filter(|whose| *whose != name));
            all.push(Source::Unit(Unit {
                name,
                files: vec![source],
                provenance: Provenance { age, group, owner: whose, person },
            }));
        }
    }
    for source in &mut all {
        if let Source::Unit(unit) = source {
            unit.files.sort_by_cached_key(Source::name);
        }
    }
    all
}

/// The paths that the user named, and what was found in them.
struct List<'g> {
    gitignore: Gitignore,
    globs: &'g Globs,
    others: ExcludedFiles<'g>,
    /// The folders that the user named, and the named files that are skipped in a folder: those that
    /// are hidden, pipes and devices.
    named: HashSet<FileId>,
    all: Vec<Named>,
}

/// A path that the user named, or something that was found in a named folder.
struct Named {
    entry: Entry,
    /// The metadata of a file that exists.
    known: Option<Metadata>,
    /// The object of a file of a commit.
    object: Option<TreeEntry>,
    found: Discovery,
    age: Age,
    /// The folder in which it was found. For an archive that the user named, the archive itself.
    folder: Option<Arc<Folder>>,
}

impl List<'_> {
    /// Adds what a path names: a file, or all files in a folder. A symbolic link that the user
    /// named is followed.
    fn name(&mut self, path: &Path, age: Age) -> Result<(), Diagnostic> {
        if !path.is_dir() {
            let known = metadata(path);
            let id = FileId::with(path, known.as_ref());
            self.others.check(path, &id)?;
            let is_file = known.as_ref().is_some_and(Metadata::is_file);
            if !is_file || path.file_name().is_some_and(|name| is_hidden(&name.to_string_lossy())) {
                self.named.insert(id);
            }
            let entry = Entry::File(path.to_owned());
            let folder = archives::is_archive(path).then(|| self.globs.of_folder(path));
            let folder = folder.transpose()?.map(|globs| Arc::new(Folder::new(path, globs)));
            let object = None;
            self.all.push(Named { entry, known, object, found: Discovery::Named, age, folder });
            return Ok(());
        }
        self.named.insert(FileId::new(path));
        let globs = self.globs.of_folder(path)?;
        let folder = Arc::new(Folder::new(path, globs.clone()));
        let entries = walk(path, self.gitignore, globs.with_lists);
        warn_of_leftovers(entries.iter().map(Entry::path));
        for entry in entries {
            if let Some((entry, known)) = self.others.sorted(entry)? {
                let (object, folder) = (None, Some(Arc::clone(&folder)));
                self.all.push(Named {
                    entry,
                    known,
                    object,
                    found: Discovery::Walked,
                    age,
                    folder,
                });
            }
        }
        Ok(())
    }

    /// Returns each file once, with the first of its names and at the position of that name. The
    /// file counts as named if any of its paths was named. The second and later hard links in
    /// folders are skipped. A hidden file or a pipe in a folder is not skipped if the user named it
    /// as well.
    fn distinct(mut self) -> (Vec<Source>, Skipped) {
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
    fn by_name(mut self) -> Vec<Named> {
        let mut by_path: Vec<usize> = (0..self.all.len()).collect();
        by_path.sort_by(|one, other| {
            self.all[*one].entry.path().as_os_str().cmp(self.all[*other].entry.path().as_os_str())
        });
        let mut is_first = vec![false; self.all.len()];
        let mut last: Option<usize> = None;
        for place in by_path {
            match last {
                Some(first) if self.all[first].is_same(&self.all[place]) => {
                    let (found, age) = (self.all[place].found, self.all[place].age);
                    if found == Discovery::Named {
                        let path = self.all[first].entry.path().to_owned();
                        self.all[first].known = self.all[place].known.take();
                        self.all[first].entry = Entry::File(path);
                    }
                    self.all[first].join(found, age);
                }
                _ => {
                    is_first[place] = true;
                    last = Some(place);
                }
            }
        }
        let firsts = self.all.into_iter().zip(is_first).filter(|(_, is_first)| *is_first);
        firsts.map(|(named, _)| named).collect()
    }
}

/// Removes the files that have names of files of records from those that were found in the folders
/// of `--against`, and returns them, so that new records are compared with these records as well.
fn old_records(files: &mut Vec<Source>) -> Vec<(PathBuf, Format)> {
    let mut records = Vec::new();
    files.retain_mut(|source| {
        let Source::File(file) = source else { return true };
        let is_old = file.found == Discovery::Walked && file.provenance.age == Age::Old;
        let Some(format) = Format::from_name(&file.path).filter(|_| is_old) else { return true };
        records.push((mem::take(&mut file.path), format));
        false
    });
    records
}

/// Groups the files of each folder, and names the group after the first path of the folder.
fn group_by_folder(files: &mut [Source]) {
    let mut names: HashMap<FileId, String> = HashMap::new();
    let mut last: Option<(PathBuf, String)> = None; // files come folder by folder
    for source in files {
        let Source::File(file) = source else { continue };
        let folder = folder_of(&file.path);
        let name = match &last {
            Some((known, name)) if known == folder => name.clone(),
            _ => names.entry(FileId::new(folder)).or_insert_with(|| name_of(folder)).clone(),
        };
        last = Some((folder.to_owned(), name.clone()));
        file.provenance.group = Some(name);
    }
}

impl Named {
    /// Reports whether both have the same path.
    fn is_same(&self, other: &Self) -> bool {
        self.entry.path().as_os_str() == other.entry.path().as_os_str()
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
pub(crate) struct ExcludedFiles<'o> {
    outputs: &'o OutputFiles,
    inputs: HashMap<FileId, Skip>,
}

impl<'o> ExcludedFiles<'o> {
    pub(crate) fn new(
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
            Entry::Skipped(Skip::Hidden, path) if self.outputs.has(&FileId::new(&path)) => Ok(None),
            entry => Ok(Some((entry, None))),
        }
    }

    /// Reports whether a file is an output file of the run, or is read for another purpose than its
    /// text.
    fn has(&self, id: &FileId) -> bool {
        self.outputs.has(id) || self.inputs.contains_key(id)
    }

    /// Checks that a file that is named as a text is not an output file of the run.
    pub(crate) fn check(&self, path: &Path, id: &FileId) -> Result<(), Diagnostic> {
        self.outputs.check_known(text(path), id)
    }
}

// Lists of files.

/// Reads the paths in the given lists, in their order: one list has a path per line, the other has
/// paths separated by NUL.
///
/// # Errors
///
/// Returns an error if a list cannot be read.
pub(crate) fn paths(
    [by_line, by_nul]: [Option<&Path>; 2],
    max_bytes: Option<u64>,
) -> anyhow::Result<Vec<PathBuf>> {
    let by_line = by_line.into_iter().map(|list| (list, b'\n', "files-from"));
    let by_nul = by_nul.into_iter().map(|list| (list, b'\0', "files0-from"));
    let mut paths = Vec::new();
    for (list, end, flag) in by_line.chain(by_nul) {
        let read = || parse(&disk::read(list, max_bytes)?, end);
        paths.extend(read().context(Flag::new(flag))?);
    }
    Ok(paths)
}

/// Parses a list of paths, each ended by the byte `end`. Empty paths are skipped. In a list by
/// lines, CR LF may end a line, and a byte order mark at the beginning is ignored.
fn parse(list: &[u8], end: u8) -> anyhow::Result<Vec<PathBuf>> {
    let by_line = end == b'\n';
    let list = list.strip_prefix(b"\xef\xbb\xbf").filter(|_| by_line).unwrap_or(list);
    let paths = list.split(|byte| *byte == end);
    let paths = paths.map(|path| path.strip_suffix(b"\r").filter(|_| by_line).unwrap_or(path));
    paths.filter(|path| !path.is_empty()).map(path).collect()
}

/// Makes a path of its bytes.
fn path(bytes: &[u8]) -> anyhow::Result<PathBuf> {
    path_of_bytes(bytes).context("a path in it is not UTF-8, expected UTF-8")
}

// Walking a folder for files that may be texts.

/// Something that was found in a folder.
#[derive(Debug)]
pub(crate) enum Entry {
    File(PathBuf),
    Skipped(Skip, PathBuf),
    /// A folder that cannot be listed completely.
    Lost(PathBuf, Diagnostic),
}

/// Whether a walk follows `.gitignore` files.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub(crate) enum Gitignore {
    /// Files that a `.gitignore` file excludes are skipped, whether or not the folder is in a
    /// repository.
    Heeded,
    /// `.gitignore` files are ignored.
    #[default]
    Unheeded,
}

impl Entry {
    /// Returns the path of the entry.
    pub(crate) fn path(&self) -> &Path {
        match self {
            Self::File(path) | Self::Skipped(_, path) | Self::Lost(path, _) => path,
        }
    }
}

/// Globs that select files in folders, in the syntax of `.gitignore`.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub(crate) struct Globs {
    /// Only files that match one of these are kept; all files if it is empty.
    pub(crate) include: Vec<String>,
    /// Files and folders that match one of these are left out.
    pub(crate) exclude: Vec<String>,
    /// The folders that the globs of `include` and `exclude` are relative to, in addition to the
    /// folder that is searched; `None` for the working folder.
    pub(crate) bases: [Option<PathBuf>; 2],
}

impl Globs {
    /// Builds the globs for a folder.
    ///
    /// # Errors
    ///
    /// Returns a [`Diagnostic`] if a glob is not valid.
    fn of_folder(&self, folder: &Path) -> Result<FolderGlobs, Diagnostic> {
        let texts = self.including(folder, &[])?;
        Ok(FolderGlobs { texts, with_lists: self.including(folder, &LISTS)? })
    }

    /// Builds the globs for a folder. If there are globs of `include`, files with the given names
    /// are included as well.
    fn including(&self, folder: &Path, names: &[&str]) -> Result<Override, Diagnostic> {
        let mut overrides = OverrideBuilder::new(folder);
        if !self.include.is_empty() {
            // An archive is treated like a folder: it is opened even if no glob matches its name,
            // and the globs select the files in it.
            let added = overrides.case_insensitive(true).and_then(|overrides| {
                archives::globs().try_for_each(|glob| overrides.add(&glob).map(|_| ()))?;
                overrides.case_insensitive(false)?;
                names.iter().try_for_each(|name| overrides.add(name).map(|_| ()))
            });
            added.map_err(|error| {
                Diagnostic::new(format!("--include: {error}")).flags(["include"])
            })?;
        }
        let [of_include, of_exclude] =
            self.bases.each_ref().map(|base| folders_between(base.as_deref(), folder));
        let excluded = self.exclude.iter().map(|glob| ("exclude", glob, ("!", glob.as_str())));
        let included = self.include.iter().map(|glob| {
            ("include", glob, glob.strip_prefix('!').map_or(("", glob.as_str()), |it| ("!", it)))
        });
        for (flag, glob, (mark, bare)) in included.chain(excluded) {
            // Answers name the files of the working folder `./a.txt`.
            let anchored = bare.strip_prefix("./").map(|rest| format!("/{rest}"));
            let bare = anchored.as_deref().unwrap_or(bare);
            overrides.add(&format!("{mark}{bare}")).map_err(|error| {
                let error = match error {
                    ignore::Error::Glob { err, .. } => err, // without the glob as it is written here
                    error => error.to_string(),
                };
                Diagnostic::new(format!("--{flag} {glob}: expected a glob: {error}"))
                    .hint("such as '*.md' or 'drafts/'")
                    .flags([flag])
            })?;
            let folders = if flag == "include" { &of_include } else { &of_exclude };
            for more in reanchored(bare, folders) {
                // This fails only for a part of a glob that is not valid by itself, such as `{a` of
                // `{a/b,c}`.
                let _ = overrides.add(&format!("{mark}{more}"));
            }
        }
        overrides.build().map_err(|error| {
            Diagnostic::new(format!("--include or --exclude: {error}"))
                .flags(["include", "exclude"])
        })
    }
}

/// Walks a folder and returns its entries, sorted by the bytes of their paths.
pub(crate) fn walk(folder: &Path, gitignore: Gitignore, globs: Override) -> Vec<Entry> {
    if gitignore == Gitignore::Heeded {
        let all = canonical(folder);
        let all = iter::once(folder).chain(all.ancestors().skip(1)).map(list_of);
        if let Some(list) = all.into_iter().find(|list| is_unusable(list)) {
            return vec![without_list(list)];
        }
    }
    let left_out = Arc::new(Mutex::new(BTreeMap::new()));
    let mut entries: Vec<Entry> = walker(folder, gitignore, globs, Arc::clone(&left_out))
        .filter_map(|found| match found {
            Ok(entry) => classify(entry),
            Err(error) => Some(unreadable(folder, error)),
        })
        .collect();
    let left_out = mem::take(&mut *left_out.lock().unwrap_or_else(PoisonError::into_inner));
    entries.extend(left_out.into_iter().map(|(path, why)| {
        let path = with_slashes(path, MAIN_SEPARATOR);
        why.map_or_else(|| without_list(path.clone()), |why| Entry::Skipped(why, path.clone()))
    }));
    entries.sort_by(|one, other| {
        in_order(bytes_of(one.path()), bytes_of(other.path()), MAIN_SEPARATOR)
    });
    entries
}

/// Returns a path with `/` as separator, so that the names of found files are the same on every
/// platform. Windows accepts it everywhere but in verbatim paths (`\\?\…`), which stay unchanged.
fn with_slashes(path: PathBuf, separator: char) -> PathBuf {
    match path.to_str() {
        Some(shown) if separator != '/' && !shown.starts_with(r"\\?\") => {
            shown.replace(separator, "/").into()
        }
        _ => path,
    }
}

/// Returns the bytes of a path, with the separators of the platform.
fn bytes_of(path: &Path) -> &[u8] {
    path.as_os_str().as_encoded_bytes()
}

/// Compares two paths by their bytes as if `/` separated their parts, so that the order is the same
/// on every platform.
fn in_order(one: &[u8], other: &[u8], separator: char) -> Ordering {
    let slashed = |byte: &u8| if char::from(*byte) == separator { b'/' } else { *byte };
    one.iter().map(slashed).cmp(other.iter().map(slashed))
}

/// The name of the lists of files that git ignores.
const GITIGNORE: &str = ".gitignore";

/// The largest number of bytes of such a list.
const MAX_GITIGNORE: u64 = 10_000_000;

fn list_of(folder: &Path) -> PathBuf {
    folder.join(GITIGNORE)
}

/// Reports whether a path is that of a `.gitignore` that cannot be read to an end: a pipe, a device
/// or a file that is too large.
fn is_unusable(path: &Path) -> bool {
    let is_usable =
        |known: &Metadata| known.is_dir() || known.is_file() && known.len() <= MAX_GITIGNORE;
    path.ends_with(GITIGNORE) && metadata(path).is_some_and(|known| !is_usable(&known))
}

/// Returns the entry for a folder that is not searched because of its `.gitignore`.
fn without_list(path: PathBuf) -> Entry {
    let what = "is not a file of at most 10 MB, expected one for --gitignore";
    let error = Diagnostic::new(format!("{}: {what}", display_path(&path)))
        .kind("folder")
        .hint("remove it, or leave out --gitignore")
        .flags(["gitignore"]);
    Entry::Lost(path, error)
}

/// The entries that a walk left out, each with the reason; `None` for a `.gitignore` that is unusable,
/// whose folder is not searched. The paths of folders end with a separator.
type LeftOut = BTreeMap<PathBuf, Option<Skip>>;

/// Returns a walk that neither returns nor enters, but collects, what is hidden or excluded by a
/// `.gitignore`.
fn walker(
    folder: &Path,
    gitignore: Gitignore,
    globs: Override,
    left_out: Arc<Mutex<LeftOut>>,
) -> Walk {
    let (shown, place) = (folder.to_owned(), canonical(folder));
    let rules = Mutex::new(IgnoreRules::default());
    let is_ignored = move |path: &Path, is_folder: bool| {
        let place = path.strip_prefix(&shown).map_or(place.clone(), |inner| place.join(inner));
        let rules_of = |folder: &Path| Ok(Rules::new(list_of(folder)).0);
        let mut rules = rules.lock().unwrap_or_else(PoisonError::into_inner);
        rules.exclude(&place, is_folder, rules_of).unwrap_or(false)
    };
    let mut builder = WalkBuilder::new(folder);
    builder.overrides(globs.clone()).standard_filters(false).follow_links(false).filter_entry(
        move |entry| {
            let path = entry.path();
            let is_folder = entry.file_type().is_some_and(|kind| kind.is_dir());
            let is_heeded = gitignore == Gitignore::Heeded;
            let list = Some(list_of(path)).filter(|_| is_folder && is_heeded);
            let ended = || if is_folder { path.join("") } else { path.to_owned() };
            let found = if entry.depth() > 0 && is_hidden(&entry.file_name().to_string_lossy()) {
                Some((ended(), Some(Skip::Hidden)))
            } else if entry.depth() > 0
                && is_heeded
                && globs.matched(path, is_folder).is_none()
                && is_ignored(path, is_folder)
            {
                Some((ended(), Some(Skip::Ignored)))
            } else {
                list.filter(|list| is_unusable(list)).map(|list| (list, None))
            };
            let is_kept = found.is_none();
            left_out.lock().unwrap_or_else(PoisonError::into_inner).extend(found);
            is_kept
        },
    );
    builder.build()
}

/// The rules of the `.gitignore` files of the folders that were looked up so far.
#[derive(Default)]
struct IgnoreRules(BTreeMap<PathBuf, Rules>);

impl IgnoreRules {
    /// Reports whether a `.gitignore` file above a path excludes it. The innermost file with a
    /// matching rule decides. `rules_of` reads the rules of a folder.
    fn exclude(
        &mut self,
        place: &Path,
        is_folder: bool,
        mut rules_of: impl FnMut(&Path) -> Result<Rules, Diagnostic>,
    ) -> Result<bool, Diagnostic> {
        for folder in place.ancestors().skip(1) {
            if !self.0.contains_key(folder) {
                self.0.insert(folder.to_owned(), rules_of(folder)?);
            }
            let rule = self.0.get(folder).map(|rules| rules.matched(place, is_folder));
            match rule {
                Some(rule) if !rule.is_none() => return Ok(rule.is_ignore()),
                _ => {}
            }
        }
        Ok(false)
    }
}

/// Classifies an entry of a walk; `None` for a folder, and for the root of the walk itself.
fn classify(entry: DirEntry) -> Option<Entry> {
    if entry.depth() == 0 {
        return None;
    }
    let kind = entry.file_type();
    let path = with_slashes(entry.into_path(), MAIN_SEPARATOR);
    let is = |test: fn(&FileType) -> bool| kind.as_ref().is_some_and(test);
    if is(FileType::is_dir) {
        None
    } else if is(FileType::is_symlink) {
        Some(Entry::Skipped(Skip::Link, path))
    } else if is(FileType::is_file) {
        Some(Entry::File(path))
    } else {
        Some(Entry::Skipped(Skip::Special, path))
    }
}

/// Returns the entry for a folder that could not be listed: the folder that the error names,
/// otherwise the root of the walk.
fn unreadable(folder: &Path, error: ignore::Error) -> Entry {
    let path = with_slashes(path_of(&error).unwrap_or(folder).to_owned(), MAIN_SEPARATOR);
    let message = error.to_string();
    let source = error.into_io_error().unwrap_or_else(|| io::Error::other(message));
    let name = display_path(&path);
    let diagnostic =
        Diagnostic::new(format!("{name}: cannot be listed, expected a readable folder"))
            .kind("folder")
            .hint("check that the file exists and is readable")
            .source(source);
    Entry::Lost(path, diagnostic)
}

fn path_of(error: &ignore::Error) -> Option<&Path> {
    match error {
        ignore::Error::WithPath { path, .. } => Some(path),
        ignore::Error::WithDepth { err, .. } | ignore::Error::WithLineNumber { err, .. } => {
            path_of(err)
        }
        _ => None,
    }
}

#[cfg(test)]
mod list_tests {
    use std::path::Path;

    use super::*;

    #[test]
    fn paths_are_parted_by_lines_or_by_nul() {
        #[rustfmt::skip]
        let table: &[(&str, &[u8], u8, &[&str])] = &[
            ("nothing",                    b"",                      b'\n', &[]),
            ("one, its end left out",      b"a.txt",                 b'\n', &["a.txt"]),
            ("two, with spaces",           b"a b.txt\nc\n",          b'\n', &["a b.txt", "c"]),
            ("blank lines",                b"\na\n\n",               b'\n', &["a"]),
            ("lines as on Windows",        b"a\r\n\r\nb\r\n",        b'\n', &["a", "b"]),
            ("a mark",                     b"\xef\xbb\xbfa\nb",      b'\n', &["a", "b"]),
            ("by NUL",                     b"a\0b\nc\0",             0,     &["a", "b\nc"]),
            ("a name that ends oddly",     b"a\r\0",                 0,     &["a\r"]),
        ];
        for (why, list, end, want) in table {
            let want: Vec<&Path> = want.iter().map(Path::new).collect();
            assert_eq!(parse(list, *end).unwrap(), want, "{why}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_path_need_not_be_utf_8() {
        use std::os::unix::ffi::OsStrExt;
        let paths = parse(b"caf\xe9.txt\n", b'\n').unwrap();
        assert_eq!(paths[0].as_os_str().as_bytes(), b"caf\xe9.txt");
    }
}

#[cfg(test)]
mod walk_tests {
    use super::*;

    #[test]
    fn found_files_have_one_name_on_every_system() {
        #[rustfmt::skip]
        let table = [
            ("Windows",              r"in\sub\a.txt", '\\', "in/sub/a.txt"),
            ("a drive",              r"C:\a.txt",     '\\', "C:/a.txt"),
            ("a verbatim path",      r"\\?\C:\a.txt", '\\', r"\\?\C:\a.txt"),
            ("Unix, where it counts as a letter", r"in/a\b.txt", '/', r"in/a\b.txt"),
        ];
        for (why, path, separator, want) in table {
            // Compared as strings: paths are equal whatever separates their parts.
            let got = with_slashes(path.into(), separator);
            assert_eq!(got.as_os_str(), want, "{why}");
        }
    }

    #[test]
    fn paths_stand_in_one_order_on_every_system() {
        #[rustfmt::skip]
        let table = [
            ("the same",               r"a\b", r"a\b",   Ordering::Equal),
            ("a full stop goes first", r"a.b", r"a\b",   Ordering::Less),
            ("a letter behind",        r"aB",  r"a\b",   Ordering::Greater),
            ("what begins another",    r"a",   r"a\b",   Ordering::Less),
        ];
        for (why, one, other, want) in table {
            assert_eq!(in_order(one.as_bytes(), other.as_bytes(), '\\'), want, "{why}");
            let [one, other] = [one, other].map(|path| path.replace('\\', "/"));
            assert_eq!(in_order(one.as_bytes(), other.as_bytes(), '/'), want, "{why}, slashes");
        }
    }
}
