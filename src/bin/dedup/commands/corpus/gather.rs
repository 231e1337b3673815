//! Opens and sketches the texts that are named, and collects what is left out.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use dedup_text::corpus::index::Index;
use dedup_text::corpus::join::Side;
use dedup_text::corpus::{self, Corpus, CorpusBuilder};
use dedup_text::display::{counted, thousands, visible};
use dedup_text::pair::Recipe;
use dedup_text::parallel::Advance;
use dedup_text::text::{ReadTextError, display_path};
use dedup_text::verdict::Verdict;

use super::flags::CorpusFlags;
use super::model::Task;
use super::{inputs, opener};
use crate::args::InputFlags;
use crate::diagnostics::{self, Diagnostic, Exit, MAX_SHOWN, ReplacedBytes, Severity, note_more};
use crate::failures::no_text::{check_group, no_text};
use crate::failures::{BatchOutcome, FailureReport};
use crate::io::disk::{canonical, folder_of};
use crate::io::inputs::archives::is_archive;
use crate::io::inputs::source::{
    self, Disguises, File, FileContent, OpenedText, Opener, Provenance, Source, TextDetails,
    Unopened,
};
use crate::io::inputs::sources::Sources;
use crate::io::inputs::submissions::Units;
use crate::io::output;
use crate::model::found::{Age, Failed, Failures, FoundTexts, TextOrigin};
use crate::model::gathered::{Gathered, GroupedPairs, KnownTexts, TextFacts, common_names};
use crate::model::name_of;
use crate::progress::{Progress, Stage};
use crate::stored::{self, InputTexts, Replaced};

/// A text that was opened, apart from what is in its sketch.
struct MetText {
    /// The number of its source in the batch.
    number: usize,
    details: TextDetails,
    /// The names of the texts in an index that it replaces.
    stored_names: Vec<String>,
    facts: TextFacts,
    has_group: bool,
    /// What of it is not read.
    unread: Option<String>,
    /// The numbers of the paths of `--focus` that name the file of the text, or contain it.
    focus: Vec<usize>,
}

/// The rule that decides which texts a text is compared with.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sides {
    /// Whether new texts are compared only with old ones.
    is_against: bool,
    /// Whether texts outside the focus are not compared with each other.
    is_by_focus: bool,
}

impl Sides {
    pub(super) fn new(flags: &CorpusFlags, has_focus: bool) -> Self {
        let is_against = !flags.inputs.against.is_empty();
        let is_by_focus = has_focus && !is_against && flags.can_join_by_focus();
        Self { is_against, is_by_focus }
    }

    pub(super) fn of(self, age: Age, is_in_focus: bool) -> Side {
        match age {
            Age::New if self.is_by_focus && !is_in_focus => Side::Old,
            Age::New if self.is_against => Side::New,
            Age::New | Age::Both => Side::Any,
            Age::Old => Side::Old,
        }
    }
}

/// A source with its number in the batch, and the numbers of the paths of `--focus` that name or
/// contain the source.
type NumberedSource = (usize, Vec<usize>, Source);

/// The settings for opening sources.
struct Opening<'o> {
    opener: &'o Opener,
    replaced: &'o Replaced<'o>,
    sides: Sides,
    /// The number of bytes that have been read.
    read: &'o Advance,
}

impl Opening<'_> {
    /// Opens a text. May be called on any thread.
    fn open(
        &self,
        (number, focus, source): NumberedSource,
    ) -> Result<(corpus::Opened, MetText), (usize, Unopened)> {
        let opened = self.opener.open_counted(source, self.read).map_err(|why| (number, why))?;
        let OpenedText { text, is_read_once, provenance, mut details } = opened;
        let Provenance { age, group, owner, person } = provenance;
        let stored_names = self.replaced.replaced_by(&text, &details.place);
        let stored_names = stored_names.map_err(|why| (number, why))?;
        let age = if stored_names.is_empty() { age } else { age.and(Age::Old) };
        let side = self.sides.of(age, !focus.is_empty());
        let unread = text.unread().map(str::to_owned);
        let group = self.replaced.group(group);
        let facts = TextFacts {
            age,
            is_in_focus: !focus.is_empty(),
            is_unit: matches!(details.place, TextOrigin::Unit(_)),
            owner: owner.map(String::into_boxed_str),
            person,
            shown: None,
            worth: details.worth.take().map(String::into_boxed_str),
        };
        let has_group = group.is_some();
        let met = MetText { number, details, stored_names, facts, has_group, unread, focus };
        Ok((corpus::Opened { text, group, side, is_read_once }, met))
    }
}

/// The properties of the texts that were opened so far, apart from their sketches.
#[derive(Default)]
struct OpenedTexts {
    known: InputTexts,
    focus: Focus,
    has_group: bool,
    replaced_bytes: ReplacedBytes,
    /// The reasons why files of the batch are not part of its texts, each with the number of the
    /// source.
    unopened: Vec<(usize, Unopened)>,
}

impl OpenedTexts {
    /// Adds a text, and prints warnings about its content.
    ///
    /// # Errors
    ///
    /// Returns the number of the source and the failure if another text has the same name.
    fn admit(&mut self, met: MetText) -> Result<(), (usize, Unopened)> {
        let known = &mut self.known;
        let TextDetails { name, place, replaced, unopened, .. } = met.details;
        self.unopened.extend(unopened.into_iter().map(|why| (met.number, why)));
        known.names.add(&name, place).map_err(|why| (met.number, why.into()))?;
        if met.facts.age == Age::Both {
            known.replaced.extend(met.stored_names);
        }
        known.facts.push(met.facts);
        self.focus.meet(&met.focus);
        self.has_group |= met.has_group;
        self.replaced_bytes.meet(&name, replaced);
        if let Some(unread) = &met.unread {
            diagnostics::warn(&name, unread);
        }
        Ok(())
    }
}

/// Opens and sketches all texts. The first ones that fail are reported immediately.
///
/// # Errors
///
/// Returns an error if the flags, the inputs or the index cannot be used, if a text fails and
/// failures end the run, or if none of the first records of a file has a requested field.
pub(crate) fn gather<'r>(
    flags: &CorpusFlags,
    (sources, earlier): (Sources, Option<(&Index, Verdict)>),
    recipe: &'r Recipe,
    threads: NonZeroUsize,
    progress: &Progress,
) -> anyhow::Result<Gathered<'r>> {
    let replaced = Replaced::new(earlier.map(|(index, _)| index))?;
    let mut texts =
        OpenedTexts { focus: Focus::new(&flags.focus, &flags.inputs)?, ..OpenedTexts::default() };
    let sides = Sides::new(flags, !texts.focus.is_empty());
    let opener = opener(flags)?;
    let read = progress.begin(Stage::Reading, sources.bytes().unwrap_or_default());
    let opening = Opening { opener: &opener, replaced: &replaced, sides, read };
    let mut builder = CorpusBuilder::new(recipe, threads).within(flags.memory());
    let mut failed = Failures::default();
    let has_end = flags.inputs.stop_on_error || flags.clean.is_asked();
    let mut failures = FailureReport::new(&flags.inputs, &flags.settings, has_end);
    let read = |batch: Vec<Source>| {
        let before = texts.known.names.len();
        let numbered = texts.focus.numbered(batch);
        let open = |source| opening.open(source);
        let mut unopened = builder.add(numbered, open, |met| texts.admit(met));
        builder.check()?;
        unopened.append(&mut texts.unopened);
        unopened.sort_by_key(|(number, _)| *number);
        let unopened = unopened.into_iter().map(|(_, why)| why).collect();
        Ok(BatchOutcome { has_text: texts.known.names.len() > before, unopened })
    };
    failures.read_all(sources, read, |record| failed.add(record))?;
    texts.replaced_bytes.end();
    check_group(&flags.inputs, texts.has_group || texts.known.names.len() == 0)?;
    let OpenedTexts { mut known, mut focus, .. } = texts;
    if flags.common(|| known.facts.iter().any(|it| it.owner.is_some())).is_none() {
        builder.leave_common_in();
    }
    let settling = progress.begin(Stage::Settling, 0);
    let mut corpus = stored::finish(builder, earlier, &mut known, settling)?;
    let mut texts = KnownTexts::new(known.names, known.facts, &corpus);
    let has_focus = !focus.is_empty();
    for (document, text) in corpus.documents.iter().zip(0..) {
        if has_focus && document.attached().is_some() {
            texts.put_in_focus(text, !focus.around(document.text.path()).is_empty());
        }
    }
    corpus.collection.check()?;
    for (path, defect) in std::mem::take(&mut corpus.defects) {
        let name = name_of(&path);
        let failure = Failed::new(name, ReadTextError::Defect { path, defect });
        failed.add(failures.add(failure)?)?;
    }
    report_disguises(&corpus, flags, &mut failures);
    // Only those texts of an index are read that may be in a pair, so that a path of `--focus` may
    // seem to have no text.
    if earlier.is_none() {
        focus.note_others();
    }
    // If there is no text, there is no answer that could list the rest.
    let is_any = !corpus.documents.is_empty() || !corpus.short.is_empty();
    failures.end(is_any.then_some("--format json lists all of them"));
    let stored = earlier.map_or(0, |(index, _)| index.len());
    let error = none_to_compare_with(flags, &corpus, stored).filter(|_| !failures.has_errors);
    if let Some(error) = error {
        diagnostics::print(&error.into());
        failures.has_errors = true;
    }
    Ok(Gathered {
        grouped: grouped_pairs(&corpus, (flags, earlier), &texts),
        common_names: common_names(&corpus),
        corpus,
        failed,
        has_errors: failures.has_errors,
        skipped: failures.skipped,
        disguises: match flags.comparing.opening.disguises {
            Disguises::Error => Severity::Error,
            Disguises::Warn => Severity::Warning,
        },
        texts,
        has_focus,
        open_again: Box::new(move |path, place| opener.open_again(path, place)),
    })
}

/// Returns an error if, of several texts, fewer than two can be compared because the others are too
/// short: such a run finds nothing, and must not pass for one that did. `None` for records and where
/// texts are only to be kept.
fn none_to_compare_with(flags: &CorpusFlags, corpus: &Corpus, stored: usize) -> Option<Diagnostic> {
    let (compared, short) = (corpus.len(), corpus.short.len());
    let is_keeping = matches!(flags.task(), Task::Keep(_)) || flags.inputs.has_records();
    let are_too_few = compared + stored < 2 && compared + stored + short > 1;
    (are_too_few && !is_keeping).then(|| {
        let found = format!("{} and {} too short", counted(compared, "text"), thousands(short));
        Diagnostic::new(format!("{found}, expected at least two that can be compared"))
    })
}

/// Counts the pairs of texts of one group, or of one person unless a list or a flag gives groups. With
/// old texts no pairs are counted, so that an index, which does not read all texts, gives the same
/// answer as the texts.
fn grouped_pairs(
    corpus: &Corpus,
    (flags, earlier): (&CorpusFlags, Option<(&Index, Verdict)>),
    known: &KnownTexts,
) -> GroupedPairs {
    if earlier.is_some() {
        return GroupedPairs::default();
    }
    let is_of_person = |text: u32| {
        let TextFacts { person, owner, .. } = known.facts(text);
        let is_listed = person.as_ref().is_some_and(|person| person.group.is_some());
        flags.inputs.group.is_none() && !is_listed && owner.is_some()
    };
    let texts = (0..).take(corpus.documents.len());
    let grouped = GroupedPairs::new(texts.map(|text| corpus.collection.place(text)), is_of_person);
    if flags.inputs.old().is_empty() {
        return grouped;
    }
    GroupedPairs { are_all: grouped.are_all, ..GroupedPairs::default() }
}

/// Reports the texts with disguises if these are errors.
fn report_disguises(corpus: &Corpus, flags: &CorpusFlags, failures: &mut FailureReport) {
    for document in &corpus.documents {
        if let Err(error) =
            source::check_disguises(&document.text, flags.comparing.opening.disguises)
        {
            failures.print(&Failed::new(name_of(document.text.path()), error), Severity::Error);
        }
    }
}

// `--list`: the texts that would be compared, and nothing else.

/// Lists the texts in the order of the input, one per line: name, kind, bytes and group, separated
/// by tabs; then the number of texts, failures and skipped files.
///
/// # Errors
///
/// Returns an error if the flags or inputs cannot be used, if there is neither a text nor a
/// failure, or, with `--stop-on-error`, if a text fails.
pub(crate) fn list(flags: &CorpusFlags) -> anyhow::Result<Exit> {
    let opener = opener(flags)?;
    let inputs = inputs(flags)?;
    let sources = Sources::new(&inputs)?;
    let mut names: FoundTexts = FoundTexts::default();
    let mut failures =
        FailureReport::new(&flags.inputs, &flags.settings, flags.inputs.stop_on_error);
    let (mut list, mut failed) = (String::new(), 0);
    let read = |batch: Vec<Source>| {
        let (before, mut unopened) = (names.len(), Vec::new());
        for source in batch {
            let text = opener.open(source).and_then(|text| {
                names.add(&text.details.name, text.details.place.clone())?;
                Ok(text)
            });
            match text {
                Ok(OpenedText { text, provenance, details, .. }) => {
                    let (kind, bytes) = (text.kind().name(), text.bytes());
                    let [name, group] =
                        [&details.name, provenance.group.as_deref().unwrap_or("-")].map(visible);
                    let _ = writeln!(list, "{name}\t{kind}\t{bytes}\t{group}");
                    unopened.extend(details.unopened);
                }
                Err(why) => unopened.push(why),
            }
        }
        Ok(BatchOutcome { has_text: names.len() > before, unopened })
    };
    let count = |_| {
        failed += 1;
        Ok(())
    };
    // A list of persons that fits no text is an error after the names, which show why.
    let is_read = match failures.read_all(sources, read, count) {
        Err(error) if flags.inputs.names.is_none() => return Err(error),
        is_read => is_read,
    };
    failures.end(None);
    let _ = writeln!(list, "{}, {failed} failed", counted(names.len(), "text"));
    for (why, count) in failures.skipped.counts() {
        let _ = writeln!(list, "{count} skipped: {}", why.name());
    }
    // `quiet` in the settings file is meant for answers, not for this list.
    if !flags.answering.quiet || flags.settings.sets("quiet") {
        output::write(&list, flags.answering.color)?;
    }
    is_read?;
    match (names.len(), failures.has_errors) {
        (_, true) => Ok(Exit::Error),
        (0, false) => Err(no_text(&failures.skipped).into()),
        _ => Ok(Exit::Success),
    }
}

// `--focus`: the files and folders that a reported pair must involve → the texts in them.

/// The paths of `--focus`, and which of them have a text.
#[derive(Debug, Default)]
pub(super) struct Focus {
    named: Vec<PathBuf>,
    /// The numbers of the paths at each place, by canonical path: several paths may name the same
    /// file or folder.
    places: BTreeMap<PathBuf, Vec<usize>>,
    has_text: Vec<bool>,
    /// A cache of the canonical paths of folders.
    folders: BTreeMap<PathBuf, PathBuf>,
}

impl Focus {
    /// Looks up the paths of `--focus`.
    ///
    /// # Errors
    ///
    /// [`Diagnostic`] if one does not exist: a misspelt path would hide all pairs.
    pub(super) fn new(named: &[PathBuf], inputs: &InputFlags) -> Result<Self, Diagnostic> {
        let mut focus = Self { has_text: vec![false; named.len()], ..Self::default() };
        for (number, path) in named.iter().enumerate() {
            if !path.exists() {
                let path = visible(&display_path(path));
                let what = format!("--focus {path}: no such file or folder, expected one");
                let has_names = inputs.unit != Units::File || inputs.named().any(is_archive);
                let hint = if has_names {
                    "--focus takes the paths of files and folders, not the names of persons or of \
                     texts in an archive"
                } else {
                    "git diff --name-only --diff-filter=d omits deleted files"
                };
                return Err(Diagnostic::new(what).hint(hint));
            }
            // A symbolic link stands for itself and for its target.
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

    /// Reports whether no path is given, so that all pairs are reported.
    pub(super) fn is_empty(&self) -> bool {
        self.named.is_empty()
    }

    /// Returns the canonical path of a file's folder, joined with the name of the file.
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

    /// Numbers the sources of a batch, and adds the numbers of the paths of `--focus` that name or
    /// contain each source.
    pub(super) fn numbered(&mut self, batch: Vec<Source>) -> Vec<(usize, Vec<usize>, Source)> {
        let numbered = batch.into_iter().enumerate();
        numbered.map(|(number, source)| (number, self.numbers(&source), source)).collect()
    }

    fn numbers(&mut self, source: &Source) -> Vec<usize> {
        match source {
            Source::File(File { content: FileContent::Unpacked { archive, .. }, .. }) => {
                self.around(archive)
            }
            Source::File(file) => self.around(&file.path),
            Source::Line(line) => self.around(&line.block.file),
            Source::Row(row, _) => self.around(&row.file),
            Source::Unit(unit) => unit.files.iter().flat_map(|file| self.numbers(file)).collect(),
            Source::Lost(_) => Vec::new(),
        }
    }

    fn around(&mut self, path: &Path) -> Vec<usize> {
        if self.is_empty() {
            return Vec::new();
        }
        let place = self.place(path);
        let around = place.ancestors().filter_map(|it| self.places.get(it));
        around.flatten().copied().collect()
    }

    /// Records that some of the paths have a text.
    fn meet(&mut self, numbers: &[usize]) {
        for number in numbers {
            self.has_text[*number] = true;
        }
    }

    /// Prints a note on the paths without a text: pictures, files that are left out, and everything
    /// else that is not compared.
    fn note_others(&self) {
        let named = self.named.iter().zip(&self.has_text);
        let others: Vec<&PathBuf> =
            named.filter(|(_, has_text)| !**has_text).map(|(path, _)| path).collect();
        for path in others.iter().take(MAX_SHOWN) {
            let path = display_path(path);
            let what = format!(
                "--focus {path}: contains no text that is compared, so nothing is reported"
            );
            diagnostics::note(&visible(&what));
        }
        note_more(others.len(), |more| counted(more, "such file") + " more");
    }
}
