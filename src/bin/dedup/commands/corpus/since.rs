//! `--since`: finds the pairs and passages that exist at an earlier commit.
//!
//! Input: the flags, and the texts of the work tree. Output: a baseline in memory, as
//! `--update-baseline` would write it in a work tree of the commit. Texts that have not changed are
//! not sketched again: the sketches of the work tree are reused. Pairs of two such texts are not
//! judged, but only listed, since they share as much as before.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZeroUsize;
use std::path::Path;

use dedup_text::corpus::join::Pair;
use dedup_text::corpus::{self, Corpus, CorpusBuilder};
use dedup_text::display::{counted, visible};
use dedup_text::pair::Recipe;

use super::flags::CorpusFlags;
use super::gather::Sides;
use super::judge::{Accepted, Depth};
use super::model::Levels;
use super::search::AnswerLimit;
use super::write::BATCH;
use super::{Compared, opener, options, texts};
use crate::baseline::{Baseline, RunFindings};
use crate::diagnostics::{self, Severity};
use crate::io::disk;
use crate::io::git::Commit;
use crate::io::inputs::Inputs;
use crate::io::inputs::source::{FileContent, OpenedText, Provenance, Source, Unopened};
use crate::io::inputs::sources::Sources;
use crate::model::found::{FailedRecord, Failures, Skipped};
use crate::model::gathered::{Gathered, GroupedPairs, KnownTexts};
use crate::model::names::Names;
use crate::progress::Progress;

/// Returns the files of a commit that are to be compared, without reading any of them.
///
/// # Errors
///
/// Returns an error if there is no such commit, or if a path is outside its repository.
pub(super) fn sources(name: &str, inputs: &Inputs) -> anyhow::Result<Sources> {
    Sources::of_commit(inputs, Commit::find(name)?)
}

/// What was found at an earlier commit.
pub(super) struct Earlier {
    /// A baseline that accepts it, except for [`unchanged`](Self::unchanged).
    pub(super) baseline: Baseline,
    /// The pairs of two texts that have not changed since then, by their numbers in the work tree,
    /// in increasing order.
    pub(super) unchanged: Vec<(u32, u32)>,
    /// The texts that have not changed since then, by their numbers in the work tree.
    pub(super) unchanged_texts: BTreeSet<u32>,
}

/// Compares the texts as they are at a commit, whose files are given. `now` has those of the work tree,
/// and what was found among them.
///
/// # Errors
///
/// Returns an error if the files cannot be read, or if there are too many pairs of them.
pub(super) fn compare(
    flags: &CorpusFlags,
    (name, sources): (&str, Sources),
    now: &Gathered,
    recipe: &Recipe,
    threads: NonZeroUsize,
) -> anyhow::Result<Earlier> {
    let names = now.corpus.documents.iter().map(|document| document.text.path().to_owned());
    let sources = sources.with_texts(names.collect());
    let present = WorkTree::new(&now.corpus);
    // What is set aside now is set aside then, so that a text that has not changed is the same.
    let common = now.corpus.common.as_ref().and_then(|it| it.templates(recipe.min_match));
    let mut recipe = Recipe { common: None, ..recipe.clone() };
    recipe.templates.all.extend(common.into_iter().flat_map(|common| common.all));
    let recipe = &recipe;
    let gathered = gather(flags, sources, recipe, threads, &present)?;
    let baseline = Baseline::of_nothing();
    let level = flags.answering.level();
    let options = options(flags, Levels::Asked, None, String::new());
    let matching = baseline.matching(texts(&gathered.corpus), level, threads);
    let progress = Progress::of_run(false);
    let compared = Compared {
        flags,
        gathered: &gathered,
        recipe,
        options,
        names: Names::here(),
        is_reported: false,
        limit: AnswerLimit::new(flags, true),
        threads,
        progress: &progress,
    };
    let numbers: Vec<Option<u32>> =
        gathered.corpus.documents.iter().map(|it| present.unchanged(it.text.path())).collect();
    let mut unchanged = Vec::new();
    let found = compared.search()?;
    let accepted =
        Accepted { baseline: Some(&matching), since: None, unchanged: &[], unchanged_texts: None };
    let found = compared.judged_by(found, accepted, |judge, candidates| {
        let mut found = RunFindings::default();
        let reaching =
            candidates.pairs(&gathered).filter(|pair| judge.answer.verdict(pair) >= level);
        let mut changed = reaching.filter(|pair| {
            let now = numbers[pair.a as usize].zip(numbers[pair.b as usize]);
            unchanged.extend(now.map(|(a, b)| (a.min(b), a.max(b))));
            now.is_none()
        });
        loop {
            let batch: Vec<Pair> = changed.by_ref().take(BATCH).collect();
            if batch.is_empty() {
                break;
            }
            let judged = judge.all(batch, |_| Some(Depth::Passages), |_| ());
            for (judged, ()) in judged {
                found.extend(judged.entries);
            }
        }
        Ok(found)
    })?;
    unchanged.sort_unstable();
    if !gathered.failed.is_empty() {
        let unread = counted(gathered.failed.len(), "text");
        let name = visible(name);
        diagnostics::note(&format!(
            "{name}: {unread} cannot be read in that commit; what they share counts as new"
        ));
    }
    let unchanged_texts = numbers.into_iter().flatten().collect();
    Ok(Earlier { baseline: Baseline::accepting(found), unchanged, unchanged_texts })
}

/// The texts of the work tree, by path.
struct WorkTree<'n, 'r> {
    corpus: &'n Corpus<'r>,
    numbers: BTreeMap<&'n Path, u32>,
    /// The texts that are the same at the commit.
    added: RefCell<BTreeSet<u32>>,
}

impl<'n, 'r> WorkTree<'n, 'r> {
    fn new(corpus: &'n Corpus<'r>) -> Self {
        let numbered = (0..).zip(&corpus.documents);
        let numbers = numbered.map(|(number, document)| (document.text.path(), number)).collect();
        Self { corpus, numbers, added: RefCell::default() }
    }

    /// Returns the number of a text that is the same at the commit; `None` if it is not.
    fn unchanged(&self, path: &Path) -> Option<u32> {
        self.numbers.get(path).copied().filter(|number| self.added.borrow().contains(number))
    }

    /// Adds the text of a file of the commit if the file in the work tree is identical, byte for
    /// byte. Returns whether it was added.
    fn add_to(&self, builder: &mut CorpusBuilder<'r>, source: &Source, sides: Sides) -> bool {
        let Source::File(file) = source else { return false };
        let FileContent::Read(bytes) = &file.content else { return false };
        let Some(number) = self.numbers.get(file.path.as_path()) else { return false };
        let now = disk::head(&file.path, bytes.len() as u64 + 1);
        let Provenance { age, group, .. } = &file.provenance;
        let place = (group.clone(), sides.of(*age, false));
        let is_added =
            now.is_ok_and(|now| now == *bytes) && builder.add_known(self.corpus, *number, place);
        self.added.borrow_mut().extend(is_added.then_some(*number));
        is_added
    }
}

/// Opens and sketches the texts of a commit. A text that fails is not an error, since it may have
/// been repaired since then.
fn gather<'r>(
    flags: &CorpusFlags,
    mut sources: Sources,
    recipe: &'r Recipe,
    threads: NonZeroUsize,
    present: &WorkTree<'_, 'r>,
) -> anyhow::Result<Gathered<'r>> {
    let opener = opener(flags)?;
    let sides = Sides::new(flags, false);
    let open = |source: Source| {
        let OpenedText { text, is_read_once, provenance, details } = opener.open(source)?;
        let (group, side) = (provenance.group, sides.of(provenance.age, false));
        Ok((corpus::Opened { text, group, side, is_read_once }, details.unopened))
    };
    let mut builder = CorpusBuilder::new(recipe, threads).within(flags.memory());
    let (mut failed, mut skipped) = (Failures::default(), Skipped::default());
    for mut batch in &mut sources {
        batch.retain(|source| !present.add_to(&mut builder, source, sides));
        let mut left_out = Vec::new();
        let admit = |unopened: Vec<Unopened>| {
            left_out.extend(unopened);
            Ok(())
        };
        let mut unopened: Vec<Unopened> = builder.add(batch, open, admit);
        unopened.extend(left_out);
        let failures = unopened.into_iter().flat_map(|why| why.failures(&mut skipped));
        failures
            .into_iter()
            .try_for_each(|failure| failed.add(FailedRecord::new(failure, Severity::Error)))?;
    }
    sources.check()?;
    Ok(Gathered {
        corpus: builder.finish(),
        skipped,
        grouped: GroupedPairs::default(),
        failed,
        has_errors: false,
        disguises: Severity::Warning,
        texts: KnownTexts::default(),
        has_focus: false,
        common_names: BTreeSet::new(),
        open_again: Box::new(move |path, place| opener.open_again(path, place)),
    })
}
