//! The figures of a pair.

use dedup_text::jaccard::{Overlap, Share};
use dedup_text::verdict::Measure;
use dedup_text::verdict::comparison::Comparison;
use serde::Serialize;

#[derive(Serialize)]
pub(super) struct Measures {
    hamming: Option<u32>,
    jaccard: Option<f64>,
    shared: usize,
    union: usize,
    containment_a: Option<f64>,
    containment_b: Option<f64>,
    longest: Members,
}

#[derive(Serialize)]
pub(super) struct Members {
    shared: usize,
    a: usize,
    b: usize,
}

/// The name of a figure; never changes.
pub(crate) fn name(measure: Measure) -> &'static str {
    match measure {
        Measure::Words => "words",
        Measure::Hamming => "hamming",
        Measure::CoverageLeft => "coverage_a",
        Measure::CoverageRight => "coverage_b",
        Measure::Jaccard => "jaccard",
        Measure::ContainmentLeft => "containment_a",
        Measure::ContainmentRight => "containment_b",
        Measure::Passages => "passages",
    }
}

pub(super) fn measures(figures: &Comparison) -> Measures {
    let members = |set: Overlap| Members { shared: set.shared, a: set.left, b: set.right };
    Measures {
        hamming: figures.hamming,
        jaccard: figures.jaccard().map(Share::ratio),
        shared: figures.all.shared,
        union: figures.all.union(),
        containment_a: figures.containment_left().map(Share::ratio),
        containment_b: figures.containment_right().map(Share::ratio),
        longest: members(figures.longest),
    }
}
