//! The output of a corpus in one format, to one place: judged pairs → records → what is written.

use anyhow::Context;

use super::model::{Answer, JudgedPairs};
use crate::exports::{Export, Format, RenderedPair};
use crate::io::inputs::again::temporary;
use crate::io::output::{self, PipeReader};
use crate::model::Pair as Judged;
use crate::model::findings::Findings;
use crate::model::rendered::{Rendered, Spool};
use crate::outputs::Destination;
use crate::render;

/// The output in one format, to one place.
pub(super) struct OutputSink {
    pub(super) format: Format,
    to: Destination,
    content: Content,
}

/// The output that has not been written yet.
enum Content {
    /// Nothing: the output is rendered from the rows when all of them are known.
    Rows,
    /// The records of pairs.
    Records(Spool),
    Export(Box<dyn Export>),
}

impl OutputSink {
    pub(super) fn new(format: Format, to: Destination) -> Self {
        let content = match format {
            Format::Text | Format::Paths | Format::Paths0 => Content::Rows,
            Format::Jsonl => Content::Records(Spool::new("")),
            Format::Json => Content::Records(Spool::new(",")),
            Format::Export(export) => Content::Export((export.begin)()),
        };
        Self { format, to, content }
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
    pub(super) fn render(&self, pair: &Judged, answer: &Answer) -> anyhow::Result<RenderedPair> {
        let options = &answer.options;
        let shown = render::ReportOptions {
            names: &answer.names,
            stopwords: &options.stopwords,
            settings: options.settings.as_deref(),
        };
        let record = match &self.content {
            Content::Rows => String::new(),
            Content::Records(_) => {
                let end = if self.format == Format::Jsonl { "\n" } else { "" };
                render::render_record(pair, false, &shown)? + end
            }
            Content::Export(export) => export.render(pair, &answer.names)?,
        };
        Ok(RenderedPair::new(pair, record))
    }

    /// Adds a result of [`render`](Self::render).
    ///
    /// # Errors
    ///
    /// Returns an error if a temporary file cannot be written.
    pub(super) fn add(&mut self, pair: RenderedPair) -> anyhow::Result<()> {
        let added = match &mut self.content {
            Content::Rows => Ok(()),
            Content::Records(records) => records.add(&pair.record).map_err(Into::into),
            Content::Export(export) => export.add(pair),
        };
        added.with_context(temporary)
    }

    /// Prints the lines that are complete, if the output consists of lines.
    pub(super) fn write_so_far(&mut self) -> anyhow::Result<PipeReader> {
        let is_printed = self.is_printed();
        let lines = match &mut self.content {
            _ if !is_printed => None,
            Content::Records(records) if self.format == Format::Jsonl => {
                Some(std::mem::replace(records, Spool::new("")).into())
            }
            Content::Export(export) => export.take_lines(),
            _ => None,
        };
        match lines.map(Rendered::into_text).transpose()? {
            Some(lines) => output::write_lines(self.format.syntax(), &lines),
            None => Ok(PipeReader::Reads),
        }
    }

    /// Writes the complete output, or what remains of it.
    pub(super) fn write(
        mut self,
        answer: &Answer,
        pairs: &JudgedPairs,
        findings: &Findings,
    ) -> anyhow::Result<()> {
        let rendered = match std::mem::replace(&mut self.content, Content::Rows) {
            Content::Rows if self.format == Format::Text => {
                super::answer::render_pairs(answer, pairs, findings).into()
            }
            Content::Rows => {
                let paths = super::answer::paths(answer, pairs);
                render::render_paths(self.format, &answer.names, paths)?.into()
            }
            Content::Records(records) if self.format == Format::Json => {
                let name = if answer.options.task.is_nearest() { "nearest" } else { "pairs" };
                super::answer::object(answer, name, records)?
            }
            Content::Records(records) => records.into(),
            Content::Export(export) => {
                export.finish(&super::answer::run(answer, pairs, &findings.all))?
            }
        };
        self.write_rendered(answer, rendered)
    }

    /// Writes an output that was rendered elsewhere.
    pub(super) fn write_rendered(&self, answer: &Answer, rendered: Rendered) -> anyhow::Result<()> {
        if self.is_printed() && rendered.is_empty() {
            return Ok(());
        }
        self.to.write(self.format, rendered, answer.options.color)
    }
}
