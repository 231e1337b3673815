//! What is written of a corpus in one format, to one place.

use std::io::Write;
use std::path::PathBuf;

use anyhow::Context;
use dedup_text::text::display_path;

use super::answer::Answer;
use super::records;
use super::spool::Spool;
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
    /// Lines that are printed as they come.
    Lines(String),
    /// The records of pairs.
    Records(Spool),
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
            Format::Jsonl if to == To::Output => Content::Lines(String::new()),
            Format::Jsonl => Content::Records(Spool::new("")),
            Format::Json => Content::Records(Spool::new(",")),
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
            Content::Lines(_) | Content::Records(_) if self.format == Format::Jsonl => {
                Record::Json(json()? + "\n")
            }
            Content::Lines(_) | Content::Records(_) => Record::Json(json()?),
            Content::Pieces(exporter, _) => Record::Piece(exporter.piece(pair)?),
        })
    }

    /// Adds what [`record`](Self::record) made.
    pub(super) fn add(&mut self, record: Record) -> anyhow::Result<()> {
        match (&mut self.content, record) {
            (Content::Lines(lines), Record::Json(record)) => lines.push_str(&record),
            (Content::Records(records), Record::Json(record)) => records
                .add(&record)
                .with_context(|| format!("{}: cannot be written", temporary()))?,
            (Content::Pieces(_, pieces), Record::Piece(piece)) => pieces.add(piece),
            _ => {}
        }
        Ok(())
    }

    /// Prints what is complete in itself.
    pub(super) fn write_so_far(&mut self, answer: &Answer) -> anyhow::Result<Reader> {
        match &mut self.content {
            Content::Lines(lines) => {
                output::write_part(&std::mem::take(lines), answer.flags.answering.color)
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
            Content::Lines(lines) => lines,
            Content::Records(records) => {
                let name = if is_nearest { "nearest" } else { "pairs" };
                return self.write_records(answer, records, name);
            }
            Content::Pieces(exporter, pieces) => exporter.whole(pieces, &answer.run())?,
        };
        self.write_whole(answer, &whole)
    }

    /// Writes records, part by part: they may be more than memory has room for.
    fn write_records(&self, answer: &Answer, records: Spool, name: &str) -> anyhow::Result<()> {
        let (head, tail) = match self.format {
            Format::Json => (records::head(answer, name)?, records::TAIL),
            _ => (String::new(), ""),
        };
        let write = |out: &mut dyn Write| {
            out.write_all(head.as_bytes())?;
            records.write_to(out)?;
            out.write_all(tail.as_bytes())
        };
        match &self.to {
            To::File(file) | To::EndOf(file) => Ok(output::write_file_by(file, write)?),
            To::Output => output::write_by(write),
        }
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

/// What a file without a name goes by: the folder that it is in.
fn temporary() -> String {
    format!("a file in {}", display_path(&std::env::temp_dir()))
}
