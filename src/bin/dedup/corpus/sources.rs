//! What the command line names → sources, batch by batch.

use std::path::{Path, PathBuf};
use std::vec;

use super::earlier::Earlier;
use super::lines::Lines;
use super::list;
use super::source::{Age, Failed, File, Found, Skip, Skipped, Source};
use super::walk::{self, Entry, Gitignore};
use crate::flags::InputFlags;
use crate::output::is_same;

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
    /// Those that flags name, but for an earlier report and the settings file in a folder; `most`
    /// is the most bytes of a record. Folders are walked here.
    ///
    /// # Errors
    ///
    /// Where a list of files cannot be read.
    pub(crate) fn of(
        inputs: &InputFlags,
        most: Option<u64>,
        (earlier, settings): (Earlier, Option<&Path>),
    ) -> anyhow::Result<Self> {
        let gitignore = if inputs.gitignore { Gitignore::Heeded } else { Gitignore::Unheeded };
        let mut list = List { gitignore, earlier, settings, all: Vec::new() };
        let listed = list::paths(inputs)?;
        inputs.paths.iter().chain(&listed).for_each(|path| list.name(path, Age::New));
        inputs.against.iter().for_each(|path| list.name(path, Age::Old));
        let (files, skipped) = list.distinct();
        let mut jsonl: Vec<&PathBuf> = Vec::new();
        for path in &inputs.jsonl {
            if !jsonl.contains(&path) {
                jsonl.push(path);
            }
        }
        let lines: Vec<Lines> = jsonl.into_iter().map(|path| Lines::of(path, most)).collect();
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
struct List<'l> {
    gitignore: Gitignore,
    earlier: Earlier,
    settings: Option<&'l Path>,
    all: Vec<Named>,
}

/// What is named, or is in what is named.
struct Named {
    entry: Entry,
    found: Found,
    age: Age,
}

impl List<'_> {
    /// Takes what a path names: a file, or all in a folder. A link that is named is followed.
    fn name(&mut self, path: &Path, age: Age) {
        if path.is_dir() {
            let entries = walk::walk(path, self.gitignore).into_iter();
            let others = entries.filter(|entry| !self.earlier.has(entry.path()));
            for entry in others.collect::<Vec<_>>() {
                let entry = self.without_settings(entry);
                self.all.push(Named { entry, found: Found::Walked, age });
            }
        } else {
            let entry = Entry::File(path.to_owned());
            self.all.push(Named { entry, found: Found::Named, age });
        }
    }

    /// What is found in a folder; the settings file is no text.
    fn without_settings(&self, entry: Entry) -> Entry {
        let is_settings = |path: &Path| {
            let has_name = |file: &&Path| file.file_name() == path.file_name();
            self.settings.filter(has_name).is_some_and(|file| is_same(file, path))
        };
        match entry {
            Entry::File(path) if is_settings(&path) => Entry::Skipped(Skip::Settings, path),
            entry => entry,
        }
    }

    /// Each path once, where it came first; it counts as named if it ever was.
    fn distinct(mut self) -> (Vec<Source>, Skipped) {
        let mut by_path: Vec<usize> = (0..self.all.len()).collect();
        by_path.sort_by(|one, other| {
            self.all[*one].entry.path().as_os_str().cmp(self.all[*other].entry.path().as_os_str())
        });
        let mut is_first = vec![false; self.all.len()];
        let mut last: Option<usize> = None;
        for place in by_path {
            match last {
                Some(first) if self.all[first].is_same(&self.all[place]) => {
                    if self.all[place].found == Found::Named {
                        let path = self.all[first].entry.path().to_owned();
                        self.all[first].entry = Entry::File(path);
                        self.all[first].found = Found::Named;
                    }
                }
                _ => {
                    is_first[place] = true;
                    last = Some(place);
                }
            }
        }
        let mut skipped = Skipped::default();
        let firsts = self.all.into_iter().zip(is_first).filter(|(_, is_first)| *is_first);
        let sources = firsts.filter_map(|(named, _)| named.source(&mut skipped)).collect();
        (sources, skipped)
    }
}

impl Named {
    /// Whether both have one name.
    fn is_same(&self, other: &Self) -> bool {
        self.entry.path().as_os_str() == other.entry.path().as_os_str()
    }

    /// The source, or else a count.
    fn source(self, skipped: &mut Skipped) -> Option<Source> {
        let Self { entry, found, age } = self;
        match entry {
            Entry::File(path) => Some(Source::File(File::of(path, found, age))),
            Entry::Skipped(why, _) => {
                skipped.add(why, 1);
                None
            }
            Entry::Lost(folder) => {
                let path = folder.path.clone();
                Some(Source::Lost(Failed::of_file(&path, folder)))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use clap::Parser;

    use super::*;
    use crate::flags::CorpusFlags;

    /// The sources and the bytes of each batch.
    fn batches(folder: &Path) -> Vec<(usize, u64)> {
        let flags = CorpusFlags::parse_from([Path::new("corpus"), folder]);
        let sources = Sources::of(&flags.inputs, None, (Earlier::default(), None)).unwrap();
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
