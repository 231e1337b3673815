//! The formats of an answer. Most are exports: judged pairs in a format that other programs or pull
//! requests read.
//!
//! Input of an export: one pair at a time, and then the facts about the run. Output: the complete
//! answer, which has the same bytes for the same pairs. Each export has a module of its own, and a
//! row in [`Format::ALL`].

mod badge;
pub(crate) mod csv;
mod github;
mod gitlab;
mod junit;
mod markdown;
mod pairs;
mod run;
pub(crate) mod sarif;

use pairs::Closest;
pub(crate) use pairs::RenderedPair;
pub(crate) use run::{Run, TextRemark, found};
use run::{TOO_SHORT, described};

use crate::diagnostics::Severity;
use crate::model::Pair;
use crate::model::findings::FindingsBuilder;
use crate::model::found::{Failures, Skipped};
use crate::model::names::Names;
use crate::model::rendered::{Rendered, Syntax};

/// The format of an answer.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Format {
    Text,
    Json,
    Jsonl,
    Export(&'static ExportFormat),
    Paths,
    Paths0,
}

impl Format {
    /// All formats, in the order in which messages and completions list them.
    pub(crate) const ALL: [Self; 12] = [
        Self::Text,
        Self::Json,
        Self::Jsonl,
        Self::Export(&csv::FORMAT),
        Self::Export(&sarif::FORMAT),
        Self::Export(&github::FORMAT),
        Self::Export(&junit::FORMAT),
        Self::Export(&gitlab::FORMAT),
        Self::Export(&markdown::FORMAT),
        Self::Export(&badge::FORMAT),
        Self::Paths,
        Self::Paths0,
    ];

    /// Returns the format with a name; `None` if there is none.
    pub(crate) fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|format| format.name() == name)
    }

    /// Returns the name of the format, as the user types it.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Json => "json",
            Self::Jsonl => "jsonl",
            Self::Export(export) => export.name,
            Self::Paths => "paths",
            Self::Paths0 => "paths0",
        }
    }

    pub(crate) fn syntax(self) -> Syntax {
        match self {
            Self::Json | Self::Jsonl => Syntax::Json,
            Self::Export(export) => export.syntax,
            Self::Text | Self::Paths | Self::Paths0 => Syntax::Other,
        }
    }
}

/// A format for other programs or for pull requests that is generated from pairs.
#[derive(Debug)]
pub(crate) struct ExportFormat {
    /// The name, as the user types it.
    pub(crate) name: &'static str,
    pub(crate) syntax: Syntax,
    /// Begins an export of one run.
    pub(crate) begin: fn() -> Box<dyn Export>,
    /// Whether it shows the passages of pairs, so that they are searched for.
    pub(crate) has_passages: bool,
    /// The export for the summary of a step of GitHub Actions, if this one asks for a summary.
    pub(crate) summary: Option<&'static ExportFormat>,
}

impl PartialEq for ExportFormat {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for ExportFormat {}

impl ExportFormat {
    /// Creates a format that shows the passages of pairs.
    const fn new(name: &'static str, syntax: Syntax, begin: fn() -> Box<dyn Export>) -> Self {
        Self { name, syntax, begin, has_passages: true, summary: None }
    }

    /// Renders the complete answer about a single pair.
    pub(crate) fn alone(&self, pair: &Pair, settings: Option<&str>) -> anyhow::Result<Rendered> {
        let (names, failed) = (&Names::here(), &Failures::default());
        let mut export = (self.begin)();
        export.add(RenderedPair::new(pair, export.render(pair, names)?))?;
        let mut findings = FindingsBuilder::new(pair.level);
        if pair.is_finding() {
            findings.add(pair, [pair.left, pair.right], [0, 1]);
        }
        let findings = findings.finish(names, |_| false).all;
        let is_one = names.plain(pair.left) == names.plain(pair.right);
        export.finish(&Run {
            names,
            level: pair.level,
            weight: pair.weight,
            pairs: 1,
            reaching: usize::from(pair.is_finding()),
            findings: &findings,
            texts: if is_one { vec![pair.left] } else { vec![pair.left, pair.right] },
            compared: 2,
            has_errors: false,
            disguises: Severity::Warning,
            counts: "2 texts compared".to_owned(),
            settings,
            failed,
            skipped: Skipped::default(),
            short: Vec::new(),
            remarks: Vec::new(),
            left_out: Vec::new(),
            excluded: None,
            widespread: Vec::new(),
        })
    }
}

/// An export of one run: renders pairs, keeps what it needs of them, and renders the answer.
pub(crate) trait Export: Send + Sync {
    /// Renders a pair, on any thread, as the record that [`add`](Self::add) gets; empty in a format of
    /// findings.
    fn render(&self, _: &Pair, _: &Names) -> anyhow::Result<String> {
        Ok(String::new())
    }

    /// Adds the next pair.
    fn add(&mut self, _: RenderedPair) -> anyhow::Result<()> {
        Ok(())
    }

    /// Takes the lines that can be written before the next pairs are known; `None` if the format
    /// has no such lines.
    fn take_lines(&mut self) -> Option<Rendered> {
        None
    }

    /// Renders the complete answer, without the lines that were taken.
    fn finish(self: Box<Self>, run: &Run) -> anyhow::Result<Rendered>;
}

/// An export that needs no pairs, but only what is known of the run at its end.
type OfRun = fn(&Run) -> anyhow::Result<Rendered>;

impl Export for OfRun {
    fn finish(self: Box<Self>, run: &Run) -> anyhow::Result<Rendered> {
        self(run)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_that_of_one_format() {
        for format in Format::ALL {
            assert_eq!(Format::named(format.name()), Some(format));
        }
        assert_eq!(Format::named("csv=FILE"), None);
    }
}
