//! The answer for programs: one object by `dedup.corpus.schema.json`, around records that are
//! written already.

use dedup_text::corpus::CommonStretch;
use dedup_text::text::display_path;
use serde::Serialize;

use crate::inert;
use crate::io::output::{Spool, Whole};
use crate::model::corpus::Answer;

#[derive(Serialize)]
struct Head {
    schema: &'static str,
    tool: Tool,
    level: &'static str,
    texts: usize,
    too_short: TooShort,
    skipped: Vec<SkippedRecord>,
}

/// What stands behind what failed.
#[derive(Serialize)]
struct Rest {
    #[serde(skip_serializing_if = "Option::is_none")]
    settings: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    common: Option<Vec<CommonRecord>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    widespread: Option<Vec<CommonRecord>>,
}

#[derive(Serialize)]
struct Tool {
    name: &'static str,
    version: &'static str,
}

/// Texts that are too short to be compared.
#[derive(Serialize)]
struct TooShort {
    count: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    paths: Option<Vec<String>>,
}

/// What was passed over in folders.
#[derive(Serialize)]
struct SkippedRecord {
    why: &'static str,
    count: usize,
}

/// What too many texts have.
#[derive(Serialize)]
struct CommonRecord {
    words: usize,
    texts: usize,
    path: String,
    spans: &'static str,
    bytes: [usize; 2],
    lines: [usize; 2],
    excerpt: String,
}

fn common(stretch: &CommonStretch) -> CommonRecord {
    CommonRecord {
        words: stretch.words,
        texts: stretch.texts,
        path: display_path(&stretch.path).into_owned(),
        spans: if stretch.is_shown_as_stored { "file" } else { "text" },
        bytes: [stretch.place.bytes.start, stretch.place.bytes.end],
        lines: stretch.place.lines,
        excerpt: stretch.excerpt.clone(),
    }
}

/// The object, with records parted by commas under a name.
pub(crate) fn object(answer: &Answer, name: &str, records: Spool) -> anyhow::Result<Whole> {
    let gathered = answer.gathered;
    let short = &gathered.corpus.short;
    let path = |path| display_path(path).into_owned();
    let head = Head {
        schema: "dedup.corpus/1",
        tool: Tool { name: "dedup", version: env!("CARGO_PKG_VERSION") },
        level: answer.level.name(),
        texts: gathered.corpus.documents.len(),
        too_short: TooShort {
            count: short.len(),
            paths: answer
                .options
                .lists_short
                .then(|| short.iter().map(|short| path(short.path())).collect()),
        },
        skipped: gathered
            .skipped
            .counts()
            .map(|(why, count)| SkippedRecord { why: why.code(), count })
            .collect(),
    };
    let rest = Rest {
        settings: answer.options.settings.clone(),
        common: answer.recipe.common.map(|_| gathered.corpus.common.iter().map(common).collect()),
        widespread: answer.found.get().map(|found| found.widespread.iter().map(common).collect()),
    };
    let (head, rest) = (inert::json(&head)?, inert::json(&rest)?);
    // What follows takes the place of the braces that end the head and enclose the rest.
    let (head, rest) = (&head[..head.len() - 1], &rest[1..rest.len() - 1]);
    let comma = if rest.is_empty() { "" } else { "," };
    let failed = gathered.failed.written(",", |failed| inert::json(failed).unwrap_or_default())?;
    Ok(Whole::from(format!("{head},\"failed\":["))
        .with_records(failed)
        .with_text(format!("]{comma}{rest},\"{name}\":["))
        .with_records(records)
        .with_text("]}\n"))
}
