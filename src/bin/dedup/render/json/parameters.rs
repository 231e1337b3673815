//! What made an answer, for programs.

use dedup_text::pair::recipe::Recipe;
use dedup_text::rabin::MODULUS;
use dedup_text::stems;
use dedup_text::verdict::Limits;
use dedup_text::verdict::ratio::Ratio;
use serde::Serialize;

/// The program.
#[derive(Serialize)]
pub(crate) struct Tool {
    name: &'static str,
    version: &'static str,
}

impl Tool {
    /// This one.
    pub(crate) fn here() -> Self {
        Self { name: "dedup", version: env!("CARGO_PKG_VERSION") }
    }
}

/// The limits of the ladder; null for one that is off.
#[derive(Serialize)]
pub(crate) struct LimitsRecord {
    hamming: Option<u32>,
    jaccard: Option<f64>,
    partial_jaccard: Option<f64>,
    coverage: Option<f64>,
    containment: Option<f64>,
}

/// How texts are compared.
#[derive(Serialize)]
pub(crate) struct Parameters {
    min: usize,
    max: usize,
    modulus: String,
    stopwords: String,
    stem: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    settings: Option<String>,
}

/// The limits as numbers.
pub(crate) fn limits(limits: &Limits) -> LimitsRecord {
    let number = |ratio: Ratio| ratio.to_string().parse().ok();
    LimitsRecord {
        hamming: limits.hamming,
        jaccard: limits.jaccard.and_then(number),
        partial_jaccard: limits.partial_jaccard.and_then(number),
        coverage: limits.coverage.and_then(number),
        containment: limits.containment.and_then(number),
    }
}

/// How texts are compared, with `--stopwords` as it was typed.
pub(crate) fn parameters(
    recipe: &Recipe,
    stopwords: String,
    settings: Option<String>,
) -> Parameters {
    Parameters {
        min: recipe.ngrams.min(),
        max: recipe.ngrams.max(),
        modulus: format!("{MODULUS:016x}"),
        stopwords,
        stem: match recipe.stemming {
            stems::Choice::On => "on",
            stems::Choice::Off => "off",
        },
        settings,
    }
}
