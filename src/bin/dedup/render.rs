//! A judged pair → what is printed.

pub(crate) mod calibration;
pub(crate) mod corpus;
mod explain;
pub(crate) mod exports;
pub(crate) mod html;
pub(crate) mod json;
pub(crate) mod paths;
pub(crate) mod spans;
mod passages;
mod details;
mod answer;

use std::path::PathBuf;

use super::io::output;
use super::io::output::Whole;
use crate::model::format::Format;
use crate::model::names::{Names, Visibility};
use crate::model::{Pair, Weight};
use exports::Exporter;

/// How a pair is shown.
pub(crate) struct Options {
    /// Whether the text is about all stages.
    pub(crate) explains: bool,
    /// Whether the text has all figures.
    pub(crate) has_details: bool,
    /// The passages that a text answer shows at most.
    pub(crate) passages: usize,
    /// The settings file; none where none is read.
    pub(crate) settings: Option<String>,
    /// The list of stop words, as it was given.
    pub(crate) stopwords: PathBuf,
    /// What the pair means for the run, where it is found.
    pub(crate) weight: Weight,
    /// Whether a report has the names of the texts.
    pub(crate) visibility: Visibility,
}

/// The answer in a format; it ends with a line end, unless it is empty.
pub(crate) fn render(pair: &Pair, options: &Options, format: Format) -> anyhow::Result<Whole> {
    Ok(match format {
        Format::Export(export) => {
            Exporter::new(export, Names::here(), options.weight).alone(pair)?
        }
        Format::Json | Format::Jsonl => {
            let (names, stopwords) = (&Names::here(), options.stopwords.as_path());
            let settings = options.settings.as_deref();
            let shown = json::ReportOptions { names, stopwords, settings };
            (json::render(pair, options.explains, &shown)? + "\n").into()
        }
        Format::Paths | Format::Paths0 if !pair.is_finding() => String::new().into(),
        Format::Paths | Format::Paths0 => {
            paths::written(format, &Names::here(), [pair.left.path(), pair.right.path()])?.into()
        }
        Format::Text => {
            let stages = if options.explains { explain::render(pair) } else { String::new() };
            let [columns, lines] = output::size();
            let most = options.passages;
            let answer = if options.has_details || options.explains {
                let passages = passages::render(pair, most, columns);
                details::render(pair, options.settings.as_deref(), &passages, columns)
            } else {
                answer::render(pair, most, [columns, lines])
            };
            (stages + &answer).into()
        }
    })
}
