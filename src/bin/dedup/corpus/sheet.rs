//! What is written of a corpus in one format, to one place.

use std::path::PathBuf;

use super::answer::Answer;
use super::records;
use super::table::{self, Row};
use crate::flags::{CorpusFlags, Format};
use crate::output::{self, Reader};
use crate::report::exports::{Exporter, Names, Piece, Pieces};
use crate::report::{self, Pair};

/// What is written in one format, to one place.
pub(super) struct Sheet {
    format: Format,
    to: To,
    content: Content,
}

/// Where a sheet is written.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(super) enum To {
    Output,
    File(PathBuf),
    /// A file that others write to, too.
    EndOf(PathBuf),
}

/// What is not written yet.
enum Content {
    /// It is made of rows when all are known.
    Rows,
    /// The records of pairs.
    Records(Vec<String>),
    /// What pairs come to in a format of others.
    Pieces(Exporter, Pieces),
}

/// What a pair comes to.
pub(super) enum Record {
    Row,
    Json(String),
    Piece(Piece),
}

impl Sheet {
    pub(super) fn new(format: Format, to: To, names: &Names) -> Self {
        let content = match format {
            Format::Text | Format::Paths => Content::Rows,
            Format::Json | Format::Jsonl => Content::Records(Vec::new()),
            Format::Export(export) => {
                let exporter = Exporter::new(export, names.clone());
                let pieces = exporter.pieces();
                Content::Pieces(exporter, pieces)
            }
        };
        Self { format, to, content }
    }

    pub(super) fn format(&self) -> Format {
        self.format
    }

    /// Whether it is made of rows rather than of records.
    pub(super) fn is_of_rows(&self) -> bool {
        matches!(self.content, Content::Rows)
    }

    /// What a pair comes to on it.
    pub(super) fn record(&self, pair: &Pair, answer: &Answer) -> anyhow::Result<Record> {
        let CorpusFlags { comparing, settings, .. } = answer.flags;
        let told = || report::json::Told {
            names: &answer.names,
            stopwords: comparing.stopwords_as_given(),
            settings: settings.name(),
        };
        let json = || report::json::written(pair, false, told());
        Ok(match &self.content {
            Content::Rows => Record::Row,
            Content::Records(_) if self.format == Format::Jsonl => Record::Json(json()? + "\n"),
            Content::Records(_) => Record::Json(json()?),
            Content::Pieces(exporter, _) => Record::Piece(exporter.piece(pair)?),
        })
    }

    /// Adds what [`record`](Self::record) made.
    pub(super) fn add(&mut self, record: Record) {
        match (&mut self.content, record) {
            (Content::Records(records), Record::Json(record)) => records.push(record),
            (Content::Pieces(_, pieces), Record::Piece(piece)) => pieces.add(piece),
            _ => {}
        }
    }

    /// Prints what is complete in itself.
    pub(super) fn write_so_far(&mut self, answer: &Answer) -> anyhow::Result<Reader> {
        match &mut self.content {
            Content::Records(lines) if self.format == Format::Jsonl && self.to == To::Output => {
                let lines = std::mem::take(lines).concat();
                output::write_part(&lines, answer.flags.answering.color)
            }
            _ => Ok(Reader::Reads),
        }
    }

    /// Writes the whole, or what is left of it.
    pub(super) fn write(mut self, answer: &Answer, rows: &[Row]) -> anyhow::Result<()> {
        let is_nearest = answer.flags.nearest.is_some();
        let whole = match std::mem::replace(&mut self.content, Content::Rows) {
            Content::Rows if self.format == Format::Paths => table::paths(answer, rows),
            Content::Rows => table::written(answer, rows, is_nearest),
            Content::Records(records) if self.format == Format::Jsonl => records.concat(),
            Content::Records(records) => {
                let name = if is_nearest { "nearest" } else { "pairs" };
                records::object(answer, name, &records.join(","))?
            }
            Content::Pieces(exporter, pieces) => exporter.whole(pieces, &answer.run())?,
        };
        self.write_whole(answer, &whole)
    }

    /// Writes what was made elsewhere.
    pub(super) fn write_whole(&self, answer: &Answer, whole: &str) -> anyhow::Result<()> {
        match &self.to {
            To::File(file) => Ok(output::write_file(file, whole)?),
            To::EndOf(file) => Ok(output::append_to_file(file, whole)?),
            To::Output if whole.is_empty() => Ok(()),
            To::Output => output::write_as(self.format, whole, answer.flags.answering.color),
        }
    }
}
