//! What is written of a corpus in one format, to one place.

use std::path::Path;

use super::answer::Answer;
use super::records;
use super::table::{self, Row};
use crate::flags::Format;
use crate::output::{self, Reader};
use crate::report::{self, Pair};

/// What is written in one format, to one place.
pub(super) struct Sheet<'f> {
    format: Format,
    /// None for standard output.
    file: Option<&'f Path>,
    /// The records of pairs that are not written yet.
    records: Vec<String>,
}

impl<'f> Sheet<'f> {
    pub(super) fn new(format: Format, file: Option<&'f Path>) -> Self {
        Self { format, file, records: Vec::new() }
    }

    pub(super) fn format(&self) -> Format {
        self.format
    }

    /// Whether it is made of rows rather than of records.
    pub(super) fn is_of_rows(&self) -> bool {
        matches!(self.format, Format::Text | Format::Paths)
    }

    /// What a pair comes to on it; nothing where it is made of rows.
    pub(super) fn record(&self, pair: &Pair, answer: &Answer) -> anyhow::Result<String> {
        let stopwords = answer.flags.comparing.stopwords_as_given();
        let settings = answer.flags.settings.name();
        match self.format {
            Format::Text | Format::Paths => Ok(String::new()),
            Format::Json => report::json::written(pair, false, stopwords, settings),
            Format::Jsonl => Ok(report::json::written(pair, false, stopwords, settings)? + "\n"),
        }
    }

    /// Adds what [`record`](Self::record) made.
    pub(super) fn add(&mut self, record: String) {
        if !self.is_of_rows() {
            self.records.push(record);
        }
    }

    /// Prints what is complete in itself.
    pub(super) fn write_so_far(&mut self, answer: &Answer) -> anyhow::Result<Reader> {
        if self.format != Format::Jsonl || self.file.is_some() {
            return Ok(Reader::Reads);
        }
        let lines = std::mem::take(&mut self.records).concat();
        output::write_part(&lines, answer.flags.answering.color)
    }

    /// Writes the whole, or what is left of it.
    pub(super) fn write(self, answer: &Answer, rows: &[Row]) -> anyhow::Result<()> {
        let is_nearest = answer.flags.nearest.is_some();
        let whole = match self.format {
            Format::Text => table::written(answer, rows, is_nearest),
            Format::Paths => table::paths(answer, rows),
            Format::Jsonl => self.records.concat(),
            Format::Json => {
                let name = if is_nearest { "nearest" } else { "pairs" };
                records::object(answer, name, &self.records.join(","))?
            }
        };
        self.write_whole(answer, &whole)
    }

    /// Writes what was made elsewhere.
    pub(super) fn write_whole(&self, answer: &Answer, whole: &str) -> anyhow::Result<()> {
        match self.file {
            Some(file) => Ok(output::write_file(file, whole)?),
            None if whole.is_empty() => Ok(()),
            None => output::write(whole, answer.flags.answering.color),
        }
    }
}
