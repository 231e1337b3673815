//! The output of a corpus in one format, to one place: judged pairs → records → what is written.

use anyhow::Context;

use super::model::{Answer, JudgedPairs};
use crate::exports::{Exporter, Listing, Piece, Pieces};
use crate::io::inputs::again::temporary;
use crate::io::output::{self, Reader};
use crate::model::names::Names;
use crate::model::rendered::{Rendered, Spool};
use crate::model::{Format, Pair as Judged, Weight};
use crate::outputs::Destination;
use crate::render;

/// The output in one format, to one place.
pub(super) struct OutputSink {
    format: Format,
    to: Destination,
    content: Content,
}

/// The output that has not been written yet.
enum Content {
    /// Nothing: the output is rendered from the rows when all of them are known.
    Rows,
    /// Lines that are printed as they are made, with the exporter if the format is an export.
    Lines(Option<Exporter>, String),
    /// The records of pairs.
    Records(Spool),
    /// The pieces of an export, one for each pair.
    Pieces(Exporter, Pieces),
}

/// A pair in the form that a sink takes.
pub(super) enum Record {
    Row,
    Written(String),
    Piece(Piece),
}

impl OutputSink {
    pub(super) fn new(format: Format, to: Destination, names: &Names, weight: Weight) -> Self {
        let is_printed = to == Destination::Output;
        let content = match format {
            Format::Text | Format::Paths | Format::Paths0 => Content::Rows,
            Format::Jsonl if is_printed => Content::Lines(None, String::new()),
            Format::Jsonl => Content::Records(Spool::new("")),
            Format::Json => Content::Records(Spool::new(",")),
            Format::Export(export) => {
                let exporter = Exporter::new(export, names.clone(), weight);
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

    pub(super) fn format(&self) -> Format {
        self.format
    }

    /// Reports whether the output is standard output.
    pub(super) fn is_printed(&self) -> bool {
        self.to == Destination::Output
    }

    /// Reports whether the output is made of rows, not of records.
    pub(super) fn is_of_rows(&self) -> bool {
        matches!(self.content, Content::Rows)
    }

    /// Renders a pair for this sink.
    pub(super) fn record(
        &self,
        pair: &Judged,
        listing: Listing,
        answer: &Answer,
    ) -> anyhow::Result<Record> {
        let options = &answer.options;
        let shown = render::ReportOptions {
            names: &answer.names,
            stopwords: &options.stopwords,
            settings: options.settings.as_deref(),
        };
        let json = || render::render_record(pair, false, &shown);
        Ok(match &self.content {
            Content::Rows => Record::Row,
            Content::Lines(Some(exporter), _) => {
                Record::Written(exporter.piece(pair, listing)?.into_text())
            }
            Content::Lines(None, _) | Content::Records(_) if self.format == Format::Jsonl => {
                Record::Written(json()? + "\n")
            }
            Content::Lines(None, _) | Content::Records(_) => Record::Written(json()?),
            Content::Pieces(exporter, _) => Record::Piece(exporter.piece(pair, listing)?),
        })
    }

    /// Adds a result of [`record`](Self::record).
    ///
    /// # Errors
    ///
    /// Returns an error if a temporary file cannot be written.
    pub(super) fn add(&mut self, record: Record) -> anyhow::Result<()> {
        let added = match (&mut self.content, record) {
            (Content::Lines(_, lines), Record::Written(record)) => {
                lines.push_str(&record);
                Ok(())
            }
            (Content::Records(records), Record::Written(record)) => records.add(&record),
            (Content::Pieces(_, pieces), Record::Piece(piece)) => pieces.add(piece),
            _ => Ok(()),
        };
        added.with_context(temporary)
    }

    /// Prints the lines that are complete, if the output consists of lines.
    pub(super) fn write_so_far(&mut self) -> anyhow::Result<Reader> {
        match &mut self.content {
            Content::Lines(_, lines) => {
                output::write_lines(self.format.syntax(), &std::mem::take(lines))
            }
            _ => Ok(Reader::Reads),
        }
    }

    /// Writes the complete output, or what remains of it.
    pub(super) fn write(mut self, answer: &Answer, pairs: &JudgedPairs) -> anyhow::Result<()> {
        let is_nearest = answer.options.task.is_nearest();
        let rendered = match std::mem::replace(&mut self.content, Content::Rows) {
            Content::Rows if self.format != Format::Text => render::render_paths(
                self.format,
                &answer.names,
                super::answer::paths(answer, pairs),
            )?
            .into(),
            Content::Rows => super::answer::render_pairs(answer, pairs).into(),
            Content::Lines(Some(exporter), lines) => {
                exporter.with_tail(lines.into(), &super::answer::run(answer))?
            }
            Content::Lines(None, lines) => lines.into(),
            Content::Records(records) if self.format == Format::Json => super::answer::object(
                answer,
                if is_nearest { "nearest" } else { "pairs" },
                records,
            )?,
            Content::Records(records) => Rendered::from(records),
            Content::Pieces(exporter, pieces) => {
                exporter.whole(pieces, &super::answer::run(answer))?
            }
        };
        self.write_rendered(answer, rendered)
    }

    /// Writes an output that was rendered elsewhere.
    pub(super) fn write_rendered(&self, answer: &Answer, rendered: Rendered) -> anyhow::Result<()> {
        if self.to == Destination::Output && rendered.is_empty() {
            return Ok(());
        }
        self.to.write(self.format, rendered, answer.options.color)
    }
}
