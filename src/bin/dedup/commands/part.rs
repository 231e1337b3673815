//! `dedup part`: a corpus in parts, for anyone who brings the parts together.
//!
//! Goes in: records on standard input. Comes out: a line for each, or a file of counts. No step
//! but count knows of more than one line at a time, and none of the parts that there are.

use std::io::BufReader;
use std::path::Path;

use anyhow::Context;
use dedup_text::corpus::DocumentAnalyzer;
use dedup_text::corpus::parts::{self, Counted, Counter, CountsError, NoKeys, Parameters};
use dedup_text::inert;
use dedup_text::language::Known as KnownLanguage;
use dedup_text::pair::Recipe;
use dedup_text::pair::{self, Judgement};
use dedup_text::parallel::{self, Advance};
use dedup_text::text::{ReadTextError, Text, display_path};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::args::{BadLines, PartFlags, Step};
use crate::diagnostics::{Diagnostic, Exit};
use crate::io::disk;
use crate::io::inputs::lines::Lines;
use crate::io::inputs::record::{BadLine, Fields, without_place};
use crate::io::inputs::source::{Failed, Line, Opener, Source};
use crate::io::output::{self, Reader, Syntax};
use crate::model::Pair;
use crate::model::names::Names;
use crate::progress::{Progress, Stage};
use crate::render;

/// Does a step.
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

/// How the records are opened.
fn opener(flags: &PartFlags) -> anyhow::Result<Opener> {
    let fields = Fields::named(&flags.text, &flags.id, None, None);
    let opening = &flags.comparing.opening;
    Ok(Opener::new(opening.reading_of_all()?, fields, opening.disguises()))
}

/// The sketches of texts, with one memory a thread.
fn singles<'r>(flags: &PartFlags, recipe: &'r Recipe) -> Vec<DocumentAnalyzer<'r>> {
    let single = |_| DocumentAnalyzer::new(recipe);
    (0..flags.threads().get()).map(single).collect()
}

// Files of counts.

/// The error of the counts of a file.
fn of_file(path: &Path, error: CountsError) -> anyhow::Error {
    let hint = match error {
        CountsError::NoCounts { .. } => "dedup part count and dedup part merge make such files",
        CountsError::Foreign { .. } => {
            "count and merge all texts anew, with this version and these flags"
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
    Counted::read(BufReader::new(disk::open(path)?)).map_err(|error| of_file(path, error))
}

fn write(counted: &Counted, path: &Path) -> anyhow::Result<()> {
    let stored = counted.stored()?;
    Ok(output::write_file_by(path, |file| stored.iter().try_for_each(|it| file.write_all(it)))?)
}

fn parameters(flags: &PartFlags, recipe: &Recipe) -> anyhow::Result<Parameters> {
    Ok(Parameters::new(recipe, &flags.comparing.opening.reading_of_all()?))
}

/// The counts of the file that the flags name, made with the same flags; none where none is named.
fn named(flags: &PartFlags, recipe: &Recipe) -> anyhow::Result<Option<Counted>> {
    let Some(path) = &flags.counts else { return Ok(None) };
    let counted = read(path)?;
    counted.check(&parameters(flags, recipe)?).map_err(|error| of_file(path, error))?;
    Ok(Some(counted))
}

/// Adds files.
fn merge(flags: &PartFlags) -> anyhow::Result<()> {
    let mut files = flags.files.iter();
    let Some(first) = files.next() else { return Ok(()) }; // the flags see to one
    let mut all = read(first)?;
    for path in files {
        all.merge(&read(path)?).map_err(|error| of_file(path, error))?;
    }
    write(&all, &flags.output)
}

// Records → how often their shingles occur.

/// Counts the texts of standard input.
fn count(flags: &PartFlags, recipe: &Recipe) -> anyhow::Result<()> {
    let (progress, lines) = (Progress::of_run(true), lines(flags)?);
    let read = progress.begin(Stage::Reading, lines.bytes.unwrap_or_default());
    count_lines(flags, recipe, lines, read)
}

/// Counts the texts of lines; `read` are the bytes of those that are read.
pub(crate) fn count_lines(
    flags: &PartFlags,
    recipe: &Recipe,
    lines: Lines,
    read: &Advance,
) -> anyhow::Result<()> {
    let (opener, parameters) = (opener(flags)?, parameters(flags, recipe)?);
    let mut counter =
        Counter::new(recipe, parameters, flags.slots, flags.main()?, flags.threads())?;
    for batch in lines {
        let errors = counter.add(batch, |source| match source {
            Source::Line(line) => {
                read.add(line.bytes().len() as u64);
                Ok(opener.open_line(&line).map_err(|error| line.failed(error))?.text)
            }
            Source::Lost(failed) => Err(failed),
            Source::File(_) | Source::Member(_) | Source::Unit(_) | Source::Row(..) => {
                unreachable!("there are lines alone")
            }
        });
        errors.into_iter().try_for_each(|failed| passed_over(flags, failed))?;
    }
    write(&counter.finish(), &flags.output)
}

/// Skips a bad line where it is to be kept: keys says of it.
fn passed_over(flags: &PartFlags, failed: Failed) -> anyhow::Result<()> {
    if flags.bad_lines == BadLines::Stop || failed.is_whole_file {
        return Err(failed.error);
    }
    Ok(())
}

// A record → what it is joined by.

/// Answers each record of standard input with its keys.
fn keys(flags: &PartFlags, recipe: &Recipe) -> anyhow::Result<()> {
    parts::check(recipe).map_err(without_keys)?;
    let counted = named(flags, recipe)?.context("no counts")?;
    let opener = opener(flags)?;
    answer_lines(flags, &mut singles(flags, recipe), |single, line| {
        let it = opener.open_line(line)?;
        parts::keys(single, (&it.name, it.text), recipe, &counted).map_err(without_keys)
    })
}

fn without_keys(error: NoKeys) -> anyhow::Error {
    match error {
        NoKeys::Jaccard | NoKeys::Hamming { .. } => {
            Diagnostic::new(error.to_string()).hint("dedup corpus compares by any limit").into()
        }
        NoKeys::Strange => Diagnostic::new(error.to_string()).into(),
        error => error.into(),
    }
}

// Two records → the record of a pair.

/// A line: the records of two texts.
#[derive(Deserialize)]
struct Two<'l> {
    #[serde(borrow)]
    a: &'l RawValue,
    #[serde(borrow)]
    b: &'l RawValue,
}

/// Answers each pair of records of standard input with the record of the pair.
fn judge(flags: &PartFlags, recipe: &Recipe) -> anyhow::Result<()> {
    let main = named(flags, recipe)?.map(|counted| counted.main());
    let judge = Judge { flags, recipe, opener: opener(flags)?, main };
    answer_lines(flags, &mut singles(flags, recipe), |single, line| judge.answer(single, line))
}

struct Judge<'j> {
    flags: &'j PartFlags,
    recipe: &'j Recipe,
    opener: Opener,
    /// The language of texts in doubt, where the corpus was counted.
    main: Option<KnownLanguage>,
}

impl Judge<'_> {
    fn answer(&self, single: &mut DocumentAnalyzer, line: &Line) -> anyhow::Result<String> {
        let two: Two = serde_json::from_slice(line.bytes())
            .map_err(|error| BadLine::NoPair { found: without_place(&error) })?;
        let text = |side: &str, record: &RawValue| {
            self.opener.text(record.get().as_bytes()).with_context(|| side.to_owned())
        };
        let (left, right) = (text("a", two.a)?, text("b", two.b)?);
        let judgement = self.judged(single, &left, &right)?;
        let pair = Pair {
            left: &left,
            right: &right,
            recipe: self.recipe,
            judgement: &judgement,
            level: dedup_text::verdict::Verdict::NearDuplicate,
            is_accepted: None,
            is_by_far: None,
            persons: [None; 2],
        };
        let shown = render::ReportOptions {
            names: &Names::Ids,
            stopwords: self.flags.comparing.stopwords_as_given(),
            settings: None,
        };
        render::render_record(&pair, false, &shown)
    }

    /// As their corpus would where it was counted, else as two texts alone.
    fn judged(
        &self,
        single: &mut DocumentAnalyzer,
        left: &Text,
        right: &Text,
    ) -> anyhow::Result<Judgement> {
        Ok(match self.main {
            Some(main) => single.judge(left.clone(), right.clone(), main)?,
            None => pair::judge(left, right, self.recipe)?,
        })
    }
}

// Lines in, a line for each out, in their order.

/// What stands for a line that is bad.
#[derive(Serialize)]
struct BadRecord {
    id: Option<String>,
    error: String,
}

/// The lines of standard input, block by block.
fn lines(flags: &PartFlags) -> anyhow::Result<Lines> {
    let most = flags.comparing.opening.reading_of_all()?.most;
    Ok(Lines::new(Path::new("-"), most))
}

/// Answers each line on a thread for each state. A bad line ends it, or has an answer that says
/// so; what stands before it is written. No one reading on ends it, too.
fn answer_lines<S: Send>(
    flags: &PartFlags,
    states: &mut [S],
    answer: impl Fn(&mut S, &Line) -> anyhow::Result<String> + Sync,
) -> anyhow::Result<()> {
    let (progress, lines) = (Progress::of_run(true), lines(flags)?);
    let read = progress.begin(Stage::Reading, lines.bytes.unwrap_or_default());
    for batch in lines {
        let done = parallel::each_with(states, batch, |state, source| match source {
            Source::Line(line) => {
                read.add(line.bytes().len() as u64);
                let answered = answer(state, &line);
                answered.map_err(|error| (name(flags, &line), line.failed(error)))
            }
            Source::Lost(failed) => Err((None, failed)),
            Source::File(_) | Source::Member(_) | Source::Unit(_) | Source::Row(..) => {
                Ok(String::new())
            } // there are lines alone
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

/// What stands for a bad line where it is to be kept. What could not be read on is the end.
fn kept(flags: &PartFlags, id: Option<String>, failed: Failed) -> anyhow::Result<String> {
    if flags.bad_lines == BadLines::Stop || failed.is_whole_file {
        return Err(failed.error);
    }
    Ok(inert::json(&BadRecord { id, error: format!("{:#}", failed.error) })?)
}

/// The id of a line that may have one.
fn name(flags: &PartFlags, line: &Line) -> Option<String> {
    crate::io::inputs::record::field(line.bytes(), &flags.id)
}
