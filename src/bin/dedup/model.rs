//! Plain data that several renderers show.

pub(crate) mod calibration;
pub(crate) mod corpus;
pub(crate) mod format;
pub(crate) mod keeping;
pub(crate) mod names;
pub(crate) mod spans;

use dedup_text::pair::Judgement;
use dedup_text::pair::recipe::Recipe;
use dedup_text::text::{Side, Text};
use dedup_text::verdict::Verdict;

use crate::io::inputs::course::Person;

/// What a pair that is found means for the run.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Weight {
    /// The run fails.
    Error,
    /// It does not.
    Warning,
}

/// A pair and its judgement.
pub(crate) struct Pair<'p> {
    pub(crate) left: &'p Text,
    pub(crate) right: &'p Text,
    pub(crate) recipe: &'p Recipe,
    pub(crate) judgement: &'p Judgement,
    /// The verdict that is asked for.
    pub(crate) level: Verdict,
    /// Whether it was accepted earlier; none where no one asks.
    pub(crate) is_accepted: Option<bool>,
    /// Whether one text is closest by far of all to the other; none where no one asks.
    pub(crate) is_by_far: Option<bool>,
    /// Who handed in left and right, where a list says so.
    pub(crate) persons: [Option<&'p Person>; 2],
}

impl Pair<'_> {
    /// Whether it is what was looked for: it reaches the level, and was not accepted earlier.
    pub(crate) fn is_finding(&self) -> bool {
        self.judgement.decision.verdict >= self.level && self.is_accepted != Some(true)
    }

    /// The text that was handed in later; none where that is not known of both, or at one time.
    pub(crate) fn later(&self) -> Option<Side> {
        later(self.persons)
    }
}

/// Which of two texts was handed in later; none where that is not known of both, or at one time.
pub(crate) fn later(persons: [Option<&Person>; 2]) -> Option<Side> {
    let [left, right] = persons.map(|person| person.and_then(|it| it.submitted.as_ref()));
    let (left, right) = (left?, right?);
    if left.is_later(right)? {
        return Some(Side::Left);
    }
    right.is_later(left)?.then_some(Side::Right)
}
