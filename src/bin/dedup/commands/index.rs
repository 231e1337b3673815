//! `dedup index`: stores the sketches of texts in a file, and changes, lists and describes it.

pub(crate) mod flags;

use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::Path;
use std::sync::Arc;

use dedup_text::corpus::index::{Compacted, Index, IndexError, IndexWriter, NewText, StoredText};
use dedup_text::corpus::join::Side;
use dedup_text::corpus::{self, IndexedTexts};
use dedup_text::display::{counted, thousands, visible};
use dedup_text::interner;
use dedup_text::language::Language;
use dedup_text::text::defect::Defect;
use dedup_text::text::{ReadTextError, display_path};
use serde::Serialize;

use crate::args::Group;
use crate::diagnostics::{Diagnostic, Exit, Flag, ReplacedBytes, as_argument};
use crate::failures::no_text::{check_group, no_text};
use crate::failures::{BatchOutcome, FailureReport};
use crate::io::disk::{FileId, canonical};
use crate::io::inputs::Inputs;
use crate::io::inputs::record::Fields;
use crate::io::inputs::source::{
    Disguises, OpenedText, Opener, Provenance, Source, TextDetails, Unopened,
};
use crate::io::inputs::sources::{Sources, paths};
use crate::io::output::{self, Before, check_file_name, check_new};
use crate::model::found::{Failed, FoundTexts, Skipped, TextOrigin};
use crate::model::rendered::Syntax;
use crate::model::{Color, name_of};
use crate::progress::{Progress, Stage};
use crate::render::person_record;
use crate::stored::{Attached, Ids, prepare};
use flags::{AddFlags, BuildFlags, IndexAction, IndexFlags, IndexedFlags, ListFlags, RemoveFlags};

/// Runs an action on an index.
pub(crate) fn answer(flags: &IndexFlags) -> anyhow::Result<Exit> {
    match &flags.action {
        IndexAction::Build(flags) => build(flags),
        IndexAction::Add(flags) => add(flags),
        IndexAction::Remove(flags) => remove(flags),
        IndexAction::List(flags) => list(flags),
        IndexAction::Info(flags) => info(&flags.index),
        IndexAction::Check(flags) => {
            open(&flags.index)?.check()?;
            Ok(Exit::Success)
        }
        IndexAction::Compact(flags) => compact(&flags.index),
    }
}

fn build(flags: &BuildFlags) -> anyhow::Result<Exit> {
    check_output(&flags.output)?;
    let settings = flags.recorded()?;
    let mut done = Done::default();
    output::write_at_places(&flags.output, Before::Nothing, |file| {
        let stored = (interner::salt(), flags.with_texts);
        let mut index = IndexWriter::create(&flags.output, file, settings, stored)?;
        done = put(&mut index, &flags.texts, &flags.output)?;
        if done.added == 0 {
            return Err(no_text(&done.skipped).into());
        }
        index.commit()?;
        Ok(())
    })?;
    done.report(&flags.texts, &format!("{} added", counted(done.added, "text")))
}

/// Checks that an index can be written to a path. The path must be that of a new file, not standard
/// output, since an index is read in parts.
fn check_output(path: &Path) -> Result<(), Diagnostic> {
    check_file_name(&Flag::with("output", display_path(path)), path)?;
    check_new(path)?;
    if !output::is_output(path) && !path.exists() {
        return Ok(());
    }
    let what = format!("--output {}: is not a file, expected a new file", display_path(path));
    let error = Diagnostic::new(what).hint("name the file of the index, such as earlier.dedup");
    Err(error.flags(["output"]))
}

/// Checks that there is a file of an index.
fn check_exists(path: &Path) -> Result<(), Diagnostic> {
    if !path.exists() {
        let what = format!("{}: no such file, expected an index", display_path(path));
        let hint = format!("dedup index build PATH… -o {} builds it", as_argument(path));
        return Err(Diagnostic::new(what).hint(hint));
    }
    Ok(())
}

/// Opens an index that is to be changed.
fn open_to_change(path: &Path) -> anyhow::Result<IndexWriter> {
    check_exists(path)?;
    Ok(IndexWriter::open(path)?)
}

/// Opens an index that is only read.
fn open(path: &Path) -> anyhow::Result<Index> {
    check_exists(path)?;
    Ok(Index::open(path)?)
}

fn add(flags: &AddFlags) -> anyhow::Result<Exit> {
    let mut index = open_to_change(&flags.index)?;
    prepare(&flags.index, index.index().settings(), index.index().salt(), &flags.texts.comparing)?;
    let done = put(&mut index, &flags.texts, &flags.index)?;
    let texts = index.commit()?;
    let summary = format!(
        "{} added, {} replaced, {} unchanged; {} in total",
        counted(done.added - done.replaced, "text"),
        thousands(done.replaced),
        thousands(done.same),
        thousands(texts)
    );
    done.report(&flags.texts, &summary)
}

/// The number of texts that were added, and what was left out.
#[derive(Debug, Default)]
struct Done {
    added: usize,
    /// The number of added texts that replaced others.
    replaced: usize,
    /// The number of texts that the index contained already, unchanged.
    same: usize,
    skipped: Skipped,
    has_errors: bool,
}

impl Done {
    /// Prints the number of texts that were added and skipped, and returns the exit status.
    fn report(&self, flags: &IndexedFlags, summary: &str) -> anyhow::Result<Exit> {
        let mut line = summary.to_owned();
        for (why, count) in self.skipped.counts() {
            let _ = write!(line, "; {} skipped: {}", thousands(count), why.name());
        }
        if let Some(settings) = flags.settings.name() {
            let _ = write!(line, "; settings: {}", visible(&settings));
        }
        line.push('\n');
        if !flags.quiet {
            output::write(&line, Color::Auto)?;
        }
        Ok(if self.has_errors { Exit::Error } else { Exit::Success })
    }
}

/// The properties of the texts that are added to an index.
#[derive(Default)]
struct AddedTexts {
    names: FoundTexts,
    has_group: bool,
    replaced_bytes: ReplacedBytes,
    done: Done,
    /// The reasons why files of the batch are not part of its texts.
    unopened: Vec<Unopened>,
    /// The error of the index, after which no text is added.
    stopped: Option<IndexError>,
}

impl AddedTexts {
    /// Adds a text, and prints a warning if bytes were replaced in it.
    fn admit(
        &mut self,
        index: &mut IndexWriter,
        text: Result<NewText, Defect>,
        (attached, details): (Attached, TextDetails),
    ) -> Result<(), Unopened> {
        let TextDetails { name, place, replaced, unopened, .. } = details;
        self.unopened.extend(unopened);
        self.replaced_bytes.meet(&name, replaced);
        let mut text = text.map_err(|defect| {
            let path = Path::new(&name).to_owned();
            Failed::new(name_of(&path), ReadTextError::Defect { path, defect })
        })?;
        let path = text.stored.text.path();
        if path.to_str().is_none() {
            let error = IndexError::NoUtf8 { name: path.to_owned() };
            return Err(Failed::new(name, error).into());
        }
        self.names.add(&name, place)?;
        self.has_group |= text.stored.group.is_some();
        if attached != Attached::default() {
            let attached = serde_json::to_string(&attached);
            text.stored.attached = Some(attached.map_err(|error| Failed::new(name, error))?);
        }
        if self.stopped.is_none() {
            self.stopped = add_one(index, text, &mut self.done).err();
        }
        Ok(())
    }
}

/// Reads texts and puts them into an index.
///
/// # Errors
///
/// Returns an error if the flags cannot be used, if the inputs or the index cannot be read, if the
/// index cannot be written, if none of the first records of a file has a requested field, or, with
/// `--stop-on-error`, if a text cannot be read.
fn put(index: &mut IndexWriter, flags: &IndexedFlags, path: &Path) -> anyhow::Result<Done> {
    let recipe = flags.recipe()?;
    let ids = Ids::new(index.index().settings(), index.index().salt());
    let (inputs, opener) = (inputs(flags, path)?, opener(flags)?);
    let progress = Progress::of_run(!flags.quiet);
    let sources = Sources::new(&inputs)?;
    let read = progress.begin(Stage::Reading, sources.bytes().unwrap_or_default());
    let has_texts = index.index().has_texts();
    let open = |source: Source| {
        let OpenedText { text, is_read_once, provenance, details } =
            opener.open_counted(source, read)?;
        let Provenance { group, owner, person, .. } = provenance;
        let is_unit = matches!(details.place, TextOrigin::Unit(_));
        let person = person.map(|it| (person_record(&it), is_unit));
        let attached = Attached { owner, person };
        let (text, group, attached) = match ids {
            Some(ids) => {
                let id = |name: &Path| ids.text(name).into();
                let group = group.map(|name| ids.group(&name));
                (text.renamed(&id), group, Attached::default())
            }
            None => (text, group, attached),
        };
        let text = if has_texts { text } else { text.without_words() };
        Ok((corpus::Opened { text, group, side: Side::Old, is_read_once }, (attached, details)))
    };
    let mut texts = IndexedTexts::new(&recipe, flags.threads.number(), has_texts);
    let mut failures =
        FailureReport::new(&flags.inputs, &flags.settings, flags.inputs.stop_on_error);
    let mut added = AddedTexts::default();
    let read = |batch: Vec<Source>| {
        let before = added.names.len();
        let mut unopened =
            texts.sketch(batch, open, |text, details| added.admit(index, text, details));
        if let Some(error) = added.stopped.take() {
            return Err(error.into());
        }
        unopened.append(&mut added.unopened);
        Ok(BatchOutcome { has_text: added.names.len() > before, unopened })
    };
    failures.read_all(sources, read, |_| Ok(()))?;
    added.replaced_bytes.end();
    check_group(&flags.inputs, added.has_group || added.names.len() == 0)?;
    failures.end(None);
    let FailureReport { skipped, has_errors, .. } = failures;
    Ok(Done { skipped, has_errors, ..added.done })
}

/// Adds a text, unless the index contains it already, unchanged. A text of the same name is
/// replaced.
fn add_one(index: &mut IndexWriter, text: NewText, done: &mut Done) -> Result<(), IndexError> {
    match index.has(&text)? {
        Some(true) => {
            done.same += 1;
            return Ok(());
        }
        Some(false) => {
            index.remove_one(text.stored.text.path().to_str().unwrap_or_default())?;
            done.replaced += 1;
        }
        None => {}
    }
    done.added += 1;
    index.add(text)
}

fn remove(flags: &RemoveFlags) -> anyhow::Result<Exit> {
    let mut index = open_to_change(&flags.index)?;
    let ids = Ids::new(index.index().settings(), index.index().salt());
    // A text of exactly this name is removed alone: an id may begin with another one and a slash.
    let (mut exact, mut others) = (Vec::new(), Vec::new());
    for name in flags.names.iter().map(String::as_str).collect::<BTreeSet<&str>>() {
        let id = ids.map(|ids| ids.text(Path::new(name)));
        let is_text =
            index.remove_one(name)? || id.map_or(Ok(false), |id| index.remove_one(&id))?;
        if is_text { &mut exact } else { &mut others }.push(name);
    }
    let mut removed = exact.len();
    let is_below = |name: &str, folder: &str| {
        name.strip_prefix(folder).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    // Each with whether a text in it was found, which may have been removed by its own name.
    let mut folders: Vec<(&str, bool)> = others
        .into_iter()
        .map(|name| name.trim_end_matches('/'))
        .map(|folder| (folder, exact.iter().any(|name| is_below(name, folder))))
        .collect();
    let in_folders = index.remove(|text| {
        let mut is_asked = false;
        for (name, is_met) in &mut folders {
            let is_it = is_below(text, name) || is_below(&visible(text), name);
            (*is_met, is_asked) = (*is_met || is_it, is_asked || is_it);
        }
        is_asked
    })?;
    removed += in_folders.len();
    if let Some((name, _)) = folders.iter().find(|(_, is_met)| !is_met) {
        let (path, name) = (display_path(&flags.index), visible(name));
        let (in_folder, hint) = match ids {
            Some(_) => (
                "",
                "nothing was removed; with --anonymous, an index has names and ids but no folders",
            ),
            None => (
                " and none in a folder of that name",
                "nothing was removed; dedup index list prints the names",
            ),
        };
        let what = format!("{path}: no text {name}{in_folder}, expected one");
        return Err(Diagnostic::new(what).hint(hint).into());
    }
    let texts = index.commit()?;
    if !flags.quiet {
        let removed = counted(removed, "text");
        output::write(&format!("{removed} removed; {} in total\n", thousands(texts)), Color::Auto)?;
    }
    Ok(Exit::Success)
}

/// The fields of a text in the JSON of `dedup index list`.
#[derive(Serialize)]
struct Listed<'t> {
    name: &'t str,
    group: Option<&'t str>,
    words: usize,
    language: Option<&'static str>,
}

fn list(flags: &ListFlags) -> anyhow::Result<Exit> {
    let index = open(&flags.index)?;
    let mut lines = Vec::new();
    index.each_text(|text: StoredText| {
        let name = text.text.path().to_str().unwrap_or_default();
        if flags.json {
            let language = text.language.and_then(|known| known.language).map(Language::code);
            let listed = Listed { name, group: text.group.as_deref(), words: text.words, language };
            serde_json::to_writer(&mut lines, &listed)?;
            lines.push(b'\n');
        } else {
            lines.extend(visible(name).bytes());
            lines.push(b'\n');
        }
        anyhow::Ok(())
    })?;
    if flags.json {
        output::write_for_programs(Syntax::Json, |out| out.write_all(&lines))?;
    } else {
        output::write_by(|out| out.write_all(&lines))?;
    }
    Ok(Exit::Success)
}

fn info(path: &Path) -> anyhow::Result<Exit> {
    let index = open(path)?;
    let mut page = format!(
        "{} in {} bytes, {} and {}\nbuilt with\n",
        counted(index.len(), "text"),
        thousands(usize::try_from(index.bytes()).unwrap_or(usize::MAX)),
        counted(index.segments(), "segment"),
        counted(usize::try_from(index.generation()).unwrap_or(usize::MAX), "change"),
    );
    let with_texts = index.has_texts().then_some("--with-texts");
    for line in with_texts.into_iter().chain(index.settings().lines()) {
        let _ = writeln!(page, "  {line}");
    }
    page.push_str("languages\n");
    for (language, texts) in index.languages().counts() {
        let name = language.map_or("none that is known", Language::name);
        let texts = thousands(usize::try_from(texts).unwrap_or(usize::MAX));
        let _ = writeln!(page, "  {name}: {texts}");
    }
    output::write(&page, Color::Auto)?;
    Ok(Exit::Success)
}

fn compact(path: &Path) -> anyhow::Result<Exit> {
    let index = open_to_change(path)?;
    let mut sizes = Compacted { before: 0, after: 0 };
    // A symbolic link is kept: the file that it points to is replaced.
    output::write_at_places(&canonical(path), Before::Earlier, |file| {
        sizes = index.compact(file)?;
        Ok(())
    })?;
    let [before, after] = [sizes.before, sizes.after]
        .map(|bytes| thousands(usize::try_from(bytes).unwrap_or(usize::MAX)));
    output::write(&format!("{before} bytes before, {after} now\n"), Color::Auto)?;
    Ok(Exit::Success)
}

/// Returns the inputs that the flags name. All of them are old texts, so that records have the same
/// names as with `--against`.
fn inputs(flags: &IndexedFlags, index: &Path) -> anyhow::Result<Inputs> {
    let inputs = &flags.inputs;
    let lists = [&inputs.files_from, &inputs.files0_from].map(Option::as_deref);
    let reading = flags.comparing.opening.reading_of_all()?;
    let mut old = inputs.paths.clone();
    old.extend(paths(lists, reading.max_bytes)?);
    let is_list = |path: &&Path| FileId::new(path) != FileId::new(index);
    let mut others: Vec<_> = flags.files().filter(is_list).map(Path::to_owned).collect();
    others.push(index.to_owned());
    Ok(Inputs {
        old,
        old_records: inputs.records().map(|(path, format)| (path.to_owned(), format)).collect(),
        header: inputs.header(),
        fields: Some(Arc::new(fields(flags))),
        gitignore: inputs.folders.gitignore,
        globs: inputs.folders.globs(&flags.settings),
        is_grouped_by_folder: inputs.group == Some(Group::Dir),
        max_bytes: reading.max_bytes,
        submissions: inputs.submissions,
        units: inputs.unit,
        names: inputs.names.clone(),
        max_unpacked: reading.bounds.unpacked,
        settings: flags.settings.file().map(Path::to_owned),
        others,
        ..Inputs::default()
    })
}

fn opener(flags: &IndexedFlags) -> anyhow::Result<Opener> {
    Ok(Opener::new(flags.comparing.opening.reading_of_all()?, fields(flags), Disguises::Warn))
}

/// Returns the fields of records that the flags name.
fn fields(flags: &IndexedFlags) -> Fields {
    let inputs = &flags.inputs;
    let group = inputs.group.as_ref().map(Group::field);
    Fields::new(inputs.text(), inputs.id_as_given(), group, None)
}
