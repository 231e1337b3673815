//! A badge of shields.io, by the schema of its endpoint: how many pairs there are.

use dedup_text::inert;
use dedup_text::words::counted;
use serde::Serialize;

use super::Run;
use super::findings::Pieces;
use crate::model::Weight;

/// <https://shields.io/badges/endpoint-badge>
#[derive(Serialize)]
struct Badge {
    #[serde(rename = "schemaVersion")]
    schema_version: u32,
    label: &'static str,
    message: String,
    color: &'static str,
}

/// The badge. "none" is never said of texts that were not all compared.
pub(super) fn badge(pieces: &Pieces, run: &Run, weight: Weight) -> anyhow::Result<String> {
    let is_compared = run.compared > 1 && !run.has_errors;
    let (message, color) = match (pieces.findings(), weight) {
        (0, _) if !is_compared => ("not compared".to_owned(), "lightgrey"),
        (0, _) => ("none".to_owned(), "brightgreen"),
        (pairs, Weight::Error) => (counted(pairs, "pair"), "red"),
        (pairs, Weight::Warning) => (counted(pairs, "pair"), "orange"),
    };
    Ok(inert::json(&Badge { schema_version: 1, label: "copies", message, color })? + "\n")
}
