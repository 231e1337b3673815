//! Turns the paths on the command line into sources, batch by batch.

mod anchors;
mod named;
mod tree;
mod walk;

use std::cell::Cell;
use std::collections::{HashMap, HashSet, VecDeque};
use std::io::Cursor;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::vec;
use std::{fs, mem};

use anyhow::Context;
use dedup_text::parallel;

use super::archives::Unpacked;
use super::course::Course;
use super::lines::Lines;
use super::source::{Discovery, File, FileContent, Folder, Provenance, Source, Unit};
use super::submissions::{Owner, Owners};
use super::table::Format;
use super::{Inputs, archives};
use crate::diagnostics::{self, Diagnostic, Flag};
use crate::io::disk::{self, FileId, folder_of};
use crate::io::path_of_bytes;
use crate::model::found::{Age, Failed, Skip, Skipped};
use crate::model::name_of;
use named::{ExcludedFiles, List};
use tree::Tree;
pub(crate) use walk::Globs;

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
    /// The lists of persons beside archives, by folder.
    beside: HashMap<PathBuf, Vec<(String, Vec<u8>)>>,
    is_grouped_by_folder: bool,
    /// What was skipped in folders and archives. Files that turn out not to be texts when they are
    /// opened are not included.
    pub(crate) skipped: Skipped,
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
        inputs.old.iter().try_for_each(|path| list.name(path, Age::Old))?;
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
            Lists::taken(&mut files, inputs.max_bytes, tree.as_mut())?
        } else {
            Lists::default()
        };
        for list in lists.of_folders.iter().map(|(_, list)| list).chain(&lists.named) {
            owners.note(list);
            skipped.add(Skip::Input, 1);
        }
        files.retain(|source| match source {
            // The other files of a folder have been selected while it was walked.
            Source::File(File { path, folder: Some(folder), .. }) => {
                !may_be_list(&name_of(path)) || folder.keeps(path)
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
            beside: HashMap::new(),
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

    /// Reports whether the persons of some texts are known, or may be found in an archive.
    pub(crate) fn may_have_persons(&self) -> bool {
        self.files.as_slice().iter().any(|source| match source {
            Source::File(file) => {
                file.provenance.owner.is_some() || archives::is_archive(&file.path)
            }
            Source::Unit(_) => true,
            _ => false,
        })
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
            let Some(source) = self.unpacked.pop_front().or_else(|| self.files.next()) else {
                break;
            };
            let filled = match &mut self.tree {
                Some(tree) => tree.filled(source),
                None => Ok(Some(source)),
            };
            match filled {
                Ok(Some(Source::File(file))) if archives::is_archive(&file.path) => {
                    let (members, owned) = self.unpack(&file);
                    self.unpacked.extend(joined(members, owned, self.is_grouped_by_folder));
                }
                Ok(Some(mut source)) => {
                    if let Source::Unit(unit) = &mut source {
                        let files = mem::take(&mut unit.files).into_iter();
                        let unpacked = files.flat_map(|source| match source {
                            Source::File(file) if archives::is_archive(&file.path) => {
                                self.unpack(&file).0
                            }
                            source => vec![source],
                        });
                        unit.files = unpacked.collect();
                    }
                    bytes += source.bytes();
                    batch.push(source);
                }
                Ok(None) => {}
                Err(error) => {
                    self.unread = Some(error);
                    return Vec::new();
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
            folder.is_none_or(|it| it.keeps(Path::new(member)))
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
        let content = match content {
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
        let files = content.files.iter().map(|it| &it.name);
        let all = files.chain(content.failed.iter().map(|(name, _)| name));
        let inner: Vec<&str> = all.filter_map(|it| it.get(name.len() + 1..)).collect();
        let persons = self.list_beside(file, &inner);
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
        (members, owners)
    }

    /// Returns the list of persons beside an archive that the user named, or at the top of the folder that
    /// the user named and that has the archive there, if it has the id of a person of the archive. `None`
    /// if there is none. A list within an archive is a text: the author of the archive could exclude texts by
    /// it.
    fn list_beside(&mut self, archive: &File, names: &[&str]) -> Option<Course> {
        let folder = folder_of(&archive.path);
        let is_within = |it: &Arc<Folder>| it.path != folder && it.path != archive.path;
        let is_taken = self.owners.takes_lists() && !self.owners.has_given();
        if archive.folder.as_ref().is_some_and(is_within) || !is_taken {
            return None;
        }
        let found = self.beside.entry(folder.to_owned()).or_insert_with(|| lists_in(folder));
        let read = |(name, bytes): &(String, Vec<u8>)| Course::found(name, bytes)?.ok();
        let list = found.iter().filter_map(read).find(|it| self.owners.is_listed(it, names))?;
        self.owners.note(&list);
        Some(list)
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
fn owned(files: &mut [Source], owners: &mut Owners, lists: Lists) -> Vec<Owner> {
    let mut owned = vec![Owner::default(); files.len()];
    let Lists { of_folders: mut lists, named } = lists;
    let mut loose = Vec::new();
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
            None => loose.push((number, (name_of(&file.path), name_of(folder_of(&file.path))))),
        }
    }
    let (numbers, paths): (Vec<usize>, Vec<_>) = loose.into_iter().unzip();
    for (number, owner) in numbers.into_iter().zip(owners.of_files(&paths, named)) {
        owned[number] = owner;
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

/// The largest number of files beside an archive that are looked at for a list of persons, and the largest
/// number of bytes of each that are read.
const MAX_BESIDE: usize = 20;
const MAX_LIST_BYTES: u64 = 5_000_000;

/// The glob of files that may be lists of persons.
const LISTS: &str = "*.csv";

/// Returns the names and the bytes of the lists of persons that are directly in a folder, by name.
fn lists_in(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut all: Vec<PathBuf> =
        entries.map(|entry| entry.path()).filter(|path| may_be_list(&name_of(path))).collect();
    all.sort_unstable();
    let read = |path: PathBuf| {
        let bytes = disk::head(&path, MAX_LIST_BYTES).ok()?;
        Course::found(&name_of(&path), &bytes)?.ok()?;
        Some((name_of(&path), bytes))
    };
    all.into_iter().take(MAX_BESIDE).filter_map(read).collect()
}

/// Reports whether a file may be a list of persons, according to its name.
fn may_be_list(path: &str) -> bool {
    Path::new(path).extension().is_some_and(|it| it.eq_ignore_ascii_case("csv"))
}

/// The lists of persons among the files, which are no texts.
#[derive(Default)]
struct Lists {
    /// The first list directly in each named folder.
    of_folders: Vec<(Arc<Folder>, Course)>,
    /// The first grading worksheet among files that are named one by one.
    named: Option<Course>,
}

impl Lists {
    /// Takes the lists out of the files. A second one of a folder, or among the named files, stays a text.
    fn taken(
        files: &mut Vec<Source>,
        max_bytes: Option<u64>,
        mut tree: Option<&mut Tree>,
    ) -> anyhow::Result<Self> {
        let (mut lists, mut error, are_several) = (Self::default(), None, files.len() > 1);
        let max_bytes = max_bytes.unwrap_or(u64::MAX).min(MAX_LIST_BYTES);
        files.retain(|source| {
            let Source::File(File { path, folder, content, .. }) = source else { return true };
            let name = name_of(path);
            let is_in_question = may_be_list(&name)
                && match folder {
                    Some(folder) => {
                        let is_it = |(place, _): &(Arc<Folder>, _)| Arc::ptr_eq(place, folder);
                        folder_of(path) == folder.path && !lists.of_folders.iter().any(is_it)
                    }
                    None => lists.named.is_none() && are_several,
                };
            if !is_in_question {
                return true;
            }
            let bytes = match (content, &mut tree) {
                (FileContent::Object(object), Some(tree)) => tree.bytes(object),
                _ => disk::head(path, max_bytes).unwrap_or_default(),
            };
            match folder {
                Some(folder) => match Course::found(&name, &bytes) {
                    None => return true,
                    Some(Ok(list)) => lists.of_folders.push((Arc::clone(folder), list)),
                    Some(Err(wrong)) => error = error.take().or(Some(wrong)),
                },
                None => lists.named = Course::worksheet(&name, &bytes),
            }
            folder.is_none() && lists.named.is_none()
        });
        error.map_or(Ok(lists), |error| Err(error.into()))
    }
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
    let path =
        |path: &[u8]| path_of_bytes(path).context("a path in it is not UTF-8, expected UTF-8");
    paths.filter(|path| !path.is_empty()).map(path).collect()
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
