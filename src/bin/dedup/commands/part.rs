//! `dedup part`: single steps of the comparison of a corpus, for programs that distribute the
//! texts.
//!
//! Input: records on standard input, or files of counts. Output: a line for each record, or a file
//! of counts. `keys` and `judge` process each line by itself, and no step knows which other parts
//! there are.

use std::io::BufReader;
use std::path::Path;

use anyhow::Context;
use dedup_text::corpus::DocumentAnalyzer;
use dedup_text::corpus::parts::{self, Counted, Counter, CountsError, NoKeys, Parameters};
use dedup_text::display::inert;
use dedup_text::language::Known as KnownLanguage;
use dedup_text::pair::Recipe;
use dedup_text::pair::{self, Judgement};
use dedup_text::parallel::{self, Advance};
use dedup_text::text::{ReadTextError, Text, display_path};
use dedup_text::verdict::Verdict;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::args::{BadLines, PartFlags, Step};
use crate::diagnostics::{Diagnostic, Exit};
use crate::io::disk;
use crate::io::inputs::lines::Lines;
use crate::io::inputs::record::{BadLine, Fields, OTHER_FIELDS, without_place};
use crate::io::inputs::source::{Line, Opener};
use crate::io::output::{self, Reader};
use crate::model::found::Failed;
use crate::model::names::Names;
use crate::model::{Pair, Syntax};
use crate::progress::{Progress, Stage};
use crate::render;

/// Runs a step.
pub(crate) fn answer(flags: &PartFlags) -> anyhow::Result<Exit> {
    let recipe = flags.recipe()?;
    match flags.step {
        Step::Count => count(flags, &recipe),
        Step::Merge => merge(flags),
        Step::Keys => keys(flags, &recipe),
        Step::Judge => judge(flags, &recipe),
    }?;
    Ok(Exit::Success)
}

/// Returns the opener of the records.
fn opener(flags: &PartFlags) -> anyhow::Result<Opener> {
    let fields = Fields::named(&flags.text, &flags.id, None, None);
    let opening = &flags.comparing.opening;
    Ok(Opener::new(opening.reading_of_all()?, fields, opening.disguises))
}

/// Makes an analyzer for each thread.
fn analyzers<'r>(flags: &PartFlags, recipe: &'r Recipe) -> Vec<DocumentAnalyzer<'r>> {
    let analyzer = |_| DocumentAnalyzer::new(recipe);
    (0..flags.threads.number().get()).map(analyzer).collect()
}

// Files of counts.

/// The hint for a file of counts that does not exist or is another file.
const WRITERS_OF_COUNTS: &str = "dedup part count and dedup part merge write counts";

/// Makes the error for a file of counts, with a hint if the file is of another kind or was made in
/// another way.
fn of_file(path: &Path, error: CountsError) -> anyhow::Error {
    let hint = match error {
        CountsError::NoCounts { .. } => WRITERS_OF_COUNTS,
        CountsError::Foreign { .. } => {
            "count and merge all texts again, with this version and these flags"
        }
        CountsError::Unreadable(source) => {
            return ReadTextError::Unreadable { path: path.to_owned(), source }.into();
        }
        CountsError::NoMemory(error) => return error.into(),
        error => return error.into(),
    };
    Diagnostic::new(format!("{}: {error}", display_path(path))).hint(hint).into()
}

fn read(path: &Path) -> anyhow::Result<Counted> {
    let file = match disk::open(path) {
        Err(ReadTextError::Missing { .. }) => {
            let path = display_path(path);
            let what = format!("{path}: no such file, expected a file of counts");
            return Err(Diagnostic::new(what).hint(WRITERS_OF_COUNTS).into());
        }
        opened => opened?,
    };
    Counted::read(BufReader::new(file)).map_err(|error| of_file(path, error))
}

fn write(counted: &Counted, path: &Path) -> anyhow::Result<()> {
    let stored = counted.stored()?;
    Ok(output::write_file_by(path, |file| stored.iter().try_for_each(|it| file.write_all(it)))?)
}

fn parameters(flags: &PartFlags, recipe: &Recipe) -> anyhow::Result<Parameters> {
    Ok(Parameters::new(recipe, &flags.comparing.opening.reading_of_all()?))
}

/// Reads the file of counts that `--counts` names, and checks that it was made with the same flags.
/// `None` if none is named.
fn named(flags: &PartFlags, recipe: &Recipe) -> anyhow::Result<Option<Counted>> {
    let Some(path) = &flags.counts else { return Ok(None) };
    let counted = read(path)?;
    counted.check(&parameters(flags, recipe)?).map_err(|error| of_file(path, error))?;
    Ok(Some(counted))
}

/// Adds up the files of counts and writes the sum.
fn merge(flags: &PartFlags) -> anyhow::Result<()> {
    let mut files = flags.files.iter();
    let Some(first) = files.next() else { return Ok(()) }; // checked by the flags
    let mut all = read(first)?;
    for path in files {
        all.merge(&read(path)?).map_err(|error| of_file(path, error))?;
    }
    write(&all, &flags.output)
}

// Records → the frequencies of their shingles.

/// Counts the shingles of the texts on standard input.
fn count(flags: &PartFlags, recipe: &Recipe) -> anyhow::Result<()> {
    let (progress, lines) = (Progress::of_run(true), lines(flags)?);
    let read = progress.begin(Stage::Reading, lines.bytes.unwrap_or_default());
    count_lines(flags, recipe, lines, read)
}

/// Counts the shingles of the texts of `lines`. `read` counts the bytes that have been read.
pub(crate) fn count_lines(
    flags: &PartFlags,
    recipe: &Recipe,
    lines: Lines,
    read: &Advance,
) -> anyhow::Result<()> {
    let (opener, parameters) = (opener(flags)?, parameters(flags, recipe)?);
    let mut counter =
        Counter::new(recipe, parameters, flags.slots, flags.main()?, flags.threads.number())?;
    for batch in lines {
        let errors = counter.add(batch, |source| {
            let line = source.into_line()?;
            read.add(line.bytes().len() as u64);
            Ok(opener.open_line(&line).map_err(|error| line.failed(error))?.text)
        });
        errors.into_iter().try_for_each(|failed| passed_over(flags, failed))?;
    }
    write(&counter.finish(), &flags.output)
}

/// Skips a bad line if bad lines are kept, since `keys` reports it.
///
/// # Errors
///
/// Returns the error of the line if bad lines are not kept, or if the input cannot be read any
/// further.
fn passed_over(flags: &PartFlags, failed: Failed) -> anyhow::Result<()> {
    if flags.bad_lines == BadLines::Stop || failed.record_of.is_none() {
        return Err(failed.error);
    }
    Ok(())
}

// Records → the keys by which a text is joined with others.

/// Writes the keys of each record on standard input.
fn keys(flags: &PartFlags, recipe: &Recipe) -> anyhow::Result<()> {
    parts::check(recipe).map_err(without_keys)?;
    let counted = named(flags, recipe)?.context("not counts")?;
    let opener = opener(flags)?;
    answer_lines(flags, &mut analyzers(flags, recipe), |analyzer, line| {
        let it = opener.open_line(line)?;
        parts::keys(analyzer, (&it.name, it.text), recipe, &counted).map_err(without_keys)
    })
}

fn without_keys(error: NoKeys) -> anyhow::Error {
    match error {
        NoKeys::Jaccard | NoKeys::Hamming { .. } => Diagnostic::new(error.to_string())
            .hint("dedup corpus supports any --jaccard and --hamming")
            .into(),
        NoKeys::Strange => Diagnostic::new(error.to_string()).into(),
        error => error.into(),
    }
}

// Two records → the record of a pair.

/// A line of input: the records of two texts.
#[derive(Deserialize)]
struct RecordPair<'l> {
    #[serde(borrow)]
    a: &'l RawValue,
    #[serde(borrow)]
    b: &'l RawValue,
}

/// Writes the record of each pair of records on standard input.
fn judge(flags: &PartFlags, recipe: &Recipe) -> anyhow::Result<()> {
    let main = named(flags, recipe)?.map(|counted| counted.main());
    let judge = Judge { flags, recipe, opener: opener(flags)?, main };
    answer_lines(flags, &mut analyzers(flags, recipe), |analyzer, line| {
        judge.answer(analyzer, line)
    })
}

struct Judge<'j> {
    flags: &'j PartFlags,
    recipe: &'j Recipe,
    opener: Opener,
    /// The language of texts in doubt, from the counts. `None` if no counts are given.
    main: Option<KnownLanguage>,
}

impl Judge<'_> {
    fn answer(&self, analyzer: &mut DocumentAnalyzer, line: &Line) -> anyhow::Result<String> {
        let two: RecordPair =
            serde_json::from_slice(line.bytes()).map_err(|error| BadLine::NoPair {
                found: without_place(&error),
                wanted: "{\"a\": {…}, \"b\": {…}}",
                hint: OTHER_FIELDS,
            })?;
        let text = |side: &str, record: &RawValue| {
            self.opener.text(record.get().as_bytes()).with_context(|| side.to_owned())
        };
        let (left, right) = (text("a", two.a)?, text("b", two.b)?);
        let judgement = self.judged(analyzer, &left, &right)?;
        let level = Verdict::NearDuplicate;
        let pair = Pair::new([&left, &right], self.recipe, &judgement, level);
        let shown = render::ReportOptions {
            names: &Names::Ids,
            stopwords: self.flags.comparing.stopwords_as_given(),
            settings: None,
        };
        render::render_record(&pair, false, &shown)
    }

    /// Judges a pair as in its corpus if counts are given, otherwise as two texts by themselves.
    fn judged(
        &self,
        analyzer: &mut DocumentAnalyzer,
        left: &Text,
        right: &Text,
    ) -> anyhow::Result<Judgement> {
        Ok(match self.main {
            Some(main) => analyzer.judge(left.clone(), right.clone(), main)?,
            None => pair::judge(left, right, self.recipe)?,
        })
    }
}

// Input lines → an output line for each, in the same order.

/// The output line for a bad input line.
#[derive(Serialize)]
struct BadRecord {
    id: Option<String>,
    error: String,
}

/// Returns the lines of standard input, in blocks.
fn lines(flags: &PartFlags) -> anyhow::Result<Lines> {
    let max_bytes = flags.comparing.opening.reading_of_all()?.max_bytes;
    Ok(Lines::new(Path::new("-"), max_bytes))
}

/// Writes an answer to each line of standard input, on as many threads as there are states.
///
/// Stops at the first bad line, after the answers to the lines before it are written, unless bad
/// lines are kept: then the answer contains the error. Also stops when the reader of the output has
/// closed it.
///
/// # Errors
///
/// Returns an error if a bad line ends the run, if the input cannot be read any further, or if the
/// output cannot be written.
fn answer_lines<S: Send>(
    flags: &PartFlags,
    states: &mut [S],
    answer: impl Fn(&mut S, &Line) -> anyhow::Result<String> + Sync,
) -> anyhow::Result<()> {
    let (progress, lines) = (Progress::of_run(true), lines(flags)?);
    let read = progress.begin(Stage::Reading, lines.bytes.unwrap_or_default());
    for batch in lines {
        let done = parallel::each_with(states, batch, |state, source| {
            let line = source.into_line().map_err(|failed| (None, failed))?;
            read.add(line.bytes().len() as u64);
            answer(state, &line).map_err(|error| (name(flags, &line), line.failed(error)))
        });
        let mut written = String::new();
        let mut bad = None;
        for line in done {
            match line.or_else(|(id, failed)| kept(flags, id, failed)) {
                Ok(line) => {
                    written.push_str(&line);
                    written.push('\n');
                }
                Err(error) => {
                    bad = Some(error);
                    break;
                }
            }
        }
        if output::write_lines(Syntax::Json, &written)? == Reader::HasEnough {
            return Ok(());
        }
        if let Some(error) = bad {
            return Err(error);
        }
    }
    Ok(())
}

/// Returns the output line for a bad line if bad lines are kept.
///
/// # Errors
///
/// Returns the error of the line if bad lines are not kept, or if the input cannot be read any
/// further.
fn kept(flags: &PartFlags, id: Option<String>, failed: Failed) -> anyhow::Result<String> {
    if flags.bad_lines == BadLines::Stop || failed.record_of.is_none() {
        return Err(failed.error);
    }
    Ok(inert::json(&BadRecord { id, error: format!("{:#}", failed.error) })?)
}

/// Returns the ID of a line. `None` if it has none.
fn name(flags: &PartFlags, line: &Line) -> Option<String> {
    crate::io::inputs::record::field(line.bytes(), &flags.id)
}
