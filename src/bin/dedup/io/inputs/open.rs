//! A source → its text, on whichever thread.

use std::path::Path;

use dedup_text::text::formats::Refusal;
use dedup_text::text::{Encoding, Markdown, ReadTextError, Reading, Text, display_path};

use crate::diagnostics::Diagnostic;
use crate::io::disk;
use crate::io::inputs::record::{Fields, Record};
use crate::io::inputs::source::Line;
use crate::io::inputs::source::{
    Age, Failed, File, Found, Opened, Place, Skip, Source, Unopened, name_of,
};
use clap::ValueEnum;
use dedup_text::pair::warnings::disguised::described;

/// The bytes that tell the kind of a file.
const HEAD: u64 = 1 << 16;

/// What is done about disguises.
#[derive(Clone, Copy, Debug, Eq, PartialEq, ValueEnum)]
pub(crate) enum Disguises {
    Warn,
    Error,
}

/// Refuses a text with disguises where they are an error.
pub(crate) fn check_disguises(text: &Text, disguises: Disguises) -> Result<(), Diagnostic> {
    let Some(found) = text.disguises().first().filter(|_| disguises == Disguises::Error) else {
        return Ok(());
    };
    let (path, found) = (display_path(text.path()), described(found));
    Err(Diagnostic::new(format!("{path}: {found}, wanted a text without disguises"))
        .hint("--disguises warn compares it as its reader sees it"))
}

/// How texts are opened.
#[derive(Debug)]
pub(crate) struct Opener {
    files: Reading,
    records: Reading,
    fields: Fields,
    disguises: Disguises,
}

impl Opener {
    /// Files as given, and records with fields.
    pub(crate) fn new(files: Reading, fields: Fields, disguises: Disguises) -> Self {
        let markdown = match files.markdown {
            // An id has no ending.
            Markdown::Auto => Markdown::Off,
            said => said,
        };
        let records = Reading { encoding: Some(Encoding::UTF_8), markdown, ..files };
        Self { files, records, fields, disguises }
    }

    /// Opens a text.
    ///
    /// # Errors
    ///
    /// [`Unopened`] where there is none.
    pub(crate) fn open(&self, source: Source) -> Result<Opened, Unopened> {
        match source {
            Source::File(file) => self.open_file(file),
            Source::Line(line) => self.open_line(&line).map_err(|error| line.failed(error).into()),
            Source::Lost(failed) => Err(failed.into()),
        }
    }

    /// Opens a text once more; none where that is no file, or cannot be opened any more.
    pub(crate) fn open_again(&self, path: &Path, place: &Place) -> Option<Text> {
        match place {
            Place::File => disk::size(path).and_then(|_| Text::open(path, &self.files).ok()),
            Place::Line { file, start, .. } => self.text(&disk::line_at(file, *start)?).ok(),
        }
    }

    fn open_file(&self, file: File) -> Result<Opened, Unopened> {
        let File { path, found, age, group, bytes } = file;
        let name = name_of(&path);
        let text = match Text::open(&path, &self.files) {
            Ok(text) => text,
            Err(error) if found == Found::Walked && self.is_foreign(&path, &error) => {
                return Err(Unopened::Skipped(Skip::NoText));
            }
            Err(error) => return Err(Unopened::Failed(failed(name, error))),
        };
        if let Err(error) = check_disguises(&text, self.disguises) {
            return Err(Unopened::Failed(failed(name, error)));
        }
        let is_read_once = bytes.is_none();
        Ok(Opened { name, place: Place::File, age, group, newest: None, is_read_once, text })
    }

    /// Whether a file that cannot be read is none that anybody takes for a text. One that is too
    /// large is judged by how it begins.
    fn is_foreign(&self, path: &Path, error: &ReadTextError) -> bool {
        let ReadTextError::TooLarge { .. } = error else { return is_no_text(error) };
        let head = disk::head(path, HEAD).unwrap_or_default();
        Text::decode(path, head, &self.files).is_err_and(|error| is_no_text(&error))
    }

    /// Opens the text of a record on a line.
    pub(crate) fn open_line(&self, line: &Line) -> anyhow::Result<Opened> {
        let Record { name, group, newest, text } = self.fields.record(line.bytes())?;
        let text = self.decoded(&name, text)?;
        let (place, age) = (line.place(), Age::New);
        let is_read_once = line.is_read_once();
        Ok(Opened { name, place, age, group, newest, is_read_once, text })
    }

    /// Opens the text of a record.
    pub(crate) fn text(&self, record: &[u8]) -> anyhow::Result<Text> {
        let Record { name, text, .. } = self.fields.record(record)?;
        self.decoded(&name, text)
    }

    fn decoded(&self, name: &str, text: Vec<u8>) -> anyhow::Result<Text> {
        let text = Text::decode(Path::new(name), text, &self.records)?;
        check_disguises(&text, self.disguises)?;
        Ok(text)
    }
}

/// Whether something is of a kind that is no text, rather than a damaged text.
fn is_no_text(error: &ReadTextError) -> bool {
    match error {
        ReadTextError::NotText { .. } => true,
        ReadTextError::Refused { refusal, .. } => matches!(refusal, Refusal::Foreign { .. }),
        _ => false,
    }
}

/// A file that should have been a text.
pub(crate) fn failed(name: String, error: impl Into<anyhow::Error>) -> Failed {
    Failed { name, error: error.into(), is_whole_file: true }
}
