//! The commands: each reads its input, calls the library, and passes the answer to a renderer. This
//! file has what several commands share.

pub(crate) mod baseline;
pub(crate) mod calibrate;
pub(crate) mod clusters;
pub(crate) mod compare;
pub(crate) mod corpus;
mod failures;
pub(crate) mod index;
pub(crate) mod installation;
pub(crate) mod spans;

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use dedup_text::corpus::preference::Keep;
use dedup_text::display::{file_of, position, visible};
use dedup_text::pair::warnings::{marks_nothing, used_stretches};
use dedup_text::pair::{Recipe, Search};
use dedup_text::parallel;
use dedup_text::text::marked::REPORTED;
use dedup_text::text::{Text, display_path};
use dedup_text::tokens::exclusions::Why;

use crate::args::{
    Answering, FormatFlags, KEEP_FIRST, KEEP_LONGEST, ReportFlags, Request, TextFlags,
};
use crate::diagnostics::{self, Diagnostic, Exit};
use crate::io::inputs::source::check_disguises;
use crate::io::{disk, output};
use crate::model::corpus::Answer;
use crate::model::{Color, Export, Format, Whole};

/// Runs the command of a request and returns the exit status.
///
/// # Errors
///
/// Returns an error if the command fails. Its hint has the places in the settings file that set the
/// flags which the error is about.
pub(crate) fn answer(request: &Request) -> anyhow::Result<Exit> {
    if let Some(command) = request.command().filter(|name| Path::new(name).is_file()) {
        diagnostics::advise(&format!("{command} is a command; for the file, use ./{command}"));
    }
    if !matches!(request, Request::Corpus(_) | Request::Check(_) | Request::Against(_)) {
        disk::choose_temp_dir(None); // those may have --temp-dir
    }
    let answer = match request {
        Request::Help(text) => {
            output::write(text, Color::Never)?;
            return Ok(Exit::Success);
        }
        Request::Usage(text) => {
            diagnostics::print_usage(text);
            return Ok(Exit::Error);
        }
        Request::Compare(flags) => compare::answer(flags),
        Request::Text(flags) => text(flags),
        Request::Corpus(flags) | Request::Check(flags) | Request::Against(flags) => {
            corpus::answer(flags)
        }
        Request::Calibrate(flags) => calibrate::answer(flags),
        Request::Spans(flags) => spans::answer(flags),
        Request::Index(flags) => index::answer(flags),
        Request::Clusters(flags) => clusters::answer(flags),
        Request::Config(flags) => print(&flags.page),
        Request::Web(flags) => installation::web(flags),
        Request::Completions(flags) => print(&installation::completions(flags)?),
        Request::Man(flags) => print(&installation::manual(flags)?),
    };
    match request.settings() {
        Some(settings) => settings.with_setting_origin(answer),
        None => answer,
    }
}

/// Makes the error for `--keep` with a field that no record has, or in which no record has a value
/// that can be compared. `there` is the beginning of the hint that lists the fields; `None` if the
/// records have the field.
fn no_record_has(keep: &Keep, field: &str, there: Option<&str>) -> Diagnostic {
    let what = match keep {
        _ if there.is_some() => "a field",
        Keep::Newest(_) => "a value in the field",
        _ => "a number in the field",
    };
    let what = format!("--keep: no record has {what} {field}, expected it in at least one");
    let hint = match keep {
        Keep::Longest => &format!("{KEEP_LONGEST}; {KEEP_FIRST}"),
        _ => KEEP_FIRST,
    };
    let hint = format!("{}{hint}", there.unwrap_or_default());
    Diagnostic::new(what).hint(hint).flags(["keep"])
}

/// Prints the text of a file as it would be compared.
fn text(flags: &TextFlags) -> anyhow::Result<Exit> {
    let text = Text::open(&flags.file, &flags.opening.reading_of_one()?)?;
    check_disguises(&text, flags.opening.disguises)?;
    diagnostics::warn_of(&text);
    print(text.content())
}

/// Prints where the report was written, unless it was written to standard output or with `--quiet`.
fn note_report(report: &ReportFlags, answering: &Answering) {
    if let Some(file) = report.file().filter(|file| !answering.quiet && !output::is_output(file)) {
        diagnostics::note(&visible(&format!("report: {}", display_path(file))));
    }
}

/// Prints where the key of an anonymous report was written, unless with `--quiet`.
fn note_key(report: &ReportFlags, answering: &Answering) {
    if let Some(key) = report.key().filter(|_| !answering.quiet) {
        diagnostics::note(&visible(&format!("key: {}", display_path(&key))));
    }
}

fn print(text: &str) -> anyhow::Result<Exit> {
    output::write_text(text)?;
    Ok(Exit::Success)
}

// An answer in a format → the file to which it is written, or standard output.

/// The destination of an answer in one format.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) enum Destination {
    Output,
    File(PathBuf),
    /// The end of a file that other programs write to as well.
    EndOf(PathBuf),
}

impl Destination {
    /// Writes a complete answer. Only the format `text` on standard output has colours.
    fn write(&self, format: Format, whole: Whole, color: Color) -> anyhow::Result<()> {
        match self {
            Self::Output if format == Format::Text => output::write(&whole.into_text()?, color),
            Self::Output => output::write_whole(format.syntax(), whole),
            Self::File(file) if format == Format::Text => {
                Ok(output::write_file(file, &output::plain(&whole.into_text()?))?)
            }
            Self::File(file) => Ok(output::write_file_by(file, |out| whole.write_to(out))?),
            Self::EndOf(file) => Ok(output::append_to_file(file, &whole.into_text()?)?),
        }
    }
}

/// Returns the requested formats, each with its destination, and the summary for GitHub Actions.
/// Standard output comes last; with `--quiet` it is left out.
fn destinations(formats: &FormatFlags, answering: &Answering) -> Vec<(Format, Destination)> {
    let files = formats.files().map(|(format, file)| (format, Destination::File(file.to_owned())));
    let summary = formats.summary();
    let summary = summary.map(|file| (Format::Export(Export::Markdown), Destination::EndOf(file)));
    let printed = (!answering.quiet).then(|| (formats.printed(), Destination::Output));
    files.chain(summary).chain(printed).collect()
}

// Markers in texts → warnings about those that have no effect.

/// Warns of the marked stretches of two texts of which nothing occurs in the other text.
fn warn_unused_markers(left: &Text, right: &Text, recipe: &Recipe) {
    if !recipe.ignored.contains(&Why::Marked) {
        return;
    }
    warn_of_unused_stretches(left, &used_stretches(left, right, recipe));
    warn_of_unused_stretches(right, &used_stretches(right, left, recipe));
}

/// Warns of markers without a counterpart in the texts of a corpus and, on request, of marked
/// stretches of which nothing occurs in another text.
fn warn_of_markers(answer: &Answer, warns_of_unused: bool, threads: NonZeroUsize) {
    if !answer.recipe.ignored.contains(&Why::Marked) {
        return;
    }
    for (number, document) in (0..).zip(&answer.corpus().documents) {
        for lone in document.text.marked().lone.iter().take(REPORTED) {
            diagnostics::warn(&answer.name(number), &format!("has {}", marks_nothing(lone)));
        }
    }
    if !warns_of_unused {
        return;
    }
    let place = |text| answer.corpus().collection.place(text);
    let count = u32::try_from(answer.corpus().documents.len()).unwrap_or(u32::MAX);
    for marked in 0..count {
        if answer.document(marked).text.marked().stretches.is_empty() {
            continue;
        }
        let Some(text) = with_content(answer, marked) else { continue };
        let others: Vec<u32> = (0..count)
            .filter(|other| *other != marked && place(marked).is_compared_with(place(*other)))
            .collect();
        let found = parallel::map(threads, others, |other| {
            let other = with_content(answer, other)?;
            Some(used_stretches(&text, &other, answer.recipe))
        });
        let mut used = vec![false; text.marked().stretches.len()];
        for found in found.iter().flatten() {
            used.iter_mut().zip(found).for_each(|(used, found)| *used |= found);
        }
        warn_of_unused_stretches(&text, &used);
    }
}

/// Returns a text of a corpus with its content, which is read again if it was not kept in memory.
/// `None` if the text cannot be opened again.
fn with_content(answer: &Answer, number: u32) -> Option<Text> {
    if answer.recipe.search == Search::Never {
        return answer.gathered.open_again(number);
    }
    Some(answer.document(number).text.clone())
}

/// Warns of the stretches of a text that are not used.
fn warn_of_unused_stretches(text: &Text, used: &[bool]) {
    let stretches = text.marked().stretches.iter().zip(used).filter(|(_, used)| !**used);
    // Excludes the line end of the last marker, which would extend the range to the next line.
    let ranges = stretches.map(|(stretch, _)| {
        let whole = stretch.whole.clone();
        whole.start..whole.start + text.content()[whole].trim_end().len()
    });
    let ranges: Vec<_> = ranges.collect();
    for place in text.places(&ranges) {
        let at = file_of(text, &place) + &position(&place);
        diagnostics::warn(
            &display_path(text.path()),
            &format!("nothing marked in {at} occurs in another text: remove the markers"),
        );
    }
}
