//! Renders a badge of shields.io with the number of pairs, in the schema of its endpoint.

use dedup_text::display::{counted, thousands};

use super::{ExportFormat, OfRun, Run};
use crate::diagnostics::Severity;
use crate::model::remarks::RemarkKind;
use crate::model::rendered::{JsonObject, Rendered, Syntax};

pub(super) const FORMAT: ExportFormat = ExportFormat {
    has_passages: false,
    ..ExportFormat::new("badge", Syntax::Json, || Box::new(badge as OfRun))
};

/// Renders the badge, as <https://shields.io/badges/endpoint-badge> defines it. It never says only "none" unless all texts, and all of each text, were compared.
fn badge(run: &Run) -> anyhow::Result<Rendered> {
    let color = match run.weight {
        Severity::Error => "red",
        Severity::Warning => "orange",
    };
    let (message, color) = match run.reaching {
        0 if !run.is_complete() => ("not compared".to_owned(), "lightgrey"),
        0 => ("none".to_owned(), "brightgreen"),
        pairs => (counted(pairs, "pair"), color),
    };
    let skipped = run.skipped.counts().filter(|(why, _)| run.skipped.has_names(*why));
    let parts = [
        (run.failed.len(), "failed"),
        (run.short.len(), "too short"),
        (skipped.map(|(_, count)| count).sum(), "skipped"),
        (run.remarks_of(RemarkKind::Disguised).count(), "disguised"),
        (run.excluded_by_authors().map_or(0, |it| it.in_part), "in part"),
        (run.left_out.len(), "left out"),
    ];
    let is_grey = color == "lightgrey"; // it may hide anything
    let parts = parts.into_iter().filter(|(count, _)| *count > 0 && !is_grey);
    let parts = parts.map(|(count, what)| format!(", {} {what}", thousands(count)));
    let message = message + &parts.collect::<String>();
    let badge = JsonObject::default().with("schemaVersion", 1)?.with("label", "copies")?;
    Ok(badge.with("message", message)?.with("color", color)?.end())
}
