//! What the command line names → sources, batch by batch.

use std::collections::hash_map::Entry as MapEntry;
use std::collections::{HashMap, HashSet};
use std::fs::Metadata;
use std::path::{Path, PathBuf};
use std::vec;

use super::Inputs;
use crate::diagnostics::Diagnostic;
use crate::io::identity::{self, FileId, canonical, folder_of};
use crate::io::inputs::lines::Lines;
use crate::io::inputs::list;
use crate::io::inputs::others::Others;
use crate::io::inputs::source::name_of;
use crate::io::inputs::source::{Age, Failed, File, Found, Skip, Skipped, Source};
use crate::io::inputs::walk::{self, Entry, Gitignore};

/// The most bytes of files in a batch, as far as their sizes are known.
const BATCH_BYTES: u64 = 1 << 24;

/// The most files in a batch.
const BATCH_FILES: usize = 1024;

/// The sources of a corpus: files in the order in which they and their folders are named,
/// within a folder by path; then records.
pub(crate) struct Sources {
    files: vec::IntoIter<Source>,
    lines: vec::IntoIter<Lines>,
    reading: Option<Lines>,
    skipped: Skipped,
}

impl Sources {
    /// Those that are named. Each file is one text, by the first of its names; folders are walked
    /// here.
    ///
    /// # Errors
    ///
    /// Where a list of files cannot be read, or a text would be overwritten.
    pub(crate) fn new(inputs: Inputs) -> anyhow::Result<Self> {
        let listed = list::paths(&inputs)?;
        let others = Others::new(inputs.outputs, &inputs.others, inputs.settings.as_deref());
        let mut list = List { gitignore: inputs.gitignore, others, all: Vec::new() };
        let mut new = inputs.paths.iter().chain(&listed);
        new.try_for_each(|path| list.name(path, Age::New))?;
        inputs.against.iter().try_for_each(|path| list.name(path, Age::Old))?;
        let (mut files, skipped) = list.distinct();
        if inputs.is_grouped_by_folder {
            group_by_folder(&mut files);
        }
        let mut known: Vec<FileId> = Vec::new();
        let mut lines: Vec<Lines> = Vec::new();
        for path in &inputs.jsonl {
            let id = FileId::of(path);
            if !known.contains(&id) {
                known.push(id);
                lines.push(Lines::of(path, inputs.max_bytes));
            }
        }
        Ok(Self { files: files.into_iter(), lines: lines.into_iter(), reading: None, skipped })
    }

    /// What was passed over in folders. What is found to be no text when it is opened is not in
    /// it.
    pub(crate) fn skipped(&self) -> Skipped {
        self.skipped
    }

    /// The bytes of all sources that are not read yet; none where the size of some is not
    /// known.
    pub(crate) fn bytes(&self) -> Option<u64> {
        let of_file = |source: &Source| match source {
            Source::File(file) => file.bytes,
            Source::Line(_) | Source::Lost(_) => Some(0),
        };
        let files = self.files.as_slice().iter().map(of_file);
        files.chain(self.lines.as_slice().iter().map(|lines| lines.bytes)).sum()
    }

    /// The next files.
    fn files(&mut self) -> Vec<Source> {
        let mut batch = Vec::new();
        let mut bytes = 0;
        while batch.len() < BATCH_FILES && bytes < BATCH_BYTES {
            let Some(source) = self.files.next() else { break };
            bytes += source.bytes();
            batch.push(source);
        }
        batch
    }
}

impl Iterator for Sources {
    type Item = Vec<Source>;

    /// The next sources; they may be none.
    fn next(&mut self) -> Option<Self::Item> {
        let files = self.files();
        if !files.is_empty() {
            return Some(files);
        }
        loop {
            if self.reading.is_none() {
                self.reading = Some(self.lines.next()?);
            }
            match self.reading.as_mut().and_then(Lines::next) {
                Some(batch) => return Some(batch),
                None => self.reading = None,
            }
        }
    }
}

/// What is named, and what is in it.
struct List {
    gitignore: Gitignore,
    others: Others,
    all: Vec<Named>,
}

/// What is named, or is in what is named.
struct Named {
    entry: Entry,
    /// What is known of a file that exists.
    known: Option<Metadata>,
    found: Found,
    age: Age,
}

impl List {
    /// Takes what a path names: a file, or all in a folder. A link that is named is followed.
    fn name(&mut self, path: &Path, age: Age) -> Result<(), Diagnostic> {
        if !path.is_dir() {
            let known = identity::metadata(path);
            self.others.check(path, &FileId::with(path, known.as_ref()))?;
            let entry = Entry::File(path.to_owned());
            self.all.push(Named { entry, known, found: Found::Named, age });
            return Ok(());
        }
        for entry in walk::walk(path, self.gitignore) {
            if let Some((entry, known)) = self.others.sorted(entry)? {
                self.all.push(Named { entry, known, found: Found::Walked, age });
            }
        }
        Ok(())
    }

    /// Each file once, by the first of its names and where that came first; it counts as named if
    /// it ever was. Of hard links in a folder those that come later are counted.
    fn distinct(self) -> (Vec<Source>, Skipped) {
        let mut skipped = Skipped::default();
        let mut first: HashMap<FileId, usize> = HashMap::new();
        let mut linked: HashSet<PathBuf> = HashSet::new();
        let mut all: Vec<Named> = Vec::new();
        for named in self.by_name() {
            let Entry::File(path) = &named.entry else {
                all.push(named);
                continue;
            };
            match first.entry(FileId::with(path, named.known.as_ref())) {
                MapEntry::Vacant(place) => {
                    place.insert(all.len());
                    all.push(named);
                }
                MapEntry::Occupied(place) => {
                    let first = &mut all[*place.get()];
                    let its = canonical(path);
                    if named.found == Found::Walked && canonical(first.entry.path()) != its {
                        linked.insert(its);
                    }
                    first.join(named.found, named.age);
                }
            }
        }
        skipped.add(Skip::HardLink, linked.len());
        let sources = all.into_iter().filter_map(|named| named.source(&mut skipped)).collect();
        (sources, skipped)
    }

    /// Each path once, where it came first.
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
                    if found == Found::Named {
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

/// Puts the files of each folder in a group, by the first of its names.
fn group_by_folder(files: &mut [Source]) {
    let mut names: HashMap<FileId, String> = HashMap::new();
    let mut last: Option<(PathBuf, String)> = None; // files come folder by folder
    for source in files {
        let Source::File(file) = source else { continue };
        let folder = folder_of(&file.path);
        let name = match &last {
            Some((known, name)) if known == folder => name.clone(),
            _ => names.entry(FileId::of(folder)).or_insert_with(|| name_of(folder)).clone(),
        };
        last = Some((folder.to_owned(), name.clone()));
        file.group = Some(name);
    }
}

impl Named {
    /// Whether both have one name.
    fn is_same(&self, other: &Self) -> bool {
        self.entry.path().as_os_str() == other.entry.path().as_os_str()
    }

    /// Takes what another name of the same file says.
    fn join(&mut self, found: Found, age: Age) {
        self.age = self.age.and(age);
        if found == Found::Named {
            self.found = found;
        }
    }

    /// The source, or else a count.
    fn source(self, skipped: &mut Skipped) -> Option<Source> {
        let Self { entry, known, found, age } = self;
        match entry {
            Entry::File(path) => Some(Source::File(File::of(path, found, age, known.as_ref()))),
            Entry::Skipped(why, _) => {
                skipped.add(why, 1);
                None
            }
            Entry::Lost(path, error) => Some(Source::Lost(Failed::of_file(&path, error))),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use clap::Parser;

    use crate::args::CorpusFlags;

    use super::*;

    /// The sources and the bytes of each batch.
    fn batches(folder: &Path) -> Vec<(usize, u64)> {
        let flags = CorpusFlags::parse_from([Path::new("corpus"), folder]);
        let sources = Sources::new(crate::commands::corpus::inputs(&flags).unwrap()).unwrap();
        sources.map(|batch| (batch.len(), batch.iter().map(Source::bytes).sum())).collect()
    }

    #[test]
    fn batches_end_with_so_many_files_or_bytes() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(batches(folder.path()), []);
        for number in 0..1500 {
            fs::write(folder.path().join(number.to_string()), "x").unwrap();
        }
        assert_eq!(batches(folder.path()), [(1024, 1024), (476, 476)]);
        let large = fs::File::create(folder.path().join("0")).unwrap();
        large.set_len(BATCH_BYTES).unwrap();
        assert_eq!(batches(folder.path()), [(1, BATCH_BYTES), (1024, 1024), (475, 475)]);
    }
}
