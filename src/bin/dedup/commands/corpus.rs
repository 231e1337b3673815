//! `dedup corpus`: compares many texts and writes what is found among them.
//!
//! Input: the flags. Output: the answer, in each requested format. This file derives the inputs and
//! options from the flags and runs the phases, each of which passes on a value: `gather` opens and
//! sketches the texts, `search` finds pairs, `judge` judges them, and `write` writes what was judged.

mod answer;
pub(crate) mod flags;
pub(crate) mod gather;
mod search;
mod judge;
mod model;
mod page;
mod write;
mod sink;
mod sources;
mod review;
mod items;
mod keep;
mod clean;
mod since;

use std::collections::BTreeSet;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use dedup_text::corpus::Corpus;
use dedup_text::corpus::index::Index;
use dedup_text::display::{counted, thousands, visible};
use dedup_text::pair::Recipe;
use dedup_text::pair::warnings::marks_nothing;
use dedup_text::text::display_path;
use dedup_text::text::marked::REPORTED;
use dedup_text::tokens::exclusions::Why;
use dedup_text::verdict::Verdict;

use crate::args::{Group, InputFlags};
use crate::baseline::{Baseline, Matching, RunText};
use crate::diagnostics::{self, Diagnostic, Exit, MAX_SHOWN};
use crate::exports::Format;
use crate::failures::no_text::no_text;
use crate::io::disk;
use crate::io::inputs::Inputs;
use crate::io::inputs::again::ReadTwice;
use crate::io::inputs::record::Fields;
use crate::io::inputs::source::{Disguises, Opener};
use crate::io::inputs::sources::{MAX_TEXTS_AT_ALL_LEVELS, Sources, paths};
use crate::io::inputs::submissions::Units;
use crate::io::inputs::table;
use crate::io::output;
use crate::model::found::TextOrigin;
use crate::model::gathered::Gathered;
use crate::model::names::Names;
use crate::outputs;
use crate::progress::Progress;
use crate::stored;
use flags::CorpusFlags;
use judge::{Accepted, Judge, Outcome};
use model::{Answer, Columns, Duplicates, Found, JudgedPairs, Levels, Options, Task};
use search::{AnswerLimit, Candidates, Search};
use write::Run;

/// Runs `dedup corpus`, `dedup check`, or `--against` without a command, and returns the exit
/// status.
///
/// # Errors
///
/// Returns an error if the flags, the baseline, the index or the inputs cannot be used, if there
/// are fewer than two texts, if there are too many pairs, or if an output cannot be written.
pub(crate) fn answer(flags: &CorpusFlags) -> anyhow::Result<Exit> {
    disk::choose_temp_dir(flags.temp_dir()?);
    let baseline = Baseline::open(&flags.baseline, flags.reading()?.max_bytes)?;
    let review = review::read(flags.reviewed.as_deref())?;
    let is_of_all = flags.focus.is_empty();
    let baseline = baseline.map(|it| if is_of_all { it } else { it.of_some_pairs() });
    if flags.list {
        flags.recipe(Levels::Asked)?;
        return gather::list(flags);
    }
    let index = stored::index_among(&flags.inputs)?;
    let index = index.map(|path| {
        check_against_index(flags, path)?;
        stored::open(path, &flags.comparing)
    });
    let index = index.transpose()?;
    let inputs = inputs(flags)?;
    let twice = &inputs.twice;
    let since = flags.since.as_deref();
    let then = since.map(|name| anyhow::Ok((name, since::sources(name, &inputs)?)));
    let then = then.transpose()?;
    let sources = Sources::new(&inputs)?;
    let levels = levels(flags, &sources, index.as_ref());
    let has_index = index.is_some();
    let common = flags.common(|| sources.may_have_persons()).filter(|_| !has_index);
    let recipe = Recipe { common, ..flags.recipe(levels)? };
    index.iter().try_for_each(|index| stored::check_search(index, &recipe))?;
    let threads = flags.threads.number();
    let progress = Progress::of_run(!flags.answering.quiet);
    let level = flags.answering.level();
    let lowest = if levels == Levels::All { Verdict::Excerpt } else { level };
    let earlier_texts = index.as_ref().map(|index| (index, lowest));
    let gathered = gather::gather(flags, (sources, earlier_texts), &recipe, threads, &progress)?;
    let stored = index.as_ref().map_or(0, Index::len);
    let count = gathered.corpus.len() + gathered.corpus.short.len() + stored;
    if count == 0 && gathered.has_errors {
        return Ok(Exit::Error); // each was printed
    }
    if count == 0 {
        return Err(no_text(&gathered.skipped).into());
    }
    check_count(flags, &gathered, count)?;
    check_groups(flags, &gathered)?;
    // The number of files in an archive is not known before it is read, so check the number of
    // texts again.
    let is_few = flags.report.file().is_some() || gathered.corpus.len() <= MAX_TEXTS_AT_ALL_LEVELS;
    let levels = if is_few { levels } else { Levels::Asked };
    let documents = gathered.corpus.documents.iter().zip(0..);
    let shown = documents.map(|(document, text)| (document.text.path(), gathered.name(text)));
    let baseline = baseline.map(|it| it.with_names(shown));
    let baseline = baseline.as_ref().map(|it| it.matching(texts(&gathered.corpus), level, threads));
    let old_files = flags.inputs.old().iter().any(|path| old_format(&flags.inputs, path).is_none());
    let names = match (flags.inputs.names_files() || old_files, flags.inputs.has_records()) {
        (true, true) => Names::here_and_ids(&gathered.texts.names),
        (true, false) => Names::here(),
        (false, _) => Names::Ids,
    };
    let options = options(flags, levels, index.as_ref(), review);
    let needs_all = baseline.as_ref().is_some_and(Matching::needs_all);
    let compared = Compared {
        flags,
        gathered: &gathered,
        recipe: &recipe,
        options,
        names,
        is_reported: flags.report.file().is_some(),
        limit: AnswerLimit::new(flags, search::lists_pairs(flags) || needs_all),
        threads,
        progress: &progress,
    };
    let found = compared.search()?;
    let then = then.map(|it| since::compare(flags, it, &gathered, &recipe, threads));
    let then = then.transpose()?;
    let since =
        then.as_ref().map(|it| it.baseline.matching(texts(&gathered.corpus), level, threads));
    let unchanged = then.as_ref().map_or(&[][..], |it| &it.unchanged);
    let unchanged_texts = then.as_ref().map(|it| &it.unchanged_texts);
    let accepted =
        Accepted { baseline: baseline.as_ref(), since: since.as_ref(), unchanged, unchanged_texts };
    compared.judged_by(found, accepted, |judge, candidates| {
        let run = Run { flags, judge, candidates, progress: &progress, twice };
        let outcome = run.write()?;
        gathered.corpus.collection.check()?;
        finish(flags, judge, &outcome)
    })
}

/// Gathered texts, and how they are compared with each other.
struct Compared<'a> {
    flags: &'a CorpusFlags,
    gathered: &'a Gathered<'a>,
    recipe: &'a Recipe,
    options: Options,
    names: Names,
    /// Whether a report shows the pairs.
    is_reported: bool,
    limit: AnswerLimit,
    threads: NonZeroUsize,
    progress: &'a Progress,
}

impl<'a> Compared<'a> {
    /// Finds the pairs.
    fn search(&self) -> anyhow::Result<(Found, Candidates<'a>)> {
        let search = Search {
            gathered: self.gathered,
            level: self.flags.answering.level(),
            options: &self.options,
            is_reported: self.is_reported,
            limit: self.limit,
            streams: search::streams_pairs(self.flags),
            threads: self.threads,
            progress: self.progress,
        };
        search.run()
    }

    /// Passes the pairs that were found to `next` with their judge.
    fn judged_by<T>(
        self,
        (found, candidates): (Found, Candidates),
        accepted: Accepted,
        next: impl FnOnce(&Judge, &Candidates) -> anyhow::Result<T>,
    ) -> anyhow::Result<T> {
        let Self { flags, gathered, recipe, options, names, .. } = self;
        let level = flags.answering.level();
        let answer = Answer { gathered, recipe, level, options, names, found };
        next(&Judge::new(&answer, accepted, self.threads), &candidates)
    }
}

/// Returns the levels of the pairs to look for: all levels if people read the answer and the corpus
/// is small or has a report, except with an index without texts.
fn levels(flags: &CorpusFlags, sources: &Sources, index: Option<&Index>) -> Levels {
    let is_small = flags.report.file().is_some() || sources.are_few(index.map_or(0, Index::len));
    // An index without texts cannot show which pairs the level leaves out.
    let is_known = index.is_none_or(Index::has_texts);
    let shows_all = flags.is_read_by_people() && is_small && is_known;
    if shows_all { Levels::All } else { Levels::Asked }
}

/// Prints the warnings and notes about an answer that has been written, writes the baseline, and
/// returns the exit status.
fn finish(flags: &CorpusFlags, judge: &Judge, outcome: &Outcome) -> anyhow::Result<Exit> {
    let (answer, baseline) = (judge.answer, judge.accepted.baseline);
    let gathered = answer.gathered;
    warn_of_lone_markers(answer);
    outputs::note_report(&flags.report, &flags.answering);
    outputs::note_key(&flags.report, &flags.answering);
    warn_of_collisions(answer, &outcome.pairs);
    save_common(flags, answer)?;
    if !gathered.is_whole()
        && matches!(flags.formats.printed(), Format::Jsonl | Format::Paths | Format::Paths0)
    {
        diagnostics::note((answer::set_aside(answer) + &answer::counts(answer)).trim_end());
    }
    match baseline {
        Some(baseline) if !gathered.has_errors => baseline.end(&outcome.found)?,
        Some(_) if flags.baseline.is_written() => {
            diagnostics::note("the baseline is not written: some texts failed");
        }
        _ => {}
    }
    if let Some(advice) = answer.advice_on_share().filter(|_| !flags.answering.quiet) {
        diagnostics::advise(advice);
    }
    let status = write::status(answer, flags, outcome.closest);
    if let Some(baseline) = baseline.filter(|_| status == Exit::Failure)
        && flags.answering.has_fail_on()
    {
        baseline.advise(&outcome.found, flags.since.is_some());
    }
    Ok(status)
}

/// Writes what was set aside because many texts have it, if that is asked for.
fn save_common(flags: &CorpusFlags, answer: &Answer) -> anyhow::Result<()> {
    let Some(path) = &flags.save_common else { return Ok(()) };
    let shown = visible(&display_path(path));
    match answer.corpus().common.as_ref().filter(|common| !common.stretches.is_empty()) {
        None => diagnostics::note(&format!("{shown} is not written: nothing is set aside")),
        Some(common) => {
            output::write_file(path, &common.template)?;
            diagnostics::note(&format!(
                "{shown} has what is set aside: --template {shown} does it again"
            ));
        }
    }
    Ok(())
}

/// Prints one warning that names the texts of reported pairs which appear to be crafted: different
/// shingles have the same residue.
fn warn_of_collisions(answer: &Answer, pairs: &JudgedPairs) {
    let documents = (0..).zip(&answer.corpus().documents);
    let within = documents.filter(|(_, it)| it.collisions() > 0).map(|(number, _)| number);
    let texts: BTreeSet<u32> = pairs.crafted.iter().copied().chain(within).collect();
    let mut names: Vec<String> =
        texts.iter().take(MAX_SHOWN).map(|text| answer.name(*text)).collect();
    let more = texts.len() - names.len();
    let Some(last) = names.last_mut() else { return };
    if more > 0 {
        *last = format!("{last} and {} more", thousands(more));
    }
    diagnostics::warn(
        &names.join(", "),
        "a text appears to be crafted: shingles have the Rabin residue of other shingles, which \
         does not happen by chance; they count as different",
    );
}

/// Warns of markers without a counterpart in the texts of a corpus.
fn warn_of_lone_markers(answer: &Answer) {
    if !answer.recipe.ignored.contains(&Why::Marked) {
        return;
    }
    for (number, document) in (0..).zip(&answer.corpus().documents) {
        for lone in document.text.marked().lone.iter().take(REPORTED) {
            diagnostics::warn(&answer.name(number), &format!("has {}", marks_nothing(lone)));
        }
    }
}

/// Returns all texts with their fingerprints and digests, by number. If part of a text was left
/// out, its digest does not cover all of its words, and is not used.
fn texts<'g>(corpus: &'g Corpus) -> Vec<RunText<'g>> {
    let numbered = (0..).zip(&corpus.documents);
    let known = numbered.map(|(number, document)| RunText {
        text: &document.text,
        fingerprint: corpus.collection.fingerprint(number),
        digest: Some(&document.digest).filter(|_| document.left_out().is_empty()),
    });
    known.collect()
}

/// Checks that there are at least two texts. Records are exempt: a clean corpus of a single record
/// keeps it.
///
/// # Errors
///
/// [`Diagnostic`] if there is only one text, unless it is a record or another text failed.
fn check_count(flags: &CorpusFlags, gathered: &Gathered, texts: usize) -> Result<(), Diagnostic> {
    advise_units(flags, gathered);
    if texts > 1 || gathered.has_errors || flags.inputs.has_records() {
        return Ok(());
    }
    let hint = format!(
        "dedup {} essays compares all texts in a folder; --jsonl, --csv and --parquet read records",
        flags.command_name()
    );
    Err(Diagnostic::new("only one text found, expected at least two").hint(hint))
}

/// Advises to name the parent folder if `--unit dir` is given and no folder became a text.
fn advise_units(flags: &CorpusFlags, gathered: &Gathered) {
    let names = &gathered.texts.names;
    let is_unit = |text| matches!(names.place_of(text), TextOrigin::Unit(_));
    if flags.inputs.unit == Units::Dir && !(0..names.len()).any(is_unit) {
        diagnostics::advise(
            "--unit dir joins the files of each subfolder, and no subfolder was found, so each \
             file is a text; name the parent folder",
        );
    }
}

/// Returns an error if all texts are of one group, so that no two are compared. A clean corpus is
/// exempt: it keeps all of them.
fn check_groups(flags: &CorpusFlags, gathered: &Gathered) -> Result<(), Diagnostic> {
    let corpus = &gathered.corpus;
    if !gathered.grouped.are_all || matches!(flags.task(), Task::Keep(_)) {
        return Ok(());
    }
    let (texts, group) = (counted(corpus.len(), "text"), corpus.group(0).unwrap_or_default());
    let is_listed = gathered.texts.facts(0).person.as_ref();
    let is_listed = is_listed.is_some_and(|person| person.group.is_some());
    let list = flags.inputs.names.as_ref().map(|path| display_path(path).into_owned());
    let (start, what, hint, flags): (_, _, _, &[&str]) = match &flags.inputs.group {
        _ if is_listed => (
            list.unwrap_or_else(|| "the list of persons".to_owned()) + ": ",
            format!("of group {group}"),
            "leave out its group column, or add texts of other groups".to_owned(),
            &[],
        ),
        Some(Group::Dir) if !flags.inputs.has_records() => (
            "--group dir: ".to_owned(),
            format!("in the folder {group}"),
            "leave out --group dir to compare them".to_owned(),
            &["group"],
        ),
        Some(asked) => (
            format!("--group {}: ", asked.field()),
            format!("of group {group}"),
            format!("leave out --group {} to compare them", asked.field()),
            &["group"],
        ),
        None => (
            String::new(),
            format!("of the same person, {group}"),
            match list {
                Some(list) => {
                    format!("leave out --names {list} and use --submissions off to compare them")
                }
                None => "--submissions off compares them".to_owned(),
            },
            &["names", "submissions"],
        ),
    };
    let all = if corpus.len() == 2 { "both texts".to_owned() } else { format!("all {texts}") };
    let error = format!("{start}{all} are {what}, so no two would be compared");
    Err(Diagnostic::new(visible(&error)).hint(visible(&hint)).flags(flags.iter().copied()))
}

/// Returns the rendering options that the flags set. `review` is that of an earlier report, as JSON.
fn options(flags: &CorpusFlags, levels: Levels, index: Option<&Index>, review: String) -> Options {
    let can_look = index.is_none_or(Index::has_texts) || flags.comparing.evidence.has_no_passages();
    Options {
        levels,
        names_levels: !flags.answering.has_fail_on() && can_look,
        names_share: flags.template_share.is_none(),
        rows: flags.rows.0,
        columns: match (flags.comparing.evidence.has_no_passages(), flags.details) {
            (true, _) => Columns::Figures,
            (false, true) => Columns::Both,
            (false, false) => Columns::Shares,
        },
        weight: flags.answering.weight(),
        visibility: flags.report.names(),
        threads: flags.threads.number(),
        color: flags.answering.color,
        task: flags.task(),
        settings: flags.settings.name(),
        stopwords: flags.comparing.stopwords.clone(),
        since: flags.since.clone(),
        review,
        duplicates: match flags.clean.annotate {
            Some(_) => Duplicates::Annotated,
            None => Duplicates::Removed,
        },
    }
}

/// Returns the inputs that the flags name.
pub(crate) fn inputs(flags: &CorpusFlags) -> anyhow::Result<Inputs> {
    let inputs = &flags.inputs;
    let settings = flags.settings.file().map(Path::to_owned);
    let others = flags.other_inputs().map(|(_, path)| path.to_owned());
    let owned = |(path, format): (&Path, _)| (path.to_owned(), format);
    let records: Vec<_> = inputs.records().map(owned).collect();
    let old = |path: &'_ PathBuf| old_format(inputs, path).map(|format| (path.clone(), format));
    let texts = inputs.old().iter().filter(|path| old(path).is_none() && stored::is_text(path));
    let is_copied = flags.clean.written().next().is_some();
    let twice =
        if is_copied { ReadTwice::new(&records, inputs.header())? } else { ReadTwice::default() };
    let lists = [&inputs.files_from, &inputs.files0_from].map(Option::as_deref);
    let listed = paths(lists, flags.reading()?.max_bytes)?;
    Ok(Inputs {
        paths: inputs.paths.clone(),
        old: texts.cloned().collect(),
        old_records: inputs.old().iter().filter_map(old).collect(),
        header: inputs.header(),
        fields: Some(Arc::new(fields(flags))),
        twice: Arc::new(twice),
        listed,
        records,
        globs: inputs.folders.globs(&flags.settings),
        gitignore: inputs.folders.gitignore,
        is_grouped_by_folder: inputs.group == Some(Group::Dir),
        max_bytes: flags.reading()?.max_bytes,
        submissions: inputs.submissions,
        units: inputs.unit,
        names: inputs.names.clone(),
        max_unpacked: flags.reading()?.bounds.unpacked,
        others: others.filter(|path| Some(path) != settings.as_ref()).collect(),
        settings,
        outputs: flags.outputs()?,
    })
}

/// Returns the opener of the texts.
pub(crate) fn opener(flags: &CorpusFlags) -> anyhow::Result<Opener> {
    // Texts with disguises are compared as well, and reported in the end if they are errors.
    Ok(Opener::new(flags.reading()?, fields(flags), Disguises::Warn))
}

/// Returns the fields of records that the flags name.
fn fields(flags: &CorpusFlags) -> Fields {
    let task = flags.task();
    let worth = if let Task::Keep(keep) = &task { keep.field() } else { None };
    let group = flags.inputs.group.as_ref().map(Group::field);
    Fields::new(flags.inputs.text(), flags.inputs.id_as_given(), group, worth)
}

/// Returns the format of the records in a file of old texts: that of its name, or JSON Lines if
/// its first line is a JSON object. `None` if the file is a text, or if the new texts are not
/// records.
fn old_format(inputs: &InputFlags, path: &Path) -> Option<table::Format> {
    if !inputs.has_records() {
        return None;
    }
    table::Format::from_name(path)
        .or_else(|| table::begins_with_object(path).then_some(table::Format::JsonLines))
}

/// Returns an error if a flag needs all texts of the index.
fn check_against_index(flags: &CorpusFlags, path: &Path) -> Result<(), Diagnostic> {
    let task = flags.task();
    let unanswered = [
        ("nearest", task.is_nearest()),
        ("template-share", flags.template_share.is_some_and(|share| share.0.is_some())),
        ("save-common", flags.save_common.is_some()),
        ("each-against", task == Task::Items),
        ("since", flags.since.is_some()),
    ];
    let Some((flag, _)) = unanswered.into_iter().find(|(_, is_there)| *is_there) else {
        return Ok(());
    };
    let (path, old) = (visible(&display_path(path)), flags.inputs.old_flag());
    Err(Diagnostic::new(format!("--{flag} and the index {path} together, expected one of them"))
        .hint(format!("it depends on all texts; use --{old} with the texts themselves"))
        .flags([flag, old]))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use clap::Parser;

    use super::*;
    use crate::io::inputs::source::Source;
    use crate::io::inputs::sources::BATCH_BYTES;

    /// Returns the number of sources and the number of bytes of each batch.
    fn batches(folder: &Path) -> Vec<(usize, u64)> {
        let flags = CorpusFlags::parse_from([Path::new("corpus"), folder]);
        let sources = Sources::new(&inputs(&flags).unwrap()).unwrap();
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
