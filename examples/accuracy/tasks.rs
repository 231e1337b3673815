//! Folders of labelled pairs.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::thread;

use anyhow::Context;
use dedup_text::text::{ReadOptions, Text};

/// Labelled pairs of texts, by their paths.
pub(crate) struct Task {
    pub(crate) name: String,
    pub(crate) pairs: Vec<Labelled>,
    /// The texts, each once.
    pub(crate) paths: Vec<PathBuf>,
}

/// Two texts, as places in a task's paths, and whether they are to be found.
#[derive(Clone, Copy)]
pub(crate) struct Labelled {
    pub(crate) left: usize,
    pub(crate) right: usize,
    pub(crate) is_related: bool,
}

impl Task {
    /// Parses `NAME=FOLDER:YES[,YES]:NO[,NO]` and reads the pairs of the folder. Pairs with other
    /// labels are skipped.
    pub(crate) fn new(said: &str) -> anyhow::Result<Self> {
        let wanted = || format!("{said}: expected NAME=FOLDER:YES[,YES]:NO[,NO]");
        let (name, rest) = said.split_once('=').with_context(wanted)?;
        let [folder, yes, no] = rest.split(':').collect::<Vec<_>>()[..] else {
            anyhow::bail!(wanted());
        };
        let folder = Path::new(folder);
        let listed = Text::open(&folder.join("pairs.tsv"), &ReadOptions::default())?;
        let mut places = BTreeMap::new();
        let mut paths = Vec::new();
        let mut place = |name: &str| {
            *places.entry(name.to_owned()).or_insert_with(|| {
                paths.push(folder.join("docs").join(name));
                paths.len() - 1
            })
        };
        let mut pairs = Vec::new();
        for line in listed.content().lines() {
            let [left, right, label] = line.split('\t').collect::<Vec<_>>()[..] else { continue };
            let is_one_of = |labels: &str| labels.split(',').any(|it| it == label);
            let is_related = is_one_of(yes);
            if is_related || is_one_of(no) {
                pairs.push(Labelled { left: place(left), right: place(right), is_related });
            }
        }
        Ok(Self { name: name.to_owned(), pairs, paths })
    }

    /// What `look` finds of each pair, by its number, in their order.
    pub(crate) fn each<T: Send>(&self, look: impl Fn(usize, Labelled) -> T + Sync) -> Vec<T> {
        let threads = thread::available_parallelism().map_or(1, NonZeroUsize::get);
        let size = self.pairs.len().div_ceil(threads).max(1);
        let parts = self.pairs.chunks(size).enumerate();
        let look = &look;
        thread::scope(|scope| {
            let work = move |(at, part): (usize, &[Labelled])| {
                let numbered = (at * size..).zip(part.to_vec());
                scope.spawn(move || {
                    numbered.map(|(number, pair)| look(number, pair)).collect::<Vec<_>>()
                })
            };
            let working: Vec<_> = parts.map(work).collect();
            working.into_iter().filter_map(|part| part.join().ok()).flatten().collect()
        })
    }
}
