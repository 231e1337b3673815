//! What is written of a corpus in one format, to one place.

use std::path::PathBuf;

use anyhow::Context;
use dedup_text::text::display_path;

use crate::io::output::{self, Reader, Spool, Whole};
use crate::model::corpus::{Answer, Row};
use crate::model::format::Format;
use crate::model::names::Names;
use crate::model::pair::Pair;
use crate::render::corpus::records;
use crate::render::corpus::table;
use crate::render::exports::{Exporter, Piece, Pieces};
use crate::render::{self, paths};

/// What is written in one format, to one place.
pub(crate) struct OutputSink {
    format: Format,
    to: Destination,
    content: Content,
}

/// Where a sheet is written.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) enum Destination {
    Output,
    File(PathBuf),
    /// A file that others write to, too.
    EndOf(PathBuf),
}

/// What is not written yet.
enum Content {
    /// It is made of rows when all are known.
    Rows,
    /// Lines that are printed as they come; those of a format of others by its exporter.
    Lines(Option<Exporter>, String),
    /// The records of pairs.
    Records(Spool),
    /// What pairs come to in a format of others.
    Pieces(Exporter, Pieces),
}

/// What a pair comes to.
pub(crate) enum Record {
    Row,
    Written(String),
    Piece(Piece),
}

impl OutputSink {
    pub(crate) fn new(format: Format, to: Destination, names: &Names) -> Self {
        let is_printed = to == Destination::Output;
        let content = match format {
            Format::Text | Format::Paths | Format::Paths0 => Content::Rows,
            Format::Jsonl if is_printed => Content::Lines(None, String::new()),
            Format::Jsonl => Content::Records(Spool::new("")),
            Format::Json => Content::Records(Spool::new(",")),
            Format::Export(export) => {
                let exporter = Exporter::new(export, names.clone());
                match exporter.only_head() {
                    Some(head) if is_printed => Content::Lines(Some(exporter), head),
                    _ => {
                        let pieces = exporter.pieces();
                        Content::Pieces(exporter, pieces)
                    }
                }
            }
        };
        Self { format, to, content }
    }

    pub(crate) fn format(&self) -> Format {
        self.format
    }

    /// Whether it is made of rows rather than of records.
    pub(crate) fn is_of_rows(&self) -> bool {
        matches!(self.content, Content::Rows)
    }

    /// What a pair comes to on it.
    pub(crate) fn record(&self, pair: &Pair, answer: &Answer) -> anyhow::Result<Record> {
        let options = &answer.options;
        let told = || render::json::ReportOptions {
            names: &answer.names,
            stopwords: &options.stopwords,
            settings: options.settings.clone(),
        };
        let json = || render::json::render(pair, false, told());
        Ok(match &self.content {
            Content::Rows => Record::Row,
            Content::Lines(Some(exporter), _) => Record::Written(exporter.piece(pair)?.into_text()),
            Content::Lines(None, _) | Content::Records(_) if self.format == Format::Jsonl => {
                Record::Written(json()? + "\n")
            }
            Content::Lines(None, _) | Content::Records(_) => Record::Written(json()?),
            Content::Pieces(exporter, _) => Record::Piece(exporter.piece(pair)?),
        })
    }

    /// Adds what [`record`](Self::record) made.
    pub(crate) fn add(&mut self, record: Record) -> anyhow::Result<()> {
        let added = match (&mut self.content, record) {
            (Content::Lines(_, lines), Record::Written(record)) => {
                lines.push_str(&record);
                Ok(())
            }
            (Content::Records(records), Record::Written(record)) => records.add(&record),
            (Content::Pieces(_, pieces), Record::Piece(piece)) => pieces.add(piece),
            _ => Ok(()),
        };
        added.with_context(|| format!("{}: cannot be written", temporary()))
    }

    /// Prints what is complete in itself.
    pub(crate) fn write_so_far(&mut self) -> anyhow::Result<Reader> {
        match &mut self.content {
            Content::Lines(_, lines) => {
                output::write_lines(self.format.syntax(), &std::mem::take(lines))
            }
            _ => Ok(Reader::Reads),
        }
    }

    /// Writes the whole, or what is left of it.
    pub(crate) fn write(mut self, answer: &Answer, rows: &[Row]) -> anyhow::Result<()> {
        let is_nearest = answer.options.nearest.is_some();
        let whole = match std::mem::replace(&mut self.content, Content::Rows) {
            Content::Rows if self.format != Format::Text => {
                paths::written(self.format, &answer.names, table::paths(answer, rows))?.into()
            }
            Content::Rows => table::render(answer, rows, is_nearest).into(),
            Content::Lines(_, lines) => lines.into(),
            Content::Records(records) if self.format == Format::Json => {
                records::object(answer, if is_nearest { "nearest" } else { "pairs" }, records)?
            }
            Content::Records(records) => Whole::from(String::new()).with_records(records),
            Content::Pieces(exporter, pieces) => exporter.whole(pieces, &table::run(answer))?,
        };
        self.write_whole(answer, whole)
    }

    /// Writes what was made elsewhere.
    pub(crate) fn write_whole(&self, answer: &Answer, whole: Whole) -> anyhow::Result<()> {
        match &self.to {
            Destination::File(file) if self.format == Format::Text => {
                Ok(output::write_file(file, &output::plain(&whole.into_text()?))?)
            }
            Destination::File(file) => Ok(output::write_file_by(file, |out| whole.write_to(out))?),
            Destination::EndOf(file) => Ok(output::append_to_file(file, &whole.into_text()?)?),
            Destination::Output if whole.is_empty() => Ok(()),
            Destination::Output if self.format == Format::Text => {
                output::write(&whole.into_text()?, answer.options.color)
            }
            Destination::Output => output::write_whole(self.format.syntax(), whole),
        }
    }
}

/// What a file without a name goes by: the folder that it is in.
fn temporary() -> String {
    format!("a file in {}", display_path(&std::env::temp_dir()))
}
