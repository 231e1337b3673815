//! A judged pair → what is printed.

mod explain;
pub(crate) mod html;
pub(crate) mod json;
mod left_out;
mod matches;
mod passages;
mod stages;
mod text;
mod words;

use dedup_text::pipeline::Judgement;
use dedup_text::recipe::Recipe;
use dedup_text::text::Text;

use crate::flags::{Flags, Format};
use crate::screen;

pub(crate) use words::{counted, decimal, thousands, visible};

/// A pair and its judgement.
pub(crate) struct Pair<'p> {
    pub(crate) left: &'p Text,
    pub(crate) right: &'p Text,
    pub(crate) recipe: &'p Recipe,
    pub(crate) judgement: &'p Judgement,
}

/// The answer in the form that the flags ask for; it ends with a line end.
pub(crate) fn written(pair: &Pair, flags: &Flags) -> anyhow::Result<String> {
    match flags.format {
        Format::Json => Ok(json::written(pair, flags.explain, flags.stopwords_as_given())? + "\n"),
        Format::Text => {
            let stages = if flags.explain { explain::written(pair) } else { String::new() };
            let passages = passages::written(pair, flags.passages_shown(), screen::width());
            Ok(stages + &text::written(pair, &passages))
        }
    }
}
