//! Writes the report about the pairs of a corpus.

use std::io;

use dedup_text::display::visible;
use dedup_text::text::display_path;

use crate::args::CorpusFlags;
use crate::diagnostics;
use crate::io::output;
use crate::model::corpus::{Answer, Row};
use crate::render::corpus::page::{Report, Shape};

/// Writes the report if one is requested, and prints a note on what it leaves out.
pub(super) fn write(answer: &Answer, rows: &[Row], flags: &CorpusFlags) -> anyhow::Result<()> {
    let Some(path) = flags.report.file() else { return Ok(()) };
    let is_folder = flags.report.folder().is_some();
    let shape = if is_folder { Shape::Folder } else { Shape::Page };
    let report = Report::new(answer, rows, shape);
    // The key is written before the anonymous report, so that no report is without its key.
    if let Some(key) = flags.report.key() {
        output::write_key(&key, &report.key()?)?;
    }
    if is_folder {
        output::write_folder(path, |folder| {
            folder.write_index(&report.overview().map_err(io::Error::other)?)?;
            report.each_page(|name, page| folder.write_page(name, page))
        })?;
        return Ok(());
    }
    let (parts, note) = report.in_one_file()?;
    output::write_file_by(path, |file| {
        parts.iter().try_for_each(|part| file.write_all(part.as_bytes()))
    })?;
    if let Some(note) = note.filter(|_| !flags.answering.quiet) {
        diagnostics::note(&format!("{}: {note}", visible(&display_path(path))));
        diagnostics::advise("--report DIR writes a folder, with a page for each");
    }
    Ok(())
}
