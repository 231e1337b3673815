//! Two sketches, and the stems that they were drawn from.

use super::Drawn;
use crate::lexicon::{Distinct, Reading};
use crate::shingles::Counted;
use crate::sketch::Sketch;

/// Left and right.
pub(super) struct Sketched {
    pub(super) sketches: [Sketch; 2],
    readings: [Reading; 2],
    /// Of both texts, or of each.
    distinct: Vec<Distinct>,
}

impl Sketched {
    /// Of texts whose stems are places in one lexicon.
    pub(super) fn together(([(left, of_left), (right, of_right)], distinct): Drawn<2>) -> Self {
        Self { sketches: [left, right], readings: [of_left, of_right], distinct: vec![distinct] }
    }

    /// Of texts that have a lexicon each.
    pub(super) fn apart(left: Drawn<1>, right: Drawn<1>) -> Self {
        let ([(left, of_left)], left_distinct) = left;
        let ([(right, of_right)], right_distinct) = right;
        Self {
            sketches: [left, right],
            readings: [of_left, of_right],
            distinct: vec![left_distinct, right_distinct],
        }
    }

    /// The stems of either text with their repeats.
    pub(super) fn counted(&self) -> [Counted; 2] {
        let [left, right] = &self.readings;
        let distinct = |side: usize| self.distinct.get(side).unwrap_or(&self.distinct[0]);
        [count(left, distinct(0)), count(right, distinct(1))]
    }
}

/// The stems of a text with their repeats.
pub(super) fn count(reading: &Reading, distinct: &Distinct) -> Counted {
    Counted::compose(&reading.stems, &distinct.stems)
}
