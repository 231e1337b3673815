//! A judged pair → what is printed.

pub(crate) mod calibration;
pub(crate) mod corpus;
mod explain;
pub(crate) mod exports;
pub(crate) mod html;
pub(crate) mod json;
pub(crate) mod paths;
mod left_out;
mod matches;
mod passages;
mod stages;
mod details;
mod sentence;
mod text;

use dedup_text::pair::Judgement;
use dedup_text::pair::recipe::Recipe;
use dedup_text::text::Text;
use dedup_text::verdict::Verdict;

use crate::args::{Flags, Format};
use crate::io::output::Whole;
use crate::io::screen;
use exports::{Exporter, Names};

/// A pair and its judgement.
pub(crate) struct Pair<'p> {
    pub(crate) left: &'p Text,
    pub(crate) right: &'p Text,
    pub(crate) recipe: &'p Recipe,
    pub(crate) judgement: &'p Judgement,
    /// The verdict that is asked for.
    pub(crate) level: Verdict,
    /// Whether it was accepted earlier; none where nobody asks.
    pub(crate) is_accepted: Option<bool>,
}

impl Pair<'_> {
    /// Whether it is what was looked for: it reaches the level, and was not accepted earlier.
    pub(crate) fn is_finding(&self) -> bool {
        self.judgement.decision.verdict >= self.level && self.is_accepted != Some(true)
    }
}

/// The answer in a format; it ends with a line end, unless it is empty.
pub(crate) fn render(pair: &Pair, flags: &Flags, format: Format) -> anyhow::Result<Whole> {
    let settings = flags.settings.name();
    Ok(match format {
        Format::Export(export) => Exporter::new(export, Names::here()).alone(pair)?,
        Format::Json | Format::Jsonl => {
            let (names, stopwords) = (&Names::here(), flags.stopwords_as_given());
            let told = json::ReportOptions { names, stopwords, settings };
            (json::render(pair, flags.explain, told)? + "\n").into()
        }
        Format::Paths | Format::Paths0 if !pair.is_finding() => String::new().into(),
        Format::Paths | Format::Paths0 => {
            paths::written(format, &Names::here(), [pair.left.path(), pair.right.path()])?.into()
        }
        Format::Text => {
            let stages = if flags.explain { explain::render(pair) } else { String::new() };
            let [columns, lines] = screen::size();
            let most = flags.passages_shown();
            let answer = if flags.details || flags.explain {
                let passages = passages::render(pair, most, columns);
                details::render(pair, settings.as_deref(), &passages, columns)
            } else {
                text::render(pair, most, [columns, lines])
            };
            (stages + &answer).into()
        }
    })
}
