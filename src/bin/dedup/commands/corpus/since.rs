//! An earlier commit → what of it is found there already.
//!
//! Goes in: the flags, and the texts of the work tree. Comes out: a baseline in memory, as
//! `--update-baseline` would write it in a work tree of the commit, and the excerpts of the passages
//! that were too common there to make a pair. Texts that are as they were are not read again: their
//! sketches are those of the work tree.

use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use dedup_text::corpus::Corpus;
use dedup_text::pair::recipe::Recipe;

use super::answer::{CorpusRun, Purpose};
use super::{gather, options, texts};
use crate::args::CorpusFlags;
use crate::commands::baseline::Baseline;
use crate::diagnostics;
use crate::io::disk;
use crate::io::git::Commit;
use crate::io::inputs::Inputs;
use crate::io::inputs::again::ReadTwice;
use crate::io::inputs::source::{File, FileContent};
use crate::io::inputs::sources::Sources;
use crate::model::corpus::{Answer, Collided, Gathered, Levels};
use crate::model::names::Names;
use crate::progress::Progress;
use crate::words::{counted, visible};

/// What is there already at a commit.
#[derive(Debug)]
pub(super) struct Earlier {
    /// What is found there, as accepted.
    pub(super) baseline: Baseline,
    /// How the passages begin that are too common there to make a pair.
    pub(super) widespread: BTreeSet<String>,
}

/// The texts of the work tree, by their paths.
pub(super) struct Present<'n, 'r> {
    pub(super) corpus: &'n Corpus<'r>,
    numbers: BTreeMap<&'n Path, u32>,
}

impl<'n, 'r> Present<'n, 'r> {
    pub(super) fn new(corpus: &'n Corpus<'r>) -> Self {
        let numbered = (0..).zip(&corpus.documents);
        let numbers = numbered.map(|(number, document)| (document.text.path(), number)).collect();
        Self { corpus, numbers }
    }

    /// The text that a file of the commit still is, byte for byte.
    pub(super) fn same(&self, file: &File) -> Option<u32> {
        let FileContent::Read(bytes) = &file.content else { return None };
        let number = self.numbers.get(file.path.as_path())?;
        let now = disk::head(&file.path, bytes.len() as u64 + 1).ok()?;
        (now == *bytes).then_some(*number)
    }
}

/// Compares the texts as they are at a commit.
///
/// # Errors
///
/// Where the commit cannot be read, or has too many pairs.
pub(super) fn compare(
    flags: &CorpusFlags,
    name: &str,
    (inputs, now): (&Inputs, &Gathered),
    recipe: &Recipe,
    threads: NonZeroUsize,
) -> anyhow::Result<Earlier> {
    let names = now.corpus.documents.iter().map(|document| document.text.path().to_owned());
    let names: BTreeSet<PathBuf> = names.collect();
    let sources = Sources::of_commit(inputs, Commit::find(name)?, names)?;
    let present = Present::new(&now.corpus);
    let gathered = gather::gather_earlier(flags, sources, recipe, threads, &present)?;
    let baseline = Baseline::of_nothing();
    let matching = baseline.matching(texts(&gathered.corpus), threads);
    let answer = Answer {
        gathered: &gathered,
        recipe,
        level: flags.answering.level(),
        options: options(flags, Levels::Asked),
        names: Names::here(),
        found: std::sync::OnceLock::new(),
        by_far: std::sync::OnceLock::new(),
        collided: Collided::new(&gathered),
        focus: None,
    };
    let twice = ReadTwice::default();
    let run = CorpusRun {
        answer,
        flags,
        threads,
        baseline: Some(&matching),
        earlier: None,
        progress: Progress::of_run(false),
        twice: &twice,
        purpose: Purpose::Accept,
    };
    let found = run.write()?.found;
    if !gathered.failed.is_empty() {
        let unread = counted(gathered.failed.len(), "text");
        let name = visible(name);
        diagnostics::note(&format!(
            "{name}: {unread} cannot be read there; what they share is new"
        ));
    }
    let widespread = run.answer.widespread().iter().map(|it| it.excerpt.clone()).collect();
    Ok(Earlier { baseline: Baseline::accepting(found), widespread })
}
