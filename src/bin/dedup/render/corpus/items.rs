//! What is found of each text that `--against` names, as text and as JSON.

use std::fmt::Write;

use dedup_text::inert;
use dedup_text::jaccard::Share;
use dedup_text::words::{counted, thousands, visible};
use serde::Serialize;

use crate::io::output::{Spool, Whole};
use crate::model::corpus::Answer;
use crate::model::format::Format;
use crate::render::corpus::table;

/// The schema of an [`ItemRecord`].
pub(crate) const SCHEMA: &str = "dedup.item/1";

/// A text of `--against`, by `dedup.corpus.schema.json`.
#[derive(Serialize)]
pub(crate) struct ItemRecord {
    pub(crate) schema: &'static str,
    pub(crate) id: String,
    pub(crate) found: Vec<FoundRecord>,
}

/// A new text that has it, or a part of it.
#[derive(Serialize)]
pub(crate) struct FoundRecord {
    pub(crate) id: String,
    pub(crate) verdict: &'static str,
    pub(crate) jaccard: Option<f64>,
    pub(crate) coverage: Sides<Option<f64>>,
    /// The same as counts.
    #[serde(skip)]
    pub(crate) covered: [Option<Share>; 2],
    pub(crate) places: Vec<Sides<[usize; 2]>>,
}

/// What holds of the old text and of the new one.
#[derive(Serialize)]
pub(crate) struct Sides<T> {
    pub(crate) item: T,
    pub(crate) text: T,
}

/// The records in a format.
pub(crate) fn render(
    answer: &Answer,
    records: &[ItemRecord],
    format: Format,
) -> anyhow::Result<Whole> {
    match format {
        Format::Jsonl => {
            let mut lines = Spool::new("");
            records.iter().try_for_each(|it| anyhow::Ok(lines.add(&(inert::json(it)? + "\n"))?))?;
            Ok(Whole::from(String::new()).with_records(lines))
        }
        Format::Json => {
            let mut all = Spool::new(",");
            records.iter().try_for_each(|it| anyhow::Ok(all.add(&inert::json(it)?)?))?;
            table::object(answer, "items", all)
        }
        // The flags let no other through.
        Format::Text | Format::Paths | Format::Paths0 | Format::Export(_) => {
            let mut page = String::new();
            let with = records.iter().filter(|item| !item.found.is_empty());
            for item in with.clone() {
                let _ = writeln!(page, "{}", visible(&item.id));
                for found in &item.found {
                    let [of_item, of_text] = found.covered.map(table::hundredths);
                    let (verdict, id) = (found.verdict, visible(&found.id));
                    let _ = writeln!(page, "  {of_item:>3} | {of_text:>3} %  {verdict:<14}  {id}");
                }
            }
            let (with, all) = (thousands(with.count()), counted(records.len(), "text"));
            let _ = writeln!(page, "{with} of {all} of --against found");
            Ok((page + &table::counts(answer) + &table::remarks(answer)).into())
        }
    }
}
