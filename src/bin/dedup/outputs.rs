//! The outputs of a run: an answer in each requested format goes to its destination, and what was
//! written is named. What commands say of their inputs alike is here as well.

use std::path::PathBuf;

use dedup_text::corpus::preference::Keep;
use dedup_text::display::visible;
use dedup_text::text::display_path;

use crate::args::{Answering, FormatFlags, KEEP_FIRST, ReportFlags};
use crate::diagnostics::{self, Diagnostic, Exit};
use crate::exports::Format;
use crate::io::output;
use crate::model::Color;
use crate::model::rendered::Rendered;

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
    pub(crate) fn write(
        &self,
        format: Format,
        answer: Rendered,
        color: Color,
    ) -> anyhow::Result<()> {
        match self {
            Self::Output if format == Format::Text => output::write(&answer.into_text()?, color),
            Self::Output => output::write_for_programs(format.syntax(), |out| answer.write_to(out)),
            Self::File(file) if format == Format::Text => {
                Ok(output::write_file(file, &output::plain(&answer.into_text()?))?)
            }
            Self::File(file) => Ok(output::write_file_by(file, |out| answer.write_to(out))?),
            Self::EndOf(file) => Ok(output::append_to_file(file, &answer.into_text()?)?),
        }
    }
}

/// Returns the requested formats, each with its destination, and the summary for GitHub Actions.
/// Standard output comes last; with `--quiet` it is left out.
pub(crate) fn destinations(
    formats: &FormatFlags,
    answering: &Answering,
) -> Vec<(Format, Destination)> {
    let files = formats.files().map(|(format, file)| (format, Destination::File(file.to_owned())));
    let summary = formats.summary();
    let summary = summary.map(|(format, file)| (format, Destination::EndOf(file)));
    let printed = (!answering.quiet).then(|| (formats.printed(), Destination::Output));
    files.chain(summary).chain(printed).collect()
}

/// Prints where the report was written, unless it was written to standard output or with `--quiet`.
pub(crate) fn note_report(report: &ReportFlags, answering: &Answering) {
    if let Some(file) = report.file().filter(|file| !answering.quiet && !output::is_output(file)) {
        diagnostics::note(&visible(&format!("report: {}", display_path(file))));
    }
}

/// Prints where the key of an anonymous report was written, unless with `--quiet`.
pub(crate) fn note_key(report: &ReportFlags, answering: &Answering) {
    if let Some(key) = report.key().filter(|_| !answering.quiet) {
        diagnostics::note(&visible(&format!("key: {}", display_path(&key))));
    }
}

/// Prints the text that is the whole answer of a command.
///
/// # Errors
///
/// Returns an error if standard output cannot be written.
pub(crate) fn print(text: &str) -> anyhow::Result<Exit> {
    output::write_text(text)?;
    Ok(Exit::Success)
}

/// Makes the error for `--keep` with a field that no record has, or in which no record has a value
/// that can be compared. `there` is the beginning of the hint that lists the fields; `None` if the
/// records have the field.
pub(crate) fn no_record_has(keep: &Keep, field: &str, there: Option<&str>) -> Diagnostic {
    let what = match keep {
        _ if there.is_some() => "a field",
        Keep::Newest(_) => "a value in the field",
        _ => "a number in the field",
    };
    let what = format!("--keep: no record has {what} {field}, expected it in at least one");
    let hint = format!("{}{KEEP_FIRST}", there.unwrap_or_default());
    Diagnostic::new(what).hint(hint).flags(["keep"])
}
